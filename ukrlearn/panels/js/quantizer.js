// Quantizer: points or lines in place of data, half step by half step. Drag a code, and begin there.

import { affine, codebook, fit_affine, fit_constants, fit_lines, huber, l1, lines, project_to_labels, project_to_line,
  quantize, squared } from "./core/rpm.js";
import { row, rows_of, table } from "./core/tables.js";
import { COLORS, Gliding, Stage } from "./stage.js";

const PACE = 3; // half steps a second
const FAR = 10; // lines are drawn this far to both sides, beyond the edges of the picture
const ARM = 0.22; // of the height of the picture, from the middle of a line to the handle that turns it

/**
 * @param {HTMLElement} host
 * @param {object} given Y: data; broken: rows whose first number the slider sets; starts: by kind of codes and number,
 *   the rows and directions that they begin at; lines: the kinds that are lines; sigma: of Huber's cost; x, y: limits
 * @param {object} link tells the kernel where the hand has placed the codes
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const Y = table(given.Y);
  const costs = { squared, L1: l1, Huber: huber(given.sigma) };
  const last = given.controls.frame.high;
  let placed = null; // codes that the hand has placed: their kind, the start that they replace, and x, y, dx, dy of each

  const of_data = stage.plot("data", { equal: true, aspect: 0.72, grow: 7, x: given.x, y: given.y });
  const of_errors = stage.plot("errors", { aspect: (wide) => Math.min(1, 300 / wide), grow: 4, still: true, x: [-0.8, last + 0.8], y: [0, 1.06] });
  stage.help("Keys, when the data have the focus: N and P choose a handle of a code, the arrows move it (with Shift: further).");

  // The half steps so far, which are computed when they are first shown

  let steps, running;
  const is_line = () => given.lines.includes(stage.values.codes);
  /** x, y, dx, dy of each code at the start. */
  function begun() {
    const { codes, start } = stage.values;
    if (placed?.codes === codes && placed.start === start) return placed.at;
    const { rows, directions } = given.starts[codes][start];
    return rows.map((n, k) => [...row(Y, n), ...directions[k]]);
  }
  function anew() {
    for (const option of cost.options) option.disabled = is_line() && option.value === "L1"; // there is no such map
    for (const option of codes.options) option.disabled = stage.values.cost === "L1" && given.lines.includes(option.value);
    for (const n of given.broken) Y.data[2 * n] = stage.values.reading;
    const at = begun();
    const [centres, directions] = [0, 2].map((k) => rows_of(at.flatMap((code) => code.slice(k, k + 2)), 2));
    const [f, project, fit] = !is_line() ? [codebook(centres), project_to_labels(at.length), fit_constants]
      : at.length > 1 ? [lines(centres, directions), project_to_labels(at.length), fit_lines]
        : [affine(row(centres, 0), row(directions, 0)), project_to_line, fit_affine];
    steps = [];
    running = quantize(Y, f, project, fit, costs[stage.values.cost]);
  }
  function step_at(number) {
    while (steps.length <= number) steps.push(running.next().value);
    return steps[number];
  }

  const beat = new Gliding(last, PACE);
  function go_to(number) {
    stage.stop();
    beat.to(number);
    stage.shown.frame.show(number);
  }
  stage.player((now) => {
    const whole = beat.play(now);
    if (whole !== stage.values.frame) {
      stage.shown.frame.show(whole);
      link.values({ ...stage.values });
    }
    return beat.goal < last;
  });
  stage.slider("frame", {}, (number) => {
    stage.stop();
    beat.to(number);
  });
  stage.shown.frame.onchange = (number) => beat.to(number); // what comes from the kernel
  stage.slider("reading", {}, () => anew());
  const refused = () => is_line() && stage.values.cost === "L1";
  const codes = stage.choice("codes", { more: true }, () => {
    if (refused()) stage.shown.cost.show("squared");
    anew();
  });
  const cost = stage.choice("cost", { more: true }, () => {
    if (refused()) stage.shown.codes.show(given.controls.codes.value);
    anew();
  });
  stage.slider("start", { more: true }, () => anew());
  const tell = () => {
    link.out({ placed });
    link.values({ ...stage.values });
  };
  const use = (codes) => {
    placed = codes;
    anew();
    stage.redraw();
  };
  stage.button("Start anew", () => {
    go_to(0);
    use(null);
    tell();
  });
  stage.onvalues = link.values;
  stage.put = (things) => use(things.placed);
  anew();
  beat.to(given.controls.frame.value);

  // The hand: a point has one handle; a line has one in its middle, and one that turns it

  const reach = ARM * (given.y[1] - given.y[0]);
  const handles = rows_of([], 2);
  /** x, y, dx, dy of each code at this half step. */
  function codes_of({ f }) {
    if (f.C) return Array.from({ length: f.C.rows }, (_, k) => [...row(f.C, k), 1, 0]);
    const [centres, directions] = f.B ? [rows_of(f.offset, 2), rows_of(f.B, 2)] : [f.centres, f.directions];
    return Array.from({ length: centres.rows }, (_, k) => {
      const [dx, dy] = row(directions, k);
      const size = Math.hypot(dx, dy) || 1;
      return [...row(centres, k), dx / size, dy / size];
    });
  }
  of_data.handles = {
    points: handles,
    onmove(n, x, y) {
      const at = codes_of(step_at(stage.values.frame));
      const code = at[n % at.length];
      if (n < at.length) code.splice(0, 2, ...of_data.inside(x, y));
      else {
        const size = Math.hypot(x - code[0], y - code[1]);
        if (size > 0) code.splice(2, 2, (x - code[0]) / size, (y - code[1]) / size);
      }
      go_to(0);
      use({ codes: stage.values.codes, start: stage.values.start, at });
    },
    onrelease: tell,
    name: (n) => `${n < begun().length ? "code" : "direction of code"} ${(n % begun().length) + 1}`,
  };

  // What is seen

  const share = (number) => (step_at(0).distortion > 0 ? step_at(number).distortion / steps[0].distortion : 1);
  stage.draw = () => {
    const number = stage.values.frame;
    const step = step_at(number);
    const at = codes_of(step);
    const turned = is_line() ? at.map(([x, y, dx, dy]) => [x + reach * dx, y + reach * dy]) : [];
    Object.assign(handles, rows_of([...at.map(([x, y]) => [x, y]), ...turned].flat(), 2));
    const label = (n) => (at.length > 1 ? step.Z[n] : 0);
    for (let n = 0; n < Y.rows; n++) {
      const [y, r] = [row(Y, n), step.f.residual(step.Z[n], row(Y, n))];
      of_data.segment(...y, y[0] - r[0], y[1] - r[1], { color: of_data.faint, width: 1 });
    }
    of_data.points(Y, { color: (n) => COLORS.classes[label(n)], size: 3.2 });
    const ring = { color: of_data.ink, size: 6, hollow: true };
    of_data.points(rows_of(given.broken.flatMap((n) => [...row(Y, n)]), 2), ring);
    at.forEach(([x, y, dx, dy], k) => {
      if (is_line()) {
        of_data.segment(x - FAR * dx, y - FAR * dy, x + FAR * dx, y + FAR * dy, { color: COLORS.classes[k], width: 2.6 });
        of_data.points(rows_of(turned[k], 2), { color: of_data.paper, size: 5 });
        of_data.points(rows_of(turned[k], 2), { color: COLORS.classes[k], size: 5, hollow: true });
      }
      of_data.points(rows_of([x, y], 2), { color: COLORS.classes[k], size: 8 });
      of_data.ring(x, y, 8);
    });
    [...of_data.legend.slice(0, at.length), of_data.legend.at(-1)].forEach((name, k) => {
      const left = 0.9 * of_data.box.right + 0.1 * of_data.box.left - 92; // beside readings at the end of the picture
      const place = of_data.at(left, of_data.box.top + 14 + 16 * k);
      of_data.points(rows_of(place, 2), k < at.length ? { color: COLORS.classes[k], size: 4.5 } : ring);
      of_data.text(...of_data.at(left + 12, of_data.box.top + 14 + 16 * k), name);
    });
    draw_errors(number);
  };
  function draw_errors(number) {
    const all = Array.from({ length: number + 1 }, (_, k) => [k, share(k)]);
    of_errors.curve(rows_of(all.flat(), 2), { color: of_errors.soft, width: 1.2 });
    [COLORS.classes[3], COLORS.classes[4]].forEach((color, half) => {
      of_errors.points(rows_of(all.filter(([k]) => k % 2 === half).flat(), 2), { color, size: 3.6 });
      const y = of_errors.box.top + 14 + 16 * half;
      of_errors.points(rows_of(of_errors.at(of_errors.box.right - 84, y), 2), { color, size: 3.6 });
      of_errors.text(...of_errors.at(of_errors.box.right - 74, y), of_errors.legend[half]);
    });
    of_errors.ring(number, share(number), 8, { width: 1.6 });
  }

  stage.summary = () => {
    const { codes, cost, start, frame, reading } = stage.values;
    const step = step_at(frame);
    const by_hand = placed?.codes === codes && placed.start === start ? "by hand" : start;
    const whole = codes[0].toUpperCase() + codes.slice(1);
    const at = codes_of(step);
    const words = at.map(([x, y, dx, dy], k) => {
      const own = Array.from(Y.data.keys()).filter((n) => n < Y.rows && (at.length === 1 || step.Z[n] === k));
      const broken = own.filter((n) => given.broken.includes(n)).length;
      const place = `(${x.toFixed(2)}, ${y.toFixed(2)})`;
      const tilt = ((Math.atan2(dy, dx) * 180) / Math.PI + 180) % 180;
      const where = is_line() ? `through ${place}, tilted by ${tilt.toFixed(0)}°` : `at ${place}`;
      return `Code ${k + 1} ${where}: ${own.length} points, ${broken} of them broken.`;
    });
    return `${whole}, cost ${cost}, start ${by_hand}, half step ${frame} (${step.half}): the error is ` +
      `${step.distortion.toFixed(4)}, ${(100 * share(frame)).toFixed(0)}% of the start. ${given.broken.length} of ` +
      `${Y.rows} readings are broken, at ${Number(reading.toPrecision(3))}. ${words.join(" ")}`;
  };
  stage.redraw();
  return stage;
}
