"""One projection of points onto a kernel expansion, [RPM] (30), that raises no point's cost."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

SIZES = ((9, 3, 5, 6), (8, 2, 4, 5), (11, 4, 6, 7))  # N, d, M, L: no two the same in a trial
TRIED = 400  # points from which those are taken that tell mistakes apart
CLEAR = 0.02  # of the larger cost: by how much two costs differ where one decides
LOOSE = 1e-3


def reference(Y, alpha, nodes, width, grid, before):
    return PROJECTION()(Y, alpha, nodes, width, grid, before)


def curve(alpha, nodes, width):
    """the values f(z)"""
    return lambda z: np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2)) @ alpha  # (31)


def tangent(alpha, nodes, width):
    """the slope f'(z)"""
    kernel = lambda z: np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))  # (18)
    return lambda z: (kernel(z) * (nodes - z[:, None]) / width**2) @ alpha


def grid_costs(Y, curve, grid):
    """the squared distances from the places of the grid"""
    return np.sum((Y[:, None] - curve(grid)) ** 2, axis=2)


def old_costs(Y, curve, before):
    """the squared distances at the old codes"""
    return np.sum((Y - curve(before)) ** 2, axis=1)


def best(grid_costs, old_costs, grid, before):
    """the nearest place of the grid, or the old code"""
    return np.where(old_costs < grid_costs.min(axis=1), before, grid[grid_costs.argmin(axis=1)])


def r(Y, curve, best):
    """the residuals r"""
    return Y - curve(best)


def J(tangent, best):
    """the slopes J"""
    return tangent(best)


def step(J, r):
    """the step of Gauss-Newton"""
    size = np.sum(J**2, axis=1)
    return np.sum(J * r, axis=1) / np.where(size > 0, size, 1)


def moved(best, step):
    """the codes after the step"""
    return np.clip(best + step, -1, 1)


def lower(Y, curve, moved, best):
    """the test whether the step lowers the cost"""
    return np.sum((Y - curve(moved)) ** 2, axis=1) < np.sum((Y - curve(best)) ** 2, axis=1)


def zeta(lower, moved, best):
    """the codes"""
    return np.where(lower, moved, best)


PROJECTION = pipeline(
    "Y alpha nodes width grid before",
    curve, tangent, grid_costs, old_costs, best, r, J, step, moved, lower, zeta,
)  # fmt: skip


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
    return lower(Y, curve, moved, best) & (np.abs(best + step) <= 1)


def _twice(lower, moved, best, Y, curve, tangent):
    after = np.where(lower, moved, best)
    return _again(Y, curve, tangent, after)


def _again(Y, curve, tangent, place):
    there = moved(place, step(tangent(place), Y - curve(place)))
    return np.where(lower(Y, curve, there, place), there, place)


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
    Y = curve(alpha, nodes, width)(along) + 0.4 * random.normal(size=(TRIED, d))
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
    f = curve(alpha, nodes, width)
    now, old = _costs(Y, f(zeta)), _costs(Y, f(before))
    return bool((now <= old * (1 + LOOSE) + 1e-9 * np.sum(Y**2, axis=1)).all())


EXERCISE = Exercise(
    name="project_onto_curve",
    title="Project onto a curve",
    lesson="23_principal_manifolds",
    equations="[RPM] (30)",
    minutes=25,
    shapes={"Y": "N d", "alpha": "M d", "nodes": "M", "width": "", "grid": "L", "before": "N"},
    returns={"zeta": "N"},
    trials=trials,
    reference=reference,
    stages=PROJECTION,
    properties=(
        Property(
            "outside",
            "Every code is between -1 and 1.",
            "Some codes are outside of [-1, 1], where the curve does not exist.",
            _inside,
            suspects=(
                ("moved", "Do you clip the code after the step, before you compare its cost?"),
            ),
        ),
        Property(
            "rises",
            "No point is farther from the curve than at its old code.",
            "Some points are farther from the curve than at their old code, so R_reg can rise.",
            _none_rises,
            suspects=(
                ("best", "Is the old code of each point among its candidates?"),
                ("lower", "Does a step count only where it lowers the cost of that point?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "before_ignored",
            "You never look at `before`. A point whose old code is better than all places of "
            "the grid must keep it, or R_reg can rise.",
            PROJECTION(best=_in_grid),
        ),
        Misconception(
            "grid_ignored",
            "You never look at `grid`: every point starts at its old code. Then it stays in the "
            "valley where it was, even if the curve has moved. Take the best of both.",
            PROJECTION(best=lambda before: before),
        ),
        Misconception(
            "no_step",
            "Your codes are the best of grid and old code: no step of Gauss-Newton has moved any of "
            "them. Is the step missing, does it go the wrong way, or is it clipped to another range "
            "than [-1, 1], so that it never lowers the cost?",
            PROJECTION(step=lambda best: 0 * best),
        ),
        Misconception(
            "before_compared_last",
            "You step from the best place of the grid, and compare with the old code "
            "afterwards. The old code takes part in the first choice: the step goes from the "
            "best of all.",
            PROJECTION(best=_in_grid, zeta=_compared_last),
        ),
        Misconception(
            "old_code_in_grid",
            "You find the best of L + 1 candidates and look its number up in the grid, which "
            "has only L places. Number L is the old code: append it to the places of this "
            "point.",
            PROJECTION(best=_old_code_in_grid),
        ),
        Misconception(
            "step_from_old",
            "You step from the old code, and not from the best place that you have found. Take "
            "r and J at that place, and add the step to it.",
            PROJECTION(
                r=lambda Y, curve, before: Y - curve(before),
                J=lambda tangent, before: tangent(before),
                moved=lambda before, step: np.clip(before + step, -1, 1),
            ),
        ),
        Misconception(
            "step_of_old",
            "You compute the step at the old code, and add it to the best place that you have "
            "found. Take r and J at that place.",
            PROJECTION(
                r=lambda Y, curve, before: Y - curve(before),
                J=lambda tangent, before: tangent(before),
            ),
        ),
        Misconception(
            "slope_of_old",
            "You take the slope J at the old code. The step starts at the best place that you "
            "have found: take r and J there.",
            PROJECTION(J=lambda tangent, before: tangent(before)),
        ),
        Misconception(
            "residual_of_old",
            "You take the residual r at the old code. The step starts at the best place that "
            "you have found: take r and J there.",
            PROJECTION(r=lambda Y, curve, before: Y - curve(before)),
        ),
        Misconception(
            "step_always",
            "You take the step even where it raises the cost. A Gauss-Newton step can be too "
            "long: keep the old place where |y - f|² does not fall.",
            PROJECTION(lower=lambda best: np.ones(len(best), dtype=bool)),
        ),
        Misconception(
            "all_or_none",
            "You decide once for all points whether the step counts. Each point has its own "
            "cost, and decides for itself.",
            PROJECTION(lower=_all_or_none),
        ),
        Misconception(
            "compared_with_old",
            "You compare the cost after the step with that of the old code. Compare it with the "
            "place from which the step started: the best of grid and old code.",
            PROJECTION(
                lower=lambda Y, curve, moved, old_costs: _costs(Y, curve(moved)) < old_costs
            ),
        ),
        Misconception(
            "compared_with_grid",
            "You compare the cost after the step with that of the grid. Compare it with the "
            "place from which the step started: the best of grid and old code.",
            PROJECTION(
                lower=lambda Y, curve, moved, grid_costs: (
                    _costs(Y, curve(moved)) < grid_costs.min(axis=1)
                )
            ),
        ),
        Misconception(
            "back_to_old",
            "Where the step does not lower the cost you go back to the old code. Keep the place "
            "from which the step started: the best of grid and old code.",
            PROJECTION(zeta=lambda lower, moved, before: np.where(lower, moved, before)),
        ),
        Misconception(
            "higher_kept",
            "You keep the step where it raises the cost, and drop it where it lowers it.",
            PROJECTION(zeta=lambda lower, moved, best: np.where(lower, best, moved)),
        ),
        Misconception(
            "not_clipped",
            "You do not clip the code after the step to [-1, 1]. The curve ends there.",
            PROJECTION(moved=lambda best, step: best + step),
        ),
        Misconception(
            "refused_outside",
            "You drop a step that leads out of [-1, 1]. Let it stop at the end, and compare the "
            "cost there.",
            PROJECTION(lower=_not_beyond),
        ),
        Misconception(
            "clipped_afterwards",
            "You compare costs first and clip afterwards. The cost at the clipped code is "
            "another one, and may be higher than before. Clip, then compare.",
            PROJECTION(
                moved=lambda best, step: best + step,
                zeta=lambda lower, moved, best: np.clip(np.where(lower, moved, best), -1, 1),
            ),
        ),
        Misconception(
            "clipped_to_grid",
            "You clip to the range of the grid. The curve goes on to -1 and to 1.",
            PROJECTION(moved=lambda best, step, grid: np.clip(best + step, grid.min(), grid.max())),
        ),
        Misconception(
            "clipped_between_first_and_last",
            "You clip to the first and the last place of the grid, which need not be in order. "
            "The curve goes from -1 to 1.",
            PROJECTION(moved=lambda best, step, grid: np.clip(best + step, grid[0], grid[-1])),
        ),
        Misconception(
            "clipped_to_nodes",
            "You clip to the range of the nodes. The curve goes on to -1 and to 1.",
            PROJECTION(
                moved=lambda best, step, nodes: np.clip(best + step, nodes.min(), nodes.max())
            ),
        ),
        Misconception(
            "clipped_at_zero",
            "You clip to [0, 1]. The latent box of this exercise is [-1, 1].",
            PROJECTION(moved=lambda best, step: np.clip(best + step, 0, 1)),
        ),
        Misconception(
            "wrapped",
            "A code that leaves at one end comes back at the other. That is right for closed "
            "curves only; here it stops at the end.",
            PROJECTION(moved=lambda best, step: (best + step + 1) % 2 - 1),
        ),
        Misconception(
            "backwards",
            "Your step goes the wrong way. From y - f(ζ) = r, the step is Jᵀr / JᵀJ with a "
            "plus; look at the sign of r, and at the sign of (z_j - ζ) in the slope of the "
            "kernel.",
            PROJECTION(step=lambda J, r: -step(J, r)),
        ),
        Misconception(
            "half_step",
            "Your step is half as long as that of Gauss-Newton. Slope and curvature of |y - f|² "
            "both have a factor 2, and it cancels.",
            PROJECTION(step=lambda J, r: step(J, r) / 2),
        ),
        Misconception(
            "double_step",
            "Your step is twice as long as that of Gauss-Newton. Slope and curvature of |y - "
            "f|² both have a factor 2, and it cancels.",
            PROJECTION(step=lambda J, r: 2 * step(J, r)),
        ),
        Misconception(
            "gradient_step",
            "Your step is Jᵀr, without the division by JᵀJ. Its length then depends on the "
            "units of the data.",
            PROJECTION(step=lambda J, r: np.sum(J * r, axis=1)),
        ),
        Misconception(
            "divided_by_length",
            "You divide by |J|, not by |J|². Check the units: Jᵀr has those of the data "
            "squared, over those of z.",
            PROJECTION(step=lambda J, r: np.sum(J * r, axis=1) / np.linalg.norm(J, axis=1)),
        ),
        Misconception(
            "common_denominator",
            "You divide by the sum of J² over all points. Each point has its own |J|²: sum over "
            "the columns only, axis=1.",
            PROJECTION(step=lambda J, r: np.sum(J * r, axis=1) / np.sum(J**2)),
        ),
        Misconception(
            "common_step",
            "You compute one step for all points, from sums over all of them. Each point has "
            "its own: sum over the columns only, axis=1.",
            PROJECTION(step=lambda J, r: np.full(len(J), np.sum(J * r) / np.sum(J**2))),
        ),
        Misconception(
            "quotients_summed",
            "You divide column by column, r / J, and sum. The step is one quotient of two sums, "
            "Σ J r / Σ J².",
            PROJECTION(step=lambda J, r: np.sum(r / J, axis=1)),
        ),
        Misconception(
            "slope_without_width",
            "Your slope of the kernel lacks 1/σ²: the derivative of -(z - z_j)²/2σ² is (z_j - "
            "z)/σ².",
            PROJECTION(tangent=_slope_times(lambda width: width**2)),
        ),
        Misconception(
            "slope_with_width",
            "Your slope of the kernel has 1/σ, not 1/σ²: the derivative of -(z - z_j)²/2σ² is "
            "(z_j - z)/σ².",
            PROJECTION(tangent=_slope_times(lambda width: width)),
        ),
        Misconception(
            "slope_without_kernel",
            "Your slope lacks the kernel itself: the derivative of exp(-u) is -u' exp(-u).",
            PROJECTION(
                tangent=lambda alpha, nodes, width: (
                    lambda z: (nodes - z[:, None]) / width**2 @ alpha
                )
            ),
        ),
        Misconception(
            "values_for_slopes",
            "You have f itself in place of its slope in the step. J is f'(ζ): the kernel times "
            "(z_j - ζ)/σ², times α.",
            PROJECTION(J=lambda curve, best: curve(best)),
        ),
        Misconception(
            "two_steps",
            "You take more than one step of Gauss-Newton. That is not worse, but the task is "
            "one step.",
            PROJECTION(zeta=_twice),
        ),
        Misconception(
            "codes_of_others",
            "Each point tries the old codes of all points. Its own is enough; the task compares "
            "the grid and before[n] for point n.",
            PROJECTION(best=_among_all),
        ),
        Misconception(
            "farthest",
            "You take the largest distance, not the smallest.",
            PROJECTION(best=_farthest),
        ),
        Misconception(
            "half_missing",
            "Your kernel is exp(-(z - z')²/σ²). The 1/2 in the exponent (18) is missing.",
            PROJECTION(curve=_narrow(curve), tangent=_narrow(tangent)),
        ),
        Misconception(
            "coefficients_for_values",
            "You compare the points with the coefficients α_j, as if they were on the curve. "
            "The curve is f(z) = Σ_j α_j k(z_j, z).",
            PROJECTION(zeta=_nearest_node),
        ),
        Misconception(
            "images",
            "You return f(ζ_n), the places in the data space. Wanted are the codes ζ_n.",
            PROJECTION(zeta=lambda lower, moved, best, curve: curve(np.where(lower, moved, best))),
        ),
        Misconception(
            "damped",
            "You add 1 to JᵀJ, as in the Gauss-Newton step with a second term. (30) has the "
            "distance alone: the step is Jᵀr / JᵀJ.",
            PROJECTION(step=lambda J, r: np.sum(J * r, axis=1) / (1 + np.sum(J**2, axis=1))),
        ),
    ),
    hints=(
        "Do it in two parts. First: which of L + 1 candidates is best for point n? Second: how does "
        "f change if ζ moves a little, and by how much should it move to meet y?",
        "A function f(z) serves three times: for the grid, for `before`, and after the step. Its "
        "slope is the kernel times (z_j - z)/σ², times α. The step is Jᵀr / JᵀJ with r = y - f(ζ).",
        "One way: costs of the grid as a matrix (N, L), the cost of `before` as one more column, "
        "argmin(axis=1); then np.clip(zeta + step, -1, 1), and np.where to keep the lower cost.",
    ),
)
