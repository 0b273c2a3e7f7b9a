"""The panel of points and lines: its alternation, its starts, and what broken readings do."""

import numpy as np
import pytest
from helpers import assert_close, example_of
from rpm_data import blobs

from ukrlearn import explicit
from ukrlearn.panels import Quantizer
from ukrlearn.panels.quantizer import (
    CODES,
    COSTS,
    HALF_STEPS,
    LINES,
    ONE_LINE,
    ONE_POINT,
    STARTS,
    THREE_POINTS,
    TWO_LINES,
    relative,
)

panel = example_of(Quantizer, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def end(panel, *, cost="squared", codes=ONE_LINE, reading=2.0, start=0):
    return panel.steps(cost, codes, reading, start)[-1]


def tilt(f):
    """Degrees between a line and the horizontal axis."""
    return np.degrees(np.arctan2(*f.B[0][::-1])) % 180


def test_only_the_broken_readings_move(panel):
    moved = panel.data(1.3)
    assert (moved[:20, 0] == 1.3).all()
    assert_close(moved[20:], panel._Y[20:])
    assert_close(moved[:, 1], panel._Y[:, 1])
    assert (panel._Y[:, 0] <= 1).all()  # the panel's own data stay


def test_every_half_step_is_there_and_the_error_never_rises(panel):
    for cost in COSTS:
        for codes in CODES:
            if cost == "L1" and codes in LINES:
                continue
            for start in range(0, STARTS, 3):
                steps = panel.steps(cost, codes, 1.7, start)
                halves = [step.half for step in steps]
                assert halves == ["projection", "adaptation"] * (HALF_STEPS // 2) + ["projection"]
                assert len(steps) == HALF_STEPS + 1
                assert (np.diff(relative(steps)) <= 1e-12).all()
                assert relative(steps)[0] == 1


def test_the_first_half_steps_are_those_of_the_loops(panel):
    Y = panel.data(2.0).tolist()
    steps = panel.steps("squared", THREE_POINTS, 2.0, 4)
    begun = steps[0].f.C.tolist()
    assert all(point in Y for point in begun)
    assert steps[0].Z.tolist() == explicit.best_codes(Y, begun, explicit.squared_cost)
    assert_close(steps[1].f.C, explicit.lloyd_round(Y, begun))


def test_one_point_is_the_mean_and_one_line_the_principal_axis(panel):
    Y = panel.data(1.5)
    assert_close(end(panel, codes=ONE_POINT, reading=1.5).f.C[0], Y.mean(axis=0))
    first = np.linalg.svd(Y - Y.mean(axis=0))[2][0]
    f = end(panel, reading=1.5).f
    assert abs(f.B[0] @ first) / np.linalg.norm(f.B) == pytest.approx(1, abs=1e-6)


def test_l1_takes_the_medians_of_a_point(panel):
    found = end(panel, cost="L1", codes=ONE_POINT, reading=1.5).f.C[0]
    assert_close(found, np.median(panel.data(1.5), axis=0))


def test_broken_readings_tilt_the_line_of_squares_more_than_hubers(panel):
    for start in range(STARTS):
        at = {cost: tilt(end(panel, cost=cost, start=start).f) for cost in ("squared", "Huber")}
        true = tilt(end(panel, cost="squared", reading=0.5, start=start).f)
        assert true - at["squared"] > 3 * (true - at["Huber"]) > 0


def test_far_enough_broken_readings_get_a_code_of_their_own_whatever_the_cost(panel):
    """Not in every run: in the best of ten."""
    for cost in COSTS:
        best = min((end(panel, cost=cost, codes=THREE_POINTS, start=s) for s in range(STARTS)),
                   key=lambda step: step.error)  # fmt: skip
        own = best.Z == best.Z[0]
        assert own[:20].all() and not own[20:].any()


def test_three_points_end_in_several_minima(panel):
    ends = {round(end(panel, codes=THREE_POINTS, start=start).error, 4) for start in range(STARTS)}
    assert len(ends) > 1


def test_lines_have_no_l1_cost_and_the_picture_stays(panel):
    panel.set(codes=ONE_LINE)
    before = panel.png()
    with pytest.raises(ValueError, match="choose squared or Huber"):
        panel.set(cost="L1")
    assert panel.png() == before and panel.state()["cost"] == "squared"
    assert "cost L1" in panel.set(codes=ONE_POINT, cost="L1").summary()


def test_the_picture_shows_the_step(panel):
    panel.set(codes=THREE_POINTS, frame=5, start=1)
    step = panel.steps("squared", THREE_POINTS, 2.0, 1)[5]
    for k in range(3):
        assert_close(panel._points[k].get_xydata(), panel.data(2.0)[step.Z == k])
        assert_close(panel._centres[k].get_xydata(), step.f.C[[k]])
        assert len(panel._lines[k].get_xdata()) == 0
    assert len(panel._projected.get_xdata()) == len(panel._adapted.get_xdata()) == 3
    panel.set(codes=TWO_LINES)
    assert [len(line.get_xdata()) for line in panel._lines] == [2, 2, 0]
    assert [len(mark.get_xdata()) for mark in panel._centres] == [0, 0, 0]


def test_residuals_stand_on_the_lines(panel):
    panel.set(codes=ONE_LINE, frame=4)
    f = panel.steps("squared", ONE_LINE, 2.0, 0)[4].f
    segments = np.array(panel._residuals.get_segments())
    assert np.abs((segments[:, 1] - segments[:, 0]) @ f.B[0]).max() < 1e-9


def test_the_summary_has_the_numbers(panel):
    panel.set(codes=THREE_POINTS, frame=24, start=0)
    step = end(panel, codes=THREE_POINTS)
    said = panel.summary()
    assert f"the error is {step.error:.4f}" in said and "20 of 200 readings are broken" in said
    for k in range(3):
        assert f"{np.sum(step.Z == k)} points, {np.sum(step.Z[:20] == k)} of them broken" in said
    assert f"tilted by {tilt(end(panel).f):.0f}°" in panel.set(codes=ONE_LINE).summary()


def test_it_plays_to_the_last_half_step(panel):
    panel.set(frame=HALF_STEPS - 1)
    assert panel.step() and not panel.step()


def test_it_takes_data_of_your_own_and_asks_for_two_columns():
    own = Quantizer(blobs(N=30), [0, 1], reading=3.0)
    assert "2 of 30 readings are broken, at 3" in own.summary()
    own.close()
    with pytest.raises(ValueError, match=r"two columns and more than 3 rows.*\(9, 3\)"):
        Quantizer(np.zeros((9, 3)), [0])
