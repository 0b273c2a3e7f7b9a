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
    nearest = np.sqrt(squares(X) + np.diag(np.full(N, np.inf))).min(axis=1)
    made.append(Trial("latent points far from each other", dict(X=X * 4.5 / nearest.max(), P=P)))
    made.append(Trial("latent points far from the origin", dict(X=X + 50, P=P)))
    return made


def squares(X):
    """the squared distances |x_i - x_j|²"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def kernels(squares):
    """the kernel values exp(-|x_i - x_j|²)"""
    return np.exp(-squares)


def sums(kernels):
    """the row sums of the kernel values"""
    return np.sum(kernels, axis=1, keepdims=True)


def Q(kernels, sums):
    """Q"""
    return kernels / sums


def W(P, Q):
    """P - Q"""
    return P - Q


def brackets(W):
    """the brackets of (4)"""
    return W + W.T


def own(brackets, X):
    """the part of the sum with x_l"""
    return np.sum(brackets, axis=1, keepdims=True) * X


def theirs(brackets, X):
    """the part of the sum with the x_i"""
    return brackets @ X


def total(own, theirs):
    """the sum over i"""
    return own - theirs


def gradient(total):
    """the gradient, the sum times 2/N"""
    return 2 / len(total) * total


GRADIENT = pipeline("X P", squares, kernels, sums, Q, W, brackets, own, theirs, total, gradient)


def addends(X, P):
    """The terms of (4): the four numbers in its bracket."""
    K = kernels(squares(X))
    choices = K / sums(K)
    parts = {"P_il": P.T, "P_li": P, "Q_il": -choices.T, "Q_li": -choices}
    return {
        f"{words} (x_l - x_i)": gradient(own(part, X) - theirs(part, X))
        for words, part in parts.items()
    }


def _with_brackets(change):
    """The brackets changed by (brackets, X) -> brackets, in both parts of the sum."""
    return dict(
        own=lambda brackets, X: own(change(brackets, X), X),
        theirs=lambda brackets, X: theirs(change(brackets, X), X),
    )


def _row_by_row(brackets, X):
    total = np.zeros(X.shape)
    for l in range(len(X)):
        total[l] = np.sum(brackets[l] * (X[l] - X), axis=0)
    return total


def _by_lengths(brackets, X):
    lengths = np.sqrt(squares(X))
    return brackets / np.where(lengths > 0, lengths, 1)


def _of_pairs(P, Q):
    return (P + P.T) / (2 * len(P)) - Q


def _zero_diagonal(K):
    return K - np.diag(np.diag(K))


def _error(X, P):
    """(3) without the terms that X does not change."""
    t = squares(X)
    return np.mean(np.sum(P * t, axis=1) + np.log(np.exp(-t).sum(axis=1)))


def _downhill(gradient, X, P):
    size = np.linalg.norm(gradient)
    step = 1e-4 * gradient / size if size > 0 else 0 * X
    X = X - X.mean(axis=0)
    return bool(_error(X - step, P) < _error(X + step, P))


MISTAKES = (
    GRADIENT.mistake("half_in_kernel", kernels=lambda squares: np.exp(-squares / 2)),
    GRADIENT.mistake("distance_not_squared", squares=lambda X: np.sqrt(squares(X))),
    GRADIENT.mistake("not_normalised", Q=lambda kernels: kernels),
    GRADIENT.mistake("one_sum_for_all", sums=lambda kernels: np.sum(kernels)),
    GRADIENT.mistake("itself_excluded", kernels=lambda squares: _zero_diagonal(np.exp(-squares))),
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
        "t_sne_without_itself",
        kernels=lambda squares: _zero_diagonal(1 / (1 + squares)),
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
    GRADIENT.mistake("own_choices_only", brackets=lambda W: W),
    GRADIENT.mistake("others_choices_only", brackets=lambda W: W.T),
    GRADIENT.mistake("choices_doubled", brackets=lambda W: 2 * W),
    GRADIENT.mistake("choices_subtracted", brackets=lambda W: W - W.T),
    GRADIENT.mistake("added", W=lambda P, Q: P + Q),
    GRADIENT.mistake("pull_only", W=lambda P: P),
    GRADIENT.mistake("kernel_times_bracket", brackets=lambda W, kernels: (W + W.T) * kernels),
    GRADIENT.mistake("choices_times_bracket", brackets=lambda W, Q: (W + W.T) * Q),
    GRADIENT.mistake(
        "t_sne_by_rows",
        kernels=lambda squares: 1 / (1 + squares),
        brackets=lambda W, kernels: (W + W.T) * kernels,
    ),
    GRADIENT.mistake("centre_forgotten", own=lambda X: 0 * X),
    GRADIENT.mistake(
        "not_added_up",
        own=lambda brackets, X: brackets[:, -1:] * X,
        theirs=lambda brackets, X: brackets[:, -1:] * X[-1],
    ),
    GRADIENT.mistake(
        "earlier_points_only", **_with_brackets(lambda brackets, X: np.tril(brackets))
    ),
    GRADIENT.mistake("later_points_only", **_with_brackets(lambda brackets, X: np.triu(brackets))),
    GRADIENT.mistake("city_block", squares=lambda X: np.sum(np.abs(X[:, None] - X), axis=2) ** 2),
    GRADIENT.mistake("centre_once", own=lambda X: X),
    GRADIENT.mistake("sums_of_positions", total=lambda own, theirs: own + theirs),
    GRADIENT.mistake("unit_directions", **_with_brackets(_by_lengths)),
    GRADIENT.mistake("mean_forgotten", gradient=lambda total: 2 * total),
    GRADIENT.mistake("front_forgotten", gradient=lambda total: total),
    GRADIENT.mistake("mean_twice", gradient=lambda total: 2 / len(total) ** 2 * total),
    GRADIENT.mistake("columns_for_points", gradient=lambda total: 2 / total.shape[1] * total),
    GRADIENT.mistake("two_missing", gradient=lambda total: total / len(total)),
    GRADIENT.mistake("mean_of_choices", brackets=lambda P, Q: (P + P.T) / 2 - Q - Q.T),
    GRADIENT.mistake("p_once", brackets=lambda P, Q: P - Q - Q.T),
    GRADIENT.mistake("q_once", brackets=lambda P, Q: P + P.T - Q),
    GRADIENT.mistake("q_transpose_added", brackets=lambda P, Q: P + P.T - Q + Q.T),
    GRADIENT.mistake("logarithms", W=lambda P, Q: np.log(P) - np.log(Q)),
    GRADIENT.mistake("quotients", W=lambda P, Q: P / Q),
    GRADIENT.mistake("sign_turned", total=lambda own, theirs: theirs - own),
    GRADIENT.mistake("factor_of_t_sne", gradient=lambda total: 4 / len(total) * total),
    GRADIENT.mistake("four_alone", gradient=lambda total: 4 * total),
    GRADIENT.mistake("entries_counted", gradient=lambda total: 2 / total.size * total),
    GRADIENT.mistake("divided_by_others", gradient=lambda total: 2 / (len(total) - 1) * total),
    GRADIENT.mistake("sign_missing", kernels=lambda squares: np.exp(squares)),
    GRADIENT.mistake("data_choices", Q=lambda P: P),
    GRADIENT.mistake("divided_by_n", sums=lambda kernels: len(kernels)),
    GRADIENT.mistake("squared_after_sum", squares=lambda X: np.sum(X[:, None] - X, axis=2) ** 2),
    GRADIENT.mistake(
        "absolute_differences", squares=lambda X: np.sum(np.abs(X[:, None] - X), axis=2)
    ),
    GRADIENT.mistake("first_coordinate_only", squares=lambda X: squares(X[:, :1])),
    GRADIENT.mistake("mean_of_squares", squares=lambda X: np.mean((X[:, None] - X) ** 2, axis=2)),
    GRADIENT.mistake("one_dimension", squares=lambda X: (X - X.T) ** 2),
    GRADIENT.mistake("row_sums_flat", own=lambda brackets, X: brackets.sum(axis=1) * X),
    GRADIENT.mistake(
        "brackets_without_axis",
        total=lambda brackets, X: np.sum(brackets * (X[:, None] - X), axis=1),
    ),
    GRADIENT.mistake("row_of_brackets_flat", total=_row_by_row),
    GRADIENT.mistake("entries_for_product", theirs=lambda brackets, X: brackets * X),
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
