"""The affinity of the data, and the gradient that its powers guide."""

from itertools import product

import numpy as np

from ukrlearn import sgd
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.trials import SIZES, data


def reference(Y, h, G, nu):
    M = sgd.clustering_affinity(Y, h)
    of_data = sgd.powers(sgd.decompose(M), nu)
    return M, of_data(G) / of_data.weights.sum()


def trials(seed):
    random = np.random.default_rng(seed)
    Y, G = np.array([[0.0], [1.0], [3.0]]), np.array([[4.0], [-2.0], [1.0]])
    made = [Trial("three points", dict(Y=Y, h=2.0, G=G, nu=2.0))]
    # Two equal points make an eigenvalue of zero, which rounding turns into one below.
    Y, G = np.array([[0.0], [0.0], [1.0]]), np.array([[1.0], [3.0], [-2.0]])
    made.append(Trial("two of three points equal", dict(Y=Y, h=1.0, G=G, nu=1.5)))
    for (N, d, q), nu in zip(SIZES, (1.0, 2.5, 3.0), strict=True):
        _, Y = data(random, N, d, q)
        G = random.normal(size=(N, q)) + 1
        h = random.uniform(1, 2) * Y.var()
        made.append(Trial(f"N = {N}, d = {d}, q = {q}, nu = {nu}", dict(Y=Y, h=h, G=G, nu=nu)))
    tied = np.array([[0.0, 0.0], [2.0, -1.0], [0.0, 0.0], [-2.0, 1.0], [0.0, 0.0]])  # centred
    made.append(
        Trial("equal points, centred", dict(Y=tied, h=3.0, G=G[:5] - G[:5].mean(axis=0), nu=0.5))
    )
    made.append(Trial("nu = 0", dict(Y=Y, h=h, G=G, nu=0.0)))
    made.append(Trial("a high power", dict(Y=Y, h=0.3 * h, G=G, nu=40.0)))
    far = dict(Y=1e6 * Y, h=1e12 * h, G=G, nu=1.5)
    made.append(Trial("data a million times larger, h in their units", far))
    made.append(Trial("all points nearly alike", dict(Y=Y, h=1e8 * h, G=1e3 * G, nu=1.5)))
    return made


# The stages


def squares(Y):
    """the squared distances |y_i - y_j|²"""
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def kernels(squares, h):
    """the kernel matrix K"""
    return np.exp(-squares / h)


def roots(kernels):
    """the roots of the row sums of K"""
    return np.sqrt(kernels.sum(axis=1))


def M(kernels, roots):
    """the affinity M"""
    return kernels / roots[:, None] / roots


def values(M):
    """the eigenvalues of M, lifted to zero"""
    return np.maximum(np.linalg.eigvalsh(M), 0)


def vectors(M):
    """the eigenvectors of M"""
    return np.linalg.eigh(M)[1]


def weights(values, nu):
    """the eigenvalues raised to nu"""
    return values**nu


def aggregated(vectors, G):
    """the aggregated movements VᵀG"""
    return vectors.T @ G


def weighted(weights, aggregated):
    """the weighted movements"""
    return weights[:, None] * aggregated


def powered(vectors, weighted):
    """the movements brought back to the points, the power of M times G"""
    return vectors @ weighted


def trace(weights):
    """the trace that you divide by"""
    return weights.sum()


def guided(powered, trace):
    """the guided gradient"""
    return powered / trace


AFFINITY = pipeline(
    "Y h G nu",
    squares,
    kernels,
    roots,
    M,
    values,
    vectors,
    weights,
    aggregated,
    weighted,
    powered,
    trace,
    guided,
    returns="M guided",
)


def _weights_of(M, nu):
    return weights(values(M), nu), vectors(M)


def _without_diagonal(squares, h):
    K = kernels(squares, h)
    np.fill_diagonal(K, 0)
    return K


def _without_the_leading(weights, aggregated):
    moved = weighted(weights, aggregated)
    moved[-1] = 0
    return moved


def _length_kept(powered, G):
    return powered * np.linalg.norm(G) / np.linalg.norm(powered)


# What is told by three points, for any signs of the eigenvectors


def _on_three_points(wrong):
    """Whether the guided gradient of three points is not that wrong one, with any signs."""

    def holds(values, Y, h, G, nu):
        if len(Y) > 3:
            return True
        weights, V = _weights_of(AFFINITY().values(Y, h, G, nu)["M"], nu)
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
    root = roots(kernels(squares(Y), h))
    along, wanted = root @ values[1], root @ G / len(Y)
    return not (np.abs(along) < 1e-6 * np.abs(wanted)).all()


def _none_cut(values, Y, h, G, nu):
    """Whether every eigenvector has its share, or no other than the leading one has any."""
    weights, V = _weights_of(AFFINITY().values(Y, h, G, nu)["M"], nu)
    along = np.abs(V.T @ values[1]).max(axis=1)[:-1]
    wanted = np.abs(weights[:, None] / weights.sum() * (V.T @ G)).max(axis=1)[:-1]
    telling = wanted > 1e-4 * np.abs(G).max()
    lost = telling & (along < 1e-10 * np.abs(G).max())
    return not lost.any() or not np.abs(values[1]).max() > 0


def _spectrum_within(M):
    if not np.isfinite(M).all():
        return False
    values = np.linalg.eigvals(M)  # those of rows divided by their sums are within, too
    is_real = np.abs(values.imag).max() <= 1e-4
    return bool(is_real and abs(values.real.max() - 1) <= 1e-4 and values.real.min() >= -1e-4)


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
    stages=AFFINITY,
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
            "the error. That cannot happen with weights that are not negative, V to their left and "
            "the transpose of V to their right: look at all three.",
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
            AFFINITY(M=lambda kernels: kernels),
        ),
        Misconception(
            "rows_normalised",
            "You divide each row of K by its sum, as for the weights of lesson 01. That is not "
            "symmetric. In (12) K_ij is divided by the roots of the sums of row i and of row j.",
            AFFINITY(M=lambda kernels: kernels / kernels.sum(axis=1, keepdims=True)),
        ),
        Misconception(
            "columns_normalised",
            "You divide each column of K by its sum. That is not symmetric. In (12) K_ij is divided by the "
            "roots of the sums of row i and of row j.",
            AFFINITY(M=lambda kernels: kernels / kernels.sum(axis=0)),
        ),
        Misconception(
            "one_side_rows",
            "You divide by the root of the row's sum only. (12) has D on both sides of K: divide "
            "by the root of the column's sum as well.",
            AFFINITY(M=lambda kernels, roots: kernels / roots[:, None]),
        ),
        Misconception(
            "one_side_columns",
            "You divide by the root of the column's sum only. (12) has D on both sides of K: "
            "divide by the root of the row's sum as well.",
            AFFINITY(M=lambda kernels, roots: kernels / roots),
        ),
        Misconception(
            "root_forgotten",
            "You divide K_ij by the sums of rows i and j. Use their square roots: D has the power "
            "-1/2 on each side, so both sides together make one D.",
            AFFINITY(roots=lambda kernels: kernels.sum(axis=1)),
        ),
        Misconception(
            "one_root_multiplied",
            "You divide by the root of one sum and multiply by the root of the other: K / a * b is (K / a) * b. "
            "(12) divides by both.",
            AFFINITY(M=lambda kernels, roots: kernels / roots[:, None] * roots),
        ),
        Misconception(
            "roots_multiplied",
            "You multiply by the roots of the row sums. The power of D is -1/2: divide by them.",
            AFFINITY(M=lambda kernels, roots: kernels * roots[:, None] * roots),
        ),
        Misconception(
            "diagonal_zero",
            "You set the diagonal of K to zero. The paper on spectral clustering does so; here "
            "the ones remain. Without them M has negative eigenvalues, and a guided step may lead "
            "uphill.",
            AFFINITY(kernels=_without_diagonal),
        ),
        Misconception(
            "half_in_kernel",
            "You have exp(-t/(2h)) in K. In this paper the squared distance is divided by h "
            "alone: exp(-t/h).",
            AFFINITY(kernels=lambda squares, h: np.exp(-squares / (2 * h))),
        ),
        Misconception(
            "h_squared",
            "You divide the squared distance by h². In this paper h is in squared units already: exp(-t/h).",
            AFFINITY(kernels=lambda squares, h: np.exp(-squares / h**2)),
        ),
        Misconception(
            "kernel_of_lesson_one",
            "You have exp(-t/(2h²)), the kernel of the first lessons. This paper's is exp(-t/h): h in "
            "squared units, and no 2.",
            AFFINITY(kernels=lambda squares, h: np.exp(-squares / (2 * h**2))),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent of K contains the distance, not its square. K is exp(-|y_i - y_j|²/h).",
            AFFINITY(squares=lambda Y: np.sqrt(squares(Y))),
        ),
        Misconception(
            "laplacian",
            "You return I - M, the stiffness of springs: its *lowest* eigenvalues belong to "
            "points that move together. (12) is M, where they are the greatest.",
            AFFINITY(M=lambda kernels, roots: np.eye(len(kernels)) - M(kernels, roots)),
        ),
        Misconception(
            "entrywise_power",
            "M**nu raises each entry to the power. A power of a matrix is the product M M M ..., "
            "which raises its eigenvalues: numpy.linalg.eigh returns them, with their vectors.",
            AFFINITY(powered=lambda M, G, nu: M**nu @ G, trace=lambda M, nu: np.trace(M**nu)),
        ),
        Misconception(
            "trace_forgotten",
            "The division by the trace of the power is missing, the second half of (17). (To divide "
            "by the greatest weight changes nothing: it is 1.) A line search would undo it, but then "
            "gradients of different nu cannot be compared.",
            AFFINITY(guided=lambda powered: powered),
        ),
        Misconception(
            "trace_of_m",
            "You divide by the trace of M. In (17) you need the trace of the power: the sum of "
            "the eigenvalues, each raised to nu.",
            AFFINITY(trace=lambda M: np.trace(M)),
        ),
        Misconception(
            "trace_before_power",
            "You divide M by its trace before you raise it to nu, or you raise the trace too. In "
            "(17) the power comes first: the sum of the eigenvalues, each raised to nu.",
            AFFINITY(trace=lambda M, nu: np.trace(M) ** nu),
        ),
        Misconception(
            "sum_of_all",
            "You divide by the sum of all entries of the power of M. The trace is the sum of its "
            "diagonal, and of its eigenvalues.",
            AFFINITY(trace=lambda vectors, weights: np.sum((vectors * weights) @ vectors.T)),
        ),
        Misconception(
            "nu_forgotten",
            "Your guided gradient does not depend on nu: it is M G over the trace of M. Raise the eigenvalues "
            "to nu.",
            AFFINITY(weights=lambda values: values),
        ),
        Misconception(
            "whole_powers_only",
            "You round nu to a whole number. The power need not be whole: the eigenvalues can be "
            "raised to 2.5 as well as to 2.",
            AFFINITY(weights=lambda values, nu: values ** np.floor(nu)),
        ),
        Misconception(
            "not_lifted",
            "Rounding leaves some eigenvalues of M slightly below zero, and a power such as 1.5 "
            "of them is nan. The exact ones are never negative: lift such values to zero before "
            "you raise them.",
            AFFINITY(values=lambda M: np.linalg.eigvalsh(M)),
        ),
        Misconception(
            "exponential",
            "Your weight is exp(nu λ). In (17) it is λ to the power nu: an eigenvalue of zero "
            "then has the weight zero.",
            AFFINITY(weights=lambda values, nu: np.exp(nu * values)),
        ),
        Misconception(
            "length_kept",
            "You scale the result to the length of G. (17) divides by the trace of the power "
            "instead: the weights sum to one, and the length that is left shows how far the data "
            "agree with G.",
            AFFINITY(guided=_length_kept),
        ),
        Misconception(
            "weights_on_points",
            "You multiply the rows of G by the weights, as if they were weights of points. They "
            "belong to eigenvectors: between Vᵀ and V.",
            AFFINITY(powered=lambda weights, G: weights[:, None] * G),
        ),
        Misconception(
            "gradient_unchanged",
            "You return the gradient unchanged. V times its transpose is the identity: the "
            "weights belong between the two.",
            AFFINITY(guided=lambda G: G + 0),
        ),
        Misconception(
            "nu_multiplied",
            "You multiply the eigenvalues by nu. nu is a power: M is applied nu times. A factor "
            "would cancel against the trace, and nu = 0 would give 0/0.",
            AFFINITY(weights=lambda values, nu: nu * values),
        ),
        Misconception(
            "matrix_power",
            "The function numpy.linalg.matrix_power multiplies M by itself, so it takes whole numbers only, and nu "
            "is a float. Raise the eigenvalues instead: numpy.linalg.eigh returns them, with their "
            "vectors, and they can have any power.",
            AFFINITY(weights=lambda nu: np.linalg.matrix_power(np.eye(2), nu)),
        ),
        Misconception(
            "divided_by_n",
            "You divide the guided gradient by N. (17) divides by the trace of the power, the sum "
            "of the eigenvalues, each raised to nu.",
            AFFINITY(trace=lambda weights: len(weights)),
        ),
        Misconception(
            "spectrum_of_k",
            "You take eigenvalues and eigenvectors of K. (16) raises M to the power, so you need "
            "those of M.",
            AFFINITY(
                values=lambda kernels: values(kernels), vectors=lambda kernels: vectors(kernels)
            ),
        ),
        Misconception(
            "length_of_columns_kept",
            "You scale each column of the result to the length of that column of G. (17) divides by "
            "the trace of the power instead, so that the length shows how far the data agree with G.",
            AFFINITY(
                guided=lambda powered, G: (
                    powered * np.linalg.norm(G, axis=0) / np.linalg.norm(powered, axis=0)
                )
            ),
        ),
        Misconception(
            "eigenvectors_in_rows",
            "You take the rows of V for eigenvectors. numpy.linalg.eigh returns them as columns: "
            "first the transpose of V times G (14), and at the end V times the result (15).",
            AFFINITY(
                aggregated=lambda vectors, G: vectors @ G,
                powered=lambda vectors, weighted: vectors.T @ weighted,
            ),
        ),
        Misconception(
            "stopped_at_eigenvectors",
            "You stop at the aggregated movements (14): row i belongs to the i-th eigenvector now, "
            "not to point i. Give each point its share (15): one more product with V.",
            AFFINITY(powered=lambda weighted: weighted),
        ),
        Misconception(
            "leading_left_out",
            "You leave out the leading eigenvector. The library does so, since it only shifts all "
            "points alike; (16) and (17) keep it, and so should you here.",
            AFFINITY(weights=lambda values, nu: np.append(values[:-1] ** nu, 0)),
        ),
        Misconception(
            "leading_removed",
            "The leading eigenvector is missing from the sum of the movements. The library leaves "
            "it out, since it only shifts all points alike; (16) and (17) keep it, and so should "
            "you here.",
            AFFINITY(weighted=_without_the_leading),
        ),
        Misconception(
            "inverse_power",
            "You raise the eigenvalues to -nu, or divide by their power. Then the directions in which "
            "points do not move together weigh most.",
            AFFINITY(weights=lambda values, nu: values**-nu),
        ),
    ),
    hints=(
        "M M is M applied twice. What does M do to its own eigenvectors, and so what does M M do to "
        "them? And a power of 2.5? But first M itself: what do you divide each K_ij by?",
        "M_ij is K_ij divided by the root of row sum i and the root of row sum j. The power of M has the "
        "same eigenvectors as M, and the eigenvalues raised to nu; its trace is their sum.",
        "Use numpy.linalg.eigh(M): values and V, one eigenvector in each column. Lift values "
        "below zero to zero. Then, from the right: the transpose of V times G, row i times weight "
        "i (a column, so [:, None]), V times that, divided by the sum of the weights.",
    ),
)
