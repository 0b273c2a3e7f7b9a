"""Regularized principal manifolds as a scikit-learn estimator."""

from functools import partial
from typing import NamedTuple

import numpy as np

from ukrlearn.blocks import memory, race
from ukrlearn.blocks.arguments import shown
from ukrlearn.blocks.descent import at_most, last
from ukrlearn.blocks.units import Units
from ukrlearn.estimators import _arguments
from ukrlearn.estimators._embedding import FAR, EmbeddingWithMaps
from ukrlearn.estimators._starting import entrants
from ukrlearn.rpm import adaptation, costs, kernels, principal_manifold
from ukrlearn.rpm.costs import Cost
from ukrlearn.rpm.index_sets import LATTICE, Box, Torus, at_border
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.quantization import quantize, until_settled

KERNELS = {
    "gaussian": kernels.Gaussian,
    "periodic": kernels.Periodic,
    "spline": kernels.BSpline,
    "length": kernels.Length,
    "thin-plate": kernels.ThinPlate,
}
TOPOLOGIES = {"box": Box, "periodic": Torus}
REGULARIZERS = {name: adaptation.by_name[name] for name in ("quadratic", "linear")}
COSTS = ("squared", "huber", "l1")
LEAST = np.finfo(float).tiny
WIDTH, PENALTY = 1.0, 1e-3  # for data that do not vary
ROBUST = 0.1  # times the median distance from the medians: σ of Huber's cost
RACE = 10  # half steps of each start, if there are several
# Kernels without a width, and the dimensions up to which they are defined.
MOST_DIMENSIONS = {kernels.Length: 1, kernels.ThinPlate: 3}


class Rounds(NamedTuple):
    """One half step, as `history_` keeps it, in the units of Y."""

    half: str  # "projection" or "adaptation"
    distortion: float  # R_emp
    penalty: float  # λ Q
    error: float  # R_reg
    X: np.ndarray | None = None  # codes, with record=True


class PrincipalManifold(EmbeddingWithMaps):
    """Regularized principal manifold [RPM]: a smooth curve or surface through the middle of data.

    Y here is what scikit-learn calls X; X is the embedding.

    f(z) = f₀ + Σ_j α_j k(z_j, z) maps a box, a circle or a torus into data space. The fit minimises

        (1/N) Σ_n min_z c(y_n, f(z)) + λ Q[f],     (12)

    in turn over the codes z of all points (projection) and over f (adaptation), and neither step
    raises it. Time and memory are linear in N and in d.

    Parameters
    ----------
    n_components : int
        q, the dimension of latent space.
    kernel : {"gaussian", "periodic", "spline", "length", "thin-plate"}, record or callable
        The kernel defines when f counts as rough. "gaussian" penalises derivatives of all orders
        (18), (19). "spline" is a product of cubic B-splines. "length" penalises the length of
        curves, which become polygons, example 7. "thin-plate" penalises second derivatives, so
        lines and planes are free. "periodic" is the Gaussian wrapped around (21);
        topology="periodic" wraps "gaussian" by itself. Also accepted: a kernel of
        `ukrlearn.rpm.kernels`, or a positive definite callable ``k(Z, nodes) -> (N, M)``.
    width : float or "auto"
        The width of the kernel; latent space has the width 2. "auto": see `penalty`. "length"
        and "thin-plate" have no width.
    n_basis : int or "auto"
        The greatest number of nodes z_j, which form a regular grid. "auto": enough that more nodes
        would take time but change nothing.
    penalty : float or "auto"
        λ. "auto" projects held-out points onto the manifold, and chooses the stiffest λ and width
        with which they cost at most 1.5 times as much as with the best. 0 means no penalty: of all
        f that fit equally well, the one with the least ‖Pf‖ is chosen.
    regularizer : {"quadratic", "linear"}
        ½ ‖Pf‖² (13), or Σ_j |α_j|₁ (22), which uses few nodes.
    cost : {"squared", "huber", "l1"} or Cost
        c. Outliers affect "huber" (8) and "l1" (7) less. "huber" is linear beyond a tenth of the
        median distance between the data and their medians; `rpm.costs.huber(sigma)` is linear
        beyond sigma.
    topology : {"box", "periodic"}
        The codes are in the box [-1, 1]^q, or on a circle or torus with coordinates in [-1, 1).
    penalty_convention : {"mean", "sum"}
        "mean": the objective is (12). "sum": the first part of (12) is multiplied by N, so that
        penalty=λ has the effect of λ/N in (12). The paper prints (33) for "mean", but its figures
        result from their λ with "sum".
    init : str, array of shape (N, q), object, callable, or list of these
        "pca": the principal components, up to two standard deviations to each side (35), or a
        circle or torus for periodic topology. Or the coordinates of another method: "isomap",
        "lle", ..., an array, an object with fit_transform (TSNE(), UKR(), ...) or a callable
        Y -> (N, q). They are scaled into the box; for periodic topology they must be in [-1, 1).
        Of several starts, the one with the lowest objective after five rounds is kept.
    max_iter : int
        The most rounds of projection and adaptation. 0 keeps the start.
    tol : float
        The fit ends after a round that lowers the objective by a smaller share than this.
    record : bool
        Whether `history_` keeps the codes of each half step.
    random_state : int, RandomState or None
        For starts that need random numbers. None means 0, so the same data give the same model.
    verbose : int
        1 shows progress bars.
    callback : callable, optional
        Called with each `rpm.quantization.Step`, in which data are centred and scaled. If it
        returns True, the fit ends there.
    n_jobs : int, optional
        Number of joblib workers for the projection, which runs in batches.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
        The codes, between -1 and 1.
    errors_ : array of shape (n, 3)
        R_emp, λ Q and R_reg after each half step, in the units of Y; projection comes first.
    boundary_share_ : float
        The share of points whose code is on the border of the box. If it exceeds a quarter, λ is
        too large: f is too short to reach the ends of the data.
    penalty_, width_ : float
        λ in the chosen convention, and the width, None for kernels without a width.
    candidates_ : list of Candidate
        The pairs of λ and width that were tried, with their held-out errors for data of size one.
        Empty if nothing had to be chosen.
    nodes_ : array of shape (M, q)
    f_ : KernelExpansion
        The map to centred and scaled data.
    history_ : list of Rounds
    n_iter_ : int
        Number of rounds.
    n_features_in_ : int

    Notes
    -----
    `transform` returns the stored codes for rows that equal a training row (equal training rows
    share theirs). All other rows are projected independently.

    As λ grows, the Gaussian kernel shrinks f to a point, because it penalises lines too; the thin
    plate stretches f to the principal plane. With the squared cost and the quadratic regulariser,
    the effect of λ does not depend on the units of Y. With other pairs it does.

    Limits: the objective has local minima. From principal components, a spiral stays rolled up; use
    init="isomap".

    Examples
    --------
    >>> import numpy as np
    >>> from ukrlearn import PrincipalManifold
    >>> angle = np.random.RandomState(0).uniform(-2, 2, 300)
    >>> arc = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> noise = 0.1 * np.random.RandomState(1).normal(size=arc.shape)
    >>> model = PrincipalManifold(penalty=1e-3, width=1.0).fit(arc + noise)
    >>> radius = np.linalg.norm(model.inverse_transform(model.embedding_), axis=1)
    >>> bool(np.abs(radius - 1).mean() < 0.05)
    True
    """

    _unit_of_time = "half steps"

    def __init__(
        self,
        n_components=1,
        *,
        kernel="gaussian",
        width="auto",
        n_basis="auto",
        penalty="auto",
        regularizer="quadratic",
        cost="squared",
        topology="box",
        penalty_convention="mean",
        init="pca",
        max_iter=100,
        tol=1e-6,
        record=False,
        random_state=None,
        verbose=0,
        callback=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.width = width
        self.n_basis = n_basis
        self.penalty = penalty
        self.regularizer = regularizer
        self.cost = cost
        self.topology = topology
        self.penalty_convention = penalty_convention
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.record = record
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback
        self.n_jobs = n_jobs

    def _learn(self, Y, twins, journal):
        q = self._checked_components(Y)
        max_iter = _arguments.whole_number("max_iter", self.max_iter, least=0)
        tol = _arguments.number("tol", self.tol, above=0, or_equal=True)
        data = Units.by_distance(Y)
        setting = self._setting(q, data, Y)
        self._demand_memory_of_nodes(len(Y), setting)
        scaled = data.into(Y)
        begun = self._starts(Y, scaled, q)
        penalty, width, tried = self._chosen(scaled, setting, begun)
        nodes = setting.nodes(width)
        fit = setting.fit_of(Basis(setting.kernel_of(width), nodes), penalty)
        f = _best_start(scaled, setting, fit, nodes, begun)
        steps = until_settled(
            quantize(scaled, f, setting.codes, fit, setting.cost, self.n_jobs), tol
        )
        end = self._read(at_most(steps, 2 * max_iter), 2 * max_iter, setting, journal)
        Z = setting.codes.project(end.f, scaled, setting.cost, end.Z, self.n_jobs).Z
        return {
            "_training_rows": Y,
            "_data": data,
            "_codes": setting.codes,
            "_cost_of_scaled": setting.cost,
            "f_": end.f,
            "nodes_": nodes,
            "penalty_": penalty / setting.penalty_in_units,
            "width_": width if setting.has_width else None,
            "candidates_": [
                c._replace(penalty=c.penalty / setting.penalty_in_units) for c in tried
            ],
            "errors_": np.array([frame[1:4] for frame in journal.history]),
            "boundary_share_": float(at_border(setting.codes, Z).mean()),
            "n_iter_": len(journal.history) // 2,
            "embedding_": Z,
        }

    def _read(self, steps, moves, setting, journal):
        """The last of the steps, after all steps were recorded in the journal."""

        def entry(step):
            parts = step.distortion, step.penalty, step.error
            X = step.Z.copy() if self.record else None
            return Rounds(step.half, *(setting.cost_unit * part for part in parts), X)

        try:
            journal.follow(self._unit_of_time, steps, moves, entry)
        except KeyboardInterrupt as interrupt:
            if journal.last is None:
                raise
            journal.interrupted(interrupt, self._unit_of_time, "that of the last one")
        return journal.last

    def _setting(self, q, data, Y):
        """The validated parameters, converted to centred and scaled data."""
        codes = _arguments.one_of("topology", self.topology, TOPOLOGIES)(q)
        fit_of = _arguments.one_of("regularizer", self.regularizer, REGULARIZERS)
        kernel_of, has_width = self._kernel(codes)
        linear = self.regularizer == "linear"
        if linear and kernel_of(WIDTH).linear:
            raise ValueError(
                "regularizer='linear' needs a positive definite kernel, which 'thin-plate' is not."
            )
        cost, power = self._cost(data, Y)
        convention = _arguments.one_of(
            "penalty_convention", self.penalty_convention, {"mean": 1.0, "sum": 1 / len(Y)}
        )
        # Powers are subtracted: data.factor² may vanish, or overflow.
        penalty_unit = max(max(data.factor, LEAST) ** ((1 if linear else 2) - power), LEAST)
        n_basis = None
        if not _arguments.is_auto(self.n_basis):
            n_basis = _arguments.whole_number("n_basis", self.n_basis, least=1)
        return _Setting(
            codes, fit_of, kernel_of, has_width, cost, data.factor**power, n_basis,
            penalty_in_units=convention * penalty_unit,
        )  # fmt: skip

    def _kernel(self, codes):
        """A function from width to kernel, and whether the kernel has a width."""
        if isinstance(self.kernel, str):
            return self._named_kernel(codes)
        if hasattr(self.kernel, "with_slopes"):
            return (lambda width: self.kernel), False
        if callable(self.kernel):
            return (lambda width: kernels.Own(self.kernel)), False
        raise ValueError(
            f"kernel must be one of {', '.join(map(repr, KERNELS))}, a kernel of "
            f"ukrlearn.rpm.kernels or a callable; got {shown(self.kernel)}."
        )

    def _named_kernel(self, codes):
        kind = _arguments.one_of("kernel", self.kernel, KERNELS)
        periodic = isinstance(codes, Torus)
        if periodic and kind is kernels.Gaussian:
            kind = kernels.Periodic
        if periodic != (kind is kernels.Periodic):
            raise ValueError(
                f"kernel={self.kernel!r} does not go with topology={self.topology!r}: with "
                "'periodic' the kernel must be 'periodic', 'gaussian', or your own."
            )
        if kind not in MOST_DIMENSIONS:
            return kind, True
        most = MOST_DIMENSIONS[kind]
        if codes.q > most:
            raise ValueError(
                f"kernel={self.kernel!r} is for n_components up to {most}; got {codes.q}."
            )
        return (lambda width: kind()), False

    def _cost(self, data, Y):
        """The cost of scaled residuals, and the power of the data's size that is its unit."""
        size = data.factor
        if isinstance(self.cost, Cost):
            if self.cost == costs.squared:
                return costs.squared, 2
            return costs.at_size(self.cost, size), 0
        name = _arguments.one_of("cost", self.cost, dict(zip(COSTS, COSTS, strict=True)))
        if name == "squared":
            return costs.squared, 2
        if name == "l1":
            return costs.l1, 1
        scaled = data.into(Y)
        from_middle = np.linalg.norm(scaled - np.median(scaled, axis=0), axis=1)
        return costs.huber(ROBUST * float(np.median(from_middle)) or ROBUST), 1

    def _chosen(self, scaled, setting, begun):
        """λ for scaled data, the width, and the candidates among which they were chosen."""
        penalty, width = self._given_penalty(setting), self._given_width(setting)
        if penalty is not None and width is not None:
            return penalty, width, []
        if not scaled.any():  # constant data: each choice gives this constant
            return PENALTY if penalty is None else penalty, width or WIDTH, []
        tried = principal_manifold.candidates(
            scaled,
            setting.codes,
            setting.kernel_of,
            setting.cost,
            setting.fit_of,
            None if penalty is None else (penalty,),
            None if width is None else (width,),
            setting.n_basis,
            None if begun is None else partial(_start_of_rows, begun[0], scaled, setting),
        )
        best = principal_manifold.stiffest(tried)
        return best.penalty, best.width, tried

    def _demand_memory_of_nodes(self, N, setting):
        width = max(self._given_width(setting) or WIDTH, 1e-9)
        q, per_axis = setting.codes.q, setting.nodes_per_axis(width)
        nodes, lattice = float(per_axis) ** q, float(LATTICE.get(q, 9)) ** q
        memory.demand(
            f"PrincipalManifold with n_components={q} and {per_axis}^{q} nodes",
            7.3 * nodes**2 + 1.5 * (N + lattice) * nodes,
            "Use a greater width, a smaller n_basis or fewer components.",
        )

    def _given_penalty(self, setting):
        """λ for scaled data; None if it must be chosen."""
        if _arguments.is_auto(self.penalty):
            return None
        given = _arguments.number("penalty", self.penalty, above=0, below=1e100, or_equal=True)
        return given * setting.penalty_in_units

    def _given_width(self, setting):
        """The width of the kernel; None if it must be chosen."""
        width = (
            None
            if _arguments.is_auto(self.width)
            else _arguments.number("width", self.width, above=0)
        )
        return width if setting.has_width else WIDTH

    def _starts(self, Y, scaled, q):
        """Coordinates to begin with, or None for the principal components (35)."""
        if isinstance(self.init, str) and self.init == "pca":
            return None
        found = entrants(self, Y, scaled, q, spread=0.5)
        made = _coordinates_of(race.scaled(found, (len(Y), q), None, n_jobs=self.n_jobs))
        return made if scaled.any() or made[0].any() else None

    # Using a fitted model

    def _place(self, Y):
        scaled = self._data.into(Y, at_most=FAR)
        return self._codes.project(self.f_, scaled, self._cost_of_scaled, n_jobs=self.n_jobs).Z

    def _rebuild(self, X):
        """f at the nearest positions inside the box, because f has learnt nothing outside."""
        return self._data.out_of(self.f_(self._codes.inside(X)))


class _Setting(NamedTuple):
    """The parameters for centred and scaled data."""

    codes: Box | Torus
    fit_of: object  # (basis, penalty) -> fit
    kernel_of: object  # width -> kernel
    has_width: bool
    cost: Cost
    cost_unit: float  # a cost of 1, in the units of Y
    n_basis: int | None
    penalty_in_units: float  # λ = 1, for scaled data

    def nodes(self, width):
        """The grid of nodes for a kernel of that width."""
        return self.codes.lattice(self.nodes_per_axis(width))

    def nodes_per_axis(self, width):
        """The number of nodes on each axis of the grid."""
        return principal_manifold.nodes_per_axis(self.codes, width, self.n_basis)


def _best_start(Y, setting, fit, nodes, begun):
    """The first map; of several, the best after a few half steps."""
    codes, cost = setting.codes, setting.cost
    if begun is None:
        return principal_manifold.start_on_axes(Y, codes, fit, nodes, cost)
    maps = [principal_manifold.start_from(X, Y, codes, fit, cost) for X in begun]
    if len(maps) == 1:
        return maps[0]
    ends = [last(at_most(quantize(Y, f, codes, fit, cost), RACE)) for f in maps]
    return min(ends, key=lambda step: step.error).f


def _coordinates_of(candidates):
    """The coordinates of each start that gave some; ValueError if none did."""
    candidates = list(candidates)
    made = [candidate.X for candidate in candidates if candidate.X is not None]
    if not made:
        reasons = "; ".join(f"{candidate.name}: {candidate.note}" for candidate in candidates)
        raise ValueError(f"init: no start gave coordinates: {reasons}")
    return made


def _start_of_rows(X, Y, setting, rows, fit, nodes):
    return principal_manifold.start_from(X[rows], Y[rows], setting.codes, fit, setting.cost)
