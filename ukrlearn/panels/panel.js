// A panel in the page: controls, a message and a picture. Plain ES module, loaded by anywidget.
//
// The kernel knows the values. A slider sends the number of its step, or what was typed, and the
// kernel answers with the true values as text. One question is under way at a time. While the
// kernel is busy, newer positions of a slider replace older ones.

const PATIENCE = 60_000; // ms after which a question counts as lost, for instance by an interrupt
let views = 0;

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class" || name === "for" || name === "role" || name.includes("-")) {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children);
  return made;
}

/** Questions to the kernel, one at a time; each has a key, and a newer one replaces an older one. */
function questions(model, view) {
  const waiting = new Map();
  let count = 0;
  let asked = null; // the question under way
  let since = 0;

  function next() {
    if (asked && performance.now() - since < PATIENCE) return;
    const [first] = waiting;
    if (!first) return;
    waiting.delete(first[0]);
    asked = `${view}-${++count}`;
    since = performance.now();
    model.send({ asked, ...first[1] });
  }

  function answered(content) {
    if (content.answered !== asked) return;
    asked = null;
    requestAnimationFrame(next);
  }

  model.on("msg:custom", answered);
  return {
    ask(key, content) {
      waiting.set(key, content);
      next();
    },
    waitsFor: (key) => waiting.has(key),
    stop: () => model.off("msg:custom", answered),
  };
}

/** A label, a range input that moves in steps, and a box for exact values. */
function slider({ name, label, last, texts, low, refits }, id, kernel) {
  const textOf = (step) => (texts ? texts[step] : String(low + step));
  const range = element("input", { type: "range", id, min: 0, max: last, step: 1 });
  const box = element("input", {
    type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false,
    "aria-label": `${label}, exact value`,
    size: Math.max(5, ...(texts ?? [textOf(0), textOf(last)]).map((text) => text.length)),
  });
  range.dataset.lmSuppressShortcuts = "true"; // JupyterLab would take the arrow keys
  let typing = false;

  function show(text, step) {
    range.setAttribute("aria-valuetext", text);
    if (step !== undefined) range.value = step;
    if (!typing) box.value = text;
  }
  const send = () => kernel.ask(name, { control: name, step: Number(range.value) });
  range.addEventListener("input", () => {
    typing = false;
    show(textOf(Number(range.value)));
    if (!refits) send();
  });
  if (refits) range.addEventListener("change", send);
  box.addEventListener("input", () => { typing = true; });
  const commit = () => {
    if (typing) kernel.ask(name, { control: name, text: box.value });
    typing = false;
  };
  box.addEventListener("change", commit);
  box.addEventListener("keydown", ({ key }) => { // JupyterLab keeps Enter from the box
    if (key === "Enter") commit();
  });
  return {
    node: element("div", { class: "ukr-slider" },
      element("label", { for: id }, label), range, box),
    inputs: [box],
    show: ({ text, step }) => kernel.waitsFor(name) || show(text, step),
  };
}

/** A label and a menu of words. */
function choice({ name, label, options }, id, kernel) {
  const menu = element("select", { id }, ...options.map((text) => new Option(text, text)));
  menu.dataset.lmSuppressShortcuts = "true";
  menu.addEventListener("change", () => {
    kernel.ask(name, { control: name, value: menu.value });
  });
  return {
    node: element("div", {}, element("label", { for: id }, label), menu),
    inputs: [menu],
    show: (value) => { menu.value = value; },
  };
}

/** A box to tick. */
function tick({ name, label }, id, kernel) {
  const box = element("input", { type: "checkbox", id });
  box.addEventListener("change", () => kernel.ask(name, { control: name, value: box.checked }));
  return {
    node: element("div", {}, box, element("label", { for: id }, label)),
    inputs: [box],
    show: (value) => { box.checked = value; },
  };
}

const KINDS = { slider, choice, switch: tick };

function render({ model, el }) {
  const view = `ukrlearn-panel-${++views}`;
  const kernel = questions(model, view);
  const { title, controls, buttons, width, height } = model.get("parts");
  const made = {};
  const main = element("div", { class: "ukr-row" });
  const further = element("div", { class: "ukr-row", id: `${view}-more` });
  for (const control of controls) {
    const one = KINDS[control.kind](control, `${view}-${control.name}`, kernel);
    made[control.name] = one;
    (control.main ? main : further).append(one.node);
  }
  let presses = 0;
  for (const text of buttons) {
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", () => kernel.ask(`press ${++presses}`, { press: text }));
    main.append(button);
  }
  const more = element("button", { type: "button", "aria-controls": further.id });
  if (further.children.length) main.append(more);
  more.addEventListener("click", () => {
    model.set("more", !model.get("more"));
    model.save_changes();
  });

  const status = element("p", { role: "status" });
  const alert = element("p", { role: "alert", id: `${view}-alert` });
  const words = element("div", { class: "ukr-words" }, alert, status);
  const picture = element("img", { width, height });

  const showMore = () => {
    const open = model.get("more");
    more.textContent = open ? "Fewer controls" : "More controls";
    more.setAttribute("aria-expanded", String(open));
    further.hidden = !open;
  };
  const showValues = () => {
    for (const [name, value] of Object.entries(model.get("values"))) made[name].show(value);
  };
  const showPicture = () => {
    picture.alt = model.get("alt");
    picture.src = model.get("picture");
  };
  let tallest = 0;
  const showMessage = () => {
    const { text, role, control } = model.get("message");
    const wrong = role === "alert";
    alert.textContent = wrong ? text : "";
    status.textContent = wrong ? "" : text;
    for (const [name, { inputs }] of Object.entries(made)) {
      for (const input of inputs) {
        if (wrong && name === control) {
          input.setAttribute("aria-invalid", "true");
          input.setAttribute("aria-describedby", alert.id);
        } else {
          input.removeAttribute("aria-invalid");
          input.removeAttribute("aria-describedby");
        }
      }
    }
    if (!wrong) showValues();
    tallest = Math.max(tallest, words.offsetHeight); // nothing below jumps up again
    words.style.minHeight = `${tallest}px`;
  };
  const resized = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === resized.width) return;
    resized.width = contentRect.width;
    tallest = 0;
    words.style.minHeight = "";
    tallest = words.offsetHeight;
  });

  const shown = { more: showMore, values: showValues, picture: showPicture, alt: showPicture,
    message: showMessage };
  for (const [name, show] of Object.entries(shown)) model.on(`change:${name}`, show);
  showMore();
  showValues();
  showPicture();
  showMessage();
  el.classList.add("ukr-panel");
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", title);
  el.append(main, further, words, picture);
  resized.observe(el);
  return () => {
    resized.disconnect();
    kernel.stop();
    for (const [name, show] of Object.entries(shown)) model.off(`change:${name}`, show);
  };
}

export default { render };
