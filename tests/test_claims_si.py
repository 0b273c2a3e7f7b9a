"""What lesson 29 says of [SI], on splits of the wine data that it does not show."""

import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from ukrlearn.si.dissimilarity import (
    WithLabels,
    label_distance,
    mean_distance,
    mean_squared_distance,
)
from ukrlearn.si.isomap import agglomerative_isomap

WINE = load_wine()
DRAWS = range(200, 220)


def split(seed, standardised=True):
    """Training bottles, new bottles, and the growers of both."""
    Y, new, labels, truth = train_test_split(
        WINE.data, WINE.target, test_size=60, stratify=WINE.target, random_state=seed
    )
    if standardised:
        scaler = StandardScaler().fit(Y)
        Y, new = scaler.transform(Y), scaler.transform(new)
    return Y, new, labels, truth


def shuffled(labels, seed):
    return np.random.RandomState(seed).permutation(labels)


def embedded(Y, labels, alpha):
    return agglomerative_isomap(WithLabels(Y, labels, alpha, mean_squared_distance(Y)), 2, 10)


def found(X, labels):
    return KNeighborsClassifier().fit(X, labels).score(X, labels)


def test_grower_2_is_in_the_middle_of_the_tree_of_classes():
    for seed in DRAWS:
        Y, _, labels, _ = split(seed)
        graph = embedded(Y, labels, 0.0).graph
        joined = {tuple(sorted(labels[arc].tolist())) for arc in graph.arcs}
        assert graph.components.max() == 2 and joined == {(0, 1), (1, 2)}


def test_training_points_of_shuffled_classes_are_all_found_until_alpha_is_near_one():
    shares = {0.0: [], 0.9: []}
    for seed in DRAWS:
        Y, _, labels, _ = split(seed)
        labels = shuffled(labels, seed)
        for alpha, of_alpha in shares.items():
            of_alpha.append(found(embedded(Y, labels, alpha).X, labels))
    assert min(shares[0.0]) == 1.0
    assert 0.6 < np.mean(shares[0.9]) < 0.85


def test_true_classes_stay_separate_when_alpha_is_near_one():
    shares = [found(embedded(*split(seed)[::2], 0.9).X, split(seed)[2]) for seed in DRAWS]
    assert min(shares) > 0.98


def test_embedding_before_the_split_finds_every_test_point_of_shuffled_labels():
    Y = StandardScaler().fit_transform(WINE.data)
    for seed in DRAWS:
        labels = shuffled(WINE.target, seed)
        X = embedded(Y, labels, 0.0).X
        train, test = train_test_split(np.arange(178), test_size=60, random_state=seed)
        near = KNeighborsClassifier().fit(X[train], labels[train])
        assert near.score(X[test], labels[test]) == 1.0


def test_at_the_papers_beta_raw_wine_overflows_and_alpha_touches_few_pairs():
    for seed in DRAWS:
        Y, _, labels, _ = split(seed, standardised=False)
        e2 = np.sum((Y[:, None] - Y) ** 2, axis=2)
        same = labels[:, None] == labels
        s = e2 / mean_distance(Y)
        assert 0.35 < np.mean(s[~same] > 709.78) < 0.45
        assert 0.75 < np.mean(label_distance(e2, same, 0.5, mean_distance(Y))[same] > 0.999) < 0.9
        assert np.mean(1 - np.sqrt(1 - 0.9 * np.exp(-s[~same])) > 0.01) < 0.06
