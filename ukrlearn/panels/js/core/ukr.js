// [UKR]: the reconstruction error, the density of the latent points, and the size of the manifold.

import { columns_of, distances, dot, from_columns, row, zeros } from "./tables.js";
import {
  LEAST_TOTAL, add_weighted_mean, exp_of_minus, gaussian, kernel_row, latent_density,
} from "./kernel_regression.js";
/** @import { Table } from "./tables.js" */

/** p(x_n) / K(0) at the latent points themselves, as in [UKR] (7). @returns {Float64Array} */
export function relative_density(X, kernel = gaussian) {
  return latent_density(X, X, kernel).map((p) => p / kernel.value(0));
}

/** A regular grid over the box of the latent points (one or two columns), and the size of one cell. */
export function latent_grid(X, per_axis) {
  const q = X.columns;
  const low = new Float64Array(q).fill(Infinity);
  const high = new Float64Array(q).fill(-Infinity);
  X.data.forEach((v, k) => {
    low[k % q] = Math.min(low[k % q], v);
    high[k % q] = Math.max(high[k % q], v);
  });
  const width = high.map((v, k) => (v - low[k]) / per_axis);
  const x = zeros(per_axis ** q, q);
  for (let n = 0; n < x.rows; n++) {
    const place = q === 1 ? [n] : [Math.floor(n / per_axis), n % per_axis];
    place.forEach((cell, k) => (x.data[n * q + k] = low[k] + width[k] * (cell + 0.5)));
  }
  return { x, cell: width.reduce((product, w) => product * w, 1) };
}

/**
 * The factors by which cells of latent space grow: √det(JᵀJ) of the manifold, and |J_b|₂^q of the weights,
 * the integrands of [UKR] (5) and (21), for one or two latent coordinates.
 * @returns {{of_manifold: Float64Array, of_weights: Float64Array}}
 */
export function stretches(x, X, Y, kernel = gaussian) {
  const [N, q] = [X.rows, X.columns];
  const [K, steepness] = [new Float64Array(N), new Float64Array(N)];
  const [columns, y] = [columns_of(X), columns_of(Y)];
  const J_b = columns.map(() => new Float64Array(N)); // column by column
  const of_manifold = new Float64Array(x.rows);
  const of_weights = new Float64Array(x.rows);
  /** The upper half of AᵀA. */
  const products = (A) => (q === 1 ? [dot(A[0], A[0])] : [dot(A[0], A[0]), dot(A[0], A[1]), dot(A[1], A[1])]);
  for (let n = 0; n < x.rows; n++) {
    const total = kernel_row(row(x, n), columns, kernel, -1, K, steepness);
    J_b.forEach((slope, k) => {
      const [there, here] = [columns[k], x.data[n * q + k]];
      let sum = 0;
      for (let m = 0; m < N; m++) {
        slope[m] = steepness[m] * (there[m] - here); // of K
        sum += slope[m];
      }
      for (let m = 0; m < N; m++) slope[m] = (slope[m] - (K[m] / total) * sum) / total; // (6), (22)
    });
    const J = J_b.map((slope) => y.map((column) => dot(slope, column)));
    const [a, b, c] = products(J);
    of_manifold[n] = Math.sqrt(q === 1 ? a : Math.max(a * c - b * b, 0));
    const [u, v, w] = products(J_b);
    const greatest = q === 1 ? u : (u + w) / 2 + Math.hypot((u - w) / 2, v);
    of_weights[n] = greatest ** (q / 2);
  }
  return { of_manifold, of_weights };
}

/** |y_n - f(x_n)|² of every point; without its own help if leave_one_out. @returns {Float64Array} */
export function squared_residuals(X, Y, kernel = gaussian, leave_one_out = true) {
  const { y, f } = pairs_of(X, Y, kernel, leave_one_out);
  const found = new Float64Array(X.rows);
  f.forEach((column, k) => {
    for (let n = 0; n < X.rows; n++) found[n] += (column[n] - y[k][n]) ** 2;
  });
  return found;
}

/**
 * R or R_cv, [UKR] (8), (10), and its gradient, (32).
 * @returns {{error: number, gradient: Table}}
 */
export function reconstruction_error(X, Y, kernel = gaussian, leave_one_out = true) {
  const [N, q, d] = [X.rows, X.columns, Y.columns];
  const { steepness, total, x, y, f, lost } = pairs_of(X, Y, kernel, leave_one_out);
  const factor = total.map((sum, n) => (lost.has(n) ? 0 : 2 / (N * sum)));
  const level = new Float64Array(N); // Σ_m M_nm B_nm, times the factor
  const residual = f.map((column) => new Float64Array(N)); // times the factor
  let error = 0;
  for (let k = 0; k < d; k++) {
    for (let n = 0; n < N; n++) {
      const r = f[k][n] - y[k][n]; // (2)
      error += r * r; // (8), (10)
      residual[k][n] = factor[n] * r;
      level[n] += residual[k][n] * f[k][n];
    }
  }
  const pull = x.map(() => new Float64Array(N));
  const force = new Float64Array(N);
  for (let n = 1, start = 0; n < N; start += n++) {
    for (let k = 0; k < d; k++) { // M below (24), for both of a pair
      const [r, v, r_n, y_n] = [residual[k], y[k], residual[k][n], y[k][n]];
      if (k === 0) for (let m = 0; m < n; m++) force[m] = r_n * v[m] + r[m] * y_n - level[n] - level[m];
      else for (let m = 0; m < n; m++) force[m] += r_n * v[m] + r[m] * y_n;
    }
    for (let k = 0; k < q; k++) {
      const [column, there, here] = [pull[k], x[k], x[k][n]];
      let total = 0;
      for (let m = 0; m < n; m++) {
        const along = steepness[start + m] * force[m] * (there[m] - here); // (31), (32), at both ends
        total += along;
        column[m] -= along;
      }
      column[n] += total;
    }
  }
  for (const [n, { steepness }] of lost) {
    const scale = 2 / (N * total[n]);
    force.fill(0);
    for (let k = 0; k < d; k++) {
      const [v, f_n, r] = [y[k], f[k][n], scale * (f[k][n] - y[k][n])];
      for (let m = 0; m < N; m++) force[m] += r * (v[m] - f_n);
    }
    for (let m = 0; m < N; m++) {
      if (steepness[m] === 0) continue;
      for (let k = 0; k < q; k++) {
        const along = steepness[m] * force[m] * (x[k][m] - x[k][n]);
        pull[k][n] += along;
        pull[k][m] -= along;
      }
    }
  }
  return { error: error / N, gradient: from_columns(pull) };
}

const scratch = { K: new Float64Array(0), steepness: new Float64Array(0) };

/**
 * What R and its gradient are made of. K and steepness: of all pairs m < n of latent points, packed row by
 * row; the next call uses these arrays again, and for the Gaussian both are the same one, (35). total: sums
 * of the rows of the whole matrix; `first`: the same before any row is rescued from underflow. x, y: columns
 * of X and Y; f: columns of the reconstructions. lost: K and steepness of each rescued row, whole.
 */
function pairs_of(X, Y, kernel, leave_one_out) {
  const [N, d] = [X.rows, Y.columns];
  const number = (N * (N - 1)) / 2;
  if (scratch.K.length < number) {
    scratch.K = new Float64Array(number);
    scratch.steepness = new Float64Array(number);
  }
  const is_gaussian = kernel === gaussian;
  const K = scratch.K;
  const steepness = is_gaussian ? K : scratch.steepness;
  const [x, y] = [columns_of(X), columns_of(Y)];
  const own = leave_one_out ? 0 : kernel.value(0);
  const total = new Float64Array(N).fill(own);
  const f = y.map((column) => column.map((v) => own * v)); // sums at first
  const t = new Float64Array(N);
  for (let n = 1, start = 0; n < N; start += n++) {
    distances(row(X, n), x, n, t);
    let sum = 0;
    for (let m = 0; m < n; m++) {
      const value = is_gaussian ? exp_of_minus(0.5 * t[m]) : kernel.value(t[m]); // (33)
      if (!is_gaussian) steepness[start + m] = -2 * kernel.slope(t[m]);
      K[start + m] = value;
      total[m] += value;
      sum += value;
    }
    total[n] += sum;
    for (let k = 0; k < d; k++) {
      const [there, here, column] = [y[k], y[k][n], f[k]];
      let sum = 0;
      for (let m = 0; m < n; m++) {
        sum += K[start + m] * there[m];
        column[m] += K[start + m] * here;
      }
      column[n] += sum;
    }
  }
  const first = total.slice();
  const lost = new Map();
  for (let n = 0; n < N; n++) {
    if (total[n] >= LEAST_TOTAL) continue;
    const rescued = { K: new Float64Array(N), steepness: new Float64Array(N) };
    total[n] = kernel_row(row(X, n), x, kernel, leave_one_out ? n : -1, rescued.K, rescued.steepness);
    lost.set(n, rescued);
    const there = new Float64Array(d);
    add_weighted_mean(rescued.K, total[n], Y, there);
    for (let k = 0; k < d; k++) f[k][n] = there[k] * total[n];
  }
  for (const column of f) for (let n = 0; n < N; n++) column[n] /= total[n]; // (2)
  return { K, steepness, total, first, x, y, f, lost };
}

/**
 * Row and column n of Q, [UKR] (31): the forces of all points on point n for the sake of its own
 * reconstruction, and for the sake of theirs.
 * @returns {{rebuilt: Float64Array, helper: Float64Array}}
 */
export function pair_forces_of(n, X, Y, kernel = gaussian, leave_one_out = true) {
  const [N, d] = [X.rows, Y.columns];
  const { steepness, total, y, f, lost } = pairs_of(X, Y, kernel, leave_one_out);
  const own = leave_one_out ? 0 : -2 * kernel.slope(0);
  const steep = (n, m) => lost.get(n)?.steepness[m] ??
    (n === m ? own : steepness[(Math.max(n, m) * (Math.max(n, m) - 1)) / 2 + Math.min(n, m)]);
  /** Row n of M, below (24), less its mean under the weights of row n, at place m. */
  const product = (n, m) => {
    let sum = 0;
    for (let k = 0; k < d; k++) sum += (f[k][n] - y[k][n]) * (y[k][m] - f[k][n]);
    return sum;
  };
  const of = (n, m) => (steep(n, m) / total[n]) * product(n, m);
  return { rebuilt: Float64Array.from({ length: N }, (_, m) => of(n, m)),
    helper: Float64Array.from({ length: N }, (_, m) => of(m, n)) };
}

/**
 * R without and R_cv with each point left out of its own reconstruction, and those reconstructions.
 * One pass makes both: with its own value K(0), a point's residual shrinks by the share of the others.
 * @returns {{R: number, R_cv: number, left_out: Table}}
 */
export function errors(X, Y, kernel = gaussian) {
  const N = X.rows;
  const { first, y, f } = pairs_of(X, Y, kernel, true);
  const at_zero = kernel.value(0);
  let [R, R_cv] = [0, 0];
  for (let n = 0; n < N; n++) {
    const squared = f.reduce((sum, column, k) => sum + (column[n] - y[k][n]) ** 2, 0);
    const share = first[n] / (first[n] + at_zero);
    R_cv += squared; // (10)
    R += share * share * squared; // (8)
  }
  return { R: R / N, R_cv: R_cv / N, left_out: from_columns(f) };
}
