"""Decks of slides in a real browser: keys turn pages, an answer comes second, no host is asked."""

import pytest

from tools import slides

NAME = "03_reconstruction_error"
FULL = ["18_two_maps", "22_one_functional"]  # with long questions, and formulas in them


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slides")
    assert slides.build([path for path in slides.units() if path.stem == NAME], folder) == []
    return (folder / f"{NAME}.html").as_uri()


@pytest.fixture
def page(browser, deck):
    """A page with a deck, and what it asked of other hosts or complained of."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on(
        "request",
        lambda request: request.url.startswith(("file:", "data:")) or page.said.append(request.url),
    )
    page.goto(deck)
    yield page
    page.close()


def now(page):
    return page.locator(".slide.now")


def test_keys_turn_the_pages_and_show_an_answer_second(page):
    assert now(page).get_attribute("id") == "s1" and page.locator(".slide:visible").count() == 1
    presses = 0
    while "question" not in now(page).get_attribute("class"):
        page.keyboard.press("ArrowRight")
        presses += 1
    place = now(page).get_attribute("id")
    assert place == f"s{presses + 1}"
    answer = now(page).locator(".answer")
    assert not answer.is_visible() and now(page).locator("h2").is_visible()
    page.keyboard.press("Space")
    assert answer.is_visible() and now(page).get_attribute("id") == place
    page.keyboard.press("ArrowLeft")
    assert not answer.is_visible() and now(page).get_attribute("id") == place
    page.keyboard.press("End")
    assert now(page).locator("h2").inner_text() == "Key points"
    page.keyboard.press("ArrowRight")  # nothing comes after the last one
    assert now(page).locator("h2").inner_text() == "Key points"
    page.keyboard.press("Home")
    assert now(page).get_attribute("id") == "s1"


OVERFLOWING = """() => [...document.querySelectorAll(".slide")].filter(slide => {
    document.querySelectorAll(".now").forEach(other => other.classList.remove("now"));
    slide.classList.add("now");
    const foot = slide.querySelector(".foot").getBoundingClientRect();
    const ends = [...slide.children].filter(part => part.className !== "foot")
        .map(part => part.getBoundingClientRect().bottom);
    return slide.scrollHeight > slide.clientHeight + 1 || Math.max(...ends) > foot.top + 1;
}).map(slide => slide.id)"""


@pytest.mark.parametrize("name", [NAME, *FULL])
def test_everything_fits_on_its_slide(browser, tmp_path, name):
    assert slides.build([path for path in slides.units() if path.stem == name], tmp_path) == []
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto((tmp_path / f"{name}.html").as_uri())
    assert page.evaluate(OVERFLOWING) == []
    page.add_style_tag(content=".picture { min-height: 40em; }")  # what does not fit is noticed
    assert page.evaluate(OVERFLOWING) != []
    page.close()


def test_in_print_all_slides_and_answers_are_there(page):
    page.emulate_media(media="print")
    assert page.locator(".slide:visible").count() == page.locator(".slide").count()
    answers = page.locator(".answer")
    assert all(answers.nth(k).is_visible() for k in range(answers.count()))


def test_a_deck_asks_no_host_and_breaks_no_rule_of_its_policy(page):
    page.keyboard.press("ArrowRight")
    assert now(page).get_attribute("id") != "s1" and page.said == []
