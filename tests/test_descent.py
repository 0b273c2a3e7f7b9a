"""Descents on problems with known minima, each against a slow second implementation; adaptors."""

from itertools import islice, pairwise

import numpy as np
import pytest
from helpers import assert_close, each, read_only, small_problem
from scipy import optimize

from ukrlearn import explicit
from ukrlearn.blocks import descent
from ukrlearn.blocks.descent import (
    Best,
    Step,
    at_most,
    best_so_far,
    gradient_descent,
    heavy_ball,
    last,
    lbfgs,
    rprop,
    rprop_step,
    until_flat,
    watched,
)
from ukrlearn.ukr.reconstruction import reconstruction_error

CURVATURES = np.array([[1.0, 30.0], [4.0, 0.2]])
MINIMUM = np.array([[1.0, -2.0], [0.5, 3.0]])


def bowl(X):
    """An axis-parallel quadratic with a known minimum."""
    return float(np.sum(CURVATURES * (X - MINIMUM) ** 2)) / 2, CURVATURES * (X - MINIMUM)


def rosenbrock(X):
    return float(optimize.rosen(X.ravel())), optimize.rosen_der(X.ravel()).reshape(X.shape)


X_UKR, Y_UKR = small_problem(N=12, seed=5)


def ukr(X):
    return reconstruction_error(X, Y_UKR)


PROBLEMS = {
    "bowl": (bowl, read_only(np.zeros((2, 2))), 0.0),
    "rosenbrock": (rosenbrock, read_only(np.array([[-1.2], [1.0]])), 0.0),
    "ukr": (ukr, X_UKR, None),
}
every_problem = each("objective, X0, least", PROBLEMS.values(), ids=PROBLEMS.keys())
every_descent = each("minimise", descent.by_name.values(), ids=descent.by_name.keys())


def errors_of(steps):
    return np.array([step.error for step in steps])


# ------------------------------------------------------------------ what all descents promise


@every_problem
@every_descent
def test_steps_are_the_objective_at_their_x_beginning_with_the_start(
    minimise, objective, X0, least
):
    steps = list(islice(minimise(objective, X0), 12))
    assert np.array_equal(steps[0].X, X0)
    for step in steps:
        error, gradient = objective(step.X)
        assert step.error == error and np.array_equal(step.gradient, gradient)
    assert steps[-1].error < steps[0].error


@every_descent
def test_steps_keep_their_values_and_the_start_is_not_touched(minimise):
    X0 = read_only(np.zeros((2, 2)))
    kept, copies = [], []
    for step in islice(minimise(bowl, X0), 15):
        kept.append(step)
        copies.append((step.X.copy(), step.gradient.copy()))
    for step, (X, gradient) in zip(kept, copies, strict=True):
        assert np.array_equal(step.X, X) and np.array_equal(step.gradient, gradient)
    assert not np.may_share_memory(kept[0].X, X0)


@every_descent
def test_lists_and_integers_are_a_start_as_well(minimise):
    start = next(minimise(bowl, [[0, 0], [1, 1]]))
    assert start.X.dtype == float and start.error == bowl(np.array([[0, 0], [1, 1]]))[0]


@every_descent
def test_a_minimum_is_a_place_to_stay(minimise):
    steps = list(islice(minimise(bowl, MINIMUM), 4))
    assert all(np.array_equal(step.X, MINIMUM) and step.error == 0 for step in steps)


@every_descent
def test_all_find_the_bottom_of_the_bowl(minimise):
    best = last(best_so_far(at_most(minimise(bowl, np.zeros((2, 2))), 400)))
    assert_close(best.X, MINIMUM, rtol=1e-3)


@each("minimise", [gradient_descent, lbfgs])
@every_problem
def test_searches_along_a_line_never_raise_the_error(minimise, objective, X0, least):
    errors = errors_of(islice(minimise(objective, X0), 150))
    assert np.all(np.diff(errors) <= 0)
    assert errors[-1] < 0.7 * errors[0]


@pytest.mark.parametrize("minimise", [gradient_descent, lbfgs])
def test_searches_stay_inside_a_wall_of_infinite_error(minimise):
    def walled(X):
        return bowl(X) if np.all(X <= 0.4) else (np.inf, np.zeros_like(X))

    steps = list(islice(minimise(walled, np.zeros((2, 2))), 60))
    assert all(np.isfinite(step.error) and np.all(step.X <= 0.4) for step in steps)
    assert steps[-1].error < steps[0].error


# ------------------------------------------------------------------ RPROP


def rprop_by_loops(
    objective, X0, moves, backtrack, first=0.1, least=1e-9, most=10.0, allowed=lambda X: True
):
    """iRprop+ and iRprop- as published: one coordinate at a time, as an if-chain."""
    x = [float(value) for value in np.ravel(X0)]
    n = len(x)
    step, previous, move = [first] * n, [0.0] * n, [0.0] * n
    last_error = np.inf
    visited = [list(x)]
    for _ in range(moves):
        error, gradient = objective(np.reshape(x, np.shape(X0)))
        gradient = [float(value) for value in gradient.ravel()]
        for k in range(n):
            step[k] = explicit.rprop_step(step[k], gradient[k], previous[k], least=least, most=most)
            if gradient[k] * previous[k] < 0:
                move[k] = -move[k] if backtrack and error > last_error else 0.0
                previous[k] = 0.0
            else:
                move[k] = -np.sign(gradient[k]) * step[k]
                previous[k] = gradient[k]
        part = 1.0
        while part > 1e-6 and not allowed(
            np.reshape([x[k] + part * move[k] for k in range(n)], np.shape(X0))
        ):
            part /= 2
        part = part if part > 1e-6 else 0.0
        for k in range(n):
            move[k] *= part
            step[k] *= max(part, 1 / 8)
            x[k] += move[k]
        last_error = error
        visited.append(list(x))
    return np.reshape(visited, (-1, *np.shape(X0)))


@each("backtrack", [True, False], ids=["iRprop+", "iRprop-"])
@every_problem
def test_rprop_is_its_second_implementation_step_by_step(objective, X0, least, backtrack):
    expected = rprop_by_loops(objective, X0, 40, backtrack)
    steps = at_most(rprop(objective, X0, backtrack=backtrack), 40)
    assert_close([step.X for step in steps], expected, rtol=1e-9)


def test_rprop_with_all_settings_is_its_second_implementation():
    settings = dict(first_step=0.7, least_step=0.02, most_step=0.9)
    expected = rprop_by_loops(bowl, np.zeros((2, 2)), 60, True, 0.7, 0.02, 0.9)
    actual = [step.X for step in at_most(rprop(bowl, np.zeros((2, 2)), **settings), 60)]
    assert_close(actual, expected, rtol=1e-12)
    defaults = at_most(rprop(bowl, np.zeros((2, 2))), 30)
    spelt_out = rprop(
        *(bowl, np.zeros((2, 2))),
        **dict(backtrack=True, first_step=0.1, growth=1.2, shrink=0.5),
        **dict(least_step=1e-9, most_step=10.0, allowed=None),
    )
    for a, b in zip(defaults, spelt_out, strict=False):
        assert np.array_equal(a.X, b.X)


def test_step_sizes_are_those_of_the_loops_one_by_one():
    signs = [(a, b) for a in (-2.0, 0.0, 0.5) for b in (-3.0, 0.0, 1.0)]
    gradient, before = np.array(signs).T
    for size in (1e-3, 1.0, 9.0, 11.0, 1e-10):
        for settings in (dict(), dict(growth=1.5, shrink=0.3, least=1e-2, most=2.0)):
            step = rprop_step(np.full(9, size), gradient, before, **settings)
            of_loops = [explicit.rprop_step(size, *pair, **settings) for pair in signs]
            assert step.tolist() == of_loops


def slope(X):
    """A plane: the gradient never turns."""
    return float(X.sum()), np.ones_like(X)


def test_steps_of_rprop_grow_up_to_the_most_and_shrink_down_to_the_least():
    X = np.array([step.X for step in at_most(rprop(slope, np.zeros((1, 1)), growth=2.0), 12)])
    moves = -np.diff(X.ravel())
    assert_close(moves, np.minimum(0.1 * 2.0 ** np.arange(12), 10))

    kink = lambda X: (float(np.abs(X).sum()), np.sign(X))
    for given, least in (({"least_step": 1e-3}, 1e-3), ({}, 1e-9)):
        X = np.array([step.X for step in at_most(rprop(kink, [[0.03]], **given), 200)])
        moves = np.abs(np.diff(X.ravel()))
        assert moves[moves > 0].min() == pytest.approx(least, rel=1e-6)


def test_after_a_turn_at_equal_error_nothing_is_taken_back():
    square = lambda X: (float((X**2).sum()), 2 * X)
    X = [float(step.X[0, 0]) for step in at_most(rprop(square, [[0.05]]), 3)]
    assert X == [0.05, -0.05, -0.05, 0.0]


def test_only_the_sign_of_the_gradient_counts():
    scaled = lambda X: tuple(1e-200 * part for part in ukr(X))
    X0 = X_UKR
    for a, b in zip(at_most(rprop(ukr, X0), 30), at_most(rprop(scaled, X0), 30), strict=True):
        assert np.array_equal(a.X, b.X)


def in_the_box(X):
    return bool(np.all(X <= 0.4))


def test_a_move_that_would_leave_the_allowed_set_is_halved_until_it_stays():
    for objective, X0 in ((bowl, np.zeros((2, 2))), (ukr, X_UKR)):
        disc = lambda X, around=X0: bool(np.sum((X - around) ** 2) <= 0.5)
        at_its_edge = lambda X: bool(np.all(X <= 0.001))
        for allowed in (in_the_box, at_its_edge, disc) if objective is bowl else (disc,):
            expected = rprop_by_loops(objective, X0, 60, True, allowed=allowed)
            actual = [step.X for step in at_most(rprop(objective, X0, allowed=allowed), 60)]
            assert_close(actual, expected, rtol=1e-9)
            assert all(allowed(X) for X in actual)
            assert not np.array_equal(actual[0], actual[-1])


def test_the_objective_is_asked_at_allowed_places_only():
    counting, places = counted(bowl)
    steps = list(at_most(rprop(counting, np.zeros((2, 2)), allowed=in_the_box), 60))
    assert len(places) == 61 and all(in_the_box(X) for X in places)
    assert steps[-1].error < bowl(np.zeros((2, 2)))[0]


def test_where_nothing_is_allowed_rprop_stands_still_and_goes_on_when_it_is():
    open_ = []
    steps = rprop(bowl, np.zeros((2, 2)), allowed=lambda X: bool(open_))
    assert all(np.array_equal(step.X, np.zeros((2, 2))) for step in islice(steps, 30))
    open_.append(True)
    assert last(best_so_far(islice(steps, 300))).error < 1e-3


def test_steps_shrink_with_the_allowed_part_but_to_an_eighth_at_most():
    for part, shrunk in ((1 / 128, 1 / 8), (1 / 4, 1 / 4), (1, 1)):
        steps = []  # only the first move is held back
        allowed = lambda X, part=part, steps=steps: len(steps) > 1 or -X <= 0.1 * part
        for step in at_most(rprop(slope, [[0.0]], allowed=allowed), 2):
            steps.append(float(step.X[0, 0]))
        assert steps == pytest.approx([0, -0.1 * part, -0.1 * part - 0.12 * shrunk], rel=1e-12)


def test_the_allowed_part_is_a_power_of_one_half_or_nothing():
    asked = []
    allowed = lambda X: asked.append(float(X)) or X <= 1.3
    part = descent._allowed_part
    assert part(allowed, 1.0, 0.2) == 1 and asked == [1.2]
    asked.clear()
    assert part(allowed, 1.0, 2.0) == 1 / 8 and asked == [3.0, 2.0, 1.5, 1.25]
    asked.clear()
    assert part(allowed, 2.0, 1.0) == 0 and len(asked) == 20


# ------------------------------------------------------------------ gradient descent


def counted(objective):
    """The objective, and the list of where it was asked."""
    places = []

    def counting(X):
        places.append(np.array(X))
        return objective(X)

    return counting, places


def test_a_search_that_starts_too_short_doubles_while_that_is_better():
    counting, places = counted(lambda X: (float((X**2).sum()) / 2, X.copy()))
    steps = list(at_most(gradient_descent(counting, [[1.0]], first_step=0.125), 1))
    # Tried 1/8, 1/4, 1/2, 1, 2 downhill of 1; the best of them is 1, which is the bottom.
    assert np.ravel(places).tolist() == [1, 0.875, 0.75, 0.5, 0, -1]
    assert steps[1].X == 0


def test_a_search_that_starts_too_long_halves_until_it_is_better():
    counting, places = counted(lambda X: (float((X**2).sum()) / 2, X.copy()))
    steps = list(at_most(gradient_descent(counting, [[1.0]], first_step=8.0), 1))
    assert np.ravel(places).tolist() == [1, -7, -3, -1, 0]
    assert steps[1].X == 0


def test_each_search_begins_at_twice_the_last_length():
    counting, places = counted(slope)
    steps = at_most(gradient_descent(counting, [[0.0]], first_step=1.0), 2)
    plateau = lambda X: slope(X) if X[0, 0] > -6 else (0.0, np.ones_like(X))
    counting, places = counted(plateau)
    steps = list(at_most(gradient_descent(counting, [[0.0]], first_step=1.0), 2))
    # 1, 2, 4 are better and 8 is not: length 4. Then 8, 4, 2 are not better and 1 is.
    assert np.ravel(places).tolist() == [0, -1, -2, -4, -8, -12, -8, -6, -5]
    assert [float(step.X[0, 0]) for step in steps] == [0, -4, -5]


def test_no_move_is_made_for_an_error_that_is_only_as_good():
    plateau = lambda X: (1.0, np.ones_like(X))
    steps = list(at_most(gradient_descent(plateau, [[0.0]]), 1))
    assert steps[1] == steps[0]
    floor = lambda X: (float(np.maximum(X, -1).sum()), np.ones_like(X))
    counting, places = counted(floor)
    list(at_most(gradient_descent(counting, [[0.0]], first_step=1.0), 1))
    assert np.ravel(places).tolist() == [0, -1, -2]


def test_directions_have_unit_root_mean_square_unless_they_are_zero():
    for size in (1e-150, 1e-3, 1.0, 1e150):
        direction = descent._unit(size * np.array([[3.0, -4.0], [0.0, 0.0]]))
        assert_close(direction, [[1.2, -1.6], [0, 0]])
    assert not descent._unit(np.zeros((2, 2))).any()


def test_default_first_step_is_a_tenth_at_unit_root_mean_square():
    counting, places = counted(bowl)
    list(at_most(gradient_descent(counting, np.zeros((2, 2))), 1))
    assert np.sqrt(np.mean(places[1] ** 2)) == pytest.approx(0.1, rel=1e-12)
    assert_close(places[1] / places[1][0, 0], bowl(0 * MINIMUM)[1] / bowl(0 * MINIMUM)[1][0, 0])


def test_gradient_descent_stands_still_where_no_length_is_better():
    wrong = lambda X: (bowl(X)[0], -bowl(X)[1])  # uphill
    counting, places = counted(wrong)
    steps = list(at_most(gradient_descent(counting, np.zeros((2, 2)), halvings=7), 1))
    assert np.array_equal(steps[1].X, steps[0].X) and steps[1].error == steps[0].error
    assert len(places) == 1 + 1 + 7 + 1  # the last one looks again: a guided gradient changes
    assert np.array_equal(places[-1], places[0])
    counting, places = counted(wrong)
    list(at_most(gradient_descent(counting, np.zeros((2, 2))), 1))
    assert len(places) == 1 + 1 + 40 + 1


def test_after_standing_still_the_search_begins_at_the_length_that_was_accepted_last():
    gradients = iter([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    moody = lambda X: (float(-X[0, 0]), np.full((1, 1), next(gradients, -1.0)))
    counting, places = counted(lambda X: moody(X) if X[0, 0] < 2 else (9.0, np.ones((1, 1))))
    steps = list(at_most(gradient_descent(counting, [[0.0]], first_step=1.0, halvings=3), 2))
    assert np.ravel(places).tolist()[:3] == [0, 1, 2]
    assert steps[1].X[0, 0] == 1.0 and steps[2].X[0, 0] == 1.5
    assert [float(x) for x in np.ravel(places)[3:]] == [3, 2, 1.5]


# ------------------------------------------------------------------ L-BFGS


def test_lbfgs_finds_the_bottom_of_rosenbrocks_valley():
    for n in (2, 6):
        X0 = np.tile([-1.2, 1.0], n // 2)[:, None]
        best = last(at_most(lbfgs(rosenbrock, X0), 80))
        assert_close(best.X, np.ones((n, 1)), rtol=1e-8)


def test_lbfgs_ends_where_scipys_does():
    X0 = X_UKR
    own = last(at_most(lbfgs(ukr, X0), 400))
    flat = lambda x: tuple(np.ravel(part) for part in ukr(x.reshape(X0.shape)))
    found = optimize.minimize(
        lambda x: flat(x)[0][0], own.X.ravel(), jac=lambda x: flat(x)[1], method="BFGS"
    )
    assert np.abs(own.gradient).max() < 1e-5
    assert own.error == pytest.approx(found.fun, rel=1e-8)


def test_the_two_loop_recursion_is_the_dense_update_of_the_inverse_hessian():
    random = np.random.default_rng(0)
    A = random.normal(size=(6, 6))
    A = A @ A.T + np.eye(6)
    moves = [(s, A @ s) for s in random.normal(size=(4, 6))]
    s, y = moves[-1]
    H = np.eye(6) * (s @ y) / (y @ y)
    for s, y in moves:
        rho, V = 1 / (s @ y), np.eye(6) - np.outer(y, s) / (s @ y)
        H = V.T @ H @ V + rho * np.outer(s, s)
    g = read_only(random.normal(size=6))
    assert_close(descent._inverse_hessian_times(g, moves), H @ g)
    assert_close(descent._inverse_hessian_times(moves[-1][1], moves), moves[-1][0])  # secant
    assert np.array_equal(descent._inverse_hessian_times(g, []), g)


def test_the_first_move_of_lbfgs_is_a_step_of_known_length_downhill():
    X0 = np.zeros((2, 2))
    _, gradient = bowl(X0)
    for given, length in (({}, 0.1), ({"first_step": 0.01}, 0.01)):
        counting, places = counted(bowl)
        list(at_most(lbfgs(counting, X0, **given), 1))
        assert_close(places[1], -length * gradient / np.sqrt(np.mean(gradient**2)))


def test_lbfgs_halves_until_armijo_is_content():
    # From 1 with f = x²/2: a step s is taken when f(1 - s) <= f(1) - 1e-4 s.
    half = lambda X: (float((X**2).sum()) / 2, X.copy())
    counting, places = counted(half)
    list(at_most(lbfgs(counting, [[1.0]], first_step=8.0), 1))
    assert np.ravel(places).tolist() == [1, -7, -3, -1, 0]
    assert half(np.array([[-1.0]]))[0] == half(np.array([[1.0]]))[0]  # no worse, not enough


def scripted(errors, gradients):
    """An objective that gives one answer after the other, wherever it is asked."""
    answers = zip(errors, gradients, strict=True)
    return lambda X: (lambda error, gradient: (error, np.array([gradient])))(*next(answers))


def remembered(monkeypatch, instead=None):
    """The number of moves that L-BFGS remembers at each of its steps."""
    lengths = []
    recursion = instead or descent._inverse_hessian_times
    spy = lambda gradient, moves: lengths.append(len(moves)) or recursion(gradient, moves)
    monkeypatch.setattr(descent, "_inverse_hessian_times", spy)
    return lengths


def test_armijo_demands_a_ten_thousandth_of_the_slope():
    # Slope 1, trials at lengths 1, 1/2, 1/4: at least 1, 1/2, 1/4 times 1e-4 must be gained.
    gained = [0, 0.9e-4, 0.4e-4, 0.26e-4]
    objective = scripted([-gain for gain in gained], [[1.0]] * 4)
    steps = list(at_most(lbfgs(objective, [[0.0]], first_step=1.0), 1))
    assert steps[1].error == -0.26e-4 and steps[1].X == -0.25


def test_at_a_minimum_lbfgs_asks_once_a_step():
    counting, places = counted(bowl)
    list(at_most(lbfgs(counting, MINIMUM), 4))
    assert len(places) == 5


@pytest.mark.parametrize("ratio, kept", [(0.75e-12, 0), (1.5e-12, 1)])
def test_moves_are_kept_if_they_and_their_curvature_make_an_angle(ratio, kept, monkeypatch):
    lengths = remembered(monkeypatch)
    objective = scripted([0.0, -1.0, -1e20], [[1.0, 0.0], [1 - ratio, 1.0], [1.0, 1.0]])
    list(at_most(lbfgs(objective, [[0.0, 0.0]]), 2))
    assert lengths == [0, kept]


def test_a_move_of_negative_curvature_is_not_kept_and_the_others_are(monkeypatch):
    lengths = remembered(monkeypatch)
    objective = scripted([0.0, -1.0, -2.0, -3.0], [[1.0], [0.5], [0.6], [0.6]])
    list(at_most(lbfgs(objective, [[0.0]]), 3))
    assert lengths == [0, 1, 1]


@pytest.mark.parametrize("size", [1.0, 1e-6])
def test_where_the_recursion_points_uphill_lbfgs_forgets_and_goes_downhill(size, monkeypatch):
    lengths = remembered(monkeypatch, lambda gradient, moves: -gradient if moves else gradient)
    small = lambda X: tuple(size * part for part in bowl(X))
    steps = list(at_most(lbfgs(small, np.zeros((2, 2)), first_step=0.01), 6))
    for before, after in pairwise(steps):
        expected = -0.01 * descent._unit(before.gradient)
        assert_close(after.X - before.X, expected, rtol=1e-9)
    assert lengths == [0, 1, 1, 1, 1, 1]  # forgotten, and one new move made


def test_where_the_recursion_points_along_the_valley_lbfgs_goes_downhill(monkeypatch):
    across = lambda gradient, moves: gradient[:, ::-1] * [1, -1] if moves else gradient
    remembered(monkeypatch, across)
    steps = list(at_most(lbfgs(lambda X: (float(np.sum(X**2)), 2 * X), [[3.0, 4.0]]), 2))
    assert_close(steps[2].X - steps[1].X, -0.1 * descent._unit(steps[1].gradient), rtol=1e-9)


def test_lbfgs_forgets_and_goes_downhill_when_a_search_fails(monkeypatch):
    lengths = remembered(monkeypatch)
    asked = []

    def sticky(X):
        """After some evaluations everything but the present place looks worse, for a while."""
        asked.append(X)
        error, gradient = bowl(X)
        return (error + 1e3, gradient) if 12 < len(asked) <= 20 else (error, gradient)

    steps = list(at_most(lbfgs(sticky, np.zeros((2, 2)), halvings=4), 40))
    errors = errors_of(steps)
    failed = np.flatnonzero(np.diff(errors[:15]) == 0)
    assert len(failed) > 0 and lengths[failed[0]] > 0
    assert all(lengths[step + 1] == 0 for step in failed)
    assert np.all(np.diff(errors) <= 0) and errors[-1] < 1e-8


def test_lbfgs_tries_no_more_halvings_than_told():
    wrong = lambda X: (bowl(X)[0], -bowl(X)[1])
    for given, halvings in (({}, 30), ({"halvings": 5}, 5)):
        counting, places = counted(wrong)
        steps = list(at_most(lbfgs(counting, np.zeros((2, 2)), **given), 1))
        assert steps[1] is steps[0]
        assert len(places) == 1 + halvings


def test_lbfgs_remembers_no_more_moves_than_told(monkeypatch):
    lengths = remembered(monkeypatch)
    rates = np.geomspace(0.01, 100, 30)[:, None]
    uneven = lambda X: (float((rates * X**2).sum() + (X**4).sum()), 2 * rates * X + 4 * X**3)
    X0 = np.ones((30, 1))
    list(at_most(lbfgs(uneven, X0, memory=3), 8))
    assert lengths == [0, 1, 2, 3, 3, 3, 3, 3]
    lengths.clear()
    list(at_most(lbfgs(uneven, X0), 14))
    assert lengths == [*range(10), 10, 10, 10, 10]


# ------------------------------------------------------------------ adaptors


def steps_with(errors):
    return [Step(np.full((1, 1), k), error, np.zeros((1, 1))) for k, error in enumerate(errors)]


def test_at_most_gives_the_start_and_that_many_moves():
    assert len(list(at_most(rprop(bowl, np.zeros((2, 2))), 7))) == 8
    assert len(list(at_most(rprop(bowl, np.zeros((2, 2))), 0))) == 1
    assert len(list(at_most(steps_with([3, 2]), 7))) == 2


def test_until_flat_stops_when_the_best_has_not_fallen_for_patience_moves():
    errors = [8, 4, 2, 1, 5, 1, 3, 1, 1, 1, 1]
    assert len(list(until_flat(steps_with(errors), tol=1e-3, patience=3))) == 7
    assert len(list(until_flat(steps_with(errors), tol=1e-3, patience=1))) == 5
    assert len(list(until_flat(steps_with(errors), tol=1e-3, patience=20))) == 11
    falling = 0.9 ** np.arange(30)
    assert len(list(until_flat(steps_with(falling), tol=1e-3, patience=5))) == 30
    assert len(list(until_flat(steps_with(falling), tol=0.5, patience=5))) == 30  # falls by .69
    assert len(list(until_flat(steps_with(falling), tol=0.7, patience=5))) == 6


def test_until_flat_is_relative_and_stops_at_equality():
    for scale in (1.0, 2.0**-40, 2.0**40):
        errors = scale * np.array([2.0, 1.5, 1.25, 1.0, 1.0, 1.0])
        for tol, length in ((0.3, 3), (0.2, 3), (0.19, 5), (0.34, 2)):  # .25 = .2 * 1.25
            assert len(list(until_flat(steps_with(errors), tol=tol, patience=1))) == length
    assert len(list(until_flat(steps_with([0.0] * 9), tol=1e-6, patience=2))) == 3
    assert len(list(until_flat(steps_with([-1.0, -1.1, -1.1]), tol=0.2, patience=1))) == 2


def test_until_flat_with_tol_zero_never_stops():
    assert len(list(until_flat(steps_with([1.0] * 100), tol=0))) == 100
    assert len(list(until_flat(steps_with([1.0] * 100), tol=1e-300))) == 21


def test_until_flat_by_default_waits_twenty_moves_for_a_millionth():
    assert len(list(until_flat(steps_with([1.0] * 100)))) == 21
    assert len(list(until_flat(steps_with(1 - 0.9e-6 * np.arange(100) / 20)))) == 21
    assert len(list(until_flat(steps_with(1 - 1.1e-6 * np.arange(100) / 20)))) == 100


def test_best_so_far_never_rises_and_keeps_the_first_of_equals():
    steps = steps_with([3, 5, 2, 2, 4, 1, 9])
    assert [int(step.X[0, 0]) for step in best_so_far(steps)] == [0, 0, 2, 2, 2, 5, 5]


def test_best_lets_steps_pass_and_remembers():
    best = Best()
    assert best.step is None
    steps = steps_with([3, 5, 2, 2])
    assert list(best.of(steps)) == steps
    assert best.step == steps[2] and best.step != steps[3]
    steps[2].X[:] = 7  # as a descent does that changes its X in place
    assert best.step.X == 2
    list(best.of(steps_with([7, 1])))
    assert best.step.error == 1
    known = Best(steps[2])
    list(known.of(steps_with([2.5])))
    assert known.step is steps[2]


def test_watched_calls_and_stops_at_true_only():
    seen = []
    steps = steps_with([4, 3, 2, 1])
    assert list(watched(steps, seen.append)) == steps == seen
    stop = lambda step: step.error == 3
    assert list(watched(steps, stop)) == steps[:2]
    assert list(watched(steps, lambda step: "truthy")) == steps


def test_last_is_the_last_and_demands_one():
    steps = steps_with([4, 3])
    assert last(iter(steps)) is steps[1]
    with pytest.raises(ValueError):
        last([])


def test_adaptors_compose_and_take_no_step_too_many():
    counting, places = counted(bowl)
    steps = until_flat(at_most(rprop(counting, np.zeros((2, 2))), 9))
    errors = errors_of(best_so_far(steps))
    assert len(errors) == len(places) == 10
    assert all(later <= earlier for earlier, later in pairwise(errors))


# ------------------------------------------------------------------ heavy ball


def test_a_heavy_ball_goes_on_as_it_went_and_gains_speed_downhill():
    # The error is x²/2, with rate .1 and momentum .5. Gain 1.2: x = 1 - .12 = .88. The gradient
    # still points against the move, so the gain is 1.4, and the move .5 (-.12) - .14 (.88).
    half_square = lambda X: (float(np.sum(X**2)) / 2, X)
    steps = list(at_most(heavy_ball(half_square, np.ones((1, 1)), rate=0.1, momentum=0.5), 2))
    assert [float(step.X[0, 0]) for step in steps] == pytest.approx([1, 0.88, 0.88 - 0.06 - 0.1232])
    assert steps[1].error == pytest.approx(0.88**2 / 2)


def test_a_heavy_ball_slows_down_after_the_minimum_and_comes_to_rest():
    path = [step.X for step in at_most(heavy_ball(bowl, np.zeros((2, 2)), rate=0.02), 400)]
    assert np.abs(path[-1] - MINIMUM).max() < 1e-3
    # One coordinate, past its minimum: the first gain is 1.2, then .96, and not below .5.
    flat = lambda X: (0.0, np.sign(X))
    moves = np.diff(
        [
            float(s.X[0, 0])
            for s in at_most(
                heavy_ball(flat, np.full((1, 1), 0.5), rate=1.0, momentum=0.0, least_gain=0.9), 4
            )
        ]
    )
    assert moves == pytest.approx([-1.2, 0.96, -0.9, 0.9])


def test_rprop_brings_back_what_has_left_the_reach_of_all_forces():
    inside = lambda X: np.maximum(1 - X**2, 0)  # a well, and a plain around it
    well = lambda X: (-float(np.sum(inside(X) ** 2)), 4 * X * inside(X))
    X0 = np.array([[-0.5], [0.3], [1e-9]])
    steps = list(descent.at_most(descent.rprop(well, X0, first_step=3.0), 60))
    assert np.abs(steps[1].X).min() > 1 and not steps[1].gradient.any()
    assert np.abs(steps[-1].X).max() < 1e-3
