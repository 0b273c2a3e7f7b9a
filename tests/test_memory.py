"""Memory is estimated before it is taken: what is refused, and how true the estimates are."""

import re
import tracemalloc

import numpy as np
import pytest
from helpers import each, read_only

from ukrlearn import (
    SNE,
    UKR,
    KernelDensityClassifier,
    NonparametricDRUR,
    ParametricDRUR,
    PrincipalManifold,
    SpectralGuidance,
)
from ukrlearn.blocks import kernel_ridge, memory, starts
from ukrlearn.estimators.baselines import AutoencoderBaseline
from ukrlearn.estimators.isomap import AgglomerativeIsomap
from ukrlearn.estimators.maps import KernelRidgeMap
from ukrlearn.sgd import filters

N = 20_000
MANY = read_only(np.random.default_rng(0).normal(size=(N, 3)))
WIDE = read_only(np.random.default_rng(0).normal(size=(N, 10)))
SQUARE = np.broadcast_to(0.0, (N, N))  # a Gram matrix that takes no memory itself
JUST_SO = dict(init="random", max_iter=1)

# What is refused, with the number of GB and a remedy.
TOO_MUCH = {
    "SNE": (lambda: SNE().fit(MANY), "6.4 GB", "use UKR"),
    "SNE, a list": (lambda: SNE().fit([[0.0]] * N), "6.4 GB", "use UKR"),
    "linear": (lambda: UKR(data_kernel="linear").fit(MANY), "22 GB", "data_kernel=None"),
    "own kernel": (lambda: UKR(data_kernel=np.dot).fit(MANY), "22 GB", "data_kernel=None"),
    "precomputed": (lambda: UKR(data_kernel="precomputed").fit(SQUARE), "22 GB", "a sample"),
    "guidance": (
        lambda: UKR(guidance=SpectralGuidance(h=1.0)).fit(MANY),
        "9.6 GB",
        'matrix="neighbors"',
    ),
    "starts.isomap": (lambda: starts.isomap(MANY, 2, 8), "9.6 GB", 'init="pca"'),
    "starts.gaussian_kernel_pca": (
        lambda: starts.gaussian_kernel_pca(MANY, 2),
        "22 GB",
        'init="pca"',
    ),
    "init": (lambda: UKR(init="isomap").fit(MANY), "9.6 GB", 'init="pca"'),
    "classes": (
        lambda: KernelDensityClassifier().fit(np.vstack([MANY, MANY]), np.arange(2 * N) // 2),
        "the 20000 classes of 40000 points would take about 9.6 GB",
        "fewer classes",
    ),
    "NonparametricDRUR": (lambda: NonparametricDRUR().fit(MANY), "7.7 GB", "ParametricDRUR"),
    "coupled": (lambda: NonparametricDRUR(method="coupled").fit(MANY), "13 GB", "ParametricDRUR"),
    "paths": (lambda: AgglomerativeIsomap(n_landmarks=N).fit(MANY), "9.6", 'n_landmarks="auto"'),
    "graph": (lambda: AgglomerativeIsomap(n_neighbors=N).fit(MANY), "34", "n_neighbors"),
    "ridge": (lambda: KernelRidgeMap(n_centres=N).fit(MANY, MANY), "19 GB", 'n_centres="auto"'),
    "hidden units": (lambda: AutoencoderBaseline(n_basis=10**9).fit(MANY), "132,512 GB", "fewer"),
    "perceptron": (lambda: ParametricDRUR(model="mlp", n_basis=10**6).fit(MANY), "133 GB", "fewer"),
    "nodes": (lambda: PrincipalManifold(6).fit(WIDE), "GB", "fewer components"),
    "narrow": (lambda: PrincipalManifold(width=1e-300).fit(MANY), "GB", "a greater width"),
}


@pytest.fixture(autouse=True)
def two_gigabytes(monkeypatch):
    """The same limit on every machine, however busy."""
    monkeypatch.delenv(memory.VARIABLE, raising=False)
    monkeypatch.setattr(memory, "left", lambda: np.inf)


@each("name", TOO_MUCH)
def test_what_does_not_fit_into_memory_is_refused_before_it_is_taken(name):
    call, gigabytes, remedy = TOO_MUCH[name]
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=re.escape(gigabytes)) as caught:
            call()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "would take about" in str(caught.value) and remedy in str(caught.value)
    assert peak < 64 * MANY.nbytes  # 31 MB: copies of the data and their keys, and no N x N array


def test_a_refused_fit_leaves_no_model():
    fitted = SNE(max_iter=1).fit(MANY[:20])
    with pytest.raises(ValueError, match="SNE of 20000 points would take about 6.4 GB"):
        fitted.fit(MANY)
    assert not hasattr(fitted, "embedding_")


# ------------------------------------------------------------------ how much may be used


def test_the_environment_sets_the_limit(monkeypatch):
    assert memory.usable() == memory.LIMIT == 2
    monkeypatch.setattr(memory, "left", lambda: 0.5)
    assert memory.usable() == 0.5
    monkeypatch.setenv(memory.VARIABLE, "1000")
    assert memory.usable() == 1000
    memory.demand("a terabyte", 0.999e12 / 8, "Leave it.")
    with pytest.raises(ValueError, match="^more would take about 1,001 GB .* at most 1,000 GB"):
        memory.demand("more", 1.001e12 / 8, "Leave it.")
    for wrong in ("much", "-1", "0", "nan", ""):
        monkeypatch.setenv(memory.VARIABLE, wrong)
        with pytest.raises(ValueError, match="must be a positive number of GB"):
            memory.usable()


def made(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@pytest.mark.parametrize(
    "files, gigabytes",
    [
        ({}, np.inf),
        ({"proc/meminfo": "MemTotal: 9000000 kB\nMemAvailable: 3000000 kB\n"}, 3.072),
        (
            {
                "proc/meminfo": "MemAvailable: 3000000 kB\n",
                "sys/fs/cgroup/memory.max": "2000000000\n",
                "sys/fs/cgroup/memory.stat": "file 500\nanon 500000000\n",
            },
            1.5,
        ),
        (
            {"sys/fs/cgroup/memory.max": "max\n", "proc/meminfo": "MemAvailable: 1000 kB\n"},
            1.024e-3,
        ),
        (
            {
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "1000000000\n",
                "sys/fs/cgroup/memory/memory.stat": "total_rss 1200000000\n",
            },
            0.0,
        ),
    ],
    ids=["no files", "machine", "container", "no limit", "full container"],
)
def test_what_is_left_is_what_machine_and_container_say(files, gigabytes, tmp_path, monkeypatch):
    monkeypatch.undo()
    assert memory.left(made(tmp_path, files)) == pytest.approx(gigabytes)


# ------------------------------------------------------------------ the estimates

SOME = read_only(np.random.default_rng(1).normal(size=(500, 3)))
SOME_WIDE = read_only(np.random.default_rng(1).normal(size=(500, 10)))
GRAM = read_only(SOME @ SOME.T)
GUIDED = dict(h=0.5, max_iter=1)
ESTIMATED = {
    "SNE": lambda: SNE(h=0.5, max_iter=1).fit(SOME),
    "clustering": lambda: SNE(guidance=SpectralGuidance(), **GUIDED).fit(SOME),
    "kpca": lambda: SNE(guidance=SpectralGuidance(matrix="kpca"), **GUIDED).fit(SOME),
    "matrix": lambda: SNE(guidance=SpectralGuidance(matrix=np.eye(500)), **GUIDED).fit(SOME),
    "linear": lambda: UKR(data_kernel="linear", **JUST_SO).fit(SOME),
    "l1": lambda: UKR(data_kernel="l1", **JUST_SO).fit(SOME),
    "precomputed": lambda: UKR(data_kernel="precomputed", **JUST_SO).fit(GRAM),
    "starts.isomap": lambda: starts.isomap(SOME, 2, 8),
    "starts.gaussian_kernel_pca": lambda: starts.gaussian_kernel_pca(SOME, 2),
    "classes": lambda: KernelDensityClassifier().fit(SOME, np.arange(500) // 2),
    "NonparametricDRUR": lambda: NonparametricDRUR(**JUST_SO).fit(SOME),
    "coupled": lambda: NonparametricDRUR(method="coupled", **JUST_SO).fit(SOME),
    "paths": lambda: AgglomerativeIsomap(n_landmarks=500, mapping="nystroem").fit(SOME),
    "graph": lambda: AgglomerativeIsomap(n_landmarks=10, n_neighbors=500, mapping="nystroem").fit(
        SOME
    ),
    "ridge": lambda: KernelRidgeMap(n_centres=500).fit(SOME, SOME),
    "nodes": lambda: PrincipalManifold(width=0.02, n_basis=500, penalty=1e-3, max_iter=1).fit(SOME),
}


@each("name", ESTIMATED)
def test_the_estimates_are_near_what_is_taken(name, monkeypatch):
    starts.isomap(SOME[:50], 2, 8)  # what it imports is not counted below
    estimates = []
    monkeypatch.setattr(memory, "demand", lambda what, numbers, remedy: estimates.append(numbers))
    # What hundreds of points use in another way than thousands.
    monkeypatch.setattr(filters, "DENSE", 100)
    monkeypatch.setattr(filters, "LEADING", 5)
    monkeypatch.setattr(kernel_ridge, "JUDGED", 100)
    tracemalloc.start()
    try:
        ESTIMATED[name]()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # LAPACK's work space is not traced: up to 3/5 of the whole in an eigendecomposition.
    assert 0.35 < peak / 8 / max(estimates) < 1.25
