"""Fresh answers to `density_constraint`."""
import numpy as np
from scipy.spatial.distance import cdist


def slack_matrix(X, eta, kernel):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    return kernel(t).mean(axis=1) - eta * kernel(0)


def slack_loops(X, eta, kernel):
    N = len(X)
    out = []
    for i in range(N):
        s = 0.0
        for j in range(N):
            s = s + kernel(float(np.sum((X[i] - X[j]) ** 2)))
        out.append(s / N - eta * kernel(0.0))
    return np.array(out)


def slack_rows(X, eta, kernel):
    T = cdist(X, X, metric="sqeuclidean")
    p = np.apply_along_axis(lambda row: np.average(kernel(row)), 1, T)
    return np.subtract(p, eta * float(kernel(0)))


def slack_of_found_maximum(X, eta, kernel):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    p = kernel(t).mean(axis=1)
    return p - eta * p.max()


def slack_number(X, eta, kernel):
    t = ((X[:, None] - X) ** 2).sum(axis=2)
    p = np.mean(kernel(t))
    return p - eta * kernel(0)


def slack_k0_is_one(X, eta, kernel):
    p = np.array([kernel(np.sum((X - x) ** 2, axis=1)).mean() for x in X])
    return p - eta


def slack_line(X, eta, kernel):
    t = (X - X.T) ** 2
    return kernel(t).sum(axis=1) / len(X) - eta * kernel(0)


def slack_others_distance(X, eta, kernel):
    N = len(X)
    d = np.linalg.norm(X[:, None] - X, axis=2)
    K = kernel(d)
    p = (K.sum(axis=1) - kernel(0)) / (N - 1)
    return p - eta * kernel(0)


def slack_deficit(X, eta, kernel):
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    p = kernel(t).mean(axis=1)
    threshold = eta * len(X) * kernel(0)
    return threshold - p


RIGHT = [slack_matrix, slack_loops, slack_rows]
WRONG = [
    (slack_of_found_maximum, ["takes the share of the greatest density found among the points instead of the greatest possible value K(0)"]),
    (slack_number, ["takes the mean over all pairs, which gives one number for the whole cloud instead of one for each point"]),
    (slack_k0_is_one, ["takes K(0) to be 1 and subtracts eta alone"]),
    (slack_line, ["forms the differences as X - X.T, which works for one latent dimension only"]),
    (slack_others_distance, ["hands distances to the kernel instead of squared distances", "leaves the point itself out of its density"]),
    (slack_deficit, ["multiplies the threshold by the number of points although p is a mean", "returns the threshold minus the density, the wrong sign"]),
]
