// Kernel ridge regression, [SI]: the map that sends new points into an embedding, chosen by leaving out each point once.

import { eigenvectors } from "./eigenvectors.js";
import { smallest_of } from "./metrics.js";
import { distances, columns_of, row, squared_distance, zeros } from "./tables.js";
/** @import { Table } from "./tables.js" */

const GAMMAS = [1 / 4, 1, 4, 16, 64]; // divided by the mean squared distance of the data
const PENALTIES = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10];
const LEAST_PENALTY = 1e-12; // times N: below it, rounding decides

/** For each γ what serves all targets and penalties: the eigenvectors of exp(-γ |y - y'|²). @returns {Generator<void, object[]>} */
export function* ridge_paths(Y, unit) {
  const paths = [];
  for (const gamma of GAMMAS.map((g) => g / unit)) {
    const K = zeros(Y.rows, Y.rows);
    for (let i = 0; i < Y.rows; i++) {
      for (let j = 0; j < Y.rows; j++) K.data[i * Y.rows + j] = Math.exp(-gamma * squared_distance(row(Y, i), row(Y, j)));
    }
    const { values, vectors } = yield* eigenvectors(K);
    paths.push({ Y, gamma, U: vectors, values: values.map((v) => Math.max(v, 0)) });
  }
  return paths;
}

/** Uᵀ Z, for which Z is given at the points; and U times numbers given for the eigenvectors. */
function product(U, Z, transposed) {
  const [N, q] = [U.rows, Z.columns];
  const found = zeros(N, q);
  for (let n = 0; n < N; n++) {
    for (let k = 0; k < N; k++) {
      const [from, to] = transposed ? [n, k] : [k, n];
      for (let p = 0; p < q; p++) found.data[to * q + p] += U.data[n * N + k] * Z.data[from * q + p];
    }
  }
  return found;
}

/**
 * The map from Y to targets Z whose γ and penalty have the least error of points that are left out.
 * @returns {(new_points: Table) => Table}
 */
export function ridge_map(paths, Z) {
  const [N, q] = [Z.rows, Z.columns];
  let best = Infinity;
  let chosen = null;
  for (const path of paths) {
    const along = product(path.U, Z, true);
    for (const given of PENALTIES) {
      const penalty = Math.max(given, LEAST_PENALTY * N);
      const share = path.values.map((v) => penalty / (v + penalty));
      const left = product(path.U, { ...along, data: along.data.map((v, at) => v * share[Math.floor(at / q)]) }, false);
      let error = 0;
      for (let n = 0; n < N; n++) {
        let own = 0; // the residual of a fit without point n is P Z over P_nn, with P = λ (G + λI)⁻¹
        for (let k = 0; k < N; k++) own += path.U.data[n * N + k] ** 2 * share[k];
        for (let p = 0; p < q; p++) error += (left.data[n * q + p] / own) ** 2 / N;
      }
      if (error < best) [best, chosen] = [error, { path, penalty, left }];
    }
  }
  const { path, penalty, left } = chosen;
  const W = left.data.map((v) => v / penalty);
  return (points) => {
    const f = zeros(points.rows, q);
    for (let m = 0; m < points.rows; m++) {
      for (let n = 0; n < N; n++) {
        const k = Math.exp(-path.gamma * squared_distance(row(points, m), row(path.Y, n)));
        for (let p = 0; p < q; p++) f.data[m * q + p] += k * W[n * q + p];
      }
    }
    return f;
  };
}

/** The share of points whose label most of their k nearest training points have; of several, the lowest label. */
export function share_found(X, labels, points, truth, k = 5) {
  const columns = columns_of(X);
  const [t, near, far] = [new Float64Array(X.rows), new Int32Array(k), new Float64Array(k)];
  let found = 0;
  for (let m = 0; m < points.rows; m++) {
    distances(row(points, m), columns, X.rows, t);
    smallest_of(t, k, near, far);
    const votes = [];
    for (const n of near) votes[labels[n]] = (votes[labels[n]] ?? 0) + 1;
    const most = votes.reduce((a, b) => Math.max(a, b), 0);
    if (votes.indexOf(most) === truth[m]) found++;
  }
  return found / points.rows;
}
