"""Files of the user: written whole or not at all, one writer at a time, and never by surprise.

Every file that the package writes, it writes here:

- The content goes to a new file beside the target, which then takes the target's place in one step.
  No reader sees half a file, and a crash leaves the old one. What a writer that was killed has left
  behind, the next one removes.
- Only regular files are replaced. Links are not followed, and devices and pipes are not touched.
- `locked` excludes other threads, kernels and processes from reading, changing and writing the same
  file.
- What goes wrong is a `FileProblem` that says so in a sentence.
"""

import contextlib
import errno
import hashlib
import os
import secrets
import shutil
import stat
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows, where `locked` excludes nobody
    fcntl = None

PATIENCE = 20.0  # seconds to wait for another writer; each needs milliseconds

REGULAR = "a file"
_KINDS = {
    stat.S_IFREG: REGULAR,
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class FileProblem(OSError, ValueError):
    """A file or folder that cannot be used; the message says which one, and why."""

    def __init__(self, sentence):
        # A name may hold bytes that are no text, and printing them would raise another error.
        super().__init__(sentence.encode("utf-8", "backslashreplace").decode())


# ------------------------------------------------------------------------------------------ paths


def user_path(name) -> Path:
    """The path that a user typed, where ~ stands for the home folder."""
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"A path must be a string or a Path; got {type(name).__name__}.")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        first = Path(name).parts[0]
        raise FileProblem(f"{name} can't be found: {first} is no user's home folder.") from None


def kind(path: Path) -> str:
    """What is at the path, in words, without following links; "" if there is nothing."""
    with _in_a_sentence(path, "can't be used"):
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except ValueError as error:  # a null byte, or half a surrogate pair
            raise FileProblem(f"{str(path)!r} can't be the name of a file: {error}.") from None
        return _KINDS.get(stat.S_IFMT(mode), "no regular file")


def names_beside(path: Path, mark="") -> Iterator[Path]:
    """`name.MARK.suffix`, `name.MARK2.suffix`, ...

    Without a mark, the path itself, `name-2.suffix`, `name-3.suffix`, ...
    """
    for number in count(1):
        if mark:
            extra = f".{mark}{number if number > 1 else ''}"
        else:
            extra = f"-{number}" if number > 1 else ""
        yield path.with_name(f"{path.stem}{extra}{path.suffix}")


def make_folder(path: Path):
    """Make a folder with those above it, unless it exists."""
    with _in_a_sentence(path, "can't be made"):
        try:
            path.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            wrong = next(place for place in (path, *path.parents) if kind(place))
            raise FileProblem(f"{wrong} must be a folder; it is {kind(wrong)}.") from None


@contextlib.contextmanager
def _in_a_sentence(path, what_failed):
    """Make a FileProblem of whatever the operating system reports."""
    try:
        yield
    except FileProblem:
        raise
    except OSError as error:
        raise FileProblem(f"{path} {what_failed}: {error.strerror or error}.") from error


# ---------------------------------------------------------------------------------------- reading


def open_file(path: Path) -> BinaryIO:
    """A regular file, or what a link leads to, opened for reading; never waits for a pipe."""
    with _in_a_sentence(path, "can't be read"):
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            what = _KINDS.get(stat.S_IFMT(mode), "no regular file")
            raise FileProblem(f"{path} can't be read: it is {what}.")
        return open(path, "rb")


def read_file(path: Path, most: int | None = None) -> bytes | None:
    """The content of a file, of which only the first `most` bytes; None if there is no file."""
    if not kind(path):
        return None
    with open_file(path) as file, _in_a_sentence(path, "can't be read"):
        return file.read(-1 if most is None else most)


# ---------------------------------------------------------------------------------------- writing

Content = bytes | Callable[[BinaryIO], object]  # or a function that writes to an open file


def write_whole(path: Path, content: Content, backup="") -> Path | None:
    """Write the whole file or nothing; after a crash, the old file still exists.

    Parameters
    ----------
    content : bytes or callable
        What to write, or a function that writes it to an open file piece by piece.
    backup : str
        The mark in the name under which an older file is kept. If empty, the file is replaced.

    Returns
    -------
    Path or None
        The path of the older file, if it was kept.
    """
    _demand_a_folder(path)
    what = kind(path)
    if what == "a folder":
        raise FileProblem(f"{path} is a folder. Add a name, such as result.csv.")
    if what not in ("", REGULAR):
        raise FileProblem(f"{path} is {what}; only regular files are replaced. Choose another.")
    with (
        _in_a_sentence(path, "can't be written"),
        _draft(path, content) as draft,
        locked(path),
    ):
        if not backup or not kind(path):
            os.replace(draft, path)
            return None
        kept = _reserved(path, backup)
        try:
            os.replace(path, kept)
            os.replace(draft, path)
        except BaseException:
            if not kind(path):
                os.replace(kept, path)
            elif not kept.stat().st_size:
                kept.unlink()  # nothing has moved
            raise
        return kept


def write_beside(path: Path, content: Content, mark="") -> Path:
    """Write the whole file under the first free name beside the path; return its name."""
    _demand_a_folder(path)
    if not mark and kind(path) == "a folder":
        raise FileProblem(f"{path} is a folder. Add a name, such as work.zip.")
    with _in_a_sentence(path, "can't be written"), _draft(path, content) as draft:
        free = _reserved(path, mark)
        try:
            os.replace(draft, free)
        except BaseException:
            free.unlink()
            raise
        return free


def move_aside(path: Path, target: Path) -> Path:
    """Move a file to the first free name beside the target, in a folder that may be new."""
    make_folder(target.parent)
    with _in_a_sentence(path, "can't be moved"):
        free = _reserved(target, "")
        try:
            os.replace(path, free)
        except BaseException:
            free.unlink()
            raise
        return free


def _demand_a_folder(path):
    kind(path)  # whether it can be a name at all
    with _in_a_sentence(path, "can't be written"):
        if not path.parent.is_dir():
            raise FileProblem(f"{path} can't be written: there is no folder {path.parent}.")


@contextlib.contextmanager
def _draft(path, content):
    """The content in a new file beside the path, which is deleted unless it was moved away."""
    _remove_abandoned(path.parent)
    file, draft = _new_draft(path.parent)
    try:
        with file:
            if callable(content):
                content(file)
            else:
                file.write(content)
            file.flush()
            os.fsync(file.fileno())  # else a power failure may keep the new name without the data
            if kind(path) == REGULAR:
                draft.chmod(0o600)  # what was private stays private, while another writer moves it
                with contextlib.suppress(FileNotFoundError):
                    shutil.copymode(path, draft)
            if fcntl is None:
                file.close()  # Windows moves no open file
            yield draft
    finally:
        draft.unlink(missing_ok=True)


def _new_draft(folder):
    """A new file, open and locked as long as it is open, and its path."""
    while True:
        # Short and unique: two writers share no file, and names of 255 bytes are possible.
        draft = folder / f".ukrlearn-{secrets.token_hex(8)}.part"
        file = draft.open("xb")
        if _lock(file) is not False and _is_still_at(file, draft):
            return file, draft
        file.close()  # somebody has removed it, before it was locked


def _remove_abandoned(folder):
    """Remove drafts of writers that were killed: nobody locks them any more."""
    for draft in folder.glob(f".ukrlearn-{'[0-9a-f]' * 16}.part"):
        with (
            contextlib.suppress(OSError),
            open(draft, "r+b", opener=_never_through_a_link) as file,
        ):
            if _lock(file) and _is_still_at(file, draft):
                draft.unlink()


def _reserved(path, mark):
    """A new and empty file under the first free name, so that nobody else takes the name."""
    for name in names_beside(path, mark):
        with contextlib.suppress(FileExistsError):
            name.touch(exist_ok=False)
            return name


# ---------------------------------------------------------------------------------------- locking

_of_thread = threading.local()
_WITHOUT_LOCKS = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOLCK, errno.EINVAL)


@contextlib.contextmanager
def locked(path: Path):
    """Exclude all other writers of the file, in this process and in others; may be nested.

    The lock is held on a file of its own beside the path, because a lock on the file itself would
    be lost when the file is replaced. The system releases it when a process dies. Where the file
    system has no locks, nobody is excluded.
    """
    # Hashed, so that a long name stays possible; absolute, so that os.chdir does not matter.
    name = f".ukrlearn-{hashlib.sha256(os.fsencode(path.name)).hexdigest()[:16]}.lock"
    lock = Path(os.path.abspath(path.parent / name))
    held = _of_thread.__dict__.setdefault("held", set())
    if fcntl is None or lock in held:
        yield
        return
    with _in_a_sentence(path, "can't be written"):
        file = _acquired(lock, path)
    held.add(lock)
    try:
        yield
    finally:
        held.discard(lock)
        # Deleted before it is released: who has opened it finds that it is gone, and begins again.
        # A child that was forked meanwhile keeps only the deleted file locked.
        lock.unlink(missing_ok=True)
        file.close()


def _acquired(lock, path):
    """The lock file, open and locked; FileProblem if another writer does not finish."""
    deadline = time.monotonic() + PATIENCE
    while True:
        file = open(lock, "ab", opener=_never_through_a_link)
        has_it = _lock(file)
        if has_it is None or (has_it and _is_still_at(file, lock)):
            return file
        file.close()
        if time.monotonic() > deadline:
            raise FileProblem(
                f"{path} can't be written: another program has been writing it for {PATIENCE:.0f} "
                "seconds. Try again, or restart the other notebooks."
            )
        time.sleep(0.005)


def _lock(file):
    """Lock a file until it is closed: whether that was done; None where there are no locks."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _WITHOUT_LOCKS:
            raise
        return None
    return True


def _never_through_a_link(name, flags):
    return os.open(name, flags | os.O_NOFOLLOW, 0o666)


def _is_still_at(file, path):
    """Whether the path still leads to the open file; its last owner deletes it."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.lstat(path))
    except FileNotFoundError:
        return False
