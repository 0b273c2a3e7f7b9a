"""Right and wrong answers to the exercise `rprop`, as learners write them."""

import numpy as np


def by_loops(gradient, previous, step):
    move, new = np.zeros(gradient.shape), np.zeros(gradient.shape)
    for n in range(gradient.shape[0]):
        for j in range(gradient.shape[1]):
            product = np.sign(gradient[n, j]) * np.sign(previous[n, j])
            s = step[n, j]
            if product > 0:
                s = min(1.2 * s, 10)
            elif product < 0:
                s = max(0.5 * s, 1e-9)
            new[n, j] = s
            if product >= 0:
                move[n, j] = -np.sign(gradient[n, j]) * s
    return move, new


def single_precision(gradient, previous, step):
    g, p, s = (np.asarray(a, dtype=np.float32) for a in (gradient, previous, step))
    agreement = np.sign(g) * np.sign(p)
    s = np.clip(s * np.select([agreement > 0, agreement < 0], [1.2, 0.5], 1), 1e-9, 10)
    return (-np.sign(g) * s * (agreement >= 0)).astype(np.float32), s.astype(np.float32)


def on_own_copy(gradient, previous, step):
    step, sign = step.copy(), np.sign(gradient)
    signs = np.sign(gradient) * np.sign(previous)
    same, turned = signs > 0, signs < 0
    step[same] *= 1.2
    step[turned] /= 2
    step[step > 10] = 10
    step[step < 1e-9] = 1e-9
    sign[turned] = 0
    return -sign * step, step


def with_lists_and_validation(gradient, previous, step):
    if not np.shape(gradient) == np.shape(previous) == np.shape(step):
        raise ValueError("shapes differ")
    rows = zip(gradient.tolist(), previous.tolist(), step.tolist(), strict=True)
    pairs = [[_of_one(*entry) for entry in zip(*row, strict=True)] for row in rows]
    return [[m for m, _ in row] for row in pairs], [[s for _, s in row] for row in pairs]


def _of_one(g, p, s):
    kept, turned = (g > 0 < p) or (g < 0 > p), (g > 0 > p) or (g < 0 < p)
    s = max(1e-9, min(10.0, s * 1.2 ** int(kept) / 2 ** int(turned)))
    direction = 0 if turned or g == 0 else (-1 if g > 0 else 1)
    return direction * s, s


def as_powers(gradient, previous, step):
    c = np.sign(gradient) * np.sign(previous)
    new = np.minimum(np.maximum(step * (1 + 0.35 * c - 0.15 * c**2), 1e-9), 10)
    return np.where(c == -1, 0.0, np.where(gradient > 0, -new, np.where(gradient < 0, new, 0))), new


RIGHT = [by_loops, single_precision, on_own_copy, with_lists_and_validation, as_powers]


def in_place(gradient, previous, step):
    c = gradient * previous
    step[c > 0] *= 1.2
    step[c < 0] *= 0.5
    np.clip(step, 1e-9, 10, out=step)
    return np.where(c < 0, 0, -np.sign(gradient) * step), step


def only_the_move(gradient, previous, step):
    return by_loops(gradient, previous, step)[0]


def other_factor_and_moves(gradient, previous, step):  # two mistakes
    c = gradient * previous
    new = np.clip(np.where(c > 0, 1.5 * step, np.where(c < 0, 0.5 * step, step)), 1e-9, 10)
    return -np.sign(gradient) * new, new


def grows_too_little(gradient, previous, step):
    c = gradient * previous
    new = np.clip(np.where(c > 0, 1.1 * step, np.where(c < 0, 0.5 * step, step)), 1e-9, 10)
    return -np.sign(gradient) * new * (c >= 0), new


def divides_by_length(gradient, previous, step):
    move, new = by_loops(gradient, previous, step)
    return -(gradient / abs(gradient)) * new, new


# written with fresh eyes, from the exercise's text alone


def _new_steps(gradient, previous, step):
    c = gradient * previous
    return c, np.where(c > 0, 1.2 * step, np.where(c < 0, 0.5 * step, step))


def two_signs_only(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    new = np.clip(new, 1e-9, 10)
    return np.where(c < 0, 0, np.where(gradient > 0, -new, new)), new


WRONG = [
    ("changes_input", in_place),
    ("wrong_type", only_the_move),
    ("no_standstill", other_factor_and_moves),
    ("wrong_growth", grows_too_little),
    ("not_finite", divides_by_length),
    # written with fresh eyes, from the exercise's text alone
    ("moves_without_slope", two_signs_only),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    moves_on_turn length_counts limits_forgotten old_step one_for_all signs_compared zero_agrees
    uphill zero_turns limits_too_late by_previous limits_forgotten limits_interchanged
""".split()
