"""The mathematics of the explorables, in a real browser, against the library: nine digits."""

import functools
from pathlib import Path

import numpy as np
import pytest

from ukrlearn import SpectralGuidance, metrics, panels
from ukrlearn.blocks import (
    density_kernels,
    descent,
    gauss_newton,
    kernel_regression,
    networks,
    starts,
)
from ukrlearn.blocks.guided import guided
from ukrlearn.panels import rescue_the_roll
from ukrlearn.sgd import affinity, filters, neighbor_embedding
from ukrlearn.ukr import density_constraint, extent, reconstruction

CORE = (Path(panels.__file__).parent / "js" / "core.js").read_text(encoding="utf-8")
KERNELS = {"gaussian": density_kernels.gaussian, "quartic": density_kernels.quartic,
           "student": density_kernels.student}  # fmt: skip
CLOSE = {"rtol": 1e-9, "atol": 1e-12}
SHAPES = ((7, 3, 2), (30, 2, 1), (40, 5, 3))  # N, d, q

# Numbers travel as lists; lists of lists become tables, and tables lists again.
LOAD = """async (source) => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    window.core = await import(url);
    const plain = (value) =>
        value instanceof Float64Array ? Array.from(value)
        : Array.isArray(value) ? value.map(plain)
        : value && value.data ? core.lists(value)
        : value && typeof value === "object"
            ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]))
        : value;
    window.called = (name, given) => plain(core[name](...given.map((value) =>
        Array.isArray(value) && Array.isArray(value[0]) ? core.table(value)
        : core.kernels[value] ?? value)));
}"""


@pytest.fixture(scope="module")
def call(browser):
    """call(name, *arguments): what the function of that name gives in the browser."""
    page = browser.new_page()
    page.evaluate(LOAD, CORE)

    def called(name, *given):
        plain = [np.asarray(v).tolist() if isinstance(v, np.ndarray) else v for v in given]
        return page.evaluate("([name, given]) => called(name, given)", [name, plain])

    called.page = page
    yield called
    page.close()


@functools.cache
def points(N, d, q, seed=0):
    random = np.random.default_rng(seed)
    X = random.gamma(1.5, size=(N, q)) * (1 + np.arange(q)) - 0.7
    return X, random.normal(size=(N, d)) + 2, random.normal(size=(9, q))


each_kernel = pytest.mark.parametrize("kernel", KERNELS)
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)


@each_kernel
@each_shape
def test_kernel_regression_is_that_of_the_library(call, kernel, shape):
    X, Y, x = points(*shape)
    for name, given in (("weights", (x, X)), ("predict", (x, X, Y)), ("latent_density", (x, X))):
        wanted = getattr(kernel_regression, name)(*given, KERNELS[kernel])
        np.testing.assert_allclose(call(name, *given, kernel), wanted, **CLOSE)
    if X.shape[1] == 2:
        xs, ys = np.linspace(-1, 4, 7), np.linspace(-2, 3, 5)
        grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        wanted = kernel_regression.latent_density(grid, X, KERNELS[kernel])
        np.testing.assert_allclose(call("density_on_grid", xs, ys, X, kernel), wanted, **CLOSE)
    wanted = density_constraint.relative_density(X, KERNELS[kernel])
    np.testing.assert_allclose(call("relative_density", X, kernel), wanted, **CLOSE)


@each_kernel
@each_shape
@pytest.mark.parametrize("left_out", [True, False])
@pytest.mark.parametrize("scale", [0.3, 1.0, 100.0])
def test_the_error_and_its_gradient_are_those_of_the_library(call, kernel, shape, left_out, scale):
    X, Y, _ = points(*shape)
    X = scale * X
    error, gradient = reconstruction.reconstruction_error(X, Y, KERNELS[kernel], left_out)
    came = call("reconstruction_error", X, Y, kernel, left_out)
    np.testing.assert_allclose(came["error"], error, **CLOSE)
    size = np.abs(gradient).max()
    np.testing.assert_allclose(came["gradient"], gradient, rtol=1e-9, atol=1e-9 * size + 1e-12)
    wanted = reconstruction.squared_residuals(X, Y, KERNELS[kernel], left_out)
    np.testing.assert_allclose(
        call("squared_residuals", X, Y, kernel, left_out), wanted, rtol=1e-9, atol=1e-14
    )


@each_kernel
@each_shape
@pytest.mark.parametrize("scale", [0.3, 1.0, 100.0])
def test_both_errors_at_once_are_those_of_the_library(call, kernel, shape, scale):
    X, Y, _ = points(*shape)
    came = call("errors", scale * X, Y, kernel)
    for name, left_out in (("R", False), ("R_cv", True)):
        wanted = reconstruction.reconstruction_error(scale * X, Y, KERNELS[kernel], left_out)[0]
        np.testing.assert_allclose(came[name], wanted, **CLOSE)
    B = reconstruction.weight_matrix(scale * X, KERNELS[kernel])
    np.testing.assert_allclose(came["left_out"], B @ Y, **CLOSE)


@each_kernel
@pytest.mark.parametrize("left_out", [True, False])
def test_the_forces_on_a_point_are_those_of_the_library(call, kernel, left_out):
    X, Y, _ = points(*SHAPES[2])
    Q = reconstruction.pair_forces(X, Y, KERNELS[kernel], left_out)
    for n in (0, 17, 39):
        came = call("pair_forces_of", n, X, Y, kernel, left_out)
        np.testing.assert_allclose(came["rebuilt"], Q[n], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(came["helper"], Q[:, n], rtol=1e-9, atol=1e-12)


def test_rprop_takes_the_steps_of_the_library(call):
    X, Y, _ = points(*SHAPES[1])
    steps = descent.rprop(functools.partial(reconstruction.reconstruction_error, Y=Y), X)
    wanted = [(step.error, step.X.copy()) for step in descent.at_most(steps, 30)]
    came = call.page.evaluate(
        """([X, Y]) => {
            const [start, data] = [core.table(X), core.table(Y)];
            const steps = core.rprop((X) => core.reconstruction_error(X, data), start);
            const seen = [];
            for (let k = 0; k <= 30; k++) {
                const { X, error } = steps.next().value;
                seen.push([error, core.lists(X)]);
            }
            return seen;
        }""",
        [X.tolist(), Y.tolist()],
    )
    for (error, X), (error_there, X_there) in zip(wanted, came, strict=True):
        np.testing.assert_allclose(error_there, error, rtol=1e-9)
        np.testing.assert_allclose(X_there, X, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("signs", [(1, 1), (1, -1), (-1, -1), (0, 1), (1, 0)])
@pytest.mark.parametrize("step", [1e-9, 0.1, 9.9])
def test_a_step_size_grows_and_shrinks_as_in_the_library(call, signs, step):
    wanted = descent.rprop_step(np.array([step]), np.array(signs[:1]), np.array(signs[1:]))
    assert call("rprop_step", step, *signs) == pytest.approx(wanted[0], rel=1e-12)


@pytest.mark.parametrize("of_rest", [0.0, 0.3])
def test_a_guided_gradient_is_that_of_the_library(call, of_rest):
    random = np.random.default_rng(0)
    M = random.normal(size=(12, 12))
    spectrum = filters.decompose(M @ M.T)
    share = spectrum.values**2
    gradient = random.normal(size=(12, 2))
    vectors = spectrum.vectors[:, :5]
    guide = filters.Filter(np.ascontiguousarray(vectors), share[:5], of_rest)
    came = call("filtered", gradient, vectors, share[:5].tolist(), of_rest)
    np.testing.assert_allclose(came, guide(gradient), **CLOSE)
    assert call("perplexity", share.tolist()) == pytest.approx(filters.perplexity(share), rel=1e-9)


def test_guided_gradient_descent_takes_the_steps_of_the_library(call):
    X, Y, _ = points(*SHAPES[1])
    objective = functools.partial(reconstruction.reconstruction_error, Y=Y)
    spectrum = SpectralGuidance(h=1.0).spectrum(Y)
    guide = filters.powers(spectrum, 3.0)
    steps = guided(descent.gradient_descent, [guide] * 12)(objective, X)
    wanted = [step.X.copy() for step in descent.at_most(steps, 10)]
    came = call.page.evaluate(
        """([X, Y]) => {
            const data = core.table(Y);
            const { M, constant } = core.clustering_affinity(data, 1);
            const { values, vectors } = core.decompose(M, constant);
            const share = values.map((v) => v ** 3);
            const guide = (gradient) => core.filtered(gradient, vectors, share);
            const objective = (X) => core.reconstruction_error(X, data);
            const steps = core.gradient_descent(objective, core.table(X), { guide });
            return Array.from({ length: 11 }, () => core.lists(steps.next().value.X));
        }""",
        [X.tolist(), Y.tolist()],
    )
    for X, X_there in zip(wanted, came, strict=True):
        np.testing.assert_allclose(X_there, X, rtol=1e-8, atol=1e-9)


def test_a_schedule_of_powers_is_that_of_the_library(call):
    _, Y, _ = points(*SHAPES[2])
    spectrum = SpectralGuidance(h=1.0).spectrum(Y)
    came = call("spreading", spectrum.values.tolist(), 1, 8)
    directions = [filters.powers(spectrum, nu).directions for nu in came]
    wanted = [f.directions for f in filters.spreading(spectrum, 1, 8)]
    np.testing.assert_allclose(directions, wanted, rtol=1e-3)
    assert call("typical_bandwidth", Y) == pytest.approx(affinity.typical_bandwidth(Y), rel=1e-9)


@pytest.mark.parametrize("N", [1, 2, 9, 60])
def test_eigenvectors_are_those_of_numpy(call, N):
    A = np.random.default_rng(N).normal(size=(N, N))
    A = A + A.T
    came = call("eigh", A) if N > 1 else call("eigh", [[A[0, 0]]])
    values, V = np.array(came["values"]), np.array(came["vectors"])
    np.testing.assert_allclose(values, np.linalg.eigvalsh(A), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(V @ np.diag(values) @ V.T, A, atol=1e-9)
    np.testing.assert_allclose(V.T @ V, np.eye(N), atol=1e-9)


@each_shape
@pytest.mark.parametrize("k", [1, 2])
def test_the_judges_of_an_embedding_are_those_of_the_library(call, shape, k):
    X, Y, _ = points(*shape)
    for near in (X, X.round(), Y):  # rounded: neighbours at equal distances
        for name in ("trustworthiness", "continuity"):
            wanted = getattr(metrics, name)(near, Y, k)
            assert call(name, near, Y, k) == pytest.approx(wanted, abs=1e-12)
        wanted = starts.normalised(near, per_axis=False)
        np.testing.assert_allclose(call("normalised", near), wanted, rtol=1e-9, atol=1e-12)


def test_what_cannot_be_rebuilt_is_that_of_the_library_within_its_search(call):
    from ukrlearn.panels.referee import DAMAGES, Referee

    panel = Referee.example()
    for damage in DAMAGES:
        for amount in (0.0, 0.5, 1.0):
            X = panel.damaged(damage, amount)
            came, wanted = (
                call("loo_reconstruction", X, panel._Y),
                metrics.loo_reconstruction(X, panel._Y),
            )
            assert came == pytest.approx(wanted, rel=4e-3)
    panel.close()


@each_shape
@pytest.mark.parametrize("with_itself", [True, False])
@pytest.mark.parametrize("scale", [0.3, 1.0, 30.0])
def test_neighbor_embedding_is_that_of_the_library(call, shape, with_itself, scale):
    X, Y, _ = points(*shape)
    X = scale * X
    P = neighbor_embedding.neighbor_probabilities(Y, 0.7, with_itself)
    np.testing.assert_allclose(call("neighbor_probabilities", Y, 0.7, with_itself), P, **CLOSE)
    error, gradient = neighbor_embedding.neighbor_embedding_error(X, P, with_itself)
    came = call("neighbor_embedding_error", X, P, with_itself)
    np.testing.assert_allclose(came["error"], error, **CLOSE)
    size = np.abs(gradient).max()
    np.testing.assert_allclose(came["gradient"], gradient, rtol=1e-9, atol=1e-9 * size + 1e-12)


def test_a_gauss_newton_step_is_that_of_the_library(call):
    random = np.random.default_rng(0)
    f, y = random.normal(size=(2, 6, 4))
    x, F_y, J = (
        random.normal(size=(6, 2)),
        random.normal(size=(6, 2)),
        random.normal(size=(6, 4, 2)),
    )
    wanted = gauss_newton.gauss_newton_steps(f, J, x, y, F_y)
    for n in range(6):
        given = f[n].tolist(), J[n], x[n].tolist(), y[n].tolist(), F_y[n].tolist()
        np.testing.assert_allclose(call("gauss_newton_step", *given), wanted[n], **CLOSE)
        error = gauss_newton.projection_objective(f[[n]], x[[n]], y[[n]], F_y[[n]])[0]
        given = f[n].tolist(), x[n].tolist(), y[n].tolist(), F_y[n].tolist()
        assert call("projection_objective", *given) == pytest.approx(error, rel=1e-12)


@pytest.fixture(scope="module")
def sheet():
    """A network f from the plane to space, positions x, data Y near the sheet, and F(Y)."""
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 2))
    Y = np.column_stack([X[:, 0], np.sin(2 * X[:, 0]), X[:, 1]])
    centres = networks.cluster_centres(X, 15)
    f = networks.fit_rbf(X, Y, centres, 1.3, 1e-3)
    x = X[:12] + 0.3 * random.normal(size=(12, 2))
    return f, x, Y[:12] + 0.1 * random.normal(size=(12, 3)), X[:12] + 0.05


WITH_NETWORK = """([network, rows, then]) => {
    const f = core.rbf_network(network);
    const act = { value: (x) => f.at(x), jacobian: (x) => f.with_jacobian(x).J.data,
        second: (x, along) => f.second_derivatives(x, along).data,
        project: (x, y, F_y) => {
            const { x: X, error, taken } = core.project(f, x, y, F_y, 6, 0, 0.7);
            return [...X, error, ...taken];
        } };
    return rows.map((row) => Array.from(act[then](...row)));
}"""


def of_network(call, f, then, *tables):
    network = {"centres": f.centres.tolist(), "width": f.width, "W": f.W.tolist()}
    network["bias"] = f.bias.tolist()
    rows = [[part.tolist() for part in parts] for parts in zip(*tables, strict=True)]
    return np.array(call.page.evaluate(WITH_NETWORK, [network, rows, then]))


def test_a_network_its_slopes_and_its_curvature_are_those_of_the_library(call, sheet):
    f, x, y, _ = sheet
    value, J = f.with_jacobian(x)
    np.testing.assert_allclose(of_network(call, f, "value", x), value, **CLOSE)
    came = of_network(call, f, "jacobian", x).reshape(J.shape)
    np.testing.assert_allclose(came, J, rtol=1e-9, atol=1e-10)
    wanted = f.second_derivatives(x, y - value)
    came = of_network(call, f, "second", x, y - value).reshape(wanted.shape)
    np.testing.assert_allclose(came, wanted, rtol=1e-9, atol=1e-10)


def test_a_projection_takes_the_steps_of_the_library(call, sheet):
    f, x, y, F_y = sheet
    came = of_network(call, f, "project", x + 1.0, 3 * y, F_y)
    wanted = gauss_newton.project(f, x + 1.0, 3 * y, F_y, 6, 0, 0.7)
    np.testing.assert_allclose(came[:, :2], wanted.X, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(came[:, 2], wanted.error, rtol=1e-9)
    assert came[:, 3:].shape == (12, 6) and came[:, 3:].min() < 1 == came[:, 3:].max()
    assert np.mean(came[:, 3:] == 1) == pytest.approx(wanted.full_steps)


def test_a_symmetric_system_is_solved(call):
    random = np.random.default_rng(0)
    A = random.normal(size=(5, 5))
    A, b = A @ A.T + np.eye(5), random.normal(size=5)
    np.testing.assert_allclose(call("solve", A, b.tolist()), np.linalg.solve(A, b), rtol=1e-9)


def test_chance_is_the_same_for_the_same_seed_and_looks_normal(call):
    draw = """([seed, n]) => {
        const chance = core.random(seed);
        return Array.from({ length: n }, () => chance.normal());
    }"""
    first, again, other = (call.page.evaluate(draw, [seed, 4000]) for seed in (1, 1, 2))
    assert first == again != other
    assert abs(np.mean(first)) < 0.06 and abs(np.std(first) - 1) < 0.05


@pytest.mark.parametrize("seed", [0, 3, 99, 2**32 - 1])
def test_a_start_in_the_page_is_the_start_in_the_notebook(call, seed):
    came = call.page.evaluate(
        """(seed) => {
            const chance = core.random_state(seed);
            return Array.from({ length: 1001 }, () => chance.normal());
        }""",
        seed,
    )
    wanted = np.random.RandomState(seed).normal(size=1001)
    np.testing.assert_allclose(came, wanted, rtol=1e-12)


def test_packed_numbers_are_unpacked_to_half_a_step(call):
    from ukrlearn.panels._explorable import packed

    numbers = np.random.default_rng(0).normal(size=(30, 4))
    half = 0.5001 * np.ptp(numbers) / 65535
    np.testing.assert_allclose(call("unpacked", packed(numbers)), numbers.ravel(), atol=half)
    np.testing.assert_array_equal(call("unpacked", packed(np.full(5, 7.0))), np.full(5, 7.0))


@pytest.mark.parametrize("mirror", [1, -1])
def test_places_are_carried_by_the_similarity_of_the_library(call, mirror):
    random = np.random.default_rng(3)
    t, places = random.uniform(size=(40, 2)) * [90, 50], random.uniform(size=(5, 2))
    X = t @ [[0.3, mirror], [-1, 0.3 * mirror]] + random.normal(size=(40, 2)) + 4
    wanted = rescue_the_roll.carried(places, t, X)
    np.testing.assert_allclose(call("carried", places, t, X), wanted, **CLOSE)


@each_kernel
@pytest.mark.parametrize("q", [1, 2])
def test_the_size_of_cells_of_the_manifold_is_that_of_the_library(call, kernel, q):
    X, Y, _ = points(40, q + 1, q)
    x, cell = extent.latent_grid(X, 9)
    found = call("latent_grid", X, 9)
    np.testing.assert_allclose(found["x"], x, **CLOSE)
    assert found["cell"] == pytest.approx(cell)
    wanted = extent.stretches(x, X, Y, KERNELS[kernel])
    found = call("stretches", x, X, Y, kernel)
    for name in wanted._fields:  # squares, because a root makes the rounding errors of zeros large
        squares = getattr(wanted, name) ** 2
        close = {"rtol": 1e-9, "atol": 1e-12 * squares.max()}
        np.testing.assert_allclose(np.square(found[name]), squares, **close)
