"""Classifiers that work in an embedding, and the controls that say what it is worth."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ukrlearn.estimators.isomap import AgglomerativeIsomap


class EmbeddedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier behind an embedding that may use the labels, [SI] sections 1 and 3.

    Y here is what scikit-learn calls X.

    The embedding is fitted to the training data with their labels. The classifier learns from
    training points in it, and is asked about new points where the mapping sends them.

    Parameters
    ----------
    embedding : AgglomerativeIsomap or OutOfSample, optional
        None is ``AgglomerativeIsomap(n_components="classes")``. It is cloned.
    classifier : classifier, optional
        None is the vote of five neighbours. It is cloned.
    train_on : {"left-out", "embedding"}
        Where the classifier sees the training points. "embedding": at their place in the
        embedding, as in the paper. Classes are separated there by construction, and mapped points
        are not where the classifier expects them. "left-out": where the mapping would send each
        had it not seen it, which is where new points go.

    Attributes
    ----------
    embedding_, classifier_ : fitted copies
    classes_ : array
    n_features_in_ : int

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from ukrlearn.estimators.classification import EmbeddedClassifier
    >>> Y, labels = load_wine(return_X_y=True)
    >>> model = make_pipeline(StandardScaler(), EmbeddedClassifier()).fit(Y[::2], labels[::2])
    >>> model.score(Y[1::2], labels[1::2]) > 0.9
    True
    """

    def __init__(self, embedding=None, classifier=None, *, train_on="left-out"):
        self.embedding = embedding
        self.classifier = classifier
        self.train_on = train_on

    def fit(self, Y, y):
        """Learn embedding, mapping and classifier from data Y (N, d) with labels y (N,)."""
        Y, y = validate_data(self, Y, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if self.train_on not in ("left-out", "embedding"):
            raise ValueError(
                f'train_on must be "left-out" or "embedding"; got train_on={self.train_on!r}.'
            )
        embedding = AgglomerativeIsomap("classes") if self.embedding is None else self.embedding
        if not hasattr(embedding, "map"):
            raise TypeError(
                "embedding must say where new points go: AgglomerativeIsomap(), or "
                f"OutOfSample(...) around any other; got {self.embedding!r}."
            )
        self.embedding_ = clone(embedding).fit(Y, y)
        X = self.embedding_.embedding_
        if self.train_on == "left-out":
            X = self.embedding_.left_out_embedding_
        classifier = KNeighborsClassifier() if self.classifier is None else clone(self.classifier)
        self.classifier_ = classifier.fit(X, y)
        return self

    def predict(self, Y):
        """Classes (M,) of data Y (M, d)."""
        check_is_fitted(self)
        Y = validate_data(self, Y, dtype=np.float64, reset=False)
        return self.classifier_.predict(self.embedding_.map(Y))


class OneHotLabels(TransformerMixin, BaseEstimator):
    """A control: an "embedding" that is the labels, one coordinate a class, and ignores the data.

    ``OutOfSample(OneHotLabels(), KernelRidgeMap())`` is kernel ridge regression of the labels. What
    a supervised embedding brings is what it has beyond that.
    """

    def fit(self, Y, y):
        """Remember the classes."""
        self.classes_ = np.unique(y)
        return self

    def fit_transform(self, Y, y):
        """Ones and zeros (N, number of classes)."""
        return (np.asarray(y)[:, None] == self.fit(Y, y).classes_).astype(float)


class ShuffledLabels(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A control: a classifier that is trained on labels in random order.

    On test points nothing can be better than chance with it. An evaluation in which it is has a
    leak; an embedding of training points in which its classes are separate shows nothing.
    """

    def __init__(self, classifier, random_state=None):
        self.classifier = classifier
        self.random_state = random_state

    def fit(self, Y, y):
        """Fit a clone of the classifier to Y and shuffled y."""
        Y, y = validate_data(self, Y, y)
        check_classification_targets(y)
        self.shuffled_labels_ = check_random_state(self.random_state or 0).permutation(y)
        self.classifier_ = clone(self.classifier).fit(Y, self.shuffled_labels_)
        self.classes_ = self.classifier_.classes_
        return self

    def predict(self, Y):
        """What the classifier says of Y."""
        check_is_fitted(self)
        return self.classifier_.predict(validate_data(self, Y, reset=False))
