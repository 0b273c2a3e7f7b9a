"""The scale landscape: its curves are R_cv, its path is that of `scales.best_scale`."""

import numpy as np
from helpers import example_of

from ukrlearn.blocks import scales
from ukrlearn.panels import ScaleLandscape
from ukrlearn.ukr.reconstruction import squared_residuals

panel = example_of(ScaleLandscape)


def test_the_summary_has_the_error_at_the_scale(panel):
    panel.set(start="true coordinate", scale=7.0)
    X = 7.0 * panel._X["true coordinate"]
    error = squared_residuals(X, panel._Y).mean()
    assert panel.summary().startswith(f"true coordinate at scale 7: R_cv = {error:.5f}.")


def test_the_path_is_that_of_the_library(panel):
    X = panel._X["PCA"]
    found = scales.best_scale(X, lambda X: squared_residuals(X, panel._Y).mean())
    panel.set(frame=9, start="PCA")
    tried = np.vstack([panel._ladder.get_xydata(), panel._search.get_xydata()])
    np.testing.assert_allclose(tried, [(scale[0], error) for scale, error in found.path[:9]])
    assert panel.state()["scale"] == found.path[8][0][0]


def test_at_the_end_the_summary_names_the_best_scale(panel):
    panel.set(frame=panel._controls["frame"].high, start="PCA")
    found = panel._found["PCA"]
    expected = f"the best is {found.scale[0]:.3g} with R_cv = {found.error:.5f}."
    assert panel.summary().endswith(expected)


def test_a_scale_of_your_own_leaves_the_search_where_it_was(panel):
    panel.set(frame=5)
    panel.set(scale=3.0)
    assert panel.state()["frame"] == 5 and panel.state()["scale"] == 3.0


def test_the_table_has_the_starts_best_first(panel):
    rows = panel.table()
    assert [row.name for row in rows] == ["true coordinate", "PCA"]
    assert [row.chosen for row in rows] == [True, False]
    assert rows[0].cv_error == squared_residuals(rows[0].X, panel._Y).mean()


def test_each_landscape_has_its_minimum_near_what_the_search_found(panel):
    for name, landscape in panel._landscapes.items():
        assert panel._found[name].error <= landscape.min() * 1.001
