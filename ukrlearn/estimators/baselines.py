"""Baselines of [DRUR] as scikit-learn estimators: autoencoder (19) and GPLVM."""

import numpy as np

from ukrlearn.blocks import sharing
from ukrlearn.blocks.descent import until_flat
from ukrlearn.blocks.units import Units
from ukrlearn.drur import baselines
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._drur import UnsupervisedRegression
from ukrlearn.estimators._journal import Frame
from ukrlearn.estimators._rows import equal_rows

MOST_FOR_GPLVM = 2000  # points: a move takes seconds there, and 0.3 GB; N³ and N² beyond


class _Baseline(UnsupervisedRegression):
    """Fits in moves of L-BFGS; is used as the other estimators of [DRUR] are.

    A subclass says in `_moves` what is trained.
    """

    _unit_of_time = "moves"

    def _moves(self, X, Y):
        """`baselines.BaselineStep`s for ever, the start first; X and Y are scaled."""
        raise NotImplementedError

    def _check(self, N):
        """Judges the parameters of the subclass, for N points."""

    def _units(self, Y, X):
        """Mean variance one over the columns: what first weights and kernels are made for."""
        return Units.by_deviation(Y), Units.by_deviation(X)

    def _rounds(self, N):
        tol = _arguments.number("tol", self.tol, above=0, or_equal=True)
        self._check(N)

        def rounds(X, Y):
            twins = equal_rows(Y)
            X = X if twins is None else sharing.group_means(X, twins)
            return until_flat(self._moves(X, Y), tol)

        return rounds

    def _total_error(self, step, Y):
        return float(np.sum((Y - step.f(step.X)) ** 2))

    def _entry(self, step, X):
        return Frame("l-bfgs", step.error, X)


class AutoencoderBaseline(_Baseline):
    """A baseline, to compare `ParametricDRUR` with: an autoencoder, [DRUR] (19).

    Y here is what scikit-learn calls X; X is the embedding.

    Two perceptrons with one hidden layer each, F into latent space and f back, trained together to
    rebuild their input: Σ_n |y_n - f(F(y_n))|². Latent points of its own, with which [DRUR] takes
    the problem apart, it has none. It starts as [DRUR] does: F and f are fitted to the start.

    Parameters
    ----------
    n_components : int
        q, units in the middle, which are linear.
    n_basis : int
        Sigmoid units in each of both hidden layers; the network is d - n_basis - q - n_basis - d.
    penalty : float
        λ, which weighs all squared weights, in units in which data and start have variance one.
    init : as in `ParametricDRUR`
    max_iter : int
        Moves of L-BFGS at most, over all data each. 0 keeps the two regressions.
    tol : float
        Training ends when twenty moves have lowered the error by less than this, relatively.
    record : bool
        Whether `history_` keeps F(Y) of each move.
    random_state : int, RandomState or None
        For starts that need random numbers. None is 0. First weights are always the same.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `baselines.BaselineStep` (data and latent points centred and scaled);
        returning True ends the fit there.
    n_jobs : int, optional
        Starts in parallel, through joblib.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        F(Y), in the units of the start.
    f_, F_ : networks
        The maps, between centred and scaled data and latent points.
    reconstruction_error_ : float
        The mean over points of |y_n - f(F(y_n))|², in the units of Y.
    history_ : list of Frame
        Error (of scaled data, with penalty) of the start and of each move; F(Y) on request.
    n_iter_ : int
    starts_ : list of Candidate
    n_features_in_ : int

    Notes
    -----
    A good start counts twice. F, fitted to noisy latent points, has less noise than they; training
    then rebuilds the data better and better, but nothing in (19) says where in latent space points
    are to be, so what was in order before may not be afterwards.

    Examples
    --------
    >>> import numpy as np
    >>> from ukrlearn import datasets, metrics
    >>> from ukrlearn.estimators.baselines import AutoencoderBaseline
    >>> Y, t = datasets.swiss_roll(300, height=50.0, length=90.0, random_state=0)
    >>> noise = np.random.RandomState(1).normal(size=t.shape)
    >>> for size in (20, 60):
    ...     model = AutoencoderBaseline(init=t + size * noise, max_iter=200).fit(Y)
    ...     float(metrics.orders_recovered(model.embedding_, t).min()) > 0.9
    True
    False
    """

    def __init__(
        self,
        n_components=2,
        *,
        n_basis=30,
        penalty=1e-5,
        init="auto",
        max_iter=1000,
        tol=1e-6,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.n_basis = n_basis
        self.penalty = penalty
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.n_jobs = n_jobs

    def _check(self, N):
        _arguments.whole_number("n_basis", self.n_basis, least=1)
        _arguments.number("penalty", self.penalty, above=0, or_equal=True)

    def _moves(self, X, Y):
        return baselines.autoencoder(X, Y, self.n_basis, self.penalty)

    def _mapped(self, Y):
        return self.F_(Y)


class GPLVMBaseline(_Baseline):
    """A baseline, to compare `ParametricDRUR` and `UKR` with: Gaussian process latent variables.

    Y here is what scikit-learn calls X; X is the embedding.

    Given latent points X, every column of Y is a draw from a Gaussian process over latent space;
    X and the three numbers of its kernel maximise the likelihood, with a normal prior on X. Like
    `UKR` it has latent points and no F, and f follows from X in closed form; the weights of UKR are
    normalised by a sum, those of the process by the inverse of an N x N matrix. Where this leads is
    said in `ukrlearn.drur.baselines`.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    init : as in `ParametricDRUR`
    max_iter : int
        Moves of L-BFGS at most.
    tol : float
        Training ends when twenty moves have lowered the error by less than this, relatively.
    record : bool
        Whether `history_` keeps the latent points of each move.
    random_state : int, RandomState or None
        For starts that need random numbers. None is 0.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `baselines.BaselineStep` (data and latent points centred and scaled);
        returning True ends the fit there.
    n_jobs : int, optional
        Starts in parallel, through joblib.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in the units of the start. Their size means little: see
        `ukrlearn.drur.baselines.gplvm_error`.
    f_ : GaussianProcess
        f, between centred and scaled data and latent points, with scale, gamma and noise.
    reconstruction_error_ : float
        The mean over points of |y_n - f(x_n)|², in the units of Y.
    history_ : list of Frame
        Minus the logarithm of likelihood and prior (of scaled data), of the start and of each move;
        latent points on request.
    n_iter_ : int
    starts_ : list of Candidate
    n_features_in_ : int

    Notes
    -----
    At most 2000 points: every move factors and inverts an N x N matrix and holds some ten of them.
    (Published programs for more points approximate the process by some "active" points.)

    `transform` gives rows equal to training rows their stored coordinates. There is no F: other
    rows are placed where they are likeliest, searched for from the best of the training points. It
    may be a local maximum.

    Examples
    --------
    >>> from ukrlearn import datasets
    >>> from ukrlearn.estimators.baselines import GPLVMBaseline
    >>> Y, t = datasets.noisy_spiral(60, random_state=0)
    >>> model = GPLVMBaseline(1, init="isomap", max_iter=20).fit(Y)
    >>> model.history_[-1].error < model.history_[0].error
    True
    """

    def __init__(
        self,
        n_components=2,
        *,
        init="auto",
        max_iter=100,
        tol=1e-6,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.n_jobs = n_jobs

    def _check(self, N):
        if N > MOST_FOR_GPLVM:
            raise ValueError(
                f"GPLVMBaseline takes at most {MOST_FOR_GPLVM} points; got n_samples={N}. Each "
                "move inverts an N x N matrix, in time N³. Fit a sample of the rows and transform "
                "the others, or use ParametricDRUR."
            )

    def _moves(self, X, Y):
        return baselines.gplvm(X, Y)

    def _mapped(self, Y):
        return baselines.place(Y, self.f_)
