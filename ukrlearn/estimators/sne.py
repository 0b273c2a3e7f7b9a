"""Stochastic neighbour embedding as a scikit-learn estimator."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ukrlearn.blocks import descent, starts
from ukrlearn.blocks.descent import Step
from ukrlearn.blocks.guided import guide_descent
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import Embedding
from ukrlearn.estimators._journal import Frame
from ukrlearn.estimators._starting import NAMES, taken_as_it_is
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.sgd.affinity import typical_bandwidth

RANDOM_SPREAD = 0.01  # of a random start, [SGD]
ISOLATED = 0.99  # the probability of choosing oneself beyond which a point has no neighbours


class SNE(Embedding):
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

    _at_most_columns = False

    def _learn(self, Y, journal):
        wanted = self._checked_parameters(Y)
        objective = self._objective(Y, wanted)
        X = self._start(Y, objective, wanted, journal)
        best = descent.Best(Step(X, *objective(X)))
        try:
            self._minimise(Y, X, objective, wanted, best, journal)
        except KeyboardInterrupt:
            journal.warn_of_interruption()
        return {
            "error_": best.step.error,
            "n_iter_": journal.moves_of_last_stage() if journal.history else 0,
            "embedding_": best.step.X - best.step.X.mean(axis=0),
        }

    def _checked_parameters(self, Y):
        """What the parameters mean for these data; ValueError or TypeError if they mean nothing."""
        q = self._checked_components(Y)
        if len(Y) < 3 and not self.with_itself:
            raise ValueError(f"with_itself=False needs at least 3 points; got n_samples={len(Y)}.")
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
                stacklevel=4,
            )
        return neighbor_embedding.objective_of(P, bool(self.with_itself))

    def _start(self, Y, objective, wanted, journal):
        shape = len(Y), wanted.q
        taken = taken_as_it_is(self, shape, RANDOM_SPREAD)
        if taken is not None:
            return taken[1]
        names = [name for name in NAMES if name != "auto"]
        if not (isinstance(self.init, str) and self.init in names):
            raise ValueError(
                f"init must be one of {', '.join(map(repr, ('random', *names)))} or an array; got "
                f"{self.init!r}."
            )
        if not Y.std(axis=0).any():
            return starts.random(shape, RANDOM_SPREAD, self.random_state)
        entrants = starts.families(Y, wanted.q)[self.init]
        scaled = starts.scaled_candidates(entrants, shape, lambda X: objective(X)[0])
        _, X = starts.race(list(journal.bar(scaled, len(entrants), "starts")), objective, 0)
        return X

    def _minimise(self, Y, X, objective, wanted, best, journal):
        minimise, guided_moves = wanted.descent, 0
        if wanted.guidance is not None and Y.std(axis=0).any():
            minimise, guided_moves = guide_descent(wanted.guidance, minimise, Y, wanted.q)
        steps = descent.at_most(minimise(objective, X), wanted.max_iter)
        steps = best.of(descent.until_flat(steps, wanted.tol, unjudged=guided_moves))

        def frame(step):
            return Frame("descent", step.error, step.X.copy() if self.record else None)

        journal.follow("descent", steps, wanted.max_iter, frame)


@dataclass(frozen=True)
class _Wanted:
    """The parameters, as objects."""

    q: int
    h: float
    descent: Callable
    max_iter: int
    tol: float
    guidance: SpectralGuidance | None
