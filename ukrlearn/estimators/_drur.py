"""Shared by the estimators of [DRUR]: the start, its units, the rounds, and new data."""

from collections.abc import Callable
from functools import partial

import numpy as np

from ukrlearn.blocks import memory, race, sharing
from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.blocks.descent import at_most
from ukrlearn.blocks.gauss_newton import project
from ukrlearn.blocks.networks import BATCH, batches
from ukrlearn.blocks.scales import some_points
from ukrlearn.blocks.units import Units
from ukrlearn.drur.rounds import RELATIVE_SIZE
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import FAR, EmbeddingWithMaps
from ukrlearn.estimators._starting import entrants
from ukrlearn.estimators._ukr_space import mean_squared_residual

REFINEMENTS = 50  # the most Gauss-Newton steps for new data
# After more steps than these, far rows amplify the rounding of products, which depends on the other
# rows of a batch. So each row that needs more is searched for by itself.
FEW_REFINEMENTS = 20
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

    def _learn(self, Y, twins, journal):
        q = self._checked_components(Y)
        max_iter = _arguments.whole_number("max_iter", self.max_iter, least=0)
        rounds = self._rounds(len(Y))
        X, table = self._chosen_start(Y, q, journal)
        X = sharing.group_means(X, twins)
        data, latent = self._units(Y, X)
        if latent.size == 0 and data.size > 0:
            raise ValueError(
                "init must not put all points in one place, because they cannot unfold from it; "
                f"got {X[0]} for all {len(X)}. Pass other coordinates, or init='pca'."
            )
        scaled = data.into(Y)
        steps = at_most(rounds(latent.into(X), scaled), max_iter)
        last = self._read(steps, max_iter, latent, journal)
        X = sharing.of_first_member(last.X, twins)  # they differ by rounding at most
        return {
            "_training_rows": Y,
            "_data": data,
            "_latent": latent,
            "starts_": table,
            "reconstruction_error_": _total_error(last.f, X, scaled) / len(Y) * data.factor**2,
            "n_iter_": len(journal.history) - 1,
            **{name: f for name, f in (("f_", last.f), ("F_", last.F)) if f is not None},
            "embedding_": latent.out_of(X),
        }

    def _read(self, steps, max_iter, latent, journal):
        """The last of the steps, all of which are written to the journal."""

        def entry(step):
            return self._entry(step, latent.out_of(step.X) if self.record else None)

        try:
            journal.follow(self._unit_of_time, steps, max_iter, entry)
        except KeyboardInterrupt as interrupt:
            if journal.last is None:
                raise
            count = len(journal.history) - 1
            kept = "the result of the last one"
            journal.interrupted(interrupt, self._unit_of_time, kept, count)
        return journal.last

    def _chosen_start(self, Y, q, journal):
        """The initial coordinates that `init` asks for, and the table of starts."""
        scaled = Units.by_distance(Y).into(Y)
        found = entrants(self, Y, scaled, q, spread=1.0)
        error, points = None, some_points(len(Y))
        if len(found) > 1:  # otherwise nothing is to be chosen, and it keeps its proportions
            error = partial(
                mean_squared_residual, Y=scaled, kernel=gaussian, groups=None, points=points
            )
        candidates = race.scaled(found, (len(Y), q), error, n_jobs=self.n_jobs)
        table, X = race.race(journal.bar(candidates, len(found), "starts"))
        return X, table

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
        x, _, _, moves = project(self.f_, F_Y, Y, F_Y, FEW_REFINEMENTS, **options)
        for n in np.flatnonzero(moves == FEW_REFINEMENTS):
            y, F_y = Y[[n]], self.F_(Y[[n]])
            x[n] = project(self.f_, F_y, y, F_y, REFINEMENTS, **options).X
        return x


def _total_error(f, X, Y):
    """Σ_n |y_n - f(x_n)|² in scaled units."""
    return sum(float(np.sum((Y[rows] - f(X[rows])) ** 2)) for rows in batches(len(X)))
