"""Speed and quality of ukrlearn, measured side by side: `make bench`, or python run.py --help.

Prints tables in markdown. A run that is not --quick also keeps them in RESULTS.md beside this file,
and makes REPORT.md of them, the report card of the five papers.
Nothing here passes or fails: figures that were asked for stand next to those measured.
"""

import argparse
import importlib
import os
import platform
import re
import sys
import time
from datetime import date
from pathlib import Path

# Before anything imports numpy: one thread, so that ratios compare algorithms and not schedulers.
for _library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

RESULTS = Path(__file__).with_name("RESULTS.md")

# In the order of the report. Each is a module here with a TITLE and measured(quick) -> markdown.
SECTIONS = (
    "objective",
    "compact",
    "digits",
    "spiral",
    "oil_flow",
    "ukr",
    "guidance",
    "drur",
    "rpm",
    "si",
    "peers",
    "cluster",
    "guard",
)

PREAMBLE = """\
# Benchmarks

Written by `make bench`. Times are ratios of the processor time of what ran in turns on one thread:
median, and in brackets the quartiles. Where a figure was asked for, it stands beside the measured
one with met or *missed*. Quality over seeds is a median, with the quantiles 10 and 90 % in
brackets, or the least and greatest where it says so.
Each section names the commit that was measured, with a + if changes to it were not committed.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SECTIONS, metavar="NAME", help=", ".join(SECTIONS))
    parser.add_argument("--old", action="store_true", help="sections whose code has changed since")
    parser.add_argument("--guard", action="store_true", help="compare six ratios with those kept")
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing is kept")
    options, of_section = parser.parse_known_args()
    sys.stdout.reconfigure(errors="replace")  # an ASCII terminal has no arrows
    if of_section:  # a part of a section, which only that section understands
        print(importlib.import_module(options.only).part(of_section))
    elif options.guard:
        text, worse = importlib.import_module("guard").compared(RESULTS.read_text(encoding="utf-8"))
        print(text)
        sys.exit(f"{worse} ratios are worse than those in RESULTS.md." if worse else 0)
    else:
        chosen = [options.only] if options.only else [*old()] if options.old else SECTIONS
        measure(chosen, options.quick)


def measure(names, quick):
    for name in names:
        heading, text = section(name, quick)
        print(f"## {heading}\n\n{text}", flush=True)
        if not quick:
            keep(heading, text)
    if quick:
        print("--quick takes small sizes: what was asked for, was asked of the full run.")
        return
    importlib.import_module("report").write()
    for name, files in old().items():
        print(
            f"Older than its code: {name}, for {', '.join(files[:3])}{', ...' * (len(files) > 3)}"
        )


def old():
    """Sections that are missing, or older than the code that they measure, with what changed."""
    import provenance

    found = {}
    for name in SECTIONS:
        text = kept().get(importlib.import_module(name).TITLE, "")
        commit = re.search(r"^\*\S+, \d+ s, commit (\w+)(\+?)\.", text, re.M)
        files = provenance.changed_since(commit[1], name) if commit else ["it was not measured"]
        if files or commit[2]:
            found[name] = files or ["code that was not committed"]
    return found


def section(name, quick):
    """The heading of a section, and its text with the conditions it was measured under."""
    import provenance

    module, commit = importlib.import_module(name), provenance.commit_of(name)
    load, start = os.getloadavg()[0], time.perf_counter()
    tables = module.measured(quick)
    took = time.perf_counter() - start
    return module.TITLE, f"{tables}\n{conditions(load, took, commit)}\n"


def conditions(load, took, commit):
    """When, which code, on what, and how busy the machine was: one line for each section."""
    import numpy
    import scipy
    import sklearn

    return (
        f"*{date.today()}, {took:.0f} s, commit {commit}. Load average {load:.1f} at the start, "
        f"{os.cpu_count()} cores ({processor()}). Python {platform.python_version()}, numpy "
        f"{numpy.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}.*"
    )


def processor():
    """The processor's name for itself."""
    try:
        described = Path("/proc/cpuinfo").read_text()
        return re.search(r"model name\s*: (.*)", described)[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def kept():
    """Heading -> text of each section of RESULTS.md."""
    text = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
    parts = (part.split("\n\n", 1) for part in re.split(r"^## ", text, flags=re.M)[1:])
    return {heading: text.strip() + "\n" for heading, text in parts}


def keep(heading, text):
    """Puts one section into RESULTS.md; the others stay as they were."""
    sections = kept() | {heading: text}
    titles = [importlib.import_module(name).TITLE for name in SECTIONS]
    body = "\n".join(f"## {title}\n\n{sections[title]}" for title in titles if title in sections)
    met, missed = len(re.findall(r"[≤≥>] \S+ met\b", body)), body.count("*missed*")
    count = f"Figures asked for: {met + missed}. Missed: {missed}.\n\n"
    RESULTS.write_text(PREAMBLE + count + body, encoding="utf-8")


if __name__ == "__main__":
    main()
