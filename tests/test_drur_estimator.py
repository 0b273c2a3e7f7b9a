"""The alternation of [DRUR] and its estimator: what a round does, finds and refuses."""

import warnings
from functools import partial

import numpy as np
import pytest
from helpers import assert_close, each, interrupted, random_motion, read_only
from joblib import Parallel
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.decomposition import PCA

from ukrlearn import NonparametricDRUR, ParametricDRUR, datasets, drur, metrics
from ukrlearn.blocks import gauss_newton, networks, race
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.gauss_newton import project
from ukrlearn.drur.rounds import COARSE, alternation
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline

ROLL, SHEET = read_only(*datasets.swiss_roll(200, length=60.0, height=30.0, random_state=0))
START = read_only(SHEET + 4 * np.random.RandomState(1).normal(size=SHEET.shape))
SMALL = dict(n_basis=15, init=START, max_iter=3)
both = each("model", ["rbf", "mlp"])


def disturbed_roll(noise, seed, N=1000):
    """The sheet of 50 x 90, its coordinates, and these with noise."""
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    return Y, t, t + noise * np.random.RandomState(seed + 1).normal(size=t.shape)


def least_order(X, t):
    """The lesser of the rank correlations of both coordinates, X turned to fit t."""
    U, _, V = np.linalg.svd((X - X.mean(axis=0)).T @ (t - t.mean(axis=0)))
    return min(abs(spearmanr(x, s)[0]) for x, s in zip((X @ U @ V).T, t.T, strict=True))


def rounds(X, Y, number, model="rbf", coarse=0, n_basis=12, penalty=1e-5):
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    fit_maps = partial(drur.by_name[model], n_basis=n_basis, penalty=penalty)
    return X, Y, list(at_most(alternation(X, Y, fit_maps, coarse), number))


# ------------------------------------------------------------------ the alternation


@both
def test_a_round_tells_the_parts_of_its_objective(model):
    X, Y, steps = rounds(START, ROLL, 2, model)
    assert np.array_equal(steps[0].X, X) and len(steps) == 3
    for step in steps:
        assert step.f_error == pytest.approx(np.sum((Y - step.f(step.X)) ** 2))
        assert step.F_error == pytest.approx(np.sum((step.X - step.F(Y)) ** 2))
        assert step.error == step.f_error + step.F_error + step.penalty and step.penalty > 0
        assert step.spread == pytest.approx(np.sqrt(np.sum(step.X.var(axis=0))))
        assert 0 < step.full_steps <= 1


@both
def test_a_round_ends_at_a_projection_with_its_maps(model):
    _, Y, steps = rounds(START, ROLL, 8, model)
    step = steps[-1]
    F_Y = step.F(Y)
    before = np.sum((Y - step.f(F_Y)) ** 2, axis=1)  # at x = F(y), where E has this half only
    after = project(step.f, step.X, Y, F_Y, 1).error
    assert (after <= before * (1 + 1e-12)).all()
    still = project(step.f, step.X, Y, F_Y, 100, tol=1e-9).X
    assert np.median(np.linalg.norm(step.X - still, axis=1)) < 1e-3 * step.spread


def test_the_first_maps_are_fitted_to_the_start_and_the_first_round_begins_at_F():
    X, Y, steps = rounds(START, ROLL, 1)
    first = drur.rbf_maps(X, Y, 12, 1e-5)
    assert_close(first.F(Y), steps[0].F(Y))
    again = drur.rbf_maps(first.F(Y), Y, 12, 1e-5, previous=first)
    assert_close(again.f(X), steps[1].f(X), rtol=1e-9)
    assert again.F.width == first.F.width and again.F.centres is first.F.centres


def test_the_objective_of_the_networks_is_told_with_their_penalty():
    X, Y, steps = rounds(START, ROLL, 0, penalty=0.1)
    penalty = 0.0
    for net in steps[0].f, steps[0].F:
        t = np.sum((net.centres[:, None] - net.centres) ** 2, axis=-1)
        penalty += 0.1 * np.trace(net.W.T @ np.exp(-t / (2 * net.width**2)) @ net.W)
    assert steps[0].penalty == pytest.approx(penalty)


def test_coarse_rounds_have_a_stiff_f():
    _, _, steps = rounds(START, ROLL, 3, coarse=2)
    stiff = [
        step.f.width == pytest.approx(COARSE * networks.spacing(step.f.centres)) for step in steps
    ]
    assert stiff[1] and stiff[2] and not stiff[3]


def test_slack_prefers_wide_functions_that_predict_nearly_as_well():
    centres = networks.cluster_centres(SHEET, 12)
    widths = [networks.best_width(SHEET, ROLL, centres, 1e-5, slack=slack) for slack in (0, 5, 1e9)]
    assert widths == sorted(widths) and widths[0] < widths[-1]
    assert widths[-1] == pytest.approx(networks.spacing(centres) * max(networks.MULTIPLES))


def test_the_projection_may_run_in_parallel(monkeypatch):
    monkeypatch.setattr("ukrlearn.blocks.networks.BATCH", 64)
    X, Y, steps = rounds(START, ROLL, 1)
    f, F_Y = steps[1].f, steps[1].F(Y)
    alone, shared = (project(f, X, Y, F_Y, n_jobs=n_jobs) for n_jobs in (None, 2))
    assert np.array_equal(alone.X, shared.X) and np.array_equal(alone.moves, shared.moves)


# ------------------------------------------------------------------ quality


@pytest.mark.parametrize("noise, asked", [(10, 0.998), (20, 0.992)])
def test_the_disturbed_roll_is_restored(noise, asked):
    Y, t, X = disturbed_roll(noise, seed=0)
    model = ParametricDRUR(init=X, max_iter=10).fit(Y)
    assert metrics.procrustes_r2(X, t) < 0.83
    assert metrics.procrustes_r2(model.embedding_, t) > asked
    assert all(step.full_steps > 0.95 for step in model.history_)


def test_order_is_found_under_noise_larger_than_the_sheet_is_wide():
    Y, t, X = disturbed_roll(60, seed=0)
    assert least_order(X, t) < 0.5
    model = ParametricDRUR(init=X, max_iter=20, coarse=10, penalty=1e-3).fit(Y)
    assert least_order(model.embedding_, t) > 0.95


def test_perceptrons_restore_it_too():
    model = ParametricDRUR(model="mlp", n_basis=15, init=START, max_iter=5).fit(ROLL)
    better = metrics.procrustes_r2(model.embedding_, SHEET)
    assert better > 0.97 > metrics.procrustes_r2(START, SHEET)


# ------------------------------------------------------------------ using a model


@pytest.mark.parametrize("far", [1e4, 1e9])
def test_far_rows_are_placed_one_by_one_too(far):
    model = ParametricDRUR(**SMALL | dict(model="mlp", max_iter=3)).fit(ROLL)
    new = far * ROLL[::10]
    alone = np.vstack([model.transform(new[[n]]) for n in range(len(new))])
    size = np.abs(model.embedding_ - model.embedding_.mean(axis=0)).max()
    for others in (new[:0], new, ROLL + 0.1):
        placed = model.transform(np.vstack([others, new]))[len(others) :]
        assert np.abs(placed - alone).max() < 1e-6 * size


def test_far_data_are_placed():
    model = ParametricDRUR(**SMALL).fit(ROLL)
    assert np.isfinite(model.transform(np.array([[1e140, 0, 0], [0, -1e9, 3]]))).all()


def test_an_array_is_kept_when_there_are_no_rounds():
    model = ParametricDRUR(n_basis=15, init=START, max_iter=0).fit(ROLL)
    assert_close(model.embedding_, START)
    assert model.n_iter_ == 0 and model.starts_[0].name == "given"


def test_turning_the_start_turns_the_result():
    turn = random_motion(2)
    every_point = dict(n_basis=100, max_iter=3)
    model = ParametricDRUR(init=START[:100], **every_point).fit(ROLL[:100])
    turned = ParametricDRUR(init=START[:100] @ turn, **every_point).fit(ROLL[:100])
    r2 = metrics.procrustes_r2(turned.embedding_, model.embedding_ @ turn)
    assert r2 > 0.99


@each(
    "init",
    ["auto", "pca", "isomap", "random", PCA(2), lambda Y: Y[:, :2], [START, "pca"]],
    ids=["auto", "pca", "isomap", "random", "object", "callable", "list"],
)
def test_starts_as_in_ukr(init):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of LLE and its kin
        model = ParametricDRUR(n_basis=10, init=init, max_iter=1).fit(ROLL)
    assert model.embedding_.shape == (200, 2) and np.isfinite(model.embedding_).all()
    assert sum(candidate.chosen for candidate in model.starts_) == 1
    if isinstance(init, list):
        assert [c.name for c in model.starts_ if c.chosen] == ["array 0"]


@both
def test_the_same_data_give_the_same_bits(model):
    one, other = (
        ParametricDRUR(model=model, **{**SMALL, "n_basis": 6}).fit(ROLL).embedding_ for _ in "ab"
    )
    assert np.array_equal(one, other)


def test_perceptrons_are_trained_long_at_first_and_shortly_from_the_last_round_on(monkeypatch):
    moves, fit = [], drur.rounds.fit_perceptron

    def noted(X, Y, hidden, penalty, previous, most):
        moves.append((previous is None, most))
        return fit(X, Y, hidden, penalty, previous, most)

    monkeypatch.setattr(drur.rounds, "fit_perceptron", noted)
    ParametricDRUR(model="mlp", n_basis=3, init=START, max_iter=2).fit(ROLL)
    assert moves == [(True, 100)] * 2 + [(False, 30)] * 4


def test_the_memory_of_hidden_units_is_demanded_of_perceptrons_only():
    with pytest.raises(ValueError, match="n_basis=1000000000 hidden units"):
        ParametricDRUR(model="mlp", n_basis=10**9, init=START).fit(ROLL)
    every = ParametricDRUR(n_basis=10**9, init=START[:20], max_iter=1).fit(ROLL[:20])
    assert len(every.f_.centres) == 20


@pytest.mark.parametrize("method", [ParametricDRUR, NonparametricDRUR])
def test_workers_share_starts_projections_and_new_data(method, monkeypatch):
    asked = {gauss_newton: [], race: []}

    def noted(where, n_jobs=None, **others):
        asked[where].append(n_jobs)
        return Parallel(n_jobs=1, **others)

    monkeypatch.setattr(networks, "BATCH", 40)  # several batches, which workers could share
    for where in asked:
        monkeypatch.setattr(where, "Parallel", partial(noted, where))
    model = method(init=["pca", "isomap"], max_iter=1, n_jobs=3).fit(ROLL[:90])
    assert asked == {gauss_newton: [3], race: [3]}
    model.transform(ROLL[:90] + 0.1)
    assert asked[gauss_newton] == [3, 3]


# ------------------------------------------------------------------ what all models promise

FEW, FEW_STARTS = ROLL[:150], START[:150]
DRUR = {
    "rbf": ParametricDRUR(n_basis=15, init=FEW_STARTS, max_iter=3),
    "mlp": ParametricDRUR(model="mlp", n_basis=15, init=FEW_STARTS, max_iter=3),
    "gauss-newton": NonparametricDRUR(init=FEW_STARTS, max_iter=3),
    "coupled": NonparametricDRUR(method="coupled", init=FEW_STARTS, max_iter=3),
}
RIVALS = {
    "autoencoder": AutoencoderBaseline(n_basis=8, init=FEW_STARTS, max_iter=30),
    "gplvm": GPLVMBaseline(init=FEW_STARTS, max_iter=15),
}
MODELS = DRUR | RIVALS
every_model = each("name", MODELS)


def fitted(name, Y=FEW, **parameters):
    return clone(MODELS[name]).set_params(**parameters).fit(Y)


@each("name", DRUR)
def test_both_ways_of_placing_new_data(name):
    model = fitted(name, max_iter=5 if name in ("rbf", "mlp") else 10)
    new, t = datasets.swiss_roll(150, length=60.0, height=30.0, random_state=7)
    refined = model.transform(new)
    plain = model.set_params(refine=False).transform(new)
    assert_close(model._latent.into(plain), model.F_(model._data.into(new)))
    near = lambda x: np.sum((new - model.inverse_transform(x)) ** 2)
    assert near(refined) < near(plain)
    assert metrics.procrustes_r2(refined, t) > 0.95


@every_model
def test_what_is_remembered(name):
    model = fitted(name, record=True)
    assert model.n_iter_ == model.max_iter == len(model.history_) - 1
    assert_close(model.history_[-1].X, model.embedding_)
    assert_close(model.transform(FEW), model.embedding_)
    rebuilt = model.inverse_transform(model.embedding_)
    error = np.mean(np.sum((FEW - rebuilt) ** 2, axis=1))
    assert model.reconstruction_error_ == pytest.approx(error) == pytest.approx(-model.score(FEW))
    errors = [step.error for step in model.history_]
    assert name in DRUR or errors[0] > errors[-1] == min(errors)
    if name != "autoencoder":  # whose start is what its map makes of the given one
        assert_close(model.history_[0].X, FEW_STARTS)
    if isinstance(model, NonparametricDRUR):
        assert all(step.f is None and step.F is None for step in model.history_)
    assert fitted(name).history_[-1].X is None


@each("name", [name for name in MODELS if name != "mlp"])
def test_the_units_of_start_and_data_do_not_matter(name):
    expected = fitted(name).embedding_
    for unit, shift in ((2.0**-300, 0.0), (2.0**300, 0.0), (2.0**-10, 3.0 * (name in DRUR))):
        other = fitted(name, init=FEW_STARTS * unit + shift).embedding_
        assert_close((other - shift) / unit, expected, rtol=1e-5)
        assert_close(fitted(name, FEW * unit + shift).embedding_, expected, rtol=1e-5)


@every_model
def test_a_callback_ends_a_fit_and_so_does_an_interruption(name):
    seen = []
    stopped = fitted(name, callback=lambda step: seen.append(step) or len(seen) == 2)
    assert stopped.n_iter_ == 1 and seen[1].f is stopped.f_

    def interrupt(step):
        raise KeyboardInterrupt

    left = interrupted(clone(MODELS[name]).set_params(callback=interrupt), FEW, "0 ")
    assert left.n_iter_ == 0 and np.isfinite(left.embedding_).all()
    if name in DRUR:
        assert_close(left.embedding_, FEW_STARTS)


# ------------------------------------------------------------------ odd data


def test_more_basis_functions_than_points_make_each_a_centre():
    model = ParametricDRUR(n_basis=500, init=START[:30], max_iter=2).fit(ROLL[:30])
    assert len(model.F_.centres) == 30 and np.isfinite(model.embedding_).all()


@every_model
def test_one_dimension_and_few_points(name):
    Y = np.linspace(0, 1, 12)[:, None] ** 2
    line = fitted(name, Y, n_components=1, init="pca")
    assert metrics.order_recovered(line.embedding_[:, 0], Y[:, 0]) > 0.99
    two = fitted(name, ROLL[:2], n_components=1, init="pca")
    assert np.isfinite(two.embedding_).all() and np.isfinite(two.transform(ROLL[2:5])).all()


@every_model
@each("init", ["auto", "random", np.zeros((6, 2))], ids=["auto", "random", "0"])
def test_equal_points_are_embedded(name, init):
    Y = np.full((6, 3), 0.1)
    model = fitted(name, Y, init=init)
    assert np.isfinite(model.embedding_).all()
    assert_close(model.inverse_transform(model.embedding_), Y, rtol=1e-4 if name in DRUR else 1e-3)
    assert_close(model.transform(Y), model.embedding_)
    expected = {"auto": "all points equal", "random": "random"}.get(str(init), "given")
    assert model.starts_[0].name == expected


def test_many_duplicates_and_a_constant_column():
    Y = np.column_stack([np.repeat(ROLL[:8], 10, axis=0), np.ones(80)])
    model = ParametricDRUR(n_basis=20, init="pca", max_iter=3).fit(Y)
    assert np.isfinite(model.embedding_).all() and len(model.F_.centres) == 8


@pytest.mark.parametrize("penalty", [0, 1e-12, 1e6])
def test_penalties_tiny_and_huge_give_finite_models(penalty):
    model = ParametricDRUR(**SMALL, penalty=penalty).fit(ROLL)
    assert np.isfinite(model.embedding_).all() and np.isfinite(model.transform(ROLL + 1)).all()


SPOILT = {
    "one side only": FEW_STARTS * [1, 0],
    "two places": np.repeat(START[:2], 75, axis=0),
    "all but one in one place": np.vstack([START[:1], np.zeros((149, 2))]),
    "one point far away": np.vstack([1e6 * START[:1], START[1:150]]),
    "apart by rounding": np.vstack([np.ones((149, 2)), [[1 + 2e-16, 1]]]),
    "nearly too large": 1e150 * FEW_STARTS / np.abs(FEW_STARTS).max(),
    "nearly nothing": 1e-300 * FEW_STARTS,
}


@each("name", DRUR)
@each("init", SPOILT.values(), ids=SPOILT)
def test_spoilt_starts_give_finite_models(name, init):
    parametric = isinstance(DRUR[name], ParametricDRUR)
    for options in [dict(n_basis=8, penalty=p) for p in (0, 1e-5)] if parametric else [{}]:
        model = fitted(name, init=init, max_iter=2, **options)
        assert np.isfinite(model.embedding_).all() and np.isfinite(model.history_[-1].error)
        assert model.reconstruction_error_ < np.sum(FEW.var(axis=0))  # better than the mean
        # In units of the data: nothing has collapsed.
        assert not parametric or model.history_[-1].spread > 0.01


def test_one_row_far_from_all_others_is_fitted_without_a_warning():
    Y = np.vstack([ROLL, np.full((1, 3), 1e8)])
    model = ParametricDRUR(init="pca", max_iter=2).fit(Y)  # the others are as one for k-means
    assert np.isfinite(model.embedding_).all() and 1 < len(model.F_.centres) <= 30


@both
def test_a_column_with_two_values_is_a_line_of_two_places(model):
    Y = np.repeat([[0.0], [1.0]], 20, axis=0)
    line = ParametricDRUR(1, model=model, n_basis=3, init="pca", max_iter=3).fit(Y)
    low, high = line.embedding_[:20], line.embedding_[20:]
    assert np.ptp(low) < 1e-6 * abs(high[0] - low[0]) and np.ptp(high) == np.ptp(low)
    assert_close(line.inverse_transform(line.embedding_), Y, rtol=1e-2)


def test_rounds_with_a_great_penalty_end_in_one_place():
    model = ParametricDRUR(**{**SMALL, "max_iter": 30}, penalty=1e6).fit(ROLL)
    assert model.history_[-1].spread < 1e-4 * model.history_[0].spread
    assert_close(model.inverse_transform(START), np.tile(ROLL.mean(axis=0), (200, 1)), rtol=1e-2)


@each(
    "parameters, error, message",
    [
        (dict(n_components=4), ValueError, "n_components=4 must be at most the 3 columns"),
        (dict(init=np.zeros((3, 2))), ValueError, r"init must have one row per point.*\(200, 2\)"),
        (dict(init=np.full((200, 2), 3.0)), ValueError, "init must not put all points in one"),
        (dict(init=1e200 * START), ValueError, "squares overflow"),
    ],
)
def test_bad_parameters_are_refused_in_words(parameters, error, message):
    with pytest.raises(error, match=message):
        ParametricDRUR(**parameters).fit(ROLL)
