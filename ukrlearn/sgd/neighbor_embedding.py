"""Stochastic neighbour embedding: match neighbour probabilities of data and X, [SGD] 2.1.

Each point chooses another point as its neighbour, near points more often than distant ones. P holds
the probabilities in data space, and Q(X) those in latent space. The objective is the mean
Kullback-Leibler divergence between the rows of P and Q. `ukrlearn.explicit.matrices.sgd` has (1) to
(4) in the paper's form, one statement for each equation. Here Q is computed one block of rows at a
time.

Every descent that minimises UKR's error can also minimise this objective.
"""

from functools import partial

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import xlogy

from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.springs import Springs


def neighbor_probabilities(Y, h=1.0, with_itself=True):
    """P_ij = exp(-|y_i - y_j|² / h) / Σ_k exp(-|y_i - y_k|² / h), [SGD] (1).

    Parameters
    ----------
    Y : array of shape (N, d)
    h : float
        Bandwidth, which divides squared distances.
    with_itself : bool
        Whether a point may choose itself. The sums in [SGD] allow it; the first paper on SNE does
        not.

    Returns
    -------
    P : array of shape (N, N)
        Rows sum to one.

    Examples
    --------
    >>> neighbor_probabilities(np.array([[0.0], [1.0], [5.0]]), with_itself=False).round(3)
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    P = np.empty((len(Y), len(Y)))
    for rows in row_blocks(len(Y), len(Y)):
        P[rows] = _softmax_of_distances(Y, rows, h, with_itself)[0]
    return P


def neighbor_embedding_error(X, P, with_itself=True):
    """E(X) = 1/N Σ_i Σ_j P_ij log(P_ij / Q_ij(X)), [SGD] (3), with its gradient (4).

    Parameters
    ----------
    X : array of shape (N, q)
        Latent points.
    P : array of shape (N, N)
        Probabilities (1); rows sum to one.
    with_itself : bool
        Whether a point may choose itself; it must be the same as for P.

    Returns
    -------
    error : float
    gradient : array of shape (N, q)

    Notes
    -----
    log Q = -t - log Σ exp(-t) is computed in this form and not as the logarithm of Q, which may
    have underflowed. So the error is finite, however far apart the points are.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [3.0]])
    >>> error, gradient = neighbor_embedding_error(X, neighbor_probabilities(X))
    >>> round(error, 12)
    0.0
    """
    return _error_and_gradient(X, P, _negative_entropy(P), with_itself)


def objective(Y, h=1.0, with_itself=True):
    """X -> (E(X), gradient) for data Y, as a descent needs it."""
    return objective_of(neighbor_probabilities(Y, h, with_itself), with_itself)


def objective_of(P, with_itself=True):
    """`objective` for given probabilities P. Their entropy does not depend on X: computed once."""
    constant = _negative_entropy(P)
    return partial(_error_and_gradient, P=P, negative_entropy=constant, with_itself=with_itself)


def _error_and_gradient(X, P, negative_entropy, with_itself):
    """(3) and (4), where Σ_j P_ij log Q_ij = -Σ_j P_ij t_ij - log Σ_k exp(-t_ik)."""
    N = len(X)
    springs = Springs.between(X - X.mean(axis=0))  # far from the origin, digits would be lost
    error = negative_entropy
    for rows in row_blocks(N, N):
        Q, t, log_total = _softmax_of_distances(X, rows, 1.0, with_itself)
        error += np.vdot(P[rows], t) + log_total.sum()
        Q -= P[rows]
        springs.add(rows, Q)
    return max(float(error / N), 0.0), 2 / N * springs.forces()  # (3), (4)


def _negative_entropy(P):
    """Σ_ij P_ij log P_ij, with 0 log 0 = 0."""
    return float(xlogy(P, P).sum())


def _softmax_of_distances(X, rows, h, with_itself):
    """For a block of rows: probabilities (1), t = |x_i - x_j|² / h, and log Σ_k exp(-t_ik)."""
    t = cdist(X[rows], X, "sqeuclidean")
    t /= h
    itself = np.arange(len(t)), np.arange(rows.start, rows.stop)
    if not with_itself:
        t[itself] = np.inf
    nearest = t.min(axis=1, keepdims=True)
    probabilities = np.exp(nearest - t)
    total = probabilities.sum(axis=1, keepdims=True)
    probabilities /= total
    t[itself] = 0  # was infinite if points may not choose themselves; P is zero there
    return probabilities, t, np.log(total[:, 0]) - nearest[:, 0]
