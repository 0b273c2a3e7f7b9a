"""Fresh answers to `sne_gradient`."""
import numpy as np
from scipy.spatial.distance import cdist


def laplacian(X, P):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (np.diag(W.sum(axis=1)) - W) @ X


def two_loops(X, P):
    N = len(X)
    Q = np.array([[np.exp(-np.sum((a - b) ** 2)) for b in X] for a in X])
    for row in Q:
        row /= row.sum()
    gradient = np.zeros(X.shape)
    for l in range(N):
        for i in range(N):
            gradient[l] += (P[i, l] + P[l, i] - Q[l, i] - Q[i, l]) * (X[l] - X[i])
    return gradient * 2 / N


def einsummed(X, P):
    differences = X[:, None] - X
    logK = -np.einsum("liq,liq->li", differences, differences)
    K = np.exp(logK)
    D = P - K / K.sum(axis=1)[:, None]
    return 2 * np.einsum("li,liq->lq", D + D.T, differences) / X.shape[0]


def halved_exponent(X, P):
    K = np.exp(-cdist(X, X, "sqeuclidean") / 2)
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def joint_choice(X, P):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    Q = K / K.sum()
    W = P + P.T - Q - Q.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def only_chosen(X, P):
    N = len(X)
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    gradient = np.zeros_like(X, dtype=float)
    for l in range(N):
        for i in range(N):
            gradient[l] += 2 / N * (P[l, i] - Q[l, i]) * (X[l] - X[i])
    return gradient


def lost_axis(X, P):
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    gradient = W.sum(axis=1) * X - W @ X
    return 2 / len(X) * gradient


def never_itself(X, P):
    K = np.exp(-cdist(X, X, "sqeuclidean"))
    np.fill_diagonal(K, 0)
    Q = K / K.sum(axis=1, keepdims=True)
    W = P + P.T - Q - Q.T
    return 4 * (W.sum(axis=1, keepdims=True) * X - W @ X)


def student(X, P):
    K = 1 / (1 + cdist(X, X, "sqeuclidean"))
    Q = K / K.sum(axis=1, keepdims=True)
    W = Q + Q.T - P - P.T
    return 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


RIGHT = [laplacian, two_loops, einsummed]
WRONG = [
    (halved_exponent, ["puts a factor 1/2 into the exponent of Q"]),
    (joint_choice, ["divides the kernel by the sum over all pairs instead of by each row sum"]),
    (only_chosen, ["forgot the transposed terms: only whom l chooses, not who chooses l"]),
    (lost_axis, ["multiplies the row sums with X without keeping their axis"]),
    (never_itself, ["forbids a point to choose itself, as in t-SNE", "uses the factor 4 in place of 2/N"]),
    (student, ["uses the Student kernel of t-SNE instead of the Gaussian", "has the sign of the bracket reversed, Q minus P"]),
]
