"""The site in a real browser: from a server or a folder, in the dark, on a phone, on paper."""

import base64
import functools
import http.server
import io
import json
import threading

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from tools import site

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
    slider, picture = place.get_by_role("slider"), place.locator("img")
    words = json.loads(place.locator("script").text_content())
    data = base64.b64decode(picture.get_attribute("src").partition(",")[2])
    tall = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=int)
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
