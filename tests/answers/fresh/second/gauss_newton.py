"""Fresh answers to `gauss_newton`."""
import numpy as np


def point_by_point(f, J, X, Y, F_Y):
    step = np.zeros(X.shape)
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        step[n] = np.linalg.solve(A, J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n])
    return step


def stacked_solve(f, J, X, Y, F_Y):
    JT = J.transpose(0, 2, 1)
    A = JT @ J + np.eye(X.shape[1])
    b = np.einsum("nqd,nd->nq", JT, Y - f) + (F_Y - X)
    return np.linalg.solve(A, b[:, :, None])[:, :, 0]


def least_squares(f, J, X, Y, F_Y):
    rows = []
    for fn, Jn, x, y, Fy in zip(f, J, X, Y, F_Y):
        tall = np.vstack([Jn, np.identity(len(x))])
        wish = np.concatenate([y - fn, Fy - x])
        rows.append(np.linalg.lstsq(tall, wish, rcond=None)[0])
    return np.array(rows)


def one_added_everywhere(f, J, X, Y, F_Y):
    step = np.zeros(X.shape)
    for n in range(len(X)):
        A = 1 + J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.pinv(A) @ b
    return step


def sum_of_two_wishes(f, J, X, Y, F_Y):
    step = np.empty(X.shape)
    for n in range(len(X)):
        to_data = np.linalg.pinv(J[n]) @ (Y[n] - f[n])
        to_F = F_Y[n] - X[n]
        step[n] = (to_data + to_F) / 2
    return step


def flat_right_side(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + np.einsum("ndq,ndr->nqr", J, J)
    b = np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y
    return np.linalg.solve(A, b)


def diagonal_curvature(f, J, X, Y, F_Y):
    curvature = 1 + (J**2).sum(axis=1)
    return (np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y) / curvature


def shared_system(f, J, X, Y, F_Y):
    q = X.shape[1]
    A = np.eye(q) + np.mean([Jn.T @ Jn for Jn in J], axis=0)
    b = np.array([J[n].T @ (Y[n] - f[n]) for n in range(len(X))]) - X + F_Y
    return X + np.linalg.solve(A, b.T).T


def reshaped_and_reciprocal(f, J, X, Y, F_Y):
    N, d, q = J.shape
    p = np.zeros((N, q))
    for n in range(N):
        Jt = J[n].reshape(q, d)
        A = np.eye(q) + Jt @ J[n]
        b = Jt @ (Y[n] - f[n]) - X[n] + F_Y[n]
        p[n] = A**-1.0 @ b
    return p


RIGHT = [point_by_point, stacked_solve, least_squares]
WRONG = [
    (one_added_everywhere, ["adds 1 to every entry of J^T J instead of the identity matrix"]),
    (sum_of_two_wishes, ["takes the mean of the two steps that the data and F would ask for alone, instead of solving the joint system"]),
    (flat_right_side, ["gives np.linalg.solve a matrix of right-hand sides of shape (N, q), not a stack of vectors"]),
    (diagonal_curvature, ["uses the diagonal of I + J^T J only and divides coordinate by coordinate"]),
    (shared_system, ["uses one matrix for all points, the mean of their J^T J", "returns the new place X + p instead of the step"]),
    (reshaped_and_reciprocal, ["reshapes J instead of transposing it", "takes the reciprocals of the entries for the inverse matrix"]),
]
