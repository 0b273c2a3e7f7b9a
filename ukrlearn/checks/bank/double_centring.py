"""Coordinates from squared distances: double centring, eigenvectors, and what does not fit."""

import math

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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
    return COORDINATES.S(COORDINATES.centred(COORDINATES.columns(K)))


COORDINATES = pipeline(
    "squared q",
    returns="X share",
    squares=lambda squared: np.array(squared, dtype=float),
    columns=lambda squares: squares - squares.mean(axis=0),
    centred=lambda columns: columns - columns.mean(axis=1, keepdims=True),
    S=lambda centred: -0.5 * centred,
    eigen=lambda S: np.linalg.eigh(S),
    values=lambda eigen: eigen[0],
    vectors=lambda eigen: eigen[1],
    kept=lambda values, q: values[::-1][:q],
    axes=lambda vectors, q: vectors[:, ::-1][:, :q],
    lengths=lambda kept: np.sqrt(np.maximum(kept, 0)),
    X=lambda axes, lengths: axes * lengths,
    negative=lambda values: np.abs(values[values < 0]).sum(),
    total=lambda values: np.abs(values).sum(),
    share=lambda negative, total: float(negative / total) if total else 0.0,
)


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
        eigen=eigen, kept=lambda values, q: values[:q], axes=lambda vectors, q: vectors[:, :q]
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
    return bool(0 <= result[1] < 1 - NOTHING)


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


MISTAKES = (
    COORDINATES.mistake(
        "not_centred", columns=lambda squares: squares, centred=lambda columns: columns
    ),
    COORDINATES.mistake(
        "mean_of_all",
        columns=lambda squares: squares - squares.mean(),
        centred=lambda columns: columns,
    ),
    COORDINATES.mistake("one_side_symmetric", centred=lambda columns: (columns + columns.T) / 2),
    COORDINATES.mistake("points_as_rows", S=lambda columns: columns @ columns.T),
    COORDINATES.mistake(
        "smallest", kept=lambda values, q: values[:q], axes=lambda vectors, q: vectors[:, :q]
    ),
    COORDINATES.mistake(
        "ascending", kept=lambda values, q: values[-q:], axes=lambda vectors, q: vectors[:, -q:]
    ),
    COORDINATES.mistake(
        "rows_times_roots",
        axes=lambda vectors, q: vectors[::-1][:q],
        X=lambda axes, lengths: (lengths * axes).T,
    ),
    COORDINATES.mistake("positive_only", X=lambda axes, kept: _positive_only(axes, kept, 0)),
    COORDINATES.mistake("negative_dropped", X=lambda axes, kept: _positive_only(axes, kept, 1e-9)),
    COORDINATES.mistake(
        "negative_dropped_but_not_zero", X=lambda axes, kept: _positive_only(axes, kept, -1e-9)
    ),
    COORDINATES.mistake(
        "share_of_dropped", negative=lambda values, q: np.abs(values[::-1][q:]).sum()
    ),
    Misconception("by_magnitude", mistaken=_by_magnitude()),
    Misconception(
        "singular_values", mistaken=_by_magnitude(lengths=lambda kept: np.sqrt(np.abs(kept)))
    ),
    Misconception("eig_unsorted", mistaken=_as_they_come(_symmetric_eig)),
    COORDINATES.mistake("divided", lengths=_inverse_roots),
    COORDINATES.mistake("magnitude_for_clip", lengths=lambda kept: np.sqrt(np.abs(kept))),
    COORDINATES.mistake("not_clipped", lengths=lambda kept: np.sqrt(kept)),
    COORDINATES.mistake("not_clipped_raises", lengths=_roots_one_by_one),
    COORDINATES.mistake("rows_scaled", X=lambda axes, lengths: axes * lengths[:, None]),
    COORDINATES.mistake(
        "share_counts",
        negative=lambda values: np.sum(values < -1e-9 * np.abs(values).max(initial=0)),
        total=lambda values: len(values),
    ),
    COORDINATES.mistake("share_of_positive", total=lambda values: values[values > 0].sum()),
    COORDINATES.mistake(
        "share_of_squares",
        negative=lambda values: np.sum(values[values < 0] ** 2),
        total=lambda values: np.sum(values**2),
    ),
    COORDINATES.mistake(
        "share_of_kept",
        negative=lambda kept: np.abs(kept[kept < 0]).sum(),
        total=lambda kept: np.abs(kept).sum(),
    ),
    COORDINATES.mistake(
        "share_dropped_negative", negative=lambda kept: np.abs(kept[kept < 0]).sum()
    ),
    COORDINATES.mistake("zero_by_zero", share=lambda negative, total: np.divide(negative, total)),
    COORDINATES.mistake(
        "zero_by_zero_raises", share=lambda negative, total: float(negative) / float(total)
    ),
    COORDINATES.mistake("vectors_turned_by_rows", axes=lambda vectors, q: vectors[::-1][:, :q]),
    COORDINATES.mistake("centred_entry_by_entry", centred=_times_b_entry_by_entry),
    COORDINATES.mistake(
        "share_kept", share=lambda negative, total: 1.0 - COORDINATES.share(negative, total)
    ),
)


EXERCISE = exercise(
    "double_centring",
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
        Property("rows_of_vectors", holds=_not_of_rows),
        Property("mean_not_zero", holds=_mean_zero),
        Property("not_at_right_angles", holds=_at_right_angles),
        Property("share_out_of_range", holds=_between),
        Property("share_is_a_count", holds=_no_count),
    ),
    misconceptions=MISTAKES,
)
