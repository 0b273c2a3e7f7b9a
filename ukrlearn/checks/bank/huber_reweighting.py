"""Huber's cost, the weights of the squares that touch it, and the centre that they give."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged
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
    for N, d in SIZES:
        Y = random.gamma(1.2, size=(N, d)) * (1 + np.arange(d)) - 0.4
        f = Y.mean(axis=0) + 0.3 * random.normal(size=d)
        sigma = np.median(np.linalg.norm(Y - f, axis=1)) * random.uniform(0.7, 0.95)
        made.append(Trial(f"N = {N}, d = {d}", dict(Y=Y, f=f, sigma=sigma)))
    made.append(Trial("all points near", dict(Y=Y, f=f, sigma=1000 * sigma)))
    made.append(Trial("all points far", dict(Y=Y, f=f, sigma=0.01 * sigma)))
    on_it = np.vstack([Y, f])
    made.append(Trial("a point at the centre", dict(Y=on_it, f=f, sigma=sigma)))
    made.append(Trial("an outlier", dict(Y=np.vstack([Y, f + 500]), f=f, sigma=sigma)))
    centred = np.vstack([Y - f, np.zeros(d)])
    made.append(Trial("around the origin, with a zero row", dict(Y=centred, f=0 * f, sigma=sigma)))
    made.append(Trial("a thousand times larger", dict(Y=1e3 * Y, f=1e3 * f, sigma=1e3 * sigma)))
    return made


# Parts: right ones, and wrong ones to exchange for them


def _sizes(Y, f):
    return np.linalg.norm(Y - f, axis=1)


def _cost(s, sigma):
    return np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)


def _weights(s, sigma):
    return 1 / (2 * np.maximum(s, sigma))


def _centre(Y, f, w):
    return (w[:, None] * Y).sum(axis=0) / w.sum()


@staged
def _made(sizes=_sizes, cost=_cost, weights=_weights, centre=_centre):
    """The right answer with parts exchanged."""

    def step(Y, f, sigma):
        s = sizes(Y, f)
        w = weights(s, sigma)
        return cost(s, sigma), w, centre(Y, f, w)

    return step


def _columnwise(Y, f, sigma):
    r = np.abs(Y - f)
    w = 1 / (2 * np.maximum(r, sigma))
    return _cost(r, sigma).sum(axis=1), w.mean(axis=1), (w * Y).sum(axis=0) / w.sum(axis=0)


def _about_the_mean(Y, f, sigma):
    return reference(Y, Y.mean(axis=0), sigma)


def _by_squares(cost=_cost, weights=_weights):
    """The squared distance compared with σ."""

    def step(Y, f, sigma):
        s = _sizes(Y, f)
        near = s**2 <= sigma
        c = np.where(near, s**2 / (2 * sigma), s - sigma / 2)
        w = np.where(near, 1 / (2 * sigma), 1 / (2 * np.where(near, 1, s)))
        return c, w, _centre(Y, f, w)

    return step


def _touches(result, Y, f, sigma):
    """w s² + const lies above the cost everywhere, and touches it at the distances."""
    c, w, _ = result
    s = _sizes(Y, f)
    other = np.linspace(0, 1.5, 40)[:, None] * s.max() + sigma * 1e-3
    above = c + w * (other**2 - s**2)
    slack = LOOSE * np.abs(above).max()
    return bool((above >= _cost(other, sigma) - slack).all())


def _lowers(result, Y, f, sigma):
    c, _, centre = result
    return bool(_cost(_sizes(Y, centre), sigma).mean() <= _cost(_sizes(Y, f), sigma).mean() + 1e-9)


def _is_weighted_mean(result, Y, f, sigma):
    _, w, centre = result
    pull = np.sum(w[:, None] * (Y - centre), axis=0)
    size = np.sum(np.abs(w)[:, None] * (np.abs(Y) + np.abs(f)), axis=0)
    return bool((np.abs(pull) <= LOOSE * size).all())


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
    properties=(
        Property(
            "not_lower",
            "The mean cost at the new centre is not above that at f.",
            "At your new centre the mean of Huber's cost is higher than at f. A weighted mean with the "
            "right weights never goes up. Look at the weights first.",
            _lowers,
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
            _about_the_mean,
        ),
        Misconception(
            "summed_distances",
            "Your distance is the sum of the absolute differences. |y - f| in (8) is the Euclidean distance.",
            _made(sizes=lambda Y, f: np.abs(Y - f).sum(axis=1)),
        ),
        Misconception(
            "squared_distance",
            "You put the squared distance where (8) has the distance. Take the root first.",
            _made(sizes=lambda Y, f: np.sum((Y - f) ** 2, axis=1)),
        ),
        Misconception(
            "square_against_sigma",
            "You compare the squared distance with σ. The border is at |y - f| = σ.",
            _by_squares(),
        ),
        Misconception(
            "pieces_swapped",
            "You have swapped the two pieces of (8): the square is for distances up to σ, the straight line is for "
            "those beyond.",
            _made(
                cost=lambda s, sigma: np.where(s > sigma, s**2 / (2 * sigma), s - sigma / 2),
                weights=lambda s, sigma: 1 / (2 * np.minimum(np.maximum(s, 1e-300), sigma)),
            ),
        ),
        Misconception(
            "offset_forgotten",
            "Your straight piece is s, without the -σ/2. At s = σ the two pieces must meet: there both are σ/2.",
            _made(cost=lambda s, sigma: np.where(s <= sigma, s**2 / (2 * sigma), s)),
        ),
        Misconception(
            "offset_doubled",
            "Your straight piece is s - σ. At s = σ the two pieces must meet: there the square is σ/2, so it is "
            "s - σ/2.",
            _made(cost=lambda s, sigma: np.where(s <= sigma, s**2 / (2 * sigma), s - sigma)),
        ),
        Misconception(
            "other_scale",
            "Your cost is σ times (8): s²/2, and σ(s - σ/2), as in most textbooks and libraries. (8) divides by "
            "σ, so that the slope far out is 1.",
            _made(cost=lambda s, sigma: sigma * _cost(s, sigma)),
        ),
        Misconception(
            "other_scale_in_both",
            "Your cost and your weights are those of most textbooks, σ times as large as with (8). Here the "
            "straight piece has slope 1.",
            _made(
                cost=lambda s, sigma: sigma * _cost(s, sigma),
                weights=lambda s, sigma: sigma * _weights(s, sigma),
            ),
        ),
        Misconception(
            "textbook",
            "Your cost and your weights are those of most textbooks and libraries: s²/2 near, and min(1, σ/s). (8) is "
            "scaled so that the straight piece has slope 1: divide the cost by σ, and the weights by 2σ.",
            _made(
                cost=lambda s, sigma: sigma * _cost(s, sigma),
                weights=lambda s, sigma: 2 * sigma * _weights(s, sigma),
            ),
        ),
        Misconception(
            "half_forgotten",
            "Your square is s²/σ, without the 1/2. Then it does not meet the straight piece at s = σ.",
            _made(cost=lambda s, sigma: np.where(s <= sigma, s**2 / sigma, s - sigma / 2)),
        ),
        Misconception(
            "sigma_squared",
            "Your square is divided by 2σ² in place of 2σ, as in a Gaussian. (8) has 2σ.",
            _made(cost=lambda s, sigma: np.where(s <= sigma, s**2 / (2 * sigma**2), s - sigma / 2)),
        ),
        Misconception(
            "squared_cost",
            "Your cost is the square for every point. Beyond σ it is s - σ/2.",
            _made(cost=lambda s, sigma: s**2 / (2 * sigma)),
        ),
        Misconception(
            "weights_doubled",
            "Your weights are c'(s)/s, twice the right ones. The slope of w s² is 2ws, so w = c'(s)/(2s). "
            "(The centre does not notice.)",
            _made(weights=lambda s, sigma: 2 * _weights(s, sigma)),
        ),
        Misconception(
            "weights_at_most_one",
            "Your weights are min(1, σ/s), which is 1 for near points. That is the same up to a factor, and so the "
            "centre is right, but w s² must have the slope of (8): w = c'(s)/(2s), which is 1/(2σ) for "
            "near points.",
            _made(weights=lambda s, sigma: 2 * sigma * _weights(s, sigma)),
        ),
        Misconception(
            "slope_for_weight",
            "Your weights are the slope c'(s), which is s/σ and then 1: far points get *more* weight than near "
            "ones. A weight multiplies a square: w = c'(s)/(2s).",
            _made(weights=lambda s, sigma: np.minimum(s / sigma, 1)),
        ),
        Misconception(
            "half_slope_for_weight",
            "Your weights are c'(s)/2: the division by s is missing.",
            _made(weights=lambda s, sigma: np.minimum(s / sigma, 1) / 2),
        ),
        Misconception(
            "secant",
            "Your weights are c(s)/s²: such a square meets the cost at s, but crosses it there. It must touch it, "
            "with the same slope: w = c'(s)/(2s).",
            _made(
                weights=lambda s, sigma: np.where(
                    s <= sigma, 1 / (2 * sigma), _cost(s, sigma) / np.where(s > 0, s, 1) ** 2
                )
            ),
        ),
        Misconception(
            "no_weight_at_zero",
            "A point at f itself gets the weight 0 from you, and all others are right. s = 0 lies within σ, so its "
            "weight is 1/(2σ) as for every near point: cancel the s in c'(s)/(2s) before you put numbers in.",
            _made(weights=lambda s, sigma: np.where(s > 0, _weights(s, sigma), 0)),
        ),
        Misconception(
            "inverse_everywhere",
            "Your weights are 1/(2s) for every point, also within σ. That is the cost |y - f| without Huber's "
            "square, and a point at the centre would get all the weight.",
            _made(weights=lambda s, sigma: 1 / (2 * np.maximum(s, 1e-12))),
        ),
        Misconception(
            "far_ones_dropped",
            "You give far points the weight zero. Huber bounds their pull at 1; he does not remove them: "
            "beyond σ the weight is 1/(2s).",
            _made(weights=lambda s, sigma: np.where(s <= sigma, 1 / (2 * sigma), 0)),
        ),
        Misconception(
            "all_alike",
            "Your weights are the same for all points, so the centre is the plain mean.",
            _made(weights=lambda s, sigma: np.full(len(s), 1 / (2 * sigma))),
        ),
        Misconception(
            "divided_by_n",
            "You divide the weighted sum by N. A weighted mean divides by the sum of the weights.",
            _made(centre=lambda Y, f, w: (w[:, None] * Y).mean(axis=0)),
        ),
        Misconception(
            "not_divided",
            "You do not divide the weighted sum at all. A weighted mean divides by the sum of the weights.",
            _made(centre=lambda Y, f, w: (w[:, None] * Y).sum(axis=0)),
        ),
        Misconception(
            "plain_mean",
            "Your centre is the plain mean: the weights have no part in it.",
            _made(centre=lambda Y, f, w: Y.mean(axis=0)),
        ),
        Misconception(
            "weights_squared",
            "You weight with w² in the centre. The minimum of Σ w_n |y_n - f|² is the mean with weights w_n.",
            _made(centre=lambda Y, f, w: _centre(Y, f, w**2)),
        ),
        Misconception(
            "step_returned",
            "You return the *step* from f to the new centre. The centre itself is asked for.",
            _made(centre=lambda Y, f, w: _centre(Y, f, w) - f),
        ),
        Misconception(
            "centre_stays",
            "You return f itself as the new centre.",
            _made(centre=lambda Y, f, w: f),
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
