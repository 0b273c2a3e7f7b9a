// Tables of numbers: { data, rows, columns } with a Float64Array, row by row, as NumPy stores it.
//
// The modules of this folder are the mathematics of the explorables. Each function has the name, the
// arguments and the result of its twin in the library, and a test in a real browser compares the two to
// nine digits. Functions never change their arguments. Modules import only what stands above them:
// tables and searches, then kernel_regression, eigenvectors and descent, then ukr, sgd and drur, then metrics.

/**
 * @typedef {{data: Float64Array, rows: number, columns: number}} Table
 * @typedef {ArrayLike<number>} Numbers
 * @typedef {{name: string, value: (t: number) => number, slope: (t: number) => number,
 *   radius: number, exponential: boolean}} Kernel
 * @typedef {{X: Table, error: number, gradient: Table}} Step
 * @typedef {(X: Table) => {error: number, gradient: Table}} Objective
 */

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

export function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

export function least(values) {
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

/** Squared distances of a position from the first points, so many of them, into `t`; from their columns. */
export function distances(x, columns, number, t) {
  for (let k = 0; k < columns.length; k++) {
    const [there, here] = [columns[k], x[k]];
    if (k === 0) for (let m = 0; m < number; m++) t[m] = (there[m] - here) * (there[m] - here);
    else for (let m = 0; m < number; m++) t[m] += (there[m] - here) * (there[m] - here);
  }
}

/** The least and the greatest number of a column, or of all of them. */
export function extent(T, column = null) {
  let [low, high] = [Infinity, -Infinity];
  const [first, step] = column === null ? [0, 1] : [column, T.columns];
  for (let at = first; at < T.data.length; at += step) {
    if (T.data[at] < low) low = T.data[at];
    if (T.data[at] > high) high = T.data[at];
  }
  return [low, high];
}

/** A table of one column, or of so many, from a list of numbers row by row. @returns {Table} */
export function rows_of(numbers, columns = 1) {
  const data = Float64Array.from(numbers);
  return { data, rows: data.length / columns, columns };
}

/** Each column of a table as an array of its own, which long loops over rows read faster. */
export function columns_of(T) {
  return Array.from({ length: T.columns }, (_, k) => {
    const column = new Float64Array(T.rows);
    for (let n = 0; n < T.rows; n++) column[n] = T.data[n * T.columns + k];
    return column;
  });
}

export function from_columns(columns) {
  const T = zeros(columns[0].length, columns.length);
  columns.forEach((column, k) => {
    for (let n = 0; n < T.rows; n++) T.data[n * T.columns + k] = column[n];
  });
  return T;
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
