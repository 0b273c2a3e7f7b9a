"""Coordinates from squared distances: double centring, eigenvectors, and what does not fit."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.si.geodesics import negative_share

SIZES = ((7, 2, 4), (6, 3, 2), (9, 1, 3))  # N, q, dimensions before stretching
NOTHING = 1e-5  # a share of less is rounding
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
    made = [Trial("three points on a line", dict(squared=(line[:, None] - line) ** 2, q=1))]
    for N, q, d in SIZES:
        K = _uneven(random, N, q, d)
        made.append(Trial(f"N = {N} points, q = {q}", dict(squared=K, q=q)))
    made.append(Trial("another unit of length", dict(squared=1e6 * K, q=q)))
    Y = random.normal(size=(8, 2)) * [3.0, 1.0] + 40
    exact = np.sum((Y[:, None] - Y) ** 2, axis=2)
    made.append(Trial("points of a plane", dict(squared=exact, q=2)))
    made.append(Trial("more coordinates than fit", dict(squared=_ring(random), q=4)))
    made.append(Trial("all points in one place", dict(squared=np.zeros((4, 4)), q=2)))
    return made


def _ring(random):
    """Five points around a ring of different gaps: S has two negative eigenvalues."""
    place = np.cumsum([1.0, 1.3, 0.8, 1.1, 0.9] + 0.1 * random.uniform(size=5))
    apart = np.abs(place[:, None] - place)
    around = place[-1] - place[0] + 1.0
    return np.minimum(apart, around - apart) ** 2


def _centred(K):
    return -0.5 * (K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean())


def _share(values):
    total = np.abs(values).sum()
    return -values[values < 0].sum() / total if total > 0 else 0.0


def _clipped(values):
    return np.sqrt(np.maximum(values, 0))


def _greatest(values, V, q):
    return values[::-1][:q], V[:, ::-1][:, :q]


def _steps(centred=_centred, chosen=_greatest, root=_clipped, share=_share):
    """The right answer, with steps exchanged."""

    def answer(squared, q):
        values, V = np.linalg.eigh(centred(squared))
        kept, axes = chosen(values, V, q)
        return axes * root(kept), float(share(values))

    return answer


def _share_of_kept(squared, q):
    values, V = np.linalg.eigh(_centred(squared))
    kept, axes = _greatest(values, V, q)
    return axes * _clipped(kept), float(_share(kept))


def _one_zero_short(squared, q):
    X, _ = reference(squared, q)
    values = np.linalg.eigvalsh(_centred(squared))
    with np.errstate(invalid="ignore"):
        return X, float(np.divide(-values[values < 0].sum(), np.abs(values).sum()))


def _by_magnitude(values, V, q):
    order = np.argsort(-np.abs(values))[:q]
    return values[order], V[:, order]


def _mean_zero(result, squared, q):
    X, _ = result
    return bool((np.abs(X.mean(axis=0)) <= 1e-3 * max(np.abs(X).max(), 1e-300)).all())


def _at_right_angles(result, squared, q):
    X, _ = result
    products = X.T @ X
    off = products - np.diag(np.diag(products))
    return bool((np.abs(off) <= 1e-3 * max(np.abs(products).max(), 1e-300)).all())


def _between(result, squared, q):
    return bool(0 <= result[1] < 1)


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
    comparable=comparable,
    properties=(
        Property(
            "mean_not_zero",
            "Each column of X has mean zero.",
            "A column of X does not have mean zero. It is an eigenvector of S, and with S centred on "
            "both sides, 1 is an eigenvector with eigenvalue 0, at a right angle to all others. Look at S: "
            "the sums of its rows and of its columns should be zero. And eigenvector p is column p of what eigh "
            "returns, not row p.",
            _mean_zero,
        ),
        Property(
            "not_at_right_angles",
            "The columns of X are at right angles.",
            "The columns of X are not at right angles, as multiples of eigenvectors of a symmetric matrix "
            "are. Eigenvectors are the *columns* of what np.linalg.eigh returns.",
            _at_right_angles,
        ),
        Property(
            "share_out_of_range",
            "The share is at least 0 and below 1.",
            "Your share is below 0, or 1 or more. Divide the sum of |λ| over the negative eigenvalues by the sum "
            "of |λ| over all of them.",
            _between,
        ),
    ),
    misconceptions=(
        Misconception(
            "squared_again",
            "You square once more: `squared` already holds g². Double centring needs squared "
            "distances, not their squares.",
            _steps(centred=lambda K: _centred(K**2)),
        ),
        Misconception(
            "distances_taken",
            "You take the root of `squared` first, and centre the distances. Only squared "
            "distances split into |z_i|² + |z_j|² - 2 z_i · z_j.",
            _steps(centred=lambda K: _centred(np.sqrt(K))),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 is missing: g² contains *twice* the inner product. All your "
            "coordinates are too long by √2.",
            _steps(centred=lambda K: 2 * _centred(K)),
        ),
        Misconception(
            "sign_missing",
            "The minus sign is missing. Inner products come into g² with a minus: S = -½ B K B. "
            "Your greatest eigenvalues are what should be the most negative ones.",
            _steps(centred=lambda K: -_centred(K)),
        ),
        Misconception(
            "half_and_sign_missing",
            "The factor -1/2 is missing altogether: S = -½ B K B. Its sign decides which "
            "eigenvalues are the greatest.",
            _steps(centred=lambda K: -2 * _centred(K)),
        ),
        Misconception(
            "not_centred",
            "You did not centre: your S is -½ K. Subtract the means of its rows and columns, and "
            "add the mean of all.",
            _steps(centred=lambda K: -0.5 * K),
        ),
        Misconception(
            "mean_not_added",
            "You subtract the means of rows and of columns, but do not add the mean of all "
            "entries. It was subtracted twice.",
            _steps(centred=lambda K: -0.5 * (K - K.mean(axis=0) - K.mean(axis=1, keepdims=True))),
        ),
        Misconception(
            "mean_of_all",
            "You subtract one mean, that of all entries. Each row and each column has a mean of its own, "
            "which holds |z_i|².",
            _steps(centred=lambda K: -0.5 * (K - K.mean())),
        ),
        Misconception(
            "one_side",
            "You centre the columns only. |z_i|² is constant in a *row*, |z_j|² in a *column*: "
            "subtract the means of both.",
            _steps(centred=lambda K: -0.5 * (K - K.mean(axis=0))),
        ),
        Misconception(
            "other_side",
            "You centre the rows only. |z_i|² is constant in a *row*, |z_j|² in a *column*: "
            "subtract the means of both.",
            _steps(centred=lambda K: -0.5 * (K - K.mean(axis=1, keepdims=True))),
        ),
        Misconception(
            "smallest",
            "You take the first q eigenvalues that NumPy returns: these are the smallest, because eigh "
            "sorts them in ascending order.",
            _steps(chosen=lambda values, V, q: (values[:q], V[:, :q])),
        ),
        Misconception(
            "ascending",
            "You have the right columns in the wrong order: the greatest eigenvalue comes first. "
            "eigh returns them ascending.",
            _steps(chosen=lambda values, V, q: (values[-q:], V[:, -q:])),
        ),
        Misconception(
            "by_magnitude",
            "You sort by |λ|. A large negative eigenvalue is no coordinate: take the greatest "
            "*with* their signs.",
            _steps(chosen=_by_magnitude),
        ),
        Misconception(
            "values_not_turned",
            "You reversed the order of the eigenvectors but not of the eigenvalues, so each "
            "column has the length of another.",
            _steps(chosen=lambda values, V, q: (values[:q], V[:, ::-1][:, :q])),
        ),
        Misconception(
            "not_scaled",
            "You return the eigenvectors as they are, all of length 1. Multiply each by √λ, or "
            "the distances are lost.",
            _steps(root=np.ones_like),
        ),
        Misconception(
            "root_missing",
            "You multiply the eigenvectors by λ. S is X Xᵀ, so X takes the *root* of λ.",
            _steps(root=lambda kept: np.maximum(kept, 0)),
        ),
        Misconception(
            "divided",
            "You divide by √λ. That gives the axes for placing new points; coordinates are √λ v.",
            _steps(
                root=lambda kept: (
                    1 / np.sqrt(np.where(kept > 1e-9 * np.abs(kept).max(), kept, np.inf))
                )
            ),
        ),
        Misconception(
            "magnitude_for_clip",
            "You take the root of |λ| where λ is negative. That is a coordinate where there should be none: a "
            "negative eigenvalue counts as zero, and its column is zero.",
            _steps(root=lambda kept: np.sqrt(np.abs(kept))),
        ),
        Misconception(
            "share_counts",
            "Your share is the share of *how many* eigenvalues are negative. Sum their "
            "magnitudes, and divide by the sum of all magnitudes.",
            _steps(share=lambda values: np.mean(values < -1e-9 * np.abs(values).max(initial=0))),
        ),
        Misconception(
            "share_of_sum",
            "You divide by the sum of the eigenvalues, where negative ones cancel positive ones. Divide by "
            "the sum of their magnitudes.",
            _steps(
                share=lambda values: -values[values < 0].sum() / (values.sum() or 1.0),
            ),
        ),
        Misconception(
            "share_of_positive",
            "You divide by the sum of the positive eigenvalues. The share is out of *all* "
            "magnitudes, negative ones included.",
            _steps(
                share=lambda values: -values[values < 0].sum() / (values[values > 0].sum() or 1.0),
            ),
        ),
        Misconception(
            "share_of_squares",
            "Your share sums squares. Sum the magnitudes |λ|.",
            _steps(share=lambda values: np.sum(values[values < 0] ** 2) / (np.sum(values**2) or 1)),
        ),
        Misconception(
            "share_negative",
            "Your share is negative: it sums negative eigenvalues, not their magnitudes.",
            _steps(share=lambda values: -_share(values)),
        ),
        Misconception(
            "share_after_clip",
            "Your share is always 0: you compute it after negative eigenvalues were set to zero. "
            "Keep the eigenvalues as they came.",
            _steps(share=lambda values: 0.0),
        ),
        Misconception(
            "share_of_kept",
            "Your share looks at the q eigenvalues that you keep. The negative ones are mostly "
            "among those that you drop: it is about all N.",
            _share_of_kept,
        ),
        Misconception(
            "zero_by_zero",
            "If all points are in one place, all eigenvalues are zero, and your share is 0/0. There it is 0.",
            _one_zero_short,
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
