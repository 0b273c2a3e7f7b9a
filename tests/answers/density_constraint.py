"""Answers to exercise 6, the density constraint for every point."""

import math

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform


def in_plain_loops(latent, eta, kernel):
    greatest = float(kernel(0.0))
    slack = []
    for x in latent:
        p = 0.0
        for z in latent:
            p += float(kernel(sum((a - b) ** 2 for a, b in zip(x, z, strict=True))))
        slack.append(p / len(latent) - eta * greatest)
    return slack


def with_cdist(X, eta, kernel):
    return kernel(cdist(X, X, "sqeuclidean")).mean(axis=1) - eta * kernel(np.zeros(1))


def with_einsum(X, eta, kernel):
    difference = X[:, None] - X
    K = kernel(np.einsum("ijq,ijq->ij", difference, difference))
    return np.einsum("ij->i", K) / len(X) - eta * K[0, 0]


def from_pairs(X, eta, kernel):
    K = kernel(squareform(pdist(X, "sqeuclidean")))
    return K.sum(axis=0) / len(K) - eta * K.diagonal()


def in_single_precision(X, eta, kernel):
    X = X.astype(np.float32)
    p = np.mean(kernel(((X[:, None] - X) ** 2).sum(axis=-1)), axis=-1)
    return (p - eta * kernel(0)).astype(np.float32)


def checked_and_in_place(X, eta, kernel):
    if not 0 < eta < 1:
        raise ValueError("eta must lie between 0 and 1")
    X = np.array(X)
    X -= X.mean(axis=0)
    slack = np.full(len(X), -eta * kernel(0.0))
    for z in X:
        slack += kernel(np.sum((X - z) ** 2, axis=1)) / len(X)
    return slack


RIGHT = [
    in_plain_loops,
    with_cdist,
    with_einsum,
    from_pairs,
    in_single_precision,
    checked_and_in_place,
]


def densities(X, kernel, power=2):
    p = np.zeros(len(X))
    for i in range(len(X)):
        for j in range(len(X)):
            p[i] += kernel(math.dist(X[i], X[j]) ** power) / len(X)
    return p


def mean_constraint(X, eta, kernel):
    return np.mean(densities(X, kernel)) - eta * kernel(0)


def mean_for_everybody(X, eta, kernel):
    K = kernel(cdist(X, X) ** 2)
    return np.array([K.mean() - eta * kernel(0) for _ in X])


def worst_point(X, eta, kernel):
    return min(densities(X, kernel)) - eta * kernel(0)


def eta_alone(X, eta, kernel):
    return np.array([p - eta for p in densities(X, kernel)])


def in_shares(X, eta, kernel):
    return densities(X, kernel) / kernel(0) - eta


def others_only(X, eta, kernel):
    N = len(X)
    slack = []
    for i in range(N):
        p = sum(kernel(math.dist(X[i], X[j]) ** 2) for j in range(N) if j != i) / (N - 1)
        slack.append(p - eta * kernel(0))
    return np.array(slack)


def others_over_n(X, eta, kernel):
    K = kernel(cdist(X, X) ** 2)
    np.fill_diagonal(K, 0)
    return K.mean(axis=1) - eta * kernel(0)


def sums(X, eta, kernel):
    return len(X) * densities(X, kernel) - eta * kernel(0)


def swapped(X, eta, kernel):
    return eta * kernel(0) - densities(X, kernel)


def obeys(X, eta, kernel):
    return [bool(p >= eta * kernel(0)) for p in densities(X, kernel)]


def all_obey(X, eta, kernel):
    return bool(np.all(densities(X, kernel) >= eta * kernel(0)))


def nothing_below_zero(X, eta, kernel):
    slack = densities(X, kernel) - eta * kernel(0)
    slack[slack < 0] = 0
    return slack


def what_is_missing(X, eta, kernel):
    return [max(0.0, eta * kernel(0) - p) for p in densities(X, kernel)]


def of_the_densest(X, eta, kernel):
    p = densities(X, kernel)
    return p - eta * max(p)


def of_distances(X, eta, kernel):
    return densities(X, kernel, power=1) - eta * kernel(0)


def gaussian_always(X, eta, kernel):
    return np.exp(-(cdist(X, X) ** 2) / 2).mean(axis=1) - eta


def gaussian_inside(X, eta, kernel):
    return kernel(np.exp(-(cdist(X, X) ** 2) / 2)).mean(axis=1) - eta * kernel(0)


def densities_alone(X, eta, kernel):
    return densities(X, kernel)


def a_matrix(X, eta, kernel):
    return kernel(cdist(X, X) ** 2) - eta * kernel(0)


def spoils_the_points(X, eta, kernel):
    for j in range(X.shape[1]):
        X[:, j] -= X[:, j].mean()
    return densities(X, kernel) - eta * kernel(0)


def of_the_middle(X, eta, kernel):
    return kernel(np.sum((X - X.mean(axis=0)) ** 2, axis=1)) - eta * kernel(0)


def of_the_origin(X, eta, kernel):
    origin = np.zeros((1, X.shape[1]))
    p_0 = kernel(cdist(origin, X) ** 2).mean()
    return densities(X, kernel) - eta * p_0


def relative_to_threshold(X, eta, kernel):
    return densities(X, kernel) / (eta * kernel(0))


# written with fresh eyes, from the exercise's text alone


def threshold_over_n(X, eta, kernel):
    out = []
    for x in X:
        t = ((X - x) ** 2).sum(axis=1)
        out.append((kernel(t).sum() - eta * kernel(0)) / len(X))
    return np.array(out)


def coordinate_by_coordinate(X, eta, kernel):
    return kernel((X[:, None] - X) ** 2).mean(axis=(1, 2)) - eta * kernel(0)


def kernel_of_mean_distance(X, eta, kernel):
    d2 = ((X[:, None] - X) ** 2).sum(axis=2)
    return kernel(d2.mean(axis=1)) - eta * kernel(0)


def only_later_points(X, eta, kernel):
    N = len(X)
    p = np.zeros(N)
    for i in range(N):
        for j in range(i, N):
            p[i] += kernel(((X[i] - X[j]) ** 2).sum())
    return p / N - eta * kernel(0)


def kernel_at_one(X, eta, kernel):
    d2 = ((X[:, None] - X) ** 2).sum(axis=2)
    return kernel(d2).mean(axis=1) - eta * kernel(1)


def trace_for_kernel_at_zero(X, eta, kernel):
    K = kernel(((X[:, None] - X) ** 2).sum(axis=2))
    return K.mean(axis=1) - eta * K.diagonal().sum()


def rows_normalised_by_habit(X, eta, kernel):
    K = kernel(((X[:, None] - X) ** 2).sum(axis=2))
    K = K / K.sum(axis=1, keepdims=True)
    return K.mean(axis=1) - eta * kernel(0)


WRONG = [
    ("mean_over_points", mean_constraint),
    ("mean_given_to_all", mean_for_everybody),
    ("least_only", worst_point),
    ("kernel_at_zero_forgotten", eta_alone),
    ("relative_density", in_shares),
    ("itself_left_out_of_n", others_only),
    ("itself_left_out", others_over_n),
    ("sum_not_mean", sums),
    ("sign_turned", swapped),
    ("verdict_only", obeys),
    ("shape", all_obey),
    ("clipped_at_zero", nothing_below_zero),
    ("violations_only", what_is_missing),
    ("share_of_greatest", of_the_densest),
    ("distance_not_squared", of_distances),
    ("kernel_ignored", gaussian_always),
    ("exponential_before_kernel", gaussian_inside),
    ("threshold_not_subtracted", densities_alone),
    ("mean_forgotten", a_matrix),
    ("changes_input", spoils_the_points),
    ("kernel_of_mean_point", of_the_middle),
    ("density_at_zero", of_the_origin),
    ("quotient", relative_to_threshold),
    # written with fresh eyes, from the exercise's text alone
    ("threshold_divided_too", threshold_over_n),
    ("kernel_of_each_coordinate", coordinate_by_coordinate),
    ("mean_before_kernel", kernel_of_mean_distance),
    ("half_of_the_pairs", only_later_points),
    ("slip: threshold", kernel_at_one),
    ("threshold_times_n", trace_for_kernel_at_zero),
    ("rows_normalised", rows_normalised_by_habit),
]
