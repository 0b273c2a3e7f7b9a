"""The Gauss-Newton step of every latent point."""

import numpy as np

from ukrlearn import drur
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

SIZES = ((7, 3, 2), (5, 4, 1), (11, 5, 3), (4, 6, 2))  # N, d, q: no two the same in a trial
LOOSE = 2e-3  # of the largest value: single precision is no mistake


def reference(f, J, X, Y, F_Y):
    return drur.gauss_newton_steps(f, J, X, Y, F_Y)


def trials(seed):
    random = np.random.default_rng(seed)
    made = [Trial("three points, q = 2", _small_with_two_coordinates())]
    f, Y = np.array([[1.0, 0], [2, 1], [0, 3]]), np.array([[3.0, 2], [2, 4], [1, 4]])
    J = np.array([[1.0, 2], [3, 0], [1, 1]])[:, :, None]
    X, F_Y = np.array([[0.0], [1.0], [4.0]]), np.array([[6.0], [0.0], [5.0]])
    made.append(Trial("three points, q = 1", dict(f=f, J=J, X=X, Y=Y, F_Y=F_Y)))
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
    made.append(Trial("around the origin, with equal rows and zeros", _around_zero(random)))
    larger = {name: value if name == "J" else 1e6 * value for name, value in arguments.items()}
    made.append(Trial("both spaces in units a million times smaller", larger))
    moved = dict(f=f + 30, J=J, X=X - 20, Y=Y + 30, F_Y=F_Y - 20)
    made.append(Trial("both spaces moved", moved))
    return made


def _small_with_two_coordinates():
    J = np.array([[[1.0, 0], [2, 1]], [[0, 1], [1, 3]], [[2, 1], [0, 1]]])
    f, Y = np.array([[1.0, 0], [0, 3], [2, 1]]), np.array([[2.0, 2], [1, 1], [1, 4]])
    X, F_Y = np.array([[1.0, 2], [0, 3], [1, 1]]), np.array([[3.0, 0], [1, 1], [0, 2]])
    return dict(f=f, J=J, X=X, Y=Y, F_Y=F_Y)


def _around_zero(random):
    """Points and values around zero, with rows of zeros, equal rows, and a coordinate that is flat."""
    given = {}
    for name, shape in dict(f=(6, 4), J=(6, 4, 2), X=(6, 2), Y=(6, 4), F_Y=(6, 2)).items():
        rows = random.normal(size=shape)
        rows -= rows.mean(axis=0)
        given[name] = np.concatenate([rows, rows[:1], np.zeros((1, *shape[1:]))])
    given["J"][-1, :3] = random.normal(size=(3, 2)) / 3  # no zeros: a mistake may need an inverse
    return given


def own(J):
    """the Jacobian of each point"""
    return J


def JT(own):
    """its transpose Jᵀ"""
    return np.swapaxes(own, 1, 2)


def gram(JT, own):
    """the products JᵀJ"""
    return JT @ own


def curvature(gram):
    """the matrices I + JᵀJ"""
    return np.eye(gram.shape[1]) + gram


def residuals(Y, f):
    """the residuals y - f(x)"""
    return Y - f


def pull(JT, residuals):
    """the pull of the data, Jᵀ(y - f(x))"""
    return (JT @ residuals[:, :, None])[:, :, 0]


def latent(F_Y, X):
    """the pull of the second map, F(y) - x"""
    return F_Y - X


def bracket(pull, latent):
    """the bracket Jᵀ(y - f(x)) - x + F(y)"""
    return pull + latent


def solution(curvature, bracket):
    """the solution of the system of each point"""
    return np.linalg.solve(curvature, bracket[:, :, None])[:, :, 0]


def step(solution):
    """the step that is returned"""
    return solution


STEPS = pipeline(
    "f J X Y F_Y",
    *(own, JT, gram, curvature, residuals, pull, latent, bracket, solution, step),
)


# Mistakes in a stage


def _two_wishes(own, residuals, latent):
    return (np.linalg.pinv(own) @ residuals[:, :, None])[:, :, 0] + latent


def _inverted_apart(gram, bracket):
    return bracket + (np.linalg.pinv(gram) @ bracket[:, :, None])[:, :, 0]


def addends(f, J, X, Y, F_Y):
    """(12) taken apart: what pulls the point."""
    A, of_data = curvature(JT(J) @ J), lambda r: np.einsum("nkl,nk->nl", J, r)
    return {
        "Jᵀ y": solution(A, of_data(Y)),
        "Jᵀ f(x), which is subtracted,": solution(A, -of_data(f)),
        "x, which is subtracted,": solution(A, -X),
        "F(y)": solution(A, F_Y),
    }


def _solves(p, **given):
    stages = STEPS().values(*given.values())
    A, b = stages["curvature"], stages["bracket"]
    parts = np.abs(A) @ np.abs(p)[..., None]
    off = np.abs(A @ p[..., None] - b[..., None])
    return bool((off <= LOOSE * np.maximum(parts, np.abs(b).max())).all())


def _downhill(p, **given):
    b = STEPS().values(*given.values())["bracket"]
    return bool((np.sum(b * p, axis=1) >= -1e-9 * np.abs(b).max() * np.abs(p).max()).all())


def _not_longer(p, **given):
    b = np.linalg.norm(STEPS().values(*given.values())["bracket"], axis=1)
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
    stages=STEPS,
    addends=addends,
    properties=(
        Property(
            "uphill_somewhere",
            "Every step leads downhill: ∇E · p is never positive.",
            "Some of your steps lead uphill: ∇E · p > 0 there. I + JᵀJ is positive definite, so "
            "(12) can't.",
            _downhill,
            suspects=(
                (
                    "bracket",
                    "Which signs does your bracket have, compared with Jᵀ(y - f(x)) - x + F(y)?",
                ),
                ("curvature", "Is your matrix I + JᵀJ, with each point's own J?"),
            ),
        ),
        Property(
            "too_long",
            "No step is longer than half the gradient: the eigenvalues of I + JᵀJ are at least one.",
            "Some of your steps are longer than Jᵀ(y - f(x)) - x + F(y). I + JᵀJ has eigenvalues of at "
            "least one, so its inverse shortens every vector.",
            _not_longer,
            suspects=(("curvature", "Is the I there, ones on the diagonal and zeros beside it?"),),
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
            "flat_right_side",
            "You hand np.linalg.solve the brackets as an array (N, q). For a stack of matrices it takes that for *one* matrix of right sides. Each point's bracket must be a column: b[:, :, None], and at the end the last axis goes again.",
            STEPS(solution=lambda curvature, bracket: np.linalg.solve(curvature, bracket)),
        ),
        Misconception(
            "row_right_side",
            "You hand np.linalg.solve each point's bracket as a row. A right side is a column: b[:, :, None], and at the end the last axis goes "
            "again.",
            STEPS(
                solution=lambda curvature, bracket: np.linalg.solve(curvature, bracket[:, None])[
                    :, 0
                ]
            ),
        ),
        Misconception(
            "all_axes_turned",
            "J.T reverses all three axes of J, so the points come last. For a stack of matrices exchange the last two axes: J.swapaxes(1, 2), or J[n].T for one point.",
            STEPS(JT=lambda own: own.T),
        ),
        Misconception(
            "gram_turned",
            "J and Jᵀ are exchanged in a product. JᵀJ has q rows and columns, one for each latent coordinate; J Jᵀ has d. And Jᵀ(y - f(x)) has q numbers.",
            STEPS(gram=lambda JT, own: own @ JT),
        ),
        Misconception(
            "gram_of_entries",
            "You square J entry by entry and multiply nothing with each other: JᵀJ is a matrix product.",
            STEPS(gram=lambda JT, own: JT * own),
        ),
        Misconception(
            "identity_forgotten",
            "The I of I + JᵀJ is missing. It comes from the second half of (7), |x - F(y)|². "
            "Without it the matrix is nearly singular where the map is flat, and steps become "
            "huge there.",
            STEPS(curvature=lambda gram: gram),
        ),
        Misconception(
            "one_added_everywhere",
            "You add 1 to every entry of JᵀJ. I is the identity: ones on the diagonal, zeros "
            "elsewhere. With q = 1 both agree, so try q = 2.",
            STEPS(curvature=lambda gram: 1 + gram),
        ),
        Misconception(
            "identity_subtracted",
            "You have JᵀJ - I. Both halves of (7) are squares, and their curvatures add up: I + JᵀJ.",
            STEPS(curvature=lambda gram: gram - np.eye(gram.shape[1])),
        ),
        Misconception(
            "not_solved",
            "This is Jᵀ(y - f(x)) - x + F(y): half of minus the gradient, or the fixed point of the lesson. "
            "It overshoots where the map is steep. Gauss-Newton divides by the curvature: solve with "
            "the matrix I + JᵀJ.",
            STEPS(solution=lambda bracket: bracket),
        ),
        Misconception(
            "multiplied_not_solved",
            "You multiply by I + JᵀJ; (12) has its inverse. Where the parabola is steep, its "
            "minimum is near, and the step is short.",
            STEPS(solution=lambda curvature, bracket: (curvature @ bracket[:, :, None])[:, :, 0]),
        ),
        Misconception(
            "entries_inverted",
            "You invert the matrix entry by entry. A matrix inverse is different: np.linalg.solve "
            "finds the p with (I + JᵀJ) p = b.",
            STEPS(
                solution=lambda curvature, bracket: ((1 / curvature) @ bracket[:, :, None])[:, :, 0]
            ),
        ),
        Misconception(
            "diagonal_only",
            "You divide by the diagonal of I + JᵀJ. The entries beside it say how the latent "
            "coordinates act together: solve a system of q equations for each point.",
            STEPS(solution=lambda curvature, bracket: bracket / np.einsum("nll->nl", curvature)),
        ),
        Misconception(
            "summed_over_points",
            "You use one matrix for all points: JᵀJ, summed over them. There are N separate "
            "problems, so every point has its own q x q matrix, from its own J.",
            STEPS(gram=lambda JT, own: (JT @ own).sum(axis=0, keepdims=True)),
        ),
        Misconception(
            "mean_over_points",
            "You use one matrix for all points: the mean of their JᵀJ. Every point has its own q x q "
            "matrix; steep and flat places need different steps.",
            STEPS(gram=lambda JT, own: (JT @ own).mean(axis=0, keepdims=True)),
        ),
        Misconception(
            "first_jacobian",
            "You use the Jacobian of the first point for all of them. J[n] belongs to x_n.",
            STEPS(own=lambda J: np.tile(J[:1], (len(J), 1, 1))),
        ),
        Misconception(
            "mean_jacobian",
            "You use the mean of all Jacobians for every point. There are N separate problems: "
            "J[n] belongs to x_n, in the matrix and in the bracket.",
            STEPS(own=lambda J: np.tile(J.mean(axis=0), (len(J), 1, 1))),
        ),
        Misconception(
            "first_matrix",
            "In the matrix I + JᵀJ you use the Jacobian of the first point for all of them; in the bracket "
            "each point has its own. Both are J[n].",
            STEPS(gram=lambda JT, own: JT[:1] @ own[:1]),
        ),
        Misconception(
            "reshaped",
            "For Jᵀ you use reshape, which keeps the numbers in their old order. A transpose "
            "exchanges the last two axes: J.swapaxes(1, 2), or J[n].T for one point.",
            STEPS(JT=lambda own: own.reshape(len(own), own.shape[2], own.shape[1])),
        ),
        Misconception(
            "one_number",
            "You divide by one number for each point, 1 + the sum of all squared entries of J. I + JᵀJ is a matrix: solve a system of q equations for each point.",
            STEPS(
                solution=lambda own, bracket: bracket / (1 + np.sum(own**2, axis=(1, 2)))[:, None]
            ),
        ),
        Misconception(
            "inverted_apart",
            "You invert I and JᵀJ separately and add the results. The inverse of a sum is not the sum of the inverses: add first, then solve.",
            STEPS(solution=_inverted_apart),
        ),
        Misconception(
            "mean_of_two_wishes",
            "You take the mean of two steps, that which the data alone would ask for and that to F(y). (12) weighs both by their curvature: one system, with the whole bracket on its right.",
            STEPS(solution=lambda own, residuals, latent: _two_wishes(own, residuals, latent) / 2),
        ),
        Misconception(
            "sum_of_two_wishes",
            "You add two steps, that which the data alone would ask for and that to F(y). (12) weighs both by their curvature: one system, with the whole bracket on its right.",
            STEPS(solution=_two_wishes),
        ),
        Misconception(
            "gram_doubled",
            "You have I + 2JᵀJ. The 2 of (11) stands before the whole bracket, and cancels with that of the gradient.",
            STEPS(gram=lambda JT, own: 2 * JT @ own),
        ),
        Misconception(
            "identity_halved",
            "You have I/2 + JᵀJ. The 2 of (11) stands before the whole bracket, and cancels with that of the gradient.",
            STEPS(curvature=lambda gram: np.eye(gram.shape[1]) / 2 + gram),
        ),
        Misconception(
            "identity_doubled",
            "You have 2I + JᵀJ. The 2 of (11) stands before the whole bracket, and cancels with that of the gradient.",
            STEPS(curvature=lambda gram: 2 * np.eye(gram.shape[1]) + gram),
        ),
        Misconception(
            "uphill",
            "You have turned the sign of the whole step. (8) is the gradient; the step goes "
            "against it: Jᵀ(y - f(x)) - x + F(y).",
            STEPS(step=lambda solution: -solution),
        ),
        Misconception(
            "residual_turned",
            "In the first part you have f(x) - y. The step must bring f(x) towards y: y - f(x).",
            STEPS(residuals=lambda Y, f: f - Y),
        ),
        Misconception(
            "latent_part_turned",
            "You have x - F(y); it must be F(y) - x: the second map pulls x_n towards F(y_n).",
            STEPS(latent=lambda F_Y, X: X - F_Y),
        ),
        Misconception(
            "place_forgotten",
            "The -x is missing in the bracket: F(y) alone is a place, no step. The second map pulls by F(y) - x.",
            STEPS(latent=lambda F_Y: F_Y),
        ),
        Misconception(
            "goal_forgotten",
            "F(y) is missing in the bracket: -x alone pulls every point to the origin. The second map pulls by F(y) - x.",
            STEPS(latent=lambda X: -X),
        ),
        Misconception(
            "place_added",
            "You have F(y) + x. The second map pulls by the difference F(y) - x.",
            STEPS(latent=lambda F_Y, X: F_Y + X),
        ),
        Misconception(
            "value_forgotten",
            "f(x) is missing in the bracket: you have Jᵀy. The data pull by the residual y - f(x).",
            STEPS(residuals=lambda Y: Y),
        ),
        Misconception(
            "value_added",
            "You have y + f(x). The data pull by the residual, the difference y - f(x).",
            STEPS(residuals=lambda Y, f: Y + f),
        ),
        Misconception(
            "latent_part_forgotten",
            "The part -x + F(y) is missing. Without it nothing pulls x_n towards F(y_n), and the torn "
            "latent points of the lesson stay torn.",
            STEPS(bracket=lambda pull: pull),
        ),
        Misconception(
            "latent_part_outside",
            "You solve for the data's part alone, and then add -x + F(y) unchanged. In (12) the "
            "inverse multiplies the whole bracket.",
            STEPS(solution=lambda curvature, pull, latent: solution(curvature, pull) + latent),
        ),
        Misconception(
            "data_part_forgotten",
            "The part Jᵀ(y - f(x)) is missing. Your step ignores the data.",
            STEPS(bracket=lambda latent: latent),
        ),
        Misconception(
            "doubled",
            "Your step has a factor 2 too many. Gradient (8) and Hessian (11) both have the factor 2, "
            "and it cancels.",
            STEPS(step=lambda solution: 2 * solution),
        ),
        Misconception(
            "halved",
            "Your step has a factor 1/2 too many. The 2 of the Hessian (11) is cancelled by the 2 of "
            "the gradient (8): (12) has no 2.",
            STEPS(step=lambda solution: solution / 2),
        ),
        Misconception(
            "whole_numbers",
            "All your steps are whole numbers: an array of integers cuts off the decimals. "
            "Prepare it with np.zeros(shape), without dtype=int.",
            STEPS(step=lambda solution: np.trunc(solution)),
        ),
        Misconception(
            "goal_returned",
            "You add F(y) to the step. The task asks for the step p alone.",
            STEPS(step=lambda solution, F_Y: F_Y + solution),
        ),
        Misconception(
            "position_returned",
            "You return where the point arrives, x + p. The task asks for the step p alone: the "
            "caller may want to halve it.",
            STEPS(step=lambda solution, X: X + solution),
        ),
    ),
    hints=(
        "Think of one point first. Which shapes do its J, JᵀJ and Jᵀ(y - f(x)) have, and so how many equations "
        "does its p solve?",
        "For point n: A = I + JₙᵀJₙ is q x q; b = Jₙᵀ(y_n - f_n) - x_n + F(y_n) has q entries; "
        "p_n solves A p_n = b. A loop over n will do.",
        "In a loop: J[n].T @ J[n] plus np.eye(q), J[n].T @ (Y[n] - f[n]) and so on, then "
        "np.linalg.solve. All at once: JT = J.swapaxes(1, 2); products with @ then work point by "
        "point, if every right-hand side is a column, b[..., None]; remove its last axis at the "
        "end.",
    ),
)
