"""Fresh answers to `pca_wins`."""
import numpy as np


def closed_curve(N, a=0.0, leaves=3, stretch=1.0):
    phi = 2 * np.pi * np.arange(N) / N
    r = 1 + a * np.cos(leaves * phi)
    return np.column_stack([stretch * r * np.cos(phi), r * np.sin(phi)])


# right
ellipse = closed_curve(40, stretch=1.5)

phi = np.linspace(0, 2 * np.pi, 40, endpoint=False)
saddle_rim = np.stack([1.5 * np.cos(phi), np.sin(phi), 0.3 * np.cos(2 * phi)], axis=1)

bent_ring = np.array([[1.5 * np.cos(p), np.sin(p), 0.3 * np.sin(3 * p)] for p in phi])

# wrong
s = np.linspace(0, 1, 30)
half_circle = np.column_stack([np.cos(np.pi * s), np.sin(np.pi * s)])

straight_cloud = np.column_stack([3 * s, 6 * s]) + 0.1 * np.random.RandomState(0).normal(size=(30, 2))

u = np.sqrt(np.linspace(0.1, 1, 40))
spiral = np.column_stack([u * np.cos(4 * np.pi * u), u * np.sin(4 * np.pi * u)])

too_many_points = closed_curve(60, a=0.3)

closed_by_repeating = np.vstack([closed_curve(39, a=0.3), closed_curve(39, a=0.3)[:1]])

one_column_per_point = np.array([np.cos(phi), np.sin(phi)])

RIGHT = [ellipse, saddle_rim, bent_ring]
WRONG = [
    (half_circle, ["hands in an open arc, whose order the nonlinear starts find at once; the curve is not closed"]),
    (straight_cloud, ["hands in a straight noisy line because PCA is made for linear data; there every method finds the same order and PCA gains nothing"]),
    (spiral, ["hands in an open spiral, which the nonlinear starts unroll and the first principal component folds together"]),
    (too_many_points, ["hands in 60 points, more than the 40 allowed"]),
    (closed_by_repeating, ["repeats the first point at the end to close the curve, although no two points may be equal"]),
    (one_column_per_point, ["hands in the points as columns (shape (2, 40), transposed)"]),
]
