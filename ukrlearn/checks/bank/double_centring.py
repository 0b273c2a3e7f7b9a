"""Coordinates from squared distances: double centring, eigenvectors, and what does not fit."""

import math

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.si.geodesics import negative_share

SIZES = ((7, 2, 4), (6, 3, 2), (9, 1, 3))  # N, q, dimensions before stretching
NOTHING = 1e-5  # a share of less is rounding
FOUR = ((0.0, 9.0, 1.0, 2.0), (9.0, 0.0, 2.0, 1.0), (1.0, 2.0, 0.0, 1.0), (2.0, 1.0, 1.0, 0.0))
TINY = 1e-4  # so is a column of less


def reference(squared, q):
    values, V = np.linalg.eigh(_centred(squared))
    values, V = values[::-1], V[:, ::-1]
    X = V[:, :q] * np.sqrt(np.maximum(values[:q], 0))
    return X, negative_share(np.sqrt(squared))


def comparable(name, array):
    """X without regard to the sign of each column, the share without rounding."""
    if name == "share":
        return np.where(np.abs(array) < NOTHING, 0.0, array)
    if array.ndim != 2 or not array.size:
        return array
    size = np.abs(array).max(axis=0)
    array = np.where(size < TINY, 0.0, array)
    first = np.argmax(np.abs(array) > 0.01 * size, axis=0)  # that is not nearly zero
    return array * np.where(array[first, np.arange(array.shape[1])] < 0, -1.0, 1.0)


def _uneven(random, N, q, d):
    """Squared distances of points, each pair stretched by a factor: S has negative eigenvalues."""
    while True:
        Y = random.normal(size=(N, d)) * np.linspace(3, 1, d)
        stretch = np.exp(0.3 * random.normal(size=(N, N)))
        K = np.sum((Y[:, None] - Y) ** 2, axis=2) * (stretch + stretch.T)
        values, V = np.linalg.eigh(_centred(K))
        values, V = values[::-1], V[:, ::-1][:, :q]
        size = np.abs(V) / np.abs(V).max(axis=0)
        # a coordinate too many for d must be beaten by a negative eigenvalue, or nobody would see
        # whether |λ| was sorted
        least = 1.2 * values[q - 1] if q > d else 0.03 * values[0]
        is_apart = np.min(-np.diff(values)[:q]) > 0.03 * values[0] and values[q] > 0.03 * values[0]
        if is_apart and -values[-1] > least and (np.abs(size - 0.01) > 0.005).all():
            return K


def trials(seed):
    random = np.random.default_rng(seed)
    line = np.array([0.0, 1.0, 5.0]) * (1 + 0.25 * random.integers(4))
    four = np.array(FOUR)
    made = [Trial("three points on a line", dict(squared=(line[:, None] - line) ** 2, q=1))]
    made.append(Trial("four points, two coordinates", dict(squared=four, q=2)))
    made.append(Trial("four points, four coordinates", dict(squared=four, q=4)))
    # distances do not know where the origin is, so there is nothing to centre on it; and a row of
    # zeros means that all points are in one place
    for N, q, d in SIZES:
        K = _uneven(random, N, q, d)
        made.append(Trial(f"N = {N} points, q = {q}", dict(squared=K, q=q)))
    made.append(Trial("another unit of length", dict(squared=1e6 * K, q=q)))
    made.append(Trial("a large unit of length", dict(squared=1e-3 * K, q=q)))
    Y = random.normal(size=(4, 2)) * [3.0, 1.0] + 40
    exact = np.sum((Y[:, None] - Y) ** 2, axis=2)
    made.append(Trial("points of a plane", dict(squared=exact, q=2)))
    at = np.append(np.arange(len(K)), 0)
    made.append(Trial("two points in one place", dict(squared=K[at][:, at], q=q)))
    made.append(Trial("more coordinates than fit", dict(squared=_ring(random), q=4)))
    made.append(Trial("one point alone", dict(squared=np.zeros((1, 1)), q=1)))
    return made


def _ring(random):
    """Five points around a ring of different gaps: S has two negative eigenvalues."""
    place = np.cumsum([1.0, 1.3, 0.8, 1.1, 0.9] + 0.1 * random.uniform(size=5))
    apart = np.abs(place[:, None] - place)
    around = place[-1] - place[0] + 1.0
    return np.minimum(apart, around - apart) ** 2


def _centred(K):
    return S(centred(columns(K)))


def squares(squared):
    """the squared distances K"""
    return np.array(squared, dtype=float)


def columns(squares):
    """K less the means of its columns"""
    return squares - squares.mean(axis=0)


def centred(columns):
    """the doubly centred K"""
    return columns - columns.mean(axis=1, keepdims=True)


def S(centred):
    """the matrix S"""
    return -0.5 * centred


def eigen(S):
    """the eigenvalues and eigenvectors"""
    return np.linalg.eigh(S)


def values(eigen):
    """the eigenvalues in ascending order"""
    return eigen[0]


def vectors(eigen):
    """the eigenvectors, one in each column"""
    return eigen[1]


def kept(values, q):
    """the q greatest eigenvalues"""
    return values[::-1][:q]


def axes(vectors, q):
    """the eigenvectors of the q greatest eigenvalues"""
    return vectors[:, ::-1][:, :q]


def lengths(kept):
    """the factors √max(λ, 0)"""
    return np.sqrt(np.maximum(kept, 0))


def X(axes, lengths):
    """the coordinates"""
    return axes * lengths


def negative(values):
    """the sum of |λ| over the negative eigenvalues"""
    return np.abs(values[values < 0]).sum()


def total(values):
    """the sum of |λ| over all eigenvalues"""
    return np.abs(values).sum()


def share(negative, total):
    """the negative share"""
    return float(negative / total) if total else 0.0


COORDINATES = pipeline(
    "squared q",
    squares, columns, centred, S, eigen, values, vectors, kept, axes, lengths, X,
    negative, total, share,
    returns="X share",
)  # fmt: skip


# Mistakes


def _greatest_magnitudes(values, q):
    return np.argsort(-np.abs(values))[:q]


def _by_magnitude(**more):
    """The greatest magnitudes are kept, with further changes."""
    return COORDINATES(
        kept=lambda values, q: values[_greatest_magnitudes(values, q)],
        axes=lambda vectors, values, q: vectors[:, _greatest_magnitudes(values, q)],
        **more,
    )


def _as_they_come(eigen):
    """The first eigenvalues and eigenvectors of `np.linalg.eig`."""
    return COORDINATES(
        eigen=eigen,
        kept=lambda values, q: values[:q],
        axes=lambda vectors, q: vectors[:, :q],
    )


def _symmetric_eig(S):
    return np.linalg.eig((S + S.T) / 2)


def _roots_one_by_one(kept):
    return np.array([math.sqrt(value) for value in kept])


def _positive_only(axes, kept, least):
    positive = kept > least * np.abs(kept).max()
    return axes[:, positive] * np.sqrt(np.maximum(kept[positive], 0))


def _inverse_roots(kept):
    return 1 / np.sqrt(np.where(kept > 1e-9 * np.abs(kept).max(), kept, np.inf))


def _mean_zero(result, squared, q):
    """Of the columns that are not zero in the right answer: others may be any direction."""
    lengths = COORDINATES().values(squared, q)["lengths"]
    X = result[0][:, lengths > 1e-6 * lengths.max()]
    return bool((np.abs(X.mean(axis=0)) <= 1e-3 * np.abs(X).max(initial=1e-300)).all())


def _at_right_angles(result, squared, q):
    X, _ = result
    products = X.T @ X
    off = products - np.diag(np.diag(products))
    return bool((np.abs(off) <= 1e-3 * max(np.abs(products).max(), 1e-300)).all())


def _between(result, squared, q):
    return bool(0 <= result[1] < 1)


def _not_of_rows(result, squared, q):
    """False where X is made of rows of the matrix of eigenvectors; their signs are LAPACK's."""
    known = COORDINATES().values(squared, q)
    V, wanted = known["vectors"], np.abs(known["X"])
    size = 1e-6 * wanted.max()
    if size == 0 or np.ptp(known["values"][:2]) < 1e-6 * wanted.max() ** 2:
        return True
    rows = (V[::-1][:q], V[:q], V[:, ::-1][:q])
    made = (np.abs(some.T * known["lengths"]) for some in rows)
    came = np.abs(result[0])
    return np.abs(came - wanted).max() <= size or not any(
        np.abs(came - some).max() <= size for some in made
    )


def _no_count(result, squared, q):
    """False where the share is a whole number of N-ths and should not be.

    One half is the share of any S whose diagonal is zero, and tells nothing.
    """
    N, right = len(squared), _right_share(squared)
    is_count = lambda share: abs(N * share - round(N * share)) < 1e-9
    return result[1] in (0, 0.5) or not is_count(result[1]) or is_count(right)


def _right_share(squared):
    return COORDINATES()(squared, 1)[1]


def _times_b_entry_by_entry(squares):
    B = np.eye(len(squares)) - 1 / len(squares)
    return B * squares * B


EXERCISE = Exercise(
    name="double_centring",
    title="Coordinates from distances",
    lesson="27_graphs_and_geodesics",
    equations="[SI] 2.1, step 4",
    minutes=20,
    shapes={"squared": "N N", "q": ""},
    returns={"X": "N q", "share": ""},
    trials=trials,
    reference=reference,
    stages=COORDINATES,
    comparable=comparable,
    properties=(
        Property(
            "rows_of_vectors",
            "X is not made of rows of the matrix of eigenvectors.",
            "You take rows of the matrix of eigenvectors. Eigenvector p is its *column* p: V[:, p].",
            _not_of_rows,
        ),
        Property(
            "mean_not_zero",
            "Each column of X has mean zero.",
            "A column of X does not have mean zero. It is an eigenvector of S, and with S centred on "
            "both sides, 1 is an eigenvector with eigenvalue 0, at a right angle to all others.",
            _mean_zero,
            suspects=(
                ("centred", "Are the sums of all rows and of all columns of your S zero?"),
                ("axes", "Is eigenvector p column p of what eigh returns, not row p?"),
            ),
        ),
        Property(
            "not_at_right_angles",
            "The columns of X are at right angles.",
            "The columns of X are not at right angles, as multiples of eigenvectors of a symmetric "
            "matrix are.",
            _at_right_angles,
            suspects=(
                ("S", "Is your S symmetric?"),
                ("axes", "Do you take *columns* of what np.linalg.eigh returns?"),
            ),
        ),
        Property(
            "share_out_of_range",
            "The share is at least 0 and below 1.",
            "Your share is below 0, or 1 or more.",
            _between,
            suspects=(
                (
                    "values",
                    "Do you divide the sum of |λ| over the negative eigenvalues by the sum of |λ| "
                    "over all of them?",
                ),
            ),
        ),
        Property(
            "share_is_a_count",
            "The share does not count eigenvalues.",
            "Your share is a whole number divided by N, as if you had counted eigenvalues. Sum their "
            "magnitudes.",
            _no_count,
        ),
    ),
    misconceptions=(
        Misconception(
            "squared_again",
            "You square once more: `squared` already holds g². Double centring needs squared "
            "distances, not their squares.",
            COORDINATES(squares=lambda squared: squared**2),
        ),
        Misconception(
            "distances_taken",
            "You take the root of `squared` first, and centre the distances. Only squared "
            "distances split into |z_i|² + |z_j|² - 2 z_i · z_j.",
            COORDINATES(squares=lambda squared: np.sqrt(squared)),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 is missing: g² contains *twice* the inner product. All your "
            "coordinates are too long by √2.",
            COORDINATES(S=lambda centred: -centred),
        ),
        Misconception(
            "sign_missing",
            "The minus sign is missing. Inner products come into g² with a minus: S = -½ B K B. "
            "Your greatest eigenvalues are what should be the most negative ones.",
            COORDINATES(S=lambda centred: centred / 2),
        ),
        Misconception(
            "half_and_sign_missing",
            "The factor -1/2 is missing altogether: S = -½ B K B. Its sign decides which "
            "eigenvalues are the greatest.",
            COORDINATES(S=lambda centred: centred),
        ),
        Misconception(
            "quarter",
            "Your S has the factor -1/4 where -1/2 belongs, or you halve twice.",
            COORDINATES(S=lambda centred: -centred / 4),
        ),
        Misconception(
            "not_centred",
            "You did not centre K. Subtract the means of its rows and columns, and add the mean "
            "of all.",
            COORDINATES(columns=lambda squares: squares, centred=lambda columns: columns),
        ),
        Misconception(
            "mean_not_added",
            "You subtract the means of rows and of columns, but do not add the mean of all "
            "entries. It was subtracted twice.",
            COORDINATES(
                centred=lambda columns, squares: columns - squares.mean(axis=1, keepdims=True)
            ),
        ),
        Misconception(
            "mean_subtracted",
            "You subtract the mean of all entries. It was subtracted twice already, with the "
            "means of the rows and of the columns: add it.",
            COORDINATES(
                centred=lambda columns, squares: (
                    columns - squares.mean(axis=1, keepdims=True) - squares.mean()
                )
            ),
        ),
        Misconception(
            "mean_of_all",
            "You subtract one mean, that of all entries. Each row and each column has a mean of "
            "its own, which holds |z_i|².",
            COORDINATES(
                columns=lambda squares: squares - squares.mean(), centred=lambda columns: columns
            ),
        ),
        Misconception(
            "one_side",
            "You centre the columns only. |z_i|² is constant in a *row*, |z_j|² in a *column*: "
            "subtract the means of both.",
            COORDINATES(centred=lambda columns: columns),
        ),
        Misconception(
            "one_side_symmetric",
            "You centre on one side only, and take the mean of S and its transpose. |z_i|² is "
            "constant in a *row*, |z_j|² in a *column*: subtract the means of both, and S is "
            "symmetric by itself.",
            COORDINATES(centred=lambda columns: (columns + columns.T) / 2),
        ),
        Misconception(
            "other_side",
            "You centre the rows only. |z_i|² is constant in a *row*, |z_j|² in a *column*: "
            "subtract the means of both.",
            COORDINATES(columns=lambda squares: squares),
        ),
        Misconception(
            "ones_not_divided",
            "Your B is the identity minus a matrix of ones, without 1/N. So you subtract sums "
            "and not means.",
            COORDINATES(
                columns=lambda squares: squares - squares.sum(axis=0),
                centred=lambda columns: columns - columns.sum(axis=1, keepdims=True),
            ),
        ),
        Misconception(
            "points_as_rows",
            "You take the matrix of distances for coordinates: your S is K Kᵀ of the centred K. "
            "Here inner products come from squared distances, S = -½ B K B.",
            COORDINATES(S=lambda columns: columns @ columns.T),
        ),
        Misconception(
            "smallest",
            "You take the first q eigenvalues that NumPy returns: these are the smallest, "
            "because eigh sorts them in ascending order.",
            COORDINATES(kept=lambda values, q: values[:q], axes=lambda vectors, q: vectors[:, :q]),
        ),
        Misconception(
            "ascending",
            "You have the right columns in the wrong order: the greatest eigenvalue comes "
            "first. eigh returns them ascending.",
            COORDINATES(
                kept=lambda values, q: values[-q:], axes=lambda vectors, q: vectors[:, -q:]
            ),
        ),
        Misconception(
            "values_not_turned",
            "You reversed the order of the eigenvectors but not of the eigenvalues, so each "
            "column has the length of another.",
            COORDINATES(kept=lambda values, q: values[:q]),
        ),
        Misconception(
            "vectors_not_turned",
            "You reversed the order of the eigenvalues but not of the eigenvectors, so each "
            "column has the length of another.",
            COORDINATES(axes=lambda vectors, q: vectors[:, :q]),
        ),
        Misconception(
            "rows_times_roots",
            "You take rows of the matrix of eigenvectors. Eigenvector p is its *column* p: V[:, "
            "p].",
            COORDINATES(
                axes=lambda vectors, q: vectors[::-1][:q],
                X=lambda axes, lengths: (lengths * axes).T,
            ),
        ),
        Misconception(
            "positive_only",
            "You leave out columns whose eigenvalue is not positive. X has q columns in any "
            "case; a negative eigenvalue counts as zero, and its column is zero.",
            COORDINATES(X=lambda axes, kept: _positive_only(axes, kept, 0)),
        ),
        Misconception(
            "negative_dropped",
            "You leave out columns whose eigenvalue is not positive. X has q columns in any "
            "case; a negative eigenvalue counts as zero, and its column is zero.",
            COORDINATES(X=lambda axes, kept: _positive_only(axes, kept, 1e-9)),
        ),
        Misconception(
            "negative_dropped_but_not_zero",
            "You leave out columns whose eigenvalue is negative. X has q columns in any case; a "
            "negative eigenvalue counts as zero, and its column is zero.",
            COORDINATES(X=lambda axes, kept: _positive_only(axes, kept, -1e-9)),
        ),
        Misconception(
            "share_by_greatest",
            "You divide by the greatest eigenvalue. The share is out of the sum of all magnitudes.",
            COORDINATES(total=lambda values: np.abs(values).max()),
        ),
        Misconception(
            "share_kept_positive",
            "Your share is that of the positive eigenvalues. The negative share is what they "
            "leave of 1.",
            COORDINATES(negative=lambda values: values[values > 0].sum()),
        ),
        Misconception(
            "share_of_dropped",
            "Your share counts all eigenvalues that you drop, positive ones too. Sum |λ| over "
            "the negative ones only.",
            COORDINATES(negative=lambda values, q: np.abs(values[::-1][q:]).sum()),
        ),
        Misconception(
            "by_magnitude",
            "You sort by |λ|. A large negative eigenvalue is no coordinate: take the greatest "
            "*with* their signs.",
            _by_magnitude(),
        ),
        Misconception(
            "singular_values",
            "You take singular values, which are the magnitudes |λ|: a large negative "
            "eigenvalue becomes a coordinate where there should be none. Take the greatest "
            "eigenvalues *with* their signs; a negative one counts as zero.",
            _by_magnitude(lengths=lambda kept: np.sqrt(np.abs(kept))),
        ),
        Misconception(
            "eig_unsorted",
            "You take the first q eigenvalues as np.linalg.eig gives them: they come in no "
            "order. np.linalg.eigh sorts them, the smallest first.",
            _as_they_come(_symmetric_eig),
        ),
        Misconception(
            "not_scaled",
            "You return the eigenvectors as they are, all of length 1. Multiply each by √λ, or "
            "the distances are lost.",
            COORDINATES(lengths=lambda kept: np.ones_like(kept)),
        ),
        Misconception(
            "root_missing",
            "You multiply the eigenvectors by λ. S is X Xᵀ, so X takes the *root* of λ.",
            COORDINATES(lengths=lambda kept: np.maximum(kept, 0)),
        ),
        Misconception(
            "divided",
            "You divide by √λ. That gives the axes for placing new points; coordinates are √λ v.",
            COORDINATES(lengths=_inverse_roots),
        ),
        Misconception(
            "magnitude_for_clip",
            "You take the root of |λ| where λ is negative. That is a coordinate where there "
            "should be none: a negative eigenvalue counts as zero, and its column is zero.",
            COORDINATES(lengths=lambda kept: np.sqrt(np.abs(kept))),
        ),
        Misconception(
            "not_clipped",
            "You take the root of negative eigenvalues. They have none, and count as zero: "
            "np.maximum(values, 0).",
            COORDINATES(lengths=lambda kept: np.sqrt(kept)),
        ),
        Misconception(
            "not_clipped_raises",
            "You take the root of negative eigenvalues. They have none, and count as zero: "
            "max(value, 0).",
            COORDINATES(lengths=_roots_one_by_one),
        ),
        Misconception(
            "rows_scaled",
            "You multiply the *rows* of V by √λ. Each column has its own factor: V * roots, "
            "without [:, None].",
            COORDINATES(X=lambda axes, lengths: axes * lengths[:, None]),
        ),
        Misconception(
            "share_counts",
            "Your share is the share of *how many* eigenvalues are negative. Sum their "
            "magnitudes, and divide by the sum of all magnitudes.",
            COORDINATES(
                negative=lambda values: np.sum(values < -1e-9 * np.abs(values).max(initial=0)),
                total=lambda values: len(values),
            ),
        ),
        Misconception(
            "share_of_sum",
            "You divide by the sum of the eigenvalues, where negative ones cancel positive "
            "ones. Divide by the sum of their magnitudes.",
            COORDINATES(total=lambda values: values.sum()),
        ),
        Misconception(
            "share_of_positive",
            "You divide by the sum of the positive eigenvalues. The share is out of *all* "
            "magnitudes, negative ones included.",
            COORDINATES(total=lambda values: values[values > 0].sum()),
        ),
        Misconception(
            "share_of_squares",
            "Your share sums squares. Sum the magnitudes |λ|.",
            COORDINATES(
                negative=lambda values: np.sum(values[values < 0] ** 2),
                total=lambda values: np.sum(values**2),
            ),
        ),
        Misconception(
            "share_negative",
            "Your share is negative: it sums negative eigenvalues, not their magnitudes.",
            COORDINATES(negative=lambda values: values[values < 0].sum()),
        ),
        Misconception(
            "share_after_clip",
            "Your share is always 0: you compute it after negative eigenvalues were set to "
            "zero. Keep the eigenvalues as they came.",
            COORDINATES(negative=lambda: 0.0),
        ),
        Misconception(
            "share_of_kept",
            "Your share looks at the q eigenvalues that you keep. The negative ones are mostly "
            "among those that you drop: it is about all N.",
            COORDINATES(
                negative=lambda kept: np.abs(kept[kept < 0]).sum(),
                total=lambda kept: np.abs(kept).sum(),
            ),
        ),
        Misconception(
            "share_dropped_negative",
            "In your share the denominator has all N eigenvalues, but the numerator looks at "
            "the q that you keep. The negative ones are mostly among those that you drop.",
            COORDINATES(negative=lambda kept: np.abs(kept[kept < 0]).sum()),
        ),
        Misconception(
            "zero_by_zero",
            "If all points are in one place, all eigenvalues are zero, and your share is 0/0. "
            "There it is 0.",
            COORDINATES(share=lambda negative, total: np.divide(negative, total)),
        ),
        Misconception(
            "zero_by_zero_raises",
            "If all points are in one place, all eigenvalues are zero, and your share is 0/0. "
            "There it is 0.",
            COORDINATES(share=lambda negative, total: float(negative) / float(total)),
        ),
        Misconception(
            "vectors_turned_by_rows",
            "You turn the *rows* of the matrix of eigenvectors round, V[::-1]. Eigenvector p is"
            " column p: V[:, ::-1] puts the greatest first.",
            COORDINATES(axes=lambda vectors, q: vectors[::-1][:, :q]),
        ),
        Misconception(
            "centred_entry_by_entry",
            "You multiply B and K entry by entry. B K B is a product of matrices: B @ K @ B.",
            COORDINATES(centred=_times_b_entry_by_entry),
        ),
        Misconception(
            "share_kept",
            "Your share is what is *not* negative: 1 minus the negative share.",
            COORDINATES(share=lambda negative, total: 1.0 - share(negative, total)),
        ),
    ),
    hints=(
        "Take three points on a line, 0, 1 and 5, and write down all g². Which part of g_01² is in all "
        "entries of row 0, and which in all of column 1? What is left if you remove both?",
        "S = -½ (K - mean of each column - mean of each row + mean of all). Then np.linalg.eigh(S): "
        "its eigenvalues ascend, its eigenvectors are columns. Take the last q, in reverse.",
        "X is V[:, ::-1][:, :q] times np.sqrt(np.maximum(values[::-1][:q], 0)). The share is "
        "-values[values < 0].sum() / np.abs(values).sum(), with all N values, and 0 if the "
        "denominator is 0.",
    ),
)
