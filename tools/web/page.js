// What every page does besides being read: the theme, the way to the search page, and questions that
// take an answer.

const root = document.documentElement;

/** What the browser keeps under a name, or keeps from now on. It may refuse, above all in folders. */
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, JSON.stringify(value));
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

/** All that it keeps of questions; their keys are LESSON/NAME. */
function record() {
  try {
    const keys = Object.keys(localStorage).filter((key) => /^\w+\/[\w-]+$/.test(key));
    return Object.fromEntries(keys.map((key) => [key, Object(kept(key))]));
  } catch {
    return {};
  }
}

/** Takes from the questions of earlier units those that are due today, or were asked here today. */
function comeBack(section) {
  const questions = new Map(
    [...section.querySelector("template").content.children].map((place) => [place.dataset.key, place]),
  );
  const candidates = [...questions].map(([key, place]) => [key, "again" in place.dataset]);
  const [asked, due] = chosen(record(), candidates, now(), section.dataset.unit, 3);
  section.append(...[...asked, ...due].map((key) => questions.get(key)));
  for (const key of due) questions.get(key).dataset.due = "";
  section.hidden = asked.length + due.length === 0;
}

const night = matchMedia("(prefers-color-scheme: dark)");
const themed = () => (root.dataset.theme = kept("theme") ?? (night.matches ? "dark" : "light"));
themed(); // before anything is drawn

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function ended(sentence) {
  if (!/[.!?]$/.test(sentence.textContent)) sentence.append(".");
  return sentence;
}

const copied = (node) => [...node.childNodes].map((child) => child.cloneNode(true));
const number = (text) => (text.trim() ? Number(text.replace(",", ".").replace("−", "-")) : NaN);
const written = (value) => String(Number.isInteger(value) ? value : Number(value.toPrecision(4)));

/** How far a number is from the answer, in the words of ukrlearn/checks/_prediction.py. */
function beside(guess, answer, within, told) {
  const times = (ratio) => `${written(Math.round(10 * ratio) / 10)} times`;
  if (Math.abs(guess - answer) <= within) return `, and whatever is within ${written(within)} of it counts as right`;
  if (told && guess && answer / guess >= 1.5) return `, ${times(answer / guess)} as much`;
  if (told && answer && guess / answer >= 1.5) return `: your number is ${times(guess / answer)} too large`;
  return `: your number is too ${guess < answer ? "small" : "large"}`;
}

/** Makes a form of a question. A first wrong answer leaves it open; then, or when the reader wants it,
    the answer stands beside theirs. */
function ask(place, count) {
  const { key, kind } = place.dataset;
  const review = place.closest(".review");
  const [answer, within] = [Number(place.dataset.answer), Number(place.dataset.within)];
  const [question, list, told] = ["p", "ul", "details"].map((tag) => place.querySelector(tag));
  const [truth, because] = told.querySelector("p").children;
  const name = (question.id = `question-${count}`);
  const labels = [...(list?.children ?? [])].map((item, value) =>
    make("label", {}, make("input", { type: "radio", name, value }), make("span", {}, ...item.childNodes)),
  );
  const options = labels.map((label) => label.textContent);
  for (const { firstChild, lastChild } of labels) {
    const formula = lastChild.querySelector("math:only-child"); // some readers find no words in it
    if (formula?.textContent === lastChild.textContent) firstChild.ariaLabel = formula.getAttribute("alttext");
  }
  const box = make(kind === "words" ? "textarea" : "input", { "aria-labelledby": name, autocomplete: "off" });
  if (kind === "number") box.inputMode = "decimal";
  const field = make("fieldset", { "aria-labelledby": name }, ...(list ? labels : [box]));
  const button = (text, type = "button") => make("button", { type }, text);
  const [commit, show, again] = [button("Commit", "submit"), button("Show the answer"), button("Predict again")];
  const outcome = make("div", { role: "status", tabindex: -1 });
  const form = make("form", {}, field, make("div", { class: "buttons" }, commit, show, again), outcome);

  const judged = (text) => {
    if (kind === "words") return null;
    return list ? options.indexOf(text) === answer : Math.abs(number(text) - answer) <= within;
  };
  const possible = (text) => {
    if (list || typeof text !== "string") return options.includes(text);
    return kind === "words" ? text.trim() !== "" : Number.isFinite(number(text));
  };

  let { guess, done } = ("due" in place.dataset ? null : kept(key)) ?? {};
  if (guess !== undefined && !possible(guess)) [guess, done] = []; // the question was another once

  function sentences() {
    if (guess === undefined) return done ? [ended(make("p", {}, "Skipped. The answer is ", bold(truth)))] : [];
    const right = judged(guess);
    const verdict = make("span", { class: right ? "right" : "wrong" }, right ? "✓ Right." : "✗ Not so.");
    const option = labels[options.indexOf(guess)]?.lastChild;
    const value = kind === "number" ? written(number(guess)) : guess;
    const said = make("p", {}, ...(right === null ? [] : [verdict, " "]), "You said ", bold(option ?? value));
    if (done && (option ? !right : value !== truth.textContent)) said.append("; the answer is ", bold(truth));
    if (kind === "number" && value !== truth.textContent) said.append(beside(number(value), answer, within, done));
    ended(said);
    const why = told.querySelector(`[data-option="${options.indexOf(guess)}"] > span`);
    const reason = why ? [make("p", {}, ...copied(why))] : [];
    return done ? [said, ...reason] : [said, ...reason, make("p", {}, "Think again, or show the answer.")];
  }

  const bold = (what) => make("strong", {}, ...(typeof what === "string" ? [what] : copied(what)));

  function draw() {
    field.disabled = commit.hidden = show.hidden = Boolean(done);
    again.hidden = !done || Boolean(review);
    place.classList.toggle("done", Boolean(done)); // the next of a review appears
    outcome.replaceChildren(...sentences(), ...(done && because ? [make("p", {}, ...copied(because))] : []));
  }

  /** The next state of the form, which the browser keeps; the focus stays where there is something to do. */
  function become(text, ended) {
    [guess, done] = [text, ended];
    const right = text === undefined ? null : judged(text);
    const where = review?.dataset.unit ?? unitOf(key);
    const known = ended || text !== undefined ? noted(record(), key, right, where, now()) : kept(key);
    kept(key, { ...known, guess, done });
    draw();
    if (ended) outcome.focus({ preventScroll: true });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = list ? options[form.querySelector(":checked")?.value] : box.value;
    if (possible(given)) become(given, Boolean(review) || judged(given) !== false || guess !== undefined);
    else if (list) outcome.replaceChildren("Choose one of the options first, or show the answer.");
    else outcome.replaceChildren(`It must be ${kind === "number" ? "a number such as 0.25 or 1e-3" : "a few words"}.`);
  });
  show.addEventListener("click", () => become(guess, true));
  again.addEventListener("click", () => {
    become(undefined, false);
    form.reset();
    field.querySelector("input, textarea").focus({ preventScroll: true });
  });

  if (guess !== undefined && list) labels[options.indexOf(guess)].firstChild.checked = true;
  else if (guess !== undefined) box.value = guess;
  draw();
  list?.remove();
  told.before(form); // paper has the answer
}

/** On a narrow screen the columns of a picture stand one below the other, see style.css. */
function stack(picture) {
  const ends = [0, ...picture.dataset.cuts.split(" ").map(Number), 1];
  const columns = ends.slice(1).map((end, k) => {
    const column = picture.cloneNode();
    column.alt = "";
    column.style.width = `${100 / (end - ends[k])}%`;
    column.style.marginLeft = `${(-100 * ends[k]) / (end - ends[k])}%`;
    return make("div", {}, column);
  });
  picture.after(make("div", { class: "columns-of-picture", "aria-hidden": true }, ...columns));
  picture.classList.add("in-columns");
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("img[data-cuts]:not([data-cuts=''])").forEach(stack);
  const button = document.querySelector(".theme");
  const show = () => {
    button.setAttribute("aria-pressed", root.dataset.theme === "dark");
    document.body.dataset.theme = root.dataset.theme; // explorables watch the body
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    kept("theme", root.dataset.theme);
    show();
  });
  night.addEventListener("change", () => show(themed()));
  show();
  document.querySelectorAll(".review").forEach(comeBack);
  document.querySelectorAll(".ukrlearn-prediction[data-key]").forEach(ask);

  const margin = matchMedia("(min-width: 1400px)"); // notes stand in it, see style.css
  const fold = () => document.querySelectorAll(".sure").forEach((note) => (note.open = margin.matches));
  margin.addEventListener("change", fold);
  fold();

  const field = document.querySelector("header input[type=search]");
  field.form.hidden = false;
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.form.dataset.here === undefined) {
      location.href = `search.html?q=${encodeURIComponent(field.value)}`;
    }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable], .ukr");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    }
  });
});
