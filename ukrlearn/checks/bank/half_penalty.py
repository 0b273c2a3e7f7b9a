"""The start (35) of a principal manifold: the factor of the penalty, which is misprinted."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

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


def mean(nodes):
    """the mean z_0 of the nodes"""
    return nodes.mean(axis=0)


def centred(nodes, mean):
    """the differences z_i - z_0"""
    return nodes - mean


def aims(centred, V):
    """the aims V(z_i - z_0), one in each row"""
    return centred @ V.T


def factor(penalty, nodes):
    """the number in front of the identity matrix"""
    return penalty * len(nodes) / 2


def added(factor, nodes):
    """the matrix that is added to K"""
    return factor * np.eye(len(nodes))


def matrix(K, added):
    """the matrix that multiplies α"""
    return K + added


def alpha(matrix, aims):
    """the solution α of the system"""
    return np.linalg.solve(matrix, aims)


START = pipeline("nodes V K penalty", mean, centred, aims, factor, added, matrix, alpha)


def _aims(nodes, V):
    return aims(centred(nodes, mean(nodes)), V)


def _objective_slope(alpha, nodes, V, K, penalty):
    """The slope of (35) by α, and the size of its parts."""
    fit = 2 / len(nodes) * K @ (K @ alpha - _aims(nodes, V))
    stiff = penalty * K @ alpha
    size = np.abs(K @ _aims(nodes, V)).max() * 2 / len(nodes)
    return fit + stiff, max(size, np.abs(stiff).max())


def _no_slope(alpha, nodes, V, K, penalty):
    slope, size = _objective_slope(alpha, nodes, V, K, penalty)
    return bool(np.abs(slope).max() <= LOOSE * size)


EXERCISE = Exercise(
    name="half_penalty",
    title="A start with the right penalty",
    lesson="23_principal_manifolds",
    equations="[RPM] (13), (17), (35)",
    minutes=20,
    shapes={"nodes": "M q", "V": "d q", "K": "M M", "penalty": ""},
    returns={"alpha": "M d"},
    trials=trials,
    reference=reference,
    stages=START,
    properties=(
        Property(
            "slope_left",
            "At α the objective (35) has no slope.",
            "At your α the objective (35) still has a slope, so another α is better. With f(z_i) = (K α)_i "
            "and Q = ½ tr(αᵀ K α), (35) is a function of α alone, and its slope must be zero.",
            _no_slope,
            suspects=(
                ("aims", "Is each row of your aims V times a node minus the mean of all nodes?"),
                ("matrix", "Does the matrix that multiplies α have every factor: 1/M, 2 and ½?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "as_printed",
            "You have K + λ/2 1, as the paper prints it. It is a misprint: it belongs to an objective without the "
            "1/M. (35) has 1/M before the sum, so the penalty becomes M times as large: λM/2.",
            START(factor=lambda penalty: penalty / 2),
        ),
        Misconception(
            "half_forgotten",
            "You have λM where λM/2 belongs. Q = ½ ‖Pf‖² has a half, and its slope by α is K α without a 2; the slope of the "
            "squares has the 2.",
            START(factor=lambda penalty, nodes: penalty * len(nodes)),
        ),
        Misconception(
            "half_and_m_forgotten",
            "You have λ where λM/2 belongs. Set the slope of (35) to zero, and keep the 1/M of the sum, the 2 of "
            "the squares and the ½ of Q.",
            START(factor=lambda penalty: penalty),
        ),
        Misconception(
            "divided_by_m",
            "You have λ/(2M), but M belongs in the numerator. Multiply the slope of (35) by M/2: then the sum loses its 2/M, "
            "and the penalty gains M/2.",
            START(factor=lambda penalty, nodes: penalty / (2 * len(nodes))),
        ),
        Misconception(
            "over_m",
            "You have λ/M where λM/2 belongs. Multiply the slope of (35) by M/2: the penalty gains M/2.",
            START(factor=lambda penalty, nodes: penalty / len(nodes)),
        ),
        Misconception(
            "quarter",
            "You have λM/4 where λM/2 belongs: the half of Q counts twice. Its slope is K α, since the slope of a square has "
            "a 2 that cancels the half.",
            START(factor=lambda penalty, nodes: penalty * len(nodes) / 4),
        ),
        Misconception(
            "doubled",
            "You have 2λM where λM/2 belongs. Both the 2 of the squares and the ½ of Q make the factor smaller.",
            START(factor=lambda penalty, nodes: 2 * penalty * len(nodes)),
        ),
        Misconception(
            "data_dimension",
            "You have λd/2: the number of columns of the data in place of M. The mean in (35) is over the M nodes.",
            START(factor=lambda penalty, V: penalty * len(V) / 2),
        ),
        Misconception(
            "latent_dimension",
            "You have λq/2: the latent dimension in place of M. The mean in (35) is over the M nodes.",
            START(factor=lambda penalty, V: penalty * V.shape[1] / 2),
        ),
        Misconception(
            "penalty_forgotten",
            "Your α solves K α = V(Z - Z_0), without any penalty.",
            START(matrix=lambda K: K),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λM/2 from the diagonal. The penalty adds to the matrix.",
            START(matrix=lambda K, added: K - added),
        ),
        Misconception(
            "added_everywhere",
            "You add λM/2 to every entry of K. The 1 of the paper is the identity matrix: only the diagonal "
            "grows.",
            START(added=lambda factor, K: np.full(K.shape, factor)),
        ),
        Misconception(
            "kernel_in_penalty",
            "Your α solves (1 + λM/2) K α = T: the interpolation of the aims, shrunk by one factor. Both terms of "
            "the slope begin with a K: K(Kα - T) + λM/2 Kα. Divide by one K, and the penalty has none left.",
            START(added=lambda factor, K: factor * K),
        ),
        Misconception(
            "kernel_on_one_side",
            "The slope by α is (2/M) K(Kα - T) + λ K α, so the aims T have a K, too. You have it on the left "
            "only: K(K + λM/2 1) α = T. Divide both sides by it.",
            START(matrix=lambda K, added: K @ (K + added)),
        ),
        Misconception(
            "diagonal_of_kernel",
            "You multiply the diagonal of K by 1 + λM/2. The identity matrix is added, so each entry of the "
            "diagonal grows by λM/2, however large it is.",
            START(added=lambda factor, K: factor * np.diag(np.diag(K))),
        ),
        Misconception(
            "independent_nodes",
            "You penalise Σ |α_j|², as GTM does. Here Q = ½ Σ ⟨α_i, α_j⟩ k(z_i, z_j): its slope is K α, not α.",
            START(
                matrix=lambda K, added: K @ K + added,
                alpha=lambda matrix, aims, K: np.linalg.solve(matrix, K @ aims),
            ),
        ),
        Misconception(
            "inverse_of_kernel",
            "You add the penalty to the inverse of K. It is added to K itself, before the system is solved.",
            START(
                matrix=lambda K, added: np.linalg.inv(K) + added,
                alpha=lambda matrix, aims: matrix @ aims,
            ),
        ),
        Misconception(
            "one_node_less",
            "You have λ(M - 1)/2 where λM/2 belongs. (35) is a mean over M nodes; there is no degree of freedom "
            "to take off.",
            START(factor=lambda penalty, nodes: penalty * (len(nodes) - 1) / 2),
        ),
        Misconception(
            "penalty_squared",
            "You square λ. It stands in (35) to the first power, and the slope leaves it so.",
            START(factor=lambda penalty, nodes: penalty**2 * len(nodes) / 2),
        ),
        Misconception(
            "v_not_transposed",
            "You multiply the nodes by V. The nodes are rows, and V has a row for each column of the data: "
            "V(z_i - z_0) for each row is (nodes - mean) @ V.T.",
            START(aims=lambda centred, V: centred @ V),
        ),
        Misconception(
            "nodes_as_columns",
            "You multiply V by the array of nodes as if each node were a column. Here each node is a row: "
            "V(z_i - z_0) for each row is (nodes - mean) @ V.T.",
            START(aims=lambda centred, V: V @ centred),
        ),
        Misconception(
            "nodes_not_centred",
            "Your aims are V z_i. (35) has V(z_i - z_0), with the mean z_0 of the nodes.",
            START(centred=lambda nodes: nodes),
        ),
        Misconception(
            "one_mean_for_all",
            "You subtract one mean of all entries of the nodes. z_0 is a point: the mean of every column.",
            START(mean=lambda nodes: nodes.mean()),
        ),
        Misconception(
            "rows_centred",
            "You subtract the mean of each row. z_0 is the mean over the nodes, axis=0.",
            START(mean=lambda nodes: nodes.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "first_node",
            "You subtract the first node. z_0 is the *mean* of the nodes.",
            START(mean=lambda nodes: nodes[0]),
        ),
        Misconception(
            "median_of_nodes",
            "You subtract the median of the nodes. z_0 is their mean.",
            START(mean=lambda nodes: np.median(nodes, axis=0)),
        ),
        Misconception(
            "aims_over_m",
            "Your right-hand side is divided by M, the matrix is not. The 1/M of (35) belongs to the "
            "whole sum: multiply the slope by M/2, and only the penalty keeps an M.",
            START(alpha=lambda matrix, aims: np.linalg.solve(matrix, aims / len(aims))),
        ),
        Misconception(
            "middle_of_range",
            "You subtract the middle of the nodes' range. z_0 is their mean.",
            START(mean=lambda nodes: (nodes.min(axis=0) + nodes.max(axis=0)) / 2),
        ),
        Misconception(
            "unit_axes",
            "You make the columns of V unit vectors. Use V as it is given: its lengths say how far the plane reaches.",
            START(aims=lambda centred, V: centred @ (V / np.linalg.norm(V, axis=0)).T),
        ),
        Misconception(
            "values_returned",
            "This is K α, the values of f at the nodes: you multiplied by K at the end, or your right-hand side has a "
            "K that was already divided out on the left. The coefficients α are asked for.",
            START(alpha=lambda matrix, aims, K: K @ np.linalg.solve(matrix, aims)),
        ),
        Misconception(
            "multiplied",
            "You multiply by the matrix; the system must be solved: np.linalg.solve(matrix, right-hand side).",
            START(alpha=lambda matrix, aims: matrix @ aims),
        ),
        Misconception(
            "entries_inverted",
            "You invert the matrix entry by entry. np.linalg.solve finds the α that the matrix maps to the aims.",
            START(alpha=lambda matrix, aims: 1 / matrix @ aims),
        ),
        Misconception(
            "plane_returned",
            "You return the points of the plane. Asked for are the coefficients α with which f comes near to it.",
            START(alpha=lambda aims: aims),
        ),
    ),
    hints=(
        "How does (35) depend on α? Write f(z_i) as row i of K α, and Q as ½ tr(αᵀ K α). Which factor stands before each of "
        "the two terms?",
        "With T the matrix of the aims V(z_i - z_0), the slope is (2/M) K (K α - T) + λ K α. Set it to zero, "
        "divide by K and by 2/M, and collect what multiplies α. Compare with the paper's system.",
        "T = (nodes - nodes.mean(axis=0)) @ V.T. The matrix is K plus something times np.eye(M), and that something comes from "
        "λ divided by 2/M. Check yourself: the slope of the second hint at your α must be zero.",
    ),
)
