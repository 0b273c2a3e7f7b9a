"""Fresh answers to `homotopy_stage`."""
import numpy as np
from scipy.spatial.distance import cdist
from ukrlearn.ukr.reconstruction import reconstruction_error


def _p(X):
    return np.exp(-cdist(X, X, "sqeuclidean") / 2).mean(axis=1)


def right_halving(X, Y, threshold):
    X = np.array(X, dtype=float)
    for _ in range(80):
        error, gradient = reconstruction_error(X, Y)
        biggest = np.abs(gradient).max()
        if biggest == 0:
            break
        length = 1.0
        while length > 1e-12:
            candidate = X - length * gradient / biggest
            if (_p(candidate) >= threshold).all() and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
            length /= 2
    return X


def right_growing_and_shrinking_step(X, Y, threshold):
    here, step = X.copy(), 0.5
    error, gradient = reconstruction_error(here, Y)
    for _ in range(400):
        if not np.any(gradient) or step < 1e-14:
            break
        there = here - step * gradient / np.abs(gradient).max()
        K = np.exp(-0.5 * np.sum((there[:, None] - there) ** 2, axis=2))
        if np.min(K.sum(axis=1) / len(X)) < threshold:
            step /= 2
            continue
        e, g = reconstruction_error(there, Y)
        if e < error:
            here, error, gradient, step = there, e, g, step * 1.7
        else:
            step /= 2
    return here


def right_all_then_single_points(X, Y, threshold):
    def allowed(Z):
        return all(np.exp(-np.sum((Z - z) ** 2, axis=1) / 2).sum() / len(Z) >= threshold for z in Z)

    def move(Z, direction, halvings):
        error = reconstruction_error(Z, Y)[0]
        for k in range(halvings):
            other = Z + 0.5**k * direction
            if allowed(other) and reconstruction_error(other, Y)[0] < error:
                return other
        return Z

    Z = 1.0 * X
    for _ in range(50):
        g = reconstruction_error(Z, Y)[1]
        if np.abs(g).max() == 0:
            return Z
        Z = move(Z, -g / np.abs(g).max(), 30)
    g = reconstruction_error(Z, Y)[1]
    for n in range(len(Z)):
        if np.abs(g[n]).max() > 0:
            alone = np.zeros_like(Z)
            alone[n] = -g[n] / np.abs(g[n]).max()
            Z = move(Z, alone, 12)
    return Z


def others_only_density(X, Y, threshold):
    X = X.copy()
    N = len(X)
    for _ in range(60):
        e, g = reconstruction_error(X, Y)
        d = -g / np.abs(g).max()
        step = 1.0
        for _ in range(30):
            new = X + step * d
            K = np.exp(-0.5 * np.sum((new[:, None] - new) ** 2, axis=2))
            np.fill_diagonal(K, 0)
            p = K.sum(axis=1) / N
            if np.all(p >= threshold) and reconstruction_error(new, Y)[0] < e:
                X = new
                break
            step /= 2
    return X


def stragglers_stay_behind(X, Y, threshold):
    X = X.copy()
    for _ in range(60):
        e, g = reconstruction_error(X, Y)
        for k in range(20):
            candidate = X - 0.5**k * g / np.abs(g).max()
            K = np.exp(-np.sum((candidate[:, None] - candidate) ** 2, axis=2) / 2)
            inside = K.mean(axis=1) >= threshold
            candidate = np.where(inside[:, None], candidate, X)
            if reconstruction_error(candidate, Y)[0] < e:
                X = candidate
                break
    return X


def truth_of_an_array(X, Y, threshold):
    X_new = np.copy(X)
    for i in range(40):
        err, grad = reconstruction_error(X_new, Y)
        direction = -grad / np.abs(grad).max()
        length = 1
        while length > 1e-6:
            trial = X_new + length * direction
            t = np.sum((trial[:, None] - trial) ** 2, axis=2)
            p = np.mean(np.exp(-t / 2), axis=1)
            if p >= threshold and reconstruction_error(trial, Y)[0] < err:
                X_new = trial
                break
            length = length / 2
    return X_new


def checked_before_the_move(X, Y, threshold):
    Z = X.copy()
    for _ in range(50):
        error, gradient = reconstruction_error(Z, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        for _ in range(30):
            K = np.exp(-np.sum((Z[:, None] - Z) ** 2, axis=2) / 2)
            inside = np.all(K.mean(axis=1) >= threshold)
            if inside and reconstruction_error(Z + length * direction, Y)[0] < error:
                Z = Z + length * direction
                break
            length *= 0.5
    return Z


def mean_density_in_place(X, Y, threshold):
    for _ in range(60):
        error, g = reconstruction_error(X, Y)
        step = 1.0
        while step > 1e-8:
            new = X - step * g / np.abs(g).max()
            density = np.exp(-np.sum((new[:, None] - new) ** 2, axis=2) / 2).mean()
            if density >= threshold and reconstruction_error(new, Y)[0] < error:
                X[:] = new
                break
            step /= 2
    return X


def uphill_and_no_look_at_error(X, Y, threshold):
    X = np.array(X)
    for _ in range(30):
        error, gradient = reconstruction_error(X, Y)
        length = 1.0
        while length > 1e-5:
            candidate = X + length * gradient / np.abs(gradient).max()
            if _p(candidate).min() >= threshold:
                X = candidate
                break
            length /= 2
    return X


RIGHT = [right_halving, right_growing_and_shrinking_step, right_all_then_single_points]
WRONG = [
    (others_only_density, ["leaves each point out of its own density, so the domain is too small and a start near its border never moves"]),
    (stragglers_stay_behind, ["puts only the points that would be outside back to their old places and does not check the density of the mixture again"]),
    (truth_of_an_array, ["uses an array as a condition instead of asking whether all points are inside (raises)"]),
    (checked_before_the_move, ["checks the density of the present points instead of the candidate's"]),
    (mean_density_in_place, ["checks only the mean density instead of every point's", "changes the caller's X in place"]),
    (uphill_and_no_look_at_error, ["moves along the gradient instead of against it", "accepts a move without checking that the error falls"]),
]
