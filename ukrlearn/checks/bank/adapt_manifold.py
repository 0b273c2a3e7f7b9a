"""The coefficients of a kernel expansion for given codes, [RPM] (33)."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

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


def squares():
    """the squared distances"""
    return lambda a, b: np.sum((a[:, None] - b) ** 2, axis=2)


def kernel(squares, width):
    """the kernel k(z, z')"""
    return lambda a, b: np.exp(-squares(a, b) / (2 * width**2))


def K_zeta(kernel, zeta, nodes):
    """K_ζ, the kernels between codes and nodes"""
    return kernel(zeta, nodes)


def K_z(kernel, nodes):
    """K_z, the kernels between nodes and nodes"""
    return kernel(nodes, nodes)


def gram(K_zeta):
    """the matrix K_ζᵀK_ζ"""
    return K_zeta.T @ K_zeta


def factor(penalty, Y):
    """the factor λm/2"""
    return penalty * len(Y) / 2


def price(factor, K_z):
    """the penalty λm/2 K_z"""
    return factor * K_z


def left(gram, price):
    """the matrix on the left of (33)"""
    return gram + price


def right(K_zeta, Y):
    """the right side K_ζᵀY"""
    return K_zeta.T @ Y


def solution(left, right):
    """the solution of (33)"""
    return np.linalg.solve(left, right)


def alpha(solution):
    """the coefficients that are returned"""
    return solution


FIT = pipeline(
    "zeta Y nodes width penalty",
    *(squares, kernel, K_zeta, K_z, gram, factor, price, left, right, solution, alpha),
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
    stages=FIT,
    properties=(
        Property(
            "slope_left",
            "At α the objective (32) has no slope.",
            "At your α the objective (32) still has a slope, so another α is better. At its "
            "minimum λm/2 K_z α is K_ζᵀ(Y - K_ζ α). Compute both sides at your α.",
            _no_slope,
            suspects=(
                ("K_zeta", "Is K_ζ right, a row for each code and a column for each node?"),
                ("K_z", "Does your K_z compare the nodes with each other, by the same kernel?"),
                ("price", "Which factor stands in front of K_z?"),
                ("right", "Is your right side K_ζᵀY?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "nodes_in_rows",
            "K_ζ and its transpose are exchanged. K_ζ has a row for each code and a column for each node, so that K_ζ α is f at all codes; K_ζᵀK_ζ has M rows and columns.",
            FIT(gram=lambda K_zeta: K_zeta @ K_zeta.T, right=lambda K_zeta, Y: K_zeta @ Y),
        ),
        Misconception(
            "kernel_of_codes",
            "Your K_z compares the codes with each other, N rows and columns. The roughness is about the nodes: k(z_i, z_j), with M rows and columns.",
            FIT(K_z=lambda kernel, zeta: kernel(zeta, zeta)),
        ),
        Misconception(
            "rows_for_nodes",
            "You take the kernels between codes and nodes for K_z. K_z compares the nodes with each other: k(z_i, z_j), with M rows and columns.",
            FIT(K_z=lambda kernel, zeta, nodes: kernel(zeta, nodes)),
        ),
        Misconception(
            "kernel_ridge",
            "You solve the system of kernel ridge regression, (K_z + λm/2 I) α = Y, which has as many nodes as points. Here f is needed at the codes: K_ζ, between codes and nodes, on both sides of (33).",
            FIT(
                gram=lambda K_z: K_z,
                price=lambda factor, K_z: factor * np.eye(len(K_z)),
                right=lambda Y: Y,
            ),
        ),
        Misconception(
            "lambda_alone",
            "Your factor in front of K_z is λ. The first term of (32) has the slope factor 2/m and "
            "the second λ; multiply both by m/2, and K_z gets λm/2.",
            FIT(factor=lambda penalty: penalty),
        ),
        Misconception(
            "half_forgotten",
            "Your factor in front of K_z is λm: the 1/2 is missing. The slope of a square has a "
            "factor 2, which cancels the 1/2 of the penalty in (32), and leaves 2/m in front of "
            "the error.",
            FIT(factor=lambda penalty, Y: penalty * len(Y)),
        ),
        Misconception(
            "sum_for_mean",
            "Your factor in front of K_z is λ/2, without the number of points m. That minimises "
            "the *sum* of the errors plus λQ, which figure 1 of the paper seems to do. (32) has "
            "their mean: λm/2.",
            FIT(factor=lambda penalty: penalty / 2),
        ),
        Misconception(
            "nodes_for_points",
            "Your factor in front of K_z is λM/2, with the number of nodes. That belongs to the "
            "start (35), where the nodes are the data. Here it is the number of points: λm/2.",
            FIT(factor=lambda penalty, nodes: penalty * len(nodes) / 2),
        ),
        Misconception(
            "half_twice",
            "Your factor in front of K_z is λm/4. The 1/2 of the penalty in (32) cancels the 2 "
            "from the slope of a square; the 1/2 in λm/2 comes from the error's 2/m.",
            FIT(factor=lambda penalty, Y: penalty * len(Y) / 4),
        ),
        Misconception(
            "divided_by_points",
            "Your factor in front of K_z is λ/(2m): you divide by the number of points where you "
            "should multiply. Multiply the slope of (32) by m/2, and look what happens to λ K_z α.",
            FIT(factor=lambda penalty, Y: penalty / (2 * len(Y))),
        ),
        Misconception(
            "lambda_over_points",
            "Your factor in front of K_z is λ/m: you divide by the number of points where you "
            "should multiply by half of it. Multiply the slope of (32) by m/2.",
            FIT(factor=lambda penalty, Y: penalty / len(Y)),
        ),
        Misconception(
            "two_over_points",
            "Your factor in front of K_z is 2λ/m. You have multiplied the slope of (32) by 2/m where m/2 belongs: then K_z gets λm/2.",
            FIT(factor=lambda penalty, Y: 2 * penalty / len(Y)),
        ),
        Misconception(
            "two_points",
            "Your factor in front of K_z is 2λm. The slope of (32) is 2/m K_ζᵀ(K_ζ α - Y) + λ K_z α; multiply it by m/2, and K_z gets λm/2.",
            FIT(factor=lambda penalty, Y: 2 * penalty * len(Y)),
        ),
        Misconception(
            "two_lambda",
            "Your factor in front of K_z is 2λ. The slope of (32) is 2/m K_ζᵀ(K_ζ α - Y) + λ K_z α; multiply it by m/2, and K_z gets λm/2.",
            FIT(factor=lambda penalty: 2 * penalty),
        ),
        Misconception(
            "entries_for_points",
            "Your factor in front of K_z counts all N·d entries of Y. m is the number of points: λm/2.",
            FIT(factor=lambda penalty, Y: penalty * Y.size / 2),
        ),
        Misconception(
            "nodes_alone",
            "Your factor in front of K_z is λM, with the number of nodes. It is λm/2, with the number of points.",
            FIT(factor=lambda penalty, nodes: penalty * len(nodes)),
        ),
        Misconception(
            "penalty_rooted",
            "You take the root of the penalty. (32) and (33) contain λ itself.",
            FIT(factor=lambda penalty, Y: np.sqrt(penalty) * len(Y) / 2),
        ),
        Misconception(
            "ridge",
            "You have the identity matrix in place of K_z: a ridge on the coefficients, as in GTM. "
            "(32) charges ⟨α_i, α_j⟩ k(z_i, z_j) for *pairs* of nodes, because their bumps "
            "overlap.",
            FIT(price=lambda factor, K_z: factor * np.eye(len(K_z))),
        ),
        Misconception(
            "plain_ridge",
            "You add λ times the identity matrix, a ridge on the coefficients. (32) charges pairs "
            "of nodes, and the error is a mean: add λm/2 K_z.",
            FIT(
                factor=lambda penalty: penalty, price=lambda factor, K_z: factor * np.eye(len(K_z))
            ),
        ),
        Misconception(
            "codes_for_nodes",
            "You have K_ζᵀK_ζ in place of K_z. The roughness does not know the points: K_z "
            "compares the nodes with each other, k(z_i, z_j).",
            FIT(price=lambda factor, gram: factor * gram),
        ),
        Misconception(
            "nodes_for_codes",
            "You have K_zᵀK_z in place of K_ζᵀK_ζ, as if the points were at the nodes. The error "
            "needs f at the codes: K_ζ holds k(ζ_n, z_j), a row for each point.",
            FIT(gram=lambda K_z: K_z @ K_z),
        ),
        Misconception(
            "swapped",
            "You have exchanged the two matrices: K_ζ is between codes and nodes and comes from "
            "the error, as K_ζᵀK_ζ; K_z is between nodes and comes from the roughness, as it is.",
            FIT(
                gram=lambda K_z: K_z @ K_z, price=lambda factor, K_zeta: factor * K_zeta.T @ K_zeta
            ),
        ),
        Misconception(
            "kernel_squared",
            "You have K_z K_z in place of K_z. That charges the values of f at the nodes. (17) is "
            "αᵀ K_z α, with K_z once.",
            FIT(price=lambda factor, K_z: factor * K_z @ K_z),
        ),
        Misconception(
            "kernel_on_left",
            "You have K_z in place of K_ζᵀK_ζ, and the identity matrix with the penalty. That is "
            "the system of the start (35), where codes and nodes are the same.",
            FIT(gram=lambda K_z: K_z, price=lambda factor, K_z: factor * np.eye(len(K_z))),
        ),
        Misconception(
            "penalty_forgotten",
            "The penalty is missing: you minimise the error alone. Add λm/2 K_z to K_ζᵀK_ζ.",
            FIT(left=lambda gram: gram),
        ),
        Misconception(
            "lambda_forgotten",
            "You add K_z m/2 without λ. The result then does not change when `penalty` does.",
            FIT(factor=lambda Y: len(Y) / 2),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract the penalty. Both terms of (32) should be small, so the matrices are "
            "added.",
            FIT(left=lambda gram, price: gram - price),
        ),
        Misconception(
            "penalty_squared",
            "You square the penalty. (32) and (33) contain λ itself.",
            FIT(factor=lambda penalty, Y: penalty**2 * len(Y) / 2),
        ),
        Misconception(
            "right_divided",
            "You divide the right side by m, but not K_ζᵀK_ζ. Where one comes from a mean, so does "
            "the other: (λ/2 K_z + K_ζᵀK_ζ/m) α = K_ζᵀY/m, which is (33).",
            FIT(factor=lambda penalty: penalty / 2, right=lambda K_zeta, Y: K_zeta.T @ Y / len(Y)),
        ),
        Misconception(
            "left_divided",
            "You divide K_ζᵀK_ζ by m, but not the right side. Where one comes from a mean, so does "
            "the other: (λ/2 K_z + K_ζᵀK_ζ/m) α = K_ζᵀY/m, which is (33).",
            FIT(
                factor=lambda penalty: penalty / 2,
                gram=lambda K_zeta: K_zeta.T @ K_zeta / len(K_zeta),
            ),
        ),
        Misconception(
            "centred",
            "You take the mean out of Y and of the columns of K_ζ. That is right if a constant f_0 "
            "follows, as in exercise 22. Here f has none, (31): take Y and K_ζ as they are.",
            FIT(
                K_zeta=lambda kernel, zeta, nodes: (
                    kernel(zeta, nodes) - kernel(zeta, nodes).mean(axis=0)
                )
            ),
        ),
        Misconception(
            "data_centred",
            "You take the mean out of Y. The paper assumes that somebody has done that before; "
            "your function minimises (32) with the Y that it gets.",
            FIT(right=lambda K_zeta, Y: K_zeta.T @ (Y - Y.mean(axis=0))),
        ),
        Misconception(
            "kernel_centred",
            "You take the mean out of K_z. (32) charges the coefficients as they are: K_z holds k(z_i, z_j).",
            FIT(K_z=lambda kernel, nodes: kernel(nodes, nodes) - kernel(nodes, nodes).mean(axis=0)),
        ),
        Misconception(
            "shares",
            "You divide each row of K_ζ by its sum, as in kernel regression. (31) does not: f is the plain sum of α_j k(z, z_j).",
            FIT(K_zeta=lambda kernel, zeta, nodes: _shares(kernel(zeta, nodes))),
        ),
        Misconception(
            "shares_in_both",
            "You divide each row of K_ζ and of K_z by its sum, as in kernel regression. (31) does not: f is the plain sum of α_j k(z, z_j).",
            FIT(
                K_zeta=lambda kernel, zeta, nodes: _shares(kernel(zeta, nodes)),
                K_z=lambda kernel, nodes: _shares(kernel(nodes, nodes)),
            ),
        ),
        Misconception(
            "values_at_nodes",
            "You return f(z_j), the values at the nodes. Wanted are the coefficients α_j; f is the sum of α_j k(z, z_j).",
            FIT(alpha=lambda K_z, solution: K_z @ solution),
        ),
        Misconception(
            "ones_in_kernel",
            "You have ones everywhere in place of K_z. It holds k(z_i, z_j), which is 1 only for a node and itself.",
            FIT(K_z=lambda nodes: np.ones((len(nodes), len(nodes)))),
        ),
        Misconception(
            "values",
            "You return f(ζ_n), a row for each point. Wanted are the coefficients α_j, a row for "
            "each node.",
            FIT(alpha=lambda K_zeta, solution: K_zeta @ solution),
        ),
        Misconception(
            "half_missing",
            "Your kernel is exp(-|z - z'|²/σ²). The 1/2 in the exponent (18) is missing.",
            FIT(kernel=_exponent(lambda t, width: -t / width**2)),
        ),
        Misconception(
            "width_forgotten",
            "The width σ is missing in your kernel: (18) is exp(-|z - z'|²/2σ²).",
            FIT(kernel=_exponent(lambda t, width: -t / 2)),
        ),
        Misconception(
            "width_alone",
            "In the exponent you divide by σ. (18) divides the squared distance by 2σ²: square the width, and the 2 is missing.",
            FIT(kernel=_exponent(lambda t, width: -t / width)),
        ),
        Misconception(
            "width_multiplied",
            "In the exponent you multiply by σ²: without brackets, a / 2 * b is (a / 2) * b. It is |z - z'|² over all of 2σ².",
            FIT(kernel=_exponent(lambda t, width: -t / 2 * width**2)),
        ),
        Misconception(
            "two_squared_too",
            "In the exponent you divide by (2σ)², which is 4σ². Only σ is squared: 2σ².",
            FIT(kernel=_exponent(lambda t, width: -t / (2 * width) ** 2)),
        ),
        Misconception(
            "exponent_positive",
            "Your exponent has no minus, so the kernel grows with the distance. (18) is exp(-|z - z'|²/2σ²).",
            FIT(kernel=_exponent(lambda t, width: t / (2 * width**2))),
        ),
        Misconception(
            "width_not_squared",
            "In the exponent you divide by 2σ and not by 2σ². The distance is squared there, so "
            "must be the width.",
            FIT(kernel=_exponent(lambda t, width: -t / (2 * width))),
        ),
        Misconception(
            "distance_not_squared",
            "Your exponent has the distance, not its square: (18) is exp(-|z - z'|²/2σ²).",
            FIT(squares=lambda: lambda a, b: np.sqrt(squares()(a, b))),
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
