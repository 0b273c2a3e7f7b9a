"""[RPM] in loops: Smola, Mika, Schölkopf, Williamson: Regularized Principal Manifolds, 2001.

Points and codes are lists of numbers, as in `ukrlearn.explicit.ukr`; alpha[j] is the coefficient of
node j, a point of data space. A kernel is a function of two codes, a cost one of two points.
"""

import math

from ukrlearn.explicit.drur import _solution
from ukrlearn.explicit.ukr import squared_distance

__all__ = [
    "squared_cost",
    "huber_cost",
    "l1_cost",
    "metric_cost",
    "quantization_error",
    "best_codes",
    "refit_means",
    "refit_medians",
    "lloyd_round",
    "gaussian_kernel",
    "periodic_kernel",
    "spline_kernel",
    "length_kernel",
    "kernel_expansion",
    "expansion_jacobian",
    "roughness",
    "regularized_error",
    "sparse_error",
    "fit_quadratic",
    "start_on_plane",
    "project_onto",
    "responsibilities",
    "free_energy",
    "adapt_softly",
    "noisy_distortion",
    "slope_term",
    "hoeffding",
    "uniform_bound",
    "entropy_bound",
]


# Costs


def squared_cost(x, f):
    """|x - f|²."""
    return squared_distance(x, f)


def huber_cost(sigma):
    """|x - f|² / 2σ for short residuals, |x - f| - σ/2 for long ones, (8)."""

    def cost(x, f):
        size = math.dist(x, f)
        return size**2 / (2 * sigma) if size <= sigma else size - sigma / 2

    return cost


def l1_cost(x, f):
    """|x - f|₁, (7)."""
    return sum(abs(a - b) for a, b in zip(x, f, strict=True))


def metric_cost(D):
    """(x - f)ᵀ D⁻¹ (x - f), (10)."""

    def cost(x, f):
        residual = [a - b for a, b in zip(x, f, strict=True)]
        return sum(a * b for a, b in zip(residual, _solution(D, residual), strict=True))

    return cost


# Finitely many codes: f is a list of points, a code is a place in it


def quantization_error(X, f, cost):
    """(1/m) Σ_i min_z c(x_i, f(z)), (3)."""
    return sum(min(cost(x, f_z) for f_z in f) for x in X) / len(X)


def best_codes(X, f, cost):
    """For each point the code whose value costs least."""
    return [min(range(len(f)), key=lambda z: cost(x, f[z])) for x in X]


def _refit(X, codes, f, centre):
    """Each code's value becomes the centre of its points, if it has any."""
    refitted = []
    for z, old in enumerate(f):
        own = [x for x, code in zip(X, codes, strict=True) if code == z]
        refitted.append([centre(column) for column in zip(*own, strict=True)] if own else old)
    return refitted


def refit_means(X, codes, f):
    """Means of the points of each code: squared cost, (5)."""
    return _refit(X, codes, f, lambda column: sum(column) / len(column))


def refit_medians(X, codes, f):
    """Medians of the points of each code: L1 cost."""

    def median(column):
        ordered, half = sorted(column), len(column) // 2
        return (ordered[half] + ordered[-1 - half]) / 2

    return _refit(X, codes, f, median)


def lloyd_round(X, f):
    """Assign, then refit: k-means, example 2."""
    return refit_means(X, best_codes(X, f, squared_cost), f)


# Kernels


def gaussian_kernel(width):
    """exp(-|z - z'|² / 2σ²), (18)."""
    return lambda z, other: math.exp(-squared_distance(z, other) / (2 * width**2))


def periodic_kernel(width, period=2.0, terms=10):
    """Π over the axes of Σ_j exp(-(z - z' - jτ)² / 2σ²), (21), the sum cut off."""

    def kernel(z, other):
        product = 1.0
        for a, b in zip(z, other, strict=True):
            shifts = range(-terms, terms + 1)
            product *= sum(math.exp(-((a - b - j * period) ** 2) / (2 * width**2)) for j in shifts)
        return product

    return kernel


def spline_kernel(width):
    """Π over the axes of the cubic B-spline of |z - z'| / width."""

    def spline(u):
        if u < 1:
            return (4 - 6 * u**2 + 3 * u**3) / 6
        return (2 - u) ** 3 / 6 if u < 2 else 0.0

    def kernel(z, other):
        return math.prod(spline(abs(a - b) / width) for a, b in zip(z, other, strict=True))

    return kernel


def length_kernel(z, other):
    """1 + min(z, z') on [-1, 1], whose ‖Pf‖² is ∫ |f'|², example 7."""
    return 1 + min(z[0], other[0])


# Kernel expansions


def kernel_expansion(z, nodes, kernel, alpha, offset):
    """f(z) = f₀ + Σ_j α_j k(z_j, z), (16)."""
    f = list(offset)
    for node, a in zip(nodes, alpha, strict=True):
        k = kernel(node, z)
        for column in range(len(f)):
            f[column] += a[column] * k
    return f


def expansion_jacobian(z, nodes, width, alpha):
    """J[k][l] = ∂f_k/∂z_l for the Gaussian kernel."""
    kernel = gaussian_kernel(width)
    J = [[0.0] * len(z) for _ in alpha[0]]
    for node, a in zip(nodes, alpha, strict=True):
        for l in range(len(z)):
            slope = kernel(node, z) * (node[l] - z[l]) / width**2
            for k in range(len(J)):
                J[k][l] += a[k] * slope
    return J


def roughness(nodes, kernel, alpha):
    """Q[f] = ½ Σ_ij ⟨α_i, α_j⟩ k(z_i, z_j), (13) with (17)."""
    total = 0.0
    for node, a in zip(nodes, alpha, strict=True):
        for other, b in zip(nodes, alpha, strict=True):
            total += sum(u * v for u, v in zip(a, b, strict=True)) * kernel(node, other)
    return total / 2


def regularized_error(X, codes, nodes, kernel, alpha, offset, penalty, cost=squared_cost):
    """(1/m) Σ_i c(x_i, f(ζ_i)) + λ Q[f] with the quadratic Q, (32)."""
    fitted = [kernel_expansion(z, nodes, kernel, alpha, offset) for z in codes]
    error = sum(cost(x, f) for x, f in zip(X, fitted, strict=True)) / len(X)
    return error + penalty * roughness(nodes, kernel, alpha)


def sparse_error(X, codes, nodes, kernel, alpha, offset, penalty, cost=squared_cost):
    """(1/m) Σ_i c(x_i, f(ζ_i)) + λ Σ_j |α_j|₁, (34)."""
    fitted = [kernel_expansion(z, nodes, kernel, alpha, offset) for z in codes]
    error = sum(cost(x, f) for x, f in zip(X, fitted, strict=True)) / len(X)
    return error + penalty * sum(abs(a) for row in alpha for a in row)


def fit_quadratic(X, codes, nodes, kernel, penalty, weights=None):
    """α and f₀ that minimise (32): the slope set to zero, (33) for centred rows of K_ζ and X.

    (λ m / 2 K_z + K_ζᵀ K_ζ) α = K_ζᵀ X. With weights that sum to m, rows count accordingly.
    """
    m, M, d = len(X), len(nodes), len(X[0])
    w = weights or [1.0] * m
    K_zeta = [[kernel(z, node) for node in nodes] for z in codes]  # m x M
    means = [sum(w[i] * K_zeta[i][j] for i in range(m)) / sum(w) for j in range(M)]
    centre = [sum(w[i] * X[i][k] for i in range(m)) / sum(w) for k in range(d)]
    K = [[K_zeta[i][j] - means[j] for j in range(M)] for i in range(m)]
    A = [
        [
            penalty * m / 2 * kernel(nodes[a], nodes[b])
            + sum(w[i] * K[i][a] * K[i][b] for i in range(m))
            for b in range(M)
        ]
        for a in range(M)
    ]
    columns = []
    for k in range(d):
        b = [sum(w[i] * K[i][a] * (X[i][k] - centre[k]) for i in range(m)) for a in range(M)]
        columns.append(_solution(A, b))  # (33)
    alpha = [[column[j] for column in columns] for j in range(M)]
    offset = [centre[k] - sum(means[j] * alpha[j][k] for j in range(M)) for k in range(d)]
    return alpha, offset


def start_on_plane(X, directions, nodes, kernel, penalty):
    """α and f₀ with f(z_j) near x̄ + V (z_j - z̄), (35): λ M / 2, not λ / 2 as it is printed."""
    m, M, d = len(X), len(nodes), len(X[0])
    mean = [sum(x[k] for x in X) / m for k in range(d)]
    middle = [sum(node[l] for node in nodes) / M for l in range(len(nodes[0]))]
    plane = [
        [
            mean[k] + sum((node[l] - middle[l]) * v[k] for l, v in enumerate(directions))
            for k in range(d)
        ]
        for node in nodes
    ]
    return fit_quadratic(plane, nodes, nodes, kernel, penalty)


def project_onto(x, f, previous=None, lattice=401, halvings=40, cost=squared_cost):
    """argmin of c(x, f(ζ)) over ζ in [-1, 1], (30): a lattice, then ever finer steps."""
    grid = [-1 + 2 * i / (lattice - 1) for i in range(lattice)]
    if previous is not None:
        grid.append(previous)
    c = lambda zeta: cost(x, f([zeta]))
    best, step = min(grid, key=c), 1 / (lattice - 1)
    for _ in range(halvings):
        there = [max(best - step, -1.0), best, min(best + step, 1.0)]
        best, step = min(there, key=c), step * 0.6
    return best


# Soft assignment: GTM, section 6.1


def responsibilities(x, f, temperature):
    """exp(-|x - f_k|² / T) over their sum: a softmax. f lists the values at the codes."""
    distances = [squared_distance(x, f_k) for f_k in f]
    least = min(distances)
    total = [math.exp(-(distance - least) / temperature) for distance in distances]
    return [part / sum(total) for part in total]


def free_energy(X, f, temperature):
    """-(T/m) Σ_i log (1/K) Σ_k exp(-|x_i - f_k|² / T): R_emp as T → 0."""
    energy = 0.0
    for x in X:
        distances = [squared_distance(x, f_k) for f_k in f]
        least = min(distances)
        total = sum(math.exp(-(distance - least) / temperature) for distance in distances)
        energy += least - temperature * math.log(total / len(f))
    return energy / len(X)


def adapt_softly(X, R, codes, nodes, kernel, penalty):
    """α and f₀ that minimise (1/m) Σ_ik R[i][k] |x_i - f(z_k)|² + λ Q[f]: (33) with every pair."""
    pairs = [
        (x, z, r) for x, row in zip(X, R, strict=True) for z, r in zip(codes, row, strict=True)
    ]
    points, latent, weights = (list(part) for part in zip(*pairs, strict=True))
    # `adapt` multiplies the penalty by the number of rows, which are pairs here.
    return fit_quadratic(points, latent, nodes, kernel, penalty * len(X) / len(pairs), weights)


# Noise in the code, section 6.2


def noisy_distortion(X, codes, f, noise):
    """(1/mL) Σ_i Σ_l |x_i - f(ζ_i + ξ_l)|² for given ξ: (38), its integral over ξ a sum."""
    total = sum(
        squared_distance(x, f([z + xi])) for x, z in zip(X, codes, strict=True) for xi in noise
    )
    return total / (len(X) * len(noise))


def slope_term(X, codes, f, slope, bend):
    """(1/m) Σ_i |f'(ζ_i)|² + ⟨f(ζ_i) - x_i, f''(ζ_i)⟩, what (39) multiplies by σ² (not by 2σ²)."""
    total = 0.0
    for x, z in zip(X, codes, strict=True):
        f_z, first, second = f([z]), slope([z]), bend([z])
        total += sum(a**2 for a in first)
        total += sum((a - b) * c for a, b, c in zip(f_z, x, second, strict=True))
    return total / len(X)


# Uniform convergence, section 7


def hoeffding(eta, m, largest):
    """2 exp(-2 m η² / e_c²), (47); the paper prints e_c without the square."""
    return 2 * math.exp(-2 * m * eta**2 / largest**2)


def uniform_bound(eta, epsilon, m, largest, log_covering):
    """2 N exp(-2 m (η - ε)² / e_c²), (46), for the logarithm of N = N(ε / 2 l_c)."""
    return 2 * math.exp(log_covering - 2 * m * (eta - epsilon) ** 2 / largest**2)


def entropy_bound(eigenvalues, log_n, d, C_k, a):
    """sup_j 6 C_k √d |(√λ_s / a_s)_s| n^(-1/jd) (a_1 ... a_j)^(1/j), (81) for one sequence a."""
    norm = math.sqrt(sum(value / factor**2 for value, factor in zip(eigenvalues, a, strict=True)))
    most = -math.inf
    for j in range(1, len(a) + 1):
        mean_log = sum(math.log(factor) for factor in a[:j]) / j
        most = max(most, mean_log - log_n / (j * d))
    return 6 * C_k * math.sqrt(d) * norm * math.exp(most)
