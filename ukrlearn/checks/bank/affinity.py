"""The affinity of the data, and the gradient that its powers guide."""

from itertools import product

import numpy as np

from ukrlearn import sgd
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.trials import SIZES, data


def reference(Y, h, G, nu):
    M = sgd.clustering_affinity(Y, h)
    of_data = sgd.powers(sgd.decompose(M), nu)
    return M, of_data(G) / of_data.weights.sum()


def trials(seed):
    random = np.random.default_rng(seed)
    Y, G = np.array([[0.0], [1.0], [3.0]]), np.array([[4.0], [-2.0], [1.0]])
    made = [Trial("three points", dict(Y=Y, h=2.0, G=G, nu=2.0))]
    for (N, d, q), nu in zip(SIZES, (1.0, 2.5, 3.0), strict=True):
        _, Y = data(random, N, d, q)
        G = random.normal(size=(N, q)) + 1
        h = random.uniform(1, 2) * Y.var()
        made.append(Trial(f"N = {N}, d = {d}, q = {q}, nu = {nu}", dict(Y=Y, h=h, G=G, nu=nu)))
    made.append(Trial("nu = 0", dict(Y=Y, h=h, G=G, nu=0.0)))
    made.append(Trial("a high power", dict(Y=Y, h=0.3 * h, G=G, nu=40.0)))
    far = dict(Y=1e6 * Y, h=1e12 * h, G=G, nu=1.5)
    made.append(Trial("data a million times larger, h in their units", far))
    made.append(Trial("all points nearly alike", dict(Y=Y, h=1e8 * h, G=1e3 * G, nu=1.5)))
    return made


# Parts: right ones, and wrong ones to exchange for them


def _squared_distances(Y):
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def _kernel(Y, h):
    return np.exp(-_squared_distances(Y) / h)


def _normalised(K):
    root = np.sqrt(K.sum(axis=1))
    return K / root[:, None] / root


def _spectrum(M):
    values, vectors = np.linalg.eigh(M)
    return np.maximum(values, 0), vectors


def _guided(M, G, nu):
    values, V = _spectrum(M)
    weights = values**nu
    return V @ (weights[:, None] * (V.T @ G)) / weights.sum()


def _wrong_affinity(affinity):
    """A wrong M, and the gradient guided by it."""

    def both(Y, h, G, nu):
        M = affinity(Y, h)
        return M, _guided(M, G, nu)

    return both


def _wrong_guidance(guidance):
    """The right M, and another guidance."""

    def both(Y, h, G, nu):
        M = _normalised(_kernel(Y, h))
        with np.errstate(all="ignore"):
            return M, guidance(M, G, nu)

    return both


def _by_rows(Y, h):
    K = _kernel(Y, h)
    return K / K.sum(axis=1, keepdims=True)


def _without_diagonal(Y, h):
    K = _kernel(Y, h)
    np.fill_diagonal(K, 0)
    return _normalised(K)


def _by_all_sums(Y, h):
    K = _kernel(Y, h)
    return K / np.outer(K.sum(axis=1), K.sum(axis=1))


def _one_side(Y, h):
    K = _kernel(Y, h)
    return K / np.sqrt(K.sum(axis=1, keepdims=True))


def _times_roots(Y, h):
    K = _kernel(Y, h)
    root = np.sqrt(K.sum(axis=1))
    return root[:, None] * K * root


def _one_root_multiplied(Y, h):
    K = _kernel(Y, h)
    root = np.sqrt(K.sum(axis=1))
    return K / root[:, None] * root


def _entrywise(M, G, nu):
    return M**nu @ G / np.trace(M**nu)


def _entrywise_undivided(M, G, nu):
    return M**nu @ G


def _weights(M, nu):
    values, V = _spectrum(M)
    return values**nu, V


def _without_trace(M, G, nu):
    weights, V = _weights(M, nu)
    return V @ (weights[:, None] * (V.T @ G))


def _trace_of_m(M, G, nu):
    return _without_trace(M, G, nu) / np.trace(M)


def _trace_before_power(M, G, nu):
    return _without_trace(M, G, nu) / np.trace(M) ** nu


def _sum_of_all(M, G, nu):
    weights, V = _weights(M, nu)
    power = (V * weights) @ V.T
    return power @ G / power.sum()


def _weights_on_points(M, G, nu):
    weights, _ = _weights(M, nu)
    return weights[:, None] * G / weights.sum()


def _by_product(M, G, nu):
    """nu times the eigenvalues."""
    with np.errstate(all="ignore"):
        return nu * (M @ G) / (nu * np.trace(M))


def _not_lifted(M, G, nu):
    values, V = np.linalg.eigh(M)
    weights = values**nu
    return V @ (weights[:, None] * (V.T @ G)) / weights.sum()


def _exponential(M, G, nu):
    values, V = np.linalg.eigh(M)
    weights = np.exp(nu * values)
    return V @ (weights[:, None] * (V.T @ G)) / weights.sum()


def _length_kept(M, G, nu):
    guided = _without_trace(M, G, nu)
    return guided * np.linalg.norm(G) / np.linalg.norm(guided)


# What is told by three points, for any signs of the eigenvectors


def _on_three_points(wrong):
    """Whether the guided gradient of three points is not that wrong one, with any signs."""

    def holds(values, Y, h, G, nu):
        if len(Y) > 3:
            return True
        weights, V = _weights(_normalised(_kernel(Y, h)), nu)
        made = [
            wrong(weights / weights.sum(), V * signs, G) for signs in product((1, -1), repeat=3)
        ]
        return not any(np.allclose(values[1], one, rtol=1e-4) for one in made)

    return holds


def _vectors_in_rows(weights, V, G):
    return V.T @ (weights[:, None] * (V @ G))


def _never_transposed(weights, V, G):
    return V @ (weights[:, None] * (V @ G))


def _always_transposed(weights, V, G):
    return V.T @ (weights[:, None] * (V.T @ G))


def _not_back(weights, V, G):
    return weights[:, None] * (V.T @ G)


def _not_back_from_the_greatest(weights, V, G):
    return _not_back(weights, V, G)[::-1]


def _not_into_the_basis(weights, V, G):
    return V @ (weights[:, None] * G)


def _order_mixed(weights, V, G):
    return V @ (weights[::-1, None] * (V.T @ G))


def _leads_all_alike(values, Y, h, G, nu):
    """Whether the movement along the leading eigenvector is not lost."""
    root = np.sqrt(_kernel(Y, h).sum(axis=1))
    along, wanted = root @ values[1], root @ G / len(Y)
    return not (np.abs(along) < 1e-6 * np.abs(wanted)).all()


def _none_cut(values, Y, h, G, nu):
    """Whether every eigenvector has its share, or no other than the leading one has any."""
    weights, V = _weights(_normalised(_kernel(Y, h)), nu)
    along = np.abs(V.T @ values[1]).max(axis=1)[:-1]
    wanted = np.abs(weights[:, None] / weights.sum() * (V.T @ G)).max(axis=1)[:-1]
    telling = wanted > 1e-4 * np.abs(G).max()
    lost = telling & (along < 1e-10 * np.abs(G).max())
    return not lost.any() or not np.abs(values[1]).max() > 0


def _spectrum_within(M):
    if not np.isfinite(M).all():
        return False
    values = np.linalg.eigvalsh((M + M.T) / 2)
    return bool(abs(values[-1] - 1) <= 1e-4 and values[0] >= -1e-4)


EXERCISE = Exercise(
    name="affinity",
    title="Affinity and guided gradient",
    lesson="16_moving_together",
    equations="[SGD] (12), (16), (17)",
    minutes=25,
    shapes={"Y": "N d", "h": "", "G": "N q", "nu": ""},
    returns={"M": "N N", "guided": "N q"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "not_symmetric",
            "M is symmetric: i is as near to j as j is to i.",
            "Your M is not symmetric. In (12) each entry of K is divided by both the root of its "
            "row's sum and the root of its column's sum.",
            lambda values, Y, h, G, nu: bool(
                (np.abs(values[0] - values[0].T) <= 1e-4 * np.abs(values[0]).max()).all()
            ),
        ),
        Property(
            "spectrum_outside",
            "The eigenvalues of M lie between 0 and 1, and the greatest is 1.",
            "The eigenvalues of your M do not lie between 0 and 1 with the greatest at 1. In (12) "
            "they do: look at the diagonal of K, and at what you divide by.",
            lambda values, Y, h, G, nu: _spectrum_within(values[0]),
        ),
        Property(
            "not_back",
            "Every row of the guided gradient belongs to a point.",
            "You stop at the aggregated movements (14): row i belongs to the i-th eigenvector now, not to "
            "point i. Give each point its share (15): one more product with V.",
            lambda values, **given: (
                _on_three_points(_not_back)(values, **given)
                and _on_three_points(_not_back_from_the_greatest)(values, **given)
            ),
        ),
        Property(
            "not_into_the_basis",
            "G was brought into the basis of the eigenvectors before it was weighted.",
            "You weight the rows of G itself and then multiply by V. A row of G belongs to a "
            "point, a weight to an eigenvector: first the transpose of V times G (14), then the "
            "weights.",
            _on_three_points(_not_into_the_basis),
        ),
        Property(
            "vectors_in_rows",
            "The eigenvectors were taken from the columns of V.",
            "You take the rows of V for eigenvectors. numpy.linalg.eigh returns them as columns: first "
            "the transpose of V times G (14), and at the end V times the result (15).",
            lambda values, **given: all(
                _on_three_points(wrong)(values, **given)
                for wrong in (_vectors_in_rows, _never_transposed, _always_transposed)
            ),
        ),
        Property(
            "order_mixed",
            "Each eigenvector has the weight of its own eigenvalue.",
            "Your eigenvalues and eigenvectors no longer match: you reversed one of them and not "
            "the other. Reverse both or neither; their order does not matter here.",
            _on_three_points(_order_mixed),
        ),
        Property(
            "constant_removed",
            "The leading, nearly constant eigenvector takes part.",
            "You leave out the leading eigenvector. The library does so, since it only shifts all "
            "points alike; (16) and (17) keep it, and so should you here.",
            _leads_all_alike,
        ),
        Property(
            "directions_cut",
            "No direction is left out.",
            "Your gradient vanishes along some eigenvectors. (17) leaves out none of them: a "
            "small eigenvalue has a small weight, and with nu = 0 it weighs as much as all "
            "others.",
            _none_cut,
        ),
        Property(
            "uphill",
            "Minus the guided gradient never leads uphill: its inner product with G is not negative.",
            "Your guided gradient and G point away from each other, so a small step would raise "
            "the error. That cannot happen with weights that are not negative, the transpose of V "
            "to their left and V to their right: look at all three.",
            lambda values, Y, h, G, nu: bool(
                np.vdot(values[1], G) >= -1e-5 * np.linalg.norm(values[1]) * np.linalg.norm(G)
            ),
        ),
        Property(
            "too_long",
            "The guided gradient is not longer than G: its weights sum to one.",
            "Your guided gradient is longer than G. After the division by the trace all weights "
            "sum to one, so none of them can make a movement longer.",
            lambda values, Y, h, G, nu: bool(
                np.linalg.norm(values[1]) <= (1 + 1e-4) * np.linalg.norm(G)
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "not_normalised",
            "Your M is the kernel matrix K itself. In (12) each entry is divided by the roots of two row "
            "sums, so that points in crowded and in sparse regions count alike.",
            _wrong_affinity(_kernel),
        ),
        Misconception(
            "rows_normalised",
            "You divide each row of K by its sum, as for the weights of lesson 01. That is not "
            "symmetric. In (12) K_ij is divided by the roots of the sums of row i and of row j.",
            _wrong_affinity(_by_rows),
        ),
        Misconception(
            "columns_normalised",
            "You divide each column of K by its sum. That is not symmetric. In (12) K_ij is divided by the "
            "roots of the sums of row i and of row j.",
            _wrong_affinity(lambda Y, h: _by_rows(Y, h).T),
        ),
        Misconception(
            "one_side_rows",
            "You divide by the root of the row's sum only. (12) has D on both sides of K: divide "
            "by the root of the column's sum as well.",
            _wrong_affinity(_one_side),
        ),
        Misconception(
            "one_side_columns",
            "You divide by the root of the column's sum only. (12) has D on both sides of K: "
            "divide by the root of the row's sum as well.",
            _wrong_affinity(lambda Y, h: _one_side(Y, h).T),
        ),
        Misconception(
            "root_forgotten",
            "You divide K_ij by the sums of rows i and j. Use their square roots: D has the power "
            "-1/2 on each side, so both sides together make one D.",
            _wrong_affinity(_by_all_sums),
        ),
        Misconception(
            "one_root_multiplied",
            "You divide by the root of one sum and multiply by the root of the other: K / a * b is (K / a) * b. "
            "(12) divides by both.",
            _wrong_affinity(_one_root_multiplied),
        ),
        Misconception(
            "roots_multiplied",
            "You multiply by the roots of the row sums. The power of D is -1/2: divide by them.",
            _wrong_affinity(_times_roots),
        ),
        Misconception(
            "diagonal_zero",
            "You set the diagonal of K to zero. The paper on spectral clustering does so; here "
            "the ones remain. Without them M has negative eigenvalues, and a guided step may lead "
            "uphill.",
            _wrong_affinity(_without_diagonal),
        ),
        Misconception(
            "half_in_kernel",
            "You have exp(-t/(2h)) in K. In this paper the squared distance is divided by h "
            "alone: exp(-t/h).",
            _wrong_affinity(lambda Y, h: _normalised(_kernel(Y, 2 * h))),
        ),
        Misconception(
            "h_squared",
            "You divide the squared distance by h². In this paper h is in squared units already: exp(-t/h).",
            _wrong_affinity(lambda Y, h: _normalised(_kernel(Y, h**2))),
        ),
        Misconception(
            "kernel_of_lesson_one",
            "You have exp(-t/(2h²)), the kernel of the first lessons. This paper's is exp(-t/h): h in "
            "squared units, and no 2.",
            _wrong_affinity(lambda Y, h: _normalised(_kernel(Y, 2 * h**2))),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent of K contains the distance, not its square. K is exp(-|y_i - y_j|²/h).",
            _wrong_affinity(lambda Y, h: _normalised(np.exp(-np.sqrt(_squared_distances(Y)) / h))),
        ),
        Misconception(
            "laplacian",
            "You return I - M, the stiffness of springs: its *lowest* eigenvalues belong to "
            "points that move together. (12) is M, where they are the greatest.",
            _wrong_affinity(lambda Y, h: np.eye(len(Y)) - _normalised(_kernel(Y, h))),
        ),
        Misconception(
            "entrywise_power",
            "M**nu raises each entry to the power. A power of a matrix is the product M M M ..., "
            "which raises its eigenvalues: numpy.linalg.eigh returns them, with their vectors.",
            _wrong_guidance(_entrywise),
        ),
        Misconception(
            "entrywise_undivided",
            "M**nu raises each entry to the power, and the trace is missing. A power of a matrix "
            "is the product M M M ..., which raises its eigenvalues: numpy.linalg.eigh returns "
            "them, with their vectors.",
            _wrong_guidance(_entrywise_undivided),
        ),
        Misconception(
            "trace_forgotten",
            "The division by the trace of the power is missing, the second half of (17). A line search "
            "would undo it, but then gradients of different nu cannot be compared.",
            _wrong_guidance(_without_trace),
        ),
        Misconception(
            "trace_of_m",
            "You divide by the trace of M. In (17) you need the trace of the power: the sum of "
            "the eigenvalues, each raised to nu.",
            _wrong_guidance(_trace_of_m),
        ),
        Misconception(
            "trace_before_power",
            "You divide M by its trace before you raise it to nu, or you raise the trace too. In "
            "(17) the power comes first: the sum of the eigenvalues, each raised to nu.",
            _wrong_guidance(_trace_before_power),
        ),
        Misconception(
            "sum_of_all",
            "You divide by the sum of all entries of the power of M. The trace is the sum of its "
            "diagonal, and of its eigenvalues.",
            _wrong_guidance(_sum_of_all),
        ),
        Misconception(
            "nu_forgotten",
            "Your guided gradient does not depend on nu: it is M G over the trace of M. Raise the eigenvalues "
            "to nu.",
            _wrong_guidance(lambda M, G, nu: M @ G / np.trace(M)),
        ),
        Misconception(
            "whole_powers_only",
            "You round nu to a whole number. The power need not be whole: the eigenvalues can be "
            "raised to 2.5 as well as to 2.",
            _wrong_guidance(lambda M, G, nu: _guided(M, G, np.floor(nu))),
        ),
        Misconception(
            "not_lifted",
            "Rounding leaves some eigenvalues of M slightly below zero, and a power such as 1.5 "
            "of them is nan. The exact ones are never negative: lift such values to zero before "
            "you raise them.",
            _wrong_guidance(_not_lifted),
        ),
        Misconception(
            "exponential",
            "Your weight is exp(nu λ). In (17) it is λ to the power nu: an eigenvalue of zero "
            "then has the weight zero.",
            _wrong_guidance(_exponential),
        ),
        Misconception(
            "length_kept",
            "You scale the result to the length of G. (17) divides by the trace of the power "
            "instead: the weights sum to one, and the length that is left shows how far the data "
            "agree with G.",
            _wrong_guidance(_length_kept),
        ),
        Misconception(
            "weights_on_points",
            "You multiply the rows of G by the weights, as if they were weights of points. They "
            "belong to eigenvectors: between Vᵀ and V.",
            _wrong_guidance(_weights_on_points),
        ),
        Misconception(
            "gradient_unchanged",
            "You return the gradient unchanged. V times its transpose is the identity: the "
            "weights belong between the two.",
            _wrong_guidance(lambda M, G, nu: G + 0),
        ),
        Misconception(
            "nu_multiplied",
            "You multiply the eigenvalues by nu. nu is a power: M is applied nu times. A factor "
            "would cancel against the trace, and nu = 0 would give 0/0.",
            _wrong_guidance(_by_product),
        ),
    ),
    hints=(
        "Two steps. First M: a kernel matrix of the data, divided on both sides. Then its "
        "eigenvalues and eigenvectors, once: they give every power of M, even fractional ones.",
        "M_ij is K_ij divided by the root of row sum i and the root of row sum j. The power of M has the "
        "same eigenvectors as M, and the eigenvalues raised to nu; its trace is their sum.",
        "Use numpy.linalg.eigh(M): values and V, one eigenvector in each column. Lift values "
        "below zero to zero. Then, from the right: the transpose of V times G, row i times weight "
        "i (a column, so [:, None]), V times that, divided by the sum of the weights.",
    ),
)
