"""One fold of a fair test: everything that is fitted is fitted to the training part."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

SIZES = ((20, 3, 3, 5), (23, 2, 2, 3), (26, 4, 2, 4))  # N, d, number of classes, multiples
MULTIPLES = np.array([0.2, 1.0, 3.0, 8.0, 20.0])
MOST_DRAWS = 400
CLOSE = 1e-3


def vote(Y, labels, new, gamma, own=True):
    """The class with the greatest sum of kernel values, for each new point."""
    K = np.exp(-gamma * np.sum((new[:, None] - Y) ** 2, axis=2))
    if not own:
        np.fill_diagonal(K, 0)
    names = np.unique(labels)
    return names[(K @ (labels[:, None] == names)).argmax(axis=1)]


def _left_out_share(Y, labels, gamma):
    return np.mean(vote(Y, labels, Y, gamma, own=False) == labels)


def reference(Y, labels, train, test, multiples):
    return _made()(Y, labels, train, test, multiples)


def _scaled(Y, train, test):
    """All rows, by mean and deviation of the training rows."""
    return (Y - Y[train].mean(axis=0)) / Y[train].std(axis=0)


def _mean_square(Y):
    N = len(Y)
    return 2 * N / (N - 1) * Y.var(axis=0).sum()


def _unit(Z, Y, train, test):
    return _mean_square(Z[train])


def _judged(Z, labels, train, test, gamma):
    """What the choice among gammas looks at."""
    return _left_out_share(Z[train], labels[train], gamma)


def _share(Z, labels, train, test, gamma):
    return np.mean(vote(Z[train], labels[train], Z[test], gamma) == labels[test])


@staged
def _made(
    scaled=_scaled,
    unit=_unit,
    judged=_judged,
    best=np.argmax,
    share=_share,
    told=lambda gamma, multiple: gamma,
):
    """The reference with some of its stages exchanged."""

    def fold(Y, labels, train, test, multiples):
        Z = scaled(Y, train, test)
        gammas = multiples / unit(Z, Y, train, test)
        chosen = int(best([judged(Z, labels, train, test, gamma) for gamma in gammas]))
        result = share(Z, labels, train, test, gammas[chosen])
        return float(result), float(told(gammas[chosen], multiples[chosen]))

    return fold


def trials(seed):
    random = np.random.default_rng(seed)
    square = np.array([[0.0], [1.0], [10.0], [11.0], [0.5], [10.5], [5.0]])
    small = dict(
        Y=square, labels=np.array([1, 1, 2, 2, 1, 2, 2]), train=np.array([0, 1, 2, 3]),
        test=np.array([4, 5, 6]), multiples=np.array([1.0, 4.0]),
    )  # fmt: skip
    made = [Trial("seven points on a line", small)]
    for N, d, classes, count in SIZES:
        made.append(Trial(f"N = {N}, d = {d}", _planted(random, N, d, classes, count)))
    last = made[-1].arguments
    far = last["Y"].copy()
    far[last["test"]] += 2.0 * far[last["train"]].std(axis=0)
    made.append(Trial("the test part lies elsewhere", dict(last, Y=far)))
    made.append(Trial("data a thousand times larger", dict(last, Y=1000 * last["Y"])))
    half = len(last["train"]) // 2
    turned = np.concatenate([last["train"][half:], last["train"][:half]])[::-1]
    made.append(Trial("rows in another order", dict(last, train=turned)))
    centred = last["Y"] - last["Y"].mean(axis=0)
    centred[0] = 0
    made.append(Trial("data around the origin", dict(last, Y=centred)))
    made.append(_tied(random))
    return made


def _planted(random, N, d, classes, count):
    """A fold in which every leak of the choice changes the chosen value."""
    multiples = np.sort(random.choice(MULTIPLES, count, replace=False))
    for _ in range(MOST_DRAWS):
        labels = random.permutation(np.arange(N) % classes) * 4 + 1
        Y = random.normal(size=(N, d)) + 0.25 * labels[:, None] * (np.arange(d) == 0)
        order = random.permutation(N)
        test, train = np.sort(order[: N // 3]), np.sort(order[N // 3 :])
        Y = Y * (1 + 3 * np.arange(d)) + 5
        Y[test] *= 1.3
        arguments = dict(Y=Y, labels=labels, train=train, test=test, multiples=multiples)
        share, gamma = reference(**arguments)
        leaks = [_made(judged=judged)(**arguments)[1] for judged in (_on_test, _on_all, _own)]
        later = _made(share=_all_rows_vote)(**arguments)[0]
        if all(abs(other - gamma) > CLOSE * gamma for other in leaks) and later != share:
            return arguments
    return arguments


def _tied(random):
    """Two far groups: every multiple finds all training points, and the first of the best wins."""
    Y = random.normal(size=(16, 2)) * 0.3 + np.where(np.arange(16) % 2, 6.0, 0.0)[:, None]
    labels = np.arange(16) % 2 * 2 + 3
    return Trial(
        "all multiples are equally good",
        dict(
            Y=Y, labels=labels, train=np.arange(10), test=np.arange(10, 16),
            multiples=np.array([0.5, 1.0, 2.0]),
        ),
    )  # fmt: skip


# ---- leaks and other mistakes


def _scaled_on_all(Y, train, test):
    return (Y - Y.mean(axis=0)) / Y.std(axis=0)


def _scaled_apart(Y, train, test):
    Z = np.array(Y, dtype=float)
    for part in (train, test):
        Z[part] = (Y[part] - Y[part].mean(axis=0)) / Y[part].std(axis=0)
    return Z


def _one_deviation(Y, train, test):
    return (Y - Y[train].mean()) / Y[train].std()


def _on_test(Z, labels, train, test, gamma):
    return _share(Z, labels, train, test, gamma)


def _on_all(Z, labels, train, test, gamma):
    return _left_out_share(Z, labels, gamma)


def _own(Z, labels, train, test, gamma):
    return np.mean(vote(Z[train], labels[train], Z[train], gamma) == labels[train])


def _all_rows_vote(Z, labels, train, test, gamma):
    return np.mean(vote(Z, labels, Z[test], gamma) == labels[test])


def _on_training(Z, labels, train, test, gamma):
    return _left_out_share(Z[train], labels[train], gamma)


def _on_training_with_itself(Z, labels, train, test, gamma):
    return _own(Z, labels, train, test, gamma)


def _last_of_best(shares):
    return len(shares) - 1 - int(np.argmax(shares[::-1]))


def _unit_of_all(Z, Y, train, test):
    return _mean_square(Z)


def _unit_of_test(Z, Y, train, test):
    return _mean_square(Z[test])


def _unit_of_raw(Z, Y, train, test):
    return _mean_square(Y[train])


def _unit_with_diagonal(Z, Y, train, test):
    return 2 * Z[train].var(axis=0).sum()


def _unit_of_variance(Z, Y, train, test):
    return Z[train].var(axis=0).sum()


def _a_fair_gamma(result, Y, labels, train, test, multiples):
    fair = multiples / _mean_square(_scaled(Y, train, test)[train])
    return bool((np.abs(fair - result[1]) < CLOSE * fair).any())


def _whole_number_of_test_points(result, Y, labels, train, test, multiples):
    count = float(result[0]) * len(test)
    return bool(abs(count - round(count)) < 1e-4)


def _the_chosen_one(result, Y, labels, train, test, multiples):
    return bool(np.isclose(result[1], reference(Y, labels, train, test, multiples)[1], rtol=CLOSE))


EXERCISE = Exercise(
    name="find_the_leak",
    title="Find the leak",
    lesson="29_labels_inside",
    equations="[SI] 3, a fair test",
    minutes=25,
    shapes={"Y": "N d", "labels": "N", "train": "T", "test": "M", "multiples": "K"},
    returns={"share": "", "gamma": ""},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "gamma_unfair",
            "γ is one of the multiples over the unit of the training part.",
            "Your γ is none of the multiples over the mean squared distance of the standardised "
            "training rows. Something else entered the means, the deviations or the unit: rows of "
            "the test part, or rows that are not standardised.",
            _a_fair_gamma,
        ),
        Property(
            "choice_leaks",
            "Leaving out points of the training part chooses this γ.",
            "With the training part alone another γ is chosen. What did your choice look at: labels "
            "of the test part, or training points that vote for themselves?",
            _the_chosen_one,
        ),
        Property(
            "other_points_judged",
            "The share is a number of test points over all test points.",
            "Your share times the number of test points is no whole number. Only the test points are "
            "judged, each once.",
            _whole_number_of_test_points,
        ),
    ),
    misconceptions=(
        Misconception(
            "scaled_on_all",
            "A leak: you divide by the deviations of all rows, and the test part is among them. Use "
            "np.std(Y[train], axis=0), for the test points too. (Means of all rows are a leak as well, "
            "but distances do not change by it.)",
            _made(scaled=_scaled_on_all),
        ),
        Misconception(
            "scaled_apart",
            "You standardise the test part by its own means and deviations. Then a test point depends "
            "on the other test points. It has to go the same way as the training points: by their "
            "means and deviations.",
            _made(scaled=_scaled_apart),
        ),
        Misconception(
            "unit_of_all",
            "A leak: the unit of γ is the mean squared distance of all rows. Take it from the "
            "standardised training rows.",
            _made(unit=_unit_of_all),
        ),
        Misconception(
            "unit_of_test",
            "A leak: the unit of γ comes from the test part. Take it from the standardised training "
            "rows.",
            _made(unit=_unit_of_test),
        ),
        Misconception(
            "chosen_on_test",
            "A leak: you choose the γ that is best on the test part, and then report this best share. "
            "A choice has to be made before the test: leave out each training point once.",
            _made(judged=_on_test),
        ),
        Misconception(
            "chosen_on_all",
            "A leak: the choice leaves out points of all rows, so labels of test points choose γ. Leave "
            "out points of the training part only.",
            _made(judged=_on_all),
        ),
        Misconception(
            "all_rows_vote",
            "A leak: in the test all rows vote, so every test point votes for itself. Only training "
            "points may vote.",
            _made(share=_all_rows_vote),
        ),
        Misconception(
            "everything_before",
            "Leaks: you standardise, take the unit and choose γ with all rows, before the split. Split "
            "first, then fit all three to the training part.",
            _made(scaled=_scaled_on_all, unit=_unit_of_all, judged=_on_all),
        ),
        Misconception(
            "scaled_and_unit_on_all",
            "Two leaks: means and deviations, and the unit of γ, come from all rows. Take both from "
            "the training part.",
            _made(scaled=_scaled_on_all, unit=_unit_of_all),
        ),
        Misconception(
            "scaled_on_all_and_chosen_on_test",
            "Two leaks: you standardise with all rows, and you choose γ on the test part.",
            _made(scaled=_scaled_on_all, judged=_on_test),
        ),
        Misconception(
            "own_votes",
            "In the choice every training point votes for itself, so the greatest γ always looks best. "
            "Leave each point out: zeros on the diagonal of the kernel values.",
            _made(judged=_own),
        ),
        Misconception(
            "training_judged",
            "You report the share of left-out training points: the score by which γ was chosen. The "
            "test part is what is judged.",
            _made(share=_on_training),
        ),
        Misconception(
            "training_judged_with_itself",
            "You report the share of training points that the vote finds, and each of them has voted "
            "for itself. The test part is what is judged.",
            _made(share=_on_training_with_itself),
        ),
        Misconception(
            "not_standardised",
            "You did not divide by the standard deviations: columns with large numbers decide "
            "everything. Subtracting the means alone changes no distance.",
            _made(scaled=lambda Y, train, test: Y),
        ),
        Misconception(
            "one_deviation",
            "You use one mean and one deviation for the whole matrix. Every column has its own: "
            "axis=0.",
            _made(scaled=_one_deviation),
        ),
        Misconception(
            "unit_of_raw",
            "The unit of γ is that of the data before standardisation. Take the mean squared distance "
            "of the standardised training rows.",
            _made(unit=_unit_of_raw),
        ),
        Misconception(
            "unit_with_diagonal",
            "Your mean squared distance counts the zeros between each point and itself. With T training "
            "points, divide the sum over all ordered pairs by T (T - 1).",
            _made(unit=_unit_with_diagonal),
        ),
        Misconception(
            "unit_halved",
            "Your unit is the sum of the variances. The mean squared distance of pairs is 2 T / (T - 1) "
            "times as large, with T training points.",
            _made(unit=_unit_of_variance),
        ),
        Misconception(
            "no_unit",
            "You use the multiples as γ. Divide them by the unit, the mean squared distance of the "
            "standardised training rows.",
            _made(unit=lambda Z, Y, train, test: 1.0),
        ),
        Misconception(
            "last_of_best",
            "If several γ are equally good, you take the last one. Take the first.",
            _made(best=_last_of_best),
        ),
        Misconception(
            "worst",
            "You take the γ with the smallest share of left-out points. A share found is good.",
            _made(best=np.argmin),
        ),
        Misconception(
            "multiple_told",
            "You return the chosen multiple. γ is this multiple over the unit.",
            _made(told=lambda gamma, multiple: multiple),
        ),
        Misconception(
            "error_told",
            "You return the share of test points that are wrong. Return the share that is right.",
            _made(share=lambda *given: 1 - _share(*given)),
        ),
        Misconception(
            "turned",
            "You return γ first. The order is share, gamma.",
            lambda *given: reference(*given)[::-1],
        ),
    ),
    hints=(
        "Write down every number that your function computes before it looks at the test points: means, "
        "deviations, the unit, the chosen γ. Could you compute each of them if Y[test] and labels[test] "
        "did not exist?",
        "Z = (Y - mean of Y[train]) / deviation of Y[train]. The unit is the mean of all squared "
        "distances of two different rows of Z[train]. For each γ = multiple / unit, judge the vote of "
        "the training points about each other, none about itself. The first best γ goes to the test.",
        "With the two given functions: left_out_share(Z[train], labels[train], gamma) judges one γ, "
        "np.argmax finds the first of the best, and vote(Z[train], labels[train], Z[test], gamma) "
        "gives the classes to compare with labels[test].",
    ),
)
