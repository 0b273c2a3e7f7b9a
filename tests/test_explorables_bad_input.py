"""Explorables and data they cannot show: they say what must hold, what came, and what to do."""

import json

import numpy as np
import pytest
from helpers import each

from ukrlearn import panels
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
