"""What all tests share: a Jupyter of their own, and no benchmarks."""

import gc
import operator
import os
import random
import sys
import tempfile
from collections import Counter, defaultdict

import numpy as np
import pytest
import warm_kernels

# Timed, long, and run by `make bench`.
collect_ignore = ["benchmarks"]

# A developer's IPython profile, start-up files and kernels must not decide whether a notebook
# passes. Set on import, because nbval starts its kernels without asking for a fixture.
_jupyter_home = tempfile.TemporaryDirectory(prefix="ukrlearn-tests-", ignore_cleanup_errors=True)
for _variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
    os.environ[_variable] = os.path.join(_jupyter_home.name, _variable.lower())
os.environ["JUPYTER_PATH"] = os.path.join(_jupyter_home.name, "forked")
_forks = hasattr(os, "fork")  # where it is missing, kernels are ordinary ones
_kernels = warm_kernels.install(os.environ["JUPYTER_PATH"]) if _forks else None
os.environ["UKRLEARN_WORK"] = os.path.join(_jupyter_home.name, "work")  # not a developer's own


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """A draw without a `random_state` comes from NumPy's global generator: the same in each run."""
    np.random.seed(0)


@pytest.fixture
def no_pyplot(monkeypatch):
    """For this test there is no pyplot, whoever has loaded it before: asking for it fails."""
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    if matplotlib := sys.modules.get("matplotlib"):
        monkeypatch.delattr(matplotlib, "pyplot", raising=False)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Ten thousand tests are made, and none is garbage: the collector need not look at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_addoption(parser):
    parser.addoption("--shuffle", type=int, metavar="SEED", help="files and tests in random order")


def pytest_collection_modifyitems(config, items):
    """What takes longest comes first: `--dist loadfile` hands out files in this order.

    The quick files are left for the end, and both workers finish at about the same time.
    """
    if (seed := config.getoption("shuffle")) is not None:
        draw = random.Random(seed).random
        file = defaultdict(draw)
        place = lambda item: 0 if item.path.suffix == ".ipynb" else draw()  # cells keep their order
        items.sort(key=lambda item: (file[item.path], place(item)))
    elif hasattr(config, "workerinput"):
        size = Counter(item.path for item in items)
        items.sort(key=lambda item: (_turn(item.path), -size[item.path], item.path))


# The files whose tests fit a lot, judge many answers or start programs, longest first.
HEAVY = """
    exercises panel_sweep recipes checks_apart contract claims_sgd_drur cli html
    nbgrader whole arguments nonparametric_drur drur_estimator explorables_bad_input load site
    interruption notebook_tool border guide architecture tables benchmarks binder mutate dask
    quality
""".split()


def _turn(path):
    """The browser, notebooks, heavy files, then the rest."""
    if path.parent.name == "browser":
        return 0
    if path.suffix == ".ipynb":
        return 1
    name = path.stem.removeprefix("test_")
    return 2 + (HEAVY.index(name) if name in HEAVY else len(HEAVY))


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """One worker gets all files of the browser, which share a JupyterLab and a page."""
    from xdist.scheduler import LoadFileScheduling

    class BrowserTogether(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "browser" if "/browser/" in file else file

    return BrowserTogether(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_unconfigure():
    if _kernels:
        warm_kernels.stop(_kernels)


def pytest_terminal_summary(terminalreporter):
    """The matrix of exercises: answers tried, judged rightly, told their mistake first."""
    table = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, kind, *numbers in (v for key, v in report.user_properties if key == "exercise"):
            sums = table.setdefault(name, {}).setdefault(kind, [0, 0, 0])
            sums[:] = map(operator.add, sums, numbers)
    if not table:
        return
    terminalreporter.section("exercises: right answers accepted, wrong ones rejected and diagnosed")
    terminalreporter.write_line(f"{'':24}{'accepted':>14}{'rejected':>14}{'told first':>14}")
    sums = [0] * 6
    for name, of in sorted(table.items()):
        numbers = [*of.get("right", [0, 0, 0]), *of.get("wrong", [0, 0, 0])]
        sums = [*map(operator.add, sums, numbers)]
        terminalreporter.write_line(_matrix_row(name, numbers))
    terminalreporter.write_line(_matrix_row("all", sums))


def _matrix_row(name, numbers):
    right, accepted, _, wrong, rejected, told = numbers
    cells = (f"{accepted} of {right}", f"{rejected} of {wrong}", f"{told} of {wrong}")
    return f"{name:24}" + "".join(f"{cell:>14}" for cell in cells)
