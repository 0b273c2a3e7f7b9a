"""The stages of learning a UKR model, [UKR] 2.3 steps 4 and 5, as one stream of steps."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from ukrlearn.density_constraint import back_into_feasible_set, is_feasible, with_barrier
from ukrlearn.density_kernels import DensityKernel, gaussian
from ukrlearn.descent import Best, Objective, Step, at_most, gradient_descent, lbfgs, rprop
from ukrlearn.spectral import SpectralGuidance, guided
from ukrlearn.starts import normalised

# η of the seven stages on the oil flow data, [UKR] 4.3
PAPER_THRESHOLDS = (0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005)
STEPS_PER_STAGE = 100
FIRST_VARIANCE = 0.01  # total variance of the start of the first stage

# The barrier's weight, relative to the error at the start of a stage. Seen on the oil flow data:
# at .001 the moves keep running into the border and a stage is over after ten steps; at 1 the
# points stay together whatever the error says.
BARRIER_SHARE = 0.1


class Frame(NamedTuple):
    """One step of a fit, as remembered in `history_`."""

    stage: str  # "start", "eta=0.5", ..., "descent"
    error: float  # the objective of the stage: R_cv, plus the barrier in the stages with an eta
    X: np.ndarray | None = None  # latent points, if recording was asked for


def homotopy(
    objective: Objective,
    X,
    kernel: DensityKernel = gaussian,
    thresholds=PAPER_THRESHOLDS,
    moves=STEPS_PER_STAGE,
) -> Iterator[tuple[float, Iterator[Step]]]:
    """Stages of falling density threshold, [UKR] 2.3 step 4: pairs (η, steps).

    Starts from X shrunk to nearly a point, where any η is satisfied and the model is the mean of
    the data, and lets it unfold as η falls. Each stage goes on from the best step of the one
    before, so its steps must have been read first. All its steps are feasible, exactly.
    """
    X = normalised(X) * np.sqrt(FIRST_VARIANCE / X.shape[1])
    for threshold in thresholds:
        best = Best()
        yield threshold, best.of(constrained(objective, X, kernel, threshold, moves))
        if best.step is not None:
            X = best.step.X


def constrained(objective: Objective, X, kernel, threshold, moves) -> Iterator[Step]:
    """RPROP on the objective (9): barrier inside, no move that leaves the feasible set."""
    X = back_into_feasible_set(X, threshold, kernel)
    weight = BARRIER_SHARE * objective(X)[0]
    pushed = with_barrier(objective, threshold, weight, kernel)
    inside = partial(is_feasible, threshold=threshold, kernel=kernel)
    return at_most(rprop(pushed, X, allowed=inside), moves)


def inside(descent, objective: Objective, X, threshold, kernel) -> Iterator[Step]:
    """Steps of any descent on (9) from a feasible X, with the errors of the objective alone.

    The barrier that pushes them is left out of what is told, so that the best step is the best
    model. A start on the border itself has no way along it: the first move is a little inwards.
    """
    yield Step(X, *objective(X))
    centre = X.mean(axis=0)
    X = centre + 0.95 * (X - centre)
    weight = BARRIER_SHARE * objective(X)[0]
    pushed = with_barrier(objective, threshold, weight, kernel)
    if descent is rprop:
        allowed = partial(is_feasible, threshold=threshold, kernel=kernel)
        steps = rprop(pushed, X, allowed=allowed)
    else:
        steps = descent(walled(pushed, threshold, kernel), X)
    for step in steps:
        yield Step(step.X, *objective(step.X))


def walled(objective: Objective, threshold, kernel: DensityKernel = gaussian) -> Objective:
    """The objective inside the feasible set, infinity outside.

    For descents that search along a line and never accept a rise: they stay inside by themselves.
    """

    def inside_only(X):
        if not is_feasible(X, threshold, kernel):
            return np.inf, np.zeros_like(X)
        return objective(X)

    return inside_only


def under(guidance: SpectralGuidance, descent, Y, q, groups=None):
    """The descent guided by the spectrum of the data, and how many moves its schedule takes.

    Before L-BFGS, whose memory must not mix filters, the guided moves are gradient descent's.

    Parameters
    ----------
    groups : array of labels, optional
        Points that must share one position, as in `tied`: after the filter, which keeps that up to
        rounding only.
    """
    schedule, later = guidance.stages(guidance.spectrum(Y), q)

    def free(descent):
        if groups is None:
            return descent
        return lambda objective, X0: descent(tied(objective, groups), X0)

    if descent is lbfgs:
        return guided(free(gradient_descent), schedule, finish=free(lbfgs)), len(schedule)
    return guided(free(descent), chain(schedule, later)), len(schedule)


def tied(objective: Objective, groups) -> Objective:
    """The objective for points that must share one position, such as equal rows of data.

    Each gets the mean gradient of its group, so equal positions stay equal under any descent.
    """

    def averaged(X):
        error, gradient = objective(X)
        return error, shared(gradient, groups)

    return averaged


def shared(X, groups):
    """Each row replaced by the mean of its group; groups are labelled 0, 1, 2, ..."""
    sizes = np.bincount(groups)
    means = [np.bincount(groups, x) / sizes for x in X.T]
    return np.stack(means, axis=1)[groups]
