"""Fresh answers to `k_planes`."""
import numpy as np


def right_eigh(Y, centres, V):
    q, d = V.shape[1], Y.shape[1]
    costs = []
    for c, v in zip(centres, V):
        D = Y - c
        costs.append(np.sum((D - D @ v.T @ v) ** 2, axis=1))
    Z = np.argmin(costs, axis=0)
    new_centres, P = np.array(centres, dtype=float), np.array([v.T @ v for v in V], dtype=float)
    for k in range(len(centres)):
        own = Y[Z == k]
        if len(own):
            new_centres[k] = own.mean(axis=0)
            D = own - new_centres[k]
            vectors = np.linalg.eigh(D.T @ D)[1][:, d - q:]
            P[k] = vectors @ vectors.T
    return Z, new_centres, P


def right_svd(Y, centres, V):
    q = V.shape[1]
    old = np.einsum("kqi,kqj->kij", V, V)
    D = Y[None] - centres[:, None]
    residuals = D - np.einsum("kni,kij->knj", D, old)
    Z = (residuals**2).sum(axis=2).argmin(axis=0)
    means, P = [], []
    for k in range(len(V)):
        own = Y[Z == k]
        if own.shape[0] == 0:
            means.append(centres[k])
            P.append(old[k])
            continue
        m = own.mean(axis=0)
        Vt = np.linalg.svd(own - m, full_matrices=True)[2]
        means.append(m)
        P.append(Vt[:q].T @ Vt[:q])
    return Z, np.array(means), np.array(P)


def right_by_hand(Y, centres, V):
    K, q, d = V.shape
    Z = np.zeros(len(Y), dtype=int)
    for n, y in enumerate(Y):
        best = None
        for k in range(K):
            r = y - centres[k]
            for v in V[k]:
                r = r - np.dot(v, y - centres[k]) * v
            if best is None or r @ r < best:
                best, Z[n] = r @ r, k
    new = np.array(centres, dtype=float)
    P = np.zeros((K, d, d))
    for k in range(K):
        members = [y for y, z in zip(Y, Z) if z == k]
        if not members:
            P[k] = sum((np.outer(v, v) for v in V[k]), np.zeros((d, d)))
            continue
        new[k] = sum(members) / len(members)
        C = sum(np.outer(y - new[k], y - new[k]) for y in members)
        values, vectors = np.linalg.eigh(C)
        for j in np.argsort(values)[::-1][:q]:
            P[k] += np.outer(vectors[:, j], vectors[:, j])
    return Z, new, P


def minus_q_columns(Y, centres, V):
    q = V.shape[1]
    P = np.transpose(V, (0, 2, 1)) @ V
    D = Y - centres[:, None]
    Z = np.sum((D - D @ P) ** 2, axis=2).argmin(axis=0)
    new_centres = np.array(centres, float)
    for k in range(len(centres)):
        if np.any(Z == k):
            own = Y[Z == k]
            new_centres[k] = own.mean(axis=0)
            own = own - new_centres[k]
            vectors = np.linalg.eigh(own.T @ own)[1][:, -q:]
            P[k] = vectors @ vectors.T
    return Z, new_centres, P


def assigned_without_copy(Y, centres, V):
    q = V.shape[1]
    cost = np.empty((len(Y), len(centres)))
    P = np.empty((len(centres), Y.shape[1], Y.shape[1]))
    for k in range(len(centres)):
        P[k] = V[k].T @ V[k]
        diff = Y - centres[k]
        cost[:, k] = np.sum((diff - diff @ P[k]) ** 2, axis=1)
    Z = cost.argmin(axis=1)
    new_centres = centres
    for k in np.unique(Z):
        points = Y[Z == k]
        new_centres[k] = points.mean(axis=0)
        Vt = np.linalg.svd(points - points.mean(axis=0))[2]
        P[k] = Vt[:q].T @ Vt[:q]
    return Z, new_centres, P


def around_the_old_centre(Y, centres, V):
    k, q, d = V.shape
    P = np.einsum("kqi,kqj->kij", V, V)
    residual = np.array([(Y - c) @ (np.eye(d) - p) for c, p in zip(centres, P)])
    Z = np.sum(residual**2, axis=2).argmin(axis=0)
    new_centres = 1.0 * centres
    for j in range(k):
        mine = Y[Z == j]
        if len(mine) > 0:
            new_centres[j] = mine.mean(axis=0)
            D = mine - centres[j]
            _, vec = np.linalg.eigh(D.T @ D)
            vec = vec[:, ::-1][:, :q]
            P[j] = vec @ vec.T
    return Z, new_centres, P


def data_as_columns(Y, centres, V):
    n_planes, q, d = V.shape
    cost = []
    P = []
    for c, v in zip(centres, V):
        proj = v.T @ v
        P.append(proj)
        diff = Y - c
        r = diff - proj @ diff
        cost.append((r**2).sum(axis=1))
    Z = np.argmin(np.array(cost), axis=0)
    new_centres = centres.copy()
    for k in range(n_planes):
        if (Z == k).sum() > 0:
            new_centres[k] = Y[Z == k].mean(axis=0)
            vt = np.linalg.svd(Y[Z == k] - new_centres[k])[2][:q]
            P[k] = vt.T @ vt
    return Z, new_centres, np.array(P)


def last_of_ties_through_origin(Y, centres, V):
    q = V.shape[1]
    Z = np.zeros(len(Y), int)
    best = np.full(len(Y), np.inf)
    P = np.array([v.T @ v for v in V])
    for k, c in enumerate(centres):
        D = Y - c
        cost = np.sum((D - D @ P[k]) ** 2, axis=1)
        better = cost <= best
        Z[better] = k
        best[better] = cost[better]
    new_centres = centres.astype(float)
    for k in range(len(centres)):
        own = Y[Z == k]
        if len(own):
            new_centres[k] = own.mean(axis=0)
            Vt = np.linalg.svd(own)[2]
            P[k] = Vt[:q].T @ Vt[:q]
    return Z, new_centres, P


def first_columns_and_forgotten_planes(Y, centres, V):
    q = V.shape[1]
    cost = np.array([np.sum(((Y - c) - (Y - c) @ v.T @ v) ** 2, axis=1) for c, v in zip(centres, V)])
    Z = cost.argmin(axis=0)
    new_centres, P = [], []
    for k in np.unique(Z):
        own = Y[Z == k]
        new_centres.append(own.mean(axis=0))
        D = own - own.mean(axis=0)
        values, vectors = np.linalg.eigh(D.T @ D)
        W = vectors[:, :q]
        P.append(W @ W.T)
    return Z, np.array(new_centres), np.array(P)


RIGHT = [right_eigh, right_svd, right_by_hand]
WRONG = [
    (minus_q_columns, ["takes the columns -q: of the eigenvectors, which are all columns when q = 0"]),
    (assigned_without_copy, ["assigns centres to new_centres without a copy and so changes the caller's centres"]),
    (around_the_old_centre, ["does PCA around the old centre instead of the new mean"]),
    (data_as_columns, ["multiplies the projection from the left to data that stand in rows (raises unless N = d)"]),
    (last_of_ties_through_origin, ["takes the last of several planes that are equally good", "does not subtract the mean before PCA"]),
    (first_columns_and_forgotten_planes, ["takes the directions of least variance (eigh sorts upwards)", "drops planes that nobody has taken instead of leaving them as they are"]),
]
