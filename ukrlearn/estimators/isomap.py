"""Agglomerative Isomap of [SI] as a scikit-learn estimator, and new points for any embedding."""

import warnings
from copy import deepcopy

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ukrlearn.blocks import memory
from ukrlearn.blocks.arguments import shown
from ukrlearn.blocks.sharing import group_means
from ukrlearn.estimators import _arguments, _border
from ukrlearn.estimators._embedding import EmbeddingWithPlaces
from ukrlearn.estimators._masked import demand_unmasked
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap
from ukrlearn.si import geodesics
from ukrlearn.si.dissimilarity import (
    Euclidean,
    WithLabels,
    mean_distance,
    mean_squared_distance,
)
from ukrlearn.si.isomap import agglomerative_isomap, geodesics_of_new, spread_landmarks

DENSE = 4000  # points; with more, an N x N array of geodesic distances takes over 128 MB
LANDMARKS = 500
# At the peak: N x h arrays of nearest neighbours and of edges, and L x N arrays of path lengths.
ARRAYS_OF_NEIGHBORS, ARRAYS_OF_PATHS = 10.5, 3
TOO_LONG = 1e6  # length of an edge, in units in which distances within classes are below one

ARCS = {"tree": geodesics.spanning_tree, "all-pairs": geodesics.all_pairs}
BETAS = {"mean-square": mean_squared_distance, "mean": mean_distance}
MAPPINGS = {"kernel-ridge": KernelRidgeMap, "grnn": GRNNMap}


class MappedEmbedding(EmbeddingWithPlaces):
    """An embedding of training points, and a regression that sends new points into it.

    A subclass defines the coordinates in `_embedded`, and the regression in `_new_mapping`.
    """

    _takes_labels = True

    def _embedded(self, Y, labels) -> dict:
        """The fitted attributes by name, including `embedding_`."""
        raise NotImplementedError

    def _new_mapping(self):
        """A regressor, not yet fitted; None if `_place` needs none."""
        raise NotImplementedError

    def _learn(self, Y, labels, twins, journal):
        demand_unmasked(labels, "y")
        _border.demand_differences(Y)
        mapping = self._new_mapping()
        learnt = self._embedded(Y, labels)
        learnt["embedding_"] = group_means(learnt["embedding_"], twins)
        if mapping is not None:  # a regressor of the user may overwrite what it is given
            mapping = mapping.fit(Y.copy(), learnt["embedding_"].copy())
        learnt["mapping_"] = mapping
        return {"_training_rows": Y, **learnt}

    @_border.with_default_errors
    def map(self, Y, /):
        """The coordinates (M, q) to which the mapping sends data (M, d), training rows included.

        For training rows they differ from `embedding_` by the error of the mapping. But the mapping
        has learnt from these rows; `left_out_embedding_` shows its error on unseen rows.
        """
        check_is_fitted(self)
        return self._place(self._checked_data(Y).copy())

    @property
    def left_out_embedding_(self):
        """The coordinates (N, q) of each training point by a mapping fitted without it."""
        check_is_fitted(self)
        if not hasattr(self.mapping_, "left_out_"):
            raise AttributeError(
                "left_out_embedding_ needs a mapping that leaves out points in closed form, "
                f"KernelRidgeMap or GRNNMap; got mapping={shown(self.mapping)}."
            )
        return self.mapping_.left_out_.reshape(len(self.embedding_), -1)

    def _place(self, Y):
        return np.asarray(self.mapping_.predict(Y), dtype=float).reshape(len(Y), -1)


class AgglomerativeIsomap(MappedEmbedding):
    """Isomap on a connected graph, with or without class labels: [SI].

    Y here is what scikit-learn calls X; X is the embedding.

    Each point is joined to its nearest neighbours. If this graph has several components, they are
    joined where they are closest. The lengths of shortest paths then measure distances along the
    data, and classical multidimensional scaling finds coordinates with these distances.
    ``fit(Y, labels)`` first shrinks distances within a class and stretches distances between
    classes, (1). New points have no label and no place in the graph, so a regression from Y to X
    places them.

    Parameters
    ----------
    n_components : int or "classes"
        q, the dimension of latent space. "classes": one less than there are classes.
    n_neighbors : int
        h. With N - 1 or more, all points are joined, and without labels the result is classical
        multidimensional scaling.
    alpha : float in [0, 1)
        α of (1): greater values bring different classes closer together. Only used with labels.
    beta : {"mean-square", "mean"} or float
        β of (1), the unit of squared distances: the mean squared distance of all pairs; the
        paper's mean distance, which makes the result depend on the unit of the data; or a number.
        Only used with labels.
    arcs : {"tree", "all-pairs"}
        How components are joined: by a spanning tree, the result of the paper's merging, or each
        pair of them.
    mapping : {"kernel-ridge", "grnn", "nystroem"} or regressor
        How new points are placed. "nystroem" uses distances along the graph, as scikit-learn's
        Isomap does; it works without labels only. A regressor is cloned.
    n_landmarks : "auto" or int
        Shortest paths start at this many points only, and all others are placed by their distances
        to them. "auto": all points up to N = 4000, and 500 beyond. Memory grows with N n_landmarks.
    random_state : int, RandomState or None
        Chooses the first landmark. None means 0.
    n_jobs : int, optional
        Number of joblib workers for the shortest paths.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
    mapping_ : regressor or None
        None for "nystroem".
    left_out_embedding_ : array of shape (N, q)
        The coordinates of each training point by a mapping fitted without it. If a classifier, for
        example, will be used on new points, train it on these.
    graph_ : Graph
        Lengths of the edges, components before they were joined, and the arcs that joined them.
    geodesics_ : array of shape (L, N)
        Lengths of the shortest paths from the landmarks to all points.
    landmarks_ : array of shape (L,)
        Their indices; all points if N is small.
    eigenvalues_ : array of shape (q,)
    classes_ : array or None
    beta_ : float or None
    n_features_in_ : int

    Notes
    -----
    With labels, the training points are separated by construction, even if the labels are shuffled.
    Judge the embedding by test points.

    `transform` returns the stored coordinates for rows that equal a training row; `map` does not.
    Equal training rows share their coordinates; if their classes differ, these are the mean.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ukrlearn.estimators.isomap import AgglomerativeIsomap
    >>> Y, labels = load_iris(return_X_y=True)
    >>> model = AgglomerativeIsomap(2).fit(Y[::2], labels[::2])
    >>> model.transform(Y[1::2]).shape
    (75, 2)
    """

    def __init__(
        self,
        n_components=2,
        *,
        n_neighbors=10,
        alpha=0.5,
        beta="mean-square",
        arcs="tree",
        mapping="kernel-ridge",
        n_landmarks="auto",
        random_state=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.beta = beta
        self.arcs = arcs
        self.mapping = mapping
        self.n_landmarks = n_landmarks
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _embedded(self, Y, labels):
        N = len(Y)
        h = min(_arguments.whole_number("n_neighbors", self.n_neighbors, least=1), N - 1)
        count = self._number_of_landmarks(N)
        self._demand_memory_of_graph(N, h, count)
        choose_arcs = self._chosen_arcs()
        classes, members = None, None
        if labels is not None:
            classes, members = np.unique(_checked_labels(labels, N), return_inverse=True)
        Q = self._dissimilarities(Y, members)
        landmarks = spread_landmarks(Y, count, self.random_state or 0) if count < N else None
        q = self._components_asked_for(N if landmarks is None else len(landmarks), classes)
        found = agglomerative_isomap(Q, q, h, choose_arcs, landmarks, self.n_jobs)
        beta, longest = getattr(Q, "beta", None), found.graph.lengths.data.max()
        if beta is not None and longest > TOO_LONG:
            warnings.warn(
                f"beta={beta:.3g} makes distances between classes as long as {longest:.3g}, while "
                "those within classes are below 1 and vanish beside them. Pass "
                'beta="mean-square".',
                UserWarning,
                stacklevel=4,
            )
        return {
            "classes_": classes,
            "beta_": beta,
            "graph_": found.graph,
            "geodesics_": found.geodesics,
            "landmarks_": found.landmarks,
            "eigenvalues_": found.scaling.eigenvalues,
            "_scaling": found.scaling,
            "_h": h,
            "embedding_": found.X,
        }

    def _chosen_arcs(self):
        """A function from distances of components to pairs of them; the user's own is checked."""
        choose = _arguments.one_of("arcs", self.arcs, ARCS, or_callable=True)
        if choose in ARCS.values():
            return choose

        def checked(apart):
            pairs = choose(apart)
            if np.ndim(pairs) != 2 or np.shape(pairs)[1] != 2:
                raise ValueError(
                    "arcs must return the pairs of components to be joined, an array of shape "
                    f"(K, 2); got {shown(pairs)}."
                )
            return np.asarray(pairs)

        return checked

    def _dissimilarities(self, Y, members):
        """Q, with labels if there are at least two classes."""
        alpha = _arguments.number("alpha", self.alpha, above=0, or_equal=True, below=1)
        if isinstance(self.beta, str):
            beta = _arguments.one_of("beta", self.beta, BETAS)
        else:
            value = _arguments.number("beta", self.beta, above=0)
            beta = lambda Y: value
        if members is None or not members.any():
            return Euclidean(Y)
        return WithLabels(
            Y, members, alpha, beta(Y) or 1.0
        )  # all points are equal, and any unit will do

    def _demand_memory_of_graph(self, N, h, landmarks):
        memory.demand(
            f"the graph of {N} points with {h} neighbours and shortest paths from {landmarks} of "
            "them",
            ARRAYS_OF_NEIGHBORS * N * h + ARRAYS_OF_PATHS * N * landmarks,
            f'Use a smaller n_neighbors, or n_landmarks="auto", which is {LANDMARKS} here.',
        )

    def _number_of_landmarks(self, N):
        if isinstance(self.n_landmarks, str):
            if self.n_landmarks != "auto":
                raise ValueError(
                    f'n_landmarks must be "auto" or a whole number; got {shown(self.n_landmarks)}.'
                )
            return LANDMARKS if N > DENSE else N
        return min(_arguments.whole_number("n_landmarks", self.n_landmarks, least=2), N)

    def _components_asked_for(self, most, classes):
        if isinstance(self.n_components, str) and self.n_components == "classes":
            if classes is None:
                raise ValueError('n_components="classes" needs labels; got y=None.')
            return min(max(1, len(classes) - 1), most - 1)
        q = _arguments.whole_number("n_components", self.n_components, least=1)
        if q >= most:
            raise ValueError(
                f"n_components={q} must be less than the number of points whose distances are "
                f"scaled, all of them or the landmarks (n_samples={most})."
            )
        return q

    def _new_mapping(self):
        if isinstance(self.mapping, str) and self.mapping == "nystroem":
            return None
        if (
            isinstance(self.mapping, str)
            or isinstance(self.mapping, type)
            or not hasattr(self.mapping, "predict")
        ):
            names = ", ".join(map(repr, (*MAPPINGS, "nystroem")))
            if not isinstance(self.mapping, str) or self.mapping not in MAPPINGS:
                raise ValueError(
                    f"mapping must be one of {names} or a regressor; got {shown(self.mapping)}."
                )
            return MAPPINGS[self.mapping]()
        return clone(self.mapping)

    def _place(self, Y):
        if self.mapping_ is not None:
            return super()._place(Y)
        if self.beta_ is not None:
            raise ValueError(
                'mapping="nystroem" needs distances from new points to training points, which '
                'with labels depend on the label of the new point. Pass mapping="kernel-ridge".'
            )
        return self._scaling.place(
            geodesics_of_new(Y, self._training_rows, self.geodesics_, self._h)
        )

    # Looking at the graph

    def shortest_path(self, source, target):
        """Indices of the points on the shortest path between two training points."""
        check_is_fitted(self)
        return geodesics.shortest_path(self.graph_.lengths, source, target)

    @_border.with_default_errors
    def negative_share(self):
        """The share of negative eigenvalues in the sum of all magnitudes: 0 is Euclidean.

        Multidimensional scaling has to leave them out. It needs all eigenvalues: N³ operations.
        """
        check_is_fitted(self)
        return geodesics.negative_share(self.geodesics_[:, self.landmarks_])

    @_border.with_default_errors
    def residual_variances(self, most=10):
        """1 - r² for embeddings in 0, 1, ..., `most` dimensions, r between geodesic distances and
        distances in the embedding. Where the curve flattens is `geodesics.elbow`."""
        check_is_fitted(self)
        G = self.geodesics_[:, self.landmarks_]
        most = min(_arguments.whole_number("most", most, least=1), len(G) - 1)
        return geodesics.residual_variances(G, geodesics.classical_mds(G, most).X)


class OutOfSample(MappedEmbedding):
    """New points for any embedding, by a regression from data to coordinates.

    Y here is what scikit-learn calls X; X is the embedding.

    TSNE cannot transform new data. ``OutOfSample(TSNE())`` can, and it can be a step of a pipeline.
    The embedding is fitted once, to the training data. The regression learns its coordinates, and
    measures its own error by leaving out each point once.

    Parameters
    ----------
    embedding : object with fit_transform
        TSNE(), UMAP(), SpectralEmbedding(), UKR() ... It is copied. Labels, if given, are passed to
        its fit_transform.
    mapping : regressor, optional
        A regressor with several outputs. None means ``KernelRidgeMap(fit_intercept=True)``. Without
        a constant, kernel ridge regression sends points far from all data to the origin, and most
        embeddings are not centred there.

    Attributes
    ----------
    embedding_ : array of shape (N, q)
    estimator_ : object
        The fitted copy of the embedding.
    mapping_ : regressor
    left_out_embedding_ : array of shape (N, q)
        The coordinates of each training point by a mapping fitted without it.
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.manifold import TSNE
    >>> from ukrlearn.estimators.isomap import OutOfSample
    >>> Y, _ = load_iris(return_X_y=True)
    >>> OutOfSample(TSNE(perplexity=15, random_state=0)).fit(Y[::2]).transform(Y[1::2]).shape
    (75, 2)
    """

    def __init__(self, embedding=None, mapping=None):
        self.embedding = embedding
        self.mapping = mapping

    def _embedded(self, Y, labels):
        if self.embedding is None:
            estimator = AgglomerativeIsomap()
        elif hasattr(self.embedding, "fit_transform") and not isinstance(self.embedding, type):
            estimator = deepcopy(self.embedding)
        else:
            raise TypeError(
                "embedding must be an object with fit_transform, such as TSNE(); got "
                f"{shown(self.embedding)}."
            )
        arguments = () if labels is None else (labels,)
        X = np.asarray(estimator.fit_transform(Y.copy(), *arguments), dtype=float)
        if X.ndim != 2 or len(X) != len(Y) or not np.isfinite(X).all():
            raise ValueError(
                f"embedding must give one row of finite coordinates for each of the {len(Y)} "
                f"points; {type(self.embedding).__name__} gave shape {X.shape} with "
                f"{np.sum(~np.isfinite(X))} NaN or infinite."
            )
        return {"estimator_": estimator, "embedding_": X}

    def _new_mapping(self):
        if self.mapping is None:
            return KernelRidgeMap(fit_intercept=True)
        if not hasattr(self.mapping, "predict") or isinstance(self.mapping, type):
            raise TypeError(
                f"mapping must be a regressor, such as KernelRidgeMap(); got {shown(self.mapping)}."
            )
        return clone(self.mapping)


def _checked_labels(y, N):
    """Class labels of any kind, (N,); ValueError if some are missing or are no classes."""
    labels = column_or_1d(y)
    if len(labels) != N:
        raise ValueError(f"y must hold one label for each of the {N} points; got {len(labels)}.")
    missing = np.array([label is None or label != label for label in labels.tolist()])
    if missing.any():
        raise ValueError(
            f"y must name the class of every point; {missing.sum()} of {N} labels are missing, "
            f"the first at {int(np.argmax(missing))}. Leave these points out, or give them a class "
            "of their own."
        )
    if labels.dtype.kind == "f" and np.any(labels != np.round(labels)):
        raise ValueError(
            "y must hold class labels; these are continuous numbers. Cut them into classes first, "
            "for example with np.digitize."
        )
    kinds = sorted({type(label).__name__ for label in labels.tolist()})
    if len(kinds) > 1:
        raise TypeError(f"y must hold labels of one kind; got {kinds}.")
    return labels
