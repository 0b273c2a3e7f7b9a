// Homotopy: latent points grow out of one point, while the threshold of the density falls stage by stage.

import { density_on_grid, kernels } from "./core/kernel_regression.js";
import { extent, rows_of, unpacked, zeros } from "./core/tables.js";
import { COLORS, Gliding, Stage, log_ticks } from "./stage.js";

const PACE = 24; // steps a second
const WORK = 2e6; // kernel values of a picture, about
const [LEAST_CELLS, MOST_CELLS] = [24, 90]; // of the picture of the density along each side
const TELL_EVERY = 250; // ms between two messages to the kernel while it plays

/**
 * @param {HTMLElement} host
 * @param {object} given frames: numbers of steps; X: the latent points at these steps; colors: of the
 *   points; classes: names and colours; kernel: its name; thresholds: η of each stage but the last;
 *   stage_of, errors, direct, least, words: of each step
 * @param {object} link tells the kernel which step is shown
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const kernel = kernels[given.kernel];
  const { frames, thresholds, stage_of, errors, direct, least, colors } = given;
  const all = unpacked(given.X);
  const N = colors.length;
  const last = stage_of.length - 1;
  const stages = thresholds.length + 1;
  const end_of = Array.from({ length: stages }, (_, k) => stage_of.lastIndexOf(k + 1));

  const map = stage.plot("map", { equal: true, aspect: 0.9 });
  stage.help("Keys, when the latent points have the focus: N and P choose a point, whose place is shown.");
  const of_class = (color) => given.classes.find(([, own]) => own === color)?.[0];
  const into = stage.column();
  const chart = { aspect: (wide) => Math.min(0.44, 236 / wide), x: [-0.02 * last, 1.02 * last || 1], into, still: true };
  const most = errors.concat(direct).reduce((m, v) => Math.max(m, v), 0) || 1;
  const lowest = least.concat(thresholds).reduce((m, v) => Math.min(m, v), 1);
  const of_errors = stage.plot("errors", { ...chart, y: [0, 1.3 * most] });
  const of_constraint = stage.plot("constraint", { ...chart, y: [Math.log10(lowest) - 0.1, 0.9], yticks: log_ticks });

  // The step glides, and points between two steps are mixed from both.

  const step = new Gliding(last, PACE);
  const X = zeros(N, 2);
  map.handles = { points: X, fixed: true, name: (n) => [`point ${n}`, of_class(colors[n])].filter(Boolean).join(", ") };
  function mix() {
    let k = 0;
    while (k < frames.length - 2 && frames[k + 1] <= step.at) k++;
    const share = frames.length > 1 ? Math.min((step.at - frames[k]) / (frames[k + 1] - frames[k]), 1) : 0;
    const [a, b] = [k * 2 * N, Math.min(k + 1, frames.length - 1) * 2 * N];
    for (let j = 0; j < 2 * N; j++) X.data[j] = (1 - share) * all[a + j] + share * all[b + j];
  }
  function turn_to(number) {
    step.to(number);
    stage.shown.stage.show(stage_of[number]);
  }
  let told = 0;
  function advance(now) {
    const whole = step.play(now);
    const more = step.goal < last;
    if (whole !== stage.values.frame) {
      stage.shown.frame.show(whole);
      stage.shown.stage.show(stage_of[whole]);
      if (!more || now === undefined || now - told > TELL_EVERY) {
        told = now ?? 0;
        link.values({ ...stage.values });
      }
    }
    return more;
  }
  stage.player(advance).addEventListener("click", () => link.values({ ...stage.values }));
  const nearness = new Gliding(1); // 1: as near as possible
  const zoom = stage.button("Zoom in", () => {
    nearness.to(1 - nearness.goal);
    zoom.textContent = nearness.goal ? "Zoom out" : "Zoom in";
  });
  stage.slider("frame", {}, (number) => {
    stage.stop();
    turn_to(number);
  });
  stage.slider("stage", {}, (number) => {
    stage.stop();
    go_to_stage(number);
  });
  function go_to_stage(number) {
    stage.shown.frame.show(end_of[number - 1]);
    turn_to(end_of[number - 1]);
  }
  stage.shown.frame.onchange = turn_to; // what comes from the kernel
  stage.shown.stage.onchange = go_to_stage;
  stage.onvalues = link.values;

  // What is seen

  function bounds(T) {
    const ends = [extent(T, 0), extent(T, 1)];
    const half = 0.56 * Math.max(...ends.map(([low, high]) => high - low)) + 0.8;
    return ends.map(([low, high]) => [(low + high) / 2 - half, (low + high) / 2 + half]);
  }
  // Without a threshold a point may fly far away; until it does, the picture keeps to the stages with one.
  const constrained = frames.filter((step) => stage_of[step] <= thresholds.length).length;
  const whole = bounds(rows_of(all.subarray(0, 2 * N * constrained), 2));
  const threshold = () => {
    const number = stage_of[Math.round(step.at)];
    return number > thresholds.length ? least[Math.round(step.at)] : thresholds[number - 1];
  };
  stage.draw = () => {
    const moving = [step, nearness].map((one) => one.glide()); // both of them
    if (moving.some(Boolean)) stage.redraw();
    mix();
    draw_map();
    draw_charts();
  };
  const cells = Math.round(Math.max(LEAST_CELLS, Math.min(MOST_CELLS, Math.sqrt(WORK / N))));
  function draw_map() {
    const close = bounds(X);
    const far = whole.map(([low, high], k) => [Math.min(low, close[k][0]), Math.max(high, close[k][1])]);
    const [x, y] = far.map((ends, k) => ends.map((end, side) => end + nearness.at * (close[k][side] - end)));
    map.limits(x, y);
    draw_room();
    map.points(X, { color: (n) => colors[n], size: N > 500 ? 2.2 : 3.4 });
    const unit = map.across(1) - map.across(0); // the kernel's width, in pixels
    const [a, b] = map.at(map.box.left + 12 + unit, map.box.bottom - 12 - unit);
    map.ring(a, b, unit, { width: 1.2 });
    map.text(...map.at(map.box.left + 20 + 2 * unit, map.box.bottom - 12 - unit), "kernel width", { color: map.soft });
    if (given.classes.length < 2) return;
    given.classes.forEach(([name, color], k) => {
      const place = map.at(map.box.left + 14, map.box.top + 14 + 17 * k);
      map.points(rows_of(place, 2), { color, size: 4.5 });
      map.text(...map.at(map.box.left + 24, map.box.top + 14 + 17 * k), name);
    });
  }
  /** Blue where p(x) reaches the threshold, with a border where it just does. */
  function draw_room() {
    const middle = (k, [from, to]) => from + ((k + 0.5) / cells) * (to - from);
    const xs = Float64Array.from({ length: cells }, (_, k) => middle(k, map.x));
    const ys = Float64Array.from({ length: cells }, (_, k) => middle(cells - 1 - k, map.y));
    const p = density_on_grid(xs, ys, X, kernel);
    const level = threshold() * kernel.value(0);
    map.image(p, cells, cells, map.x, map.y, (v) => [0, 114, 178, v < level ? 0 : 40], true);
    map.border(p, xs, ys, level, { color: COLORS.guide });
  }
  const stairs = stage_of.map((k) => Math.log10(thresholds[k - 1])); // NaN in the last stage
  const densities = least.map(Math.log10);
  function draw_charts() {
    const now = Math.round(step.at);
    for (const [plot, values, other, look, of_other] of [
      [of_errors, errors, direct, { color: COLORS.manifold }, { color: of_errors.soft, dash: [6, 4] }],
      [of_constraint, densities, stairs, { color: of_constraint.ink }, { color: COLORS.guide }],
    ]) {
      const until = (v) => rows_of(v.slice(0, now + 1).flatMap((value, k) => [k, value]), 2);
      plot.curve(until(other), { width: 2, ...of_other });
      plot.curve(until(values), { width: 2, ...look });
      plot.points(rows_of([now, values[now]], 2), { ...look, size: 4.5 });
      plot.key([look, of_other]);
    }
  }

  stage.summary = () => given.words[stage.values.frame];
  stage.redraw();
  return stage;
}
