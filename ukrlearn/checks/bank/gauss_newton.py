"""The Gauss-Newton step of every latent point."""

import numpy as np

from ukrlearn import drur
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

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
    """Points and values around zero, with rows of zeros, equal rows, and a flat coordinate."""
    given = {}
    for name, shape in dict(f=(6, 4), J=(6, 4, 2), X=(6, 2), Y=(6, 4), F_Y=(6, 2)).items():
        rows = random.normal(size=shape)
        rows -= rows.mean(axis=0)
        given[name] = np.concatenate([rows, rows[:1], np.zeros((1, *shape[1:]))])
    given["J"][-1, :3] = random.normal(size=(3, 2)) / 3  # no zeros: a mistake may need an inverse
    return given


STEPS = pipeline(
    "f J X Y F_Y",
    own=lambda J: J,
    JT=lambda own: np.swapaxes(own, 1, 2),
    gram=lambda JT, own: JT @ own,
    curvature=lambda gram: np.eye(gram.shape[1]) + gram,
    residuals=lambda Y, f: Y - f,
    pull=lambda JT, residuals: (JT @ residuals[:, :, None])[:, :, 0],
    latent=lambda F_Y, X: F_Y - X,
    bracket=lambda pull, latent: pull + latent,
    solution=lambda curvature, bracket: np.linalg.solve(curvature, bracket[:, :, None])[:, :, 0],
    step=lambda solution: solution,
)


# Mistakes in a stage


def _two_wishes(own, residuals, latent):
    return (np.linalg.pinv(own) @ residuals[:, :, None])[:, :, 0] + latent


def _inverted_apart(gram, bracket):
    return bracket + (np.linalg.pinv(gram) @ bracket[:, :, None])[:, :, 0]


def addends(f, J, X, Y, F_Y):
    """(12) taken apart: what pulls the point."""
    A, of_data = STEPS.curvature(STEPS.JT(J) @ J), lambda r: np.einsum("nkl,nk->nl", J, r)
    return {
        "Jᵀ y": STEPS.solution(A, of_data(Y)),
        "Jᵀ f(x), which is subtracted,": STEPS.solution(A, -of_data(f)),
        "x, which is subtracted,": STEPS.solution(A, -X),
        "F(y)": STEPS.solution(A, F_Y),
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


MISTAKES = (
    *STEPS.mistakes(
        "solution",
        flat_right_side=lambda curvature, bracket: np.linalg.solve(curvature, bracket),
        row_right_side=lambda curvature, bracket: np.linalg.solve(curvature, bracket[:, None])[
            :, 0
        ],
        not_solved=lambda bracket: bracket,
        multiplied_not_solved=lambda curvature, bracket: (curvature @ bracket[:, :, None])[:, :, 0],
        entries_inverted=lambda curvature, bracket: ((1 / curvature) @ bracket[:, :, None])[
            :, :, 0
        ],
        diagonal_only=lambda curvature, bracket: bracket / np.einsum("nll->nl", curvature),
        inverted_apart=_inverted_apart,
        mean_of_two_wishes=lambda own, residuals, latent: _two_wishes(own, residuals, latent) / 2,
        sum_of_two_wishes=_two_wishes,
    ),
    STEPS.mistake("all_axes_turned", JT=lambda own: own.T),
    STEPS.mistake("one_added_everywhere", curvature=lambda gram: 1 + gram),
    STEPS.mistake("identity_subtracted", curvature=lambda gram: gram - np.eye(gram.shape[1])),
    STEPS.mistake("summed_over_points", gram=lambda JT, own: (JT @ own).sum(axis=0, keepdims=True)),
    STEPS.mistake("mean_over_points", gram=lambda JT, own: (JT @ own).mean(axis=0, keepdims=True)),
    STEPS.mistake("first_jacobian", own=lambda J: np.tile(J[:1], (len(J), 1, 1))),
    STEPS.mistake("mean_jacobian", own=lambda J: np.tile(J.mean(axis=0), (len(J), 1, 1))),
    STEPS.mistake("first_matrix", gram=lambda JT, own: JT[:1] @ own[:1]),
    STEPS.mistake("reshaped", JT=lambda own: own.reshape(len(own), own.shape[2], own.shape[1])),
    STEPS.mistake("identity_halved", curvature=lambda gram: np.eye(gram.shape[1]) / 2 + gram),
    STEPS.mistake("identity_doubled", curvature=lambda gram: 2 * np.eye(gram.shape[1]) + gram),
    STEPS.mistake("whole_numbers", step=lambda solution: np.trunc(solution)),
    STEPS.mistake("goal_returned", step=lambda solution, F_Y: F_Y + solution),
    STEPS.mistake("position_returned", step=lambda solution, X: X + solution),
)


EXERCISE = exercise(
    "gauss_newton",
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
        Property("uphill_somewhere", holds=_downhill),
        Property("too_long", holds=_not_longer),
        Property("does_not_solve", holds=_solves),
    ),
    misconceptions=MISTAKES,
)
