"""Fresh answers to `gauss_newton`."""
import numpy as np


def point_by_point(f, J, X, Y, F_Y):
    N, q = X.shape
    step = np.zeros((N, q))
    for n in range(N):
        A = np.eye(q) + J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.solve(A, b)
    return step


def whole_stack(f, J, X, Y, F_Y):
    Jt = np.swapaxes(J, 1, 2)
    A = np.eye(X.shape[1]) + Jt @ J
    b = (Jt @ (Y - f)[:, :, None])[:, :, 0] + (F_Y - X)
    return np.linalg.solve(A, b[..., None])[..., 0]


def least_squares(f, J, X, Y, F_Y):
    rows = []
    for fn, Jn, x, y, z in zip(f, J, X, Y, F_Y):
        A = np.vstack([Jn, np.eye(len(x))])
        rows.append(np.linalg.lstsq(A, np.concatenate([y - fn, z - x]), rcond=None)[0])
    return np.array(rows)


def without_identity(f, J, X, Y, F_Y):
    step = np.zeros(X.shape)
    for n in range(len(X)):
        A = J[n].T @ J[n]
        b = J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n]
        step[n] = np.linalg.pinv(A) @ b
    return step


def new_place(f, J, X, Y, F_Y):
    q = X.shape[1]
    out = []
    for n in range(len(X)):
        A = np.eye(q) + J[n].T @ J[n]
        p = np.linalg.inv(A) @ (J[n].T @ (Y[n] - f[n]) - X[n] + F_Y[n])
        out.append(X[n] + p)
    return np.array(out)


def flat_right_hand_sides(f, J, X, Y, F_Y):
    A = np.eye(X.shape[1]) + np.einsum("ndk,ndl->nkl", J, J)
    b = np.einsum("ndk,nd->nk", J, Y - f) - X + F_Y
    return np.linalg.solve(A, b)


def only_the_bracket(f, J, X, Y, F_Y):
    return np.einsum("ndq,nd->nq", J, Y - f) - X + F_Y


def uphill_and_twice_the_curvature(f, J, X, Y, F_Y):
    step = np.empty(X.shape)
    for n in range(X.shape[0]):
        H = 2 * (np.eye(X.shape[1]) + J[n].T.dot(J[n]))
        step[n] = np.linalg.solve(H, J[n].T.dot(f[n] - Y[n]) - X[n] + F_Y[n])
    return step


def first_jacobian_no_inverse_map(f, J, X, Y, F_Y):
    J0 = J[0]
    A = np.eye(X.shape[1]) + J0.T @ J0
    b = (Y - f) @ J0 - X
    return np.linalg.solve(A, b.T).T


RIGHT = [point_by_point, whole_stack, least_squares]
WRONG = [
    (without_identity, ["forgot the identity matrix in I + J^T J"]),
    (new_place, ["returns the new place x + p instead of the step p"]),
    (flat_right_hand_sides, ["hands a matrix of right-hand sides to np.linalg.solve for a stack of systems, without a last axis of length one"]),
    (only_the_bracket, ["returns the bracket (a gradient step) and does not solve the system"]),
    (uphill_and_twice_the_curvature, ["the residual has the wrong sign, f - y instead of y - f", "multiplies the matrix by 2 (full curvature) but not the bracket"]),
    (first_jacobian_no_inverse_map, ["uses the Jacobian of the first point for all points", "forgot the pull of F(y)"]),
]
