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


def reference(Y, f, project, adapt, rebuild, rounds):
    return _alternated(Y, f, project, adapt, rebuild, rounds)


def trials(seed):
    random = np.random.default_rng(seed)
    four = np.array([[0.0], [2.0], [4.0], [12.0]])
    made = [_trial("four points, two codes", four, np.array([[0.0], [2.0]]), POINTS, 2)]
    made.append(_trial("the same, one round", four, np.array([[0.0], [2.0]]), POINTS, 1))
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
    large = _trial("data a million times larger", 1e6 * Y, 1e6 * begun, LINE, 2)
    Y = random.gamma(0.6, size=(13, 3))
    made += [large, _trial("medians", Y, Y[:2], MEDIANS, 3)]
    return [*made, _trial("adaptations that go half the way", Y, Y[:2], DAMPED, 3)]


def _trial(label, Y, f, parts, rounds):
    project, adapt, rebuild = parts
    arguments = dict(Y=Y, f=f, project=project, adapt=adapt, rebuild=rebuild, rounds=rounds)
    return Trial(label, arguments)


def _mean_square(residuals):
    return np.mean(np.sum(residuals**2, axis=1))


def _alternated(Y, f, project, adapt, rebuild, rounds, measure=_mean_square):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(measure(Y - rebuild(f, Z)))
        f = adapt(Y, Z, f)
        errors.append(measure(Y - rebuild(f, Z)))
    return f, Z, np.array(errors)


@staged
def _made(
    projects=lambda project, Y, first: project,
    adapts=lambda adapt, first: adapt,
    measure=_mean_square,
    last=lambda f, Z, Y, project: (f, Z),
):
    """The right alternation with stages exchanged: half steps, measure, what is returned."""

    def answer(Y, f, project, adapt, rebuild, rounds):
        parts = projects(project, Y, f), adapts(adapt, f), rebuild
        found, Z, errors = _alternated(Y, f, *parts, rounds, measure)
        return *last(found, Z, Y, project), errors

    return answer


def _codes_stay(project, Y, first):
    Z = project(Y, first)
    return lambda *_: Z


def _adapts_the_first(adapt, first):
    return lambda Y, Z, f: adapt(Y, Z, first)


def _adapts_first(Y, f, project, adapt, rebuild, rounds):
    Z, errors = project(Y, f), []
    for _ in range(rounds):
        f = adapt(Y, Z, f)
        errors.append(_mean_square(Y - rebuild(f, Z)))
        Z = project(Y, f)
        errors.append(_mean_square(Y - rebuild(f, Z)))
    return f, Z, np.array(errors)


def _with_errors(of):
    """The right map and codes; errors from (before, Z, after, the codes before, the next ones)."""

    def run(Y, f, project, adapt, rebuild, rounds):
        errors, last = [], project(Y, f)
        for _ in range(rounds):
            Z = project(Y, f)
            after = adapt(Y, Z, f)
            error = lambda f, Z: _mean_square(Y - rebuild(f, Z))
            errors += of(error, f, Z, after, last, project(Y, after))
            f, last = after, Z
        return f, Z, np.array(errors)

    return run


def _one_map_back(Y, f, project, adapt, rebuild, rounds):
    _, Z, errors = _alternated(Y, f, project, adapt, rebuild, rounds)
    if rounds > 1:
        f = _alternated(Y, f, project, adapt, rebuild, rounds - 1)[0]
    return f, Z, errors


def _one_round_more(Y, f, project, adapt, rebuild, rounds):
    f, Z, errors = _alternated(Y, f, project, adapt, rebuild, rounds + 1)
    return f, Z, errors[:-2]


def _begins_again(Y, f, project, adapt, rebuild, rounds):
    f, Z, errors = _alternated(Y, f, project, adapt, rebuild, 1)
    return f, Z, np.resize(errors, 2 * rounds)


def _always_means(Y, f, project, adapt, rebuild, rounds):
    """k-means, whatever the parts."""
    return _alternated(Y, f, nearest, means, row, rounds)


def _sorted_by_kind(Y, f, project, adapt, rebuild, rounds):
    f, Z, errors = _alternated(Y, f, project, adapt, rebuild, rounds)
    return f, Z, np.concatenate([errors[::2], errors[1::2]])


def _first_is_right(result, Y, f, project, adapt, rebuild, rounds):
    wanted = _mean_square(Y - rebuild(f, project(Y, f)))
    return bool(abs(result[2][0] - wanted) <= 1e-5 * wanted)


def _last_is_right(result, Y, f, project, adapt, rebuild, rounds):
    found, Z, errors = result
    Z = Z.astype(int) if rebuild is row else Z
    wanted = _mean_square(Y - rebuild(found, Z))
    return bool(abs(errors[-1] - wanted) <= 1e-5 * max(wanted, errors[0]))


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
            "codes_stay",
            "Your codes never change. You project once, before the loop, or always onto the first map. In "
            "every round the points look for their best codes anew, on the map of that round.",
            _made(projects=_codes_stay),
        ),
        Misconception(
            "map_stays",
            "Your map never changes. `adapt` returns a new map and leaves the old one alone, so its "
            "result needs a name: f = adapt(Y, Z, f).",
            _made(adapts=lambda adapt, first: lambda Y, Z, f: f),
        ),
        Misconception(
            "adapts_the_first",
            "You hand the *first* map to `adapt` in every round. It needs the map of the last round, from "
            "which it goes on: for example, a code that nobody takes keeps its last value.",
            _made(adapts=_adapts_the_first),
        ),
        Misconception(
            "adapts_first",
            "Your rounds begin with an adaptation, after a projection before the loop. Then the errors are "
            "shifted by one, and at the end you have codes that f was not fitted to. Inside the "
            "loop: first project, then adapt.",
            _adapts_first,
        ),
        Misconception(
            "summed",
            "Your errors are sums over the points. (3) is the mean: divide by N.",
            _made(measure=lambda r: np.sum(r**2)),
        ),
        Misconception(
            "mean_of_entries",
            "Your errors are means over all N·d entries of the residuals, which np.mean takes without an axis. "
            "The cost of a point is the *sum* of its d squares; only over points do you average.",
            _made(measure=lambda r: np.mean(r**2)),
        ),
        Misconception(
            "rooted",
            "Your errors are roots of the mean squares. (3) with the squared cost has no root.",
            _made(measure=lambda r: np.sqrt(_mean_square(r))),
        ),
        Misconception(
            "distances",
            "Your errors are mean distances. The cost here is the *squared* distance |y_n - f(z_n)|².",
            _made(measure=lambda r: np.mean(np.linalg.norm(r, axis=1))),
        ),
        Misconception(
            "measured_after_both",
            "Your two errors of a round are equal: you measure both after the adaptation. "
            "The first belongs between the projection and the adaptation.",
            _with_errors(lambda error, f, Z, after, last, next: [error(after, Z)] * 2),
        ),
        Misconception(
            "measured_before_both",
            "Your two errors of a round are equal: both are measured with the map before the adaptation. The "
            "second needs the new map.",
            _with_errors(lambda error, f, Z, after, last, next: [error(f, Z)] * 2),
        ),
        Misconception(
            "projected_between",
            "For the error after an adaptation you have projected again. That error belongs to the new map "
            "with the *old* codes; with new ones it is the first error of the next round.",
            _with_errors(lambda error, f, Z, after, last, next: [error(f, Z), error(after, next)]),
        ),
        Misconception(
            "codes_one_behind",
            "For the error after a projection you use the codes of the round before. Measure it after the line "
            "that finds the new Z.",
            _with_errors(lambda error, f, Z, after, last, next: [error(f, last), error(after, Z)]),
        ),
        Misconception(
            "codes_of_the_last_map",
            "You project once more after the last adaptation. The task asks for the codes that the last map "
            "was fitted to, those of the last error.",
            _made(last=lambda f, Z, Y, project: (f, project(Y, f))),
        ),
        Misconception(
            "one_map_back",
            "You return the map from before the last adaptation. Did you give the adapted map another name "
            "than the one you return?",
            _one_map_back,
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
            _begins_again,
        ),
        Misconception(
            "always_means",
            "You run k-means whatever parts you are given. Call `project`, `adapt` and `rebuild`: the function "
            "must not know what a map is.",
            _always_means,
        ),
        Misconception(
            "sorted_by_kind",
            "You list all errors after projections first, then those after adaptations. They come in the order in "
            "which they are measured: projection, adaptation, projection, ...",
            _sorted_by_kind,
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
