"""Fresh answers to `projection`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp, softmax


def allowed_rows(Y_new, grid, X, Y, threshold):
    D = cdist(grid, X, "sqeuclidean") / 2
    p = np.exp(-D).mean(axis=1)
    f = softmax(-D, axis=1) @ Y
    ok = np.flatnonzero(p >= threshold)
    nearest = np.argmin(cdist(Y_new, f[ok], "sqeuclidean"), axis=1)
    return grid[ok[nearest]]


def loops_and_inf(Y_new, grid, X, Y, threshold):
    images, density = [], []
    for x in grid:
        e = -((X - x) ** 2).sum(axis=1) / 2
        w = np.exp(e - e.max())
        images.append((w[:, None] * Y).sum(axis=0) / w.sum())
        density.append(np.exp(e).sum() / len(X))
    out = np.zeros((len(Y_new), grid.shape[1]))
    for i, y in enumerate(Y_new):
        best = np.inf
        for l in range(len(grid)):
            d = np.sum((y - images[l]) ** 2)
            if density[l] >= threshold and d < best:
                best = d
                out[i] = grid[l]
    return out


def masked(Y_new, grid, X, Y, threshold):
    E = -0.5 * np.square(grid[:, None, :] - X[None, :, :]).sum(-1)
    L = logsumexp(E, axis=1, keepdims=True)
    f = np.exp(E - L) @ Y
    forbidden = np.mean(np.exp(E), axis=1) < threshold
    cost = np.square(Y_new[:, None, :] - f[None, :, :]).sum(-1)
    cost = np.where(forbidden[None, :], np.inf, cost)
    return np.take(grid, cost.argmin(axis=1), axis=0)


def _model(grid, X, Y):
    D = ((grid[:, None] - X[None]) ** 2).sum(axis=2) / 2
    K = np.exp(-(D - D.min(axis=1, keepdims=True)))
    return K @ Y / K.sum(axis=1, keepdims=True), np.exp(-D).mean(axis=1)


def index_of_the_short_list(Y_new, grid, X, Y, threshold):
    f, p = _model(grid, X, Y)
    f = f[p >= threshold]
    best = ((Y_new[:, None] - f[None]) ** 2).sum(axis=2).argmin(axis=1)
    return grid[best]


def moves_to_the_next_allowed(Y_new, grid, X, Y, threshold):
    f, p = _model(grid, X, Y)
    allowed = grid[p >= threshold]
    out = []
    for y in Y_new:
        x = grid[np.argmin(np.sum((f - y) ** 2, axis=1))]
        out.append(allowed[np.argmin(np.sum((allowed - x) ** 2, axis=1))])
    return np.array(out)


def relative_threshold(Y_new, grid, X, Y, threshold):
    f, p = _model(grid, X, Y)
    ok = p >= threshold * p.max()
    d = cdist(Y_new, f[ok])
    return grid[ok][d.argmin(axis=1)]


def density_of_latent_points(Y_new, grid, X, Y, threshold):
    f, _ = _model(grid, X, Y)
    p = np.exp(-cdist(X, X, "sqeuclidean") / 2).mean(axis=1)
    ok = p >= threshold
    d = cdist(Y_new, f[ok])
    return grid[ok][np.argmin(d, axis=1)]


def product_with_mask_of_sum(Y_new, grid, X, Y, threshold):
    f, p = _model(grid, X, Y)
    ok = p * len(X) >= threshold
    d = cdist(Y_new, f, "sqeuclidean") * ok
    return grid[np.argmin(d, axis=1)]


def nearest_data_point_image(Y_new, grid, X, Y, threshold):
    f, p = _model(grid, X, Y)
    ok = p <= threshold
    if not ok.any():
        ok[:] = True
    x = np.zeros((len(Y_new), X.shape[1]))
    for i in range(len(Y_new)):
        n = np.argmin(np.sum((Y - Y_new[i]) ** 2, axis=1))
        x[i] = grid[ok][np.argmin(np.sum((f[ok] - Y[n]) ** 2, axis=1))]
    return x


RIGHT = [allowed_rows, loops_and_inf, masked]
WRONG = [
    (index_of_the_short_list, ["looks up the index among the allowed positions in the whole grid"]),
    (moves_to_the_next_allowed, ["ignores the constraint in the search and then goes to the allowed position next to the forbidden one in latent space"]),
    (relative_threshold, ["compares the density with the threshold times its maximum over the grid, instead of times K(0)"]),
    (density_of_latent_points, ["tests the density at the latent points instead of the positions of the grid"]),
    (product_with_mask_of_sum, ["multiplies the distances by the mask, so that forbidden positions get the distance zero and win", "forgets the factor 1/N in the density"]),
    (nearest_data_point_image, ["keeps the positions with a density below the threshold instead of above", "projects the nearest data point in place of the new point"]),
]
