"""Fresh answers to `rprop`."""
import numpy as np


def by_where(gradient, previous, step):
    s = np.sign(gradient) * np.sign(previous)
    new_step = np.where(s > 0, 1.2 * step, np.where(s < 0, 0.5 * step, step))
    new_step = np.clip(new_step, 1e-9, 10)
    move = np.where(s < 0, 0.0, -np.sign(gradient) * new_step)
    return move, new_step


def coordinate_by_coordinate(gradient, previous, step):
    N, q = gradient.shape
    move, new_step = np.zeros((N, q)), np.zeros((N, q))
    for n in range(N):
        for l in range(q):
            g, old, s = gradient[n, l], previous[n, l], step[n, l]
            turned = (g > 0 and old < 0) or (g < 0 and old > 0)
            if turned:
                s = 0.5 * s
            elif g != 0 and old != 0:
                s = 1.2 * s
            s = min(max(s, 1e-9), 10.0)
            new_step[n, l] = s
            if not turned and g != 0:
                move[n, l] = -s if g > 0 else s
    return move, new_step


def by_table(gradient, previous, step):
    case = (np.sign(gradient) * np.sign(previous)).astype(int) + 1
    new_step = step * np.array([0.5, 1.0, 1.2])[case]
    new_step = np.minimum(np.maximum(new_step, 1e-9), 10)
    move = -np.sign(gradient) * new_step
    move[case == 0] = 0
    return move, new_step


def into_step(gradient, previous, step):
    product = np.sign(gradient * previous)
    step[product > 0] *= 1.2
    step[product < 0] *= 0.5
    np.clip(step, 1e-9, 10, out=step)
    move = -np.sign(gradient) * step
    move[product < 0] = 0
    return move, step


def old_step_moves(gradient, previous, step):
    product = gradient * previous
    factor = np.where(product > 0, 1.2, 1.0)
    factor = np.where(product < 0, 0.5, factor)
    new_step = np.clip(factor * step, 1e-9, 10)
    move = -np.sign(gradient) * step
    move[product < 0] = 0
    return move, new_step


def case_of_the_point(gradient, previous, step):
    agree = np.sum(gradient * previous, axis=1, keepdims=True)
    factor = np.where(agree > 0, 1.2, np.where(agree < 0, 0.5, 1.0))
    new_step = np.clip(step * factor, 1e-9, 10)
    move = -np.sign(gradient) * new_step * (agree >= 0)
    return move, new_step


def limits_at_the_end(gradient, previous, step):
    p = gradient * previous
    new_step = step.copy()
    new_step[p > 0] = 1.2 * step[p > 0]
    new_step[p < 0] = 0.5 * step[p < 0]
    move = -np.sign(gradient) * new_step
    move[p < 0] = 0
    new_step = np.clip(new_step, 1e-9, 10)
    return move, new_step


def times_gradient(gradient, previous, step):
    same = gradient * previous > 0
    new_step = np.where(same, 1.2 * step, 0.5 * step)
    new_step = np.clip(new_step, 1e-9, 10)
    move = np.where(same, -gradient * new_step, 0)
    return move, new_step


def rushes_on(gradient, previous, step):
    new_step = np.empty(step.shape)
    for i in np.ndindex(*step.shape):
        product = gradient[i] * previous[i]
        if product > 0:
            new_step[i] = 1.2 * step[i]
        elif product < 0:
            new_step[i] = 0.5 * step[i]
        else:
            new_step[i] = step[i]
    return -np.sign(gradient) * new_step, new_step


RIGHT = [by_where, coordinate_by_coordinate, by_table]
WRONG = [
    (into_step, ["writes the new step sizes into `step`, which belongs to the caller"]),
    (old_step_moves, ["moves by the old step size instead of the new one"]),
    (case_of_the_point, ["decides the case once for each point, by the inner product of its two gradients, instead of for each coordinate"]),
    (limits_at_the_end, ["limits the step sizes only after the move has been computed"]),
    (times_gradient, ["moves by the gradient times the step size instead of by its sign",
                      "treats a product of zero like a turned sign: halves the step and stands still"]),
    (rushes_on, ["does not stand still after the sign has turned", "forgot the limits of the step sizes"]),
]
