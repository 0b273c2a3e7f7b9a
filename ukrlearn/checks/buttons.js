// A row of buttons: tells Python which one was pressed, and says so while Python is at work.

function render({ model, el }) {
  const row = document.createElement("div");
  row.className = "ukrlearn-buttons";
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  const buttons = model.get("texts").map((text) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.dataset.lmSuppressShortcuts = "true"; // Enter presses it, and does not edit the cell
    button.addEventListener("click", () => {
      said.textContent = "Waiting for the kernel, which may still run cells. If it has stopped, run this one.";
      model.send({ pressed: text });
    });
    return button;
  });
  model.on("msg:custom", () => (said.textContent = "")); // Python sends one when it is done
  row.append(...buttons, said);
  el.append(row);
}

export default { render };
