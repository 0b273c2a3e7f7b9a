// Labels in the distance, (1): drag its two curves, or a point to another class, and see which picture can be believed.

import { ridge_map, ridge_paths, share_found } from "./core/kernel_ridge.js";
import { agglomerated, classical_mds, geodesic_distances, label_distance, with_labels } from "./core/si.js";
import { mean, row, rows_of, squared_distance, table, zeros } from "./core/tables.js";
import { COLORS, Stage, Work, log_ticks } from "./stage.js";

const FIRST = 25; // ms that the first embedding may take before anything is shown
const BUDGET = 8; // ms of a frame for it
const GRID = 240; // places along the curves
const FARTHEST = 3.2; // the longest distance in the pictures, in units of the root mean square
const [LOWEST, HIGHEST] = [0.02, 1e4]; // distances with labels in the picture
const BINS = 40;
const VANISHING = 1e6; // from here on, distances within classes vanish beside those between classes
const AT = Math.sqrt(1 - Math.exp(-1)); // of one class at e = √β

/**
 * @param {HTMLElement} host
 * @param {object} given Y, new_points: data; labels, shuffled, truth: classes as numbers; classes: names and
 *   colours; neighbors: of the graph; raw, mixed: the versions with raw columns and with shuffled labels
 * @param {object} link tells the kernel which points the hand has given another class
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const { truth, classes } = given;
  const raw = { Y: table(given.Y), new_points: table(given.new_points) };
  const N = raw.Y.rows;
  const relabelled = new Map(); // the class that the hand has given to a point

  // The data in two versions, and what only these matter for: a unit of distances, and the map's eigenvectors

  function prepared({ Y, new_points }) {
    const middle = mean(Y);
    let squares = 0;
    for (let n = 0; n < N; n++) squares += squared_distance(row(Y, n), middle);
    const unit = (2 * squares) / (N - 1); // the mean squared distance of all pairs
    return { Y, new_points, unit, paths: null };
  }
  const middle = mean(raw.Y);
  const spread = middle.map((m, k) => Math.sqrt(raw.Y.data.reduce((sum, v, at) => (at % middle.length === k ? sum + (v - m) ** 2 : sum), 0) / N));
  const even = (T) => ({ ...T, data: T.data.map((v, at) => (v - middle[at % T.columns]) / spread[at % T.columns]) });
  const versions = { raw: prepared(raw), even: prepared({ Y: even(raw.Y), new_points: even(raw.new_points) }) };
  const version = () => (stage.values.version === given.raw ? versions.raw : versions.even);
  const labels_now = () => {
    const labels = Int32Array.from(stage.values.version === given.mixed ? given.shuffled : given.labels);
    for (const [n, label] of relabelled) labels[n] = label;
    return labels;
  };

  const into = { curves: stage.column(), embedding: stage.column(1.1) };
  const wide = { aspect: 0.62, left: 58, x: [0, FARTHEST], into: into.curves };
  const of_curves = stage.plot("curves", { ...wide, y: [LOWEST, HIGHEST].map(Math.log10), yticks: log_ticks });
  const of_pairs = stage.plot("pairs", { ...wide, aspect: 0.4, still: true });
  const of_points = stage.plot("embedding", { equal: true, aspect: 1.05, x: [-1.25, 1.25], y: [-1.25, 1.25], into: into.embedding,
    left: 10, xticks: () => [], yticks: () => [] });
  stage.help("Keys: in the curves, N and P choose a handle and the arrows move it. In the embedding, N and P choose a point, " +
    "and the arrows give it the next class or the one before.");

  const fitted = new Work(function* () {
    const { alpha, beta } = stage.values;
    const [one, labels] = [version(), labels_now()];
    one.paths ??= yield* ridge_paths(one.Y, one.unit);
    const Q = with_labels(one.Y, (squared, same) => label_distance(squared, same, alpha, beta * one.unit), labels);
    const graph = agglomerated(Q, Math.min(given.neighbors, N - 1));
    const X = yield* classical_mds(yield* geodesic_distances(graph), 2);
    const size = X.data.reduce((most, v) => Math.max(most, Math.abs(v)), 0) || 1;
    const found = ridge_map(one.paths, X)(one.new_points);
    for (const T of [X, found]) T.data.forEach((v, at) => (T.data[at] = v / size));
    const lengths = { within: 0, shortest: Infinity, longest: 0 };
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < i; j++) {
        const q = Q.data[i * N + j];
        if (labels[i] === labels[j]) lengths.within = Math.max(lengths.within, q);
        else [lengths.shortest, lengths.longest] = [Math.min(lengths.shortest, q), Math.max(lengths.longest, q)];
      }
    }
    return {
      X, found, labels, ...lengths, arcs: graph.arcs, pieces: graph.pieces,
      between: graph.edges.filter(([i, j]) => labels[i] !== labels[j]),
      training: share_found(X, labels, X, labels), held_out: share_found(X, labels, found, truth),
      direct: share_found(one.Y, labels, one.new_points, truth),
    };
  });

  // How many pairs of points are at which distance

  let counts = null;
  function count() {
    const [{ Y, unit }, labels] = [version(), labels_now()];
    counts = [new Float64Array(BINS), new Float64Array(BINS)]; // of different classes, and of the same
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < i; j++) {
        const bin = Math.floor((Math.sqrt(squared_distance(row(Y, i), row(Y, j)) / unit) / FARTHEST) * BINS);
        if (bin < BINS) counts[Number(labels[i] === labels[j])][bin]++;
      }
    }
    of_pairs.limits(of_pairs.wanted.x, [0, 1.08 * Math.max(...counts[0], ...counts[1])]);
  }
  const anew = () => (fitted.stale = true);
  const other_data = () => {
    count();
    anew();
  };
  stage.slider("alpha", {}, anew);
  stage.slider("beta", {}, anew);
  stage.choice("version", { more: true }, other_data);
  stage.onvalues = link.values;
  const tell = () => link.out({ relabelled: [...relabelled].flat() });
  stage.button("First labels", () => {
    relabelled.clear();
    other_data();
    tell();
  });
  stage.put = (things) => {
    relabelled.clear();
    const pairs = things.relabelled.flat();
    for (let k = 0; k < pairs.length; k += 2) relabelled.set(pairs[k], pairs[k + 1]);
    other_data();
    stage.redraw();
  };
  other_data();
  fitted.go_on(FIRST);

  // The hand

  const handles = zeros(2, 2); // where different classes begin, √(1 - α), and where one class has come to e = √β
  of_curves.handles = {
    points: handles,
    onmove(n, x, y) {
      const { alpha, beta } = given.controls;
      const inside = (v, { low, high }) => Math.min(Math.max(v, low), high);
      stage.set(n === 0 ? { alpha: inside(1 - 100 ** y, alpha) } : { beta: inside(Math.max(x, 0) ** 2, beta) });
      stage.onvalues({ ...stage.values });
    },
    name: (n) => "αβ"[n],
  };
  const shown = zeros(N, 2);
  let pulled = null; // the point that the hand holds, and where
  function relabel(n, label) {
    const labels = labels_now();
    const own = labels.filter((one) => one === labels[n]).length;
    if (own < 2 || label === labels[n]) return; // each class keeps a point
    relabelled.set(n, label);
    other_data();
    tell();
  }
  const nearest_label = (n, x, y) => {
    let [best, least] = [n, Infinity];
    for (let m = 0; m < N; m++) {
      const t = m === n ? Infinity : (shown.data[2 * m] - x) ** 2 + (shown.data[2 * m + 1] - y) ** 2;
      if (t < least) [best, least] = [m, t];
    }
    return labels_now()[best];
  };
  of_points.handles = {
    points: shown,
    onmove: (n, x, y) => (pulled = { n, x, y }),
    onrelease(n) {
      if (pulled) relabel(n, nearest_label(n, pulled.x, pulled.y));
      pulled = null;
    },
    name: (n) => `point ${n}, ${classes[labels_now()[n]][0]}`,
  };
  of_points.onkey = (_, by) => {
    const n = Math.max(of_points.focused, 0);
    if (by) relabel(n, (labels_now()[n] + (by[0] + by[1]) + classes.length) % classes.length);
    return Boolean(by);
  };

  // What is seen

  const OTHER = { color: COLORS.classes[3], dash: [6, 4], width: 2 };
  const curve = (of) => rows_of(Array.from({ length: GRID }, (_, k) => (FARTHEST * k) / (GRID - 1)).flatMap((e) => [e, of(e)]), 2);
  stage.draw = () => {
    if (fitted.go_on(BUDGET)) stage.redraw();
    const { alpha, beta } = stage.values;
    const SAME = { color: of_curves.ink, width: 2 };
    [OTHER, SAME].forEach((look, same) => {
      of_curves.curve(curve((e) => Math.log10(Math.min(Math.max(label_distance(e * e, same, alpha, beta), 1e-9), 1e9))), look);
      of_pairs.curve(rows_of([...counts[same]].flatMap((pairs, k) => [((k + 0.5) / BINS) * FARTHEST, pairs]), 2), look);
    });
    of_curves.key([OTHER, SAME]);
    handles.data.set([0.012 * FARTHEST, Math.log10(1 - alpha) / 2, Math.min(Math.sqrt(beta), 0.98 * FARTHEST), Math.log10(AT)]);
    ["α", "β"].forEach((letter, n) => {
      const [x, y] = row(handles, n);
      of_curves.points(rows_of([x, y], 2), { color: n ? of_curves.ink : OTHER.color, size: 5.5 });
      const right = n && x > 0.9 * FARTHEST;
      of_curves.text(...of_curves.at(of_curves.across(x) + (right ? -10 : 9), of_curves.up(y) + 11), letter, { align: right ? "right" : "left" });
    });
    if (fitted.result) draw_points(fitted.result);
  };
  function draw_points({ X, found, labels, between, arcs, training, held_out }) {
    shown.data.set(X.data);
    if (pulled) shown.data.set([pulled.x, pulled.y], 2 * pulled.n);
    for (const [i, j] of between) of_points.segment(...row(shown, i), ...row(shown, j), { color: of_points.faint, width: 0.8 });
    for (const [i, j] of arcs) of_points.segment(...row(shown, i), ...row(shown, j), { color: of_points.ink, width: 2.2 });
    const color = (n) => classes[pulled?.n === n ? nearest_label(n, pulled.x, pulled.y) : labels[n]][1];
    of_points.points(shown, { color, size: 3 });
    of_points.points(found, { color: (n) => classes[truth[n]][1], size: 5, hollow: true });
    const by_hand = rows_of([...relabelled.keys()].flatMap((n) => [...row(shown, n)]), 2);
    of_points.points(by_hand, { color: of_points.ink, size: 6, hollow: true });
    const { left, right, top, bottom } = of_points.box;
    const percent = (share) => `${(100 * share).toFixed(1)}%`;
    of_points.text(...of_points.at((left + right) / 2, top + 14), `5-NN: training ${percent(training)}, held out ${percent(held_out)}`, { align: "center" });
    const names = [...classes, [of_points.legend[0], of_points.ink]];
    names.forEach(([name, ink], k) => {
      const y = bottom - 14 - 16 * (names.length - 1 - k);
      of_points.points(rows_of(of_points.at(left + 14, y), 2), { color: ink, size: k < classes.length ? 3.5 : 5, hollow: k === classes.length });
      of_points.text(...of_points.at(left + 24, y), name);
    });
    [{ color: of_points.ink, width: 2.2 }, { color: of_points.soft, width: 1 }].forEach((look, k) => {
      of_points.key([look], { names: [of_points.legend[1 + k]], across: -170, down: -30 + 16 * k });
    });
  }

  stage.summary = () => {
    if (!fitted.done) return "The embedding is being computed.";
    const { alpha, beta, version: name } = stage.values;
    const one = fitted.result;
    const arcs = one.arcs.length === 1 ? "1 arc" : `${one.arcs.length} arcs`;
    const parts = one.pieces === 1 ? "1 component" : `${one.pieces} components`;
    const percent = (share) => `${(100 * share).toFixed(1)}%`;
    const by_hand = relabelled.size ? `, ${relabelled.size} label${relabelled.size > 1 ? "s" : ""} by hand` : "";
    return `${name[0].toUpperCase()}${name.slice(1)}${by_hand}, α = ${alpha.toFixed(2)}, β = ${short(beta)} times the mean squared ` +
      `distance. Distances within a class are at most ${short(one.within)}, between classes ${short(one.shortest)} to ` +
      `${short(one.longest)}. ${N} training points: ${parts}, ${arcs} added, ${one.between.length - one.arcs.length} other edges between ` +
      `classes. 5-NN in the embedding finds the class of ${percent(one.training)} of the training points and of ` +
      `${percent(one.held_out)} of the ${truth.length} held-out points. On the data themselves it finds ${percent(one.direct)} of the held-out points.` +
      (one.longest > VANISHING ? " Distances within classes vanish beside those between classes." : "");
  };
  stage.redraw();
  return stage;
}

/** Three digits, as Python writes them. */
function short(v) {
  const [digits, power] = v.toExponential(2).split("e").map(Number);
  if (power >= -4 && power < 3) return String(Number(v.toPrecision(3)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
