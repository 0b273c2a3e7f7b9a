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


RIGHT = [
    point_by_point,
    by_elimination,
    with_inverses,
    as_least_squares,
    in_single_precision,
    checked_by_cholesky,
]


def without_column(f, J, X, Y, F_Y):
    """What NumPy 2 refuses: a stack of matrices, and a table of right-hand sides."""
    JT = np.swapaxes(J, 1, 2)
    b = np.einsum("nlk,nk->nl", JT, Y - f) - X + F_Y
    return np.linalg.solve(JT @ J + np.eye(X.shape[1]), b[:, None, :])[:, 0]


def last_step_only(f, J, X, Y, F_Y):
    return point_by_point(f, J, X, Y, F_Y)[-1]


def steps_as_columns(f, J, X, Y, F_Y):
    return point_by_point(f, J, X, Y, F_Y).T


def moves_the_points(f, J, X, Y, F_Y):
    step = point_by_point(f, J, X, Y, F_Y)
    X += step
    return step


def uphill_and_doubled(f, J, X, Y, F_Y):
    return np.array([-2 * p for p in point_by_point(f, J, X, Y, F_Y)])


# written with fresh eyes, from the exercise's text alone


def turns_three_axes(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + J.T @ J
    return np.linalg.solve(A, J.T @ (Y - f) - X + F_Y)


WRONG = [
    ("row_right_side", without_column),
    ("shape", last_step_only),
    ("slip: step", steps_as_columns),
    ("changes_input", moves_the_points),
    ("multiple", uphill_and_doubled),
    # written with fresh eyes, from the exercise's text alone
    ("all_axes_turned", turns_three_axes),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    identity_forgotten one_added_everywhere identity_subtracted not_solved multiplied_not_solved
    entries_inverted diagonal_only residual_turned latent_part_turned latent_part_forgotten halved
    position_returned summed_over_points mean_over_points first_jacobian reshaped place_forgotten
    goal_forgotten identity_halved one_added_everywhere diagonal_only position_returned
    mean_jacobian first_matrix whole_numbers
""".split()
