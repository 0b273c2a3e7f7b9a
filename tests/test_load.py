"""What a class needs: the script that measures it, its arithmetic, and the guide that shows it."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "tests" / "benchmarks" / "load.py"
GUIDE = ROOT / "exercises" / "INSTRUCTORS.md"
linux = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="it reads /proc")


@pytest.fixture(scope="module")
def load():
    """The script as a module. It sets variables of the environment, which go with the fixture."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"):
            patch.setenv(name, "0")  # so that they are put back
        patch.syspath_prepend(str(SCRIPT.parent))
        import load

        yield load
        del sys.modules["load"]


def said(*arguments):
    finished = subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout.splitlines()[-1])


# ---- measuring ----------------------------------------------------------------------------------


@linux
def test_a_run_counts_memory_that_was_freed_processor_time_and_errors(tmp_path, load):
    cells = [
        "import time\nblock = bytearray(300 * 2**20)\ndel block",
        "end = time.process_time() + 0.5\nwhile time.process_time() < end: pass",
        "time.sleep(0.5)",
        "1 / 0",
        "print('the cells below an error run, too')",
    ]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    nbformat.write(notebook, tmp_path / "toy.ipynb")
    need = load.Need(*said("--run", tmp_path / "toy.ipynb"))
    assert (need.lesson, need.errors) == ("toy", 1)
    assert 300 < need.peak < 600
    assert need.processor > 0.5 and need.seconds > 1.0


@linux
def test_a_walk_moves_the_panels_of_one_kernel(load):
    walk = load.Walk(*said("--walk", 0.4, "--ends", "LatentScale"))
    assert len(walk.moves) == len(walk.resident) == load.SAMPLES
    assert walk.moves == sorted(walk.moves) and walk.moves[-1] >= load.SAMPLES
    assert all(50 < megabytes < 1000 for megabytes in walk.resident)
    assert walk.minutes > 0.4 / 60


@linux
def test_memory_and_time_are_those_of_the_process(load):
    child = subprocess.Popen(
        [sys.executable, "-c", "b = bytearray(2**27); del b; print(1, flush=True); input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "1000000"},  # freed memory goes back
    )
    child.stdout.readline()
    peak, now = load.resident(child.pid, "VmHWM"), load.resident(child.pid)
    child.communicate(b"\n")
    assert peak > 128 > now
    before = load.processor_seconds("self")
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    assert load.processor_seconds("self") - before > 0.1


def test_a_reader_moves_every_control_of_every_panel_asked_for(load):
    movers = load.Movers(ends=False, names=["LatentScale", "Bandwidth"])
    seen = {}
    for panel in movers.panels:
        for name, control in panel._controls.items():
            values = [movers.value(control) for _ in range(60)]
            assert [control.checked(value) for value in values] == pytest.approx(values)
            seen[name] = len(set(values))
    assert seen.pop("left_out") == 2  # a switch
    assert all(count > 20 for count in seen.values()), seen
    before = [panel.state() for panel in movers.panels]
    assert movers.move(0.2) == movers.moves > 0
    assert [panel.state() for panel in movers.panels] != before
    movers.ends = True
    (slider,) = movers.panels[0]._controls.values()
    assert {movers.value(slider) for _ in range(30)} == {slider.low, slider.high}
    for panel in movers.panels:
        panel.close()


# ---- arithmetic ---------------------------------------------------------------------------------


def test_what_fits_and_what_is_needed(load):
    assert load.kernels_on_binder(300, 148) == 6
    assert load.kernels_on_binder(1901, 148) == 0
    assert load.gigabytes(412, 100) == 50.0
    assert load.gigabytes(412, 100, seats=2) == 1.0
    assert load.cores(6) == 10
    assert load.cores(6.1) == 11
    assert load.cores(6, minutes=5) == 2


def test_growth_is_the_slope_after_the_first_quarter(load):
    moves = [100 * k for k in range(1, 21)]
    warm = [10.0 * k for k in range(5)] + [50 + 0.2 * k for k in range(15)]
    assert load.growth(load.Walk(moves, warm, 1)) == pytest.approx(2.0)


def test_tables_are_kept_between_the_marks_only(tmp_path, load):
    guide = tmp_path / "guide.md"
    guide.write_text("# A\n\n<!-- load -->\nold\n<!-- end of load -->\n\nB\n")
    needs = [load.Need("one", 300, 6, 9), load.Need("two", 412, 12, 30, errors=1)]
    walk = load.Walk([100 * k for k in range(1, 21)], [400.0] * 20, 5.0)
    text = load.tables(needs, 148, walk, walk, "today")
    for _ in range(2):
        load.keep(text, guide)
    kept = guide.read_text(encoding="utf-8")
    assert kept == f"# A\n\n<!-- load -->\n\n{text}\n<!-- end of load -->\n\nB\n"
    rows = [re.split(r"\s*\|\s*", line)[2:-1] for line in kept.splitlines() if "notebooks/" in line]
    assert rows == [
        ["300", "6.0", "≤ 9.0", "6", "44", "10"],
        ["412", "12.0", "≤ 30.0", "4", "55", "20"],
    ]
    assert "the others ran on: two." in kept and "two.ipynb) †" in kept
    assert "plan 95 GB" in kept and "4 cores finish in five minutes" in kept
    guide.write_text("# A\n")
    with pytest.raises(ValueError, match="guide.md must hold the lines <!-- load -->"):
        load.keep(text, guide)
    assert guide.read_text() == "# A\n"


@linux
def test_lessons_in_one_kernel_leave_what_they_leave_and_at_once_each_has_its_own(tmp_path, load):
    paths = [tmp_path / f"{name}.ipynb" for name in ("fills", "reads")]
    for path, source in zip(paths, ("kept = bytearray(200 * 2**20)", "len(kept)"), strict=True):
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        nbformat.write(notebook, path)
    row = load.Walk(*said("--row", *paths))
    *after, peak, freed = row.resident
    assert row.moves == [1, 2] and min(after) > 200 and freed < peak - 150
    fills, reads = load.at_once(paths)
    assert (fills.errors, reads.errors) == (0, 1) and fills.peak > reads.peak + 150
    walk = load.Walk(row.moves, after, row.minutes)
    text = load.soak_table({"Untangle": walk}, row, [fills, reads], "today")
    assert f"{fills.peak + reads.peak:.0f}" in text and "| 2 moves" in text and "*today*" in text


# ---- the guide ----------------------------------------------------------------------------------


def test_the_guide_has_a_row_for_every_lesson_and_its_links_lead_somewhere():
    guide = GUIDE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\]", guide, re.MULTILINE)
    assert rows == sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
    heads = re.findall(r"^#+ (.+)", guide, re.MULTILINE)
    for link in re.findall(r"\]\(([^)]+)\)", guide):
        file, _, place = link.partition("#")
        assert (GUIDE.parent / file).exists(), link
        assert not place or place in [head.lower().replace(" ", "-") for head in heads], link
    assert "exercises/INSTRUCTORS.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_guide_follows_from_its_own_figures(load):
    guide = GUIDE.read_text(encoding="utf-8")
    of_server = float(re.search(r"another (\d+) MB", guide)[1])
    for row in re.findall(r"^\| \[\w+\].*$", guide, re.MULTILINE):
        peak, processor, _, kernels, memory, cores = re.split(r"\s*\|\s*", row)[2:-1]
        assert abs(load.kernels_on_binder(float(peak), of_server) - int(kernels)) <= 1
        assert load.gigabytes(float(peak), of_server) == pytest.approx(int(memory), abs=1)
        assert abs(load.cores(float(processor)) - int(cores)) <= 1
