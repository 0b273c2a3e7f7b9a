"""[UKR] in matrices: the reconstruction error and its gradient, (8) to (14), (19) and appendix B.

X (N, q) holds the latent points and Y (N, d) the data, one point per row. A kernel is a record of
`ukrlearn.blocks.density_kernels`, or any object for which kernel(t) is K and kernel.slope(t) is
dK/dt at squared distances t. The index n stands for the point being rebuilt, m for a point that
contributes.
"""

import numpy as np

__all__ = [
    "weights_and_slopes",
    "weight_matrix",
    "weight_matrix_jacobian",
    "gradient_by_weights",
    "forces",
    "gradient",
    "pair_forces",
    "reconstruction_error",
    "reconstruction_error_gram",
    "squared_distance_to_image",
]


def weights_and_slopes(X, kernel, leave_one_out=True):
    """B (23) and P (27): the weights, and the slopes of the kernel relative to the same row sums.

    Leave-one-out replaces K(0) and its slope by zeros, as the paper says at the end of appendix B.
    """
    t = np.sum((X[:, None] - X) ** 2, axis=-1)
    K, slope = kernel(t), kernel.slope(t)  # (25), (26)
    if leave_one_out:
        np.fill_diagonal(K, 0)
        np.fill_diagonal(slope, 0)
    total = K.sum(axis=1, keepdims=True)
    B = K / total  # (23)
    P = -2 * slope / total  # (27)
    return B, P


def weight_matrix(X, kernel, leave_one_out=True):
    """B (23): rows sum to one."""
    return weights_and_slopes(X, kernel, leave_one_out)[0]


def weight_matrix_jacobian(X, kernel, leave_one_out=True):
    """∂B_nm/∂x_jk, (28), as an array with the indices n, m, j, k."""
    B, P = weights_and_slopes(X, kernel, leave_one_out)
    D, I = X - X[:, None], np.eye(len(X))  # D_nm = x_m - x_n
    apart = I[:, None, :] - I[None, :, :]  # δ_nj - δ_mj
    PD = P[:, :, None] * D
    of_total = I[:, :, None] * PD.sum(axis=1)[:, None] - PD
    return PD[:, :, None] * apart[..., None] - B[:, :, None, None] * of_total[:, None]  # (28)


def gradient_by_weights(M, dB):
    """∂R/∂x_jk, (24), from M = (B - I) Y Yᵀ and the derivatives (28) of the weights."""
    return 2 / len(M) * np.einsum("nm,nmjk->jk", M, dB)  # (24)


def forces(B, P, M):
    """Q (31), which combines (24) and (28) for each pair of points."""
    return P * (M - np.sum(M * B, axis=1, keepdims=True))  # (30), (31)


def gradient(X, Q):
    """∇R (32): for each point, the sum of the forces along the lines to all other points."""
    S = Q + Q.T
    return 2 / len(X) * (S @ X - S.sum(axis=1, keepdims=True) * X)  # (29), (32)


def pair_forces(X, Y, kernel, leave_one_out=True):
    """Q (31) from latent points and data."""
    B, P = weights_and_slopes(X, kernel, leave_one_out)
    return forces(B, P, (B @ Y - Y) @ Y.T)


def reconstruction_error(X, Y, kernel, leave_one_out=True):
    """R (8) or R_cv (10), and its gradient (32)."""
    B, P = weights_and_slopes(X, kernel, leave_one_out)  # (23), (27)
    residual = B @ Y - Y
    M = residual @ Y.T  # below (24)
    Q = forces(B, P, M)  # (31)
    return np.sum(residual**2) / len(X), gradient(X, Q)  # (8), (10)


def reconstruction_error_gram(X, G, kernel, leave_one_out=True):
    """The same error and gradient in feature space, (13) and (14), from the inner products G."""
    B, P = weights_and_slopes(X, kernel, leave_one_out)  # (23), (27)
    V = B - np.eye(len(X))
    M = V @ G  # below (24)
    Q = forces(B, P, M)  # (31)
    return np.trace(V @ G @ V.T) / len(X), gradient(X, Q)  # (13), (14)


def squared_distance_to_image(x, targets, X, Y, kernel):
    """|y - f(x)|², which (19) minimises, for each pair of rows, and its gradient in x.

    The algebra is that of (31) and (32), for fixed latent points X.
    """
    t = np.sum((x[:, None] - X) ** 2, axis=-1)
    K, slope = kernel(t), kernel.slope(t)  # (25), (26)
    total = K.sum(axis=1, keepdims=True)
    B, P = K / total, -2 * slope / total  # (2), (27)
    residual = B @ Y - targets
    Q = forces(B, P, residual @ Y.T)  # (31)
    gradient = 2 * (Q @ X - Q.sum(axis=1, keepdims=True) * x)
    return np.sum(residual**2, axis=1), gradient  # (19)
