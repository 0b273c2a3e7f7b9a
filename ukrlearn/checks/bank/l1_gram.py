"""The Gram matrix of the L1 kernel, and points whose inner products it holds."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks import mercer_kernels
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
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


def sizes(Y):
    """the sizes |y|₁"""
    return np.sum(np.abs(Y), axis=1)


def distances(Y):
    """the distances |y - y'|₁"""
    return np.sum(np.abs(Y[:, None] - Y), axis=2)


def brackets(sizes, distances):
    """the brackets of (17)"""
    return sizes[:, None] + sizes - distances


def G(brackets):
    """G"""
    return brackets / 2


def values(G):
    """the eigenvalues λ of G"""
    return np.linalg.eigh(G)[0]


def vectors(G):
    """the eigenvectors V of G"""
    return np.linalg.eigh(G)[1]


def clipped(values):
    """the eigenvalues with zeros for negative ones"""
    return np.maximum(values, 0)


def roots(clipped):
    """the roots of the eigenvalues"""
    return np.sqrt(clipped)


def F(vectors, roots):
    """F"""
    return vectors * roots @ vectors.T


FEATURES = pipeline(
    "Y", sizes, distances, brackets, G, values, vectors, clipped, roots, F, returns="G F"
)


def _one_long_row(Y):
    """The distances of all pairs as pdist returns them."""
    return distances(Y)[np.triu_indices(len(Y), 1)]


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
    stages=FEATURES,
    properties=(
        Property(
            "unsymmetric",
            "G is symmetric: k(y, y') = k(y', y).",
            "Your G is not symmetric. In (17) the two points play the same part.",
            _is_symmetric,
            suspects=(("brackets", "Did you add one of the two sizes along the wrong axis?"),),
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
            "The inner products of the rows of your F are your G, but such an F can be rotated in "
            "many ways, and yours is not symmetric. The task asks for the symmetric one, which is "
            "unique: V to the left of the roots and Vᵀ to the right.",
            _F_is_symmetric,
        ),
        Property(
            "F_by_columns",
            ROOT,
            "Your features are in columns: Fᵀ F is your G, but F Fᵀ is not. The task asks for the "
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
            "one_long_row",
            "Your distances are one long row of N (N - 1)/2 numbers, as pdist returns them. G needs a "
            "table of N rows and columns: squareform(...) makes it.",
            FEATURES(distances=_one_long_row),
        ),
        Misconception(
            "plus_distance",
            "You add the distance; (17) subtracts it. The further apart two points are, the smaller "
            "their inner product.",
            FEATURES(brackets=lambda sizes, distances: sizes[:, None] + sizes + distances),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 of (17) is missing. Look at the diagonal: the distance is 0 there, and "
            "|y|₁ + |y|₁ must become |y|₁.",
            FEATURES(G=lambda brackets: brackets),
        ),
        Misconception(
            "half_of_sizes_only",
            "You halve the two sizes and not the distance. The 1/2 of (17) multiplies the whole "
            "bracket.",
            FEATURES(
                brackets=lambda sizes, distances: (sizes[:, None] + sizes) / 2 - distances,
                G=lambda brackets: brackets,
            ),
        ),
        Misconception(
            "half_of_distance_only",
            "You halve the distance and not the two sizes. The 1/2 of (17) multiplies the whole "
            "bracket.",
            FEATURES(
                brackets=lambda sizes, distances: sizes[:, None] + sizes - distances / 2,
                G=lambda brackets: brackets,
            ),
        ),
        Misconception(
            "distance_euclidean",
            "Your sizes are L1, but your distance is Euclidean. All three lengths of (17) are "
            "sums of absolute values.",
            FEATURES(distances=lambda Y: cdist(Y, Y)),
        ),
        Misconception(
            "distance_of_sizes",
            "You subtract the difference of the two sizes. |y - y'|₁ is the size of the difference: "
            "first subtract the points, then take absolute values.",
            FEATURES(distances=lambda sizes: np.abs(sizes[:, None] - sizes)),
        ),
        Misconception(
            "zero_diagonal",
            "The diagonal of your G is zero. A point has an inner product with itself: its |y|₁.",
            FEATURES(G=lambda brackets: (brackets - np.diag(np.diag(brackets))) / 2),
        ),
        Misconception(
            "exponential",
            "This is exp(-|y - y'|₁), another kernel. Its features lie on a sphere; (17) is a "
            "difference of lengths.",
            FEATURES(G=lambda distances: np.exp(-distances)),
        ),
        Misconception(
            "sizes_forgotten",
            "This is -|y - y'|₁/2 alone, without the two sizes. UKR's error would be the same, "
            "but this is not an inner product: the diagonal is zero, and some eigenvalues are "
            "negative.",
            FEATURES(brackets=lambda distances: -distances),
        ),
        Misconception(
            "distances_for_products",
            "This is the matrix of L1 distances. A Gram matrix holds inner products: they are "
            "large for similar points. (17) turns distances into inner products.",
            FEATURES(G=lambda distances: distances),
        ),
        Misconception(
            "signs_in_size",
            "You add up the numbers of a point with their signs. |y|₁ is the sum of their absolute "
            "values.",
            FEATURES(sizes=lambda Y: np.sum(Y, axis=1)),
        ),
        Misconception(
            "distance_signed",
            "You add up the differences with their signs, so that they cancel. |y - y'|₁ takes the "
            "absolute value of each difference first, then the sum.",
            FEATURES(distances=lambda Y: np.abs(_signed_distances(Y))),
        ),
        Misconception(
            "euclidean",
            "You measure by Euclidean lengths. The 1 in |.|₁ means: the sum of the absolute "
            "values, without squares or a root.",
            FEATURES(sizes=lambda Y: np.linalg.norm(Y, axis=1), distances=lambda Y: cdist(Y, Y)),
        ),
        Misconception(
            "linear",
            "These are the ordinary inner products of the data. The formula gives them for "
            "squared Euclidean lengths; here all three lengths are L1, not squared.",
            FEATURES(G=lambda Y: Y @ Y.T),
        ),
        Misconception(
            "largest_only",
            "You take the largest absolute value of each point or difference. |.|₁ adds up all of them.",
            FEATURES(
                sizes=lambda Y: np.max(np.abs(Y), axis=1),
                distances=lambda Y: cdist(Y, Y, "chebyshev"),
            ),
        ),
        Misconception(
            "mean_for_sum",
            "You take means over the columns. |.|₁ is their sum: your G is 1/d times the right "
            "one, and F the root of that.",
            FEATURES(
                sizes=lambda Y: np.mean(np.abs(Y), axis=1),
                distances=lambda Y: distances(Y) / Y.shape[1],
            ),
        ),
        Misconception(
            "overlap_without_sides",
            "You compare absolute values and so lose the signs, as if 3 and -2 were 1 apart. They "
            "are 5 apart. A bar from 0 to 3 and one from 0 to -2 don't overlap at all.",
            FEATURES(G=_overlap_without_sides),
        ),
        Misconception(
            "centred",
            "You have centred G. That moves the origin of feature space, so G is no longer (17). "
            "Distances and errors would stay the same, but the task asks for the kernel itself.",
            FEATURES(G=lambda brackets: mercer_kernels.centred(brackets / 2)),
        ),
        Misconception(
            "data_centred",
            "You have centred the data first. In (17), |y|₁ is the distance of a point from the "
            "origin 0, so G depends on the origin.",
            FEATURES(sizes=lambda Y: sizes(Y - Y.mean(axis=0))),
        ),
        Misconception(
            "root_of_entries",
            "You take the root of each entry of G. Then F Fᵀ is not G. Take the roots of the "
            "eigenvalues.",
            FEATURES(F=lambda G: np.sqrt(np.maximum(G, 0))),
        ),
        Misconception(
            "no_root",
            "You build F with the eigenvalues themselves, so it is G again. F times F must give "
            "G: take their square roots.",
            FEATURES(roots=lambda clipped: clipped),
        ),
        Misconception(
            "squared",
            "Your F is G times G: you square the eigenvalues; take roots.",
            FEATURES(roots=lambda clipped: clipped**2),
        ),
        Misconception(
            "inverse_root",
            "You divide by the roots of the eigenvalues. That would whiten; multiply by the roots.",
            FEATURES(roots=_inverse),
        ),
        Misconception(
            "eigenvectors_in_rows",
            "You read the eigenvectors as rows. np.linalg.eigh gives them as columns: vectors[:, k] "
            "belongs to values[k].",
            FEATURES(F=lambda vectors, roots: vectors.T * roots @ vectors),
        ),
        Misconception(
            "no_clipping",
            "Your F holds NaN where G has eigenvalues that should be zero, as with equal "
            "points: rounding makes some of them a little negative, and negative ones have no "
            "root. Set these to zero before you take roots.",
            FEATURES(clipped=lambda values: values),
        ),
        Misconception(
            "roots_on_rows",
            "You multiply row k of V by root k; then V Vᵀ = 1 makes F the diagonal matrix of the "
            "roots. Root k belongs to eigenvector k, which is column k.",
            FEATURES(F=lambda roots: np.diag(roots)),
        ),
        Misconception(
            "as_many_as_columns",
            "You keep as many eigenvalues as the data have columns, as in PCA. The features of (17) "
            "fill more dimensions than the data, up to N: keep all eigenvalues.",
            FEATURES(clipped=_largest_of_d),
        ),
        Misconception(
            "cholesky",
            "Your F is the Cholesky factor, a triangle: F Fᵀ = G, but it isn't the symmetric root, and "
            "where an eigenvalue is zero it fails. Take V diag(√λ) Vᵀ.",
            FEATURES(F=lambda G: np.linalg.cholesky(G)),
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
            FEATURES(values=lambda brackets: np.linalg.eigh(brackets)[0]),
        ),
        Misconception(
            "vectors_times_roots",
            "Your F is V times the roots, without Vᵀ behind it. Its rows have the inner products G, as "
            "in PCA, but F is not symmetric. The task asks for V diag(√λ) Vᵀ.",
            FEATURES(F=lambda vectors, roots: vectors * roots),
        ),
        Misconception(
            "features_in_columns",
            "Your F is the roots times Vᵀ, without V before it: its features are in columns, and Fᵀ F "
            "is G. The task asks for V diag(√λ) Vᵀ, which is symmetric.",
            FEATURES(F=lambda vectors, roots: roots[:, None] * vectors.T),
        ),
        Misconception(
            "vectors_for_features",
            "Your F is the matrix of eigenvectors. Put the roots between V and Vᵀ: V diag(√λ) Vᵀ.",
            FEATURES(F=lambda vectors: vectors),
        ),
        Misconception(
            "transpose_missing",
            "The second V has no transpose: F is V diag(√λ) Vᵀ.",
            FEATURES(F=lambda vectors, roots: vectors * roots @ vectors),
        ),
        Misconception(
            "smallest_kept",
            "You keep the first eigenvalues, as many as the data have columns. np.linalg.eigh gives the "
            "smallest first; and the task keeps all of them.",
            FEATURES(clipped=_first_of_d),
        ),
        Misconception(
            "sizes_euclidean",
            "Your sizes are Euclidean lengths, as np.linalg.norm gives them. |y|₁ is the sum of "
            "absolute values, without squares or a root.",
            FEATURES(sizes=lambda Y: np.linalg.norm(Y, axis=1)),
        ),
        Misconception(
            "sizes_squared",
            "Your sizes are sums of squares. |y|₁ is the sum of absolute values.",
            FEATURES(sizes=lambda Y: np.sum(Y**2, axis=1)),
        ),
        Misconception(
            "distance_squared",
            "Your distances are sums of squares. |y - y'|₁ is the sum of absolute values.",
            FEATURES(distances=lambda Y: np.sum((Y[:, None] - Y) ** 2, axis=2)),
        ),
        Misconception(
            "distance_without_absolute",
            "In the distance the absolute values are missing: you add up signed differences. |y - y'|₁ "
            "takes the absolute value of each difference first.",
            FEATURES(distances=_signed_distances),
        ),
        Misconception(
            "sizes_mean",
            "Your sizes are means over the columns. |y|₁ is the sum of the absolute values.",
            FEATURES(sizes=lambda Y: np.mean(np.abs(Y), axis=1)),
        ),
        Misconception(
            "distance_mean",
            "Your distances are means over the columns. |y - y'|₁ is the sum of the absolute values.",
            FEATURES(distances=lambda Y: np.mean(np.abs(Y[:, None] - Y), axis=2)),
        ),
        Misconception(
            "size_of_the_matrix",
            "You use one number for all sizes: np.linalg.norm(Y, 1) without an axis is a norm of the "
            "matrix Y. Each point has its own size: add axis=1.",
            FEATURES(sizes=lambda Y: np.full(len(Y), np.linalg.norm(Y, 1))),
        ),
        Misconception(
            "one_size_for_all",
            "You use one number for all sizes, the sum over the whole of Y. Each point has its own "
            "size: add axis=1.",
            FEATURES(sizes=lambda Y: np.full(len(Y), np.abs(Y).sum())),
        ),
        Misconception(
            "sizes_of_columns",
            "Your sizes belong to the columns of Y. Each point, a row of Y, has a size: sum over "
            "axis=1.",
            FEATURES(sizes=lambda Y: np.sum(np.abs(Y), axis=0)),
        ),
        Misconception(
            "distances_of_columns",
            "You sum the differences over the points, not over the columns. Y[:, None] - Y has the "
            "shape (N, N, d): sum over its last axis.",
            FEATURES(distances=lambda Y: np.sum(np.abs(Y[:, None] - Y), axis=1)),
        ),
        Misconception(
            "sizes_not_crossed",
            "You add the size of the same point twice. In row n and column m the two sizes are those "
            "of n and m: one of them must be a column, size[:, None].",
            FEATURES(brackets=lambda sizes, distances: sizes + sizes - distances),
        ),
        Misconception(
            "one_size_only",
            "One of the two sizes of (17) is missing: |y|₁ + |y'|₁.",
            FEATURES(brackets=lambda sizes, distances: sizes[:, None] - distances),
        ),
        Misconception(
            "gram_turned",
            "Your G has the opposite sign: the distance is subtracted from the two sizes, not the "
            "sizes from the distance.",
            FEATURES(brackets=lambda sizes, distances: distances - sizes[:, None] - sizes),
        ),
    ),
    hints=(
        "What must stand on the diagonal of G, where y and y' are the same point? And if G were a "
        "diagonal matrix, which F would have F F = G? How do the eigenvectors make every G a "
        "diagonal one?",
        "G: half of (size of n + size of m - L1 distance of n and m), where a size is a sum of "
        "absolute values. F: G = V diag(λ) Vᵀ by eigenvectors, and F = V diag(√λ) Vᵀ, with zero "
        "for any λ that rounding has made negative.",
        "All differences are in np.abs(Y[:, None] - Y), of shape (N, N, d); sum over the last axis. "
        "np.linalg.eigh(G) gives the eigenvalues and, as columns, the eigenvectors. Clip the values at "
        "0, take their roots, multiply column k by root k, and that by the transposed eigenvectors.",
    ),
)
