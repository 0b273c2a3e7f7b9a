"""Density kernels: against loops, against differences, and the diagnoses of `check_kernel`."""

import pickle
from dataclasses import replace
from math import inf, pi

import numpy as np
import pytest
from helpers import TWINS, every_compact_kernel, every_kernel, gaussian, quartic, steep, student
from scipy import stats

from ukrlearn.blocks import density_kernels
from ukrlearn.blocks.density_kernels import DensityKernel, check_kernel, student_with

t = np.linspace(0, 9, 37)


@every_kernel
def test_value_and_slope_are_those_of_the_loops(kernel):
    K, slope = TWINS[kernel]
    np.testing.assert_allclose(kernel(t), [K(s) for s in t], rtol=1e-14)
    np.testing.assert_allclose(kernel.slope(t), [slope(s) for s in t], rtol=1e-14)


@every_kernel
def test_steepness_is_minus_two_slopes_and_may_overwrite_t(kernel):
    K, steepness = kernel.with_steepness(t.copy())
    np.testing.assert_allclose(K, kernel(t), rtol=1e-14)
    np.testing.assert_allclose(steepness, -2 * kernel.slope(t), rtol=1e-14)


def test_the_gaussian_is_cut_off_only_where_nothing_can_be_seen_of_it():
    far = np.array([0.0, 3.0, 700.0, 1150.0, 1201.0, 1e5, inf])
    value, steepness = gaussian.with_steepness(far.copy())
    assert steepness is value
    np.testing.assert_allclose(value[:4], gaussian(far[:4]), rtol=1e-10)
    assert np.all(value[4:] == 0)
    assert gaussian.with_steepness(np.empty((0, 3)))[0].shape == (0, 3)


def test_kernel_itself_does_not_overwrite_t():
    for kernel in TWINS:
        before = t.copy()
        kernel(before), kernel.slope(before)
        assert np.array_equal(before, t)


@every_kernel
def test_k_falls_from_k_of_zero_and_is_nowhere_negative(kernel):
    assert kernel.at_zero == TWINS[kernel][0](0.0)
    assert isinstance(kernel.at_zero, float)
    K = kernel(np.append(t, [1e5, 1e300, inf]))
    assert K[0] == kernel.at_zero
    assert np.all(np.diff(K) <= 0) and np.all(K >= 0) and K[-1] == 0


@every_compact_kernel
def test_compact_kernels_end_at_their_radius(kernel):
    assert kernel.compact
    assert kernel(kernel.radius**2) == 0
    assert kernel(0.999 * kernel.radius**2) > 0


def test_gaussian_and_student_have_no_end():
    assert not gaussian.compact and not student.compact
    assert not quartic.exponential and not student.exponential and gaussian.exponential


def test_scalars_and_integers_are_taken():
    assert quartic(0) == 1 and gaussian(2) == np.exp(-1) and student([[1, 3]]).shape == (1, 2)


def test_student_is_the_t_density_and_tends_to_the_gaussian():
    x = np.linspace(-4, 4, 30)
    for nu in (0.5, 1.0, 3.0):
        expected = stats.t.pdf(x, nu) / stats.t.pdf(0, nu)
        np.testing.assert_allclose(student_with(nu)(x**2), expected, rtol=1e-12)
    np.testing.assert_allclose(student_with(1e9)(t), gaussian(t), rtol=1e-7)
    assert student == student_with(1.0) or student(t).tolist() == student_with(1.0)(t).tolist()
    assert student_with(2.5).name == "student(2.5)"
    for nu in (0, -1.0, np.nan):
        with pytest.raises(ValueError, match="nu must be above 0 and finite; got nu="):
            student_with(nu)


def test_gaussian_is_the_normal_density_up_to_its_constant():
    x = np.linspace(-4, 4, 30)
    np.testing.assert_allclose(gaussian(x**2) / np.sqrt(2 * pi), stats.norm.pdf(x), rtol=1e-13)


def test_quartic_is_the_square_of_epanechnikov():
    epanechnikov = np.where(t < 1, 1 - t, 0)
    np.testing.assert_allclose(quartic(t), epanechnikov**2, rtol=1e-14)  # (20)


@every_kernel
def test_kernels_pickle_compare_and_stay_as_they_are(kernel):
    if "<lambda>" not in repr(kernel):
        again = pickle.loads(pickle.dumps(kernel))
        assert np.array_equal(again(t), kernel(t))
    assert replace(kernel) == kernel
    with pytest.raises(AttributeError):
        kernel.radius = 3.0


def test_built_in_kernels_have_their_names():
    made = {n: k for n, k in vars(density_kernels).items() if isinstance(k, DensityKernel)}
    assert density_kernels.by_name == made
    assert all(kernel.name == name for name, kernel in made.items())
    assert {"gaussian", "quartic", "student"} <= set(made)


# ------------------------------------------------------------------ check_kernel


@every_kernel
def test_good_kernels_pass_the_check_and_come_back(kernel):
    assert check_kernel(kernel) is kernel
    assert check_kernel(kernel, t=[0.1, 0.5]) is kernel


def gaussian_with(value=gaussian.value, slope=gaussian.slope, **claims):
    return DensityKernel("mine", value, slope, **claims)


WRONG_SLOPES = {
    "wrong sign": lambda t: np.exp(-t / 2) / 2,
    r"derivative with respect to \|x\|, not": lambda t: -np.sqrt(t) * np.exp(-t / 2),
    "is twice the slope": lambda t: -np.exp(-t / 2),
    "is half the slope": lambda t: -np.exp(-t / 2) / 4,
    "Differentiate K with respect to t": lambda t: -np.exp(-t / 2) / 2.001,
}


@pytest.mark.parametrize("words", WRONG_SLOPES)
def test_a_wrong_slope_is_diagnosed(words):
    with pytest.raises(ValueError, match=f"kernel 'mine': slope must be dK/dt; at t=.*{words}"):
        check_kernel(gaussian_with(slope=WRONG_SLOPES[words]))


def test_the_steepness_given_as_slope_is_diagnosed():
    # For exp(-t/2) it could also be the wrong sign and twice; for the quartic it is told apart.
    with pytest.raises(ValueError, match="It is -2 dK/dt, the numerator of P in"):
        check_kernel(DensityKernel("mine", quartic.value, lambda t: 4 * np.maximum(1 - t, 0), 1.0))


def test_numbers_in_the_diagnosis_are_the_slope_and_the_difference():
    kernel = gaussian_with(slope=lambda t: gaussian.slope(t) + (np.abs(t - 1.0) < 0.01))
    with pytest.raises(ValueError, match=r"at t=1 it gives 0.696735, but finite .* give -0.303265"):
        check_kernel(kernel, t=[0.5, 1.0, 2.0])


def test_a_kernel_that_is_not_finite_is_refused():
    pole = gaussian_with(lambda t: 1 / np.abs(t - 1), lambda t: 1 / np.abs(t - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        with pytest.raises(ValueError, match="finite; they are not at t=1"):
            check_kernel(pole, t=[0.5, 1.0])


def test_a_kernel_with_negative_lobes_is_refused():
    kernel = gaussian_with(np.cos, lambda t: -np.sin(t))
    with pytest.raises(ValueError, match="nowhere negative; got K\\(0\\)=1 and a minimum of -"):
        check_kernel(kernel)
    with pytest.raises(ValueError, match="K must be positive at 0"):
        check_kernel(gaussian_with(lambda t: 0 * t, lambda t: 0 * t))


def test_a_kernel_that_rises_is_refused():
    kernel = gaussian_with(lambda t: 1 + t**2, lambda t: 2 * t)
    with pytest.raises(ValueError, match="K must not rise with the distance; it does at t=8.8"):
        check_kernel(kernel)


def test_a_kernel_that_goes_on_beyond_its_radius_is_refused():
    with pytest.raises(ValueError, match=r"must be zero for t >= radius² = 4; got 0.1353 there"):
        check_kernel(gaussian_with(radius=2.0))


def test_a_kernel_that_is_not_exponential_is_refused_if_it_says_so():
    kernel = replace(student, exponential=True)
    with pytest.raises(
        ValueError, match="exponential=True, .* must not depend on t; .* Set exponential=False"
    ):
        check_kernel(kernel)
    assert check_kernel(steep).exponential


def test_functions_must_keep_the_shape_and_the_kernel_must_be_one():
    with pytest.raises(ValueError, match=r"must keep the shape of t, here \(60,\)"):
        check_kernel(gaussian_with(slope=lambda t: -0.5))
    with pytest.raises(TypeError, match="kernel must be a DensityKernel; got function"):
        check_kernel(lambda t: np.exp(-t))


def test_beyond_its_reach_a_kernel_is_negligible_and_just_within_it_is_not():
    assert quartic.reach == 1 and student.reach == np.inf
    for kernel in (gaussian, steep):
        just_within, just_beyond = kernel((kernel.reach * np.array([0.999, 1.001])) ** 2)
        assert just_beyond < density_kernels.NEGLIGIBLE * kernel.at_zero < just_within
