"""Baselines for [DRUR]: the autoencoder (19) and the GPLVM.

Both are small, dense implementations for comparison only.

The autoencoder has the f and F of [DRUR] but no latent points of its own: x = F(y) by definition,
so its objective

    E(f, F) = Σ_n |y_n - f(F(y_n))|² + λ (squared weights)                     (19)

is (1) with its second term forced to zero. It starts from the same two regressions. It cannot move
one point and leave its neighbours in place, because all errors pass through both networks.

The Gaussian process latent variable model (Lawrence, 2005) has latent points and f, but no F. It is
UKR's closest relative: in both, only X is free (plus a few kernel parameters), and f follows from X
in closed form.

- The mean of the process is f(x) = k(x)ᵀ K⁻¹ Y with K = s² exp(-γ/2 |x_n - x_m|²) + noise on the
  diagonal: the inverse removes from each weight what other points already contribute. UKR's f(x) =
  Σ_n K(x - x_n) y_n / Σ_m K(x - x_m) only divides by a sum. Evaluating the objective takes time N³
  for the process and N² for UKR.
- UKR's weights are positive and sum to one, so f stays within the convex hull of the data. The
  weights of the process can have either sign, and far from all points its f returns to the mean of
  the data.
- Both models could rebuild each point from itself alone, with all x far apart. Leaving points out,
  or a bound on the density, prevents it in UKR. The GPLVM maximises a likelihood, and log det K
  prevents it: points far apart make K diagonal, and no matrix with this diagonal has a larger
  determinant. The prior on X matters less, and while γ is free it bounds nothing (see
  `gplvm_error`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.spatial.distance import cdist
from scipy.special import expit

from ukrlearn.blocks.descent import at_most, lbfgs, rprop
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.networks import Perceptron, batches, fit_perceptron

# For data with variance one. Without a floor, noise-free data would have an unbounded likelihood.
LEAST_NOISE = 1e-6
MOST_LOG = 100.0  # for variance one; with greater parameters K could overflow
FIRST_PARAMETERS = (0.0, 0.0, -2.0)  # log s², log γ, log noise, for X and Y with variance one
PLACING = 60  # RPROP moves for each new point


class BaselineStep(NamedTuple):
    """The current state of a baseline in training."""

    X: np.ndarray  # (N, q)
    error: float  # the objective
    f: "Perceptron | GaussianProcess"
    F: Perceptron | None  # None for the GPLVM


# The autoencoder


def autoencoder_error(theta, Y, shape, penalty=0.0):
    """Σ_n |y_n - f(F(y_n))|² + λ (squared weights) and its gradient, [DRUR] (19), λ = penalty.

    Parameters
    ----------
    theta : array
        W1, b1, W2, b2 of F, followed by those of f.
    shape : (int, int, int)
        d, the number of hidden units of each network, and q.

    Returns
    -------
    error : float
    gradient : array like theta
    """
    F, f = autoencoder_networks(theta, shape)
    weights = [F.W1, F.W2, f.W1, f.W2]
    error = penalty * sum(np.vdot(W, W) for W in weights)
    gradient = np.zeros_like(theta)
    for rows in batches(len(Y)):
        y = Y[rows]
        s = expit(y @ F.W1 + F.b1)
        x = s @ F.W2 + F.b2  # (18) for F
        r = expit(x @ f.W1 + f.b1)
        residual = r @ f.W2 + f.b2 - y  # (18) for f
        error += np.vdot(residual, residual)  # (19)
        of_f, to_x = _pulled_back(f, x, r, 2 * residual)
        of_F, _ = _pulled_back(F, y, s, to_x)
        gradient += flat(of_F, of_f)
    none = np.zeros_like
    of_F = 2 * penalty * F.W1, none(F.b1), 2 * penalty * F.W2, none(F.b2)
    of_f = 2 * penalty * f.W1, none(f.b1), 2 * penalty * f.W2, none(f.b2)
    return float(error), gradient + flat(of_F, of_f)


def _pulled_back(network, inputs, s, to_outputs):
    """Gradients with respect to layers and inputs, given the gradient with respect to outputs."""
    back = s * (1 - s) * (to_outputs @ network.W2.T)
    layers = inputs.T @ back, back.sum(axis=0), s.T @ to_outputs, to_outputs.sum(axis=0)
    return layers, back @ network.W1.T  # Jᵀ of (20) times to_outputs


def autoencoder_networks(theta, shape):
    """F and f with these weights."""
    d, hidden, q = shape
    shapes = [(d, hidden), (hidden,), (hidden, q), (q,), (q, hidden), (hidden,), (hidden, d), (d,)]
    ends = np.cumsum([np.prod(one) for one in shapes])
    parts = np.split(theta, ends[:-1])
    layers = [part.reshape(one) for part, one in zip(parts, shapes, strict=True)]
    return Perceptron(*layers[:4]), Perceptron(*layers[4:])


def flat(of_F, of_f):
    """The layers of F and f as one vector."""
    return np.concatenate([np.ravel(part) for part in (*of_F, *of_f)])


def autoencoder(X, Y, hidden, penalty) -> Iterator[BaselineStep]:
    """Train by L-BFGS, without end, starting from F fitted to (Y, X) and f to (X, Y), [DRUR] 3.

    Even in the first step X = F(Y), because an autoencoder has no other latent points.
    """
    shape = Y.shape[1], hidden, X.shape[1]
    F, f = fit_perceptron(Y, X, hidden, penalty), fit_perceptron(X, Y, hidden, penalty)
    theta = flat((F.W1, F.b1, F.W2, F.b2), (f.W1, f.b1, f.W2, f.b2))
    for step in lbfgs(lambda theta: autoencoder_error(theta, Y, shape, penalty), theta):
        F, f = autoencoder_networks(step.X, shape)
        yield BaselineStep(F(Y), step.error, f, F)


# The Gaussian process latent variable model


def gplvm_error(X, Y, log_parameters, prior=1.0):
    """-log p(Y | X) - prior log p(X), with gradients with respect to X and the log parameters.

    d/2 log|K| + 1/2 tr(K⁻¹ Y Yᵀ) + d N/2 log 2π + prior/2 Σ_n |x_n|²
    with K_nm = s² exp(-γ/2 |x_n - x_m|²) + δ_nm noise. Not in [DRUR]: Lawrence, 2005.

    Parameters
    ----------
    Y : array of shape (N, d)
        Centred, because the process has mean zero and no bias.
    log_parameters : (float, float, float)
        log s², log γ and log noise, where the noise is a variance.
    prior : float
        1 for normally distributed latent points, 0 for the likelihood alone.

    Returns
    -------
    error : float
        Infinite if K is numerically singular, or if a parameter exceeds e^100.
    gradient : pair of arrays
        (N, q) with respect to X, and (3,) with respect to log_parameters.

    Notes
    -----
    The likelihood depends only on γ |x_n - x_m|². If γ is free, shrinking X while γ grows lowers
    the prior term without end: in one fit, X had a seventh of its size after 3000 moves. As with
    [DRUR] (1), only the shape of X is meaningful.
    """
    N, d = Y.shape
    nowhere = np.inf, (np.zeros_like(X), np.zeros(3))
    if not np.max(log_parameters) < MOST_LOG:  # a line search tries such parameters
        return nowhere
    scale, gamma, noise = np.exp(log_parameters)
    t = cdist(X, X, "sqeuclidean")
    k = scale * np.exp(-gamma / 2 * t)
    try:
        L = cho_factor(k + noise * np.eye(N), lower=True)
    except LinAlgError:
        return nowhere
    inverse = cho_solve(L, np.eye(N))
    A = inverse @ Y
    error = d * np.log(np.diagonal(L[0])).sum() + np.vdot(A, Y) / 2 + d * N / 2 * np.log(2 * np.pi)
    error += prior / 2 * np.vdot(X, X)
    slope = (d * inverse - A @ A.T) / 2  # with respect to the entries of K
    S = slope * k
    to_X = -2 * gamma * (S.sum(axis=1, keepdims=True) * X - S @ X) + prior * X
    to_logs = np.array([S.sum(), -gamma / 2 * np.vdot(S, t), noise * np.trace(slope)])
    return float(error), (to_X, to_logs)


def gplvm(X, Y) -> Iterator[BaselineStep]:
    """L-BFGS on all latent points and the three kernel parameters together, without end.

    X and Y must have variance one, and Y must be centred. `LEAST_NOISE` is added to the noise.
    """
    shape = X.shape

    def parts(theta):
        s, gamma, noise = theta[-3:]
        return theta[:-3].reshape(shape), np.array(
            [s, gamma, np.logaddexp(noise, np.log(LEAST_NOISE))]
        )

    def objective(theta):
        X, logs = parts(theta)
        error, (to_X, to_logs) = gplvm_error(X, Y, logs)
        to_logs[2] *= np.exp(theta[-1] - logs[2])
        return error, np.concatenate([to_X.ravel(), to_logs])

    for step in lbfgs(objective, np.concatenate([X.ravel(), FIRST_PARAMETERS])):
        X, logs = parts(step.X)
        yield BaselineStep(X, step.error, GaussianProcess(X, Y, *np.exp(logs).tolist()), None)


@dataclass(frozen=True)
class GaussianProcess:
    """f(x) = k(x)ᵀ K⁻¹ Y, the mean of a Gaussian process given X and Y, and its variance."""

    X: np.ndarray  # (N, q)
    Y: np.ndarray  # (N, d), centred
    scale: float  # s²
    gamma: float
    noise: float

    def __call__(self, x):
        """f at positions x (M, q): (M, d)."""
        f = np.empty((len(x), self.Y.shape[1]))
        for rows in row_blocks(len(x), len(self.X)):
            f[rows] = self.covariances(x[rows]) @ self.solved
        return f

    def covariances(self, x):
        """k(x, x_n), (M, N)."""
        return self.scale * np.exp(-self.gamma / 2 * cdist(x, self.X, "sqeuclidean"))

    @cached_property
    def inverse(self):
        """K⁻¹, (N, N)."""
        K = self.covariances(self.X) + self.noise * np.eye(len(self.X))
        return cho_solve(cho_factor(K, lower=True), np.eye(len(K)))

    @cached_property
    def solved(self):
        """K⁻¹ Y, (N, d)."""
        return self.inverse @ self.Y


def placing_error(x, Y, f: GaussianProcess, prior=1.0):
    """-log p(y | x, X, Y) - prior log p(x) for each pair of rows (x, y), and its gradient in x.

    d/2 log(2π v) + |y - f(x)|² / 2v + prior/2 |x|² with v = s² + noise - k(x)ᵀ K⁻¹ k(x).
    A new pair adds this amount to `gplvm_error` if X stays fixed.

    Returns
    -------
    errors : array of shape (M,)
    gradient : array of shape (M, q)
    """
    d = Y.shape[1]
    k = f.covariances(x)
    solved_k = _row_by_row(k, f.inverse)
    v = np.maximum(f.scale + f.noise - np.vecdot(solved_k, k), f.noise)  # less is rounding
    residual = Y - _row_by_row(k, f.solved)
    squares = np.vecdot(residual, residual)
    errors = d / 2 * np.log(2 * np.pi * v) + squares / (2 * v) + prior / 2 * np.vecdot(x, x)
    by_v = d / (2 * v) - squares / (2 * v**2)
    by_k = -_row_by_row(residual / v[:, None], f.solved.T) - 2 * by_v[:, None] * solved_k
    S = by_k * k
    gradient = -f.gamma * (S.sum(axis=1, keepdims=True) * x - _row_by_row(S, f.X)) + prior * x
    return errors, gradient


def _row_by_row(A, B):
    """A @ B, with each row of A multiplied by itself.

    One product of all rows rounds a row differently if there are other rows. In a search of many
    moves, such differences grow, and the position of a new point would depend on the batch.
    """
    return (A[:, None] @ B)[:, 0]


def place(Y, f: GaussianProcess, prior=1.0, moves=PLACING):
    """The most likely positions of new data, (M, q), found by a search because there is no F.

    Each row starts at the training point where it is most likely, and RPROP improves its position
    independently of the other rows. The result is the best position found.
    """
    size = float(np.sqrt(np.mean(f.X.var(axis=0)))) or 1.0
    steps = dict(first_step=0.1 * size, least_step=1e-7 * size, most_step=size)
    x = np.empty((len(Y), f.X.shape[1]))
    for rows in row_blocks(len(Y), len(f.X)):
        found = f.X[_likeliest(Y[rows], f, prior)]
        least = np.full(len(found), np.inf)

        def objective(x, y=Y[rows], found=found, least=least):
            errors, gradient = placing_error(x, y, f, prior)
            better = errors < least
            found[better], least[better] = x[better], errors[better]
            return errors.sum(), gradient

        for _ in at_most(rprop(objective, found.copy(), backtrack=False, **steps), moves):
            pass
        x[rows] = found
    return x


def _likeliest(Y, f, prior):
    """For each row of Y, the index of the training point with the smallest `placing_error`."""
    solved_k = f.covariances(f.X) @ f.inverse
    v = np.maximum(f.scale + f.noise - np.vecdot(solved_k, f.covariances(f.X)), f.noise)
    constant = Y.shape[1] / 2 * np.log(v) + prior / 2 * np.vecdot(f.X, f.X)
    errors = cdist(Y, f(f.X), "sqeuclidean") / (2 * v) + constant
    return np.argmin(errors, axis=1)
