"""The place of new data, (19), among given latent positions."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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
    """A threshold that forbids this share of the positions, far from each density."""
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


PLACES = pipeline(
    "Y_new grid X Y threshold",
    squares=lambda grid, X: np.sum((grid[:, None] - X) ** 2, axis=2),
    kernels=lambda squares: np.exp(-squares / 2),
    totals=lambda kernels: np.sum(kernels, axis=1, keepdims=True),
    f=lambda kernels, Y, totals: kernels @ Y / totals,
    p=lambda kernels: np.mean(kernels, axis=1),
    allowed=lambda p, threshold: p >= threshold,
    costs=lambda Y_new, f: np.sum((Y_new[:, None] - f) ** 2, axis=2),
    open_costs=lambda costs, allowed: np.where(allowed, costs, np.inf),
    best=lambda open_costs: np.argmin(open_costs, axis=1),
    x=lambda grid, best: grid[best],
)


def _nearest_reconstruction(Y_new, X, Y):
    K = PLACES.kernels(PLACES.squares(X, X))
    return X[PLACES.costs(Y_new, PLACES.f(K, Y, PLACES.totals(K))).argmin(axis=1)]


def _regression_backwards(Y_new, X, Y):
    t = PLACES.squares(Y_new, Y)
    t -= t.min(axis=1, keepdims=True)  # far from all data the kernel would underflow
    K = np.exp(-t / 2)
    return K @ X / K.sum(axis=1, keepdims=True)


def _moved_to_the_next(grid, costs, allowed):
    start, inside = grid[costs.argmin(axis=1)], grid[allowed]
    return inside[PLACES.squares(start, inside).argmin(axis=1)]


def _nan_where_forbidden(grid, costs, allowed):
    best = costs.argmin(axis=1)
    return np.where(allowed[best, None], grid[best], np.nan)


def _of_the_nearest_data(Y_new, Y, f):
    return PLACES.costs(Y[PLACES.squares(Y_new, Y).argmin(axis=1)], f)


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


MISTAKES = (
    PLACES.mistake("same_pairs_only", costs=lambda Y_new, f: np.sum((Y_new - f) ** 2, axis=1)),
    *PLACES.mistakes(
        "x",
        forced_inside_afterwards=_moved_to_the_next,
        nan_where_forbidden=_nan_where_forbidden,
        indices=lambda best: best,
        images=lambda f, best: f[best],
        nearest_new_point=lambda grid, costs, allowed: grid[allowed][
            costs[:, allowed].argmin(axis=0)
        ],
        one_for_all=lambda grid, costs, allowed: grid[allowed][costs[:, allowed].argmin()],
        nearest_data=lambda Y_new, X, Y: X[PLACES.squares(Y_new, Y).argmin(axis=1)],
        nearest_reconstruction=_nearest_reconstruction,
        regression_backwards=_regression_backwards,
        latent_points_for_grid=lambda X, best: X[best],
        data_for_places=lambda Y, best: Y[best],
    ),
    *PLACES.mistakes(
        "best",
        index_among_allowed=lambda costs, allowed: costs[:, allowed].argmin(axis=1),
        farthest=lambda costs, allowed: np.argmax(np.where(allowed, costs, -np.inf), axis=1),
        nearest_new_point_of_all=lambda open_costs: np.argmin(open_costs, axis=0),
        first_allowed=lambda allowed, Y_new: np.full(len(Y_new), np.argmax(allowed)),
        densest=lambda p, Y_new: np.full(len(Y_new), np.argmax(p)),
    ),
    *PLACES.mistakes(
        "p",
        divided_by_positions=lambda kernels: np.sum(kernels, axis=1) / len(kernels),
        largest_kernel=lambda kernels: np.max(kernels, axis=1),
        density_relative_to_peak=lambda kernels: PLACES.p(kernels) / np.max(PLACES.p(kernels)),
        density_without_half=lambda squares: np.mean(np.exp(-squares), axis=1),
        density_of_the_fit=lambda kernels, totals: np.mean(kernels / totals, axis=1),
    ),
    PLACES.mistake("forbidden_cost_nothing", open_costs=lambda costs, allowed: costs * allowed),
    PLACES.mistake("divided_by_n", f=lambda kernels, Y: kernels @ Y / len(Y)),
    PLACES.mistake(
        "columns_normalised", f=lambda kernels, Y: kernels / np.sum(kernels, axis=0) @ Y
    ),
    PLACES.mistake(
        "finite_penalty", open_costs=lambda costs, allowed: np.where(allowed, costs, 1e6)
    ),
    PLACES.mistake("penalty_added", open_costs=lambda costs, allowed: costs + 1e6 * ~allowed),
    PLACES.mistake("nearest_data_projected", costs=_of_the_nearest_data),
    PLACES.mistake(
        "density_of_latent_points",
        allowed=lambda X, threshold: PLACES.p(PLACES.kernels(PLACES.squares(X, X))) >= threshold,
        open_costs=lambda f, allowed: f[allowed],
    ),
    PLACES.mistake("rows_not_kept", f=lambda kernels, Y: kernels @ Y / kernels.sum(axis=1)),
)


EXERCISE = exercise(
    "projection",
    lesson="09_projection",
    equations="[UKR] (19)",
    minutes=20,
    shapes={"Y_new": "M d", "grid": "L q", "X": "N q", "Y": "N d", "threshold": ""},
    returns={"x": "M q"},
    trials=trials,
    reference=reference,
    stages=PLACES,
    properties=(
        Property("not_on_grid", holds=_on_grid),
        Property("outside_domain", holds=_dense_enough),
        Property("nearer_exists", holds=_none_nearer),
    ),
    misconceptions=MISTAKES,
)
