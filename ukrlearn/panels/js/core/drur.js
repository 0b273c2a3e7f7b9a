// [DRUR]: networks of radial basis functions, and the projection of one point by Gauss-Newton.

import { copy, row, squared_distance, table, zeros } from "./tables.js";
/** @import { Table } from "./tables.js" */

/**
 * f(x) = Σ_m w_m φ_m(x) + w with φ_m(x) = exp(-|x - μ_m|² / 2σ²), [DRUR] (13), at one position at a time.
 * @param {{centres: number[][], width: number, W: number[][], bias: number[]}} network
 */
export function rbf_network({ centres, width, W, bias }) {
  const [mu, weight] = [table(centres), table(W)];
  const [M, q, d] = [mu.rows, mu.columns, weight.columns];
  const phi = new Float64Array(M);
  const basis = (x) => {
    for (let m = 0; m < M; m++) phi[m] = Math.exp(squared_distance(x, row(mu, m)) / (-2 * width ** 2));
  };
  const value = () => {
    const f = Float64Array.from(bias);
    for (let m = 0; m < M; m++) for (let k = 0; k < d; k++) f[k] += phi[m] * weight.data[m * d + k]; // (13)
    return f;
  };
  return {
    /** f(x). @returns {Float64Array} */
    at(x) {
      basis(x);
      return value();
    },
    /** f(x) and J, (17), with d rows and q columns. @returns {{f: Float64Array, J: Table}} */
    with_jacobian(x) {
      basis(x);
      const J = zeros(d, q);
      for (let m = 0; m < M; m++) {
        for (let j = 0; j < q; j++) {
          const slope = (phi[m] * (mu.data[m * q + j] - x[j])) / width ** 2;
          for (let k = 0; k < d; k++) J.data[k * q + j] += slope * weight.data[m * d + k]; // (17)
        }
      }
      return { f: value(), J };
    },
    /** Σ_k r_k ∇²f_k(x) for a direction r in data space, as in (10). @returns {Table} */
    second_derivatives(x, along) {
      basis(x);
      const H = zeros(q, q);
      for (let m = 0; m < M; m++) {
        let part = 0;
        for (let k = 0; k < d; k++) part += along[k] * weight.data[m * d + k];
        part *= phi[m] / width ** 2;
        for (let i = 0; i < q; i++) {
          for (let j = 0; j < q; j++) {
            const apart = (mu.data[m * q + i] - x[i]) * (mu.data[m * q + j] - x[j]);
            H.data[i * q + j] += part * (apart / width ** 2 - (i === j ? 1 : 0));
          }
        }
      }
      return H;
    },
  };
}

/** A x = b for a symmetric positive definite A, by Cholesky's method; small systems only. */
export function solve(A, b) {
  const n = A.rows;
  const L = copy(A);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = A.data[i * n + j];
      for (let k = 0; k < j; k++) sum -= L.data[i * n + k] * L.data[j * n + k];
      L.data[i * n + j] = i === j ? Math.sqrt(sum) : sum / L.data[j * n + j];
    }
  }
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= L.data[i * n + k] * x[k];
    x[i] /= L.data[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= L.data[k * n + i] * x[k];
    x[i] /= L.data[i * n + i];
  }
  return x;
}

/** E(x) = |y - f(x)|² + |x - F(y)|², [DRUR] (7), of one point. */
export function projection_objective(f, x, y, F_y) {
  return squared_distance(y, f) + squared_distance(x, F_y);
}

/**
 * p = (I + JᵀJ)⁻¹ (Jᵀ(y - f) - x + F(y)), [DRUR] (12), of one point; J has d rows and q columns.
 * @returns {Float64Array}
 */
export function gauss_newton_step(f, J, x, y, F_y) {
  const [d, q] = [J.rows, J.columns];
  const curvature = zeros(q, q); // half of (11)
  const downhill = new Float64Array(q); // half of minus the gradient (8)
  for (let j = 0; j < q; j++) {
    downhill[j] = F_y[j] - x[j];
    for (let i = 0; i < d; i++) downhill[j] += J.data[i * q + j] * (y[i] - f[i]);
    for (let k = 0; k < q; k++) {
      let sum = j === k ? 1 : 0;
      for (let i = 0; i < d; i++) sum += J.data[i * q + j] * J.data[i * q + k];
      curvature.data[j * q + k] = sum;
    }
  }
  return solve(curvature, downhill);
}

const HALVINGS = 20; // of a step, at most, until E does not rise
const NEGLIGIBLE = 1e-6; // times the size of X: for shorter steps, rounding decides which is better

/**
 * Minimise E(x) = |y - f(x)|² + |x - F(y)|² of one point, starting from x, [DRUR] (7): Gauss-Newton, with
 * steps halved while they would raise E. `size` is that of latent space.
 * @returns {{x: Float64Array, error: number, taken: number[]}} `taken`: the share of each step
 */
export function project(f, x, y, F_y, max_moves = 10, tol = 1e-4, size = 1) {
  let here = Float64Array.from(x);
  let error = projection_objective(f.at(here), here, y, F_y);
  const taken = [];
  for (let move = 0; move < max_moves; move++) {
    const { f: f_x, J } = f.with_jacobian(here);
    const step = gauss_newton_step(f_x, J, here, y, F_y);
    const length = Math.hypot(...step) / size;
    let part = 1;
    let found = 0;
    for (let halving = 0; halving < HALVINGS && !found; halving++, part /= 2) {
      const there = here.map((v, k) => v + part * step[k]);
      const after = projection_objective(f.at(there), there, y, F_y);
      if (after <= error || part * length < NEGLIGIBLE) {
        [here, error, found] = [there, after, part];
      }
    }
    taken.push(found);
    if (length * found <= tol) break;
  }
  return { x: here, error, taken };
}
