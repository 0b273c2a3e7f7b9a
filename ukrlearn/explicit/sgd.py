"""[SGD] in loops: Memisevic, Hinton: Improving Dimensionality Reduction with Spectral Gradient
Descent, 2005.

Points are lists of numbers and data sets are lists of points, as in `ukrlearn.explicit.ukr`. A
gradient is a list of movements, one for each latent point. An eigenvector has one entry per point.
"""

import math

from ukrlearn.explicit.ukr import squared_distance

__all__ = [
    "neighbor_probabilities",
    "neighbor_embedding_error",
    "nearest_neighbors",
    "student_embedding_error",
    "clustering_affinity",
    "kernel_pca_affinity",
    "leading_directions",
    "powers",
    "deflation",
    "perplexity",
]


# Stochastic neighbour embedding


def neighbor_probabilities(Y, h=1.0, with_itself=True):
    """P[i][j], the probability that point i chooses point j as its neighbour, (1).

    With latent points and h = 1, these are Q of (2).
    """
    P = []
    for i, y in enumerate(Y):
        near = [
            math.exp(-squared_distance(y, other) / h) if with_itself or j != i else 0.0
            for j, other in enumerate(Y)
        ]
        total = sum(near)
        P.append([value / total for value in near])
    return P


def neighbor_embedding_error(X, P, with_itself=True):
    """E (3), and its gradient (4)."""
    N, q = len(X), len(X[0])
    Q = neighbor_probabilities(X, 1.0, with_itself)
    error = 0.0
    for i in range(N):
        for j in range(N):
            if P[i][j] > 0:
                error += P[i][j] * math.log(P[i][j] / Q[i][j]) / N  # (3)
    gradient = []
    for l in range(N):
        movement = [0.0] * q
        for i in range(N):
            mismatch = P[i][l] + P[l][i] - Q[l][i] - Q[i][l]
            for k in range(q):
                movement[k] += 2 / N * mismatch * (X[l][k] - X[i][k])  # (4)
        gradient.append(movement)
    return error, gradient


# Neighbour embedding with Student's kernel, a start for UKR


def nearest_neighbors(Y, k):
    """For each point the k nearest other points, the nearest first."""
    chosen = []
    for i, y in enumerate(Y):
        others = [j for j in range(len(Y)) if j != i]
        chosen.append(sorted(others, key=lambda j: squared_distance(y, Y[j]))[:k])
    return chosen


def student_embedding_error(X, P, exaggeration=1.0):
    """Σ P log(P/Q) with Q = w/Z and w = 1/(1 + t), and its gradient.

    P[i][j] is symmetric and sums to one over all pairs. Exaggeration multiplies it in the
    attraction, and so adds (exaggeration - 1) Σ P log(1 + t) to the error.
    """
    N, q = len(X), len(X[0])
    w = [[1 / (1 + squared_distance(x, z)) for z in X] for x in X]
    Z = sum(w[i][j] for i in range(N) for j in range(N) if j != i)
    error, gradient = 0.0, [[0.0] * q for _ in X]
    for i in range(N):
        for j in range(N):
            if j == i:
                continue
            if P[i][j] > 0:
                error += P[i][j] * (math.log(P[i][j] * Z) - exaggeration * math.log(w[i][j]))
            for k in range(q):
                pull = exaggeration * P[i][j] - w[i][j] / Z
                gradient[i][k] += 4 * pull * w[i][j] * (X[i][k] - X[j][k])
    return error, gradient


# Affinities of the data


def _gaussian_kernel(Y, h):
    return [[math.exp(-squared_distance(y, z) / h) for z in Y] for y in Y]


def clustering_affinity(Y, h):
    """M = D^-1/2 K D^-1/2, (12)."""
    K = _gaussian_kernel(Y, h)
    D = [sum(row) for row in K]
    N = len(Y)
    return [[K[i][j] / math.sqrt(D[i] * D[j]) for j in range(N)] for i in range(N)]


def kernel_pca_affinity(Y, h):
    """(I - eeᵀ) K (I - eeᵀ), (21): rows and columns sum to zero."""
    K = _gaussian_kernel(Y, h)
    N = len(Y)
    means = [sum(row) / N for row in K]
    mean = sum(means) / N
    return [[K[i][j] - means[i] - means[j] + mean for j in range(N)] for i in range(N)]


# Guided gradients


def leading_directions(gradient, eigenvectors):
    """The gradient projected on the given eigenvectors, (14) and (15).

    eigenvectors[i][j] is the entry v_ij of the i-th leading eigenvector for point j.
    """
    N, q = len(gradient), len(gradient[0])
    aggregated = [
        [sum(v[j] * gradient[j][k] for j in range(N)) for k in range(q)] for v in eigenvectors
    ]  # (14)
    return [
        [sum(v[n] * a[k] for v, a in zip(eigenvectors, aggregated, strict=True)) for k in range(q)]
        for n in range(N)
    ]  # (15)


def powers(gradient, M, nu):
    """M^ν times the gradient, for an integer ν: (16) applied ν times, or (17) without the trace."""
    columns = [list(column) for column in zip(*gradient, strict=True)]
    columns = [_times(M, column, nu) for column in columns]
    return [list(movement) for movement in zip(*columns, strict=True)]


def deflation(gradient, M, nu):
    """The simulated power method, (18) to (20), with the outer product that (19) needs."""
    N = len(M)
    M = [list(row) for row in M]
    columns = []
    for column in zip(*gradient, strict=True):
        g = _times(M, list(column), nu)  # (18)
        columns.append(g)
        square = sum(value**2 for value in g)
        Mg = _times(M, g, 1)
        eigenvalue = sum(a * b for a, b in zip(g, Mg, strict=True)) / square  # (20)
        for i in range(N):
            for j in range(N):
                M[i][j] -= eigenvalue * g[i] * g[j] / square  # (19)
    return [list(movement) for movement in zip(*columns, strict=True)]


def _times(M, column, times):
    for _ in range(times):
        column = [sum(a * b for a, b in zip(row, column, strict=True)) for row in M]
    return column


def perplexity(weights):
    """exp(entropy) of the weights divided by their sum: n equal weights have perplexity n."""
    shares = [weight / sum(weights) for weight in weights]
    return math.exp(-sum(share * math.log(share) for share in shares if share > 0))
