"""Does the suite pass on other machines, too? `make test`, under hard conditions.

    python tools/hard.py [CONDITION+... ...]           three runs that have them all: an hour
    TESTS=tests/test_cli.py python tools/hard.py locale         a part of the suite only

What came of the last run of each combination is kept in tests/HARD.md.
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

`make test-hard` writes this table. `make test-hard HARD="locale umask+busy"` makes one run
under the first condition and one under both of the others, `TESTS=...` runs a part of the suite.
An order is repeated by `order=SEED`.

| conditions | selection | commit | day | what pytest said last |
|---|---|---|---|---|
"""


class Run:
    """`make test`, as conditions change it."""

    def __init__(self):
        self.folder, self.options, self.environment = ROOT, [], dict(os.environ)

    def __call__(self):
        """The closing line of pytest."""
        environment = {**self.environment, "PYTEST_ADDOPTS": " ".join(self.options)}
        command, said = ["make", "--no-print-directory", "test"], []
        with subprocess.Popen(
            command,
            cwd=self.folder,
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

    def without_browser(self):
        self.options.append("--ignore=tests/browser")


@contextlib.contextmanager
def busy(run):
    """Two processes for each core, which do nothing but work."""
    with contextlib.ExitStack() as stack:
        for _ in range(2 * os.cpu_count()):
            command = [sys.executable, "-c", "while True: pass"]
            stack.callback(stack.enter_context(subprocess.Popen(command)).kill)
        yield


@contextlib.contextmanager
def tmpdir(run):
    """A TMPDIR of 60 characters."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "x" * max(1, 59 - len(name)))
        folder.mkdir()
        run.environment["TMPDIR"] = str(folder)
        yield


@contextlib.contextmanager
def checkout(run):
    """A clone in a folder with a space and an umlaut in its path, without a browser."""
    run.without_browser()
    with tempfile.TemporaryDirectory() as name:
        run.folder = Path(name, "ukr lärn")
        subprocess.run(["git", "clone", "--quiet", ROOT, run.folder], check=True)
        yield


@contextlib.contextmanager
def locale(run):
    """LC_ALL=C, which Python takes for ASCII, and no HOME, without a browser."""
    run.without_browser()
    run.environment |= {"LC_ALL": "C", "PYTHONUTF8": "0"}
    for name in ("LANG", "HOME"):
        run.environment.pop(name, None)
    yield


@contextlib.contextmanager
def umask(run):
    """umask 077, and at most 256 open files, without a browser."""
    run.without_browser()
    mask, limits = os.umask(0o077), resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        os.umask(mask)


CONDITIONS = {c.__name__: c for c in (busy, tmpdir, checkout, locale, umask)}


def condition(name):
    """The condition of that name; order=SEED is the order of that seed."""
    word, _, seed = name.partition("=")
    if word == "order" and seed.isdigit():
        return lambda run: contextlib.nullcontext(run.options.append(f"--shuffle={seed}"))
    if name not in CONDITIONS:
        sys.exit(f"{name} must be order=SEED or one of {', '.join(CONDITIONS)}.")
    return CONDITIONS[name]


def under(names):
    """The closing line of pytest under all of these conditions, and whether a browser took part."""
    run = Run()
    with contextlib.ExitStack() as stack:
        for name in names.split("+"):
            stack.enter_context(condition(name)(run))
        return run(), "--ignore=tests/browser" not in run.options


def write(name, *cells):
    """Puts the row of a condition into the table, in place of an older one."""
    old = TABLE.read_text(encoding="utf-8").removeprefix(HEAD) if TABLE.exists() else ""
    rows = dict((line.split(" | ")[0].strip("| "), line) for line in old.splitlines())
    rows[name] = f"| {' | '.join([name, *cells])} |"
    TABLE.write_text(HEAD + "\n".join(rows[key] for key in sorted(rows)) + "\n", encoding="utf-8")


def main(combinations):
    git = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    seeds = random.sample(range(10**6), 3)
    everything = ("busy", "checkout+tmpdir+umask", "locale")
    drawn = [f"{rest}+order={seed}" for rest, seed in zip(everything, seeds, strict=True)]
    well = True
    for names in combinations or drawn:
        print(f"---- {names}", flush=True)
        closing, browser = under(names)
        well &= "passed" in closing and not re.search("failed|error", closing)
        tests = os.environ.get("TESTS", "everything") + ("" if browser else ", no browser")
        write(names, tests, commit.strip(), time.strftime("%Y-%m-%d"), closing)
    print(TABLE.read_text(encoding="utf-8").removeprefix(HEAD))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
