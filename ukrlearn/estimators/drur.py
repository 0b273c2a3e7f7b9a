"""Parametric dimensionality reduction by unsupervised regression as a scikit-learn estimator."""

from functools import partial

from ukrlearn import drur
from ukrlearn.blocks.arguments import choice
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._drur import UnsupervisedRegression


class ParametricDRUR(UnsupervisedRegression):
    """Parametric dimensionality reduction by unsupervised regression [DRUR]: two maps, one X.

    Y here is what scikit-learn calls X; X is the embedding.

    f maps latent points to data, and F maps data to latent points; both are small networks.
    Together with X they minimise Σ_n |y_n - f(x_n)|² + Σ_n |x_n - F(y_n)|² + penalties (1) by an
    alternation: two regressions for given X, then N small problems for given maps, which
    Gauss-Newton solves all at once. Time and memory are linear in N and d. The method repairs the
    coordinates of other methods: it removes noise, and clusters and holes that the data do not
    have.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    model : {"rbf", "mlp"}
        Gaussian radial basis functions (13)-(17), or perceptrons with one hidden layer (18)-(20).
    n_basis : int
        M, the number of basis functions or hidden units of f and of F. If there are fewer different
        points, each is a centre.
    penalty : float
        λ_f = λ_F. [DRUR] recommends the smallest that keeps the fits well conditioned.
    init : str, array of shape (N, q), object, callable, or list of these
        Where to start. "pca", "kpca", "lle", "isomap" or "spectral": the coordinates of that
        method. "auto": the best of all these, with several neighbourhoods, by the cross-validated
        error of their kernel regression, as in `UKR`. "random": normally distributed, which leads
        nowhere. An object with fit_transform (TSNE(), UMAP(), ...) or a callable Y -> (N, q). An
        array is used unchanged up to one overall scale, which is undone in `embedding_`; only equal
        rows of Y share the mean of their coordinates.
    max_iter : int
        Number of rounds of adaptation and projection. 0 keeps the start and only adds the maps.
        More rounds are not better: (1) keeps falling as X shrinks, and the shape of X degrades with
        it. Ten rounds are often enough.
    refine : bool
        How `transform` places new data. False: at F(y), one evaluation of a network. True: at the
        minimum of |y - f(x)|² + |x - F(y)|² (7), searched from F(y), so that f(x) is also close to
        y. F is a regression and stops short at the ends of the data. f is more accurate there, but
        useless for data far from the manifold.
    coarse : int
        The number of first rounds in which f is stiff (radial basis functions only). This was meant
        for starts that are mostly noise, but is rarely worth it: on Swiss rolls with noise larger
        than the sheet is wide, 10 of 20 rounds and penalty=1e-3 raised R² in 10 of 20 draws of 1000
        points (median .972 for .969), in 3 of 20 draws of 400 points (.90 for .95) and in 4 of 20
        draws of 300 points (.78 for .87). We know no rule that tells in advance when it helps.
    record : bool
        Whether `history_` keeps the latent points of each round.
    random_state : int, RandomState or None
        Seed for starts that need random numbers. None means 0, so the same data always give the
        same model.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `drur.Round`, in which data and latent points are centred and scaled. If it
        returns True, the fit ends there.
    n_jobs : int, optional
        Number of joblib workers for the projection step, one batch each. On a dask cluster, open a
        Client and call `fit` inside ``with joblib.parallel_config(backend="dask"):``.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in the units of the start.
    f_, F_ : networks
        The maps, between centred and scaled data and latent points.
    reconstruction_error_ : float
        The mean over points of |y_n - f(x_n)|², in the units of Y.
    history_ : list of drur.Round
        For the start and each round: the terms of the objective, the share of full Gauss-Newton
        steps, the number of steps per point, and the spread of X. The maps are not kept; X is kept
        with record=True.
    n_iter_ : int
        Number of rounds.
    starts_ : list of Candidate
        The starts; one is marked as chosen.
    n_features_in_ : int

    Notes
    -----
    `transform` returns the stored coordinates, the result of the last projection, for rows that
    equal a training row (equal training rows share theirs). All other rows are placed
    independently.

    Limits: the method cannot unfold what the start has folded. It repairs local disorder of a
    start, but not a wrong overall shape; from principal components, the Swiss roll stays rolled up.
    And a low objective does not mean that X is in order.

    Departures: the scale of X relative to Y, which weighs the two terms of (1), is a hidden
    parameter of the paper. Here the start is scaled to half the size of the data. For another
    departure see `drur.alternation`.

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
        choice(*drur.by_name)("model", self.model)
        n_basis = _arguments.whole_number("n_basis", self.n_basis, least=1)
        if self.model == "mlp":
            self._demand_memory_of_hidden_units(n_basis, N)
        penalty = _arguments.number("penalty", self.penalty, above=0, below=1e100, or_equal=True)
        return partial(
            drur.alternation,
            fit_maps=partial(drur.by_name[self.model], n_basis=n_basis, penalty=penalty),
            coarse=_arguments.whole_number("coarse", self.coarse, least=0),
            n_jobs=self.n_jobs,
        )
