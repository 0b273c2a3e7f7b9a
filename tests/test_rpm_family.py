"""[RPM] examples 1 to 5: known methods fall out of one alternation."""

from itertools import product

import numpy as np
import pytest
from helpers import assert_close, each, read_only
from hypothesis import given, settings
from hypothesis import strategies as st
from rpm_data import arc, blobs
from scipy.linalg import eigh
from sklearn.cluster import KMeans

from ukrlearn import explicit
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.rpm import adaptation, costs, instances, quantization
from ukrlearn.rpm.index_sets import Labels, Space
from ukrlearn.rpm.maps import Affine, Codebook, Planes
from ukrlearn.rpm.quantization import quantize, until_settled


def settled(steps, most=400):
    return last(at_most(until_settled(steps, tol=0), most))


def projector(directions):
    Q, _ = np.linalg.qr(np.asarray(directions).T)
    return Q @ Q.T


EVERY_COST = {
    "squared": (costs.squared, explicit.squared_cost),
    "huber": (costs.huber(0.7), explicit.huber_cost(0.7)),
    "l1": (costs.l1, explicit.l1_cost),
}
every_cost = each("cost, twin", EVERY_COST.values(), ids=EVERY_COST)


# Costs


@every_cost
def test_costs_are_those_of_the_loops(cost, twin):
    x, f = np.random.default_rng(0).normal(size=(2, 30, 3))
    assert_close(cost(x - f), [twin(a, b) for a, b in zip(x.tolist(), f.tolist(), strict=True)])


@every_cost
@given(seed=st.integers(0, 10**6), size=st.floats(0.01, 100))
@settings(deadline=None, max_examples=50)
def test_weighted_squares_touch_the_cost_and_lie_above_it(cost, twin, seed, size):
    r, s = size * np.random.default_rng(seed).normal(size=(2, 4, 3))
    w = cost.weights(r)
    above = cost(r) + np.sum(w * (s**2 - r**2), axis=1)
    assert (cost(s) <= above * (1 + 1e-12)).all()


def test_huber_is_half_squared_and_half_linear():
    cost = costs.huber(2.0)
    assert_close(cost(np.array([[1.0], [2.0], [5.0]])), [1 / 4, 1.0, 5 - 1])


def test_weights_are_the_slope_over_twice_the_size_whatever_the_unit():
    r = np.array([[0.3, -0.4], [3.0, 4.0], [0.0, 1e-9]])
    s = np.linalg.norm(r, axis=1, keepdims=True)
    assert_close(costs.huber(2.0).weights(r), 1 / (2 * np.maximum(s, 2.0)))
    least = costs.NEGLIGIBLE * np.abs(r).mean()
    assert_close(costs.l1.weights(r), 1 / (2 * np.maximum(np.abs(r), least)))
    for cost in (costs.squared, costs.huber(2.0), costs.l1):
        in_thirds = costs.at_size(cost, 3.0)
        assert_close(in_thirds(r / 3), cost(r))
        assert_close(in_thirds.weights(r / 3), 9 * cost.weights(r))


# Example 1: the mean


def test_one_code_and_constants_make_the_mean_and_the_variance():
    Y = blobs()
    step = settled(instances.mean(Y))
    assert_close(step.f.C[0], Y.mean(axis=0))
    assert_close(step.error, Y.var(axis=0).sum())


# Examples 2 and 3: k codes


@pytest.mark.parametrize("seed", range(5))
def test_lloyds_k_means_is_the_alternation_round_by_round(seed):
    Y = blobs(seed=seed)
    steps = at_most(instances.k_means(Y, 4, random_state=seed), 12)
    projections = [step for step in steps if step.half == "projection"]
    f = projections[0].f.C.tolist()
    for step in projections:
        assert_close(step.f.C, f)
        assert_close(step.error, explicit.quantization_error(Y.tolist(), f, explicit.squared_cost))
        assert step.Z.tolist() == explicit.best_codes(Y.tolist(), f, explicit.squared_cost)
        f = explicit.lloyd_round(Y.tolist(), f)


@pytest.mark.parametrize("seed", range(3))
def test_k_means_ends_where_scikit_learns_does(seed):
    Y = blobs(seed=seed)
    start = next(instances.k_means(Y, 3, random_state=seed)).f.C
    step = settled(instances.k_means(Y, 3, random_state=seed))
    theirs = KMeans(3, init=start, n_init=1, tol=0, max_iter=1000).fit(Y)
    assert_close(step.error * len(Y), theirs.inertia_)
    assert_close(step.f.C, theirs.cluster_centers_, rtol=1e-10)


@pytest.mark.parametrize("name", ["squared", "l1", "huber"])
def test_no_assignment_of_a_few_points_is_better_than_the_best_start(name):
    cost = EVERY_COST[name][0]
    for seed in range(10):
        Y = np.random.default_rng(seed).normal(size=(7, 2))

        def error(labels, Y=Y):
            Z = np.array(labels)
            f = adaptation.fit_constants(Z, Y, cost, Codebook(np.zeros((2, 2))))
            return cost(f.residual(Z, Y)).mean()

        brute = min(error(labels) for labels in product((0, 1), repeat=7))
        starts = range(30)
        ours = min(settled(instances.k_means(Y, 2, cost, random_state=s)).error for s in starts)
        assert brute <= ours * (1 + 1e-9) and ours <= brute * (1 + 1e-6)


def test_k_medians_have_medians_and_are_those_of_the_loops():
    Y = blobs(N=31)
    step = settled(instances.k_medians(Y, 3))
    for label in range(3):
        assert_close(step.f.C[label], np.median(Y[step.Z == label], axis=0))
    of_loops = explicit.refit_medians(Y.tolist(), step.Z.tolist(), step.f.C.tolist())
    assert_close(step.f.C, of_loops)
    assert_close(step.error, explicit.quantization_error(Y.tolist(), of_loops, explicit.l1_cost))


def test_an_outlier_moves_medians_and_huber_centres_little():
    Y = np.vstack([np.random.default_rng(0).normal(size=(50, 2)), [[1000.0, 0.0]]])
    moved = {
        "mean": settled(instances.k_means(Y, 1)).f.C[0, 0],
        "median": settled(instances.k_medians(Y, 1)).f.C[0, 0],
        "huber": settled(instances.robust_k_means(Y, 1, sigma=1.0)).f.C[0, 0],
    }
    assert moved["mean"] > 15 and abs(moved["median"]) < 0.5 and abs(moved["huber"]) < 0.5


def test_the_huber_centre_has_no_slope():
    Y = blobs(k=1)
    cost = costs.huber(0.5)
    centre = settled(instances.robust_k_means(Y, 1, sigma=0.5)).f.C[0]
    slope = np.sum(cost.weights(Y - centre) * (Y - centre), axis=0)
    assert np.abs(slope).max() < 1e-3 * len(Y)


@pytest.mark.parametrize("weighted", [False, True])
def test_a_weight_is_a_number_of_copies(weighted):
    Y = np.random.default_rng(0).normal(size=(9, 2))
    copies = np.random.default_rng(1).integers(1, 5, size=9)
    Z = np.arange(9) % 2
    f = Codebook(np.zeros((2, 2)))
    for cost, _ in EVERY_COST.values():
        repeated = adaptation.fit_constants(np.repeat(Z, copies), np.repeat(Y, copies, 0), cost, f)
        once = adaptation.fit_constants(Z, Y, cost, f, copies.astype(float))
        assert_close(once.C, repeated.C, rtol=1e-9)


def test_a_code_that_nobody_chooses_stays():
    Y = blobs()
    far = np.vstack([Y[:2], [[1e6, 1e6]]])
    steps = at_most(quantize(Y, Codebook(far), Labels(3), adaptation.fit_constants), 6)
    assert_close(last(steps).f.C[2], far[2])


def test_more_codes_than_different_points_are_refused():
    with pytest.raises(ValueError, match="k=3 codes need as many different points; there are 2"):
        instances.k_means(np.array([[0.0], [0.0], [1.0]]), 3)


# Example 4: principal components


@pytest.mark.parametrize("q", [1, 2])
def test_affine_maps_and_codes_in_a_plane_find_the_principal_subspace(q):
    random = np.random.default_rng(0)
    Y = random.normal(size=(200, 4)) * [5, 3, 1, 0.5] @ np.linalg.qr(random.normal(size=(4, 4)))[0]
    step = settled(instances.pca(Y, q))
    centred = Y - Y.mean(axis=0)
    _, sizes, V = np.linalg.svd(centred, full_matrices=False)
    assert_close(projector(step.f.B), projector(V[:q]), rtol=1e-4)
    assert_close(step.error, np.sum(sizes[q:] ** 2) / len(Y), rtol=1e-9)


def test_example_5_diagonalises_the_covariance_and_the_metric_together():
    random = np.random.default_rng(1)
    Y = random.normal(size=(300, 4)) * [4, 2, 1, 0.5]
    A = random.normal(size=(4, 4))
    D = A @ A.T + np.eye(4)
    step = settled(instances.generalised_pca(Y, 2, D), 2000)
    # cov u = mu D u; the plane is spanned by D u for the two greatest mu
    mu, U = eigh(np.cov(Y.T, bias=True), D)
    assert_close(projector(step.f.B), projector((D @ U[:, -2:]).T), rtol=1e-3)
    assert_close(step.error, mu[:2].sum(), rtol=1e-6)
    cost = explicit.metric_cost(D.tolist())
    by_loops = np.mean(
        [cost(y, f) for y, f in zip(Y.tolist(), step.f(step.Z).tolist(), strict=True)]
    )
    assert_close(step.error, by_loops, rtol=1e-9)


def test_in_a_metric_k_means_has_means_again():
    Y = blobs()
    D = np.array([[2.0, 0.5], [0.5, 1.0]])
    step = settled(quantization.in_metric(D, lambda Y: instances.k_means(Y, 3), Y))
    for label in range(3):
        assert_close(step.f.C[label], Y[step.Z == label].mean(axis=0), rtol=1e-10)


@pytest.mark.parametrize(
    "D",
    [
        np.diag([1.0, -1.0]),
        np.diag([1.0, 0.0]),  # semidefinite
        [[1.0, 2.0], [2.0, 1.0]],  # symmetric with a positive diagonal, and yet indefinite
        np.eye(3),
        [[1.0, 2.0], [0.0, 1.0]],
    ],
)
def test_a_metric_must_be_positive_definite_and_fit(D):
    with pytest.raises(ValueError, match="D must be a symmetric positive definite matrix"):
        next(quantization.in_metric(D, lambda Y: instances.k_means(Y, 2), blobs()))


# k-planes


def test_one_plane_is_pca_and_planes_of_no_dimension_are_means():
    Y = np.random.default_rng(0).normal(size=(100, 3)) * [3, 2, 0.5]
    plane = settled(instances.k_planes(Y, 1, 2))
    centred = Y - Y.mean(axis=0)
    assert_close(projector(plane.f.directions[0]), projector(np.linalg.svd(centred)[2][:2]))
    points = settled(instances.k_planes(Y, 3, 0))
    means = settled(instances.k_means(Y, 3))
    assert_close(points.f.centres, means.f.C)


def test_two_crossing_lines_are_found():
    random = np.random.default_rng(0)
    t = random.uniform(-1, 1, (200, 1))
    which = random.integers(2, size=200)
    axes = np.array([[1.0, 0.2], [-0.3, 1.0]])
    Y = t * axes[which] + 0.01 * random.normal(size=(200, 2))
    best = min((settled(instances.k_planes(Y, 2, 1, random_state=s)) for s in range(10)),
               key=lambda step: step.error)  # fmt: skip
    assert best.error < 4e-4
    far = np.abs(t[:, 0]) > 0.2
    agreement = np.mean(best.Z[far] == which[far])
    assert max(agreement, 1 - agreement) == 1


def test_a_plane_that_is_turned_by_an_outlier_is_turned_less_by_huber():
    random = np.random.default_rng(0)
    Y = np.column_stack([random.normal(size=60), 0.1 * random.normal(size=60)])
    Y = np.vstack([Y, [[0.0, 30.0]]])
    slope = lambda step: abs(step.f.directions[0, 0, 1])
    assert slope(settled(instances.k_planes(Y, 1, 1))) > 0.9
    assert slope(settled(instances.k_planes(Y, 1, 1, costs.huber(0.1)))) < 0.1


def test_planes_refuse_a_cost_that_has_no_perpendiculars():
    with pytest.raises(ValueError, match="Euclidean distance"):
        list(at_most(instances.k_planes(blobs(), 2, 1, costs.l1), 2))
    with pytest.raises(ValueError, match="Euclidean distance"):
        list(at_most(instances.pca(blobs(), 1, costs.l1), 2))


# The alternation


@every_cost
@each("seed", range(10))
def test_no_half_step_raises_the_error(cost, twin, seed):
    Y = blobs(seed=seed)
    runs = [instances.k_means(Y, 4, cost, random_state=seed)]
    if cost.norm == 2:
        runs += [instances.k_planes(Y, 3, 1, cost, seed), instances.pca(Y, 1, cost, seed)]
    for steps in runs:
        errors = np.array([step.error for step in at_most(steps, 30)])
        assert (np.diff(errors) <= 1e-13 * errors[0]).all()
        assert errors[-1] < errors[0]


def test_a_fit_that_would_be_worse_is_not_taken():
    Y = blobs()
    worse = lambda Z, Y, cost, previous: Codebook(previous.C + 100)
    steps = list(at_most(quantize(Y, Codebook(Y[:3].copy()), Labels(3), worse), 5))
    assert all(step.error == steps[0].error for step in steps)


@pytest.mark.parametrize(
    "f",
    [
        Codebook(np.arange(6.0).reshape(3, 2)),
        Affine(np.array([1.0, 2.0]), np.array([[1.0, 3.0]])),
        Planes(np.arange(6.0).reshape(3, 2), np.tile([[[0.6, 0.8]]], (3, 1, 1))),
    ],
)
def test_a_map_can_be_followed_by_a_linear_one(f):
    A = np.array([[2.0, 1.0], [0.0, 3.0]])
    Z = np.array([[0.3], [1.0]]) if isinstance(f, Affine) else np.array([2, 0])
    assert_close(f.times(A)(Z), f(Z) @ A)
    if isinstance(f, Planes):  # what was in the plane is in the image of the plane
        there = (f.centres[Z] + 5 * f.directions[Z][:, 0]) @ A
        assert np.abs(f.times(A).residual(Z, there)).max() < 1e-12


def test_data_are_not_written_to():
    Y = read_only(np.array(arc()))
    for steps in (instances.k_means(Y, 3), instances.k_planes(Y, 2, 1), instances.pca(Y, 1)):
        last(at_most(steps, 3))


def test_projection_onto_all_of_space_is_the_foot_of_the_perpendicular():
    Y = arc()
    f = Affine(np.array([0.2, 0.1]), np.array([[3.0, 1.0]]))
    found = Space(1).project(f, Y)
    assert np.abs(f.residual(found.Z, Y) @ f.B[0]).max() < 1e-12
