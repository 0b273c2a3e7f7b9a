"""Every lesson, run in a real browser and photographed whole, to be looked at; and each explorable.

python -m tests.browser.portraits [LESSON ...]       writes artefacts/lessons/NAME-01.png ...
python -m tests.browser.portraits --explorables      writes artefacts/explorables/SETTING-NAME.png,
                                                     and a sheet with all of them for each setting

A test cannot say whether a page is beautiful; somebody has to look. Each picture is one screen of
the notebook with all its cells run, panels alive. It also says how long the lesson took and what
went wrong, if anything.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from tests.browser import lab
from tests.browser.test_explorables import EXPLORABLES
from tests.browser.test_explorables_input import DARK, PLAY, Everything

ROOT = Path(__file__).resolve().parents[2]
PORTRAITS = ROOT / "artefacts/lessons"
WIDTH, SCREEN, OVERLAP = 1000, 1800, 100
HEIGHT = "() => document.querySelector('.jp-WindowedPanel-inner').scrollHeight"


def portray(reader, name, folder):
    """Photographs a notebook that has run: a list of files."""
    page = reader.page
    outer = page.locator(".jp-WindowedPanel-outer")
    files, top = [], 0
    while top < page.evaluate(HEIGHT):  # grows while cells below come into sight
        outer.evaluate("(element, top) => { element.scrollTop = top }", top)
        reader.settled(500)
        file = folder / f"{name}-{len(files) + 1:02}.png"
        page.screenshot(path=file)
        files.append(file)
        top += SCREEN - OVERLAP
    return files


EXPLORED = ROOT / "artefacts/explorables"
SETTINGS = {  # how a page is opened, and what is done in it before the photograph
    "light": ({"viewport": {"width": 1280, "height": 9000}}, None),
    "dark": ({"viewport": {"width": 1280, "height": 9000}}, "dress"),
    "phone": ({"viewport": {"width": 360, "height": 14000}}, None),
    "dense": ({"viewport": {"width": 844, "height": 9000}, "device_scale_factor": 2}, None),
    "calm": ({"viewport": {"width": 844, "height": 9000}, "reduced_motion": "reduce"}, "play"),
    "keys": ({"viewport": {"width": 844, "height": 9000}}, "focus"),
}
SPOKEN = 800  # ms
APART = 8  # pixels between two pictures of a sheet
ACROSS = 3


def photograph(browser, setting):
    """Photographs all explorables in one setting: a list of files."""
    context, act = SETTINGS[setting]
    shown, files = Everything(browser, **context), []
    page = shown.page
    if act == "dress":
        page.add_style_tag(content=DARK)
        page.evaluate("() => document.body.setAttribute('data-theme', 'dark')")
    page.wait_for_timeout(1500)  # maps and scores are computed in the course of some frames
    if act == "play":
        page.evaluate(PLAY)
        page.wait_for_timeout(1500)
        page.evaluate("() => { for (const [stage] of Object.values(stages)) stage.stop(); }")
    if act == "focus":
        for name in EXPLORABLES:
            for canvas in shown.canvases(name).all()[:1]:
                canvas.press("n")
                canvas.press("ArrowRight")
    for name in EXPLORABLES:
        if act == "focus":
            for canvas in shown.canvases(name).all()[:1]:
                canvas.focus()
        page.wait_for_timeout(SPOKEN)  # words follow more slowly, and may move what is below
        files.append(EXPLORED / f"{setting}-{name}.png")
        page.locator(f".{name}").screenshot(path=files[-1])
    shown.close()
    return files


def sheet(files):
    """All pictures side by side."""
    pictures = [Image.open(file).convert("RGB") for file in files]
    rows = [pictures[k : k + ACROSS] for k in range(0, len(pictures), ACROSS)]
    width = max(picture.width for picture in pictures) + APART
    height = sum(max(picture.height for picture in row) + APART for row in rows)
    whole, top = Image.new("RGB", (ACROSS * width, height), "#c05050"), 0
    for row in rows:
        for k, picture in enumerate(row):
            whole.paste(picture, (k * width, top))
        top += max(picture.height for picture in row) + APART
    return whole


def explorables():
    EXPLORED.mkdir(parents=True, exist_ok=True)
    with lab.chromium() as browser:
        for setting in SETTINGS:
            file = EXPLORED / f"{setting}.png"
            sheet(photograph(browser, setting)).save(file)
            print(file)


def main(names):
    PORTRAITS.mkdir(parents=True, exist_ok=True)
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    chosen = [p for p in lessons if not names or any(name in p.stem for name in names)]
    with tempfile.TemporaryDirectory() as course:
        for lesson in lessons:
            shutil.copy(lesson, course)
        with lab.jupyter_lab(course) as server, lab.chromium() as browser:
            reader = lab.read(browser, server)
            for lesson in chosen:
                reader.open(lesson.name, WIDTH, SCREEN)
                start = time.monotonic()
                reader.run_all()
                seconds = time.monotonic() - start
                files = portray(reader, lesson.stem, PORTRAITS)
                print(f"{lesson.stem}: {seconds:.0f} s, {len(files)} pictures", *reader.errors())


if __name__ == "__main__":
    explorables() if sys.argv[1:] == ["--explorables"] else main(sys.argv[1:])
