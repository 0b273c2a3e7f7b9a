// Eigenvectors of symmetric matrices.

import { dot, row, zeros } from "./tables.js";
/** @import { Table } from "./tables.js" */

/**
 * Eigenvalues (ascending) and eigenvectors (columns) of a symmetric matrix, a row or a value at a time:
 * Householder's reflections to three diagonals, then QL with implicit shifts.
 * @param {Table} A
 * @returns {Generator<void, {values: Float64Array, vectors: Table}>}
 */
export function* eigenvectors(A) {
  const n = A.rows;
  const T = Array.from({ length: n }, (_, i) => row(A, i).slice());
  // At any time T = W A Wᵀ. Each row of W, in the end an eigenvector, stays together in memory.
  const W = Array.from({ length: n }, (_, i) => new Float64Array(n).fill(1, i, i + 1));
  for (let k = 0; k < n - 2; k++) {
    yield;
    const below = T[k].slice().fill(0, 0, k + 1);
    const size = Math.hypot(...below);
    if (size === 0) continue;
    below[k + 1] += below[k + 1] > 0 ? size : -size;
    const long = Math.hypot(...below);
    const v = below.map((t) => t / long); // the reflection is I - 2 v vᵀ
    const p = Float64Array.from(T, (t) => 2 * dot(t, v));
    const along = dot(p, v);
    for (let j = k; j < n; j++) p[j] -= along * v[j];
    const u = new Float64Array(n);
    for (let i = k + 1; i < n; i++) for (let j = 0; j < n; j++) u[j] += 2 * v[i] * W[i][j];
    for (let i = k; i < n; i++) {
      const [t, w, vi, pi] = [T[i], W[i], v[i], p[i]];
      for (let j = k; j < n; j++) t[j] -= vi * p[j] + pi * v[j];
      for (let j = 0; j < n; j++) w[j] -= vi * u[j];
    }
  }
  const d = Float64Array.from(T, (t, i) => t[i]);
  const e = Float64Array.from(T, (t, i) => t[i + 1] ?? 0);
  const rounding = 2 ** -52 * d.reduce((most, v, i) => Math.max(most, Math.abs(v) + Math.abs(e[i])), 0);
  for (let l = 0; l < n; l++) {
    yield;
    for (;;) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > rounding) m++;
      if (m === l) break;
      const slope = (d[l + 1] - d[l]) / (2 * e[l]);
      let g = d[m] - d[l] + e[l] / (slope + (slope < 0 ? -1 : 1) * Math.hypot(slope, 1)); // the shift
      let [s, c, moved] = [1, 1, 0];
      for (let i = m - 1; i >= l; i--) {
        const [f, b] = [s * e[i], c * e[i]];
        const r = Math.hypot(f, g);
        e[i + 1] = r;
        [s, c] = r > 0 ? [f / r, g / r] : [0, 1];
        const h = d[i + 1] - moved;
        const turned = (d[i] - h) * s + 2 * c * b;
        moved = s * turned;
        d[i + 1] = h + moved;
        g = c * turned - b;
        const [w, next] = [W[i], W[i + 1]];
        for (let k = 0; k < n; k++) {
          const t = next[k];
          next[k] = s * w[k] + c * t;
          w[k] = c * w[k] - s * t;
        }
      }
      d[l] -= moved;
      e[l] = g;
      e[m] = 0;
    }
  }
  const order = Array.from(d.keys()).sort((a, b) => d[a] - d[b]);
  const vectors = zeros(n, n);
  order.forEach((from, to) => {
    for (let i = 0; i < n; i++) vectors.data[i * n + to] = W[from][i];
  });
  return { values: Float64Array.from(order, (k) => d[k]), vectors };
}

const SMALL = 40; // rows up to which all eigenvectors are computed

/**
 * The greatest eigenvalues of a symmetric matrix, greatest first, and their eigenvectors (columns), a product
 * with the matrix at a time: Lanczos's method, in which each new vector is made orthogonal to all before it.
 * @param {Table} A
 * @returns {Generator<void, {values: Float64Array, vectors: Table}>}
 */
export function* leading_eigenvectors(A, number) {
  const n = A.rows;
  const V = [Float64Array.from({ length: n }, (_, i) => 1 + ((0.618034 * (i + 1)) % 1))];
  const [diagonal, beside] = [[], []];
  let left = Math.sqrt(dot(V[0], V[0]));
  let found = null;
  while (!found && n > SMALL) {
    yield;
    const v = V.at(-1);
    for (let i = 0; i < n; i++) v[i] /= left;
    const w = Float64Array.from({ length: n }, (_, i) => dot(row(A, i), v));
    diagonal.push(dot(w, v));
    for (const u of [...V, ...V]) { // twice, because rounding leaves a part the first time
      const along = dot(w, u);
      for (let i = 0; i < n; i++) w[i] -= along * u[i];
    }
    left = Math.sqrt(dot(w, w));
    const m = diagonal.length;
    const size = Math.max(...diagonal.map(Math.abs), ...beside);
    if (m % 10 === 0 || m === n || left <= 1e-14 * size) {
      const T = zeros(m, m);
      diagonal.forEach((a, i) => (T.data[i * m + i] = a));
      beside.forEach((b, i) => (T.data[i * m + i + 1] = T.data[(i + 1) * m + i] = b));
      const ritz = yield* eigenvectors(T);
      const residual = (p) => left * Math.abs(ritz.vectors.data[(m - 1) * m + m - 1 - p]);
      const settled = Array.from({ length: Math.min(number, m) }, (_, p) => residual(p) <= 1e-13 * size);
      if (m === n || left <= 1e-14 * size || (m >= number && settled.every(Boolean))) found = ritz;
    }
    beside.push(left);
    V.push(w);
  }
  found ??= yield* eigenvectors(A);
  const m = found.values.length;
  const values = Float64Array.from({ length: number }, (_, p) => found.values[m - 1 - p] ?? 0);
  const vectors = zeros(n, number);
  for (let p = 0; p < Math.min(number, m); p++) {
    for (let i = 0; i < n; i++) {
      let sum = n > SMALL ? 0 : found.vectors.data[i * m + m - 1 - p];
      if (n > SMALL) for (let k = 0; k < m; k++) sum += V[k][i] * found.vectors.data[k * m + m - 1 - p];
      vectors.data[i * number + p] = sum;
    }
  }
  return { values, vectors };
}
