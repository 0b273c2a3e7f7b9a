// Untangle: a curve through points in no order. Play, and it finds the order; drag points, and it follows.

import {
  copy, filtered, gradient_descent, power_with, predict, random, reconstruction_error, table, zeros,
} from "./core.js";
import { COLORS, Stage, by_place, calm } from "./stage.js";

const STEPS = 100; // moves until all points move freely
const GRID = 400; // places along the curve
// How far one move may take the points, as a share of their spread. The first moves of the descent
// would be a hundred times as long: nobody could watch them, and they leave knots behind. With this
// limit, 21 of 21 shuffles of the example had the order after 40 moves (19 without), and after 240
// moves R_cv was .0016 to .0059 (.0043 to .023 without). Of 20 other spirals with noise .02, 15 were
// in order after 300 moves (to .95; 11 without), of 40 other starts in unit 00 all (all without).
const FARTHEST = 0.3;

/**
 * @param {HTMLElement} host
 * @param {object} given Y, t: data and true positions; X: random latent points; values: eigenvalues of
 *   the affinity; vectors: its leading eigenvectors, as a table of N rows
 * @param {object} link tells the kernel what has become of the points, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, "Untangle");
  const t = given.t;
  const N = given.Y.length;
  const vectors = table(given.vectors);
  const leading = vectors.columns;
  const values = Float64Array.from(given.values);
  let Y = table(given.Y);
  let X = table(given.X);
  let moves = 0;
  let seed = 1;
  let error = reconstruction_error(X, Y).error;
  let descent = null;
  let elsewhere = false; // whether points are not where the descent has left them

  const colors = Array.from(t, by_place);
  const [left, right] = [
    stage.plot({ title: "Data and curve", equal: true, aspect: 0.82, xlabel: "first number", ylabel: "second number" }),
    stage.plot({ title: "Has the curve found the order?", aspect: 0.82, y: [-0.03, 1.03],
      xlabel: "latent coordinate of the point", ylabel: "true place along the spiral" }),
  ];
  const reach = 1.12 * Math.max(...Array.from(Y.data, Math.abs));
  left.limits([-reach, reach], [-reach, reach]);

  // What moves the latent points: a gradient that only few directions may follow at first.

  const objective = (X) => { // of X over h, and its gradient for X
    const h = stage.values.bandwidth;
    const { error, gradient } = reconstruction_error({ ...X, data: X.data.map((x) => x / h) }, Y);
    return { error, gradient: { ...gradient, data: gradient.data.map((g) => g / h) } };
  };
  function guide(gradient) {
    const directions = stage.values.directions;
    if (directions >= N) return gradient;
    const nu = power_with(values, directions);
    const share = values.map((v) => v ** nu);
    const rest = share.slice(leading).reduce((sum, v) => sum + v, 0) / Math.max(1, N - leading);
    return filtered(gradient, vectors, share, rest);
  }
  function advance() {
    if (!descent) {
      descent = gradient_descent(objective, X, { guide });
      descent.next();
      elsewhere = false;
    }
    const there = descent.next(elsewhere ? X : undefined).value;
    const way = there.X.data.map((x, n) => x - X.data[n]);
    const share = (FARTHEST * Math.hypot(...X.data)) / Math.hypot(...way);
    elsewhere = share < 1;
    if (elsewhere) {
      X = { data: X.data.map((x, n) => x + share * way[n]), rows: N, columns: 1 };
      error = objective(X).error;
    } else ({ X, error } = there);
    moves += 1;
    if (stage.values.auto) {
      const share = Math.min(1, moves / STEPS);
      stage.shown.directions.show(Math.min(N, 1.2 * (N / 1.2) ** share));
    }
    if (moves % 20 === 0) tell();
    past.keep();
    return moves < 3 * STEPS;
  }
  function again() {
    descent = null;
    moves = 0;
  }
  function shuffled() {
    const chance = random(seed++);
    X = zeros(N, 1);
    for (let n = 0; n < N; n++) X.data[n] = 0.3 * chance.normal();
    error = objective(X).error;
    stage.shown.directions.show(1.2);
    again();
    past.forget();
    tell();
  }
  const tell = () => link.out({ Y: Array.from(Y.data), X: Array.from(X.data), error });

  stage.player(advance, { play: "Untangle", pause: "Pause", step: "One step", stepwise: true });
  stage.button("Shuffle", () => {
    stage.stop();
    shuffled();
  });
  const past = stage.past({
    now: () => ({ X, Y: Float64Array.from(Y.data), error, moves, directions: stage.values.directions }),
    put(kept) {
      ({ X, error, moves } = kept);
      Y.data.set(kept.Y);
      stage.shown.directions.show(kept.directions);
      descent = null;
      tell();
    },
  });
  stage.slider("directions", { label: "directions in which points may move", low: 1.2, high: N, value: 1.2, log: true },
    () => { stage.shown.auto.show(false); });
  stage.toggle("auto", { label: "grows by itself", value: true, more: true });
  stage.slider("bandwidth", { label: "bandwidth h", low: 0.1, high: 10, value: 1, log: true, more: true }, () => {
    descent = null;
    error = objective(X).error;
  });
  stage.onvalues = link.values;
  stage.put = (things) => {
    if (things.Y) Y.data.set(things.Y.flat());
    if (things.X) X = table(things.X);
    error = objective(X).error;
    again();
    past.forget();
    stage.redraw();
  };
  past.forget();

  // What the hand moves

  left.handles = {
    points: Y,
    onmove(n, x, y) {
      Y.data[2 * n] = x;
      Y.data[2 * n + 1] = y;
      elsewhere = true;
      if (!stage.playing) advance(); // else it comes with the next picture
    },
    onrelease: tell,
    name: (n) => `point ${n + 1}`,
  };
  const dots = { data: new Float64Array(2 * N), rows: N, columns: 2 };
  right.handles = {
    points: dots,
    onmove(n, x) {
      X = copy(X);
      X.data[n] = x;
      elsewhere = true;
      error = objective(X).error;
    },
    onrelease() {
      past.keep();
      tell();
    },
    name: (n) => `latent point ${n + 1}`,
  };

  // What is seen

  stage.draw = () => {
    const h = stage.values.bandwidth;
    const scaled = { data: X.data.map((x) => x / h), rows: N, columns: 1 };
    let [low, high] = [Infinity, -Infinity];
    for (const x of scaled.data) [low, high] = [Math.min(low, x), Math.max(high, x)];
    const grid = { data: Float64Array.from({ length: GRID }, (_, k) => low + ((high - low) * k) / (GRID - 1)),
      rows: GRID, columns: 1 };
    left.points(Y, { color: (n) => colors[n], size: 3.4 });
    left.curve(predict(grid, scaled, Y), { color: COLORS.manifold, width: 2.6 });
    const margin = 0.04 * (X.data.reduce((m, x) => Math.max(m, Math.abs(x)), 0.5));
    const [a, b] = [low * h - margin, high * h + margin];
    right.limits([a, b], [-0.03, 1.03]);
    for (let n = 0; n < N; n++) {
      dots.data[2 * n] = X.data[n];
      dots.data[2 * n + 1] = t[n];
    }
    right.points(dots, { color: (n) => colors[n], size: 3.2 });
  };

  /** Spearman's rank correlation between latent and true order, without its sign. */
  function order() {
    const rank = (v) => {
      const at = Array.from(v.keys()).sort((a, b) => v[a] - v[b]);
      const r = new Float64Array(N);
      at.forEach((n, place) => (r[n] = place));
      return r;
    };
    const [a, b] = [rank(X.data), rank(Float64Array.from(t))];
    const middle = (N - 1) / 2;
    let [ab, aa] = [0, 0];
    for (let n = 0; n < N; n++) {
      ab += (a[n] - middle) * (b[n] - middle);
      aa += (a[n] - middle) ** 2;
    }
    return Math.abs(ab / aa);
  }
  stage.summary = () =>
    `${moves} ${moves === 1 ? "move" : "moves"}. Leave-one-out error ${error.toPrecision(3)}; order recovered: ${order().toFixed(2)} of 1. ` +
    `Points may move in ${stage.values.directions.toPrecision(3)} directions.`;

  if (!calm() && given.play) stage.play();
  stage.redraw();
  return stage;
}
