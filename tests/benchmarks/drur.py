"""[DRUR]: what parametric DRUR restores, the claims over twenty seeds and more, its competitors."""

import warnings
from contextlib import suppress

import drur_times
import numpy as np
from drur_projection import MOST, MOVES, ROUNDS, competition, convergence, roll
from measuring import HEADINGS, at_least, judged, over, quantiles, settled, table
from scipy.spatial import cKDTree

from ukrlearn import UKR, NonparametricDRUR, ParametricDRUR, datasets, metrics
from ukrlearn.blocks import starts
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline

TITLE = "Parametric DRUR"

SEEDS = 20
MANY = 30  # where twenty seeds could not decide
SAME = 0.005  # of R²: a lesser change counts as none where a row has it
POOR_START = dict(max_iter=20, coarse=10, penalty=1e-3)
RIGHT = 0.95  # rank correlations above which a coordinate is in order
RECOVERED = 0.99  # the same for the spiral, whose start has .95
PENALTIES, BASES, NOISES = (1e-5, 1e-3, 1e-1), (30, 60, 90), (5, 10)
FIRST, ALL, LATER = slice(0, 1), slice(None), slice(2, None)  # rounds
NEIGHBOURS = 10  # of points in latent space, to see holes and clusters


def measured(quick):
    return report(all_runs(quick))


def all_runs(quick):
    seeds, many = (range(2 if quick else size) for size in (SEEDS, MANY))
    N = 300 if quick else 1000
    return {
        "seeds": seeds,
        "N": N,
        "noise": over(many, noises, N),
        "projection": {noise: over(many, convergence, noise, N) for noise in (10, 20, 60)},
        "walks": {noise: over(many, competition, noise, N) for noise in (10, 20, 60)},
        "regularisation": over(seeds, regularisation, N),
        "competitors": over(seeds, competitors, N),
        "eigenmaps": over(seeds, eigenmaps, N),
        "hole": over(many, hole, 300 if quick else 791),
        "homotopy": over(seeds, ukr_with_homotopy, N),
        "sevens": over(seeds, sevens, 10 if quick else 60),
        "spiral": over(seeds, spiral, 150 if quick else 500),
        "pieces": over(seeds, pieces, 210 if quick else 700),
        "parsimony": over(seeds, parsimony, 150 if quick else 500),
        "large": over(seeds, large, 1000 if quick else 20_000),
        "times": drur_times.all_times(quick),
    }


def report(runs):
    seeds, N = runs["seeds"], runs["N"]
    return "\n".join(
        [
            introduction(seeds, N),
            table(HEADINGS, claims(runs)),
            on_quality(runs, N),
            on_convergence(runs["projection"], N),
            on_walks(runs["walks"], N),
            on_regularisation(runs["regularisation"], N),
            on_competitors(runs),
            on_curves(runs),
            drur_times.tables(runs["times"]),
        ]
    )


def introduction(seeds, N):
    return (
        f"Seeds 0 to {seeds[-1]}, or 0 to {MANY - 1}: one draw of the data and one start each. "
        f"Swiss roll: a sheet of 50 x 90, N = {N} if not\nsaid otherwise, starts from the true "
        "sheet with normal noise of that standard deviation. R² is Procrustes; *in order*: the\n"
        f"rank correlations of all true coordinates are above {RIGHT}. Numbers are medians, with "
        'the quantiles 10 and 90 % in brackets.\n"In favour" counts the seeds in which the claim '
        "is true. What the paper calls nearly all is .95 here, most is more than half,\n99 % and "
        "99.9 % are what they are. Converged: within 1e-4 of the rms of X from where "
        f"{MOST['Gauss-Newton']} and more moves end; the paper\ndoes not say what its relative "
        "error is relative to. First round: the first projection; later: from the third on.\n"
    )


# Runs


def quality(X, t):
    """R², and the lesser of the rank correlations of both coordinates."""
    return metrics.procrustes_r2(X, t), metrics.orders_recovered(X, t).min()


def fitted(Y, t, X, **options):
    """A fit from X, and R² and order of what came out."""
    model = ParametricDRUR(init=X, **options).fit(Y)
    return model, quality(model.embedding_, t)


FITS = {
    (10, "10 rounds"): dict(max_iter=10),
    (10, "20 rounds"): dict(max_iter=20),
    (20, "10 rounds"): dict(max_iter=10),
    (20, "20 rounds"): dict(max_iter=20),
    (40, "20 rounds"): dict(max_iter=20),
    (60, "20 rounds"): dict(max_iter=20),
    (60, "20 rounds, 70 basis functions"): dict(max_iter=20, n_basis=70),
    (60, "20 rounds, the coarse recipe"): POOR_START,
}


def noises(seed, N):
    """Figures 4 and 6: what is restored from noise on the true sheet."""
    found = {}
    for (noise, name), options in FITS.items():
        Y, t, X = roll(seed, N, noise)
        recorded = dict(record=True) if (noise, name) == (10, "20 rounds") else {}
        model, (r2, order) = fitted(Y, t, X, **options, **recorded)
        rounds = model.history_[1:]
        found[noise, name] = dict(
            start=metrics.procrustes_r2(X, t),
            r2=r2,
            order=order,
            full=min(step.full_steps for step in rounds),
            spread=rounds[-1].spread / rounds[0].spread,
        )
        if recorded:
            found["course"] = [metrics.procrustes_r2(step.X, t) for step in model.history_]
    return found


def regularisation(seed, N):
    """Figure 4: R² for every penalty, number of basis functions and noise."""
    found = {}
    for noise in NOISES:
        Y, t, X = roll(seed, N, noise)
        for M in BASES:
            for penalty in PENALTIES:
                _, (r2, _) = fitted(Y, t, X, n_basis=M, penalty=penalty, max_iter=10)
                found[penalty, M, noise] = r2
    return found


def competitors(seed, N):
    """Figures 4 and 6: the autoencoder, UKR and (noise 10 only: it takes long) GPLVM."""
    found = {}
    for noise in (10, 20, 40, 60):
        Y, t, X = roll(seed, N, noise)
        found[noise, "start"] = quality(X, t)
        for name, model in methods(X).items():
            if name != "GPLVM" or noise == 10:
                found[noise, name] = quality(embedded(model, Y), t)
    return found


def methods(X):
    """The models of the paper's figures, from one start."""
    return {
        "DRUR": ParametricDRUR(init=X, max_iter=20),
        "autoencoder": AutoencoderBaseline(init=X, n_basis=70),
        "UKR": UKR(init=[X]),
        "GPLVM": GPLVMBaseline(init=X, max_iter=50),
    }


def embedded(model, Y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a descent might go on, and outliers of UKR
        return model.fit(Y).embedding_


def eigenmaps(seed, N):
    """Figure 5: Laplacian eigenmaps as they are often seen, clustered and with holes."""
    Y, t, _ = roll(seed, N, 0)
    return from_spectral(Y, t, best_of(starts.laplacian_eigenmaps, Y, t))


def hole(seed, N):
    """Figure 8: what Isomap makes of a hole."""
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, hole=0.457, random_state=seed)
    return from_spectral(Y, t, best_of(starts.isomap, Y, t))


def from_spectral(Y, t, X):
    """R², order and unevenness of the start and of what every method makes of it."""
    models = methods(X) | {"DRUR, λ = 1e-3": ParametricDRUR(init=X, max_iter=20, penalty=1e-3)}
    found = {"truth": t, "start": X} | {name: embedded(m, Y) for name, m in models.items()}
    return {name: (*quality(X, t), unevenness(X)) for name, X in found.items()}


def best_of(method, Y, t):
    """The coordinates with the best R² over numbers of neighbours.

    Whoever has no t can't choose so, but the paper too says that the choice takes a careful search.
    """
    found = []
    for k in (6, 8, 10, 12):
        with warnings.catch_warnings(), suppress(ValueError):  # of a graph in pieces
            warnings.simplefilter("ignore")
            found.append(method(Y, 2, k))
    return max(found, key=lambda X: metrics.procrustes_r2(X, t))


def unevenness(X):
    """How much the distance to the tenth neighbour varies: its deviation over its mean."""
    distance = cKDTree(X).query(X, NEIGHBOURS + 1)[0][:, -1]
    return distance.std() / distance.mean()


def ukr_with_homotopy(seed, N):
    """UKR's own way to unfold data: from principal components, with the paper's homotopy."""
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    return quality(embedded(UKR(init="pca", homotopy=True), Y), t)


def sevens(seed, n_digits):
    """Figure 9: sevens turned, from principal components."""
    Y, angle = datasets.rotated_digits(n_digits, 90, random_state=seed)
    X = starts.pca(Y, 2)
    model = ParametricDRUR(init=X, n_basis=5, penalty=0.01, max_iter=10).fit(Y)
    whose = np.repeat(np.arange(n_digits), 90)
    return {
        "start": neighbouring_angles(X, angle, whose),
        "DRUR": neighbouring_angles(model.embedding_, angle, whose),
    }


def neighbouring_angles(X, angle, whose):
    """Of neighbours that show another seven: the share more than a quarter turn away, and how far
    the mean of their angles is from the point's own, in degrees (median)."""
    _, near = cKDTree(X).query(X, 21)
    other = whose[near] != whose[:, None]
    apart = (angle[near] - angle[:, None] + 180) % 360 - 180
    mean = np.angle(np.sum(other * np.exp(1j * np.deg2rad(apart)), axis=1))
    return np.mean(np.abs(apart[other]) > 90), np.median(np.abs(np.rad2deg(mean)))


def spiral(seed, N):
    """Figure 2: order of X, and distance of f(X) from the clean spiral."""
    Y, t = datasets.noisy_spiral(N, random_state=seed)
    t = np.asarray(t, dtype=float)
    noise = np.random.RandomState(seed + 1).normal(size=N)
    X = (t + np.ptp(t) / 10 * noise)[:, None]
    clean = datasets.spiral_curve(np.linspace(t.min(), t.max(), 2000))
    models = {
        "rbf": ParametricDRUR(1, n_basis=10, penalty=0.1, max_iter=10, init=X),
        "mlp": ParametricDRUR(1, model="mlp", n_basis=10, max_iter=10, init=X),
        "autoencoder": AutoencoderBaseline(1, n_basis=10, init=X),
        "rbf, λ = 1e-5": ParametricDRUR(1, n_basis=10, max_iter=10, init=X),
    }
    found = {"start": (metrics.order_recovered(X, t), np.nan)}
    for name, model in models.items():
        x = model.fit(Y).embedding_
        rebuilt = model.inverse_transform(x)
        found[name] = (
            metrics.order_recovered(x, t),
            np.sqrt(metrics.distance_to_curve(rebuilt, clean, squared=True)),
        )
    return found


def pieces(seed, N):
    """Figure 3: the least order within a curve; how orthogonal the errors are to the curve."""
    Y, t = datasets.disconnected_curves(N, random_state=seed)
    X = starts.pca(Y, 1)
    models = {
        "rbf": ParametricDRUR(1, n_basis=20, penalty=0.1, max_iter=20, init=X),
        "mlp": ParametricDRUR(1, model="mlp", n_basis=20, max_iter=10, init=X),
        "rbf, λ = 1e-5": ParametricDRUR(1, n_basis=20, max_iter=20, init=X),
    }
    found = {"start": (*order_and_mixture(X, t), np.nan)}
    for name, model in models.items():
        x = model.fit(Y).embedding_
        found[name] = (*order_and_mixture(x, t), slant(model, Y))
    return found


def order_and_mixture(X, t):
    """The least order within a curve; the share of neighbours in X from another curve."""
    piece = np.floor(t)
    orders = [metrics.order_recovered(X[piece == k], t[piece == k]) for k in np.unique(piece)]
    _, near = cKDTree(X).query(X, NEIGHBOURS + 1)
    return min(orders), np.mean(piece[near] != piece[:, None])


def slant(model, Y):
    """The median over points of |cos| of the angle between y - f(x) and the curve."""
    x = model._latent.into(model.embedding_)
    f, J = model.f_.with_jacobian(x)
    residual, along = model._data.into(Y) - f, J[:, :, 0]
    size = np.linalg.norm(residual, axis=1) * np.linalg.norm(along, axis=1)
    return np.median(np.abs(np.vecdot(residual, along)) / np.maximum(size, 1e-300))


def parsimony(seed, N):
    """nDRUR, with a basis function on every point, and pDRUR with 30."""
    found = {}
    for noise in (10, 20):
        Y, t, X = roll(seed, N, noise)
        _, found[noise, "parametric"] = fitted(Y, t, X, max_iter=10)
        model = NonparametricDRUR(init=X, max_iter=10).fit(Y)
        found[noise, "nonparametric"] = quality(model.embedding_, t)
    return found


def large(seed, N):
    """Figure 6, last row: the course of R² in 100 dimensions."""
    Y, t, X = roll(seed, N, 10, beside=97)
    model = ParametricDRUR(init=X, n_basis=70, max_iter=2, record=True).fit(Y)
    return [metrics.procrustes_r2(step.X, t) for step in model.history_]


# Claims: where in the paper or "(ours)", the claim, our figures, in how many seeds, verdict


def claims(runs):
    return [
        *claims_on_the_projection(runs["projection"], runs["walks"]),
        *claims_on_curves(runs["spiral"], runs["pieces"]),
        *claims_on_regularisation(runs["regularisation"], runs["competitors"]),
        *claims_on_eigenmaps(runs["eigenmaps"]),
        *claims_on_the_hole(runs["hole"]),
        unrecovered_by_homotopy(runs["homotopy"]),
        *claims_on_noise(runs["noise"]),
        *claims_on_the_autoencoder(runs["competitors"]),
        *claims_on_the_course(runs["noise"], runs["large"]),
        *claims_on_sevens(runs["sevens"]),
        *claims_on_parsimony(runs["parsimony"]),
        *claims_on_times(runs["times"]),
    ]


def shares(runs, column, rounds):
    """Over the seeds: a column of `convergence`, its mean over these rounds."""
    return np.array([run["shares"][rounds, column].mean() for run in runs])


def claims_on_the_projection(projection, walks):
    rows = []
    for noise in (10, 20):
        runs = projection[noise]
        where, ours = f"2.1, noise {noise}", f"(ours), noise {noise}"
        in_two, in_four, full = MOVES.index(2), MOVES.index(4), len(MOVES)
        for who, says, column, rounds, least in (
            (where, "nearly all points converge in 4 moves: all rounds", in_four, ALL, 0.95),
            (ours, "nearly all in 4, in the first round alone", in_four, FIRST, 0.95),
            (where, "most in 1 or 2: all rounds", in_two, ALL, 0.5),
            (ours, "most in 1 or 2, in the first round alone", in_two, FIRST, 0.5),
            (where, "later nearly all in a single move", MOVES.index(1), LATER, 0.95),
            (where, "99 % of the steps are full: first round", full, FIRST, 0.99),
            (where, "99.9 % later", full, LATER, 0.999),
        ):
            of_seeds = shares(runs, column, rounds)
            digits = ".2%" if column == full else ".1%"
            rows.append([who, says, f"{quantiles(of_seeds):{digits}}", *judged(of_seeds >= least)])
    rises = {noise: np.mean([run["rises"] for run in runs]) for noise, runs in projection.items()}
    easy = walks[10]
    slow, fast = (
        of_walks(easy, name, lambda w: np.median(w.moves))
        for name in ("gradient descent", "Gauss-Newton")
    )
    ratio = of_walks(easy, "gradient descent", lambda w: w.seconds)
    ratio = ratio / of_walks(easy, "Gauss-Newton", lambda w: w.seconds)
    lost = of_walks(easy, "fixed point", lambda w: np.mean(np.isinf(w.moves)))
    where = "2.1, noise 10"
    return [
        *rows,
        [where, "gradient descent takes tens of moves (10 and more)",
         f"median over points {quantiles(slow):.0f}, Gauss-Newton {quantiles(fast):.0f}, first "
         "round", *judged(slow >= 10)],
        [where, "and is slower by an order of magnitude (10 times)",
         f"time over that of Gauss-Newton {quantiles(ratio):.0f}", *judged(ratio >= 10)],
        [where, "the fixed point iteration does not converge in general (for most points)",
         f"{quantiles(lost):.0%} of the points have not converged after {MOST['fixed point']}",
         *judged(lost > 0.5)],
        ["2.2", "an occasional rise of the objective", "rounds of 10 in which it rises: "
         + ", ".join(f"noise {noise} {rise:.1f}" for noise, rise in rises.items()),
         *settled("one instance", max(rises.values()) > 0)],
    ]  # fmt: skip


def of_walks(runs, name, value, which=0):
    """Over the seeds: `value` of one method's walk, in the first round (1: in the fifth)."""
    return np.array([value(run[which][name]) for run in runs])


def column(runs, key, index=0):
    return np.array([run[key][index] for run in runs])


def nearer(where, says, runs, key, other="start"):
    """That a method's R² is higher than another's."""
    a, b = column(runs, key), column(runs, other)
    margin = SAME if other == "start" else None  # little may change; rivals are far apart
    name = other if isinstance(other, str) else other[-1]
    ours = f"R² {quantiles(a):.3f}, {name} {quantiles(b):.3f}"
    return [where, says, ours, *judged(a > b, a - b, margin)]


def in_order(where, says, runs, key, wanted=True):
    """That both coordinates are in order, or that they are not."""
    r2, order = (column(runs, key, index) for index in (0, 1))
    ours = f"least rank correlation {quantiles(order):.3f}, R² {np.median(r2):.2f}"
    return [where, says, ours, *judged((order > RIGHT) == wanted)]


CURVES = {"rbf": "RBF", "mlp": "perceptrons", "autoencoder": "the autoencoder"}


def claims_on_curves(spirals, runs):
    rows, start = [], np.median(column(spirals, "start"))
    for name in ("rbf", "mlp", "autoencoder"):
        order, off = column(spirals, name), np.median(column(spirals, name, 1))
        says = f"the spiral is recovered (rank correlation > {RECOVERED}): {CURVES[name]}"
        ours = f"{quantiles(order):.4f}, start {start:.3f}; f(X) is off by {off:.3f}"
        rows.append(["3, fig. 2", says, ours, *judged(order > RECOVERED)])
    where, before = "3, fig. 3", column(runs, "start", 1)
    for key in ("rbf", "mlp"):
        kept, mixed = column(runs, key), column(runs, key, 1)
        rows += [
            [where, f"every disconnected curve keeps its structure: {CURVES[key]}",
             f"least order within a curve {quantiles(kept):.3f}", *judged(kept > RIGHT)],
            [where, f"the curves come apart: {CURVES[key]}",
             f"neighbours from another curve {np.median(before):.0%} → {np.median(mixed):.0%}",
             *judged(mixed < before)],
        ]  # fmt: skip
    angle = np.rad2deg(np.arccos(column(runs, "rbf", 2)))
    says = "errors are about orthogonal to f (median angle above 75°)"
    return [*rows, [where, says, f"{np.median(angle):.0f}° (RBF)", *judged(angle > 75)]]


def claims_on_regularisation(runs, others):
    loose, middle, stiff = (
        np.array([[run[penalty, M, noise] for M in BASES for noise in NOISES] for run in runs])
        for penalty in PENALTIES
    )
    medians, where = np.median(loose, axis=0), "3, fig. 4"
    ours = f"R², λ = 1e-5 {np.median(loose):.4f}"
    gain = lambda other: loose.mean(axis=1) - other.mean(axis=1)
    return [
        [where, "little depends on the number of basis functions and on the noise (R² within .005)",
         f"medians of R² at λ = 1e-5: {min(medians):.4f} to {max(medians):.4f}",
         *judged(np.ptp(loose, axis=1) < SAME)],
        [where, "a large λ distorts X (mean R² over settings, by .005)",
         f"{ours}, .1 {np.median(stiff):.4f}", *judged(gain(stiff) > 0, gain(stiff), SAME)],
        ["(ours)", "λ = 1e-5 is better than λ = 1e-3",
         f"{ours}, 1e-3 {np.median(middle):.4f}", *judged(gain(middle) > 0, gain(middle), SAME)],
        in_order(where, "UKR fails from noise 10", others, (10, "UKR"), wanted=False),
        in_order(where, "GPLVM fails from noise 10", others, (10, "GPLVM"), wanted=False),
        nearer("(ours)", "DRUR's R² is higher than GPLVM's", others, (10, "DRUR"), (10, "GPLVM")),
    ]  # fmt: skip


def claims_on_eigenmaps(runs):
    where, names = "3, fig. 5", ("start", "DRUR", "UKR", "GPLVM", "truth")
    uneven = {name: column(runs, name, 2) for name in names}
    medians = ", ".join(f"{name} {np.median(values):.2f}" for name, values in uneven.items())
    return [
        [where, "from Laplacian eigenmaps DRUR spreads X evenly", f"unevenness: {medians}",
         *judged(uneven["DRUR"] < uneven["start"])],
        nearer(where, "and X is nearer to the truth", runs, "DRUR"),
        *lesser_gains(where, "from that start", runs),
    ]  # fmt: skip


def claims_on_the_hole(runs):
    where = "3, fig. 8"
    return [
        *lesser_gains(where, "with the hole", runs),
        nearer(where, "from Isomap, with a hole: DRUR is nearer to the truth", runs, "DRUR"),
        nearer("(ours)", "the same with λ = 1e-3", runs, "DRUR, λ = 1e-3"),
    ]


def lesser_gains(where, what, runs):
    """That the rivals come less nearer to the truth than DRUR does."""
    gains = {name: column(runs, name) - column(runs, "start") for name in ("DRUR", "UKR", "GPLVM")}
    drur = gains.pop("DRUR")
    return [
        [where, f"{name} gains less than DRUR {what}",
         f"gain in R²: {quantiles(gain):+.3f}, DRUR {quantiles(drur):+.3f}",
         *judged(gain < drur, drur - gain, SAME)]
        for name, gain in gains.items()
    ]  # fmt: skip


def unrecovered_by_homotopy(runs):
    r2, order = np.array(runs).T
    says = "UKR with homotopy fails to recover the roll"
    ours = f"R² {quantiles(r2):.2f}, least rank correlation {quantiles(order):.2f}"
    return ["3, fig. 5", says, ours, *judged(order < RIGHT)]


def claims_on_noise(runs):
    named = lambda key, name: np.array([run[key][name] for run in runs])
    twenty, sixty = (20, "20 rounds"), (60, "20 rounds, 70 basis functions")
    by_recipe = named((60, "20 rounds, the coarse recipe"), "order")
    start, end, order = named(twenty, "start"), named(twenty, "r2"), named(sixty, "order")
    where, ours = "3, fig. 6", "least rank correlation"
    return [
        [where, "perfect from noise 20 (R² of at least .99)",
         f"R² {quantiles(start):.2f} → {quantiles(end):.4f}", *judged(end >= 0.99)],
        [where, "in global order up to noise 60 (70 basis functions)",
         f"{ours} {quantiles(order):.3f}", *judged(order > RIGHT)],
        ["(ours)", "the same with 30 and the recipe",
         f"{ours} {quantiles(by_recipe):.3f}", *judged(by_recipe > RIGHT)],
    ]  # fmt: skip


def claims_on_the_autoencoder(runs):
    says = "DRUR is more robust than the autoencoder (R², noise {})"
    return [
        *(
            in_order("3, fig. 6", claim, runs, (noise, "autoencoder"), wanted)
            for noise, claim, wanted in (
                (20, "the autoencoder works from noise 20", True),
                (40, "starts to lose the order at 40", False),
                (60, "and has lost it at 60", False),
            )
        ),
        *(
            nearer("5", says.format(noise), runs, (noise, "DRUR"), (noise, "autoencoder"))
            for noise in (20, 40, 60)
        ),
    ]


def claims_on_the_course(runs, hundred):
    before, first = np.array(hundred)[:, :2].T
    courses = np.array([run["course"] for run in runs])
    medians = ", ".join(f"{np.median(courses[:, k]):.4f}" for k in (1, 2, 10, 20))
    return [
        ["3, fig. 6", "100 dimensions: almost perfect after one round (R² .999)",
         f"R² {quantiles(before):.2f} → {quantiles(first):.4f}", *judged(first >= 0.999)],
        ["3, fig. 10", "hardly any change after two rounds (R² by less than .001)",
         f"R² after 1, 2, 10, 20 rounds: {medians}",
         *judged(np.abs(courses[:, 10] - courses[:, 2]) < 0.001)],
    ]  # fmt: skip


def claims_on_sevens(runs):
    where = "3, fig. 9"
    (opposite, off), (left, error) = (
        [column(runs, key, index) for index in (0, 1)] for key in ("start", "DRUR")
    )
    return [
        [where, "the loops of turned sevens are opened: fewer neighbours from opposite angles",
         f"over a quarter turn away {np.median(opposite):.0%} → {np.median(left):.0%}",
         *judged(left < opposite)],
        [where, "the angle is recovered (within 10°, from neighbours that are other sevens)",
         f"median error {np.median(off):.0f}° → {np.median(error):.1f}°", *judged(error < 10)],
    ]  # fmt: skip


def claims_on_parsimony(runs):
    rows = []
    for noise in (10, 20):
        a, b = (column(runs, (noise, name)) for name in ("parametric", "nonparametric"))
        says = f"30 basis functions are as good as one on every point (noise {noise}, "
        says += "1 - R² at most twice as large)"
        ours = f"R² {quantiles(a):.4f}, nDRUR {quantiles(b):.4f}"
        rows.append(["3", says, ours, *judged(1 - a <= 2 * (1 - b))])
    return rows


def claims_on_times(times):
    """Without seeds: a rule decides."""
    sizes, where = times["sizes"], "3, fig. 10"
    slope = lambda name, last: drur_times.slope(sizes[name], times["N"][name], last=last)
    in_d, end_of_d = (
        drur_times.slope(times["dimensions"], times["d"], last=last) for last in (None, 2)
    )
    last_two = {name: slope(name, 2) for name in sizes}
    whole, sparse = slope("pDRUR", None), last_two["UKR, quartic"]
    largest, seconds = sizes["pDRUR"][-1], times["N"]["pDRUR"][-1].value[0]
    return [
        [where, "time of pDRUR is at most linear in N (slope at most 1.1)",
         f"slope {whole:.2f}, of the last two {last_two['pDRUR']:.2f}: the cost of k-means and "
         "hold-out, on at most 5000 points, still dominates", *settled("one draw", whole <= 1.1)],
        [where, "and in d", f"slope {in_d:.2f}, of the last two {end_of_d:.2f}",
         *settled("one draw", in_d <= 1.1)],
        *(
            [where, f"{name} is quadratic or more in N (slope of the last two above 1.5)",
             f"slope {last_two[name]:.2f}, N = {sizes[name][-2]} to {sizes[name][-1]}",
             *settled("one draw", last_two[name] > 1.5)]
            for name in ("nDRUR", "GPLVM", "UKR, gaussian")
        ),
        ["(ours)", "UKR with a compact kernel is linear in N (slope of the last two at most 1.1)",
         f"quartic, sparse: slope {sparse:.2f}", *settled("one draw", sparse <= 1.1)],
        [where, f"N = {largest:,} in 74 minutes", f"{seconds:.1f} s on one processor of today",
         "one draw", "", "not comparable"],
    ]  # fmt: skip


# Tables


def on_quality(runs, N):
    asked = {10: 0.998, 20: 0.992}
    rows = []
    for noise, name in FITS:
        start, r2, order, full, spread = (
            np.array([run[noise, name][key] for run in runs["noise"]])
            for key in ("start", "r2", "order", "full", "spread")
        )
        wanted = at_least(asked[noise], quantiles(r2)) if noise in asked else ""
        ordered = f"{np.sum(order > RIGHT)} of {len(order)}"
        if "recipe" in name:
            ordered += f", {at_least(0.9, np.mean(order > RIGHT))}"
        cells = [f"noise {noise}, {name}", f"{np.median(start):.3f}", f"{quantiles(r2):.4f}"]
        spread = f"{np.median(spread):.2f}"
        rows.append([*cells, wanted, ordered, f"{quantiles(full):.3f}", spread])
    before, *_, after = np.array(runs["large"]).T
    cells = ["N = 20,000, d = 100, noise 10, 2 rounds", f"{np.median(before):.3f}"]
    after = quantiles(after)
    rows.append([*cells, f"{after:.4f}", at_least(0.999, after), "", "", ""])
    headings = ["", "R², start", "R², fit", "asked", "in order", "full steps"]
    return (
        f"What is restored: `ParametricDRUR` with 30 basis functions, N = {N}. Full steps: the "
        f"least share in any round.\n\n{table([*headings, 'spread, last / first'], rows)}"
    )


def on_convergence(projection, N):
    rows = []
    for noise, runs in projection.items():
        for name, rounds in (("1", FIRST), ("2", slice(1, 2)), ("3 to 10", LATER)):
            columns = [quantiles(shares(runs, k, rounds)) for k in range(len(MOVES) + 1)]
            asked = at_least(0.99, columns[-1]) if noise < 60 else ""
            rows.append(
                [noise, name, *(f"{part:.1%}" for part in columns[:-1])]
                + [f"{columns[-1]:.2%}", asked]
            )
    headings = [
        *("noise", "round", *(f"converged in {k}" for k in MOVES)),
        *("full steps", "asked"),
    ]
    return (
        f"Convergence of the projection, {ROUNDS} rounds. Shares of the {N} points, means over the "
        "rounds. A round of a fit stops after\nfour moves; the rest is left to the next "
        f"round.\n\n{table(headings, rows)}"
    )


def on_walks(walks, N):
    rows = []
    for noise, runs in walks.items():
        for which, label in ((0, "1"), (1, "5")):
            of_newton = of_walks(runs, "Gauss-Newton", lambda w: w.seconds, which)
            for name in MOST:
                middle = of_walks(runs, name, lambda w: np.median(w.moves), which)
                late = of_walks(runs, name, lambda w: np.sort(w.moves)[int(0.95 * N)], which)
                lost = of_walks(runs, name, lambda w: np.mean(np.isinf(w.moves)), which)
                ratio = of_walks(runs, name, lambda w: w.seconds, which) / of_newton
                rows.append(
                    [noise, label, name, f"{np.median(middle):.0f}", f"{np.median(late):.0f}"]
                    + [f"{quantiles(lost):.1%}", f"{quantiles(ratio):.1f}"]
                )
    headings = [
        *("noise", "round", "method", "moves, median point", "95 % of the points"),
        *("never", "time / Gauss-Newton"),
    ]
    most = ", ".join(f"{name} {moves}" for name, moves in MOST.items())
    return (
        "Other ways to the minima of E (7), from the same places, until the Gauss-Newton step from "
        "a point is below 1e-4 of the rms of X.\nWhere (9) is not positive definite, Newton's step "
        "is that of Gauss-Newton. All but the fixed point backtrack; gradient\ndescent begins with "
        f"twice the length of its last step. Moves at most: {most}.\n\n{table(headings, rows)}"
    )


def on_regularisation(runs, N):
    rows = [
        [f"{penalty:g}", M, *(f"{quantiles([r[penalty, M, s] for r in runs]):.4f}" for s in NOISES)]
        for penalty in PENALTIES
        for M in BASES
    ]
    headings = ["λ", "basis functions", *(f"R², noise {noise}" for noise in NOISES)]
    return f"Figure 4: N = {N}, 10 rounds (the paper: 100).\n\n{table(headings, rows)}"


def on_competitors(runs):
    rows = []
    for noise in (10, 20, 40, 60):
        for name in ("start", "DRUR", "autoencoder", "UKR", "GPLVM"):
            if (noise, name) in runs["competitors"][0]:
                of_seeds = [run[noise, name] for run in runs["competitors"]]
                rows.append([f"noise {noise}", name, *quality_cells(of_seeds), ""])
    for key, label in (("eigenmaps", "Laplacian eigenmaps"), ("hole", "hole, Isomap")):
        for name in runs[key][0]:
            of_seeds = [run[name] for run in runs[key]]
            even = np.median([run[2] for run in of_seeds])
            rows.append([label, name, *quality_cells(of_seeds), f"{even:.2f}"])
    for noise in (10, 20):
        for name in ("parametric", "nonparametric"):
            of_seeds = [run[noise, name] for run in runs["parsimony"]]
            label = f"N = 500, noise {noise}"
            rows.append([label, f"{name} DRUR", *quality_cells(of_seeds), ""])
    headings = ["start", "method", "R²", "least rank correlation", "in order", "unevenness"]
    return (
        "Figures 4, 5, 6 and 8: competitors from the same starts. DRUR: 30 basis functions, 20 "
        "rounds (10 at N = 500); autoencoder:\n70-2-70, at most 1000 moves of L-BFGS, its halves "
        "first fitted to the start; UKR: the start scaled to its least R_cv, at most\n500 moves; "
        "GPLVM: 50 moves, of which the last 25 change R² by less than .01 (seed 0). Isomap and "
        "Laplacian eigenmaps have 6, 8, 10 or\n12 neighbours, whichever are nearest to the truth. "
        "Unevenness: the deviation of the distance to the tenth neighbour, over its\nmean. Hole: "
        "N = 791.\n\n"
        f"{table(headings, rows)}"
    )


def quality_cells(of_seeds):
    r2, order = (np.array([run[k] for run in of_seeds]) for k in (0, 1))
    return [
        f"{quantiles(r2):.3f}",
        f"{quantiles(order):.3f}",
        f"{np.sum(order > RIGHT)} of {len(order)}",
    ]


def on_curves(runs):
    rows = [
        [
            "spiral",
            name,
            f"{quantiles(column(runs['spiral'], name)):.4f}",
            f"{np.median(column(runs['spiral'], name, 1)):.3f}" if name != "start" else "",
            *("", ""),
        ]
        for name in runs["spiral"][0]
    ]
    for name in runs["pieces"][0]:
        order, mixed, cosine = (column(runs["pieces"], name, k) for k in range(3))
        angle = f"{np.rad2deg(np.arccos(np.median(cosine))):.0f}°" if name != "start" else ""
        rows.append(
            ["curves", name, f"{quantiles(order):.4f}", "", f"{quantiles(mixed):.0%}", angle]
        )
    headings = [
        *("", "method", "order", "distance to the clean curve", "neighbours of another curve"),
        "angle of errors to f",
    ]
    return (
        "Figures 2 and 3: the spiral (N = 500, truth with noise of a tenth of its range, M = 10) "
        "and the disconnected curves (N = 700,\nfirst principal component, M = 20, order within "
        f"the worst curve).\n\n{table(headings, rows)}"
    )


if __name__ == "__main__":
    print(measured(quick=False))
