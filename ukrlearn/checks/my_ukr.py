"""Unsupervised kernel regression, from my own answers to the exercises.

A number in brackets is an equation of [UKR], the steps are those of its section
2.3. Data Y (N, d) and latent points X (N, q) have one point in each row.

    X, f, F = fit(Y)                 a curve; fit(Y, 2) for a surface
    python my_ukr.py my.csv          prints X for a table with a line of names
"""

import sys

import numpy as np
from scipy.optimize import minimize
from sklearn.manifold import Isomap

# ---- My answers ----


def weighted_mean(x, X, Y, h):
    raise NotImplementedError("weighted_mean is missing: pass exercise 1, nadaraya_watson.")


def density(x, X, h):
    raise NotImplementedError("density is missing: pass exercise 2, latent_density.")


def leave_one_out_error(X, Y):
    raise NotImplementedError("leave_one_out_error is missing: pass exercise 7, leave_one_out.")


def gradient_as_matrix(X, Y):
    raise NotImplementedError("gradient_as_matrix is missing: pass exercise 10, gradient_matrix.")


def rprop_step(gradient, previous, step):
    raise NotImplementedError("rprop_step is missing: pass exercise 11, rprop.")


def log_likelihood(X, h):
    raise NotImplementedError("log_likelihood is missing: pass exercise 12, scale_by_likelihood.")


def places(Y_new, grid, X, Y, threshold):
    raise NotImplementedError("places is missing: pass exercise 13, projection.")


# ---- Given ----


def start(Y, q):
    """The best of six spectral starts, each at its best scale, steps 1 to 3."""
    starts = [Isomap(n_components=q, n_neighbors=K).fit_transform(Y) for K in (5, 6, 7, 8, 10, 14)]
    starts = [X / X.std(axis=0) for X in starts]
    with np.errstate(divide="ignore"):  # for a small h, a point may have density 0
        h = max(np.geomspace(0.02, 1, 9), key=lambda h: log_likelihood(starts[0], h))

    def at_best_scale(X):
        error = lambda factors: leave_one_out_error(X * factors / h, Y) / Y.var()
        found = minimize(error, np.ones(q), method="Nelder-Mead")
        return found.fun, X * found.x / h

    return min(map(at_best_scale, starts), key=lambda found: found[0])[1]


def descend(X, Y, moves):
    """The best X on the way downhill, step 5."""
    path, step, previous = [X], np.full(X.shape, 0.1), np.zeros(X.shape)
    for _ in range(moves):
        gradient = gradient_as_matrix(path[-1], Y)
        move, step = rprop_step(gradient, previous, step)
        previous = np.where(move == 0, 0, gradient)
        path.append(path[-1] + move)
    return min(path, key=lambda X: leave_one_out_error(X, Y))


def fit(Y, q=1, moves=300):
    """Latent points, the way back f(x), and the places F(y) of new points."""
    X = descend(start(Y, q), Y, moves)
    sides = np.linspace(X.min(axis=0), X.max(axis=0), 1000 if q == 1 else 40)
    grid = np.stack(np.meshgrid(*sides.T), axis=-1).reshape(-1, q)
    threshold = density(X, X, 1.0).min()  # step 6
    f = lambda x: weighted_mean(x, X, Y, 1.0)
    return X, f, lambda new: places(new, grid, X, Y, threshold)


if __name__ == "__main__":
    X, f, F = fit(np.loadtxt(sys.argv[1], delimiter=",", skiprows=1, ndmin=2))
    np.savetxt(sys.stdout, X, fmt="%.5f")
