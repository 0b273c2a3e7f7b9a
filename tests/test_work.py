"""Progress and its zip: whatever lies in the folder, no work is lost and no check is stopped."""

import copy
import json
import os
import random
import subprocess
import sys
import tracemalloc
import zipfile
from functools import partial
from pathlib import Path

import pytest

from ukrlearn import checks
from ukrlearn.checks import _work
from ukrlearn.course import writing
from ukrlearn.course.copying import FIRST_LESSON

NAME = "nadaraya_watson"


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    """The working folder, as a learner has it."""
    monkeypatch.delenv("UKRLEARN_WORK")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def said(capsys):
    """What was shown since the last call, on one line."""
    return lambda: " ".join(capsys.readouterr().out.split())


def names():
    return sorted(os.listdir())


def written(entries):
    return json.dumps({"format": 1, "exercises": entries})


def use_everything():
    """All that a learner can call; none of it may raise."""
    _work.note_check(NAME, False, ["values"], "an answer")
    checks.hint(NAME)
    checks.reveal(NAME)
    return checks.progress()


# ---- the work file ------------------------------------------------------------------------------

NO_WORK_FILE = {
    "broken": "{",
    "empty": "",
    "a list": "[]",
    "another format": '{"format": 7, "exercises": {}}',
    "no exercises": '{"format": 1}',
    "a list of exercises": '{"format": 1, "exercises": [1]}',
    "nested": "[" * 100_000,
    "nested in an exercise": '{"format": 1, "exercises": {"a": {"tries": ' + "[" * 100_000,
    "a number of 5000 digits": '{"format": 1, "exercises": {"a": {"tries": ' + "9" * 5000 + "}}}",
    "null": "null",
}


@pytest.mark.parametrize("content", NO_WORK_FILE.values(), ids=NO_WORK_FILE)
def test_what_is_no_work_file_is_put_aside_and_said_once(said, content):
    Path(_work.FILE).write_text(content)
    checks.progress()
    assert "starts anew. The file as it was is now ukrlearn-work.unreadable.json." in said()
    assert Path("ukrlearn-work.unreadable.json").read_text() == content
    use_everything()
    assert "unreadable" not in said()
    assert names() == [_work.FILE, "ukrlearn-work.unreadable.json"]


def test_bytes_that_are_no_text_and_too_many_are_put_aside(said, monkeypatch):
    Path(_work.FILE).write_bytes(b"\xff" * 100)
    assert _work.read() == {} and "can't decode" in said()
    monkeypatch.setattr(_work, "MOST_PROGRESS", 99)
    Path(_work.FILE).write_bytes(b" " * 100)
    assert _work.read() == {} and "more than 99 bytes" in said()
    assert Path("ukrlearn-work.unreadable2.json").read_bytes() == b" " * 100


GOOD = {
    "tries": 3,
    "hints": 1,
    "asked": 1,
    "revealed": False,
    "passed": "2026-01-01T00:00",
    "answer": "a",
    "right_answer": "b",
    "found": ["values"],
}
WRONG_VALUES = {
    "tries": ["3", -1, 1.5, None, True, [], {}, float("nan"), float("inf"), 10**400],
    "hints": ["", -1, 2.0, False, [[]], {"a": 1}],
    "asked": ["x", -7, 0.0, None],
    "revealed": [1, "yes", None, []],
    "passed": [1, None, True, ["2026"], {}],
    "answer": [1, None, ["a"], "x" * (_work.MOST_SOURCE + 1)],
    "right_answer": [0, {}],
    "found": ["values", [1], [["values"]], {"a": 1}, None, 3],
    "unheard_of": [1],
}


@pytest.mark.parametrize("key", WRONG_VALUES)
def test_a_wrong_value_is_put_aside_and_all_else_kept(said, key):
    for value in WRONG_VALUES[key]:
        Path(_work.FILE).write_text(written({NAME: {**GOOD, key: value}, "sne_gradient": GOOD}))
        before = Path(_work.FILE).read_bytes()
        known = _work.read()
        assert f"it holds an odd value for {key} of {NAME}. All else is kept" in said()
        assert known == {
            NAME: {field: good for field, good in GOOD.items() if field != key},
            "sne_gradient": GOOD,
        }
        assert Path("ukrlearn-work.unreadable.json").read_bytes() == before
        use_everything()
        assert checks.progress()[0] == (1 if key == "passed" else 2)
        assert "odd" not in said()
        Path("ukrlearn-work.unreadable.json").unlink()


def test_entries_that_are_no_tables_are_named(said):
    Path(_work.FILE).write_text(written({**dict.fromkeys("abcde", 3), NAME: GOOD}))
    assert _work.read() == {NAME: GOOD}
    assert "no table for a, no table for b, no table for c, and 2 more. All else" in said()


def test_what_follows_the_schema_is_kept_to_the_letter(said):
    """Even half a surrogate pair, which is valid in JSON and can't be written as UTF-8."""
    good = {NAME: {**GOOD, "answer": "\ud800 é 漢"}, "an exercise of another version": GOOD}
    Path(_work.FILE).write_text(written(good))
    _work.note("new", hints=2)
    assert _work.read() == {**good, "new": {"hints": 2}}
    assert said() == "" and names() == [_work.FILE]


PLACES = {
    "a named pipe": os.mkfifo,
    "a folder": os.mkdir,
    "a link to nothing": lambda path: os.symlink("nowhere", path),
    "a link": lambda path: (Path("target").write_text(written({})), os.symlink("target", path)),
}


@pytest.mark.parametrize("make", PLACES.values(), ids=PLACES)
def test_a_place_that_is_no_file_stops_nothing_and_is_said(said, make):
    make(_work.FILE)
    before, there = os.lstat(_work.FILE), names()
    assert use_everything() == (0, len(checks.bank.NAMES))
    assert "Your progress is not kept: ukrlearn-work.json" in said()
    assert os.lstat(_work.FILE) == before and names() == there


@pytest.mark.parametrize("place", ["file", "file/below", "x" * 300, "~no-such-user"])
def test_a_folder_that_cannot_be_used_is_said(said, monkeypatch, place):
    Path("file").touch()
    monkeypatch.setenv("UKRLEARN_WORK", place)
    use_everything()
    assert "Your progress is not kept: " in said()
    assert checks.save_work() is None and checks.restore_work() is None
    shown = said()
    assert "Nothing saved" in shown and "Nothing restored" in shown and "Errno" not in shown
    assert names() == ["file"]


def test_hints_go_on_where_the_file_can_only_be_read(said):
    Path(_work.FILE).write_text(written({NAME: {"hints": 1}}))
    with writing.locked(Path(_work.FILE)):
        (lock,) = Path().glob(".*.lock")
    os.symlink("nowhere", lock)  # so that no lock can be had
    checks.hint(NAME)
    shown = said()
    assert "Your progress is not kept" in shown and "Hint 2 of" in shown


class Unprintable:
    def __repr__(self):
        raise ZeroDivisionError


def nested(depth):
    answer = []
    for _ in range(depth):
        answer = [answer]
    return answer


def wraps_itself():
    def loop():
        pass

    loop.__wrapped__ = loop
    return loop


@pytest.mark.parametrize(
    "make",
    [
        *(Unprintable, lambda: [Unprintable()], lambda: 10**5000, lambda: nested(100_000)),
        *(lambda: [[0.0] * 1000] * 1000, lambda: "x" * 10**6, wraps_itself),
    ],
)
def test_an_answer_of_any_kind_is_noted(make, capsys):
    assert not checks.check(NAME, make()).passed
    entry = _work.read()[NAME]
    assert entry["tries"] == 1 and "passed" not in entry
    assert len(entry.get("answer", "")) <= _work.MOST_SOURCE


def test_a_source_of_any_length_leaves_the_file_readable():
    _work.note_check(NAME, True, [], "x" * _work.MOST_SOURCE)
    _work.note_check(NAME, True, [], "x" * (_work.MOST_SOURCE + 1))
    entry = _work.read()[NAME]
    assert entry["tries"] == 2 and len(entry["right_answer"]) == _work.MOST_SOURCE
    assert names() == [_work.FILE]


KERNEL = """
from ukrlearn.checks import _work
from ukrlearn.course import writing
from ukrlearn.course.copying import FIRST_LESSON
for _ in range(15):
    _work.note_check("nadaraya_watson", False, ["values"], "an answer")
    _work.count("nadaraya_watson", "hints")
    _work.note("exercise {me}", asked=1)
"""


def test_three_kernels_lose_no_progress():
    command = [sys.executable, "-W", "error", "-c"]
    kernels = [subprocess.Popen([*command, KERNEL.format(me=me)]) for me in range(3)]
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    known = _work.read()
    assert (known[NAME]["tries"], known[NAME]["hints"]) == (45, 45)
    assert len(known) == 4 and names() == [_work.FILE]


# ---- saving -------------------------------------------------------------------------------------


def test_what_cannot_be_saved_does_not_stop_the_rest(said):
    Path("good.ipynb").write_text("good")
    Path("old.ipynb").write_text("old")
    os.utime("old.ipynb", (0, 0))  # 1970, before the first year of a zip
    Path("new.ipynb").write_text("new")
    os.utime("new.ipynb", (2**62, 2**62))  # after the last, where the file system knows it
    os.symlink("nowhere", "dangling.ipynb")
    os.mkfifo("pipe.ipynb")
    os.mkdir("folder.ipynb")
    Path("a:b.ipynb").touch()
    Path(os.fsdecode(b"\xff.ipynb")).touch()
    path = checks.save_work()
    shown = said()
    assert zipfile.ZipFile(path).namelist() == ["good.ipynb", "new.ipynb", "old.ipynb"]
    for reason in (
        "dangling.ipynb can't be read: No such file or directory",
        "pipe.ipynb can't be read: it is a named pipe",
        "folder.ipynb can't be read: it is a folder",
        "'a:b.ipynb' is not such a name",
        r"'\udcff.ipynb' is not such a name",
    ):
        assert reason in shown.partition("Left out:")[2]
    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    assert checks.restore_work(Path("..") / path) == ["good.ipynb", "new.ipynb", "old.ipynb"]
    assert Path("old.ipynb").read_text() == "old"


def test_an_answer_that_is_only_on_the_screen_is_asked_to_be_saved(said, monkeypatch):
    monkeypatch.setattr(checks._report, "in_notebook", lambda: True)
    monkeypatch.setattr(checks._report, "show", lambda parts: print(checks._report.as_text(parts)))
    answer = "def f(x):\n    return x + 1\n"
    _work.note_check(NAME, True, [], answer)
    _work.note_check("break_it", True, [], "array([1.0])")  # a value, which no cell need show
    code = {"cell_type": "code", "source": ["def f(x):\n", "    ...\n"]}
    Path("01.ipynb").write_text(json.dumps({"cells": [code]}))
    Path("odd.ipynb").write_text("[]")
    path = checks.save_work()
    shown = said()
    assert f"what you checked last for {NAME}: save the notebook (Ctrl+S)" in shown
    kept = json.loads(zipfile.ZipFile(path).read(_work.FILE))
    assert kept["exercises"][NAME]["answer"] == answer

    code["source"] = ["import numpy as np\n", "\n", answer, "\n", "f(3)"]
    Path("01.ipynb").write_text(json.dumps({"cells": [code]}))
    checks.save_work()
    assert "Ctrl+S" not in said()


def test_lessons_and_exercises_keep_one_file(monkeypatch, tmp_path):
    for name in ("notebooks", "exercises", "elsewhere"):
        (tmp_path / name).mkdir()
    (tmp_path / FIRST_LESSON).touch()
    monkeypatch.chdir(tmp_path / "exercises")
    _work.note_check(NAME, True, [], "an answer")
    monkeypatch.chdir(tmp_path / "notebooks")
    _work.note_prediction("01/why", guess="so", right=None)
    assert not Path(_work.FILE).exists()
    monkeypatch.chdir(tmp_path / "exercises")
    kept = json.loads(zipfile.ZipFile(checks.save_work()).read(_work.FILE))
    assert kept["predictions"]["01/why"]["guess"] == "so" and NAME in kept["exercises"]
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert _work.read_predictions() == {}


def test_a_machine_without_a_clock_saves(monkeypatch):
    Path("a.ipynb").touch()
    monkeypatch.setattr(_work.time, "localtime", lambda: (1970, 1, 1, 0, 0, 0, 3, 1, 0))
    (info,) = zipfile.ZipFile(checks.save_work()).infolist()
    assert info.date_time == (1980, 1, 1, 0, 0, 0)


def test_what_a_link_leads_to_is_saved(tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("shared") / "a.ipynb"
    elsewhere.write_text("shared")
    os.symlink(elsewhere, "a.ipynb")
    assert zipfile.ZipFile(checks.save_work()).read("a.ipynb") == b"shared"


def test_a_zip_is_saved_where_the_user_says(said, monkeypatch):
    monkeypatch.setenv("HOME", os.getcwd())
    assert checks.save_work("~/mine.zip") == Path("mine.zip").resolve()
    assert checks.restore_work("~/mine.zip") == []
    os.mkdir("folder")
    assert checks.save_work("folder") is None and "folder is a folder" in said()
    assert checks.save_work("nowhere/mine.zip") is None and "there is no folder nowhere" in said()
    assert names() == ["folder", "mine.zip"]


def test_what_is_saved_and_what_is_restored_have_one_budget(said, monkeypatch):
    for name, size in (("a", 60), ("b", 30), ("c", 40), ("d", 41), ("e", 0)):
        Path(f"{name}.ipynb").write_bytes(b"x" * size)
    monkeypatch.setattr(_work, "MOST_BYTES", 130)
    path = checks.save_work()
    assert zipfile.ZipFile(path).namelist() == [f"{name}.ipynb" for name in "abce"]
    assert "d.ipynb has 0 MB; with it, the zip would hold more than" in said()
    for file in Path().glob("*.ipynb"):
        file.unlink()
    assert len(checks.restore_work(path)) == 4
    monkeypatch.setattr(_work, "MOST_BYTES", 129)
    assert checks.restore_work(path) is None and "at most 0 MB in 1000 files" in said()
    monkeypatch.setattr(_work, "MOST_FILES", 3)
    monkeypatch.setattr(_work, "MOST_BYTES", 130)
    assert checks.restore_work(path) is None and "in 3 files; it holds 0 MB in 4." in said()
    assert zipfile.ZipFile(checks.save_work()).namelist() == ["a.ipynb", "b.ipynb", "c.ipynb"]


def test_a_notebook_of_60_mb_is_saved_and_restored_in_little_memory():
    block = random.Random(0).randbytes(1 << 10)
    with open("large.ipynb", "wb") as file:
        for _ in range(60):
            file.write(block * 1000)
    size = os.path.getsize("large.ipynb")
    tracemalloc.start()
    try:
        path = checks.save_work()
        os.rename("large.ipynb", "saved")
        Path("large.ipynb").write_bytes(b"other")
        assert checks.restore_work(path) == ["large.ipynb"]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size > 60e6 and peak < 10e6
    with open("large.ipynb", "rb") as restored, open("saved", "rb") as saved:
        while piece := saved.read(1 << 20):
            assert restored.read(1 << 20) == piece
        assert not restored.read()
    assert Path("large.before.ipynb").read_bytes() == b"other"


# ---- restoring ----------------------------------------------------------------------------------


def a_zip(path="made.zip", compression=zipfile.ZIP_DEFLATED, **contents):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in contents.items():
            archive.writestr(f"{name}.ipynb", content)
    return Path(path)


def test_a_zip_that_unpacks_to_gigabytes_is_refused_unread(said):
    path = a_zip(a=bytes(50_000_000))
    with zipfile.ZipFile(path, "a") as archive:
        for k in range(40):  # all 41 entries share the 50 kB, so the file stays small
            again = copy.copy(archive.infolist()[0])
            again.filename = again.orig_filename = f"a{k}.ipynb"
            archive.filelist.append(again)
        archive._didModify = True
    assert path.stat().st_size < 100_000
    tracemalloc.start()
    assert checks.restore_work(path) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "it holds 2050 MB in 41" in said()
    assert peak < 5e6 and names() == ["made.zip"]


def test_a_zip_that_lies_about_its_size_takes_little_memory(said):
    path = a_zip(a=bytes(50_000_000))
    content = path.read_bytes()
    path.write_bytes(content.replace((50_000_000).to_bytes(4, "little"), b"\x07\0\0\0"))
    tracemalloc.start()
    assert checks.restore_work(path) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "must be a zip that save_work() made" in said()
    assert peak < 10e6 and names() == ["made.zip"]


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packings_that_unpack_in_one_piece_are_refused(said, compression):
    assert checks.restore_work(a_zip(compression=compression, a="x")) is None
    assert "a.ipynb must be packed with deflate" in said()
    assert checks.restore_work(a_zip(compression=zipfile.ZIP_STORED, a="x")) == ["a.ipynb"]


@pytest.mark.parametrize(
    "name",
    [
        *("../a.ipynb", "a/b.ipynb", "/a.ipynb", "a.ipynb/", "..\\a.ipynb", "C:a.ipynb", "a.py"),
        *("a\n.ipynb", "a\r.ipynb", "..", "", "ipynb", "ukrlearn-work.json/a.ipynb"),
    ],
)
def test_only_names_that_save_writes_are_restored(said, name):
    with zipfile.ZipFile("made.zip", "w") as archive:
        archive.writestr("good.ipynb", "x")
        archive.writestr(zipfile.ZipInfo(name), "x")
    assert checks.restore_work("made.zip") is None
    assert "is not such a name" in said() and names() == ["made.zip"]


def test_a_name_that_comes_twice_is_refused(said):
    with zipfile.ZipFile("made.zip", "w") as archive:
        archive.writestr("a.ipynb", "x")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.ipynb", "y")
    assert checks.restore_work("made.zip") is None
    assert "a.ipynb must be there once" in said()


@pytest.mark.parametrize("progress", ["[]", "", "{}", '{"format": 1, "exercises": []}', "null"])
def test_a_work_file_that_holds_no_progress_is_refused(said, progress):
    _work.note_check(NAME, True, [], "an answer")
    before = Path(_work.FILE).read_text()
    with zipfile.ZipFile("made.zip", "w") as archive:
        archive.writestr("good.ipynb", "x")
        archive.writestr(_work.FILE, progress)
    assert checks.restore_work("made.zip") is None
    assert "must hold what check() wrote" in said()
    assert Path(_work.FILE).read_text() == before and names() == ["made.zip", _work.FILE]


def test_a_damaged_zip_restores_nothing_or_the_truth(work, said):
    """300 zips with a few bytes changed or the end cut off."""
    contents = {"a": b"first " * 50, "b": random.Random(1).randbytes(300), "c": b""}
    whole = a_zip(**contents).read_bytes()
    draw = random.Random(2)
    refused = 0
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(draw.randint(1, 4)):
            damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        Path("made.zip").write_bytes(damaged[: draw.choice([None, draw.randrange(len(damaged))])])
        restored = checks.restore_work("made.zip")
        refused += restored is None
        for name in names():
            if name != "made.zip":
                assert restored is not None
                assert Path(name).read_bytes() in contents.values()
                os.unlink(name)
    assert 150 < refused < 300
    assert said().count("Nothing restored") == refused


def test_nothing_is_written_if_the_last_file_is_damaged(said):
    content = a_zip(a=b"good", z=random.Random(0).randbytes(100)).read_bytes()
    at = content.index(b"z.ipynb") + 50
    Path("made.zip").write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
    assert checks.restore_work("made.zip") is None
    assert "Bad CRC-32" in said() and names() == ["made.zip"]


def test_what_cannot_be_restored_does_not_stop_the_rest(said):
    path = a_zip(**{"a": "1", "b": "2", "c": "3", "d": "4", "x" * 300: "5"})
    os.symlink("nowhere", "a.ipynb")
    os.mkfifo("b.ipynb")
    os.mkdir("c.ipynb")
    assert checks.restore_work(path) == ["d.ipynb"]
    shown = said()
    for reason in (
        "a.ipynb can't be read: No such file or directory",
        "b.ipynb can't be read: it is a named pipe",
        "c.ipynb can't be read: it is a folder",
        "File name too long",
    ):
        assert reason in shown.partition("Not restored:")[2]
    assert names() == ["a.ipynb", "b.ipynb", "c.ipynb", "d.ipynb", "made.zip"]
    assert checks.restore_work(path) == []
    assert "Restored: nothing" in said()


def test_a_link_is_not_written_through(said):
    Path("precious").write_text("mine")
    os.symlink("precious", "a.ipynb")
    assert checks.restore_work(a_zip(a="new")) == []
    assert "a.ipynb is a link" in said() and Path("precious").read_text() == "mine"


def test_a_longer_file_that_begins_alike_is_kept_beside():
    Path("a.ipynb").write_text("abc")
    path = a_zip(a="ab")
    assert checks.restore_work(path) == ["a.ipynb"] and checks.restore_work(path) == []
    assert Path("a.ipynb").read_text() == "ab" and Path("a.before.ipynb").read_text() == "abc"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, partial(os.symlink, "nowhere")])
def test_a_zip_that_is_no_file_is_said(said, make):
    make("made.zip")
    assert checks.restore_work("made.zip") is None
    assert "made.zip can't be read" in said()
