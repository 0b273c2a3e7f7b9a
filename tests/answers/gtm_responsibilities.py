"""Right and wrong answers to the exercise `gtm_responsibilities`, as learners write them."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import logsumexp, softmax


def with_softmax(Y, values, temperature):
    return softmax(-cdist(Y, values, "sqeuclidean") / temperature, axis=1)


def in_logarithms(Y, values, temperature):
    E = -(cdist(Y, values) ** 2) / temperature
    return np.exp(E - logsumexp(E, axis=1)[:, None]).tolist()


def products(Y, values, temperature):
    """|y|² is the same for all codes, so it need not be there."""
    E = (2 * np.einsum("nd,kd->nk", Y, values) - np.sum(values**2, axis=1)) / temperature
    E -= E.max(axis=1)[:, np.newaxis]
    W = np.exp(E)
    return (W.T / W.sum(1)).T


def in_single_precision(Y, values, temperature):
    Y, values = Y.astype(np.float32), values.astype(np.float32)
    t = np.sum((Y[:, None] - values) ** 2, axis=2)
    W = np.exp((t.min(axis=1, keepdims=True) - t) / np.float32(temperature))
    return W / W.sum(axis=1, keepdims=True)


RIGHT = [with_softmax, in_logarithms, products, in_single_precision]


def _made(
    exponent=lambda t, T: -t / T,
    shift=lambda E: E - E.max(1)[:, None],
    shares=lambda W: W / W.sum(1)[:, None],
):
    """With one piece exchanged."""

    def answer(Y, values, temperature):
        with np.errstate(all="ignore"):
            E = exponent(cdist(Y, values, "sqeuclidean"), temperature)
            return shares(np.exp(shift(E)))

    return answer


def none(E):
    return E


def in_place(Y, values, temperature):
    Y -= Y.mean(axis=0)
    return with_softmax(Y, values, temperature)


def labels(Y, values, temperature):
    return cdist(Y, values).argmin(axis=1)


def root_of_shares(Y, values, temperature):
    return np.sqrt(with_softmax(Y, values, temperature))


WRONG = [
    ("half", _made(exponent=lambda t, T: -0.5 * t / T, shift=none)),
    ("shape", labels),
    ("changes_input", in_place),
    ("slip: R", root_of_shares),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    underflow shift_of_all small_number_1e-12 small_number_1e-10 distance_not_squared half
    temperature_squared as_width columns_sum_to_one densities logarithms hard columns_after_rows
    all_after_rows transposed_result
""".split()
