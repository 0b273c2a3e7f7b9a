// Geodesics: a graph of neighbours on a roll. Drag a point towards another turn, and a shortcut opens.

import { carried } from "./core/metrics.js";
import { agglomerated, classical_mds, euclidean, geodesic_distances, shortest_paths } from "./core/si.js";
import { extent, mean, row, rows_of, squared_distance, table, zeros } from "./core/tables.js";
import { COLORS, Stage, Work, by_place } from "./stage.js";

const FIRST = 25; // ms that the first map may take before anything is shown
const BUDGET = 6; // ms of a frame for the map
const [LENGTH, HEIGHT] = [90, 21]; // of the sheet
const WINDOW = [50, 28]; // half the sides of the picture of the map
const ENDS = [0, 1]; // the points between which the path is

/**
 * @param {HTMLElement} host
 * @param {object} given t: places on the sheet; clean: on the roll; blur: what noise adds, for noise 1
 * @param {object} link tells the kernel which points the hand has moved, and how far
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const [t, clean, blur] = [table(given.t), table(given.clean), table(given.blur)];
  const all = Array.from({ length: t.rows }, (_, n) => n);
  const from_middle = all.map((n) => Math.max(Math.abs(2 * t.data[2 * n] / LENGTH - 1), Math.abs(2 * t.data[2 * n + 1] / HEIGHT - 1)));
  const angle = all.map((n) => Math.hypot(clean.data[3 * n], clean.data[3 * n + 2])); // on this roll, the radius
  const moved = new Map(); // how far the hand has moved a point, along y₁ and y₃

  const into = { roll: stage.column(), others: stage.column() };
  const roll = stage.plot("roll", { equal: true, aspect: 1.15, x: [-13, 16], y: [-19, 17], into: into.roll });
  const sheet = stage.plot("sheet", { equal: true, aspect: 0.42, x: [-4, LENGTH + 4], y: [-4, HEIGHT + 4], into: into.others, still: true });
  const map = stage.plot("map", { equal: true, aspect: 0.62, x: [-WINDOW[0], WINDOW[0]], y: [-WINDOW[1], WINDOW[1]],
    into: into.others, still: true, xticks: () => [], yticks: () => [] });
  stage.help("Keys, when the roll has the focus: N and P choose a point, the arrows move it (with Shift: further).");

  // The points that the hole leaves, and the graph on them

  let kept, Y, on_sheet, graph, path;
  const seen_from_end = rows_of([], 2);
  function place() {
    const { noise, hole } = stage.values;
    kept = all.filter((n) => from_middle[n] >= hole);
    Y = zeros(kept.length, 3);
    kept.forEach((n, m) => {
      const [across, up] = moved.get(n) ?? [0, 0];
      const at = (k) => clean.data[3 * n + k] + noise * blur.data[3 * n + k];
      Y.data.set([at(0) + across, at(1), at(2) + up], 3 * m);
    });
    on_sheet = rows_of(kept.flatMap((n) => Array.from(row(t, n))), 2);
    Object.assign(seen_from_end, rows_of(kept.flatMap((_, m) => [Y.data[3 * m], Y.data[3 * m + 2]]), 2));
    join();
  }
  function join() {
    graph = agglomerated(euclidean(Y), stage.values.n_neighbors);
    const { before } = shortest_paths(graph, ENDS[0]);
    path = [ENDS[1]];
    while (path.at(-1) !== ENDS[0]) path.push(before[path.at(-1)]);
    isomap.stale = true;
  }
  const isomap = new Work(function* () {
    const [places, colors] = [on_sheet, kept.map(color)]; // another hole may come before the end
    const { rows } = Y;
    const X = yield* classical_mds(yield* geodesic_distances(graph), 2);
    const fitted = carried(X, X, places);
    const middle = mean(places);
    let [left, whole] = [0, 0];
    for (let n = 0; n < rows; n++) {
      left += squared_distance(row(fitted, n), row(places, n));
      whole += squared_distance(middle, row(places, n));
    }
    const ends = [extent(fitted, 0), extent(fitted, 1)];
    const size = 0.94 * Math.min(...ends.map(([low, high], k) => (2 * WINDOW[k]) / (high - low)));
    fitted.data.forEach((v, at) => (fitted.data[at] = size * (v - (ends[at % 2][0] + ends[at % 2][1]) / 2)));
    return { X: fitted, score: 1 - left / whole, colors };
  });
  const color = (n) => by_place(t.data[2 * n] / LENGTH);

  for (const name of ["n_neighbors", "noise", "hole"]) {
    stage.slider(name, { more: name === "hole" }, name === "n_neighbors" ? join : place);
  }
  const tell = () => link.out({ moved_points: [...moved].flatMap(([n, by]) => [n, ...by]) });
  stage.button("Put points back", () => {
    moved.clear();
    place();
    tell();
  });
  stage.onvalues = link.values;
  stage.put = ({ moved_points }) => {
    moved.clear();
    const rows = moved_points.flat();
    for (let k = 0; k < rows.length; k += 3) moved.set(rows[k], [rows[k + 1], rows[k + 2]]);
    place();
    stage.redraw();
  };
  roll.handles = {
    points: seen_from_end,
    onmove(m, x, y) {
      const [before, there] = [moved.get(kept[m]) ?? [0, 0], roll.inside(x, y)];
      moved.set(kept[m], before.map((by, k) => by + there[k] - seen_from_end.data[2 * m + k]));
      place();
    },
    onrelease: tell,
    name: (m) => `point ${kept[m]}`,
  };
  place();
  isomap.go_on(FIRST);

  // What is seen

  const is_short = ([i, j]) => Math.abs(angle[kept[i]] - angle[kept[j]]) > Math.PI;
  const is_arc = ([i, j]) => graph.arcs.some(([a, b]) => a === i && b === j);
  const lines = (places, edges) => rows_of(edges.flatMap(([i, j]) => [...row(places, i), ...row(places, j), NaN, NaN]), 2);
  const SHORT = { color: COLORS.manifold, width: 3.4 };
  const ARC = { color: COLORS.good, width: 3.2, dash: [3, 4] };
  stage.draw = () => {
    if (isomap.go_on(roll.held < 0 ? 2 * BUDGET : BUDGET)) stage.redraw();
    const [shorts, arcs] = [graph.edges.filter(is_short), graph.edges.filter(is_arc)];
    const others = graph.edges.filter((edge) => !is_short(edge) && !is_arc(edge));
    for (const [plot, places] of [[roll, seen_from_end], [sheet, on_sheet]]) {
      plot.curve(lines(places, others), { color: plot.soft, width: 0.6, alpha: 0.7 });
      plot.points(places, { color: (m) => color(kept[m]), size: kept.length > 500 ? 2 : 3 });
      plot.curve(lines(places, arcs), ARC);
      plot.curve(lines(places, shorts), SHORT);
      const way = rows_of(path.flatMap((m) => Array.from(row(places, m))), 2);
      plot.curve(way, { color: plot.ink, width: 1.6 });
      plot.points(way, { color: plot.ink, size: 2 });
    }
    const by_hand = Array.from(kept.keys()).filter((m) => moved.has(kept[m]));
    roll.points(rows_of(by_hand.flatMap((m) => [...row(seen_from_end, m)]), 2), { color: roll.ink, size: 6, hollow: true });
    const looks = [{ color: roll.ink, width: 1.6 }, SHORT, ARC, { color: roll.soft, width: 1 }];
    for (const k of [0, 2]) roll.key(looks.slice(k, k + 2), { names: roll.legend.slice(k), across: 12 + 70 * k, down: -32 });
    if (!isomap.result) return;
    const { X, colors } = isomap.result;
    map.points(X, { color: (m) => colors[m], size: 3 });
  };

  stage.summary = () => {
    const shorts = graph.edges.filter(is_short);
    const arcs = graph.arcs.length;
    const taken = new Set(path.slice(1).map((m, k) => Math.min(m, path[k]) * kept.length + Math.max(m, path[k])));
    const jumps = shorts.filter(([i, j]) => taken.has(i * kept.length + j)).length;
    const length = path.slice(1).reduce((sum, m, k) => sum + Math.sqrt(squared_distance(row(Y, m), row(Y, path[k]))), 0);
    const straight = Math.sqrt(squared_distance(row(on_sheet, ENDS[0]), row(on_sheet, ENDS[1])));
    const pieces = arcs ? `; ${arcs} added, because it was in ${arcs + 1} pieces` : ", in one piece";
    const joined = ["No edge joins", "1 edge joins"][shorts.length] ?? `${shorts.length} edges join`;
    const way = jumps ? `, over ${jumps} shortcut${jumps > 1 ? "s" : ""}` : "";
    const score = isomap.done ? `explain ${(100 * isomap.result.score).toFixed(1)}% of the variance on the sheet` : "are being computed";
    return `${kept.length} points, ${stage.values.n_neighbors} neighbours each: ${graph.edges.length} edges${pieces}. ` +
      `${joined} two turns of the roll. From the inner to the outer end the path is ${length.toFixed(1)} long${way}; ` +
      `a straight line on the sheet is ${straight.toFixed(1)}. Isomap's coordinates ${score}.`;
  };
  stage.redraw();
  return stage;
}
