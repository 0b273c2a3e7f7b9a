"""Does the suite pass on other machines, too? `make test`, under one hard condition after another.

    python tools/hard.py [CONDITION ...]                        all of them take two hours
    TESTS=tests/test_cli.py python tools/hard.py locale         a part of the suite only

What came of the last run of each condition is kept in tests/HARD.md.
"""

import contextlib
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "HARD.md"
HEAD = """# The suite under hard conditions

`make test-hard` writes this table. `make test-hard HARD="locale umask"` runs some conditions only,
`TESTS=...` a part of the suite. An order is repeated by `order=SEED`.

| condition | selection | commit | day | what pytest said last |
|---|---|---|---|---|
"""
NO_BROWSER = "--ignore=tests/browser"


def make_test(*options, cwd=None, **changes):
    """The closing line of pytest in `make test`; a variable that is None is unset."""
    environment = {**os.environ, "PYTEST_ADDOPTS": " ".join(options)}
    for name in changes:
        environment.pop(name, None)
    environment |= {name: value for name, value in changes.items() if value is not None}
    command, said = ["make", "--no-print-directory", "test"], []
    with subprocess.Popen(
        command,
        cwd=cwd or ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            said.append(line.decode(errors="replace"))
    closing = re.findall(r"^=+ (.* in [\d.]+s.*?) =+$", "".join(said), re.MULTILINE)
    return closing[-1] if closing else f"pytest did not end; make gave {process.returncode}"


def order(seed):
    return make_test(f"--shuffle={seed}")


def busy():
    """Two processes for each core, which do nothing but work."""
    with contextlib.ExitStack() as stack:
        for _ in range(2 * os.cpu_count()):
            command = [sys.executable, "-c", "while True: pass"]
            stack.callback(stack.enter_context(subprocess.Popen(command)).kill)
        return make_test()


def tmpdir():
    """A TMPDIR of 60 characters."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "x" * (59 - len(name)))
        folder.mkdir()
        return make_test(TMPDIR=str(folder))


def checkout():
    """A clone in a folder with a space and an umlaut in its path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "ukr lärn")
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        return make_test(NO_BROWSER, cwd=folder)


def locale():
    """LC_ALL=C, which Python takes for ASCII, and no HOME."""
    return make_test(NO_BROWSER, LC_ALL="C", LANG=None, PYTHONUTF8="0", HOME=None)


def umask():
    """umask 077, and at most 256 open files."""
    mask, limits = os.umask(0o077), resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    try:
        return make_test(NO_BROWSER)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        os.umask(mask)


CONDITIONS = {c.__name__: c for c in (busy, tmpdir, checkout, locale, umask)}


def chosen(names):
    """(name, function) of each condition; order=SEED stands for itself, nothing for all."""
    orders = [f"order={random.randrange(10**6)}" for _ in range(3)]
    for name in names or [*orders, *CONDITIONS]:
        word, _, seed = name.partition("=")
        if word == "order" and seed.isdigit():
            yield name, lambda seed=seed: order(seed)
        elif name in CONDITIONS:
            yield name, CONDITIONS[name]
        else:
            sys.exit(f"{name} must be order=SEED or one of {', '.join(CONDITIONS)}.")


def write(name, *cells):
    """Puts the row of a condition into the table, in place of an older one."""
    old = TABLE.read_text(encoding="utf-8").removeprefix(HEAD) if TABLE.exists() else ""
    rows = dict((line.split(" | ")[0].strip("| "), line) for line in old.splitlines())
    rows[name] = f"| {' | '.join([name, *cells])} |"
    TABLE.write_text(HEAD + "\n".join(rows[key] for key in sorted(rows)) + "\n", encoding="utf-8")


def main(names):
    git = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    well = True
    for name, run in list(chosen(names)):
        print(f"---- {name}: {(run.__doc__ or '').strip()}", flush=True)
        closing = run()
        well &= "passed" in closing and not re.search("failed|error", closing)
        tests = os.environ.get("TESTS", "everything")
        if run not in (busy, tmpdir) and not name.startswith("order"):
            tests += ", no browser"
        write(name, tests, commit.strip(), time.strftime("%Y-%m-%d"), closing)
    print(TABLE.read_text(encoding="utf-8").removeprefix(HEAD))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
