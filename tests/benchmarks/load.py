"""What a class needs: memory and processor time of one kernel per lesson, and of 100 seats.

    python tests/benchmarks/load.py                  all lessons, and panels that move
    python tests/benchmarks/load.py --minutes 120    the same, with each walk of two hours
    python tests/benchmarks/load.py NAME ...         these lessons only: prints, keeps nothing
    python tests/benchmarks/load.py --soak 120       some panels, each alone for two hours; all
                                                     lessons in one kernel; twelve at once

Each lesson runs in a kernel of its own, one lesson at a time: nbclient in a child process runs all
cells, and /proc tells what the kernel used. Then all panels are opened in one kernel, and their
controls move at random, anywhere in one walk and between their ends in another. A run of everything
writes its tables into exercises/INSTRUCTORS.md. It needs Linux.
"""

import argparse
import contextlib
import json
import math
import os
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "exercises" / "INSTRUCTORS.md"
MARKS = "<!-- load -->\n", "<!-- end of load -->\n"
SOAK = "<!-- soak -->\n", "<!-- end of soak -->\n"
# Explorables, but for the first.
SOAKED = "ScaleLandscape", "Geodesics", "Untangle", "GaussNewton"
# Frees what lessons leave: names, results of cells, and widgets, which ipywidgets never forgets.
FREE = """\
%reset -f
import ctypes, gc, ipywidgets
ipywidgets.Widget.close_all(); gc.collect(); ctypes.CDLL(None).malloc_trim(0)"""
AT_ONCE = 12  # notebooks that somebody has opened one after the other, and left open
BINDER = 2048  # MB that Binder gives to one reader, for the server and all kernels
SEATS = 100
SAMPLES = 20  # readings of the memory during a walk; the first quarter is warming up

# Threads, and how much freed memory is kept: as on Binder.
_START = (ROOT / "binder" / "start").read_text(encoding="utf-8")
os.environ.update(re.findall(r"\b(\w+)=(\d+)", _START))


class Need(NamedTuple):
    """What one kernel used for Run All."""

    lesson: str
    peak: float  # MB resident, at most
    processor: float  # seconds of all its threads, from its start on
    seconds: float  # on the clock, from the first cell to the last
    errors: int = 0  # cells that raised; the others ran on


class Walk(NamedTuple):
    """The memory of a kernel in which the controls of all panels moved at random."""

    moves: list[int]  # made so far, at each reading
    resident: list[float]  # MB, at each reading
    minutes: float


# ---- measuring ----------------------------------------------------------------------------------


def resident(pid, key="VmRSS"):
    """MB of memory that a process has; with VmHWM, the most that it ever had."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.search(rf"^{key}:\s+(\d+) kB", status, re.MULTILINE)[1]) / 1024


def processor_seconds(pid):
    """Processor time of a process, and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def kernel(notebook, folder):
    """The client of a notebook, and the process id of its kernel."""
    from nbclient import NotebookClient

    sys.path.insert(0, str(ROOT))
    from tools.notebooks import ThisPython

    client = NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        resources={"metadata": {"path": str(folder)}},
        timeout=None,
        allow_errors=True,
        store_widget_state=False,
    )
    with client.setup_kernel():
        yield client, client.km.provisioner.process.pid


def raised(cell):
    return any(output.output_type == "error" for output in cell.get("outputs", ()))


def run_all(path) -> Need:
    """Run all cells of a notebook in a fresh kernel."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    with kernel(notebook, Path(path).parent) as (client, pid):
        start = time.perf_counter()
        for number, cell in enumerate(notebook.cells):
            client.execute_cell(cell, number)
        seconds = time.perf_counter() - start
        peak, processor = resident(pid, "VmHWM"), processor_seconds(pid)
    return Need(Path(path).stem, peak, processor, seconds, sum(map(raised, notebook.cells)))


def walk(seconds, ends=False, names=()) -> Walk:
    """Move panels at random in one kernel, and read its memory now and then."""
    from nbformat import v4

    opening = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import load"
    cells = [v4.new_code_cell(f"{opening}; movers = load.Movers({ends!r}, {list(names)!r})")]
    cells += [v4.new_code_cell(f"movers.move({seconds / SAMPLES})") for _ in range(SAMPLES)]
    moves, megabytes = [], []
    with kernel(v4.new_notebook(cells=cells), ROOT) as (client, pid):
        start = time.perf_counter()
        for number, cell in enumerate(cells):
            client.execute_cell(cell, number)
            if raised(cell):
                sys.exit("\n".join(cell.outputs[-1].traceback))
            if number:
                moves.append(int(cell.outputs[-1].data["text/plain"]))
                megabytes.append(resident(pid))
        return Walk(moves, megabytes, (time.perf_counter() - start) / 60)


def one_after_the_other(paths) -> Walk:
    """Run lessons in one kernel, and read its memory after each; a lesson is a move here.

    Then the most that it ever had, and what is left when all is freed.
    """
    import nbformat

    lessons = [nbformat.read(path, as_version=4) for path in paths]
    free = nbformat.v4.new_code_cell(FREE)
    cells = [cell for lesson in lessons for cell in lesson.cells] + [free]
    together, number, megabytes = nbformat.v4.new_notebook(cells=cells), 0, []
    with kernel(together, ROOT / "notebooks") as (client, pid):
        start = time.perf_counter()
        for lesson in lessons:
            for cell in lesson.cells:
                client.execute_cell(cell, number)
                number += 1
            megabytes.append(resident(pid))
        minutes = (time.perf_counter() - start) / 60
        client.execute_cell(free, number)
        megabytes += resident(pid, "VmHWM"), resident(pid)
        return Walk([*range(1, len(lessons) + 1)], megabytes, minutes)


def at_once(paths) -> list[Need]:
    """What the kernels of lessons use that run at the same time."""
    command = [sys.executable, __file__, "--run"]
    running = [
        subprocess.Popen([*command, str(path)], stdout=subprocess.PIPE, text=True) for path in paths
    ]
    return [Need(*json.loads(child.communicate()[0].splitlines()[-1])) for child in running]


class Movers:
    """Open panels, and a reader who moves what there is to move.

    With `ends`, controls move to their ends only. The panels come back to the same states, their
    caches have all of them after a while, and memory that still grows is lost.
    """

    def __init__(self, ends=False, names=(), seed=0):
        from ukrlearn import panels

        shared = {"Choice", "Panel", "Replay", "Slider", "Switch"}
        chosen = names or sorted(set(panels.__all__) - shared)
        self.panels = [getattr(panels, name).example() for name in chosen]
        self.random = random.Random(seed)
        self.ends, self.moves = ends, 0

    def move(self, seconds):
        """Move controls for so many seconds, and return the number of moves up to now."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            panel = self.random.choice(self.panels)
            name = self.random.choice(list(panel._controls))
            with contextlib.suppress(
                ValueError
            ):  # a panel's answer to values that do not go together
                panel.set(**{name: self.value(panel._controls[name])})
            self.moves += 1
        return self.moves

    def value(self, control):
        """A value that the control can have."""
        if hasattr(control, "options"):
            return self.random.choice(control.options)
        if not hasattr(control, "low"):
            return self.random.random() < 0.5
        low, high = control.low, control.high
        if self.ends:
            return self.random.choice([low, high])
        if control.whole:
            return self.random.randint(int(low), int(high))
        if control.log:
            return math.exp(self.random.uniform(math.log(low), math.log(high)))
        return self.random.uniform(low, high)


def server():
    """MB of a JupyterLab server, which each reader has besides the kernels."""
    sys.path.insert(0, str(ROOT))
    from tests.browser.lab import jupyter_lab

    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    before = set(children.read_text().split())
    with tempfile.TemporaryDirectory() as folder, jupyter_lab(folder):
        (pid,) = set(children.read_text().split()) - before
        return resident(pid, "VmHWM")


def in_child(*arguments):
    """What this script says in a process of its own, as JSON."""
    command = [sys.executable, __file__, *map(str, arguments)]
    return json.loads(subprocess.check_output(command, text=True).splitlines()[-1])


# ---- tables -------------------------------------------------------------------------------------


def gigabytes(peak, of_server, seats=SEATS):
    """GB that a hub needs if each reader has a server and one kernel at its peak."""
    return seats * (peak + of_server) / 1024


def kernels_on_binder(peak, of_server):
    """How many kernels like this one fit beside the server."""
    return int((BINDER - of_server) // peak)


def cores(processor, seats=SEATS, minutes=1):
    """Cores that finish so many Run All, all begun at once, within some minutes."""
    return math.ceil(seats * processor / (60 * minutes))


def growth(walk):
    """MB per 1,000 moves after the first quarter: the slope of a line through the readings."""
    import numpy as np

    first = len(walk.moves) // 4
    thousands = np.divide(walk.moves[first:], 1000)
    return float(np.polyfit(thousands, walk.resident[first:], 1)[0])


def tables(needs, of_server, anywhere, between_ends, conditions):
    """The tables and their words, in markdown."""
    from measuring import table

    lessons = [
        [
            f"[{need.lesson}](../notebooks/{need.lesson}.ipynb){' †' * (need.errors > 0)}",
            f"{need.peak:.0f}",
            f"{need.processor:.1f}",
            f"≤ {need.seconds:.1f}",
            kernels_on_binder(need.peak, of_server),
            f"{gigabytes(need.peak, of_server):.0f}",
            cores(need.processor),
        ]
        for need in needs
    ]
    walks = [
        [
            where,
            f"{walk.minutes:.1f}",
            f"{walk.moves[-1]:,}",
            f"{walk.resident[len(walk.moves) // 4]:.0f}",
            f"{walk.resident[-1]:.0f}",
            f"{max(walk.resident):.0f}",
            f"{growth(walk):+.1f}",
        ]
        for where, walk in (("anywhere", anywhere), ("between the ends", between_ends))
    ]
    largest = max(needs, key=lambda need: need.peak)
    longest = max(needs, key=lambda need: need.processor)
    all_open = (sum(need.peak for need in needs) + of_server) / 1024
    failed = ", ".join(need.lesson for need in needs if need.errors)
    dagger = f"\n† A cell raised an error on this machine, and the others ran on: {failed}.\n"
    of_lessons = ["lesson", "peak MB", "processor s", "clock s", "kernels in 2 GB"]
    of_walks = ["controls move", "minutes", "moves", "MB after a quarter", "MB at the end"]
    return f"""\
{table([*of_lessons, f"GB for {SEATS}", f"cores for {SEATS}"], lessons)}{dagger * bool(failed)}
- *Peak MB*: the most resident memory of the lesson's kernel (1 MB is 2^20 bytes). The JupyterLab
  server takes another {of_server:.0f} MB.
- *Processor s*: processor time of the kernel, on one thread, from its start to the last cell.
- *Clock s*: time from the first cell to the last. The machine was busy with other work (its load is
  given below), so this is an upper bound. Plan with the processor time.
- *Kernels in 2 GB*: how many such kernels fit into Binder's memory beside the server. The kernels
  of all {len(needs)} lessons at once would take {all_open:.1f} GB with the server.
- *GB for {SEATS}*: the memory of a hub with {SEATS} readers, each with a server and one kernel at
  its peak. Pages that processes share are counted for each, so this is an upper bound.
- *Cores for {SEATS}*: the cores that finish {SEATS} Run All within a minute, if all begin at once.

For {SEATS} seats with two lessons open each, plan {gigabytes(2 * largest.peak, of_server):.0f} GB;
the largest lesson is {largest.lesson}. If all readers press Run All in the longest lesson,
{longest.lesson}, {cores(longest.processor, minutes=5)} cores finish in five minutes.

One kernel with all panels open, whose controls move at random:

{table([*of_walks, "MB at most", "MB per 1,000 moves"], walks)}
Panels keep results that they have computed, up to a limit each. As long as controls move anywhere,
these caches fill, and memory grows. Between the ends, states come back, so that memory should stay
where it is once each panel has seen its states. `--minutes 120` walks for two hours.

*{conditions}*
"""


def soak_table(walks, lessons, needs, conditions):
    """What memory does in the long run, in markdown; `walks` by the names of panels."""
    from measuring import table

    rows = [
        [
            f"`{name}`, controls move anywhere",
            f"{walk.minutes:.1f}",
            f"{walk.moves[-1]:,} moves",
            f"{walk.resident[len(walk.moves) // 4]:.0f}",
            f"{walk.resident[-1]:.0f}",
            f"{growth(walk):+.1f} per 1,000 moves",
        ]
        for name, walk in walks.items()
    ]
    *after, peak, freed = lessons.resident
    rows.append(
        [
            "all lessons in one kernel, one after the other",
            f"{lessons.minutes:.1f}",
            f"{len(after)} lessons",
            f"{after[len(after) // 4]:.0f}",
            f"{after[-1]:.0f}",
            f"{(after[-1] - after[0]) / (len(after) - 1):+.1f} per lesson; {peak:.0f} at most; "
            f"{freed:.0f} when names are deleted and widgets closed",
        ]
    )
    rows.append(
        [
            f"{len(needs)} notebooks at once, each with its kernel",
            f"{max(need.seconds for need in needs) / 60:.1f}",
            f"{len(needs)} lessons",
            "",
            f"{sum(need.peak for need in needs):.0f}",
            f"{sum(need.peak for need in needs) / len(needs):.0f} for each at its peak",
        ]
    )
    heads = ["what runs", "minutes", "how much", "MB after a quarter", "MB at the end", "MB"]
    return f"""\
In the long run, by `python tests/benchmarks/load.py --soak MINUTES`. Each panel has a kernel of its
own and moves as fast as it can. A reader makes a move in a second at most, so 3,600 moves are an
hour of hard work. `--soak 120` takes nine hours; how long this run was is in the table.

{table(heads, rows)}
Panels keep at most 24 to 512 results each, so memory grows while these fill. A kernel in which one
lesson runs after the other keeps the data and models of all, and their open panels: restart it.

*{conditions}*
"""


def conditions():
    """When, on what and with what: the line below the tables."""
    packages = ("numpy", "scipy", "scikit-learn", "matplotlib", "ipywidgets", "ipykernel")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return (
        f"{date.today()}, `python tests/benchmarks/load.py`. {os.cpu_count()} cores, load average "
        f"{os.getloadavg()[0]:.1f} at the start. Python {platform.python_version()}, {versions}."
    )


def keep(text, guide=GUIDE, marks=MARKS):
    """Put the tables between their marks in the guide."""
    begin, end = marks
    before, found, rest = guide.read_text(encoding="utf-8").partition(begin)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{guide.name} must hold the lines {begin.strip()} and {end.strip()}.")
    guide.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a lesson, e.g. 00_start_here")
    parser.add_argument("--minutes", type=float, default=5, help="the length of each walk")
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="what memory does in the end")
    parser.add_argument("--run", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--row", nargs="+", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--walk", type=float, metavar="SECONDS", help=argparse.SUPPRESS)
    parser.add_argument("--ends", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.run:
        print(json.dumps(run_all(options.run)))
        return
    if options.row:
        print(json.dumps(one_after_the_other(options.row)))
        return
    if options.walk:
        print(json.dumps(walk(options.walk, options.ends, options.names)))
        return
    lessons = {path.stem: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}
    if unknown := set(options.names) - set(lessons):
        sys.exit(f"No lesson named {', '.join(sorted(unknown))} in notebooks.")
    if options.soak:
        when, minutes = conditions(), options.soak
        chosen = [lessons[name] for name in options.names or lessons]
        walks = {name: Walk(*in_child("--walk", 60 * minutes, name)) for name in SOAKED}
        row = Walk(*in_child("--row", *chosen))
        keep(soak_table(walks, row, at_once(chosen[:AT_ONCE]), when), marks=SOAK)
        return
    when, needs = conditions(), []
    for name in options.names or lessons:
        need = Need(*in_child("--run", lessons[name]))
        needs.append(need)
        print(
            f"{name}: {need.peak:.0f} MB, {need.processor:.1f} s of processor time, "
            f"{need.seconds:.1f} s, {need.errors} errors",
            flush=True,
        )
    if not options.names:
        walks = [Walk(*in_child("--walk", 60 * options.minutes, *how)) for how in ([], ["--ends"])]
        keep(tables(needs, server(), *walks, when))
        print(f"The tables are in {GUIDE.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
