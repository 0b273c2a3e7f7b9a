// Points that the hand draws in strokes and erases, for explorables whose data can be made up.

const SPACING = 12; // pixels between two points of a stroke
const RUBBER = 16; // pixels around the pointer in which points are erased
const MOST = 1000; // points that can be drawn

/**
 * The buttons "Draw" and "Erase" of a plot, and their keys: A adds a point beside the one that has the
 * focus, Delete removes it. While neither button is pressed, the plot keeps its own gestures.
 * @param {Record<string, any>} data number(): points there are; add(x, y); remove(n); done(): after each gesture;
 *   least, most: numbers of points; draws: whether "Draw" is pressed at first
 * @returns {{mode: (name: string | null) => void}}
 */
export function drawing(stage, plot, data) {
  const { number, add, remove, done, least = 0, most = MOST, draws = false } = data;
  const { ondown, onhover, onup, onkey, area } = plot;
  let mode = null;
  let last = null; // pixels of the last point of a stroke, while the pointer is down
  const buttons = { draw: stage.button("Draw", () => choose("draw")), erase: stage.button("Erase", () => choose("erase")) };
  function choose(name) {
    mode = mode === name ? null : name;
    for (const [key, button] of Object.entries(buttons)) button.ariaPressed = String(key === mode);
    plot.handles.fixed = mode !== null;
    plot.cursor = mode ? "crosshair" : "default";
  }
  plot.area = () => mode !== null || area();
  choose(draws ? "draw" : null);

  function put(x, y) {
    if (number() < most) add(...plot.inside(x, y));
  }
  function rub(x, y) {
    for (;;) {
      const n = plot.nearest(plot.across(x), plot.up(y), RUBBER);
      if (n < 0 || number() <= least) return;
      remove(n);
    }
  }
  function along(x, y) {
    if (mode === "erase") return rub(x, y);
    const [px, py] = [plot.across(x), plot.up(y)];
    for (;;) {
      const [across, down] = [px - last[0], py - last[1]];
      const far = Math.hypot(across, down);
      if (far < SPACING) return;
      last = [last[0] + (SPACING * across) / far, last[1] + (SPACING * down) / far];
      put(...plot.at(...last));
    }
  }
  plot.ondown = (x, y, event) => {
    if (!mode) return ondown?.(x, y, event);
    last = [plot.across(x), plot.up(y)];
    if (mode === "draw") put(x, y);
    else rub(x, y);
  };
  plot.onhover = (x, y, event) => {
    onhover?.(x, y, event);
    if (!last) return;
    along(x, y);
    stage.redraw();
  };
  plot.onup = (event) => {
    onup?.(event);
    if (last) done();
    last = null;
  };
  plot.onkey = (event, by) => {
    if (onkey?.(event, by)) return true;
    const n = plot.focused;
    if (event.key === "a" && number() < most) {
      const [x, y] = n >= 0 && n < number() ? plot.place(n) : [(plot.x[0] + plot.x[1]) / 2, (plot.y[0] + plot.y[1]) / 2];
      put(x + 0.03 * (plot.x[1] - plot.x[0]), y);
      plot.focus(number() - 1);
    } else if ((event.key === "Delete" || event.key === "Backspace") && n >= 0 && n < number() && number() > least) {
      remove(n);
      plot.focus(Math.min(n, number() - 1));
    } else return false;
    done();
    return true;
  };
  stage.help(
    "Keys, when a picture has the focus: N and P choose a point, the arrows move it (with Shift: further), " +
      "A adds one beside it, Delete removes it.",
  );
  return { mode: choose };
}
