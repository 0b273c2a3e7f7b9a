"""Writing files safely: a file is written whole or not at all, and old files can be kept."""

import os
import secrets
from collections.abc import Callable
from itertools import count
from pathlib import Path


def write_whole(path: Path, content: bytes, backup="") -> Path | None:
    """Write the whole file or nothing; after a crash, the old file still exists.

    Parameters
    ----------
    backup : str
        The mark in the name under which an older file is kept. If empty, the file is replaced.

    Returns
    -------
    Path or None
        The path of the older file, if it was kept.
    """
    # A unique name, so that two writers never share one half-written file.
    half = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    kept = None
    try:
        with half.open("xb") as file:
            file.write(content)
        kept = free_name(path, backup) if backup and path.exists() else None
        if kept:
            path.rename(kept)
        os.replace(half, path)
    except BaseException:
        half.unlink(missing_ok=True)
        if kept and kept.exists() and not path.exists():
            kept.rename(path)
        raise
    return kept


def free_name(path: Path, mark="", is_taken: Callable = Path.exists) -> Path:
    """The first of `name.MARK.suffix`, `name.MARK2.suffix`, ... that is not taken.

    Without a mark, the names are the path itself, `name-2.suffix`, `name-3.suffix`, ...
    """
    for number in count(1):
        if mark:
            name = f"{path.stem}.{mark}{number if number > 1 else ''}{path.suffix}"
        else:
            name = f"{path.stem}{f'-{number}' if number > 1 else ''}{path.suffix}"
        candidate = path.with_name(name)
        if not is_taken(candidate):
            return candidate
