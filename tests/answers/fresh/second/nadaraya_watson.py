"""Fresh answers to `nadaraya_watson`."""
import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax


def two_loops(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        total = 0.0
        for m in range(len(X)):
            diff = x[i] - X[m]
            k = np.exp(-np.dot(diff, diff) / (2 * h**2))
            f[i] = f[i] + k * Y[m]
            total = total + k
        f[i] = f[i] / total
    return f


def with_softmax(x, X, Y, h):
    return softmax(-cdist(x, X, "sqeuclidean") / (2 * h * h), axis=1) @ Y


def matlab_like(x, X, Y, h):
    K = 1.0
    for j in range(X.shape[1]):
        K = K * np.exp(-((np.subtract.outer(x[:, j], X[:, j]) / h) ** 2) / 2)
    top = np.einsum("im,md->id", K, Y)
    return top / K.sum(axis=1, keepdims=True)


def sums_the_marginal_kernels(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(len(x)):
        w = np.exp(-((x[i] - X) ** 2) / (2 * h**2)).sum(axis=1)
        f[i] = w @ Y / w.sum()
    return f


def total_not_reset(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    total = 0
    for i in range(len(x)):
        for m in range(len(X)):
            w = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] += w * Y[m]
            total += w
        f[i] /= total
    return f


def divides_inside(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i, xi in enumerate(x):
        s = 0
        for xm, ym in zip(X, Y):
            w = np.exp(-np.sum((xi - xm) ** 2) / (2 * h**2))
            s += w
            f[i] += w * ym
            f[i] /= s
    return f


def elementwise_difference(x, X, Y, h):
    d2 = ((x - X) ** 2).sum(axis=1)
    K = np.exp(-d2 / (2 * h**2))
    return K[:, None] * Y / K.sum()


def laplace_without_first(x, X, Y, h):
    f = np.zeros((len(x), Y.shape[1]))
    for i in range(0, len(x)):
        num, den = 0, 0
        for m in range(1, len(X)):
            w = np.exp(-np.linalg.norm(x[i] - X[m]) / (2 * h**2))
            num = num + w * Y[m]
            den = den + w
        f[i] = num / den
    return f


def cut_off_and_mean(x, X, Y, h):
    D = np.sqrt(((x[:, None] - X[None]) ** 2).sum(-1))
    K = np.exp(-(D**2) / (2 * h**2))
    K[D > 2 * h] = 0
    return K @ Y / len(X)


RIGHT = [two_loops, with_softmax, matlab_like]
WRONG = [
    (sums_the_marginal_kernels, ["adds up one Gaussian per latent coordinate instead of taking the Gaussian of the whole distance"]),
    (total_not_reset, ["does not set the sum of the weights back to zero for each new position"]),
    (divides_inside, ["divides by the running sum inside the loop over the latent points, not once after it"]),
    (elementwise_difference, ["subtracts positions and latent points row by row (like recycled vectors) instead of comparing all pairs"]),
    (laplace_without_first, ["uses the distance, not its square, in the exponent", "begins the loop at 1, so the first latent point is skipped"]),
    (cut_off_and_mean, ["sets the weights beyond two bandwidths to zero", "divides by the number of points instead of the sum of the weights"]),
]
