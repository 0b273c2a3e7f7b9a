"""Fresh answers to `projection`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def loop_over_all(Y_new, grid, X, Y, threshold):
    allowed, images = [], []
    for x in grid:
        d2 = np.sum((X - x) ** 2, axis=1)
        if np.exp(-d2 / 2).sum() / len(X) >= threshold:
            k = np.exp(-(d2 - d2.min()) / 2)
            allowed.append(x)
            images.append(k @ Y / k.sum())
    result = []
    for y in Y_new:
        distances = [np.sum((y - f) ** 2) for f in images]
        result.append(allowed[int(np.argmin(distances))])
    return np.array(result)


def mask_with_inf(Y_new, grid, X, Y, threshold):
    E = -cdist(grid, X, "sqeuclidean") / 2
    p = np.exp(E).mean(axis=1)
    f = softmax(E, axis=1) @ Y
    D = cdist(Y_new, f, "sqeuclidean")
    D[:, p < threshold] = np.inf
    return grid[D.argmin(axis=1)]


def subset_first(Y_new, grid, X, Y, threshold):
    d2 = ((grid[:, None] - X[None]) ** 2).sum(axis=2)
    good = np.mean(np.exp(-0.5 * d2), axis=1) >= threshold
    grid, d2 = grid[good], d2[good]
    K = np.exp(-0.5 * (d2 - d2.min(axis=1)[:, None]))
    f = K @ Y / K.sum(axis=1)[:, None]
    nearest = [min(range(len(f)), key=lambda l: float(np.sum((f[l] - y) ** 2))) for y in Y_new]
    return grid[nearest]


def number_in_the_subset(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    p = K.mean(axis=1)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    f = f[p >= threshold]
    best = cdist(Y_new, f).argmin(axis=1)
    return grid[best]


def density_is_a_sum(Y_new, grid, X, Y, threshold):
    K = np.exp(-np.sum((grid[:, None] - X) ** 2, axis=2) / 2)
    total = K.sum(axis=1)
    f = (K @ Y) / total[:, None]
    allowed = np.flatnonzero(total >= threshold)
    out = np.zeros((len(Y_new), grid.shape[1]))
    for i, y in enumerate(Y_new):
        out[i] = grid[allowed[np.argmin(((f[allowed] - y) ** 2).sum(axis=1))]]
    return out


def first_project_then_move(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X) ** 2 / 2)
    f = K @ Y / K.sum(axis=1)[:, None]
    ok = K.mean(axis=1) >= threshold
    x = grid[np.argmin(cdist(Y_new, f), axis=1)]
    # onto the allowed positions
    return grid[ok][np.argmin(cdist(x, grid[ok]), axis=1)]


def only_the_number(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    D = cdist(Y_new, f, "sqeuclidean")
    D[:, K.mean(axis=1) < threshold] = np.inf
    return np.argmin(D, axis=1)


def wide_open(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean"))
    f = K @ Y / K.sum(axis=1)[:, None]
    return np.array([grid[np.argmin(np.sum((f - y) ** 2, axis=1))] for y in Y_new])


def turned_round(Y_new, grid, X, Y, threshold):
    K = np.exp(-cdist(grid, X, "sqeuclidean") / 2)
    keep = K.mean(axis=1) <= threshold
    f = (K @ Y / K.sum(axis=1)[:, None])[keep]
    distances = np.abs(Y_new[:, :1] - f[:, 0])
    return grid[keep][distances.argmin(axis=1)]


RIGHT = [loop_over_all, mask_with_inf, subset_first]
WRONG = [
    (number_in_the_subset, ["uses the number of the best among the allowed positions as an index into the whole grid"]),
    (density_is_a_sum, ["forgot the factor 1/N in the density"]),
    (first_project_then_move, ["projects without the constraint first, then goes to the allowed position next to the result in latent space"]),
    (only_the_number, ["returns the numbers of the positions instead of the positions"]),
    (wide_open, ["forgot the factor 1/2 in the kernel", "ignores the threshold"]),
    (turned_round, ["keeps the positions below the threshold instead of those above", "compares only the first coordinate of the data"]),
]
