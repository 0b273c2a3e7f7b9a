"""What a method will hold in memory, estimated before anything is allocated."""

import os
from pathlib import Path

VARIABLE = "UKRLEARN_MEMORY_GB"
LIMIT = 2.0  # GB: all that Binder has. The limit is the same on every machine with so much to spare
BYTES = 8  # of a float64


def demand(what, numbers, remedy):
    """ValueError if this many float64 numbers are more than may be used.

    Parameters
    ----------
    what : str
        What would take the memory, for example "SNE of 20000 points".
    numbers : int or float
        How many numbers it holds at its peak, apart from what grows like the data themselves.
    remedy : str
        A sentence that says what to do instead.
    """
    needed, allowed = BYTES * 1e-9 * numbers, usable()
    if needed > allowed:
        raise ValueError(
            f"{what} would take about {_rounded(needed)} GB of memory, and at most "
            f"{_rounded(allowed)} GB may be used. {remedy} To allow more, set the environment "
            f"variable {VARIABLE}."
        )


def _rounded(gigabytes):
    return f"{gigabytes:.2g}" if gigabytes < 99.5 else f"{gigabytes:,.0f}"


def usable():
    """GB: what the environment variable says, or 2, or what is left if that is less."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return min(LIMIT, left())
    try:
        allowed = float(wanted)
    except ValueError:
        allowed = float("nan")
    if not allowed > 0:
        raise ValueError(f"{VARIABLE} must be a positive number of GB; got {wanted!r}.")
    return allowed


def left(root="/"):
    """GB that machine and container have left; infinite on systems that do not say."""
    machine = _entries(Path(root, "proc/meminfo"))
    found = [1024 * machine.get("MemAvailable:", float("inf"))]
    for folder, limit, own in (
        ("sys/fs/cgroup", "memory.max", "anon"),
        ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss"),
    ):
        try:
            most = float(Path(root, folder, limit).read_text())
        except (OSError, ValueError):  # "max" means that there is no limit
            continue
        found.append(most - _entries(Path(root, folder, "memory.stat")).get(own, 0))
    return max(min(found), 0) * 1e-9


def _entries(path):
    """The first two words of each line, as name and number; none if there is no such file."""
    try:
        lines = [line.split() for line in path.read_text().splitlines()]
    except OSError:
        return {}
    return {words[0]: float(words[1]) for words in lines if len(words) > 1}
