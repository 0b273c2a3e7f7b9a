"""Stochastic neighbour embedding as a scikit-learn estimator."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import validate_data

from ukrlearn.blocks import descent, guided, starts
from ukrlearn.blocks.descent import Step
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._following import follow, moves_of_last_stage, with_bar
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.sgd.affinity import typical_bandwidth
from ukrlearn.sgd.guidance import SpectralGuidance

RANDOM_SPREAD = 0.01  # of a random start, [SGD]
ISOLATED = 0.99  # the probability of choosing oneself beyond which a point has no neighbours


class SNE(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Stochastic neighbour embedding, [SGD] (1)-(4): neighbours here are neighbours there.

    Y here is what scikit-learn calls X; X is the embedding.

    Every point chooses another one as its neighbour, near ones more often: with probabilities P in
    data space (1), Q in latent space (2). The latent points minimise the mean Kullback-Leibler
    divergence E of their choices from those of the data (3).

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    h : float
        Bandwidth in data space: it divides squared distances, in the units of the data.
    init : {"random", "pca", "kpca", "lle", "isomap", "spectral"} or array of shape (N, q)
        "random": normal with standard deviation .01. A name: these coordinates at the scale of
        least E. An array is used exactly as it is.
    descent : {"gradient", "rprop", "l-bfgs"} or callable
        A callable takes (objective, X0) and yields steps.
    max_iter : int
        Moves at most.
    tol : float
        The descent ends when twenty moves have lowered E by less than this, relatively. 0: all
        `max_iter` moves.
    guidance : SpectralGuidance, optional
        Lets points whose data are alike move together at first, [SGD]. With "l-bfgs" the guided
        moves are gradient descent's, and L-BFGS goes on from there.
    with_itself : bool
        Whether a point may choose itself, in both spaces. The sums of [SGD] do not exclude it.
    record : bool
        Whether `history_` keeps the latent points of each step.
    random_state : int, RandomState or None
        For the random start. None is 0: the same data give the same embedding.
    verbose : int
        1 shows a progress bar.
    callback : callable, optional
        Called with each `Step`; returning True ends the fit at the best step so far.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, centred.
    error_ : float
        E (3), in nats.
    history_ : list of Frame
        Stage, error and (on request) latent points of each step.
    n_iter_ : int
        Moves made.
    n_features_in_ : int

    Notes
    -----
    There is no `transform`: E judges all points together and says nothing about a new one. For a
    map both ways, give the coordinates to kernel regression: ``UKR(init=SNE(...), max_iter=0)``.

    h is one number for all points. What suits a dense region isolates the points of a sparse one;
    a warning says so. Memory and time a move grow with N².

    Examples
    --------
    >>> from ukrlearn import SNE, SpectralGuidance, datasets
    >>> Y, t = datasets.partitioned_circle(90, random_state=0)
    >>> plain = SNE(h=0.02).fit(Y)
    >>> guided = SNE(h=0.02, guidance=SpectralGuidance(h=0.1, schedule="l")).fit(Y)
    >>> guided.error_ < plain.error_
    True
    """

    def __init__(
        self,
        n_components=2,
        *,
        h=1.0,
        init="random",
        descent="gradient",
        max_iter=200,
        tol=1e-6,
        guidance=None,
        with_itself=True,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
    ):
        self.n_components = n_components
        self.h = h
        self.init = init
        self.descent = descent
        self.max_iter = max_iter
        self.tol = tol
        self.guidance = guidance
        self.with_itself = with_itself
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def fit(self, Y, /, y=None):
        """Learn the latent points of Y (N, d); y is ignored.

        Ctrl-C leaves a fitted model at the best step so far, with a warning.
        """
        if self.__sklearn_is_fitted__():
            del self.embedding_  # should this fit fail, no mixture of two models remains
        Y = validate_data(self, Y, dtype=np.float64, ensure_min_samples=2)
        wanted = self._checked_parameters(Y)
        objective = self._objective(Y, wanted)
        self.history_ = []
        X = self._start(Y, objective, wanted)
        best = descent.Best(Step(X, *objective(X)))
        try:
            self._minimise(Y, X, objective, wanted, best)
        except KeyboardInterrupt:
            warnings.warn(
                f"The fit was interrupted after {len(self.history_)} steps; the embedding is the "
                "best seen until then.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.error_ = best.step.error
        self.n_iter_ = moves_of_last_stage(self) if self.history_ else 0
        self.embedding_ = best.step.X - best.step.X.mean(axis=0)
        return self

    def fit_transform(self, Y, /, y=None):
        """`fit(Y).embedding_`."""
        return self.fit(Y).embedding_

    def _checked_parameters(self, Y):
        """What the parameters mean for these data; ValueError or TypeError if they mean nothing."""
        N = len(Y)
        _arguments.demand_representable(Y)
        _arguments.demand_callback(self.callback)
        q = _arguments.whole_number("n_components", self.n_components, least=1)
        if q >= N:
            raise ValueError(f"n_components={q} must be less than the {N} points (n_samples={N}).")
        if N < 3 and not self.with_itself:
            raise ValueError(f"with_itself=False needs at least 3 points; got n_samples={N}.")
        return _Wanted(
            q=q,
            h=_arguments.number("h", self.h, above=0),
            descent=_arguments.one_of("descent", self.descent, descent.by_name),
            max_iter=_arguments.whole_number("max_iter", self.max_iter, least=0),
            tol=_arguments.number("tol", self.tol, above=0, or_equal=True),
            guidance=_arguments.guidance(self.guidance),
        )

    def _objective(self, Y, wanted):
        """E of these data; a warning if h leaves most points without neighbours."""
        P = neighbor_embedding.neighbor_probabilities(Y, wanted.h, bool(self.with_itself))
        if np.median(np.diagonal(P)) > ISOLATED:
            warnings.warn(
                f"h={wanted.h:g} leaves most points without neighbours: they choose themselves. "
                f"Half of the points have eight neighbours within a squared distance of "
                f"{typical_bandwidth(Y):.3g}, which would be an h.",
                UserWarning,
                stacklevel=3,
            )
        return neighbor_embedding.objective_of(P, bool(self.with_itself))

    def _start(self, Y, objective, wanted):
        shape = len(Y), wanted.q
        if _arguments.is_array(self.init):
            return _arguments.latent_points("init", self.init, shape)
        names = ("random", *(name for name in starts.NAMES if name != "auto"))
        if not (isinstance(self.init, str) and self.init in names):
            raise ValueError(
                f"init must be one of {', '.join(map(repr, names))} or an array; got {self.init!r}."
            )
        if self.init == "random" or not Y.std(axis=0).any():
            return starts.random(shape, RANDOM_SPREAD, self.random_state)
        entrants, _ = starts.built_in(self.init, Y, wanted.q)
        scaled = starts.scaled_candidates(entrants, shape, lambda X: objective(X)[0])
        _, X = starts.race(list(with_bar(self, scaled, len(entrants), "starts")), objective, 0)
        return X

    def _minimise(self, Y, X, objective, wanted, best):
        minimise, guided_moves = wanted.descent, 0
        if wanted.guidance is not None and Y.std(axis=0).any():
            minimise, guided_moves = guided.guide_descent(wanted.guidance, minimise, Y, wanted.q)
        steps = descent.at_most(minimise(objective, X), wanted.max_iter)
        steps = best.of(descent.until_flat(steps, wanted.tol, unjudged=guided_moves))
        follow(self, "descent", steps, wanted.max_iter)

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")  # the last attribute that fit sets

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]


@dataclass(frozen=True)
class _Wanted:
    """The parameters, as objects."""

    q: int
    h: float
    descent: Callable
    max_iter: int
    tol: float
    guidance: SpectralGuidance | None
