"""Regularized principal manifolds and quantization functionals, [RPM].

Smola, Mika, Schölkopf, Williamson: Regularized Principal Manifolds, 2001. One functional,

    R[f] = (1/m) Σ_i min_z c(x_i, f(z)) + λ Q[f],     (3), (12)

and one alternation that lowers it: assign every point its best code z, then refit f. The mean,
k-means, k-medians, PCA, k-planes, principal curves and surfaces differ only in the index set that
z comes from (`index_sets`), in the class that f comes from (`maps`, `adaptation`), and in the cost
c (`costs`). `quantization` holds the alternation.
"""
