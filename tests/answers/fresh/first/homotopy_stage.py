"""Fresh answers to `homotopy_stage`."""
import numpy as np
from scipy.spatial.distance import cdist
from ukrlearn.ukr.reconstruction import reconstruction_error


def densities(X):
    return np.exp(-cdist(X, X, "sqeuclidean") / 2).mean(axis=1)


def halving(X, Y, threshold):
    X = X.copy()
    for _ in range(80):
        error, gradient = reconstruction_error(X, Y)
        if not np.any(gradient):
            break
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-6:
            candidate = X + length * direction
            inside = np.all(densities(candidate) >= threshold)
            if inside and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
            length /= 2
        else:
            moved = False
            for n in np.argsort(-np.linalg.norm(gradient, axis=1)):
                for length in 0.5 ** np.arange(8):
                    candidate = X.copy()
                    candidate[n] += length * direction[n] / max(np.abs(direction[n]).max(), 1e-12)
                    if densities(candidate).min() >= threshold and reconstruction_error(candidate, Y)[0] < error:
                        X, moved = candidate, True
                        error = reconstruction_error(X, Y)[0]
                        break
            if not moved:
                break
    return X


def with_barrier(X, Y, threshold):
    N = len(X)
    X = np.array(X, dtype=float)
    best, best_error = X, reconstruction_error(X, Y)[0]
    barrier = 0.1 * best_error

    def value(X):
        slack = densities(X) - threshold
        if slack.min() <= 0:
            return np.inf
        return reconstruction_error(X, Y)[0] - barrier * np.mean(np.log(slack))

    if densities(X).min() <= threshold * (1 + 1e-9):
        X = X.mean(axis=0) + 0.97 * (X - X.mean(axis=0))
    step = 1.0
    for k in range(160):
        slack = densities(X) - threshold
        K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
        w = 1 / slack
        pull = K * (w[:, None] + w) / N**2
        down = reconstruction_error(X, Y)[1] + barrier * (pull.sum(axis=1)[:, None] * X - pull @ X)
        if np.abs(down).max() == 0:
            break
        down = down / np.abs(down).max()
        now, step = value(X), min(2 * step, 2.0)
        while step > 1e-7 and not value(X - step * down) < now:
            step /= 2
        if step > 1e-7:
            X = X - step * down
        if step <= 1e-7 or k % 8 == 7:
            barrier *= 0.5
            step = max(step, 1e-2)
        error = reconstruction_error(X, Y)[0]
        if error < best_error and densities(X).min() >= threshold:
            best, best_error = X.copy(), error
    return best.copy()


def own_speeds(X, Y, threshold):
    """Every point has a step length of its own, as in RPROP; moves that leave the domain are taken back."""

    def inside(X):
        t = np.sum((X[:, None] - X) ** 2, axis=2)
        return np.mean(np.exp(-t / 2), axis=1).min() >= threshold

    places, speed = X.astype(float), np.full(X.shape, 0.2)
    error, gradient = reconstruction_error(places, Y)
    for _ in range(150):
        candidate = places - speed * np.sign(gradient)
        new_error, new_gradient = reconstruction_error(candidate, Y)
        if inside(candidate) and new_error < error:
            speed = np.where(np.sign(new_gradient) == np.sign(gradient), speed * 1.3, speed * 0.5)
            places, error, gradient = candidate, new_error, new_gradient
            continue
        for n in range(len(X)):
            candidate = places.copy()
            candidate[n] -= speed[n] * np.sign(gradient[n])
            if inside(candidate) and (new := reconstruction_error(candidate, Y)[0]) < error:
                places, error = candidate, new
                speed[n] *= 1.2
            else:
                speed[n] *= 0.4
        speed = np.maximum(speed, 1e-5)
        gradient = reconstruction_error(places, Y)[1]
    return places


def on_average_inside(X, Y, threshold):
    X = X.copy()
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        for _ in range(20):
            candidate = X + length * direction
            if densities(candidate).mean() >= threshold and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
            length /= 2
    return X


def moves_the_caller(X, Y, threshold):
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        for _ in range(20):
            candidate = X + length * direction
            if densities(candidate).min() >= threshold and reconstruction_error(candidate, Y)[0] < error:
                X += length * direction
                break
            length /= 2
    return X


def looks_back(X, Y, threshold):
    X = np.copy(X)
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-6:
            candidate = X + length * direction
            if (densities(X) >= threshold).all() and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
            length = length / 2
    return X


def each_row_its_length(X, Y, threshold):
    X = X.copy()
    for _ in range(40):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max(axis=1)
        length = 1.0
        while length > 1e-5:
            candidate = X + length * direction
            if densities(candidate).min() >= threshold and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
            length /= 2
    return X


def with_the_gradient(X, Y, threshold):
    new = X.copy()
    for _ in range(50):
        gradient = reconstruction_error(new, Y)[1]
        direction = gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-3 and np.any(densities(new + length * direction) < threshold):
            length /= 2
        if length > 1e-3:
            new = new + length * direction
    return new


def sums_in_place(X, Y, threshold):
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        for _ in range(20):
            candidate = X + length * direction
            p = np.exp(-cdist(candidate, candidate, "sqeuclidean") / 2).sum(axis=1)
            if (p >= threshold).all() and reconstruction_error(candidate, Y)[0] < error:
                X[:] = candidate
                break
            length /= 2
    return X


RIGHT = [halving, with_barrier, own_speeds]
WRONG = [
    (on_average_inside, ["checks only the mean density, so that single points leave the domain"]),
    (moves_the_caller, ["moves the caller's latent points in place"]),
    (looks_back, ["checks the density at the old places instead of at the candidate's"]),
    (each_row_its_length, ["divides by the greatest entry of each row without keeping the axis"]),
    (with_the_gradient, ["walks along plus the gradient, uphill", "does not ask whether the error of a candidate is lower"]),
    (sums_in_place, ["adds up the kernels without dividing by N, so the threshold is far too low", "overwrites the caller's latent points"]),
]
