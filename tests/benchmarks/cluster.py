"""New rows in pieces, on workers of dask: numbers, memory and time."""

import contextlib
import resource
import tempfile
import time
from pathlib import Path

import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster
from measuring import at_least, at_most, in_fresh_process, quartiles, table

from ukrlearn import UKR, datasets

TITLE = "Beyond one machine"
PIECE = 10_000  # rows
TRAINING = 100
FEW, MANY = 100_000, 10_000_000  # rows


def measured(quick):
    few, many, rounds = (20_000, 40_000, 1) if quick else (FEW, MANY, 3)
    runs = {1: [], 2: []}
    for _ in range(rounds):
        for workers, of in runs.items():
            of.append(in_fresh_process("cluster", "placed", few, workers).value)
    largest = in_fresh_process("cluster", "placed", many, 2).value
    of = lambda workers, key: np.array([run[key] for run in runs[workers]])
    faster = quartiles(of(1, "seconds") / of(2, "seconds"))
    work = quartiles(of(2, "processor") / of(1, "processor"))
    growth = max(largest[key] / of(2, key).max() for key in ("worker", "client"))
    shown = (few, 1, runs[1][-1]), (few, 2, runs[2][-1]), (many, 2, largest)
    rows = [
        [f"{N:,}", workers, *(f"{run[key]:.{digits}f}" for key, digits in COLUMNS.values())]
        for N, workers, run in shown
    ]
    checks = [
        ["two workers faster than one, wall clock", f"{faster:.2f}", at_least(1.4, faster)],
        ["work of two over that of one, processor time", f"{work:.2f}", ""],
        [f"greatest memory, {many:,} rows over {few:,}", f"{growth:.2f}", at_most(1.2, growth)],
        ["rows unlike those of one machine, of 20,000", largest["unlike"], ""],
    ]
    return (
        f"`transform` of rows in pieces of {PIECE:,}, from files and into files, by a model of "
        f"{TRAINING} points of the noisy spiral.\nEach run has fresh processes on one machine; one "
        "worker and two take turns. The wall clock counts other work too.\n\n"
        f"{table(['rows', 'workers', *COLUMNS], rows)}\n{table(['', 'measured', 'asked'], checks)}"
    )


COLUMNS = {
    "s, wall clock": ("seconds", 0),
    "s, processor, workers": ("processor", 0),
    "GB, a worker": ("worker", 2),
    "GB, client and scheduler": ("client", 2),
}


def placed(N, workers):
    """Seconds, gigabytes at the peak, and how many of some rows one machine places elsewhere."""
    Y, _ = datasets.noisy_spiral(TRAINING, random_state=0)
    model = UKR(n_components=1, random_state=0).fit(Y)
    low, high = Y.min(axis=0), Y.max(axis=0)
    uniform = da.random.default_rng(0).uniform(size=(N, 2), chunks=(PIECE, 2))
    with tempfile.TemporaryDirectory() as folder, _cluster(workers) as client:
        given, found = Path(folder) / "rows", Path(folder) / "places"
        da.to_npy_stack(given, low + (high - low) * uniform)
        rows = da.from_npy_stack(given)
        first = rows[:20_000].compute()
        client.run(model.transform, first[:100])  # imports what it needs, which takes seconds
        before, start = client.run(time.process_time), time.perf_counter()
        da.to_npy_stack(found, model.transform(rows))
        seconds, after = time.perf_counter() - start, client.run(time.process_time)
        unlike = np.any(model.transform(first) != da.from_npy_stack(found)[: len(first)], axis=1)
        return {
            "seconds": seconds,
            "processor": sum(after.values()) - sum(before.values()),
            "worker": max(client.run(_peak).values()),
            "client": _peak(),
            "unlike": int(unlike.sum()),
        }


@contextlib.contextmanager
def _cluster(workers):
    options = dict(processes=True, threads_per_worker=1, dashboard_address=None)
    with LocalCluster(workers, **options) as cluster, Client(cluster) as client:
        yield client


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # Linux counts in 1024 bytes
