"""Spectra of affinities, and the filters of gradients that are made from them, [SGD] 3.3 to 5.

A filter expands a gradient in the eigenvectors V of an affinity M, and keeps only a few terms or
weights the terms by powers of the eigenvalues. `ukrlearn.explicit.matrices.sgd` has (14) to (20) in
the paper's form, with one point per row. The trace in (17) is omitted here, because line searches
make up for it.

M does not depend on X, so one eigendecomposition per data set and bandwidth is enough. After it,
each l and each ν costs two thin products. As long as no weight is negative, minus the guided
gradient leads downhill.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import issparse
from scipy.sparse.linalg import LinearOperator, eigsh

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import checked, count, not_negative, positive, vector

DENSE = 1500  # all eigenvectors are computed for at most so many points
LEADING = 200  # the number of eigenvectors for more points
NEGLIGIBLE = 1e-12  # smaller weights, relative to the greatest, are skipped
MOST_NU = 1e4  # if this power does not make a spectrum steep, no power does


# Spectra and filters


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues of an affinity in descending order, and their eigenvectors.

    The eigenvalues are divided by the greatest, so that no power of it underflows.
    """

    values: np.ndarray  # (k,)
    vectors: np.ndarray  # (N, k)
    rest: float = 0.0  # the mean of the N - k eigenvalues that were not computed


OF_SPECTRUM = arguments.record(Spectrum)
# Schedules are lists with a filter for every move.
START = partial(arguments.number, above=0, below=1e5, or_equal=True)
STEPS = partial(arguments.whole_number, least=1, most=100_000)
DIMENSIONS = partial(arguments.whole_number, least=1, most=300)


def _affinity(name, value):
    """A square array, dense or sparse."""
    if not issparse(value):
        return arguments.square(name, value)
    if value.shape[0] != value.shape[1]:
        raise ValueError(f"{name} must be square; got shape {value.shape}.")
    return value


def _weights(name, value):
    """Weights that are not negative, and not all zero."""
    weights = vector(name, value)
    if weights.min() < 0 or not weights.any():
        raise ValueError(
            f"{name} must not be negative, and not all zero; got a minimum of {weights.min():.4g}."
        )
    return weights


@checked(arguments.same_length("M", "without"), M=_affinity, without=vector, leading=count)
def decompose(M, without=None, leading=None) -> Spectrum:
    """The spectrum of an affinity: all of it, or its leading part if N is large.

    Parameters
    ----------
    M : array or sparse array of shape (N, N)
        Symmetric, positive semidefinite up to rounding.
    without : array of shape (N,), optional
        A unit eigenvector to remove from M: its eigenvalue becomes zero, and it comes last. Use it
        for the (nearly) constant eigenvector, along which X is only translated: translations change
        no error, so the gradient there is mere rounding. It must be given explicitly, because it
        need not be the first: in a graph of m pieces, m eigenvectors share the eigenvalue 1.
    leading : int, optional
        Number of eigenpairs; by default all for N up to 1500, and 200 for more points.
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
    """A linear map of gradients: V diag(weights) Vᵀ, plus a factor for the part orthogonal to V."""

    vectors: np.ndarray  # (N, k)
    weights: np.ndarray  # (k,)
    of_rest: float = 0.0

    def __call__(self, gradient):
        if self.is_plain:
            return gradient
        weights = self.weights - self.of_rest
        used = _span(weights)
        V = self.vectors[:, used]  # a view, not a copy
        A = V.T @ gradient  # (14)
        guided = V @ (weights[used, None] * A)  # (15), (17)
        return guided + self.of_rest * gradient if self.of_rest else guided

    @property
    def is_plain(self) -> bool:
        """Whether the filter leaves gradients unchanged."""
        return self.of_rest == 1 and bool(np.all(self.weights == 1))

    @property
    def directions(self) -> float:
        """The perplexity of the weights: the effective number of free directions, at most N."""
        N, k = self.vectors.shape
        return perplexity(np.append(self.weights, np.full(N - k, self.of_rest)))


def _span(weights):
    """The slice from the first to the last weight that is not negligible."""
    size = np.abs(weights)
    counts = np.flatnonzero(size > NEGLIGIBLE * size.max())
    return slice(counts[0], counts[-1] + 1) if len(counts) else slice(0)


@checked(weights=_weights)
def perplexity(weights):
    """exp(entropy) of the weights divided by their sum: n equal weights have perplexity n.

    >>> perplexity(np.array([2.0, 2.0, 0.0]))
    2.0
    """
    shares = weights / weights.sum()
    shares = shares[shares > 0]
    return float(np.exp(-np.sum(shares * np.log(shares))))


@checked(spectrum=OF_SPECTRUM)
def plain(spectrum: Spectrum) -> Filter:
    """The filter that changes nothing: every point moves freely."""
    return Filter(spectrum.vectors, np.ones_like(spectrum.values), 1.0)


@checked(spectrum=OF_SPECTRUM, l=count)
def leading_directions(spectrum: Spectrum, l) -> Filter:
    """V_l V_lᵀ: projection on the l leading directions, [SGD] (14), (15).

    With all directions, it is the identity. A partial spectrum also gives the identity if l exceeds
    the number of computed eigenvectors, because it cannot separate the others.
    """
    N, k = spectrum.vectors.shape
    if l >= N or l > k:
        return plain(spectrum)
    weights = np.zeros_like(spectrum.values)
    weights[:l] = 1
    return Filter(spectrum.vectors, weights)


@checked(spectrum=OF_SPECTRUM, nu=not_negative)
def powers(spectrum: Spectrum, nu) -> Filter:
    """V diag(λ^ν) Vᵀ for any real ν >= 0, [SGD] (16), (17). ν = 0 is the plain gradient.

    In a partial spectrum, all eigenvalues that were not computed are replaced by their mean.
    """
    if nu == 0:
        return plain(spectrum)
    return Filter(spectrum.vectors, spectrum.values**nu, spectrum.rest**nu)


@checked(spectrum=OF_SPECTRUM, directions=positive)
def power_with(spectrum: Spectrum, directions) -> float:
    """The ν whose weights have this perplexity, or the nearest possible one.

    A flat spectrum (isolated points, separate clusters) has many directions at any ν, and a
    spectrum of low rank has few.
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
    """The simulated power method, [SGD] (18)-(20): an eigenvector for each latent coordinate.

    Coordinates are handled one after the other. Each column of the gradient is multiplied by M^ν
    (18), which turns it towards the leading eigenvector. This direction is then removed from M (19)
    before the next column. The computation uses the basis of the eigenvectors, where M is diagonal.

    Departures: (19) as printed subtracts a number from a matrix. It needs the outer product divided
    by the squared length, M - λ g gᵀ / gᵀg. Removing an approximate eigenvector leaves M slightly
    indefinite, so the second coordinate may be led uphill; a line search then finds no step.
    """

    spectrum: Spectrum
    nu: int

    is_plain = False

    def __call__(self, gradient):
        V, values = self.spectrum.vectors, self.spectrum.values
        taken = []  # pairs (λ, unit vector) removed from M so far

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
        """The perplexity of the weights without deflation."""
        return powers(self.spectrum, self.nu).directions


# Schedules: from few directions to all


@checked(spectrum=OF_SPECTRUM, nu=START, lowest=not_negative)
def falling_by_one(spectrum: Spectrum, nu, lowest=0) -> list[Filter]:
    """Powers ν, ν - 1, ... down to `lowest`, which is 0 in [SGD] 6.2 and 1 in 6.1."""
    return [powers(spectrum, max(nu - k, lowest)) for k in range(int(np.ceil(nu - lowest)) + 1)]


@checked(spectrum=OF_SPECTRUM, nu=START, steps=STEPS, last=positive)
def falling_geometrically(spectrum: Spectrum, nu, steps, last=0.01) -> list[Filter]:
    """Powers that fall geometrically from ν to nearly zero, then the plain gradient."""
    falling = np.geomspace(nu, last, steps) if nu > last else [nu]
    return [*(powers(spectrum, step) for step in falling), plain(spectrum)]


@checked(spectrum=OF_SPECTRUM, first=count)
def growing_by_one(spectrum: Spectrum, first=1) -> list[Filter]:
    """l, l + 1, ... directions, up to the number that were computed, then all: [SGD] 3.4."""
    N, k = spectrum.vectors.shape
    return [leading_directions(spectrum, l) for l in range(first, min(k + 1, N) + 1)]


@checked(spectrum=OF_SPECTRUM, first=count)
def doubling(spectrum: Spectrum, first=1) -> list[Filter]:
    """l, 2 l, 4 l, ... directions, then all."""
    N = len(spectrum.vectors)
    counts = first * 2 ** np.arange(np.ceil(np.log2(max(N / first, 1))) + 1)
    return [leading_directions(spectrum, int(count)) for count in counts]


@checked(spectrum=OF_SPECTRUM, q=DIMENSIONS, steps=STEPS)
def spreading(spectrum: Spectrum, q, steps) -> list[Filter]:
    """Perplexities that grow geometrically from few directions to all.

    The schedule is the same for steep and for flat spectra, so it depends little on h. For a curve,
    it begins with little more than one direction, which is the order of the points. For a sheet,
    one direction is too few: points spread along one axis first, and the other axis never catches
    up. On the s-curve, R_cv is lowest with 8 to 15 directions. So the first number of directions is
    multiplied by seven for each further dimension.
    """
    N = len(spectrum.vectors)
    numbers = np.geomspace(min(1.2 * 7 ** (q - 1), N / 2), N, steps)
    return [
        *(powers(spectrum, power_with(spectrum, number)) for number in numbers[:-1]),
        plain(spectrum),
    ]


@checked(spectrum=OF_SPECTRUM, nu=START)
def deflating(spectrum: Spectrum, nu) -> list[Filter | Deflation]:
    """The simulated power method with ν falling by one to 1, then the plain gradient, [SGD] 6.2."""
    return [*(Deflation(spectrum, k) for k in range(int(nu), 0, -1)), plain(spectrum)]
