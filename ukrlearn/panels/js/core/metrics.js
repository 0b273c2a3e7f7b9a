// How good an embedding is.

import { columns_of, distances, mapped, mean, row, squared_distance, table, zeros } from "./tables.js";
/** @import { Numbers, Table } from "./tables.js" */

/**
 * The numbers of the k smallest in t, the smallest first, equal ones by number. `smallest` has room for k.
 * @param {Int32Array} found takes the numbers
 */
export function smallest_of(t, k, found, smallest) {
  smallest.fill(Infinity);
  for (let j = 0; j < t.length; j++) {
    if (!(t[j] < smallest[k - 1])) continue;
    let at = k - 1;
    for (; at > 0 && t[j] < smallest[at - 1]; at--) {
      smallest[at] = smallest[at - 1];
      found[at] = found[at - 1];
    }
    smallest[at] = t[j];
    found[at] = j;
  }
}

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
    smallest_of(t, k, found, far);
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

/** Coordinates divided by a power of two, so that squares neither overflow nor vanish; constant columns become zeros. */
function in_units(X) {
  const q = X.columns;
  const varies = Array.from({ length: q }, (_, k) => X.data.some((v, at) => at % q === k && v !== X.data[k]));
  const largest = X.data.reduce((most, v, at) => (varies[at % q] ? Math.max(most, Math.abs(v)) : most), 0);
  const size = largest > 0 ? 2 ** Math.floor(Math.log2(largest)) : 1;
  const inside = zeros(X.rows, q);
  X.data.forEach((v, at) => (inside.data[at] = varies[at % q] ? v / size : 0));
  return inside;
}

function centred(X) {
  const middle = mean(X);
  X.data.forEach((_, at) => (X.data[at] -= middle[at % X.columns]));
  return X;
}

/** Coordinates with mean 0 and a mean variance of 1 over all axes; constant columns become zeros. @returns {Table} */
export function normalised(X) {
  const inside = centred(in_units(X));
  const spread = Math.sqrt(inside.data.reduce((sum, v) => sum + v * v, 0) / inside.data.length);
  return spread > 0 ? mapped(inside, (v) => v / spread) : inside;
}

/** The k nearest others of each point, nearest first, row by row. A few points at a time. */
function* neighbors_search(points, k) {
  const N = points.rows;
  const [columns, neighbors] = [columns_of(points), new Int32Array(N * k)];
  const [t, far] = [new Float64Array(N), new Float64Array(k)];
  for (let i = 0; i < N; i++) {
    if (i % 50 === 49) yield;
    distances(row(points, i), columns, N, t);
    t[i] = Infinity;
    smallest_of(t, k, neighbors.subarray(i * k, (i + 1) * k), far);
  }
  return neighbors;
}

/** The points that `two_way_search` sets aside. */
function far_off(points, neighbors, k) {
  const N = points.rows;
  const reach = Array.from({ length: N }, (_, n) =>
    Math.sqrt(squared_distance(row(points, n), row(points, neighbors[n * k + k - 1]))));
  const sorted = Float64Array.from(reach).sort();
  const usual = (sorted[Math.ceil(N / 2) - 1] + sorted[Math.floor(N / 2)]) / 2;
  const loneliest = reach.map((_, n) => n).sort((a, b) => reach[b] - reach[a] || a - b).slice(0, Math.floor(N / 50));
  return loneliest.filter((n) => reach[n] > 10 * usual);
}

/** The share of the squares of values that the means over neighbours leave; 0 if all values are equal. */
function unexplained(values, neighbors, k) {
  const [N, d] = [values.rows, values.columns];
  const T = centred(in_units(values));
  let [missed, all] = [0, 0];
  for (let n = 0; n < N; n++) {
    for (let c = 0; c < d; c++) {
      let total = 0;
      for (let a = 0; a < k; a++) total += T.data[neighbors[n * k + a] * d + c];
      missed += (total / k - T.data[n * d + c]) ** 2;
      all += T.data[n * d + c] ** 2;
    }
  }
  return all > 0 ? missed / all : 0;
}

/**
 * `two_way`: what k latent neighbours do not tell of the data, and what k neighbours in the data do not
 * tell of the map. A few points at a time.
 * @returns {Generator<void, {back: number, forth: number}>}
 */
export function* two_way_search(X, Y, k) {
  [X, Y] = [in_units(X), in_units(Y)];
  let [by_X, by_Y] = [yield* neighbors_search(X, k), yield* neighbors_search(Y, k)];
  const aside = new Set([...far_off(X, by_X, k), ...far_off(Y, by_Y, k)]);
  if (aside.size) {
    const kept = (T) => in_units(table(Array.from({ length: T.rows }, (_, n) => Array.from(row(T, n)))
      .filter((_, n) => !aside.has(n))));
    [X, Y] = [kept(X), kept(Y)];
    [by_X, by_Y] = [yield* neighbors_search(X, k), yield* neighbors_search(Y, k)];
  }
  return { back: unexplained(Y, by_X, k), forth: unexplained(X, by_Y, k) };
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
