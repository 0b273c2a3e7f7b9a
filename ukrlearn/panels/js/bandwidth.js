// The bandwidth of kernel regression: points that the hand moves, and a score for those who choose well.

import { kernels, predict, weights } from "./core/kernel_regression.js";
import { extent, rows_of, table, zeros } from "./core/tables.js";
import { errors } from "./core/ukr.js";
import { COLORS, Stage, log_ticks } from "./stage.js";
import { drawing } from "./drawing.js";

const GRID = 260; // places along the curve
const TRIALS = 121; // bandwidths that the score is the best of
const BUDGET = 4; // ms of a frame for trying bandwidths
const FIRST = 25; // ms that trying them may take before anything is shown
const MANY = 300; // points; with more, no bandwidths are tried while something moves
const VISITED = 400; // bandwidths whose errors stay visible
const UNSEEN = 1e-6; // a smaller weight is less than a pixel high, even on the root scale
const NEAR = 1.05; // times the score counts as close
const HERE = "#cc79a7"; // what belongs to the place under the pointer
const CV = COLORS.guide;
const PLAIN = COLORS.good;
const root_ticks = () => [0, 0.05, 0.2, 0.5, 1].map((b) => [Math.sqrt(b), String(b)]);

/**
 * @param {HTMLElement} host
 * @param {object} given points: rows of x and y, by x; kernel: its name
 * @param {object} link tells the kernel what has become of the points, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const kernel = kernels[given.kernel];
  const { low, high } = given.controls.bandwidth;
  const trials = Float64Array.from({ length: TRIALS }, (_, k) => low * (high / low) ** (k / (TRIALS - 1)));
  const order = [8, 4, 2, 1].flatMap((step) => Array.from({ length: TRIALS }, (_, k) => k).filter(
    (k) => k % step === 0 && (step === 8 || k % (2 * step) !== 0)));
  let P; // the points, and below what follows from them
  let x, X, Y;
  let tried, found, visited;
  let errors_now = null; // and the bandwidth they belong to, until the points change
  let place = null; // under the pointer, or null
  let revealed = false;
  let limits = null; // of the errors, as decimal logarithms

  const column = stage.column(6);
  const of_data = stage.plot("data", { aspect: 0.54, left: 58, into: column });
  const of_weights = stage.plot("weights", { y: [0, 1.02], aspect: 0.36, left: 58, yticks: root_ticks, into: column });
  const of_errors = stage.plot("errors", { aspect: 1.4, x: [Math.log10(low), Math.log10(high)], xticks: log_ticks,
    yticks: log_ticks });

  // The data

  function use(points) {
    P = points;
    changed();
  }
  function changed() {
    const N = P.rows;
    if (X?.rows !== N) [x, X, Y] = [new Float64Array(N), zeros(N, 1), zeros(N, 1)];
    for (let n = 0; n < N; n++) [x[n], Y.data[n]] = [P.data[2 * n], P.data[2 * n + 1]];
    if (of_data.handles) of_data.handles.points = P;
    tried = 0;
    found = [];
    visited = [];
    errors_now = null;
  }
  const scaled = (h) => {
    for (let n = 0; n < x.length; n++) X.data[n] = x[n] / h;
    return X;
  };
  function frame() {
    const [across, up] = [extent(P, 0), extent(P, 1)];
    const [wide, tall] = [across[1] - across[0] || 1, up[1] - up[0] || 1];
    of_data.limits([across[0] - 0.03 * wide, across[1] + 0.03 * wide], [up[0] - 0.2 * tall, up[1] + 0.2 * tall]);
    of_weights.limits(of_data.wanted.x, of_weights.wanted.y);
  }
  /** Points by x, so that their numbers mean something; the chosen one stays chosen. */
  function sort() {
    const by_x = Array.from({ length: P.rows }, (_, n) => n).sort((a, b) => P.data[2 * a] - P.data[2 * b]);
    const sorted = zeros(P.rows, 2);
    by_x.forEach((from, to) => sorted.data.set(P.data.subarray(2 * from, 2 * from + 2), 2 * to));
    const now = by_x.indexOf(chosen());
    if (of_data.focused >= 0) of_data.focused = by_x.indexOf(of_data.focused);
    use(sorted);
    stage.shown.point.extend(P.rows);
    stage.shown.point.show(now + 1);
  }
  function done() {
    sort();
    limits = null;
    link.out({ points: Array.from(P.data) });
    link.values({ ...stage.values });
  }
  const chosen = () => Math.min(stage.values.point, P.rows) - 1;

  // The score: the least of many leave-one-out errors, tried a few in each frame

  const missing = () => tried < TRIALS;
  function attempt(budget) {
    const end = performance.now() + budget;
    while (missing() && performance.now() < end) {
      const k = order[tried++];
      const { R, R_cv } = errors(scaled(trials[k]), Y, kernel);
      found[k] = { h: trials[k], R, R_cv };
    }
  }
  const score = () => found.reduce((least, one) => Math.min(least, one.R_cv), Infinity);
  function ranges() {
    const [least, most] = [Math.max(score(), 1e-12), found.reduce((m, { R, R_cv }) => Math.max(m, R, R_cv), 1e-9)];
    limits = [Math.log10(least / 50), Math.log10(2 * most)];
    of_errors.limits(of_errors.wanted.x, limits);
  }

  use(table(given.points));
  stage.slider("bandwidth");
  stage.slider("point", { more: true });
  stage.toggle("left_out", { more: true });
  stage.onvalues = link.values;
  stage.put = (things) => {
    use(rows_of(things.points.flat(), 2));
    sort();
    frame();
    limits = null;
    stage.redraw();
  };

  // The hand

  of_data.handles = {
    points: P,
    onmove(n, a, b) {
      P.data.set(of_data.inside(a, b), 2 * n);
      place = null;
      changed();
    },
    onfocus(n) {
      stage.shown.point.show(n + 1);
      stage.onvalues({ ...stage.values });
      place = null;
    },
    onrelease: done,
    name: (n) => `point ${n + 1}`,
  };
  for (const plot of [of_data, of_weights]) {
    plot.onhover = plot.ondown = (a) => {
      place = a >= plot.x[0] && a <= plot.x[1] ? a : null;
      stage.redraw();
    };
    plot.onleave = () => {
      place = null;
      stage.redraw();
    };
  }
  of_weights.onkey = (event, by) => {
    if (!by) return false;
    const [from, to] = of_weights.x;
    const along = (event.shiftKey ? 0.05 : 0.01) * by[0] * (to - from);
    place = Math.min(Math.max((place ?? x[chosen()]) + along, from), to);
    return true;
  };
  const dot = zeros(1, 2);
  of_errors.handles = {
    points: dot,
    onmove(_, to) {
      stage.set({ bandwidth: Math.min(Math.max(10 ** to, low), high) });
      stage.onvalues({ ...stage.values });
    },
  };
  const hand = drawing(stage, of_data, {
    number: () => P.rows,
    least: 2,
    add(a, b) {
      const more = zeros(P.rows + 1, 2);
      more.data.set(P.data);
      more.data.set([a, b], 2 * P.rows);
      use(more);
    },
    remove(n) {
      const less = zeros(P.rows - 1, 2);
      less.data.set(P.data.subarray(0, 2 * n));
      less.data.set(P.data.subarray(2 * n + 2), 2 * n);
      if (chosen() > n) stage.shown.point.show(chosen());
      use(less);
      if (chosen() < 0 || stage.values.point > P.rows) stage.shown.point.show(P.rows);
    },
    done,
  });
  const reveal = stage.button("Show all errors", () => {
    revealed = !revealed;
    reveal.textContent = revealed ? "Hide the errors" : "Show all errors";
  });
  stage.button("Reset", () => {
    use(table(given.points));
    stage.shown.point.extend(P.rows);
    stage.reset();
    hand.mode(null);
    if (revealed) reveal.click();
    frame();
    done();
  });
  frame();
  attempt(FIRST);

  // What is seen

  let now = null; // the numbers of the last picture, for the words
  const grid = zeros(GRID, 1);
  const curve = zeros(GRID, 2);
  const bell = zeros(GRID, 2);
  stage.draw = () => {
    const h = stage.values.bandwidth;
    const N = P.rows;
    const resting = of_data.held < 0 && now?.h === h && now.place === place;
    if (resting || N <= MANY) attempt(BUDGET);
    if (missing()) stage.redraw();
    if (!limits && !missing()) ranges();
    scaled(h);
    if (errors_now?.h !== h) errors_now = { h, ...errors(X, Y, kernel) };
    const { R, R_cv, left_out } = errors_now;
    const k = chosen();
    const out = place === null && stage.values.left_out ? k : -1;
    const at = place ?? x[k];
    const [inputs, outputs] = out < 0 ? [X, Y] : [without(X, out), without(Y, out)];
    const b = weights(rows_of([at / h]), inputs, kernel).data;
    const f = b.reduce((sum, weight, n) => sum + weight * outputs.data[n], 0);

    const [from, to] = of_data.x;
    for (let g = 0; g < GRID; g++) grid.data[g] = (from + ((to - from) * g) / (GRID - 1)) / h;
    const values = predict(grid, inputs, outputs, kernel).data;
    let total = 0;
    for (let n = 0; n < inputs.rows; n++) total += kernel.value((inputs.data[n] - at / h) ** 2);
    for (let g = 0; g < GRID; g++) {
      curve.data.set([grid.data[g] * h, values[g]], 2 * g);
      const share = total > 1e-150 ? kernel.value((grid.data[g] - at / h) ** 2) / total : NaN;
      bell.data.set([grid.data[g] * h, Math.sqrt(share)], 2 * g);
    }
    for (let n = 0; n < N; n++) of_data.segment(x[n], Y.data[n], x[n], left_out.data[n], { color: `${CV}99`, width: 1.5 });
    of_data.points(P, { color: COLORS.point, size: N > 300 ? 2.4 : 4 });
    of_data.curve(curve, { color: COLORS.manifold, width: 2.6 });
    for (const plot of [of_data, of_weights]) plot.segment(at, plot.y[0], at, plot.y[1], { color: HERE, dash: [4, 3] });
    of_data.ring(at, f, 5, { color: HERE, width: 2.5 });
    if (place === null) {
      of_data.segment(at, Y.data[k], at, f, { color: HERE, width: 2.5 });
      of_data.ring(at, Y.data[k], 8, { color: HERE });
    }
    if (missing() && of_data.held < 0) of_data.text(from + 0.02 * (to - from), of_data.y[0] + 0.06 * (of_data.y[1] - of_data.y[0]),
      `trying bandwidths: ${tried} of ${TRIALS}`, { color: of_data.soft });

    of_weights.curve(bell, { color: COLORS.point, width: 1.2, dash: [4, 3] });
    for (let n = 0, m = 0; n < N; n++) {
      if (n === out) continue;
      const weight = b[m++];
      if (weight > UNSEEN) of_weights.segment(x[n], 0, x[n], Math.sqrt(weight), { color: HERE, width: N > 300 ? 1.5 : 3.5 });
    }

    draw_errors(h, R, R_cv);
    now = { h, R, R_cv, k, out, at, f, b, place };
  };
  function draw_errors(h, R, R_cv) {
    const there = Math.log10(h);
    const log = (error) => Math.log10(Math.max(error, 1e-12));
    if (visited.at(-1)?.[0] !== there) visited.push([there, log(R), log(R_cv)]);
    if (visited.length > VISITED) visited.shift();
    if (revealed) {
      const known = found.filter(Boolean);
      const line = (of, color, dash) => of_errors.curve(
        rows_of(known.flatMap((one) => [Math.log10(one.h), log(of(one))]), 2), { color, dash, width: 2 });
      line((one) => one.R, PLAIN, [6, 4]);
      line((one) => one.R_cv, CV, []);
    }
    const trail = (column, color) => of_errors.points(
      rows_of(visited.flatMap((v) => [v[0], v[column]]), 2), { color, size: 2.2, alpha: 0.6 });
    trail(1, PLAIN);
    trail(2, CV);
    const [left, right] = of_errors.x;
    if (found.length && (!missing() || revealed)) {
      const best = log(score());
      of_errors.segment(left, best, right, best, { color: of_errors.ink, dash: [2, 4], width: 1.2 });
      of_errors.text(right - 0.02 * (right - left), best - 0.03 * (of_errors.y[1] - of_errors.y[0]), "score to beat", { align: "right" });
    }
    dot.data.set([there, log(R_cv)]);
    of_errors.segment(there, log(R), there, log(R_cv), { color: of_errors.soft });
    for (const [error, color, name, up] of [[R_cv, CV, "R_cv", 0.03], [R, PLAIN, "R", -0.03]]) {
      const height = Math.max(log(error), of_errors.y[0]);
      of_errors.points(rows_of([there, height], 2), { color, size: 6 });
      const west = there > (left + right) / 2;
      of_errors.text(there + (west ? -0.03 : 0.03) * (right - left), height + up * (of_errors.y[1] - of_errors.y[0]), name,
        { align: west ? "right" : "left" });
    }
  }

  stage.summary = () => {
    if (!now) return "";
    const { h, R, R_cv, k, out, at, f, b } = now;
    const short = (v) => String(Number(v.toPrecision(3)));
    const entropy = b.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);
    const where = place === null ? `Point ${k + 1} at x = ${at.toFixed(3)}, y = ${Y.data[k].toFixed(3)} is rebuilt as ` +
        `${f.toFixed(3)} ${out >= 0 ? "without itself" : `with a weight of ${b[k].toFixed(3)} of its own`}, `
      : `At x = ${at.toFixed(3)} the curve is ${f.toFixed(3)}, `;
    return `Bandwidth ${short(h)}: error R = ${R.toFixed(4)}, leave-one-out error R_cv = ${R_cv.toFixed(4)}. ${judged(R_cv)} ` +
      `${where}from about ${Math.exp(entropy).toFixed(1)} points.`;
  };
  function judged(R_cv) {
    if (missing()) return "The score to beat is being computed.";
    const least = score();
    const best = `${least.toFixed(4)}, the least R_cv of ${TRIALS} bandwidths`;
    if (R_cv <= least) return `You have beaten the score, ${best}!`;
    const above = `${(100 * (R_cv / least - 1)).toFixed(R_cv < 1.1 * least ? 1 : 0)} %`;
    if (R_cv <= NEAR * least) return `Well chosen: only ${above} above the score to beat, ${best}.`;
    if (!(least > 0)) return `The score to beat is ${best}.`;
    const so_far = R_cv < 2 * least ? `${above} above it` : `at ${(R_cv / least).toPrecision(2)} times as much`;
    return `The score to beat is ${best}; you are ${so_far}.`;
  }
  stage.redraw();
  return stage;
}

/** A table of one column without row n. */
function without(T, n) {
  return { data: T.data.filter((_, m) => m !== n), rows: T.rows - 1, columns: 1 };
}
