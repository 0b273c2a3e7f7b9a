"""Reading the steps of a fit: into the history, to the callback, under a progress bar."""

from typing import NamedTuple

import numpy as np
from tqdm.auto import tqdm


class Frame(NamedTuple):
    """One step of a fit, as remembered in `history_`."""

    stage: str  # "start", "eta=0.5", ..., "descent"
    error: float  # the objective of the stage: R_cv, plus the barrier in the stages with an eta
    X: np.ndarray | None = None  # latent points, if recording was asked for


def follow(model, stage, steps, moves, in_data_units=float):
    """Reads steps into `model.history_`; whether the fit should go on after them."""
    for step in with_bar(model, steps, moves + 1, stage):
        X = step.X.copy() if model.record else None
        model.history_.append(Frame(stage, in_data_units(step.error), X))
        if model.callback is not None and model.callback(step) is True:
            return False
    return True


def with_bar(model, items, total, name):
    """The items, under a progress bar if the model is verbose."""
    return tqdm(items, total=total, desc=name, leave=False, disable=not model.verbose)


def moves_of_last_stage(model):
    """How many moves its last stage took."""
    last = model.history_[-1].stage
    return sum(frame.stage == last for frame in model.history_) - 1
