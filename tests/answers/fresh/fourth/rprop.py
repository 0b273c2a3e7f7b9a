"""Fresh answers to `rprop`."""
import numpy as np


def right_where(gradient, previous, step):
    product = np.sign(gradient) * np.sign(previous)
    new_step = np.where(product > 0, 1.2 * step, np.where(product < 0, 0.5 * step, step))
    new_step = np.clip(new_step, 1e-9, 10)
    move = np.where(product < 0, 0, -np.sign(gradient) * new_step)
    return move, new_step


def right_loops(gradient, previous, step):
    move, new_step = np.zeros(gradient.shape), np.zeros(gradient.shape)
    for index in np.ndindex(*gradient.shape):
        g, old, s = gradient[index], previous[index], step[index]
        same = (g > 0 and old > 0) or (g < 0 and old < 0)
        turned = (g > 0 and old < 0) or (g < 0 and old > 0)
        if same:
            s = 1.2 * s
        elif turned:
            s = 0.5 * s
        s = min(max(s, 1e-9), 10.0)
        new_step[index] = s
        if not turned:
            move[index] = -s if g > 0 else s if g < 0 else 0.0
    return move, new_step


def right_table(gradient, previous, step):
    case = (np.sign(gradient) * np.sign(previous)).astype(int) + 1
    new_step = np.minimum(np.maximum(np.array([0.5, 1.0, 1.2])[case] * step, 1e-9), 10)
    return -np.sign(gradient) * new_step * np.array([0, 1, 1])[case], new_step


def writes_into_step(gradient, previous, step):
    prod = gradient * previous
    step[prod > 0] *= 1.2
    step[prod < 0] *= 0.5
    np.clip(step, 1e-9, 10, out=step)
    move = -np.sign(gradient) * step
    move[prod < 0] = 0
    return move, step


def moves_by_old_step(gradient, previous, step):
    s = gradient * previous
    factor = np.where(s > 0, 1.2, np.where(s < 0, 0.5, 1.0))
    new_step = np.clip(factor * step, 1e-9, 10)
    move = -np.sign(gradient) * step
    move[s < 0] = 0
    return move, new_step


def times_the_gradient(gradient, previous, step):
    new_step = step.copy()
    new_step[gradient * previous > 0] *= 1.2
    new_step[gradient * previous < 0] *= 0.5
    new_step = np.clip(new_step, 1e-9, 10)
    move = np.where(gradient * previous < 0, 0, -gradient * new_step)
    return move, new_step


def if_on_arrays(gradient, previous, step):
    if gradient * previous > 0:
        new_step = np.clip(1.2 * step, 1e-9, 10)
        move = -np.sign(gradient) * new_step
    elif gradient * previous < 0:
        new_step = np.clip(0.5 * step, 1e-9, 10)
        move = np.zeros(gradient.shape)
    else:
        new_step = np.clip(step, 1e-9, 10)
        move = -np.sign(gradient) * new_step
    return move, new_step


def one_decision_per_point(gradient, previous, step):
    move, new_step = np.zeros_like(gradient), np.zeros_like(step)
    for n in range(len(gradient)):
        agree = gradient[n] @ previous[n]
        if agree > 0:
            new_step[n] = 1.2 * step[n]
        elif agree < 0:
            new_step[n] = 0.5 * step[n]
        else:
            new_step[n] = step[n]
        if agree >= 0:
            move[n] = -np.sign(gradient[n]) * new_step[n]
    return move, new_step


def zero_grows_and_uphill(gradient, previous, step):
    p = gradient * previous
    new_step = np.where(p >= 0, 1.2 * step, 0.5 * step)
    new_step = np.clip(new_step, 1e-9, 10)
    move = np.sign(gradient) * new_step * (p >= 0)
    return move, new_step


RIGHT = [right_where, right_loops, right_table]
WRONG = [
    (writes_into_step, ["writes the new step sizes into the caller's array `step`"]),
    (moves_by_old_step, ["moves by the old step size instead of the new one"]),
    (times_the_gradient, ["multiplies the step size by the gradient itself instead of its sign, so the length of the gradient counts"]),
    (if_on_arrays, ["compares whole arrays in an `if`, so it works for a single coordinate only (error for larger arrays)"]),
    (one_decision_per_point, ["decides once per point, by the inner product of the two gradients, instead of for each coordinate", "forgot the limits 1e-9 and 10"]),
    (zero_grows_and_uphill, ["treats the case g g' = 0 like an unchanged sign: the step size grows", "moves along the gradient (uphill): the minus sign is missing"]),
]
