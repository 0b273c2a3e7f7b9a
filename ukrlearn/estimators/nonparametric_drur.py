"""Nonparametric dimensionality reduction by unsupervised regression as an estimator."""

from functools import partial

from ukrlearn import drur
from ukrlearn.blocks import memory
from ukrlearn.blocks.arguments import choice, shown
from ukrlearn.drur.rounds import RELATIVE_SIZE
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._drur import UnsupervisedRegression

METHODS = ("gauss-newton", "coupled")
# N x N at the peak. 10,000 points take 1.9 GB, and on one core 20 s for the first maps and 10 s for
# each round.
ARRAYS, COUPLED_ARRAYS = 2.4, 4.2


class NonparametricDRUR(UnsupervisedRegression):
    """Nonparametric dimensionality reduction by unsupervised regression: a centre on every point.

    Y here is what scikit-learn calls X; X is the embedding.

    Like `ParametricDRUR`, but f and F are the best among all smooth functions: expansions in
    Gaussians centred on the N points, [DRUR] section 1. Only their smoothness remains to be chosen.
    Time is cubic in N, and memory quadratic: somewhat more than two N x N matrices, which is half a
    gigabyte at N = 5000. Beyond 2 GB, at about 10,000 points, a fit is refused.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    width : "auto", float, or pair of floats
        σ of the Gaussians of f and F, in units of the rms distance of their inputs from the mean.
        The inputs are the initial X for f and Y for F. "auto" chooses multiples of the points'
        spacing by the exact leave-one-out error. The widths are chosen once, so that the objective
        cannot rise.
    penalty : float
        λ_f = λ_F, raised to 1e-12 N if it is smaller.
    init : str, array of shape (N, q), object, callable, or list of these
        As in `ParametricDRUR`.
    max_iter : int
        Number of rounds, or of L-BFGS moves with method="coupled". 0 keeps the start and only adds
        the maps. More rounds are not better: (1) keeps falling, but X need not improve with it.
    method : {"gauss-newton", "coupled"}
        How X is found. "gauss-newton": f is treated as a fixed function while each point moves
        independently, and is then fitted again. (1) never rises after the first round. "coupled":
        f moves with its centres, so all points depend on each other, and L-BFGS minimises (1) as a
        function of X alone. Ten rounds of one and ten moves of the other give similar results;
        hundreds of moves usually make X worse.
    refine : bool
        How `transform` places new data, as in `ParametricDRUR`.
    record, random_state, verbose, callback, n_jobs
        As in `ParametricDRUR`.

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
    `transform` returns the stored coordinates for rows that equal a training row, as in
    `ParametricDRUR`.

    The limits are those of `ParametricDRUR`: the method repairs a start, but cannot unfold what the
    start has folded. The objective falls without limit as X shrinks, so more rounds are not better.

    Examples
    --------
    >>> import numpy as np
    >>> from ukrlearn import NonparametricDRUR, datasets, metrics
    >>> Y, t = datasets.swiss_roll(300, height=50.0, random_state=0)
    >>> disturbed = t + 10 * np.random.RandomState(1).normal(size=t.shape)
    >>> model = NonparametricDRUR(init=disturbed).fit(Y)
    >>> metrics.procrustes_r2(disturbed, t) < 0.85
    True
    >>> metrics.procrustes_r2(model.embedding_, t) > 0.98
    True
    """

    def __init__(
        self,
        n_components=2,
        *,
        width="auto",
        penalty=1e-3,
        init="auto",
        max_iter=10,
        method="gauss-newton",
        refine=True,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.width = width
        self.penalty = penalty
        self.init = init
        self.max_iter = max_iter
        self.method = method
        self.refine = refine
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.n_jobs = n_jobs

    def _demand_memory(self, N):
        coupled = isinstance(self.method, str) and self.method == "coupled"
        memory.demand(
            f"NonparametricDRUR of {N} points",
            (COUPLED_ARRAYS if coupled else ARRAYS) * N**2,
            "Use ParametricDRUR, whose memory and time grow like N, or fewer points.",
        )

    def _rounds(self, N):
        choice(*METHODS)("method", self.method)
        penalty = _arguments.number("penalty", self.penalty, above=0, below=1e100, or_equal=True)
        f_width, F_width = _widths(self.width)

        def rounds(X, Y):
            kernels = drur.Kernels.chosen(X, Y, penalty, f_width, F_width)
            if self.method == "coupled":
                return drur.coupled_descent(X, Y, kernels)
            fit_maps = partial(drur.kernel_maps, kernels=kernels)
            return drur.alternation(X, Y, fit_maps, n_jobs=self.n_jobs)

        return rounds


def _widths(width):
    """σ of f and F for scaled data; None for a width that is chosen automatically."""
    if _arguments.is_auto(width):
        return None, None
    pair = tuple(width) if isinstance(width, (tuple, list)) else (width, width)
    if isinstance(width, str) or len(pair) != 2:
        raise ValueError(
            f'width must be "auto", a number, or a pair of numbers for f and F; got {shown(width)}.'
        )
    of_f, of_F = (_arguments.number("width", one, above=1e-6, below=1e6) for one in pair)
    return of_f * RELATIVE_SIZE, of_F
