// Principal curve: points that the hand moves, a curve through their middle, and what the curve costs.

import { curves, distance_to_curve, project_to_curve, quantize } from "./core/rpm.js";
import { copy, extent, mean, row, rows_of, squared_distance, table } from "./core/tables.js";
import { COLORS, Stage, Work, log_ticks } from "./stage.js";

const FIRST = 25; // ms that the first fit may take before anything is shown
const BUDGET = 8; // ms of a frame for the fit
const GRID = 401; // places along the curve
const FLOOR = 1e-6; // the lowest value in the chart

/**
 * @param {HTMLElement} host
 * @param {object} given points; clean: the curve that they come from, or null; mean: what the penalty is beside,
 *   if not beside the sum of all errors; half_steps: how many there are
 * @param {object} link tells the kernel where the points are
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const clean = given.clean && table(given.clean);
  const Y = table(given.points);
  const N = Y.rows;
  const last = given.half_steps;

  const first = copy(Y);
  const ends = [0, 1].map((k) => extent(first, k));
  const room = 0.12 * Math.max(...ends.map(([low, high]) => high - low));
  const of_data = stage.plot("data", { equal: true, aspect: 0.92,
    x: [ends[0][0] - room, ends[0][1] + room], y: [ends[1][0] - 1.6 * room, ends[1][1] + room] });
  const middle = mean(first);
  const size = Array.from({ length: N }, (_, n) => squared_distance(row(first, n), middle)).reduce((sum, t) => sum + t / N, 0);
  const of_errors = stage.plot("errors", { aspect: 0.92, x: [1, last], still: true, yticks: log_ticks, left: 58,
    y: [Math.log10(size / 2000), Math.log10(60 * size)] });
  stage.help("Keys, when the points have the focus: N and P choose a point, the arrows move it (with Shift: further).");

  const fitted = new Work(function* () {
    const { penalty, beside, width, nodes } = stage.values;
    const { fit, start } = curves(width, nodes, beside === given.mean ? penalty : penalty / N);
    const [points, steps] = [copy(Y), []];
    for (const step of quantize(points, start(points), project_to_curve, fit)) {
      steps.push(step);
      if (steps.length === last) break;
      yield;
    }
    const { f, Z } = steps.at(-1);
    const curve = rows_of(Array.from({ length: GRID }, (_, k) => f.at((2 * k) / (GRID - 1) - 1)).flatMap((y) => [...y]), 2);
    return { steps, curve, outside: Array.from(Z, (z) => Math.abs(z) >= 1) };
  });
  const anew = () => (fitted.stale = true);
  for (const name of ["penalty", "width", "nodes"]) stage.slider(name, { more: name === "nodes" }, anew);
  stage.choice("beside", { more: true }, anew);
  const tell = () => link.out({ points: Array.from(Y.data) });
  const use = (points) => {
    if (points.length !== 2 * N) throw new RangeError(`points must be ${2 * N} numbers`);
    Y.data.set(points);
    anew();
    stage.redraw();
  };
  stage.button("Put points back", () => {
    use(first.data);
    tell();
  });
  stage.onvalues = link.values;
  stage.put = ({ points }) => use(points.flat());
  of_data.handles = {
    points: Y,
    onmove(n, x, y) {
      Y.data.set(of_data.inside(x, y), 2 * n);
      anew();
    },
    onrelease: tell,
    name: (n) => `point ${n}`,
  };
  fitted.go_on(FIRST);

  // What is seen

  const FIT = { color: COLORS.manifold, width: 2.8 };
  const looks = [{ color: COLORS.guide, dash: [6, 4] }, { color: COLORS.good, dash: [2, 3] }, { color: COLORS.manifold }];
  stage.draw = () => {
    if (fitted.go_on(BUDGET)) stage.redraw();
    if (clean) of_data.curve(clean, { color: of_data.soft, width: 1.6, dash: [6, 4] });
    const there = fitted.result;
    of_data.points(Y, { color: COLORS.point, size: N > 500 ? 2.2 : 3.4 });
    const at_end = Array.from(Y.data.keys()).filter((k) => there?.outside[Math.floor(k / 2)]);
    of_data.points(rows_of(at_end.map((k) => Y.data[k]), 2), { color: COLORS.guide, size: 4.6, hollow: true });
    const dot = rows_of(of_data.at(of_data.box.left + 25, of_data.box.bottom - 12), 2);
    of_data.points(dot, { color: COLORS.guide, size: 4.6, hollow: true });
    of_data.key([FIT], { down: -28 });
    of_data.text(...of_data.at(of_data.box.left + 44, of_data.box.bottom - 12), of_data.legend[1]);
    if (!there) return;
    of_data.curve(there.curve, FIT);
    const parts = (of) => rows_of(there.steps.flatMap((step, k) => [k + 1, Math.log10(Math.max(of(step), FLOOR))]), 2);
    [(s) => s.distortion, (s) => s.penalty, (s) => s.distortion + s.penalty].forEach((of, k) => {
      of_errors.curve(parts(of), { width: 2, ...looks[k] });
    });
    of_errors.key(looks);
  };

  stage.summary = () => {
    if (!fitted.done) return "The curve is being fitted.";
    const { steps, curve, outside } = fitted.result;
    const { distortion, penalty } = steps.at(-1);
    const error = (step) => step.distortion + step.penalty;
    const rises = steps.slice(1).filter((step, k) => error(step) - error(steps[k]) > 1e-12 * error(steps[0])).length;
    let length = 0;
    for (let k = 1; k < GRID; k++) length += Math.sqrt(squared_distance(row(curve, k - 1), row(curve, k)));
    const share = (100 * outside.filter(Boolean).length) / N;
    const apart = clean && (distance_to_curve(clean, curve) + distance_to_curve(curve, clean)) / 2;
    return `After ${steps.length} half steps R_emp = ${distortion.toFixed(4)}, λQ = ${penalty.toFixed(4)}, ` +
      `R_reg = ${(distortion + penalty).toFixed(4)}; R_reg has risen ${rises} times. The curve is ${length.toFixed(2)} ` +
      `long, and ${share.toFixed(0)}% of the points are at its ends.` +
      (clean ? ` On average it is ${apart.toFixed(3)} away from the clean curve.` : "");
  };
  stage.redraw();
  return stage;
}
