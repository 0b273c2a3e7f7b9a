"""[UKR] in loops: Meinicke, Klanke, Memisevic, Ritter: Principal Surfaces from Unsupervised
Kernel Regression, 2005.

Points are lists of numbers and data sets are lists of points: X[n][j] is coordinate j of latent
point n, Y[n][k] coordinate k of data point n. A kernel is a pair (K, slope) of functions of the
squared distance t. The index n stands for the point being rebuilt, m for a point that contributes.
"""

import math

__all__ = [
    "squared_distance",
    "gaussian",
    "quartic",
    "student",
    "student_with",
    "weights",
    "predict",
    "latent_density",
    "density_gradient",
    "weights_jacobian",
    "predict_jacobian",
    "manifold_extent",
    "weight_matrix",
    "squared_residuals",
    "reconstruction_error",
    "reconstruction_error_gram",
    "penalty_factors",
    "linear",
    "l1",
    "gram_matrix",
    "positive_definite_from_conditional",
    "similarities",
    "log_barrier",
    "log_likelihood_of_left_out",
    "rprop_step",
    "squared_distance_to_image",
]


def squared_distance(x, z):
    """t = |x - z|², the argument of every density kernel, (25)."""
    return sum((a - b) ** 2 for a, b in zip(x, z, strict=True))


# Density kernels: K and its slope dK/dt


def _gaussian(t):
    return math.exp(-t / 2)  # (33)


def _gaussian_slope(t):
    return -math.exp(-t / 2) / 2


def _quartic(t):
    return max(1 - t, 0) ** 2  # (34)


def _quartic_slope(t):
    return -2 * max(1 - t, 0)


def student_with(nu):
    """Student's kernel with ν degrees of freedom."""

    def K(t):
        return (1 + t / nu) ** (-(nu + 1) / 2)

    def slope(t):
        return -(nu + 1) / (2 * nu) * (1 + t / nu) ** (-(nu + 3) / 2)

    return K, slope


gaussian = (_gaussian, _gaussian_slope)
quartic = (_quartic, _quartic_slope)
student = student_with(1.0)


# The model


def weights(x, X, kernel=gaussian):
    """How much each data point contributes at each position: B[m][n] = b_n(x_m), (2)."""
    K, _ = kernel
    B = []
    for position in x:
        values = [K(squared_distance(position, point)) for point in X]
        total = sum(values)
        B.append([value / total for value in values])
    return B


def predict(x, X, Y, kernel=gaussian):
    """f(x; X) = Σ_n b_n(x) y_n at each position, (2)."""
    return [_weighted_mean(b, Y) for b in weights(x, X, kernel)]


def _weighted_mean(b, Y):
    return [sum(b[n] * Y[n][k] for n in range(len(Y))) for k in range(len(Y[0]))]


def latent_density(x, X, kernel=gaussian):
    """p(x) = 1/N Σ_n K(x - x_n) at each position, (3)."""
    K, _ = kernel
    return [sum(K(squared_distance(position, point)) for point in X) / len(X) for position in x]


def density_gradient(x, X, kernel=gaussian):
    """∂p/∂x_j at each position."""
    _, slope = kernel
    return [
        [
            sum(2 * slope(squared_distance(z, point)) * (z[j] - point[j]) for point in X) / len(X)
            for j in range(len(z))
        ]
        for z in x
    ]


def weights_jacobian(x, X, kernel=gaussian):
    """∂b_n/∂x_j at each position, (6) and (22): J[m][n][j]."""
    K, slope = kernel
    N = len(X)
    density, density_slopes = latent_density(x, X, kernel), density_gradient(x, X, kernel)
    J = []
    for z, p, dp in zip(x, density, density_slopes, strict=True):
        of_position = []
        for point in X:
            t = squared_distance(z, point)
            of_point = []
            for j in range(len(z)):
                dK = 2 * slope(t) * (z[j] - point[j])
                of_point.append(dK / (N * p) - K(t) * dp[j] / (N * p**2))  # (22)
            of_position.append(of_point)
        J.append(of_position)
    return J


def predict_jacobian(x, X, Y, kernel=gaussian):
    """∂f_k/∂x_j at each position: J[m][k][j]."""
    q, d = len(X[0]), len(Y[0])
    return [
        [[sum(Y[n][k] * J_b[n][j] for n in range(len(Y))) for j in range(q)] for k in range(d)]
        for J_b in weights_jacobian(x, X, kernel)
    ]


def manifold_extent(positions, X, Y, norm, kernel=gaussian):
    """The length of a curve and its two bounds (5), by the trapezoidal rule.

    The positions are sorted and have one coordinate; norm is |Y|₂.
    """
    J_f, J_b = predict_jacobian(positions, X, Y, kernel), weights_jacobian(positions, X, kernel)
    speed, slope = ([math.sqrt(sum(row[0] ** 2 for row in J)) for J in Js] for Js in (J_f, J_b))
    span = positions[-1][0] - positions[0][0]
    length = _trapezoids(positions, speed)  # (5), left
    by_integral = norm * _trapezoids(positions, slope)  # (5), middle
    by_greatest_slope = norm * max(slope) * span  # (5), right
    return length, by_integral, by_greatest_slope


def _trapezoids(positions, values):
    return sum(
        (positions[i + 1][0] - positions[i][0]) * (values[i] + values[i + 1]) / 2
        for i in range(len(values) - 1)
    )


# Reconstruction error


def weight_matrix(X, kernel=gaussian, leave_one_out=True, groups=None):
    """B[n][m]: the weight of point m in the reconstruction of point n, (23); rows sum to one."""
    K, _ = kernel
    N = len(X)
    B = []
    for n in range(N):
        row = []
        for m in range(N):
            value = K(squared_distance(X[n], X[m]))
            row.append(0.0 if _is_left_out(n, m, leave_one_out, groups) else value)
        if sum(row) == 0:  # no neighbours: the mean of all points that are not left out
            row = [float(not _is_left_out(n, m, leave_one_out, groups)) for m in range(N)]
        total = sum(row)
        B.append([value / total for value in row])
    return B


def _is_left_out(n, m, leave_one_out, groups):
    if not leave_one_out:
        return False
    return n == m if groups is None else groups[n] == groups[m]


def squared_residuals(X, Y, kernel=gaussian, leave_one_out=True, groups=None):
    """|y_n - f(x_n)|² of each point."""
    B = weight_matrix(X, kernel, leave_one_out, groups)
    return [squared_distance(_weighted_mean(B[n], Y), Y[n]) for n in range(len(Y))]


def reconstruction_error(X, Y, kernel=gaussian, leave_one_out=True, groups=None):
    """R (8) or R_cv (10), and its gradient from the sums (29) and (30)."""
    B = weight_matrix(X, kernel, leave_one_out, groups)
    error = sum(squared_residuals(X, Y, kernel, leave_one_out, groups)) / len(Y)
    return error, _gradient(X, B, gram_matrix(linear, Y), kernel, leave_one_out, groups)


def reconstruction_error_gram(X, G, kernel=gaussian, leave_one_out=True, groups=None):
    """The same error and gradient from inner products: 1/N tr(V G Vᵀ) with V = B - I, (13)."""
    N = len(X)
    B = weight_matrix(X, kernel, leave_one_out, groups)
    V = [[B[n][m] - (n == m) for m in range(N)] for n in range(N)]
    error = 0.0
    for n in range(N):
        for m in range(N):
            for r in range(N):
                error += V[n][m] * G[m][r] * V[n][r] / N  # (13)
    return error, _gradient(X, B, G, kernel, leave_one_out, groups)


def _gradient(X, B, G, kernel, leave_one_out, groups):
    """∂R/∂x_j for every latent point, (29), from M, P and Q."""
    K, slope = kernel
    N, q = len(X), len(X[0])
    M = [
        [sum((B[n][r] - (n == r)) * G[r][m] for r in range(N)) for m in range(N)] for n in range(N)
    ]
    Q = []
    for n in range(N):
        t = [squared_distance(X[n], X[m]) for m in range(N)]
        here = [not _is_left_out(n, m, leave_one_out, groups) for m in range(N)]
        total = sum(K(t[m]) for m in range(N) if here[m])
        inner = sum(M[n][m] * B[n][m] for m in range(N))
        row = []
        for m in range(N):
            p = -2 * slope(t[m]) / total if here[m] and total > 0 else 0.0  # (27)
            row.append(p * M[n][m] - p * inner)  # (30)
        Q.append(row)
    return [
        [2 / N * sum((X[m][j] - X[n][j]) * (Q[n][m] + Q[m][n]) for m in range(N)) for j in range(q)]
        for n in range(N)
    ]  # (29)


def penalty_factors(X, kernel=gaussian):
    """S_n of (12): the factor by which leave-one-out penalises isolated points."""
    K, _ = kernel
    factors = []
    for n in range(len(X)):
        others = sum(K(squared_distance(X[n], X[m])) for m in range(len(X)) if m != n)
        factors.append((1 + K(0.0) / others) ** 2)
    return factors


# Feature spaces


def linear(y, z):
    """⟨y, z⟩."""
    return sum(a * b for a, b in zip(y, z, strict=True))


def l1(y, z):
    """½ (|y|₁ + |z|₁ - |y - z|₁), (17)."""
    size_y, size_z = sum(abs(a) for a in y), sum(abs(b) for b in z)
    return (size_y + size_z - sum(abs(a - b) for a, b in zip(y, z, strict=True))) / 2


def gram_matrix(k, Y, Z=None):
    """G[n][m] = k(y_n, z_m)."""
    return [[k(y, z) for z in (Y if Z is None else Z)] for y in Y]


def positive_definite_from_conditional(C, reference=0):
    """½ (C_nm - C_n0 - C_0m + C_00), (37)."""
    o = reference
    return [
        [(C[n][m] - C[n][o] - C[o][m] + C[o][o]) / 2 for m in range(len(C))] for n in range(len(C))
    ]


def similarities(K_yY, x, X, kernel=gaussian):
    """⟨Φ(y), f(x)⟩ = Σ_n k(y, y_n) b_n(x) for every y and every position, (16)."""
    B = weights(x, X, kernel)
    return [[sum(k * b for k, b in zip(row, b_x, strict=True)) for b_x in B] for row in K_yY]


# Learning


def log_barrier(X, threshold, kernel=gaussian, slack_floor=1e-3):
    """Mean over points of -log(slack), slack = (p(x_n)/K(0) - η)/(1 - η), and its gradient.

    The barrier enforces the constraint (7). Below the floor, the parabola with the same value and
    derivatives continues the logarithm.
    """
    K, slope = kernel
    N, unit = len(X), K(0.0) * (1 - threshold)
    value, gradient = 0.0, [[0.0] * len(x) for x in X]
    for n, p in enumerate(latent_density(X, X, kernel)):
        term, slope_of_term = _barrier_of_slack((p - threshold * K(0.0)) / unit, slack_floor)
        value += term / N
        for m in range(N):
            dK = 2 * slope(squared_distance(X[n], X[m]))
            for j in range(len(X[n])):
                push = slope_of_term / (N * unit) * dK * (X[n][j] - X[m][j]) / N
                gradient[n][j] += push
                gradient[m][j] -= push
    return value, gradient


def _barrier_of_slack(slack, floor):
    if slack >= floor:
        return -math.log(slack), -1 / slack
    z = slack / floor
    return -math.log(floor) - (z - 1) + (z - 1) ** 2 / 2, (z - 2) / floor


def log_likelihood_of_left_out(X, h, kernel=gaussian):
    """Mean over n of log p_{-n}(x_n) with bandwidth h: likelihood cross-validation, section 4.

    K's normalising constant is left out, because it does not affect the comparison of bandwidths.
    """
    K, _ = kernel
    N, q = len(X), len(X[0])
    total = 0.0
    for n in range(N):
        values = [K(squared_distance(X[n], X[m]) / h**2) for m in range(N) if m != n]
        total += math.log(sum(values) / ((N - 1) * h**q))
    return total / N


def rprop_step(step, gradient, previous_gradient, growth=1.2, shrink=0.5, least=1e-9, most=10.0):
    """A coordinate's new step size: it grows while the gradient keeps its sign, else it shrinks."""
    agreement = gradient * previous_gradient
    if agreement > 0:
        step *= growth
    elif agreement < 0:
        step *= shrink
    return min(max(step, least), most)


def squared_distance_to_image(x, y, X, Y, kernel=gaussian):
    """|y - f(x)|², which (19) minimises for a new point y, and its gradient with respect to x."""
    f = predict([x], X, Y, kernel)[0]
    J = predict_jacobian([x], X, Y, kernel)[0]
    error = squared_distance(f, y)
    gradient = [sum(2 * (f[k] - y[k]) * J[k][j] for k in range(len(y))) for j in range(len(x))]
    return error, gradient
