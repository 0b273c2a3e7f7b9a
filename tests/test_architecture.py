"""ARCHITECTURE.md tells the truth: its paths, its names, its graph of imports and its walks."""

import functools
import importlib
import inspect
import re
import sys
import textwrap

import numpy as np
import pytest
from helpers import each

import ukrlearn
from tools import import_graph
from ukrlearn import UKR, ParametricDRUR, checks, datasets, panels

ROOT, PACKAGE = import_graph.ROOT, import_graph.PACKAGE
PAGE = import_graph.PAGE.read_text(encoding="utf-8")
WALKS = dict(re.findall(r"^### ([^\n]*)\n\n```text\n(.*?)```", PAGE, re.M | re.S))
WALKED = [line.split()[0] for walk in WALKS.values() for line in walk.splitlines()]
MENTIONED = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.S))
PATHS = [text for text in MENTIONED if "/" in text or re.search(r"\.(py|md)$", text)]
NAMES = [text for text in MENTIONED if re.fullmatch(r"\w+(\.\w+)+", text) and text not in PATHS]


def resolved(name):
    """What a dotted name below ukrlearn stands for."""
    thing, parts = ukrlearn, name.split(".")
    for number, part in enumerate(parts, 1):
        if not hasattr(thing, part):
            importlib.import_module("ukrlearn." + ".".join(parts[:number]))
        thing = getattr(thing, part)
    return thing


@each("text", sorted(set(PATHS)))
def test_every_path_of_the_page_exists(text):
    path = text.removeprefix("python ").split()[0]
    pattern = path.replace("NN", "[0-9][0-9]").replace("NAME", "*")
    folders = (ROOT, PACKAGE, PACKAGE / "panels")
    assert any(list(folder.glob(pattern.rstrip("/"))) for folder in folders), text


@each("name", sorted({*NAMES, *WALKED}))
def test_every_dotted_name_of_the_page_exists(name):
    assert resolved(name) is not None


def test_the_page_names_every_folder_and_no_other():
    rows = re.findall(r"^\| `(?:ukrlearn/)?([\w/.]+?)(?:/|\.py)` \|", PAGE, re.M)
    assert sorted(rows) == sorted(import_graph.graph())


def test_the_graph_of_imports_is_that_of_the_code():
    assert import_graph.redrawn(PAGE) == PAGE, "run: python tools/import_graph.py --write"


def test_a_part_stands_above_all_that_it_imports():
    rows = [line.split()[0] for line in import_graph.text().splitlines()]
    for part, imported in import_graph.graph().items():
        assert all(rows.index(part) < rows.index(other) for other in imported)
    assert "blocks" in import_graph.graph()["ukr"] and not import_graph.graph()["blocks"]


def test_a_page_without_marks_is_refused():
    with pytest.raises(ValueError, match="must hold the marks"):
        import_graph.redrawn("# Architecture\n")


# ---- walks --------------------------------------------------------------------------------------


@functools.cache
def fitted():
    return UKR(1, init="pca", max_iter=2).fit(datasets.noisy_spiral(40, random_state=0)[0])


def fit():
    UKR(1, init=["pca", "lle"], homotopy=True, max_iter=3).fit(fitted()._training_rows)


def transform():
    fitted().transform(fitted()._training_rows[:3] + 0.01)


def fit_two_maps():
    ParametricDRUR(1, init="pca", n_basis=5, max_iter=2).fit(fitted()._training_rows)


def move_a_slider():
    panel = panels.LatentScale.example()
    panel._heard(None, {"control": "bandwidth", "text": "2"})
    panel.close()


def check():
    unexplained = lambda x, X, Y, h: np.cos(np.arange(Y.shape[1]) + np.exp(x[:, :1]))
    checks.check("nadaraya_watson", unexplained)


def calls_of(run):
    """When a function of the package first called another: {(caller, name): number}.

    The caller is every function of the package that is at work, not only the nearest one.
    """
    calls = {}

    def name_of(frame):
        code = frame.f_code
        if not code.co_filename.startswith(str(PACKAGE)):
            return None
        module = frame.f_globals["__name__"].removeprefix("ukrlearn.")
        return f"{module}.{code.co_qualname}"

    def watch(frame, event, _):
        if event != "call" or not (name := name_of(frame)):
            return
        calls.setdefault((None, name), len(calls))
        while frame := frame.f_back:
            if caller := name_of(frame):
                calls.setdefault((caller, name), len(calls))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls


def steps_of(walk):
    """(caller, name) of each line of a walk; the caller is the line above with less indent."""
    above = []
    for line in walk.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        above[depth:] = [line.split()[0]]
        yield (above[depth - 1] if depth else None), above[depth]


RUNS = [fit, transform, fit_two_maps, move_a_slider, check]


@pytest.mark.parametrize(("title", "run"), list(zip(WALKS, RUNS, strict=True)), ids=list(WALKS))
def test_a_walk_goes_where_the_page_says(title, run, capsys):
    fitted()  # not a part of any walk
    calls, order = calls_of(run), []
    for caller, name in steps_of(WALKS[title]):
        name, caller = real(name), caller and real(caller)
        assert (caller, name) in calls, f"{caller} does not call {name}"
        order.append((caller, calls[caller, name]))
    for caller in {caller for caller, _ in order}:
        siblings = [place for of, place in order if of == caller]
        assert siblings == sorted(siblings), f"what {caller} calls comes in another order"


def real(name):
    """The name under which Python knows a function: that of the class that defines it."""
    thing = inspect.unwrap(resolved(name))
    return f"{thing.__module__.removeprefix('ukrlearn.')}.{thing.__qualname__}"


def test_steps_of_a_walk_know_who_calls_them():
    walk = textwrap.dedent("""\
        a.b    first
          c.d
            e.f  says
          g.h
        """)
    assert list(steps_of(walk)) == [(None, "a.b"), ("a.b", "c.d"), ("c.d", "e.f"), ("a.b", "g.h")]
