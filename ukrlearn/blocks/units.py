"""Units in which a table is centred and has a size of about one. All scaling is done here."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Units:
    """An origin and a size.

    There are three ways to measure the size. The distance of the rows from their mean ignores
    constant columns. The deviation of the columns suits the initial weights of networks. A power of
    two changes no digit of the data.
    """

    mean: np.ndarray
    size: float

    @classmethod
    def by_distance(cls, Y):
        """The size is the rms distance of the rows from their mean."""
        mean = origin(Y)
        unit = power_of_two(Y - mean)  # squares in this unit neither overflow nor vanish
        size = unit * np.sqrt(np.mean(np.sum(((Y - mean) / unit) ** 2, axis=1)))
        return cls(mean, float(size))

    @classmethod
    def by_deviation(cls, Y):
        """The size is the rms standard deviation of the columns."""
        units = cls.by_distance(Y)
        return cls(units.mean, units.size / np.sqrt(np.shape(Y)[1]))

    @classmethod
    def exact(cls, Y):
        """The size is a power of two near the greatest magnitude: dividing by it is exact."""
        mean = origin(Y)
        return cls(mean, power_of_two(Y - mean))

    @property
    def factor(self):
        """The size, or 1 where nothing varies."""
        return self.size or 1.0

    def into(self, Y, at_most=np.inf):
        """Y in these units; rows beyond `at_most` are moved along their rays to that distance."""
        Y = Y - self.mean
        largest = np.abs(Y).max(axis=1, keepdims=True)
        return Y / np.maximum(self.factor, largest / at_most)

    def out_of(self, Y):
        """Y converted back to the units of the table."""
        return Y * self.factor + self.mean


def origin(Y):
    """The mean of the rows; if all rows are equal, that row exactly, without rounding."""
    return Y[0] if (Y == Y[0]).all() else Y.mean(axis=0)


def power_of_two(X):
    """A power of two near the greatest magnitude in X, so that dividing is exact; 1 for zeros."""
    largest = np.abs(X).max(initial=0.0)
    return float(np.ldexp(1.0, np.frexp(largest)[1] - 1)) if largest > 0 else 1.0
