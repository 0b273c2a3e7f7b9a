"""Fresh answers to `project_adapt`."""
import numpy as np


def right_loop(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, np.array(errors)


def right_recursion(Y, f, project, adapt, rebuild, rounds):
    def cost(g, codes):
        r = Y - rebuild(g, codes)
        return np.vdot(r, r) / len(Y)

    Z = project(Y, f)
    new = adapt(Y, Z, f)
    two = [cost(f, Z), cost(new, Z)]
    if rounds <= 1:
        return new, Z, np.array(two)
    last, codes, later = right_recursion(Y, new, project, adapt, rebuild, rounds - 1)
    return last, codes, np.concatenate([two, later])


def right_maps_kept(Y, f, project, adapt, rebuild, rounds):
    maps, codes = [f], []
    errors = np.empty(2 * rounds)
    for r in range(rounds):
        codes.append(project(Y, maps[r]))
        maps.append(adapt(Y, codes[r], maps[r]))
        for half in (0, 1):
            rebuilt = rebuild(maps[r + half], codes[r])
            errors[2 * r + half] = ((Y - rebuilt) ** 2).sum() / Y.shape[0]
    return maps[-1], codes[-1], errors


def stops_when_settled(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for r in range(rounds):
        Z = project(Y, f)
        errors.append(np.sum((Y - rebuild(f, Z)) ** 2) / len(Y))
        f = adapt(Y, Z, f)
        errors.append(np.sum((Y - rebuild(f, Z)) ** 2) / len(Y))
        if r > 0 and np.isclose(errors[-1], errors[-3]):
            break
    return f, Z, np.array(errors)


def best_map_kept(Y, f, project, adapt, rebuild, rounds):
    errors, best = [], np.inf
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        if errors[-1] < best:
            best, best_f, best_Z = errors[-1], f, Z
    return best_f, best_Z, np.array(errors)


def always_the_first_map(Y, f, project, adapt, rebuild, rounds):
    errors = []
    current = f
    for i in range(rounds):
        Z = project(Y, current)
        errors += [np.sum((Y - rebuild(current, Z)) ** 2, axis=1).mean()]
        current = adapt(Y, Z, f)
        errors += [np.sum((Y - rebuild(current, Z)) ** 2, axis=1).mean()]
    return current, Z, np.array(errors)


def codes_as_row_numbers(Y, f, project, adapt, rebuild, rounds):
    errors = np.zeros(2 * rounds)
    for r in range(rounds):
        Z = project(Y, f)
        errors[2 * r] = np.mean(np.sum((Y - f[Z]) ** 2, axis=1))
        f = adapt(Y, Z, f)
        errors[2 * r + 1] = np.mean(np.sum((Y - f[Z]) ** 2, axis=1))
    return f, Z, errors


def looks_again_and_takes_the_root(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.sqrt(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1))))
        f = adapt(Y, Z, f)
        nearest = project(Y, f)
        errors.append(np.sqrt(np.mean(np.sum((Y - rebuild(f, nearest)) ** 2, axis=1))))
    return f, Z, np.array(errors)


def fresh_codes_and_mean_of_everything(Y, f, project, adapt, rebuild, rounds):
    errors = []
    Z = project(Y, f)
    for _ in range(rounds):
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
        f = adapt(Y, Z, f)
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
        Z = project(Y, f)
    return f, Z, np.array(errors)


RIGHT = [right_loop, right_recursion, right_maps_kept]
WRONG = [
    (stops_when_settled, ["stops when the error no longer changes, so there are fewer than two errors for each round"]),
    (best_map_kept, ["returns the map with the least error on the way instead of the last one"]),
    (always_the_first_map, ["gives adapt the map to begin with in every round instead of the present one"]),
    (codes_as_row_numbers, ["takes f[Z] for the rebuilt points instead of calling rebuild (raises if codes are no row numbers)"]),
    (looks_again_and_takes_the_root, ["projects again before measuring after the adaptation", "takes the root of the mean squared distance"]),
    (fresh_codes_and_mean_of_everything, ["returns codes of one more projection instead of those to which the last map was fitted", "takes the mean over all entries (divides by N·d)"]),
]
