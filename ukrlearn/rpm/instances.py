"""Known methods as instances of one alternation: examples 1 to 5 of [RPM], and k-planes.

Each is an iterator of steps (`quantization.Step`), and a choice of index set, class of maps and
cost. `ukrlearn.blocks.descent.at_most` or `quantization.until_settled` ends it.
"""

from functools import partial

import numpy as np
from sklearn.utils import check_random_state

from ukrlearn.rpm import adaptation, costs
from ukrlearn.rpm.index_sets import Labels, Space
from ukrlearn.rpm.maps import Affine, Codebook, Planes
from ukrlearn.rpm.quantization import in_metric, quantize


def mean(Y):
    """Example 1: one code, constants, squared cost."""
    return k_means(Y, 1)


def k_means(Y, k, cost=costs.squared, random_state=0):
    """Example 2: k codes, constants; the start is k of the points."""
    f = Codebook(_some(Y, k, random_state).astype(float))
    return quantize(Y, f, Labels(k), adaptation.fit_constants, cost)


def k_medians(Y, k, random_state=0):
    """Example 3: the same with the L1 cost (7)."""
    return k_means(Y, k, costs.l1, random_state)


def robust_k_means(Y, k, sigma, random_state=0):
    """Example 3: the same with Huber's cost (8)."""
    return k_means(Y, k, costs.huber(sigma), random_state)


def pca(Y, q, cost=costs.squared, random_state=0):
    """Example 4: codes in R^q, affine maps; the start is random directions."""
    random = check_random_state(random_state)
    f = Affine(Y.mean(axis=0), random.normal(size=(q, Y.shape[1])))
    return quantize(Y, f, Space(q), adaptation.fit_affine, cost)


def generalised_pca(Y, q, D, random_state=0):
    """Example 5: the same with the cost (y - f)ᵀ D⁻¹ (y - f), (10)."""
    return in_metric(D, partial(pca, q=q, random_state=random_state), Y)


def k_planes(Y, k, q, cost=costs.squared, random_state=0):
    """k-planes, or local PCA: k codes, planes of dimension q through k of the points."""
    random = check_random_state(random_state)
    centres = _some(Y, k, random).astype(float)
    directions = [np.linalg.qr(random.normal(size=(Y.shape[1], q)))[0].T for _ in range(k)]
    f = Planes(centres, np.array(directions))
    return quantize(Y, f, Labels(k), adaptation.fit_planes, cost)


def _some(Y, k, random_state):
    """k rows of Y, all different if Y has so many different rows."""
    different = np.unique(Y, axis=0)
    if len(different) < k:
        raise ValueError(f"k={k} codes need as many different points; there are {len(different)}.")
    chosen = check_random_state(random_state).permutation(len(different))[:k]
    return different[chosen]
