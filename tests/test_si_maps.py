"""KRR and GRNN as maps to latent space: loops, scikit-learn, left out points, far points."""

import pickle

import numpy as np
import pytest
from helpers import assert_close, each, read_only
from sklearn.kernel_ridge import KernelRidge

from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.blocks.kernel_ridge import Smoother, nystroem_path, ridge_path
from ukrlearn.estimators.maps import GAMMAS, PENALTIES, GRNNMap, KernelRidgeMap
from ukrlearn.explicit import si as explicit
from ukrlearn.si.dissimilarity import mean_squared_distance
from ukrlearn.si.grnn import grnn, grnn_left_out

RANDOM = np.random.default_rng(1)
Y, Z = read_only(RANDOM.normal(size=(12, 3)), RANDOM.normal(size=(12, 2)) + 3)
NEW = read_only(RANDOM.normal(size=(5, 3)))
every_setting = each("gamma, penalty", [(0.1, 1e-3), (0.7, 1.0), (5.0, 0.02)])


# ---- kernel ridge regression --------------------------------------------------------------------


@every_setting
def test_kernel_ridge_is_that_of_the_loops_and_of_scikit_learn(gamma, penalty):
    f = KernelRidgeMap(gamma, penalty).fit(Y, Z)
    W = explicit.ridge_weights(Y.tolist(), Z.tolist(), gamma, penalty)
    loops = [explicit.ridge_predict(y, Y.tolist(), W, gamma) for y in NEW.tolist()]
    assert_close(f.predict(NEW), loops, 1e-9)
    other = KernelRidge(kernel="rbf", gamma=gamma, alpha=penalty).fit(Y, Z)
    assert_close(f.predict(NEW), other.predict(NEW), 1e-9)


@every_setting
def test_leaving_out_in_closed_form_is_refitting(gamma, penalty):
    refitted = [
        explicit.ridge_left_out(n, Y.tolist(), Z.tolist(), gamma, penalty) for n in range(12)
    ]
    f = KernelRidgeMap(gamma, penalty).fit(Y, Z)
    assert_close(f.left_out_, refitted, 1e-8)
    assert f.left_out_error_ == pytest.approx(np.mean(np.sum((Z - refitted) ** 2, axis=1)))


@every_setting
@each("intercept", [False, True])
@each("count", [4, 12])
def test_leaving_out_is_refitting_with_any_centres_and_constants(gamma, penalty, intercept, count):
    width = np.sqrt(0.5 / gamma)
    path = nystroem_path(Y, Y[:count], width)
    left_out = []
    for n in range(12):
        others = np.arange(12) != n
        f = nystroem_path(Y[others], Y[:count], width).fit(Z[others], penalty, intercept)
        left_out.append(Z[n] - f(Y[n : n + 1])[0])
    assert_close(path.left_out_residuals(Z, penalty, intercept), left_out, 1e-7)


@every_setting
def test_the_path_with_a_constant_is_the_smoother_of_drur(gamma, penalty):
    width = np.sqrt(0.5 / gamma)
    path, smoother = ridge_path(Y, width), Smoother(Y, width, penalty)
    one, other = path.fit(Z, penalty, intercept=True), smoother.fit(Z)
    assert_close(one.W, other.W, 1e-8)
    assert_close(one.bias, other.bias, 1e-9)
    residuals = path.left_out_residuals(Z, penalty, intercept=True)
    assert_close(residuals, smoother.left_out_residuals(Z), 1e-8)


@every_setting
def test_all_points_as_centres_are_no_approximation(gamma, penalty):
    width = np.sqrt(0.5 / gamma)
    one, other = ridge_path(Y, width), nystroem_path(Y, Y, width)
    assert_close(other.fit(Z, penalty)(NEW), one.fit(Z, penalty)(NEW), 1e-6)


def test_the_setting_with_the_least_error_of_left_out_points_is_chosen():
    gammas, penalties = [0.1, 1.0, 5.0], [1e-3, 0.1, 5.0]
    errors = np.array(
        [
            [KernelRidgeMap(gamma, penalty).fit(Y, Z).left_out_error_ for penalty in penalties]
            for gamma in gammas
        ]
    )
    f = KernelRidgeMap(gammas, penalties).fit(Y, Z)
    assert_close(f.score_curve_.errors, errors, 1e-9)
    a, b = np.unravel_index(np.argmin(errors), errors.shape)
    assert (f.gamma_, f.penalty_) == (gammas[a], penalties[b])
    alone = KernelRidgeMap(f.gamma_, f.penalty_).fit(Y, Z)
    assert_close(f.predict(NEW), alone.predict(NEW))
    assert_close(f.left_out_, alone.left_out_)


def test_gammas_follow_the_unit_of_the_data():
    one, other = (KernelRidgeMap().fit(s * Y, Z) for s in (1, 1e4))
    assert one.score_curve_.errors.shape == (len(GAMMAS), len(PENALTIES))
    assert_close(one.score_curve_.gammas * mean_squared_distance(Y), GAMMAS)
    assert_close(one.score_curve_.errors, other.score_curve_.errors, 1e-8)


def test_a_vanishing_penalty_interpolates_and_a_great_one_says_zero():
    assert_close(KernelRidgeMap(5.0, 0.0).fit(Y, Z).predict(Y), Z, 1e-7)
    assert np.abs(KernelRidgeMap(5.0, 1e12).fit(Y, Z).predict(Y)).max() < 1e-10
    constant = KernelRidgeMap(5.0, 1e12, fit_intercept=True).fit(Y, Z)
    assert_close(constant.predict(NEW), np.tile(Z.mean(axis=0), (5, 1)), 1e-9)


def test_centres_beyond_the_dense_size_are_drawn(monkeypatch):
    t = np.linspace(0, 6, 300)
    curve = np.column_stack([np.cos(t), np.sin(t), t])
    whole = KernelRidgeMap(1.0, 1e-4).fit(curve, t)
    monkeypatch.setattr("ukrlearn.estimators.maps.DENSE", 200)
    monkeypatch.setattr("ukrlearn.estimators.maps.CENTRES", 60)
    some = KernelRidgeMap(1.0, 1e-4).fit(curve, t)
    assert len(some.network_.centres) == 60 and len(whole.network_.centres) == 300
    assert np.abs(some.predict(curve) - whole.predict(curve)).max() < 1e-3
    other = KernelRidgeMap(1.0, 1e-4, random_state=5).fit(curve, t)
    assert (other.network_.centres != some.network_.centres).any()
    again = KernelRidgeMap(1.0, 1e-4).fit(curve, t)
    assert (again.predict(curve) == some.predict(curve)).all()


# ---- general regression neural networks ---------------------------------------------------------


@pytest.mark.parametrize("width", [0.05, 0.5, 4.0])
def test_grnn_is_that_of_the_loops(width):
    f = GRNNMap(width).fit(Y, Z)
    loops = [explicit.grnn(y, Y.tolist(), Z.tolist(), width) for y in NEW.tolist()]
    assert_close(f.predict(NEW), loops, 1e-11)
    left_out = [explicit.grnn_left_out(n, Y.tolist(), Z.tolist(), width) for n in range(12)]
    assert_close(f.left_out_, left_out, 1e-11)
    some = np.array([7, 2])
    assert_close(grnn_left_out(Y, Z, width, some), np.array(left_out)[some], 1e-11)


def test_grnn_is_the_map_of_ukr_with_the_roles_exchanged():
    assert_close(grnn(NEW, Y, Z, 0.5), predict(NEW / 0.5, Y / 0.5, Z))


def test_the_width_with_the_least_error_of_left_out_points_is_chosen():
    widths = [0.1, 0.8, 9.0]
    errors = [GRNNMap(width).fit(Y, Z).left_out_error_ for width in widths]
    f = GRNNMap(widths).fit(Y, Z)
    assert_close(f.score_curve_.errors[:, 0], errors)
    assert f.width_ == widths[int(np.argmin(errors))] and f.left_out_error_ == min(errors)


def test_some_judges_choose_a_width_from_many_points(monkeypatch):
    monkeypatch.setattr("ukrlearn.estimators.maps.JUDGED", 5)
    f = GRNNMap([0.5]).fit(Y, Z)
    judges = [0, 3, 6, 9]
    expected = np.mean(np.sum((f.left_out_ - Z)[judges] ** 2, axis=1))
    assert f.score_curve_.errors[0, 0] == pytest.approx(expected)
    assert f.left_out_.shape == (12, 2)


# ---- both ---------------------------------------------------------------------------------------


def test_far_points_go_to_the_nearest_in_grnn_and_to_the_origin_in_kernel_ridge():
    far = Y[[4]] * 1e6
    nearest = np.argmin(np.linalg.norm(far - Y, axis=1))
    assert_close(GRNNMap().fit(Y, Z).predict(far), Z[[nearest]])
    assert (KernelRidgeMap().fit(Y, Z).predict(far) == 0).all()
    f = KernelRidgeMap(fit_intercept=True).fit(Y, Z)
    assert_close(f.predict(far)[0], f.network_.bias)
    assert (f.predict(far)[0] > Z.min(axis=0)).all()


@pytest.mark.parametrize("model", [KernelRidgeMap(), GRNNMap()])
def test_one_column_comes_back_as_it_was_given(model):
    assert model.fit(Y, Z[:, 0]).predict(NEW).shape == model.left_out_[:5].shape == (5,)
    flat = model.predict(NEW)
    assert_close(model.fit(Y, Z[:, :1]).predict(NEW)[:, 0], flat)
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(NEW) == model.predict(NEW)).all()


@pytest.mark.parametrize("model", [KernelRidgeMap(), KernelRidgeMap(n_centres=4), GRNNMap()])
def test_duplicates_and_equal_points_give_no_nan(model):
    doubled = model.fit(np.vstack([Y, Y]), np.vstack([Z, Z + 1]))
    assert np.isfinite(doubled.predict(NEW)).all() and np.isfinite(doubled.left_out_).all()
    equal = model.fit(np.ones((6, 3)), Z[:6])
    assert np.isfinite(equal.predict(NEW)).all() and np.isfinite(equal.left_out_).all()
    assert_close(equal.predict(np.ones((1, 3)))[0], Z[:6].mean(axis=0), 0.01)
    with pytest.raises(ValueError, match="must differ by more than 1e-150.*Multiply Y"):
        model.fit(1e-200 * Y, Z)


@pytest.mark.parametrize("model", [KernelRidgeMap(), GRNNMap()])
def test_bad_data_are_named(model):
    with pytest.raises(ValueError, match="Y must not hold numbers beyond"):
        model.fit(1e200 * Y, Z)
    with pytest.raises(ValueError, match="y must not hold numbers beyond"):
        model.fit(Y, 1e200 * Z)
    with pytest.raises(ValueError, match="features"):
        model.fit(Y, Z).predict(NEW[:, :2])
