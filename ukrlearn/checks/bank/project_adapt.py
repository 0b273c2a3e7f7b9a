"""Project and adapt in turn: one function for k-means, lines, and whatever parts it is given."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import staged
from ukrlearn.checks.texts import exercise

# Parts: what the learner's function calls


def nearest(Y, f):
    """The row of f that is nearest; the least one of several."""
    return np.argmin(np.sum((Y[:, None] - f) ** 2, axis=2), axis=1)


def means(Y, Z, f):
    return np.array([Y[Z == k].mean(axis=0) if (Z == k).any() else f[k] for k in range(len(f))])


def row(f, Z):
    return f[Z]


def foot(Y, f):
    """The place on the line f[0] + z f[1] that is nearest."""
    return (Y - f[0]) @ f[1] / (f[1] @ f[1])


def regression(Y, Z, f):
    z = Z - Z.mean()
    slope = z @ Y / (z @ z)
    return np.array([Y.mean(axis=0) - Z.mean() * slope, slope])


def on_line(f, Z):
    return f[0] + Z[:, None] * f[1]


def medians(Y, Z, f):
    """In place of means, so that the squared error may rise."""
    own = [Y[Z == k] if (Z == k).any() else f[[k]] for k in range(len(f))]
    return np.array([np.median(y, axis=0) for y in own])


def halfway(Y, Z, f):
    """From the old map to the means, half the way."""
    return (f + means(Y, Z, f)) / 2


POINTS, MEDIANS = (nearest, means, row), (nearest, medians, row)
DAMPED = (nearest, halfway, row)
LINE = (foot, regression, on_line)


def drifted(Y, Z, f):
    """A map that moves away, so that the error rises from round to round."""
    return f + 1


DRIFTING = (nearest, drifted, row)


def reference(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def trials(seed):
    random = np.random.default_rng(seed)
    four = np.array([[0.0], [2.0], [4.0], [12.0]])
    made = [_trial("four points, two codes", four, np.array([[0.0], [2.0]]), POINTS, 2)]
    made.append(_trial("the same, one round", four, np.array([[0.0], [2.0]]), POINTS, 1))
    made.append(_trial("the same, six rounds", four, np.array([[0.0], [2.0]]), POINTS, 6))
    made.append(_trial("the same, half the way", four, np.array([[0.0], [3.0]]), DAMPED, 2))
    made.append(_trial("the same, a map that drifts", four, np.array([[1.0], [8.0]]), DRIFTING, 3))
    for N, d, k in ((11, 2, 3), (9, 4, 2)):
        Y = random.gamma(1.5, size=(N, d)) * (1 + np.arange(d)) - 0.7
        made.append(_trial(f"N = {N}, d = {d}, k = {k}", Y, Y[:k], POINTS, 4))
    lonely = np.vstack([Y[0], Y[0] + 100])
    made.append(_trial("a code that nobody takes", Y, lonely, POINTS, 3))
    for N, d in ((7, 3), (8, 2)):
        Y = random.normal(size=(N, d)) * (3.0 / (1 + np.arange(d))) + 2
        begun = np.array([Y[0], random.normal(size=d) + 0.5])
        made.append(_trial(f"a line, N = {N}, d = {d}", Y, begun, LINE, 3))
    centred = np.vstack([Y - Y.mean(axis=0), np.zeros(d)])
    made.append(_trial("a line, data around the origin", centred, begun, LINE, 5))
    pairs = np.vstack([centred, centred[:2], -centred[:2]])
    made.append(_trial("equal points, around the origin", pairs, pairs[[8, 0, 1]], POINTS, 3))
    large = _trial("data a million times larger", 1e6 * Y, 1e6 * begun, LINE, 2)
    Y = random.gamma(0.6, size=(13, 3))
    made += [large, _trial("medians", Y, Y[:2], MEDIANS, 3)]
    return [*made, _trial("adaptations that go half the way", Y, Y[:2], DAMPED, 3)]


def _trial(label, Y, f, parts, rounds):
    project, adapt, rebuild = parts
    arguments = dict(Y=Y, f=f, project=project, adapt=adapt, rebuild=rebuild, rounds=rounds)
    return Trial(label, arguments)


# Stages of the alternation


def codes(project, Y, f, first):
    """the projection"""
    return project(Y, f)


def refitted(adapt, Y, Z, f, first):
    """the adaptation"""
    return adapt(Y, Z, f)


def rebuilt(rebuild, f, Z):
    """the points that the codes stand for"""
    return rebuild(f, Z)


def first_error(Y, points):
    """the error after the projection"""
    return np.mean(np.sum((Y - points) ** 2, axis=1))


def second_error(Y, points):
    """the error after the adaptation"""
    return np.mean(np.sum((Y - points) ** 2, axis=1))


def _both_measured(first, second, f, Z, new, before, project):
    """the two errors of a round"""
    return [first(f, Z), second(new, Z)]


def _goes_on_with(new, f):
    """the map that the next round begins with"""
    return new


def _last_ones(history, project):
    """the map and the codes that are returned"""
    f, Z, new, _ = history[-1]
    return new, Z


def _as_they_came(errors):
    """the list of errors"""
    return np.array(errors)


def _never(errors):
    """the end of the rounds"""
    return False


@staged
def ALTERNATION(
    codes=codes,
    refitted=refitted,
    rebuilt=rebuilt,
    first_error=first_error,
    second_error=second_error,
    measured=_both_measured,
    goes_on=_goes_on_with,
    stops=_never,
    returned=_last_ones,
    listed=_as_they_came,
):
    """The right alternation with stages exchanged."""

    def answer(Y, f, project, adapt, rebuild, rounds):
        first, before, errors, history = f, None, [], []
        one = lambda f, Z: first_error(Y, rebuilt(rebuild, f, Z))
        two = lambda f, Z: second_error(Y, rebuilt(rebuild, f, Z))
        looks = lambda f: codes(project, Y, f, first)
        for _ in range(rounds):
            Z = looks(f)
            new = refitted(adapt, Y, Z, f, first)
            errors += measured(one, two, f, Z, new, Z if before is None else before, looks)
            history.append((f, Z, new, errors[-1]))
            f, before = goes_on(new, f), Z
            if stops(errors):
                break
        return *returned(history, looks), listed(errors)

    return answer


# Mistakes in a stage


MEASURES = {  # of both errors
    "halved": lambda Y, points: first_error(Y, points) / 2,
    "root_of_sum": lambda Y, points: np.linalg.norm(Y - points),
    "summed": lambda Y, points: np.sum((Y - points) ** 2),
    "mean_of_entries": lambda Y, points: np.mean((Y - points) ** 2),
    "rooted": lambda Y, points: np.sqrt(first_error(Y, points)),
    "distances": lambda Y, points: np.mean(np.linalg.norm(Y - points, axis=1)),
}


def _before_and_next(history, project):
    f, Z, new, _ = history[-1]
    return new, project(new)


def _least_error(history, project):
    best = min(range(len(history)), key=lambda number: history[number][3])
    f, Z, new, _ = history[best]
    return new, Z


def _at_rest(back):
    """No further round as soon as the last error is as large as an earlier one."""
    return lambda errors: (
        len(errors) > max(2, back - 1) and bool(np.isclose(errors[-1], errors[-back]))
    )


def _one_round_more(Y, f, project, adapt, rebuild, rounds):
    f, Z, errors = reference(Y, f, project, adapt, rebuild, rounds + 1)
    return f, Z, errors[:-2]


def _first_is_right(result, Y, f, project, adapt, rebuild, rounds):
    wanted = first_error(Y, rebuild(f, project(Y, f)))
    return bool(abs(result[2][0] - wanted) <= 1e-5 * wanted)


def _last_is_right(result, Y, f, project, adapt, rebuild, rounds):
    found, Z, errors = result
    Z = Z.astype(int) if rebuild is row else Z
    wanted = first_error(Y, rebuild(found, Z))
    return bool(abs(errors[-1] - wanted) <= 1e-5 * max(wanted, errors[0]))


def _arguments_of_project(Y, f, project, adapt, rebuild, rounds):
    """Measured before the map is adapted: there it stops, as answers do."""
    return reference(Y, f, lambda Y, f: project(f, Y), adapt, rebuild, rounds)


def _one_round_less(Y, f, project, adapt, rebuild, rounds):
    return reference(Y, f, project, adapt, rebuild, rounds - 1)


MISTAKES = (
    ALTERNATION.mistake("row_of_f", rebuilt=lambda rebuild, f, Z: f[Z]),
    ALTERNATION.mistake("adapt_arguments", refitted=lambda adapt, Y, Z, f, first: adapt(Y, f, Z)),
    ALTERNATION.mistake("adapt_two_arguments", refitted=lambda adapt, Y, Z, f, first: adapt(Y, Z)),
    ALTERNATION.mistake("rebuild_arguments", rebuilt=lambda rebuild, f, Z: rebuild(Z, f)),
    ALTERNATION.mistake("map_stays", refitted=lambda adapt, Y, Z, f, first: f),
    ALTERNATION.mistake(
        "projects_again",
        measured=lambda one, two, f, Z, new, before, project: [one(f, Z), two(new, project(new))],
        returned=_before_and_next,
    ),
    *(
        ALTERNATION.mistake(id_, first_error=measure, second_error=measure)
        for id_, measure in MEASURES.items()
    ),
    ALTERNATION.mistake(
        "once_after_adaptation", measured=lambda one, two, f, Z, new, before, project: [two(new, Z)]
    ),
    ALTERNATION.mistake(
        "once_after_projection", measured=lambda one, two, f, Z, new, before, project: [one(f, Z)]
    ),
    ALTERNATION.mistake("best_kept", returned=_least_error),
    ALTERNATION.mistake("stops_at_rest", stops=_at_rest(3)),
    ALTERNATION.mistake(
        "projected_between",
        measured=lambda one, two, f, Z, new, before, project: [one(f, Z), two(new, project(new))],
    ),
    ALTERNATION.mistake("codes_of_the_last_map", returned=_before_and_next),
    ALTERNATION.mistake("one_map_back", returned=lambda history, project: history[-1][:2]),
    Misconception("one_round_more", mistaken=_one_round_more),
    ALTERNATION.mistake(
        "sorted_by_kind", listed=lambda errors: np.array(errors[::2] + errors[1::2])
    ),
    Misconception("project_arguments", mistaken=_arguments_of_project),
    Misconception("one_round_less", mistaken=_one_round_less),
)


EXERCISE = exercise(
    "project_adapt",
    lesson="22_one_functional",
    equations="[RPM] (3), (6), (9)",
    minutes=15,
    shapes={"Y": "N d", "f": "k d", "project": "", "adapt": "", "rebuild": "", "rounds": ""},
    returns={"f": "k d", "Z": "N", "errors": "2*rounds"},
    trials=trials,
    reference=reference,
    stages=ALTERNATION,
    properties=(
        Property("first_error", holds=_first_is_right),
        Property("last_error", holds=_last_is_right),
    ),
    misconceptions=MISTAKES,
)
