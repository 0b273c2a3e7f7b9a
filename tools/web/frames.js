// Frames of a panel: each value of the controls has its part of the picture, and its words.

for (const place of document.querySelectorAll(".frames")) {
  const summaries = JSON.parse(place.querySelector("script").textContent);
  const fields = [...place.querySelectorAll("input, select")];
  const picture = place.querySelector("img");
  const show = () => {
    let at = 0; // the values of the last field change fastest
    for (const field of fields) {
      const [value, values] =
        field.type === "checkbox"
          ? [Number(field.checked), 2]
          : [Number(field.value), field.options?.length ?? Number(field.max) + 1];
      at = at * values + value;
      if (field.type === "range") {
        const text = JSON.parse(field.dataset.values)[value];
        field.previousElementSibling.value = text;
        field.setAttribute("aria-valuetext", text);
      }
    }
    place.style.setProperty("--at", `${(100 * at) / (summaries.length - 1)}%`);
    picture.alt = summaries[at];
    place.querySelector(".words").textContent = summaries[at];
  };
  place.addEventListener("input", show);
  place.querySelector(".controls").hidden = false;
  show(); // a browser may have kept what was set before
}
