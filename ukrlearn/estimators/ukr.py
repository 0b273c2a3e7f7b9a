"""Unsupervised kernel regression as a scikit-learn estimator."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ukrlearn.blocks import descent
from ukrlearn.blocks.kernel_regression import latent_density
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import EmbeddingWithMaps
from ukrlearn.estimators._rows import equal_rows
from ukrlearn.estimators._starting import (
    all_in_one_place,
    entrants,
    taken_as_it_is,
    warn_of_those_left_out,
)
from ukrlearn.estimators._ukr_scheme import Scheme, Wanted
from ukrlearn.estimators._ukr_space import TrainingData, TrainingFeatures
from ukrlearn.ukr.density_constraint import relative_density
from ukrlearn.ukr.homotopy import PAPER_THRESHOLDS
from ukrlearn.ukr.reconstruction import isolated_points, penalty_factors

RANDOM_SPREAD = 0.1  # of a random start: small, so that the points still see each other, [SGD]


class UKR(EmbeddingWithMaps):
    """Unsupervised kernel regression [UKR]: latent points X whose kernel regression gives Y back.

    Y here is what scikit-learn calls X; X is the embedding.

    The model f(x) = Σ_n b_n(x) y_n (2) has no parameters but the latent points. They minimise the
    leave-one-out error R_cv (10), so that no bandwidth, neighbourhood or regulariser is left to
    choose: the scale of X is the bandwidth. Unlike most embeddings it has a way back to the data
    (`inverse_transform`), places new points (`transform`), has a density (`density`) and a
    cross-validated score (`cv_error_`); and it gives all these to the coordinates of any other
    method: ``UKR(init=TSNE(), max_iter=0)``.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    kernel : {"gaussian", "quartic", "student"} or DensityKernel
        K of latent space. "quartic" has compact support: time and memory then grow with the number
        of neighbouring pairs, which is what large N needs.
    data_kernel : None, "linear", "l1", "precomputed" or callable
        k of data space (section 3). None: data space itself. A callable gives Gram matrices,
        k(Y, Z) -> (N, M). "precomputed": fit takes the Gram matrix, transform the kernel values
        (M, N) of new with training data.
    init : str, array of shape (N, q), object, callable, or list of these
        Where to start. "auto" makes some thirty candidates (PCA, kernel PCA, LLE, Isomap, Laplacian
        eigenmaps at several neighbourhoods), scales each to its least R_cv, lets them race for some
        steps and takes the best; "pca", "kpca", "lle", "isomap", "spectral" only those. "random":
        normal with standard deviation .1, as it is; to be used with guidance. An object
        with fit_transform (TSNE(), UMAP(), ...) or a callable Y -> (N, q) is scaled as a whole. An
        array is used exactly as it is: to restart from a frame of `history_`, for example.
    homotopy : "auto", bool or decreasing sequence of numbers in (0, 1)
        Step 4 of the scheme: let the model unfold from a point under a falling density threshold.
        "auto": when a linear start won. True: the paper's thresholds.
    leave_out : int or array of shape (N,)
        How many points are left out of their own reconstruction: 1 as in the paper; k for blocks of
        k consecutive rows (series whose neighbours in time are near copies); labels for groups
        that are left out together. 0 minimises R (8), which falls to zero as points move apart:
        the constraint (9) is then needed, and `density_threshold` must be a number. It bounds the
        length of the manifold. It gives R no minimum under a Gaussian kernel, since groups of at
        least η N points may drift apart for ever; the best step within `max_iter` is kept.
    descent : {"rprop", "gradient", "l-bfgs"} or callable
        The final descent; a callable takes (objective, X0) and yields steps.
    max_iter : int
        Moves of the final descent at most. 0 keeps the start's coordinates, up to scale.
    tol : float
        The descent ends when twenty moves have lowered the error by less than this, relatively.
        0: all `max_iter` moves.
    density_threshold : "min", float in (0, 1), or percentage such as "10%"
        η: new data are projected only to where p(x) >= η K(0). "min": so that all training points
        are just inside (step 6); "10%": so that a tenth of them may be outside.
    guidance : SpectralGuidance, optional
        Lets points whose data are alike move together at first, [SGD]. Finds the order of a curve
        from a random start. With "l-bfgs" the guided moves are gradient descent's, and L-BFGS goes
        on from there.
    record : bool
        Whether `history_` keeps the latent points of each step.
    random_state : int, RandomState or None
        For starts that need random numbers (the first vectors of eigensolvers). None is 0: the same
        data give the same model.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `Step` (data centred and in units of their own scale); returning True ends
        the fit at the best step so far.
    n_jobs : int, optional
        Candidates in parallel, through joblib.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The latent points, in units of the kernel's width.
    cv_error_ : float
        R_cv, the mean over points of the squared norm of the left-out residual.
    reconstruction_error_ : float
        R (8), nothing left out.
    history_ : list of Frame
        Stage, error and (on request) latent points of each step.
    n_iter_ : int
        Moves of the final descent.
    starts_ : list of Candidate
        All starts with scale, R_cv before and after the race, notes; one is marked as chosen.
    density_threshold_ : float
        η.
    n_features_in_ : int

    Notes
    -----
    A trained latent point is not exactly the projection (19) of its data point, which knows that
    the point itself is in the model. `transform` gives rows equal to training rows their stored
    coordinates (equal rows share theirs), and projects all others; each row by itself.

    What it can't do: N is limited by N² kernel values a step, unless the kernel is compact. The
    error has many minima; `starts_` shows how much depends on the start.

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
        kernel="gaussian",
        data_kernel=None,
        init="auto",
        homotopy="auto",
        leave_out=1,
        descent="rprop",
        max_iter=500,
        tol=1e-6,
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

    def _learn(self, Y, journal):
        wanted = self._checked_parameters(Y)
        if self.data_kernel is None:
            space = TrainingData.of(Y)
        else:
            space = TrainingFeatures.of(Y, self.data_kernel, wanted.q)
        twins = None if _arguments.is_array(self.init) else equal_rows(Y)
        scheme = Scheme(space, wanted, journal, twins)
        try:
            scheme.minimise(self._start(scheme))
        except KeyboardInterrupt:
            if scheme.best.step is None:
                scheme.enter(scheme.best_start_so_far())
            journal.warn_of_interruption()
        return self._fitted(scheme)

    def _checked_parameters(self, Y) -> Wanted:
        """What the parameters mean for these data; ValueError or TypeError if they mean nothing."""
        q = self._checked_components(Y)
        threshold = _arguments.density_threshold(self.density_threshold)
        leave_one_out, groups = _arguments.left_out(self.leave_out, len(Y))
        if not leave_one_out and not isinstance(threshold, float):
            raise ValueError(
                "leave_out=0 needs density_threshold to be a number in (0, 1): without leaving "
                "points out and without a bound on the density the error falls to zero as the "
                f"latent points move apart. Got density_threshold={self.density_threshold!r}."
            )
        if not leave_one_out and self.guidance is not None:
            raise ValueError("guidance works with leave-one-out only; got leave_out=0.")
        return Wanted(
            q=q,
            kernel=_arguments.density_kernel(self.kernel),
            descent=_arguments.one_of("descent", self.descent, descent.by_name),
            max_iter=_arguments.whole_number("max_iter", self.max_iter, least=0),
            tol=_arguments.number("tol", self.tol, above=0, or_equal=True),
            threshold=threshold,
            leave_one_out=leave_one_out,
            groups=groups,
            guidance=_arguments.guidance(self.guidance),
            homotopy=_arguments.thresholds("homotopy", self.homotopy, PAPER_THRESHOLDS),
            homotopy_asked_for=not isinstance(self.homotopy, str),
            record=self.record,
            n_jobs=self.n_jobs,
        )

    def _start(self, scheme):
        """Steps 1 to 3: what `init` stands for."""
        space = scheme.space
        shape = len(space.rows), scheme.wanted.q
        taken = taken_as_it_is(self, shape, RANDOM_SPREAD)
        if taken is not None:
            return scheme.take_as_it_is(*taken)
        if not scheme.data_vary:
            scheme.starts = [all_in_one_place(shape)]
            return scheme.starts[0].X
        found, scheme.starts = entrants(
            self.init,
            space.for_objects,
            space.coordinates,
            shape,
            self.random_state,
            space.principal_components,
        )
        warn_of_those_left_out(scheme.starts, len(space.rows))
        return scheme.choose_start(found)

    def _fitted(self, scheme) -> dict:
        """The attributes of the model, from the best step of the scheme."""
        space, wanted, X = scheme.space, scheme.wanted, scheme.best.step.X
        in_units = space.in_data_units
        journal = scheme.journal
        descended = journal.history[-1].stage.startswith("descent")
        density = relative_density(X, wanted.kernel)
        fixed = isinstance(wanted.threshold, float)
        threshold = wanted.threshold if fixed else float(wanted.threshold(density))
        if density.max() < threshold:
            raise ValueError(
                f"density_threshold={self.density_threshold!r} must not exceed the greatest "
                f"p(x_n)/K(0) of the fit, {density.max():.4g}: no point could be projected. "
                'Choose a lower one, or "min".'
            )
        alone = int(isolated_points(X, wanted.kernel, wanted.groups).sum())
        if alone and scheme.data_vary:
            warnings.warn(
                f"{alone} of {len(X)} latent points see no other within the radius of the "
                f"{wanted.kernel.name} kernel; they are rebuilt by the mean of the others. "
                "Outliers, or too little data for this kernel: the gaussian has no such points.",
                ConvergenceWarning,
                stacklevel=4,
            )
        plain_error = space.error(kernel=wanted.kernel, leave_one_out=False)
        return {
            "_space": space,
            "_kernel": wanted.kernel,
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

    def density(self, X, /):
        """p(x) at latent positions X (M, q), (3); new data go only where it is at least η K(0)."""
        check_is_fitted(self)
        return latent_density(self._checked_positions(X), self.embedding_, self._kernel)

    def penalties(self):
        """S_n of the training points, (12): what leave-one-out charges each for its isolation."""
        check_is_fitted(self)
        return penalty_factors(self.embedding_, self._kernel)

    def _place(self, Y):
        return self._space.place(Y, self.embedding_, self._kernel, self.density_threshold_)

    def _rebuild(self, X):
        return self._space.rebuild(X, self.embedding_, self._kernel)

    def _squared_distances(self, Y, x):
        return self._space.squared_distances(Y, x, self.embedding_, self._kernel)

    def _checked_data(self, Y):
        if self._is_precomputed and np.ndim(Y) == 2 and np.shape(Y)[1] != self.n_features_in_:
            raise ValueError(
                'with data_kernel="precomputed", new data come as their kernel values with all '
                f"{self.n_features_in_} training points, shape (M, {self.n_features_in_}); got "
                f"shape {np.shape(Y)}."
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
