"""Fresh answers to `break_it`."""
import numpy as np

from ukrlearn import datasets

Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)

# right: far apart, in an order (or without any order) that has nothing to do with the data
every_point_its_own_axis = 50 * np.eye(30)

rows_as_they_come = 100.0 * np.arange(30)[:, None]

k = np.arange(30)
far_out_on_a_circle = 1000 * np.column_stack([np.cos(2 * np.pi * 7 * k / 30), np.sin(2 * np.pi * 7 * k / 30)])

# wrong
true_order_far_apart = 100.0 * np.argsort(np.argsort(t))[:, None]

data_times_a_thousand = 1000 * Y

not_far_enough = np.arange(30.0)[:, None]

all_in_one_place = np.zeros((30, 1))

random_places_with_collisions = 100.0 * np.random.RandomState(0).randint(0, 12, size=30)[:, None]

one_row_of_numbers = 100.0 * np.arange(30)[None, :]

RIGHT = [every_point_its_own_axis, rows_as_they_come, far_out_on_a_circle]
WRONG = [
    (true_order_far_apart, ["puts the points in their true order along the spiral: at another scale the neighbours rebuild each other, so X has learnt the order"]),
    (data_times_a_thousand, ["takes the data themselves, enlarged, as latent points: neighbours in data space stay neighbours, so X has learnt them"]),
    (not_far_enough, ["puts the points only one bandwidth apart, so neighbours still mix and R does not vanish"]),
    (all_in_one_place, ["puts all points in one place: nothing is learnt, but every point is rebuilt as the mean and R is the variance"]),
    (random_places_with_collisions, ["draws random places without making sure that no two points share one; points in the same place are rebuilt as their mean"]),
    (one_row_of_numbers, ["hands in one row of 30 numbers (transposed): one point with 30 coordinates instead of 30 points"]),
]
