// Kernels of the squared distance t, and regression with them: density_kernels and kernel_regression of blocks/.

import { columns_of, distances, least, row, zeros } from "./tables.js";
/** @import { Kernel, Table } from "./tables.js" */

const PART_POWERS = Float64Array.from({ length: 256 }, (_, k) => 2 ** (-k / 256));
const WHOLE_POWERS = Float64Array.from({ length: 1075 }, (_, k) => 2 ** -k); // down to the least number there is
const POWER_STEP = Math.LN2 / 256;

/**
 * exp(-t) for t that are not negative. Kernel values of all pairs of points take most of the time of a
 * picture, and Math.exp takes two to three times as long as two tables and a polynomial. With t = k POWER_STEP - r,
 * exp(-t) is 2^(-k / 256) exp(r), and |r| is so small that its fifth power is less than rounding.
 */
export function exp_of_minus(t) {
  if (t > 744) return 0;
  const k = (t / POWER_STEP + 0.5) | 0;
  const r = k * POWER_STEP - t;
  return WHOLE_POWERS[k >> 8] * PART_POWERS[k & 255] * (1 + r * (1 + r * (1 / 2 + r * (1 / 6 + r / 24))));
}

/** exp(-t / 2), [UKR] (33). @type {Kernel} */
export const gaussian = {
  name: "gaussian",
  value: (t) => exp_of_minus(0.5 * t),
  slope: (t) => -0.5 * exp_of_minus(0.5 * t),
  radius: Infinity,
  exponential: true,
};

/** (1 - t)₊², [UKR] (20), (34). @type {Kernel} */
export const quartic = {
  name: "quartic",
  value: (t) => Math.max(1 - t, 0) ** 2,
  slope: (t) => -2 * Math.max(1 - t, 0),
  radius: 1,
  exponential: false,
};

/** Student's kernel with one degree of freedom, 1 / (1 + t). @type {Kernel} */
export const student = {
  name: "student",
  value: (t) => 1 / (1 + t),
  slope: (t) => -1 / (1 + t) ** 2,
  radius: Infinity,
  exponential: false,
};

export const kernels = { gaussian, quartic, student };

export const LEAST_TOTAL = 1e-150; // a smaller sum of kernel values has lost its digits

/**
 * Kernel values K of one position against all points, and their sum; steepnesses -2 K' too, if there is an
 * array for them. If all values underflow, an exponential kernel gives its exact limit, and any other kernel
 * has no neighbours: all points weigh the same, and the slope is zero. `columns` are those of the points, and
 * `left_out` is a point that does not contribute, or -1.
 */
export function kernel_row(x, columns, kernel, left_out, K, steepness = null) {
  let total = fill(x, columns, kernel, left_out, 0, K, steepness);
  if (total < LEAST_TOTAL) {
    if (kernel.exponential) {
      distances(x, columns, K.length, K);
      if (left_out >= 0) K[left_out] = Infinity;
      total = fill(x, columns, kernel, left_out, least(K), K, steepness);
    } else if (total > 0) {
      for (let m = 0; m < K.length; m++) {
        K[m] /= total;
        if (steepness) steepness[m] /= total;
      }
      total = 1;
    } else {
      K.fill(1);
      steepness?.fill(0);
      if (left_out >= 0) K[left_out] = 0;
      total = K.length - (left_out >= 0 ? 1 : 0);
    }
  }
  return total;
}

function fill(x, columns, kernel, left_out, shift, K, steepness) {
  distances(x, columns, K.length, K);
  if (left_out >= 0) K[left_out] = Infinity;
  let total = 0;
  if (kernel === gaussian) {
    for (let m = 0; m < K.length; m++) {
      K[m] = exp_of_minus(0.5 * (K[m] - shift)); // (33)
      total += K[m];
    }
    steepness?.set(K); // (35)
  } else {
    for (let m = 0; m < K.length; m++) {
      const t = K[m] - shift;
      K[m] = kernel.value(t);
      if (steepness) steepness[m] = -2 * kernel.slope(t);
      total += K[m];
    }
  }
  return total;
}

/** B: the weights of all points at each position, [UKR] (2); its rows sum to one. @returns {Table} */
export function weights(x, X, kernel = gaussian) {
  const B = zeros(x.rows, X.rows);
  const columns = columns_of(X);
  for (let n = 0; n < x.rows; n++) {
    const b = row(B, n);
    const total = kernel_row(row(x, n), columns, kernel, -1, b);
    for (let m = 0; m < b.length; m++) b[m] /= total;
  }
  return B;
}

/** f(x; X), [UKR] (2): a weighted mean of the data at each position. @returns {Table} */
export function predict(x, X, Y, kernel = gaussian) {
  const f = zeros(x.rows, Y.columns);
  const K = new Float64Array(X.rows);
  const columns = columns_of(X);
  for (let n = 0; n < x.rows; n++) {
    const total = kernel_row(row(x, n), columns, kernel, -1, K);
    add_weighted_mean(K, total, Y, row(f, n));
  }
  return f;
}

export function add_weighted_mean(K, total, Y, f) {
  const d = Y.columns;
  for (let m = 0; m < Y.rows; m++) {
    if (K[m] === 0) continue;
    const share = K[m] / total;
    for (let k = 0, at = m * d; k < d; k++) f[k] += share * Y.data[at + k];
  }
}

/** p(x; X) = 1/N Σ_n K(x - x_n), [UKR] (3). @returns {Float64Array} */
export function latent_density(x, X, kernel = gaussian) {
  const K = new Float64Array(X.rows);
  const columns = columns_of(X);
  return Float64Array.from({ length: x.rows }, (_, n) => fill(row(x, n), columns, kernel, -1, 0, K, null) / X.rows);
}

/**
 * p(x; X) at the crossings of a grid in two dimensions, row by row: xs of the first of ys, and so on.
 * The Gaussian is a product of its two directions, which saves most of the exponentials.
 * @returns {Float64Array}
 */
export function density_on_grid(xs, ys, X, kernel = gaussian) {
  const N = X.rows;
  const p = new Float64Array(xs.length * ys.length);
  const squares = (places, k) => {
    const t = new Float64Array(places.length * N);
    for (let i = 0, at = 0; i < places.length; i++) {
      for (let n = 0; n < N; n++, at++) {
        const difference = places[i] - X.data[2 * n + k];
        t[at] = kernel === gaussian ? exp_of_minus(0.5 * difference * difference) : difference * difference;
      }
    }
    return t;
  };
  const [across, up] = [squares(xs, 0), squares(ys, 1)];
  for (let j = 0, at = 0; j < ys.length; j++) {
    for (let i = 0; i < xs.length; i++, at++) {
      const [a, b] = [i * N, j * N];
      let total = 0;
      if (kernel === gaussian) for (let n = 0; n < N; n++) total += across[a + n] * up[b + n];
      else for (let n = 0; n < N; n++) total += kernel.value(across[a + n] + up[b + n]);
      p[at] = total / N;
    }
  }
  return p;
}
