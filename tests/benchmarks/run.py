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
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"

RESULTS = Path(__file__).with_name("RESULTS.md")

# In the order of the report. Each is a module here with a TITLE and measured(quick) -> markdown.
SECTIONS = (
    "imports",
    "objective",
    "compact",
    "digits",
    "fitting",
    "spiral",
    "swiss_roll",
    "oil_flow",
    "companion",
    "ukr",
    "guidance",
    "drur",
    "rpm",
    "si",
    "peers",
)

PREAMBLE = """\
# Benchmarks

Written by `make bench`. Times are ratios of the processor time of what ran in turns on one thread:
median, and in brackets the quartiles. Where a figure was asked for, it stands beside the measured
one with met or *missed*. Quality over seeds is a median, with the least and greatest in brackets.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SECTIONS, metavar="NAME", help=", ".join(SECTIONS))
    parser.add_argument("--quick", action="store_true", help="small sizes, nothing is kept")
    options = parser.parse_args()
    sys.stdout.reconfigure(errors="replace")  # an ASCII terminal has no arrows
    for name in [options.only] if options.only else SECTIONS:
        heading, text = section(name, options.quick)
        print(f"## {heading}\n\n{text}", flush=True)
        if not options.quick:
            keep(heading, text)
    if options.quick:
        print("--quick takes small sizes: what was asked for, was asked of the full run.")
    else:
        importlib.import_module("report").write()


def section(name, quick):
    """The heading of a section, and its text with the conditions it was measured under."""
    module = importlib.import_module(name)
    load, start = os.getloadavg()[0], time.perf_counter()
    tables = module.measured(quick)
    took = time.perf_counter() - start
    return module.TITLE, f"{tables}\n{conditions(load, took)}\n"


def conditions(load, took):
    """When, on what, with what, and how busy the machine was: one line for each section."""
    import numpy
    import scipy
    import sklearn

    return (
        f"*{date.today()}, {took:.0f} s. Load average {load:.1f} at the start, {os.cpu_count()} "
        f"cores ({processor()}). Python {platform.python_version()}, numpy {numpy.__version__}, "
        f"scipy {scipy.__version__}, scikit-learn {sklearn.__version__}.*"
    )


def processor():
    """The processor's name for itself."""
    try:
        described = Path("/proc/cpuinfo").read_text()
        return re.search(r"model name\s*: (.*)", described)[1]
    except (OSError, TypeError):
        return platform.processor() or platform.machine()


def keep(heading, text):
    """Puts one section into RESULTS.md; the others stay as they were."""
    kept = {}
    if RESULTS.exists():
        for old in re.split(r"^## ", RESULTS.read_text(encoding="utf-8"), flags=re.M)[1:]:
            old_heading, _, old_text = old.partition("\n\n")
            kept[old_heading] = old_text.strip() + "\n"
    kept[heading] = text
    titles = [importlib.import_module(name).TITLE for name in SECTIONS]
    body = "\n".join(f"## {title}\n\n{kept[title]}" for title in titles if title in kept)
    met, missed = len(re.findall(r"[≤≥>] \S+ met\b", body)), body.count("*missed*")
    count = f"Figures asked for: {met + missed}. Missed: {missed}.\n\n"
    RESULTS.write_text(PREAMBLE + count + body, encoding="utf-8")


if __name__ == "__main__":
    main()
