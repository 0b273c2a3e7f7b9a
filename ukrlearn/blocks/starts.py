"""Where to start: latent coordinates from other methods, and the scale that suits them.

[UKR] 2.3, steps 1 to 3. Coordinates from any method can serve as a start, but they need a scale,
which is the kernel's bandwidth. Candidates are computed, scaled to the lowest R_cv, and compared.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from scipy.linalg import eigh
from scipy.optimize import minimize, minimize_scalar
from scipy.sparse.csgraph import connected_components, laplacian
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import cdist
from scipy.special import logsumexp
from sklearn.utils import check_random_state

from ukrlearn.blocks import descent, memory, mercer_kernels, student_embedding
from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import row_blocks
from ukrlearn.blocks.units import power_of_two


class Candidate(NamedTuple):
    """One row of the table of starts."""

    name: str  # for display only; no decision depends on it
    X: np.ndarray | None = None  # coordinates at the best scale; None if there are none
    scale: np.ndarray | None = None  # factors of the coordinates normalised to unit variance
    cv_error: float = np.inf  # R_cv at this scale
    refined: float = np.nan  # R_cv after the race, if the candidate took part
    chosen: bool = False
    note: str = ""  # warnings of the method, or why the candidate was left out
    linear: bool = False  # principal components, for which step 4, the homotopy, is meant
    family: str = ""  # candidates of one family differ only in n_neighbors
    n_neighbors: int | None = None


# Coordinates


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


def lle(Y, n_components, n_neighbors, seed=0):
    """Locally linear embedding."""
    from sklearn.manifold import LocallyLinearEmbedding

    if n_components >= DENSE_LLE:
        _demand_memory("LLE in many dimensions", LLE_ARRAYS, len(Y))
    _demand_connected(Y, n_neighbors, "LLE")
    return LocallyLinearEmbedding(
        n_neighbors=n_neighbors, n_components=n_components, random_state=seed
    ).fit_transform(Y)


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


def laplacian_eigenmaps(Y, n_components, n_neighbors, seed=0):
    """Laplacian eigenmaps on the graph of nearest neighbours."""
    from sklearn.manifold import SpectralEmbedding

    _demand_connected(Y, n_neighbors, "Laplacian eigenmaps")
    if len(Y) <= MOST_FOR_DENSE_EIGENMAPS:
        return _dense_laplacian_eigenmaps(Y, n_components, n_neighbors)
    return SpectralEmbedding(
        n_components=n_components,
        affinity="nearest_neighbors",
        n_neighbors=n_neighbors,
        random_state=seed,
    ).fit_transform(Y)


def _dense_laplacian_eigenmaps(Y, n_components, n_neighbors):
    """The same by a dense decomposition, which gives the same result each time.

    On small graphs the iterations of ARPACK reach an invariant subspace, and go on from a random
    vector that no seed of scikit-learn's decides.
    """
    from sklearn.neighbors import kneighbors_graph

    graph = kneighbors_graph(Y, n_neighbors, include_self=True)
    affinity = (graph + graph.T) / 2
    L, root = laplacian(affinity.toarray(), normed=True, return_diag=True)
    _, vectors = eigh(L, subset_by_index=[1, n_components])
    return vectors / root[:, None]


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


def _demand_connected(Y, n_neighbors, name):
    from sklearn.neighbors import kneighbors_graph

    _demand_neighbors(len(Y), n_neighbors, name)
    graph = kneighbors_graph(Y, n_neighbors)
    pieces, _ = connected_components(graph, directed=False)
    if pieces > 1:
        raise ValueError(
            f"{name} needs a connected graph; with n_neighbors={n_neighbors} it falls into "
            f"{pieces} pieces. Use more neighbours, or another start."
        )


def neighborhoods(N, n_components):
    """The numbers of neighbours to try by default: 4 to 14 as in the paper, and some larger ones.

    For large N there are fewer of them, because each requires an eigendecomposition.
    """
    fine = [*range(4, 15), 17, 20, 25, 30]
    coarse = [6, 8, 10, 12, 15, 20]
    chosen = {"LLE": fine, "Isomap": coarse, "Laplacian": coarse}
    if N > 800:
        chosen = {"LLE": [8, 10, 12, 15, 20], "Isomap": [8, 12], "Laplacian": [8, 12]}
    return {name: [K for K in counts if n_components < K < N] for name, counts in chosen.items()}


KPCA_ARRAYS, ISOMAP_ARRAYS, LLE_ARRAYS = 7, 3, 2.2  # N x N at the peak
DENSE_LLE = 9  # from so many components on, scikit-learn's LLE makes its sparse matrix dense
MOST_FOR_DENSE_EIGENMAPS = 40  # points: where ARPACK often meets an invariant subspace
MOST_FOR_DENSE_STARTS = 4000  # for more points, N x N arrays (Isomap, KPCA) exceed 128 MB each
MOST_FOR_EIGENMAPS = 20_000  # for more, the sparse eigenproblems of LLE and eigenmaps take minutes
MOST_FOR_LONG_RACE = 800  # for more points, a few starts race, on landmarks
LANDMARKS = 1000
SHORT_NEIGHBORHOODS = {"LLE": [12], "Isomap": [6, 8, 12], "Laplacian": [10]}
SHORT_RACE = 20, 2, 60  # steps for all candidates, number of finalists, and steps for them


class Start(NamedTuple):
    """How to compute the coordinates of a candidate, and what is known about it beforehand."""

    name: str
    make: Callable[[], np.ndarray]
    per_axis: bool = True  # whether each axis may have its own scale
    linear: bool = False
    family: str = ""
    n_neighbors: int | None = None

    def candidate(self, *fields, **named) -> Candidate:
        """This start's row in the table."""
        known = dict(linear=self.linear, family=self.family, n_neighbors=self.n_neighbors)
        return Candidate(self.name, *fields, **named, **known)


def families(Y, n_components, seed=0, counts=None) -> dict[str, list[Start]]:
    """The starts of each kind, by the name that `init` uses for the kind.

    Parameters
    ----------
    counts : dict of str to list of int, optional
        The numbers of neighbours to try, by method; by default, those of `neighborhoods`.
    """
    q = n_components
    counts = neighborhoods(len(Y), q) if counts is None else counts

    def over_neighborhoods(family, make, *seeds):
        return [
            Start(f"{family}(K={K})", partial(make, Y, q, K, *seeds), family=family, n_neighbors=K)
            for K in counts[family]
        ]

    return {
        "pca": [Start("PCA", partial(pca, Y, q), linear=True)],
        "kpca": [Start("KPCA(gaussian)", partial(gaussian_kernel_pca, Y, q))],
        "lle": over_neighborhoods("LLE", lle, seed),
        "isomap": over_neighborhoods("Isomap", isomap),
        "spectral": over_neighborhoods("Laplacian", laplacian_eigenmaps, seed),
        "neighbors": [
            Start(
                f"neighbours(K={student_embedding.NEIGHBORS})",
                partial(neighbor_embedding, Y, q),
                per_axis=False,
                family="neighbours",
                n_neighbors=student_embedding.NEIGHBORS,
            )
        ],
    }


def affordable(families, N):
    """The starts that are fast enough for N points, and candidates with a note for the others.

    Neighbour embedding is tried only if it is asked for: it is meant for clusters, not for sheets.
    """
    too_large = ["kpca", "isomap"] if N > MOST_FOR_DENSE_STARTS else []
    too_large += ["lle", "spectral"] if N > MOST_FOR_EIGENMAPS else []
    note = f"left out: needs too much memory or time at N={N}"
    left_out = [start.candidate(note=note) for name in too_large for start in families[name]]
    kept = [name for name in families if name not in (*too_large, "neighbors")]
    return [start for name in kept for start in families[name]], left_out


def short_list(Y, n_components, seed=0) -> list[Start]:
    """The starts that a race of many points needs: a few, of all kinds but kernel PCA.

    Neighbour embedding takes part from two dimensions on. On a line it has no way to move points
    past each other.
    """
    of_kind = families(Y, n_components, seed, SHORT_NEIGHBORHOODS)
    names = ["pca", "isomap", "lle", "spectral"] + ["neighbors"] * (n_components > 1)
    return [start for name in names for start in of_kind[name]]


def landmarks(N, seed=0):
    """The points by which many are represented in the race: all, or 1000 at random, in order."""
    if N <= LANDMARKS:
        return np.arange(N)
    return np.sort(np.random.RandomState(seed).choice(N, LANDMARKS, replace=False))


# Scale


def varying(X):
    """X with constant columns replaced by zeros."""
    return np.where(np.any(X != X[:1], axis=0), X, 0)


def normalised(X, per_axis=True):
    """Coordinates with mean 0 and variance 1.

    Departure: the paper normalises to X Xᵀ = I, so that the best factors grow with √N.

    Parameters
    ----------
    per_axis : bool
        True: variance 1 on each axis, and 0 on an axis that does not vary. False: mean variance 1
        over all axes, which keeps the shape.
    """
    X = _centred(X)
    if not per_axis:
        spread = np.sqrt(np.mean(X**2))
        return X / spread if spread > 0 else X
    spread = X.std(axis=0)
    flat = spread <= 1e-12 * max(spread.max(initial=0.0), np.finfo(float).tiny)
    return np.where(flat, 0, X / np.where(flat, 1, spread))


def _centred(X):
    """X with mean 0, in a unit in which squares neither overflow nor underflow."""
    X = varying(X)  # otherwise rounding would make constants vary
    X = X / power_of_two(X)
    return X - X.mean(axis=0)


def log_likelihood_of_left_out(X, h, kernel: DensityKernel = gaussian, points=None):
    """Mean of log p_{-n}(x_n) with bandwidth h: likelihood cross-validation, [UKR] section 4.

    1/N Σ_n log( 1/((N - 1) h^q) Σ_{m≠n} K(|x_n - x_m|² / h²) ), up to K's normalising constant. It
    is minus infinity if a point has no neighbour.

    Parameters
    ----------
    points : array of indices, optional
        Leave out only these points, which estimates the mean at lower cost.
    """
    N, q = X.shape
    points = np.arange(N) if points is None else points
    logs = np.empty(len(points))
    for rows in row_blocks(len(points), N):
        t = cdist(X[points[rows]], X, "sqeuclidean") / h**2
        itself = np.arange(len(t)), points[rows]
        if kernel.exponential:  # K(t) = K(0) exp(c t), computed without underflow
            rate = np.log(float(kernel(np.ones(1))[0]) / kernel.at_zero)
            t *= rate
            t[itself] = -np.inf
            logs[rows] = logsumexp(t, axis=1) + np.log(kernel.at_zero)
        else:
            K = kernel.value(t)
            K[itself] = 0
            with np.errstate(divide="ignore"):
                logs[rows] = np.log(K.sum(axis=1))
    return float(logs.mean() - np.log(N - 1) - q * np.log(h))


def likelihood_bandwidth(X, kernel: DensityKernel = gaussian, points=None):
    """The bandwidth that maximises the left-out likelihood, searched on a logarithmic scale.

    A compact kernel must be wide enough for every point to have a neighbour; otherwise the
    likelihood is zero.
    """
    N, q = X.shape
    typical = np.sqrt(np.mean(X.var(axis=0))) * N ** (-1 / (q + 4))
    lowest = typical / 100
    if kernel.compact:
        from scipy.spatial import cKDTree

        nearest = cKDTree(X).query(X, k=2)[0][:, 1]
        lowest = max(lowest, nearest.max() / kernel.radius * (1 + 1e-6))
    loss = lambda log_h: -log_likelihood_of_left_out(X, np.exp(log_h), kernel, points)
    found = minimize_scalar(
        loss,
        bounds=(np.log(lowest), np.log(max(lowest, typical) * 10)),
        method="bounded",
        options={"xatol": 0.05},
    )
    return float(np.exp(found.x))


class Scaling(NamedTuple):
    """The result of a search for the scale of normalised coordinates."""

    scale: np.ndarray
    error: float
    path: list  # (scale, error) of every trial, in order


def best_scale(
    X, error, kernel: DensityKernel = gaussian, per_axis=True, points=None, finest=0.0
) -> Scaling:
    """Factors for the axes of X that minimise R_cv, [UKR] 2.3 step 2.

    The likelihood bandwidth gives a first factor, a coarse ladder around it finds the right basin,
    and Nelder-Mead refines the logarithms of the factors.

    Parameters
    ----------
    X : array of shape (N, q)
        Normalised coordinates.
    error : callable
        X -> R_cv(X).
    per_axis : bool
        One factor for each axis, as in the paper, or one for all axes, which keeps the shape.
    finest : float
        The ladder climbs at least to this factor: a few far points make the first one too small.
    """
    N, q = X.shape
    path = []

    def error_at(log_factors):
        scale = np.broadcast_to(np.exp(log_factors), q)
        path.append((scale.copy(), error(X * scale)))
        return path[-1][1]

    if not np.any(X):
        error_at(np.zeros(1))
        return Scaling(*path[0], path)
    first = -np.log(likelihood_bandwidth(X, kernel, points))
    top = np.log2(finest) - first / np.log(2) if finest > 0 else 0.0
    ladder = first + np.log(2) * np.arange(-3, max(4, np.ceil(top) + 1))
    start = ladder[np.argmin([error_at(step) for step in ladder])]
    dimension = q if per_axis else 1
    corner = np.full(dimension, start)
    minimize(
        error_at,
        corner,
        method="Nelder-Mead",
        options={
            "initial_simplex": np.vstack([corner, corner + 0.3 * np.eye(dimension)]),
            "xatol": 0.02,
            "fatol": 1e-4 * min(value for _, value in path),
            "maxfev": 25 * dimension,
        },
    )
    scale, least = min(path, key=lambda tried: tried[1])
    return Scaling(scale, least, path)


AS_SMOOTH = 2.65  # a compact kernel as smooth as the Gaussian has a radius of about so many widths


def scale_of_many(X, error, first) -> float:
    """One factor for coordinates of many points, from a short ladder about a first guess.

    Nothing refines it, because the descent changes the scale as well.
    """
    ladder = first * 1.25 ** np.arange(-2.0, 5.0)
    return float(min(ladder, key=lambda scale: error(X * scale)))


def likely_scale(X, kernel: DensityKernel = gaussian, points=None) -> float:
    """The factor at which the latent density with this kernel has the greatest likelihood.

    It is found with the Gaussian, which needs no neighbour within a radius.
    """
    factor = 1 / likelihood_bandwidth(X, gaussian, points)
    return factor * kernel.radius / AS_SMOOTH if kernel.compact else factor


# Candidates


def scaled_candidate(start: Start, shape, error, kernel: DensityKernel = gaussian, points=None):
    """The coordinates of a start at their best scale, or a note why it gave none of this shape.

    Without an `error` to choose a scale by, they stay normalised.
    """
    noted = []
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            X = np.asarray(start.make(), dtype=float)
        noted = [str(warning.message).split(". ")[0] for warning in caught]
    except (ValueError, np.linalg.LinAlgError, RuntimeError) as problem:
        return start.candidate(note=str(problem))
    if X.shape != shape:
        return start.candidate(note=f"gave coordinates of shape {X.shape}, not {shape}")
    if not np.isfinite(X).all():
        return start.candidate(note="gave coordinates that are not finite")
    X = normalised(X, start.per_axis)
    if error is None:
        scale, least = np.ones(shape[1]), np.nan
    else:
        scale, least, _ = best_scale(X, error, kernel, start.per_axis, points)
    return start.candidate(X * scale, scale, least, note="; ".join(dict.fromkeys(noted)))


def scaled_candidates(
    starts, shape, error, kernel: DensityKernel = gaussian, points=None, n_jobs=None
):
    """All starts at their best scales, computed by joblib and returned one by one."""
    tasks = (delayed(scaled_candidate)(start, shape, error, kernel, points) for start in starts)
    return Parallel(n_jobs=n_jobs, return_as="generator")(tasks)


def some_points(N, about=750):
    """Evenly spaced points that represent all N in the search for a scale; None for small N."""
    return None if N <= 2 * about else np.arange(0, N, N // about)


def rprop_for(N):
    """RPROP as it suits N points: after a turn, many points should not shorten their steps much.

    With steps cut to .7 instead of half, fewer moves reach the same error; N > 800 can afford few.
    """
    return descent.rprop if N <= MOST_FOR_LONG_RACE else partial(descent.rprop, shrink=0.7)


def race_lengths(N):
    """Steps for all candidates, number of finalists, and steps for them: fewer for large N."""
    if N <= 2000:
        return 60, 6, 150
    return (20, 3, 40) if N <= 20_000 else (5, 2, 10)


def race(
    candidates,
    objective,
    steps=60,
    finalists=6,
    final_steps=150,
    n_jobs=None,
    minimise=descent.rprop,
):
    """Refine all candidates by some RPROP steps, the best few by some more, and choose the best.

    The paper chooses by the error at the start. But what counts is where a start leads, and a start
    with the right order at a bad scale often loses only this first comparison.

    Returns
    -------
    candidates : list of Candidate
        With `refined` filled in, and one of them `chosen`.
    X : array of shape (N, q)
        The refined coordinates of the chosen candidate.
    """
    with_coordinates = [k for k, candidate in enumerate(candidates) if candidate.X is not None]
    if not with_coordinates:
        raise ValueError(
            "init: no start gave coordinates: "
            + "; ".join(f"{candidate.name}: {candidate.note}" for candidate in candidates)
        )
    candidates = list(candidates)
    reached = {k: candidates[k].X for k in with_coordinates}
    refined = {k: candidates[k].cv_error for k in with_coordinates}
    if len(with_coordinates) > 1 and steps > 0:
        for entrants, moves in ((len(refined), steps), (finalists, final_steps)):
            running = sorted(refined, key=refined.get)[:entrants]
            tasks = (delayed(_refined)(objective, reached[k], moves, minimise) for k in running)
            for k, (X, error) in zip(running, Parallel(n_jobs=n_jobs)(tasks), strict=True):
                reached[k], refined[k] = X, error
    best = min(refined, key=refined.get)
    for k in refined:
        candidates[k] = candidates[k]._replace(refined=refined[k], chosen=k == best)
    return candidates, reached[best]


def _refined(objective, X, moves, minimise):
    steps = descent.at_most(minimise(objective, X), moves)
    best = descent.last(descent.best_so_far(steps))
    return best.X, best.error
