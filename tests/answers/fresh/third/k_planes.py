"""Fresh answers to `k_planes`."""
import numpy as np


def round_eigh(Y, centres, V):
    k, q, d = V.shape
    cost = np.empty((len(Y), k))
    for j in range(k):
        D = Y - centres[j]
        cost[:, j] = np.sum((D - D @ V[j].T @ V[j]) ** 2, axis=1)
    Z = cost.argmin(axis=1)
    new = np.array(centres, dtype=float)
    P = np.array([v.T @ v for v in V])
    for j in np.unique(Z):
        D = Y[Z == j]
        new[j] = D.mean(axis=0)
        D = D - new[j]
        vectors = np.linalg.eigh(D.T @ D)[1][:, d - q:]
        P[j] = vectors @ vectors.T
    return Z, new, P


def round_svd(Y, centres, V):
    P = np.einsum("kqi,kqj->kij", V, V)
    D = Y[:, None, :] - centres[None, :, :]
    residual = D - np.einsum("nki,kij->nkj", D, P)
    Z = np.argmin(np.einsum("nkj,nkj->nk", residual, residual), axis=1)
    new = 1.0 * centres
    for j in range(len(centres)):
        members = Y[Z == j]
        if len(members) > 0:
            new[j] = members.mean(0)
            axes = np.linalg.svd(members - new[j], full_matrices=True)[2][: V.shape[1]]
            P[j] = axes.T @ axes
    return Z, new, P


def round_point_by_point(Y, centres, V):
    Z = []
    for y in Y:
        costs = []
        for c, v in zip(centres, V):
            r = (y - c) - v.T @ (v @ (y - c))
            costs.append(float(r @ r))
        Z.append(costs.index(min(costs)))
    Z = np.array(Z)
    q, new_centres, P = V.shape[1], [], []
    for j in range(len(centres)):
        rows = [Y[n] for n in range(len(Y)) if Z[n] == j]
        if not rows:
            new_centres.append(centres[j])
            P.append(V[j].T @ V[j])
            continue
        c = sum(rows) / len(rows)
        scatter = sum(np.outer(y - c, y - c) for y in rows)
        values, vectors = np.linalg.eigh(scatter)
        best = np.argsort(-values, kind="stable")[:q]
        new_centres.append(c)
        P.append(sum((np.outer(vectors[:, b], vectors[:, b]) for b in best), 0 * scatter))
    return Z, np.array(new_centres), np.array(P)


def round_minus_q(Y, centres, V):
    k, q, d = V.shape
    D = Y[:, None] - centres
    inside = np.einsum("nkd,kqd,kqe->nke", D, V, V)
    Z = np.sum((D - inside) ** 2, axis=2).argmin(axis=1)
    new, P = centres.astype(float), np.einsum("kqd,kqe->kde", V, V)
    for j in range(k):
        if np.any(Z == j):
            new[j] = Y[Z == j].mean(axis=0)
            R = Y[Z == j] - new[j]
            vectors = np.linalg.eigh(R.T @ R)[1][:, -q:]
            P[j] = vectors @ vectors.T
    return Z, new, P


def round_nearest_centre(Y, centres, V):
    k, q, d = V.shape
    Z = np.sum((Y[:, None] - centres) ** 2, axis=2).argmin(axis=1)
    new, P = centres.astype(float), np.einsum("kqd,kqe->kde", V, V)
    for j in range(k):
        if np.any(Z == j):
            new[j] = Y[Z == j].mean(axis=0)
            vectors = np.linalg.svd(Y[Z == j] - new[j])[2][:q]
            P[j] = vectors.T @ vectors
    return Z, new, P


def round_old_centre(Y, centres, V):
    k, q, d = V.shape
    cost = np.array([np.sum(((Y - c) - (Y - c) @ v.T @ v) ** 2, axis=1) for c, v in zip(centres, V)])
    Z = cost.argmin(axis=0)
    new, P = centres.astype(float), np.array([v.T @ v for v in V])
    for j in range(k):
        members = Y[Z == j]
        if len(members):
            new[j] = members.mean(axis=0)
            R = members - centres[j]
            vectors = np.linalg.eigh(R.T @ R)[1][:, d - q:]
            P[j] = vectors @ vectors.T
    return Z, new, P


def round_all_taken(Y, centres, V):
    k, q, d = V.shape
    cost = np.array([np.sum(((Y - c) - (Y - c) @ v.T @ v) ** 2, axis=1) for c, v in zip(centres, V)])
    Z = cost.argmin(axis=0)
    new, P = np.zeros((k, d)), np.zeros((k, d, d))
    for j in range(k):
        members = Y[Z == j]
        new[j] = members.mean(axis=0)
        R = members - new[j]
        values, vectors = np.linalg.eigh(R.T @ R / len(members))
        vectors = vectors[:, np.argsort(values)[::-1][:q]]
        P[j] = vectors @ vectors.T
    return Z, new, P


def round_flattest(Y, centres, V):
    k, q, d = V.shape
    cost = np.zeros((len(Y), k))
    for j in range(k):
        projection = V[j].T @ V[j]
        cost[:, j] = np.sum((Y - centres[j] - Y @ projection) ** 2, axis=1)
    Z = cost.argmin(axis=1)
    new, P = centres.astype(float), np.array([v.T @ v for v in V])
    for j in range(k):
        members = Y[Z == j]
        if len(members):
            new[j] = members.mean(axis=0)
            R = members - new[j]
            vectors = np.linalg.eigh(R.T @ R)[1][:, :q]
            P[j] = vectors @ vectors.T
    return Z, new, P


def round_zeros_last(Y, centres, V):
    k, q, d = V.shape
    cost = np.array([np.sum(((Y - c) - (Y - c) @ v.T @ v) ** 2, axis=1) for c, v in zip(centres, V)])
    Z = k - 1 - cost[::-1].argmin(axis=0)
    new, P = np.zeros((k, d)), np.zeros((k, d, d))
    for j in range(k):
        members = Y[Z == j]
        if len(members) > 0:
            new[j] = members.mean(axis=0)
            axes = np.linalg.svd(members - new[j])[2][:q]
            P[j] = axes.T @ axes
    return Z, new, P


RIGHT = [round_eigh, round_svd, round_point_by_point]
WRONG = [
    (round_minus_q, ["takes the last q eigenvectors by the slice -q:, which for q = 0 takes all of them"]),
    (round_nearest_centre, ["gives each point to the nearest centre instead of the nearest plane"]),
    (round_old_centre, ["PCA around the old centre instead of around the new mean"]),
    (round_all_taken, ["forgot that a plane may have no points, and averages over nothing"]),
    (round_flattest, ["forgot to subtract the centre before projecting onto the plane", "takes the directions of smallest variance, the first eigenvectors of eigh"]),
    (round_zeros_last, ["takes the last of several equally good planes", "sets a plane without points to zero instead of leaving it as it is"]),
]
