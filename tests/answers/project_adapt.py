"""Right and wrong answers to the exercise `project_adapt`, as learners write them."""

import numpy as np


def plain(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, errors


def with_a_counter(data, start, assign, refit, decode, number):
    f, Z, errors, k = start, None, np.empty(2 * number), 0
    while k < 2 * number:
        if k % 2 == 0:
            Z = assign(data, f)
        else:
            f = refit(data, Z, f)
        errors[k] = np.linalg.norm(data - decode(f, Z)) ** 2 / len(data)
        k += 1
    return [f, Z, errors]


def recursive(Y, f, project, adapt, rebuild, rounds):
    Z = project(Y, f)
    new = adapt(Y, Z, f)
    errors = [np.einsum("nd,nd->", r, r) / len(Y) for r in (Y - rebuild(f, Z), Y - rebuild(new, Z))]
    if rounds == 1:
        return new, Z, errors
    f, Z, later = recursive(Y, new, project, adapt, rebuild, rounds - 1)
    return f, Z, [*errors, *later]


def in_single_precision(Y, f, project, adapt, rebuild, rounds):
    f, Z, errors = plain(Y, f, project, adapt, rebuild, rounds)
    return f, Z, np.array(errors, dtype=np.float32)


def by_norms(Y, f, project, adapt, rebuild, rounds):
    def measure(f, Z):
        R = np.asarray(Y) - rebuild(f, Z)
        return np.linalg.norm(R) ** 2 / len(R)

    current, errors = f, []
    while len(errors) < 2 * rounds:
        codes = project(Y, current)
        before = measure(current, codes)
        current = adapt(Y, codes, current)
        errors += [before, measure(current, codes)]
    return current, codes, errors


RIGHT = [plain, with_a_counter, recursive, in_single_precision, by_norms]


def _run(
    error=lambda Y, F: np.mean(np.sum((Y - F) ** 2, axis=1)),
    project_again=True,
    keep=lambda new, old: new,
):
    """`plain`, with one piece exchanged."""

    def run(Y, f, project, adapt, rebuild, rounds):
        errors, Z = [], project(Y, f)
        for _ in range(rounds):
            if project_again:
                Z = project(Y, f)
            errors.append(error(Y, rebuild(f, Z)))
            f = keep(adapt(Y, Z, f), f)
            errors.append(error(Y, rebuild(f, Z)))
        return f, Z, errors

    return run


def only_the_map(Y, f, project, adapt, rebuild, rounds):
    return plain(Y, f, project, adapt, rebuild, rounds)[0]


def arguments_swapped(Y, f, project, adapt, rebuild, rounds):
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(Z, f)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(Z, f)) ** 2, axis=1)))
    return f, Z, errors


def stops_at_rest(Y, f, project, adapt, rebuild, rounds):
    f, Z, errors = plain(Y, f, project, adapt, rebuild, rounds)
    kept = [e for k, e in enumerate(errors) if k < 2 or e < errors[k - 1]]
    return f, Z, kept


def halves_the_way(Y, f, project, adapt, rebuild, rounds):
    """No known mistake."""
    return _run(keep=lambda new, old: (new + old) / 2)(Y, f, project, adapt, rebuild, rounds)


def entries_and_codes_again(Y, f, project, adapt, rebuild, rounds):
    """Two mistakes: a mean over all entries, and a projection at the end."""
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
        f = adapt(Y, Z, f)
        errors.append(np.mean((Y - rebuild(f, Z)) ** 2))
    Z = project(Y, f)
    return f, Z, np.array(errors)


WRONG = [
    ("wrong_type", only_the_map),
    ("shape", stops_at_rest),
    ("rebuild_arguments", arguments_swapped),
    ("line", halves_the_way),
    # written with fresh eyes, from the exercise's text alone
    ("mean_of_entries", entries_and_codes_again),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    codes_stay map_stays map_stays adapts_the_first summed mean_of_entries rooted distances
    projected_between codes_of_the_last_map once_after_projection begins_again
""".split()
