"""Right and wrong answers to the exercise `double_centring`, as learners write them."""

import numpy as np
from scipy.linalg import eigh


def with_the_paper_s_matrix(squared, q):
    """B as a matrix, to the letter."""
    N = len(squared)
    B = np.eye(N) - np.ones((N, N)) / N
    S = -B @ squared @ B / 2
    values, V = np.linalg.eigh(S)
    order = np.argsort(values)[::-1]
    top = order[:q]
    X = V[:, top] * np.sqrt(np.clip(values[top], 0, None))
    total = np.sum(np.abs(values))
    return X, (np.sum(np.abs(values[values < 0])) / total if total else 0.0)


def only_the_last(squared, q):
    """SciPy, asked for the greatest q, and the share from all values."""
    N = len(squared)
    S = squared - squared.mean(0)
    S = -(S - S.mean(1)[:, None]) / 2
    values, V = eigh(S, subset_by_index=[N - q, N - 1])
    everything = eigh(S, eigvals_only=True)
    share = (np.abs(everything).sum() - everything.sum()) / 2  # twice the negative part
    return V[:, ::-1] * np.maximum(values[::-1], 0) ** 0.5, share / max(
        np.abs(everything).sum(), 1e-300
    )


def in_single_precision(squared, q):
    K = squared.astype(np.float32)
    B = (np.eye(len(K)) - 1 / len(K)).astype(np.float32)
    values, V = np.linalg.eigh(-B @ K @ B / 2)
    kept = np.maximum(values[::-1][:q], 0)
    noise = 1e-5 * np.abs(values).max()
    total = np.abs(values).sum()
    return V[:, ::-1][:, :q] * np.sqrt(kept), np.float32(
        -values[values < -noise].sum() / total if total else 0
    )


RIGHT = [with_the_paper_s_matrix, only_the_last, in_single_precision]


def _edited(
    S=lambda K, B: -B @ K @ B / 2,
    top=lambda values, q: np.argsort(values)[::-1][:q],
    root=lambda kept: np.sqrt(np.clip(kept, 0, None)),
    share=lambda values: -values[values < 0].sum() / (np.abs(values).sum() or 1),
):
    """The paper's matrix form, with one piece exchanged."""

    def answer(squared, q):
        values, V = np.linalg.eigh(S(squared, np.eye(len(squared)) - 1 / len(squared)))
        at = top(values, q)
        return V[:, at] * root(values[at]), share(values)

    return answer


def rows(squared, q):
    B = np.eye(len(squared)) - 1 / len(squared)
    values, V = np.linalg.eigh(-B @ squared @ B / 2)
    return np.array([V[-p - 1] * max(values[-p - 1], 0) ** 0.5 for p in range(q)]).T, share_of(
        values
    )


def share_of(values):
    return -values[values < 0].sum() / (np.abs(values).sum() or 1)


def only_X(squared, q):
    return with_the_paper_s_matrix(squared, q)[0]


def transposed(squared, q):
    X, share = with_the_paper_s_matrix(squared, q)
    return X.T, share


def all_columns(squared, q):
    return with_the_paper_s_matrix(squared, len(squared))


def swapped(squared, q):
    return with_the_paper_s_matrix(squared, q)[::-1]


def in_place(squared, q):
    squared -= squared.mean(axis=0)
    squared -= squared.mean(axis=1, keepdims=True)
    values, V = np.linalg.eigh(-squared / 2)
    return V[:, ::-1][:, :q] * np.sqrt(np.maximum(values[::-1][:q], 0)), share_of(values)


WRONG = [
    ("distances_taken", _edited(S=lambda K, B: -B @ np.sqrt(K) @ B / 2)),
    ("half_missing", _edited(S=lambda K, B: -B @ K @ B)),
    ("sign_missing", _edited(S=lambda K, B: B @ K @ B / 2)),
    ("half_and_sign_missing", _edited(S=lambda K, B: B @ K @ B)),
    ("smallest", _edited(top=lambda values, q: np.arange(q))),
    ("ascending", _edited(top=lambda values, q: np.argsort(values)[-q:])),
    ("by_magnitude", _edited(top=lambda values, q: np.argsort(np.abs(values))[::-1][:q])),
    ("rows_of_vectors", rows),
    ("not_scaled", _edited(root=lambda kept: 1)),
    ("root_missing", _edited(root=lambda kept: np.clip(kept, 0, None))),
    ("magnitude_for_clip", _edited(root=lambda kept: np.abs(kept) ** 0.5)),
    ("not_clipped", _edited(root=np.sqrt)),
    ("share_of_sum", _edited(share=lambda v: np.abs(v[v < 0]).sum() / (v.sum() or 1))),
    (
        "share_of_positive",
        _edited(share=lambda v: np.abs(v[v < 0]).sum() / (v[v > 0].sum() or 1)),
    ),
    ("share_of_squares", _edited(share=lambda v: (v[v < 0] ** 2).sum() / ((v**2).sum() or 1))),
    ("share_negative", _edited(share=lambda v: v[v < 0].sum() / (np.abs(v).sum() or 1))),
    ("wrong_type", only_X),
    ("slip: X", transposed),
    ("shape", all_columns),
    ("order_of_results", swapped),
    ("changes_input", in_place),
]

# Collected answers that gave the numbers of these mistakes in all trials.
EQUAL = """
    squared_again not_centred one_side mean_of_all share_counts share_of_kept values_not_turned
    not_scaled zero_by_zero
""".split()
