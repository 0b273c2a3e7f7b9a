"""The ν slider: its runs are those of the library, and only h decomposes anything."""

import asyncio

import numpy as np
import pytest

from tests.helpers import by_hand
from ukrlearn import datasets, sgd
from ukrlearn.blocks import descent
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.metrics import order_recovered
from ukrlearn.panels import Guidance
from ukrlearn.panels.guidance import SCHEDULES
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.ukr.reconstruction import reconstruction_error

N = 40
Y, t = datasets.noisy_helix(N, random_state=0)


@pytest.fixture
def panel():
    shown = Guidance(Y, t, moves=30)
    yield shown
    shown.close()


def objective(X):
    return reconstruction_error(X, Y)


def steps(guidance=None, seed=0, moves=30):
    """The library's own run."""
    X0 = 0.1 * np.random.RandomState(seed).normal(size=(N, 1))
    method = descent.gradient_descent
    if guidance is not None:
        method = sgd.guided(method, guidance.filters(guidance.spectrum(Y), 1))
    return list(descent.at_most(method(objective, X0), moves))


@pytest.mark.parametrize(
    ("values", "guidance"),
    [
        ({}, SpectralGuidance(h=1.0, schedule="nu")),
        ({"nu": 3.5}, SpectralGuidance(h=1.0, schedule="nu", nu=3.5)),
        ({"h": 0.3}, SpectralGuidance(h=0.3, schedule="nu")),
        ({"l": 2}, SpectralGuidance(h=1.0, schedule="l", l=2)),
        ({"schedule": "directions"}, SpectralGuidance(h=1.0)),
        ({"schedule": "nu-hold"}, SpectralGuidance(h=1.0, schedule="nu-hold")),
        ({"schedule": "deflation"}, SpectralGuidance(h=1.0, schedule="deflation")),
        ({"schedule": "constant nu"}, SpectralGuidance(h=1.0, schedule="constant")),
        ({"schedule": "constant l", "l": 4}, SpectralGuidance(h=1.0, schedule="constant", l=4)),
    ],
)
def test_both_runs_are_those_of_the_library(panel, values, guidance):
    panel.set(frame=25, seed=3, **values)
    assert panel.guidance() == guidance
    plain, guided = steps(seed=3), steps(guidance, seed=3)
    for name, run in (("plain", plain), ("guided", guided)):
        assert panel.history()[name] == [step.error for step in run[:26]]
        np.testing.assert_array_equal(panel.latent_points()[name], run[25].X)


def test_the_summary_has_the_numbers_of_the_iteration(panel):
    panel.set(frame=4)
    plain, guided = steps()[4], steps(SpectralGuidance(h=1.0, schedule="nu"))[4]
    bend = sgd.powers(SpectralGuidance(h=1.0).spectrum(Y), 6)
    orders = order_recovered(plain.X, t), order_recovered(guided.X, t)
    assert panel.summary() == (
        f"Iteration 4, seed 0: R_cv plain {plain.error:.4f}, guided {guided.error:.4f}. Order "
        f"recovered: plain {orders[0]:.3f}, guided {orders[1]:.3f}. Their latent points extend "
        f"over {np.ptp(plain.X):.3g} and {np.ptp(guided.X):.3g}. Schedule nu from ν = 10, h = 1: "
        f"the next guided move has {bend.directions:.1f} of 40 directions effectively free."
    )


def test_only_a_new_h_needs_an_eigendecomposition(panel, monkeypatch):
    calls = []
    eigh = np.linalg.eigh
    monkeypatch.setattr(np.linalg, "eigh", lambda M: calls.append(1) or eigh(M))
    panel.set(frame=10)
    for nu in (0, 0.3, 1, 7.7, 20):
        panel.set(nu=nu)
    for schedule in SCHEDULES:
        panel.set(schedule=schedule)
    for l in (1, 5, N):
        panel.set(l=l)
    panel.set(seed=4).set(frame=30)
    assert calls == []
    panel.set(h=0.2).set(nu=3).set(h=1.0).set(h=0.2)
    assert len(calls) == 1


def test_iterations_are_computed_when_asked_for_and_once():
    calls = []

    def counted(X):
        calls.append(1)
        return objective(X)

    panel = Guidance(Y, t, objective=counted, moves=30)
    at_first = len(calls)
    assert at_first <= 4  # the starts
    panel.set(frame=10)
    computed = len(calls)
    panel.set(frame=3).set(frame=10)
    panel.set(seed=1, frame=0).set(seed=0, frame=10)
    assert len(calls) == computed + 2
    panel.close()


def test_the_weights_are_those_of_the_next_move(panel):
    spectrum = SpectralGuidance(h=1.0).spectrum(Y)
    for frame, nu in ((0, 10), (7, 3)):
        panel.set(frame=frame)
        number, weights = panel._weights_line.get_data()
        np.testing.assert_allclose(weights, spectrum.values**nu)
        np.testing.assert_array_equal(number, np.arange(1, N + 1))
    panel.set(frame=10)
    assert np.all(panel._weights_line.get_ydata() == 1)
    assert "40.0 of 40 directions" in panel.summary()


def test_a_slider_chooses_a_schedule_that_has_it(panel):
    assert panel.set(l=3).state()["schedule"] == "l"
    assert panel.set(nu=3).state()["schedule"] == "nu"
    assert panel.set(schedule="constant l").set(nu=4).state()["schedule"] == "constant nu"
    assert panel.set(l=5).state()["schedule"] == "constant l"
    assert panel.set(schedule="l-doubling").set(l=2).state()["schedule"] == "l-doubling"
    assert panel.set(schedule="nu-geometric").set(nu=2).state()["schedule"] == "nu-geometric"
    assert panel.set(nu=2, schedule="directions").state()["schedule"] == "directions"


def test_without_power_guided_is_plain(panel):
    for schedule in ("nu", "nu-geometric", "deflation", "constant nu"):
        panel.set(nu=0, schedule=schedule, frame=20)
        assert panel.history()["plain"] == panel.history()["guided"]


def test_played_runs_stay_as_faint_lines_and_passed_ones_do_not(panel):
    panel.set(seed=7)
    assert "faintly" not in panel.summary()  # nothing but its start
    panel.set(seed=0, frame=20)
    panel.set(seed=1).set(seed=2)
    assert "Runs drawn faintly: 4." in panel.summary()
    panel.set(nu=9).set(nu=8).set(nu=7)  # a slider that is dragged; its first run was on show
    assert "Runs drawn faintly: 5." in panel.summary()
    panel.set(seed=3)  # and its last one has rested
    assert "Runs drawn faintly: 7." in panel.summary()
    faint = panel._faint[0].get_ydata()
    assert np.isnan(faint).sum() == 4 and len(faint) == 4 + 3 * 21
    panel.reset()
    assert "faintly" not in panel.summary()


def test_the_same_values_are_the_same_picture_however_one_came(panel):
    panel.set(frame=5).set(h=1.2).set(nu=9)
    panel.set(seed=1)
    there = panel.png(), panel.summary()
    panel.set(seed=0).set(seed=1)
    assert (panel.png(), panel.summary()) == there


def test_playing_goes_to_the_end_and_begins_again(panel):
    panel.rate = 1000

    async def play():
        panel.set(frame=27)
        panel.play()
        await panel._playing
        assert panel.state()["frame"] == 30
        panel.play()
        assert panel.state()["frame"] == 0
        await asyncio.sleep(0.05)
        panel.set(nu=4)  # goes on playing
        await panel._playing
        assert (panel.state()["frame"], panel.state()["nu"]) == (30, 4)

    asyncio.run(play())


def test_another_seed_plays_from_its_start(panel):
    panel.rate = 1000

    async def play():
        panel.set(frame=30)
        panel.another_seed()
        assert (panel.state()["seed"], panel.state()["frame"]) == (1, 0)
        await panel._playing

    asyncio.run(play())
    assert panel.state()["frame"] == 30
    assert "Runs drawn faintly: 2." in panel.summary()


def test_a_hand_that_jumps_ahead_waits_for_no_more_than_its_patience(panel, monkeypatch):
    monkeypatch.setattr("ukrlearn.panels.guidance.PATIENCE", 0)

    async def jump():
        by_hand(panel, "frame", step=30)
        assert panel.state()["frame"] == 1  # as far as patience went
        assert panel._view.values["frame"] == {"text": "1", "step": 1}
        by_hand(panel, "nu", text="5")  # on the way
        await panel._playing
        for nu in (7.0, 6.0, 5.0):  # passed through
            by_hand(panel, "nu", text=nu)
            if panel._playing:
                await panel._playing
        assert "Runs drawn faintly: 1." in panel.summary()  # that of the jump
        assert panel._view.values["frame"]["step"] == panel.state()["frame"] == 30
        assert panel.state()["nu"] == 5.0
        by_hand(panel, "frame", step=0)
        by_hand(panel, "seed", step=9)
        by_hand(panel, "frame", step=30)
        panel.pause()
        frame = panel.state()["frame"]
        await asyncio.sleep(0.05)
        assert panel.state()["frame"] == frame < 30

    asyncio.run(jump())
    assert panel.set(frame=30).history()["plain"] == [step.error for step in steps(seed=9)]


def test_without_a_loop_a_jump_by_hand_is_computed_at_once(panel):
    by_hand(panel, "frame", step=30)
    assert panel.state()["frame"] == 30


def test_errors_below_the_axis_move_its_end_and_reset_moves_it_back(panel):
    first = panel._of_errors.get_ylim()[0]
    panel._show_errors_from(10.0)
    panel.set(frame=30)
    assert panel._of_errors.get_ylim()[0] <= min(panel.history()["guided"])
    panel.reset()
    assert panel._of_errors.get_ylim()[0] == first


def test_two_dimensions_and_another_objective():
    data, order = datasets.partitioned_circle(30, random_state=0)
    error = neighbor_embedding.objective(data, 0.3)
    panel = Guidance(data, order, 2, error, "E", h=0.3, spread=0.01, moves=10)
    panel.set(frame=10, l=1)
    guidance = SpectralGuidance(h=0.3, schedule="l", l=1)
    X0 = 0.01 * np.random.RandomState(0).normal(size=(30, 2))
    method = sgd.guided(descent.gradient_descent, guidance.filters(guidance.spectrum(data), 2))
    last = descent.last(descent.at_most(method(error, X0), 10))
    assert f"guided {last.error:.4f}" in panel.summary()
    assert "E plain" in panel.summary() and "Order" not in panel.summary()
    np.testing.assert_array_equal(panel.latent_points()["guided"], last.X)
    panel.close()
