"""The symbols of five papers and this code in one table, from which lessons and labels are made.

The papers use the same letter for different things, and different letters for the same thing. Here
each meaning has one row: its name in the code, its shape, its letter in each paper (as LaTeX), the
equation that introduces it, and its label on sliders and axes.
"""

from reprlib import Repr
from typing import NamedTuple


class Symbol(NamedTuple):
    """One meaning. Letters are LaTeX, and empty if a paper does not use the symbol."""

    code: str  # the name in the code
    meaning: str
    shape: str = ""
    label: str = ""  # on sliders and axes; "" if none shows it
    ukr: str = ""
    sgd: str = ""
    si: str = ""
    rpm: str = ""
    drur: str = ""
    equation: str = ""  # where it first appears, such as "[UKR] (2)"
    home: str = ""  # dotted name of the function, parameter or attribute below ukrlearn


REGISTRY = (
    Symbol("Y", "data; scikit-learn calls it X", "(N, d)", "data", r"\mathbf{Y}", r"\mathbf{Y}",
           "x_i", r"\mathbf{X}", r"\mathbf{Y}"),
    Symbol("X", "latent points; the embedding", "(N, q)", "latent coordinate", r"\mathbf{X}",
           r"\mathbf{X}", "z_i", r"\zeta_i", r"\mathbf{X}", home="UKR.embedding_"),
    Symbol("x", "a latent position, not necessarily of a data point", "(M, q)", "position",
           r"\mathbf{x}", "", "", r"\zeta", r"\mathbf{x}"),
    Symbol("labels", "classes of the data points", "(N,)", "class", "", "", "y_i"),
    Symbol("N", "number of data points", "", "number of points", "N", "N", "m", "m", "N"),
    Symbol("d", "dimension of the data", "", "", "d", "d", "n", "d", "D"),
    Symbol("q", "dimension of latent space; n_components", "", "latent dimension", "q", "q", "d",
           "D", "L", home="UKR.n_components"),
    Symbol("predict", "the map f from latent space to data", "(M, d)", "", r"\mathbf{f}",
           r"\mathbf{f}", "", "f", "", "[UKR] (2)", "blocks.kernel_regression.predict"),
    Symbol("K", "density kernel, of the squared latent distance t", "", "kernel", "K", "K", "", "",
           "", "[UKR] (2)", "blocks.density_kernels.DensityKernel"),
    Symbol("slope", "dK/dt", "", "", "f'", "", "", "", "", "[UKR] (26)",
           "blocks.density_kernels.DensityKernel.slope"),
    Symbol("B", "weights of the data points; rows sum to one here, columns in the paper", "(N, N)",
           "weight", r"\mathbf{B}", r"\mathbf{B}", "", "", "", "[UKR] (8), (23)",
           "ukr.reconstruction.weight_matrix"),
    Symbol("latent_density", "density p of the latent points", "(M,)", "latent density", "p", "",
           "", "", "", "[UKR] (3)", "blocks.kernel_regression.latent_density"),
    Symbol("weights_jacobian", "slopes of the weights", "(M, N, q)", "", r"\mathbf{J}_b", "", "",
           "", "", "[UKR] (6), (22)", "blocks.kernel_regression.weights_jacobian"),
    Symbol("density_threshold", "lowest density, relative to K(0), in the latent domain", "",
           "density threshold η", r"\eta", "", "", "", "", "[UKR] (7)", "UKR.density_threshold_"),
    Symbol("reconstruction_error", "R, with no point left out", "", "reconstruction error R", "R",
           "E", "", "", "", "[UKR] (8)", "UKR.reconstruction_error_"),
    Symbol("cost", "cost of a reconstruction: squared, L1, Huber's", "(N,)", "cost",
           rpm="c(x, f(z))", equation="[RPM] (1)", home="rpm.costs.Cost"),
    Symbol("distortion", "empirical quantization error: the mean cost of the best codes", "",
           "quantization error", rpm=r"R_{\mathrm{emp}}[f]", equation="[RPM] (3)",
           home="rpm.quantization.Step.distortion"),
    Symbol("huber_sigma", "distance up to which Huber's cost is a square", "", "Huber's σ",
           rpm=r"\sigma", equation="[RPM] (8)", home="rpm.costs.huber"),
    Symbol("cv_error", "R_cv, each point left out of its own reconstruction", "",
           "leave-one-out error R_cv", r"R_{\mathrm{cv}}", "", "", "", "", "[UKR] (10)",
           "UKR.cv_error_"),
    Symbol("penalties", "factors by which leave-one-out penalises isolated points", "(N,)",
           "penalty factor", "S_i", "", "", "", "", "[UKR] (12)", "UKR.penalties"),
    Symbol("G", "Gram matrix of the data", "(N, N)", "", r"\mathbf{G}, \mathbf{K}(\mathbf{Y})",
           r"\mathbf{P}", "", "K", "", "[UKR] (13)",
           "ukr.reconstruction.reconstruction_error_gram"),
    Symbol("mercer_kernel", "inner product k of the data in feature space", "", "data kernel", "k",
           "K", "", "k", "", "[UKR] (14)", "blocks.mercer_kernels"),
    Symbol("scale", "factors that turn normalised coordinates into latent points", "(q,)",
           "scale", r"\mathbf{s}", "", "", "", "", "[UKR] 2.3", "blocks.scales.best_scale"),
    Symbol("bandwidth", "width of the density kernel, K(|x - x'|² / h²); not in the papers, where "
           "the scale of X takes its part", "", "bandwidth h",
           home="blocks.scales.likelihood_bandwidth"),
    Symbol("M", "inner products of residuals and data", "(N, N)", "", r"\mathbf{M}", "", "", "",
           "", "[UKR] (24)"),
    Symbol("P", "slopes of the kernel over its sum", "(N, N)", "", r"\mathbf{P}", "", "", "", "",
           "[UKR] (27)"),
    Symbol("Q", "one-sided force between each pair of points", "(N, N)", "", r"\mathbf{Q}", "", "",
           "", "", "[UKR] (30), (31)", "ukr.reconstruction.pair_forces"),
    Symbol("gradient", "derivative of the error with respect to X", "(N, q)", "gradient",
           r"\nabla_{\mathbf{X}} R", r"\mathbf{G}", "", "", "", "[UKR] (32)",
           "ukr.reconstruction.reconstruction_error"),
    Symbol("threshold", "η of one stage of the homotopy", "", "", r"\eta_k", "", "", "", "",
           "[UKR] 2.3", "ukr.homotopy.homotopy_stages"),
    Symbol("h", "bandwidth in data space; it divides squared distances", "", "bandwidth h", "", "h",
           "", "", "", "[SGD] (1), (12)", "SpectralGuidance.h"),
    Symbol("neighbor_probabilities", "probability that a data point chooses another as neighbour",
           "(N, N)", "", "", r"\mathbf{P}", "", "", "", "[SGD] (1)",
           "sgd.neighbor_embedding.neighbor_probabilities"),
    Symbol("latent_probabilities", "probability that a latent point chooses another as neighbour, "
           "at bandwidth 1", "(N, N)", "", "", r"\mathbf{Q}", "", "", "", "[SGD] (2)"),
    Symbol("neighbor_embedding_error", "mismatch of the two probabilities", "", "mismatch E", "",
           "E", "", "", "", "[SGD] (3)", "sgd.neighbor_embedding.neighbor_embedding_error"),
    Symbol("affinity", "normalised closeness of data points", "(N, N)", "affinity M", "",
           r"\mathbf{M}", "", "", "", "[SGD] (12)", "sgd.clustering_affinity"),
    Symbol("eigenvalues", "eigenvalues of M, descending; the code divides them by the first",
           "(k,)", "eigenvalue", "", r"\lambda_i", "", "", "", "[SGD] 3.2",
           "sgd.Spectrum.values"),
    Symbol("eigenvectors", "eigenvectors of M, as columns", "(N, k)", "eigenvector", "",
           r"\mathbf{V}", "", "", "", "[SGD] 3.2", "sgd.Spectrum.vectors"),
    Symbol("l", "number of leading eigenvectors along which the points may move", "",
           "directions kept l", "", "l", "", "", "", "[SGD] (14)", "SpectralGuidance.l"),
    Symbol("nu", "power of M; 0: the plain gradient", "", "strength of guidance ν", "",
           r"\nu", "", "", "", "[SGD] (17)", "SpectralGuidance.nu"),
    Symbol("directions", "effective number of directions, the perplexity of the weights; not in "
           "the paper", "", "directions", "", r"\exp H(\lambda^\nu)", "", "", "", "",
           "sgd.Filter.directions"),
    Symbol("f", "the map from latent space to data, as a network", "(N, d)", "", "", "", "", "",
           r"\mathbf{f}", "[DRUR] (1)", "drur.Maps.f"),
    Symbol("F", "the map from data to latent space", "(N, q)", "", "", "", "", "", r"\mathbf{F}",
           "[DRUR] (1)", "drur.Maps.F"),
    Symbol("penalty", "weight of the penalty that keeps a map smooth", "", "penalty λ", "", "", "",
           r"\lambda", r"\lambda_{\mathbf{f}}, \lambda_{\mathbf{F}}", "[DRUR] (2), (3)",
           "blocks.networks.fit_rbf"),
    Symbol("n_basis", "number of basis functions", "", "basis functions M", "", "", "", "M", "M",
           "[DRUR] (13)", "drur.rbf_maps"),
    Symbol("error", "error of one point at its position", "(N,)", "error E", "", "", "", "",
           r"E_n(\mathbf{x}_n)", "[DRUR] (6), (7)", "drur.Projected.error"),
    Symbol("J", "Jacobian of f", "(N, d, q)", "", "", "", "", "", r"\mathbf{J}", "[DRUR] (8)",
           "blocks.networks.RBFNetwork.with_jacobian"),
    Symbol("second_derivatives", "second derivatives of f, summed with the residual as weights",
           "(N, q, q)", "", "", "", "", "", r"\mathbf{H}^T(\mathbf{y} - \mathbf{f}(\mathbf{x}))",
           "[DRUR] (10)", "blocks.networks.RBFNetwork.second_derivatives"),
    Symbol("step", "Gauss-Newton step", "(N, q)", "step", "", "", "", "", r"\mathbf{p}",
           "[DRUR] (12)", "drur.gauss_newton_steps"),
    Symbol("centres", "centres of the basis functions", "(M, q)", "centre", "", "", "", "z_j",
           r"\boldsymbol{\mu}_m", "[DRUR] (13)", "blocks.networks.RBFNetwork.centres"),
    Symbol("width", "width of the basis functions", "", "width σ", "", "", "", "", r"\sigma",
           "[DRUR] (13)", "blocks.networks.RBFNetwork.width"),
    Symbol("Phi", "basis functions at the points", "(N, M)", "", "", "", "", r"\mathbf{K}_\zeta",
           r"\mathbf{G}_{\mathbf{xy}}", "[DRUR] (14)", "blocks.networks.basis"),
    Symbol("W", "weights of the basis functions", "(M, d)", "", "", "", "", r"\alpha_i",
           r"\mathbf{W}", "[DRUR] (14)", "blocks.networks.RBFNetwork.W"),
    Symbol("bias", "the constant part of a map", "(d,)", "", "", "", "", "", r"\mathbf{w}",
           "[DRUR] (15)", "blocks.networks.RBFNetwork.bias"),
    Symbol("regularized_error", "R_reg, the mean error and the penalty λQ together", "",
           "regularised error R_reg", rpm=r"R_{\mathrm{reg}}[f]", equation="[RPM] (12)",
           home="rpm.quantization.Step.error"),
    Symbol("roughness", "half the squared size of Pf: how rough the map f is", "", "roughness Q",
           rpm=r"Q[f]", equation="[RPM] (13)", home="rpm.maps.KernelExpansion.norm"),
    Symbol("latent_kernel", "kernel on latent space; it says what counts as rough", "(N, M)",
           "latent kernel", rpm="k", equation="[RPM] (15)", home="rpm.kernels.Gaussian"),
    Symbol("nodes", "nodes of the kernel expansion, a regular grid", "(M, q)", "node", rpm="z_j",
           equation="[RPM] (16)", home="rpm.maps.Basis.nodes"),
    Symbol("coefficients", "coefficients of the kernel expansion", "(M, d)", "coefficient",
           rpm=r"\alpha_j", equation="[RPM] (16)", home="rpm.maps.KernelExpansion.alpha"),
    Symbol("zeta", "code of each point: the place it is projected to", "(N, q)", "code",
           rpm=r"\zeta_i", equation="[RPM] (29), (30)", home="rpm.quantization.Step.Z"),
    Symbol("K_z", "the kernel between all pairs of nodes", "(M, M)", rpm=r"\mathbf{K}_z",
           equation="[RPM] (33)"),
    Symbol("K_zeta", "the kernel between codes and nodes", "(N, M)", rpm=r"\mathbf{K}_\zeta",
           equation="[RPM] (33)"),
    Symbol("code_noise", "standard deviation of the noise that a channel adds to codes", "",
           "noise in the code σ", rpm=r"\sigma", equation="[RPM] (38)",
           home="rpm.robust_coding.noisy_distortion"),
    Symbol("border_share", "share of the points whose code is on the border; not in the papers", "",
           "points at the border", home="rpm.index_sets.at_border"),
    Symbol("label_distance", "distance that knows the labels: short within a class, long between "
           "classes", "(N, N)", "distance with labels q", "", "", "q_{ij}", "", "", "[SI] (1)",
           "si.dissimilarity.label_distance"),
    Symbol("alpha", "how much closer distances with labels bring classes to each other", "",
           "closeness of classes α", "", "", r"\alpha", "", "", "[SI] (1)",
           "si.dissimilarity.WithLabels.alpha"),
    Symbol("beta", "unit of squared distances before labels change them", "",
           "unit of squared distances β", "", "", r"\beta", "", "", "[SI] (1)",
           "si.dissimilarity.WithLabels.beta"),
    Symbol("gamma", "how fast the kernel of a map from data to latent space falls with the squared "
           "distance, 1/(2σ²); not in the papers, of which [SI] is public in part", "",
           "steepness γ", home="KernelRidgeMap"),
    Symbol("left_out_error", "mean squared error of a map from data to latent space at points that "
           "it has not seen; not in the papers", "", "leave-one-out error", home="KernelRidgeMap"),
    Symbol("dissimilarity", "dissimilarities Q of the data points, here their distances", "(N, N)",
           "distance", si="q_{ij}", equation="[SI] 2", home="si.dissimilarity.Euclidean"),
    Symbol("n_neighbors", "neighbours that each point is joined to", "",
           "neighbours of each point h", si="h", equation="[SI] 2",
           home="si.geodesics.neighbor_graph"),
    Symbol("graph", "graph of neighbours: lengths of its edges, components, and the arcs that join "
           "them; the paper gives it no letter, and it is not in the papers as one object", "",
           home="si.geodesics.Graph"),
    Symbol("geodesics", "lengths of the shortest paths along the graph", "(N, N)",
           "length of the shortest path", si=r"\mathbf{G}, g_{ij}", equation="[SI] 2.1",
           home="si.geodesics.geodesic_distances"),
    Symbol("squared_geodesics", "squares of the lengths of the shortest paths", "(N, N)",
           si=r"\mathbf{K}", equation="[SI] 2.1"),
    Symbol("centring", "the matrix that subtracts the mean", "(N, N)", si=r"\mathbf{B}",
           equation="[SI] 2.1"),
    Symbol("double_centred", "inner products that belong to the distances", "(N, N)",
           si=r"\mathbf{S}", equation="[SI] 2.1", home="explicit.double_centred"),
    Symbol("scaling_eigenvalues", "eigenvalues of S, greatest first; a negative one counts as zero",
           "(q,)", "eigenvalue of S", si=r"\lambda_p", equation="[SI] 2.1",
           home="si.geodesics.Scaling.eigenvalues"),
    Symbol("scaling_vectors", "eigenvectors of S, as columns", "(N, q)",
           si=r"\mathbf{v}_p", equation="[SI] 2.1", home="si.geodesics.classical_mds"),
    Symbol("negative_share", "share of the negative eigenvalues of S in the sum of all magnitudes; "
           "not in the papers", "", "negative share", home="si.geodesics.negative_share"),
    Symbol("residual_variance", "1 - r², r the correlation of geodesic distances and distances in "
           "the embedding; named in [SI] 2.1 without a letter, not in the papers as a symbol",
           "(q + 1,)", "residual variance", home="si.geodesics.residual_variances"),
)  # fmt: skip

PAPERS = {"ukr": "[UKR]", "sgd": "[SGD]", "si": "[SI]", "rpm": "[RPM]", "drur": "[DRUR]"}
_SHORT = Repr()
_BY_CODE = {symbol.code: symbol for symbol in REGISTRY}


def symbol(code) -> Symbol:
    """The row for a name in the code.

    >>> symbol("density_threshold").label
    'density threshold η'
    """
    if not isinstance(code, str) or code not in _BY_CODE:
        raise ValueError(
            f"code must be a name of the notation, {', '.join(_BY_CODE)}; got {_SHORT.repr(code)}."
        )
    return _BY_CODE[code]


def label(code, of="") -> str:
    """The label on sliders and axes for a name in the code, optionally naming its owner.

    >>> label("bandwidth"), label("bandwidth", of="the start")
    ('bandwidth h', 'bandwidth of the start h')
    """
    text = symbol(code).label
    if not isinstance(of, str):
        raise TypeError(f"of must be a string; got {_SHORT.repr(of)}.")
    if not text:
        raise ValueError(f"the notation has no label for {code!r}; give it one there.")
    words, _, letter = text.rpartition(" ")
    return f"{words} of {of} {letter}" if of else text


def in_a_cell(text: str) -> str:
    """The text as a cell of a Markdown table, where a bare | would end the cell.

    >>> print(in_a_cell("|x|"))
    \\|x\\|
    """
    return text.replace("|", r"\|")


class SymbolTable(NamedTuple):
    """Rows of the notation, which a notebook shows as a table."""

    rows: tuple[Symbol, ...]
    paper: str

    def _repr_markdown_(self):
        head = (
            f"| meaning | {PAPERS[self.paper]} | code | shape | equation |\n|---|---|---|---|---|"
        )
        lines = [head]
        for row in self.rows:
            letter = getattr(row, self.paper)
            letter = f"${letter}$" if letter else ""
            meaning = in_a_cell(row.meaning)
            lines.append(f"| {meaning} | {letter} | `{row.code}` | {row.shape} | {row.equation} |")
        return "\n".join(lines)

    def __repr__(self):
        return "\n".join(f"{row.code:22} {row.shape:10} {row.meaning}" for row in self.rows)


def table(*codes, paper="ukr") -> SymbolTable:
    """The rows for these names in the code, or by default all symbols of the paper.

    >>> table("Y", "X")
    Y                      (N, d)     data; scikit-learn calls it X
    X                      (N, q)     latent points; the embedding
    """
    if not isinstance(paper, str) or paper not in PAPERS:
        raise ValueError(f"paper must be one of {', '.join(PAPERS)}; got {_SHORT.repr(paper)}.")
    rows = [symbol(code) for code in codes] or [row for row in REGISTRY if getattr(row, paper)]
    return SymbolTable(tuple(rows), paper)
