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
    A = np.einsum("ndk,ndl->nkl", J, J) + np.eye(X.shape[1])
    b = np.einsum("ndk,nd->nk", J, Y - f) + F_Y - X
    return np.linalg.solve(A, b[:, :, None])[:, :, 0]


def as_least_squares(f, J, X, Y, F_Y):
    q = X.shape[1]
    rows = []
    for f_n, J_n, x, y, target in zip(f, J, X, Y, F_Y):
        big = np.vstack([J_n, np.eye(q)])
        wanted = np.concatenate([y - f_n, target - x])
        rows.append(np.linalg.lstsq(big, wanted, rcond=None)[0])
    return np.array(rows)


def data_curvature_only(f, J, X, Y, F_Y):
    step = np.empty(X.shape)
    for n in range(len(X)):
        right = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.solve(J[n].T @ J[n], right)
    return step


def away_from_F(f, J, X, Y, F_Y):
    JT = np.transpose(J, (0, 2, 1))
    A = np.eye(X.shape[1]) + JT @ J
    b = (JT @ (Y - f)[:, :, None])[:, :, 0] + X - F_Y
    return np.linalg.solve(A, b[..., None])[..., 0]


def new_places(f, J, X, Y, F_Y):
    out = []
    for n in range(len(X)):
        A = np.eye(X.shape[1]) + J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        out.append(X[n] + np.linalg.inv(A) @ b)
    return np.array(out)


def each_coordinate_alone(f, J, X, Y, F_Y):
    bracket = np.sum(J * (Y - f)[:, :, None], axis=1) - X + F_Y
    curvature = 1 + np.sum(J**2, axis=1)
    return bracket / curvature


def one_plus(f, J, X, Y, F_Y):
    step = np.zeros_like(X, dtype=float)
    for n in range(len(X)):
        A = 1 + J[n].T @ J[n]
        b = J[n].T @ (f[n] - Y[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.lstsq(A, b, rcond=None)[0]
    return step


def half_of_the_data_pull(f, J, X, Y, F_Y):
    H = 2 * (np.eye(X.shape[1]) + np.einsum("ndk,ndl->nkl", J, J))
    g = np.einsum("ndk,nd->nk", J, Y - f)
    return np.linalg.solve(H, g[:, :, None])[:, :, 0]


RIGHT = [point_by_point, stacked, as_least_squares]
WRONG = [
    (data_curvature_only, ["left the identity matrix out of the curvature, uses J^T J alone"]),
    (away_from_F, ["the pull towards F(y) has the wrong sign: + x - F(y) instead of - x + F(y)"]),
    (new_places, ["returns the new position x + p instead of the step p"]),
    (each_coordinate_alone, ["treats every latent coordinate alone: divides by the diagonal of I + J^T J instead of solving the system"]),
    (one_plus, ["adds 1 to all entries of J^T J instead of the identity matrix", "takes the residual as f(x) - y instead of y - f(x)"]),
    (half_of_the_data_pull, ["left out the pull towards F(y)", "divides by the full curvature 2(I + J^T J) but lost the 2 in the slope, so the step is half as long"]),
]
