"""Fresh answers to `double_centring`."""
import numpy as np
import scipy.linalg


def by_the_book(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    S = -0.5 * B @ squared @ B
    values, vectors = np.linalg.eigh((S + S.T) / 2)
    order = np.argsort(values)[::-1]
    values, vectors = values[order], vectors[:, order]
    X = vectors[:, :q] * np.sqrt(np.maximum(values[:q], 0))
    total = np.abs(values).sum()
    share = -values[values < 0].sum() / total if total > 0 else 0.0
    return X, share


def subtract_means(squared, q):
    K = np.asarray(squared, float)
    S = -(K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()) / 2
    N = len(K)
    values, vectors = scipy.linalg.eigh(S)
    X = np.empty((N, q))
    for p in range(q):
        X[:, p] = np.sqrt(max(values[N - 1 - p], 0)) * vectors[:, N - 1 - p]
    size = np.sum(np.abs(values))
    if size == 0:
        return X, 0.0
    return X, (size - values.sum()) / (2 * size)


def with_pairs(squared, q):
    N = len(squared)
    rows = [sum(r) / N for r in squared]
    whole = sum(rows) / N
    S = np.array([[(rows[i] + rows[j] - whole - squared[i][j]) / 2 for j in range(N)] for i in range(N)])
    l, v = np.linalg.eigh(S)
    pairs = sorted(zip(l, v.T), key=lambda pair: -pair[0])
    X = np.stack([max(a, 0) ** 0.5 * b for a, b in pairs[:q]], axis=1)
    lost = sum(-a for a in l if a < 0)
    everything = sum(abs(a) for a in l)
    return X, (lost / everything if everything else 0.0)


def _share(values):
    total = np.abs(values).sum()
    return np.abs(values[values < 0]).sum() / total if total > 0 else 0.0


def without_half(squared, q):
    N = len(squared)
    B = np.eye(N) - np.ones((N, N)) / N
    values, vectors = np.linalg.eigh(-B @ squared @ B)
    top = np.argsort(-values)[:q]
    return vectors[:, top] * np.sqrt(np.maximum(values[top], 0)), _share(values)


def first_of_eigh(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-B @ squared @ B / 2)
    X = np.sqrt(np.maximum(values[:q], 0)) * vectors[:, :q]
    return X, _share(values)


def without_root(squared, q):
    N = len(squared)
    B = np.eye(N) - np.full((N, N), 1 / N)
    values, vectors = np.linalg.eigh(-B @ squared @ B / 2)
    values, vectors = values[::-1], vectors[:, ::-1]
    return vectors[:, :q] * np.maximum(values[:q], 0), _share(values)


def share_of_the_kept(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-B @ squared @ B / 2)
    order = np.argsort(values)[::-1][:q]
    values, vectors = values[order], vectors[:, order]
    return vectors * np.sqrt(np.maximum(values, 0)), _share(values)


def counted_and_half_centred(squared, q):
    S = -(squared - squared.mean(axis=0)) / 2
    values, vectors = np.linalg.eigh((S + S.T) / 2)
    order = np.argsort(-values)
    values, vectors = values[order], vectors[:, order]
    X = vectors[:, :q] * np.sqrt(np.maximum(values[:q], 0))
    return X, np.mean(values < 0)


def rows_of_vectors(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-B @ squared @ B / 2)
    order = np.argsort(-values)
    X = np.zeros((N, q))
    for p in range(q):
        X[:, p] = np.sqrt(max(values[order[p]], 0)) * vectors[order[p]]
    plus = values[values > 0].sum()
    minus = -values[values < 0].sum()
    return X, (minus / plus if plus > 0 else 0.0)


RIGHT = [by_the_book, subtract_means, with_pairs]
WRONG = [
    (without_half, ["forgot the factor 1/2 in S"]),
    (first_of_eigh, ["takes the first q eigenvalues of eigh, which are the smallest, instead of the greatest"]),
    (without_root, ["multiplies the eigenvectors by the eigenvalues instead of their roots"]),
    (share_of_the_kept, ["computes the negative share from the q kept eigenvalues only instead of all N"]),
    (counted_and_half_centred, ["subtracts only the means of the columns, not those of the rows: single instead of double centring", "counts the negative eigenvalues instead of adding their sizes"]),
    (rows_of_vectors, ["takes rows of the matrix of eigenvectors instead of columns", "divides the negative eigenvalues by the sum of the positive ones instead of the sum of all sizes"]),
]
