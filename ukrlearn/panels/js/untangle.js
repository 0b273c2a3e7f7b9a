// Untangle: a curve through points in no order. Play, and it finds the order; drag points, and it follows.

import { gradient_search, rprop } from "./core/descent.js";
import { predict } from "./core/kernel_regression.js";
import { order_recovered } from "./core/metrics.js";
import { filtered, power_with } from "./core/sgd.js";
import { copy, extent, mapped, random_state, rows_of, table, zeros } from "./core/tables.js";
import { reconstruction_error } from "./core/ukr.js";
import { COLORS, Stage, by_place, calm } from "./stage.js";

const GRID = 400; // places along the curve
const BUDGET = 6; // ms of a frame for the descent, which finishes the evaluation that it is at
// The moves that are played. First all points move together, in few directions; that finds the order, but folds the
// ends. So the latent points are then drawn together until the curve is smooth, and spread again slowly, while each
// moves by itself: a fold within the width of the kernel costs error, and opens. At last the spread is free. From 20
// of 20 starts the example ended below the error to which a descent from the true order leads, and 18 times without a
// fold. Of 40 other spirals 31 ended within a tenth of that error. A descent that only got more and more directions
// never did, and ended at 1.5 to 6 times that error (40 spirals).
const TOGETHER = 60;
const [FEWEST, FEW] = [1.2, 8]; // directions when they begin and end
const SPREADING = 150;
const FIRST_STEP = 0.05; // of the spread
const [SMOOTH, FINE] = [3.5, 60]; // standard deviation of X over h when they begin and end
const ALL = TOGETHER + SPREADING + 60;
// How far one move may take the points while they move together, as a share of their spread. The first moves would
// be a hundred times as long: nobody could watch them.
const FARTHEST = 0.3;

/**
 * @param {HTMLElement} host
 * @param {object} given Y, t: data and true positions; X: random latent points; values: eigenvalues of
 *   the affinity; vectors: its leading eigenvectors, as a table of N rows; then: what to do when the moves have ended
 * @param {object} link tells the kernel what has become of the points, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const t = given.t;
  const N = given.Y.length;
  const vectors = table(given.vectors);
  const leading = vectors.columns;
  const values = Float64Array.from(given.values);
  let Y = table(given.Y);
  let X = table(given.X);
  let moves = 0;
  let seed = 1;
  let error = null; // of the points as they are, or null until somebody asks for it
  let descent = null;
  const aims = copy(Y); // what the descent fits: the data, as they were when its move began
  // Where the latent points are: "rest", at the end of a move; "changed", at a place where the hand has put them;
  // "due", before a move, because the hand has moved data; or in the course of a "move", which is "late" if the hand
  // has moved data since it began, and "lost" if it has moved latent points.
  let phase = "rest";
  let waiting = null; // the timer of the next move that follows the hand

  const colors = Array.from(t, by_place);
  const [left, right] = [
    stage.plot("data", { equal: true, aspect: 0.82 }), stage.plot("order", { aspect: 0.82, y: [-0.03, 1.03] }),
  ];
  const reach = 1.12 * Math.max(...Array.from(Y.data, Math.abs));
  left.limits([-reach, reach], [-reach, reach]);

  // What moves the latent points: a gradient that only few directions may follow at first.

  const objective = (X, data = aims) => { // of X over h, and its gradient for X
    const h = stage.values.bandwidth;
    const { error, gradient } = reconstruction_error(mapped(X, (x) => x / h), data);
    return { error, gradient: mapped(gradient, (g) => g / h) };
  };
  const farthest = (X) => FARTHEST * Math.sqrt(X.data.reduce((sum, x) => sum + x * x, 0) / N);
  const error_now = () => (error ??= objective(X, Y).error);
  function guide(gradient) {
    const directions = stage.values.directions;
    if (directions >= N) return gradient;
    const nu = power_with(values, directions);
    const share = values.map((v) => v ** nu);
    const rest = share.slice(leading).reduce((sum, v) => sum + v, 0) / Math.max(1, N - leading);
    return filtered(gradient, vectors, share, rest);
  }
  const moving = () => ["move", "late", "lost"].includes(phase);
  /** Begin a move of the descent, from where the points are now. */
  function begun() {
    const from = phase === "rest" ? undefined : X;
    aims.data.set(Y.data);
    phase = "move";
    if (moves === TOGETHER || moves === ALL) descent = null;
    if (!spreading()) {
      descent ??= started(gradient_search(objective, X, { guide, longest: farthest }));
      return descent.next(from);
    }
    const there = spread_to(SMOOTH * (FINE / SMOOTH) ** Math.min(1, (moves - TOGETHER) / SPREADING));
    descent ??= started(rprop(objective, there, { first_step: FIRST_STEP * spread(there) }));
    return descent.next(moves < TOGETHER + SPREADING ? there : from);
  }
  const spreading = () => stage.values.auto && moves >= TOGETHER && moves < ALL;
  const mean = (X) => X.data.reduce((sum, x) => sum + x, 0) / N;
  function spread(X) {
    const middle = mean(X);
    return Math.sqrt(X.data.reduce((sum, x) => sum + (x - middle) ** 2, 0) / N);
  }
  /** The latent points, drawn together or apart until their standard deviation over h is this. */
  function spread_to(wanted) {
    const [middle, factor] = [mean(X), (wanted * stage.values.bandwidth) / (spread(X) || 1)];
    return mapped(X, (x) => (x - middle) * factor);
  }
  function started(search) {
    search.next();
    return search;
  }
  /** Work on a move for so many ms. */
  function move(budget) {
    const end = performance.now() + budget;
    do {
      const { value: there } = moving() ? descent.next() : begun();
      if (!there) continue;
      if (phase !== "lost") made(there);
      phase = { move: "rest", late: "due", lost: "changed" }[phase];
    } while (moving() && performance.now() < end);
  }
  function made(there) {
    X = there.X;
    error = phase === "late" ? null : there.error;
    moves += 1;
    if (stage.values.auto) {
      const few = FEWEST * (FEW / FEWEST) ** (moves / TOGETHER);
      stage.shown.directions.show(moves < TOGETHER ? Math.min(N, few) : N);
    }
    if (moves % 20 === 0) tell();
    past.keep();
  }
  /** A move between two pictures, so that the hand does not wait for it. */
  function follow() {
    waiting = null;
    if (!follows() || stage.closed) return;
    move(BUDGET);
    stage.redraw();
  }
  const follows = () => !stage.playing && (phase === "due" || moving()); // a descent that plays heeds the hand anyway
  function advance() {
    move(stage.playing ? BUDGET : Infinity);
    return moves < ALL;
  }
  function anew() { // the next move starts a descent
    descent = null;
    phase = "rest";
    error = null;
  }
  function again() {
    anew();
    moves = 0;
  }
  function shuffled() {
    const chance = random_state(seed++);
    X = mapped(zeros(N, 1), () => 0.3 * chance.normal());
    stage.shown.directions.show(FEWEST);
    again();
    past.forget();
    tell();
  }
  const tell = stage.tell = () => link.out({ Y: Array.from(Y.data), X: Array.from(X.data), error: error_now(), moves });

  stage.player(advance, { play: "Untangle", pause: "Pause", step: "One step", stepwise: true });
  stage.button("Shuffle", () => {
    stage.stop();
    shuffled();
  });
  const past = stage.past({
    now: () => ({ X, Y: Float64Array.from(Y.data), moves, directions: stage.values.directions }),
    put(kept) {
      anew();
      ({ X, moves } = kept);
      Y.data.set(kept.Y);
      stage.shown.directions.show(kept.directions);
      tell();
    },
  });
  stage.slider("directions", {}, () => {
    const free = spreading(); // a search that nothing guides
    stage.shown.auto.show(false);
    if (free) anew();
  });
  stage.toggle("auto", { more: true }, anew);
  stage.slider("bandwidth", { more: true }, anew);
  stage.onvalues = link.values;
  stage.put = (things) => {
    if (things.Y) Y.data.set(things.Y.flat());
    if (things.X) X = table(things.X);
    again();
    moves = things.moves ?? 0;
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
      error = null;
      if (phase === "move") phase = "late";
      else if (!moving()) phase = "due";
    },
    onrelease: tell,
    name: (n) => `point ${n + 1}`,
  };
  const dots = zeros(N, 2);
  right.handles = {
    points: dots,
    onmove(n, x) {
      X = copy(X);
      X.data[n] = x;
      error = null;
      if (moving()) phase = "lost";
      else if (phase === "rest") phase = "changed";
    },
    onrelease() {
      past.keep();
      tell();
    },
    name: (n) => `latent point ${n + 1}`,
  };

  // What is seen

  stage.draw = () => {
    if (follows()) waiting ??= setTimeout(follow);
    const h = stage.values.bandwidth;
    const scaled = mapped(X, (x) => x / h);
    const [low, high] = extent(scaled);
    const grid = rows_of(Array.from({ length: GRID }, (_, k) => low + ((high - low) * k) / (GRID - 1)));
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

  stage.summary = () => // the order is never rounded up to 1; 1e-9 is for what rounding takes from it
    `${moves} ${moves === 1 ? "move" : "moves"}. Leave-one-out error ${error_now().toPrecision(3)}; ` +
    `order recovered: ${(Math.floor(1000 * order_recovered(X.data, t) + 1e-9) / 1000).toFixed(3)} of 1. ` +
    `The points may move in ${Number(stage.values.directions.toPrecision(3))} directions.` +
    (moves < ALL ? "" : ` ${given.then}`);

  if (!calm() && given.play) stage.play();
  stage.redraw();
  return stage;
}
