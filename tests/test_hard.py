"""What `make test-hard` relies on: an order by a seed, true conditions, a table that is kept."""

import resource
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest
from tools import hard


def shuffled(seed):
    files = [Path(name) for name in ("test_a.py", "b.ipynb", "test_c.py", "d.ipynb")]
    items = [SimpleNamespace(path=file, number=n) for file in files for n in range(20)]
    config = SimpleNamespace(getoption=lambda name: seed)
    conftest.pytest_collection_modifyitems(config, items)
    return [(item.path.name, item.number) for item in items]


def test_an_order_is_that_of_its_seed_and_cells_stay_in_theirs():
    assert shuffled(1) == shuffled(1) != shuffled(2)
    for name in ("test_a.py", "b.ipynb"):
        numbers = [number for file, number in shuffled(1) if file == name]
        assert sorted(numbers) == list(range(20))
        assert (numbers == list(range(20))) == name.endswith(".ipynb")
    for seed in range(3):  # files are not mixed
        names = [name for name, _ in shuffled(seed)]
        assert sum(a != b for a, b in zip(names, names[1:], strict=False)) == 3


@pytest.fixture
def said(tmp_path, monkeypatch):
    """said(names, script): its closing line, where `make test` runs a script of the shell."""
    monkeypatch.setattr(hard, "ROOT", tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")  # short, also under a condition

    def run(names, script):
        (tmp_path / "Makefile").write_text("test:\n\t@sh say\n", encoding="utf-8")
        (tmp_path / "say").write_text(script, encoding="utf-8")
        return hard.under(names)

    return run


def test_conditions_hold_together_while_the_suite_runs_and_end_with_it(said):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    closing = 'echo "=== $(umask) $(ulimit -n) ${#TMPDIR} $PYTEST_ADDOPTS in 1s ==="'
    told = "0077 256 60 --ignore=tests/browser --shuffle=7 in 1s"
    assert said("umask+tmpdir+order=7", closing) == (told, False)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == limits
    closing = 'echo "=== $LC_ALL ${HOME-unset} in 1s ==="'
    assert said("locale", closing) == ("C unset in 1s", False)
    assert said("busy", 'echo "=== in 1s ==="')[1]
    assert said("tmpdir", "exit 3")[0].startswith("pytest did not end; make gave ")


def test_a_row_replaces_the_older_one_and_leaves_the_others(tmp_path, monkeypatch):
    monkeypatch.setattr(hard, "TABLE", tmp_path / "HARD.md")
    for name, closing in (("umask", "1 failed"), ("busy", "2 passed"), ("umask", "3 passed")):
        hard.write(name, "everything", "abc", "today", closing)
    rows = (tmp_path / "HARD.md").read_text(encoding="utf-8").removeprefix(hard.HEAD)
    assert rows == (
        "| busy | everything | abc | today | 2 passed |\n"
        "| umask | everything | abc | today | 3 passed |\n"
    )


def test_an_unknown_condition_is_refused():
    with pytest.raises(SystemExit, match="noise must be order=SEED or one of busy, tmpdir"):
        hard.under("tmpdir+noise")
