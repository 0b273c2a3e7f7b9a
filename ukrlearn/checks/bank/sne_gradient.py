"""The gradient of the error of stochastic neighbour embedding."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.trials import SIZES, data
from ukrlearn.sgd import neighbor_embedding


def reference(X, P):
    return neighbor_embedding.neighbor_embedding_error(X, P)[1]


def trials(seed):
    random = np.random.default_rng(seed)
    X, P = np.array([[0.0], [1.0], [3.0]]), np.array([[2.0, 2, 0], [1, 2, 1], [1, 0, 3]]) / 4
    made = [Trial("three points", dict(X=X, P=P))]
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        P = neighbor_embedding.neighbor_probabilities(Y, random.uniform(0.5, 2) * Y.var())
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X, P=P)))
    P = neighbor_embedding.neighbor_probabilities(Y, 0.2)
    made.append(Trial("probabilities that are nearly zero", dict(X=X, P=P)))
    made.append(Trial("latent points close together", dict(X=0.02 * X, P=P)))
    nearest = np.sqrt(_squared_distances(X) + np.diag(np.full(N, np.inf))).min(axis=1)
    made.append(Trial("latent points far from each other", dict(X=X * 4.5 / nearest.max(), P=P)))
    made.append(Trial("latent points far from the origin", dict(X=X + 50, P=P)))
    return made


def _squared_distances(X):
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _rows(K):
    return K / K.sum(axis=1, keepdims=True)


def _choices(X):
    """Q of (2)."""
    return _rows(np.exp(-_squared_distances(X)))


def _gradient(W, X, factor=2.0):
    """(4) with W as its bracket."""
    return factor / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)


def addends(X, P):
    """The terms of (4): the four numbers in its bracket."""
    Q = _choices(X)
    parts = {"P_il": P.T, "P_li": P, "Q_il": -Q.T, "Q_li": -Q}
    return {f"{words} (x_l - x_i)": _gradient(part, X) for words, part in parts.items()}


def _wrong_choices(choices):
    """A wrong Q, and the gradient from it."""

    def gradient(X, P):
        W = P - choices(X)
        return _gradient(W + W.T, X)

    return gradient


def _wrong_bracket(bracket):
    def gradient(X, P):
        return _gradient(bracket(P, _choices(X)), X)

    return gradient


def _wrong_end(end):
    """The right bracket, and another end."""

    def gradient(X, P):
        W = P - _choices(X)
        return end(W + W.T, X)

    return gradient


def _right(X, P):
    return _wrong_choices(_choices)(X, P)


def _itself_excluded(X):
    t = _squared_distances(X)
    np.fill_diagonal(t, np.inf)
    K = np.exp(t.min(axis=1, keepdims=True) - t)
    return _rows(K)


def _of_all_pairs(X):
    K = np.exp(-_squared_distances(X))
    return K / K.sum()


def _symmetric(X, P):
    """Symmetric SNE: one distribution over all pairs."""
    W = (P + P.T) / (2 * len(P)) - _of_all_pairs(X)
    return _gradient(W, X, 4 * len(X))


def _t_sne(X, P):
    K = 1 / (1 + _squared_distances(X))
    W = ((P + P.T) / (2 * len(P)) - K / K.sum()) * K
    return _gradient(W, X, 4 * len(X))


def _student_by_rows(X, P):
    K = 1 / (1 + _squared_distances(X))
    W = P - _rows(K)
    return _gradient((W + W.T) * K, X)


def _error(X, P):
    """(3) without the terms that X does not change."""
    t = _squared_distances(X)
    return np.mean(np.sum(P * t, axis=1) + np.log(np.exp(-t).sum(axis=1)))


def _downhill(gradient, X, P):
    size = np.linalg.norm(gradient)
    step = 1e-4 * gradient / size if size > 0 else 0 * X
    X = X - X.mean(axis=0)
    return bool(_error(X - step, P) < _error(X + step, P))


EXERCISE = Exercise(
    name="sne_gradient",
    title="The gradient of SNE",
    lesson="14_neighbour_embedding",
    equations="[SGD] (1)-(4)",
    minutes=20,
    shapes={"X": "N q", "P": "N N"},
    returns={"gradient": "N q"},
    trials=trials,
    reference=reference,
    addends=addends,
    properties=(
        Property(
            "not_translation_free",
            "The rows of the gradient sum to zero: moving all points together changes nothing.",
            "The rows of the gradient must sum to zero: what pulls point l towards point i also "
            "pulls i towards l. Is your bracket the same number for (l, i) and (i, l)?",
            lambda gradient, X, P: moves_nothing(gradient),
        ),
        Property(
            "not_rotation_free",
            "The gradient does not turn the cloud: every force acts along the line between two points.",
            "The gradient turns the cloud of points as a whole, although a rotation changes no "
            "distance. Each term of (4) is a number times x_l - x_i. What else is in yours?",
            lambda gradient, X, P: turns_nothing(gradient, X),
        ),
        Property(
            "uphill",
            "A small step along minus the gradient lowers the error E.",
            "A small step along minus your gradient does not lower E. Is a point pulled towards "
            "points that P chooses more often than Q does?",
            _downhill,
        ),
    ),
    misconceptions=(
        Misconception(
            "half_in_kernel",
            "You have exp(-t/2) in Q, the kernel of [UKR]. In this paper it is exp(-t), with the "
            "plain squared distance t. Look at (2).",
            _wrong_choices(lambda X: _choices(X / np.sqrt(2))),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent in Q contains the distance, not its square. exp(-|x_i - x_j|) has a "
            "kink where two points meet; (2) has none.",
            _wrong_choices(lambda X: _rows(np.exp(-np.sqrt(_squared_distances(X))))),
        ),
        Misconception(
            "not_normalised",
            "Q holds the kernel values themselves. Divide them by their sum over the row, so that "
            "the choice probabilities of each point sum to one, as in P.",
            _wrong_choices(lambda X: np.exp(-_squared_distances(X))),
        ),
        Misconception(
            "one_sum_for_all",
            "You divide by the sum over all pairs, so that the whole of Q sums to one. In (2) each "
            "point makes its own choice: each row has its own sum.",
            _wrong_choices(_of_all_pairs),
        ),
        Misconception(
            "itself_excluded",
            "In your Q no point may choose itself. The first paper on SNE does so; the sum in (2) "
            "is over all k, i included, and so is the sum in P here. Both must agree.",
            _wrong_choices(_itself_excluded),
        ),
        Misconception(
            "student_kernel",
            "Your Q has the kernel 1 / (1 + t). That is the heavy tail of t-SNE, a later method; "
            "SNE has exp(-t) in latent space too.",
            _wrong_choices(lambda X: _rows(1 / (1 + _squared_distances(X)))),
        ),
        Misconception(
            "t_sne",
            "This is the gradient of t-SNE: symmetric probabilities of pairs, the kernel 1 / (1 + t), and "
            "that kernel once more as a factor. Here it is SNE, by (2) and (4).",
            _t_sne,
        ),
        Misconception(
            "symmetric_sne",
            "This is the gradient of symmetric SNE, in which all pairs share one distribution. In (1) and "
            "(2) each point has its own: rows that sum to one.",
            _symmetric,
        ),
        Misconception(
            "own_choices_only",
            "In the bracket you have P_li - Q_li alone, the choices of point l. When x_l moves, how "
            "often the others choose l changes as well: P_il - Q_il belongs to it.",
            _wrong_bracket(lambda P, Q: P - Q),
        ),
        Misconception(
            "others_choices_only",
            "In the bracket you have P_il - Q_il alone, the choices of the others. When x_l moves, its "
            "own choices change as well: P_li - Q_li belongs to it.",
            _wrong_bracket(lambda P, Q: (P - Q).T),
        ),
        Misconception(
            "choices_doubled",
            "You take 2 (P - Q) for the bracket, as if choices were mutual. They are not: P_li "
            "and P_il differ, and W = P - Q needs its transpose added.",
            _wrong_bracket(lambda P, Q: 2 * (P - Q)),
        ),
        Misconception(
            "choices_subtracted",
            "You subtract the transpose of P - Q. (4) adds it: one spring joins two points, and "
            "both choices make it stiff.",
            _wrong_bracket(lambda P, Q: P - Q - (P - Q).T),
        ),
        Misconception(
            "added",
            "You have P + Q in place of P - Q. The data pull and the latent points' own choices "
            "push; where both agree there must be no force.",
            _wrong_bracket(lambda P, Q: P + Q + (P + Q).T),
        ),
        Misconception(
            "pull_only",
            "Q is missing from your bracket: everything pulls and nothing pushes. Going downhill, all "
            "points would fall together.",
            _wrong_bracket(lambda P, Q: P + P.T),
        ),
        Misconception(
            "kernel_times_bracket",
            "You multiply the bracket of (4) by the kernel. Other gradients do so; here the "
            "logarithm in (3) has removed the exponential, and only Q remains.",
            _wrong_end(lambda W, X: _gradient(W * np.exp(-_squared_distances(X)), X)),
        ),
        Misconception(
            "choices_times_bracket",
            "You multiply the bracket of (4) by Q. The logarithm in (3) has removed that factor: "
            "the bracket has no other, and it is the same number for (l, i) and (i, l).",
            _wrong_end(lambda W, X: _gradient(W * _choices(X), X)),
        ),
        Misconception(
            "t_sne_by_rows",
            "The kernel 1 / (1 + t), and that kernel once more as a factor of the bracket: both "
            "belong to t-SNE, a later method. SNE has exp(-t) in Q, and the bracket of (4) alone.",
            _student_by_rows,
        ),
        Misconception(
            "centre_forgotten",
            "The part with x_l itself is missing. (4) sums x_l - x_i, so x_l is weighted by the "
            "sum of its row of W: the row sums of W, a column, times X. (The sum over all of W is "
            "zero.)",
            _wrong_end(lambda W, X: -2 / len(X) * W @ X),
        ),
        Misconception(
            "not_added_up",
            "Row l holds only the term of the last point i: each i overwrites the previous one. "
            "Add them up, starting from zero.",
            _wrong_end(lambda W, X: 2 / len(X) * W[:, -1:] * (X - X[-1])),
        ),
        Misconception(
            "earlier_points_only",
            "Each point feels only the points before it in the list. The sum in (4) runs over all i, for "
            "each l.",
            _wrong_end(lambda W, X: _gradient(np.tril(W), X)),
        ),
        Misconception(
            "later_points_only",
            "Each point feels only the points after it in the list. The sum in (4) runs over all i, for "
            "each l.",
            _wrong_end(lambda W, X: _gradient(np.triu(W), X)),
        ),
        Misconception(
            "city_block",
            "You add up the absolute differences of the coordinates and square the sum. The squared distance "
            "is the sum of the squares.",
            _wrong_choices(lambda X: _rows(np.exp(-(np.abs(X[:, None] - X).sum(axis=2) ** 2)))),
        ),
        Misconception(
            "centre_once",
            "You take x_l once. In (4) it is in each term of the sum over i, so it is weighted by "
            "the sum of its row of W.",
            _wrong_end(lambda W, X: 2 / len(X) * (X - W @ X)),
        ),
        Misconception(
            "sums_of_positions",
            "You have x_l + x_i in place of x_l - x_i. A force acts along the difference of two points.",
            _wrong_end(lambda W, X: 2 / len(X) * (W.sum(axis=1, keepdims=True) * X + W @ X)),
        ),
        Misconception(
            "unit_directions",
            "You divide the differences x_l - x_i by their lengths. The force of (4) grows with "
            "the distance, as in a spring.",
            _wrong_end(
                lambda W, X: _gradient(W / np.sqrt(_squared_distances(X) + np.eye(len(X))), X)
            ),
        ),
        Misconception(
            "mean_forgotten",
            "1/N is missing: the error (3) is the mean over the points.",
            lambda X, P: len(X) * _right(X, P),
        ),
        Misconception(
            "front_forgotten",
            "The factor 2/N in front of the sum is missing. The rest of (4) is right.",
            lambda X, P: len(X) * _right(X, P) / 2,
        ),
        Misconception(
            "mean_twice",
            "You divide by N twice, for example by a mean over i that has its own 1/N. In (4) it is the "
            "sum over i, and one 1/N in front.",
            lambda X, P: _right(X, P) / len(X),
        ),
        Misconception(
            "columns_for_points",
            "You divide by q, the number of columns of X. N is the number of points: the rows.",
            lambda X, P: _right(X, P) * len(X) / X.shape[1],
        ),
        Misconception(
            "two_missing",
            "The factor 2 is missing: the derivative of |x_l - x_i|² is 2 (x_l - x_i).",
            lambda X, P: _right(X, P) / 2,
        ),
    ),
    hints=(
        "A spring joins each pair of points. First find its stiffness: four numbers for the pair, "
        "two from P and two from Q. Then add up the pulls on each point.",
        "Q from X: exp(-t) of all squared distances, each row divided by its sum. W = P - Q, plus "
        "its transpose. The gradient at l is 2/N times the sum over i of W_li times (x_l - x_i).",
        "The sum over i has two parts. x_l does not depend on i: multiply it by the sum of row l "
        "of W (axis=1, keepdims=True). The x_i give the matrix product of W and X. Subtract the "
        "second from the first.",
    ),
)
