"""Which code a section measures, and whether it has changed since a commit.

Comments and docstrings do not count. Modules are found by following imports from the section.
"""

import ast
import hashlib
import pkgutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCUMENTED = ast.Module, ast.ClassDef, ast.FunctionDef
UNKNOWN = "a commit that git does not know"


def measured_files(section):
    """The modules of the package that a section imports, and those that they import, and so on."""
    found, new = set(), {HERE / f"{section}.py"}
    while new:
        path = new.pop()
        found.add(path)
        new |= imported_by(path) - found
    return sorted(path for path in found if HERE not in path.parents)


@cache
def imported_by(path):
    """Files of the package and of this folder that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    beside = (
        {HERE / f"{name.partition('.')[0]}.py" for name in names} if HERE == path.parent else ()
    )
    files = {_file_of(name) for name in names if name.startswith("ukrlearn.")}
    return files | {path for path in beside if path.exists()}


def _file_of(name):
    """The file of the module that defines what is imported by this name."""
    found = pkgutil.resolve_name(name)
    if not isinstance(found, ModuleType):
        home = getattr(found, "__module__", None) or ""
        found = sys.modules[home if home.startswith("ukrlearn") else name.rpartition(".")[0]]
    return Path(found.__file__)


def essence(source):
    """A program without comments and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:]
    return ast.dump(tree)


def fingerprint(section):
    """A word that changes with the code that the section measures."""
    code = "".join(essence(path.read_text(encoding="utf-8")) for path in measured_files(section))
    return hashlib.sha256(code.encode()).hexdigest()[:12]


def commit_of(section):
    """The last commit, with a + if code that the section measures differs from it."""
    commit = _git("rev-parse", "--short", "HEAD").strip()
    return f"{commit}+" if changed_since(commit, section) else commit


def changed_since(commit, section):
    """The measured files whose code is no longer that of the commit."""
    files = [str(path.relative_to(ROOT)) for path in measured_files(section)]
    try:
        different = _git("diff", "--name-only", "--no-renames", commit, "--", *files).splitlines()
    except subprocess.CalledProcessError:
        return [UNKNOWN]
    return [name for name in different if essence((ROOT / name).read_text()) != _then(commit, name)]


def _then(commit, name):
    try:
        return essence(_git("show", f"{commit}:{name}"))
    except subprocess.CalledProcessError:
        return None  # a new file


def _git(*words):
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    ).stdout
