"""Project and adapt in turn: one function for k-means, lines, and whatever parts it is given."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

ROUNDING = 1e-9


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


def _measured_by(measure):
    return ALTERNATION(first_error=measure, second_error=measure)


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


AT_REST = (
    "You stop when the error no longer changes, so there are too few errors. The task asks for "
    "`rounds` rounds, whatever happens, with two errors each."
)


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
    errors = []
    for _ in range(rounds):
        Z = project(f, Y)
        errors.append(first_error(Y, rebuild(f, Z)))
        f = adapt(Y, Z, f)
        errors.append(first_error(Y, rebuild(f, Z)))
    return f, Z, np.array(errors)


def _one_round_less(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds - 1):
        Z = project(Y, f)
        errors.append(first_error(Y, rebuild(f, Z)))
        f = adapt(Y, Z, f)
        errors.append(first_error(Y, rebuild(f, Z)))
    return f, Z, np.array(errors)


EXERCISE = Exercise(
    name="project_adapt",
    title="Project and adapt",
    lesson="22_one_functional",
    equations="[RPM] (3), (6), (9)",
    minutes=15,
    shapes={"Y": "N d", "f": "k d", "project": "", "adapt": "", "rebuild": "", "rounds": ""},
    returns={"f": "k d", "Z": "N", "errors": "2*rounds"},
    trials=trials,
    reference=reference,
    stages=ALTERNATION,
    properties=(
        Property(
            "first_error",
            "The first error is that of the projection onto the map that was given.",
            "Your first error is not the one after the first projection. Before anything is adapted, "
            "find the codes of the map that was given, and take the mean over the points of "
            "|y_n - f(z_n)|².",
            _first_is_right,
        ),
        Property(
            "last_error",
            "The last error is that of the map and the codes that are returned.",
            "Your last error is not that of the f and Z that you return. After the last adaptation "
            "f is new and Z is still the Z it was fitted to: both go into the last error, and both "
            "are returned.",
            _last_is_right,
        ),
    ),
    misconceptions=(
        Misconception(
            "row_of_f",
            "You take f[Z] for the points. That is so only for a map that is a list of points; on a line, codes are no row numbers. `rebuild(f, Z)` knows what a map is: call it.",
            ALTERNATION(rebuilt=lambda rebuild, f, Z: f[Z]),
        ),
        Misconception(
            "adapt_arguments",
            "You call adapt(Y, f, Z). Its arguments come in another order: adapt(Y, Z, f).",
            ALTERNATION(refitted=lambda adapt, Y, Z, f, first: adapt(Y, f, Z)),
        ),
        Misconception(
            "adapt_two_arguments",
            "You call `adapt` with two arguments. It needs the old map, too: adapt(Y, Z, f).",
            ALTERNATION(refitted=lambda adapt, Y, Z, f, first: adapt(Y, Z)),
        ),
        Misconception(
            "rebuild_arguments",
            "You call rebuild(Z, f). Its arguments come in another order: rebuild(f, Z).",
            ALTERNATION(rebuilt=lambda rebuild, f, Z: rebuild(Z, f)),
        ),
        Misconception(
            "codes_stay",
            "Your codes never change. You project once, before the loop, or always onto the first map. In "
            "every round the points look for their best codes anew, on the map of that round.",
            ALTERNATION(codes=lambda project, Y, f, first: project(Y, first)),
        ),
        Misconception(
            "map_stays",
            "Your map never changes. `adapt` returns a new map and leaves the old one alone, so its "
            "result needs a name: f = adapt(Y, Z, f).",
            ALTERNATION(refitted=lambda adapt, Y, Z, f, first: f),
        ),
        Misconception(
            "adapts_the_first",
            "You hand the *first* map to `adapt` in every round. It needs the map of the last round, from "
            "which it goes on: for example, a code that nobody takes keeps its last value.",
            ALTERNATION(refitted=lambda adapt, Y, Z, f, first: adapt(Y, Z, first)),
        ),
        Misconception(
            "adapts_first",
            "Your rounds begin with an adaptation, after a projection before the loop. Then the errors are "
            "shifted by one, and at the end you have codes that f was not fitted to. Inside the "
            "loop: first project, then adapt.",
            ALTERNATION(
                measured=lambda one, two, f, Z, new, before, project: [
                    two(new, Z),
                    two(new, project(new)),
                ],
                returned=_before_and_next,
            ),
        ),
        Misconception(
            "projects_again",
            "After the adaptation you project again, before you measure and return. Both the second error of a round and the codes that are returned belong to the codes that the new map was fitted to; the next projection is the first half step of the *next* round.",
            ALTERNATION(
                measured=lambda one, two, f, Z, new, before, project: [
                    one(f, Z),
                    two(new, project(new)),
                ],
                returned=_before_and_next,
            ),
        ),
        Misconception(
            "halved",
            "Your errors are half of (3), as if the cost were |y - f(z)|²/2. (3) has the squared distance itself.",
            _measured_by(lambda Y, points: first_error(Y, points) / 2),
        ),
        Misconception(
            "summed_residuals",
            "You average the entries of y_n - f(z_n) without squaring them, so positive and negative ones cancel.",
            _measured_by(lambda Y, points: np.mean(np.sum(Y - points, axis=1))),
        ),
        Misconception(
            "absolute",
            "Your errors are means of the absolute differences, summed over the coordinates. The cost is the *squared* distance |y_n - f(z_n)|².",
            _measured_by(lambda Y, points: np.mean(np.sum(np.abs(Y - points), axis=1))),
        ),
        Misconception(
            "root_of_sum",
            "Your errors are the length of all residuals together, the root of the sum of all squares. (3) is the mean of the squares over the points, without a root.",
            _measured_by(lambda Y, points: np.linalg.norm(Y - points)),
        ),
        Misconception(
            "summed",
            "Your errors are sums over the points. (3) is the mean: divide by N.",
            _measured_by(lambda Y, points: np.sum((Y - points) ** 2)),
        ),
        Misconception(
            "mean_of_entries",
            "Your errors are means over all N·d entries of the residuals, which np.mean takes without an axis. "
            "The cost of a point is the *sum* of its d squares; only over points do you average.",
            _measured_by(lambda Y, points: np.mean((Y - points) ** 2)),
        ),
        Misconception(
            "rooted",
            "Your errors are roots of the mean squares. (3) with the squared cost has no root.",
            _measured_by(lambda Y, points: np.sqrt(first_error(Y, points))),
        ),
        Misconception(
            "distances",
            "Your errors are mean distances. The cost here is the *squared* distance |y_n - f(z_n)|².",
            _measured_by(lambda Y, points: np.mean(np.linalg.norm(Y - points, axis=1))),
        ),
        Misconception(
            "once_after_adaptation",
            "You measure once in a round, after the adaptation. The error after the projection is asked for, too: two for each round.",
            ALTERNATION(measured=lambda one, two, f, Z, new, before, project: [two(new, Z)]),
        ),
        Misconception(
            "once_after_projection",
            "You measure once in a round, after the projection. The error after the adaptation is asked for, too: two for each round.",
            ALTERNATION(measured=lambda one, two, f, Z, new, before, project: [one(f, Z)]),
        ),
        Misconception(
            "swapped_in_round",
            "The two errors of each round come in the wrong order: first that after the projection, then that after the adaptation.",
            ALTERNATION(
                measured=lambda one, two, f, Z, new, before, project: [two(new, Z), one(f, Z)]
            ),
        ),
        Misconception(
            "best_kept",
            "You return the map with the least error on the way. The task asks for the last one, and for its codes: with some parts the error may rise.",
            ALTERNATION(returned=_least_error),
        ),
        Misconception(
            "first_round_only",
            "Your function ends after the first round. `return` belongs after the loop, not inside it.",
            ALTERNATION(stops=lambda errors: True),
        ),
        Misconception("stops_at_rest", AT_REST, ALTERNATION(stops=_at_rest(3))),
        Misconception(
            "stops_at_rest_of_projections",
            AT_REST,
            ALTERNATION(stops=lambda errors: len(errors) > 2 and errors[-2] == errors[-4]),
        ),
        Misconception(
            "measured_after_both",
            "Your two errors of a round are equal: you measure both after the adaptation. "
            "The first belongs between the projection and the adaptation.",
            ALTERNATION(measured=lambda one, two, f, Z, new, before, project: [two(new, Z)] * 2),
        ),
        Misconception(
            "measured_before_both",
            "Your two errors of a round are equal: both are measured with the map before the adaptation. The "
            "second needs the new map.",
            ALTERNATION(measured=lambda one, two, f, Z, new, before, project: [one(f, Z)] * 2),
        ),
        Misconception(
            "projected_between",
            "For the error after an adaptation you have projected again. That error belongs to the new map "
            "with the *old* codes; with new ones it is the first error of the next round.",
            ALTERNATION(
                measured=lambda one, two, f, Z, new, before, project: [
                    one(f, Z),
                    two(new, project(new)),
                ]
            ),
        ),
        Misconception(
            "codes_one_behind",
            "For the error after a projection you use the codes of the round before. Measure it after the line "
            "that finds the new Z.",
            ALTERNATION(
                measured=lambda one, two, f, Z, new, before, project: [
                    one(f, before),
                    two(new, Z),
                ]
            ),
        ),
        Misconception(
            "codes_of_the_last_map",
            "You project once more after the last adaptation. The task asks for the codes that the last map "
            "was fitted to, those of the last error.",
            ALTERNATION(returned=_before_and_next),
        ),
        Misconception(
            "one_map_back",
            "You return the map from before the last adaptation. Did you give the adapted map another name "
            "than the one you return?",
            ALTERNATION(returned=lambda history, project: history[-1][:2]),
        ),
        Misconception(
            "one_round_more",
            "Your map and codes are those of one round too many.",
            _one_round_more,
        ),
        Misconception(
            "begins_again",
            "Every round of yours begins with the first map again. Has the adapted map another name than the "
            "one you project onto? Write f = adapt(Y, Z, f).",
            ALTERNATION(goes_on=lambda new, f: f),
        ),
        Misconception(
            "always_means",
            "You run k-means whatever parts you are given. Call `project`, `adapt` and `rebuild`: the function "
            "must not know what a map is.",
            ALTERNATION(
                codes=lambda project, Y, f, first: nearest(Y, f),
                refitted=lambda adapt, Y, Z, f, first: means(Y, Z, f),
                rebuilt=lambda rebuild, f, Z: f[Z],
            ),
        ),
        Misconception(
            "sorted_by_kind",
            "You list all errors after projections first, then those after adaptations. They come in the order in "
            "which they are measured: projection, adaptation, projection, ...",
            ALTERNATION(listed=lambda errors: np.array(errors[::2] + errors[1::2])),
        ),
        Misconception(
            "project_arguments",
            "You hand `project` its arguments the wrong way round. The task calls project(Y, "
            "f): data first, then the map.",
            _arguments_of_project,
        ),
        Misconception(
            "one_round_less",
            "You stop one round too early: the loop has to run `rounds` times, with two errors "
            "each time. With a single round it does not run at all.",
            _one_round_less,
        ),
    ),
    hints=(
        "Which of the two is unknown at the start, the map or the codes? So which half step comes "
        "first?",
        "In every round: Z = project(Y, f), then the error; f = adapt(Y, Z, f), then the error again, with "
        "the same Z. The error is the mean over n of |y_n - f(z_n)|², and rebuild(f, Z) is f(z_n) for "
        "all n.",
        "Start with an empty list. Inside `for _ in range(rounds)` are four lines: project, append, adapt, "
        "append. What is appended is np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)). After the "
        "loop you return f, Z and the list.",
    ),
)
