// Rescue the roll: a sheet and the roll that it forms, side by side, in rounds that Python has computed.

import { carried } from "./core/metrics.js";
import { extent, lists, mean, row, table, unpacked, zeros } from "./core/tables.js";
import { COLORS, FONT, Gliding, Stage, View } from "./stage.js";

const PACE = 2; // rounds a second
const NEARBY = 18; // pixels around a point in which it is pointed at
const TELL_EVERY = 250; // ms between two messages to the kernel while the pointer moves
const STRIP = 0.24; // the share of the right picture that the chart below the roll takes
const FEW = 120; // more defects than this are not ringed in the roll, and their lines are paler
const MARGIN = 0.08; // around the latent points, in lengths of the sheet
const LEAST = 5e-4; // the end of the chart's scale

/**
 * @param {HTMLElement} host
 * @param {object} given Y, t, colors: data, true places on the sheet, and colours of the points; runs: the
 *   rounds from several starts; noises: least, greatest and distance of the slider; nodes: of the net; far: the error of a defect
 * @param {object} link tells the kernel what is pointed at, and asks it for runs
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const [Y, t] = [table(given.Y), table(given.t)];
  const { far, colors } = given;
  const { noise: { value: first_noise }, recipe: { value: first_recipe }, frame: { high: rounds } } = given.controls;
  const N = t.rows;
  const [along, across] = given.nodes;
  const name = (/** @type {Record<string, any>} */ { noise, recipe }) => `${noise} ${recipe}`;
  const runs = new Map();
  const keep = (run) => runs.set(name(run), { ...run, X: unpacked(run.X), net: unpacked(run.net) });
  given.runs.forEach(keep);

  const sheet = stage.plot("sheet", { equal: true, aspect: 0.95 });
  const roll = stage.plot("roll", { equal: true, aspect: 0.95, frame: false });
  const view = new View(roll, { azimuth: 0.2, height: 0.28 });
  stage.help("Keys, when a picture has the focus: N and P go through the defects, the worst first.");

  // The round glides, and positions between two rounds are mixed from both.

  let run = runs.get(name({ noise: first_noise, recipe: first_recipe }));
  const round = new Gliding(rounds, PACE);
  round.at = round.goal = given.controls.frame.value;
  const X = zeros(N, 2);
  const net = zeros(along * across, 3);
  function mix(all, into) {
    const size = into.data.length;
    const first = Math.min(Math.floor(round.at), rounds - 1);
    const share = round.at - first;
    const [a, b] = [first * size, (first + 1) * size];
    for (let k = 0; k < size; k++) into.data[k] = (1 - share) * all[a + k] + share * all[b + k];
  }
  let asked = 0;
  function choose() {
    const found = runs.get(name(stage.values));
    if (found) run = found;
    else link.out({ point, asked: { noise: stage.values.noise, recipe: stage.values.recipe, number: ++asked, at: Date.now() } });
  }
  function advance(now) {
    const whole = round.play(now);
    if (whole !== stage.values.frame) {
      stage.shown.frame.show(whole);
      link.values({ ...stage.values });
    }
    return round.goal < rounds;
  }
  stage.player(advance);

  // Points that the hand points at

  let point = null;
  let defects = [];
  const errors = new Float64Array(N);
  const sorted = new Float64Array(N);
  let later = 0;
  stage.tell = () => link.out({ point });
  function point_at(n) {
    if (n === point) return;
    point = n;
    clearTimeout(later);
    later = setTimeout(stage.tell, TELL_EVERY);
  }
  function next(step) {
    if (!defects.length) return point_at(null);
    const here = defects.indexOf(point);
    point_at(defects[here < 0 ? 0 : (here + step + defects.length) % defects.length]);
  }
  stage.button("Next defect", () => {
    stage.stop();
    next(1);
  });
  stage.slider("frame", {}, (number) => {
    stage.stop();
    round.to(number);
  });
  stage.shown.frame.onchange = (number) => round.to(number); // a round that comes from the kernel
  const [low, high, apart] = given.noises;
  stage.slider("noise", { low, high, whole: false, steps: (high - low) / apart }, choose);
  stage.shown.noise.accepts = () => true; // the kernel knows more noises than the slider offers
  stage.toggle("recipe", { more: true }, choose);
  stage.onvalues = link.values;
  stage.put = (things) => {
    if (things.run) {
      keep(things.run);
      choose_known();
    }
    if (things.point !== undefined) point = things.point;
    stage.redraw();
  };
  const choose_known = () => (run = runs.get(name(stage.values)) ?? run);
  choose();

  const placed = { sheet: X, roll: zeros(N, 3) };
  function nearest(plot, points, a, b) {
    let [best, least] = [null, NEARBY * NEARBY];
    for (let n = 0; n < N; n++) {
      const [x, y] = row(points, n);
      const distance = (plot.across(x) - plot.across(a)) ** 2 + (plot.up(y) - plot.up(b)) ** 2;
      if (distance < least) [best, least] = [n, distance];
    }
    return best;
  }
  sheet.onhover = sheet.ondown = (a, b) => {
    const found = nearest(sheet, X, a, b);
    if (found !== null) point_at(found);
  };
  const turning = { ondown: roll.ondown, onhover: roll.onhover, onkey: roll.onkey };
  roll.ondown = (a, b, event) => {
    turning.ondown(a, b, event);
    roll.onhover(a, b, event);
  };
  roll.onhover = (a, b, event) => {
    if (event.buttons) return turning.onhover(a, b, event);
    const found = nearest(roll, placed.roll, a, b);
    if (found !== null) point_at(found);
  };
  const choosing = (event) => {
    if (event.key !== "n" && event.key !== "p") return false;
    next(event.key === "n" ? 1 : -1);
    return true;
  };
  sheet.onkey = choosing;
  roll.onkey = (event, by) => turning.onkey(event, by) || choosing(event);

  // What is seen

  const [length, height] = [extent(t, 0)[1], extent(t, 1)[1]];
  const outline = table([[0, 0], [length, 0], [length, height], [0, height], [0, 0]]);
  const middle = mean(Y);
  const centred = { data: Y.data.map((v, k) => v - middle[k % 3]), rows: N, columns: 3 };
  let reach = 0;
  for (let n = 0; n < N; n++) reach = Math.max(reach, Math.hypot(...row(centred, n)));
  roll.limits([-reach, reach], [-reach * (0.72 + 2 * STRIP), 0.72 * reach]);
  let true_places = carried(t, t, X);

  stage.draw = () => {
    if (round.glide()) stage.redraw();
    mix(run.X, X);
    mix(run.net, net);
    true_places = carried(t, t, X);
    for (let n = 0; n < N; n++) {
      errors[n] = Math.hypot(X.data[2 * n] - true_places.data[2 * n], X.data[2 * n + 1] - true_places.data[2 * n + 1]);
    }
    defects = Array.from(errors.keys()).filter((n) => errors[n] > far).sort((m, n) => errors[n] - errors[m]);
    draw_sheet();
    draw_roll();
    draw_chart();
  };
  const pin = (n) => [X.data[2 * n], X.data[2 * n + 1], true_places.data[2 * n], true_places.data[2 * n + 1]];
  /** From below to above all but the outermost half per cent of the points, and the outline. */
  function range(k, corners) {
    for (let n = 0; n < N; n++) sorted[n] = X.data[2 * n + k];
    sorted.sort();
    const tail = Math.floor(0.005 * N);
    const ends = corners.map((corner) => corner[k]);
    return [Math.min(sorted[tail], ...ends) - MARGIN * length, Math.max(sorted[N - 1 - tail], ...ends) + MARGIN * length];
  }
  function draw_sheet() {
    const frame = carried(outline, t, X);
    const corners = lists(frame);
    sheet.limits(range(0, corners), range(1, corners));
    sheet.curve(frame, { color: sheet.ink, width: 1.4, dash: [6, 4] });
    const { pen } = sheet;
    pen.strokeStyle = sheet.soft;
    pen.lineWidth = 0.7;
    pen.globalAlpha = Math.min(0.8, FEW / (1 + defects.length));
    pen.beginPath();
    for (const n of defects) {
      const [a, b, c, d] = pin(n);
      pen.moveTo(sheet.across(a), sheet.up(b));
      pen.lineTo(sheet.across(c), sheet.up(d));
    }
    pen.stroke();
    pen.globalAlpha = 1;
    sheet.points(X, { color: (n) => colors[n], size: 3 });
    if (point === null) return;
    const [a, b, c, d] = pin(point);
    sheet.segment(a, b, c, d, { color: COLORS.manifold, width: 3 });
    sheet.ring(a, b, 8, { color: COLORS.manifold, width: 3 });
    const cross = 5 / (sheet.across(1) - sheet.across(0));
    for (const side of [1, -1]) {
      sheet.segment(c - cross, d - side * cross, c + cross, d + side * cross, { color: COLORS.manifold, width: 3 });
    }
  }
  function draw_roll() {
    placed.roll = view.place(centred);
    const shown = placed.roll.data;
    const { pen } = roll;
    for (let k = 0; k < net.data.length; k++) net.data[k] -= middle[k % 3];
    const knots = view.place(net).data;
    const { left, right, top, bottom } = roll.box;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, (1 - STRIP) * (bottom - top)); // f, or a roll brought closer, may reach into the chart
    pen.clip();
    pen.strokeStyle = roll.ink;
    pen.lineWidth = 1;
    pen.globalAlpha = 0.35;
    pen.beginPath();
    const line = (first, step, number) => {
      for (let k = 0, n = first; k < number; k++, n += step) {
        const [a, b] = [roll.across(knots[3 * n]), roll.up(knots[3 * n + 1])];
        if (k) pen.lineTo(a, b);
        else pen.moveTo(a, b);
      }
    };
    for (let k = 0; k < along; k++) line(k * across, 1, across);
    for (let k = 0; k < across; k++) line(k, across, along);
    pen.stroke();
    for (const n of view.order(placed.roll)) {
      const near = 0.5 - shown[3 * n + 2] / (2 * reach); // from 0, far away, to 1
      pen.globalAlpha = 0.35 + 0.65 * near;
      pen.fillStyle = colors[n];
      pen.beginPath();
      pen.arc(roll.across(shown[3 * n]), roll.up(shown[3 * n + 1]), 1.8 + 1.6 * near, 0, 6.2832);
      pen.fill();
    }
    pen.globalAlpha = 1;
    if (defects.length <= FEW) for (const n of defects) roll.ring(shown[3 * n], shown[3 * n + 1], 5, { width: 1 });
    if (point !== null) roll.ring(shown[3 * point], shown[3 * point + 1], 8, { color: COLORS.manifold, width: 3 });
    pen.restore();
  }
  /** A bar for each round up to this one: how much of the true places X does not explain, on a logarithmic scale. */
  function draw_chart() {
    const { pen, box } = roll;
    const [tall, bottom] = [STRIP * (box.bottom - box.top) - 40, box.bottom - 20];
    const pitch = (box.right - box.left - 20) / (rounds + 1);
    const high = (v) => (Math.log(Math.max(v, LEAST) / LEAST) / Math.log(1 / LEAST)) * tall;
    pen.font = FONT;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = roll.ink;
    pen.fillText(given.pictures.chart.title, (box.left + box.right) / 2, bottom - tall - 12);
    const now = Math.round(round.at);
    for (let k = 0; k <= rounds; k++) {
      const value = k <= now ? high(run.unexplained[k]) + 1 : 1;
      const left = box.left + 10 + k * pitch;
      pen.fillStyle = k === now ? COLORS.manifold : k < now ? COLORS.guide : roll.soft;
      pen.fillRect(left + 1, bottom - value, Math.max(pitch - 2, 1), value);
      if (k % (rounds > 10 ? 5 : 1) === 0) {
        pen.fillStyle = roll.soft;
        pen.fillText(k ? String(k) : given.pictures.chart.legend[0], left + pitch / 2, bottom + 11);
      }
    }
  }

  stage.summary = () => {
    if (name(run) !== name(stage.values)) {
      return "Python computes the rounds of these settings when the notebook runs. The picture shows " +
        `noise ${run.noise}${run.recipe ? " with" : " without"} the stiff rounds.`;
    }
    const words = run.words[stage.values.frame];
    if (point === null) return words;
    const share = errors[point] / Math.max(length, height);
    return `${words} Point ${point}, ringed, is ${errors[point].toFixed(1)} from its true place, the cross: ` +
      `${(100 * share).toFixed(0)} % of the sheet's longer side.`;
  };
  stage.onclose = () => clearTimeout(later);
  stage.redraw();
  return stage;
}
