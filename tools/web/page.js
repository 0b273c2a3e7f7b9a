// What every page does besides being read: the theme, and the way to the search page.

const root = document.documentElement;
const kept = {
  get theme() {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // a browser may forbid pages from folders to remember anything
    }
  },
  set theme(name) {
    try {
      localStorage.setItem("theme", name);
    } catch {
      // it lasts as long as the page
    }
  },
};
const night = matchMedia("(prefers-color-scheme: dark)");
const dark = () => (root.dataset.theme ?? (night.matches ? "dark" : "light")) === "dark";

if (kept.theme) root.dataset.theme = kept.theme; // before anything is drawn

document.addEventListener("DOMContentLoaded", () => {
  const button = document.querySelector(".theme");
  const show = () => {
    button.setAttribute("aria-pressed", dark());
    document.body.dataset.theme = dark() ? "dark" : "light"; // explorables watch the body
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = kept.theme = dark() ? "light" : "dark";
    show();
  });
  night.addEventListener("change", show);
  show();

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
