"""The course as files: where it lies, and how it gets into a learner's folder and stays current.

A learner's folder belongs to the learner. What is copied there is remembered (a manifest of
fingerprints), so that a newer version can tell a lesson that was only read from one that was
worked in. The first is updated; the second is kept, and the newer lesson is put beside it.
"""

import hashlib
import json
from pathlib import Path

from ukrlearn.course.writing import free_name, write_whole

# The same patterns stand in pyproject.toml, where they say what travels in the wheel.
PATTERNS = ("notebooks/*.ipynb", "exercises/*.ipynb")
FIRST_LESSON = "notebooks/00_start_here.ipynb"
MANIFEST = ".ukrlearn/manifest.json"


def course_folder() -> Path:
    """Where the course lies: inside an installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    return here if (here / "notebooks").is_dir() else here.parent.parent


def course_files(folder: Path) -> dict[str, Path]:
    """The files of the course found in `folder`, by their name relative to it."""
    found = [path for pattern in PATTERNS for path in folder.glob(pattern)]
    return {path.relative_to(folder).as_posix(): path for path in sorted(found)}


def fingerprint(content: bytes) -> str:
    """A digest of what a person wrote; running a notebook does not change it.

    JupyterLab saves outputs, counts and metadata by itself, so a lesson that was only read and run
    would otherwise look like a lesson that was worked in, and miss every later correction.
    """
    try:
        cells = json.loads(content)["cells"]
        written = [
            (cell["cell_type"], "".join(cell["source"]), sorted(cell.get("attachments", {})))
            for cell in cells
        ]
    except (ValueError, LookupError, TypeError, AttributeError):
        return hashlib.sha256(content).hexdigest()  # no notebook (any more): every byte counts
    return hashlib.sha256(json.dumps(written).encode()).hexdigest()


def copy_course(source: Path, folder: Path) -> dict[str, list[str]]:
    """Copy the course from `source` into `folder`, never over what was changed there.

    Returns the names of what was "copied" (new, or restored after deletion), "updated" (to a newer
    version, because unchanged), "kept" (yours; nothing newer) and put "beside" yours (newer
    version of a file that you changed).
    """
    files = course_files(source)
    if not files:
        raise FileNotFoundError(
            f"The course must lie in {source}; no notebook is there. Reinstall ukrlearn."
        )
    return deliver({name: path.read_bytes() for name, path in files.items()}, folder)


def deliver(contents: dict[str, bytes], folder: Path) -> dict[str, list[str]]:
    """Write files into `folder`, by their names in it, never over what was changed there."""
    known = _read_manifest(folder)
    report = {"copied": [], "updated": [], "kept": [], "beside": []}
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        outcome, written = _deliver(content, folder / name, known.get(name))
        if outcome:
            report[outcome].append(written.relative_to(folder).as_posix())
        known[name] = fingerprint(content)
        # After each file: an interrupted copy must not take its own files for the learner's.
        (folder / MANIFEST).parent.mkdir(exist_ok=True)
        write_whole(folder / MANIFEST, json.dumps(known, indent=1, sort_keys=True).encode())
    return report


def _deliver(content: bytes, target: Path, known: str | None) -> tuple[str | None, Path]:
    """Bring one file to its place or beside it; `known` is what was last delivered there."""
    shipped = fingerprint(content)
    if not target.exists():
        write_whole(target, content)
        return "copied", target
    present = fingerprint(target.read_bytes())
    if present == shipped:
        return None, target
    if present == known:
        write_whole(target, content)
        return "updated", target
    if known == shipped:
        return "kept", target

    def is_something_else(path):
        return path.exists() and fingerprint(path.read_bytes()) != shipped

    beside = free_name(target, "new", is_something_else)
    write_whole(beside, content)
    return "beside", beside


def _read_manifest(folder: Path) -> dict[str, str]:
    """What was delivered before; an unreadable manifest only means that nothing is overwritten."""
    try:
        known = json.loads((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
