"""Descents whose gradients pass through a filter before each move, [SGD] 3.4."""

from collections.abc import Callable, Iterable
from itertools import chain

import numpy as np

from ukrlearn.blocks.descent import declares, gradient_descent
from ukrlearn.blocks.sharing import share_positions

Map = Callable[[np.ndarray], np.ndarray]


def guided(descent, filters: Iterable[Map], finish=None):
    """The descent that follows guided gradients: move k the k-th filter's, then the plain one's.

    Wraps any descent; the steps that it yields hold the guided gradient, the errors are those of
    the objective. Line searches, which never accept a rise, stay safe with it. RPROP looks at signs
    only and may rise, guided or not: keep the best step.

    Parameters
    ----------
    filters : iterable of callables
        Gradient -> gradient; for ever if it never ends.
    finish : descent, optional
        Takes over from the last guided step. For quasi-Newton methods, which must not mix
        gradients of different filters: `guided(gradient_descent, filters, finish=lbfgs)`.
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
            # The next move follows the gradient that stands in the last step; the points that it
            # tries get the gradient for the move after it.
            present[0] = next(coming, None)
            yield step

    return guided_descent


def guide_descent(guidance, descent, Y, q, groups=None):
    """The descent guided by the spectrum of the data, and how many moves its schedule takes.

    A descent that keeps a memory of gradients must not mix those of different filters: gradient
    descent makes its guided moves, and the descent itself takes over after them.

    Parameters
    ----------
    guidance : SpectralGuidance
    groups : array of labels, optional
        Points that must share one position. They are averaged after the filter, which alone would
        keep them together only up to rounding.
    """
    schedule, later = guidance.stages(guidance.spectrum(Y), q)

    def with_shared_positions(descent):
        if groups is None:
            return descent
        return lambda objective, X0: descent(share_positions(objective, groups), X0)

    if declares(descent, "keeps_memory"):
        guided_moves = with_shared_positions(gradient_descent)
        minimise = guided(guided_moves, schedule, finish=with_shared_positions(descent))
    else:
        minimise = guided(with_shared_positions(descent), chain(schedule, later))
    return minimise, len(schedule)
