"""Unsupervised kernel regression as a scikit-learn estimator."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from ukrlearn.blocks import descent, guided, mercer_kernels, sharing, starts
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.descent import Objective, Step
from ukrlearn.blocks.kernel_regression import latent_density, predict, weights
from ukrlearn.blocks.starts import Candidate
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._following import follow, moves_of_last_stage, with_bar
from ukrlearn.estimators._starting import (
    entrants,
    equal_rows,
    in_words,
    mean_squared_residual,
    rows_in,
)
from ukrlearn.sgd.guidance import SpectralGuidance
from ukrlearn.ukr import homotopy, projection
from ukrlearn.ukr.density_constraint import back_into_feasible_set, relative_density
from ukrlearn.ukr.reconstruction import (
    isolated_points,
    penalty_factors,
    reconstruction_error,
    reconstruction_error_gram,
)

RANDOM_SPREAD = 0.1  # of a random start: small, so that the points still see each other, [SGD]
FAR = 1e6  # times the size of the data: from there on new data count by their direction only


class UKR(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
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
        that are left out together. 0 minimises R (8), which has no minimum by itself: the
        constraint (9) is then needed, and `density_threshold` must be a number.
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

    def fit(self, Y, /, y=None):
        """Learn the latent points of Y (N, d); y is ignored.

        Ctrl-C leaves a fitted model at the best step so far, with a warning.
        """
        if self.__sklearn_is_fitted__():
            del self.embedding_  # should this fit fail, no mixture of two models remains
        Y = validate_data(self, Y, dtype=np.float64, ensure_min_samples=2)
        wanted = self._checked_parameters(Y)
        problem = self._problem(Y, wanted)
        self.history_, self.starts_ = [], []
        best = descent.Best()
        try:
            X = self._start(Y, problem, wanted)
            self._minimise(X, problem, wanted, best)
        except KeyboardInterrupt:
            if best.step is None:
                self._minimise(self._start_at_hand(), problem, replace(wanted, max_iter=0), best)
            warnings.warn(
                f"The fit was interrupted after {len(self.history_)} steps; the model is the best "
                "seen until then.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self._remember(best.step.X, problem, wanted)
        return self

    def fit_transform(self, Y, /, y=None):
        """`fit(Y).embedding_`."""
        return self.fit(Y).embedding_

    def _checked_parameters(self, Y):
        """What the parameters mean for these data; ValueError or TypeError if they mean nothing."""
        N, d = Y.shape
        q = _arguments.whole_number("n_components", self.n_components, least=1)
        if self.data_kernel is None and q > d:
            raise ValueError(
                f"n_components={q} must be at most the {d} columns of Y (n_features={d})."
            )
        if q >= N:
            raise ValueError(f"n_components={q} must be less than the {N} points (n_samples={N}).")
        threshold = _arguments.density_threshold(self.density_threshold)
        leave_one_out, groups = _arguments.left_out(self.leave_out, N)
        if not leave_one_out and not isinstance(threshold, float):
            raise ValueError(
                "leave_out=0 needs density_threshold to be a number in (0, 1): without leaving "
                "points out and without a bound on the density the error falls to zero as the "
                f"latent points move apart. Got density_threshold={self.density_threshold!r}."
            )
        if not leave_one_out and self.guidance is not None:
            raise ValueError("guidance works with leave-one-out only; got leave_out=0.")
        _arguments.demand_callback(self.callback)
        return _Wanted(
            q=q,
            kernel=_arguments.density_kernel(self.kernel),
            descent=_arguments.one_of("descent", self.descent, descent.by_name),
            max_iter=_arguments.whole_number("max_iter", self.max_iter, least=0),
            tol=_arguments.number("tol", self.tol, above=0, or_equal=True),
            threshold=threshold,
            leave_one_out=leave_one_out,
            groups=groups,
            guidance=_arguments.guidance(self.guidance),
            homotopy=_arguments.thresholds("homotopy", self.homotopy, homotopy.PAPER_THRESHOLDS),
        )

    def _problem(self, Y, wanted):
        """Objectives and coordinates of these data; stores what the model is made of."""
        self._training_rows, self._kernel = Y, wanted.kernel
        _arguments.demand_representable(Y)
        if self.data_kernel is None:
            self._offset = Y.mean(axis=0)
            self._unit = starts.power_of_two(Y - self._offset)
            coordinates = self._Y = (Y - self._offset) / self._unit
            objective = partial(reconstruction_error, Y=coordinates, kernel=wanted.kernel)
        else:
            G = self._gram_matrix(Y)
            variance = np.trace(mercer_kernels.centred(G)) / len(G)
            self._unit = np.sqrt(starts.power_of_two(variance))
            self._G = G / self._unit**2
            coordinates = starts.feature_coordinates(self._G, at_least=wanted.q)
            objective = partial(reconstruction_error_gram, G=self._G, kernel=wanted.kernel)
        points = starts.some_points(len(Y))
        return _Problem(
            coordinates=coordinates,
            objective=partial(objective, leave_one_out=wanted.leave_one_out, groups=wanted.groups),
            cv_error=partial(objective, leave_one_out=True, groups=wanted.groups),
            plain_error=partial(objective, leave_one_out=False),
            rough_cv_error=partial(
                mean_squared_residual,
                Y=coordinates,
                kernel=wanted.kernel,
                groups=wanted.groups,
                points=points,
            ),
            points=points,
            twins=equal_rows(Y),
        )

    def _gram_matrix(self, Y):
        if self._is_precomputed:
            G = Y
        else:
            # Errors do not feel where the built-in kernels have their origin; digits do.
            self._offset = Y.mean(axis=0) if isinstance(self.data_kernel, str) else 0.0
            G = self._kernel_values(Y, Y)
        _arguments.demand_gram_matrix(G)
        return (G + G.T) / 2

    def _kernel_values(self, Y, Z):
        k = _arguments.one_of("data_kernel", self.data_kernel, mercer_kernels.by_name)
        values = k(Y - self._offset, Z - self._offset)
        return check_array(values, dtype=np.float64, input_name="the Gram matrix")

    @property
    def _is_precomputed(self):
        return isinstance(self.data_kernel, str) and self.data_kernel == "precomputed"

    def _start(self, Y, problem, wanted):
        """Steps 1 to 3: candidates, scales, the best one. Fills `starts_`."""
        shape = len(Y), wanted.q
        if _arguments.is_array(self.init):
            X = _arguments.latent_points("init", self.init, shape)
            return self._taken_as_it_is("given", X, problem)
        if isinstance(self.init, str) and self.init == "random":
            X = starts.random(shape, RANDOM_SPREAD, self.random_state)
            return self._taken_as_it_is("random", X, problem)
        if not problem.varies:
            X = np.zeros(shape)  # the mean rebuilds everything
            self.starts_ = [Candidate("all points equal", X, np.ones(wanted.q), 0.0, chosen=True)]
            return X
        runners, left_out = self._entrants(Y, problem, shape)
        if left_out:
            warnings.warn(in_words(left_out, len(Y)), UserWarning, stacklevel=3)
        self.starts_ += left_out
        scaled = starts.scaled_candidates(
            runners, shape, problem.rough_cv_error, wanted.kernel, problem.points, self.n_jobs
        )
        for candidate in with_bar(self, scaled, len(runners), "starts"):
            self.starts_.append(candidate)
        lengths = starts.race_lengths(len(Y)) if wanted.max_iter else (0, 0, 0)
        self.starts_, X = starts.race(self.starts_, problem.cv_error, *lengths, n_jobs=self.n_jobs)
        return X

    def _taken_as_it_is(self, name, X, problem):
        error = problem.cv_error(X)[0]
        self.starts_ = [Candidate(name, X, np.ones(X.shape[1]), error, error, chosen=True)]
        return X

    def _entrants(self, Y, problem, shape):
        """The starts that `init` stands for, and those of "auto" that are left out."""
        data = Y if self.data_kernel is None else problem.coordinates
        found, left_out = entrants(self.init, data, problem.coordinates, shape, self.random_state)
        if self.data_kernel is not None:
            found = [e._replace(name="KPCA") if e.name == "PCA" else e for e in found]
        return found, left_out

    def _start_at_hand(self):
        """The best candidate so far, when there was no time for more; or the interruption."""
        ready = [k for k, candidate in enumerate(self.starts_) if candidate.X is not None]
        if not ready:
            raise KeyboardInterrupt
        best = min(ready, key=lambda k: self.starts_[k].cv_error)
        self.starts_ = [c._replace(chosen=k == best) for k, c in enumerate(self.starts_)]
        return self.starts_[best].X

    def _minimise(self, X, problem, wanted, best):
        """Steps 4 and 5: homotopy if wanted, then the descent. The best step goes to `best`."""
        objective, minimise = problem.objective, wanted.descent
        if not wanted.leave_one_out:
            domain = dict(threshold=wanted.threshold, kernel=wanted.kernel)
            X = back_into_feasible_set(X, **domain)
            minimise = partial(homotopy.descend_inside, minimise, **domain)
        twins = None if _arguments.is_array(self.init) else problem.twins
        if twins is not None:
            X = sharing.group_means(X, twins)
            objective = sharing.share_positions(objective, twins)
        guided_moves = 0
        if wanted.guidance is not None and problem.varies and wanted.max_iter:
            minimise, guided_moves = guided.guide_descent(
                wanted.guidance, minimise, self._data_for_guidance(problem), wanted.q, twins
            )
        start = Step(X, *objective(X))
        going_on = self._follow("start", best.of([start]), 0)
        if not (going_on and wanted.max_iter):
            return
        asked = not isinstance(self.homotopy, str)
        if wanted.homotopy is not None and (asked or self._linear_start_won()):
            reached = descent.Best()
            try:
                going_on = self._unfold(X, problem, wanted, reached)
            finally:  # Ctrl-C as well leaves what was reached, judged by the objective itself
                if reached.step is not None:
                    X = reached.step.X
                    X = sharing.group_means(X, problem.twins) if problem.twins is not None else X
                    if not wanted.leave_one_out:
                        X = back_into_feasible_set(X, **domain)
                    best.step = min(best.step, Step(X, *objective(X)), key=lambda step: step.error)
        stage = "descent"
        while going_on:
            steps = descent.at_most(minimise(objective, X), wanted.max_iter)
            steps = best.of(descent.until_flat(steps, wanted.tol, unjudged=guided_moves))
            going_on = self._follow(stage, steps, wanted.max_iter)
            # Rarely the homotopy leads to a worse place than where it was taken up.
            if best.step is not start or X is start.X:
                return
            X, stage = start.X, "descent again"

    def _data_for_guidance(self, problem):
        """Points whose distances are those of the data, or of their images in feature space."""
        if self.data_kernel is None:
            return self._training_rows
        return problem.coordinates * self._unit

    def _linear_start_won(self):
        return any(candidate.chosen and candidate.is_linear for candidate in self.starts_)

    def _unfold(self, X, problem, wanted, reached):
        """The homotopy; whether to go on. The best step of its last stage goes to `reached`."""
        stages = homotopy.homotopy_stages(problem.cv_error, X, wanted.kernel, wanted.homotopy)
        for threshold, steps in stages:
            reached.step = None  # errors of two stages cannot be compared
            steps = reached.of(steps)
            if not self._follow(f"eta={threshold:g}", steps, homotopy.STEPS_PER_STAGE):
                return False
        return True

    def _follow(self, stage, steps, moves):
        return follow(self, stage, steps, moves, self._in_data_units)

    def _remember(self, X, problem, wanted):
        """The fitted model, from its latent points."""
        kernel = wanted.kernel
        self.starts_ = [
            start._replace(
                cv_error=self._in_data_units(start.cv_error),
                refined=self._in_data_units(start.refined),
            )
            for start in self.starts_
        ]
        self.cv_error_ = self._in_data_units(problem.cv_error(X)[0])
        self.reconstruction_error_ = self._in_data_units(problem.plain_error(X)[0])
        descended = self.history_[-1].stage.startswith("descent")
        self.n_iter_ = moves_of_last_stage(self) if descended else 0
        density = relative_density(X, kernel)
        fixed = isinstance(wanted.threshold, float)
        self.density_threshold_ = wanted.threshold if fixed else float(wanted.threshold(density))
        if density.max() < self.density_threshold_:
            raise ValueError(
                f"density_threshold={self.density_threshold!r} must not exceed the greatest "
                f"p(x_n)/K(0) of the fit, {density.max():.4g}: no point could be projected. "
                'Choose a lower one, or "min".'
            )
        alone = int(isolated_points(X, kernel, wanted.groups).sum())
        if alone and problem.varies:
            warnings.warn(
                f"{alone} of {len(X)} latent points see no other within the radius of the "
                f"{kernel.name} kernel; they are rebuilt by the mean of the others. Outliers, or "
                "too little data for this kernel: the gaussian has no such points.",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.embedding_ = X

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")  # the last attribute that fit sets

    # Using a fitted model

    def transform(self, Y, /):
        """Latent coordinates (M, q): stored ones for training rows, projections (19) for others."""
        check_is_fitted(self)
        return self._projected(self._checked_data(Y))

    def inverse_transform(self, X, /):
        """f(X): data (M, d) at latent positions X (M, q), (2).

        With a data kernel the manifold lies in feature space, and its points need not have a
        preimage; this is then the weighted mean of the data, which for "linear" is exact.
        """
        check_is_fitted(self)
        X = self._checked_positions(X)
        if self._is_precomputed:
            raise ValueError(
                'inverse_transform needs data; with data_kernel="precomputed" the model knows '
                "inner products only. Use ukrlearn.kernel_regression.predict(X, model.embedding_, "
                "Y) with your data Y."
            )
        if self.data_kernel is None:
            return predict(X, self.embedding_, self._Y, self._kernel) * self._unit + self._offset
        return predict(X, self.embedding_, self._training_rows, self._kernel)

    def density(self, X, /):
        """p(x) at latent positions X (M, q), (3); new data go only where it is at least η K(0)."""
        check_is_fitted(self)
        return latent_density(self._checked_positions(X), self.embedding_, self._kernel)

    def penalties(self):
        """S_n of the training points, (12): what leave-one-out charges each for its isolation."""
        check_is_fitted(self)
        return penalty_factors(self.embedding_, self._kernel)

    def score(self, Y, /, y=None):
        """Minus the mean squared distance of Y to the manifold at `transform(Y)`; y is ignored.

        Larger is better, so that GridSearchCV works. For training rows this is the error at their
        stored coordinates, which flatters the model: score new data, or use `cv_error_`.
        """
        check_is_fitted(self)
        if self._is_precomputed:
            raise ValueError(
                'score needs k(y, y), which data_kernel="precomputed" does not hold. Pass the '
                "kernel as a callable, or use cv_error_."
            )
        Y = self._checked_data(Y)
        return -float(self._squared_distances(Y, self._projected(Y)).mean())

    def _projected(self, Y):
        """Latent coordinates of all rows, with those of training rows as they were learnt."""
        stored = rows_in(self._training_rows, Y)
        x, new = self.embedding_[stored], stored < 0
        if new.any():
            model = self.embedding_, self._kernel, self.density_threshold_
            x[new] = self._project(Y[new], *model).x
        return x

    def _project(self, Y, X, kernel, threshold):
        if self.data_kernel is None:
            return projection.project(self._in_units(Y), X, self._Y, kernel, threshold)
        return projection.project_gram(*self._similarities(Y), X, self._G, kernel, threshold)

    def _squared_distances(self, Y, x):
        """|y_m - f(x_m)|² for each pair of rows."""
        if self.data_kernel is None:
            f = predict(x, self.embedding_, self._Y, self._kernel) * self._unit
            return np.sum((Y - self._offset - f) ** 2, axis=1)
        with_all, with_itself = self._similarities(Y)
        B = weights(x, self.embedding_, self._kernel)
        squares = np.vecdot(B @ self._G - 2 * with_all, B) + with_itself
        return squares * self._unit**2

    def _in_data_units(self, error):
        return float(max(error, 0) * self._unit**2)  # of a Gram matrix, rounding may fall below 0

    def _in_units(self, Y):
        """New data in the units of the fit; what is very far away comes nearer, along its ray.

        There only the direction matters any more, and nearer by it keeps its digits.
        """
        Y = Y - self._offset
        size = np.abs(Y).max(axis=1, keepdims=True)
        return Y / np.maximum(self._unit, size / FAR)

    def _similarities(self, Y):
        """k(y, y_n) and k(y, y), in the units of the fit. The latter are unknown if precomputed."""
        if self._is_precomputed:
            with_all, with_itself = Y, np.zeros(len(Y))
        else:
            with_all = self._kernel_values(Y, self._training_rows)
            with_itself = np.array([self._kernel_values(y, y)[0, 0] for y in Y[:, None]])
        with np.errstate(over="ignore"):
            in_units = with_all / self._unit**2, with_itself / self._unit**2
        for values in in_units:
            _arguments.demand_representable(
                values, "k(new, training) / variance", "Leave out new data that far away."
            )
        return in_units

    def _checked_data(self, Y):
        if self._is_precomputed and np.ndim(Y) == 2 and np.shape(Y)[1] != self.n_features_in_:
            raise ValueError(
                'with data_kernel="precomputed", new data come as their kernel values with all '
                f"{self.n_features_in_} training points, shape (M, {self.n_features_in_}); got "
                f"shape {np.shape(Y)}."
            )
        Y = validate_data(self, Y, reset=False, dtype=np.float64)
        _arguments.demand_representable(Y)
        return Y

    def _checked_positions(self, X):
        X = check_array(X, dtype=np.float64, input_name="X")
        q = self.embedding_.shape[1]
        if X.shape[1] != q:
            raise ValueError(
                f"X must hold latent positions with n_components={q} columns; got shape {X.shape}."
            )
        _arguments.demand_representable(X, "X")
        return X

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        return tags


@dataclass(frozen=True)
class _Wanted:
    """The parameters, as objects."""

    q: int
    kernel: DensityKernel
    descent: Callable
    max_iter: int
    tol: float
    threshold: float | Callable  # η, or a function of the training points' densities
    leave_one_out: bool
    groups: np.ndarray | None
    guidance: SpectralGuidance | None
    homotopy: tuple | None


@dataclass(frozen=True)
class _Problem:
    """What is minimised for the data of a fit, in units of their own scale."""

    coordinates: np.ndarray  # the data, or points of feature space, for the starts
    objective: Objective
    cv_error: Objective
    plain_error: Objective
    rough_cv_error: Callable[[np.ndarray], float]  # for the search of the scale
    points: np.ndarray | None  # the points that this looks at
    twins: np.ndarray | None  # labels of equal rows, if there are any

    @property
    def varies(self) -> bool:
        return bool(np.ptp(self.coordinates, axis=0).any())
