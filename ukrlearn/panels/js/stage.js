// The stage of every explorable: controls, plots that answer the hand, a clock, and a line of words.
//
// An explorable draws everything anew in each frame ("immediate mode"): it asks a plot to `begin`, then
// to draw points, curves and arrows in the units of the data. Nothing is kept between frames but the
// limits of the axes and what the hand holds.

import { zeros } from "./core/tables.js";
/** @import { Table } from "./core/tables.js" */

export const FONT = "12px system-ui, sans-serif";
const REACH = { mouse: 14, pen: 16, touch: 26 }; // pixels around a point in which the hand finds it
const [SHORTEST, TALLEST] = [130, 480]; // pixels of a plot, for narrow and for wide windows
const SAY_EVERY = 700; // ms between two summaries while something moves
const HITCH = 100; // ms by which the clock advances in a frame, at most
const SPEEDS = [["¼ ×", 0.25], ["½ ×", 0.5], ["1 ×", 1], ["2 ×", 2], ["4 ×", 4]];
const MOST_KEPT = 500; // moves that one can go back to

export const STYLE = `
.ukr { --ukr-ink: var(--jp-ui-font-color1, #1f2328); --ukr-paper: var(--jp-layout-color0, #fff);
  --ukr-faint: var(--jp-border-color2, #d5dae0); --ukr-soft: var(--jp-ui-font-color2, #59636e);
  --ukr-fill: var(--jp-layout-color2, #eef1f4);
  color: var(--ukr-ink); background: var(--ukr-paper); font: 14px/1.4 system-ui, sans-serif;
  box-sizing: border-box; max-width: 1600px; padding: 8px 0; container-type: inline-size; position: relative; }
.ukr * { box-sizing: border-box; }
.ukr-controls { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; }
.ukr-controls label { display: flex; gap: 8px; align-items: center; }
.ukr-controls input[type=range] { width: 11em; accent-color: #0072b2; }
.ukr-controls output { min-width: 3.5em; font-variant-numeric: tabular-nums; }
.ukr-controls input[type=file] { font: inherit; color: inherit; max-width: 17em; }
.ukr-controls button, .ukr-controls select, .ukr-controls input[type=number] { font: inherit; color: inherit; background: var(--ukr-fill);
  border: 1px solid var(--ukr-soft); border-radius: 4px; padding: 3px 12px; min-height: 28px; }
.ukr-controls button:hover { border-color: currentColor; }
.ukr-controls button[aria-pressed=true] { background: #0072b2; border-color: #0072b2; color: #fff; }
.ukr-help { margin: 4px 0 0; color: var(--ukr-soft); }
.ukr :focus-visible { outline: 3px solid #0072b2; outline-offset: 2px; }
.ukr-more { margin-top: 4px; } .ukr-more summary { cursor: pointer; width: fit-content; }
.ukr-plots { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; }
.ukr-plots canvas { display: block; touch-action: pan-y pinch-zoom; flex: 1 1 300px; min-width: 0; border-radius: 4px; }
.ukr-column { display: flex; flex-direction: column; gap: 8px; flex: 1 1 300px; min-width: 0; }
.ukr-column > canvas { flex: none; width: 100%; }
.ukr-words { margin: 0; min-height: 2.8em; max-width: 60em; overflow-wrap: normal; }
.ukr-sr { position: absolute; bottom: 0; margin: 0; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 480px) { .ukr-controls input[type=range] { width: 8em; } }
`;

/** Colours that can be told apart with any kind of colour vision (Okabe and Ito), by purpose. */
export const COLORS = {
  point: "#7b8794", manifold: "#d55e00", truth: "#5b6570", guide: "#0072b2", good: "#009e73",
  classes: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c564b", "#f0e442"],
};

const STOPS = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];
const SHADES_OF_CIVIDIS = Array.from({ length: 256 }, (_, k) => {
  const at = (k / 255) * (STOPS.length - 1);
  const low = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[low].map((from, k) => Math.round(from + (at - low) * (STOPS[low + 1][k] - from)));
});

/** One of 256 steps from dark blue to yellow (cividis), as [r, g, b]. */
export function cividis(share) {
  return SHADES_OF_CIVIDIS[Math.round(255 * Math.min(Math.max(share, 0), 1))];
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const ALONG = [[44, 105, 190], [135, 138, 132], [220, 178, 45]]; // blue, grey, yellow

/**
 * The colour of a point by its place along something, from 0 to 1. The ends of cividis would hardly be seen, one
 * on a dark page and the other on a light one.
 */
export function by_place(share) {
  const [from, to] = share < 0.5 ? ALONG : ALONG.slice(1);
  return `rgb(${from.map((c, k) => Math.round(c + (share < 0.5 ? 2 * share : 2 * share - 1) * (to[k] - c)))})`;
}

// ----------------------------------------------------------------------------------- the stage

export class Stage {
  controls = element("div", { className: "ukr-controls" });
  more = element("details", { className: "ukr-more" });
  further = element("div", { className: "ukr-controls" });
  stalls = element("div", { className: "ukr-plots" });
  words = element("p", { className: "ukr-words", role: "status" });
  named = element("p", { className: "ukr-sr", ariaLive: "polite" }); // the point that keys have chosen or moved
  /** @type {Plot[]} */ plots = [];
  /** @type {Record<string, any>} */ values = {};
  /** @type {Record<string, any>} */ shown = {};
  /** @type {Record<string, string>} */ colors = {};
  draw = () => {};
  summary = () => "";
  onvalues = (/** @type {object} */ values) => {}; // tells the kernel, if there is one
  put = (/** @type {any} */ things) => {}; // shows what comes from the kernel
  play = () => {};
  tell = () => {}; // tells the link what has changed since it was told last, where that is not at once
  /** @type {View[]} */ views = []; // solids that the hand has turned
  onclose = () => {};
  /** @type {((time?: number) => boolean) | null} */ playing = null;
  stepwise = false; // whether each call of `playing` is a step of its own
  frame = 0;
  later = 0; // the timer of the next words
  time = 0; // ms of play
  speed = 1; // how fast it runs
  due = 0; // steps that are owed to a slow or fast player, of which a part may be left
  /** @type {number | null} */ last = null; // when the clock was read, or null while it stands
  said = 0;
  closed = false;
  sight = true; // whether any of it is on the screen

  /**
   * @param {HTMLElement} host an element to fill
   * @param {object} given what Python says: `title`, and the words of `controls` and `pictures` by name
   */
  constructor(host, given) {
    this.given = given;
    this.root = element("section", { className: "ukr", ariaLabel: given.title });
    this.more.append(element("summary", { textContent: "More controls" }), this.further);
    this.root.append(element("style", { textContent: STYLE }), this.controls, this.stalls, this.words, this.named);
    host.append(this.root);
    const again = () => this.redraw();
    this.watch = new ResizeObserver(again);
    this.watch.observe(this.root);
    this.theme = new MutationObserver(again);
    this.theme.observe(document.body, { attributes: true });
    this.seen = new IntersectionObserver((changes) => {
      this.sight = changes.at(-1).isIntersecting;
      this.redraw();
    });
    this.seen.observe(this.root);
    this.unheard = new AbortController(); // of what the page is asked to tell
    const { signal } = this.unheard;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again, { signal });
    document.addEventListener("visibilitychange", again, { signal });
  }

  /** Free what the page keeps. */
  close() {
    this.closed = true;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    clearTimeout(this.later);
    this.onclose();
    this.watch.disconnect();
    this.theme.disconnect();
    this.seen.disconnect();
    this.unheard.abort();
    this.playing = null;
    this.root.remove();
  }

  // Controls: native elements, so that keyboards and screen readers work as everywhere. What Python declares
  // in _controls.py travels in `given`; `more` puts a control behind "More controls".

  /**
   * A number. `log` makes equal steps equal factors; the value itself is shown and announced.
   * @param {string} name
   * @param {object} other what differs from Python's declaration
   * @param {(value: number) => void} [onchange]
   */
  slider(name, other = {}, onchange) {
    let { label, low, high, value, log, whole, steps, digits = 3, more } = { ...this.given.controls[name], ...other };
    if (whole) steps = high - low;
    const place = (v) => (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low || 1));
    const at = (p) => (log ? low * (high / low) ** p : low + (high - low) * p);
    const short = (v) => String(whole ? v : Number(v.toPrecision(digits)));
    const range = element("input", { type: "range", min: 0, max: steps, step: 1 });
    const output = element("output");
    const show = (v) => {
      this.values[name] = v;
      range.value = String(Math.round(steps * place(v)));
      output.textContent = short(v);
      range.ariaValueText = short(v);
    };
    range.addEventListener("input", () => {
      const exact = at(Number(range.value) / steps);
      show(Number(exact.toPrecision(12)));
      this._changed(name, onchange);
    });
    this._place([label, range, output], more);
    /** Another greatest value: with as many steps, if they are whole numbers. */
    const extend = (most) => {
      if (steps === high - low) range.max = String((steps = most - low));
      high = most;
      show(Math.min(this.values[name], high));
    };
    this.shown[name] = { show, extend, onchange, accepts: (v) => v >= low && v <= high && (!whole || v % 1 === 0) };
    show(value);
    return range;
  }

  choice(name, { more = false } = {}, onchange) {
    const { label, options, value } = this.given.controls[name];
    const select = element("select", { ariaLabel: label }); // a label around it would be read with all options
    for (const option of options) select.append(element("option", { textContent: option }));
    const show = (v) => {
      this.values[name] = v;
      select.value = v;
    };
    select.addEventListener("change", () => {
      this.values[name] = select.value;
      this._changed(name, onchange);
    });
    this._place([label, select], more);
    this.shown[name] = { show, onchange, accepts: (v) => options.includes(v) };
    show(value);
    return select;
  }

  toggle(name, { more = false } = {}, onchange) {
    const { label, value } = this.given.controls[name];
    const box = element("input", { type: "checkbox" });
    const show = (v) => {
      this.values[name] = v;
      box.checked = v;
    };
    box.addEventListener("change", () => {
      this.values[name] = box.checked;
      this._changed(name, onchange);
    });
    this._place([box, label], more);
    this.shown[name] = { show, onchange, accepts: (v) => typeof v === "boolean" };
    show(value);
    return box;
  }

  button(label, onpress, more = false) {
    const button = element("button", { type: "button", textContent: label });
    button.addEventListener("click", () => {
      onpress(button);
      this.redraw();
    });
    if (more && !this.more.parentNode) this.controls.after(this.more);
    (more ? this.further : this.controls).append(button);
    return button;
  }

  /** A control with its label, beside the main controls or among those behind "More controls". */
  _place(parts, more = false) {
    const label = element("label");
    for (const part of parts) if (part.dataset) part.dataset.lmSuppressShortcuts = "true"; // JupyterLab would take the arrow keys
    label.append(...parts);
    if (!more) return this.controls.append(label);
    if (!this.more.parentNode) this.controls.after(this.more);
    this.further.append(label);
  }

  /** A sentence behind "More controls", for instance about keys. */
  help(text) {
    if (!this.more.parentNode) this.controls.after(this.more);
    this.more.append(element("p", { className: "ukr-help", textContent: text }));
  }

  /** Values that come from elsewhere, from the kernel or a link. */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      const control = this.shown[name];
      if (!control || this.values[name] === value || !control.accepts(value)) continue;
      control.show(value);
      control.onchange?.(value);
    }
    this.redraw();
  }

  /** The first values of all controls. */
  reset() {
    this.set(Object.fromEntries(Object.keys(this.shown).map((name) => [name, this.given.controls[name].value])));
  }

  _changed(name, onchange) {
    onchange?.(this.values[name]);
    this.onvalues({ ...this.values });
    this.redraw();
  }

  // Plots

  /** A column for several plots, one below the other, which share their width. */
  column(grow = 1) {
    const column = element("div", { className: "ukr-column" });
    column.style.flexGrow = String(grow);
    this.stalls.append(column);
    return column;
  }

  /** A plot with the words of a picture of this name. */
  plot(name, options = {}) {
    const plot = new Plot(this, { ...this.given.pictures[name], ...options });
    this.plots.push(plot);
    return plot;
  }

  /** Draw once, in the next frame; calling it often costs nothing. */
  redraw() {
    if (this.frame || this.closed) return;
    this.frame = requestAnimationFrame((now) => {
      this.frame = 0;
      const running = this._tick(now);
      this._paint();
      this._say(now);
      if (running) this.redraw();
    });
  }

  _paint() {
    const style = getComputedStyle(this.root);
    const color = (name, otherwise) => style.getPropertyValue(`--ukr-${name}`) || otherwise;
    this.colors = { ink: color("ink", "#222"), soft: color("soft", "#666"), faint: color("faint", "#ddd"),
      paper: color("paper", "#fff") };
    for (const plot of this.plots) plot.begin();
    this.draw();
    for (const plot of this.plots) plot.end();
  }

  /**
   * Let what plays take a step. Nothing plays where nobody can see it, in a hidden tab or outside the window.
   * The clock stands meanwhile, so that it does not jump afterwards.
   * @returns {boolean} whether it goes on in the next frame
   */
  _tick(now) {
    if (!this.playing || !this.sight || document.hidden) {
      this.last = null;
      return false;
    }
    if (this.last !== null) this.time += this.speed * Math.min(now - this.last, HITCH);
    this.last = now;
    this.due = this.stepwise ? this.due + this.speed : 1;
    for (; this.due >= 1 && this.playing; this.due--) if (!this.playing(this.time)) this.stop();
    return Boolean(this.playing);
  }

  /** Words follow the picture, but not so fast that nobody could listen. */
  _say(now) {
    clearTimeout(this.later);
    const speak = () => {
      const text = this.summary();
      if (text !== this.words.textContent) this.words.textContent = text;
      for (const plot of this.plots) plot.canvas.ariaLabel = `${plot.title}. ${text}`;
      this.said = performance.now();
    };
    if (now - this.said > SAY_EVERY) speak();
    else this.later = setTimeout(speak, SAY_EVERY);
  }

  // The clock

  /**
   * Play and pause: `advance(time)` takes one step, or goes on to a time, and returns whether there is more.
   * If `stepwise`, each call is a step of its own, of which a frame has more at a higher speed.
   * @param {(time?: number) => boolean} advance
   */
  player(advance, { play = "Play", pause = "Pause", step = "Step", stepwise = false } = {}) {
    const button = this.button(play, () => (this.playing ? this.stop() : begin()));
    const begin = () => {
      button.textContent = pause;
      this.playing = advance;
      this.stepwise = stepwise;
      this.stop = () => {
        this.playing = null;
        this.stepwise = false;
        button.textContent = play;
      };
      this.redraw();
    };
    this.button(step, () => {
      this.stop();
      advance();
    });
    this.play = begin;
    this._choose_speed();
    return button;
  }

  /** The speed belongs to the reader and not to the panel, so the kernel does not hear of it. */
  _choose_speed() {
    const select = element("select", { ariaLabel: "speed" });
    for (const [text, speed] of SPEEDS) select.append(element("option", { textContent: text, value: speed }));
    select.value = String(this.speed);
    select.addEventListener("change", () => (this.speed = Number(select.value)));
    this._place(["speed", select], true);
  }

  /**
   * A slider over all moves so far, which takes the picture back to any of them.
   * @param {object} what now(): what is to be kept of the present; put(kept): shows it again
   * @returns {{keep: () => void, forget: () => void}} keep the present as the latest move, and forget those that
   *   were taken back; forget all moves but the present
   */
  past({ now, put }) {
    let kept = [];
    let at = 0;
    const range = element("input", { type: "range", min: 0, step: 1, className: "ukr-past" });
    const output = element("output");
    const show = () => {
      const last = Math.max(kept.length - 1, 0);
      Object.assign(range, { max: Math.max(last, 1), value: at, disabled: last < 1 });
      output.textContent = `${at} of ${last}`;
      range.ariaValueText = `move ${at} of ${last}`;
    };
    range.addEventListener("input", () => {
      this.stop();
      at = Math.min(Number(range.value), kept.length - 1);
      put(kept[at]);
      show();
      this.redraw();
    });
    this._place(["back to move", range, output]);
    show();
    const keep = () => {
      kept = kept.slice(Math.max(0, at + 2 - MOST_KEPT), at + 1);
      at = kept.push(now()) - 1;
      show();
    };
    const forget = () => {
      [kept, at] = [[], 0];
      keep();
    };
    return { keep, forget };
  }

  stop() {
    this.playing = null;
  }
}

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @returns {HTMLElementTagNameMap[K]} */
export function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}

// ------------------------------------------------------------------------------------ the plots

/** A picture in the units of the data, on a canvas that is sharp on any screen. */
export class Plot {
  canvas = element("canvas");
  pen = this.canvas.getContext("2d");
  ink = "";
  soft = "";
  faint = "";
  paper = "";
  box = { left: 0, top: 0, right: 0, bottom: 0 };
  /**
   * What can be moved: only points must be there, and the plot answers to what else there is.
   * @type {{points: Table, onmove?: (n: number, x: number, y: number) => void, name?: (n: number) => string,
   *   onfocus?: (n: number) => void, onrelease?: (n: number) => void, fixed?: boolean, first?: number} | null}
   */
  handles = null;
  held = -1;
  focused = -1;
  pointed = -1; // the point under the pointer
  drawing = false; // whether `begin` has been called, and not yet `end`
  cursor = "default";
  store = element("canvas"); // of `image`
  /** @type {ImageData | null} */ pixels = null;
  area = () => false; // whether the hand can drag at any place, as to draw or to turn a solid
  /** @type {((x: number, y: number, event: PointerEvent) => void) | undefined} */ ondown;
  /** @type {((x: number, y: number, event: PointerEvent) => void) | undefined} */ onhover;
  /** @type {((event: PointerEvent) => void) | undefined} */ onup;
  /** @type {(() => void) | undefined} */ onleave;
  /** @type {((event: KeyboardEvent, by?: number[]) => boolean) | undefined} */ onkey;

  /** `hand` says in the title what the hand can do; `aspect` may depend on the width. */
  constructor(/** @type {Stage} */ stage, { title = "", hand = "", x = [0, 1], y = [0, 1], xlabel = "", ylabel = "", legend = [],
    equal = false, aspect = 0.75, frame = true, grow = 1, into = stage.stalls, xticks = ticks, yticks = ticks,
    left = 46, still = false } = /** @type {Record<string, any>} */ ({})) {
    this.stage = stage;
    this.title = hand ? `${title}: ${hand}` : title;
    this.legend = legend;
    this.xlabel = xlabel;
    this.ylabel = ylabel;
    this.equal = equal;
    this.framed = frame;
    this.xticks = xticks;
    this.yticks = yticks;
    this.left = left;
    this.aspect = typeof aspect === "number" ? () => aspect : aspect;
    this.x = x;
    this.y = y;
    this.wanted = { x, y };
    if (into === stage.stalls) this.canvas.style.flexGrow = String(grow);
    this.canvas.dataset.lmSuppressShortcuts = "true";
    Object.assign(this.canvas, still ? { tabIndex: -1, role: "img", ariaLabel: this.title }
      : { tabIndex: 0, role: "application", ariaRoleDescription: "picture that can be moved" });
    into.append(this.canvas);
    this._listen();
  }

  /** Other ends of the axes. While a picture is drawn, the axes are laid out anew, before all else in the plot. */
  limits(x, y) {
    const { x: across, y: up } = this.wanted;
    if (x[0] === across[0] && x[1] === across[1] && y[0] === up[0] && y[1] === up[1]) return;
    this.wanted = { x, y };
    if (this.drawing) {
      this.pen.restore();
      this.begin();
    } else if (this.box) this._scale();
  }

  /** Clear, and lay out the axes. */
  begin() {
    const ratio = devicePixelRatio || 1;
    const width = Math.max(this.canvas.clientWidth, 40);
    const height = Math.round(Math.min(Math.max(width * this.aspect(width), SHORTEST), TALLEST));
    this.canvas.style.height = `${height}px`;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    Object.assign(this, this.stage.colors);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.pen.clearRect(0, 0, width, height);
    const top = this.title ? 26 : 8;
    const bottom = height - (!this.framed ? 6 : this.xlabel ? 38 : 22);
    this.pen.font = FONT;
    const names = this.framed ? this.yticks(...this.wanted.y, rows(top, bottom)).map(([, text]) => text) : [];
    const left = names.reduce((most, text) => Math.max(most, 30 + this.pen.measureText(text).width), this.framed ? this.left : 6);
    this.box = { left, top, right: width - 10, bottom };
    this._scale();
    if (this.framed) this._axes();
    this._title(width);
    this.pen.save();
    this.pen.beginPath();
    this.pen.rect(left, top, this.box.right - left, bottom - top);
    this.pen.clip();
    this.drawing = true;
  }

  end() {
    this.drawing = false;
    if (this.handles && this.focused >= 0 && this.focused < this.handles.points.rows && document.activeElement === this.canvas) {
      const [x, y] = this.place(this.focused);
      this.ring(x, y, 11);
    }
    this.pen.restore();
    const pointed = this.held < 0 && this.pointed >= 0 && this.pointed < (this.handles?.points.rows ?? 0);
    if (pointed && this.handles.name) this._label(this.pointed); // while the hand drags, it would hide the picture
  }

  /** The name of a point and where it is, as "point 3 (0.52, −0.1)". */
  told(n) {
    return `${this.handles.name(n)} (${this.place(n).map((v) => plain(v, 3)).join(", ")})`;
  }

  /** Beside a point what it is called and where it is, on the side where there is room. */
  _label(n) {
    const { pen, box } = this;
    const [x, y] = this.place(n);
    const words = this.told(n);
    pen.font = FONT;
    const wide = pen.measureText(words).width + 10;
    const [px, py] = [this.across(x), this.up(y)];
    const left = Math.max(box.left, px + 12 + wide > box.right ? px - 12 - wide : px + 12);
    const top = Math.min(Math.max(py - 26, box.top), box.bottom - 20);
    pen.fillStyle = this.paper;
    pen.strokeStyle = this.soft;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.rect(Math.round(left) + 0.5, Math.round(top) + 0.5, Math.round(wide), 20);
    pen.fill();
    pen.stroke();
    pen.fillStyle = this.ink;
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillText(words, left + 5, top + 11);
  }

  _scale() {
    let [x0, x1] = this.wanted.x;
    let [y0, y1] = this.wanted.y;
    const wide = this.box.right - this.box.left;
    const high = this.box.bottom - this.box.top;
    if (this.equal) {
      const unit = Math.max((x1 - x0) / wide, (y1 - y0) / high);
      const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
      [x0, x1] = [cx - (unit * wide) / 2, cx + (unit * wide) / 2];
      [y0, y1] = [cy - (unit * high) / 2, cy + (unit * high) / 2];
    }
    this.x = [x0, x1];
    this.y = [y0, y1];
  }

  /** Pixels of a place in data units. */
  across(x) {
    return this.box.left + ((x - this.x[0]) / (this.x[1] - this.x[0])) * (this.box.right - this.box.left);
  }

  up(y) {
    return this.box.bottom - ((y - this.y[0]) / (this.y[1] - this.y[0])) * (this.box.bottom - this.box.top);
  }

  /** The place in data units under a pixel. */
  at(px, py) {
    const { left, right, top, bottom } = this.box;
    return [
      this.x[0] + ((px - left) / (right - left)) * (this.x[1] - this.x[0]),
      this.y[0] + ((bottom - py) / (bottom - top)) * (this.y[1] - this.y[0]),
    ];
  }

  /** The nearest place within the axes. */
  inside(x, y) {
    return [[x, this.x], [y, this.y]].map(([v, [low, high]]) => Math.min(Math.max(v, low), high));
  }

  _axes() {
    const { pen } = this;
    const { left, top, right, bottom } = this.box;
    pen.strokeStyle = this.faint;
    pen.fillStyle = this.soft;
    pen.font = FONT;
    pen.lineWidth = 1;
    pen.strokeRect(left + 0.5, top + 0.5, right - left, bottom - top);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const [x, text] of this.xticks(...this.x, Math.max(2, Math.floor((right - left) / 80)))) {
      pen.fillText(text, this.across(x), bottom + 5);
    }
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const [y, text] of this.yticks(...this.y, rows(top, bottom))) {
      pen.fillText(text, left - 6, this.up(y));
    }
    pen.fillStyle = this.ink;
    pen.textAlign = "center";
    pen.textBaseline = "bottom";
    if (this.xlabel) pen.fillText(this.xlabel, (left + right) / 2, bottom + 36);
    if (this.ylabel) {
      pen.save();
      pen.translate(12, (top + bottom) / 2);
      pen.rotate(-Math.PI / 2);
      pen.textBaseline = "middle";
      pen.fillText(this.ylabel, 0, 0);
      pen.restore();
    }
  }

  _title(width) {
    if (!this.title) return;
    this.pen.font = `600 ${FONT.replace("12px", "13px")}`;
    this.pen.fillStyle = this.ink;
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.fillText(this.title, width / 2, 12);
  }

  // Drawing, in data units

  /** Rows of a table with two columns as discs. `color` may be a function of n. */
  points(T, { color = /** @type {string | ((n: number) => string)} */ (COLORS.point), size = 3.2, alpha = 1, hollow = false } = {}) {
    const { pen } = this;
    pen.globalAlpha = alpha;
    pen.lineWidth = 1.4; // of hollow ones
    const of = typeof color === "function" ? color : null;
    for (let n = 0; n < T.rows; n++) {
      if (of || n === 0) pen.fillStyle = pen.strokeStyle = of ? of(n) : String(color);
      pen.beginPath();
      pen.arc(this.across(T.data[n * T.columns]), this.up(T.data[n * T.columns + 1]), size, 0, 6.2832);
      if (hollow) pen.stroke();
      else pen.fill();
    }
    pen.globalAlpha = 1;
  }

  /** A line through the rows of a table; rows that are not numbers interrupt it. */
  curve(T, { color = COLORS.manifold, width = 2.4, dash = [], alpha = 1 } = {}) {
    const { pen } = this;
    pen.globalAlpha = alpha;
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.lineJoin = "round";
    pen.setLineDash(dash);
    pen.beginPath();
    let on = false;
    for (let n = 0; n < T.rows; n++) {
      const [x, y] = [T.data[n * T.columns], T.data[n * T.columns + 1]];
      if (!(Number.isFinite(x) && Number.isFinite(y))) on = false;
      else if (on) pen.lineTo(this.across(x), this.up(y));
      else {
        pen.moveTo(this.across(x), this.up(y));
        on = true;
      }
    }
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  segment(x0, y0, x1, y1, { color = this.soft, width = 1, dash = [] } = {}) {
    const { pen } = this;
    pen.strokeStyle = color;
    pen.lineWidth = width;
    if (dash.length) pen.setLineDash(dash);
    pen.beginPath();
    pen.moveTo(this.across(x0), this.up(y0));
    pen.lineTo(this.across(x1), this.up(y1));
    pen.stroke();
    if (dash.length) pen.setLineDash([]);
  }

  arrow(x0, y0, x1, y1, { color = COLORS.guide, width = 1.6, head = 6 } = {}) {
    const [a, b, c, d] = [this.across(x0), this.up(y0), this.across(x1), this.up(y1)];
    const long = Math.hypot(c - a, d - b);
    if (long < 1) return;
    const [u, v] = [(c - a) / long, (d - b) / long];
    const tip = Math.min(head, long / 2);
    const [e, f] = [c - u * tip, d - v * tip]; // where the shaft ends
    const [thin, wide] = [width / 2, tip / 2];
    const { pen } = this;
    pen.fillStyle = color;
    pen.beginPath(); // one shape, because browsers draw thousands of these faster than of two each
    pen.moveTo(a - v * thin, b + u * thin);
    pen.lineTo(e - v * thin, f + u * thin);
    pen.lineTo(e - v * wide, f + u * wide);
    pen.lineTo(c, d);
    pen.lineTo(e + v * wide, f - u * wide);
    pen.lineTo(e + v * thin, f - u * thin);
    pen.lineTo(a + v * thin, b - u * thin);
    pen.fill();
  }

  /** Where values on a grid (xs of the first of ys, and so on) cross a level: straight pieces, square by square. */
  border(values, xs, ys, level, { color = this.ink, width = 1.5 } = {}) {
    const { pen } = this;
    const [px, py] = [Array.from(xs, (x) => this.across(x)), Array.from(ys, (y) => this.up(y))];
    pen.strokeStyle = color;
    pen.lineWidth = width;
    let on = false;
    const side = (u, v, x0, y0, x1, y1) => {
      if (u > level === v > level) return;
      const t = (level - u) / (v - u);
      if (on) pen.lineTo(x0 + t * (x1 - x0), y0 + t * (y1 - y0));
      else pen.moveTo(x0 + t * (x1 - x0), y0 + t * (y1 - y0));
      on = !on;
    };
    for (let j = 0; j + 1 < py.length; j++) {
      pen.beginPath(); // browsers take much longer for one path of all lines than for many short ones
      for (let i = 0; i + 1 < px.length; i++) {
        const k = j * px.length + i;
        const a = values[k];
        const b = values[k + 1];
        const c = values[k + px.length + 1];
        const d = values[k + px.length];
        if (a > level === b > level && a > level === c > level && a > level === d > level) continue;
        on = false;
        side(a, b, px[i], py[j], px[i + 1], py[j]);
        side(b, c, px[i + 1], py[j], px[i + 1], py[j + 1]);
        side(c, d, px[i + 1], py[j + 1], px[i], py[j + 1]);
        side(d, a, px[i], py[j + 1], px[i], py[j]);
      }
      pen.stroke();
    }
  }

  /** The legend: a line for each look with its name, from so many pixels inside the picture; from its other side if negative. */
  key(looks, { names = this.legend, across = 12, down = 12 } = {}) {
    const x = across < 0 ? this.box.right + across : this.box.left + across;
    looks.forEach((look, k) => {
      const y = (down < 0 ? this.box.bottom + down : this.box.top + down) + 16 * k;
      this.segment(...this.at(x, y), ...this.at(x + 26, y), { width: 2, ...look });
      this.text(...this.at(x + 32, y), names[k]);
    });
  }

  ring(x, y, size = 8, { color = this.ink, width = 2 } = {}) {
    const { pen } = this;
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(this.across(x), this.up(y), size, 0, 6.2832);
    pen.stroke();
  }

  text(x, y, words, { color = this.ink, align = /** @type {CanvasTextAlign} */ ("left") } = {}) {
    const { pen } = this;
    pen.font = FONT;
    pen.fillStyle = color;
    pen.textAlign = align;
    pen.textBaseline = "middle";
    pen.fillText(words, this.across(x), this.up(y));
  }

  /** Values (rows x columns, the first row at the top) as an image over x and y; colour by [0, 1]. */
  image(values, rows, columns, x, y, color = cividis, smooth = false) {
    const canvas = this.store;
    if (canvas.width !== columns || canvas.height !== rows) Object.assign(canvas, { width: columns, height: rows });
    const pen = canvas.getContext("2d");
    if (this.pixels?.width !== columns || this.pixels.height !== rows) this.pixels = pen.createImageData(columns, rows);
    const { data } = this.pixels;
    for (let n = 0, at = 0; n < rows * columns; n++) {
      const shade = color(values[n]);
      data[at++] = shade[0];
      data[at++] = shade[1];
      data[at++] = shade[2];
      data[at++] = shade[3] ?? 255;
    }
    pen.putImageData(this.pixels, 0, 0);
    this.pen.imageSmoothingEnabled = smooth;
    const [left, top] = [this.across(x[0]), this.up(y[1])];
    this.pen.drawImage(canvas, left, top, this.across(x[1]) - left, this.up(y[0]) - top);
  }

  // The hand

  place(n) {
    const { points } = this.handles;
    return [points.data[n * points.columns], points.data[n * points.columns + 1]];
  }

  /** The handle nearest to a pixel, or -1. */
  nearest(px, py, reach) {
    let [best, least] = [-1, reach * reach];
    for (let n = 0; n < (this.handles?.points.rows ?? 0); n++) {
      const [x, y] = this.place(n);
      const t = (this.across(x) - px) ** 2 + (this.up(y) - py) ** 2;
      if (t < least) [best, least] = [n, t];
    }
    return best;
  }

  /** Whether a hand that goes down at a pixel holds something. Elsewhere, a finger scrolls the page. */
  holds(px, py, reach) {
    return this.area() || (!this.handles?.fixed && this.nearest(px, py, reach) >= 0);
  }

  _listen() {
    const { canvas } = this;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("touchstart", (event) => {
      const one = event.touches.length === 1; // two fingers zoom the page
      if (one && this.holds(...place(event.touches[0]), REACH.touch)) event.preventDefault();
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !event.isPrimary) return;
      const [px, py] = place(event);
      const [x, y] = this.at(px, py);
      if (event.pointerType !== "mouse") canvas.focus({ preventScroll: true }); // a mouse does it by itself
      this.held = this.handles?.fixed ? -1 : this.nearest(px, py, REACH[event.pointerType] ?? 14);
      if (this.held >= 0) this.focus(this.held);
      else this.ondown?.(x, y, event);
      canvas.setPointerCapture(event.pointerId);
      this.stage.redraw();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!event.isPrimary) return;
      const [px, py] = place(event);
      const [x, y] = this.at(px, py);
      if (this.held >= 0) this._move(this.held, x, y);
      else {
        this.onhover?.(x, y, event);
        const found = this.nearest(px, py, REACH.mouse);
        const grab = !this.handles?.fixed && found >= 0;
        canvas.style.cursor = grab ? "grab" : this.cursor;
        if (this.onhover || found !== this.pointed) this.stage.redraw();
        this.pointed = found;
      }
    });
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(kind, (event) => {
        if (!event.isPrimary) return;
        if (this.held >= 0) this.handles.onrelease?.(this.held);
        this.held = -1;
        this.onup?.(event);
        this.stage.redraw();
      });
    }
    canvas.addEventListener("pointerleave", () => {
      this.pointed = -1;
      this.onleave?.();
      this.stage.redraw();
    });
    canvas.addEventListener("focus", () => {
      if (this.handles?.points.rows && this.focused < 0) this.focused = this.handles.first ?? 0;
      this.stage.redraw();
    });
    canvas.addEventListener("blur", () => {
      this.pointed = -1;
      this.stage.redraw();
    });
    canvas.addEventListener("keydown", (event) => this._key(event));
  }

  /** The point that arrow keys move. */
  focus(n) {
    this.focused = n;
    this.handles.onfocus?.(n);
  }

  _move(n, x, y) {
    this.handles.onmove(n, x, y);
    this.stage.redraw();
  }

  /** Every pointer action has a keyboard way: N and P choose a point, arrows move it. */
  _key(event) {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (this.onkey?.(event, by)) {
      event.preventDefault();
      this.stage.redraw();
      return;
    }
    if (!this.handles?.points.rows) return;
    const number = this.handles.points.rows;
    if (by && this.handles.onmove) {
      const far = event.shiftKey ? 0.05 : 0.01;
      const [x, y] = this.place(Math.max(this.focused, 0));
      this._move(this.focused, x + by[0] * far * (this.x[1] - this.x[0]), y + by[1] * far * (this.y[1] - this.y[0]));
      this.handles.onrelease?.(this.focused); // each press is a gesture of its own
    } else if (event.key === "n" || event.key === "p") {
      this.focus((this.focused + (event.key === "n" ? 1 : number - 1)) % number);
    } else return;
    this.pointed = this.focused; // so that its label is drawn
    if (this.handles.name) this.stage.named.textContent = this.told(this.focused);
    event.preventDefault();
    this.stage.redraw();
  }
}

/** How many ticks an upward axis may have between two pixels. */
function rows(top, bottom) {
  return Math.max(2, Math.floor((bottom - top) / 50));
}

/** As many round numbers between low and high as possible, but at most so many, each with its text. */
export function ticks(low, high, most) {
  if (!(high > low)) return [];
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const numbers = [1, 2, 5, 10, 20].map((k) => {
    const step = k * power;
    const [first, last] = [Math.ceil(low / step - 1e-9), Math.floor(high / step + 1e-9)];
    return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  });
  return numbers.find((found) => found.length <= most).map((x) => [x, plain(x)]);
}

/** Ticks of an axis that has decimal logarithms as its units, named by the numbers themselves. */
export function log_ticks(low, high, most) {
  const within = (digits) => {
    const found = [];
    for (let power = Math.floor(low); power <= high; power++) {
      for (const digit of digits) {
        const at = power + Math.log10(digit);
        if (at >= low - 1e-9 && at <= high + 1e-9) found.push([at, plain(digit * 10 ** power)]);
      }
    }
    return found;
  };
  const dense = [[1, 2, 5], [1, 3], [1]].map(within).find((found) => found.length <= most);
  if (dense) return dense;
  const whole = within([1]);
  return whole.filter((_, k) => k % Math.ceil(whole.length / most) === 0);
}

function plain(x, digits = 6) {
  return String(Number(x.toPrecision(digits))).replace("-", "−");
}

// ------------------------------------------------------------------------- numbers that glide

const GLIDE = 90; // ms in which most of the way is gone

/** A number that plays up to the last one, so many in a second, and glides to where it is set. */
export class Gliding {
  goal = 0;
  /** @type {number | null} */ played = null; // when it has played, and
  /** @type {number | null} */ drawn = null; // been drawn, if it moves
  at = 0;

  constructor(last, pace = 0) {
    this.last = last;
    this.pace = pace;
  }

  to(goal) {
    this.goal = goal;
    if (calm()) this.at = goal;
  }

  /** Go on to a time of the clock, or by one if there is none, and return the whole number. */
  play(now) {
    if (this.goal >= this.last) this.goal = this.at = 0;
    if (now === undefined) this.to(Math.min(Math.floor(this.goal + 1e-9) + 1, this.last));
    else {
      const passed = this.played === null ? 0 : Math.min(now - this.played, 100);
      this.at = this.goal = Math.min(this.goal + (this.pace * passed) / 1000, this.last);
    }
    this.played = this.goal < this.last ? now ?? null : null;
    return Math.floor(this.goal + 1e-9);
  }

  /** Glide on until now, in a picture. @returns {boolean} whether the next picture differs */
  glide() {
    const now = performance.now();
    const passed = this.drawn === null ? 16 : Math.min(now - this.drawn, 100);
    const away = this.goal - this.at;
    this.drawn = away ? now : null;
    this.at = Math.abs(away) < 0.01 ? this.goal : this.at + (1 - Math.exp(-passed / GLIDE)) * away;
    return away !== 0;
  }
}

// ----------------------------------------------------------------------- work that takes several frames

/**
 * A long computation, a little in each frame: `result` is that of the latest one that has ended. Whoever changes what
 * it follows from sets `stale`; one that runs still ends, so that the picture moves with the hand.
 */
export class Work {
  result = null;
  /** @type {Generator | null} */ running = null;
  stale = true;

  /** `begin` returns a generator that computes the result from what there is then. */
  constructor(begin) {
    this.begin = begin;
  }

  /** Whether the result is that of what there is now. */
  get done() {
    return !this.stale && !this.running;
  }

  /** Go on for so many ms. @returns {boolean} whether there is more to do */
  go_on(budget) {
    const end = performance.now() + budget;
    while (!this.done && performance.now() < end) {
      if (!this.running) {
        this.stale = false;
        this.running = this.begin();
      }
      const { done, value } = this.running.next();
      if (done) [this.result, this.running] = [value, null];
    }
    return !this.done;
  }
}

// ------------------------------------------------------------------------- turning a solid by hand

/** A view of three dimensions that the hand turns; `place` gives the two coordinates to draw. */
export class View {
  constructor(plot, { azimuth = -1, height = 0.35 } = {}) {
    this.plot = plot;
    this.azimuth = azimuth;
    this.height = height;
    this.zoom = 1;
    this.fingers = new Map(); // where each is, while it is down
    plot.stage.views.push(this);
    plot.cursor = "grab";
    plot.area = () => true;
    plot.ondown = (x, y, event) => (this.from = [event.clientX, event.clientY]);
    plot.onhover = (x, y, event) => {
      if (!this.from || this.fingers.size > 1) return;
      this.turn((event.clientX - this.from[0]) / 120, (event.clientY - this.from[1]) / 120);
      this.from = [event.clientX, event.clientY];
    };
    plot.onup = () => (this.from = null);
    plot.onkey = (event, by) => {
      const closer = { "+": 1.1, "=": 1.1, "-": 1 / 1.1 }[event.key];
      if (by) this.turn(0.1 * by[0], -0.1 * by[1]);
      else if (closer) this.scale(closer);
      else return false;
      return true;
    };
    this._pinch(plot.canvas);
    plot.stage.help("Drag the solid to turn it, or press arrow keys when it has the focus. Two fingers bring it closer, " +
      "and so do the keys + and −.");
  }

  /** Two fingers on the solid bring it closer; so does the wheel with Ctrl, which is a pinch on a touchpad. */
  _pinch(canvas) {
    canvas.style.touchAction = "pan-y";
    canvas.addEventListener("touchstart", (event) => {
      if (event.touches.length === 2) event.preventDefault();
    }, { passive: false });
    const apart = () => {
      const [a, b] = this.fingers.values();
      return Math.hypot(a[0] - b[0], a[1] - b[1]);
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch") this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.fingers.has(event.pointerId)) return;
      const before = this.fingers.size === 2 ? apart() : null;
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (before) this.scale(apart() / before);
    });
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(kind, (event) => {
        this.fingers.delete(event.pointerId);
        this.from = null; // the finger that is left would turn it with a jump
      });
    }
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.scale(Math.exp(-event.deltaY / 200));
    }, { passive: false });
  }

  scale(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.5), 8);
    this.plot.stage.redraw();
  }

  turn(across, up) {
    this.azimuth += across;
    this.height = Math.min(Math.max(this.height + up, -1.5), 1.5);
  }

  /** Two columns to draw and one of depth, of points with three columns. */
  place(T) {
    const [c, s] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ch, sh] = [Math.cos(this.height), Math.sin(this.height)];
    const placed = zeros(T.rows, 3);
    for (let n = 0; n < T.rows; n++) {
      const [x, y, z] = [T.data[3 * n], T.data[3 * n + 1], T.data[3 * n + 2]];
      const across = c * x - s * y;
      const away = s * x + c * y;
      placed.data[3 * n] = this.zoom * across;
      placed.data[3 * n + 1] = this.zoom * (ch * z - sh * away);
      placed.data[3 * n + 2] = ch * away + sh * z;
    }
    return placed;
  }

  /** The order in which points are drawn: the farthest first. */
  order(placed) {
    return Array.from({ length: placed.rows }, (_, n) => n).sort(
      (a, b) => placed.data[3 * b + 2] - placed.data[3 * a + 2],
    );
  }
}

// ------------------------------------------------------------------------- the address of a state

const ASKED = "ukr-address"; // the event by which a button asks all explorables of a page for their states

/** Longer lists of numbers as a text that keeps all their digits, for JSON. */
function pack(_, value) {
  if (!(Array.isArray(value) && value.length > 4 && value.every(Number.isFinite))) return value;
  const bytes = new Uint8Array(Float64Array.from(value).buffer);
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `~${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

function unpack(_, value) {
  if (typeof value !== "string" || value[0] !== "~") return value;
  const text = atob(value.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  return Array.from(new Float64Array(Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer));
}

/**
 * An explorable whose state is in the address of the page, if a button has put it there: the values of its controls as
 * name.key=value, what the hand has made, as the kernel would be told, as name.hand, and how solids are turned. What
 * else it remembers is not: the moves so far and the search that makes them, which begin anew, and how near one looks.
 * An address that cannot be read, or that leads to nonsense, shows the explorable as it is at first.
 * @param {(host: HTMLElement, given: object, link: object) => Stage} show
 */
export function with_address(show, host, { given, values }, name) {
  let stage = /** @type {Stage | null} */ (null);
  let hand = /** @type {object | null} */ (null);
  let [first, turned] = ["", ""]; // what the hand has made, and how solids are turned, before anything is moved
  const views = () => String(stage.views.map(({ azimuth, height, zoom }) => [azimuth, height, zoom]));
  const link = { values() {}, out: (/** @type {object} */ out) => (hand = out) };
  const made = () => {
    stage.tell();
    return hand ? JSON.stringify(hand, pack) : "";
  };
  function open(/** @type {Record<string, string>} */ told) {
    stage?.close();
    hand = null;
    stage = show(host, given, link);
    stage.set(values);
    [first, turned] = [made(), views()];
    stage.button("Copy address", copy, true);
    if (told.hand) {
      const before = JSON.parse(told.hand, unpack);
      stage.put(before);
      hand = before;
    }
    const read = (text, like) => (typeof like === "number" ? Number(text) : typeof like === "boolean" ? JSON.parse(text) : text);
    stage.set(Object.fromEntries(Object.entries(values).map(([key, v]) => [key, key in told ? read(told[key], v) : v])));
    const angles = (told.turned ?? "").split(",").map(Number);
    if (angles.length === 3 * stage.views.length && angles.every(Number.isFinite)) {
      stage.views.forEach((view, k) => ([view.azimuth, view.height, view.zoom] = angles.slice(3 * k)));
    }
    if (!host.clientWidth || !Object.keys(told).length) return;
    stage._paint();
    if (/NaN|undefined|Infinity/.test(String(stage.summary()))) throw new Error("no state of this explorable");
  }
  function read_address() {
    const all = [...new URLSearchParams(location.hash.slice(1))];
    const told = Object.fromEntries(all.filter(([key]) => key.startsWith(`${name}.`)).map(([key, v]) => [key.slice(name.length + 1), v]));
    if (stage && !Object.keys(told).length) return;
    try {
      open(told);
    } catch {
      open({});
    }
    if (all[0]?.[0].startsWith(`${name}.`)) requestAnimationFrame(() => host.scrollIntoView({ block: "center" }));
  }
  async function copy(/** @type {HTMLButtonElement} */ button) {
    const all = new URLSearchParams();
    document.dispatchEvent(new CustomEvent(ASKED, { detail: all }));
    history.replaceState(null, "", `#${all}`);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    button.textContent = copied ? "Address copied" : "It is in the address bar";
  }
  read_address(); // what cannot be shown throws, and hears nothing
  document.addEventListener(ASKED, (/** @type {CustomEventInit} */ { detail }) => {
    stage.stop();
    const now = made();
    const changed = Object.keys(values).some((key) => stage.values[key] !== values[key]);
    if (!changed && now === first && views() === turned) return;
    for (const [key, value] of Object.entries(stage.values)) detail.set(`${name}.${key}`, value);
    if (now !== first) detail.set(`${name}.hand`, now);
    if (stage.views.length) detail.set(`${name}.turned`, views());
  });
  addEventListener("hashchange", read_address);
  return () => stage;
}
