"""The panel of distances with labels: what it says is what the library finds."""

import pytest
from helpers import example_of

from ukrlearn.panels.label_distance import RAW, SHUFFLED, STANDARDISED, LabelDistance

panel = example_of(LabelDistance, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


@pytest.mark.parametrize("version", [STANDARDISED, RAW, SHUFFLED])
def test_at_alpha_zero_there_is_one_component_per_class_whatever_the_labels(panel, version):
    found = panel.fitted(0.0, 1.0, version)
    assert (found.components, len(found.arcs), len(found.between)) == (3, 2, 2)
    assert found.within < 1 < found.shortest


def test_a_label_by_hand_goes_along_into_a_copy_and_into_each_version(panel):
    panel.put(relabelled=[[0, 2], [1, 1]])
    for version in (STANDARDISED, RAW, SHUFFLED):
        assert panel.bottles(version).labels[:2].tolist() == [2, 1]
    assert "2 labels by hand" in panel.summary() == panel.copy().summary()
    assert "by hand" not in panel.reset().summary()
    assert "vanish" in panel.set(version=RAW, beta=0.002).summary()
