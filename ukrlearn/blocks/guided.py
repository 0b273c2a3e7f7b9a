"""Guided descents, which filter the gradient before each move, [SGD] 3.4."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import numpy as np

from ukrlearn.blocks.arguments import checked, function, shown
from ukrlearn.blocks.descent import declares, gradient_descent
from ukrlearn.blocks.sharing import together


def _filters(name, value):
    """Functions in a list, or an iterator over them."""
    listed = isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) == 1
    if not isinstance(value, Iterator) and not (listed and all(map(callable, value))):
        raise TypeError(f"{name} must be a list of functions or an iterator; got {shown(value)}.")
    return value


Map = Callable[[np.ndarray], np.ndarray]


@checked(descent=function, filters=_filters, finish=function)
def guided(descent, filters: Iterable[Map], finish=None):
    """A descent whose move k follows the gradient filtered by the k-th filter.

    When the filters are used up, moves follow the plain gradient. Any descent can be wrapped. Its
    steps then hold the guided gradient and the plain error of the objective. Line searches remain
    safe, because they never accept a rise. With RPROP, which uses only signs, the error may rise,
    guided or not: keep the best step.

    Parameters
    ----------
    filters : iterable of callables
        Gradient -> gradient. If the iterable never ends, every move is guided.
    finish : descent, optional
        Takes over after the last guided step. Quasi-Newton methods need it, because they must not
        mix gradients of different filters: `guided(gradient_descent, filters, finish=lbfgs)`.
    """

    def guided_descent(objective, X0):
        coming = iter(filters)
        present = [next(coming, None)]

        def bent(X):
            error, gradient = objective(X)
            return error, gradient if present[0] is None else present[0](gradient)

        for step in descent(bent, X0):
            if finish is not None and present[0] is None:
                yield from finish(objective, step.X)
            # The next move follows the gradient in this step. The gradients that it evaluates on
            # its way belong to the move after it, so the filter changes now.
            present[0] = next(coming, None)
            yield step

    return guided_descent


def guide_descent(guidance, descent, Y, q, groups=None):
    """The descent guided by the spectrum of the data, and the number of moves in its schedule.

    A descent that remembers past gradients must not mix gradients of different filters. For such a
    descent, gradient descent makes the guided moves, and the descent itself takes over afterwards.

    Parameters
    ----------
    guidance : SpectralGuidance
    groups : array of labels, optional
        Points with equal labels share one position. Their gradients are averaged after the filter,
        which would keep the points together only up to rounding.
    """
    schedule, later = guidance.stages(guidance.spectrum(Y), q)
    minimise = together(descent, groups)
    if declares(descent, "keeps_memory"):
        minimise = guided(together(gradient_descent, groups), schedule, finish=minimise)
    else:
        minimise = guided(minimise, chain(schedule, later))
    return minimise, len(schedule)
