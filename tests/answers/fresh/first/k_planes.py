"""Fresh answers to `k_planes`."""
import numpy as np


def with_eigh(Y, centres, V):
    k, q, d = V.shape
    P = np.array([v.T @ v for v in V]).reshape(k, d, d)
    differences = Y[:, None] - centres
    residuals = differences - np.einsum("kde,nke->nkd", P, differences)
    Z = np.argmin(np.sum(residuals**2, axis=2), axis=1)
    new_centres = np.array(centres, dtype=float)
    for j in np.unique(Z):
        mine = Y[Z == j]
        new_centres[j] = mine.mean(axis=0)
        C = (mine - new_centres[j]).T @ (mine - new_centres[j])
        top = np.linalg.eigh(C)[1][:, d - q :]
        P[j] = top @ top.T
    return Z, new_centres, P


def with_svd(Y, centres, V):
    q, d = V.shape[1:]
    cost = []
    for c, v in zip(centres, V):
        centred = Y - c
        cost.append(np.sum((centred - centred @ v.T @ v) ** 2, axis=1))
    Z = np.array(cost).argmin(axis=0)
    new_centres, P = [], []
    for j, (c, v) in enumerate(zip(centres, V)):
        points = Y[Z == j]
        if len(points) > 0:
            c = points.mean(axis=0)
            v = np.linalg.svd(np.vstack([points - c, np.zeros((d, d))]), full_matrices=False)[2][:q]
        new_centres.append(c)
        P.append(v.T @ v)
    return Z, np.array(new_centres), np.array(P)


def with_loops(Y, centres, V):
    N, (k, q, d) = len(Y), V.shape
    Z = np.zeros(N, dtype=int)
    for n in range(N):
        best = np.inf
        for j in range(k):
            r = Y[n] - centres[j]
            r = r - V[j].T @ (V[j] @ r)
            if r @ r < best:
                best, Z[n] = r @ r, j
    new_centres, P = centres.astype(float).copy(), np.zeros((k, d, d))
    for j in range(k):
        if not np.any(Z == j):
            P[j] = V[j].T @ V[j]
            continue
        new_centres[j] = np.mean(Y[Z == j], axis=0)
        values, vectors = np.linalg.eigh(np.atleast_2d(np.cov(Y[Z == j].T, bias=True)))
        for i in np.argsort(-values)[:q]:
            P[j] += np.outer(vectors[:, i], vectors[:, i])
    return Z, new_centres, P


def nearest_centre(Y, centres, V):
    k, q, d = V.shape
    Z = np.sum((Y[:, None] - centres) ** 2, axis=2).argmin(axis=1)
    new, P = centres.astype(float), np.einsum("kqd,kqe->kde", V, V)
    for j in set(Z):
        new[j] = Y[Z == j].mean(axis=0)
        top = np.linalg.svd(np.vstack([Y[Z == j] - new[j], np.zeros((d, d))]), full_matrices=False)[2][:q]
        P[j] = top.T @ top
    return Z, new, P


def nobody_forgotten(Y, centres, V):
    k, q, d = V.shape
    D = Y[:, None] - centres
    R = D - np.einsum("kqd,kqe,nke->nkd", V, V, D)
    Z = np.sum(R**2, axis=2).argmin(axis=1)
    new, P = np.zeros((k, d)), np.zeros((k, d, d))
    for j in range(k):
        mine = Y[Z == j]
        new[j] = mine.mean(axis=0)
        vectors = np.linalg.eigh((mine - new[j]).T @ (mine - new[j]) / len(mine))[1]
        P[j] = vectors[:, d - q :] @ vectors[:, d - q :].T
    return Z, new, P


def minus_q(Y, centres, V):
    k, q, d = V.shape
    D = Y[:, None] - centres
    R = D - np.einsum("kqd,kqe,nke->nkd", V, V, D)
    Z = np.sum(R**2, axis=2).argmin(axis=1)
    new, P = centres.astype(float), np.einsum("kqd,kqe->kde", V, V)
    for j in np.unique(Z):
        mine = Y[Z == j]
        new[j] = mine.mean(axis=0)
        top = np.linalg.eigh((mine - new[j]).T @ (mine - new[j]))[1][:, -q:]
        P[j] = top @ top.T
    return Z, new, P


def around_the_old(Y, centres, V):
    k, q, d = V.shape
    cost = np.array([np.sum(((Y - c) - (Y - c) @ v.T @ v) ** 2, axis=1) for c, v in zip(centres, V)])
    Z = cost.argmin(axis=0)
    new, P = centres.astype(float), np.array([v.T @ v for v in V])
    for j in range(k):
        if (Z == j).any():
            A = Y[Z == j] - centres[j]
            top = np.linalg.eigh(A.T @ A)[1][:, d - q :]
            P[j] = top @ top.T
            new[j] = Y[Z == j].mean(axis=0)
    return Z, new, P


def flat_and_uncentred(Y, centres, V):
    k, q, d = V.shape
    cost = np.array([np.sum(((Y - c) @ v.T) ** 2, axis=1) for c, v in zip(centres, V)])
    Z = cost.argmin(axis=0)
    new, P = centres.astype(float), np.array([v.T @ v for v in V])
    for j in np.unique(Z):
        mine = Y[Z == j]
        new[j] = mine.mean(axis=0)
        top = np.linalg.eigh(mine.T @ mine)[1][:, d - q :]
        P[j] = top @ top.T
    return Z, new, P


def smallest_and_last(Y, centres, V):
    k, q, d = V.shape
    D = Y[:, None] - centres
    R = D - np.einsum("kqd,kqe,nke->nkd", V, V, D)
    Z = np.zeros(len(Y), dtype=int)
    best = np.full(len(Y), np.inf)
    for j in range(k):
        cost = np.sum(R[:, j] ** 2, axis=1)
        Z[cost <= best] = j
        best = np.minimum(best, cost)
    new, P = centres.astype(float), np.array([v.T @ v for v in V])
    for j in np.unique(Z):
        new[j] = Y[Z == j].mean(axis=0)
        A = Y[Z == j] - new[j]
        least = np.linalg.eigh(A.T @ A)[1][:, :q]
        P[j] = least @ least.T
    return Z, new, P


RIGHT = [with_eigh, with_svd, with_loops]
WRONG = [
    (nearest_centre, ["assigns each point to the nearest centre, as k-means does, not to the nearest plane"]),
    (nobody_forgotten, ["forgot that a plane that nobody has taken stays as it is"]),
    (minus_q, ["slices the last q eigenvectors with -q:, which takes all of them when q is 0"]),
    (around_the_old, ["does PCA around the old centres instead of the new means"]),
    (flat_and_uncentred, ["measures the part within the plane instead of the residual", "does PCA without subtracting the mean"]),
    (smallest_and_last, ["takes the last of several equally good planes", "takes the directions of least variance, because eigh sorts upwards"]),
]
