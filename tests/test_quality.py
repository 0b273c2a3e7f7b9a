"""How good the fits are, where that is quick to see. All seeds and sizes: tests/benchmarks."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.manifold import Isomap

from ukrlearn import UKR, KernelDensityClassifier, datasets, metrics
from ukrlearn.estimators._ukr_scheme import FEW_MOVES
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import relative_density

SEEDS = [0, 2, 3]


@pytest.fixture(scope="module")
def spirals():
    """Fits of the noisy spiral with all defaults, and their true order."""
    data = [datasets.noisy_spiral(300, random_state=seed) for seed in SEEDS]
    return [(UKR(n_components=1).fit(Y), t) for Y, t in data]


def test_the_order_of_the_noisy_spiral_is_recovered(spirals):
    for model, t in spirals:
        assert metrics.order_recovered(model.embedding_, t) > 0.95


def test_the_noisy_spiral_is_rebuilt_nearly_to_its_noise(spirals):
    errors = [model.cv_error_ for model, _ in spirals]  # two coordinates with noise .05: .005
    assert np.max(errors) <= 0.0028  # .0023 in nine of ten draws
    assert np.median(errors) <= 0.0020


def test_new_points_of_the_noisy_spiral_are_near_the_manifold(spirals):
    new, _ = datasets.noisy_spiral(1000, random_state=100)
    errors = [-model.score(new) for model, _ in spirals]
    assert np.median(errors) <= 0.0025


def test_the_race_finds_what_the_error_of_a_start_does_not_show(spirals):
    by_error_of_start = []
    for model, _ in spirals:
        ready = [start for start in model.starts_ if start.X is not None]
        by_error_of_start.append(min(ready, key=lambda start: start.cv_error).chosen)
    assert not all(by_error_of_start)


@pytest.fixture(scope="module")
def pipe():
    """Oil flow from the PCA start through the homotopy, recorded."""
    Y, labels = datasets.simulated_oil_flow(300, random_state=0)
    model = UKR(init="pca", record=True, max_iter=300).fit(Y)
    return model, Y, labels


def test_the_constraint_holds_exactly_in_every_stage_of_the_homotopy(pipe):
    model, _, _ = pipe
    for threshold in homotopy.PAPER_THRESHOLDS:
        frames = [frame for frame in model.history_ if frame.stage == f"eta={threshold:g}"]
        assert len(frames) == FEW_MOVES + 1
        assert min(relative_density(frame.X).min() for frame in frames) >= threshold


def test_the_homotopy_unfolds_what_pca_leaves_folded(pipe):
    model, _, _ = pipe
    assert model.cv_error_ < 0.15 * model.history_[0].error
    # The thresholds bind: the last points reach the border of each stage.
    for stage in ("eta=0.5", "eta=0.1", "eta=0.01"):
        last = [frame for frame in model.history_ if frame.stage == stage][-1]
        assert relative_density(last.X).min() < 1.3 * float(stage.removeprefix("eta="))


def test_regimes_of_flow_are_told_apart_far_better_than_by_pca(pipe):
    model, Y, labels = pipe
    new, of_new = datasets.simulated_oil_flow(500, random_state=100)
    classifier = KernelDensityClassifier().fit(model.embedding_, labels)
    wrong = classifier.predict(model.transform(new)) != of_new
    pca = PCA(2).fit(Y)
    classifier = KernelDensityClassifier(bandwidth="lcv").fit(pca.transform(Y), labels)
    wrong_by_pca = classifier.predict(pca.transform(new)) != of_new
    assert wrong.mean() < 0.06 and wrong.sum() < wrong_by_pca.sum() / 3


def test_the_race_picks_the_neighbourhood_that_keeps_the_sheet_of_the_swiss_roll():
    Y, t = datasets.swiss_roll(600, noise=0.3, random_state=1)
    starts = [Isomap(n_neighbors=K) for K in (6, 8, 10, 20)]
    model = UKR(init=starts, max_iter=20).fit(Y)
    assert metrics.procrustes_r2(model.embedding_, t) > 0.95
    assert metrics.trustworthiness(model.embedding_, Y) > 0.99
    found = [metrics.procrustes_r2(start.X, t) for start in model.starts_]
    assert found[[start.chosen for start in model.starts_].index(True)] == max(found)
    assert min(found) < 0.5
