"""Fresh answers to `break_it`."""
import numpy as np

from ukrlearn import datasets

Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)

# right: every point in a corner of its own, all equally far from each other
corners = 20 * np.eye(30)

# right: far apart on a circle of the plane, in a drawn order
drawn = np.random.RandomState(3).permutation(30)
circle = 100 * np.stack([np.cos(2 * np.pi * drawn / 30), np.sin(2 * np.pi * drawn / 30)], axis=1)

# right: random directions in many dimensions
cloud = np.random.default_rng(5).normal(size=(30, 400))

# wrong
true_order = 1000.0 * np.argsort(np.argsort(t))[:, None]
copied_data = 1000.0 * Y
too_close = np.random.RandomState(3).permutation(30)[:, None].astype(float)
one_place = np.zeros((30, 2))
two_on_one = 100.0 * np.random.RandomState(0).randint(0, 30, size=(30, 1))
row = 10.0 * np.random.RandomState(3).permutation(30)[None, :]

RIGHT = [corners, circle, cloud]
WRONG = [
    (true_order, ["places the points in their true order along the spiral: far apart, but the order is learnt"]),
    (copied_data, ["uses the data themselves, blown up, as latent points: neighbours in the data are neighbours in X"]),
    (too_close, ["a drawn order, but the latent points are only one bandwidth apart, so that R is not small"]),
    (one_place, ["puts all latent points at one place: nothing is learnt, but every point is rebuilt by the mean"]),
    (two_on_one, ["draws places far apart, but with repetition: some points share one place and are rebuilt by their mean"]),
    (row, ["hands in one row of 30 columns instead of 30 rows"]),
]
