"""The course as files: where they are, how they are copied to a learner's folder, and updated.

A learner's folder belongs to the learner. A manifest of fingerprints records what was copied, so
that a newer version can distinguish a lesson that was only read from one that the learner edited.
The first is updated. The second is kept, and the newer lesson is put beside it. A lesson that has
left the course moves to the folder `retired` if it was only read, and stays where it is if the
learner edited it.
"""

import hashlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from ukrlearn.course.writing import (
    REGULAR,
    FileProblem,
    kind,
    locked,
    make_folder,
    move_aside,
    names_beside,
    read_file,
    write_beside,
    write_whole,
)

# pyproject.toml has the same patterns, which decide what is included in the wheel.
PATTERNS = ("notebooks/*.ipynb", "exercises/*.ipynb")
FIRST_LESSON = "notebooks/00_start_here.ipynb"
MANIFEST = ".ukrlearn/manifest.json"
RETIRED = "retired"
# `jupyter trust`, in a process of its own: it reads the user's configuration of Jupyter.
SIGN = "from nbformat.sign import TrustNotebookApp; TrustNotebookApp.launch_instance()"


def course_folder() -> Path:
    """The folder of the course: inside an installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    return here if (here / "notebooks").is_dir() else here.parent.parent


def course_files(folder: Path) -> dict[str, Path]:
    """The files of the course in `folder`, by their names relative to it."""
    found = [path for pattern in PATTERNS for path in folder.glob(pattern)]
    return {path.relative_to(folder).as_posix(): path for path in sorted(found)}


def fingerprint(content: bytes) -> str:
    """A digest of the cells of a notebook, which running the notebook does not change.

    JupyterLab saves outputs, counts and metadata by itself. A digest of the whole file would treat
    a lesson that was only read and run as edited, and the lesson would miss later corrections.
    """
    try:
        cells = json.loads(content)["cells"]
        written = [
            (cell["cell_type"], "".join(cell["source"]), sorted(cell.get("attachments", {})))
            for cell in cells
        ]
        return hashlib.sha256(json.dumps(written).encode()).hexdigest()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return hashlib.sha256(content).hexdigest()  # not a valid notebook: use every byte


def copy_course(source: Path, folder: Path) -> dict[str, list[str]]:
    """Copy the course from `source` into `folder` without overwriting what was changed there.

    Returns the names of files by outcome: "copied" (new, or restored after deletion), "updated" (to
    a newer version, because you had not changed the file), "kept" (you changed it, and there is no
    newer version), "beside" (the newer version of a file that you changed), "retired" (no longer
    part of the course, moved aside) and "left" (the same, but you changed it, so it stays).
    """
    files = course_files(source)
    if not files:
        raise FileNotFoundError(
            f"The course must be in {source}, which holds no notebook. Reinstall ukrlearn."
        )
    return deliver({name: path.read_bytes() for name, path in files.items()}, folder)


def deliver(contents: dict[str, bytes], folder: Path) -> dict[str, list[str]]:
    """Write files into `folder` without overwriting what was changed there."""
    report = {outcome: [] for outcome in ("copied", "updated", "kept", "beside", "retired", "left")}
    manifest = folder / MANIFEST
    make_folder(folder)
    _demand_no_link(folder, MANIFEST)
    make_folder(manifest.parent)
    with locked(manifest):  # two copies at once would forget each other's files
        known = _read_manifest(manifest)
        for name in {*known, *contents}:
            _demand_no_link(folder, name)
            _demand_no_link(folder, f"{RETIRED}/{name}")
        for name in sorted(known.keys() - contents.keys()):
            outcome, present = _retire(folder, name, known.pop(name))
            if outcome:
                report[outcome].append(present.relative_to(folder).as_posix())
        for name, content in contents.items():
            make_folder((folder / name).parent)
            outcome, written = _deliver(content, folder / name, known.get(name))
            if outcome:
                report[outcome].append(written.relative_to(folder).as_posix())
            known[name] = fingerprint(content)
            # After each file, so that an interrupted copy does not mistake its files for the
            # learner's.
            write_whole(manifest, json.dumps(known, indent=1, sort_keys=True).encode())
    return report


def _demand_no_link(folder: Path, name: str):
    """FileProblem where a file below `folder` would be written through a link to elsewhere."""
    for parent in PurePosixPath(name).parents:
        if kind(folder / parent) == "a link" and parent.name:
            raise FileProblem(
                f"{folder / parent} must be a folder; it is a link to "
                f"{(folder / parent).resolve()}, where other files may be. Remove the link, or "
                "choose another folder for the course."
            )


def _deliver(content: bytes, target: Path, known: str | None) -> tuple[str | None, Path]:
    """Write one file to its place or beside it; `known` is its last delivered fingerprint."""
    shipped, there = fingerprint(content), kind(target)
    if not there:
        write_whole(target, content)
        return "copied", target
    present = _fingerprint_at(target)
    if present == shipped:
        return None, target
    if present == known and there == REGULAR:  # a link is the learner's, and so is its target
        write_whole(target, content)
        return "updated", target
    if known == shipped:
        return "kept", target
    for beside in names_beside(target, "new"):
        if not kind(beside):
            break
        if _fingerprint_at(beside) == shipped:
            return "beside", beside
    return "beside", write_beside(target, content, "new")


def _retire(folder: Path, name: str, known: str) -> tuple[str | None, Path]:
    """Move a file that is no longer delivered aside, unless the learner changed or deleted it."""
    target = folder / name
    if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts or not kind(target):
        return None, target
    if kind(target) != REGULAR or _fingerprint_at(target) != known:
        return "left", target
    return "retired", move_aside(target, folder / RETIRED / name)


def trust(notebooks: Iterable[Path]) -> str:
    """Sign notebooks of the course, so that JupyterLab runs their buttons without a dialog.

    The signatures go to the data folder of the user's Jupyter. Returns what went wrong, in words;
    without Jupyter there is nothing to do.
    """
    paths = [str(path) for path in notebooks]
    if not paths or importlib.util.find_spec("nbformat") is None:
        return ""
    command = [sys.executable, "-c", SIGN, *paths]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return (done.stderr.strip().splitlines() or ["no reason given"])[-1] if done.returncode else ""


def as_delivered(source: Path, folder: Path) -> list[Path]:
    """The files in `folder` that are, to the byte, those of the course."""
    pairs = [(path, folder / name) for name, path in course_files(source).items()]
    return [there for path, there in pairs if _content_at(there) == path.read_bytes()]


def _content_at(path: Path) -> bytes | None:
    try:
        return read_file(path)
    except FileProblem:
        return None


def _fingerprint_at(path: Path) -> str:
    """The fingerprint of a file that is there; "" if it can't be read, so that it is kept."""
    try:
        return fingerprint(read_file(path) or b"")
    except FileProblem:
        return ""


def _read_manifest(path: Path) -> dict[str, str]:
    """The fingerprints delivered before; if the manifest is unreadable, nothing is overwritten."""
    try:
        known = json.loads(read_file(path) or b"{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(known, dict):
        return {}
    return {name: value for name, value in known.items() if isinstance(value, str)}
