"""Steps that several exercises share, for a `pipeline`: from latent points to residuals.

Each takes the earlier ones by their names. An exercise that needs another one in the middle, with
other words or another argument, writes its own beside these. What goes wrong in them stands in
`mistakes`.
"""

import numpy as np


def squares(X):
    """the squared distances |x_n - x_m|²"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def exponents(squares):
    """the exponents -|x_n - x_m|²/2"""
    return -squares / 2


def kernels(exponents):
    """the kernel values K = exp(-|x_n - x_m|²/2)"""
    return np.exp(exponents)


def sums(kernels):
    """the sums of the rows of K"""
    return np.sum(kernels, axis=1, keepdims=True)


def B(kernels, sums):
    """the weights B"""
    return kernels / sums


def rebuilt(B, Y):
    """the reconstructions B Y"""
    return B @ Y


def residuals(Y, rebuilt):
    """the residuals Y - B Y"""
    return Y - rebuilt


def lengths(residuals):
    """the squared lengths |y_n - f(x_n)|² of the residuals"""
    return np.sum(residuals**2, axis=1)


# Of the gradient of R_cv by the latent points
SLOPES = dict(
    rebuilt=rebuilt,
    residuals=lambda rebuilt, Y: rebuilt - Y,
    M=lambda residuals, Y: residuals @ Y.T,
    means=lambda M, B: np.sum(M * B, axis=1, keepdims=True),
    brackets=lambda M, means: M - means,
)
