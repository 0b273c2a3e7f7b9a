"""Fresh answers to `project_adapt`."""
import numpy as np


def plain(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def filled_array(Y, f, project, adapt, rebuild, rounds):
    def error(f, Z):
        gap = np.asarray(rebuild(f, Z)) - Y
        return np.einsum("nd,nd->", gap, gap) / len(Y)

    errors = np.empty(2 * rounds)
    for r in range(rounds):
        Z = project(Y, f)
        errors[2 * r] = error(f, Z)
        f = adapt(Y, Z, f)
        errors[2 * r + 1] = error(f, Z)
    return f, Z, errors


def recursive(Y, f, project, adapt, rebuild, rounds):
    Z = project(Y, f)
    better = adapt(Y, Z, f)
    now = [np.linalg.norm(Y - rebuild(g, Z)) ** 2 / len(Y) for g in (f, better)]
    if rounds == 1:
        return better, Z, np.array(now)
    last, codes, later = recursive(Y, better, project, adapt, rebuild, rounds - 1)
    return last, codes, np.concatenate([now, later])


def once_a_round(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def fresh_codes_for_the_error(Y, f, project, adapt, rebuild, rounds):
    def error(f):
        return np.mean(np.sum((Y - rebuild(f, project(Y, f))) ** 2, axis=1))

    errors = []
    for _ in range(rounds):
        errors.append(error(f))
        Z = project(Y, f)
        f = adapt(Y, Z, f)
        errors.append(error(f))
    return f, Z, np.array(errors)


def mean_of_everything(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for r in range(rounds):
        Z = project(Y, f)
        errors += [np.mean((Y - rebuild(f, Z)) ** 2)]
        f = adapt(Y, Z, f)
        errors += [np.mean((Y - rebuild(f, Z)) ** 2)]
    return f, Z, np.array(errors)


def always_from_the_start(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(((Y - rebuild(f, Z)) ** 2).sum(axis=1).mean())
        new = adapt(Y, Z, f)
        errors.append(((Y - rebuild(new, Z)) ** 2).sum(axis=1).mean())
    return new, Z, np.array(errors)


def last_codes_and_distances(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.linalg.norm(Y - rebuild(f, Z), axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.linalg.norm(Y - rebuild(f, Z), axis=1)))
    Z = project(Y, f)
    return f, Z, np.array(errors)


def measured_late(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        f = adapt(Y, Z, f)
        errors.append(np.sum((Y - rebuild(f, Z)) ** 2))
        errors.append(np.sum((Y - rebuild(f, project(Y, f))) ** 2))
    return f, Z, np.array(errors)


RIGHT = [plain, filled_array, recursive]
WRONG = [
    (once_a_round, ["measures the error only after the adaptation, not after the projection: one error for each round"]),
    (fresh_codes_for_the_error, ["measures the error after the adaptation with newly projected codes instead of the codes the map was fitted to"]),
    (mean_of_everything, ["takes the mean over the coordinates too, instead of the sum over the coordinates"]),
    (always_from_the_start, ["never replaces the map inside the loop: every round begins again from the first map"]),
    (last_codes_and_distances, ["averages the distances instead of the squared distances", "projects once more at the end and returns codes that the last map was not fitted to"]),
    (measured_late, ["sums the squared distances over the points instead of averaging", "measures after the refit and after the next projection, so that the error of the first projection is missing and all others are shifted by one"]),
]
