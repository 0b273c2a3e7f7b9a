"""Classes from latent coordinates on the simulated oil flow data: table 3 of [UKR]."""

import numpy as np
from measuring import at_most, extremes, table
from sklearn.decomposition import PCA, KernelPCA
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import UKR, KernelDensityClassifier, datasets
from ukrlearn.blocks import mercer_kernels
from ukrlearn.ukr.density_constraint import relative_density

TITLE = "Oil flow: table 3 of [UKR]"

METHODS = ("UKR + KDC", "UKR + 1-NN", "(K)PCA + KDC", "(K)PCA + 1-NN")
PAPER = {
    "Euclidean": ("[UKR], Euclidean", ".9", "1.2", "12.0", "15.2"),
    "L1": ("[UKR], L1", ".6", ".9", "16.6", "17.7"),
}


def measured(quick):
    N, seeds = (200, range(1)) if quick else (1000, range(3))
    errors, feasible = {}, []
    for name, kernel in (("Euclidean", None), ("L1", "l1")):
        of_seeds = []
        for seed in seeds:
            model, row = run(seed, kernel, N)
            of_seeds.append(row)
            feasible += slack_of_stages(model)
        errors[name] = [extremes(column) for column in zip(*of_seeds, strict=True)]
    euclidean, l1 = errors["Euclidean"], errors["L1"]
    rows = [[name, *(f"{error:.1f}" for error in errors[name])] for name in errors]
    tenth = euclidean[0].middle / euclidean[2].middle
    more = l1[0].middle - euclidean[0].middle
    outside = sum(slack < 0 for slack in feasible)
    asked = [
        ["UKR + KDC against PCA + KDC", f"{tenth:.3f}", at_most(0.1, tenth)],
        ["points of error that L1 has more than Euclidean", f"{more:+.1f}", at_most(0.5, more)],
        [
            f"steps of {len(feasible)} with some p(x) < η K(0)",
            f"{outside}; least p/K(0) - η: {min(feasible):.1e}",
            at_most(0, outside),
        ],
    ]
    return (
        f"Test error in %, {N} training and {N} test points, seeds 0 to {seeds[-1]}; PCA start, "
        "homotopy with the paper's\nthresholds, 300 steps. KDC on (K)PCA has the likelihood "
        "cross-validated bandwidth.\n\n"
        f"{table(['kernel of data space', *METHODS], [*rows, *PAPER.values()])}\n"
        + table(["", "measured", "asked"], asked)
    )


def run(seed, data_kernel, N):
    """The fitted model, and the test errors of METHODS in %."""
    Y, labels = datasets.simulated_oil_flow(N, random_state=seed)
    Y_test, labels_test = datasets.simulated_oil_flow(N, random_state=1000 + seed)
    options = dict(init="pca", homotopy=True, max_iter=300, record=True, random_state=0)
    model = UKR(data_kernel=data_kernel, **options).fit(Y)
    if data_kernel is None:
        linear = PCA(2)
        components, components_test = linear.fit_transform(Y), linear.transform(Y_test)
    else:
        linear = KernelPCA(2, kernel="precomputed")
        components = linear.fit_transform(mercer_kernels.l1(Y))
        components_test = linear.transform(mercer_kernels.l1(Y_test, Y))
    latent = model.embedding_, model.transform(Y_test)

    def error(classifier, X, X_test):
        return 100 * np.mean(classifier.fit(X, labels).predict(X_test) != labels_test)

    return model, [
        error(KernelDensityClassifier(), *latent),
        error(KNeighborsClassifier(1), *latent),
        error(KernelDensityClassifier(bandwidth="lcv"), components, components_test),
        error(KNeighborsClassifier(1), components, components_test),
    ]


def slack_of_stages(model):
    """min p(x_n) / K(0) - η at every step of the homotopy: the constraint (7) holds if >= 0."""
    return [
        relative_density(frame.X).min() - float(frame.stage.removeprefix("eta="))
        for frame in model.history_
        if frame.stage.startswith("eta=")
    ]
