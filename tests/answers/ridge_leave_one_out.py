"""Right and wrong answers to the exercise `ridge_leave_one_out`, as learners write them."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.spatial.distance import cdist


def gram(Y, gamma):
    return np.exp(-gamma * cdist(Y, Y) ** 2)


def refitted(Y, X, gamma, penalty):
    """Honest and slow: N fits, each with its own constant."""
    out = np.zeros(X.shape)
    for n in range(len(Y)):
        rest, places = np.delete(Y, n, axis=0), np.delete(X, n, axis=0)
        A = np.linalg.inv(gram(rest, gamma) + penalty * np.eye(len(rest)))
        c = A.sum(axis=0) @ places / A.sum()
        W = A @ (places - c)
        k = np.exp(-gamma * ((Y[n] - rest) ** 2).sum(axis=1))
        out[n] = X[n] - c - k @ W
    return out


def bordered(Y, X, gamma, penalty):
    """The constant as one more unknown of the system."""
    N = len(Y)
    M = np.ones((N + 1, N + 1))
    M[:N, :N] = gram(Y, gamma) + penalty * np.eye(N)
    M[N, N] = 0
    B = np.linalg.inv(M)[:N, :N]
    return (B @ X / np.diag(B)[:, None]).tolist()


def by_the_hat(Y, X, gamma, penalty):
    N = len(Y)
    K = gram(Y, gamma)
    A = np.linalg.inv(K + penalty * np.eye(N))
    of_constant = A.sum(axis=0)[None] / A.sum()
    H = np.ones((N, 1)) @ of_constant + K @ A @ (np.eye(N) - np.ones((N, 1)) @ of_constant)
    return (X - H @ X) / (1 - np.diag(H)).reshape(-1, 1)


def in_single_precision(Y, X, gamma, penalty):
    Y, X = Y.astype(np.float32), X.astype(np.float32)
    t = np.einsum("nmd,nmd->nm", Y[:, None] - Y, Y[:, None] - Y)
    K = np.exp(np.float32(-gamma) * t)
    A = np.linalg.inv(K + np.float32(penalty) * np.eye(len(Y), dtype=np.float32))
    a = A.sum(axis=1)
    B = A - np.outer(a, a) / a.sum()
    return B @ (X - X.mean(axis=0)) / np.diag(B)[:, None]


def by_cholesky(Y, X, gamma, penalty):
    factor = cho_factor(gram(Y, gamma) + penalty * np.eye(len(Y)))
    ones = cho_solve(factor, np.ones(len(Y)))
    c = ones @ X / ones.sum()
    W = cho_solve(factor, X - c)
    diagonal = np.diag(cho_solve(factor, np.eye(len(Y)))) - ones**2 / ones.sum()
    return W / diagonal[:, None]


def gram_of(A, B, gamma):
    return np.exp(-gamma * cdist(A, B, "sqeuclidean"))


def refitted_by_blocks(Y, X, gamma, penalty):
    out = np.empty(X.shape)
    for n in range(len(Y)):
        keep = np.arange(len(Y)) != n
        B = np.block(
            [
                [
                    gram_of(Y[keep], Y[keep], gamma) + penalty * np.eye(keep.sum()),
                    np.ones((keep.sum(), 1)),
                ],
                [np.ones((1, keep.sum())), np.zeros((1, 1))],
            ]
        )
        w = np.linalg.solve(B, np.vstack([X[keep], np.zeros((1, X.shape[1]))]))
        out[n] = X[n] - w[-1] - gram_of(Y[n : n + 1], Y[keep], gamma)[0] @ w[:-1]
    return out


RIGHT = [refitted, bordered, by_the_hat, in_single_precision, by_cholesky, refitted_by_blocks]


def _written(kernel=gram, left=lambda K, p: K + p * np.eye(len(K)), constant=True, end=None):
    end = end or (lambda X, f, h: (X - f) / (1 - h)[:, None])

    def residuals(Y, X, gamma, penalty):
        K = kernel(Y, gamma)
        M = left(K, penalty)
        A = np.linalg.inv(M)
        I, ones = np.eye(len(Y)), np.ones((len(Y), 1))
        C = ones @ ones.T @ A / A.sum() if constant else 0 * A
        H = C + K @ A @ (I - C)
        return end(X, H @ X, np.diag(H))

    return residuals


def one_error(Y, X, gamma, penalty):
    return float(np.mean(np.sum(refitted(Y, X, gamma, penalty) ** 2, axis=1)))


def centred_in_place(Y, X, gamma, penalty):
    X -= X.mean(axis=0)
    return refitted(Y, X, gamma, penalty)


def transposed(Y, X, gamma, penalty):
    return refitted(Y, X, gamma, penalty).T


def half_of_the_mean(Y, X, gamma, penalty):
    """No known mistake: the property speaks."""
    return (X - X.mean(axis=0)) / 20


def half_and_no_constant_in_h(Y, X, gamma, penalty):
    """Two mistakes: a half in the kernel, and H without the constant."""
    K = np.exp(-gamma * cdist(Y, Y, "sqeuclidean") / 2)
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    c = A.sum(axis=0) @ X / A.sum()
    return A @ (X - c) / np.diag(A)[:, None]


WRONG = [
    ("no_constant", _written(constant=False, end=lambda X, f, h: X - f)),
    ("shape", one_error),
    ("changes_input", centred_in_place),
    ("slip: residuals", transposed),
    ("smaller_than_plain", half_of_the_mean),
    # written with fresh eyes, from the exercise's text alone
    ("gamma_halved", half_and_no_constant_in_h),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    plain_residuals divided_by_h divided_by_sum divided_by_mean divided_by_mean divided_twice
    predictions_returned diagonal_of_h_dropped no_constant no_constant mean_taken_off
    constant_not_in_h constant_penalised penalty_times_n penalty_over_n gamma_halved gamma_as_width
    gamma_divides gamma_forgotten distance_not_squared sign_turned mean_for_constant
""".split()
