"""Right and wrong answers to the exercise `homotopy_stage`, as learners write them."""

import numpy as np

from ukrlearn.blocks import descent
from ukrlearn.blocks.kernel_regression import latent_density
from ukrlearn.ukr.density_constraint import is_feasible, log_barrier
from ukrlearn.ukr.reconstruction import reconstruction_error


def _density(X):
    return np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2).mean(axis=1)


def growing_and_halving(X, Y, threshold):
    length = 0.5
    error, gradient = reconstruction_error(X, Y)
    for _ in range(60):
        move = -gradient / np.sqrt(np.mean(gradient**2))
        while length > 1e-6:
            there = reconstruction_error(X + length * move, Y)
            if latent_density(X + length * move, X + length * move).min() >= threshold:
                if there[0] < error:
                    break
            length *= 0.5
        else:
            return X
        X = X + length * move
        (error, gradient), length = there, 2 * length
    return X


def rprop_with_allowed(X, Y, threshold):
    allowed = lambda X: is_feasible(X, threshold)
    steps = descent.rprop(lambda X: reconstruction_error(X, Y), X, allowed=allowed)
    return descent.last(descent.best_so_far(descent.at_most(steps, 60))).X


def with_barrier_and_own_rprop(X, Y, threshold):
    weight = 0.1 * reconstruction_error(X, Y)[0]
    X, step, before = X.copy(), np.full(X.shape, 0.1), np.zeros(X.shape)
    best, best_error = X, reconstruction_error(X, Y)[0]
    for _ in range(60):
        g = reconstruction_error(X, Y)[1] + weight * log_barrier(X, threshold)[1]
        c = np.sign(g) * before
        step = np.clip(np.where(c > 0, 1.2 * step, np.where(c < 0, step / 2, step)), 1e-9, 10)
        before = np.where(c < 0, 0, np.sign(g))
        move = -before * step
        while _density(X + move).min() < threshold:
            move, step = move / 2, step / 2
        X += move
        if (error := reconstruction_error(X, Y)[0]) < best_error:
            best, best_error = X.copy(), error
    return best


def shrinking_back(X, Y, threshold):
    best, least = X, reconstruction_error(X, Y)[0]
    for k in range(100):
        gradient = reconstruction_error(X, Y)[1]
        X = X - 0.5 * 0.97**k * gradient / np.abs(gradient).max()
        centre = X.mean(axis=0)
        while _density(X).min() < threshold:
            X = centre + 0.98 * (X - centre)
        error = reconstruction_error(X, Y)[0]
        if error < least:
            best, least = X, error
    return best.astype(np.float64)


RIGHT = [growing_and_halving, rprop_with_allowed, with_barrier_and_own_rprop, shrinking_back]


def _walk(X, Y, accepts, moves=40, sign=-1, leave_one_out=True):
    for _ in range(moves):
        error, gradient = reconstruction_error(X, Y, leave_one_out=leave_one_out)
        for k in range(25):
            new = X + sign * gradient / np.abs(gradient).max() / 2**k
            lower = reconstruction_error(new, Y, leave_one_out=leave_one_out)[0] < error
            if lower and accepts(new, X):
                X = new
                break
    return X


def free(X, Y, threshold):
    return _walk(X, Y, lambda new, old: True)


def sum_for_mean(X, Y, threshold):
    K = lambda X: np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    return _walk(X, Y, lambda new, old: K(new).sum(axis=1).min() >= threshold)


def mean_density(X, Y, threshold):
    return _walk(X, Y, lambda new, old: _density(new).mean() >= threshold)


def looks_back(X, Y, threshold):
    for _ in range(200):
        gradient = reconstruction_error(X, Y)[1]
        if _density(X).min() < threshold:
            break
        X = X - 0.05 * gradient / np.abs(gradient).max()
    return X


def uphill(X, Y, threshold):
    return _walk(X, Y, lambda new, old: _density(new).min() >= threshold, sign=1)


def uphill_without_looking(X, Y, threshold):
    for _ in range(30):
        gradient = reconstruction_error(X, Y)[1]
        new = X + 0.2 * gradient / np.abs(gradient).max()
        if _density(new).min() >= threshold:
            X = new
    return X


def in_place(X, Y, threshold):
    for _ in range(60):
        gradient = reconstruction_error(X, Y)[1]
        move = -0.3 * gradient / np.abs(gradient).max()
        while _density(X + move).min() < threshold:
            move /= 2
        X += move
    return X


def all_in_one(X, Y, threshold):
    return np.zeros_like(X)


def shrinks(X, Y, threshold):
    while _density(X).min() < 2 * threshold:
        X = 0.9 * X
    return 0.9 * X


def stretches(X, Y, threshold):
    while _density(1.01 * X).min() >= threshold:
        X = 1.01 * (X - X.mean(axis=0))
    return X


def a_little(X, Y, threshold):
    return _walk(X, Y, lambda new, old: _density(new).min() >= threshold and _near(new, old), 5)


def _near(new, old):
    return np.abs(new - old).max() < 0.005


def the_start(X, Y, threshold):
    X_new = X.copy()
    _walk(X, Y, lambda new, old: _density(new).min() >= threshold)
    return X_new


def returns_nothing(X, Y, threshold):
    X = _walk(X, Y, lambda new, old: _density(new).min() >= threshold)


def for_ever(X, Y, threshold):
    gradient = reconstruction_error(X, Y)[1]
    while reconstruction_error(X, Y)[0] > 0:
        if _density(X - 0.1 * gradient).min() >= threshold:
            X = X - 0.1 * gradient
    return X


WRONG = [
    ("constraint_forgotten", free),
    ("constraint_forgotten", sum_for_mean),
    ("mean_obeys", mean_density),
    ("tested_too_late", looks_back),
    ("uphill", uphill),
    ("uphill", uphill_without_looking),
    ("changes_input", in_place),
    ("one_place", all_in_one),
    ("only_scaled", shrinks),
    ("only_scaled", stretches),
    ("too_little", a_little),
    ("start_returned", the_start),
    ("returns_nothing", returns_nothing),
    ("endless", for_ever),
]


# written with fresh eyes, from the exercise's text alone
def or_for_and(X, Y, threshold):
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        direction = -gradient / np.abs(gradient).max()
        for length in 0.5 ** np.arange(30):
            new = X + length * direction
            if _density(new).min() >= threshold or reconstruction_error(new, Y)[0] < error:
                X = new
                break
    return X


def takes_the_last_candidate(X, Y, threshold):
    for _ in range(60):
        error, gradient = reconstruction_error(X, Y)
        length = 1.0
        for _ in range(3):
            new = X - length * gradient / np.abs(gradient).max()
            if _density(new).min() >= threshold and reconstruction_error(new, Y)[0] < error:
                break
            length *= 0.5
        X = new
    return X


def shrinks_at_the_end(X, Y, threshold):
    for _ in range(100):
        gradient = reconstruction_error(X, Y)[1]
        X = X - 0.3 * gradient / np.abs(gradient).max()
    while _density(X).min() < threshold:
        X = 0.5 * X
    return X


def with_a_margin(X, Y, threshold):
    return _walk(X, Y, lambda new, old: _density(new).min() >= 0.95 * threshold, 60)


def wrong_way_round(X, Y, threshold):
    return _walk(X, Y, lambda new, old: _density(new).max() <= threshold)


def another_threshold(X, Y, threshold):
    threshold = 0.5
    return _walk(X, Y, lambda new, old: _density(new).min() >= threshold)


def density_of_the_data(X, Y, threshold):
    return _walk(X, Y, lambda new, old: _density(Y).min() >= threshold)


def compares_with_a_pair(X, Y, threshold):
    error, gradient = reconstruction_error(X, Y)
    new = X - gradient / np.abs(gradient).max()
    return new if reconstruction_error(new, Y) < error else X


WRONG += [
    ("one_test_suffices", or_for_and),
    ("accepted_anyway", takes_the_last_candidate),
    ("shrunk_after", shrinks_at_the_end),
    ("with_a_margin", with_a_margin),
    ("nothing_moved", wrong_way_round),
    ("nothing_moved", another_threshold),
    ("density_of_data", density_of_the_data),
    ("raises", compares_with_a_pair),
]
