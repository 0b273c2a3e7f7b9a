"""What all tests share: a Jupyter of their own, and no benchmarks."""

import os
import tempfile

# Timed, long, and run by `make bench`.
collect_ignore = ["benchmarks"]

# A developer's IPython profile, start-up files and kernels must not decide whether a notebook
# passes. Set on import, because nbval starts its kernels without asking for a fixture.
_jupyter_home = tempfile.TemporaryDirectory(prefix="ukrlearn-tests-", ignore_cleanup_errors=True)
for _variable in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
    os.environ[_variable] = os.path.join(_jupyter_home.name, _variable.lower())
