"""The kernel density classifier: Bayes' rule by loops, its limits, and table 3 in small."""

import numpy as np
import pandas
import pytest
from helpers import TWINS, assert_close, each, every_kernel, quartic, read_only, student_3, wide
from sklearn.metrics import accuracy_score
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import UKR, KernelDensityClassifier, datasets
from ukrlearn.blocks.density_kernels import by_name
from ukrlearn.blocks.scales import likelihood_bandwidth

random = np.random.default_rng(0)
LABELS = read_only(np.repeat(["b", "a", "c"], [12, 20, 8]))
X = read_only(
    random.normal(size=(40, 2)) + 2 * (LABELS == "a")[:, None] - 3 * (LABELS == "c")[:, None]
)
NEW = read_only(2 * random.normal(size=(15, 2)))


def posterior_by_loops(x, kernel, h):
    """p(c | x) = Σ_{n of class c} K(|x - x_n|² / h²) / Σ_n K(|x - x_n|² / h²)."""
    K, _ = TWINS[kernel]
    of_class = dict.fromkeys(sorted(set(LABELS)), 0.0)
    for x_n, label in zip(X, LABELS, strict=True):
        of_class[label] += K(sum((x - x_n) ** 2) / h**2)
    total = sum(of_class.values())
    return [value / total for value in of_class.values()]


@every_kernel
@each("h", [1.0, 2.5])
def test_the_posterior_is_that_of_the_loops(kernel, h):
    found = KernelDensityClassifier(kernel, bandwidth=h).fit(X, LABELS).predict_proba(X)
    assert_close(found, [posterior_by_loops(x, kernel, h) for x in X])


def test_the_greatest_posterior_decides_and_of_equals_the_first():
    model = KernelDensityClassifier().fit(X, LABELS)
    assert list(model.classes_) == ["a", "b", "c"]
    expected = model.classes_[model.predict_proba(NEW).argmax(axis=1)]
    np.testing.assert_array_equal(model.predict(NEW), expected)
    tie = KernelDensityClassifier().fit([[-1.0], [1.0]], ["right", "left"])
    assert tie.predict([[0.0]]) == ["left"]


@pytest.mark.parametrize("kernel", by_name)
def test_a_kernel_by_name_is_that_kernel(kernel):
    by_string = KernelDensityClassifier(kernel).fit(X, LABELS)
    by_record = KernelDensityClassifier(by_name[kernel]).fit(X, LABELS)
    np.testing.assert_array_equal(by_string.predict_proba(NEW), by_record.predict_proba(NEW))


def test_classes_may_be_numbers_or_words_or_a_series():
    numbers = np.unique(LABELS, return_inverse=True)[1]
    words = KernelDensityClassifier().fit(X, LABELS)
    coded = KernelDensityClassifier().fit(X, numbers)
    series = KernelDensityClassifier().fit(X, pandas.Series(LABELS))
    np.testing.assert_array_equal(words.predict(NEW), np.array(["a", "b", "c"])[coded.predict(NEW)])
    np.testing.assert_array_equal(words.predict(NEW), series.predict(NEW))


# ------------------------------------------------------------------ bandwidth


@pytest.mark.parametrize("kernel", [quartic, student_3], ids=str)
def test_lcv_takes_the_likelihood_bandwidth(kernel):
    found = KernelDensityClassifier(kernel, bandwidth="lcv").fit(X, LABELS)
    assert found.bandwidth_ == pytest.approx(likelihood_bandwidth(X, kernel), rel=1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e-20, 1e20, 1e290])
def test_with_lcv_the_scale_of_the_data_is_no_matter(scale):
    near = KernelDensityClassifier(bandwidth="lcv").fit(X, LABELS)
    far = KernelDensityClassifier(bandwidth="lcv").fit(scale * X, LABELS)
    assert far.bandwidth_ == pytest.approx(scale * near.bandwidth_, rel=1e-6)
    np.testing.assert_array_equal(far.predict(scale * NEW), near.predict(NEW))


def test_a_vanishing_bandwidth_gives_the_nearest_neighbour():
    found = KernelDensityClassifier(bandwidth=1e-3).fit(X, LABELS)
    nearest = KNeighborsClassifier(1).fit(X, LABELS)
    np.testing.assert_array_equal(found.predict(NEW), nearest.predict(NEW))


def test_a_wide_bandwidth_gives_the_class_frequencies():
    found = KernelDensityClassifier(bandwidth=1e9).fit(X, LABELS)
    assert_close(found.predict_proba(NEW), np.tile([0.5, 0.3, 0.2], (15, 1)), rtol=1e-9)


# ------------------------------------------------------------------ where no kernel reaches


def test_far_away_the_nearest_neighbour_decides_for_the_gaussian():
    found = KernelDensityClassifier().fit(X, LABELS)
    far = np.array([[1e12, 1e12], [-1e12, -1e12], [200, 0]])
    posterior = found.predict_proba(far)
    assert np.isfinite(posterior).all()
    nearest = KNeighborsClassifier(1).fit(X, LABELS)
    np.testing.assert_array_equal(found.predict(far[2:]), nearest.predict(far[2:]))
    assert found.predict(far[:1]) == ["a"] and found.predict(far[1:2]) == ["c"]


@pytest.mark.parametrize("kernel", [quartic, wide], ids=str)
def test_far_away_the_class_frequencies_decide_for_compact_kernels(kernel):
    found = KernelDensityClassifier(kernel).fit(X, LABELS)
    assert_close(found.predict_proba([[50.0, 50.0], [1e100, 0]]), [[0.5, 0.3, 0.2]] * 2)
    assert list(found.predict([[50.0, 50.0]])) == ["a"]


# ------------------------------------------------------------------ among scikit-learn's things


def test_it_classifies_latent_points_with_the_models_own_kernel():
    Y, labels = datasets.simulated_oil_flow(120, random_state=0)
    new, of_new = datasets.simulated_oil_flow(60, random_state=1)
    scores = []
    for kernel in ("gaussian", "quartic"):
        model = UKR(kernel=kernel, init="pca", homotopy=False, max_iter=100).fit(Y)
        classifier = KernelDensityClassifier(kernel).fit(model.embedding_, labels)
        scores.append(accuracy_score(of_new, classifier.predict(model.transform(new))))
    assert min(scores) > 0.7
