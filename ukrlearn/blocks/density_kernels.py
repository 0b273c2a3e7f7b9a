"""Density kernels K, as functions of the squared latent distance t, with their slopes dK/dt.

[UKR] (25) only requires that K(x - x') = K(t) with t = |x - x'|². A kernel is a frozen record of
named functions, so it can be pickled, compared and passed around. To use a kernel of your own, make
a `DensityKernel` from any function that decreases with t, and test it with `check_kernel`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ukrlearn.blocks.arguments import checked, positive

NEGLIGIBLE = 1e-16  # a share of K(0) that rounding would hide beside K(0) itself


@dataclass(frozen=True, repr=False)
class DensityKernel:
    """A radially decreasing kernel K(t) of the squared distance t = |x - x'|².

    Parameters
    ----------
    name : str
        The name of the kernel in tables and messages.
    value : callable
        K: array of t >= 0 -> array of K(t) >= 0.
    slope : callable
        dK/dt, the f' of [UKR] (26): array -> array, never positive.
    radius : float
        K(t) = 0 for t >= radius². Kernels with compact support have a finite radius, and all sums
        then run over neighbours only.
    exponential : bool
        True if K(t + c) is a multiple of K(t). The rows of B are then a softmax and can be computed
        even where K itself underflows.
    value_and_steepness : callable, optional
        t -> (K(t), -2 dK/dt), for kernels where computing both together saves work (for the
        Gaussian they are the same array). The function may overwrite t.

    Examples
    --------
    >>> gaussian(np.array([0.0, 2.0]))
    array([1.        , 0.36787944])
    >>> quartic.at_zero, quartic.radius
    (1.0, 1.0)
    """

    name: str
    value: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]
    radius: float = math.inf
    exponential: bool = False
    value_and_steepness: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None

    def __repr__(self):
        return f"DensityKernel({self.name!r})"  # the repr of a function is only its address

    def __call__(self, t):
        return self.value(np.asarray(t, dtype=float))

    @property
    def at_zero(self) -> float:
        """K(0), the largest value of the kernel."""
        return float(self(np.zeros(1))[0])

    @property
    def compact(self) -> bool:
        """Whether K is zero beyond some distance."""
        return math.isfinite(self.radius)

    @cached_property
    def reach(self) -> float:
        """The distance beyond which K need not be computed: at most NEGLIGIBLE K(0), or zero."""
        if not self.exponential:
            return self.radius
        rate = math.log(self.at_zero) - math.log(float(self(np.ones(1))[0]))
        return min(self.radius, math.sqrt(-math.log(NEGLIGIBLE) / rate))

    def with_steepness(self, t):
        """K(t) and its steepness -2 dK/dt: the numerators of B (23) and P (27). May overwrite t."""
        if self.value_and_steepness is not None:
            return self.value_and_steepness(t)
        return self.value(t), -2 * self.slope(t)


LOWEST_EXPONENT = -600.0  # below it, the Gaussian is cut off to zero


def gaussian_value(t):
    """exp(-t / 2), [UKR] (33)."""
    return np.exp(-0.5 * t)


def gaussian_slope(t):
    """-exp(-t / 2) / 2."""
    return -0.5 * np.exp(-0.5 * t)


def gaussian_value_and_steepness(t):
    """The same array twice, since -2 dK/dt = K; for the same reason P = B in [UKR] (35).

    A trained curve is hundreds of widths long, so most pairs of points are too far apart to matter,
    and NumPy takes eight times as long where exp underflows. Exponents are therefore clipped at
    LOWEST_EXPONENT, where K is 1e-261, and K is set to zero beyond.
    """
    t *= -0.5
    cut = t.min(initial=0) < LOWEST_EXPONENT
    if cut:
        np.maximum(t, LOWEST_EXPONENT, out=t)
    np.exp(t, out=t)
    if cut:
        t -= np.exp(LOWEST_EXPONENT)  # clipped values become exactly 0; the others do not change
    return t, t


def quartic_value(t):
    """(1 - t)₊², [UKR] (20), (34)."""
    return np.square(np.maximum(1 - t, 0))


def quartic_slope(t):
    """-2 (1 - t)₊."""
    return -2 * np.maximum(1 - t, 0)


def quartic_value_and_steepness(t):
    """K and 4 √K, [UKR] (36)."""
    np.minimum(t, 1, out=t)
    steepness = np.subtract(1, t, out=t)
    value = np.square(steepness)
    steepness *= 4
    return value, steepness


def student_value(t, nu=1.0):
    """(1 + t/ν)^(-(ν + 1)/2)."""
    return (1 + t / nu) ** (-(nu + 1) / 2)


def student_slope(t, nu=1.0):
    """-(ν + 1)/(2ν) (1 + t/ν)^(-(ν + 3)/2)."""
    return -(nu + 1) / (2 * nu) * (1 + t / nu) ** (-(nu + 3) / 2)


@checked(nu=positive)
def student_with(nu: float) -> DensityKernel:
    """Student's kernel with ν degrees of freedom; ν → ∞ gives the Gaussian.

    The kernel is a density only in fewer than ν + 1 dimensions. With ν = 1, its mass is infinite in
    a two-dimensional latent space: distant points never stop counting, and the leave-one-out error
    favours latent points that drift apart. Use ν = 3 there.

    Examples
    --------
    >>> student_with(3.0)(np.array([0.0, 3.0]))
    array([1.  , 0.25])
    """
    return DensityKernel(
        f"student({nu:g})", partial(student_value, nu=nu), partial(student_slope, nu=nu)
    )


gaussian = DensityKernel(
    "gaussian",
    gaussian_value,
    gaussian_slope,
    exponential=True,
    value_and_steepness=gaussian_value_and_steepness,
)
quartic = DensityKernel(
    "quartic",
    quartic_value,
    quartic_slope,
    radius=1.0,
    value_and_steepness=quartic_value_and_steepness,
)
student = DensityKernel("student", student_value, student_slope)

by_name = {kernel.name: kernel for kernel in (gaussian, quartic, student)}


def check_kernel(kernel: DensityKernel, t=None) -> DensityKernel:
    """Test what the kernel claims, and return it; a ValueError says which claim fails, and where.

    The slope is compared with central differences of K, which reveal a forgotten factor 2, a wrong
    sign or a derivative with respect to |x| instead of t = |x|². K must also be finite, never
    negative, never rising, and zero beyond the radius. If the kernel is declared `exponential`,
    K(t + c) must be a multiple of K(t).

    Parameters
    ----------
    t : array of shape (M,), optional
        Squared distances at which to test; by default 60 of them inside the support.
    """
    if not isinstance(kernel, DensityKernel):
        raise TypeError(
            f"kernel must be a DensityKernel; got {type(kernel).__name__}. Make one with "
            "DensityKernel(name, value, slope), where value and slope are functions of the squared "
            "distance."
        )
    if t is None:
        t = np.linspace(0.02, 0.98, 60) * min(kernel.radius**2, 9.0)
    t = np.asarray(t, dtype=float)
    h = 1e-6 * np.maximum(t, 1e-2)
    K, slope = kernel(t), np.asarray(kernel.slope(t), dtype=float)
    difference = (kernel(t + h) - kernel(t - h)) / (2 * h)
    prefix = f"kernel {kernel.name!r}: "
    if K.shape != t.shape or slope.shape != t.shape:
        raise ValueError(
            f"{prefix}value and slope must keep the shape of t, here {t.shape}; got {K.shape} and "
            f"{slope.shape}. Use elementwise NumPy functions."
        )
    if not (np.isfinite(K).all() and np.isfinite(slope).all()):
        bad = t[~(np.isfinite(K) & np.isfinite(slope))][0]
        raise ValueError(f"{prefix}K and its slope must be finite; they are not at t={bad:.4g}.")
    if not (kernel.at_zero > 0 and (K >= 0).all()):
        raise ValueError(
            f"{prefix}K must be positive at 0 and nowhere negative; got K(0)={kernel.at_zero:.4g} "
            f"and a minimum of {K.min():.4g}. A kernel with negative lobes has no density."
        )
    wrong = np.abs(slope - difference) > 1e-5 * np.abs(difference).max()
    if wrong.any():
        worst = np.argmax(np.abs(slope - difference))
        raise ValueError(
            f"{prefix}slope must be dK/dt; at t={t[worst]:.4g} it gives {slope[worst]:.6g}, but "
            f"finite differences of K give {difference[worst]:.6g}. "
            f"{_diagnosis(t, slope, difference)}"
        )
    if (slope > 1e-12 * kernel.at_zero).any():
        rising = t[np.argmax(slope)]
        raise ValueError(
            f"{prefix}K must not rise with the distance; it does at t={rising:.4g}. The density "
            "constraint needs a falling kernel to return to the feasible set."
        )
    outside = kernel.radius**2 * np.array([1.0, 1.5, 4.0])
    if kernel.compact and np.any(kernel(outside) != 0):
        raise ValueError(
            f"{prefix}K must be zero for t >= radius² = {kernel.radius**2:.4g}; got "
            f"{kernel(outside).max():.4g} there. Cut the kernel off, or set radius=inf."
        )
    if kernel.exponential:
        ratio = kernel(t + 0.5) / K
        if np.ptp(ratio) > 1e-9 * ratio.max():
            raise ValueError(
                f"{prefix}with exponential=True, K(t + c) / K(t) must not depend on t; for c=0.5 "
                f"it ranges from {ratio.min():.6g} to {ratio.max():.6g}. Set exponential=False."
            )
    return kernel


def _diagnosis(t, slope, difference):
    """A sentence that says how the given slope relates to the right one."""
    relations = {
        "It has the wrong sign.": -difference,
        "It is the derivative with respect to |x|, not to t = |x|².": difference * 2 * np.sqrt(t),
        "It is twice the slope.": 2 * difference,
        "It is half the slope.": difference / 2,
        "It is -2 dK/dt, the numerator of P in (27), not dK/dt.": -2 * difference,
    }
    for words, wrong in relations.items():
        if np.allclose(slope, wrong, rtol=1e-4, atol=1e-5 * np.abs(difference).max()):
            return words
    return "Differentiate K with respect to t, the squared distance."
