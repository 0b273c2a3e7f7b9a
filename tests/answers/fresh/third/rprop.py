"""Fresh answers to `rprop`."""
import numpy as np


def nested_where(gradient, previous, step):
    product = np.sign(gradient) * np.sign(previous)
    factor = np.where(product > 0, 1.2, np.where(product < 0, 0.5, 1.0))
    new_step = np.clip(factor * step, 1e-9, 10)
    move = np.where(product < 0, 0.0, -np.sign(gradient) * new_step)
    return move, new_step


def coordinate_by_coordinate(gradient, previous, step):
    move = np.zeros(gradient.shape)
    new_step = np.zeros(step.shape)
    for n in range(gradient.shape[0]):
        for k in range(gradient.shape[1]):
            g, p, s = gradient[n, k], previous[n, k], float(step[n, k])
            turned = (g > 0 and p < 0) or (g < 0 and p > 0)
            stayed = (g > 0 and p > 0) or (g < 0 and p < 0)
            if stayed:
                s = 1.2 * s
            elif turned:
                s = s / 2
            s = min(max(s, 1e-9), 10.0)
            new_step[n, k] = s
            if not turned:
                move[n, k] = -s if g > 0 else s if g < 0 else 0.0
    return move, new_step


def masks(gradient, previous, step):
    s = np.sign(gradient) * np.sign(previous)
    new_step = np.array(step, dtype=float)
    new_step[s > 0] *= 1.2
    new_step[s < 0] *= 0.5
    new_step = np.minimum(np.maximum(new_step, 1e-9), 10.0)
    move = -np.sign(gradient) * new_step
    move[s < 0] = 0
    return move, new_step


def into_the_callers_array(gradient, previous, step):
    product = gradient * previous
    step[product > 0] *= 1.2
    step[product < 0] *= 0.5
    np.clip(step, 1e-9, 10, out=step)
    move = -np.sign(gradient) * step
    move[product < 0] = 0
    return move, step


def if_on_an_array(gradient, previous, step):
    if gradient * previous > 0:
        new_step = np.clip(1.2 * step, 1e-9, 10)
        move = -np.sign(gradient) * new_step
    elif gradient * previous < 0:
        new_step = np.clip(0.5 * step, 1e-9, 10)
        move = np.zeros_like(new_step)
    else:
        new_step = np.clip(step, 1e-9, 10)
        move = -np.sign(gradient) * new_step
    return move, new_step


def length_of_the_gradient(gradient, previous, step):
    product = gradient * previous
    new_step = np.where(product > 0, 1.2 * step, step)
    new_step = np.where(product < 0, 0.5 * step, new_step)
    new_step = np.clip(new_step, 1e-9, 10)
    move = -gradient * new_step
    move[product < 0] = 0
    return move, new_step


def equal_signs(gradient, previous, step):
    a, b = np.sign(gradient), np.sign(previous)
    new_step = step * np.where(a == b, 1.2, np.where(a == -b, 0.5, 1.0))
    new_step = np.clip(new_step, 1e-9, 10)
    return np.where(a * b < 0, 0, -a * new_step), new_step


def not_positive_means_turned_no_limits(gradient, previous, step):
    stayed = gradient * previous > 0
    new_step = np.where(stayed, 1.2 * step, 0.5 * step)
    move = np.where(stayed, -np.sign(gradient) * new_step, 0)
    return move, new_step


def old_step_walks_on(gradient, previous, step):
    product = gradient * previous
    new_step = step * 1.0
    new_step[product > 0] = 1.2 * step[product > 0]
    new_step[product < 0] = 0.5 * step[product < 0]
    new_step = np.clip(new_step, 1e-9, 10)
    move = -np.sign(gradient) * step
    return move, new_step


RIGHT = [nested_where, coordinate_by_coordinate, masks]
WRONG = [
    (into_the_callers_array, ["changes the step sizes of the caller in place"]),
    (if_on_an_array, ["uses a plain if on an array, which works for a single coordinate only"]),
    (length_of_the_gradient, ["moves by the gradient times the step instead of its sign times the step"]),
    (equal_signs, ["compares the signs for equality, so two zeros count as a sign that has stayed"]),
    (not_positive_means_turned_no_limits, ["treats a product of zero like a turned sign (halves and stands still)", "forgot the limits of the step sizes"]),
    (old_step_walks_on, ["moves by the old step size instead of the new one", "does not stand still after the sign has turned"]),
]
