"""W and w of a network of Gaussian basis functions, from one linear system."""

import numpy as np

from ukrlearn.blocks import networks
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial

SIZES = ((9, 3, 2, 5), (7, 4, 1, 3), (12, 2, 3, 6))  # N, d, q, M: no two the same in a trial
LOOSE = 2e-3  # of the largest value: single precision is no mistake


def reference(X, Y, centres, width, penalty):
    f = networks.fit_rbf(X, Y, centres, width, penalty)
    return f.W, f.bias


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [4.0]]), np.array([[1.0, 0.0], [3.0, 2.0], [5.0, 7.0]])
    three = dict(X=X, Y=Y, centres=np.array([[0.0], [2.0]]), width=2.0, penalty=0.5)
    made = [Trial("three points, two centres", three)]
    for N, d, q, M in SIZES:
        X = 1.5 * random.normal(size=(N, q)) * (1 + 0.3 * np.arange(q)) + 0.7
        Y = np.sin(X @ random.normal(size=(q, d))) * (1 + np.arange(d)) + np.arange(d) - 3
        Y += 0.3 * random.normal(size=(N, d))
        apart = _far_apart(X, M)
        centres = X[apart] + 0.2 * random.normal(size=(M, q))
        width, penalty = random.uniform(0.8, 1.3), random.uniform(0.1, 0.6)
        arguments = dict(X=X, Y=Y, centres=centres, width=width, penalty=penalty)
        made.append(Trial(f"N = {N}, M = {M}, d = {d}, q = {q}", arguments))
    made.append(Trial("a hundred times the penalty", dict(arguments, penalty=100 * penalty)))
    made.append(Trial("data moved far from the origin", dict(arguments, Y=Y + 100)))
    made.append(Trial("data a million times larger", dict(arguments, Y=1e6 * Y)))
    units = dict(X=1e3 * X, Y=Y, centres=1e3 * centres, width=1e3 * width, penalty=penalty)
    made.append(Trial("latent space in other units", units))
    return made


def _far_apart(X, M):
    """M points of X, each the farthest from the previous ones: K stays well conditioned."""
    chosen = [0]
    for _ in range(M - 1):
        t = np.sum((X[:, None] - X[chosen]) ** 2, axis=2).min(axis=1)
        chosen.append(int(t.argmax()))
    return chosen


def _basis(x, centres, width):
    return np.exp(-np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2))


def _both(X, centres, width, basis=_basis):
    return basis(X, centres, width), basis(centres, centres, width)


def _system(Phi, K, Y, penalty):
    """The right W."""
    P = Phi - Phi.mean(axis=0)
    return np.linalg.solve(P.T @ P + penalty * K, P.T @ Y)


def _fitted(Phi, K, Y, penalty):
    W = _system(Phi, K, Y, penalty)
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def _with_kernel(kernel):
    """Another matrix in place of K: of K, N and penalty."""

    def fit(X, Y, centres, width, penalty):
        Phi, K = _both(X, centres, width)
        return _fitted(Phi, kernel(K, len(X), penalty), Y, penalty)

    return fit


def _with_basis(basis):
    def fit(X, Y, centres, width, penalty):
        return _fitted(*_both(X, centres, width, basis), Y, penalty)

    return fit


def _with_system(system):
    """Another system for W, and the w that belongs to this W."""

    def fit(X, Y, centres, width, penalty):
        Phi, K = _both(X, centres, width)
        W = system(Phi, K, Y, penalty)
        return W, (Y - Phi @ W).mean(axis=0)

    return fit


def _with_constant(constant):
    """The right W, another w."""

    def fit(X, Y, centres, width, penalty):
        Phi, K = _both(X, centres, width)
        W = _system(Phi, K, Y, penalty)
        return W, constant(Phi, Y, W)

    return fit


def _no_constant(X, Y, centres, width, penalty):
    Phi, K = _both(X, centres, width)
    return np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ Y), np.zeros(Y.shape[1])


def _mean_of_data_first(X, Y, centres, width, penalty):
    Phi, K = _both(X, centres, width)
    mean = Y.mean(axis=0)
    return np.linalg.solve(Phi.T @ Phi + penalty * K, Phi.T @ (Y - mean)), mean


def _constant_penalised(X, Y, centres, width, penalty):
    Phi, K = _both(X, centres, width)
    Phi = np.column_stack([Phi, np.ones(len(X))])
    larger = np.eye(len(K) + 1)
    larger[:-1, :-1] = K
    both = np.linalg.solve(Phi.T @ Phi + penalty * larger, Phi.T @ Y)
    return both[:-1], both[-1]


def _right_side_as_it_was(Phi, K, Y, penalty):
    P = Phi - Phi.mean(axis=0)
    return np.linalg.solve(P.T @ P + penalty * K, Phi.T @ Y)


def _rows_centred(Phi, K, Y, penalty):
    P = Phi - Phi.mean(axis=1, keepdims=True)
    return np.linalg.solve(P.T @ P + penalty * K, P.T @ Y)


def _one_mean_for_all(Phi, K, Y, penalty):
    P = Phi - Phi.mean()
    return np.linalg.solve(P.T @ P + penalty * K, P.T @ (Y - Y.mean()))


def _standardised(X, Y, centres, width, penalty):
    Phi, K = _both(X, centres, width)
    P = (Phi - Phi.mean(axis=0)) / Phi.std(axis=0)
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ Y)
    return W, Y.mean(axis=0) - Phi.mean(axis=0) @ W


def _printed_without_n(Phi, K, Y, penalty):
    total = Phi.sum(axis=0)
    return np.linalg.solve(
        Phi.T @ Phi + penalty * K - np.outer(total, total), Phi.T @ (Y - Y.mean(axis=0))
    )


def _added(Phi, K, Y, penalty):
    total = Phi.sum(axis=0)
    return np.linalg.solve(
        Phi.T @ Phi + penalty * K + np.outer(total, total) / len(Phi), Phi.T @ (Y - Y.mean(axis=0))
    )


def _scalars(exponent):
    """A basis with another exponent of squared distance and width."""
    return lambda x, c, width: np.exp(exponent(np.sum((x[:, None] - c) ** 2, axis=2), width))


def _normalised(x, centres, width):
    phi = _basis(x, centres, width)
    return phi / phi.sum(axis=1, keepdims=True)


def _normalised_features(X, Y, centres, width, penalty):
    Phi = _normalised(X, centres, width)
    return _fitted(Phi, _basis(centres, centres, width), Y, penalty)


def _turned(X, Y, centres, width, penalty):
    return reference(X, Y, centres, width, penalty)[::-1]


def _no_slope(result, X, Y, centres, width, penalty):
    """The slope of (14) by W, at the w that belongs to this W."""
    W, _ = result
    Phi, K = _both(X, centres, width)
    residual = Y - Phi @ W
    pull = Phi.T @ (residual - residual.mean(axis=0))
    size = np.abs(Phi.T @ (Y - Y.mean(axis=0))).max() + np.abs(penalty * K @ W).max()
    rounding = 1e-6 * np.abs(Phi.T @ Y).max()  # single precision, data far from the origin
    return bool((np.abs(penalty * K @ W - pull) <= LOOSE * size + rounding).all())


def _mean_zero(result, X, Y, centres, width, penalty):
    W, w = result
    residual = Y - _basis(X, centres, width) @ W - w
    return bool((np.abs(residual.mean(axis=0)) <= LOOSE * np.abs(Y).max()).all())


EXERCISE = Exercise(
    name="centred_solve",
    title="The weights of a network",
    lesson="19_alternation",
    equations="[DRUR] (14) to (16)",
    minutes=25,
    shapes={"X": "N q", "Y": "N d", "centres": "M q", "width": "", "penalty": ""},
    returns={"W": "M d", "w": "d"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "constant_lost",
            "The constant w is not zero.",
            "Your w is zero up to rounding, as a mean of deviations always is. (15) uses y_n and "
            "φ(x_n) themselves, not their deviations from the means.",
            lambda result, X, Y, **given: bool((np.abs(result[1]) > 1e-10 * np.abs(Y).max()).any()),
        ),
        Property(
            "residuals_not_centred",
            "The residuals y_n - f(x_n) have mean zero, (15).",
            "The residuals y_n - f(x_n) do not have mean zero. By (15), w is the mean of y_n "
            "minus the mean of Wᵀ φ(x_n), both over n. Look at φ first, (13), and then at w.",
            _mean_zero,
        ),
        Property(
            "slope_left",
            "At W the objective (14) has no slope.",
            "At your W the objective (14) still has a slope, so another W is better. At its minimum, "
            "λ K W is Φᵀ(Y - Φ W - 1wᵀ). Compute both sides at your W, and look in turn at Φ, at what was "
            "centred (the columns of Φ and Y, nothing else), and at λ K.",
            _no_slope,
        ),
    ),
    misconceptions=(
        Misconception(
            "ones_on_diagonal",
            "You have the identity matrix in place of K: the misprint of the paper, or plain "
            "ridge regression. It does not minimise (14). K holds φ_m(μ_m') for every pair of "
            "centres.",
            _with_kernel(lambda K, N, penalty: np.eye(len(K))),
        ),
        Misconception(
            "ones_everywhere",
            "You have ones everywhere in place of K: φ_m(μ_m) with the same index twice. That is "
            "a misprint. Centre m is compared with centre m', and K_mm' = φ_m(μ_m').",
            _with_kernel(lambda K, N, penalty: np.ones_like(K)),
        ),
        Misconception(
            "gram_for_kernel",
            "You have ΦᵀΦ, made from the data, in place of K. K compares the centres with each "
            "other: the basis functions at the centres, φ_m(μ_m').",
            _with_system(
                lambda Phi, K, Y, p: _system(Phi, Phi.T @ Phi, Y, p),
            ),
        ),
        Misconception(
            "kernel_centred",
            "You take the mean out of the columns of K, too. In (16) only Φ and Y are centred, "
            "because the constant w takes up their means; the penalty in (14) does not contain w.",
            _with_kernel(lambda K, N, penalty: K - K.mean(axis=0)),
        ),
        Misconception(
            "penalty_forgotten",
            "The penalty is missing: you minimise |Y - ΦW - 1wᵀ|² alone. Add λ K to ΦᵀΦ, or "
            "nothing keeps the map smooth.",
            _with_kernel(lambda K, N, penalty: 0 * K),
        ),
        Misconception(
            "lambda_forgotten",
            "You add K without the penalty λ in front of it. The fit then doesn't change when `penalty` does.",
            _with_kernel(lambda K, N, penalty: K / penalty),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λ K. Both terms of (14) should be small, so the matrices are added: ΦᵀΦ "
            "+ λ K.",
            _with_kernel(lambda K, N, penalty: -K),
        ),
        Misconception(
            "penalty_times_n",
            "Your penalty is N times too strong: you take the mean over the points, but (14) has "
            "the sum. The system is ΦᵀΦ + λ K, without N.",
            _with_kernel(lambda K, N, penalty: N * K),
        ),
        Misconception(
            "penalty_over_n",
            "Your penalty is N times too weak: the λ of (14) is not divided by the number of "
            "points. In (16) only the last term on the left has 1/N.",
            _with_kernel(lambda K, N, penalty: K / N),
        ),
        Misconception(
            "penalty_squared",
            "You square the penalty. (14) and (16) contain λ itself.",
            _with_kernel(lambda K, N, penalty: penalty * K),
        ),
        Misconception(
            "penalty_halved",
            "Your penalty is half as strong as it should be. The slopes of both parts of (14) have a "
            "factor 2, and it cancels: λ K, not λ K/2.",
            _with_kernel(lambda K, N, penalty: K / 2),
        ),
        Misconception(
            "penalty_doubled",
            "Your penalty is twice as strong as it should be. The slopes of both parts of (14) have a "
            "factor 2, and it cancels: λ K, not 2 λ K.",
            _with_kernel(lambda K, N, penalty: 2 * K),
        ),
        Misconception(
            "no_constant",
            "You fit a network without the constant w of (13). With w, the functions need not "
            "spend their weights on the mean: fit W and w together.",
            _no_constant,
        ),
        Misconception(
            "nothing_centred",
            "You fit W as if there were no constant, and add w afterwards. That is too late: the "
            "best W depends on w. Take the mean out of the columns of Φ first, (16).",
            _with_system(lambda Phi, K, Y, p: np.linalg.solve(Phi.T @ Phi + p * K, Phi.T @ Y)),
        ),
        Misconception(
            "mean_of_data_first",
            "You take w for the mean of the data, and fit W to what remains. The basis functions "
            "have a mean of their own, so w is the mean of Y only after their mean is taken out, "
            "(15).",
            _mean_of_data_first,
        ),
        Misconception(
            "only_data_centred",
            "You have centred the data, but not the columns of Φ. ΦᵀΦ then holds the means of the "
            "basis functions: the third matrix of (16) removes them.",
            _with_system(
                lambda Phi, K, Y, p: np.linalg.solve(
                    Phi.T @ Phi + p * K, Phi.T @ (Y - Y.mean(axis=0))
                )
            ),
        ),
        Misconception(
            "data_not_centred",
            "You have taken the means out on the left of (16) but not on the right, which is ΦᵀY. "
            "Centre Φ or Y there, or the weights chase the mean of the data.",
            _with_system(_right_side_as_it_was),
        ),
        Misconception(
            "rows_centred",
            "You take the mean out of each row of Φ. The constant w absorbs the mean over the "
            "points, one for each basis function: the mean of a column, axis=0.",
            _with_system(_rows_centred),
        ),
        Misconception(
            "rows_centred_in_both",
            "You take the mean out of each row of Φ and of Y. The constant w absorbs the mean "
            "over the points, one for each basis function and each coordinate: the mean of a "
            "column, axis=0.",
            _with_system(
                lambda Phi, K, Y, p: _rows_centred(Phi, K, Y - Y.mean(axis=1, keepdims=True), p)
            ),
        ),
        Misconception(
            "one_mean_for_all",
            "You take one mean over all of Φ, or of Y. Every column has its own: axis=0.",
            _with_system(_one_mean_for_all),
        ),
        Misconception(
            "standardised",
            "You divide the columns of Φ by their standard deviation. Take out their mean only: "
            "the penalty λ tr(WᵀKW) assumes weights of the unscaled φ_m.",
            _standardised,
        ),
        Misconception(
            "one_over_n_forgotten",
            "In (16), the outer product of the column sums of Φ is divided by N. Yours is N times "
            "too large.",
            _with_system(_printed_without_n),
        ),
        Misconception(
            "means_added",
            "In (16), the outer product of the column sums of Φ, over N, is subtracted. You add it.",
            _with_system(_added),
        ),
        Misconception(
            "constant_penalised",
            "You treat the constant as one more basis function, and penalise it. (14) does not: "
            "moving all data together must move w and nothing else.",
            _constant_penalised,
        ),
        Misconception(
            "constant_is_mean",
            "W is right. But w is not the mean of the data: f must be right on average with φ_m "
            "that are not centred. (15): the mean of y_n minus Wᵀ φ(x_n).",
            _with_constant(lambda Phi, Y, W: Y.mean(axis=0)),
        ),
        Misconception(
            "constant_zero",
            "W is right, and w is zero. Centring was only a way to solve for W; (15) brings the "
            "constant back.",
            _with_constant(lambda Phi, Y, W: np.zeros(Y.shape[1])),
        ),
        Misconception(
            "constant_sign",
            "W is right. In w the mean of Wᵀ φ(x_n) is added to the mean of the data; (15) subtracts it.",
            _with_constant(lambda Phi, Y, W: Y.mean(axis=0) + Phi.mean(axis=0) @ W),
        ),
        Misconception(
            "constant_summed",
            "W is right. Your w is the sum of y_n - Wᵀ φ(x_n) over the points; (15) is their mean.",
            _with_constant(lambda Phi, Y, W: (Y - Phi @ W).sum(axis=0)),
        ),
        Misconception(
            "half_missing",
            "Your basis functions are exp(-|x - μ_m|²/σ²). The 1/2 in the exponent (13) is missing.",
            _with_basis(_scalars(lambda t, width: -t / width**2)),
        ),
        Misconception(
            "width_not_squared",
            "In the exponent you divide by 2σ and not by 2σ². The distance is squared there, so "
            "must be the width.",
            _with_basis(_scalars(lambda t, width: -t / (2 * width))),
        ),
        Misconception(
            "width_multiplied",
            "In the exponent you multiply by σ²: without brackets, a / 2 * b is (a / 2) * b. It is |x - μ_m|² "
            "over all of 2σ².",
            _with_basis(_scalars(lambda t, width: -t / 2 * width**2)),
        ),
        Misconception(
            "two_squared_too",
            "In the exponent you divide by (2σ)², which is 4σ². Only σ is squared: 2σ².",
            _with_basis(_scalars(lambda t, width: -t / (2 * width) ** 2)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square: (13) is exp(-|x - μ_m|²/(2σ²)).",
            _with_basis(_scalars(lambda t, width: -np.sqrt(t) / (2 * width**2))),
        ),
        Misconception(
            "normalised",
            "You divide each row of Φ by its sum, as in kernel regression. The network (13) does not: "
            "its weights w_m are fitted instead.",
            _normalised_features,
        ),
        Misconception(
            "turned",
            "You return w first. The order is W, w.",
            _turned,
        ),
    ),
    hints=(
        "First forget w. If every column of Φ and of Y had mean zero, the best w would be zero, "
        "and (14) would be one M x M system. Make the means zero.",
        "Φ_c is Φ minus the mean of each column, and Y_c likewise. Then (Φ_cᵀΦ_c + λ K) W = Φ_cᵀ "
        "Y_c, with K_mm' = φ_m(μ_m') for all pairs of centres. And w = mean of Y minus mean of Φ "
        "times W, (15), with the original Φ.",
        "Write a function of positions that returns Φ: exp of minus squared distances to the centres over 2σ². "
        "Call it for X and for the centres: the second is K. Means are over axis=0. np.linalg.solve takes "
        "the matrix and all d right-hand sides at once, and you return W and w.",
    ),
)
