"""Error and gradient of the Gaussian kernel, dense."""

from functools import partial

import direct
import numpy as np
from measuring import (
    at_least,
    at_most,
    in_fresh_process,
    quartiles,
    side_by_side,
    table,
)

from ukrlearn.blocks.density_kernels import gaussian, gaussian_slope, gaussian_value
from ukrlearn.ukr.reconstruction import reconstruction_error

TITLE = "Error and gradient, Gaussian kernel"

# (N, d, q), then what was asked for: times the floor, aim, faster than the direct form
SIZES = (
    ((300, 3, 2), 3.5, 2, 5),
    ((1000, 12, 2), 3, 2, 3.5),
    ((3000, 12, 2), 2, 1.5, 3),
    ((731, 256, 2), 1.7, 1.3, 1.4),
)

HEADINGS = ["N, d, q", "time", "x floor", "asked", "aim", "x faster than direct", "asked"]


def measured(quick):
    rows = []
    for size, most, aim, gain in SIZES:
        rounds = 3 if quick else 21
        milliseconds, over_floor, faster = ratios(size, rounds)
        reached = "reached" if over_floor.middle <= aim else "not reached"
        rows.append(
            [
                ", ".join(map(str, size)),
                f"{milliseconds:.2f} ms",
                f"{over_floor:.2f}",
                at_most(most, over_floor),
                f"{aim} {reached}",
                f"{faster:.1f}",
                at_least(gain, faster),
            ]
        )
    return (
        "Leave-one-out. The floor is two N x N x d products and one N x N exponential; the direct "
        "form is (23)-(32)\nas they stand, in NumPy. Each size in a process of its own:\n\n"
        f"{table(HEADINGS, rows)}"
    )


def ratios(size, rounds):
    """Milliseconds of one evaluation, its ratio to the floor, and the direct form's ratio to it."""
    child = in_fresh_process("objective", "seconds_of", size, rounds)
    seconds = {name: np.array(values) for name, values in child.value.items()}
    library = seconds["library"]
    return (
        1000 * np.median(library),
        quartiles(library / seconds["floor"]),
        quartiles(seconds["direct"] / library),
    )


def seconds_of(size, rounds):
    N, d, q = size
    random = np.random.default_rng(0)
    X, Y = 3 * random.normal(size=(N, q)), random.normal(size=(N, d))
    seconds = side_by_side(
        rounds,
        floor=direct.floor(X, Y),
        library=partial(reconstruction_error, X, Y, gaussian),
        direct=partial(direct.error_and_gradient, X, Y, gaussian_value, gaussian_slope),
    )
    return {name: list(values) for name, values in seconds.items()}
