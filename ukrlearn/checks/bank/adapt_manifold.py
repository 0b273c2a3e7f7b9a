"""The coefficients of a kernel expansion for given codes, [RPM] (33)."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

SIZES = ((9, 3, 2, 5), (7, 4, 1, 3), (12, 2, 3, 6))  # N, d, q, M: no two the same in a trial
LOOSE = 2e-3  # of the largest value: single precision is no mistake


def reference(zeta, Y, nodes, width, penalty):
    K_zeta, K_z = _both(zeta, nodes, width)
    return np.linalg.solve(penalty * len(Y) / 2 * K_z + K_zeta.T @ K_zeta, K_zeta.T @ Y)  # (33)


def trials(seed):
    random = np.random.default_rng(seed)
    column = lambda *numbers: np.array(numbers, dtype=float)[:, None]
    Y = np.array([[4.0, 2.0], [0.0, 6.0]])
    one = dict(zeta=column(0, 40), Y=Y, nodes=column(0), width=1.0, penalty=1.0)
    made = [Trial("two points, one node", one)]
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
    made.append(Trial("codes in pairs", dict(arguments, zeta=np.repeat(zeta[::2], 2, axis=0))))
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


def _kernel(a, b, width):
    return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / (2 * width**2))


def _both(zeta, nodes, width, kernel=_kernel):
    return kernel(zeta, nodes, width), kernel(nodes, nodes, width)


def _with(left=None, right=None, kernel=_kernel):
    """(33) with one part exchanged: left of (K_zeta, K_z, λ), right of (K_zeta, K_z, Y)."""

    def coefficients(zeta, Y, nodes, width, penalty):
        K, K_z = _both(zeta, nodes, width, kernel)
        A = penalty * len(Y) / 2 * K_z + K.T @ K if left is None else left(K, K_z, penalty)
        B = K.T @ Y if right is None else right(K, K_z, Y)
        return np.linalg.lstsq(A, B, rcond=None)[0]

    return coefficients


def _penalised(matrix):
    """(33) with another matrix in place of λ m / 2 K_z."""
    return _with(lambda K, K_z, penalty: matrix(K, K_z, penalty) + K.T @ K)


def _with_kernel(exponent):
    """Another exponent of squared distance and width."""
    return _with(
        kernel=lambda a, b, width: np.exp(exponent(np.sum((a[:, None] - b) ** 2, axis=2), width))
    )


def _centred(zeta, Y, nodes, width, penalty):
    K, K_z = _both(zeta, nodes, width)
    K = K - K.mean(axis=0)
    A = penalty * len(Y) / 2 * K_z + K.T @ K
    return np.linalg.solve(A, K.T @ (Y - Y.mean(axis=0)))


def _values(zeta, Y, nodes, width, penalty):
    return _kernel(zeta, nodes, width) @ reference(zeta, Y, nodes, width, penalty)


def _no_slope(alpha, zeta, Y, nodes, width, penalty):
    """The slope of (32) at α."""
    K, K_z = _both(zeta, nodes, width)
    pull, price = K.T @ (Y - K @ alpha), penalty * len(Y) / 2 * K_z @ alpha
    size = np.abs(K.T @ Y).max() + np.abs(price).max()
    return bool((np.abs(price - pull) <= LOOSE * size).all())


EXERCISE = Exercise(
    name="adapt_manifold",
    title="Adapt a manifold",
    lesson="23_principal_manifolds",
    equations="[RPM] (31) to (33)",
    minutes=20,
    shapes={"zeta": "N q", "Y": "N d", "nodes": "M q", "width": "", "penalty": ""},
    returns={"alpha": "M d"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "slope_left",
            "At α the objective (32) has no slope.",
            "At your α the objective (32) still has a slope, so another α is better. At its "
            "minimum λm/2 K_z α is K_ζᵀ(Y - K_ζ α). Compute both sides at your α, and look in turn "
            "at K_ζ, at K_z, and at the factor in front of it.",
            _no_slope,
        ),
    ),
    misconceptions=(
        Misconception(
            "lambda_alone",
            "Your factor in front of K_z is λ. The first term of (32) has the slope factor 2/m and "
            "the second λ; multiply both by m/2, and K_z gets λm/2.",
            _penalised(lambda K, K_z, p: p * K_z),
        ),
        Misconception(
            "half_forgotten",
            "Your factor in front of K_z is λm: the 1/2 is missing. The slope of a square has a "
            "factor 2, which cancels the 1/2 of the penalty in (32), and leaves 2/m in front of "
            "the error.",
            _penalised(lambda K, K_z, p: p * len(K) * K_z),
        ),
        Misconception(
            "sum_for_mean",
            "Your factor in front of K_z is λ/2, without the number of points m. That minimises "
            "the *sum* of the errors plus λQ, which figure 1 of the paper seems to do. (32) has "
            "their mean: λm/2.",
            _penalised(lambda K, K_z, p: p / 2 * K_z),
        ),
        Misconception(
            "nodes_for_points",
            "Your factor in front of K_z is λM/2, with the number of nodes. That belongs to the "
            "start (35), where the nodes are the data. Here it is the number of points: λm/2.",
            _penalised(lambda K, K_z, p: p * K.shape[1] / 2 * K_z),
        ),
        Misconception(
            "half_twice",
            "Your factor in front of K_z is λm/4. The 1/2 of the penalty in (32) cancels the 2 "
            "from the slope of a square; the 1/2 in λm/2 comes from the error's 2/m.",
            _penalised(lambda K, K_z, p: p * len(K) / 4 * K_z),
        ),
        Misconception(
            "divided_by_points",
            "Your factor in front of K_z is λ/(2m): you divide by the number of points where you "
            "should multiply. Multiply the slope of (32) by m/2, and look what happens to λ K_z α.",
            _penalised(lambda K, K_z, p: p / (2 * len(K)) * K_z),
        ),
        Misconception(
            "lambda_over_points",
            "Your factor in front of K_z is λ/m: you divide by the number of points where you "
            "should multiply by half of it. Multiply the slope of (32) by m/2.",
            _penalised(lambda K, K_z, p: p / len(K) * K_z),
        ),
        Misconception(
            "ridge",
            "You have the identity matrix in place of K_z: a ridge on the coefficients, as in GTM. "
            "(32) charges ⟨α_i, α_j⟩ k(z_i, z_j) for *pairs* of nodes, because their bumps "
            "overlap.",
            _penalised(lambda K, K_z, p: p * len(K) / 2 * np.eye(len(K_z))),
        ),
        Misconception(
            "plain_ridge",
            "You add λ times the identity matrix, a ridge on the coefficients. (32) charges pairs "
            "of nodes, and the error is a mean: add λm/2 K_z.",
            _penalised(lambda K, K_z, p: p * np.eye(len(K_z))),
        ),
        Misconception(
            "codes_for_nodes",
            "You have K_ζᵀK_ζ in place of K_z. The roughness does not know the points: K_z "
            "compares the nodes with each other, k(z_i, z_j).",
            _penalised(lambda K, K_z, p: p * len(K) / 2 * K.T @ K),
        ),
        Misconception(
            "nodes_for_codes",
            "You have K_zᵀK_z in place of K_ζᵀK_ζ, as if the points were at the nodes. The error "
            "needs f at the codes: K_ζ holds k(ζ_n, z_j), a row for each point.",
            _with(lambda K, K_z, p: p * len(K) / 2 * K_z + K_z @ K_z),
        ),
        Misconception(
            "swapped",
            "You have exchanged the two matrices: K_ζ is between codes and nodes and comes from "
            "the error, as K_ζᵀK_ζ; K_z is between nodes and comes from the roughness, as it is.",
            _with(lambda K, K_z, p: p * len(K) / 2 * K.T @ K + K_z @ K_z),
        ),
        Misconception(
            "kernel_squared",
            "You have K_z K_z in place of K_z. That charges the values of f at the nodes. (17) is "
            "αᵀ K_z α, with K_z once.",
            _penalised(lambda K, K_z, p: p * len(K) / 2 * K_z @ K_z),
        ),
        Misconception(
            "kernel_on_left",
            "You have K_z in place of K_ζᵀK_ζ, and the identity matrix with the penalty. That is "
            "the system of the start (35), where codes and nodes are the same.",
            _with(lambda K, K_z, p: p * len(K) / 2 * np.eye(len(K_z)) + K_z),
        ),
        Misconception(
            "penalty_forgotten",
            "The penalty is missing: you minimise the error alone. Add λm/2 K_z to K_ζᵀK_ζ.",
            _penalised(lambda K, K_z, p: 0 * K_z),
        ),
        Misconception(
            "lambda_forgotten",
            "You add K_z m/2 without λ. The result then does not change when `penalty` does.",
            _penalised(lambda K, K_z, p: len(K) / 2 * K_z),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract the penalty. Both terms of (32) should be small, so the matrices are "
            "added.",
            _penalised(lambda K, K_z, p: -p * len(K) / 2 * K_z),
        ),
        Misconception(
            "penalty_squared",
            "You square the penalty. (32) and (33) contain λ itself.",
            _penalised(lambda K, K_z, p: p**2 * len(K) / 2 * K_z),
        ),
        Misconception(
            "right_divided",
            "You divide the right side by m, but not K_ζᵀK_ζ. Where one comes from a mean, so does "
            "the other: (λ/2 K_z + K_ζᵀK_ζ/m) α = K_ζᵀY/m, which is (33).",
            _with(
                lambda K, K_z, p: p / 2 * K_z + K.T @ K,
                lambda K, K_z, Y: K.T @ Y / len(Y),
            ),
        ),
        Misconception(
            "left_divided",
            "You divide K_ζᵀK_ζ by m, but not the right side. Where one comes from a mean, so does "
            "the other: (λ/2 K_z + K_ζᵀK_ζ/m) α = K_ζᵀY/m, which is (33).",
            _with(lambda K, K_z, p: p / 2 * K_z + K.T @ K / len(K)),
        ),
        Misconception(
            "centred",
            "You take the mean out of Y and of the columns of K_ζ. That is right if a constant f_0 "
            "follows, as in exercise 22. Here f has none, (31): take Y and K_ζ as they are.",
            _centred,
        ),
        Misconception(
            "data_centred",
            "You take the mean out of Y. The paper assumes that somebody has done that before; "
            "your function minimises (32) with the Y that it gets.",
            _with(right=lambda K, K_z, Y: K.T @ (Y - Y.mean(axis=0))),
        ),
        Misconception(
            "values",
            "You return f(ζ_n), a row for each point. Wanted are the coefficients α_j, a row for "
            "each node.",
            _values,
        ),
        Misconception(
            "half_missing",
            "Your kernel is exp(-|z - z'|²/σ²). The 1/2 in the exponent (18) is missing.",
            _with_kernel(lambda t, width: -t / width**2),
        ),
        Misconception(
            "width_not_squared",
            "In the exponent you divide by 2σ and not by 2σ². The distance is squared there, so "
            "must be the width.",
            _with_kernel(lambda t, width: -t / (2 * width)),
        ),
        Misconception(
            "distance_not_squared",
            "Your exponent has the distance, not its square: (18) is exp(-|z - z'|²/2σ²).",
            _with_kernel(lambda t, width: -np.sqrt(t) / (2 * width**2)),
        ),
    ),
    hints=(
        "Write the slope of (32) with respect to α before you write code. Which factor does the "
        "error bring along, and which the penalty? What must you multiply by to get rid of the "
        "first?",
        "Two kernel matrices: K_zeta between codes and nodes, (N, M), and K_z between nodes and "
        "nodes, (M, M). One function gives both. Then A = penalty * N / 2 * K_z + K_zeta.T @ K_zeta.",
        "One way: `kernel = lambda a, b: np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / (2 * "
        "width**2))`, the two matrices, A as above, and `np.linalg.solve(A, K_zeta.T @ Y)`.",
    ),
)
