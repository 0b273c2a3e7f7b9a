"""The place of new data, (19), among given latent positions."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.trials import SIZES, data, mirrored

MARGIN = 1.01  # the best place beats the next by this factor: rounding decides nothing


def reference(Y_new, grid, X, Y, threshold):
    f = kernel_regression.predict(grid, X, Y)
    density = kernel_regression.latent_density(grid, X)
    squares = np.sum((Y_new[:, None] - f) ** 2, axis=2)
    squares[:, density < threshold] = np.inf
    return grid[squares.argmin(axis=1)]


def trials(seed):
    random = np.random.default_rng(seed)
    column = lambda *numbers: np.array(numbers, dtype=float)[:, None]
    X, grid = column(0, 1, 4), column(0, 1, 2, 3, 4)
    Y = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 4.0]])
    Y_new = np.array([[2.0, 3.0], [2.0, 1.0]])
    made = [_trial("two new points, five positions", Y_new, grid, X, Y, 0.3)]
    grid, Y_new = column(4, 1, 0, 2, 9), np.array([[2.0, 2.0], [0.0, 1.0]])
    made.append(_trial("a low threshold", Y_new, grid, X, Y, 0.01))
    Y_new = np.vstack([Y_new, [2.0, 0.0]])
    made.append(_trial("data ten thousand times larger", 1e4 * Y_new, grid, X, 1e4 * Y, 0.3))
    made.append(
        _trial(
            "four new points, six positions of the plane",  # found by search: tells much apart
            Y_new=np.array([[2.0, 1.0], [5.0, 1.0], [3.0, 5.0], [0.0, 3.0]]),
            grid=np.array([[2.0, -1.0], [0, 0], [1, 1], [1, 0], [-1, 2], [-2, 2]]),
            X=np.array([[-1.0, -1.0], [0, 2], [-2, 0], [2, 1]]),
            Y=np.array([[4.0, 0.0], [2, 3], [0, 2], [1, 2]]),
            threshold=0.1,
        )
    )
    for M, L, (N, d, q) in zip((6, 8, 9), (17, 23, 29), SIZES, strict=True):
        X, Y = data(random, N, d, q)
        spread = random.choice(X, L) + 1.2 * random.normal(size=(L, q))
        grid = spread.astype(np.float32).astype(float)
        for label, share in (("half of them allowed", 0.5), ("a third allowed", 0.67)):
            threshold = _between(kernel_regression.latent_density(grid, X), share)
            Y_new = _clear_cases(random, M, grid, X, Y, threshold)
            made.append(_trial(f"N = {N}, q = {q}, {label}", Y_new, grid, X, Y, threshold))
    made.append(_centred_trial(random))
    made.append(_trial("data a million times larger", 1e6 * Y_new, grid, X, 1e6 * Y, threshold))
    moved = dict(grid=grid + 50, X=X + 50)
    made.append(_trial("latent space moved by 50", Y_new, moved["grid"], moved["X"], Y, threshold))
    return made


def _trial(label, Y_new, grid, X, Y, threshold):
    return Trial(label, dict(Y_new=Y_new, grid=grid, X=X, Y=Y, threshold=threshold))


def _between(density, share):
    """A threshold that forbids this share of the positions, as far as possible from each density."""
    density = np.sort(density)
    some = slice(int((share - 0.1) * len(density)), int((share + 0.1) * len(density)) + 2)
    low, high = density[some][:-1], density[some][1:]
    widest = np.argmax(high / low)
    return float(np.sqrt(low[widest] * high[widest]))


def _clear_cases(random, M, grid, X, Y, threshold):
    """M new points with unambiguous places that tell as many mistakes apart as possible."""
    f = kernel_regression.predict(grid, X, Y)
    allowed = kernel_regression.latent_density(grid, X) >= threshold
    pool = random.choice(f, 300) + 0.5 * random.normal(size=(300, Y.shape[1])) * Y.std(axis=0)
    squares = np.sum((pool[:, None] - f) ** 2, axis=2)
    clear = np.minimum(_lead(squares), _lead(squares[:, allowed]))
    pool = pool[clear > MARGIN] if np.sum(clear > MARGIN) > M else pool[np.argsort(clear)[-M:]]
    answers = list(_places(pool, grid, X, Y, threshold))
    one, other = np.triu_indices(len(answers), 1)
    answers = np.array(answers)
    apart = np.any(answers[one] != answers[other], axis=2)  # which pair, which new point
    chosen = []
    for _ in range(M):
        gains = apart.sum(axis=0)
        gains[chosen] = -1
        chosen.append(int(gains.argmax()))
        apart = apart & ~apart[:, chosen[-1:]]
    return pool[chosen]


def _places(*given):
    """The right places, and those of all mistakes that give places."""
    right = reference(*given)
    yield right
    for m in EXERCISE.misconceptions:
        try:
            places = m.mistaken(*given)
        except Exception:  # some mistakes stop, others return no places
            continue
        if np.shape(places) == right.shape:
            yield places


def _centred_trial(random):
    """Nothing is chosen against any mistake; there are rows of zeros, and equal rows, in all data.

    No p(x) is equal to the threshold: rounding would decide.
    """
    while True:
        X, Y, grid = mirrored(random, 4, 2), mirrored(random, 4, 3), mirrored(random, 6, 2)
        grid[-1] = grid[0]
        Y_new = np.vstack([1.5 * random.normal(size=(5, 3)), np.zeros((1, 3))])
        threshold = _between(kernel_regression.latent_density(grid, X), 0.4)
        f = kernel_regression.predict(np.unique(grid, axis=0), X, Y)
        allowed = kernel_regression.latent_density(np.unique(grid, axis=0), X) >= threshold
        squares = np.sum((Y_new[:, None] - f) ** 2, axis=2)
        if min(_lead(squares).min(), _lead(squares[:, allowed]).min()) > MARGIN:
            return _trial("centred points, some of them equal", Y_new, grid, X, Y, threshold)


def _lead(squares):
    """The factor by which the second place is further away than the first."""
    two = np.sqrt(np.partition(squares, 1, axis=1)[:, :2])
    return two.max(axis=1) / two.min(axis=1)


def squares(grid, X):
    """the squared latent distances |x - x_n|²"""
    return np.sum((grid[:, None] - X) ** 2, axis=2)


def kernels(squares):
    """the kernel values K(x - x_n)"""
    return np.exp(-squares / 2)


def totals(kernels):
    """the sums of kernel values that f divides by"""
    return np.sum(kernels, axis=1, keepdims=True)


def f(kernels, Y, totals):
    """f at the positions"""
    return kernels @ Y / totals


def p(kernels):
    """p at the positions"""
    return np.mean(kernels, axis=1)


def allowed(p, threshold):
    """the allowed positions"""
    return p >= threshold


def costs(Y_new, f):
    """the squared distances |y - f(x)|²"""
    return np.sum((Y_new[:, None] - f) ** 2, axis=2)


def open_costs(costs, allowed):
    """the squared distances of the allowed positions"""
    return np.where(allowed, costs, np.inf)


def best(open_costs):
    """the number of the nearest position"""
    return np.argmin(open_costs, axis=1)


def x(grid, best):
    """the positions that you return"""
    return grid[best]


PLACES = pipeline(
    "Y_new grid X Y threshold",
    squares,
    kernels,
    totals,
    f,
    p,
    allowed,
    costs,
    open_costs,
    best,
    x,
)


def _nearest_reconstruction(Y_new, X, Y):
    K = kernels(squares(X, X))
    return X[costs(Y_new, f(K, Y, totals(K))).argmin(axis=1)]


def _regression_backwards(Y_new, X, Y):
    t = squares(Y_new, Y)
    t -= t.min(axis=1, keepdims=True)  # far from all data the kernel would underflow
    K = np.exp(-t / 2)
    return K @ X / K.sum(axis=1, keepdims=True)


def _moved_to_the_next(grid, costs, allowed):
    start, inside = grid[costs.argmin(axis=1)], grid[allowed]
    return inside[squares(start, inside).argmin(axis=1)]


def _nan_where_forbidden(grid, costs, allowed):
    best = costs.argmin(axis=1)
    return np.where(allowed[best, None], grid[best], np.nan)


def _of_the_nearest_data(Y_new, Y, f):
    return costs(Y[squares(Y_new, Y).argmin(axis=1)], f)


def _of_grid(x, grid):
    """Which rows of x are positions of the grid."""
    apart = np.abs(x[:, None] - grid).max(axis=2).min(axis=1)
    return apart <= 1e-5 * max(1, np.abs(grid).max())


def _on_grid(x, Y_new, grid, X, Y, threshold):
    return bool(_of_grid(x, grid).all())


def _none_nearer(x, Y_new, grid, X, Y, threshold):
    best = reference(Y_new, grid, X, Y, threshold)
    far, near = (
        np.sum((Y_new - kernel_regression.predict(place, X, Y)) ** 2, axis=1) for place in (x, best)
    )
    return bool((far <= 1.001 * near).all())


def _dense_enough(x, Y_new, grid, X, Y, threshold):
    return bool((kernel_regression.latent_density(x, X) >= 0.999 * threshold).all())


EXERCISE = Exercise(
    name="projection",
    title="The place of a new point",
    lesson="09_projection",
    equations="[UKR] (19)",
    minutes=20,
    shapes={"Y_new": "M d", "grid": "L q", "X": "N q", "Y": "N d", "threshold": ""},
    returns={"x": "M q"},
    trials=trials,
    reference=reference,
    stages=PLACES,
    properties=(
        Property(
            "not_on_grid",
            "Every place is one of the positions in grid.",
            "Some of your places are not rows of `grid`. Only these positions are allowed, so "
            "pick one row of `grid` for each new point.",
            _on_grid,
        ),
        Property(
            "outside_domain",
            "At every place the latent density reaches the threshold.",
            "Some of your places lie where p(x) is below the threshold. There the manifold does not "
            "exist, however near f(x) may be to the new point.",
            _dense_enough,
            suspects=(
                ("p", "Is your p(x) the mean of all N kernels?"),
                ("open_costs", "How do you keep forbidden positions from being the nearest?"),
            ),
        ),
        Property(
            "nearer_exists",
            "No allowed position has an f(x) nearer to the new point.",
            "For some new points an allowed position has a nearer f(x) than the one you chose.",
            _none_nearer,
            suspects=(
                (
                    "f",
                    "Is f right? At x = 0 with latent points -1 and 1 it is the mean of their data.",
                ),
                ("costs", "Is |y - f(x)|² the sum of the squared differences?"),
                ("best", "Do you compare with all allowed positions?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "constraint_forgotten",
            "You take the nearest of all positions. The condition of (19) is missing: only "
            "positions with p(x) >= threshold belong to the manifold. Your places lie in gaps.",
            PLACES(allowed=lambda p: np.full(len(p), True)),
        ),
        Misconception(
            "forced_inside_afterwards",
            "You look for the nearest of all positions, and then for an allowed one near it in "
            "latent space. Near in latent space is not near in data space: forbid first, then "
            "compare.",
            PLACES(x=_moved_to_the_next),
        ),
        Misconception(
            "index_among_allowed",
            "You search the allowed positions, and then use the index you found in all of `grid`. "
            "A selection renumbers the rows: select in `grid` too.",
            PLACES(best=lambda costs, allowed: costs[:, allowed].argmin(axis=1)),
        ),
        Misconception(
            "density_not_divided",
            "You compare the sum of the kernels with the threshold. The density (3) is their "
            "mean: divide by N.",
            PLACES(p=lambda kernels: np.sum(kernels, axis=1)),
        ),
        Misconception(
            "divided_by_positions",
            "You divide the sum of the kernels by the number of positions in `grid`. The density (3) is "
            "the mean over the N latent points: the columns of K, not its rows.",
            PLACES(p=lambda kernels: np.sum(kernels, axis=1) / len(kernels)),
        ),
        Misconception(
            "largest_kernel",
            "You compare the largest kernel of each position with the threshold: one near latent "
            "point then suffices. The density (3) is the mean over all N of them.",
            PLACES(p=lambda kernels: np.max(kernels, axis=1)),
        ),
        Misconception(
            "density_relative_to_peak",
            "You divide the density by its largest value on the grid. The threshold is meant relative "
            "to K(0) = 1, so p(x) itself is compared.",
            PLACES(p=lambda kernels: p(kernels) / np.max(p(kernels))),
        ),
        Misconception(
            "constraint_turned",
            "You allow positions where the density is too low, and forbid the others.",
            PLACES(allowed=lambda p, threshold: p < threshold),
        ),
        Misconception(
            "forbidden_cost_nothing",
            "You give forbidden positions the distance 0 (a product with False), so they win. "
            "They must lose: use infinity in place of 0, or leave them out.",
            PLACES(open_costs=lambda costs, allowed: costs * allowed),
        ),
        Misconception(
            "nan_where_forbidden",
            "Where the nearest position is forbidden you return nan. (19) always has an answer: the nearest "
            "among the allowed ones, however far away.",
            PLACES(x=_nan_where_forbidden),
        ),
        Misconception(
            "indices",
            "You return the row numbers. The task asks for the positions: these rows of `grid`.",
            PLACES(x=lambda best: best),
        ),
        Misconception(
            "images",
            "You return the images f(x), which lie in data space. Return the positions x, rows of "
            "`grid`.",
            PLACES(x=lambda f, best: f[best]),
        ),
        Misconception(
            "nearest_new_point",
            "You look for the nearest new point of each position: argmin over the wrong axis. "
            "Each new point has a nearest position, so return M rows.",
            PLACES(x=lambda grid, costs, allowed: grid[allowed][costs[:, allowed].argmin(axis=0)]),
        ),
        Misconception(
            "one_for_all",
            "You look for the smallest number in the whole table of distances, so there is one place for "
            "all new points together. Each new point has its own: argmin with an axis.",
            PLACES(x=lambda grid, costs, allowed: grid[allowed][costs[:, allowed].argmin()]),
        ),
        Misconception(
            "nearest_data",
            "You return the latent point of the nearest data point. Data points are noisy: f(x), "
            "a place on the curve, must be near, and x may be any position of `grid`.",
            PLACES(x=lambda Y_new, X, Y: X[squares(Y_new, Y).argmin(axis=1)]),
        ),
        Misconception(
            "nearest_reconstruction",
            "You compare with f(x_n) of the training points only. That is the start of the "
            "library's descent; here all positions of `grid` compete.",
            PLACES(x=_nearest_reconstruction),
        ),
        Misconception(
            "regression_backwards",
            "You reverse the regression: a mean of latent points, weighted by distances in data "
            "space. Between two turns of a spiral it lands in the middle. (19) looks for the x "
            "whose f(x) is nearest.",
            PLACES(x=_regression_backwards),
        ),
        Misconception(
            "not_normalised",
            "The weights of f(x) are not divided by their sum (2), so f shrinks towards zero "
            "where there are few latent points.",
            PLACES(f=lambda kernels, Y: kernels @ Y),
        ),
        Misconception(
            "divided_by_n",
            "In f(x) you divide by N. Divide the weights of a weighted mean by their own sum (2).",
            PLACES(f=lambda kernels, Y: kernels @ Y / len(Y)),
        ),
        Misconception(
            "columns_normalised",
            "You divide the weights of f(x) by sums over the positions. Each position has its own "
            "mean: sum over the latent points, axis=1, and keep a column.",
            PLACES(f=lambda kernels, Y: kernels / np.sum(kernels, axis=0) @ Y),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the Gaussian kernel exp(-|x - x_n|²/2) is missing, in f and in p.",
            PLACES(kernels=lambda squares: np.exp(-squares)),
        ),
        Misconception(
            "absolute_differences",
            "You compare by sums of absolute differences. (19) measures the squared distance, and "
            "its nearest place may be another one.",
            PLACES(costs=lambda Y_new, f: np.sum(np.abs(Y_new[:, None] - f), axis=2)),
        ),
        Misconception(
            "differences_summed",
            "You add up the differences of the d columns, which can cancel, and square the sum. "
            "First square each, then add up.",
            PLACES(costs=lambda Y_new, f: np.sum(Y_new[:, None] - f, axis=2) ** 2),
        ),
        Misconception(
            "farthest",
            "You take the largest distance, not the smallest.",
            PLACES(
                best=lambda costs, allowed: np.argmax(np.where(allowed, costs, -np.inf), axis=1)
            ),
        ),
        Misconception(
            "forbidden_at_origin",
            "You set f to zero at forbidden positions, so they compete as if their image were "
            "the origin. Leave them out, or give them an infinite distance.",
            PLACES(
                costs=lambda Y_new, f, allowed: costs(Y_new, f * allowed[:, None]),
                open_costs=lambda costs: costs,
            ),
        ),
        Misconception(
            "finite_penalty",
            "You give forbidden positions a large number as their distance. Data in larger "
            "units have larger distances still, and then a forbidden position wins: use np.inf.",
            PLACES(open_costs=lambda costs, allowed: np.where(allowed, costs, 1e6)),
        ),
        Misconception(
            "penalty_added",
            "You add a large number to the distances of forbidden positions. Data in larger "
            "units have larger distances still, and then it no longer counts: use np.inf.",
            PLACES(open_costs=lambda costs, allowed: costs + 1e6 * ~allowed),
        ),
        Misconception(
            "first_data_coordinate",
            "You compare only the first coordinate of the data. |y - f(x)|² sums the squared "
            "differences over all d columns.",
            PLACES(costs=lambda Y_new, f: (Y_new[:, :1] - f[:, 0]) ** 2),
        ),
        Misconception(
            "nearest_data_projected",
            "You project the nearest data point in place of the new point. Compare f(x) with y "
            "itself: the data are noisy, and y is none of them.",
            PLACES(costs=_of_the_nearest_data),
        ),
        Misconception(
            "density_of_latent_points",
            "Your condition has N values, one for each latent point: you compute p at the latent "
            "points X, or take the means of K over the positions (axis=0). The condition of (19) "
            "concerns the positions: p(x) for each row of `grid`, as for f.",
            PLACES(
                allowed=lambda X, threshold: p(kernels(squares(X, X))) >= threshold,
                open_costs=lambda f, allowed: f[allowed],
            ),
        ),
        Misconception(
            "constant_of_kernel",
            "You have divided p by (2π)**(q/2), as for a normal density. Here K(0) = 1, and the"
            " threshold is meant relative to that.",
            PLACES(p=lambda kernels, X: p(kernels) / (2 * np.pi) ** (X.shape[1] / 2)),
        ),
        Misconception(
            "density_without_half",
            "The factor 1/2 in the kernel is missing in p.",
            PLACES(p=lambda squares: np.mean(np.exp(-squares), axis=1)),
        ),
        Misconception(
            "f_without_half",
            "The factor 1/2 in the kernel is missing in f.",
            PLACES(f=lambda squares, Y: f(np.exp(-squares), Y, totals(np.exp(-squares)))),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the latent distance, not its square: it is exp(-|x - x_n|²/2).",
            PLACES(squares=lambda grid, X: np.sqrt(squares(grid, X))),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant latent points weigh most.",
            PLACES(kernels=lambda squares: np.exp(squares / 2)),
        ),
        Misconception(
            "first_latent_coordinate",
            "The latent distances use only the first coordinate. All q of them count: sum their"
            " squared differences.",
            PLACES(squares=lambda grid, X: squares(grid[:, :1], X[:, :1])),
        ),
        Misconception(
            "latent_sum_squared",
            "You add up the differences of the q latent coordinates and square their sum, so "
            "that they can cancel. Square each difference, then add.",
            PLACES(squares=lambda grid, X: np.sum(grid[:, None] - X, axis=2) ** 2),
        ),
        Misconception(
            "latent_absolute",
            "You add up the absolute differences of the latent coordinates. |x - x_n|² adds up "
            "their squares.",
            PLACES(squares=lambda grid, X: np.sum(np.abs(grid[:, None] - X), axis=2)),
        ),
        Misconception(
            "rows_not_kept",
            "The sums of the kernel values lie along the rows of K Y, where the d columns are. "
            "Keep them as a column: keepdims=True, or [:, None].",
            PLACES(f=lambda kernels, Y: kernels @ Y / kernels.sum(axis=1)),
        ),
        Misconception(
            "latent_points_for_grid",
            "You look up the number of the position in X. It is a row number of `grid`.",
            PLACES(x=lambda X, best: X[best]),
        ),
        Misconception(
            "data_for_places",
            "You look up the number of the position in Y. It is a row number of `grid`, and the"
            " answer lies in latent space.",
            PLACES(x=lambda Y, best: Y[best]),
        ),
        Misconception(
            "nearest_new_point_of_all",
            "You look for the nearest new point of each position: argmin over the wrong axis. "
            "Each new point has a nearest position, so return M rows.",
            PLACES(best=lambda open_costs: np.argmin(open_costs, axis=0)),
        ),
        Misconception(
            "same_pairs_only",
            "You subtract f from the new points row by row. Every new point must be compared "
            "with every position: Y_new[:, None] - f.",
            PLACES(costs=lambda Y_new, f: np.sum((Y_new - f) ** 2, axis=1)),
        ),
        Misconception(
            "density_of_the_fit",
            "You use K divided by its row sums for p, too, so that every mean is 1/N. p is the "
            "mean of the kernel values themselves.",
            PLACES(p=lambda kernels, totals: np.mean(kernels / totals, axis=1)),
        ),
        Misconception(
            "first_allowed",
            "You return the first allowed position, whatever y is. Compare the squared "
            "distances to y.",
            PLACES(best=lambda allowed, Y_new: np.full(len(Y_new), np.argmax(allowed))),
        ),
        Misconception(
            "densest",
            "You return the position with the largest p, whatever y is. p only decides which "
            "positions are allowed; the nearest f(x) wins.",
            PLACES(best=lambda p, Y_new: np.full(len(Y_new), np.argmax(p))),
        ),
    ),
    hints=(
        "Which parts of (19) don't depend on the new point y at all, only on the position? Compute "
        "these first, for every row of `grid`. What then remains to be done for each y, and which "
        "positions take part in it?",
        "K holds exp(-|x_l - x_n|²/2) for position l and latent point n. Row means of K are p (3), and "
        "rows divided by their sums, times Y, are f (2). The place of y is the x_l with the least "
        "|y - f(x_l)|² among those with p(x_l) >= threshold.",
        "One way: select rows of grid and of f with the same mask, p >= threshold; make the matrix of "
        "squared distances, one row for each new point; argmin(axis=1) gives an index for each, "
        "and the selected grid at these indices is the answer.",
    ),
)
