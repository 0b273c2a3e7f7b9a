"""The coefficients of a kernel expansion for given codes, [RPM] (33)."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

SIZES = ((9, 3, 2, 5), (7, 4, 1, 3), (12, 2, 3, 6))  # N, d, q, M: no two the same in a trial
LOOSE = 2e-3  # of the largest value: single precision is no mistake


def reference(zeta, Y, nodes, width, penalty):
    bumps = lambda a: np.exp(-np.sum((a[:, None] - nodes) ** 2, axis=2) / (2 * width**2))
    K_zeta, K_z = bumps(zeta), bumps(nodes)
    return np.linalg.solve(penalty * len(Y) / 2 * K_z + K_zeta.T @ K_zeta, K_zeta.T @ Y)  # (33)


def trials(seed):
    random = np.random.default_rng(seed)
    column = lambda *numbers: np.array(numbers, dtype=float)[:, None]
    Y = np.array([[4.0, 2.0], [0.0, 6.0]])
    one = dict(zeta=column(0, 40), Y=Y, nodes=column(0), width=1.0, penalty=1.0)
    Y = np.array([[4.0, 2.0], [0.0, 6.0], [3.0, -1.0]])
    two = dict(zeta=column(0, 1, 3), Y=Y, nodes=column(0, 2), width=2.0, penalty=3.0)
    made = [Trial("three points, two nodes", two), Trial("two points, one node", one)]
    for N, d, q, M in SIZES:
        nodes = _far_apart(random.uniform(-1, 1, (300, q)), M)
        zeta = random.uniform(-1, 1, (N, q))
        Y = np.sin(2 * zeta @ random.normal(size=(q, d))) * (1 + np.arange(d)) + np.arange(d) - 3
        Y += 0.3 * random.normal(size=(N, d))
        Y[1] = 0  # a point at the origin is a point
        width, penalty = random.uniform(0.3, 0.5), random.uniform(0.1, 0.4)
        arguments = dict(zeta=zeta, Y=Y, nodes=nodes, width=width, penalty=penalty)
        made.append(Trial(f"N = {N}, M = {M}, d = {d}, q = {q}", arguments))
    made.append(Trial("data centred at the origin", dict(arguments, Y=Y - Y.mean(axis=0))))
    codes = zeta - zeta.mean(axis=0)
    codes = np.vstack([codes, np.zeros(q), codes[:1]])
    around = dict(arguments, zeta=codes, Y=np.vstack([Y, Y[3:4], Y[:1]]))
    around["nodes"] = np.vstack([np.zeros(q), nodes[:3]])
    made.append(Trial("codes around the origin, with equal rows and zeros", around))
    made.append(Trial("equal codes", dict(arguments, zeta=zeta[[*range(9), 0, 1, 2]])))
    made.append(Trial("thirty times the penalty", dict(arguments, penalty=30 * penalty)))
    made.append(Trial("data a million times larger", dict(arguments, Y=1e6 * Y)))
    made.append(Trial("latent space in other units", _times(1e3, arguments)))
    return made


def _times(factor, arguments):
    return {
        name: value * factor if name in ("zeta", "nodes", "width") else value
        for name, value in arguments.items()
    }


def _far_apart(X, M):
    """M points of X, each the farthest from the previous ones: K_z stays well conditioned."""
    chosen = [0]
    for _ in range(M - 1):
        t = np.sum((X[:, None] - X[chosen]) ** 2, axis=2).min(axis=1)
        chosen.append(int(t.argmax()))
    return X[chosen]


FIT = pipeline(
    "zeta Y nodes width penalty",
    squares=lambda: lambda a, b: np.sum((a[:, None] - b) ** 2, axis=2),
    kernel=lambda squares, width: lambda a, b: np.exp(-squares(a, b) / (2 * width**2)),
    K_zeta=lambda kernel, zeta, nodes: kernel(zeta, nodes),
    K_z=lambda kernel, nodes: kernel(nodes, nodes),
    gram=lambda K_zeta: K_zeta.T @ K_zeta,
    factor=lambda penalty, Y: penalty * len(Y) / 2,
    price=lambda factor, K_z: factor * K_z,
    left=lambda gram, price: gram + price,
    right=lambda K_zeta, Y: K_zeta.T @ Y,
    solution=lambda left, right: np.linalg.solve(left, right),
    alpha=lambda solution: solution,
)


# Mistakes in a stage


def _exponent(of):
    """Another exponent of squared distance t and width."""
    return lambda squares, width: lambda a, b: np.exp(of(squares(a, b), width))


def _shares(kernels):
    return kernels / kernels.sum(axis=1, keepdims=True)


def _no_slope(alpha, zeta, Y, nodes, width, penalty):
    """The slope of (32) at α."""
    stages = FIT().values(zeta, Y, nodes, width, penalty)
    K, K_z = stages["K_zeta"], stages["K_z"]
    pull, price = K.T @ (Y - K @ alpha), penalty * len(Y) / 2 * K_z @ alpha
    size = np.abs(K.T @ Y).max() + np.abs(price).max()
    return bool((np.abs(price - pull) <= LOOSE * size).all())


MISTAKES = (
    FIT.mistake(
        "nodes_in_rows", gram=lambda K_zeta: K_zeta @ K_zeta.T, right=lambda K_zeta, Y: K_zeta @ Y
    ),
    FIT.mistake("kernel_of_codes", K_z=lambda kernel, zeta: kernel(zeta, zeta)),
    FIT.mistake("rows_for_nodes", K_z=lambda kernel, zeta, nodes: kernel(zeta, nodes)),
    FIT.mistake(
        "kernel_ridge",
        gram=lambda K_z: K_z,
        price=lambda factor, K_z: factor * np.eye(len(K_z)),
        right=lambda Y: Y,
    ),
    FIT.mistake("lambda_alone", factor=lambda penalty: penalty),
    FIT.mistake("nodes_for_points", factor=lambda penalty, nodes: penalty * len(nodes) / 2),
    FIT.mistake("lambda_over_points", factor=lambda penalty, Y: penalty / len(Y)),
    FIT.mistake("two_over_points", factor=lambda penalty, Y: 2 * penalty / len(Y)),
    FIT.mistake("two_lambda", factor=lambda penalty: 2 * penalty),
    FIT.mistake("nodes_alone", factor=lambda penalty, nodes: penalty * len(nodes)),
    FIT.mistake("penalty_rooted", factor=lambda penalty, Y: np.sqrt(penalty) * len(Y) / 2),
    FIT.mistake("ridge", price=lambda factor, K_z: factor * np.eye(len(K_z))),
    FIT.mistake(
        "plain_ridge",
        factor=lambda penalty: penalty,
        price=lambda factor, K_z: factor * np.eye(len(K_z)),
    ),
    FIT.mistake("codes_for_nodes", price=lambda factor, gram: factor * gram),
    FIT.mistake("nodes_for_codes", gram=lambda K_z: K_z @ K_z),
    FIT.mistake("kernel_squared", price=lambda factor, K_z: factor * K_z @ K_z),
    FIT.mistake(
        "kernel_on_left", gram=lambda K_z: K_z, price=lambda factor, K_z: factor * np.eye(len(K_z))
    ),
    FIT.mistake("penalty_squared", factor=lambda penalty, Y: penalty**2 * len(Y) / 2),
    FIT.mistake(
        "right_divided",
        factor=lambda penalty: penalty / 2,
        right=lambda K_zeta, Y: K_zeta.T @ Y / len(Y),
    ),
    FIT.mistake(
        "left_divided",
        factor=lambda penalty: penalty / 2,
        gram=lambda K_zeta: K_zeta.T @ K_zeta / len(K_zeta),
    ),
    FIT.mistake(
        "centred",
        K_zeta=lambda kernel, zeta, nodes: kernel(zeta, nodes) - kernel(zeta, nodes).mean(axis=0),
    ),
    FIT.mistake("data_centred", right=lambda K_zeta, Y: K_zeta.T @ (Y - Y.mean(axis=0))),
    FIT.mistake("shares", K_zeta=lambda kernel, zeta, nodes: _shares(kernel(zeta, nodes))),
    FIT.mistake("values_at_nodes", alpha=lambda K_z, solution: K_z @ solution),
    FIT.mistake("values", alpha=lambda K_zeta, solution: K_zeta @ solution),
    FIT.mistake("width_alone", kernel=_exponent(lambda t, width: -t / width)),
    FIT.mistake("distance_not_squared", squares=lambda: lambda a, b: np.sqrt(FIT.squares()(a, b))),
)


EXERCISE = exercise(
    "adapt_manifold",
    lesson="23_principal_manifolds",
    equations="[RPM] (31) to (33)",
    minutes=20,
    shapes={"zeta": "N q", "Y": "N d", "nodes": "M q", "width": "", "penalty": ""},
    returns={"alpha": "M d"},
    trials=trials,
    reference=reference,
    stages=FIT,
    properties=(Property("slope_left", holds=_no_slope),),
    misconceptions=MISTAKES,
)
