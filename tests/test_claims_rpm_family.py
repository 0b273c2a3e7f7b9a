"""What lesson 22 says of [RPM] (1) to (11), on draws that it does not show."""

import numpy as np
import pytest
from sklearn.datasets import load_sample_image

from ukrlearn.blocks.descent import at_most, last
from ukrlearn.rpm import costs, instances
from ukrlearn.rpm.quantization import until_settled

DRAWS = range(500, 508)


@pytest.fixture(scope="module")
def flower():
    return load_sample_image("flower.jpg")[::4, ::4].reshape(-1, 3) / 255


@pytest.fixture(scope="module")
def temple():
    return load_sample_image("china.jpg")[::4, ::4].reshape(-1, 3)[:, [2, 0]] / 255


def some(pixels, seed, N):
    return pixels[np.random.RandomState(seed).permutation(len(pixels))[:N]]


def ended(steps):
    return last(at_most(until_settled(steps, tol=1e-9), 200))


def best_of(starts, number=3):
    return min((ended(starts(seed)) for seed in range(number)), key=lambda step: step.error)


def test_two_lines_describe_the_photograph_better_than_eight_colours_than_one_line(flower):
    for seed in DRAWS[:4]:
        Y = some(flower, seed, 300)
        two_lines = best_of(lambda start, Y=Y: instances.k_planes(Y, 2, 1, random_state=start))
        eight = ended(instances.k_means(Y, 8, random_state=seed))
        one_line = ended(instances.pca(Y, 1, random_state=seed))
        two = ended(instances.k_means(Y, 2, random_state=seed))
        assert two_lines.error < eight.error < one_line.error < two.error


def test_nearly_half_of_the_starts_of_four_colours_end_above_the_best(flower):
    poor = []
    for seed in DRAWS:
        Y = some(flower, seed, 300)
        ends = [ended(instances.k_means(Y, 4, random_state=start)).error for start in range(6)]
        poor.append(np.mean(np.array(ends) > 1.05 * min(ends)))
    assert 0.15 < np.mean(poor) < 0.7


def broken(temple, seed, reading):
    Y = some(temple, seed, 200)
    Y[:20, 0] = reading
    return Y


def tilt(Y, cost):
    slope = ended(instances.pca(Y, 1, cost)).f.B[0]
    return np.degrees(np.arctan2(*slope[::-1])) % 180


def test_broken_readings_turn_the_line_of_squares_five_times_as_far_as_hubers(temple):
    for seed in DRAWS:
        true = tilt(some(temple, seed, 200), costs.squared)
        Y = broken(temple, seed, 2.0)
        assert 13 < true - tilt(Y, costs.squared) < 24
        assert 1.5 < true - tilt(Y, costs.huber(0.1)) < 6


@pytest.mark.parametrize("cost", [costs.squared, costs.l1, costs.huber(0.1)])
def test_with_every_cost_far_readings_get_a_code_of_their_own_and_near_ones_do_not(temple, cost):
    wasted = {}
    for reading in (1.25, 2.0):
        wasted[reading] = 0
        for seed in DRAWS[:4]:
            Y = broken(temple, seed, reading)
            starts = lambda start, Y=Y: instances.k_means(Y, 3, cost, random_state=start)
            Z = best_of(starts, 10).Z
            wasted[reading] += np.array_equal(np.flatnonzero(Z == Z[0]), np.arange(20))
    assert wasted[2.0] == 4 and wasted[1.25] <= 1
