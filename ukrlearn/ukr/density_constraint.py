"""The latent domain of UKR, where the density is at least η K(0), [UKR] (7), and how to stay in it.

Learning with the constraint (9) needs three things. The first is a way into the feasible set: every
density kernel falls with the distance, so shrinking X towards its mean raises every p(x_n), and
some shrinkage is always enough. The second is a barrier that pushes away from the border. The third
is a test of each move, because RPROP takes steps of any length and would still cross the border.
With all three, min p(x_n) >= η K(0) holds exactly, without a tolerance.

The constraint bounds the size of the domain, and therefore the length of the curve over it. It does
not bound the distance between groups of at least η N points. Under a Gaussian kernel, (9) need not
have a minimum.
"""

import numpy as np

from ukrlearn.blocks.density_kernels import DensityKernel, gaussian
from ukrlearn.blocks.kernel_regression import kernel_rows, latent_density, row_blocks
from ukrlearn.blocks.springs import Springs


def relative_density(X, kernel: DensityKernel = gaussian):
    """p(x_n) / K(0) at the latent points, from 1/N (isolated) to 1 (all points coincide).

    Examples
    --------
    >>> relative_density(np.array([[0.0], [0.0], [0.0], [1e9]]))
    array([0.75, 0.75, 0.75, 0.25])
    """
    return latent_density(X, X, kernel) / kernel.at_zero


# Where the logarithm becomes a parabola: a thousandth of the way from the border to one point.
SLACK_FLOOR = 1e-3


def log_barrier(X, threshold, kernel: DensityKernel = gaussian, slack_floor=SLACK_FLOOR):
    """Mean of -log(slack_n) with slack_n = (p(x_n)/K(0) - η) / (1 - η), and its gradient.

    The barrier is zero if all points coincide (slack 1), and grows without limit towards the border
    of the feasible set (slack 0). Below `slack_floor`, the logarithm is continued by the parabola
    with the same value and the same first two derivatives. So the barrier is also defined outside
    the feasible set, and pushes points back.

    Departure: the paper only says "a barrier function".

    Parameters
    ----------
    threshold : float
        η, between 0 and 1.
    slack_floor : float
        The slack below which the parabola replaces the logarithm.

    Returns
    -------
    value : float
    gradient : array of shape (N, q)
    """
    N = len(X)
    X = X - X.mean(axis=0)  # a translation changes no value, but near the origin digits are kept
    springs = Springs.between(X)
    unit = kernel.at_zero * (1 - threshold)
    value = 0.0
    for rows in row_blocks(N, N):
        _, steepness, _, density = kernel_rows(X[rows], X, kernel)
        slack = (density - threshold * kernel.at_zero) / unit
        of_rows, slope = barrier_of_slack(slack, slack_floor)
        value += of_rows.sum() / N
        # -2 K' times d barrier / d p_n
        springs.add(rows, steepness * (slope / (unit * N))[:, None])
    return float(value), springs.forces() / N


def barrier_of_slack(slack, floor):
    """-log(slack) and its slope, continued quadratically below the floor."""
    inside = np.maximum(slack, floor)
    z = np.minimum(slack / floor, 1) - 1  # 0 inside
    value = -np.log(inside) - z + z**2 / 2
    slope = (z - 1) / inside
    return value, slope


def with_barrier(objective, threshold, weight, kernel: DensityKernel = gaussian):
    """The objective plus weight times the barrier: a smooth form of (9) in the feasible set."""

    def constrained(X):
        error, gradient = objective(X)
        barrier, slope = log_barrier(X, threshold, kernel)
        return error + weight * barrier, gradient + weight * slope

    return constrained


def is_feasible(X, threshold, kernel: DensityKernel = gaussian) -> bool:
    """Whether p(x_n) >= η K(0) for every point, [UKR] (7), (9)."""
    return bool(relative_density(X, kernel).min() >= threshold)


def back_into_feasible_set(X, threshold, kernel: DensityKernel = gaussian, halvings=8):
    """X itself if it is feasible, otherwise X shrunk towards its mean just enough to be feasible.

    The shrinkage factor is halved until the constraint holds, and then refined by bisection between
    the last two factors. The result itself was tested, so it satisfies the constraint exactly.

    Examples
    --------
    >>> X = back_into_feasible_set(np.array([[-3.0], [3.0]]), 0.75)
    >>> bool(relative_density(X).min() >= 0.75)
    True
    """
    if is_feasible(X, threshold, kernel):
        return X
    centre = X.mean(axis=0)
    shrunk = lambda factor: centre + factor * (X - centre)
    inside = 0.5
    while not is_feasible(shrunk(inside), threshold, kernel):
        if inside == 0:  # all points coincide and p = K(0) everywhere
            raise ValueError(
                f"threshold must be below 1 and X finite; got threshold={threshold!r} and "
                f"{np.sum(~np.isfinite(X))} entries of X that are not finite."
            )
        inside /= 2
    outside = 2 * inside
    for _ in range(halvings):
        middle = (inside + outside) / 2
        if is_feasible(shrunk(middle), threshold, kernel):
            inside = middle
        else:
            outside = middle
    return shrunk(inside)
