"""J, the slopes of a network of Gaussian basis functions, at many positions."""

import numpy as np

from ukrlearn.blocks import networks
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

SIZES = ((5, 3, 2, 7), (3, 4, 1, 5), (6, 2, 3, 4))  # N, d, q, M: no two the same in a trial
LOOSE = 2e-3  # of the largest slope: single precision is no mistake
FAR = 13  # widths: there a basis function is below 1e-36


def reference(x, centres, width, W):
    network = networks.RBFNetwork(centres, width, W, np.zeros(W.shape[1]))
    return network.with_jacobian(x)[1]


def trials(seed):
    random = np.random.default_rng(seed)
    centres, W = np.array([[0.0], [2.0]]), np.array([[4.0, 0.0], [0.0, 2.0]])
    three = dict(x=np.array([[1.0], [3.0], [4.0]]), centres=centres, width=2.0, W=W)
    made = [Trial("three positions, two centres", three)]
    for N, d, q, M in SIZES:
        centres = random.gamma(1.5, size=(M, q)) * (1 + np.arange(q)) - 0.7
        x = random.choice(centres, N) + 0.6 * random.normal(size=(N, q))
        W = random.normal(size=(M, d)) * (1 + np.arange(d)) + 0.5
        width = random.uniform(0.7, 1.7)
        arguments = dict(x=x, centres=centres, width=width, W=W)
        made.append(Trial(f"{N} positions, {M} centres, d = {d}, q = {q}", arguments))
    x = centres[:3] + np.array([[0.0], [0.0], [0.4]])
    made.append(Trial("positions on two of the centres", dict(arguments, x=x)))
    far = np.vstack([x, centres.max(axis=0) + 10 * width])
    made.append(Trial("the last position far from all centres", dict(arguments, x=far)))
    units = dict(x=1e3 * x, centres=1e3 * centres, width=1e3 * width, W=W)
    made.append(Trial("latent space in other units", units))
    made.append(Trial("weights a million times larger", dict(arguments, x=x, W=1e6 * W)))
    return made


def _basis(x, centres, width):
    return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))


def _slopes(phi, x, centres, width, W):
    return np.einsum("nm,md,nmq->ndq", phi, W, centres - x[:, None]) / width**2


def _right(x, centres, width, W):
    return _slopes(_basis(x, centres, width), x, centres, width, W)


def _times(factor):
    """The right J times factor(x, centres, width)."""
    return lambda x, centres, width, W: _right(x, centres, width, W) * factor(centres, width)


def _of_basis(basis):
    """With other basis functions in place of the right ones."""
    return lambda x, c, width, W: _slopes(basis(x, c, width), x, c, width, W)


def _distance(x, centres):
    return np.sqrt(np.sum((x[:, None] - centres) ** 2, axis=2))


def _normalised(x, centres, width):
    t = -np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2)
    phi = np.exp(t - t.max(axis=1, keepdims=True))
    return phi / phi.sum(axis=1, keepdims=True)


def _unit_vectors(x, centres, width, W):
    away = centres - x[:, None]
    size = np.linalg.norm(away, axis=2, keepdims=True)
    away = np.divide(away, size, out=np.zeros_like(away), where=size > 0)
    return np.einsum("nm,md,nmq->ndq", _basis(x, centres, width), W, away) / width**2


def _summed_weights(x, centres, width, W):
    together = np.broadcast_to(W.sum(axis=0), W.shape)
    return _right(x, centres, width, together)


def _f_in_place_of_w(x, centres, width, W):
    f = _basis(x, centres, width) @ W
    toward = np.sum(centres - x[:, None], axis=1)
    return f[:, :, None] * toward[:, None] / width**2


def _last_centre(x, centres, width, W):
    return _right(x, centres[-1:], width, W[-1:])


def _divided_each_time(x, centres, width, W):
    """What `J /= width**2` does within the loop over positions."""
    times = np.arange(len(x) - 1, -1, -1)[:, None, None]
    with np.errstate(over="ignore", under="ignore"):
        return _right(x, centres, width, W) / width ** (2.0 * times)


def _divided_at_each_centre(x, centres, width, W):
    """What `J[n] /= width**2` does within the loop over centres."""
    times = np.arange(len(centres) - 1, -1, -1)[:, None]
    with np.errstate(over="ignore", under="ignore"):
        return _right(x, centres, width, W / width ** (2.0 * times))


def addends(x, centres, width, W):
    """The terms of (17): the part with the centres, and the part with x."""
    phi = _basis(x, centres, width) / width**2
    return {
        "the sum of w_m φ_m μ_mᵀ / σ²": np.einsum("nm,md,mq->ndq", phi, W, centres),
        "the sum of w_m φ_m (-x)ᵀ / σ²": -(phi @ W)[:, :, None] * x[:, None],
    }


def _is_slope(J, x, centres, width, W):
    h = 1e-4 * width
    f = lambda x: _basis(x, centres, width) @ W
    slopes = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(x.shape[1])]
    slopes = np.stack(slopes, axis=2)
    return bool((np.abs(J - slopes) <= LOOSE * np.abs(slopes).max()).all())


def _flat_far_away(J, x, centres, width, W):
    far = _distance(x, centres).min(axis=1) > FAR * width
    return bool((np.abs(J[far]) <= 1e-9 * np.abs(W).max() / width).all())


EXERCISE = Exercise(
    name="rbf_jacobian",
    title="The Jacobian of a network",
    lesson="18_two_maps",
    equations="[DRUR] (17)",
    minutes=20,
    shapes={"x": "N q", "centres": "M q", "width": "", "W": "M d"},
    returns={"J": "N d q"},
    trials=trials,
    reference=reference,
    addends=addends,
    properties=(
        Property(
            "not_flat_far_away",
            "Far from all centres J is zero: the network is flat there.",
            "Far from all centres every φ_m(x) is zero, the network is constant, and its slope is "
            "zero. Yours is not. Does each term of your sum contain φ_m(x)?",
            _flat_far_away,
        ),
        Property(
            "not_slope",
            "J agrees with differences of f: (f(x + h) - f(x - h)) / 2h, along each coordinate.",
            "J is not the slope of f: (f(x + h) - f(x - h)) / 2h along each latent coordinate "
            "gives another value. Take one basis function, one position and q = 1, and look in "
            "turn at the hill exp(-(x - μ)²/(2σ²)) itself, at its slope, and at how the parts "
            "come together in J.",
            _is_slope,
        ),
    ),
    misconceptions=(
        Misconception(
            "points_away",
            "J has the wrong sign: you have x - μ_m where (17) has μ_m - x. A basis function is a "
            "hill over its centre, so it rises from x towards μ_m.",
            _times(lambda centres, width: -1),
        ),
        Misconception(
            "transposed",
            "For each position you have a matrix of q rows and d columns. J_kl = ∂f_k/∂x_l: rows "
            "are the d coordinates of the data, columns the q latent ones. Then J p is a step in "
            "data space.",
            lambda x, centres, width, W: _right(x, centres, width, W).transpose(0, 2, 1),
        ),
        Misconception(
            "reshaped",
            "You have matrices of q rows and d columns, and reshape them to d rows and q columns: "
            "that keeps the numbers in their old order. A transpose exchanges the axes.",
            lambda x, centres, width, W: (
                _right(x, centres, width, W)
                .transpose(0, 2, 1)
                .reshape(len(x), W.shape[1], x.shape[1])
            ),
        ),
        Misconception(
            "width_forgotten",
            "The factor 1/σ² in front of the sum is missing. It comes from the chain rule: the exponent "
            "is -|x - μ_m|²/(2σ²). Narrow hills are steep.",
            _times(lambda centres, width: width**2),
        ),
        Misconception(
            "width_not_squared",
            "You divide the sum by σ and not by σ². Check the units: f per unit of x. The bracket "
            "(μ_m - x) has the unit of x, so divide it by σ squared.",
            _times(lambda centres, width: width),
        ),
        Misconception(
            "half_kept",
            "J is half of the right one. Differentiating the square in the exponent gives a "
            "factor 2, which cancels the 2 of 2σ².",
            _times(lambda centres, width: 0.5),
        ),
        Misconception(
            "two_kept",
            "J is twice the right one. The square in the exponent gives a 2, but the exponent has "
            "a 1/2 too: the two cancel in (17).",
            _times(lambda centres, width: 2),
        ),
        Misconception(
            "mean_over_centres",
            "You take the mean over the centres. The network (13) is a sum of M terms, so its "
            "slope is a sum of M slopes.",
            _times(lambda centres, width: 1 / len(centres)),
        ),
        Misconception(
            "half_missing",
            "Your basis functions are exp(-|x - μ_m|²/σ²). The 1/2 in the exponent (13) is missing, so the "
            "hills are too narrow.",
            _of_basis(lambda x, centres, width: _basis(x, centres, width) ** 2),
        ),
        Misconception(
            "exponent_width_not_squared",
            "In the exponent you divide by 2σ and not by 2σ². The distance is squared there, so "
            "must be the width.",
            _of_basis(lambda x, c, width: np.exp(-(_distance(x, c) ** 2) / (2 * width))),
        ),
        Misconception(
            "exponent_width_forgotten",
            "The width σ is missing in the exponent of your basis functions: (13) has |x - μ_m|²/(2σ²).",
            _of_basis(lambda x, c, width: np.exp(-(_distance(x, c) ** 2) / 2)),
        ),
        Misconception(
            "exponent_width_multiplied",
            "In the exponent you multiply by σ²: without brackets, a / 2 * b is (a / 2) * b. It is |x - μ_m|² "
            "over all of 2σ².",
            _of_basis(lambda x, c, width: np.exp(-(_distance(x, c) ** 2) / 2 * width**2)),
        ),
        Misconception(
            "two_squared_too",
            "In the exponent you divide by (2σ)², which is 4σ². Only σ is squared: 2σ².",
            _of_basis(lambda x, c, width: np.exp(-(_distance(x, c) ** 2) / (2 * width) ** 2)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. exp(-|x - μ_m|...) has a kink at "
            "the centre; the hill of (13) is round.",
            _of_basis(lambda x, c, width: np.exp(-_distance(x, c) / (2 * width**2))),
        ),
        Misconception(
            "exponent_positive",
            "Your exponent has no minus: exp(+|x - μ_m|²/(2σ²)) grows away from its centre. A "
            "basis function is 1 at its centre and falls from there.",
            _of_basis(lambda x, c, width: np.exp(_distance(x, c) ** 2 / (2 * width**2))),
        ),
        Misconception(
            "basis_forgotten",
            "The factor φ_m(x) is missing: you sum w_m (μ_m - x)ᵀ/σ². The derivative of exp(u) is "
            "exp(u) times that of u, so the exponential remains.",
            _of_basis(lambda x, centres, width: np.ones((len(x), len(centres)))),
        ),
        Misconception(
            "normalised",
            "You divide the basis functions by their sum, as in kernel regression. The network (13) does "
            "not: its weights w_m are fitted instead, and φ_m stands alone.",
            _of_basis(_normalised),
        ),
        Misconception(
            "position_forgotten",
            "Your bracket contains μ_m alone. It must be μ_m - x: the position of the centre "
            "relative to x, not to the origin.",
            lambda x, centres, width, W: next(iter(addends(x, centres, width, W).values())),
        ),
        Misconception(
            "unit_vectors",
            "You scale the direction towards the centre to length one. The bracket (μ_m - x) "
            "keeps its length: a hill is level at its centre.",
            _unit_vectors,
        ),
        Misconception(
            "first_position",
            "Your slopes are those of the first position, at all positions. Each x has its own J: "
            "loop over the rows of `x`.",
            lambda x, centres, width, W: _right(np.broadcast_to(x[:1], x.shape), centres, width, W),
        ),
        Misconception(
            "last_centre",
            "Only the last centre is left in your J. Each round of the inner loop overwrites the "
            "previous result: add to it.",
            _last_centre,
        ),
        Misconception(
            "divided_each_time",
            "You divide all of J by σ² in every round of the loop over positions, so the first "
            "rows are divided again and again. Divide once: after the loop, or each J[n] by "
            "itself.",
            _divided_each_time,
        ),
        Misconception(
            "divided_at_each_centre",
            "You divide J by σ² in every round of the loop over centres, so the first terms are "
            "divided again and again. Divide once, after that loop.",
            _divided_at_each_centre,
        ),
        Misconception(
            "positions_summed",
            "You sum over the positions, too, so that a single matrix is left. Each position has "
            "its own matrix: the sum of (17) runs over m alone.",
            lambda x, centres, width, W: _right(x, centres, width, W).sum(axis=0),
        ),
        Misconception(
            "sums_multiplied",
            "You sum over m twice, in f and in the brackets, and multiply the sums. A sum of "
            "products is not a product of sums. Each term has w_m, φ_m and (μ_m - x) of the same "
            "m.",
            _f_in_place_of_w,
        ),
        Misconception(
            "weights_summed",
            "You sum the weights first. Each basis function has its own w_m: multiply it by φ_m "
            "and (μ_m - x) of the same m, and sum over m last.",
            _summed_weights,
        ),
    ),
    hints=(
        "One basis function first, in one latent dimension: what is the derivative of exp(-(x - "
        "μ)²/(2σ²)) in x? It is the same exponential times something that is zero at x = μ. Then "
        "add up.",
        "For one position J is a d x q matrix: the sum over m of the column w_m times the row "
        "(μ_m - x)ᵀ, weighted by φ_m(x), all divided by σ². Column times row is np.outer.",
        "Two loops: over positions n and over centres m. In the inner one, toward is μ_m - x_n, "
        "phi is exp of minus its squared length over 2σ²; add phi times the outer product of w_m and "
        "toward to J[n]. Divide by σ² once, at the end.",
    ),
)
