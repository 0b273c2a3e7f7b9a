"""A learner's progress and answers: one readable file in the working folder, and a zip to carry.

Nothing leaves the machine. Nothing is overwritten without a backup.
"""

import contextlib
import datetime
import io
import json
import os
import zipfile
from pathlib import Path, PurePosixPath

from ukrlearn.course.writing import free_name, write_whole

FILE = "ukrlearn-work.json"
ZIP = "ukrlearn-work.zip"
FORMAT = 1
MOST_BYTES = 50_000_000  # of one file in a zip; a notebook full of pictures has 5


def folder() -> Path:
    """Where work is kept: the working folder, or what UKRLEARN_WORK says."""
    return Path(os.environ.get("UKRLEARN_WORK", "."))


def read():
    """What is known of the exercises, by name. A file that can't be read is kept aside."""
    path = folder() / FILE
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        entries = known["exercises"]
        if known["format"] == FORMAT and all(isinstance(e, dict) for e in entries.values()):
            return entries
        raise ValueError
    except FileNotFoundError:
        return {}
    except (ValueError, LookupError, TypeError, AttributeError):
        path.rename(free_name(path, "unreadable"))
        return {}


def note(name, **what):
    """Add to what is known of one exercise; without a place to write, go on without."""
    with contextlib.suppress(OSError):
        entries = read()
        entries.setdefault(name, {}).update(what)
        write(entries)


def write(entries):
    folder().mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": FORMAT, "exercises": entries}, indent=1, ensure_ascii=False)
    write_whole(folder() / FILE, (text + "\n").encode())


def note_check(name, passed, diagnoses, source):
    """One try: counted, with the answer as text; a right answer is kept for good."""
    known = read_quietly().get(name, {})
    entry = {"tries": known.get("tries", 0) + 1, "found": list(diagnoses)}
    if source:
        entry["answer"] = source
        if passed:
            entry["right_answer"] = source
    if passed and "passed" not in known:
        entry["passed"] = datetime.datetime.now().isoformat(timespec="minutes")
    note(name, **entry)


def read_quietly():
    try:
        return read()
    except OSError:
        return {}


# Carrying it


def save(path=None):
    """Put the work file and the notebooks of the working folder into a zip; its path."""
    path = free_name(Path(path) if path else folder() / ZIP)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in own_files():
            archive.write(file, file.relative_to(folder()).as_posix())
    write_whole(path, content.getvalue())
    return path


def own_files():
    """The work file and all notebooks here; hidden folders and backups stay."""
    here = folder()
    found = sorted(
        p for p in here.glob("*.ipynb") if not any(s.startswith(".before") for s in p.suffixes)
    )
    return ([here / FILE] if (here / FILE).exists() else []) + found


def restore(path):
    """Bring back what `save` put into a zip: (written, kept as backups), names.

    What lies there already and differs is kept beside, under another name.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            contents = {info.filename: archive.read(info) for info in _accepted(archive)}
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise ValueError(
            f"{path} must be a zip that save_work() made; it can't be read: {error}. Save it again."
        ) from error
    written, backups = [], []
    for name, content in contents.items():
        target = folder() / name
        if target.exists() and target.read_bytes() == content:
            continue
        backup = write_whole(target, content, backup="before")
        if backup:
            backups.append(backup.name)
        written.append(name)
    return written, backups


def _accepted(archive):
    """Entries that `save` could have written; no path that leads out of the folder."""
    infos = archive.infolist()
    for info in infos:
        name = PurePosixPath(info.filename)
        if len(name.parts) != 1 or "\\" in info.filename or ":" in info.filename:
            raise ValueError(
                f"A zip of save_work() holds no folders; this one holds {info.filename!r}. Nothing "
                "was restored."
            )
        if name.name != FILE and name.suffix != ".ipynb":
            raise ValueError(
                f"A zip of save_work() holds {FILE} and notebooks; this one holds "
                f"{info.filename!r}. Nothing was restored."
            )
        if info.file_size > MOST_BYTES:
            raise ValueError(
                f"{info.filename} has {info.file_size} bytes; at most {MOST_BYTES} are restored."
            )
    return infos
