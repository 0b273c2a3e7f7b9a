"""The gradient of the error of stochastic neighbour embedding."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.texts import exercise
from ukrlearn.checks.trials import SIZES, data, mirrored
from ukrlearn.sgd import neighbor_embedding


def reference(X, P):
    return neighbor_embedding.neighbor_embedding_error(X, P)[1]


def trials(seed):
    random = np.random.default_rng(seed)
    X, P = np.array([[0.0], [1.0], [3.0]]), np.array([[2.0, 2, 0], [1, 2, 1], [1, 0, 3]]) / 4
    made = [Trial("three points", dict(X=X, P=P))]
    X = np.array([[0.0, 0], [1, 0], [0, 2]])
    made.append(Trial("three points of the plane", dict(X=X, P=P)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        P = neighbor_embedding.neighbor_probabilities(Y, random.uniform(0.5, 2) * Y.var())
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X, P=P)))
    centred, Z = mirrored(random, 3, 2), mirrored(random, 3, 3)
    equal = dict(X=centred, P=neighbor_embedding.neighbor_probabilities(Z, 1.5))
    made.append(Trial("centred points, some of them equal", equal))
    P = neighbor_embedding.neighbor_probabilities(Y, 0.2)
    made.append(Trial("probabilities that are nearly zero", dict(X=X, P=P)))
    made.append(Trial("latent points close together", dict(X=0.02 * X, P=P)))
    nearest = np.sqrt(GRADIENT.squares(X) + np.diag(np.full(N, np.inf))).min(axis=1)
    made.append(Trial("latent points far from each other", dict(X=X * 4.5 / nearest.max(), P=P)))
    made.append(Trial("latent points far from the origin", dict(X=X + 50, P=P)))
    return made


GRADIENT = pipeline(
    "X P",
    squares=lambda X: np.sum((X[:, None] - X) ** 2, axis=2),
    kernels=lambda squares: np.exp(-squares),
    sums=lambda kernels: np.sum(kernels, axis=1, keepdims=True),
    Q=lambda kernels, sums: kernels / sums,
    W=lambda P, Q: P - Q,
    brackets=lambda W: W + W.T,
    own=lambda brackets, X: np.sum(brackets, axis=1, keepdims=True) * X,
    theirs=lambda brackets, X: brackets @ X,
    total=lambda own, theirs: own - theirs,
    gradient=lambda total: 2 / len(total) * total,
)


def addends(X, P):
    """The terms of (4): the four numbers in its bracket."""
    K = GRADIENT.kernels(GRADIENT.squares(X))
    choices = K / GRADIENT.sums(K)
    parts = {"P_il": P.T, "P_li": P, "Q_il": -choices.T, "Q_li": -choices}
    return {
        f"{words} (x_l - x_i)": GRADIENT.gradient(GRADIENT.own(part, X) - GRADIENT.theirs(part, X))
        for words, part in parts.items()
    }


def _with_brackets(change):
    """The brackets changed by (brackets, X) -> brackets, in both parts of the sum."""
    return dict(
        own=lambda brackets, X: GRADIENT.own(change(brackets, X), X),
        theirs=lambda brackets, X: GRADIENT.theirs(change(brackets, X), X),
    )


def _row_by_row(brackets, X):
    total = np.zeros(X.shape)
    for l in range(len(X)):
        total[l] = np.sum(brackets[l] * (X[l] - X), axis=0)
    return total


def _by_lengths(brackets, X):
    lengths = np.sqrt(GRADIENT.squares(X))
    return brackets / np.where(lengths > 0, lengths, 1)


def _of_pairs(P, Q):
    return (P + P.T) / (2 * len(P)) - Q


def _error(X, P):
    """(3) without the terms that X does not change."""
    t = GRADIENT.squares(X)
    return np.mean(np.sum(P * t, axis=1) + np.log(np.exp(-t).sum(axis=1)))


def _downhill(gradient, X, P):
    size = np.linalg.norm(gradient)
    step = 1e-4 * gradient / size if size > 0 else 0 * X
    X = X - X.mean(axis=0)
    return bool(_error(X - step, P) < _error(X + step, P))


MISTAKES = (
    GRADIENT.mistake("one_sum_for_all", sums=lambda kernels: np.sum(kernels)),
    GRADIENT.mistake("student_kernel", kernels=lambda squares: 1 / (1 + squares)),
    GRADIENT.mistake(
        "t_sne",
        kernels=lambda squares: 1 / (1 + squares),
        sums=lambda kernels: np.sum(kernels),
        W=_of_pairs,
        brackets=lambda W, kernels: W * kernels,
        gradient=lambda total: 4 * total,
    ),
    GRADIENT.mistake(
        "symmetric_sne",
        sums=lambda kernels: np.sum(kernels),
        W=_of_pairs,
        brackets=lambda W: W,
        gradient=lambda total: 4 * total,
    ),
    GRADIENT.mistake("kernel_times_bracket", brackets=lambda W, kernels: (W + W.T) * kernels),
    GRADIENT.mistake("choices_times_bracket", brackets=lambda W, Q: (W + W.T) * Q),
    GRADIENT.mistake(
        "earlier_points_only", **_with_brackets(lambda brackets, X: np.tril(brackets))
    ),
    GRADIENT.mistake("later_points_only", **_with_brackets(lambda brackets, X: np.triu(brackets))),
    GRADIENT.mistake("unit_directions", **_with_brackets(_by_lengths)),
    GRADIENT.mistake("mean_twice", gradient=lambda total: 2 / len(total) ** 2 * total),
    GRADIENT.mistake("columns_for_points", gradient=lambda total: 2 / total.shape[1] * total),
    GRADIENT.mistake("mean_of_choices", brackets=lambda P, Q: (P + P.T) / 2 - Q - Q.T),
    GRADIENT.mistake("p_once", brackets=lambda P, Q: P - Q - Q.T),
    GRADIENT.mistake("q_once", brackets=lambda P, Q: P + P.T - Q),
    GRADIENT.mistake("q_transpose_added", brackets=lambda P, Q: P + P.T - Q + Q.T),
    GRADIENT.mistake("logarithms", W=lambda P, Q: np.log(P) - np.log(Q)),
    GRADIENT.mistake("quotients", W=lambda P, Q: P / Q),
    GRADIENT.mistake("four_alone", gradient=lambda total: 4 * total),
    GRADIENT.mistake("data_choices", Q=lambda P: P),
    GRADIENT.mistake("divided_by_n", sums=lambda kernels: len(kernels)),
    GRADIENT.mistake("one_dimension", squares=lambda X: (X - X.T) ** 2),
    GRADIENT.mistake(
        "brackets_without_axis",
        total=lambda brackets, X: np.sum(brackets * (X[:, None] - X), axis=1),
    ),
    GRADIENT.mistake("row_of_brackets_flat", total=_row_by_row),
)


EXERCISE = exercise(
    "sne_gradient",
    lesson="14_neighbour_embedding",
    equations="[SGD] (1)-(4)",
    minutes=20,
    shapes={"X": "N q", "P": "N N"},
    returns={"gradient": "N q"},
    trials=trials,
    reference=reference,
    stages=GRADIENT,
    addends=addends,
    properties=(
        Property("not_translation_free", holds=lambda gradient, X, P: moves_nothing(gradient)),
        Property("not_rotation_free", holds=lambda gradient, X, P: turns_nothing(gradient, X)),
        Property("uphill", holds=_downhill),
    ),
    misconceptions=MISTAKES,
)
