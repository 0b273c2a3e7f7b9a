"""Bad input and hard cases: each has a message that says what to do, or an answer that is defined.

A message names the parameter as the user typed it, says what must hold and what came. What holds of
all estimators is in test_contract.py (tables that are none) and test_arguments.py (parameters).
"""

import re

import numpy as np
import pytest
from helpers import each, read_only
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from ukrlearn import UKR, KernelDensityClassifier, datasets
from ukrlearn.blocks import density_kernels, starts
from ukrlearn.blocks.density_kernels import DensityKernel, quartic_slope, quartic_value
from ukrlearn.blocks.mercer_kernels import linear
from ukrlearn.ukr.density_constraint import relative_density

Y, T = read_only(*datasets.noisy_spiral(40, random_state=0))
LABELS = read_only(T > 0.5)
G = read_only(linear(Y))
D = read_only(cdist(Y, Y))
KERNELS = list(density_kernels.by_name)
every_kernel = each("kernel", KERNELS)


def model(**parameters):
    return UKR(**{**dict(n_components=1, init="pca", max_iter=5, homotopy=False), **parameters})


def refuses(error, message, call):
    """The call raises exactly this kind of error, and its message has these words."""
    with pytest.raises(error, match=re.escape(message)) as caught:
        call()
    assert caught.type is error
    return str(caught.value)


def refuses_data(data, error, message, **parameters):
    unfit = model(**parameters)
    refuses(error, message, lambda: unfit.fit(data))
    assert not hasattr(unfit, "embedding_")
    with pytest.raises(NotFittedError):
        unfit.transform(Y)


def is_sound(fitted, Y):
    """Whether everything that a fitted model says is finite, and feasible where it must be."""
    N, d = np.shape(Y)
    x = fitted.transform(np.asarray(Y, dtype=float) + 0.3)
    assert np.isfinite(fitted.embedding_).all() and fitted.embedding_.shape == (N, x.shape[1])
    assert np.isfinite([fitted.cv_error_, fitted.reconstruction_error_, fitted.score(Y)]).all()
    assert 0 < fitted.density_threshold_ <= 1
    assert np.isfinite(x).all() and np.isfinite(fitted.inverse_transform(x)).all()
    threshold = fitted.density_threshold_ * fitted._kernel.at_zero
    assert fitted.density(x).min() >= threshold
    return True


# ------------------------------------------------------------------ data that are hard


@every_kernel
def test_one_feature_is_enough(kernel):
    assert is_sound(model(kernel=kernel).fit(Y[:, :1]), Y[:, :1])


@every_kernel
@pytest.mark.filterwarnings("ignore:. of . latent points have no neighbour")
@each("N", [2, 3, 4])
@each("init", ["pca", "auto"])
def test_a_handful_of_points_is_enough(N, kernel, init):
    assert is_sound(model(kernel=kernel, init=init).fit(Y[:N]), Y[:N])


@every_kernel
@each("init", ["pca", "auto"])
def test_constant_columns_add_nothing(kernel, init):
    wide = np.column_stack([Y[:, :1], np.full((40, 2), 0.1)])
    fitted = model(n_components=2, kernel=kernel, init=init, max_iter=2).fit(wide)
    assert is_sound(fitted, wide)
    np.testing.assert_allclose(fitted.inverse_transform(fitted.embedding_)[:, 1:], 0.1)


@every_kernel
@each("value", [0.0, 0.1, -3e100, 1e-200])
def test_equal_points_are_rebuilt_by_themselves(kernel, value):
    same = np.full((10, 3), value)
    fitted = model(kernel=kernel, init="auto", homotopy=True, n_components=2).fit(same)
    assert is_sound(fitted, same)
    assert fitted.cv_error_ == 0 and not fitted.embedding_.any()
    assert [start.name for start in fitted.starts_] == ["all points equal"]
    np.testing.assert_allclose(fitted.inverse_transform([[0, 0], [9, 9]]), same[:2], rtol=1e-15)
    np.testing.assert_array_equal(fitted.transform(same + 1e3), np.zeros((10, 2)))


@every_kernel
@each("init", ["pca", "auto"])
def test_duplicates_are_data_as_well(kernel, init):
    doubled = np.vstack([Y, Y, Y[:5]])
    fitted = model(kernel=kernel, init=init).fit(doubled)
    assert is_sound(fitted, doubled)
    np.testing.assert_array_equal(fitted.embedding_[:40], fitted.embedding_[40:80])
    two_places = np.repeat([[0.0, 1], [2, 5]], 6, axis=0)
    assert model(kernel=kernel, init=init).fit(two_places).cv_error_ == pytest.approx(0, abs=1e-9)


def test_integers_objects_and_truth_values_are_numbers():
    for data in (np.round(9 * Y).astype(int), (9 * Y).astype(np.int8), Y.astype(object), Y > 0):
        assert is_sound(model().fit(data), data.astype(float))


@each("scale", [1e-300, 1e-160, 1e-20, 1e20, 1e149])
@each("parameters", [dict(kernel=k) for k in KERNELS] + [dict(init="auto")], ids=str)
def test_the_scale_of_the_data_is_no_matter(scale, parameters):
    quick = {**dict(max_iter=2), **parameters}
    unscaled, scaled = model(**quick).fit(Y), model(**quick).fit(scale * Y)
    np.testing.assert_allclose(scaled.embedding_, unscaled.embedding_, rtol=1e-3, atol=1e-3)
    new = Y[:3] + 0.1
    expected = unscaled.transform(new)
    np.testing.assert_allclose(scaled.transform(scale * new), expected, rtol=1e-2, atol=1e-2)


def test_squares_that_overflow_are_refused_by_name():
    for data_kernel in (None, "linear", "l1"):
        words = "Y must not hold numbers beyond 1e+150, whose squares overflow; its largest"
        refuses_data(1e151 * Y, ValueError, words, data_kernel=data_kernel)
    fitted = model().fit(Y)
    refuses(ValueError, "Y must not hold numbers beyond", lambda: fitted.transform([[1e200, 0]]))
    refuses(ValueError, "X must not hold numbers beyond", lambda: fitted.density([[1e200]]))
    classifier = KernelDensityClassifier(bandwidth=1e-200)
    words = "X / bandwidth must not hold numbers beyond"
    refuses(ValueError, words, lambda: classifier.fit(Y, LABELS))


# ------------------------------------------------------------------ n_components


def test_more_components_than_columns_are_refused():
    words = "n_components=3 must be at most the 2 columns of Y"
    refuses_data(Y, ValueError, words, n_components=3)


def test_as_many_components_as_points_are_refused():
    words = "n_components=3 must be less than the 3 points"
    refuses_data(np.eye(3), ValueError, words, n_components=3)
    refuses_data(np.eye(3), ValueError, words, n_components=3, data_kernel="precomputed")
    words = "n_components=5 must be less than the 3 points"
    refuses_data(np.eye(3, 6), ValueError, words, n_components=5)


# ------------------------------------------------------------------ Gram matrices


def refuses_gram(G, message, error=ValueError):
    refuses_data(G, error, message, data_kernel="precomputed")


def test_a_gram_matrix_must_be_square():
    refuses_gram(Y, "a precomputed Gram matrix must be square; got shape (40, 2)")
    wrong = lambda Y, Z: Y
    refuses_data(Y, ValueError, "Gram matrix must be square", data_kernel=wrong)


def test_a_gram_matrix_must_be_symmetric_and_the_worst_entry_is_named():
    skew = G.copy()
    skew[3, 1] += 1
    refuses_gram(skew, f"G[1, 3]={G[1, 3]:.6g} but G[3, 1]={G[3, 1] + 1:.6g}")


def test_an_indefinite_gram_matrix_is_refused_with_its_negative_share():
    values, vectors = np.linalg.eigh(G)
    values[:2] = -0.1 * values[-1]
    indefinite = (vectors * values) @ vectors.T
    refuses_gram((indefinite + indefinite.T) / 2, "must be conditionally positive semidefinite")


@pytest.mark.parametrize("power", [1, 2])
def test_distances_in_place_of_a_gram_matrix_are_recognised(power):
    refuses_gram(
        D**power, "100.0% of the absolute sum of the eigenvalues is negative. Are these distances?"
    )


def test_minus_half_the_squared_distances_are_a_gram_matrix():
    from_distances = model(data_kernel="precomputed").fit(-(D**2) / 2)
    from_products = model(data_kernel="precomputed").fit(G)
    assert from_distances.cv_error_ == pytest.approx(from_products.cv_error_, rel=1e-3)


def test_rounding_is_no_reason_to_refuse_a_gram_matrix():
    noisy = G + 1e-13 * np.random.default_rng(0).normal(size=G.shape)
    assert np.isfinite(model(data_kernel="precomputed").fit(noisy).cv_error_)
    remote = linear(Y + 1e6)  # centring leaves the rounding of numbers near 1e12
    assert np.isfinite(model(data_kernel="precomputed").fit(remote).cv_error_)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e140])
def test_the_scale_of_a_gram_matrix_is_no_matter(scale):
    fitted = model(data_kernel="precomputed").fit(scale * G)
    assert fitted.cv_error_ / scale == pytest.approx(model().fit(Y).cv_error_, rel=1e-3)


def test_gram_matrices_of_nothing_are_equal_points():
    for constant in (np.zeros((9, 9)), np.full((9, 9), -3.0)):
        fitted = model(data_kernel="precomputed").fit(constant)
        assert fitted.cv_error_ == 0
        assert fitted.transform(np.ones((2, 9))).tolist() == [[0], [0]]


def test_a_mercer_kernel_must_give_finite_numbers():
    nowhere = lambda Y, Z: np.full((len(Y), len(Z)), np.nan)
    words = "data_kernel: the Gram matrix must be finite; got 1600 entries"
    refuses_data(Y, ValueError, words, data_kernel=nowhere)


def test_a_precomputed_kernel_needs_the_cross_kernel_for_new_data():
    fitted = model(data_kernel="precomputed").fit(G)
    words = "shape (M, 40); got shape (5, 2)"
    refuses(ValueError, words, lambda: fitted.transform(Y[:5]))
    assert fitted.transform(linear(Y[:5] + 0.1, Y)).shape == (5, 1)


def test_a_precomputed_kernel_says_what_it_does_not_know():
    fitted = model(data_kernel="precomputed").fit(G)
    refuses(ValueError, "inverse_transform needs data", lambda: fitted.inverse_transform([[0.0]]))
    refuses(ValueError, "score needs k(y, y)", lambda: fitted.score(G))


# ------------------------------------------------------------------ neighbourhoods and starts


def test_neighbourhoods_as_large_as_the_data_are_refused_by_each_start():
    message = "needs n_neighbors < N; got n_neighbors=12 and N=10 points"
    for start in (starts.lle, starts.isomap, starts.laplacian_eigenmaps):
        refuses(ValueError, message, lambda start=start: start(Y[:10], 1, 12))


@pytest.mark.parametrize("start", [starts.lle, starts.laplacian_eigenmaps])
def test_a_disconnected_graph_is_refused_with_its_number_of_pieces(start):
    islands = np.vstack([Y, Y + 100, Y - 100])
    message = "needs a connected graph; with n_neighbors=5 it falls into 3 pieces"
    refuses(ValueError, message, lambda: start(islands, 1, 5))


def test_a_disconnected_graph_spoils_no_fit():
    islands = np.vstack([Y, Y + 100])
    fitted = model(init="auto", max_iter=2).fit(islands)
    assert is_sound(fitted, islands)
    notes = [start.note for start in fitted.starts_ if start.name.startswith("LLE")]
    assert all("falls into 2 pieces" in note for note in notes)


def test_if_all_graphs_are_disconnected_the_error_says_so_for_each():
    islands = np.vstack([Y, Y + 100])
    message = "no start gave coordinates: LLE(K=4): LLE needs a connected graph"
    refuses_data(islands, ValueError, message, init="lle")


@pytest.mark.parametrize("init", ["lle", "isomap", "spectral"])
def test_too_few_points_for_any_neighbourhood_are_refused(init):
    words = f"init={init!r} needs more points for its neighborhoods; got N=4 with n_components=1"
    refuses_data(Y[:4], ValueError, words, init=init)


def test_an_array_to_start_from_must_fit():
    wrong_shape = "init must have one row per point and n_components columns, (40, 1); got (40, 2)"
    refuses_data(Y, ValueError, wrong_shape, init=np.zeros((40, 2)))
    refuses_data(Y, ValueError, "(40, 1); got (40,)", init=np.zeros(40))
    refuses_data(
        Y, ValueError, "init must be finite; it contains NaN", init=np.full((40, 1), np.nan)
    )
    refuses_data(Y, ValueError, "init must not hold numbers beyond", init=np.full((40, 1), 1e200))
    refuses_data(Y, TypeError, "init must hold numbers only", init=np.full((40, 1), "a"))
    refuses_data(Y, ValueError, "init[1] must have one row", init=["pca", np.zeros((3, 1))])


@each("init", ["umap", None, 3, dict, (1, 2), ["pca", 3], ["pca", "umap"]], ids=str)
def test_an_unknown_start_is_refused_with_those_known(init):
    words = "init must be one of 'auto', 'pca', 'kpca', 'lle', 'isomap', 'spectral', 'neighbors', "
    refuses_data(Y, ValueError, words, init=init)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1e200, 1e308])
def test_the_scale_of_a_starts_coordinates_is_no_matter(scale):
    fitted = model(init=lambda Y: scale * (Y[:, :1] / 2)).fit(Y)
    expected = model(init=lambda Y: Y[:, :1] / 2).fit(Y)
    assert fitted.cv_error_ == pytest.approx(expected.cv_error_, rel=1e-2)


@every_kernel
@each("value", [0.0, 1e-200, 1e75, 1e140])
def test_an_array_of_any_scale_is_a_start(value, kernel):
    X = value * Y[:, :1]
    if density_kernels.by_name[kernel].compact and value > 1:
        with pytest.warns(ConvergenceWarning, match="40 of 40 latent points have no neighbour"):
            fitted = model(init=X, kernel=kernel).fit(Y)
    else:
        fitted = model(init=X, kernel=kernel).fit(Y)
    assert is_sound(fitted, Y)


def test_a_start_may_have_all_points_in_one_place():
    fitted = model(init=np.zeros((40, 1))).fit(Y)
    assert not fitted.embedding_.any(), "no gradient: nothing can move"
    assert fitted.cv_error_ == pytest.approx(Y.var(axis=0).sum() * (40 / 39) ** 2)
    assert is_sound(fitted, Y)


# ------------------------------------------------------------------ density kernels


def test_a_kernel_with_a_wrong_slope_is_refused_with_a_diagnosis():
    twice = DensityKernel("mine", quartic_value, lambda t: 2 * quartic_slope(t), radius=1.0)
    message = "kernel 'mine': slope must be dK/dt"
    words = refuses(ValueError, message, lambda: model(kernel=twice).fit(Y))
    assert "It is twice the slope." in words
    refuses(ValueError, message, lambda: KernelDensityClassifier(twice).fit(Y, LABELS))


def test_isolated_points_are_rebuilt_by_the_mean_and_reported():
    X = np.append(np.zeros(39), 10.0)[:, None]
    with pytest.warns(
        ConvergenceWarning, match="1 of 40 latent points have no neighbour within the rad"
    ):
        fitted = model(kernel="quartic", init=X, max_iter=0).fit(Y)
    others = np.mean(Y[:39], axis=0)
    inner = [np.delete(Y[:39], n, axis=0).mean(axis=0) for n in range(39)]
    expected = np.sum((np.vstack([inner, others]) - Y) ** 2) / 40
    assert fitted.cv_error_ == pytest.approx(expected)
    assert fitted.penalties()[-1] == np.inf
    assert is_sound(fitted, Y)


# ------------------------------------------------------------------ far away


@every_kernel
@each("distance", [1e3, 1e12, 1e100, 1e149])
def test_data_from_far_away_go_where_their_direction_points(kernel, distance):
    fitted = model(kernel=kernel, max_iter=20).fit(Y)
    directions = np.array([[1.0, 0], [-1, 0.5], [0, -1]])
    x = fitted.transform(distance * directions)
    assert relative_density(fitted.embedding_).min() > 0
    assert np.all(fitted.density(x) >= fitted.density_threshold_)
    reached = np.sum(fitted.inverse_transform(x) * directions, axis=1)
    of_training = fitted.inverse_transform(fitted.embedding_) @ directions.T
    assert np.all(reached > of_training.max(axis=0) - 0.01)
    assert np.isfinite(fitted.score(distance * directions))


def test_data_from_far_away_may_be_in_other_units_than_the_training_data():
    tiny = model().fit(1e-300 * Y)
    assert np.isfinite(tiny.transform([[1e140, 1.0]])).all()
    in_feature_space = model(data_kernel="linear").fit(1e-100 * Y)
    words = "k(new, training) / variance must not hold numbers beyond 1e+150"
    refuses(ValueError, words, lambda: in_feature_space.transform([[1e140, 1.0]]))
    precomputed = model(data_kernel="precomputed").fit(G)
    refuses(ValueError, words, lambda: precomputed.transform(np.full((1, 40), 9e149)))


@pytest.mark.parametrize("data_kernel", ["linear", "l1"])
def test_data_from_far_away_are_projected_in_feature_space_too(data_kernel):
    fitted = model(data_kernel=data_kernel).fit(Y)
    x = fitted.transform([[1e12, 0], [-1e30, 1e30]])
    assert np.all(fitted.density(x) >= fitted.density_threshold_)
    assert fitted.score([[1e12, 0]]) < 0


@pytest.mark.parametrize("distance", [1e3, 1e12, 1e100, 1e149])
def test_positions_that_no_kernel_reaches_are_sent_to_a_defined_place(distance):
    there = np.array([[distance], [-distance]])
    gaussian = model().fit(Y)
    assert gaussian.density(there).tolist() == [0, 0]
    f = gaussian.inverse_transform(there)
    if distance < 1e100:  # the exact limit of the weights; beyond, squares overflow
        ends = [gaussian.embedding_.argmax(), gaussian.embedding_.argmin()]
        np.testing.assert_allclose(f, Y[ends], atol=1e-9)
    assert np.all((Y.min(axis=0) <= f) & (f <= Y.max(axis=0)))
    compact = model(kernel="quartic").fit(Y)
    np.testing.assert_allclose(compact.inverse_transform(there), [Y.mean(axis=0)] * 2)


# ------------------------------------------------------------------ using it wrongly


def test_a_fit_that_fails_leaves_no_mixture_of_two_models():
    fitted = model().fit(Y)
    fitted.init = lambda Y: np.full((len(Y), 1), np.nan)
    with pytest.raises(ValueError, match="not finite"):
        fitted.fit(2 * Y)
    with pytest.raises(NotFittedError):
        fitted.transform(Y)


def test_new_data_need_the_columns_of_the_old_ones():
    fitted = model().fit(Y)
    words = "X has 1 features, but UKR is expecting 2 features as input"
    refuses(ValueError, words, lambda: fitted.transform(Y[:, :1]))
    words = "X must hold latent positions with n_components=1 columns; got shape (40, 2)"
    refuses(ValueError, words, lambda: fitted.inverse_transform(Y))
    refuses(ValueError, words, lambda: fitted.density(Y))


# ------------------------------------------------------------------ parameters


@each("eta", ["max", "10", "100%", "-5%", "nan%", "few%", ""])
def test_eta_in_words_is_the_least_or_a_percentage(eta):
    words = 'density_threshold must be "min", a percentage of training points such as "10%"'
    refuses_data(Y, ValueError, words, density_threshold=eta)


def test_an_eta_that_no_point_satisfies_is_refused_with_the_greatest_possible():
    with pytest.raises(
        ValueError, match="density_threshold=0.9 must not exceed the greatest"
    ) as caught:
        model(density_threshold=0.9).fit(Y)
    greatest = float(re.search(r"of the fit, ([\d.]+), or", str(caught.value))[1])
    assert greatest == pytest.approx(relative_density(model().fit(Y).embedding_).max(), rel=1e-3)
    assert is_sound(model(density_threshold=0.9 * greatest).fit(Y), Y)


@pytest.mark.parametrize("homotopy", ["yes", None, [], 0.5, [[0.5]]], ids=str)
def test_a_homotopy_must_be_a_list_of_thresholds(homotopy):
    words = 'homotopy must be "auto", True, False or a decreasing list of numbers in (0, 1)'
    refuses_data(Y, ValueError, words, homotopy=homotopy)


def test_the_thresholds_of_a_homotopy_must_be_falling_numbers():
    refuses_data(Y, ValueError, "homotopy must decrease from step to step", homotopy=[0.5, 0.5])
    refuses_data(Y, TypeError, "homotopy must be a number; got 'low'", homotopy=[0.5, "low"])


def test_leaving_out_must_leave_something():
    refuses_data(Y, ValueError, "leave_out=40 must be less than the 40 points", leave_out=40)
    refuses_data(Y, ValueError, "leave_out must be at least 0; got leave_out=-1", leave_out=-1)
    for bad in (1.5, True, None, "one"):
        refuses_data(Y, TypeError, f"leave_out must be a whole number; got {bad!r}", leave_out=bad)


def test_labels_to_leave_out_must_fit():
    one_each = "leave_out must hold one label for each of the 40 points; got shape"
    refuses_data(Y, ValueError, f"{one_each} (3,)", leave_out=[1, 2, 3])
    refuses_data(Y, ValueError, f"{one_each} (40, 2)", leave_out=np.zeros((40, 2)))
    refuses_data(Y, ValueError, "with 20 NaN", leave_out=[np.nan, 1.0] * 20)
    refuses_data(Y, ValueError, "at least two different labels", leave_out=["same"] * 40)
    refuses_data(Y, TypeError, "must hold labels of one type", leave_out=["a", None] * 20)


def test_leaving_nothing_out_without_a_bound_is_refused_with_the_reason():
    words = (
        "leave_out=0 needs density_threshold to be a number in (0, 1): if no points are left out"
    )
    refuses_data(Y, ValueError, words, leave_out=0)
    refuses_data(Y, ValueError, words, leave_out=0, density_threshold="10%")


def test_a_likelihood_bandwidth_needs_points_that_differ():
    classifier = KernelDensityClassifier(bandwidth="lcv")
    for equal in (np.full((4, 2), 0.1), Y[:1]):
        words = f"all are equal (n_samples={len(equal)}). Pass a number"
        refuses(ValueError, words, lambda equal=equal: classifier.fit(equal, LABELS[: len(equal)]))


def test_classes_are_no_measurements():
    refuses(ValueError, "Unknown label type", lambda: KernelDensityClassifier().fit(Y, T))
    refuses(ValueError, "requires y to be passed", lambda: KernelDensityClassifier().fit(Y, None))
