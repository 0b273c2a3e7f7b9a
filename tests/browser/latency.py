"""From key press to changed pixels, and whether a frame without a picture was ever painted.

python -m tests.browser.latency                measures all panels and writes LATENCY.md
python -m tests.browser.latency PANEL ...      prints the rows of some
python -m tests.browser.latency play           iterations a second while Guidance plays

Times are taken inside the page: from the keydown event to the animation frame after the new picture
is decoded. Flicker is looked for in a screencast: a frame whose picture area is blank.
"""

import base64
import contextlib
import datetime
import io
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import TimeoutError

from tests.browser import lab

TABLE = Path(__file__).with_name("LATENCY.md")
MOVES = 20
PANEL = ".jp-OutputArea-output .ukr-panel"
LISTEN = f"""() => {{
    window.moves = [];
    let pressed = null, last = document.querySelector('{PANEL} img').src;
    document.addEventListener('keydown', () => {{ pressed = performance.now(); }}, true);
    const look = async () => {{
        const image = document.querySelector('{PANEL} img');
        if (!image || image.src === last) return;
        last = image.src;
        const since = pressed;
        await image.decode();
        requestAnimationFrame(() => {{ window.moves.push(performance.now() - since); }});
    }};
    new MutationObserver(look).observe(document.querySelector('{PANEL}'),
        {{subtree: true, childList: true, attributes: true, characterData: true}});
}}"""


WATCH = f"""() => {{
    window.frames_seen = [];
    let last = null;
    const look = async () => {{
        const image = document.querySelector('{PANEL} img');
        if (!image || image.src === last) return;
        last = image.src;
        await image.decode();
        const iteration = Number(image.alt.match(/^Iteration (\\d+)/)[1]);
        requestAnimationFrame(() => {{ window.frames_seen.push([performance.now(), iteration]); }});
    }};
    new MutationObserver(look).observe(document.querySelector('{PANEL}'),
        {{subtree: true, childList: true, attributes: true, characterData: true}});
}}"""
PLAYED = """from ukrlearn import datasets
from ukrlearn.panels import Guidance
Guidance(*datasets.noisy_helix({N}, random_state=0), moves={moves})"""


def times_of_moves(reader, handle):
    """Milliseconds of twenty single key presses, there and back; fewer if some change nothing."""
    page = reader.page
    page.evaluate(LISTEN)
    handle.focus()
    for key in keys(handle, MOVES):
        seen = page.evaluate("() => window.moves.length")
        page.keyboard.press(key)
        with contextlib.suppress(TimeoutError):  # the same picture for both values
            page.wait_for_function("seen => window.moves.length > seen", arg=seen, timeout=1500)
        page.wait_for_timeout(100)
    return np.array(page.evaluate("() => window.moves"))


def keys(handle, count):
    """Half of the moves away from the nearer end, half of them back."""
    low, high = (float(handle.get_attribute(end)) for end in ("min", "max"))
    value = float(handle.input_value())
    there, back = "ArrowRight", "ArrowLeft"
    if high - value < value - low:
        there, back = back, there
    return [there] * (count // 2) + [back] * (count // 2)


def blank_frames(reader, handle):
    """(blank, all) frames of a screencast of forty quick moves, within the picture's area."""
    page, frames = reader.page, []
    box = page.locator(f"{PANEL} img").first.bounding_box()
    client = page.context.new_cdp_session(page)

    def keep(event):
        frames.append(event["data"])
        client.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    client.on("Page.screencastFrame", keep)
    client.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    handle.focus()
    for key in keys(handle, 2 * MOVES):
        page.keyboard.press(key)
        page.wait_for_timeout(30)
    page.wait_for_timeout(500)
    client.send("Page.stopScreencast")
    left, top = int(box["x"]), int(box["y"])
    area = slice(top, top + int(box["height"])), slice(left, left + int(box["width"]))
    pixels = [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(frame))).convert("L"))[area]
        for frame in frames
    ]
    return sum(int(p.min() > 200) for p in pixels), len(pixels)


def played(sizes=(300, 500, 1000), moves=100):
    """Prints how many iterations a second are seen, from Play to the last one."""
    print("| N | iterations seen | iterations a second | quartiles | longest pause ms |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for N in sizes:
            lab.write_notebook(Path(folder, f"play{N}.ipynb"), PLAYED.format(N=N, moves=moves))
        with lab.jupyter_lab(folder) as server, lab.chromium() as browser:
            reader = lab.read(browser, server)
            for N in sizes:
                reader.open(f"play{N}.ipynb", width=1100).run_all()
                reader.settled()
                reader.page.evaluate(WATCH)
                reader.page.get_by_role("button", name="Play").click()
                reader.page.wait_for_function(
                    f"() => window.frames_seen.some(([_, iteration]) => iteration === {moves})"
                )
                seen = np.array(reader.page.evaluate("() => window.frames_seen"))
                # Pictures may be skipped; time and iterations are taken over ten pictures each.
                rate = 1000 * (seen[10:, 1] - seen[:-10, 1]) / (seen[10:, 0] - seen[:-10, 0])
                low, middle, high = np.percentile(rate, [25, 50, 75])
                print(
                    f"| {N} | {len(np.unique(seen[:, 1]))} of {moves} | {middle:.1f} | {low:.1f}–"
                    f"{high:.1f} | {np.diff(seen[:, 0]).max():.0f} |",
                    flush=True,
                )
                time.sleep(0.5)


HEAD = """# From key press to changed pixels

`python -m tests.browser.latency`, headless Chromium at 60 Hz, JupyterLab, {cores} cores, load {load:.1f},
{date}. Milliseconds from the keydown event to the frame after the new picture is decoded; asked
for: at most 150 for sliders that look, 400 for one that refits 100 steps (Refit). "Moves" counts
pictures; where a move takes others with it there are more than 20. Frames of a screencast of 40
quick moves in which the picture's area was blank. Explorables draw their own pictures; FRAMES.md has those.

| panel | slider | moves | median ms | quartiles | slowest | frames without a picture |
|---|---|---|---|---|---|---|
"""  # noqa: E501
PLAY = "## Iterations a second"  # the section that `played` fills, by hand


def main(chosen):
    load = os.getloadavg()[0]
    lines = []
    for line in rows(chosen):
        print(line, flush=True)
        lines.append(line)
    if not chosen:
        head = HEAD.format(cores=os.cpu_count(), load=load, date=datetime.date.today())
        rest = TABLE.read_text(encoding="utf-8").partition(PLAY)
        text = head + "\n".join(lines) + "\n\n" + rest[1] + rest[2]
        TABLE.write_text(text, encoding="utf-8")


def rows(names):
    """Lines of the table."""
    from tests.test_panel_sweep import CLASSES
    from ukrlearn.panels._explorable import Explorable

    # Explorables draw their own pictures; tests.browser.frames measures those.
    names = names or [cls.__name__ for cls in CLASSES if not issubclass(cls, Explorable)]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            lab.write_notebook(
                Path(folder, f"{name}.ipynb"),
                f"from ukrlearn.panels import {name}\n{name}.example()",
            )
        with lab.jupyter_lab(folder) as server, lab.chromium() as browser:
            reader = lab.read(browser, server)
            for name in names:
                reader.open(f"{name}.ipynb").run_all()
                reader.settled()
                more = reader.page.get_by_role("button", name="More controls")
                if more.count():
                    more.click()
                handles = reader.page.locator(f"{PANEL} input[type=range]")
                labels = reader.page.locator(f"{PANEL} .ukr-slider label")
                for k in range(handles.count()):
                    ms = times_of_moves(reader, handles.nth(k))
                    blank, frames = blank_frames(reader, handles.nth(k))
                    if not len(ms):
                        yield f"| {name} | {labels.nth(k).inner_text()} | 0: words only | | | | |"
                        continue
                    low, middle, high = np.percentile(ms, [25, 50, 75])
                    yield (
                        f"| {name} | {labels.nth(k).inner_text()} | {len(ms)} | {middle:.0f} | "
                        f"{low:.0f}–{high:.0f} | {ms.max():.0f} | {blank} of {frames} |"
                    )
                time.sleep(0.5)


if __name__ == "__main__":
    if sys.argv[1:] == ["play"]:
        played()
    else:
        main(sys.argv[1:])
