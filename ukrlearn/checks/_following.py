"""Follows an answer that walks: where it has been, what it tried there, and what it accepted.

Such answers end in different places, so nothing can be compared. But each asks our function, at
places it chooses, for an error and its gradient, and its moves lie along gradients. From the noted
calls and variables the walk is retold as moves, and a rule by which moves were accepted is tested
on all of them, in all trials.
"""

import sys
from dataclasses import dataclass

import numpy as np

from ukrlearn.checks._noting import Noted, is_theirs

CALL, PLAIN = "call", "plain call"  # in the place of names that no variable has
MOST_LINES = 12_000  # at which variables are looked at; calls are noted to the end
MOST_CALLS = 1500
MOST_VALUES = 2500
MOST_MOVES = 150  # of one trial
SHORTEST = 1e-5  # gradients at places nearer than that are parallel: nothing tells them apart
LATEST = 25  # places from which a move may have come: refused ones are among them


class Followed(Noted):
    """Around a call: keeps the values of variables and the arguments of the followed function."""

    def __init__(self, function, follows):
        super().__init__(function)
        self._follows, self._calls = follows.__code__, 0

    def _entered(self, frame, event, _):
        if event == "call" and frame.f_code is self._follows and self._calls < MOST_CALLS:
            if frame.f_back is not None and is_theirs(frame.f_back.f_code.co_filename):
                self._keep_call(frame.f_locals)
            return None
        return super()._entered(frame, event, _) if self._has_room() else None

    def _keep_call(self, given):
        self._calls += 1
        try:
            X = np.array(given["X"], dtype=float)
        except (TypeError, ValueError):
            return
        name = CALL if given.get("leave_one_out", True) else PLAIN
        if X.size and X.size < 2000:
            self._kept[self._calls, CALL] = (name, X)

    def _has_room(self):
        return self._steps < MOST_LINES and len(self._kept) < MOST_VALUES

    def _look(self, frame, event, result):
        self._steps += 1
        if not self._has_room():
            return None
        self._look_at(frame, event == "return", result)
        return self._look

    def __exit__(self, *_):
        if sys.gettrace() in (None, self._entered):
            sys.settrace(self._before)


@dataclass(frozen=True)
class Move:
    """A candidate that was tried, from which place, and whether the walk went on from there."""

    trial: object
    start: np.ndarray
    end: np.ndarray
    length: float  # in units of the gradient's greatest entry; negative: downhill
    accepted: bool


@dataclass(frozen=True)
class Walk:
    """What is known of the way through one trial."""

    trial: object
    moves: tuple
    plain: bool  # whether every call asked for the error without leaving points out
    values: tuple  # pairs (name, array): what variables have held
    end: np.ndarray
    places: tuple  # from which candidates were tried
    mixed: int  # calls at places whose points are partly those of a candidate, partly the old ones


def walks(returned, gradient):
    """The walk of each trial; `gradient(X, plain, Y)` is what the answer follows."""
    return [_walk(c, gradient) for c in returned if isinstance(c.outcome.value, np.ndarray)]


def _walk(c, gradient):
    shape = np.shape(c.trial.arguments["X"])
    end = np.asarray(c.outcome.value, dtype=float)
    called = [name for name, _ in c.outcome.seen if name in (CALL, PLAIN)]
    plain = bool(called) and CALL not in called
    follows = lambda X: gradient(X, plain, c.trial.arguments["Y"])
    candidates, mixed = _candidates(c, shape, follows)
    left = {_key(start): start for start, *_ in candidates}
    moves = tuple(
        Move(c.trial, start, end_, length, _key(end_) in left or np.array_equal(end_, end))
        for start, end_, length in candidates
    )
    values = tuple((n, v) for n, v in c.outcome.seen if n not in (CALL, PLAIN))
    if len(moves) == MOST_MOVES:  # what became of the last ones is not known
        moves = moves[: 1 + max((k for k, m in enumerate(moves) if m.accepted), default=-1)]
    return Walk(c.trial, moves, plain, values, end, tuple(left.values()), mixed)


def _candidates(c, shape, gradient):
    """Triples (place, candidate, length), in the order in which they were seen, and `mixed`."""
    places, found, seen, mixed = [], [], set(), 0
    for name, X in c.outcome.seen:
        if X.shape != shape or not np.isfinite(X).all() or len(found) == MOST_MOVES:
            continue
        is_new = _key(X) not in seen
        seen.add(_key(X))
        move = _move_to(X, places, found) if is_new else None
        if move:
            found.append(move)
        elif is_new and found:
            mixed += bool(_is_mixed(X, *found[-1][:2]))
        if name in (CALL, PLAIN) and not any(np.array_equal(X, p) for p, _ in places[-LATEST:]):
            g = np.asarray(gradient(X))
            if np.isfinite(g).all() and np.abs(g).max() > 0:
                places.append((X, g / np.abs(g).max()))
    return found, mixed


def _move_to(X, places, found):
    """From which place X is reached along a gradient: that of the last candidate, if it can be."""
    latest = places[: -LATEST - 1 : -1]
    if found:
        latest.sort(key=lambda place: place[0] is not found[-1][0])
    for place, direction in latest:
        if (length := _along(X - place, direction)) is not None:
            return (place, X, length) if abs(length) >= SHORTEST else None
    return None


def _is_mixed(X, old, new):
    from_old, from_new = (X == old).all(axis=1), (X == new).all(axis=1)
    return (from_old | from_new).all() and from_old.any() and from_new.any()


def _along(move, direction):
    """How often the direction makes the move; None if it does not."""
    length = np.vdot(move, direction) / np.vdot(direction, direction)
    if length == 0 or np.abs(move - length * direction).max() > 1e-6 * abs(length):
        return None
    return float(length)


def _key(X):
    return X.tobytes()
