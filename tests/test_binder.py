"""What `make binder-check` checks of the files, and that it notices what it should."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import nbformat
import pytest

from tools import check_binder
from tools.check_binder import Failed, Server, base_versions, form_problems, run_lesson

ROOT = Path(__file__).resolve().parent.parent


def test_binder_is_well_formed():
    assert list(form_problems(ROOT / "binder")) == []


def test_binder_has_the_versions_that_make_lab_has():
    pins = re.compile(r"^([\w.-]+)==(\S+)((?: ;[^\\\n]*)?)", re.MULTILINE)
    ours = set(pins.findall((ROOT / "binder/requirements.txt").read_text()))
    lab = set(pins.findall((ROOT / "binder/lab.lock").read_text()))
    assert {name for name, *_ in ours} >= {
        "numpy",
        "scipy",
        "scikit-learn",
        "matplotlib",
        "hatchling",
    }
    assert ours <= lab


def test_binder_states_the_newest_python_that_is_supported():
    supported = re.findall(r"Python :: 3\.(\d+)", (ROOT / "pyproject.toml").read_text())
    python = f"3.{max(map(int, supported))}"
    assert check_binder.python_version(ROOT / "binder") == python
    assert f'python-version: "{python}"' in (ROOT / ".github/workflows/site.yml").read_text()


@pytest.fixture
def binder(tmp_path):
    return Path(shutil.copytree(ROOT / "binder", tmp_path / "binder"))


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


DAMAGES = {
    "not executable": (
        lambda b: (b / "postBuild").chmod(0o644),
        "binder/postBuild must be executable: chmod +x binder/postBuild",
    ),
    "no exec": (
        lambda b: change(b / "start", 'exec "$@"', "echo ready"),
        'binder/start must end with exec "$@"',
    ),
    "no set -e": (lambda b: change(b / "postBuild", "set -e", "true"), "must say set -e"),
    "no trust": (
        lambda b: change(b / "postBuild", "jupyter trust", "ls"),
        "binder/postBuild must say jupyter trust",
    ),
    "no #!": (
        lambda b: change(b / "start", "#!/bin/bash\n", ""),
        "binder/start must begin with #!",
    ),
    "Windows": (
        lambda b: (b / "start").write_bytes((b / "start").read_bytes().replace(b"\n", b"\r\n")),
        "binder/start must have Unix line ends",
    ),
    "missing": (lambda b: (b / "start").unlink(), "binder/start is missing"),
    "no Python": (lambda b: (b / "runtime.txt").unlink(), "must state the Python"),
    "odd Python": (
        lambda b: (b / "runtime.txt").write_text("3.12"),
        "runtime.txt must be python-3.X; it is '3.12'",
    ),
    "unread": (
        lambda b: (b / "environment.yaml").touch(),
        "environment.yaml is not read by Binder",
    ),
    "unpinned": (
        lambda b: (b / "requirements.txt").write_text("numpy\n"),
        "must pin with hashes: numpy is not",
    ),
    "an address": (
        lambda b: change(b / "requirements.txt", "numpy==", "--index-url https://x\nnumpy=="),
        "must not name an address",
    ),
    "JupyterLab": (
        lambda b: change(b / "requirements.txt", "joblib==", "jupyterlab=="),
        "must leave jupyterlab to Binder's base",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_noticed(binder, damage):
    spoil, message = DAMAGES[damage]
    spoil(binder)
    assert any(message in problem for problem in form_problems(binder))


def test_versions_of_the_base_are_read_from_repo2docker():
    lock = [
        "https://host/linux-64/tornado-6.5.2-py311h49ec1c0_1.conda#18a9",
        "https://host/noarch/jupyterlab-4.9.1-pyhd8ed1ab_0.conda#6fcc",
        "https://host/noarch/jupyterlab_widgets-3.0.15-pyhd8ed1ab_0.conda#ad10",
    ]
    versions = base_versions(lock)
    assert {"jupyterlab==4.9.1", "tornado==6.5.2", "jupyterlab_widgets==3.0.15"} <= set(versions)
    assert f"notebook=={check_binder.BASE['notebook']}" in base_versions([])


@pytest.fixture
def work(tmp_path, binder):
    """A repository with two notebooks: one is fine, one fails in its second cell."""
    for name, last in (("fine", "y = x + 1"), ("broken", "y = 1 / 0")):
        cells = [nbformat.v4.new_code_cell(code) for code in ("x = 1", last)]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    return tmp_path


def variables(**changes):
    here = Path(sys.executable).parent
    return {**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}", **changes}


def test_a_lesson_that_fails_is_noticed(work):
    with Server(work, variables(PYTHONPATH="")) as server:
        with pytest.raises(Failed, match="cell 2 fails: ZeroDivisionError"):
            run_lesson(server, "broken.ipynb")
        # All of its cells run; then the package must be an installed one, which it is not here.
        with pytest.raises(Failed, match=r"cell 3 fails: AssertionError: .*ukrlearn.__init__.py"):
            run_lesson(server, "fine.ipynb")
        assert json.loads(server.ask("api/sessions")) == []
    assert server.process.poll() is not None


def test_a_start_that_does_not_start_is_noticed(work):
    (work / "binder" / "start").write_text("#!/bin/bash\necho on purpose\nexit 3\n")
    with pytest.raises(Failed, match="JupyterLab did not start: on purpose"):
        with Server(work, variables()):
            pass


def test_a_command_that_fails_says_why(tmp_path):
    with pytest.raises(Failed, match="failed with status 1: on purpose"):
        check_binder.run(sys.executable, "-c", "import sys; sys.exit('on purpose')")
    with pytest.raises(Failed, match="failed with status 3: no word"):
        check_binder.run(sys.executable, "-c", "import sys; sys.exit(3)")


def test_problems_are_printed_and_returned(monkeypatch, capsys):
    monkeypatch.setattr(check_binder, "check_for_real", lambda say: ["postBuild failed"])
    assert check_binder.main([]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "postBuild failed"
    monkeypatch.setattr(check_binder, "check_for_real", lambda say: [])
    assert check_binder.main([]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "binder/ gives a working course."
