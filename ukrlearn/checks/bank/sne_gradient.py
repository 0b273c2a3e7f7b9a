"""The gradient of the error of stochastic neighbour embedding."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.symmetries import moves_nothing, turns_nothing
from ukrlearn.checks.trials import SIZES, data, mirrored
from ukrlearn.sgd import neighbor_embedding


def reference(X, P):
    return neighbor_embedding.neighbor_embedding_error(X, P)[1]


def trials(seed):
    random = np.random.default_rng(seed)
    X, P = np.array([[0.0], [1.0], [3.0]]), np.array([[2.0, 2, 0], [1, 2, 1], [1, 0, 3]]) / 4
    made = [Trial("three points", dict(X=X, P=P))]
    X = np.array([[0.0, 0], [1, 0], [0, 2]])
    made.append(Trial("three points of the plane", dict(X=X, P=P)))
    for N, d, q in SIZES:
        X, Y = data(random, N, d, q)
        P = neighbor_embedding.neighbor_probabilities(Y, random.uniform(0.5, 2) * Y.var())
        made.append(Trial(f"N = {N}, q = {q}", dict(X=X, P=P)))
    centred, Z = mirrored(random, 3, 2), mirrored(random, 3, 3)
    equal = dict(X=centred, P=neighbor_embedding.neighbor_probabilities(Z, 1.5))
    made.append(Trial("centred points, some of them equal", equal))
    P = neighbor_embedding.neighbor_probabilities(Y, 0.2)
    made.append(Trial("probabilities that are nearly zero", dict(X=X, P=P)))
    made.append(Trial("latent points close together", dict(X=0.02 * X, P=P)))
    nearest = np.sqrt(squares(X) + np.diag(np.full(N, np.inf))).min(axis=1)
    made.append(Trial("latent points far from each other", dict(X=X * 4.5 / nearest.max(), P=P)))
    made.append(Trial("latent points far from the origin", dict(X=X + 50, P=P)))
    return made


def squares(X):
    """the squared distances |x_i - x_j|²"""
    return np.sum((X[:, None] - X) ** 2, axis=2)


def kernels(squares):
    """the kernel values exp(-|x_i - x_j|²)"""
    return np.exp(-squares)


def sums(kernels):
    """the row sums of the kernel values"""
    return np.sum(kernels, axis=1, keepdims=True)


def Q(kernels, sums):
    """Q"""
    return kernels / sums


def W(P, Q):
    """P - Q"""
    return P - Q


def brackets(W):
    """the brackets of (4)"""
    return W + W.T


def own(brackets, X):
    """the part of the sum with x_l"""
    return np.sum(brackets, axis=1, keepdims=True) * X


def theirs(brackets, X):
    """the part of the sum with the x_i"""
    return brackets @ X


def total(own, theirs):
    """the sum over i"""
    return own - theirs


def gradient(total):
    """the gradient, the sum times 2/N"""
    return 2 / len(total) * total


GRADIENT = pipeline("X P", squares, kernels, sums, Q, W, brackets, own, theirs, total, gradient)


def addends(X, P):
    """The terms of (4): the four numbers in its bracket."""
    K = kernels(squares(X))
    choices = K / sums(K)
    parts = {"P_il": P.T, "P_li": P, "Q_il": -choices.T, "Q_li": -choices}
    return {
        f"{words} (x_l - x_i)": gradient(own(part, X) - theirs(part, X))
        for words, part in parts.items()
    }


def _with_brackets(change):
    """The brackets changed by (brackets, X) -> brackets, in both parts of the sum."""
    return dict(
        own=lambda brackets, X: own(change(brackets, X), X),
        theirs=lambda brackets, X: theirs(change(brackets, X), X),
    )


def _row_by_row(brackets, X):
    total = np.zeros(X.shape)
    for l in range(len(X)):
        total[l] = np.sum(brackets[l] * (X[l] - X), axis=0)
    return total


def _by_lengths(brackets, X):
    lengths = np.sqrt(squares(X))
    return brackets / np.where(lengths > 0, lengths, 1)


def _of_pairs(P, Q):
    return (P + P.T) / (2 * len(P)) - Q


def _zero_diagonal(K):
    return K - np.diag(np.diag(K))


def _error(X, P):
    """(3) without the terms that X does not change."""
    t = squares(X)
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
    stages=GRADIENT,
    addends=addends,
    properties=(
        Property(
            "not_translation_free",
            "The rows of the gradient sum to zero: moving all points together changes nothing.",
            "The rows of the gradient must sum to zero: what pulls point l towards point i also "
            "pulls i towards l. Yours do not.",
            lambda gradient, X, P: moves_nothing(gradient),
            suspects=(
                ("brackets", "Is your bracket the same number for (l, i) and (i, l)?"),
                ("own", "Is x_l weighted by the sum of its row of brackets?"),
            ),
        ),
        Property(
            "not_rotation_free",
            "The gradient does not turn the cloud: every force acts along the line between two points.",
            "The gradient turns the cloud of points as a whole, although a rotation changes no "
            "distance. Each term of (4) is a number times x_l - x_i.",
            lambda gradient, X, P: turns_nothing(gradient, X),
            suspects=(
                ("brackets", "Is your bracket the same number for (l, i) and (i, l)?"),
                ("total", "What else is in your sum?"),
            ),
        ),
        Property(
            "uphill",
            "A small step along minus the gradient lowers the error E.",
            "A small step along minus your gradient does not lower E.",
            _downhill,
            suspects=(
                ("W", "Is a point pulled towards points that P chooses more often than Q does?"),
                ("total", "Are the differences x_l - x_i, in this order?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "half_in_kernel",
            "You have exp(-t/2) in Q, the kernel of [UKR]. In this paper it is exp(-t), with the "
            "plain squared distance t. Look at (2).",
            GRADIENT(kernels=lambda squares: np.exp(-squares / 2)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent in Q contains the distance, not its square. exp(-|x_i - x_j|) has a "
            "kink where two points meet; (2) has none.",
            GRADIENT(squares=lambda X: np.sqrt(squares(X))),
        ),
        Misconception(
            "not_normalised",
            "Q holds the kernel values themselves. Divide them by their sum over the row, so that "
            "the choice probabilities of each point sum to one, as in P.",
            GRADIENT(Q=lambda kernels: kernels),
        ),
        Misconception(
            "one_sum_for_all",
            "You divide by the sum over all pairs, so that the whole of Q sums to one. In (2) each "
            "point makes its own choice: each row has its own sum.",
            GRADIENT(sums=lambda kernels: np.sum(kernels)),
        ),
        Misconception(
            "itself_excluded",
            "In your Q no point may choose itself. The first paper on SNE does so; the sum in (2) "
            "is over all k, i included, and so is the sum in P here. Both must agree.",
            GRADIENT(kernels=lambda squares: _zero_diagonal(np.exp(-squares))),
        ),
        Misconception(
            "student_kernel",
            "Your Q has the kernel 1 / (1 + t). That is the heavy tail of t-SNE, a later method; "
            "SNE has exp(-t) in latent space too.",
            GRADIENT(kernels=lambda squares: 1 / (1 + squares)),
        ),
        Misconception(
            "t_sne",
            "This is the gradient of t-SNE: symmetric probabilities of pairs, the kernel 1 / (1 + t), and "
            "that kernel once more as a factor. Here it is SNE, by (2) and (4).",
            GRADIENT(
                kernels=lambda squares: 1 / (1 + squares),
                sums=lambda kernels: np.sum(kernels),
                W=_of_pairs,
                brackets=lambda W, kernels: W * kernels,
                gradient=lambda total: 4 * total,
            ),
        ),
        Misconception(
            "t_sne_without_itself",
            "This is the gradient of t-SNE, in which no point chooses itself: symmetric probabilities of pairs, the kernel 1 / (1 + t), and "
            "that kernel once more as a factor. Here it is SNE, by (2) and (4).",
            GRADIENT(
                kernels=lambda squares: _zero_diagonal(1 / (1 + squares)),
                sums=lambda kernels: np.sum(kernels),
                W=_of_pairs,
                brackets=lambda W, kernels: W * kernels,
                gradient=lambda total: 4 * total,
            ),
        ),
        Misconception(
            "symmetric_sne",
            "This is the gradient of symmetric SNE, in which all pairs share one distribution. In (1) and "
            "(2) each point has its own: rows that sum to one.",
            GRADIENT(
                sums=lambda kernels: np.sum(kernels),
                W=_of_pairs,
                brackets=lambda W: W,
                gradient=lambda total: 4 * total,
            ),
        ),
        Misconception(
            "own_choices_only",
            "In the bracket you have P_li - Q_li alone, the choices of point l. When x_l moves, how "
            "often the others choose l changes as well: P_il - Q_il belongs to it.",
            GRADIENT(brackets=lambda W: W),
        ),
        Misconception(
            "others_choices_only",
            "In the bracket you have P_il - Q_il alone, the choices of the others. When x_l moves, its "
            "own choices change as well: P_li - Q_li belongs to it.",
            GRADIENT(brackets=lambda W: W.T),
        ),
        Misconception(
            "choices_doubled",
            "You take 2 (P - Q) for the bracket, as if choices were mutual. They are not: P_li "
            "and P_il differ, and W = P - Q needs its transpose added.",
            GRADIENT(brackets=lambda W: 2 * W),
        ),
        Misconception(
            "choices_subtracted",
            "You subtract the transpose of P - Q. (4) adds it: one spring joins two points, and "
            "both choices make it stiff.",
            GRADIENT(brackets=lambda W: W - W.T),
        ),
        Misconception(
            "added",
            "You have P + Q in place of P - Q. The data pull and the latent points' own choices "
            "push; where both agree there must be no force.",
            GRADIENT(W=lambda P, Q: P + Q),
        ),
        Misconception(
            "pull_only",
            "Q is missing from your bracket: everything pulls and nothing pushes. Going downhill, all "
            "points would fall together.",
            GRADIENT(W=lambda P: P),
        ),
        Misconception(
            "kernel_times_bracket",
            "You multiply the bracket of (4) by the kernel. Other gradients do so; here the "
            "logarithm in (3) has removed the exponential, and only Q remains.",
            GRADIENT(brackets=lambda W, kernels: (W + W.T) * kernels),
        ),
        Misconception(
            "choices_times_bracket",
            "You multiply the bracket of (4) by Q. The logarithm in (3) has removed that factor: "
            "the bracket has no other, and it is the same number for (l, i) and (i, l).",
            GRADIENT(brackets=lambda W, Q: (W + W.T) * Q),
        ),
        Misconception(
            "t_sne_by_rows",
            "The kernel 1 / (1 + t), and that kernel once more as a factor of the bracket: both "
            "belong to t-SNE, a later method. SNE has exp(-t) in Q, and the bracket of (4) alone.",
            GRADIENT(
                kernels=lambda squares: 1 / (1 + squares),
                brackets=lambda W, kernels: (W + W.T) * kernels,
            ),
        ),
        Misconception(
            "centre_forgotten",
            "The part with x_l itself is missing. (4) sums x_l - x_i, so x_l is weighted by the "
            "sum of its row of W: the row sums of W, a column, times X. (The sum over all of W is "
            "zero.)",
            GRADIENT(own=lambda X: 0 * X),
        ),
        Misconception(
            "not_added_up",
            "Row l holds only the term of the last point i: each i overwrites the previous one. "
            "Add them up, starting from zero.",
            GRADIENT(
                own=lambda brackets, X: brackets[:, -1:] * X,
                theirs=lambda brackets, X: brackets[:, -1:] * X[-1],
            ),
        ),
        Misconception(
            "earlier_points_only",
            "Each point feels only the points before it in the list. The sum in (4) runs over all i, for "
            "each l.",
            GRADIENT(**_with_brackets(lambda brackets, X: np.tril(brackets))),
        ),
        Misconception(
            "later_points_only",
            "Each point feels only the points after it in the list. The sum in (4) runs over all i, for "
            "each l.",
            GRADIENT(**_with_brackets(lambda brackets, X: np.triu(brackets))),
        ),
        Misconception(
            "city_block",
            "You add up the absolute differences of the coordinates and square the sum. The squared distance "
            "is the sum of the squares.",
            GRADIENT(squares=lambda X: np.sum(np.abs(X[:, None] - X), axis=2) ** 2),
        ),
        Misconception(
            "centre_once",
            "You take x_l once. In (4) it is in each term of the sum over i, so it is weighted by "
            "the sum of its row of W.",
            GRADIENT(own=lambda X: X),
        ),
        Misconception(
            "sums_of_positions",
            "You have x_l + x_i in place of x_l - x_i. A force acts along the difference of two points.",
            GRADIENT(total=lambda own, theirs: own + theirs),
        ),
        Misconception(
            "unit_directions",
            "You divide the differences x_l - x_i by their lengths. The force of (4) grows with "
            "the distance, as in a spring.",
            GRADIENT(**_with_brackets(_by_lengths)),
        ),
        Misconception(
            "mean_forgotten",
            "1/N is missing: the error (3) is the mean over the points.",
            GRADIENT(gradient=lambda total: 2 * total),
        ),
        Misconception(
            "front_forgotten",
            "The whole factor 2/N in front of the sum of (4) is missing.",
            GRADIENT(gradient=lambda total: total),
        ),
        Misconception(
            "mean_twice",
            "You divide by N twice, for example by a mean over i that has its own 1/N. In (4) it is the "
            "sum over i, and one 1/N in front.",
            GRADIENT(gradient=lambda total: 2 / len(total) ** 2 * total),
        ),
        Misconception(
            "columns_for_points",
            "You divide by q, the number of columns of X. N is the number of points: the rows.",
            GRADIENT(gradient=lambda total: 2 / total.shape[1] * total),
        ),
        Misconception(
            "two_missing",
            "A factor 2 is missing: the derivative of |x_l - x_i|² is 2 (x_l - x_i). Or you take the mean "
            "of P - Q and its transpose; (4) has their sum.",
            GRADIENT(gradient=lambda total: total / len(total)),
        ),
        Misconception(
            "mean_of_choices",
            "You take (P + Pᵀ)/2, the mean of both choices, as symmetric SNE does. The bracket of (4) "
            "has the sum, P_il + P_li, as it has Q_li + Q_il.",
            GRADIENT(brackets=lambda P, Q: (P + P.T) / 2 - Q - Q.T),
        ),
        Misconception(
            "p_once",
            "In the bracket P comes once, and Q with its transpose. (4) has both P_il and P_li.",
            GRADIENT(brackets=lambda P, Q: P - Q - Q.T),
        ),
        Misconception(
            "q_once",
            "In the bracket Q comes once, and P with its transpose. (4) has both Q_il and Q_li.",
            GRADIENT(brackets=lambda P, Q: P + P.T - Q),
        ),
        Misconception(
            "q_transpose_added",
            "In the bracket the sign of Qᵀ is wrong: both Q_li and Q_il are subtracted. Mind the "
            "brackets: P + Pᵀ - (Q + Qᵀ).",
            GRADIENT(brackets=lambda P, Q: P + P.T - Q + Q.T),
        ),
        Misconception(
            "logarithms",
            "You have log P - log Q in the bracket. The logarithms of (3) are gone after "
            "differentiation: (4) has the probabilities themselves, P - Q.",
            GRADIENT(W=lambda P, Q: np.log(P) - np.log(Q)),
        ),
        Misconception(
            "quotients",
            "You have the quotients P/Q in the bracket, as in the logarithm of (3). Its derivative "
            "leaves differences: (4) has P - Q.",
            GRADIENT(W=lambda P, Q: P / Q),
        ),
        Misconception(
            "sign_turned",
            "This is minus the gradient: you have Q - P in the bracket, or x_i - x_l, or a minus in "
            "front. (4) has P - Q and x_l - x_i. If you wanted to go downhill: the descent turns the "
            "sign, not the gradient.",
            GRADIENT(total=lambda own, theirs: theirs - own),
        ),
        Misconception(
            "factor_of_t_sne",
            "The factor in front is 4/N, or all that follows it is doubled. The 4 belongs to t-SNE; "
            "in (4) it is 2/N.",
            GRADIENT(gradient=lambda total: 4 / len(total) * total),
        ),
        Misconception(
            "four_alone",
            "The factor in front is 4, as in t-SNE. In (4) it is 2/N: the error (3) is the mean over "
            "the points.",
            GRADIENT(gradient=lambda total: 4 * total),
        ),
        Misconception(
            "entries_counted",
            "You divide by N q, the number of entries of X (X.size). N is the number of points: "
            "len(X).",
            GRADIENT(gradient=lambda total: 2 / total.size * total),
        ),
        Misconception(
            "divided_by_others",
            "You divide by N - 1. The error (3) is the mean over all N points.",
            GRADIENT(gradient=lambda total: 2 / (len(total) - 1) * total),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant points are now chosen most.",
            GRADIENT(kernels=lambda squares: np.exp(squares)),
        ),
        Misconception(
            "data_choices",
            "In the bracket you have P and its transpose alone on both sides, so it is zero, or Q "
            "does not depend on X. Compute Q from X by (2).",
            GRADIENT(Q=lambda P: P),
        ),
        Misconception(
            "divided_by_n",
            "In Q you divide by N, or take means of rows. Divide each row of kernel values by its own "
            "sum, so that it sums to one.",
            GRADIENT(sums=lambda kernels: len(kernels)),
        ),
        Misconception(
            "squared_after_sum",
            "You add up the differences of the q coordinates and square their sum, so that they can "
            "cancel. Square each difference, then add.",
            GRADIENT(squares=lambda X: np.sum(X[:, None] - X, axis=2) ** 2),
        ),
        Misconception(
            "absolute_differences",
            "You add up absolute differences of the coordinates. |x_i - x_j|² adds up their squares.",
            GRADIENT(squares=lambda X: np.sum(np.abs(X[:, None] - X), axis=2)),
        ),
        Misconception(
            "first_coordinate_only",
            "Your distances use only the first column of X. All q of them count: sum their squared "
            "differences.",
            GRADIENT(squares=lambda X: squares(X[:, :1])),
        ),
        Misconception(
            "mean_of_squares",
            "You take the mean of the squared differences over the columns. The squared distance is "
            "their sum.",
            GRADIENT(squares=lambda X: np.mean((X[:, None] - X) ** 2, axis=2)),
        ),
        Misconception(
            "one_dimension",
            "X - X.T makes all differences for q = 1 only. For q coordinates make an array of "
            "differences with three axes, X[:, None] - X, square it, and sum over the last axis.",
            GRADIENT(squares=lambda X: (X - X.T) ** 2),
        ),
        Misconception(
            "row_sums_flat",
            "The row sums of the bracket are an array of shape (N,), which NumPy lays along the rows "
            "of X: its last axis meets the q columns. Keep them as a column of shape (N, 1): "
            "keepdims=True, or [:, None].",
            GRADIENT(own=lambda brackets, X: brackets.sum(axis=1) * X),
        ),
        Misconception(
            "brackets_without_axis",
            "You multiply the brackets, of shape (N, N), with the differences x_l - x_i, of shape "
            "(N, N, q): NumPy aligns the last axes. Give the brackets a third axis, W[:, :, None], "
            "and sum over i.",
            GRADIENT(total=lambda brackets, X: np.sum(brackets * (X[:, None] - X), axis=1)),
        ),
        Misconception(
            "row_of_brackets_flat",
            "You multiply a row of brackets, of shape (N,), with the differences x_l - x_i, of shape "
            "(N, q): NumPy lays the row along the q columns. Make it a column, W[l][:, None], or use "
            "W[l] @ (...).",
            GRADIENT(total=_row_by_row),
        ),
        Misconception(
            "entries_for_product",
            "You multiply the matrix of brackets and X entry by entry. The sum over i is a matrix "
            "product, W @ X.",
            GRADIENT(theirs=lambda brackets, X: brackets * X),
        ),
    ),
    hints=(
        "Think of a spring between two points l and i. Which four numbers make it stiff, and when is "
        "it slack? If it is the same spring for both, what does that say about the matrix of all "
        "stiffnesses? And what pulls does a single point then feel?",
        "Q from X: exp(-t) of all squared distances, each row divided by its sum. W = P - Q, plus "
        "its transpose. The gradient at l is 2/N times the sum over i of W_li times (x_l - x_i).",
        "The sum over i has two parts. x_l does not depend on i: multiply it by the sum of row l "
        "of W (axis=1, keepdims=True). The x_i give the matrix product of W and X. Subtract the "
        "second from the first.",
    ),
)
