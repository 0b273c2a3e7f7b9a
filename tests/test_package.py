"""The shape of the package: what importing costs, who imports whom, what is committed."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import ukrlearn

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ukrlearn"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("binder/lab.lock", "tests/test.lock", "tools/uv-bootstrap.lock")

# A paper's folder imports from blocks only. Whoever reads one paper's code needs no other paper's.
PAPERS = ("ukr", "sgd", "drur", "rpm", "si")
MAY_IMPORT = {
    "explicit": (),
    "blocks": (),
    **dict.fromkeys(PAPERS, ("blocks",)),
    "estimators": ("blocks", *PAPERS),
    "datasets": (),
    "metrics": ("blocks", "ukr"),
    "figures": ("blocks",),
    "course": (),
    "checks": ("explicit", "blocks", *PAPERS, "datasets", "metrics", "figures", "course"),
    "panels": ("blocks", *PAPERS, "estimators", "datasets", "metrics", "figures", "course"),
    "__main__": ("course", "checks"),
}
MATHEMATICS = ("explicit", "blocks", *PAPERS)
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path):
    """The folder, or single module, of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path):
    """Dotted names below ukrlearn that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import: write the whole name"
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            package, _, name = target.partition(".")
            if package == "ukrlearn" and name != "__version__":
                yield name


def loaded_by(statement):
    """Names in sys.modules of a fresh Python after it ran the statement."""
    code = f"{statement}; import sys; print(*sys.modules)"
    return subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).split()


# ---- importing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("statement", ["import ukrlearn", "import ukrlearn.__main__"])
def test_importing_loads_nothing_of_the_course_and_nothing_heavy(statement):
    heavy = {
        *("matplotlib", "ipywidgets", "IPython", "ipykernel", "jupyter_client", "jupyter_core"),
        *("jupyterlab", "jupyter_server", "traitlets", "pandas", "polars", "joblib", "tqdm"),
        *("sklearn", "scipy.optimize", "sklearn.manifold"),
    }
    assert heavy.isdisjoint(loaded_by(statement))


def test_the_library_loads_neither_matplotlib_nor_jupyter_nor_dask():
    names = "UKR, KernelDensityClassifier, ParametricDRUR, datasets, metrics"
    loaded = loaded_by(f"from ukrlearn import {names}")
    optional = {"matplotlib", "ipywidgets", "IPython", "ipykernel", "traitlets"}
    assert (optional | {"dask", "distributed"}).isdisjoint(loaded)


@pytest.mark.parametrize("name", ukrlearn.__all__)
def test_every_public_name_resolves(name):
    assert getattr(ukrlearn, name) is not None


def test_dir_lists_all_public_names():
    assert set(ukrlearn.__all__) <= set(dir(ukrlearn))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        ukrlearn.no_such_name  # noqa: B018


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_module_says_what_it_is(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    assert importlib.import_module(name).__doc__


# ---- layers -------------------------------------------------------------------------------------


def test_the_table_of_imports_lists_every_part():
    assert {part_of(path) for path in FILES} - set(MAY_IMPORT) == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_part_imports_only_what_it_may(path):
    own = part_of(path)
    others = {name.split(".")[0] for name in imports_of(path)} - {own}
    assert others - set(MAY_IMPORT[own]) == set()


def test_no_modules_import_each_other_in_a_circle():
    modules = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in FILES}
    graph = {}
    for name, path in modules.items():
        found = (
            next((m for m in (target, target.rpartition(".")[0]) if m in modules), None)
            for target in imports_of(path)
        )
        graph[name] = {module for module in found if module}
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_the_explicit_twins_use_plain_python():
    for path in (PACKAGE / "explicit").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            strangers = [name for name in names if name.split(".")[0] in ("numpy", "scipy")]
            assert not strangers, f"{path.name} imports {strangers}"


def is_record(node):
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    bases = [ast.unparse(base) for base in node.bases]
    return "NamedTuple" in " ".join(bases) or any("dataclass" in name for name in decorators)


def test_only_records_have_methods_below_the_estimators():
    for path in FILES:
        if part_of(path) not in MATHEMATICS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and "self" in ast.unparse(node):
                assert is_record(node), f"{path.name}: {node.name} has methods but is no record"


# ---- metadata -----------------------------------------------------------------------------------


def test_the_version_is_the_same_everywhere():
    assert PYPROJECT["tool"]["hatch"]["version"]["path"] == "ukrlearn/__init__.py"
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {ukrlearn.__version__}\n" in citation
    assert f"\n## {ukrlearn.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_library_needs_five_packages_and_nbgrader_is_for_teachers():
    project = PYPROJECT["project"]
    needed = {Requirement(line).name for line in project["dependencies"]}
    assert needed == {"numpy", "scipy", "scikit-learn", "joblib", "tqdm"}
    extras = project["optional-dependencies"]
    assert [name for name, lines in extras.items() if "nbgrader" in " ".join(lines)] == ["teach"]
    assert "\nnbgrader==" not in (ROOT / "binder/lab.lock").read_text()
    assert "\nnbgrader==" in (ROOT / "tests/test.lock").read_text()


def pins(lock):
    """The blocks of a lock file: one requirement with its marker and hashes each."""
    return [block for block in re.split(r"\n(?=\S)", (ROOT / lock).read_text()) if block.strip()]


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_pin_with_hashes_and_name_no_address(lock):
    assert not re.search(
        r"https?://|file://|index-url|find-links|trusted-host", "".join(pins(lock))
    )
    assert all("==" in pin and "--hash=sha256:" in pin for pin in pins(lock))


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("binder/lab.lock", ["lab"]), ("tests/test.lock", ["lab", "test", "teach"])],
)
def test_locks_satisfy_pyproject(lock, extras):
    pinned = {}
    for requirement in (Requirement(pin.split(" \\")[0]) for pin in pins(lock)):
        pinned.setdefault(requirement.name, []).append(str(requirement.specifier)[2:])
    lines = list(PYPROJECT["project"]["dependencies"])
    for extra in extras:
        lines += PYPROJECT["project"]["optional-dependencies"][extra]
    for wanted in (Requirement(line) for line in lines + PYPROJECT["dependency-groups"]["build"]):
        if wanted.name != "ukrlearn":
            assert all(version in wanted.specifier for version in pinned[wanted.name]), wanted


def committed_files():
    """What git has, or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout: what is committed cannot be listed")
    return [path for name in listed.stdout.split("\0") if (path := ROOT / name).is_file()]


def test_no_committed_file_names_a_registry_or_a_folder_of_one_machine():
    # [.] and [h]: so that this file does not find itself.
    registry = r"pypi[.]org|python[h]osted|npmjs[.]org|anaconda[.]org"
    folder = r"(?:^|[^\w./-])/(?:work|root|home/\w+|tmp/\w+)/"
    for path in committed_files():
        text = path.read_text(encoding="utf-8", errors="ignore")
        found = re.search(f"{registry}|{folder}", text, flags=re.MULTILINE)
        assert not found, f"{path.relative_to(ROOT)} names {found.group()!r}"


def test_ci_is_executable_and_runs_make_test():
    script = ROOT / ".ci/run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text()
