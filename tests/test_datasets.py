"""Data sets: geometry by independent formulas, truth by measuring, and clear refusals."""

import re
from pathlib import Path

import numpy as np
import pytest
from helpers import each
from scipy.integrate import quad
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import datasets, metrics

GENERATORS = {
    "arc": (datasets.noisy_arc, datasets.arc_curve),
    "cap": (datasets.spherical_cap, datasets.spherical_cap_surface),
    "spiral": (datasets.noisy_spiral, datasets.spiral_curve),
    "helix": (datasets.noisy_helix, datasets.helix_curve),
    "camera": (datasets.camera_on_a_rail, datasets.camera_curve),
    "circle": (datasets.partitioned_circle, datasets.circle_curve),
    "disconnected": (datasets.disconnected_curves, datasets.disconnected_curve),
    "s-curve": (datasets.s_curve, datasets.s_curve_surface),
    "swiss roll": (datasets.swiss_roll, datasets.swiss_roll_surface),
}
generators = each("name", GENERATORS)


def test_every_data_set_of_the_folder_is_public_and_tested_here():
    defined = {
        name
        for path in Path(datasets.__file__).parent.glob("[!_]*.py")
        for name in re.findall(r"^def ([a-z]\w*)", path.read_text(encoding="utf-8"), re.M)
    }
    assert defined == {name for name in datasets.__all__ if name.islower()}
    tested = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in datasets.__all__ if f"datasets.{name}" not in tested] == []


# -------------------------------------------------------------------------- all curves and sheets


@generators
def test_data_is_the_clean_curve_at_t_plus_noise(name):
    generate, clean = GENERATORS[name]
    Y, t = generate(400, noise=0, random_state=0)
    np.testing.assert_array_equal(Y, clean(t))
    noisy, same_t = generate(400, noise=0.25, random_state=0)
    np.testing.assert_array_equal(t, same_t)
    np.testing.assert_allclose(np.std(noisy - Y, axis=0), 0.25, rtol=0.15)


@generators
def test_the_same_seed_gives_the_same_bits_and_another_seed_other_data(name):
    generate, _ = GENERATORS[name]
    for first, again in zip(generate(random_state=3), generate(random_state=3), strict=True):
        np.testing.assert_array_equal(first, again)
    assert np.all(generate(random_state=3)[0] != generate(random_state=4)[0])


@each("name", [name for name in GENERATORS if name not in ("cap", "camera")])
def test_the_clean_curve_is_traversed_at_constant_speed(name):
    # One step h in any direction of t moves the point by (speed) h, everywhere on a curve, and by
    # exactly h on a sheet, where in addition the two directions are perpendicular.
    generate, clean = GENERATORS[name]
    _, t = generate(200, random_state=0)
    h = 1e-6
    if t.ndim == 1:
        speed = np.linalg.norm(clean(t + h) - clean(t - h), axis=1) / (2 * h)
        np.testing.assert_allclose(speed, speed[0], rtol=1e-7)
    else:
        along, up = (
            (clean(t + h * direction) - clean(t - h * direction)) / (2 * h)
            for direction in np.eye(2)
        )
        np.testing.assert_allclose(np.sum(along * along, axis=1), 1, rtol=1e-7)
        np.testing.assert_allclose(np.sum(up * up, axis=1), 1, rtol=1e-7)
        np.testing.assert_allclose(np.sum(along * up, axis=1), 0, atol=1e-7)


# ----------------------------------------------------------------------------------- one by one


def test_the_cap_lies_on_the_sphere_at_its_distance_from_the_pole():
    Y, t = datasets.spherical_cap(200, noise=0, extent=1.5, random_state=0)
    np.testing.assert_allclose(np.linalg.norm(Y, axis=1), 1)
    np.testing.assert_allclose(np.arccos(Y[:, 2]), np.linalg.norm(t, axis=1))
    np.testing.assert_allclose(np.arctan2(Y[:, 1], Y[:, 0]), np.arctan2(t[:, 1], t[:, 0]))
    assert np.abs(t).max() < 1.5 and np.abs(t).max() > 1.4
    with pytest.raises(ValueError, match="extent must be above 0 and below 1e\\+09; got extent=0"):
        datasets.spherical_cap(extent=0)


def test_the_arc_is_a_part_of_the_unit_circle():
    Y, t = datasets.noisy_arc(200, noise=0, random_state=0)
    np.testing.assert_allclose(np.linalg.norm(Y, axis=1), 1)
    assert np.linalg.norm(np.diff(datasets.arc_curve([0.0, 0.001]), axis=0)) == pytest.approx(
        0.0048
    )


def test_the_spiral_has_two_whorls_between_the_radii_of_the_paper():
    Y = datasets.spiral_curve(np.linspace(0, 1, 2001))
    radius = np.linalg.norm(Y, axis=1)
    turned = np.unwrap(np.arctan2(Y[:, 1], Y[:, 0]))
    np.testing.assert_allclose([radius[0], radius[-1]], [0.2, 1.2], rtol=1e-12)
    assert turned[-1] - turned[0] == pytest.approx(4 * np.pi, rel=1e-12)
    np.testing.assert_allclose(radius, 0.2 + (turned - turned[0]) / (4 * np.pi), rtol=1e-12)


def test_the_spiral_parameter_is_the_fraction_of_numerically_integrated_length():
    def length_up_to(theta):
        return quad(lambda a: np.hypot(0.2 + a / (4 * np.pi), 1 / (4 * np.pi)), 0, theta)[0]

    for theta in (0.3, 2.0, 7.0, 12.0):
        point = (0.2 + theta / (4 * np.pi)) * np.array([np.cos(theta), np.sin(theta)])
        t = length_up_to(theta) / length_up_to(4 * np.pi)
        np.testing.assert_allclose(datasets.spiral_curve([t])[0], point, atol=1e-9)


def test_points_are_spread_evenly_along_the_curve():
    for generate in (datasets.noisy_spiral, datasets.noisy_helix):
        _, t = generate(20_000, random_state=0)
        np.testing.assert_allclose(np.histogram(t, 10, (0, 1))[0], 2000, rtol=0.1)


def test_the_partitioned_circle_has_its_points_in_arcs_in_order_of_arc():
    Y, t = datasets.partitioned_circle(150, noise=0, random_state=0)
    arc = np.floor(3 * t).astype(int)
    np.testing.assert_array_equal(np.bincount(arc), [50, 50, 50])
    assert np.all(np.diff(arc) >= 0)
    between_arcs = min(cdist(Y[arc == a], Y[arc == b]).min() for a, b in ((0, 1), (1, 2), (2, 0)))
    assert between_arcs > 2 * np.sin(np.pi / 10) > 0.6  # the chord of a gap of a tenth of the turn
    np.testing.assert_allclose(np.linalg.norm(Y, axis=1), 1)


def test_disconnected_curves_overlap_in_the_first_principal_component():
    Y, t = datasets.disconnected_curves(random_state=0)
    curve = np.floor(t).astype(int)
    assert set(curve) == {0, 1, 2}
    apart = min(cdist(Y[curve == a], Y[curve == b]).min() for a, b in ((0, 1), (1, 2), (0, 2)))
    assert apart > 0.3
    folded = PCA(1).fit_transform(Y)[:, 0]
    reach = [(folded[curve == k].min(), folded[curve == k].max()) for k in range(3)]
    reach.sort()
    assert reach[0][1] > reach[1][0] and reach[1][1] > reach[2][0]


def test_a_gap_in_t_is_a_gap_in_the_disconnected_curve():
    clean = datasets.disconnected_curve([0.5, np.nan, 1.5])
    np.testing.assert_array_equal(np.isnan(clean).all(axis=1), [False, True, False])


def test_the_swiss_roll_is_scikit_learns_with_the_length_of_the_sheet_for_its_angle():
    t = np.column_stack([np.linspace(0, 89.4, 40), np.linspace(0, 21, 40)])
    Y = datasets.swiss_roll_surface(t)
    theta = np.hypot(Y[:, 0], Y[:, 2])  # in scikit-learn's roll the radius is the angle
    assert theta[0] == pytest.approx(1.5 * np.pi, rel=1e-12)
    assert theta[-1] == pytest.approx(4.5 * np.pi, rel=2e-3)
    np.testing.assert_allclose(Y[:, 0], theta * np.cos(theta), atol=1e-9)
    np.testing.assert_allclose(Y[:, 2], theta * np.sin(theta), atol=1e-9)
    rolled = [quad(lambda a: np.hypot(1, a), 1.5 * np.pi, end)[0] for end in theta]
    np.testing.assert_allclose(rolled, t[:, 0], atol=1e-8)


@pytest.mark.parametrize("name", ["s-curve", "swiss roll"])
def test_a_hole_takes_its_share_of_each_side_and_no_points(name):
    generate, _ = GENERATORS[name]
    _, whole = generate(4000, random_state=0)
    Y, t = generate(4000, hole=0.5, random_state=0)
    assert len(Y) == len(t) == 4000
    middle, half = (whole.min(axis=0) + whole.max(axis=0)) / 2, np.ptp(whole, axis=0) / 2
    offset = np.abs(t - middle) / half
    assert 0.49 < offset.max(axis=1).min() < 0.51
    assert offset.min() < 0.01


def test_sheet_sizes_are_those_asked_for():
    _, t = datasets.swiss_roll(4000, length=40, height=5, random_state=0)
    np.testing.assert_allclose(np.ptp(t, axis=0), [40, 5], rtol=0.01)
    _, t = datasets.s_curve(4000, height=5, random_state=0)
    np.testing.assert_allclose(np.ptp(t, axis=0), [3 * np.pi, 5], rtol=0.01)


@each(
    "generate, arguments, message",
    [
        (datasets.simulated_oil_flow, {"composition": "x"}, "must be one of 'published', 'flat'"),
        (datasets.digits, {"label": 10}, "label must be a digit from 0 to 9"),
        (
            datasets.digits,
            {"n_samples": 178},
            "at most the 177 images with label=2; got n_samples=",
        ),
    ],
)
def test_other_arguments_out_of_range_are_named_with_what_came(generate, arguments, message):
    with pytest.raises(ValueError, match=message):
        generate(**arguments)


# -------------------------------------------------------------------------------------- images


def test_digits_are_one_class_between_minus_one_and_one():
    Y, labels = datasets.digits(2)
    assert Y.shape == (177, 64)
    assert (Y.min(), Y.max()) == (-1, 1)
    assert set(labels) == {2}


def test_digits_of_several_classes_and_of_all():
    assert set(datasets.digits([3, 5])[1]) == {3, 5}
    assert len(datasets.digits(None)[0]) == 1797


def test_a_draw_of_digits_has_no_image_twice():
    Y, labels = datasets.digits(None, n_samples=1000, random_state=0)
    rows = set(map(bytes, datasets.digits(None)[0]))
    assert len(labels) == 1000 and len(rows) == 1797
    assert len(set(map(bytes, Y))) == 1000


def test_rotated_digits_close_their_loop_and_step_evenly_around_it():
    Y, t = datasets.rotated_digits(3, 90, random_state=0)
    assert Y.shape == (270, 256)
    np.testing.assert_allclose(t[90:180], np.arange(0, 360, 4))
    loops = Y.reshape(3, 90, 256)
    steps = np.linalg.norm(np.roll(loops, -1, axis=1) - loops, axis=2)
    assert np.all(steps.max(axis=1) < 1.5 * steps.min(axis=1))
    assert not np.allclose(loops[0], loops[1], atol=0.5)
    assert Y.min() == -1 and 0.8 < Y.max() <= 1


def test_a_quarter_turn_of_a_digit_is_a_quarter_turn_of_its_pixels_anticlockwise():
    Y, _ = datasets.rotated_digits(1, 4, random_state=0)
    upright, quarter = Y[0].reshape(16, 16), Y[1].reshape(16, 16)
    np.testing.assert_allclose(quarter, np.rot90(upright), atol=1e-9)


def test_an_unturned_digit_of_ten_pixels_is_the_original_in_its_frame():
    Y, _ = datasets.rotated_digits(1, 1, n_pixels=10, random_state=0)
    originals, _ = datasets.digits(7)
    inner = Y.reshape(10, 10)[1:9, 1:9].ravel()
    assert np.abs(originals - inner).max(axis=1).min() < 1e-9


def test_a_camera_that_moves_by_whole_pixels_sees_the_same_wall_shifted():
    still = datasets.camera_curve(np.arange(17) / 16).reshape(17, 12, 12)
    for one, next_one in zip(still[:-1], still[1:], strict=True):
        np.testing.assert_allclose(one[:, 1:], next_one[:, :-1], atol=1e-9)
    assert still.min() > -1.01 and 0.5 < still.max() < 1  # paper stays paper; ink is out of focus


def test_the_camera_sees_three_four_and_one_in_their_places():
    left, middle, right = datasets.camera_curve([0.0, 0.5, 1.0]).reshape(3, 12, 12)
    for image, label, column in ((left, 3, 2), (middle, 1, 2), (right, 4, 2)):
        digit = datasets.digits(label)[0][0].reshape(8, 8)
        seen = image[2:10, column : column + 8]
        assert np.corrcoef(digit.ravel(), seen.ravel())[0, 1] > 0.8


def test_a_camera_beyond_the_rail_sees_paper_and_a_gap_stays_a_gap():
    beyond, gap = datasets.camera_curve([3.0, np.nan])
    np.testing.assert_allclose(beyond, -1, atol=0.05)
    assert np.isnan(gap).all()


def test_positions_of_the_camera_are_uniform_and_the_first_component_does_not_order_them():
    for seed in range(5):
        Y, t = datasets.camera_on_a_rail(300, random_state=seed)
        assert Y.shape == (300, 144) and 0 <= t.min() < 0.05 and 0.95 < t.max() < 1
        assert metrics.order_recovered(PCA(1).fit_transform(Y), t) < 0.6


# ------------------------------------------------------------------------------------- oil flow

BEAMS = [(5 / 6, None), (1 / 2, None), (1 / 6, None), (None, -1 / 2), (None, 0), (None, 1 / 2)]


def paths_by_walking(fractions, label, n_steps=200_001):
    """Walk along each beam and look in which phase one is; layers by counting a raster."""
    water, oil, gas = fractions
    raster = np.linspace(-1, 1, 2001)
    below = np.cumsum(np.sqrt(1 - raster**2))
    level = [np.interp(share, below / below[-1], raster) for share in (water, water + oil)]
    lengths = []
    for x, y in BEAMS:
        half = np.sqrt(1 - (x if y is None else y) ** 2)
        s = np.linspace(-half, half, n_steps)
        up, outward = (s, np.hypot(x, s)) if y is None else (np.full(n_steps, y), np.hypot(s, y))
        if label == 1:
            in_water, in_oil = outward > np.sqrt(1 - water), outward > np.sqrt(gas)
        else:
            in_water, in_oil = up < level[0], up < level[1]
        in_oil = in_oil & ~in_water
        if label == 0:
            in_water, in_oil = water, oil
        lengths += [2 * half * np.mean(in_water), 2 * half * np.mean(in_oil)]
    return lengths


@pytest.mark.parametrize("label", [0, 1, 2])
def test_oil_flow_paths_are_found_by_walking_along_the_beams(label):
    random = np.random.RandomState(label)
    for fractions in random.dirichlet([1, 1, 1], size=6):
        paths = datasets.oil_flow_paths([fractions], [label])[0]
        np.testing.assert_allclose(paths, paths_by_walking(fractions, label), atol=2e-3)


def test_layers_cut_off_their_share_of_the_pipe():
    share = np.linspace(0, 1, 21)
    height = datasets.oil_flow._level(share)
    area = [quad(lambda y: 2 * np.sqrt(1 - y * y), -1, h)[0] / np.pi for h in height]
    np.testing.assert_allclose(area, share, atol=1e-7)


def test_a_full_pipe_is_the_same_in_every_configuration():
    for phase in np.eye(3):
        paths = datasets.oil_flow_paths([phase] * 3, [0, 1, 2])
        np.testing.assert_allclose(paths, paths[[0, 0, 0]], atol=1e-7)


def test_without_noise_the_measurement_gives_back_the_paths():
    Y, labels, fractions = datasets.simulated_oil_flow(
        300, n_photons=np.inf, return_fractions=True, random_state=0
    )
    np.testing.assert_array_equal(Y, datasets.oil_flow_paths(fractions, labels))
    many, _ = datasets.simulated_oil_flow(300, n_photons=1e17, random_state=0)
    np.testing.assert_allclose(many, Y, atol=1e-5)


def test_noise_lies_in_the_difference_of_water_and_oil_as_in_the_published_set():
    # Seen there, in beams through gas alone: standard deviation .043 in water, .052 in oil, .0015
    # in 1.18 water + oil.
    Y, labels, fractions = datasets.simulated_oil_flow(4000, return_fractions=True, random_state=0)
    clean = datasets.oil_flow_paths(fractions, labels).reshape(-1, 2)
    error = (Y.reshape(-1, 2) - clean)[clean.sum(axis=1) < 1e-9]
    np.testing.assert_allclose(error.std(axis=0), [0.043, 0.052], rtol=0.1)
    assert 0.0008 < np.std(error @ [1.18, 1]) < 0.002


def test_a_dark_detector_still_gives_finite_lengths():
    Y, _ = datasets.simulated_oil_flow(200, n_photons=1, random_state=0)
    assert np.all(np.isfinite(Y))


def test_compositions_fill_the_triangle_of_shares_and_configurations_come_alike():
    for composition, spread in (("published", 0.180), ("flat", 0.236)):
        _, labels, fractions = datasets.simulated_oil_flow(
            6000, composition=composition, return_fractions=True, random_state=0
        )
        np.testing.assert_allclose(fractions.sum(axis=1), 1)
        np.testing.assert_allclose(fractions.mean(axis=0), 1 / 3, atol=0.01)
        np.testing.assert_allclose(fractions.std(axis=0), spread, rtol=0.03)
        np.testing.assert_allclose(np.bincount(labels), 2000, rtol=0.06)
        assert len(datasets.OIL_FLOW_CONFIGURATIONS) == len(set(labels)) == 3


def test_classes_are_as_hard_to_tell_apart_in_two_principal_components_as_in_the_paper():
    # [UKR] table 3: 15.2 % of the test points are nearest to a point of another class.
    errors = []
    for seed in range(5):
        Y, labels = datasets.simulated_oil_flow(random_state=seed)
        Y_test, labels_test = datasets.simulated_oil_flow(random_state=seed + 100)
        pca = PCA(2).fit(Y)
        nearest = KNeighborsClassifier(1).fit(pca.transform(Y), labels)
        errors.append(1 - nearest.score(pca.transform(Y_test), labels_test))
    assert 0.13 < np.median(errors) < 0.20


@pytest.mark.parametrize(
    ("fractions", "labels", "message"),
    [
        ([[1, 0]], [0], "fractions must be a table of at least one row and 3 columns"),
        ([[1, 0, 0]], [0, 1], "must have the same number of rows; got 1 and 2"),
        ([[1, 1, 0]], [0], "sum to 1 in each row; got a smallest entry of 0 and sums from 2 to 2"),
        ([[1.5, -0.5, 0]], [0], "smallest entry of -0.5"),
        ([[1, 0, 0]], [3], "labels must be 0, 1 or 2 for homogeneous, annular, stratified"),
    ],
)
def test_impossible_pipes_are_refused(fractions, labels, message):
    with pytest.raises(ValueError, match=message):
        datasets.oil_flow_paths(fractions, labels)


def write_published_set(folder, N=7):
    Y, labels, fractions = datasets.simulated_oil_flow(N, return_fractions=True, random_state=0)
    np.savetxt(folder / "DataVdn.txt", Y)
    np.savetxt(folder / "DataVdnLbls.txt", np.eye(3)[labels])
    np.savetxt(folder / "DataVdnFrctns.txt", fractions[:, :2])
    return Y, labels, fractions


def test_the_published_files_are_read(tmp_path):
    expected = write_published_set(tmp_path)
    loaded = datasets.load_oil_flow(tmp_path, "validation", return_fractions=True)
    for read, written in zip(loaded, expected, strict=True):
        np.testing.assert_allclose(read, written, rtol=1e-12, atol=1e-15)
    assert len(datasets.load_oil_flow(str(tmp_path), "validation")) == 2


def test_what_is_wrong_with_the_published_files_is_said(tmp_path):
    with pytest.raises(ValueError, match="subset must be one of 'train', 'validation', 'test'"):
        datasets.load_oil_flow(tmp_path, "Trn")
    with pytest.raises(FileNotFoundError, match=r"DataTrn.txt must be a file .* Unpack 3PhData"):
        datasets.load_oil_flow(tmp_path)
    Y, labels, _ = write_published_set(tmp_path)
    np.savetxt(tmp_path / "DataVdnLbls.txt", np.eye(3)[labels] * [1, 1, 0])
    with pytest.raises(ValueError, match="must hold one 1 and two zeros; row "):
        datasets.load_oil_flow(tmp_path, "validation")
    np.savetxt(tmp_path / "DataVdnLbls.txt", np.eye(3)[labels[:-1]])
    with pytest.raises(ValueError, match="must hold 7 rows of 3 numbers; got 6 rows of 3"):
        datasets.load_oil_flow(tmp_path, "validation")
    (tmp_path / "DataVdn.txt").write_text("1 2 three\n")
    with pytest.raises(ValueError, match="must hold rows of 12 numbers; reading it failed"):
        datasets.load_oil_flow(tmp_path, "validation")
