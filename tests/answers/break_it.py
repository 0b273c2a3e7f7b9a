"""Answers to the open exercise: latent points that break R, and some that don't."""

import numpy as np

from ukrlearn import datasets

Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)
random = np.random.RandomState(5)
place = t.argsort().argsort()  # in the true order
shuffled = random.permutation(30)

by_the_file = [[100 * n] for n in range(30)]  # the rows come in no order
on_a_sheet = 40 * np.stack(np.divmod(shuffled, 6), axis=1)
jumping = 1e6 * (13 * (place + 1) % 31)[:, None]  # each neighbour is thirteen places away
growing = np.float32(2.0) ** np.arange(3, 33, dtype=np.float32)[:, None]
in_many_dimensions = 8 * np.eye(30)

RIGHT = [
    10.0 * shuffled[:, None],
    by_the_file,
    on_a_sheet,
    jumping,
    growing,
    in_many_dimensions,
]

close_pair = 10.0 * shuffled[:, None]
close_pair[shuffled == 3] = 41.0

half_shuffled = place.copy()
half_shuffled[place < 10] = random.permutation(10)

WRONG = [
    ("within_reach", 1.0 * shuffled[:, None]),
    ("within_reach", 3.0 * place[:, None]),
    ("shrunk", shuffled[:, None] / 1000),
    ("shrunk", 1e-12 * shuffled[:, None]),
    ("one_place", np.full((30, 1), 1e9)),
    ("one_place", np.empty((30, 0))),
    ("twins", 100 * random.randint(0, 30, size=(30, 1))),
    ("a_few_left", close_pair),
    ("in_order", 10.0 * place[:, None]),
    ("in_order", 1e5 * t[:, None]),
    ("in_order", 2e3 * np.arctan2(Y[:, 1], Y[:, 0])[:, None]),
    ("copied", 1e4 * Y),
    ("copied", 1e4 * Y @ np.array([[0.0, 1.0, 1.0], [-1.0, 0.0, 2.0]])),
    ("half_learnt", 10 * half_shuffled[:, None]),
    ("astronomical", 1e200 * shuffled[:, None]),
    ("not_finite", np.where(shuffled == 7, np.inf, shuffled)[:, None]),
    ("shape", 10.0 * shuffled),
    ("shape", 10.0 * shuffled[None]),
    ("wrong_type", lambda Y: 10 * shuffled[:, None]),
    ("returns_nothing", None),
]


# written with fresh eyes, from the exercise's text alone
groups = np.empty((30, 1))  # pairs of neighbours, the pairs far apart in a random order
groups[t.argsort(), 0] = (1e5 * random.permutation(15)[:, None] + [0, 100.0]).ravel()
two_exchanged = 1e3 * place[:, None]
two_exchanged[[0, 1]] = two_exchanged[[1, 0]]


WRONG += [
    ("in_order", groups),
    ("half_learnt", two_exchanged),
    ("within_reach", np.eye(30)),
    ("a_few_left", 2.0 ** np.arange(30)[:, None] / 100),
    ("in_order", 1e3 * np.column_stack([random.normal(size=(30, 2)), 100 * t])),
    ("shape", 100.0 * np.arange(1, 30)[:, None]),
]
