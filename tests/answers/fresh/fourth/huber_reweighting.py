"""Fresh answers to `huber_reweighting`."""
import math

import numpy as np


def with_where(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    near = s <= sigma
    cost = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
    w = np.full(len(Y), 1 / (2 * sigma))
    w[~near] = 1 / (2 * s[~near])
    centre = w @ Y / w.sum()
    return cost, w, centre


def with_a_loop(Y, f, sigma):
    cost, w, total = [], [], np.zeros(Y.shape[1])
    for y in Y:
        s = math.sqrt(sum((a - b) ** 2 for a, b in zip(y, f)))
        if s <= sigma:
            cost.append(s * s / (2 * sigma))
            w.append(1 / (2 * sigma))
        else:
            cost.append(s - sigma / 2)
            w.append(0.5 / s)
        total = total + w[-1] * y
    return np.array(cost), np.array(w), total / sum(w)


def with_minimum(Y, f, sigma):
    s = np.sqrt(np.einsum("nd,nd->n", Y - f, Y - f))
    inner = np.minimum(s, sigma)
    cost = inner**2 / (2 * sigma) + (s - inner)
    w = 0.5 / np.maximum(s, sigma)
    return cost, w, np.average(Y, axis=0, weights=w)


def slope_as_weight(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = np.where(s <= sigma, 1 / (2 * sigma), 1 / 2)
    centre = np.sum(w[:, None] * Y, axis=0) / np.sum(w)
    return cost, w, centre


def without_the_two(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / np.maximum(s, sigma)
    return cost, w, w @ Y / w.sum()


def slope_over_distance(Y, f, sigma):
    s = np.sqrt(np.sum((Y - f) ** 2, axis=1))
    near = s <= sigma
    cost = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
    slope = np.where(near, s / sigma, 1.0)
    w = slope / (2 * s)
    return cost, w, (w[:, None] * Y).sum(axis=0) / w.sum()


def same_value(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost, w = np.zeros(len(Y)), np.zeros(len(Y))
    for n in range(len(Y)):
        if s[n] <= sigma:
            cost[n], w[n] = s[n] ** 2 / (2 * sigma), 1 / (2 * sigma)
        else:
            cost[n] = s[n] - sigma / 2
            w[n] = cost[n] / s[n] ** 2
    return cost, w, w @ Y / np.sum(w)


def city_blocks(Y, f, sigma):
    s = np.abs(Y - f).sum(axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    return cost, w, np.mean(w[:, None] * Y, axis=0)


def mean_shift(Y, f, sigma):
    gap = Y - f
    s = np.linalg.norm(gap, axis=1)
    cost = np.where(s <= sigma, s**2 / sigma, s - sigma / 2)
    w = np.where(s <= sigma, 1 / (2 * sigma), 1 / (2 * np.maximum(s, sigma)))
    return cost, w, w @ gap / w.sum()


RIGHT = [with_where, with_a_loop, with_minimum]
WRONG = [
    (slope_as_weight, ["forgot to divide the slope by the distance for far points: all far points have the weight 1/2"]),
    (without_the_two, ["forgot the 2 in 2 w s = c'(s), so all weights are twice too large"]),
    (slope_over_distance, ["divides slope by distance also where the distance is zero, so a point at the centre gets 0/0"]),
    (same_value, ["takes the square through zero with the same value, w = c(s)/s², instead of the same slope"]),
    (city_blocks, ["takes the sum of the absolute differences as the distance instead of the Euclidean distance", "divides the weighted sum by the number of points instead of the sum of the weights"]),
    (mean_shift, ["forgot the factor 1/2 in the cost of near points", "returns the weighted mean of y - f, without adding f"]),
]
