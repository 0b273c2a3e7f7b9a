"""W and w of a network of Gaussian basis functions, from one linear system."""

import numpy as np

from ukrlearn.blocks import networks
from ukrlearn.checks.exercise import Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise

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
    """Two equal points and one at the origin, the mean of X and of Y; a centre there, too."""
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


FIT = pipeline(
    "X Y centres width penalty",
    returns="W w",
    squares=lambda: lambda a, b: np.sum((a[:, None] - b) ** 2, axis=2),
    basis=lambda squares, width: lambda a, b: np.exp(-squares(a, b) / (2 * width**2)),
    Phi=lambda basis, X, centres: basis(X, centres),
    K=lambda basis, centres: basis(centres, centres),
    mean_phi=lambda Phi: Phi.mean(axis=0),
    mean_y=lambda Y: Y.mean(axis=0),
    Phi_c=lambda Phi, mean_phi: Phi - mean_phi,
    Y_c=lambda Y, mean_y: Y - mean_y,
    gram=lambda Phi_c: Phi_c.T @ Phi_c,
    price=lambda K, penalty: penalty * K,
    right=lambda Phi_c, Y_c: Phi_c.T @ Y_c,
    W=lambda gram, price, right: np.linalg.solve(gram + price, right),
    w=lambda mean_y, mean_phi, W: mean_y - mean_phi @ W,
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
    residual = Y - FIT.basis(FIT.squares(), width)(X, centres) @ W - w
    return bool((np.abs(residual.mean(axis=0)) <= LOOSE * np.abs(Y).max()).all())


MISTAKES = (
    FIT.mistake("basis_turned", Phi=lambda basis, X, centres: basis(centres, X)),
    FIT.mistake("ones_on_diagonal", K=lambda centres: np.eye(len(centres))),
    FIT.mistake("gram_for_kernel", K=lambda Phi: Phi.T @ Phi),
    FIT.mistake("kernel_centred_twice", K=_doubly_centred),
    FIT.mistake("kernel_at_the_data", K=lambda basis, X, centres: basis(X, centres)),
    FIT.mistake("kernel_of_the_data", K=lambda basis, X: basis(X, X)),
    FIT.mistake("penalty_times_n", price=lambda K, penalty, X: len(X) * penalty * K),
    FIT.mistake("penalty_over_n", price=lambda K, penalty, X: penalty * K / len(X)),
    FIT.mistake("penalty_squared", price=lambda K, penalty: penalty**2 * K),
    FIT.mistake("penalty_rooted", price=lambda K, penalty: np.sqrt(penalty) * K),
    FIT.mistake("no_constant", **_as_they_are("Phi_c", "Y_c"), w=lambda Y: np.zeros(Y.shape[1])),
    FIT.mistake("nothing_centred", **_as_they_are("Phi_c", "Y_c")),
    FIT.mistake("mean_of_data_first", **_as_they_are("Phi_c"), w=lambda mean_y: mean_y),
    FIT.mistake("data_not_centred", right=lambda Phi, Y: Phi.T @ Y),
    FIT.mistake("rows_centred", Phi_c=lambda Phi: Phi - Phi.mean(axis=1, keepdims=True)),
    FIT.mistake("one_mean_of_basis_alone", Phi_c=lambda Phi: Phi - Phi.mean(), Y_c=lambda Y: Y),
    FIT.mistake("row_means", Phi_c=lambda Phi: Phi - Phi.mean(axis=1)),
    FIT.mistake("row_means_of_data", Y_c=lambda Y: Y - Y.mean(axis=1, keepdims=True)),
    FIT.mistake("row_means_of_data_stop", Y_c=lambda Y: Y - Y.mean(axis=1)),
    FIT.mistake("one_mean_of_basis", Phi_c=lambda Phi: Phi - Phi.mean()),
    FIT.mistake("one_mean_of_data", mean_y=lambda Y: np.full(Y.shape[1], Y.mean())),
    FIT.mistake("one_mean_for_all", Phi_c=lambda Phi: Phi - Phi.mean(), Y_c=lambda Y: Y - Y.mean()),
    FIT.mistake("standardised", Phi_c=lambda Phi: (Phi - Phi.mean(axis=0)) / Phi.std(axis=0)),
    FIT.mistake(
        "means_added", gram=lambda Phi: Phi.T @ Phi + np.outer(Phi.sum(axis=0), Phi.mean(axis=0))
    ),
    FIT.mistake(
        "constant_penalised",
        W=lambda Phi, K, Y, penalty: _with_column_of_ones(Phi, K, Y, penalty)[:-1],
        w=lambda Phi, K, Y, penalty: _with_column_of_ones(Phi, K, Y, penalty)[-1],
    ),
    FIT.mistake("left_divided", gram=lambda Phi_c: Phi_c.T @ Phi_c / len(Phi_c)),
    FIT.mistake("left_divided_less_one", gram=lambda Phi_c: Phi_c.T @ Phi_c / (len(Phi_c) - 1)),
    FIT.mistake("data_standardised", Y_c=lambda Y: (Y - Y.mean(axis=0)) / Y.std(axis=0)),
    FIT.mistake("constant_summed", w=lambda Y, Phi, W: (Y - Phi @ W).sum(axis=0)),
    FIT.mistake("distance_not_squared", squares=lambda: lambda a, b: np.sqrt(FIT.squares()(a, b))),
    FIT.mistake("normalised", Phi=_normalised),
    FIT.mistake("width_alone", basis=_exponent(lambda t, width: -t / width)),
)


EXERCISE = exercise(
    "centred_solve",
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
            holds=lambda result, X, Y, **given: bool(
                (np.abs(result[1]) > 1e-10 * np.abs(Y).max()).any()
            ),
        ),
        Property("residuals_not_centred", holds=_mean_zero),
        Property("slope_left", holds=_no_slope),
    ),
    misconceptions=MISTAKES,
)
