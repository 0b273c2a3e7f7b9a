"""Fresh answers to `rprop`."""
import numpy as np


def by_where(gradient, previous, step):
    same = np.sign(gradient) * np.sign(previous)
    new = np.where(same > 0, 1.2 * step, np.where(same < 0, 0.5 * step, step))
    new = np.clip(new, 1e-9, 10)
    move = np.where(same < 0, 0.0, -np.sign(gradient) * new)
    return move, new


def by_loops(gradient, previous, step):
    move, new = np.zeros(step.shape), np.zeros(step.shape)
    for i in range(step.shape[0]):
        for j in range(step.shape[1]):
            g, old, s = gradient[i, j], previous[i, j], step[i, j]
            turned = (g > 0 and old < 0) or (g < 0 and old > 0)
            if turned:
                s = s * 0.5
            elif g != 0 and old != 0:
                s = s * 1.2
            s = min(max(s, 1e-9), 10.0)
            new[i, j] = s
            if not turned:
                move[i, j] = -s if g > 0 else (s if g < 0 else 0.0)
    return move, new


def by_factors(gradient, previous, step):
    agreement = (np.sign(gradient) * np.sign(previous)).astype(int)
    factor = np.array([0.5, 1.0, 1.2])[agreement + 1]
    new_step = np.minimum(10, np.maximum(1e-9, factor * step))
    return -np.sign(gradient) * new_step * (agreement >= 0), new_step


def in_place(gradient, previous, step):
    product = np.sign(gradient) * np.sign(previous)
    new_step = step
    new_step[product > 0] *= 1.2
    new_step[product < 0] *= 0.5
    new_step[new_step < 1e-9] = 1e-9
    new_step[new_step > 10] = 10
    move = -np.sign(gradient) * new_step
    move[product < 0] = 0
    return move, new_step


def whole_points(gradient, previous, step):
    agree = np.sum(gradient * previous, axis=1, keepdims=True)
    new = np.where(agree > 0, 1.2 * step, np.where(agree < 0, 0.5 * step, step))
    new = np.clip(new, 1e-9, 10)
    return np.where(agree < 0, 0, -np.sign(gradient) * new), new


def vector_if(gradient, previous, step):
    if gradient * previous > 0:
        new = 1.2 * step
    elif gradient * previous < 0:
        new = 0.5 * step
    else:
        new = step.copy()
    new = np.clip(new, 1e-9, 10)
    move = -np.sign(gradient) * new * (gradient * previous >= 0)
    return move, new


def limits_first(gradient, previous, step):
    p = np.sign(gradient) * np.sign(previous)
    new = np.clip(step, 1e-9, 10)
    new = new * np.where(p > 0, 1.2, 1.0) * np.where(p < 0, 0.5, 1.0)
    move = -np.sign(gradient) * new
    move[p < 0] = 0
    return move, new


def zero_has_changed(gradient, previous, step):
    same = np.sign(gradient) == np.sign(previous)
    new = np.clip(np.where(same, 1.2, 0.5) * step, 1e-9, 10)
    move = np.zeros_like(step)
    move[same] = -np.sign(gradient[same]) * step[same]
    return move, new


def goes_back(gradient, previous, step):
    p = gradient * previous
    new = step.copy()
    new[p > 0] = 1.2 * step[p > 0]
    new[p < 0] = 0.5 * step[p < 0]
    new = np.minimum(np.maximum(new, 10), 1e-9)
    return -np.sign(gradient) * new, new


RIGHT = [by_where, by_loops, by_factors]
WRONG = [
    (in_place, ["changes the caller's array of step sizes, since an assignment does not copy"]),
    (whole_points, ["decides for a whole point by the scalar product of its gradients, instead of for each coordinate"]),
    (vector_if, ["asks an ordinary if about an array, instead of each coordinate"]),
    (limits_first, ["applies the limits to the old step sizes, before they are multiplied"]),
    (zero_has_changed, ["counts a zero in one of the gradients as a change of sign (and two zeros as the same sign)", "moves by the old step size"]),
    (goes_back, ["moves on after a change of sign instead of standing still", "mixes up the lower and the upper limit of the step sizes"]),
]
