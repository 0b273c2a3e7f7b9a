"""Fresh answers to `density_constraint`."""
import numpy as np
from scipy.spatial.distance import cdist


def right_array(X, eta, kernel):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    return kernel(t).mean(axis=1) - eta * kernel(0)


def right_numbers(X, eta, kernel):
    N = len(X)
    slack = np.empty(N)
    for i in range(N):
        p = 0.0
        for j in range(N):
            p += kernel(float(np.sum((X[i] - X[j]) ** 2)))
        slack[i] = p / N - eta * kernel(0)
    return slack


def right_rowwise(X, eta, kernel):
    rows = cdist(X, X, "sqeuclidean")
    return np.array([np.average(kernel(row) - eta * kernel(0)) for row in rows])


def forgets_K0(X, eta, kernel):
    t = cdist(X, X, "sqeuclidean")
    return np.mean(kernel(t), axis=1) - eta


def kernel_of_distance(X, eta, kernel):
    r = np.linalg.norm(X[:, None] - X, axis=2)
    p = kernel(r).mean(axis=1)
    return p - eta * kernel(0)


def only_the_others(X, eta, kernel):
    N = len(X)
    slack = np.zeros(N)
    for i in range(N):
        others = np.delete(X, i, axis=0)
        t = ((others - X[i]) ** 2).sum(axis=1)
        slack[i] = kernel(t).sum() / (N - 1) - eta * kernel(0)
    return slack


def share_of_greatest_density(X, eta, kernel):
    K = kernel(cdist(X, X, "sqeuclidean"))
    p = K.sum(axis=1) / len(X)
    return p - eta * p.max()


def sum_and_sign(X, eta, kernel):
    t = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=-1)
    p = kernel(t).sum(axis=1)
    return eta * kernel(0) - p


def halved_argument_mean_slack(X, eta, kernel):
    t = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=-1)
    K = kernel(t / 2)
    return np.full(len(X), K.mean() - eta * kernel(0))


RIGHT = [right_array, right_numbers, right_rowwise]
WRONG = [
    (forgets_K0, ["subtracts eta alone: forgot K(0) in the threshold"]),
    (kernel_of_distance, ["calls the kernel with distances instead of squared distances"]),
    (only_the_others, ["leaves the point itself out of its density (mean over the N-1 others)"]),
    (share_of_greatest_density, ["takes the greatest density that occurs among the points instead of the greatest possible one, K(0)"]),
    (sum_and_sign, ["uses the sum of the kernel values instead of their mean", "returns threshold minus density: wrong sign"]),
    (halved_argument_mean_slack, ["halves the squared distances before the kernel, which already contains such factors", "averages the density over all points and gives every point the same mean slack, instead of its own"]),
]
