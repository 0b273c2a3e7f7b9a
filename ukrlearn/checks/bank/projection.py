"""The place of new data, (19), among given latent positions."""

import numpy as np

from ukrlearn.blocks import kernel_regression
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data

MARGIN = 1.01  # the best place beats the next by this factor: rounding decides nothing
OF_OTHER_SHAPE = (
    "indices",
    "images",
    "one_for_all",
    "nearest_new_point",
)  # misconceptions that return no places


def reference(Y_new, grid, X, Y, threshold):
    f = kernel_regression.predict(grid, X, Y)
    density = kernel_regression.latent_density(grid, X)
    return _nearest(Y_new, f, grid, density >= threshold)


def trials(seed):
    random = np.random.default_rng(seed)
    column = lambda *numbers: np.array(numbers, dtype=float)[:, None]
    X, grid = column(0, 1, 4), column(0, 1, 2, 3, 4)
    Y = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 4.0]])
    Y_new = np.array([[2.0, 3.0], [2.0, 1.0]])
    made = [_trial("two new points, five positions", Y_new, grid, X, Y, 0.3)]
    grid, Y_new = column(4, 1, 0, 2, 3), np.array([[2.0, 2.0], [0.0, 1.0]])
    made.append(_trial("without a threshold", Y_new, grid, X, Y, 0.0))
    for M, L, (N, d, q) in zip((6, 8, 9), (17, 23, 29), SIZES, strict=True):
        X, Y = data(random, N, d, q)
        spread = random.choice(X, L) + 1.2 * random.normal(size=(L, q))
        grid = spread.astype(np.float32).astype(float)
        for label, share in (("half of them allowed", 0.5), ("a third allowed", 0.67)):
            threshold = _between(kernel_regression.latent_density(grid, X), share)
            Y_new = _clear_cases(random, M, grid, X, Y, threshold)
            made.append(_trial(f"N = {N}, q = {q}, {label}", Y_new, grid, X, Y, threshold))
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
    answers = [
        m.mistaken(pool, grid, X, Y, threshold)
        for m in EXERCISE.misconceptions
        if m.id not in OF_OTHER_SHAPE
    ]
    answers.append(reference(pool, grid, X, Y, threshold))
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


def _lead(squares):
    """The factor by which the second place is further away than the first."""
    two = np.sqrt(np.partition(squares, 1, axis=1)[:, :2])
    return two.max(axis=1) / two.min(axis=1)


def _nearest(Y_new, f, grid, allowed, power=2):
    squares = np.sum(np.abs(Y_new[:, None] - f) ** power, axis=2)
    squares[:, ~allowed] = np.inf
    return grid[squares.argmin(axis=1)]


def _kernel(grid, X, power=0.5):
    return np.exp(-power * np.sum((grid[:, None] - X) ** 2, axis=2))


def _with(f_of=None, density_of=None, allowed_of=None, power=2):
    """The reference with one part exchanged."""

    def places(Y_new, grid, X, Y, threshold):
        K = _kernel(grid, X)
        f = K @ Y / K.sum(axis=1, keepdims=True) if f_of is None else f_of(grid, X, Y)
        density = K.mean(axis=1) if density_of is None else density_of(K)
        allowed = density >= threshold if allowed_of is None else allowed_of(density, threshold)
        if not allowed.any():
            allowed[:] = True
        return _nearest(Y_new, f, grid, allowed, power)

    return places


def _wider_kernel(Y_new, grid, X, Y, threshold):
    K = _kernel(grid, X, 1.0)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return _nearest(Y_new, f, grid, K.mean(axis=1) >= threshold)


def _nearest_data(Y_new, grid, X, Y, threshold):
    return X[np.sum((Y_new[:, None] - Y) ** 2, axis=2).argmin(axis=1)]


def _nearest_reconstruction(Y_new, grid, X, Y, threshold):
    K = _kernel(X, X)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return X[np.sum((Y_new[:, None] - f) ** 2, axis=2).argmin(axis=1)]


def _regression_backwards(Y_new, grid, X, Y, threshold):
    t = np.sum((Y_new[:, None] - Y) ** 2, axis=2)
    t -= t.min(axis=1, keepdims=True)  # far from all data the kernel would underflow
    K = np.exp(-t / 2)
    return K @ X / K.sum(axis=1, keepdims=True)


def _farthest(Y_new, grid, X, Y, threshold):
    K = _kernel(grid, X)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    squares = np.sum((Y_new[:, None] - f) ** 2, axis=2)
    squares[:, K.mean(axis=1) < threshold] = -np.inf
    return grid[squares.argmax(axis=1)]


def _forced_inside_afterwards(Y_new, grid, X, Y, threshold):
    x = _with(density_of=lambda K: np.full(len(K), np.inf))(Y_new, grid, X, Y, threshold)
    inside = grid[_kernel(grid, X).mean(axis=1) >= threshold]
    outside = _kernel(x, X).mean(axis=1) < threshold
    nearest = inside[np.sum((x[:, None] - inside) ** 2, axis=2).argmin(axis=1)]
    return np.where(outside[:, None], nearest, x)


def _point_by_index(Y_new, grid, X, Y, threshold):
    """The index among the allowed positions, used for all positions."""
    K = _kernel(grid, X)
    f, inside = K @ Y / K.sum(axis=1, keepdims=True), K.mean(axis=1) >= threshold
    return grid[np.sum((Y_new[:, None] - f[inside]) ** 2, axis=2).argmin(axis=1)]


def _costs(Y_new, grid, X, Y):
    """|y - f(x)|² of all new points and positions; f; the density at the positions."""
    K = _kernel(grid, X)
    f = K @ Y / K.sum(axis=1, keepdims=True)
    return np.sum((Y_new[:, None] - f) ** 2, axis=2), f, K.mean(axis=1)


def _forbidden_cost_nothing(Y_new, grid, X, Y, threshold):
    squares, _, density = _costs(Y_new, grid, X, Y)
    return grid[(squares * (density >= threshold)).argmin(axis=1)]


def _nan_where_forbidden(Y_new, grid, X, Y, threshold):
    squares, _, density = _costs(Y_new, grid, X, Y)
    best = squares.argmin(axis=1)
    return np.where(density[best, None] >= threshold, grid[best], np.nan)


def _differences_summed(Y_new, grid, X, Y, threshold):
    _, f, density = _costs(Y_new, grid, X, Y)
    squares = np.sum(Y_new[:, None] - f, axis=2) ** 2
    squares[:, density < threshold] = np.inf
    return grid[squares.argmin(axis=1)]


def _columns_normalised(grid, X, Y):
    K = _kernel(grid, X)
    return K / K.sum(axis=0) @ Y


def _indices(Y_new, grid, X, Y, threshold):
    squares, _, density = _costs(Y_new, grid, X, Y)
    squares[:, density < threshold] = np.inf
    return squares.argmin(axis=1)


def _images(Y_new, grid, X, Y, threshold):
    return _costs(Y_new, grid, X, Y)[1][_indices(Y_new, grid, X, Y, threshold)]


def _one_for_all(Y_new, grid, X, Y, threshold):
    squares, _, density = _costs(Y_new, grid, X, Y)
    inside = density >= threshold
    return grid[inside][squares[:, inside].argmin()]


def _nearest_new_point(Y_new, grid, X, Y, threshold):
    squares, _, density = _costs(Y_new, grid, X, Y)
    inside = density >= threshold
    return grid[inside][squares[:, inside].argmin(axis=0)]


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
            "exist, however near f(x) may be to the new point. Is your p(x) the mean of all N kernels, "
            "and how do you keep forbidden positions from being the nearest?",
            _dense_enough,
        ),
        Property(
            "nearer_exists",
            "No allowed position has an f(x) nearer to the new point.",
            "For some new points an allowed position has a nearer f(x) than the one you chose. Do "
            "you compare with all allowed positions, or stop at the first valley? Is |y - f(x)|² "
            "the sum of the squared differences? Check f, too: at x = 0 with latent points -1 and "
            "1 it is the mean of the two data points.",
            _none_nearer,
        ),
    ),
    misconceptions=(
        Misconception(
            "constraint_forgotten",
            "You take the nearest of all positions. The condition of (19) is missing: only "
            "positions with p(x) >= threshold belong to the manifold. Your places lie in gaps.",
            _with(density_of=lambda K: np.full(len(K), np.inf)),
        ),
        Misconception(
            "forced_inside_afterwards",
            "You look for the nearest of all positions, and then for an allowed one near it in "
            "latent space. Near in latent space is not near in data space: forbid first, then "
            "compare.",
            _forced_inside_afterwards,
        ),
        Misconception(
            "index_among_allowed",
            "You search the allowed positions, and then use the index you found in all of `grid`. "
            "A selection renumbers the rows: select in `grid` too.",
            _point_by_index,
        ),
        Misconception(
            "density_not_divided",
            "You compare the sum of the kernels with the threshold. The density (3) is their "
            "mean: divide by N.",
            _with(density_of=lambda K: K.sum(axis=1)),
        ),
        Misconception(
            "divided_by_positions",
            "You divide the sum of the kernels by the number of positions in `grid`. The density (3) is "
            "the mean over the N latent points: the columns of K, not its rows.",
            _with(density_of=lambda K: K.sum(axis=1) / len(K)),
        ),
        Misconception(
            "largest_kernel",
            "You compare the largest kernel of each position with the threshold: one near latent "
            "point then suffices. The density (3) is the mean over all N of them.",
            _with(density_of=lambda K: K.max(axis=1)),
        ),
        Misconception(
            "density_relative_to_peak",
            "You divide the density by its largest value on the grid. The threshold is meant relative "
            "to K(0) = 1, so p(x) itself is compared.",
            _with(density_of=lambda K: K.mean(axis=1) / K.mean(axis=1).max()),
        ),
        Misconception(
            "constraint_turned",
            "You allow positions where the density is too low, and forbid the others.",
            _with(allowed_of=lambda density, threshold: density < threshold),
        ),
        Misconception(
            "forbidden_cost_nothing",
            "You give forbidden positions the distance 0 (a product with False), so they win. "
            "They must lose: use infinity in place of 0, or leave them out.",
            _forbidden_cost_nothing,
        ),
        Misconception(
            "nan_where_forbidden",
            "Where the nearest position is forbidden you return nan. (19) always has an answer: the nearest "
            "among the allowed ones, however far away.",
            _nan_where_forbidden,
        ),
        Misconception(
            "indices",
            "You return the row numbers. The task asks for the positions: these rows of `grid`.",
            _indices,
        ),
        Misconception(
            "images",
            "You return the images f(x), which lie in data space. Return the positions x, rows of "
            "`grid`.",
            _images,
        ),
        Misconception(
            "nearest_new_point",
            "You look for the nearest new point of each position: argmin over the wrong axis. "
            "Each new point has a nearest position, so return M rows.",
            _nearest_new_point,
        ),
        Misconception(
            "one_for_all",
            "You look for the smallest number in the whole table of distances, so there is one place for "
            "all new points together. Each new point has its own: argmin with an axis.",
            _one_for_all,
        ),
        Misconception(
            "nearest_data",
            "You return the latent point of the nearest data point. Data points are noisy: f(x), "
            "a place on the curve, must be near, and x may be any position of `grid`.",
            _nearest_data,
        ),
        Misconception(
            "nearest_reconstruction",
            "You compare with f(x_n) of the training points only. That is the start of the "
            "library's descent; here all positions of `grid` compete.",
            _nearest_reconstruction,
        ),
        Misconception(
            "regression_backwards",
            "You reverse the regression: a mean of latent points, weighted by distances in data "
            "space. Between two turns of a spiral it lands in the middle. (19) looks for the x "
            "whose f(x) is nearest.",
            _regression_backwards,
        ),
        Misconception(
            "not_normalised",
            "The weights of f(x) are not divided by their sum (2), so f shrinks towards zero "
            "where there are few latent points.",
            _with(f_of=lambda grid, X, Y: _kernel(grid, X) @ Y),
        ),
        Misconception(
            "divided_by_n",
            "In f(x) you divide by N. Divide the weights of a weighted mean by their own sum (2).",
            _with(f_of=lambda grid, X, Y: _kernel(grid, X) @ Y / len(X)),
        ),
        Misconception(
            "columns_normalised",
            "You divide the weights of f(x) by sums over the positions. Each position has its own "
            "mean: sum over the latent points, axis=1, and keep a column.",
            _with(f_of=_columns_normalised),
        ),
        Misconception(
            "half_missing",
            "The factor 1/2 in the Gaussian kernel exp(-|x - x_n|²/2) is missing, in f and in p.",
            _wider_kernel,
        ),
        Misconception(
            "absolute_differences",
            "You compare by sums of absolute differences. (19) measures the squared distance, and "
            "its nearest place may be another one.",
            _with(power=1),
        ),
        Misconception(
            "differences_summed",
            "You add up the differences of the d columns, which can cancel, and square the sum. "
            "First square each, then add up.",
            _differences_summed,
        ),
        Misconception(
            "farthest",
            "You take the largest distance, not the smallest.",
            _farthest,
        ),
    ),
    hints=(
        "First forget the new points: compute f(x) and p(x) for every position of the grid. Then "
        "strike out the positions where p is too low. Each new point takes the nearest of the "
        "remaining points in data space.",
        "K holds exp(-|x_l - x_n|²/2) for position l and latent point n. Row means of K are p (3), and "
        "rows divided by their sums, times Y, are f (2). The place of y is the x_l with the least "
        "|y - f(x_l)|² among those with p(x_l) >= threshold.",
        "One way: select rows of grid and of f with the same mask, p >= threshold; make the matrix of "
        "squared distances, one row for each new point; argmin(axis=1) gives an index for each, "
        "and the selected grid at these indices is the answer.",
    ),
)
