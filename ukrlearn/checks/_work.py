"""A learner's progress and answers: one readable file in the working folder, and a zip to carry.

Nothing leaves the machine. Nothing is overwritten without a backup, and nothing stops a check: what
can't be read or written is said.
"""

import contextlib
import datetime
import json
import os
import re
import shutil
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath

from ukrlearn.checks import _report
from ukrlearn.course.copying import FIRST_LESSON
from ukrlearn.course.writing import (
    FileProblem,
    kind,
    locked,
    make_folder,
    open_file,
    read_file,
    user_path,
    write_beside,
    write_whole,
)

FILE = "ukrlearn-work.json"
ZIP = "ukrlearn-work.zip"
FORMAT = 1
MOST_SOURCE = 50_000  # characters of an answer
MOST_WRONG = 3  # wrong answers that are kept, the last ones
MOST_PROGRESS = 20_000_000  # bytes of the work file; all exercises with answers of that length

# One budget for saving and restoring, so that what was saved can be restored. Files are copied in
# pieces: the budget is for the disk, and memory does not depend on it.
MOST_BYTES = 500_000_000  # of all files, unpacked; a notebook full of pictures has 5,000,000
MOST_FILES = 1000
PIECE = 1 << 20  # bytes


def folder() -> Path:
    """Where work is kept: what UKRLEARN_WORK says, or the working folder.

    In the folder of the lessons, it is that of the exercises beside it: one file holds predictions
    and answers, and one zip takes them along.
    """
    if named := os.environ.get("UKRLEARN_WORK"):
        return user_path(named)
    exercises = Path("..", "exercises")
    in_lessons = Path(PurePath(FIRST_LESSON).name).exists() and exercises.is_dir()
    return exercises if in_lessons else Path(".")


# Progress


def _is_count(value):
    return type(value) is int and 0 <= value < 10**9


def _is_text(value):
    return isinstance(value, str) and len(value) <= MOST_SOURCE


def _is_date(value):
    try:
        return bool(datetime.date.fromisoformat(value[:10]))
    except (TypeError, ValueError):
        return False


Tables = dict[str, dict[str, dict]]  # "exercises" and "predictions": entries by their names

MOST_PLACES = 500  # cells whose hints are remembered, for each exercise


def _is_places(value):
    return (
        isinstance(value, dict)
        and len(value) <= MOST_PLACES
        and all(map(_is_count, value.values()))
        and all(len(place) <= 200 for place in value)
    )


_EXERCISE: dict[str, Callable[[object], bool]] = {
    "tries": _is_count,
    "hints": _is_count,
    "asked": _is_count,
    "revealed": lambda value: isinstance(value, bool),
    "passed": _is_text,
    "answer": _is_text,
    "right_answer": _is_text,
    "piece": _is_text,  # the same with what it reads of its notebook: code that runs alone
    "collected": _is_text,  # a digest of the file that `collect` wrote last
    "found": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "places": _is_places,
    "wrong": lambda value: isinstance(value, list) and all(map(_is_text, value)),
}
_PREDICTION: dict[str, Callable[[object], bool]] = {
    "guess": _is_text,
    "right": lambda value: value is None or isinstance(value, bool),  # None: words, not judged
    "skipped": lambda value: isinstance(value, bool),
    "date": _is_date,
    "first": _is_date,  # when it was answered first
    "at": _is_count,  # how many units had begun when it was answered last
    "times": _is_count,  # on how many days it was asked
    "known": lambda value: isinstance(value, bool),  # whether it was right on the last of these
}
_CONCEPT = {name: _PREDICTION[name] for name in ("guess", "skipped", "date")}
SCHEMA = {"exercises": _EXERCISE, "predictions": _PREDICTION, "concepts": _CONCEPT}


def read() -> dict[str, dict]:
    """What is known of the exercises, by name; what is not understood is put aside, and said."""
    return _read()["exercises"]


def read_predictions() -> dict[str, dict]:
    """What the learner has predicted, by LESSON/NAME, likewise."""
    return _read()["predictions"]


def read_concepts() -> dict[str, dict]:
    """What the learner has chosen in the concept tests, by PAPER/ITEM, in that order."""
    return _read()["concepts"]


def _read() -> Tables:
    try:
        tables, odd = _understood(read_file(folder() / FILE, MOST_PROGRESS + 1))
    except FileProblem as problem:
        _say(f"Your progress is not shown: {problem}")
        return _nothing()
    return _change(lambda tables: None) if odd else tables


def update(name, change: Callable[[dict], object]) -> dict:
    """Change what is known of one exercise, and return it; what can't be written is said."""
    tables = _change(lambda tables: change(tables["exercises"].setdefault(name, {})))
    return tables["exercises"][name]


def note(name, **what):
    """Add to what is known of one exercise."""
    update(name, lambda entry: entry.update(what))


def count(name, what, most=10**6, place="") -> int:
    """Count up, at most to `most`, and return the number before.

    A place, which is a call in a cell of a notebook, counts once: run again, it gets the same
    number.
    """
    before = 0

    def change(entry):
        nonlocal before
        before = entry.get(what, 0)
        if place:
            places = entry.setdefault("places", {})
            if (key := f"{what} {place}") in places:
                before = places[key]
                return
            if len(places) < MOST_PLACES:
                places[key] = before
        entry[what] = max(before, min(before + 1, most))

    update(name, change)
    return before


def note_check(name, passed, diagnoses, source, piece=""):
    """One try: counted, with the answer as text; a right answer is kept for good."""

    def change(entry):
        entry.update(tries=entry.get("tries", 0) + 1, found=list(diagnoses))
        if 0 < len(source) <= MOST_SOURCE:
            entry["answer"] = source
            if passed:
                entry["right_answer"] = source
                entry["piece"] = piece if len(piece) <= MOST_SOURCE else ""
            elif source not in (wrong := entry.get("wrong", [])):
                entry["wrong"] = [*wrong, source][-MOST_WRONG:]
        if passed:
            entry.setdefault("passed", now())

    update(name, change)


def note_prediction(key, where=None, today="", **what):
    """What the learner has said last: a guess and whether it was right, or that they skipped.

    `where` is the lesson in which it was asked, if not its own. What is known is said by the first
    answer of a day, before the right one is shown.
    """

    def change(tables):
        entries, when = tables["predictions"], today or now()
        old = entries.get(key, {})
        times, known = old.get("times", 0), old.get("known", False)
        if old.get("date", "")[:10] != when[:10]:
            times, known = times + 1, bool(what.get("right", known))
        at = len({*begun(entries), key.partition("/")[0] if where is None else where} - {""})
        plan = {"first": old.get("first", old.get("date", when)), "at": at}
        entries[key] = {**what, **plan, "date": when, "times": times, "known": known}

    _change(change)


def note_concept(key, **what):
    """What the learner has said first; it stays."""
    _change(lambda tables: tables["concepts"].setdefault(key, {**what, "date": now()}))


def begun(predictions) -> dict[str, str]:
    """When the first question of each unit was answered."""
    units = {}
    for key, entry in predictions.items():
        unit, when = key.partition("/")[0], entry.get("first", entry.get("date", "2000-01-01"))
        units[unit] = min(when, units.get(unit, when))
    return units


def now():
    return datetime.datetime.now().isoformat(timespec="minutes")


def _nothing() -> Tables:
    return {name: {} for name in SCHEMA}


def _change(change: Callable[[Tables], object]) -> Tables:
    """Read, change and write all entries, while every other kernel waits; return the entries."""
    tables = _nothing()
    try:
        path = folder() / FILE
        make_folder(path.parent)
        with locked(path):
            tables, odd = _understood(read_file(path, MOST_PROGRESS + 1))
            rest = "All else is kept." if any(tables.values()) else "Your progress starts anew."
            change(tables)
            kept = write_whole(path, _as_bytes(tables), backup="unreadable" if odd else "")
    except FileProblem as problem:
        _say(f"Your progress is not kept: {problem}")
        if not any(tables.values()):  # what can't be changed can perhaps be read
            with contextlib.suppress(FileProblem):
                tables, _ = _understood(read_file(folder() / FILE, MOST_PROGRESS + 1))
            change(tables)
        return tables
    if odd:
        _say(
            f"{FILE} must hold what check() wrote; it holds {odd}. {rest} The file as it was is "
            f"now {kept.name}."
        )
    return tables


def _understood(content: bytes | None) -> tuple[Tables, str]:
    """The entries that follow the schema, and what else there is, in words."""
    tables = _nothing()
    if content is None:
        return tables, ""
    if len(content) > MOST_PROGRESS:
        return tables, f"more than {MOST_PROGRESS:,} bytes"
    try:
        known = json.loads(content)
    except (ValueError, RecursionError) as error:
        return tables, f"no JSON ({error})"
    if not isinstance(known, dict) or known.get("format") != FORMAT:
        return tables, f"another format than {FORMAT}"
    if not isinstance(known.get("exercises"), dict):
        return tables, "no table of exercises"
    odd = []
    for table, schema in SCHEMA.items():
        entries = known.get(table, {})  # files from before the predictions have no such table
        if isinstance(entries, dict):
            tables[table] = _entries(entries, schema, odd)
        else:
            odd.append(f"no table of {table}")
    return tables, _listed(odd)


def _entries(known, schema, odd):
    """Those that follow the schema; adds to `odd` what does not."""
    entries = {}
    for name, entry in known.items():
        if not isinstance(entry, dict):
            odd.append(f"no table for {name}")
            continue
        entries[name] = {}
        for key, value in entry.items():
            if key in schema and schema[key](value):
                entries[name][key] = value
            else:
                odd.append(f"an odd value for {key} of {name}")
    return entries


def _listed(things, most=3):
    shown = ", ".join(thing[:80] for thing in things[:most])
    return shown if len(things) <= most else f"{shown}, and {len(things) - most} more"


def _as_bytes(tables):
    text = json.dumps({"format": FORMAT, **tables}, indent=1, ensure_ascii=False)
    return (text + "\n").encode("utf-8", "backslashreplace")  # half a surrogate pair: \ud800


def _say(sentence):
    _report.show([("paragraph", sentence)])


# Carrying it


@dataclass
class Carried:
    """A zip, the names of the files that were taken from it or put into it, and what was not."""

    path: Path
    names: list[str] = field(default_factory=list)
    backups: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def save(path=None) -> Carried:
    """Put the work file and the notebooks of the working folder into a new zip."""
    done = Carried(user_path(path) if path else folder() / ZIP)
    done.path = write_beside(done.path, lambda file: _pack(file, done))
    return done


def _pack(file, done):
    """Write a zip, file by file; what can't be read, or is too much, is left out and said."""
    total = 0
    # All files get the time of saving, because not every date of a file can be one in a zip.
    now = max(time.localtime()[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(file, "w") as archive:
        for path in _own_files():
            try:
                _demand_a_name(path.name)
                source = open_file(path)
            except FileProblem as problem:
                done.problems.append(str(problem))
                continue
            with source:
                size = os.fstat(source.fileno()).st_size
                if not _fits(len(done.names) + 1, total + size):
                    done.problems.append(
                        f"{path.name} has {size / 1e6:.0f} MB; with it, the zip would hold more "
                        f"than {MOST_BYTES / 1e6:.0f} MB or {MOST_FILES} files. Clear its outputs."
                    )
                    continue
                info = zipfile.ZipInfo(path.name, now)
                info.compress_type, info.file_size = zipfile.ZIP_DEFLATED, size
                with archive.open(info, "w") as target:
                    shutil.copyfileobj(source, target, PIECE)
            done.names.append(path.name)
            total += size


def _own_files():
    """The work file and all notebooks here; backups stay."""
    here = folder()
    found = sorted(
        p for p in here.glob("*.ipynb") if not any(s.startswith(".before") for s in p.suffixes)
    )
    return ([here / FILE] if kind(here / FILE) else []) + found


def in_no_notebook(answers: dict[str, str]) -> list[str]:
    """Names of answers whose source is in no notebook here, as it lies on the disk."""
    saved = "".join(_code_of(path) for path in _own_files() if path.suffix == ".ipynb")
    return [name for name, source in answers.items() if _without_spaces(source) not in saved]


def _code_of(notebook):
    try:
        cells = json.loads(read_file(notebook) or b"{}")["cells"]
        return _without_spaces("".join("".join(cell["source"]) for cell in cells))
    except (ValueError, LookupError, TypeError, RecursionError):  # FileProblem is a ValueError
        return ""


def _without_spaces(text):
    return "".join(text.split())


def restore(path) -> Carried:
    """Bring back what `save` put into a zip.

    Nothing is written before the whole zip was read and found to be one of `save`. What is here
    already and differs is kept beside, under another name. A file that can't be written does not
    stop the others.
    """
    done = Carried(user_path(path))
    with open_file(done.path) as file:
        archive = _checked(file, done.path)
        make_folder(folder())
        for info in archive.infolist():
            target = folder() / info.filename
            try:
                if _has_content_of(archive, info, target):
                    continue
                fill = partial(_unpack, archive, info)
                backup = write_whole(target, fill, backup="before")
            except FileProblem as problem:
                done.problems.append(str(problem))
                continue
            done.names.append(info.filename)
            done.backups += [backup.name] if backup else []
    return done


def _checked(file, path):
    """The zip in a file, after reading it to the end; FileProblem if `save` can't have made it."""
    try:
        archive = zipfile.ZipFile(file)
        infos = archive.infolist()
        size = sum(info.file_size for info in infos)
        if not _fits(len(infos), size):
            raise FileProblem(
                f"{path} must hold at most {MOST_BYTES / 1e6:.0f} MB in {MOST_FILES} files; it "
                f"holds {size / 1e6:.0f} MB in {len(infos)}."
            )
        for info in infos:
            _demand_a_name(info.filename)
            _demand_what_save_writes(info, infos)
            for _ in _pieces(archive, info):
                pass
            if info.filename == FILE:
                _demand_progress(archive, info)
    except FileProblem:
        raise
    except Exception as error:  # a damaged zip raises errors of many kinds
        raise FileProblem(
            f"{path} must be a zip that save_work() made; it can't be read: {error}. Save it again."
        ) from error
    return archive


def _fits(files, size):
    return files <= MOST_FILES and size <= MOST_BYTES


def _demand_a_name(name):
    """FileProblem unless it names the work file or a notebook, and no folder on any system."""
    is_odd = re.search(r"[\x00-\x1f/\\:\ud800-\udfff]", name)
    if is_odd or not (name == FILE or name.endswith(".ipynb")):
        raise FileProblem(
            f"A zip of save_work() holds {FILE} and notebooks, whose names contain neither folders "
            f"nor / \\ : or control characters; {name!r} is not such a name."
        )


def _demand_what_save_writes(info, infos):
    """FileProblem for an entry that could take more memory than its piece, or comes twice."""
    # Other methods than deflate can't be unpacked piece by piece: 45 bytes may be 45 MB.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise FileProblem(f"{info.filename} must be packed with deflate.")
    if sum(other.filename == info.filename for other in infos) > 1:
        raise FileProblem(f"{info.filename} must be there once.")


def _demand_progress(archive, info):
    """FileProblem for a work file in which nothing would be understood."""
    with archive.open(info) as file:
        tables, odd = _understood(file.read(MOST_PROGRESS + 1))
    if odd and not any(tables.values()):
        raise FileProblem(f"{FILE} must hold what check() wrote; in this zip it holds {odd}.")


def _pieces(archive, info):
    with archive.open(info) as content:
        while piece := content.read(PIECE):
            yield piece


def _unpack(archive, info, file):
    for piece in _pieces(archive, info):
        file.write(piece)


def _has_content_of(archive, info, path):
    """Whether the file is there and equals the entry."""
    if not kind(path):
        return False
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size != info.file_size:
            return False
        return all(file.read(len(piece)) == piece for piece in _pieces(archive, info))
