"""Networks with one layer of basis functions: the maps f and F of [DRUR].

The networks are Gaussian RBF networks, (13)-(17), and perceptrons with one hidden layer, (18)-(20).
Each network is a frozen record that can be called as a function on N positions. It also computes
its Jacobian, so Gauss-Newton can invert it. Fitting is ordinary supervised regression in batches,
so that memory does not grow with N.
"""

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from scipy.special import expit
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from ukrlearn.blocks.descent import at_most, best_so_far, last, lbfgs
from ukrlearn.blocks.units import Units

BATCH = 4096  # rows at a time
MULTIPLES = (2, 3, 4, 6, 8, 12)  # widths to try, in units of the centres' spacing
CLUSTERED = 5000  # the most points that k-means and the choice of widths use
ROUNDING = 1e-26  # a basis function with a smaller variance counts as constant
FOLDS = 5  # for cross-validation


def batches(N):
    """Slices of at most `BATCH` rows."""
    return (slice(start, min(start + BATCH, N)) for start in range(0, N, BATCH))


# Radial basis functions


@dataclass(frozen=True)
class RBFNetwork:
    """f(x) = Σ_m w_m φ_m(x) + w with φ_m(x) = exp(-|x - μ_m|² / 2σ²), [DRUR] (13)."""

    centres: np.ndarray  # μ, (M, q)
    width: float  # σ
    W: np.ndarray  # (M, d)
    bias: np.ndarray  # w, (d,)

    def __call__(self, x):
        """f at positions x (N, q): (N, d)."""
        f = np.empty((len(x), len(self.bias)))
        for rows in batches(len(x)):
            f[rows] = basis(x[rows], self.centres, self.width) @ self.W + self.bias  # (13)
        return f

    def with_jacobian(self, x):
        """f at positions x (N, q), and its Jacobian (N, d, q), (17), from one product."""
        N, q = x.shape
        d = len(self.bias)
        sums = basis(x, self.centres, self.width) @ self._products
        f = sums[:, :d]
        J = np.empty((N, d, q))
        for axis in range(q):  # Σ_m w_m φ_m (μ_m - x) / σ²
            of_axis = sums[:, (axis + 1) * d : (axis + 2) * d]
            J[:, :, axis] = (of_axis - x[:, axis, None] * f) / self.width**2
        return f + self.bias, J

    def second_derivatives(self, x, along):
        """Σ_k r_k ∇²f_k(x) at positions x (N, q), for directions r in data space (N, d): (N, q, q).

        With r = y - f(x) it is (10), the part of the Hessian (9) that Gauss-Newton leaves out.
        """
        apart = self.centres - x[:, None]
        part = basis(x, self.centres, self.width) * (along @ self.W.T) / self.width**2
        bent = np.einsum("nm,nmq,nmr->nqr", part, apart, apart) / self.width**2
        return bent - part.sum(axis=1)[:, None, None] * np.eye(x.shape[1])

    def reduced(self, Y):
        """A network and data with at most M columns and the same |y - f(x)|², up to a constant.

        No x can reach the part of y that is orthogonal to the columns of Wᵀ. With Wᵀ = Q R, the
        rest is |Qᵀ(y - w) - R φ(x)|², so for d > M the cost of a projection does not depend on d.
        """
        if len(self.bias) <= len(self.W):
            return self, Y
        W, inside = _within_columns(self.W, Y, self.bias)
        return RBFNetwork(self.centres, self.width, W, np.zeros(len(W))), inside

    @cached_property
    def _products(self):
        """[W, μ_1 * W, ..., μ_q * W], (M, (q + 1) d)."""
        return np.column_stack([self.W, *(mu[:, None] * self.W for mu in self.centres.T)])


def basis(x, centres, width):
    """φ_m(x), (N, M), with width σ."""
    t = cdist(x, centres, "sqeuclidean")
    t /= -2 * width**2
    return np.exp(t, out=t)


def fit_rbf(X, Y, centres, width, penalty) -> RBFNetwork:
    """The weights that minimise Σ_n |y_n - f(x_n)|² + λ tr(Wᵀ K W), [DRUR] (14)-(16), λ = penalty.

    Departures: K holds φ_m(μ_m'), the kernel matrix of the centres. Taken literally, G_xx of the
    paper is the identity matrix, which gives plain ridge regression. And (16) is solved for centred
    features: the solution is the same, but the printed form loses digits.
    """
    N, M = len(X), len(centres)
    # Subtracting the mean of the first batch keeps the digits: it is close to the overall mean.
    shift = basis(X[:BATCH], centres, width).mean(axis=0)
    mean_y = Y.mean(axis=0)
    A, B, total = np.zeros((M, M)), np.zeros((M, Y.shape[1])), np.zeros(M)
    for rows in batches(N):
        P = basis(X[rows], centres, width) - shift
        A += P.T @ P
        B += P.T @ (Y[rows] - mean_y)
        total += P.sum(axis=0)
    A -= np.outer(total, total) / N  # completes the centring; Y is centred already
    A += penalty * basis(centres, centres, width)
    W = _solve(A, B, N)  # (16)
    return RBFNetwork(centres, width, W, mean_y - (shift + total / N) @ W)  # (15)


def _solve(A, B, N):
    """A⁻¹ B for a positive semidefinite A; if it is nearly singular, the minimum-norm solution."""
    W = np.zeros_like(B)
    varying = np.flatnonzero(np.diagonal(A) > ROUNDING * N)  # constants get no weight
    A, B = A[np.ix_(varying, varying)], B[varying]
    if len(varying) == 0:
        return W
    scale = np.sqrt(np.diagonal(A))
    A, B = A / scale / scale[:, None], B / scale[:, None]
    try:
        factor = cho_factor(A)
        pivots = np.diagonal(factor[0])
        if pivots.min() > 1e-6 * pivots.max():  # the condition is below about 1e12
            W[varying] = cho_solve(factor, B) / scale[:, None]
            return W
    except LinAlgError:
        pass
    values, V = np.linalg.eigh(A)
    kept = values > 1e-12 * values[-1]
    V = V[:, kept]
    W[varying] = V @ ((V.T @ B) / values[kept, None]) / scale[:, None]
    return W


def cluster_centres(X, M, previous=None, seed=0):
    """M centres by k-means: the best of 20 starts, or continued from the previous centres.

    At most 5000 points are used. If at most M of them differ, each is a centre; if rounding cannot
    tell points apart, there are fewer than M centres.
    """
    some = X[:: -(-len(X) // CLUSTERED)]
    different = np.unique(some, axis=0)
    if len(different) <= M:
        return different
    start = dict(init="random", n_init=20) if previous is None else dict(init=previous, n_init=1)
    with warnings.catch_warnings():
        # Points may be so close that k-means treats them as one. Fewer centres are enough then.
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(M, random_state=seed, **start).fit(some).cluster_centers_
    return np.unique(found, axis=0)  # the centre of an empty cluster may coincide with another


def spacing(centres):
    """The mean distance from a centre to the nearest other centre; 1 if there is only one."""
    if len(centres) < 2:
        return 1.0
    distance, _ = cKDTree(centres).query(centres, 2)
    return float(distance[:, 1].mean())


def best_width(X, Y, centres, penalty, seed=0, multiples=MULTIPLES, slack=0):
    """The width, a multiple of the centres' spacing, that best predicts held-out points.

    Parameters
    ----------
    slack : float
        In standard errors. Among the widths whose error is within this slack of the smallest, the
        widest is chosen. Use it if X comes from an earlier fit: narrow widths repeat its ripples.
    """
    unit = spacing(centres)
    some = np.random.RandomState(seed).permutation(len(X))[:CLUSTERED]
    if len(some) < 2:
        return unit * multiples[0]
    folds = np.array_split(some, min(FOLDS, len(some)))

    def errors(multiple):
        squares = []
        for k, held_out in enumerate(folds):
            rest = np.concatenate(folds[:k] + folds[k + 1 :])
            f = fit_rbf(X[rest], Y[rest], centres, unit * multiple, penalty)
            squares.append(np.sum((Y[held_out] - f(X[held_out])) ** 2, axis=1))
        return np.concatenate(squares)

    of_each = [errors(multiple) for multiple in multiples]
    return unit * widest_within_slack(of_each, multiples, slack)


def widest_within_slack(errors, widths, slack):
    """The greatest width whose mean error is at most `slack` standard errors above the smallest.

    errors[k] holds the errors of all points at width k.
    """
    excess = errors - min(errors, key=np.mean)
    tolerated = slack * excess.std(axis=1) / np.sqrt(excess.shape[1])
    return max(np.compress(excess.mean(axis=1) <= tolerated, widths))


# Perceptrons


@dataclass(frozen=True)
class Perceptron:
    """f(x) = W2 s(W1 x + b1) + b2 with s(a) = 1 / (1 + exp(-a)), [DRUR] (18).

    Departure: the paper prints s without the minus sign.
    """

    W1: np.ndarray  # (q, H)
    b1: np.ndarray  # (H,)
    W2: np.ndarray  # (H, d)
    b2: np.ndarray  # (d,)

    def __call__(self, x):
        """f at positions x (N, q): (N, d)."""
        f = np.empty((len(x), len(self.b2)))
        for rows in batches(len(x)):
            f[rows] = expit(x[rows] @ self.W1 + self.b1) @ self.W2 + self.b2  # (18)
        return f

    def with_jacobian(self, x):
        """f at positions x (N, q), and its Jacobian (N, d, q), (20)."""
        s = expit(x @ self.W1 + self.b1)
        slope = s * (1 - s)
        J = np.stack([(slope * w) @ self.W2 for w in self.W1], axis=-1)  # (20)
        return s @ self.W2 + self.b2, J

    def reduced(self, Y):
        """As for `RBFNetwork`."""
        if len(self.b2) <= len(self.W2):
            return self, Y
        W2, inside = _within_columns(self.W2, Y, self.b2)
        return Perceptron(self.W1, self.b1, W2, np.zeros(len(W2))), inside


def _within_columns(W, Y, bias):
    """R and Qᵀ(y - w), where Wᵀ = Q R: the part of the data that the last layer can reach."""
    Q, R = np.linalg.qr(W.T)
    inside = np.empty((len(Y), len(W)))
    for rows in batches(len(Y)):
        inside[rows] = (Y[rows] - bias) @ Q
    return R.T, inside


def fit_perceptron(X, Y, hidden, penalty, previous=None, moves=100, seed=0) -> Perceptron:
    """Minimise Σ_n |y_n - f(x_n)|² + λ (|W1|² + |W2|²) by backpropagation and L-BFGS, λ = penalty.

    Inputs and outputs are scaled to variance one, so that random initial weights suit all data.
    Training continues from `previous` if it is given.
    """
    inputs, outputs = Units.by_deviation(X), Units.by_deviation(Y)
    x, y = inputs.into(X), outputs.into(Y)
    shape = x.shape[1], hidden, y.shape[1]
    if previous is None:
        random = np.random.RandomState(seed)
        theta = random.normal(size=sum(_sizes(shape))) / np.sqrt(max(x.shape[1], 1))
        theta[: shape[0] * hidden] *= 2  # steep enough for the hidden units to vary over the data
    else:
        theta = _flat(_in_units(previous, inputs, outputs))
    steps = lbfgs(lambda theta: squared_error(theta, x, y, shape, penalty), theta)
    best = last(best_so_far(at_most(steps, moves)))
    return _out_of_units(_layers(best.X, shape), inputs, outputs)


def squared_error(theta, X, Y, shape, penalty):
    """Σ_n |y_n - f(x_n)|² + λ (|W1|² + |W2|²) and its gradient, [DRUR] below (18)."""
    W1, b1, W2, b2 = _layers(theta, shape)
    error = penalty * (np.vdot(W1, W1) + np.vdot(W2, W2))
    to_W1, to_b1 = 2 * penalty * W1, np.zeros_like(b1)
    to_W2, to_b2 = 2 * penalty * W2, np.zeros_like(b2)
    for rows in batches(len(X)):
        s = expit(X[rows] @ W1 + b1)
        residual = Y[rows] - (s @ W2 + b2)
        error += np.vdot(residual, residual)
        back = s * (1 - s) * (residual @ W2.T)
        to_W2 -= 2 * s.T @ residual
        to_b2 -= 2 * residual.sum(axis=0)
        to_W1 -= 2 * X[rows].T @ back
        to_b1 -= 2 * back.sum(axis=0)
    return error, _flat((to_W1, to_b1, to_W2, to_b2))


def _sizes(shape):
    q, hidden, d = shape
    return q * hidden, hidden, hidden * d, d


def _layers(theta, shape):
    q, hidden, d = shape
    W1, b1, W2, b2 = np.split(theta, np.cumsum(_sizes(shape))[:-1])
    return W1.reshape(q, hidden), b1, W2.reshape(hidden, d), b2


def _flat(layers):
    return np.concatenate([np.ravel(part) for part in layers])


def _out_of_units(layers, inputs, outputs):
    W1, b1, W2, b2 = layers
    W1 = W1 / inputs.factor
    return Perceptron(
        W1, b1 - inputs.mean @ W1, W2 * outputs.factor, b2 * outputs.factor + outputs.mean
    )


def _in_units(network, inputs, outputs):
    W1, b1 = network.W1 * inputs.factor, network.b1 + inputs.mean @ network.W1
    return W1, b1, network.W2 / outputs.factor, (network.b2 - outputs.mean) / outputs.factor
