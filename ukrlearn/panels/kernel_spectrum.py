"""From a kernel to its eigenvalues, and from there to the rate that is guaranteed."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ukrlearn import figures
from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked
from ukrlearn.panels._base import Panel
from ukrlearn.panels._controls import Choice, Slider
from ukrlearn.rpm import kernels, learning_rates

GAUSSIAN, SPLINE, LENGTH = "Gaussian", "cubic spline", "length"
KERNELS = {
    GAUSSIAN: kernels.Gaussian,
    SPLINE: kernels.BSpline,
    LENGTH: lambda width: kernels.Length(),  # has no width
}
POINTS = {GAUSSIAN: 100, SPLINE: 200, LENGTH: 300}  # of the quadrature
SHOWN = 40  # eigenvalues; greater numbers of polynomial spectra feel the quadrature
SIZES = np.geomspace(10, 1e9, 161)
LEAST = 1e-14


class Spectrum(NamedTuple):
    """What is known of a kernel."""

    eigenvalues: np.ndarray
    decay: float  # a of j^-a; 1 for Gaussians, the greatest p with λ_j = O(exp(-αj^p))
    bound: np.ndarray  # of the excess error at SIZES, for a constant of one


class KernelSpectrum(Panel):
    """The spectrum of a kernel on [-1, 1], and the excess error that it guarantees, [RPM] 7.3, 7.4.

    Left: the eigenvalues of the kernel, (51). Right: how the bound on the excess error falls with
    the number of points, (57) for eigenvalues like j^-a, and (56) with p = 1 for each Gaussian,
    with all constants set to one; and Kégl's m^(-1/3), for polygons of bounded length. The ring
    shows from where on the kernel's bound stays below it.

    Parameters
    ----------
    kernel : {"Gaussian", "cubic spline", "length"}
        Where to begin.
    """

    title = "Kernel spectrum"
    swept = ("width", "kernel")

    @checked(kernel=arguments.choice(*KERNELS))
    def __init__(self, kernel=GAUSSIAN):
        self.spectrum = lru_cache(64)(self._spectrum)
        controls = {
            "kernel": Choice("kernel", tuple(KERNELS), kernel),
            "width": Slider("width of the kernel", 0.2, 2.0, 1.0, steps=90),
        }
        super().__init__(controls, size=(8.44, 4.0))

    @classmethod
    def example(cls):
        """The Gaussian kernel of width 1."""
        return cls()

    def _spectrum(self, kernel, width):
        values = learning_rates.spectrum(
            KERNELS[kernel](width), points=POINTS[kernel], number=SHOWN
        )
        if kernel == GAUSSIAN:
            return Spectrum(values, 1.0, learning_rates.excess_of_exponential(SIZES, 1.0))
        decay = learning_rates.polynomial_decay(values)
        return Spectrum(values, decay, SIZES ** -learning_rates.rate_of_decay(decay))

    def overtakes(self, kernel, width):
        """From how many points on the bound is below Kégl's; infinity if that never happens."""
        found = self.spectrum(kernel, width)
        if kernel == GAUSSIAN:
            return learning_rates.overtakes(found.decay)
        return 1.0 if learning_rates.rate_of_decay(found.decay) > learning_rates.KEGL else np.inf

    def draw(self, figure):
        of_values, of_bound = figure.subplots(1, 2)
        (self._eigenvalues,) = of_values.plot([], [], "o-", ms=5, lw=1.2, color=figures.COLORS[0])
        of_values.set(
            yscale="log",
            xlim=(0, SHOWN + 1),
            ylim=(LEAST / 3, 5),
            xlabel="number j",
            ylabel="eigenvalue",
            title="Spectrum of the kernel",
        )
        of_bound.plot(
            SIZES, SIZES**-learning_rates.KEGL, "--", color="#444444", label="Kégl, $m^{-1/3}$"
        )
        (self._bound,) = of_bound.plot([], [], lw=2.2, color=figures.COLORS[1], label="this kernel")
        (self._ring,) = of_bound.plot([], [], "o", ms=11, mfc="none", mec="#222222", mew=1.6)
        of_bound.set(
            xscale="log",
            yscale="log",
            xlim=(SIZES[0], SIZES[-1]),
            ylim=(1e-5, 3),
            xlabel="number of points m",
            ylabel="bound on the excess error",
            title="What it guarantees",
        )
        of_bound.legend(loc="lower left")
        for ax in (of_values, of_bound):
            ax.grid(True, axis="y")
        return [self._eigenvalues, self._bound, self._ring]

    def move(self, kernel, width):
        found = self.spectrum(kernel, width)
        values, from_here = found.eigenvalues, self.overtakes(kernel, width)
        self._eigenvalues.set_data(np.arange(1, len(values) + 1), values)
        self._bound.set_data(SIZES, found.bound)
        seen = SIZES[0] < from_here <= SIZES[-1]
        at = [from_here] if seen else []
        self._ring.set_data(at, np.power(at, -learning_rates.KEGL))
        large = int(np.sum(values > 1e-3 * values[0]))
        name = f"{kernel.capitalize()} kernel" + (
            "" if kernel == LENGTH else f", width {width:.2g}"
        )
        if kernel == GAUSSIAN:
            rate = "exp(-j log j), as at each width"
            says = f"m^(-1/2) log m, below m^(-1/3) from {from_here:.2g} points on"
        else:
            rate = f"j^-{found.decay:.2f}"
            exponent = learning_rates.rate_of_decay(found.decay)
            says = f"m^-{exponent:.3f}, " + (
                "below m^(-1/3) always" if np.isfinite(from_here) else "never below m^(-1/3)"
            )
        return (
            f"{name}: {large} eigenvalues above a thousandth of the first, falling like {rate}. "
            f"Guaranteed, up to a constant: {says}."
        )
