"""Answers to the open exercise: data on which PCA with homotopy wins, and some on which not."""

import numpy as np

from ukrlearn import datasets

random = np.random.RandomState(0)
angle = 2 * np.pi * np.arange(40) / 40
circle = np.column_stack([np.cos(angle), np.sin(angle)])


def noise(*shape):
    return random.normal(size=shape)


def square(n):
    """The border of a square, n + 1 points on each side."""
    side = [[k, 0] for k in range(n)] + [[n, k] for k in range(n)]
    return np.array(side + [[n - x, n - y] for x, y in side], dtype=float)


radius = 1 + 0.2 * np.cos(3 * angle)
clover = radius[:, None] * circle + 0.003 * noise(40, 2)
crown = np.column_stack([circle, 0.4 * np.cos(3 * angle)]) + 0.003 * noise(40, 3)

RIGHT = [
    circle + 0.003 * noise(40, 2),
    (square(9) + 0.02 * noise(36, 2)).tolist(),
    clover.astype(np.float32),
    1e4 * crown + 1e5,
    random.permutation(crown),
]  # and the figure of eight, below

half_a_step = np.pi / 40
eight = np.column_stack([np.sin(angle + half_a_step), np.sin(2 * (angle + half_a_step))])
RIGHT.append(eight)
line = np.linspace(-1, 1, 40)
along = np.linspace(-1, 1, 20)

WRONG = [
    ("open_curve", np.column_stack([line, line**2]) + 0.001 * noise(40, 2)),
    ("open_curve", np.column_stack([np.cos(2.5 * line), np.sin(2.5 * line)]) + 0.01 * noise(40, 2)),
    ("open_curve", datasets.noisy_spiral(40, noise=0.02, random_state=0)[0]),
    ("too_close", np.column_stack([along, 0.1 * (-1.0) ** np.arange(20)]) + 0.001 * noise(20, 2)),
    ("mirrored", square(9) * [3, 1]),
    ("lost", circle * [5, 1]),
    ("pieces", np.vstack([circle[::2], circle[::2] + 9]) + 0.01 * noise(40, 2)),
    ("straight", np.column_stack([line, 3 * line, -line]) + 0.01 * noise(40, 3)),
    ("twins", np.repeat(noise(15, 2), 2, axis=0)),
    ("one_place", np.ones((30, 2))),
    ("one_place", np.zeros((30, 3))),
    ("open_curve", 1e200 * np.column_stack([line, line**2])),
    ("too_few", noise(8, 2)),
    ("too_many", datasets.noisy_spiral(300, random_state=0)[0]),
    ("columns", line[:, None]),
    ("columns", noise(30, 5)),
    ("columns", circle.T),
    ("shape", angle),
    ("not_finite", np.column_stack([line, np.where(line < 0, np.nan, line)])),
    ("wrong_type", [["a", "b"]] * 20),
    ("returns_nothing", None),
]


# written with fresh eyes, from the exercise's text alone
along = np.linspace(0, 1, 30)
helix = np.column_stack([np.cos(12 * along), np.sin(12 * along), 4 * along])
snail = along[:, None] * np.column_stack([np.cos(9 * along), np.sin(9 * along)])
grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(5.0)), axis=-1).reshape(-1, 2)
closed_twice = np.linspace(0, 2 * np.pi, 24)  # the last angle is the first


WRONG += [
    ("open_curve", helix),
    ("open_curve", snail),
    ("no_curve", grid),
    ("twins", np.column_stack([np.cos(closed_twice), np.sin(closed_twice)]).round(6)),
    ("columns", np.column_stack([circle, 0 * circle])),
    ("wrong_type", np.exp(1j * angle)[:, None]),
]
