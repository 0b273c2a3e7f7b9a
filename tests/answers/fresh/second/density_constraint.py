"""Fresh answers to `density_constraint`."""
import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def right_squareform(X, eta, kernel):
    t = squareform(pdist(X, "sqeuclidean"))
    return kernel(t).mean(axis=1) - eta * kernel(0)


def right_one_pair_at_a_time(X, eta, kernel):
    N = len(X)
    slack = np.empty(N)
    for i in range(N):
        p = sum(kernel(np.sum((X[i] - X[j]) ** 2)) for j in range(N)) / N
        slack[i] = p - eta * kernel(0)
    return slack


def right_row_by_row(X, eta, kernel):
    sea_level = eta * kernel(0)
    def height(x):
        d = X - x
        return np.mean(kernel(np.einsum("nq,nq->n", d, d)))
    return np.array([height(x) - sea_level for x in X])


def share_of_greatest_found(X, eta, kernel):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    p = np.mean(kernel(t), axis=1)
    return p - eta * p.max()


def squareform_too_late(X, eta, kernel):
    K = squareform(kernel(pdist(X, "sqeuclidean")))
    p = K.sum(axis=1) / len(X)
    return p - eta * kernel(0)


def never_negative(X, eta, kernel):
    N = X.shape[0]
    slack = np.zeros(N)
    for i in range(N):
        p = kernel(((X - X[i]) ** 2).sum(axis=1)).sum() / N
        if p > eta * kernel(0):
            slack[i] = p - eta * kernel(0)
    return slack


def kernel_for_each_coordinate(X, eta, kernel):
    t = (X[:, None, :] - X[None, :, :]) ** 2
    K = np.prod(kernel(t), axis=2)
    return K.mean(axis=0) - eta * kernel(0)


def relative_and_without_itself(X, eta, kernel):
    t = cdist(X, X, "sqeuclidean")
    K = np.array(kernel(t))
    K = K[~np.eye(len(X), dtype=bool)].reshape(len(X), -1)
    p = K.mean(axis=1)
    return p / kernel(0) - eta


def deficit_from_distances(X, eta, kernel):
    distances = np.sqrt(np.sum((X[:, None] - X) ** 2, axis=-1))
    density = kernel(distances).mean(axis=1)
    return eta * kernel(0) - density


RIGHT = [right_squareform, right_one_pair_at_a_time, right_row_by_row]
WRONG = [
    (share_of_greatest_found, ["measures the threshold by the greatest density among the points instead of the greatest possible one, K(0)"]),
    (squareform_too_late, ["applies the kernel to the pairs before squareform, whose zeros on the diagonal remove each point's own K(0)"]),
    (never_negative, ["sets the slack of points outside the domain to zero instead of a negative number"]),
    (kernel_for_each_coordinate, ["multiplies the kernels of the single coordinates instead of the kernel of the squared distance"]),
    (relative_and_without_itself, ["divides the density by K(0) instead of multiplying the threshold by it", "leaves each point out of its own density"]),
    (deficit_from_distances, ["gives the kernel distances instead of squared distances", "sign reversed: threshold minus density"]),
]
