// Questions that come back, by the schedule of ukrlearn/checks/_review.py and _work.py. The record is
// what the browser keeps of each question: when it was answered first and last (`date`), how many units
// had begun by then (`at`), on how many days it was asked, and whether it was right on the last of them.

const [REST, EVER] = [3, "2000-01-01"];
const now = () => new Date(Date.now() - 6e4 * new Date().getTimezoneOffset()).toISOString().slice(0, 16);
const dayOf = (time) => Date.parse(time.slice(0, 10)) / 864e5;
const unitOf = (key) => key.split("/")[0];

/** When the first question of each unit was answered. */
function begun(record) {
  const units = {};
  for (const [key, { date = EVER, first = date }] of Object.entries(record))
    if (!(first > units[unitOf(key)])) units[unitOf(key)] = first;
  return units;
}

/** What the schedule has to know of a question after an answer; `right` is null if nothing was said. */
function noted(record, key, right, where, time) {
  let { date = "", first = date || time, times = 0, known = false } = record[key] ?? {};
  if (date.slice(0, 10) !== time.slice(0, 10)) [times, known] = [times + 1, right ?? known];
  return { date: time, first, at: new Set([...Object.keys(begun(record)), where]).size, times, known };
}

/** The keys that were asked at this opening of a unit, and those to ask besides, `most` in all. From the
    candidates [key, whether it is a prediction of a lesson] in the order of the course. */
function chosen(record, candidates, time, unit, most) {
  const units = begun(record);
  const count = new Set([...Object.keys(units), unit]).size;
  const [asked, due] = [[], [[], []]];
  for (const [number, [key, again]] of candidates.entries()) {
    const [begins, entry] = [units[unitOf(key)], record[key]];
    if (begins === undefined || unitOf(key) >= unit || (again && !entry)) continue;
    const { date = entry ? EVER : begins, at = 0, times = 0, known = false } = entry ?? {};
    const days = dayOf(time) - dayOf(date);
    if (entry && days === 0) asked.push(...(at === count ? [key] : []));
    else if (!entry || Math.max(count - at, days) >= (known ? REST : 1))
      due[Number(again)].push([known ? times : 0, dayOf(date), number, key]);
  }
  const [keys, made] = due.map((some) => some.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]));
  const room = Math.max(most - asked.length, 0);
  const first = room - Math.min(made.length, 1);
  const next = [...keys.slice(0, first), ...made, ...keys.slice(first)].slice(0, room);
  return [asked, next.map((one) => one[3])];
}
