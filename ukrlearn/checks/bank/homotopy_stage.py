"""One stage of the homotopy: lower error, and no point that leaves the latent domain.

No two good stages end in the same place, so what an answer reaches decides, not its numbers. Where
it fails, its walk is looked at: the rule by which it accepted moves, in all trials, is the cause.
"""

from functools import cached_property, partial

import numpy as np

from ukrlearn.checks._following import walks
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.texts import cause, exercise
from ukrlearn.ukr.density_constraint import back_into_feasible_set, relative_density
from ukrlearn.ukr.reconstruction import reconstruction_error

ENOUGH = 0.8  # of the error at the start
STRETCHES = (1, 1.5, 2, 3, 4, 6)  # that find out whether all points were drawn together at the end
SIZES = ((7, 3, 1, 0.4), (9, 4, 2, 0.3), (11, 2, 1, 0.2))  # N, d, q, threshold


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([[0.0], [1.0], [9.0], [10.0]])
    made = [Trial("four points in two pairs", dict(X=X, Y=Y, threshold=0.4))]
    for N, d, q, threshold in SIZES:
        X, Y = _draw(random, N, d, q, threshold)
        label = f"N = {N}, d = {d}, q = {q}"
        made.append(Trial(label, dict(X=X, Y=Y, threshold=threshold)))
    # Not to be passed by one gradient for all moves, nor with other densities: found by a search.
    crowd = np.array([[3.0], [2.5], [3.5], [1.0], [1.0]])
    aims = np.array([[-3.0], [-6.0], [-3.0], [-6.0], [1.0]])
    made.append(Trial("five points in two places", dict(X=crowd, Y=aims, threshold=0.47)))
    label = "data ten times larger, latent space moved by 20"
    made.append(Trial(label, dict(X=X + 20, Y=10 * Y, threshold=threshold)))
    return made


def _draw(random, N, d, q, threshold):
    """A curve or sheet with a rough start inside the domain, from which a stage can gain much."""
    while True:
        t = random.uniform(size=(N, q))
        Y = np.sin(4 * t @ random.normal(size=(q, d)) + random.uniform(0, 6, d)) * (
            1 + np.arange(d)
        )
        Y += 0.05 * random.normal(size=Y.shape)
        X = back_into_feasible_set(99 * (t + 0.12 * random.normal(size=t.shape)), 2 * threshold)
        one_move = _moved(X, Y, threshold)
        if _cv_error(one_move, Y) < 0.9 * ENOUGH * _cv_error(X, Y):
            return X, Y


def _moved(X, Y, threshold):
    """The longest of a few downhill moves that does what a stage must do."""
    error, gradient = reconstruction_error(X, Y)
    direction = -gradient / np.abs(gradient).max()
    for length in 2 / 2 ** np.arange(8):
        X_new = X + length * direction
        if relative_density(X_new).min() >= threshold and _cv_error(X_new, Y) < error:
            return X_new
    return X


def _cv_error(X, Y, leave_one_out=True):
    return reconstruction_error(X, Y, leave_one_out=leave_one_out)[0]


# What an answer has reached


def _share(X_new, X, Y, leave_one_out=True):
    """Its error as a share of the error at the start."""
    return _cv_error(X_new, Y, leave_one_out) / _cv_error(X, Y, leave_one_out)


def _centred(X):
    return X - X.mean(axis=0)


def _scale(X_new, X, tolerance=1e-6):
    """The factor by which X_new is X, up to a translation; None if it is not."""
    one, other = _centred(X_new), _centred(X)
    factor = np.vdot(one, other) / np.vdot(other, other)
    return factor if np.abs(one - factor * other).max() < tolerance * np.abs(other).max() else None


def _moves(X_new, X, Y, threshold):
    factor = _scale(X_new, X)
    return factor is None or abs(factor - 1) > 1e-6


def _stays_apart(X_new, X, Y, threshold):
    return bool(np.abs(_centred(X_new)).max() > 1e-3 * np.abs(_centred(X)).max())


def _changes_shape(X_new, X, Y, threshold):
    return (
        not _moves(X_new, X, Y, threshold)
        or not _stays_apart(X_new, X, Y, threshold)
        or _scale(X_new, X) is None
    )


def _not_plain_error(X_new, X, Y, threshold):
    return not _share(X_new, X, Y, False) < ENOUGH < 1 < _share(X_new, X, Y)


def _shrunk(X_new, X, Y, threshold):
    """Whether X_new, of a shape clearly other than X, would have a very low error if stretched."""
    if _share(X_new, X, Y) <= ENOUGH or not _stays_apart(X_new, X, Y, threshold):
        return False
    if _scale(X_new, X, 0.05) is not None:
        return False
    reached, begun = (min(_cv_error(s * Z, Y) for s in STRETCHES) for Z in (X_new, X))
    return reached < 0.3 * begun


def _keeps_what_it_gained(X_new, X, Y, threshold):
    return not _shrunk(X_new, X, Y, threshold)


def _does_not_rise(X_new, X, Y, threshold):
    return _share(X_new, X, Y) <= 1 + 1e-9 or _shrunk(X_new, X, Y, threshold)


def _lower(X_new, X, Y, threshold):
    return _share(X_new, X, Y) <= ENOUGH or _shrunk(X_new, X, Y, threshold)


# What the walk tells: how moves were accepted


def _gradient(X, plain, Y):
    return reconstruction_error(X, Y, leave_one_out=not plain)[1]


def _densities(X, kernel=lambda t: np.exp(-t / 2), others=False, divisor=len):
    K = kernel(np.sum((X[:, None] - X) ** 2, axis=2))
    if others:
        np.fill_diagonal(K, 0)
    return K.sum(axis=1) / divisor(X)


OTHER_DENSITIES = {
    "density_sum": partial(_densities, divisor=lambda X: 1),
    "density_without_itself": partial(_densities, others=True),
    "density_of_others": partial(_densities, others=True, divisor=lambda X: len(X) - 1),
    "half_missing": partial(_densities, kernel=lambda t: np.exp(-t)),
    "distance_not_squared": partial(_densities, kernel=lambda t: np.exp(-np.sqrt(t) / 2)),
    "normal_density": partial(_densities, kernel=lambda t: np.exp(-t / 2) / np.sqrt(2 * np.pi)),
}
RULES = {  # by which a move may have been accepted
    "mean_obeys": lambda m: m.p.mean() >= m.threshold,
    "tested_too_late": lambda m: m.p_start.min() >= m.threshold,
    "any_obeys": lambda m: m.p.max() >= m.threshold,
    "first_point_only": lambda m: m.p[0] >= m.threshold,
    "last_point_only": lambda m: m.p[-1] >= m.threshold,
}


_cause = partial(cause, "homotopy_stage")


class _Judged:
    """A move with the densities and the errors at both of its ends, each computed once."""

    def __init__(self, move):
        self.move, self.trial, self.accepted = move, move.trial, move.accepted
        self.length, self.threshold = move.length, move.trial.arguments["threshold"]
        self.start, self.end = move.start, move.end

    @cached_property
    def p_start(self):
        return _densities(self.start)

    @cached_property
    def p(self):
        return _densities(self.end)

    @cached_property
    def errors(self):
        return [_cv_error(X, self.trial.arguments["Y"]) for X in (self.start, self.end)]

    @property
    def rises(self):
        return self.errors[1] >= self.errors[0] * (1 - 1e-12)

    @property
    def is_inside(self):
        return bool(self.p.min() >= self.threshold * (1 - 1e-9))

    @property
    def is_bad(self):
        return not self.is_inside or self.rises

    def told(self):
        return (
            f"In the trial {self.trial.label}, with the threshold {self.threshold:g}: before a "
            f"move the least density is {self.p_start.min():.3f}, where the move ends the least is "
            f"{self.p.min():.3f} and the mean {self.p.mean():.3f}; it is "
            f"{'accepted' if self.accepted else 'refused'}."
        )


def _way_told(returned):
    """The causes that the walks show: for each unmet demand the one that fits all moves."""
    taken = [w for w in walks(returned, _gradient) if w.moves]
    if not taken:
        return []
    by_trial = [[_Judged(m) for m in w.moves] for w in taken]
    moves = [m for some in by_trial for m in some]
    is_out = any(_densities(w.end).min() < _eta(w) * (1 - 1e-9) for w in taken)
    is_high = any(_share(w.end, _X(w), _Y(w)) > ENOUGH for w in taken)
    if problem := _end_told(taken) or _last_told(taken, by_trial):
        return [problem] if is_out or is_high else []
    found = []
    if is_high:
        found += [_direction_told(moves), _error_told(taken, moves)]
    if is_out or (is_high and _refuses_all_good(by_trial)):
        found += [_domain_told(taken, moves, is_out)]
    found = [problem for problem in found if problem]
    if not found and is_high and not is_out:
        found = [problem for problem in [_pace_told(taken)] if problem]
    return found


def _direction_told(moves):
    if np.mean([m.length > 0 for m in moves]) > 0.9:
        return _cause("uphill")
    return None


def _error_told(taken, moves):
    if all(w.plain for w in taken):
        return _cause("wrong_error")
    risen = [m for m in moves if m.accepted and m.errors[1] > 1.001 * m.errors[0]]
    if not risen:
        return None
    m = max(risen, key=lambda m: m.errors[1] / m.errors[0])
    return _cause("higher_accepted", trial=m.trial.label, before=m.errors[0], after=m.errors[1])


def _domain_told(taken, moves, is_out):
    out = [m for m in moves if m.accepted and not m.is_inside]
    good = [m for m in moves if not m.accepted and m.is_inside and not m.rises]
    if not out and not good:
        return _mixture_told(taken) if is_out else None
    if is_out and (problem := _mixture_told(taken)):
        return problem
    told = (out or good)[0].told()
    if shown := _density_shown(taken):
        id_, name = shown
        return _cause(id_, told=f"Your `{name}` shows it. {told}")
    if not out:
        return None
    for id_, rule in RULES.items():
        stops = id_ == "tested_too_late" and _stops_when_out(moves)
        if stops or _is_the_rule(rule, moves):
            return _cause(id_, told=told)
    for id_, density in OTHER_DENSITIES.items():
        if _is_the_rule(lambda m, density=density: density(m.end).min() >= m.threshold, moves):
            return _cause(id_, told=told)
    if problem := _margin_told(moves, told):
        return problem
    if _is_or(moves):
        return _cause("one_test_suffices", told=told)
    if all(m.accepted or m.rises for m in moves):
        return _cause("constraint_forgotten", told=told)
    if _is_accepted_at_last(moves):
        return _cause("accepted_anyway", told=told)
    return None


def _refuses_all_good(by_trial):
    """Whether in some trial nothing was accepted, though a candidate was inside and lower."""
    return any(
        not any(m.accepted for m in some) and any(m.is_inside and not m.rises for m in some)
        for some in by_trial
    )


def _density_shown(taken):
    """(id, variable) where a variable holds other densities, and none the right ones."""
    shown = {}
    for w in taken:
        noted = [(name, v) for name, v in w.values if v.shape == (len(w.end),)]
        if not noted:
            continue
        held = np.array([v for _, v in noted], dtype=float)
        holds = lambda p, held=held: np.flatnonzero(np.abs(held - p).max(axis=1) < 1e-9)
        for X in [m.end for m in w.moves][:40]:
            if np.ptp(_densities(X)) < 1e-6:
                continue
            if holds(_densities(X)).size:
                return None
            for id_, density in OTHER_DENSITIES.items():
                if (p := density(X)).min() > 1e-4 and (at := holds(p)).size:
                    shown.setdefault(id_, noted[at[0]][0])
        if (at := holds(_densities(_Y(w)))).size:
            shown.setdefault("density_of_data", noted[at[0]][0])
    if len(shown) != 1:
        return None
    ((id_, name),) = shown.items()
    return id_, name


def _is_the_rule(rule, moves):
    """Whether moves were accepted by this rule, and some refused by it; rising ones don't tell."""
    if not all(rule(m) for m in moves if m.accepted):
        return False
    refused = [rule(m) for m in moves if not m.accepted and not m.rises]
    return bool(refused) and not any(refused)


def _stops_when_out(moves):
    """Whether each walk that has left the domain ends with the move by which it left."""
    last_places = {}
    for m in moves:
        if m.accepted:
            last_places.setdefault(m.trial.label, []).append(m.is_inside)
    ends = [inside for inside in last_places.values() if not all(inside)]
    return len(ends) > 1 and all(inside.index(False) == len(inside) - 1 for inside in ends)


def _margin_told(moves, told):
    """The least density decides, but against a number somewhat below the threshold."""
    least = min(m.p.min() / m.threshold for m in moves if m.accepted)
    refused = [m.p.min() / m.threshold for m in moves if not m.accepted and not m.rises]
    if 0.6 < least < 1 and refused and max(refused) < least:
        return _cause("with_a_margin", told=told)
    return None


def _mixture_told(taken):
    if 2 * sum(w.mixed > 0 for w in taken) <= len(taken):
        return None
    return _cause("rows_kept")


def _is_or(moves):
    """Whether moves were accepted that are inside, or lower, and some that are only one of both."""
    either = all(m.accepted == (m.is_inside or not m.rises) for m in moves)
    return either and any(m.accepted and m.is_inside and m.rises for m in moves)


def _is_accepted_at_last(moves):
    """Whether bad moves were accepted only where all lengths had been tried in vain."""
    tried = {}
    for m in moves:
        tried.setdefault((m.trial.label, m.start.tobytes()), []).append(m)
    most = max(len(some) for some in tried.values())
    in_vain = [m for some in tried.values() if len(some) == most for m in some[-1:]]
    bad = [m for m in moves if m.accepted and m.is_bad]
    refused = [m for m in moves if not m.accepted]
    only_last = all(any(m is other for other in in_vain) for m in bad)
    return most > 2 and only_last and all(m.is_bad for m in refused)


def _end_told(taken):
    """The walk went somewhere, and something else was returned."""
    stayed = all(np.array_equal(w.end, _X(w)) for w in taken)
    if stayed and sum(len(w.places) > 1 for w in taken) > 1:
        return _cause("start_returned")
    drawn = [_drawn_together(w) for w in taken]
    if any(drawn) and 2 * sum(factor is not None for factor in drawn) > len(drawn):
        factor = min(factor for factor in drawn if factor)
        return _cause("shrunk_after", factor=factor)
    return None


def _last_told(taken, by_trial):
    """Every accepted move was good, and what was returned had been refused."""
    returned = []
    for w, some in zip(taken, by_trial, strict=True):
        last = next((m for m in some if np.array_equal(m.end, w.end)), None)
        if last is None or not last.is_bad:
            continue
        others = [m for m in some if m is not last]
        from_there = [m for m in others if np.array_equal(m.start, last.start)]
        tested = from_there and all(m.is_bad for m in from_there)
        if not tested or any(m.accepted and m.is_bad for m in others):
            return None
        returned.append(last)
    if not returned:
        return None
    m = min(returned, key=lambda m: m.is_inside)
    return _cause(
        "refused_returned",
        trial=m.trial.label,
        threshold=m.threshold,
        there=m.p_start.min(),
        here=m.p.min(),
    )


def _drawn_together(w):
    """The factor by which the points at the end of the walk were shrunk; None if they were not."""
    for X in [m.end for m in w.moves[-30:]]:
        factor = _scale(w.end, X)
        if factor is not None and 0 < factor < 0.999:
            return factor
    return None


def _pace_told(taken):
    lengths = [[abs(m.length) for m in w.moves] for w in taken]
    accepted = [sum(m.accepted for m in w.moves) for w in taken]
    longest = max(max(some) for some in lengths)
    if longest < 0.2:
        return _cause("short_moves", longest=longest)
    if 0 < max(accepted) <= 3:
        return _cause(
            "few_moves", most=max(accepted), moves="move" if max(accepted) == 1 else "moves"
        )
    if all(len(set(np.round(some, 9))) == 1 for some in lengths):
        return _cause("one_length_only", longest=longest)
    return None


def _X(w):
    return w.trial.arguments["X"]


def _Y(w):
    return w.trial.arguments["Y"]


def _eta(w):
    return w.trial.arguments["threshold"]


EXERCISE = exercise(
    "homotopy_stage",
    lesson="08_starts_and_scales",
    equations="[UKR] 2.3 step 4, (9), (10)",
    minutes=25,
    shapes={"X": "N q", "Y": "N d", "threshold": ""},
    returns={"X_new": "N q"},
    trials=trials,
    follows=reconstruction_error,
    retold=_way_told,
    may_use=("reconstruction", "kernel_regression", "density_constraint", "descent"),
    properties=(
        Property("nothing_moved", holds=_moves),
        Property("one_place", holds=_stays_apart),
        Property("only_scaled", holds=_changes_shape),
        Property(
            "left_domain",
            holds=lambda X_new, X, Y, threshold: bool(
                relative_density(X_new).min() >= threshold * (1 - 1e-9)
            ),
        ),
        Property("wrong_error", holds=_not_plain_error),
        Property("shrunk_after", holds=_keeps_what_it_gained),
        Property("error_rose", holds=_does_not_rise),
        Property("too_little", holds=_lower),
    ),
)
