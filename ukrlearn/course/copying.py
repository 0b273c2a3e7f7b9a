"""The course as files: where it lies, and how it gets into a learner's folder and stays current.

A learner's folder belongs to the learner. What is copied there is remembered (a manifest of
fingerprints), so that a newer version can tell a lesson that was only read from one that was
worked in. The first is updated; the second is kept, and the newer lesson is put beside it.
"""

import hashlib
import json
import os
from pathlib import Path

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
        outcome, written = _deliver(content, folder / name, known.get(name))
        if outcome:
            report[outcome].append(written.relative_to(folder).as_posix())
        known[name] = fingerprint(content)
        # After each file: an interrupted copy must not take its own files for the learner's.
        _write(folder / MANIFEST, json.dumps(known, indent=1, sort_keys=True).encode())
    return report


def _deliver(content: bytes, target: Path, known: str | None) -> tuple[str | None, Path]:
    """Bring one file to its place or beside it; `known` is what was last delivered there."""
    shipped = fingerprint(content)
    if not target.exists():
        _write(target, content)
        return "copied", target
    present = fingerprint(target.read_bytes())
    if present == shipped:
        return None, target
    if present == known:
        _write(target, content)
        return "updated", target
    if known == shipped:
        return "kept", target
    beside = _free_name_beside(target, shipped)
    _write(beside, content)
    return "beside", beside


def _free_name_beside(target: Path, shipped: str) -> Path:
    """`lesson.new.ipynb`, or `lesson.new2.ipynb` ... where the former is already something else."""
    number = 1
    while True:
        suffix = f".new{number if number > 1 else ''}{target.suffix}"
        beside = target.with_name(target.stem + suffix)
        if not beside.exists() or fingerprint(beside.read_bytes()) == shipped:
            return beside
        number += 1


def _read_manifest(folder: Path) -> dict[str, str]:
    """What was delivered before; an unreadable manifest only means that nothing is overwritten."""
    try:
        known = json.loads((folder / MANIFEST).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def _write(path: Path, content: bytes) -> None:
    """Write all or nothing: a crash leaves the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".part")
    half.write_bytes(content)
    os.replace(half, path)
