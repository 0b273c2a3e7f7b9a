"""Fresh answers to `density_constraint`."""
import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def slack_broadcast(X, eta, kernel):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    return kernel(t).mean(axis=1) - eta * kernel(0)


def slack_point_by_point(X, eta, kernel):
    slack = np.empty(len(X))
    for i in range(len(X)):
        p = 0.0
        for j in range(len(X)):
            p += kernel(float(np.sum((X[i] - X[j]) ** 2)))
        slack[i] = p / len(X) - eta * kernel(0)
    return slack


def slack_others_then_self(X, eta, kernel):
    N = len(X)
    if N == 1:
        return np.array([(1 - eta) * kernel(0)])
    pairs = squareform(pdist(X, "sqeuclidean"))
    return np.array([np.add.reduce(kernel(row)) for row in pairs]) / N - eta * kernel(0)


def top_is_one(X, eta, kernel):
    p = kernel(cdist(X, X, "sqeuclidean")).mean(axis=1)
    return p - eta


def highest_density(X, eta, kernel):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    p = np.mean(kernel(t), axis=1)
    return p - eta * p.max()


def kernel_of_length(X, eta, kernel):
    distance = np.linalg.norm(X[:, None] - X, axis=2)
    p = kernel(distance).mean(axis=1)
    return p - eta * kernel(0)


def without_self(X, eta, kernel):
    N = len(X)
    K = kernel(np.sum((X[:, None] - X) ** 2, axis=2))
    p = (K.sum(axis=1) - kernel(0)) / (N - 1)
    return p - eta * kernel(0)


def deficits_of_sums(X, eta, kernel):
    p = kernel(cdist(X, X, "sqeuclidean")).sum(axis=1)
    return eta * kernel(0) - p


def from_centre(X, eta, kernel):
    t = np.sum((X - X.mean(axis=0)) ** 2, axis=1)
    p = kernel(t)
    return np.minimum(p - eta * kernel(0), 0)


RIGHT = [slack_broadcast, slack_point_by_point, slack_others_then_self]
WRONG = [
    (top_is_one, ["takes K(0) to be 1 for every kernel"]),
    (highest_density, ["compares with the highest density among the points instead of with K(0)"]),
    (kernel_of_length, ["hands distances to the kernel instead of squared distances"]),
    (without_self, ["leaves the point itself out of its density"]),
    (deficits_of_sums, ["returns threshold minus density, the wrong sign", "adds up the kernels without dividing by N"]),
    (from_centre, ["takes the kernel of the distance from the mean of the cloud for the density", "cuts off the surplus, so that allowed points get slack zero"]),
]
