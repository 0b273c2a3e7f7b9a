"""Fresh answers to `k_planes`."""
import numpy as np


def svd_for_each(Y, centres, V):
    k, q, d = V.shape
    costs = []
    for c, v in zip(centres, V):
        dev = Y - c
        costs.append(np.sum((dev - dev @ v.T @ v) ** 2, axis=1))
    Z = np.argmin(np.array(costs), axis=0)
    new = np.array(centres, dtype=float)
    P = np.zeros((k, d, d))
    for j in range(k):
        mine = Y[Z == j]
        rows = V[j]
        if len(mine) > 0:
            new[j] = mine.mean(axis=0)
            rows = np.linalg.svd(mine - new[j], full_matrices=True)[2][:q]
        P[j] = rows.T @ rows
    return Z, new, P


def with_covariances(Y, centres, V):
    k, q, d = V.shape
    P = np.einsum("kqi,kqj->kij", V, V)
    dev = Y[:, None, :] - centres[None]
    rest = dev - np.einsum("nki,kij->nkj", dev, P)
    Z = np.einsum("nkj,nkj->nk", rest, rest).argmin(axis=1)
    new = centres.astype(float)
    for j in np.unique(Z):
        group = Y[Z == j]
        new[j] = group.mean(axis=0)
        S = (group - new[j]).T @ (group - new[j])
        vectors = np.linalg.eigh(S)[1][:, d - q :]
        P[j] = vectors @ vectors.T
    return Z, new, P


def with_lists(Y, centres, V):
    from scipy.linalg import svd

    taken = [[] for _ in centres]
    Z = np.zeros(len(Y), dtype=int)
    for n, y in enumerate(Y):
        best, least = 0, np.inf
        for j in range(len(centres)):
            r = y - centres[j]
            for v in V[j]:
                r = r - (v @ (y - centres[j])) * v
            if r @ r < least:
                best, least = j, r @ r
        Z[n] = best
        taken[best].append(y)
    new, P = [], []
    for j, points in enumerate(taken):
        if not points:
            new.append(np.array(centres[j], float))
            P.append(V[j].T @ V[j])
            continue
        mean = sum(points) / len(points)
        U = svd((np.array(points) - mean).T)[0][:, : V.shape[1]]
        new.append(mean)
        P.append(U @ U.T)
    return Z, np.array(new), np.array(P)


def _projections(V):
    return np.array([v.T @ v for v in V])


def pca_from_origin(Y, centres, V):
    P = _projections(V)
    dist = np.array([np.sum(((Y - c) - (Y - c) @ p) ** 2, axis=1) for c, p in zip(centres, P)])
    Z = dist.argmin(axis=0)
    new = np.array(centres, float)
    for j in range(len(V)):
        if np.any(Z == j):
            new[j] = Y[Z == j].mean(axis=0)
            rows = np.linalg.svd(Y[Z == j])[2][: V.shape[1]]
            P[j] = rows.T @ rows
    return Z, new, P


def first_eigenvectors(Y, centres, V):
    k, q, d = V.shape
    P = _projections(V)
    dev = Y[:, None] - centres
    rest = dev - np.einsum("nki,kij->nkj", dev, P)
    Z = np.sum(rest**2, axis=2).argmin(axis=1)
    new = np.array(centres, float)
    for j in range(k):
        group = Y[Z == j]
        if len(group):
            new[j] = group.mean(axis=0)
            values, vectors = np.linalg.eigh((group - new[j]).T @ (group - new[j]))
            U = vectors[:, :q]
            P[j] = U @ U.T
    return Z, new, P


def nearest_centre(Y, centres, V):
    q = V.shape[1]
    Z = np.sum((Y[:, None] - centres) ** 2, axis=2).argmin(axis=1)
    new, P = np.array(centres, float), _projections(V)
    for j in range(len(centres)):
        mine = Y[Z == j]
        if len(mine) == 0:
            continue
        new[j] = mine.mean(axis=0)
        rows = np.linalg.svd(mine - new[j])[2][:q]
        P[j] = rows.T @ rows
    return Z, new, P


def no_empty_planes(Y, centres, V):
    k, q, d = V.shape
    costs = []
    for c, v in zip(centres, V):
        costs.append([np.sum((y - c - v.T @ (v @ (y - c))) ** 2) for y in Y])
    Z = np.argmin(costs, axis=0)
    new, P = np.zeros((k, d)), np.zeros((k, d, d))
    for j in range(k):
        mine = Y[Z == j]
        new[j] = sum(mine) / len(mine)
        values, vectors = np.linalg.eigh((mine - new[j]).T @ (mine - new[j]))
        top = vectors[:, d - q :]
        P[j] = top @ top.T
    return Z, new, P


def lines_through_zero(Y, centres, V):
    q = V.shape[1]
    P = _projections(V)
    costs = [np.sum((Y - c - Y @ p) ** 2, axis=1) for c, p in zip(centres, P)]
    Z = np.argmin(costs, axis=0)
    new = np.array(centres, float)
    for j, c in enumerate(centres):
        if (Z == j).any():
            new[j] = Y[Z == j].mean(axis=0)
            rows = np.linalg.svd(Y[Z == j] - c)[2][:q]
            P[j] = rows.T @ rows
    return Z, new, P


def rest_projection(Y, centres, V):
    k, q, d = V.shape
    P = _projections(V)
    costs = np.array([np.sum(((Y - c) - (Y - c) @ p) ** 2, axis=1) for c, p in zip(centres, P)])
    Z = costs.argmin(axis=0) + 1
    new = np.array(centres, float)
    for j in range(k):
        mine = Y[Z == j + 1]
        rows = V[j]
        if len(mine):
            new[j] = mine.mean(axis=0)
            rows = np.linalg.svd(mine - new[j])[2][:q]
        P[j] = np.eye(d) - rows.T @ rows
    return Z, new, P


RIGHT = [svd_for_each, with_covariances, with_lists]
WRONG = [
    (pca_from_origin, ["PCA of each group without subtracting its mean"]),
    (first_eigenvectors, ["takes the first q eigenvectors of eigh, the directions of least variance"]),
    (nearest_centre, ["labels by the distance from the centre, as in k-means, not by the distance from the plane"]),
    (no_empty_planes, ["forgot that a plane may have no points: it should stay as it is"]),
    (lines_through_zero, ["projects y instead of y - c onto the directions in the residual", "does the PCA of a group around the old centre instead of the new mean"]),
    (rest_projection, ["counts the labels from 1 instead of from 0", "returns the projection onto the rest, I - V^T V, instead of the one onto the plane"]),
]
