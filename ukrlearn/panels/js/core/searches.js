// Searches along a line, step by step as SciPy takes them, so that the page ends at the same number as
// the library: a search that only comes near would differ in the digits that the words show.
//
// Each search yields the place that it wants to try, and is told the value there by `next(value)`.

const GOLDEN = 0.5 * (3 - Math.sqrt(5));

/** Run a search to its end. `value_at` is a generator that returns the value at a place; it may rest on its way. */
export function* trials(search, value_at) {
  let { value, done } = search.next();
  while (!done) {
    ({ value, done } = search.next(yield* value_at(value)));
  }
  return value;
}

/** `minimize_scalar(method="bounded")`: golden sections and parabolas between two ends. */
export function* bounded_minimum(a, b, tolerance) {
  const root_of_precision = Math.sqrt(2.2e-16);
  const coarse = (x) => root_of_precision * Math.abs(x) + tolerance / 3;
  let best = a + GOLDEN * (b - a);
  let [second, third] = [best, best];
  let [step, before] = [0, 0];
  let at_best = yield best;
  let [at_second, at_third] = [at_best, at_best];
  for (let number = 1; number < 500; number++) {
    const middle = 0.5 * (a + b);
    const least = coarse(best);
    if (!(Math.abs(best - middle) > 2 * least - 0.5 * (b - a))) break;
    let golden = true;
    if (Math.abs(before) > least) {
      const r = (best - second) * (at_best - at_third);
      let q = (best - third) * (at_best - at_second);
      let p = (best - third) * q - (best - second) * r;
      q = 2 * (q - r);
      if (q > 0) p = -p;
      q = Math.abs(q);
      const last = before;
      before = step;
      if (Math.abs(p) < Math.abs(0.5 * q * last) && p > q * (a - best) && p < q * (b - best)) {
        golden = false;
        step = p / q;
        const there = best + step;
        if (there - a < 2 * least || b - there < 2 * least) step = middle >= best ? least : -least;
      }
    }
    if (golden) {
      before = best >= middle ? a - best : b - best;
      step = GOLDEN * before;
    }
    const x = best + (step >= 0 ? 1 : -1) * Math.max(Math.abs(step), least);
    const at_x = yield x;
    if (at_x <= at_best) {
      if (x >= best) a = best;
      else b = best;
      [third, at_third] = [second, at_second];
      [second, at_second] = [best, at_best];
      [best, at_best] = [x, at_x];
    } else {
      if (x < best) a = x;
      else b = x;
      if (at_x <= at_second || second === best) {
        [third, at_third] = [second, at_second];
        [second, at_second] = [x, at_x];
      } else if (at_x <= at_third || third === best || third === second) {
        [third, at_third] = [x, at_x];
      }
    }
  }
  return best;
}

/** `minimize(method="Nelder-Mead")` in one dimension, where a simplex is two places; at most so many trials. */
export function* nelder_mead(first, other, { near, flat, most }) {
  let left = most;
  let [best, worst] = [first, other];
  let at_best = yield best;
  let at_worst = yield worst;
  left -= 2;
  const sort = () => {
    if (at_worst < at_best) [best, worst, at_best, at_worst] = [worst, best, at_worst, at_best];
  };
  sort();
  while (left > 0 && !(Math.abs(worst - best) <= near && Math.abs(at_best - at_worst) <= flat)) {
    const mirrored = 2 * best - worst;
    const at_mirrored = yield mirrored;
    if (!--left) break;
    const outside = at_mirrored < at_worst;
    const further = at_mirrored < at_best;
    const x = further ? 3 * best - 2 * worst : outside ? 1.5 * best - 0.5 * worst : 0.5 * best + 0.5 * worst;
    const at_x = yield x;
    left -= 1;
    if (further) [worst, at_worst] = at_x < at_mirrored ? [x, at_x] : [mirrored, at_mirrored];
    else if (outside ? at_x <= at_mirrored : at_x < at_worst) [worst, at_worst] = [x, at_x];
    else {
      if (!left) break;
      worst = best + 0.5 * (worst - best);
      at_worst = yield worst;
      left -= 1;
    }
    sort();
  }
  return best;
}

/** `brentq`: where a function that changes its sign between a and b is zero. */
export function* root(a, b, tolerance) {
  const relative = 4 * 2 ** -52;
  let [before, here] = [a, b];
  let at_before = yield before;
  let at_here = yield here;
  if (at_before === 0) return before;
  if (at_here === 0) return here;
  let [other, at_other, step, last] = [0, 0, 0, 0];
  for (let k = 0; k < 100; k++) {
    if (at_before !== 0 && at_here !== 0 && at_before < 0 !== at_here < 0) {
      [other, at_other] = [before, at_before];
      step = last = here - before;
    }
    if (Math.abs(at_other) < Math.abs(at_here)) {
      [before, here, other] = [here, other, here];
      [at_before, at_here, at_other] = [at_here, at_other, at_here];
    }
    const least = (tolerance + relative * Math.abs(here)) / 2;
    const half = (other - here) / 2;
    if (at_here === 0 || Math.abs(half) < least) return here;
    if (Math.abs(last) > least && Math.abs(at_here) < Math.abs(at_before)) {
      let wanted;
      if (before === other) wanted = (-at_here * (here - before)) / (at_here - at_before);
      else {
        const slope = (at_before - at_here) / (before - here);
        const other_slope = (at_other - at_here) / (other - here);
        wanted = (-at_here * (at_other * other_slope - at_before * slope)) / (other_slope * slope * (at_other - at_before));
      }
      if (2 * Math.abs(wanted) < Math.min(Math.abs(last), 3 * Math.abs(half) - least)) [last, step] = [step, wanted];
      else [last, step] = [half, half];
    } else [last, step] = [half, half];
    [before, at_before] = [here, at_here];
    here += Math.abs(step) > least ? step : half > 0 ? least : -least;
    at_here = yield here;
  }
  return here;
}
