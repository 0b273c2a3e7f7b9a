"""The base of estimators that embed: they validate, learn, keep the result and place new data."""

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ukrlearn.blocks.sharing import of_first_member
from ukrlearn.estimators import _arguments, _border, _pieces
from ukrlearn.estimators._journal import Journal
from ukrlearn.estimators._rows import equal_rows, rows_in

FAR = 1e6  # times the size of the data: for new data farther away, only their direction counts


class Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """An estimator that finds latent points for the rows of a table.

    A subclass defines the fit in `_learn`. It has the parameter n_components, and verbose and
    callback if it takes steps.
    """

    verbose, callback = 0, None  # for subclasses that take no steps
    _takes_labels = False  # whether fit uses its second argument
    _at_most_columns = True  # whether n_components must not exceed the number of columns

    def fit(self, Y, /, y=None):
        """Learn the latent points of Y (N, d); y is ignored unless the class says otherwise.

        Equal rows of Y share their latent point.

        Ctrl-C ends the fit, and the model results from the steps so far. In an interactive shell, a
        warning says so. In a script, in a worker and inside a search, `KeyboardInterrupt` follows,
        and so it does when the same cell or command is interrupted for the second time.
        """
        with _border.fitting(self):
            if self.__sklearn_is_fitted__():
                del self.embedding_  # if this fit fails, no mixture of two models must remain
            self._demand_memory(_number_of_rows(Y))
            Y = _border.owned(self, Y, ensure_min_samples=2)
            _arguments.demand_representable(Y)
            _arguments.demand_common(self)
            journal, twins = Journal.of(self), equal_rows(Y)
            labels = (y,) if self._takes_labels else ()
            learnt = self._learn(Y, *labels, twins, journal)
            _border.demand_finite(self, learnt)
            if journal.history:  # empty if the fit takes no steps
                self.history_ = journal.history
            X = learnt.pop("embedding_")
            X = np.array(of_first_member(X, twins))  # a copy: steps and starts may share the other
            for name, value in learnt.items():
                setattr(self, name, value)
            self.embedding_ = X  # last, because from now on the model counts as fitted
            journal.settle_interruption()
            return self

    def fit_transform(self, Y, /, y=None):
        """A copy of `fit(Y).embedding_`."""
        return self.fit(Y, y).embedding_.copy()

    def _learn(self, Y, twins, journal) -> dict:
        """The fitted attributes by name, including `embedding_`; the journal records the steps.

        `twins` labels the rows, equal ones alike, or is None if all rows differ. Equal rows must
        share their latent point up to rounding, by `blocks.sharing`, before errors are computed.
        With `_takes_labels`, labels come after Y.
        """
        raise NotImplementedError

    def _demand_memory(self, N):
        """ValueError if N points need too much memory; parameters have not been checked yet."""

    def _checked_components(self, Y):
        """q; ValueError or TypeError if n_components is not valid for these data."""
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
    """An embedding that can place new data.

    A subclass defines `_place`, which places new rows, and its `_learn` also returns
    `_training_rows`.
    """

    @_border.with_default_errors
    def transform(self, Y, /):
        """Latent coordinates (M, q): stored for training rows, computed for all other rows.

        An array or a data frame of dask gives a lazy one: nothing is computed yet.
        """
        check_is_fitted(self)
        if _pieces.in_pieces(Y):
            return _pieces.placed(self, Y)
        return self._placed(self._checked_data(Y))

    def _place(self, Y):
        """Latent positions (M, q) of new rows, each placed independently."""
        raise NotImplementedError

    def _placed(self, Y):
        stored = rows_in(self._training_rows, Y)
        x, new = self.embedding_[stored], stored < 0
        if new.any():
            x[new] = self._place(Y[new])
        return x

    def _checked_data(self, Y):
        Y = _arguments.validate_data(self, Y, reset=False)
        _arguments.demand_representable(Y)
        return Y


class EmbeddingWithMaps(EmbeddingWithPlaces):
    """An embedding that can place new data, and map latent positions back to data.

    A subclass also defines `_rebuild`, which maps latent positions to data.
    """

    @_border.with_default_errors
    def inverse_transform(self, X, /):
        """f(X): data (M, d) at latent positions X (M, q)."""
        check_is_fitted(self)
        return self._rebuild(self._checked_positions(X))

    @_border.with_default_errors
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
        X = _arguments.positions("X", X)
        q = self.embedding_.shape[1]
        if X.shape[1] != q:
            raise ValueError(
                f"X must hold latent positions with n_components={q} columns; got shape {X.shape}."
            )
        _arguments.demand_representable(X, "X")
        return X


def _number_of_rows(Y):
    """N, without converting Y; 0 if Y is no table, which is then refused elsewhere."""
    shape = getattr(Y, "shape", None) or (len(Y) if isinstance(Y, list) else 0,)
    return shape[0]
