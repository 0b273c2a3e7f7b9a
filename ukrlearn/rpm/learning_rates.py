"""How many points a manifold needs: covering numbers and rates, section 7, appendices A and B.

These are upper bounds for the global minimum over {f : Q[f] ≤ Λ}. They say how fast the excess
error falls at least with the number of points m; it may fall faster.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize_scalar

LEAST = 1e-14  # times the greatest eigenvalue: smaller ones are rounding, and are left out
SHRINKS = np.linspace(0.05, 0.95, 19)  # τ of a_j = λ_j^(τ/2), over which (81) is minimised

POWERS = np.linspace(0.5, 3.0, 251)  # the exponents p of exponential decay to try


# Spectra


def spectrum(kernel, q=1, points=200, number=None):
    """Eigenvalues of T_k on [-1, 1]^q, (51), greatest first, by Gauss-Legendre quadrature.

    At most `number` of them, and none that is only rounding.
    """
    x, w = np.polynomial.legendre.leggauss(points)
    grid = np.stack(np.meshgrid(*[x] * q, indexing="ij"), axis=-1).reshape(-1, q)
    weights = np.sqrt(np.prod(np.meshgrid(*[w] * q, indexing="ij"), axis=0)).ravel()
    K = weights[:, None] * kernel(grid, grid) * weights
    values = np.linalg.eigvalsh((K + K.T) / 2)[::-1]
    return values[values > LEAST * values[0]][:number]


def polynomial_decay(eigenvalues):
    """The exponent a of λ_j ~ j^-a: minus the slope of log λ over log j in the second half."""
    j = np.arange(1, len(eigenvalues) + 1)
    later = slice(len(j) // 2, None)
    return float(-np.polyfit(np.log(j[later]), np.log(eigenvalues[later]), 1)[0])


def exponential_decay(eigenvalues):
    """c, α and p of λ_j ~ exp(c - α j^p), proposition 5, by least squares in log λ.

    The fitted p is no property of a Gaussian kernel on an interval: it sinks towards 1 with the
    number of eigenvalues, at each width; see `continued`.
    """
    j, log_values = np.arange(1, len(eigenvalues) + 1), np.log(eigenvalues)

    def line(p):
        (slope, c), (squares, *_), *_ = np.polyfit(j**p, log_values, 1, full=True)
        return squares, float(c), float(-slope), float(p)

    return min(line(p) for p in POWERS)[1:]


def continued(eigenvalues, number):
    """The given eigenvalues of a Gaussian on [-1, 1], continued to `number` of them.

    For large j, λ_(j+1) / λ_j is c / j, and c tends to 1 / (2 width)². So each width has
    eigenvalues like exp(-j log j): below exp(-α j) for every α, but not below any exp(-α j^p) with
    p > 1.
    """
    known = len(eigenvalues)
    c = (known - 1) * eigenvalues[-1] / eigenvalues[-2]
    return np.append(eigenvalues, eigenvalues[-1] * np.cumprod(c / np.arange(known, number)))


# Entropy and covering numbers


def entropy_bound(eigenvalues, log_n, d, C_k=1.0, tau=None):
    """An upper bound of ε_n for {f : ½ ‖Pf‖² ≤ ½} in L_∞(ℓ₂^d), (81), where n = exp(log_n).

        inf_a sup_j 6 C_k √d |(√λ_s / a_s)_s| n^(-1/jd) (a_1 ... a_j)^(1/j)

    over the sequences a_s = λ_s^(τ/2), with 0 < τ < 1.

    The supremum over j must be reached among the eigenvalues that are given; see `continued`.
    """
    bounds = [_entropy_at(eigenvalues, log_n, d, t) for t in (SHRINKS if tau is None else [tau])]
    return 6 * C_k * np.sqrt(d) * min(bounds)


def _entropy_at(eigenvalues, log_n, d, tau):
    j = np.arange(1, len(eigenvalues) + 1)
    log_a = tau / 2 * np.log(eigenvalues)
    of_j = np.cumsum(log_a) / j - log_n / (j * d)
    most = np.argmax(of_j)
    if most == len(j) - 1 and log_n > 0:
        return np.inf  # the supremum lies beyond the given eigenvalues
    return np.sqrt(np.sum(eigenvalues ** (1 - tau))) * np.exp(of_j[most])  # (81)


def log_covering(epsilon, eigenvalues, d, size=1.0, C_k=1.0):
    """An upper bound of log N(ε, F_Λ): the least log n with √(2Λ) `entropy_bound` below ε.

    `size` is Λ of (41).
    """
    scale = np.sqrt(2 * size)
    bound = lambda log_n: scale * entropy_bound(eigenvalues, log_n, d, C_k)
    if bound(0.0) <= epsilon:
        return 0.0
    low, high = 0.0, 1.0
    while bound(high) > epsilon:
        low, high = high, 2 * high
        if not np.isfinite(bound(high)):
            raise ValueError(
                f"{len(eigenvalues)} eigenvalues are too few for epsilon={epsilon:g}. Give more of "
                "them, for example `continued(eigenvalues, 200)`."
            )
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if bound(middle) <= epsilon else (middle, high)
    return high


# Uniform convergence


def hoeffding(eta, m, largest):
    """A bound of Pr{|R_emp[f] - R[f]| > η} for one f, (47): 2 exp(-2 m η² / e_c²).

    Departures: the paper prints e_c where Hoeffding's inequality has the square of the range, in
    (46), (47), (49), (93) and (94).
    """
    return 2 * np.exp(-2 * m * eta**2 / largest**2)


def uniform_bound(eta, m, largest, log_covering_of: Callable, lipschitz):
    """A bound of Pr{sup_f |R_emp[f] - R[f]| > η}, (46), for the best ε in (0, η/2).

    Parameters
    ----------
    largest : float
        e_c, the greatest cost; 4r² for squared cost in a ball of radius r.
    log_covering_of : callable
        ε -> log N(ε, F).
    lipschitz : float
        l_c of (44); 4r for squared cost.
    """
    exponent = lambda epsilon: (
        log_covering_of(epsilon / (2 * lipschitz)) - 2 * m * (eta - epsilon) ** 2 / largest**2
    )
    best = min(exponent(epsilon) for epsilon in eta / 2 * np.geomspace(1e-3, 0.999, 40))
    return float(min(1.0, 2 * np.exp(min(best, 1.0))))


def excess_bound(m, largest, log_covering_of: Callable, lipschitz=1.0):
    """A bound of E R[f_emp] - R[f*], (93), for the best ε of

    ε + √(2 e_c² log(N + 1) / m) + √(2 e_c² / (m log(N + 1))).
    """

    def at(log_epsilon):
        epsilon = np.exp(log_epsilon)
        size = np.logaddexp(log_covering_of(epsilon / lipschitz), 0.0)  # log(N + 1)
        return epsilon + np.sqrt(2 * size / m) * largest + np.sqrt(2 / (m * size)) * largest

    span = np.log(largest) - 12, np.log(largest)
    return float(minimize_scalar(at, bounds=span, method="bounded").fun)


def excess_slope(sizes, errors, floor):
    """The exponent with which the excess error falls: its slope over m, both in logarithms.

    Parameters
    ----------
    sizes : array of shape (S,)
        Numbers of points m.
    errors : array of shape (S, n)
        R[f_emp] for each size, in n repeats.
    floor : float
        R[f*], the least error there is.

    Notes
    -----
    The mean over repeats comes first. Single excesses may be negative where R[f*] is estimated, and
    the mean of logarithms follows the luckiest repeat.
    """
    excess = np.mean(errors, axis=1) - floor
    if not (excess > 0).all():
        raise ValueError(
            "the mean error must be above floor for every size; got "
            f"{excess.min():.3g} above it at m = {sizes[np.argmin(excess)]}. Take more repeats."
        )
    return float(np.polyfit(np.log(sizes), np.log(excess), 1)[0])


# Rates


KEGL = 1 / 3  # of polygons with a bound on their length: excess error O(m^(-1/3))


def rate_of_covering(alpha):
    """The exponent of m if log N = O(ε^-α), (55): the excess error is O(m^(-1/(α+2)))."""
    return 1 / (alpha + 2)


def rate_of_decay(a, regularizer="quadratic"):
    """The exponent of m for eigenvalues O(j^-a), corollary 7, (57).

    It is (a - 1) / 2a with the quadratic regulariser. The linear regulariser has the effect of
    doubling a.

    Departures: (53) prints log N = O(ε^(-α/2)) for eigenvalues O(j^(-α-1)). It is ε^(-2/α), as in
    (85); only so (57) follows from (55).
    """
    a = {"quadratic": a, "linear": 2 * a}[regularizer]
    if a <= 1:
        raise ValueError(f"eigenvalues must fall faster than 1/j for (57); got an exponent of {a}.")
    return (a - 1) / (2 * a)


def excess_of_exponential(m, p):
    """m^(-1/2) (log m)^((p+1)/2p), (56), for eigenvalues exp(-c j^p); up to a constant."""
    m = np.asarray(m, dtype=float)
    return m**-0.5 * np.log(m) ** ((p + 1) / (2 * p))


def overtakes(p, ratio=1.0):
    """The number of points m beyond which (56) is below `ratio` times Kégl's m^(-1/3).

    All constants are taken to be one.

    At first m^(1/6) grows more slowly than the power of the logarithm. So x / 6 = (p+1)/2p log x -
    log ratio has two solutions, and log m is the larger one.
    """
    x = np.linspace(1.0, 400.0, 400_000)
    above = (p + 1) / (2 * p) * np.log(x) - x / 6 > np.log(ratio)
    return float(np.exp(x[np.flatnonzero(above)[-1]])) if above.any() else 1.0
