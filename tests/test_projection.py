"""Projection of new data (19): against brute force, both paths, and what it promises each row."""

import numpy as np
import pytest
from helpers import (
    COMPACT,
    TWINS,
    assert_close,
    blocks_of,
    curve,
    differences,
    each,
    every_kernel,
    gaussian,
    name,
    quartic,
    read_only,
    small_problem,
    steep,
    student,
    wide,
)

from ukrlearn import explicit
from ukrlearn.blocks import mercer_kernels
from ukrlearn.blocks.kernel_regression import density_gradient, latent_density, predict
from ukrlearn.explicit.matrices import ukr as matrices
from ukrlearn.ukr import projection
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.projection import FeatureManifold, project, squared_distance_to_image

X_SMALL, Y_SMALL = small_problem()
X_CURVE, Y_CURVE = curve()
X_CURVE = read_only(4 * X_CURVE)  # about the width at which the half circle is rebuilt best
NEW = read_only(1.3 * np.random.default_rng(7).normal(size=(25, 2)))
NEAR = read_only(Y_CURVE[2:-2:2] + 0.1 * np.random.default_rng(7).normal(size=(28, 2)))
some_kernels = each("kernel", [gaussian, quartic, student], ids=name)
PATHS = {"dense": True, "sparse": False}


@pytest.fixture(params=PATHS)
def path(request, monkeypatch):
    """Compact kernels take this path, in blocks of four rows."""
    force(monkeypatch, request.param)
    monkeypatch.setattr(projection, "row_blocks", blocks_of(4))
    return request.param


def force(monkeypatch, path):
    monkeypatch.setattr(projection, "mostly_neighbors", lambda *_: PATHS[path])


def project_gram(with_all, with_itself, X, G, kernel=gaussian, threshold=0.0, **options):
    return FeatureManifold(X, G, kernel).project((with_all, with_itself), threshold, **options)


def squares_at(x, targets, X, Y, kernel=gaussian):
    return np.sum((targets - predict(x, X, Y, kernel)) ** 2, axis=1)


# ------------------------------------------------------------------ the error and its slopes


@every_kernel
def test_squared_distance_to_the_image_is_that_of_the_loops_and_of_the_matrices(
    kernel, monkeypatch
):
    monkeypatch.setattr(projection, "row_blocks", blocks_of(3))
    x, targets = X_SMALL[:5] + 0.05, Y_SMALL[4:] + 0.3
    squares, gradient = squared_distance_to_image(x, targets, X_SMALL, Y_SMALL, kernel)
    of_matrices = matrices.squared_distance_to_image(x, targets, X_SMALL, Y_SMALL, kernel)
    assert_close(squares, of_matrices[0])
    assert_close(gradient, of_matrices[1])
    for m in range(5):
        expected = explicit.squared_distance_to_image(
            x[m], targets[m], X_SMALL, Y_SMALL, TWINS[kernel]
        )
        assert squares[m] == pytest.approx(expected[0], rel=1e-12)
        assert_close(gradient[m], expected[1])
        of_twin = lambda z, m=m: explicit.squared_distance_to_image(
            z, targets[m], X_SMALL, Y_SMALL, TWINS[kernel]
        )[0]
        assert_close(gradient[m], differences(of_twin, x[m]), rtol=1e-7)


@every_kernel
def test_an_evaluation_holds_the_gradients_of_the_error_and_of_the_density(kernel, monkeypatch):
    monkeypatch.setattr(projection, "row_blocks", blocks_of(7))
    x = np.vstack([X_SMALL[:5] + 0.05, [[40.0, 0.0]]])
    targets = Y_SMALL[3:] + 0.3
    squares, gradient = squared_distance_to_image(x, targets, X_SMALL, Y_SMALL, kernel)
    with_all, with_itself = targets @ Y_SMALL.T, np.vecdot(targets, targets)
    spaces = {
        "data": (targets, projection.DataSpace(Y_SMALL)),
        "gram": ((with_all, with_itself), projection.FeatureSpace(Y_SMALL @ Y_SMALL.T)),
    }
    evaluations = [
        projection._evaluate_in_space(x, given, X_SMALL, space, kernel)
        for given, space in spaces.values()
    ]
    if kernel.compact:
        tree = projection.build_tree(X_SMALL)
        evaluations.append(
            projection._evaluate_over_neighbors(x, targets, X_SMALL, Y_SMALL, kernel, tree)
        )
    for evaluation in evaluations:
        assert_close(evaluation.squares, squares)
        assert_close(evaluation.gradient, gradient, rtol=1e-11)
        assert_close(evaluation.density, latent_density(x, X_SMALL, kernel))
        if not kernel.exponential:  # else the far row's slope is that of its shifted values
            assert_close(
                evaluation.density_gradient, density_gradient(x, X_SMALL, kernel), rtol=1e-11
            )
        assert_close(
            evaluation.density_gradient[:5], density_gradient(x[:5], X_SMALL, kernel), rtol=1e-11
        )


# ------------------------------------------------------------------ what is found


@some_kernels
def test_projecting_a_point_of_the_manifold_finds_it(kernel, path):
    inside = np.linspace(X_CURVE.min() + 0.5, X_CURVE.max() - 0.5, 30)[:, None]
    targets = predict(inside, X_CURVE, Y_CURVE, kernel)
    found = project(targets, X_CURVE, Y_CURVE, kernel, max_iter=150)
    assert found.squares.max() < 1e-9  # (19)


def test_projecting_a_point_of_a_surface_finds_it(path):
    random = np.random.default_rng(0)
    X = random.uniform(-2, 2, size=(150, 2))
    Y = np.column_stack([X, np.sin(X[:, 0]) + X[:, 1] ** 2 / 4])
    targets = predict(random.uniform(-1.5, 1.5, size=(20, 2)), X, Y)
    assert project(targets, X, Y, max_iter=200).squares.max() < 1e-8


@each("share", [0.0, 0.5, 1.1])
@some_kernels
def test_on_a_curve_projection_is_as_good_as_a_fine_grid(kernel, share, path):
    X, Y = X_CURVE, Y_CURVE
    threshold = share * relative_density(X, kernel).min()
    grid = np.linspace(X.min() - 1, X.max() + 1, 4000)[:, None]
    grid = grid[latent_density(grid, X, kernel) >= threshold * kernel.at_zero]
    f = predict(grid, X, Y, kernel)
    best = np.min(((NEAR[:, None] - f) ** 2).sum(axis=-1), axis=1)
    start = project(NEAR, X, Y, kernel, threshold, max_iter=0)
    found = project(NEAR, X, Y, kernel, threshold, max_iter=200)
    # The nearest reconstruction is nearly always in the right valley, and RPROP runs to its end.
    as_good = found.squares <= best * 1.02 + 1e-5
    assert as_good.mean() >= 0.8
    assert np.mean(found.squares - best) < 0.2 * np.mean(start.squares - best)


@each("threshold", [0.0, 0.01, 0.05, 0.1])
@every_kernel
def test_no_row_ends_worse_than_it_started_and_all_end_inside(kernel, threshold, path):
    X, Y = X_CURVE, Y_CURVE
    allowed = relative_density(X, kernel) >= threshold
    assert allowed.any()
    starts = ((NEW[:, None] - predict(X[allowed], X, Y, kernel)) ** 2).sum(axis=-1).min(axis=1)
    for max_iter in (0, 1, 5, 60):
        x, squares, density = project(NEW, X, Y, kernel, threshold, max_iter=max_iter)
        assert np.all(density >= threshold * kernel.at_zero)  # exactly
        assert np.all(squares <= starts * (1 + 1e-13))
        assert_close(squares, squares_at(x, NEW, X, Y, kernel), rtol=1e-11)
        assert_close(density, latent_density(x, X, kernel), rtol=1e-12)
        if max_iter == 0:
            assert_close(squares, starts, rtol=1e-11)
        if max_iter == 60:
            assert squares.mean() < 0.999 * starts.mean()


def test_the_constraint_binds_where_the_best_place_is_too_thin():
    X = np.linspace(-3, 3, 61)[:, None]
    Y = np.hstack([X, np.zeros_like(X)])
    beyond = np.array([[9.0, 0.0]])
    free = project(beyond, X, Y, max_iter=200)
    threshold = 0.2
    held = project(beyond, X, Y, gaussian, threshold, max_iter=200)
    assert free.density[0] < threshold <= held.density[0]
    assert held.squares[0] > free.squares[0]
    border = np.linspace(0, 9, 9001)[:, None]
    border = border[latent_density(border, X) >= threshold].max()
    assert held.x[0, 0] == pytest.approx(border, abs=0.05)


# ------------------------------------------------------------------ rows by themselves, symmetries


@each("threshold", [0.0, 0.05])
@some_kernels
def test_rows_do_not_depend_on_the_batch(kernel, threshold, monkeypatch):
    # BLAS may round a product differently for another number of rows; RPROP's steps do not care.
    together = project(NEW, X_CURVE, Y_CURVE, kernel, threshold)
    for rows in (slice(3, 4), slice(5, 20), [9, 2, 2]):
        alone = project(NEW[rows], X_CURVE, Y_CURVE, kernel, threshold)
        assert_close(alone.squares, together.squares[rows], rtol=1e-9)
    monkeypatch.setattr(projection, "row_blocks", blocks_of(4))
    in_blocks = project(NEW, X_CURVE, Y_CURVE, kernel, threshold)
    assert_close(in_blocks.squares, together.squares, rtol=1e-9)
    assert_close(in_blocks.x, together.x, rtol=1e-4)


def test_scale_of_the_data_does_not_matter():
    found = project(NEW, X_CURVE, Y_CURVE, gaussian, 0.05)
    for factor in (2.0**-100, 2.0**100):
        scaled = project(factor * NEW, X_CURVE, factor * Y_CURVE, gaussian, 0.05)
        assert_close(scaled.x, found.x)
        assert_close(scaled.squares / factor**2, found.squares)


# ------------------------------------------------------------------ both spaces, both paths


@each("threshold", [0.0, 0.05])
@some_kernels
def test_linear_gram_matrix_gives_the_data_space_result(kernel, threshold, path):
    found = project(NEW, X_CURVE, Y_CURVE, kernel, threshold, max_iter=150)
    with_all, with_itself = NEW @ Y_CURVE.T, np.vecdot(NEW, NEW)
    G = Y_CURVE @ Y_CURVE.T
    gram = project_gram(with_all, with_itself, X_CURVE, G, kernel, threshold, max_iter=150)
    assert_close(gram.squares, found.squares, rtol=1e-6)
    assert np.all(gram.density >= threshold * kernel.at_zero)
    assert_close(gram.density, latent_density(gram.x, X_CURVE, kernel))


def test_feature_space_of_the_l1_kernel_is_projected_into_as_its_coordinates_are():
    both = np.vstack([Y_CURVE, NEW])
    values, vectors = np.linalg.eigh(mercer_kernels.l1(both))
    Phi = vectors * np.sqrt(values.clip(min=0))
    N = len(Y_CURVE)
    expected = project(Phi[N:], X_CURVE, Phi[:N], gaussian, 0.02, max_iter=150)
    with_all, G = mercer_kernels.l1(NEW, Y_CURVE), mercer_kernels.l1(Y_CURVE)
    with_itself = np.diagonal(mercer_kernels.l1(NEW))
    found = project_gram(with_all, with_itself, X_CURVE, G, gaussian, 0.02, max_iter=150)
    assert_close(found.squares, expected.squares, rtol=1e-5)
    assert_close(found.x, expected.x, rtol=1e-2)


@pytest.mark.parametrize("threshold", [0.0, 0.05])
def test_without_the_products_with_themselves_positions_are_as_good(threshold):
    X, Y, G = X_CURVE, Y_CURVE, Y_CURVE @ Y_CURVE.T
    with_all, with_itself = NEAR @ Y.T, np.vecdot(NEAR, NEAR)
    known = project_gram(with_all, with_itself, X, G, gaussian, threshold)
    unknown = project_gram(with_all, np.zeros(len(NEAR)), X, G, gaussian, threshold)
    assert_close(unknown.squares, squares_at(unknown.x, NEAR, X, Y) - with_itself, rtol=1e-11)
    assert np.all(unknown.density >= threshold)
    start = project_gram(with_all, with_itself, X, G, gaussian, threshold, max_iter=0)
    lost = np.mean(unknown.squares + with_itself - known.squares)
    assert abs(lost) < 0.05 * np.mean(start.squares - known.squares)


def test_a_row_without_its_own_product_does_not_change_the_others():
    X, G = X_CURVE, Y_CURVE @ Y_CURVE.T
    with_all, with_itself = NEAR @ Y_CURVE.T, np.vecdot(NEAR, NEAR)
    known = project_gram(with_all, with_itself, X, G)
    with_itself[3] = 0
    others = np.arange(len(NEAR)) != 3
    mixed = project_gram(with_all, with_itself, X, G)
    assert_close(mixed.x[others], known.x[others], rtol=1e-12)
    defaults = project_gram(with_all, with_itself, X, G, gaussian, 0.0, max_iter=60)
    assert np.array_equal(defaults.x, mixed.x)


@pytest.mark.parametrize("threshold", [0.0, 0.02])
@pytest.mark.parametrize("kernel", COMPACT, ids=name)
def test_sparse_and_dense_agree(kernel, threshold, monkeypatch):
    X, Y = read_only(np.vstack([X_CURVE, [[90.0]]])), read_only(np.vstack([Y_CURVE, [[3.0, 3.0]]]))
    outcome = {}
    for path in PATHS:
        force(monkeypatch, path)
        outcome[path] = project(NEW, X, Y, kernel, threshold, max_iter=150)
    for dense, sparse in zip(outcome["dense"], outcome["sparse"], strict=True):
        assert_close(sparse, dense, rtol=1e-6)


def test_a_compact_kernel_takes_the_path_that_its_neighbors_suggest(monkeypatch):
    calls = []
    original = projection._evaluate_over_neighbors
    spy = lambda *given: calls.append(given) or original(*given)
    monkeypatch.setattr(projection, "_evaluate_over_neighbors", spy)
    project(NEW, 0.05 * X_CURVE, Y_CURVE, quartic, max_iter=1)
    project(NEW, 3 * X_CURVE, Y_CURVE, gaussian, max_iter=1)
    assert not calls
    project(NEW, 3 * X_CURVE, Y_CURVE, quartic, max_iter=1)
    assert len(calls) == 2  # the start and one step


# ------------------------------------------------------------------ steps


def rprop_by_loops(target, X, Y, kernel, threshold, max_iter, knows_itself=True):
    """One row: iRprop- on the error plus a barrier, from the loops of the explicit module."""
    at_zero, N = kernel[0](0.0), len(X)
    least = threshold * at_zero
    enough = [n for n in range(N) if explicit.latent_density([X[n]], X, kernel)[0] >= least]
    f = explicit.predict(X, X, Y, kernel)
    squares = [explicit.squared_distance(f[n], target) for n in enough]
    n = enough[squares.index(min(squares))]
    gain = min(squares) if knows_itself else 0.3 * (sum(squares) / len(enough) - min(squares))
    x, q = [float(value) for value in X[n]], len(X[n])
    step, before = [0.1] * q, [0.0] * q
    weight, best, path = 1e-3 * gain, None, [list(x)]
    for iteration in range(max_iter + 1):
        error, gradient = explicit.squared_distance_to_image(x, target, X, Y, kernel)
        density = explicit.latent_density([x], X, kernel)[0]
        if best is None or (error < best[1] and density >= least):
            best = list(x), error, density
        if iteration == max_iter:
            break
        slack = (density - least) / (at_zero - least)
        slope = -1 / slack if slack >= 1e-3 else (slack / 1e-3 - 2) / 1e-3
        push = explicit.density_gradient([x], X, kernel)[0]
        turned = moved = False
        for j in range(q):
            g = gradient[j] + weight * slope / (at_zero - least) * push[j]
            step[j] = explicit.rprop_step(step[j], g, before[j], least=5e-6, most=5.0)
            if g * before[j] < 0:
                before[j], turned = 0.0, True
            else:
                before[j] = g
                x[j] -= np.sign(g) * step[j]
            moved = moved or before[j] != 0
        if not turned and not (max(step) > 1e-5 and moved):
            break
        path.append(list(x))
    return best, path


def assert_rows_run_as_by_loops(found, paths, targets, kernel, threshold, knows_itself=True):
    max_iter = len(paths) - 1
    for m, target in enumerate(targets):
        best, expected = rprop_by_loops(
            target, X_SMALL, Y_SMALL, TWINS[kernel], threshold, max_iter, knows_itself
        )
        actual = np.array([positions[m] for positions in paths])
        assert_close(actual[: len(expected)], expected, rtol=1e-8)
        assert np.all(actual[len(expected) :] == actual[len(expected) - 1])  # settled
        assert_close(found.x[m], best[0], rtol=1e-8)
        assert found.density[m] == pytest.approx(best[2], rel=1e-8)
        constant = 0 if knows_itself else target @ target
        assert found.squares[m] + constant == pytest.approx(best[1], rel=1e-8)


@each("threshold", [0.0, 0.25])
@each("kernel", [gaussian, quartic, student, steep], ids=name)
def test_each_row_runs_rprop_as_by_loops(kernel, threshold, path):
    targets, paths = read_only(Y_SMALL[::2] + 0.4), []
    found = project(targets, X_SMALL, Y_SMALL, kernel, threshold, max_iter=25, paths=paths)
    assert len(paths) == 26
    assert_rows_run_as_by_loops(found, paths, targets, kernel, threshold)


@pytest.mark.parametrize("threshold", [0.0, 0.25])
@pytest.mark.parametrize("kernel", [gaussian, wide], ids=name)
def test_each_row_settles_as_by_loops(kernel, threshold):
    targets = predict(0.4 * X_SMALL[::2], X_SMALL, Y_SMALL, kernel) + 0.05
    paths = []
    found = project(targets, X_SMALL, Y_SMALL, kernel, threshold, max_iter=150, paths=paths)
    assert np.array_equal(paths[-1], paths[-5])
    assert_rows_run_as_by_loops(found, paths, targets, kernel, threshold)


@pytest.mark.parametrize("threshold", [0.0, 0.25])
@pytest.mark.parametrize("kernel", [gaussian, student], ids=name)
def test_rows_without_their_own_product_run_as_by_loops(kernel, threshold):
    targets, paths = predict(0.6 * X_SMALL[::3], X_SMALL, Y_SMALL, kernel) + 0.3, []
    known = np.array([True, False, False])
    with_itself = np.where(known, np.vecdot(targets, targets), 0.0)
    found = project_gram(
        *(targets @ Y_SMALL.T, with_itself, X_SMALL, Y_SMALL @ Y_SMALL.T, kernel, threshold),
        **dict(max_iter=40, paths=paths),
    )
    for rows, knows in ((known, True), (~known, False)):
        of_rows = projection.Projection(*(part[rows] for part in found))
        on_rows = [positions[rows] for positions in paths]
        assert_rows_run_as_by_loops(of_rows, on_rows, targets[rows], kernel, threshold, knows)


def test_by_default_rows_take_sixty_steps_at_most():
    for run in (
        lambda paths: project(NEW, X_CURVE, Y_CURVE, paths=paths),
        lambda paths: project_gram(
            *(NEW @ Y_CURVE.T, np.vecdot(NEW, NEW), X_CURVE, Y_CURVE @ Y_CURVE.T), paths=paths
        ),
    ):
        paths = []
        run(paths)
        assert len(paths) == 61


def on_a_plane(of_x, density=lambda x: np.ones(len(x))):
    """What `_descend` asks for, where squares fall with the slope of a plane, or stand still."""

    def evaluate(rows, x):
        squares = np.array([of_x(*row) for row in x])
        return projection.Evaluation(squares, -np.ones_like(x), density(x), np.zeros_like(x))

    return evaluate


def descended(evaluate, x0, max_iter, least_density=0.0):
    x0 = np.array(x0)
    track = np.empty((max_iter + 1, *x0.shape))
    weight = np.zeros(len(x0))
    return projection._descend(x0, weight, evaluate, least_density, 2.0, max_iter, track), track


def test_steps_grow_to_five_widths_of_the_kernel_and_no_longer():
    best, track = descended(on_a_plane(lambda x: -x), [[0.0]], 40)
    moves = np.diff(track.ravel())
    assert_close(moves, np.minimum(0.1 * 1.2 ** np.arange(40), 5))
    assert best.x == track[-1] and best.squares == -track[-1]


def test_a_row_goes_on_while_one_of_its_coordinates_has_a_slope_and_stops_when_none_has():
    asked = []

    def evaluate(rows, x):
        asked.extend(rows.tolist())
        slopes = np.array([[-1.0, 0.0], [0.0, 0.0]])[rows]
        return projection.Evaluation(-x[:, 0], slopes, np.ones(len(x)), np.zeros_like(x))

    best, track = descended(evaluate, [[0.0, 7.0], [0.0, 7.0]], 4)
    assert_close(best.x, [[0.1 * (1 + 1.2 + 1.44 + 1.728), 7], [0, 7]])
    assert asked == [0, 1, 0, 0, 0, 0]  # the second row only at its start


def test_of_equally_good_places_the_first_is_kept():
    best, track = descended(on_a_plane(lambda x: 3.0), [[0.0]], 5)
    assert best.x == 0 and track[-1] > 0.5


def test_a_place_exactly_at_the_least_density_is_allowed():
    thin = lambda x: np.where(x[:, 0] > 0, 0.5, 1.0)
    best, _ = descended(on_a_plane(lambda x: -x, thin), [[0.0]], 5, least_density=0.5)
    assert best.x > 0.5 and best.density == 0.5
    best, _ = descended(on_a_plane(lambda x: -x, thin), [[0.0]], 5, least_density=0.500001)
    assert best.x == 0 and best.density == 1


def test_settled_rows_are_not_computed_any_further(monkeypatch):
    rows = []
    original = projection._evaluate_in_space
    spy = lambda x, *given: rows.append(len(x)) or original(x, *given)
    monkeypatch.setattr(projection, "_evaluate_in_space", spy)
    project(NEW, X_CURVE, Y_CURVE, max_iter=400)
    assert rows[0] == len(NEW) and rows[-1] < len(NEW) / 2
    assert all(later <= earlier for earlier, later in zip(rows, rows[1:], strict=False))
    assert len(rows) < 400


# ------------------------------------------------------------------ hard cases


@every_kernel
def test_far_away_data_end_on_the_manifold_without_nan(kernel, path):
    far = np.array([[1e6, -1e6], [1e150, 0.0], [0.0, 0.0]])
    found = project(far, X_CURVE, Y_CURVE, kernel, 0.01)
    for part in found:
        assert np.isfinite(part).all()
    assert np.all(found.density >= 0.01 * kernel.at_zero)
    f = predict(found.x, X_CURVE, Y_CURVE, kernel)
    assert np.all(np.abs(f) <= np.abs(Y_CURVE).max(axis=0) + 1e-12)


@every_kernel
def test_far_apart_latent_points_give_no_nan(kernel, path):
    for scale in (1e3, 1e100, 1e160):
        found = project(NEW, scale * X_CURVE, Y_CURVE, kernel)
        for part in found:
            assert np.isfinite(part).all()
        nearest = (NEW[:, None] - predict(scale * X_CURVE, scale * X_CURVE, Y_CURVE, kernel)) ** 2
        assert np.all(found.squares <= nearest.sum(axis=-1).min(axis=1) * (1 + 1e-12))


@every_kernel
def test_training_data_of_one_point_in_one_place(kernel, path):
    X, Y = np.zeros((5, 2)), np.tile([1.0, 2.0], (5, 1))
    x, squares, density = project(np.array([[1.0, 3.0]]), X, Y, kernel, 1 - 1e-9)
    assert_close(squares, [1.0])
    assert_close(density, [kernel.at_zero], rtol=1e-8)


@every_kernel
def test_at_a_threshold_of_one_the_start_is_the_end(kernel, path):
    X, Y, paths = np.zeros((5, 2)), np.tile([1.0, 2.0], (5, 1)), []
    x, squares, density = project(np.array([[1.0, 3.0]]), X, Y, kernel, 1.0, paths=paths)
    assert not x.any() and squares == 1 and density == kernel.at_zero
    assert not np.any(paths)


@every_kernel
def test_no_rows_are_no_rows(kernel, path):
    paths = []
    found = project(np.empty((0, 2)), X_CURVE, Y_CURVE, kernel, max_iter=3, paths=paths)
    assert found.x.shape == (0, 1) and found.squares.shape == found.density.shape == (0,)
    assert [positions.shape for positions in paths] == [(0, 1)] * 4


def test_a_threshold_that_no_point_reaches_is_an_error_with_both_numbers():
    greatest = relative_density(X_CURVE).max()
    with pytest.raises(ValueError, match=f"density_threshold=0.95 must .* points, {greatest:.6g};"):
        project(NEW, X_CURVE, Y_CURVE, gaussian, 0.95)
    with pytest.raises(ValueError, match=r"density_threshold=0.95 .* Choose a lower threshold"):
        project_gram(NEW @ Y_CURVE.T, np.zeros(25), X_CURVE, Y_CURVE @ Y_CURVE.T, steep, 0.95)
    at_most_one = project(NEW, X_CURVE, Y_CURVE, gaussian, greatest)
    assert np.all(at_most_one.density >= greatest)


def test_what_is_given_is_not_changed(path):
    targets = read_only(np.array(NEW))
    for kernel in (gaussian, quartic):  # all arrays are read-only: writing to them would raise
        project(targets, X_CURVE, Y_CURVE, kernel, 0.01)
        paths = [None]
        project(targets, X_CURVE, Y_CURVE, kernel, paths=paths, max_iter=2)
        assert paths[0] is None and len(paths) == 4
