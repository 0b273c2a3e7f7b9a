"""What the estimators of [DRUR] share: starts, units, the reading of rounds, both ways to place."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from ukrlearn import drur
from ukrlearn.blocks import sharing, starts
from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.starts import Candidate
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._following import with_bar
from ukrlearn.estimators._starting import (
    entrants,
    equal_rows,
    in_words,
    mean_squared_residual,
    rows_in,
)

REFINEMENTS = 50  # Gauss-Newton steps for new data at most
STILL = 1e-7  # of the size of latent space: a new point has arrived
RELATIVE = 0.5  # the size of the start, in that of the data. Seen good: .35 to .8; 1 is less
FAR = 1e6  # times the size of the data: from there on new data count by their direction only


class UnsupervisedRegression(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Two maps and the points between, [DRUR] (1): fitting in rounds, and using what was fitted.

    A subclass has the parameters n_components, init, max_iter, refine, record, random_state,
    verbose, callback and n_jobs, and says in `_rounds` how f and F are made.
    """

    def _rounds(self, N) -> Callable[[np.ndarray, np.ndarray], Iterator[drur.Round]]:
        """What takes (X, Y), both scaled, and yields the rounds for ever, the start first.

        Judges the parameters of the subclass, for N points.
        """
        raise NotImplementedError

    # Fitting

    def fit(self, Y, /, y=None):
        """Learn maps and latent points of Y (N, d); y is ignored.

        Ctrl-C leaves the model of the last round that was finished, with a warning.
        """
        if self.__sklearn_is_fitted__():
            del self.embedding_  # should this fit fail, no mixture of two models remains
        Y = validate_data(self, Y, dtype=np.float64, ensure_min_samples=2)
        q = checked_components(self, Y)
        max_iter = _arguments.whole_number("max_iter", self.max_iter, least=0)
        rounds = self._rounds(len(Y))
        data = Units.of(Y)
        X = chosen_start(self, Y, data.into(Y), q)
        latent = Units.of(X)
        if latent.size == 0 and data.size > 0:
            raise ValueError(
                "init must not put all points in one place, from which nothing can unfold; got "
                f"{X[0]} for all {len(X)}. Pass other coordinates, or init='pca'."
            )
        latent = Units(latent.mean, latent.size / RELATIVE)
        last = self._read(at_most(rounds(latent.into(X), data.into(Y)), max_iter), max_iter, latent)
        self._training_rows, self._data, self._latent = Y, data, latent
        self.f_, self.F_ = last.f, last.F
        self.reconstruction_error_ = last.f_error / len(Y) * data.factor**2
        self.n_iter_ = len(self.history_) - 1
        self.embedding_ = latent.out_of(last.X)
        return self

    def fit_transform(self, Y, /, y=None):
        """`fit(Y).embedding_`."""
        return self.fit(Y).embedding_

    def _read(self, steps, max_iter, latent):
        """The last of the steps; all of them go to `history_`."""
        self.history_, last = [], None
        try:
            for step in with_bar(self, steps, max_iter + 1, "rounds"):
                last = step
                X = latent.out_of(step.X) if self.record else None
                self.history_.append(step._replace(X=X, f=None, F=None))
                if self.callback is not None and self.callback(step) is True:
                    break
        except KeyboardInterrupt:
            if last is None:
                raise
            warnings.warn(
                f"The fit was interrupted after {len(self.history_) - 1} rounds; the model is that "
                "of the last one.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return last

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")  # the last attribute that fit sets

    # Using a fitted model

    def transform(self, Y, /):
        """Latent coordinates (M, q): stored ones for training rows; for others F(y), refined."""
        check_is_fitted(self)
        return self._placed(self._checked_data(Y))

    def inverse_transform(self, X, /):
        """f(X): data (M, d) at latent positions X (M, q), (13) or (18)."""
        check_is_fitted(self)
        X = check_array(X, dtype=np.float64, input_name="X")
        q = self.embedding_.shape[1]
        if X.shape[1] != q:
            raise ValueError(
                f"X must hold latent positions with n_components={q} columns; got shape {X.shape}."
            )
        _arguments.demand_representable(X, "X")
        return self._data.out_of(self.f_(self._latent.into(X)))

    def score(self, Y, /, y=None):
        """Minus the mean squared distance of Y to f(`transform(Y)`); y is ignored.

        Larger is better, so that GridSearchCV works. As in `UKR`, training rows flatter the model.
        """
        check_is_fitted(self)
        Y = self._checked_data(Y)
        rebuilt = self.inverse_transform(self._placed(Y))
        return -float(np.mean(np.sum((Y - rebuilt) ** 2, axis=1)))

    def _placed(self, Y):
        stored = rows_in(self._training_rows, Y)
        x, new = self.embedding_[stored], stored < 0
        if new.any():
            x[new] = self._latent.out_of(self._mapped(self._data.into(Y[new], at_most=FAR)))
        return x

    def _mapped(self, Y):
        F_Y = self.F_(Y)
        if not self.refine:
            return F_Y
        options = dict(tol=STILL, size=RELATIVE, n_jobs=self.n_jobs)
        return drur.project(self.f_, F_Y, Y, F_Y, REFINEMENTS, **options).X

    def _checked_data(self, Y):
        Y = validate_data(self, Y, reset=False, dtype=np.float64)
        _arguments.demand_representable(Y)
        return Y

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]


def checked_components(model, Y):
    """q; ValueError or TypeError if data, callback or n_components mean nothing."""
    N, d = Y.shape
    _arguments.demand_representable(Y)
    _arguments.demand_callback(model.callback)
    q = _arguments.whole_number("n_components", model.n_components, least=1)
    if q > d:
        raise ValueError(f"n_components={q} must be at most the {d} columns of Y (n_features={d}).")
    if q >= N:
        raise ValueError(f"n_components={q} must be less than the {N} points (n_samples={N}).")
    return q


def chosen_start(model, Y, scaled, q):
    """Coordinates to begin with, as `model.init` says, and `model.starts_`.

    `scaled` is Y centred, with size one. Also read: n_jobs, random_state, verbose.
    """
    shape = len(Y), q
    if _arguments.is_array(model.init):
        X = _arguments.latent_points("init", model.init, shape)
        model.starts_ = [Candidate("given", X, np.ones(q), chosen=True)]
        return X
    if isinstance(model.init, str) and model.init == "random":
        X = starts.random(shape, 1.0, model.random_state)
        model.starts_ = [Candidate("random", X, np.ones(q), chosen=True)]
    elif not scaled.any():
        X = np.zeros(shape)  # the mean rebuilds everything
        model.starts_ = [Candidate("all points equal", X, np.ones(q), 0.0, chosen=True)]
    else:
        X = _best_start(model, Y, scaled, shape)
    twins = equal_rows(Y)
    return X if twins is None else sharing.group_means(X, twins)


def _best_start(model, Y, scaled, shape):
    runners, left_out = entrants(model.init, Y, scaled, shape, model.random_state)
    if left_out:
        warnings.warn(in_words(left_out, len(Y)), UserWarning, stacklevel=4)
    points = starts.some_points(len(Y))
    error = partial(mean_squared_residual, Y=scaled, kernel=gaussian, groups=None, points=points)
    if len(runners) == 1:  # nothing to choose: its own proportions, and no time for its scale
        error = _nothing
    candidates = starts.scaled_candidates(runners, shape, error, gaussian, points, model.n_jobs)
    candidates = list(with_bar(model, candidates, len(runners), "starts"))
    candidates, X = starts.race(candidates, error, 0)
    model.starts_ = left_out + candidates
    return X


def _nothing(X):
    return 0.0


@dataclass(frozen=True)
class Units:
    """Mean and size of a table, its the rms distance of its rows from the mean.

    Columns that are constant then count nothing, which they would in a mean over all entries.
    """

    mean: np.ndarray
    size: float

    @classmethod
    def of(cls, Y):
        mean = Y[0] if (Y == Y[0]).all() else Y.mean(axis=0)  # rounding would make constants vary
        unit = starts.power_of_two(Y - mean)  # squares of it neither overflow nor vanish
        size = unit * np.sqrt(np.mean(np.sum(((Y - mean) / unit) ** 2, axis=1)))
        return cls(mean, float(size))

    @property
    def factor(self):
        return self.size or 1.0

    def into(self, Y, at_most=np.inf):
        """Y in these units; what is farther away than `at_most` comes nearer, along its ray."""
        Y = Y - self.mean
        largest = np.abs(Y).max(axis=1, keepdims=True)
        return Y / np.maximum(self.factor, largest / at_most)

    def out_of(self, Y):
        return Y * self.factor + self.mean
