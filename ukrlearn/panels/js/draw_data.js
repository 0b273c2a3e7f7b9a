// Draw your own data: points from the hand, a curve through them, and the way from the data to it and back.

import { rprop } from "./core/descent.js";
import { predict } from "./core/kernel_regression.js";
import { order_recovered } from "./core/metrics.js";
import { clustering_affinity, decomposition, typical_bandwidth } from "./core/sgd.js";
import { copy, extent, random_state, rows_of, squared_distance, zeros } from "./core/tables.js";
import { reconstruction_error } from "./core/ukr.js";
import { COLORS, Stage, by_place } from "./stage.js";
import { drawing } from "./drawing.js";

const FEWEST = 4; // points that a curve is fitted to
const LARGEST = 150; // because eigenvectors take N³ operations
const GRID = 400; // places along the curve
const NEARBY = [0.06, 0.12, 0.25, 0.5, 1]; // affinities are tried with these multiples of the typical bandwidth
const LENGTHS = [3, 6, 12, 24, 48]; // of the curve at the start, in widths of the kernel
const UNFOLDING = 45; // frames in which the curve grows to the length of its start
const STEPS = 200; // of RPROP
const WORK = 8; // ms of a frame for eigenvectors
const PLACE = "#cc79a7"; // what belongs to the pointer

/**
 * @param {HTMLElement} host
 * @param {object} given points: rows of two numbers; X: latent coordinates, or an empty list
 * @param {object} link tells the kernel what has become of them, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const chance = random_state(1);
  let P = pairs(given.points);
  let X = given.X.length ? single(given.X) : null;
  let error = null;
  let fit = null; // what remains to be done, as a generator, or null
  let unfolded = false; // whether the fit has only RPROP's steps to take
  let doing = "";
  let place = null; // a latent coordinate and where the pointer is: { x, from }, or null

  const left = stage.plot("data", { equal: true, aspect: 0.9, x: [-1, 1], y: [-1, 1] });
  const right = stage.plot("places", { aspect: 0.9 });

  const tell = stage.tell = () => link.out({ points: Array.from(P.data), X: X ? Array.from(X.data) : [], error });
  const evaluate = () => { error = X && X.rows > 1 ? reconstruction_error(X, P).error : null; };
  const ends = () => extent(X);
  function frame() {
    let reach = 1;
    for (const v of P.data) reach = Math.max(reach, 1.1 * Math.abs(v));
    left.limits([-reach, reach], [-reach, reach]);
  }
  function forget() {
    [X, fit, error, place] = [null, null, null, null];
    stage.stop();
  }

  // The fit: the order of the points along the leading eigenvector of their affinity, [SGD] (12), at the
  // length that has the least leave-one-out error; then RPROP.

  function* fitted() {
    const N = P.rows;
    unfolded = false;
    const typical = typical_bandwidth(P);
    yield;
    let best = { error: Infinity };
    for (const factor of NEARBY) {
      doing = "Looking for an order of the points.";
      const { M, constant } = clustering_affinity(P, factor * typical);
      const { vectors } = yield* in_pieces(decomposition(M, constant));
      const along = Float64Array.from({ length: N }, (_, n) => vectors.data[n * N] / constant[n]);
      const order = Array.from(along.keys()).sort((a, b) => along[a] - along[b]);
      const rank = new Float64Array(N);
      order.forEach((n, k) => (rank[n] = k / (N - 1) - 0.5));
      for (const length of LENGTHS) {
        const start = { data: rank.map((r) => length * r), rows: N, columns: 1 };
        const there = reconstruction_error(start, P).error;
        if (there < best.error) best = { error: there, rank, length };
      }
      yield;
    }
    for (let k = 1; k <= UNFOLDING; k++) {
      doing = "The curve grows out of a point.";
      const length = best.length * 0.02 ** (1 - k / UNFOLDING);
      X = { data: best.rank.map((r) => length * r), rows: N, columns: 1 };
      evaluate();
      yield;
    }
    yield* descending();
  }
  /** As much of some work in each frame as leaves time for the picture. */
  function* in_pieces(work) {
    for (;;) {
      const end = performance.now() + WORK;
      while (performance.now() < end) {
        const { done, value } = work.next();
        if (done) return value;
      }
      yield;
    }
  }
  function* descending() {
    unfolded = true;
    const steps = rprop((X) => reconstruction_error(X, P), X);
    for (let k = 0; k <= STEPS; k++) {
      doing = k < STEPS ? "Each point goes downhill." : "";
      ({ X, error } = steps.next().value);
      yield;
    }
  }
  function advance() {
    if (P.rows < FEWEST || P.rows > LARGEST) return false;
    fit ??= fitted();
    const { done } = fit.next();
    if (X) past.keep();
    if (done) {
      fit = null;
      doing = "";
      tell();
    }
    return !done;
  }

  stage.player(advance, { play: "Fit a curve", pause: "Pause", step: "One step", stepwise: true });
  const past = stage.past({
    now: () => ({ P: copy(P), X, error }),
    put(kept) {
      fit = null;
      use(copy(kept.P), kept.X);
      tell();
    },
  });
  stage.slider("scatter");
  stage.onvalues = link.values;

  // The hand

  function changed() {
    past.keep();
    tell();
  }
  const dots = (T) => ({ points: T, onmove, onrelease: changed, name: (n) => `point ${n + 1}` });
  function onmove(n, x, y) {
    P.data[2 * n] = Math.min(Math.max(x, left.x[0]), left.x[1]);
    P.data[2 * n + 1] = Math.min(Math.max(y, left.y[0]), left.y[1]);
    follow();
  }
  left.handles = dots(P);
  function use(points, latent) {
    [P, X] = [points, latent];
    left.handles.points = P;
    follow();
  }
  /** Go on from where the latent points are, if the points of a running fit have changed. */
  function follow() {
    fit = fit && X && unfolded && X.rows === P.rows ? descending() : null;
    doing = "";
    evaluate();
  }
  left.onhover = (x, y) => {
    place = X && P.rows ? { x: nearest([x, y]), from: [x, y] } : null;
  };
  right.onhover = right.ondown = (x) => {
    if (!X) return;
    const [low, high] = ends();
    place = { x: Math.min(Math.max(x, low), high), from: null };
    stage.redraw();
  };
  left.onleave = right.onleave = () => {
    place = null;
    stage.redraw();
  };
  right.onkey = (event, by) => {
    if (!by || !X) return false;
    const [low, high] = ends();
    const x = (place?.x ?? (low + high) / 2) + (event.shiftKey ? 0.05 : 0.01) * by[0] * (high - low);
    place = { x: Math.min(Math.max(x, low), high), from: null };
    return true;
  };
  const hand = drawing(stage, left, {
    number: () => P.rows,
    draws: !P.rows,
    most: LARGEST,
    add(x, y) {
      const scatter = stage.values.scatter;
      const point = [x + scatter * chance.normal(), y + scatter * chance.normal()].map(
        (v, k) => Math.min(Math.max(v, left[k ? "y" : "x"][0]), left[k ? "y" : "x"][1]));
      const latent = X ? single([...X.data, nearest(point)]) : null; // before the new point has a say
      use(pairs([...P.data, ...point]), latent);
    },
    remove(n) {
      const others = Array.from({ length: P.rows }, (_, m) => m).filter((m) => m !== n);
      use(pairs(others.flatMap((m) => [P.data[2 * m], P.data[2 * m + 1]])),
        X && others.length ? single(others.map((m) => X.data[m])) : null);
    },
    done: changed,
  });
  stage.button("Clear", () => {
    forget();
    use(zeros(0, 2), null);
    hand.mode(null);
    hand.mode("draw");
    frame();
    changed();
  });
  stage.help("When the right picture has the focus, the left and right arrows walk along the curve.");
  stage.put = (things) => {
    stage.stop();
    const points = things.points ? pairs(things.points.flat()) : P;
    const latent = (things.X ?? []).flat();
    use(points, latent.length === points.rows && points.rows ? single(latent) : null);
    frame();
    past.forget();
    stage.redraw();
  };

  // The curve, computed once for each picture

  const grid = zeros(GRID, 1);
  let curve = null;
  function bend() {
    const [low, high] = ends();
    for (let k = 0; k < GRID; k++) grid.data[k] = low + ((high - low) * k) / (GRID - 1);
    curve = predict(grid, X, P);
  }
  /** The latent coordinate of the place on the curve that is nearest to a point. */
  function nearest(point) {
    bend();
    let [best, least] = [0, Infinity];
    for (let k = 0; k < GRID; k++) {
      const t = squared_distance(point, curve.data.subarray(2 * k, 2 * k + 2));
      if (t < least) [best, least] = [k, t];
    }
    return grid.data[best];
  }

  // What is seen

  const tint = (n) => by_place(n / Math.max(1, P.rows - 1));
  stage.draw = () => {
    const N = P.rows;
    left.points(P, { color: tint, size: 4 });
    if (!N) left.text(0, 0, "Draw a curve here, in one stroke or in several", { align: "center", color: left.soft });
    if (!X) {
      right.limits([-1, 1], [0, Math.max(N, 10)]);
      right.text(0, right.y[1] / 2, "Press “Fit a curve” to find the coordinates", { align: "center", color: right.soft });
      return;
    }
    bend();
    left.curve(curve, { color: COLORS.manifold, width: 2.8 });
    const [low, high] = ends();
    const room = 0.04 * (high - low) || 1;
    right.limits([low - room, high + room], [0, N + 1]);
    const data = Float64Array.from({ length: 2 * N }, (_, k) => (k % 2 ? (k + 1) / 2 : X.data[k / 2]));
    right.points(rows_of(data, 2), { color: tint, size: 4 });
    if (!place) return;
    const [a, b] = there();
    if (place.from) left.segment(...place.from, a, b, { color: PLACE, width: 2 });
    left.points(pairs([a, b]), { color: PLACE, size: 6 });
    right.segment(place.x, right.y[0], place.x, right.y[1], { color: PLACE, width: 2, dash: [4, 3] });
  };
  const there = () => predict(single([place.x]), X, P).data;

  stage.summary = () => {
    const N = P.rows;
    const scatter = `New points scatter by ${Number(stage.values.scatter.toPrecision(2))}.`;
    if (!N) return `There are no points yet. ${scatter}`;
    const points = `${N} ${N === 1 ? "point" : "points"}.`;
    if (!X) {
      const wrong = N < FEWEST ? ` A curve needs at least ${FEWEST}.`
        : N > LARGEST ? ` The page fits a curve to at most ${LARGEST}; give them to UKR in the notebook.` : "";
      return `${points}${doing ? ` ${doing}` : " No curve yet."}${wrong} ${scatter}`;
    }
    const order = N > 2 ? ` Order of drawing recovered: ${order_recovered(X.data, P.data.map((_, n) => n).subarray(0, N)).toFixed(2)} of 1.` : "";
    const of = error === null ? "" : ` Leave-one-out error ${error.toPrecision(3)}.`;
    const here = !place ? "" : (place.from ? ` The pointer is projected to x = ` : ` At x = `) +
      `${place.x.toFixed(2)}, where the curve is (${Array.from(there(), (v) => v.toFixed(2)).join(", ")}).`;
    return `${points}${doing ? ` ${doing}` : ""}${of}${order}${here} ${scatter}`;
  };

  frame();
  evaluate();
  past.forget();
  stage.redraw();
  return stage;
}

const pairs = (numbers) => rows_of(numbers.flat(), 2);
const single = (numbers) => rows_of(numbers.flat());
