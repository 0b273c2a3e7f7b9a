"""Shared by the estimators of [DRUR]: the start, its units, the rounds, and new data."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ukrlearn.blocks import memory, sharing, starts
from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.gauss_newton import project
from ukrlearn.blocks.networks import BATCH
from ukrlearn.blocks.starts import Candidate
from ukrlearn.blocks.units import Units
from ukrlearn.drur.rounds import RELATIVE_SIZE
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import FAR, EmbeddingWithMaps
from ukrlearn.estimators._rows import equal_rows
from ukrlearn.estimators._starting import (
    entrants,
    given_or_random_start,
    start_of_constant_data,
    warn_of_skipped_starts,
)
from ukrlearn.estimators._ukr_space import mean_squared_residual

REFINEMENTS = 50  # the most Gauss-Newton steps for new data
STILL = 1e-7  # times the size of latent space: a new point with a shorter step has converged


class UnsupervisedRegression(EmbeddingWithMaps):
    """Latent points and two maps, [DRUR] (1): fitting in rounds, and using the fitted maps.

    A subclass has the parameters n_components, init, max_iter, refine, record, random_state,
    verbose, callback and n_jobs, and defines in `_rounds` how f and F are fitted.
    """

    _unit_of_time = "rounds"

    def _rounds(self, N) -> Callable:
        """A function that takes scaled (X, Y) and yields rounds without end, the start first.

        Also checks the parameters of the subclass for N points.
        """
        raise NotImplementedError

    def _units(self, Y, X):
        """The units of data and latent points, which set their relative size."""
        latent = Units.by_distance(X)
        return Units.by_distance(Y), Units(latent.mean, latent.size / RELATIVE_SIZE)

    def _demand_memory_of_hidden_units(self, count, N):
        memory.demand(
            f"{type(self).__name__} with n_basis={count} hidden units",
            float(count) * (4 * min(N, BATCH) + 60 * self.n_features_in_),
            "Use fewer.",
        )

    def _entry(self, step, X):
        """The entry for a round in the history."""
        return step._replace(X=X, f=None, F=None)

    def _total_error(self, step, Y):
        """Σ_n |y_n - f(x_n)|² in scaled units."""
        return step.f_error

    def _learn(self, Y, journal):
        q = self._checked_components(Y)
        max_iter = _arguments.whole_number("max_iter", self.max_iter, least=0)
        rounds = self._rounds(len(Y))
        X, table = self._chosen_start(Y, q, journal)
        data, latent = self._units(Y, X)
        if latent.size == 0 and data.size > 0:
            raise ValueError(
                "init must not put all points in one place, because they cannot unfold from it; "
                f"got {X[0]} for all {len(X)}. Pass other coordinates, or init='pca'."
            )
        scaled = data.into(Y)
        steps = at_most(rounds(latent.into(X), scaled), max_iter)
        last = self._read(steps, max_iter, latent, journal)
        return {
            "_training_rows": Y,
            "_data": data,
            "_latent": latent,
            "starts_": table,
            "reconstruction_error_": self._total_error(last, scaled) / len(Y) * data.factor**2,
            "n_iter_": len(journal.history) - 1,
            **{name: f for name, f in (("f_", last.f), ("F_", last.F)) if f is not None},
            "embedding_": latent.out_of(last.X),
        }

    def _read(self, steps, max_iter, latent, journal):
        """The last of the steps, all of which are written to the journal."""

        def entry(step):
            return self._entry(step, latent.out_of(step.X) if self.record else None)

        try:
            journal.follow(self._unit_of_time, steps, max_iter, entry)
        except KeyboardInterrupt:
            if journal.last is None:
                raise
            count = len(journal.history) - 1
            journal.warn_of_interruption(self._unit_of_time, "the result of the last one", count)
        return journal.last

    def _chosen_start(self, Y, q, journal):
        """The initial coordinates that `init` asks for, and the table of starts."""
        shape = len(Y), q
        taken = given_or_random_start(self, shape, spread=1.0)
        if taken is not None:
            name, X = taken
            table = [Candidate(name, X, np.ones(q), chosen=True)]
            if name == "given":
                return X, table
        else:
            scaled = Units.by_distance(Y).into(Y)
            if scaled.any():
                X, table = self._best_start(Y, scaled, shape, journal)
            else:
                table = [start_of_constant_data(shape)]
                X = table[0].X
        twins = equal_rows(Y)
        return X if twins is None else sharing.group_means(X, twins), table

    def _best_start(self, Y, scaled, shape, journal):
        found, left_out = entrants(self.init, Y, scaled, shape, self.random_state)
        warn_of_skipped_starts(left_out, len(Y))
        points = starts.some_points(len(Y))
        error = partial(
            mean_squared_residual, Y=scaled, kernel=gaussian, groups=None, points=points
        )
        if len(found) == 1:  # nothing to choose: keep its proportions, and skip the scale search
            error = None
        candidates = starts.scaled_candidates(found, shape, error, gaussian, points, self.n_jobs)
        candidates = list(journal.bar(candidates, len(found), "starts"))
        candidates, X = starts.race(candidates, error, 0)
        return X, left_out + candidates

    # Using a fitted model

    def _place(self, Y):
        return self._latent.out_of(self._mapped(self._data.into(Y, at_most=FAR)))

    def _rebuild(self, X):
        return self._data.out_of(self.f_(self._latent.into(X)))

    def _mapped(self, Y):
        """Latent positions of data, both in the units of the fit."""
        F_Y = self.F_(Y)
        if not self.refine:
            return F_Y
        options = dict(tol=STILL, size=RELATIVE_SIZE, n_jobs=self.n_jobs)
        return project(self.f_, F_Y, Y, F_Y, REFINEMENTS, **options).X
