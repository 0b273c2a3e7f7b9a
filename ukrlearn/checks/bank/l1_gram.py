"""The Gram matrix of the L1 kernel, and points whose inner products it holds."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks import mercer_kernels
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data


def reference(Y):
    G = mercer_kernels.l1(Y)
    return G, _root(G)


def trials(seed):
    random = np.random.default_rng(seed)
    Y = np.array([[1.0, -2.0], [2.0, 1.0], [-1.0, 3.0]])
    made = [Trial("three points", dict(Y=Y))]
    Y = np.array([[3.0, -3.0], [-2.0, -2.0], [0.0, 3.0], [3.0, -3.0]])  # one λ rounds below zero
    made.append(Trial("four points, two of them equal", dict(Y=Y)))
    for N, d, q in SIZES:
        _, Y = data(random, N, d, q)
        Y[:, 0] -= Y[:, 0].mean()  # both signs
        made.append(Trial(f"N = {N}, d = {d}", dict(Y=Y)))
    made.append(
        Trial("centred points, two of them equal, one at the origin", dict(Y=_centred(random)))
    )
    made.append(Trial("data a million times larger", dict(Y=1e6 * Y)))
    made.append(Trial("data a thousand times smaller", dict(Y=1e-3 * Y)))
    twice = np.vstack([Y, 0 * Y[:1], Y])  # half of the eigenvalues are zero: some round below
    made.append(Trial("each point twice, and one at the origin", dict(Y=twice)))
    return made


def _root(G):
    """The symmetric root; zeros replace negative eigenvalues."""
    values, vectors = np.linalg.eigh((G + G.T) / 2)
    return vectors * np.sqrt(values.clip(0)) @ vectors.T


def _centred(random):
    """Aimed at nothing; not in opposite pairs, for then eigenvalues would be equal."""
    Y = random.normal(size=(5, 3))
    Y = np.vstack([Y, Y[0], np.zeros(3)])
    return np.vstack([Y, -Y.sum(axis=0)])


FEATURES = pipeline(
    "Y",
    returns="G F",
    sizes=lambda Y: np.sum(np.abs(Y), axis=1),
    distances=lambda Y: np.sum(np.abs(Y[:, None] - Y), axis=2),
    brackets=lambda sizes, distances: sizes[:, None] + sizes - distances,
    G=lambda brackets: brackets / 2,
    values=lambda G: np.linalg.eigh(G)[0],
    vectors=lambda G: np.linalg.eigh(G)[1],
    clipped=lambda values: np.maximum(values, 0),
    roots=lambda clipped: np.sqrt(clipped),
    F=lambda vectors, roots: vectors * roots @ vectors.T,
)


def _one_long_row(Y):
    """The distances of all pairs as pdist returns them."""
    return FEATURES.distances(Y)[np.triu_indices(len(Y), 1)]


def _signed_distances(Y):
    return np.sum(Y[:, None] - Y, axis=2)


def _inverse(clipped):
    return np.where(clipped > 0, 1 / np.sqrt(np.where(clipped > 0, clipped, 1)), 0)


def _overlap_without_sides(Y):
    return np.sum(np.minimum(np.abs(Y)[:, None], np.abs(Y)), axis=2)


def _largest_of_d(values, Y):
    return np.where(np.arange(len(values)) < len(values) - Y.shape[1], 0, np.maximum(values, 0))


def _first_of_d(values, Y):
    return np.where(np.arange(len(values)) >= Y.shape[1], 0, np.maximum(values, 0))


def _close(one, other, tolerance=2e-3):
    return bool(np.abs(one - other).max() <= tolerance * np.abs(other).max(initial=1e-300))


def _is_symmetric(value, Y):
    return _close(value[0], value[0].T)


def _diagonal_of_sizes(value, Y):
    return _close(np.diagonal(value[0]), np.abs(Y).sum(axis=1))


def _no_negative_eigenvalue(value, Y):
    values = np.linalg.eigvalsh((value[0] + value[0].T) / 2)
    return bool(values[0] >= -1e-3 * np.abs(values).max())


def _F_is_symmetric(value, Y):
    """Or F is not a root either, and the report says so first."""
    G, F = value
    return not _close(F @ F.T, G) or _close(F, F.T)


def _F_by_rows(value, Y):
    G, F = value
    return _close(F @ F.T, G) or not _close(F.T @ F, G)


def _F_is_a_root(value, Y):
    G, F = value
    return _close(F @ F.T, G)


def _distances_of_features(value, Y):
    F = value[1]
    return _close(np.sum((F[:, None] - F) ** 2, axis=2), cdist(Y, Y, "cityblock"))


MISTAKES = (
    FEATURES.mistake("sizes_of_columns", sizes=lambda Y: np.sum(np.abs(Y), axis=0)),
    FEATURES.mistake(
        "distances_of_columns", distances=lambda Y: np.sum(np.abs(Y[:, None] - Y), axis=1)
    ),
    FEATURES.mistake("one_long_row", distances=_one_long_row),
    FEATURES.mistake("distance_euclidean", distances=lambda Y: cdist(Y, Y)),
    FEATURES.mistake("distance_of_sizes", distances=lambda sizes: np.abs(sizes[:, None] - sizes)),
    FEATURES.mistake("exponential", G=lambda distances: np.exp(-distances)),
    FEATURES.mistake("distances_for_products", G=lambda distances: distances),
    FEATURES.mistake("distance_signed", distances=lambda Y: np.abs(_signed_distances(Y))),
    FEATURES.mistake(
        "euclidean", sizes=lambda Y: np.linalg.norm(Y, axis=1), distances=lambda Y: cdist(Y, Y)
    ),
    FEATURES.mistake("linear", G=lambda Y: Y @ Y.T),
    FEATURES.mistake("overlap_without_sides", G=_overlap_without_sides),
    FEATURES.mistake("centred", G=lambda brackets: mercer_kernels.centred(brackets / 2)),
    FEATURES.mistake("data_centred", sizes=lambda Y: FEATURES.sizes(Y - Y.mean(axis=0))),
    FEATURES.mistake("root_of_entries", F=lambda G: np.sqrt(np.maximum(G, 0))),
    FEATURES.mistake("squared", roots=lambda clipped: clipped**2),
    FEATURES.mistake("inverse_root", roots=_inverse),
    FEATURES.mistake("eigenvectors_in_rows", F=lambda vectors, roots: vectors.T * roots @ vectors),
    FEATURES.mistake("no_clipping", clipped=lambda values: values),
    FEATURES.mistake("as_many_as_columns", clipped=_largest_of_d),
    FEATURES.mistake("cholesky", F=lambda G: np.linalg.cholesky(G)),
    FEATURES.mistake("vectors_times_roots", F=lambda vectors, roots: vectors * roots),
    FEATURES.mistake("features_in_columns", F=lambda vectors, roots: roots[:, None] * vectors.T),
    FEATURES.mistake("vectors_for_features", F=lambda vectors: vectors),
    FEATURES.mistake("smallest_kept", clipped=_first_of_d),
    FEATURES.mistake("sizes_euclidean", sizes=lambda Y: np.linalg.norm(Y, axis=1)),
    FEATURES.mistake("sizes_squared", sizes=lambda Y: np.sum(Y**2, axis=1)),
    FEATURES.mistake("distance_squared", distances=lambda Y: np.sum((Y[:, None] - Y) ** 2, axis=2)),
    FEATURES.mistake("size_of_the_matrix", sizes=lambda Y: np.full(len(Y), np.linalg.norm(Y, 1))),
    FEATURES.mistake("one_size_for_all", sizes=lambda Y: np.full(len(Y), np.abs(Y).sum())),
    FEATURES.mistake(
        "gram_turned", brackets=lambda sizes, distances: distances - sizes[:, None] - sizes
    ),
)


EXERCISE = exercise(
    "l1_gram",
    lesson="11_feature_space",
    equations="[UKR] (17), (18)",
    minutes=20,
    shapes={"Y": "N d"},
    returns={"G": "N N", "F": "N N"},
    trials=trials,
    reference=reference,
    stages=FEATURES,
    properties=(
        Property("unsymmetric", holds=_is_symmetric),
        Property("own_product", holds=_diagonal_of_sizes),
        Property("negative_eigenvalue", holds=_no_negative_eigenvalue),
        Property("F_another_root", holds=_F_is_symmetric),
        Property("F_by_columns", holds=_F_by_rows),
        Property("F_no_root", holds=_F_is_a_root),
        Property("distances", holds=_distances_of_features),
    ),
    misconceptions=MISTAKES,
)
