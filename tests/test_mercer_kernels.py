"""Mercer kernels and Gram matrices: (16)-(18), appendix C, and scikit-learn's kernels."""

import numpy as np
import pytest
from helpers import assert_close, read_only
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise
from sklearn.preprocessing import KernelCenterer

from ukrlearn import explicit
from ukrlearn.blocks import mercer_kernels

random = np.random.default_rng(0)
Y, Z = read_only(random.normal(size=(9, 4)), random.normal(size=(5, 4)))


@pytest.mark.parametrize("name", ["linear", "l1"])
def test_gram_matrices_are_those_of_the_loops(name):
    kernel, twin = getattr(mercer_kernels, name), getattr(explicit, name)
    assert_close(kernel(Y), explicit.gram_matrix(twin, Y))
    assert_close(kernel(Y, Z), explicit.gram_matrix(twin, Y, Z))
    assert mercer_kernels.by_name[name] is kernel


def test_gaussian_is_scikit_learns():
    for width in (0.5, 1.0, 3.0):
        gamma = 1 / (2 * width**2)
        assert_close(mercer_kernels.gaussian(Y, width=width), pairwise.rbf_kernel(Y, gamma=gamma))
        actual = mercer_kernels.gaussian(Y, Z, width)
        assert_close(actual, pairwise.rbf_kernel(Y, Z, gamma=gamma))
    assert np.array_equal(mercer_kernels.gaussian(Y), mercer_kernels.gaussian(Y, width=1.0))


def test_squared_distance_in_the_l1_feature_space_is_the_l1_distance():
    G, cross = mercer_kernels.l1(Y), mercer_kernels.l1(Y, Z)
    own, own_other = np.diagonal(G), np.diagonal(mercer_kernels.l1(Z))
    expected = cdist(Y, Y, "cityblock")
    assert_close(mercer_kernels.squared_distances(G, own), expected)  # (18)
    between = mercer_kernels.squared_distances(cross, own, own_other)
    assert_close(between, cdist(Y, Z, "cityblock"))
    # The same from coordinates in that feature space.
    values, vectors = np.linalg.eigh(G)
    Phi = vectors * np.sqrt(values.clip(min=0))
    assert_close(cdist(Phi, Phi) ** 2, expected, rtol=1e-10)


def test_squared_distances_never_fall_below_zero_by_rounding():
    near = np.full((2, 3), 1 / 3) + 1e-9 * np.arange(2)[:, None]
    G = near @ near.T
    assert np.all(mercer_kernels.squared_distances(G, np.diagonal(G)) >= 0)
    G = np.array([[1.0, 1.1], [1.1, 1.0]])
    assert mercer_kernels.squared_distances(G, np.ones(2))[0, 1] == 0


@pytest.mark.parametrize("reference", [0, 3])
def test_cpd_to_pd_is_that_of_the_loops_and_puts_the_reference_at_the_origin(reference):
    C = -cdist(Y, Y, "cityblock")
    G = mercer_kernels.positive_definite_from_conditional(C, reference)
    assert_close(G, explicit.positive_definite_from_conditional(C, reference))
    assert np.all(G[reference] == 0) and np.all(G[:, reference] == 0)
    assert np.linalg.eigvalsh(G).min() > -1e-12
    own = np.diagonal(G)
    assert_close(mercer_kernels.squared_distances(G, own), cdist(Y, Y, "cityblock"))
    if reference == 0:
        assert np.array_equal(G, mercer_kernels.positive_definite_from_conditional(C))


def test_l1_kernel_is_37_with_the_origin_as_reference():
    with_origin = np.vstack([np.zeros(4), Y])
    C = -cdist(with_origin, with_origin, "cityblock")
    G = mercer_kernels.positive_definite_from_conditional(C)
    assert_close(G[1:, 1:], mercer_kernels.l1(Y))  # appendix C


def test_centred_is_scikit_learns_and_h_g_h():
    G = mercer_kernels.gaussian(Y) + random.normal(size=9)[:, None]
    G = (G + G.T) / 2
    H = np.eye(9) - 1 / 9
    assert_close(mercer_kernels.centred(G), H @ G @ H)
    assert_close(mercer_kernels.centred(G), KernelCenterer().fit_transform(G.copy()))
    assert_close(mercer_kernels.centred(Y @ Y.T), (Y - Y.mean(axis=0)) @ (Y - Y.mean(axis=0)).T)
