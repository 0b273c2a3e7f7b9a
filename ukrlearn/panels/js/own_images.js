// The reader's own images: cut out, made small, and given latent points, all in the page, which they never leave.

import { rprop } from "./core/descent.js";
import { eigenvectors } from "./core/eigenvectors.js";
import { normalised } from "./core/metrics.js";
import { row, squared_distance, zeros } from "./core/tables.js";
/** @import { Table } from "./core/tables.js" */
import { reconstruction_error, relative_density } from "./core/ukr.js";
import { element } from "./stage.js";

const SIDE = 16; // pixels of an image
const [FEWEST, MOST] = [6, 150]; // images, because eigenvectors take N³ operations
const [ACROSS, WIDEST] = [10, 100]; // images across a sheet, at first and at most
const SCALES = [1, 2, 4, 8, 16]; // of the principal components, in widths of the kernel
const STEPS = 120; // of RPROP
const WORK = 10; // ms of a frame

/**
 * A place for files behind "More controls".
 * @param {(X: Table, Y: Table, shape: number[], threshold: number, words: string) => void} use takes latent points,
 *   images, η, and what there is to say of them
 */
export function own_images(stage, use) {
  const files = element("input", { type: "file", accept: "image/*", multiple: true });
  const across = element("input", { type: "number", min: 1, max: WIDEST, value: ACROSS });
  const said = element("p", { className: "ukr-help", role: "status" });
  stage._place(["your own images", files], true);
  stage._place(["images across, if one file holds them all", across], true);
  stage.more.append(said);
  const say = (words) => (said.textContent = words);
  say(`Choose at least ${FEWEST} pictures, or one that shows images side by side, in rows of squares. They stay in this page, and Python learns nothing of them.`);
  files.addEventListener("change", async () => {
    if (!files.files.length) return;
    try {
      const all = await cut(files.files, Number(across.value));
      const Y = chosen(all);
      say(`Finding places for ${Y.rows} images.`);
      const X = await worked(fitting(Y), () => stage.closed);
      if (!X) return;
      const least = relative_density(X).reduce((a, b) => Math.min(a, b));
      use(X, Y, [SIDE, SIDE], least, all.length > MOST ? `${MOST} of your ${all.length} images. `
        : `Your ${Y.rows} images. `);
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      say(problem.message);
    }
  });
}

class Refused extends Error {}

/** The images in files, each as a row of numbers from 0, white, to 1, black. */
async function cut(files, across) {
  const sheet = files.length === 1;
  if (sheet && !(Number.isInteger(across) && across >= 1 && across <= WIDEST)) {
    throw new Refused(`The number of images across must be a whole number from 1 to ${WIDEST}.`);
  }
  const found = [];
  for (const file of files) {
    let picture;
    try {
      picture = await createImageBitmap(file);
    } catch {
      throw new Refused(`${file.name} is not a picture that this browser can read. Choose PNG, JPEG or WebP files.`);
    }
    const { width, height } = picture;
    if (!sheet) {
      const size = Math.min(width, height);
      found.push(small(picture, (width - size) / 2, (height - size) / 2, size));
      continue;
    }
    const size = width / across;
    for (let top = 0; top + 0.9 * size <= height; top += size) {
      for (let k = 0; k < across; k++) found.push(small(picture, k * size, top, size));
    }
  }
  return found;
}

/** A square of a picture in few shades of grey. */
function small(picture, left, top, size) {
  const canvas = element("canvas", { width: SIDE, height: SIDE });
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pen.fillStyle = "#fff"; // behind what is transparent
  pen.fillRect(0, 0, SIDE, SIDE);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, left, top, size, size, 0, 0, SIDE, SIDE);
  const { data } = pen.getImageData(0, 0, SIDE, SIDE);
  return Float64Array.from({ length: SIDE * SIDE }, (_, k) =>
    1 - (0.299 * data[4 * k] + 0.587 * data[4 * k + 1] + 0.114 * data[4 * k + 2]) / 255);
}

/** At most so many of the images, evenly, as a table. */
function chosen(all) {
  if (all.length < FEWEST) {
    throw new Refused(`A map needs at least ${FEWEST} images; ${all.length === 1 ? "this is one" : `these are ${all.length}`}. ` +
      "If one file holds several, say how many are side by side.");
  }
  const number = Math.min(all.length, MOST);
  const Y = zeros(number, SIDE * SIDE);
  for (let n = 0; n < number; n++) row(Y, n).set(all[Math.floor((n * all.length) / number)]);
  const differs = (n) => squared_distance(row(Y, n), row(Y, 0)) > 0;
  if (!Array.from({ length: number }, (_, n) => n).some(differs)) {
    throw new Refused("All of these images are equal, so there is nothing to map. Choose images that differ.");
  }
  return Y;
}

/** Latent points for images: principal components at the scale with the least leave-one-out error, then RPROP. */
function* fitting(Y) {
  const N = Y.rows;
  const mean = new Float64Array(Y.columns);
  for (let k = 0; k < Y.data.length; k++) mean[k % Y.columns] += Y.data[k] / N;
  const centred = { ...Y, data: Y.data.map((v, k) => v - mean[k % Y.columns]) };
  const products = zeros(N, N);
  for (let n = 0; n < N; n++) {
    const a = row(centred, n);
    for (let m = 0; m <= n; m++) {
      const b = row(centred, m);
      let sum = 0;
      for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
      products.data[n * N + m] = products.data[m * N + n] = sum;
    }
    yield;
  }
  const { values, vectors } = yield* eigenvectors(products); // in ascending order
  const plain = zeros(N, 2);
  for (const k of [1, 2]) {
    const long = Math.sqrt(Math.max(values[N - k], values[N - 1] / 25)); // a map needs two directions
    for (let n = 0; n < N; n++) plain.data[2 * n + k - 1] = long * vectors.data[n * N + N - k];
  }
  const start = normalised(plain);
  let best = { error: Infinity };
  for (const scale of SCALES) {
    const X = { ...start, data: start.data.map((x) => scale * x) };
    const { error } = reconstruction_error(X, Y);
    if (error < best.error) best = { X, error };
    yield;
  }
  const steps = rprop((X) => reconstruction_error(X, Y), best.X);
  for (let k = 0; k <= STEPS; k++) {
    const { X, error } = steps.next().value;
    if (error < best.error) best = { X, error };
    yield;
  }
  return best.X;
}

/** What some work returns, done a little in each frame; nothing, once it is given up. */
async function worked(work, given_up) {
  for (;;) {
    const end = performance.now() + WORK;
    while (performance.now() < end) {
      const { done, value } = work.next();
      if (done) return value;
    }
    await new Promise((next) => requestAnimationFrame(next));
    if (given_up()) return null;
  }
}
