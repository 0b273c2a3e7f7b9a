"""Make a virtual environment that is exactly a lock file, plus this package, editable.

    python3 tools/environment.py .venv binder/lab.lock

Standard library only, because it runs before anything is installed. uv installs a lock in seconds;
where uv cannot be had or cannot reach the packages (a mirror known to pip's settings only, which
uv does not read), pip installs the same lock, with the same hashes, in a minute or two.
"""

import os
import re
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV_LOCK = ROOT / "tools" / "uv-bootstrap.lock"
DECLARED = re.compile(r'^requires-python = ">=3\.(\d+)"', re.MULTILINE)
OLDEST = 3, int(DECLARED.search((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[1])


def run(*command):
    """Run a command and show only what goes wrong; its success is returned."""
    # uv must not fetch another Python behind the user's back when this one does not suit it.
    environment = dict(os.environ, UV_PYTHON_DOWNLOADS="never")
    return subprocess.call([str(part) for part in command], env=environment) == 0


def install_with_uv(python, lock):
    """Whether uv could be installed into the environment, and with it the lock."""
    uv = (python, "-m", "uv", "pip", "install", "--quiet", "--python", python)
    return run(
        *(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--require-hashes", "-r", UV_LOCK),
    ) and run(*uv, "--require-hashes", "-r", lock)


def install_with_pip(python, lock):
    return run(
        *(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--require-hashes", "--no-deps", "-r", lock),
    )


def install_this_package(python):
    """Editable and without a look-up: the lock holds its dependencies and its build backend."""
    return run(
        *(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--no-build-isolation", "--editable", ROOT),
    )


def make(folder, lock):
    started = time.monotonic()
    print(f"Making {folder.name} with Python {sys.version.split()[0]} from {lock} ...", flush=True)
    # clear: what an older lock installed must not survive in an environment made from a newer one.
    venv.create(folder, clear=True, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not install_with_uv(python, lock):
        print("uv could not install the lock; pip does it, which takes longer ...", flush=True)
        if not install_with_pip(python, lock):
            sys.exit(f"{lock} could not be installed, see above. Is the package index reachable?")
    if not install_this_package(python):
        sys.exit("The package itself could not be installed, see above.")
    print(f"{folder.name} is ready after {time.monotonic() - started:.0f} s.", flush=True)


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        oldest, present = ".".join(map(str, OLDEST)), sys.version.split()[0]
        sys.exit(
            f"ukrlearn needs Python {oldest} or newer; {sys.executable} is {present}."
            f" Say which one to use, for instance: make PYTHON=python{oldest} lab"
        )
    make(Path(sys.argv[1]).absolute(), Path(sys.argv[2]))
