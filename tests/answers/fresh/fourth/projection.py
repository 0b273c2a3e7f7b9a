"""Fresh answers to `projection`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def right_only_allowed(Y_new, grid, X, Y, threshold):
    t = cdist(grid, X, "sqeuclidean") / 2
    allowed = np.exp(-t).mean(axis=1) >= threshold
    g = grid[allowed]
    f = softmax(-t[allowed], axis=1) @ Y
    return g[np.argmin(cdist(Y_new, f, "sqeuclidean"), axis=1)]


def right_loops(Y_new, grid, X, Y, threshold):
    candidates = []
    for x in grid:
        t = ((X - x) ** 2).sum(axis=1)
        if np.mean(np.exp(-t / 2)) >= threshold:
            w = np.exp(-(t - t.min()) / 2)
            candidates.append((x, w @ Y / w.sum()))
    result = []
    for y in Y_new:
        best = min(candidates, key=lambda c: np.sum((y - c[1]) ** 2))
        result.append(best[0])
    return np.array(result)


def right_infinite_cost(Y_new, grid, X, Y, threshold):
    t = ((grid[:, None] - X) ** 2).sum(axis=-1)
    p = np.exp(-0.5 * t).mean(axis=1)
    W = np.exp(-0.5 * (t - t.min(axis=1, keepdims=True)))
    f = W @ Y / W.sum(axis=1, keepdims=True)
    cost = ((Y_new[:, None] - f[None]) ** 2).sum(axis=2)
    cost[:, p < threshold] = np.inf
    return grid[cost.argmin(axis=1)]


def no_threshold(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return grid[np.argmin(cdist(Y_new, f), axis=1)]


def index_into_the_wrong_list(Y_new, grid, X, Y, threshold):
    K = np.exp(-((grid[:, None] - X) ** 2).sum(axis=2) / 2)
    f = K @ Y / K.sum(axis=1)[:, None]
    p = K.mean(axis=1)
    f = f[p >= threshold]
    x = np.zeros((len(Y_new), grid.shape[1]))
    for i, y in enumerate(Y_new):
        x[i] = grid[np.argmin(np.sum((f - y) ** 2, axis=1))]
    return x


def first_project_then_move(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    x = grid[np.argmin(cdist(Y_new, f, "sqeuclidean"), axis=1)]
    allowed = grid[K.mean(axis=1) >= threshold]
    return allowed[np.argmin(cdist(x, allowed), axis=1)]


def density_of_the_latent_points(Y_new, grid, X, Y, threshold):
    p = np.exp(-cdist(X, X, "sqeuclidean") / 2).mean(axis=1)
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    ok = p >= threshold
    return grid[ok][np.argmin(cdist(Y_new, f[ok]), axis=1)]


def sum_and_image(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    p = K.sum(axis=1)
    f = (K @ Y / p[:, None])[p >= threshold]
    return np.array([f[np.argmin(((f - y) ** 2).sum(axis=1))] for y in Y_new])


def distance_kernel_and_relative_threshold(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X) / 2)
    p = K.mean(axis=1)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    cost = cdist(Y_new, f, "sqeuclidean")
    cost[:, p < threshold * p.max()] = np.inf
    return grid[np.argmin(cost, axis=1)]


RIGHT = [right_only_allowed, right_loops, right_infinite_cost]
WRONG = [
    (no_threshold, ["ignores the density constraint: forbidden positions may be chosen"]),
    (index_into_the_wrong_list, ["uses the index among the allowed positions to look up a row of the whole grid"]),
    (first_project_then_move, ["projects without the constraint first and then moves to the allowed position nearest in latent space, instead of minimising the data distance over the allowed positions"]),
    (density_of_the_latent_points, ["computes the density at the latent points X instead of the positions of the grid (mask of the wrong length, index error when N and L differ)"]),
    (sum_and_image, ["compares the sum of the kernels instead of their mean with the threshold", "returns the image f(x) instead of the position x"]),
    (distance_kernel_and_relative_threshold, ["puts the distance into the kernel instead of its square", "takes the threshold relative to the greatest density on the grid instead of K(0) = 1"]),
]
