"""Stochastic neighbour embedding as a scikit-learn estimator."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ukrlearn.blocks import descent, memory, race, starts
from ukrlearn.blocks.arguments import shown
from ukrlearn.blocks.guided import guide_descent
from ukrlearn.blocks.sharing import together
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import Embedding
from ukrlearn.estimators._journal import Frame
from ukrlearn.estimators._starting import NAMES, entrants
from ukrlearn.estimators.guidance import SpectralGuidance, demand_memory_of_guidance
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.sgd.affinity import typical_bandwidth

ARRAYS = 2  # N x N at the peak: P, and P log P
RANDOM_SPREAD = 0.01  # of a random start, [SGD]
ISOLATED = 0.99  # a point that chooses itself with a greater probability has no neighbours


GREATEST = 1e300  # squared distance in units of h


class SNE(Embedding):
    """Stochastic neighbour embedding, [SGD] (1)-(4): latent points keep the neighbours of the data.

    Y here is what scikit-learn calls X; X is the embedding.

    Every point chooses another point as its neighbour, near points more often than distant ones,
    with probabilities P in data space (1) and Q in latent space (2). The latent points minimise E,
    the mean Kullback-Leibler divergence between P and Q (3).

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    h : float
        Bandwidth in data space. It divides squared distances, and has their unit.
    init : {"random", "pca", "kpca", "lle", "isomap", "spectral"} or array of shape (N, q)
        "random": normally distributed with standard deviation .01. Another name: the coordinates of
        that method, at the scale with the lowest E. An array is used unchanged; only equal rows of
        Y share the mean of their coordinates.
    descent : {"gradient", "rprop", "l-bfgs"} or callable
        A callable takes (objective, X0) and yields steps.
    max_iter : int
        Maximum number of moves.
    tol : float
        The descent ends when E falls by less than this fraction over twenty moves. 0 makes all
        `max_iter` moves.
    guidance : SpectralGuidance, optional
        Points with similar data move together at first, [SGD]. With "l-bfgs", gradient descent
        makes the guided moves, and L-BFGS takes over afterwards.
    with_itself : bool
        Whether a point may choose itself, in both spaces. The sums in [SGD] allow it.
    record : bool
        Whether `history_` keeps the latent points of each step.
    random_state : int, RandomState or None
        Seed for the random start. None means 0, so the same data always give the same embedding.
    verbose : int
        1 shows a progress bar.
    callback : callable, optional
        Called with each `Step`. If it returns True, the fit ends with the best step so far.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, centred.
    error_ : float
        E (3), in nats.
    history_ : list of Frame
        Stage, error and, with record=True, latent points of each step.
    n_iter_ : int
        Number of moves.
    n_features_in_ : int

    Notes
    -----
    There is no `transform`, because E depends on all points together and defines no position for a
    new point. For maps in both directions, use kernel regression on the coordinates:
    ``UKR(init=SNE(...), max_iter=0)``. Equal rows of data share their latent point.

    The same h applies to all points. An h that suits a dense region isolates the points of a sparse
    one. If most points are isolated, a warning says so. Memory and time per move grow with N².

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

    def _demand_memory(self, N):
        memory.demand(
            f"SNE of {N} points",
            ARRAYS * N**2,
            "Fit a sample of the points, or use UKR, whose memory grows like N.",
        )
        demand_memory_of_guidance(self.guidance, N, besides=1)

    def _learn(self, Y, twins, journal):
        settings = self._checked_parameters(Y)
        objective = self._objective(Y, settings)
        X = self._start(Y, objective, settings, journal)
        best = descent.Best()
        try:
            self._minimise(Y, twins, X, objective, settings, best, journal)
        except KeyboardInterrupt as interrupt:
            if best.step is None:
                raise
            journal.interrupted(interrupt)
        return {
            "error_": best.step.error,
            "n_iter_": journal.moves_of_last_stage(),
            "embedding_": best.step.X - best.step.X.mean(axis=0),
        }

    def _checked_parameters(self, Y):
        """The validated parameters for these data; ValueError or TypeError if one is not valid."""
        q = self._checked_components(Y)
        if len(Y) < 3 and not self.with_itself:
            raise ValueError(f"with_itself=False needs at least 3 points; got n_samples={len(Y)}.")
        h = _arguments.number("h", self.h, above=0)
        longest = np.sum(np.ptp(Y, axis=0) ** 2)
        if longest / GREATEST > h:
            raise ValueError(
                f"h={h:g} must not be below {longest / GREATEST:.3g}, or squared distances divided "
                f"by h overflow. Try h={typical_bandwidth(Y):.3g}."
            )
        return Settings(
            q=q,
            h=h,
            descent=_arguments.descent(self.descent),
            max_iter=_arguments.whole_number("max_iter", self.max_iter, least=0),
            tol=_arguments.number("tol", self.tol, above=0, or_equal=True),
            guidance=_arguments.guidance(self.guidance),
        )

    def _objective(self, Y, settings):
        """E for these data, with a warning if h leaves most points without neighbours."""
        P = neighbor_embedding.neighbor_probabilities(Y, settings.h, self.with_itself)
        if np.median(np.diagonal(P)) > ISOLATED:
            warnings.warn(
                f"h={settings.h:g} leaves most points without neighbours: they choose themselves. "
                f"Try h={typical_bandwidth(Y):.3g}: half of the points have eight neighbours "
                "within this squared distance.",
                UserWarning,
                stacklevel=4,
            )
        return neighbor_embedding.objective_of(P, self.with_itself)

    def _start(self, Y, objective, settings, journal):
        shape = len(Y), settings.q
        names = "random", *(name for name in NAMES if name != "auto")
        own = _arguments.is_array(self.init)
        if not (own or (isinstance(self.init, str) and self.init in names)):
            raise ValueError(
                f"init must be one of {', '.join(map(repr, names))} or an array; got "
                f"{shown(self.init)}."
            )
        if not own and not Y.std(axis=0).any():
            return starts.random(shape, RANDOM_SPREAD, self.random_state)
        found = entrants(self, Y, Y, settings.q, RANDOM_SPREAD)
        scaled = race.scaled(found, shape, lambda X: objective(X)[0])
        _, X = race.race(journal.bar(scaled, len(found), "starts"))
        return X

    def _minimise(self, Y, twins, X, objective, settings, best, journal):
        minimise, guided_moves = together(settings.descent, twins), 0
        if settings.guidance is not None and Y.std(axis=0).any():
            of_data = Y, settings.q, twins
            minimise, guided_moves = guide_descent(settings.guidance, settings.descent, *of_data)
        steps = descent.at_most(minimise(objective, X.copy()), settings.max_iter)
        steps = best.of(descent.until_flat(steps, settings.tol, unjudged=guided_moves))

        def frame(step):
            return Frame("descent", step.error, step.X.copy() if self.record else None)

        journal.follow("descent", steps, settings.max_iter, frame)


@dataclass(frozen=True)
class Settings:
    """The parameters after validation, with strings replaced by objects."""

    q: int
    h: float
    descent: Callable
    max_iter: int
    tol: float
    guidance: SpectralGuidance | None
