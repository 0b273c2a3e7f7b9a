// Gauss-Newton: one data point looks for its latent point. Drag the start or the data point over the
// contours of E, and the steps of four methods follow.

import { gradient_descent } from "./core/descent.js";
import { project, projection_objective, rbf_network } from "./core/drur.js";
import { extent, mean, row, squared_distance, table, zeros } from "./core/tables.js";
import { COLORS, Stage, View, cividis, log_ticks } from "./stage.js";

const CELLS = 69; // of the grid for contours, along each axis
const LINES = 15; // of the sheet, each way
const PACE = 300; // ms between two steps

/**
 * @param {HTMLElement} host
 * @param {object} given f, F: networks; X, Y: latent points and data; low, high: corners of the plane;
 *   unit: mean squared size of the data; size: of latent space; steps, levels, floor
 * @param {object} link tells the kernel of controls that were moved, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const { low, high, unit, size, steps } = given;
  const METHODS = given.controls.method.options;
  const [GAUSS_NEWTON, NEWTON, DESCENT, FIXED_POINT] = METHODS;
  const dashes = [[], [7, 4], [7, 3, 1.5, 3], [2, 3]];
  /** The colour and the dashes of each method. */
  const LOOKS = Object.fromEntries(METHODS.map((name, k) => [name, { color: COLORS.classes[k], dash: dashes[k] }]));
  const [f, F] = [rbf_network(given.f), rbf_network(given.F)];
  const [X, Y] = [table(given.X), table(given.Y)];
  const N = X.rows;
  const plane = stage.plot("plane", { equal: true, aspect: 1.03, x: [low[0], high[0]], y: [low[1], high[1]] });
  const into = stage.column();
  const space = stage.plot("space", { equal: true, frame: false, aspect: 0.5, into });
  const chart = stage.plot("errors", { aspect: 0.55, x: [-0.5, steps + 0.5], yticks: log_ticks, into, still: true,
    y: [Math.log10(given.floor * unit) - 0.5, Math.log10(10 * given.levels.at(-1) * unit)] });
  const view = new View(space, { azimuth: -0.35, height: 0.3 });

  // The grid of the contours, and the sheet over it: computed once

  const side_length = CELLS + 1;
  const at = (k, axis) => low[axis] + ((high[axis] - low[axis]) * k) / CELLS;
  const sheet = zeros(side_length ** 2, Y.columns);
  for (let i = 0; i < side_length; i++) {
    for (let j = 0; j < side_length; j++) row(sheet, i * side_length + j).set(f.at([at(j, 0), at(i, 1)]));
  }
  const [xs, ys] = [0, 1].map((axis) => Array.from({ length: side_length }, (_, k) => at(k, axis)));
  const E = new Float64Array(side_length ** 2);
  const shades = new Float64Array(side_length ** 2); // the first row at the top
  const levels = given.levels.map((level) => level * unit);
  const mesh = lines_of_the_sheet();
  const centre = mean(Y);
  let reach = 0;
  for (let n = 0; n < N; n++) reach = Math.max(reach, 1.02 * Math.sqrt(squared_distance(row(Y, n), centre)));

  function lines_of_the_sheet() {
    const ends = [extent(X, 0), extent(X, 1)];
    const lines = [];
    for (const along of [0, 1]) {
      for (let i = 0; i < LINES; i++) {
        const line = zeros(31, 3);
        for (let j = 0; j < 31; j++) {
          const x = [0, 0];
          for (const [k, share] of [[along, j / 30], [1 - along, i / (LINES - 1)]]) {
            x[k] = ends[k][0] + share * (ends[k][1] - ends[k][0]);
          }
          row(line, j).set(f.at(x));
        }
        lines.push(line);
      }
    }
    return lines;
  }

  // The data point, E, and the models of E that the methods use

  let state = null;

  function data_point() {
    const { point, offset } = stage.values;
    const { J } = f.with_jacobian(row(X, point));
    const [a, b] = [[J.data[0], J.data[2], J.data[4]], [J.data[1], J.data[3], J.data[5]]];
    const normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const long = Math.hypot(...normal) || 1;
    const y = Float64Array.from(row(Y, point), (v, k) => v + (offset * normal[k]) / long);
    return { y, F_y: F.at(y) };
  }
  /** E, half of its gradient (8), and half of the Hessian of a method's model as [a, b, c] of a symmetric matrix. */
  function model(method, x, { y, F_y }) {
    const { f: f_x, J } = f.with_jacobian(x);
    const residual = f_x.map((v, k) => y[k] - v);
    const half = [x[0] - F_y[0], x[1] - F_y[1]];
    const A = [1, 0, 1];
    for (let k = 0; k < 3; k++) {
      const [a, b] = [J.data[2 * k], J.data[2 * k + 1]];
      half[0] -= a * residual[k];
      half[1] -= b * residual[k];
      if (method !== FIXED_POINT) {
        A[0] += a * a;
        A[1] += a * b;
        A[2] += b * b;
      }
    }
    if (method === NEWTON) {
      const bent = f.second_derivatives(x, residual).data; // (10)
      A[0] -= bent[0];
      A[1] -= bent[1];
      A[2] -= bent[3];
    }
    return { E: projection_objective(f_x, x, y, F_y), half, A, f: f_x, J };
  }
  function step_of({ A, half }) {
    const [[a, b, c], [u, v]] = [A, half];
    const determinant = a * c - b * b;
    return determinant === 0 ? [0, 0] : [(b * v - c * u) / determinant, (b * u - a * v) / determinant];
  }

  function way(method, start, of) {
    const path = { x: [start], E: [], taken: [] };
    if (method === DESCENT) {
      const objective = (T) => {
        const { E, half } = model(DESCENT, T.data, of);
        return { error: E, gradient: table([[2 * half[0], 2 * half[1]]]) };
      };
      const descent = gradient_descent(objective, table([Array.from(start)]));
      for (let k = 0; k <= steps; k++) path.x[k] = descent.next().value.X.data;
    }
    for (let k = 0; k < steps && method !== DESCENT; k++) {
      const x = path.x[k];
      if (method === GAUSS_NEWTON) {
        const found = project(f, x, of.y, of.F_y, 1, 0, size);
        path.x.push(found.x);
        path.taken.push(found.taken[0]);
      } else {
        const [u, v] = step_of(model(method, x, of));
        path.x.push(Float64Array.of(x[0] + u, x[1] + v));
      }
    }
    path.E = path.x.map((x) => projection_objective(f.at(x), x, of.y, of.F_y));
    return path;
  }

  /** Everything that the picture and the words need; computed once after each change. */
  function current() {
    if (state) return state;
    const of = data_point();
    const start = Float64Array.of(stage.values.x1, stage.values.x2);
    const paths = Object.fromEntries(METHODS.map((method) => [method, way(method, start, of)]));
    let least = 0;
    const d = sheet.columns;
    for (let k = 0; k < E.length; k++) {
      E[k] = (at(k % side_length, 0) - of.F_y[0]) ** 2 + (at(Math.floor(k / side_length), 1) - of.F_y[1]) ** 2;
      for (let j = 0; j < d; j++) E[k] += (sheet.data[k * d + j] - of.y[j]) ** 2;
      if (E[k] < E[least]) least = k;
    }
    const best = Float64Array.of(at(least % side_length, 0), at(Math.floor(least / side_length), 1));
    let lowest = Math.min(...METHODS.map((method) => Math.min(...paths[method].E)));
    for (const from of [best, of.F_y]) lowest = Math.min(lowest, project(f, from, of.y, of.F_y, 200, 1e-12, size).error);
    const [deep, flat] = [Math.log(levels[0]), Math.log(levels.at(-1))];
    for (let i = 0; i < side_length; i++) {
      for (let j = 0; j < side_length; j++) {
        const share = (Math.log(E[i * side_length + j]) - deep) / (flat - deep);
        shades[(CELLS - i) * side_length + j] = Math.min(Math.max(share, 0), 1);
      }
    }
    state = { ...of, paths, lowest };
    return state;
  }
  const changed = () => (state = null);

  // Controls

  let due = 0;
  function advance(now) {
    if (now === undefined || now >= due) {
      if (stage.values.frame >= steps) return false;
      due = (now ?? 0) + PACE;
      stage.shown.frame.show(stage.values.frame + 1);
      tell();
    }
    return stage.values.frame < steps;
  }
  const tell = () => link.values({ ...stage.values });
  stage.slider("frame");
  stage.choice("method");
  stage.player(advance, { step: "One step" });
  stage.button("Reset", () => {
    stage.stop();
    stage.reset();
    tell();
  });
  for (const name of ["point", "offset", "x1", "x2"]) stage.slider(name, { more: true }, changed);
  stage.onvalues = link.values;

  // What the hand moves: the start, and the data point, which stands at its latent point

  const handles = { data: new Float64Array(4), rows: 2, columns: 2 };
  plane.handles = {
    points: handles,
    onmove(n, x, y) {
      if (n === 0) {
        const inside = (v, k) => Math.min(Math.max(v, low[k]), high[k]);
        stage.set({ x1: inside(x, 0), x2: inside(y, 1) });
      } else {
        let [nearest, least] = [0, Infinity];
        for (let m = 0; m < N; m++) {
          const t = squared_distance([x, y], row(X, m));
          if (t < least) [nearest, least] = [m, t];
        }
        stage.set({ point: nearest });
      }
    },
    onrelease: tell,
    name: (n) => ["the start", "the data point"][n],
  };
  /** An arrow key takes the data point to the nearest one in this direction. */
  plane.onkey = (event, by) => {
    if (!by || plane.focused !== 1) return false;
    const here = row(X, stage.values.point);
    let [nearest, least] = [-1, Infinity];
    for (let m = 0; m < N; m++) {
      const apart = [X.data[2 * m] - here[0], X.data[2 * m + 1] - here[1]];
      const along = apart[0] * by[0] + apart[1] * by[1];
      const across = Math.abs(apart[0] * by[1]) + Math.abs(apart[1] * by[0]);
      if (along > 0 && across <= along && along + across < least) [nearest, least] = [m, along + across];
    }
    if (nearest >= 0) stage.set({ point: nearest });
    tell();
    return true;
  };

  // What is seen

  stage.draw = () => {
    const now = current();
    const { frame, method, point, x1, x2 } = stage.values;
    handles.data.set([x1, x2, X.data[2 * point], X.data[2 * point + 1]]);
    draw_plane(now, frame, method);
    draw_space(now, frame, method);
    draw_chart(now, frame, method);
  };

  function draw_plane(of, frame, method) {
    const { paths, F_y } = of;
    plane.pen.globalAlpha = 0.35;
    plane.image(shades, side_length, side_length, [low[0], high[0]], [low[1], high[1]], cividis, true);
    plane.pen.globalAlpha = 1;
    for (const level of levels) plane.border(E, xs, ys, level, { color: plane.soft, width: 0.8 });
    plane.points(X, { size: 1.5, alpha: 0.6 });
    for (const name of [...METHODS.filter((m) => m !== method), method]) {
      const look = { ...LOOKS[name], width: name === method ? 2.6 : 1.2 };
      const T = table(paths[name].x.slice(0, frame + 1).map((x) => Array.from(x)));
      plane.curve(T, look);
      plane.points(T, { color: look.color, size: name === method ? 3.4 : 1.8 });
    }
    const x = paths[method].x[frame];
    const ellipse = contour_of_model(method, model(method, x, of), x);
    if (ellipse) plane.curve(ellipse, { color: plane.ink, width: 1.4, dash: [5, 4] });
    const [start, of_y, y] = plane.legend;
    mark(F_y, of_y, false, 1);
    mark(handles.data.subarray(2, 4), y, true, -1);
    mark(handles.data.subarray(0, 2), start, true, -1);
    plane.points(table([Array.from(x)]), { color: LOOKS[method].color, size: 5.5 });
  }
  /** A place with its name to the right or left; a ring can be dragged. */
  function mark(at, words, ring, to) {
    const [x, y] = at;
    const spot = table([[x, y]]);
    if (ring) plane.points(spot, { color: getComputedStyle(stage.root).backgroundColor, size: 6.5 });
    plane.points(spot, { color: plane.ink, size: ring ? 6.5 : 3.5, hollow: ring });
    const beside = (10 * to * (plane.x[1] - plane.x[0])) / (plane.box.right - plane.box.left);
    plane.text(x + beside, y, words, { align: to > 0 ? "left" : "right" });
  }

  function eigenvalues(A) {
    const [a, b, c] = A;
    const [middle, apart] = [(a + c) / 2, Math.hypot((a - c) / 2, b)];
    return [middle - apart, middle + apart];
  }
  /** The contour of the quadratic model that passes through x; the step leads to its centre. */
  function contour_of_model(method, { A, half }, x) {
    const [least, most] = eigenvalues(A);
    if (method === DESCENT || least <= 0) return null;
    const step = step_of({ A, half });
    const radius = Math.sqrt(Math.max(-(step[0] * half[0] + step[1] * half[1]), 0));
    const angle = 0.5 * Math.atan2(2 * A[1], A[0] - A[2]); // of the eigenvector of the greater value
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const T = zeros(73, 2);
    for (let k = 0; k < 73; k++) {
      const u = (radius * Math.cos((k * Math.PI) / 36)) / Math.sqrt(most);
      const v = (radius * Math.sin((k * Math.PI) / 36)) / Math.sqrt(least);
      T.data[2 * k] = x[0] + step[0] + c * u - s * v;
      T.data[2 * k + 1] = x[1] + step[1] + s * u + c * v;
    }
    return T;
  }

  function placed_about_centre(T) {
    return view.place({ ...T, data: T.data.map((v, k) => v - centre[k % 3]) });
  }
  function draw_space({ y, paths }, frame, method) {
    const { color } = LOOKS[method];
    const trace = table(paths[method].x.slice(0, frame + 1).map((x) => Array.from(f.at(x))));
    const placed = { Y: placed_about_centre(Y), trace: placed_about_centre(trace), y: placed_about_centre(table([Array.from(y)])) };
    space.limits([-reach, reach], [-reach, reach]);
    for (const line of mesh) space.curve(placed_about_centre(line), { color: space.soft, width: 0.7, alpha: 0.5 });
    space.points(placed.Y, { size: 1.8, alpha: 0.7 });
    const last = placed.trace.data.subarray(3 * frame);
    space.segment(last[0], last[1], placed.y.data[0], placed.y.data[1], { color: space.ink, dash: [2, 3] });
    space.curve(placed.trace, { color, width: 1.8 });
    space.points(placed.trace, { color, size: 2.4 });
    space.points(table([[last[0], last[1]]]), { color, size: 5 });
    space.points(placed.y, { color: space.ink, size: 4.5 });
    space.text(placed.y.data[0] + 0.05 * reach, placed.y.data[1], "y");
  }

  function draw_chart({ paths, lowest }, frame, method) {
    const floor = given.floor * unit;
    const T = zeros(frame + 1, 2);
    for (const name of METHODS) {
      for (let k = 0; k <= frame; k++) {
        T.data[2 * k] = k;
        T.data[2 * k + 1] = Math.log10(Math.max(paths[name].E[k] - lowest, floor));
      }
      const look = { ...LOOKS[name], width: name === method ? 2.6 : 1.3 };
      chart.curve(T, look);
      chart.points(T, { color: look.color, size: name === method ? 2.8 : 1.8 });
      if (name === method) chart.ring(frame, T.data[2 * frame + 1], 6, { width: 1.5 });
    }
    chart.key(Object.values(LOOKS), { names: METHODS, across: -150 }); // in a corner that paths seldom reach
  }

  // Words

  stage.summary = () => {
    const { y, F_y, paths, lowest } = current();
    const { frame, method, point } = stage.values;
    const path = paths[method];
    const x = path.x[frame];
    const { half } = model(method, x, { y, F_y });
    const [least, most] = eigenvalues(model(GAUSS_NEWTON, x, { y, F_y }).A);
    const [bent] = eigenvalues(model(NEWTON, x, { y, F_y }).A);
    const slope = 2 * Math.hypot(...half);
    return [
      `Data point ${point}, ${method}, step ${frame}: x = (${x[0].toFixed(3)}, ${x[1].toFixed(3)}), ` +
        `E = ${path.E[frame].toFixed(5)}, |∇E| = ${Number(slope.toPrecision(2))}; the lowest E is ${lowest.toFixed(5)}.`,
      last_step(method, path.taken[frame - 1]),
      `I + JᵀJ has eigenvalues ${least.toFixed(2)} and ${most.toFixed(2)}, condition ${(most / least).toFixed(1)}; ` +
        `the true Hessian is ${bent > 0 ? "positive definite" : "not positive definite"} here (its lower eigenvalue ` +
        `is ${(2 * bent).toFixed(2)}).`,
      `E after ${frame} steps: ${METHODS.map((name) => `${name} ${paths[name].E[frame].toFixed(5)}`).join(", ")}.`,
    ].filter(Boolean).join(" ");
  };
  function last_step(method, share) {
    if (method !== GAUSS_NEWTON || share === undefined) return "";
    if (share > 0.99) return "The last step was taken in full.";
    return share ? `1/${Math.round(1 / share)} of the last step was taken.` : "No step was taken.";
  }

  stage.redraw();
  return stage;
}
