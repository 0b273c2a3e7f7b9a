"""Curves of errors, bars, matrices, springs and tables of candidates."""

from collections.abc import Mapping
from itertools import cycle
from textwrap import shorten
from typing import Any, NamedTuple

import numpy as np
from matplotlib.collections import LineCollection

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, same_length
from ukrlearn.figures.house import (
    COLORS,
    DASHES,
    MANIFOLD,
    MARKERS,
    POINT,
    TRUTH,
    drawing,
    equal_units,
    finish,
    latent_points,
    legend,
    log_scale,
)

# ----------------------------------------------------------------------------------------- charts


ERRORS = arguments.array(1, finite=False)


def _histories(name, value):
    """Errors by the name of their run, None if there is only one."""
    if isinstance(value, Mapping):
        return arguments.mapping(ERRORS)(name, value)
    return {None: ERRORS(name, value)}


@drawing(histories=_histories)
def error_curve(ax, histories, *, title="Error during the descent", label="$R_{cv}$"):
    """Errors against steps, on a logarithmic scale.

    Parameters
    ----------
    ax : Axes
    histories : array-like of shape (n_steps,), or mapping of name to such arrays
        Errors of one or several runs.
    title, label : str
        `label` is the name of the error.

    Returns
    -------
    lines : list of Line2D
    """
    drawn = []
    for (name, errors), color, dash in zip(histories.items(), cycle(COLORS), cycle(DASHES)):
        errors = np.asarray(errors, dtype=float)
        drawn += ax.plot(np.arange(len(errors)), errors, color=color, linestyle=dash, label=name)
    finish(ax, title, ("step", label))
    log_scale(ax)
    ax.grid(True, axis="y")
    if None not in histories:
        legend(ax)
    return drawn


def _log(name, value):
    """Axes by their letters."""
    return arguments.choice("", "x", "y", "xy")(name, value)


def _same_length_as_x(given):
    for name, y in given["curves"].items():
        if len(y) != len(given["x"]):
            raise ValueError(
                f"curves[{arguments.shown(name)}] must have as many entries as x; got {len(y)} "
                f"and {len(given['x'])}."
            )


@drawing(
    _same_length_as_x,
    x=arguments.vector,
    curves=arguments.mapping(arguments.array(1, finite=False)),
    across=arguments.text,
    up=arguments.text,
    log=_log,
    markers=arguments.switch,
)
def lines(ax, x, curves, *, title, across, up, log="", markers=False):
    """Named curves over one axis, distinguished by colour and dashes, and optionally by markers.

    Parameters
    ----------
    ax : Axes
    x : array-like of shape (M,)
    curves : mapping of name to array-like of shape (M,)
        Names may contain LaTeX. A single curve with the name "" gets no legend.
    title, across, up : str
        `across` and `up` label the axes.
    log : {"", "x", "y", "xy"}
        Which axes are logarithmic.
    markers : bool, default=False
        Draw a marker at each value; useful for few values, or for measurements.

    Returns
    -------
    lines : list of Line2D
    """
    looks = zip(cycle(COLORS), cycle(DASHES), cycle(MARKERS))
    drawn = []
    for (name, y), (color, dash, marker) in zip(curves.items(), looks, strict=False):
        look = {"color": color, "linestyle": dash, "marker": marker if markers else None}
        drawn += ax.plot(x, np.asarray(y, dtype=float), label=name, **look)
    finish(ax, title, (across, up))
    for axis in log:
        log_scale(ax, axis)
    ax.grid(True, axis="y")
    if any(curves):
        legend(ax)
    return drawn


@drawing(M=arguments.array(2, finite=False))
def matrix(ax, M, *, title):
    """A matrix of numbers for pairs of points, such as affinities, with a colour bar.

    Parameters
    ----------
    ax : Axes
    M : array-like of shape (N, N)
    title : str

    Returns
    -------
    image : AxesImage
    """
    image = ax.imshow(M, interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, shrink=0.85)
    finish(ax, title, ("point $j$", "point $i$"))
    return image


class SpringArtists(NamedTuple):
    """What `springs` drew."""

    pulls: Any  # LineCollection
    pushes: Any  # LineCollection
    arrows: Any  # Quiver: the sum of the forces on each point


@drawing(
    same_length("X", "stiffness", "labels"),
    X=arguments.columns,
    stiffness=arguments.square,
    labels=arguments.labels,
)
def springs(ax, X, stiffness, *, labels=None, title):
    """Forces between latent points: Σ_m stiffness_nm (x_m - x_n) acts on point n.

    Springs that pull are drawn as solid blue lines, and springs that push as dashed orange lines;
    thicker lines mean stronger forces. Each arrow is the sum of the forces on its point; the
    longest arrow has a third of the size of the picture.

    Parameters
    ----------
    ax : Axes
    X : array-like of shape (N, 2)
    stiffness : array-like of shape (N, N)
        Symmetric. Two points with a positive stiffness pull each other closer.
    labels : array-like of shape (N,), optional
        Classes, each drawn with its own marker.
    title : str

    Returns
    -------
    drawn : SpringArtists (pulls, pushes, arrows)
    """
    X, stiffness = latent_points(X, (2,)), np.asarray(stiffness, dtype=float)
    n, m = np.triu_indices(len(X), 1)
    force = np.abs(stiffness[n, m]) * np.linalg.norm(X[n] - X[m], axis=1)
    width = 5 * force / (force.max() or 1)
    drawn = []
    kinds = ((1, COLORS[0], "-", "pulls"), (-1, COLORS[1], (0, (2, 1.2)), "pushes"))
    for sign, color, dash, name in kinds:
        seen = (sign * stiffness[n, m] > 0) & (width > 0.05)
        ends = np.stack([X[n[seen]], X[m[seen]]], axis=1)
        lines = LineCollection(ends, linewidths=width[seen], colors=color, linestyles=[dash])
        drawn.append(ax.add_collection(lines))
        ax.plot([], [], color=color, linestyle=dash, linewidth=2.5, label=name)
    total = stiffness @ X - stiffness.sum(axis=1, keepdims=True) * X
    longest = np.linalg.norm(total, axis=1).max() or 1
    arrows = total / longest * np.ptp(X, axis=0).max() / 3
    look = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.008, "zorder": 3}
    drawn.append(ax.quiver(*X.T, *arrows.T, color="black", **look))
    if labels is None:
        ax.scatter(*X.T, color=POINT, s=30, zorder=4)
    else:
        for c, marker in zip(np.unique(labels), cycle(MARKERS)):
            at = X[np.asarray(labels) == c].T
            ax.scatter(*at, s=40, color="white", edgecolors="black", marker=marker, zorder=4)
    ax.update_datalim(X + arrows)
    ax.autoscale_view()
    finish(ax, title, ("$x_1$", "$x_2$"))
    equal_units(ax)
    legend(ax, below=2)
    return SpringArtists(*drawn)


@checked(
    same_length("x", "low", "high"),
    x=arguments.vector,
    low=arguments.array(1, finite=False),
    high=arguments.array(1, finite=False),
)
def bars(x, low, high):
    """The coordinates of vertical bars as one line with gaps, much faster than separate bars.

    >>> from ukrlearn.figures import blank
    >>> line, = blank()[1].plot(*bars([1, 2], [0, 0], [3, 4]))
    >>> line.get_xydata()[0], line.get_xydata()[1]
    (array([1., 0.]), array([1., 3.]))
    """
    gap = np.full(len(x), np.nan)
    return np.stack([x, x, gap], axis=1).ravel(), np.stack([low, high, gap], axis=1).ravel()


class CandidateArtists(NamedTuple):
    """What `candidate_table` drew."""

    scaled: list  # Line2D: errors of the scaled candidates, one line for each family of starts
    refined: Any  # Line2D: errors after the race; None if there was no race
    chosen: Any  # Line2D: the ring around the chosen candidate; None if none was chosen


def _starts(name, value):
    """Records or mappings of candidates."""
    if isinstance(value, (str, Mapping)) or not hasattr(value, "__len__") or not len(value):
        raise TypeError(
            f"{name} must be a list of candidates, such as model.starts_; got "
            f"{arguments.shown(value)}."
        )
    try:
        return [_candidate(start) for start in value]
    except (AttributeError, TypeError, ValueError, OverflowError) as problem:
        raise TypeError(f"{name} must hold candidates: {problem}.") from None


@drawing(starts=_starts)
def candidate_table(ax, starts, *, title="Candidates", label="$R_{cv}$"):
    """Cross-validation errors of all candidate starts, as in [UKR] figure 3.

    Candidates of one ``family`` are drawn as a line over ``n_neighbors``; all others are horizontal
    lines. If no candidate has neighbours, each candidate gets its own row. Filled markers show the
    errors after scaling, and open diamonds the errors after the race. The ring marks the chosen
    candidate.

    Parameters
    ----------
    ax : Axes
    starts : sequence of records
        With fields (or keys) ``name``, ``cv_error``, and optionally ``refined``, ``chosen``,
        ``family`` and ``n_neighbors``, as in `UKR.starts_`. The title gives the number of
        candidates without a finite error.
    title, label : str

    Returns
    -------
    drawn : CandidateArtists (scaled, refined, chosen)
    """
    shown = [row for row in starts if np.isfinite(row.cv_error)]
    if not shown:
        raise ValueError(f"starts must hold a candidate with a finite cv_error; got {len(starts)}.")
    families = {}
    for row in shown:
        families.setdefault(row.family, []).append(row)

    failed = len(starts) - len(shown)
    title = f"{title} ({failed} left out)" if failed else title
    if any(row.neighbors is not None for row in shown):
        scaled, place = _candidates_over_neighbors(ax, families)
        across = False
        finish(ax, title, ("neighbours $K$", label))
    else:
        scaled, place = _candidates_in_rows(ax, shown)
        across = True
        finish(ax, title, (label, "candidate"))

    refined = chosen = None
    raced = [row for row in shown if np.isfinite(row.refined)]
    if all(row.refined == row.cv_error for row in raced):
        raced = []  # a race of no steps
    if raced:
        for row in raced:
            steps = [(place[row], row.cv_error), (place[row], row.refined)]
            ends = np.array([step[::-1] if across else step for step in steps])
            ax.plot(*ends.T, color=TRUTH, linewidth=0.8, zorder=1)
        ends = np.array([(place[row], row.refined) for row in raced]).T
        (refined,) = ax.plot(
            *(ends[::-1] if across else ends), "D", color=TRUTH, markerfacecolor="white"
        )
        refined.set_label("raced")
    winners = [row for row in shown if row.chosen]
    if winners:
        at = [(place[row], row.refined if row in raced else row.cv_error) for row in winners]
        at = np.array(at).T
        (chosen,) = ax.plot(*(at[::-1] if across else at), "o", color=MANIFOLD)
        chosen.set(markerfacecolor="none", markersize=11, markeredgewidth=1.6)
        chosen.set_label("chosen")
    log_scale(ax, axis="x" if across else "y")
    ax.grid(True, axis="x" if across else "y")
    legend(ax, below=3)
    return CandidateArtists(scaled, refined, chosen)


class _Candidate(NamedTuple):
    name: str
    family: str
    neighbors: float | None
    cv_error: float
    refined: float
    chosen: bool


def _candidate(start):
    """A row of the table of starts, from a record or a mapping with these fields."""
    field = start.get if isinstance(start, Mapping) else lambda key, *_: getattr(start, key, *_)
    name, neighbors = field("name", ""), field("n_neighbors", None)
    error, refined = field("cv_error", np.nan), field("refined", np.nan)
    as_number = [np.nan if value is None else float(value) for value in (error, refined)]
    return _Candidate(
        name,
        field("family", "") or name,
        None if neighbors is None else float(neighbors),
        *as_number,
        bool(field("chosen", False)),
    )


def _candidates_over_neighbors(ax, families):
    """A line over K for each family; other candidates are horizontal, placed at the largest K."""
    numbers = [row.neighbors for rows in families.values() for row in rows if row.neighbors]
    lines, place = [], {}
    looks = zip(families.items(), cycle(COLORS), cycle(MARKERS))
    for (family, rows), color, marker in looks:
        if rows[0].neighbors is None:
            for row in rows:
                place[row] = max(numbers)
                line = ax.axhline(row.cv_error, color=color, linewidth=1.2, linestyle=(0, (4, 2)))
                line.set_label(row.name)
                lines.append(line)
        else:
            rows = sorted(rows, key=lambda row: row.neighbors)
            place |= {row: row.neighbors for row in rows}
            K, error = [row.neighbors for row in rows], [row.cv_error for row in rows]
            lines += ax.plot(K, error, color=color, marker=marker, linewidth=1.2, label=family)
    return lines, place


def _candidates_in_rows(ax, shown):
    """A row for each candidate, from top to bottom."""
    place = {row: float(number) for number, row in enumerate(shown)}
    errors = [row.cv_error for row in shown]
    line = ax.plot(errors, range(len(shown)), "o", color=COLORS[0], label="scaled")
    ax.set_yticks(range(len(shown)), [row.name for row in shown])
    ax.set_ylim(len(shown) - 0.5, -0.5)
    return line, place


VERDICTS = {"holds": (COLORS[0], "o"), "the opposite": (COLORS[1], "X")}
VERDICTS |= {"no effect": ("#444444", "_"), "open": ("#8c9aa8", "D"), "not comparable": ("k", ".")}
NO_DRAWS = 1.25  # where a claim is shown of which no draws were counted
CHARACTERS = 7.5  # of a claim, for each inch of the figure's width; then it is cut off


def _claims(name, value):
    """Records with `says`, `share` and `verdict`."""
    if isinstance(value, (str, Mapping)) or not hasattr(value, "__len__") or not len(value):
        raise TypeError(
            f"{name} must be a list of claims, such as course.claims.of('UKR'); got "
            f"{arguments.shown(value)}."
        )
    for claim in value:
        if getattr(claim, "verdict", None) not in VERDICTS:
            raise TypeError(
                f"{name} must hold claims with the verdict {', '.join(VERDICTS)}; got "
                f"{arguments.shown(claim)}."
            )
    return list(value)


@drawing(claims=_claims)
def verdicts(ax, claims, *, title="Draws in favour of each claim"):
    """A dot for each claim, numbered from 1: in which share of the draws it held.

    The colour and the marker show the verdict. Claims of which no draws were counted stand in a
    column of their own, at the right.

    Parameters
    ----------
    ax : Axes
    claims : sequence of records
        With fields ``says``, ``share`` (None if no draws were counted) and ``verdict``, such as
        `ukrlearn.course.claims.of` gives.
    title : str

    Returns
    -------
    points : list of Line2D
        One for each verdict that occurs.
    """
    drawn = []
    for verdict, (color, marker) in VERDICTS.items():
        rows = [k for k, claim in enumerate(claims, 1) if claim.verdict == verdict]
        if rows:
            shares = [claims[k - 1].share for k in rows]
            x = [NO_DRAWS if share is None else share for share in shares]
            look = {"color": color, "marker": marker, "linestyle": "none", "markersize": 7}
            drawn += ax.plot(x, rows, label=verdict, clip_on=False, zorder=3, **look)
    numbers = range(1, len(claims) + 1)
    finish(ax, title, ("share of the draws in favour", "claim"))
    longest = int(CHARACTERS * ax.figure.get_figwidth())
    texts = [shorten(claim.says, longest, placeholder=" …") for claim in claims]
    ax.set_yticks(numbers, [f"{text}  {k}" for k, text in zip(numbers, texts, strict=True)])
    ax.set_xticks([0, 0.5, 1, NO_DRAWS], ["0", "½", "1", "none\ncounted"])
    ax.set(xlim=(-0.03, NO_DRAWS + 0.06), ylim=(len(claims) + 0.6, 0.4))
    ax.grid(True)
    legend(ax)
    return drawn
