// [RPM]: projection and adaptation in turn, (29), for points, lines, and curves in the plane.
//
// A cost has c of a residual, and the weights of the parabola that bounds it from above. A map has its residuals and
// λ Q; a code is a label or a number. `project` and `fit` are called as in the library's `quantize`.

import { solve } from "./drur.js";
import { eigenvectors } from "./eigenvectors.js";
import { columns_of, copy, distances, dot, finished, mean, row, rows_of, squared_distance, zeros } from "./tables.js";
/** @import { Table } from "./tables.js" */

/**
 * @typedef {{of: (r: Float64Array) => number, weights: (r: Float64Array) => number, norm: number}} Cost
 * @typedef {{residual: (z: number, y: Float64Array) => Float64Array, penalty: number, [more: string]: any}} Manifold
 * @typedef {{Z: Float64Array, costs: Float64Array}} Found
 */

const [REWEIGHTINGS, STILL_FALLS] = [30, 1e-9];
const DROPPED = 1e-12; // times the greatest eigenvalue of K_z: smaller ones are only rounding
const LATTICE = 401; // places on a curve, where projections begin
const [MOST_HALVINGS, ENOUGH, DAMPING, ARRIVED] = [12, 0.25, 1e-12, 1e-7];

/** @type {Cost} */
export const squared = { of: (r) => dot(r, r), weights: () => 1, norm: 2 };

/** |r|² / 2σ up to |r| = σ, |r| - σ/2 beyond, (8). @returns {Cost} */
export function huber(sigma) {
  return {
    of(r) {
      const s = Math.sqrt(dot(r, r));
      return s <= sigma ? s ** 2 / (2 * sigma) : s - sigma / 2; // (8)
    },
    weights: (r) => 1 / (2 * Math.max(Math.sqrt(dot(r, r)), sigma)),
    norm: 2,
  };
}

/** The sum of magnitudes, (7). Points only: their best places are medians, for which no weights are needed. @type {Cost} */
export const l1 = { of: (r) => r.reduce((sum, v) => sum + Math.abs(v), 0), weights: () => NaN, norm: 1 };

/** Points: a label stands for a row of C. @param {Table} C @returns {Manifold} */
export function codebook(C) {
  return { C, penalty: 0, residual: (z, y) => y.map((v, k) => v - row(C, z)[k]) };
}

/** Lines: a label stands for the nearest place on a line through a centre, along a direction of length 1. @returns {Manifold} */
export function lines(centres, directions) {
  const residual = (z, y) => {
    const [centre, along] = [row(centres, z), row(directions, z)];
    const from = y.map((v, k) => v - centre[k]);
    const s = dot(from, along);
    return from.map((v, k) => v - s * along[k]);
  };
  return { centres, directions, penalty: 0, residual };
}

/** f(z) = f₀ + z B. @returns {Manifold} */
export function affine(offset, B) {
  return { offset, B, penalty: 0, residual: (z, y) => y.map((v, k) => v - offset[k] - z * B[k]) };
}

/** The label whose point or line is nearest. */
export function project_to_labels(number) {
  return (f, Y, cost) => found_by(f, Y, cost, (y) => {
    let [best, least] = [0, Infinity];
    for (let z = 0; z < number; z++) {
      const c = cost.of(f.residual(z, y));
      if (c < least) [best, least] = [z, c];
    }
    return best;
  });
}

/** The foot of the perpendicular. */
export function project_to_line(f, Y, cost) {
  const size = dot(f.B, f.B);
  return found_by(f, Y, cost, (y) => (size > 0 ? dot(y.map((v, k) => v - f.offset[k]), f.B) / size : 0));
}

/** @returns {Found} */
function found_by(f, Y, cost, code) {
  const Z = Float64Array.from({ length: Y.rows }, (_, n) => code(row(Y, n), n));
  return { Z, costs: costs_of(f, Z, Y, cost) };
}

function costs_of(f, Z, Y, cost) {
  return Float64Array.from(Z, (z, n) => cost.of(f.residual(z, row(Y, n))));
}

/** The nearest place on a curve over [-1, 1]: the best of a lattice or the previous code, and a Gauss-Newton step from there. */
export function project_to_curve(f, Y, cost, previous) {
  const lattice = Float64Array.from({ length: LATTICE }, (_, k) => (2 * k) / (LATTICE - 1) - 1);
  const places = Array.from(lattice, f.at);
  const inside = (z) => Math.min(Math.max(z, -1), 1);
  const error = (z, y) => squared_distance(f.at(z), y);
  /** z after the largest of the steps 1, 1/2, ... that lowers the error enough. */
  const backtracked = (z, y, step, downhill, before) => {
    for (let halving = 0, part = 1; halving < MOST_HALVINGS; halving++, part /= 2) {
      const there = inside(z + part * step);
      if (error(there, y) <= before - ENOUGH * 2 * downhill * (there - z)) return there;
      if (Math.abs(there - z) <= ARRIVED) return z;
    }
    return z;
  };
  return found_by(f, Y, cost, (y, n) => {
    let [z, least] = [0, Infinity];
    for (let k = 0; k < LATTICE; k++) {
      const t = squared_distance(places[k], y);
      if (t < least) [z, least] = [lattice[k], t];
    }
    if (previous && error(previous[n], y) <= least) [z, least] = [previous[n], error(previous[n], y)];
    const [place, J] = f.with_slope(z);
    const own = dot(J, J);
    const slope = dot(J, y.map((v, k) => v - place[k]));
    if (Math.abs(z) >= 1 && z * slope > 0) return z; // at an end, and downhill leads out
    const step = inside(z + slope / (own > 0 ? own * (1 + DAMPING) : 1)) - z;
    return backtracked(z, y, step, slope, least);
  });
}

/** The map from weighted least squares with new weights after each fit: `solve(w)` minimises Σ w r² + λ Q. */
function reweighted(solve, f, Z, Y, cost) {
  const N = Y.rows;
  if (cost === squared) return solve(new Float64Array(N).fill(1 / N));
  let [kept, least] = [f, Infinity];
  for (let turn = 0; turn < REWEIGHTINGS; turn++) {
    const error = costs_of(f, Z, Y, cost).reduce((sum, c) => sum + c, 0) / N + f.penalty;
    if (least - error <= STILL_FALLS * Math.abs(error)) break;
    [kept, least] = [f, error];
    f = solve(Float64Array.from(Z, (z, n) => cost.weights(f.residual(z, row(Y, n))) / N));
  }
  return kept;
}

function weighted_mean(Y, w) {
  const [sum, total] = [new Float64Array(Y.columns), w.reduce((sum, v) => sum + v, 0)];
  for (let n = 0; n < Y.rows; n++) for (let k = 0; k < Y.columns; k++) sum[k] += (w[n] * Y.data[n * Y.columns + k]) / total;
  return sum;
}

/** For each label that has points, what `fit` makes of them and of its first map. */
function of_each_label(Z, Y, fit) {
  for (const label of new Set(Z)) {
    const own = Array.from(Z.keys()).filter((n) => Z[n] === label);
    fit(label, rows_of(own.flatMap((n) => Array.from(row(Y, n))), Y.columns));
  }
}

/** The best constant for each label: the mean, the medians or the Huber centre of its points. */
export function fit_constants(Z, Y, cost, previous) {
  const C = copy(previous.C);
  of_each_label(Z, Y, (label, own) => {
    const start = codebook(rows_of(row(C, label), C.columns));
    const middle = cost.norm === 1 ? medians(own)
      : row(reweighted((w) => codebook(rows_of(weighted_mean(own, w), own.columns)), start, new Float64Array(own.rows), own, cost).C, 0);
    row(C, label).set(middle);
  });
  return codebook(C);
}

function medians(Y) {
  return Float64Array.from({ length: Y.columns }, (_, k) => {
    const column = Float64Array.from({ length: Y.rows }, (_, n) => Y.data[n * Y.columns + k]).sort();
    return (column[Math.ceil(Y.rows / 2) - 1] + column[Math.floor(Y.rows / 2)]) / 2;
  });
}

/** The principal line of the points of each label, in the plane. */
export function fit_lines(Z, Y, cost, previous) {
  const [centres, directions] = [copy(previous.centres), copy(previous.directions)];
  of_each_label(Z, Y, (label, own) => {
    const start = lines(rows_of(row(centres, label), 2), rows_of(row(directions, label), 2));
    const line = reweighted((w) => principal_line(own, w), start, new Float64Array(own.rows), own, cost);
    row(centres, label).set(line.centres.data);
    row(directions, label).set(line.directions.data);
  });
  return lines(centres, directions);
}

function principal_line(Y, w) {
  const centre = weighted_mean(Y, w);
  let [xx, xy, yy] = [0, 0, 0];
  for (let n = 0; n < Y.rows; n++) {
    const [x, y] = [Y.data[2 * n] - centre[0], Y.data[2 * n + 1] - centre[1]];
    [xx, xy, yy] = [xx + w[n] * x * x, xy + w[n] * x * y, yy + w[n] * y * y];
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  return lines(rows_of(centre, 2), rows_of([Math.cos(angle), Math.sin(angle)], 2));
}

/** f₀ and B: regression of the data on their codes. */
export function fit_affine(Z, Y, cost, previous) {
  const codes = rows_of(Z, 1);
  const regression = (w) => {
    const [z, y] = [weighted_mean(codes, w)[0], weighted_mean(Y, w)];
    const B = new Float64Array(Y.columns);
    let size = 0;
    for (let n = 0; n < Y.rows; n++) {
      size += w[n] * (Z[n] - z) ** 2;
      for (let k = 0; k < B.length; k++) B[k] += w[n] * (Z[n] - z) * (Y.data[n * B.length + k] - y[k]);
    }
    for (let k = 0; k < B.length; k++) B[k] = size > 0 ? B[k] / size : 0;
    return affine(y.map((v, k) => v - z * B[k]), B);
  };
  return reweighted(regression, previous, Z, Y, cost);
}

/**
 * The curves Σ_j α_j exp(-(z - z_j)² / 2σ²) + f₀ with nodes z_j in [-1, 1], and their fit to codes, (33): f₀ and α
 * minimise the mean squared error + λ/2 ‖Pf‖². The kernels are whitened, so that ‖Pf‖² is a sum of squares.
 */
export function curves(width, number, penalty) {
  const nodes = Float64Array.from({ length: number }, (_, j) => (2 * j) / (number - 1) - 1);
  const kernel = (z) => nodes.map((node) => Math.exp((z - node) ** 2 / (-2 * width ** 2))); // (18)
  const K = rows_of(Array.from(nodes).flatMap((node) => Array.from(kernel(node))), number);
  const { values, vectors } = finished(eigenvectors(K));
  const kept = Array.from(values.keys()).filter((k) => values[k] > DROPPED * values[number - 1]);
  const T = zeros(kept.length, number); // row by row what makes a feature of the kernels
  kept.forEach((k, r) => {
    for (let j = 0; j < number; j++) T.data[r * number + j] = vectors.data[j * number + k] / Math.sqrt(values[k]);
  });
  /** @returns {Manifold} */
  function curve(offset, beta) {
    const d = offset.length;
    const alpha = zeros(number, d);
    for (let r = 0; r < T.rows; r++) {
      for (let j = 0; j < number; j++) for (let k = 0; k < d; k++) alpha.data[j * d + k] += T.data[r * number + j] * beta[k][r];
    }
    const along = (weights) => {
      const sum = new Float64Array(d);
      for (let j = 0; j < number; j++) for (let k = 0; k < d; k++) sum[k] += weights[j] * alpha.data[j * d + k];
      return sum;
    };
    const at = (z) => along(kernel(z)).map((v, k) => v + offset[k]);
    return {
      at,
      with_slope: (z) => [at(z), along(kernel(z).map((v, j) => (v * (z - nodes[j])) / -(width ** 2)))],
      residual: (z, y) => at(z).map((v, k) => y[k] - v),
      penalty: (penalty / 2) * beta.reduce((sum, b) => sum + dot(b, b), 0),
    };
  }
  function fit(Z, Y) {
    const [N, r] = [Y.rows, T.rows];
    const Phi = zeros(N, r);
    for (let n = 0; n < N; n++) {
      const k = kernel(Z[n]);
      for (let i = 0; i < r; i++) Phi.data[n * r + i] = dot(row(T, i), k);
    }
    const [of_phi, of_Y] = [mean(Phi), mean(Y)];
    for (let n = 0; n < N; n++) for (let i = 0; i < r; i++) Phi.data[n * r + i] -= of_phi[i];
    const A = zeros(r, r);
    const B = Array.from(of_Y, () => new Float64Array(r));
    for (let n = 0; n < N; n++) {
      const phi = row(Phi, n);
      for (let i = 0; i < r; i++) {
        for (let j = 0; j <= i; j++) A.data[i * r + j] += (phi[i] * phi[j]) / N;
        for (let k = 0; k < B.length; k++) B[k][i] += (phi[i] * (Y.data[n * B.length + k] - of_Y[k])) / N;
      }
    }
    for (let i = 0; i < r; i++) {
      for (let j = 0; j < i; j++) A.data[j * r + i] = A.data[i * r + j];
      A.data[i * r + i] += penalty / 2;
    }
    const beta = B.map((b) => solve(A, b)); // (33)
    return curve(of_Y.map((v, k) => v - dot(of_phi, beta[k])), beta);
  }
  /** The start (35): a fit to two standard deviations on both sides of the mean, along the principal component. */
  function start(Y) {
    const line = principal_line(Y, new Float64Array(Y.rows).fill(1 / Y.rows));
    const [centre, along] = [line.centres.data, line.directions.data];
    let spread = 0;
    for (let n = 0; n < Y.rows; n++) spread += dot(row(Y, n).map((v, k) => v - centre[k]), along) ** 2 / Y.rows;
    const size = 2 * Math.sqrt(spread) * (along[0] + along[1] < 0 ? -1 : 1);
    return fit(nodes, rows_of(Array.from(nodes).flatMap((z) => [centre[0] + z * size * along[0], centre[1] + z * size * along[1]]), 2));
  }
  return { fit, start };
}

/**
 * Projection and adaptation in turn without end; R_reg never rises. A fit that ends higher is not taken.
 * @returns {Generator<{Z: Float64Array, f: Manifold, distortion: number, penalty: number, half: string}>}
 */
export function* quantize(Y, f, project, fit, cost = squared) {
  const average = (costs) => costs.reduce((sum, c) => sum + c, 0) / costs.length;
  const step = (half) => ({ Z: found.Z, f, distortion: average(found.costs), penalty: f.penalty, half });
  let found = project(f, Y, cost, null);
  for (;;) {
    yield step("projection");
    const refitted = fit(found.Z, Y, cost, f);
    const costs = costs_of(refitted, found.Z, Y, cost);
    if (average(costs) + refitted.penalty <= average(found.costs) + f.penalty) {
      f = refitted;
      found = { Z: found.Z, costs };
    }
    yield step("adaptation");
    found = project(f, Y, cost, found.Z);
  }
}

/** The mean distance of points from the polygon through the rows of a table: from the two segments at the nearest of these. */
export function distance_to_curve(Y, curve) {
  const t = new Float64Array(curve.rows);
  const columns = columns_of(curve);
  let total = 0;
  for (let n = 0; n < Y.rows; n++) {
    const y = row(Y, n);
    distances(y, columns, curve.rows, t);
    let near = 0;
    for (let m = 1; m < t.length; m++) if (t[m] < t[near]) near = m;
    const start = row(curve, near);
    let shortest = t[near];
    for (const m of [near - 1, near + 1]) {
      if (m < 0 || m >= curve.rows) continue;
      const along = row(curve, m).map((v, k) => v - start[k]);
      const size = dot(along, along);
      const s = size > 0 ? Math.min(Math.max(dot(y.map((v, k) => v - start[k]), along) / size, 0), 1) : 0;
      shortest = Math.min(shortest, squared_distance(y, start.map((v, k) => v + s * along[k])));
    }
    total += Math.sqrt(shortest);
  }
  return total / Y.rows;
}
