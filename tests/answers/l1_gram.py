"""Answers to the exercise on the L1 kernel and its features."""

import numpy as np
from scipy.linalg import svd
from scipy.spatial.distance import pdist, squareform


def _root(G):
    values, vectors = np.linalg.eigh(G)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T


def in_plain_loops(Y):
    N, d = Y.shape
    G = [[0.0] * N for _ in range(N)]
    for n in range(N):
        for m in range(N):
            for k in range(d):
                a, b = Y[n][k], Y[m][k]
                G[n][m] += 0.5 * (abs(a) + abs(b) - abs(a - b))
    values, vectors = np.linalg.eigh(np.array(G))
    F = np.zeros((N, N))
    for value, v in zip(values, vectors.T, strict=True):
        if value > 0:
            F += value**0.5 * np.outer(v, v)
    return G, F.tolist()


def by_overlaps(Y):
    """Bars from 0 to each number: the kernel is how far they overlap."""
    right, left = np.maximum(Y, 0), np.maximum(-Y, 0)
    G = sum(np.minimum(Z[:, None], Z).sum(axis=2) for Z in (right, left))
    return G, _root(G)


def by_singular_values(Y):
    D = squareform(pdist(Y, "cityblock"))
    size = np.linalg.norm(Y, ord=1, axis=1)
    G = np.add.outer(size, size) / 2 - D / 2
    U, s, _ = svd(G)
    return G, np.einsum("nk,k,mk->nm", U, np.sqrt(s), U)


def in_single_precision(Y):
    Y = Y.astype(np.float32)
    size = np.abs(Y).sum(-1)
    G = (size[:, None] + size[None] - np.abs(Y[:, None] - Y[None]).sum(-1)) / 2
    return G, _root(G.astype(float))


def checked_and_in_place(Y):
    Y = np.array(Y, dtype=float)
    assert Y.ndim == 2
    G = np.zeros((len(Y), len(Y)))
    for column in Y.T:
        G += np.abs(column)
        G += np.abs(column)[:, None]
        G -= np.abs(np.subtract.outer(column, column))
    G *= 0.5
    values, F = np.linalg.eigh(G)
    F = F.copy()
    vectors = F.copy()
    F *= np.sqrt(np.abs(values))
    return G, F @ vectors.T


RIGHT = [
    in_plain_loops,
    by_overlaps,
    by_singular_values,
    in_single_precision,
    checked_and_in_place,
]


def _looped(entry, root=_root):
    """G from a function of two points, and F from G."""

    def both(Y):
        G = np.array([[entry(a, b) for b in Y] for a in Y])
        return G, root(G)

    return both


def size(y):
    return np.abs(y).sum()


def k(a, b):
    return (size(a) + size(b) - size(a - b)) / 2


def coordinates_of_the_lesson(G):
    values, vectors = np.linalg.eigh(G)
    return vectors * np.sqrt(values.clip(0))


def without_clipping(G):
    values, vectors = np.linalg.eigh(G)
    return vectors * np.sqrt(values) @ vectors.T


def mixed_up_eigenvectors(G):
    values, V = np.linalg.eigh(G)
    return V.T @ np.diag(values.clip(0) ** 0.5) @ V


def in_columns(G):
    values, vectors = np.linalg.eigh(G)
    return np.sqrt(values.clip(0))[:, None] * vectors.T


def of_columns(Y):
    return _looped(k)(Y.T)


def only_G(Y):
    return _looped(k)(Y)[0]


def swapped(Y):
    G, F = _looped(k)(Y)
    return F, G


def takes_absolute_values_in_place(Y):
    distances = squareform(pdist(Y, "cityblock"))
    np.abs(Y, out=Y)
    G = (Y.sum(1)[:, None] + Y.sum(1) - distances) / 2
    return G, _root(G)


def root_of_a_doubled_gram(Y):
    G = _looped(k)(Y)[0]
    return G, _root(2 * G)


def one_size_only(Y):
    G = np.array([[size(a) - size(a - b) / 2 for b in Y] for a in Y])
    return G, _root(_looped(k)(Y)[0])


WRONG = [
    ("plus_distance", _looped(lambda a, b: (size(a) + size(b) + size(a - b)) / 2)),
    ("half_missing", _looped(lambda a, b: 2 * k(a, b))),
    ("half_of_sizes_only", _looped(lambda a, b: (size(a) + size(b)) / 2 - size(a - b))),
    ("sizes_forgotten", _looped(lambda a, b: -size(a - b) / 2)),
    ("distances_for_products", _looped(lambda a, b: size(a - b))),
    ("signs_in_size", _looped(lambda a, b: (a.sum() + b.sum() - size(a - b)) / 2)),
    ("distance_signed", _looped(lambda a, b: (size(a) + size(b) - abs((a - b).sum())) / 2)),
    ("linear", _looped(np.dot)),
    ("mean_for_sum", _looped(lambda a, b: k(a, b) / len(a))),
    ("overlap_without_sides", _looped(lambda a, b: sum(map(min, abs(a), abs(b))))),
    ("root_of_entries", _looped(k, np.sqrt)),
    ("no_root", _looped(k, lambda G: G)),
    ("squared", _looped(k, lambda G: G @ G)),
    ("eigenvectors_in_rows", _looped(k, mixed_up_eigenvectors)),
    ("vectors_times_roots", _looped(k, coordinates_of_the_lesson)),
    ("features_in_columns", _looped(k, in_columns)),
    ("exponential", _looped(lambda a, b: np.exp(-size(a - b)))),
    ("distance_euclidean", _looped(lambda a, b: (size(a) + size(b) - np.linalg.norm(a - b)) / 2)),
    ("no_clipping", _looped(k, without_clipping)),
    ("F_of_doubled", root_of_a_doubled_gram),
    ("unsymmetric", one_size_only),
    ("shape", of_columns),
    ("wrong_type", only_G),
    ("order_of_results", swapped),
    ("changes_input", takes_absolute_values_in_place),
]


# written with fresh eyes, from the exercise's text alone
def roots_on_the_rows(G):
    values, V = np.linalg.eigh(G)
    return (V * np.sqrt(np.maximum(values, 0))[:, None]) @ V.T


def absolute_values_first(Y):
    Y = np.abs(Y)
    G = 0.5 * (Y.sum(axis=1)[:, None] + Y.sum(axis=1) - np.abs(Y[:, None] - Y).sum(axis=2))
    return G, _root(G)


def as_many_as_columns(Y):
    G = by_overlaps(Y)[0]
    values, V = np.linalg.eigh(G)
    d = Y.shape[1]
    return G, V[:, -d:] @ np.diag(np.sqrt(np.maximum(values[-d:], 0))) @ V[:, -d:].T


def sizes_that_do_not_cross(Y):
    s = np.abs(Y).sum(axis=1)
    G = 0.5 * (s + s - np.abs(Y[:, None] - Y[None]).sum(axis=2))
    return G, _root(G)


def cholesky_of_a_little_more(G):
    return np.linalg.cholesky(G + 1e-9 * np.eye(len(G)))


WRONG += [
    ("roots_on_rows", _looped(k, roots_on_the_rows)),
    ("overlap_without_sides", absolute_values_first),
    ("as_many_as_columns", as_many_as_columns),
    ("sizes_not_crossed", sizes_that_do_not_cross),
    ("cholesky", _looped(k, np.linalg.cholesky)),
    ("cholesky", _looped(k, cholesky_of_a_little_more)),
    ("data_centred", lambda Y: by_overlaps(Y - Y.mean(axis=0))),
]
