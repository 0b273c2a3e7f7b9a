"""Error and gradient of the Gaussian kernel, dense."""

from functools import partial

import direct
import numpy as np
from measuring import at_least, at_most, in_fresh_process, quartiles, side_by_side, table

from ukrlearn.blocks.density_kernels import gaussian_slope, gaussian_value
from ukrlearn.ukr.reconstruction import DataSpace, ReconstructionError

TITLE = "Error and gradient, Gaussian kernel"

# (N, d, q), then what was asked for: times the floor, aim, faster than the direct form
SIZES = (
    ((300, 3, 2), 2.6, 2, 5),
    ((1000, 12, 2), 1.8, 1.5, 3.5),
    ((3000, 12, 2), 1.6, 1.3, 3),
    ((731, 256, 2), 1.3, 1.1, 1.4),
)

HEADINGS = ["N, d, q", "time", "x floor", "asked", "aim", "in float32, x floor"] + [
    "x faster than direct",
    "asked",
]


def measured(quick):
    rows = []
    for size, most, aim, gain in SIZES:
        rounds = 3 if quick else 21
        milliseconds, over_floor, rough, faster = ratios(size, rounds)
        reached = "reached" if over_floor.middle <= aim else "not reached"
        rows.append(
            [
                ", ".join(map(str, size)),
                f"{milliseconds:.2f} ms",
                f"{over_floor:.2f}",
                at_most(most, over_floor),
                f"{aim} {reached}",
                f"{rough:.2f}",
                f"{faster:.1f}",
                at_least(gain, faster),
            ]
        )
    return (
        "Leave-one-out, one objective again and again, as a fit evaluates it. The floor is two "
        "N x N x d products\nand one N x N exponential, in double precision; the direct form is "
        "(23)-(32) as they stand, in NumPy. Each\nsize in a process of its own:\n\n"
        f"{table(HEADINGS, rows)}"
    )


def ratios(size, rounds):
    """Milliseconds of one evaluation, its ratios to the floor, and of the direct form to it."""
    child = in_fresh_process("objective", "seconds_of", size, rounds)
    seconds = {name: np.array(values) for name, values in child.value.items()}
    library = seconds["library"]
    return (
        1000 * np.median(library),
        quartiles(library / seconds["floor"]),
        quartiles(seconds["rough"] / seconds["floor"]),
        quartiles(seconds["direct"] / library),
    )


def seconds_of(size, rounds):
    N, d, q = size
    random = np.random.default_rng(0)
    X, Y = 3 * random.normal(size=(N, q)), random.normal(size=(N, d))
    seconds = side_by_side(
        rounds,
        floor=direct.floor(X, Y),
        library=partial(ReconstructionError(DataSpace(Y)), X),
        rough=partial(ReconstructionError(DataSpace(Y.astype(np.float32))), X),
        direct=partial(direct.error_and_gradient, X, Y, gaussian_value, gaussian_slope),
    )
    return {name: list(values) for name, values in seconds.items()}
