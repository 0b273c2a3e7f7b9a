"""The slope of the quartic kernel, and the matrix P that it makes."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.density_kernels import quartic
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.mistakes import without_diagonal
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data, mirrored


def reference(X):
    t = cdist(X, X, "sqeuclidean")
    K, steepness = quartic.with_steepness(t.copy())
    return quartic.slope(t), steepness / K.sum(axis=1, keepdims=True)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three points", dict(X=np.array([[0.0], [0.5], [2.0]])))]
    X = np.array([[0.0, 0.0], [0.75, 0.75], [0.5, 0.0]])  # whole numbers would be out of reach
    made.append(Trial("three points of the plane", dict(X=X)))
    for N, _, q in SIZES:
        X, _ = data(random, N, 2, q)
        X = X / _distance_of_share(X, random.uniform(0.4, 0.6))
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X)))
    centred = mirrored(random, 3, 2)
    centred = centred / _distance_of_share(centred, 0.5)
    made.append(Trial("centred points, some of them equal", dict(X=centred)))
    made.append(Trial("points close together", dict(X=1e-2 * X)))
    made.append(Trial("latent space moved by 100", dict(X=X + 100)))
    alone = np.vstack([0.7 * X, X.max(axis=0) + 3])
    made.append(Trial("a single point", dict(X=alone)))
    return made


def _distance_of_share(X, share):
    """The distance that this share of the pairs does not reach."""
    return np.quantile(np.sqrt(QUARTIC.t(X)[np.triu_indices(len(X), 1)]), share)


QUARTIC = pipeline(
    "X",
    returns="slope P",
    t=lambda X: np.sum((X[:, None] - X) ** 2, axis=2),
    gaps=lambda t: 1 - t,
    brackets=lambda gaps: np.maximum(gaps, 0),
    K=lambda brackets: brackets**2,
    slopes=lambda brackets: -2 * brackets,
    numerators=lambda slopes: -2 * slopes,
    sums=lambda K: np.sum(K, axis=1, keepdims=True),
    slope=lambda slopes: slopes,
    P=lambda numerators, sums: numerators / sums,
)


def _mended(sums):
    return np.where(sums > 0, sums, 1)


def _box(gaps, X):
    return np.where((np.abs(X[:, None] - X) < 1).all(axis=2), gaps, 0)


def _by_coordinates(X):
    return np.prod(np.maximum(1 - (X[:, None] - X) ** 2, 0), axis=2)


WRONG_SLOPES = {  # each is made twice: P follows from it, or P was made by (36) and is right
    "slope_not_clipped": lambda gaps: -2 * gaps,
    "inner_derivative": lambda brackets: 2 * brackets,
    "two_missing": lambda brackets: -brackets,
    "two_and_sign_missing": lambda brackets: brackets,
    "power_kept": lambda K: -2 * K,
    "slope_as_for_gaussian": lambda K: -K / 2,
    "slope_by_distance": lambda t, brackets: -4 * np.sqrt(t) * brackets,
    "slope_by_distance_without_two": lambda t, brackets: -2 * np.sqrt(t) * brackets,
    "squared_distance_as_factor": lambda t, brackets: -2 * t * brackets,
    "flat_on_the_diagonal": lambda brackets: -2 * without_diagonal(brackets),
    "whole_numbers": lambda brackets: np.trunc(-2 * brackets),
}


def _holds_zeros(value, X):
    far = QUARTIC.t(X) > 1.0001
    return not any(np.abs(part[far]).any() for part in value)


def _slope_sign(value, X):
    return bool((value[0] <= 0).all())


def _P_sign(value, X):
    return bool((value[1] >= 0).all())


def _own_between(value, X):
    """With room for approximations, of which there is a better word."""
    own = np.diagonal(value[1])
    return bool((own > 3.9 / len(X)).all() and (own < 4.1).all())


MISTAKES = (
    *(
        mistake
        for id_, wrong in WRONG_SLOPES.items()
        for mistake in (
            QUARTIC.mistake(id_, slopes=wrong),
            QUARTIC.mistake(f"{id_}_alone", slope=wrong),
        )
    ),
    QUARTIC.mistake("not_clipped", brackets=lambda gaps: gaps),
    QUARTIC.mistake("clipped_after_square", K=lambda gaps: gaps**2),
    QUARTIC.mistake("kernel_for_slope", slope=lambda K: K),
    QUARTIC.mistake("of_distance", gaps=lambda t: 1 - np.sqrt(t)),
    QUARTIC.mistake("halved", gaps=lambda t: 1 - t / 2, slopes=lambda brackets: -brackets),
    QUARTIC.mistake("absolute_bracket", brackets=lambda gaps: np.abs(gaps)),
    QUARTIC.mistake("counted", brackets=lambda t: (t < 1).astype(float)),
    QUARTIC.mistake(
        "power_four", K=lambda brackets: brackets**4, slopes=lambda brackets: -4 * brackets**3
    ),
    QUARTIC.mistake(
        "t_squared_again", gaps=lambda t: 1 - t**2, slopes=lambda t, brackets: -4 * t * brackets
    ),
    QUARTIC.mistake("slope_normalised", slope=lambda slopes, sums: slopes / sums),
    QUARTIC.mistake("gaussian", K=lambda t: np.exp(-t / 2), slopes=lambda K: -K / 2),
    *QUARTIC.mistakes(
        "sums",
        all_in_one_sum=lambda K: np.sum(K),
        sum_of_roots=lambda brackets: np.sum(brackets, axis=1, keepdims=True),
        sum_without_itself=lambda K: np.sum(without_diagonal(K), axis=1, keepdims=True),
        rows_to_one=lambda numerators: np.sum(numerators, axis=1, keepdims=True),
        sums_of_slopes=lambda brackets: np.sum(-2 * brackets, axis=1, keepdims=True),
        sum_without_itself_mended=lambda K: _mended(
            np.sum(without_diagonal(K), axis=1, keepdims=True)
        ),
    ),
    QUARTIC.mistake("root_alone", numerators=lambda K: np.sqrt(K)),
    QUARTIC.mistake("root_of_weights", P=lambda K, sums: 4 * np.sqrt(K / sums)),
    QUARTIC.mistake("root_forgotten", numerators=lambda K: 4 * K),
    QUARTIC.mistake("P_is_B", numerators=lambda K: K),
    QUARTIC.mistake(
        "left_out_and_mended",
        brackets=lambda gaps: without_diagonal(np.maximum(gaps, 0)),
        P=lambda numerators, sums: numerators / _mended(sums),
    ),
    QUARTIC.mistake("halved_alone", gaps=lambda t: 1 - t / 2),
    QUARTIC.mistake("t_squared_alone", gaps=lambda t: 1 - t**2),
    QUARTIC.mistake(
        "kernel_cubed", K=lambda brackets: brackets**3, slopes=lambda brackets: -3 * brackets**2
    ),
    QUARTIC.mistake("box_support", brackets=_box),
    QUARTIC.mistake("product_of_coordinates", brackets=_by_coordinates),
    QUARTIC.mistake("one_dimension", t=lambda X: (X - X.T) ** 2),
)


EXERCISE = exercise(
    "quartic",
    lesson="10_digits",
    equations="[UKR] (27), (34), (36)",
    minutes=15,
    shapes={"X": "N q"},
    returns={"slope": "N N", "P": "N N"},
    trials=trials,
    reference=reference,
    stages=QUARTIC,
    properties=(
        Property("sees_too_far", holds=_holds_zeros),
        Property("slope_rises", holds=_slope_sign),
        Property("P_negative", holds=_P_sign),
        Property("own_entry", holds=_own_between),
    ),
    misconceptions=MISTAKES,
)
