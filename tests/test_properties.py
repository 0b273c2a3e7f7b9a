"""Whatever comes in: a finite answer, or an error in words."""

import warnings

import numpy as np
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from ukrlearn import UKR, KernelDensityClassifier, metrics
from ukrlearn.blocks import density_kernels

some = settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
DTYPES = [np.float64, np.float32, np.float16, np.int64, np.uint8, bool, object]


@st.composite
def tables(draw, least_rows=2, most=9, magnitudes=(-300, 149)):
    """Finite tables with duplicates, constant columns, columns of very different scales."""
    shape = draw(st.tuples(st.integers(least_rows, most), st.integers(1, 4)))
    entries = draw(st.sampled_from([st.integers(-2, 2), st.floats(-1, 1), st.just(0.1)]))
    Y = draw(arrays(float, shape, elements=entries))
    repeated = draw(st.lists(st.integers(0, shape[0] - 1), max_size=3))
    Y = np.vstack([Y, Y[repeated]])
    exponents = draw(st.lists(st.integers(*magnitudes), min_size=1, max_size=2))
    Y = Y * 10.0 ** np.resize(exponents, shape[1]) + draw(st.sampled_from([0.0, 0.0, 1.0, -1e9]))
    return np.asfortranarray(Y) if draw(st.booleans()) else Y


wild_numbers = st.floats(allow_nan=False, allow_infinity=False)
any_table = st.one_of(
    arrays(np.float64, array_shapes(max_dims=3, max_side=6), elements=wild_numbers),
    arrays(st.sampled_from(DTYPES[:-1]), array_shapes(min_dims=2, max_dims=2, max_side=6)).filter(
        lambda Y: np.isfinite(Y).all()
    ),
    arrays(object, array_shapes(min_dims=2, max_dims=2), elements=st.integers(-(10**30), 10**30)),
    tables(least_rows=1, magnitudes=(-300, 300)),
)
parameters = st.fixed_dictionaries(
    {
        "kernel": st.sampled_from(list(density_kernels.by_name)),
        "max_iter": st.integers(0, 4),
        "homotopy": st.sampled_from([False, "auto", [0.5, 0.1]]),
        "leave_out": st.sampled_from([1, 1, 2]),
        "descent": st.sampled_from(["rprop", "gradient", "l-bfgs"]),
        "density_threshold": st.sampled_from(["min", "50%"]),
    }
)


def outcome(call):
    """What the call gives, or None after an error in words. Only documented warnings may come."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*latent points have no neighbour")
        try:
            return call()
        except (ValueError, TypeError) as error:
            assert len(str(error).split()) > 4
            return None


def assert_sound(model, Y, new):
    """All that a fitted model says is finite; it is no worse than its start."""
    N = len(Y)
    assert model.embedding_.shape == (N, model.n_components)
    assert np.isfinite(model.embedding_).all()
    assert np.isfinite([model.cv_error_, model.reconstruction_error_]).all()
    assert model.cv_error_ >= 0 <= model.reconstruction_error_
    assert model.cv_error_ <= model.history_[0].error * (1 + 1e-9) + 1e-300
    assert 0 < model.density_threshold_ <= 1
    np.testing.assert_array_equal(model.transform(Y), model.embedding_)
    x = model.transform(new)
    assert np.isfinite(x).all()
    stored = (new[:, None] == Y).all(axis=2).any(axis=1)  # these may be outside, with "50%"
    assert np.all(model.density(x)[~stored] >= model.density_threshold_)


def assert_maps_back(model, Y, new):
    """Back in data space, inside the box of the data."""
    f = model.inverse_transform(model.transform(new))
    room = 1e-9 * np.abs(Y).max(axis=0)
    assert np.all((Y.min(axis=0) - room <= f) & (f <= Y.max(axis=0) + room))
    assert np.isfinite(model.score(new))


@some
@given(tables(), parameters, st.data())
@example(np.full((5, 3), 0.1), dict(kernel="gaussian", max_iter=2), None)
@example(np.array([[1e-300], [2e-300], [0]]), dict(kernel="quartic", max_iter=2), None)
def test_any_table_within_bounds_is_fitted(Y, wanted, data):
    q = data.draw(st.integers(1, min(len(Y) - 1, Y.shape[1]))) if data else 1
    leave_out = min(wanted.get("leave_out", 1), len(Y) - 1)
    model = UKR(n_components=q, init="pca", **{**wanted, "leave_out": leave_out})
    new = Y[::-1] / 2 + 1
    assert outcome(lambda: model.fit(Y)) is model, "nothing to refuse"
    assert_sound(model, Y, new)
    assert_maps_back(model, Y, new)


@some
@given(any_table, parameters)
def test_anything_finite_is_fitted_or_refused_in_words(Y, wanted):
    model = outcome(lambda: UKR(n_components=1, init="pca", **wanted).fit(Y))
    if model is not None:
        Y = np.asarray(Y, dtype=float)
        outcome(lambda: assert_sound(model, Y, Y + 1) or assert_maps_back(model, Y, Y + 1))


@settings(some, max_examples=25)
@given(tables(least_rows=3), st.sampled_from(["auto", "lle", "isomap", "spectral", "kpca"]))
def test_every_start_gives_coordinates_or_a_note(Y, init):
    model = outcome(lambda: UKR(n_components=1, init=init, max_iter=1, homotopy=False).fit(Y))
    if init == "auto":
        assert model is not None, "PCA always works"
    if model is not None:
        assert all(start.X is not None or start.note for start in model.starts_)
        assert_sound(model, Y, Y + 1)


# ------------------------------------------------------------------ Gram matrices


@some
@given(tables(magnitudes=(-150, 70)), parameters, st.integers(1, 3))
def test_any_matrix_of_inner_products_is_fitted(Y, wanted, q):
    q, leave_out = min(q, len(Y) - 1), min(wanted["leave_out"], len(Y) - 1)
    model = UKR(n_components=q, init="pca", **{**wanted, "leave_out": leave_out})
    G = (Y - Y.mean(axis=0)) @ (Y - Y.mean(axis=0)).T
    assert outcome(lambda: model.set_params(data_kernel="precomputed").fit(G)) is model
    assert_sound(model, G, (G + G[::-1]) / 2)


@some
@given(any_table)
def test_any_matrix_is_a_gram_matrix_or_refused_in_words(G):
    model = UKR(n_components=1, init="pca", max_iter=2, data_kernel="precomputed")
    if outcome(lambda: model.fit(G)) is not None:
        outcome(lambda: assert_sound(model, np.asarray(G, dtype=float), np.ones((2, len(G)))))


@settings(some, max_examples=30)
@given(tables(), st.sampled_from(["linear", "l1"]))
def test_the_built_in_mercer_kernels_take_any_table(Y, data_kernel):
    model = UKR(n_components=1, init="pca", max_iter=2, data_kernel=data_kernel)
    assert outcome(lambda: model.fit(Y)) is model
    assert_sound(model, Y, (Y + Y[::-1]) / 2)


# ------------------------------------------------------------------ the classifier, the score


@some
@given(
    any_table,
    st.sampled_from(list(density_kernels.by_name)),
    st.sampled_from(["lcv", 1.0, 1e-200, 1e200]),
)
def test_the_classifier_gives_probabilities_or_an_error_in_words(X, kernel, bandwidth):
    y = np.arange(len(X)) % 2
    classifier = KernelDensityClassifier(kernel, bandwidth=bandwidth)
    if outcome(lambda: classifier.fit(X, y)) is not None:
        for x in (X, np.zeros((1, X.shape[1])), np.full((1, X.shape[1]), 1e140)):
            posterior = outcome(lambda x=x: classifier.predict_proba(x))
            if posterior is not None:
                assert np.isfinite(posterior).all() and np.all(posterior >= 0)
                np.testing.assert_allclose(posterior.sum(axis=1), 1)


@some
@given(tables(magnitudes=(-300, 300)), tables(magnitudes=(-300, 300)))
def test_the_score_of_any_coordinates_is_finite(X, Y):
    N = min(len(X), len(Y))
    score = outcome(lambda: metrics.loo_reconstruction(X[:N], Y[:N]))
    if score is None:
        assert not np.ptp(Y[:N], axis=0).any()
    else:
        assert 0 <= score < 5 * N
