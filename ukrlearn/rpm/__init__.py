"""Regularized principal manifolds and quantization functionals, [RPM].

Smola, Mika, Schölkopf, Williamson: Regularized Principal Manifolds, 2001. One functional,

    R[f] = (1/m) Σ_i min_z c(x_i, f(z)) + λ Q[f],     (3), (12)

and one alternation that lowers it: assign each point its best code z, then refit f. The mean,
k-means, k-medians, PCA, k-planes, principal curves and surfaces differ in three choices only: the
index set of z (`index_sets`), the class of f (`maps`, `adaptation`), and the cost c (`costs`).
`quantization` holds the alternation.
"""
