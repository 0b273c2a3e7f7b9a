"""Your own data: read a CSV file, look at it, fit, judge the fit, and write the embedding."""

from functools import partial
from os import PathLike
from pathlib import Path

import ipywidgets as widgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from ukrlearn import figures, metrics
from ukrlearn.blocks import starts
from ukrlearn.blocks.arguments import checked, shown
from ukrlearn.course import notation
from ukrlearn.course.tables import Table, read_table, write_embedding
from ukrlearn.estimators import UKR
from ukrlearn.figures.house import legend
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Switch

LEAST_ROWS = 12  # fewer rows are too few for neighbourhoods
MOST_FITTED = 500  # rows, so that a fit takes seconds; other rows are placed afterwards
MOST_PLACED = 20_000  # rows that are placed when the embedding is written
LARGEST_NUMBER = 1e100  # sums of squares of larger numbers may overflow
MOST_UPLOADED = 10  # MB that JupyterLab accepts from a browser
N_NEIGHBORS = 5
MOST_SHOWN = 10  # columns in the picture
GREY = "#8c9aa8"
LABEL = {"description_width": "initial"}  # labels are words and need room


LONGEST_PATH = 4096  # characters, as in Linux


def _source(name, value):
    """A table, bytes, or what may be a path."""
    if isinstance(value, str) and len(value) > LONGEST_PATH:
        raise ValueError(
            f"{name} must be a path of at most {LONGEST_PATH} characters; got {shown(value)}."
        )
    if not isinstance(value, (str, bytes, PathLike, Table)):
        raise TypeError(
            f"{name} must be a path, the bytes of a file or a Table; got {shown(value)}."
        )
    return value


class OwnData(Panel):
    """Choose a file, look at it, fit, judge the fit, and save the embedding.

    Left: the share of each column in the total variance, in the file's own units (hollow) and as
    used (filled). A column with nearly all of the variance decides alone. Middle: the principal
    components of the data, or after a fit the embedding from the best of five starts. Right: the
    variance that the principal components explain, or after a fit the table of starts with R_cv,
    [UKR] (10), before and after the race. The line below gives numbers: trustworthiness,
    continuity, and the share of the data that latent neighbours do not rebuild.

    From a large file, 500 evenly spread rows are fitted; Export places the other rows by
    projection. If a file cannot be read, a message below the picture says why, and the picture
    stays. No file is ever overwritten.

    Parameters
    ----------
    source : str, path, bytes or Table, optional
        The first data; a file can also be chosen in the panel.
    """

    title = "Your own data"
    swept = ("standardise",)

    @checked(source=_source)
    def __init__(self, source=None):
        self.table, self._name, self._columns, self._fits = None, "", (), {}
        if source is not None:
            self._take(source)
        controls = {
            "standardise": Switch("standardise the columns", True),
            "dimension": Choice(notation.label("q"), ("1", "2"), "2"),
            "colour": Choice(
                "colour points by", ("first column of text", "row"), "first column of text"
            ),
        }
        buttons = {"Fit": lambda panel: panel.fit(), "Export": lambda panel: panel.export()}
        super().__init__(controls, size=(8.44, 3.8), buttons=buttons)

    @classmethod
    def example(cls):
        """A small example: two noisy half circles in three columns, with a column of text."""
        angle = np.linspace(0, np.pi, 20)
        upper = np.column_stack([np.cos(angle), np.sin(angle)])
        points = np.vstack([upper, [1, 0.4] - upper])
        points += 0.05 * np.random.RandomState(0).normal(size=points.shape)
        lines = ["length,width,weight,kind"]
        for n, (x, y) in enumerate(points):
            lines.append(f"{x:.4f},{y:.4f},{30 * x * y + n:.4f},{'upper' if n < 20 else 'lower'}")
        return cls("\n".join(lines).encode()).fit()

    # What the reader may do

    def load(self, source, name=None):
        """Load another file, given as a path or as bytes, and return the panel."""
        before = self.table, self._name, self._columns, self._fits
        try:
            self._take(source, name)
            self._refresh()
        except Exception:
            self.table, self._name, self._columns, self._fits = before
            raise
        finally:
            self._show_values()
        return self

    def choose(self, columns):
        """Use only the columns with these names, and return the panel."""
        self._demand_table()
        unknown = [column for column in columns if column not in self.table.names]
        if unknown:
            raise ValueError(
                f"columns must be some of {', '.join(self.table.names)}; got {', '.join(unknown)}."
            )
        if len(columns) < 2:
            raise ValueError(
                f"columns must name at least two columns to be reduced; got {len(columns)}."
            )
        before = self._columns
        self._columns = tuple(column for column in self.table.names if column in set(columns))
        try:
            self._refresh()
        except Exception:
            self._columns = before
            raise
        finally:
            self._show_values()
        return self

    def reset(self):
        """Use all columns, and reset the controls; the file and its fits stay."""
        if self.table is not None:
            self._columns = self.table.names
        return super().reset()

    def fit(self):
        """Fit UKR to the chosen columns from five starts, and return the panel."""
        self._demand_table()
        Y, q = self._data(self._fitted_rows()), int(self._values["dimension"])
        self._tell(f"Fitting {len(Y)} rows from five starts takes a few seconds ...", "status")
        model = UKR(q, init=_five_starts(q, len(Y)), homotopy=False, max_iter=100, random_state=0)
        try:
            self._fits[self._key()] = _Fit(model.fit(Y), Y)
        except ValueError as problem:
            raise ValueError(f"The fit failed: {problem}") from problem
        self._refresh()
        return self

    def export(self, path=None):
        """Write the embedding as CSV; return its path, and the new path of an older file."""
        self._demand_table()
        fit = self._fits.get(self._key())
        if fit is None:
            raise ValueError("There is no embedding of these columns yet. Press Fit first.")
        rows = self._fitted_rows()
        everything = len(self.table.Y) <= MOST_PLACED
        if everything:
            rows = np.arange(len(self.table.Y))
        texts = {name: [texts[n] for n in rows] for name, texts in self.table.texts.items()}
        written = write_embedding(
            path or self._target.value.strip() or "embedding.csv",
            fit.model.transform(self._data(rows)),
            rows=self.table.rows[rows].tolist(),
            columns=texts,
        )
        message = f"{len(rows)} rows were written to {written.path.name}."
        if not everything:
            message += f" The other rows are left out, because at most {MOST_PLACED} are placed."
        if written.backup:
            message += f" The older file is now {written.backup.name}."
        self._tell(message, "status")
        return written

    # The data

    def _take(self, source, name=None):
        """Read a source and choose all its columns; ValueError if it cannot be used."""
        table = source if isinstance(source, Table) else read_table(source)
        N, d = table.Y.shape
        if N < LEAST_ROWS:
            raise ValueError(
                f"The file must have at least {LEAST_ROWS} complete rows of numbers; it has {N}. "
                + " ".join(table.notes)
            )
        if d < 2:
            raise ValueError(
                "The file must have at least two columns of numbers to be reduced; it has only "
                f"{table.names[0]}. " + " ".join(table.notes)
            )
        if not np.ptp(table.Y, axis=0).any():
            raise ValueError("The columns of numbers must vary; all rows are equal.")
        if np.abs(table.Y).max() > LARGEST_NUMBER:
            column = table.names[np.abs(table.Y).max(axis=0).argmax()]
            raise ValueError(
                f"Numbers must not exceed {LARGEST_NUMBER:g} in magnitude; column {column!r} "
                f"contains {np.abs(table.Y).max():.3g}. Is it a mistake?"
            )
        is_path = isinstance(source, (str, Path))
        self.table, self._name = (
            table,
            name or (Path(str(source).strip()).name if is_path else "The table"),
        )
        self._columns, self._fits = table.names, {}

    def _demand_table(self):
        if self.table is None:
            raise ValueError("There are no data yet. Choose a file, or type its path.")

    def _fitted_rows(self):
        """The rows to fit: all, or an evenly spread sample if there are many."""
        N = len(self.table.Y)
        return np.unique(np.linspace(0, N - 1, min(N, MOST_FITTED)).round().astype(int))

    def _data(self, rows, standardise=None):
        """The chosen columns of these rows, standardised with the spread of the fitted rows."""
        standardise = self._values["standardise"] if standardise is None else standardise
        chosen = [self.table.names.index(column) for column in self._columns]
        Y = self.table.Y[:, chosen]
        if standardise:
            of_fitted = Y[self._fitted_rows()]
            spread = of_fitted.std(axis=0)
            Y = (Y - of_fitted.mean(axis=0)) / np.where(spread > 0, spread, 1)
        return Y[rows]

    def _key(self):
        """The settings that identify a fit."""
        return self._columns, self._values["standardise"], self._values["dimension"]

    # The picture

    def draw(self, figure):
        figure.set_layout_engine("none")
        self._of_columns = figure.add_axes((0.12, 0.26, 0.17, 0.64))
        self._of_map = figure.add_axes((0.365, 0.26, 0.29, 0.64))
        self._of_starts = figure.add_axes((0.81, 0.26, 0.175, 0.64))
        return []

    def move(self, standardise, dimension, colour):
        axes = self._of_columns, self._of_map, self._of_starts
        if self.table is None:
            for ax in axes:
                ax.clear()
                ax.set_axis_off()
            self._of_map.text(0.5, 0.5, "no data yet", ha="center", color=GREY, fontsize=12)
            self.redraw()
            return "No data yet. Choose a CSV file, or type its path and press Enter."
        rows = self._fitted_rows()
        Y, raw = self._data(rows, standardise), self._data(rows, False)
        if not np.ptp(Y, axis=0).any():
            raise ValueError("The chosen columns must vary. Choose other columns.")
        q = int(dimension)
        components = starts.pca(Y, min(len(self._columns), MOST_SHOWN))
        fit = self._fits.get((self._columns, standardise, dimension))

        for ax in axes:
            ax.clear()
            ax.set_axis_on()
        self._draw_columns(raw.var(axis=0), Y.var(axis=0))
        X = components[:, :q] if fit is None else fit.model.embedding_
        self._draw_map(X, colour, "Before the fit: principal components" if fit is None else "Fit")
        if fit is None:
            self._draw_components(components.var(axis=0) / Y.var(axis=0).sum())
            judged = _Judged(components[:, :q], Y)
        else:
            figures.candidate_table(self._of_starts, fit.model.starts_, title="Starts")
            self._of_starts.set_ylabel("")
            legend(self._of_starts, below=2)
            judged = fit.judged
        self.redraw()
        return self._words(fit, judged, len(rows), standardise)

    def _draw_columns(self, raw, used):
        """Draw two bars for each column: its share of the variance as read, and as used."""
        ax, shown = self._of_columns, np.argsort(raw)[::-1][:MOST_SHOWN]
        place = np.arange(len(shown))
        raw, used = raw / raw.sum(), used / used.sum()
        ax.barh(place, used[shown], 0.62, color=figures.COLORS[0], label="as used")
        look = dict(color="none", edgecolor="#222222", lw=1)
        ax.barh(place, raw[shown], 0.62, label="in the file's units", **look)
        names = [self._columns[k] for k in shown]
        ax.set_yticks(place, [_shown(name, 14) for name in names])
        more = len(raw) - len(shown)
        title = "Share of variance" + (f" ({more} more)" if more else "")
        ax.set(xlim=(0, 1.02), ylim=(MOST_SHOWN - 0.4, -0.6), title=title)
        if len(shown) < MOST_SHOWN:
            ax.set_ylim(max(len(shown), 5) - 0.4, -0.6)
        ax.legend(loc="lower right", framealpha=0.9, edgecolor="none")

    def _draw_map(self, X, colour, title):
        ax, rows = self._of_map, self._fitted_rows()
        at = X if X.shape[1] == 2 else np.column_stack([X[:, 0], self.table.rows[rows]])
        ax.set(title=title, xlabel="$x_1$", ylabel="$x_2$" if X.shape[1] == 2 else "row")
        texts = next(iter(self.table.texts.values()), None)
        size = float(np.clip(2400 / len(at), 8, 30))
        if colour == "row" or texts is None:
            ax.scatter(*at.T, c=self.table.rows[rows], s=size, cmap="viridis", linewidths=0)
        else:
            for label, here, color, marker in _classes([texts[n] for n in rows]):
                ax.scatter(*at[here].T, s=size, color=color, marker=marker, lw=0, label=label)
            ax.legend(framealpha=0.8, edgecolor="none", loc="best", handletextpad=0.2)
        if X.shape[1] == 2:
            ax.set_aspect("equal", adjustable="datalim")
        else:
            ax.set_aspect("auto")

    def _draw_components(self, shares):
        ax, number = self._of_starts, np.arange(1, len(shares) + 1)
        ax.plot(number, np.cumsum(shares), "o-", color=figures.COLORS[0])
        ax.set(xlabel="principal components", ylabel="share explained", title="How many matter?")
        ax.set(ylim=(0, 1.05), xlim=(0.5, max(len(shares), 4) + 0.5))
        ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
        ax.grid(True, axis="y")

    def _words(self, fit, judged, n_fitted, standardise):
        N, how = len(self.table.Y), "standardised" if standardise else "in the file's units"
        sentences = [f"{self._name}: {N} rows, {len(self._columns)} columns, {how}."]
        if n_fitted < N:
            sentences.append(f"A fit uses {n_fitted} evenly spread rows.")
        if fit is None:
            sentences.append(f"Principal components: {judged}. Press Fit.")
        else:
            best = next(start for start in fit.model.starts_ if start.chosen)
            failed = sum(start.X is None for start in fit.model.starts_)
            sentences.append(
                f"Fit from {len(fit.model.starts_)} starts, the best of which is {best.name}: "
                f"{judged}."
            )
            if failed:
                sentences.append(f"{failed} of the starts failed.")
            sentences.append(f"Principal components: {fit.of_pca}.")
        return " ".join([*sentences, *self.table.notes[:6]])

    # Wiring

    def share(self, twin):
        """The same table, the choice of columns and the fits."""
        twin.table, twin._name = self.table, self._name
        twin._columns, twin._fits = self._columns, dict(self._fits)

    def _build_widgets(self):
        self._showing, self._picker = False, None
        super()._build_widgets()
        wide = widgets.Layout(width="22em")
        self._path = widgets.Text(
            description="path of a CSV file",
            placeholder="folder/file.csv",
            continuous_update=False,
            style=LABEL,
            layout=wide,
        )
        self._upload = widgets.FileUpload(
            description=f"Choose a file (up to {MOST_UPLOADED} MB)",
            accept=".csv,.tsv,.txt,.dat",
            layout=widgets.Layout(width="auto"),
        )
        self._picker = widgets.SelectMultiple(
            description="columns (Ctrl or Shift for several)", rows=4, style=LABEL, layout=wide
        )
        self._picker.layout.width = "30em"
        self._target = widgets.Text(
            value="embedding.csv", description="export to", style=LABEL, layout=wide
        )
        by_hand = {
            self._path: lambda path: path.strip() and self.load(path),
            self._upload: self._take_upload,
            self._picker: self.choose,
        }
        for widget, action in by_hand.items():
            widget.observe(partial(self._moved, action), "value")
        files = widgets.HBox(
            [self._path, self._upload], layout=widgets.Layout(flex_flow="row wrap")
        )
        more = widgets.HBox([self._picker, self._target], layout=files.layout)
        self.widget = widgets.VBox([files, more, self._view])
        self._show_values()

    def _moved(self, action, change):
        if not self._showing:
            self._answer(None, action, change.new)

    def _take_upload(self, files):
        for file in files:
            self.load(bytes(file["content"]), file["name"])

    def _show_values(self):
        super()._show_values()
        if self._picker is None:
            return  # it is still being built
        self._showing = True
        try:
            self._upload.value = ()  # otherwise the same file could not be chosen again
            if self.table is not None:
                # Options are set first, because the value must be one of them.
                if self._picker.options != self.table.names:
                    self._picker.options = self.table.names
                self._picker.value = self._columns
        finally:
            self._showing = False


class _Judged:
    """The scores of an embedding."""

    def __init__(self, X, Y):
        self.trustworthiness = metrics.trustworthiness(X, Y, N_NEIGHBORS)
        self.continuity = metrics.continuity(X, Y, N_NEIGHBORS)
        self.not_rebuilt = metrics.loo_reconstruction(X, Y)

    def __str__(self):
        return (
            f"trustworthiness {self.trustworthiness:.3f}, continuity {self.continuity:.3f}, "
            f"share not rebuilt {self.not_rebuilt:.3f} (R_cv, which UKR minimises)"
        )


class _Fit:
    """A fitted model with its scores, and the scores of the principal components."""

    def __init__(self, model, Y):
        self.model = model
        self.judged = _Judged(model.embedding_, Y)
        self.of_pca = _Judged(starts.pca(Y, model.n_components), Y)


def _five_starts(q, N):
    """Five named starts of different kinds, with neighbourhoods that N allows."""
    near, wide = min(8, N - 1), min(16, N - 1)
    made = {
        "PCA": partial(starts.pca, n_components=q),
        f"Isomap(K={near})": partial(starts.isomap, n_components=q, n_neighbors=near),
        f"Isomap(K={wide})": partial(starts.isomap, n_components=q, n_neighbors=wide),
        f"LLE(K={wide})": partial(starts.lle, n_components=q, n_neighbors=wide),
        f"Laplacian(K={wide})": partial(
            starts.laplacian_eigenmaps, n_components=q, n_neighbors=wide
        ),
    }
    for name, make in made.items():
        make.__name__ = name  # UKR calls a start by the name of its function
    return list(made.values())


def _classes(labels):
    """Label, mask, colour and marker of the most frequent texts, and of all others together."""
    labels = np.array(labels)
    names, counts = np.unique(labels, return_counts=True)
    top = names[np.sort(np.argsort(-counts, kind="stable")[: len(figures.COLORS)])]
    for name, color, marker in zip(top, figures.COLORS, figures.MARKERS, strict=False):
        yield _shown(name, 20), labels == name, color, marker
    others = ~np.isin(labels, top)
    if others.any():
        yield f"{len(names) - len(top)} others", others, GREY, "."


def _shown(text, most):
    """A name from the file for matplotlib: shortened, and without formulas."""
    text = text if len(text) <= most else text[: most - 3] + "..."
    return (" " + text if text.startswith("_") else text).replace("$", r"\$")
