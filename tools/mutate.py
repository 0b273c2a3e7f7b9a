"""Do the tests bite? Change a module in one place at a time and see whether its tests notice.

    python tools/mutate.py reconstruction          every mutant, with the module's own tests
    python tools/mutate.py reconstruction -k 17    the 17th mutant only, with what pytest says
    python tools/mutate.py descent --tests test_descent.py test_homotopy.py
    python tools/mutate.py --answers projection    every mutant of the solution of an exercise

The working tree is never touched: package and tests are copied to a temporary folder, and the
mutants are made there. A mutant that no test kills either shows that a test is missing, or computes
the same in other words; the latter are listed, with the reason, in tools/equivalent_mutants.txt.

The solution of an exercise is mutated too, and its checker looks at each mutant: none may pass, and
of those that run most should be told what they did.
"""

import argparse
import ast
import contextlib
import copy
import functools
import linecache
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import jupytext

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = ROOT / "tools" / "equivalent_mutants.txt"
EXAMPLES = "reconstruction", "estimators/ukr"
TESTS = {
    "_ukr_scheme": ["test_ukr_scheme.py"],
    "affinity": ["test_spectral.py"],
    "density_constraint": ["test_density_constraint.py", "test_homotopy.py"],
    "filters": ["test_spectral.py"],
    "gauss_newton": ["test_drur.py", "test_drur_estimator.py"],
    "guidance": ["test_spectral.py", "test_guidance.py"],
    "guided": ["test_spectral.py", "test_guidance.py"],
    "nonparametric": ["test_nonparametric_drur.py", "test_drur_estimator.py"],
    "rounds": ["test_drur_estimator.py", "test_nonparametric_drur.py"],
    "sharing": ["test_equal_rows.py"],
    "springs": ["test_neighbor_embedding.py", "test_reconstruction.py"],
    "units": ["test_drur_estimator.py", "test_starts.py"],
}

SWAPS = (
    (ast.Add, ast.Sub),
    (ast.Mult, ast.Div),
    (ast.BitAnd, ast.BitOr),
    (ast.And, ast.Or),
    (ast.Eq, ast.NotEq),
    (ast.Is, ast.IsNot),
)
OPERATORS = {one: [other] for pair in SWAPS for one, other in (pair, pair[::-1])}
OPERATORS |= {ast.FloorDiv: [ast.Mult], ast.Pow: [ast.Mult]}
OPERATORS |= {ast.Lt: [ast.LtE, ast.GtE], ast.LtE: [ast.Lt, ast.Gt]}
OPERATORS |= {ast.Gt: [ast.GtE, ast.LtE], ast.GtE: [ast.Gt, ast.Lt]}
WORDS = dict(minimum="maximum", min="max", argmin="argmax", zeros="ones", zeros_like="ones_like")
WORDS |= dict(all="any", sum="mean", flatnonzero="asarray", logical_and="logical_or")
WORDS |= {new: old for old, new in WORDS.items() if old not in ("flatnonzero", "sum")}
NAMING = {"slip", "multiple", "negative", "missing", "sign", "factor", "left_empty"}  # findings
LEAVE_ALONE = ("annotation", "returns", "decorator_list")  # types and decorators are not behaviour


def replacements(node):
    """What may stand in a node's place: pairs (how it differs, the other node)."""
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        for other in OPERATORS.get(type(node.op), []):
            yield f"{type(node.op).__name__} -> {other.__name__}", changed(node, op=other())
    if isinstance(node, ast.Compare):
        for other in OPERATORS.get(type(node.ops[0]), []):
            change = f"{type(node.ops[0]).__name__} -> {other.__name__}"
            yield change, changed(node, ops=[other(), *node.ops[1:]])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
        yield f"drop {type(node.op).__name__}", node.operand
    if isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        value = node.value
        if isinstance(value, bool):
            others = [not value]
        else:
            others = [1, 2] if value == 0 else [0, 2] if value == 1 else [value / 2, value * 2]
        for other in others:
            other = type(value)(other)
            if other != value:
                yield f"{value} -> {other}", changed(node, value=other)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield "drop .T", node.value
    if isinstance(node, ast.Attribute) and node.attr in WORDS:
        yield f"{node.attr} -> {WORDS[node.attr]}", changed(node, attr=WORDS[node.attr])
    if isinstance(node, ast.Name) and node.id in WORDS:
        yield f"{node.id} -> {WORDS[node.id]}", changed(node, id=WORDS[node.id])
    if isinstance(node, (ast.If, ast.IfExp)):
        yield "negate", changed(node, test=ast.UnaryOp(ast.Not(), node.test))
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    stored = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    if called or stored or isinstance(node, (ast.AugAssign, ast.Break)):
        yield "delete", ast.Pass()


def changed(node, **fields):
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def places(node):
    """Every place of a tree where a node stands: (parent, field, index or None, node)."""
    for field, value in ast.iter_fields(node):
        if field in LEAVE_ALONE or isinstance(node, ast.JoinedStr):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield node, field, index, child
                yield from places(child)


def mutants(source):
    """Every mutant of a source: (line number, its text, the change, the mutant's source)."""
    tree, lines = ast.parse(source), source.splitlines()
    for parent, field, index, node in list(places(tree)):
        for change, other in replacements(node):
            put(parent, field, index, other)
            yield node.lineno, lines[node.lineno - 1].strip(), change, ast.unparse(tree)
            put(parent, field, index, node)


def put(parent, field, index, node):
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def run_pytest(folder, tests, loud):
    """In a process of its own: 0 if all tests pass."""
    os.chdir(folder)
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != ROOT]
    import pytest

    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "pytest_timeout", "--no-header"]
    with contextlib.ExitStack() as stack:
        if not loud:
            nowhere = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
            stack.enter_context(contextlib.redirect_stdout(nowhere))
            stack.enter_context(contextlib.redirect_stderr(nowhere))
        code = pytest.main([*options, *(f"tests/{test}" for test in tests)])
    os._exit(int(code))


def outcome(folder, tests, seconds, loud=False):
    """ "alive" if all tests pass, "killed" if one fails, "too slow" if they take longer."""
    # A fork, because what takes long to import has then been imported once and for all.
    process = multiprocessing.get_context("fork").Process(
        target=run_pytest, args=(folder, tests, loud)
    )
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return "too slow"
    return "alive" if process.exitcode == 0 else "killed"


def find(name):
    """The module of the package with this name, or with a path that ends so."""
    found = sorted((ROOT / "ukrlearn").glob(f"**/{name}.py"))
    if len(found) == 1:
        return found[0]
    paths = [path.relative_to(ROOT / "ukrlearn").with_suffix("").as_posix() for path in found]
    sys.exit(f"{name} must name one module of ukrlearn; it names {', '.join(paths) or 'none'}.")


def tests_of(module):
    """The names of the files that test a module."""
    tests = TESTS.get(module.stem, [f"test_{module.stem}.py"])
    if missing := [test for test in tests if not (ROOT / "tests" / test).exists()]:
        sys.exit(f"There is no tests/{missing[0]}; name the tests with --tests.")
    return tests


# Mutants of answers


def mutated_answers(name):
    """The mutants of an exercise's solution: (its text, the change, a function that makes it)."""
    paths = (ROOT / "exercises").glob("*.py")
    (path,) = (path for path in paths if path.stem.partition("_")[2] == name)
    cells = [cell.source for cell in jupytext.read(path).cells if cell.cell_type == "code"]
    checked = next(n for n, cell in enumerate(cells) if f'check("{name}"' in cell)
    submitted = re.search(rf'check\("{name}", (\w+)', cells[checked])[1]
    for number, cell in enumerate(cells[:checked]):
        lines = cell.splitlines()
        inside = _lines_of_the_solution(lines)
        for line, text, change, mutant in mutants(cell) if inside else ():
            if line in inside:
                others = [*cells[:number], mutant, *cells[number + 1 : checked]]
                yield text, change, functools.partial(_submitted, others, submitted)


def _lines_of_the_solution(lines):
    begins = [n for n, line in enumerate(lines, 1) if "### BEGIN SOLUTION" in line]
    ends = [n for n, line in enumerate(lines, 1) if "### END SOLUTION" in line]
    return {n for a, b in zip(begins, ends, strict=True) for n in range(a, b)}


def _submitted(cells, name):
    """What a notebook with these cells hands in; its source can be looked up by inspect."""
    scope = {"__name__": "notebook"}
    for number, cell in enumerate(cells):
        filename = f"<mutant {id(scope)}, cell {number}>"
        linecache.cache[filename] = len(cell), None, cell.splitlines(True), filename
        exec(compile(cell, filename, "exec"), scope)
    return scope[name]


def verdict(name, made):
    """What the checker says of a mutant: "accepted", "named", "raises" or "told", and of what."""
    from ukrlearn.checks import bank
    from ukrlearn.checks._apart import here
    from ukrlearn.checks._diagnosing import examine

    exercise = bank.find(name)
    try:
        answer = made()
    except Exception:
        return "raises", ""
    findings = examine(exercise, answer, 0, here)
    if findings.passed:
        return "accepted", ""
    first = findings.problems[0].id
    mistakes = {m.id for m in exercise.misconceptions}
    if first in mistakes or first.partition(":")[0] in NAMING:
        return "named", first
    return "raises" if first in ("raises", "endless", "memory") else "told", first


def judge_answers(name):
    """Print what becomes of each mutant of a solution; whether one is accepted."""
    known = EQUIVALENT.read_text(encoding="utf-8")
    counts = dict.fromkeys(("named", "told", "raises", "equivalent", "accepted"), 0)
    for number, (text, change, made) in enumerate(mutated_answers(name), start=1):
        found, id_ = verdict(name, made)
        where = f"answers/{name} | {text} | {change} |"
        if found == "accepted" and f"\n{where} " in known:
            found = "equivalent"
        counts[found] += 1
        if found in ("accepted", "told"):
            print(f"{number:4} {found} {id_}: {where}", flush=True)
    run = counts["named"] + counts["told"]
    print(f"{name}: " + ", ".join(f"{count} {what}" for what, count in counts.items()), end="; ")
    print(f"named of those that run: {counts['named'] / max(run, 1):.0%}")
    return counts["accepted"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", nargs="?", help=f"for example {' or '.join(EXAMPLES)}")
    parser.add_argument("--answers", nargs="+", help="names of exercises, in place of a module")
    parser.add_argument("-k", type=int, nargs="+", help="these mutants only, loudly")
    parser.add_argument("--tests", nargs="+", help="files of tests/ instead of the module's own")
    given = parser.parse_args()
    if given.answers:
        return max([judge_answers(name) for name in given.answers])
    if given.module is None:
        parser.error("Name a module, or exercises with --answers.")
    module = find(given.module)
    tests = given.tests or tests_of(module)

    os.environ |= dict(OPENBLAS_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    import scipy.stats  # noqa: F401
    import sklearn.manifold  # noqa: F401

    with tempfile.TemporaryDirectory(prefix="ukrlearn-mutants-") as folder:
        for name in ("ukrlearn", "tests"):
            shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("*.pyc"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        path = Path(folder, module.relative_to(ROOT))
        source = path.read_text(encoding="utf-8")
        started = time.monotonic()
        if outcome(folder, tests, 600, loud=True) != "alive":
            sys.exit("The tests must pass before the module is changed.")
        seconds = 10 + 4 * (time.monotonic() - started)
        path.write_text("raise ImportError", encoding="utf-8")
        if outcome(folder, tests, seconds) != "killed":
            sys.exit(f"The tests do not import {module.stem} from the copy; nothing would be said.")

        known = EQUIVALENT.read_text(encoding="utf-8") if EQUIVALENT.exists() else ""
        counts = {"mutants": 0, "killed": 0, "too slow": 0, "equivalent": 0, "alive": 0}
        for number, (line, text, change, mutant) in enumerate(mutants(source), start=1):
            if given.k and number not in given.k:
                continue
            path.write_text(mutant, encoding="utf-8")
            counts["mutants"] += 1
            found = outcome(folder, tests, seconds, loud=bool(given.k))
            where = f"{module.stem} | {text} | {change} |"
            if found == "alive" and f"\n{where} " in known:
                found = "equivalent"
            counts[found] += 1
            if found in ("alive", "too slow"):
                print(f"{number:4} {found}, line {line}: {where}", flush=True)
    print(f"{module.stem}: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return counts["alive"] > 0


if __name__ == "__main__":
    sys.exit(main())
