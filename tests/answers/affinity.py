"""Answers to exercise 19, affinity and guided gradient."""

import numpy as np


def by_diagonal_matrices(Y, h, G, nu):
    K = np.exp(-((Y[:, None, :] - Y[None, :, :]) ** 2).sum(axis=-1) / h)
    D = np.diag(K.sum(axis=1) ** -0.5)
    M = D @ K @ D
    values, V = np.linalg.eigh(M)
    power = V @ np.diag(np.clip(values, 0, None) ** nu) @ V.T
    return M, power / np.trace(power) @ G


def by_singular_values(Y, h, G, nu):
    """Of a positive semidefinite matrix they are the eigenvalues, and never negative."""
    size = np.sum(Y**2, axis=1)
    K = np.exp(-np.maximum(size[:, None] + size - 2 * Y @ Y.T, 0) / h)
    root = np.sqrt(K @ np.ones(len(K)))
    M = K / np.outer(root, root)
    U, s, Vt = np.linalg.svd(M)
    A = Vt @ G
    return [M, U @ ((s**nu)[:, None] * A) / np.sum(s**nu)]


def in_single_precision(Y, h, G, nu):
    Y, G = Y.astype(np.float32), G.astype(np.float32)
    K = np.exp(-((Y[:, None] - Y) ** 2).sum(axis=2) / np.float32(h))
    d = 1 / np.sqrt(K.sum(axis=1))
    M = K * d * d[:, None]
    values, V = np.linalg.eigh(M)
    weights = np.maximum(values, 0) ** np.float32(nu)
    weights /= weights.sum()
    return M, np.einsum("ni,i,mi,mq->nq", V, weights, V, G)


def checked_and_in_place(Y, h, G, nu):
    Y, G = np.array(Y, dtype=float), np.array(G, dtype=float)
    if h <= 0 or nu < 0 or len(Y) != len(G):
        raise ValueError("h > 0, nu >= 0 and one row of G for each point")
    M = Y[:, None] - Y
    M = np.einsum("ijk,ijk->ij", M, M)
    M /= -h
    np.exp(M, out=M)
    root = np.sqrt(M.sum(axis=0))
    M /= root
    M /= root[:, np.newaxis]
    values, V = np.linalg.eigh(M)
    values, V = values[::-1].copy(), V[:, ::-1]
    values[values < 0] = 0
    values **= nu
    values /= values.sum()
    G = V.T @ G
    G *= values[:, np.newaxis]
    return M, V @ G


RIGHT = [by_diagonal_matrices, by_singular_values, in_single_precision, checked_and_in_place]


def _kernel(Y, h, power=2):
    return np.array([[np.exp(-(np.linalg.norm(y - z) ** power) / h) for z in Y] for y in Y])


def _sides(K):
    D = np.diag(1 / np.sqrt(K.sum(axis=0)))
    return D @ K @ D


def _power(M, nu):
    values, V = np.linalg.eigh(M)
    return V @ np.diag(np.where(values > 0, values, 0) ** nu) @ V.T


def _answer(
    kernel=_kernel,
    sides=_sides,
    end=lambda M, G, nu: _power(M, nu) @ G / np.trace(_power(M, nu)),
):
    """In another arrangement, with one of the steps exchanged."""

    def both(Y, h, G, nu):
        M = sides(kernel(Y, h))
        with np.errstate(all="ignore"):
            return M, end(M, G, nu)

    return both


def numpys_power(M, G, nu):
    power = np.linalg.matrix_power(M, nu)
    return power @ G / np.trace(power)


def rows_for_columns(M, G, nu):
    values, V = np.linalg.eigh(M)
    values = np.maximum(values, 0)
    guided = np.zeros(G.shape)
    for value, v in zip(values, V, strict=True):
        guided += value**nu * np.outer(v, v @ G)
    return guided / (values**nu).sum()


def movements_only(M, G, nu):
    values, V = np.linalg.eigh(M)
    shares = np.maximum(values, 0) ** nu
    return (G.T @ V * (shares / shares.sum())).T


def sorted_values_only(M, G, nu):
    values, V = np.linalg.eigh(M)
    values = np.array(sorted(np.maximum(values, 0), reverse=True))
    return V @ np.diag(values**nu / np.sum(values**nu)) @ V.T @ G


def downhill(M, G, nu):
    return -_power(M, nu) @ G / np.trace(_power(M, nu))


def only_guided(Y, h, G, nu):
    return by_diagonal_matrices(Y, h, G, nu)[1]


def means_for_sums(K):
    root = np.sqrt(K.mean(axis=1))
    return K / root / root.reshape(-1, 1)


def swapped(Y, h, G, nu):
    return by_diagonal_matrices(Y, h, G, nu)[::-1]


def diagonal_in_place(Y, h, G, nu):
    G *= 1 / np.linalg.norm(G)
    return by_diagonal_matrices(Y, h, G, nu)


def inverse(M, G, nu):
    values, V = np.linalg.eigh(M)
    weights = 1 / (0.5 + np.abs(values))
    return -V @ ((weights / weights.sum())[:, None] * (V.T @ G))


def rows_and_loops(Y, h, G, nu):
    """Two mistakes: rows normalised, and nu multiplications without a trace."""
    K = _kernel(Y, h)
    M = K / K.sum(axis=1)[:, None]
    guided = G
    for _ in range(int(nu)):
        guided = M @ guided
    return M, guided


def half_and_no_trace(Y, h, G, nu):
    """Two mistakes."""
    M = _sides(_kernel(Y, 2 * h))
    return M, _power(M, nu) @ G


def rescaled(M, G, nu):
    """As long as G was: another way of undoing the power."""
    guided = _power(M, nu) @ G
    return guided * 1.5 * np.linalg.norm(G) / np.linalg.norm(guided)


def no_transpose(M, G, nu):
    values, V = np.linalg.eigh(M)
    weights = np.clip(values, 0, None) ** nu
    return V @ np.diag(weights) @ V @ G / weights.sum()


def one_root(Y, h, G, nu):
    K = _kernel(Y, h)
    M = (K.T / np.sqrt(K.sum(axis=1))).T
    return M, M @ G


# written with fresh eyes, from the exercise's text alone


def weights_as_a_row(M, G, nu):
    values, V = np.linalg.eigh(M)
    p = np.maximum(values, 0) ** nu
    return V @ (p / p.sum() * (V.T @ G))


def no_basis_change(M, G, nu):
    values, V = np.linalg.eigh(M)
    p = np.maximum(values, 0) ** nu
    return V @ (p[:, None] / p.sum() * G)


def small_values_thrown_away(M, G, nu):
    values, V = np.linalg.eigh(M)
    values, V = values[values > 0.1], V[:, values > 0.1]
    p = values**nu
    return V @ np.diag(p / p.sum()) @ V.T @ G


WRONG = [
    ("vectors_in_rows", _answer(end=no_transpose)),
    ("one_side_rows", one_root),
    ("entrywise_power", _answer(end=lambda M, G, nu: np.dot(np.power(M, nu), G))),
    ("matrix_power", _answer(end=numpys_power)),
    ("eigenvectors_in_rows", _answer(end=rows_for_columns)),
    ("stopped_at_eigenvectors", _answer(end=movements_only)),
    ("order_mixed", _answer(end=sorted_values_only)),
    ("negative", _answer(end=downhill)),
    ("wrong_type", only_guided),
    ("multiple", _answer(sides=means_for_sums)),
    ("order_of_results", swapped),
    ("changes_input", diagonal_in_place),
    ("uphill", _answer(end=inverse)),
    ("rows_normalised", rows_and_loops),
    ("half_in_kernel", half_and_no_trace),
    ("too_long", _answer(end=rescaled)),
    # written with fresh eyes, from the exercise's text alone
    ("slip: weighted", _answer(end=weights_as_a_row)),
    ("not_into_the_basis", _answer(end=no_basis_change)),
    ("directions_cut", _answer(end=small_values_thrown_away)),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    whole_powers_only weights_on_points gradient_unchanged not_normalised rows_normalised
    root_forgotten roots_multiplied diagonal_zero half_in_kernel h_squared kernel_of_lesson_one
    laplacian entrywise_power trace_forgotten trace_of_m trace_before_power sum_of_all not_lifted
    diagonal_zero trace_of_m one_root_multiplied exponential length_kept
""".split()
