"""The mathematics of the explorables, in a real browser, against the library: nine digits.

Every function of js/core with a twin in the library is compared in 200 cases that hypothesis draws.
A function that changes in the library and not there fails here. All cases of a function are
evaluated by one call into the browser.
"""

import functools
import json
import re

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier

from tests.browser.drawn import recipes
from ukrlearn import datasets, metrics
from ukrlearn.blocks import descent, gauss_newton, kernel_regression, networks, scales
from ukrlearn.blocks.guided import guided
from ukrlearn.estimators.maps import KernelRidgeMap
from ukrlearn.panels import _explorable, rescue_the_roll
from ukrlearn.rpm import adaptation, costs, maps
from ukrlearn.rpm.index_sets import Box, Labels, Space
from ukrlearn.rpm.kernels import Gaussian
from ukrlearn.rpm.principal_manifold import start_on_axes
from ukrlearn.rpm.quantization import quantize
from ukrlearn.sgd import affinity, filters, neighbor_embedding
from ukrlearn.si import dissimilarity, geodesics
from ukrlearn.ukr import density_constraint, extent, reconstruction

CORE = sorted(f"core/{file.name}" for file in (_explorable.JS / "core").glob("*.js"))
RTOL = 1e-9

# Numbers travel as JSON text, which keeps every digit; lists of lists become tables.
LOAD = """async (source) => {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    window.core = await import(url);
    const plain = (value) =>
        ArrayBuffer.isView(value) ? Array.from(value)
        : Array.isArray(value) ? value.map(plain)
        : value && value.data ? core.lists(value)
        : value && typeof value === "object"
            ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, plain(v)]))
        : value;
    const given = (value) =>
        Array.isArray(value) && Array.isArray(value[0]) ? core.table(value)
        : Array.isArray(value) ? Float64Array.from(value)
        : core.kernels[value] ?? value;
    const taken = (steps, number) => Array.from({ length: number }, () => {
        const { X, error, gradient } = steps.next().value;
        return { X, error, gradient };
    });
    const network = (of) => core.rbf_network(of);
    window.more = {
        kernel: (kernel, t) => ({ value: t.map(kernel.value), slope: t.map(kernel.slope) }),
        rprop: (X, Y, kernel, number, wall = Infinity) => taken(core.rprop((X) =>
            X.data.some((x) => Math.abs(x) > wall) ? { error: NaN, gradient: X }
                : core.reconstruction_error(X, Y, kernel), X), number),
        gradient_descent: (X, Y, h, nu, number) => {
            const { M, constant } = core.clustering_affinity(Y, h);
            const { values, vectors } = core.finished(core.decomposition(M, constant));
            const share = values.map((v) => v ** nu);
            const guide = (gradient) => core.filtered(gradient, vectors, share, 0);
            const objective = (X) => core.reconstruction_error(X, Y);
            return taken(core.gradient_descent(objective, X, { guide }), number);
        },
        network: (of, x, along) => ({ ...network(of).with_jacobian(x), at: network(of).at(x),
            second: network(of).second_derivatives(x, along) }),
        project: (of, ...given) => core.project(network(of), ...given),
        objective_of: (X, P, with_itself) => core.objective_of(P, with_itself)(X),
        step_at: (X, error, slope) =>
            core.step_at((X) => ({ error: Number(error.replace("inf", "Infinity")),
                gradient: core.mapped(X, () => Number(slope)) }), X),
        trustworthiness: (X, Y, k) =>
            core.agreement_of(end(core.false_neighbors_search(X, Y, k)).cost, k),
        continuity: (X, Y, k) =>
            core.agreement_of(end(core.false_neighbors_search(Y, X, k)).cost, k),
        two_way: (X, Y, k) => Object.values(end(core.two_way_search(X, Y, k))),
        agglomerated: (Y, h) => {
            const graph = core.agglomerated(core.euclidean(Y), h);
            const flat = (pairs) => pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]).flat();
            const path = [Y.rows - 1];
            const { before } = core.shortest_paths(graph, 0);
            while (path[0] !== 0) path.unshift(before[path[0]]);
            return { edges: flat(graph.edges), arcs: flat(graph.arcs), pieces: graph.pieces, path,
                G: end(core.geodesic_distances(graph)) };
        },
        ridge_map: (Y, unit, Z, points) =>
            core.ridge_map(core.finished(core.ridge_paths(Y, unit)), Z)(points),
        in_turn: (kind, Y, cost, sigma, number, ...rest) => {
            const costs = { squared: core.squared, L1: core.l1, Huber: core.huber(sigma) };
            const [project, fit, f] = {
                points: (C) => [core.project_to_labels(C.rows), core.fit_constants,
                    core.codebook(C)],
                lines: (centres, directions) => [core.project_to_labels(centres.rows),
                    core.fit_lines, core.lines(centres, directions)],
                line: (...f) => [core.project_to_line, core.fit_affine, core.affine(...f)],
                curve: (width, nodes, penalty) => {
                    const { fit, start } = core.curves(width, nodes, penalty);
                    return [core.project_to_curve, fit, start(Y)];
                },
            }[kind](...rest);
            const steps = core.quantize(Y, f, project, fit, costs[cost]);
            return Array.from({ length: number }, () => {
                const { Z, f, distortion, penalty } = steps.next().value;
                const residuals = Array.from(Z, (z, n) => f.residual(z, core.row(Y, n)));
                return { residuals, distortion, penalty };
            });
        },
        normal: (seed, number) => {
            const chance = core.random_state(seed);
            return Array.from({ length: number }, () => chance.normal());
        },
    };
    const end = (result) => (typeof result?.next === "function" ? core.finished(result) : result);
    window.all = (text) => JSON.stringify(JSON.parse(text).map(([name, values]) =>
        plain(end((window.more[name] ?? core[name])(...values.map(given))))));
}"""


@pytest.fixture(scope="module")
def evaluate(browser):
    """evaluate([(name, arguments), ...]): the results of the functions in js/core."""
    page = browser.new_page()
    page.evaluate(LOAD, _explorable.joined(*CORE))

    def evaluated(calls):
        text = json.dumps([[name, [listed(v) for v in given]] for name, given in calls])
        return json.loads(page.evaluate("(text) => all(text)", text))

    evaluated.page = page
    yield evaluated
    page.close()


def listed(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {name: listed(v) for name, v in value.items()}
    return value.item() if isinstance(value, np.generic) else value


class Wanted:
    """What the library gives, and below which size its digits are those of rounding."""

    def __init__(self, value, rounding=0.0):
        self.value, self.rounding = np.asarray(value, dtype=float), rounding

    def off(self, came):
        """The error relative to the greatest number, beyond rounding; infinite for NaN."""
        came = np.asarray([] if came is None else came, dtype=float).reshape(self.value.shape)
        off = np.abs(came - self.value).max(initial=0.0)
        allowed = max(np.abs(self.value).max(initial=0.0), np.finfo(float).tiny)
        off = max(off - self.rounding, 0.0) / allowed
        return np.inf if np.isnan(came).any() else off


class EachWanted(Wanted):
    """The same for numbers that count each for itself, such as densities."""

    def off(self, came):
        came = np.asarray(came, dtype=float).reshape(self.value.shape)
        allowed = np.maximum(np.abs(self.value), 1e-290)
        off = np.maximum(np.abs(came - self.value) - self.rounding, 0.0) / allowed
        return np.inf if np.isnan(came).any() else off.max(initial=0.0)


def compared(wanted, came):
    """The greatest error of nested results."""
    if isinstance(wanted, Wanted):
        return wanted.off(came)
    if isinstance(wanted, dict):
        return max(compared(one, came[name]) for name, one in wanted.items())
    return max(compared(one, there) for one, there in zip(wanted, came, strict=True))


# Each twin takes a recipe and gives the arguments of the function in js/core, and what is wanted.
TWINS = {}


def twin(*names):
    def kept(function):
        for name in names:
            TWINS[name] = functools.partial(function, name=name) if len(names) > 1 else function
        return function

    return kept


@twin("kernel")
def _(case):
    t = np.append(10.0 ** case.random.uniform(-9, 3, size=case.N), [0.0, 1.0])
    kernel = case.kernel
    wanted = {"value": EachWanted(kernel(t), 1e-300), "slope": EachWanted(kernel.slope(t), 1e-300)}
    return (case.kernel_name, t), wanted


@twin("weights", "predict", "latent_density")
def _(case, name):
    given = {
        "weights": (case.x, case.X),
        "predict": (case.x, case.X, case.Y),
        "latent_density": (case.x, case.X),
    }[name]
    wanted = getattr(kernel_regression, name)(*given, case.kernel)
    kind = EachWanted if name == "latent_density" else Wanted
    return (*given, case.kernel_name), kind(wanted)


@twin("density_on_grid")
def _(case):
    case = case.with_(q=2)
    xs, ys = case.x[:, 0], case.x[:, 1]
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    wanted = case.kernel.value(cdist(grid, case.X, "sqeuclidean")).mean(axis=1)  # never cut off
    return (xs, ys, case.X, case.kernel_name), EachWanted(wanted)


@twin("relative_density")
def _(case):
    wanted = density_constraint.relative_density(case.X, case.kernel)
    return (case.X, case.kernel_name), EachWanted(wanted)


@twin("latent_grid")
def _(case):
    case = case.with_(q=1 + case.flag)
    x, cell = extent.latent_grid(case.X, 1 + case.M)
    return (case.X, 1 + case.M), {"x": Wanted(x), "cell": Wanted(cell)}


@twin("stretches")
def _(case):
    case = case.with_(q=1 + case.flag)
    found = extent.stretches(case.x, case.X, case.Y, case.kernel)
    rows = kernel_regression.kernel_rows(case.x, case.X, case.kernel)
    apart = np.abs(case.x[:, None] - case.X[None]).max(axis=2)
    slopes = ((np.abs(rows.steepness) * apart).sum(axis=1) / rows.total).max()
    # An area is the root of a difference of products of these.
    of_data = slopes * np.abs(case.Y).max()
    return (case.x, case.X, case.Y, case.kernel_name), {
        "of_manifold": Roots(found.of_manifold, 1e-13 * of_data ** (2 * case.q)),
        "of_weights": Wanted(found.of_weights, 1e-13 * slopes**case.q),
    }


class Roots(Wanted):
    """Roots of numbers with this rounding."""

    def off(self, came):
        return Wanted(self.value**2, self.rounding).off(np.square(came)) / 2


def root(error):
    return np.sqrt(np.maximum(np.asarray(error), 0))


def rounding_of_residuals(case):
    """Residuals are differences of numbers as large as the data."""
    return 4e-15 * np.abs(case.Y).max(initial=0.0)


class Squares(EachWanted):
    """Squares whose roots have this rounding."""

    def off(self, came):
        return EachWanted(root(self.value), self.rounding).off(root(came)) * 2


def left_out(case):
    return case.least(2) if case.flag else case


@twin("squared_residuals")
def _(case):
    case = left_out(case)
    wanted = reconstruction.squared_residuals(case.X, case.Y, case.kernel, case.flag)
    given = case.X, case.Y, case.kernel_name, case.flag
    return given, Squares(wanted, rounding_of_residuals(case))


def forces(case):
    """Q, and what rounding leaves of addends of the gradient, and of forces, that cancel."""
    Q = reconstruction.pair_forces(case.X, case.Y, case.kernel, case.flag)
    rows = kernel_regression.kernel_rows(
        case.X, case.X, case.kernel, (np.arange(case.N),) * 2 if case.flag else None
    )
    steepest = np.abs(rows.steepness / rows.total[:, None]).max()
    rounding = 1e-13 * steepest * case.N * np.abs(case.Y).max() ** 2 * case.d
    apart = np.abs(case.X[:, None] - case.X[None]).max(axis=2)
    apart += 1e-15 * np.abs(case.X).max()  # the library moves the points to the origin
    addends = 2 / case.N * (np.abs(Q + Q.T) * apart).sum(axis=1).max()
    return Q, addends * RTOL + rounding * apart.max(), rounding


@twin("reconstruction_error")
def _(case):
    case = left_out(case)
    error, gradient = reconstruction.reconstruction_error(case.X, case.Y, case.kernel, case.flag)
    of_gradient = forces(case)[1]
    return (case.X, case.Y, case.kernel_name, case.flag), {
        "error": Squares(error, rounding_of_residuals(case)),
        "gradient": Wanted(gradient, of_gradient),
    }


@twin("pair_forces_of")
def _(case):
    case = left_out(case)
    Q, _, rounding = forces(case)
    n = case.M % case.N
    given = n, case.X, case.Y, case.kernel_name, case.flag
    return given, {"rebuilt": Wanted(Q[n], rounding), "helper": Wanted(Q[:, n], rounding)}


@twin("errors")
def _(case):
    case = case.least(2)
    wanted = {
        name: Squares(
            reconstruction.reconstruction_error(case.X, case.Y, case.kernel, out)[0],
            rounding_of_residuals(case),
        )
        for name, out in (("R", False), ("R_cv", True))
    }
    B = reconstruction.weight_matrix(case.X, case.kernel)
    return (case.X, case.Y, case.kernel_name), {**wanted, "left_out": Wanted(B @ case.Y)}


@twin("rprop_step")
def _(case):
    sign, before = case.random.integers(-1, 2, size=2)
    step = case.h / 10
    wanted = descent.rprop_step(np.array([step]), np.array([sign]), np.array([before]))[0]
    return (step, sign, before), EachWanted(wanted)


def in_general_position(case):
    """Descents are compared where no point has only one neighbour: its gradient is zero but for
    rounding, which chooses another sign here and there."""
    size = (case.size - 2) / 5
    return case.with_(shape="general", data_shape="general", offset=0, size=size).least(6)


STEPS = 12


@twin("rprop")
def _(case):
    case = in_general_position(case)
    if case.kernel.compact:
        case = case.with_(kernel_name="gaussian")
    wall = np.abs(case.X).max() + (0.15 if case.flag else 1e3)  # beyond it there is no error

    def objective(X):
        if np.abs(X).max() > wall:
            return np.nan, X
        return reconstruction.reconstruction_error(X, case.Y, case.kernel)

    steps = list(descent.at_most(descent.rprop(objective, case.X), STEPS))
    return (case.X, case.Y, case.kernel_name, STEPS + 1, wall), [
        {"X": Wanted(step.X), "error": Squares(step.error, rounding_of_residuals(case))}
        for step in steps
    ]


@twin("gradient_descent")
def _(case):
    case = in_general_position(case.least(12))
    h = 10**case.share * affinity.typical_bandwidth(case.Y)
    M = affinity.normalised_and_constant(affinity.gaussian_similarities(case.Y, h))
    spectrum = filters.decompose(*M)
    objective = functools.partial(reconstruction.reconstruction_error, Y=case.Y)
    power = 1 + case.power  # a root would raise what rounding leaves of small eigenvalues
    filter = filters.powers(spectrum, power)
    steps = guided(descent.gradient_descent, [filter] * STEPS)(objective, case.X)
    wanted = list(descent.at_most(steps, 1))  # rounding grows with each line search
    least = 1e-6 * np.abs(wanted[0].gradient).max()
    while np.abs(wanted[-1].gradient).max() < least:  # on a plateau, rounding ends the line search
        wanted.pop()
    return (case.X, case.Y, h, power, len(wanted)), [
        {"X": Wanted(step.X), "error": Squares(step.error, rounding_of_residuals(case))}
        for step in wanted
    ]


@twin("step_at")
def _(case):
    error, slope = [1.0, np.nan, np.inf, 2.0][case.M % 4], [1.0, np.nan, 3.0][case.N % 3]
    came = descent.step_at(lambda X: (error, np.full_like(X, slope)), case.X)
    wanted = {"X": Wanted(came.X), "gradient": Wanted(came.gradient)}
    shown = None if np.isinf(came.error) else came.error  # JSON has no infinity
    return (case.X, str(error), str(slope)), {**wanted, "error": Is(shown)}


class Is(Wanted):
    """Exactly this."""

    def __init__(self, value):
        self.value = value

    def off(self, came):
        return 0.0 if came == self.value else np.inf


@twin("typical_bandwidth")
def _(case):
    return (case.Y,), EachWanted(affinity.typical_bandwidth(case.Y))


@twin("clustering_affinity")
def _(case):
    h = case.h * 10 ** (2 * case.data_size)
    M, constant = affinity.normalised_and_constant(affinity.gaussian_similarities(case.Y, h))
    return (case.Y, h), {"M": EachWanted(M), "constant": EachWanted(constant)}


def symmetric(case):
    A = case.random.normal(size=(case.N, case.N))
    A = 10**case.size * (A + A.T)
    if case.shape == "equal":
        A[:] = A[0, 0]
    elif case.shape == "collinear":
        A = np.diag(np.diag(A))
    elif case.shape == "pairs":
        A[case.N // 2 :] = A[:, case.N // 2 :] = 0
    return A


class Spectral(Wanted):
    """Eigenvalues, and eigenvectors that rebuild the matrix and are orthonormal, in any order and
    with any sign."""

    def __init__(self, values, A, size):
        self.values, self.A, self.size = values, A, size

    def off(self, came):
        values, V = np.array(came["values"]), np.array(came["vectors"])
        size = self.size or 1.0
        return max(
            np.abs(values - self.values).max() / size,
            np.abs(V * values @ V.T - self.A).max() / size,
            np.abs(V.T @ V - np.eye(len(V))).max(),
        )


@twin("eigenvectors")
def _(case):
    A = symmetric(case)
    values = np.linalg.eigvalsh(A)
    return (A,), Spectral(values, A, np.abs(values).max())


@twin("decomposition")
def _(case):
    h = case.h * 10 ** (2 * case.data_size)
    M, constant = affinity.normalised_and_constant(affinity.gaussian_similarities(case.Y, h))
    if not case.flag or np.linalg.eigvalsh(M)[:-1].max(initial=0) < 1e-6:
        constant = None  # otherwise only rounding would be left
    spectrum = filters.decompose(M, constant)
    rebuilt = spectrum.vectors * spectrum.values @ spectrum.vectors.T
    return (M, constant), Spectral(spectrum.values, rebuilt, 1.0)


def spectrum_of(case):
    values = np.sort(case.random.uniform(size=case.N) ** (1 + 5 * case.share))[::-1]
    if case.shape == "pairs":
        values[case.N // 2 :] = 0
    elif case.shape == "equal":
        values[:] = 1
    return values / values[0] if values[0] > 0 else values


@twin("power_with")
def _(case):
    values = spectrum_of(case)
    spectrum = filters.Spectrum(values, np.eye(case.N))
    directions = 1 + case.share * case.N
    return (values, directions), EachWanted(filters.power_with(spectrum, directions))


@twin("filtered")
def _(case):
    V, _ = np.linalg.qr(case.random.normal(size=(case.N, case.N)))
    V = np.ascontiguousarray(V[:, : max(1, case.N // 2)])
    share, rest = case.random.uniform(size=V.shape[1]), case.share * case.flag
    guide = filters.Filter(V, share, rest)
    return (case.X, V, share, rest), Wanted(guide(case.X))


@twin("perplexity")
def _(case):
    share = np.where(case.random.uniform(size=case.N) < 0.2, 0, spectrum_of(case) ** case.power)
    share[0] = 1
    return (share,), EachWanted(filters.perplexity(share))


@twin("false_neighbors_search")
def _(case):
    case, k = judged(case)
    after, true = ranks(case.X), ranks(case.Y)
    found = np.argsort(after, axis=1, kind="stable")[:, :k]
    of_neighbors = np.take_along_axis(true, found, axis=1)
    return (case.X, case.Y, k), {
        "neighbors": Wanted(found.ravel()),
        "rank": EachWanted(of_neighbors.mean(axis=1)),
        "cost": Wanted(np.maximum(of_neighbors - k, 0).sum(axis=1)),
    }


def judged(case):
    case = case.with_(offset=0).least(3)
    return case, 1 + case.M % max(1, (case.N - 1) // 2)


def ranks(points):
    """Rank of each point among the others, from each point; ties by number; itself last."""
    t = np.sum((points[:, None] - points[None]) ** 2, axis=2)
    np.fill_diagonal(t, np.inf)
    order = np.argsort(t, axis=1, kind="stable")
    found = np.empty_like(order)
    np.put_along_axis(found, order, np.arange(1, len(t) + 1)[None], axis=1)
    return found


@twin("trustworthiness", "continuity")
def _(case, name):
    case, k = judged(case)
    return (case.X, case.Y, k), Wanted(getattr(metrics, name)(case.X, case.Y, k), 1e-15)


@twin("order_recovered")
def _(case):
    x, t = case.random.normal(size=(2, case.N + 2))
    return (x, t), EachWanted(metrics.order_recovered(x[:, None], t[:, None]), 1e-15)


@twin("agreement_of")
def _(case):
    case, k = judged(case)
    cost = case.random.integers(0, 4, size=case.N)
    N = case.N
    return (cost, k), Wanted(1 - 2 * cost.sum() / (N * k * (2 * N - 3 * k - 1.0)))


@twin("normalised")
def _(case):
    size = np.abs(case.X).max(initial=1e-300)
    wanted = scales.normalised(case.X, per_axis=False)
    spread = np.sqrt(np.mean((case.X - case.X.mean(axis=0)) ** 2)) or size
    return (case.X,), Wanted(wanted, 1e-15 * size / spread)


@twin("two_way")
def _(case):
    case = case.with_(shape="general", data_shape="general", offset=0).least(5)
    k = 1 + case.M % ((case.N - 1) // 2)
    return (case.X, case.Y, k), Wanted(metrics.two_way(case.X, case.Y, k))


@twin("neighbor_probabilities")
def _(case):
    case = case.least(2)
    h = case.h * 10 ** (2 * case.data_size)
    wanted = neighbor_embedding.neighbor_probabilities(case.Y, h, case.flag)
    return (case.Y, h, case.flag), EachWanted(wanted)


@twin("objective_of")
def _(case):
    case = case.least(2)
    P = neighbor_embedding.neighbor_probabilities(case.Y, 10 ** (2 * case.data_size), case.flag)
    error, gradient = neighbor_embedding.neighbor_embedding_error(case.X, P, case.flag)
    apart = np.abs(case.X[:, None] - case.X[None]).max()
    moved = 1e-15 * np.abs(case.X).max()  # by the library, which moves the points to the origin
    return (case.X, P, case.flag), {
        # The error is what remains of sums as large as log N and the greatest squared distance.
        "error": Wanted(error, 1e-14 * (np.log(case.N) + apart**2 * case.q)),
        "gradient": Wanted(gradient, 1e-13 * apart + moved),
    }


def network_of(case):
    random = np.random.default_rng(case.seed + 3)
    scale = 10**case.size
    centres = case.with_(N=1 + case.N % 7).X
    W = random.normal(size=(len(centres), case.d))
    bias = random.normal(size=case.d)
    width = scale * (0.3 + 2 * case.share)
    f = networks.RBFNetwork(centres, width, W, bias)
    return f, {"centres": centres, "width": width, "W": W, "bias": bias}


@twin("network")
def _(case):
    f, described = network_of(case)
    x, along = case.x[:1], case.random.normal(size=(1, case.d))
    value, J = f.with_jacobian(x)
    of_slope, of_bend = np.abs(f.W).max() / f.width, np.abs(f.W).max() / f.width**2
    return (described, x[0], along[0]), {
        "f": Wanted(value[0], 1e-14), "at": Wanted(value[0], 1e-14),
        "J": Wanted(J[0], 1e-13 * of_slope),
        "second": Wanted(f.second_derivatives(x, along)[0], 1e-12 * of_bend),
    }  # fmt: skip


@twin("project")
def _(case):
    f, described = network_of(case.with_(size=case.size / 4, shape="general"))
    random = case.random
    x, y, F_y = (
        random.normal(size=(1, case.q)),
        random.normal(size=(1, case.d)),
        random.normal(size=(1, case.q)),
    )
    found = gauss_newton.project(f, x, y, F_y, case.M, 1e-4, 0.7)
    wanted = {"x": Wanted(found.X[0], 1e-12), "error": EachWanted(found.error[0])}
    return (described, x[0], y[0], F_y[0], case.M, 1e-4, 0.7), wanted


@twin("solve")
def _(case):
    B = case.random.normal(size=(case.q, case.q))
    A, b = B @ B.T + np.eye(case.q), case.random.normal(size=case.q)
    return (A, b), Wanted(np.linalg.solve(A, b))


@twin("projection_objective")
def _(case):
    random = case.random
    f, y = random.normal(size=(2, 1, case.d)) * 10**case.data_size
    x, F_y = random.normal(size=(2, 1, case.q)) * 10**case.size
    wanted = gauss_newton.projection_objective(f, x, y, F_y)[0]
    return (f[0], x[0], y[0], F_y[0]), EachWanted(wanted)


@twin("gauss_newton_step")
def _(case):
    random = case.random
    f, y = random.normal(size=(2, 1, case.d))
    x, F_y = random.normal(size=(2, 1, case.q))
    J = 10**case.size * random.normal(size=(1, case.d, case.q))
    wanted = gauss_newton.gauss_newton_steps(f, J, x, y, F_y)[0]
    condition = np.linalg.cond(np.eye(case.q) + J[0].T @ J[0])
    return (f[0], J[0], x[0], y[0], F_y[0]), Wanted(
        wanted, 1e-15 * condition * np.abs(wanted).max()
    )


@twin("carried")
def _(case):
    case = in_general_position(case).with_(q=2)
    random = np.random.default_rng(case.seed + 4)
    t, places = random.uniform(size=(case.N, 2)), random.uniform(size=(case.M, 2))
    return (places, t, case.X), Wanted(rescue_the_roll.carried(places, t, case.X))


@twin("label_distance")
def _(case):
    squared, alpha, beta = 10.0 ** (case.power - 5), 0.99 * case.share, case.h
    wanted = dissimilarity.label_distance(squared, case.flag, alpha, beta)
    return (squared, case.flag, alpha, beta), EachWanted(wanted)


@twin("agglomerated")
def _(case):
    case = in_general_position(case)
    Q, h = cdist(case.Y, case.Y), 1 + case.M % 4  # few neighbours leave several pieces
    graph = geodesics.agglomerate(geodesics.neighbor_graph(Q, h), Q)
    i, j = graph.lengths.nonzero()
    edges = np.column_stack([i, j, graph.lengths.data])[i < j]
    arcs = sorted(sorted(arc) for arc in graph.arcs.tolist())
    return (case.Y, h), {
        "edges": Wanted(np.ravel(sorted(edges.tolist()))),
        "arcs": Wanted(np.ravel(arcs)),
        "pieces": Wanted(graph.components.max() + 1),
        "path": Wanted(geodesics.shortest_path(graph.lengths, 0, case.N - 1)),
        "G": Wanted(geodesics.geodesic_distances(graph.lengths)),
    }


@twin("classical_mds")
def _(case):
    case = in_general_position(case)
    apart = case.random.uniform(size=(case.N, case.N))
    G, q = cdist(case.Y, case.Y) * (1 + apart + apart.T), 1 + case.flag
    return (G, q), Wanted(geodesics.classical_mds(G, q).X)


@twin("ridge_map")
def _(case):
    case = in_general_position(case)
    Z = case.random.normal(size=(case.N, 2))
    wanted = KernelRidgeMap().fit(case.Y, Z).predict(case.Y[: case.M] + 0.1 * case.Y.std())
    unit = dissimilarity.mean_squared_distance(case.Y)
    # Up to the smallest penalty, 1e-6, solutions have lost six digits more than the matrix.
    return (case.Y, unit, Z, case.Y[: case.M] + 0.1 * case.Y.std()), Wanted(wanted, 1e-9)


@twin("share_found")
def _(case):
    case = in_general_position(case)
    labels, truth = case.random.integers(0, 3, size=(2, case.N))
    judge = KNeighborsClassifier().fit(case.X, labels)
    return (case.X, labels, case.X[:3] + 0.1, truth[:3]), EachWanted(
        judge.score(case.X[:3] + 0.1, truth[:3])
    )


@twin("points", "lines", "line", "curve")
def _(case, name):
    case = in_general_position(case).with_(d=2)
    Y, random, k = case.Y, case.random, 1 + case.M % 3
    size = Y.std()
    directions = random.normal(size=(k, 2))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    cost = ("squared", "Huber", "L1")[case.M % 3 if name == "points" else case.M % 2]
    some = Y[random.permutation(case.N)[:k]]
    width, nodes, penalty = 0.3 + case.share, 2 + case.M, size**2 * 10 ** (case.power / 2 - 5)
    nodes_in_box = Box(1).lattice(nodes)
    fit = adaptation.quadratic(maps.Basis(Gaussian(width), nodes_in_box), penalty)
    cost = "squared" if name == "curve" else cost
    begun = {
        "points": (maps.Codebook(some), Labels(k), adaptation.fit_constants),
        "lines": (maps.Planes(some, directions[:, None]), Labels(k), adaptation.fit_planes),
        "line": (maps.Affine(some[0], directions[:1]), Space(1), adaptation.fit_affine),
        "curve": (start_on_axes(Y, Box(1), fit, nodes_in_box), Box(1), fit),
    }[name]
    given = {"points": [some], "lines": [some, directions], "line": [some[0], directions[0]],
             "curve": [width, nodes, penalty]}[name]  # fmt: skip
    of = {"squared": costs.squared, "L1": costs.l1, "Huber": costs.huber(size / 2)}[cost]
    # Of the medians that cost the same, rounding takes one; later steps begin at different ones.
    number = 2 if cost == "L1" else 7
    steps = list(descent.at_most(quantize(Y, *begun, of), number - 1))
    return (name, Y, cost, size / 2, number, *given), [
        {
            "residuals": Wanted(step.f.residual(step.Z, Y), np.inf if number == 2 else 1e-9 * size),
            "distortion": EachWanted(step.distortion, 1e-9 * float(of(np.full((1, 2), size))[0])),
            "penalty": Wanted(step.penalty, 1e-9 * size**2),
        }
        for step in steps
    ]


@twin("distance_to_curve")
def _(case):
    case = in_general_position(case).with_(d=case.q)
    return (case.Y, case.X), EachWanted(metrics.distance_to_curve(case.Y, case.X), 1e-14)


@twin("mean")
def _(case):
    return (case.X,), Wanted(case.X.mean(axis=0))


@twin("unpacked")
def _(case):
    packed = _explorable.packed(case.X)
    step = (packed["high"] - packed["low"]) / 65535
    return (packed,), Wanted(case.X.ravel(), 0.5001 * step)


@twin("normal")
def _(case):
    return (case.seed, case.N), EachWanted(
        np.random.RandomState(case.seed).normal(size=case.N), 1e-13
    )


IN_TURN = "points", "lines", "line", "curve"  # what `quantize` fits

# Functions of js/core without a twin of their own, and why.
NO_TWIN = {
    **dict.fromkeys(
        ("zeros", "table", "lists", "row", "copy", "mapped", "squared_distance"),
        "what NumPy has, used by all the others",
    ),
    **dict.fromkeys(("gaussian", "quartic", "student", "kernels"), "tested as `kernel`"),
    "rbf_network": "tested as `network`",
    "random_state": "tested as `normal`",
    "finished": "used for all that yield",
    "two_way_search": "tested as `two_way`",
    "gradient_search": "the steps of `gradient_descent`",
    **dict.fromkeys(
        ("dot", "least", "extent", "rows_of", "distances", "columns_of", "from_columns",
         "exp_of_minus", "LEAST_TOTAL", "kernel_row", "add_weighted_mean", "smallest_of",
         "euclidean", "with_labels", "shortest_paths", "geodesic_distances"),
        "parts of the others that several modules use",
    ),
    **dict.fromkeys(
        ("squared", "huber", "l1", "codebook", "lines", "affine", "curves", "project_to_labels",
         "project_to_line", "project_to_curve", "fit_constants", "fit_lines", "fit_affine",
         "quantize"),
        "tested as `points`, `lines`, `line` and `curve`",
    ),
    "ridge_paths": "what `ridge_map` chooses from",
    "leading_eigenvectors": "tested by `classical_mds`, and large ones below",
    **dict.fromkeys(
        ("trials", "bounded_minimum", "root", "nelder_mead"),
        "the searches of `power_with`",
    ),
}  # fmt: skip


def test_every_function_of_the_core_is_compared_or_has_no_twin():
    exported = set(
        re.findall(r"^export (?:const|function\*?) (\w+)", _explorable.joined(*CORE), re.M)
    )
    made_here = {
        "kernel",
        "network",
        "normal",
        "trustworthiness",
        "continuity",
        "two_way",
        *IN_TURN,
    }
    assert set(TWINS) - made_here <= exported <= set(TWINS) | set(NO_TWIN)


@pytest.mark.parametrize("name", TWINS)
def test_a_function_agrees_with_its_twin_to_nine_digits_in_200_cases(evaluate, name):
    given, wanted = zip(*map(TWINS[name], recipes()), strict=True)
    called = "in_turn" if name in IN_TURN else name
    came = evaluate([(called, one) for one in given])
    for recipe, one, there in zip(recipes(), wanted, came, strict=True):
        assert compared(one, there) <= RTOL, f"{recipe}"


def starts_of_data():
    """(data, latent points) of several kinds, by name."""
    random = np.random.default_rng(0)
    Y, t = datasets.noisy_spiral(100, noise=0.03, random_state=0)
    yield pytest.param(20 * np.reshape(t, (-1, 1)), Y, id="spiral, true order")
    yield pytest.param(random.normal(size=(100, 1)), Y, id="spiral, random order")
    Y, t = datasets.s_curve(80, random_state=0)
    yield pytest.param(0.8 * t, Y, id="s-curve")
    yield pytest.param(random.normal(size=(60, 2)), random.normal(size=(60, 4)), id="noise")
    Y, _ = datasets.digits(2, n_samples=60, random_state=0)
    yield pytest.param(3 * random.normal(size=(60, 2)), Y, id="digits")
    Y, _ = datasets.swiss_roll(90, random_state=0)
    yield pytest.param(2 * random.normal(size=(90, 2)), Y, id="roll")


@pytest.mark.parametrize(("X", "Y"), list(starts_of_data()))
def test_500_steps_of_rprop_end_at_the_error_of_the_library(evaluate, X, Y):
    objective = functools.partial(reconstruction.reconstruction_error, Y=Y)
    *_, last = descent.at_most(descent.rprop(objective, X), 500)
    (came,) = evaluate([("rprop", (X, Y, "gaussian", 501))])
    assert came[-1]["error"] == pytest.approx(last.error, rel=1e-6)
    assert last.error < came[0]["error"]


SEARCH = """([X, Y, number, most]) => {
    [X, Y] = [core.table(X), core.table(Y)];
    let evaluations = 0;
    const objective = (X) => { evaluations += 1; return core.reconstruction_error(X, Y); };
    const longest = most ? () => most : undefined;
    const search = core.gradient_search(objective, X, { longest });
    const steps = [];
    let step = null;
    for (let yields = 1; steps.length < number; yields++) {
        step = search.next(step && steps.length === 3 ? step.X : undefined).value;
        if (yields !== evaluations) throw new Error(`${evaluations} evaluations, ${yields} yields`);
        if (step) steps.push(Array.from(step.X.data));
    }
    return steps;
}"""


def test_a_search_rests_after_each_evaluation_and_takes_no_step_longer_than_it_may(evaluate):
    random = np.random.default_rng(0)
    X, Y = random.normal(size=(20, 1)), random.normal(size=(20, 2))
    free = evaluate.page.evaluate(SEARCH, [X.tolist(), Y.tolist(), 8, None])
    (wanted,) = evaluate([("gradient_descent", (X, Y, 1.0, 0.0, 8))])
    np.testing.assert_allclose(free, [np.ravel(step["X"]) for step in wanted], rtol=1e-6)
    short = np.array(evaluate.page.evaluate(SEARCH, [X.tolist(), Y.tolist(), 8, 0.12]))
    lengths = np.sqrt(np.mean(np.diff(short, axis=0) ** 2, axis=1))
    assert lengths[0] == pytest.approx(0.12) == lengths.max()
    assert np.sqrt(np.mean(np.diff(free, axis=0) ** 2, axis=1)).max() > 0.2


def test_eigenvectors_of_a_large_matrix_are_those_of_numpy(evaluate):
    A = np.random.default_rng(60).normal(size=(60, 60))
    values = np.linalg.eigvalsh(A + A.T)
    (came,) = evaluate([("eigenvectors", (A + A.T,))])
    assert Spectral(values, A + A.T, np.abs(values).max()).off(came) < RTOL
    (came,) = evaluate([("leading_eigenvectors", (A + A.T, 3))])
    V = np.array(came["vectors"])
    np.testing.assert_allclose(came["values"], values[:-4:-1], rtol=RTOL)
    np.testing.assert_allclose((A + A.T) @ V, V * came["values"], atol=RTOL * values[-1])
    np.testing.assert_allclose(V.T @ V, np.eye(3), atol=RTOL)


def test_both_ways_of_reading_are_those_of_the_library_after_any_damage(evaluate):
    from ukrlearn.panels.referee import DAMAGES, TOUR, Referee

    panel = Referee.example()
    damaged = [panel.damaged(how, a) for how in (*DAMAGES, TOUR) for a in (0.0, 0.35, 1.0)]
    for far in (40.0, -1e9):  # and with a point that is set aside
        damaged.append(np.where(np.arange(100)[:, None] == 7, far, panel._X))
    came = evaluate([("two_way", (X, panel._Y, 10)) for X in damaged])
    np.testing.assert_allclose(came, [metrics.two_way(X, panel._Y) for X in damaged], rtol=RTOL)
    panel.close()


def test_a_projection_takes_the_halved_steps_of_the_library(evaluate):
    random = np.random.default_rng(0)
    X = random.normal(size=(80, 2))
    Y = np.column_stack([X[:, 0], np.sin(2 * X[:, 0]), X[:, 1]])
    f = networks.fit_rbf(X, Y, networks.cluster_centres(X, 15), 1.3, 1e-3)
    x = X[:12] + 0.3 * random.normal(size=(12, 2)) + 1.0
    y, F_y = 3 * Y[:12] + 0.3 * random.normal(size=(12, 3)), X[:12] + 0.05
    described = {"centres": f.centres, "width": f.width, "W": f.W, "bias": f.bias}
    came = evaluate(
        [("project", (described, *given, 6, 0, 0.7)) for given in zip(x, y, F_y, strict=True)]
    )
    wanted = gauss_newton.project(f, x, y, F_y, 6, 0, 0.7)
    np.testing.assert_allclose([one["x"] for one in came], wanted.X, rtol=1e-9, atol=1e-9)
    taken = np.array([one["taken"] for one in came])
    assert taken.shape == (12, 6) and taken.min() < 1 == taken.max()
    assert np.mean(taken == 1) == pytest.approx(wanted.full_steps)


@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_a_long_start_in_the_page_is_the_start_in_the_notebook(evaluate, seed):
    (came,) = evaluate([("normal", (seed, 1001))])
    np.testing.assert_allclose(came, np.random.RandomState(seed).normal(size=1001), rtol=1e-12)
