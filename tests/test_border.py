"""The border of estimators: who owns what, and that only finite numbers come out."""

import threading
import tracemalloc
from functools import partial

import numpy as np
import pytest
from helpers import each, read_only
from sklearn.base import BaseEstimator, clone
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ukrlearn import (
    SNE,
    UKR,
    KernelDensityClassifier,
    NonparametricDRUR,
    ParametricDRUR,
    PrincipalManifold,
    SpectralGuidance,
    datasets,
)
from ukrlearn.blocks import race
from ukrlearn.blocks.density_kernels import DensityKernel
from ukrlearn.blocks.descent import Step, at_most, by_name, heavy_ball, last, step_at, until_flat
from ukrlearn.drur.baselines import gplvm_error
from ukrlearn.estimators import _border
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline
from ukrlearn.estimators.classification import EmbeddedClassifier, ShuffledLabels
from ukrlearn.estimators.isomap import AgglomerativeIsomap, OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap

SPIRAL, T = datasets.noisy_spiral(30, random_state=0)
Y = read_only(np.column_stack([SPIRAL, SPIRAL[:, 0] * SPIRAL[:, 1]]) / np.abs(SPIRAL).max())
LABELS = read_only((T > 0.5).astype(int))
NEW = read_only(0.9 * Y[:5])
quick = dict(init="pca", max_iter=4)
short = dict(homotopy=False, **quick)

EMBEDDINGS = {
    "UKR": UKR(**short),
    "UKR, sparse": UKR(kernel="quartic", **short),
    "UKR, student": UKR(
        kernel="student", descent="l-bfgs", init="kpca", max_iter=4, homotopy=False
    ),
    "UKR, linear": UKR(data_kernel="linear", **short),
    "UKR, l1": UKR(data_kernel="l1", **short),
    "UKR, constrained": UKR(1, leave_out=0, density_threshold=0.05, **short),
    "UKR, guided": UKR(guidance=SpectralGuidance(), init="random", max_iter=4, homotopy=False),
    "SNE": SNE(**quick),
    "SNE, guided": SNE(guidance=SpectralGuidance(matrix="kpca"), descent="rprop", **quick),
    "ParametricDRUR": ParametricDRUR(init="pca", max_iter=2),
    "mlp": ParametricDRUR(model="mlp", n_basis=5, init="pca", max_iter=1),
    "NonparametricDRUR": NonparametricDRUR(width=1.0, init="pca", max_iter=2),
    "coupled": NonparametricDRUR(method="coupled", width=1.0, init="pca", max_iter=2),
    "PrincipalManifold": PrincipalManifold(penalty=1e-3, width=1.0, max_iter=2),
    "linear Q": PrincipalManifold(regularizer="linear", penalty=1e-3, width=1.0, max_iter=2),
    "thin plate": PrincipalManifold(kernel="thin-plate", cost="huber", penalty=1e-3, max_iter=2),
    "circle": PrincipalManifold(
        topology="periodic", cost="l1", penalty=1e-3, width=0.5, max_iter=2
    ),
    "autoencoder": AutoencoderBaseline(n_basis=5, **quick),
    "GPLVM": GPLVMBaseline(**quick),
    "Isomap": AgglomerativeIsomap(),
    "Isomap, nystroem": AgglomerativeIsomap(mapping="nystroem"),
    "OutOfSample": OutOfSample(UKR(**short), GRNNMap()),
}
WITH_LABELS = {
    "Isomap, labels": AgglomerativeIsomap(),
    "KernelDensityClassifier": KernelDensityClassifier(bandwidth="lcv"),
    "EmbeddedClassifier": EmbeddedClassifier(),
    "ShuffledLabels": ShuffledLabels(KNeighborsClassifier(3)),
}
WITH_TARGETS = {"KernelRidgeMap": KernelRidgeMap(gamma=[1.0]), "GRNNMap": GRNNMap()}
MODELS = {**EMBEDDINGS, **WITH_LABELS, **WITH_TARGETS}
# Their parameters have units of squared distances: too small differences are refused in words.
IN_UNITS = ("Isomap", "OutOfSample", "Embedded", "KernelRidge", "GRNN")

every_model = each("name", MODELS)
every_embedding = each("name", EMBEDDINGS)


def second(name, Y):
    """The second argument of fit: labels, targets, or none."""
    if name in WITH_LABELS:
        return (LABELS.copy(),)
    return (Y[:, :2].copy(),) if name in WITH_TARGETS else ()


def fitted(name, Y=Y, **parameters):
    Y = np.array(Y)
    return clone(MODELS[name]).set_params(**parameters).fit(Y, *second(name, Y))


def answers(model, Y=NEW):
    """All that a fitted model says, as arrays."""
    found = {}
    if hasattr(model, "embedding_") and isinstance(model.embedding_, np.ndarray):
        X = found["embedding_"] = np.array(model.embedding_)
        for method, argument in (
            *(("transform", Y), ("inverse_transform", X[:4]), ("score", Y), ("map", Y)),
            *(("density", X[:4]), ("penalties", None), ("residual_variances", 3)),
        ):
            if hasattr(model, method):
                arguments = () if argument is None else (argument,)
                found[method] = np.array(getattr(model, method)(*arguments))
    for method in ("predict", "predict_proba"):
        if hasattr(model, method):
            found[method] = np.array(getattr(model, method)(Y))
    for name in ("cv_error_", "reconstruction_error_", "error_", "errors_", "left_out_"):
        if hasattr(model, name):
            found[name] = np.array(getattr(model, name))
    assert found
    return found


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[k], other[k]) for k in one)


# ------------------------------------------------------------------ the model owns its data


@every_model
def test_what_the_caller_does_to_the_data_later_does_not_change_the_model(name):
    mine = np.array(Y)
    others = second(name, mine)
    model = clone(MODELS[name]).fit(mine, *others)
    assert np.array_equal(mine, Y)
    before = answers(model)
    for table in (mine, *others):
        table *= 3
    assert same(answers(model), before)
    if hasattr(model, "transform"):
        moved = ~np.all(np.isclose(mine, Y), axis=1)
        assert not np.allclose(model.transform(mine)[moved], model.embedding_[moved])


@every_embedding
def test_what_a_fit_returns_belongs_to_the_caller(name):
    model = clone(EMBEDDINGS[name])
    X = model.fit_transform(np.array(Y))
    before = answers(model)
    X[:] = np.nan
    for candidate in getattr(model, "starts_", ()):
        candidate.X[:] = np.nan
    if hasattr(model, "transform"):
        model.transform(Y)[:] = np.nan
    assert same(answers(model), before)


@pytest.mark.parametrize("kind", [np.float64, np.float32, int])
def test_data_are_copied_once(kind):
    big = np.ones((20_000, 10), dtype=kind)
    model = UKR()
    _border.owned(model, big)
    tracemalloc.start()
    try:
        copy = _border.owned(model, big)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert copy.dtype == float and not np.shares_memory(copy, big)
    assert copy.nbytes <= peak < 1.5 * copy.nbytes


# ------------------------------------------------------------------ the caller owns what was passed


class Overwriting(BaseEstimator):
    """A method that works in the table it is given, as many do with copy=False."""

    def __init__(self, method=None):
        self.method = method

    def fit(self, Y, Z=None):
        self.fitted_ = clone(self.method).fit(Y.copy(), *(() if Z is None else (Z.copy(),)))
        Y[:] = np.nan
        if Z is not None and Z.dtype == float:
            Z[:] = np.nan
        return self

    def fit_transform(self, Y):
        X = PCA(2).fit_transform(Y)
        Y[:] = np.nan
        return X

    def predict(self, Y):
        said = self.fitted_.predict(Y.copy())
        Y[:] = np.nan
        return said

    def predict_classes(self, Y):
        return self.predict(Y)


def overwriting(Y):
    return Overwriting().fit_transform(Y)


def overwriting_affinity(Y):
    M = np.exp(-np.sum((Y[:, None] - Y) ** 2, axis=-1))
    Y[:] = np.nan
    return M


def pipeline(copy):
    return make_pipeline(StandardScaler(copy=copy), PCA(2, copy=copy))


@each("name", ["UKR", "UKR, linear", "ParametricDRUR", "NonparametricDRUR", "PrincipalManifold"])
@each("init", [Overwriting(), overwriting, [overwriting, Overwriting(), "pca"]])
def test_inits_get_a_copy_of_the_data(name, init):
    mine = np.array(Y)
    model = clone(MODELS[name]).set_params(init=init, n_components=2 if name != "mlp" else 1)
    fitted = model.fit(mine)
    assert np.array_equal(mine, Y) and all(np.isfinite(v).all() for v in answers(fitted).values())
    assert np.array_equal(fitted.transform(Y), fitted.embedding_)


def test_a_pipeline_that_does_not_copy_gives_what_a_pipeline_that_does_gives():
    mine = np.array(Y)
    results = [answers(UKR(init=pipeline(copy), max_iter=4).fit(mine)) for copy in (False, True)]
    assert same(*results) and np.array_equal(mine, Y)


@pytest.mark.parametrize(
    "model",
    [
        UKR(guidance=SpectralGuidance(matrix=overwriting_affinity), **short),
        OutOfSample(Overwriting()),
        OutOfSample(UKR(**short), Overwriting(LinearRegression())),
        AgglomerativeIsomap(mapping=Overwriting(Ridge())),
    ],
    ids=["guidance", "embedding", "regressor", "mapping"],
)
def test_other_methods_of_the_user_get_copies_too(model):
    mine, new = np.array(Y), np.array(NEW)
    model = clone(model).fit(mine)
    assert all(np.isfinite(value).all() for value in answers(model, new).values())
    assert np.array_equal(mine, Y) and np.array_equal(new, NEW)
    assert np.array_equal(model.transform(Y), model.embedding_)


@pytest.mark.parametrize("model", [EmbeddedClassifier, ShuffledLabels])
def test_classifiers_of_the_user_get_copies(model):
    mine, new = np.array(Y), np.array(NEW)
    own = Overwriting(KNeighborsClassifier(3))
    own.classes_ = None
    if model is ShuffledLabels:
        ShuffledLabels(KNeighborsClassifier(3)).fit(mine, LABELS)
        scaled = make_pipeline(StandardScaler(copy=False), KNeighborsClassifier(3))
        ShuffledLabels(scaled).fit(mine, LABELS).predict(new)
    else:
        model = EmbeddedClassifier(classifier=own, train_on="embedding").fit(mine, LABELS)
        assert np.isfinite(model.embedding_.embedding_).all()
        model.predict(new)
    assert np.array_equal(mine, Y) and np.array_equal(new, NEW)


class OwnStep:
    def __init__(self, X, error):
        self.X, self.error = X, error


@pytest.mark.parametrize("model, minimise", [(UKR, race.minimise), (SNE, by_name["rprop"])])
def test_a_descent_may_have_steps_of_its_own_kind(model, minimise):
    def with_own_steps(objective, X):
        for step in minimise(objective, X):
            yield OwnStep(step.X, step.error)

    seen = []
    options = dict(init="pca", max_iter=4, tol=0, callback=lambda step: seen.append(step.X.sum()))
    own, built_in = (
        model(descent=descent, **options).fit(Y) for descent in (with_own_steps, "rprop")
    )
    assert np.array_equal(own.embedding_, built_in.embedding_)
    half = len(seen) // 2
    assert seen[:half] == seen[half:] and half == len(own.history_)


def in_place(objective, X, rate):
    """Moves along the gradient, which keep all their points in one array, even the start."""
    while True:
        error, gradient = objective(X)
        yield Step(X, error, gradient)
        X += rate * gradient


@pytest.mark.parametrize("rate", [1.0, -1e3], ids=["uphill", "too far downhill"])
@pytest.mark.parametrize("model", [UKR, SNE])
def test_a_descent_may_work_in_place(model, rate):
    options = dict(max_iter=6, tol=0, record=True, callback=lambda step: None)
    descent = partial(in_place, rate=rate)
    model = model(init=np.array(Y[:, :2]), descent=descent, **options).fit(Y)
    errors = [frame.error for frame in model.history_]
    best = model.history_[int(np.argmin(errors))].X
    assert max(errors) > min(errors) and (rate < 0 or np.argmin(errors) == 0)
    assert np.allclose(model.embedding_, best - (best.mean(axis=0) if type(model) is SNE else 0))


class Storing:
    def fit_transform(self, Y):
        self.stored = Y[:, :2].copy()
        return self.stored


def test_an_embedding_is_not_the_array_that_another_object_keeps():
    model = OutOfSample(Storing()).fit(Y)
    model.estimator_.stored[:] = np.nan
    assert np.array_equal(model.embedding_, Y[:, :2])


def test_starts_and_embedding_are_two_arrays():
    model = UKR(init=np.array(Y[:, :2]), max_iter=0).fit(Y)
    model.starts_[0].X[:] = np.nan
    assert np.array_equal(model.embedding_, Y[:, :2])


# ------------------------------------------------------------------ callbacks

STEPPING = [name for name, model in EMBEDDINGS.items() if "callback" in model.get_params()]


@each("name", STEPPING)
def test_callbacks_cannot_change_a_step(name):
    def arrays_of(step):
        found = [value for value in step if isinstance(value, np.ndarray)]
        for record in step:
            found += (
                [v for v in vars(record).values() if isinstance(v, np.ndarray)]
                if (hasattr(record, "__dict__"))
                else []
            )
        return found

    refused = []

    def scribble(step):
        for array in arrays_of(step):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = np.nan
            refused.append(array)

    watched = fitted(name, callback=scribble)
    assert len(refused) >= len(watched.history_) > 1
    assert same(answers(watched), answers(fitted(name)))
    watched.embedding_ += 1  # the model's own array is not locked


def test_a_callback_that_writes_ends_the_fit_and_leaves_no_model():
    def scribble(step):
        step.X[:] = np.nan

    model = UKR(callback=scribble, **short)
    with pytest.raises(ValueError, match="read-only"):
        model.fit(Y)
    assert not hasattr(model, "embedding_")


# ------------------------------------------------------------------ masked arrays

MASKED = np.ma.masked_array(Y, mask=np.eye(*Y.shape, dtype=bool))


def data_of(name):
    return "X" if name == "KernelDensityClassifier" else "Y"


@every_model
def test_masked_arrays_are_refused(name):
    mine, others = np.array(Y), second(name, Y)
    for hidden in (MASKED, list(MASKED)):
        with pytest.raises(TypeError, match=f"^{data_of(name)} must not be a masked array"):
            clone(MODELS[name]).fit(hidden, *others)
    model = clone(MODELS[name]).fit(mine, *others)
    for method in ("transform", "map", "predict", "predict_proba"):
        if hasattr(model, method):
            with pytest.raises(TypeError, match=f"^{data_of(name)} must not be a masked array"):
                getattr(model, method)(MASKED)
    if name in EMBEDDINGS and hasattr(model, "score"):
        with pytest.raises(TypeError, match="^Y must not be a masked array"):
            model.score(MASKED)
    for method in ("inverse_transform", "density"):
        if hasattr(model, method):
            hidden = np.ma.masked_array(model.embedding_, mask=model.embedding_ > 0)
            with pytest.raises(TypeError, match="^X must not be a masked array"):
                getattr(model, method)(hidden)
    if others:
        hidden = np.ma.masked_array(others[0], mask=np.ones_like(others[0], dtype=bool))
        with pytest.raises(TypeError, match="^y must not be a masked array"):
            clone(MODELS[name]).fit(mine, hidden)


def test_masked_parameters_are_refused():
    X = np.ma.masked_array(Y[:, :2], mask=Y[:, :2] > 0)
    groups = np.ma.masked_array(LABELS, mask=LABELS > 0)
    affinity = np.ma.masked_array(np.eye(len(Y)), mask=np.eye(len(Y)))
    for message, parameters in {
        "init": dict(init=X),
        r"init\[1\]": dict(init=["pca", X]),
        "leave_out": dict(leave_out=groups),
        "matrix": dict(guidance=SpectralGuidance(matrix=affinity)),
    }.items():
        with pytest.raises(TypeError, match=f"^{message} must not be a masked array"):
            UKR(**{**short, **parameters}).fit(Y)


# ------------------------------------------------------------------ one fit at a time


def test_a_second_thread_is_told_that_the_model_is_being_fitted():
    told, begun, go_on = [], threading.Event(), threading.Event()

    def wait(step):
        begun.set()
        go_on.wait()

    model = UKR(callback=wait, **short)
    first = threading.Thread(target=model.fit, args=(Y,))
    first.start()
    try:
        assert begun.wait()
        with pytest.raises(RuntimeError, match="this UKR is being fitted already") as told:
            model.fit(2 * Y)
        assert "sklearn.base.clone(model)" in str(told.value)
        other = clone(model).set_params(callback=None).fit(Y)  # other models are free
    finally:
        go_on.set()
        first.join()
    assert same(answers(model), answers(other))
    assert same(answers(model.set_params(callback=None).fit(Y)), answers(other))


@pytest.mark.parametrize("name", ["UKR", "SNE", "GPLVM"])
def test_a_fit_within_a_fit_of_the_same_model_is_refused(name):
    model = clone(MODELS[name])
    with pytest.raises(RuntimeError, match="by the fit that called this function"):
        model.set_params(callback=lambda step: model.fit(Y)).fit(Y)
    assert np.isfinite(model.set_params(callback=None).fit(Y).embedding_).all()


def test_classifiers_and_maps_are_fitted_by_one_thread_at_a_time_too():
    classifier = KernelDensityClassifier()

    def again(t):
        return classifier.fit(Y, LABELS) and t

    classifier.kernel = DensityKernel("own", again, again)
    with pytest.raises(RuntimeError, match="this KernelDensityClassifier is being fitted already"):
        classifier.fit(Y, LABELS)
    for model, arguments in ((KernelRidgeMap(), (Y, Y)), (EmbeddedClassifier(), (Y, LABELS))):
        with _border.fitting(model), pytest.raises(RuntimeError, match="is being fitted already"):
            model.fit(*arguments)
        model.fit(*arguments)


# ------------------------------------------------------------------ only finite numbers


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_value_that_is_not_finite_counts_as_infinite(wrong):
    X = np.ones((3, 2))
    for error, gradient in ((wrong, X), (1.0, np.where(np.eye(3, 2), wrong, 1.0))):
        step = step_at(lambda X, value=(error, gradient): value, X)
        assert step.X is X and step.error == np.inf and not step.gradient.any()
    nowhere = step_at(lambda X: pytest.fail("asked for a value at no position"), wrong * X)
    assert nowhere.error == np.inf


def hole(X, asked, radius):
    """A bowl with its minimum at 3 and no value beyond 2 on one side, as after an overflow."""
    asked.append(np.isfinite(X).all())
    if X.max() > radius:
        return np.nan, np.full_like(X, np.nan)
    return float(np.sum((X - 3) ** 2)), 2 * (X - 3)


@pytest.mark.parametrize("descent", [*by_name.values(), partial(heavy_ball, rate=0.1)])
def test_descents_stay_where_the_objective_is_finite(descent):
    asked = []
    steps = list(at_most(descent(partial(hole, asked=asked, radius=2.0), np.zeros((4, 1))), 150))
    assert all(asked)
    assert np.isfinite([step.X for step in steps]).all()
    if descent in by_name.values():
        assert all(step.error < np.inf for step in steps)
        # Right up to the border of the hole. Errors: 36 at the start, 4 at the border.
        assert min(step.error for step in steps) == pytest.approx(4, abs=0.01)


def test_rprop_takes_a_move_into_nothing_back_and_goes_on_with_half_of_it():
    steps = by_name["rprop"](partial(hole, asked=[], radius=0.15), np.zeros((1, 1)))
    taken = [float(step.X[0, 0]) for step in at_most(steps, 4)]
    # .1, then .12 more would be .22: back to .1 and half of .12; .16 is also too far: .03 is not.
    assert taken == pytest.approx([0.0, 0.1, 0.1, 0.1, 0.13])


def test_a_descent_that_never_finds_a_value_is_flat():
    steps = by_name["rprop"](lambda X: (np.nan, X), np.ones((2, 1)))
    assert len(list(until_flat(at_most(steps, 1000)))) == 21


@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**1000])
def test_steepest_descent_does_not_depend_on_the_unit_of_the_error(unit):
    def bowl(X, unit):
        return unit * float(np.sum((X - 3) ** 4)), unit * 4 * (X - 3) ** 3

    one, other = (
        last(at_most(by_name["gradient"](partial(bowl, unit=u), np.zeros((2, 2))), 20))
        for u in (1.0, unit)
    )
    assert np.array_equal(one.X, other.X) and one.X.all()


def test_lbfgs_recovers_from_an_overflow():
    def steep(X):
        return float(np.sum(np.abs(X)) * 1e300), 1e300 * np.sign(X)

    with np.errstate(all="ignore"):
        end = last(at_most(by_name["l-bfgs"](steep, np.array([[5.0], [-3.0]])), 60))
    assert np.isfinite(end.X).all() and end.error < 4e300


def test_a_line_search_into_an_overflow_does_not_end_a_gplvm():
    spiral, _ = datasets.noisy_spiral(80, noise=0.0, random_state=0)
    model = GPLVMBaseline(init="random", max_iter=60, tol=0).fit(spiral)
    errors = [frame.error for frame in model.history_]
    assert len(errors) == 61 and np.isfinite(errors).all() and np.all(np.diff(errors) <= 0)


@pytest.mark.parametrize("which", range(3))
def test_parameters_that_overflow_make_the_gplvms_error_infinite(which):
    for value in (101.0, 1e6, np.inf, np.nan):
        logs = np.zeros(3)
        logs[which] = value
        error, (to_X, to_logs) = gplvm_error(Y[:, :2], Y, logs)
        assert error == np.inf and not to_X.any() and not to_logs.any()
    logs[which] = 99.0
    assert np.isfinite(gplvm_error(Y[:, :2], Y, logs)[0])


@pytest.mark.parametrize("wrong", ["X", "error"])
def test_a_fit_that_ends_with_numbers_that_are_not_finite_is_no_fit(wrong):
    model = UKR(**short)
    learnt = {"embedding_": np.array(Y), "cv_error_": 1.0, "starts_": [], "eigenvalues_": np.nan}
    _border.demand_finite(model, learnt)
    name = "embedding_" if wrong == "X" else "cv_error_"
    learnt[name] = np.where(Y == Y.max(), np.nan, Y) if wrong == "X" else np.inf
    count = "1 of 90 in embedding_" if wrong == "X" else "1 of 1 in cv_error_"
    with pytest.raises(ValueError, match=f"this UKR must end with finite numbers; {count}"):
        _border.demand_finite(model, learnt)


# ------------------------------------------------------------------ np.seterr(all="raise")


@every_model
def test_estimators_work_whatever_np_seterr_says(name):
    expected = answers(fitted(name))
    with np.errstate(all="raise"):
        model = fitted(name)
        found = answers(model)
        assert np.geterr() == dict.fromkeys(("divide", "over", "under", "invalid"), "raise")
    assert same(found, expected)


@each("scale", [1e-200, 1e-160, 1e-100, 1e100, 1e149])
@every_model
def test_what_comes_out_is_finite_at_any_scale(name, scale):
    parameters = dict(h=min(scale**2, 1e298) or 1e-300) if name.startswith("SNE") else {}
    new = scale * NEW
    with np.errstate(all="raise"):
        if scale < 1e-150 and name.startswith(IN_UNITS):
            with pytest.raises(ValueError, match="rows of Y must differ by more than 1e-150"):
                fitted(name, scale * Y)
            return
        found = answers(fitted(name, scale * Y, **parameters), new)
    for value in found.values():
        assert np.isfinite(value).all()


@each("name", sorted(MODELS.keys() - {"KernelDensityClassifier", "ShuffledLabels"}))
def test_what_is_too_large_to_square_is_refused(name):
    with (
        np.errstate(all="raise"),
        pytest.raises(ValueError, match="must not hold numbers beyond 1e[+]150"),
    ):
        fitted(name, 1e160 * Y)
