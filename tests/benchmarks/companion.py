"""UKR as a companion of other embeddings: scores of the bundled digits."""

import warnings

from measuring import table
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE, Isomap, LocallyLinearEmbedding

from ukrlearn import UKR, metrics

TITLE = "Companion of other embeddings"


def measured(quick):
    Y = load_digits().data[: 300 if quick else None]
    embeddings = {
        "PCA": PCA(2),
        "LLE(K=10)": LocallyLinearEmbedding(n_neighbors=10, n_components=2, random_state=0),
        "Isomap(K=10)": Isomap(n_neighbors=10, n_components=2),
        "t-SNE": TSNE(random_state=0),
        "UKR from t-SNE, no steps": UKR(init=TSNE(random_state=0), max_iter=0),
        "UKR from t-SNE, 300 steps": UKR(init=TSNE(random_state=0), max_iter=300, tol=0),
    }
    rows = []
    for name, method in embeddings.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Isomap joins the pieces of its graph, and says so
            X = method.fit_transform(Y)
        score, trust = metrics.loo_reconstruction(X, Y), metrics.trustworthiness(X, Y, 10)
        rows.append([name, f"{score:.3f}", f"{trust:.3f}"])
    return f"{len(Y)} digits of {Y.shape[1]} pixels, q = 2.\n\n" + table(
        ["coordinates", "`loo_reconstruction` (0 best)", "`trustworthiness`, k = 10 (1 best)"], rows
    )
