"""Fresh answers to `double_centring`."""
import numpy as np
import scipy.linalg


def by_definition(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-0.5 * B @ squared @ B)
    values, vectors = values[::-1], vectors[:, ::-1]
    total = np.abs(values).sum()
    share = np.abs(values[values < 0]).sum() / total if total > 0 else 0.0
    return vectors[:, :q] * np.sqrt(np.maximum(values[:q], 0)), share


def by_means(squared, q):
    K = np.asarray(squared, dtype=float)
    S = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    values, vectors = scipy.linalg.eigh((S + S.T) / 4)
    share = -np.minimum(-values, 0).sum()
    share = float(share / np.abs(values).sum()) if values.any() else 0.0
    X = np.stack([vectors[:, p] * max(-values[p], 0) ** 0.5 for p in range(q)], axis=1)
    return X, share


def by_svd_of_signs(squared, q):
    N = len(squared)
    rows = np.array([row - np.mean(row) for row in squared.astype(float)])
    S = np.array([column - np.mean(column) for column in rows.T]) * -0.5
    values, vectors = np.linalg.eigh(S)
    negative, total = 0.0, 0.0
    for value in values:
        total += abs(value)
        negative += max(-value, 0)
    order = sorted(range(N), key=lambda p: values[p], reverse=True)[:q]
    X = vectors[:, order] @ np.diag(np.sqrt(values[order].clip(0)))
    return X, (0.0 if total == 0 else negative / total)


def eigenvectors_in_rows(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, v = np.linalg.eigh(-0.5 * B @ squared @ B)
    order = np.argsort(-values)
    total = np.abs(values).sum()
    share = -values[values < 0].sum() / total if total else 0.0
    X = np.sqrt(np.maximum(values[order[:q]], 0)) * v[order[:q]]
    return X.T, share


def stretched(squared, q):
    N = len(squared)
    B = np.eye(N) - np.ones((N, N)) / N
    values, v = np.linalg.eigh(-B @ squared @ B / 2)
    values, v = values[::-1], v[:, ::-1]
    total = np.sum(np.abs(values))
    share = np.sum(np.abs(values[values < 0])) / total if total > 0 else 0
    return v[:, :q] * np.maximum(values[:q], 0), share


def by_magnitude(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, v = np.linalg.eigh(-0.5 * B @ squared @ B)
    order = np.argsort(-np.abs(values))
    values, v = values[order], v[:, order]
    total = np.abs(values).sum()
    share = 0.0 if total == 0 else np.abs(values[values < 0]).sum() / total
    return v[:, :q] * np.sqrt(np.maximum(values[:q], 0)), share


def share_of_kept(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, v = np.linalg.eigh(-0.5 * B @ squared @ B)
    values, v = values[::-1][:q], v[:, ::-1][:, :q]
    total = np.abs(values).sum()
    share = np.abs(values[values < 0]).sum() / total if total > 0 else 0.0
    return v * np.sqrt(np.maximum(values, 0)), share


def centred_once(squared, q):
    N = len(squared)
    S = -(squared - squared.mean(axis=0))
    values, v = np.linalg.eigh((S + S.T) / 2)
    values, v = values[::-1], v[:, ::-1]
    total = np.abs(values).sum()
    share = np.abs(values[values < 0]).sum() / total if total > 0 else 0.0
    return v[:, :q] * np.sqrt(np.maximum(values[:q], 0)), share


def squared_again(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, v = np.linalg.eigh(-0.5 * B @ squared**2 @ B)
    values, v = values[::-1], v[:, ::-1]
    negative = np.abs(values[values < 0]).sum()
    positive = values[values > 0].sum()
    share = negative / positive if positive > 0 else 0.0
    return v[:, :q] * np.sqrt(np.maximum(values[:q], 0)), share


RIGHT = [by_definition, by_means, by_svd_of_signs]
WRONG = [
    (eigenvectors_in_rows, ["takes rows of the matrix of eigenvectors instead of its columns"]),
    (stretched, ["multiplies the eigenvectors by the eigenvalues instead of their roots"]),
    (by_magnitude, ["sorts the eigenvalues by magnitude, so that large negative ones come among the first"]),
    (share_of_kept, ["computes the negative share from the q kept eigenvalues only"]),
    (centred_once, ["subtracts only the column means, no double centring", "forgot the factor 1/2 in S"]),
    (squared_again, ["squares the squared distances once more", "divides the negative part by the positive part instead of by the sum of all magnitudes"]),
]
