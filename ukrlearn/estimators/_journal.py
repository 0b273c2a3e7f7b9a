"""What happens while a model is fitted: the history, the callback, the progress bar, Ctrl-C."""

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from tqdm.auto import tqdm


class Frame(NamedTuple):
    """One step of a fit, as remembered in `history_`."""

    stage: str  # "start", "eta=0.5", ..., "descent"
    error: float  # the objective of the stage: R_cv, plus the barrier in the stages with an eta
    X: np.ndarray | None = None  # latent points, if recording was asked for


@dataclass
class Journal:
    """Reads the steps of one fit. The estimator keeps the history once the fit has succeeded."""

    verbose: int = 0
    callback: Callable | None = None
    history: list = field(default_factory=list)
    last: object = None  # the last step that was read

    @classmethod
    def of(cls, model):
        """An empty journal, as the parameters of an estimator want it."""
        return cls(model.verbose, model.callback)

    def follow(self, name, steps: Iterable, moves, entry: Callable) -> bool:
        """Reads the steps, `entry(step)` into the history; whether the fit should go on.

        Parameters
        ----------
        name : str
            What the progress bar says.
        moves : int
            How many moves there may be after the first step.
        """
        for step in self.bar(steps, moves + 1, name):
            self.last = step
            self.history.append(entry(step))
            if self.callback is not None and self.callback(step) is True:
                return False
        return True

    def bar(self, items, total, name):
        """The items, under a progress bar if the model is verbose."""
        return tqdm(items, total=total, desc=name, leave=False, disable=not self.verbose)

    def moves_of_last_stage(self):
        """How many moves the last stage took."""
        last = self.history[-1].stage
        return sum(frame.stage == last for frame in self.history) - 1

    def warn_of_interruption(self, units="steps", kept="the best seen until then", count=None):
        """Says that Ctrl-C has ended the fit, and which model it leaves."""
        count = len(self.history) if count is None else count
        warnings.warn(
            f"The fit was interrupted after {count} {units}; the model is {kept}.",
            ConvergenceWarning,
            stacklevel=4,
        )
