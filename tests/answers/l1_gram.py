"""Answers to the exercise on the L1 kernel and its features."""

import numpy as np
from scipy.linalg import svd
from scipy.spatial.distance import pdist, squareform


def _root(G):
    values, vectors = np.linalg.eigh(G)
    return vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T


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


RIGHT = [by_overlaps, by_singular_values, in_single_precision, checked_and_in_place]


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


def of_columns(Y):
    return _looped(k)(Y.T)


def only_G(Y):
    return _looped(k)(Y)[0]


def takes_absolute_values_in_place(Y):
    distances = squareform(pdist(Y, "cityblock"))
    np.abs(Y, out=Y)
    G = (Y.sum(1)[:, None] + Y.sum(1) - distances) / 2
    return G, _root(G)


def one_size_only(Y):
    G = np.array([[size(a) - size(a - b) / 2 for b in Y] for a in Y])
    return G, _root(_looped(k)(Y)[0])


WRONG = [
    ("root_of_entries", _looped(k, np.sqrt)),
    ("unsymmetric", one_size_only),
    ("shape", of_columns),
    ("wrong_type", only_G),
    ("changes_input", takes_absolute_values_in_place),
]


def cholesky_of_a_little_more(G):
    return np.linalg.cholesky(G + 1e-9 * np.eye(len(G)))


WRONG += [
    ("cholesky", _looped(k, np.linalg.cholesky)),
    ("cholesky", _looped(k, cholesky_of_a_little_more)),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    half_missing distances_for_products signs_in_size distance_signed linear overlap_without_sides
    no_root squared eigenvectors_in_rows vectors_times_roots features_in_columns exponential
    distance_euclidean no_clipping overlap_without_sides as_many_as_columns data_centred
""".split()
