"""One projection of points onto a kernel expansion, [RPM] (30), that raises no point's cost."""

from functools import partial

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

SIZES = ((9, 3, 5, 6), (8, 2, 4, 5), (11, 4, 6, 7))  # N, d, M, L: no two the same in a trial
TRIED = 400  # points from which those are taken that tell mistakes apart
CLEAR = 0.02  # of the larger cost: by how much two costs differ where one decides
LOOSE = 1e-3


def reference(Y, alpha, nodes, width, grid, before):
    return _places(Y, alpha, nodes, width, grid, before)


def _values(zeta, alpha, nodes, width):
    return _kernel(zeta, nodes, width) @ alpha  # (31)


def _kernel(zeta, nodes, width):
    return np.exp(-((zeta[:, None] - nodes) ** 2) / (2 * width**2))  # (18)


def _slopes(zeta, alpha, nodes, width):
    K = _kernel(zeta, nodes, width)
    return (K * (nodes - zeta[:, None]) / width**2) @ alpha


def _costs(zeta, Y, alpha, nodes, width, values=_values):
    return np.sum((Y - values(zeta, alpha, nodes, width)) ** 2, axis=1)


def _best_of(Y, alpha, nodes, width, grid, before, values=_values, pick=np.argmin):
    """The best of the grid and the code of before."""
    f = values(grid, alpha, nodes, width)
    squares = np.sum((Y[:, None] - f) ** 2, axis=2)
    old = _costs(before, Y, alpha, nodes, width, values)
    columns = np.column_stack([squares, old])
    tried = np.column_stack([np.tile(grid, (len(Y), 1)), before])
    return tried[np.arange(len(Y)), pick(columns, axis=1)]


def _step(zeta, Y, alpha, nodes, width, values=_values, slopes=_slopes):
    J = slopes(zeta, alpha, nodes, width)
    r = Y - values(zeta, alpha, nodes, width)
    size = np.sum(J**2, axis=1)
    return np.sum(J * r, axis=1) / np.where(size > 0, size, 1)  # Gauss-Newton


def _clipped(zeta):
    return np.clip(zeta, -1, 1)


def _places(
    Y, alpha, nodes, width, grid, before,
    best=_best_of, step=_step, inside=_clipped, keep=True, values=_values,
):  # fmt: skip
    """The projection, any part of which can be exchanged."""
    zeta = best(Y, alpha, nodes, width, grid, before, values=values)
    moved = inside(zeta + step(zeta, Y, alpha, nodes, width, values=values))
    if not keep:
        return moved
    costs = partial(_costs, Y=Y, alpha=alpha, nodes=nodes, width=width, values=values)
    return np.where(costs(moved) < costs(zeta), moved, zeta)


def _with(**parts):
    return partial(_places, **parts)


def _grid_only(Y, alpha, nodes, width, grid, before, values=_values):
    f = values(grid, alpha, nodes, width)
    return grid[np.argmin(np.sum((Y[:, None] - f) ** 2, axis=2), axis=1)]


def _before_only(Y, alpha, nodes, width, grid, before, values=_values):
    return before


def _no_step(zeta, Y, alpha, nodes, width, values=_values):
    return 0 * zeta


def _backwards(*given, **named):
    return -_step(*given, **named)


def _half_step(*given, **named):
    return _step(*given, **named) / 2


def _double_step(*given, **named):
    return 2 * _step(*given, **named)


def _gradient_step(zeta, Y, alpha, nodes, width, values=_values):
    J = _slopes(zeta, alpha, nodes, width)
    return np.sum(J * (Y - values(zeta, alpha, nodes, width)), axis=1)


def _by_length(zeta, Y, alpha, nodes, width, values=_values):
    J = _slopes(zeta, alpha, nodes, width)
    pull = np.sum(J * (Y - values(zeta, alpha, nodes, width)), axis=1)
    return pull / np.sqrt(np.sum(J**2, axis=1))


def _slope_without_width(zeta, Y, alpha, nodes, width, values=_values):
    """A slope that is σ² times too small makes the step longer by 1/σ²."""
    return _step(zeta, Y, alpha, nodes, width) / width**2


def _slope_of_bumps(zeta, Y, alpha, nodes, width, values=_values):
    """f itself in place of its slope."""
    return _step(zeta, Y, alpha, nodes, width, values, _values)


def _clipped_at_zero(zeta):
    return np.clip(zeta, 0, 1)


def _wrapped(zeta):
    return zeta - 2 * np.floor((zeta + 1) / 2)


def _clipped_afterwards(Y, alpha, nodes, width, grid, before):
    return _clipped(_places(Y, alpha, nodes, width, grid, before, inside=lambda zeta: zeta))


def _clipped_to_grid(Y, alpha, nodes, width, grid, before):
    inside = lambda zeta: np.clip(zeta, grid.min(), grid.max())
    return _places(Y, alpha, nodes, width, grid, before, inside=inside)


def _step_from_grid(Y, alpha, nodes, width, grid, before):
    """The code of before enters the comparison only at the end."""
    zeta = _places(Y, alpha, nodes, width, grid, before, best=_grid_only)
    costs = partial(_costs, Y=Y, alpha=alpha, nodes=nodes, width=width)
    return np.where(costs(before) < costs(zeta), before, zeta)


def _all_or_none(Y, alpha, nodes, width, grid, before):
    zeta = _best_of(Y, alpha, nodes, width, grid, before)
    moved = _clipped(zeta + _step(zeta, Y, alpha, nodes, width))
    costs = partial(_costs, Y=Y, alpha=alpha, nodes=nodes, width=width)
    return moved if costs(moved).sum() < costs(zeta).sum() else zeta


def _codes_of_others(Y, alpha, nodes, width, grid, before):
    return _places(Y, alpha, nodes, width, np.concatenate([grid, before]), before, best=_grid_only)


def _two_steps(Y, alpha, nodes, width, grid, before):
    once = _places(Y, alpha, nodes, width, grid, before)
    return _places(Y, alpha, nodes, width, once[:1], once, best=_before_only)


def _wide(Y, alpha, nodes, width, grid, before):
    return _places(Y, alpha, nodes, width / np.sqrt(2), grid, before)


def _images(Y, alpha, nodes, width, grid, before):
    return _values(_places(Y, alpha, nodes, width, grid, before), alpha, nodes, width)


def _nearest_node(Y, alpha, nodes, width, grid, before):
    """α for the values of f at the nodes."""
    squares = np.sum((Y[:, None] - alpha) ** 2, axis=2)
    return nodes[squares.argmin(axis=1)]


def trials(seed):
    random = np.random.default_rng(seed)
    numbers = lambda *given: np.array(given, dtype=float)
    one = dict(
        Y=numbers(1.5, 1.0)[:, None], alpha=numbers(2)[:, None], nodes=numbers(0), width=1.0,
        grid=numbers(-1, -0.5, 0.9), before=numbers(0.7, 0.2),
    )  # fmt: skip
    made = [Trial("two points, one node, in one dimension", one)]
    for N, d, M, L in SIZES:
        arguments = _clear_cases(random, N, d, M, L)
        made.append(Trial(f"N = {N}, d = {d}, M = {M}, {L} places", arguments))
    at_origin = dict(arguments, Y=arguments["Y"].copy())
    at_origin["Y"][0] = 0
    made.append(Trial("with a point at the origin", at_origin))
    large = dict(arguments, Y=1e6 * arguments["Y"], alpha=1e6 * arguments["alpha"])
    made.append(Trial("data a million times larger", large))
    made.append(Trial("most steps too long", _long_steps(random, 6)))
    made.append(Trial("a single place", dict(arguments, grid=arguments["grid"][:1])))
    return made


def _clear_cases(random, N, d, M, L):
    """A wavy curve, and N points at which no choice is close and mistakes show."""
    nodes = np.linspace(-0.9, 0.9, M) + 0.05 * random.normal(size=M)
    alpha = 1.5 * random.normal(size=(M, d)) + 0.5
    width = random.uniform(0.3, 0.45)
    grid = random.permutation(np.linspace(-0.93, 0.96, L))
    curve = dict(alpha=alpha, nodes=nodes, width=width)
    along = random.uniform(-1.15, 1.15, TRIED)
    Y = _values(along, **curve) + 0.4 * random.normal(size=(TRIED, d))
    near = random.random(TRIED) < 0.6
    before = np.where(near, np.clip(along + 0.1 * random.normal(size=TRIED), -1, 1), 0.0)
    before = np.where(near, before, random.uniform(-1, 1, TRIED))
    clear = _is_clear(Y, grid, before, **curve)
    Y, before = Y[clear], before[clear]
    answers = [_places(Y, grid=grid, before=before, **curve)]
    for mistake in EXERCISE.misconceptions:
        if mistake.id not in OF_OTHER_KIND:
            answers.append(mistake.mistaken(Y, grid=grid, before=before, **curve))
    answers = np.array(answers)
    one, other = np.triu_indices(len(answers), 1)
    apart = np.abs(answers[one] - answers[other]) > 1e-3  # which pair, which point
    chosen = []
    for _ in range(N):
        gains = apart.sum(axis=0)
        gains[chosen] = -1
        chosen.append(int(gains.argmax()))
        apart = apart & ~apart[:, chosen[-1:]]
    return dict(Y=Y[chosen], **curve, grid=grid, before=before[chosen])


def _long_steps(random, N):
    """Points for most of which the step costs more than it gains, all in all too."""
    while True:
        pool = _clear_cases(random, 60, 2, 5, 4)
        curve = {name: pool[name] for name in ("alpha", "nodes", "width")}
        Y, grid, before = pool["Y"], pool["grid"], pool["before"]
        zeta = _best_of(Y, grid=grid, before=before, **curve)
        moved = _clipped(zeta + _step(zeta, Y, **curve))
        rise = _costs(moved, Y, **curve) - _costs(zeta, Y, **curve)
        order = np.argsort(rise)
        chosen = np.append(order[-N + 1 :], order[:1])
        if rise[chosen].sum() > 0.1 > 0 > rise[order[0]]:
            return dict(pool, Y=Y[chosen], before=before[chosen])


def _is_clear(Y, grid, before, alpha, nodes, width):
    """Where the best place leads clearly, and the step is clearly better or clearly worse."""
    costs = partial(_costs, Y=Y, alpha=alpha, nodes=nodes, width=width)
    tried = np.array([*(costs(np.full(len(Y), z)) for z in grid), costs(before)])
    first, second = np.sort(tried, axis=0)[:2]
    zeta = _best_of(Y, alpha, nodes, width, grid, before)
    step = _step(zeta, Y, alpha, nodes, width)
    moved = costs(_clipped(zeta + step))
    lead = lambda low, high: np.abs(high - low) > CLEAR * np.maximum(low, high)
    return lead(first, second) & lead(moved, first) & (np.abs(step) < 3)


OF_OTHER_KIND = ("images", "all_or_none")  # not judged point by point


def _inside(zeta, Y, alpha, nodes, width, grid, before):
    return bool((np.abs(zeta) <= 1 + 1e-6).all())


def _none_rises(zeta, Y, alpha, nodes, width, grid, before):
    now, old = (_costs(z, Y, alpha, nodes, width) for z in (zeta, before))
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
    properties=(
        Property(
            "outside",
            "Every code is between -1 and 1.",
            "Some codes are outside of [-1, 1], where the curve does not exist. Clip the code after "
            "the step, before you compare its cost.",
            _inside,
        ),
        Property(
            "rises",
            "No point is farther from the curve than at its old code.",
            "Some points are farther from the curve than at their old code, so R_reg can rise. The "
            "old code must be among the candidates, and a step counts only where it lowers the "
            "cost.",
            _none_rises,
        ),
    ),
    misconceptions=(
        Misconception(
            "before_ignored",
            "You never look at `before`. A point whose old code is better than all places of the "
            "grid must keep it, or R_reg can rise.",
            _with(best=_grid_only),
        ),
        Misconception(
            "grid_ignored",
            "You never look at `grid`: every point starts at its old code. Then it stays in the "
            "valley where it was, even if the curve has moved. Take the best of both.",
            _with(best=_before_only),
        ),
        Misconception(
            "no_step",
            "You take the best of grid and old code and stop there. The step of Gauss-Newton is "
            "missing.",
            _with(step=_no_step),
        ),
        Misconception(
            "before_compared_last",
            "You step from the best place of the grid, and compare with the old code afterwards. "
            "The old code takes part in the first choice: the step goes from the best of all.",
            _step_from_grid,
        ),
        Misconception(
            "step_always",
            "You take the step even where it raises the cost. A Gauss-Newton step can be too long: "
            "keep the old place where |y - f|² does not fall.",
            _with(keep=False),
        ),
        Misconception(
            "all_or_none",
            "You decide once for all points whether the step counts. Each point has its own cost, "
            "and decides for itself.",
            _all_or_none,
        ),
        Misconception(
            "not_clipped",
            "You do not clip the code to [-1, 1]. The curve ends there.",
            _with(inside=lambda zeta: zeta),
        ),
        Misconception(
            "clipped_afterwards",
            "You compare costs first and clip afterwards. The cost at the clipped code is another "
            "one, and may be higher than before. Clip, then compare.",
            _clipped_afterwards,
        ),
        Misconception(
            "clipped_to_grid",
            "You clip to the range of the grid. The curve goes on to -1 and to 1.",
            _clipped_to_grid,
        ),
        Misconception(
            "clipped_at_zero",
            "You clip to [0, 1]. The latent box of this exercise is [-1, 1].",
            _with(inside=_clipped_at_zero),
        ),
        Misconception(
            "wrapped",
            "A code that leaves at one end comes back at the other. That is right for closed "
            "curves only; here it stops at the end.",
            _with(inside=_wrapped),
        ),
        Misconception(
            "backwards",
            "Your step goes the wrong way. From y - f(ζ) = r, the step is Jᵀr / JᵀJ with a plus; "
            "look at the sign of r, and at the sign of (z_j - ζ) in the slope of the kernel.",
            _with(step=_backwards),
        ),
        Misconception(
            "half_step",
            "Your step is half as long as that of Gauss-Newton. Slope and curvature of |y - f|² "
            "both have a factor 2, and it cancels.",
            _with(step=_half_step),
        ),
        Misconception(
            "double_step",
            "Your step is twice as long as that of Gauss-Newton. Slope and curvature of |y - f|² "
            "both have a factor 2, and it cancels.",
            _with(step=_double_step),
        ),
        Misconception(
            "gradient_step",
            "Your step is Jᵀr, without the division by JᵀJ. Its length then depends on the units "
            "of the data.",
            _with(step=_gradient_step),
        ),
        Misconception(
            "divided_by_length",
            "You divide by |J|, not by |J|². Check the units: Jᵀr has those of the data squared, "
            "over those of z.",
            _with(step=_by_length),
        ),
        Misconception(
            "slope_without_width",
            "Your slope of the kernel lacks 1/σ²: the derivative of -(z - z_j)²/2σ² is "
            "(z_j - z)/σ².",
            _with(step=_slope_without_width),
        ),
        Misconception(
            "values_for_slopes",
            "You have f itself in place of its slope in the step. J is f'(ζ): the kernel times "
            "(z_j - ζ)/σ², times α.",
            _with(step=_slope_of_bumps),
        ),
        Misconception(
            "two_steps",
            "You take more than one step of Gauss-Newton. That is not worse, but the task is one "
            "step.",
            _two_steps,
        ),
        Misconception(
            "codes_of_others",
            "Each point tries the old codes of all points. Its own is enough; the task compares "
            "the grid and before[n] for point n.",
            _codes_of_others,
        ),
        Misconception(
            "farthest",
            "You take the largest distance, not the smallest.",
            _with(best=partial(_best_of, pick=np.argmax)),
        ),
        Misconception(
            "half_missing",
            "Your kernel is exp(-(z - z')²/σ²). The 1/2 in the exponent (18) is missing.",
            _wide,
        ),
        Misconception(
            "coefficients_for_values",
            "You compare the points with the coefficients α_j, as if they were on the curve. The "
            "curve is f(z) = Σ_j α_j k(z_j, z).",
            _nearest_node,
        ),
        Misconception(
            "images",
            "You return f(ζ_n), the places in the data space. Wanted are the codes ζ_n.",
            _images,
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
