"""Spectra of affinities, and the maps of gradients that are made of them, [SGD] 3.3 to 5.

Expanded in the eigenvectors V of an affinity M, a gradient is cut off after a few terms or weighted
by powers of the eigenvalues. `ukrlearn.explicit.matrices.sgd` has (14) to (20) as the paper does,
with a point in each row. The trace in (17) is left out here: line searches make up for it.

M never depends on X: there is one eigendecomposition per data set and bandwidth, and after it every
l and every ν costs two thin products. As long as no weight is negative, minus the guided gradient
leads downhill.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator, eigsh

DENSE = 1500  # points up to which all eigenvectors are computed
LEADING = 200  # how many beyond
NEGLIGIBLE = 1e-12  # of the greatest weight
MOST_NU = 1e4  # a spectrum that this power does not make steep enough has no slope


# Spectra, and what is made of them


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues of an affinity in descending order, and their eigenvectors.

    In units of the greatest, so that no power of them vanishes altogether.
    """

    values: np.ndarray  # (k,)
    vectors: np.ndarray  # (N, k)
    rest: float = 0.0  # the mean of the N - k that were not computed


def decompose(M, without=None, leading=None) -> Spectrum:
    """The spectrum of an affinity: all of it, or the leading part where N is large.

    Parameters
    ----------
    M : array or sparse array of shape (N, N)
        Symmetric, positive semidefinite up to rounding.
    without : array of shape (N,), optional
        A unit eigenvector that is taken out of M: its eigenvalue becomes zero, and it stands last.
        For the (nearly) constant one: a translation of X changes no error, so nothing but rounding
        would come that way. Taken out by itself and not as "the first", since of a graph in m
        pieces m eigenvectors share the eigenvalue 1.
    leading : int, optional
        How many eigenpairs; without it all for N up to 1500, 200 beyond.
    """
    N = M.shape[0]
    k = leading or (N if N <= DENSE else LEADING)
    u = np.zeros(N) if without is None else without
    removed = 0.0 if without is None else u @ (M @ u)
    if k >= N:
        values, vectors = np.linalg.eigh(
            (M.toarray() if issparse(M) else M) - removed * np.outer(u, u)
        )
    else:
        deflated = LinearOperator((N, N), lambda x: M @ x - removed * u * (u @ x), dtype=float)
        values, vectors = eigsh(deflated, k=k, which="LA", v0=np.linspace(1, 2, N))
    order = np.argsort(values)[::-1]
    values, vectors = np.maximum(values[order], 0), np.asfortranarray(vectors[:, order])
    rest = max(M.trace() - removed - values.sum(), 0) / (N - k) if k < N else 0.0
    unit = values[0] if values[0] > 0 else 1.0
    return Spectrum(values / unit, vectors, float(rest / unit))


@dataclass(frozen=True)
class Filter:
    """A linear map of gradients: V diag(weights) Vᵀ, and a factor for what is orthogonal to V."""

    vectors: np.ndarray  # (N, k)
    weights: np.ndarray  # (k,)
    of_rest: float = 0.0

    def __call__(self, gradient):
        if self.is_plain:
            return gradient
        weights = self.weights - self.of_rest
        used = _span(weights)
        V = self.vectors[:, used]  # without a copy
        A = V.T @ gradient  # (14)
        guided = V @ (weights[used, None] * A)  # (15), (17)
        return guided + self.of_rest * gradient if self.of_rest else guided

    @property
    def is_plain(self) -> bool:
        """Whether gradients stay as they are."""
        return self.of_rest == 1 and bool(np.all(self.weights == 1))

    @property
    def directions(self) -> float:
        """exp(entropy of the weights): how many directions are effectively free, at most N."""
        N, k = self.vectors.shape
        return effective_number(np.append(self.weights, np.full(N - k, self.of_rest)))


def _span(weights):
    """The slice from the first to the last weight that is not negligible."""
    size = np.abs(weights)
    counts = np.flatnonzero(size > NEGLIGIBLE * size.max())
    return slice(counts[0], counts[-1] + 1) if len(counts) else slice(0)


def effective_number(weights):
    """exp(entropy) of weights over their sum: n equal ones count n, one that has all counts 1.

    >>> effective_number(np.array([2.0, 2.0, 0.0]))
    2.0
    """
    shares = weights / weights.sum()
    shares = shares[shares > 0]
    return float(np.exp(-np.sum(shares * np.log(shares))))


def plain(spectrum: Spectrum) -> Filter:
    """Every point is free: the filter that changes nothing."""
    return Filter(spectrum.vectors, np.ones_like(spectrum.values), 1.0)


def leading_directions(spectrum: Spectrum, l) -> Filter:
    """V_l V_lᵀ: the l leading directions, [SGD] (14), (15). All of them: the identity.

    Of a partial spectrum also with more than were computed: what is left cannot be told apart.
    """
    N, k = spectrum.vectors.shape
    if l >= N or l > k:
        return plain(spectrum)
    weights = np.zeros_like(spectrum.values)
    weights[:l] = 1
    return Filter(spectrum.vectors, weights)


def powers(spectrum: Spectrum, nu) -> Filter:
    """V diag(λ^ν) Vᵀ for any real ν >= 0, [SGD] (16), (17). ν = 0 is the plain gradient.

    Of a partial spectrum the rest takes part with its mean eigenvalue.
    """
    if nu == 0:
        return plain(spectrum)
    return Filter(spectrum.vectors, spectrum.values**nu, spectrum.rest**nu)


def power_with(spectrum: Spectrum, directions) -> float:
    """The ν that leaves this effective number of directions free; the nearest if there is none.

    A flat spectrum (isolated points, separate clusters) has many directions at any ν, one of low
    rank has few.
    """

    def excess(log_nu):
        return np.log(powers(spectrum, np.exp(log_nu)).directions / directions)

    flattest, steepest = np.log(1e-6), np.log(MOST_NU)
    if not spectrum.values.any() or excess(flattest) <= 1e-9:
        return 0.0
    if excess(steepest) >= 0:
        return MOST_NU
    return float(np.exp(brentq(excess, flattest, steepest, xtol=1e-3)))


@dataclass(frozen=True)
class Deflation:
    """The simulated power method, [SGD] (18)-(20): each latent coordinate its own eigenvector.

    The coordinates of the gradient take turns: one is multiplied by M^ν (18), which turns it
    towards the leading eigenvector, and that direction is taken out of M (19) before the next one's
    turn. All in the basis of the eigenvectors, where M is diagonal.

    Departures: (19) as printed subtracts a number from a matrix. What is meant is the outer product
    over the squared length, M - λ g gᵀ / gᵀg. An approximate eigenvector leaves M slightly
    indefinite, so the second coordinate may be led uphill; line searches then stand still.
    """

    spectrum: Spectrum
    nu: int

    is_plain = False

    def __call__(self, gradient):
        V, values = self.spectrum.vectors, self.spectrum.values
        taken = []  # pairs (λ, unit vector) that M has lost

        def times_M(c):
            product = values * c
            for eigenvalue, u in taken:
                product -= eigenvalue * np.dot(u, c) * u
            return product

        guided = np.empty_like(gradient)
        for j, c in enumerate((V.T @ gradient).T):
            for _ in range(self.nu):
                c = times_M(c)  # (18)
            guided[:, j] = V @ c
            length = np.linalg.norm(c)
            if length > 0:
                u = c / length
                taken.append((np.dot(u, times_M(u)), u))  # (19), (20)
        return guided

    @property
    def directions(self) -> float:
        """As without deflation."""
        return powers(self.spectrum, self.nu).directions


# Schedules: from few directions to all


def falling_by_one(spectrum: Spectrum, nu, lowest=0) -> list[Filter]:
    """ν, ν - 1, ... down to `lowest`: 0 as in [SGD] 6.2, or 1 as in 6.1."""
    return [powers(spectrum, max(nu - k, lowest)) for k in range(int(np.ceil(nu - lowest)) + 1)]


def falling_geometrically(spectrum: Spectrum, nu, steps, last=0.01) -> list[Filter]:
    """ν times equal factors down to nearly nothing, then the plain gradient."""
    falling = np.geomspace(nu, last, steps) if nu > last else [nu]
    return [*(powers(spectrum, step) for step in falling), plain(spectrum)]


def growing_by_one(spectrum: Spectrum, first=1) -> list[Filter]:
    """l, l + 1, ... as many as were computed, and all: [SGD] 3.4."""
    N, k = spectrum.vectors.shape
    return [leading_directions(spectrum, l) for l in range(first, min(k + 1, N) + 1)]


def doubling(spectrum: Spectrum, first=1) -> list[Filter]:
    """l, 2 l, 4 l, ... all directions."""
    N = len(spectrum.vectors)
    counts = first * 2 ** np.arange(np.ceil(np.log2(max(N / first, 1))) + 1)
    return [leading_directions(spectrum, int(count)) for count in counts]


def spreading(spectrum: Spectrum, q, steps) -> list[Filter]:
    """Equal factors in the effective number of directions, from few to all.

    The same for a steep spectrum and a flat one, so it depends little on h. For a curve it begins
    with little more than one direction, which is its order. For a sheet that is too few: points
    spread along one axis first, and the other never catches up (seen on the s-curve, where R_cv is
    lowest from 8 to 15). So each further dimension begins with seven times as many.
    """
    N = len(spectrum.vectors)
    numbers = np.geomspace(min(1.2 * 7 ** (q - 1), N / 2), N, steps)
    return [
        *(powers(spectrum, power_with(spectrum, number)) for number in numbers[:-1]),
        plain(spectrum),
    ]


def deflating(spectrum: Spectrum, nu) -> list[Filter | Deflation]:
    """The simulated power method while ν falls by one, given up at ν = 0, [SGD] 6.2."""
    return [*(Deflation(spectrum, k) for k in range(int(nu), 0, -1)), plain(spectrum)]
