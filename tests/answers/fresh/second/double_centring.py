"""Fresh answers to `double_centring`."""
import math
import numpy as np
import scipy.linalg


def right_projector(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    S = -0.5 * B @ squared @ B
    values, vectors = np.linalg.eigh((S + S.T) / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    X = np.sqrt(np.maximum(values[:q], 0)) * vectors[:, :q]
    total = np.abs(values).sum()
    share = -values[values < 0].sum() / total if total > 0 else 0.0
    return X, share


def right_means(squared, q):
    K = np.asarray(squared, dtype=float)
    rows = K.mean(axis=1)
    S = -0.5 * (K - rows[:, None] - rows[None, :] + rows.mean())
    lam, U = scipy.linalg.eigh(S)
    order = np.argsort(-lam)[:q]
    size = np.sum(np.abs(lam))
    share = 0.0 if size == 0 else float((size - lam.sum()) / (2 * size))
    return U[:, order] * np.sqrt(lam[order].clip(min=0)), share


def right_column_by_column(squared, q):
    N = len(squared)
    S = [[0.0] * N for _ in range(N)]
    row = [sum(squared[i]) / N for i in range(N)]
    every = sum(row) / N
    for i in range(N):
        for j in range(N):
            S[i][j] = -(squared[i][j] - row[i] - row[j] + every) / 2
    values, vectors = np.linalg.eigh(np.array(S))
    X = np.zeros((N, q))
    for p in range(q):
        if values[N - 1 - p] > 0:
            X[:, p] = math.sqrt(values[N - 1 - p]) * vectors[:, N - 1 - p]
    negative = sum(-v for v in values if v < 0)
    positive = sum(v for v in values if v > 0)
    return X, negative / (negative + positive) if negative + positive > 0 else 0.0


def singular_values(squared, q):
    N = len(squared)
    B = np.eye(N) - np.ones((N, N)) / N
    S = -0.5 * B @ squared @ B
    U, s, Vt = np.linalg.svd(S)
    X = U[:, :q] * np.sqrt(s[:q])
    values = np.linalg.eigvalsh(S)
    total = np.sum(np.abs(values))
    share = np.sum(np.abs(values[values < 0])) / total if total > 0 else 0.0
    return X, share


def share_by_counting(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    lam, V = np.linalg.eigh(-0.5 * B @ squared @ B)
    lam, V = lam[::-1], V[:, ::-1]
    X = V[:, :q] * np.sqrt(np.maximum(lam[:q], 0))
    share = np.sum(lam < -1e-9 * np.abs(lam).max()) / N
    return X, share


def root_of_negative(squared, q):
    N = len(squared)
    B = np.eye(N) - np.full((N, N), 1 / N)
    S = -B @ squared @ B / 2
    lam, V = np.linalg.eigh(S)
    X = np.zeros((N, q))
    for p in range(q):
        X[:, p] = math.sqrt(lam[-1 - p]) * V[:, -1 - p]
    total = np.abs(lam).sum()
    share = np.abs(lam[lam < 0]).sum() / total if total else 0.0
    return X, share


def only_positive_columns(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    S = -0.5 * B @ squared @ B
    values, vectors = np.linalg.eigh(S)
    total = np.abs(values).sum()
    share = -values[values < 0].sum() / total if total > 0 else 0.0
    keep = [p for p in np.argsort(values)[::-1][:q] if values[p] > 0]
    X = vectors[:, keep] * np.sqrt(values[keep])
    return X, share


def eig_unsorted_share_of_positive(squared, q):
    N = len(squared)
    B = np.eye(N) - np.ones((N, N)) / N
    S = -0.5 * B @ squared @ B
    values, vectors = np.linalg.eig((S + S.T) / 2)
    X = np.sqrt(np.maximum(values[:q], 0)) * vectors[:, :q]
    positive = values[values > 0].sum()
    share = np.abs(values[values < 0]).sum() / positive if positive > 0 else 0.0
    return X, share


def scaled_by_length_share_of_kept(squared, q):
    N = len(squared)
    J = np.eye(N) - 1 / N
    lam, V = np.linalg.eigh(-0.5 * J @ squared @ J)
    order = np.argsort(lam)[::-1][:q]
    lam, V = lam[order], V[:, order]
    X = V * np.maximum(lam, 0)
    total = np.abs(lam).sum()
    share = np.abs(lam[lam < 0]).sum() / total if total > 0 else 0
    return X, share


RIGHT = [right_projector, right_means, right_column_by_column]
WRONG = [
    (singular_values, ["takes singular values, so a large negative eigenvalue becomes a coordinate instead of counting as zero"]),
    (share_by_counting, ["counts the negative eigenvalues instead of summing their absolute values"]),
    (root_of_negative, ["does not replace negative eigenvalues by zero (math.sqrt raises on them)"]),
    (only_positive_columns, ["drops the columns of negative eigenvalues instead of filling them with zeros, so X may have fewer than q columns"]),
    (eig_unsorted_share_of_positive, ["uses np.linalg.eig and takes its first q eigenvalues, which are not sorted", "divides by the sum of the positive eigenvalues instead of all absolute values"]),
    (scaled_by_length_share_of_kept, ["multiplies eigenvectors by eigenvalues instead of their roots", "computes the share from the q eigenvalues kept instead of all N"]),
]
