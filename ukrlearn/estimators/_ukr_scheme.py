"""The learning scheme of [UKR] 2.3, with a method for each step."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ukrlearn.blocks import descent, race, sharing, starts, student_embedding
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.descent import Best, Objective
from ukrlearn.blocks.guided import guide_descent
from ukrlearn.blocks.race import LANDMARKS
from ukrlearn.blocks.scales import best_scale, normalised, some_points
from ukrlearn.estimators._journal import Frame, Journal
from ukrlearn.estimators._ukr_space import TrainingData, TrainingFeatures, mean_squared_residual
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import back_into_feasible_set
from ukrlearn.ukr.projection import project

# Moves of a stage of the homotopy if nobody asked for it. The irises often need it: in two draws,
# 100 moves a stage took twice the time of 30 and led to the same error.
FEW_MOVES = 30
# A descent that ends while the error still falls by this fraction or more over twenty moves is in
# single precision, which has seven digits. Its result is not.
ROUGH = 1e-5


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

    def objective(self, rough=False) -> Objective:
        """The objective of the final descent."""
        settings = self.settings
        return self.space.error(
            rough,
            kernel=settings.kernel,
            leave_one_out=settings.leave_one_out,
            groups=settings.groups,
        )

    # Steps 1 to 3: the start

    def choose_start(self, entrants):
        """The winner of a race that the landmarks run, extended to all points."""
        settings, space, groups = self.settings, self.space, self.settings.groups
        some = self.landmarks
        if some is not None:
            space, groups = space.some(some), None if groups is None else groups[some]
        Y = space.coordinates
        scaled = race.scaled(
            entrants,
            (len(Y), settings.q),
            self._rough_error(Y, groups),
            settings.kernel,
            settings.n_jobs,
        )
        for candidate in self.journal.bar(scaled, len(entrants), "starts"):
            self.starts.append(candidate)
        exact, rough = (
            space.error(rough, kernel=settings.kernel, leave_one_out=True, groups=groups)
            for rough in (False, True)
        )
        steps = race.ROUND if settings.max_iter else 0
        self.starts, X = race.race(self.starts, exact, rough, settings.n_jobs, steps)
        return X if some is None else self._extended(X)

    def _extended(self, X_of_landmarks):
        """Coordinates of all points, at their best scale: more points bear a narrower kernel.

        The time of neighbour embedding grows with N only, so all points are embedded anew where it
        won. Otherwise those that are no landmarks are projected, by a few moves.
        """
        Y, chosen, settings = self.space.coordinates, self.landmarks, self.settings
        (winner,) = (start for start in self.starts if start.chosen)
        if winner.family == "neighbours" and student_embedding.affordable(len(Y), settings.q):
            X = starts.neighbor_embedding(Y, settings.q)
        else:
            others = np.setdiff1d(np.arange(len(Y)), chosen)
            X = np.empty((len(Y), settings.q))
            X[chosen] = X_of_landmarks
            X[others] = project(Y[others], X_of_landmarks, Y[chosen], settings.kernel, max_iter=5).x
        X = normalised(X, per_axis=False)
        error, few = self._rough_error(Y, settings.groups), some_points(len(Y), about=100)
        return X * best_scale(X, error, settings.kernel, per_axis=False, points=few).scale

    def _rough_error(self, Y, groups):
        """R_cv estimated on about 100 of the points, for the search for a scale."""
        return partial(
            mean_squared_residual,
            Y=Y,
            kernel=self.settings.kernel,
            groups=groups,
            points=some_points(len(Y), about=100),
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
            exact = descent.step_at(self.objective(), self.best.step.X)
            self.best.step = min(start, exact, key=lambda step: step.error)

    def enter(self, X):
        """Record the first step, at a start that satisfies the constraints."""
        X = self._allowed(X)
        return self._follow("start", self.best.of([descent.step_at(self.objective(), X)]), 0)

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
                there = descent.step_at(self.objective(), X)
                self.best.step = min(self.best.step, there, key=lambda step: step.error)
        return X, going_on

    def descend(self, X, start):
        """Step 5; repeated from the start itself if the homotopy led to a worse result."""
        settings = self.settings
        minimise, guided_moves = self._guided_descent()
        objective = self.objective(rough=settings.tol >= ROUGH)
        stage, going_on = "descent", True
        while going_on:
            steps = descent.at_most(minimise(objective, X.copy()), settings.max_iter)
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
        return linear_start_won and len(self.space.rows) <= LANDMARKS

    def _through_the_stages(self, X, reached):
        """Whether to go on after all stages; `reached` gets the best step of the last stage."""
        settings = self.settings
        moves = homotopy.STEPS_PER_STAGE if settings.homotopy_is_forced else FEW_MOVES
        to_follow = self.cv_error, X, settings.kernel, settings.homotopy, moves
        stages = homotopy.homotopy_stages(*to_follow)
        for threshold, steps in stages:
            reached.step = None  # errors of two stages cannot be compared
            steps = reached.of(steps)
            if not self._follow(f"eta={threshold:g}", steps, moves):
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
