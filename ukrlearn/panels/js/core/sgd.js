// [SGD]: neighbour embedding, affinities, and filters of gradients by their eigenvectors.

import {
  columns_of, distances, finished, from_columns, least, mapped, row, squared_distance, zeros,
} from "./tables.js";
import { exp_of_minus } from "./kernel_regression.js";
import { eigenvectors } from "./eigenvectors.js";
import { root, trials } from "./searches.js";
/** @import { Table } from "./tables.js" */

/** h at which the median point gives its eighth neighbour the weight 1/e. */
export function typical_bandwidth(Y, neighbors = 8) {
  const k = Math.min(neighbors, Y.rows - 1);
  const eighth = Array.from({ length: Y.rows }, (_, n) => {
    const t = Float64Array.from({ length: Y.rows }, (_, m) => squared_distance(row(Y, n), row(Y, m)));
    return t.sort()[k];
  });
  const positive = eighth.filter((t) => t > 0).sort((a, b) => a - b);
  if (!positive.length) return 1;
  const [a, b] = [positive[(positive.length - 1) >> 1], positive[positive.length >> 1]];
  return ((Math.sqrt(a) + Math.sqrt(b)) / 2) ** 2; // the median of the distances, squared
}

/**
 * M = D^-1/2 K D^-1/2 with K_ij = exp(-|y_i - y_j|² / h), [SGD] (12), and its unit eigenvector along
 * D^1/2 1, along which X is only shifted.
 */
export function clustering_affinity(Y, h) {
  const N = Y.rows;
  const M = zeros(N, N);
  const root = new Float64Array(N);
  for (let i = 0; i < N; i++) {
    for (let j = 0; j < N; j++) {
      M.data[i * N + j] = exp_of_minus(squared_distance(row(Y, i), row(Y, j)) / h);
      root[i] += M.data[i * N + j];
    }
    root[i] = Math.sqrt(root[i]);
  }
  for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) M.data[i * N + j] /= root[i] * root[j];
  const size = Math.hypot(...root);
  return { M, constant: root.map((r) => r / size) };
}

/**
 * The spectrum of an affinity, a little at a time: eigenvalues in descending order, divided by the
 * greatest, and eigenvectors as columns. `without` is a unit eigenvector to be removed.
 * @returns {Generator<void, {values: Float64Array, vectors: Table}>}
 */
export function* decomposition(M, without = null) {
  const N = M.rows;
  let A = M;
  if (without) {
    let removed = 0;
    for (let i = 0; i < N; i++) for (let j = 0; j < N; j++) removed += without[i] * M.data[i * N + j] * without[j];
    A = zeros(N, N);
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < N; j++) A.data[i * N + j] = M.data[i * N + j] - removed * without[i] * without[j];
    }
  }
  const { values, vectors } = yield* eigenvectors(A);
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a]);
  const sorted = zeros(N, N);
  order.forEach((from, to) => {
    for (let n = 0; n < N; n++) sorted.data[n * N + to] = vectors.data[n * N + from];
  });
  const greatest = Math.max(values[order[0]], 0) || 1;
  return { values: Float64Array.from(order, (k) => Math.max(values[k], 0) / greatest), vectors: sorted };
}

/** The ν at which the weights λ^ν have this perplexity, or the nearest possible one. */
export function power_with(values, directions) {
  const excess = (log_nu) => Math.log(perplexity(values.map((v) => v ** Math.exp(log_nu))) / directions);
  const [flattest, steepest] = [Math.log(1e-6), Math.log(1e4)];
  if (!values.some((v) => v > 0) || excess(flattest) <= 1e-9) return 0;
  if (excess(steepest) >= 0) return 1e4;
  return Math.exp(finished(trials(root(flattest, steepest, 1e-3), function* (log_nu) {
    return excess(log_nu);
  })));
}

/**
 * V diag(w) Vᵀ times the gradient, plus a factor for the part orthogonal to V: [SGD] (14) to (17).
 * @returns {Table}
 */
export function filtered(gradient, vectors, share, of_rest = 0) {
  const guided = mapped(gradient, (g) => of_rest * g);
  const [N, q, number] = [gradient.rows, gradient.columns, vectors.columns];
  for (let k = 0; k < q; k++) {
    const along = new Float64Array(number); // (14)
    for (let n = 0, at = 0; n < N; n++) {
      const g = gradient.data[n * q + k];
      for (let j = 0; j < number; j++) along[j] += g * vectors.data[at++];
    }
    for (let j = 0; j < number; j++) along[j] *= share[j] - of_rest;
    for (let n = 0, at = 0; n < N; n++) {
      let sum = 0;
      for (let j = 0; j < number; j++) sum += along[j] * vectors.data[at++];
      guided.data[n * q + k] += sum; // (15), (17)
    }
  }
  return guided;
}

/** exp(entropy) of weights divided by their sum: the effective number of directions. */
export function perplexity(share) {
  const total = share.reduce((sum, w) => sum + w, 0);
  let entropy = 0;
  for (const w of share) if (w > 0) entropy -= (w / total) * Math.log(w / total);
  return Math.exp(entropy);
}

/** P_ij = exp(-|y_i - y_j|² / h) / Σ_k exp(-|y_i - y_k|² / h), [SGD] (1). @returns {Table} */
export function neighbor_probabilities(Y, h = 1, with_itself = true) {
  const N = Y.rows;
  const P = zeros(N, N);
  const columns = columns_of(Y);
  for (let i = 0; i < N; i++) {
    const p = row(P, i);
    distances(row(Y, i), columns, N, p);
    if (!with_itself) p[i] = Infinity;
    const nearest = least(p);
    let total = 0;
    for (let j = 0; j < N; j++) total += p[j] = exp_of_minus((p[j] - nearest) / h);
    for (let j = 0; j < N; j++) p[j] /= total;
  }
  return P;
}

/**
 * X -> E(X) = 1/N Σ_i Σ_j P_ij log(P_ij / Q_ij(X)), [SGD] (3), with its gradient (4). The entropy of P
 * and room for pairs i > j, packed row by row, are kept between calls.
 * @returns {(X: Table) => {error: number, gradient: Table}}
 */
export function objective_of(P, with_itself = true) {
  const N = P.rows;
  let negative_entropy = 0;
  for (const p of P.data) if (p > 0) negative_entropy += p * Math.log(p);
  const number = (N * (N - 1)) / 2;
  const both = new Float64Array(number); // P_ij + P_ji
  for (let i = 1, at = 0; i < N; i++) for (let j = 0; j < i; j++, at++) both[at] = P.data[i * N + j] + P.data[j * N + i];
  const t = new Float64Array(N); // squared distances
  const lower = new Float64Array(number); // the numerators of Q_ij
  const upper = with_itself ? lower : new Float64Array(number); // and of Q_ji
  return (X) => {
    const x = columns_of(X);
    const nearest = new Float64Array(N).fill(with_itself ? 0 : Infinity);
    for (let i = 1; i < N && !with_itself; i++) {
      distances(row(X, i), x, i, t);
      for (let j = 0; j < i; j++) {
        nearest[i] = Math.min(nearest[i], t[j]);
        nearest[j] = Math.min(nearest[j], t[j]);
      }
    }
    let error = negative_entropy;
    const total = new Float64Array(N).fill(with_itself ? 1 : 0);
    for (let i = 1, start = 0; i < N; start += i++) {
      distances(row(X, i), x, i, t);
      let sum = 0;
      for (let j = 0; j < i; j++) {
        const at = start + j;
        error += both[at] * t[j];
        lower[at] = exp_of_minus(t[j] - nearest[i]);
        if (!with_itself) upper[at] = exp_of_minus(t[j] - nearest[j]);
        sum += lower[at];
        total[j] += upper[at];
      }
      total[i] += sum;
    }
    for (let i = 0; i < N; i++) error += Math.log(total[i]) - nearest[i];
    const share = total.map((sum) => 1 / sum);
    const pull = new Float64Array(N);
    const gradient = x.map(() => new Float64Array(N));
    for (let i = 1, start = 0; i < N; start += i++) {
      for (let j = 0; j < i; j++) {
        const at = start + j;
        pull[j] = (-2 / N) * (share[i] * lower[at] + share[j] * upper[at] - both[at]);
      }
      for (let k = 0; k < x.length; k++) {
        const [there, here, column] = [x[k], x[k][i], gradient[k]];
        let sum = 0;
        for (let j = 0; j < i; j++) {
          const along = pull[j] * (here - there[j]);
          sum += along;
          column[j] -= along;
        }
        column[i] += sum;
      }
    }
    return { error: Math.max(error / N, 0), gradient: from_columns(gradient) }; // (3), (4)
  };
}
