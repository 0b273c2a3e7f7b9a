"""Spectral gradient descent: affinities, filters and schedules against loops and identities; what
guidance does to a descent; and what happens at the ends."""

from functools import partial
from itertools import islice

import numpy as np
import pytest
from helpers import assert_close, blocks_of, each, read_only, small_problem  # noqa: F401
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from ukrlearn import SpectralGuidance, datasets, explicit, sgd
from ukrlearn.blocks.descent import Step, at_most, gradient_descent, last, lbfgs, rprop
from ukrlearn.blocks.guided import guided
from ukrlearn.estimators.guidance import SCHEDULES
from ukrlearn.explicit.matrices import sgd as matrices
from ukrlearn.sgd.affinity import (
    clustering_affinity,
    kernel_pca_affinity,
    neighbor_affinity,
    typical_bandwidth,
)
from ukrlearn.sgd.filters import (
    Deflation,
    Filter,
    decompose,
    leading_directions,
    perplexity,
    plain,
    power_with,
    powers,
)
from ukrlearn.ukr.reconstruction import reconstruction_error

X, Y = small_problem(N=9, q=2, d=4)
GRADIENT = read_only(reconstruction_error(X, Y)[1].copy())
M = read_only(clustering_affinity(Y, 5.0))
SPECTRUM = decompose(M)
HELIX, T = read_only(*datasets.noisy_helix(300, random_state=0))
START = read_only(0.1 * np.random.RandomState(1).normal(size=(300, 1)))


# ------------------------------------------------------------------ affinities


@pytest.mark.parametrize("h", [0.5, 5.0, 80.0])
def test_affinities_are_those_of_the_loops_and_of_the_matrices(h):
    assert_close(clustering_affinity(Y, h), explicit.clustering_affinity(Y.tolist(), h))
    of_loops = np.array(explicit.kernel_pca_affinity(Y.tolist(), h))
    np.testing.assert_allclose(kernel_pca_affinity(Y, h), of_loops, atol=1e-14)
    assert_close(clustering_affinity(Y, h), matrices.clustering_affinity(Y, h))
    assert_close(kernel_pca_affinity(Y, h), matrices.kernel_pca_affinity(Y, h))


@each("make", [clustering_affinity, kernel_pca_affinity])
@each("h", [1e-3, 0.5, 5.0, 1e4])
def test_affinities_are_symmetric_and_positive_semidefinite(make, h):
    values = np.linalg.eigvalsh(make(Y, h))
    np.testing.assert_allclose(make(Y, h), make(Y, h).T, atol=1e-15)
    assert values[0] > -1e-14
    if make is clustering_affinity:
        assert values[-1] == pytest.approx(1)


def test_without_the_diagonal_an_affinity_is_indefinite():
    K = np.exp(-cdist(HELIX, HELIX, "sqeuclidean"))
    np.fill_diagonal(K, 0)
    root = np.sqrt(K.sum(axis=1))
    assert np.linalg.eigvalsh(K / np.outer(root, root))[0] < -0.01


def test_the_graph_of_neighbors_by_hand():
    line = np.array([[0.0], [1.0], [2.1], [3.3], [100.0]])
    A = np.zeros((5, 5))
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 4)):  # one neighbour each, made mutual
        A[i, j] = A[j, i] = 1
    root = np.sqrt(A.sum(axis=0))
    expected = (np.eye(5) + A / np.outer(root, root)) / 2
    assert_close(neighbor_affinity(line, 1).toarray(), expected)


def test_the_graph_of_neighbors_is_positive_semidefinite_even_with_duplicates():
    twice = np.vstack([HELIX[:40], HELIX[:40], HELIX[:10]])
    for points in (HELIX[:60], twice, np.zeros((7, 2))):
        values = np.linalg.eigvalsh(neighbor_affinity(points, 5).toarray())
        assert -1e-12 < values[0] and values[-1] == pytest.approx(1)


def test_the_typical_bandwidth_is_the_median_squared_distance_of_the_eighth_neighbor():
    distances = np.sort(cdist(HELIX, HELIX), axis=1)[:, 8]
    assert typical_bandwidth(HELIX) == pytest.approx(np.median(distances) ** 2)
    assert typical_bandwidth(3 * HELIX) == pytest.approx(9 * typical_bandwidth(HELIX))
    assert typical_bandwidth(np.zeros((5, 2))) == typical_bandwidth(np.zeros((1, 2))) == 1.0
    assert typical_bandwidth(HELIX[:3]) == pytest.approx(
        np.median(cdist(HELIX[:3], HELIX[:3]).max(axis=1)) ** 2
    )


def test_of_points_that_stand_twice_only_those_count_that_have_all_neighbors_in_one_place():
    twice = np.repeat(HELIX[:30], 2, axis=0)
    distances = np.sort(cdist(twice, twice), axis=1)[:, 8]
    assert typical_bandwidth(twice) == pytest.approx(np.median(distances) ** 2)


def test_a_point_has_ten_neighbors_unless_asked_otherwise():
    expected = neighbor_affinity(HELIX, 10).toarray()
    assert np.array_equal(neighbor_affinity(HELIX).toarray(), expected)
    of_guidance = SpectralGuidance(matrix="neighbors").spectrum(HELIX)
    below_the_constant = np.linalg.eigvalsh(expected)[-2]
    assert_close(of_guidance.values[1] * below_the_constant, np.linalg.eigvalsh(expected)[-3])


def test_guidance_by_default():
    guidance = SpectralGuidance()
    assert guidance == SpectralGuidance("auto", "directions", 10, None, "clustering", 20)
    assert sgd.Spectrum(np.ones(1), np.ones((1, 1))).rest == 0
    of_helix = guidance.spectrum(HELIX)
    same = SpectralGuidance(h=typical_bandwidth(HELIX)).spectrum(HELIX)
    assert np.array_equal(of_helix.values, same.values)


# ------------------------------------------------------------------ spectra


def test_a_spectrum_rebuilds_its_matrix_in_units_of_the_greatest_eigenvalue():
    V, values = SPECTRUM.vectors, SPECTRUM.values
    assert values[0] == 1 and (np.diff(values) <= 0).all() and values[-1] >= 0
    assert_close(V @ np.diag(values) @ V.T * np.linalg.eigvalsh(M)[-1], M, rtol=1e-12)
    assert_close(V.T @ V, np.eye(9))


def test_the_size_of_an_affinity_does_not_matter():
    for size in (0.1, 0.5, 7.0):
        assert_close(decompose(size * M).values, SPECTRUM.values)
    assert not decompose(np.zeros((3, 3))).values.any()


def test_the_rest_of_a_partial_spectrum_has_its_mean():
    part = decompose(kernel_pca_affinity(HELIX, 0.5), leading=20)
    whole = decompose(kernel_pca_affinity(HELIX, 0.5))
    assert part.vectors.shape == (300, 20)
    assert part.rest == pytest.approx(whole.values[20:].mean(), rel=1e-6)
    assert whole.rest == 0


def test_the_nearly_constant_eigenvector_is_taken_out_and_stands_last():
    root = np.sqrt(np.exp(-cdist(Y, Y, "sqeuclidean") / 5).sum(axis=1))
    u = root / np.linalg.norm(root)
    assert_close(M @ u, u)
    without = decompose(M, without=u)
    assert abs(without.vectors[:, -1] @ u) == pytest.approx(1)
    assert without.values[-1] == pytest.approx(0, abs=1e-14)
    assert_close(without.values[:-1] * np.linalg.eigvalsh(M)[-2], SPECTRUM.values[1:])


def test_of_a_graph_in_pieces_only_the_constant_is_taken_out():
    apart = np.vstack([Y[:3], Y[3:6] + 1e3, Y[6:] + 2e3])
    found = SpectralGuidance(h=50.0).spectrum(apart)
    assert_close(found.values[:2], [1, 1])  # three pieces: two ways to move against each other
    assert found.values[2] < 0.9
    pieces = np.repeat(np.eye(3), 3, axis=0)
    # Leading directions move each piece as one, up to the unequal degrees.
    moved = leading_directions(found, 2)(GRADIENT)
    inside = moved - pieces @ (pieces.T @ moved) / 3
    assert np.abs(inside).max() < 0.2 * np.abs(moved).max()


@pytest.mark.parametrize("matrix", ["clustering", "neighbors"])
def test_a_partial_spectrum_is_the_leading_part_of_the_whole(matrix, monkeypatch):
    guidance = SpectralGuidance(h=0.5, matrix=matrix)
    whole = guidance.spectrum(HELIX)
    monkeypatch.setattr(sgd.filters, "DENSE", 10)
    monkeypatch.setattr(sgd.filters, "LEADING", 30)
    part = guidance.spectrum(HELIX)
    assert part.vectors.shape == (300, 30)
    assert_close(part.values, whole.values[:30], rtol=1e-9)
    assert part.rest == pytest.approx(whole.values[30:].sum() / 270, rel=1e-6)
    G = reconstruction_error(START, HELIX)[1]
    for l in (1, 5, 20):
        assert_close(leading_directions(part, l)(G), leading_directions(whole, l)(G), rtol=1e-6)
    assert powers(part, 0)(G) is G
    np.testing.assert_allclose(powers(part, 3)(G), powers(whole, 3)(G), atol=0.02 * np.abs(G).max())
    by_hand = part.vectors @ (part.values[:, None] ** 0.7 * (part.vectors.T @ G))
    by_hand += part.rest**0.7 * (G - part.vectors @ (part.vectors.T @ G))
    assert_close(powers(part, 0.7)(G), by_hand, rtol=1e-10)


# ------------------------------------------------------------------ filters


@pytest.mark.parametrize("l", [1, 2, 5, 8])
def test_leading_directions_are_those_of_the_loops_and_of_the_matrices(l):
    by_loops = explicit.leading_directions(GRADIENT.tolist(), SPECTRUM.vectors.T[:l].tolist())
    by_matrices = matrices.leading_directions(GRADIENT, SPECTRUM.vectors[:, :l])
    for expected in (by_loops, by_matrices):
        assert_close(leading_directions(SPECTRUM, l)(GRADIENT), expected)


@pytest.mark.parametrize("nu", [0, 1, 2, 7])
def test_powers_are_those_of_the_loops_and_of_the_matrices_up_to_one_factor(nu):
    top = np.linalg.eigvalsh(M)[-1]
    found = powers(SPECTRUM, nu)(GRADIENT) * top**nu
    assert_close(found, explicit.powers(GRADIENT.tolist(), M.tolist(), nu), rtol=1e-11)
    trace = np.sum((top * SPECTRUM.values) ** nu)
    assert_close(found / trace, matrices.powers(GRADIENT, M, nu))


def test_all_directions_and_no_power_are_the_plain_gradient():
    for filter in (leading_directions(SPECTRUM, 9), powers(SPECTRUM, 0), plain(SPECTRUM)):
        assert filter.is_plain and filter(GRADIENT) is GRADIENT
        assert filter.directions == pytest.approx(9)


def test_a_filter_is_plain_only_if_nothing_is_weighted():
    V, ones = SPECTRUM.vectors[:, :3], np.ones(3)
    assert Filter(V, ones, 1.0).is_plain
    for weights, of_rest in (
        (ones, 0.0),
        (ones, 0.5),
        (np.array([1, 1, 0.5]), 1.0),
        (0 * ones, 1.0),
    ):
        filter = Filter(V, weights, of_rest)
        assert not filter.is_plain
        along = V.T @ GRADIENT
        expected = V @ (weights[:, None] * along) + of_rest * (GRADIENT - V @ along)
        assert_close(filter(GRADIENT), expected)


def test_what_is_negligible_is_not_computed():
    span = lambda *weights: sgd.filters._span(np.array(weights))
    assert span(1.0, 0.5, 0.1) == slice(0, 3)
    assert span(0, 2.0, 1e-11, 1e-14) == slice(1, 3)
    assert span(0, 0, -1.0, 0, 1.0, 0) == slice(2, 5)
    assert span(0.0, 0.0) == slice(0)
    assert not Filter(SPECTRUM.vectors, np.zeros(9))(GRADIENT).any()


@settings(max_examples=60, derandomize=True, deadline=None, database=None)
@given(
    st.integers(0, 10**6),
    st.floats(0.01, 100),
    st.one_of(st.floats(0, 30), st.integers(1, 12)),
    st.sampled_from(["clustering", "kpca", "neighbors"]),
)
def test_a_guided_step_leads_downhill(seed, h, amount, matrix):
    random = np.random.default_rng(seed)
    Y = random.normal(size=(12, 3)) * random.choice([0.1, 1, 5])
    gradient = random.normal(size=(12, 2))
    spectrum = decompose(
        {
            "clustering": lambda: clustering_affinity(Y, h),
            "kpca": lambda: kernel_pca_affinity(Y, h),
            "neighbors": lambda: neighbor_affinity(Y, 4),
        }[matrix]()
    )
    make = leading_directions if isinstance(amount, int) else powers
    assert np.vdot(make(spectrum, amount)(gradient), gradient) >= -1e-12 * np.vdot(
        gradient, gradient
    )


def test_the_perplexity_of_weights_is_that_of_the_loops():
    for weights in ([1 / 7] * 7, [0.0, 1.0], [5.0, 2.0, 0.0, 1e-3]):
        expected = explicit.perplexity(weights)
        assert perplexity(np.array(weights)) == pytest.approx(expected, rel=1e-12)
    assert explicit.perplexity([3.0] * 7) == pytest.approx(7)


def test_the_effective_number_of_directions():
    assert leading_directions(SPECTRUM, 4).directions == pytest.approx(4)
    for nu in (0.5, 1, 3):
        expected = explicit.perplexity((SPECTRUM.values**nu).tolist())
        assert powers(SPECTRUM, nu).directions == pytest.approx(expected)
    numbers = [powers(SPECTRUM, nu).directions for nu in (0, 0.3, 1, 3, 30, 1e4)]
    assert numbers == sorted(numbers, reverse=True) and numbers[-1] == pytest.approx(1)
    part = Filter(SPECTRUM.vectors[:, :4], np.array([1.0, 1, 1, 1]), 0.5)
    assert part.directions == pytest.approx(explicit.perplexity([1.0] * 4 + [0.5] * 5))


@pytest.mark.parametrize("number", [1.1, 2, 5, 8.5])
def test_a_power_with_so_many_directions_is_found(number):
    nu = power_with(SPECTRUM, number)
    assert powers(SPECTRUM, nu).directions == pytest.approx(number, rel=2e-3)


def test_a_power_that_does_not_exist_is_the_nearest_one():
    flat = decompose(np.eye(5))
    assert power_with(flat, 2) == sgd.filters.MOST_NU and power_with(flat, 5) == 0
    of_low_rank = decompose(np.ones((5, 5)))
    assert power_with(of_low_rank, 3) == 0
    assert power_with(SPECTRUM, 9) == 0
    assert power_with(decompose(np.zeros((4, 4))), 2) == 0


@pytest.mark.parametrize("nu", [1, 3, 20])
def test_the_simulated_power_method_is_that_of_the_loops_and_of_the_matrices(nu):
    found = Deflation(SPECTRUM, nu)(GRADIENT) * np.linalg.eigvalsh(M)[-1] ** nu
    assert_close(found, explicit.deflation(GRADIENT.tolist(), M.tolist(), nu), rtol=1e-9)
    assert_close(found, matrices.deflation(GRADIENT, M, nu), rtol=1e-11)


def test_deflation_turns_the_coordinates_to_different_eigenvectors():
    guided_gradient = Deflation(SPECTRUM, 400)(GRADIENT)
    unit = guided_gradient / np.linalg.norm(guided_gradient, axis=0)
    assert abs(SPECTRUM.vectors[:, 0] @ unit[:, 0]) == pytest.approx(1, abs=1e-3)
    assert abs(SPECTRUM.vectors[:, 0] @ unit[:, 1]) < 0.05
    assert Deflation(SPECTRUM, 3).directions == powers(SPECTRUM, 3).directions


# ------------------------------------------------------------------ schedules


def numbers_of(schedule, **fields):
    guidance = SpectralGuidance(schedule=schedule, **fields)
    filters, later = guidance.stages(SPECTRUM, 2)
    return [filter.directions for filter in filters], list(islice(later, 2)), filters


@each("schedule", [s for s in SCHEDULES if s not in ("nu-hold", "constant")])
def test_schedules_grow_to_the_plain_gradient(schedule):
    numbers, later, filters = numbers_of(schedule)
    assert numbers == sorted(numbers) and numbers[-1] == pytest.approx(9)
    assert numbers[0] < 4.6 and later == []
    assert filters[-1].is_plain and not filters[0].is_plain


def test_the_numbers_of_each_schedule():
    as_numbers = lambda nus: [powers(SPECTRUM, nu).directions for nu in nus]
    assert numbers_of("nu", nu=3)[0] == as_numbers([3, 2, 1, 0])
    assert numbers_of("nu", nu=2.5)[0] == as_numbers([2.5, 1.5, 0.5, 0])
    assert numbers_of("nu-geometric", nu=1.0, steps=3)[0] == as_numbers([1, 0.1, 0.01, 0])
    assert numbers_of("l")[0] == pytest.approx([1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert numbers_of("l", l=7)[0] == pytest.approx([7, 8, 9])
    assert numbers_of("l-doubling")[0] == pytest.approx([1, 2, 4, 8, 9])
    assert numbers_of("l-doubling", l=9)[0] == pytest.approx([9])
    assert numbers_of("directions", steps=5)[0] == pytest.approx(np.geomspace(4.5, 9, 5), rel=2e-3)
    assert [filter.nu for filter in numbers_of("deflation", nu=3)[2][:-1]] == [3, 2, 1]


def test_a_schedule_that_starts_at_nothing_is_plain_and_no_nu_ever_rises():
    for schedule in ("nu", "nu-geometric"):
        _, _, filters = numbers_of(schedule, nu=0)
        assert all(filter.is_plain for filter in filters)
    numbers, _, _ = numbers_of("nu-geometric", nu=0.003, steps=4)
    assert numbers == sorted(numbers)


def test_schedules_begin_with_one_direction_and_end_with_all():
    counts = lambda filters: pytest.approx([filter.directions for filter in filters])
    assert [1, 2, 3, 4, 5, 6, 7, 8, 9] == counts(sgd.growing_by_one(SPECTRUM))
    assert [1, 2, 4, 8, 9] == counts(sgd.doubling(SPECTRUM))
    eight = decompose(clustering_affinity(Y[:8], 5.0))
    assert [1, 2, 4, 8] == counts(sgd.doubling(eight))


def test_with_more_directions_than_were_computed_every_point_is_free():
    part = decompose(M, leading=4)
    filters = sgd.growing_by_one(part)
    assert [filter.is_plain for filter in filters] == [False] * 4 + [True]
    assert filters[3].directions == pytest.approx(4)
    assert leading_directions(part, 7)(GRADIENT) is GRADIENT
    assert [filter.is_plain for filter in sgd.doubling(part)] == [False] * 3 + [True] * 2


def test_sheets_begin_with_more_directions_than_curves():
    spectrum = SpectralGuidance(h=0.1).spectrum(HELIX)
    for q, first in ((1, 1.2), (2, 8.4), (3, 58.8), (4, 150)):
        filters = sgd.spreading(spectrum, q, 4)
        numbers = np.geomspace(first, 300, 4)
        found = [filter.directions for filter in filters]
        np.testing.assert_allclose(found[1:], numbers[1:], rtol=5e-3)
        lowest = sgd.powers(spectrum, sgd.filters.MOST_NU).directions
        assert found[0] == pytest.approx(max(first, lowest), rel=5e-3)


def test_two_schedules_never_let_go():
    numbers, later, _ = numbers_of("nu-hold", nu=3)
    assert numbers == [powers(SPECTRUM, nu).directions for nu in (3, 2, 1)]
    assert [filter.directions for filter in later] == [powers(SPECTRUM, 1).directions] * 2
    for fields, filter in (
        (dict(nu=2.5), powers(SPECTRUM, 2.5)),
        (dict(l=3), leading_directions(SPECTRUM, 3)),
    ):
        numbers, later, _ = numbers_of("constant", **fields)
        assert numbers == [filter.directions] * 20
        assert [f.directions for f in later] == [filter.directions] * 2


# ------------------------------------------------------------------ guided descents


def bowl(X):
    """|X - 1|²/2, whose gradient is X - 1."""
    return 0.5 * np.sum((X - 1) ** 2), X - 1


def doubling_move(objective, X0):
    """A descent whose move is exactly minus the gradient that it was given."""
    X = np.array(X0, dtype=float)
    while True:
        step = Step(X, *objective(X))
        yield step
        X = X - step.gradient


def test_move_k_follows_filter_k_and_then_the_plain_gradient():
    scale = lambda factor: lambda gradient: factor * gradient
    steps = guided(doubling_move, [scale(0.5), scale(0.25)])(bowl, np.zeros((2, 1)))
    reached = [step.X[0, 0] for step in at_most(steps, 3)]
    assert reached == [0, 0.5, 0.625, 1]


def test_another_descent_takes_over_where_the_guided_moves_have_led():
    scale = lambda factor: lambda gradient: factor * gradient
    steps = guided(doubling_move, [scale(0.5), scale(0.25)], finish=gradient_descent)
    steps = list(at_most(steps(bowl, np.zeros((2, 1))), 4))
    assert [step.X[0, 0] for step in steps[:3]] == [0, 0.5, 0.625]
    assert_close(steps[2].gradient, np.full((2, 1), -0.375))  # the objective's own
    expected = list(at_most(gradient_descent(bowl, np.full((2, 1), 0.625)), 2))
    assert [step.error for step in steps[2:]] == [step.error for step in expected]


def test_no_filters_leave_a_descent_as_it_is():
    objective = partial(reconstruction_error, Y=HELIX)
    for method in (gradient_descent, rprop, lbfgs):
        pair = [last(at_most(m(objective, START), 5)).X for m in (method, guided(method, []))]
        assert np.array_equal(*pair)
        plainly = guided(method, [plain(SPECTRUM)] * 3)
        assert np.array_equal(last(at_most(plainly(objective, START), 5)).X, pair[0])


def test_guided_gradient_descent_never_raises_the_error_and_stays_in_the_leading_directions():
    objective = partial(reconstruction_error, Y=HELIX)
    spectrum = SpectralGuidance(h=1.0).spectrum(HELIX)
    two = leading_directions(spectrum, 2)
    steps = list(at_most(guided(gradient_descent, [two] * 30)(objective, START), 30))
    errors = [step.error for step in steps]
    assert errors == sorted(errors, reverse=True)
    moved = steps[-1].X - START
    assert_close(two(moved), moved, rtol=1e-9)
    assert np.abs(moved).max() > 1


def test_standing_still_it_goes_on_when_more_directions_are_free():
    X0 = np.array([[0.0], [0.0]])
    nothing = lambda gradient: 0 * gradient
    steps = guided(gradient_descent, [nothing] * 3)(bowl, X0)
    errors = [step.error for step in at_most(steps, 5)]
    assert errors[:4] == [1, 1, 1, 1] and errors[5] < errors[4] < 1
