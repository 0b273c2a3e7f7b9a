"""Panels that the page computes and draws itself, as often as the screen can show a picture.

Such a panel has two halves. The module js/NAME.js computes, draws and answers the hand, without a
kernel if need be. The Python class gives it the data and the words, draws the picture that stands
where no script runs, and takes back what the hand has made. Files in js/ are plain ES modules, in
js/core/ those of the mathematics: a static page can import them, and a notebook gets them joined.
"""

import base64
import re
from dataclasses import asdict
from functools import cache
from pathlib import Path

import anywidget
import numpy as np
from traitlets import Dict

from ukrlearn.blocks.arguments import shown
from ukrlearn.blocks.density_kernels import gaussian, quartic, student
from ukrlearn.panels._base import Panel

JS = Path(__file__).parent / "js"
IMPORT = re.compile(r"^import \{[^}]*\} from \"\./([\w./]+)\";\n", re.M)
IN_THE_PAGE = gaussian, quartic, student
MOST = 2000  # points of which the page computes all pairs
RENDER = """
export default {
  render({ model, el }) {
    const host = document.createElement("div"); // the style of `el` is the layout model's
    host.style.maxWidth = "844px"; // as the pictures of a lesson: wider ones are too high
    el.append(host);
    const send = (name) => (value) => { model.set(name, value); model.save_changes(); };
    const stage = show(host, model.get("given"), { values: send("values"), out: send("out") });
    const follow = () => stage.set(model.get("values"));
    const put = () => stage.put?.(model.get("put"));
    const made = model.get("out"); // by a hand that was here before
    if (Object.keys(made).length) stage.put?.(made);
    follow();
    model.on("change:values", follow);
    model.on("change:put", put);
    return () => {
      model.off("change:values", follow);
      model.off("change:put", put);
      stage.close();
    };
  },
};
"""


@cache
def joined(*scripts):
    """One ES module from scripts of js/ and all that they import, each file once."""
    texts = {}

    def visit(path):
        text = path.read_text(encoding="utf-8")
        for imported in IMPORT.findall(text):
            visit(path.parent / imported)
        texts.setdefault(path, IMPORT.sub("", text))

    for script in scripts:
        visit(JS / script)
    return "\n".join(texts.values())


class LiveView(anywidget.AnyWidget):
    """The widget of an explorable; subclasses add the script."""

    given = Dict().tag(sync=True)  # data, once
    values = Dict().tag(sync=True)  # of the controls, both ways
    put = Dict().tag(sync=True)  # from the kernel: points to be shown
    out = Dict().tag(sync=True)  # from the page: what the hand has made


@cache
def live_view(script):
    """The class of widget that runs this script."""
    return type(f"Live_{Path(script).stem}", (LiveView,), {"_esm": joined(script) + RENDER})


class Explorable(Panel):
    """The base of panels with a script. Subclasses also define `data`, and `_use` if a hand can
    change what they show; `_first` is what that was at first.

    `draw` and `move` draw the picture for places where no script runs. Words that both pictures
    have are said here: `pictures` has the title, xlabel, ylabel and legend of each, by name, and
    `hand`, which the page adds to the title: what the hand can do. `further` has those that only
    the page shows.
    """

    script = ""
    pictures = {}
    further = {}
    moved = ""  # the attribute that the hand changes, if there is one; `_use` checks and keeps it

    # For subclasses

    def data(self):
        """What the script needs besides words, in numbers, texts, lists and dictionaries."""
        raise NotImplementedError

    def write(self, ax, name):
        """The title and the labels of a picture, on the Axes that show it."""
        said = self.pictures[name]
        ax.set(**{part: said[part] for part in ("title", "xlabel", "ylabel") if part in said})

    def take(self, out):
        """Keep what the hand has made."""
        if self.moved in out:
            self._use(out[self.moved])

    def share(self, twin):
        if self.moved and getattr(self, self.moved) is not self._first:
            twin._use(getattr(self, self.moved))

    # For readers

    def reset(self):
        """Take back what the hand has changed, and set all controls to their initial values."""
        if self.moved and getattr(self, self.moved) is not self._first:
            self.put(**{self.moved: self._first})
            setattr(self, self.moved, self._first)
        return super().reset()

    def given(self):
        """All that the script gets: words, controls and data."""
        controls = {
            name: {part: plain(value) for part, value in asdict(control).items()}
            for name, control in self._controls.items()
        }
        return {
            "title": self.title,
            "controls": controls,
            "pictures": {**self.pictures, **self.further},
            **self.data(),
        }

    def put(self, **things):
        """Show other points, by the names that `out` has, and return the panel."""
        things = {name: plain(value) for name, value in things.items()}
        self.take({**self._view.out, **things})
        self._view.out = {**self._view.out, **things}
        self._send(**things)
        self._stale = True
        return self

    def summary(self):
        return self._fresh()._summary

    def figure(self):
        self._fresh()
        return super().figure()

    def png(self):
        self._fresh()
        return super().png()

    def _repr_mimebundle_(self, **options):
        self._fresh()
        return super()._repr_mimebundle_(**options)

    # Wiring

    def _build_widgets(self):
        self._stale = False
        self._view = live_view(self.script)(given=self.given())
        self.widget = self._view
        self._show_values()
        self._view.observe(self._moved, "values")
        self._view.observe(self._made, "out")

    def _send(self, **things):
        """Tell the page; the number makes it hear the same things twice, if a hand came between."""
        number = self._view.put.get("number", 0) + 1
        self._view.put = {**{name: plain(v) for name, v in things.items()}, "number": number}

    def _moved(self, change):
        """The page has moved controls. Nothing is drawn here until somebody asks."""
        known = {name: v for name, v in change["new"].items() if name in self._controls}
        self._values |= {name: self._controls[name].checked(v) for name, v in known.items()}
        self._stale = True

    def _made(self, change):
        self.take(change["new"])
        self._stale = True

    def _fresh(self):
        if self._stale:
            self._stale = False
            self._refresh()
        return self

    def _show_values(self):
        self._view.values = dict(self._values)

    def _show_picture(self):
        """The page draws its own."""

    def _tell(self, text, role, control=None):
        """The page has its own words."""


def plain(value):
    """Arrays and tuples as nested lists, and NumPy's numbers as Python's."""
    of_numpy = isinstance(value, np.ndarray | np.generic | tuple)
    return np.asarray(value).tolist() if of_numpy else value


def pairs(points, name="points"):
    """Finite points as an array with two columns; the page sends all numbers in one list."""
    try:
        points = np.array(points, dtype=float).reshape(-1, 2)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers in two columns; got {shown(points)}.") from None
    if not np.isfinite(points).all():
        raise ValueError(f"{name} must be finite numbers; replace or drop missing values.")
    demand_few(name, points)
    return points


def demand_few(name, points, least=0):
    """ValueError if the page could not compute all pairs of these points while the hand moves."""
    N = len(points)
    if N < least:
        raise ValueError(f"{name} must have at least {least} rows; got {N}. Give more points.")
    if N > MOST:
        raise ValueError(
            f"{name} must have at most {MOST} rows, because the page computes all pairs; got {N}. "
            f"Take some of them, as in {name}[::{-(-N // MOST)}]."
        )


def demand_different(name, points):
    """ValueError if all rows are equal: there is nothing to learn from them."""
    if not np.ptp(points, axis=0).any():
        raise ValueError(
            f"{name} must vary; all its {len(points)} rows are equal. Give points that differ."
        )


def demand_varying(name, points):
    """ValueError if a column is constant: a picture would have no width."""
    constant = np.flatnonzero(np.ptp(points, axis=0) == 0)
    if len(constant):
        raise ValueError(
            f"Each column of {name} must vary; column {constant[0]} is {points[0, constant[0]]:g} "
            f"in all {len(points)} rows. Give points that differ."
        )


def in_the_page(kernel):
    """A kernel that the page has too, or a ValueError that names those."""
    if kernel not in IN_THE_PAGE:
        known = ", ".join(one.name for one in IN_THE_PAGE)
        raise ValueError(f"kernel must be one of {known}, which the page computes; got {kernel}.")
    return kernel


def rounded(array, digits=6):
    """Numbers with so many digits as the page needs, as nested lists."""
    return np.round(np.asarray(array, dtype=float), digits).tolist()


def packed(array):
    """Many numbers in little room: their places between the least and the greatest of them.

    tables.js has the reverse, `unpacked`. Places are whole numbers up to 65,535, so that no
    number changes by more than half a step.
    """
    array = np.asarray(array, dtype=float)
    low, high = float(array.min()), float(array.max())
    steps = np.round((array - low) / ((high - low) or 1.0) * 65535).astype("<u2")
    return {"low": low, "high": high, "steps": base64.b64encode(steps.tobytes()).decode("ascii")}
