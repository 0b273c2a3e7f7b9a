"""Where to start: latent coordinates from other methods, [UKR] 2.3, step 1.

Coordinates from any method can serve as a start. They need a scale, which is the kernel's bandwidth
(`scales`), and of several the best is chosen (`race`).
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array, eye_array
from scipy.sparse.csgraph import connected_components, laplacian
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from ukrlearn.blocks import memory, mercer_kernels, student_embedding
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.nearest import nearest_neighbors
from ukrlearn.blocks.scales import best_scale, normalised, some_points

KPCA_ARRAYS, ISOMAP_ARRAYS = 7, 3  # N x N at the peak
# Points up to which a dense decomposition is about as fast as inverse iteration (timed at 300, 600
# and 700), which on small graphs reaches invariant subspaces and goes on from vectors that no seed
# decides.
MOST_IN_DENSE = 400
MOST_FOR_ALL_COUNTS = 800  # for more points, each Isomap takes .1 s
REGULARISATION = 1e-3  # of LLE, times the trace of a local Gram matrix, as in scikit-learn


def random(shape, spread, random_state=None):
    """Normally distributed coordinates with this standard deviation; None means the seed 0."""
    return spread * check_random_state(random_state or 0).normal(size=shape)


def pca(Y, n_components):
    """Principal components."""
    centred = Y - Y.mean(axis=0)
    U, s, _ = np.linalg.svd(centred, full_matrices=False)
    return U[:, :n_components] * s[:n_components]


def kernel_pca(G, n_components):
    """Principal components in the feature space of a Gram matrix."""
    return feature_coordinates(G, at_least=n_components)[:, :n_components]


def feature_coordinates(G, rank_tolerance=1e-12, at_least=0):
    """Points Φ (N, r) with Φ Φᵀ = G centred: feature space as a data space, up to translation.

    With these points, every method that needs data also works in feature space. Columns are sorted
    by falling variance. Directions below the rank tolerance are due to rounding and are dropped; if
    fewer than `at_least` remain, columns of zeros are added.
    """
    values, vectors = np.linalg.eigh(mercer_kernels.centred(G))
    kept = values > rank_tolerance * max(values[-1], 0)
    coordinates = (vectors[:, kept] * np.sqrt(values[kept]))[:, ::-1]
    return np.pad(coordinates, [(0, 0), (0, max(0, at_least - kept.sum()))])


def gaussian_kernel_pca(Y, n_components):
    """Kernel PCA with a Gaussian Mercer kernel whose width is the median distance."""
    _demand_memory("kernel PCA", KPCA_ARRAYS, len(Y))
    distances = cdist(Y, Y)
    return kernel_pca(mercer_kernels.gaussian(Y, width=np.median(distances)), n_components)


@dataclass(frozen=True, eq=False)
class Neighborhoods:
    """The nearest neighbours of all points: LLE and eigenmaps share them for each number K."""

    Y: np.ndarray
    most: int

    @cached_property
    def near(self):
        """The indices of the neighbours of each point, the nearest first: (N, most)."""
        return nearest_neighbors(self.Y, min(self.most, len(self.Y) - 1))

    @cached_property
    def grams(self):
        """⟨y_j - y_n, y_k - y_n⟩ for all pairs of neighbours of each point: (N, most, most)."""
        N, most = self.near.shape
        grams = np.empty((N, most, most))
        for rows in row_blocks(N, most * self.Y.shape[1]):
            apart = self.Y[self.near[rows]] - self.Y[rows, None]
            grams[rows] = apart @ np.swapaxes(apart, 1, 2)
        return grams

    def graph(self, K, weights, name, n_neighbors):
        """The sparse matrix (N, N) of weights (N, K); ValueError if it falls into pieces."""
        N = len(self.Y)
        of_rows = self.near[:, :K].ravel(), np.arange(0, N * K + 1, K)
        graph = csr_array((weights.ravel(), *of_rows), shape=(N, N))
        pieces, _ = connected_components(graph, directed=False)
        if pieces > 1:
            raise ValueError(
                f"{name} needs a connected graph; with n_neighbors={n_neighbors} it falls into "
                f"{pieces} pieces. Use more neighbours, or another start."
            )
        return graph


def lle(Y, n_components, n_neighbors, neighborhoods=None):
    """Locally linear embedding; `neighborhoods` with at least so many neighbours are used again."""
    N, K = len(Y), n_neighbors
    _demand_neighbors(N, K, "LLE")
    of_points = neighborhoods or Neighborhoods(Y, K)
    grams = of_points.grams[:, :K, :K].copy()
    trace = np.trace(grams, axis1=1, axis2=2)
    grams[:, range(K), range(K)] += REGULARISATION * np.where(trace > 0, trace, 1)[:, None]
    weights = np.linalg.solve(grams, np.ones((N, K, 1)))[:, :, 0]
    weights /= weights.sum(axis=1, keepdims=True)
    residual = eye_array(N, format="csr") - of_points.graph(K, weights, "LLE", K)
    return _lowest_vectors(residual.T @ residual, n_components)


def laplacian_eigenmaps(Y, n_components, n_neighbors, neighborhoods=None):
    """Laplacian eigenmaps on the graph of nearest neighbours, each point one of its own."""
    N, K = len(Y), n_neighbors
    _demand_neighbors(N, K, "Laplacian eigenmaps")
    of_points = neighborhoods or Neighborhoods(Y, K)
    graph = of_points.graph(K - 1, np.ones((N, K - 1)), "Laplacian eigenmaps", K)
    L, root = laplacian((graph + graph.T) / 2, normed=True, return_diag=True)
    return _lowest_vectors(L, n_components) / root[:, None]


def _lowest_vectors(M, count):
    """The eigenvectors of a sparse matrix M >= 0 with the lowest eigenvalues but the first."""
    N = M.shape[0]
    if N <= MOST_IN_DENSE:
        return eigh(M.toarray(), subset_by_index=[1, count])[1]
    # Inverse iteration from a fixed vector; the shift makes M positive definite.
    v0 = np.linspace(1, 2, N)
    values, vectors = eigsh(M.tocsc(), count + 1, sigma=-1e-9, tol=1e-6, v0=v0)
    return vectors[:, np.argsort(values)[1:]]


def isomap(Y, n_components, n_neighbors):
    """Isomap."""
    from sklearn.manifold import Isomap

    _demand_memory("Isomap", ISOMAP_ARRAYS, len(Y))
    _demand_neighbors(len(Y), n_neighbors, "Isomap")
    found = Isomap(n_neighbors=n_neighbors, n_components=n_components).fit(Y)
    if len(Y) <= 200 or n_components >= 10:  # where scikit-learn decomposes the whole matrix
        return found.embedding_
    # It iterates from a random vector that no seed decides. From a fixed one, fits can be repeated.
    G = np.square(found.dist_matrix_, out=found.dist_matrix_)
    G *= -0.5
    G -= G.mean(axis=0)
    G -= G.mean(axis=1, keepdims=True)
    values, vectors = eigsh(G, n_components, which="LA", v0=np.linspace(1, 2, len(Y)))
    X = np.sqrt(np.maximum(values, 0)) * vectors
    return X[:, ::-1] * np.sign(np.sum(X[:, ::-1] * found.embedding_, axis=0))


def neighbor_embedding(Y, n_components):
    """Coordinates that keep nearest neighbours together, from principal components."""
    return student_embedding.embedded(Y, pca(Y, n_components))


def _demand_memory(name, arrays, N):
    memory.demand(f"{name} of {N} points", arrays * N**2, 'Pass init="pca" or fewer points.')


def _demand_neighbors(N, n_neighbors, name):
    if not n_neighbors < N:
        raise ValueError(
            f"{name} needs n_neighbors < N; got n_neighbors={n_neighbors} and N={N} points. "
            'Pass init="pca" or fewer neighbours.'
        )


# Starts


class Candidate(NamedTuple):
    """One row of the table of starts."""

    name: str  # for display only; no decision depends on it
    X: np.ndarray | None = None  # coordinates at the best scale; None if there are none
    scale: np.ndarray | None = None  # factors of the coordinates normalised to unit variance
    cv_error: float = np.inf  # R_cv at this scale
    refined: float = np.nan  # R_cv after the race
    chosen: bool = False
    note: str = ""  # warnings of the method, or why the candidate was left out
    linear: bool = False  # principal components, for which step 4, the homotopy, is meant
    family: str = ""  # candidates of one family differ only in n_neighbors
    n_neighbors: int | None = None

    def scaled(self, *_):
        """Itself: nothing is left to be made of it."""
        return self


class Start(NamedTuple):
    """How to compute the coordinates of a candidate, and its row in the table so far."""

    row: Candidate
    make: Callable[[], np.ndarray]
    per_axis: bool = True  # whether each axis may have its own scale

    def scaled(self, shape, error, kernel: DensityKernel = gaussian) -> Candidate:
        """The coordinates at their best scale, or a note why there are none of this shape.

        Without an `error` to choose a scale by, they stay normalised.
        """
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                X = np.asarray(self.make(), dtype=float)
        except (ValueError, np.linalg.LinAlgError, RuntimeError) as problem:
            return self.row._replace(note=str(problem))
        if X.shape != shape:
            return self.row._replace(note=f"gave coordinates of shape {X.shape}, not {shape}")
        if not np.isfinite(X).all():
            return self.row._replace(note="gave coordinates that are not finite")
        X, scale, least = normalised(X, self.per_axis), np.ones(shape[1]), np.nan
        if error is not None:
            few = some_points(len(X), about=100)
            scale, least, _ = best_scale(X, error, kernel, self.per_axis, few)
        noted = dict.fromkeys(str(warning.message).split(". ")[0] for warning in caught)
        return self.row._replace(X=X * scale, scale=scale, cv_error=least, note="; ".join(noted))


def neighborhoods(N):
    """The numbers of neighbours to try: 4 to 14 as in the paper, and some larger ones."""
    if N > MOST_FOR_ALL_COUNTS:
        return {"lle": [8, 10, 12, 15, 20], "isomap": [8, 12], "spectral": [8, 12]}
    coarse = [6, 8, 10, 12, 15, 20]
    return {"lle": [*range(4, 15), 17, 20, 25, 30], "isomap": coarse, "spectral": coarse}


def families(Y, n_components, counts=None) -> dict[str, list[Start]]:
    """The starts of each kind, by the name that `init` uses for the kind.

    Parameters
    ----------
    counts : dict of str to iterable of int, optional
        The numbers of neighbours to try with "lle", "isomap" and "spectral"; by default, those of
        `neighborhoods`.
    """
    q, K_student = n_components, student_embedding.NEIGHBORS
    counts = neighborhoods(len(Y)) if counts is None else counts
    counts = {name: [K for K in Ks if q < K < len(Y)] for name, Ks in counts.items()}
    shared = Neighborhoods(Y, max(counts.get("lle", []) + counts.get("spectral", []), default=0))

    def over_neighborhoods(name, family, make, *more):
        return [
            Start(
                Candidate(f"{family}(K={K})", family=family, n_neighbors=K),
                partial(make, Y, q, K, *more),
            )
            for K in counts.get(name, [])
        ]

    neighbors = Candidate(f"neighbours(K={K_student})", family="neighbours", n_neighbors=K_student)
    return {
        "pca": [Start(Candidate("PCA", linear=True), partial(pca, Y, q))],
        "kpca": [Start(Candidate("KPCA(gaussian)"), partial(gaussian_kernel_pca, Y, q))],
        "lle": over_neighborhoods("lle", "LLE", lle, shared),
        "isomap": over_neighborhoods("isomap", "Isomap", isomap),
        "spectral": over_neighborhoods("spectral", "Laplacian", laplacian_eigenmaps, shared),
        "neighbors": [Start(neighbors, partial(neighbor_embedding, Y, q), per_axis=False)],
    }
