// The referee: coordinates that are known to be right, and the same coordinates damaged. Brush points in
// one picture and find them in the other, with the errors that the judges charge for them.

import { agreement_of, false_neighbors_search, two_way_search } from "./core/metrics.js";
import { copy, extent, random_state, row, table } from "./core/tables.js";
import { COLORS, Stage, by_place, log_ticks } from "./stage.js";

const LOOKS = [{ color: COLORS.classes[0], dash: [7, 4] }, { color: COLORS.classes[2], dash: [2, 3] },
  { color: COLORS.classes[1], dash: [] }, { color: COLORS.classes[3], dash: [8, 3, 2, 3] }]; // of the judges
const NEIGHBORS = 5; // whose ranks are judged
const AVERAGED = 10; // neighbours whose mean rebuilds a point
const TOUR = "a tour on a line";
const STRIPS = 6;
const LEAST_LOSS = 5e-4; // lower losses are drawn there
const BRUSH = 20; // pixels
const WORK = 4; // ms of each frame for the judges, who finish what they are at

/** The four kinds of damage, as in referee.py. Columns of X are changed in place. */
const DAMAGES = {
  fold(X, amount) {
    const [low, high] = extent(X, 0);
    const line = high - (amount * (high - low)) / 2;
    for (let n = 0; n < X.rows; n++) if (X.data[2 * n] > line) X.data[2 * n] = 2 * line - X.data[2 * n];
  },
  tear(X, amount) {
    const [low, high] = extent(X, 0);
    const [bottom, top] = extent(X, 1);
    for (let n = 0; n < X.rows; n++) {
      const strip = Math.min(Math.floor((STRIPS * (X.data[2 * n] - low)) / (high - low)), STRIPS - 1);
      X.data[2 * n + 1] += amount * 2 * (top - bottom) * (strip % 2);
    }
  },
  stretch(X, amount) {
    const [low, high] = extent(X, 0);
    const half = (high - low) / 2;
    const rate = Math.max(3 * amount, 1e-6);
    let middle = 0;
    for (let n = 0; n < X.rows; n++) middle += X.data[2 * n] / X.rows;
    for (let n = 0; n < X.rows; n++) {
      X.data[2 * n] = middle + (half * Math.sinh((rate * (X.data[2 * n] - middle)) / half)) / rate;
    }
  },
  blur(X, amount) {
    const spread = Math.min(deviation(X, 0), deviation(X, 1));
    const chance = random_state(0);
    for (let k = 0; k < X.data.length; k++) X.data[k] += amount * spread * chance.normal();
  },
};

function deviation(X, column) {
  let [total, squares] = [0, 0];
  for (let n = 0; n < X.rows; n++) total += X.data[n * X.columns + column];
  for (let n = 0; n < X.rows; n++) squares += (X.data[n * X.columns + column] - total / X.rows) ** 2;
  return Math.sqrt(squares / X.rows);
}

/**
 * @param {HTMLElement} host
 * @param {object} given X, Y: right coordinates and data; others: other embeddings by name; amounts: that are judged
 *   beforehand; brushed: numbers of points
 * @param {object} link tells the kernel which points are brushed, if there is a kernel
 */
export function show(host, given, link) {
  const stage = new Stage(host, given);
  const [X, Y] = [table(given.X), table(given.Y)];
  const N = X.rows;
  const brush = new Map(); // by plot: where its ring is
  let painting = null; // the plot on which the brush is down
  const damages = { ...DAMAGES };
  for (const [name, places] of Object.entries(given.others)) {
    const other = table(places);
    damages[name] = (T, amount) => {
      for (let k = 0; k < T.data.length; k++) T.data[k] += amount * (other.data[k] - T.data[k]);
    };
  }
  const [first, last] = extent(X, 0);
  const colors = Array.from({ length: N }, (_, n) => by_place((X.data[2 * n] - first) / (last - first || 1)));
  const right_one = stage.plot("right", { aspect: 0.62 });
  const damaged_one = stage.plot("damaged", { aspect: 0.62 });
  const chart = stage.plot("losses", { aspect: (wide) => (wide < 560 ? 0.6 : 0.26), x: [-0.03, 1.03],
    y: [Math.log10(LEAST_LOSS) - 0.1, 0.15], yticks: log_ticks, still: true });
  chart.canvas.style.flexBasis = "100%";

  const brushed = new Set(given.brushed);
  const in_order = () => Array.from(brushed).sort((a, b) => a - b);
  let shown = null; // what the values of the controls give: coordinates and their neighbours
  let limits = {};

  function damaged(damage, amount) {
    const there = copy(X);
    damages[damage](there, amount);
    return there;
  }
  function current() {
    const { damage, amount } = stage.values;
    if (!shown || shown.damage !== damage || shown.amount !== amount) {
      const { apart, torn } = judged.get(key(damage, amount)) ?? {}; // or the judges add them
      shown = { damage, amount, X: damaged(damage, amount), apart, torn };
    }
    return shown;
  }

  // The judges work a little in each frame: first on what is shown, then on the curves up to there

  const judged = new Map();
  const key = (damage, amount) => `${damage} ${amount.toFixed(6)}`;
  let job = null;

  function* judging(damage, amount) {
    const is_shown = stage.values.damage === damage && stage.values.amount === amount;
    const there = is_shown ? current() : { X: damaged(damage, amount) };
    const apart = (there.apart ??= yield* false_neighbors_search(there.X, Y, NEIGHBORS));
    const torn = (there.torn ??= yield* false_neighbors_search(Y, there.X, NEIGHBORS));
    const { back, forth } = yield* two_way_search(there.X, Y, AVERAGED);
    const losses = [...[apart, torn].map(({ cost }) => 1 - agreement_of(cost, NEIGHBORS)), back, forth];
    judged.set(key(damage, amount), { losses, apart, torn });
  }
  function next_job() {
    const { damage, amount } = stage.values;
    const wanted = [amount, ...given.amounts.filter((a) => a <= amount + 1e-9)].find((a) => !judged.has(key(damage, a)));
    return wanted === undefined ? null : { of: key(damage, wanted), work: judging(damage, wanted) };
  }
  /** Whether the judges are done. */
  function work() {
    const due = performance.now() + WORK;
    const wanted = next_job();
    if (job === null || (wanted && wanted.of !== job.of && !judged.has(key(stage.values.damage, stage.values.amount)))) job = wanted;
    while (job && performance.now() < due) if (job.work.next().done) job = next_job();
    return job === null;
  }

  // Controls

  stage.choice("damage");
  stage.slider("amount");
  stage.button("Tour", () => {
    stage.set({ damage: TOUR, amount: 1 });
    link.values({ ...stage.values });
  });
  stage.button("Clear brush", () => {
    brushed.clear();
    tell();
  });
  stage.button("Reset", () => {
    brushed.clear();
    stage.reset();
    link.values({ ...stage.values });
    tell();
  });
  const tell = () => link.out({ brushed: in_order() });
  stage.onvalues = link.values;
  stage.put = ({ brushed: numbers }) => {
    if (numbers) {
      brushed.clear();
      for (const n of numbers) brushed.add(n);
    }
    stage.redraw();
  };

  // The brush: points under the pointer, or under a ring that arrow keys move

  for (const plot of [right_one, damaged_one]) {
    const points = () => (plot === right_one ? X : current().X);
    const paint = (x, y) => {
      brush.set(plot, [x, y]);
      const T = points();
      const [px, py] = [plot.across(x), plot.up(y)];
      for (let n = 0; n < N; n++) {
        const away = Math.hypot(plot.across(T.data[2 * n]) - px, plot.up(T.data[2 * n + 1]) - py);
        if (away <= BRUSH) brushed.add(n);
      }
    };
    plot.cursor = "crosshair";
    plot.area = () => true;
    plot.ondown = (x, y, event) => {
      if (!event.shiftKey) brushed.clear();
      painting = plot;
      paint(x, y);
    };
    plot.onhover = (x, y) => {
      brush.set(plot, [x, y]);
      if (painting === plot) paint(x, y);
    };
    plot.onup = () => {
      painting = null;
      tell();
    };
    plot.onleave = () => {
      brush.delete(plot);
      stage.redraw();
    };
    plot.onkey = (event, by) => {
      if (event.key === "Escape") brushed.clear();
      else if (by) {
        const [x, y] = brush.get(plot) ?? [(plot.x[0] + plot.x[1]) / 2, (plot.y[0] + plot.y[1]) / 2];
        const move = (v, along, [low, high]) => Math.min(Math.max(v + 0.04 * along * (high - low), low), high);
        if (!event.shiftKey) brushed.clear();
        paint(move(x, by[0], plot.x), move(y, by[1], plot.y));
      } else return false;
      tell();
      return true;
    };
  }

  // What is seen

  function limits_of(damage) {
    limits[damage] ??= (() => {
      const all = [0, 0.5, 1].map((amount) => damaged(damage, amount));
      return [0, 1].map((column) => {
        const ends = all.map((T) => extent(T, column));
        const [low, high] = [Math.min(...ends.map((e) => e[0])), Math.max(...ends.map((e) => e[1]))];
        return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
      });
    })();
    return limits[damage];
  }
  const whole = [0, 1].map((column) => {
    const [low, high] = extent(X, column);
    return [low - 0.05 * (high - low || 1), high + 0.05 * (high - low || 1)];
  });

  stage.draw = () => {
    const now = current();
    const of = now.damage === TOUR ? given.pictures.tour : now.damage in DAMAGES ? given.pictures.damaged : given.pictures.other;
    damaged_one.title = of.title;
    right_one.limits(...whole);
    damaged_one.limits(...limits_of(now.damage));
    const done = now.seen && work(); // the picture of other values comes before their judges
    now.seen = true;
    if (brushed.size && now.apart) links(right_one, X, now.apart, COLORS.classes[0]);
    if (brushed.size && now.torn) links(damaged_one, now.X, now.torn, COLORS.classes[2]);
    for (const [plot, T] of [[right_one, X], [damaged_one, now.X]]) {
      plot.points(T, { color: (n) => colors[n], size: N > 400 ? 2.6 : 3.6, alpha: brushed.size ? 0.45 : 1 });
      for (const n of in_order()) {
        const spot = { data: row(T, n), rows: 1, columns: 2 };
        plot.points(spot, { color: plot.ink, size: 5 });
        plot.points(spot, { color: colors[n], size: 3.8 });
      }
      const on = document.activeElement === plot.canvas || painting === plot;
      if (brush.has(plot) && on) plot.ring(...brush.get(plot), BRUSH, { width: 1 });
    }
    draw_chart(now);
    if (!done) stage.redraw();
  };

  /** Lines from the brushed points to those that a judge counts as false neighbours, or as lost ones. */
  function links(plot, T, { neighbors }, color) {
    for (const n of in_order()) {
      for (let a = 0; a < NEIGHBORS; a++) {
        const m = neighbors[NEIGHBORS * n + a];
        plot.segment(T.data[2 * n], T.data[2 * n + 1], T.data[2 * m], T.data[2 * m + 1], { color, width: 0.8 });
      }
    }
  }

  function draw_chart({ damage, amount }) {
    const power = (loss) => Math.log10(Math.max(loss, LEAST_LOSS));
    const known = given.amounts.filter((a) => a <= amount + 1e-9 && judged.has(key(damage, a)));
    const here = judged.get(key(damage, amount));
    LOOKS.forEach(({ color, dash }, k) => {
      const line = known.map((a) => [a, power(judged.get(key(damage, a)).losses[k])]);
      if (line.length) chart.curve(table(line), { color, dash, width: 2 });
      if (here) chart.points(table([[amount, power(here.losses[k])]]), { color, size: 5 });
    });
    chart.key(LOOKS);
  }

  // Words

  stage.summary = () => {
    const now = current();
    const { damage, amount } = now;
    const here = judged.get(key(damage, amount));
    if (!here) return `Damage: ${damage}, amount ${amount.toFixed(2)}. The judges are at work.`;
    const named = chart.legend.map((name, k) => `${name} = ${here.losses[k].toFixed(4)}`).join(", ");
    const words = `Damage: ${damage}, amount ${amount.toFixed(2)}. ${named}.`;
    if (!brushed.size) return words;
    let [wrong, lost] = [0, 0];
    for (const n of brushed) {
      wrong += now.apart.rank[n] / brushed.size;
      lost += now.torn.rank[n] / brushed.size;
    }
    return `${words} Brushed points: ${brushed.size}. Their ${NEIGHBORS} neighbours after the damage have the mean ` +
      `rank ${wrong.toFixed(1)} in the data, and their ${NEIGHBORS} neighbours in the data have the mean rank ` +
      `${lost.toFixed(1)} after the damage; ${(NEIGHBORS + 1) / 2} is best.`;
  };

  stage.redraw();
  return stage;
}
