"""How fast explorables answer the hand: frames, pauses, the way from pointer to pixels, the heap.

python -m tests.browser.frames                       measures all and writes FRAMES.md
python -m tests.browser.frames --minutes 10          the same, and the heap in ten minutes of play
python -m tests.browser.frames Untangle Referee      prints the rows of some

Each explorable is alone on a bare page of a real browser, and the browser itself moves the pointer.
A frame counts if its picture differs from the one before: the numbers of all drawing commands are
hashed, so that a page has no frames if it draws nothing, or the same again. For the heap, all play
on one page.
"""

import argparse
import contextlib
import datetime
import itertools
import json
import math
import os
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from playwright.sync_api import TimeoutError

from tests.browser import lab
from tests.browser.test_explorables import EXPLORABLES, PAGE, Shown
from ukrlearn import datasets, panels
from ukrlearn.blocks import scales, starts
from ukrlearn.blocks.networks import cluster_centres, fit_rbf, spacing
from ukrlearn.panels._explorable import joined

TABLE = Path(__file__).with_name("FRAMES.md")
SIZES = 100, 300, 1000
SECONDS = 3.0  # of each gesture
PRESSES = 20  # for the time from pointer to pixels
SAMPLES = 11  # of the heap
REACH = 35  # pixels by which the pointer goes around its start

# Counts pictures. A frame ends when it has been painted: then a message arrives. If the next frame
# is faster than the message, it ends the one before.
WATCH = """() => {
    let hash = 0, before = 0, asked = null, asking = null, at = 0, open = false;
    const mix = (v) => { hash = (Math.imul(hash, 31) + Math.round(1024 * v) + 7) | 0; };
    const pen = CanvasRenderingContext2D.prototype;
    const { moveTo, lineTo, arc, fillRect, fillText, drawImage, putImageData } = pen;
    pen.moveTo = function (a, b) { mix(a); mix(b); moveTo.call(this, a, b); };
    pen.lineTo = function (a, b) { mix(a); mix(b); lineTo.call(this, a, b); };
    pen.arc = function (a, b, c, d, e) { mix(a); mix(b); mix(c); arc.call(this, a, b, c, d, e); };
    pen.fillRect = function (a, b, c, d) {
        mix(a + b); mix(c + d); fillRect.call(this, a, b, c, d);
    };
    pen.fillText = function (text, a, b) { mix(a); mix(b); fillText.call(this, text, a, b); };
    pen.drawImage = function (...all) { mix(all[1] + all[2]); drawImage.apply(this, all); };
    pen.putImageData = function (image, a, b) {
        for (let k = 0; k < image.data.length; k += 97) mix(image.data[k]);
        putImageData.call(this, image, a, b);
    };
    window.frames_seen = [];
    window.answers = [];
    for (const kind of ["pointerdown", "pointermove", "input"]) {
        document.addEventListener(kind, (event) => { asked ??= event.timeStamp; }, true);
    }
    const painted = new MessageChannel();
    const finish = () => {
        if (!open) return;
        open = false;
        const changed = hash !== 0 && hash !== before;
        if (hash) before = hash;
        hash = 0;
        frames_seen.push([at, changed]);
        if (changed && asking !== null) answers.push(performance.now() - asking);
    };
    painted.port1.onmessage = ({ data }) => { if (data === at) finish(); };
    const plain = window.requestAnimationFrame;
    window.requestAnimationFrame = (f) => plain((now) => {
        if (now !== at) { // the first callback of a frame
            finish();
            [at, asking, asked, open] = [now, asked, null, true];
            painted.port2.postMessage(now);
        }
        f(now);
    });
    const tick = () => requestAnimationFrame(tick);
    tick();
}"""
PIXELS = "() => stage.plots.map(({ canvas }) => canvas.toDataURL())"
BEGUN = """(name) => {
    frames_seen.length = 0;
    if (name) [...document.querySelectorAll("button")].find((b) => b.textContent === name).click();
}"""
OPENED = """async ({ given, values }) => {
    stage.close();
    const before = performance.now();
    window.stage = show(document.getElementById("host"), given, { out() {}, values() {} });
    stage.set(values);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - before;
}"""


class Scene(NamedTuple):
    """What is measured of an explorable with N points."""

    panel: object  # N -> a panel
    gestures: tuple
    sizes: tuple = SIZES


class Gesture(NamedTuple):
    """What the pointer does: it goes around a point of a plot, around a place in it, or nowhere."""

    words: str
    plot: int | None = 0
    handle: int | None = None  # of the plot, or None for its middle
    play: str | None = None  # a button that is pressed before
    still: bool = False  # whether the pointer stays away
    setup: str | None = None  # a script that is run before
    turn: float = 1 / 15  # of the pointer between two of its places, in radians


def around(plot=0, words="around its middle", **more):
    return Gesture(words, plot, **more)


def watched(button, setup=None):
    return Gesture(f"watch “{button}”", play=button, still=True, setup=setup)


def untangle(N):
    Y, t = datasets.noisy_spiral(N, noise=0.03, random_state=0)
    return panels.Untangle(Y, np.ravel(t))


def bandwidth(N):
    random = np.random.RandomState(0)
    x = random.uniform(size=N)
    return panels.Bandwidth(x, np.sin(2 * np.pi * x) + 0.2 * random.normal(size=N))


def latent_explorer(N):
    Y, _ = datasets.digits(None, n_samples=N, random_state=0)
    return panels.LatentExplorer(4 * scales.normalised(starts.pca(Y, 2)), Y, (8, 8))


def gradient(N):
    Y, t = datasets.s_curve(N, height=6, random_state=0)
    return panels.Gradient(0.8 * t + 0.2 * np.random.RandomState(0).normal(size=t.shape), Y)


def density_of_curve(N):
    Y, t = datasets.noisy_spiral(N, noise=0.02, random_state=0)
    return panels.DensityConstraint(60 * t[:, None], Y)


def density_of_surface(N):
    Y, t = datasets.s_curve(N, noise=0.05, hole=0.4, random_state=0)
    return panels.DensityConstraint(4 * t, Y)


def homotopy(N):
    Y, labels = datasets.simulated_oil_flow(N, random_state=0)
    return panels.Homotopy(Y, labels, moves=12, last_moves=20, palette="oil_flow")


def aggregation(N):
    Y, t = datasets.partitioned_circle(3 * (N // 3), random_state=0)
    return panels.Aggregation(Y, np.floor(3 * t))


def rescue_the_roll(N):
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=0)
    return panels.RescueTheRoll(Y, t, rounds=6)


def gauss_newton(N):
    Y, t = datasets.s_curve(N, height=3.0, random_state=0)
    Y = (Y - Y.mean(axis=0)) / np.sqrt(Y.var(axis=0).sum())
    X = (t - t.mean(axis=0)) / t.std(axis=0) * np.sqrt(0.125)
    maps = []
    for inputs, outputs, multiple in ((X, Y, 2), (Y, X, 6)):
        centres = cluster_centres(inputs, 30)
        maps.append(fit_rbf(inputs, outputs, centres, multiple * spacing(centres), 1e-3))
    return panels.GaussNewton(*maps, X, Y, point=N // 2, start=(0.0, -0.28))


def referee(N):
    Y, t = datasets.s_curve(N, random_state=0)
    return panels.Referee(t, Y)


def label_distance(N):
    random = np.random.RandomState(0)
    labels = np.arange(N) % 3
    Y, new = random.normal(size=(2, N, 4)) + labels[:, None]
    return panels.LabelDistance(Y, labels, new, labels)


def principal_curve(N):
    Y, _ = datasets.noisy_arc(N, random_state=0)
    return panels.PrincipalCurve(Y, datasets.arc_curve(np.linspace(0, 1, 400))).set(penalty=1e-3)


def quantizer(N):
    Y = np.random.RandomState(0).uniform(size=(N, 2))
    return panels.Quantizer(Y, np.arange(N // 10), reading=2.0, reach=(0.0, 2.0))


def draw_data(N):
    t = np.linspace(-1, 1, N)
    noise = 0.03 * np.random.RandomState(0).normal(size=(N, 2))
    return panels.DrawData(np.column_stack([0.6 * np.sin(1.5 * np.pi * t), 0.8 * t]) + noise)


LONG_WALK = """() => {
    const [{ x, y }] = stage.plots;
    stage.stop();
    stage.put({ path: [[x[0], y[0]], [x[1], y[1]], [x[0], y[1]], [x[1], y[0]]] });
}"""
AT_REST = """() => new Promise((done) => {
    const look = () => (stage.frame ? setTimeout(look, 20) : done());
    look();
})"""
IN_ORDER = """() => {
    const { points } = stage.plots[0].handles;
    stage.put({ X: Array.from({ length: points.rows }, (_, n) => 12 * n / points.rows) });
}"""
SCENES = {
    "Untangle": Scene(
        untangle,
        (
            Gesture("drag a data point", 0, 5),
            Gesture("drag a latent point", 1, 5),
            watched("Untangle"),
            Gesture("drag a data point while it plays", 0, 5, "Untangle"),
        ),
    ),
    "Bandwidth": Scene(
        bandwidth,
        (Gesture("drag a point", 0, 30), around(1, "move the place of the weights"),
         Gesture("drag the error", 2, 0)),
    ),
    "LatentExplorer": Scene(
        latent_explorer, (around(0, "draw a path"), watched("Walk", setup=LONG_WALK))
    ),
    "Gradient": Scene(
        gradient, (Gesture("drag a latent point", 0, 7), watched("RPROP"))
    ),
    "DensityConstraint": Scene(density_of_curve, (around(1, "drag the sea"),)),
    "DensityConstraint of a surface": Scene(
        density_of_surface, (around(0, "turn the surface"), Gesture("drag η", None))
    ),
    "Homotopy": Scene(homotopy, (Gesture("drag the step", None), watched("Play"))),
    "Aggregation": Scene(
        aggregation, (Gesture("drag a point", 0, 5), watched("Move"))
    ),
    "Geodesics": Scene(panels.Geodesics, (Gesture("drag a point", 0, 7),)),
    "LabelDistance": Scene(
        label_distance,
        (Gesture("drag α", 0, 0), Gesture("drag a point", 2, 5, setup=AT_REST)),
        (100, 300),
    ),
    "PrincipalCurve": Scene(principal_curve, (Gesture("drag a point", 0, 5),)),
    "Quantizer": Scene(
        quantizer, (Gesture("drag a code", 0, 1), Gesture("drag the readings", None))
    ),
    "RescueTheRoll": Scene(rescue_the_roll, (around(1, "turn the roll"), watched("Play"))),
    "GaussNewton": Scene(
        gauss_newton,
        (Gesture("drag the start", 0, 0), Gesture("drag the data point", 0, 1, turn=0.6),
         around(1, "turn the sheet")),
    ),
    "Referee": Scene(
        referee,
        (around(0, "brush points"), Gesture("drag the amount of damage", None)),
    ),
    "DrawData": Scene(
        draw_data,
        (
            Gesture("drag a point", 0, 30),
            Gesture("drag a point of a fit", 0, 30, setup=IN_ORDER),
            watched("Fit a curve"),
        ),
        (40, 150),
    ),
}  # fmt: skip


class Measured(NamedTuple):
    lasted: np.ndarray  # ms from the beginning of each new picture to the next frame
    pause: float  # the longest time between two frames, ms

    def rates(self):
        """Pictures a second: the median, and of the slowest in a hundred."""
        return 1000 / np.median(self.lasted), 1000 / np.percentile(self.lasted, 99)


def start_of(shown, gesture):
    """Pixels where the pointer goes down."""
    if gesture.plot is None:
        slider = shown.page.locator("input[type=range]:visible:not(.ukr-past)").first
        box = slider.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if gesture.handle is not None:
        place = shown.page.evaluate(
            "([k, n]) => stage.plots[k].place(n)", [gesture.plot, gesture.handle]
        )
        return shown.pixel_of(gesture.plot, *place)
    box = shown.canvas(gesture.plot).bounding_box()
    return box["x"] + 0.55 * box["width"], box["y"] + 0.55 * box["height"]


def measure(shown, gesture, seconds=SECONDS):
    """The frames of a gesture."""
    page, mouse = shown.page, shown.page.mouse
    if gesture.setup:
        page.evaluate(gesture.setup)
        shown.settled()
    x, y = start_of(shown, gesture)
    before = page.evaluate(PIXELS)
    if not gesture.still and not gesture.play:
        mouse.move(x, y)
        mouse.down()
    page.evaluate(BEGUN, gesture.play)
    if gesture.play and not gesture.still:
        shown.settled()
        x, y = start_of(shown, gesture)  # where it has gone
        mouse.move(x, y)
        mouse.down()
    end = time.monotonic() + seconds
    step = 0
    while time.monotonic() < end:
        step += 1
        if gesture.still:
            page.wait_for_timeout(50)
            if page.evaluate("() => !stage.playing"):
                break
            continue
        if gesture.plot is None:  # there and back, ten pixels at a time
            mouse.move(x + 2 * REACH - 10 * abs((step + 7) % 28 - 14), y)
            continue
        angle = step * gesture.turn
        mouse.move(x + REACH * math.sin(angle), y + REACH * (1 - math.cos(angle)))
    frames = page.evaluate("() => frames_seen")
    assert page.evaluate(PIXELS) != before, f"no other pixels: {gesture.words}"
    if not gesture.still:
        mouse.up()
    if gesture.play and page.evaluate("() => Boolean(stage.playing)"):
        page.evaluate("() => { stage.stop(); stage.redraw(); }")
    times, changed = np.array(frames).T
    between = np.diff(times)
    return Measured(between[changed[:-1] > 0], between.max())


def pointer_to_pixels(shown, gesture):
    """Milliseconds from pressing, or from moving where pressing changes nothing, to the picture."""
    page, mouse = shown.page, shown.page.mouse
    found = []
    for k in range(PRESSES):
        x, y = start_of(shown, gesture)
        mouse.move(x, y)
        page.wait_for_timeout(100 + 7 * (k % 5))  # so that presses fall on any part of a frame
        page.evaluate("() => { answers.length = 0; }")
        mouse.down()
        away = REACH if k % 2 else -REACH
        mouse.move(x + away, y + away)
        with contextlib.suppress(TimeoutError):  # the hand may be at the end of its way
            page.wait_for_function("() => answers.length", timeout=1000)
            found.append(page.evaluate("() => answers[0]"))
        mouse.up()
    assert len(found) > PRESSES / 2, f"few pictures followed: {gesture.words}"
    return np.array(found)


def opened(shown):
    """Milliseconds from calling the script to its first picture."""
    given = {"given": shown.panel.given(), "values": shown.panel.state()}
    return shown.page.evaluate(OPENED, given)


def rows(browser, name, seconds=SECONDS):
    """Lines of the table."""
    scene = SCENES[name]
    for N in scene.sizes:
        shown = Shown(browser, scene.panel(N))
        opening = f"{opened(shown):.0f}"
        shown.page.evaluate(WATCH)
        for gesture in scene.gestures:
            seen = measure(shown, gesture, seconds)
            median, slowest = seen.rates()
            answer = ""
            if not (gesture.still or gesture.play):
                answer = f"{np.median(pointer_to_pixels(shown, gesture)):.0f}"
            yield (
                f"| {name} | {N} | {gesture.words} | {len(seen.lasted)} | {median:.0f} | "
                f"{slowest:.0f} | {seen.pause:.0f} | {answer} | {opening} |"
            )
            opening = ""
        assert shown.errors == [], shown.errors
        shown.close()


# The heap

ADD = """async ([name, source, given, values]) => {
    const host = document.createElement("div");
    document.querySelector("main").append(host);
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    const stage = (await import(url)).show(host, given, { out() {}, values() {} });
    stage.set(values);
    const draw = stage.draw;
    stage.draw = () => { pictures[name] += 1; draw(); };
    pictures[name] = 0;
    stages.push(stage);
}"""
# Whatever has come to its end begins again; what cannot play has its sliders moved.
KEEP_PLAYING = """() => {
    window.stages = [];
    window.pictures = {};
    let turn = 0;
    setInterval(() => {
        turn += 1;
        for (const stage of stages) {
            if (stage.playing) continue;
            if (stage.play) {
                const again = ["Reset", "Shuffle"];
                [...stage.root.querySelectorAll("button")].find((b) => again.includes(b.textContent))?.click();
                stage.play();
            } else {
                const sliders = stage.root.querySelectorAll("input[type=range]:not(.ukr-past)");
                const slider = sliders[turn % sliders.length];
                slider.value = (7 * turn) % (Number(slider.max) + 1);
                slider.dispatchEvent(new Event("input"));
            }
        }
    }, 100);
}"""  # noqa: E501


def heap(browser, names, minutes):
    """What a page holds while all these play: rows of minutes, kB and DOM nodes; and pictures."""
    page = browser.new_page(viewport={"width": 844, "height": 660 * len(names)})
    failed = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    page.set_content(PAGE)
    page.evaluate(KEEP_PLAYING)
    for name in names:
        panel = getattr(panels, name).example()
        page.evaluate(ADD, [name, joined(panel.script), panel.given(), panel.state()])
        panel.close()
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    samples, begun = [], time.monotonic()
    for k in range(SAMPLES):
        page.wait_for_timeout(
            max(0, 1000 * (begun + 60 * minutes * k / (SAMPLES - 1) - time.monotonic()))
        )
        held = reachable(client)
        metrics = {m["name"]: m["value"] for m in client.send("Performance.getMetrics")["metrics"]}
        samples.append(((time.monotonic() - begun) / 60, held, metrics["Nodes"]))
    pictures = page.evaluate("() => pictures")
    page.close()
    assert failed == [] and min(pictures.values()) > 10, (failed, pictures)
    return np.array(samples), pictures


def reachable(client):
    """kB of what can be reached, from a snapshot of the heap.

    After a collection of garbage, the size of the whole heap still varies by half a megabyte.
    """
    parts = []

    def keep(event):
        parts.append(event["chunk"])

    client.on("HeapProfiler.addHeapSnapshotChunk", keep)
    client.send("HeapProfiler.takeHeapSnapshot", {"reportProgress": False})
    client.remove_listener("HeapProfiler.addHeapSnapshotChunk", keep)
    snapshot = json.loads("".join(parts))
    fields = snapshot["snapshot"]["meta"]["node_fields"]
    nodes = np.reshape(snapshot["nodes"], (-1, len(fields)))
    return nodes[:, fields.index("self_size")].sum() / 1024


def words_of_heap(samples, pictures):
    """The samples as a table, with the median slope of all pairs but those with the first."""
    minutes, held, nodes = samples.T
    pairs = itertools.combinations(range(1, len(minutes)), 2)
    slope = np.median([(held[b] - held[a]) / (minutes[b] - minutes[a]) for a, b in pairs])
    lines = ["| minutes | " + " | ".join(f"{m:.1f}" for m in minutes) + " |"]
    lines.append("|---" * (len(minutes) + 1) + "|")
    lines.append("| heap, kB | " + " | ".join(f"{h:.0f}" for h in held) + " |")
    lines.append("| DOM nodes | " + " | ".join(f"{n:.0f}" for n in nodes) + " |")
    return "\n".join(lines) + (
        f"\n\nMedian slope between two samples after the first: {slope:+.1f} kB a minute. "
        f"{sum(pictures.values())} pictures of {len(pictures)} explorables, at least "
        f"{min(pictures.values())} of each.\n"
    )


HEAD = """# Frames of explorables

`python -m tests.browser.frames`, headless Chromium at 60 Hz without a graphics card, bare pages of
844 pixels, {cores} cores, load {load:.1f}, {date}. Each gesture takes {seconds:.0f} seconds, and only
frames with a changed picture count. *Median a second* and *slowest 1 %* are rates, from the times between
a picture and the next frame. *Longest pause*: the longest time between two frames. *Pointer to pixels*: the
median of {presses}, from the pointerdown event (or the first pointermove event, where pressing changes
nothing) until the changed picture is painted. *Opened*: from calling the script to its first picture.

| explorable | N | gesture | pictures | median a second | slowest 1 % | longest pause ms | pointer to pixels ms | opened ms |
|---|---|---|---|---|---|---|---|---|
"""  # noqa: E501
HEAP_TITLE = "\n## The heap\n"
HEAP = f"""{HEAP_TITLE}
All explorables play on one page. Each sample is the sum of all sizes in a snapshot of the heap,
which holds what can be reached: objects of JavaScript and of the document, typed arrays, and
compiled code.

"""


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.browser.frames")
    parser.add_argument("names", nargs="*", metavar="EXPLORABLE")
    parser.add_argument("--minutes", type=float, default=0, help="of play, for the heap")
    asked = parser.parse_args()
    chosen = [name for name in SCENES if not asked.names or name.split()[0] in asked.names]
    text = HEAD.format(
        cores=os.cpu_count(), load=os.getloadavg()[0], date=datetime.date.today(), seconds=SECONDS,
        presses=PRESSES,
    )  # fmt: skip
    print(text, end="", flush=True)
    with lab.chromium() as browser:
        for name in chosen:
            for row in rows(browser, name):
                print(row, flush=True)
                text += row + "\n"
        if asked.minutes:
            found = HEAP + words_of_heap(*heap(browser, asked.names or EXPLORABLES, asked.minutes))
            print(found, flush=True)
        else:  # what was last measured stays
            _, title, last = TABLE.read_text(encoding="utf-8").partition(HEAP_TITLE)
            found = title + last
        text += found
    if not asked.names:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
