"""The Gram matrix of the L1 kernel, and points whose inner products it holds."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks import mercer_kernels
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data


def reference(Y):
    G = mercer_kernels.l1(Y)
    return G, _root(G)


def trials(seed):
    random = np.random.default_rng(seed)
    Y = np.array([[1.0, -2.0], [2.0, 1.0], [-1.0, 3.0]])
    made = [Trial("three points", dict(Y=Y))]
    for N, d, q in SIZES:
        _, Y = data(random, N, d, q)
        Y[:, 0] -= Y[:, 0].mean()  # both signs
        made.append(Trial(f"N = {N}, d = {d}", dict(Y=Y)))
    made.append(Trial("data a million times larger", dict(Y=1e6 * Y)))
    made.append(Trial("data a thousand times smaller", dict(Y=1e-3 * Y)))
    twice = np.vstack([Y, 0 * Y[:1], Y])  # half of the eigenvalues are zero: some round below
    made.append(Trial("each point twice, and one at the origin", dict(Y=twice)))
    return made


def _root(G):
    """The symmetric root; zeros replace negative eigenvalues."""
    values, vectors = np.linalg.eigh((G + G.T) / 2)
    return vectors * np.sqrt(values.clip(0)) @ vectors.T


def _with_gram(gram):
    def like(Y):
        G = gram(Y, np.abs(Y).sum(axis=1), cdist(Y, Y, "cityblock"))
        return G, _root(G)

    return like


def _with_root(root):
    def like(Y):
        G = mercer_kernels.l1(Y)
        with np.errstate(invalid="ignore"):
            return G, root(G)

    return like


def _of(size, distance):
    return (size[:, None] + size - distance) / 2


def _eigenvalues(G, function):
    values, vectors = np.linalg.eigh(G)
    return vectors * function(values.clip(0)) @ vectors.T


def _inverse_root(G):
    return _eigenvalues(G, lambda v: np.where(v > 0, 1 / np.sqrt(np.where(v > 0, v, 1)), 0))


def _by_rows(G):
    values, vectors = np.linalg.eigh(G)
    return vectors.T * np.sqrt(values.clip(0)) @ vectors


def _unclipped(G):
    values, vectors = np.linalg.eigh(G)
    return vectors * np.sqrt(values) @ vectors.T


def _of_d_eigenvalues(Y):
    G, d = mercer_kernels.l1(Y), Y.shape[1]
    values, vectors = (part[..., -d:] for part in np.linalg.eigh(G))
    return G, vectors * np.sqrt(values.clip(0)) @ vectors.T


def _one_sided(overlap):
    return lambda Y, *_: overlap(np.abs(Y)[:, None], np.abs(Y)).sum(axis=2)


def _chebyshev(Y, *_):
    return _of(np.abs(Y).max(axis=1), cdist(Y, Y, "chebyshev"))


def _euclidean(Y, *_):
    return _of(np.linalg.norm(Y, axis=1), cdist(Y, Y))


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


ROOT = "F is the symmetric root of G: F Fᵀ = G."

EXERCISE = Exercise(
    name="l1_gram",
    title="The L1 kernel, and its features",
    lesson="11_feature_space",
    equations="[UKR] (17), (18)",
    minutes=20,
    shapes={"Y": "N d"},
    returns={"G": "N N", "F": "N N"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "unsymmetric",
            "G is symmetric: k(y, y') = k(y', y).",
            "Your G is not symmetric. In (17) the two points play the same part; did you add one "
            "of the two sizes along the wrong axis?",
            _is_symmetric,
        ),
        Property(
            "own_product",
            "The diagonal of G holds |y|₁ of each point.",
            "The diagonal of your G is not |y|₁. A point is at distance 0 from itself, so (17) "
            "gives half of |y|₁ + |y|₁ there.",
            _diagonal_of_sizes,
        ),
        Property(
            "negative_eigenvalue",
            "G has no negative eigenvalue.",
            "Your G has negative eigenvalues, so it can't be a matrix of inner products: some "
            "combination of the features would have a negative squared length.",
            _no_negative_eigenvalue,
        ),
        Property(
            "F_another_root",
            ROOT,
            "The inner products of your rows are right, F Fᵀ = G, and F is as good as ours for "
            "any use. But such an F can be rotated in many ways. The task asks for the symmetric "
            "one, which is unique: V to the left of the roots and Vᵀ to the right.",
            _F_is_symmetric,
        ),
        Property(
            "F_by_columns",
            ROOT,
            "Your features are in columns: Fᵀ F is G, but F Fᵀ is not. The task asks for the "
            "symmetric F: multiply by the eigenvectors from the left too.",
            _F_by_rows,
        ),
        Property(
            "F_no_root",
            ROOT,
            "F Fᵀ is not your G. Each eigenvalue of F must be the square root of one of G, with "
            "the same eigenvector.",
            _F_is_a_root,
        ),
        Property(
            "distances",
            "The squared distances of the rows of F are the L1 distances of the data (18).",
            "The squared distances of the rows of your F are not the L1 distances of the data. Equation "
            "(18) says they must be: it tests G and F at once.",
            _distances_of_features,
        ),
    ),
    misconceptions=(
        Misconception(
            "plus_distance",
            "You add the distance; (17) subtracts it. The further apart two points are, the smaller "
            "their inner product.",
            _with_gram(lambda Y, size, D: _of(size, -D)),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 of (17) is missing. Look at the diagonal: the distance is 0 there, and "
            "|y|₁ + |y|₁ must become |y|₁.",
            _with_gram(lambda Y, size, D: 2 * _of(size, D)),
        ),
        Misconception(
            "half_of_sizes_only",
            "You halve the two sizes and not the distance. The 1/2 of (17) multiplies the whole "
            "bracket.",
            _with_gram(lambda Y, size, D: _of(size, 2 * D)),
        ),
        Misconception(
            "half_of_distance_only",
            "You halve the distance and not the two sizes. The 1/2 of (17) multiplies the whole "
            "bracket.",
            _with_gram(lambda Y, size, D: _of(2 * size, D)),
        ),
        Misconception(
            "distance_euclidean",
            "Your sizes are L1, but your distance is Euclidean. All three lengths of (17) are "
            "sums of absolute values.",
            _with_gram(lambda Y, size, D: _of(size, cdist(Y, Y))),
        ),
        Misconception(
            "distance_of_sizes",
            "You subtract the difference of the two sizes. |y - y'|₁ is the size of the difference: "
            "first subtract the points, then take absolute values.",
            _with_gram(lambda Y, size, D: _of(size, np.abs(size[:, None] - size))),
        ),
        Misconception(
            "zero_diagonal",
            "The diagonal of your G is zero. A point has an inner product with itself: its |y|₁.",
            _with_gram(lambda Y, size, D: _of(size, D) * (1 - np.eye(len(Y)))),
        ),
        Misconception(
            "exponential",
            "This is exp(-|y - y'|₁), another kernel. Its features lie on a sphere; (17) is a "
            "difference of lengths.",
            _with_gram(lambda Y, size, D: np.exp(-D)),
        ),
        Misconception(
            "sizes_forgotten",
            "This is -|y - y'|₁/2 alone, without the two sizes. UKR's error would be the same, "
            "but this is not an inner product: the diagonal is zero, and some eigenvalues are "
            "negative.",
            _with_gram(lambda Y, size, D: -D / 2),
        ),
        Misconception(
            "distances_for_products",
            "This is the matrix of L1 distances. A Gram matrix holds inner products: they are "
            "large for similar points. (17) turns distances into inner products.",
            _with_gram(lambda Y, size, D: D),
        ),
        Misconception(
            "signs_in_size",
            "You add up the numbers of a point with their signs. |y|₁ is the sum of their absolute "
            "values.",
            _with_gram(lambda Y, size, D: _of(Y.sum(axis=1), D)),
        ),
        Misconception(
            "distance_signed",
            "You add up the differences with their signs, so that they cancel. |y - y'|₁ takes the "
            "absolute value of each difference first, then the sum.",
            _with_gram(
                lambda Y, size, D: _of(size, np.abs(Y.sum(axis=1)[:, None] - Y.sum(axis=1)))
            ),
        ),
        Misconception(
            "euclidean",
            "You measure by Euclidean lengths. The 1 in |.|₁ means: the sum of the absolute "
            "values, without squares or a root.",
            _with_gram(_euclidean),
        ),
        Misconception(
            "linear",
            "These are the ordinary inner products of the data. The formula gives them for "
            "squared Euclidean lengths; here all three lengths are L1, not squared.",
            _with_gram(lambda Y, *_: Y @ Y.T),
        ),
        Misconception(
            "largest_only",
            "You take the largest absolute value of each point or difference. |.|₁ adds up all of them.",
            _with_gram(_chebyshev),
        ),
        Misconception(
            "mean_for_sum",
            "You take means over the columns. |.|₁ is their sum: your G is 1/d times the right "
            "one, and F the root of that.",
            _with_gram(lambda Y, size, D: _of(size, D) / Y.shape[1]),
        ),
        Misconception(
            "overlap_without_sides",
            "You compare absolute values and so lose the signs, as if 3 and -2 were 1 apart. They "
            "are 5 apart. A bar from 0 to 3 and one from 0 to -2 don't overlap at all.",
            _with_gram(_one_sided(np.minimum)),
        ),
        Misconception(
            "centred",
            "You have centred G. That moves the origin of feature space, so G is no longer (17). "
            "Distances and errors would stay the same, but the task asks for the kernel itself.",
            _with_gram(lambda Y, size, D: mercer_kernels.centred(_of(size, D))),
        ),
        Misconception(
            "data_centred",
            "You have centred the data first. In (17), |y|₁ is the distance of a point from the "
            "origin 0, so G depends on the origin.",
            lambda Y: reference(Y - Y.mean(axis=0)),
        ),
        Misconception(
            "root_of_entries",
            "You take the root of each entry of G. Then F Fᵀ is not G. Take the roots of the "
            "eigenvalues.",
            _with_root(lambda G: np.sqrt(G.clip(0))),
        ),
        Misconception(
            "no_root",
            "You build F with the eigenvalues themselves, so it is G again. F times F must give "
            "G: take their square roots.",
            _with_root(lambda G: G),
        ),
        Misconception(
            "squared",
            "Your F is G times G: you square the eigenvalues; take roots.",
            _with_root(lambda G: _eigenvalues(G, np.square)),
        ),
        Misconception(
            "inverse_root",
            "You divide by the roots of the eigenvalues. That would whiten; multiply by the roots.",
            _with_root(_inverse_root),
        ),
        Misconception(
            "eigenvectors_in_rows",
            "You read the eigenvectors as rows. np.linalg.eigh gives them as columns: vectors[:, k] "
            "belongs to values[k].",
            _with_root(_by_rows),
        ),
        Misconception(
            "no_clipping",
            "Your F is full of NaN where G has eigenvalues that should be zero, as with equal "
            "points: rounding makes some of them a little negative, and negative ones have no "
            "root. Set these to zero before you take roots.",
            _with_root(_unclipped),
        ),
        Misconception(
            "roots_on_rows",
            "You multiply row k of V by root k; then V Vᵀ = 1 makes F the diagonal matrix of the "
            "roots. Root k belongs to eigenvector k, which is column k.",
            _with_root(lambda G: np.diag(np.sqrt(np.linalg.eigvalsh(G).clip(0)))),
        ),
        Misconception(
            "as_many_as_columns",
            "You keep as many eigenvalues as the data have columns, as in PCA. The features of (17) "
            "fill more dimensions than the data, up to N: keep all eigenvalues.",
            _of_d_eigenvalues,
        ),
        Misconception(
            "cholesky",
            "Your F is the Cholesky factor, a triangle: F Fᵀ = G, but it isn't the symmetric root, and "
            "where an eigenvalue is zero it fails. Take V diag(√λ) Vᵀ.",
            _with_root(np.linalg.cholesky),
        ),
        Misconception(
            "order_of_results",
            "The two results are in the wrong order: first G, then F.",
            lambda Y: reference(Y)[::-1],
        ),
        Misconception(
            "F_of_doubled",
            "Your F is √2 times the right one: F Fᵀ is 2G. Did you apply the 1/2 of (17) after "
            "taking the root?",
            _with_root(lambda G: _root(2 * G)),
        ),
    ),
    hints=(
        "Two steps. First G, entry by entry from three L1 lengths: of y, of y', and of their "
        "difference. Then a symmetric matrix F whose product with itself is G, as 3 times 3 is 9.",
        "G: half of (size of n + size of m - L1 distance of n and m), where a size is a sum of "
        "absolute values. F: G = V diag(λ) Vᵀ by eigenvectors, and F = V diag(√λ) Vᵀ, with zero "
        "for any λ that rounding has made negative.",
        "All differences are in np.abs(Y[:, None] - Y), of shape (N, N, d); sum over the last axis. "
        "np.linalg.eigh(G) gives the eigenvalues and, as columns, the eigenvectors. Clip the values at "
        "0, take their roots, multiply column k by root k, and that by the transposed eigenvectors.",
    ),
)
