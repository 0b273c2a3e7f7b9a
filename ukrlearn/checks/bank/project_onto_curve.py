"""One projection of points onto a kernel expansion, [RPM] (30), that raises no point's cost."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

SIZES = ((9, 3, 5, 6), (8, 2, 4, 5), (11, 4, 6, 7))  # N, d, M, L: no two the same in a trial
TRIED = 400  # points from which those are taken that tell mistakes apart
CLEAR = 0.02  # of the larger cost: by how much two costs differ where one decides
LOOSE = 1e-3


def reference(Y, alpha, nodes, width, grid, before):
    return PROJECTION()(Y, alpha, nodes, width, grid, before)


# (31)


def tangent(alpha, nodes, width):
    """the slope f'(z)"""
    kernel = lambda z: np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))  # (18)
    return lambda z: (kernel(z) * (nodes - z[:, None]) / width**2) @ alpha


def step(J, r):
    """the step of Gauss-Newton"""
    size = np.sum(J**2, axis=1)
    return np.sum(J * r, axis=1) / np.where(size > 0, size, 1)


PROJECTION = pipeline(
    "Y alpha nodes width grid before",
    curve=lambda alpha, nodes, width: (
        lambda z: np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2)) @ alpha
    ),
    tangent=tangent,
    grid_costs=lambda Y, curve, grid: np.sum((Y[:, None] - curve(grid)) ** 2, axis=2),
    old_costs=lambda Y, curve, before: np.sum((Y - curve(before)) ** 2, axis=1),
    best=lambda grid_costs, old_costs, grid, before: np.where(
        old_costs < grid_costs.min(axis=1), before, grid[grid_costs.argmin(axis=1)]
    ),
    r=lambda Y, curve, best: Y - curve(best),
    J=lambda tangent, best: tangent(best),
    step=step,
    moved=lambda best, step: np.clip(best + step, -1, 1),
    lower=lambda Y, curve, moved, best: (
        np.sum((Y - curve(moved)) ** 2, axis=1) < np.sum((Y - curve(best)) ** 2, axis=1)
    ),
    zeta=lambda lower, moved, best: np.where(lower, moved, best),
)


# Mistakes


def _costs(Y, f):
    return np.sum((Y - f) ** 2, axis=1)


def _in_grid(grid_costs, grid):
    return grid[grid_costs.argmin(axis=1)]


def _among_all(Y, curve, grid, before):
    places = np.concatenate([grid, before])
    return places[np.sum((Y[:, None] - curve(places)) ** 2, axis=2).argmin(axis=1)]


def _farthest(grid_costs, old_costs, grid, before):
    return np.where(old_costs > grid_costs.max(axis=1), before, grid[grid_costs.argmax(axis=1)])


def _old_code_in_grid(grid_costs, old_costs, grid):
    return grid[np.column_stack([grid_costs, old_costs]).argmin(axis=1)]


def _compared_last(lower, moved, best, Y, curve, before):
    after = np.where(lower, moved, best)
    return np.where(_costs(Y, curve(before)) < _costs(Y, curve(after)), before, after)


def _all_or_none(Y, curve, moved, best):
    gain = _costs(Y, curve(moved)).sum() < _costs(Y, curve(best)).sum()
    return np.full(len(Y), gain)


def _not_beyond(Y, curve, moved, best, step):
    return PROJECTION.lower(Y, curve, moved, best) & (np.abs(best + step) <= 1)


def _twice(lower, moved, best, Y, curve, tangent):
    after = np.where(lower, moved, best)
    return _again(Y, curve, tangent, after)


def _again(Y, curve, tangent, place):
    there = PROJECTION.moved(place, step(tangent(place), Y - curve(place)))
    return np.where(PROJECTION.lower(Y, curve, there, place), there, place)


def _narrow(made):
    """f or its slope with exp(-(z - z')²/σ²)."""
    return lambda alpha, nodes, width: made(alpha, nodes, width / np.sqrt(2))


def _slope_times(factor):
    def mistaken(alpha, nodes, width):
        right = tangent(alpha, nodes, width)
        return lambda z: factor(width) * right(z)

    return mistaken


def _nearest_node(Y, alpha, nodes):
    """α for the values of f at the nodes."""
    return nodes[np.sum((Y[:, None] - alpha) ** 2, axis=2).argmin(axis=1)]


def trials(seed):
    random = np.random.default_rng(seed)
    numbers = lambda *given: np.array(given, dtype=float)
    one = dict(
        Y=numbers(1.5, 1.0)[:, None], alpha=numbers(2)[:, None], nodes=numbers(0), width=1.0,
        grid=numbers(-1, -0.5, 0.9), before=numbers(0.7, 0.2),
    )  # fmt: skip
    made = [Trial("two points, one node, in one dimension", one)]
    made += [Trial("four points, two nodes", SMALL)]
    for N, d, M, L in SIZES:
        arguments = _clear_cases(random, N, d, M, L, in_order=N % 2 == 0)
        made.append(Trial(f"N = {N}, d = {d}, M = {M}, {L} places", arguments))
    at_origin = dict(arguments, Y=arguments["Y"].copy())
    at_origin["Y"][0] = 0
    made.append(Trial("with a point at the origin", at_origin))
    large = dict(arguments, Y=1e6 * arguments["Y"], alpha=1e6 * arguments["alpha"])
    made.append(Trial("data a million times larger", large))
    long_steps = _long_steps(random, 6)
    made.append(Trial("most steps too long", long_steps))
    made.append(Trial("a single point, whose step is too long", _some(long_steps, [-2])))
    made.append(Trial("a single place", dict(arguments, grid=arguments["grid"][:1])))
    made.append(Trial("points in pairs around the origin, two of them equal", _pairs(random, 3)))
    return made


def _clear_cases(random, N, d, M, L, in_order=False):
    """A wavy curve, and N points at which no choice is close and mistakes show."""
    pool = _clear_pool(random, d, M, L, in_order)
    answers = [_answer(PROJECTION(), pool)]
    for mistake in EXERCISE.misconceptions:
        if mistake.id not in OF_OTHER_KIND:
            answers.append(_answer(mistake.mistaken, pool))
    answers = np.array(answers)
    one, other = np.triu_indices(len(answers), 1)
    apart = np.abs(answers[one] - answers[other]) > 1e-3  # which pair, which point
    chosen = []
    for _ in range(N):
        gains = apart.sum(axis=0)
        gains[chosen] = -1
        chosen.append(int(gains.argmax()))
        apart = apart & ~apart[:, chosen[-1:]]
    return _some(pool, chosen)


def _clear_pool(random, d, M, L, in_order=False):
    """A wavy curve, and points at which no choice is close."""
    nodes = np.linspace(-0.9, 0.9, M) + 0.05 * random.normal(size=M)
    alpha = 1.5 * random.normal(size=(M, d)) + 0.5
    width = random.uniform(0.3, 0.45)
    grid = random.permutation(np.linspace(-0.93, 0.96, L))
    grid = np.sort(grid) if in_order else grid
    along = random.uniform(-1.15, 1.15, TRIED)
    Y = PROJECTION.curve(alpha, nodes, width)(along) + 0.4 * random.normal(size=(TRIED, d))
    near = random.random(TRIED) < 0.6
    before = np.where(near, np.clip(along + 0.1 * random.normal(size=TRIED), -1, 1), 0.0)
    before = np.where(near, before, random.uniform(-1, 1, TRIED))
    pool = dict(Y=Y, alpha=alpha, nodes=nodes, width=width, grid=grid, before=before)
    return _some(pool, _is_clear(pool))


def _some(pool, chosen):
    return dict(pool, Y=pool["Y"][chosen], before=pool["before"][chosen])


def _answer(answer, arguments):
    return answer(*arguments.values())


def _pairs(random, pairs):
    """Points that come with their mirror images; the first ones, not chosen against anything."""
    while True:
        pool = _clear_pool(random, 2, 5, 4)
        half = len(pool["Y"])
        both = dict(pool, Y=np.vstack([pool["Y"], -pool["Y"]]), before=np.tile(pool["before"], 2))
        clear = _is_clear(both)
        chosen = np.flatnonzero(clear[:half] & clear[half:])[:pairs]
        if len(chosen) == pairs:
            chosen = np.append(chosen, chosen[0])
            return _some(both, np.append(chosen, chosen + half))


def _long_steps(random, N):
    """Points for most of which the step costs more than it gains, all in all too."""
    while True:
        pool = _clear_cases(random, 60, 2, 5, 4)
        known = PROJECTION().values(*pool.values())
        f = known["curve"]
        rise = _costs(pool["Y"], f(known["moved"])) - _costs(pool["Y"], f(known["best"]))
        order = np.argsort(rise)
        chosen = np.append(order[-N + 1 :], order[:1])
        if rise[chosen].sum() > 0.1 > 0 > rise[order[0]]:
            return _some(pool, chosen)


def _is_clear(pool):
    """Where the best place leads clearly, and the step is clearly better or clearly worse."""
    known = PROJECTION().values(*pool.values())
    tried = np.column_stack([known["grid_costs"], known["old_costs"]])
    first, second = np.sort(tried, axis=1)[:, :2].T
    after = _costs(pool["Y"], known["curve"](known["moved"]))
    lead = lambda low, high: np.abs(high - low) > CLEAR * np.maximum(low, high)
    return lead(first, second) & lead(after, first) & (np.abs(known["step"]) < 3)


# Codes lie between -1 and 1, so whole numbers would leave only the ends and the middle.
SMALL = dict(
    Y=np.array([[2.0, 1.0], [1.0, -1.0], [0.0, 0.0], [3.0, 2.0]]),
    alpha=np.array([[2.0, 1.0], [-1.0, 2.0]]),
    nodes=np.array([0.0, 1.0]),
    width=0.5,
    grid=np.array([-1.0, 0.5]),
    before=np.array([0.25, -0.75, 0.0, -0.25]),
)
# those that are not judged point by point
OF_OTHER_KIND = ("images", "all_or_none", "common_denominator", "common_step", "old_code_in_grid")


def _inside(zeta, Y, alpha, nodes, width, grid, before):
    return bool((np.abs(zeta) <= 1 + 1e-6).all())


def _none_rises(zeta, Y, alpha, nodes, width, grid, before):
    f = PROJECTION.curve(alpha, nodes, width)
    now, old = _costs(Y, f(zeta)), _costs(Y, f(before))
    return bool((now <= old * (1 + LOOSE) + 1e-9 * np.sum(Y**2, axis=1)).all())


MISTAKES = (
    PROJECTION.mistake("before_ignored", best=_in_grid),
    PROJECTION.mistake("grid_ignored", best=lambda before: before),
    PROJECTION.mistake("before_compared_last", best=_in_grid, zeta=_compared_last),
    PROJECTION.mistake("old_code_in_grid", best=_old_code_in_grid),
    PROJECTION.mistake(
        "step_from_old",
        r=lambda Y, curve, before: Y - curve(before),
        J=lambda tangent, before: tangent(before),
        moved=lambda before, step: np.clip(before + step, -1, 1),
    ),
    PROJECTION.mistake("slope_of_old", J=lambda tangent, before: tangent(before)),
    PROJECTION.mistake("residual_of_old", r=lambda Y, curve, before: Y - curve(before)),
    PROJECTION.mistake("all_or_none", lower=_all_or_none),
    PROJECTION.mistake(
        "compared_with_old",
        lower=lambda Y, curve, moved, old_costs: _costs(Y, curve(moved)) < old_costs,
    ),
    PROJECTION.mistake(
        "back_to_old", zeta=lambda lower, moved, before: np.where(lower, moved, before)
    ),
    PROJECTION.mistake("higher_kept", zeta=lambda lower, moved, best: np.where(lower, best, moved)),
    PROJECTION.mistake("not_clipped", moved=lambda best, step: best + step),
    PROJECTION.mistake("refused_outside", lower=_not_beyond),
    PROJECTION.mistake(
        "clipped_to_grid",
        moved=lambda best, step, grid: np.clip(best + step, grid.min(), grid.max()),
    ),
    PROJECTION.mistake(
        "clipped_between_first_and_last",
        moved=lambda best, step, grid: np.clip(best + step, grid[0], grid[-1]),
    ),
    PROJECTION.mistake("wrapped", moved=lambda best, step: (best + step + 1) % 2 - 1),
    *PROJECTION.mistakes(
        "step",
        divided_by_length=lambda J, r: np.sum(J * r, axis=1) / np.linalg.norm(J, axis=1),
        common_denominator=lambda J, r: np.sum(J * r, axis=1) / np.sum(J**2),
        common_step=lambda J, r: np.full(len(J), np.sum(J * r) / np.sum(J**2)),
        quotients_summed=lambda J, r: np.sum(r / J, axis=1),
        damped=lambda J, r: np.sum(J * r, axis=1) / (1 + np.sum(J**2, axis=1)),
    ),
    PROJECTION.mistake("slope_without_width", tangent=_slope_times(lambda width: width**2)),
    PROJECTION.mistake("slope_with_width", tangent=_slope_times(lambda width: width)),
    PROJECTION.mistake("values_for_slopes", J=lambda curve, best: curve(best)),
    PROJECTION.mistake("two_steps", zeta=_twice),
    PROJECTION.mistake("codes_of_others", best=_among_all),
    PROJECTION.mistake("farthest", best=_farthest),
    PROJECTION.mistake("half_missing", curve=_narrow(PROJECTION.curve), tangent=_narrow(tangent)),
    PROJECTION.mistake("coefficients_for_values", zeta=_nearest_node),
    PROJECTION.mistake(
        "images", zeta=lambda lower, moved, best, curve: curve(np.where(lower, moved, best))
    ),
)


EXERCISE = exercise(
    "project_onto_curve",
    lesson="23_principal_manifolds",
    equations="[RPM] (30)",
    minutes=25,
    shapes={"Y": "N d", "alpha": "M d", "nodes": "M", "width": "", "grid": "L", "before": "N"},
    returns={"zeta": "N"},
    trials=trials,
    reference=reference,
    stages=PROJECTION,
    properties=(Property("outside", holds=_inside), Property("rises", holds=_none_rises)),
    misconceptions=MISTAKES,
)
