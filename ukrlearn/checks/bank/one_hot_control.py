"""Kernel ridge regression of the labels themselves: the control without a manifold."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

SIZES = ((8, 3, 5, 3), (9, 2, 4, 4), (11, 4, 6, 2))  # N, d, M, C
CLOSE = 1e-3


def reference(Y, labels, new, gamma, penalty):
    return CONTROL()(Y, labels, new, gamma, penalty)


def trials(seed):
    random = np.random.default_rng(seed)
    line = dict(
        Y=np.array([[0.0], [8.0], [16.0]]), labels=np.array([7, 7, 3]),
        new=np.array([[16.0], [30.0]]), gamma=1.0, penalty=0.5,
    )  # fmt: skip
    made = [Trial("three points far from each other", line)]
    centred = dict(
        Y=np.array([[-1.0], [0.0], [1.0], [-2.0], [2.0]]), labels=np.array([10, 9, 11, 9, 9]),
        new=np.array([[-3.0], [1.0]]), gamma=0.5, penalty=0.01,
    )  # fmt: skip
    made.append(Trial("five points around the origin, three classes", centred))
    plane = dict(
        Y=np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [2.0, -1.0]]),
        labels=np.array([-1, 2, 2, -1]), new=np.array([[1.0, 0.0], [0.0, 2.0]]),
        gamma=0.5, penalty=0.25,
    )  # fmt: skip
    made.append(Trial("four points in the plane, two of them equal", plane))
    for N, d, M, C in SIZES:
        arguments = _drawn(random, N, d, M, C)
        made.append(Trial(f"N = {N}, d = {d}, M = {M}, C = {C}", arguments))
    Y, new = arguments["Y"], arguments["new"]
    made.append(Trial("a hundred times the penalty", {**arguments, "penalty": 30.0}))
    few = {**made[4].arguments, "penalty": 0.001}
    made.append(Trial("four classes and hardly a penalty", few))
    made.append(Trial("a greater gamma", {**arguments, "gamma": 2.5}))
    middle = Y.mean(axis=0)
    around = {**arguments, "Y": Y - middle, "new": np.vstack([0 * middle, new[1:] - middle])}
    made.append(Trial("data around the origin", around))
    made.append(Trial("new points that are training points", {**arguments, "new": Y[:6]}))
    far = np.vstack([new[:3], new[:2] + 1e3])
    made.append(Trial("new points far from all data", {**arguments, "new": far}))
    twins = Y.copy()
    twins[1] = twins[0]
    made.append(Trial("equal points", {**arguments, "Y": twins}))
    return made


def _drawn(random, N, d, M, C):
    """Classes that overlap, of different sizes, with names that are neither 0, 1, 2 nor sorted."""
    names = random.permutation(np.array([4, -3, 9, 12])[:C])
    sizes = np.concatenate([np.arange(C), np.zeros(N - C, dtype=int)])  # the first is the greatest
    labels = names[random.permutation(sizes)]
    centres = random.normal(size=(C, d))
    place = {name: centre for name, centre in zip(names, centres, strict=True)}
    Y = np.array([place[label] for label in labels]) + 0.7 * random.normal(size=(N, d)) + 1
    new = centres[np.arange(M) % C] + 0.5 * random.normal(size=(M, d)) + 1
    gamma, penalty = random.uniform(0.3, 0.8), random.uniform(0.1, 0.4)
    return dict(Y=Y, labels=labels, new=new, gamma=float(gamma), penalty=float(penalty))


def squares(Y, new):
    """the squared distances to the training points"""
    points = np.vstack([Y, new])
    return np.sum((points[:, None] - Y) ** 2, axis=2)


CONTROL = pipeline(
    "Y labels new gamma penalty",
    returns="scores classes",
    squares=squares,
    kernels=lambda squares, gamma: np.exp(-gamma * squares),
    K=lambda kernels, Y: kernels[: len(Y)],
    K_new=lambda kernels, Y: kernels[len(Y) :],
    names=lambda labels: np.unique(labels),
    Z=lambda labels, names: (labels[:, None] == names).astype(float),
    means=lambda Z: np.mean(Z, axis=0),
    centred=lambda Z, means: Z - means,
    system=lambda K, penalty: K + penalty * np.eye(len(K)),
    W=lambda system, centred: np.linalg.solve(system, centred),
    products=lambda K_new, W: K_new @ W,
    scores=lambda products, means: products + means,
    classes=lambda scores, names: names[np.argmax(scores, axis=1)],
)


def _one_hot(labels):
    return CONTROL.Z(labels, CONTROL.names(labels))


def _named(scores, labels):
    return CONTROL.classes(scores, CONTROL.names(labels))


# Mistakes


def _least_squares(of_kernel):
    """The same where the matrix may be singular, for those who do not solve but use lstsq."""
    return CONTROL(
        system=of_kernel, W=lambda system, centred: np.linalg.lstsq(system, centred, rcond=None)[0]
    )


def _appearing(labels):
    return np.array(list(dict.fromkeys(labels.tolist())))


def _as_text(labels):
    return np.array(sorted(set(labels.tolist()), key=str))


def _filled(labels, names):
    filled = np.zeros((len(labels), len(names)))
    filled[np.arange(len(labels)), labels] = 1
    return filled


def _softmax(scores):
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


def _shares(values):
    return values / np.maximum(values.sum(axis=1, keepdims=True), 1e-300)


def _sum_to_one(result, **given):
    return bool(np.allclose(np.asarray(result[0]).sum(axis=1), 1, atol=CLOSE))


def _argmax_is_told(result, Y, labels, new, gamma, penalty):
    scores, classes = np.asarray(result[0]), np.asarray(result[1])
    return bool((classes == _named(scores, labels)).all())


def _shares_far_away(result, Y, labels, new, gamma, penalty):
    nearest = np.sum((new[:, None] - Y) ** 2, axis=2).min(axis=1)
    far = gamma * nearest > 50
    shares = _one_hot(labels).mean(axis=0)
    return bool(np.allclose(np.asarray(result[0])[far], shares, atol=CLOSE))


MISTAKES = (
    CONTROL.mistake("index_told", classes=lambda scores: scores.argmax(axis=1)),
    CONTROL.mistake("label_of_a_row", classes=lambda scores, labels: labels[scores.argmax(axis=1)]),
    CONTROL.mistake("order_of_appearance", names=_appearing),
    CONTROL.mistake("sorted_as_text", names=_as_text),
    CONTROL.mistake("sorted_downwards", names=lambda labels: CONTROL.names(labels)[::-1]),
    CONTROL.mistake("labels_as_rows", Z=lambda labels, names: np.eye(len(names))[labels]),
    CONTROL.mistake("labels_as_columns", Z=_filled),
    CONTROL.mistake("one_mean", means=lambda Z: np.full(Z.shape[1], Z.mean())),
    Misconception("penalty_forgotten", mistaken=_least_squares(lambda K: K)),
    Misconception("penalty_everywhere", mistaken=_least_squares(lambda K, penalty: K + penalty)),
    *CONTROL.mistakes(
        "system",
        penalty_times_n=lambda K, penalty: K + len(K) * penalty * np.eye(len(K)),
        penalty_over_n=lambda K, penalty: K + penalty / len(K) * np.eye(len(K)),
        penalty_squared=lambda K, penalty: K + penalty**2 * np.eye(len(K)),
        penalty_halved=lambda K, penalty: K + penalty / 2 * np.eye(len(K)),
        penalty_doubled=lambda K, penalty: K + 2 * penalty * np.eye(len(K)),
        penalty_subtracted=lambda K, penalty: K - penalty * np.eye(len(K)),
        penalty_divides=lambda K, penalty: K + np.eye(len(K)) / penalty,
        one_instead_of_penalty=lambda K: K + np.eye(len(K)),
        penalty_in_place_of_ones=lambda K, penalty: (
            K - np.diag(np.diag(K)) + penalty * np.eye(len(K))
        ),
    ),
    CONTROL.mistake("no_system", W=lambda centred: centred),
    CONTROL.mistake("multiplied_not_solved", W=lambda system, centred: system @ centred),
    CONTROL.mistake(
        "normal_equations",
        W=lambda K, penalty, centred: np.linalg.solve(
            K.T @ K + penalty * np.eye(len(K)), K.T @ centred
        ),
    ),
    *CONTROL.mistakes(
        "kernels",
        sign_missing=lambda squares, gamma: np.exp(gamma * squares),
        gamma_forgotten=lambda squares: np.exp(-squares),
        gamma_divides=lambda squares, gamma: np.exp(-squares / gamma),
        gamma_as_width=lambda squares, gamma: np.exp(-squares / (2 * gamma**2)),
        gamma_as_whole_width=lambda squares, gamma: np.exp(-squares / gamma**2),
        gamma_halved=lambda squares, gamma: np.exp(-gamma * squares / 2),
        gamma_squared=lambda squares, gamma: np.exp(-(gamma**2) * squares),
        kernel_forgotten=lambda squares: squares,
        normalised=lambda squares, gamma: _shares(CONTROL.kernels(squares, gamma)),
    ),
    CONTROL.mistake("new_normalised", K_new=lambda kernels, Y: _shares(CONTROL.K_new(kernels, Y))),
    CONTROL.mistake("plus_and_minus", Z=lambda labels, names: 2 * CONTROL.Z(labels, names) - 1),
    *CONTROL.mistakes(
        "scores",
        softmax=lambda products, means: _softmax(CONTROL.scores(products, means)),
        clipped=lambda products, means: np.clip(CONTROL.scores(products, means), 0, 1),
        rounded=lambda products, means: np.eye(len(means))[
            CONTROL.scores(products, means).argmax(axis=1)
        ],
    ),
    CONTROL.mistake(
        "standardised_and_not_undone", centred=lambda Z, means: (Z - means) / Z.std(axis=0)
    ),
    CONTROL.mistake("rows_centred", means=lambda Z: Z.mean(axis=1, keepdims=True)),
    CONTROL.mistake("gamma_forgotten_for_new", K_new=lambda squares, Y: np.exp(-squares[len(Y) :])),
)


EXERCISE = exercise(
    "one_hot_control",
    lesson="29_labels_inside",
    equations="[SI] 1, its control",
    minutes=20,
    shapes={"Y": "N d", "labels": "N", "new": "M d", "gamma": "", "penalty": ""},
    returns={"scores": "M C", "classes": "M"},
    trials=trials,
    reference=reference,
    stages=CONTROL,
    properties=(
        Property("shares_far_away", holds=_shares_far_away),
        Property("sum_to_one", holds=_sum_to_one),
        Property("argmax_is_told", holds=_argmax_is_told),
    ),
    misconceptions=MISTAKES,
)
