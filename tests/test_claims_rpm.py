"""What the lessons on [RPM] say, on draws that no lesson shows."""

import numpy as np
import pytest
from helpers import each
from scipy.spatial.distance import cdist

from ukrlearn import datasets, metrics
from ukrlearn.blocks import descent
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.rpm import adaptation
from ukrlearn.rpm.index_sets import Box
from ukrlearn.rpm.kernels import Gaussian
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold, start_from

DRAWS = range(900, 906)

# ------------------------------------------------------- lesson 23: the alternation in ten lines

NODES = np.linspace(-1, 1, 10)[:, None]
KERNEL = Gaussian(1.0)
K_Z = KERNEL(NODES, NODES)


def alternated(Y, penalty, places, keep=True, rounds=20):
    """Error and penalty after each half step, as the lesson computes them."""
    v = np.linalg.svd(Y, full_matrices=False)[2][:1]
    line = 2 * np.std(Y @ v.T) * NODES @ v
    alpha = np.linalg.solve(penalty * 5 * np.eye(10) + K_Z, line)  # (35)
    zeta, parts = None, []
    for half_step in range(2 * rounds):
        if half_step % 2:
            K = KERNEL(zeta, NODES)
            A = penalty * len(Y) / 2 * K_Z + K.T @ K
            alpha = np.linalg.lstsq(A, K.T @ Y, rcond=1e-14)[0]  # (33)
        else:
            tried = places()
            costs = cdist(Y, KERNEL(tried, NODES) @ alpha, "sqeuclidean")
            found = tried[costs.argmin(axis=1)]
            if keep and zeta is not None:
                old = np.sum((Y - KERNEL(zeta, NODES) @ alpha) ** 2, axis=1)
                found = np.where((old < costs.min(axis=1))[:, None], zeta, found)
            zeta = found
        error = np.mean(np.sum((Y - KERNEL(zeta, NODES) @ alpha) ** 2, axis=1))
        parts.append((error, penalty / 2 * np.vdot(alpha, K_Z @ alpha)))
    return np.array(parts)


def centred_arc(seed, N=300):
    Y, _ = datasets.noisy_arc(N, noise=0.1, random_state=seed)
    return Y - Y.mean(axis=0)


def count_of_rises(values):
    return int(np.sum(np.diff(values) > 1e-12))


@each("seed", DRAWS)
def test_the_error_rises_in_many_half_steps_and_the_sum_in_none(seed):
    grid = np.linspace(-1, 1, 201)[:, None]
    parts = alternated(centred_arc(seed), 1e-3, lambda: grid)
    assert 13 <= count_of_rises(parts[:, 0]) <= 18
    assert 1 <= count_of_rises(parts[:, 1]) <= 6
    assert count_of_rises(parts.sum(axis=1)) == 0


@each("seed", DRAWS)
def test_a_lazy_search_raises_the_sum_only_if_it_forgets_the_old_codes(seed):
    random = np.random.default_rng(seed)
    lazy = lambda: random.uniform(-1, 1, (20, 1))
    Y = centred_arc(seed)
    assert count_of_rises(alternated(Y, 1e-3, lazy).sum(axis=1)) == 0
    assert count_of_rises(alternated(Y, 1e-3, lazy, keep=False).sum(axis=1)) >= 6


# ------------------------------------------------------------- lesson 24: how stiff it should be


def fitted(Y, kernel, penalty, M, fit_of=adaptation.quadratic, X=None):
    codes = Box(1)
    nodes = codes.lattice(M)
    fit = fit_of(Basis(kernel, nodes), penalty)
    start = None if X is None else start_from(X, Y, codes, fit)
    steps = principal_manifold(Y, codes, fit, nodes, start=start)
    return descent.last(descent.at_most(steps, 40)).f


@pytest.mark.parametrize("seed", DRAWS[:2])
def test_the_sparse_regulariser_uses_few_bumps_and_does_not_turn_with_the_data(seed):
    Y = centred_arc(seed, 150)
    turn = np.array([[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]])
    line, off = np.linspace(-1, 1, 50)[:, None], {}
    for fit_of in (adaptation.quadratic, adaptation.linear):
        f, turned = (fitted(y, Gaussian(0.5), 1e-3, 40, fit_of) for y in (Y, Y @ turn))
        off[fit_of] = np.abs(f(line) @ turn - turned(line)).max()
    assert off[adaptation.quadratic] < 1e-6 and off[adaptation.linear] > 1e-3
    assert np.any(f.alpha, axis=1).sum() <= 12


@pytest.mark.parametrize("seed", DRAWS[:2])
def test_bandwidth_and_penalty_come_equally_near_to_a_spiral_at_their_best(seed):
    Y, t = datasets.noisy_spiral(200, noise=0.05, random_state=seed)
    clean, X = datasets.spiral_curve(np.linspace(0, 1, 600)), 2 * t[:, None] - 1
    line = np.linspace(-1, 1, 601)[:, None]
    near = metrics.distance_to_curve
    apart = lambda curve: (near(clean, curve) + near(curve, clean)) / 2 / 0.05
    by_bandwidth = min(apart(predict(line / h, X / h, Y)) for h in np.geomspace(0.008, 0.06, 12))
    by_penalty = min(apart(fitted(Y, Gaussian(0.1), p, 60, X=X)(line)) for p in (1e-4, 1e-3))
    assert 0.15 < by_penalty < 0.45 and 0.2 < by_bandwidth < 0.45
