"""The UKR estimator: what each parameter does, what a model can do, and what survives Ctrl-C."""

import pickle
import tracemalloc
import warnings
from functools import partial

import numpy as np
import pandas
import pytest
from helpers import assert_close, each, interrupted, read_only, steep, wide
from sklearn.base import clone
from sklearn.manifold import Isomap
from sklearn.metrics.pairwise import polynomial_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import get_tags

from ukrlearn import UKR, datasets, metrics
from ukrlearn.blocks import density_kernels, descent, mercer_kernels, race, scales, starts
from ukrlearn.blocks.kernel_regression import latent_density
from ukrlearn.estimators import _starting, ukr
from ukrlearn.ukr import homotopy, projection
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.reconstruction import penalty_factors, reconstruction_error

Y, T = read_only(*datasets.noisy_spiral(60, noise=0.02, random_state=0))
ISOMAP = Isomap(n_neighbors=5, n_components=1)
NEW, _ = read_only(*datasets.noisy_spiral(25, noise=0.02, random_state=1))
SHEET, _ = read_only(*datasets.s_curve(50, random_state=0))


def model(**parameters):
    """A model that is quick to fit: from Isomap, some steps."""
    quick = dict(n_components=1, init=[ISOMAP], max_iter=25, tol=1e-6)
    return UKR(**{**quick, **parameters})


@pytest.fixture(scope="module")
def fitted():
    return model().fit(Y)


def stages_of(fitted):
    """The stages of the fit in order, each once."""
    return list(dict.fromkeys(frame.stage for frame in fitted.history_))


def same_bits(one, other):
    return one.embedding_.tobytes() == other.embedding_.tobytes()


# ------------------------------------------------------------------ what a fit leaves


def test_errors_are_those_of_the_embedding(fitted):
    X = fitted.embedding_
    assert X.shape == (60, 1)
    assert fitted.cv_error_ == pytest.approx(reconstruction_error(X, Y)[0], rel=1e-10)
    plain = reconstruction_error(X, Y, leave_one_out=False)[0]
    assert fitted.reconstruction_error_ == pytest.approx(plain, rel=1e-10)
    assert fitted.reconstruction_error_ < fitted.cv_error_ < Y.var(axis=0).sum()


def test_the_model_is_the_best_step_of_its_history(fitted):
    assert stages_of(fitted) == ["start", "descent"]
    assert min(frame.error for frame in fitted.history_) == fitted.cv_error_
    assert fitted.history_[0].error == fitted.history_[1].error, "a descent yields its start first"
    assert fitted.n_iter_ == 25 == len(fitted.history_) - 2
    assert all(frame.X is None for frame in fitted.history_)


def test_the_table_of_starts_has_one_chosen(fitted):
    (start,) = fitted.starts_
    assert start.name == "Isomap" and start.chosen
    assert start.cv_error == pytest.approx(fitted.history_[0].error)


def test_the_default_races_starts_of_several_kinds():
    found = UKR(n_components=1, max_iter=3, homotopy=False).fit(Y).starts_
    assert {start.name.split("(")[0] for start in found} == {"PCA", "LLE", "Isomap", "Laplacian"}
    (chosen,) = [start for start in found if start.chosen]
    assert chosen.refined == min(start.refined for start in found if start.X is not None)
    assert chosen.refined < min(start.cv_error for start in found)


def test_density_and_penalties_are_those_of_the_core(fitted):
    x = np.linspace(-3, 3, 7)[:, None]
    np.testing.assert_array_equal(fitted.density(x), latent_density(x, fitted.embedding_))
    np.testing.assert_array_equal(fitted.penalties(), penalty_factors(fitted.embedding_))


# ------------------------------------------------------------------ transform and its ways back


@each("data_kernel", [None, "linear"])
def test_what_does_not_depend_on_new_rows_is_computed_once(data_kernel, monkeypatch):
    for_all = []
    for name in ("predict", "latent_density"):
        original = getattr(projection, name)
        spy = lambda x, *given, name=name, original=original: (
            for_all.append((name, len(x))) or original(x, *given)
        )
        monkeypatch.setattr(projection, name, spy)
    found = model(data_kernel=data_kernel, max_iter=3).fit(Y)
    first = found.transform(NEW)
    assert sorted(for_all) == [("latent_density", len(Y)), ("predict", len(Y))]
    again, copied = found.transform(NEW), pickle.loads(pickle.dumps(found))
    assert len(for_all) == 2 and np.array_equal(again, first)
    assert not {"density", "_reconstructions"} & set(vars(copied._manifold))
    assert np.array_equal(copied.transform(NEW), first) and len(for_all) == 4
    for _ in range(2):
        found.embedding_ *= 1.1  # whoever moves the points gets the manifold of these points
        moved = model(init=found.embedding_, data_kernel=data_kernel, max_iter=0)
        moved.set_params(density_threshold=found.density_threshold_)
        assert np.array_equal(found.transform(NEW), moved.fit(Y).transform(NEW))
    refitted = found.set_params(kernel="quartic").fit(Y[::2]).transform(NEW)
    fresh = model(data_kernel=data_kernel, kernel="quartic", max_iter=3).fit(Y[::2])
    assert np.array_equal(refitted, fresh.transform(NEW))


@each("kernel", [*density_kernels.by_name, wide], ids=str)
@each("threshold", ["min", "20%", 0.03])
def test_projections_are_feasible_exactly(kernel, threshold):
    found = model(kernel=kernel, density_threshold=threshold, max_iter=10).fit(Y)
    new = np.vstack([NEW, 3 * NEW, [[100, -100]]])
    density = found.density(found.transform(new)) / found._kernel.at_zero
    assert density.min() >= found.density_threshold_


def test_negative_zero_is_zero():
    data = np.array([[-0.0, 1], [1, 0], [2, 3], [3, 4.0]])
    found = UKR(n_components=1, init="pca", max_iter=2).fit(data)
    np.testing.assert_array_equal(found.transform(np.array([[0.0, 1]])), found.embedding_[:1])


def test_the_manifold_passes_near_projected_data(fitted):
    back = fitted.inverse_transform(fitted.transform(NEW))
    assert back.shape == NEW.shape
    squares = np.sum((back - NEW) ** 2, axis=1)
    assert fitted.score(NEW) == pytest.approx(-squares.mean())
    assert -fitted.score(NEW) < 3 * fitted.cv_error_


def test_score_of_training_rows_is_minus_the_plain_error(fitted):
    assert fitted.score(Y) == pytest.approx(-fitted.reconstruction_error_)


# ------------------------------------------------------------------ data of all kinds


def test_float32_integers_and_lists_are_data_as_well():
    single = Y.astype(np.float32)
    assert same_bits(model().fit(single), model().fit(single.astype(float)))
    whole = np.round(100 * Y).astype(int)
    assert same_bits(model().fit(whole), model().fit(whole.astype(float)))
    assert same_bits(model().fit(Y.tolist()), model().fit(Y))
    assert same_bits(model().fit(Y.astype(object)), model().fit(Y))
    assert model().fit_transform(single).dtype == np.float64


def test_memory_order_is_no_matter():
    assert same_bits(model().fit(np.asfortranarray(Y)), model().fit(Y))


# ------------------------------------------------------------------ the same again


def test_the_same_seed_gives_the_same_bits():
    three = dict(init=["isomap", "lle", "spectral"], max_iter=5, random_state=3)
    assert same_bits(model(**three).fit(Y), model(**three).fit(Y))


def test_with_a_seed_the_global_random_state_is_left_alone():
    before = np.random.get_state()
    model(init=["lle", "spectral"], max_iter=2, random_state=0).fit(Y)
    np.testing.assert_equal(np.random.get_state(), before)


def test_fitting_leaves_parameters_as_they_were():
    start = clone(ISOMAP)
    found = model(init=start, homotopy=[0.5, 0.1]).fit(Y)
    assert found.init is start and not hasattr(start, "embedding_")
    assert found.get_params() == model(init=start, homotopy=[0.5, 0.1]).get_params()


def test_a_second_fit_forgets_the_first(fitted):
    again = clone(fitted).fit(SHEET).fit(Y)
    assert same_bits(again, fitted)
    assert [frame.error for frame in again.history_] == [frame.error for frame in fitted.history_]


@pytest.mark.parametrize("kernel", ["quartic", steep], ids=str)
def test_a_model_survives_pickling(kernel):
    found = model(kernel=kernel, homotopy=[0.2]).fit(Y)
    copy = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(copy.transform(NEW), found.transform(NEW))
    assert copy.history_ == found.history_ and copy.cv_error_ == found.cv_error_


# ------------------------------------------------------------------ among scikit-learn's things


def test_grid_search_finds_the_number_of_components():
    search = GridSearchCV(UKR(init="pca", max_iter=15), {"n_components": [1, 2]}, cv=3)
    search.fit(SHEET)
    assert search.best_params_ == {"n_components": 2}
    assert np.all(search.cv_results_["mean_test_score"] < 0)
    assert search.transform(SHEET).shape == (50, 2)


def test_only_a_precomputed_kernel_is_pairwise():
    pairwise = [
        get_tags(UKR(data_kernel=k)).input_tags.pairwise for k in (None, "l1", "precomputed")
    ]
    assert pairwise == [False, False, True]


# ------------------------------------------------------------------ record, restart, watch, stop


def test_every_frame_of_a_record_can_be_taken_up_again():
    found = model(record=True, max_iter=15).fit(Y)
    for frame in found.history_[::4]:
        again = UKR(n_components=1, init=frame.X, max_iter=0).fit(Y)
        assert again.cv_error_ == pytest.approx(frame.error, rel=1e-12)
        np.testing.assert_array_equal(again.embedding_, frame.X)
    best = min(found.history_, key=lambda frame: frame.error)
    np.testing.assert_array_equal(best.X, found.embedding_)


def test_a_restart_goes_on_from_its_frame():
    found = model(record=True, max_iter=15).fit(Y)
    frame = found.history_[-1]
    further = UKR(n_components=1, init=frame.X, max_iter=60).fit(Y)
    assert further.history_[0].error == pytest.approx(frame.error)
    assert further.cv_error_ < found.cv_error_
    assert [start.name for start in further.starts_] == ["given"]


def test_the_frames_of_a_record_are_copies():
    found = model(record=True, max_iter=5, descent=walk_in_place).fit(Y)
    frames = [frame.X for frame in found.history_ if frame.stage == "descent"]
    assert not np.shares_memory(frames[0], frames[1])
    assert np.any(frames[0] != frames[1])


def walk_in_place(objective, X0):
    """A descent that moves all points a little, in the same array."""
    X = np.array(X0)
    while True:
        yield descent.Step(X, *objective(X))
        X *= 1.01


def test_a_callback_sees_each_step_and_stops_by_returning_true():
    seen = []

    def five(step):
        seen.append(step)
        return len(seen) == 5

    found = model(callback=five, max_iter=100).fit(Y)
    assert len(seen) == len(found.history_) == 5
    assert min(step.error for step in seen) * found._space.units.factor**2 == found.cv_error_
    assert all(step.X.shape == (60, 1) == step.gradient.shape for step in seen)


def test_only_true_stops():
    found = model(callback=lambda step: "yes", max_iter=7).fit(Y)
    assert found.n_iter_ == 7


@pytest.mark.parametrize("at", [1, 2, 150])
def test_a_callback_stops_the_homotopy_too(at):
    seen = []

    def stop(step):
        seen.append(step.error)
        return len(seen) == at

    found = UKR(init="pca", homotopy=True, max_iter=100, callback=stop).fit(SHEET)
    assert len(found.history_) == at
    assert stages_of(found) == ["start", "eta=0.5", "eta=0.25"][: 1 + (at > 1) + (at > 102)]
    assert found.cv_error_ <= found.history_[0].error


def test_verbose_shows_bars_and_silence_shows_nothing(capsys):
    model(max_iter=3).fit(Y)
    assert capsys.readouterr() == ("", "")
    model(max_iter=3, verbose=1).fit(Y)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "starts:" in shown.err and "descent:" in shown.err and "/4" in shown.err


def test_tol_ends_a_fit_and_zero_never_does():
    everything = model(tol=0, max_iter=120).fit(Y)
    assert everything.n_iter_ == 120
    assert 20 <= model(tol=0.05, max_iter=120).fit(Y).n_iter_ < 120


# ------------------------------------------------------------------ Ctrl-C


def interrupt(*_, **__):
    raise KeyboardInterrupt


def test_ctrl_c_in_the_descent_leaves_the_best_model_so_far():
    seen = []

    def tenth(step):
        seen.append(step.error)
        if len(seen) == 10:
            raise KeyboardInterrupt

    found = interrupted(model(callback=tenth), Y, "10 steps")
    assert found.cv_error_ == pytest.approx(min(seen) * found._space.units.factor**2)
    np.testing.assert_array_equal(found.transform(Y), found.embedding_)
    assert np.isfinite(found.score(NEW))


def test_ctrl_c_in_the_homotopy_keeps_what_it_has_reached():
    def late(step, seen=[]):  # noqa: B006
        seen.append(step)
        if len(seen) == 600:
            raise KeyboardInterrupt

    unfolding = dict(n_components=2, init="pca", homotopy=True)
    start = UKR(**unfolding, max_iter=0).fit(SHEET)
    found = interrupted(UKR(**unfolding, callback=late), SHEET, "600 steps")
    assert stages_of(found)[-1] == "eta=0.01"
    assert found.cv_error_ < 0.9 * start.cv_error_


def test_ctrl_c_in_a_start_leaves_the_starts_before_it():
    found = interrupted(model(init=["pca", ISOMAP, interrupt, "lle"]), Y, "1 steps")
    assert [start.name for start in found.starts_] == ["PCA", "Isomap"]
    assert found.cv_error_ == pytest.approx(
        min(start.cv_error for start in found.starts_) * found._space.units.factor**2
    )
    assert found.transform(NEW).shape == (25, 1)


def test_ctrl_c_in_the_first_start_is_passed_on():
    unlucky = model(init=[interrupt, "pca"])
    with pytest.raises(KeyboardInterrupt):
        unlucky.fit(Y)
    assert not hasattr(unlucky, "embedding_")


def test_ctrl_c_in_the_race_leaves_the_best_start(monkeypatch):
    monkeypatch.setattr(race, "minimise", interrupt)
    found = interrupted(model(init=["pca", "isomap"]), Y)
    (chosen,) = [start for start in found.starts_ if start.chosen]
    assert chosen.cv_error == min(start.cv_error for start in found.starts_)
    np.testing.assert_array_equal(found.embedding_, chosen.X)


def test_ctrl_c_at_the_first_step_after_the_race_leaves_one_start_chosen(monkeypatch):
    ways = [interrupt, descent.Best.of]
    monkeypatch.setattr(descent.Best, "of", lambda *given: ways.pop(0)(*given))
    found = interrupted(model(init=["pca", "isomap"], max_iter=0), Y)
    assert sum(start.chosen for start in found.starts_) == 1


def test_ctrl_c_before_the_first_step_respects_the_constraint_of_plain_errors():
    found = interrupted(model(init=["pca", interrupt], leave_out=0, density_threshold=0.4), Y)
    assert relative_density(found.embedding_).min() >= 0.4


# ------------------------------------------------------------------ init


def test_an_array_is_used_exactly_as_it_is():
    X = np.linspace(-4, 4, 60)[:, None]
    found = UKR(n_components=1, init=X, max_iter=0).fit(Y)
    np.testing.assert_array_equal(found.embedding_, X)
    assert not np.shares_memory(found.embedding_, X)
    frame = UKR(n_components=1, init=pandas.DataFrame(X), max_iter=0).fit(Y)
    np.testing.assert_array_equal(frame.embedding_, X)


def test_a_list_of_starts_is_a_race():
    shuffled = np.random.default_rng(0).permutation(60)[:, None].astype(float)
    found = model(init=[shuffled, "pca", ISOMAP, last_column]).fit(Y)
    assert [start.name for start in found.starts_] == ["array 0", "PCA", "Isomap", "last_column"]
    (chosen,) = [start for start in found.starts_ if start.chosen]
    assert chosen.name == "Isomap"
    assert np.isfinite([start.refined for start in found.starts_]).all()


def last_column(Y):
    return Y[:, -1:]


def test_a_start_that_fails_is_reported_and_the_others_go_on():
    islands = np.vstack([SHEET, SHEET + 50])
    found = UKR(init=["lle", "pca"], max_iter=2, homotopy=False).fit(islands)
    failed = [start for start in found.starts_ if start.X is None]
    assert failed and all("needs a connected graph" in start.note for start in failed)
    assert any(start.chosen for start in found.starts_)


def test_with_no_moves_the_start_keeps_its_shape():
    found = model(max_iter=0).fit(Y)
    expected = scales.normalised(clone(ISOMAP).fit_transform(Y), per_axis=False)
    assert_close(found.embedding_, expected * found.starts_[0].scale)
    assert found.n_iter_ == 0 and len(found.history_) == 1


# ------------------------------------------------------------------ homotopy


def unfolded(homotopy, init="pca"):
    return UKR(init=init, homotopy=homotopy, max_iter=5).fit(SHEET)


def test_auto_unfolds_only_if_a_linear_start_won():
    assert len(stages_of(unfolded("auto"))) == 2 + len(homotopy.PAPER_THRESHOLDS)
    assert stages_of(unfolded("auto", init="isomap")) == ["start", "descent"]
    assert stages_of(unfolded(False)) == ["start", "descent"]


def test_true_unfolds_any_start_under_the_papers_thresholds():
    expected = ["start", *(f"eta={eta:g}" for eta in homotopy.PAPER_THRESHOLDS), "descent"]
    assert stages_of(unfolded(True, init="isomap")) == expected


@pytest.mark.parametrize("thresholds", [[0.3, 0.02], (0.3, 0.02), np.array([0.3, 0.02])], ids=type)
def test_a_list_gives_the_thresholds(thresholds):
    assert stages_of(unfolded(thresholds)) == ["start", "eta=0.3", "eta=0.02", "descent"]


def test_a_homotopy_that_leads_to_a_worse_place_is_not_taken():
    start = model(max_iter=0).fit(Y)
    found = model(max_iter=0, homotopy=True).fit(Y)
    assert found.cv_error_ <= start.cv_error_
    found = model(max_iter=3, homotopy=[0.9]).fit(Y)
    assert found.cv_error_ < start.cv_error_
    assert stages_of(found) == ["start", "eta=0.9", "descent", "descent again"]
    assert found.n_iter_ == 3


# ------------------------------------------------------------------ what is left out


def test_leave_out_k_leaves_out_blocks_of_rows():
    blocks = np.arange(60) // 4
    by_number, by_label = model(leave_out=4).fit(Y), model(leave_out=blocks).fit(Y)
    assert same_bits(by_number, by_label)
    expected = reconstruction_error(by_number.embedding_, Y, groups=blocks)[0]
    assert by_number.cv_error_ == pytest.approx(expected, rel=1e-10)


def test_labels_may_be_words_or_a_series():
    words = np.where(np.arange(60) % 2, "odd", "even")
    by_word = model(leave_out=words).fit(Y)
    assert same_bits(by_word, model(leave_out=list(words)).fit(Y))
    assert same_bits(by_word, model(leave_out=pandas.Series(words)).fit(Y))
    assert same_bits(by_word, model(leave_out=np.arange(60) % 2).fit(Y))


@pytest.mark.parametrize("way", ["rprop", "gradient", "l-bfgs"])
def test_leaving_nothing_out_is_bounded_by_the_density(way):
    found = model(leave_out=0, density_threshold=0.1, descent=way, max_iter=40).fit(Y)
    assert relative_density(found.embedding_).min() >= 0.1 == found.density_threshold_
    assert found.history_[-1].error < found.history_[0].error
    best = min(frame.error for frame in found.history_)
    assert found.reconstruction_error_ == pytest.approx(best)


# ------------------------------------------------------------------ η


def test_the_least_density_is_the_default_threshold(fitted):
    assert fitted.density_threshold_ == relative_density(fitted.embedding_).min()


def test_a_percentage_leaves_that_many_points_outside():
    found = model(density_threshold="10%").fit(Y)
    outside = relative_density(found.embedding_) < found.density_threshold_
    assert outside.sum() == 6
    assert (
        model(density_threshold="0%").fit(Y).density_threshold_ == model().fit(Y).density_threshold_
    )


def test_a_number_is_the_threshold_itself():
    assert model(density_threshold=0.04).fit(Y).density_threshold_ == 0.04


# ------------------------------------------------------------------ descents and kernels


def test_all_descents_improve_and_none_ends_above_its_start():
    for way in descent.by_name:
        found = model(descent=way, max_iter=15).fit(Y)
        assert found.cv_error_ < 0.99 * found.history_[0].error, way


def test_a_descent_of_ones_own_is_followed():
    found = model(descent=walk_in_place, max_iter=4, record=True).fit(Y)
    frames = [frame.X for frame in found.history_ if frame.stage == "descent"]
    assert len(frames) == 5
    np.testing.assert_allclose(frames[-1], 1.01**4 * frames[0])


def test_a_descent_may_end_by_itself():
    two_steps = lambda objective, X0: list(descent.at_most(descent.rprop(objective, X0), 1))
    assert model(descent=two_steps).fit(Y).n_iter_ == 1


def test_a_kernel_of_ones_own_is_used():
    found = model(kernel=steep).fit(Y)
    expected = reconstruction_error(found.embedding_, Y, steep)[0]
    assert found.cv_error_ == pytest.approx(expected, rel=1e-10)
    assert found.density_threshold_ == pytest.approx(
        relative_density(found.embedding_, steep).min()
    )


# ------------------------------------------------------------------ feature space


def test_the_linear_kernel_is_data_space():
    X = np.linspace(-4, 4, 60)[:, None]
    given = dict(n_components=1, init=X, max_iter=5, tol=0)
    in_data_space = UKR(**given).fit(Y)
    G = mercer_kernels.linear
    for found in (
        UKR(**given, data_kernel="linear").fit(Y),
        UKR(**given, data_kernel=G).fit(Y),
        UKR(**given, data_kernel="precomputed").fit(G(Y)),
    ):
        assert_close(found.embedding_, in_data_space.embedding_, rtol=1e-7)
        assert found.cv_error_ == pytest.approx(in_data_space.cv_error_, rel=1e-7)
        new = G(NEW, Y) if found.data_kernel == "precomputed" else NEW
        assert_close(found.transform(new), in_data_space.transform(NEW), rtol=2e-2)
    by_name = UKR(**given, data_kernel="linear").fit(Y)
    assert by_name.score(NEW) == pytest.approx(in_data_space.score(NEW), rel=1e-3)
    assert_close(by_name.inverse_transform(X), in_data_space.inverse_transform(X), rtol=1e-6)


@pytest.mark.parametrize("offset", [1e5, 1e9])
@pytest.mark.parametrize("data_kernel", ["linear", "l1"])
def test_where_the_data_have_their_origin_is_no_matter(data_kernel, offset):
    X = np.linspace(-4, 4, 60)[:, None]
    near = UKR(n_components=1, data_kernel=data_kernel, init=X, max_iter=0).fit(Y)
    far = UKR(n_components=1, data_kernel=data_kernel, init=X, max_iter=0).fit(Y + offset)
    assert far.cv_error_ == pytest.approx(near.cv_error_, rel=1e-6)


@pytest.mark.parametrize("data_kernel", [mercer_kernels.l1, polynomial_kernel], ids=["l1", "cubic"])
def test_a_callable_and_its_gram_matrix_are_the_same_model(data_kernel):
    by_call = model(init="pca", data_kernel=data_kernel).fit(Y)
    G = data_kernel(Y, Y.copy())  # of one table with itself, BLAS rounds otherwise
    by_matrix = model(init="pca", data_kernel="precomputed").fit(G)
    assert same_bits(by_call, by_matrix)
    assert [start.name for start in by_call.starts_] == ["KPCA"]
    np.testing.assert_array_equal(by_matrix.transform(G), by_matrix.embedding_)
    np.testing.assert_array_equal(by_call.transform(Y), by_call.embedding_)


def test_the_score_in_feature_space_is_a_distance_there():
    found = model(init="pca", data_kernel="l1").fit(Y)
    expected = [
        np.abs(f - y).sum()
        for y, f in zip(NEW, found.inverse_transform(found.transform(NEW)), strict=True)
    ]
    assert -np.mean(expected) < found.score(NEW) < 0, "no farther than the preimage in data space"
    assert found.score(Y) == pytest.approx(-found.reconstruction_error_)


def test_more_components_than_feature_space_has_are_flat():
    found = UKR(n_components=3, data_kernel="linear", init="pca", max_iter=0).fit(Y)
    flat = np.ptp(found.embedding_, axis=0) == 0
    assert flat.tolist() == [False, False, True]


# ------------------------------------------------------------------ large N


ISOMAPS = [f"Isomap(K={K})" for K in (6, 8, 12, 15)]
SHORT_LIST = ["PCA", *ISOMAPS, "LLE(K=12)", "neighbours(K=15)"]
CURVED, _ = read_only(*datasets.s_curve(300, random_state=0))


@pytest.fixture
def few_landmarks(monkeypatch):
    """100 landmarks run the race of more points."""
    monkeypatch.setattr(race, "LANDMARKS", 100)


def test_landmarks_run_the_race_of_many_points(few_landmarks):
    found = UKR(max_iter=30).fit(CURVED)
    assert [start.name for start in found.starts_] == SHORT_LIST
    assert all(start.X.shape == (100, 2) for start in found.starts_)
    (chosen,) = (start for start in found.starts_ if start.chosen)
    assert chosen.refined == min(start.refined for start in found.starts_)
    assert metrics.trustworthiness(CURVED, found.embedding_) > 0.97
    assert found.cv_error_ < 0.5 * chosen.refined  # more points, and the descent


def test_a_race_on_landmarks_gives_the_same_bits_each_time_and_with_two_jobs(few_landmarks):
    some = dict(max_iter=3, random_state=5)
    one = UKR(**some).fit(CURVED)
    assert same_bits(one, UKR(**some).fit(CURVED))
    assert same_bits(one, UKR(**some, n_jobs=2).fit(CURVED))
    assert not same_bits(one, UKR(max_iter=3, random_state=6).fit(CURVED))


def test_landmarks_race_in_feature_space_and_with_groups_too(few_landmarks):
    options = dict(max_iter=15, leave_out=np.arange(300) // 2)
    in_data_space = UKR(**options).fit(CURVED)
    in_feature_space = UKR(**options, data_kernel="linear").fit(CURVED)
    assert in_feature_space.cv_error_ == pytest.approx(in_data_space.cv_error_, rel=0.1)


def test_one_point_more_than_there_are_landmarks_changes_little(few_landmarks):
    errors = [UKR().fit(CURVED[:N]).cv_error_ for N in (99, 100, 101, 102)]
    assert max(errors) < 1.5 * min(errors)


def test_ctrl_c_in_a_race_on_landmarks_leaves_a_start_of_all_points(few_landmarks, monkeypatch):
    monkeypatch.setattr(race, "race", interrupt)
    found = interrupted(UKR(), CURVED, "1 steps")
    assert found.embedding_.shape == (300, 2)
    (chosen,) = (start for start in found.starts_ if start.chosen)
    assert chosen.cv_error == min(start.cv_error for start in found.starts_)
    assert metrics.trustworthiness(CURVED, found.embedding_) > 0.9


def test_many_points_have_a_compact_kernel(monkeypatch):
    monkeypatch.setattr(ukr, "MOST_FOR_GAUSSIAN", 60)
    kernels = [UKR(1, init="pca", max_iter=1).fit(Y[:N])._kernel.name for N in (59, 60)]
    kernels.append(UKR(1, init="pca", max_iter=1).fit(np.vstack([Y, NEW]))._kernel.name)
    assert kernels == ["gaussian", "gaussian", "quartic"]


@pytest.mark.parametrize(("N", "tol"), [(60, 1e-3), (2000, 2e-3), (10_000, 1e-2), (50_000, 1e-2)])
def test_more_points_end_at_a_rougher_place(N, tol):
    assert UKR()._tol_for(N) == pytest.approx(tol)
    assert UKR(1)._tol_for(N) == (3e-4 if N == 60 else tol)  # on a line, polishing helps
    assert UKR(descent="l-bfgs")._tol_for(N) == 1e-6
    assert UKR(tol=0.5)._tol_for(N) == 0.5


def test_rprop_turns_softly_and_is_in_single_precision_where_it_ends_early():
    start = dict(n_components=1, init=[ISOMAP])
    soft = partial(descent.rprop, shrink=0.7)
    exact = UKR(**start, tol=1e-6).fit(Y)
    assert same_bits(exact, UKR(**start, descent=soft).fit(Y))
    rough = UKR(**start, tol=1e-2).fit(Y)
    assert rough.n_iter_ < exact.n_iter_
    first = [found.history_[1].error for found in (rough, exact)]
    assert first[0] != first[1] and first[0] == pytest.approx(first[1], rel=1e-6)
    for found in (rough, exact):  # the result is in double precision
        in_double = reconstruction_error(found.embedding_, Y)[0]
        assert found.cv_error_ == pytest.approx(in_double, rel=1e-10)


def test_no_square_array_is_held_for_many_points(few_landmarks):
    N = 2500
    large, _ = datasets.s_curve(N, random_state=0)
    tracemalloc.start()
    found = UKR(max_iter=1).fit(large)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * N * N / 2
    assert np.isfinite(found.embedding_).all()


def test_a_start_asked_for_by_name_is_made_whatever_the_size(monkeypatch):
    monkeypatch.setattr(_starting, "MOST_FOR_DENSE_STARTS", 10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model(init="kpca", max_iter=0).fit(Y)
    assert [start.name for start in found.starts_] == ["KPCA(gaussian)"]


def test_a_start_of_neighbors_keeps_clusters_apart():
    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(16), 20)
    clusters = 4 * random.normal(size=(16, 10))[labels] + random.normal(size=(320, 10))
    found = UKR(init="neighbors", max_iter=20).fit(clusters)
    assert [start.family for start in found.starts_] == ["neighbours"]
    share = lambda X: KNeighborsClassifier(1).fit(X[::2], labels[::2]).score(X[1::2], labels[1::2])
    assert share(starts.pca(clusters, 2)) < 0.9 < 0.98 < share(found.embedding_)


def test_the_table_of_starts_is_in_the_units_of_the_data():
    Y, _ = datasets.noisy_spiral(60, random_state=0)
    for factor in (1.0, 1000.0):
        model = UKR(1, init="isomap", max_iter=0).fit(factor * Y)
        (chosen,) = (start for start in model.starts_ if start.chosen)
        assert chosen.cv_error == pytest.approx(model.cv_error_, rel=1e-12)
    raced = UKR(1, init="isomap", max_iter=1).fit(1000 * Y)
    (chosen,) = (start for start in raced.starts_ if start.chosen)
    assert chosen.refined == pytest.approx(raced.history_[0].error, rel=1e-12)


def test_the_name_of_a_start_decides_nothing():
    def PCA(Y):
        return starts.pca(Y, 1)

    def unfolded(Y):
        return starts.pca(Y, 1)

    fits = [UKR(1, init=start, max_iter=10).fit(Y) for start in (PCA, unfolded)]
    assert len(fits[0].history_) == len(fits[1].history_)
    np.testing.assert_array_equal(fits[0].embedding_, fits[1].embedding_)
