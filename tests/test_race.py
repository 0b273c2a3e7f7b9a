"""The race: the better half goes on, the best wins, and the table tells how."""

from functools import partial
from itertools import islice

import numpy as np
import pytest
from helpers import curve, gaussian, read_only

from ukrlearn.blocks import descent, race, starts
from ukrlearn.blocks.starts import Candidate, Start
from ukrlearn.ukr.reconstruction import reconstruction_error

T, Y = curve(N=60)
CLOUD = read_only(np.random.default_rng(0).normal(size=(50, 5)) * [3, 2, 1, 0.5, 0.2] + 4)
ISLANDS = read_only(np.vstack([CLOUD[:20], CLOUD[:20] + 1000]))


def objective_of(Y, kernel=gaussian):
    return partial(reconstruction_error, Y=Y, kernel=kernel)


def error_at(X):
    return objective_of(Y)(X)[0]


def some_starts():
    made = {
        "PCA": partial(starts.pca, Y, 1),
        "LLE(K=6)": partial(starts.lle, Y, 1, 6),
        "pieces": partial(starts.lle, ISLANDS, 1, 6),
        "Isomap(K=6)": partial(starts.isomap, Y, 1, 6),
    }
    return [Start(Candidate(name), make) for name, make in made.items()]


def test_two_jobs_give_identical_candidates_and_race():
    outcome = []
    for n_jobs in (None, 2):
        made = list(race.scaled(some_starts(), (60, 1), error_at, n_jobs=n_jobs))
        outcome.append((made, *race.race(made, objective_of(Y), n_jobs=n_jobs, steps=30)))
    (one, raced_one, X_one), (two, raced_two, X_two) = outcome
    assert np.array_equal(X_one, X_two)
    for a, b in zip([*one, *raced_one], [*two, *raced_two], strict=True):
        assert a.name == b.name and a.note == b.note and a.chosen == b.chosen
        assert np.array_equal(a.X, b.X) if a.X is not None else b.X is None
        assert a.cv_error == b.cv_error
        assert a.refined == b.refined or np.isnan([a.refined, b.refined]).all()


def test_candidates_come_one_by_one():
    candidates = race.scaled(some_starts(), (60, 1), error_at)
    assert next(candidates).name == "PCA"
    assert [candidate.name for candidate in candidates] == ["LLE(K=6)", "pieces", "Isomap(K=6)"]


def made_candidates(scales):
    X = [scale * T for scale in scales]
    made = [
        Candidate(f"at {s}", x, np.ones(1) * s, error_at(x)) for s, x in zip(scales, X, strict=True)
    ]
    return [made[0], Candidate("none", note="why"), *made[1:]]


def refined_by_hand(X, count):
    steps = islice(race.minimise(objective_of(Y), X), count)
    best = descent.last(descent.best_so_far(steps))
    return best.X, best.error


def test_the_better_half_goes_on_until_one_is_left():
    candidates = made_candidates([0.02, 0.5, 1.0, 3.0, 8.0])
    raced, X = race.race(candidates, objective_of(Y), steps=40)
    reached = {c.name: (c.X, c.cv_error) for c in candidates if c.X is not None}
    running = list(reached)
    for steps in (8, 8 + 13, 8 + 13 + 20):  # 40 for five, three and two together
        for one in running:
            X_0 = next(c.X for c in candidates if c.name == one)
            reached[one] = refined_by_hand(X_0, steps)
        running = sorted(running, key=lambda one: reached[one][1])[: (len(running) + 1) // 2]
    assert [c.name for c in raced if c.chosen] == running
    assert np.array_equal(X, reached[running[0]][0])
    for candidate, before in zip(raced, candidates, strict=True):
        if before.X is None:
            assert candidate == before
            continue
        assert candidate.refined == reached[candidate.name][1] <= candidate.cv_error
        assert candidate.X is before.X
        assert candidate.cv_error == error_at(before.X)


def test_however_many_run_each_makes_six_steps():
    steps, objective = [], objective_of(Y)
    count = lambda X: steps.append(1) or objective(X)
    race.race(made_candidates(np.geomspace(1, 9, 30)), objective, count)
    assert len(steps) == 30 * 6 + 15 * 6 + 8 * 10 + 4 * 20 + 2 * 40


def test_without_moves_or_rivals_the_race_is_the_papers_choice():
    candidates = made_candidates([0.02, 3.0, 8.0])
    winner = min((c for c in candidates if c.X is not None), key=lambda c: c.cv_error)
    for given in ((), (objective_of(Y), None, None, 0)):
        raced, X = race.race(candidates, *given)
        assert [c.name for c in raced if c.chosen] == [winner.name] and X is winner.X
        assert all(c.refined == c.cv_error for c in raced if c.X is not None)
    alone, X = race.race([candidates[0]], objective_of(Y))
    assert alone[0].chosen and X is candidates[0].X and alone[0].refined == candidates[0].cv_error


def test_the_table_has_exact_errors_of_the_starts_and_of_the_winner():
    candidates = [c._replace(cv_error=7.0) for c in made_candidates([1.0, 3.0, 8.0])]
    exact = objective_of(Y)
    raced, X = race.race(candidates, exact, objective_of(Y.astype(np.float32)))
    for candidate in raced:
        if candidate.X is not None:
            assert candidate.cv_error == exact(candidate.X)[0]
    (winner,) = (c for c in raced if c.chosen)
    assert winner.refined == exact(X)[0] == min(c.refined for c in raced if c.X is not None)


def test_a_race_of_nobody_says_why():
    nobody = [Candidate("A", note="not connected"), Candidate("B", note="too large")]
    with pytest.raises(ValueError, match="no start gave coordinates: A: not connected; B: too"):
        race.race(nobody, objective_of(Y))


def test_landmarks_are_all_points_or_some_at_random_in_order():
    assert race.landmarks(1000) is None
    expected = np.random.RandomState(0).choice(5000, 1000, replace=False)
    assert np.array_equal(race.landmarks(5000), np.sort(expected))
    assert not np.array_equal(race.landmarks(5000, seed=1), race.landmarks(5000, seed=2))
