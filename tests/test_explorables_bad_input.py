"""Panels and data they cannot show: they say what must hold, what came, and what to do."""

import json

import numpy as np
import pytest
from helpers import each

from ukrlearn import datasets, panels
from ukrlearn.blocks.density_kernels import student_with
from ukrlearn.blocks.descent import Step
from ukrlearn.panels._explorable import MOST, Explorable
from ukrlearn.panels.gauss_newton import GaussNewton

RANDOM = np.random.RandomState(0)
MANY = 10_000


def general(N, columns):
    return RANDOM.normal(size=(N, columns))


def equal(N, columns):
    return np.full((N, columns), 0.3)


def with_nan(N, columns):
    points = general(N, columns)
    points[N // 2, -1] = np.nan
    return points


def text(N, columns):
    return [["abc"] * columns] * N


def column(points):
    return [row[0] for row in points]


@pytest.fixture(scope="module")
def maps():
    """The maps of Gauss-Newton, which do not depend on its points."""
    example = GaussNewton.example()
    yield example._f, example._F
    example.close()


def explorables(maps):
    """make(N, kind) of each explorable: one for N points of this kind."""
    return {
        "Untangle": lambda N, of: panels.Untangle(of(N, 2), column(of(N, 1))),
        "Bandwidth": lambda N, of: panels.Bandwidth(column(of(N, 1)), column(of(N, 1))),
        "LatentExplorer": lambda N, of: panels.LatentExplorer(of(N, 2), of(N, 4), (2, 2)),
        "Gradient": lambda N, of: panels.Gradient(of(N, 2), of(N, 3)),
        "DensityConstraint": lambda N, of: panels.DensityConstraint(of(N, 1), of(N, 2)),
        "Homotopy": lambda N, of: panels.Homotopy(of(N, 3), moves=2, last_moves=2),
        "Aggregation": lambda N, of: panels.Aggregation(of(N, 3), np.arange(N) % 3),
        "RescueTheRoll": lambda N, of: panels.RescueTheRoll(of(N, 3), of(N, 2), rounds=1),
        "GaussNewton": lambda N, of: GaussNewton(*maps, of(N, 2), of(N, 3)),
        "Referee": lambda N, of: panels.Referee(of(N, 2), of(N, 3)),
        "DrawData": lambda N, of: panels.DrawData(of(N, 2)),
        "PrincipalCurve": lambda N, of: panels.PrincipalCurve(of(N, 2)),
        "Quantizer": lambda N, of: panels.Quantizer(of(N, 2), [0]),
        "LabelDistance": lambda N, of: panels.LabelDistance(
            of(N, 3), np.arange(N) % 2, of(3, 3), [0, 1, 0]
        ),
    }


NAMES = list(explorables(None))
OWN_POINTS = ["Geodesics"]  # which take no data
every_explorable = each("name", NAMES)


def test_all_explorables_are_here():
    all_panels = {name: getattr(panels, name) for name in panels.__all__}
    explorable = {name for name, kind in all_panels.items() if issubclass(kind, Explorable)}
    assert set(NAMES + OWN_POINTS) == explorable


@every_explorable
@each("kind, words", [(with_nan, "finite"), (text, "numbers")])
def test_missing_values_and_text_are_refused(maps, name, kind, words):
    with pytest.raises((ValueError, TypeError), match=words):
        explorables(maps)[name](30, kind)


@every_explorable
def test_one_point_is_refused_or_shown(maps, name):
    if name == "DrawData":
        assert_finite(explorables(maps)[name](1, general), "1 point. No curve yet.")
    else:
        with pytest.raises(ValueError, match=r"must (have|vary|be)|Each column of"):
            explorables(maps)[name](1, general)


SHOWN_EQUAL = {
    "DrawData": "30 points. No curve yet.",
    "Gradient": "Error R_cv = 0. Point 0: gradient (0.000000, 0.000000)",
}


@every_explorable
def test_equal_points_are_refused_or_shown(maps, name):
    if name in SHOWN_EQUAL:
        assert_finite(explorables(maps)[name](30, equal), SHOWN_EQUAL[name])
    else:
        with pytest.raises(ValueError, match=r"must vary|must not be constant|look alike"):
            explorables(maps)[name](30, equal)


LINEAR = "LatentExplorer", "RescueTheRoll", "GaussNewton"  # in the number of points, in the page


@every_explorable
def test_ten_thousand_points_are_shown_if_the_page_needs_no_pairs_of_them(maps, name):
    if name in LINEAR:
        panel = explorables(maps)[name](MANY, general)
        assert len(json.dumps(panel.given())) < 2_000_000
        assert_finite(panel, "")
    else:
        with pytest.raises(ValueError, match=rf"at most {MOST} rows.*got 10000\. Take some.*::5\]"):
            explorables(maps)[name](MANY, general)


def assert_finite(panel, begins):
    words = panel.summary()
    assert words.startswith(begins) and "nan" not in words.lower()
    json.dumps(panel.given(), allow_nan=False)
    panel.close()


def zeros(*shape):
    return np.zeros(shape)


HELIX, _ = datasets.noisy_helix(20, random_state=0)
ROLL, SHEET = datasets.swiss_roll(20, random_state=0)
UNFIT = [
    (lambda: panels.Aggregation(zeros(5, 2), zeros(4)), "labels one entry per row"),
    (lambda: panels.Bandwidth([1.0, 2.0], [0.0]), "x and y must be vectors of finite numbers"),
    (lambda: panels.Bandwidth([[1.0]], [[0]]), "x and y must be vectors of finite numbers"),
    (
        lambda: panels.Bandwidth([1.0, 2.0], [0.0, 1.0], student_with(3.0)),
        "kernel must be one of gaussian, quartic, student",
    ),
    (
        lambda: panels.LatentExplorer(np.eye(4)[:, :2], np.eye(4), (2, 2), student_with(3.0)),
        "one of gaussian, quartic, student, which the page computes",
    ),
    (lambda: panels.LatentExplorer(zeros(9, 1), zeros(9, 4), (2, 2)), "X must have two columns"),
    (
        lambda: panels.LatentExplorer(np.eye(9)[:, :2], np.eye(9)[:, :4], (3, 2)),
        "image_shape must multiply to the 4 columns",
    ),
    *(
        (lambda X=X, Y=Y: panels.DensityConstraint(X, Y), "X and Y must have 1 and 2 columns")
        for X, Y in (
            (zeros(4, 1), zeros(4, 3)),
            (zeros(4), zeros(4, 2)),
            (zeros(3, 1), zeros(4, 2)),
        )
    ),
    (
        lambda: panels.DensityConstraint(np.arange(5.0)[:, None], np.ones((5, 2))),
        "Y must vary; all its 5 rows are equal",
    ),
    (lambda: panels.Eigenvectors(zeros(5, 3), zeros(5)), "Y must have two columns"),
    (lambda: panels.Eigenvectors(zeros(5, 2), zeros(4)), "labels one entry per row"),
    (lambda: panels.FlightRecorder({}, HELIX[:, :2]), "runs must hold at least one entry"),
    *(
        (lambda X=X: panels.FlightRecorder({"a": [Step(X, 1.0, None)]}, HELIX), "record=True")
        for X in (zeros(20, 2), None)
    ),
    (lambda: panels.Gradient(zeros(5, 1), zeros(5, 3)), "X must have two columns"),
    (lambda: panels.Guidance(zeros(10, 4)), "for one latent dimension, two or three columns"),
    (lambda: panels.Guidance(HELIX, n_components=3), "n_components must be 1 or 2; got 3"),
    (
        lambda: panels.LabelDistance(HELIX, np.arange(20) % 4, HELIX, np.arange(20) % 4),
        "two to 3 classes; got 4",
    ),
    (lambda: panels.NewPoint(np.ones((4, 3)), np.ones((4, 2)), list("aabb")), "columns each"),
    (lambda: panels.NewPoint(np.ones((4, 2)), np.ones((3, 2)), list("aabb")), "columns each"),
    (lambda: panels.NewPoint(np.ones((4, 2)), np.ones((4, 2)), list("aab")), "a label for each"),
    (lambda: panels.NewPoint(np.ones((2, 2)), np.ones((2, 2)), list("ab")), "3 to 300 points"),
    (lambda: panels.NodeCount(zeros(9, 3)), r"Y must have two columns; got shape \(9, 3\)"),
    (lambda: panels.NoisyChannel(zeros(4, 3), np.cos, zeros(4, 1)), "two columns"),
    (lambda: panels.Penalties(zeros(5, 2), zeros(5, 2)), "X must have one column, and Y two"),
    (
        lambda: panels.Projection(zeros(9, 2), zeros(9, 2)),
        r"X must have one column and Y two.*\(9, 2",
    ),
    (lambda: panels.Quantizer(zeros(9, 3), [0]), r"two columns and more than 3 rows.*\(9, 3\)"),
    (lambda: panels.RescueTheRoll(ROLL[:, :2], SHEET), "Y must have three columns, and t two"),
    (
        lambda: panels.RescueTheRoll(ROLL, SHEET[:-1]),
        "must have the same number of rows; got 20 and 19",
    ),
    (lambda: panels.ScaleLandscape({"a": zeros(5, 2)}, zeros(5, 2)), "of 'a' must have one column"),
    (lambda: panels.ScaleLandscape({}, zeros(5, 2)), "coordinates must hold at least one entry"),
    (
        lambda: panels.Untangle(HELIX[:, :2], np.arange(19.0)),
        "t must have a number for each row of Y; got 19 for 20",
    ),
]


@each("make, words", UNFIT, ids=lambda case: case[1])
def test_data_that_do_not_fit_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


PUT = {  # what each explorable takes from later cells
    "Untangle": ("X", "Y"),
    "Bandwidth": ("points",),
    "Gradient": ("X",),
    "LatentExplorer": ("path",),
    "Aggregation": ("X",),
    "DrawData": ("X", "Y"),
    "Referee": ("brushed",),
    "RescueTheRoll": ("point",),
    "Geodesics": ("moved_points",),
    "PrincipalCurve": ("points",),
    "Quantizer": ("placed",),
    "LabelDistance": ("relabelled",),
}


@each("name", NAMES + OWN_POINTS)
def test_what_later_cells_give_is_refused_as_a_whole(name):
    panel = getattr(panels, name).example()
    before = panel.state(), panel.summary(), json.dumps(panel.given())
    slider = next(key for key, c in panel._controls.items() if hasattr(c, "low"))
    for bad in ("abc", np.nan, None, [1, 2], 1e300):
        with pytest.raises(ValueError, match="must be"):
            panel.set(**{slider: bad})
    for key in PUT.get(name, ()):
        for bad in ("abc", [[np.nan, 1.0]], [[1.0, 2.0, 3.0]] * 7):
            with pytest.raises((ValueError, TypeError), match="must"):
                panel.put(**{key: bad})
    assert (panel.state(), panel.summary(), json.dumps(panel.given())) == before
    panel.close()
