"""Density kernels K, as functions of the squared latent distance t, with their slopes dK/dt.

[UKR] (25) demands no more than this: K(x - x') = K(t) with t = |x - x'|². A kernel is a frozen
record of named functions, so it can be pickled, compared and passed around; any other one that
decreases with t may be used by making a record of it (see `DensityKernel` and `check_kernel`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np


@dataclass(frozen=True, repr=False)
class DensityKernel:
    """A radially decreasing kernel K(t) of the squared distance t = |x - x'|².

    Parameters
    ----------
    name : str
        How the kernel calls itself in tables and messages.
    value : callable
        K: array of t >= 0 -> array of K(t) >= 0.
    slope : callable
        dK/dt, the f' of [UKR] (26): array -> array, never positive.
    radius : float
        K(t) = 0 for t >= radius². Finite for kernels of compact support: all sums then run over
        neighbours only.
    exponential : bool
        True when K(t + c) is a multiple of K(t). Rows of B are then a softmax and can be computed
        where K itself underflows.
    value_and_pull : callable, optional
        t -> (K(t), -2 dK/dt), where the two share work (for the Gaussian they are the same
        array). It may overwrite t.

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
    value_and_pull: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] | None = None

    def __repr__(self):
        return f"DensityKernel({self.name!r})"  # functions say nothing but their addresses

    def __call__(self, t):
        return self.value(np.asarray(t, dtype=float))

    @property
    def at_zero(self) -> float:
        """K(0), the largest value of the kernel."""
        return float(self(np.zeros(1))[0])

    @property
    def compact(self) -> bool:
        """Whether points beyond some distance do not see each other at all."""
        return math.isfinite(self.radius)

    def with_pull(self, t):
        """K(t) and -2 dK/dt, the numerators of B (23) and P (27). May overwrite t."""
        if self.value_and_pull is not None:
            return self.value_and_pull(t)
        return self.value(t), -2 * self.slope(t)


FARTHEST = -600.0


def gaussian_value(t):
    """exp(-t / 2), [UKR] (33)."""
    return np.exp(-0.5 * t)


def gaussian_slope(t):
    """-exp(-t / 2) / 2."""
    return -0.5 * np.exp(-0.5 * t)


def gaussian_value_and_pull(t):
    """K twice, since -2 dK/dt = K: this is why P = B in [UKR] (35).

    A trained curve is hundreds of widths long, so most pairs are too far apart to matter, and NumPy
    takes eight times as long where exp underflows. There, K is cut off at exp(FARTHEST) = 1e-261.
    """
    t *= -0.5
    cut = t.min(initial=0) < FARTHEST
    if cut:
        np.maximum(t, FARTHEST, out=t)
    np.exp(t, out=t)
    if cut:
        t -= np.exp(FARTHEST)  # exactly 0 beyond, and too small to change anything before
    return t, t


def quartic_value(t):
    """(1 - t)₊², [UKR] (20), (34)."""
    return np.square(np.maximum(1 - t, 0))


def quartic_slope(t):
    """-2 (1 - t)₊."""
    return -2 * np.maximum(1 - t, 0)


def quartic_value_and_pull(t):
    """K and 4 √K, [UKR] (36)."""
    pull = np.maximum(1 - t, 0)
    value = np.square(pull)
    pull *= 4
    return value, pull


def student_value(t, nu=1.0):
    """(1 + t/ν)^(-(ν + 1)/2)."""
    return (1 + t / nu) ** (-(nu + 1) / 2)


def student_slope(t, nu=1.0):
    """-(ν + 1)/(2ν) (1 + t/ν)^(-(ν + 3)/2)."""
    return -(nu + 1) / (2 * nu) * (1 + t / nu) ** (-(nu + 3) / 2)


def student_with(nu: float) -> DensityKernel:
    """Student's kernel with ν degrees of freedom; ν → ∞ gives the Gaussian.

    It is a density only in fewer than ν + 1 dimensions: with ν = 1 its mass is infinite in a latent
    space of two, far points never stop counting, and the leave-one-out error favours latent points
    that drift apart. Take ν = 3 there.

    Examples
    --------
    >>> student_with(3.0)(np.array([0.0, 3.0]))
    array([1.  , 0.25])
    """
    if not nu > 0:
        raise ValueError(f"nu must be positive; got nu={nu!r}.")
    return DensityKernel(
        f"student({nu:g})", partial(student_value, nu=nu), partial(student_slope, nu=nu)
    )


gaussian = DensityKernel(
    "gaussian",
    gaussian_value,
    gaussian_slope,
    exponential=True,
    value_and_pull=gaussian_value_and_pull,
)
quartic = DensityKernel(
    "quartic", quartic_value, quartic_slope, radius=1.0, value_and_pull=quartic_value_and_pull
)
student = DensityKernel("student", student_value, student_slope)

by_name = {kernel.name: kernel for kernel in (gaussian, quartic, student)}


def check_kernel(kernel: DensityKernel, t=None) -> DensityKernel:
    """The kernel itself, after its claims were tested; ValueError says which one fails and where.

    The slope is compared with central differences of K, which find a forgotten factor 2, a sign or
    a derivative taken in |x| instead of t = |x|². Also tested: K finite, nowhere negative, falling,
    zero beyond the radius, and a multiple of itself under shifts if it says `exponential`.

    Parameters
    ----------
    t : array of shape (M,), optional
        Squared distances to test at; by default 60 of them, inside the support.
    """
    if not isinstance(kernel, DensityKernel):
        raise TypeError(
            f"kernel must be a DensityKernel; got {type(kernel).__name__}. Make one with "
            "DensityKernel(name, value, slope), both functions of the squared distance."
        )
    if t is None:
        t = np.linspace(0.02, 0.98, 60) * min(kernel.radius**2, 9.0)
    t = np.asarray(t, dtype=float)
    h = 1e-6 * np.maximum(t, 1e-2)
    K, slope = kernel(t), np.asarray(kernel.slope(t), dtype=float)
    difference = (kernel(t + h) - kernel(t - h)) / (2 * h)
    say = f"kernel {kernel.name!r}: "
    if K.shape != t.shape or slope.shape != t.shape:
        raise ValueError(
            f"{say}value and slope must keep the shape of t, here {t.shape}; got {K.shape} and "
            f"{slope.shape}. Use elementwise NumPy functions."
        )
    if not (np.isfinite(K).all() and np.isfinite(slope).all()):
        bad = t[~(np.isfinite(K) & np.isfinite(slope))][0]
        raise ValueError(f"{say}K and its slope must be finite; they are not at t={bad:.4g}.")
    if not (kernel.at_zero > 0 and (K >= 0).all()):
        raise ValueError(
            f"{say}K must be positive at 0 and nowhere negative; got K(0)={kernel.at_zero:.4g} "
            f"and a least value of {K.min():.4g}. A kernel with negative lobes has no density."
        )
    wrong = np.abs(slope - difference) > 1e-5 * np.abs(difference).max()
    if wrong.any():
        worst = np.argmax(np.abs(slope - difference))
        raise ValueError(
            f"{say}slope must be dK/dt; at t={t[worst]:.4g} it gives {slope[worst]:.6g}, finite "
            f"differences of K give {difference[worst]:.6g}. {_diagnosis(t, slope, difference)}"
        )
    if (slope > 1e-12 * kernel.at_zero).any():
        rising = t[np.argmax(slope)]
        raise ValueError(
            f"{say}K must not rise with the distance; it does at t={rising:.4g}. The way back into "
            "the feasible set of the density constraint rests on this."
        )
    outside = kernel.radius**2 * np.array([1.0, 1.5, 4.0])
    if kernel.compact and np.any(kernel(outside) != 0):
        raise ValueError(
            f"{say}K must vanish for t >= radius² = {kernel.radius**2:.4g}; got "
            f"{kernel(outside).max():.4g} beyond. Cut it off there, or set radius=inf."
        )
    if kernel.exponential:
        ratio = kernel(t + 0.5) / K
        if np.ptp(ratio) > 1e-9 * ratio.max():
            raise ValueError(
                f"{say}exponential=True says that K(t + c) / K(t) does not depend on t; for c=0.5 "
                f"it runs from {ratio.min():.6g} to {ratio.max():.6g}. Set exponential=False."
            )
    return kernel


def _diagnosis(t, slope, difference):
    """In words, how the slope given relates to the right one."""
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
