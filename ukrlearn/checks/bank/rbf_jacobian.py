"""J, the slopes of a network of Gaussian basis functions, at many positions."""

import numpy as np

from ukrlearn.blocks import networks
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

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
    plane = dict(
        x=np.array([[1.0, 0.0], [1.0, 3.0]]),
        centres=np.array([[0.0, 0.0], [2.0, 1.0], [0.0, 2.0]]),
        width=2.0,
        W=np.array([[1.0, 2.0], [0.0, 3.0], [2.0, 0.0]]),
    )
    made.append(Trial("two positions in a plane", plane))
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
    made.append(Trial("around the origin, with equal rows and zeros", _around_zero(random)))
    units = dict(x=1e3 * x, centres=1e3 * centres, width=1e3 * width, W=W)
    made.append(Trial("latent space in other units", units))
    made.append(Trial("weights a million times larger", dict(arguments, x=x, W=1e6 * W)))
    return made


def _around_zero(random):
    """x, centres and W around zero; each has a row of zeros and two equal rows."""
    given = {}
    for name, shape in {"x": (7, 2), "centres": (6, 2), "W": (6, 3)}.items():
        rows = random.normal(size=shape)
        rows -= rows.mean(axis=0)
        given[name] = np.vstack([rows, rows[:1], np.zeros(shape[1])])
    given["centres"] = random.permutation(given["centres"])  # no weight zero for the centre zero
    return dict(x=given["x"], centres=given["centres"], width=0.9, W=given["W"])


def squares(x, centres):
    """the squared distances |x - μ_m|²"""
    return np.sum((x[:, None] - centres) ** 2, axis=2)


def basis(squares, width):
    """the basis functions φ_m(x)"""
    return np.exp(-squares / (2 * width**2))


def toward(x, centres):
    """the brackets μ_m - x"""
    return centres - x[:, None]


def terms(basis, W, toward):
    """the terms φ_m(x) w_m (μ_m - x)ᵀ"""
    return basis[:, :, None, None] * W[:, :, None] * toward[:, :, None]


def sums(terms):
    """the sums over the centres"""
    return terms.sum(axis=1)


def J(sums, width):
    """the division by σ², which gives J"""
    return sums / width**2


NETWORK = pipeline("x centres width W", squares, basis, toward, terms, sums, J)


# Mistakes in a stage


def _distances(x, centres):
    return np.sqrt(squares(x, centres))


def _normalised(squares, width):
    t = -squares / (2 * width**2)
    phi = np.exp(t - t.max(axis=1, keepdims=True))
    return phi / phi.sum(axis=1, keepdims=True)


def _unit_vectors(x, centres):
    away = toward(x, centres)
    size = np.linalg.norm(away, axis=2, keepdims=True)
    return np.divide(away, size, out=np.zeros_like(away), where=size > 0)


def _first_for_all(step):
    return lambda x, centres: step(np.broadcast_to(x[:1], x.shape), centres)


def _hills_of_one_coordinate(W, toward, width):
    hills = np.exp(-(toward**2) / (2 * width**2))
    return W[:, :, None] * (hills * toward)[:, :, None]


def _divided_each_time(sums, width):
    """What `J /= width**2` does within the loop over positions."""
    times = np.arange(len(sums), 0, -1)[:, None, None]
    return sums / width ** (2.0 * times)


def _divided_at_each_centre(terms, width):
    """What `J[n] /= width**2` does within the loop over centres, before the last division."""
    times = np.arange(terms.shape[1] - 1, -1, -1)[:, None, None]
    return (terms / width ** (2.0 * times)).sum(axis=1)


def _slope_of_the_quotient(basis, W, toward):
    """The terms of the slope of a weighted mean, with basis functions divided by their sum."""
    shares = basis / basis.sum(axis=1, keepdims=True)
    return terms(shares, W - (shares @ W)[:, None], toward)


# Loops, with mistakes that stop them where the shapes do not fit


def _looped(term):
    def jacobian(x, centres, width, W):
        J = np.zeros((len(x), W.shape[1], x.shape[1]))
        for n in range(len(x)):
            for m in range(len(centres)):
                v = centres[m] - x[n]
                J[n] += np.exp(-(v @ v) / (2 * width**2)) * term(W, v, n, m)
        return J / width**2

    return jacobian


def addends(x, centres, width, W):
    """The terms of (17): the part with the centres, and the part with x."""
    phi = basis(squares(x, centres), width) / width**2
    return {
        "the sum of w_m φ_m μ_mᵀ / σ²": np.einsum("nm,md,mq->ndq", phi, W, centres),
        "the sum of w_m φ_m (-x)ᵀ / σ²": -(phi @ W)[:, :, None] * x[:, None],
    }


def _quotients(step, forward, x, centres, width, W):
    """Differences of f by differences of x; `forward` is 1, or -1 backwards, or 0 for both."""
    f = lambda x: basis(squares(x, centres), width) @ W
    after = step if forward >= 0 else 0
    before = step if forward <= 0 else 0
    found = [(f(x + after * e) - f(x - before * e)) / (after + before) for e in np.eye(x.shape[1])]
    return np.stack(found, axis=2)


def _is_slope(J, x, centres, width, W):
    slopes = _quotients(1e-4 * width, 0, x, centres, width, W)
    return bool((np.abs(J - slopes) <= LOOSE * np.abs(slopes).max()).all())


def _is_no_quotient(J, x, centres, width, W):
    """False for a difference quotient whose step is so large that it shows."""
    size = np.abs(J).max()
    if np.abs(J - NETWORK()(x, centres, width, W)).max() <= 1e-5 * size:
        return True
    return not any(
        np.abs(J - _quotients(step * unit, forward, x, centres, width, W)).max() <= 1e-6 * size
        for step in (1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 1e-3, 1e-4, 1e-5, 1e-6)
        for unit in (1, width)
        for forward in (1, -1, 0)
    )


def _flat_far_away(J, x, centres, width, W):
    far = np.sqrt(squares(x, centres)).min(axis=1) > FAR * width
    return bool((np.abs(J[far]) <= 1e-9 * np.abs(W).max() / width).all())


def _all_divided_at_each_centre(terms, width):
    """What `J /= width**2` does within both loops."""
    N, M = terms.shape[:2]
    times = (np.arange(N - 1, -1, -1)[:, None] * M + np.arange(M, 0, -1))[:, :, None, None]
    return (terms / width ** (2.0 * times)).sum(axis=1)


def _length_in_each_column(x, centres):
    return np.repeat(_distances(x, centres)[:, :, None], x.shape[1], axis=2)


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
    stages=NETWORK,
    addends=addends,
    properties=(
        Property(
            "not_flat_far_away",
            "Far from all centres J is zero: the network is flat there.",
            "Far from all centres every φ_m(x) is zero, the network is constant, and its slope is "
            "zero. Yours is not.",
            _flat_far_away,
            suspects=(("terms", "Does each term of your sum contain φ_m(x)?"),),
        ),
        Property(
            "difference_quotient",
            "J is the derivative itself, no quotient of differences.",
            "You return differences of f divided by a step of x. Such a quotient only approximates the derivative, and yours "
            "deviates visibly. The formula (17) has no step: differentiate exp(-|x - μ_m|²/(2σ²)) on paper.",
            _is_no_quotient,
        ),
        Property(
            "not_slope",
            "J agrees with differences of f: (f(x + h) - f(x - h)) / 2h, along each coordinate.",
            "J is not the slope of f: (f(x + h) - f(x - h)) / 2h along each latent coordinate "
            "gives another value.",
            _is_slope,
            suspects=(
                ("basis", "Take one basis function, and draw it: is it a hill over its centre?"),
                (
                    "terms",
                    "With one centre and one position, is J a column w times a row, with d rows and q columns?",
                ),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "outer_turned",
            "You add matrices of q rows and d columns, np.outer(μ_m - x, w_m), where d rows and q columns belong. The column is w_m, the row "
            "(μ_m - x)ᵀ: np.outer(w_m, μ_m - x). Where d = q no error would tell you.",
            _looped(lambda W, v, n, m: np.outer(v, W[m])),
        ),
        Misconception(
            "entry_by_entry",
            "You multiply w_m and μ_m - x entry by entry. One has d numbers, the other q. Each of the first "
            "must meet each of the second: a column times a row, np.outer(w_m, μ_m - x).",
            _looped(lambda W, v, n, m: W[m] * v),
        ),
        Misconception(
            "inner_product",
            "You take an inner product of w_m and μ_m - x. One has d numbers, the other q, and J needs all their "
            "products: a column times a row, np.outer(w_m, μ_m - x).",
            _looped(lambda W, v, n, m: W[m] @ v),
        ),
        Misconception(
            "weight_of_position",
            "You take the weights w_n with the number n of the position. A weight belongs to a basis function: w_m, "
            "with the same m as φ_m and μ_m.",
            _looped(lambda W, v, n, m: np.outer(W[n], v)),
        ),
        Misconception(
            "points_away",
            "J has the wrong sign: you have x - μ_m where (17) has μ_m - x. A basis function is a "
            "hill over its centre, so it rises from x towards μ_m.",
            NETWORK(toward=lambda x, centres: -toward(x, centres)),
        ),
        Misconception(
            "transposed",
            "For each position you have a matrix of q rows and d columns. J_kl = ∂f_k/∂x_l: rows "
            "are the d coordinates of the data, columns the q latent ones. Then J p is a step in "
            "data space.",
            NETWORK(J=lambda sums, width: J(sums, width).transpose(0, 2, 1)),
        ),
        Misconception(
            "reshaped",
            "You have matrices of q rows and d columns, and reshape them to d rows and q columns: "
            "that keeps the numbers in their old order. A transpose exchanges the axes.",
            NETWORK(J=lambda sums, width: J(sums.transpose(0, 2, 1).reshape(sums.shape), width)),
        ),
        Misconception(
            "width_forgotten",
            "The factor 1/σ² in front of the sum is missing. It comes from the chain rule: the exponent "
            "is -|x - μ_m|²/(2σ²). Narrow hills are steep.",
            NETWORK(J=lambda sums: sums),
        ),
        Misconception(
            "width_not_squared",
            "You divide the sum by σ and not by σ². Check the units: f per unit of x. The bracket "
            "(μ_m - x) has the unit of x, so divide it by σ squared.",
            NETWORK(J=lambda sums, width: sums / width),
        ),
        Misconception(
            "half_kept",
            "J has a factor 1/2 too many. Differentiating the square in the exponent gives a "
            "factor 2, which cancels the 2 of 2σ².",
            NETWORK(J=lambda sums, width: sums / (2 * width**2)),
        ),
        Misconception(
            "two_kept",
            "J has a factor 2 too many. The square in the exponent gives a 2, but the exponent has "
            "a 1/2 too, and the two cancel in (17); a central difference is divided by twice its "
            "step.",
            NETWORK(J=lambda sums, width: 2 * sums / width**2),
        ),
        Misconception(
            "mean_over_centres",
            "You take the mean over the centres. The network (13) is a sum of M terms, so its "
            "slope is a sum of M slopes.",
            NETWORK(sums=lambda terms: terms.mean(axis=1)),
        ),
        Misconception(
            "half_missing",
            "Your basis functions are exp(-|x - μ_m|²/σ²). The 1/2 in the exponent (13) is missing, so the "
            "hills are too narrow.",
            NETWORK(basis=lambda squares, width: np.exp(-squares / width**2)),
        ),
        Misconception(
            "exponent_width_not_squared",
            "In the exponent you divide by 2σ and not by 2σ². The distance is squared there, so "
            "must be the width.",
            NETWORK(basis=lambda squares, width: np.exp(-squares / (2 * width))),
        ),
        Misconception(
            "exponent_width_forgotten",
            "The width σ is missing in the exponent of your basis functions: (13) has |x - μ_m|²/(2σ²).",
            NETWORK(basis=lambda squares: np.exp(-squares / 2)),
        ),
        Misconception(
            "exponent_width_multiplied",
            "In the exponent you multiply by σ²: without brackets, a / 2 * b is (a / 2) * b. It is |x - μ_m|² "
            "over all of 2σ².",
            NETWORK(basis=lambda squares, width: np.exp(-squares / 2 * width**2)),
        ),
        Misconception(
            "two_squared_too",
            "In the exponent you divide by (2σ)², which is 4σ². Only σ is squared: 2σ².",
            NETWORK(basis=lambda squares, width: np.exp(-squares / (2 * width) ** 2)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square. exp(-|x - μ_m|...) has a kink at "
            "the centre; the hill of (13) is round.",
            NETWORK(squares=_distances),
        ),
        Misconception(
            "exponent_positive",
            "Your exponent has no minus: exp(+|x - μ_m|²/(2σ²)) grows away from its centre. A "
            "basis function is 1 at its centre and falls from there.",
            NETWORK(basis=lambda squares, width: np.exp(squares / (2 * width**2))),
        ),
        Misconception(
            "basis_forgotten",
            "The factor φ_m(x) is missing: you sum w_m (μ_m - x)ᵀ/σ². The derivative of exp(u) is "
            "exp(u) times that of u, so the exponential remains.",
            NETWORK(basis=lambda squares: np.ones_like(squares)),
        ),
        Misconception(
            "hill_of_one_coordinate",
            "For the slope along coordinate l your hill uses only the difference in that coordinate. The height φ_m(x) "
            "depends on the whole distance |x - μ_m|, whatever the direction of the slope. With q = 1 both agree.",
            NETWORK(terms=_hills_of_one_coordinate),
        ),
        Misconception(
            "density_constant",
            "You divide the basis functions by a constant, as in the Gaussian density with area one. In (13) φ_m is 1 "
            "at its centre.",
            NETWORK(
                basis=lambda squares, width, x: (
                    basis(squares, width) / (np.sqrt(2 * np.pi) * width) ** x.shape[1]
                )
            ),
        ),
        Misconception(
            "density_constant_of_one",
            "You divide the basis functions by σ√(2π), as in a Gaussian density. In (13) φ_m is 1 at its centre.",
            NETWORK(
                basis=lambda squares, width: basis(squares, width) / (np.sqrt(2 * np.pi) * width)
            ),
        ),
        Misconception(
            "slope_of_weighted_mean",
            "This is the slope of kernel regression, a mean with weights φ_m that are divided by their sum. The network (13) is "
            "a plain sum, so its slope has no divisor.",
            NETWORK(terms=_slope_of_the_quotient),
        ),
        Misconception(
            "normalised",
            "You divide the basis functions by their sum, as in kernel regression. The network (13) does "
            "not: its weights w_m are fitted instead, and φ_m stands alone.",
            NETWORK(basis=_normalised),
        ),
        Misconception(
            "position_forgotten",
            "Your bracket contains μ_m alone. It must be μ_m - x: the position of the centre "
            "relative to x, not to the origin.",
            NETWORK(toward=lambda x, centres: centres[None]),
        ),
        Misconception(
            "unit_vectors",
            "You scale the direction towards the centre to length one. The bracket (μ_m - x) "
            "keeps its length: a hill is level at its centre.",
            NETWORK(toward=_unit_vectors),
        ),
        Misconception(
            "first_position",
            "Your slopes are those of the first position, at all positions. Each x has its own J: "
            "loop over the rows of `x`.",
            NETWORK(squares=_first_for_all(squares), toward=_first_for_all(toward)),
        ),
        Misconception(
            "last_centre",
            "Only the last centre is left in your J. Each round of the inner loop overwrites the "
            "previous result: add to it.",
            NETWORK(sums=lambda terms: terms[:, -1]),
        ),
        Misconception(
            "divided_each_time",
            "You divide all of J by σ² in every round of the loop over positions, so the first "
            "rows are divided again and again. Divide once: after the loop, or each J[n] by "
            "itself.",
            NETWORK(J=_divided_each_time),
        ),
        Misconception(
            "divided_at_each_centre",
            "You divide J by σ² in every round of the loop over centres, so the first terms are "
            "divided again and again. Divide once, after that loop.",
            NETWORK(sums=_divided_at_each_centre),
        ),
        Misconception(
            "positions_summed",
            "You sum over the positions, too, so that a single matrix is left. Each position has "
            "its own matrix: the sum of (17) runs over m alone.",
            NETWORK(J=lambda sums, width: J(sums, width).sum(axis=0)),
        ),
        Misconception(
            "sums_multiplied",
            "You sum over m twice, in f and in the brackets, and multiply the sums. A sum of "
            "products is not a product of sums. Each term has w_m, φ_m and (μ_m - x) of the same "
            "m.",
            NETWORK(
                sums=lambda basis, W, toward: (basis @ W)[:, :, None] * toward.sum(axis=1)[:, None]
            ),
        ),
        Misconception(
            "weights_summed",
            "You sum the weights first. Each basis function has its own w_m: multiply it by φ_m "
            "and (μ_m - x) of the same m, and sum over m last.",
            NETWORK(
                terms=lambda basis, W, toward: terms(
                    basis, np.tile(W.sum(axis=0), (len(W), 1)), toward
                )
            ),
        ),
        Misconception(
            "all_divided_at_each_centre",
            "You divide the whole of J by σ² in every round of the loop over centres, so all "
            "that is there already is divided again and again. Divide once, after both loops.",
            NETWORK(sums=_all_divided_at_each_centre, J=lambda sums: sums),
        ),
        Misconception(
            "first_centre_forgotten",
            "Centre 0 is not in your sum. Where does your loop over the centres begin? In "
            "Python the first row is number 0.",
            NETWORK(sums=lambda terms: terms[:, 1:].sum(axis=1)),
        ),
        Misconception(
            "last_centre_forgotten",
            "The last centre is not in your sum. Where does your loop over the centres end? "
            "range(M) already stops before M.",
            NETWORK(sums=lambda terms: terms[:, :-1].sum(axis=1)),
        ),
        Misconception(
            "length_for_vector",
            "You multiply by the length |μ_m - x|. The bracket (μ_m - x) is a vector: the slope"
            " has a direction.",
            NETWORK(toward=_length_in_each_column),
        ),
    ),
    hints=(
        "One basis function first, in one latent dimension: what is the derivative of exp(-(x - "
        "μ)²/(2σ²)) in x? Where must it be zero, and on which side of μ is it positive?",
        "For one position J is a d x q matrix: the sum over m of the column w_m times the row "
        "(μ_m - x)ᵀ, weighted by φ_m(x), all divided by σ². Column times row is np.outer.",
        "Two loops: over positions n and over centres m. In the inner one, toward is μ_m - x_n, "
        "phi is exp of minus its squared length over 2σ²; add phi times the outer product of w_m and "
        "toward to J[n]. Divide by σ² once, at the end.",
    ),
)
