"""How UKR learns: the scheme of [UKR] 2.3, a method for each of its steps."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ukrlearn.blocks import descent, sharing, starts
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.descent import Best, Objective, Step
from ukrlearn.blocks.guided import guide_descent
from ukrlearn.blocks.starts import Candidate
from ukrlearn.estimators._journal import Frame, Journal
from ukrlearn.estimators._starting import mean_squared_residual
from ukrlearn.estimators._ukr_space import TrainingData, TrainingFeatures
from ukrlearn.estimators.guidance import SpectralGuidance
from ukrlearn.ukr import homotopy
from ukrlearn.ukr.density_constraint import back_into_feasible_set


@dataclass(frozen=True)
class Wanted:
    """The parameters of UKR, as objects."""

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
    homotopy_asked_for: bool  # whatever start won
    record: bool
    n_jobs: int | None


@dataclass
class Scheme:
    """One fit: what it minimises, and how far it has come."""

    space: TrainingData | TrainingFeatures
    wanted: Wanted
    journal: Journal
    twins: np.ndarray | None  # labels of rows that must share one position
    starts: list = field(default_factory=list)
    best: Best = field(default_factory=Best)

    @property
    def data_vary(self) -> bool:
        return bool(np.ptp(self.space.coordinates, axis=0).any())

    @property
    def cv_error(self) -> Objective:
        """R_cv, by which starts are compared and homotopies judged."""
        wanted = self.wanted
        return self.space.error(kernel=wanted.kernel, leave_one_out=True, groups=wanted.groups)

    @property
    def objective(self) -> Objective:
        """What the final descent minimises, with equal rows of data in one place."""
        wanted = self.wanted
        error = self.space.error(
            kernel=wanted.kernel, leave_one_out=wanted.leave_one_out, groups=wanted.groups
        )
        return error if self.twins is None else sharing.share_positions(error, self.twins)

    # Steps 1 to 3: the start

    def take_as_it_is(self, name, X):
        """Coordinates of the user, or random ones: nothing is compared or scaled."""
        error = self.cv_error(X)[0]
        self.starts = [Candidate(name, X, np.ones(X.shape[1]), error, error, chosen=True)]
        return X

    def choose_start(self, entrants):
        """The entrant that gets farthest, at its best scale and after a short race."""
        wanted, shape = self.wanted, (len(self.space.rows), self.wanted.q)
        points = starts.some_points(len(self.space.rows))
        rough_error = partial(
            mean_squared_residual,
            Y=self.space.coordinates,
            kernel=wanted.kernel,
            groups=wanted.groups,
            points=points,
        )
        scaled = starts.scaled_candidates(
            entrants, shape, rough_error, wanted.kernel, points, wanted.n_jobs
        )
        for candidate in self.journal.bar(scaled, len(entrants), "starts"):
            self.starts.append(candidate)
        lengths = starts.race_lengths(shape[0]) if wanted.max_iter else (0, 0, 0)
        self.starts, X = starts.race(self.starts, self.cv_error, *lengths, n_jobs=wanted.n_jobs)
        return X

    def best_start_so_far(self):
        """The best candidate when Ctrl-C ended the comparison; without one, KeyboardInterrupt."""
        ready = [k for k, candidate in enumerate(self.starts) if candidate.X is not None]
        if not ready:
            raise KeyboardInterrupt
        best = min(ready, key=lambda k: self.starts[k].cv_error)
        self.starts = [c._replace(chosen=k == best) for k, c in enumerate(self.starts)]
        return self.starts[best].X

    # Steps 4 and 5: the descent

    def minimise(self, X):
        """From the start to the model; the best step is `best` at any time."""
        going_on = self.enter(X)
        if going_on and self.wanted.max_iter:
            start = self.best.step
            X, going_on = self.unfold(start.X)
            if going_on:
                self.descend(X, start)

    def enter(self, X):
        """The first step: a start that the constraints allow."""
        X = self._allowed(X)
        return self._follow("start", self.best.of([Step(X, *self.objective(X))]), 0)

    def unfold(self, X):
        """Step 4, the homotopy, if it is wanted: where it leads, and whether to go on."""
        if not self._homotopy_is_wanted():
            return X, True
        going_on, reached = False, Best()
        try:
            going_on = self._through_the_stages(X, reached)
        finally:  # Ctrl-C as well leaves what was reached, judged by the objective itself
            if reached.step is not None:
                X = self._allowed(reached.step.X)
                there = Step(X, *self.objective(X))
                self.best.step = min(self.best.step, there, key=lambda step: step.error)
        return X, going_on

    def descend(self, X, start):
        """Step 5; once more from the start itself if the homotopy has led to a worse place."""
        wanted = self.wanted
        minimise, guided_moves = self._guided_descent()
        stage, going_on = "descent", True
        while going_on:
            steps = descent.at_most(minimise(self.objective, X), wanted.max_iter)
            steps = self.best.of(descent.until_flat(steps, wanted.tol, unjudged=guided_moves))
            going_on = self._follow(stage, steps, wanted.max_iter)
            if self.best.step is not start or X is start.X:
                return
            X, stage = start.X, "descent again"

    def _homotopy_is_wanted(self):
        linear_start_won = any(start.chosen and start.linear for start in self.starts)
        wanted = self.wanted
        return wanted.homotopy is not None and (wanted.homotopy_asked_for or linear_start_won)

    def _through_the_stages(self, X, reached):
        """Whether to go on. The best step of the last stage goes to `reached`."""
        wanted = self.wanted
        stages = homotopy.homotopy_stages(self.cv_error, X, wanted.kernel, wanted.homotopy)
        for threshold, steps in stages:
            reached.step = None  # errors of two stages cannot be compared
            steps = reached.of(steps)
            if not self._follow(f"eta={threshold:g}", steps, homotopy.STEPS_PER_STAGE):
                return False
        return True

    def _guided_descent(self):
        """The final descent, constrained and guided as wanted; how many moves are guided."""
        wanted, minimise = self.wanted, self.wanted.descent
        if not wanted.leave_one_out:
            domain = dict(threshold=wanted.threshold, kernel=wanted.kernel)
            minimise = partial(homotopy.descend_inside, minimise, **domain)
        if wanted.guidance is None or not self.data_vary:
            return minimise, 0
        data = self.space.for_guidance
        return guide_descent(wanted.guidance, minimise, data, wanted.q, self.twins)

    def _allowed(self, X):
        """X with equal rows of data in one place and, where η is a constraint, dense enough."""
        X = X if self.twins is None else sharing.group_means(X, self.twins)
        if self.wanted.leave_one_out:
            return X
        return back_into_feasible_set(X, self.wanted.threshold, self.wanted.kernel)

    def _follow(self, stage, steps, moves):
        def frame(step):
            error = self.space.in_data_units(step.error)
            return Frame(stage, error, step.X.copy() if self.wanted.record else None)

        return self.journal.follow(stage, steps, moves, frame)
