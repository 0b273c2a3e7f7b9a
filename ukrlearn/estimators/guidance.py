"""The settings of spectral gradient descent: the affinity and the schedule of filters, [SGD]."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from scipy.sparse import issparse

from ukrlearn.blocks import memory
from ukrlearn.blocks.mercer_kernels import centred
from ukrlearn.blocks.units import power_of_two
from ukrlearn.estimators._masked import demand_unmasked
from ukrlearn.sgd.affinity import (
    NEIGHBORS,
    gaussian_similarities,
    graph_affinity_and_constant,
    neighbor_graph,
    normalised_and_constant,
    typical_bandwidth,
)
from ukrlearn.sgd.filters import (
    Deflation,
    Filter,
    Spectrum,
    decompose,
    deflating,
    doubling,
    falling_by_one,
    falling_geometrically,
    growing_by_one,
    leading_directions,
    powers,
    spreading,
)

ARRAYS = 3  # N x N at the peak: the affinity, and what centring or checking it needs
ALIKE = 1e10  # times the mean squared distance: for a larger h, all points look alike


@dataclass(frozen=True)
class SpectralGuidance:
    """How the spectrum of the data guides a fit, [SGD]: ``UKR(guidance=SpectralGuidance())``.

    Parameters
    ----------
    h : "auto" or float
        Bandwidth of the affinity (12). It divides the squared distances of the data, and has their
        unit. "auto": the median point gives its eighth neighbour the weight 1/e.
    schedule : str
        "directions": the effective number of directions (the perplexity of the weights) grows from
        few to N in `steps` moves. "nu": ν falls by one per move to 0, the plain gradient.
        "nu-hold": ν falls by one per move to 1 and stays there, as printed in the paper.
        "nu-geometric": ν falls by equal factors in `steps` moves. "l": one more direction per move.
        "l-doubling": twice as many directions per move. "deflation": the simulated power method,
        with ν falling by one per move. "constant": always l directions, or ν if l is not given.
    nu : float
        ν of the first move.
    l : int, optional
        Number of directions of the first move; 1 by default if the schedule changes l.
    matrix : {"clustering", "kpca", "neighbors"}, array of shape (N, N) or callable
        The affinity: (12), (21), the graph of ten nearest neighbours, your own positive
        semidefinite matrix, or a callable Y -> (N, N). Only the first two use h.
    steps : int
        Number of moves in "directions", "nu-geometric" and "constant".

    Notes
    -----
    Memory grows with N² (except for "neighbors"). Up to N = 1500, the eigendecomposition takes N³
    operations, once. The effect of ν depends on h: for a small h the spectrum is flat, and ν = 10
    leaves half of all directions free. "directions" avoids this.
    """

    h: float | str = "auto"
    schedule: str = "directions"
    nu: float = 10
    l: int | None = None
    matrix: object = "clustering"
    steps: int = 20

    def spectrum(self, Y) -> Spectrum:
        """The spectrum of the affinity for data Y (N, d), by one eigendecomposition.

        If most points are isolated at this h, the spectrum is flat, and a warning says so.
        """
        if not isinstance(self.matrix, str):
            M = self.matrix(Y.copy()) if callable(self.matrix) else self.matrix
            found = decompose(_positive_semidefinite(M, len(Y)))
        elif self.matrix == "neighbors":
            found = decompose(*graph_affinity_and_constant(neighbor_graph(Y, 10)))
        else:
            if isinstance(self.h, str):
                Y = Y / power_of_two(Y - Y.mean(axis=0))  # squares neither overflow nor vanish
            h = typical_bandwidth(Y) if isinstance(self.h, str) else self.h
            squared_size = 2 * np.var(Y, axis=0).sum()
            if h > ALIKE * squared_size:
                raise ValueError(
                    f"guidance: at h={h:g} all points look alike, and the affinity M is constant. "
                    f"Use a smaller h; the mean squared distance is {squared_size:.3g}."
                )
            K = gaussian_similarities(Y, h)
            if np.median(K.sum(axis=1)) < 1 + 1e-6:
                warnings.warn(
                    f"guidance: at h={h:g} most points have no neighbours, so the spectrum is flat "
                    f"and guides nothing. Use a larger h: half of the points have {NEIGHBORS} "
                    f"neighbours within a squared distance of {typical_bandwidth(Y):.3g}.",
                    UserWarning,
                    stacklevel=2,
                )
            if self.matrix == "kpca":
                found = decompose(centred(K))
            else:
                found = decompose(*normalised_and_constant(K))
        return found

    def filters(self, spectrum: Spectrum, q) -> Iterator[Filter | Deflation]:
        """One filter per move until gradients are plain; without end if they never are."""
        return chain(*self.stages(spectrum, q))

    def stages(self, spectrum: Spectrum, q):
        """The filters of the moves in the schedule, and the filters of all later moves."""
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


def demand_memory_of_guidance(guidance, N, besides=0):
    """ValueError if the affinity of N points, besides other N x N arrays, takes too much memory."""
    matrix = getattr(guidance, "matrix", "neighbors")
    if not (isinstance(matrix, str) and matrix == "neighbors"):
        memory.demand(
            f"the affinity of {N} points for guidance",
            (ARRAYS + besides) * N**2,
            'Use SpectralGuidance(matrix="neighbors"), which is sparse, or fit a sample.',
        )


def _positive_semidefinite(M, N):
    """The given affinity as an array; ValueError unless it is positive semidefinite."""
    demand_unmasked(M, "matrix")
    M = M.toarray() if issparse(M) else np.asarray(M, dtype=float)
    if M.shape != (N, N):
        raise ValueError(f"matrix must be N x N, ({N}, {N}); got shape {M.shape}.")
    if not np.isfinite(M).all():
        raise ValueError("matrix must be finite; it contains NaN or infinity.")
    size = np.abs(M).max()
    if np.abs(M - M.T).max() > 1e-8 * size:
        raise ValueError(
            "matrix must be symmetric. If the difference is noise, pass (M + M.T) / 2."
        )
    values = np.linalg.eigvalsh(M)
    if values[0] < -1e-8 * np.abs(values).max():
        raise ValueError(
            "matrix must be positive semidefinite, or guided steps may lead uphill; its "
            f"eigenvalues range from {values[0]:.3g} to {values[-1]:.3g}. Pass M + c I with c at "
            "least the magnitude of the lowest eigenvalue, or keep the diagonal of ones in the "
            "kernel matrix."
        )
    return M
