"""What kernel ridge regression with a constant says of each point without it, in closed form."""

import numpy as np

from ukrlearn.blocks.kernel_ridge import ridge_path
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

SIZES = ((9, 3, 2), (7, 4, 1), (12, 2, 3))  # N, d, q: no two the same in a trial


def reference(Y, X, gamma, penalty):
    path = ridge_path(Y, np.sqrt(0.5 / gamma))
    return path.left_out_residuals(X, penalty, intercept=True)


def trials(seed):
    random = np.random.default_rng(seed)
    Y, X = np.array([[0.0], [1.0], [3.0]]), np.array([[0.0, 1.0], [3.0, 2.0], [9.0, 7.0]])
    made = [Trial("three points", dict(Y=Y, X=X, gamma=0.5, penalty=1.0))]
    plane = dict(
        Y=np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 2.0], [-2.0, 1.0]]),
        X=np.array([[-6.0], [0.0], [2.0], [4.0]]), gamma=0.25, penalty=2.0,
    )  # fmt: skip
    made.append(Trial("four points in the plane, two of them equal", plane))
    for N, d, q in SIZES:
        Y = random.normal(size=(N, d)) * (1 + 0.3 * np.arange(d)) + 0.5
        X = 2 * random.normal(size=(N, q)) * (1 + np.arange(q)) + 3 + np.arange(q)
        gamma, penalty = random.uniform(0.3, 0.8), random.uniform(0.15, 0.6)
        made.append(
            Trial(f"N = {N}, d = {d}, q = {q}", dict(Y=Y, X=X, gamma=gamma, penalty=penalty))
        )
    arguments = made[-1].arguments
    centred = dict(arguments, Y=Y - Y.mean(axis=0), X=X - X.mean(axis=0))
    centred["Y"][4] = 0
    made.append(Trial("data and places centred at the origin, a row of zeros", centred))
    made.append(Trial("places far from the origin", dict(arguments, X=X + 50)))
    made.append(Trial("twenty times the penalty", dict(arguments, penalty=20 * penalty)))
    twins = Y.copy()
    twins[4], twins[7] = twins[2], twins[9]
    made.append(Trial("two data points are equal, twice", dict(arguments, Y=twins)))
    alone = Y.copy()
    alone[3] += 60
    made.append(Trial("one data point far from the others", dict(arguments, Y=alone)))
    units = dict(arguments, Y=1e3 * Y, gamma=1e-6 * gamma)
    made.append(Trial("data in other units", units))
    made.append(Trial("places a million times larger", dict(arguments, X=1e6 * X)))
    return made


def squares(Y):
    """the squared distances"""
    return np.sum((Y[:, None] - Y) ** 2, axis=2)


def K(squares, gamma):
    """the kernel matrix K"""
    return np.exp(-gamma * squares)


def strength(penalty):
    """the penalty"""
    return penalty


def system(K, strength):
    """the matrix K + λI"""
    return K + strength * np.eye(len(K))


def A(system):
    """the inverse A of K + λI"""
    return np.linalg.inv(system)


def row_sums(A):
    """the row sums A1"""
    return np.sum(A, axis=1)


def constant(row_sums, X):
    """the constant c"""
    return row_sums @ X / np.sum(row_sums)


def W(A, X, constant):
    """the weights W"""
    return A @ (X - constant)


def plain(W, strength):
    """the plain residuals X - f(Y) = λW"""
    return strength * W


def rest(A, row_sums, strength):
    """the matrix I - H"""
    return strength * (A - np.outer(row_sums, row_sums) / np.sum(row_sums))


def divisors(rest):
    """the divisors 1 - H_nn"""
    return np.diag(rest)


def residuals(plain, divisors):
    """the residuals, row n of the plain ones over 1 - H_nn"""
    return plain / divisors[:, None]


RIDGE = pipeline(
    "Y X gamma penalty",
    squares, K, strength, system, A, row_sums, constant, W, plain, rest, divisors, residuals,
)  # fmt: skip


# Mistakes


def _kernel(of_squares):
    return RIDGE(K=of_squares)


def _end(of_plain):
    """Something else in place of the division by 1 - H_nn."""
    return RIDGE(residuals=of_plain)


def _divided(by):
    """Other divisors, made of the right ones."""
    return RIDGE(divisors=lambda rest: by(np.diag(rest)))


def _zero(X):
    return np.zeros(X.shape[1])


def _rest_without_constant(A, strength):
    return strength * A


def _without_own(K):
    return K - np.diag(np.diag(K))


def _refitted(K, system, X, inverse, constant):
    """x_n less the fit to the others, with other inverses or constants."""
    found = np.empty(X.shape)
    for n in range(len(X)):
        o = np.arange(len(X)) != n
        A = inverse(system, o)
        c = constant(A, X, o)
        found[n] = X[n] - c - K[n, o] @ A @ (X[o] - c)
    return found


def _inverse_without_n(system, o):
    return np.linalg.inv(system[np.ix_(o, o)])


def _piece_of_inverse(system, o):
    return np.linalg.inv(system)[np.ix_(o, o)]


def _constant_of_weights(A, X, o):
    return A.sum(axis=0) @ X[o] / A.sum()


def _mean_of_others(A, X, o):
    return X[o].mean(axis=0)


def _not_all_plain(residuals, Y, X, gamma, penalty):
    """Without the point, the error is larger than with it."""
    plain = np.abs(RIDGE(residuals=lambda plain: plain)(Y, X, gamma, penalty))
    return bool((np.abs(residuals) >= plain - 2e-3 * np.abs(X).max()).all())


def _refitted_without_constant(K, strength, X):
    """The kernel terms alone predict the point that is left out."""
    N, left = len(X), np.zeros(X.shape)
    for n in range(N):
        o = np.arange(N) != n
        inverse = np.linalg.inv(K[np.ix_(o, o)] + strength * np.eye(N - 1))
        sums = inverse.sum(axis=1)
        left[n] = X[n] - K[n, o] @ inverse @ (X[o] - sums @ X[o] / sums.sum())
    return left


EXERCISE = Exercise(
    name="ridge_leave_one_out",
    title="Leave-one-out without refitting",
    lesson="30_where_new_points_go",
    equations="[SI] section 1",
    minutes=25,
    shapes={"Y": "N d", "X": "N q", "gamma": "", "penalty": ""},
    returns={"residuals": "N q"},
    trials=trials,
    reference=reference,
    stages=RIDGE,
    properties=(
        Property(
            "smaller_than_plain",
            "No residual without the point is smaller than the plain residual x_n - f(y_n).",
            "Some of your residuals are smaller than the plain x_n - f(y_n), although the point has "
            "been left out. 0 < 1 - H_nn < 1, so the division makes every residual larger.",
            _not_all_plain,
            (
                ("plain", "Do x_n - f(y_n) alone agree with `plain_residuals` below?"),
                ("divisors", "Are your divisors the 1 - H_nn, between 0 and 1?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "plain_residuals",
            "These are the residuals of the fit to all points, x_n - f(y_n): each point has "
            "helped to predict itself. Divide row n by 1 - H_nn.",
            _end(lambda plain: plain),
        ),
        Misconception(
            "divided_by_h",
            "You divide by H_nn. Divide by 1 - H_nn, the share of its own place that a point does "
            "not determine.",
            _divided(lambda own: 1 - own),
        ),
        Misconception(
            "divided_by_sum",
            "You divide by 1 + H_nn. A point that is left out is predicted worse, not better: "
            "divide by 1 - H_nn.",
            _divided(lambda own: 2 - own),
        ),
        Misconception(
            "divided_by_mean",
            "You divide all rows by the same number, the mean of 1 - H_nn. That is generalised "
            "cross-validation, an approximation. Row n has its own divisor 1 - H_nn.",
            _divided(lambda own: np.full(len(own), own.mean())),
        ),
        Misconception(
            "divided_by_trace",
            "You divide all rows by the same number, the trace of I - H. Row n has its own "
            "divisor 1 - H_nn.",
            _divided(lambda own: np.full(len(own), own.sum())),
        ),
        Misconception(
            "divided_twice",
            "You divide by (1 - H_nn)². The square belongs to the squared residuals.",
            _divided(lambda own: own**2),
        ),
        Misconception(
            "root_of_divisor",
            "You divide by √(1 - H_nn), which gives standardised residuals. Those without the "
            "point have the divisor 1 - H_nn.",
            _divided(np.sqrt),
        ),
        Misconception(
            "multiplied",
            "You multiply by 1 - H_nn. A point that is left out is predicted worse, not better: "
            "divide by 1 - H_nn.",
            _divided(lambda own: 1 / own),
        ),
        Misconception(
            "divided_by_row_sums",
            "You divide by the row sums of I - H. Divide by its diagonal entries, 1 - H_nn.",
            RIDGE(divisors=lambda A, strength: strength * A.sum(axis=1)),
        ),
        Misconception(
            "divided_along_columns",
            "Your divisors stand in a row, so each divides a column or does not fit at all. Row n "
            "has the divisor 1 - H_nn: write divisors[:, None].",
            _end(lambda plain, divisors: plain / divisors),
        ),
        Misconception(
            "sign_turned",
            "You return f_-n(y_n) - x_n. The difference is the other way round: x_n - f_-n(y_n).",
            _end(lambda plain, divisors: -residuals(plain, divisors)),
        ),
        Misconception(
            "squares_returned",
            "You return squares. The residuals themselves are asked for, with their signs.",
            _end(lambda plain, divisors: residuals(plain, divisors) ** 2),
        ),
        Misconception(
            "absolute_values_returned",
            "You return absolute values. The residuals themselves are asked for, with their signs.",
            _end(lambda plain, divisors: np.abs(residuals(plain, divisors))),
        ),
        Misconception(
            "predictions_returned",
            "You return the predictions f_-n(y_n). The residuals x_n - f_-n(y_n) are asked for.",
            _end(lambda plain, divisors, X: X - residuals(plain, divisors)),
        ),
        Misconception(
            "fit_returned",
            "You return the fit f(y_n) to all points. The residuals x_n - f_-n(y_n) without the "
            "point are asked for.",
            _end(lambda plain, X: X - plain),
        ),
        Misconception(
            "fit_divided",
            "You divide the fit f(y_n) by 1 - H_nn. Divide the plain residuals x_n - f(y_n).",
            RIDGE(plain=lambda W, strength, X: X - plain(W, strength)),
        ),
        Misconception(
            "weights_divided",
            "You divide the weights W by 1 - H_nn. The plain residuals are λW: a factor λ is "
            "missing.",
            RIDGE(plain=lambda W: W),
        ),
        Misconception(
            "penalty_missing_in_h",
            "Your divisors lack the factor λ: I - H is λ (A - A1 1ᵀA / 1ᵀA1).",
            RIDGE(divisors=lambda rest, strength: np.diag(rest) / strength),
        ),
        Misconception(
            "diagonal_of_h_dropped",
            "You set the diagonal of H to zero. That gives point n the place 0 instead of leaving "
            "it out: the weights of the others have to grow too, by the factor 1/(1 - H_nn).",
            _end(lambda plain, divisors, X: plain + (1 - divisors)[:, None] * X),
        ),
        Misconception(
            "diagonal_of_k_dropped",
            "You set the diagonal of K to zero, as for GRNN. There the weights are the kernel "
            "itself; here they come from a system, in which K_nn = 1 has to stay.",
            RIDGE(
                K=lambda squares, gamma: _without_own(K(squares, gamma)),
                residuals=lambda plain: plain,
            ),
        ),
        Misconception(
            "own_kernel_dropped",
            "You leave the own kernel value out of f(y_n), but W is still that of the fit to all "
            "points, with x_n in it. Divide x_n - f(y_n) by 1 - H_nn.",
            _end(lambda plain, W, K: plain + np.diag(K)[:, None] * W),
        ),
        Misconception(
            "no_constant",
            "There is no constant c in your fit: places far from the origin are pulled towards "
            "it. Subtract c = 1ᵀAX / 1ᵀA1 before you solve, and let H contain it.",
            RIDGE(constant=_zero, rest=_rest_without_constant),
        ),
        Misconception(
            "constant_only_in_h",
            "Your H contains the constant, but your f does not: places far from the origin are "
            "pulled towards it. Subtract c = 1ᵀAX / 1ᵀA1 before you solve.",
            RIDGE(constant=_zero),
        ),
        Misconception(
            "constant_not_added",
            "You subtract the constant before you solve, but do not add it in f: f = c + K W.",
            RIDGE(plain=lambda W, strength, constant: plain(W, strength) + constant),
        ),
        Misconception(
            "mean_taken_off",
            "You subtract the mean of all places and then fit without a constant. The mean is not "
            "the best constant, and the left-out point is still in it. Use c = 1ᵀAX / 1ᵀA1.",
            RIDGE(constant=lambda X: X.mean(axis=0), rest=_rest_without_constant),
        ),
        Misconception(
            "mean_for_constant",
            "Your constant is the mean of all places, in f and in H. The constant is fitted along "
            "with the weights: c = 1ᵀAX / 1ᵀA1, which is the mean only where all row sums of A "
            "are equal.",
            RIDGE(
                constant=lambda X: X.mean(axis=0),
                rest=lambda A, strength: strength * A @ (np.eye(len(A)) - 1 / len(A)),
            ),
        ),
        Misconception(
            "mean_for_constant_in_f",
            "Your constant is the mean of all places. It is fitted along with the weights: c = "
            "1ᵀAX / 1ᵀA1, which is the mean only where all row sums of A are equal. (Your H has "
            "this c.)",
            RIDGE(constant=lambda X: X.mean(axis=0)),
        ),
        Misconception(
            "mean_of_the_others",
            "Your constant is the mean of the other places. The constant is fitted along with the "
            "weights: c = 1ᵀAX / 1ᵀA1, not the mean.",
            _end(lambda K, system, X: _refitted(K, system, X, _inverse_without_n, _mean_of_others)),
        ),
        Misconception(
            "piece_of_the_inverse",
            "You delete row and column n of the inverse A. That is not the inverse without point "
            "n: delete them in K + λI, and invert then; or divide x_n - f(y_n) by 1 - H_nn.",
            _end(
                lambda K, system, X: _refitted(
                    K, system, X, _piece_of_inverse, _constant_of_weights
                )
            ),
        ),
        Misconception(
            "constant_not_in_h",
            "You keep the constant of the fit to all points when point n is left out: H_nn, or "
            "the fit without n, does not know that c depends on x_n. f_-n has a constant of its "
            "own, so c belongs to H.",
            RIDGE(rest=_rest_without_constant),
        ),
        Misconception(
            "constant_not_divided",
            "Your constant is 1ᵀAX. Divide it by 1ᵀA1, the sum of all entries of A.",
            RIDGE(constant=lambda row_sums, X: row_sums @ X),
        ),
        Misconception(
            "constant_over_n",
            "Your constant is 1ᵀAX / N. Divide by 1ᵀA1, the sum of all entries of A.",
            RIDGE(constant=lambda row_sums, X: row_sums @ X / len(X)),
        ),
        Misconception(
            "product_not_divided",
            "In I - H you subtract a aᵀ with a = A1. It is divided by 1ᵀA1, the sum of all "
            "entries of A.",
            RIDGE(rest=lambda A, row_sums, strength: strength * (A - np.outer(row_sums, row_sums))),
        ),
        Misconception(
            "product_over_n",
            "In I - H you divide a aᵀ, a = A1, by N. Divide it by 1ᵀA1, the sum of all entries of "
            "A.",
            RIDGE(
                rest=lambda A, row_sums, strength: (
                    strength * (A - np.outer(row_sums, row_sums) / len(A))
                )
            ),
        ),
        Misconception(
            "product_added",
            "In I - H you add a aᵀ / 1ᵀA1, a = A1. Subtract it: the constant helps the fit, so "
            "H_nn grows.",
            RIDGE(
                rest=lambda A, row_sums, strength: (
                    strength * (A + np.outer(row_sums, row_sums) / row_sums.sum())
                )
            ),
        ),
        Misconception(
            "share_of_constant_one_nth",
            "Your H has 1/N for the constant, as if c were the mean. c = 1ᵀAX / 1ᵀA1 depends on "
            "x_n with the factor (A1)_n / 1ᵀA1, and the weights depend on c.",
            RIDGE(divisors=lambda A, strength: strength * np.diag(A) - 1 / len(A)),
        ),
        Misconception(
            "constant_penalised",
            "Your constant is penalised, as if K had one more feature: K + 1. Here the constant "
            "is free.",
            RIDGE(
                K=lambda squares, gamma: K(squares, gamma) + 1,
                constant=_zero,
                rest=_rest_without_constant,
            ),
        ),
        Misconception(
            "penalty_times_n",
            "You have N λ on the diagonal. The task has λ: K + λI.",
            RIDGE(strength=lambda penalty, Y: penalty * len(Y)),
        ),
        Misconception(
            "penalty_over_n",
            "You have λ/N on the diagonal. The task has λ: K + λI.",
            RIDGE(strength=lambda penalty, Y: penalty / len(Y)),
        ),
        Misconception(
            "penalty_squared",
            "You have λ² on the diagonal. The task has λ: K + λI.",
            RIDGE(strength=lambda penalty: penalty**2),
        ),
        Misconception(
            "penalty_halved",
            "You have λ/2 on the diagonal. The task has λ: K + λI.",
            RIDGE(strength=lambda penalty: penalty / 2),
        ),
        Misconception(
            "penalty_doubled",
            "You have 2λ on the diagonal. The task has λ: K + λI.",
            RIDGE(strength=lambda penalty: 2 * penalty),
        ),
        Misconception(
            "one_for_penalty",
            "You add the identity matrix without its factor λ.",
            RIDGE(strength=lambda: 1.0),
        ),
        Misconception(
            "penalty_forgotten",
            "Your system has no λ on its diagonal alone: it is missing, or added to every entry "
            "of K, which the free constant undoes. A is the inverse of K + λI: penalty * "
            "np.eye(N).",
            RIDGE(system=lambda K: K),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λI from K. Add it: it makes the weights smaller and the system stable.",
            RIDGE(system=lambda K, strength: K - strength * np.eye(len(K))),
        ),
        Misconception(
            "not_inverted",
            "You use K + λI in the place of A, its inverse: np.linalg.inv.",
            RIDGE(A=lambda system: system),
        ),
        Misconception(
            "inverted_by_entries",
            "You divide 1 by each entry of K + λI. The inverse of a matrix is np.linalg.inv.",
            RIDGE(A=lambda system: 1 / system),
        ),
        Misconception(
            "gamma_halved",
            "Your kernel is exp(-γ t / 2). In this form there is no 1/2: γ is 1/(2σ²) already.",
            _kernel(lambda squares, gamma: np.exp(-gamma * squares / 2)),
        ),
        Misconception(
            "gamma_as_width",
            "You use γ as if it were the width: exp(-t / 2γ²). The kernel is exp(-γ t).",
            _kernel(lambda squares, gamma: np.exp(-squares / (2 * gamma**2))),
        ),
        Misconception(
            "gamma_as_whole_width",
            "You use γ as if it were a width: exp(-t / γ²). The kernel is exp(-γ t).",
            _kernel(lambda squares, gamma: np.exp(-squares / gamma**2)),
        ),
        Misconception(
            "gamma_divides",
            "You divide the squared distance by γ. The kernel is exp(-γ t): a larger γ is "
            "narrower.",
            _kernel(lambda squares, gamma: np.exp(-squares / gamma)),
        ),
        Misconception(
            "gamma_squared",
            "You square γ. The kernel is exp(-γ t), with the squared distance t.",
            _kernel(lambda squares, gamma: np.exp(-(gamma**2) * squares)),
        ),
        Misconception(
            "gamma_forgotten",
            "Your result does not depend on γ. The kernel is exp(-γ |y - y'|²).",
            _kernel(lambda squares: np.exp(-squares)),
        ),
        Misconception(
            "sign_missing",
            "The minus in the exponent is missing: distant points now have the greatest kernel "
            "values.",
            _kernel(lambda squares, gamma: np.exp(gamma * squares)),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the distance, not its square. Remove the square root.",
            RIDGE(squares=lambda Y: np.sqrt(squares(Y))),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first column of the data. All d columns count.",
            RIDGE(squares=lambda Y: squares(Y[:, :1])),
        ),
        Misconception(
            "city_block",
            "Your distances are sums of absolute differences. The kernel has the sum of the "
            "squared differences.",
            RIDGE(squares=lambda Y: np.sum(np.abs(Y[:, None] - Y), axis=2)),
        ),
        Misconception(
            "mean_of_columns",
            "You take the mean over the d columns. A squared distance is the sum of the squared "
            "differences.",
            RIDGE(squares=lambda Y: np.mean((Y[:, None] - Y) ** 2, axis=2)),
        ),
        Misconception(
            "kernel_of_places",
            "Your kernel has the distances of the places X. It compares data: the rows of Y.",
            RIDGE(squares=lambda X: squares(X)),
        ),
        Misconception(
            "normalised",
            "You divide kernel values by the sum of their row. That is kernel regression, the "
            "weighted mean; in ridge regression the system finds the weights.",
            _kernel(
                lambda squares, gamma: (
                    K(squares, gamma) / K(squares, gamma).sum(axis=1, keepdims=True)
                )
            ),
        ),
        Misconception(
            "constant_left_out_of_refit",
            "You refit without point n, but predict without the constant of that fit: f_-n(y_n)"
            " is c plus the kernel terms.",
            _end(_refitted_without_constant),
        ),
        Misconception(
            "penalty_after_inverse",
            "You add λ I to the inverse of K. A is the inverse of the sum, (K + λI)⁻¹: add "
            "first, then invert.",
            RIDGE(A=lambda K, strength: np.linalg.inv(K) + strength * np.eye(len(K))),
        ),
        Misconception(
            "residual_over_row_sums",
            "You use the mean of each row of A in place of its sum. The product is A1 1ᵀA, with"
            " sums.",
            RIDGE(row_sums=lambda A: A.mean(axis=1)),
        ),
    ),
    hints=(
        "The predictions at the training points are linear in the places: f = H X. If x_n grows by 1, "
        "by how much does the prediction at y_n grow? And what would f be if x_n were exactly what "
        "the others predict?",
        "With A = (K + λI)⁻¹ and W = A (X - 1c), the residuals of the fit are X - f = λ W. So "
        "I - H = λ (A - a aᵀ / s) with a = A1, the row sums of A, and s their sum. Divide row n of "
        "(I - H) X by (I - H)_nn.",
        "A = np.linalg.inv(K + penalty * np.eye(N)), a = A.sum(axis=1), B = A - np.outer(a, a) / "
        "a.sum(). The residuals are B @ X, each row divided by its entry of np.diag(B): the λ "
        "cancels.",
    ),
)
