"""The learning scheme of [UKR] 2.3, with a method for each step."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ukrlearn.blocks import descent, sharing, starts, student_embedding
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.descent import Best, Objective
from ukrlearn.blocks.guided import guide_descent
from ukrlearn.blocks.starts import Candidate
from ukrlearn.estimators._journal import Frame, Journal
from ukrlearn.estimators._ukr_space import TrainingData, TrainingFeatures, mean_squared_residual
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import back_into_feasible_set
from ukrlearn.ukr.projection import project
from ukrlearn.ukr.reconstruction import reconstruction_error

MOST_IN_DOUBLE = 4000  # points; for more, the descent is in single precision, the result is not


@dataclass(frozen=True)
class Settings:
    """The parameters of UKR after validation, with strings replaced by objects."""

    q: int
    kernel: DensityKernel
    descent: Callable
    max_iter: int
    tol: float
    threshold: float | Callable  # η, or a function of the training points' densities
    leave_one_out: bool
    groups: np.ndarray | None  # labels of points that are left out together
    guidance: SpectralGuidance | None
    homotopy: tuple | None  # falling thresholds
    homotopy_is_forced: bool  # whether it runs even if no linear start won
    record: bool
    n_jobs: int | None


@dataclass
class Scheme:
    """The state of one fit: its objective, its start, and the best step so far."""

    space: TrainingData | TrainingFeatures
    settings: Settings
    journal: Journal
    twins: np.ndarray | None  # labels of rows that must share one position
    starts: list = field(default_factory=list)
    landmarks: np.ndarray | None = None  # the points that ran the race, if not all did
    best: Best = field(default_factory=Best)

    @property
    def data_vary(self) -> bool:
        return bool(np.ptp(self.space.coordinates, axis=0).any())

    @property
    def cv_error(self) -> Objective:
        """R_cv, which compares starts and is minimised by the homotopy."""
        settings = self.settings
        return self.space.error(kernel=settings.kernel, leave_one_out=True, groups=settings.groups)

    @property
    def objective(self) -> Objective:
        """The objective of the final descent."""
        settings = self.settings
        return self.space.error(
            rough=len(self.space.rows) > MOST_IN_DOUBLE,
            kernel=settings.kernel,
            leave_one_out=settings.leave_one_out,
            groups=settings.groups,
        )

    # Steps 1 to 3: the start

    def take_start(self, name, X):
        """Take the user's coordinates, or random ones, without comparing or scaling them."""
        error = self.cv_error(X)[0]
        self.starts = [Candidate(name, X, np.ones(X.shape[1]), error, error, chosen=True)]
        return X

    def choose_start(self, entrants):
        """The winner of a race in which all points take part."""
        Y, groups = self.space.coordinates, self.settings.groups
        points, lengths = starts.some_points(len(Y)), starts.race_lengths(len(Y))
        return self._race(entrants, Y, groups, self.cv_error, points, lengths)

    def choose_start_on_landmarks(self, seed):
        """The winner of a short race, run by some points and then extended to all points."""
        Y, groups, q = self.space.coordinates, self.settings.groups, self.settings.q
        self.landmarks = starts.landmarks(len(Y), seed)
        Y = Y[self.landmarks]
        groups = None if groups is None else groups[self.landmarks]
        error = partial(reconstruction_error, Y=Y, kernel=self.settings.kernel, groups=groups)
        entrants, points = starts.short_list(Y, q, seed), starts.some_points(len(Y), about=250)
        X = self._race(entrants, Y, groups, error, points, starts.SHORT_RACE)
        (winner,) = (start for start in self.starts if start.chosen)
        N = len(self.space.rows)
        if winner.family == "neighbours" and len(Y) < N and student_embedding.affordable(N, q):
            return self._neighbor_embedding()
        return self._extended(X)

    def _race(self, entrants, Y, groups, error, points, lengths):
        settings = self.settings
        scaled = starts.scaled_candidates(
            entrants,
            (len(Y), settings.q),
            self._rough_error(Y, groups, starts.some_points(len(Y))),
            settings.kernel,
            points,
            settings.n_jobs,
        )
        for candidate in self.journal.bar(scaled, len(entrants), "starts"):
            self.starts.append(candidate)
        self.starts, X = starts.race(
            self.starts,
            error,
            *(lengths if settings.max_iter else (0, 0, 0)),
            n_jobs=settings.n_jobs,
            minimise=starts.rprop_for(len(self.space.rows)),
        )
        return X

    def _neighbor_embedding(self):
        """Neighbour embedding of all points, at its best scale: its time grows with N only."""
        X = starts.neighbor_embedding(self.space.coordinates, self.settings.q)
        X = starts.normalised(X, per_axis=False)
        few = starts.some_points(len(X), about=50)
        return self._at_its_scale(X, starts.likely_scale(X, self.settings.kernel, few))

    def _extended(self, X_of_landmarks):
        """Coordinates of all points: those that are no landmarks are projected, by a few moves."""
        Y, chosen = self.space.coordinates, self.landmarks
        if len(chosen) == len(Y):
            return X_of_landmarks
        others = np.setdiff1d(np.arange(len(Y)), chosen)
        X = np.empty((len(Y), self.settings.q))
        X[chosen] = X_of_landmarks
        X[others] = project(
            Y[others], X_of_landmarks, Y[chosen], self.settings.kernel, max_iter=5
        ).x
        return self._at_its_scale(X, 1.0)  # or a larger one: more points bear a narrower kernel

    def _at_its_scale(self, X, first):
        few = starts.some_points(len(X), about=100)
        error = self._rough_error(self.space.coordinates, self.settings.groups, few)
        return X * starts.scale_of_many(X, error, first)

    def _rough_error(self, Y, groups, points):
        return partial(
            mean_squared_residual,
            Y=Y,
            kernel=self.settings.kernel,
            groups=groups,
            points=points,
        )

    def best_start_so_far(self):
        """The best candidate found before Ctrl-C; KeyboardInterrupt if none is ready."""
        ready = [k for k, candidate in enumerate(self.starts) if candidate.X is not None]
        if not ready:
            raise KeyboardInterrupt
        best = min(ready, key=lambda k: self.starts[k].cv_error)
        self.starts = [c._replace(chosen=k == best) for k, c in enumerate(self.starts)]
        X = self.starts[best].X
        return X if self.landmarks is None else self._extended(X)

    # Steps 4 and 5: the descent

    def minimise(self, X):
        """Run from the start to the model; `best` always holds the best step so far."""
        going_on = self.enter(X)
        if going_on and self.settings.max_iter:
            start = self.best.step
            X, going_on = self.unfold(start.X)
            if going_on:
                self.descend(X, start)

    def enter(self, X):
        """Record the first step, at a start that satisfies the constraints."""
        X = self._allowed(X)
        return self._follow("start", self.best.of([descent.step_at(self.objective, X)]), 0)

    def unfold(self, X):
        """Step 4, the homotopy, if it is needed: its result, and whether to go on."""
        if not self._needs_homotopy():
            return X, True
        reached = Best()
        try:
            going_on = self._through_the_stages(X, reached)
        finally:  # keep the result after Ctrl-C too, with its error by the objective itself
            if reached.step is not None:
                X = self._allowed(reached.step.X)
                there = descent.step_at(self.objective, X)
                self.best.step = min(self.best.step, there, key=lambda step: step.error)
        return X, going_on

    def descend(self, X, start):
        """Step 5; repeated from the start itself if the homotopy led to a worse result."""
        settings = self.settings
        minimise, guided_moves = self._guided_descent()
        stage, going_on = "descent", True
        while going_on:
            steps = descent.at_most(minimise(self.objective, X.copy()), settings.max_iter)
            steps = self.best.of(descent.until_flat(steps, settings.tol, unjudged=guided_moves))
            going_on = self._follow(stage, steps, settings.max_iter)
            if self.best.step is not start or X is start.X:
                return
            X, stage = start.X, "descent again"

    def _needs_homotopy(self):
        settings = self.settings
        if settings.homotopy is None or settings.homotopy_is_forced:
            return settings.homotopy is not None
        linear_start_won = any(start.chosen and start.linear for start in self.starts)
        return linear_start_won and len(self.space.rows) <= starts.LANDMARKS

    def _through_the_stages(self, X, reached):
        """Whether to go on after all stages; `reached` gets the best step of the last stage."""
        settings = self.settings
        stages = homotopy.homotopy_stages(self.cv_error, X, settings.kernel, settings.homotopy)
        for threshold, steps in stages:
            reached.step = None  # errors of two stages cannot be compared
            steps = reached.of(steps)
            if not self._follow(f"eta={threshold:g}", steps, homotopy.STEPS_PER_STAGE):
                return False
        return True

    def _guided_descent(self):
        """The final descent with its constraint and guidance, and the number of guided moves."""
        settings = self.settings
        if settings.guidance is not None and self.data_vary:
            of_data = self.space.for_guidance, settings.q, self.twins
            return guide_descent(settings.guidance, settings.descent, *of_data)
        minimise = sharing.together(settings.descent, self.twins)
        if not settings.leave_one_out:
            domain = dict(threshold=settings.threshold, kernel=settings.kernel)
            minimise = partial(homotopy.descend_inside, minimise, **domain)
        return minimise, 0

    def _allowed(self, X):
        """X with one position for equal rows of data, and feasible if η is a constraint."""
        X = sharing.group_means(X, self.twins)
        if self.settings.leave_one_out:
            return X
        return back_into_feasible_set(X, self.settings.threshold, self.settings.kernel)

    def _follow(self, stage, steps, moves):
        def frame(step):
            error = self.space.in_data_units(step.error)
            return Frame(stage, error, step.X.copy() if self.settings.record else None)

        return self.journal.follow(stage, steps, moves, frame)
