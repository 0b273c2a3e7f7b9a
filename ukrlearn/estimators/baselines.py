"""Baselines of [DRUR] as scikit-learn estimators: autoencoder (19) and GPLVM."""

from ukrlearn.blocks.descent import until_flat
from ukrlearn.blocks.units import Units
from ukrlearn.drur import baselines
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._drur import UnsupervisedRegression
from ukrlearn.estimators._journal import Frame

MOST_FOR_GPLVM = 2000  # points, for which a move takes seconds and 0.3 GB; time N³, memory N²


class _Baseline(UnsupervisedRegression):
    """A baseline trained by L-BFGS, with the same interface as the estimators of [DRUR].

    A subclass defines the training in `_moves`.
    """

    _unit_of_time = "moves"

    def _moves(self, X, Y):
        """Yield `baselines.BaselineStep`s without end, the start first; X and Y are scaled."""
        raise NotImplementedError

    def _check(self, N):
        """Check the parameters of the subclass for N points."""

    def _units(self, Y, X):
        """Units with mean variance one over the columns, which initial weights and kernels need."""
        return Units.by_deviation(Y), Units.by_deviation(X)

    def _rounds(self, N):
        tol = _arguments.number("tol", self.tol, above=0, or_equal=True)
        self._check(N)

        return lambda X, Y: until_flat(self._moves(X, Y), tol)

    def _entry(self, step, X):
        return Frame("l-bfgs", step.error, X)


class AutoencoderBaseline(_Baseline):
    """A baseline for `ParametricDRUR`: an autoencoder, [DRUR] (19).

    Y here is what scikit-learn calls X; X is the embedding.

    Two perceptrons with one hidden layer each, F into latent space and f back, are trained together
    to rebuild their input: they minimise Σ_n |y_n - f(F(y_n))|². Unlike [DRUR], the autoencoder has
    no latent points of its own, with which the problem could be separated. It starts as [DRUR]
    does, with F and f fitted to the start.

    Parameters
    ----------
    n_components : int
        q, the number of linear units in the middle layer.
    n_basis : int
        Number of sigmoid units in each hidden layer; the network is d - n_basis - q - n_basis - d.
    penalty : float
        λ, the weight of all squared weights, in units in which data and start have variance one.
    init : as in `ParametricDRUR`
    max_iter : int
        Maximum number of L-BFGS moves, each over all data. 0 keeps the two regressions.
    tol : float
        Training ends when the error falls by less than this fraction over twenty moves.
    record : bool
        Whether `history_` keeps F(Y) of each move.
    random_state : int, RandomState or None
        Seed for starts that need random numbers. None means 0. Initial weights are always the same.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `baselines.BaselineStep`, in which data and latent points are centred and
        scaled. If it returns True, the fit ends there.
    n_jobs : int, optional
        Number of joblib workers that compute starts in parallel.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        F(Y), in the units of the start.
    f_, F_ : networks
        The maps, between centred and scaled data and latent points.
    reconstruction_error_ : float
        The mean over points of |y_n - f(F(y_n))|², in the units of Y.
    history_ : list of Frame
        The error (in scaled units, with penalty) of the start and of each move; with record=True,
        also F(Y).
    n_iter_ : int
    starts_ : list of Candidate
    n_features_in_ : int

    Notes
    -----
    A good start helps in two ways. F is fitted to noisy latent points, but F(Y) is less noisy than
    they are. Training then rebuilds the data better and better. But nothing in (19) determines
    where in latent space the points lie, so training can destroy an order that was right at the
    start.

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
        n_basis = _arguments.whole_number("n_basis", self.n_basis, least=1)
        self._demand_memory_of_hidden_units(n_basis, N)
        _arguments.number("penalty", self.penalty, above=0, or_equal=True)

    def _moves(self, X, Y):
        return baselines.autoencoder(X, Y, self.n_basis, self.penalty)

    def _mapped(self, Y):
        return self.F_(Y)


class GPLVMBaseline(_Baseline):
    """A baseline for `ParametricDRUR` and `UKR`: the Gaussian process latent variable model.

    Y here is what scikit-learn calls X; X is the embedding.

    Given latent points X, every column of Y is a sample of a Gaussian process over latent space. X
    and the three kernel parameters maximise the likelihood times a normal prior on X. Like `UKR`,
    the model has latent points but no F, and f follows from X in closed form. UKR normalises its
    weights by a sum, the process by the inverse of an N x N matrix. `ukrlearn.drur.baselines`
    compares the two.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    init : as in `ParametricDRUR`
    max_iter : int
        Maximum number of L-BFGS moves.
    tol : float
        Training ends when the error falls by less than this fraction over twenty moves.
    record : bool
        Whether `history_` keeps the latent points of each move.
    random_state : int, RandomState or None
        Seed for starts that need random numbers. None means 0.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `baselines.BaselineStep`, in which data and latent points are centred and
        scaled. If it returns True, the fit ends there.
    n_jobs : int, optional
        Number of joblib workers that compute starts in parallel.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in the units of the start. Their overall size is not meaningful; see
        `ukrlearn.drur.baselines.gplvm_error`.
    f_ : GaussianProcess
        f, between centred and scaled data and latent points, with scale, gamma and noise.
    reconstruction_error_ : float
        The mean over points of |y_n - f(x_n)|², in the units of Y.
    history_ : list of Frame
        Minus the log of likelihood times prior (in scaled units) for the start and each move; with
        record=True, also the latent points.
    n_iter_ : int
    starts_ : list of Candidate
    n_features_in_ : int

    Notes
    -----
    At most 2000 points are accepted, because every move factors and inverts an N x N matrix and
    holds about ten such matrices. (Published programs for more points approximate the process by
    some "active" points.)

    `transform` returns the stored coordinates for rows that equal a training row. There is no F, so
    other rows are placed where they are most likely, by a search that starts from the best training
    point and may end at a local maximum.

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
                f"GPLVMBaseline accepts at most {MOST_FOR_GPLVM} points; got n_samples={N}. Each "
                "move inverts an N x N matrix, in time N³. Fit a sample of the rows and transform "
                "the others, or use ParametricDRUR."
            )

    def _moves(self, X, Y):
        return baselines.gplvm(X, Y)

    def _mapped(self, Y):
        return baselines.place(Y, self.f_)
