"""UKR and SNE under the guidance of the spectrum of their data: what it brings, what it refuses."""

import pickle
from functools import partial

import numpy as np
import pytest
from helpers import each, read_only

from ukrlearn import SNE, UKR, SpectralGuidance, datasets, metrics, sgd
from ukrlearn.estimators.guidance import SCHEDULES
from ukrlearn.sgd.affinity import clustering_affinity

HELIX, T = read_only(*datasets.noisy_helix(300, random_state=0))


# The figures asked of the helix: two of its twenty seeds; the table of all is `make bench`'s.


@each("seed", [0, 4])
@each("fields", [dict(schedule="nu"), dict(schedule="directions"), dict(schedule="l")])
def test_from_a_random_start_guidance_finds_the_order_of_a_helix(seed, fields):
    Y, t = datasets.noisy_helix(300, random_state=seed)
    common = dict(init="random", descent="gradient", max_iter=200, random_state=seed + 100)
    model = UKR(1, **common, guidance=SpectralGuidance(h=1.0, **fields)).fit(Y)
    assert metrics.order_recovered(model.embedding_[:, 0], t) > 0.95
    assert model.cv_error_ < 0.03
    assert model.starts_[0].name == "random" and model.starts_[0].chosen


@pytest.mark.parametrize("descent", ["rprop", "l-bfgs"])
def test_guided_rprop_and_lbfgs_find_it_too(descent):
    guidance = SpectralGuidance(h=1.0)
    model = UKR(1, init="random", descent=descent, max_iter=200, guidance=guidance).fit(HELIX)
    assert metrics.order_recovered(model.embedding_[:, 0], T) > 0.95


def test_guided_ukr_keeps_neighbors_of_a_sheet_together_from_a_random_start():
    Y, _ = datasets.s_curve(300, random_state=0)
    fit = partial(UKR, 2, init="random", descent="gradient", max_iter=150)
    guided, free = fit(guidance=SpectralGuidance(h=1.0)).fit(Y), fit().fit(Y)
    trust = [metrics.trustworthiness(Y, model.embedding_) for model in (guided, free)]
    assert trust[0] > 0.98 and trust[0] > trust[1] + 0.01


def test_guidance_sees_a_gram_matrix_as_its_distances():
    fit = lambda **of: UKR(
        1, init="random", descent="gradient", max_iter=20, guidance=SpectralGuidance(h=1.0), **of
    ).fit(HELIX[:80])
    assert fit(data_kernel="linear").cv_error_ == pytest.approx(fit().cv_error_, rel=1e-4)


def test_the_guided_moves_are_not_stopped_for_being_flat():
    flat = SpectralGuidance(schedule="constant", l=1, steps=30, h=1.0)
    model = UKR(1, init="random", guidance=flat, descent="gradient", max_iter=80).fit(HELIX)
    assert 30 < model.n_iter_


def test_one_eigendecomposition_a_fit(monkeypatch):
    calls = []
    eigh = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda M: calls.append(len(M)) or eigh(M))
    SNE(n_components=1, max_iter=30, guidance=SpectralGuidance(h=1.0)).fit(HELIX[:60])
    assert calls == [60]


# ------------------------------------------------------------------ bad input


def test_a_guidance_pickles_and_is_frozen():
    guidance = SpectralGuidance(h=0.5, schedule="nu", nu=7)
    assert pickle.loads(pickle.dumps(guidance)) == guidance
    with pytest.raises(AttributeError):
        guidance.nu = 3


@each(
    "fields, error, message",
    [
        (dict(steps=10**9), ValueError, "guidance: steps must be at most 1000; got 1000000000"),
        (dict(steps=1), ValueError, "guidance: steps must be at least 2"),
        (
            dict(matrix=np.eye(4)),
            ValueError,
            r"matrix must be N x N, \(300, 300\); got shape \(4, 4\)",
        ),
        (dict(matrix=np.full((300, 300), np.nan)), ValueError, "matrix must be finite"),
        (dict(matrix=np.triu(np.ones((300, 300)))), ValueError, "matrix must be symmetric"),
        (
            dict(matrix=1 - np.eye(300)),
            ValueError,
            "must be positive semidefinite.* from -1 to 299",
        ),
        (dict(h=1e40), ValueError, "all points look alike"),
        (dict(h=1e40, matrix="kpca"), ValueError, "all points look alike"),
    ],
)
@each("estimator", [UKR(1, init="random"), SNE(1)], ids=["UKR", "SNE"])
def test_bad_guidance_is_refused_in_words(estimator, fields, error, message):
    estimator.set_params(guidance=SpectralGuidance(**fields), max_iter=3)
    with pytest.raises(error, match=message):
        estimator.fit(HELIX)


def test_a_bandwidth_that_isolates_every_point_is_said_and_guides_nothing():
    parameters = dict(n_components=1, init="random", descent="gradient", max_iter=30)
    with pytest.warns(UserWarning, match="most points have no neighbours.*squared distance of"):
        model = UKR(**parameters, guidance=SpectralGuidance(h=1e-12)).fit(HELIX)
    free = UKR(**parameters).fit(HELIX)
    assert model.cv_error_ == pytest.approx(free.cv_error_, rel=0.3)


@each("schedule", SCHEDULES)
@each("matrix", ["clustering", "kpca", "neighbors"])
def test_duplicates_pieces_few_points_and_large_l(schedule, matrix):
    for Y in (
        np.repeat(HELIX[:4], 5, axis=0),
        np.vstack([HELIX[:10], HELIX[:10] + 1e3]),
        HELIX[:4],
    ):
        for l in (None, len(Y), 10**6):
            guidance = SpectralGuidance(schedule=schedule, matrix=matrix, l=l)
            X = UKR(1, init="random", guidance=guidance, max_iter=4).fit(Y).embedding_
            assert np.isfinite(X).all()


def test_equal_data_and_no_leave_one_out():
    model = UKR(1, guidance=SpectralGuidance(), max_iter=3).fit(np.ones((6, 2)))
    assert model.cv_error_ == 0
    with pytest.raises(ValueError, match="guidance works with leave-one-out only"):
        UKR(1, guidance=SpectralGuidance(), leave_out=0, density_threshold=0.1).fit(HELIX)


def test_a_matrix_of_your_own_and_a_callable_are_the_same():
    M = clustering_affinity(HELIX, 1.0)
    fits = [
        UKR(1, init="random", guidance=SpectralGuidance(matrix=matrix), max_iter=5).fit(HELIX)
        for matrix in (M, partial(clustering_affinity, h=1.0))
    ]
    assert np.array_equal(fits[0].embedding_, fits[1].embedding_)


# ------------------------------------------------------------------ where the borders are


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_matrix_of_any_size_is_judged_by_its_own_size(size):
    Y = HELIX[:12]
    M = size * clustering_affinity(Y, 1.0)
    spectrum_of = lambda M: SpectralGuidance(matrix=M).spectrum(Y)
    noise = np.triu(np.full((12, 12), size), 1)
    assert np.isfinite(spectrum_of(M + 1e-11 * noise).values).all()
    with pytest.raises(ValueError, match="must be symmetric"):
        spectrum_of(M + 1e-5 * noise)
    lowest = np.linalg.eigvalsh(M)[0]
    below = lambda depth: M - (lowest + depth * size) * np.eye(12)
    assert np.isfinite(spectrum_of(below(1e-10)).values).all()
    for depth in (1e-6, 0.5):
        with pytest.raises(ValueError, match="must be positive semidefinite"):
            spectrum_of(below(depth))
    with pytest.raises(ValueError, match="must be positive semidefinite"):
        spectrum_of(-M)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_how_large_h_may_be_goes_with_the_data(size):
    Y = size * HELIX[:30]
    squared = 2 * Y.var(axis=0).sum()
    assert np.isfinite(SpectralGuidance(h=0.9e10 * squared).spectrum(Y).values).all()
    with pytest.raises(ValueError, match="all points look alike"):
        SpectralGuidance(h=1.1e10 * squared).spectrum(Y)


def test_pairs_are_not_alone():
    apart = 1e3 * np.arange(8.0)[:, None]
    pairs = np.vstack([apart, apart + 0.3])
    spectrum = SpectralGuidance(h=1.0).spectrum(pairs)  # no warning
    assert 1 - 1e-9 < spectrum.values[6] and spectrum.values[8] < 0.1


@pytest.mark.parametrize("nu", [0, 0.5, 1])
def test_a_power_below_one_is_held_at_one(nu):
    guidance = SpectralGuidance(h=1.0, schedule="nu-hold", nu=nu)
    spectrum = guidance.spectrum(HELIX)
    filters, later = guidance.stages(spectrum, 1)
    at_one = sgd.powers(spectrum, 1).weights
    assert len(filters) == 1 and np.array_equal(filters[0].weights, at_one)
    assert np.array_equal(next(later).weights, at_one)
