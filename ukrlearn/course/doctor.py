"""The report of `ukrlearn doctor`: versions, threads, cores, memory, and what is missing."""

import importlib
import os
import platform
import re
import shutil
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from ukrlearn import __version__
from ukrlearn.course.copying import course_files, course_folder

ADVICE = {
    None: "pip install --upgrade ukrlearn",
    "lab": 'pip install "ukrlearn[lab]"',
    "teach": 'make teach (in a checkout), or pip install "ukrlearn[lab,teach]"',
}


class Finding(NamedTuple):
    """One dependency: the needed version, the installed version, and the problem ("" if none)."""

    name: str
    needed: str
    version: str
    problem: str


def requirements(extra: str | None = None) -> list[tuple[str, str]]:
    """(name, lowest version) of each dependency of the library, or of the extra."""
    pairs = []
    for line in _declared():
        requirement, _, marker = line.partition(";")
        wanted = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
        if (wanted.group(1) if wanted else None) == extra:
            name, lowest = re.match(r"([\w.-]+)[^>]*(?:>=\s*([\w.]+))?", requirement).groups()
            if name != "ukrlearn":  # an extra that asks for another extra
                pairs.append((name, lowest or ""))
    return pairs


def _declared() -> list[str]:
    """The package's dependencies from its metadata, or from pyproject.toml if not installed."""
    try:
        return metadata.requires("ukrlearn") or []
    except metadata.PackageNotFoundError:
        file = Path(__file__).resolve().parents[2] / "pyproject.toml"
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        extras = project["optional-dependencies"].items()
        return project["dependencies"] + [
            f"{line}; extra == '{extra}'" for extra, lines in extras for line in lines
        ]


def examine(name: str, lowest: str, module: str | None = None) -> Finding:
    """Examine one dependency; importing its `module`, if given, reveals broken installations."""
    needed = f">={lowest}" if lowest else "any version"
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, needed, "", "missing")
    if _as_numbers(version) < _as_numbers(lowest):
        return Finding(name, needed, version, "too old")
    if module:
        try:
            importlib.import_module(module)
        except Exception as error:  # show the user whatever a broken binary raises
            return Finding(name, needed, version, f"cannot be imported ({error})")
    return Finding(name, needed, version, "")


def _as_numbers(version: str) -> tuple[int, ...]:
    """
    >>> _as_numbers("1.10.2rc1") > _as_numbers("1.9")
    True
    """
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def examine_library() -> list[Finding]:
    imported_as = {"scikit-learn": "sklearn"}
    return [examine(name, lowest, imported_as.get(name, name)) for name, lowest in requirements()]


def examine_lab() -> list[Finding]:
    """The dependencies of the course, from metadata only, since importing them takes seconds."""
    return [examine(name, lowest) for name, lowest in requirements("lab")]


def examine_teach() -> list[Finding]:
    """What grading needs: nbgrader, and a program that nbgrader calls by its name."""
    known = requirements("lab")  # which the metadata of an installed package repeat
    own = [pair for pair in requirements("teach") if pair not in known]
    findings = [examine(name, lowest) for name, lowest in own]
    scripts = Path(sys.executable).parent
    beside = any((scripts / name).exists() for name in ("alembic", "alembic.exe"))
    problem = "" if shutil.which("alembic") else "is not on the PATH"
    if problem and beside:
        problem += f": put {scripts} there, or activate the environment"
    return [*findings, Finding("the command alembic", "on the PATH", "", problem)]


def blas_threads() -> list[str]:
    """One line per thread pool that NumPy and SciPy loaded."""
    from threadpoolctl import threadpool_info

    return [
        f"{pool.get('internal_api') or pool['user_api']} {pool.get('version') or ''}".strip()
        + f": {pool['num_threads']}"
        for pool in threadpool_info()
    ]


def memory() -> str:
    """The memory that this process may use: the machine's memory, or a container's lower limit."""
    try:
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "unknown on this system"
    limit = Path("/sys/fs/cgroup/memory.max")  # Binder and other hubs set it
    if limit.is_file() and limit.read_text().strip().isdecimal():
        most = min(most, int(limit.read_text()))
    return f"{most / 2**30:.1f} GiB"


def cores() -> str:
    """The number of cores, and how many of them this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{os.cpu_count()}, usable {usable}"


def report(teach=False) -> tuple[list[str], bool]:
    """The lines to show, and whether all is installed that the library needs, and an instructor."""
    library, lab = examine_library(), examine_lab()
    grading = examine_teach() if teach else []
    healthy = not any(finding.problem for finding in [*library, *grading])
    lines = [
        f"ukrlearn {__version__} in {Path(__file__).resolve().parents[1]}",
        f"Python {platform.python_version()} ({sys.executable}) on {platform.platform()}",
        f"cores: {cores()}; memory: {memory()}",
        "",
        "The library needs",
        *map(_line, library),
        "The course needs",
        *map(_line, lab),
        _course_line(),
    ]
    if teach:
        lines += ["Grading needs", *map(_line, grading)]
    if healthy:
        lines += ["", *_thread_lines()]
    return lines + ["", *_what_to_do(library, lab, grading)], healthy


def _mark(good) -> str:
    return "ok     " if good else "PROBLEM"


def _line(finding: Finding) -> str:
    state = f"{finding.version} {finding.problem}".strip()
    return f"  {_mark(not finding.problem)} {finding.name} {state} (needs {finding.needed})"


def _course_line() -> str:
    notebooks = len(course_files(course_folder()))
    return f"  {_mark(notebooks)} {notebooks} notebooks in {course_folder()}"


def _thread_lines() -> list[str]:
    pools = blas_threads()
    lines = ["Threads for linear algebra", *(f"  {pool}" for pool in pools)]
    if any(not pool.endswith(": 1") for pool in pools):
        lines.append(
            "  For a few hundred points, one thread is fastest: set OMP_NUM_THREADS=1"
            " (ukrlearn lab does it)."
        )
    return lines


def _what_to_do(library: list[Finding], lab: list[Finding], teach: list[Finding] = ()) -> list[str]:
    lines = []
    for extra, findings in ((None, library), ("lab", lab), ("teach", teach)):
        wrong = [f"{finding.name} {finding.problem}" for finding in findings if finding.problem]
        if wrong:
            lines += [f"  {', '.join(wrong)}:", f"      {ADVICE[extra]}"]
    return ["What to do", *lines] if lines else ["Nothing is missing."]
