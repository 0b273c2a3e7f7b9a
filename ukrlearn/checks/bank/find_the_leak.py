"""One fold of a fair test: everything that is fitted is fitted to the training part."""

import numpy as np
from scipy.spatial.distance import pdist

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

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
    """Small enough to be shown: all mistakes of choice and scaling change something in one."""
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


def unit(known):
    """the unit, the mean squared distance"""
    T = len(known)
    return 2 * T / (T - 1) * np.sum(known.var(axis=0))


FOLD = pipeline(
    "Y labels train test multiples",
    returns="share gamma",
    means=lambda Y, train: np.mean(Y[train], axis=0),
    deviations=lambda Y, train: np.std(Y[train], axis=0),
    known=lambda Y, train, means, deviations: (Y[train] - means) / deviations,
    unknown=lambda Y, test, means, deviations: (Y[test] - means) / deviations,
    unit=unit,
    gammas=lambda multiples, unit: multiples / unit,
    known_labels=lambda labels, train: labels[train],
    shares=lambda known, known_labels, gammas: [
        _left_out_share(known, known_labels, gamma) for gamma in gammas
    ],
    chosen=lambda shares: np.argmax(shares),
    best=lambda gammas, chosen: gammas[chosen],
    found=lambda known, known_labels, unknown, best: vote(known, known_labels, unknown, best),
    share=lambda found, labels, test: np.mean(found == labels[test]),
    gamma=lambda best: best,
)


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


def _a_fair_gamma(result, Y, labels, train, test, multiples):
    fair = multiples / _mean_square(_standardised(Y[train]))
    return bool((np.abs(fair - result[1]) < CLOSE * fair).any())


def _whole_number_of_test_points(result, Y, labels, train, test, multiples):
    count = float(result[0]) * len(test)
    return bool(abs(count - round(count)) < 1e-4 and -0.5 < count < len(test) + 0.5)


def _the_chosen_one(result, *given, **arguments):
    """Of the fair ones; of others nothing is said."""
    right = reference(*given, **arguments)[1]
    fair = _a_fair_gamma(result, *given, **arguments)
    return bool(not fair or np.isclose(result[1], right, rtol=CLOSE))


MISTAKES = (
    FOLD.mistake("scaled_on_all", deviations=lambda Y: Y.std(axis=0)),
    FOLD.mistake(
        "scaled_on_both_parts", deviations=lambda Y, train, test: Y[_both(train, test)].std(axis=0)
    ),
    FOLD.mistake("scaled_on_test", deviations=lambda Y, test: Y[test].std(axis=0)),
    FOLD.mistake("scaled_apart", unknown=lambda Y, test: _standardised(Y[test])),
    FOLD.mistake(
        "deviations_apart", unknown=lambda Y, test, means: (Y[test] - means) / Y[test].std(axis=0)
    ),
    FOLD.mistake("test_not_standardised", unknown=lambda Y, test: Y[test]),
    FOLD.mistake(
        "training_by_all", known=lambda Y, train: (Y[train] - Y.mean(axis=0)) / Y.std(axis=0)
    ),
    FOLD.mistake(
        "unit_of_all", unit=lambda Y, means, deviations: _mean_square((Y - means) / deviations)
    ),
    FOLD.mistake(
        "unit_of_both_parts", unit=lambda known, unknown: _mean_square(np.vstack([known, unknown]))
    ),
    FOLD.mistake("unit_of_test", unit=lambda unknown: _mean_square(unknown)),
    FOLD.mistake("chosen_on_test", shares=_on_test),
    FOLD.mistake("chosen_within_test", shares=_within_test),
    FOLD.mistake("chosen_on_all", shares=_on_all),
    FOLD.mistake("chosen_on_both_parts", shares=_on_both),
    FOLD.mistake("all_rows_vote", found=_all_rows_vote),
    FOLD.mistake("both_parts_vote", found=_both_parts_vote),
    FOLD.mistake(
        "labels_of_all",
        found=lambda known, labels, unknown, best: vote(known, labels, unknown, best),
    ),
    FOLD.mistake("own_votes", shares=_own),
    FOLD.mistake("all_judged", share=_all_judged),
    FOLD.mistake("both_parts_judged", share=_both_judged),
    FOLD.mistake("rest_judged", share=_rest_judged),
    Misconception("not_standardised", mistaken=_of_deviations(lambda rows: 1.0)),
    Misconception(
        "deviation_with_t_minus_1", mistaken=_of_deviations(lambda rows: rows.std(axis=0, ddof=1))
    ),
    Misconception("variance_for_deviation", mistaken=_of_deviations(lambda rows: rows.var(axis=0))),
    Misconception(
        "range_for_deviation", mistaken=_of_deviations(lambda rows: np.ptp(rows, axis=0))
    ),
    FOLD.mistake("unit_of_raw", unit=lambda Y, train: _mean_square(Y[train])),
    FOLD.mistake("unit_with_diagonal", unit=lambda known: 2 * known.var(axis=0).sum()),
    FOLD.mistake("unit_halved", unit=lambda known: known.var(axis=0).sum()),
    FOLD.mistake("unit_doubled", unit=lambda known: 2 * unit(known)),
    FOLD.mistake("half_the_pairs", unit=lambda known: unit(known) / 2),
    FOLD.mistake("mean_distance", unit=lambda known: pdist(known).mean()),
    FOLD.mistake("mean_distance_squared", unit=lambda known: pdist(known).mean() ** 2),
    FOLD.mistake("median_for_mean", unit=lambda known: np.median(pdist(known, "sqeuclidean"))),
    FOLD.mistake("sum_for_mean", unit=lambda known: len(known) * (len(known) - 1) * unit(known)),
    FOLD.mistake("per_column", unit=lambda known: unit(known) / known.shape[1]),
    FOLD.mistake("no_unit", unit=lambda: 1.0),
    FOLD.mistake("test_rows_of_training", unknown=lambda known, test: known[test]),
    FOLD.mistake("last_of_best", chosen=_last_of_best),
    FOLD.mistake("nothing_chosen", chosen=lambda: 0),
    FOLD.mistake("last_one_tried", chosen=lambda gammas: len(gammas) - 1),
    FOLD.mistake("multiple_told", gamma=lambda multiples, chosen: multiples[chosen]),
    FOLD.mistake("number_told", gamma=lambda chosen: float(chosen)),
    FOLD.mistake("multiple_used", best=lambda multiples, chosen: multiples[chosen]),
    FOLD.mistake("error_told", share=lambda found, labels, test: np.mean(found != labels[test])),
    FOLD.mistake("count_told", share=lambda found, labels, test: np.sum(found == labels[test])),
    FOLD.mistake(
        "rows_after_training",
        unknown=lambda Y, train, means, deviations: ((Y - means) / deviations)[len(train) :],
    ),
)


EXERCISE = exercise(
    "find_the_leak",
    lesson="29_labels_inside",
    equations="[SI] 3, a fair test",
    minutes=25,
    shapes={"Y": "N d", "labels": "N", "train": "T", "test": "M", "multiples": "K"},
    returns={"share": "", "gamma": ""},
    trials=trials,
    reference=reference,
    stages=FOLD,
    properties=(
        Property("gamma_unfair", holds=_a_fair_gamma),
        Property("choice_leaks", holds=_the_chosen_one),
        Property("other_points_judged", holds=_whole_number_of_test_points),
    ),
    misconceptions=MISTAKES,
)
