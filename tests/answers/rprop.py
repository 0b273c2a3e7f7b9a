"""Right and wrong answers to the exercise `rprop`, as learners write them."""

import numpy as np


def by_loops(gradient, previous, step):
    move, new = np.zeros(gradient.shape), np.zeros(gradient.shape)
    for n in range(gradient.shape[0]):
        for j in range(gradient.shape[1]):
            product = gradient[n, j] * previous[n, j]
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
    same, turned = gradient * previous > 0, gradient * previous < 0
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
    c = np.sign(gradient * previous)
    new = np.minimum(np.maximum(step * (1 + 0.35 * c - 0.15 * c**2), 1e-9), 10)
    return np.where(c == -1, 0.0, np.where(gradient > 0, -new, np.where(gradient < 0, new, 0))), new


RIGHT = [by_loops, single_precision, on_own_copy, with_lists_and_validation, as_powers]


def _loop(gradient, previous, step, rule):
    move, new = np.empty_like(gradient), np.empty_like(gradient)
    for place in np.ndindex(gradient.shape):
        move[place], new[place] = rule(gradient[place], previous[place], step[place])
    return move, new


def moves_anyway(gradient, previous, step):
    def rule(g, p, s):
        if g * p > 0:
            s = min(s * 1.2, 10.0)
        if g * p < 0:
            s = max(s * 0.5, 1e-9)
        return -s * np.sign(g), s

    return _loop(gradient, previous, step, rule)


def gradient_descent(gradient, previous, step):
    turned = np.sign(gradient) != np.sign(previous)
    turned &= (gradient != 0) & (previous != 0)
    kept = (np.sign(gradient) == np.sign(previous)) & (gradient != 0)
    new = step.copy()
    new[kept] = new[kept] * 1.2
    new[turned] = new[turned] / 2
    new = np.minimum(np.maximum(new, 1e-9), 10)
    move = -new * gradient
    move[turned] = 0
    return move, new


def no_limits(gradient, previous, step):
    def rule(g, p, s):
        if g * p < 0:
            return 0, s / 2
        s = 1.2 * s if g * p > 0 else s
        return -np.sign(g) * s, s

    return _loop(gradient, previous, step, rule)


def step_too_late(gradient, previous, step):
    c = gradient * previous
    move = -np.sign(gradient) * step
    move[c < 0] = 0
    new = step * (1 + 0.2 * (c > 0) - 0.5 * (c < 0))
    return move, new.clip(1e-9, 10)


def in_place(gradient, previous, step):
    c = gradient * previous
    step[c > 0] *= 1.2
    step[c < 0] *= 0.5
    np.clip(step, 1e-9, 10, out=step)
    return np.where(c < 0, 0, -np.sign(gradient) * step), step


def whole_vector(gradient, previous, step):
    product = (gradient.ravel() @ previous.ravel()).item()
    if product > 0:
        step = step * 1.2
    elif product < 0:
        step = step * 0.5
    step = step.clip(1e-9, 10)
    return (-np.sign(gradient) * step if product >= 0 else np.zeros_like(step)), step


def two_cases(gradient, previous, step):
    same = np.sign(gradient) == np.sign(previous)
    new = np.clip(np.where(same, step * 1.2, step * 0.5), 1e-9, 10)
    move = -np.sign(gradient) * new
    move[~same] = 0
    return move, new


def grows_from_zero(gradient, previous, step):
    def rule(g, p, s):
        if g * p >= 0:
            s = min(1.2 * s, 10)
            return -np.sign(g) * s, s
        return 0, max(s / 2, 1e-9)

    return _loop(gradient, previous, step, rule)


def plus(gradient, previous, step):
    move, new = by_loops(gradient, previous, step)
    return -1 * move, new


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


def zero_as_turn(gradient, previous, step):
    def rule(g, p, s):
        if g * p > 0:
            s = min(s * 1.2, 10.0)
            return -s * np.sign(g), s
        return 0.0, max(s * 0.5, 1e-9)

    return _loop(gradient, previous, step, rule)


# written with fresh eyes, from the exercise's text alone


def _new_steps(gradient, previous, step):
    c = gradient * previous
    return c, np.where(c > 0, 1.2 * step, np.where(c < 0, 0.5 * step, step))


def limits_after_the_move(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    move = np.where(c < 0, 0.0, -np.sign(gradient) * new)
    return move, np.clip(new, 1e-9, 10)


def still_in_the_third_case(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    new = np.clip(new, 1e-9, 10)
    return np.where(c > 0, -np.sign(gradient) * new, 0), new


def sign_of_the_one_before(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    new = np.clip(new, 1e-9, 10)
    return np.where(c < 0, 0, -np.sign(previous) * new), new


def two_signs_only(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    new = np.clip(new, 1e-9, 10)
    return np.where(c < 0, 0, np.where(gradient > 0, -new, new)), new


def only_growth_is_limited(gradient, previous, step):
    c = gradient * previous
    new = np.where(c > 0, np.minimum(step * 1.2, 10), step)
    new = np.where(c < 0, step * 0.5, new)
    return -np.sign(gradient) * new * (c >= 0), new


def only_shrinking_is_limited(gradient, previous, step):
    c = gradient * previous
    new = np.where(c < 0, np.maximum(step / 2, 1e-9), np.where(c > 0, 1.2 * step, step))
    return -np.sign(gradient) * new * (c >= 0), new


def clipped_for_nothing(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    np.clip(new, 1e-9, 10)
    move = -np.sign(gradient) * new
    move[c < 0] = 0
    return move, new


def point_by_its_first_column(gradient, previous, step):
    new_step, move = step.copy(), np.zeros(step.shape)
    for n in range(len(gradient)):
        c = gradient[n, 0] * previous[n, 0]
        if c > 0:
            new_step[n] = 1.2 * step[n]
        elif c < 0:
            new_step[n] = 0.5 * step[n]
        new_step[n] = np.clip(new_step[n], 1e-9, 10)
        if c >= 0:
            move[n] = -np.sign(gradient[n]) * new_step[n]
    return move, new_step


def limits_in_the_wrong_order(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    new = np.clip(new, 10, 1e-9)
    return np.where(c < 0, 0, -np.sign(gradient) * new), new


def goes_back(gradient, previous, step):
    c, new = _new_steps(gradient, previous, step)
    new = np.clip(new, 1e-9, 10)
    return np.where(c < 0, np.sign(previous) * step, -np.sign(gradient) * new), new


WRONG = [
    ("moves_on_turn", moves_anyway),
    ("length_counts", gradient_descent),
    ("limits_forgotten", no_limits),
    ("old_step", step_too_late),
    ("changes_input", in_place),
    ("one_for_all", whole_vector),
    ("signs_compared", two_cases),
    ("zero_agrees", grows_from_zero),
    ("uphill", plus),
    ("wrong_type", only_the_move),
    ("no_standstill", other_factor_and_moves),
    ("wrong_growth", grows_too_little),
    ("not_finite", divides_by_length),
    ("zero_turns", zero_as_turn),
    # written with fresh eyes, from the exercise's text alone
    ("limits_too_late", limits_after_the_move),
    ("still_on_zero", still_in_the_third_case),
    ("by_previous", sign_of_the_one_before),
    ("moves_without_slope", two_signs_only),
    ("least_forgotten", only_growth_is_limited),
    ("most_forgotten", only_shrinking_is_limited),
    ("limits_forgotten", clipped_for_nothing),
    ("first_coordinate_decides", point_by_its_first_column),
    ("limits_interchanged", limits_in_the_wrong_order),
    ("goes_back", goes_back),
]
