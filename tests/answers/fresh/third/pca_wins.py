"""Fresh answers to `pca_wins`."""
import numpy as np

random = np.random.RandomState(0)
angle = np.linspace(0, 2 * np.pi, 40, endpoint=False) + 0.3
u = np.linspace(0, 1, 30)

# a clover leaf
radius = 1 + 0.4 * np.cos(3 * angle)
clover = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])

# a crown in space
crown = np.array([[np.cos(a), np.sin(a), 0.4 * np.cos(3 * a)] for a in angle])

# a closed rope with three waves in the plane and three in height, a bit shaky
phi = angle[:38] * 40 / 38
r = 1 + 0.3 * np.sin(3 * phi)
rope = np.stack([r * np.cos(phi), r * np.sin(phi), 0.3 * np.cos(3 * phi)], axis=1)
rope += 0.01 * random.normal(size=rope.shape)

spring = np.column_stack([np.cos(9 * u), np.sin(9 * u), 3 * u])

horseshoe = np.column_stack([np.cos(5.5 * u), np.sin(5.5 * u)])

many = np.linspace(0, 2 * np.pi, 60, endpoint=False) + 0.3
clover_of_sixty = (1 + 0.4 * np.cos(3 * many))[:, None] * np.column_stack([np.cos(many), np.sin(many)])

every_point_twice = np.repeat(clover[::2], 2, axis=0)

crown_in_rows = np.array([np.cos(angle), np.sin(angle), 0.4 * np.cos(3 * angle)])

two_rails = np.concatenate([np.column_stack([u[::2], np.zeros(15)]), np.column_stack([u[::2], np.full(15, 0.5)])])

RIGHT = [clover, crown, rope]
WRONG = [
    (spring, ["takes an open curve in space, on which the rivals find the order at once"]),
    (horseshoe, ["leaves a wide gap in the ring, so the curve is open and the rivals need no cut"]),
    (clover_of_sixty, ["hands in 60 points where at most 40 are allowed"]),
    (every_point_twice, ["hands in each point twice, though no two points may be equal"]),
    (two_rails, ["takes two parallel lines, which PCA lays on top of each other"]),
    (crown_in_rows, ["hands in the transpose: points in columns instead of rows"]),
]
