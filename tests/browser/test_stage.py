"""What all explorables owe to the stage: fingers, axes, and a clock that stands unseen."""

import pytest

from tests.browser.test_explorables import Shown, example

TALL = "document.body.style.paddingBottom = '3000px'"


@pytest.fixture
def opened(browser):
    shown = []

    def made(name, **size):
        shown.append(Shown(browser, example(name), **size))
        return shown[-1]

    yield made
    for one in shown:
        errors = one.errors
        one.close()
        assert errors == []


def swipe(shown, start, by, steps=10):
    """A finger goes from a pixel of the page by so many pixels."""
    client = shown.page.context.new_cdp_session(shown.page)
    for k in range(steps + 1):
        at = {name: v + d * k / steps for name, v, d in zip("xy", start, by, strict=True)}
        kind = "touchMove" if k else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [at]})
        shown.page.wait_for_timeout(16)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    client.detach()
    shown.settled()
    return shown.page.evaluate("() => scrollY")


@pytest.fixture
def phone(opened):
    def made(name):
        shown = opened(name, width=390, height=700, touch=True)
        shown.page.evaluate(TALL)
        return shown

    return made


def test_a_finger_on_an_empty_place_scrolls_the_page(phone):
    shown = phone("Untangle")
    before = shown.out()
    assert swipe(shown, shown.pixel_of(0, -1.2, 1.15), (0, -150)) > 50
    assert shown.out() == before
    shown.page.evaluate("() => scrollTo(0, 0)")
    pressed = phone("DrawData")
    pressed.press("Draw")
    assert swipe(pressed, pressed.pixel_of(0, -0.8, -0.8), (0, -150)) == 0
    assert len(pressed.out()["points"]) > 80
    pressed.press("Draw")
    before = pressed.out()
    assert swipe(pressed, pressed.pixel_of(0, 0.85, 0.1), (0, -150)) > 50
    assert pressed.out() == before


def test_a_finger_on_a_point_drags_it_and_the_page_stays(phone):
    shown = phone("Untangle")
    start = shown.page.evaluate("() => stage.plots[0].place(7)")
    goal = shown.pixel_of(0, *start)
    assert swipe(shown, goal, (-20, -120)) == 0
    moved = shown.page.evaluate("() => stage.plots[0].place(7)")
    assert shown.pixel_of(0, *moved) == pytest.approx((goal[0] - 20, goal[1] - 120), abs=3)


@pytest.mark.parametrize(
    ("name", "plot"),
    [("RescueTheRoll", 1), ("Referee", 0), ("LatentExplorer", 0), ("DensityConstraint", 1)],
)
def test_a_finger_turns_brushes_walks_and_floods_without_scrolling(phone, name, plot):
    shown = phone(name)
    canvas = shown.canvas(plot)
    canvas.scroll_into_view_if_needed()
    top = shown.page.evaluate("() => scrollY")
    box = canvas.bounding_box()
    before = shown.pixels(plot)
    start = box["x"] + box["width"] / 2, box["y"] + 0.7 * box["height"]
    assert swipe(shown, start, (10, -80)) == top
    assert shown.pixels(plot) != before


def test_axes_are_those_of_the_points_in_the_same_picture(opened):
    shown = opened("Untangle")
    shown.page.evaluate("(X) => stage.put({ X })", (9 * shown.panel.X).tolist())
    first = shown.settled().pixels(1)
    shown.page.evaluate("() => stage.redraw()")
    shown.settled()
    assert shown.pixels(1) == first


def test_limits_are_known_at_once(opened):
    shown = opened("Bandwidth")
    across = """() => {
        const [plot] = stage.plots;
        plot.limits([0, 4], [0, 1]);
        return plot.across(4) - plot.box.right;
    }"""
    assert shown.page.evaluate(across) == pytest.approx(0)


HIDE = """(hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
AWAY = "(away) => { stage.root.style.marginTop = away ? '3000px' : 0; }"
ASKED = """() => new Promise((done) => {
    const plain = window.requestAnimationFrame;
    let asked = 0;
    window.requestAnimationFrame = (f) => { asked += 1; return plain(f); };
    setTimeout(() => { window.requestAnimationFrame = plain; done(asked); }, 300);
})"""


@pytest.mark.parametrize("leave", [HIDE, AWAY], ids=["hidden tab", "out of sight"])
def test_play_stands_where_nobody_sees_it_and_goes_on_without_a_jump(opened, leave):
    shown = opened("Homotopy")
    shown.press("Play")
    shown.page.wait_for_function("() => stage.values.frame > 2")
    shown.page.evaluate(leave, True)
    shown.settled().settled()
    step, clock = shown.page.evaluate("() => [stage.values.frame, stage.time]")
    assert shown.page.evaluate(ASKED) == 0
    assert shown.page.evaluate("() => [stage.values.frame, stage.time]") == [step, clock]
    shown.page.evaluate(leave, False)
    jump = """([step, clock]) => new Promise((done) => {
        const look = () => (stage.time === clock ? requestAnimationFrame(look)
            : done([stage.values.frame - step, stage.time - clock]));
        look();
    })"""
    further, later = shown.page.evaluate(jump, [step, clock])
    assert 0 <= further <= 3 and 0 < later <= 100
    shown.page.wait_for_function("(step) => stage.values.frame > step + 3", arg=step)


def test_nothing_stays_of_a_closed_picture(opened):
    shown = opened("Homotopy")
    shown.press("Play")
    assert shown.page.evaluate(ASKED) > 0
    closed = "() => { stage.close(); stage.redraw(); return stage.frame; }"
    assert shown.page.evaluate(closed) == 0
    assert shown.page.evaluate(ASKED) == 0
    for event in ("visibilitychange", "pointermove"):
        shown.page.evaluate("(name) => document.dispatchEvent(new Event(name))", event)
    shown.page.evaluate("() => document.body.setAttribute('data-theme', 'dark')")
    shown.page.evaluate(
        "() => { document.body.append(stage.root); stage.root.style.width = '300px'; }"
    )
    assert shown.page.evaluate(ASKED) == 0
    assert shown.page.evaluate("() => stage.frame") == 0


def test_a_page_that_was_busy_loses_time_rather_than_steps(opened):
    shown = opened("Homotopy")
    shown.press("Play")
    shown.page.wait_for_function("() => stage.time > 0")
    leaps = shown.page.evaluate(
        """() => {
            const end = performance.now() + 500;
            while (performance.now() < end);
            const times = [];
            return new Promise((done) => {
                const look = () => {
                    times.push(stage.time);
                    if (times.length < 12) requestAnimationFrame(look);
                    else done(times.slice(1).map((time, k) => time - times[k]));
                };
                look();
            });
        }"""
    )
    assert 0 < max(leaps) <= 100.1


def test_only_the_first_finger_and_the_left_button_drag(opened):
    shown = opened("Untangle")
    start = shown.page.evaluate("() => stage.plots[0].place(7)")
    mouse = shown.page.mouse
    mouse.move(*shown.pixel_of(0, *start))
    mouse.down(button="right")
    mouse.move(*shown.pixel_of(0, 0.0, 0.0), steps=4)
    mouse.up(button="right")
    shown.page.evaluate(
        """([x, y]) => {
            const { canvas } = stage.plots[0];
            const at = { clientX: x, clientY: y, pointerId: 9, pointerType: "touch" };
            for (const kind of ["pointerdown", "pointermove"]) {
                canvas.dispatchEvent(new PointerEvent(kind, { ...at, isPrimary: false }));
            }
        }""",
        shown.pixel_of(0, *start),
    )
    assert shown.page.evaluate("() => stage.plots[0].held") == -1
    assert shown.page.evaluate("() => stage.plots[0].place(7)") == start


KEPT = """(number) =>
    Number(document.querySelector('.ukr-past').ariaValueText.split(' ').at(-1)) >= number"""


def moves(shown):
    return shown.page.locator(".ukr-past").get_attribute("aria-valuetext")


def test_one_can_go_back_to_a_move_and_on_from_there_and_undo_what_the_hand_did(opened):
    shown = opened("Untangle")
    past = shown.page.locator(".ukr-past")
    assert past.is_disabled()
    Y, X = "() => [...stage.plots[0].handles.points.data]", "() => sent.at(-1)[1].X"
    for _ in range(4):
        shown.press("One step")
    before = shown.page.evaluate(Y)
    shown.drag(0, shown.page.evaluate("() => stage.plots[0].place(7)"), (0.1, 0.1), steps=1)
    shown.page.wait_for_function(KEPT, arg=5)
    past.press("Home")
    last = moves(shown).split()[-1]
    assert moves(shown) == f"move 0 of {last}"
    assert shown.words().startswith("0 moves.") and shown.page.evaluate(Y) == before
    assert shown.page.evaluate(X) == pytest.approx(shown.panel.X.ravel().tolist(), abs=1e-6)
    past.press("End")
    assert moves(shown) == f"move {last} of {last}" and shown.page.evaluate(Y) != before
    past.press("Home")
    shown.press("One step")
    assert moves(shown) == "move 1 of 1" and shown.words().startswith("1 move.")
    shown.press("Shuffle")
    assert past.is_disabled()


@pytest.mark.parametrize(
    ("name", "play"),
    [
        ("Untangle", "One step"),
        ("Gradient", "One step"),
        ("Aggregation", "One move"),
        ("DrawData", "Clear"),
    ],
)
def test_moves_by_keys_and_buttons_are_told_and_can_be_taken_back(opened, name, play):
    shown = opened(name)
    first = shown.words()
    for place in range(2 if name in ("Untangle", "Aggregation") else 1):
        told = shown.page.evaluate("() => sent.length")
        shown.canvas(place).press("ArrowUp" if place == 0 else "ArrowRight")
        assert shown.page.evaluate("() => sent.length") > told
        shown.page.wait_for_function(KEPT, arg=place + 1)
    button = shown.page.get_by_role("button", name=play, exact=True)
    before = moves(shown)
    for _ in range(10):  # pictures of a move of Aggregation
        button.click()
    assert moves(shown) != before and shown.words() != first
    shown.page.locator(".ukr-past").press("Home")
    assert shown.words().replace("Moved from seed", "Seed") == first


def test_the_speed_holds_for_steps_and_for_the_clock(opened):
    shown = opened("Gradient")
    ticks = """(speed) => {
        const past = document.querySelector(".ukr-past");
        const [before, time] = [Number(past.value), stage.time];
        Object.assign(stage, { speed, last: null, due: 0 });
        for (let k = 0; k <= 8; k++) stage._tick(1000 + 10 * k);
        return [past.value - before, stage.time - time];
    }"""
    shown.page.evaluate("() => { stage.play(); cancelAnimationFrame(stage.frame); }")
    for speed, steps in ((0.25, 2), (1, 9), (2, 18)):
        assert shown.page.evaluate(ticks, speed) == [steps, pytest.approx(80 * speed)]
    shown.page.get_by_text("More controls").click()
    shown.page.get_by_label("speed").select_option("½ ×")
    assert shown.page.evaluate("() => stage.speed") == 0.5
    assert "speed" not in shown.page.evaluate("() => stage.values")


def test_a_point_under_the_pointer_or_chosen_by_keys_says_its_name_and_place(opened):
    shown = opened("Untangle")
    x, y = shown.panel.points[7]
    shown.page.evaluate(
        """() => {
            window.written = [];
            const { fillText } = CanvasRenderingContext2D.prototype;
            CanvasRenderingContext2D.prototype.fillText = function (words, ...rest) {
                written.push(words);
                return fillText.call(this, words, ...rest);
            };
        }"""
    )
    told = f"point 8 ({x:.3g}, {y:.3g})".replace("-", "−")
    shown.page.mouse.move(*shown.pixel_of(0, x, y))
    shown.settled()
    assert told in shown.page.evaluate("() => written")
    shown.page.mouse.move(0, 0)
    shown.settled()
    shown.page.evaluate("() => { written.length = 0; stage.redraw(); }")
    shown.settled()
    assert told not in shown.page.evaluate("() => written")
    shown.page.evaluate("() => stage.plots[0].focus(6)")
    shown.canvas(0).press("n")
    assert shown.page.locator("[aria-live=polite]").inner_text() == told


def test_two_fingers_and_keys_bring_a_solid_closer_and_leave_the_page_as_it_is(opened):
    shown = opened("GaussNewton", width=390, height=1400, touch=True)
    box = shown.canvas(1).bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = shown.pixels(1)
    client = shown.page.context.new_cdp_session(shown.page)
    for k in range(6):
        ends = [
            {"x": middle[0] + side * (20 + 10 * k), "y": middle[1], "id": side + 1}
            for side in (-1, 1)
        ]
        kind = "touchMove" if k else "touchStart"
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": ends})
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    closer = shown.settled().pixels(1)
    assert closer != before
    assert shown.page.evaluate("() => visualViewport.scale") == 1
    shown.canvas(1).press("-")
    assert shown.settled().pixels(1) != closer
