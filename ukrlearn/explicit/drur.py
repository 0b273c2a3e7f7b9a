"""[DRUR] in loops: Carreira-Perpiñán, Lu: Parametric Dimensionality Reduction by Unsupervised
Regression, 2010.

Points are lists of numbers, as in `ukrlearn.explicit.ukr`. W[m] is the weight of basis function m,
a point of the space that the network maps to.
"""

import math

from ukrlearn.explicit.ukr import squared_distance

__all__ = [
    "rbf",
    "rbf_jacobian",
    "rbf_objective",
    "perceptron",
    "perceptron_jacobian",
    "projection_objective",
    "gauss_newton_step",
]


def _basis(x, centre, width):
    return math.exp(-squared_distance(x, centre) / (2 * width**2))


def rbf(x, centres, width, W, bias):
    """f(x) = Σ_m w_m φ_m(x) + w, (13)."""
    f = list(bias)
    for centre, w in zip(centres, W, strict=True):
        phi = _basis(x, centre, width)
        for k in range(len(f)):
            f[k] += w[k] * phi
    return f


def rbf_jacobian(x, centres, width, W):
    """J[k][l] = ∂f_k/∂x_l, (17)."""
    J = [[0.0] * len(x) for _ in W[0]]
    for centre, w in zip(centres, W, strict=True):
        phi = _basis(x, centre, width)
        for k in range(len(J)):
            for l in range(len(x)):
                J[k][l] += w[k] * phi * (centre[l] - x[l]) / width**2
    return J


def rbf_objective(X, Y, centres, width, W, bias, penalty):
    """Σ_n |y_n - f(x_n)|² + λ Σ_m Σ_m' φ_m(μ_m') w_m·w_m', what (14)-(16) minimise."""
    error = sum(
        squared_distance(y, rbf(x, centres, width, W, bias)) for x, y in zip(X, Y, strict=True)
    )
    for m, w in enumerate(W):
        for other, w_other in enumerate(W):
            product = sum(a * b for a, b in zip(w, w_other, strict=True))
            error += penalty * _basis(centres[m], centres[other], width) * product
    return error


def _sigmoid(a):
    return 1 / (1 + math.exp(-a))  # the paper prints it without the minus


def _hidden(x, W1, b1):
    return [_sigmoid(sum(x[j] * W1[j][h] for j in range(len(x))) + b1[h]) for h in range(len(b1))]


def perceptron(x, W1, b1, W2, b2):
    """f(x) = W2 s(W1 x + b1) + b2, (18)."""
    s = _hidden(x, W1, b1)
    return [sum(s[h] * W2[h][k] for h in range(len(s))) + b2[k] for k in range(len(b2))]


def perceptron_jacobian(x, W1, b1, W2):
    """J[k][l] = ∂f_k/∂x_l, (20)."""
    s = _hidden(x, W1, b1)
    return [
        [sum(W2[h][k] * s[h] * (1 - s[h]) * W1[l][h] for h in range(len(s))) for l in range(len(x))]
        for k in range(len(W2[0]))
    ]


def projection_objective(f, x, y, F_y):
    """E(x) = |y - f(x)|² + |x - F(y)|², (7)."""
    return squared_distance(y, f) + squared_distance(x, F_y)


def gauss_newton_step(f, J, x, y, F_y):
    """p = (I + JᵀJ)⁻¹ (Jᵀ(y - f) - x + F(y)), (12), by Gaussian elimination."""
    q, d = len(x), len(y)
    A = [
        [float(l == m) + sum(J[k][l] * J[k][m] for k in range(d)) for m in range(q)]
        for l in range(q)
    ]
    b = [sum(J[k][l] * (y[k] - f[k]) for k in range(d)) - x[l] + F_y[l] for l in range(q)]
    for l in range(q):  # A is positive definite: no pivoting
        for m in range(l + 1, q):
            factor = A[m][l] / A[l][l]
            b[m] -= factor * b[l]
            for k in range(l, q):
                A[m][k] -= factor * A[l][k]
    step = [0.0] * q
    for l in reversed(range(q)):
        step[l] = (b[l] - sum(A[l][k] * step[k] for k in range(l + 1, q))) / A[l][l]
    return step
