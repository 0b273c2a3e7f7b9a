// A question that takes an answer: draws the form, sends what the reader does, shows what Python says.
// Python judges, so that the answer is not in the page before the reader has committed.

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function html(tag, attributes, text) {
  const node = make(tag, attributes);
  node.innerHTML = text;
  return node;
}

/** Typesets formulas with what the front end has; without it they stay readable as $...$. */
function typeset(model, node) {
  if (!node.textContent.includes("$")) return;
  const jupyter = model.widget_manager?.rendermime?.latexTypesetter;
  if (jupyter) jupyter.typeset(node);
  else globalThis.MathJax?.typesetPromise?.([node]);
}

/** Hides the outputs of the next cells, and the explanations that stand after them, in JupyterLab. */
function hiding(slug, hides) {
  const cell = `.ukrlearn-open-${slug}`;
  const later = (count) => cell + " ~ .jp-CodeCell".repeat(count);
  const outputs = `${cell} ~ .jp-CodeCell:not(.jp-mod-noOutputs):not(${later(hides + 1)}) .jp-Cell-outputWrapper`;
  const checks = `${cell} ~ .jp-MarkdownCell:has(.jp-RenderedMarkdown > details):not(${later(hides + 1)} ~ .jp-Cell)`;
  return `
${outputs} > * { display: none !important; }
${outputs}::after {
  content: "The result appears here when you have committed to a prediction, or skipped it.";
  display: block; padding: 0.5em 1em; margin-left: var(--jp-cell-prompt-width);
  border-left: 4px dotted currentColor; color: var(--jp-ui-font-color1);
  font-family: var(--jp-content-font-family); font-size: var(--jp-content-font-size1);
}
${checks} { display: none !important; }`;
}

function field(kind, options, label, group) {
  if (kind === "number")
    return make("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-labelledby": label });
  if (kind === "words") return make("textarea", { rows: 3, "aria-labelledby": label });
  const choices = options.map((text, index) => {
    const radio = make("input", { type: "radio", name: group, value: index });
    return make("label", {}, radio, html("span", {}, text));
  });
  return make("div", { role: "radiogroup", "aria-labelledby": label }, ...choices);
}

function render({ model, el }) {
  // Every widget loads this module anew, so a counter would begin at 0 in each.
  const view = `ukrlearn-prediction-${Math.random().toString(36).slice(2)}`;
  const slug = model.get("slug");
  const style = make("style");
  const root = make("div", { role: "group", "aria-labelledby": view, class: "ukrlearn-predict" });
  el.append(style, root);

  function button(text, press) {
    const node = make("button", { type: "button" }, text);
    node.addEventListener("click", press);
    return node;
  }

  const message = make("p", { role: "status", class: "ukrlearn-message" });
  const say = () => (message.textContent = model.get("said") ?? "");

  let cell = null;
  let gone = false;
  let drawn = null; // the phase that the form shows

  /** Marks the cell, which :has() could find too, but after every change of the page anew. */
  function mark() {
    if (gone) return;
    cell ??= root.closest(".jp-Cell");
    cell?.classList.toggle(`ukrlearn-open-${slug}`, model.get("phase") === "open");
    if (!root.isConnected) requestAnimationFrame(mark); // it will be in the page soon
  }

  /** Drawing twice changes nothing: what the reader has chosen or typed, and the focus, stay. */
  function draw(moved) {
    if (drawn === model.get("phase")) return;
    drawn = model.get("phase");
    const open = drawn === "open";
    mark();
    root.classList.toggle("ukrlearn-open", open); // the next of a review waits
    const hides = model.get("hides");
    style.textContent =
      `.ukrlearn-static-${slug}, .jp-OutputArea-child:has(> * > .ukrlearn-static-${slug}) { display: none; }` +
      (open && hides ? hiding(slug, hides) : "");
    const question = html("p", { id: view }, `<strong>${model.get("label")}</strong> ${model.get("question")}`);
    root.replaceChildren(question, ...(open ? asking() : telling()));
    // Arrows choose an option and Enter presses a button: neither moves through the notebook.
    const focusable = root.querySelectorAll("input, textarea, button, [tabindex]");
    for (const node of focusable) node.dataset.lmSuppressShortcuts = "true";
    typeset(model, root);
    if (moved) root.querySelector(open ? "input, textarea" : ".ukrlearn-outcome").focus({ preventScroll: true });
  }

  function asking() {
    const input = field(model.get("kind"), model.get("options"), view, view);
    const guess = () => {
      if (model.get("kind") !== "options") return input.value;
      const chosen = input.querySelector(":checked");
      return chosen ? Number(chosen.value) : null;
    };
    const send = (what) => {
      model.set("said", "Waiting for the kernel, which may still run cells. If it has stopped, run this one.");
      model.send(what);
    };
    // `draft` and `said` are kept in the page only, for all views of this form.
    input.addEventListener("input", () => model.set("draft", guess()));
    const draft = model.get("draft") ?? null;
    if (model.get("kind") !== "options") input.value = draft ?? "";
    else if (draft !== null) input.querySelectorAll("input")[draft].checked = true;
    const commit = () => send({ do: "commit", guess: guess() });
    if (model.get("kind") === "number")
      input.addEventListener("keydown", (event) => event.key === "Enter" && commit());
    const skip = () => send({ do: "skip" });
    return [input, make("div", { class: "ukrlearn-buttons" }, button("Commit", commit), button("Skip", skip)), message];
  }

  function telling() {
    model.set("draft", null);
    model.set("said", "");
    const again = button("Predict again", () => model.send({ do: "again" }));
    again.hidden = model.get("slug") === "review"; // it comes back another day
    return [
      html("div", { class: "ukrlearn-outcome", role: "status", tabindex: "-1" }, model.get("outcome")),
      make("div", { class: "ukrlearn-buttons" }, again),
    ];
  }

  const heard = {
    "change:phase": () => draw(true),
    "change:said": say,
    "msg:custom": () => model.set("said", model.get("message")), // sent when the form stays open
  };
  for (const [event, what] of Object.entries(heard)) model.on(event, what);
  say();
  draw(false);
  return () => {
    gone = true;
    cell?.classList.remove(`ukrlearn-open-${slug}`);
    for (const [event, what] of Object.entries(heard)) model.off(event, what);
  };
}

export default { render };
