// Descents, which yield one step after the other: RPROP, and gradient descent that may be guided.

import { copy, mapped, zeros } from "./tables.js";
/** @import { Objective, Step, Table } from "./tables.js" */

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
 * @param {Objective} objective
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
      const vanished = gradient.data[k] === 0 && before[k] !== 0; // beyond the reach of a compact kernel
      const sign = vanished ? -before[k] : Math.sign(gradient.data[k]);
      const turned = sign * before[k] < 0;
      step[k] = rprop_step(step[k], sign, before[k], 1.2, shrink, least);
      before[k] = turned ? 0 : sign;
      move[k] = vanished || (turned && risen) ? -move[k] : -before[k] * step[k];
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
  { first_step = 0.1, halvings = 40, guide = null, longest = (/** @type {Table} */ X) => Infinity } = {}) {
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
