"""Huber's cost, the weights of the squares that touch it, and the centre that they give."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.rpm import costs

LOOSE = 2e-3  # of the largest value: single precision is no mistake
SIZES = ((7, 3), (5, 2), (11, 4))  # N, d


def reference(Y, f, sigma):
    cost = costs.huber(sigma)
    w = cost.weights(Y - f)
    return cost(Y - f), w[:, 0], (w * Y).sum(axis=0) / w.sum()


def trials(seed):
    random = np.random.default_rng(seed)
    four = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 2.0], [-6.0, 8.0]])
    made = [Trial("four points", dict(Y=four, f=np.array([0.0, 0.0]), sigma=2.0))]
    near = np.array([[3.0, 0.0], [0.0, 0.0], [6.0, 8.0], [0.0, -3.0], [1.0, 0.0]])
    made.append(Trial("five points", dict(Y=near, f=np.array([0.0, 0.0]), sigma=4.0)))
    for N, d in SIZES:
        Y = random.gamma(1.2, size=(N, d)) * (1 + np.arange(d)) - 0.4
        f = Y.mean(axis=0) + 0.3 * random.normal(size=d)
        sigma = np.median(np.linalg.norm(Y - f, axis=1)) * random.uniform(0.7, 0.95)
        made.append(Trial(f"N = {N}, d = {d}", dict(Y=Y, f=f, sigma=sigma)))
    made.append(Trial("all points near", dict(Y=Y, f=f, sigma=1000 * sigma)))
    least = np.linalg.norm(Y - f, axis=1).min()
    made.append(Trial("all points far but one", dict(Y=Y, f=f, sigma=1.01 * least)))
    on_it = np.vstack([Y, f])
    made.append(Trial("a point at the centre", dict(Y=on_it, f=f, sigma=sigma)))
    made.append(Trial("an outlier", dict(Y=np.vstack([Y, f + 500]), f=f, sigma=sigma)))
    centred = np.vstack([Y - Y.mean(axis=0), np.zeros((2, d)), Y[:1] - Y.mean(axis=0)])
    origin = dict(Y=centred, f=np.zeros(d), sigma=sigma)
    made.append(Trial("around the origin, with equal rows and zeros", origin))
    made.append(Trial("a thousand times larger", dict(Y=1e3 * Y, f=1e3 * f, sigma=1e3 * sigma)))
    return made


def differences(Y, f):
    """the differences y_n - f"""
    return Y - f


def s(differences):
    """the distances s_n"""
    return np.linalg.norm(differences, axis=1)


def near(s, sigma):
    """the choice of near points, s_n ≤ σ"""
    return s <= sigma


def square(s, sigma):
    """the square s²/(2σ)"""
    return s**2 / (2 * sigma)


def straight(s, sigma):
    """the straight piece s - σ/2"""
    return s - sigma / 2


def cost(near, square, straight):
    """the cost c(s_n)"""
    return np.where(near, square, straight)


def inner(sigma):
    """the weight of near points, 1/(2σ)"""
    return 1 / (2 * sigma)


def outer(s):
    """the weights of far points, 1/(2s)"""
    return 1 / (2 * s)


def w(near, inner, outer):
    """the weights w_n"""
    return np.where(near, inner, outer)


def weighted(w, Y):
    """the weighted sum of the points"""
    return w @ Y


def total(w):
    """the sum of the weights"""
    return w.sum()


def centre(weighted, total):
    """the new centre"""
    return weighted / total


HUBER = pipeline(
    "Y f sigma",
    *(differences, s, near, square, straight, cost, inner, outer, w, weighted, total, centre),
    returns="cost w centre",
)


# Mistakes in a stage


def _slope(s, sigma):
    return np.minimum(s / sigma, 1)


def _by_robust_scale(differences):
    """As in R's rlm: in units of the median, which makes it a standard deviation for a Gaussian."""
    sizes = s(differences)
    return sizes / (1.4826 * np.median(sizes))


def _columnwise(Y, f, sigma):
    r = np.abs(Y - f)
    w = 1 / (2 * np.maximum(r, sigma))
    pieces = np.where(r <= sigma, r**2 / (2 * sigma), r - sigma / 2)
    return pieces.sum(axis=1), w.mean(axis=1), (w * Y).sum(axis=0) / w.sum(axis=0)


def _costs(Y, f, sigma):
    return HUBER()(Y, f, sigma)[0]


def _touches(result, Y, f, sigma):
    """w s² + const lies above the cost everywhere, and touches it at the distances."""
    c, w, _ = result
    sizes = s(Y - f)
    other = np.linspace(0, 1.5, 40)[:, None] * sizes.max() + sigma * 1e-3
    above = c + w * (other**2 - sizes**2)
    slack = LOOSE * np.abs(above).max()
    wanted = np.where(other <= sigma, other**2 / (2 * sigma), other - sigma / 2)
    return bool((above >= wanted - slack).all())


def _lowers(result, Y, f, sigma):
    return bool(_costs(Y, result[2], sigma).mean() <= _costs(Y, f, sigma).mean() + 1e-9)


def _is_weighted_mean(result, Y, f, sigma):
    _, w, centre = result
    pull = np.sum(w[:, None] * (Y - centre), axis=0)
    size = np.sum(np.abs(w)[:, None] * (np.abs(Y) + np.abs(f)), axis=0)
    return bool((np.abs(pull) <= LOOSE * size).all())


def _at_rest(Y, f, sigma):
    """The centre after so many steps that none moves it."""
    for _ in range(100):
        weights = 1 / (2 * np.maximum(np.linalg.norm(Y - f, axis=1), sigma))
        f = weights @ Y / weights.sum()
    return f


def _weights_at_rest(Y, f, sigma):
    rest = _at_rest(Y, f, sigma)
    return (_costs(Y, f, sigma), HUBER()(Y, rest, sigma)[1], rest)


EXERCISE = Exercise(
    name="huber_reweighting",
    title="Huber's weights",
    lesson="22_one_functional",
    equations="[RPM] (8)",
    minutes=20,
    shapes={"Y": "N d", "f": "d", "sigma": ""},
    returns={"cost": "N", "w": "N", "centre": "d"},
    trials=trials,
    reference=reference,
    stages=HUBER,
    properties=(
        Property(
            "not_lower",
            "The mean cost at the new centre is not above that at f.",
            "At your new centre the mean of Huber's cost is higher than at f. A weighted mean with the "
            "right weights never goes up.",
            _lowers,
            suspects=(
                ("w", "Has w s² the slope of the cost at each s_n?"),
                ("weighted", "Is the centre Σ w_n y_n / Σ w_n?"),
            ),
        ),
        Property(
            "not_touching",
            "The weighted squares touch the cost and lie above it.",
            "Your weighted squares do not lie above Huber's cost and touch it at the present distances. "
            "w_n s² must have the slope of the cost at s_n: 2 w_n s_n = c'(s_n).",
            _touches,
        ),
        Property(
            "not_balanced",
            "The weighted residuals sum to zero at the new centre.",
            "At your new centre the pulls w_n (y_n - centre) do not sum to zero, so it is not the "
            "weighted mean for these weights.",
            _is_weighted_mean,
        ),
    ),
    misconceptions=(
        Misconception(
            "column_by_column",
            "You apply (8) to every column by itself. Huber's cost here is a function of the distance |y - f|, "
            "one number for each point, so all columns of a point share one weight.",
            _columnwise,
        ),
        Misconception(
            "about_the_mean",
            "You measure distances from the mean of the data. They are distances from f, the present centre.",
            HUBER(differences=lambda Y: Y - Y.mean(axis=0)),
        ),
        Misconception(
            "weights_along_columns",
            "You multiply w, N numbers, with Y, N rows of d, without a second axis: NumPy then pairs the weights with the *columns*. w[:, None] * Y gives each row its weight; w @ Y also adds them up.",
            HUBER(weighted=lambda w, Y: (w * Y).sum(axis=0)),
        ),
        Misconception(
            "average_without_axis",
            "You call np.average without an axis. It takes weights for rows only if you say so: np.average(Y, axis=0, weights=w).",
            HUBER(centre=lambda Y, w: np.average(Y, weights=w)),
        ),
        Misconception(
            "from_the_median",
            "You measure distances from the median of the columns. They are distances from f, the present centre.",
            HUBER(differences=lambda Y: Y - np.median(Y, axis=0)),
        ),
        Misconception(
            "from_the_origin",
            "You measure distances from the origin: f is missing. s_n is |y_n - f|.",
            HUBER(differences=lambda Y: Y),
        ),
        Misconception(
            "robust_scale",
            "You divide the distances by a robust scale first, 1.4826 times their median, as rlm of R does. (8) has the distances themselves; σ is their scale.",
            HUBER(s=_by_robust_scale),
        ),
        Misconception(
            "median_scale",
            "You divide the distances by their median first. (8) has the distances themselves; σ is their scale.",
            HUBER(s=lambda differences: s(differences) / np.median(s(differences))),
        ),
        Misconception(
            "relative_distances",
            "You divide the distances by σ first, and then use (8) for them, too. (8) divides by σ already.",
            HUBER(s=lambda differences, sigma: s(differences) / sigma),
        ),
        Misconception(
            "mean_squares",
            "Your distance is the root of the *mean* square over the coordinates. |y - f| is the root of their sum.",
            HUBER(s=lambda differences: np.sqrt(np.mean(differences**2, axis=1))),
        ),
        Misconception(
            "largest_difference",
            "Your distance is the largest absolute difference of a coordinate. |y - f| in (8) is the Euclidean distance.",
            HUBER(s=lambda differences: np.abs(differences).max(axis=1)),
        ),
        Misconception(
            "summed_distances",
            "Your distance is the sum of the absolute differences. |y - f| in (8) is the Euclidean distance.",
            HUBER(s=lambda differences: np.abs(differences).sum(axis=1)),
        ),
        Misconception(
            "squared_distance",
            "You put the squared distance where (8) has the distance. Take the root first.",
            HUBER(s=lambda differences: np.sum(differences**2, axis=1)),
        ),
        Misconception(
            "square_against_sigma",
            "You compare the squared distance with σ. The border is at |y - f| = σ.",
            HUBER(near=lambda s, sigma: s**2 <= sigma),
        ),
        Misconception(
            "pieces_swapped",
            "You have swapped the two pieces of (8): the square is for distances up to σ, the straight line is for "
            "those beyond.",
            HUBER(near=lambda s, sigma: s > sigma),
        ),
        Misconception(
            "pieces_swapped_in_cost",
            "In the cost you have swapped the two pieces of (8): the square is for distances up to σ, the straight line for those beyond.",
            HUBER(cost=lambda near, square, straight: np.where(near, straight, square)),
        ),
        Misconception(
            "weights_swapped",
            "You have swapped the two weights: 1/(2σ) is for near points, 1/(2s) for far ones.",
            HUBER(w=lambda near, inner, outer: np.where(near, outer, inner)),
        ),
        Misconception(
            "straight_everywhere",
            "Your cost is s - σ/2 for every point, also within σ. There it is s²/(2σ).",
            HUBER(cost=lambda straight: straight),
        ),
        Misconception(
            "offset_added",
            "Your straight piece is s + σ/2. At s = σ the two pieces must meet: there both are σ/2, so it is s - σ/2.",
            HUBER(straight=lambda s, sigma: s + sigma / 2),
        ),
        Misconception(
            "straight_times_sigma",
            "Your straight piece is σ(s - σ/2), as in most textbooks, and your square that of (8). (8) has s - σ/2, so that the pieces meet.",
            HUBER(straight=lambda s, sigma: sigma * (s - sigma / 2)),
        ),
        Misconception(
            "square_undivided",
            "Your square is s²/2. (8) divides it by σ, too, so that it meets the straight piece at s = σ.",
            HUBER(square=lambda s: s**2 / 2),
        ),
        Misconception(
            "offset_forgotten",
            "Your straight piece is s, without the -σ/2. At s = σ the two pieces must meet: there both are σ/2.",
            HUBER(straight=lambda s: s),
        ),
        Misconception(
            "offset_doubled",
            "Your straight piece is s - σ. At s = σ the two pieces must meet: there the square is σ/2, so it is "
            "s - σ/2.",
            HUBER(straight=lambda s, sigma: s - sigma),
        ),
        Misconception(
            "other_scale",
            "Your cost is σ times (8): s²/2, and σ(s - σ/2), as in most textbooks and libraries. (8) divides by "
            "σ, so that the slope far out is 1.",
            HUBER(cost=lambda sigma, near, square, straight: sigma * cost(near, square, straight)),
        ),
        Misconception(
            "other_scale_in_both",
            "Your cost and your weights are those of most textbooks, σ times as large as with (8). Here the "
            "straight piece has slope 1.",
            HUBER(
                cost=lambda sigma, near, square, straight: sigma * cost(near, square, straight),
                w=lambda sigma, near, inner, outer: sigma * w(near, inner, outer),
            ),
        ),
        Misconception(
            "textbook",
            "Your cost and your weights are those of most textbooks and libraries: s²/2 near, and min(1, σ/s). (8) is "
            "scaled so that the straight piece has slope 1: divide the cost by σ, and the weights by 2σ.",
            HUBER(
                cost=lambda sigma, near, square, straight: sigma * cost(near, square, straight),
                w=lambda s, sigma: np.minimum(1, sigma / s),
            ),
        ),
        Misconception(
            "half_forgotten",
            "Your square is s²/σ, without the 1/2. Then it does not meet the straight piece at s = σ.",
            HUBER(square=lambda s, sigma: s**2 / sigma),
        ),
        Misconception(
            "sigma_squared",
            "Your square is divided by 2σ² in place of 2σ, as in a Gaussian. (8) has 2σ.",
            HUBER(square=lambda s, sigma: s**2 / (2 * sigma**2)),
        ),
        Misconception(
            "squared_cost",
            "Your cost is the square for every point. Beyond σ it is s - σ/2.",
            HUBER(cost=lambda square: square),
        ),
        Misconception(
            "far_weights_doubled",
            "Your weights of far points are 1/s, twice the right ones; the slope of w s² is 2ws. From 2ws = 1 follows w = 1/(2s).",
            HUBER(outer=lambda s: 1 / s),
        ),
        Misconception(
            "near_weights_doubled",
            "Your weights of near points are 1/σ, twice the right ones. The square in (8) is s²/(2σ), so its weight is 1/(2σ).",
            HUBER(inner=lambda sigma: 1 / sigma),
        ),
        Misconception(
            "near_weights_one",
            "Your weights of near points are 1. The square in (8) is s²/(2σ), so its weight is 1/(2σ).",
            HUBER(inner=lambda: 1.0),
        ),
        Misconception(
            "near_weights_half",
            "Your weights of near points are 1/2. The square in (8) is s²/(2σ), so its weight is 1/(2σ).",
            HUBER(inner=lambda: 0.5),
        ),
        Misconception(
            "far_weights_sigma",
            "Your weights of far points are σ/s, those of most textbooks and libraries. With (8) the slope far out is 1, so they are 1/(2s).",
            HUBER(outer=lambda s, sigma: sigma / s),
        ),
        Misconception(
            "far_weights_sigma_half",
            "Your weights of far points are σ/(2s). With (8) the slope far out is 1, so they are 1/(2s).",
            HUBER(outer=lambda s, sigma: sigma / (2 * s)),
        ),
        Misconception(
            "far_weights_squared",
            "Your weights of far points are divided by s². The slopes, 2ws = 1, give w = 1/(2s).",
            HUBER(outer=lambda s: 1 / (2 * s**2)),
        ),
        Misconception(
            "far_weights_one",
            "Your weights of far points are 1/2, that is c'(s)/2. From 2ws = 1 follows w = 1/(2s): the division by s is missing.",
            HUBER(outer=lambda s: np.full(len(s), 0.5)),
        ),
        Misconception(
            "cost_for_weight",
            "You take the cost itself for the weight. A weight follows from the slope of the cost: w = c'(s)/(2s).",
            HUBER(w=lambda cost: cost),
        ),
        Misconception(
            "weights_doubled",
            "Your weights are c'(s)/s, twice the right ones. The slope of w s² is 2ws, so w = c'(s)/(2s). "
            "(The centre does not notice.)",
            HUBER(w=lambda near, inner, outer: 2 * w(near, inner, outer)),
        ),
        Misconception(
            "weights_at_most_one",
            "Your weights are min(1, σ/s), which is 1 for near points. That is the same up to a factor, and so the "
            "centre is right, but w s² must have the slope of (8): w = c'(s)/(2s), which is 1/(2σ) for "
            "near points.",
            HUBER(w=lambda s, sigma: np.minimum(1, sigma / s)),
        ),
        Misconception(
            "slope_for_weight",
            "Your weights are the slope c'(s), which is s/σ and then 1: far points get *more* weight than near "
            "ones. A weight multiplies a square: w = c'(s)/(2s).",
            HUBER(w=lambda s, sigma: _slope(s, sigma)),
        ),
        Misconception(
            "half_slope_for_weight",
            "Your weights are c'(s)/2: the division by s is missing.",
            HUBER(w=lambda s, sigma: _slope(s, sigma) / 2),
        ),
        Misconception(
            "secant",
            "Your weights are c(s)/s²: such a square meets the cost at s, but crosses it there. It must touch it, "
            "with the same slope: w = c'(s)/(2s).",
            HUBER(outer=lambda s, straight: straight / s**2),
        ),
        Misconception(
            "zero_by_zero",
            "At a point that lies at f you divide zero by zero: its slope and its distance are both 0. It is a near point, and its weight is 1/(2σ) as for all of them: cancel the s in c'(s)/(2s) before you put numbers in.",
            HUBER(w=lambda s, sigma: _slope(s, sigma) / (2 * s)),
        ),
        Misconception(
            "zero_by_zero_doubled",
            "At a point that lies at f you divide zero by zero, and all other weights are c'(s)/s, twice the right ones. The slope of w s² is 2ws, so w = c'(s)/(2s), where the s cancels for near points: 1/(2σ).",
            HUBER(w=lambda s, sigma: _slope(s, sigma) / s),
        ),
        Misconception(
            "secant_everywhere",
            "Your weights are c(s)/s², from equal values and not from equal slopes; at a point that lies at f that is zero by zero. w s² + const must touch the cost: w = c'(s)/(2s).",
            HUBER(w=lambda s, cost: cost / s**2),
        ),
        Misconception(
            "no_weight_at_zero",
            "A point at f itself gets the weight 0 from you. s = 0 lies within σ, so its "
            "weight is 1/(2σ) as for every near point: cancel the s in c'(s)/(2s) before you put numbers in.",
            HUBER(w=lambda s, near, inner, outer: np.where(s > 0, w(near, inner, outer), 0)),
        ),
        Misconception(
            "inverse_everywhere",
            "Your weights are 1/(2s) for every point, also within σ. That is the cost |y - f| without Huber's "
            "square, and a point at the centre would get all the weight.",
            HUBER(w=lambda s: 1 / (2 * np.maximum(s, 1e-12))),
        ),
        Misconception(
            "inverse_of_distance",
            "Your weights are 1/(2s) for every point, also within σ, so a point at the centre has the weight infinity. Near points have the weight of Huber's square, 1/(2σ).",
            HUBER(w=lambda outer: outer),
        ),
        Misconception(
            "far_ones_dropped",
            "You give far points the weight zero. Huber bounds their pull at 1; he does not remove them: "
            "beyond σ the weight is 1/(2s).",
            HUBER(outer=lambda s: 0 * s),
        ),
        Misconception(
            "all_alike",
            "Your weights are the same for all points, so the centre is the plain mean.",
            HUBER(outer=lambda s, inner: np.full(len(s), inner)),
        ),
        Misconception(
            "half_the_way",
            "Your new centre lies halfway between f and the weighted mean. The weighted mean itself is asked for.",
            HUBER(centre=lambda weighted, total, f: (f + weighted / total) / 2),
        ),
        Misconception(
            "divided_by_n",
            "You divide the weighted sum by N. A weighted mean divides by the sum of the weights.",
            HUBER(total=lambda w: len(w)),
        ),
        Misconception(
            "not_divided",
            "You do not divide the weighted sum at all. A weighted mean divides by the sum of the weights.",
            HUBER(total=lambda: 1.0),
        ),
        Misconception(
            "median",
            "Your centre is the median of each column. The minimum of Σ w_n |y_n - f|² is the weighted mean.",
            HUBER(centre=lambda Y: np.median(Y, axis=0)),
        ),
        Misconception(
            "plain_mean",
            "Your centre is the plain mean: the weights have no part in it.",
            HUBER(centre=lambda Y: Y.mean(axis=0)),
        ),
        Misconception(
            "weights_squared",
            "You weight with w² in the centre. The minimum of Σ w_n |y_n - f|² is the mean with weights w_n.",
            HUBER(centre=lambda Y, w: w**2 @ Y / np.sum(w**2)),
        ),
        Misconception(
            "step_returned",
            "You return the *step* from f to the new centre. The centre itself is asked for.",
            HUBER(centre=lambda weighted, total, f: weighted / total - f),
        ),
        Misconception(
            "centre_stays",
            "You return f itself as the new centre.",
            HUBER(centre=lambda f: f),
        ),
        Misconception(
            "old_centre_added",
            "You add f to the weighted mean. The weighted mean of the points is the new centre "
            "itself; only a mean of the differences y_n - f would have to be added to f.",
            HUBER(centre=lambda weighted, total, f: f + weighted / total),
        ),
        Misconception(
            "weights_divided_by_their_sum",
            "You divide the weights by their sum before you return them. The weights asked for "
            "follow from the slopes, 2 w_n s_n = c'(s_n); the sum belongs to the centre alone.",
            HUBER(w=lambda near, inner, outer: w(near, inner, outer) / w(near, inner, outer).sum()),
        ),
        Misconception(
            "square_times_sigma",
            "Your square is s²/2 times σ. In Python a / 2 * b is (a / 2) * b: (8) divides by 2σ.",
            HUBER(square=lambda s, sigma: s**2 / 2 * sigma),
        ),
        Misconception(
            "repeated",
            "You repeat the step until the centre is at rest. One step from f is asked for.",
            lambda Y, f, sigma: (*HUBER()(Y, f, sigma)[:2], _at_rest(Y, f, sigma)),
        ),
        Misconception(
            "all_repeated",
            "You repeat the step until the centre is at rest, and return cost and weights of "
            "the last step. One step is asked for, with cost and weights at the f that is "
            "given.",
            lambda Y, f, sigma: HUBER()(Y, _at_rest(Y, f, sigma), sigma),
        ),
        Misconception(
            "distances_of_columns",
            "Your norm runs over axis 0 and gives a number for each column. A distance belongs "
            "to a point, a row: axis=1.",
            HUBER(s=lambda differences: np.linalg.norm(differences, axis=0)),
        ),
        Misconception(
            "distances_of_columns_in_rows",
            "Your norm runs over axis 0 and gives a number for each column. A distance belongs "
            "to a point, a row: axis=1.",
            HUBER(
                s=lambda differences: np.linalg.norm(differences, axis=0),
                weighted=lambda w, Y: (w[:, None] * Y).sum(axis=0),
            ),
        ),
        Misconception(
            "weights_repeated",
            "You repeat the step until the centre is at rest, and return the weights of the "
            "last step. One step is asked for, with the weights at the f that is given.",
            _weights_at_rest,
        ),
    ),
    hints=(
        "How large is the slope of (8) at a distance s, once for s below σ and once beyond? And what is the "
        "slope of w s²?",
        "The slopes are s/σ and 1. Equal slopes, 2ws = c'(s), give w = 1/(2σ) for near points and 1/(2s) for "
        "far ones. The centre is Σ w_n y_n / Σ w_n.",
        "s = np.linalg.norm(Y - f, axis=1) is one distance a point. np.where(s <= sigma, ..., ...) makes the cost, and "
        "the weights are 1 / (2 * np.maximum(s, sigma)), which never divides by zero. w[:, None] * Y weights the rows.",
    ),
)
