// [SI]: distances, also with labels, graphs of neighbours, shortest paths, and coordinates from their lengths.

import { leading_eigenvectors } from "./eigenvectors.js";
import { smallest_of } from "./metrics.js";
import { row, squared_distance, zeros } from "./tables.js";
/** @import { Table } from "./tables.js" */

/**
 * A graph: the neighbours of point n and the lengths of the edges to them are those from first[n] up to
 * first[n + 1]; edges has each edge once, as [i, j, length] with i < j; arcs are those that connected it.
 * @typedef {{first: Int32Array, to: Int32Array, lengths: Float64Array, edges: number[][], arcs: number[][],
 *   pieces: number}} Graph
 */

const LONGEST = 1e30; // beyond this length the second case of (1) continues along a tangent

/** |y_i - y_j| of all pairs. @returns {Table} */
export function euclidean(Y) {
  return with_labels(Y, Math.sqrt);
}

/** Of all pairs a function of their squared distance and of whether they have the same label. @returns {Table} */
export function with_labels(Y, q, labels = new Int32Array(Y.rows)) {
  const N = Y.rows;
  const Q = zeros(N, N);
  for (let i = 0; i < N; i++) {
    const y = row(Y, i);
    for (let j = i + 1; j < N; j++) {
      Q.data[i * N + j] = Q.data[j * N + i] = q(squared_distance(y, row(Y, j)), labels[i] === labels[j]);
    }
  }
  return Q;
}

/** Equation (1) of a squared distance; from 1e30 on along the tangent of its logarithm. */
export function label_distance(squared, same, alpha, beta) {
  const s = Math.min(squared / beta, LONGEST);
  const within = -Math.expm1(-s);
  if (same) return Math.sqrt(within);
  const printed = Math.min(s / 2, Math.log(LONGEST));
  return Math.exp(printed) * (1 + s / 2 - printed) * Math.sqrt(1 - alpha + alpha * within); // (1)
}

/** Steps 1 and 2: a graph of the h nearest neighbours, and arcs between its closest pieces until it is one. @returns {Graph} */
export function agglomerated(Q, h) {
  const N = Q.rows;
  const edges = new Map(); // i N + j, with i < j: its length
  const [found, t, far] = [new Int32Array(h), new Float64Array(N), new Float64Array(h)];
  for (let i = 0; i < N; i++) {
    t.set(row(Q, i));
    t[i] = Infinity; // not its own neighbour
    smallest_of(t, h, found, far);
    found.forEach((j, k) => edges.set(i < j ? i * N + j : j * N + i, far[k]));
  }
  const piece = Int32Array.from({ length: N }, (_, n) => n);
  const root = (n) => {
    while (piece[n] !== n) n = piece[n] = piece[piece[n]];
    return n;
  };
  for (const edge of edges.keys()) piece[root(edge % N)] = root(Math.floor(edge / N));
  const pieces = piece.filter((_, n) => root(n) === n).length;
  const arcs = [];
  if (pieces > 1) {
    const closest = new Map(); // of each two pieces: the pair of points, and its length
    for (let i = 0; i < N; i++) {
      for (let j = i + 1; j < N; j++) {
        const [a, b] = [root(i), root(j)];
        const [both, length] = [Math.min(a, b) * N + Math.max(a, b), Q.data[i * N + j]];
        if (a !== b && !(closest.get(both)?.[2] <= length)) closest.set(both, [i, j, length]);
      }
    }
    for (const [i, j, length] of [...closest.values()].sort((a, b) => a[2] - b[2])) {
      if (root(i) === root(j)) continue;
      piece[root(i)] = root(j);
      arcs.push([i, j]);
      edges.set(i * N + j, length);
    }
  }
  const listed = [...edges].map(([edge, length]) => [Math.floor(edge / N), edge % N, length]);
  return { ...adjacency(listed, N), edges: listed, arcs, pieces };
}

function adjacency(edges, N) {
  const first = new Int32Array(N + 1);
  for (const [i, j] of edges) for (const n of [i, j]) first[n + 1]++;
  for (let n = 0; n < N; n++) first[n + 1] += first[n];
  const [to, lengths, at] = [new Int32Array(2 * edges.length), new Float64Array(2 * edges.length), first.slice()];
  for (const [i, j, length] of edges) {
    for (const [from, other] of [[i, j], [j, i]]) {
      to[at[from]] = other;
      lengths[at[from]++] = length;
    }
  }
  return { first, to, lengths };
}

/** Step 3 for one source: the lengths of shortest paths to all points, and the point before each, by Dijkstra. */
export function shortest_paths({ first, to, lengths }, source) {
  const N = first.length - 1;
  const length = new Float64Array(N).fill(Infinity);
  const [before, heap, place] = [new Int32Array(N).fill(-1), new Int32Array(N), new Int32Array(N).fill(-1)];
  let size = 0;
  const put = (n, at) => (heap[(place[n] = at)] = n);
  const rise = (n, at) => {
    while (at > 0 && length[heap[(at - 1) >> 1]] > length[n]) {
      put(heap[(at - 1) >> 1], at);
      at = (at - 1) >> 1;
    }
    put(n, at);
  };
  const sink = (n) => {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < size && length[heap[child + 1]] < length[heap[child]]) child++;
      if (child >= size || length[heap[child]] >= length[n]) break;
      put(heap[child], at);
      at = child;
    }
    put(n, at);
  };
  length[source] = 0;
  rise(source, size++);
  while (size > 0) {
    const n = heap[0];
    const last = heap[--size];
    if (size > 0) sink(last);
    for (let k = first[n]; k < first[n + 1]; k++) {
      const [m, long] = [to[k], length[n] + lengths[k]];
      if (long >= length[m]) continue;
      length[m] = long;
      before[m] = n;
      rise(m, place[m] < 0 ? size++ : place[m]);
    }
  }
  return { length, before };
}

/** Step 3: the lengths of all shortest paths, a few sources at a time. @returns {Generator<void, Table>} */
export function* geodesic_distances(graph) {
  const N = graph.first.length - 1;
  const G = zeros(N, N);
  for (let n = 0; n < N; n++) {
    if (n % 8 === 7) yield;
    row(G, n).set(shortest_paths(graph, n).length);
  }
  return G;
}

/** Step 4: coordinates with X Xᵀ as near as possible to S = -½ B G² B, greatest variance first. @returns {Generator<void, Table>} */
export function* classical_mds(G, q) {
  const N = G.rows;
  const S = { data: G.data.map((g) => -0.5 * g * g), rows: N, columns: N };
  const means = Float64Array.from({ length: N }, (_, n) => row(S, n).reduce((sum, v) => sum + v, 0) / N);
  const middle = means.reduce((sum, v) => sum + v, 0) / N;
  S.data.forEach((v, at) => (S.data[at] = v - means[Math.floor(at / N)] - means[at % N] + middle));
  const { values, vectors } = yield* leading_eigenvectors(S, q);
  for (let p = 0; p < q; p++) {
    let top = 0;
    for (let n = 0; n < N; n++) if (Math.abs(vectors.data[n * q + p]) > Math.abs(vectors.data[top * q + p])) top = n;
    const size = Math.sqrt(values[p] > values[0] * N * 2 ** -52 ? values[p] : 0) * (vectors.data[top * q + p] < 0 ? -1 : 1);
    for (let n = 0; n < N; n++) vectors.data[n * q + p] *= size;
  }
  return vectors;
}
