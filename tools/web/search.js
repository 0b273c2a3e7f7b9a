// Search without a server: INDEX has, for each word, the sections that hold it, and how much it says
// there; SECTIONS have a page, a place on it, two titles and the words that they begin with.

const { sections, index } = JSON.parse(document.getElementById("search-index").textContent);
const words = Object.keys(index).sort();
const results = document.querySelector(".results");
const status = document.querySelector(".found");
const field = document.querySelector("header input[type=search]");

/** The words of a text, as the index spells them: tools/search.py does the same. */
function wordsOf(text) {
  const bare = text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  return bare.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** The weights of all sections that have a word, or one that begins with it. */
function sectionsWith(word) {
  const found = new Map();
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle] < word) low = middle + 1;
    else high = middle;
  }
  for (let k = low; k < words.length && words[k].startsWith(word); k++) {
    const whole = words[k] === word ? 1 : 0.4;
    const flat = index[words[k]];
    for (let n = 0; n < flat.length; n += 2) {
      found.set(flat[n], Math.max(found.get(flat[n]) ?? 0, whole * flat[n + 1]));
    }
  }
  return found;
}

/** Sections that hold all words of a query, the best first. */
function search(query) {
  const [first, ...others] = wordsOf(query).map(sectionsWith);
  if (!first) return [];
  const rated = [];
  for (const [section, weight] of first) {
    if (others.every((found) => found.has(section))) {
      rated.push([others.reduce((sum, found) => sum + found.get(section), weight), section]);
    }
  }
  return rated.sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([, section]) => sections[section]);
}

function show() {
  const query = field.value.trim();
  const found = search(query);
  const most = 40;
  results.replaceChildren(
    ...found.slice(0, most).map(({ page, place, title, heading, text }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = page + (place && `#${place}`);
      link.textContent = heading || title;
      const where = document.createElement("span");
      where.textContent = heading ? title : "";
      const words = document.createElement("p");
      words.textContent = text;
      item.append(link, where, words);
      return item;
    }),
  );
  const more = found.length > most ? `, the first ${most} of them here` : "";
  const places = found.length === 1 ? "1 place" : `${found.length} places`;
  status.textContent = query ? `${places} with “${query}”${more}.` : "";
  try {
    history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
  } catch {
    // pages from folders may not change their address everywhere
  }
}

field.form.dataset.here = "";
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.addEventListener("input", show);
field.focus();
show();
