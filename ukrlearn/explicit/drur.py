"""[DRUR] in loops: Carreira-Perpiñán, Lu: Parametric Dimensionality Reduction by Unsupervised
Regression, 2010.

Points are lists of numbers, as in `ukrlearn.explicit.ukr`. W[m] is the weight of basis function m:
a point in the output space of the network.
"""

import math

from ukrlearn.explicit.ukr import squared_distance

__all__ = [
    "rbf_network",
    "rbf_network_with_jacobian",
    "rbf_objective",
    "perceptron",
    "perceptron_with_jacobian",
    "projection_objective",
    "gauss_newton_steps",
    "fit_rbf",
    "project",
    "alternation",
    "smoother_weights",
    "smoother_left_out_residuals",
    "coupled_objective",
    "autoencoder_error",
    "gplvm_error",
    "two_way",
]


def _basis(x, centre, width):
    return math.exp(-squared_distance(x, centre) / (2 * width**2))


def rbf_network(x, centres, width, W, bias):
    """f(x) = Σ_m w_m φ_m(x) + w, (13)."""
    f = list(bias)
    for centre, w in zip(centres, W, strict=True):
        phi = _basis(x, centre, width)
        for k in range(len(f)):
            f[k] += w[k] * phi
    return f


def rbf_network_with_jacobian(x, centres, width, W, bias):
    """f(x), (13), and J[k][l] = ∂f_k/∂x_l, (17)."""
    J = [[0.0] * len(x) for _ in bias]
    for centre, w in zip(centres, W, strict=True):
        phi = _basis(x, centre, width)
        for k in range(len(J)):
            for l in range(len(x)):
                J[k][l] += w[k] * phi * (centre[l] - x[l]) / width**2
    return rbf_network(x, centres, width, W, bias), J


def rbf_objective(X, Y, centres, width, W, bias, penalty):
    """Σ_n |y_n - f(x_n)|² + λ Σ_m Σ_m' φ_m(μ_m') w_m·w_m', which (14)-(16) minimise."""
    error = sum(
        squared_distance(y, rbf_network(x, centres, width, W, bias))
        for x, y in zip(X, Y, strict=True)
    )
    for m, w in enumerate(W):
        for other, w_other in enumerate(W):
            product = sum(a * b for a, b in zip(w, w_other, strict=True))
            error += penalty * _basis(centres[m], centres[other], width) * product
    return error


def _sigmoid(a):
    return 1 / (1 + math.exp(-a))  # the paper prints it without the minus sign


def _hidden(x, W1, b1):
    return [_sigmoid(sum(x[j] * W1[j][h] for j in range(len(x))) + b1[h]) for h in range(len(b1))]


def perceptron(x, W1, b1, W2, b2):
    """f(x) = W2 s(W1 x + b1) + b2, (18)."""
    s = _hidden(x, W1, b1)
    return [sum(s[h] * W2[h][k] for h in range(len(s))) + b2[k] for k in range(len(b2))]


def perceptron_with_jacobian(x, W1, b1, W2, b2):
    """f(x), (18), and J[k][l] = ∂f_k/∂x_l, (20)."""
    s = _hidden(x, W1, b1)
    J = [
        [sum(W2[h][k] * s[h] * (1 - s[h]) * W1[l][h] for h in range(len(s))) for l in range(len(x))]
        for k in range(len(W2[0]))
    ]
    return perceptron(x, W1, b1, W2, b2), J


def projection_objective(f, x, y, F_y):
    """E(x) = |y - f(x)|² + |x - F(y)|², (7)."""
    return squared_distance(y, f) + squared_distance(x, F_y)


def gauss_newton_steps(f, J, X, Y, F_Y):
    """p = (I + JᵀJ)⁻¹ (Jᵀ(y - f) - x + F(y)), (12), for one point after the other."""
    return [_gauss_newton_step(*point) for point in zip(f, J, X, Y, F_Y, strict=True)]


def _gauss_newton_step(f, J, x, y, F_y):
    """p of one point, (12), by Gaussian elimination."""
    q, d = len(x), len(y)
    A = [
        [float(l == m) + sum(J[k][l] * J[k][m] for k in range(d)) for m in range(q)]
        for l in range(q)
    ]
    b = [sum(J[k][l] * (y[k] - f[k]) for k in range(d)) - x[l] + F_y[l] for l in range(q)]
    return _solution(A, b)


def _solution(A, b):
    """x with A x = b, by Gaussian elimination; A is positive definite and needs no pivoting."""
    n = len(b)
    A, b = [list(row) for row in A], list(b)
    for l in range(n):
        for m in range(l + 1, n):
            factor = A[m][l] / A[l][l]
            b[m] -= factor * b[l]
            for k in range(l, n):
                A[m][k] -= factor * A[l][k]
    x = [0.0] * n
    for l in reversed(range(n)):
        x[l] = (b[l] - sum(A[l][k] * x[k] for k in range(l + 1, n))) / A[l][l]
    return x


def fit_rbf(X, Y, centres, width, penalty):
    """W and w that minimise `rbf_objective`, by (15) and (16) as printed."""
    N, M, d = len(X), len(centres), len(Y[0])
    phi = [[_basis(x, centre, width) for x in X] for centre in centres]  # G_xy, M x N
    total = [sum(row) for row in phi]
    A = [
        [
            sum(phi[m][n] * phi[k][n] for n in range(N))
            + penalty * _basis(centres[m], centres[k], width)
            - total[m] * total[k] / N
            for k in range(M)
        ]
        for m in range(M)
    ]
    mean = [sum(y[k] for y in Y) / N for k in range(d)]
    columns = []
    for k in range(d):
        b = [sum(phi[m][n] * (Y[n][k] - mean[k]) for n in range(N)) for m in range(M)]
        columns.append(_solution(A, b))  # (16)
    W = [[column[m] for column in columns] for m in range(M)]
    bias = [mean[k] - sum(total[m] * W[m][k] for m in range(M)) / N for k in range(d)]  # (15)
    return W, bias


def project(f, x, y, F_y, moves, still=0.0):
    """x after at most `moves` Gauss-Newton moves, each halved until E of (7) does not rise.

    f is a function that returns f(x) and its Jacobian. The point stops when a move is no longer
    than `still`.
    """
    E = lambda x: projection_objective(f(x)[0], x, y, F_y)
    for _ in range(moves):
        step = _gauss_newton_step(*f(x), x, y, F_y)
        before = E(x)
        for halvings in range(20):
            move = [p / 2**halvings for p in step]
            there = [a + p for a, p in zip(x, move, strict=True)]
            if E(there) <= before:
                x = there
                break
        if math.hypot(*move) <= still:
            break
    return x


def alternation(X, Y, of_X, of_Y, widths, penalty, moves, tol=1e-4):
    """X after each round of figure 1, without end: fit f and F to X, then project each point.

    of_X and of_Y are the centres, and widths holds the widths of f and F. The first round fits f to
    F(Y) instead of X, as the library does. A point stops when a move is shorter than tol times the
    rms of X.
    """
    V, v = fit_rbf(Y, X, of_Y, widths[1], penalty)
    X = [rbf_network(y, of_Y, widths[1], V, v) for y in Y]
    while True:
        W, w = fit_rbf(X, Y, of_X, widths[0], penalty)
        V, v = fit_rbf(Y, X, of_Y, widths[1], penalty)
        F_Y = [rbf_network(y, of_Y, widths[1], V, v) for y in Y]
        X = _all_projected((of_X, widths[0], W, w), X, Y, F_Y, moves, tol)
        yield X


def _all_projected(network, X, Y, F_Y, moves, tol):
    """Each point projected, starting where it is, or at F(y) if E (7) is lower there."""
    f = lambda x: rbf_network_with_jacobian(x, *network)
    begin = []
    for x, y, F_y in zip(X, Y, F_Y, strict=True):
        here, there = (projection_objective(f(z)[0], z, y, F_y) for z in (x, F_y))
        begin.append(F_y if there < here else x)
    still = tol * _rms(begin)
    return [project(f, *point, moves, still) for point in zip(begin, Y, F_Y, strict=True)]


def _rms(X):
    """The root mean square of the coordinates about their means."""
    N, q = len(X), len(X[0])
    means = [sum(x[l] for x in X) / N for l in range(q)]
    return math.sqrt(sum(squared_distance(x, means) for x in X) / (N * q))


# Nonparametric maps: every point is a centre, section 1. `rbf_network` evaluates the map.


def smoother_weights(X, Y, width, penalty):
    """The weights of the best function: W = A (Y - 1w), w = 1ᵀAY / 1ᵀA1 with A = (G + λI)⁻¹."""
    N, d = len(X), len(Y[0])
    A = [
        [_basis(X[n], X[m], width) + (penalty if n == m else 0.0) for m in range(N)]
        for n in range(N)
    ]
    of_ones = _solution(A, [1.0] * N)
    bias = [sum(of_ones[n] * Y[n][k] for n in range(N)) / sum(of_ones) for k in range(d)]
    columns = [_solution(A, [y[k] - bias[k] for y in Y]) for k in range(d)]
    return [[column[n] for column in columns] for n in range(N)], bias


def smoother_left_out_residuals(X, Y, width, penalty):
    """y_n minus the prediction at x_n of a fit to all other points, for every n."""
    residuals = []
    for n in range(len(X)):
        centres, outputs = X[:n] + X[n + 1 :], Y[:n] + Y[n + 1 :]
        W, bias = smoother_weights(centres, outputs, width, penalty)
        f = rbf_network(X[n], centres, width, W, bias)
        residuals.append([a - b for a, b in zip(Y[n], f, strict=True)])
    return residuals


def coupled_objective(X, Y, f_width, F_width, penalty):
    """(1) with the best f and F for these X, and its gradient with respect to X.

    ∂E/∂x_n = 2λ/σ² Σ_m (w_n·w_m) G_nm (x_n - x_m) + 2λ v_n with the weights w_n of f and v_n of F.
    """
    W, w = smoother_weights(X, Y, f_width, penalty)
    V, v = smoother_weights(Y, X, F_width, penalty)
    error = rbf_objective(X, Y, X, f_width, W, w, penalty)
    error += rbf_objective(Y, X, Y, F_width, V, v, penalty)
    gradient = []
    for n, x in enumerate(X):
        of_n = [2 * penalty * c for c in V[n]]
        for m, other in enumerate(X):
            product = sum(a * b for a, b in zip(W[n], W[m], strict=True))
            spring = 2 * penalty / f_width**2 * product * _basis(x, other, f_width)
            for l in range(len(x)):
                of_n[l] += spring * (x[l] - other[l])
        gradient.append(of_n)
    return error, gradient


# Baselines from the paper. Only errors: tests compare the gradients with differences of the errors.


def autoencoder_error(Y, F, f, penalty=0.0):
    """Σ_n |y_n - f(F(y_n))|² + λ (squared weights), (19); F and f are lists [W1, b1, W2, b2]."""
    error = 0.0
    for y in Y:
        x = perceptron(y, *F)
        error += squared_distance(y, perceptron(x, *f))
    for weights in (F[0], F[2], f[0], f[2]):
        error += penalty * sum(w**2 for row in weights for w in row)
    return error


def gplvm_error(X, Y, log_parameters, prior=1.0):
    """-log p(Y | X) - prior log p(X) of a Gaussian process latent variable model: Lawrence, 2005.

    d/2 log|K| + 1/2 tr(K⁻¹ Y Yᵀ) + d N/2 log 2π + prior/2 Σ_n |x_n|² with K_nm = s² exp(-γ/2
    |x_n - x_m|²) + δ_nm noise. log_parameters holds log s², log γ and log noise.
    """
    N, d = len(X), len(Y[0])
    scale, gamma, noise = (math.exp(a) for a in log_parameters)
    K = [
        [
            scale * math.exp(-gamma / 2 * squared_distance(X[n], X[m])) + noise * (n == m)
            for m in range(N)
        ]
        for n in range(N)
    ]
    error = d / 2 * _log_determinant(K) + d * N / 2 * math.log(2 * math.pi)
    for k in range(d):
        column = [y[k] for y in Y]
        error += sum(a * b for a, b in zip(column, _solution(K, column), strict=True)) / 2
    return error + prior / 2 * sum(a**2 for x in X for a in x)


def _log_determinant(A):
    """The sum of the logarithms of the pivots of a positive definite A."""
    A, total = [list(row) for row in A], 0.0
    for l in range(len(A)):
        total += math.log(A[l][l])
        for m in range(l + 1, len(A)):
            factor = A[m][l] / A[l][l]
            for k in range(l, len(A)):
                A[m][k] -= factor * A[l][k]
    return total


# Reading a map in both directions


def two_way(X, Y, k):
    """(back, forth): the shares of Y and of X that the k neighbours in the other leave."""
    aside = {n for points in (X, Y) for n in _far_off(points, k)}
    kept = [n for n in range(len(X)) if n not in aside]
    X, Y = [X[n] for n in kept], [Y[n] for n in kept]
    return _unexplained(Y, X, k), _unexplained(X, Y, k)


def _neighbors(points, n, k):
    others = [m for m in range(len(points)) if m != n]
    return sorted(others, key=lambda m: squared_distance(points[n], points[m]))[:k]


def _far_off(points, k):
    N = len(points)
    reach = [math.dist(points[n], points[_neighbors(points, n, k)[-1]]) for n in range(N)]
    usual = (sorted(reach)[(N - 1) // 2] + sorted(reach)[N // 2]) / 2
    loneliest = sorted(range(N), key=lambda n: -reach[n])[: N // 50]
    return [n for n in loneliest if reach[n] > 10 * usual]


def _unexplained(values, by, k):
    mean = lambda of: [sum(column) / len(of) for column in zip(*of, strict=True)]
    missed = sum(
        squared_distance(value, mean([values[m] for m in _neighbors(by, n, k)]))
        for n, value in enumerate(values)
    )
    return missed / sum(squared_distance(value, mean(values)) for value in values)
