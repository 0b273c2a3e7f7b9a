"""Fresh answers to `break_it`: latent points X, no functions."""
import numpy as np

from ukrlearn import datasets

Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)  # given in the notebook

corners_of_a_simplex = 1000 * np.eye(30)
order_instead_of_rank = 500.0 * np.argsort(t)[:, None]
corners_of_a_cube = 100.0 * np.array([[int(bit) for bit in format(i, "05b")] for i in range(30)])

ranks = np.argsort(np.argsort(t))
true_order_stretched = 500.0 * ranks[:, None]
data_as_latent_points = 1000 * Y
a_bit_too_close = np.linspace(0, 100, 30)[:, None]
both_sides_of_zero = 100.0 * np.abs(np.arange(-15, 15))[:, None]
row_vector = 1000.0 * np.arange(30)[None, :]
counted_like_R = np.array([[1000.0 * i] for i in range(1, 30)])

RIGHT = [corners_of_a_simplex, order_instead_of_rank, corners_of_a_cube]
WRONG = [
    (true_order_stretched, ["stretches the true order of the points, so the model has learnt the spiral"]),
    (data_as_latent_points, ["takes the data themselves for latent points, so neighbours in the data stay neighbours"]),
    (a_bit_too_close, ["puts the latent points too close to each other: R is small, but not below the limit"]),
    (both_sides_of_zero, ["lets pairs of points share a latent place, by an absolute value, so neither is rebuilt exactly"]),
    (row_vector, ["hands in a row instead of a column: one point with thirty latent coordinates"]),
    (counted_like_R, ["takes range(1, 30) for thirty numbers: one point has no latent place"]),
]
