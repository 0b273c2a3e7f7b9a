"""The start (35) of a principal manifold: the factor of the penalty, which is misprinted."""

import numpy as np

from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

LOOSE = 2e-3  # of the largest value: single precision is no mistake
SIZES = ((7, 2, 3), (5, 1, 2), (11, 3, 4), (6, 2, 5))  # M, q, d: no two the same in a trial


def reference(nodes, V, K, penalty):
    M = len(nodes)
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), (nodes - nodes.mean(axis=0)) @ V.T)


def trials(seed):
    random = np.random.default_rng(seed)
    two = dict(
        nodes=np.array([[0.0], [4.0]]),
        V=np.array([[3.0], [1.0]]),
        K=np.array([[4.0, 1.0], [1.0, 4.0]]),
        penalty=2.0,
    )
    three = dict(
        nodes=np.array([[0.0, 1.0], [3.0, 1.0], [0.0, 7.0]]),
        V=np.array([[1.0, 2.0]]),
        K=np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]]),
        penalty=2.0,
    )
    made = [Trial("two nodes", two), Trial("three nodes", three)]
    for M, q, d in SIZES:
        nodes = _apart(random, M, q) + 0.3
        V = random.normal(size=(d, q)) * (1 + np.arange(q))
        K = np.exp(-np.sum((nodes[:, None] - nodes) ** 2, axis=2) / random.uniform(0.5, 1.0))
        penalty = random.uniform(0.1, 0.6)
        arguments = dict(nodes=nodes, V=V, K=K, penalty=penalty)
        made.append(Trial(f"M = {M}, q = {q}, d = {d}", arguments))
    made.append(Trial("a hundred times the penalty", dict(arguments, penalty=100 * penalty)))
    made.append(Trial("hardly any penalty", dict(arguments, penalty=1e-4)))
    around = nodes - nodes.mean(axis=0)
    around = np.vstack([around, np.zeros(q)])
    K_around = np.exp(-np.sum((around[:, None] - around) ** 2, axis=2))
    at_origin = dict(nodes=around, V=V, K=K_around, penalty=penalty)
    made.append(Trial("nodes around the origin, one at it", at_origin))
    # nodes may have equal coordinates, but no two are equal: with a singular K many α are best
    level = around.copy()
    level[1, 0] = level[0, 0]
    flat = V.copy()
    flat[1], flat[2] = 0, flat[0]
    K_level = np.exp(-np.sum((level[:, None] - level) ** 2, axis=2))
    in_part = dict(nodes=level, V=flat, K=K_level, penalty=penalty)
    made.append(Trial("a plane at right angles to a column of the data", in_part))
    made.append(Trial("nodes far from the origin", dict(arguments, nodes=nodes + 50)))
    made.append(Trial("a kernel whose diagonal is not one", dict(arguments, K=3 * K + np.eye(M))))
    made.append(Trial("data a million times larger", dict(arguments, V=1e6 * V)))
    return made


def _apart(random, M, q):
    """Nodes that are not too near to each other: K stays well conditioned."""
    chosen = [random.uniform(-1, 1, q)]
    while len(chosen) < M:
        tried = random.uniform(-1, 1, (40, q)) * (1 + 0.2 * len(chosen))
        gaps = np.linalg.norm(tried[:, None] - np.array(chosen), axis=2).min(axis=1)
        chosen.append(tried[gaps.argmax()])
    return np.array(chosen)


START = pipeline(
    "nodes V K penalty",
    mean=lambda nodes: nodes.mean(axis=0),
    centred=lambda nodes, mean: nodes - mean,
    aims=lambda centred, V: centred @ V.T,
    factor=lambda penalty, nodes: penalty * len(nodes) / 2,
    added=lambda factor, nodes: factor * np.eye(len(nodes)),
    matrix=lambda K, added: K + added,
    alpha=lambda matrix, aims: np.linalg.solve(matrix, aims),
)


def _aims(nodes, V):
    return START.aims(START.centred(nodes, START.mean(nodes)), V)


def _objective_slope(alpha, nodes, V, K, penalty):
    """The slope of (35) by α, and the size of its parts."""
    fit = 2 / len(nodes) * K @ (K @ alpha - _aims(nodes, V))
    stiff = penalty * K @ alpha
    size = np.abs(K @ _aims(nodes, V)).max() * 2 / len(nodes)
    return fit + stiff, max(size, np.abs(stiff).max())


def _no_slope(alpha, nodes, V, K, penalty):
    slope, size = _objective_slope(alpha, nodes, V, K, penalty)
    return bool(np.abs(slope).max() <= LOOSE * size)


MISTAKES = (
    START.mistake("v_not_transposed", aims=lambda centred, V: centred @ V),
    START.mistake("half_and_m_forgotten", factor=lambda penalty: penalty),
    START.mistake("over_m", factor=lambda penalty, nodes: penalty / len(nodes)),
    START.mistake("data_dimension", factor=lambda penalty, V: penalty * len(V) / 2),
    START.mistake("added_everywhere", added=lambda factor, K: np.full(K.shape, factor)),
    START.mistake("kernel_in_penalty", added=lambda factor, K: factor * K),
    START.mistake("kernel_on_one_side", matrix=lambda K, added: K @ (K + added)),
    START.mistake("diagonal_of_kernel", added=lambda factor, K: factor * np.diag(np.diag(K))),
    START.mistake(
        "independent_nodes",
        matrix=lambda K, added: K @ K + added,
        alpha=lambda matrix, aims, K: np.linalg.solve(matrix, K @ aims),
    ),
    START.mistake("penalty_squared", factor=lambda penalty, nodes: penalty**2 * len(nodes) / 2),
    START.mistake("nodes_as_columns", aims=lambda centred, V: V @ centred),
    START.mistake("rows_centred", mean=lambda nodes: nodes.mean(axis=1, keepdims=True)),
    START.mistake("first_node", mean=lambda nodes: nodes[0]),
    START.mistake("median_of_nodes", mean=lambda nodes: np.median(nodes, axis=0)),
    START.mistake(
        "aims_over_m", alpha=lambda matrix, aims: np.linalg.solve(matrix, aims / len(aims))
    ),
    START.mistake(
        "middle_of_range", mean=lambda nodes: (nodes.min(axis=0) + nodes.max(axis=0)) / 2
    ),
    START.mistake("unit_axes", aims=lambda centred, V: centred @ (V / np.linalg.norm(V, axis=0)).T),
    START.mistake(
        "values_returned", alpha=lambda matrix, aims, K: K @ np.linalg.solve(matrix, aims)
    ),
    START.mistake("multiplied", alpha=lambda matrix, aims: matrix @ aims),
    START.mistake("entries_inverted", alpha=lambda matrix, aims: 1 / matrix @ aims),
    START.mistake("plane_returned", alpha=lambda aims: aims),
)


EXERCISE = exercise(
    "half_penalty",
    lesson="23_principal_manifolds",
    equations="[RPM] (13), (17), (35)",
    minutes=20,
    shapes={"nodes": "M q", "V": "d q", "K": "M M", "penalty": ""},
    returns={"alpha": "M d"},
    trials=trials,
    reference=reference,
    stages=START,
    properties=(Property("slope_left", holds=_no_slope),),
    misconceptions=MISTAKES,
)
