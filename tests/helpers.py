"""What the tests of the numeric core share: kernels and their twins, problems, differences."""

import functools
import inspect
import math

import numpy as np
import pytest

from ukrlearn import explicit
from ukrlearn.blocks import density_kernels
from ukrlearn.blocks.density_kernels import DensityKernel

# Two kernels that the library does not have. Their K(0) is not 1, their radius and rate are not
# the built-in ones: whoever assumes those, fails here.


def wide_value(t):
    return 5 * np.maximum(1 - t / 4, 0) ** 3


def wide_slope(t):
    return -15 / 4 * np.maximum(1 - t / 4, 0) ** 2


def steep_value(t):
    return 3 * np.exp(-t)


def steep_slope(t):
    return -3 * np.exp(-t)


wide = DensityKernel("wide", wide_value, wide_slope, radius=2.0)
steep = DensityKernel("steep", steep_value, steep_slope, exponential=True)
gaussian, quartic = density_kernels.gaussian, density_kernels.quartic
student, student_3 = density_kernels.student, density_kernels.student_with(3.0)


def interrupted(model, Y, after=""):
    """The model after Ctrl-C during its fit in a script, whose note says after how many steps."""
    with pytest.raises(KeyboardInterrupt) as stop:
        model.fit(Y)
    assert f"interrupted after {after}" in stop.value.__notes__[-1]
    return model


def twin(kernel):
    """The pair (K, slope) that the explicit modules take: of the same name, there."""
    return getattr(explicit, kernel.name)


# Each kernel with its twin.
TWINS = {
    **{kernel: twin(kernel) for kernel in density_kernels.by_name.values()},
    student_3: explicit.student_with(3.0),
    wide: (lambda t: 5 * max(1 - t / 4, 0) ** 3, lambda t: -15 / 4 * max(1 - t / 4, 0) ** 2),
    steep: (lambda t: 3 * math.exp(-t), lambda t: -3 * math.exp(-t)),
}
COMPACT = [kernel for kernel in TWINS if kernel.compact]


def each(names, cases, ids=None):
    """`pytest.mark.parametrize` within one test: tries all cases and tells of all that fail.

    For many quick cases of one statement: pytest spends more on a test than such a case takes.
    """
    names, cases = [name.strip() for name in names.split(",")], list(cases)
    tuples = [case if len(names) > 1 else (case,) for case in cases]
    labels = [*(map(ids, cases) if callable(ids) else ids or map(str, tuples))]

    def decorated(test):
        @functools.wraps(test)
        def tried(**fixtures):
            failures = []
            for label, case in zip(labels, tuples, strict=True):
                try:
                    test(**fixtures, **dict(zip(names, case, strict=True)))
                except (Exception, pytest.fail.Exception, BaseExceptionGroup) as failure:
                    failure.add_note(f"in the case {label}")
                    failures.append((label, failure))
            if failures:
                told = ", ".join(str(label) for label, _ in failures)
                message = f"{len(failures)} of {len(tuples)} cases: {told}"
                raise BaseExceptionGroup(message, [failure for _, failure in failures])

        signature = inspect.signature(test)
        others = [p for p in signature.parameters.values() if p.name not in names]
        tried.__signature__ = signature.replace(parameters=others)
        return tried

    return decorated


name = lambda kernel: kernel.name
every_kernel = each("kernel", TWINS, ids=name)
every_compact_kernel = each("kernel", COMPACT, ids=name)


def read_only(*arrays):
    """The arrays, which nobody may write to any more."""
    for array in arrays:
        array.flags.writeable = False
    return arrays if len(arrays) > 1 else arrays[0]


def small_problem(N=9, q=2, d=4, seed=0, spread=0.45):
    """Latent points X near enough for the quartic kernel to see some, and data Y; read-only."""
    random = np.random.default_rng(seed)
    return read_only(spread * random.normal(size=(N, q)), random.normal(size=(N, d)) + 1)


def curve(N=60, seed=0, noise=0.05):
    """A noisy half circle and its angle: data that a one-dimensional model fits well."""
    random = np.random.default_rng(seed)
    angle = np.sort(random.uniform(0, np.pi, N))
    Y = np.column_stack([np.cos(angle), np.sin(angle)]) + noise * random.normal(size=(N, 2))
    return read_only(angle[:, None], Y)


def differences(f, X, h=1e-6):
    """Central differences of f at X, with the shape f(X).shape + X.shape; lists are welcome."""
    of_entries = []
    for entry in np.ndindex(*np.shape(X)):
        up, down = np.array(X, dtype=float), np.array(X, dtype=float)
        up[entry] += h
        down[entry] -= h
        of_entries.append((np.asarray(f(up)) - np.asarray(f(down))) / (2 * h))
    return np.moveaxis(np.array(of_entries), 0, -1).reshape(*np.shape(of_entries[0]), *np.shape(X))


def remainder_order(objective, X, seed=0):
    """The exponent with which |E(X + hV) - E(X) - h⟨gradient, V⟩| falls; 2 if it is the gradient.

    A tolerance can hide a small error in a gradient; the order of the remainder cannot.
    """
    V = np.random.default_rng(seed).normal(size=X.shape)
    error, gradient = objective(X)
    h = np.logspace(-3.5, -2, 7)
    remainder = [abs(objective(X + s * V)[0] - error - s * np.vdot(gradient, V)) for s in h]
    return np.polyfit(np.log(h), np.log(remainder), 1)[0]


def blocks_of(size):
    """A stand-in for `row_blocks` with small blocks, so that small problems have several."""

    def row_blocks(n_rows, n_columns, least=0):
        return [slice(start, min(start + size, n_rows)) for start in range(0, n_rows, size)]

    return row_blocks


def random_motion(q, seed=0):
    """A rotation with a reflection (its determinant is -1), from the QR of a normal matrix."""
    Q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(q, q)))
    Q[:, 0] *= -np.sign(np.linalg.det(Q))
    return Q


def assert_close(actual, expected, rtol=1e-12):
    """Equal relative to the greatest entry: near zero there is only the rounding of large ones."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    scale = np.abs(expected).max(initial=0.0)
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * max(scale, 1e-300))


def up_to_sign(actual, expected):
    """The columns of actual with the signs of those expected."""
    return actual * np.sign(np.sum(actual * expected, axis=0))


def by_hand(panel, name, **sent):
    """Move a control of a panel as the page reports it: a `step`, a `text` or a `value`."""
    panel._heard(None, {"control": name, **sent})


def example_of(cls, scope="function"):
    """A fixture: the example of a panel, closed in the end."""

    @pytest.fixture(scope=scope)
    def panel():
        shown = cls.example()
        yield shown
        shown.close()

    return panel
