"""What the panel of principal curves alone does; the sweep drives it through everything else."""

import numpy as np
import pytest
from helpers import assert_close, example_of

from ukrlearn import PrincipalManifold
from ukrlearn.panels import PrincipalCurve
from ukrlearn.panels.principal_curve import HALF_STEPS, MEAN, SUM

panel = example_of(PrincipalCurve, "module")


@pytest.mark.parametrize("convention", ["mean", "sum"])
def test_it_shows_what_the_estimator_fits(panel, convention):
    beside = {"mean": MEAN, "sum": SUM}[convention]
    steps = panel.steps(0.1, beside, 1.0, 10)
    model = PrincipalManifold(
        penalty=0.1, width=1.0, n_basis=10, penalty_convention=convention,
        max_iter=HALF_STEPS // 2, tol=0,
    ).fit(panel._Y)  # fmt: skip
    ours = np.array([(s.distortion, s.penalty, s.error) for s in steps])
    assert len(steps) == HALF_STEPS
    assert_close(ours[:8], model.errors_[:8], rtol=1e-5)


def test_the_sum_convention_is_the_mean_with_the_penalty_over_n(panel):
    with_sum = panel.steps(0.3, SUM, 1.0, 10)[-1]
    with_mean = panel.steps(0.3 / 150, MEAN, 1.0, 10)[-1]
    assert with_sum.error == with_mean.error


def test_it_opens_on_a_curve_that_is_too_short_for_its_points(panel):
    panel.reset()
    assert panel.state() == {"penalty": 0.5, "beside": MEAN, "width": 1.0, "nodes": 10}
    assert len(panel._border.get_xdata()) > 0.3 * 150
    panel.set(penalty=1e-3)
    assert len(panel._border.get_xdata()) < 0.1 * 150


def test_the_lines_are_the_parts_and_their_sum_never_rises(panel):
    for penalty in (1e-5, 1e-3, 0.1):
        panel.set(penalty=penalty)
        error, rough, total = (line.get_ydata() for line in panel._lines)
        keep = rough > 2e-6
        assert_close((error + rough)[keep], total[keep], rtol=1e-9)
        assert np.diff(total).max() <= 1e-12
        assert "R_reg has risen 0 times" in panel.summary()
    panel.reset()


def test_the_summary_has_the_numbers(panel):
    panel.set(penalty=1e-3)
    end = panel.steps(1e-3, MEAN, 1.0, 10)[-1]
    said = panel.summary()
    assert f"R_emp = {end.distortion:.4f}, λQ = {end.penalty:.4f}, R_reg = {end.error:.4f}" in said
    share = np.mean(np.abs(end.Z) >= 1)
    assert f"{share:.0%} of the points are at its ends" in said
    assert "away from the clean curve" in said
    panel.reset()


def test_without_a_clean_curve_it_says_nothing_of_one():
    panel = PrincipalCurve(np.random.RandomState(0).normal(size=(30, 2)))
    assert "clean" not in panel.summary()
    panel.close()


def test_it_asks_for_points_in_the_plane():
    with pytest.raises(ValueError, match=r"Y must have two columns; got shape \(9, 3\)"):
        PrincipalCurve(np.zeros((9, 3)))
