"""What the estimators of [DRUR] share: the start, its units, the rounds, and new data."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ukrlearn.blocks import sharing, starts
from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.gauss_newton import project
from ukrlearn.blocks.starts import Candidate
from ukrlearn.blocks.units import Units
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import FAR, EmbeddingWithMaps
from ukrlearn.estimators._rows import equal_rows
from ukrlearn.estimators._starting import (
    all_in_one_place,
    entrants,
    mean_squared_residual,
    taken_as_it_is,
    warn_of_those_left_out,
)

REFINEMENTS = 50  # Gauss-Newton steps for new data at most
STILL = 1e-7  # of the size of latent space: a new point has arrived
RELATIVE = 0.5  # the size of the start, in that of the data: .35 to .8 work well, 1 does not


class UnsupervisedRegression(EmbeddingWithMaps):
    """Two maps and the points between, [DRUR] (1): fitting in rounds, and using what was fitted.

    A subclass has the parameters n_components, init, max_iter, refine, record, random_state,
    verbose, callback and n_jobs, and says in `_rounds` how f and F are made.
    """

    _unit_of_time = "rounds"

    def _rounds(self, N) -> Callable:
        """What takes (X, Y), both scaled, and yields the rounds for ever, the start first.

        Judges the parameters of the subclass, for N points.
        """
        raise NotImplementedError

    def _units(self, Y, X):
        """Units of data and of latent points in which both are about as large as they should be."""
        latent = Units.by_distance(X)
        return Units.by_distance(Y), Units(latent.mean, latent.size / RELATIVE)

    def _entry(self, step, X):
        """What the history keeps of a round."""
        return step._replace(X=X, f=None, F=None)

    def _total_error(self, step, Y):
        """Σ_n |y_n - f(x_n)|² of scaled data."""
        return step.f_error

    def _learn(self, Y, journal):
        q = self._checked_components(Y)
        max_iter = _arguments.whole_number("max_iter", self.max_iter, least=0)
        rounds = self._rounds(len(Y))
        X, table = self._chosen_start(Y, q, journal)
        data, latent = self._units(Y, X)
        if latent.size == 0 and data.size > 0:
            raise ValueError(
                "init must not put all points in one place, from which nothing can unfold; got "
                f"{X[0]} for all {len(X)}. Pass other coordinates, or init='pca'."
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
        """The last of the steps; all of them go to the journal."""

        def entry(step):
            return self._entry(step, latent.out_of(step.X) if self.record else None)

        try:
            journal.follow(self._unit_of_time, steps, max_iter, entry)
        except KeyboardInterrupt:
            if journal.last is None:
                raise
            count = len(journal.history) - 1
            journal.warn_of_interruption(self._unit_of_time, "that of the last one", count)
        return journal.last

    def _chosen_start(self, Y, q, journal):
        """Coordinates to begin with, as `init` says, and the table of starts."""
        shape = len(Y), q
        taken = taken_as_it_is(self, shape, spread=1.0)
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
                table = [all_in_one_place(shape)]
                X = table[0].X
        twins = equal_rows(Y)
        return X if twins is None else sharing.group_means(X, twins), table

    def _best_start(self, Y, scaled, shape, journal):
        found, left_out = entrants(self.init, Y, scaled, shape, self.random_state)
        warn_of_those_left_out(left_out, len(Y))
        points = starts.some_points(len(Y))
        error = partial(
            mean_squared_residual, Y=scaled, kernel=gaussian, groups=None, points=points
        )
        if len(found) == 1:  # nothing to choose: its own proportions, and no time for its scale
            error = _nothing
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
        options = dict(tol=STILL, size=RELATIVE, n_jobs=self.n_jobs)
        return project(self.f_, F_Y, Y, F_Y, REFINEMENTS, **options).X


def _nothing(X):
    return 0.0
