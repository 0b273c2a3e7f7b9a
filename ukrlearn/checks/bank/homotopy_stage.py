"""One stage of the homotopy: lower error, and no point that leaves the latent domain.

No two good stages end in the same place, so what an answer reaches decides, not its numbers.
"""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Property, Trial
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


def _way_out(X_new, threshold):
    """The mistake that led out of the domain, judged by its traces; None if all points are inside."""
    density = relative_density(X_new) / threshold
    if density.min() >= 1 - 1e-9:
        return None
    on_average = density.mean() >= 1 - 1e-9
    if density.min() > 0.8 and not (on_average and density.mean() - 1 < 1 - density.min()):
        return "tested_too_late"  # just outside, and no mean that lies at the threshold
    return "mean_obeys" if on_average else "constraint_forgotten"


def _by_another_way(mistake):
    return lambda X_new, X, Y, threshold: _way_out(X_new, threshold) != mistake


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
    """Whether X_new, whose shape differs clearly from X, would have a very low error if stretched."""
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


# What properties say that belong together: each is another way to fail the same demand.
MOVED = "The points have moved independently."
INSIDE = "Every point obeys p(x_n) >= threshold."
LOWER = "R_cv ends at least a fifth lower than at the start."

EXERCISE = Exercise(
    name="homotopy_stage",
    title="One stage of the homotopy",
    lesson="08_starts_and_scales",
    equations="[UKR] 2.3 step 4, (9), (10)",
    minutes=25,
    shapes={"X": "N q", "Y": "N d", "threshold": ""},
    returns={"X_new": "N q"},
    trials=trials,
    may_use=("reconstruction", "kernel_regression", "density_constraint", "descent"),
    properties=(
        Property(
            "nothing_moved",
            MOVED,
            "Your points have not moved. Either you return the input, or every move is refused. "
            "Print which test refuses one move: do the moved latent points have a least density "
            "of at least the given threshold? Is R_cv there lower? Only then look at the "
            "direction (minus the gradient) and at how often you halve the length.",
            _moves,
        ),
        Property(
            "one_place",
            MOVED,
            "You have drawn all points together in one place. There they meet every threshold, "
            "and every point is rebuilt by the mean of all others. A stage goes the other way: it "
            "unfolds.",
            _stays_apart,
        ),
        Property(
            "only_scaled",
            MOVED,
            "You have only stretched or shrunk all of X together. That is the way back into the "
            "domain, or the search for a scale. Here each point must move by itself, against its "
            "gradient.",
            _changes_shape,
        ),
        Property(
            "constraint_forgotten",
            INSIDE,
            "Your points have left the domain: even their mean density is below the threshold. "
            "Accept a move only if its end has p(x_n) >= threshold for all n and a lower error; "
            "if no length gives both, stay. There p(x_n) is the mean over all m, not the sum, of "
            "exp(-|x_n - x_m|²/2).",
            _by_another_way("constraint_forgotten"),
        ),
        Property(
            "mean_obeys",
            INSIDE,
            "The mean of your densities reaches the threshold, but the least does not. The "
            "constraint holds for every point: test p.min(), not p.mean().",
            _by_another_way("mean_obeys"),
        ),
        Property(
            "tested_too_late",
            INSIDE,
            "The least density is a little below the threshold: a move that led out was accepted. "
            "Before you accept a move, test all points where it ends, not where it started; and "
            "test against the threshold itself, without a margin.",
            _by_another_way("tested_too_late"),
        ),
        Property(
            "wrong_error",
            LOWER,
            "R has fallen and R_cv has risen: your points rebuild themselves. Take the error with "
            "each point left out, for the gradient and for the test.",
            _not_plain_error,
        ),
        Property(
            "shrunk_after",
            LOWER,
            "Your points found good places and were then drawn together: stretched again, their "
            "R_cv would be low enough. Shrinking all of X at the end obeys the threshold but "
            "loses the gain. Let every move obey it, so that nothing needs repair.",
            _keeps_what_it_gained,
        ),
        Property(
            "error_rose",
            LOWER,
            "R_cv is higher than at the start. Downhill is minus the gradient; and a move that is too "
            "long can overrun the valley, so accept it only if the error there is lower.",
            _does_not_rise,
        ),
        Property(
            "too_little",
            LOWER,
            "R_cv must end at least a fifth lower than at the start. Take more moves, and begin "
            "each with a worthwhile length: about one, the width of the kernel; then halve it.",
            _lower,
        ),
    ),
    hints=(
        "Think of a careful walker: look downhill, try a big step, look where it would end. If "
        "that place is forbidden or higher, try half the step. Then walk, and look again.",
        "The direction is -gradient / np.abs(gradient).max(), so that a length of 1 moves no "
        "point by more than the width of the kernel. Accept X + length * direction if its least "
        "density is at least the threshold and its R_cv is below the current one.",
        "Forty moves in an outer loop; in each, an inner loop over the lengths 1, 1/2, 1/4, ..., "
        "which makes a candidate, tests both conditions, and on success replaces X and breaks "
        "out. The density: mean over m of exp(-|x_n - x_m|²/2), m = n included.",
    ),
)
