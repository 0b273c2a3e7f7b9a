"""Rescue the roll: its rounds are those of ParametricDRUR, and its numbers those of the library."""

import base64
import json

import numpy as np
import pytest

from ukrlearn import ParametricDRUR, datasets, figures, metrics
from ukrlearn.panels import RescueTheRoll, rescue_the_roll

Y, t = datasets.swiss_roll(300, length=90.0, height=50.0, random_state=0)


@pytest.fixture(scope="module")
def panel():
    shown = RescueTheRoll(Y, t, rounds=6)
    yield shown
    shown.close()


@pytest.mark.parametrize(
    ("values", "options"),
    [({"noise": 10}, {}), ({"noise": 40, "recipe": True}, {"coarse": 10, "penalty": 1e-3})],
)
def test_the_rounds_are_those_of_the_estimator(panel, values, options):
    panel.reset().set(frame=4, **values)
    start = panel.start(values["noise"])
    model = ParametricDRUR(init=start, max_iter=4, **options).fit(Y)
    np.testing.assert_array_equal(panel.latent_points(), model.embedding_)
    x = t[:5]
    surface = panel.run({"recipe": False, **values}).surface(4)
    np.testing.assert_array_equal(surface(x), model.inverse_transform(x))


def test_the_summary_has_the_numbers_of_the_library(panel):
    panel.reset().set(noise=10, frame=3)
    X = panel.latent_points()
    assert f"R² = {metrics.procrustes_r2(X, t):.4f}" in panel.summary()
    assert f"at least {metrics.orders_recovered(X, t).min():.3f}" in panel.summary()
    step = panel.run({"noise": 10, "recipe": False}).step(3)
    assert f"{step.full_steps:.1%} of Gauss-Newton steps taken in full" in panel.summary()
    assert f"objective {step.error:.3g}" in panel.summary()


def test_round_0_is_the_start(panel):
    panel.reset().set(noise=25)
    np.testing.assert_allclose(panel.latent_points(), panel.start(25), atol=1e-9)
    assert "Spread of the latent points relative to the start 1.000" in panel.summary()
    assert "whole" not in panel.summary()


def test_a_run_is_computed_once_and_goes_on_where_it_stopped(panel):
    panel.reset().set(noise=33, frame=2)
    run = panel.run({"noise": 33, "recipe": False})
    assert len(run._steps) == 3
    panel.set(frame=5).set(noise=12).set(noise=33, frame=1)
    assert panel.run({"noise": 33, "recipe": False}) is run and len(run._steps) == 6


def test_the_net_is_that_of_f_where_there_are_latent_points(panel):
    panel.reset().set(noise=10, frame=5)
    run = panel.run({"noise": 10, "recipe": False})
    _, image = figures.manifold_grid_of(run.surface(5), run.points(5), n_grid=22, reach=1.3)
    cells = figures.patches(image)
    assert len(panel._net.get_paths()) == len(cells) > 100
    corners = cells.reshape(-1, 3)
    distance = np.linalg.norm(corners[:, None] - Y, axis=2).min(axis=1)
    assert np.median(distance) < 3  # the sheets of the roll are 2π apart


probe_key = {"noise": 60, "recipe": False}


def unpacked(packed, *shape):
    steps = np.frombuffer(base64.b64decode(packed["steps"]), "<u2")
    return (packed["low"] + steps * (packed["high"] - packed["low"]) / 65535).reshape(shape)


def test_the_page_gets_the_rounds_of_the_library_and_their_words(panel):
    panel.reset()
    given = panel.given()
    assert len(json.dumps(given)) < 400_000
    assert [run["noise"] for run in given["runs"]] == [20, 40, 60, 80]
    sent = given["runs"][2]
    probe, X = panel.copy(), unpacked(sent["X"], 7, 300, 2)
    net = unpacked(sent["net"], 7, 31, 9, 3)
    for k in (0, 1, 6):
        probe.set(noise=60, frame=k)
        step = (sent["X"]["high"] - sent["X"]["low"]) / 65535
        np.testing.assert_allclose(X[k], probe.latent_points(), atol=0.51 * step)
        assert sent["words"][k] == probe.summary()
        assert sent["unexplained"][k] == pytest.approx(1 - probe.r2(probe_key, k), abs=1e-6)
        end = probe.run(probe_key).surface(k)(t.max(axis=0, keepdims=True))
        np.testing.assert_allclose(net[k, -1, -1], end[0], atol=0.01)
    probe.close()


def test_few_runs_are_sent_if_there_are_many_points(panel, monkeypatch):
    monkeypatch.setattr(rescue_the_roll, "ROOM", 20_000)
    assert [run["noise"] for run in panel.reset().given()["runs"]] == [20]


def test_the_page_gets_the_run_that_it_asks_for(panel):
    panel.reset()
    panel._view.out = {"point": None, "asked": {"noise": 33, "recipe": True, "number": 1}}
    sent = panel._view.put["run"]
    assert (sent["noise"], sent["recipe"], len(sent["words"])) == (33, True, 7)
    assert sent["words"][3] == panel.copy().set(noise=33, recipe=True, frame=3).summary()


def test_errors_are_distances_from_true_places_up_to_similarity(panel):
    panel.reset().set(noise=40, frame=2)
    X, errors = panel.latent_points(), panel.errors()
    unexplained = np.sum(errors**2) / np.sum((X - X.mean(axis=0)) ** 2)
    assert 1 - unexplained == pytest.approx(metrics.procrustes_r2(X, t))
    far = 0.1 * t.max()
    assert f"{np.sum(errors > far)} of 300 points are further than {far:.3g} " in panel.summary()
    turned = 3 * t @ [[0, -1], [1, 0]] + 5
    mirrored = 3 * t @ [[0, 1], [1, 0]] + 5
    for X in (turned, mirrored):
        np.testing.assert_allclose(rescue_the_roll.carried(t, t, X), X)


def test_the_point_that_is_pointed_at_comes_out_and_goes_in(panel):
    panel._view.out = {"point": 12}
    assert panel.point == 12
    panel.put(point=299)
    assert panel._view.put["point"] == 299 and panel.copy().point == 299
    for bad in (300, -1, 1.5):
        with pytest.raises((ValueError, TypeError), match="point must be"):
            panel.put(point=bad)
    panel.put(point=None)
