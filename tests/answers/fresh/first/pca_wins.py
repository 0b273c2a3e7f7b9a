"""Fresh answers to `pca_wins`."""
import numpy as np

# right: a clover leaf, unevenly sampled
uneven = np.random.RandomState(52)
phi = np.linspace(0, 2 * np.pi, 40, endpoint=False) + uneven.uniform(-0.05, 0.05, 40)
radius = 1 + 0.3 * np.cos(3 * phi)
clover = np.column_stack([radius * np.cos(phi), radius * np.sin(phi)])

# right: a crown in space
uneven = np.random.RandomState(93)
angle = np.linspace(0, 2 * np.pi, 36, endpoint=False) + uneven.uniform(-0.05, 0.05, 36)
crown = np.stack([np.cos(angle), np.sin(angle), 0.4 * np.cos(3 * angle)], axis=1)

# right: a lower crown, point by point
uneven = np.random.RandomState(70)
low_crown = []
for k, push in enumerate(uneven.uniform(-0.05, 0.05, 40)):
    a = 2 * np.pi * k / 40 + push
    low_crown.append([np.cos(a), np.sin(a), 0.3 * np.cos(3 * a)])
low_crown = np.array(low_crown)

# wrong
half = np.linspace(0, np.pi, 30)
arc = np.stack([np.cos(half), np.sin(half)], axis=1)

s = np.linspace(0, 1, 30)
line = np.stack([2 * s, s], axis=1)
spiral = np.stack([s * np.cos(9 * s), s * np.sin(9 * s)], axis=1)

many = np.linspace(0, 2 * np.pi, 80, endpoint=False)
large_crown = np.stack([np.cos(many), np.sin(many), 0.4 * np.cos(3 * many)], axis=1)

closed_clover = np.vstack([clover[:39], clover[:1]])

random = np.random.RandomState(5)
cigar = random.normal(size=(36, 2)) * [2, 0.3]

RIGHT = [clover, crown, low_crown]
WRONG = [
    (arc, ["takes an open arc, where all rivals find the right order at once"]),
    (line, ["takes a straight line, on which PCA is exact, but the rivals are so too"]),
    (spiral, ["takes a spiral, where the first principal component mixes the turns and the rivals follow them"]),
    (large_crown, ["hands in more than 40 points"]),
    (closed_clover, ["closes the curve by repeating its first point, so that two points are equal"]),
    (cigar, ["takes a long noisy cloud, where PCA has a good direction, but the rivals find it just as well"]),
]
