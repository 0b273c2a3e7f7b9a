"""Explorables on a bare page, in a real browser: the hand, the keyboard, the clock, the words."""

import functools
import io
import json
import math
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from tests.browser import lab
from ukrlearn import UKR, datasets, panels
from ukrlearn.blocks import descent
from ukrlearn.blocks.guided import guided
from ukrlearn.panels._explorable import Explorable, joined
from ukrlearn.panels.aggregation import SOFT
from ukrlearn.panels.density_constraint import MOVE
from ukrlearn.panels.label_distance import RAW, SHUFFLED
from ukrlearn.panels.principal_curve import SUM
from ukrlearn.panels.referee import OTHER, TOUR
from ukrlearn.ukr import reconstruction

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Explorable</title>
<body style="margin: 8px"><main><h1>Explorable</h1><div id="host"></div></main>"""
START = """({ given, values }) => {
    const pen = CanvasRenderingContext2D.prototype; // which draws nothing where it gets no numbers
    for (const name of ["moveTo", "lineTo", "arc"]) {
        const draw = pen[name];
        pen[name] = function (...places) {
            if (!places.every(Number.isFinite)) console.error(`${name}(${places})`);
            draw.apply(this, places);
        };
    }
    window.sent = [];
    const link = { out: (out) => sent.push(["out", out]), values: (v) => sent.push(["values", v]) };
    window.stage = show(document.getElementById("host"), given, link);
    stage.set(values);
}"""
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@functools.cache
def _made(name):
    return getattr(panels, name).example()


def example(name):
    """A copy of an example, which fits nothing again."""
    return _made(name).copy()


class Shown:
    """An explorable alone on a page."""

    def __init__(self, browser, panel, width=844, height=800, touch=False):
        self.panel = panel
        self.page = browser.new_page(viewport={"width": width, "height": height}, has_touch=touch)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda m: m.type == "error" and self.errors.append(m.text))
        self.page.set_content(PAGE)
        self.page.add_script_tag(
            type="module", content=joined(panel.script) + "\nwindow.show = show;"
        )
        self.page.wait_for_function("() => window.show")
        self.page.evaluate(START, {"given": panel.given(), "values": panel.state()})
        self.settled()

    def settled(self):
        self.page.evaluate(SETTLED)
        return self

    def close(self):
        self.page.close()
        self.panel.close()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        return self.settled()

    def canvas(self, place=0):
        return self.page.locator("canvas").nth(place)

    def pixels(self, place=0):
        return self.canvas(place).evaluate("canvas => canvas.toDataURL()")

    def words(self):
        """The summary, when it has caught up with the picture."""
        self.page.evaluate("() => { document.querySelector('.ukr-words').textContent = ''; }")
        self.page.evaluate("() => { stage.said = 0; stage.redraw(); }")
        self.page.wait_for_function("() => document.querySelector('.ukr-words').textContent")
        return self.page.locator(".ukr-words").inner_text()

    def pixel_of(self, place, x, y):
        """Where on the page a plot shows (x, y)."""
        box = self.canvas(place).bounding_box()
        across, up = self.page.evaluate(
            "([k, x, y]) => [stage.plots[k].across(x), stage.plots[k].up(y)]", [place, x, y]
        )
        return box["x"] + across, box["y"] + up

    def drag(self, place, start, end, steps=12):
        """Take what lies at a place of a plot to another place, by the mouse."""
        mouse = self.page.mouse
        mouse.move(*self.pixel_of(place, *start))
        mouse.down()
        mouse.move(*self.pixel_of(place, *end), steps=steps)
        mouse.up()
        return self.settled()

    def touch(self, place, start, end, steps=12):
        """Move a finger over a plot."""
        client = self.page.context.new_cdp_session(self.page)
        (a, b), (c, d) = self.pixel_of(place, *start), self.pixel_of(place, *end)
        for k in range(steps + 1):
            at = {"x": a + (c - a) * k / steps, "y": b + (d - b) * k / steps}
            kind = "touchMove" if k else "touchStart"
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
        client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        client.detach()
        return self.settled()

    def rested(self):
        """With nothing left to compute."""
        self.settled().page.wait_for_function("() => !stage.frame")
        return self

    def agrees(self, *states):
        """Whether the words are those of the library in each of these states."""
        for values in states:
            self.panel.reset().set(**values)
            self.page.evaluate("(v) => { stage.reset(); stage.set(v); }", values)
            assert self.rested().words() == self.panel.summary(), values
        return True

    def out(self):
        """What the page has told the kernel last."""
        told = self.page.evaluate("() => sent.filter(([kind]) => kind === 'out').at(-1)?.[1]")
        return told


@pytest.fixture
def explore(browser):
    shown = []

    def opened(name, **size):
        shown.append(Shown(browser, example(name), **size))
        return shown[-1]

    yield opened
    for one in shown:
        errors = one.errors
        one.close()
        assert errors == []


EXPLORABLES = [
    name
    for name in panels.__all__
    if isinstance(made := getattr(panels, name), type)
    and issubclass(made, Explorable)
    and made is not Explorable
]


@pytest.mark.parametrize("name", EXPLORABLES)
def test_an_explorable_is_accessible_fits_and_obeys_values_from_the_kernel(explore, name):
    shown = explore(name)
    box = shown.page.locator(".ukr").bounding_box()
    assert box["height"] <= 640 and box["width"] <= 844
    visible = shown.page.locator(".ukr-controls label:visible")
    assert visible.count() <= 2, "further controls stand behind More controls"
    for slider in shown.page.locator("input[type=range]").all():
        assert slider.get_attribute("aria-valuetext")
    found = Axe().run(shown.page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
    keys = set(shown.page.evaluate("() => Object.keys(stage.values)"))
    assert keys == set(shown.panel.state())
    for key, control in shown.panel._controls.items():
        for value in getattr(control, "options", None) or [control.value]:
            shown.page.evaluate("(values) => stage.set(values)", {key: value})
            shown.settled()
            there = shown.page.evaluate("() => stage.values")[key]
            assert there == pytest.approx(value) if isinstance(value, float) else there == value
    assert len(shown.words().split()) > 4


class TestUntangle:
    def test_the_curve_finds_the_order_while_one_watches(self, explore):
        shown = explore("Untangle")
        assert "order recovered: 0." in shown.words()
        shown.press("Untangle")
        words = "parseInt(document.querySelector('.ukr-words').textContent)"
        shown.page.wait_for_function(f"() => {words} >= 20")
        assert float(shown.words().split("order recovered: ")[1].split()[0]) > 0.9
        X = shown.out()["X"]
        shown.panel._view.out = shown.out()
        assert shown.panel.X.shape == (len(X), 1)
        assert "order recovered: 0.9" in shown.panel.summary()

    def test_no_move_is_too_long_to_be_watched_and_each_shuffle_ends_in_a_clean_spiral(
        self, explore
    ):
        shown = explore("Untangle")
        dots = "stage.plots[1].handles.points.data"  # latent coordinate and true place, in turn
        spread = f"() => {dots}.reduce((s, x, k) => s + (1 - (k % 2)) * x * x, 0)"
        steps = """(number) => {
            const all = [...document.querySelectorAll("button")];
            const button = all.find((one) => one.textContent === "One step");
            for (let k = 0; k < number; k++) button.click();
        }"""
        error = lambda: float(shown.words().split("error ")[1].split(";")[0])
        for _ in range(2):
            before = shown.page.evaluate(spread)
            for _ in range(10):
                shown.press("One step")
                after = shown.page.evaluate(spread)
                assert after < 1.301**2 * before
                before = after
            shown.page.evaluate(steps, 30)
            shown.settled()
            tangled = error()
            shown.page.evaluate(steps, 230)
            shown.settled()
            assert error() < min(0.0011, 0.5 * tangled)  # .0009 from the true order
            shown.press("Shuffle")

    def test_a_point_follows_the_hand_and_the_arrow_keys(self, explore):
        shown = explore("Untangle")
        start = shown.panel.points[7]
        shown.drag(0, start, (0.1, 0.1))
        moved = shown.out()["Y"][14:16]
        assert moved == pytest.approx([0.1, 0.1], abs=0.03)
        canvas = shown.canvas(0)
        canvas.focus()
        before = shown.pixels()
        canvas.press("ArrowRight")
        shown.settled()
        assert shown.pixels() != before
        canvas.press("n")
        shown.settled()
        assert json.dumps(shown.page.evaluate("() => stage.plots[0].focused")) == "8"

    def test_the_error_is_that_of_the_chosen_bandwidth(self, explore):
        shown = explore("Untangle")
        shown.page.evaluate("() => stage.set({ bandwidth: 0.3 })")
        wanted = shown.panel.set(bandwidth=0.3).summary().split(";")[0]
        assert wanted in shown.words()

    def test_the_kernel_can_put_points(self, explore):
        shown = explore("Untangle")
        order = sorted(range(len(shown.panel.points)), key=lambda n: shown.panel._t[n])
        X = [0.0] * len(order)
        for place, n in enumerate(order):
            X[n] = place / 3
        shown.page.evaluate("(X) => stage.put({ X: X.map((x) => [x]) })", X)
        assert "order recovered: 1.000 of 1" in shown.words()


class TestBandwidth:
    def test_errors_and_score_are_those_of_the_library(self, explore):
        shown = explore("Bandwidth")
        plain, cv = shown.panel.errors(shown.panel.state()["bandwidth"])
        least = shown.panel._errors[:, 1].min()
        words = shown.words()
        assert f"R = {plain:.4f}, leave-one-out error R_cv = {cv:.4f}." in words
        assert f"The score to beat is {least:.4f}, the least R_cv of 121 bandwidths" in words
        assert shown.panel.summary().partition("Point 20")[2].partition(" The score")[0] in words

    def test_the_words_say_when_the_score_is_near_or_beaten(self, explore):
        shown = explore("Bandwidth")
        assert "at 2.4 times as much" in shown.words()
        h = shown.panel._bandwidths[shown.panel._errors[:, 1].argmin()]
        shown.page.evaluate("(bandwidth) => stage.set({ bandwidth })", h)
        assert "You have beaten the score" in shown.words()
        shown.page.evaluate("(bandwidth) => stage.set({ bandwidth })", 1.15 * h)
        assert "Well chosen: only " in shown.words()

    def test_a_dragged_point_takes_curve_errors_and_kernel_along(self, explore):
        shown = explore("Bandwidth")
        before = shown.words(), shown.pixels(0)
        shown.drag(0, shown.panel.points[9], (0.5, 0.9))
        points = shown.out()["points"]
        assert points[::2] == sorted(points[::2])
        n = min(range(40), key=lambda n: abs(points[2 * n] - 0.5))
        assert points[2 * n : 2 * n + 2] == pytest.approx([0.5, 0.9], abs=0.03)
        assert shown.page.evaluate("() => stage.values.point") == n + 1  # the same point
        assert shown.words() != before[0] and shown.pixels(0) != before[1]
        shown.panel._view.out = shown.out()
        shown.panel._view.values = shown.page.evaluate("() => stage.values")
        assert shown.panel.summary().split(" The score")[0].split("Point")[1] in shown.words()

    def test_strokes_draw_and_erase_and_keys_do_both(self, explore):
        shown = explore("Bandwidth")
        shown.press("Draw").drag(0, (0.25, -0.9), (0.35, -0.9))
        more = len(shown.out()["points"]) // 2
        assert more > 42
        shown.press("Erase").drag(0, (0.25, -0.9), (0.35, -0.9))
        assert len(shown.out()["points"]) // 2 == 40
        shown.press("Erase")
        canvas = shown.canvas(0)
        canvas.press("a")
        assert len(shown.out()["points"]) // 2 == 41
        canvas.press("Delete")
        assert len(shown.out()["points"]) // 2 == 40
        for _ in range(45):
            canvas.press("Delete")
        assert len(shown.out()["points"]) // 2 == 2, "two points stay"
        assert "nan" not in shown.words().lower()
        shown.press("Reset")
        assert shown.out()["points"] == pytest.approx(shown.panel.points.ravel().tolist())

    def test_weights_are_those_at_the_pointer_and_the_error_can_be_dragged(self, explore):
        shown = explore("Bandwidth")
        shown.page.mouse.move(*shown.pixel_of(1, 0.25, 0.5))
        assert "At x = 0.2" in shown.words()
        cv = shown.panel.errors(shown.panel.state()["bandwidth"])[1]
        shown.drag(2, (math.log10(shown.panel.state()["bandwidth"]), math.log10(cv)), (-2, 0))
        assert shown.page.evaluate("() => stage.values.bandwidth") == pytest.approx(0.01, rel=0.1)


class TestGradient:
    def test_forces_and_differences_are_those_of_the_library(self, explore):
        shown = explore("Gradient")
        said = shown.panel.summary().split(" Differences")[0]
        assert said in shown.words()
        off = float(shown.words().split("deviate by ")[1].split(" of")[0])
        assert off < 1e-7
        for part in ("its own reconstruction, Q", "helping the others, transposed Q"):
            shown.page.get_by_label("forces", exact=True).select_option(part)
            wanted = shown.panel.set(addends=part).summary().split(" Differences")[0]
            assert wanted in shown.words()
        shown.page.evaluate("() => stage.set({ step: 1 })")
        assert float(shown.words().split("deviate by ")[1].split(" of")[0]) > 1e-3

    def test_a_hand_lowers_the_error_and_rprop_goes_on_from_there(self, explore):
        shown = explore("Gradient")
        panel, n = shown.panel, shown.panel.state()["point"]
        start = panel.X[n]
        downhill = -panel._gradients[True][n]
        goal = start + 0.5 * downhill / np.linalg.norm(downhill)
        shown.drag(0, start, goal)
        X = np.reshape(shown.out()["X"], (-1, 2))
        np.testing.assert_allclose(X[n], goal, atol=0.1)
        np.testing.assert_array_equal(np.delete(X, n, axis=0), np.delete(panel.X, n, axis=0))
        error = reconstruction.reconstruction_error(X, panel._Y)[0]
        assert shown.out()["error"] == pytest.approx(error, rel=1e-9)
        assert error < panel._errors[True]
        by_hand = panel._errors[True] - error
        said = f"Your hand has lowered it by {by_hand:.3g} in 1 move."
        assert said in shown.words()
        for _ in range(5):
            shown.press("One step")
        steps = descent.rprop(functools.partial(reconstruction.reconstruction_error, Y=panel._Y), X)
        wanted = [step.error for step in descent.at_most(steps, 5)][-1]
        assert f"Error R_cv = {wanted:.4g}" in shown.words() and said in shown.words()
        assert "RPROP has lowered it by" in shown.words() and "in 5 moves" in shown.words()
        shown.press("Reset")
        np.testing.assert_array_equal(np.reshape(shown.out()["X"], (-1, 2)), panel.X)

    def test_keys_choose_and_move_a_point_and_the_kernel_can_put_others(self, explore):
        shown = explore("Gradient")
        canvas = shown.canvas(0)
        canvas.focus()
        n = shown.panel.state()["point"]
        canvas.press("n")
        assert shown.page.evaluate("() => stage.values.point") == n + 1
        canvas.press("Shift+ArrowUp")
        X = np.reshape(shown.out()["X"], (-1, 2))
        assert X[n + 1, 1] > shown.panel.X[n + 1, 1] and X[n + 1, 0] == shown.panel.X[n + 1, 0]
        shown.page.evaluate("(X) => stage.put({ X })", (2 * shown.panel.X).tolist())
        error = reconstruction.reconstruction_error(2 * shown.panel.X, shown.panel._Y)[0]
        assert shown.words().startswith(f"Error R_cv = {error:.4g}. Point")


def played(shown, name):
    """Press a button that plays, and take all steps at once."""
    shown.press(name)
    shown.page.evaluate("() => { while (stage.playing()); stage.stop(); }")
    return shown.settled()


class TestDrawData:
    def test_a_curve_is_fitted_to_what_is_there_and_its_numbers_are_the_library_s(self, explore):
        shown = explore("DrawData")
        assert "40 points. No curve yet." in shown.words()
        played(shown, "Fit a curve")
        assert "Order of drawing recovered: 1.00" in shown.words() or "0.99" in shown.words()
        X = np.reshape(shown.out()["X"], (-1, 1))
        error = reconstruction.reconstruction_error(X, shown.panel.points)[0]
        assert shown.out()["error"] == pytest.approx(error, rel=1e-9) and error < 0.004
        shown.panel._view.out = shown.out()
        assert shown.panel.summary() == shown.words()
        shown.page.mouse.move(*shown.pixel_of(0, 0.3, 0.3))
        assert "The pointer is projected to x = " in shown.words()
        right = shown.canvas(1)
        right.press("ArrowRight")
        at = float(shown.words().split(" At x = ")[1].split(", ")[0])
        right.press("Shift+ArrowRight")
        there = float(shown.words().split(" At x = ")[1].split(", ")[0])
        assert there - at == pytest.approx(0.05 * np.ptp(X), abs=0.02)

    def test_a_stroke_makes_points_and_a_point_after_the_fit_is_projected(self, explore):
        shown = explore("DrawData")
        shown.press("Clear").drag(0, (-0.8, -0.5), (0.8, 0.5))
        points = np.reshape(shown.out()["points"], (-1, 2))
        assert 15 < len(points) < 60 and np.abs(points[:, 1] - 0.625 * points[:, 0]).max() < 0.12
        shown.drag(0, (0.8, 0.5), (0.2, 0.9))
        played(shown, "Fit a curve")
        before = shown.out()
        x, y = before["points"][16:18]
        shown.page.mouse.click(*shown.pixel_of(0, x, y))
        after = shown.out()
        assert len(after["X"]) == len(before["X"]) + 1
        away = abs(after["X"][-1] - before["X"][8]) / np.ptp(before["X"])
        assert away < 0.15, "the new point is beside the point that it was drawn on"
        shown.panel._view.out = after
        np.testing.assert_array_equal(shown.panel.points.ravel(), after["points"])

    def test_a_finger_draws_and_erases_and_few_points_are_no_curve(self, explore):
        shown = explore("DrawData", touch=True)
        shown.press("Clear").touch(0, (-0.5, 0.2), (0.5, 0.2))
        assert len(shown.out()["points"]) > 16
        shown.press("Erase").touch(0, (-0.6, 0.2), (0.6, 0.2))
        assert shown.out()["points"] == []
        assert "There are no points yet." in shown.words()
        shown.canvas(0).press("a")
        shown.press("Fit a curve")
        assert "1 point. No curve yet. A curve needs at least 4." in shown.words()

    def test_the_result_of_the_estimator_comes_back(self, explore):
        shown = explore("DrawData")
        model = UKR(n_components=1).fit(shown.panel.points)
        put = {"points": shown.panel.points.tolist(), "X": model.embedding_.tolist()}
        shown.page.evaluate("(things) => stage.put(things)", put)
        assert f"Leave-one-out error {model.cv_error_:.3g}" in shown.words()


class TestAggregation:
    @pytest.mark.parametrize("values", [{}, {"nu": 2.5}, {"l": 5}, {"seed": 41, "nu": 0.3}])
    def test_the_page_says_what_the_library_says(self, explore, values):
        shown = explore("Aggregation")
        shown.panel.set(**values)
        shown.page.evaluate("(values) => stage.set(values)", shown.panel.state())
        assert shown.words() == shown.panel.summary()

    def test_arrows_and_words_follow_the_hand_and_the_kernel_learns_of_it(self, explore):
        shown = explore("Aggregation")
        shown.page.evaluate("() => stage.set({ nu: 2 })")
        shown.panel.set(nu=2)
        before = shown.settled().pixels(1), shown.pixels(2)
        n = 5
        shown.drag(0, shown.panel.X[n], (0.9, -0.9))
        assert shown.pixels(1) != before[0] and shown.pixels(2) != before[1]
        shown.panel._view.out = shown.out()
        assert shown.panel.X[n] == pytest.approx([0.9, -0.9], abs=0.03)
        assert shown.panel.summary().startswith("Moved from seed 3, ν = 2: ")
        assert shown.words() == shown.panel.summary()
        canvas = shown.canvas(1)
        canvas.focus()
        canvas.press("n")
        canvas.press("ArrowUp")
        moved = np.reshape(shown.out()["X"], (-1, 2)) - shown.panel.X
        assert np.flatnonzero(moved.any(axis=1)).size == 1 and moved[:, 1].max() > 0

    def test_moving_takes_the_guided_steps_of_the_library(self, explore):
        shown = explore("Aggregation")
        shown.page.emulate_media(reduced_motion="reduce")
        shown.panel.set(nu=3)
        shown.page.evaluate("() => stage.set({ nu: 3 })")
        for _ in range(3):
            shown.press("One move")
        guide = shown.panel.filter(3, 2, SOFT)
        steps = guided(descent.gradient_descent, [guide] * 5)(shown.panel._objective, shown.panel.X)
        *_, last = descent.at_most(steps, 3)
        wanted = last.X
        np.testing.assert_allclose(np.reshape(shown.out()["X"], (-1, 2)), wanted, atol=1e-4)

    def test_shaking_takes_the_next_start_and_reset_the_first(self, explore):
        shown = explore("Aggregation")
        first = shown.pixels(0)
        shown.press("Shake")
        shown.page.wait_for_function("() => !stage.playing")
        told = shown.page.evaluate("() => sent.at(-1)")
        assert told[0] == "values" and told[1]["seed"] == 4
        shown.panel._view.values = told[1]
        assert shown.words() == shown.panel.summary()
        assert shown.pixels(0) != first
        shown.press("Reset")
        assert shown.words().startswith("Seed 3, ν = 0: 36.0 of 36")
        assert shown.pixels(0) == first

    def test_the_kernel_can_put_points(self, explore):
        shown = explore("Aggregation")
        X = shown.panel.start(9)
        shown.panel.put(X=X)
        shown.page.evaluate("(put) => stage.put(put)", shown.panel._view.put)
        assert shown.words() == shown.panel.summary()
        shown.page.evaluate("() => stage.set({ seed: 8 })")
        assert shown.words() == shown.panel.set(seed=8).summary()
        shown.page.evaluate("() => stage.set({ seed: 3 })")
        assert shown.words() == shown.panel.set(seed=3).summary()
        shown.panel.reset()
        shown.page.evaluate("(put) => stage.put(put)", shown.panel._view.put)
        assert shown.words() == shown.panel.summary()

    def test_a_picture_that_is_shown_again_has_the_points_of_the_hand(self, explore):
        shown = explore("Aggregation")
        shown.page.evaluate("() => stage.set({ seed: 7 })")
        shown.panel.set(seed=7)
        shown.drag(0, shown.panel.X[3], (1.0, 1.0))
        shown.panel._view.out = shown.out()
        words = shown.words()
        again = """({ given, values, out }) => {
            stage.close();
            window.stage = show(document.getElementById("host"), given, { out() {}, values() {} });
            if (out) stage.put(out);
            stage.set(values);
        }"""
        given, values = shown.panel.given(), shown.panel.state()
        without = {**given, "moved": None}
        for what in ({"given": given}, {"given": without, "out": shown.out()}):
            shown.page.evaluate(again, {**what, "values": values})
            assert shown.words() == words == shown.panel.summary()

    def test_the_kernel_hears_of_a_reset(self, explore):
        shown = explore("Aggregation")
        shown.drag(0, shown.panel.X[3], (1.0, 1.0))
        shown.panel._view.out = shown.out()
        assert shown.panel.summary().startswith("Moved")
        shown.press("Reset")
        shown.panel._view.out = shown.out()
        assert shown.words() == shown.panel.summary()


class TestGaussNewton:
    @pytest.mark.parametrize(
        "values",
        [
            {},
            {"frame": 2},
            {"frame": 3, "method": "Newton", "x1": 0.3, "x2": -0.3},
            {"frame": 4, "method": "gradient descent", "point": 7},
            {"frame": 5, "method": "fixed point", "offset": -0.4},
        ],
    )
    def test_the_page_says_what_the_library_says(self, explore, values):
        shown = explore("GaussNewton")
        shown.panel.set(**values)
        shown.page.evaluate("(values) => stage.set(values)", shown.panel.state())
        assert shown.words() == shown.panel.summary()

    def test_all_four_paths_follow_a_start_that_is_dragged(self, explore):
        shown = explore("GaussNewton")
        shown.page.evaluate("() => stage.set({ frame: 6 })")
        before = [shown.settled().pixels(k) for k in range(3)]
        shown.drag(0, (0.0, -0.28), (-0.3, 0.4))
        assert all(shown.pixels(k) != was for k, was in enumerate(before))
        told = shown.page.evaluate("() => sent.at(-1)[1]")
        assert (told["x1"], told["x2"]) == pytest.approx((-0.3, 0.4), abs=0.01)
        shown.panel._view.values = told
        assert without_slope(shown.words()) == without_slope(shown.panel.summary())
        canvas = shown.canvas(0)
        canvas.press("ArrowLeft")
        assert shown.page.evaluate("() => sent.at(-1)[1].x1") < told["x1"]
        for _ in range(150):
            canvas.press("Shift+ArrowLeft")
        assert shown.page.evaluate("() => stage.values.x1") == shown.panel._low[0]

    def test_the_data_point_is_dragged_to_others_and_arrow_keys_take_it_to_the_next(self, explore):
        shown = explore("GaussNewton")
        X = shown.panel._X
        shown.drag(0, X[120], X[30])
        told = shown.page.evaluate("() => sent.at(-1)[1]")
        assert told["point"] == 30
        shown.panel._view.values = told
        assert shown.words() == shown.panel.summary()
        shown.canvas(0).press("ArrowUp")
        point = shown.page.evaluate("() => sent.at(-1)[1].point")
        across, along = X[point] - X[30]
        assert along > 0 and abs(across) <= along
        shown.press("Reset")
        assert shown.page.evaluate("() => sent.at(-1)[1]") == shown.panel.reset().state()

    def test_playing_steps_to_the_end_and_stepping_goes_on_by_one(self, explore):
        shown = explore("GaussNewton")
        shown.press("One step")
        assert "Gauss-Newton, step 1: " in shown.words()
        shown.page.evaluate("() => stage.set({ frame: 28 })")
        shown.press("Play")
        shown.page.wait_for_function("() => !stage.playing")
        assert shown.page.evaluate("() => stage.values.frame") == 30

    def test_the_sheet_turns_by_hand_and_by_keys(self, explore):
        shown = explore("GaussNewton")
        first = shown.pixels(1)
        shown.drag(1, (0.0, 0.0), (0.4, 0.2))
        second = shown.pixels(1)
        shown.canvas(1).press("ArrowLeft")
        assert len({first, second, shown.settled().pixels(1)}) == 3


def without_slope(words):
    """|∇E| is rounding noise at a minimum."""
    return re.sub(r"\|∇E\| = [^;]*", "", words)


class TestReferee:
    def judged(self, shown):
        """The words, when the judges are done."""
        while "at work" in (words := shown.words()):
            pass
        return words

    def assert_same(self, words, wanted):
        number = r"-?\d+\.?\d*"
        assert re.sub(number, "#", words) == re.sub(number, "#", wanted)
        came, there = (np.array(re.findall(number, text), float) for text in (words, wanted))
        np.testing.assert_allclose(came, there, rtol=5e-3, atol=1.01e-4)

    @pytest.mark.parametrize("damage", ["fold", "tear", "stretch", "blur"])
    def test_the_page_says_what_the_library_says(self, explore, damage):
        shown = explore("Referee")
        shown.panel.set(damage=damage, amount=0.35).put(brushed=[3, 40, 41])
        shown.page.evaluate("(values) => stage.set(values)", shown.panel.state())
        shown.page.evaluate("(put) => stage.put(put)", shown.panel._view.put)
        self.assert_same(self.judged(shown), shown.panel.summary())

    def test_another_embedding_is_judged_as_in_the_library(self, browser):
        example = panels.Referee.example()
        other = example._X**2 @ [[1.0, 0.3], [0.0, 2.0]]
        shown = Shown(browser, panels.Referee(example._X, example._Y, other))
        example.close()
        shown.panel.set(damage=OTHER, amount=1).put(brushed=[3, 40])
        shown.page.evaluate("(values) => stage.set(values)", shown.panel.state())
        shown.page.evaluate("(put) => stage.put(put)", shown.panel._view.put)
        self.assert_same(self.judged(shown), shown.panel.summary())
        shown.close()
        assert shown.errors == []

    def test_a_button_lays_a_tour_on_a_line_which_the_second_way_betrays(self, explore):
        shown = explore("Referee")
        shown.press("Tour")
        shown.panel.set(damage=TOUR, amount=1.0)
        self.assert_same(self.judged(shown), shown.panel.summary())
        back, forth = list(shown.panel.losses(TOUR, 1.0).values())[2:]
        assert forth > 5 * list(shown.panel.losses(TOUR, 0.0).values())[3] and forth > back

    def test_points_brushed_in_one_picture_are_marked_in_the_other(self, explore):
        shown = explore("Referee")
        shown.page.evaluate("() => stage.set({ amount: 1 })")
        self.judged(shown)
        before = shown.settled().pixels(0), shown.pixels(1)
        X = shown.panel._X
        shown.drag(0, X[4] - (0.2, 0), X[4] + (0.2, 0))
        assert shown.pixels(0) != before[0] and shown.pixels(1) != before[1]
        brushed = shown.out()["brushed"]
        assert 4 in brushed
        near = np.abs(X[brushed] - X[4])
        assert near[:, 0].max() < 0.9 and near[:, 1].max() < 0.4
        shown.panel._view.out = shown.out()
        shown.panel.set(amount=1.0)
        self.assert_same(self.judged(shown), shown.panel.summary())
        shown.press("Clear brush")
        assert shown.out()["brushed"] == [] and "Brushed" not in shown.words()

    def test_arrow_keys_move_a_brush_and_escape_clears_it(self, explore):
        shown = explore("Referee")
        canvas = shown.canvas(1)
        canvas.focus()
        for _ in range(4):
            canvas.press("Shift+ArrowRight")
        assert len(shown.out()["brushed"]) > 1
        canvas.press("Escape")
        assert shown.out()["brushed"] == []

    def test_the_judges_work_a_little_in_each_frame(self, explore):
        shown = explore("Referee")
        self.judged(shown)
        steps = shown.page.evaluate(
            """() => new Promise((done) => {
                const [steps, draw] = [[], stage.draw];
                let clock = 0; // goes on by 1 ms whenever the judges look at it: after each step
                performance.now = () => clock++;
                stage.draw = () => {
                    const before = clock;
                    draw();
                    steps.push(clock - before);
                };
                stage.set({ damage: "tear", amount: 1 });
                const tick = () => {
                    if (stage.frame) return requestAnimationFrame(tick);
                    delete performance.now;
                    done(steps);
                };
                requestAnimationFrame(tick);
            })"""
        )
        assert max(steps) <= 5 and len(steps) > 25
        assert "tear, amount 1.00. 1 - trust" in shown.words()


IN_LAB = """import numpy as np
from ukrlearn.panels import Untangle
panel = Untangle.example()
before = panel.points.copy()
panel"""


def test_in_jupyterlab_the_hand_reaches_the_kernel_and_the_kernel_the_page(reader, course):
    lab.write_notebook(course / "untangle.ipynb", IN_LAB)
    reader.open("untangle.ipynb", width=1280, height=900).run_all()
    page = reader.page
    canvas = page.locator(".jp-OutputArea-output .ukr canvas").first
    canvas.wait_for()
    reader.settled()
    canvas.scroll_into_view_if_needed()
    canvas.focus()
    for _ in range(5):
        canvas.press("ArrowUp")  # the first point; a key tells the kernel as a release does
    page.locator(".ukr button", has_text="Shuffle").click()
    reader.run_at_the_end("print('moved', np.abs(panel.points - before).max() > 0.05)").settled()
    assert "moved True" in "\n".join(page.locator(".jp-OutputArea-output").all_inner_texts())
    ordered = "panel.put(X=panel._t[:, None] * 100).set(bandwidth=1.5).state()['bandwidth']"
    reader.run_at_the_end(ordered).settled()
    words = page.locator(".ukr-words").filter(has_text="order recovered: 1.000")
    words.wait_for()
    assert page.get_by_label("bandwidth").first.get_attribute("aria-valuetext").startswith("1.5")


KERNEL = """async (act) => {
    const context = window.jupyterapp.shell.currentWidget.sessionContext;
    if (act === "restart") await context.session.kernel.restart();
    else if (act === "stop") await context.shutdown();
    else await context.changeKernel({ name: "python3" });
    await context.ready;
}"""


def test_in_jupyterlab_a_picture_outlives_its_kernel(reader, course):
    lab.write_notebook(course / "outlives.ipynb", IN_LAB)
    reader.open("outlives.ipynb", width=1280, height=900).run_all()
    page = reader.page
    canvas = page.locator(".jp-OutputArea-output .ukr canvas").first
    canvas.wait_for()
    pixels = "canvas => canvas.toDataURL()"
    panel = panels.Untangle.example()
    point, reach = panel.points[150], 1.12 * np.abs(panel.points).max()
    panel.close()
    for k, act in enumerate(("restart", "stop", "another")):
        page.evaluate(KERNEL, act)
        canvas.scroll_into_view_if_needed()
        before = canvas.evaluate(pixels)
        box = canvas.bounding_box()
        left, top, right, bottom = 46, 26, box["width"] - 10, box["height"] - 38  # the axes
        unit = min(right - left, bottom - top) / (2 * reach)
        x = box["x"] + (left + right) / 2 + unit * point[0] + 30 * k
        y = box["y"] + (top + bottom) / 2 - unit * point[1]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 30, y, steps=4)
        page.mouse.up()
        page.evaluate(SETTLED)
        dragged = canvas.evaluate(pixels)
        assert dragged != before, f"after {act}, a point does not follow the hand"
        canvas.press("Shift+ArrowUp")
        canvas.press("Shift+ArrowDown")
        page.locator(".ukr button", has_text="One step").click()
        page.evaluate(SETTLED)
        assert canvas.evaluate(pixels) != dragged, f"after {act}, the curve stands still"
    assert re.match(r"\d+ moves\. Leave-one-out", page.locator(".ukr-words").first.inner_text())
    reader.settled()
    thrown = reader.errors()  # what JupyterLab had asked of a kernel that went is canceled
    assert [error for error in thrown if "Canceled future for " not in error] == []


def sheet_of_images(Y, across, name="sheet.png"):
    """A file with the images of twos side by side, dark on white, as Playwright takes files."""
    rows = [np.hstack(Y[k : k + across].reshape(-1, 8, 8)) for k in range(0, len(Y), across)]
    ink = np.kron(np.vstack(rows), np.ones((4, 4)))
    file = io.BytesIO()
    Image.fromarray(np.uint8(255 - 255 * ink / ink.max())).save(file, "png")
    return {"name": name, "mimeType": "image/png", "buffer": file.getvalue()}


class TestLatentExplorer:
    def test_images_of_the_reader_get_a_map_of_their_own(self, explore):
        shown = explore("LatentExplorer")
        page, first = shown.page, shown.words()
        page.get_by_text("More controls").click()
        files, across = page.locator("input[type=file]"), page.locator("input[type=number]")
        sheet = sheet_of_images(shown.panel._Y[:24], 6)
        equal = sheet_of_images(np.repeat(shown.panel._Y[:1], 24, axis=0), 6)
        refused = {
            "not a picture": ({"name": "a.png", "mimeType": "image/png", "buffer": b"no"}, 6),
            "these are 2": (sheet_of_images(shown.panel._Y[:2], 2), 2),
            "All of these images are equal": (equal, 6),
            "whole number from 1 to 100": (sheet, 0),
        }
        for why, (file, number) in refused.items():
            across.fill(str(number))
            files.set_input_files(file)
            page.get_by_text(why).wait_for()
        told = len(page.evaluate("() => sent"))
        across.fill("6")
        files.set_input_files(sheet)
        back = page.get_by_role("button", name="First images")
        back.wait_for()
        assert page.locator(".ukr").count() == 1
        page.locator(".ukr-words", has_text="Your 24 images. Position (").wait_for()
        shown.canvas(0).press("ArrowRight")
        assert len(page.evaluate("() => sent")) == told, "Python hears nothing of them"
        back.click()
        page.locator(".ukr-words", has_text=first[:20]).wait_for()
        page.evaluate("() => stage.close()")
        assert page.locator(".ukr").count() == 0

    def test_the_image_under_the_pointer_has_the_numbers_of_the_library(self, explore):
        shown = explore("LatentExplorer")
        assert shown.words() == shown.panel.summary()
        shown.page.mouse.move(*shown.pixel_of(0, -2.0, 1.5))
        words = shown.words()
        values = shown.page.evaluate("() => stage.values")
        assert values == pytest.approx({"x1": -2.0, "x2": 1.5}, abs=0.05)
        assert words == shown.panel.set(**values).summary()
        shown.page.mouse.click(*shown.pixel_of(0, -2.0, 1.5))  # holds the position
        shown.page.mouse.move(*shown.pixel_of(0, 2.0, -1.5))
        assert shown.settled().page.evaluate("() => stage.values") == pytest.approx(values)

    def test_a_drawn_path_is_walked_and_told(self, explore):
        shown = explore("LatentExplorer")
        shown.drag(0, (-4.0, 2.0), (3.0, 2.5))
        path = shown.out()["path"]
        assert path[0] == pytest.approx([-4, 2], abs=0.1)
        assert path[-1] == pytest.approx([3, 2.5], abs=0.6) and len(path) > 5
        shown.page.wait_for_function("() => stage.values.x1 < -3.5")  # back at the beginning
        shown.page.wait_for_function("() => stage.values.x1 > -3")
        shown.panel._view.out = shown.out()
        assert shown.panel.path.tolist() == path
        shown.press("Pause")
        before = shown.page.evaluate("() => stage.values")
        shown.press("Step")
        assert shown.page.evaluate("() => stage.values.x1") > before["x1"]

    def test_keys_move_draw_and_walk(self, explore):
        shown = explore("LatentExplorer")
        canvas, start = shown.canvas(0), shown.panel.state()
        canvas.focus()
        canvas.press("Enter")
        for key in ("Shift+ArrowRight", "Shift+ArrowUp", "ArrowUp"):
            canvas.press(key)
        stride = shown.panel._stride
        wanted = [start["x1"] + stride[0], start["x2"] + 1.25 * stride[1]]
        assert shown.page.evaluate("() => Object.values(stage.values)") == pytest.approx(wanted)
        canvas.press("Enter")
        assert shown.out()["path"] == [pytest.approx(list(start.values())), pytest.approx(wanted)]
        canvas.press("w")
        shown.page.wait_for_function("([x]) => Math.abs(stage.values.x1 - x) < 0.4", arg=wanted[:1])
        canvas.press("Escape")
        assert shown.out()["path"] == []
        before = shown.pixels(0)
        shown.page.evaluate("(path) => stage.put({ path })", [wanted, [0, 0]])
        assert shown.settled().pixels(0) != before


class TestRescueTheRoll:
    def test_play_runs_through_the_rounds_of_the_library(self, explore):
        shown = explore("RescueTheRoll")
        assert shown.words() == shown.panel.summary()
        shown.press("Play")
        shown.page.wait_for_function("() => stage.values.frame === 6 && !stage.playing")
        assert shown.words() == shown.panel.set(frame=6).summary()
        shown.press("Step")  # begins again
        shown.page.wait_for_function("() => stage.values.frame === 1")

    def test_a_point_is_marked_in_both_pictures_with_its_error(self, explore):
        shown = explore("RescueTheRoll")
        before = shown.pixels(0), shown.pixels(1)
        shown.page.mouse.move(*shown.pixel_of(0, *shown.panel.start(20)[5]))
        words = shown.words()
        n = int(words.split(" Point ")[1].split(",")[0])
        error = shown.panel.errors()[n]
        assert f"Point {n}, ringed, is {error:.1f} from its true place" in words
        assert shown.pixels(0) != before[0] and shown.pixels(1) != before[1]
        shown.page.wait_for_function("() => sent.some(([kind]) => kind === 'out')")
        assert shown.out() == {"point": n}

    def test_defects_come_the_worst_first_by_button_and_key(self, explore):
        shown = explore("RescueTheRoll")
        worst = shown.panel.errors().argsort()[::-1]
        shown.press("Next defect")
        assert f"Point {worst[0]}, ringed" in shown.words()
        for plot in (0, 1):
            shown.canvas(plot).press("n")
        assert f"Point {worst[2]}, ringed" in shown.words()
        shown.canvas(1).press("p")
        assert f"Point {worst[1]}, ringed" in shown.words()
        before = shown.pixels(0), shown.pixels(1)
        shown.canvas(1).press("ArrowLeft")
        assert shown.settled().pixels(0) == before[0] and shown.pixels(1) != before[1]
        turned = shown.pixels(1)
        shown.drag(1, (0, 0), (8, 3))
        assert shown.pixels(1) != turned

    def test_the_page_asks_the_kernel_for_runs_that_it_lacks(self, explore):
        shown = explore("RescueTheRoll")
        shown.page.evaluate("() => stage.set({ noise: 35, frame: 4 })")
        assert "Python computes the rounds of these settings" in shown.words()
        shown.panel._view.out = shown.out()
        shown.page.evaluate("(put) => stage.put(put)", shown.panel._view.put)
        assert shown.words() == shown.panel.set(noise=35, frame=4).summary()


class TestHomotopy:
    def test_points_grow_out_of_one_place_stage_by_stage(self, explore):
        shown = explore("Homotopy")
        assert shown.words() == shown.panel.summary()
        shown.press("Play")
        shown.page.wait_for_function("() => stage.values.stage > 1")
        shown.press("Pause")
        values = shown.page.evaluate("() => stage.values")
        assert values["stage"] == shown.panel._stage_of[values["frame"]]
        assert shown.words() == shown.panel.set(frame=values["frame"]).summary()
        shown.press("Step")
        assert shown.page.evaluate("() => stage.values.frame") == values["frame"] + 1

    def test_a_stage_is_shown_at_its_end_by_hand_and_from_the_kernel(self, explore):
        shown = explore("Homotopy")
        shown.page.locator("input[type=range]").nth(1).press("End")
        last = shown.panel._last_of(8)
        assert shown.page.evaluate("() => stage.values") == {"frame": last, "stage": 8}
        sent = shown.page.evaluate("() => sent.filter(([kind]) => kind === 'values').at(-1)[1]")
        assert sent == {"frame": last, "stage": 8}
        shown.page.evaluate("(values) => stage.set(values)", shown.panel.set(stage=2).state())
        assert shown.words() == shown.panel.summary()

    def test_the_picture_follows_the_points_when_zoomed_in(self, explore):
        shown = explore("Homotopy")
        width = "() => stage.plots[0].x[1] - stage.plots[0].x[0]"
        before = shown.page.evaluate(width)
        shown.press("Zoom in")
        shown.page.wait_for_function(f"() => ({width})() < {before / 3}")
        shown.press("Zoom out")
        shown.page.wait_for_function(f"() => ({width})() > {0.99 * before}")


class TestPrincipalCurve:
    def test_numbers_are_those_of_the_library_also_after_a_drag(self, explore):
        shown = explore("PrincipalCurve")
        assert shown.agrees({}, {"penalty": 1e-3}, {"width": 0.2, "nodes": 25}, {"beside": SUM})
        shown.drag(0, shown.panel.points[3], (0.0, 0.0)).press("Put points back")
        shown.drag(0, shown.panel.points[3], (0.0, 0.0))
        shown.panel._view.out = shown.out()
        assert shown.panel.points[3] == pytest.approx([0, 0], abs=0.02)
        assert shown.rested().words() == shown.panel.summary()


class TestLabelDistance:
    def test_numbers_are_those_of_the_library_and_a_handle_moves_alpha(self, explore):
        shown = explore("LabelDistance")
        mixed = {"version": SHUFFLED, "alpha": 0.9}
        assert shown.agrees({}, mixed, {"version": RAW})
        shown.drag(0, shown.page.evaluate("() => stage.plots[0].place(0)"), (0.5, -0.4))
        assert shown.page.evaluate("() => stage.values.alpha") == pytest.approx(0.84, abs=0.02)

    def test_a_point_dragged_to_another_class_stays_there(self, explore):
        shown = explore("LabelDistance")
        labels = np.array(shown.panel.data()["labels"])
        n, goal = (int(np.flatnonzero(labels == label)[4]) for label in (0, 2))
        shown.rested()
        place = "(n) => stage.plots[2].place(n)"
        shown.drag(2, shown.page.evaluate(place, n), shown.page.evaluate(place, goal))
        (moved, label) = shown.out()["relabelled"]
        assert labels[moved] != label == 2
        shown.panel._view.out = shown.out()
        assert "1 label by hand" in shown.rested().words() == shown.panel.summary()
        shown.press("First labels")
        assert shown.out() == {"relabelled": []} and "by hand" not in shown.rested().words()


class TestQuantizer:
    def test_numbers_are_those_of_the_library_at_any_half_step(self, explore):
        shown = explore("Quantizer")
        assert shown.agrees({"frame": 24}, {"frame": 7, "cost": "L1", "codes": "one point"})
        line = {"frame": 24, "codes": "one line", "cost": "Huber"}
        assert shown.agrees(line, {"frame": 11, "codes": "two lines", "start": 3})
        refused = shown.page.locator("option:disabled").all_text_contents()
        assert refused == ["L1"], "lines have no such cost"

    def test_a_dragged_code_begins_there_and_a_handle_turns_a_line(self, explore):
        shown = explore("Quantizer")
        place = "(n) => stage.plots[0].place(n)"
        shown.drag(0, shown.page.evaluate(place, 1), (0.5, 0.5))
        assert shown.out()["placed"]["at"][1][:2] == pytest.approx([0.5, 0.5], abs=0.02)
        shown.panel._view.out = shown.out()
        assert "start by hand, half step 0" in shown.words() == shown.panel.summary()
        shown.press("Step").press("Step")
        shown.panel.set(frame=2)
        assert shown.words() == shown.panel.summary()
        shown.page.evaluate("() => stage.set({ codes: 'one line' })")
        shown.settled()
        (x, y), tip = (shown.page.evaluate(place, n) for n in (0, 1))
        shown.drag(0, tip, (x + 0.3, y))
        assert "tilted by 0°" in shown.words() or "tilted by 180°" in shown.words()


class TestGeodesics:
    def test_graph_path_and_map_are_those_of_the_library(self, explore):
        shown = explore("Geodesics")
        holed = {"n_neighbors": 4, "hole": 0.4}
        assert shown.agrees({}, {"n_neighbors": 2}, holed, {"noise": 1.5})

    def test_a_point_dragged_to_the_next_turn_opens_a_shortcut_also_in_the_kernel(self, browser):
        shown = Shown(browser, panels.Geodesics(300))
        assert "No edge joins two turns" in shown.words()
        n = np.abs(shown.panel._t - [80.0, 10.0]).sum(axis=1).argmin()
        start = shown.page.evaluate("(n) => stage.plots[0].place(n)", int(n))
        shown.drag(0, start, [0.6 * v for v in start])
        shown.rested().panel._view.out = shown.out()
        assert "shortcut;" in shown.words() == shown.panel.summary()
        shown.canvas(0).press("ArrowLeft")
        assert shown.out()["moved_points"][0] == n
        shown.press("Put points back")
        assert "No edge joins two turns" in shown.words() and shown.out() == {"moved_points": []}
        assert shown.errors == []
        shown.close()


class TestDensityConstraint:
    def test_pieces_and_sizes_are_those_of_the_library(self, explore):
        shown = explore("DensityConstraint")
        for values in ({"threshold": 0.03}, {"threshold": 0.2}, {"points": MOVE}):
            shown.panel.set(**values)
            shown.page.evaluate("(values) => stage.set(values)", values)
            assert shown.words() == shown.panel.summary()

    def test_a_surface_has_the_holes_of_the_library_and_can_be_turned(self, browser):
        Y, t = datasets.s_curve(200, noise=0.05, hole=0.4, random_state=0)
        shown = Shown(browser, panels.DensityConstraint(4 * t, Y).set(threshold=0.01))
        assert " hole" in shown.words() and shown.words() == shown.panel.summary()
        before = shown.pixels(0)
        shown.drag(0, (0, 0), (0.5, 0.3))
        assert shown.pixels(0) != before
        assert shown.errors == []
        shown.close()

    def test_the_sea_follows_the_hand_and_the_arrow_keys(self, explore):
        shown = explore("DensityConstraint")
        shown.drag(1, (0, 0.3), (0, 0.6))
        threshold = shown.page.evaluate("() => stage.values.threshold")
        low = shown.panel._controls["threshold"].low
        assert threshold == pytest.approx(low / 3 * (3.9 / low) ** 0.6, rel=0.1)
        shown.canvas(1).press("ArrowDown")
        assert shown.page.evaluate("() => stage.values.threshold") < threshold
        sent = shown.page.evaluate("() => sent.at(-1)[1]")
        shown.panel._view.values = sent
        assert shown.panel.summary() == shown.words()
