"""The journal of a fit: its history, callback, progress bar, and warnings after Ctrl-C."""

import sys
import warnings
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from tqdm.auto import tqdm

from ukrlearn.estimators._border import read_only


class Frame(NamedTuple):
    """One step of a fit, as kept in `history_`."""

    stage: str  # "start", "eta=0.5", ..., "descent"
    error: float  # the objective of the stage: R_cv, plus the barrier in the stages with an eta
    X: np.ndarray | None = None  # latent points, if record=True


@dataclass
class Journal:
    """Records the steps of one fit; the estimator keeps the history if the fit succeeds."""

    verbose: int = 0
    callback: Callable | None = None
    history: list = field(default_factory=list)
    last: object = None  # the last step that was read
    interruption: KeyboardInterrupt | None = None  # with a note of what the fit keeps

    @classmethod
    def of(cls, model):
        """An empty journal with an estimator's settings for progress bar and callback."""
        return cls(model.verbose, model.callback)

    def follow(self, name, steps: Iterable, moves, entry: Callable) -> bool:
        """Append `entry(step)` to the history for each step; return whether the fit should go on.

        Parameters
        ----------
        name : str
            The label of the progress bar.
        moves : int
            The maximum number of moves after the first step.
        """
        for step in self.bar(steps, moves + 1, name):
            self.last = step
            self.history.append(entry(step))
            if self.callback is not None and self.callback(read_only(step)) is True:
                return False
        return True

    def bar(self, items, total, name):
        """The items, with a progress bar if the model is verbose."""
        return tqdm(items, total=total, desc=name, leave=False, disable=not self.verbose)

    def moves_of_last_stage(self):
        """The number of moves in the last stage."""
        last = self.history[-1].stage
        return sum(frame.stage == last for frame in self.history) - 1

    def interrupted(self, by, units="steps", kept="the best result so far", count=None):
        """Note that Ctrl-C ended the fit, and which result is kept."""
        count = len(self.history) if count is None else count
        by.add_note(f"The fit was interrupted after {count} {units}, and keeps {kept}.")
        self.interruption = by

    def settle_interruption(self):
        """Warn of an interruption if a user waits for the model; otherwise raise it again."""
        global _interrupted_before
        if self.interruption is None:
            return
        typed = _typed_code()
        if typed is None or typed is _interrupted_before():
            raise self.interruption
        _interrupted_before = weakref.ref(typed)
        warnings.warn(self.interruption.__notes__[-1], ConvergenceWarning, stacklevel=3)


_interrupted_before = lambda: None  # the cell or command whose last fit was interrupted
SEARCHES = ("sklearn.model_selection", "joblib.parallel", "multiprocessing.process")


def _typed_code():
    """The code of the cell or command with which a user of an interactive shell began this fit.

    None in scripts and workers, where nobody waits for this one model, and inside a search, which
    would go on with the next.
    """
    main = vars(sys.modules["__main__"])
    frame, typed = sys._getframe(), None
    while frame is not None and hasattr(sys, "ps1"):
        if frame.f_globals.get("__name__", "").startswith(SEARCHES):
            return None
        if frame.f_globals is main:
            typed = frame.f_code
        frame = frame.f_back
    return typed
