"""Unsupervised kernel regression as a scikit-learn estimator."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ukrlearn.blocks import descent, race
from ukrlearn.blocks.kernel_regression import latent_density
from ukrlearn.estimators import _arguments, _border
from ukrlearn.estimators._embedding import EmbeddingWithMaps
from ukrlearn.estimators._starting import entrants, seed_of
from ukrlearn.estimators._ukr_scheme import Scheme, Settings
from ukrlearn.estimators._ukr_space import (
    TrainingData,
    TrainingFeatures,
    demand_memory_of_gram_matrix,
)
from ukrlearn.estimators.guidance import demand_memory_of_guidance
from ukrlearn.ukr.homotopy import PAPER_THRESHOLDS
from ukrlearn.ukr.reconstruction import isolated_points, penalty_factors

MOST_FOR_GAUSSIAN = 4000  # points; for more, a compact kernel takes a fraction of the time
# RPROP ends when the error falls by less over twenty moves: a millionth of it for each point, since
# with more points moves cost more. On a line, moves 101 to 500 lowered the error of new points too,
# of 20 spirals by 0 to 5 %. On a sheet they raised it, of 20 s-curves by 5 to 22 %.
TOL_OF_A_POINT, LEAST_TOL_ON_A_LINE, LEAST_TOL, MOST_TOL = 1e-6, 3e-4, 1e-3, 1e-2
RANDOM_SPREAD = 0.1  # of a random start: small, so that all points are neighbours, [SGD]


class UKR(EmbeddingWithMaps):
    """Unsupervised kernel regression [UKR]: find latent points X whose kernel regression gives Y.

    Y here is what scikit-learn calls X; X is the embedding.

    The latent points are the only parameters of the model f(x) = Σ_n b_n(x) y_n (2). They minimise
    the leave-one-out error R_cv (10). There is no bandwidth, neighbourhood or regulariser to
    choose, because the scale of X acts as the bandwidth. Unlike most embeddings, UKR maps latent
    positions back to data (`inverse_transform`), places new points (`transform`), and has a density
    (`density`) and a cross-validated score (`cv_error_`). It can add all of these to the
    coordinates of any other method: ``UKR(init=TSNE(), max_iter=0)``.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    kernel : "auto", str or DensityKernel
        K of latent space: a name in `density_kernels.by_name`, or a record. "auto" is the Gaussian
        for up to 4000 points. Beyond, it is the quartic kernel, whose support is compact, so that
        a step takes a fraction of the time.
    data_kernel : None, "linear", "l1", "precomputed" or callable
        k of the data (section 3). None rebuilds the data themselves. A callable returns Gram
        matrices, k(Y, Z) -> (N, M). With "precomputed", pass the Gram matrix to fit, and the kernel
        values (M, N) of new data with training data to transform.
    init : str, array of shape (N, q), object, callable, or list of these
        Where to start. "auto" computes seven candidates (PCA, Isomap with four neighbourhoods,
        LLE, and "neighbors"), on a line twelve (PCA, Isomap, LLE and Laplacian eigenmaps), scales
        each to a low R_cv, and lets them race: after a few moves the better half goes on.
        Of more than 1000 points, 1000 at random run the race; the winner is then extended to all.
        "pca", "kpca", "lle", "isomap" or "spectral" tries all candidates of that method, with up to
        fifteen neighbourhoods, and a list tries all that it names. "neighbors" keeps fifteen
        neighbours of each point together, as t-SNE does. "random" is normally distributed
        with standard deviation .1 and is not rescaled; use it with guidance. The coordinates of an
        object with fit_transform (TSNE(), UMAP(), ...) or of a callable Y -> (N, q) are scaled as a
        whole. An array is used unchanged, for example to restart from a frame of `history_`;
        only equal rows of Y share the mean of their coordinates.
    homotopy : "auto", bool or decreasing sequence of numbers in (0, 1)
        Step 4 of the scheme: the model unfolds from a point while the density threshold falls.
        "auto": if a linear start won, for up to 1000 points, with 30 moves for each threshold.
        True: always, with the paper's thresholds and 100 moves for each.
    leave_out : int or array of shape (N,)
        The points that are left out of a reconstruction. 1: only the point itself, as in the paper.
        k: its block of k consecutive rows, for time series whose neighbours are nearly equal.
        Labels: all points with the same label. 0: none; the fit then minimises R (8), which falls
        to zero as points move apart, so it needs the constraint (9), and `density_threshold` must
        be a number. The constraint bounds the length of the manifold, but with a Gaussian kernel R
        still need not have a minimum, since groups of at least η N points may drift apart for ever.
        The best step within `max_iter` is kept.
    descent : {"rprop", "gradient", "l-bfgs"} or callable
        The final descent; a callable takes (objective, X0) and yields steps.
    max_iter : int
        Maximum number of moves of the final descent. 0 keeps the coordinates of the start, up to
        their scale.
    tol : "auto" or float
        The descent ends when the error falls by less than this fraction over twenty moves. 0 makes
        all `max_iter` moves. "auto" is 1e-6; for RPROP it is N / 1e6, but at least 1e-3 (3e-4 if
        n_components=1) and at most 1e-2. From 1e-5 on, the descent is in single precision, and its
        result in double.
    density_threshold : "min", float in (0, 1), or percentage such as "10%"
        η: new data are projected only to positions with p(x) >= η K(0). "min": the largest η with
        all training points inside (step 6). "10%": the η that leaves a tenth of them outside.
    guidance : SpectralGuidance, optional
        Points with similar data move together at first, [SGD]. With gradient descent from a random
        start, guidance found the order of a noisy helix in 20 of 20 draws (h=1), and the order of a
        noisy spiral in 16 of 22. A start from a method that finds the order does as well. With
        "l-bfgs", gradient descent makes the guided moves, and L-BFGS takes over afterwards.
    record : bool
        Whether `history_` keeps the latent points of each step.
    random_state : int, RandomState or None
        Seed for a random start, and for the points that run the race for more than 1000. None means
        0, so the same data always give the same model.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `Step`, in which the data are centred and scaled. If it returns True, the
        fit ends with the best step so far.
    n_jobs : int, optional
        Number of joblib workers that try candidates in parallel.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in units of the kernel's width.
    cv_error_ : float
        R_cv, the mean over points of the squared norm of the left-out residual.
    reconstruction_error_ : float
        R (8), without leaving points out.
    history_ : list of Frame
        Stage, error and, with record=True, latent points of each step.
    n_iter_ : int
        Number of moves of the final descent.
    starts_ : list of Candidate
        All starts, with their scale, R_cv before and after the race, and notes. One is marked as
        chosen. With more than 1000 points and init="auto", they hold the coordinates and errors
        of the points that ran the race.
    density_threshold_ : float
        η.
    n_features_in_ : int

    Notes
    -----
    A trained latent point is not exactly the projection (19) of its data point, because in (19) the
    data point also contributes to its own reconstruction. `transform` returns the stored
    coordinates for rows that equal a training row (equal training rows share theirs). It projects
    all other rows, each independently.

    Limits: a step computes N² kernel values unless the latent points extend far beyond the reach
    of the kernel, as those of a fitted model do. The error has many minima; `starts_` shows how
    much the result depends on the start. Neighbour embedding on a grid needs n_components <= 3;
    with more, up to 3000 points can have this start.

    Examples
    --------
    >>> from ukrlearn import UKR, datasets, metrics
    >>> Y, t = datasets.noisy_spiral(150, noise=0.02, random_state=0)
    >>> model = UKR(n_components=1, init="isomap", max_iter=50).fit(Y)
    >>> metrics.order_recovered(model.embedding_[:, 0], t) > 0.95
    True
    >>> model.inverse_transform(model.transform(Y[:3])).shape
    (3, 2)
    """

    def __init__(
        self,
        n_components=2,
        *,
        kernel="auto",
        data_kernel=None,
        init="auto",
        homotopy="auto",
        leave_out=1,
        descent="rprop",
        max_iter=500,
        tol="auto",
        density_threshold="min",
        guidance=None,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.data_kernel = data_kernel
        self.init = init
        self.homotopy = homotopy
        self.leave_out = leave_out
        self.descent = descent
        self.max_iter = max_iter
        self.tol = tol
        self.density_threshold = density_threshold
        self.guidance = guidance
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.n_jobs = n_jobs

    # Fitting

    def _demand_memory(self, N):
        if self.data_kernel is not None:
            demand_memory_of_gram_matrix(N)
        demand_memory_of_guidance(self.guidance, N)

    def _learn(self, Y, twins, journal):
        settings = self._checked_parameters(Y)
        if self.data_kernel is None:
            space = TrainingData.of(Y)
        else:
            space = TrainingFeatures.of(Y, self.data_kernel, settings.q)
        scheme = Scheme(space, settings, journal, twins)
        try:
            scheme.minimise(self._start(scheme))
        except KeyboardInterrupt as interrupt:
            if scheme.best.step is None:
                scheme.enter(scheme.best_start_so_far())
            journal.interrupted(interrupt)
        return self._fitted(scheme)

    def _checked_parameters(self, Y) -> Settings:
        """The validated parameters for these data; ValueError or TypeError if one is not valid."""
        q = self._checked_components(Y)
        threshold = _arguments.density_threshold(self.density_threshold)
        leave_one_out, groups = _arguments.left_out(self.leave_out, len(Y))
        if not leave_one_out and not isinstance(threshold, float):
            raise ValueError(
                "leave_out=0 needs density_threshold to be a number in (0, 1): if no points are "
                "left out and the density has no bound, the error falls to zero as the latent "
                f"points move apart. Got density_threshold={self.density_threshold!r}."
            )
        if not leave_one_out and self.guidance is not None:
            raise ValueError("guidance works with leave-one-out only; got leave_out=0.")
        minimise = _arguments.descent(self.descent)
        return Settings(
            q=q,
            kernel=_arguments.density_kernel(self._kernel_for(len(Y))),
            descent=race.minimise if minimise is descent.rprop else minimise,
            max_iter=_arguments.whole_number("max_iter", self.max_iter, least=0),
            tol=_arguments.number("tol", self._tol_for(len(Y)), above=0, or_equal=True),
            threshold=threshold,
            leave_one_out=leave_one_out,
            groups=groups,
            guidance=_arguments.guidance(self.guidance),
            homotopy=_arguments.thresholds("homotopy", self.homotopy, PAPER_THRESHOLDS),
            homotopy_is_forced=not isinstance(self.homotopy, str),
            record=self.record,
            n_jobs=self.n_jobs,
        )

    def _kernel_for(self, N):
        if not _arguments.is_auto(self.kernel):
            return self.kernel
        return "gaussian" if N <= MOST_FOR_GAUSSIAN else "quartic"

    def _tol_for(self, N):
        if not _arguments.is_auto(self.tol):
            return self.tol
        if self.descent not in ("rprop", descent.rprop):
            return 1e-6
        least = LEAST_TOL_ON_A_LINE if self.n_components == 1 else LEAST_TOL
        return float(np.clip(TOL_OF_A_POINT * N, least, MOST_TOL))

    def _start(self, scheme):
        """Steps 1 to 3: the start that `init` asks for."""
        space, q = scheme.space, scheme.settings.q
        coordinates, short = space.coordinates, _arguments.is_auto(self.init)
        if short and scheme.data_vary:
            scheme.landmarks = race.landmarks(len(space.rows), seed_of(self.random_state))
            if scheme.landmarks is not None:
                coordinates = coordinates[scheme.landmarks]
        of_space = RANDOM_SPREAD, space.principal_components
        found = entrants(self, space.for_objects, coordinates, q, *of_space, short)
        return scheme.choose_start(found)

    def _fitted(self, scheme) -> dict:
        """The fitted attributes, from the best step of the scheme."""
        space, settings, X = scheme.space, scheme.settings, scheme.best.step.X
        manifold = space.manifold(X, settings.kernel)
        in_units = space.in_data_units
        journal = scheme.journal
        descended = journal.history[-1].stage.startswith("descent")
        density = manifold.density / settings.kernel.at_zero
        fixed = isinstance(settings.threshold, float)
        threshold = settings.threshold if fixed else float(settings.threshold(density))
        if density.max() < threshold:
            raise ValueError(
                f"density_threshold={self.density_threshold!r} must not exceed the greatest "
                f"p(x_n)/K(0) of the fit, {density.max():.4g}, or no point could be projected. "
                'Choose a lower threshold, or "min".'
            )
        alone = int(isolated_points(X, settings.kernel, settings.groups).sum())
        if alone and scheme.data_vary:
            warnings.warn(
                f"{alone} of {len(X)} latent points have no neighbour within the radius of the "
                f"{settings.kernel.name} kernel and are rebuilt by the mean of the other points. "
                "They may be outliers, or there may be too few data for this kernel. The gaussian "
                "kernel has no isolated points.",
                ConvergenceWarning,
                stacklevel=4,
            )
        plain_error = space.error(kernel=settings.kernel, leave_one_out=False)
        return {
            "_space": space,
            "_manifold": manifold,
            "_kernel": settings.kernel,
            "_training_rows": space.rows,
            "starts_": [
                start._replace(cv_error=in_units(start.cv_error), refined=in_units(start.refined))
                for start in scheme.starts
            ],
            "cv_error_": in_units(scheme.cv_error(X)[0]),
            "reconstruction_error_": in_units(plain_error(X)[0]),
            "n_iter_": journal.moves_of_last_stage() if descended else 0,
            "density_threshold_": threshold,
            "embedding_": X,
        }

    # Using a fitted model

    @_border.with_default_errors
    def density(self, X, /):
        """p(x) at latent positions X (M, q), (3); new data are placed where p(x) >= η K(0)."""
        check_is_fitted(self)
        return latent_density(self._checked_positions(X), self.embedding_, self._kernel)

    @_border.with_default_errors
    def penalties(self):
        """S_n of the training points, (12): how much leave-one-out penalises isolation.

        It is infinite for a point outside the reach of all others, whose density without itself is
        zero.
        """
        check_is_fitted(self)
        return penalty_factors(self.embedding_, self._kernel)

    def _place(self, Y):
        if not np.array_equal(self._manifold.X, self.embedding_):  # the user has moved points
            self._manifold = self._space.manifold(self.embedding_.copy(), self._kernel)
        return self._manifold.project(self._space.targets(Y), self.density_threshold_).x

    def _rebuild(self, X):
        return self._space.rebuild(X, self.embedding_, self._kernel)

    def _squared_distances(self, Y, x):
        return self._space.squared_distances(Y, x, self.embedding_, self._kernel)

    def _checked_data(self, Y):
        if self._is_precomputed and np.ndim(Y) == 2 and np.shape(Y)[1] != self.n_features_in_:
            raise ValueError(
                'with data_kernel="precomputed", new data must be given as their kernel values '
                f"with all {self.n_features_in_} training points, shape "
                f"(M, {self.n_features_in_}); got shape {np.shape(Y)}."
            )
        return super()._checked_data(Y)

    @property
    def _at_most_columns(self):
        return self.data_kernel is None

    @property
    def _is_precomputed(self):
        return isinstance(self.data_kernel, str) and self.data_kernel == "precomputed"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        return tags
