// Arrow keys, space and clicks turn the pages; a question shows its answer before the page turns.
const slides = [...document.querySelectorAll(".slide")];
const bar = document.querySelector(".bar");
let now = Math.max(0, slides.findIndex((slide) => `#${slide.id}` === location.hash));

function show(number, told) {
  now = Math.min(Math.max(number, 0), slides.length - 1);
  slides.forEach((slide, k) => slide.classList.toggle("now", k === now));
  const slide = slides[now];
  if (slide.classList.contains("question")) {
    slide.classList.toggle("told", told);
    slide.classList.toggle("asked", !told);
  }
  bar.style.width = `${(100 * (now + 1)) / slides.length}%`;
  history.replaceState(null, "", `#${slide.id}`);
  slide.focus({ preventScroll: true });
}

function onward() {
  const asked = slides[now].classList.contains("asked");
  if (asked) show(now, true);
  else if (now + 1 < slides.length) show(now + 1, false);
}

function back() {
  const told = slides[now].classList.contains("told");
  if (told) show(now, false);
  else if (now > 0) show(now - 1, true);
}

const keys = {
  ArrowRight: onward, ArrowDown: onward, PageDown: onward, " ": onward, Enter: onward,
  ArrowLeft: back, ArrowUp: back, PageUp: back, Backspace: back,
  Home: () => show(0, false), End: () => show(slides.length - 1, false),
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
});
document.addEventListener("click", (event) =>
  event.clientX < innerWidth / 4 ? back() : onward());
document.body.classList.add("deck");
show(now, false);
