// Aggregation: a tangle of latent points, each with its gradient, and the same points with the gradient
// that eigenvectors guide. Shake it, drag points, let it go: the arrows follow.

import { gradient_descent } from "./core/descent.js";
import { filtered, neighbor_probabilities, objective_of, perplexity } from "./core/sgd.js";
import { copy, random_state, rows_of, table, zeros } from "./core/tables.js";
import { COLORS, Stage, calm } from "./stage.js";

const EXTENT = 2.8; // at least half the width of the visible latent space, in standard deviations of the start
const ARROW = 0.55; // root mean square length of the arrows, in the same unit
const FLIGHT = 300; // ms in which points fly to where they are shaken
const FRAMES = 10; // pictures of each move at the usual speed
const SHOWN = 36; // aggregated directions in the strip, at most

/**
 * @param {HTMLElement} host
 * @param {object} given Y, h: data and the bandwidth of (1); clusters: a number for each point; spread:
 *   standard deviation of the start; moved: { X, seed }, points that were moved from a start, or null;
 *   values, vectors, rest: the spectrum
 * @param {object} link tells the kernel what has become of the points, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const [SOFT, HARD] = given.controls.cut.options;
  const { value: first_seed, high: last_seed } = given.controls.seed;
  const { spread, clusters, rest } = given;
  const N = clusters.length;
  const vectors = table(given.vectors);
  const leading = vectors.columns;
  const values = Float64Array.from(given.values);
  const objective = objective_of(neighbor_probabilities(table(given.Y), given.h));
  const colors = clusters.map((c) => COLORS.classes[c % COLORS.classes.length]);
  const left = stage.plot("plain", { equal: true, aspect: 0.8 });
  const right = stage.plot("guided", { equal: true, aspect: 0.8 });
  const strip = stage.plot("strip", { aspect: (wide) => (wide < 516 ? 0.36 : 0.16), frame: false, still: true });
  strip.canvas.style.flexBasis = "100%";

  let X = zeros(N, 2); // what is computed with
  let seen = X; // what is shown, while points fly
  let moved = false;
  let state = null;
  let kept = given.moved; // { X, seed }: points that were moved from the start of a seed
  let descent = null;
  let flight = null; // { from, to, part }, of which `part` says how much is done
  let moves = 0;
  const dots = zeros(N, 2);

  function start(seed) {
    const chance = random_state(seed);
    const there = zeros(N, 2);
    for (let k = 0; k < 2 * N; k++) there.data[k] = spread * chance.normal();
    return there;
  }

  // The filter, [SGD] (14) to (17), and what it makes of the gradient

  function weights() {
    const { nu, l, cut } = stage.values;
    if (cut === HARD) {
      if (l >= N || l > leading) return { share: values.map(() => 1), rest: 1 };
      return { share: values.map((_, k) => (k < l ? 1 : 0)), rest: 0 };
    }
    return { share: values.map((v) => v ** nu), rest: rest ** nu };
  }
  function guide(gradient) {
    const { share, rest } = weights();
    const plain = rest === 1 && share.every((w) => w === 1);
    return plain ? gradient : filtered(gradient, vectors, share, rest);
  }
  /** All that the picture and the words need; computed once after each change. */
  function current() {
    if (state) return state;
    const { gradient } = objective(seen);
    const { share, rest } = weights();
    const all = new Float64Array(N).fill(rest);
    all.set(share);
    state = { gradient, guided: guide(gradient), share, directions: perplexity(all) };
    return state;
  }

  function shown(there) {
    seen = there;
    dots.data.set(seen.data);
    state = null;
  }
  function place(there, elsewhere) {
    X = there;
    moved = elsewhere;
    descent = flight = null;
    moves = 0;
    shown(X);
  }
  /** The start of a seed, or the points that were moved from there. */
  function begin(seed) {
    stage.stop();
    const by_hand = kept?.seed === seed;
    place(by_hand ? rows_of(kept.X.flat(), 2) : start(seed), by_hand);
    past.forget();
  }
  function tell() {
    kept = { X: Array.from(X.data), seed: stage.values.seed };
    link.out(kept);
  }

  stage.tell = () => {
    if (moved) tell();
  };

  // Moving: along the guided gradient, each move shown in several pictures

  function advance() {
    descent ??= (() => {
      const steps = gradient_descent(objective, X, { guide });
      steps.next();
      return steps;
    })();
    if (!flight) {
      flight = { from: X, to: descent.next().value.X, part: 0 };
      moved = true;
      moves += 1;
    }
    flight.part = calm() ? 1 : flight.part + stage.speed / FRAMES;
    X = flight.to;
    if (flight.part > 1 - 1e-9) {
      flight = null;
      shown(X);
      past.keep();
      tell();
      return moves < 100;
    }
    shown(between(flight.from, flight.to, flight.part));
    return true;
  }
  function between(from, to, part) {
    const there = copy(from);
    for (let k = 0; k < 2 * N; k++) there.data[k] += part * (to.data[k] - from.data[k]);
    return there;
  }

  /** Another start; the points fly there. */
  function shake() {
    stage.stop();
    const from = seen;
    let begun = null;
    stage.set({ seed: (stage.values.seed + 1) % (last_seed + 1) });
    link.values({ ...stage.values });
    if (calm()) return;
    stage.playing = (now) => {
      begun ??= now;
      const part = Math.min(1, (now - begun) / FLIGHT);
      shown(between(from, X, part * (2 - part)));
      return part < 1;
    };
  }

  stage.slider("nu", {}, () => {
    stage.shown.cut.show(SOFT);
    state = null;
  });
  stage.player(advance, { play: "Move", pause: "Pause", step: "One move" });
  const past = stage.past({
    now: () => ({ X, moved, moves }),
    put(kept) {
      place(kept.X, kept.moved);
      moves = kept.moves;
      tell();
    },
  });
  stage.button("Shake", shake);
  stage.button("Reset", () => {
    stage.stop();
    kept = null;
    stage.reset();
    begin(first_seed);
    link.values({ ...stage.values });
    link.out({});
  });
  stage.slider("l", { more: true }, () => {
    stage.shown.cut.show(HARD);
    state = null;
  });
  stage.choice("cut", { more: true }, () => { state = null; });
  stage.slider("seed", { more: true }, begin);
  begin(first_seed);
  stage.onvalues = link.values;
  stage.put = ({ X, seed }) => {
    kept = X ? { X, seed } : null;
    begin(stage.values.seed);
    stage.redraw();
  };

  // What the hand moves

  const handles = {
    points: dots,
    onmove(n, x, y) {
      stage.stop();
      const there = copy(seen);
      there.data[2 * n] = x;
      there.data[2 * n + 1] = y;
      place(there, true);
    },
    onrelease() {
      past.keep();
      tell();
    },
    name: (n) => `point ${n + 1}`,
  };
  left.handles = right.handles = handles;
  for (const [one, other] of [[left, right], [right, left]]) {
    one.canvas.addEventListener("pointerdown", () => { other.focused = one.focused; });
  }

  // What is seen

  function arrows(plot, movements) {
    const size = root_mean_square(movements);
    const factor = size > 0 ? (-ARROW * spread) / size : 0;
    for (let n = 0; n < N; n++) {
      const [x, y] = [seen.data[2 * n], seen.data[2 * n + 1]];
      const [u, v] = [factor * movements.data[2 * n], factor * movements.data[2 * n + 1]];
      plot.arrow(x, y, x + u, y + v, { color: colors[n], width: N > 150 ? 1.2 : 1.8 });
    }
    plot.points(dots, { color: (n) => colors[n], size: N > 150 ? 2.6 : 4.2 });
  }
  stage.draw = () => {
    const { gradient, guided, share } = current();
    const held = left.held >= 0 || right.held >= 0;
    if (!held) { // the frame does not run away from the hand
      let reach = EXTENT * spread;
      for (const x of seen.data) reach = Math.max(reach, 1.08 * Math.abs(x));
      for (const plot of [left, right]) {
        plot.limits([-reach, reach], [-reach, reach]);
      }
    }
    arrows(left, gradient);
    arrows(right, guided);
    row_of_directions(gradient, share);
  };
  function row_of_directions(gradient, share) {
    const number = Math.min(leading, SHOWN);
    const A = filtered_coordinates(gradient, share, number);
    let longest = 0;
    for (let i = 0; i < number; i++) longest = Math.max(longest, Math.hypot(A[2 * i], A[2 * i + 1]));
    const { left: from, right: to, top, bottom } = strip.box;
    const long = (0.95 / 2.2) * (bottom - top); // pixels of the longest arrow
    const low = 1 - (number * long) / (to - from - long); // room for it before the first place
    strip.limits([low, number + 0.8], [-1.2, 1]);
    strip.segment(low, 0, number + 0.8, 0, { color: strip.faint });
    const [wide, high] = [(number + 0.8 - low) / (to - from), 2.2 / (bottom - top)]; // units in a pixel
    for (let i = number; i >= 1; i--) { // the leading directions on top
      if (i === 1 || i % 5 === 0) strip.text(i, -1.1, String(i), { color: strip.soft, align: "center" });
      if (!(longest > 0)) continue;
      const [u, v] = [(long * A[2 * i - 2]) / longest, (long * A[2 * i - 1]) / longest];
      strip.arrow(i, 0, i + u * wide, v * high, { color: COLORS.guide, width: 1.8 });
    }
  }
  /** Minus a_i, (14), times its weight, for the leading directions. */
  function filtered_coordinates(gradient, share, number) {
    const A = new Float64Array(2 * number);
    for (let n = 0; n < N; n++) {
      for (let i = 0; i < number; i++) {
        const along = -share[i] * vectors.data[n * leading + i];
        A[2 * i] += along * gradient.data[2 * n];
        A[2 * i + 1] += along * gradient.data[2 * n + 1];
      }
    }
    return A;
  }
  function root_mean_square(T) {
    let total = 0;
    for (const v of T.data) total += v * v;
    return Math.sqrt(total / N);
  }

  // Words

  /** Mean cosine between the movements of two points, over all pairs within clusters. */
  function agreement(movements) {
    // The sum over all pairs of a cluster is half of |Σ u|² - Σ |u|², for the unit movements u.
    const sums = new Map();
    for (let n = 0; n < N; n++) {
      const [u, v] = [movements.data[2 * n], movements.data[2 * n + 1]];
      const size = Math.hypot(u, v);
      const sum = sums.get(clusters[n]) ?? { u: 0, v: 0, squares: 0, number: 0 };
      if (size > 0) {
        sum.u += u / size;
        sum.v += v / size;
        sum.squares += 1;
      }
      sum.number += 1;
      sums.set(clusters[n], sum);
    }
    let [total, pairs] = [0, 0];
    for (const { u, v, squares, number } of sums.values()) {
      total += (u * u + v * v - squares) / 2;
      pairs += (number * (number - 1)) / 2;
    }
    return pairs ? total / pairs : 1;
  }
  function cosine(A, B) {
    let [ab, aa, bb] = [0, 0, 0];
    for (let k = 0; k < A.data.length; k++) {
      ab += A.data[k] * B.data[k];
      aa += A.data[k] ** 2;
      bb += B.data[k] ** 2;
    }
    return aa * bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
  }
  stage.summary = () => {
    const { gradient, guided, directions } = current();
    const { nu, l, cut, seed } = stage.values;
    const name = cut === HARD ? `l = ${l}` : `ν = ${Number(nu.toPrecision(3))}`;
    return `${moved ? `Moved from seed ${seed}` : `Seed ${seed}`}, ${name}: ${directions.toFixed(1)} of ${N} ` +
      "directions are effectively free. Mean cosine between the movements of two points of a cluster: plain " +
      `${agreement(gradient).toFixed(2)}, guided ${agreement(guided).toFixed(2)}. The guided gradient has a ` +
      `cosine of ${cosine(guided, gradient).toFixed(2)} with the plain one, so it leads downhill.`;
  };

  stage.redraw();
  return stage;
}
