"""Fresh answers to `homotopy_stage`."""
import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.ukr.reconstruction import reconstruction_error


def right_halving(X, Y, threshold):
    X = np.array(X, dtype=float)
    for _ in range(80):
        error, gradient = reconstruction_error(X, Y)
        if np.abs(gradient).max() == 0:
            break
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-8:
            candidate = X + length * direction
            p = np.exp(-cdist(candidate, candidate, "sqeuclidean") / 2).mean(axis=1)
            if p.min() >= threshold and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
            length /= 2
    return X


def right_remembers_the_length(X, Y, threshold):
    def inside(Z):
        t = ((Z[:, None] - Z) ** 2).sum(axis=2)
        return bool(np.all(np.mean(np.exp(-t / 2), axis=1) >= threshold))

    here = X.copy()
    error, gradient = reconstruction_error(here, Y)
    length = 1.0
    for _ in range(400):
        size = np.abs(gradient).max()
        if size == 0 or length < 1e-10:
            break
        there = here - length * gradient / size
        if inside(there):
            new_error, new_gradient = reconstruction_error(there, Y)
            if new_error < error:
                here, error, gradient = there, new_error, new_gradient
                length = min(2 * length, 1.0)
                continue
        length = length / 2
    return here


def right_point_by_point_too(X, Y, threshold):
    def allowed(Z):
        return np.exp(-cdist(Z, Z, "sqeuclidean") / 2).mean(axis=1).min() >= threshold

    def first_good(Z, E, direction):
        for k in range(25):
            Z2 = Z + 0.5**k * direction
            if allowed(Z2) and reconstruction_error(Z2, Y)[0] < E:
                return Z2
        return None

    best = 1.0 * X
    for move in range(40):
        E, g = reconstruction_error(best, Y)
        if not np.any(g):
            return best
        new = first_good(best, E, -g / np.abs(g).max())
        if new is not None:
            best = new
        if move % 10 == 9:
            for n in range(len(best)):
                E, g = reconstruction_error(best, Y)
                if np.any(g[n]):
                    d = np.zeros_like(best)
                    d[n] = -g[n] / np.abs(g[n]).max()
                    new = first_good(best, E, d)
                    best = best if new is None else new
    return best


def mean_density_is_enough(X, Y, threshold):
    X = X.copy()
    for _ in range(80):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        for length in 0.5 ** np.arange(25):
            new = X + length * direction
            p = np.exp(-cdist(new, new, "sqeuclidean") / 2).mean(axis=1)
            if p.mean() >= threshold and reconstruction_error(new, Y)[0] < error:
                X = new
                break
    return X


def moves_the_callers_points(X, Y, threshold):
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-7:
            candidate = X + length * direction
            K = np.exp(-0.5 * ((candidate[:, None] - candidate) ** 2).sum(axis=2))
            if (K.mean(axis=1) >= threshold).all() and reconstruction_error(candidate, Y)[0] < error:
                X += length * direction
                break
            length /= 2
    return X


def checks_before_the_move(X, Y, threshold):
    X_new = X.copy()
    for _ in range(80):
        error, gradient = reconstruction_error(X_new, Y)
        p = np.exp(-cdist(X_new, X_new, "sqeuclidean") / 2).mean(axis=1)
        if np.any(p < threshold):
            break
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        for _ in range(25):
            candidate = X_new + length * direction
            if reconstruction_error(candidate, Y)[0] < error:
                X_new = candidate
                break
            length /= 2
    return X_new


def puts_outsiders_back(X, Y, threshold):
    X_new = X.copy()
    for _ in range(80):
        error, gradient = reconstruction_error(X_new, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-6:
            candidate = X_new + length * direction
            p = np.exp(-cdist(candidate, candidate, "sqeuclidean") / 2).mean(axis=1)
            outside = p < threshold
            candidate[outside] = X_new[outside]
            if reconstruction_error(candidate, Y)[0] < error:
                X_new = candidate
                break
            length /= 2
    return X_new


def uphill_with_sums(X, Y, threshold):
    Z = X.copy()
    for _ in range(60):
        error, gradient = reconstruction_error(Z, Y)
        direction = gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-6:
            new = Z + length * direction
            p = np.exp(-cdist(new, new, "sqeuclidean") / 2).sum(axis=1)
            if p.min() >= threshold and reconstruction_error(new, Y)[0] > error:
                Z = new
                break
            length /= 2
    return Z


def any_point_and_in_place(X, Y, threshold):
    for _ in range(80):
        error, gradient = reconstruction_error(X, Y)
        step = -gradient / np.abs(gradient).max()
        for k in range(25):
            candidate = X + step / 2**k
            p = np.exp(-cdist(candidate, candidate, "sqeuclidean") / 2).mean(axis=1)
            if np.any(p >= threshold) and reconstruction_error(candidate, Y)[0] < error:
                X[:] = candidate
                break
    return X


RIGHT = [right_halving, right_remembers_the_length, right_point_by_point_too]
WRONG = [
    (mean_density_is_enough, ["demands the threshold of the mean density only, not of every point"]),
    (moves_the_callers_points, ["moves the caller's X in place (+=) instead of a copy"]),
    (checks_before_the_move, ["checks the constraint at the points before the move instead of at the candidate, so the last move may lead outside"]),
    (puts_outsiders_back, ["puts only those points back that fell below the threshold, and does not check again: their densities also depend on the points that moved on"]),
    (uphill_with_sums, ["goes along the gradient (uphill) and accepts moves that raise the error", "compares the sum of the kernels instead of their mean with the threshold"]),
    (any_point_and_in_place, ["is content if any point obeys the constraint instead of all", "overwrites the caller's X"]),
]
