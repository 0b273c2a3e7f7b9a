"""The panel of distances with labels: what it says is what the library finds."""

import numpy as np
import pytest
from helpers import assert_close, example_of

from ukrlearn import AgglomerativeIsomap
from ukrlearn.panels.label_distance import RAW, SHUFFLED, STANDARDISED, LabelDistance
from ukrlearn.si.dissimilarity import mean_distance

panel = example_of(LabelDistance, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def test_the_curves_are_the_two_cases_of_1(panel):
    panel.set(alpha=0.3, beta=0.5)
    other, same = (curve.get_ydata() for curve in panel._curves)
    e = panel._e[100]
    assert same[100] == pytest.approx(np.sqrt(1 - np.exp(-(e**2) / 0.5)))
    assert other[100] == pytest.approx(np.sqrt(np.exp(e**2 / 0.5) - 0.3))


@pytest.mark.parametrize("version", [STANDARDISED, RAW, SHUFFLED])
def test_the_embedding_is_the_librarys_and_so_is_the_summary(panel, version):
    panel.set(version=version, alpha=0.2, beta=2.0)
    one, found = panel.versions[version], panel.fitted(0.2, 2.0, version)
    model = AgglomerativeIsomap(2, alpha=0.2, beta=2.0 * one.unit).fit(one.Y, one.labels)
    assert_close(found.X * np.abs(model.embedding_).max(), model.embedding_)
    assert_close(found.new * np.abs(model.embedding_).max(), model.map(one.new))
    assert len(found.arcs) == len(model.graph_.arcs)
    said = panel.summary()
    assert f"{found.training:.1%} of the training points" in said
    assert f"{found.held_out:.1%} of the 60 held-out points" in said
    assert f"{one.direct:.1%} of the held-out points" in said
    assert f"between classes {found.shortest:.3g} to {found.longest:.3g}" in said


@pytest.mark.parametrize("version", [STANDARDISED, RAW, SHUFFLED])
def test_at_alpha_zero_there_is_one_component_per_class_whatever_the_labels(panel, version):
    found = panel.fitted(0.0, 1.0, version)
    assert (found.components, len(found.arcs), len(found.between)) == (3, 2, 2)
    assert found.within < 1 < found.shortest


def test_shuffled_labels_are_separate_on_training_points_and_worthless_on_others(panel):
    found = panel.fitted(0.0, 1.0, SHUFFLED)
    assert found.training == 1.0 and found.held_out < 0.6
    true = panel.fitted(0.0, 1.0, STANDARDISED)
    assert true.training == 1.0 and true.held_out > 0.9


def test_a_high_alpha_lets_edges_pass_between_shuffled_classes(panel):
    found = panel.fitted(0.9, 1.0, SHUFFLED)
    assert found.training < 0.9 and len(found.between) > 50


def test_held_out_points_keep_their_true_labels_when_those_of_training_points_are_shuffled(panel):
    even, shuffled = panel.versions[STANDARDISED], panel.versions[SHUFFLED]
    assert_close(even.truth, shuffled.truth)
    assert_close(even.Y, shuffled.Y)
    assert (even.labels != shuffled.labels).mean() > 0.3
    assert sorted(even.labels) == sorted(shuffled.labels)


def test_standardisation_is_fitted_to_training_points(panel):
    even = panel.versions[STANDARDISED]
    assert np.abs(even.Y.mean(axis=0)).max() < 1e-12
    assert np.abs(even.new.mean(axis=0)).max() > 1e-3


def test_at_the_papers_beta_raw_distances_between_classes_dwarf_the_others(panel):
    beta = panel.paper_beta(RAW)
    raw = panel.versions[RAW]
    assert beta * raw.unit == pytest.approx(mean_distance(raw.Y))
    assert "vanish" in panel.set(version=RAW, beta=beta).summary()
    assert panel.fitted(0.5, beta, RAW).longest > 1e30
    assert "vanish" not in panel.reset().summary()


def test_more_classes_than_markers_are_refused():
    Y = np.random.RandomState(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match="two to 3 classes; got 4"):
        LabelDistance(Y, np.arange(40) % 4, Y, np.arange(40) % 4)
