"""Equal rows of data share one latent point, whatever path a fit takes to it."""

import numpy as np
import pytest
from helpers import assert_close
from sklearn.manifold import TSNE

from ukrlearn import (
    SNE,
    UKR,
    AgglomerativeIsomap,
    NonparametricDRUR,
    OutOfSample,
    ParametricDRUR,
    PrincipalManifold,
    SpectralGuidance,
)
from ukrlearn.blocks.descent import Step, rprop
from ukrlearn.blocks.sharing import group_means, of_first_member, share_positions, together
from ukrlearn.estimators._embedding import Embedding
from ukrlearn.estimators.baselines import AutoencoderBaseline, GPLVMBaseline
from ukrlearn.sgd import neighbor_embedding

RANDOM = np.random.RandomState(0)
DIFFERENT = RANDOM.normal(size=(12, 3)) * [3, 2, 1]
FIRST = np.array([*range(12), 0, 3, 3, 7])  # row 3 is there three times
Y = DIFFERENT[FIRST]
GIVEN = RANDOM.normal(size=(16, 2))  # equal rows at different places
BRIEF = dict(max_iter=15)


def jitter(objective, X0):
    """A descent of the user that moves every point on its own."""
    random, X = np.random.RandomState(1), X0
    while True:
        yield Step(X, *objective(X))
        X = X + random.normal(size=X.shape)


def uneven(objective, X0):
    """A descent of the user that moves every point at its own pace."""
    return rprop(objective, X0, first_step=np.random.RandomState(1).uniform(0.05, 0.2, X0.shape))


def guided(schedule="directions", **settings):
    return dict(init="random", guidance=SpectralGuidance(schedule=schedule, **settings))


PATHS = [
    *(
        (UKR, path)
        for path in (
            *(dict(init=init) for init in ("auto", "pca", "kpca", "lle", "isomap", "spectral")),
            *(dict(init=init) for init in ("neighbors", "random", GIVEN, [GIVEN, "pca"])),
            dict(init=GIVEN, max_iter=0),
            dict(init=TSNE(perplexity=5, random_state=0), max_iter=0),
            dict(init="pca", homotopy=True),
            *(dict(init=GIVEN, descent=by) for by in ("rprop", "gradient", "l-bfgs", uneven)),
            *(
                dict(init=GIVEN, leave_out=0, density_threshold=0.1, descent=by)
                for by in ("rprop", "gradient", "l-bfgs", jitter)
            ),
            *(dict(init=GIVEN, density_threshold=threshold) for threshold in (0.05, "10%")),
            dict(init=GIVEN, leave_out=2),
            *(guided() | dict(descent=by) for by in ("rprop", "gradient", "l-bfgs", jitter)),
            *(guided(schedule, nu=3) for schedule in ("nu-hold", "l-doubling", "deflation")),
            *(dict(init=GIVEN, data_kernel=kernel) for kernel in ("linear", "l1")),
            dict(init=GIVEN, kernel="quartic"),
        )
    ),
    *(
        (SNE, dict(h=9.0) | path)
        for path in (
            *(dict(init=init) for init in ("random", "pca", "isomap", GIVEN)),
            dict(init=GIVEN, max_iter=0),
            *(dict(init=GIVEN, descent=by) for by in ("rprop", "l-bfgs", jitter, uneven)),
            *(guided() | dict(descent=by) for by in ("gradient", "l-bfgs", jitter)),
        )
    ),
    *(
        (method, dict(init=init, max_iter=moves) | path)
        for method, path in (
            (ParametricDRUR, dict(n_basis=8)),
            (ParametricDRUR, dict(n_basis=8, refine=False, coarse=1)),
            (ParametricDRUR, dict(n_basis=4, model="mlp")),
            (NonparametricDRUR, {}),
            (NonparametricDRUR, dict(method="coupled", width=1.0)),
            (AutoencoderBaseline, dict(n_basis=4)),
            (GPLVMBaseline, {}),
        )
        for init, moves in (("pca", 0), (GIVEN, 0), (GIVEN, 12), ("random", 3))
    ),
    *(
        (PrincipalManifold, dict(n_components=2, penalty=1e-2, width=1.0) | path)
        for path in (
            {},
            dict(init=GIVEN),
            dict(init=GIVEN / 9, topology="periodic"),
            dict(init=GIVEN, max_iter=0, cost="l1"),
            dict(cost="huber", regularizer="linear", init="isomap"),
        )
    ),
    *((AgglomerativeIsomap, path) for path in ({}, dict(mapping="grnn"), dict(mapping="nystroem"))),
    (AgglomerativeIsomap, dict(n_landmarks=6, n_neighbors=3)),
    (OutOfSample, dict(embedding=TSNE(perplexity=5, random_state=0))),
]


def shown(value):
    return "given" if isinstance(value, np.ndarray) else getattr(value, "__name__", str(value)[:20])


@pytest.mark.parametrize(
    "method, path",
    [
        pytest.param(m, p, id=f"{m.__name__}-{'-'.join(f'{k}={shown(v)}' for k, v in p.items())}")
        for m, p in PATHS
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_equal_rows_share_their_latent_point_on_every_path(method, path):
    brief = BRIEF if "max_iter" in method().get_params() else {}
    model = method(**{**brief, **path})
    X = model.fit_transform(Y)
    assert np.array_equal(X, X[FIRST]) and len(np.unique(X[:12], axis=0)) > 1
    if hasattr(model, "transform"):
        assert np.array_equal(model.transform(Y), X)
    if hasattr(model, "reconstruction_error_"):  # the reported error is that of these points
        error = -model.score(Y) if method is not UKR else None
        if error is None:
            error = model._space.in_data_units(
                model._space.error(kernel=model._kernel, leave_one_out=False)(X)[0]
            )
        assert model.reconstruction_error_ == pytest.approx(error, rel=1e-9)
    if method is SNE:
        error, _ = neighbor_embedding.objective(Y, model.h)(X)
        assert model.error_ == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("method", [UKR, ParametricDRUR, NonparametricDRUR])
def test_a_given_start_is_averaged_over_equal_rows_and_else_used_as_it_is(method):
    model, sne = (m(init=GIVEN, max_iter=0).fit(Y) for m in (method, SNE))
    together = group_means(GIVEN, FIRST)
    assert_close(model.embedding_, together)
    assert_close(sne.embedding_, together - together.mean(axis=0))
    alone = np.flatnonzero(np.bincount(FIRST) == 1)
    assert_close(model.embedding_[alone], GIVEN[alone])
    assert_close(together[3], GIVEN[[3, 13, 14]].mean(axis=0))


class AsGiven(Embedding):
    """An estimator of the user that knows nothing of equal rows."""

    def _learn(self, Y, twins, journal):
        return {"embedding_": GIVEN}


def test_equal_rows_share_their_latent_point_whatever_an_estimator_learns():
    assert np.array_equal(AsGiven().fit(Y).embedding_, GIVEN[FIRST])


def test_points_that_agree_keep_all_their_digits_and_nobody_shares_without_groups():
    X, groups = np.array([[0.1], [7.0], [0.1], [0.1], [3.0]]), np.array([0, 1, 0, 0, 1])
    assert group_means(X, groups).ravel().tolist() == [0.1, 5.0, 0.1, 0.1, 5.0]
    assert of_first_member(X, groups).ravel().tolist() == [0.1, 7.0, 0.1, 0.1, 7.0]
    assert group_means(X, None) is X and of_first_member(X, None) is X
    assert together(jitter, None) is jitter


def test_a_group_follows_the_mean_of_its_gradients():
    pulls = np.array([[1.0], [3.0], [7.0]])
    shared = share_positions(lambda X: (5.0, pulls), np.array([0, 0, 1]))
    error, gradient = shared(np.zeros((3, 1)))
    assert error == 5 and gradient.ravel().tolist() == [2, 2, 7]


def test_a_descent_begins_at_the_means():
    begun = []
    descent = lambda objective, X0: begun.append(X0) or rprop(objective, X0)
    objective = lambda X: (0.0, np.zeros_like(X))
    next(together(descent, np.array([0, 0, 1]))(objective, np.array([[1.0], [3.0], [7.0]])))
    assert begun[0].ravel().tolist() == [2, 2, 7]


def test_a_descent_that_separates_a_group_is_judged_at_the_mean():
    objective = lambda X: (float(np.sum(X**2)), 2 * X)
    steps = together(jitter, np.array([0, 0, 1]))(objective, np.ones((3, 1)))
    for step in (next(steps), next(steps), next(steps)):
        assert step.X[0] == step.X[1] != step.X[2] or np.array_equal(step.X, np.ones((3, 1)))
        assert step.error == pytest.approx(np.sum(step.X**2))
