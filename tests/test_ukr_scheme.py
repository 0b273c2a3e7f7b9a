"""The learning scheme of UKR one step at a time: what each decides, and what it hands on."""

from types import SimpleNamespace

import numpy as np
import pytest
from helpers import each, gaussian, quartic, read_only

from ukrlearn import datasets
from ukrlearn.blocks import descent, sharing, starts
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


@pytest.mark.parametrize(("N", "rough"), [(4000, False), (4001, True)])
def test_more_than_4000_points_descend_in_single_precision(N, rough):
    run = scheme()
    run.space = SimpleNamespace(rows=range(N), error=lambda **options: options)
    assert run.objective["rough"] is rough
    assert "rough" not in run.cv_error


def test_starts_are_compared_by_the_error_that_leaves_points_out_whatever_the_objective():
    run = scheme(leave_one_out=False)
    assert run.cv_error(X)[0] == reconstruction_error(X, run.space.Y)[0]
    assert run.objective(X)[0] == reconstruction_error(X, run.space.Y, leave_one_out=False)[0]


def test_data_vary_if_any_column_does():
    line = np.arange(4.0)[:, None]
    assert scheme(line * [1, 0] + 3).data_vary
    assert scheme(line * [1, 1]).data_vary  # each row is constant
    assert not scheme(0 * line + [1, 2]).data_vary


# ------------------------------------------------------------------ starts


def test_the_users_coordinates_are_the_only_start_and_keep_their_scale():
    run, plane = scheme(q=2), np.hstack([X, X**2])
    assert run.take_start("mine", plane) is plane
    (start,) = run.starts
    error = reconstruction_error(plane, run.space.Y)[0]
    assert (start.name, start.cv_error, start.refined) == ("mine", error, error)
    assert start.X is plane and start.chosen and start.scale.tolist() == [1, 1]


@pytest.mark.parametrize(("max_iter", "lengths"), [(0, (0, 0, 0)), (1, (60, 6, 150))])
def test_without_moves_the_race_has_none_either(max_iter, lengths, monkeypatch):
    raced = []
    race = starts.race
    spy = lambda candidates, error, *given, **rest: (
        raced.append(given) or race(candidates, error, *given, **rest)
    )
    monkeypatch.setattr(starts, "race", spy)
    run = scheme(max_iter=max_iter)
    run.choose_start([Start("cubic", lambda: X), Start("linear", lambda: np.cbrt(X))])
    assert raced == [lengths]
    assert [start.name for start in run.starts] == ["cubic", "linear"]
    assert sum(start.chosen for start in run.starts) == 1


ROWS = read_only(np.random.default_rng(0).normal(size=(1000, 3)))


@each("groups", [None, np.arange(1000) // 2], ids=["alone", "groups"])
@each(
    "family, landmarks, affordable, way",
    [
        ("neighbours", 600, True, "embedded"),
        ("neighbours", 600, False, "extended"),
        ("neighbours", 1000, True, "extended"),
        ("Isomap", 600, True, "extended"),
    ],
)
def test_a_winner_on_landmarks_is_extended_or_embedded(
    family, landmarks, affordable, way, groups, monkeypatch
):
    raced = []

    def race(self, entrants, Y, groups, error, points, lengths):
        raced.append((Y, groups, points, lengths))
        self.starts = [Candidate("other"), Candidate("winner", chosen=True, family=family)]

    monkeypatch.setattr(Scheme, "_race", race)
    monkeypatch.setattr(Scheme, "_neighbor_embedding", lambda self: "embedded")
    monkeypatch.setattr(Scheme, "_extended", lambda self, X: "extended")
    monkeypatch.setattr(starts, "LANDMARKS", landmarks)
    monkeypatch.setattr(_ukr_scheme.student_embedding, "affordable", lambda N, q: affordable)
    run = scheme(ROWS, groups=groups)
    assert run.choose_start_on_landmarks(seed=3) == way
    ((some, of_some, points, lengths),) = raced
    assert len(run.landmarks) == landmarks
    assert np.array_equal(some, run.space.Y[run.landmarks])
    assert of_some is None if groups is None else np.array_equal(of_some, groups[run.landmarks])
    assert len(points) >= 250 and len(points) <= landmarks / 2  # by these the scale is chosen
    assert lengths == (20, 2, 60)


@pytest.fixture
def doubled(monkeypatch):
    """Every search for the scale of many points ends at 2; the list gets its arguments."""
    asked = []
    double = lambda X, error, first: asked.append((X, error.keywords["points"], first)) or 2.0
    monkeypatch.setattr(starts, "scale_of_many", double)
    return asked


def test_points_that_are_no_landmarks_are_projected_by_five_moves(doubled, monkeypatch):
    run = scheme(ROWS)
    run.landmarks = np.arange(0, 1000, 2)
    of_landmarks, of_others = ROWS[::2, :1], ROWS[1::2, :1]

    def project(Y, X, training, kernel, max_iter):
        assert np.array_equal(Y, run.space.Y[1::2])
        assert X is of_landmarks and np.array_equal(training, run.space.Y[::2])
        assert kernel is gaussian and max_iter == 5
        return SimpleNamespace(x=of_others)

    monkeypatch.setattr(_ukr_scheme, "project", project)
    found = run._extended(of_landmarks)
    assert np.array_equal(found, 2 * ROWS[:, :1])
    ((coordinates, points, first),) = doubled
    assert np.array_equal(coordinates, ROWS[:, :1])
    assert first == 1.0 and len(points) == 100


def test_coordinates_of_all_points_are_not_extended():
    run = scheme()
    run.landmarks = np.arange(20)
    assert run._extended(X) is X


def test_neighbors_are_embedded_at_the_likely_scale_of_fifty_points(doubled, monkeypatch):
    raw = ROWS[:, :2] * [5, 1]
    normalised = starts.normalised(raw, per_axis=False)
    judged = []
    likely = lambda X, kernel, few: judged.append((X, kernel, few)) or 7.0
    monkeypatch.setattr(starts, "neighbor_embedding", lambda Y, q: raw)
    monkeypatch.setattr(starts, "likely_scale", likely)
    assert np.array_equal(scheme(ROWS, q=2)._neighbor_embedding(), 2 * normalised)
    ((coordinates, kernel, few),) = judged
    assert np.array_equal(coordinates, normalised) and kernel is gaussian and len(few) == 50
    assert doubled[0][2] == 7.0


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


def test_the_best_step_after_the_homotopy_is_the_better_of_start_and_result():
    for first in (X, np.cbrt(X) * 3):
        run = scheme(homotopy=(0.5, 0.2, 0.05), homotopy_is_forced=True)
        run.enter(first)
        start = run.best.step
        unfolded, going_on = run.unfold(first)
        assert going_on and not np.array_equal(unfolded, first)
        assert run.best.step.error == min(start.error, run.objective(unfolded)[0])


def test_the_descent_begins_again_at_the_start_if_the_homotopy_led_to_a_worse_place():
    stay = lambda objective, X: [descent.step_at(objective, X)]
    worse, middle, better = sorted(
        (X, np.cbrt(X), 3 * T[:, None]), key=lambda X: -scheme().objective(X)[0]
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
