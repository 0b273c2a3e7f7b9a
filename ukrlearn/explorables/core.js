// The mathematics of the explorables. Each function has the name, the arguments and the result of
// its twin in the library, and a test in a real browser compares the two to nine digits.
//
// A table is { data, rows, columns }: a Float64Array, row by row, as NumPy stores it. Functions
// never change their arguments.

/**
 * @typedef {{data: Float64Array, rows: number, columns: number}} Table
 * @typedef {{name: string, value: (t: number) => number, slope: (t: number) => number,
 *   radius: number, exponential: boolean}} Kernel
 * @typedef {{X: Table, error: number, gradient: Table}} Step
 */

// ------------------------------------------------------------------------------------- tables

/** A table of zeros. @returns {Table} */
export function zeros(rows, columns) {
  return { data: new Float64Array(rows * columns), rows, columns };
}

/** A table from nested lists, or from a list of numbers as its single column. @returns {Table} */
export function table(lists) {
  const columns = lists.length && Array.isArray(lists[0]) ? lists[0].length : 1;
  return { data: Float64Array.from(lists.flat()), rows: lists.length, columns };
}

/** Nested lists from a table. */
export function lists(T) {
  return Array.from({ length: T.rows }, (_, n) => Array.from(row(T, n)));
}

/** Row n of a table: a view, not a copy. */
export function row(T, n) {
  return T.data.subarray(n * T.columns, (n + 1) * T.columns);
}

export function copy(T) {
  return { data: T.data.slice(), rows: T.rows, columns: T.columns };
}

/** A table with f applied to each number. */
export function mapped(T, f) {
  return { data: T.data.map(f), rows: T.rows, columns: T.columns };
}

export function squared_distance(a, b) {
  let t = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = a[k] - b[k];
    t += difference * difference;
  }
  return t;
}

/** The mean of the rows. */
export function mean(T) {
  const total = new Float64Array(T.columns);
  for (let n = 0; n < T.rows; n++) {
    for (let k = 0; k < T.columns; k++) total[k] += T.data[n * T.columns + k];
  }
  return total.map((sum) => sum / T.rows);
}

// ---------------------------------------------------------- kernels of the squared distance t

/** exp(-t / 2), [UKR] (33). @type {Kernel} */
export const gaussian = {
  name: "gaussian",
  value: (t) => Math.exp(-0.5 * t),
  slope: (t) => -0.5 * Math.exp(-0.5 * t),
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

// ------------------------------------------------------------------------- kernel regression

const LEAST_TOTAL = 1e-150; // a smaller sum of kernel values has lost its digits

/**
 * Kernel values K and steepnesses -2 K' of one position against all points, and the sum of K.
 * If all values underflow, an exponential kernel gives its exact limit, and any other kernel has no
 * neighbours: all points weigh the same, and the slope is zero. `left_out` is a point that does not
 * contribute, or -1.
 */
function kernel_row(x, X, kernel, left_out, K, steepness) {
  let total = fill(x, X, kernel, left_out, 0, K, steepness);
  if (total < LEAST_TOTAL) {
    if (kernel.exponential) {
      let least = Infinity;
      for (let m = 0; m < X.rows; m++) {
        if (m !== left_out) least = Math.min(least, squared_distance(x, row(X, m)));
      }
      total = fill(x, X, kernel, left_out, least, K, steepness);
    } else if (total > 0) {
      for (let m = 0; m < X.rows; m++) {
        K[m] /= total;
        steepness[m] /= total;
      }
      total = 1;
    } else {
      K.fill(1);
      steepness.fill(0);
      if (left_out >= 0) K[left_out] = 0;
      total = X.rows - (left_out >= 0 ? 1 : 0);
    }
  }
  return total;
}

function fill(x, X, kernel, left_out, shift, K, steepness) {
  const q = X.columns;
  const points = X.data;
  let total = 0;
  for (let m = 0, at = 0; m < X.rows; m++) {
    let t = -shift;
    for (let k = 0; k < q; k++) {
      const difference = x[k] - points[at++];
      t += difference * difference;
    }
    if (m === left_out) {
      K[m] = steepness[m] = 0;
      continue;
    }
    if (kernel === gaussian) {
      K[m] = steepness[m] = t > 1200 ? 0 : Math.exp(-0.5 * t); // (33), (35)
    } else {
      K[m] = kernel.value(t);
      steepness[m] = -2 * kernel.slope(t);
    }
    total += K[m];
  }
  return total;
}

/** B: the weights of all points at each position, [UKR] (2); its rows sum to one. @returns {Table} */
export function weights(x, X, kernel = gaussian) {
  const B = zeros(x.rows, X.rows);
  const steepness = new Float64Array(X.rows);
  for (let n = 0; n < x.rows; n++) {
    const b = row(B, n);
    const total = kernel_row(row(x, n), X, kernel, -1, b, steepness);
    for (let m = 0; m < b.length; m++) b[m] /= total;
  }
  return B;
}

/** f(x; X), [UKR] (2): a weighted mean of the data at each position. @returns {Table} */
export function predict(x, X, Y, kernel = gaussian) {
  const f = zeros(x.rows, Y.columns);
  const K = new Float64Array(X.rows);
  const steepness = new Float64Array(X.rows);
  for (let n = 0; n < x.rows; n++) {
    const total = kernel_row(row(x, n), X, kernel, -1, K, steepness);
    add_weighted_mean(K, total, Y, row(f, n));
  }
  return f;
}

function add_weighted_mean(K, total, Y, f) {
  const d = Y.columns;
  for (let m = 0; m < Y.rows; m++) {
    if (K[m] === 0) continue;
    const share = K[m] / total;
    for (let k = 0, at = m * d; k < d; k++) f[k] += share * Y.data[at + k];
  }
}

/** p(x; X) = 1/N Σ_n K(x - x_n), [UKR] (3). @returns {Float64Array} */
export function latent_density(x, X, kernel = gaussian) {
  return Float64Array.from({ length: x.rows }, (_, n) => {
    let total = 0;
    for (let m = 0; m < X.rows; m++) total += kernel.value(squared_distance(row(x, n), row(X, m)));
    return total / X.rows;
  });
}

/** p(x_n) / K(0) at the latent points themselves, as in [UKR] (7). @returns {Float64Array} */
export function relative_density(X, kernel = gaussian) {
  return latent_density(X, X, kernel).map((p) => p / kernel.value(0));
}

// ---------------------------------------------------------------------- reconstruction error

/** |y_n - f(x_n)|² of every point; without its own help if leave_one_out. @returns {Float64Array} */
export function squared_residuals(X, Y, kernel = gaussian, leave_one_out = true) {
  const K = new Float64Array(X.rows);
  const steepness = new Float64Array(X.rows);
  return Float64Array.from({ length: X.rows }, (_, n) => {
    const total = kernel_row(row(X, n), X, kernel, leave_one_out ? n : -1, K, steepness);
    const f = new Float64Array(Y.columns);
    add_weighted_mean(K, total, Y, f);
    return squared_distance(f, row(Y, n));
  });
}

/**
 * R or R_cv, [UKR] (8), (10), and its gradient, (32).
 * @returns {{error: number, gradient: Table}}
 */
export function reconstruction_error(X, Y, kernel = gaussian, leave_one_out = true) {
  const [N, q, d] = [X.rows, X.columns, Y.columns];
  const gradient = zeros(N, q);
  const K = new Float64Array(N);
  const steepness = new Float64Array(N);
  const residual = new Float64Array(d);
  const Q = new Float64Array(N);
  let error = 0;
  for (let n = 0; n < N; n++) {
    const x = row(X, n);
    const total = kernel_row(x, X, kernel, leave_one_out ? n : -1, K, steepness);
    residual.fill(0);
    add_weighted_mean(K, total, Y, residual); // (2)
    let own = 0;
    for (let k = 0; k < d; k++) {
      residual[k] -= Y.data[n * d + k];
      error += residual[k] * residual[k]; // (8), (10)
    }
    for (let m = 0; m < N; m++) {
      if (K[m] === 0 && steepness[m] === 0) {
        Q[m] = 0;
        continue;
      }
      let product = 0; // M below (24)
      for (let k = 0, at = m * d; k < d; k++) product += residual[k] * Y.data[at + k];
      Q[m] = product;
      own += (K[m] / total) * product;
    }
    for (let m = 0; m < N; m++) {
      if (steepness[m] === 0) continue;
      const force = ((steepness[m] / total) * (Q[m] - own) * 2) / N; // (27), (31)
      for (let k = 0; k < q; k++) {
        const pull = force * (X.data[m * q + k] - x[k]); // (32), once for each end of the pair
        gradient.data[n * q + k] += pull;
        gradient.data[m * q + k] -= pull;
      }
    }
  }
  return { error: error / N, gradient };
}

// -------------------------------------------------------------------------------------- RPROP

/** The next step size of one coordinate: longer if its gradient keeps its sign, else shorter. */
export function rprop_step(step, sign, before, growth = 1.2, shrink = 0.5, least = 1e-9, most = 10) {
  const agreement = sign * before;
  const factor = agreement > 0 ? growth : agreement < 0 ? shrink : 1;
  return Math.min(Math.max(step * factor, least), most);
}

/**
 * Steps of iRprop+ without end. `next(X)` goes on from other latent points, as a hand that drags a
 * point asks for; step sizes stay.
 * @param {(X: Table) => {error: number, gradient: Table}} objective
 * @returns {Generator<Step, never, Table | undefined>}
 */
export function* rprop(objective, X0, { first_step = 0.1 } = {}) {
  let X = copy(X0);
  let { error, gradient } = objective(X);
  const step = X.data.map(() => first_step);
  const move = new Float64Array(step.length);
  const before = new Float64Array(step.length);
  let last_error = error;
  for (;;) {
    const moved = yield { X, error, gradient };
    if (moved) {
      X = copy(moved);
      ({ error, gradient } = objective(X));
      last_error = error;
      move.fill(0);
    }
    const risen = error > last_error;
    const there = copy(X);
    for (let k = 0; k < step.length; k++) {
      const sign = Math.sign(gradient.data[k]);
      const turned = sign * before[k] < 0;
      step[k] = rprop_step(step[k], sign, before[k]);
      before[k] = turned ? 0 : sign;
      move[k] = turned && risen ? -move[k] : -before[k] * step[k];
      there.data[k] += move[k];
    }
    last_error = error;
    X = there;
    ({ error, gradient } = objective(X));
  }
}

// ------------------------------------------------------------------- spectral gradient descent

/**
 * V diag(w) Vᵀ times the gradient, plus a factor for the part orthogonal to V: [SGD] (14) to (17).
 * @returns {Table}
 */
export function filtered(gradient, vectors, share, of_rest = 0) {
  const guided = mapped(gradient, (g) => of_rest * g);
  const q = gradient.columns;
  for (let j = 0; j < vectors.columns; j++) {
    for (let k = 0; k < q; k++) {
      let along = 0; // (14)
      for (let n = 0; n < vectors.rows; n++) {
        along += vectors.data[n * vectors.columns + j] * gradient.data[n * q + k];
      }
      along *= share[j] - of_rest;
      for (let n = 0; n < vectors.rows; n++) {
        guided.data[n * q + k] += along * vectors.data[n * vectors.columns + j]; // (15), (17)
      }
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

// -------------------------------------------------------------------------------- Gauss-Newton

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

// -------------------------------------------------------------------------------------- chance

/** Random numbers that are the same for the same seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}
