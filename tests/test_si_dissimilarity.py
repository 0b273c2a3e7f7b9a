"""The label distance of [SI], (1): against loops, and where the printed formula overflows."""

import numpy as np
import pytest
from helpers import assert_close, each, read_only
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from ukrlearn.explicit import si as explicit
from ukrlearn.si.dissimilarity import (
    LONGEST,
    Euclidean,
    WithLabels,
    label_distance,
    mean_distance,
    mean_squared_distance,
)

RANDOM = np.random.default_rng(0)
Y = read_only(RANDOM.normal(size=(11, 3)))
LABELS = read_only(np.arange(11) % 3)


@each("alpha", [0.0, 0.5, 0.99])
@each("beta", [0.3, 6.0])
def test_distances_are_those_of_the_loops(alpha, beta):
    Q = WithLabels(Y, LABELS, alpha, beta)
    expected = explicit.label_distances(Y.tolist(), LABELS.tolist(), alpha, beta)
    assert_close(Q[:], expected)
    assert_close(Q[3:5], expected[3:5])
    assert_close(Q[[7]], expected[7:8])
    assert len(Q) == len(Euclidean(Y)) == 11


def test_one_class_is_a_matter_of_the_euclidean_order():
    Q = WithLabels(Y, np.zeros(11), 0.5, 2.0)[:]
    E = Euclidean(Y)[:]
    assert (np.argsort(Q, axis=1) == np.argsort(E, axis=1)).all() and Q.max() < 1


@given(st.floats(0, 1e300), st.floats(0, 1e300), st.floats(0, 0.999), st.booleans())
def test_distances_are_finite_and_never_fall_as_points_move_apart(near, far, alpha, same):
    near, far = min(near, far), max(near, far)
    q = label_distance(np.array([near, far]), np.array([same, same]), alpha, 1.0)
    assert np.isfinite(q).all() and 0 <= q[0] <= q[1] * (1 + 1e-15)


def test_distances_between_classes_grow_strictly_where_the_exponential_overflows():
    squared = np.geomspace(1e-3, 1e15, 200)
    q = label_distance(squared, np.zeros(200, dtype=bool), 0.5, 1.0)
    assert (np.diff(q) > 0).all() and q[-1] < 1e60
    with np.errstate(over="ignore"):
        printed = np.sqrt(np.exp(squared) - 0.5)
    below = printed < LONGEST
    assert 50 < below.sum() < 200
    assert_close(q[below], printed[below], 1e-10)


def test_no_class_is_nearer_to_another_than_to_itself_without_alpha():
    Q = WithLabels(Y, LABELS, 0.0, 2.0)[:]
    same = LABELS[:, None] == LABELS
    assert Q[same].max() < 1 <= Q[~same].min()
    closer = WithLabels(Y, LABELS, 0.9, 2.0)[:]
    assert (closer[~same] < Q[~same]).all() and (closer[same] == Q[same]).all()


def test_short_distances_within_a_class_keep_their_digits():
    q = label_distance(np.array([1e-24]), np.array([True]), 0.5, 1.0)
    assert_close(q, [1e-12])


def test_means_are_over_all_pairs():
    assert mean_distance(Y) == pytest.approx(pdist(Y).mean(), rel=1e-12)
    assert mean_squared_distance(Y) == pytest.approx((pdist(Y) ** 2).mean(), rel=1e-12)


def test_the_mean_square_makes_distances_free_of_the_unit_and_the_mean_does_not():
    for beta, free in ((mean_squared_distance, True), (mean_distance, False)):
        one, other = (WithLabels(s * Y, LABELS, 0.5, beta(s * Y))[:] for s in (1, 50))
        assert np.allclose(one, other, rtol=1e-9) == free


def test_a_beta_near_zero_or_near_infinity_gives_no_nan():
    for beta in (1e-300, 1e300):
        Q = WithLabels(np.vstack([Y, Y[:2]]), np.append(LABELS, [0, 2]), 0.5, beta)[:]
        assert np.isfinite(Q).all() and (np.diagonal(Q) == 0).all()
