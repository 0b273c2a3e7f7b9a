"""Mercer kernels k on data, and their Gram matrices.

They are not density kernels, as [UKR] footnote 3 points out: K of `density_kernels` makes a density
in latent space, whereas k is an inner product of data in some feature space. A Mercer kernel is any
callable ``k(Y, Z) -> (N, M)``, and can be passed as `UKR(data_kernel=...)`.
"""

import numpy as np
from scipy.spatial.distance import cdist


def linear(Y, Z=None):
    """⟨y, z⟩ for all pairs, shape (N, M): feature space is data space.

    Examples
    --------
    >>> linear(np.array([[1.0, 2.0], [0.0, 1.0]]))
    array([[5., 2.],
           [2., 1.]])
    """
    return Y @ (Y if Z is None else Z).T


def l1(Y, Z=None):
    """½ (|y|₁ + |z|₁ - |y - z|₁), [UKR] (17): its feature space measures L1 distances.

    Squared distances in feature space equal L1 distances of the data (18). The kernel is positive
    definite by appendix C, since it is (37) applied to -|y - z|₁, which is conditionally positive
    definite, with y₀ = 0.

    Examples
    --------
    >>> l1(np.array([[1.0, -2.0], [2.0, 1.0]]))
    array([[3., 1.],
           [1., 3.]])
    """
    Z = Y if Z is None else Z
    size_y, size_z = np.abs(Y).sum(axis=1), np.abs(Z).sum(axis=1)
    return (size_y[:, None] + size_z - cdist(Y, Z, "cityblock")) / 2  # (17)


def gaussian(Y, Z=None, width=1.0):
    """exp(-|y - z|² / (2 width²)) for all pairs."""
    return np.exp(cdist(Y, Y if Z is None else Z, "sqeuclidean") / (-2 * width**2))


def squared_distances(G, own, own_other=None):
    """|Φ(y) - Φ(z)|² = k(y, y) - 2 k(y, z) + k(z, z) from a (cross) Gram matrix, [UKR] (18).

    Parameters
    ----------
    G : array of shape (N, M)
        k(y_n, z_m).
    own, own_other : arrays of shape (N,) and (M,)
        k(y_n, y_n) and k(z_m, z_m). For a square Gram matrix, both are its diagonal.
    """
    own_other = own if own_other is None else own_other
    return np.maximum(own[:, None] - 2 * G + own_other, 0)  # rounding may fall below zero


def positive_definite_from_conditional(C, reference=0):
    """½ (C_nm - C_n0 - C_0m + C_00), [UKR] (37): a positive definite Gram matrix.

    Parameters
    ----------
    C : array of shape (N, N)
        k̃(y_n, y_m) of a conditionally positive definite kernel, for example -|y_n - y_m|₁.
    reference : int
        The row that plays the role of y₀. Its image becomes the origin of feature space.
    """
    to_reference = C[:, [reference]]
    return (C - to_reference - to_reference.T + C[reference, reference]) / 2  # (37)


def centred(G):
    """H G H with H = I - 11ᵀ/N: the Gram matrix of the centred features.

    Centring does not change UKR's errors, since the rows of B - I sum to zero. For the same reason,
    conditionally positive definite kernels may be used as well ([UKR], section 3).
    """
    means = G.mean(axis=0)
    return G - means - means[:, None] + means.mean()


by_name = {"linear": linear, "l1": l1}
