"""Fresh answers to `project_adapt`."""
import numpy as np


def plainly(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def recursively(Y, f, project, adapt, rebuild, rounds):
    def error(f, Z):
        return np.linalg.norm(Y - rebuild(f, Z)) ** 2 / len(Y)

    Z = project(Y, f)
    new = adapt(Y, Z, f)
    now = np.array([error(f, Z), error(new, Z)])
    if rounds == 1:
        return new, Z, now
    last, codes, later = recursively(Y, new, project, adapt, rebuild, rounds - 1)
    return last, codes, np.concatenate([now, later])


def in_half_steps(Y, f, project, adapt, rebuild, rounds):
    Z, errors = None, np.zeros(2 * rounds)
    for step in range(2 * rounds):
        if step % 2 == 0:
            Z = project(Y, f)
        else:
            f = adapt(Y, Z, f)
        residual = Y - rebuild(f, Z)
        errors[step] = np.einsum("nd,nd->", residual, residual) / Y.shape[0]
    return f, Z, errors


def table_of_codes(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - f[Z]) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - f[Z]) ** 2, axis=1)))
    return f, Z, np.array(errors)


def into_the_same_array(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(((Y - rebuild(f, Z)) ** 2).sum(axis=1).mean())
        f[:] = adapt(Y, Z, f)
        errors.append(((Y - rebuild(f, Z)) ** 2).sum(axis=1).mean())
    return f, Z, np.array(errors)


def old_map_is_first(Y, f, project, adapt, rebuild, rounds):
    cost = lambda f, Z: np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1))
    current, errors = f, []
    for _ in range(rounds):
        Z = project(Y, current)
        errors += [cost(current, Z)]
        current = adapt(Y, Z, f)
        errors += [cost(current, Z)]
    return current, Z, np.array(errors)


def codes_again(Y, f, project, adapt, rebuild, rounds):
    errors = np.empty((rounds, 2))
    for r in range(rounds):
        Z = project(Y, f)
        errors[r, 0] = np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1))
        f = adapt(Y, Z, f)
        Z = project(Y, f)
        errors[r, 1] = np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1))
    return f, Z, errors.ravel()


def once_a_round(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.linalg.norm(Y - rebuild(f, Z), axis=1)))
    return f, Z, np.array(errors)


def frozen_codes(Y, f, project, adapt, rebuild, rounds):
    errors = []
    Z = project(Y, f)
    for _ in range(rounds):
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
        f = adapt(Y, Z, f)
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
    return f, Z, np.array(errors)


RIGHT = [plainly, recursively, in_half_steps]
WRONG = [
    (table_of_codes, ["indexes the map with the codes instead of calling rebuild, as if every map were a codebook"]),
    (into_the_same_array, ["writes the new map into the caller's array"]),
    (old_map_is_first, ["hands the initial map to adapt in every round instead of the present one"]),
    (codes_again, ["projects again after the adaptation, before the second error is measured and the codes are returned"]),
    (once_a_round, ["measures the error only once in a round, after the adaptation", "averages distances, not squared distances"]),
    (frozen_codes, ["projects only once, before the loop", "takes the mean over all coordinates as well, not only over points"]),
]
