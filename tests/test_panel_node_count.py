"""What the panel of two regularisers alone does; the sweep drives it through everything else."""

import numpy as np
from helpers import example_of

from ukrlearn.panels import NodeCount
from ukrlearn.panels.node_count import NORM, RIDGE

panel = example_of(NodeCount, "module")


def length(curve):
    return np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()


def test_more_nodes_leave_one_curve_alone_and_lengthen_the_other(panel):
    norm, ridge = (
        [length(panel.curve(regularizer, M, 0.1)) for M in (10, 40, 80)]
        for regularizer in (NORM, RIDGE)
    )
    assert np.ptp(norm) < 0.01 * norm[0]
    assert ridge[0] < ridge[1] < ridge[2] and ridge[2] > 1.3 * ridge[0]


def test_each_side_shows_its_curve_and_the_summary_both_lengths(panel):
    panel.set(nodes=30, penalty=0.01)
    for regularizer, line in panel._lines.items():
        curve = panel.curve(regularizer, 30, 0.01)
        assert np.array_equal(line.get_xydata(), curve)
        assert f"{length(curve):.2f} with" in panel.summary() or (
            f"{length(curve):.2f} long with" in panel.summary()
        )
    assert "With 30 basis functions" in panel.summary()
    assert "The clean curve is 4.80 long" in panel.summary()
    panel.reset()


def test_without_a_clean_curve_it_says_nothing_of_one():
    panel = NodeCount(np.random.RandomState(0).normal(size=(30, 2)))
    assert "clean" not in panel.summary()
    panel.close()
