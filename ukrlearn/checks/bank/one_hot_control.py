"""Kernel ridge regression of the labels themselves: the control without a manifold."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

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


def kernels(squares, gamma):
    """the kernel values exp(-γ |y - y_n|²)"""
    return np.exp(-gamma * squares)


def K(kernels, Y):
    """the kernel matrix K of the training points"""
    return kernels[: len(Y)]


def K_new(kernels, Y):
    """the kernel values of the new points with the training points"""
    return kernels[len(Y) :]


def names(labels):
    """the labels of the columns"""
    return np.unique(labels)


def Z(labels, names):
    """the one-hot labels Z"""
    return (labels[:, None] == names).astype(float)


def means(Z):
    """the means of the columns of Z"""
    return np.mean(Z, axis=0)


def centred(Z, means):
    """the one-hot labels without the means of their columns"""
    return Z - means


def system(K, penalty):
    """the matrix K + λI"""
    return K + penalty * np.eye(len(K))


def W(system, centred):
    """the weights W"""
    return np.linalg.solve(system, centred)


def products(K_new, W):
    """the products of kernel values and weights"""
    return K_new @ W


def scores(products, means):
    """the scores"""
    return products + means


def classes(scores, names):
    """the classes"""
    return names[np.argmax(scores, axis=1)]


CONTROL = pipeline(
    "Y labels new gamma penalty",
    squares, kernels, K, K_new, names, Z, means, centred, system, W, products, scores, classes,
    returns="scores classes",
)  # fmt: skip


def _one_hot(labels):
    return Z(labels, names(labels))


def _named(scores, labels):
    return classes(scores, names(labels))


# Mistakes


def _kernel(of_squares):
    return CONTROL(kernels=of_squares)


def _system(of_kernel):
    return CONTROL(system=of_kernel)


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


AS_NUMBERS = (
    "You use the labels as numbers of rows or columns, but they are names: any whole numbers, here "
    "for instance 7 and 3. Compare them: labels[:, None] == np.unique(labels) has a column for each."
)
NO_PENALTY = (
    "The penalty is missing: K W = Z passes exactly through the labels, the wrong ones included. Add "
    "λ on the diagonal of K."
)
PENALTY_EVERYWHERE = (
    "You add λ to every entry of K. λI has it on the diagonal only: penalty * np.eye(N)."
)


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
    stages=CONTROL,
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
            "means do, and the map is linear in them.",
            _sum_to_one,
            (
                ("Z", "Has each row of your Z a single 1?"),
                ("means", "Are your means those of the columns of Z?"),
            ),
        ),
        Property(
            "argmax_is_told",
            "The class is the one with the greatest score.",
            "Your classes are not np.unique(labels)[c], c the column with the greatest of your "
            "scores.",
            _argmax_is_told,
        ),
    ),
    misconceptions=(
        Misconception(
            "index_told",
            "You return the number of the column with the greatest score, not the label. Column c "
            "belongs to np.unique(labels)[c].",
            CONTROL(classes=lambda scores: scores.argmax(axis=1)),
        ),
        Misconception(
            "label_of_a_row",
            "You look the class up in `labels`, whose entries belong to points. Column c of the "
            "scores belongs to np.unique(labels)[c].",
            CONTROL(classes=lambda scores, labels: labels[scores.argmax(axis=1)]),
        ),
        Misconception(
            "order_of_appearance",
            "Your columns are in the order in which labels first appear. They should be sorted, "
            "as np.unique(labels) gives them, so that everyone reads the same column.",
            CONTROL(names=_appearing),
        ),
        Misconception(
            "sorted_as_text",
            "You sort the labels as text, which has 12 before 4. Sort them as numbers, as "
            "np.unique(labels) does.",
            CONTROL(names=_as_text),
        ),
        Misconception(
            "sorted_downwards",
            "Your columns have the greatest label first. They should be sorted upwards, as "
            "np.unique(labels) gives them.",
            CONTROL(names=lambda labels: names(labels)[::-1]),
        ),
        Misconception(
            "labels_as_rows",
            AS_NUMBERS,
            CONTROL(Z=lambda labels, names: np.eye(len(names))[labels]),
        ),
        Misconception(
            "labels_as_columns",
            AS_NUMBERS,
            CONTROL(Z=_filled),
        ),
        Misconception(
            "labels_counted",
            "Your Z has a column for every number up to the greatest label. It should have one "
            "for each label that occurs: np.unique(labels).",
            CONTROL(
                names=lambda labels: np.arange(labels.max() + 1),
                Z=lambda labels, names: np.eye(len(names))[labels],
            ),
        ),
        Misconception(
            "least_score",
            "You take the class with the smallest score. A score near 1 speaks for its class.",
            CONTROL(classes=lambda scores, names: names[scores.argmin(axis=1)]),
        ),
        Misconception(
            "not_centred",
            "You regress the ones and zeros as they are. First subtract the mean of each column, "
            "and add it to the scores afterwards: otherwise all scores far from the data are "
            "zero.",
            CONTROL(means=lambda Z: np.zeros(Z.shape[1])),
        ),
        Misconception(
            "mean_not_added",
            "You subtract the column means before the regression, but do not add them to the "
            "scores.",
            CONTROL(scores=lambda products: products),
        ),
        Misconception(
            "mean_only_added",
            "You add the column means to the scores but did not subtract them before the "
            "regression. They count twice near the data.",
            CONTROL(centred=lambda Z: Z),
        ),
        Misconception(
            "mean_subtracted_twice",
            "You subtract the column means from the scores. They were subtracted before the "
            "regression; add them back.",
            CONTROL(scores=lambda products, means: products - means),
        ),
        Misconception(
            "one_mean",
            "You subtract one number from all columns, the mean of the whole matrix: 1 over the "
            "number of classes. Every class has its own share: use the mean of each column.",
            CONTROL(means=lambda Z: np.full(Z.shape[1], Z.mean())),
        ),
        Misconception(
            "sums_for_means",
            "You use the sums of the columns, the sizes of the classes. The shares are their "
            "means: divide by N.",
            CONTROL(means=lambda Z: Z.sum(axis=0)),
        ),
        Misconception(
            "penalty_forgotten",
            NO_PENALTY,
            _least_squares(lambda K: K),
        ),
        Misconception(
            "penalty_everywhere",
            PENALTY_EVERYWHERE,
            _least_squares(lambda K, penalty: K + penalty),
        ),
        Misconception(
            "penalty_times_n",
            "You multiply the penalty by N. Some textbooks do; here the system is K + λI.",
            _system(lambda K, penalty: K + len(K) * penalty * np.eye(len(K))),
        ),
        Misconception(
            "penalty_over_n",
            "You divide the penalty by N. The system is K + λI.",
            _system(lambda K, penalty: K + penalty / len(K) * np.eye(len(K))),
        ),
        Misconception(
            "penalty_squared",
            "You square the penalty. The system is K + λI.",
            _system(lambda K, penalty: K + penalty**2 * np.eye(len(K))),
        ),
        Misconception(
            "penalty_halved",
            "You halve the penalty. The system is K + λI.",
            _system(lambda K, penalty: K + penalty / 2 * np.eye(len(K))),
        ),
        Misconception(
            "penalty_doubled",
            "You double the penalty. The system is K + λI.",
            _system(lambda K, penalty: K + 2 * penalty * np.eye(len(K))),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λI from K. Add it: it makes the weights smaller and the system stable.",
            _system(lambda K, penalty: K - penalty * np.eye(len(K))),
        ),
        Misconception(
            "penalty_divides",
            "You divide K by the penalty, or add 1/λ. The system is K + λI.",
            _system(lambda K, penalty: K + np.eye(len(K)) / penalty),
        ),
        Misconception(
            "penalty_mixed",
            "Your matrix is (1 - λ) K + λI. The system is K + λI, with all of K.",
            _system(lambda K, penalty: (1 - penalty) * K + penalty * np.eye(len(K))),
        ),
        Misconception(
            "one_instead_of_penalty",
            "You add the identity matrix without its factor λ.",
            _system(lambda K: K + np.eye(len(K))),
        ),
        Misconception(
            "penalty_in_place_of_ones",
            "You put λ in the place of the diagonal of K. Add it: K_nn + λ is 1 + λ.",
            _system(lambda K, penalty: K - np.diag(np.diag(K)) + penalty * np.eye(len(K))),
        ),
        Misconception(
            "no_system",
            "You multiply kernel values with the labels and never solve a system. The weights are "
            "W = (K + λI)⁻¹ (Z - z).",
            CONTROL(W=lambda centred: centred),
        ),
        Misconception(
            "multiplied_not_solved",
            "You multiply by K + λI. The weights need its inverse: np.linalg.solve(K + λI, Z - z).",
            CONTROL(W=lambda system, centred: system @ centred),
        ),
        Misconception(
            "normal_equations",
            "You solve (KᵀK + λI) W = Kᵀ (Z - z), as in linear ridge regression. With a kernel "
            "matrix the system is (K + λI) W = Z - z.",
            CONTROL(
                W=lambda K, penalty, centred: np.linalg.solve(
                    K.T @ K + penalty * np.eye(len(K)), K.T @ centred
                )
            ),
        ),
        Misconception(
            "new_points_penalised",
            "λ is in your kernel values of the new points too. It belongs to the system only.",
            CONTROL(K_new=lambda kernels, Y, penalty: K_new(kernels, Y) + penalty),
        ),
        Misconception(
            "not_squared",
            "The exponent has the distance, not its square: K = exp(-γ |y - y'|²).",
            CONTROL(squares=lambda Y, new: np.sqrt(squares(Y, new))),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first column of the data. Sum the squared differences of "
            "all d columns.",
            CONTROL(squares=lambda Y, new: squares(Y[:, :1], new[:, :1])),
        ),
        Misconception(
            "city_block",
            "Your distances are sums of absolute differences. The exponent has the sum of the "
            "squared differences.",
            CONTROL(
                squares=lambda Y, new: np.sum(np.abs(np.vstack([Y, new])[:, None] - Y), axis=2)
            ),
        ),
        Misconception(
            "mean_of_columns",
            "You take the mean over the d columns. A squared distance is the sum of the squared "
            "differences.",
            CONTROL(squares=lambda Y, new: squares(Y, new) / Y.shape[1]),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant points now have the greatest kernel "
            "values.",
            _kernel(lambda squares, gamma: np.exp(gamma * squares)),
        ),
        Misconception(
            "gamma_forgotten",
            "γ is missing in the exponent: K = exp(-γ |y - y'|²).",
            _kernel(lambda squares: np.exp(-squares)),
        ),
        Misconception(
            "gamma_divides",
            "You divide the squared distance by γ. γ multiplies it: a greater γ is a narrower "
            "kernel.",
            _kernel(lambda squares, gamma: np.exp(-squares / gamma)),
        ),
        Misconception(
            "gamma_as_width",
            "You use γ as a width, exp(-t / 2γ²). Here γ multiplies the squared distance t: "
            "exp(-γ t).",
            _kernel(lambda squares, gamma: np.exp(-squares / (2 * gamma**2))),
        ),
        Misconception(
            "gamma_as_whole_width",
            "You use γ as a width, exp(-t / γ²). Here γ multiplies the squared distance t: exp(-γ "
            "t).",
            _kernel(lambda squares, gamma: np.exp(-squares / gamma**2)),
        ),
        Misconception(
            "gamma_halved",
            "You have a factor ½ in the exponent. K is exp(-γ t), with the squared distance t.",
            _kernel(lambda squares, gamma: np.exp(-gamma * squares / 2)),
        ),
        Misconception(
            "gamma_squared",
            "You square γ. K is exp(-γ t), with the squared distance t.",
            _kernel(lambda squares, gamma: np.exp(-(gamma**2) * squares)),
        ),
        Misconception(
            "kernel_forgotten",
            "You use the squared distances themselves, with no kernel: put them into exp(-γ t).",
            _kernel(lambda squares: squares),
        ),
        Misconception(
            "normalised",
            "You divide kernel values by the sum of their row. That is kernel regression, the "
            "weighted mean; in ridge regression the system finds the weights.",
            _kernel(lambda squares, gamma: _shares(kernels(squares, gamma))),
        ),
        Misconception(
            "new_normalised",
            "You divide the kernel values of the new points by the sum of their row. That is "
            "kernel regression, the weighted mean; in ridge regression the system finds the "
            "weights.",
            CONTROL(K_new=lambda kernels, Y: _shares(K_new(kernels, Y))),
        ),
        Misconception(
            "plus_and_minus",
            "You code the classes by +1 and -1. That has the same greatest scores, but the scores "
            "asked for are those of ones and zeros: shares, which add up to one.",
            CONTROL(Z=lambda labels, names: 2 * Z(labels, names) - 1),
        ),
        Misconception(
            "softmax",
            "You send the scores through a softmax. They add up to one without it; return them as "
            "they come from the regression.",
            CONTROL(scores=lambda products, means: _softmax(scores(products, means))),
        ),
        Misconception(
            "clipped",
            "You cut the scores off at 0 and 1. Scores outside are no mistake of a regression: "
            "return them as they are.",
            CONTROL(scores=lambda products, means: np.clip(scores(products, means), 0, 1)),
        ),
        Misconception(
            "clipped_and_divided",
            "You cut the scores off at 0 and divide them by their sum. They add up to one without "
            "it; return them as they come from the regression.",
            CONTROL(scores=lambda products, means: _shares(np.maximum(scores(products, means), 0))),
        ),
        Misconception(
            "rounded",
            "You return ones and zeros as scores. Return them as they come from the regression.",
            CONTROL(
                scores=lambda products, means: np.eye(len(means))[
                    scores(products, means).argmax(axis=1)
                ]
            ),
        ),
        Misconception(
            "standardised_targets",
            "You divide the columns by their standard deviation. Only subtract the means.",
            CONTROL(Z=lambda labels, names: Z(labels, names) / Z(labels, names).std(axis=0)),
        ),
        Misconception(
            "standardised_and_not_undone",
            "You divide the columns by their standard deviation. Only subtract the means.",
            CONTROL(centred=lambda Z, means: (Z - means) / Z.std(axis=0)),
        ),
        Misconception(
            "divided_by_sizes",
            "You divide the columns of Z by the sizes of the classes. Z has ones and zeros.",
            CONTROL(Z=lambda labels, names: Z(labels, names) / Z(labels, names).sum(axis=0)),
        ),
        Misconception(
            "turned",
            "You return the classes first. The order is scores, classes.",
            lambda *given: reference(*given)[::-1],
        ),
        Misconception(
            "rows_centred",
            "You take the means of the *rows* of the one-hot labels, 1 over the number of "
            "classes. The shares are the means of its columns, axis=0.",
            CONTROL(means=lambda Z: Z.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "new_normalised_plainly",
            "You divide the kernel values of the new points by their sums, as in kernel "
            "regression. Here f is the plain sum of w_n times kernel values; far from all data "
            "these are zero, and so are the sums.",
            CONTROL(
                K_new=lambda kernels, Y: (
                    K_new(kernels, Y) / K_new(kernels, Y).sum(axis=1, keepdims=True)
                )
            ),
        ),
        Misconception(
            "gamma_forgotten_for_new",
            "You use γ for the training points, but not for the new points. Both kernel values "
            "are exp(-γ t).",
            CONTROL(K_new=lambda squares, Y: np.exp(-squares[len(Y) :])),
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
