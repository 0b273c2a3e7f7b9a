// How good an embedding is.

import { columns_of, distances, least, mapped, mean, row, zeros } from "./tables.js";
import { exp_of_minus } from "./kernel_regression.js";
import { squared_residuals } from "./ukr.js";
import { bounded_minimum, nelder_mead, trials } from "./searches.js";
/** @import { Numbers, Table } from "./tables.js" */

/**
 * What each point contributes to the sum in `trustworthiness`, by its neighbours in `near` that are not
 * among its k nearest in `judge`; the mean rank in `judge` of its k neighbours; and these, nearest first,
 * row by row. Points at equal distances are ranked by number. A few points at a time.
 * @returns {Generator<void, {cost: Float64Array, rank: Float64Array, neighbors: Int32Array}>}
 */
export function* false_neighbors_search(near, judge, k) {
  const N = near.rows;
  const neighbors = new Int32Array(N * k);
  const [cost, mean_rank] = [new Float64Array(N), new Float64Array(N)];
  const [t, far] = [new Float64Array(N), new Float64Array(k)];
  const [columns_near, columns_judge] = [columns_of(near), columns_of(judge)];
  for (let i = 0; i < N; i++) {
    if (i % 50 === 49) yield;
    const found = neighbors.subarray(i * k, (i + 1) * k);
    distances(row(near, i), columns_near, N, t);
    t[i] = Infinity;
    far.fill(Infinity);
    for (let j = 0; j < N; j++) {
      if (!(t[j] < far[k - 1])) continue;
      let at = k - 1;
      for (; at > 0 && t[j] < far[at - 1]; at--) {
        far[at] = far[at - 1];
        found[at] = found[at - 1];
      }
      far[at] = t[j];
      found[at] = j;
    }
    distances(row(judge, i), columns_judge, N, t);
    t[i] = Infinity;
    for (const j of found) {
      const away = t[j];
      let rank = 1;
      for (let m = 0; m < j; m++) if (t[m] <= away) rank++;
      for (let m = j + 1; m < N; m++) if (t[m] < away) rank++;
      cost[i] += Math.max(rank - k, 0);
      mean_rank[i] += rank / k;
    }
  }
  return { cost, rank: mean_rank, neighbors };
}

/** Trustworthiness or continuity, of which `cost` has the summands: 1 if no neighbour is false. */
export function agreement_of(cost, k) {
  const N = cost.length;
  return 1 - (2 * cost.reduce((sum, c) => sum + c, 0)) / (N * k * (2 * N - 3 * k - 1));
}

/** Coordinates with mean 0 and a mean variance of 1 over all axes; constant columns become zeros. @returns {Table} */
export function normalised(X) {
  const q = X.columns;
  const varies = Array.from({ length: q }, (_, k) => X.data.some((v, at) => at % q === k && v !== X.data[k]));
  const largest = X.data.reduce((most, v, at) => (varies[at % q] ? Math.max(most, Math.abs(v)) : most), 0);
  const centred = zeros(X.rows, q);
  if (!(largest > 0)) return centred;
  const size = 2 ** Math.floor(Math.log2(largest)); // squares of what is left neither overflow nor vanish
  X.data.forEach((v, at) => (centred.data[at] = varies[at % q] ? v / size : 0));
  const middle = mean(centred);
  for (let at = 0; at < centred.data.length; at++) centred.data[at] -= middle[at % q];
  const spread = Math.sqrt(centred.data.reduce((sum, v) => sum + v * v, 0) / centred.data.length);
  return spread > 0 ? mapped(centred, (v) => v / spread) : centred;
}

/**
 * The mean of log p₋ₙ(x_n) with a Gaussian of bandwidth h, over the points whose numbers are given, a few
 * at a time.
 * @param {ArrayLike<number>} points
 */
export function* log_likelihood_search(X, h, points) {
  const [N, q] = [X.rows, X.columns];
  const t = new Float64Array(N);
  const columns = columns_of(X);
  let total = 0;
  for (let k = 0; k < points.length; k++) {
    if (k % 100 === 99) yield;
    const n = points[k];
    distances(row(X, n), columns, N, t);
    t[n] = Infinity;
    const nearest = least(t);
    let sum = 0;
    for (let m = 0; m < N; m++) sum += exp_of_minus((t[m] - nearest) / (2 * h * h));
    total += Math.log(sum) - nearest / (2 * h * h);
  }
  return total / points.length - Math.log(N - 1) - q * Math.log(h);
}

/** Evenly spaced points that represent all N in the search for a scale; all of them for small N. */
function some_points(N, about = 750) {
  const apart = N <= 2 * about ? 1 : Math.floor(N / about);
  return Int32Array.from({ length: Math.ceil(N / apart) }, (_, k) => k * apart);
}

/** The median distance from a point to the nearest one elsewhere; infinite if there is none. */
function typical_spacing(X) {
  const [columns, t] = [columns_of(X), new Float64Array(X.rows)];
  const places = new Map(); // equal points count once
  for (let n = 0; n < X.rows; n++) {
    distances(row(X, n), columns, X.rows, t);
    const apart = t.reduce((nearest, one) => (one > 0 && one < nearest ? one : nearest), Infinity);
    places.set(String(row(X, n)), Math.sqrt(apart));
  }
  const found = Float64Array.from(places.values()).sort();
  const middle = found.length / 2;
  return Math.max((found[Math.ceil(middle) - 1] + found[Math.floor(middle)]) / 2, 1e-16);
}

/**
 * The search of `loo_reconstruction` for the best scale, one trial at a time: the likelihood bandwidth, a
 * ladder of factors two about it, then Nelder and Mead.
 * @returns {Generator<void, {share: number, residuals: Float64Array}>} residuals: of each point, as shares
 *   of the variance
 */
export function* reconstruction_search(X, Y) {
  const [x, y] = [normalised(X), normalised(Y)];
  const [N, q] = [X.rows, X.columns];
  const points = some_points(N);
  const residuals = (log_scale) => squared_residuals(mapped(x, (v) => Math.exp(log_scale) * v), y);
  const average = (values) => values.reduce((sum, r) => sum + r, 0) / values.length;
  const tried = [];
  function* trial(log_scale) {
    const all = residuals(log_scale);
    const error = average(points.length < N ? Float64Array.from(points, (n) => all[n]) : all);
    tried.push({ log_scale, error });
    yield;
    return error;
  }
  if (x.data.every((v) => v === 0)) yield* trial(0);
  else {
    const typical = N ** (-1 / (q + 4)); // times the spread, which is one
    function* loss(log_h) {
      return -(yield* log_likelihood_search(x, Math.exp(log_h), points));
    }
    const log_h = yield* trials(bounded_minimum(Math.log(typical / 100), Math.log(typical * 10), 0.05), loss);
    const first = -Math.log(Math.exp(log_h));
    const top = (-Math.log(typical_spacing(x)) - first) / Math.LN2; // far points make h too large
    let ladder = null;
    for (let k = -3; k < Math.max(4, Math.ceil(top) + 1); k++) {
      const error = yield* trial(first + k * Math.LN2);
      if (ladder === null || error < ladder.error) ladder = tried.at(-1);
    }
    const flat = 1e-4 * ladder.error;
    const simplex = nelder_mead(ladder.log_scale, ladder.log_scale + 0.3, { near: 0.02, flat, most: 25 });
    yield* trials(simplex, trial);
  }
  const { log_scale } = tried.reduce((best, one) => (one.error < best.error ? one : best));
  const variance = y.data.reduce((sum, v) => sum + v * v, 0) / N; // 0 if all rows of Y are equal
  const shares = residuals(log_scale).map((r) => (variance > 0 ? r / variance : 0));
  return { share: average(shares), residuals: shares };
}

/**
 * Places of a sheet, turned, mirrored, scaled and shifted as it takes to bring t closest to X; all three
 * have two columns.
 * @returns {Table}
 */
export function carried(places, t, X) {
  const [from, to] = [mean(t), mean(X)];
  let [a, b, c, d, size] = [0, 0, 0, 0, 0]; // tᵀX of the centred tables, and |t|²
  for (let n = 0; n < t.rows; n++) {
    const [t1, t2] = [t.data[2 * n] - from[0], t.data[2 * n + 1] - from[1]];
    const [x1, x2] = [X.data[2 * n] - to[0], X.data[2 * n + 1] - to[1]];
    a += t1 * x1;
    b += t1 * x2;
    c += t2 * x1;
    d += t2 * x2;
    size += t1 * t1 + t2 * t2;
  }
  const side = a * d >= b * c ? 1 : -1; // -1: X is a mirror image
  const [p, q] = [(a + side * d) / size, (b - side * c) / size];
  const moved = zeros(places.rows, 2);
  for (let n = 0; n < places.rows; n++) {
    const [u, v] = [places.data[2 * n] - from[0], places.data[2 * n + 1] - from[1]];
    moved.data[2 * n] = to[0] + p * u - side * q * v;
    moved.data[2 * n + 1] = to[1] + q * u + side * p * v;
  }
  return moved;
}

/**
 * Spearman's rank correlation between latent and true order, without its sign.
 * @param {Numbers} x
 * @param {Numbers} t
 */
export function order_recovered(x, t) {
  const by = (v) => Array.from(v).map((_, n) => n).sort((a, b) => v[a] - v[b]);
  const rank = new Float64Array(x.length);
  by(t).forEach((n, place) => (rank[n] = place));
  const middle = (x.length - 1) / 2;
  let [both, own] = [0, 0];
  by(x).forEach((n, place) => {
    both += (place - middle) * (rank[n] - middle);
    own += (place - middle) ** 2;
  });
  return Math.abs(both / own);
}
