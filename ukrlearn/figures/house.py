"""The course's style: figures without pyplot, titles and labels of axes, colours and markers."""

import base64
import html
import io
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from itertools import count, islice, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib import rc_context, rc_params_from_file
from matplotlib.axes import Axes
from matplotlib.colors import is_color_like
from matplotlib.figure import Figure
from matplotlib.ticker import (
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    ScalarFormatter,
)
from matplotlib.transforms import Bbox
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, shown

STYLE = rc_params_from_file(Path(__file__).with_name("ukrlearn.mplstyle"), False, False)

COLORS = tuple(STYLE["axes.prop_cycle"].by_key()["color"])
MARKERS = ("o", "^", "s", "D", "v", "P", "X")

POINT = "#8c9aa8"  # data: visible, but behind the manifold
MANIFOLD = COLORS[1]
TRUTH = "#444444"
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))


LARGEST = 100  # inches
NARROW = 0.12  # of the width of a figure: no column of Axes
PALETTE = 256  # colours in a small picture, if hardly any pixel
VISIBLE, RARE = 24, 0.003  # (at most this share) differs by more than this, of 255


def looks():
    """Colours with markers, one pair after the other: the first 49 pairs all differ."""
    for k in count():
        turn = k // len(COLORS)
        yield COLORS[k % len(COLORS)], MARKERS[(k + turn) % len(MARKERS)]


class Palette(NamedTuple):
    """How the classes of a data set look, in every figure and panel."""

    colors: tuple
    markers: tuple
    names: tuple  # for a legend


_NAMES = {
    "oil_flow": ("homogeneous", "annular", "stratified"),
    "partitioned_circle": ("first arc", "second arc", "third arc"),
    "digits": tuple("0123456789"),
    "iris": ("setosa", "versicolor", "virginica"),
    "wine": ("grower 1", "grower 2", "grower 3"),
    "breast_cancer": ("malignant", "benign"),
}


palette_name = arguments.choice(*_NAMES)


@checked(name=palette_name)
def palette(name):
    """Colours, markers and names of the classes 0, 1, ... of a data set.

    Class k has the k-th colour and marker of the course, which is what figures give to labels by
    themselves if all classes are present. Pass ``palette=name`` to `data`, `latent` and
    `latent_map` if some may be missing, and for the names.

    Parameters
    ----------
    name : "oil_flow", "partitioned_circle", "digits", "iris", "wine" or "breast_cancer"

    Returns
    -------
    palette : Palette (colors, markers, names)

    >>> palette("oil_flow").names
    ('homogeneous', 'annular', 'stratified')
    """
    names = _NAMES[name]
    colors, markers = zip(*islice(looks(), len(names)), strict=True)
    return Palette(colors, markers, names)


def class_looks(labels, names=None, of=None):
    """(label, name, colour, marker) of each class in labels; `of` is the name of a palette."""
    classes = np.unique(labels)
    if of is not None:
        known = palette(of)
        wrong = [c for c in classes.tolist() if c not in range(len(known.names))]
        if wrong:
            raise ValueError(
                f"labels must be 0 to {len(known.names) - 1} for the palette {of!r}; got "
                f"{shown(wrong[0])}."
            )
        all_looks = list(zip(known.names, known.colors, known.markers, strict=True))
        return [(c, *all_looks[int(c)]) for c in classes]
    names = [str(c) for c in classes] if names is None else list(names)
    if len(names) != len(classes):
        raise ValueError(
            f"names must name the {len(classes)} classes in labels; got {len(names)} names."
        )
    return [(c, name, *look) for c, name, look in zip(classes, names, looks(), strict=False)]


def _size(name, value):
    """Width and height in inches."""
    width, height = arguments.vector(name, value) if np.shape(value) == (2,) else (0, 0)
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise ValueError(
            f"{name} must be a width and a height of up to {LARGEST} inches; got "
            f"{arguments.shown(value)}."
        )
    return width, height


def _projection(name, value):
    """None, "3d", or a list of these."""
    for one in value if isinstance(value, (list, tuple)) else [value]:
        if one is not None and not (isinstance(one, str) and one == "3d"):
            raise ValueError(
                f'{name} must be None, "3d" or a list of these; got {arguments.shown(value)}.'
            )
    return value


def style():
    """The course's matplotlib settings, as a context manager: ``with figures.style(): ...``"""
    return rc_context(STYLE)


def _color(name, value):
    """Whatever matplotlib takes as a colour."""
    if not is_color_like(value):
        raise ValueError(
            f"{name} must be a colour, such as '#D55E00'; got {arguments.shown(value)}."
        )
    return value


COMMON = {
    "ax": arguments.record(Axes, other=" of matplotlib"),
    "title": arguments.text,
    "label": arguments.text,
    "color": _color,
}


def drawing(*rules, **checks):
    """Decorate a drawing function: arguments are checked, and the caller's settings do not matter.

    The Axes, title, label and color need not be declared.
    """

    def decorate(draw):
        @wraps(draw)
        def drawn(ax, *values, **options):
            with style():
                return draw(ax, *values, **options)

        of_all = {name: COMMON[name] for name in COMMON.keys() & signature(draw).parameters.keys()}
        return checked(*rules, **of_all, **checks)(drawn)

    return decorate


@checked(n_rows=arguments.count, n_columns=arguments.count, size=_size, projection=_projection)
def blank(n_rows=1, n_columns=1, *, size=None, projection=None):
    """A new figure, without pyplot, and its Axes.

    Parameters
    ----------
    n_rows, n_columns : int, default=1
    size : (float, float), optional
        In inches; by default 4 x 3.2 for each Axes.
    projection : None or "3d", or a list with one entry for each Axes

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : Axes, or ndarray of shape (n_rows * n_columns,) of them
    """
    n_axes = n_rows * n_columns
    one_for_all = projection is None or isinstance(projection, str)
    projections = [projection] * n_axes if one_for_all else list(projection)
    if len(projections) != n_axes:
        raise ValueError(
            f"projection must have one entry for each of the {n_axes} Axes; got "
            f"{shown(projection)}."
        )
    with style():
        figure = Figure(figsize=size or (4 * n_columns, 3.2 * n_rows))
        axes = [
            figure.add_subplot(n_rows, n_columns, place + 1, projection=projections[place])
            for place in range(n_axes)
        ]
    return figure, axes[0] if n_axes == 1 else np.array(axes)


@dataclass(frozen=True)
class Picture:
    """A finished figure with its alternative text, shown if it is the last line of a cell."""

    figure: Figure
    text: str  # for readers who cannot see the figure; includes its numbers

    def __repr__(self):
        return self.text

    def png(self, dpi=None):
        """The picture as the bytes of a PNG file."""
        file = io.BytesIO()
        with style():
            # Equal units change the limits, and with them the labels that the layout has measured.
            # So the figure is drawn once for the limits, and again for the picture.
            self.figure.draw_without_rendering()
            self.figure.savefig(file, format="png", dpi=dpi or "figure")
        return file.getvalue()

    def _repr_mimebundle_(self, include=None, exclude=None):
        """HTML with the picture and its alternative text, or only the text."""
        # Shown at 100 dots per inch but stored with more, to be sharp on high-resolution screens.
        pixels = np.asarray(Image.open(io.BytesIO(self.png(dpi=150))).convert("RGB"))
        width = round(self.figure.get_figwidth() * 100)
        html = html_of(pixels, self.text, width, cuts=cuts(self.figure))
        return {"text/html": html, "text/plain": self.text}


def cuts(figure):
    """Where a narrow screen may cut a figure that is drawn: shares of its width, between columns.

    There are none if something crosses the columns, such as a title above all of them. What is
    narrow, such as a colour bar, stays with the column on its left.

    >>> figure, axes = blank(1, 2)
    >>> figure.draw_without_rendering()
    >>> [round(place, 1) for place in cuts(figure)]
    [0.5]
    """
    columns, width = [], figure.bbox.width
    artists = [*figure.axes, *figure.texts, *figure.legends]
    for box in sorted((artist.get_tightbbox() for artist in artists), key=lambda box: box.x0):
        if columns and (box.x0 < columns[-1].x1 or box.width < NARROW * width):
            box = Bbox.union([columns.pop(), box])
        columns.append(box)
    return [round(float((left.x1 + right.x0) / 2 / width), 3) for left, right in pairwise(columns)]


def small_png(pixels, cuts=()):
    """An image (height, width, 3) as the bytes of a small PNG file, with its cuts as a text.

    A palette of 256 colours makes the file less than half as large. It is used if no pixel gets a
    visibly different colour.
    """
    told = PngInfo()
    told.add_text("cuts", " ".join(map(str, cuts)))
    image, file = Image.fromarray(pixels), io.BytesIO()
    few = image.quantize(PALETTE, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    apart = np.abs(np.asarray(few.convert("RGB")).astype(int) - pixels).max(axis=-1)
    (few if np.mean(apart > VISIBLE) < RARE else image).save(
        file, "png", optimize=True, pnginfo=told
    )
    return file.getvalue()


# Dark paper and light ink, with the same hues. A second, dark picture would double the notebooks.
DARK = "filter: invert(.93) hue-rotate(180deg)"
FROZEN_IN_THE_DARK = (
    f'<style>body[data-jp-theme-light="false"] img:has(~ .ukrlearn-frozen) {{ {DARK} }}</style>'
)


def html_of(pixels, text, width, note="", cuts=()):
    """A picture as HTML. JupyterLab shows the metadata of a PNG to nobody, but it shows an alt.

    The note is for the picture of a panel without a kernel, which follows a dark theme as the panel
    does.
    """
    picture = base64.b64encode(small_png(pixels, cuts)).decode()
    noted = f"<em>{html.escape(note)}</em>{FROZEN_IN_THE_DARK}"
    below = f'<p class="ukrlearn-frozen">{noted}</p>' if note else ""
    return (
        f'<img alt="{html.escape(text)}" width="{width}" '
        f'src="data:image/png;base64,{picture}">{below}'
    )


@checked(figure=arguments.record(Figure), text=arguments.text)
def show(figure, text):
    """The figure and its alternative text, as an object that a notebook displays.

    >>> figure, ax = blank()
    >>> show(figure, "An empty pair of axes.").text
    'An empty pair of axes.'
    """
    if not text.strip():
        raise ValueError("text must say what the figure shows; got nothing.")
    return Picture(figure, text)


# ---------------------------------------------------------------------------------------- helpers


def grid(X, n_grid, margin=0.0):
    """Positions (n_grid, ..., q) over the range of X, extended by a share of it on each side."""
    low, high = X.min(axis=0), X.max(axis=0)
    wider = margin * np.where(high > low, high - low, 1)
    n_grid = np.broadcast_to(n_grid, X.shape[1])
    axes = map(np.linspace, low - wider, high + wider, n_grid)
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def area(ax, n_points):
    """A marker area at which 100 points are visible and 2000 do not merge; less on small Axes."""
    width, height = ax.figure.get_size_inches() * ax.get_position().size
    shrink = np.clip(min(width, height) / 2.5, 0.7, 1)
    return float(shrink**2 * np.clip(2400 / max(n_points, 1), 5, 16))


def latent_points(X, columns, name="X"):
    X = np.asarray(X, dtype=float)
    X = X[:, None] if X.ndim == 1 else X
    if X.ndim != 2 or X.shape[1] not in columns:
        raise ValueError(
            f"{name} must have {' or '.join(map(str, columns))} columns to be drawn here; got "
            f"shape {X.shape}. Choose columns, as in {name}[:, :2]."
        )
    return X


def check_columns(ax, Y, name):
    wanted = 3 if ax.name == "3d" else 2
    if Y.ndim != 2 or Y.shape[1] != wanted:
        advice = (
            'make the Axes with projection="3d"'
            if Y.ndim == 2 and Y.shape[1] == 3
            else f"choose columns, as in {name}[:, :{wanted}]"
        )
        raise ValueError(
            f"{name} must have {wanted} columns to be drawn on these Axes; got shape {Y.shape}: "
            f"{advice}."
        )


def finish(ax, title, axis_labels):
    """Set the title, the axis labels, and few enough ticks for a small picture."""
    ax.set_title(title)
    axes = [ax.xaxis, ax.yaxis, *([ax.zaxis] if ax.name == "3d" else [])]
    for axis, text in zip(axes, axis_labels, strict=True):
        axis.set_label_text(text)
        if isinstance(axis.get_major_locator(), MaxNLocator):
            axis.set_major_locator(MaxNLocator(3 if ax.name == "3d" else 5, steps=[1, 2, 5, 10]))
    if ax.name == "3d":
        ax.tick_params(pad=-1)
        for axis in axes:
            axis.labelpad = -4
            axis.pane.set_facecolor("white")


def equal_units(ax):
    """Make units equally long on all axes, so that distances can be read off."""
    if ax.name == "3d":
        # Zoomed out slightly, because the layout does not reserve room for labels of 3-D axes.
        ax.set_box_aspect(np.ptp(np.reshape(ax.get_w_lims(), (3, 2)), axis=1), zoom=0.8)
    else:
        ax.set_aspect("equal", adjustable="datalim")


def log_scale(ax, axis="y"):
    """Make an axis logarithmic, with plain numbers as labels unless it spans several decades."""
    getattr(ax, f"set_{axis}scale")("log")
    low, high = getattr(ax, f"get_{axis}lim")()
    ticks = getattr(ax, f"{axis}axis")
    if high / low < 300:
        few = MaxNLocator(5, steps=[1, 2, 5, 10]) if high / low < 8 else LogLocator(subs=(1, 2, 5))
        ticks.set_major_locator(few)
        ticks.set_minor_locator(NullLocator())
        plain = ScalarFormatter(useOffset=False)
        plain.set_scientific(False)
        ticks.set_major_formatter(plain)
    ticks.set_minor_formatter(NullFormatter())


def legend(ax, *, below=0):
    """A legend where lines leave room, or below the axis in `below` columns."""
    room = {"loc": "best", "borderaxespad": 0.3}
    if below:
        # The distance is in units of the font size, so the axis label stays clear at any size.
        room = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "ncols": below}
        room |= {"borderaxespad": 4.6, "fontsize": 8.7}
    legend = ax.legend(
        **room,
        labelspacing=0.3,
        handletextpad=0.4,
        columnspacing=0.9,
        frameon=not below,
        framealpha=0.8,
        edgecolor="none",
    )
    for handle in legend.legend_handles:
        if hasattr(handle, "set_sizes"):
            handle.set_sizes([24])
