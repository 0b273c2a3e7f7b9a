"""Adaptation: refitting f to given codes, section 5.2.

A fit is called as ``fit(Z, Y, cost, previous, weights)`` and returns a map (`maps`) that lowers
Σ_i w_i c(y_i, f(z_i)) / Σ_i w_i + λ Q[f]. A squared cost takes one linear system. Huber's cost and
L1 take several, with new weights each time, beginning at the previous map.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.optimize import linprog

from ukrlearn.blocks.networks import batches
from ukrlearn.rpm.costs import Cost, squared
from ukrlearn.rpm.maps import Affine, Basis, Codebook, KernelExpansion, Planes

REWEIGHTINGS = 30
STILL = 1e-9  # a smaller relative fall of the objective ends the reweighting
SINGULAR = 1e-13  # times the greatest eigenvalue: smaller ones count as zero
ARRIVED = 1e-7  # times the penalty: how much a slope at the minimum of (34) may differ from it
ROUNDING = 1e-14
EXCHANGES = 10  # most changes of sign per node; we saw no more than two


def _reweighted(solve: Callable, f, Z, Y, cost: Cost, weights):
    """The map that results from weighted least squares, with new weights after each fit.

    ``solve(w, f)`` minimises Σ w r² + λ Q for weights w of shape (N, 1) or (N, d); f is the
    previous map. The weights of the squared cost never change, so one fit is enough.
    """
    share = np.full(len(Y), 1 / len(Y)) if weights is None else weights / weights.sum()
    if cost == squared:
        return solve(share[:, None], f)
    kept, least = f, np.inf
    for _ in range(REWEIGHTINGS):
        residuals = f.residual(Z, Y)
        error = share @ cost(residuals) + f.penalty
        if least - error <= STILL * abs(error):
            break
        kept, least = f, error
        f = solve(share[:, None] * cost.weights(residuals), f)
    return kept


# Labels


def fit_constants(Z, Y, cost: Cost, previous: Codebook, weights=None) -> Codebook:
    """The best constant for each label: the mean, the medians or the Huber centre of its points.

    A label without points keeps its constant.
    """
    C = previous.C.copy()
    for label in np.unique(Z):
        own = Z == label
        C[label] = _centre(Y[own], cost, C[[label]], None if weights is None else weights[own])
    return Codebook(C)


def _centre(Y, cost, start, weights):
    if cost.norm == 1:
        return _weighted_median(Y, np.ones(len(Y)) if weights is None else weights)
    mean = lambda w, _: Codebook(((w * Y).sum(axis=0) / w.sum())[None])
    return _reweighted(mean, Codebook(start), np.zeros(len(Y), int), Y, cost, weights).C[0]


def _weighted_median(Y, w):
    """For each column, the middle of all c that minimise Σ w |y - c|."""
    order = np.argsort(Y, axis=0)
    below = np.cumsum(w[order], axis=0)
    half, columns = below[-1] / 2, np.arange(Y.shape[1])
    near = 1e-12 * below[-1]
    first = np.argmax(below >= half - near, axis=0)
    last = np.argmax(below > half + near, axis=0)
    value = lambda row: Y[order[row, columns], columns]
    return (value(first) + value(last)) / 2


def fit_planes(Z, Y, cost: Cost, previous: Planes, weights=None) -> Planes:
    """The principal plane of the points of each label."""
    if cost.norm == 1:
        raise ValueError("planes need a cost of the Euclidean distance; got the L1 cost.")
    centres, directions = previous.centres.copy(), previous.directions.copy()
    for label in np.unique(Z):
        own = Z == label
        start = Planes(centres[[label]], directions[[label]])
        plane = _plane(Y[own], cost, start, None if weights is None else weights[own])
        centres[label], directions[label] = plane.centres[0], plane.directions[0]
    return Planes(centres, directions)


def _plane(Y, cost, start, weights):
    principal = lambda w, _: _principal_plane(Y, w, start.directions.shape[1])
    return _reweighted(principal, start, np.zeros(len(Y), int), Y, cost, weights)


def _principal_plane(Y, w, q):
    centre = (w * Y).sum(axis=0) / w.sum()
    V = np.linalg.svd(np.sqrt(w) * (Y - centre), full_matrices=True)[2][:q]
    return Planes(centre[None], V[None])


# Continua


def fit_affine(Z, Y, cost: Cost = squared, previous: Affine | None = None, weights=None) -> Affine:
    """f₀ and B of f(z) = f₀ + z B: regression of the data on their codes."""
    f = previous or Affine(Y.mean(axis=0), np.zeros((Z.shape[1], Y.shape[1])))
    no_penalty = np.zeros(Z.shape[1])
    regression = lambda w, _: Affine(*_ridge(*moments(lambda z: z, Z, Y, w), no_penalty))
    return _reweighted(regression, f, Z, Y, cost, weights)


def fit_quadratic(
    Z,
    Y,
    cost: Cost = squared,
    previous: KernelExpansion | None = None,
    weights=None,
    *,
    basis: Basis,
    penalty,
) -> KernelExpansion:
    """f₀ and α that minimise (32), where Q[f] = ½ ‖Pf‖² is quadratic (17): the solution (33).

    In coordinates β with ‖Pf‖² = |β|² (see `Basis`), (33) is (λ/2 + ΦᵀΦ/m) β = ΦᵀY/m for features
    Φ and data with their means subtracted; f₀ then makes the mean residual zero. With penalty 0
    and fewer points than nodes many f fit equally well, and the one with the least ‖Pf‖ is taken.
    """  # fmt: skip

    def made_of(offset, beta):
        rough = basis.penalised @ (beta**2).sum(axis=1)
        return basis.expansion(offset, beta, penalty * rough / 2)  # (13)

    def solve(w, _):
        return made_of(*_ridge(*moments(basis.features, Z, Y, w), penalty / 2 * basis.penalised))

    f = previous or made_of(Y.mean(axis=0), np.zeros((len(basis.penalised), Y.shape[1])))
    return _reweighted(solve, f, Z, Y, cost, weights)


def moments(features, Z, Y, w):
    """Means of features Φ and data Y; and ΦᵀWΦ and ΦᵀWY after subtracting the weighted means.

    Rows are handled in batches, so memory does not grow with N. Weights (N, 1) give one matrix
    ΦᵀWΦ; weights (N, d) give one for each column of Y, stacked.
    """
    if w.shape[1] > 1:
        columns = [moments(features, Z, Y[:, [k]], w[:, [k]]) for k in range(Y.shape[1])]
        mean_phi, mean_y, A, B = (list(part) for part in zip(*columns, strict=True))
        return np.column_stack(mean_phi), np.concatenate(mean_y), np.array(A), np.column_stack(B)
    total = w.sum()
    mean_y = (w * Y).sum(axis=0) / total
    shift, A, B, sums = None, 0.0, 0.0, 0.0
    for rows in batches(len(Z)):
        phi = features(Z[rows])
        if shift is None:  # close to the mean, so that no digits are lost
            shift = phi.mean(axis=0)
        phi = phi - shift
        weighted = w[rows] * phi
        A = A + weighted.T @ phi
        B = B + weighted.T @ (Y[rows] - mean_y)
        sums = sums + weighted.sum(axis=0)
    A -= np.outer(sums, sums) / total  # completes the centring; Y is centred already
    return (shift + sums / total)[:, None], mean_y, A, B


def _ridge(mean_phi, mean_y, A, B, penalties):
    """f₀ and β with (A + diag(penalties)) β = B; the minimum-norm β if the system is singular."""
    if A.ndim == 2:
        beta = _least_solution(A + np.diag(penalties), B)
    else:
        columns = zip(A, B.T, strict=True)
        beta = np.column_stack([_least_solution(a + np.diag(penalties), b) for a, b in columns])
    return mean_y - (mean_phi * beta).sum(axis=0), beta


def _least_solution(A, B):
    """A⁺ B for a positive semidefinite A."""
    values, U = np.linalg.eigh(A)
    kept = values > SINGULAR * max(values[-1], 0.0) if len(values) else values > 0
    U = U[:, kept]
    return (U / values[kept]) @ (U.T @ B)


def fit_ridge(
    Z,
    Y,
    cost: Cost = squared,
    previous: KernelExpansion | None = None,
    weights=None,
    *,
    basis: Basis,
    penalty,
) -> KernelExpansion:
    """f₀ and α that minimise the error + λ/2 Σ_j |α_j|²: GTM's regulariser, section 6.1.

    It treats the nodes as independent. So with more nodes the same f costs less, until f overfits.
    """

    def solve(w, _):
        plain = lambda z: basis.kernel(z, basis.nodes)
        each = np.full(len(basis.nodes), penalty / 2)
        offset, alpha = _ridge(*moments(plain, Z, Y, w), each)
        rough = penalty / 2 * float(np.vdot(alpha, alpha))
        return KernelExpansion(basis, offset, alpha, np.zeros((0, len(offset))), rough)

    f = previous or solve(np.full((len(Y), 1), 1 / len(Y)), None)
    return _reweighted(solve, f, Z, Y, cost, weights)


# Linear regularisers


def fit_linear(
    Z,
    Y,
    cost: Cost = squared,
    previous: KernelExpansion | None = None,
    weights=None,
    *,
    basis: Basis,
    penalty,
) -> KernelExpansion:
    """f₀ and α that minimise (34), where Q[f] = Σ_j |α_j|₁ (22): few kernel functions are used.

    The squared cost is solved exactly (`_lasso`), Huber's cost by reweighting; the L1 cost makes
    the problem a linear program.
    """  # fmt: skip
    if cost.norm == 1:
        return _linear_program(Z, Y, basis, penalty, weights)

    def made_of(offset, alpha):
        no_slope = np.zeros((0, len(offset)))
        rough = float(np.abs(alpha).sum())
        return KernelExpansion(basis, offset, alpha, no_slope, penalty * rough)  # (22)

    def solve(w, f):
        plain = lambda z: basis.kernel(z, basis.nodes)
        mean_phi, mean_y, A, B = moments(plain, Z, Y, w)
        of_columns = zip(A if A.ndim == 3 else [A] * len(B.T), B.T, f.alpha.T, strict=True)
        alpha = np.column_stack([_lasso(a, b, penalty / 2, begin) for a, b, begin in of_columns])
        return made_of(mean_y - (mean_phi * alpha).sum(axis=0), alpha)

    f = previous or made_of(Y.mean(axis=0), np.zeros((len(basis.nodes), Y.shape[1])))
    return _reweighted(solve, f, Z, Y, cost, weights)


def _lasso(A, b, penalty, alpha):
    """The exact minimum of ½ αᵀAα - bᵀα + penalty |α|₁, found from a given α.

    The method uses active sets of signs (Lee, Battle, Raina, Ng, 2007). As long as no sign changes,
    the function is quadratic. On the way to the quadratic's minimum, the method stops at the lowest
    point where a coefficient vanishes. The objective never rises. With scikit-learn's LARS it
    sometimes does, if nodes are close to each other.
    """
    if penalty == 0:
        return _least_solution(A, b)
    energy = lambda a: a @ (A @ a / 2 - b) + penalty * np.abs(a).sum()
    alpha, sign = alpha.copy(), np.sign(alpha)
    for _ in range(EXCHANGES * len(b)):
        slope = b - A @ alpha
        near = ARRIVED * penalty + ROUNDING * (np.abs(b) + np.abs(A) @ np.abs(alpha)).max()
        idle = np.where(sign == 0, np.abs(slope), 0.0)
        at_rest = np.abs(slope - penalty * sign)[sign != 0] <= near
        if at_rest.all():
            if idle.max(initial=0.0) <= penalty + near:
                break
            newcomer = np.argmax(idle)
            sign[newcomer] = np.sign(slope[newcomer])
        used = np.flatnonzero(sign)
        aim = np.zeros_like(alpha)
        aim[used] = _least_solution(A[np.ix_(used, used)], b[used] - penalty * sign[used])
        kinks = [k for k in used if aim[k] * sign[k] < 0 and alpha[k] != 0]
        stops = [alpha + (aim - alpha) * (alpha[k] / (alpha[k] - aim[k])) for k in kinks]
        for k, stop in zip(kinks, stops, strict=True):
            stop[k] = 0.0
        best = min([aim, *stops], key=energy)
        if energy(best) >= energy(alpha):
            break  # rounding
        alpha, sign = best, np.sign(best)
    return alpha


def _linear_program(Z, Y, basis, penalty, weights=None):
    """f₀ and α that minimise Σ_i w_i |y_i - f(z_i)|₁ + λ Σ_j |α_j|₁, by HiGHS.

    The dual program, column by column of Y: max yᵀu over |u_i| ≤ w_i with Σ u = 0 and |Kᵀu| ≤ λ has
    2M + 1 constraints in place of 2m; its multipliers are f₀ and α.
    """
    w = np.full(len(Y), 1 / len(Y)) if weights is None else weights / weights.sum()
    K = basis.kernel(Z, basis.nodes)
    offset, alpha = np.empty(Y.shape[1]), np.empty((len(basis.nodes), Y.shape[1]))
    for k, y in enumerate(Y.T):
        found = linprog(
            -y,
            A_ub=np.vstack([K.T, -K.T]), b_ub=np.full(2 * K.shape[1], penalty),
            A_eq=np.ones((1, len(y))), b_eq=[0.0],
            bounds=np.column_stack([-w, w]), method="highs",
        )  # fmt: skip
        above, below = np.split(-found.ineqlin.marginals, 2)
        offset[k], alpha[:, k] = -found.eqlin.marginals[0], above - below
    rough = penalty * float(np.abs(alpha).sum())
    return KernelExpansion(basis, offset, alpha, np.zeros((0, len(offset))), rough)


def quadratic(basis, penalty):
    """The fit of kernel expansions on this basis with λ Q of (13)."""
    return partial(fit_quadratic, basis=basis, penalty=penalty)


def linear(basis, penalty):
    """The fit of kernel expansions on this basis with λ Q of (22)."""
    return partial(fit_linear, basis=basis, penalty=penalty)


def ridge(basis, penalty):
    """The fit of kernel expansions on this basis with GTM's λ/2 Σ_j |α_j|²."""
    return partial(fit_ridge, basis=basis, penalty=penalty)


by_name = {"quadratic": quadratic, "linear": linear, "ridge": ridge}
