"""The Gauss-Newton step of every latent point."""

import numpy as np

from ukrlearn import drur
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

SIZES = ((7, 3, 2), (5, 4, 1), (11, 5, 3), (4, 6, 2))  # N, d, q: no two the same in a trial
LOOSE = 2e-3  # of the largest value: single precision is no mistake


def reference(f, J, X, Y, F_Y):
    return drur.gauss_newton_steps(f, J, X, Y, F_Y)


def trials(seed):
    random = np.random.default_rng(seed)
    f, Y = np.array([[1.0, 0], [2, 1], [0, 3]]), np.array([[3.0, 2], [2, 4], [1, 4]])
    J = np.array([[1.0, 2], [3, 0], [1, 1]])[:, :, None]
    X, F_Y = np.array([[0.0], [1.0], [4.0]]), np.array([[6.0], [0.0], [5.0]])
    made = [Trial("three points", dict(f=f, J=J, X=X, Y=Y, F_Y=F_Y))]
    for N, d, q in SIZES:
        Y = random.gamma(1.5, size=(N, d)) * (1 + np.arange(d))
        J = random.normal(size=(N, d, q)) + 0.4
        X = 2 * random.normal(size=(N, q)) + 1
        f, F_Y = Y + random.normal(size=(N, d)) - 0.3, X + 0.7 * random.normal(size=(N, q)) + 0.2
        arguments = dict(f=f, J=J, X=X, Y=Y, F_Y=F_Y)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}", arguments))
        if (N, d, q) == SIZES[0]:
            made.append(Trial("where the map is nearly flat", dict(arguments, J=0.02 * J)))
            made.append(Trial("where the map is steep", dict(arguments, J=5 * J)))
    larger = {name: value if name == "J" else 1e6 * value for name, value in arguments.items()}
    made.append(Trial("both spaces in units a million times smaller", larger))
    moved = dict(f=f + 30, J=J, X=X - 20, Y=Y + 30, F_Y=F_Y - 20)
    made.append(Trial("both spaces moved", moved))
    return made


def _left(J):
    return np.eye(J.shape[2]) + np.einsum("nkl,nkm->nlm", J, J)


def _right_side(f, J, X, Y, F_Y):
    return np.einsum("nkl,nk->nl", J, Y - f) + F_Y - X


def _solved(A, b):
    return np.linalg.solve(A, b[..., None])[..., 0]


def _with_side(side):
    """The right matrix, another right-hand side."""
    return lambda f, J, X, Y, F_Y: _solved(_left(J), side(f, J, X, Y, F_Y))


def _with_matrix(matrix):
    """Another matrix (of J alone), the right right-hand side."""
    return lambda f, J, X, Y, F_Y: _solved(matrix(J), _right_side(f, J, X, Y, F_Y))


def _with_end(end):
    """Both right, but combined in another way."""
    return lambda f, J, X, Y, F_Y: end(_left(J), _right_side(f, J, X, Y, F_Y), X)


def _of_data(J, r):
    return np.einsum("nkl,nk->nl", J, r)


def _reshaped(f, J, X, Y, F_Y):
    """Jᵀ by reshape, which orders the numbers differently."""
    N, d, q = J.shape
    turned = J.reshape(N, q, d)
    b = np.einsum("nlk,nk->nl", turned, Y - f) + F_Y - X
    return np.linalg.solve(np.eye(q) + turned @ J, b[..., None])[..., 0]


def _first_jacobian(f, J, X, Y, F_Y):
    return reference(f, np.broadcast_to(J[:1], J.shape), X, Y, F_Y)


def _mean_jacobian(f, J, X, Y, F_Y):
    return reference(f, np.broadcast_to(J.mean(axis=0), J.shape), X, Y, F_Y)


def addends(f, J, X, Y, F_Y):
    """(12) taken apart: what pulls the point."""
    A = _left(J)
    return {
        "Jᵀ y": _solved(A, _of_data(J, Y)),
        "Jᵀ f(x), which is subtracted,": _solved(A, -_of_data(J, f)),
        "x, which is subtracted,": _solved(A, -X),
        "F(y)": _solved(A, F_Y),
    }


def _solves(p, f, J, X, Y, F_Y):
    A, b = _left(J), _right_side(f, J, X, Y, F_Y)
    parts = np.abs(A) @ np.abs(p)[..., None]
    off = np.abs(A @ p[..., None] - b[..., None])
    return bool((off <= LOOSE * np.maximum(parts, np.abs(b).max())).all())


def _downhill(p, f, J, X, Y, F_Y):
    b = _right_side(f, J, X, Y, F_Y)
    return bool((np.sum(b * p, axis=1) >= 0).all())


def _not_longer(p, f, J, X, Y, F_Y):
    b = np.linalg.norm(_right_side(f, J, X, Y, F_Y), axis=1)
    return bool((np.linalg.norm(p, axis=1) <= b + LOOSE * b.max()).all())


EXERCISE = Exercise(
    name="gauss_newton",
    title="The Gauss-Newton step of every point",
    lesson="18_two_maps",
    equations="[DRUR] (11), (12)",
    minutes=20,
    shapes={"f": "N d", "J": "N d q", "X": "N q", "Y": "N d", "F_Y": "N q"},
    returns={"step": "N q"},
    trials=trials,
    reference=reference,
    addends=addends,
    properties=(
        Property(
            "uphill_somewhere",
            "Every step leads downhill: ∇E · p is never positive.",
            "Some of your steps lead uphill: ∇E · p > 0 there. I + JᵀJ is positive definite, so "
            "(12) can't. Look at the signs and products in the bracket Jᵀ(y - f(x)) - x + F(y). "
            "Does every point have its own J, and do you solve for the whole bracket?",
            _downhill,
        ),
        Property(
            "too_long",
            "No step is longer than half the gradient: the eigenvalues of I + JᵀJ are at least one.",
            "Some of your steps are longer than Jᵀ(y - f(x)) - x + F(y). I + JᵀJ has eigenvalues of at "
            "least one, so its inverse shortens every vector. Is the I there, and is it the inverse?",
            _not_longer,
        ),
        Property(
            "does_not_solve",
            "(I + JᵀJ) p is Jᵀ(y - f(x)) - x + F(y) at every point.",
            "Your step does not solve (12): for some points (I + JᵀJ) p differs from Jᵀ(y - f(x)) "
            "- x + F(y). Compute both sides for one point, with its own J.",
            _solves,
        ),
    ),
    misconceptions=(
        Misconception(
            "identity_forgotten",
            "The I of I + JᵀJ is missing. It comes from the second half of (7), |x - F(y)|². "
            "Without it the matrix is nearly singular where the map is flat, and steps become "
            "huge there.",
            _with_matrix(lambda J: _left(J) - np.eye(J.shape[2])),
        ),
        Misconception(
            "one_added_everywhere",
            "You add 1 to every entry of JᵀJ. I is the identity: ones on the diagonal, zeros "
            "elsewhere. With q = 1 both agree, so try q = 2.",
            _with_matrix(lambda J: _left(J) - np.eye(J.shape[2]) + 1),
        ),
        Misconception(
            "identity_subtracted",
            "You have JᵀJ - I. Both halves of (7) are squares, and their curvatures add up: I + JᵀJ.",
            _with_matrix(lambda J: _left(J) - 2 * np.eye(J.shape[2])),
        ),
        Misconception(
            "not_solved",
            "This is Jᵀ(y - f(x)) - x + F(y): half of minus the gradient, or the fixed point of the lesson. "
            "It overshoots where the map is steep. Gauss-Newton divides by the curvature: solve with "
            "the matrix I + JᵀJ.",
            _with_end(lambda A, b, X: b),
        ),
        Misconception(
            "multiplied_not_solved",
            "You multiply by I + JᵀJ; (12) has its inverse. Where the parabola is steep, its "
            "minimum is near, and the step is short.",
            _with_end(lambda A, b, X: (A @ b[..., None])[..., 0]),
        ),
        Misconception(
            "entries_inverted",
            "You invert the matrix entry by entry. A matrix inverse is different: np.linalg.solve "
            "finds the p with (I + JᵀJ) p = b.",
            _with_end(lambda A, b, X: ((1 / A) @ b[..., None])[..., 0]),
        ),
        Misconception(
            "diagonal_only",
            "You divide by the diagonal of I + JᵀJ. The entries beside it say how the latent "
            "coordinates act together: solve a system of q equations for each point.",
            _with_end(lambda A, b, X: b / np.einsum("nll->nl", A)),
        ),
        Misconception(
            "summed_over_points",
            "You use one matrix for all points: JᵀJ, summed over them. There are N separate "
            "problems, so every point has its own q x q matrix, from its own J.",
            _with_matrix(lambda J: np.eye(J.shape[2]) + np.einsum("nkl,nkm->lm", J, J)),
        ),
        Misconception(
            "mean_over_points",
            "You use one matrix for all points: the mean of their JᵀJ. Every point has its own q x q "
            "matrix; steep and flat places need different steps.",
            _with_matrix(lambda J: np.eye(J.shape[2]) + np.einsum("nkl,nkm->lm", J, J) / len(J)),
        ),
        Misconception(
            "first_jacobian",
            "You use the Jacobian of the first point for all of them. J[n] belongs to x_n.",
            _first_jacobian,
        ),
        Misconception(
            "mean_jacobian",
            "You use the mean of all Jacobians for every point. There are N separate problems: "
            "J[n] belongs to x_n, in the matrix and in the bracket.",
            _mean_jacobian,
        ),
        Misconception(
            "first_matrix",
            "In the matrix I + JᵀJ you use the Jacobian of the first point for all of them; in the bracket "
            "each point has its own. Both are J[n].",
            _with_matrix(lambda J: _left(J[:1])),
        ),
        Misconception(
            "reshaped",
            "For Jᵀ you use reshape, which keeps the numbers in their old order. A transpose "
            "exchanges the last two axes: J.swapaxes(1, 2), or J[n].T for one point.",
            _reshaped,
        ),
        Misconception(
            "uphill",
            "Your step is minus the right one, so it leads uphill. (8) is the gradient; the step goes "
            "against it: Jᵀ(y - f(x)) - x + F(y).",
            _with_end(lambda A, b, X: -_solved(A, b)),
        ),
        Misconception(
            "residual_turned",
            "In the first part you have f(x) - y. The step must bring f(x) towards y: y - f(x).",
            _with_side(lambda f, J, X, Y, F_Y: -_of_data(J, Y - f) - X + F_Y),
        ),
        Misconception(
            "latent_part_turned",
            "You have x - F(y); it must be F(y) - x: the second map pulls x_n towards F(y_n).",
            _with_side(lambda f, J, X, Y, F_Y: _of_data(J, Y - f) + X - F_Y),
        ),
        Misconception(
            "latent_part_forgotten",
            "The part -x + F(y) is missing. Without it nothing pulls x_n towards F(y_n), and the torn "
            "latent points of the lesson stay torn.",
            _with_side(lambda f, J, X, Y, F_Y: _of_data(J, Y - f)),
        ),
        Misconception(
            "latent_part_outside",
            "You solve for the data's part alone, and then add -x + F(y) unchanged. In (12) the "
            "inverse multiplies the whole bracket.",
            lambda f, J, X, Y, F_Y: _solved(_left(J), _of_data(J, Y - f)) - X + F_Y,
        ),
        Misconception(
            "data_part_forgotten",
            "The part Jᵀ(y - f(x)) is missing. Your step ignores the data.",
            _with_side(lambda f, J, X, Y, F_Y: F_Y - X),
        ),
        Misconception(
            "doubled",
            "Your step is twice the right one. Gradient (8) and Hessian (11) both have the factor 2, "
            "and it cancels.",
            _with_end(lambda A, b, X: 2 * _solved(A, b)),
        ),
        Misconception(
            "halved",
            "Your step is half the right one. The 2 of the Hessian (11) is cancelled by the 2 of "
            "the gradient (8): (12) has no 2.",
            _with_end(lambda A, b, X: _solved(A, b) / 2),
        ),
        Misconception(
            "whole_numbers",
            "All your steps are whole numbers: an array of integers cuts off the decimals. "
            "Prepare it with np.zeros(shape), without dtype=int.",
            _with_end(lambda A, b, X: np.trunc(_solved(A, b))),
        ),
        Misconception(
            "position_returned",
            "You return where the point arrives, x + p. The task asks for the step p alone: the "
            "caller may want to halve it.",
            _with_end(lambda A, b, X: X + _solved(A, b)),
        ),
    ),
    hints=(
        "Think of one point first. Its J is a d x q matrix; the system has q equations. Write "
        "both sides of (I + JᵀJ) p = ... and look at their shapes.",
        "For point n: A = I + JₙᵀJₙ is q x q; b = Jₙᵀ(y_n - f_n) - x_n + F(y_n) has q entries; "
        "p_n solves A p_n = b. A loop over n will do.",
        "In a loop: J[n].T @ J[n] plus np.eye(q), J[n].T @ (Y[n] - f[n]) and so on, then "
        "np.linalg.solve. All at once: JT = J.swapaxes(1, 2); products with @ then work point by "
        "point, if every right-hand side is a column, b[..., None]; remove its last axis at the "
        "end.",
    ),
)
