"""`PrincipalManifold`: what it promises beyond scikit-learn's contract, and bad input."""

import pickle
import warnings

import numpy as np
import pytest
from helpers import assert_close, each, interrupted, read_only
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV

from ukrlearn import PrincipalManifold, datasets, metrics
from ukrlearn.rpm import costs, kernels

ARC, T = read_only(*datasets.noisy_arc(150, random_state=0))
QUICK = dict(penalty=1e-3, width=1.0, max_iter=20)


def model(**parameters):
    return PrincipalManifold(**{**QUICK, **parameters})


def on_the_manifold(fitted, number=801):
    positions = np.linspace(-1, 1, number)[:, None]
    return fitted.inverse_transform(positions)


def refuses(error, message, **parameters):
    data = parameters.pop("data", ARC)
    with pytest.raises(error, match=message) as caught:
        model(**parameters).fit(data)
    assert caught.type is error


# What is fitted


def test_the_arc_is_found_and_its_order():
    fitted = PrincipalManifold().fit(ARC)
    clean = datasets.arc_curve(np.linspace(0, 1, 801))
    assert metrics.distance_to_curve(clean, on_the_manifold(fitted)) < 0.05
    assert metrics.distance_to_curve(on_the_manifold(fitted), clean) < 0.05
    assert metrics.order_recovered(fitted.embedding_, T) > 0.99
    assert fitted.candidates_ and fitted.boundary_share_ < 0.25
    assert (fitted.penalty_, fitted.width_) in {(c.penalty, c.width) for c in fitted.candidates_}


def test_errors_are_those_of_the_model_in_units_of_the_data():
    for Y in (ARC, 1000 * ARC + 5):
        fitted = model().fit(Y)
        distortion, penalty, total = fitted.errors_.T
        assert_close(total, distortion + penalty)
        assert (np.diff(total) <= 1e-12 * total[0]).all()
        assert_close(distortion[-1], -fitted.score(Y), rtol=1e-3)
        in_units = fitted._data.factor**2 * QUICK["penalty"] * fitted.f_.norm() / 2
        assert_close(penalty[-1], in_units, rtol=1e-6)
        assert fitted.n_iter_ == len(fitted.history_) // 2 and len(fitted.errors_) > 4
        assert [frame.half for frame in fitted.history_[:2]] == ["projection", "adaptation"]


PAIRS = [
    (dict(), lambda c: 1.0, lambda c: c**2),
    (dict(regularizer="linear"), lambda c: c, lambda c: c**2),
    (dict(cost="l1"), lambda c: 1 / c, lambda c: c),
    (dict(cost="huber"), lambda c: 1 / c, lambda c: c),
    (dict(cost="l1", regularizer="linear"), lambda c: 1.0, lambda c: c),
]


@pytest.mark.parametrize("parameters, penalty, error", PAIRS)
def test_scaled_data_have_the_same_codes_at_the_penalty_that_scales_with_them(
    parameters, penalty, error
):
    one = model(max_iter=5, **parameters).fit(ARC)
    for c in (2.0**-10, 64.0):  # powers of two: the same digits
        scaled = PrincipalManifold(
            width=1.0, max_iter=5, penalty=1e-3 * penalty(c), **parameters
        ).fit(c * ARC)
        assert_close(scaled.embedding_, one.embedding_, rtol=1e-4)
        assert_close(scaled.errors_, error(c) * one.errors_, rtol=1e-4)


def test_a_cost_of_ones_own_is_in_units_of_the_data():
    by_name = model(cost=costs.huber(0.05), max_iter=5).fit(ARC)
    cost = costs.huber(0.05)
    at_codes = by_name.inverse_transform(by_name.embedding_)
    assert by_name.errors_[-1, 0] == pytest.approx(cost(ARC - at_codes).mean(), rel=1e-2)
    assert_close(
        model(cost=costs.squared).fit(ARC).embedding_, model(cost="squared").fit(ARC).embedding_
    )


def test_the_sum_convention_counts_the_penalty_once_for_all_points():
    mean, total = model(penalty=1e-3), model(penalty=1e-3 * 150, penalty_convention="sum")
    assert_close(total.fit(ARC).embedding_, mean.fit(ARC).embedding_)
    assert total.penalty_ == pytest.approx(0.15)
    chosen = [
        PrincipalManifold(penalty_convention=c, max_iter=3).fit(ARC).penalty_
        for c in ("mean", "sum")
    ]
    assert chosen[1] == pytest.approx(150 * chosen[0])


def test_a_circle_is_closed_and_has_no_border():
    Y, t = datasets.partitioned_circle(150, gap=0, random_state=0)
    fitted = PrincipalManifold(topology="periodic", penalty=1e-3, width=0.5).fit(Y)
    ends = fitted.inverse_transform([[-1.0], [1.0]])
    assert_close(ends[0], ends[1])
    assert fitted.boundary_share_ == 0
    assert np.abs(np.linalg.norm(on_the_manifold(fitted), axis=1) - 1).mean() < 0.03
    assert (fitted.embedding_ >= -1).all() and (fitted.embedding_ < 1).all()
    assert fitted.f_.basis.kernel == kernels.Periodic(0.5)


def test_a_torus_has_two_circles():
    random = np.random.default_rng(0)
    a, b = random.uniform(0, 2 * np.pi, (2, 400))
    Y = np.column_stack([(2 + np.cos(b)) * np.cos(a), (2 + np.cos(b)) * np.sin(a), np.sin(b)])
    fitted = PrincipalManifold(
        2, topology="periodic", penalty=1e-5, width=0.6, n_basis=64, max_iter=8
    ).fit(Y)
    assert -fitted.score(Y + 0.0) < 0.05


def test_surfaces_are_found():
    Y, t = datasets.spherical_cap(300, random_state=0)
    fitted = PrincipalManifold(2, penalty=1e-3, width=1.0, max_iter=30).fit(Y)
    grid = np.stack(np.meshgrid(*[np.linspace(-0.9, 0.9, 20)] * 2), axis=-1).reshape(-1, 2)
    assert np.abs(np.linalg.norm(fitted.inverse_transform(grid), axis=1) - 1).mean() < 0.02
    assert metrics.procrustes_r2(fitted.embedding_, t) > 0.95
    assert fitted.nodes_.shape == (49, 2)


@pytest.mark.parametrize(
    "kernel", ["spline", "length", "thin-plate", lambda Z, n: (1 + Z @ n.T) ** 5]
)
def test_other_kernels_find_the_arc(kernel):
    fitted = PrincipalManifold(kernel=kernel, penalty=1e-4, width=0.7).fit(ARC)
    assert -fitted.score(ARC) < 0.03
    assert (fitted.width_ is None) == (kernel != "spline")


def test_a_great_penalty_leaves_a_point_or_with_the_thin_plate_the_principal_line():
    point = model(penalty=1e6).fit(ARC)
    assert np.ptp(point.inverse_transform(point.embedding_), axis=0).max() < 1e-3
    line = model(penalty=1e6, kernel="thin-plate", max_iter=200).fit(ARC)
    pca = PCA(1).fit(ARC)
    rebuilt = pca.inverse_transform(pca.transform(ARC))
    assert line.score(ARC) == pytest.approx(
        -np.mean(np.sum((ARC - rebuilt) ** 2, axis=1)), rel=1e-3
    )


def test_starts_of_every_kind_and_the_best_of_several():
    Y, t = datasets.noisy_spiral(200, noise=0.02, random_state=0)
    options = dict(penalty=1e-5, width=0.2, max_iter=30)
    rolled = PrincipalManifold(init="pca", **options).fit(Y)
    assert metrics.order_recovered(rolled.embedding_, t) < 0.9
    for init in (t[:, None], lambda Y: 100 * t[:, None] + 3, [PCA(1), t[:, None]], "isomap"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            fitted = PrincipalManifold(init=init, **options).fit(Y)
        assert metrics.order_recovered(fitted.embedding_, t) > 0.99


def test_the_linear_regulariser_uses_few_nodes():
    fitted = model(regularizer="linear", penalty=1e-2, n_basis=20).fit(ARC)
    assert np.sum(np.any(fitted.f_.alpha != 0, axis=1)) < 10 and len(fitted.nodes_) == 20


# Using it


def test_new_points_are_placed_alone_as_in_company():
    fitted = model().fit(ARC)
    new = ARC[:40] + 0.05
    together = fitted.transform(new)
    assert_close(np.vstack([fitted.transform(row[None]) for row in new]), together, rtol=1e-7)
    assert_close(fitted.transform(ARC), fitted.embedding_)
    fine = np.linspace(-1, 1, 20_001)[:, None]
    values = fitted.inverse_transform(fine)
    for row, x in zip(new, together, strict=True):
        best = np.sum((row - values) ** 2, axis=1).min()
        assert np.sum((row - fitted.inverse_transform([x])) ** 2) <= best + 1e-8


def test_positions_outside_the_box_count_as_its_border():
    fitted = model().fit(ARC)
    assert_close(
        fitted.inverse_transform([[7.0], [-1e9]]), fitted.inverse_transform([[1.0], [-1.0]])
    )


def test_a_fitted_model_can_be_pickled_and_searched():
    for parameters in (dict(cost="huber"), dict(cost=costs.huber(0.1)), dict(topology="periodic")):
        fitted = model(max_iter=3, **parameters).fit(ARC)
        again = pickle.loads(pickle.dumps(fitted))
        assert_close(again.transform(ARC + 0.1), fitted.transform(ARC + 0.1))
    search = GridSearchCV(model(max_iter=5), {"penalty": [1e-3, 10.0]}, cv=2).fit(ARC)
    assert search.best_params_ == {"penalty": 1e-3}


def test_parallel_fits_are_the_same():
    import joblib

    with joblib.parallel_config(backend="threading"):
        assert_close(model(n_jobs=2).fit(ARC).embedding_, model().fit(ARC).embedding_)


def test_history_callback_and_record():
    seen = []

    def stop(step):
        seen.append(step.error)
        return len(seen) == 5

    fitted = model(callback=stop, record=True).fit(ARC)
    assert len(seen) == len(fitted.history_) == 5
    assert all(frame.X.shape == (150, 1) for frame in fitted.history_)
    assert model().fit(ARC).history_[0].X is None
    assert_close(np.array(seen) * fitted._data.factor**2, fitted.errors_[:, 2])


def test_ctrl_c_leaves_the_model_so_far():
    def interrupt(step):
        if step.half == "adaptation":
            raise KeyboardInterrupt

    fitted = interrupted(model(callback=interrupt), ARC, "2 half steps")
    assert np.isfinite(fitted.embedding_).all()


def test_no_rounds_keep_the_start():
    fitted = model(max_iter=0).fit(ARC)
    assert fitted.n_iter_ == 0 and len(fitted.errors_) == 1


# Bad input, and hard cases


@each(
    "parameters, error, message",
    [
        (dict(kernel="rbf"), ValueError, "kernel must be one of 'gaussian', 'periodic'"),
        (dict(kernel="periodic"), ValueError, "does not go with topology='box'"),
        (dict(kernel="spline", topology="periodic"), ValueError, "does not go with topology='per"),
        (dict(kernel="length", n_components=2), ValueError, "is for n_components up to 1; got 2"),
        (dict(kernel="thin-plate", regularizer="linear"), ValueError, "needs a positive definite"),
        (dict(n_components=3), ValueError, "n_components=3 must be at most the 2 columns"),
        (dict(kernel=lambda Z, n: -np.abs(Z - n.T)), ValueError, "must be positive definite"),
        (dict(kernel=lambda Z, n: np.abs(Z - n.T)), ValueError, "must be positive definite"),
        (dict(kernel=lambda Z, n: Z), ValueError, "must return k"),
        (dict(kernel=lambda Z, n: np.nan * Z @ n.T), ValueError, "must be finite and symmetric"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(parameters, error, message):
    refuses(error, message, **parameters)


SOUND = {
    "constant": np.full((20, 3), 7.3),
    "two points": ARC[:2],
    "three points": ARC[:3],
    "duplicates": np.repeat(ARC[:5], 10, axis=0),
    "one duplicate row among constants": np.array([[1.0, 2.0]] * 9 + [[3.0, 2.0]]),
    "huge": 1e140 * ARC,
    "tiny": 1e-140 * ARC,
    "far away": ARC + 1e9,
    "a line": np.linspace(0, 1, 30)[:, None] * [1.0, 2.0],
}


@each("name", SOUND)
@each(
    "parameters",
    [
        dict(),
        dict(penalty="auto", width="auto"),
        dict(cost="huber"),
        dict(cost="l1", regularizer="linear"),
        dict(cost="l1"),
        dict(topology="periodic", width=0.5),
        dict(penalty=0),
        dict(kernel="thin-plate"),
        dict(regularizer="linear"),
    ],
    ids=str,
)
def test_hard_data_have_a_defined_answer(name, parameters):
    Y = SOUND[name]
    fitted = model(**{"max_iter": 4, **parameters}).fit(Y)
    assert fitted.embedding_.shape == (len(Y), 1) and np.isfinite(fitted.embedding_).all()
    assert np.isfinite(fitted.errors_).all()
    assert (np.diff(fitted.errors_[:, 2]) <= 1e-9 * fitted.errors_[0, 2]).all()
    there = fitted.inverse_transform(fitted.transform(Y + 0.5 * np.ptp(Y, axis=0)))
    assert np.isfinite(there).all()
    assert (np.abs(fitted.embedding_) <= 1).all()


SOUND_IN_SPACE = {
    "constant": np.full((20, 3), 7.3),
    "three points": np.eye(3),
    "duplicates": np.repeat(np.eye(4)[:, :3], 8, axis=0),
    "a plane": np.random.RandomState(0).normal(size=(30, 2)) @ [[1, 0, 1], [0, 1, 1.0]],
    "huge": 1e140 * np.random.RandomState(1).normal(size=(30, 3)),
}


@each("name", SOUND_IN_SPACE)
@each(
    "parameters",
    [
        dict(),
        dict(penalty=0),
        dict(n_basis=100),
        dict(topology="periodic", width=0.5),
        dict(topology="periodic", width=5.0, penalty=0),
        dict(kernel="thin-plate"),
    ],
    ids=str,
)
def test_hard_data_have_a_surface_and_a_torus(name, parameters):
    Y = SOUND_IN_SPACE[name]
    fitted = model(n_components=2, **{"max_iter": 2, "n_basis": 9, **parameters}).fit(Y)
    assert fitted.embedding_.shape == (len(Y), 2) and (np.abs(fitted.embedding_) <= 1).all()
    assert np.isfinite(fitted.errors_).all() and np.isfinite(fitted.f_.alpha).all()
    assert (np.diff(fitted.errors_[:, 2]) <= 1e-9 * fitted.errors_[0, 2]).all()
    assert np.isfinite(fitted.inverse_transform(fitted.transform(Y + np.ptp(Y, axis=0)))).all()


def test_constant_data_are_rebuilt_exactly():
    Y = SOUND["constant"]
    fitted = PrincipalManifold().fit(Y)
    assert_close(fitted.inverse_transform(fitted.embedding_), Y)
    assert fitted.errors_[-1, 2] == 0


def test_more_nodes_than_points_and_a_singular_kernel_matrix_are_no_trouble():
    few = ARC[:12]
    for parameters in (
        dict(n_basis=200),
        dict(n_basis=60, width=50.0),
        dict(width=1e-3, n_basis=30),
    ):
        fitted = model(**parameters).fit(few)
        assert np.isfinite(fitted.errors_).all() and np.isfinite(fitted.f_.alpha).all()


def test_without_a_penalty_the_manifold_passes_nearer_to_every_point():
    free, bound = (model(penalty=p, width=0.3, max_iter=60).fit(ARC[:30]) for p in (0, 1e-2))
    assert free.errors_[-1, 0] < bound.errors_[-1, 0] and (free.errors_[:, 1] == 0).all()


def test_far_points_are_placed_on_the_border_or_within():
    fitted = model().fit(ARC)
    placed = fitted.transform([[1e100, 0.0], [0.0, -1e140]])
    assert np.isfinite(placed).all() and (np.abs(placed) <= 1).all()


@pytest.mark.parametrize("kernel", ["gaussian", "thin-plate", "spline", "length"])
@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-160])
def test_tiny_residuals_of_the_absolute_cost_raise_no_warning(kernel, size):
    fitted = PrincipalManifold(cost="l1", kernel=kernel).fit(np.zeros((8, 2)))
    assert (np.abs(fitted.transform(np.full((1, 2), size))) <= 1).all()
    assert abs(fitted.score(np.full((1, 2), size))) < 1e-300
