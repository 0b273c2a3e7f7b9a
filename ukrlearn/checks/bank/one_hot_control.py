"""Kernel ridge regression of the labels themselves: the control without a manifold."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

SIZES = ((8, 3, 5, 3), (9, 2, 4, 4), (11, 4, 6, 2))  # N, d, M, C
CLOSE = 1e-3


def reference(Y, labels, new, gamma, penalty):
    return _made()(Y, labels, new, gamma, penalty)


def _kernel(A, B, gamma):
    return np.exp(-gamma * np.sum((A[:, None] - B) ** 2, axis=2))


def _one_hot(labels):
    return (labels[:, None] == np.unique(labels)).astype(float)


def _solved(K, Z, penalty):
    return np.linalg.solve(K + penalty * np.eye(len(K)), Z)


def _named(scores, labels):
    return np.unique(labels)[scores.argmax(axis=1)]


@staged
def _made(
    kernel=_kernel,
    targets=_one_hot,
    centre=lambda Z: Z.mean(axis=0),
    solved=_solved,
    scored=lambda K_new, W, mean: K_new @ W + mean,
    named=_named,
):
    """The reference with some of its stages exchanged."""

    def predicted(Y, labels, new, gamma, penalty):
        Z = targets(labels)
        mean = centre(Z)
        W = solved(kernel(Y, Y, gamma), Z - mean, penalty)
        scores = scored(kernel(new, Y, gamma), W, mean)
        return scores, named(scores, labels)

    return predicted


def trials(seed):
    random = np.random.default_rng(seed)
    line = dict(
        Y=np.array([[0.0], [8.0], [16.0]]), labels=np.array([7, 7, 3]),
        new=np.array([[16.0], [30.0]]), gamma=1.0, penalty=0.5,
    )  # fmt: skip
    made = [Trial("three points far from each other", line)]
    for N, d, M, C in SIZES:
        arguments = _drawn(random, N, d, M, C)
        made.append(Trial(f"N = {N}, d = {d}, M = {M}, C = {C}", arguments))
    Y, new = arguments["Y"], arguments["new"]
    made.append(Trial("a hundred times the penalty", {**arguments, "penalty": 30.0}))
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


def _mean_only_added(Y, labels, new, gamma, penalty):
    Z = _one_hot(labels)
    W = _solved(_kernel(Y, Y, gamma), Z, penalty)
    scores = _kernel(new, Y, gamma) @ W + Z.mean(axis=0)
    return scores, _named(scores, labels)


def _normalised(A, B, gamma):
    K = _kernel(A, B, gamma)
    return K / np.maximum(K.sum(axis=1, keepdims=True), 1e-300)


def _of_distance(A, B, gamma):
    return np.exp(-gamma * np.sqrt(np.sum((A[:, None] - B) ** 2, axis=2)))


def _softmax(scores):
    grown = np.exp(scores - scores.max(axis=1, keepdims=True))
    return grown / grown.sum(axis=1, keepdims=True)


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


EXERCISE = Exercise(
    name="one_hot_control",
    title="The control without a manifold",
    lesson="29_labels_inside",
    equations="[SI] 1, its control",
    minutes=20,
    shapes={"Y": "N d", "labels": "N", "new": "M d", "gamma": "", "penalty": ""},
    returns={"scores": "M C", "classes": "M"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "shares_far_away",
            "Far from all data the scores are the shares of the classes.",
            "Far from all data your scores are not the shares of the classes in the training labels. "
            "There all kernel values are zero, so only what you add to K W remains: the column means "
            "of the one-hot labels.",
            _shares_far_away,
        ),
        Property(
            "sum_to_one",
            "The scores of every new point add up to one.",
            "The scores of a point do not add up to one. Each row of the one-hot labels does, their "
            "means do, and the map is linear in them. Check the labels, then the means.",
            _sum_to_one,
        ),
        Property(
            "argmax_is_told",
            "The class is the one with the greatest score.",
            "Your classes are not those with the greatest of your scores. Column c of the scores "
            "belongs to np.unique(labels)[c].",
            _argmax_is_told,
        ),
    ),
    misconceptions=(
        Misconception(
            "index_told",
            "You return the number of the column with the greatest score, not the label. Column c "
            "belongs to np.unique(labels)[c].",
            _made(named=lambda scores, labels: scores.argmax(axis=1)),
        ),
        Misconception(
            "order_of_appearance",
            "Your columns are in the order in which labels first appear. They should be sorted, as "
            "np.unique(labels) gives them, so that everyone reads the same column.",
            _made(
                targets=lambda labels: (labels[:, None] == list(dict.fromkeys(labels))).astype(
                    float
                ),
                named=lambda scores, labels: np.array(list(dict.fromkeys(labels)))[
                    scores.argmax(axis=1)
                ],
            ),
        ),
        Misconception(
            "least_score",
            "You take the class with the smallest score. A score near 1 speaks for its class.",
            _made(named=lambda scores, labels: np.unique(labels)[scores.argmin(axis=1)]),
        ),
        Misconception(
            "not_centred",
            "You regress the ones and zeros as they are. First subtract the mean of each column, and "
            "add it to the scores afterwards: otherwise all scores far from the data are zero.",
            _made(centre=lambda Z: np.zeros(Z.shape[1])),
        ),
        Misconception(
            "mean_not_added",
            "You subtract the column means before the regression, but do not add them to the scores.",
            _made(scored=lambda K_new, W, mean: K_new @ W),
        ),
        Misconception(
            "mean_only_added",
            "You add the column means to the scores but did not subtract them before the regression. "
            "They count twice near the data.",
            _mean_only_added,
        ),
        Misconception(
            "one_mean",
            "You subtract one number from all columns, the mean of the whole matrix: 1 over the number "
            "of classes. Every class has its own share: use the mean of each column.",
            _made(centre=lambda Z: np.full(Z.shape[1], Z.mean())),
        ),
        Misconception(
            "penalty_forgotten",
            "The penalty is missing: K W = Z passes exactly through the labels, the wrong ones "
            "included. Add λ on the diagonal of K.",
            _made(solved=lambda K, Z, penalty: np.linalg.lstsq(K, Z, rcond=None)[0]),
        ),
        Misconception(
            "penalty_everywhere",
            "You add λ to every entry of K. λI has it on the diagonal only: penalty * np.eye(N).",
            _made(solved=lambda K, Z, penalty: np.linalg.lstsq(K + penalty, Z, rcond=None)[0]),
        ),
        Misconception(
            "penalty_times_n",
            "You multiply the penalty by N. Some textbooks do; here the system is K + λI.",
            _made(solved=lambda K, Z, penalty: _solved(K, Z, len(K) * penalty)),
        ),
        Misconception(
            "penalty_squared",
            "You square the penalty. The system is K + λI.",
            _made(solved=lambda K, Z, penalty: _solved(K, Z, penalty**2)),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λI from K. Add it: it makes the weights smaller and the system stable.",
            _made(solved=lambda K, Z, penalty: _solved(K, Z, -penalty)),
        ),
        Misconception(
            "one_instead_of_penalty",
            "You add the identity matrix without its factor λ.",
            _made(solved=lambda K, Z, penalty: _solved(K, Z, 1.0)),
        ),
        Misconception(
            "no_system",
            "You multiply kernel values with the labels and never solve a system. The weights are "
            "W = (K + λI)⁻¹ Z.",
            _made(solved=lambda K, Z, penalty: Z),
        ),
        Misconception(
            "not_squared",
            "The exponent has the distance, not its square: K = exp(-γ |y - y'|²).",
            _made(kernel=_of_distance),
        ),
        Misconception(
            "gamma_forgotten",
            "γ is missing in the exponent: K = exp(-γ |y - y'|²).",
            _made(kernel=lambda A, B, gamma: _kernel(A, B, 1.0)),
        ),
        Misconception(
            "gamma_divides",
            "You divide the squared distance by γ. γ multiplies it: a greater γ is a narrower kernel.",
            _made(kernel=lambda A, B, gamma: _kernel(A, B, 1 / gamma)),
        ),
        Misconception(
            "gamma_as_width",
            "You use γ as a width, exp(-t / 2γ²). Here γ multiplies the squared distance t: exp(-γ t).",
            _made(kernel=lambda A, B, gamma: _kernel(A, B, 1 / (2 * gamma**2))),
        ),
        Misconception(
            "gamma_halved",
            "You have a factor ½ in the exponent. K is exp(-γ t), with the squared distance t.",
            _made(kernel=lambda A, B, gamma: _kernel(A, B, gamma / 2)),
        ),
        Misconception(
            "gamma_squared",
            "You square γ. K is exp(-γ t), with the squared distance t.",
            _made(kernel=lambda A, B, gamma: _kernel(A, B, gamma**2)),
        ),
        Misconception(
            "normalised",
            "You divide kernel values by the sum of their row. That is kernel regression, the weighted "
            "mean; in ridge regression the system finds the weights.",
            _made(kernel=_normalised),
        ),
        Misconception(
            "plus_and_minus",
            "You code the classes by +1 and -1. That has the same greatest scores, but the scores asked "
            "for are those of ones and zeros: shares, which add up to one.",
            _made(targets=lambda labels: 2 * _one_hot(labels) - 1),
        ),
        Misconception(
            "softmax",
            "You send the scores through a softmax. They add up to one without it; return them as they "
            "come from the regression.",
            _made(scored=lambda K_new, W, mean: _softmax(K_new @ W + mean)),
        ),
        Misconception(
            "clipped",
            "You cut the scores off at 0 and 1. Scores outside are no mistake of a regression: return "
            "them as they are.",
            _made(scored=lambda K_new, W, mean: np.clip(K_new @ W + mean, 0, 1)),
        ),
        Misconception(
            "standardised_targets",
            "You divide the columns by their standard deviation. Only subtract the means.",
            _made(
                targets=lambda labels: _one_hot(labels) / _one_hot(labels).std(axis=0),
                centre=lambda Z: Z.mean(axis=0),
            ),
        ),
        Misconception(
            "turned",
            "You return the classes first. The order is scores, classes.",
            lambda *given: reference(*given)[::-1],
        ),
        Misconception(
            "not_centred_index",
            "Two things: the means of the columns should be subtracted before and added after the "
            "regression; and column c belongs to the label np.unique(labels)[c].",
            _made(
                centre=lambda Z: np.zeros(Z.shape[1]),
                named=lambda scores, labels: scores.argmax(axis=1),
            ),
        ),
        Misconception(
            "mean_not_added_index",
            "Two things: add the column means back to the scores; and column c belongs to the label "
            "np.unique(labels)[c].",
            _made(
                scored=lambda K_new, W, mean: K_new @ W,
                named=lambda scores, labels: scores.argmax(axis=1),
            ),
        ),
    ),
    hints=(
        "How do you ask a regression for a class? Give it a column for each class, with a 1 where the "
        "label is this class. What does a prediction of 0.9 in one column mean?",
        "Z has a column for each entry of np.unique(labels). With z the means of its columns: "
        "W = (K + λI)⁻¹ (Z - z), and the scores of new points are K_new W + z. K compares training "
        "points with each other, K_new new points with training points.",
        "With classes = np.unique(labels), let Z = (labels[:, None] == classes).astype(float). A function "
        "kernel(A, B) gives np.exp(-gamma * squared distances). Use np.linalg.solve with "
        "kernel(Y, Y) + penalty * np.eye(len(Y)), and classes[scores.argmax(axis=1)].",
    ),
)
