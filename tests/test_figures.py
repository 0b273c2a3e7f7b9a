"""Figures: the right numbers in the right artists, on the Axes given, and nothing left behind."""

import base64
import configparser
import io
import re
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
import pytest
from bs4 import BeautifulSoup
from matplotlib.figure import Figure
from PIL import Image
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import datasets, figures
from ukrlearn.blocks import kernel_regression
from ukrlearn.blocks.density_kernels import gaussian, quartic
from ukrlearn.course import claims
from ukrlearn.figures import house


@pytest.fixture
def ax():
    return figures.blank()[1]


@pytest.fixture
def ax3d():
    return figures.blank(projection="3d")[1]


@pytest.fixture
def spiral():
    Y, t = datasets.noisy_spiral(120, random_state=0)
    return 40 * t[:, None], Y, t


@pytest.fixture
def sheet():
    Y, t = datasets.s_curve(200, random_state=0)
    return t / 0.4, Y, t


def png(ax):
    """The picture, really drawn: some mistakes show only then."""
    page = io.BytesIO()
    ax.figure.savefig(page, dpi=60)
    return page.getvalue()


# ------------------------------------------------------------------------ what holds for every one


def draw_everything():
    """Every function once, in 2-D and 3-D, onto new Axes; returns those."""
    Y, t = datasets.noisy_spiral(60, random_state=0)
    X = 40 * t[:, None]
    sheet, on_sheet = datasets.s_curve(60, random_state=0)
    Z = np.random.default_rng(0).normal(size=(60, 2))
    labels = np.arange(60) % 3
    images, _ = datasets.digits(2, n_samples=60, random_state=0)
    starts = [{"name": "PCA", "cv_error": 2.0}, {"name": "LLE(K=3)", "cv_error": 1.0}]

    def spatial():
        return figures.blank(projection="3d")[1]

    flat = [figures.blank()[1] for _ in range(14)]
    solid = [spatial(), spatial(), spatial()]
    figures.data(flat[0], Y, t)
    figures.curve(flat[0], Y)
    figures.data(flat[1], Y, labels=labels)
    figures.latent(flat[2], Z, t)
    figures.order(flat[3], X, t)
    figures.manifold(flat[4], X, Y, density_threshold=0.01)
    figures.latent_density(flat[5], X, density_threshold=0.02)
    figures.latent_density(flat[6], 4 * Z, quartic, density_threshold=0.02)
    figures.sampled_manifold(flat[7], 2 * Z, images, (8, 8), n_grid=4)
    figures.error_curve(flat[8], {"a": [3, 2, 1], "b": [3, 1]})
    figures.candidate_table(flat[9], starts)
    figures.latent_map(flat[10], Z, labels, lambda x: (x[:, 0] > 0).astype(int), n_grid=20)
    figures.matrix(flat[11], Z @ Z.T, title="Inner products")
    figures.springs(flat[12], Z[:6], Z[:6] @ Z[:6].T, labels=labels[:6], title="Forces")
    figures.verdicts(flat[13], claims.of("RPM"))
    figures.data(solid[0], sheet, on_sheet[:, 0])
    figures.manifold(solid[0], on_sheet / 0.4, sheet)
    figures.data(solid[1], sheet, labels=labels)
    figures.manifold(solid[2], X, datasets.helix_curve(t))
    figures.curve(solid[2], datasets.helix_curve(t))
    return flat + solid


def test_every_picture_has_a_title_and_labels_on_all_axes_and_needs_no_pyplot(no_pyplot):
    for ax in draw_everything():
        assert ax.get_title()
        assert ax.get_xlabel() and ax.get_ylabel()
        assert ax.name != "3d" or ax.get_zlabel()
        assert png(ax)


def test_settings_of_the_caller_neither_leak_in_nor_are_changed(ax, spiral):
    X, Y, t = spiral
    with matplotlib.rc_context({"axes.titlesize": 33, "figure.facecolor": "black"}):
        before = dict(matplotlib.rcParams)
        figure, own = figures.blank()
        figures.data(own, Y, t)
        assert dict(matplotlib.rcParams) == before
    assert figure.get_facecolor() == (1, 1, 1, 1)
    assert own.title.get_fontsize() == 10


def test_nothing_is_drawn_on_other_axes(spiral):
    X, Y, t = spiral
    figure, (left, right) = figures.blank(1, 2)
    figures.data(left, Y, t)
    figures.manifold(left, X, Y)
    assert len(left.collections) == len(left.lines) == 1
    assert not right.has_data() and len(figure.axes) == 2


def test_any_axes_will_do_not_only_those_of_blank(spiral):
    X, Y, t = spiral
    ax = Figure().add_subplot()
    figures.data(ax, Y, t)
    assert figures.manifold(ax, X, Y).axes is ax


def test_blank_gives_one_axes_or_an_array_of_them():
    figure, axes = figures.blank(2, 2, size=(5, 4), projection=["3d", None, None, "3d"])
    assert [ax.name for ax in axes] == ["3d", "rectilinear", "rectilinear", "3d"]
    np.testing.assert_array_equal(figure.get_size_inches(), [5, 4])
    with pytest.raises(ValueError, match="one entry for each of the 2 Axes"):
        figures.blank(1, 2, projection=["3d"])


def test_the_arguments_are_left_as_they_were(ax, ax3d, sheet):
    X, Y, t = sheet
    for array in (X, Y, t):
        array.setflags(write=False)
    figures.data(ax3d, Y, t[:, 0])
    figures.manifold(ax3d, X, Y)
    figures.latent_density(ax, X)


# ------------------------------------------------------------------------------- points and curves


def test_data_shows_each_point_in_the_color_of_its_coordinate(ax, spiral):
    _, Y, t = spiral
    points = figures.data(ax, Y, t[:, None])
    np.testing.assert_array_equal(points.get_offsets(), Y)
    np.testing.assert_array_equal(points.get_array(), t)


def test_data_in_space_shows_all_three_columns(ax3d, sheet):
    _, Y, t = sheet
    points = figures.data(ax3d, Y, t[:, 1])
    np.testing.assert_array_equal(np.transpose(points._offsets3d), Y)
    assert ax3d.get_zlabel() == "$y_3$"


def test_more_classes_than_colors_differ_in_the_pair_of_color_and_marker(ax):
    labels = np.arange(20)
    drawn = figures.data(ax, np.random.default_rng(0).normal(size=(20, 2)), labels=labels)
    outlines = [scatter.get_paths()[0].vertices.tobytes() for scatter in drawn]
    colors = [tuple(scatter.get_facecolor()[0]) for scatter in drawn]
    assert len(set(colors)) == 7 and len(set(outlines)) == 7
    assert len(set(zip(colors, outlines, strict=True))) == 20


def test_classes_have_their_own_colors_markers_and_names(ax):
    Y, labels = np.random.default_rng(0).normal(size=(30, 2)), np.repeat([4, 7, 9], 10)
    drawn = figures.latent(ax, Y, labels=labels, names=["four", "seven", "nine"])
    for points, c in zip(drawn, (4, 7, 9), strict=True):
        np.testing.assert_array_equal(points.get_offsets(), Y[labels == c])
    assert len({tuple(points.get_facecolor()[0]) for points in drawn}) == 3
    assert len({points.get_paths()[0].vertices.tobytes() for points in drawn}) == 3
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["four", "seven", "nine"]
    with pytest.raises(ValueError, match="names must name the 3 classes in labels; got 2"):
        figures.latent(ax, Y, labels=labels, names=["four", "seven"])


def test_order_puts_the_truth_across_and_the_answer_up(ax, spiral):
    X, _, t = spiral
    points = figures.order(ax, X, t)
    np.testing.assert_array_equal(points.get_offsets(), np.column_stack([t, X[:, 0]]))


def test_a_curve_is_drawn_through_its_points_with_gaps_at_nan(ax):
    clean = datasets.disconnected_curve([0.2, 0.4, np.nan, 1.3])
    np.testing.assert_array_equal(np.transpose(figures.curve(ax, clean).get_data()), clean)


@pytest.mark.parametrize("projection", [None, "3d"])
def test_columns_that_do_not_fit_the_axes_are_refused_with_advice(projection):
    _, ax = figures.blank(projection=projection)
    with pytest.raises(ValueError, match=r"Y must have . columns to be drawn.*choose columns"):
        figures.data(ax, np.ones((5, 64)))
    if projection is None:
        with pytest.raises(ValueError, match='make the Axes with projection="3d"'):
            figures.data(ax, np.ones((5, 3)))


# -------------------------------------------------------------------------------------- manifolds


def test_the_manifold_is_predicted_between_the_outermost_latent_points(ax, spiral):
    X, Y, _ = spiral
    line = figures.manifold(ax, X, Y, n_grid=50)
    x = np.linspace(X.min(), X.max(), 50)[:, None]
    np.testing.assert_allclose(
        np.transpose(line.get_data()), kernel_regression.predict(x, X, Y, gaussian), rtol=1e-12
    )


def test_a_manifold_in_space_is_the_same_line_with_three_coordinates(ax3d):
    t = np.linspace(0, 1, 60)
    X, Y = 40 * t[:, None], datasets.helix_curve(t)
    line = figures.manifold(ax3d, X, Y, quartic, n_grid=30)
    _, f = figures.manifold_grid(X, Y, quartic, n_grid=30)
    np.testing.assert_array_equal(np.transpose(line.get_data_3d()), f)


def test_a_surface_is_drawn_as_cells_between_predicted_points(ax3d, sheet):
    X, Y, _ = sheet
    x, f = figures.manifold_grid(X, Y, n_grid=12)
    assert x.shape == (12, 8, 2) and f.shape == (12, 8, 3)
    net = figures.manifold(ax3d, X, Y, n_grid=12)
    png(ax3d)
    assert len(net.get_paths()) == 11 * 7
    for axis, column in zip("xyz", f.reshape(-1, 3).T, strict=True):
        low, high = getattr(ax3d, f"get_{axis}lim")()
        assert low <= column.min() and column.max() <= high


def test_where_the_density_is_too_low_there_is_no_manifold():
    X = np.concatenate([np.linspace(0, 1, 20), np.linspace(9, 10, 20)])[:, None]
    Y = np.column_stack([X, X])
    x, f = figures.manifold_grid(X, Y, density_threshold=0.1, n_grid=200)
    p = kernel_regression.latent_density(x, X, gaussian)
    np.testing.assert_array_equal(np.isnan(f).any(axis=1), p < 0.1 * gaussian.at_zero)
    assert 0.2 < np.isnan(f[:, 0]).mean() < 0.9


def test_a_compact_kernel_draws_nothing_where_it_does_not_reach():
    X = np.array([[0.0], [10.0]])
    x, f = figures.manifold_grid(X, np.ones((2, 2)), quartic, n_grid=101)
    np.testing.assert_array_equal(np.isnan(f[:, 0]), (x[:, 0] > 0.95) & (x[:, 0] < 9.05))


def test_a_moved_manifold_is_the_one_drawn_anew(ax, spiral):
    X, Y, _ = spiral
    line = figures.manifold(ax, X, Y)
    line.set_data(*figures.manifold_grid(2 * X, Y)[1].T)
    again = figures.manifold(figures.blank()[1], 2 * X, Y)
    np.testing.assert_array_equal(line.get_data(), again.get_data())


def test_the_image_of_any_map_is_a_line_or_a_net_over_the_latent_points(ax, ax3d):
    X = np.array([[0.0, 1.0], [2.0, 1.5], [4.0, 3.0]])
    line = figures.manifold_of(ax, lambda x: np.hstack([x, x**2]), X[:, :1])
    np.testing.assert_array_equal(line.get_xydata()[[0, -1]], [[0, 0], [4, 16]])
    net = figures.manifold_of(ax3d, lambda x: np.column_stack([x, x[:, 0]]), X, n_grid=20)
    png(ax3d)
    assert len(net.get_paths()) == 19 * 9  # of 20 x 10 positions: the cells are square
    with pytest.raises(ValueError, match=r"f\(x\) must have 2 columns"):
        figures.manifold_of(ax, lambda x: np.column_stack([x, x[:, 0]]), X)


def test_of_the_image_only_what_is_near_latent_points_is_kept_if_that_is_wanted():
    X = np.append(np.linspace(0, 1, 20), np.linspace(9, 10, 20))[:, None]
    x, f = figures.manifold_grid_of(lambda x: np.hstack([x, x]), X, n_grid=101, reach=10)
    apart = np.abs(x - X.T).min(axis=1)
    np.testing.assert_array_equal(np.isnan(f[:, 0]), apart > 1)
    assert 0.4 < np.isnan(f[:, 0]).mean() < 0.8
    assert np.isfinite(figures.manifold_grid_of(lambda x: np.hstack([x, x]), X)[1]).all()


def test_a_single_point_and_equal_points_are_drawn(ax, ax3d):
    assert np.isfinite(figures.manifold(ax, np.zeros((1, 1)), np.ones((1, 2))).get_data()).all()
    figures.latent_density(figures.blank()[1], np.zeros((4, 2)), density_threshold=0.5)
    figures.manifold(ax3d, np.zeros((4, 2)), np.ones((4, 3)))
    png(ax3d)


def test_more_latent_dimensions_than_a_picture_has_are_refused(ax):
    with pytest.raises(ValueError, match="X must have 1 or 2 columns to be drawn here"):
        figures.manifold(ax, np.ones((5, 3)), np.ones((5, 2)))
    with pytest.raises(ValueError, match="needs data with 3 columns; got 2"):
        figures.manifold(ax, np.eye(5)[:, :2], np.ones((5, 2)))


# ---------------------------------------------------------------------------------------- density


def test_the_density_picture_shows_p_over_k0_and_its_contour(ax):
    X = 3 * np.random.default_rng(0).normal(size=(50, 2))
    drawn = figures.latent_density(ax, X, density_threshold=0.05, n_grid=40)
    corners = drawn.density.get_coordinates().reshape(-1, 2)
    p = kernel_regression.latent_density(corners, X, gaussian) / gaussian.at_zero
    np.testing.assert_allclose(drawn.density.get_array().ravel(), p, rtol=1e-12)
    np.testing.assert_array_equal(drawn.points.get_offsets(), X)
    on_contour = np.concatenate([path.vertices for path in drawn.contour.get_paths()])
    p = kernel_regression.latent_density(on_contour, X, gaussian) / gaussian.at_zero
    np.testing.assert_allclose(p, 0.05, atol=0.01)


def test_the_density_along_one_axis_is_a_curve_with_a_level(ax, spiral):
    X, _, _ = spiral
    drawn = figures.latent_density(ax, X, density_threshold=0.02)
    x, p = drawn.density.get_data()
    np.testing.assert_allclose(
        p, kernel_regression.latent_density(x[:, None], X, gaussian), rtol=1e-12
    )
    assert set(drawn.contour.get_ydata()) == {0.02}
    np.testing.assert_array_equal(drawn.points.get_xdata(), X[:, 0])


def test_a_threshold_that_is_nowhere_crossed_has_no_contour(ax):
    assert figures.latent_density(ax, np.zeros((3, 2)), density_threshold=2.0).contour is None
    assert figures.latent_density(ax, np.zeros((3, 2))).contour is None


def test_the_sampled_manifold_holds_each_image_in_its_place_dimmed_by_density(ax):
    random = np.random.default_rng(0)
    X, Y = 2 * random.normal(size=(40, 2)), random.uniform(-1, 1, size=(40, 6))
    page = figures.sampled_manifold(ax, X, Y, (2, 3), n_grid=5)
    drawn = page.get_array()
    assert drawn.shape == (15, 20)  # with a pixel of paper after each image
    low, high = X.min(axis=0), X.max(axis=0)
    grid = [np.linspace(low[j], high[j], 5) for j in (0, 1)]
    densities = kernel_regression.latent_density(
        np.stack(np.meshgrid(*grid), axis=-1).reshape(-1, 2), X, gaussian
    )
    for across, up in ((0, 0), (4, 0), (1, 3)):
        x = np.array([[grid[0][across], grid[1][up]]])
        f = kernel_regression.predict(x, X, Y, gaussian).reshape(2, 3)
        dim = kernel_regression.latent_density(x, X, gaussian) / densities.max()
        ink = (f - Y.min()) / np.ptp(Y) * dim
        top, left = 3 * (4 - up), 4 * across  # rows of the page run from the top down
        np.testing.assert_allclose(drawn[top : top + 2, left : left + 3], ink, rtol=1e-12)
        # ... and the axes say where it is.
        x0, x1, y0, y1 = page.get_extent()
        center = (x0 + (across + 0.5) * (x1 - x0) / 5, y0 + (up + 0.5) * (y1 - y0) / 5)
        np.testing.assert_allclose(center, x[0], rtol=1e-9)


def test_images_of_another_shape_are_refused(ax):
    with pytest.raises(ValueError, match=r"multiply to the 64 columns of Y; got \(8, 9\)"):
        figures.sampled_manifold(ax, np.eye(5)[:, :2], np.ones((5, 64)), (8, 9))


# ------------------------------------------------------------------------------------- latent map


def test_the_latent_map_colors_each_position_by_the_classifiers_answer(ax):
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    labels = np.where(X[:, 0] > 0, "right", "left")
    classifier = KNeighborsClassifier(1).fit(X, labels)
    drawn = figures.latent_map(ax, X, labels, classifier, density_threshold=0.3, n_grid=30)
    assert [len(points.get_offsets()) for points in drawn.points] == [
        np.sum(labels == "left"),
        np.sum(labels == "right"),
    ]
    shades = drawn.regions.get_array().reshape(30, 30, 3)
    x = np.linspace(X[:, 0].min(), X[:, 0].max(), 26)[1:-1]
    assert len(np.unique(shades.reshape(-1, 3), axis=0)) == 2
    answers = classifier.predict(np.column_stack([x, np.zeros_like(x)]))
    assert set(answers) == {"left", "right"}
    assert len(drawn.borders) == 2 and drawn.contour is not None


def test_borders_lie_where_the_answer_changes(ax):
    X = np.random.default_rng(0).uniform(-1, 1, size=(60, 2))
    labels = (X[:, 0] > 0.25).astype(int)
    drawn = figures.latent_map(ax, X, labels, lambda x: (x[:, 0] > 0.25).astype(int), n_grid=101)
    for border in drawn.borders:
        across = np.concatenate([path.vertices for path in border.get_paths()])[:, 0]
        np.testing.assert_allclose(across, 0.25, atol=0.02)
    shades = drawn.regions.get_array().reshape(101, 101, 3)  # row: x₂, column: x₁
    assert np.all(shades == shades[0]) and not np.all(shades == shades[:, :1])


def test_a_classifier_that_knows_one_class_draws_no_border(ax):
    X = np.random.default_rng(0).normal(size=(9, 2))
    drawn = figures.latent_map(ax, X, np.zeros(9), lambda x: np.zeros(len(x)), n_grid=10)
    assert drawn.borders == [] and drawn.contour is None


def test_the_density_of_the_map_is_that_of_the_training_points(ax):
    X, centres = np.array([[0.0, 0.0], [6.0, 0.0]]), np.array([[0.0, 0.0], [0.0, 0.1]])
    drawn = figures.latent_map(
        ax,
        X,
        [0, 1],
        lambda x: (x[:, 0] > 3).astype(int),
        trained_on=centres,
        density_threshold=0.5,
    )
    rim = np.concatenate([path.vertices for path in drawn.contour.get_paths()])
    np.testing.assert_allclose(np.linalg.norm(rim - [0, 0.05], axis=1), 1.18, atol=0.1)


# ----------------------------------------------------------------------------------------- charts


def test_error_curves_hold_the_errors_and_differ_in_color_and_dash(ax):
    histories = {"rprop": [4.0, 2.0, 1.0], "gradient": [4.0, 3.0]}
    lines = figures.error_curve(ax, histories)
    for line, errors in zip(lines, histories.values(), strict=True):
        np.testing.assert_array_equal(line.get_ydata(), errors)
        np.testing.assert_array_equal(line.get_xdata(), range(len(errors)))
    assert lines[0].get_color() != lines[1].get_color()
    assert lines[0]._dash_pattern != lines[1]._dash_pattern
    assert ax.get_yscale() == "log"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(histories)


def test_a_matrix_holds_its_numbers_and_has_a_colour_bar(ax):
    M = np.arange(9.0).reshape(3, 3)
    image = figures.matrix(ax, M, title="Three points")
    np.testing.assert_array_equal(image.get_array(), M)
    assert len(ax.figure.axes) == 2


def test_springs_pull_or_push_and_their_forces_add_up(ax):
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    stiffness = np.array([[0.0, 2.0, -1.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    drawn = figures.springs(ax, X, stiffness, title="Two springs")
    (pull,), (push,) = drawn.pulls.get_segments(), drawn.pushes.get_segments()
    np.testing.assert_array_equal(pull, X[[0, 1]])
    np.testing.assert_array_equal(push, X[[0, 2]])
    assert drawn.pulls.get_color().tolist() != drawn.pushes.get_color().tolist()
    assert drawn.pulls.get_linestyle() != drawn.pushes.get_linestyle()
    arrows = np.column_stack([drawn.arrows.U, drawn.arrows.V])
    np.testing.assert_allclose(arrows.sum(axis=0), 0, atol=1e-12)
    forces = np.array([[2.0, -2.0], [-2.0, 0.0], [0.0, 2.0]])
    np.testing.assert_allclose(arrows / arrows[2, 1], forces / 2, atol=1e-12)


def test_springs_that_are_all_slack_are_drawn(ax):
    drawn = figures.springs(ax, np.eye(2), np.zeros((2, 2)), title="Slack")
    assert not drawn.pulls.get_segments() and png(ax)


def test_lines_hold_the_values_and_differ_in_color_dash_and_marker(ax):
    x, curves = np.geomspace(1e-3, 1, 4), {"a": [1, 2, 3, 4], "b": [2, 2, 2, 2]}
    words = {"title": "Two", "across": "h", "up": "error"}
    first, second = figures.lines(ax, x, curves, **words, log="x", markers=True)
    np.testing.assert_array_equal(first.get_xydata(), np.column_stack([x, curves["a"]]))
    assert first.get_color() != second.get_color()
    assert first._dash_pattern != second._dash_pattern
    assert first.get_marker() != second.get_marker()
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "linear")
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("Two", "h", "error")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]


def test_a_single_line_without_a_name_needs_no_legend(ax):
    (line,) = figures.lines(ax, [1, 2], {"": [3, 4]}, title="One", across="x", up="y")
    assert ax.get_legend() is None
    assert line.get_marker() == "None"


def test_a_single_history_needs_no_legend(ax):
    figures.error_curve(ax, np.array([3.0, 2.0]))
    assert ax.get_legend() is None


class Row(NamedTuple):
    name: str
    scale: np.ndarray | None = None
    cv_error: float = np.inf
    refined: float = np.nan
    chosen: bool = False
    note: str = ""
    family: str = ""
    n_neighbors: int | None = None


ROWS = [
    Row("PCA", np.ones(1), 9.0, 4.0),
    Row("wide", np.ones(1), 3.0, 1.5, True, family="LLE", n_neighbors=12),
    Row("LLE(K=5)", np.ones(1), 5.0, family="LLE", n_neighbors=5),
    Row("LLE(K=3)", note="left out: graph falls apart", family="LLE", n_neighbors=3),
    Row("Isomap(K=5)", np.ones(1), 7.0, family="Isomap", n_neighbors=5),
]


def test_candidates_of_a_family_are_a_line_over_their_neighbors(ax):
    drawn = figures.candidate_table(ax, ROWS)
    lines = {line.get_label(): line for line in drawn.scaled}
    assert list(lines) == ["PCA", "LLE", "Isomap"]
    np.testing.assert_array_equal(lines["LLE"].get_xydata(), [[5, 5.0], [12, 3.0]])
    assert set(lines["PCA"].get_ydata()) == {9.0}
    np.testing.assert_array_equal(drawn.refined.get_ydata(), [4.0, 1.5])
    np.testing.assert_array_equal(drawn.chosen.get_xydata(), [[12, 1.5]])
    assert ax.get_title() == "Candidates (1 left out)"
    assert len({line.get_marker() for line in drawn.scaled if line.get_label() != "PCA"}) == 2
    png(ax)


def test_records_and_dictionaries_make_the_same_chart(ax):
    drawn = figures.candidate_table(ax, ROWS)
    same = figures.candidate_table(figures.blank()[1], [row._asdict() for row in ROWS])
    for one, other in zip(drawn.scaled, same.scaled, strict=True):
        np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())


def test_candidates_without_neighbors_have_a_row_each(ax):
    rows = [Row("PCA", cv_error=9.0, refined=4.0), Row("TSNE", cv_error=3.0, chosen=True)]
    drawn = figures.candidate_table(ax, rows)
    np.testing.assert_array_equal(drawn.scaled[0].get_xydata(), [[9, 0], [3, 1]])
    np.testing.assert_array_equal(drawn.refined.get_xydata(), [[4, 0]])
    np.testing.assert_array_equal(drawn.chosen.get_xydata(), [[3, 1]])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["PCA", "TSNE"]
    png(ax)


def test_equal_rows_and_large_tables_are_drawn(ax):
    rows = [Row("mine", cv_error=1.0), Row("mine", cv_error=1.0)]
    assert len(figures.candidate_table(ax, rows).scaled[0].get_xdata()) == 2
    png(ax)


def test_a_family_is_a_field_and_not_read_from_the_name(ax):
    drawn = figures.candidate_table(
        ax, [Row("LLE(K=5)", cv_error=1.0), Row("mine 7", cv_error=2.0)]
    )
    assert [text.get_text() for text in ax.get_yticklabels()] == ["LLE(K=5)", "mine 7"]
    assert len(drawn.scaled) == 1


def test_a_table_without_any_error_is_refused(ax):
    with pytest.raises(ValueError, match="a candidate with a finite cv_error; got 1"):
        figures.candidate_table(ax, [Row("PCA")])


def test_the_image_of_a_map_is_left_out_where_no_latent_point_is_near():
    angle = np.linspace(0, 2 * np.pi, 200)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    lift = lambda x: np.column_stack([x, x.sum(axis=1)])
    x, whole = figures.manifold_grid_of(lift, ring, n_grid=21)
    np.testing.assert_allclose(whole, np.concatenate([x, x.sum(axis=2, keepdims=True)], axis=2))
    x, near = figures.manifold_grid_of(lift, ring, n_grid=21, reach=1.5)
    there = np.isfinite(near).all(axis=2)
    off = np.abs(np.linalg.norm(x, axis=2) - 1)
    assert np.all(off[there] < 0.151) and np.all(off[~there] > 0.149)
    cells = figures.patches(near)
    assert np.isfinite(cells).all() and len(cells) < len(figures.patches(whole)) == 400


def test_patches_are_the_cells_of_a_grid_by_their_corners_in_turn():
    grid = np.stack(np.meshgrid([0.0, 1.0], [0.0, 1.0, 2.0], [5.0], indexing="ij"), axis=-1)[
        :, :, 0
    ]
    first = [[0, 0, 5], [1, 0, 5], [1, 1, 5], [0, 1, 5]]
    assert figures.patches(grid)[0].tolist() == first and len(figures.patches(grid)) == 2


# ---- as a notebook shows it ---------------------------------------------------------------------


def test_a_notebook_gets_the_picture_as_html_with_its_words_and_no_png(ax):
    ax.plot([0, 1])
    picture = figures.show(ax.figure, 'A line from "0" to <1>.')
    data = picture._repr_mimebundle_()
    page = BeautifulSoup(data["text/html"], "html.parser")
    assert set(data) == {"text/html", "text/plain"}
    assert page.img["alt"] == data["text/plain"] == 'A line from "0" to <1>.'
    assert page.img["width"] == str(round(100 * ax.figure.get_figwidth()))
    stored = base64.b64decode(page.img["src"].removeprefix("data:image/png;base64,"))
    assert Image.open(io.BytesIO(stored)).width == round(1.5 * int(page.img["width"]))


def test_a_picture_knows_where_a_narrow_screen_may_cut_it():
    figure, (left, right) = figures.blank(1, 2)
    figure.colorbar(left.imshow(np.eye(3)), ax=left)
    page = figures.show(figure, "Two Axes.")._repr_mimebundle_()["text/html"]
    data = BeautifulSoup(page, "html.parser").img["src"].partition(",")[2]
    place = float(Image.open(io.BytesIO(base64.b64decode(data))).info["cuts"])
    beside, after, bar = (ax.get_tightbbox() for ax in figure.axes)
    assert max(beside.x1, bar.x1) < place * figure.bbox.width < after.x0
    figure.suptitle("a title " * 12)
    assert house.cuts(figure) == house.cuts(Figure()) == []


def test_strict_comparison_ignores_the_pixels_of_a_picture_and_sees_its_words():
    rules = configparser.RawConfigParser()
    rules.read(Path(__file__).with_name("nbval.cfg"))
    regex, replacement = rules["picture"]["regex"], rules["picture"]["replace"]
    pixels = np.zeros((2, 2, 3), np.uint8)
    black, white, other = (
        re.sub(regex, replacement, house.html_of(of, text, 300))
        for of, text in ((pixels, "Words."), (pixels + 255, "Words."), (pixels, "Others."))
    )
    assert black == white != other


def test_a_small_png_has_a_palette_unless_one_would_see_it():
    few = np.zeros((40, 40, 3), np.uint8)
    few[::2, :, 0] = 200
    small = Image.open(io.BytesIO(house.small_png(few)))
    assert small.mode == "P" and (np.asarray(small.convert("RGB")) == few).all()
    many = np.random.RandomState(0).randint(0, 256, (80, 80, 3)).astype(np.uint8)
    exact = Image.open(io.BytesIO(house.small_png(many)))
    assert exact.mode == "RGB" and (np.asarray(exact) == many).all()


# ---- palettes -----------------------------------------------------------------------------------


def test_a_class_looks_the_same_in_every_figure_even_if_others_are_missing(ax):
    X = np.random.RandomState(0).normal(size=(30, 2))
    labels = np.repeat([0, 1, 2], 10)
    oil = figures.palette("oil_flow")
    everything = figures.latent(ax, X, labels=labels)  # without a palette
    some = figures.latent(figures.blank()[1], X[10:], labels=labels[10:], palette="oil_flow")
    of_map = figures.latent_map(
        figures.blank()[1], X[10:], labels[10:], lambda x: np.full(len(x), 2), palette="oil_flow"
    )
    color = lambda points: matplotlib.colors.to_hex(points.get_facecolor()[0]).upper()
    assert [color(points) for points in everything] == list(oil.colors)
    assert [color(points) for points in some] == list(oil.colors[1:])
    assert [points.get_label() for points in of_map.points] == ["annular", "stratified"]
    shade = 1 - 0.22 * (1 - np.array(matplotlib.colors.to_rgb(oil.colors[2])))
    np.testing.assert_allclose(np.reshape(of_map.regions.get_array(), (-1, 3))[0], shade)


def test_labels_that_a_palette_does_not_know_are_refused(ax):
    with pytest.raises(ValueError, match="labels must be 0 to 2 for the palette 'oil_flow'; got 3"):
        figures.data(ax, np.zeros((2, 2)), labels=[0, 3], palette="oil_flow")
    with pytest.raises(ValueError, match="name must be"):
        figures.palette("oil")


# ------------------------------------------------------------------------------------------- claims


def test_a_claim_stands_in_its_row_at_its_share_with_the_mark_of_its_verdict(ax):
    rows = claims.of("RPM")
    drawn = {line.get_label(): line for line in figures.verdicts(ax, rows)}
    looks = {(line.get_color(), line.get_marker()) for line in drawn.values()}
    assert len(looks) == len({claim.verdict for claim in rows}) > 1
    for k, claim in enumerate(rows, 1):
        x, y = drawn[claim.verdict].get_data()
        (at,) = np.asarray(x)[np.asarray(y) == k]
        assert at == (claim.share if claim.share is not None else ax.get_xticks()[-1])
    assert ax.get_ylim()[0] > len(rows) > 1 > ax.get_ylim()[1]  # the first on top
    assert ax.get_legend() is not None


def test_long_claims_are_cut_off_where_the_figure_is_narrow():
    for width in (4, 8.44, 20):
        _, ax = figures.blank(size=(width, 5))
        figures.verdicts(ax, claims.of("RPM"))
        first, second, *_ = [label.get_text() for label in ax.get_yticklabels()]
        assert first.startswith("a suitable λ") and len(first) < 7.5 * width + 5
        assert first.endswith("…  1") == (width < 8)
        assert second.startswith("the same with λ") and second.endswith("  2")


def test_the_column_without_draws_is_apart_from_all_shares(ax):
    figures.verdicts(ax, claims.of("UKR"))
    assert ax.get_xticks()[-1] > 1.1


@pytest.mark.parametrize("wrong", ["UKR", [], [("6.1", "a claim", 1.0, "perhaps")]])
def test_what_is_no_claim_is_refused(ax, wrong):
    with pytest.raises(TypeError, match="claims must"):
        figures.verdicts(ax, wrong)
