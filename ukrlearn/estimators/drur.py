"""Dimensionality reduction by unsupervised regression as a scikit-learn estimator."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from ukrlearn import drur, scheme, starts
from ukrlearn.density_kernels import gaussian
from ukrlearn.descent import at_most
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._following import with_bar
from ukrlearn.estimators._starting import (
    entrants,
    equal_rows,
    in_words,
    mean_squared_residual,
    rows_in,
)
from ukrlearn.starts import Candidate

REFINEMENTS = 50  # Gauss-Newton steps for new data at most
STILL = 1e-7  # of the size of latent space: a new point has arrived
RELATIVE = 0.5  # the size of the start, in that of the data. Seen good: .35 to .8; 1 is less
FAR = 1e6  # times the size of the data: from there on new data count by their direction only


class ParametricDRUR(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Parametric dimensionality reduction by unsupervised regression [DRUR]: two maps, one X.

    Y here is what scikit-learn calls X; X is the embedding.

    f rebuilds data from latent points, F finds the latent points of data; both are small networks.
    Together with X they minimise Σ_n |y_n - f(x_n)|² + Σ_n |x_n - F(y_n)|² + penalties (1), in
    turn: two regressions for given X, then N small problems for given maps, which Gauss-Newton
    solves all at once. Time and memory are linear in N and in d. It repairs coordinates that some
    other method has found: noise in them, clusters and holes that the data do not have.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    model : {"rbf", "mlp"}
        Gaussian radial basis functions (13)-(17), or perceptrons with one hidden layer (18)-(20).
    n_basis : int
        M: basis functions, or hidden units, of f and of F. If there are fewer different points,
        each is a centre.
    penalty : float
        λ_f = λ_F. The smallest that keeps the fits well conditioned is best; 1e-3 for poor starts.
    init : str, array of shape (N, q), object, callable, or list of these
        Where to start. "pca", "kpca", "lle", "isomap", "spectral": those coordinates. "auto": of
        all of these, at several neighbourhoods, the ones whose kernel regression leaves the least
        cross-validated error, as in `UKR`. "random": normal, which leads nowhere. An object with
        fit_transform (TSNE(), UMAP(), ...) or a callable Y -> (N, q). An array is used as it is up
        to one overall scale, which is undone in `embedding_`.
    max_iter : int
        Rounds of adaptation and projection. 0 keeps the start and only adds the maps. More is not
        better: (1) falls for ever as X shrinks, and its shape goes with it. Ten are often enough.
    refine : bool
        What `transform` does with new data. False: F(y), one evaluation of a network. True: from
        there on to the minimum of |y - f(x)|² + |x - F(y)|² (7), so that f(x) comes near to y too.
        F is a regression, and stops short at the ends of the data; f knows better there, but knows
        nothing of data far from the manifold.
    coarse : int
        So many of the rounds, the first ones, with a stiff f, for poor starts (radial basis
        functions only). On the Swiss roll with noise larger than the sheet is wide, 10 of 20 rounds
        and penalty=1e-3 gain a little: R² .972 for .968, medians of twenty draws, of which 18 are
        in order either way. Good starts lose by it.
    record : bool
        Whether `history_` keeps the latent points of each round.
    random_state : int, RandomState or None
        For starts that need random numbers. None is 0: the same data give the same model.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `drur.Step` (data and latent points centred and scaled); returning
        True ends the fit there.
    n_jobs : int, optional
        The projection step in parallel, batch by batch, through joblib.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in the units of the start.
    f_, F_ : networks
        The maps, between centred and scaled data and latent points.
    reconstruction_error_ : float
        The mean over points of |y_n - f(x_n)|², in the units of Y.
    history_ : list of drur.Step
        Of the start and of each round: parts of the objective, share of full Gauss-Newton steps,
        their number a point, spread of X. Without maps; with X on request.
    n_iter_ : int
        Rounds made.
    starts_ : list of Candidate
        The starts; one is marked as chosen.
    n_features_in_ : int

    Notes
    -----
    `transform` gives rows equal to training rows their stored coordinates (equal rows share
    theirs), which are the result of the last projection; all others are placed by themselves.

    What it can't do: unfold what the start has folded. The order of a start is improved where it is
    disturbed, not where it is wrong on the whole; from principal components the Swiss roll stays
    rolled up. And a low objective does not say that X is in order.

    Departures: the scale of X relative to Y, which weighs the two halves of (1), is a hidden
    parameter of the paper. Here the start is given half the size of the data. What else departs is
    said at `drur.alternation`.

    Examples
    --------
    >>> import numpy as np
    >>> from ukrlearn import ParametricDRUR, datasets, metrics
    >>> Y, t = datasets.swiss_roll(1000, height=50.0, random_state=0)
    >>> disturbed = t + 10 * np.random.RandomState(1).normal(size=t.shape)
    >>> model = ParametricDRUR(init=disturbed, max_iter=5).fit(Y)
    >>> metrics.procrustes_r2(disturbed, t) < 0.85
    True
    >>> metrics.procrustes_r2(model.embedding_, t) > 0.995
    True
    """

    def __init__(
        self,
        n_components=2,
        *,
        model="rbf",
        n_basis=30,
        penalty=1e-5,
        init="auto",
        max_iter=20,
        refine=True,
        coarse=0,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.model = model
        self.n_basis = n_basis
        self.penalty = penalty
        self.init = init
        self.max_iter = max_iter
        self.refine = refine
        self.coarse = coarse
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.n_jobs = n_jobs

    # Fitting

    def fit(self, Y, /, y=None):
        """Learn maps and latent points of Y (N, d); y is ignored.

        Ctrl-C leaves the model of the last round that was finished, with a warning.
        """
        if self.__sklearn_is_fitted__():
            del self.embedding_  # should this fit fail, no mixture of two models remains
        Y = validate_data(self, Y, dtype=np.float64, ensure_min_samples=2)
        wanted = self._checked_parameters(Y)
        data = _Units.of(Y)
        X = self._start(Y, data.into(Y), wanted)
        latent = _Units.of(X)
        if latent.size == 0 and data.size > 0:
            raise ValueError(
                "init must not put all points in one place, from which nothing can unfold; got "
                f"{X[0]} for all {len(X)}. Pass other coordinates, or init='pca'."
            )
        self.history_ = []
        latent = _Units(latent.mean, latent.size / RELATIVE)
        last = self._alternate(latent.into(X), data.into(Y), latent, wanted)
        self._training_rows, self._data, self._latent = Y, data, latent
        self.f_, self.F_ = last.f, last.F
        self.reconstruction_error_ = last.f_error / len(Y) * data.factor**2
        self.n_iter_ = len(self.history_) - 1
        self.embedding_ = latent.out_of(last.X)
        return self

    def fit_transform(self, Y, /, y=None):
        """`fit(Y).embedding_`."""
        return self.fit(Y).embedding_

    def _checked_parameters(self, Y):
        """What the parameters mean for these data; ValueError or TypeError if they mean nothing."""
        N, d = Y.shape
        _arguments.demand_representable(Y)
        _arguments.demand_callback(self.callback)
        q = _arguments.whole_number("n_components", self.n_components, least=1)
        if q > d:
            raise ValueError(
                f"n_components={q} must be at most the {d} columns of Y (n_features={d})."
            )
        if q >= N:
            raise ValueError(f"n_components={q} must be less than the {N} points (n_samples={N}).")
        if not (isinstance(self.model, str) and self.model in drur.by_name):
            names = " or ".join(map(repr, drur.by_name))
            raise ValueError(f"model must be {names}; got {self.model!r}.")
        n_basis = _arguments.whole_number("n_basis", self.n_basis, least=1)
        penalty = _arguments.number("penalty", self.penalty, above=0, or_equal=True)
        return _Wanted(
            q=q,
            fit_maps=drur.maps_of(self.model, n_basis, penalty),
            max_iter=_arguments.whole_number("max_iter", self.max_iter, least=0),
            coarse=_arguments.whole_number("coarse", self.coarse, least=0),
        )

    def _start(self, Y, scaled, wanted):
        """Coordinates to begin with, and `starts_`; `scaled` is Y centred, with size one."""
        shape = len(Y), wanted.q
        if _arguments.is_array(self.init):
            X = _arguments.latent_points("init", self.init, shape)
            self.starts_ = [Candidate("given", X, np.ones(wanted.q), chosen=True)]
            return X
        if isinstance(self.init, str) and self.init == "random":
            X = starts.random(shape, 1.0, self.random_state)
            self.starts_ = [Candidate("random", X, np.ones(wanted.q), chosen=True)]
        elif not scaled.any():
            X = np.zeros(shape)  # the mean rebuilds everything
            self.starts_ = [Candidate("all points equal", X, np.ones(wanted.q), 0.0, chosen=True)]
        else:
            X = self._best_start(Y, scaled, shape)
        twins = equal_rows(Y)
        return X if twins is None else scheme.shared(X, twins)

    def _best_start(self, Y, scaled, shape):
        runners, left_out = entrants(self.init, Y, scaled, shape, self.random_state)
        if left_out:
            warnings.warn(in_words(left_out, len(Y)), UserWarning, stacklevel=4)
        points = starts.some_points(len(Y))
        error = partial(
            mean_squared_residual, Y=scaled, kernel=gaussian, groups=None, points=points
        )
        if len(runners) == 1:  # nothing to choose: its own proportions, and no time for its scale
            error = _nothing
        candidates = starts.scaled_candidates(runners, shape, error, gaussian, points, self.n_jobs)
        candidates = list(with_bar(self, candidates, len(runners), "starts"))
        candidates, X = starts.race(candidates, error, 0)
        self.starts_ = left_out + candidates
        return X

    def _alternate(self, X, Y, latent, wanted):
        """The last step of the alternation; all of them go to `history_`."""
        steps = drur.alternation(X, Y, wanted.fit_maps, wanted.coarse, self.n_jobs)
        steps = at_most(steps, wanted.max_iter)
        last = None
        try:
            for step in with_bar(self, steps, wanted.max_iter + 1, "rounds"):
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


def _nothing(X):
    return 0.0


@dataclass(frozen=True)
class _Wanted:
    """The parameters, as objects."""

    q: int
    fit_maps: Callable
    max_iter: int
    coarse: int


@dataclass(frozen=True)
class _Units:
    """Mean and size of a table, its rms distance of its rows from the mean.

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
