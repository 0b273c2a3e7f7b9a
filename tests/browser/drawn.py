"""Inputs that hypothesis draws for functions that exist twice, in js/core and in the library.

A recipe is drawn, and NumPy makes the arrays from it, so that drawing 200 of them takes little
time, and one of them fits into a message.
"""

import functools
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ukrlearn.blocks import density_kernels

KERNELS = {kernel.name: kernel for kernel in (
    density_kernels.gaussian, density_kernels.quartic, density_kernels.student)}  # fmt: skip
CASES = 200
SHAPES = "general", "general", "equal", "collinear", "pairs", "lattice", "far apart"
UNEVEN = 0.7390851332  # so that no distance between places of a lattice is the radius of a kernel


@dataclass(frozen=True)
class Recipe:
    """What the arrays of a case are made from."""

    N: int
    M: int
    d: int
    q: int
    seed: int
    size: float  # decimal logarithms of sizes
    data_size: float
    bandwidth: float
    offset: int
    shape: str
    data_shape: str
    kernel_name: str
    flag: bool
    share: float  # between 0 and 1
    power: float

    def with_(self, **changes):
        return replace(self, **changes)

    def least(self, N):
        """The same with N points or more."""
        return replace(self, N=max(self.N, N))

    @property
    def random(self):
        return np.random.default_rng(self.seed)

    @property
    def kernel(self):
        return KERNELS[self.kernel_name]

    @functools.cached_property
    def X(self):
        """Latent points (N, q)."""
        return self._points(self.random, self.N, self.q, self.size, self.shape)

    @functools.cached_property
    def Y(self):
        """Data (N, d)."""
        random = np.random.default_rng(self.seed + 1)
        return self._points(random, self.N, self.d, self.data_size, self.data_shape)

    @functools.cached_property
    def x(self):
        """Other positions (M, q), near the latent points."""
        random = np.random.default_rng(self.seed + 2)
        near = self.X[random.integers(self.N, size=self.M)]
        return near + 10**self.size * random.normal(size=near.shape)

    @property
    def h(self):
        return 10**self.bandwidth

    def _points(self, random, N, columns, size, shape):
        points = random.gamma(1.5, size=(N, columns)) * (1 + np.arange(columns))
        if shape == "equal":
            points[:] = points[0]
        elif shape == "collinear":
            points = points[:, :1] * (1 - np.arange(columns))  # one column is constant
        elif shape == "pairs":
            points = points[np.arange(N) // 2]
        elif shape == "lattice":
            points = UNEVEN * np.floor(points)
        elif shape == "far apart":
            points[: N // 2] += 1e3
        return 10**size * (points + self.offset)


def _recipes():
    numbers = functools.partial(st.floats, allow_nan=False)
    return st.builds(
        Recipe,
        N=st.integers(1, 18), M=st.integers(1, 6), d=st.integers(1, 4), q=st.integers(1, 3),
        seed=st.integers(0, 2**32 - 10), size=numbers(-3, 2), data_size=numbers(-2, 2),
        bandwidth=numbers(-2, 2), offset=st.sampled_from((0, 0, 1, -10)),
        shape=st.sampled_from(SHAPES), data_shape=st.sampled_from(SHAPES[:-1]),
        kernel_name=st.sampled_from(list(KERNELS)), flag=st.booleans(), share=numbers(0, 1),
        power=numbers(0, 10),
    )  # fmt: skip


@functools.cache
def recipes():
    """The recipes of all cases: always the same, so that whoever breaks a function sees it."""
    drawn = []

    @settings(
        max_examples=CASES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(_recipes())
    def draw(recipe):
        drawn.append(recipe)

    draw()
    assert len(drawn) == CASES
    return sorted(drawn, key=lambda recipe: recipe.N)  # the smallest case that fails comes first
