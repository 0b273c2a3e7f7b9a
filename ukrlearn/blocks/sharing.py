"""Points that must share one position, such as the points of equal rows of data.

`groups` labels the points 0, 1, 2, ..., equal for points that share; None if no two points do.
"""

import numpy as np

from ukrlearn.blocks.descent import Objective, passing_on_traits, step_at


def share_positions(objective: Objective, groups) -> Objective:
    """The objective with the gradient averaged over each group of points."""

    def averaged(X):
        error, gradient = objective(X)
        return error, group_means(gradient, groups)

    return averaged


def together(descent, groups):
    """The descent from the means of all groups, by averaged gradients, so that no group separates.

    If a group does, as under a descent of the user, its mean takes its place, with its own error.
    """
    if groups is None:
        return descent

    def shared_descent(objective, X0, **options):
        objective = share_positions(objective, groups)
        for step in descent(objective, group_means(X0, groups), **options):
            X = group_means(step.X, groups)
            yield step if np.array_equal(X, step.X) else step_at(objective, X)

    return passing_on_traits(descent, shared_descent)


def group_means(X, groups):
    """X with each row replaced by the mean of its group; rows that agree already stay as they are.

    >>> group_means(np.array([[1.0], [5.0], [3.0]]), np.array([0, 1, 0])).ravel()
    array([2., 5., 2.])
    """
    if groups is None:
        return X
    first = of_first_member(X, groups)
    apart = X - first  # zero if they agree, so that no digit is lost
    sizes = np.bincount(groups)
    means = [np.bincount(groups, x) / sizes for x in apart.T]
    return first + np.stack(means, axis=1)[groups]


def of_first_member(X, groups):
    """X with each row replaced by the first row of its group."""
    return X if groups is None else X[np.unique(groups, return_index=True)[1][groups]]
