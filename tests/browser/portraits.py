"""Every lesson, run in a real browser and photographed whole, to be looked at.

python -m tests.browser.portraits [LESSON ...]    writes artefacts/lessons/NAME-01.png ...

A test cannot say whether a page is beautiful; somebody has to look. Each picture is one screen of
the notebook with all its cells run, panels alive. It also says how long the lesson took and what
went wrong, if anything.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.browser import lab

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


def main(names):
    PORTRAITS.mkdir(parents=True, exist_ok=True)
    lessons = sorted((ROOT / "notebooks").glob("*.ipynb"))
    chosen = [p for p in lessons if not names or any(name in p.stem for name in names)]
    with tempfile.TemporaryDirectory() as course:
        for lesson in lessons:
            shutil.copy(lesson, course)
        with lab.jupyter_lab(course) as server, lab.chromium() as browser:
            for lesson in chosen:
                reader = lab.read(browser, server).open(lesson.name, WIDTH, SCREEN)
                start = time.monotonic()
                reader.run_all()
                seconds = time.monotonic() - start
                files = portray(reader, lesson.stem, PORTRAITS)
                print(f"{lesson.stem}: {seconds:.0f} s, {len(files)} pictures", *reader.errors())
                reader.close()


if __name__ == "__main__":
    main(sys.argv[1:])
