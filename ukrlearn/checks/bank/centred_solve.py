"""W and w of a network of Gaussian basis functions, from one linear system."""

import numpy as np

from ukrlearn.blocks import networks
from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline

SIZES = ((9, 3, 2, 5), (7, 4, 1, 3), (12, 2, 3, 6))  # N, d, q, M: no two the same in a trial
LOOSE = 2e-3  # of the largest value: single precision is no mistake


def reference(X, Y, centres, width, penalty):
    f = networks.fit_rbf(X, Y, centres, width, penalty)
    return f.W, f.bias


def trials(seed):
    random = np.random.default_rng(seed)
    X, Y = np.array([[0.0], [1.0], [4.0]]), np.array([[1.0, 0.0], [3.0, 2.0], [5.0, 4.0]])
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
    made.append(Trial("around the origin, with equal rows and zeros", _around_zero(random)))
    made.append(Trial("data moved far from the origin", dict(arguments, Y=Y + 100)))
    made.append(Trial("data a million times larger", dict(arguments, Y=1e6 * Y)))
    units = dict(X=1e3 * X, Y=Y, centres=1e3 * centres, width=1e3 * width, penalty=penalty)
    made.append(Trial("latent space in other units", units))
    return made


def _around_zero(random):
    """Two equal points and one at the origin, which is the mean of X and of Y; a centre there, too."""
    X, Y = random.normal(size=(7, 2)), random.normal(size=(7, 3))
    X, Y = (np.vstack([A[:1], A, np.zeros(A.shape[1])]) for A in (X, Y))
    X[1:-1] -= X.sum(axis=0) / 7  # all but one of the two equal ones
    Y[1:-1] -= Y.sum(axis=0) / 7
    X[1], Y[1] = X[0], Y[0]
    X[2:-1] -= X.sum(axis=0) / 6
    Y[2:-1] -= Y.sum(axis=0) / 6
    centres = np.array([[0.0, 0.0], [1.3, 0.2], [-0.4, 1.1], [-0.7, -1.2]])
    return dict(X=X, Y=Y, centres=centres, width=0.9, penalty=0.3)


def _far_apart(X, M):
    """M points of X, each the farthest from the previous ones: K stays well conditioned."""
    chosen = [0]
    for _ in range(M - 1):
        t = np.sum((X[:, None] - X[chosen]) ** 2, axis=2).min(axis=1)
        chosen.append(int(t.argmax()))
    return chosen


def squares():
    """the squared distances"""
    return lambda a, b: np.sum((a[:, None] - b) ** 2, axis=2)


def basis(squares, width):
    """the basis functions φ_m"""
    return lambda a, b: np.exp(-squares(a, b) / (2 * width**2))


def Phi(basis, X, centres):
    """Φ, the basis functions at the points"""
    return basis(X, centres)


def K(basis, centres):
    """K, the basis functions at the centres"""
    return basis(centres, centres)


def mean_phi(Phi):
    """the means of the columns of Φ"""
    return Phi.mean(axis=0)


def mean_y(Y):
    """the means of the columns of Y"""
    return Y.mean(axis=0)


def Phi_c(Phi, mean_phi):
    """Φ_c, the deviations of Φ"""
    return Phi - mean_phi


def Y_c(Y, mean_y):
    """Y_c, the deviations of Y"""
    return Y - mean_y


def gram(Phi_c):
    """the matrix Φ_cᵀ Φ_c"""
    return Phi_c.T @ Phi_c


def price(K, penalty):
    """the penalty λ K"""
    return penalty * K


def right(Phi_c, Y_c):
    """the right side Φ_cᵀ Y_c"""
    return Phi_c.T @ Y_c


def W(gram, price, right):
    """the solution W"""
    return np.linalg.solve(gram + price, right)


def w(mean_y, mean_phi, W):
    """the constant w"""
    return mean_y - mean_phi @ W


FIT = pipeline(
    "X Y centres width penalty",
    *(squares, basis, Phi, K, mean_phi, mean_y, Phi_c, Y_c, gram, price, right, W, w),
    returns="W w",
)


# Mistakes in a stage


def _exponent(of):
    """Another exponent of squared distance t and width."""
    return lambda squares, width: lambda a, b: np.exp(of(squares(a, b), width))


def _as_they_are(*names):
    """Stages that return an argument of theirs in place of its deviations."""
    steps = {"Phi_c": lambda Phi: Phi, "Y_c": lambda Y: Y}
    return {name: steps[name] for name in names}


def _normalised(basis, X, centres):
    phi = basis(X, centres)
    return phi / phi.sum(axis=1, keepdims=True)


def _with_column_of_ones(Phi, K, Y, penalty):
    Phi = np.column_stack([Phi, np.ones(len(Phi))])
    larger = np.eye(len(K) + 1)
    larger[:-1, :-1] = K
    return np.linalg.solve(Phi.T @ Phi + penalty * larger, Phi.T @ Y)


def _doubly_centred(basis, centres):
    kernel = basis(centres, centres)
    kernel = kernel - kernel.mean(axis=0)
    return kernel - kernel.mean(axis=1, keepdims=True)


def _turned(X, Y, centres, width, penalty):
    return reference(X, Y, centres, width, penalty)[::-1]


def _rounded_to_zero(name, array):
    """A constant w that is zero but for rounding is the same as zero."""
    return np.where(np.abs(array) < 1e-8, 0.0, array) if name == "w" else array


def _no_slope(result, X, Y, centres, width, penalty):
    """The slope of (14) by W, at the w that belongs to this W."""
    W, _ = result
    stages = FIT().values(X, Y, centres, width, penalty)
    Phi, K = stages["Phi"], stages["K"]
    residual = Y - Phi @ W
    pull = Phi.T @ (residual - residual.mean(axis=0))
    size = np.abs(Phi.T @ (Y - Y.mean(axis=0))).max() + np.abs(penalty * K @ W).max()
    rounding = 1e-6 * np.abs(Phi.T @ Y).max()  # single precision, data far from the origin
    return bool((np.abs(penalty * K @ W - pull) <= LOOSE * size + rounding).all())


def _mean_zero(result, X, Y, centres, width, penalty):
    W, w = result
    residual = Y - basis(squares(), width)(X, centres) @ W - w
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
    stages=FIT,
    comparable=_rounded_to_zero,
    properties=(
        Property(
            "constant_lost",
            "The constant w is not zero.",
            "Your w is zero up to rounding. By (15) it is the mean of y_n - Wᵀ φ(x_n), which is "
            "not zero here.",
            lambda result, X, Y, **given: bool((np.abs(result[1]) > 1e-10 * np.abs(Y).max()).any()),
        ),
        Property(
            "residuals_not_centred",
            "The residuals y_n - f(x_n) have mean zero, (15).",
            "The residuals y_n - f(x_n) do not have mean zero. By (15), w is the mean of y_n "
            "minus the mean of Wᵀ φ(x_n), both over n.",
            _mean_zero,
            suspects=(("Phi", "Are your basis functions those of (13)?"),),
        ),
        Property(
            "slope_left",
            "At W the objective (14) has no slope.",
            "At your W the objective (14) still has a slope, so another W is better. At its minimum, "
            "λ K W is Φᵀ(Y - Φ W - 1wᵀ). Compute both sides at your W.",
            _no_slope,
            suspects=(
                ("Phi", "Is Φ right, one row for each point and one column for each centre?"),
                ("Phi_c", "Which means did you take out of Φ?"),
                ("K", "What does your K compare?"),
                ("gram", "Is your matrix Φ_cᵀ Φ_c, with M rows and M columns?"),
                ("right", "Is your right side Φ_cᵀ Y_c?"),
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "ones_on_diagonal",
            "You have the identity matrix in place of K: the misprint of the paper, or plain "
            "ridge regression. It does not minimise (14). K holds φ_m(μ_m') for every pair of "
            "centres.",
            FIT(K=lambda centres: np.eye(len(centres))),
        ),
        Misconception(
            "ones_everywhere",
            "You have ones everywhere in place of K: φ_m(μ_m) with the same index twice. That is "
            "a misprint. Centre m is compared with centre m', and K_mm' = φ_m(μ_m').",
            FIT(K=lambda centres: np.ones((len(centres), len(centres)))),
        ),
        Misconception(
            "gram_for_kernel",
            "You have ΦᵀΦ, made from the data, in place of K. K compares the centres with each "
            "other: the basis functions at the centres, φ_m(μ_m').",
            FIT(K=lambda Phi: Phi.T @ Phi),
        ),
        Misconception(
            "kernel_centred",
            "You take the mean out of the columns of K, too. In (16) only Φ and Y are centred, "
            "because the constant w takes up their means; the penalty in (14) does not contain w.",
            FIT(
                K=lambda basis, centres: (
                    basis(centres, centres) - basis(centres, centres).mean(axis=0)
                )
            ),
        ),
        Misconception(
            "kernel_centred_twice",
            "You take the means out of K, of its rows and of its columns. In (16) only Φ and Y are centred, "
            "because the constant w takes up their means; the penalty in (14) does not contain w.",
            FIT(K=_doubly_centred),
        ),
        Misconception(
            "kernel_at_the_data",
            "Your K has a row for each data point: you compute it at X. K compares the centres with each other, "
            "φ_m(μ_m'), and has M rows and M columns.",
            FIT(K=lambda basis, X, centres: basis(X, centres)),
        ),
        Misconception(
            "kernel_of_the_data",
            "Your K compares the data points with each other, N rows and N columns. K compares the centres, "
            "φ_m(μ_m'), and has M rows and M columns.",
            FIT(K=lambda basis, X: basis(X, X)),
        ),
        Misconception(
            "basis_turned",
            "Your Φ has a row for each centre and a column for each point. Φ_nm = φ_m(x_n): rows are points, columns are centres.",
            FIT(Phi=lambda basis, X, centres: basis(centres, X)),
        ),
        Misconception(
            "penalty_forgotten",
            "The penalty is missing: you minimise |Y - ΦW - 1wᵀ|² alone. Add λ K to ΦᵀΦ, or "
            "nothing keeps the map smooth.",
            FIT(price=lambda K: 0 * K),
        ),
        Misconception(
            "lambda_forgotten",
            "You add K without the penalty λ in front of it. The fit then doesn't change when `penalty` does.",
            FIT(price=lambda K: K),
        ),
        Misconception(
            "penalty_subtracted",
            "You subtract λ K. Both terms of (14) should be small, so the matrices are added: ΦᵀΦ "
            "+ λ K.",
            FIT(price=lambda K, penalty: -penalty * K),
        ),
        Misconception(
            "penalty_times_n",
            "Your penalty is N times too strong: you take the mean over the points, but (14) has "
            "the sum. The system is ΦᵀΦ + λ K, without N.",
            FIT(price=lambda K, penalty, X: len(X) * penalty * K),
        ),
        Misconception(
            "penalty_over_n",
            "Your penalty is N times too weak: the λ of (14) is not divided by the number of "
            "points. In (16) only the last term on the left has 1/N.",
            FIT(price=lambda K, penalty, X: penalty * K / len(X)),
        ),
        Misconception(
            "penalty_squared",
            "You square the penalty. (14) and (16) contain λ itself.",
            FIT(price=lambda K, penalty: penalty**2 * K),
        ),
        Misconception(
            "penalty_rooted",
            "You take the root of the penalty. (14) and (16) contain λ itself.",
            FIT(price=lambda K, penalty: np.sqrt(penalty) * K),
        ),
        Misconception(
            "penalty_halved",
            "Your penalty is half as strong as it should be. The slopes of both parts of (14) have a "
            "factor 2, and it cancels: λ K, not λ K/2.",
            FIT(price=lambda K, penalty: penalty * K / 2),
        ),
        Misconception(
            "penalty_doubled",
            "Your penalty is twice as strong as it should be. The slopes of both parts of (14) have a "
            "factor 2, and it cancels: λ K, not 2 λ K.",
            FIT(price=lambda K, penalty: 2 * penalty * K),
        ),
        Misconception(
            "no_constant",
            "You fit a network without the constant w of (13). With w, the functions need not "
            "spend their weights on the mean: fit W and w together.",
            FIT(**_as_they_are("Phi_c", "Y_c"), w=lambda Y: np.zeros(Y.shape[1])),
        ),
        Misconception(
            "nothing_centred",
            "You fit W as if there were no constant, and add w afterwards. That is too late: the "
            "best W depends on w. Take the mean out of the columns of Φ first, (16).",
            FIT(**_as_they_are("Phi_c", "Y_c")),
        ),
        Misconception(
            "mean_of_data_first",
            "You take the mean of the data for w, and fit W to what remains with columns of Φ that are not centred. Two things are missing: the mean of each column of Φ comes out before W is fitted, and w is the mean of y_n minus the mean of Wᵀ φ(x_n), (15).",
            FIT(**_as_they_are("Phi_c"), w=lambda mean_y: mean_y),
        ),
        Misconception(
            "only_data_centred",
            "You have centred the data, but not the columns of Φ. ΦᵀΦ then holds the means of the "
            "basis functions: the third matrix of (16) removes them.",
            FIT(**_as_they_are("Phi_c")),
        ),
        Misconception(
            "data_not_centred",
            "You have taken the means out on the left of (16) but not on the right, which is ΦᵀY. "
            "Centre Φ or Y there, or the weights chase the mean of the data.",
            FIT(right=lambda Phi, Y: Phi.T @ Y),
        ),
        Misconception(
            "rows_centred",
            "You take the mean out of each row of Φ. The constant w absorbs the mean over the "
            "points, one for each basis function: the mean of a column, axis=0.",
            FIT(Phi_c=lambda Phi: Phi - Phi.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "rows_centred_in_both",
            "You take the mean out of each row of Φ and of Y. The constant w absorbs the mean "
            "over the points, one for each basis function and each coordinate: the mean of a "
            "column, axis=0.",
            FIT(
                Phi_c=lambda Phi: Phi - Phi.mean(axis=1, keepdims=True),
                Y_c=lambda Y: Y - Y.mean(axis=1, keepdims=True),
            ),
        ),
        Misconception(
            "rows_alone_centred",
            "You take the mean out of each row of Φ, and leave Y as it is. The constant w absorbs the mean over the "
            "points, one for each basis function: the mean of a column, axis=0. Only then does it not matter whether Y is centred, too.",
            FIT(Phi_c=lambda Phi: Phi - Phi.mean(axis=1, keepdims=True), Y_c=lambda Y: Y),
        ),
        Misconception(
            "one_mean_of_basis_alone",
            "You take one mean over all of Φ, and leave Y as it is. Every column has its own: axis=0. Only then does it not matter whether Y is centred, too.",
            FIT(Phi_c=lambda Phi: Phi - Phi.mean(), Y_c=lambda Y: Y),
        ),
        Misconception(
            "row_means",
            "You subtract the means of the *rows* of Φ, axis=1: N numbers, which do not even fit its M columns. The constant w absorbs the mean over the "
            "points, one for each basis function: axis=0.",
            FIT(Phi_c=lambda Phi: Phi - Phi.mean(axis=1)),
        ),
        Misconception(
            "row_means_of_data",
            "You subtract the means of the *rows* of Y, axis=1, one for each point. The constant w absorbs the mean over the points, one for each "
            "coordinate: axis=0.",
            FIT(Y_c=lambda Y: Y - Y.mean(axis=1, keepdims=True)),
        ),
        Misconception(
            "row_means_of_data_stop",
            "You subtract the means of the *rows* of Y, axis=1: N numbers, which do not fit its d columns. The constant w absorbs the mean over the points, one for each "
            "coordinate: axis=0.",
            FIT(Y_c=lambda Y: Y - Y.mean(axis=1)),
        ),
        Misconception(
            "one_mean_of_basis",
            "You take one mean over all of Φ. Every column has its own: axis=0.",
            FIT(Phi_c=lambda Phi: Phi - Phi.mean()),
        ),
        Misconception(
            "one_mean_of_data",
            "You take one mean over all entries of Y. Every coordinate of the data has its own: axis=0.",
            FIT(mean_y=lambda Y: np.full(Y.shape[1], Y.mean())),
        ),
        Misconception(
            "one_mean_for_all",
            "You take one mean over all of Φ, and one over all of Y. Every column has its own: axis=0.",
            FIT(Phi_c=lambda Phi: Phi - Phi.mean(), Y_c=lambda Y: Y - Y.mean()),
        ),
        Misconception(
            "standardised",
            "You divide the columns of Φ by their standard deviation. Take out their mean only: "
            "the penalty λ tr(WᵀKW) assumes weights of the unscaled φ_m.",
            FIT(Phi_c=lambda Phi: (Phi - Phi.mean(axis=0)) / Phi.std(axis=0)),
        ),
        Misconception(
            "one_over_n_forgotten",
            "In (16), the outer product of the column sums of Φ is divided by N. Yours is N times "
            "too large.",
            FIT(gram=lambda Phi: Phi.T @ Phi - np.outer(Phi.sum(axis=0), Phi.sum(axis=0))),
        ),
        Misconception(
            "means_added",
            "In (16), the outer product of the column sums of Φ, over N, is subtracted. You add it.",
            FIT(gram=lambda Phi: Phi.T @ Phi + np.outer(Phi.sum(axis=0), Phi.mean(axis=0))),
        ),
        Misconception(
            "constant_penalised",
            "You treat the constant as one more basis function, and penalise it. (14) does not: "
            "moving all data together must move w and nothing else.",
            FIT(
                W=lambda Phi, K, Y, penalty: _with_column_of_ones(Phi, K, Y, penalty)[:-1],
                w=lambda Phi, K, Y, penalty: _with_column_of_ones(Phi, K, Y, penalty)[-1],
            ),
        ),
        Misconception(
            "left_divided",
            "You divide Φ_cᵀ Φ_c by N, but not the right side. Where one comes from a mean, so does the other; and "
            "(14) has sums, so neither is divided.",
            FIT(gram=lambda Phi_c: Phi_c.T @ Phi_c / len(Phi_c)),
        ),
        Misconception(
            "left_divided_less_one",
            "You use the covariance of the columns of Φ, divided by N - 1, for Φ_cᵀ Φ_c. (14) has a sum over the points, no mean.",
            FIT(gram=lambda Phi_c: Phi_c.T @ Phi_c / (len(Phi_c) - 1)),
        ),
        Misconception(
            "both_standardised",
            "You standardise both: you divide the columns of Φ and of Y by their standard deviations. Take out the means only.",
            FIT(
                Phi_c=lambda Phi: (Phi - Phi.mean(axis=0)) / Phi.std(axis=0),
                Y_c=lambda Y: (Y - Y.mean(axis=0)) / Y.std(axis=0),
            ),
        ),
        Misconception(
            "data_standardised",
            "You divide the columns of Y by their standard deviation. Take out the mean only: f must have the units of the data.",
            FIT(Y_c=lambda Y: (Y - Y.mean(axis=0)) / Y.std(axis=0)),
        ),
        Misconception(
            "constant_is_mean",
            "Your w is the mean of the data: you take it as it is, or you subtract the mean of "
            "Φ_c W, which is zero. But f must be right on average with φ_m that are not "
            "centred, so (15) is the mean of y_n minus that of Wᵀ φ(x_n).",
            FIT(w=lambda mean_y: mean_y),
        ),
        Misconception(
            "constant_zero",
            "Your w is zero. Deviations from the mean always have the mean zero; they were only a way to solve for W. (15) uses y_n and φ(x_n) themselves.",
            FIT(w=lambda Y: np.zeros(Y.shape[1])),
        ),
        Misconception(
            "constant_sign",
            "In w the mean of Wᵀ φ(x_n) is added to the mean of the data; (15) subtracts it.",
            FIT(w=lambda mean_y, mean_phi, W: mean_y + mean_phi @ W),
        ),
        Misconception(
            "constant_summed",
            "Your w is the sum of y_n - Wᵀ φ(x_n) over the points; (15) is their mean.",
            FIT(w=lambda Y, Phi, W: (Y - Phi @ W).sum(axis=0)),
        ),
        Misconception(
            "half_missing",
            "Your basis functions are exp(-|x - μ_m|²/σ²). The 1/2 in the exponent (13) is missing.",
            FIT(basis=_exponent(lambda t, width: -t / width**2)),
        ),
        Misconception(
            "width_not_squared",
            "In the exponent you divide by 2σ and not by 2σ². The distance is squared there, so "
            "must be the width.",
            FIT(basis=_exponent(lambda t, width: -t / (2 * width))),
        ),
        Misconception(
            "width_multiplied",
            "In the exponent you multiply by σ²: without brackets, a / 2 * b is (a / 2) * b. It is |x - μ_m|² "
            "over all of 2σ².",
            FIT(basis=_exponent(lambda t, width: -t / 2 * width**2)),
        ),
        Misconception(
            "two_squared_too",
            "In the exponent you divide by (2σ)², which is 4σ². Only σ is squared: 2σ².",
            FIT(basis=_exponent(lambda t, width: -t / (2 * width) ** 2)),
        ),
        Misconception(
            "distance_not_squared",
            "The exponent contains the distance, not its square: (13) is exp(-|x - μ_m|²/(2σ²)).",
            FIT(squares=lambda: lambda a, b: np.sqrt(squares()(a, b))),
        ),
        Misconception(
            "normalised",
            "You divide each row of Φ by its sum, as in kernel regression. The network (13) does not: "
            "its weights w_m are fitted instead.",
            FIT(Phi=_normalised),
        ),
        Misconception(
            "normalised_in_both",
            "You divide the basis functions by their sum, in Φ and in K, as in kernel regression. The network (13) does not: "
            "its weights w_m are fitted instead.",
            FIT(Phi=_normalised, K=lambda basis, centres: _normalised(basis, centres, centres)),
        ),
        Misconception(
            "width_forgotten",
            "The width σ is missing in the exponent of your basis functions: (13) has |x - μ_m|²/(2σ²).",
            FIT(basis=_exponent(lambda t, width: -t / 2)),
        ),
        Misconception(
            "width_alone",
            "In the exponent you divide by σ. (13) divides the squared distance by 2σ²: square the width, and the 2 is missing.",
            FIT(basis=_exponent(lambda t, width: -t / width)),
        ),
        Misconception(
            "exponent_positive",
            "Your exponent has no minus, so your functions grow away from their centres. (13) is exp(-|x - μ_m|²/(2σ²)).",
            FIT(basis=_exponent(lambda t, width: t / (2 * width**2))),
        ),
        Misconception(
            "weights_transposed",
            "Your W is transposed: it has a row for each coordinate of the data. Row m of W belongs to φ_m, so it has M rows and d columns.",
            FIT(
                W=lambda gram, price, right: W(gram, price, right).T,
                w=lambda mean_y, mean_phi, W: mean_y - mean_phi @ W.T,
            ),
        ),
        Misconception(
            "turned",
            "You return w first. The order is W, w.",
            _turned,
        ),
    ),
    hints=(
        "If every column of Φ and of Y had mean zero, which w would be the best by (15)? And what can "
        "you do to any Φ and Y so that their columns have mean zero?",
        "Φ_c is Φ minus the mean of each column, and Y_c likewise. Then (Φ_cᵀΦ_c + λ K) W = Φ_cᵀ "
        "Y_c, with K_mm' = φ_m(μ_m') for all pairs of centres. And w = mean of Y minus mean of Φ "
        "times W, (15), with the original Φ.",
        "Write a function of positions that returns Φ: exp of minus squared distances to the centres over 2σ². "
        "Call it for X and for the centres: the second is K. Means are over axis=0. np.linalg.solve takes "
        "the matrix and all d right-hand sides at once, and you return W and w.",
    ),
)
