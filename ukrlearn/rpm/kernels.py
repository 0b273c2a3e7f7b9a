"""Kernels k(z, z') on latent space, section 3.2: each defines when f counts as rough.

A kernel is a frozen record: ``kernel(Z, nodes)`` are its values (N, M), ``kernel.with_slopes(Z,
nodes)`` adds the derivatives with respect to z, one array (N, M) for each axis. Constants are never
penalised; ``kernel.linear`` says whether linear functions are free, too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.spatial.distance import cdist

PERIOD = 2.0  # of the torus: the latent box [-1, 1] with its ends glued together
FAR = 7.0  # widths; beyond, a Gaussian is below 1e-10
DIFFERENCE = 1e-5  # step of central differences, for kernels without derivatives


@dataclass(frozen=True)
class Gaussian:
    """exp(-|z - z'|² / 2σ²), (18), which penalises derivatives of all orders (19)."""

    width: float = 1.0
    linear: ClassVar[bool] = False

    def __call__(self, Z, nodes):
        t = cdist(Z, nodes, "sqeuclidean")
        t /= -2 * self.width**2
        return np.exp(t, out=t)  # (18)

    def with_slopes(self, Z, nodes):
        K = self(Z, nodes)
        return K, [K * apart / -(self.width**2) for apart in _apart(Z, nodes)]


@dataclass(frozen=True)
class Periodic:
    """Π over the axes of Σ_j k̃(z - z' - jτ) with a Gaussian k̃, (21): for circles and tori."""

    width: float = 0.5
    linear: ClassVar[bool] = False

    def __call__(self, Z, nodes):
        return _product([self._axis(apart)[0] for apart in _apart(Z, nodes)])

    def with_slopes(self, Z, nodes):
        return _tensor_product([self._axis(apart) for apart in _apart(Z, nodes)])

    def _axis(self, apart):
        apart = apart - PERIOD * np.round(apart / PERIOD)
        reach = int(np.ceil(FAR * self.width / PERIOD))
        value, slope = np.zeros_like(apart), np.zeros_like(apart)
        for j in range(-reach, reach + 1):
            shifted = apart - j * PERIOD
            term = np.exp(shifted**2 / (-2 * self.width**2))
            value += term  # (21)
            slope -= shifted / self.width**2 * term
        return value, slope


@dataclass(frozen=True)
class BSpline:
    """Π over the axes of the cubic B-spline with knots at distance `width`: zero beyond 2 widths.

    Positive definite, since its Fourier transform is a fourth power (of sin(x)/x).
    """

    width: float = 0.5
    linear: ClassVar[bool] = False

    def __call__(self, Z, nodes):
        return _product([self._axis(apart)[0] for apart in _apart(Z, nodes)])

    def with_slopes(self, Z, nodes):
        return _tensor_product([self._axis(apart) for apart in _apart(Z, nodes)])

    def _axis(self, apart):
        u = np.abs(apart) / self.width
        near, far = np.maximum(1 - u, 0), np.maximum(2 - u, 0)
        value = (far**3 - 4 * near**3) / 6
        slope = (4 * near**2 - far**2) / 2
        return value, slope * np.sign(apart) / self.width


@dataclass(frozen=True)
class Length:
    """1 + min(z, z') on [-1, 1]: ‖Pf‖² = ∫ |f'|², example 7. Curves are polygons.

    For a curve of given length the penalty is least at constant speed. It is then the squared
    length divided by 2, the length of [-1, 1].
    """

    linear: ClassVar[bool] = False

    def __call__(self, Z, nodes):
        return self.with_slopes(Z, nodes)[0]

    def with_slopes(self, Z, nodes):
        _demand_dimensions("length", Z, 1)
        return 1 + np.minimum(Z, nodes.T), [(Z < nodes.T).astype(float)]


@dataclass(frozen=True)
class ThinPlate:
    """Green's function of Δ²: ‖Pf‖² = ∫ |second derivatives|². Lines and planes cost nothing.

    |r|³/12, r² log r / 8π, -r / 8π in one, two, three dimensions. Conditionally positive definite.
    """

    linear: ClassVar[bool] = True

    def __call__(self, Z, nodes):
        return self._radial(cdist(Z, nodes), Z.shape[1])[0]

    def with_slopes(self, Z, nodes):
        K, slope_over_r = self._radial(cdist(Z, nodes), Z.shape[1])
        return K, [slope_over_r * apart for apart in _apart(Z, nodes)]

    def _radial(self, r, q):
        """The value, and its derivative divided by r."""
        _demand_dimensions("thin plate", np.empty((0, q)), 1, 2, 3)
        if q == 1:
            return r**3 / 12, r / 4
        safe = np.where(r > 0, r, 1.0)
        if q == 2:
            return r**2 * np.log(safe) / (8 * np.pi), (2 * np.log(safe) + 1) / (8 * np.pi)
        return r / (-8 * np.pi), np.where(r > 0, 1 / safe, 0) / (-8 * np.pi)


@dataclass(frozen=True)
class Own:
    """The user's positive definite k(Z, nodes) -> (N, M), with slopes from central differences."""

    k: Callable
    linear: ClassVar[bool] = False

    def __call__(self, Z, nodes):
        K = np.asarray(self.k(Z, nodes), dtype=float)
        if K.shape != (len(Z), len(nodes)):
            raise ValueError(
                "a callable kernel must return k(z_n, z_m) of all pairs, shape "
                f"{(len(Z), len(nodes))}; got {K.shape}."
            )
        return K

    def with_slopes(self, Z, nodes):
        steps = DIFFERENCE * np.eye(Z.shape[1])
        slopes = [
            (self(Z + step, nodes) - self(Z - step, nodes)) / (2 * DIFFERENCE) for step in steps
        ]
        return self(Z, nodes), slopes


def _apart(Z, nodes):
    """z - z' along each axis, (N, M) each."""
    return [z[:, None] - node for z, node in zip(Z.T, nodes.T, strict=True)]


def _product(factors):
    product = factors[0]
    for factor in factors[1:]:
        product = product * factor
    return product


def _tensor_product(axes):
    """The product of the values, and its slopes, in which one factor is replaced by its slope."""
    values = [value for value, _ in axes]
    slopes = [
        _product([*values[:axis], slope, *values[axis + 1 :]])
        for axis, (_, slope) in enumerate(axes)
    ]
    return _product(values), slopes


def _demand_dimensions(name, Z, *allowed):
    if Z.shape[1] not in allowed:
        raise ValueError(
            f"the {name} kernel is for latent spaces of {' or '.join(map(str, allowed))} "
            f"dimensions; got {Z.shape[1]}. Use the Gaussian kernel."
        )
