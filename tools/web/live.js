
// Each place for this explorable gets it, and keeps its picture for paper. If it can't be shown, the
// picture stays on the screen too.

document.querySelectorAll(".live[data-script='SCRIPT']").forEach((place, k) => {
  const host = place.appendChild(document.createElement("div"));
  try {
    const data = JSON.parse(place.querySelector("script").textContent);
    with_address(show, host, data, "SCRIPT".replace(".js", k ? `-${k + 1}` : ""));
    place.classList.add("alive");
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("explorable")));
  } catch (problem) {
    host.remove();
    console.error(problem);
  }
});
