
// Each place for this explorable gets it, and keeps its picture for paper. If it can't be shown, the
// picture stays on the screen too.

for (const place of document.querySelectorAll(".live[data-script='SCRIPT']")) {
  const { given, values } = JSON.parse(place.querySelector("script").textContent);
  const host = place.appendChild(document.createElement("div"));
  try {
    const stage = show(host, given, { values() {}, out() {} });
    stage.set(values);
    place.classList.add("alive");
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("explorable")));
  } catch (problem) {
    host.remove();
    console.error(problem);
  }
}
