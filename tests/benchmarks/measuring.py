"""Times side by side, peak memory of a fresh process, and how both are written down."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import binomtest, wilcoxon

HERE = Path(__file__).resolve().parent


class Spread(NamedTuple):
    """A median and what lies around it: quartiles of repeats, or quantiles 10 and 90 % of draws."""

    middle: float
    low: float
    high: float

    def __format__(self, how):
        return f"{self.middle:{how}} ({self.low:{how}}–{self.high:{how}})"


def quartiles(values):
    return Spread(*np.quantile(values, [0.5, 0.25, 0.75]))


def extremes(values):
    return Spread(np.median(values), np.min(values), np.max(values))


def quantiles(values):
    return Spread(*np.quantile(values, [0.5, 0.1, 0.9]))


def side_by_side(rounds=15, at_least=0.02, **functions):
    """Processor seconds per call of each function, in arrays of one entry a round.

    They are called in turn, A B C A B C ..., so that all see the same machine: take ratios round by
    round. Quick functions are called several times in a row, for `at_least` seconds.
    """

    def seconds_of(function, calls):
        start = time.process_time()
        for _ in range(calls):
            function()
        return (time.process_time() - start) / calls

    calls = {}
    for name, function in functions.items():
        function()
        calls[name] = max(1, round(at_least / seconds_of(function, 1)))
    seconds = {name: np.empty(rounds) for name in functions}
    for k in range(rounds):
        for name, function in functions.items():
            seconds[name][k] = seconds_of(function, calls[name])
    return seconds


class Child(NamedTuple):
    """What a function returned in a fresh Python process, and what that process needed."""

    value: object
    gigabytes: float


def in_fresh_process(module, function, *arguments, environment=None) -> Child:
    """module.function(*arguments) in a Python of its own. Both ways things travel as JSON.

    The memory is the peak of the whole process: the interpreter and its libraries are part of it.
    """
    paths = [str(HERE), str(HERE.parent.parent)]
    code = (
        "import importlib, json, resource, sys\n"
        f"sys.path[:0] = {paths!r}\n"
        f"function = importlib.import_module({module!r}).{function}\n"
        f"value = function(*json.loads({json.dumps(arguments)!r}))\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(json.dumps([value, peak * (1 if sys.platform == 'darwin' else 1024)]))\n"
    )
    finished = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    value, peak = json.loads(finished.stdout)
    return Child(value, peak / 1e9)


def over(seeds, run, *arguments):
    """run(seed, ...) for each seed, two at a time."""
    return Parallel(n_jobs=2)(delayed(run)(seed, *arguments) for seed in seeds)


# A table of claims. A row that no test decides says in the place of "9 of 10" what it rests on.
HEADINGS = ["where", "the paper says", "measured", "in favour", "p", "verdict"]
LEVEL = 0.05


def judged(true, change=None, margin=None):
    """In how many draws a claim is true, and what tests say; would a coin have done it?"""
    true = np.asarray(true)
    p = binomtest(int(true.sum()), len(true)).pvalue
    return [f"{true.sum()} of {len(true)}", *decided(p, true.mean() > 0.5, change, margin)]


def decided(p, mostly, change=None, margin=None):
    """The p of a claim, and the verdict.

    With a `margin`, and the `change` in each draw, an equivalence test comes first, by Wilcoxon's
    signed ranks on either side: a change whose median lies within the margin is none. Whoever makes
    two tests has to double the p.
    """
    verdict = "holds" if mostly else "the opposite"
    if margin is not None:
        change = np.asarray(change)
        none = max(
            wilcoxon(change + margin, alternative="greater").pvalue,
            wilcoxon(change - margin, alternative="less").pvalue,
        )
        p, verdict = (none, "no effect") if 2 * none < LEVEL else (p, verdict)
        p = min(1.0, 2 * p)
    return [f"{p:.2g}", verdict if p < LEVEL else "open"]


def settled(rests_on, true):
    """What ends the row of a claim that a rule decides: what it rests on, and the verdict."""
    return [rests_on, "", "holds" if true else "the opposite"]


def at_most(asked, measured, how="g"):
    """What was asked for, and whether it was reached: a cell of a table."""
    return f"≤ {asked:{how}} {_mark(_middle(measured) <= asked)}"


def at_least(asked, measured, how="g"):
    return f"≥ {asked:{how}} {_mark(_middle(measured) >= asked)}"


def above(asked, measured, how="g"):
    return f"> {asked:{how}} {_mark(_middle(measured) > asked)}"


def _middle(measured):
    return measured.middle if isinstance(measured, Spread) else measured


def _mark(reached):
    return "met" if reached else "*missed*"


def table(headings, rows):
    """Cells as a table in markdown, readable as it is."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[k]) for row in [headings, *rows]) for k in range(len(headings))]
    line = lambda cells: (
        "| " + " | ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)) + " |"
    )
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([line(headings), rule, *map(line, rows)]) + "\n"
