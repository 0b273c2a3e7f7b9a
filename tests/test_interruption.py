"""Ctrl-C during a fit, by real signals: kept in a shell, passed on in scripts and searches."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from jupyter_client.manager import start_new_kernel

from ukrlearn import UKR

LIMIT = 1800  # seconds, a safety net only
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")

ENDLESS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background ignore it
from sklearn.model_selection import GridSearchCV
from ukrlearn import SNE, UKR, NonparametricDRUR, ParametricDRUR, PrincipalManifold, datasets
Y, _ = datasets.noisy_spiral(40, random_state=0)
seen = []
def after_ten_steps(step):
    seen.append(step)
    if len(seen) == 10:
        print("ready", flush=True)
endless = dict(tol=0, max_iter=10**9, callback=after_ten_steps)
model = UKR(1, init="pca", homotopy=False, **endless)
"""
SEARCH = ENDLESS + "search = GridSearchCV(model, dict(leave_out=[1, 2]), cv=2{jobs}, refit=False)\n"
WATCHED = """
try:
    {fit}
except KeyboardInterrupt as stop:
    print(type(model).__name__, hasattr(model, "embedding_"), *getattr(stop, "__notes__", ()))
else:
    print("went on")
"""


def after_ctrl_c(source):
    """What a script prints after a signal that it gets when it is ready."""
    command = [sys.executable, "-c", source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as script:
        assert script.stdout.readline() == "ready\n"
        script.send_signal(signal.SIGINT)
        return script.communicate(timeout=LIMIT)[0].strip(), script.returncode


@pytest.mark.parametrize(
    "other",
    [
        "",
        "model = SNE(h=0.1, **endless)",
        "model = ParametricDRUR(1, n_basis=5, max_iter=10**9, callback=after_ten_steps)",
        "model = NonparametricDRUR(1, max_iter=10**9, callback=after_ten_steps)",
    ],
)
def test_in_a_script_the_interrupt_goes_on_and_the_model_is_fitted(other):
    printed, code = after_ctrl_c(ENDLESS + other + WATCHED.format(fit="model.fit(Y)"))
    assert code == 0 and " True The fit was interrupted after" in printed


def test_a_script_that_does_not_catch_the_interrupt_ends():
    printed, code = after_ctrl_c(ENDLESS + "for _ in range(3): model.fit(Y)\nprint('went on')")
    assert printed == "" and code != 0


def test_a_search_in_a_script_ends():
    printed, _ = after_ctrl_c(SEARCH.format(jobs="") + WATCHED.format(fit="search.fit(Y)"))
    assert printed.startswith("UKR False")  # the search has fitted copies


@pytest.fixture(scope="module")
def cell():
    """cell(source, signals) runs a cell, and interrupts it at each line "ready": text and error."""
    manager, client = start_new_kernel(LIMIT, kernel_name="python3")

    def run(source, signals=0):
        # After an error, a kernel would abort what is asked in the next moment.
        asked, said = client.execute(source, stop_on_error=False), ""
        last = client.execute("", silent=True)  # a kernel may show what it printed after it is idle
        while True:
            message = client.get_iopub_msg(timeout=LIMIT)
            if message["parent_header"].get("msg_id") not in (asked, last):
                continue
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                said += content["text"]
                if "ready" in content["text"] and signals:
                    signals -= 1
                    manager.interrupt_kernel()
            is_idle = kind == "status" and content["execution_state"] == "idle"
            if is_idle and message["parent_header"]["msg_id"] == last:
                break
        while (reply := client.get_shell_msg(timeout=LIMIT))["parent_header"]["msg_id"] != asked:
            pass
        return said, reply["content"].get("ename")

    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_in_a_shell_a_fit_keeps_the_best_model_with_a_warning(cell):
    said, error = cell(ENDLESS + "fitted = model.fit(Y)\nprint(fitted.embedding_.shape)", 1)
    assert error is None and "ConvergenceWarning: The fit was interrupted after" in said
    assert "(40, 1)" in said
    again = (
        "import warnings; warnings.simplefilter('always')  # also after as many steps as before\n"
    )
    said, error = cell(again + "seen.clear(); X = model.fit_transform(Y)", 1)  # again a first time
    assert error is None and "interrupted" in said


def test_in_a_shell_a_second_ctrl_c_ends_the_loop(cell):
    loop = "for k in range(3):\n    seen.clear()\n    model.fit(Y)\n    print('done', k)"
    said, error = cell(ENDLESS + loop, 2)
    assert error == "KeyboardInterrupt" and "done 0" in said and "done 1" not in said


@pytest.mark.parametrize("refit", [False, True])
def test_in_a_shell_a_search_ends(cell, refit):
    search = SEARCH.format(jobs="")
    if refit:  # the search itself ends after few steps; its last fit does not
        search += "search.set_params(refit=True, error_score=0.0, scoring=lambda model, Y: 0.0)\n"
        search += "model.set_params(callback=lambda step: after_ten_steps(step) or len(step.X) < 40"
        search += ")\n"
    said, error = cell(search + "search.fit(Y)\nprint('went on')", 1)
    assert error == "KeyboardInterrupt" and "went on" not in said


def test_a_second_signal_during_the_last_computations_stops_the_fit(monkeypatch):
    def interrupt(*_):
        signal.default_int_handler(signal.SIGINT, None)

    model = UKR(1, init="pca", callback=interrupt)
    monkeypatch.setattr(UKR, "_fitted", interrupt)
    with pytest.raises(KeyboardInterrupt) as stop:
        model.fit(np.arange(20.0).reshape(10, 2))
    assert not hasattr(model, "embedding_") and not hasattr(stop.value, "__notes__")
