"""What kernel ridge regression with a constant says of each point without it, in closed form."""

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn.blocks.kernel_ridge import ridge_path
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged

SIZES = ((9, 3, 2), (7, 4, 1), (12, 2, 3))  # N, d, q: no two the same in a trial


def reference(Y, X, gamma, penalty):
    path = ridge_path(Y, np.sqrt(0.5 / gamma))
    return path.left_out_residuals(X, penalty, intercept=True)


def trials(seed):
    random = np.random.default_rng(seed)
    Y, X = np.array([[0.0], [1.0], [3.0]]), np.array([[0.0, 1.0], [3.0, 2.0], [9.0, 7.0]])
    made = [Trial("three points", dict(Y=Y, X=X, gamma=0.5, penalty=1.0))]
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


# Mistakes, each in one stage: kernel, penalty, H, its diagonal, division, what is returned


def _kernel(t, gamma):
    return np.exp(-gamma * t)


def _hat(K, penalty):
    """H of f = H X, the constant included."""
    A = np.linalg.inv(K + penalty * np.eye(len(K)))
    of_ones = A.sum(axis=1)
    return np.eye(len(K)) - penalty * (A - np.outer(of_ones, of_ones) / of_ones.sum())


def _hat_without_constant(K, penalty):
    return K @ np.linalg.inv(K + penalty * np.eye(len(K)))


def _hat_with_penalised_constant(K, penalty):
    return _hat_without_constant(K + 1, penalty)


def _hat_with_mean(K, penalty):
    """The mean of the places in place of the constant, and in H."""
    centring = np.eye(len(K)) - 1 / len(K)
    return np.eye(len(K)) - centring + _hat_without_constant(K, penalty) @ centring


def _divided(plain, own):
    """Row n of the plain residuals over 1 - H_nn, the n-th of `own` being H_nn."""
    return plain / (1 - own)[:, None]


@staged
def _with(
    kernel=_kernel,
    penalty_of=lambda penalty, N: penalty,
    hat=_hat,
    own_of=None,
    divided=_divided,
    returned=lambda residuals, X: residuals,
):
    """The right answer, with some stages exchanged; `own_of` is another H for its diagonal only."""

    def answer(Y, X, gamma, penalty):
        K = kernel(cdist(Y, Y, "sqeuclidean"), gamma)
        penalty = penalty_of(penalty, len(Y))
        H = hat(K, penalty)
        own = np.diag((own_of or hat)(K, penalty))
        return returned(divided(X - H @ X, own), X)

    return answer


def _mean_taken_off(Y, X, gamma, penalty):
    return _with(hat=_hat_without_constant)(Y, X - X.mean(axis=0), gamma, penalty)


def _mean_of_each_fit(Y, X, gamma, penalty):
    """Refitted, with the mean of the others as the constant."""
    K, N = _kernel(cdist(Y, Y, "sqeuclidean"), gamma), np.arange(len(Y))
    found = np.empty(X.shape)
    for n in N:
        o = n != N
        mean = X[o].mean(axis=0)
        W = np.linalg.solve(K[np.ix_(o, o)] + penalty * np.eye(len(N) - 1), X[o] - mean)
        found[n] = X[n] - mean - K[n, o] @ W
    return found


def _own_place_zero(Y, X, gamma, penalty):
    """The place of the point set to zero, the point still in the fit."""
    H = _hat(_kernel(cdist(Y, Y, "sqeuclidean"), gamma), penalty)
    return X - (H - np.diag(np.diag(H))) @ X


def _own_kernel_zero(Y, X, gamma, penalty):
    K = _kernel(cdist(Y, Y, "sqeuclidean"), gamma)
    np.fill_diagonal(K, 0)
    return X - _hat(K, penalty) @ X


def _columns_of_data(Y, X, gamma, penalty):
    return _with()(Y[:, :1], X, gamma, penalty)


def _not_all_plain(residuals, Y, X, gamma, penalty):
    """Without the point, the error is larger than with it."""
    H = _hat(_kernel(cdist(Y, Y, "sqeuclidean"), gamma), penalty)
    plain = np.abs(X - H @ X)
    return bool((np.abs(residuals) >= plain - 2e-3 * np.abs(X).max()).all())


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
    properties=(
        Property(
            "smaller_than_plain",
            "No residual without the point is smaller than the plain residual x_n - f(y_n).",
            "Some of your residuals are smaller than the plain x_n - f(y_n), although the point has "
            "been left out. 0 < 1 - H_nn < 1, so the division makes every residual larger. Compute "
            "x_n - f(y_n) alone, and compare with `plain_residuals` below; then the diagonal of H.",
            _not_all_plain,
        ),
    ),
    misconceptions=(
        Misconception(
            "plain_residuals",
            "These are the residuals of the fit to all points, x_n - f(y_n): each point has helped "
            "to predict itself. Divide row n by 1 - H_nn.",
            _with(divided=lambda plain, own: plain),
        ),
        Misconception(
            "divided_by_h",
            "You divide by H_nn. Divide by 1 - H_nn, the share of its own place that a point does "
            "not determine.",
            _with(divided=lambda plain, own: plain / own[:, None]),
        ),
        Misconception(
            "divided_by_sum",
            "You divide by 1 + H_nn. A point that is left out is predicted worse, not better: divide "
            "by 1 - H_nn.",
            _with(divided=lambda plain, own: plain / (1 + own)[:, None]),
        ),
        Misconception(
            "divided_by_mean",
            "You divide all rows by the same number, the mean of 1 - H_nn. That is generalised "
            "cross-validation, an approximation. Row n has its own divisor 1 - H_nn.",
            _with(divided=lambda plain, own: plain / np.mean(1 - own)),
        ),
        Misconception(
            "divided_twice",
            "You divide by (1 - H_nn)². The square belongs to the squared residuals.",
            _with(divided=lambda plain, own: plain / ((1 - own) ** 2)[:, None]),
        ),
        Misconception(
            "squares_returned",
            "You return squares. The residuals themselves are asked for, with their signs.",
            _with(returned=lambda residuals, X: residuals**2),
        ),
        Misconception(
            "predictions_returned",
            "You return the predictions f_-n(y_n). The residuals x_n - f_-n(y_n) are asked for.",
            _with(returned=lambda residuals, X: X - residuals),
        ),
        Misconception(
            "diagonal_of_h_dropped",
            "You set the diagonal of H to zero. That gives point n the place 0 instead of leaving it "
            "out: the weights of the others have to grow too, by the factor 1/(1 - H_nn).",
            _own_place_zero,
        ),
        Misconception(
            "diagonal_of_k_dropped",
            "You set the diagonal of K to zero, as for GRNN. There the weights are the kernel "
            "itself; here they come from a system, in which K_nn = 1 has to stay.",
            _own_kernel_zero,
        ),
        Misconception(
            "no_constant",
            "There is no constant c in your fit: places far from the origin are pulled towards it. "
            "Subtract c = 1ᵀAX / 1ᵀA1 before you solve, and let H contain it.",
            _with(hat=_hat_without_constant),
        ),
        Misconception(
            "mean_taken_off",
            "You subtract the mean of all places and then fit without a constant. The mean is not "
            "the best constant, and the left-out point is still in it. Use c = 1ᵀAX / 1ᵀA1.",
            _mean_taken_off,
        ),
        Misconception(
            "mean_for_constant",
            "Your constant is the mean of all places, in f and in H. The constant is fitted along with the "
            "weights: c = 1ᵀAX / 1ᵀA1, which is the mean only where all row sums of A are equal.",
            _with(hat=_hat_with_mean),
        ),
        Misconception(
            "mean_of_the_others",
            "Your constant is the mean of the other places. The constant is fitted along with the "
            "weights: c = 1ᵀAX / 1ᵀA1, not the mean.",
            _mean_of_each_fit,
        ),
        Misconception(
            "constant_not_in_h",
            "Your f has the constant, but your H_nn does not: it is that of K (K + λI)⁻¹. The "
            "constant depends on x_n too, so it belongs to H.",
            _with(own_of=_hat_without_constant),
        ),
        Misconception(
            "constant_penalised",
            "Your constant is penalised, as if K had one more feature: K + 1. Here the constant is "
            "free.",
            _with(hat=_hat_with_penalised_constant),
        ),
        Misconception(
            "penalty_times_n",
            "You have N λ on the diagonal. The task has λ: K + λI.",
            _with(penalty_of=lambda penalty, N: penalty * N),
        ),
        Misconception(
            "penalty_over_n",
            "You have λ/N on the diagonal. The task has λ: K + λI.",
            _with(penalty_of=lambda penalty, N: penalty / N),
        ),
        Misconception(
            "penalty_squared",
            "You have λ² on the diagonal. The task has λ: K + λI.",
            _with(penalty_of=lambda penalty, N: penalty**2),
        ),
        Misconception(
            "gamma_halved",
            "Your kernel is exp(-γ t / 2). In this form there is no 1/2: γ is 1/(2σ²) already.",
            _with(lambda t, gamma: np.exp(-gamma * t / 2)),
        ),
        Misconception(
            "gamma_as_width",
            "You use γ as if it were the width: exp(-t / 2γ²). The kernel is exp(-γ t).",
            _with(lambda t, gamma: np.exp(-t / (2 * gamma**2))),
        ),
        Misconception(
            "gamma_divides",
            "You divide the squared distance by γ. The kernel is exp(-γ t): a larger γ is narrower.",
            _with(lambda t, gamma: np.exp(-t / gamma)),
        ),
        Misconception(
            "gamma_forgotten",
            "Your result does not depend on γ. The kernel is exp(-γ |y - y'|²).",
            _with(lambda t, gamma: np.exp(-t)),
        ),
        Misconception(
            "distance_not_squared",
            "The kernel gets the distance, not its square. Remove the square root.",
            _with(lambda t, gamma: np.exp(-gamma * np.sqrt(t))),
        ),
        Misconception(
            "first_column_only",
            "Your distances use only the first column of the data. All d columns count.",
            _columns_of_data,
        ),
        Misconception(
            "plain_without_constant",
            "Two mistakes: there is no constant in your fit, and the residuals are not divided by "
            "1 - H_nn.",
            _with(hat=_hat_without_constant, divided=lambda plain, own: plain),
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
