// The latent map of images: the pointer is the latent point, and its image is computed under it.

import { kernels, latent_density, predict, weights } from "./core/kernel_regression.js";
import { extent, lists, row, squared_distance, table, unpacked, zeros } from "./core/tables.js";
import { COLORS, Stage, calm, element } from "./stage.js";
import { own_images } from "./own_images.js";

const BUDGET = 8; // ms of a frame for the map, which grows until it is complete
const [FINE, ROUGH, MANY] = [120, 60, 2000]; // cells of the density along each side; ROUGH for MANY points
const PACE = 2.5; // images of the map that a walk passes in a second
const TELL_EVERY = 200; // ms between two messages to the kernel while the pointer moves
const CLICK = 5; // pixels; a pointer that moves less has not drawn
const HERE = COLORS.manifold;
const NEAR = COLORS.good;

/**
 * @param {HTMLElement} host
 * @param {object} given X: latent points, scaled for the kernel; Y: images, packed, with shape [height, width];
 *   kernel: its name; threshold: η; grid: images of the map along each side;
 *   shown: how many neighbours; images, words, before: instead of Y, of the reader's own images, and what was shown
 *   before them
 * @param {object} link tells the kernel where the hand is, and the path it has drawn
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const kernel = kernels[given.kernel];
  const X = table(given.X);
  const N = X.rows;
  const [height, width] = given.shape;
  const Y = given.images ?? { data: unpacked(given.Y), rows: N, columns: height * width };
  const { threshold, grid } = given;
  const SHADES = N < MANY ? FINE : ROUGH;
  const [low, high] = [0, 1].map((end) => [0, 1].map((k) => extent(X, k)[end]));
  const stride = [0, 1].map((k) => (high[k] - low[k]) / (grid - 1));
  const [paper, full] = extent(Y);
  const ink = (v) => Math.max(0, Math.min(1, (v - paper) / (full - paper || 1)));

  const map = stage.plot("map", { aspect: 0.92, grow: 6,
    x: [low[0] - 0.7 * stride[0], high[0] + 0.7 * stride[0]], y: [low[1] - 0.7 * stride[1], high[1] + 0.7 * stride[1]] });
  const side = stage.plot("image", { frame: false, aspect: 1.38, x: [0, 100], y: [0, 138], equal: true, still: true });
  map.cursor = "crosshair";
  map.area = () => true;
  stage.help("A click on the map holds the position, another releases it. Keys, when the map has the focus: arrows move " +
    "the position (with Shift by one image), Enter adds it to a path, W walks along the path, Escape forgets it.");

  // The position, and what f makes of it

  const x = zeros(1, 2);
  let image, density, b, nearest;
  let path = []; // corners of the walk
  let walked = 0; // how much of its length
  let from = null; // where the hand has begun to draw
  let held = false; // whether the position stays when the pointer moves on
  let images = true; // on the map, or the training points
  const by_distance = Array.from({ length: N }, (_, n) => n);
  const distance = new Float64Array(N);

  function look() {
    image = predict(x, X, Y, kernel).data;
    b = weights(x, X, kernel).data;
    density = latent_density(x, X, kernel)[0] / kernel.value(0);
    for (let n = 0; n < N; n++) distance[n] = squared_distance(x.data, row(X, n));
    nearest = by_distance.sort((m, n) => distance[m] - distance[n] || m - n).slice(0, given.shown);
  }
  let told = 0;
  let later = 0;
  function tell() {
    clearTimeout(later);
    const wait = TELL_EVERY - (performance.now() - told);
    if (wait > 0) later = setTimeout(tell, wait);
    else {
      told = performance.now();
      link.values({ ...stage.values });
    }
  }
  function go(x1, x2) {
    const inside = (v, k) => Math.min(Math.max(v, low[k]), high[k]);
    stage.shown.x1.show(inside(x1, 0));
    stage.shown.x2.show(inside(x2, 1));
    moved();
    tell();
    stage.redraw();
  }
  const moved = () => {
    x.data.set([stage.values.x1, stage.values.x2]);
    look();
  };
  for (const name of ["x1", "x2"]) {
    stage.slider(name, {}, () => {
      held = true;
      stage.stop();
      moved();
    });
    stage.shown[name].onchange = () => { // what comes from the kernel or an address, which does not stop a walk
      held = true;
      moved();
    };
  }
  stage.onvalues = tell;

  // The walk

  const far = (a, c) => Math.hypot((c[0] - a[0]) / stride[0], (c[1] - a[1]) / stride[1]); // in images of the map
  const length = () => path.reduce((sum, corner, k) => (k ? sum + far(path[k - 1], corner) : 0), 0);
  function along(way) {
    for (let k = 1; k < path.length; k++) {
      const step = far(path[k - 1], path[k]);
      if (way <= step && step > 0) {
        return [0, 1].map((j) => path[k - 1][j] + (way / step) * (path[k][j] - path[k - 1][j]));
      }
      way -= step;
    }
    return path.at(-1);
  }
  let last = null; // time of the last frame of the walk
  function advance(now) {
    if (path.length < 2) {
      path = [[low[0], x.data[1]], [high[0], x.data[1]]]; // straight across
      walked = 0;
    }
    const whole = length();
    if (walked >= whole) walked = 0;
    walked += now === undefined ? 0.5 : last === null ? 0 : (PACE * Math.min(now - last, 100)) / 1000;
    last = now ?? null;
    held = true;
    go(...along(Math.min(walked, whole)));
    if (walked < whole) return true;
    last = null;
    return false;
  }
  function walk() {
    [walked, last] = [0, null];
    stage.stop();
    if (!calm()) stage.play();
    link.out({ path });
  }
  const player = stage.player(advance, { play: "Walk", pause: "Pause", step: "Step" });
  player.addEventListener("click", () => (last = null));
  const other = stage.button("Points", () => {
    images = !images;
    other.textContent = images ? "Points" : "Images";
  });
  stage.put = (things) => {
    if (things.path) {
      path = things.path.map((corner) => [...corner]);
      walked = 0;
    }
    stage.redraw();
  };

  // The hand

  map.ondown = (a, c, event) => {
    from = { place: [a, c], pixel: [event.clientX, event.clientY], drawn: false };
    stage.stop();
  };
  map.onhover = (a, c, event) => {
    if (from) {
      if (!from.drawn && Math.hypot(event.clientX - from.pixel[0], event.clientY - from.pixel[1]) > CLICK) {
        from.drawn = true;
        path = [from.place];
      }
      if (from.drawn && far(path.at(-1), [a, c]) > 0.15) path.push([a, c]);
      go(a, c);
    } else if (!held && !stage.playing) go(a, c);
  };
  map.onup = () => {
    if (from?.drawn && path.length > 1) walk();
    else if (from) {
      held = !held;
      go(...from.place);
    }
    from = null;
  };
  map.onkey = (event, by) => {
    if (by) {
      const share = event.shiftKey ? 1 : 0.25;
      stage.stop();
      held = true;
      go(x.data[0] + share * by[0] * stride[0], x.data[1] + share * by[1] * stride[1]);
    } else if (event.key === "Enter") {
      path.push(Array.from(x.data));
      walked = 0;
      link.out({ path });
    } else if (event.key === "w" && path.length > 1) walk();
    else if (event.key === "Escape") {
      stage.stop();
      path = [];
      held = false;
      link.out({ path });
    } else return false;
    return true;
  };

  // The map grows by a few cells in each frame: first the shades of the density, then the images.

  const shades = zeros(SHADES, SHADES);
  const decoded = zeros(grid * grid, height * width);
  const glow = new Float64Array(grid * grid);
  let most = 0;
  let done = 0;
  const CELLS = SHADES * SHADES + grid * grid;
  const cell = zeros(1, 2);
  const density_of_cell = () => latent_density(cell, X, kernel)[0] / kernel.value(0);
  function prepare() {
    const end = performance.now() + BUDGET;
    for (; done < CELLS && performance.now() < end; done++) {
      const n = done - SHADES * SHADES; // the number of the image, once all shades are there
      if (n < 0) {
        const [a, c] = [done % SHADES, Math.floor(done / SHADES)].map((k) => (k + 0.5) / SHADES);
        const { x: across, y: up } = map.wanted;
        cell.data.set([across[0] + a * (across[1] - across[0]), up[1] - c * (up[1] - up[0])]);
        shades.data[done] = density_of_cell();
        most = Math.max(most, shades.data[done]);
      } else {
        cell.data.set([low[0] + (n % grid) * stride[0], low[1] + Math.floor(n / grid) * stride[1]]);
        row(decoded, n).set(predict(cell, X, Y, kernel).data);
        glow[n] = density_of_cell();
      }
    }
    if (done < CELLS) stage.redraw();
  }

  // What is seen. Ink is the colour of the text, so that images suit light and dark pages.

  const sheets = new Map(); // canvases by purpose
  function sheet(name, columns, rows) {
    if (!sheets.has(name)) sheets.set(name, element("canvas"));
    const canvas = sheets.get(name);
    if (canvas.width !== columns || canvas.height !== rows) Object.assign(canvas, { width: columns, height: rows });
    return canvas;
  }
  const pixels = new ImageData(width, height);
  /** An image in this colour, as transparent as it is without ink. */
  function inked(name, values, strength, color) {
    const canvas = sheet(name, width, height);
    const pen = canvas.getContext("2d");
    for (let k = 0; k < values.length; k++) {
      pixels.data[4 * k] = color[0];
      pixels.data[4 * k + 1] = color[1];
      pixels.data[4 * k + 2] = color[2];
      pixels.data[4 * k + 3] = 255 * strength * ink(values[k]);
    }
    pen.putImageData(pixels, 0, 0);
    return canvas;
  }
  function rgb(color) {
    const pen = sheet("color", 1, 1).getContext("2d", { willReadFrequently: true });
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    return Array.from(pen.getImageData(0, 0, 1, 1).data.subarray(0, 3));
  }
  let painted = ""; // what the stored background was made for, and
  let tiles = 0; // how many of its images it has
  /** Shades, and images or points over them. What has been painted stays until the size or the theme changes. */
  function background() {
    const ratio = devicePixelRatio || 1;
    const { left, top, right, bottom } = map.box;
    const [wide, tall] = [right - left, bottom - top];
    const canvas = sheet("map", Math.round(wide * ratio), Math.round(tall * ratio));
    const pen = canvas.getContext("2d");
    const ready = done >= SHADES * SHADES;
    const now = [ready, images, map.ink, wide, tall, ratio].join();
    if (now !== painted) {
      [painted, tiles] = [now, 0];
      pen.setTransform(ratio, 0, 0, ratio, -left * ratio, -top * ratio);
      pen.clearRect(left, top, wide, tall);
      paint_shades(pen);
      if (!images) paint_points(pen);
    }
    if (images && ready) {
      const color = rgb(map.ink);
      const size = 0.94 * Math.min(map.across(stride[0]) - map.across(0), map.up(0) - map.up(stride[1]));
      const [w, h] = [size * Math.min(1, width / height), size * Math.min(1, height / width)];
      for (; tiles < done - SHADES * SHADES; tiles++) {
        const [a, c] = [low[0] + (tiles % grid) * stride[0], low[1] + Math.floor(tiles / grid) * stride[1]];
        const tile = inked("image", row(decoded, tiles), Math.min(glow[tiles] / most, 1), color);
        pen.drawImage(tile, map.across(a) - w / 2, map.up(c) - h / 2, w, h);
      }
    }
    map.pen.drawImage(canvas, left, top, wide, tall);
  }
  /** Blue where the density reaches the threshold, and nothing outside this domain. */
  function paint_shades(pen) {
    const { left, top, right, bottom } = map.box;
    const shade = sheet("shades", SHADES, SHADES);
    const pixels = shade.getContext("2d").createImageData(SHADES, SHADES);
    for (let k = 0; k < SHADES * SHADES; k++) {
      const share = shades.data[k] < threshold ? 0 : 0.1 + (0.4 * shades.data[k]) / most;
      pixels.data.set([0, 114, 178, 255 * share], 4 * k);
    }
    shade.getContext("2d").putImageData(pixels, 0, 0);
    pen.drawImage(shade, left, top, right - left, bottom - top);
  }
  function paint_points(pen) {
    pen.fillStyle = map.ink;
    pen.globalAlpha = 0.55;
    for (let n = 0; n < N; n++) {
      pen.beginPath();
      pen.arc(map.across(X.data[2 * n]), map.up(X.data[2 * n + 1]), N > 500 ? 1.6 : 2.6, 0, 6.2832);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }
  const dot = zeros(1, 2);
  stage.draw = () => {
    prepare();
    background();
    draw_path();
    for (const n of nearest) {
      const [a, c] = row(X, n);
      map.segment(x.data[0], x.data[1], a, c, { color: NEAR, width: 1 + 5 * b[n] });
    }
    for (const n of nearest) {
      dot.data.set(row(X, n));
      map.points(dot, { color: NEAR, size: 3 + 7 * Math.sqrt(b[n]) });
    }
    map.ring(x.data[0], x.data[1], 10, { color: HERE, width: 3 });
    if (held) {
      dot.data.set(x.data);
      map.points(dot, { color: HERE, size: 4 });
    }
    if (done < CELLS) {
      const { left, bottom } = map.box;
      map.text(...map.at(left + 8, bottom - 12), `computing the map: ${Math.floor((100 * done) / CELLS)} %`, { color: map.soft });
    }
    draw_side();
  };
  function draw_path() {
    if (!path.length) return;
    const line = table(path);
    map.curve(line, { color: HERE, width: 3, alpha: 0.45 });
    dot.data.set(path[0]);
    map.points(dot, { color: HERE, size: 4 });
  }
  /** The image at the position, the density, and the nearest images, below each other. */
  function draw_side() {
    const { pen } = side;
    const color = rgb(side.ink);
    const unit = side.across(1) - side.across(0);
    const place = (name, values, left, top, size) => {
      const [w, h] = [size * Math.min(1, width / height), size * Math.min(1, height / width)];
      const [a, c] = [side.across(left + (size - w) / 2), side.up(top - (size - h) / 2)];
      pen.imageSmoothingEnabled = name === "here" && width < 32;
      pen.imageSmoothingQuality = "high";
      pen.drawImage(inked(name, values, 1, color), a, c, w * unit, h * unit);
      pen.strokeStyle = name === "here" ? HERE : NEAR;
      pen.lineWidth = name === "here" ? 3 : 1.5;
      pen.strokeRect(a, c, w * unit, h * unit);
    };
    place("here", image, 17, 136, 66);
    const inside = density >= threshold;
    const scale = 92 / Math.max(most, density, 1e-300);
    side.text(4, 60, `Density ${density.toPrecision(2)}: ${inside ? "inside" : "outside"} the domain`);
    pen.fillStyle = side.faint;
    pen.fillRect(side.across(4), side.up(56), 92 * unit, 3.5 * unit);
    pen.fillStyle = inside ? COLORS.guide : HERE;
    pen.fillRect(side.across(4), side.up(56), density * scale * unit, 3.5 * unit);
    side.segment(4 + threshold * scale, 57.5, 4 + threshold * scale, 51, { color: side.ink, width: 2 });
    side.text(50, 46, side.legend[0], { align: "center" });
    const pitch = 96 / Math.min(6, given.shown);
    nearest.forEach((n, k) => {
      const [column, line] = [k % 6, Math.floor(k / 6)];
      const left = 2 + column * pitch;
      const size = pitch - 2;
      place("near", row(Y, n), left + 1, 42 - line * (size + 8), size);
      side.text(left + pitch / 2, 42 - line * (size + 8) - size - 4, `${(100 * b[n]).toFixed(0)} %`, { align: "center" });
    });
    const bar = [2, 18, 96]; // left, top, wide
    let at = bar[0];
    side.text(50, 14.5, "How the weight is shared among all images", { align: "center" });
    const largest = Array.from(b).filter((v) => v > 0.002).sort((a, c) => c - a);
    for (const share of largest) {
      pen.fillStyle = NEAR;
      pen.fillRect(side.across(at), side.up(10), Math.max(0.5, share * bar[2] * unit - 1), 7 * unit);
      at += share * bar[2];
    }
    pen.strokeStyle = side.soft;
    pen.lineWidth = 1;
    pen.strokeRect(side.across(bar[0]), side.up(10), bar[2] * unit, 7 * unit);
  }

  stage.summary = () => {
    const percent = (share) => `${(100 * share).toFixed(0)} %`;
    const where = density >= threshold ? "inside" : "outside";
    const [a, c] = x.data;
    const together = nearest.reduce((sum, n) => sum + b[n], 0);
    return `${given.words ?? ""}Position (${a.toFixed(2)}, ${c.toFixed(2)}): density p/K(0) = ${density.toFixed(4)}, ${where} the domain ` +
      `p/K(0) ≥ η = ${threshold.toFixed(4)}. Nearest training image: no. ${nearest[0]}, with ` +
      `${percent(b[nearest[0]])} of the weight; the nearest ${nearest.length} together ${percent(together)}.`;
  };
  stage.onclose = () => clearTimeout(later);

  // Other images take the place of these. Whoever holds this stage then holds the one that is shown.

  function replace(by, link) {
    const next = show(host, by, link);
    stage.close();
    for (const name of ["close", "set", "put"]) stage[name] = (...given) => next[name](...given);
    next.plots[0].canvas.focus({ preventScroll: true }); // what had it is gone
  }
  if (given.before) {
    stage.button("First images", () => replace(given.before.given, given.before.link));
  }
  own_images(stage, (X, Y, shape, threshold, words) => {
    const density = latent_density(X, X);
    const densest = row(X, density.indexOf(density.reduce((a, b) => Math.max(a, b))));
    const control = (k) => ({ ...given.controls[`x${k + 1}`], value: densest[k], low: extent(X, k)[0], high: extent(X, k)[1] });
    replace({ ...given, X: lists(X), images: Y, shape, kernel: "gaussian", threshold, words,
      controls: { x1: control(0), x2: control(1) }, before: given.before ?? { given, link } }, { values() {}, out() {} });
  });

  moved();
  stage.redraw();
  return stage;
}
