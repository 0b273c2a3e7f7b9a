"""Points that must share one position, such as those of equal rows of data."""

import numpy as np

from ukrlearn.blocks.descent import Objective


def share_positions(objective: Objective, groups) -> Objective:
    """The objective for points that must share one position, such as equal rows of data.

    Each gets the mean gradient of its group, so equal positions stay equal under any descent.
    """

    def averaged(X):
        error, gradient = objective(X)
        return error, group_means(gradient, groups)

    return averaged


def group_means(X, groups):
    """Each row replaced by the mean of its group; groups are labelled 0, 1, 2, ..."""
    sizes = np.bincount(groups)
    means = [np.bincount(groups, x) / sizes for x in X.T]
    return np.stack(means, axis=1)[groups]
