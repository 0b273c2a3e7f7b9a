"""Fair comparison: of maps by rows that they never saw, of classifiers by nested cross-validation.

Each classifier contains everything it needs: standardisation, embedding, mapping and the choice of
its parameters. All of these are fitted to the training part of each fold, so a classifier knows
nothing about a test point before it is judged.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import wilcoxon
from sklearn.base import clone
from sklearn.model_selection import KFold, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from tqdm.auto import tqdm

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import (
    checked,
    count,
    mapping,
    random_state,
    shown,
    switch,
    text,
    verbosity,
    whole_number,
    workers,
)
from ukrlearn.estimators.classification import (
    EmbeddedClassifier,
    OneHotLabels,
    ShuffledLabels,
    classifier_like,
)
from ukrlearn.estimators.isomap import AgglomerativeIsomap, OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap
from ukrlearn.metrics import held_out_error


def _map_like(name, value):
    """An object with fit_transform, or a function from data to coordinates."""
    if callable(value) and not isinstance(value, type):
        return value
    return arguments.with_methods("fit_transform", such_as="TSNE()")(name, value)


@checked(
    method=_map_like,
    Y=arguments.columns,
    folds=partial(whole_number, least=2),
    n_neighbors=count,
    random_state=random_state,
)
def held_out(method, Y, folds=5, *, n_neighbors=10, random_state=0):
    """How well a map rebuilds rows that it never saw: the share of variance lost, in each fold.

    The method maps the rows of the other folds, and `metrics.held_out_error` judges the map by the
    rows of this one: rows that have influenced neither the coordinates nor a choice made by any
    score.

    Parameters
    ----------
    method : object with fit_transform, or callable
        It maps data to coordinates. Objects are cloned for each fold.
    Y : array-like of shape (N, d)
        Data.
    folds : int, default=5
    n_neighbors : int, default=10
        At most the number of mapped rows.
    random_state : int, RandomState or None
        Which rows belong to which fold.

    Returns
    -------
    shares : ndarray of shape (folds,)
        0 is best; the mean of the mapped rows scores about 1.
    """
    most = len(Y) - -(-len(Y) // folds)
    if folds > len(Y) or n_neighbors > most:
        raise ValueError(
            f"Y must have at least folds={folds} rows, and n_neighbors={n_neighbors} in all folds "
            f"but one; got {len(Y)} rows. Use fewer folds or neighbours."
        )
    if (Y == Y[0]).all():
        raise ValueError("Y must vary: there is no variance to explain.")
    mapped = lambda rows: clone(method).fit_transform(rows)
    mapped = mapped if hasattr(method, "fit_transform") else method
    shares = []
    for old, new in KFold(folds, shuffle=True, random_state=random_state).split(Y):
        X = arguments.columns("coordinates of method", mapped(Y[old]))
        if len(X) != len(old):
            raise ValueError(
                f"method must give coordinates to each of {len(old)} rows; got {len(X)}."
            )
        shares.append(held_out_error(X, Y[old], Y[new], n_neighbors))
    return np.array(shares)


class Scores(NamedTuple):
    """The share of rightly classified test points, for each data set, method and fold."""

    data: tuple  # names
    methods: tuple  # names
    accuracy: np.ndarray  # (data sets, methods, folds)

    def means(self):
        """Over folds: (data sets, methods)."""
        return self.accuracy.mean(axis=2)

    def of(self, method):
        """(data sets, folds)."""
        return self.accuracy[:, self.methods.index(method)]


SCORES = arguments.record(Scores)


def _n_components(name, value):
    """A number of dimensions, or one less than there are classes."""
    if isinstance(value, str):
        return arguments.choice("classes")(name, value)
    return count(name, value)


def _pair(name, value):
    """Data and labels of one data set."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"{name} must be a pair (Y, labels); got {shown(value)}.")
    Y, labels = arguments.table(f"{name}: Y", value[0]), arguments.labels(name, value[1])
    if len(Y) != len(labels):
        raise ValueError(
            f"{name} must have a label for each row of Y; got {len(labels)} labels and {len(Y)} "
            "rows."
        )
    return Y, labels


def _known(given):
    """The names are those of the scores."""
    scores = given["scores"]
    of = dict(method=scores.methods, other=scores.methods, data=scores.data)
    for name in of.keys() & given.keys():
        if given[name] is not None and given[name] not in of[name]:
            names = ", ".join(map(repr, of[name]))
            raise ValueError(f"{name} must be one of {names}; got {shown(given[name])}.")


@checked(n_components=_n_components, classifier=classifier_like, standardize=switch)
def rivals(n_components="classes", classifier=None, standardize=True):
    """The methods of [SI] and their controls, as a dictionary of classifiers.

    The methods are supervised embeddings, with both maps and both ways to train the classifier. The
    controls are the same classifier on the data themselves, a support vector machine, kernel ridge
    regression of the labels without any manifold, and the embedding with shuffled labels.
    """
    classifier = KNeighborsClassifier() if classifier is None else classifier

    def embedded(mapping, train_on="left-out"):
        embedding = AgglomerativeIsomap(n_components, mapping=mapping)
        return EmbeddedClassifier(embedding, classifier, train_on=train_on)

    one_hot = OutOfSample(OneHotLabels(), KernelRidgeMap())
    methods = {
        "embedding, KRR": embedded(KernelRidgeMap()),
        "embedding, GRNN": embedded(GRNNMap()),
        "embedding, KRR, as printed": embedded(KernelRidgeMap(), "embedding"),
        "embedding, GRNN, as printed": embedded(GRNNMap(), "embedding"),
        "direct": clone(classifier),
        "SVM": SVC(C=10),
        "KRR of labels": EmbeddedClassifier(one_hot, classifier),
        "shuffled labels": ShuffledLabels(embedded(KernelRidgeMap())),
    }
    if not standardize:
        return methods
    return {name: make_pipeline(StandardScaler(), one) for name, one in methods.items()}


@checked(
    methods=mapping(classifier_like),
    data=mapping(_pair),
    folds=partial(whole_number, least=2),
    repeats=count,
    random_state=random_state,
    n_jobs=workers,
    verbose=verbosity,
)
def nested_cross_validation(
    methods, data, *, folds=5, repeats=1, random_state=0, n_jobs=None, verbose=0
) -> Scores:
    """The accuracy of each method in each fold of each data set; all methods get the same folds.

    Parameters
    ----------
    methods : dict of classifiers
        Each is cloned, and fitted to the training part of a fold. If it chooses parameters by
        leaving out points or by ``GridSearchCV``, this choice is the inner loop.
    data : dict of pairs (Y, labels)
    folds, repeats : int
        The folds are stratified. Each class needs at least as many members as there are folds.
    n_jobs : int, optional
        Number of joblib workers for the fits, which may run on a dask cluster.
    verbose : int
        1 shows a progress bar.
    """
    tasks = []
    for name, (Y, labels) in data.items():
        _, sizes = np.unique(labels, return_counts=True)
        if sizes.min() < folds:
            raise ValueError(
                f"folds={folds} needs that many members in each class; the smallest class of "
                f"{name!r} has {sizes.min()}. Use fewer folds, or leave out that class."
            )
        splitter = RepeatedStratifiedKFold(
            n_splits=folds, n_repeats=repeats, random_state=random_state
        )
        for train, test in splitter.split(Y, labels):
            tasks += [(method, Y, labels, train, test) for method in methods.values()]
    results = Parallel(n_jobs=n_jobs, return_as="generator")(
        delayed(_accuracy)(*task) for task in tasks
    )
    bar = tqdm(results, total=len(tasks), desc="fits", leave=False, disable=not verbose)
    found = np.array(list(bar)).reshape(len(data), folds * repeats, len(methods))
    return Scores(tuple(data), tuple(methods), found.swapaxes(1, 2))


def _accuracy(method, Y, labels, train, test):
    model = clone(method).fit(Y[train], labels[train])
    return float(np.mean(model.predict(Y[test]) == labels[test]))


# Paired tests


class Paired(NamedTuple):
    """Two methods compared over data sets, or over the folds of one data set."""

    better: int
    equal: int
    worse: int
    difference: float  # median
    p: float  # two-sided, Wilcoxon's signed ranks


@checked(_known, scores=SCORES, method=text, other=text, data=text)
def paired(scores: Scores, method, other, data=None) -> Paired:
    """Wilcoxon's test of two methods, over the means of all data sets or over the folds of one.

    Folds share most of their training points, so their differences are not independent, and p over
    folds is too small. Over data sets p is valid.
    """
    if data is None:
        first, second = (scores.of(name).mean(axis=1) for name in (method, other))
    else:
        first, second = (scores.of(name)[scores.data.index(data)] for name in (method, other))
    differences = np.round(first - second, 12)
    p = wilcoxon(differences).pvalue if differences.any() else 1.0
    signs = [int(np.sum(np.sign(differences) == sign)) for sign in (1, 0, -1)]
    return Paired(*signs, float(np.median(differences)), float(p))
