"""The panel of the projection step: its paths, and the models they follow."""

import json

import numpy as np
import pytest
from helpers import assert_close, differences, example_of

from ukrlearn import drur, explicit
from ukrlearn.blocks.networks import RBFNetwork
from ukrlearn.panels import GaussNewton
from ukrlearn.panels.gauss_newton import DESCENT, FIXED_POINT, GAUSS_NEWTON, METHODS, NEWTON, STEPS

panel = example_of(GaussNewton, "module")


@pytest.fixture(autouse=True)
def from_the_start(panel):
    panel.reset()


def error_of_loops(panel, y, F_y):
    f = panel._f
    network = f.centres.tolist(), f.width, f.W.tolist(), f.bias.tolist()
    return lambda x: explicit.drur.projection_objective(
        explicit.drur.rbf_network(list(x), *network), list(x), y[0].tolist(), F_y[0].tolist()
    )


@pytest.mark.parametrize(("point", "offset"), [(120, 0.0), (7, -0.4)])
def test_error_and_gradient_are_those_of_the_loops(panel, point, offset):
    y, F_y = panel.data_point(point, offset)
    E = error_of_loops(panel, y, F_y)
    for x in panel._X[::60] + 0.1:
        error, gradient = panel.energy_and_gradient(x[None], y, F_y)
        assert error == pytest.approx(E(x), rel=1e-10)
        assert panel.energy(x[None], y, F_y)[0] == pytest.approx(error, rel=1e-10)
        assert_close(gradient[0], differences(E, x), rtol=1e-6)


def test_newton_believes_in_the_true_hessian_and_the_others_leave_parts_of_it_out(panel):
    y, F_y = panel.data_point(3, 0.3)
    gradient = lambda x: panel.energy_and_gradient(x[None], y, F_y)[1][0]
    for x in panel._X[::60] + 0.1:
        half = differences(gradient, x) / 2
        assert_close(panel.model(NEWTON, x[None], y), half, rtol=1e-7)  # (9), (10)
        left_out = panel._f.second_derivatives(x[None], y - panel._f(x[None]))[0]
        assert_close(panel.model(GAUSS_NEWTON, x[None], y), half + left_out, rtol=1e-7)  # (11)
        assert_close(panel.model(FIXED_POINT, x[None], y), np.eye(2))


def test_gauss_newton_takes_the_steps_of_the_library(panel):
    y, F_y = panel.data_point(120, 0.0)
    path = panel.paths(120, 0.0, 0.0, -0.28)[GAUSS_NEWTON]
    found = drur.project(panel._f, np.array([[0.0, -0.28]]), y, F_y, 3, 0, panel._size)
    assert_close(path.x[3], found.X[0])
    f, J = panel._f.with_jacobian(path.x)
    whole = drur.gauss_newton_steps(f, J, path.x, np.tile(y, (31, 1)), np.tile(F_y, (31, 1)))
    assert_close(np.diff(path.x, axis=0)[:5], path.taken[:5, None] * whole[:5], rtol=1e-9)
    assert 0.5 in path.taken.round(9)


def test_a_fixed_point_step_goes_where_the_gradient_would_be_zero(panel):
    y, F_y = panel.data_point(120, 0.0)
    x = panel.paths(120, 0.0, 0.0, -0.28)[FIXED_POINT].x
    f, J = panel._f.with_jacobian(x[:1])
    assert_close(x[1], F_y[0] + J[0].T @ (y - f)[0], rtol=1e-9)


def test_neither_gauss_newton_nor_the_line_search_ever_rises_but_newton_may(panel):
    rises = {method: 0.0 for method in METHODS}
    for point in range(0, 200, 20):
        paths = panel.paths(point, 0.0, 0.0, -0.28)
        for method in METHODS:
            rises[method] = max(rises[method], np.diff(paths[method].E).max())
    assert rises[GAUSS_NEWTON] < 1e-12 and rises[DESCENT] < 1e-12
    assert rises[NEWTON] > 0.1 and rises[FIXED_POINT] > 0.1


def test_near_the_sheet_gauss_newton_is_as_fast_as_newton_and_off_the_sheet_slower(panel):
    def steps(method, offset):
        path = panel.paths(120, offset, 0.3, -0.3)[method]
        return int(np.argmax(path.E < panel.lowest(120, offset) + 1e-6))

    assert steps(GAUSS_NEWTON, 0.0) <= steps(NEWTON, 0.0) < steps(DESCENT, 0.0)
    assert steps(GAUSS_NEWTON, -0.4) > 2 * steps(NEWTON, -0.4)


def test_the_step_leads_to_the_centre_of_the_ellipse_that_passes_through_x(panel):
    path = panel.paths(120, 0.0, 0.0, -0.28)[GAUSS_NEWTON]
    frame = int(np.argmax(path.taken == 1))  # the next step is a whole one
    panel.set(frame=frame)
    ellipse = panel._ellipse.get_xydata()
    assert_close(ellipse[:-1].mean(axis=0), path.x[frame + 1], rtol=1e-3)
    y, F_y = panel.data_point(120, 0.0)
    A = panel.model(GAUSS_NEWTON, path.x[[frame]], y)
    apart = np.vstack([ellipse, path.x[frame]]) - path.x[frame + 1]
    heights = np.einsum("nq,qr,nr->n", apart, A, apart)
    assert_close(heights, np.full_like(heights, heights[-1]), rtol=1e-6)


def test_where_the_hessian_is_not_positive_definite_newton_has_no_ellipse(panel):
    y, _ = panel.data_point(120, 0.0)
    start = np.array([[0.0, -0.28]])
    assert np.linalg.eigvalsh(panel.model(NEWTON, start, y))[0] < 0
    panel.set(method=NEWTON)
    assert len(panel._ellipse.get_xdata()) == 0
    assert "not positive definite" in panel.summary()
    panel.set(method=GAUSS_NEWTON)
    assert len(panel._ellipse.get_xdata()) > 0


def test_the_summary_has_the_numbers(panel):
    panel.set(frame=2)
    path = panel.paths(120, 0.0, 0.0, -0.28)[GAUSS_NEWTON]
    y, _ = panel.data_point(120, 0.0)
    low, high = np.linalg.eigvalsh(panel.model(GAUSS_NEWTON, path.x[[2]], y))
    said = panel.summary()
    assert f"E = {path.E[2]:.5f}" in said
    assert f"the lowest E is {panel.lowest(120, 0.0):.5f}" in said
    assert f"eigenvalues {low:.2f} and {high:.2f}, condition {high / low:.1f}" in said
    assert "last step" in said and low > 1
    assert "last step" not in panel.set(frame=0).summary()


def test_moved_off_the_sheet_the_data_point_leaves_it_at_a_right_angle(panel):
    y, _ = panel.data_point(120, 0.0)
    assert_close(y[0], panel._Y[120])
    moved, _ = panel.data_point(120, -0.5)
    _, J = panel._f.with_jacobian(panel._X[[120]])
    assert np.linalg.norm(moved - y) == pytest.approx(0.5)
    assert np.abs((moved - y) @ J[0]).max() < 1e-12


def test_playing_ends_at_the_last_step(panel):
    panel.set(frame=STEPS - 1)
    assert panel.step() and not panel.step()
    assert panel.state()["frame"] == STEPS


def test_it_asks_for_a_sheet_in_space(panel):
    with pytest.raises(ValueError, match=r"X must have two columns.*\(9, 1\)"):
        GaussNewton(panel._f, panel._F, np.zeros((9, 1)), np.zeros((9, 3)))


def test_the_page_gets_the_same_maps_and_the_same_start(panel):
    given = panel.given()
    for name, network in (("f", panel._f), ("F", panel._F)):
        maps = {k: np.array(v) for k, v in given[name].items()}
        assert_close(network(maps["centres"]), RBFNetwork(**maps)(maps["centres"]), rtol=0)
    assert {name: said["value"] for name, said in given["controls"].items()} == panel.state()
    assert json.loads(json.dumps(given)) == given


def test_controls_that_the_page_moved_change_picture_and_words_when_asked(panel):
    first = panel.png()
    panel._view.values = {**panel.state(), "frame": 3, "x1": 0.3, "point": 8}
    assert panel.state()["point"] == 8
    words = panel.summary()
    assert words.startswith("Data point 8, Gauss-Newton, step 3: ")
    assert panel.png() != first
    assert panel.reset().png() == first


def test_a_step_by_the_kernel_reaches_the_page(panel):
    panel.step()
    assert panel._view.values["frame"] == 1
