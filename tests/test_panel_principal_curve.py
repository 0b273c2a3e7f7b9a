"""What the panel of principal curves alone does; the sweep drives it through everything else."""

from helpers import example_of

from ukrlearn.panels import PrincipalCurve
from ukrlearn.panels.principal_curve import MEAN

panel = example_of(PrincipalCurve, "module")


def test_it_opens_on_a_curve_that_is_too_short_for_its_points(panel):
    assert panel.reset().state() == {"penalty": 0.5, "beside": MEAN, "width": 1.0, "nodes": 10}
    shown = lambda: int(panel.summary().split("% of the points")[0].split()[-1])
    assert shown() > 30
    panel.set(penalty=1e-3)
    assert shown() < 10
    panel.reset()
