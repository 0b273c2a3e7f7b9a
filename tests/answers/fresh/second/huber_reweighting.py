"""Fresh answers to `huber_reweighting`."""
import numpy as np


def with_where(Y, f, sigma):
    s = np.sqrt(((Y - f) ** 2).sum(axis=1))
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    centre = (w[:, None] * Y).sum(axis=0) / w.sum()
    return cost, w, centre


def with_loop(Y, f, sigma):
    cost, w = [], []
    for y in Y:
        s = np.linalg.norm(y - f)
        if s <= sigma:
            cost.append(s * s / (2 * sigma))
            w.append(0.5 / sigma)
        else:
            cost.append(s - sigma / 2)
            w.append(0.5 / s)
    return np.array(cost), np.array(w), np.average(Y, axis=0, weights=w)


def with_capped_distance(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    t = np.minimum(s, sigma)
    w = np.full(len(Y), 0.5 / sigma)
    far = s > sigma
    w[far] = 0.5 / s[far]
    return t * (s - t / 2) / sigma, w, w @ Y / np.sum(w)


def same_value(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = np.full(len(s), 1 / (2 * sigma))
    w[s > 0] = cost[s > 0] / s[s > 0] ** 2
    return cost, w, w @ Y / w.sum()


def slope_over_distance(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    slope = np.where(s <= sigma, s / sigma, 1.0)
    with np.errstate(invalid="ignore"):
        w = slope / (2 * s)
    return cost, w, np.sum(w[:, None] * Y, axis=0) / np.sum(w)


def centre_of_residuals(Y, f, sigma):
    r = Y - f
    s = np.sqrt(np.sum(r * r, axis=1))
    near = s <= sigma
    cost = near * s**2 / (2 * sigma) + ~near * (s - sigma / 2)
    w = np.where(near, 0.5 / sigma, 0.5 / np.where(near, 1, s))
    return cost, w, (w[:, None] * r).sum(0) / w.sum()


def average_without_axis(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s > sigma, s - sigma / 2, s**2 / (2 * sigma))
    w = 0.5 / np.maximum(s, sigma)
    return cost, w, np.average(Y, weights=w)


def scaled_like_rlm(Y, f, sigma):
    s = np.linalg.norm(Y - f, axis=1)
    s = s / (1.4826 * np.median(s))
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = np.where(s <= sigma, 0.5 / sigma, 0)
    return cost, w, w @ Y / max(w.sum(), 1e-12)


def textbook_delta(Y, f, sigma):
    s = np.abs(Y - f).sum(axis=1)
    cost = np.where(s <= sigma, s**2 / 2, sigma * (s - sigma / 2))
    w = 0.5 / np.maximum(s, sigma)
    return cost, w, w @ Y / w.sum()


RIGHT = [with_where, with_loop, with_capped_distance]
WRONG = [
    (same_value, ["chooses the weight so that w s^2 has the value of the cost, instead of its slope"]),
    (slope_over_distance, ["divides the slope by 2 s for near points too, which is 0/0 for a point at the centre"]),
    (centre_of_residuals, ["returns the weighted mean of the differences from f, without adding f"]),
    (average_without_axis, ["calls np.average without an axis"]),
    (scaled_like_rlm, ["divides the distances by their median absolute deviation first, as R's rlm does", "gives points beyond sigma the weight zero"]),
    (textbook_delta, ["uses the sum of the absolute differences for the distance", "takes Huber's cost of the textbook, sigma times the one that is asked for"]),
]
