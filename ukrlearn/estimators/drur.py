"""Parametric dimensionality reduction by unsupervised regression as a scikit-learn estimator."""

from functools import partial

from ukrlearn import drur
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._drur import UnsupervisedRegression


class ParametricDRUR(UnsupervisedRegression):
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
        Called with each `drur.Round` (data and latent points centred and scaled); returning
        True ends the fit there.
    n_jobs : int, optional
        The projection step in parallel, batch by batch, through joblib. On a cluster of dask:
        ``with joblib.parallel_config(backend="dask"):`` around `fit`, where a Client is open.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in the units of the start.
    f_, F_ : networks
        The maps, between centred and scaled data and latent points.
    reconstruction_error_ : float
        The mean over points of |y_n - f(x_n)|², in the units of Y.
    history_ : list of drur.Round
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

    def _rounds(self, N):
        if not (isinstance(self.model, str) and self.model in drur.by_name):
            names = " or ".join(map(repr, drur.by_name))
            raise ValueError(f"model must be {names}; got {self.model!r}.")
        n_basis = _arguments.whole_number("n_basis", self.n_basis, least=1)
        penalty = _arguments.number("penalty", self.penalty, above=0, below=1e100, or_equal=True)
        return partial(
            drur.alternation,
            fit_maps=partial(drur.by_name[self.model], n_basis=n_basis, penalty=penalty),
            coarse=_arguments.whole_number("coarse", self.coarse, least=0),
            n_jobs=self.n_jobs,
        )
