"""The learning scheme of UKR one step at a time: what each decides, and what it hands on."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers import each, gaussian, quartic, read_only

from ukrlearn import datasets
from ukrlearn.blocks import descent, race, scales, sharing, starts
from ukrlearn.blocks.starts import Candidate, Start
from ukrlearn.estimators import _ukr_scheme
from ukrlearn.estimators._journal import Journal
from ukrlearn.estimators._ukr_scheme import Scheme, Settings
from ukrlearn.estimators._ukr_space import TrainingData
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.reconstruction import reconstruction_error

Y, T = read_only(*datasets.noisy_spiral(20, random_state=0))
X = read_only(np.linspace(-2, 2, 20)[:, None] ** 3)


def scheme(rows=Y, twins=None, callback=None, **changes):
    settings = dict(
        q=1,
        kernel=gaussian,
        descent=descent.rprop,
        max_iter=4,
        tol=0.0,
        threshold=0.1,
        leave_one_out=True,
        groups=None,
        guidance=None,
        homotopy=None,
        homotopy_is_forced=False,
        record=False,
        n_jobs=None,
    )
    journal = Journal(callback=callback)
    return Scheme(TrainingData.of(rows), Settings(**{**settings, **changes}), journal, twins)


def stages(scheme):
    return [frame.stage for frame in scheme.journal.history]


# ------------------------------------------------------------------ objectives


@pytest.mark.parametrize(("tol", "rough"), [(0.0, False), (9e-6, False), (1e-5, True)])
def test_a_descent_that_ends_early_is_in_single_precision(tol, rough):
    run = scheme(tol=tol)
    run.minimise(X)
    exact, first = (frame.error for frame in run.journal.history[:2])
    assert exact == run.space.in_data_units(run.cv_error(X)[0])
    assert (first != exact) is rough and first == pytest.approx(exact, rel=1e-6)


def test_starts_are_compared_by_the_error_that_leaves_points_out_whatever_the_objective():
    run = scheme(leave_one_out=False)
    assert run.cv_error(X)[0] == reconstruction_error(X, run.space.Y)[0]
    assert run.objective()(X)[0] == reconstruction_error(X, run.space.Y, leave_one_out=False)[0]


def test_data_vary_if_any_column_does():
    line = np.arange(4.0)[:, None]
    assert scheme(line * [1, 0] + 3).data_vary
    assert scheme(line * [1, 1]).data_vary  # each row is constant
    assert not scheme(0 * line + [1, 2]).data_vary


# ------------------------------------------------------------------ starts


def test_the_users_coordinates_are_the_only_start_and_keep_their_scale():
    run, plane = scheme(q=2), np.hstack([X, X**2])
    assert run.choose_start([Candidate("mine", plane, np.ones(2), chosen=True)]) is plane
    (start,) = run.starts
    error = reconstruction_error(plane, run.space.Y)[0]
    assert (start.name, start.cv_error, start.refined) == ("mine", error, error)
    assert start.X is plane and start.chosen and start.scale.tolist() == [1, 1]


@pytest.mark.parametrize(("max_iter", "steps"), [(0, 0), (1, 80)])
def test_without_moves_the_race_has_none_either(max_iter, steps, monkeypatch):
    raced, run_race = [], race.race
    spy = lambda candidates, *given: raced.append(given[-1]) or run_race(candidates, *given)
    monkeypatch.setattr(race, "race", spy)
    run = scheme(max_iter=max_iter)
    run.choose_start(
        [Start(Candidate("cubic"), lambda: X), Start(Candidate("root"), lambda: np.cbrt(X))]
    )
    assert raced == [steps]
    assert [start.name for start in run.starts] == ["cubic", "root"]
    assert sum(start.chosen for start in run.starts) == 1


ROWS = read_only(np.random.default_rng(0).normal(size=(1000, 3)))


@each("groups", [None, np.arange(1000) // 2], ids=["alone", "groups"])
def test_landmarks_run_the_race_in_single_precision(groups, monkeypatch):
    def run_race(candidates, exact, rough, *_):
        for error, precision in ((exact, 1e-12), (rough, 1e-5)):
            expected = reconstruction_error(candidates[0].X, run.space.Y[some], groups=of_some)[0]
            assert error(candidates[0].X)[0] == pytest.approx(expected, rel=precision)
        assert exact(candidates[0].X)[0] != rough(candidates[0].X)[0]
        return candidates, "won"

    monkeypatch.setattr(race, "race", run_race)
    monkeypatch.setattr(Scheme, "_extended", lambda self, X: ("extended", X))
    run, some = scheme(ROWS, groups=groups), np.arange(0, 1000, 3)
    of_some = None if groups is None else groups[some]
    run.landmarks = some
    entrant = Start(Candidate("first"), lambda: ROWS[some, :1])
    assert run.choose_start([entrant]) == ("extended", "won")
    run.starts, run.landmarks, some, of_some = [], None, np.arange(1000), groups
    assert run.choose_start([entrant._replace(make=lambda: ROWS[:, :1])]) == "won"


@each(
    "family, affordable, embedded",
    [("neighbours", True, True), ("neighbours", False, False), ("Isomap", True, False)],
)
def test_a_winner_on_landmarks_is_embedded_anew_or_extended_by_five_moves(
    family, affordable, embedded, monkeypatch
):
    of_landmarks, others, asked = ROWS[::2, :2], ROWS[1::2, :2], []

    def project(Y, X, training, kernel, max_iter):
        assert np.array_equal(Y, run.space.Y[1::2])
        assert X is of_landmarks and np.array_equal(training, run.space.Y[::2])
        assert kernel is gaussian and max_iter == 5
        return SimpleNamespace(x=others)

    def double(X, error, kernel, per_axis, points):
        assert np.array_equal(points, error.keywords["points"])
        asked.append((points, kernel, per_axis))
        return scales.Scaling(2.0, 0.0, [])

    monkeypatch.setattr(_ukr_scheme, "project", project)
    monkeypatch.setattr(_ukr_scheme, "best_scale", double)
    monkeypatch.setattr(starts, "neighbor_embedding", lambda Y, q: 5 * ROWS[:, :2] ** 3)
    monkeypatch.setattr(_ukr_scheme.student_embedding, "affordable", lambda N, q: affordable)
    run = scheme(ROWS, q=2)
    run.landmarks = np.arange(0, 1000, 2)
    run.starts = [Candidate("other"), Candidate("winner", chosen=True, family=family)]
    expected = ROWS[:, :2] ** 3 if embedded else ROWS[:, :2]
    found = run._extended(of_landmarks)
    np.testing.assert_allclose(found, 2 * scales.normalised(expected, per_axis=False), atol=1e-12)
    ((points, kernel, per_axis),) = asked
    assert len(points) == 100 and kernel is gaussian and not per_axis


def test_after_ctrl_c_the_best_start_with_coordinates_is_chosen(monkeypatch):
    run = scheme()
    run.starts = [Candidate("failed")]
    with pytest.raises(KeyboardInterrupt):
        run.best_start_so_far()
    run.starts += [Candidate("worse", X + 1, cv_error=3.0), Candidate("better", X, cv_error=2.0)]
    run.starts.append(Candidate("worst", X + 2, cv_error=4.0, chosen=True))
    assert run.best_start_so_far() is X
    assert [start.chosen for start in run.starts] == [False, False, True, False]
    monkeypatch.setattr(Scheme, "_extended", lambda self, X: ("extended", X))
    run.landmarks = np.arange(20)
    assert run.best_start_so_far() == ("extended", X)


# ------------------------------------------------------------------ steps 4 and 5


def test_without_moves_a_fit_ends_at_its_start():
    run = scheme(max_iter=0, homotopy=(0.5,), homotopy_is_forced=True)
    run.minimise(X)
    assert stages(run) == ["start"] and run.best.step.X is not X
    assert np.array_equal(run.best.step.X, X)


@pytest.mark.parametrize(("stop", "last"), [("start", "start"), ("eta", "eta=0.5")])
def test_a_fit_ends_where_it_is_stopped(stop, last):
    stop_there = lambda step: stages(run)[-1].startswith(stop)
    run = scheme(callback=stop_there, homotopy=(0.5, 0.2), homotopy_is_forced=True)
    run.minimise(X)
    assert stages(run)[-1] == last and stages(run).count(last) == 1


def test_bars_expect_one_step_more_than_moves():
    run, bars = scheme(homotopy=(0.5,), homotopy_is_forced=True), []
    run.journal.bar = lambda items, total, name: bars.append((name, total)) or items
    run.minimise(X)
    assert bars[:3] == [("start", 1), ("eta=0.5", 101), ("descent", 5)]
    assert stages(run)[-5:] == [bars[-1][0]] * 5
    run, bars = scheme(homotopy=(0.5,)), []
    run.journal.bar = lambda items, total, name: bars.append((name, total)) or items
    run.starts = [LINEAR._replace(chosen=True)]
    run.minimise(X)
    assert bars[1] == ("eta=0.5", 31)  # nobody asked for it


def test_the_best_step_after_the_homotopy_is_the_better_of_start_and_result():
    for first in (X, np.cbrt(X) * 3):
        run = scheme(homotopy=(0.5, 0.2, 0.05), homotopy_is_forced=True)
        run.enter(first)
        start = run.best.step
        unfolded, going_on = run.unfold(first)
        assert going_on and not np.array_equal(unfolded, first)
        assert run.best.step.error == min(start.error, run.objective()(unfolded)[0])


def test_the_descent_begins_again_at_the_start_if_the_homotopy_led_to_a_worse_place():
    stay = lambda objective, X: [descent.step_at(objective, X)]
    worse, middle, better = sorted(
        (X, np.cbrt(X), 3 * T[:, None]), key=lambda X: -scheme().objective()(X)[0]
    )
    for unfolded, expected in ((worse, ["descent", "descent again"]), (better, ["descent"])):
        run = scheme(descent=stay)
        run.enter(middle)
        run.descend(unfolded, run.best.step)
        assert stages(run) == ["start", *expected]
    run = scheme(descent=stay)
    run.enter(middle)
    run.descend(run.best.step.X, run.best.step)
    assert stages(run) == ["start", "descent"]


def test_frames_hold_copies_of_the_coordinates_if_these_are_recorded():
    for record in (True, False):
        run = scheme(record=record)
        run.minimise(X)
        kept = [frame.X is not None for frame in run.journal.history]
        assert kept == [record] * len(kept)


LINEAR, CURVED = Candidate("PCA", linear=True), Candidate("Isomap")


@each(
    "thresholds, forced, candidates, N, needed",
    [
        (None, False, [LINEAR._replace(chosen=True)], 50, False),
        (None, True, [LINEAR._replace(chosen=True)], 50, False),
        ((0.5,), True, [CURVED._replace(chosen=True)], 5000, True),
        ((0.5,), False, [CURVED, LINEAR._replace(chosen=True)], 50, True),
        ((0.5,), False, [LINEAR, CURVED._replace(chosen=True)], 50, False),
        ((0.5,), False, [LINEAR._replace(chosen=True)], 1000, True),
        ((0.5,), False, [LINEAR._replace(chosen=True)], 1001, False),
    ],
)
def test_up_to_1000_points_unfold_if_a_linear_start_won(thresholds, forced, candidates, N, needed):
    run = scheme(homotopy=thresholds, homotopy_is_forced=forced)
    run.space, run.starts = SimpleNamespace(rows=range(N)), candidates
    assert run._needs_homotopy() is needed
    if not needed:
        assert run.unfold(X) == (X, True)


def test_a_descent_without_guidance_is_the_one_that_was_asked_for(monkeypatch):
    assert scheme()._guided_descent() == (descent.rprop, 0)
    guided = lambda *given: ("guided", given)
    monkeypatch.setattr(_ukr_scheme, "guide_descent", guided)
    assert scheme(guidance="some")._guided_descent()[0] == "guided"
    assert scheme(np.ones((20, 2)), guidance="some")._guided_descent() == (descent.rprop, 0)
    inside, unjudged = scheme(leave_one_out=False, kernel=quartic)._guided_descent()
    assert inside.func is homotopy.descend_inside and inside.args == (descent.rprop,)
    assert inside.keywords == dict(threshold=0.1, kernel=quartic) and unjudged == 0


def test_only_plain_errors_constrain_the_density_and_only_twins_share_positions():
    assert scheme()._allowed(X) is X
    twins = np.arange(20) // 2
    assert np.array_equal(scheme(twins=twins)._allowed(X), sharing.group_means(X, twins))
    apart = 10 * X
    assert relative_density(apart).min() < 0.1
    assert relative_density(scheme(leave_one_out=False)._allowed(apart)).min() >= 0.1
