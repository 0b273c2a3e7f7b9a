"""Spectral gradient descent as a plan: which affinity, which filters, in which order, [SGD]."""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from scipy.sparse import issparse

from ukrlearn.blocks.mercer_kernels import centred
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

ALIKE = 1e10  # times the mean squared distance: with such an h, only rounding tells points apart


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
            found = decompose(*graph_affinity_and_constant(neighbor_graph(Y, 10)))
        else:
            h = typical_bandwidth(Y) if isinstance(self.h, str) else self.h
            squared_size = 2 * np.var(Y, axis=0).sum()
            if h > ALIKE * squared_size:
                raise ValueError(
                    f"guidance: at h={h:g} all points look alike, and M of rank one says nothing. "
                    f"Take a smaller h; the mean squared distance is {squared_size:.3g}."
                )
            K = gaussian_similarities(Y, h)
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
                found = decompose(*normalised_and_constant(K))
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
