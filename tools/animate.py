"""Film Untangle for README.md: the real explorable in a real browser, played, then pulled by hand.

python tools/animate.py    writes tools/untangle.webp, in about a minute; needs a Chromium
"""

import io
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import lab  # noqa: E402
from tools.live import description  # noqa: E402
from ukrlearn.panels import Untangle  # noqa: E402
from ukrlearn.panels._explorable import joined  # noqa: E402

TARGET = Path(__file__).with_name("untangle.webp")
WIDTH = 760  # pixels
LARGEST = 600_000  # bytes
MOVES = [1] * 20 + [4] * 10 + [3] * 50 + [6] * 10  # between two frames: what happens first is quick
HOLD, PACE, END = 1500, 90, 2500  # ms for the first frame, for the others, for the last
PULL = 12  # frames in which the hand pulls a point out
QUALITY = 56

PAGE = """<!doctype html><meta charset="utf-8"><body style="margin: 0"><div id="host"></div>"""
START = """({ given, values }) => {
    window.stage = show(document.getElementById("host"), given, { out() {}, values() {} });
    stage.set(values);
}"""
STEP = """(number) => {
    const buttons = [...document.querySelectorAll("button")];
    const button = buttons.find((one) => one.textContent === "One step");
    for (let k = 0; k < number; k++) button.click();
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
PLACE = "([x, y]) => [stage.plots[0].across(x), stage.plots[0].up(y)]"


def film(page, panel):
    """Frames of the explorable while it plays, and while a point is pulled out and let go."""
    picture = page.locator(".ukr-plots")

    def frame():
        return Image.open(io.BytesIO(picture.screenshot())).convert("RGB")

    frames = [frame()]
    for moves in MOVES:
        page.evaluate(STEP, moves)
        frames.append(frame())
    box = page.locator("canvas").first.bounding_box()
    x, y = panel.points[abs(panel._t - 0.8).argmin()]
    across, up = page.evaluate(PLACE, [float(x), float(y)])
    hand = page.mouse
    hand.move(box["x"] + across, box["y"] + up)
    hand.down()
    for k in range(1, PULL + 1):
        far = 0.5 * k / PULL
        across, up = page.evaluate(PLACE, [float(x) * (1 - far), float(y) * (1 - far)])
        hand.move(box["x"] + across, box["y"] + up)
        page.evaluate(STEP, 2)
        frames.append(frame())
    hand.up()
    return frames


def main():
    panel = Untangle.example()
    told = description(panel)
    with lab.chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": 700})
        page.set_content(PAGE)
        page.add_script_tag(type="module", content=joined(panel.script) + "\nwindow.show = show;")
        page.wait_for_function("() => window.show")
        page.evaluate(START, {"given": told["given"], "values": told["values"]})
        page.evaluate(STEP, 0)
        frames = film(page, panel)
    lasting = [HOLD, *[PACE] * (len(frames) - 2), END]
    frames[0].save(
        TARGET, save_all=True, append_images=frames[1:], duration=lasting, loop=0, quality=QUALITY,
        method=6, minimize_size=True,
    )  # fmt: skip
    size = TARGET.stat().st_size
    if size > LARGEST:
        sys.exit(f"{TARGET.name} has {size} bytes; at most {LARGEST} are allowed: lower QUALITY.")
    print(f"{TARGET.name}: {len(frames)} frames, {size} bytes")


if __name__ == "__main__":
    main()
