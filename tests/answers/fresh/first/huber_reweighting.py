"""Fresh answers to `huber_reweighting`."""
import numpy as np


def with_where(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    near = s <= sigma
    cost = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
    w = np.where(near, 1 / (2 * sigma), 1 / (2 * np.where(near, 1, s)))
    centre = (w[:, None] * Y).sum(axis=0) / w.sum()
    return cost, w, centre


def point_by_point(Y, f, sigma):
    cost, w = [], []
    for y in Y:
        s = np.sqrt(np.sum((y - f) ** 2))
        if s <= sigma:
            cost.append(s * s / (2 * sigma))
            w.append(0.5 / sigma)
        else:
            cost.append(s - sigma / 2)
            w.append(0.5 / s)
    return np.array(cost), np.array(w), np.average(Y, axis=0, weights=w)


def clipped(Y, f, sigma):
    s = np.hypot.reduce(Y - f, axis=1)
    inside = np.minimum(s, sigma)
    cost = inside * (s - inside / 2) / sigma
    w = 0.5 / np.maximum(s, sigma)
    share = w / w.sum()
    return cost, w, share @ Y


def without_the_two(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = np.full(len(Y), 1 / (2 * sigma))
    far = s > sigma
    w[far] = 1 / s[far]
    return cost, w, w @ Y / w.sum()


def same_value(Y, f, sigma):
    s = np.sqrt(((Y - f) ** 2).sum(axis=1))
    cost = s - sigma / 2
    w = np.zeros(len(s))
    for n in range(len(s)):
        if s[n] <= sigma:
            cost[n] = s[n] ** 2 / (2 * sigma)
            w[n] = 1 / (2 * sigma)
        else:
            w[n] = cost[n] / s[n] ** 2
    return cost, w, np.average(Y, weights=w, axis=0)


def slope_over_distance(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, 0.5 * s**2 / sigma, s - 0.5 * sigma)
    slope = np.minimum(s / sigma, 1)
    w = slope / (2 * s)
    centre = np.sum(w[:, None] * Y, axis=0) / np.sum(w)
    return cost, w, centre


def w_times_Y(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    centre = (w * Y).sum(axis=0) / w.sum()
    return cost, w, centre


def slope_is_weight(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    near = s <= sigma
    cost = s - sigma
    cost[near] = s[near] ** 2 / (2 * sigma)
    w = np.where(near, s / sigma, 1.0)
    centre = w @ Y / w.sum()
    return cost, w, centre


def squares_and_plain_mean(Y, f, sigma):
    s = np.sum((Y - f) ** 2, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 0.5 / np.maximum(s, sigma)
    centre = (w[:, None] * Y).mean(axis=0)
    return cost, w, centre


RIGHT = [with_where, point_by_point, clipped]
WRONG = [
    (without_the_two, ["forgot the 2 in 2 w s = c'(s) for the far points"]),
    (same_value, ["takes far weights from equal values (cost over squared distance) instead of equal slopes"]),
    (slope_over_distance, ["divides the slope by the distance also at distance zero: 0/0"]),
    (w_times_Y, ["multiplies weights of shape (N,) with Y of shape (N, d) without a new axis"]),
    (slope_is_weight, ["takes the slope itself as the weight, not divided by twice the distance", "subtracts sigma instead of sigma/2 in the far cost"]),
    (squares_and_plain_mean, ["uses squared distances where distances are meant", "divides the weighted sum by the number of points instead of the sum of the weights"]),
]
