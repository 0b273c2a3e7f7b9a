"""Right and wrong answers to the exercise `k_planes`, as learners write them."""

import numpy as np


def plain(Y, centres, V):
    k = len(centres)
    squares = []
    for j in range(k):
        r = Y - centres[j]
        r = r - r @ V[j].T @ V[j]
        squares.append(np.sum(r**2, axis=1))
    Z = np.argmin(squares, axis=0)
    new, P = centres.copy(), np.array([v.T @ v for v in V])
    for j in range(k):
        own = Y[Z == j]
        if len(own):
            new[j] = own.mean(axis=0)
            W = np.linalg.svd(own - new[j], full_matrices=False)[2][: V.shape[1]]
            P[j] = W.T @ W
    return Z, new, P


def by_pythagoras(Y, centres, V):
    """The square across the plane as the whole less the part within."""
    q = V.shape[1]
    whole = np.array([[np.sum((y - c) ** 2) for y in Y] for c in centres])
    within = np.array(
        [[np.sum((v @ (y - c)) ** 2) for y in Y] for c, v in zip(centres, V, strict=True)]
    )
    Z = np.argmin(whole - within, axis=0)
    new, P = [], []
    for j, (c, v) in enumerate(zip(centres, V, strict=True)):
        own = Y[Z == j]
        if len(own) == 0:
            new.append(c)
            P.append(v.T @ v)
            continue
        S = np.cov(own.T, bias=True)
        U = np.linalg.eigh(S)[1][:, len(S) - q :]
        new.append(own.mean(0))
        P.append(U @ U.T)
    return Z, np.array(new), np.array(P)


def in_single_precision(Y, centres, V):
    Z, new, P = plain(Y, centres, V)
    return Z, new.astype(np.float32), P.astype(np.float32)


def by_points(Y, centres, V):
    q = V.shape[1]
    Z = []
    for y in Y:
        best, label = np.inf, 0
        for k, (c, v) in enumerate(zip(centres, V, strict=True)):
            e = np.sum((y - c) ** 2) - np.sum((v @ (y - c)) ** 2)
            if e < best - 1e-12:
                best, label = e, k
        Z.append(label)
    Z = np.array(Z)
    new, P = [], []
    for k in range(len(centres)):
        own = Y[Z == k]
        if own.size:
            new.append(own.mean(axis=0))
            Vt = np.linalg.svd(own - new[-1], full_matrices=True)[2][:q]
        else:
            new.append(centres[k])
            Vt = V[k]
        P.append(Vt.T @ Vt)
    return Z, np.array(new), np.array(P)


RIGHT = [plain, by_pythagoras, in_single_precision, by_points]


def _round(
    across=lambda y, c, v: y - c - (y - c) @ v.T @ v,
    size=lambda r: np.sum(r**2, axis=1),
    pick=lambda squares: np.argmin(squares, axis=0),
    centre=lambda own: own.mean(axis=0),
    inputs=lambda own, mean, Y: own - mean,
    directions=lambda A, q: np.linalg.svd(A)[2][:q],
    result=lambda W: W.T @ W,
):
    """`plain`, with one piece exchanged."""

    def run(Y, centres, V):
        Z = pick([size(across(Y, c, v)) for c, v in zip(centres, V, strict=True)])
        new, P = centres.copy(), np.array([v.T @ v for v in V])
        for j in set(Z.tolist()):
            own = Y[Z == j]
            new[j] = centre(own)
            P[j] = result(directions(inputs(own, own.mean(axis=0), Y), V.shape[1]))
        return Z, new, P

    return run


def directions_returned(Y, centres, V):
    Z, new, P = plain(Y, centres, V)
    W = np.array([np.linalg.eigh(p)[1][:, -V.shape[1] :].T for p in P])
    return Z, new, W


def changes_centres(Y, centres, V):
    Z, new, P = plain(Y, centres, V)
    centres[:] = new
    return Z, centres, P


def only_labels(Y, centres, V):
    return plain(Y, centres, V)[0]


def uneven_weights(Y, centres, V):
    """No known mistake: the first point of a plane counts twice."""
    return _round(centre=lambda own: np.vstack([own, own[:1]]).mean(axis=0))(Y, centres, V)


def within_and_least(Y, centres, V):
    """Two mistakes: the part within the plane, and the smallest eigenvalues."""
    q = V.shape[1]
    P = np.array([v.T @ v for v in V])
    new = np.array(centres, float)
    dist = np.array([np.sum(((Y - c) @ p) ** 2, axis=1) for c, p in zip(centres, P, strict=True)]).T
    Z = np.argmin(dist, axis=1)
    for k in range(len(centres)):
        if np.any(Z == k):
            G = Y[Z == k]
            new[k] = G.mean(0)
            vec = np.linalg.eigh((G - new[k]).T @ (G - new[k]))[1][:, :q]
            P[k] = vec @ vec.T
    return Z, new, P


WRONG = [
    ("least_variance", _round(directions=lambda A, q: np.linalg.svd(A)[2][-q:])),
    ("shape", directions_returned),
    ("changes_input", changes_centres),
    ("wrong_type", only_labels),
    ("line", uneven_weights),
    # written with fresh eyes, from the exercise's text alone
    ("within_the_plane", within_and_least),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    nearest_centre within_the_plane through_the_origin centre_not_projected point_not_centred
    sum_not_squared last_of_several labels_from_one labels_of_the_new least_variance
    across_the_plane not_centred mean_of_all pca_of_all one_dimension_more always_a_line
    empty_to_zero nobody_by_svd old_centre_in_pca
""".split()
