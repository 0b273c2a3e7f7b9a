"""The homotopy: a model unfolds while the density threshold falls, [UKR] 2.3 step 4."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.descent import Best, Objective, Step, at_most, declares, rprop, step_at
from ukrlearn.blocks.scales import normalised
from ukrlearn.ukr.density_constraint import back_into_feasible_set, is_feasible, with_barrier

# η of the seven stages on the oil flow data, [UKR] 4.3
PAPER_THRESHOLDS = (0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005)
STEPS_PER_STAGE = 100
FIRST_VARIANCE = 0.01  # total variance of X at the start of the first stage

# The barrier's weight, relative to the error at the start of a stage. On the oil flow data, .001 is
# too small: moves keep hitting the border, and a stage is over after ten steps. With 1 the points
# stay together, whatever the error.
BARRIER_SHARE = 0.1


def homotopy_stages(
    objective: Objective,
    X,
    kernel: DensityKernel = gaussian,
    thresholds=PAPER_THRESHOLDS,
    moves=STEPS_PER_STAGE,
) -> Iterator[tuple[float, Iterator[Step]]]:
    """Stages of falling density threshold, [UKR] 2.3 step 4: pairs (η, steps).

    The first stage starts from X shrunk almost to a point, where every η is satisfied and the model
    is the mean of the data. The model then unfolds as η falls. Each stage continues from the best
    step of the stage before, so read all steps of a stage before asking for the next. All steps
    satisfy the constraint exactly.
    """
    X = normalised(X) * np.sqrt(FIRST_VARIANCE / X.shape[1])
    for threshold in thresholds:
        best = Best()
        yield threshold, best.of(constrained(objective, X, kernel, threshold, moves))
        if best.step is not None:
            X = best.step.X


def constrained(objective: Objective, X, kernel, threshold, moves) -> Iterator[Step]:
    """RPROP on the objective (9) with a barrier; no move leaves the feasible set."""
    X = back_into_feasible_set(X, threshold, kernel)
    weight = BARRIER_SHARE * objective(X)[0]
    pushed = with_barrier(objective, threshold, weight, kernel)
    inside = partial(is_feasible, threshold=threshold, kernel=kernel)
    return at_most(rprop(pushed, X, allowed=inside), moves)


def descend_inside(descent, objective: Objective, X, threshold, kernel) -> Iterator[Step]:
    """Steps of any descent on (9) from a feasible X, with the errors of the plain objective.

    The descent follows the objective plus a barrier, but the steps report the objective alone, so
    that the best step is the best model. From a start on the border, most moves would be forbidden;
    X is therefore moved a little inwards first.
    """
    yield step_at(objective, X)
    centre = X.mean(axis=0)
    X = centre + 0.95 * (X - centre)
    weight = BARRIER_SHARE * objective(X)[0]
    pushed = with_barrier(objective, threshold, weight, kernel)
    if declares(descent, "takes_allowed"):
        allowed = partial(is_feasible, threshold=threshold, kernel=kernel)
        steps = descent(pushed, X, allowed=allowed)
    else:
        steps = descent(infinite_outside(pushed, threshold, kernel), X)
    for step in steps:
        yield step_at(objective, step.X)


def infinite_outside(
    objective: Objective, threshold, kernel: DensityKernel = gaussian
) -> Objective:
    """The objective inside the feasible set, and infinity outside.

    Descents with a line search that never accepts a rise then stay inside.
    """

    def inside_only(X):
        if not is_feasible(X, threshold, kernel):
            return np.inf, np.zeros_like(X)
        return objective(X)

    return inside_only
