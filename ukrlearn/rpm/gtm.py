"""Soft assignment, section 6.1: GTM, and the passage from soft codes to hard ones.

Codes are the K points of a lattice. Instead of one best code, a point has a probability for each
code, R_ik ∝ exp(-|x_i - f(z_k)|² / T). GTM has noise of variance 1/β, and its temperature T is 2/β.
As T falls to zero, the best code gets all the weight, and the alternation becomes that of
`quantization`.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.networks import batches
from ukrlearn.rpm.adaptation import quadratic, ridge
from ukrlearn.rpm.costs import squared
from ukrlearn.rpm.maps import Basis

LEAST_VARIANCE = 1e-9  # times the variance of the data: the noise never falls below it


class SoftStep(NamedTuple):
    """Soft codes and the map fitted to them."""

    Z: np.ndarray  # (N, q), the mean code of each point, for the previous map
    f: object
    free_energy: float  # -(T/m) Σ_i log (1/K) Σ_k exp(-|x_i - f(z_k)|² / T)
    penalty: float  # λ Q[f]
    temperature: float

    @property
    def error(self):
        """The quantity that never rises at a fixed temperature."""
        return self.free_energy + self.penalty


class Assigned(NamedTuple):
    """The sums over the probabilities R that adaptation needs; R itself is not kept."""

    Z: np.ndarray  # Σ_k R_ik z_k, (N, q)
    energies: np.ndarray  # -T log (1/K) Σ_k exp(-|x_i - f(z_k)|² / T), (N,)
    counts: np.ndarray  # Σ_i R_ik, (K,)
    means: np.ndarray  # Σ_i R_ik x_i over the counts, (K, d)
    distortion: float  # (1/m) Σ_ik R_ik |x_i - f(z_k)|²


def responsibilities(Y, values, temperature):
    """R and the free energies of all points: a softmax over the codes, given their values f(z).

    At temperature 0 the nearest code gets all the weight.
    """
    distances = cdist(Y, values, "sqeuclidean")
    least = distances.min(axis=1, keepdims=True)
    if temperature == 0:
        R = np.zeros_like(distances)
        R[np.arange(len(Y)), distances.argmin(axis=1)] = 1
        return R, least[:, 0]
    R = np.exp((least - distances) / temperature)
    total = R.sum(axis=1, keepdims=True)
    R /= total
    return R, least[:, 0] - temperature * np.log(total[:, 0] / len(values))


def assign(Y, f, lattice, temperature) -> Assigned:
    """The E-step: soft codes of all points, in batches."""
    values = f(lattice)
    Z, energies = np.empty((len(Y), lattice.shape[1])), np.empty(len(Y))
    counts, sums, distortion = np.zeros(len(values)), np.zeros_like(values), 0.0
    for rows in batches(len(Y)):
        R, energies[rows] = responsibilities(Y[rows], values, temperature)
        Z[rows] = R @ lattice
        counts += R.sum(axis=0)
        sums += R.T @ Y[rows]
        distortion += np.vdot(R, cdist(Y[rows], values, "sqeuclidean"))
    means = sums / np.where(counts > 0, counts, 1.0)[:, None]
    return Assigned(Z, energies, counts, means, float(distortion / len(Y)))


def soft_quantize(Y, f, lattice, fit: Callable, temperature) -> Iterator[SoftStep]:
    """Soft assignment and adaptation in turn, without end, at one temperature.

    Adaptation gets each code once, with the mean of its points as data and its count as weight.
    The result is the same, because Σ_ik R_ik |x_i - f(z_k)|² differs only by a constant.
    """
    found = assign(Y, f, lattice, temperature)
    while True:
        yield SoftStep(found.Z, f, float(found.energies.mean()), float(f.penalty), temperature)
        f = fit(lattice, found.means, squared, f, found.counts)
        found = assign(Y, f, lattice, temperature)


def annealed(
    Y, f, lattice, fit: Callable, temperatures: Iterable[float], rounds=5
) -> Iterator[SoftStep]:
    """Some rounds of `soft_quantize` at each temperature: deterministic annealing.

    The temperatures fall from the variance of the data, where all codes share all points, to 0.
    """
    for temperature in temperatures:
        steps = soft_quantize(Y, f, lattice, fit, temperature)
        for _, step in zip(range(rounds + 1), steps, strict=False):
            yield step
        f = step.f


def cooling(Y, steps=20, coldest=1e-3):
    """Temperatures from twice the greatest variance of the data to a small part of it; then 0."""
    hottest = 2 * float(np.linalg.eigvalsh(np.atleast_2d(np.cov(Y.T, bias=True)))[-1]) or 1.0
    return [*(hottest * np.geomspace(1, coldest, steps)), 0.0]


# The generative topographic map


class GTMStep(NamedTuple):
    """A round of EM: the map, the noise, and how likely they make the data."""

    Z: np.ndarray  # (N, q), the means of the codes
    f: object
    noise_variance: float  # 1 / β
    log_likelihood: float  # mean over the points
    penalty: float  # ν/2 ‖Pf‖² / m, minus the logarithm of the prior

    @property
    def error(self):
        """Minus the logarithm of the posterior per point, which EM never raises."""
        return self.penalty - self.log_likelihood


class Prior(NamedTuple):
    """A prior exp(-ν E(f)) over maps."""

    fit_of: Callable  # (basis, penalty) -> the fit with λ E(f) as regulariser
    energy: Callable  # E(f)


coupled = Prior(quadratic, lambda f: f.norm() / 2)  # ½ ‖Pf‖²: a Gaussian process
independent = Prior(ridge, lambda f: float(np.vdot(f.alpha, f.alpha)) / 2)  # ½ Σ_j |α_j|²


def gtm(Y, f, lattice, basis: Basis, prior: Prior = coupled, nu=1.0) -> Iterator[GTMStep]:
    """The generative topographic map of Bishop, Svensén and Williams (1998), by EM.

    x is drawn from one of K Gaussians of variance 1/β, whose means f(z_k) lie on a manifold. The
    original has the prior `independent` over f; section 6.1 proposes the prior `coupled`.

    Parameters
    ----------
    f : map
        The first map. The first noise is the mean squared residual of this map.
    lattice : array of shape (K, q)
    nu : float
        ν, the weight of the prior relative to all points together.
    """
    m, d = Y.shape
    least = LEAST_VARIANCE * float(np.mean(Y.var(axis=0))) or 1.0
    variance = max(assign(Y, f, lattice, 0.0).distortion / d, least)
    while True:
        found = assign(Y, f, lattice, 2 * variance)
        likelihood = -found.energies.mean() / (2 * variance) - d / 2 * np.log(2 * np.pi * variance)
        yield GTMStep(found.Z, f, variance, float(likelihood), nu * prior.energy(f) / m)
        # β/2 Σ R |x - f|² + ν E(f), divided by mβ/2, is what adaptation minimises.
        fit = prior.fit_of(basis, 2 * nu * variance / m)
        refitted = fit(lattice, found.means, squared, f, found.counts)
        variance = max(_spread(found, f(lattice), refitted(lattice)) / d, least)
        f = refitted


def _spread(found: Assigned, before, after):
    """(1/m) Σ_ik R_ik |x_i - f(z_k)|² for new values of f, from that for the values before."""
    distance = lambda values: np.sum((found.means - values) ** 2, axis=1)
    change = found.counts @ (distance(after) - distance(before)) / found.counts.sum()
    return max(found.distortion + float(change), 0.0)
