"""`check("my_ukr")`: the collected file, piece by piece, and then against the library."""

import linecache
import re
import time
from functools import partial
from typing import NamedTuple

import numpy as np

from ukrlearn import datasets, figures, metrics
from ukrlearn.checks import _collecting, _diagnosing, _map, _report, _work, bank
from ukrlearn.checks._apart import apart
from ukrlearn.checks._stopping import Called, stopped, stops, wrong_kind
from ukrlearn.checks.exercise import Exercise, Findings, Problem, Trial
from ukrlearn.course.writing import read_file
from ukrlearn.estimators.ukr import UKR
from ukrlearn.ukr.reconstruction import squared_residuals

# Exercise 10 accepts a gradient by loops over pairs. With 150 rows and 30 moves, the slowest pieces
# of strangers together need 30 seconds for the three data sets; with 300 rows, they would need 120.
ROWS, MOVES = 150, 30  # and as many new rows, to be placed
SECONDS = 20.0  # of processor time, for each data set
# In 20 draws, right answers have up to 3.7 times the library's error on the spiral (95 %: 1.2), 2.6
# on the roll (2.3) and 1.16 on digits (1.15), and lose at most 0.06 of its order. Wrong ones raise
# or go beyond a limit in all: a gradient without its diagonal (digits: 1.5 at least), nothing left
# out (roll: 8.9), no scale (spiral: 26), no start (roll: 7.6), a stop after 3 moves (digits: 1.44).
# In 20 other draws, all right ones keep within the limits, and no wrong one does.
MOST_ERROR = {"spiral": 4.5, "roll": 3.0, "digits": 1.35}
LOST = 0.1
CSV = """import my_ukr, numpy as np
X, f, F = my_ukr.fit(np.loadtxt("my.csv", delimiter=",", skiprows=1), 2)"""
SHAPES = {"Y": "N d", "new": "M d", "q": "", "moves": ""}
RETURNS = {"X": "N q", "f(X)": "N d", "F(new)": "M q", "f(F(new))": "M d", "seconds": ""}
RACE = Exercise("my_ukr", "my_ukr.py", "", "", 0, SHAPES, RETURNS, None, (), seconds=SECONDS)


class Reached(NamedTuple):
    """What a fit gives; its error is R_cv over the variance, its order that of new rows."""

    X: np.ndarray
    curve: np.ndarray
    error: float
    order: float
    seconds: float


def races(seed):
    """(a trial, what is true of its rows and of the new ones), for each data set."""
    spiral, t = datasets.noisy_spiral(3 * ROWS, noise=0.03, random_state=seed)
    spread = np.argsort(t).reshape(ROWS, 3)[:, :2].T.ravel()  # without wide gaps between its turns
    roll, sheet = datasets.swiss_roll(2 * ROWS, noise=0.1, length=45, random_state=seed)
    digits, labels = datasets.digits([*range(5)], n_samples=2 * ROWS, random_state=seed)
    for title, Y, truth, q in (
        ("spiral", spiral[spread], t[spread], 1),
        ("roll", roll, sheet, 2),
        ("digits", digits, labels, 2),
    ):
        yield Trial(title, {"Y": Y[:ROWS], "new": Y[ROWS:], "q": q, "moves": MOVES}), truth


def run(fit, Y, new, q, moves):
    """What a fit gives, as arrays: X, f(X), F(new), f(F(new)), and its seconds."""
    start = time.process_time()
    X, f, F = fit(Y, q, moves)
    placed = F(new)
    return X, f(X), placed, f(placed), time.process_time() - start


def library(Y, q, _):
    """The library's fit, with as many moves as it likes."""
    model = UKR(q, random_state=0).fit(Y)
    return model.embedding_, model.inverse_transform, model.transform


def reached(Y, truth, X, curve, placed, back, seconds):
    known, new = truth[:ROWS], truth[ROWS:]
    error = squared_residuals(X, Y).mean() / np.sum(Y.var(axis=0))
    if known.dtype.kind == "i":  # classes: that of the nearest row that was fitted
        nearest = np.sum((placed[:, None] - X) ** 2, axis=2).argmin(axis=1)
        order = np.mean(known[nearest] == new)
    else:
        order = metrics.orders_recovered(placed, new)[0]
    return Reached(X, curve, error, order, float(seconds))


def judged(seed):
    """The report on the file, with a picture of the race where there was one."""
    path, results, then = _collecting.path().resolve(), [], []
    problems, held = [*_problems(path, seed, results)], []
    for trial, _, yours, theirs in results:
        if says := _worse(trial.label, yours, theirs):
            problems.append(Problem(trial.label, f"The {trial.label}: your {says}"))
        else:
            held.append(f"The {trial.label}: it keeps up with the library.")
    if results:
        head = "           error library   order library seconds library"
        then.append(("table", "\n".join([head, *map(_row, results)])))
    if not problems:
        then += [("paragraph", "This is yours; now your own CSV:"), ("table", CSV)]
    elif path.exists():
        says = f"Mend {path.name}, or pass the exercise and run collect(): what you edited is kept."
        then.append(("paragraph", says))
    report = _report.Report(RACE, Findings(tuple(held), tuple(problems)), then=then)
    _work.note_check(RACE.name, report.passed, report.diagnoses, "")
    _report.show(report.parts)
    report.figure = _picture(results) if results else None
    if results and _report.is_shown_in_notebook():
        from IPython.display import display

        display(report.figure)
    return report


def _problems(path, seed, results):
    """Why the file is no answer; or else there are `results`: (trial, truth, yours, theirs)."""
    scope = {"__name__": RACE.name}
    try:
        content = read_file(path) or b""
        linecache.checkcache(str(path))
        exec(compile(content, str(path), "exec"), scope)
    except Exception as error:
        says = f"{path.name} must run from top to bottom. Python says: {error!r}."
        yield Problem("raises", says)
        return
    if not content:
        yield Problem("no_file", f"There is no {path.name} {_map.where()}: collect() writes it.")
        return
    borrowed = re.findall(r"^\s*(?:from|import)\s+ukrlearn.*", content.decode(), re.M)
    wrong = [_borrowed(f"`{line.strip()}` takes it") for line in borrowed[:1]]
    missing = _collecting.missing(content.decode())
    for function, name in _collecting.pieces().items():  # it may have been edited
        if function in missing:
            wrong.append(Problem(function, missing[function]))
            continue
        for problem in _diagnosing.examine(bank.find(name), scope.get(function), seed).problems[:1]:
            must = f"{function} must pass exercise {bank.number_of(name)}, {name}."
            wrong.append(Problem(function, f"{must} {problem.says}"))
    yield from wrong or _raced(scope.get("fit"), [*races(seed)], results)


def _borrowed(how):
    return Problem("library", f"The file must do without the library, but {how}.")


def _raced(fit, contests, results):
    """What keeps the fits from giving numbers; or else there are results."""
    small = contests[0][0].arguments  # calls of the library are looked for there, which takes time
    small = small | {"Y": small["Y"][::3], "moves": 2}
    trials, called = [Trial("50 rows", small), *(trial for trial, _ in contests)], []
    with apart(RACE, partial(run, fit), trials) as candidate:
        while len(called) < len(trials) and not any(map(stopped, called)):
            trial, outcome = trials[len(called)], candidate.call(len(called))
            called.append(Called(trial, outcome, None))
    if called[0].outcome.modules:
        yield _borrowed("fit calls it")
        return
    limit = f"{RACE.seconds:g} seconds of processor time"
    must = f"fit(Y, q, moves) must give X, f and F within {limit}."
    for problem in (*stops(RACE, called), *wrong_kind(RACE, called)):
        yield Problem(problem.id, f"{must} {problem.says}")
        return
    for (trial, truth), c in zip(contests, called[1:], strict=True):
        both = c.outcome.value, run(library, **trial.arguments)
        results.append((trial, truth, *(reached(trial.arguments["Y"], truth, *b) for b in both)))


def _worse(title, yours, theirs):
    """In which way yours is worse than the library's; "" if it is not."""
    least, most = theirs.order - LOST, MOST_ERROR[title]
    if not yours.error <= most * theirs.error:
        limit = f"{most:g} times the library's {theirs.error:.4f}"
        return f"error must be at most {limit}; it is {yours.error:.4f}."
    if not yours.order >= least:
        return f"order of new rows must be at least {least:.2f}; it is {yours.order:.2f}."
    return ""


def _row(result):
    trial, _, a, b = result
    error, order = f"{a.error:8.4f} {b.error:7.4f}", f"{a.order:7.2f} {b.order:7.2f}"
    return f"{trial.label:8}{error} {order} {a.seconds:7.1f} {b.seconds:7.1f}"


def _picture(results):
    """Above your fits, below the library's: a curve in its data, or a latent map."""
    figure, axes = figures.blank(2, len(results))
    for place, ax in enumerate(axes):
        row, column = divmod(place, len(results))
        trial, truth, *fits = results[column]
        fit, truth = fits[row], truth[:ROWS]
        title = f"The {trial.label}: {('yours', 'the library’s')[row]}"
        if trial.arguments["q"] == 1:
            figures.data(ax, trial.arguments["Y"], title=title)
            figures.curve(ax, fit.curve[np.argsort(fit.X[:, 0])])
        else:
            look = {"labels": truth} if truth.dtype.kind == "i" else {"t": truth[:, 0]}
            figures.latent(ax, fit.X, **look, title=title)
    said = "; ".join(f"the {trial.label}, order {fit.order:.2f}" for trial, _, fit, _ in results)
    return figures.show(figure, f"Above, your fits: {said}. Below, the library's.")
