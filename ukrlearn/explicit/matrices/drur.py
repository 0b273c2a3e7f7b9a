"""[DRUR] in matrices: the projection step (7)-(12) and the two families of maps, (13)-(20).

The projection step is written for one point: its latent position x (q,), its data y (d,), the
values f (d,) and F_y (q,) of the two maps, and the Jacobian J (d, q) of f at x. The maps take many
points, one per row: Phi (N, M) and W (M, d) are the transposes of the paper's G_xy and W.
"""

import numpy as np

__all__ = [
    "projection_objective",
    "projection_gradient",
    "projection_hessian",
    "gauss_newton_step",
    "gauss_newton_steps",
    "basis",
    "rbf_network",
    "rbf_network_with_jacobian",
    "rbf_objective",
    "fit_rbf",
    "perceptron",
    "perceptron_with_jacobian",
    "coupled_objective",
]


# Projection


def projection_objective(f, x, y, F_y):
    """E (7)."""
    return np.sum((y - f) ** 2) + np.sum((x - F_y) ** 2)  # (7)


def projection_gradient(f, J, x, y, F_y):
    """∇E (8)."""
    return 2 * (-J.T @ (y - f) + x - F_y)  # (8)


def projection_hessian(f, J, H, y):
    """∇²E (9), with the second derivatives H (d, q, q) of f at x."""
    bent = np.tensordot(y - f, H, axes=1)  # (10)
    return 2 * (np.eye(J.shape[1]) + J.T @ J - bent)  # (9)


def gauss_newton_step(f, J, x, y, F_y):
    """p (12): the step to the minimum of the quadratic model with the Hessian (11)."""
    hessian = 2 * (np.eye(len(x)) + J.T @ J)  # (11)
    return np.linalg.solve(hessian / 2, J.T @ (y - f) - x + F_y)  # (12)


def gauss_newton_steps(f, J, X, Y, F_Y):
    """p (12) of each point, from its row of each array and its own Jacobian."""
    return np.array([gauss_newton_step(*point) for point in zip(f, J, X, Y, F_Y, strict=True)])


# Radial basis functions


def basis(x, centres, width):
    """Phi_nm = φ_m(x_n), below (13)."""
    return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=-1) / (2 * width**2))


def rbf_network(x, centres, width, W, bias):
    """f (13) at every row of x."""
    return basis(x, centres, width) @ W + bias  # (13)


def rbf_network_with_jacobian(x, centres, width, W, bias):
    """f (13) at every row of x, and its Jacobian (17), an array (N, d, q)."""
    J = [
        W.T @ np.diag(phi) @ (centres - at) / width**2  # (17)
        for at, phi in zip(x, basis(x, centres, width), strict=True)
    ]
    return rbf_network(x, centres, width, W, bias), np.array(J)


def rbf_objective(X, Y, centres, width, W, bias, penalty):
    """The objective (14), which the weights W and the bias minimise."""
    K = basis(centres, centres, width)
    residual = Y - rbf_network(X, centres, width, W, bias)
    return np.sum(residual**2) + penalty * np.trace(W.T @ K @ W)  # (14)


def fit_rbf(X, Y, centres, width, penalty):
    """W (16) and the bias (15) that minimise (14)."""
    N = len(X)
    Phi, K, one = basis(X, centres, width), basis(centres, centres, width), np.ones((N, 1))
    A = Phi.T @ Phi + penalty * K - (Phi.T @ one) @ (Phi.T @ one).T / N
    W = np.linalg.solve(A, Phi.T @ (np.eye(N) - one @ one.T / N) @ Y)  # (16)
    bias = np.ones(N) @ (Y - Phi @ W) / N  # (15)
    return W, bias


# Perceptrons


def perceptron(x, W1, b1, W2, b2):
    """f (18) at every row of x.

    Departure: the paper prints the sigmoid without the minus sign.
    """
    return 1 / (1 + np.exp(-(x @ W1 + b1))) @ W2 + b2  # (18)


def perceptron_with_jacobian(x, W1, b1, W2, b2):
    """f (18) at every row of x, and its Jacobian (20), an array (N, d, q)."""
    s = 1 / (1 + np.exp(-(x @ W1 + b1)))
    J = [W2.T @ np.diag(slope) @ W1.T for slope in s * (1 - s)]  # (20)
    return perceptron(x, W1, b1, W2, b2), np.array(J)


# Nonparametric maps


def _left_over(points, width, penalty):
    """B, for which λ B Z are the residuals of the best map from these points to Z, section 1."""
    one = np.ones((len(points), 1))
    A = np.linalg.inv(basis(points, points, width) + penalty * np.eye(len(points)))
    return A - A @ one @ one.T @ A / (one.T @ A @ one)


def coupled_objective(X, Y, f_width, F_width, penalty):
    """(1) with the best f and F for these X, and its gradient with respect to X."""
    B_f, B_F = _left_over(X, f_width, penalty), _left_over(Y, F_width, penalty)
    error = penalty * (np.trace(Y.T @ B_f @ Y) + np.trace(X.T @ B_F @ X))  # (1)
    W = B_f @ Y
    S = (W @ W.T) * basis(X, X, f_width)
    springs = S.sum(axis=1, keepdims=True) * X - S @ X
    return error, 2 * penalty * (springs / f_width**2 + B_F @ X)
