// The density constraint: a sea that rises over the latent density, and a manifold that exists on the islands.

import { density_on_grid, kernels, latent_density, predict } from "./core/kernel_regression.js";
import { extent, mean, rows_of, table, zeros } from "./core/tables.js";
import { latent_grid, relative_density, squared_residuals, stretches } from "./core/ukr.js";
import { COLORS, Stage, View, cividis, log_ticks } from "./stage.js";

const PIXELS = 60; // of the density of a surface along each side
const KEPT = 24; // models of drawn-together points
const [FLAT, TALL, NARROW] = [0.22, 0.5, 600]; // shapes of the lowest picture, and pixels of a narrow page
const SEA = "#56b4e9";

/**
 * @param {HTMLElement} host
 * @param {object} given X, Y: latent points (one or two columns) and data; kernel: its name; factors: by which
 *   the points can be drawn together; least: the lowest density after each; thresholds, extents: η, and the size of
 *   the manifold with its two bounds, by choice; norm: of the data; cells: along each latent axis
 * @param {object} link tells the kernel where the controls stand
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const kernel = kernels[given.kernel];
  const [X, Y] = [table(given.X), table(given.Y)];
  const { factors, least, thresholds, extents, cells } = given;
  const [STAY, MOVE] = given.controls.points.options;
  const [N, q] = [X.rows, X.columns];
  const [low, high] = [thresholds[0], thresholds.at(-1)];
  const curve = q === 1;

  const of_data = stage.plot("data", { equal: true, aspect: 0.66, frame: curve, still: curve });
  const of_density = stage.plot("density", { aspect: 0.66, frame: false });
  const most = [...extents[STAY], ...extents[MOVE]].flat().reduce((m, v) => Math.max(m, v), 0);
  const few = extents[STAY][0][0] / 1e4; // smaller sizes are not drawn
  const of_size = stage.plot("size", { aspect: (wide) => (wide < NARROW ? TALL : FLAT), still: true, xticks: log_ticks,
    yticks: log_ticks, x: [Math.log10(low) - 0.05, Math.log10(high) + 0.05], y: [Math.log10(few), Math.log10(most) + 0.2] });
  of_size.canvas.style.flexBasis = "100%";
  const view = curve ? null : new View(of_data, { azimuth: -0.9, height: 0.3 });

  // What follows from the latent points alone, for each way to draw them together

  const models = new Map();
  function model() {
    const { threshold, points } = stage.values;
    const k = points === STAY ? 0 : Math.max(least.findIndex((density) => density >= threshold), 0);
    if (!models.has(k)) {
      if (models.size >= KEPT) models.delete(models.keys().next().value);
      models.set(k, computed(k));
    }
    return models.get(k);
  }
  function computed(k) {
    const drawn = { data: X.data.map((v) => factors[k] * v), rows: N, columns: q };
    const { x, cell } = latent_grid(drawn, cells);
    const at_zero = kernel.value(0);
    const { of_manifold, of_weights } = stretches(x, drawn, Y, kernel);
    const found = { X: drawn, x, cell, of_manifold, of_weights, f: predict(x, drawn, Y, kernel),
      density: latent_density(x, drawn, kernel).map((p) => p / at_zero)};
    if (!curve) {
      const ends = [0, 1].map((j) => {
        const [first, last] = [x.data[j], x.data[2 * (x.rows - 1) + j]];
        const over = [first - 0.15 * (last - first), last + 0.15 * (last - first)];
        return j ? over.reverse() : over; // an image begins at the top
      });
      found.axes = ends.map(([a, b]) => Float64Array.from({ length: PIXELS }, (_, i) => a + (i / (PIXELS - 1)) * (b - a)));
      found.picture = density_on_grid(...found.axes, drawn, kernel).map((p) => p / at_zero);
    }
    return found;
  }
  /** How many cells are above the threshold, and the length or area over them with its two bounds. */
  function measured({ density, of_manifold, of_weights, cell }, threshold) {
    let [inside, size, sum, greatest] = [0, 0, 0, 0];
    for (let n = 0; n < density.length; n++) {
      if (!(density[n] >= threshold)) continue;
      inside += 1;
      size += of_manifold[n];
      sum += of_weights[n];
      greatest = Math.max(greatest, of_weights[n]);
    }
    return { inside, extent: [size * cell, given.norm * sum * cell, given.norm * greatest * inside * cell] };
  }
  /** The number of connected parts of the cells for which `belongs(column, row)`, on a grid of so many. */
  function parts(columns, rows, belongs) {
    const seen = new Uint8Array(columns * rows);
    let count = 0;
    for (let start = 0; start < seen.length; start++) {
      if (seen[start] || !belongs(start % columns, Math.floor(start / columns))) continue;
      count += 1;
      const waiting = [start];
      seen[start] = 1;
      while (waiting.length) {
        const at = waiting.pop();
        const [i, j] = [at % columns, Math.floor(at / columns)];
        for (const [a, b] of [[i + 1, j], [i - 1, j], [i, j + 1], [i, j - 1]]) {
          if (a < 0 || b < 0 || a >= columns || b >= rows || seen[b * columns + a] || !belongs(a, b)) continue;
          seen[b * columns + a] = 1;
          waiting.push(b * columns + a);
        }
      }
    }
    return count;
  }

  stage.slider("threshold");
  stage.choice("points");
  stage.onvalues = link.values;

  // The sea: its level is the threshold, on a logarithmic scale from a third of the lowest to a little above one.

  const [floor, top] = [Math.log(low / 3), Math.log(1.3)];
  const level = (threshold) => (Math.log(Math.max(threshold, 1e-300)) - floor) / (top - floor);
  function flood(height) {
    const threshold = Math.min(Math.max(Math.exp(floor + height * (top - floor)), low), high);
    stage.set({ threshold });
    link.values({ ...stage.values });
  }
  if (curve) {
    of_density.cursor = "ns-resize";
    of_density.area = () => true;
    let held = false;
    of_density.ondown = (x, y) => {
      held = true;
      flood(y);
    };
    of_density.onhover = (x, y) => held && flood(y);
    of_density.onup = () => (held = false);
  }
  of_density.onkey = (event, by) => {
    if (!by) return false;
    flood(level(stage.values.threshold) + 0.01 * (by[0] + by[1]));
    return true;
  };
  of_density.canvas.setAttribute("aria-description", "Arrow keys move the threshold.");

  // What is seen

  const middle = mean(Y);
  const centred = { data: Y.data.map((v, k) => v - middle[k % Y.columns]), rows: N, columns: Y.columns };
  let reach = 0;
  for (let n = 0; n < N; n++) reach = Math.max(reach, Math.hypot(...centred.data.subarray(n * (q + 1), (n + 1) * (q + 1))));
  if (curve) {
    const ends = (k) => {
      const [a, b] = extent(Y, k);
      return [a - 0.05 * (b - a), b + 0.05 * (b - a)];
    };
    of_data.limits(ends(0), ends(1));
  } else of_data.limits([-reach, reach], [-reach, reach]);

  let now = null; // the numbers of the last picture, for the words
  stage.draw = () => {
    const { threshold } = stage.values;
    const shown = model();
    now = { ...measured(shown, threshold), shown };
    if (curve) {
      draw_curve(shown, threshold);
      draw_landscape(shown, threshold);
    } else {
      draw_surface(shown, threshold);
      draw_islands(shown, threshold);
    }
    draw_size(threshold, now.extent);
  };
  const line = zeros(cells, 2);
  function draw_curve({ f, density }, threshold) {
    for (let n = 0; n < cells; n++) {
      const there = density[n] >= threshold;
      line.data.set([there ? f.data[2 * n] : NaN, f.data[2 * n + 1]], 2 * n);
    }
    of_data.points(Y, { size: N > 300 ? 2.2 : 3 });
    of_data.curve(line, { width: 3 });
    cross(of_data, middle[0], middle[1]);
  }
  function cross(plot, x, y) {
    const far = 6 / (plot.across(1) - plot.across(0));
    plot.segment(x - far, y, x + far, y, { color: plot.ink, width: 2 });
    plot.segment(x, y - far, x, y + far, { color: plot.ink, width: 2 });
  }
  function fill(plot, corners, color, alpha) {
    const { pen } = plot;
    pen.globalAlpha = alpha;
    pen.fillStyle = color;
    pen.beginPath();
    for (const [x, y] of corners) pen.lineTo(plot.across(x), plot.up(y));
    pen.fill();
    pen.globalAlpha = 1;
  }
  /** The density of a curve's latent space as hills; those above the sea are the domain. */
  function draw_landscape({ X: drawn, x, density }, threshold) {
    const whole = extent(X);
    const margin = 0.02 * (whole[1] - whole[0]);
    of_density.limits([whole[0] - margin, whole[1] + margin], [0, 1]);
    const sea = level(threshold);
    const hills = Array.from(density, (p, n) => [x.data[n], Math.max(level(p), 0)]);
    const [left, right] = of_density.x;
    fill(of_density, [[hills[0][0], 0], ...hills, [hills.at(-1)[0], 0]], COLORS.manifold, 0.35);
    fill(of_density, [[left, 0], [left, sea], [right, sea], [right, 0]], SEA, 0.55);
    for (let n = 0; n < cells; n++) line.data.set([density[n] >= threshold ? x.data[n] : NaN, hills[n][1]], 2 * n);
    of_density.curve(line, { width: 3 });
    of_density.segment(left, sea, right, sea, { color: COLORS.guide, width: 2 });
    const { pen } = of_density;
    pen.strokeStyle = of_density.soft;
    pen.lineWidth = 1;
    pen.beginPath();
    for (const v of drawn.data) {
      pen.moveTo(of_density.across(v), of_density.up(0.005));
      pen.lineTo(of_density.across(v), of_density.up(0.035));
    }
    pen.stroke();
    const deep = of_density.up(sea) < of_density.box.bottom - 30;
    of_density.text(...of_density.at(of_density.box.left + 6, of_density.up(sea) + (deep ? 12 : -10)), `η = ${short(threshold)}`);
    for (let power = 0; Math.log(10 ** power) > floor; power--) {
      const height = of_density.up(level(10 ** power));
      if (Math.abs(height - of_density.up(sea)) < 10) continue; // the sea's own label is there
      of_density.text(...of_density.at(of_density.box.right - 4, height), short(10 ** power),
        { color: of_density.soft, align: "right" });
    }
  }
  function draw_surface({ f, density }, threshold) {
    const points = view.place(centred);
    for (let k = 0; k < f.data.length; k++) moved.data[k] = f.data[k] - middle[k % 3];
    const knots = view.place(moved).data;
    of_data.points(points, { size: 2.2, alpha: 0.6 });
    const { pen } = of_data;
    pen.strokeStyle = COLORS.manifold;
    pen.fillStyle = COLORS.manifold;
    pen.lineWidth = 0.8;
    for (let i = 0; i + 1 < cells; i++) {
      for (let j = 0; j + 1 < cells; j++) {
        const corners = [i * cells + j, (i + 1) * cells + j, (i + 1) * cells + j + 1, i * cells + j + 1];
        if (corners.some((n) => !(density[n] >= threshold))) continue;
        pen.beginPath();
        for (const n of corners) pen.lineTo(of_data.across(knots[3 * n]), of_data.up(knots[3 * n + 1]));
        pen.closePath();
        pen.globalAlpha = 0.1;
        pen.fill();
        pen.globalAlpha = 0.55;
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
  }
  const moved = curve ? null : zeros(cells * cells, 3);
  /** The density of a surface's latent space as a chart: the sea is blue, and the coast is the border. */
  function draw_islands({ X: drawn, picture, axes: [xs, ys] }, threshold) {
    of_density.limits([xs[0], xs.at(-1)], [ys.at(-1), ys[0]]);
    const color = (p) => (p < threshold ? [120, 180, 222] : cividis(0.3 + 0.7 * level(p)));
    of_density.image(picture, PIXELS, PIXELS, of_density.x, of_density.y, color, true);
    of_density.border(picture, xs, ys, threshold, { color: COLORS.manifold, width: 2 });
    of_density.points(drawn, { color: "#fff", size: 1.4, alpha: 0.8 });
  }
  /** The size of the manifold over the threshold, with its bounds; both axes are logarithmic. */
  function draw_size(threshold, sizes) {
    const looks = [{ color: COLORS.manifold }, { color: COLORS.guide, dash: [8, 4] }, { color: COLORS.good, dash: [2, 3] }];
    const log = (v) => (v > few ? Math.log10(v) : NaN);
    looks.forEach((look, k) => {
      const line = extents[stage.values.points].flatMap((row, n) => [Math.log10(thresholds[n]), log(row[k])]);
      of_size.curve(rows_of(line, 2), { width: 2, ...look });
      if (sizes[k] > few) of_size.points(rows_of([Math.log10(threshold), log(sizes[k])], 2), { ...look, size: 4.5 });
    });
    of_size.key(looks, { down: -44 });
  }
  const short = (v) => (v >= 1000 ? Math.round(v).toLocaleString("en-US") : String(Number(v.toPrecision(3))));

  stage.summary = () => {
    if (!now) return "";
    const { threshold } = stage.values;
    const { inside, extent, shown } = now;
    // All pairs of points, for the words only, which follow more slowly than the picture.
    shown.of_points ??= relative_density(shown.X, kernel);
    shown.error ??= squared_residuals(shown.X, Y, kernel, false).reduce((sum, v) => sum + v, 0) / N;
    const outside = shown.of_points.reduce((count, p) => count + (p < threshold), 0);
    const start = `Density threshold η = ${short(threshold)}: `;
    if (!inside) {
      const greatest = shown.density.reduce((m, p) => Math.max(m, p), 0);
      return `${start}the greatest density is ${short(greatest)} K(0), so the domain is empty and there is no manifold.`;
    }
    const land = (i, j) => shown.density[j * cells + i] >= threshold;
    const rows = curve ? 1 : cells;
    const pieces = parts(cells, rows, land);
    let where = `${pieces} ${pieces === 1 ? "piece" : "pieces"}`;
    if (!curve) {
      const around = (i, j) => i === 0 || j === 0 || i > cells || j > cells || !land(i - 1, j - 1);
      const holes = parts(cells + 2, cells + 2, around) - 1;
      where += ` with ${holes} ${holes === 1 ? "hole" : "holes"}`;
    }
    return `${start}${((100 * inside) / shown.density.length).toFixed(1)} % of the latent range, in ${where}; ${outside} of ${N} ` +
      `latent points are outside. ${curve ? "Length" : "Area"} ${short(extent[0])}, bounds ${short(extent[1])} and ` +
      `${short(extent[2])}. Reconstruction error R = ${shown.error.toFixed(4)}.`;
  };
  stage.redraw();
  return stage;
}
