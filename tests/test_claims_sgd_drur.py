"""What lessons 14 to 21 and their appendices say of [SGD] and [DRUR], on draws that none shows."""

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression
from sklearn.metrics import adjusted_rand_score

from ukrlearn import SNE, ParametricDRUR, datasets, drur, metrics, sgd
from ukrlearn.blocks import descent, scales, starts
from ukrlearn.blocks.networks import basis, best_width, cluster_centres, fit_rbf
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.ukr.reconstruction import reconstruction_error

RESULTS = Path(__file__).parent / "benchmarks" / "RESULTS.md"
RIGHT = 0.95  # rank correlation above which an order is right
DRAWS = range(700, 708)


def right_orders(found, t):
    return metrics.order_recovered(found, t) > RIGHT


def descended(Y, start, filters=None):
    """Where UKR's error leads in 200 moves of gradient descent, guided or not."""
    method = descent.gradient_descent
    method = method if filters is None else sgd.guided(method, filters)
    return descent.last(descent.at_most(method(partial(reconstruction_error, Y=Y), start), 200))


def at_its_best_scale(X, Y):
    X = scales.normalised(X)
    return X * scales.best_scale(X, lambda X: reconstruction_error(X, Y)[0]).scale


# ------------------------------------------------------------------ the helix is no hard curve


def test_the_first_principal_component_puts_the_helix_in_order():
    helices = [datasets.noisy_helix(200, random_state=seed) for seed in DRAWS]
    assert all(right_orders(starts.pca(Y, 1), t) for Y, t in helices)


def test_whether_kernel_pca_orders_the_helix_depends_on_its_bandwidth():
    helices = [datasets.noisy_helix(200, random_state=seed) for seed in DRAWS]

    def count(h):
        spectra = (sgd.decompose(sgd.kernel_pca_affinity(Y, h)) for Y, _ in helices)
        first = [spectrum.vectors[:, 0] for spectrum in spectra]
        return sum(right_orders(x, t) for x, (_, t) in zip(first, helices, strict=True))

    assert count(0.4) <= 2 and count(8.0) == len(helices)


def test_gradient_descent_from_the_first_principal_component_fits_the_helix():
    for seed in DRAWS[:3]:
        Y, t = datasets.noisy_helix(200, random_state=seed)
        end = descended(Y, at_its_best_scale(starts.pca(Y, 1), Y))
        assert right_orders(end.X, t) and end.error < 0.035


def test_linear_pca_and_plain_descent_miss_the_figure_eight_that_eigenmaps_order():
    found = {"random": 0, "linear": 0, "eigenmaps": 0}
    for seed in DRAWS[:3]:
        random = np.random.RandomState(seed)
        t = random.uniform(size=200)
        angle = 2 * np.pi * (0.93 * t - 0.715)
        eight = np.column_stack([1.5 * np.sin(angle), np.sin(2 * angle), 0.4 * np.cos(angle)])
        Y = eight + 0.07 * random.normal(size=(200, 3))
        linear = at_its_best_scale(starts.pca(Y, 1), Y)
        found["linear"] += right_orders(descended(Y, linear).X, t)
        found["random"] += right_orders(descended(Y, starts.random((200, 1), 0.1, seed)).X, t)
        found["eigenmaps"] += right_orders(starts.laplacian_eigenmaps(Y, 1, 12), t)
    assert found["random"] == found["linear"] == 0 and found["eigenmaps"] >= 2


def test_a_plain_descent_is_never_far_from_the_order_along_the_s_curve():
    for seed in DRAWS[:3]:
        Y, t = datasets.s_curve(200, random_state=seed)
        X = SNE(2, h=0.5, tol=0, random_state=seed).fit(Y).embedding_
        assert metrics.orders_recovered(X, t)[0] > 0.8


# ------------------------------------------------------------------ springs and eigenvectors


def leading(P, number):
    """The leading eigenvectors of P + Pᵀ, without the constant one."""
    centred = np.eye(len(P)) - 1 / len(P)
    return np.linalg.eigh(centred @ (P + P.T) @ centred)[1][:, -number:]


def crosses(X):
    """Whether the closed polygon through the points crosses itself, edge by edge."""
    ends = list(zip(X, np.roll(X, -1, axis=0), strict=True))

    def side(edge, point):
        (a, b), p = edge, point
        return np.sign((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]))

    return any(
        side(one, other[0]) * side(one, other[1]) < 0
        and side(other, one[0]) * side(other, one[1]) < 0
        for k, one in enumerate(ends)
        for other in ends[:k]
    )


@pytest.mark.parametrize(
    "make, h, q, least",
    [
        (partial(datasets.partitioned_circle, 150), 0.3, 2, 0.85),
        (partial(datasets.s_curve, 200), 0.5, 2, 0.6),
        (partial(datasets.noisy_helix, 200), 0.4, 1, 0.2),
    ],
)
def test_the_first_moves_of_sne_are_a_power_iteration(make, h, q, least):
    shares = []
    for seed in DRAWS:
        P = neighbor_embedding.neighbor_probabilities(make(random_state=seed)[0], h)
        X = starts.random((len(P), q), 0.01, seed)
        steps = descent.gradient_descent(neighbor_embedding.objective_of(P), X)
        X = descent.last(descent.at_most(steps, 3)).X
        X = X - X.mean(axis=0)
        shares.append(np.sum((leading(P, 2 * q).T @ X) ** 2) / np.sum(X**2))
    assert np.median(shares) > least


def test_near_zero_the_gradient_of_sne_is_minus_the_affinity_times_X():
    cosines = []
    for seed in DRAWS:
        Y, _ = datasets.partitioned_circle(90, random_state=seed)
        P = neighbor_embedding.neighbor_probabilities(Y, 0.3)
        X = starts.random((90, 2), 1e-5, seed)
        X -= X.mean(axis=0)
        A = P + P.T
        _, gradient = neighbor_embedding.objective_of(P)(X)
        exact = 2 / 90 * ((A.sum(axis=1, keepdims=True) - 2) * X - A @ X)
        np.testing.assert_allclose(gradient, exact, atol=1e-6 * np.abs(exact).max())
        cosine = np.sum(gradient * (A @ X)) / np.linalg.norm(gradient) / np.linalg.norm(A @ X)
        cosines.append(-cosine)
    assert np.median(cosines) > 0.9  # .88 to .99 in 40 draws


def test_sne_closes_the_ring_of_sevens_from_eigenvectors_and_seldom_from_a_random_start():
    from_eigenvectors, at_random = [], []
    for seed in DRAWS[:4]:
        sevens, _ = datasets.rotated_digits(1, 90, random_state=seed)
        V = leading(neighbor_embedding.neighbor_probabilities(sevens, 10), 2)
        fit = partial(SNE, 2, h=10)
        start = 0.01 * np.sqrt(90) * V
        from_eigenvectors.append(not crosses(fit(init=start).fit_transform(sevens)))
        for draw in range(4):
            X = fit(random_state=10 * seed + draw).fit_transform(sevens)
            at_random.append(not crosses(X))
    assert sum(from_eigenvectors) >= 3 and sum(at_random) <= 6


def test_two_components_of_a_turned_seven_mostly_put_opposite_angles_together():
    folded = 0
    for seed in DRAWS:
        sevens, angle = datasets.rotated_digits(1, 90, random_state=seed)
        folded += opposite(starts.pca(sevens, 2), angle) > 0.5
    assert folded >= 6


def test_eigenvectors_of_a_turned_seven_make_a_ring():
    rings = 0
    for seed in DRAWS:
        sevens, _ = datasets.rotated_digits(1, 90, random_state=seed)
        K = np.exp(-cdist(sevens, sevens, "sqeuclidean") / 10)
        rings += not crosses(np.linalg.eigh(np.diag(K.sum(axis=1)) - K)[1][:, 1:3])
    assert rings >= 7


def test_k_means_finds_interlocking_curves_in_eigenvectors_and_not_in_the_data():
    right = {"data": 0, "auto": 0, "wide": 0}
    for seed in DRAWS:
        Y, t = datasets.disconnected_curves(300, random_state=seed)
        of_M = [
            sgd.decompose(sgd.clustering_affinity(Y, h)).vectors[:, :3]
            for h in (sgd.typical_bandwidth(Y), 0.3)
        ]
        for name, points in zip(right, (Y, *of_M), strict=True):
            group = KMeans(3, n_init=10, random_state=0).fit_predict(points)
            right[name] += adjusted_rand_score(np.floor(t), group) > 0.99
    assert right["data"] == right["wide"] == 0 and right["auto"] >= 7


def test_when_deflation_stops_hardly_matters_on_the_s_curve_and_no_move_stands_still():
    finals = {limit: [] for limit in (0, 5, 10, 20)}
    for seed in DRAWS[:3]:
        Y, _ = datasets.s_curve(200, random_state=seed)
        objective, X = neighbor_embedding.objective(Y, 0.5), starts.random((200, 2), 0.01, seed)
        spectrum = SpectralGuidance(h=0.5).spectrum(Y)
        for limit, errors in finals.items():
            filters = [
                sgd.Deflation(spectrum, nu) if nu > limit else sgd.powers(spectrum, nu)
                for nu in range(20, -1, -1)
            ]
            method = sgd.guided(descent.gradient_descent, filters)
            run = [step.error for step in descent.at_most(method(objective, X), 200)]
            assert np.all(np.diff(run[:21]) < 0)
            errors.append(run[-1])
    medians = [np.median(errors) for errors in finals.values()]
    assert max(medians) < 1.3 * min(medians)


def test_side_information_is_a_mean_of_choices_and_helps_more_often_than_it_harms():
    images, digits = datasets.digits(None)
    four = np.isin(digits, (3, 5, 8, 9))
    images, digits = images[four], digits[four]

    def near_known(seed, share):
        chosen = np.random.RandomState(seed).permutation(len(images))[:200]
        Y, digit, known = images[chosen], digits[chosen], np.arange(200) < 60
        P = neighbor_embedding.neighbor_probabilities(Y, sgd.typical_bandwidth(Y) / 2)
        S = ((digit[:, None] == digit) & known[:, None] & known) | np.eye(200, dtype=bool)
        S, share = S / S.sum(axis=1, keepdims=True), np.where(known, share, 0)[:, None]
        objective = neighbor_embedding.objective_of((1 - share) * P + share * S)
        X = 0.01 * np.sqrt(200) * leading(P, 2)
        X = descent.last(descent.at_most(descent.gradient_descent(objective, X), 200)).X
        return np.mean(digit[known][cdist(X[~known], X[known]).argmin(axis=1)] == digit[~known])

    gains = [near_known(seed, 0.3) - near_known(seed, 0) for seed in DRAWS[:3]]
    assert np.median(gains) > 0 and sum(gain > 0 for gain in gains) >= 2


# ------------------------------------------------------------------ two maps


def roll(noise, seed, N):
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    return Y, t, t + noise * np.random.RandomState(seed + 1).normal(size=t.shape)


def fitted_to(inputs, outputs):
    centres = cluster_centres(inputs, 30)
    width = best_width(inputs, outputs, centres, 1e-5)
    return fit_rbf(inputs, outputs, centres, width, 1e-5)


def test_a_first_round_from_F_of_Y_is_usually_the_better_one():
    better = 0
    for seed in DRAWS:
        Y, t, X = roll(10, seed, 300)
        Y = (Y - Y.mean(axis=0)) / np.sqrt(Y.var(axis=0).sum())
        X = (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0).sum()) / 2
        F = fitted_to(Y, X)
        after = [drur.project(fitted_to(x, Y), x, Y, F(Y)).X for x in (X, F(Y))]
        as_printed, from_F = (metrics.procrustes_r2(x, t) for x in after)
        better += from_F > as_printed
    assert better >= 6


def test_the_coarse_recipe_does_not_raise_the_median_for_few_points():
    options = {"plain": {}, "recipe": dict(coarse=10, penalty=1e-3)}
    r2 = {name: [] for name in options}
    for seed in DRAWS[:3]:
        Y, t, X = roll(60, seed, 400)
        for name, of_fit in options.items():
            found = ParametricDRUR(init=X, **of_fit).fit(Y).embedding_
            r2[name].append(metrics.procrustes_r2(found, t))
    assert np.median(r2["recipe"]) < np.median(r2["plain"])


def test_the_first_components_of_turned_sevens_are_the_second_harmonic_and_the_next_the_first():
    for seed in DRAWS[:4]:
        sevens, angle = datasets.rotated_digits(20, 90, random_state=seed)
        components, turn = starts.pca(sevens, 4), np.deg2rad(angle)
        waves = np.exp(1j * np.outer([1, 2], turn))
        shares = 2 * np.abs(waves @ components / len(turn)) ** 2 / components.var(axis=0)
        assert shares[1, :2].min() > 0.9 and shares[0, 2:].min() > 0.7
        assert opposite(components[:, :2], angle) > 0.5 > 0.2 > opposite(components[:, 2:], angle)


def opposite(X, angle):
    """Share of the five nearest neighbours that are turned by more than 90 degrees."""
    _, near = cKDTree(X).query(X, 6)
    apart = np.abs((angle[near[:, 1:]] - angle[:, None] + 180) % 360 - 180)
    return np.mean(apart > 90)


# ------------------------------------------------------------------ a camera on a rail


def smooth(inputs, outputs, penalty=1e-3):
    centres = cluster_centres(inputs, 20)
    width = best_width(inputs, outputs, centres, penalty)
    return fit_rbf(inputs, outputs, centres, width, penalty)


def slipped(seed, noise, N=200):
    """Pictures, true positions, and a log that is off by this share of the rail."""
    Y, t = datasets.camera_on_a_rail(N, random_state=seed)
    return Y, t, (t + noise * np.random.RandomState(seed + 1).normal(size=N))[:, None]


def test_only_the_map_back_minds_torn_positions_and_positions_far_apart():
    for seed in DRAWS:
        Y, t = datasets.camera_on_a_rail(80, random_state=seed)
        tidy = 2 * t[:, None] - 1
        coins = np.random.RandomState(seed + 1).rand(80, 1) < 0.5
        torn = tidy + np.where(coins, -1.5, 1.5)
        of_f = [np.sum((Y - smooth(X, Y)(X)) ** 2) for X in (tidy, torn)]
        of_F = [np.sum((X - smooth(Y, X)(Y)) ** 2) for X in (tidy, torn)]
        assert 0.8 < of_f[1] / of_f[0] < 1.5 and 120 < of_F[1] / of_F[0] < 2000
        shuffled = np.random.RandomState(seed + 2).permutation(tidy)
        sets = shuffled, 64 * shuffled
        apart = [np.sum((Y - fit_rbf(X, Y, X, 0.1, 1e-3)(X)) ** 2) for X in sets]
        assert apart[1] < 0.1 * apart[0]


def test_a_log_that_is_off_by_a_tenth_is_repaired_best_by_radial_basis_functions():
    best, from_F = 0, 0
    for seed in DRAWS:
        Y, t, log = slipped(seed, 0.1)
        options = dict(init=log, n_basis=20, penalty=1e-3, max_iter=10)
        drur_r2 = metrics.procrustes_r2(ParametricDRUR(1, **options).fit_transform(Y), t)
        rivals = [
            ParametricDRUR(1, model="mlp", **options),
            AutoencoderBaseline(1, n_basis=20, init=log),
            GPLVMBaseline(1, init=log),
        ]
        assert drur_r2 > 0.99
        best += drur_r2 > max(metrics.procrustes_r2(rival.fit_transform(Y), t) for rival in rivals)
        Y = (Y - Y.mean(axis=0)) / np.sqrt(Y.var(axis=0).sum())
        X = (log - log.mean()) / log.std() / 2
        F = smooth(Y, X)
        after = [drur.project(smooth(x, Y), x, Y, F(Y)).X for x in (X, F(Y))]
        from_F += metrics.procrustes_r2(after[1], t) > metrics.procrustes_r2(after[0], t)
    assert best >= 6 and from_F >= 6


def test_a_log_that_is_off_by_four_tenths_of_the_rail_is_mostly_repaired():
    options = dict(n_basis=20, penalty=1e-3, max_iter=10)
    before, after = [], []
    for seed in DRAWS:
        Y, t, log = slipped(seed, 0.4, 500)
        before.append(metrics.procrustes_r2(log, t))
        found = ParametricDRUR(1, init=log, **options).fit_transform(Y)
        after.append(metrics.procrustes_r2(found, t))
    assert np.median(before) < 0.45 and np.median(after) > 0.95


def test_a_refined_place_is_nearer_and_stops_less_short_at_the_ends_of_the_rail():
    for seed in DRAWS:
        Y, t, log = slipped(seed, 0.1)
        model = ParametricDRUR(1, init=log, n_basis=20, penalty=1e-3, max_iter=10).fit(Y)
        to_rail = LinearRegression().fit(model.embedding_, t).predict
        new, where = datasets.camera_on_a_rail(1000, random_state=seed + 1000)
        ends, off, short = np.abs(where - 0.5) > 0.47, [], []
        for refine in (False, True):
            wrong = to_rail(model.set_params(refine=refine).transform(new)) - where
            off.append(np.sqrt(np.mean(wrong**2)))
            short.append(np.mean(-np.sign(where - 0.5)[ends] * wrong[ends]))
        assert off[0] > 2 * off[1] and short[0] > max(short[1], 0)


# ------------------------------------------------------------------ more rounds, half rounds


def test_from_round_10_to_round_50_the_fit_moves_away_from_the_truth():
    lost = []
    for seed in DRAWS[:4]:
        Y, t, X = roll(10, seed, 400)
        model = ParametricDRUR(init=X, max_iter=50, record=True).fit(Y)
        ten, fifty = (metrics.procrustes_r2(model.history_[k].X, t) for k in (10, 50))
        lost.append(ten - fifty)
    assert sum(loss > 0 for loss in lost) >= 3 and 0 < np.median(lost) < 0.03


def test_with_fixed_centres_and_a_moderate_penalty_no_half_round_raises_the_objective():
    def objective(f, F):
        rough = sum(np.vdot(g.W, basis(g.centres, g.centres, g.width) @ g.W) for g in (f, F))
        return np.sum((Y - f(X)) ** 2) + np.sum((X - F(Y)) ** 2) + 1e-3 * rough

    for seed in DRAWS[:4]:
        Y, _, X = roll(10, seed, 300)
        Y, X = (A - A.mean(axis=0) for A in (Y, X))
        Y, X = Y / np.sqrt(Y.var(axis=0).sum()), X / np.sqrt(X.var(axis=0).sum()) / 2
        of_X, of_Y = cluster_centres(X, 30), cluster_centres(Y, 30)
        widths = best_width(X, Y, of_X, 1e-3), best_width(Y, X, of_Y, 1e-3)
        seen = []
        for _ in range(15):
            f, F = fit_rbf(X, Y, of_X, widths[0], 1e-3), fit_rbf(Y, X, of_Y, widths[1], 1e-3)
            seen.append(objective(f, F))
            X = drur.project(f, X, Y, F(Y)).X
            seen.append(objective(f, F))
        assert np.all(np.diff(seen) <= 1e-12 * seen[0])


def test_the_map_back_alone_puts_more_turned_test_sevens_upside_down():
    upside_down = []
    for seed in DRAWS[:3]:
        Y, angle = datasets.rotated_digits(21, 90, random_state=seed)
        model = ParametricDRUR(init="pca", n_basis=5, penalty=0.01, max_iter=10).fit(Y[:1800])
        near = cKDTree(model.embedding_)
        shares = []
        for refine in (False, True):
            places = model.set_params(refine=refine).transform(Y[1800:])
            off = np.abs((angle[near.query(places)[1]] - angle[1800:] + 180) % 360 - 180)
            shares.append(np.mean(off > 90))
        upside_down.append(shares)
    assert np.all(np.median(upside_down, axis=0) < 0.5)
    assert np.median(np.diff(upside_down)) < 0


# ------------------------------------------------------------------ tables of claims


def test_no_claim_of_ours_is_put_into_a_papers_mouth():
    claims = re.findall(r"^\| (.*?) \| (.*?) \|", RESULTS.read_text(encoding="utf-8"), re.M)
    where = [(place.strip(), claim.strip()) for place, claim in claims]
    ours = [claim for place, claim in where if place.startswith("(ours)")]
    assert sum(claim.endswith("in the first round alone") for claim in ours) == 4
    assert any(claim.startswith("UKR with a compact kernel") for claim in ours)
    assert any("each at its own h: helix" in claim for claim in ours)
    assert ("3, fig. 5", "UKR with homotopy fails to recover the roll") in where
