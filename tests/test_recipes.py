"""The recipes of ARCHITECTURE.md, followed on a copy of the repository by one who knows no more.

Each test writes only into files that the recipe names, runs the commands that it names, and then
the tests that guard what was added.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Recipes")[2]
RECIPES = dict(re.findall(r"^\*\*(.+?)\.\*\* (.+?)(?=\n\n|\Z)", PAGE, re.M | re.S))


class Copy:
    """What git tracks, and the recipe that is followed."""

    def __init__(self, root, recipe):
        self.root = root
        self.words = " ".join(f"{PAGE.partition('**')[0]} {RECIPES[recipe]}".split())
        named = re.findall(r"`([\w/.]+\.\w+)`", self.words)
        self.named = [
            re.compile(re.escape(n).replace("NAME", r"\w+?").replace("NN", r"\d\d\w?"))
            for n in named
        ]

    def write(self, path, text):
        assert any(name.fullmatch(path) for name in self.named), f"the recipe does not name {path}"
        (self.root / path).parent.mkdir(exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def insert(self, path, text, before):
        """Text in front of the only place where a file has these words."""
        old = self.read(path)
        assert old.count(before) == 1, (path, before)
        self.write(path, old.replace(before, text + before))

    def twin(self, path, *changes):
        """A file of another name with other words, as one begins with what is there."""
        self.write(changed(path, changes), changed(self.read(path), changes))

    def run(self, *command):
        environment = {**os.environ, "PYTHONPATH": str(self.root)}
        done = subprocess.run(
            command, cwd=self.root, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]

    def python(self, *command):
        assert command[0] in self.words, f"the recipe does not name {command[0]}"
        self.run(sys.executable, *command)

    def make(self, target):
        """A target of the Makefile, in the environment of these tests."""
        assert f"`make {target}`" in self.words, f"the recipe does not name make {target}"
        self.run("make", "-o", ".venv-test/ready", f"TEST={shlex.quote(sys.executable)}", target)

    def guarded(self, *tests):
        self.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


def changed(text, changes):
    for old, new in changes:
        text = text.replace(old, new)
    return text


@pytest.fixture
def copied(tmp_path):
    """copied(recipe): a copy of all that git tracks."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    tracked = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()

    def copy(recipe):
        for name in tracked:
            if (ROOT / name).exists():  # not yet committed to be gone
                (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, tmp_path / name)
        return Copy(tmp_path, recipe)

    return copy


def test_a_method_from_a_paper(copied):
    here = copied("A method from a paper")
    here.write(
        "ukrlearn/explicit/fold.py",
        '''"""[FOLD] in loops."""

__all__ = ["folded"]


def folded(y):
    """The length of y, with the sign of its first number."""
    return (1 if y[0] >= 0 else -1) * sum(a * a for a in y) ** 0.5
''',
    )
    here.write("ukrlearn/fold/__init__.py", '"""[FOLD] on top of the shared blocks."""\n')
    here.write(
        "ukrlearn/fold/fold.py",
        '''"""A signed length as the only coordinate, [FOLD]."""

import numpy as np


def folded(Y):
    """The lengths of the rows of Y, with the signs of their first numbers: (N,)."""
    return np.where(Y[:, 0] >= 0, 1, -1) * np.linalg.norm(Y, axis=1)
''',
    )
    here.write(
        "ukrlearn/estimators/fold.py",
        '''"""The estimator of [FOLD]."""

from ukrlearn.estimators._embedding import EmbeddingWithPlaces
from ukrlearn.fold.fold import folded


class Fold(EmbeddingWithPlaces):
    """Signed lengths of the rows as an embedding.

    Parameters
    ----------
    n_components : int
        q, which must be 1.
    """

    def __init__(self, n_components=1):
        self.n_components = n_components

    def _learn(self, Y, twins, journal):
        if self._checked_components(Y) != 1:
            raise ValueError(f"n_components must be 1; got {self.n_components}.")
        return {"embedding_": folded(Y)[:, None], "_training_rows": Y}

    def _place(self, Y):
        return folded(Y)[:, None]
''',
    )
    names = "ukrlearn/estimators/__init__.py"
    here.insert(
        names, "from ukrlearn.estimators.fold import Fold\n", "from ukrlearn.estimators.guidance"
    )
    here.insert(names, '    "Fold",\n', '    "GRNNMap",\n')
    here.insert("ukrlearn/__init__.py", '"Fold", ', '"UKR", "SNE"')
    here.insert(
        "tests/surface.py", "    *model(estimators.Fold, {}),\n", "    *model(estimators.GRNNMap"
    )
    here.insert("tests/test_contract.py", "        Fold(),\n", "        GRNNMap(),\n")
    here.insert("tests/test_contract.py", "    Fold,\n", "    KernelDensityClassifier,\n    Nonp")
    here.insert("ARCHITECTURE.md", "| `fold/` | [FOLD]: signed lengths |\n", "| `estimators/` |")
    here.write(
        "tests/test_fold.py",
        """import numpy as np

from ukrlearn import Fold, explicit
from ukrlearn.fold.fold import folded


def test_loops_and_arrays_agree():
    Y = np.random.default_rng(0).normal(size=(5, 2))
    assert np.allclose(folded(Y), [explicit.folded(y) for y in Y.tolist()])
    assert Fold().fit(Y).transform(Y).shape == (5, 1)
""",
    )
    here.python("tools/import_graph.py", "--write")
    guards = "package", "architecture", "contract", "arguments"
    which = "test_fold or (test_package and not load) or folder or graph or Fold or public or right"
    here.guarded("tests/test_fold.py", *(f"tests/test_{name}.py" for name in guards), "-k", which)


def test_a_panel(copied):
    here = copied("A panel")
    twin = ("latent_scale", "second_scale"), ("LatentScale", "SecondScale")
    here.twin("ukrlearn/panels/latent_scale.py", *twin)
    here.write(
        "tests/test_panel_second_scale.py",
        """from ukrlearn.panels import SecondScale


def test_a_wide_bandwidth_gives_the_mean():
    assert SecondScale.example().set(bandwidth=32).summary().startswith("Bandwidth 32")
""",
    )
    new = "    function(panels.SecondScale, CURVE),\n"
    here.insert("tests/surface.py", new, "    function(panels.LatentScale")
    selected = "SecondScale or second_scale or public or folder"
    guards = "panel_second_scale", "panel_sweep", "arguments"
    here.guarded(*(f"tests/test_{name}.py" for name in guards), "-k", selected)


def test_an_exercise(copied):
    here = copied("An exercise")
    twin = ("29_half", "29b_spare"), ("half_penalty", "spare_penalty"), ("cise 29:", "cise 29b:")
    here.twin("exercises/29_half_penalty.py", *twin)
    for path in ("ukrlearn/checks/bank/{}.py", "ukrlearn/checks/bank/{}.md", "tests/answers/{}.py"):
        here.twin(path.format("half_penalty"), *twin)
    changes = *twin, ("[29 ", "[29b ")
    row = re.search(r"^# \| \[29 .*half_penalty.*\n", here.read("notebooks/course.py"), re.M)[0]
    here.insert("notebooks/course.py", changed(row, changes), "# | [30 What")
    link = "# - To do: [exercise 29b](../exercises/29b_spare_penalty.ipynb)\n"
    here.insert("notebooks/23_principal_manifolds.py", link, "# - Before: [one functional")
    guide = "exercises/guide/23_principal_manifolds.md"
    entry = here.read(guide).partition("## Exercise 29:")
    here.write(guide, "".join(entry) + "\n" + changed("".join(entry[1:]), changes))
    here.make("index")
    here.make("guide")
    pages = "29b_spare_penalty", "23_principal_manifolds", "course"
    here.python("tools/notebooks.py", "build", *pages)
    guards = "exercises", "guide", "course"
    others = "(test_guide or test_course) and (exercise or index or plan)"
    which = f"spare_penalty or every_exercise or {others}"
    here.guarded(*(f"tests/test_{name}.py" for name in guards), "-k", which)
