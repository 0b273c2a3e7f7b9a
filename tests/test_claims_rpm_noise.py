"""What lessons 25 and 26 say of [RPM] sections 6 and 7, on draws that no lesson shows."""

import numpy as np
import pytest

from ukrlearn import datasets
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.rpm import adaptation, gtm, kernels, learning_rates, robust_coding
from ukrlearn.rpm.index_sets import Box
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold, start_on_axes
from ukrlearn.rpm.quantization import quantize

CODES = Box(1)
BASIS = Basis(kernels.Gaussian(1.0), CODES.lattice(10))
FIT = adaptation.quadratic(BASIS, 1e-3)
DRAWS = range(300, 304)


@pytest.fixture(scope="module", params=DRAWS)
def arc(request):
    """Data, a principal curve, and the codes of the data on it."""
    Y, _ = datasets.noisy_arc(100, random_state=request.param)
    f = last(at_most(principal_manifold(Y, CODES, FIT, BASIS.nodes), 30)).f
    return Y, f, CODES.project(f, Y).Z


def test_who_codes_best_turns_round_under_noise(arc):
    Y, f, Z = arc
    curves = [(f, Z)]
    for order in (2, 3, 4):
        filling = robust_coding.space_filling(Y, order)
        curves.append((filling, filling.nearest(Y)))
    xi = 0.05 * np.random.RandomState(0).normal(size=(60, 1))
    errors = lambda noise: [robust_coding.noisy_distortion(g, z, Y, noise) for g, z in curves]
    smooth, coarse, middle, fine = errors(0 * xi[:1])
    assert fine < middle < smooth < coarse
    assert np.all(np.diff(errors(xi)) > 0)  # smooth, coarse, middle, fine


def test_gtm_finds_the_noise_of_the_arc():
    for seed in DRAWS:
        Y, _ = datasets.noisy_arc(150, random_state=seed)
        start = start_on_axes(Y, CODES, FIT, BASIS.nodes)
        end = last(at_most(gtm.gtm(Y, start, CODES.lattice(61), BASIS), 40))
        assert 0.08 < np.sqrt(end.noise_variance) < 0.12


@pytest.mark.parametrize("q", [1, 2])
def test_the_excess_error_falls_about_like_one_over_m(q):
    random = np.random.RandomState(17)
    t = random.uniform(-1, 1, (500, q))
    Y = np.column_stack([t, 0.6 * np.cos(2 * t).sum(axis=1)])
    Y += 0.15 * random.normal(size=Y.shape)
    basis = Basis(kernels.Gaussian(1.0), Box(q).lattice({1: 6, 2: 4}[q]))
    fit = adaptation.quadratic(basis, 1e-3)

    def fitted(Y, f, rounds):
        return last(at_most(quantize(Y, f, Box(q), fit), 2 * rounds)).f

    risk = lambda f: Box(q).project(f, Y, moves=3).costs.mean() + f.penalty
    best = fitted(Y, start_on_axes(Y, Box(q), fit, basis.nodes), 40)
    sizes = (30, 90, 270)
    draw = lambda m: fitted(Y[random.randint(len(Y), size=m)], best, 8)
    errors = np.array([[risk(draw(m)) for _ in range(8)] for m in sizes])
    assert errors.min() >= risk(best) * (1 - 1e-3)
    assert -1.7 < learning_rates.excess_slope(sizes, errors, risk(best)) < -0.6


def test_the_numbers_of_points_at_which_rates_overtake_are_as_lesson_26_says():
    spectrum = learning_rates.spectrum(kernels.Gaussian(1.0), points=120)
    assert learning_rates.exponential_decay(spectrum)[2] == pytest.approx(1.42, abs=0.005)
    assert learning_rates.overtakes(1.0) == pytest.approx(24_100_000, rel=0.01)
    assert learning_rates.overtakes(2.0) == pytest.approx(41_800, rel=0.01)
