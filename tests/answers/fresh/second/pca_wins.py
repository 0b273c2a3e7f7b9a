"""Fresh answers to `pca_wins`: data Y, no functions."""
import numpy as np

angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
cos, sin = np.cos(angle), np.sin(angle)


def shaken(points, seed):
    noise = 0.03 * np.random.RandomState(seed).normal(size=(40, 3))
    return points + noise[:, : points.shape[1]]


crown = shaken(np.column_stack([cos, sin, 0.4 * np.cos(3 * angle)]), 0)
squeezed_ring = shaken(np.column_stack([1.2 * cos, sin]), 1)
tall_crown = shaken(np.column_stack([cos, sin, 0.6 * np.cos(3 * angle)]), 1)

random = np.random.RandomState(0)
along = np.linspace(0, 1, 36)[:, None]
straight_line = 5 * along * np.array([[1.0, 0.5]]) + 0.02 * random.normal(size=(36, 2))
turns = 4 * np.pi * np.sqrt(0.05 + 0.95 * along)
two_turns = turns / 12 * np.hstack([np.cos(turns), np.sin(turns)])
half_circle = np.hstack([np.cos(np.pi * along), np.sin(np.pi * along)]) + 0.02 * random.normal(size=(36, 2))
drawn_again = crown[random.randint(0, 40, size=40)]
coordinates_in_rows = crown.T
many = np.linspace(0, 2 * np.pi, 100, endpoint=False)
hundred_points = ((1 + 0.5 * np.cos(3 * many)) * np.array([np.cos(many), np.sin(many)])).T

RIGHT = [crown, squeezed_ring, tall_crown]
WRONG = [
    (straight_line, ["takes a straight line, the home ground of PCA, where the rivals find the same order"]),
    (two_turns, ["takes an open spiral, on which the graphs of neighbours are right and PCA folds the turns"]),
    (half_circle, ["takes an open arc, on which all rivals find the order at once"]),
    (drawn_again, ["draws the points of a ring with replacement, so that some of them are equal"]),
    (coordinates_in_rows, ["puts the points into columns: two or three rows"]),
    (hundred_points, ["hands in more points than allowed"]),
]
