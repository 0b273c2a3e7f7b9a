"""The public surface, as data: what can be called, right arguments for it, and wrong values.

`CALLS` has one entry for every public function and class, and for every method of a model. Right
arguments are small, so that a call takes milliseconds. Each parameter has a *kind*, which says
which of the wrong values it may take after all: -1 is a wrong count, but a right `n_jobs`.
"""

import dataclasses
import inspect
import re
import signal
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

import ukrlearn
from ukrlearn import datasets, drur, estimators, evaluation, figures, metrics, panels, sgd
from ukrlearn.blocks import density_kernels, descent, networks
from ukrlearn.blocks.kernel_ridge import Smoother
from ukrlearn.course import notation
from ukrlearn.course.claims import Claim

WRONG = {
    "none": None,
    "word": "x",
    "minus": -1,
    "zero": 0,
    "nan": float("nan"),
    "inf": float("inf"),
    "huge": 10**400,
    "empty": [],
    "array": np.array([1.0, 2.0]),
    "lambda": lambda *arguments, **named: None,
    "object": object(),
    "true": True,
    "fraction": 1.5,
    "dict": {},
    "long word": "x" * 100_000,
}
# The wrong values that a parameter of this kind may take. All other values must be refused.
KINDS = {
    "nothing else": "",
    "count": "",
    "count from zero": "zero",
    "positive": "fraction",
    "not negative": "zero fraction",
    "number": "minus zero fraction",
    "share": "zero",
    "share above zero": "",
    "switch": "true",
    "verbosity": "zero true",
    "random state": "none zero",
    "seed": "zero",
    "workers": "none minus",
    "callback": "none lambda",
    "function": "lambda",
    "text": "word long word",
    "numbers": "minus zero fraction array",  # of any shape
    "vector": "array",  # of any length
    "anything": " ".join(WRONG),
}
PATIENCE = 10  # seconds of the processor until a call counts as hanging
LONGEST = 1500  # characters of a message

N = 14
T = np.linspace(0, 3, N)
Y2 = np.column_stack([np.cos(T), np.sin(T)])
Y3 = np.column_stack([Y2, 0.1 * T**2])
X1 = T[:, None] * 2
X2 = np.column_stack([T, np.cos(5 * T)])
SHEET = np.array([[a, b] for a in range(4) for b in range(4)], dtype=float)
ROLL = np.column_stack([SHEET, np.sin(SHEET[:, 0])])
LABELS = (np.arange(N) % 2).astype(int)
HALVES = (np.arange(N) >= N // 2).astype(int)


@dataclasses.dataclass(frozen=True)
class Call:
    """Something public that can be called by keywords."""

    name: str
    function: Callable  # takes all arguments by keyword
    right: dict
    kinds: dict  # of each parameter
    sklearn_words: frozenset = frozenset()  # parameters that scikit-learn checks in its own words
    also: str = ""  # another word for a parameter, in messages of others

    def __call__(self, **changed):
        right = {name: fresh(value) for name, value in self.right.items()}
        return self.function(**{**right, **changed})


def fresh(value):
    """A copy of an array, and new Axes: calls must not influence each other."""
    if isinstance(value, np.ndarray):
        return value.copy()
    return value() if any(value is made for made in (axes, box, published)) else value


def axes(projection=None):
    """Axes on which nothing was drawn; most wrong values are refused before anything is."""
    kept = _AXES.get(projection)
    if kept is None or len(kept[0].get_children()) != kept[1]:
        new = Figure().add_subplot(projection=projection)
        kept = _AXES[projection] = new, len(new.get_children())
    return kept[0]


def box():
    return axes("3d")


_AXES = {}


@cache
def _folder():
    return TemporaryDirectory(prefix="ukrlearn-tests-")


def published():
    """A folder with files in the format of the published oil flow set."""
    folder = Path(_folder().name)
    fractions = np.full((3, 2), 0.25)
    for subset in ("Trn", "Vdn", "Tst"):
        np.savetxt(folder / f"Data{subset}.txt", np.ones((3, 12)))
        np.savetxt(folder / f"Data{subset}Lbls.txt", np.eye(3))
        np.savetxt(folder / f"Data{subset}Frctns.txt", fractions)
    return folder


# ---------------------------------------------------------------------------- kinds by name

BY_NAME = {
    **dict.fromkeys(
        "n_components n_neighbors n_samples n_basis n_arcs n_curves n_angles n_digits n_pixels "
        "rounds moves last_moves first steps q l n_grid folds repeats max_moves".split(),
        "count",
    ),
    **dict.fromkeys("max_iter coarse point".split(), "count from zero"),
    **dict.fromkeys("h length height extent width".split(), "positive"),
    **dict.fromkeys("tol noise penalty spread nu critical_difference".split(), "not negative"),
    **dict.fromkeys("gap hole".split(), "share"),
    **dict.fromkeys(
        "record refine squared with_itself markers standardize return_fractions fit_intercept "
        "coarse_ previous_ standardise".split(),
        "switch",
    ),
    "verbose": "verbosity",
    "random_state": "random state",
    "seed": "seed",
    "n_jobs": "workers",
    "callback": "callback",
    "palette": "?nothing else",
    **dict.fromkeys("title label across up log".split(), "text"),
    **dict.fromkeys(
        "X Y Y_new x y t Z G M f F J F_Y ax color curve data kernel labels methods scores "
        "spectrum".split(),
        "nothing else",
    ),
}


def kinds_of(name, parameters, special):
    found = {}
    for parameter in parameters:
        kind = special.get(parameter, BY_NAME.get(parameter))
        if kind is None:
            raise KeyError(f"{name}: no kind for the parameter {parameter!r}")
        optional = kind.startswith("?")
        words = KINDS.get(kind.removeprefix("?"), kind.removeprefix("?"))
        allowed = set(re.findall("long word|[a-z]+", words))
        assert allowed <= set(WRONG), (name, parameter, kind)
        found[parameter] = frozenset(allowed | ({"none"} if optional else set()))
    return found


def function(f, right, _also="", _name=None, **special):
    """An entry for a function or a class, whose parameters come from its signature."""
    name = _name or f"{f.__module__.removeprefix('ukrlearn.')}.{f.__qualname__}"
    parameters = list(inspect.signature(f).parameters)
    missing = set(right) - set(parameters)
    assert not missing, (name, missing)
    return Call(name, f, right, kinds_of(name, parameters, special), also=_also)


# ---------------------------------------------------------------------------- estimators

TABLES_OF_SKLEARN = frozenset({"Y", "y", "X"})


def fitted(cls, right, Y=Y3, y=None):
    def call(**parameters):
        model = cls(**parameters).fit(Y.copy(), y)
        use = getattr(model, "transform", getattr(model, "predict", None))
        return model, use(Y[:2] + 0.01) if use else None

    return call


def model(cls, right, Y=Y3, y=None, **special):
    """Entries for a class, with a fit for each value of a parameter, and for its methods."""
    parameters = list(inspect.signature(cls).parameters)
    yield Call(
        cls.__name__, fitted(cls, right, Y, y), right, kinds_of(cls.__name__, parameters, special)
    )
    unfitted = partial(cls, **right)
    arguments = {"Y": Y} if y is None else {"Y": Y, "y": y}
    kinds = dict(Y=frozenset(), y=frozenset({"none"} if cls is estimators.OutOfSample else ()))
    yield Call(
        f"{cls.__name__}.fit",
        lambda Y, y=None: unfitted().fit(Y, y),
        arguments,
        {name: kinds[name] for name in arguments},
        TABLES_OF_SKLEARN,
    )
    ready = Ready(lambda: unfitted().fit(Y.copy(), y))
    positions = dict(inverse_transform=None, density=None)
    for method in (
        "transform",
        "inverse_transform",
        "density",
        "score",
        "predict_proba",
        "predict",
    ):
        if not hasattr(cls, method) or (method == "score" and y is not None):
            continue
        name = "X" if method in positions else "Y"
        yield Call(
            f"{cls.__name__}.{method}",
            lambda ready=ready, method=method, **value: getattr(ready.model, method)(
                *value.values()
            ),
            {name: np.full((2, right.get("n_components", 2)), 0.5) if name == "X" else Y[:3]},
            {name: frozenset()},
            TABLES_OF_SKLEARN,
        )


class Ready:
    """A model that is fitted when it is first needed."""

    def __init__(self, make):
        self._make = make

    @cached_property
    def model(self):
        return self._make()


def guided(**parameters):
    return estimators.UKR(
        1,
        init="pca",
        max_iter=2,
        homotopy=False,
        guidance=estimators.SpectralGuidance(**parameters),
    ).fit(Y3)


quick = dict(n_components=1, max_iter=1)
CHOICE = dict.fromkeys(
    "model method regularizer cost topology penalty_convention mapping train_on".split(),
    "nothing else",
)
OF_MODELS = dict(
    **CHOICE,
    kernel="nothing else",
    data_kernel="?nothing else",
    init="nothing else",
    homotopy="true",
    leave_out="zero",
    descent="nothing else",
    density_threshold="nothing else",
    guidance="?nothing else",
    n_landmarks="?nothing else",
    embedding="?nothing else",
    classifier="?nothing else",
    bandwidth="positive",
    arcs="function",
    beta="positive",
)

ESTIMATORS = [
    *model(
        estimators.UKR, dict(quick, init="pca", homotopy=False), **{**OF_MODELS, "leave_out": ""}
    ),
    *model(estimators.SNE, quick, **OF_MODELS),
    *model(estimators.ParametricDRUR, dict(quick, init="pca", n_basis=4), **OF_MODELS),
    *model(estimators.NonparametricDRUR, dict(quick, init="pca", width=1.0), **OF_MODELS),
    *model(
        estimators.PrincipalManifold, dict(quick, penalty=0.01, width=1.0, n_basis=5), **OF_MODELS
    ),
    *model(
        estimators.AgglomerativeIsomap,
        dict(n_components=1, n_neighbors=3),
        alpha="zero",
        **OF_MODELS,
    ),
    *model(
        estimators.KernelRidgeMap,
        {},
        y=X1,
        gamma="fraction array",
        n_centres="nothing else",
        penalty="zero fraction array",
    ),
    *model(estimators.GRNNMap, {}, y=X1, width="fraction array"),
    *model(estimators.OutOfSample, {}, y=LABELS, **{**OF_MODELS, "mapping": "?nothing else"}),
    *model(estimators.EmbeddedClassifier, {}, y=HALVES, **OF_MODELS),
    *model(estimators.KernelDensityClassifier, {}, y=HALVES, **OF_MODELS),
    Call(
        "SpectralGuidance",
        guided,
        {},
        kinds_of(
            "SpectralGuidance",
            inspect.signature(estimators.SpectralGuidance).parameters,
            dict(schedule="nothing else", matrix="nothing else", l="?count", steps="count"),
        ),
    ),
]

# ---------------------------------------------------------------------------- functions

SCORES = evaluation.Scores(
    ("a", "b"), ("m1", "m2", "m3"), np.random.RandomState(0).uniform(0.5, 1, (2, 3, 4))
)
ON_TABLE = dict(X="nothing else", Y="nothing else")
EVALUATION = [
    function(
        evaluation.held_out,
        dict(method=PCA(1), Y=Y2, folds=2, n_neighbors=3),
        method="function",
        Y="nothing else",
    ),
    function(evaluation.rivals, {}, n_components="nothing else", classifier="?nothing else"),
    function(
        evaluation.nested_cross_validation,
        dict(
            methods={"3nn": KNeighborsClassifier(3)}, data={"arc": (Y2, LABELS)}, folds=2, repeats=1
        ),
    ),
    function(
        evaluation.paired,
        dict(scores=SCORES, method="m1", other="m2"),
        method="nothing else",
        other="nothing else",
        data="?nothing else",
    ),
]
METRICS = [
    *(
        function(f, dict(X=X1, Y=Y2), n_neighbors="count", n_points="?count")
        for f in (metrics.trustworthiness, metrics.continuity)
    ),
    function(metrics.order_recovered, dict(x=T, t=T**2)),
    function(metrics.orders_recovered, dict(X=X2, t=Y2)),
    function(metrics.procrustes_r2, dict(X=X2, t=Y2)),
    function(metrics.distance_to_curve, dict(Y=Y2, curve=Y2)),
    function(
        metrics.projection_error, dict(Y=Y2, Y_projected=Y2 + 0.1), Y_projected="nothing else"
    ),
    function(metrics.loo_reconstruction, dict(X=X1, Y=Y2)),
    function(metrics.two_way, dict(X=X1, Y=Y2, n_neighbors=3)),
    function(metrics.held_out_error, dict(X=X1, Y=Y2, Y_new=Y2 + 0.1, n_neighbors=3)),
]
DATASETS = [
    *(
        function(getattr(datasets, name), dict(t=T), t="vector")
        for name in datasets.__all__
        if name.endswith("_curve") and name != "s_curve"
    ),
    *(
        function(getattr(datasets, name), dict(t=SHEET), t="nothing else")
        for name in datasets.__all__
        if name.endswith("_surface")
    ),
    *(
        function(getattr(datasets, name), dict(n_samples=6))
        for name in (
            *("noisy_spiral", "noisy_helix", "noisy_arc", "partitioned_circle"),
            *("disconnected_curves", "s_curve", "spherical_cap", "swiss_roll"),
            "camera_on_a_rail",
        )
    ),
    function(datasets.digits, dict(n_samples=5), label="?zero", n_samples="?count"),
    function(datasets.rotated_digits, dict(n_angles=3, n_pixels=4), label="?zero"),
    function(
        datasets.simulated_oil_flow,
        dict(n_samples=5),
        n_photons="inf fraction",
        composition="nothing else",
    ),
    function(
        datasets.oil_flow_paths,
        dict(fractions=np.full((2, 3), 1 / 3), labels=np.array([0, 2])),
        fractions="nothing else",
        labels="array",
    ),
    function(
        datasets.load_oil_flow, dict(folder=published), folder="nothing else", subset="nothing else"
    ),
]
SPECTRUM = sgd.decompose(sgd.clustering_affinity(Y2, 1.0))
SGD = [
    *(function(f, dict(Y=Y2, h=1.0)) for f in (sgd.clustering_affinity, sgd.kernel_pca_affinity)),
    function(sgd.neighbor_affinity, dict(Y=Y2)),
    function(sgd.typical_bandwidth, dict(Y=Y2)),
    function(sgd.decompose, dict(M=np.eye(N)), without="?nothing else", leading="?count"),
    function(sgd.deflating, dict(spectrum=SPECTRUM, nu=2)),
    function(sgd.doubling, dict(spectrum=SPECTRUM)),
    function(sgd.growing_by_one, dict(spectrum=SPECTRUM)),
    function(sgd.falling_by_one, dict(spectrum=SPECTRUM, nu=2.0), lowest="not negative"),
    function(sgd.falling_geometrically, dict(spectrum=SPECTRUM, nu=2.0, steps=3), last="positive"),
    function(sgd.leading_directions, dict(spectrum=SPECTRUM, l=2)),
    function(sgd.perplexity, dict(weights=np.ones(3)), weights="vector"),
    function(sgd.plain, dict(spectrum=SPECTRUM)),
    function(sgd.power_with, dict(spectrum=SPECTRUM, directions=2.0), directions="positive"),
    function(sgd.powers, dict(spectrum=SPECTRUM, nu=2.0)),
    function(sgd.spreading, dict(spectrum=SPECTRUM, q=1, steps=3)),
    function(
        sgd.guided,
        dict(descent=descent.gradient_descent, filters=[sgd.plain(SPECTRUM)]),
        descent="function",
        filters="empty",
        finish="?function",
    ),
]
F_MAP = networks.fit_rbf(X2, Y3, X2[::3], 1.0, 0.1)
F_BACK = networks.fit_rbf(Y3, X2, Y3[::3], 1.0, 0.1)
SMOOTH = drur.Kernels(1.0, Smoother(Y3, 1.0, 0.1))


def two_rounds(X, Y, fit_maps, coarse=0, n_jobs=None):
    rounds = drur.alternation(X, Y, fit_maps, coarse, n_jobs)
    return next(rounds), next(rounds)


def one_move(X, Y, kernels, descent=descent.lbfgs):
    steps = drur.coupled_descent(X, Y, kernels, descent)
    return next(steps), next(steps)


MAPS = dict(X=X2, Y=Y3, n_basis=4, penalty=0.1)
DRUR = [
    *(
        function(f, MAPS, previous="?nothing else", coarse="switch")
        for f in (drur.rbf_maps, drur.perceptron_maps)
    ),
    function(
        drur.kernel_maps,
        dict(X=X2, Y=Y3, kernels=SMOOTH),
        kernels="nothing else",
        previous="?nothing else",
        coarse="switch",
    ),
    function(
        two_rounds,
        dict(X=X2, Y=Y3, fit_maps=partial(drur.rbf_maps, n_basis=4, penalty=0.1)),
        _name="drur.alternation",
        fit_maps="nothing else",
    ),
    function(
        one_move,
        dict(X=X2, Y=Y3, kernels=SMOOTH),
        _name="drur.coupled_descent",
        kernels="nothing else",
        descent="nothing else",
    ),
    function(drur.coupled_objective, dict(Y=Y3, kernels=SMOOTH), kernels="nothing else"),
    function(
        drur.gauss_newton_steps, dict(f=F_MAP(X2), J=F_MAP.with_jacobian(X2)[1], X=X2, Y=Y3, F_Y=X2)
    ),
    function(
        drur.project,
        dict(f=F_MAP, X=X2, Y=Y3, F_Y=X2),
        max_moves="count from zero",
        size="?positive",
    ),
]
TEXTS = dict(title="text", label="text")
NAMES = "?nothing else"


def ends_of_bars(x, low, high):
    return [values.reshape(-1, 3)[:, :2] for values in figures.bars(x, low, high)]  # without gaps


FIGURES = [
    function(
        ends_of_bars,
        dict(x=T, low=T, high=T + 1),
        _name="figures.bars",
        x="vector",
        low="vector",
        high="vector",
    ),
    function(
        figures.blank,
        {},
        n_rows="count",
        n_columns="count",
        size="?array",
        projection="?nothing else",
    ),
    function(
        figures.candidate_table,
        dict(ax=axes, starts=[ukrlearn.blocks.starts.Candidate("PCA", X1, np.ones(1), 0.5)]),
        starts="nothing else",
    ),
    function(figures.curve, dict(ax=axes, points=Y2), points="nothing else"),
    function(figures.data, dict(ax=axes, Y=Y2), t=NAMES, labels=NAMES, names=NAMES),
    function(figures.latent, dict(ax=axes, X=X2), t=NAMES, labels=NAMES, names=NAMES),
    function(figures.error_curve, dict(ax=axes, histories={"a": 1 + T}), histories="array"),
    function(
        figures.latent_density,
        dict(ax=axes, X=X2, n_grid=5),
        X="array",
        density_threshold="?not negative",
    ),
    function(
        figures.latent_map,
        dict(
            ax=axes,
            X=X2,
            labels=HALVES,
            classifier=KNeighborsClassifier(3).fit(X2, HALVES),
            n_grid=5,
        ),
        classifier="nothing else",
        trained_on=NAMES,
        names=NAMES,
        density_threshold="?not negative",
    ),
    function(
        figures.lines,
        dict(ax=axes, x=T, curves={"a": T}, title="a", across="b", up="c"),
        x="nothing else",
        curves="nothing else",
        log="word",
    ),
    function(
        figures.manifold, dict(ax=axes, X=X1, Y=Y2), density_threshold="?share", n_grid="?count"
    ),
    function(figures.manifold_grid, dict(X=X1, Y=Y2), density_threshold="?share", n_grid="?count"),
    function(
        figures.manifold_grid_of, dict(f=F_MAP, X=X2, n_grid=5), n_grid="?count", reach="?positive"
    ),
    function(
        figures.manifold_of,
        dict(ax=box, f=F_MAP, X=X2, n_grid=5),
        n_grid="?count",
        reach="?positive",
    ),
    function(figures.matrix, dict(ax=axes, M=np.eye(3), title="a")),
    function(figures.order, dict(ax=axes, x=T, t=T)),
    function(figures.patches, dict(f=np.zeros((3, 3, 3)))),
    function(
        figures.sampled_manifold,
        dict(ax=axes, X=X2, Y=np.ones((N, 4)), image_shape=(2, 2), n_grid=2),
        image_shape="nothing else",
    ),
    function(figures.palette, dict(name="wine"), name="nothing else"),
    function(figures.show, dict(figure=Figure(), text="a"), figure="nothing else", text="text"),
    function(
        figures.springs,
        dict(ax=axes, X=X2, stiffness=np.ones((N, N)), title="a"),
        stiffness="nothing else",
        labels=NAMES,
    ),
    function(figures.style, {}),
    function(
        figures.verdicts,
        dict(ax=axes, claims=[Claim("1", "a", 0.5, "holds"), Claim("2", "b", None, "open")]),
        claims="nothing else",
    ),
]
NOTATION = [
    function(notation.symbol, dict(code="Y"), code="word"),
    function(notation.label, dict(code="bandwidth"), code="word", of="text"),
    Call(
        "course.notation.table",
        lambda code, paper="ukr": notation.table(code, paper=paper),
        dict(code="Y"),
        kinds_of("table", ("code", "paper"), dict(code="word", paper="nothing else")),
    ),
    function(density_kernels.student_with, dict(nu=1.0), nu="positive"),
]
CURVE = dict(X=X1, Y=Y2)
RUN = [descent.Step(X1 * s, 1.0 / s, X1) for s in (1.0, 1.1)]
ETA = "?share"
PANELS = [
    function(panels.Untangle, dict(Y=Y2, t=T), h="positive", random_state="random state"),
    function(panels.Aggregation, dict(Y=Y2, labels=HALVES), spread="positive"),
    function(panels.Bandwidth, dict(x=T, y=T**2), bandwidth="?positive", point="?count"),
    function(
        panels.BetweenMaps,
        dict(
            drur=estimators.ParametricDRUR(1, init=X1, n_basis=4, max_iter=1).fit(Y2),
            ukr=estimators.UKR(1, init=X1, max_iter=1).fit(Y2),
            Y=Y2,
            new=Y2[:3],
        ),
        drur="nothing else",
        ukr="nothing else",
        new="nothing else",
    ),
    function(panels.Collapse, dict(Y=ROLL, t=SHEET, X=SHEET, n_basis=4, rounds=1)),
    function(panels.DensityConstraint, CURVE),
    function(panels.DrawData, dict(points=Y2), points="?array"),
    function(panels.Eigenvectors, dict(Y=Y2, labels=HALVES), order="?nothing else", h="?positive"),
    function(panels.FlightRecorder, dict(runs={"a": RUN}, Y=Y2), runs="nothing else"),
    function(
        panels.GaussNewton,
        dict(f=F_MAP, F=F_BACK, X=X2, Y=Y3),
        start="?array",
        point="count from zero",
    ),
    function(panels.Geodesics, dict(n_samples=30), random_state="random state"),
    function(panels.Gradient, dict(X=X2[:6], Y=Y2[:6])),
    function(
        panels.Guidance,
        dict(Y=Y2, moves=2),
        t="?nothing else",
        objective="?nothing else",
        error="text",
        spread="positive",
        nu="not negative",
    ),
    function(
        panels.Homotopy,
        dict(Y=Y2, moves=1, last_moves=1, thresholds=(0.5, 0.1)),
        labels="?nothing else",
        thresholds="nothing else",
    ),
    function(panels.KernelSpectrum, {}, kernel="nothing else"),
    function(
        panels.LabelDistance,
        dict(Y=Y2, labels=HALVES, new=Y2 + 0.1, truth=HALVES),
        new="nothing else",
        truth="nothing else",
        names=NAMES,
    ),
    function(
        panels.LatentExplorer,
        dict(X=X2, Y=np.ones((N, 4)) * T[:, None], image_shape=(2, 2)),
        image_shape="nothing else",
        threshold=ETA,
    ),
    function(panels.LatentScale, CURVE),
    function(panels.NewPoint, dict(Y=Y2, X=X2, labels=HALVES), y="?array"),
    function(panels.NodeCount, dict(Y=Y2), clean="?nothing else"),
    function(
        panels.NoisyChannel, dict(Y=Y2, f=lambda Z: np.hstack([np.cos(Z), np.sin(Z)]), Z=X1 / 10)
    ),
    function(panels.OwnData, {}, _also="file", source="?nothing else"),
    function(
        panels.OwnPicture,
        dict(draw=lambda figure, value: "nothing", slider=panels.Slider("a value", 0, 1, 0)),
        draw="function",
        slider="nothing else",
    ),
    function(panels.Penalties, CURVE),
    function(panels.PrincipalCurve, dict(Y=Y2), clean="?array"),
    function(panels.Projection, CURVE, threshold=ETA),
    function(
        panels.Quantizer,
        dict(Y=Y2, broken=np.arange(2)),
        broken="empty",
        names="nothing else",
        reading="zero fraction",
        reach="?array",
    ),
    function(panels.Referee, dict(X=X2, Y=Y3), other="?array"),
    function(panels.Refit, dict(CURVE, moves=2)),
    function(
        panels.RescueTheRoll, dict(Y=ROLL, t=SHEET, n_basis=4, rounds=1), noise="count from zero"
    ),
    function(panels.ScaleLandscape, dict(coordinates={"t": X1}, Y=Y2), coordinates="nothing else"),
]
GROUPS = {
    "estimators": ESTIMATORS,
    "measures": [*METRICS, *EVALUATION],
    "data": DATASETS,
    "methods": [*SGD, *DRUR, *NOTATION],
    "figures": FIGURES,
    "panels": PANELS,
}
CALLS = [call for group in GROUPS.values() for call in group]


# ---------------------------------------------------------------------------- judging


class Hanging(BaseException):
    """The call took too long."""


@contextmanager
def patience(seconds):
    """End what takes longer, unless it is in C code."""

    def stop(*_):
        raise Hanging

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def names(message, parameter):
    return re.search(rf"(?<![A-Za-z_]){parameter}(?![A-Za-z_])", message) is not None


SKLEARN_SAYS = re.compile(r"\b(X|y|array|data|samples?|features?|labels?|strings?|Sparse)\b")


def judged(call, changed, any_name=False):
    """How the call answers these values: (verdict, details); the verdict "" means refused well.

    A refusal is good if its message names a changed parameter, or, with `any_name`, any parameter.
    """
    try:
        with patience(PATIENCE), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            result = call(**changed)
            if isinstance(result, panels.Panel):
                result.close()
    except (ValueError, TypeError) as error:
        message = str(error)
        if len(message) > LONGEST:
            return "long message", f"{len(message)} characters: {message[:80]}"
        words = [*(call.kinds if any_name else changed), *([call.also] if call.also else [])]
        if any(names(message, word) for word in words):
            return "", message
        if set(changed) & call.sklearn_words and SKLEARN_SAYS.search(message):
            return "", message
        return "names no parameter", f"{type(error).__name__}: {message[:150]}"
    except Hanging:
        return "hangs", ""
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        if isinstance(error, FileNotFoundError) and "folder" in changed:
            return "", str(error)
        return "raw exception", f"{type(error).__name__}: {str(error)[:150]}"
    return ("accepted", "") if all_finite(result) else ("not finite", "")


def all_finite(result, depth=0):
    """Whether the numbers in a result are finite, as far as they can be seen."""
    if isinstance(result, (np.ndarray, np.generic, float)):
        values = np.asarray(result)
        return values.dtype.kind not in "fc" or bool(np.isfinite(values).all())
    if isinstance(result, (Axes, BaseEstimator)) or depth > 3:
        return (
            not hasattr(result, "embedding_")
            or not isinstance(result.embedding_, np.ndarray)
            or (bool(np.isfinite(result.embedding_).all()))
        )
    if isinstance(result, (list, tuple)):
        return all(all_finite(one, depth + 1) for one in result)
    return True


def falls_short(call, parameter, label):
    """Why the answer to one wrong value falls short, or None."""
    verdict, details = judged(call, {parameter: WRONG[label]})
    if verdict == "accepted":
        return None if label in call.kinds[parameter] else "accepted"
    if verdict == "" and label in call.kinds[parameter]:
        return None  # right in kind, but not here: 0 may be valid, and still too few
    return f"{verdict}: {details}" if verdict else None


def matrix(calls):
    """All cells of these calls: (call, parameter, label)."""
    for call in calls:
        for parameter in call.kinds:
            for label in WRONG:
                if (parameter, label) != ("n_jobs", "minus"):  # right, but it starts processes
                    yield call, parameter, label


if __name__ == "__main__":
    faults = Counter()
    for call, parameter, label in matrix(CALLS):
        if fault := falls_short(call, parameter, label):
            faults[fault.split(":")[0]] += 1
            print(f"{call.name:32} {parameter:20} {label:10} {fault[:150]}")
    print(f"{sum(faults.values())} of {sum(1 for _ in matrix(CALLS))} fall short: {dict(faults)}")
