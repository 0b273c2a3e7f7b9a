"""Fresh answers to `projection`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def with_cdist(Y_new, grid, X, Y, threshold):
    E = -cdist(grid, X, "sqeuclidean") / 2
    p = np.exp(E).mean(axis=1)
    f = softmax(E, axis=1) @ Y
    D = cdist(Y_new, f, "sqeuclidean")
    D[:, p < threshold] = np.inf
    return grid[np.argmin(D, axis=1)]


def loops(Y_new, grid, X, Y, threshold):
    allowed = []
    for x in grid:
        e = -np.sum((X - x) ** 2, axis=1) / 2
        if np.sum(np.exp(e)) / len(X) >= threshold:
            w = np.exp(e - e.max())
            allowed.append((x, (w[:, None] * Y).sum(axis=0) / w.sum()))
    result = []
    for y in Y_new:
        best = min(allowed, key=lambda pair: np.sum((y - pair[1]) ** 2))
        result.append(best[0])
    return np.array(result)


def shrink_the_grid_first(Y_new, grid, X, Y, threshold):
    squares = np.sum((grid[:, None, :] - X[None, :, :]) ** 2, axis=2)
    enough = np.mean(np.exp(-squares / 2), axis=1) >= threshold
    grid, squares = grid[enough], squares[enough]
    K = np.exp(-(squares - squares.min(axis=1, keepdims=True)) / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    index = [int(((f - y) ** 2).sum(axis=1).argmin()) for y in Y_new]
    return grid[index]


def number_in_the_short_list(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    p = K.mean(axis=1)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    allowed = p >= threshold
    nearest = cdist(Y_new, f[allowed]).argmin(axis=1)
    return grid[nearest]


def density_is_the_sum(Y_new, grid, X, Y, threshold):
    K = np.exp(-((grid[:, None] - X[None]) ** 2).sum(-1) / 2)
    p = K.sum(axis=1)
    f = K @ Y / p[:, None]
    grid, f = grid[p >= threshold], f[p >= threshold]
    d = ((Y_new[:, None] - f[None]) ** 2).sum(-1)
    return grid[d.argmin(axis=1)]


def step_aside_in_latent_space(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    good = grid[K.mean(axis=1) >= threshold]
    x = grid[cdist(Y_new, f).argmin(axis=1)]
    return good[cdist(x, good).argmin(axis=1)]


def images_minus_points(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X) ** 2 / 2)
    p = K.mean(axis=1)
    f = K @ Y / K.sum(axis=1)[:, None]
    f, grid = f[p >= threshold], grid[p >= threshold]
    d2 = (f - Y_new) ** 2
    best = d2.sum(axis=1).argmin()
    return np.array([grid[best] for _ in Y_new])


def no_constraint_city_block(Y_new, grid, X, Y, threshold):
    out = np.zeros((len(Y_new), grid.shape[1]))
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    for i, y in enumerate(Y_new):
        d = np.abs(f - y).sum(axis=1)
        out[i] = grid[np.argmin(d)]
    return out


def image_with_a_narrow_kernel(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean"))
    f = K @ Y / K.sum(axis=1, keepdims=True)
    d = cdist(Y_new, f, "sqeuclidean")
    d[:, K.mean(axis=1) < threshold] = np.inf
    return f[d.argmin(axis=1)]


RIGHT = [with_cdist, loops, shrink_the_grid_first]
WRONG = [
    (number_in_the_short_list, ["uses the index within the allowed positions as an index into the whole grid"]),
    (density_is_the_sum, ["the density is the sum of the kernel values, the division by N is missing"]),
    (step_aside_in_latent_space, ["finds the best position without the constraint and then moves to the allowed position nearest in latent space, instead of the best image among the allowed"]),
    (images_minus_points, ["subtracts images and new points row by row instead of all pairs"]),
    (no_constraint_city_block, ["ignores the density constraint", "takes the sum of absolute differences instead of squared distances"]),
    (image_with_a_narrow_kernel, ["forgot the factor 1/2 in the kernel", "returns the image f(x) instead of the position x"]),
]
