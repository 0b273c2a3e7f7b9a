"""Noise in the code, section 6.2: what it costs, and how a map can be fitted under it.

The receiver gets z + ξ instead of the code z, and reconstructs f(z + ξ). So a curve that runs fast
through data space, as space-filling curves do, is a bad code.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ukrlearn.rpm.costs import Cost, squared
from ukrlearn.rpm.quantization import Step, quantize

DIFFERENCE = 1e-4  # step of the central differences of Jacobians
LEVELS = 9  # of the noise on each axis, by Gauss-Hermite quadrature


def noisy_distortion(f, Z, Y, noise, cost: Cost = squared):
    """R_noise[f], (38): the mean cost of f(z + ξ) over all points and all given ξ.

    Parameters
    ----------
    Z : array of shape (N, q)
        Codes from a projection, because the sender does not know ξ (36), (37).
    noise : array of shape (L, q)
        Draws of ξ.
    """
    return float(np.mean([cost(f.residual(Z + xi, Y)).mean() for xi in noise]))


def squared_slope(f, Z):
    """(1/m) Σ_i |f'(ζ_i)|², summed over the axes; (40) multiplies it by σ²."""
    _, J = f.with_jacobian(Z)
    return float(np.sum(J**2) / len(Z))


def bend(f, Z, Y):
    """(1/m) Σ_i ⟨f(ζ_i) - x_i, f''(ζ_i)⟩, summed over the axes."""
    total = 0.0
    for axis in range(Z.shape[1]):
        step = np.zeros(Z.shape[1])
        step[axis] = DIFFERENCE
        _, ahead = f.with_jacobian(Z + step)
        _, behind = f.with_jacobian(Z - step)
        second = (ahead[:, :, axis] - behind[:, :, axis]) / (2 * DIFFERENCE)
        total -= np.vdot(f.residual(Z, Y), second)
    return float(total / len(Z))


def predicted_distortion(f, Z, Y, sigma):
    """R[f] + σ² (1/m) Σ_i |f'|² + ⟨f - x, f''⟩: (39) to second order in ξ.

    Departures: the paper has 2σ², and half of the curvature term. As a simulation confirms,
    E|x - f(ζ + ξ)|² = |x - f|² + σ² |f'|² + σ² ⟨f - x, f''⟩ + O(σ⁴).
    """
    distortion = squared(f.residual(Z, Y)).mean()
    return float(distortion + sigma**2 * (squared_slope(f, Z) + bend(f, Z, Y)))  # (39)


def curve_length(f, points=2001):
    """The length of a curve over [-1, 1]."""
    values = f(np.linspace(-1, 1, points)[:, None])
    return float(np.sum(np.linalg.norm(np.diff(values, axis=0), axis=1)))


# Learning under noise


@dataclass(frozen=True)
class Received:
    """All values that may be received instead of f(z): (√w_l f(z + ξ_l))_l, a point of R^(dL).

    Its squared distance to (√w_l y)_l is the mean of |y - f(z + ξ)|² over the noise. So a channel
    needs no alternation of its own.
    """

    f: object
    shifts: np.ndarray  # ξ_l, (L, q)
    weights: np.ndarray  # w_l, (L,), sum to one

    @property
    def penalty(self):
        return self.f.penalty

    def sent(self, Y):
        """(√w_l y)_l for each point."""
        return np.hstack([np.sqrt(w) * Y for w in self.weights])

    def __call__(self, Z):
        pairs = zip(self.shifts, self.weights, strict=True)
        return np.hstack([np.sqrt(w) * self.f(Z + shift) for shift, w in pairs])

    def residual(self, Z, sent):
        return sent - self(Z)

    def with_jacobian(self, Z):
        parts = [self.f.with_jacobian(Z + shift) for shift in self.shifts]
        roots = np.sqrt(self.weights)
        values = np.hstack([root * f for root, (f, _) in zip(roots, parts, strict=True)])
        return values, np.hstack([root * J for root, (_, J) in zip(roots, parts, strict=True)])

    def reduced(self, Y):
        return self, Y


def channel(q, sigma, levels=LEVELS):
    """Shifts and weights that represent normal noise of variance σ² on each axis."""
    x, w = np.polynomial.hermite_e.hermegauss(levels)
    shifts = sigma * np.array(list(product(x, repeat=q)))
    weights = np.prod(list(product(w / w.sum(), repeat=q)), axis=1)
    return shifts, weights


def quantize_over_channel(Y, f, codes, fit: Callable, sigma, levels=LEVELS) -> Iterator[Step]:
    """The alternation for R_noise (38) with squared cost, where z + ξ is received for a code z.

    If the fit has no penalty, only the channel regularises, and it gives a short curve, as (40)
    says. The kernel must be wide compared with σ. If it is not, f learns a value at each of the
    levels that represent the noise, and nothing about the places between.

    Departures: the sender knows the channel, and chooses the z that is best on average after it. In
    (37) the sender chooses the nearest point, as if there were no noise. Then adaptation and
    projection lower different functionals, and their alternation need not come to rest.
    """
    shifts, weights = channel(codes.q, sigma, levels)
    sent = Received(f, shifts, weights).sent(Y)

    def fit_received(Z, sent, cost, previous):
        every = np.concatenate([Z + shift for shift in shifts])
        fitted = fit(every, np.tile(Y, (len(shifts), 1)), cost, None, np.repeat(weights, len(Y)))
        return Received(fitted, shifts, weights)

    for step in quantize(sent, Received(f, shifts, weights), codes, fit_received):
        yield step._replace(f=step.f.f)


# Space-filling curves


@dataclass(frozen=True)
class Polygon:
    """The polygon through these vertices, at equal steps of z from -1 to 1."""

    vertices: np.ndarray  # (V, d)

    def __call__(self, Z):
        z = np.clip(Z[:, 0], -1, 1)
        knots = np.linspace(-1, 1, len(self.vertices))
        return np.column_stack([np.interp(z, knots, column) for column in self.vertices.T])

    def residual(self, Z, Y):
        return Y - self(Z)

    def nearest(self, Y):
        """The codes of the nearest points, (N, 1)."""
        starts, along = self.vertices[:-1], np.diff(self.vertices, axis=0)
        Z = np.empty((len(Y), 1))
        for n, y in enumerate(Y):
            share = np.sum((y - starts) * along, axis=1) / np.sum(along**2, axis=1)
            share = np.clip(share, 0, 1)
            apart = np.sum((y - starts - share[:, None] * along) ** 2, axis=1)
            best = apart.argmin()
            Z[n] = 2 * (best + share[best]) / len(along) - 1
        return Z


def space_filling(Y, order):
    """A polygon over the square around Y (N, 2) that comes nearer to all of it with the order.

    Hilbert's curve: four copies of the one of the order below, each half as large and turned so
    that the ends meet. It passes through the centres of 4^order cells.
    """
    P = np.full((1, 2), 0.5)
    for _ in range(order):
        turned = P[:, ::-1]
        P = np.vstack([turned, P + [0, 1], P + [1, 1], [2, 1] - turned]) / 2
    low, high = Y.min(axis=0), Y.max(axis=0)
    side = (high - low).max()
    return Polygon((low + high - side) / 2 + side * P)
