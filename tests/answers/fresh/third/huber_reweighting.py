"""Fresh answers to `huber_reweighting`."""
import numpy as np


def two_wheres(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    near = s <= sigma
    cost = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
    w = np.where(near, 1 / (2 * sigma), 1 / (2 * np.where(near, 1, s)))
    return cost, w, w @ Y / w.sum()


def loop(Y, f, sigma):
    cost, w, total = [], [], np.zeros(Y.shape[1])
    for y in Y:
        s = np.sqrt(np.sum((y - f) ** 2))
        if s <= sigma:
            cost.append(s * s / (2 * sigma))
            w.append(0.5 / sigma)
        else:
            cost.append(s - 0.5 * sigma)
            w.append(0.5 / s)
        total = total + w[-1] * y
    return np.array(cost), np.array(w), total / sum(w)


def smaller_and_larger(Y, f, sigma):
    s = np.hypot.reduce(Y - f, axis=1) if Y.shape[1] > 1 else np.abs(Y - f)[:, 0]
    small, large = np.minimum(s, sigma), np.maximum(s, sigma)
    cost = small * (s - small / 2) / sigma
    w = 0.5 / large
    return cost, w, np.average(Y, axis=0, weights=w)


def same_value_without_constant(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = np.full(len(Y), 1 / (2 * sigma))
    far = s > sigma
    w[far] = cost[far] / s[far] ** 2
    return cost, w, (w[:, None] * Y).sum(axis=0) / w.sum()


def slope_over_zero(Y, f, sigma):
    s = np.sqrt(((Y - f) ** 2).sum(axis=1))
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    slope = np.where(s <= sigma, s / sigma, 1.0)
    w = slope / (2 * s)
    centre = (w[:, None] * Y).sum(axis=0) / w.sum()
    return cost, w, centre


def row_times_matrix(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    centre = np.sum(w * Y, axis=0) / np.sum(w)
    return cost, w, centre


def until_nothing_moves(Y, f, sigma):
    centre = np.array(f, dtype=float)
    for _ in range(100):
        s = np.linalg.norm(Y - centre, axis=1)
        w = 1 / (2 * np.maximum(s, sigma))
        centre = w @ Y / w.sum()
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    return cost, w, centre


def linear_part_unshifted_centre_shifted(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s)
    w = np.where(s <= sigma, 1 / (2 * sigma), 1 / (2 * np.maximum(s, sigma)))
    centre = f + w @ Y / w.sum()
    return cost, w, centre


def full_slope_divided_by_n(Y, f, sigma):
    cost, w = np.zeros(len(Y)), np.zeros(len(Y))
    for n, y in enumerate(Y):
        s = np.linalg.norm(y - f)
        cost[n] = s**2 / (2 * sigma) if s <= sigma else s - sigma / 2
        w[n] = 1 / sigma if s <= sigma else 1 / s
    centre = (w[:, None] * Y).mean(axis=0)
    return cost, w, centre


RIGHT = [two_wheres, loop, smaller_and_larger]
WRONG = [
    (same_value_without_constant, ["takes the weights of far points from equal values, w s^2 = c(s), instead of equal slopes"]),
    (slope_over_zero, ["divides by the distance also where it is zero, so the weight of a point at the centre is not a number"]),
    (row_times_matrix, ["multiplies the weights (N,) with the data (N, d) without a new axis"]),
    (until_nothing_moves, ["repeats the step until it converges instead of taking one step from f"]),
    (linear_part_unshifted_centre_shifted, ["forgot the -sigma/2 in the cost of far points", "adds the weighted mean to the old centre"]),
    (full_slope_divided_by_n, ["forgot the 2 in 2 w s = c'(s), all weights are twice too large", "divides the weighted sum by the number of points instead of the sum of the weights"]),
]
