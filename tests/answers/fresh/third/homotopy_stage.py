"""Fresh answers to `homotopy_stage`."""
import numpy as np
from ukrlearn.ukr.reconstruction import reconstruction_error


def least_density(X):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    return np.exp(-t / 2).mean(axis=1).min()


def stage_halving(X, Y, threshold):
    X = np.array(X, dtype=float)
    error, gradient = reconstruction_error(X, Y)
    for _ in range(80):
        size = np.abs(gradient).max()
        if size == 0:
            break
        direction = -gradient / size
        length = 1.0
        for _ in range(30):
            candidate = X + length * direction
            if least_density(candidate) >= threshold:
                new_error, new_gradient = reconstruction_error(candidate, Y)
                if new_error < error:
                    X, error, gradient = candidate, new_error, new_gradient
                    break
            length /= 2
        else:
            break
    return X


def stage_with_return(X, Y, threshold):
    """If a move leads out, the cloud is drawn together until it is inside again."""
    best = X.copy()
    for _ in range(120):
        error, gradient = reconstruction_error(best, Y)
        top = np.max(np.abs(gradient))
        if top < 1e-300:
            return best
        moved = False
        for k in range(25):
            trial = best - 0.5**k * gradient / top
            middle = trial.mean(axis=0)
            for _ in range(40):
                if least_density(trial) >= threshold:
                    break
                trial = middle + 0.97 * (trial - middle)
            if least_density(trial) >= threshold and reconstruction_error(trial, Y)[0] < error:
                best, moved = trial, True
                break
        if not moved:
            break
    return best


def stage_remembered_length(X, Y, threshold):
    """Lengths grow after a success, and points at the rim are held where they are."""

    def density(Z):
        return np.array([np.mean(np.exp(-0.5 * np.sum((Z - z) ** 2, axis=1))) for z in Z])

    Z, length = X * 1.0, 1.0
    error, gradient = reconstruction_error(Z, Y)
    for _ in range(300):
        step = -gradient / max(np.abs(gradient).max(), 1e-300)
        success = False
        for held in (False, True):
            if held:
                step = np.where((density(Z + length * step) < threshold)[:, None], 0.0, step)
            candidate = Z + length * step
            if np.all(density(candidate) >= threshold):
                e, g = reconstruction_error(candidate, Y)
                if e < error:
                    Z, error, gradient, success = candidate, e, g, True
                    break
        length = min(2 * length, 1.0) if success else length / 2
        if length < 1e-10:
            break
    return Z


def stage_mean_density(X, Y, threshold):
    X = X.copy()
    for _ in range(50):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        for k in range(20):
            new = X + direction / 2**k
            p = np.exp(-np.sum((new[:, None] - new) ** 2, axis=2) / 2).mean()
            if p >= threshold and reconstruction_error(new, Y)[0] < error:
                X = new
                break
    return X


def stage_in_place(X, Y, threshold):
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        length = 1.0
        while length > 1e-8:
            candidate = X + length * direction
            if least_density(candidate) >= threshold and reconstruction_error(candidate, Y)[0] < error:
                X += length * direction
                break
            length /= 2
    return X


def stage_array_in_if(X, Y, threshold):
    X_new = X.copy()
    for _ in range(40):
        error, gradient = reconstruction_error(X_new, Y)
        direction = -gradient / np.abs(gradient).max()
        for k in range(15):
            candidate = X_new + direction * 0.5**k
            t = np.sum((candidate[:, None] - candidate) ** 2, axis=2)
            density = np.exp(-t / 2).mean(axis=1)
            if density >= threshold and reconstruction_error(candidate, Y)[0] < error:
                X_new = candidate
                break
    return X_new


def stage_last_candidate(X, Y, threshold):
    current = X.copy()
    candidate = current
    for _ in range(60):
        error, gradient = reconstruction_error(current, Y)
        direction = -gradient / np.abs(gradient).max()
        for length in (1, 1 / 2, 1 / 4, 1 / 8, 1 / 16):
            candidate = current + length * direction
            if least_density(candidate) >= threshold and reconstruction_error(candidate, Y)[0] < error:
                current = candidate
                break
    return candidate


def stage_uphill(X, Y, threshold):
    X = X.copy()
    for _ in range(40):
        gradient = reconstruction_error(X, Y)[1]
        direction = gradient / np.abs(gradient).max()
        for k in range(20):
            candidate = X + direction / 2**k
            if least_density(candidate) >= threshold:
                X = candidate
                break
    return X


def stage_summed_density(X, Y, threshold):
    error, gradient = reconstruction_error(X, Y)
    for _ in range(50):
        direction = gradient / np.abs(gradient).max()
        for k in range(20):
            candidate = X - direction / 2**k
            density = np.sum(np.exp(-np.sum((candidate[:, None] - candidate) ** 2, axis=2) / 2), axis=1)
            new_error, new_gradient = reconstruction_error(candidate, Y)
            if density.min() >= threshold and new_error < error:
                X[:] = candidate
                error, gradient = new_error, new_gradient
                break
    return X


RIGHT = [stage_halving, stage_with_return, stage_remembered_length]
WRONG = [
    (stage_mean_density, ["asks that the mean of all densities is above the threshold, not the density of every point"]),
    (stage_in_place, ["moves the caller's X in place"]),
    (stage_array_in_if, ["compares the array of densities with the threshold in an if, without asking for all of them"]),
    (stage_last_candidate, ["returns the last candidate that was tried even if it was not accepted"]),
    (stage_uphill, ["moves along the gradient instead of against it", "does not ask whether the error has become smaller"]),
    (stage_summed_density, ["sums the kernel values for the density instead of taking their mean", "writes the accepted candidates into the caller's X"]),
]
