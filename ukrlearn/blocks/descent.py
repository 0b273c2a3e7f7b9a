"""Descents, which yield `Step(X, error, gradient)` without end, and adaptors that consume steps.

Call a descent as ``descent(objective, X0)``; its first step is the start itself. A descent does not
stop, record or draw. The adaptors below, and the code that reads the steps, do that.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from numbers import Real
from typing import NamedTuple

import numpy as np

from ukrlearn.blocks.arguments import shown
from ukrlearn.blocks.units import power_of_two

Objective = Callable[[np.ndarray], tuple[float, np.ndarray]]


class Step(NamedTuple):
    """The current latent points of a descent, with the objective and its gradient there."""

    X: np.ndarray
    error: float
    gradient: np.ndarray


def step_at(objective: Objective, X) -> Step:
    """The step to X. An error that is not finite counts as infinite, and its gradient as zero.

    Descents take all values of the objective from here. So no line search accepts NaN, and no
    gradient of NaN moves X.

    Examples
    --------
    >>> step_at(lambda X: (np.nan, np.nan * X), np.ones(2))
    Step(X=array([1., 1.]), error=inf, gradient=array([0., 0.]))
    """
    if np.isfinite(X).all():
        error, gradient = objective(X)
        if np.isfinite(error) and np.isfinite(gradient).all():
            return Step(X, error, gradient)
    return Step(X, np.inf, np.zeros_like(X))


# Descents


def rprop(
    objective: Objective,
    X0,
    *,
    backtrack=True,
    first_step=0.1,
    growth=1.2,
    shrink=0.5,
    least_step=1e-9,
    most_step=10.0,
    allowed=None,
) -> Iterator[Step]:
    """Resilient propagation: one step size per coordinate; only the gradient's sign is used.

    A step size grows while the sign of the gradient stays the same, and shrinks when it changes.
    After a change of sign, iRprop- leaves the coordinate where it is for one move; iRprop+ also
    undoes the last move if the error has risen. Departure: it undoes it too where the gradient
    vanished with it, as beyond the reach of a compact kernel, from where no force leads back. RPROP
    is not a descent method: errors may rise, so keep the best step (`best_so_far`). On noisy
    spirals it ends at somewhat higher errors than L-BFGS, and, from a start in the right order,
    nearer to the clean curve.

    Parameters
    ----------
    backtrack : bool
        True for iRprop+, False for iRprop-.
    first_step, least_step, most_step : float
        Step sizes, in units of latent space, that is, of the kernel's width.
    allowed : callable, optional
        X -> bool: whether X lies in the feasible set. X0 must lie in it. A move that would leave
        the set is halved until it stays inside, and the step sizes are halved with it.
    """
    X, error, gradient = _evaluated(objective, X0)
    step = np.full_like(X, first_step)
    move, before, last_error = np.zeros_like(X), np.zeros_like(X), error
    yield Step(X, error, gradient)
    while True:
        sign = np.sign(gradient)  # products of gradients could overflow or underflow
        lost = (sign == 0) & (before != 0)
        sign[lost] = -before[lost]
        turned = sign * before < 0
        step = rprop_step(step, sign, before, growth, shrink, least_step, most_step)
        before = np.where(turned, 0, sign)
        last_move, move = move, -before * step
        if backtrack:
            undone = turned if error > last_error else lost
            move[undone] = -last_move[undone]
        last_error = error
        if allowed is not None:
            part = _allowed_part(allowed, X, move)
            move *= part
            step *= max(part, shrink**3)  # step sizes grow back, unless they shrink to nothing
        there = step_at(objective, X + move)
        if there.error < np.inf:
            X, error, gradient = there
        else:  # take the move back, and go on with shorter ones
            move, before = np.zeros_like(X), np.zeros_like(X)
            step = np.maximum(step * shrink, least_step)
        yield Step(X, error, gradient)


def rprop_step(step, gradient, previous_gradient, growth=1.2, shrink=0.5, least=1e-9, most=10.0):
    """The next step size of each coordinate: longer if its gradient keeps its sign, else shorter.

    Signs can be passed instead of gradients. If either of the two is zero, the step size stays.

    Examples
    --------
    >>> rprop_step(np.array([1.0, 1.0, 1.0]), np.array([2.0, -2.0, 0.0]), np.ones(3))
    array([1.2, 0.5, 1. ])
    """
    agreement = gradient * previous_gradient
    factor = np.where(agreement > 0, growth, np.where(agreement < 0, shrink, 1))
    return np.clip(step * factor, least, most)


def _allowed_part(allowed, X, move, halvings=20):
    """The largest of 1, 1/2, 1/4, ... for which that fraction of the move is allowed, else 0."""
    for halving in range(halvings):
        if allowed(X + move / 2**halving):
            return 1 / 2**halving
    return 0.0


def gradient_descent(objective: Objective, X0, *, first_step=0.1, halvings=40) -> Iterator[Step]:
    """Steepest descent with a line search that can lengthen the step as well as shorten it.

    Each search starts at twice the last accepted length. It doubles the length while the error
    falls, and halves it while the error is too high. The direction is scaled to unit root mean
    square, so a length means the same for all data. The error never rises; if no step lowers it, X
    stays where it is.
    """
    here = _evaluated(objective, X0)
    length = first_step / 2
    yield here
    while True:
        direction = _unit(-here.gradient)
        better, better_length = _growing_line_search(
            objective, here, direction, 2 * length, halvings
        )
        if better is here:  # the next guided gradient may find a way on from here
            here = step_at(objective, here.X)
        else:
            here, length = better, better_length
        yield here


def _growing_line_search(objective, here, direction, length, halvings):
    """The best step found along a direction, and its length."""
    best = step_at(objective, here.X + length * direction)
    if best.error < here.error:
        while True:
            further = step_at(objective, here.X + 2 * length * direction)
            if not further.error < best.error:
                return best, length
            best, length = further, 2 * length
    for _ in range(halvings):
        length /= 2
        best = step_at(objective, here.X + length * direction)
        if best.error < here.error:
            return best, length
    return here, length


def heavy_ball(objective: Objective, X0, *, rate, momentum=0.8, least_gain=0.01) -> Iterator[Step]:
    """Gradient descent with momentum and one gain per coordinate, as the authors of t-SNE use it.

    Each move is the last one times the momentum, minus the gradient times rate and gain. The gain
    of a coordinate grows by .2 while its last move still leads downhill, and falls by a fifth once
    the move has gone past the minimum. There is no line search, so the error may rise; it is
    meant for many cheap moves through a rough landscape.

    Parameters
    ----------
    rate : float
        In units of X² over units of the error.
    """
    here = _evaluated(objective, X0)
    move, gain = np.zeros_like(here.X), np.ones_like(here.X)
    yield here
    while True:
        gone_past = np.sign(here.gradient) == np.sign(move)
        gain = np.maximum(np.where(gone_past, 0.8 * gain, gain + 0.2), least_gain)
        move = momentum * move - rate * gain * here.gradient
        here = step_at(objective, here.X + move)
        yield here


def lbfgs(objective: Objective, X0, *, memory=10, first_step=0.1, halvings=30) -> Iterator[Step]:
    """L-BFGS: the two-loop recursion over the last moves, with a backtracking (Armijo) search.

    Fast where the objective is smooth and nearly quadratic. On noisy data, L-BFGS reaches lower
    leave-one-out errors than RPROP because the curve chases single points; there, a lower error
    does not mean a better model. The error never rises.
    """
    here = _evaluated(objective, X0)
    moves = deque(maxlen=memory)  # (change of X, change of gradient)
    yield here
    while True:
        direction = -_inverse_hessian_times(here.gradient, moves)
        if not moves:
            direction = first_step * _unit(direction)
        slope = np.vdot(here.gradient, direction)
        if slope >= 0:  # only rounding causes this: forget the moves and go downhill
            moves.clear()
            direction = first_step * _unit(-here.gradient)
            slope = np.vdot(here.gradient, direction)
        there = here
        for halving in range(halvings):
            there = step_at(objective, here.X + direction / 2**halving)
            if there.error <= here.error + 1e-4 * slope / 2**halving:
                break
        else:
            there = here
        s, y = there.X - here.X, there.gradient - here.gradient
        if np.vdot(s, y) > 1e-12 * np.linalg.norm(s) * np.linalg.norm(y):  # keeps H positive
            moves.append((s, y))
        elif there is here:
            moves.clear()
        here = there
        yield here


def _inverse_hessian_times(gradient, moves):
    """H⁻¹ g by the two-loop recursion."""
    r = gradient.copy()
    along = []
    for s, y in reversed(moves):
        a = np.vdot(s, r) / np.vdot(s, y)
        r -= a * y
        along.append(a)
    if moves:
        s, y = moves[-1]
        r *= np.vdot(s, y) / np.vdot(y, y)
    for (s, y), a in zip(moves, reversed(along), strict=True):
        r += (a - np.vdot(y, r) / np.vdot(s, y)) * s
    return r


def _evaluated(objective, X0):
    return step_at(objective, np.array(X0, dtype=float))


def _unit(direction):
    """The direction scaled to unit root mean square; zero stays zero."""
    direction = direction / power_of_two(direction)  # squares neither overflow nor vanish
    size = np.sqrt(np.mean(direction**2))
    return direction / size if size > 0 else direction


by_name = {"rprop": rprop, "gradient": gradient_descent, "l-bfgs": lbfgs}

# A descent declares by attributes what its callers must know. Your own descent may do so too.
rprop.takes_allowed = True  # has the keyword `allowed` and refuses forbidden moves itself
lbfgs.keeps_memory = True  # uses past gradients, which must all belong to one objective


def declares(descent, trait) -> bool:
    """Whether a descent, or the descent inside a `functools.partial`, declares this trait.

    >>> declares(partial(lbfgs, memory=5), "keeps_memory"), declares(rprop, "keeps_memory")
    (True, False)
    """
    while isinstance(descent, partial):
        descent = descent.func
    return bool(getattr(descent, trait, False))


def passing_on_traits(descent, wrapper):
    """The wrapper of a descent, which now declares what the descent declares."""
    for trait in ("takes_allowed", "keeps_memory"):
        setattr(wrapper, trait, declares(descent, trait))
    return wrapper


# Adaptors: each takes steps and yields steps


def demand_objective(objective):
    """The user's own objective, whose values are checked."""

    def checked_objective(X):
        try:
            error, gradient = objective(X)
        except TypeError as problem:
            raise TypeError(
                f"objective must return a pair, (error, gradient), for latent points X; {problem}."
            ) from problem
        if np.shape(gradient) != np.shape(X):
            raise ValueError(
                f"objective must return a gradient with the shape of X, {np.shape(X)}; got "
                f"{np.shape(gradient)}."
            )
        return error, gradient

    return checked_objective


def demand_steps(steps, shape):
    """The steps of the user's own descent, each of which is checked."""
    if not isinstance(steps, Iterable):
        raise TypeError(
            f"descent must yield steps, as a generator does; it returned {shown(steps)}. Write "
            "`yield Step(X, error, gradient)`."
        )
    for step in steps:
        X, error = getattr(step, "X", None), getattr(step, "error", None)
        if not isinstance(X, np.ndarray) or X.shape != shape or not np.isfinite(X).all():
            raise ValueError(
                f"descent must yield steps whose X is a finite array of shape {shape}; got "
                f"{shown(step)}."
            )
        if isinstance(error, bool) or not isinstance(error, Real) or np.isnan(error):
            raise ValueError(
                f"descent must yield steps whose error is a number; got {shown(error)}."
            )
        yield step


def at_most(steps: Iterable[Step], moves: int) -> Iterator[Step]:
    """The start and at most `moves` moves."""
    return islice(steps, moves + 1)


def until_flat(steps: Iterable[Step], tol=1e-6, patience=20, unjudged=0) -> Iterator[Step]:
    """Stop when the best error falls by less than the fraction `tol` over `patience` moves.

    With `tol=0` it never stops, so all steps are taken. The first `unjudged` moves may be flat
    without ending the descent: guided moves often are, until more directions are free.
    """
    recent = deque(maxlen=patience + 1)
    best = np.inf
    for move, step in enumerate(steps):
        yield step
        best = min(best, step.error)
        if move < unjudged:
            continue
        recent.append(best)
        flat = not recent[0] - best > tol * abs(best)  # also if no error was finite
        if tol > 0 and len(recent) > patience and flat:
            return


@dataclass
class Best:
    """Passes steps on and remembers the best one."""

    step: Step | None = None

    def of(self, steps: Iterable[Step]) -> Iterator[Step]:
        """The steps, unchanged."""
        for step in steps:
            if self.step is None or step.error < self.step.error:
                # A descent of the user may go on to change the array.
                gradient = getattr(step, "gradient", None)
                self.step = Step(np.array(step.X), step.error, gradient)
            yield step


def best_so_far(steps: Iterable[Step]) -> Iterator[Step]:
    """After each step, the best step so far: the way to judge a method whose error may rise."""
    best = Best()
    for _ in best.of(steps):
        yield best.step


def watched(steps: Iterable[Step], callback) -> Iterator[Step]:
    """Call callback(step) for each step, and stop when it returns True."""
    for step in steps:
        yield step
        if callback(step) is True:
            return


def last(steps: Iterable[Step]) -> Step:
    """The last of finitely many steps."""
    (step,) = deque(steps, maxlen=1)
    return step
