"""Data drawn by hand: from the page to an estimator, and from the estimator back to the page."""

import numpy as np
import pytest
from helpers import example_of

from ukrlearn import UKR
from ukrlearn.panels import DrawData

panel = example_of(DrawData)


def test_an_empty_panel_says_so_and_gets_points_from_the_page():
    panel = DrawData()
    assert panel.points.shape == (0, 2) and panel.X is None
    assert panel.data() == {"points": [], "X": []}
    assert panel.summary() == "There are no points yet. New points scatter by 0.02."
    panel._view.out = {"points": [0.1, 0.2], "X": [], "error": None}  # as the page sends them
    np.testing.assert_array_equal(panel.points, [[0.1, 0.2]])
    assert panel.summary() == "1 point. No curve yet. New points scatter by 0.02."
    panel._view.out = {"points": [0.1, 0.2, 0.3, 0.4, 0.5, 0.5], "X": [0, 1, 2], "error": 0.1}
    assert panel.X.shape == (3, 1) and panel.points.shape == (3, 2)
    panel._view.out = {"points": [], "X": [], "error": None}
    assert panel.X is None and "no points" in panel.summary()
    panel.close()


def test_points_go_to_the_estimator_and_its_result_comes_back(panel):
    model = UKR(n_components=1).fit(panel.points)
    before = panel.png()
    assert panel.put(X=model.embedding_) is panel
    np.testing.assert_array_equal(panel.X, model.embedding_)
    assert f"Leave-one-out error {model.cv_error_:.3g}." in panel.summary()
    assert "Order of drawing recovered: 1.00 of 1." in panel.summary()
    assert panel.png() != before
    assert panel._view.put["X"] == model.embedding_.tolist()
    twin = panel.copy()
    assert twin.summary() == panel.summary() and twin.given() == panel.given()
    twin.close()


def test_other_data_can_be_put_with_their_coordinates_or_without(panel):
    Y = np.random.RandomState(0).normal(size=(7, 2))
    panel.put(X=np.arange(7), Y=Y)
    np.testing.assert_array_equal(panel.points, Y)
    np.testing.assert_array_equal(panel.X[:, 0], np.arange(7))
    panel.put(Y=Y[:5])
    assert panel.X is None and panel.summary().startswith("5 points. No curve yet.")


@pytest.mark.parametrize(
    "X, Y, why",
    [
        (
            np.zeros((40, 2)),
            None,
            r"one column and a row for each of 40 points; got shape \(40, 2\)",
        ),
        (np.zeros(7), None, "a row for each of 40 points"),
        (np.full(40, np.nan), None, "finite"),
        (None, np.zeros(3), "Y must be numbers in two columns"),
        (None, [[np.inf, 0]], "Y must be finite"),
        (None, "text", "Y must be numbers in two columns"),
    ],
)
def test_what_cannot_be_shown_is_refused_and_the_last_points_stay(panel, X, Y, why):
    before = panel.points
    with pytest.raises(ValueError, match=why):
        panel.put(X=X, Y=Y)
    assert panel.points is before and panel.X is None
