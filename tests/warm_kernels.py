"""Kernels that start at once: forks of a process that has imported the libraries already.

The tests run some sixty notebooks, each in a kernel of its own, and a kernel spends most of its
time on importing NumPy, SciPy, scikit-learn and Matplotlib. `install` writes a kernel spec under
the usual name, python3. Its command, `connect`, asks the process `serve` for a fork, and lives as
long as the fork does. Only other people's libraries are imported beforehand: a notebook imports
ukrlearn itself, into an empty namespace, and draws random numbers that no other notebook draws.
"""

import contextlib
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

LIBRARIES = """
    ipykernel.kernelapp ipykernel.debugger IPython.core.completerlib IPython.extensions.storemagic
    matplotlib_inline.backend_inline matplotlib.pyplot mpl_toolkits.mplot3d
    ipywidgets tqdm.auto numpy scipy.optimize scipy.spatial scipy.sparse.linalg scipy.stats
    sklearn.cluster sklearn.datasets sklearn.decomposition sklearn.manifold sklearn.model_selection
    sklearn.neighbors sklearn.pipeline sklearn.preprocessing anywidget
""".split()  # one that is missing here costs its notebooks time, and nothing else
SOCKET = "forks"
INLINE = "module://matplotlib_inline.backend_inline"  # a kernel's, which Matplotlib reads on import


def install(folder):
    """Writes the kernel spec into a folder of JUPYTER_PATH; starts and returns its server."""
    spec = Path(folder, "kernels", "python3", "kernel.json")
    spec.parent.mkdir(parents=True)
    command = [sys.executable, "-I", "-S", __file__, "connect", str(folder)]
    about = {"display_name": "Python 3 (forked)", "language": "python", "interrupt_mode": "message"}
    spec.write_text(
        json.dumps({**about, "argv": [*command, "-f", "{connection_file}"]}), encoding="utf-8"
    )
    listener = socket.socket(socket.AF_UNIX)
    with contextlib.chdir(folder):  # the whole path of a socket has at most 107 characters
        listener.bind(SOCKET)
    listener.listen()
    with listener:
        return subprocess.Popen(
            [sys.executable, __file__, "serve", str(listener.fileno())],
            env={**os.environ, "MPLBACKEND": INLINE},
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,  # closes when the tests end, however they end
        )


def stop(server):
    """Ends the server, and every kernel that is left."""
    server.stdin.close()
    server.wait()


def connect(folder, *arguments):
    """What Jupyter takes for the kernel: asks for a fork, and waits until it ends."""
    wish = [arguments, os.getcwd(), dict(os.environ)]
    os.chdir(folder)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(SOCKET)
        socket.send_fds(line, [json.dumps(wish).encode() + b"\n"], [0, 1, 2])
        line.recv(1)


def serve(number):
    """Forks a kernel for everyone who connects, until the tests end."""
    del sys.path[0]  # this folder, as ipykernel_launcher does
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests, which then end
    with socket.socket(fileno=int(number)) as listener, selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        selector.register(0, selectors.EVENT_READ)
        while all(key.fileobj is listener for key, _ in selector.select()):
            line, _ = listener.accept()
            for library in LIBRARIES:  # when the first kernel is wanted, not before
                importlib.import_module(library)
            if os.fork() == 0:
                listener.close()
                be_a_kernel(line)
            line.close()
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG) != (0, 0):  # no zombies of earlier forks
                    pass


def be_a_kernel(line):
    """Turns this fork into the kernel that was asked for. Never returns."""
    wish, descriptors, _, _ = socket.recv_fds(line, 1 << 20, 3)
    while not wish.endswith(b"\n"):
        wish += line.recv(1 << 20)
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    arguments, folder, environment = json.loads(wish)
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.modules["numpy"].random.seed()  # all forks have inherited the same state
    threading.Thread(target=end_with, args=[line], daemon=True).start()
    sys.argv = ["ipykernel_launcher", *arguments]
    parent = f"--IPKernelApp.parent_handle={os.getppid()}"  # as a variable it came too late
    try:
        sys.modules["ipykernel.kernelapp"].launch_new_instance([*sys.argv[1:], parent])
    finally:
        os._exit(0)


def end_with(line):
    """Ends this kernel, and what it has started, when whoever asked for it is gone."""
    with contextlib.suppress(OSError):
        line.recv(1)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    {"serve": serve, "connect": connect}[sys.argv[1]](*sys.argv[2:])
