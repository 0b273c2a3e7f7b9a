"""The site in a real browser: from a server or a folder, in the dark, on a phone, on paper."""

import functools
import http.server
import io
import json
import random
import threading
from itertools import pairwise

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from bs4 import BeautifulSoup
from PIL import Image

from tools import pages, site
from ukrlearn.checks import _review, _work, predictions

LESSON, EXERCISE = "03_reconstruction_error", "exercise_01_nadaraya_watson"
PAGES = ("index", LESSON, "api_UKR")
MOST = 500_000  # bytes of a page whose explorable comes soon


class Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    _, problems = site.build([LESSON, EXERCISE, "api"], target)
    assert problems == []
    return target


@pytest.fixture(scope="module")
def served(folder):
    """The address of the folder on a server."""
    handler = functools.partial(Silent, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(params=["folder", "server"])
def address(request, folder):
    if request.param == "folder":
        return folder.as_uri()
    return request.getfixturevalue("served")


@pytest.fixture
def visit(browser):
    """visit(address of a page): a page in a context of its own, on which nothing may go wrong."""
    contexts, said, asked = [], [], []

    def opened(url, **options):
        if "context" not in options:
            contexts.append(browser.new_context(**options))
        page = options["context"].new_page() if "context" in options else contexts[-1].new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: message.type == "error" and said.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url)
        return page

    opened.said = said
    yield opened
    for context in contexts:
        context.close()
    assert said == []
    assert not [url for url in asked if not url.startswith(("file:", "http://127.0.0.1", "data:"))]


def alive(page):
    """The page with its explorable drawn."""
    page.wait_for_function("() => performance.getEntriesByName('explorable').length")
    return page


def test_an_explorable_lives_without_a_kernel_and_needs_little(visit, address):
    page = alive(visit(f"{address}/index.html"))
    drawn = "performance.getEntriesByName('explorable')[0].startTime"
    needed = page.evaluate(
        f"""() => performance.getEntries().filter((one) => one.startTime < {drawn})
            .filter((one) => "decodedBodySize" in one).map((one) => one.decodedBodySize)"""
    )
    assert len(needed) == 1 and needed[0] < MOST, "the page, and nothing besides"
    assert page.locator(".picture").is_hidden() and page.locator(".ukr canvas").count() == 2
    page.get_by_role("button", name="Untangle", exact=True).click()
    words = page.locator(".ukr-words")
    page.wait_for_function("() => parseInt(document.querySelector('.ukr-words').textContent) >= 20")
    assert "order recovered" in words.inner_text()


def test_a_slider_goes_through_the_frames_of_a_panel(visit, folder):
    page = visit(f"{folder.as_uri()}/{LESSON}.html")
    place = page.locator(".frames").first
    slider, picture = place.get_by_role("slider"), place.locator("img").first
    words = json.loads(place.locator("script").text_content())
    tall = np.asarray(site.opened(picture.get_attribute("src")).convert("RGB"), dtype=int)
    frames = tall.reshape(len(words), -1, *tall.shape[1:])
    for key, at in (("Home", 0), ("ArrowRight", 1), ("End", len(words) - 1)):
        slider.press(key)
        shot = Image.open(io.BytesIO(picture.screenshot())).convert("RGB")
        shot = np.asarray(shot.resize(frames.shape[2:0:-1]), dtype=int)
        assert np.argmin(np.abs(frames - shot).mean(axis=(1, 2, 3))) == at
        assert place.locator(".words").inner_text() == picture.get_attribute("alt") == words[at]
        text = place.locator("output").inner_text()
        assert words[at].startswith(f"Bandwidth {float(text):.3g}:")
        assert slider.get_attribute("aria-valuetext") == text


def test_no_other_script_runs(visit, address):
    page = visit(f"{address}/{LESSON}.html")
    page.evaluate(
        """() => {
            window.refused = 0;
            document.addEventListener("securitypolicyviolation", () => (window.refused += 1));
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
        }"""
    )
    page.wait_for_function("() => window.refused === 1")
    assert page.evaluate("() => window.ran") is None
    assert len(visit.said) == 1 and "Content Security Policy" in visit.said.pop()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_in_both_themes(visit, folder, name, scheme):
    page = visit(f"{folder.as_uri()}/{name}.html", color_scheme=scheme)
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:90]) for v in found] == []


@pytest.mark.parametrize("name", [*PAGES, EXERCISE, "search"])
def test_a_page_fits_a_phone(visit, folder, name):
    page = visit(f"{folder.as_uri()}/{name}.html", viewport={"width": 360, "height": 780})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360


def test_on_a_phone_the_columns_of_a_picture_stand_one_below_the_other(visit, folder):
    page = visit(f"{folder.as_uri()}/{LESSON}.html", viewport={"width": 390, "height": 844})
    picture = page.locator("img.in-columns[width]").first
    whole = site.opened(picture.get_attribute("src")).convert("RGB")
    ends = [0, *map(float, picture.get_attribute("data-cuts").split()), 1]
    columns = page.locator(".columns-of-picture:has(img[width])").first.locator("> div").all()
    assert len(columns) == len(ends) - 1 >= 2
    for column, (left, right) in zip(columns, pairwise(ends), strict=True):
        shot = Image.open(io.BytesIO(column.screenshot())).convert("RGB")
        of_whole = whole.crop((left * whole.width, 0, right * whole.width, whole.height))
        both = [np.asarray(one.reduce(6), dtype=int) for one in (shot, of_whole.resize(shot.size))]
        assert shot.width > 340 and np.mean(np.abs(np.subtract(*both))) < 4
    page.set_viewport_size({"width": 1000, "height": 900})
    assert picture.bounding_box()["width"] > 600 and not columns[0].is_visible()


def test_on_a_wide_screen_nothing_is_cut_and_notes_stand_beside_the_text(visit, folder):
    page = visit(f"{folder.as_uri()}/{LESSON}.html", viewport={"width": 1440, "height": 900})
    over = "[...document.querySelectorAll('pre')].map(p => p.scrollWidth - p.clientWidth)"
    assert max(page.evaluate(over)) <= 1
    note, main = page.locator(".sure").first, page.locator("main").bounding_box()
    box = note.bounding_box()
    assert main["x"] + main["width"] < box["x"] and box["x"] + box["width"] < 1440
    assert note.locator("p").first.is_visible()
    page.set_viewport_size({"width": 1000, "height": 900})
    note.locator("p").first.wait_for(state="hidden")
    tall = "o => o.getBoundingClientRect().height"
    sums = page.locator("munderover > mo", has_text="∑")
    assert sums.first.evaluate(tall) > 20, "the font of the page has large sums"


def test_the_theme_is_switched_remembered_and_followed_by_explorables(visit, served):
    page = alive(visit(f"{served}/index.html"))
    assert page.evaluate("() => document.body.dataset.theme") == "light"
    paper = "() => getComputedStyle(document.body).backgroundColor"
    drawn = "() => document.querySelector('canvas').toDataURL()"
    bright, before = page.evaluate(paper), page.evaluate(drawn)
    button = page.get_by_role("button", name="Dark")
    button.press("Enter")
    page.wait_for_function(f"(before) => ({drawn})() !== before", arg=before)
    assert page.evaluate(paper) != bright and button.get_attribute("aria-pressed") == "true"
    other = visit(f"{served}/api_UKR.html", context=page.context)
    assert other.evaluate("() => document.documentElement.dataset.theme") == "dark"
    assert other.get_by_role("button", name="Dark").get_attribute("aria-pressed") == "true"


def test_a_keyboard_skips_to_the_text_and_searches(visit, address):
    page = visit(f"{address}/{LESSON}.html")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "content"
    page.keyboard.press("/")
    page.keyboard.type("Weighted Mea")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=*")
    first = page.locator(".results a").first
    assert "place" in page.locator(".found").inner_text()
    page.get_by_role("searchbox").fill("Nadaraya zzz")
    assert page.locator(".found").inner_text() == "0 places with “Nadaraya zzz”."
    page.get_by_role("searchbox").fill("nonparametricdrur")
    assert first.get_attribute("href") == "api_NonparametricDRUR.html"
    page.get_by_role("searchbox").fill("Exercise 1: the weighted mean")
    assert first.get_attribute("href").startswith(f"{EXERCISE}.html")
    first.click()
    assert page.locator("h1").inner_text().startswith("Exercise 1")


@pytest.fixture
def questions(tmp_path):
    """The address of a page with a choice, a number and a question for words, in a folder."""
    predict = predictions("00_test")
    options, tempts = ["$x^2$", "both", "none"], ["Two are tempting.", "So is none."]
    given = {"options": options, "answer": "$x^2$", "because": "Of `itself`.", "tempts": tempts}
    asked = (
        predict("a", "Which of $R$?", **given),
        predict("b", "How many?", number=True, answer=30, within=2, because="Count."),
        predict("c", "Why?", words=True, answer="Because."),
    )
    html = "<h1>Questions</h1>" + "".join(question._repr_html_() for question in asked)
    soup = BeautifulSoup(html, "html.parser")
    problems = list(pages._formulas(soup))
    text, wrong = site.framed(site.Page("test", "Questions", soup), {})
    assert problems + wrong == []
    (tmp_path / "test.html").write_text(text, encoding="utf-8")
    return (tmp_path / "test.html").as_uri()


@pytest.mark.parametrize("keeps", [True, False])
def test_a_question_takes_an_answer_and_a_second_try_and_is_kept(visit, questions, keeps):
    page = visit(questions)
    if not keeps:
        page.context.add_init_script("Object.defineProperty(window, 'localStorage', {value: 0})")
        page.reload()
    choice, number, words = page.locator(".ukrlearn-prediction").all()
    for media, on_paper in (("print", True), ("screen", False)):
        page.emulate_media(media=media)
        assert choice.get_by_text("itself").is_visible() == on_paper
        assert choice.get_by_text("Commit").is_visible() != on_paper
    choice.get_by_role("button", name="Commit").click()
    assert "Choose one" in choice.get_by_role("status").inner_text()
    choice.get_by_role("radio", name="none").check()
    page.keyboard.press("Enter")
    said = choice.inner_text()
    assert "✗ Not so. You said none." in said and "So is none." in said and "itself" not in said
    assert Axe().run(page).response["violations"] == []
    page.keyboard.press("ArrowDown")  # round to the first option
    page.keyboard.press("Enter")
    told = "✓ Right. You said 𝑥2.Of itself."
    assert choice.get_by_role("status").inner_text().replace("\n", "") == told
    assert page.evaluate("() => document.activeElement.role") == "status"
    for guess, answer in (("many", "a number such as 0.25"), ("3,", "too small.\n\nThink again")):
        number.get_by_role("textbox", name="Predict How many?").fill(guess)
        page.keyboard.press("Enter")
        assert answer in number.get_by_role("status").inner_text()
    page.keyboard.press("Enter")
    beside = "✗ Not so. You said 3; the answer is 30, 10 times as much.\n\nCount."
    assert number.get_by_role("status").inner_text() == beside
    words.get_by_role("button", name="Show the answer").click()
    assert words.get_by_role("status").inner_text() == "Skipped. The answer is Because."
    assert Axe().run(page).response["violations"] == []
    page.reload()
    assert ("Of itself." in choice.inner_text()) == keeps
    if keeps:
        assert number.get_by_role("status").inner_text() == beside
        number.get_by_role("button", name="Predict again").click()
        number.get_by_role("textbox").fill("31")
        page.keyboard.press("Enter")
        assert "31; the answer is 30, and whatever is within 2" in number.inner_text()


def test_a_question_that_has_changed_or_was_kept_by_others_is_asked_anew(visit, questions):
    page = visit(questions)
    for odd in ('{"guess":"gone","done":true}', '{"guess":[1],"done":3}', "{"):
        page.evaluate("odd => localStorage.setItem('00_test/a', odd)", odd)
        page.reload()
        assert page.get_by_role("radio", name="none").count() == 1
        assert page.locator("input:checked").count() == 0


def test_without_scripts_a_question_keeps_its_answer_behind_a_disclosure(visit, questions):
    page = visit(questions, java_script_enabled=False)
    place = page.locator(".ukrlearn-prediction").first
    assert place.get_by_text("itself").is_hidden() and place.locator("li").count() == 3
    place.get_by_text("Answer", exact=True).click()
    assert "Of itself." in place.inner_text() and "none? So is none." in place.inner_text()


def test_paper_gets_the_picture_and_no_controls(visit, folder):
    page = alive(visit(f"{folder.as_uri()}/index.html", color_scheme="dark"))
    page.emulate_media(media="print")
    assert page.locator(".picture").is_visible()
    assert page.locator(".ukr").is_hidden() and page.locator("header.site").is_hidden()
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_without_scripts_there_is_the_picture_and_nothing_that_does_not_work(visit, folder):
    page = visit(f"{folder.as_uri()}/index.html", java_script_enabled=False)
    assert page.locator(".picture img").is_visible()
    assert page.locator(".theme").is_hidden() and page.get_by_role("search").count() == 0


def test_a_lesson_asks_what_python_would_and_shows_it_again(visit, folder, monkeypatch, tmp_path):
    monkeypatch.setenv("UKRLEARN_WORK", str(tmp_path))
    draw, record, page = random.Random(0), {}, visit(f"{folder.as_uri()}/{LESSON}.html")
    candidates = [[key, not own] for key, own in _review.questions().items()]
    script = (
        f"([name, of]) => {{ {site.asset('review.js')} return {{ noted, chosen }}[name](...of) }}"
    )
    in_page = lambda name, *of: page.evaluate(script, [name, of])
    for number in range(120):
        key, day = draw.choice(candidates[:30])[0], f"2026-01-{number // 10 + 1:02}"
        unit = draw.choice([key, "04_leave_one_out/x", "05_density_constraint/x"]).partition("/")[0]
        said = draw.choice([{"right": True}, {"right": False}, {"skipped": True}])
        _work.note_prediction(key, unit, day, **said)
        record[key] = said | in_page("noted", record, key, said.get("right"), unit, day)
        assert record == (mine := _work.read_predictions())
        asked = list(_review.chosen(mine, day, unit, most := 3 + number % 2 * 99))
        assert in_page("chosen", record, candidates, day, unit, most) == asked

    assert page.locator(".review").is_hidden()  # nothing was answered here
    page.evaluate("localStorage.setItem('01_kernel_regression/x', '{}')")
    page.reload()
    form, other = page.locator(".review .ukrlearn-prediction").all()
    assert other.is_hidden()
    for one in (form, other):
        one.get_by_role("button", name="Show the answer").click()
    assert Axe().run(page).response["violations"] == []
    said = page.locator(".review").inner_text()
    page.reload()
    assert page.locator(".review").inner_text() == said and said.count("Skipped. The answer") == 2
