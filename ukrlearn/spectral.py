"""Spectral gradient descent: points whose data are alike move together, [SGD] 3 to 5.

The gradient of any objective of latent points is a list of N movements. An affinity matrix M of the
data says which points belong together; its leading eigenvectors are nearly constant on clusters and
change slowly along a manifold. Expanded in them, the movements are cut off after a few terms or
weighted by powers of the eigenvalues; late in a descent every point is free again. With the
gradient as an (N, q) array, the transpose of the paper's::

    A = V_l.T @ gradient                           (14)
    guided = V_l @ A                               (15)
    guided = M @ gradient                          (16)
    guided = V @ diag(λ^ν) @ V.T @ gradient        (17); the trace is left to the line search

M never depends on X: there is one eigendecomposition per data set and bandwidth, and after it every
l and every ν costs two thin products. Whenever the weights are not negative, minus the guided
gradient leads downhill.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from scipy.optimize import brentq
from scipy.sparse import coo_array, eye_array, issparse
from scipy.sparse.linalg import LinearOperator, eigsh
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from ukrlearn.mercer_kernels import centred

DENSE = 1500  # points up to which all eigenvectors are computed
LEADING = 200  # how many beyond
NEGLIGIBLE = 1e-12  # of the greatest weight
MOST_NU = 1e4  # a spectrum that this power does not make steep enough has no slope
ALIKE = 1e10  # times the mean squared distance: with such an h, only rounding tells points apart
NEIGHBORS = 8  # for the automatic bandwidth


# Affinities: (N, N), symmetric, positive semidefinite


def clustering_affinity(Y, h):
    """M = D^-1/2 K D^-1/2 with K_ij = exp(-|y_i - y_j|² / h) and D its row sums, [SGD] (12).

    The diagonal of ones stays in K, unlike in Ng, Jordan and Weiss: without it M has negative
    eigenvalues, and a guided step may lead uphill. The greatest eigenvalue is 1; its eigenvector is
    the root of the row sums, nearly constant.

    Examples
    --------
    >>> clustering_affinity(np.array([[0.0], [0.0], [9.0]]), 1.0).round(3)
    array([[0.5, 0.5, 0. ],
           [0.5, 0.5, 0. ],
           [0. , 0. , 1. ]])
    """
    return _with_its_constant(_gaussian(Y, h))[0]


def kernel_pca_affinity(Y, h):
    """(I - eeᵀ) K (I - eeᵀ) with e = 1 / √N, [SGD] (21): the kernel matrix, centred."""
    return centred(_gaussian(Y, h))


def neighbor_affinity(Y, n_neighbors=10):
    """(I + D^-1/2 A D^-1/2) / 2 of the graph A of nearest neighbours: sparse, for large N.

    A_ij is 1 if one of the two is among the other's nearest. The normalised graph alone has
    eigenvalues in [-1, 1]; half of the identity and half of it has them in [0, 1].
    """
    return _with_identity(_neighbor_graph(Y, n_neighbors))[0]


def _neighbor_graph(Y, n_neighbors):
    N = len(Y)
    _, near = cKDTree(Y).query(Y, min(n_neighbors, N - 1) + 1)
    points = np.repeat(np.arange(N), near.shape[1])
    A = coo_array((np.ones(near.size), (points, near.ravel())), shape=(N, N)).tocsr()
    A.setdiag(0)
    A.eliminate_zeros()
    return A.maximum(A.T)


def typical_bandwidth(Y):
    """An h for (12): a point weighs its eighth neighbour with 1/e, in the median.

    Small enough not to join two turns of a spiral, large enough that noise along the curve does not
    cut it. That is a compromise, and seen on curves only: try a few h on your own data.

    Examples
    --------
    >>> typical_bandwidth(np.arange(50.0)[:, None])
    16.0
    """
    distance, _ = cKDTree(Y).query(Y, min(NEIGHBORS, len(Y) - 1) + 1)
    positive = distance[:, -1][distance[:, -1] > 0]
    return float(np.median(positive) ** 2) if len(positive) else 1.0


def _with_its_constant(K):
    """(12) of a kernel matrix, and its eigenvector D^1/2 1 of eigenvalue 1, at unit length."""
    root = np.sqrt(K.sum(axis=1))
    K /= root
    K /= root[:, None]
    return K, root / np.linalg.norm(root)


def _with_identity(A):
    """(I + D^-1/2 A D^-1/2) / 2 of a graph, and the same eigenvector."""
    A = A.tocoo()
    root = np.sqrt(A.sum(axis=0))
    i, j = A.coords
    M = coo_array((1 / (root[i] * root[j]), (i, j)), shape=A.shape)
    return ((eye_array(len(root)) + M) / 2).tocsr(), root / np.linalg.norm(root)


def _gaussian(Y, h):
    K = cdist(Y, Y, "sqeuclidean")
    K /= -h
    return np.exp(K, out=K)


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
        return _perplexity(np.append(self.weights, np.full(N - k, self.of_rest)))


def _span(weights):
    """The slice from the first to the last weight that is not negligible."""
    size = np.abs(weights)
    counts = np.flatnonzero(size > NEGLIGIBLE * size.max())
    return slice(counts[0], counts[-1] + 1) if len(counts) else slice(0)


def _perplexity(weights):
    """exp(entropy) of weights over their sum: n equal ones have n."""
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


# Descents under guidance

Map = Callable[[np.ndarray], np.ndarray]


def guided(descent, filters: Iterable[Map], finish=None):
    """The descent that follows guided gradients: move k the k-th filter's, then the plain one's.

    Wraps any descent; the steps that it yields hold the guided gradient, the errors are those of
    the objective. Line searches, which never accept a rise, stay safe with it. RPROP looks at signs
    only and may rise, guided or not: keep the best step.

    Parameters
    ----------
    filters : iterable of callables
        Gradient -> gradient; for ever if it never ends.
    finish : descent, optional
        Takes over from the last guided step. For quasi-Newton methods, which must not mix
        gradients of different filters: `guided(gradient_descent, filters, finish=lbfgs)`.
    """

    def guided_descent(objective, X0):
        coming = iter(filters)
        present = [next(coming, None)]

        def bent(X):
            error, gradient = objective(X)
            return error, gradient if present[0] is None else present[0](gradient)

        for step in descent(bent, X0):
            if finish is not None and present[0] is None:
                yield from finish(objective, step.X)
            # The next move follows the gradient that stands in the last step; the points that it
            # tries get the gradient for the move after it.
            present[0] = next(coming, None)
            yield step

    return guided_descent


@dataclass(frozen=True)
class SpectralGuidance:
    """How a fit is guided by the spectrum of the data, [SGD]: ``UKR(guidance=SpectralGuidance())``.

    Parameters
    ----------
    h : "auto" or float
        Bandwidth of the affinity (12), which divides squared distances of the data, in their
        units. "auto": a point weighs its eighth neighbour with 1/e.
    schedule : str
        "directions": the effective number of directions grows from few to N in `steps` moves.
        "nu": ν falls by one a move to 0, the plain gradient. "nu-hold": to 1, and stays there, as
        printed in the paper. "nu-geometric": by equal factors in `steps` moves. "l": one more
        direction a move. "l-doubling": twice as many. "deflation": the simulated power method, ν
        falling by one. "constant": l directions if l is given, else ν.
    nu : float
        ν of the first move.
    l : int, optional
        Number of directions of the first move; 1 where it grows.
    matrix : {"clustering", "kpca", "neighbors"}, array of shape (N, N) or callable
        The affinity: (12), (21), the graph of ten nearest neighbours, your own (positive
        semidefinite), or a callable Y -> (N, N). h is for the first two.
    steps : int
        Length of the schedules that have no length of their own.

    Notes
    -----
    Memory grows with N² (but for "neighbors"), and up to N = 1500 the eigendecomposition takes
    N³ operations, once. ν means nothing without h: for a small h the spectrum is flat, and ν = 10
    leaves half of all directions free. That is what "directions" is for.
    """

    h: float | str = "auto"
    schedule: str = "directions"
    nu: float = 10
    l: int | None = None
    matrix: object = "clustering"
    steps: int = 20

    def spectrum(self, Y) -> Spectrum:
        """The one eigendecomposition, for data Y (N, d).

        Of data that are isolated at this h nothing can be learnt: a warning, and a flat spectrum.
        """
        if not isinstance(self.matrix, str):
            M = self.matrix(Y) if callable(self.matrix) else self.matrix
            found = decompose(_positive_semidefinite(M, len(Y)))
        elif self.matrix == "neighbors":
            found = decompose(*_with_identity(_neighbor_graph(Y, 10)))
        else:
            h = typical_bandwidth(Y) if isinstance(self.h, str) else self.h
            squared_size = 2 * np.var(Y, axis=0).sum()
            if h > ALIKE * squared_size:
                raise ValueError(
                    f"guidance: at h={h:g} all points look alike, and M of rank one says nothing. "
                    f"Take a smaller h; the mean squared distance is {squared_size:.3g}."
                )
            K = _gaussian(Y, h)
            if np.median(K.sum(axis=1)) < 1 + 1e-6:
                warnings.warn(
                    f"guidance: at h={h:g} most points have no other near them: no direction comes "
                    f"before another, and nothing is guided. Half of the points have {NEIGHBORS} "
                    f"neighbours within a squared distance of {typical_bandwidth(Y):.3g}.",
                    UserWarning,
                    stacklevel=2,
                )
            if self.matrix == "kpca":
                found = decompose(centred(K))
            else:
                found = decompose(*_with_its_constant(K))
        return found

    def filters(self, spectrum: Spectrum, q) -> Iterator[Filter | Deflation]:
        """One filter a move, until gradients are plain; for ever if they never are."""
        return chain(*self.stages(spectrum, q))

    def stages(self, spectrum: Spectrum, q):
        """The filters of the moves that the schedule takes, and those of all later ones."""
        first = 1 if self.l is None else self.l
        if self.schedule == "constant":
            hold = powers(spectrum, self.nu)
            hold = hold if self.l is None else leading_directions(spectrum, self.l)
            return [hold] * self.steps, repeat(hold)
        if self.schedule == "nu-hold":
            filters = falling_by_one(spectrum, max(self.nu, 1), lowest=1)
            return filters, repeat(filters[-1])
        filters = {
            "directions": lambda: spreading(spectrum, q, self.steps),
            "nu": lambda: falling_by_one(spectrum, self.nu),
            "nu-geometric": lambda: falling_geometrically(spectrum, self.nu, self.steps),
            "l": lambda: growing_by_one(spectrum, first),
            "l-doubling": lambda: doubling(spectrum, first),
            "deflation": lambda: deflating(spectrum, self.nu),
        }[self.schedule]()
        return filters, ()


SCHEDULES = (
    *("directions", "nu", "nu-hold", "nu-geometric"),
    *("l", "l-doubling", "deflation", "constant"),
)
MATRICES = ("clustering", "kpca", "neighbors")


def _positive_semidefinite(M, N):
    """A given affinity as it is, or ValueError."""
    M = M.toarray() if issparse(M) else np.asarray(M, dtype=float)
    if M.shape != (N, N):
        raise ValueError(f"matrix must be N x N, ({N}, {N}); got shape {M.shape}.")
    if not np.isfinite(M).all():
        raise ValueError("matrix must be finite; it holds NaN or infinity.")
    size = np.abs(M).max()
    if np.abs(M - M.T).max() > 1e-8 * size:
        raise ValueError(
            "matrix must be symmetric. If the difference is noise, pass (M + M.T) / 2."
        )
    values = np.linalg.eigvalsh(M)
    if values[0] < -1e-8 * np.abs(values).max():
        raise ValueError(
            f"matrix must be positive semidefinite, or guided steps may lead uphill; its "
            f"eigenvalues go from {values[0]:.3g} to {values[-1]:.3g}. Pass "
            "M + c I with c at least the magnitude of the lowest one, or leave the diagonal of "
            "ones in the kernel matrix."
        )
    return M
