"""The affinity of the data, and the gradient that its powers guide."""

from itertools import product

import numpy as np

from ukrlearn import sgd
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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


AFFINITY = pipeline(
    "Y h G nu",
    returns="M guided",
    squares=lambda Y: np.sum((Y[:, None] - Y) ** 2, axis=2),
    kernels=lambda squares, h: np.exp(-squares / h),
    roots=lambda kernels: np.sqrt(kernels.sum(axis=1)),
    M=lambda kernels, roots: kernels / roots[:, None] / roots,
    values=lambda M: np.maximum(np.linalg.eigvalsh(M), 0),
    vectors=lambda M: np.linalg.eigh(M)[1],
    weights=lambda values, nu: values**nu,
    aggregated=lambda vectors, G: vectors.T @ G,
    weighted=lambda weights, aggregated: weights[:, None] * aggregated,
    powered=lambda vectors, weighted: vectors @ weighted,
    trace=lambda weights: weights.sum(),
    guided=lambda powered, trace: powered / trace,
)


def _weights_of(M, nu):
    return AFFINITY.weights(AFFINITY.values(M), nu), AFFINITY.vectors(M)


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
    root = AFFINITY.roots(AFFINITY.kernels(AFFINITY.squares(Y), h))
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


MISTAKES = (
    *AFFINITY.mistakes(
        "M",
        not_normalised=lambda kernels: kernels,
        rows_normalised=lambda kernels: kernels / kernels.sum(axis=1, keepdims=True),
        one_side_rows=lambda kernels, roots: kernels / roots[:, None],
        one_side_columns=lambda kernels, roots: kernels / roots,
        one_root_multiplied=lambda kernels, roots: kernels / roots[:, None] * roots,
        roots_multiplied=lambda kernels, roots: kernels * roots[:, None] * roots,
        laplacian=lambda kernels, roots: np.eye(len(kernels)) - AFFINITY.M(kernels, roots),
    ),
    AFFINITY.mistake("h_squared", kernels=lambda squares, h: np.exp(-squares / h**2)),
    AFFINITY.mistake(
        "kernel_of_lesson_one", kernels=lambda squares, h: np.exp(-squares / (2 * h**2))
    ),
    AFFINITY.mistake(
        "entrywise_power", powered=lambda M, G, nu: M**nu @ G, trace=lambda M, nu: np.trace(M**nu)
    ),
    AFFINITY.mistake("trace_of_m", trace=lambda M: np.trace(M)),
    AFFINITY.mistake("trace_before_power", trace=lambda M, nu: np.trace(M) ** nu),
    AFFINITY.mistake(
        "sum_of_all", trace=lambda vectors, weights: np.sum((vectors * weights) @ vectors.T)
    ),
    AFFINITY.mistake("whole_powers_only", weights=lambda values, nu: values ** np.floor(nu)),
    AFFINITY.mistake("not_lifted", values=lambda M: np.linalg.eigvalsh(M)),
    AFFINITY.mistake("exponential", weights=lambda values, nu: np.exp(nu * values)),
    AFFINITY.mistake("length_kept", guided=_length_kept),
    AFFINITY.mistake("weights_on_points", powered=lambda weights, G: weights[:, None] * G),
    AFFINITY.mistake("gradient_unchanged", guided=lambda G: G + 0),
    AFFINITY.mistake("matrix_power", weights=lambda nu: np.linalg.matrix_power(np.eye(2), nu)),
    AFFINITY.mistake("divided_by_n", trace=lambda weights: len(weights)),
    AFFINITY.mistake(
        "length_of_columns_kept",
        guided=lambda powered, G: (
            powered * np.linalg.norm(G, axis=0) / np.linalg.norm(powered, axis=0)
        ),
    ),
    AFFINITY.mistake(
        "eigenvectors_in_rows",
        aggregated=lambda vectors, G: vectors @ G,
        powered=lambda vectors, weighted: vectors.T @ weighted,
    ),
    AFFINITY.mistake("inverse_power", weights=lambda values, nu: values**-nu),
)


EXERCISE = exercise(
    "affinity",
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
            holds=lambda values, Y, h, G, nu: bool(
                (np.abs(values[0] - values[0].T) <= 1e-4 * np.abs(values[0]).max()).all()
            ),
        ),
        Property("spectrum_outside", holds=lambda values, Y, h, G, nu: _spectrum_within(values[0])),
        Property(
            "not_back",
            holds=lambda values, **given: (
                _on_three_points(_not_back)(values, **given)
                and _on_three_points(_not_back_from_the_greatest)(values, **given)
            ),
        ),
        Property("not_into_the_basis", holds=_on_three_points(_not_into_the_basis)),
        Property(
            "vectors_in_rows",
            holds=lambda values, **given: all(
                _on_three_points(wrong)(values, **given)
                for wrong in (_vectors_in_rows, _never_transposed, _always_transposed)
            ),
        ),
        Property("order_mixed", holds=_on_three_points(_order_mixed)),
        Property("constant_removed", holds=_leads_all_alike),
        Property("directions_cut", holds=_none_cut),
        Property(
            "uphill",
            holds=lambda values, Y, h, G, nu: bool(
                np.vdot(values[1], G) >= -1e-5 * np.linalg.norm(values[1]) * np.linalg.norm(G)
            ),
        ),
        Property(
            "too_long",
            holds=lambda values, Y, h, G, nu: bool(
                np.linalg.norm(values[1]) <= (1 + 1e-4) * np.linalg.norm(G)
            ),
        ),
    ),
    misconceptions=MISTAKES,
)
