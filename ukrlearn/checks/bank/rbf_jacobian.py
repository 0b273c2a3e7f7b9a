"""J, the slopes of a network of Gaussian basis functions, at many positions."""

import numpy as np

from ukrlearn.blocks import networks
from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

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


NETWORK = pipeline(
    "x centres width W",
    squares=lambda x, centres: np.sum((x[:, None] - centres) ** 2, axis=2),
    basis=lambda squares, width: np.exp(-squares / (2 * width**2)),
    toward=lambda x, centres: centres - x[:, None],
    terms=lambda basis, W, toward: basis[:, :, None, None] * W[:, :, None] * toward[:, :, None],
    sums=lambda terms: terms.sum(axis=1),
    J=lambda sums, width: sums / width**2,
)


# Mistakes in a stage


def _distances(x, centres):
    return np.sqrt(NETWORK.squares(x, centres))


def _normalised(squares, width):
    t = -squares / (2 * width**2)
    phi = np.exp(t - t.max(axis=1, keepdims=True))
    return phi / phi.sum(axis=1, keepdims=True)


def _unit_vectors(x, centres):
    away = NETWORK.toward(x, centres)
    size = np.linalg.norm(away, axis=2, keepdims=True)
    return np.divide(away, size, out=np.zeros_like(away), where=size > 0)


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
    return NETWORK.terms(shares, W - (shares @ W)[:, None], toward)


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
    phi = NETWORK.basis(NETWORK.squares(x, centres), width) / width**2
    return {
        "the sum of w_m φ_m μ_mᵀ / σ²": np.einsum("nm,md,mq->ndq", phi, W, centres),
        "the sum of w_m φ_m (-x)ᵀ / σ²": -(phi @ W)[:, :, None] * x[:, None],
    }


def _quotients(step, forward, x, centres, width, W):
    """Differences of f by differences of x; `forward` is 1, or -1 backwards, or 0 for both."""
    f = lambda x: NETWORK.basis(NETWORK.squares(x, centres), width) @ W
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
    far = np.sqrt(NETWORK.squares(x, centres)).min(axis=1) > FAR * width
    return bool((np.abs(J[far]) <= 1e-9 * np.abs(W).max() / width).all())


def _all_divided_at_each_centre(terms, width):
    """What `J /= width**2` does within both loops."""
    N, M = terms.shape[:2]
    times = (np.arange(N - 1, -1, -1)[:, None] * M + np.arange(M, 0, -1))[:, :, None, None]
    return (terms / width ** (2.0 * times)).sum(axis=1)


def _length_in_each_column(x, centres):
    return np.repeat(_distances(x, centres)[:, :, None], x.shape[1], axis=2)


MISTAKES = (
    Misconception("outer_turned", mistaken=_looped(lambda W, v, n, m: np.outer(v, W[m]))),
    Misconception("entry_by_entry", mistaken=_looped(lambda W, v, n, m: W[m] * v)),
    Misconception("inner_product", mistaken=_looped(lambda W, v, n, m: W[m] @ v)),
    Misconception("weight_of_position", mistaken=_looped(lambda W, v, n, m: np.outer(W[n], v))),
    NETWORK.mistake(
        "reshaped",
        J=lambda sums, width: NETWORK.J(sums.transpose(0, 2, 1).reshape(sums.shape), width),
    ),
    NETWORK.mistake("hill_of_one_coordinate", terms=_hills_of_one_coordinate),
    NETWORK.mistake("slope_of_weighted_mean", terms=_slope_of_the_quotient),
    NETWORK.mistake("normalised", basis=_normalised),
    NETWORK.mistake("position_forgotten", toward=lambda x, centres: centres[None]),
    NETWORK.mistake("unit_vectors", toward=_unit_vectors),
    NETWORK.mistake("last_centre", sums=lambda terms: terms[:, -1]),
    NETWORK.mistake("divided_each_time", J=_divided_each_time),
    NETWORK.mistake("divided_at_each_centre", sums=_divided_at_each_centre),
    NETWORK.mistake("positions_summed", J=lambda sums, width: NETWORK.J(sums, width).sum(axis=0)),
    NETWORK.mistake(
        "all_divided_at_each_centre", sums=_all_divided_at_each_centre, J=lambda sums: sums
    ),
    NETWORK.mistake("first_centre_forgotten", sums=lambda terms: terms[:, 1:].sum(axis=1)),
    NETWORK.mistake("last_centre_forgotten", sums=lambda terms: terms[:, :-1].sum(axis=1)),
    NETWORK.mistake("length_for_vector", toward=_length_in_each_column),
)


EXERCISE = exercise(
    "rbf_jacobian",
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
        Property("not_flat_far_away", holds=_flat_far_away),
        Property("difference_quotient", holds=_is_no_quotient),
        Property("not_slope", holds=_is_slope),
    ),
    misconceptions=MISTAKES,
)
