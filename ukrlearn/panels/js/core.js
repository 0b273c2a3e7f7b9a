// The mathematics of the explorables. Each function has the name, the arguments and the result of
// its twin in the library, and a test in a real browser compares the two to nine digits.
//
// A table is { data, rows, columns }: a Float64Array, row by row, as NumPy stores it. Functions
// never change their arguments.

import { bounded_minimum, nelder_mead, root, trials } from "./searches.js";

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

/** The numbers that `packed` of _explorable.py has put into a text. @returns {Float64Array} */
export function unpacked({ low, high, steps }) {
  const bytes = atob(steps);
  return Float64Array.from({ length: bytes.length / 2 }, (_, k) => {
    const step = bytes.charCodeAt(2 * k) + 256 * bytes.charCodeAt(2 * k + 1);
    return low + ((high - low) * step) / 65535;
  });
}

/** What a generator returns in the end. */
export function finished(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

export function squared_distance(a, b) {
  let t = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = a[k] - b[k];
    t += difference * difference;
  }
  return t;
}

function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

function least(values) {
  let found = Infinity;
  for (let k = 0; k < values.length; k++) if (values[k] < found) found = values[k];
  return found;
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

const PART_POWERS = Float64Array.from({ length: 256 }, (_, k) => 2 ** (-k / 256));
const WHOLE_POWERS = Float64Array.from({ length: 1075 }, (_, k) => 2 ** -k); // down to the least number there is
const POWER_STEP = Math.LN2 / 256;

/**
 * exp(-t) for t that are not negative. Kernel values of all pairs of points take most of the time of a
 * picture, and Math.exp takes two to three times as long as two tables and a polynomial. With t = k POWER_STEP - r,
 * exp(-t) is 2^(-k / 256) exp(r), and |r| is so small that its fifth power is less than rounding.
 */
function exp_of_minus(t) {
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

// ------------------------------------------------------------------------- kernel regression

const LEAST_TOTAL = 1e-150; // a smaller sum of kernel values has lost its digits

/**
 * Kernel values K of one position against all points, and their sum; steepnesses -2 K' too, if there is an
 * array for them. If all values underflow, an exponential kernel gives its exact limit, and any other kernel
 * has no neighbours: all points weigh the same, and the slope is zero. `columns` are those of the points, and
 * `left_out` is a point that does not contribute, or -1.
 */
function kernel_row(x, columns, kernel, left_out, K, steepness = null) {
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

/** Squared distances of a position from the first points, so many of them, into `t`; from their columns. */
function distances(x, columns, number, t) {
  for (let k = 0; k < columns.length; k++) {
    const [there, here] = [columns[k], x[k]];
    if (k === 0) for (let m = 0; m < number; m++) t[m] = (there[m] - here) * (there[m] - here);
    else for (let m = 0; m < number; m++) t[m] += (there[m] - here) * (there[m] - here);
  }
}

/** Each column of a table as an array of its own, which long loops over rows read faster. */
function columns_of(T) {
  return Array.from({ length: T.columns }, (_, k) => {
    const column = new Float64Array(T.rows);
    for (let n = 0; n < T.rows; n++) column[n] = T.data[n * T.columns + k];
    return column;
  });
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

/** p(x_n) / K(0) at the latent points themselves, as in [UKR] (7). @returns {Float64Array} */
export function relative_density(X, kernel = gaussian) {
  return latent_density(X, X, kernel).map((p) => p / kernel.value(0));
}

// ------------------------------------------------------------------- the size of the manifold

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

// ---------------------------------------------------------------------- reconstruction error

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

function from_columns(columns) {
  const T = zeros(columns[0].length, columns.length);
  columns.forEach((column, k) => {
    for (let n = 0; n < T.rows; n++) T.data[n * T.columns + k] = column[n];
  });
  return T;
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

// -------------------------------------------------------------------------------------- RPROP

/** The next step size of one coordinate: longer if its gradient keeps its sign, else shorter. */
export function rprop_step(step, sign, before, growth = 1.2, shrink = 0.5, least = 1e-9, most = 10) {
  const agreement = sign * before;
  const factor = agreement > 0 ? growth : agreement < 0 ? shrink : 1;
  return Math.min(Math.max(step * factor, least), most);
}

/**
 * The step to X. An error that is not finite counts as infinite, and its gradient as zero, so that no
 * search accepts it and nothing moves along it.
 * @returns {Step}
 */
export function step_at(objective, X) {
  if (X.data.every(Number.isFinite)) {
    const { error, gradient } = objective(X);
    if (Number.isFinite(error) && gradient.data.every(Number.isFinite)) return { X, error, gradient };
  }
  return { X, error: Infinity, gradient: zeros(X.rows, X.columns) };
}

/**
 * Steps of iRprop+ without end. `next(X)` goes on from other latent points, as a hand that drags a
 * point asks for; step sizes stay.
 * @param {(X: Table) => {error: number, gradient: Table}} objective
 * @returns {Generator<Step, never, Table | undefined>}
 */
export function* rprop(objective, X0, { first_step = 0.1, shrink = 0.5, least = 1e-9 } = {}) {
  let { X, error, gradient } = step_at(objective, copy(X0));
  const step = X.data.map(() => first_step);
  const move = new Float64Array(step.length);
  const before = new Float64Array(step.length);
  let last_error = error;
  for (;;) {
    const moved = yield { X, error, gradient };
    if (moved) {
      ({ X, error, gradient } = step_at(objective, copy(moved)));
      last_error = error;
      move.fill(0);
    }
    const risen = error > last_error;
    const there = copy(X);
    for (let k = 0; k < step.length; k++) {
      const sign = Math.sign(gradient.data[k]);
      const turned = sign * before[k] < 0;
      step[k] = rprop_step(step[k], sign, before[k], 1.2, shrink, least);
      before[k] = turned ? 0 : sign;
      move[k] = turned && risen ? -move[k] : -before[k] * step[k];
      there.data[k] += move[k];
    }
    last_error = error;
    const next = step_at(objective, there);
    if (next.error < Infinity) ({ X, error, gradient } = next);
    else {
      // Take the move back, and go on with shorter ones.
      move.fill(0);
      before.fill(0);
      for (let k = 0; k < step.length; k++) step[k] = Math.max(shrink * step[k], least);
    }
  }
}

// ------------------------------------------------------------------- gradient descent, guided

/**
 * Steepest descent whose line search can lengthen the step as well as shorten it. A `filter` of
 * gradients guides it, and may be exchanged between steps. `next(X)` goes on from other points.
 * @returns {Generator<Step, never, Table | undefined>}
 */
export function* gradient_descent(objective, X0, options) {
  const search = gradient_search(objective, X0, options);
  let moved;
  for (;;) {
    let { value } = search.next(moved);
    while (!value) ({ value } = search.next());
    moved = yield value;
  }
}

/**
 * The same, one evaluation at a time: null stands for each that does not end a step. No step is longer than
 * `longest(X)`, as the root mean square of what it adds to X.
 * @returns {Generator<Step | null, never, Table | undefined>}
 */
export function* gradient_search(objective, X0,
  { first_step = 0.1, halvings = 40, guide = null, longest = () => Infinity } = {}) {
  const at = (X) => step_at(objective, X);
  let here = at(copy(X0));
  let length = first_step / 2;
  for (;;) {
    const moved = yield here;
    if (moved) {
      here = at(copy(moved));
      yield null;
    }
    const downhill = unit(guide ? guide(here.gradient) : here.gradient);
    const there = (by) => at(sum(here.X, downhill, -by));
    const most = longest(here.X);
    let by = Math.min(2 * length, most);
    let best = there(by);
    if (best.error < here.error) {
      while (by < most) {
        yield null;
        const longer = Math.min(2 * by, most);
        const further = there(longer);
        if (!(further.error < best.error)) break;
        [best, by] = [further, longer];
      }
    } else {
      for (let k = 0; k < halvings && !(best.error < here.error); k++) {
        yield null;
        by /= 2;
        best = there(by);
      }
    }
    if (best.error < here.error) [here, length] = [best, by];
  }
}

/** A table scaled to unit root mean square; zero stays zero. */
function unit(T) {
  const size = Math.sqrt(T.data.reduce((total, v) => total + v * v, 0) / T.data.length);
  return size > 0 ? mapped(T, (v) => v / size) : T;
}

/** A + factor B. */
function sum(A, B, factor) {
  return { data: A.data.map((a, k) => a + factor * B.data[k]), rows: A.rows, columns: A.columns };
}

// ------------------------------------------------------------------- spectral gradient descent

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
 * The spectrum of an affinity: eigenvalues in descending order, divided by the greatest, and
 * eigenvectors as columns. `without` is a unit eigenvector to be removed.
 * @returns {{values: Float64Array, vectors: Table}}
 */
export function decompose(M, without = null) {
  return finished(decomposition(M, without));
}

/** The same, a little at a time. */
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

/** Powers ν of a schedule whose perplexity grows geometrically from few directions to all. */
export function spreading(values, q, steps) {
  const N = values.length;
  const first = Math.min(1.2 * 7 ** (q - 1), N / 2);
  return Array.from({ length: steps }, (_, k) =>
    k === steps - 1 ? 0 : power_with(values, first * (N / first) ** (k / (steps - 1))),
  );
}

/**
 * Eigenvalues (ascending) and eigenvectors (columns) of a symmetric matrix: Householder's reduction to
 * three diagonals, then QL with implicit shifts (as in EISPACK's tred2 and tql2).
 */
export function eigh(A) {
  return finished(eigenvectors(A));
}

/** The same, a row or a value at a time. */
export function* eigenvectors(A) {
  const n = A.rows;
  const V = Array.from({ length: n }, (_, i) => Float64Array.from(row(A, i)));
  const d = Float64Array.from(V[n - 1]);
  const e = new Float64Array(n);
  for (let i = n - 1; i > 0; i--) {
    yield;
    let scale = 0;
    let h = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(d[k]);
    if (scale === 0) {
      e[i] = d[i - 1];
      for (let j = 0; j < i; j++) {
        d[j] = V[i - 1][j];
        V[i][j] = V[j][i] = 0;
      }
    } else {
      for (let k = 0; k < i; k++) {
        d[k] /= scale;
        h += d[k] * d[k];
      }
      const f0 = d[i - 1];
      const g0 = f0 > 0 ? -Math.sqrt(h) : Math.sqrt(h);
      e[i] = scale * g0;
      h -= f0 * g0;
      d[i - 1] = f0 - g0;
      e.fill(0, 0, i);
      for (let j = 0; j < i; j++) {
        const f = d[j];
        V[j][i] = f;
        let g = e[j] + V[j][j] * f;
        for (let k = j + 1; k < i; k++) {
          g += V[k][j] * d[k];
          e[k] += V[k][j] * f;
        }
        e[j] = g;
      }
      let f = 0;
      for (let j = 0; j < i; j++) {
        e[j] /= h;
        f += e[j] * d[j];
      }
      const hh = f / (h + h);
      for (let j = 0; j < i; j++) e[j] -= hh * d[j];
      for (let j = 0; j < i; j++) {
        for (let k = j; k < i; k++) V[k][j] -= d[j] * e[k] + e[j] * d[k];
        d[j] = V[i - 1][j];
        V[i][j] = 0;
      }
    }
    d[i] = h;
  }
  for (let i = 0; i < n - 1; i++) {
    yield;
    V[n - 1][i] = V[i][i];
    V[i][i] = 1;
    const h = d[i + 1];
    if (h !== 0) {
      for (let k = 0; k <= i; k++) d[k] = V[k][i + 1] / h;
      for (let j = 0; j <= i; j++) {
        let g = 0;
        for (let k = 0; k <= i; k++) g += V[k][i + 1] * V[k][j];
        for (let k = 0; k <= i; k++) V[k][j] -= g * d[k];
      }
    }
    for (let k = 0; k <= i; k++) V[k][i + 1] = 0;
  }
  for (let j = 0; j < n; j++) {
    d[j] = V[n - 1][j];
    V[n - 1][j] = 0;
  }
  V[n - 1][n - 1] = 1;
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  // QL. Rotations act on columns of V; its transpose W keeps each of them together in memory.
  const W = Array.from({ length: n }, (_, j) => Float64Array.from({ length: n }, (_, i) => V[i][j]));
  let shift = 0;
  let largest = 0;
  for (let l = 0; l < n; l++) {
    yield;
    largest = Math.max(largest, Math.abs(d[l]) + Math.abs(e[l]));
    let m = l;
    while (m < n - 1 && Math.abs(e[m]) > 2 ** -52 * largest) m++;
    while (m > l) {
      let g = d[l];
      let p = (d[l + 1] - g) / (2 * e[l]);
      let r = Math.hypot(p, 1) * (p < 0 ? -1 : 1);
      d[l] = e[l] / (p + r);
      d[l + 1] = e[l] * (p + r);
      const next = d[l + 1];
      const h = g - d[l];
      for (let i = l + 2; i < n; i++) d[i] -= h;
      shift += h;
      p = d[m];
      let [c, c2, c3] = [1, 1, 1];
      const el = e[l + 1];
      let [s, s2] = [0, 0];
      for (let i = m - 1; i >= l; i--) {
        [c3, c2, s2] = [c2, c, s];
        g = c * e[i];
        const along = c * p;
        r = Math.hypot(p, e[i]);
        e[i + 1] = s * r;
        s = e[i] / r;
        c = p / r;
        p = c * d[i] - s * g;
        d[i + 1] = along + s * (c * g + s * d[i]);
        const [a, b] = [W[i], W[i + 1]];
        for (let k = 0; k < n; k++) {
          const t = b[k];
          b[k] = s * a[k] + c * t;
          a[k] = c * a[k] - s * t;
        }
      }
      p = (-s * s2 * c3 * el * e[l]) / next;
      e[l] = s * p;
      d[l] = c * p;
      if (Math.abs(e[l]) <= 2 ** -52 * largest) break;
    }
    d[l] += shift;
    e[l] = 0;
  }
  const order = Array.from(d.keys()).sort((a, b) => d[a] - d[b]);
  const vectors = zeros(n, n);
  order.forEach((from, to) => {
    for (let i = 0; i < n; i++) vectors.data[i * n + to] = W[from][i];
  });
  return { values: Float64Array.from(order, (k) => d[k]), vectors };
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

// ------------------------------------------------------------------------ judges of an embedding

/**
 * What each point contributes to the sum in `trustworthiness`, by its neighbours in `near` that are not
 * among its k nearest in `judge`; the mean rank in `judge` of its k neighbours; and these, nearest first,
 * row by row. Points at equal distances are ranked by number.
 * @returns {{cost: Float64Array, rank: Float64Array, neighbors: Int32Array}}
 */
export function false_neighbors(near, judge, k) {
  return finished(false_neighbors_search(near, judge, k));
}

/** The same, a few points at a time. */
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

/** Are latent neighbours also neighbours in the data? 1 if all are. */
export function trustworthiness(X, Y, k = 5) {
  return agreement_of(false_neighbors(X, Y, k).cost, k);
}

/** Are data neighbours also latent neighbours? 1 if all are. */
export function continuity(X, Y, k = 5) {
  return agreement_of(false_neighbors(Y, X, k).cost, k);
}

/** The score of which `cost` has the summands. */
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
 * The mean of log p₋ₙ(x_n) with a Gaussian of bandwidth h, over the points whose numbers are given.
 * @param {ArrayLike<number>} points
 */
export function log_likelihood_of_left_out(X, h, points) {
  return finished(log_likelihood_search(X, h, points));
}

/** The same, a few points at a time. */
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
    let ladder = null;
    for (let k = -3; k <= 3; k++) {
      const error = yield* trial(-Math.log(Math.exp(log_h)) + k * Math.LN2);
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

/** min_s R_cv(s X) / (total variance of Y): how well latent neighbours rebuild each point. */
export function loo_reconstruction(X, Y) {
  return finished(reconstruction_search(X, Y)).share;
}

// ------------------------------------------------------------ stochastic neighbour embedding

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

/** `objective_of` for a single X, [SGD] (3), (4). */
export function neighbor_embedding_error(X, P, with_itself = true) {
  return objective_of(P, with_itself)(X);
}

// -------------------------------------------------------------- networks of radial basis functions

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

// ---------------------------------------------------------------------------------- agreement

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

/**
 * The normal numbers of NumPy's RandomState with the same seed, so that a start in the page is the start
 * in the notebook: the Mersenne Twister, and the polar form of Box and Muller.
 */
export function random_state(seed) {
  const state = new Uint32Array(624);
  state[0] = seed;
  for (let k = 1; k < 624; k++) {
    state[k] = Math.imul(1812433253, state[k - 1] ^ (state[k - 1] >>> 30)) + k;
  }
  let used = 624;
  const integer = () => {
    if (used === 624) {
      for (let k = 0; k < 624; k++) {
        const y = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7fffffff);
        state[k] = state[(k + 397) % 624] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
      }
      used = 0;
    }
    let y = state[used++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
  const uniform = () => ((integer() >>> 5) * 67108864 + (integer() >>> 6)) / 9007199254740992;
  let kept = null;
  const normal = () => {
    if (kept !== null) {
      const second = kept;
      kept = null;
      return second;
    }
    for (;;) {
      const [a, b] = [2 * uniform() - 1, 2 * uniform() - 1];
      const size = a * a + b * b;
      if (size >= 1 || size === 0) continue;
      const factor = Math.sqrt((-2 * Math.log(size)) / size);
      kept = factor * a;
      return factor * b;
    }
  };
  return { uniform, normal };
}
