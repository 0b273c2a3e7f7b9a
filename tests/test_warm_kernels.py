"""Forked kernels do what ordinary ones do: they know nothing of each other, and leave nothing."""

import os
import time

import pytest
from jupyter_client.manager import start_new_kernel

LIMIT = 1200  # seconds for anything to happen: a net for what hangs
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kernels are ordinary ones here")


@pytest.fixture
def start(tmp_path):
    """start(): a kernel that runs in tmp_path, and what speaks to it."""
    started = []

    def start_one():
        kernel = start_new_kernel(LIMIT, kernel_name="python3", cwd=str(tmp_path))
        started.append(kernel)
        return started[-1]

    yield start_one
    for manager, client in started:
        client.stop_channels()
        if manager.has_kernel:
            manager.shutdown_kernel(now=True)


def printed(client, source):
    """What a cell prints."""
    said = []
    client.execute_interactive(
        source, timeout=LIMIT, output_hook=lambda message: said.append(message["content"])
    )
    return "".join(content.get("text", "") for content in said).strip()


def test_a_kernel_knows_libraries_but_no_name_and_not_this_package(start, tmp_path):
    _, client = start()
    assert printed(client, "import sys; print('numpy' in sys.modules)") == "True"
    assert printed(client, "print([m for m in sys.modules if 'ukrlearn' in m])") == "[]"
    assert printed(client, "print('np' in globals(), 'LIBRARIES' in globals())") == "False False"
    assert printed(client, "import os; print(os.getcwd())") == str(tmp_path)
    assert printed(client, "import matplotlib; print(matplotlib.get_backend())").endswith("inline")


def test_two_kernels_draw_different_numbers(start):
    source = "import numpy, random; print(numpy.random.rand(), random.random())"
    one, other = (printed(start()[1], source).split() for _ in range(2))
    assert len(one) == len(other) == 2
    assert not set(one) & set(other)


def test_a_kernel_is_interrupted(start):
    manager, client = start()
    asked = client.execute("import time\nprint('running', flush=True)\ntime.sleep(600)")
    while client.get_iopub_msg(timeout=LIMIT)["msg_type"] != "stream":
        pass  # an interrupt before the cell's own code runs is lost in the kernel
    manager.interrupt_kernel()
    while (reply := client.get_shell_msg(timeout=LIMIT))["parent_header"]["msg_id"] != asked:
        pass
    assert reply["content"]["ename"] == "KeyboardInterrupt"


def test_a_kernel_ends_with_its_manager_and_takes_what_it_started_along(start):
    manager, client = start()
    source = "import os, subprocess; child = subprocess.Popen(['sleep', '600']); "
    pids = printed(client, source + "print(os.getpid(), child.pid)").split()
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    end = time.monotonic() + LIMIT
    while any(map(is_running, pids)):
        assert time.monotonic() < end, "the fork or its child still runs"
        time.sleep(0.05)


def is_running(pid):
    """Whether there is such a process, other than one that has ended and waits to be counted."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
