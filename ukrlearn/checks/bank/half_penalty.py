"""The start (35) of a principal manifold: the factor of the penalty, which is misprinted."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

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
        K=np.array([[3.0, 1.0], [1.0, 3.0]]),
        penalty=2.0,
    )
    made = [Trial("two nodes", two)]
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
    centred = dict(nodes=around, V=V, K=K_around, penalty=penalty)
    made.append(Trial("nodes around the origin, one at it", centred))
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


# Parts: wrong ones to exchange for the right ones


def _aim(nodes, V):
    return (nodes - nodes.mean(axis=0)) @ V.T


def _multiple_of_one(penalty, M, q, d):
    return penalty * M / 2


@staged
def _with(
    aim=lambda nodes, V: _aim(nodes, V),
    factor=_multiple_of_one,
    matrix=lambda K, diagonal: K + diagonal,
    solved=np.linalg.solve,
    returned=lambda alpha, K: alpha,
):
    """The right answer with some stages exchanged: aims, factor of 1, matrix, system, result."""

    def answer(nodes, V, K, penalty):
        diagonal = factor(penalty, *nodes.shape, len(V)) * np.eye(len(nodes))
        return returned(solved(matrix(K, diagonal), aim(nodes, V)), K)

    return answer


def _no_kernel_in_penalty(nodes, V, K, penalty):
    M = len(nodes)
    return np.linalg.solve(K @ K + penalty * M / 2 * np.eye(M), K @ _aim(nodes, V))


def _unit_axes(nodes, V):
    return (nodes - nodes.mean(axis=0)) @ (V / np.linalg.norm(V, axis=0)).T


def _objective_slope(alpha, nodes, V, K, penalty):
    """The slope of (35) by α, and the size of its parts."""
    fit = 2 / len(nodes) * K @ (K @ alpha - _aim(nodes, V))
    stiff = penalty * K @ alpha
    size = np.abs(K @ _aim(nodes, V)).max() * 2 / len(nodes)
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
    properties=(
        Property(
            "slope_left",
            "At α the objective (35) has no slope.",
            "At your α the objective (35) still has a slope, so another α is better. With f(z_i) = (K α)_i "
            "and Q = ½ tr(αᵀ K α), write (35) as a function of α and set its slope to zero. Keep every factor: "
            "1/M, 2 and ½.",
            _no_slope,
        ),
    ),
    misconceptions=(
        Misconception(
            "as_printed",
            "You have K + λ/2 1, as the paper prints it. It is a misprint: it belongs to an objective without the "
            "1/M. (35) has 1/M before the sum, so the penalty becomes M times as large: λM/2.",
            _with(factor=lambda penalty, M, q, d: penalty / 2),
        ),
        Misconception(
            "half_forgotten",
            "You have λM where λM/2 belongs. Q = ½ ‖Pf‖² has a half, and its slope by α is K α without a 2; the slope of the "
            "squares has the 2.",
            _with(factor=lambda penalty, M, q, d: penalty * M),
        ),
        Misconception(
            "half_and_m_forgotten",
            "You have λ where λM/2 belongs. Set the slope of (35) to zero, and keep the 1/M of the sum, the 2 of "
            "the squares and the ½ of Q.",
            _with(factor=lambda penalty, M, q, d: penalty),
        ),
        Misconception(
            "divided_by_m",
            "You have λ/(2M), but M belongs in the numerator. Multiply the slope of (35) by M/2: then the sum loses its 2/M, "
            "and the penalty gains M/2.",
            _with(factor=lambda penalty, M, q, d: penalty / (2 * M)),
        ),
        Misconception(
            "over_m",
            "You have λ/M where λM/2 belongs. Multiply the slope of (35) by M/2: the penalty gains M/2.",
            _with(factor=lambda penalty, M, q, d: penalty / M),
        ),
        Misconception(
            "quarter",
            "You have λM/4 where λM/2 belongs: the half of Q counts twice. Its slope is K α, since the slope of a square has "
            "a 2 that cancels the half.",
            _with(factor=lambda penalty, M, q, d: penalty * M / 4),
        ),
        Misconception(
            "doubled",
            "You have 2λM where λM/2 belongs. Both the 2 of the squares and the ½ of Q make the factor smaller.",
            _with(factor=lambda penalty, M, q, d: 2 * penalty * M),
        ),
        Misconception(
            "data_dimension",
            "You have λd/2: the number of columns of the data in place of M. The mean in (35) is over the M nodes.",
            _with(factor=lambda penalty, M, q, d: penalty * d / 2),
        ),
        Misconception(
            "latent_dimension",
            "You have λq/2: the latent dimension in place of M. The mean in (35) is over the M nodes.",
            _with(factor=lambda penalty, M, q, d: penalty * q / 2),
        ),
        Misconception(
            "penalty_forgotten",
            "Your α solves K α = V(Z - Z_0), without any penalty.",
            _with(matrix=lambda K, diagonal: K),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λM/2 from the diagonal. The penalty adds to the matrix.",
            _with(matrix=lambda K, diagonal: K - diagonal),
        ),
        Misconception(
            "added_everywhere",
            "You add λM/2 to every entry of K. The 1 of the paper is the identity matrix: only the diagonal "
            "grows.",
            _with(matrix=lambda K, diagonal: K + diagonal[0, 0]),
        ),
        Misconception(
            "kernel_in_penalty",
            "You have K + λM/2 K. Both terms of the slope begin with a K: K(Kα - T) + λM/2 Kα. Divide by one K, and "
            "the penalty has none left.",
            _with(matrix=lambda K, diagonal: (1 + diagonal[0, 0]) * K),
        ),
        Misconception(
            "independent_nodes",
            "You penalise Σ |α_j|², as GTM does. Here Q = ½ Σ ⟨α_i, α_j⟩ k(z_i, z_j): its slope is K α, not α.",
            _no_kernel_in_penalty,
        ),
        Misconception(
            "nodes_not_centred",
            "Your aims are V z_i. (35) has V(z_i - z_0), with the mean z_0 of the nodes.",
            _with(aim=lambda nodes, V: nodes @ V.T),
        ),
        Misconception(
            "one_mean_for_all",
            "You subtract one mean of all entries of the nodes. z_0 is a point: the mean of every column.",
            _with(aim=lambda nodes, V: (nodes - nodes.mean()) @ V.T),
        ),
        Misconception(
            "rows_centred",
            "You subtract the mean of each row. z_0 is the mean over the nodes, axis=0.",
            _with(aim=lambda nodes, V: (nodes - nodes.mean(axis=1, keepdims=True)) @ V.T),
        ),
        Misconception(
            "first_node",
            "You subtract the first node. z_0 is the *mean* of the nodes.",
            _with(aim=lambda nodes, V: (nodes - nodes[0]) @ V.T),
        ),
        Misconception(
            "middle_of_range",
            "You subtract the middle of the nodes' range. z_0 is their mean.",
            _with(aim=lambda nodes, V: (nodes - (nodes.min(axis=0) + nodes.max(axis=0)) / 2) @ V.T),
        ),
        Misconception(
            "unit_axes",
            "You make the columns of V unit vectors. Use V as it is given: its lengths say how far the plane reaches.",
            _with(aim=_unit_axes),
        ),
        Misconception(
            "values_returned",
            "This is K α, the values of f at the nodes: you multiplied by K at the end, or your right-hand side has a "
            "K that was already divided out on the left. The coefficients α are asked for.",
            _with(returned=lambda alpha, K: K @ alpha),
        ),
        Misconception(
            "multiplied",
            "You multiply by the matrix; the system must be solved: np.linalg.solve(matrix, right-hand side).",
            _with(solved=np.matmul),
        ),
        Misconception(
            "entries_inverted",
            "You invert the matrix entry by entry. np.linalg.solve finds the α that the matrix maps to the aims.",
            _with(solved=lambda matrix, T: 1 / matrix @ T),
        ),
        Misconception(
            "plane_returned",
            "You return the points of the plane. Asked for are the coefficients α with which f comes near to it.",
            lambda nodes, V, K, penalty: _aim(nodes, V),
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
