"""Right and wrong answers to the exercise `gauss_newton`, as learners write them."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve


def point_by_point(f, J, X, Y, F_Y):
    step = np.zeros(X.shape)
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.solve(A, b)
    return step


def with_inverses(f, J, X, Y, F_Y):
    JT = J.transpose(0, 2, 1)
    b = JT @ (Y - f)[:, :, None] + (F_Y - X)[:, :, None]
    return (np.linalg.inv(JT @ J + np.eye(X.shape[1])) @ b).squeeze(2)


def as_least_squares(f, J, X, Y, F_Y):
    """p minimises |y - f - J p|² + |F(y) - x - p|²: one tall system, never JᵀJ."""
    made = []
    for f_n, J_n, x, y, F_y in zip(f, J, X, Y, F_Y, strict=True):
        tall = np.vstack([J_n, np.eye(len(x))])
        made.append(np.linalg.lstsq(tall, np.concatenate([y - f_n, F_y - x]), rcond=None)[0])
    return made


def in_single_precision(f, J, X, Y, F_Y):
    r, s = (Y - f).astype(np.float32), (F_Y - X).astype(np.float32)
    J = J.astype(np.float32)
    b = np.einsum("ndq,nd->nq", J, r) + s
    A = np.einsum("ndq,ndr->nqr", J, J) + np.eye(s.shape[1], dtype=np.float32)
    return np.linalg.solve(A, b[:, :, np.newaxis])[:, :, 0]


def by_elimination(f, J, X, Y, F_Y):
    """Pure Python: lists, and Gauss's own method."""
    steps = []
    for n in range(len(X)):
        d, q = J[n].shape
        rows = []
        for l in range(q):
            row = [float(l == m) + sum(J[n][k][l] * J[n][k][m] for k in range(d)) for m in range(q)]
            row.append(
                sum(J[n][k][l] * (Y[n][k] - f[n][k]) for k in range(d)) + F_Y[n][l] - X[n][l]
            )
            rows.append(row)
        for l in range(q):
            rows[l] = [value / rows[l][l] for value in rows[l]]
            for m in range(q):
                if m != l:
                    rows[m] = [a - rows[m][l] * c for a, c in zip(rows[m], rows[l], strict=True)]
        steps.append([float(row[-1]) for row in rows])
    return steps


def checked_by_cholesky(f, J, X, Y, F_Y):
    f, J, X, Y, F_Y = (np.array(a, dtype=float) for a in (f, J, X, Y, F_Y))
    if J.shape != (*Y.shape, X.shape[1]):
        raise ValueError("J must be (N, d, q)")
    Y -= f
    F_Y -= X
    for n, own in enumerate(J):
        F_Y[n] += Y[n] @ own
        F_Y[n] = cho_solve(cho_factor(own.T @ own + np.identity(X.shape[1])), F_Y[n])
    return F_Y


RIGHT = [
    point_by_point,
    with_inverses,
    as_least_squares,
    in_single_precision,
    by_elimination,
    checked_by_cholesky,
]


def _looped(
    matrix=lambda J, q: J.T @ J + np.eye(q),
    side=lambda J, r, s: J.T @ r + s,
    solve=np.linalg.solve,
    end=lambda p, x: p,
):
    """A loop over the points, with one piece exchanged; r is y - f(x), s is F(y) - x."""

    def steps(f, J, X, Y, F_Y):
        made = np.empty_like(X)
        for n in range(X.shape[0]):
            A = matrix(J[n], X.shape[1])
            b = side(J[n], Y[n] - f[n], F_Y[n] - X[n])
            made[n] = end(solve(A, b), X[n])
        return made

    return steps


def shared_curvature(f, J, X, Y, F_Y):
    A, b = np.eye(X.shape[1]), []
    for n in range(len(X)):
        A = A + J[n].T @ J[n]
        b.append(J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n])
    return np.linalg.solve(A, np.array(b).T).T


def mean_curvature(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + np.mean([j.T @ j for j in J], axis=0)
    return np.array([np.linalg.solve(A, j.T @ (y - g) - x + F)
                     for g, j, x, y, F in zip(f, J, X, Y, F_Y, strict=True)])  # fmt: skip


def without_column(f, J, X, Y, F_Y):
    """What NumPy 2 refuses: a stack of matrices, and a table of right-hand sides."""
    JT = np.swapaxes(J, 1, 2)
    b = np.einsum("nlk,nk->nl", JT, Y - f) - X + F_Y
    return np.linalg.solve(JT @ J + np.eye(X.shape[1]), b[:, None, :])[:, 0]


def always_first(f, J, X, Y, F_Y):
    return np.array([np.linalg.solve(np.eye(len(x)) + J[0].T @ J[0], J[0].T @ (y - g) - x + F)
                     for g, x, y, F in zip(f, X, Y, F_Y, strict=True)])  # fmt: skip


def transposed_by_reshape(f, J, X, Y, F_Y):
    N, d, q = J.shape
    made = []
    for n in range(N):
        turned = J[n].reshape(q, d)
        b = turned @ (Y[n] - f[n]) - X[n] + F_Y[n]
        made.append(np.linalg.solve(np.eye(q) + turned @ J[n], b))
    return np.array(made)


def last_step_only(f, J, X, Y, F_Y):
    return point_by_point(f, J, X, Y, F_Y)[-1]


def steps_as_columns(f, J, X, Y, F_Y):
    return point_by_point(f, J, X, Y, F_Y).T


def x_left_out(f, J, X, Y, F_Y):
    return _looped()(f, J, 0 * X, Y, F_Y)


def F_left_out(f, J, X, Y, F_Y):
    return _looped()(f, J, X, Y, 0 * F_Y)


def f_left_out(f, J, X, Y, F_Y):
    return _looped()(0 * f, J, X, Y, F_Y)


def moves_the_points(f, J, X, Y, F_Y):
    step = point_by_point(f, J, X, Y, F_Y)
    X += step
    return step


def uphill_and_doubled(f, J, X, Y, F_Y):
    return np.array([-2 * p for p in point_by_point(f, J, X, Y, F_Y)])


def half_damped(f, J, X, Y, F_Y):
    """Half an I: no known mistake. The properties speak."""
    return _looped(matrix=lambda J, q: J.T @ J + 0.5 * np.eye(q))(f, J, X, Y, F_Y)


# written with fresh eyes, from the exercise's text alone


def ones_and_least_squares(f, J, X, Y, F_Y):
    step = np.zeros_like(X)
    for n in range(len(X)):
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.lstsq(1 + J[n].T @ J[n], b, rcond=None)[0]
    return step


def squares_of_entries(f, J, X, Y, F_Y):
    return (np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y) / (1 + np.sum(J**2, axis=1))


def arrives(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + np.swapaxes(J, 1, 2) @ J
    b = np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y
    return X + np.linalg.solve(A, b[:, :, None])[:, :, 0]


def turns_three_axes(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + J.T @ J
    return np.linalg.solve(A, J.T @ (Y - f) - X + F_Y)


def mean_of_jacobians(f, J, X, Y, F_Y):
    J = J.mean(axis=0)
    A = np.eye(X.shape[1]) + J.T @ J
    return np.linalg.solve(A, ((Y - f) @ J - X + F_Y).T).T


def matrix_of_the_first(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + J[0].T @ J[0]
    return np.linalg.solve(A, (np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y).T).T


def bracket_closed_too_early(f, J, X, Y, F_Y):
    step = np.zeros_like(X)
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        step[n] = np.linalg.solve(A, J[n].T @ (Y[n] - f[n])) - X[n] + F_Y[n]
    return step


def prepared_for_integers(f, J, X, Y, F_Y):
    step = np.zeros(X.shape, dtype=int)
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        step[n] = np.linalg.solve(A, J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n])
    return step


WRONG = [
    ("identity_forgotten", _looped(matrix=lambda J, q: J.T @ J)),
    ("one_added_everywhere", _looped(matrix=lambda J, q: 1 + J.T @ J)),
    ("identity_subtracted", _looped(matrix=lambda J, q: J.T @ J - np.eye(q))),
    ("not_solved", _looped(solve=lambda A, b: b)),
    ("multiplied_not_solved", _looped(solve=lambda A, b: A.dot(b))),
    ("entries_inverted", _looped(solve=lambda A, b: A**-1.0 @ b)),
    ("diagonal_only", _looped(solve=lambda A, b: b / np.diag(A))),
    ("uphill", _looped(side=lambda J, r, s: -(J.T @ r) - s)),
    ("residual_turned", _looped(side=lambda J, r, s: s - J.T @ r)),
    ("latent_part_turned", _looped(side=lambda J, r, s: r @ J - s)),
    ("latent_part_forgotten", _looped(side=lambda J, r, s: J.T @ r)),
    ("data_part_forgotten", _looped(side=lambda J, r, s: s)),
    ("doubled", _looped(side=lambda J, r, s: 2 * (J.T @ r + s))),
    ("halved", _looped(matrix=lambda J, q: 2 * (J.T @ J + np.eye(q)))),
    ("position_returned", _looped(end=lambda p, x: x + p)),
    ("summed_over_points", shared_curvature),
    ("mean_over_points", mean_curvature),
    ("first_jacobian", always_first),
    ("reshaped", transposed_by_reshape),
    ("row_right_side", without_column),
    ("shape", last_step_only),
    ("slip: step", steps_as_columns),
    ("place_forgotten", x_left_out),
    ("goal_forgotten", F_left_out),
    ("value_forgotten", f_left_out),
    ("changes_input", moves_the_points),
    ("multiple", uphill_and_doubled),
    ("identity_halved", half_damped),
    # written with fresh eyes, from the exercise's text alone
    ("one_added_everywhere", ones_and_least_squares),
    ("diagonal_only", squares_of_entries),
    ("position_returned", arrives),
    ("all_axes_turned", turns_three_axes),
    ("mean_jacobian", mean_of_jacobians),
    ("first_matrix", matrix_of_the_first),
    ("latent_part_outside", bracket_closed_too_early),
    ("whole_numbers", prepared_for_integers),
]
