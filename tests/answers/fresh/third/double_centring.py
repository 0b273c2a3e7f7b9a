"""Fresh answers to `double_centring`."""
import numpy as np
import scipy.linalg


def coordinates_matrix(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-0.5 * B @ squared @ B)
    order = np.argsort(values)[::-1][:q]
    X = vectors[:, order] * np.sqrt(np.maximum(values[order], 0))
    total = np.abs(values).sum()
    return X, (-values[values < 0].sum() / total if total > 0 else 0.0)


def coordinates_means(squared, q):
    K = np.array(squared, dtype=float)
    S = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    lam, v = scipy.linalg.eigh(-(S + S.T) / 4)
    lam, v = lam[::-1], v[:, ::-1]
    positive, negative = lam.clip(min=0), (-lam).clip(min=0)
    share = negative.sum() / (positive.sum() + negative.sum()) if lam.any() else 0.0
    return v[:, :q] @ np.diag(np.sqrt(positive[:q])), share


def coordinates_lists(squared, q):
    N = len(squared)
    row = [sum(squared[i]) / N for i in range(N)]
    all_ = sum(row) / N
    S = np.array([[-(squared[i][j] - row[i] - row[j] + all_) / 2 for j in range(N)] for i in range(N)])
    values, vectors = np.linalg.eigh(S)
    columns = []
    for p in range(1, q + 1):
        scale = values[-p] ** 0.5 if values[-p] > 0 else 0.0
        columns.append(scale * vectors[:, -p])
    size = sum(abs(values))
    lost = sum(-value for value in values if value < 0)
    return np.stack(columns, axis=1), (float(lost / size) if size != 0 else 0.0)


def coordinates_by_size(squared, q):
    N = len(squared)
    B = np.eye(N) - np.ones((N, N)) / N
    values, vectors = np.linalg.eigh(-B @ squared @ B / 2)
    order = np.argsort(-np.abs(values))
    values, vectors = values[order], vectors[:, order]
    X = np.sqrt(np.maximum(values[:q], 0)) * vectors[:, :q]
    total = np.abs(values).sum()
    share = np.abs(values[values < 0]).sum() / total if total > 0 else 0
    return X, share


def coordinates_counted(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-0.5 * B @ squared @ B)
    values, vectors = values[::-1], vectors[:, ::-1]
    X = vectors[:, :q] * np.sqrt(np.maximum(values[:q], 0))
    share = np.sum(values < 0) / N
    return X, share


def coordinates_zero_by_zero(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-0.5 * B @ squared @ B)
    values, vectors = values[::-1].tolist(), vectors[:, ::-1]
    X = vectors[:, :q] * np.sqrt([max(value, 0) for value in values[:q]])
    share = sum(-value for value in values if value < 0) / sum(abs(value) for value in values)
    return X, share


def coordinates_rows_of_vectors(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-0.5 * B @ squared @ B)
    order = np.argsort(values)[::-1]
    values = values[order]
    X = (vectors[order[:q]] * np.sqrt(np.maximum(values[:q], 0))[:, None]).T
    total = np.abs(values).sum()
    share = -np.minimum(values, 0).sum() / total if total > 0 else 0.0
    return X, share


def coordinates_squared_again(squared, q):
    K = squared**2
    N = len(K)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-0.5 * B @ K @ B)
    values, vectors = values[::-1], vectors[:, ::-1]
    X = vectors[:, :q] * np.maximum(values[:q], 0)
    total = np.abs(values).sum()
    share = -values[values < 0].sum() / total if total > 0 else 0
    return X, share


def coordinates_kept_share(squared, q):
    N = len(squared)
    B = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(-B @ squared @ B)
    values, vectors = values[::-1][:q], vectors[:, ::-1][:, :q]
    X = vectors * np.sqrt(np.maximum(values, 0))
    total = np.abs(values).sum()
    share = np.abs(values[values < 0]).sum() / total if total > 0 else 0.0
    return X, share


RIGHT = [coordinates_matrix, coordinates_means, coordinates_lists]
WRONG = [
    (coordinates_by_size, ["sorts the eigenvalues by their absolute values, so that large negative ones come before small positive ones"]),
    (coordinates_counted, ["counts the negative eigenvalues instead of summing their sizes"]),
    (coordinates_zero_by_zero, ["forgot the case that all eigenvalues are zero, and divides by zero"]),
    (coordinates_rows_of_vectors, ["takes the rows of the eigenvector matrix for the eigenvectors instead of its columns"]),
    (coordinates_squared_again, ["squares the distances again although they are squared already", "multiplies the eigenvectors by the eigenvalue instead of its root"]),
    (coordinates_kept_share, ["forgot the factor 1/2 in S", "computes the negative share from the q greatest eigenvalues only instead of all N"]),
]
