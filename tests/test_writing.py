"""Nothing that lies in a folder is lost by writing beside it or over it."""

import ast
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path

import pytest
from helpers import each

import ukrlearn
from ukrlearn.course import writing
from ukrlearn.course.tables import write_embedding
from ukrlearn.course.writing import (
    FileProblem,
    locked,
    make_folder,
    names_beside,
    open_file,
    read_file,
    user_path,
    write_beside,
    write_whole,
)

PACKAGE = Path(ukrlearn.__file__).parent


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def at_once(script, *arguments, number=3):
    """Run a script in several processes at the same time; what each has printed."""
    command = [sys.executable, "-W", "error", "-c", script, *map(str, arguments)]
    running = [
        subprocess.Popen([*command, str(k)], stdout=subprocess.PIPE, text=True)
        for k in range(number)
    ]
    printed = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0] * number
    return printed


# ---- whole or not at all ------------------------------------------------------------------------


def test_an_older_file_is_replaced_or_kept_under_a_mark(tmp_path):
    path = tmp_path / "X.csv"
    assert write_whole(path, b"one") is None
    assert write_whole(path, b"two") is None and path.read_bytes() == b"two"
    kept = write_whole(path, b"three", backup="backup")
    assert kept == tmp_path / "X.backup.csv" and kept.read_bytes() == b"two"
    assert write_whole(path, b"four", backup="backup") == tmp_path / "X.backup2.csv"
    assert path.read_bytes() == b"four" and len(list(tmp_path.iterdir())) == 3


def test_a_file_can_be_written_piece_by_piece(tmp_path):
    def fill(file):
        for piece in (b"one", b"two"):
            file.write(piece)

    write_whole(tmp_path / "X.csv", fill)
    assert (tmp_path / "X.csv").read_bytes() == b"onetwo"


@pytest.mark.parametrize("write", [write_whole, write_beside])
@pytest.mark.parametrize("name", ["X.csv.part", ".X.csv.part", "X.part", "X.csv.lock"])
def test_a_file_of_the_user_with_the_ending_part_stays(tmp_path, name, write):
    (tmp_path / name).write_bytes(b"mine")
    write(tmp_path / "X.csv", b"new")
    assert (tmp_path / name).read_bytes() == b"mine"
    assert names_in(tmp_path) == sorted(["X.csv", name])


def test_a_file_with_the_name_of_a_draft_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(writing.secrets, "token_hex", lambda size: "0")
    draft = tmp_path / ".ukrlearn-0.part"
    draft.write_bytes(b"mine")
    with pytest.raises(FileProblem, match="X.csv can't be written: File exists"):
        write_whole(tmp_path / "X.csv", b"new")
    assert draft.read_bytes() == b"mine" and names_in(tmp_path) == [draft.name]


@pytest.mark.parametrize(("at", "backup"), [(1, ""), (1, "backup"), (2, "backup")])
@pytest.mark.parametrize("old", [b"old", b""])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch, at, backup, error, old
):
    path = tmp_path / "X.csv"
    path.write_bytes(old)
    replace, calls = os.replace, []

    def fail_once(*arguments):
        calls.append(arguments)
        if len(calls) == at:
            raise error
        replace(*arguments)

    monkeypatch.setattr(os, "replace", fail_once)
    expected = FileProblem if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as caught:
        write_whole(path, b"new", backup=backup)
    if expected is FileProblem:
        assert str(caught.value) == f"{path} can't be written: No space left on device."
    assert path.read_bytes() == old and names_in(tmp_path) == ["X.csv"]


def test_an_interrupt_after_the_last_step_loses_neither_file(tmp_path, monkeypatch):
    path, replace = tmp_path / "X.csv", os.replace
    path.write_bytes(b"old")

    def interrupted(source, target):
        replace(source, target)
        if Path(target) == path:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new", backup="backup")
    assert path.read_bytes() == b"new" and (tmp_path / "X.backup.csv").read_bytes() == b"old"


@pytest.mark.parametrize("write", [write_whole, write_beside])
def test_content_that_fails_leaves_nothing(tmp_path, write):
    def fill(file):
        file.write(b"half")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write(tmp_path / "X.csv", fill)
    assert names_in(tmp_path) == []


def test_a_private_file_stays_private(tmp_path):
    path = tmp_path / "X.csv"
    path.touch(mode=0o600)
    kept = write_whole(path, b"new", backup="backup")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_what_is_written_while_another_writer_moves_the_file_is_private(tmp_path, monkeypatch):
    path = tmp_path / "X.csv"
    path.touch(mode=0o600)
    copy = writing.shutil.copymode

    def moved_meanwhile(old, new):
        old.unlink()
        copy(old, new)

    monkeypatch.setattr(writing.shutil, "copymode", moved_meanwhile)
    assert write_whole(path, b"new", backup="backup") is None
    assert path.read_bytes() == b"new" and stat.S_IMODE(path.stat().st_mode) == 0o600


# ---- names --------------------------------------------------------------------------------------


def test_names_are_numbered_from_two_on(tmp_path):
    path = tmp_path / "work.zip"
    names = [name.name for name in islice(names_beside(path), 3)]
    assert names == ["work.zip", "work-2.zip", "work-3.zip"]
    assert [name.name for name in islice(names_beside(path, "new"), 2)] == [
        "work.new.zip",
        "work.new2.zip",
    ]


def test_what_is_written_beside_replaces_nothing(tmp_path):
    path = tmp_path / "work.zip"
    (tmp_path / "work-2.zip").symlink_to("nowhere")  # taken, even if it leads nowhere
    assert [write_beside(path, b"%d" % k).name for k in range(3)] == [
        "work.zip",
        "work-3.zip",
        "work-4.zip",
    ]
    assert path.read_bytes() == b"0" and not (tmp_path / "nowhere").exists()
    with pytest.raises(FileProblem, match="is a folder"):
        write_beside(tmp_path, b"")
    with pytest.raises(FileProblem, match=r"/nowhere/a can't .* no folder .*nowhere\.$"):
        write_beside(tmp_path / "nowhere" / "a", b"")


def test_a_name_of_the_greatest_length_is_possible(tmp_path):
    path = tmp_path / ("x" * 251 + ".csv")
    write_whole(path, b"one")
    with pytest.raises(FileProblem, match="can't be written: File name too long"):
        write_whole(path, b"two", backup="backup")
    write_whole(path, b"three")
    assert path.read_bytes() == b"three" and names_in(tmp_path) == [path.name]


def test_a_tilde_is_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_path("~/x.csv") == tmp_path / "x.csv"
    assert write_embedding("~/x.csv", [[1.0]]).path == tmp_path / "x.csv"
    with pytest.raises(FileProblem, match="~no-such-user is no user's home folder"):
        user_path("~no-such-user/x.csv")
    with pytest.raises(TypeError, match="A path must be a string or a Path; got int"):
        user_path(3)


# ---- only regular files -------------------------------------------------------------------------


def a_socket(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


def a_device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # another /dev/null
    except PermissionError:
        pytest.skip("only root makes devices")


def a_link(path):
    (path.parent / "target").write_bytes(b"precious")
    path.symlink_to("target")


SPECIAL = {
    "a named pipe": os.mkfifo,
    "a socket": a_socket,
    "a device": a_device,
    "a link": a_link,
    "a link, which leads nowhere": lambda path: path.symlink_to("nowhere"),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("what", SPECIAL)
@pytest.mark.parametrize("backup", ["", "backup"])
def test_only_regular_files_are_replaced(tmp_path, monkeypatch, what, backup):
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    path = Path("X.csv")
    SPECIAL[what](path)
    before, names = path.lstat(), names_in(tmp_path)
    with pytest.raises(FileProblem, match=f"X.csv is {what.partition(',')[0]}"):
        write_whole(path, b"new", backup=backup)
    with pytest.raises(ValueError, match=f"X.csv is {what.partition(',')[0]}"):
        write_embedding(path, [[1.0]])
    assert path.lstat() == before and names_in(tmp_path) == names
    if what == "a link":
        assert Path("target").read_bytes() == b"precious"


@pytest.mark.parametrize("what", [what for what in SPECIAL if what != "a link"])
def test_reading_does_not_wait_for_what_is_no_file(tmp_path, monkeypatch, what):
    monkeypatch.chdir(tmp_path)
    SPECIAL[what](Path("X.csv"))
    reason = "No such file" if "nowhere" in what else f"it is {what}"
    with pytest.raises(FileProblem, match=f"X.csv can't be read: {reason}"):
        read_file(Path("X.csv"))


def test_a_file_is_read_up_to_a_limit_and_through_a_link(tmp_path):
    a_link(tmp_path / "X.csv")
    assert read_file(tmp_path / "X.csv") == b"precious"
    assert read_file(tmp_path / "X.csv", most=3) == b"pre"
    assert read_file(tmp_path / "nothing") is None
    with pytest.raises(FileProblem, match="nothing can't be read: No such file"):
        open_file(tmp_path / "nothing")


# ---- one sentence -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x" * 300 + ".csv", "can't be used: File name too long"),
        ("nowhere/X.csv", "can't be written: there is no folder .*nowhere"),
        ("file/X.csv", "can't be written: there is no folder .*file"),
        ("file/deeper/X.csv", "can't be written: there is no folder .*deeper"),
        ("a\0b.csv", "can't be the name of a file: .*null"),
        ("\ud800.csv", "can't be the name of a file: .*can't encode"),
        ("", "is a folder. Add a name"),
        ("..", "is a folder. Add a name"),
        ("/proc/X.csv", "can't be written: "),
        ("/proc/1/fd/X.csv", "can't be (used|written): "),
    ],
)
def test_what_goes_wrong_is_said_in_a_sentence(tmp_path, name, message):
    (tmp_path / "file").touch()
    for write in (write_whole, write_beside):
        with pytest.raises(FileProblem, match=message) as caught:
            write(tmp_path / name, b"")
        said = str(caught.value)
        assert "Errno" not in said and said.endswith(".")
        said.encode()  # can be printed
    assert names_in(tmp_path) == ["file"]


def test_a_folder_is_made_or_its_problem_said(tmp_path):
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("nowhere")
    for name, message in (
        ("file", "file must be a folder; it is a file"),
        ("link", "link must be a folder; it is a link"),
        ("file/below/deeper", "file must be a folder; it is a file"),
        ("x" * 300, "can't be made: File name too long"),
    ):
        with pytest.raises(FileProblem, match=message):
            make_folder(tmp_path / name)


def test_what_the_system_refuses_is_said_in_a_sentence(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "lstat", refuse)
    with pytest.raises(FileProblem, match=r"X\.csv can't be used: Permission denied\.$"):
        write_whole(tmp_path / "X.csv", b"")
    monkeypatch.undo()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FileProblem, match=r"X\.csv can't be written: Permission denied\.$"):
        write_whole(tmp_path / "X.csv", b"")


# ---- one writer at a time -----------------------------------------------------------------------

EXPORTER = """
import sys
from ukrlearn.course.tables import write_embedding
path, me = sys.argv[1:]
for k in range(15):
    write_embedding(path, [[100.0 * int(me) + k]])
"""


def test_exporters_at_once_lose_no_file(tmp_path):
    at_once(EXPORTER, tmp_path / "X.csv")
    written = [float(path.read_text().split(",")[-1]) for path in tmp_path.iterdir()]
    assert sorted(written) == [100.0 * process + k for process in range(3) for k in range(15)]
    assert names_in(tmp_path) == sorted(
        ["X.csv", "X.backup.csv", *(f"X.backup{k}.csv" for k in range(2, 45))]
    )


SAVER = """
import sys
from pathlib import Path
from ukrlearn.course.writing import write_beside
for k in range(15):
    write_beside(Path(sys.argv[1]), b"%s %d" % (sys.argv[2].encode(), k))
"""


def test_savers_at_once_take_different_names(tmp_path):
    at_once(SAVER, tmp_path / "work.zip")
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 45


def test_threads_take_turns(tmp_path):
    path = tmp_path / "count"

    def add():
        for _ in range(25):
            with locked(path), locked(path):
                write_whole(path, b"%d" % (int(read_file(path) or 0) + 1))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() == b"100" and names_in(tmp_path) == ["count"]


KILLED = """
import os, signal, sys
from pathlib import Path
from ukrlearn.course.writing import locked
with locked(Path(sys.argv[1])):
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_killed_writers_leave_behind_the_next_one_removes(tmp_path):
    script = (
        "import os, signal, sys; from pathlib import Path; from ukrlearn.course import writing\n"
        "write = lambda file: file.write(b'half') and os.kill(os.getpid(), signal.SIGKILL)\n"
        "writing.write_whole(Path(sys.argv[1]), write)"
    )
    left = tmp_path / f".ukrlearn-{'0' * 16}.part"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script, tmp_path / "X.csv"])
        (killed,) = tmp_path.iterdir()  # the second has removed the draft of the first
    left.write_bytes(b"of a writer on another machine, which has crashed")

    def fill(file):
        (mine,) = set(names_in(tmp_path))
        write_whole(tmp_path / "Y.csv", b"while another one writes")
        assert mine in names_in(tmp_path)

    write_whole(tmp_path / "X.csv", fill)
    assert names_in(tmp_path) == ["X.csv", "Y.csv"] and not killed.exists()


def test_a_lock_ends_with_its_process(tmp_path, monkeypatch):
    path = tmp_path / "X.csv"
    killed = subprocess.run([sys.executable, "-c", KILLED, path])
    assert killed.returncode == -signal.SIGKILL and len(names_in(tmp_path)) == 1
    monkeypatch.setattr(writing, "PATIENCE", 0.0)
    write_whole(path, b"new")
    assert names_in(tmp_path) == ["X.csv"]


FORKED = """
import os, sys
from pathlib import Path
from ukrlearn.course import writing
read, write = os.pipe()
with writing.locked(Path(sys.argv[1])):
    child = os.fork()
    if not child:
        os.close(write)
        os.read(read, 1)  # until the parent has closed the pipe
        os._exit(0)
writing.PATIENCE = 0.0
with writing.locked(Path(sys.argv[1])):
    print("locked again")
os.close(write)
os.waitpid(child, 0)
"""


def test_a_child_that_was_forked_meanwhile_does_not_keep_the_lock(tmp_path):
    assert at_once(FORKED, tmp_path / "X.csv", number=1) == ["locked again\n"]


def test_who_never_finishes_is_not_waited_for_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "PATIENCE", 0.02)
    path, said = tmp_path / "X.csv", []

    def wait():
        try:
            write_whole(path, b"new")
        except FileProblem as problem:
            said.append(str(problem))

    with locked(path):
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    assert "X.csv can't be written: another program has been writing it" in said[0]
    assert names_in(tmp_path) == []


def test_a_lock_that_leads_elsewhere_is_refused(tmp_path):
    path = tmp_path / "X.csv"
    with locked(path):
        (lock,) = tmp_path.glob(".*.lock")
    lock.symlink_to("nowhere")
    with pytest.raises(FileProblem, match="X.csv can't be written: Too many levels of symbolic"):
        write_whole(path, b"new")
    assert names_in(tmp_path) == [lock.name]


def test_without_locks_files_are_still_written_whole(tmp_path, monkeypatch):
    def no_locks(*_):
        raise OSError(writing.errno.ENOLCK, "No locks available")

    monkeypatch.setattr(writing.fcntl, "flock", no_locks)
    write_whole(tmp_path / "X.csv", b"one")
    monkeypatch.setattr(writing, "fcntl", None)
    assert write_whole(tmp_path / "X.csv", b"two", backup="backup").read_bytes() == b"one"
    assert names_in(tmp_path) == ["X.backup.csv", "X.csv"]


# ---- everywhere ---------------------------------------------------------------------------------

OF_PATHS = {"write_text", "write_bytes", "rename", "touch", "mkdir", "symlink_to", "hardlink_to"}
OF_OS = {"replace", "rename", "renames", "link", "symlink", "mkdir", "makedirs", "truncate"}


def calls_that_write(tree):
    """The names of functions in a module that write to the disk."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            of_os = getattr(getattr(node.func, "value", None), "id", "") == "os"
            # open(path, "w") or path.open("w"), but not archive.open(entry, "w")
            place = 1 if isinstance(node.func, ast.Name) else 0
            given = [*node.args[place : place + 1]]
            given += [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
            modes = [str(value.value) for value in given if isinstance(value, ast.Constant)]
            opens = name == "open" and any(re.fullmatch("[rbt]*[wxa+][bt+]*", m) for m in modes)
            if opens or name in OF_PATHS or (of_os and name in OF_OS):
                yield name


@each(
    "code, writes",
    [
        *(("open(path, 'w')", True), ("open(path, mode='ab')", True), ("path.open('r+b')", True)),
        *(("open(path)", False), ("open('wax')", False), ("archive.open(entry, 'w')", False)),
        *(("path.write_text('')", True), ("os.replace(a, b)", True), ("a.replace(b, c)", False)),
    ],
)
def test_calls_that_write_are_found(code, writes):
    assert bool(list(calls_that_write(ast.parse(code)))) == writes


def test_the_package_writes_files_in_one_place():
    found = {}
    for path in PACKAGE.rglob("*.py"):
        if names := set(calls_that_write(ast.parse(path.read_text(encoding="utf-8")))):
            found[path.relative_to(PACKAGE).as_posix()] = names
    assert found == {"course/writing.py": {"open", "replace", "touch", "mkdir"}}
