"""The shape of the package: what importing costs, who imports whom, what is committed."""

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import ukrlearn
from tools import import_graph
from tools.import_graph import imports_of, part_of

ROOT, PACKAGE = import_graph.ROOT, import_graph.PACKAGE
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("binder/lab.lock", "tests/test.lock", "tools/uv-bootstrap.lock")

FILES = import_graph.files()
NOT_PAPERS = {
    *("explicit", "blocks", "estimators", "evaluation", "datasets", "metrics", "figures"),
    *("course", "checks", "panels", "__main__"),
}
# A paper's folder imports from blocks only. Whoever reads one paper's code needs no other paper's.
PAPERS = sorted({part_of(path) for path in FILES} - NOT_PAPERS)
MAY_IMPORT = {
    "explicit": (),
    "blocks": (),
    **dict.fromkeys(PAPERS, ("blocks",)),
    "estimators": ("blocks", *PAPERS),
    "evaluation": ("blocks", "estimators", "metrics"),
    "datasets": ("blocks",),
    "metrics": ("blocks", "ukr"),
    "figures": ("blocks",),
    "course": (),
    "checks": ("blocks", *PAPERS, "estimators", "datasets", "metrics", "figures", "course"),
    "panels": ("blocks", *PAPERS, "estimators", "datasets", "metrics", "figures", "course"),
    "__main__": ("course", "checks"),
}
MATHEMATICS = ("explicit", "blocks", *PAPERS)


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


def test_no_module_loads_pyplot():
    """Nor asks for it later: the tests of figures and panels draw without one (no_pyplot)."""
    walk = "pkgutil.walk_packages(ukrlearn.__path__, 'ukrlearn.')"
    everything = f"import pkgutil, ukrlearn; [__import__(module.name) for module in {walk}]"
    loaded = loaded_by(everything)
    assert {"matplotlib.figure", "ukrlearn.figures", "ukrlearn.panels"} <= set(loaded)
    assert "matplotlib.pyplot" not in loaded


def test_every_public_name_resolves_and_dir_lists_it():
    assert [name for name in ukrlearn.__all__ if getattr(ukrlearn, name, None) is None] == []
    assert set(ukrlearn.__all__) <= set(dir(ukrlearn))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        ukrlearn.no_such_name  # noqa: B018


def module_of(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return importlib.import_module(name)


def test_every_module_says_what_it_is():
    assert [path for path in FILES if not module_of(path).__doc__] == []


# ---- layers -------------------------------------------------------------------------------------


def test_every_part_that_is_no_folder_of_a_paper_is_in_the_table_of_imports():
    assert NOT_PAPERS | set(PAPERS) == set(MAY_IMPORT)
    assert all((PACKAGE / paper).is_dir() for paper in PAPERS)


def test_a_part_imports_only_what_it_may():
    forbidden = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path in FILES
        for other in {name.split(".")[0] for name in imports_of(path)}
        if other not in (part_of(path), *MAY_IMPORT[part_of(path)])
    ]
    assert not forbidden


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


def all_imports_of(path):
    """Whole names of the modules that a file imports from, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_the_loops_import_math_alone_and_the_matrices_numpy_alone():
    loops, matrices = PACKAGE / "explicit", PACKAGE / "explicit/matrices"
    for folder, allowed in ((loops, {"math"}), (matrices, {"numpy"})):
        own = ".".join(folder.relative_to(ROOT).parts)
        assert list(folder.glob("*.py"))
        for path in folder.glob("[!_]*.py"):
            strangers = {
                name
                for name in all_imports_of(path)
                if name not in allowed | {own} and name.rpartition(".")[0] != own
            }
            assert not strangers, f"{path.relative_to(PACKAGE)} imports {strangers}"


# ---- twins --------------------------------------------------------------------------------------

# Loops that are no library function's twin, and why there is none.
HELPERS = {
    "squared_distance": "the library asks SciPy's cdist for all distances at once",
    "gram_matrix": "a Mercer kernel of the library takes whole data sets and gives the matrix",
    "rbf_objective": "fit_rbf solves for its minimum, and nothing evaluates it",
    "euclidean_distances": "SciPy's cdist",
    "label_distances": "label_distance of the library takes all pairs at once",
    "components": "SciPy's connected_components",
    "closest_components": "one step of agglomerate, which the library takes for all components",
    "dijkstra": "SciPy's shortest paths, which geodesic_distances asks for",
    "floyd_warshall": "another way to the shortest paths, to judge both by",
    "matrix_product": "an operator of numpy",
    "double_centred": "mercer_kernels.centred of -G²/2",
    "symmetric_eigen": "LAPACK",
    "residual_variance": "residual_variances of the library judges every dimension",
    "place_by_distances": "a method of Scaling, which keeps what it needs of the training points",
    "ridge_weights": "RidgePath has them for all penalties at once",
    "ridge_predict": "RidgePath.fit gives a network that does it",
    "squared_cost": "a record in the library: costs.squared, with its weights",
    "huber_cost": "costs.huber, likewise",
    "l1_cost": "costs.l1, likewise; l1 alone is a Mercer kernel here",
    "metric_cost": "in_metric of the library transforms the data instead",
    "quantization_error": "quantize tells it with every step",
    "best_codes": "Labels.project, for all points at once",
    "refit_means": "fit_constants with the squared cost",
    "refit_medians": "fit_constants with the L1 cost",
    "lloyd_round": "two steps of quantize",
    "gaussian_kernel": "kernels.Gaussian; gaussian alone is a density kernel here",
    "periodic_kernel": "kernels.Periodic",
    "spline_kernel": "kernels.BSpline",
    "length_kernel": "kernels.Length",
    "expansion_jacobian": "KernelExpansion.with_jacobian",
    "roughness": "half of KernelExpansion.norm, squared",
    "regularized_error": "quantize tells it with every step",
    "sparse_error": "the same with the linear regulariser",
    "start_on_plane": "start_on_axes of the library finds the axes too",
    "free_energy": "soft_quantize tells it with every step",
    "adapt_softly": "fit_quadratic with weights",
    "slope_term": "squared_slope and bend, added",
    "ridge_left_out": "RidgePath.left_out_residuals has them for all points at once",
}

# Matrices that the library never forms, and the numbered equations that ask for them.
STEPS = {
    "weights_and_slopes": "[UKR] (23), (27)",
    "weight_matrix_jacobian": "[UKR] (28)",
    "gradient_by_weights": "[UKR] (24)",
    "forces": "[UKR] (31)",
    "gradient": "[UKR] (32)",
    "gaussian_kernel": "[SGD] below (12)",
    "projection_gradient": "[DRUR] (8)",
    "projection_hessian": "[DRUR] (9)",
    "gauss_newton_step": "[DRUR] (12)",
    "rbf_objective": "[DRUR] (14)",
}


def defined_in(path):
    """Names of functions, constants, records (a_record) and their methods (a_record_method)."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.ClassDef):
            record = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", node.name).lower()
            yield record
            methods = (part.name for part in node.body if isinstance(part, ast.FunctionDef))
            yield from (f"{record}_{method}" for method in methods)


def twins_in(folder):
    """Pairs (module, name) of all that the modules of a folder offer."""
    for path in sorted(folder.glob("[a-z]*.py")):
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        yield from ((path.stem, name) for name in module.__all__)


LIBRARY = {
    name
    for path in FILES
    if part_of(path) in ("blocks", "metrics", *PAPERS)
    for name in defined_in(path)
}
LOOPS = list(twins_in(PACKAGE / "explicit"))
MATRICES = list(twins_in(PACKAGE / "explicit/matrices"))


def test_loops_and_matrices_have_the_names_of_what_they_are_twins_of():
    for twins, exceptions in ((LOOPS, HELPERS), (MATRICES, STEPS)):
        assert len(twins) > len(exceptions)
        assert [pair for pair in twins if pair[1] not in LIBRARY | exceptions.keys()] == []


def test_no_exception_is_a_twin_after_all():
    assert set(HELPERS) <= {name for _, name in LOOPS}
    assert set(STEPS) <= {name for _, name in MATRICES}
    assert not (set(HELPERS) | set(STEPS)) & LIBRARY


def test_each_numbered_equation_has_its_matrix_statement():
    numbers = {
        "ukr": [8, 10, 13, 14, 19, *range(23, 33)],
        "sgd": [1, 2, 3, 4, 12, *range(14, 22)],  # (13) names the rows of the gradient
        "drur": [7, 8, 9, 10, 11, 12, *range(13, 19), 20],
    }
    for module, expected in numbers.items():
        text = (PACKAGE / f"explicit/matrices/{module}.py").read_text(encoding="utf-8")
        comments = re.findall(r"[\w)\]]  # (.*)$", text, flags=re.MULTILINE)
        found = {int(number) for line in comments for number in re.findall(r"\((\d+)\)", line)}
        assert set(expected) <= found, f"{module}: {sorted(set(expected) - found)}"


def is_record(node):
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    bases = [ast.unparse(base) for base in node.bases]
    made = {"NamedTuple", "threading.local"} & set(bases)  # the other holds a thread's own memory
    return bool(made) or any("dataclass" in name for name in decorators)


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


def test_the_library_needs_six_packages_and_nbgrader_is_for_teachers():
    project = PYPROJECT["project"]
    needed = {Requirement(line).name for line in project["dependencies"]}
    assert needed == {"numpy", "scipy", "scikit-learn", "joblib", "tqdm", "threadpoolctl"}
    extras = project["optional-dependencies"]
    assert [name for name, lines in extras.items() if "nbgrader" in " ".join(lines)] == ["teach"]
    assert "\nnbgrader==" not in (ROOT / "binder/lab.lock").read_text()
    assert "\nnbgrader==" in (ROOT / "tests/test.lock").read_text()


# What the course may import beyond the library's own dependencies; the library, an array of dask.
NEEDS_LAB = {"panels", "figures", "checks"}
SOURCES = {name: {*map(canonicalize_name, of)} for name, of in packages_distributions().items()}


def test_whatever_is_imported_is_declared():
    project = PYPROJECT["project"]
    needed = lambda extra: {
        Requirement(line).name
        for line in [*project["dependencies"], *project["optional-dependencies"][extra]]
    }
    lab, library = needed("lab"), needed("dask")
    undeclared = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in FILES
        for name in {name.partition(".")[0] for name in all_imports_of(path) if name}
        if name not in sys.stdlib_module_names
        and name != "ukrlearn"
        and not SOURCES[name] & (lab if part_of(path) in NEEDS_LAB else library)
    ]
    assert not undeclared


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
    assert re.search(r"^make (-j\d )?test\b", script.read_text(), flags=re.MULTILINE)
