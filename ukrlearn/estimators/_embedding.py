"""What estimators that embed share: they validate, learn, remember, and place new data."""

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from ukrlearn.estimators import _arguments
from ukrlearn.estimators._journal import Journal
from ukrlearn.estimators._rows import rows_in

FAR = 1e6  # times the size of the data: from there on new data count by their direction only


class Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An estimator that finds latent points for the rows of a table.

    A subclass says in `_learn` what is fitted. It has the parameter n_components, verbose and
    callback if it takes steps, and whatever else it needs.
    """

    verbose, callback = 0, None  # of those that take no steps
    _takes_labels = False  # whether the second argument of fit means something
    _at_most_columns = True  # whether there can be no more components than columns

    def fit(self, Y, /, y=None):
        """Learn the latent points of Y (N, d); y is ignored unless the class says otherwise.

        Ctrl-C leaves the model of the steps so far, with a warning.
        """
        if self.__sklearn_is_fitted__():
            del self.embedding_  # should this fit fail, no mixture of two models remains
        Y = validate_data(self, Y, dtype=np.float64, ensure_min_samples=2)
        _arguments.demand_representable(Y)
        _arguments.demand_callback(self.callback)
        journal = Journal.of(self)
        learnt = self._learn(Y, y, journal) if self._takes_labels else self._learn(Y, journal)
        if journal.history:  # not of a fit in one step
            self.history_ = journal.history
        for name, value in learnt.items():
            setattr(self, name, value)
        return self

    def fit_transform(self, Y, /, y=None):
        """`fit(Y).embedding_`."""
        return self.fit(Y, y).embedding_

    def _learn(self, Y, journal) -> dict:
        """The fitted attributes by name, `embedding_` among them; the steps go to the journal."""
        raise NotImplementedError

    def _checked_components(self, Y):
        """q; ValueError or TypeError if n_components means nothing for these data."""
        N, d = Y.shape
        q = _arguments.whole_number("n_components", self.n_components, least=1)
        if self._at_most_columns and q > d:
            raise ValueError(
                f"n_components={q} must be at most the {d} columns of Y (n_features={d})."
            )
        if q >= N:
            raise ValueError(f"n_components={q} must be less than the {N} points (n_samples={N}).")
        return q

    def __sklearn_is_fitted__(self):
        return hasattr(self, "embedding_")

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]


class EmbeddingWithPlaces(Embedding):
    """An embedding that has a place for new data.

    A subclass says in `_place` where new rows go; `_learn` gives `_training_rows` too.
    """

    def transform(self, Y, /):
        """Latent coordinates (M, q): stored ones for training rows, new ones for all others."""
        check_is_fitted(self)
        return self._placed(self._checked_data(Y))

    def _place(self, Y):
        """Latent positions (M, q) of new rows, each by itself."""
        raise NotImplementedError

    def _placed(self, Y):
        stored = rows_in(self._training_rows, Y)
        x, new = self.embedding_[stored], stored < 0
        if new.any():
            x[new] = self._place(Y[new])
        return x

    def _checked_data(self, Y):
        Y = validate_data(self, Y, reset=False, dtype=np.float64)
        _arguments.demand_representable(Y)
        return Y


class EmbeddingWithMaps(EmbeddingWithPlaces):
    """An embedding that has a place for new data, and a way back.

    A subclass also says in `_rebuild` what stands at latent positions.
    """

    def inverse_transform(self, X, /):
        """f(X): data (M, d) at latent positions X (M, q)."""
        check_is_fitted(self)
        return self._rebuild(self._checked_positions(X))

    def score(self, Y, /, y=None):
        """Minus the mean squared distance of Y to f(`transform(Y)`); y is ignored.

        Larger is better, so that GridSearchCV works. Training rows are scored at their stored
        coordinates, which flatters the model: score new data.
        """
        check_is_fitted(self)
        Y = self._checked_data(Y)
        return -float(self._squared_distances(Y, self._placed(Y)).mean())

    def _rebuild(self, X):
        """Data (M, d) at latent positions."""
        raise NotImplementedError

    def _squared_distances(self, Y, x):
        """|y_m - f(x_m)|² for each pair of rows."""
        return np.sum((Y - self._rebuild(x)) ** 2, axis=1)

    def _checked_positions(self, X):
        X = check_array(X, dtype=np.float64, input_name="X")
        q = self.embedding_.shape[1]
        if X.shape[1] != q:
            raise ValueError(
                f"X must hold latent positions with n_components={q} columns; got shape {X.shape}."
            )
        _arguments.demand_representable(X, "X")
        return X
