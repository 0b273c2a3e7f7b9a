// Homotopy: latent points grow out of one point, while the threshold of the density falls stage by stage.

import { density_on_grid, kernels } from "./core/kernel_regression.js";
import { unpacked, zeros } from "./core/tables.js";
import { COLORS, Stage, calm } from "./stage.js";

const PACE = 24; // steps a second
const GLIDE = 90; // ms in which most of the way to another step, or zoom, is gone
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
  const stage = new Stage(host, "Homotopy");
  const kernel = kernels[given.kernel];
  const { frames, thresholds, stage_of, errors, direct, least, colors } = given;
  const all = unpacked(given.X);
  const N = colors.length;
  const last = stage_of.length - 1;
  const stages = thresholds.length + 1;
  const end_of = Array.from({ length: stages }, (_, k) => stage_of.lastIndexOf(k + 1));

  const map = stage.plot({ title: "Latent points and the room they may use", equal: true, aspect: 0.9,
    xlabel: "first latent coordinate", ylabel: "second latent coordinate" });
  stage.help("Keys, when the latent points have the focus: N and P choose a point, whose place is shown.");
  const of_class = (color) => given.classes.find(([, own]) => own === color)?.[0];
  const charts = stage.plot({ title: "Error and constraint, step by step", frame: false, aspect: 0.9, still: true });

  // The step: `at` glides towards `goal`, and points between two steps are mixed from both.

  let goal = 0;
  let at = 0;
  const X = zeros(N, 2);
  map.handles = { points: X, fixed: true, name: (n) => [`point ${n}`, of_class(colors[n])].filter(Boolean).join(", ") };
  function mix() {
    let k = 0;
    while (k < frames.length - 2 && frames[k + 1] <= at) k++;
    const share = frames.length > 1 ? Math.min((at - frames[k]) / (frames[k + 1] - frames[k]), 1) : 0;
    const [a, b] = [k * 2 * N, Math.min(k + 1, frames.length - 1) * 2 * N];
    for (let j = 0; j < 2 * N; j++) X.data[j] = (1 - share) * all[a + j] + share * all[b + j];
  }
  function turn_to(step) {
    goal = step;
    stage.shown.stage.show(stage_of[Math.round(step)]);
    if (calm()) at = goal;
  }
  let told = 0;
  let now_before = null;
  function advance(now) {
    if (goal >= last) goal = at = 0;
    if (now === undefined) turn_to(Math.min(Math.floor(goal + 1e-9) + 1, last));
    else {
      goal = Math.min(goal + (now_before === null ? 0 : (PACE * Math.min(now - now_before, 100)) / 1000), last);
      at = goal;
    }
    now_before = now ?? null;
    const whole = Math.floor(goal + 1e-9);
    const more = goal < last;
    if (whole !== stage.values.frame) {
      stage.shown.frame.show(whole);
      stage.shown.stage.show(stage_of[whole]);
      if (!more || now === undefined || now - told > TELL_EVERY) {
        told = now ?? 0;
        link.values({ ...stage.values });
      }
    }
    if (!more) now_before = null;
    return more;
  }
  const player = stage.player(advance);
  player.addEventListener("click", () => {
    now_before = null;
    link.values({ ...stage.values });
  });
  let [near, nearness] = [false, 0];
  const zoom = stage.button("Zoom in", () => {
    near = !near;
    zoom.textContent = near ? "Zoom out" : "Zoom in";
    if (calm()) nearness = Number(near);
  });
  stage.slider("frame", { label: "step", low: 0, high: last, value: 0, steps: last }, (step) => {
    stage.stop();
    turn_to(step);
  });
  stage.slider("stage", { label: "stage", low: 1, high: stages, value: 1, steps: stages - 1 }, (number) => {
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

  function bounds(table) {
    const low = [Infinity, Infinity];
    const high = [-Infinity, -Infinity];
    for (let j = 0; j < table.length; j++) {
      low[j % 2] = Math.min(low[j % 2], table[j]);
      high[j % 2] = Math.max(high[j % 2], table[j]);
    }
    const half = 0.56 * Math.max(high[0] - low[0], high[1] - low[1]) + 0.8;
    return [0, 1].map((k) => [(low[k] + high[k]) / 2 - half, (low[k] + high[k]) / 2 + half]);
  }
  // Without a threshold a point may fly far away; until it does, the picture keeps to the stages with one.
  const constrained = frames.filter((step) => stage_of[step] <= thresholds.length).length;
  const whole = bounds(all.subarray(0, 2 * N * constrained));
  const threshold = () => {
    const number = stage_of[Math.round(at)];
    return number > thresholds.length ? least[Math.round(at)] : thresholds[number - 1];
  };
  let before = null; // when the last picture was drawn
  stage.draw = () => {
    const now = performance.now();
    const share = 1 - Math.exp(-(before === null ? 16 : Math.min(now - before, 100)) / GLIDE);
    const moving = at !== goal || nearness !== Number(near);
    if (moving) {
      at = Math.abs(goal - at) < 0.02 ? goal : at + share * (goal - at);
      nearness = Math.abs(near - nearness) < 0.002 ? Number(near) : nearness + share * (near - nearness);
      stage.redraw();
    }
    before = moving ? now : null;
    mix();
    draw_map();
    draw_charts();
  };
  const cells = Math.round(Math.max(LEAST_CELLS, Math.min(MOST_CELLS, Math.sqrt(WORK / N))));
  const store = Object.assign(document.createElement("canvas"), { width: cells, height: cells });
  const shade = store.getContext("2d");
  const pixels = shade.createImageData(cells, cells);
  function draw_map() {
    const close = bounds(X.data);
    const far = whole.map(([low, high], k) => [Math.min(low, close[k][0]), Math.max(high, close[k][1])]);
    const [x, y] = far.map((ends, k) => ends.map((end, side) => end + nearness * (close[k][side] - end)));
    map.limits(x, y);
    draw_room();
    map.points(X, { color: (n) => colors[n], size: N > 500 ? 2.2 : 3.4 });
    const unit = map.across(1) - map.across(0); // the kernel's width, in pixels
    const corner = map.at(map.box.left + 12 + unit, map.box.bottom - 12 - unit);
    map.ring(...corner, unit, { width: 1.2 });
    map.text(...map.at(map.box.left + 20 + 2 * unit, map.box.bottom - 12 - unit), "kernel width", { color: map.soft });
    if (given.classes.length < 2) return;
    given.classes.forEach(([name, color], k) => {
      const place = map.at(map.box.left + 14, map.box.top + 14 + 17 * k);
      map.points({ data: Float64Array.from(place), rows: 1, columns: 2 }, { color, size: 4.5 });
      map.text(...map.at(map.box.left + 24, map.box.top + 14 + 17 * k), name);
    });
  }
  /** Blue where p(x) reaches the threshold, with a border where it just does. */
  function draw_room() {
    const { left, right, top, bottom } = map.box;
    const middle = (k, [from, to]) => from + ((k + 0.5) / cells) * (to - from);
    const xs = Float64Array.from({ length: cells }, (_, k) => middle(k, map.x));
    const ys = Float64Array.from({ length: cells }, (_, k) => middle(cells - 1 - k, map.y));
    const p = density_on_grid(xs, ys, X, kernel);
    const level = threshold() * kernel.value(0);
    for (let k = 0; k < p.length; k++) {
      [pixels.data[4 * k + 1], pixels.data[4 * k + 2], pixels.data[4 * k + 3]] = [114, 178, p[k] < level ? 0 : 40];
    }
    shade.putImageData(pixels, 0, 0);
    map.pen.imageSmoothingEnabled = true;
    map.pen.drawImage(store, left, top, right - left, bottom - top);
    map.border(p, xs, ys, level, { color: COLORS.guide });
  }
  const most = errors.concat(direct).reduce((m, v) => Math.max(m, v), 0) || 1;
  const lowest = least.concat(thresholds).reduce((m, v) => Math.min(m, v), 1);
  function draw_charts() {
    const { box, pen } = charts;
    const [wide, tall] = [box.right - box.left, box.bottom - box.top];
    const across = (step) => box.left + 8 + (step / Math.max(last, 1)) * (wide - 16);
    const upper = (v) => box.top + 0.46 * tall - (v / most) * (0.46 * tall - 30);
    const lower = (v) => box.bottom - 22 - (Math.log(v / lowest) / Math.log(1 / lowest)) * (0.46 * tall - 46);
    const now = Math.round(at);
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    const line = (values, up, color, dash = []) => {
      pen.strokeStyle = color;
      pen.lineWidth = 2;
      pen.setLineDash(dash);
      pen.beginPath();
      for (let k = 0; k <= now; k++) pen.lineTo(across(k), up(values[k]));
      pen.stroke();
      pen.setLineDash([]);
    };
    const write = (words, x, y, color, align) => {
      pen.textAlign = align;
      pen.fillStyle = color;
      pen.fillText(words, x, y);
    };
    pen.strokeStyle = charts.faint;
    pen.lineWidth = 1;
    for (const y of [upper(0), box.bottom - 22]) {
      pen.beginPath();
      pen.moveTo(across(0), y + 1);
      pen.lineTo(across(last), y + 1);
      pen.stroke();
    }
    const side = now > 0.55 * last ? ["right", -8] : ["left", 8];
    const dot = (y, color) => {
      pen.fillStyle = color;
      pen.beginPath();
      pen.arc(across(now), y, 4.5, 0, 6.2832);
      pen.fill();
    };
    line(direct, upper, charts.soft, [6, 4]);
    line(errors, upper, COLORS.manifold);
    dot(upper(errors[now]), COLORS.manifold);
    const higher = errors[now] >= direct[now] ? -1 : 1; // so that the two texts do not meet
    write(`R_cv ${errors[now].toPrecision(3)}`, across(now) + side[1], upper(errors[now]) + 12 * higher, charts.ink, side[0]);
    write(`directly ${direct[now].toPrecision(3)}`, across(now) + side[1], upper(direct[now]) - 12 * higher, charts.soft, side[0]);

    const stairs = Array.from(stage_of, (k) => thresholds[k - 1]);
    pen.strokeStyle = COLORS.guide;
    pen.lineWidth = 2;
    for (let k = 0; k < stage_of[now] && k < thresholds.length; k++) {
      const [from, to] = [stairs.indexOf(thresholds[k]), Math.min(end_of[k], now)];
      pen.beginPath();
      pen.moveTo(across(from), lower(thresholds[k]));
      pen.lineTo(across(to + 1), lower(thresholds[k]));
      pen.stroke();
      const least_across = box.left + pen.measureText(String(thresholds[k])).width / 2; // else it would be cut
      write(String(thresholds[k]), Math.max((across(from) + across(to)) / 2, least_across), lower(thresholds[k]) + 10, charts.ink, "center");
    }
    line(least, lower, charts.ink);
    dot(lower(least[now]), charts.ink);
    write("lowest density of all points", across(last), lower(1) - 4, charts.ink, "right");
    const words = "threshold η (log scale)";
    write(words, across(last), lower(1) + 12, charts.ink, "right");
    pen.strokeStyle = COLORS.guide;
    const end = across(last) - pen.measureText(words).width - 6;
    pen.beginPath();
    pen.moveTo(end - 20, lower(1) + 12);
    pen.lineTo(end, lower(1) + 12);
    pen.stroke();
  }

  stage.summary = () => given.words[stage.values.frame];
  stage.redraw();
  return stage;
}
