"""What lesson 30 says of maps for new points, on draws that it does not show."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE, Isomap
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import UKR, ParametricDRUR, datasets, metrics
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap

RESULTS = Path(__file__).parent / "benchmarks" / "RESULTS.md"


@pytest.fixture(scope="module")
def islands():
    """(Y, labels, new data, their labels, the map by t-SNE)."""
    Y, labels = load_digits(n_class=7, return_X_y=True)
    Y, new, labels, of_new = train_test_split(
        Y, labels, train_size=150, test_size=150, stratify=labels, random_state=301
    )
    X = TSNE(perplexity=20, max_iter=500, random_state=0).fit_transform(Y)
    return Y, labels, new, of_new, X


def test_on_the_islands_of_tsne_a_mean_is_better_than_a_ridge_and_leave_one_out_knows(islands):
    Y, labels, new, of_new, X = islands
    judge = KNeighborsClassifier(5).fit(X, labels)
    ridge, mean = KernelRidgeMap(fit_intercept=True).fit(Y, X), GRNNMap().fit(Y, X)
    assert mean.left_out_error_ < ridge.left_out_error_ / 3
    by_ridge, by_mean = ridge.predict(new), mean.predict(new)
    assert metrics.trustworthiness(by_mean, new) > metrics.trustworthiness(by_ridge, new) + 0.01
    assert judge.score(by_mean, of_new) > judge.score(by_ridge, of_new)
    projected = UKR(init=X, max_iter=0).fit(Y).transform(new)
    assert metrics.trustworthiness(projected, new) > metrics.trustworthiness(by_ridge, new) + 0.01


def sheets(seed):
    draw = lambda seed: datasets.s_curve(200, noise=0.1, height=3.0, random_state=seed)
    return *draw(seed), *draw(1000 + seed)


def explained(raw, Y, new, t_new):
    """R² of new points: KRR to the raw coordinates, and five rounds of DRUR."""
    by_ridge = KernelRidgeMap(fit_intercept=True).fit(Y, raw).predict(new)
    by_drur = ParametricDRUR(init=raw, max_iter=5).fit(Y).transform(new)
    return [metrics.procrustes_r2(x, t_new) for x in (by_ridge, by_drur)]


def test_drur_repairs_noisy_coordinates_of_which_a_ridge_averages_much_away():
    Y, t, new, t_new = sheets(401)
    raw = t + 0.8 * t.std(axis=0) * np.random.RandomState(401).normal(size=t.shape)
    by_ridge, by_drur = explained(raw, Y, new, t_new)
    assert metrics.procrustes_r2(raw, t) < 0.7 < 0.9 < by_ridge < by_drur


def test_drur_does_not_always_improve_on_coordinates_of_isomap():
    gains = []
    for seed in (401, 402, 403, 404):
        Y, _, new, t_new = sheets(seed)
        by_ridge, by_drur = explained(Isomap(n_neighbors=8).fit_transform(Y), Y, new, t_new)
        gains.append(by_drur - by_ridge)
    assert min(gains) < 0 and np.median(gains) < 0.02


def test_the_bench_has_grnn_ahead_on_digits():
    row = re.search(r"\| 400 digits +\| ([\d.]+) +\| ([\d.]+)", RESULTS.read_text(encoding="utf-8"))
    assert float(row[2]) > float(row[1]) + 0.01
