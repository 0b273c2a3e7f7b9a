"""One fold of a fair test: everything that is fitted is fitted to the training part."""

import numpy as np
from scipy.spatial.distance import pdist

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

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
    return FOLD()(Y, labels, train, test, multiples)


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
    made.append(Trial("as the dice fall, rows of neither part", _drawn(random)))
    made += [Trial(*whole) for whole in _whole_numbers()]
    return made


def _drawn(random):
    """Chosen against nothing; two training rows are equal, and a third of the rows has no part."""
    labels = random.permutation(np.arange(27) % 3) - 1
    Y = random.normal(size=(27, 3)) + 0.8 * labels[:, None] * np.array([1, -1, 0])
    order = random.permutation(27)
    train, test = order[:11], order[11:18]
    Y[train[4]], labels[train[4]] = Y[train[7]], labels[train[7]]
    return dict(Y=Y, labels=labels, train=train, test=test, multiples=np.array([0.5, 3.0, 10.0]))


def _whole_numbers():
    """Small enough to be shown: between them, all mistakes of choice and scaling change something."""
    plane = [[-1, 1], [4, -4], [-2, 4], [4, 1], [0, 3], [-2, -1], [-2, -4], [1, -1]]
    yield (
        "eight points in the plane, one of them in neither part",
        dict(
            Y=np.array(plane, dtype=float), labels=np.array([2, 2, 2, 2, 2, 1, 1, 1]),
            train=np.array([0, 2, 3, 6, 7]), test=np.array([4, 5]), multiples=np.array([1.0, 8.0]),
        ),
    )  # fmt: skip
    with_neither = [[3, 1], [2, -3], [4, -2], [1, 0], [-2, -4], [-2, -1]]
    with_neither += [[3, 0], [2, -3], [-2, -1], [0, -1], [2, 0], [4, -3]]
    yield (
        "twelve points in the plane, three of them in neither part",
        dict(
            Y=np.array(with_neither, dtype=float),
            labels=np.array([1, 2, 2, 2, 2, 1, 2, 1, 1, 1, 1, 2]),
            train=np.array([3, 4, 5, 7, 9]), test=np.array([0, 1, 2, 6]),
            multiples=np.array([1.0, 4.0, 16.0]),
        ),
    )  # fmt: skip
    scaled = [[-4, -3], [1, -2], [-2, 2], [1, -3], [-3, 3], [4, 4], [-1, 3], [1, -1]]
    yield (
        "eight points in the plane, mixed",
        dict(
            Y=np.array(scaled, dtype=float), labels=np.array([1, 1, 2, 1, 2, 2, 1, 2]),
            train=np.array([0, 3, 4, 5, 7]), test=np.array([2, 6]),
            multiples=np.array([1.0, 4.0, 16.0]),
        ),
    )  # fmt: skip
    # Where both multiples are the same nothing is chosen: the share shows the unit and the scaling
    # alone, and tells a deviation over T - 1 from a unit with the zeros of the diagonal, whose γ
    # are the same.
    alone = [[-1, 1], [-3, 1], [4, 2], [1, 0], [0, 4], [-2, 0], [2, 4], [-4, -1]]
    yield (
        "eight points in the plane, twice the same multiple",
        dict(
            Y=np.array(alone, dtype=float), labels=np.array([1, 1, 2, 1, 1, 1, 2, 1]),
            train=np.arange(4), test=np.arange(4, 8), multiples=np.array([0.5, 0.5]),
        ),
    )  # fmt: skip
    yield (
        "seven points on a line, mixed",
        dict(
            Y=np.array([[0.0], [-1.0], [4.0], [3.0], [-1.0], [1.0], [1.0]]),
            labels=np.array([2, 1, 1, 2, 1, 2, 2]), train=np.array([0, 2, 3, 4, 6]),
            test=np.array([1, 5]), multiples=np.array([1.0, 4.0]),
        ),
    )  # fmt: skip


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
        leaks = [
            FOLD(shares=judged)(*arguments.values())[1] for judged in (_on_test, _on_all, _own)
        ]
        later = FOLD(found=_all_rows_vote)(*arguments.values())[0]
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


def means(Y, train):
    """the means of the columns of Y[train]"""
    return np.mean(Y[train], axis=0)


def deviations(Y, train):
    """the deviations of the columns of Y[train]"""
    return np.std(Y[train], axis=0)


def known(Y, train, means, deviations):
    """the standardised training rows"""
    return (Y[train] - means) / deviations


def unknown(Y, test, means, deviations):
    """the standardised test rows"""
    return (Y[test] - means) / deviations


def unit(known):
    """the unit, the mean squared distance"""
    T = len(known)
    return 2 * T / (T - 1) * np.sum(known.var(axis=0))


def gammas(multiples, unit):
    """the γ to choose from"""
    return multiples / unit


def known_labels(labels, train):
    """the labels of the training part"""
    return labels[train]


def shares(known, known_labels, gammas):
    """the left-out share of each γ"""
    return [_left_out_share(known, known_labels, gamma) for gamma in gammas]


def chosen(shares):
    """the choice of the first best γ"""
    return np.argmax(shares)


def best(gammas, chosen):
    """the γ that is used in the test"""
    return gammas[chosen]


def found(known, known_labels, unknown, best):
    """the classes that are voted for the test points"""
    return vote(known, known_labels, unknown, best)


def share(found, labels, test):
    """the share of test points that is found"""
    return np.mean(found == labels[test])


def gamma(best):
    """the γ that is returned"""
    return best


FOLD = pipeline(
    "Y labels train test multiples",
    means, deviations, known, unknown, unit, gammas, known_labels, shares, chosen, best, found,
    share, gamma,
    returns="share gamma",
)  # fmt: skip


# ---- leaks and other mistakes


def _both(train, test):
    return np.concatenate([train, test])


def _standardised(rows):
    return (rows - rows.mean(axis=0)) / rows.std(axis=0)


def _mean_square(rows):
    N = len(rows)
    return 2 * N / (N - 1) * rows.var(axis=0).sum()


def _of_deviations(of_rows):
    """Other deviations of the training rows."""
    return FOLD(deviations=lambda Y, train: of_rows(Y[train]))


def _of_unit(of_known):
    return FOLD(unit=of_known)


def _of_share(of_all):
    return FOLD(share=of_all)


def _on_test(known, known_labels, unknown, labels, test, gammas):
    return [np.mean(vote(known, known_labels, unknown, g) == labels[test]) for g in gammas]


def _on_all(Y, labels, means, deviations, gammas):
    Z = (Y - means) / deviations
    return [_left_out_share(Z, labels, g) for g in gammas]


def _on_both(Y, labels, train, test, means, deviations, gammas):
    rows = _both(train, test)
    return _on_all(Y[rows], labels[rows], means, deviations, gammas)


def _within_test(unknown, labels, test, gammas):
    return [_left_out_share(unknown, labels[test], g) for g in gammas]


def _own(known, known_labels, gammas):
    return [np.mean(vote(known, known_labels, known, g) == known_labels) for g in gammas]


def _last_of_best(shares):
    return len(shares) - 1 - int(np.argmax(shares[::-1]))


def _all_rows_vote(Y, labels, means, deviations, unknown, best):
    return vote((Y - means) / deviations, labels, unknown, best)


def _both_parts_vote(Y, labels, train, test, means, deviations, unknown, best):
    rows = _both(train, test)
    return vote((Y[rows] - means) / deviations, labels[rows], unknown, best)


def _all_judged(Y, labels, means, deviations, known, known_labels, best):
    return np.mean(vote(known, known_labels, (Y - means) / deviations, best) == labels)


def _both_judged(Y, labels, train, test, means, deviations, known, known_labels, best):
    rows = _both(train, test)
    return _all_judged(Y[rows], labels[rows], means, deviations, known, known_labels, best)


def _rest_judged(Y, labels, train, means, deviations, known, known_labels, best):
    rest = np.setdiff1d(np.arange(len(Y)), train)
    return _all_judged(Y[rest], labels[rest], means, deviations, known, known_labels, best)


SCALED_ON_ALL = (
    "A leak: you divide by the deviations of all rows, and the test part is among them. Use "
    "np.std(Y[train], axis=0), for the test points too. (Means of all rows are a leak as well, but "
    "distances do not change by it.)"
)
UNIT_OF_ALL = (
    "A leak: the unit of γ is the mean squared distance of all rows. Take it from the standardised "
    "training rows."
)
CHOSEN_ON_ALL = (
    "A leak: the choice leaves out points of all rows, so labels of test points choose γ. Leave out "
    "points of the training part only."
)
ALL_VOTE = (
    "A leak: in the test all rows vote, so every test point votes for itself. Only training points "
    "may vote."
)
ALL_JUDGED = "You judge points of the training part too. The share is that of the test points only."


def _a_fair_gamma(result, Y, labels, train, test, multiples):
    fair = multiples / _mean_square(_standardised(Y[train]))
    return bool((np.abs(fair - result[1]) < CLOSE * fair).any())


def _whole_number_of_test_points(result, Y, labels, train, test, multiples):
    count = float(result[0]) * len(test)
    return bool(abs(count - round(count)) < 1e-4)


def _the_chosen_one(result, *given, **arguments):
    """Of the fair ones; of others nothing is said."""
    right = reference(*given, **arguments)[1]
    fair = _a_fair_gamma(result, *given, **arguments)
    return bool(not fair or np.isclose(result[1], right, rtol=CLOSE))


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
    stages=FOLD,
    properties=(
        Property(
            "gamma_unfair",
            "γ is one of the multiples over the unit of the training part.",
            "Your γ is none of the multiples over the mean squared distance of the standardised "
            "training rows.",
            _a_fair_gamma,
            (
                ("deviations", "From which rows do your means and deviations come?"),
                ("unit", "From which rows does your unit come, and are they standardised?"),
            ),
        ),
        Property(
            "choice_leaks",
            "Leaving out points of the training part chooses this γ.",
            "With the training part alone another γ is chosen.",
            _the_chosen_one,
            (
                (
                    "shares",
                    "What did your choice look at: labels of the test part, or training points that "
                    "vote for themselves?",
                ),
                ("chosen", "Which of several equally good ones do you take?"),
            ),
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
            SCALED_ON_ALL,
            FOLD(deviations=lambda Y: Y.std(axis=0)),
        ),
        Misconception(
            "scaled_on_both_parts",
            SCALED_ON_ALL,
            FOLD(deviations=lambda Y, train, test: Y[_both(train, test)].std(axis=0)),
        ),
        Misconception(
            "scaled_on_test",
            "A leak: your deviations are those of the test part. Use np.std(Y[train], axis=0), "
            "for the test points too.",
            FOLD(deviations=lambda Y, test: Y[test].std(axis=0)),
        ),
        Misconception(
            "scaled_apart",
            "You standardise the test part by its own means and deviations. Then a test point "
            "depends on the other test points. It has to go the same way as the training points: "
            "by their means and deviations.",
            FOLD(unknown=lambda Y, test: _standardised(Y[test])),
        ),
        Misconception(
            "means_apart",
            "You subtract the means of the test part from the test points. They have to go the "
            "same way as the training points: by the means of these.",
            FOLD(unknown=lambda Y, test, deviations: (Y[test] - Y[test].mean(axis=0)) / deviations),
        ),
        Misconception(
            "deviations_apart",
            "You divide the test points by the deviations of the test part. They have to go the "
            "same way as the training points: by the deviations of these.",
            FOLD(unknown=lambda Y, test, means: (Y[test] - means) / Y[test].std(axis=0)),
        ),
        Misconception(
            "test_not_standardised",
            "The training points are standardised, and the test points are not. They have to go "
            "the same way: by the means and deviations of the training part.",
            FOLD(unknown=lambda Y, test: Y[test]),
        ),
        Misconception(
            "test_not_divided",
            "You subtract the means from the test points, but do not divide by the deviations. "
            "They have to go the same way as the training points.",
            FOLD(unknown=lambda Y, test, means: Y[test] - means),
        ),
        Misconception(
            "training_by_all",
            "You standardise the training part by all rows, and the test part by the training "
            "part. Both go by the means and deviations of the training part.",
            FOLD(known=lambda Y, train: (Y[train] - Y.mean(axis=0)) / Y.std(axis=0)),
        ),
        Misconception(
            "unit_of_all",
            UNIT_OF_ALL,
            FOLD(unit=lambda Y, means, deviations: _mean_square((Y - means) / deviations)),
        ),
        Misconception(
            "unit_of_both_parts",
            UNIT_OF_ALL,
            FOLD(unit=lambda known, unknown: _mean_square(np.vstack([known, unknown]))),
        ),
        Misconception(
            "unit_of_test",
            "A leak: the unit of γ comes from the test part. Take it from the standardised "
            "training rows.",
            FOLD(unit=lambda unknown: _mean_square(unknown)),
        ),
        Misconception(
            "unit_between_parts",
            "A leak: the unit of γ is the mean squared distance between training and test points. "
            "Take it from pairs of standardised training rows.",
            FOLD(
                unit=lambda known, unknown: np.mean(np.sum((known[:, None] - unknown) ** 2, axis=2))
            ),
        ),
        Misconception(
            "chosen_on_test",
            "A leak: you choose the γ that is best on the test part, and then report this best "
            "share. A choice has to be made before the test: leave out each training point once.",
            FOLD(shares=_on_test),
        ),
        Misconception(
            "chosen_within_test",
            "A leak: you choose γ by leaving out points of the test part. A choice has to be made "
            "before the test: leave out points of the training part.",
            FOLD(shares=_within_test),
        ),
        Misconception(
            "chosen_on_all",
            CHOSEN_ON_ALL,
            FOLD(shares=_on_all),
        ),
        Misconception(
            "chosen_on_both_parts",
            CHOSEN_ON_ALL,
            FOLD(shares=_on_both),
        ),
        Misconception(
            "all_rows_vote",
            ALL_VOTE,
            FOLD(found=_all_rows_vote),
        ),
        Misconception(
            "both_parts_vote",
            ALL_VOTE,
            FOLD(found=_both_parts_vote),
        ),
        Misconception(
            "test_votes",
            "A leak: in the test the test points vote, each for itself. Only training points may "
            "vote.",
            FOLD(
                found=lambda unknown, labels, test, best: vote(unknown, labels[test], unknown, best)
            ),
        ),
        Misconception(
            "everything_before",
            "Leaks: you standardise, take the unit and choose γ with all rows, before the split. "
            "Split first, then fit all three to the training part.",
            FOLD(
                deviations=lambda Y: Y.std(axis=0),
                unit=lambda Y, means, deviations: _mean_square((Y - means) / deviations),
                shares=_on_all,
            ),
        ),
        Misconception(
            "labels_of_all",
            "You give `vote` or `left_out_share` the labels of all rows along with some of the "
            "points. They need one label for each point: labels[train] for Y[train].",
            FOLD(found=lambda known, labels, unknown, best: vote(known, labels, unknown, best)),
        ),
        Misconception(
            "own_votes",
            "In the choice every training point votes for itself, so the greatest γ always looks "
            "best. Leave each point out: zeros on the diagonal of the kernel values.",
            FOLD(shares=_own),
        ),
        Misconception(
            "training_judged",
            "You report the share of left-out training points: the score by which γ was chosen. "
            "The test part is what is judged.",
            _of_share(lambda known, known_labels, best: _left_out_share(known, known_labels, best)),
        ),
        Misconception(
            "training_judged_with_itself",
            "You report the share of training points that the vote finds, and each of them has "
            "voted for itself. The test part is what is judged.",
            _of_share(lambda known, known_labels, best: _own(known, known_labels, [best])[0]),
        ),
        Misconception(
            "test_judged_by_itself",
            "In the test the test points vote about each other. The training points vote; the "
            "test points are judged.",
            _of_share(
                lambda unknown, labels, test, best: _left_out_share(unknown, labels[test], best)
            ),
        ),
        Misconception(
            "all_judged",
            ALL_JUDGED,
            _of_share(_all_judged),
        ),
        Misconception(
            "both_parts_judged",
            ALL_JUDGED,
            _of_share(_both_judged),
        ),
        Misconception(
            "rest_judged",
            "You judge all rows that are not in `train`. A row may be in neither part: judge "
            "those whose numbers are in `test`.",
            _of_share(_rest_judged),
        ),
        Misconception(
            "not_standardised",
            "You did not divide by the standard deviations: columns with large numbers decide "
            "everything. Subtracting the means alone changes no distance.",
            _of_deviations(lambda rows: 1.0),
        ),
        Misconception(
            "one_deviation",
            "You use one mean and one deviation for the whole matrix. Every column has its own: "
            "axis=0.",
            FOLD(
                means=lambda Y, train: Y[train].mean(), deviations=lambda Y, train: Y[train].std()
            ),
        ),
        Misconception(
            "deviation_with_t_minus_1",
            "Your deviations divide by T - 1, as in R or pandas. Here they are those of np.std, "
            "which divides by the number of rows.",
            _of_deviations(lambda rows: rows.std(axis=0, ddof=1)),
        ),
        Misconception(
            "variance_for_deviation",
            "You divide by the variances. Standardising divides by their roots, the standard "
            "deviations.",
            _of_deviations(lambda rows: rows.var(axis=0)),
        ),
        Misconception(
            "range_for_deviation",
            "You divide by the ranges of the columns. Standardising divides by the standard "
            "deviations.",
            _of_deviations(lambda rows: np.ptp(rows, axis=0)),
        ),
        Misconception(
            "unit_of_raw",
            "The unit of γ is that of the data before standardisation. Take the mean squared "
            "distance of the standardised training rows.",
            FOLD(unit=lambda Y, train: _mean_square(Y[train])),
        ),
        Misconception(
            "unit_with_diagonal",
            "Your mean squared distance counts the zeros between each point and itself. With T "
            "training points, divide the sum over all ordered pairs by T (T - 1).",
            _of_unit(lambda known: 2 * known.var(axis=0).sum()),
        ),
        Misconception(
            "unit_halved",
            "Your unit is the sum of the variances. The mean squared distance of pairs is 2 T / "
            "(T - 1) times as large, with T training points.",
            _of_unit(lambda known: known.var(axis=0).sum()),
        ),
        Misconception(
            "unit_doubled",
            "Your unit is twice too large: either there is a 2 from a Gaussian in it, or you add "
            "every pair twice, as (i, j) and as (j, i), and divide by T (T - 1) / 2, which counts "
            "it once.",
            _of_unit(lambda known: 2 * unit(known)),
        ),
        Misconception(
            "half_the_pairs",
            "Your unit is half as large as it should be. Either add each pair once and divide by "
            "T (T - 1) / 2, or add it twice and divide by T (T - 1).",
            _of_unit(lambda known: unit(known) / 2),
        ),
        Misconception(
            "mean_distance",
            "Your unit is the mean distance. It is the mean of the squared distances.",
            _of_unit(lambda known: pdist(known).mean()),
        ),
        Misconception(
            "mean_distance_squared",
            "Your unit is the square of the mean distance. It is the mean of the squared "
            "distances: squaring comes first.",
            _of_unit(lambda known: pdist(known).mean() ** 2),
        ),
        Misconception(
            "mean_distance_squared_with_diagonal",
            "Your unit is the square of the mean distance, and this mean counts the zeros between "
            "each point and itself. Square each distance first, then take the mean over pairs of "
            "different points.",
            _of_unit(lambda known: (2 * pdist(known).sum() / len(known) ** 2) ** 2),
        ),
        Misconception(
            "median_for_mean",
            "Your unit is the median of the squared distances. It is their mean.",
            _of_unit(lambda known: np.median(pdist(known, "sqeuclidean"))),
        ),
        Misconception(
            "sum_for_mean",
            "Your unit is the sum of the squared distances. It is their mean: divide by the "
            "number of pairs.",
            _of_unit(lambda known: len(known) * (len(known) - 1) * unit(known)),
        ),
        Misconception(
            "sum_of_pairs",
            "Your unit is the sum of the squared distances. It is their mean: divide by the "
            "number of pairs.",
            _of_unit(lambda known: len(known) * (len(known) - 1) / 2 * unit(known)),
        ),
        Misconception(
            "per_column",
            "Your mean is over the d columns too, so the unit is too small by the factor d. A "
            "squared distance is the sum over the columns.",
            _of_unit(lambda known: unit(known) / known.shape[1]),
        ),
        Misconception(
            "no_unit",
            "You use the multiples as γ. Divide them by the unit, the mean squared distance of "
            "the standardised training rows.",
            _of_unit(lambda: 1.0),
        ),
        Misconception(
            "test_rows_of_training",
            "You look up the numbers in `test` among the standardised training rows. They are row "
            "numbers of Y: standardise Y, or Y[test], by the means and deviations of the training "
            "part.",
            FOLD(unknown=lambda known, test: known[test]),
        ),
        Misconception(
            "unit_multiplied",
            "You multiply by the unit. γ is the multiple over the unit.",
            FOLD(gammas=lambda multiples, unit: multiples * unit),
        ),
        Misconception(
            "unit_over_multiple",
            "You divide the unit by the multiple. γ is the multiple over the unit.",
            FOLD(gammas=lambda multiples, unit: unit / multiples),
        ),
        Misconception(
            "last_of_best",
            "If several γ are equally good, you take the last one. Take the first.",
            FOLD(chosen=_last_of_best),
        ),
        Misconception(
            "worst",
            "You take the γ with the smallest share of left-out points. A share found is good.",
            FOLD(chosen=lambda shares: np.argmin(shares)),
        ),
        Misconception(
            "nothing_chosen",
            "You always take the first γ. Take the one with the greatest left-out share.",
            FOLD(chosen=lambda: 0),
        ),
        Misconception(
            "last_one_tried",
            "Your γ is always the last one that was tried. Keep the one with the greatest "
            "left-out share: the loop must not overwrite it.",
            FOLD(chosen=lambda gammas: len(gammas) - 1),
        ),
        Misconception(
            "multiple_told",
            "You return the chosen multiple. γ is this multiple over the unit.",
            FOLD(gamma=lambda multiples, chosen: multiples[chosen]),
        ),
        Misconception(
            "number_told",
            "You return the number of the chosen γ in the list. Return γ itself.",
            FOLD(gamma=lambda chosen: float(chosen)),
        ),
        Misconception(
            "multiple_used",
            "You choose among the γ, but the test is made with the multiple. Divide it by the "
            "unit.",
            FOLD(best=lambda multiples, chosen: multiples[chosen]),
        ),
        Misconception(
            "error_told",
            "You return the share of test points that are wrong. Return the share that is right.",
            _of_share(lambda found, labels, test: np.mean(found != labels[test])),
        ),
        Misconception(
            "count_told",
            "You return the number of test points that are found. The share is this number over "
            "that of all test points.",
            _of_share(lambda found, labels, test: np.sum(found == labels[test])),
        ),
        Misconception(
            "count_over_all",
            "You divide the number of test points that are found by the number of all rows. "
            "Divide by the number of test points.",
            _of_share(lambda found, labels, test: np.sum(found == labels[test]) / len(labels)),
        ),
        Misconception(
            "turned",
            "You return γ first. The order is share, gamma.",
            lambda *given: reference(*given)[::-1],
        ),
        Misconception(
            "rows_after_training",
            "You take the rows after the first T for the test part. The numbers in `train` and "
            "`test` may be any: use Y[train] and Y[test].",
            FOLD(
                unknown=lambda Y, train, means, deviations: ((Y - means) / deviations)[len(train) :]
            ),
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
