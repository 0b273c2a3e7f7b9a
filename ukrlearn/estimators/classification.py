"""Classifiers that work in an embedding, and controls that show what the embedding adds."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, TransformerMixin, clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ukrlearn.blocks import arguments
from ukrlearn.blocks.arguments import shown
from ukrlearn.estimators import _arguments, _border
from ukrlearn.estimators.isomap import AgglomerativeIsomap

classifier_like = arguments.with_methods("fit", "predict", "get_params", such_as="SVC()")


class EmbeddedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier behind an embedding that may use the labels, [SI] sections 1 and 3.

    Y here is what scikit-learn calls X.

    The embedding is fitted to the training data with their labels. The classifier is trained on
    training points in the embedding, and classifies new points where the mapping puts them.

    Parameters
    ----------
    embedding : AgglomerativeIsomap or OutOfSample, optional
        None means ``AgglomerativeIsomap(n_components="classes")``. It is cloned.
    classifier : classifier, optional
        None means the vote of five neighbours. It is cloned.
    train_on : {"left-out", "embedding"}
        The coordinates of the training points on which the classifier is trained. "embedding":
        their coordinates in the embedding, as in the paper. There the classes are separated by
        construction, and mapped points are not where the classifier expects them. "left-out": the
        coordinates that a mapping fitted without the point would give, as for new points.

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
        with _border.fitting(self):
            return self._fit(*_border.owned(self, Y, y, ensure_min_samples=2))

    def _fit(self, Y, y):
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        arguments.choice("left-out", "embedding")("train_on", self.train_on)
        embedding = AgglomerativeIsomap("classes") if self.embedding is None else self.embedding
        if isinstance(embedding, type) or not hasattr(embedding, "map"):
            raise TypeError(
                "embedding must be able to place new points: AgglomerativeIsomap(), or "
                f"OutOfSample(...) around another embedding; got {shown(self.embedding)}."
            )
        if self.classifier is not None:
            classifier_like("classifier", self.classifier)
        self.embedding_ = clone(embedding).fit(Y, y)
        X = self.embedding_.embedding_.copy()
        if self.train_on == "left-out":
            X = self.embedding_.left_out_embedding_
        classifier = KNeighborsClassifier() if self.classifier is None else clone(self.classifier)
        self.classifier_ = classifier.fit(X, y)
        return self

    def predict(self, Y):
        """Classes (M,) of data Y (M, d)."""
        check_is_fitted(self)
        Y = _border.owned(self, Y, reset=False)
        return self.classifier_.predict(self.embedding_.map(Y))


class OneHotLabels(TransformerMixin, BaseEstimator):
    """A control: an "embedding" that ignores the data. Its coordinates encode the labels.

    ``OutOfSample(OneHotLabels(), KernelRidgeMap())`` is kernel ridge regression of the labels. A
    supervised embedding is only worth what it gains over this control.
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

    On test points it cannot be better than chance; if it is, the evaluation has a leak. And if an
    embedding separates such classes on training points, the separation shows nothing.
    """

    def __init__(self, classifier, random_state=None):
        self.classifier = classifier
        self.random_state = random_state

    def fit(self, Y, y):
        """Fit a clone of the classifier to Y and shuffled y."""
        with _border.fitting(self):
            return self._fit(*_border.owned(self, Y, y))

    def _fit(self, Y, y):
        _arguments.demand_common(self)
        classifier_like("classifier", self.classifier)
        check_classification_targets(y)
        self.shuffled_labels_ = check_random_state(self.random_state or 0).permutation(y)
        self.classifier_ = clone(self.classifier).fit(Y, self.shuffled_labels_)
        self.classes_ = self.classifier_.classes_
        return self

    def predict(self, Y):
        """The predicted classes of Y."""
        check_is_fitted(self)
        return self.classifier_.predict(_border.owned(self, Y, reset=False))
