"""Fresh answers to `gauss_newton`."""
import numpy as np


def point_by_point(f, J, X, Y, F_Y):
    step = np.zeros(X.shape)
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.solve(A, b)
    return step


def stacked(f, J, X, Y, F_Y):
    JT = J.transpose(0, 2, 1)
    A = JT @ J + np.eye(J.shape[2])
    b = JT @ (Y - f)[:, :, None] + (F_Y - X)[:, :, None]
    return np.linalg.solve(A, b)[:, :, 0]


def least_squares(f, J, X, Y, F_Y):
    q = X.shape[1]
    rows = []
    for f_n, J_n, x, y, goal in zip(f, J, X, Y, F_Y):
        tall = np.vstack([J_n, np.eye(q)])
        wish = np.concatenate([y - f_n, goal - x])
        rows.append(np.linalg.lstsq(tall, wish, rcond=None)[0])
    return np.array(rows)


def without_one(f, J, X, Y, F_Y):
    step = np.zeros(X.shape)
    for n in range(len(X)):
        A = J[n].T @ J[n]
        step[n] = np.linalg.solve(A, J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n])
    return step


def flat_right_side(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + np.einsum("ndi,ndj->nij", J, J)
    b = np.einsum("ndi,nd->ni", J, Y - f) - X + F_Y
    return np.linalg.solve(A, b)


def forgets_where_it_is(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + np.einsum("ndi,ndj->nij", J, J)
    b = np.einsum("ndi,nd->ni", J, Y - f) + F_Y
    return np.linalg.solve(A, b[..., None])[..., 0]


def residual_upside_down(f, J, X, Y, F_Y):
    p = []
    for n in range(len(Y)):
        b = J[n].T @ (f[n] - Y[n]) - X[n] + F_Y[n]
        p.append(np.linalg.inv(np.eye(len(b)) + J[n].T @ J[n]) @ b)
    return np.array(p)


def new_place(f, J, X, Y, F_Y):
    result = np.empty(X.shape)
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) + X[n] - F_Y[n]
        result[n] = X[n] + np.linalg.solve(A, b)
    return result


def one_for_all(f, J, X, Y, F_Y):
    J_mean = J.mean(axis=0)
    A = np.eye(X.shape[1]) + J_mean.T @ J_mean
    b = (Y - f) @ J_mean - X + F_Y
    return b @ (1 / A)


RIGHT = [point_by_point, stacked, least_squares]
WRONG = [
    (without_one, ["forgot the identity matrix in I + J^T J"]),
    (flat_right_side, ["gives solve a right-hand side of shape (N, q) for a stack of systems, without a last axis"]),
    (forgets_where_it_is, ["forgot -x in the bracket, so the pull goes by F(y) and not by F(y) - x"]),
    (residual_upside_down, ["takes f(x) - y instead of y - f(x): the pull of the data has the wrong sign"]),
    (new_place, ["the pull of F has the wrong sign, x - F(y)", "returns the new position x + p instead of the step"]),
    (one_for_all, ["uses the mean of all Jacobians for every point", "takes one over each entry of the matrix instead of its inverse"]),
]
