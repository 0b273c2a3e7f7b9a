"""Fresh answers to `break_it`."""
import numpy as np
from ukrlearn import datasets

Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)

# right: every point on an axis of its own
simplex = 20 * np.eye(30)

# right: far away in random directions of a big space
cloud = 200 * np.random.default_rng(5).normal(size=(30, 300))

# right: one column, in the order in which the points came
as_they_came = 50.0 * np.arange(30).reshape(-1, 1)

true_order_stretched = 3000 * t[:, None]
neighbours_one_apart = np.arange(30.0)[:, None]
the_data_themselves = 300 * Y
coordinates_in_rows = 100 * np.random.default_rng(1).permutation(60).reshape(2, 30).astype(float)
six_heaps = 50.0 * (np.arange(30) % 6)[:, None]
one_place = np.zeros((30, 1))

RIGHT = [simplex, cloud, as_they_came]
WRONG = [
    (true_order_stretched, ["takes the true order of the points, so R is zero but leave-one-out is small at a suitable scale: something was learnt"]),
    (neighbours_one_apart, ["puts the latent points too near to each other, so neighbours help and R is not zero"]),
    (the_data_themselves, ["uses the data as latent points, so near points have near latent points: something was learnt"]),
    (coordinates_in_rows, ["hands in the transpose: points in columns instead of rows"]),
    (six_heaps, ["gives several points the same latent point, so they are rebuilt as their mean and R is not zero"]),
    (one_place, ["thinks that nothing is learnt is enough: all latent points at the same place, R is the variance"]),
]
