"""Principal curves and surfaces, example 6: nodes, starts (35), and the choice of λ and width."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ukrlearn.blocks.descent import at_most, last
from ukrlearn.rpm.adaptation import quadratic
from ukrlearn.rpm.costs import Cost, squared
from ukrlearn.rpm.index_sets import Box, Torus
from ukrlearn.rpm.kernels import Gaussian
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.quantization import Step, quantize, until_settled

DEVIATIONS = 2.0  # the half length of the start along each principal component
PENALTIES = {
    1: (1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 1e-1),
    2: (1e-4, 3e-4, 1e-3, 1e-2, 1e-1),
}
WIDTHS = {1: (0.3, 0.5, 1.0), 2: (1.0,)}  # a choice takes too long for surfaces
SPACINGS = {1: 9, 2: 6, 3: 5}  # nodes per axis at width 1, with which K_z still has full rank

CHOICE_POINTS = 500  # in the search for λ and the width
CHOICE_ROUNDS = 10
FOLDS = 3

# The held-out error flatters rough manifolds, because a longer curve is near to more of the noise.
# So we choose the stiffest manifold whose held-out error exceeds the least one by at most this
# share. Over 24 draws of arcs, waves and lines with 100 to 1000 points, its mean distance from the
# truth was .19 of the noise in the median and .45 at most. With the least held-out error these
# figures were .57 and 2.98.
SLACK = 0.5


def nodes_per_axis(codes, width, n_basis=None):
    """The number of nodes on each axis: as many as n_basis allows, or as the width can resolve."""
    q = codes.q
    if n_basis is not None:
        return max(int(np.floor(n_basis ** (1 / q) + 1e-9)), 1)
    return int(np.ceil(SPACINGS.get(q, 4) / width - 1e-9)) + 1


def principal_manifold(
    Y, codes, fit: Callable, nodes, cost: Cost = squared, start=None, n_jobs=None
) -> Iterator[Step]:
    """The alternation for principal curves and surfaces; the default start is (35)."""
    f = start or start_on_axes(Y, codes, fit, nodes, cost)
    return quantize(Y, f, codes, fit, cost, n_jobs=n_jobs)


# Starts


def start_on_axes(Y, codes, fit, nodes, cost: Cost = squared):
    """f near the principal plane, or near a circle or torus in the first components, (35).

    The nodes take the place of data: f is fitted, with penalty, to the plane at the nodes.
    """
    shape = _torus if isinstance(codes, Torus) else _plane
    return fit(nodes, shape(Y, nodes), cost, None)  # (35), with λ M / 2 in its solution


def _plane(Y, nodes):
    """Mean and principal components of Y, from -2 to 2 standard deviations over the box."""
    mean, axes = _principal_axes(Y)
    axes = _at_least(axes, nodes.shape[1])[: nodes.shape[1]]
    return mean + DEVIATIONS * (nodes - nodes.mean(axis=0)) @ axes


def _torus(Y, nodes):
    """A circle whose points are as far from the mean as the data are; or a torus around one.

    A circle of radius r has variance r²/2 along two axes.
    """
    angle = np.pi * nodes
    mean, axes = _principal_axes(Y)
    axes = _at_least(axes, 2 if nodes.shape[1] == 1 else 3)
    radius = np.sqrt(2)
    if nodes.shape[1] == 1:
        return mean + radius * (np.cos(angle) * axes[0] + np.sin(angle) * axes[1])
    if nodes.shape[1] > 2:
        raise ValueError(
            f"topology 'periodic' has a start for one and two latent dimensions; got "
            f"{nodes.shape[1]}. Pass init with latent coordinates between -1 and 1."
        )
    first, second = angle.T[:, :, None]
    tube = np.linalg.norm(axes[2]) / (np.linalg.norm(axes[0]) or 1)
    around = radius * (1 + tube * np.cos(second))
    ring = np.cos(first) * axes[0] + np.sin(first) * axes[1]
    return mean + around * ring + radius * np.sin(second) * axes[2]


def _principal_axes(Y):
    """The mean, and the principal directions as rows, times their standard deviations."""
    mean = Y.mean(axis=0)
    values, V = np.linalg.eigh((Y - mean).T @ (Y - mean) / len(Y))
    order = np.argsort(values)[::-1]
    axes = np.sqrt(np.maximum(values[order], 0))[:, None] * V[:, order].T
    return mean, axes * np.where(
        axes.sum(axis=1, keepdims=True) < 0, -1, 1
    )  # the same sign on every machine


def _at_least(axes, number):
    """The axes, filled up with zeros if there are fewer."""
    missing = max(number - len(axes), 0)
    return np.vstack([axes, np.zeros((missing, axes.shape[1]))])


def start_from(Z, Y, codes, fit, cost: Cost = squared):
    """f fitted to the coordinates of another method, which are scaled into the index set."""
    if isinstance(codes, Box):
        low, high = Z.min(axis=0), Z.max(axis=0)
        extent = np.where(high > low, high - low, 1.0)
        Z = 2 * (Z - low) / extent - 1
    return fit(codes.inside(Z), Y, cost, None)


# The choice of λ and of the kernel's width


class Candidate(NamedTuple):
    """A pair that was tried, and the cost of held-out points, after projection."""

    penalty: float
    width: float
    error: float  # the mean over points


def candidates(
    Y,
    codes,
    kernel_of: Callable = Gaussian,
    cost: Cost = squared,
    fit_of: Callable = quadratic,
    penalties=None,
    widths=None,
    n_basis=None,
    start: Callable | None = None,
    seed=0,
) -> list[Candidate]:
    """The held-out error of the projection for each penalty and width, by cross-validation.

    A manifold is fitted without a third of the points, and this third is projected onto it. The
    cost rises if the manifold is too stiff, and if it chases single points of the other two thirds.

    Parameters
    ----------
    kernel_of : callable
        Width -> kernel.
    fit_of : callable
        ``(basis, penalty) -> fit``: `adaptation.quadratic` or `adaptation.linear`.
    penalties, widths : sequences, optional
    start : callable, optional
        ``(rows, fit, nodes) -> f`` for these rows of Y. The default is (35).
    """  # fmt: skip
    several = min(codes.q, 2)
    some = np.random.RandomState(seed).permutation(len(Y))[:CHOICE_POINTS]
    folds = np.array_split(some, min(FOLDS, len(some)))
    tried = []
    for width in WIDTHS[several] if widths is None else widths:
        nodes = codes.lattice(nodes_per_axis(codes, width, n_basis))
        basis = Basis(kernel_of(width), nodes)
        for penalty in PENALTIES[several] if penalties is None else penalties:
            fit, of_folds = fit_of(basis, penalty), []
            for k, held_out in enumerate(folds):
                rest = np.concatenate(folds[:k] + folds[k + 1 :])
                f = None if start is None else start(rest, fit, nodes)
                steps = principal_manifold(Y[rest], codes, fit, nodes, cost, f)
                fitted = last(at_most(until_settled(steps, 1e-4), 2 * CHOICE_ROUNDS)).f
                of_folds.append(codes.project(fitted, Y[held_out], cost).costs)
            error = float(np.concatenate(of_folds).mean())
            tried.append(Candidate(float(penalty), float(width), error))
    return tried


def stiffest(tried: list[Candidate], slack=SLACK) -> Candidate:
    """Of all candidates nearly as good as the best: the widest, and of these the most penalised."""
    enough = (1 + slack) * min(candidate.error for candidate in tried)
    good = [candidate for candidate in tried if candidate.error <= enough]
    return max(good, key=lambda candidate: (candidate.width, candidate.penalty))
