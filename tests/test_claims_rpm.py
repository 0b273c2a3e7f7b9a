"""What the lessons on [RPM] say, on draws that no lesson shows."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from ukrlearn import PrincipalManifold, datasets
from ukrlearn.rpm import robust_coding
from ukrlearn.rpm.kernels import Gaussian

DRAWS = range(900, 906)

# ------------------------------------------------------- lesson 18: the alternation in ten lines

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


@pytest.mark.parametrize("seed", DRAWS)
def test_the_error_rises_in_many_half_steps_and_the_sum_in_none(seed):
    grid = np.linspace(-1, 1, 201)[:, None]
    parts = alternated(centred_arc(seed), 1e-3, lambda: grid)
    assert 13 <= count_of_rises(parts[:, 0]) <= 18
    assert 1 <= count_of_rises(parts[:, 1]) <= 6
    assert count_of_rises(parts.sum(axis=1)) == 0


@pytest.mark.parametrize("seed", DRAWS)
def test_a_lazy_search_raises_the_sum_only_if_it_forgets_the_old_codes(seed):
    random = np.random.default_rng(seed)
    lazy = lambda: random.uniform(-1, 1, (20, 1))
    Y = centred_arc(seed)
    assert count_of_rises(alternated(Y, 1e-3, lazy).sum(axis=1)) == 0
    assert count_of_rises(alternated(Y, 1e-3, lazy, keep=False).sum(axis=1)) >= 6


def test_the_penalties_of_figure_1_collapse_the_curve_beside_the_mean_and_not_beside_the_sum():
    for seed in DRAWS[:3]:
        Y = centred_arc(seed)
        lengths, shares = {}, {}
        for convention in ("mean", "sum"):
            for penalty in (0.1, 4):
                model = PrincipalManifold(
                    penalty=penalty,
                    width=1.0,
                    n_basis=10,
                    penalty_convention=convention,
                    max_iter=20,
                ).fit(Y)
                length = robust_coding.curve_length(model.f_) * model._data.factor
                lengths[convention, penalty] = length
                shares[convention, penalty] = model.boundary_share_
        assert 2.1 < lengths["mean", 0.1] < 2.6 and lengths["mean", 4] < 0.35
        assert lengths["sum", 0.1] > 4.4 and lengths["sum", 4] > 3.3
        assert min(shares["mean", 0.1], shares["mean", 4]) > 0.3
        assert max(shares["sum", 0.1], shares["sum", 4]) < 0.3
