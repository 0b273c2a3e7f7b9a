"""Objectives for points that must share one position, such as the points of equal rows of data."""

import numpy as np

from ukrlearn.blocks.descent import Objective


def share_positions(objective: Objective, groups) -> Objective:
    """The objective with the gradient averaged over each group of points.

    Points of one group that start at equal positions then stay together under any descent.
    """

    def averaged(X):
        error, gradient = objective(X)
        return error, group_means(gradient, groups)

    return averaged


def group_means(X, groups):
    """X with each row replaced by the mean of its group; groups are labelled 0, 1, 2, ..."""
    sizes = np.bincount(groups)
    means = [np.bincount(groups, x) / sizes for x in X.T]
    return np.stack(means, axis=1)[groups]
