// Be the gradient: latent points that the hand moves to lower the error, the forces on them, and RPROP.

import { rprop } from "./core/descent.js";
import { kernels } from "./core/kernel_regression.js";
import { copy, extent, finished, rows_of, table, zeros } from "./core/tables.js";
import { errors, pair_forces_of, reconstruction_error } from "./core/ukr.js";
import { COLORS, Stage } from "./stage.js";

const LONGEST = 0.16; // the longest arrow, as a share of latent space
const SHOWN = 50; // strongest addends that are shown; one more link of the chain stands for all others
const THICKEST = 4.5; // the line of the strongest addend, in pixels
const STEPS = 300; // of RPROP, at most
const MANY = 300; // points; with more, the forces on the chosen one wait until nothing moves
const FRAME = 1.15; // half the width of the chain's frame, relative to its extent
const [TOWARDS, AWAY] = COLORS.classes;
const [BY_HAND, BY_RPROP] = [COLORS.classes[3], COLORS.good];

/**
 * @param {HTMLElement} host
 * @param {object} given X: latent points in two columns; Y: data; kernel: its name
 * @param {object} link tells the kernel what has become of the points, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const [, REBUILT, HELPER] = given.controls.addends.options;
  const kernel = kernels[given.kernel];
  const Y = table(given.Y);
  const N = Y.rows;
  let X = table(given.X);
  let gradient, error; // of the points as they are now
  let history, taken; // [error, by] after each move; RPROP's steps since the hand's last
  let descent = null;
  let differences = null; // of the chosen point, or null if they must be measured
  let measuring = null; // as a generator

  const of_points = stage.plot("points", { equal: true, aspect: 1, grow: 1.5 });
  const into = stage.column();
  const of_chain = stage.plot("chain", { equal: true, aspect: 0.56, frame: false, x: [-FRAME, FRAME], y: [-FRAME, FRAME],
    into, still: true });
  const of_history = stage.plot("history", { aspect: 0.54, into, still: true });
  let spread = 1; // of the latent points

  const objective = (X) => reconstruction_error(X, Y, kernel, stage.values.leave_one_out);
  function evaluate() {
    ({ error, gradient } = objective(X));
    differences = measuring = null;
  }
  function begin(points) {
    X = points;
    evaluate();
    history = [[error, "start"]];
    taken = 0;
    descent = null;
    frame();
    past.forget();
  }
  const tell = stage.tell = () => link.out({ X: Array.from(X.data), error });
  function advance() {
    if (!descent) {
      descent = rprop(objective, X);
      descent.next();
      taken = 0;
    }
    ({ X, error, gradient } = descent.next().value);
    differences = measuring = null;
    history.push([error, "RPROP"]);
    taken += 1;
    frame();
    past.keep();
    const more = taken < STEPS;
    if (!more || taken % 20 === 0) tell();
    return more;
  }
  /** Limits for the points as they are; they stay while the hand holds one. */
  function frame() {
    if (of_points.held >= 0) return;
    const [across, up] = [extent(X, 0), extent(X, 1)];
    spread = Math.max(across[1] - across[0], up[1] - up[0]) || 1;
    const around = (/** @type {number[]} */ [low, high]) => [low - 0.1 * spread, high + 0.1 * spread];
    of_points.limits(around(across), around(up));
  }

  stage.player(advance, { play: "RPROP", pause: "Pause", step: "One step", stepwise: true });
  stage.button("Reset", () => {
    stage.stop();
    stage.reset();
    begin(table(given.X));
    tell();
  });
  const past = stage.past({
    now: () => ({ X: copy(X), history, moves: history.length, taken }),
    put(kept) {
      X = copy(kept.X);
      history = kept.history.slice(0, kept.moves);
      taken = kept.taken;
      descent = null;
      evaluate();
      frame();
      tell();
    },
  });
  const unmeasured = () => { differences = measuring = null; };
  stage.slider("point", { more: true }, unmeasured);
  stage.choice("addends");
  stage.slider("step", { more: true }, unmeasured);
  stage.toggle("leave_one_out", { more: true }, () => begin(X));
  stage.help("Keys, when the points have the focus: N and P choose a point, the arrows move it (with Shift: further).");
  stage.onvalues = link.values;
  stage.put = (things) => {
    if (!things.X) return;
    stage.stop();
    begin(rows_of(things.X.flat(), 2));
    stage.redraw();
  };
  begin(X);

  of_points.handles = {
    points: X,
    onmove(n, x, y) {
      if (!stage.playing) X = copy(X);
      X.data[2 * n] = x;
      X.data[2 * n + 1] = y;
      descent = null;
      evaluate();
    },
    onfocus(n) {
      stage.shown.point.show(n);
      stage.onvalues({ ...stage.values });
      differences = measuring = null;
    },
    onrelease: released,
    name: (n) => `latent point ${n}`,
  };
  function released() {
    of_points.held = -1;
    if (history.at(-1)[0] !== error) {
      history.push([error, "hand"]);
      past.keep();
    }
    frame();
    tell();
  }

  /** 2/N (q_nm + q_mn)(x_m - x_n) for all m, or one of the two halves: (29), (32). */
  function addends(n) {
    const { rebuilt, helper } = pair_forces_of(n, X, Y, kernel, stage.values.leave_one_out);
    const part = stage.values.addends;
    const all = zeros(N, 2);
    for (let m = 0; m < N; m++) {
      const force = (2 / N) * ((part === HELPER ? 0 : rebuilt[m]) + (part === REBUILT ? 0 : helper[m]));
      for (const k of [0, 1]) all.data[2 * m + k] = force * (X.data[2 * m + k] - X.data[2 * n + k]);
    }
    return all;
  }
  /** Central differences of the error along the two coordinates of a point, one evaluation at a time. */
  function* difference(n) {
    const by = stage.values.step;
    const which = stage.values.leave_one_out ? "R_cv" : "R";
    const ends = [];
    for (const k of [0, 1]) {
      for (const sign of [1, -1]) {
        const there = copy(X);
        there.data[2 * n + k] += sign * by;
        ends.push(errors(there, Y, kernel)[which]);
        yield;
      }
    }
    return [(ends[0] - ends[1]) / (2 * by), (ends[2] - ends[3]) / (2 * by)];
  }
  /** Measure the differences: at once if that is fast, else one evaluation in each frame. */
  function measure(n) {
    if (differences) return;
    measuring ??= difference(n);
    if (N <= MANY) differences = finished(measuring);
    else {
      const { done, value } = measuring.next();
      if (done) differences = value;
      else stage.redraw();
    }
  }

  // What is seen

  let now = null;
  stage.draw = () => {
    const n = stage.values.point;
    const own = Array.from(gradient.data.subarray(2 * n, 2 * n + 2));
    const moving = N > MANY && (of_points.held >= 0 || stage.playing);
    if (!moving) measure(n);
    if (!differences) {
      draw_points(n, [], null, 0, null);
      draw_history();
      now = null;
      return;
    }
    const all = addends(n);
    const size = Float64Array.from({ length: N }, (_, m) => Math.hypot(all.data[2 * m], all.data[2 * m + 1]));
    const most = size.reduce((a, b) => Math.max(a, b), 0);
    const pulls = (m) => all.data[2 * m] * (X.data[2 * m] - X.data[2 * n]) +
      all.data[2 * m + 1] * (X.data[2 * m + 1] - X.data[2 * n + 1]) < 0;
    const order = Array.from(size.keys()).filter((m) => size[m] > 1e-3 * most).sort((a, b) => size[b] - size[a]).slice(0, SHOWN);
    const total = [0, 1].map((k) => { let sum = 0; for (let m = 0; m < N; m++) sum += all.data[2 * m + k]; return sum; });
    draw_points(n, order, size, most, pulls);
    draw_chain(all, own, total, order, pulls);
    draw_history();
    let pulling = 0;
    for (let m = 0; m < N; m++) if (size[m] > 0 && pulls(m)) pulling += 1;
    now = { n, own, total, pulling, strongest: order[0] ?? n, pull: order.length ? pulls(order[0]) : false };
  };
  const look = (pulling) => (pulling ? { color: TOWARDS, dash: [] } : { color: AWAY, dash: [5, 3] });
  function draw_points(n, order, size, most, pulls) {
    of_points.handles.points = X;
    of_points.handles.first = n;
    const at = (m) => [X.data[2 * m], X.data[2 * m + 1]];
    for (const m of order) of_points.segment(...at(n), ...at(m), { ...look(pulls(m)), width: (THICKEST * size[m]) / most });
    of_points.points(X, { color: COLORS.point, size: N > 300 ? 2.2 : 4 });
    let longest = 0;
    for (let m = 0; m < N; m++) longest = Math.max(longest, Math.hypot(gradient.data[2 * m], gradient.data[2 * m + 1]));
    const scale = (LONGEST * spread) / (longest || 1);
    for (let m = 0; m < N; m++) {
      const [x, y] = at(m);
      of_points.arrow(x, y, x - scale * gradient.data[2 * m], y - scale * gradient.data[2 * m + 1], { color: of_points.ink });
    }
    of_points.ring(...at(n), 9);
    of_points.key([true, false].map((pulling) => ({ ...look(pulling), width: 3 })));
  }
  function draw_chain(all, own, total, order, pulls) {
    const places = [[0, 0]];
    for (const m of order) places.push([places.at(-1)[0] - all.data[2 * m], places.at(-1)[1] - all.data[2 * m + 1]]);
    places.push(total.map((v) => -v));
    const unit = Math.max(...places.flat().map(Math.abs), ...own.map(Math.abs)) || 1;
    const p = places.map(([a, b]) => [a / unit, b / unit]);
    of_chain.segment(-9, 0, 9, 0, { color: of_chain.faint });
    of_chain.segment(0, -9, 0, 9, { color: of_chain.faint });
    for (let k = 1; k < p.length; k++) {
      const kind = k <= order.length ? look(pulls(order[k - 1])) : { color: COLORS.point };
      of_chain.segment(...p[k - 1], ...p[k], { ...kind, width: 2 });
    }
    const [a, b] = own.map((v) => -v / unit);
    of_chain.arrow(0, 0, a, b, { color: of_chain.ink, width: 1.4, head: 9 });
    const [c, d] = differences.map((v) => Math.min(Math.max(-v / unit, -FRAME), FRAME));
    const [px, py] = [of_chain.across(c), of_chain.up(d)];
    for (const sign of [1, -1]) {
      of_chain.segment(...of_chain.at(px - 6, py - 6 * sign), ...of_chain.at(px + 6, py + 6 * sign),
        { color: COLORS.good, width: 2.4 });
    }
  }
  function draw_history() {
    const highest = history.reduce((most, [v]) => Math.max(most, v), error);
    const last = history.length - 1;
    of_history.limits([0, Math.max(last + 1, 10)], [0, 1.1 * highest || 1]);
    for (let k = 1; k <= last; k++) {
      const by = history[k][1] === "hand" ? BY_HAND : BY_RPROP;
      of_history.segment(k - 1, history[k - 1][0], k, history[k][0], { color: by, width: 2.4 });
    }
    if (of_points.held >= 0) of_history.segment(last, history[last][0], last + 1, error, { color: BY_HAND, dash: [3, 3], width: 2 });
    const here = of_points.held >= 0 ? last + 1 : last;
    of_history.points(rows_of([here, error], 2), { color: of_history.ink, size: 4 });
    of_history.key([BY_HAND, BY_RPROP].map((color) => ({ color, width: 3 })), { across: -104 }); // the curve mostly falls
  }

  stage.summary = () => {
    const vector = (v) => v.map((c) => c.toFixed(6)).join(", ");
    const name = stage.values.leave_one_out ? "R_cv" : "R";
    const by = (who) => history.filter(([, w]) => w === who).length;
    const gained = (who) => history.reduce((sum, [v, w], k) => (w === who ? sum + v - history[k - 1][0] : sum), 0);
    const change = (who, number, words) => {
      if (!number) return "";
      const by = gained(who);
      const did = `${by <= 0 ? "lowered" : "raised"} it by ${Math.abs(by).toPrecision(3)}`;
      return ` ${words} ${did} in ${number} ${number === 1 ? "move" : "moves"}.`;
    };
    const moves = change("hand", by("hand"), "Your hand has") + change("RPROP", by("RPROP"), "RPROP has");
    const first = `Error ${name} = ${error.toPrecision(4)}.${moves}`;
    if (!now) return first;
    const { n, own, total, pulling, strongest, pull } = now;
    const off = Math.hypot(...differences.map((v, k) => v - own[k])) / (Math.hypot(...own) || 1);
    return `${first} Point ${n}: gradient (${vector(own)}), sum of the addends shown (${vector(total)}), of which ` +
      `${pulling} pull it towards another point; the strongest ${pull ? "pulls it towards" : "pushes it away from"} ` +
      `point ${strongest}. Differences with step ${stage.values.step.toExponential(1)} deviate by ` +
      `${off.toExponential(0)} of the gradient's length.`;
  };
  stage.redraw();
  return stage;
}
