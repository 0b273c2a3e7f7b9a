"""Fresh answers to `project_adapt`."""
import numpy as np


def alternate_plain(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def alternate_with_function(Y, f, project, adapt, rebuild, rounds):
    def R(some_map, codes):
        return np.linalg.norm(Y - rebuild(some_map, codes)) ** 2 / len(Y)

    old, Z, errors = f, None, np.zeros((rounds, 2))
    for k in range(rounds):
        Z = project(Y, old)
        new = adapt(Y, Z, old)
        errors[k] = R(old, Z), R(new, Z)
        old = new
    return old, Z, errors.ravel()


def alternate_half_steps(Y, f, project, adapt, rebuild, rounds):
    N, Z = len(Y), None
    errors = np.empty(2 * rounds)
    for half in range(2 * rounds):
        if half % 2 == 0:
            Z = project(Y, f)
        else:
            f = adapt(Y, Z, f)
        r = Y - rebuild(f, Z)
        errors[half] = np.einsum("nd,nd->", r, r) / N
    return f, Z, errors


def alternate_codes_as_rows(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - f[Z]) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - f[Z]) ** 2, axis=1)))
    return f, Z, np.array(errors)


def alternate_project_again(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        Z_now = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z_now)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def alternate_until_still(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.sum((Y - rebuild(f, Z)) ** 2) / len(Y))
        f = adapt(Y, Z, f)
        errors.append(np.sum((Y - rebuild(f, Z)) ** 2) / len(Y))
        if len(errors) > 2 and abs(errors[-1] - errors[-3]) < 1e-12:
            break
    return f, Z, np.array(errors)


def alternate_first_map(Y, f, project, adapt, rebuild, rounds):
    errors = []
    f_new = f
    for _ in range(rounds):
        Z = project(Y, f_new)
        errors.append(((Y - rebuild(f_new, Z)) ** 2).sum(axis=1).mean())
        f_new = adapt(Y, Z, f)
        errors.append(((Y - rebuild(f_new, Z)) ** 2).sum(axis=1).mean())
    return f_new, Z, np.array(errors)


def alternate_late_codes(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
        f = adapt(Y, Z, f)
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
    return f, project(Y, f), np.array(errors)


def alternate_round_errors(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.linalg.norm(Y - rebuild(f, Z), axis=1)))
    return f, Z, np.array(errors)


RIGHT = [alternate_plain, alternate_with_function, alternate_half_steps]
WRONG = [
    (alternate_codes_as_rows, ["takes the codes for row numbers of the map, f[Z], instead of calling rebuild"]),
    (alternate_project_again, ["projects anew before the second measurement instead of measuring with the same codes"]),
    (alternate_until_still, ["stops when the error no longer changes, instead of after the given number of rounds"]),
    (alternate_first_map, ["hands the first map to adapt in every round instead of the present one"]),
    (alternate_late_codes, ["returns codes found on the last map instead of those it was fitted to", "takes the mean over all entries, divides by N*d instead of N"]),
    (alternate_round_errors, ["measures only once a round, after the adaptation", "averages the distances instead of their squares"]),
]
