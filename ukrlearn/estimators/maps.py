"""Maps from data to latent coordinates as scikit-learn regressors: [SI]'s two, KRR and GRNN."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ukrlearn.blocks import memory
from ukrlearn.blocks.arguments import numbers, shown
from ukrlearn.blocks.kernel_ridge import nystroem_path, ridge_path
from ukrlearn.estimators import _arguments, _border
from ukrlearn.si.dissimilarity import mean_squared_distance
from ukrlearn.si.grnn import grnn, grnn_left_out

GAMMAS = (1 / 4, 1, 4, 16, 64)  # divided by the mean squared distance of the data
PENALTIES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0, 10.0)
WIDTHS = tuple(np.geomspace(1 / 32, 1, 16))  # times the root mean squared distance
DENSE = 5000  # points; with more, an N x N array takes over 200 MB
ARRAYS = 6  # N x centres at the peak: an eigendecomposition, and the best one before it
CENTRES = 500  # of the Nystroem form
JUDGED = 5000  # points on which the widths of GRNN are compared


class ScoreCurve(NamedTuple):
    """The leave-one-out error of each setting that was tried."""

    gammas: np.ndarray  # (A,); the widths for GRNN
    penalties: np.ndarray  # (B,); a single zero for GRNN
    errors: np.ndarray  # (A, B), mean squared distance of prediction and target


LEAST, GREATEST = 1e-150, 1e150  # widths, and one over their squares, that a user may try


class _Map(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """The base of both maps: validation, and targets with one or several columns."""

    def _checked(self, Y, Z):
        _arguments.demand_common(self)
        options = dict(multi_output=True, y_numeric=True, ensure_min_samples=2)
        Y, Z = _border.owned(self, Y, Z, **options)
        Z = np.array(numbers("y", Z))
        _arguments.demand_representable(Y)
        _arguments.demand_representable(Z, "y")
        _border.demand_differences(Y)
        self._one_column = Z.ndim == 1
        return Y, Z.reshape(len(Z), -1)

    def _shaped(self, Z):
        return Z[:, 0] if self._one_column else Z

    def fit(self, Y, y, /):
        """Learn the map from data Y (N, d) to coordinates y (N, q) or (N,)."""
        with _border.fitting(self):
            return self._fit(*self._checked(Y, y))

    def _fit(self, Y, Z):
        raise NotImplementedError

    @_border.with_default_errors
    def predict(self, Y, /):
        """Latent coordinates (M, q) of data Y (M, d); (M,) if fitted to a single column."""
        check_is_fitted(self)
        Y = _arguments.validate_data(self, Y, reset=False)
        _arguments.demand_representable(Y)
        return self._shaped(self._predicted(Y))

    def _predicted(self, Y):
        raise NotImplementedError


class KernelRidgeMap(_Map):
    """Kernel ridge regression from data to latent coordinates, [SI], with several outputs.

    Y here is what scikit-learn calls X; the targets, scikit-learn's y, are latent coordinates.

    f(y) = Σ_n w_n exp(-γ |y - y_n|²) with W = (K + λI)⁻¹ Z. It is scikit-learn's `KernelRidge`
    with a Gaussian kernel, but it chooses γ and λ itself, by leaving out each point once. This
    needs no refits: one eigendecomposition for each γ serves all λ and all points.

    Parameters
    ----------
    gamma : "loo", float or list of floats
        γ. "loo" tries five values around 1 / (mean squared distance of the data); all
        values of a list are tried.
    penalty : "loo", float or list of floats
        λ. "loo" tries 1e-6, 1e-5, ..., 10.
    fit_intercept : bool
        Whether a constant is fitted too. Without a constant, as in the paper, points far from all
        data go to the origin; with a constant they go to a weighted mean of the targets.
    n_centres : "auto" or int
        Number of training points that have a weight. "auto": all up to N = 5000, and 500 random
        points beyond (Nystroem). Time grows with N n_centres².
    random_state : int, RandomState or None
        Draws the centres. None means 0.

    Attributes
    ----------
    gamma_, penalty_ : float
        The chosen values.
    score_curve_ : ScoreCurve
        All values tried, each with its mean squared leave-one-out error.
    left_out_ : array of shape (N, q) or (N,)
        The prediction for each training point by a fit without it. If a classifier will be used on
        new points, train it on these and not on the targets: new points are mapped with errors,
        and these predictions have the same kind of error.
    left_out_error_ : float
        The mean squared distance of `left_out_` to the targets.
    network_ : RBFNetwork
        f.
    n_features_in_ : int

    Notes
    -----
    If one of two equal training rows is left out, the other one reveals its target. So many equal
    rows make small penalties look good.

    Examples
    --------
    >>> import numpy as np
    >>> from ukrlearn.estimators.maps import KernelRidgeMap
    >>> t = np.linspace(0, 3, 60)
    >>> Y = np.column_stack([np.cos(t), np.sin(t)])
    >>> f = KernelRidgeMap().fit(Y, t)
    >>> bool(abs(f.predict([[0.0, 1.0]])[0] - np.pi / 2) < 1e-3)
    True
    """

    def __init__(
        self,
        gamma="loo",
        penalty="loo",
        *,
        fit_intercept=False,
        n_centres="auto",
        random_state=None,
    ):
        self.gamma = gamma
        self.penalty = penalty
        self.fit_intercept = fit_intercept
        self.n_centres = n_centres
        self.random_state = random_state

    def _fit(self, Y, Z):
        unit = mean_squared_distance(Y)
        gammas = _tried("gamma", self.gamma, np.array(GAMMAS) / (unit if unit > 0 else 1.0), LEAST)
        penalties = _tried("penalty", self.penalty, np.array(PENALTIES), 0, or_equal=True)
        centres = self._centres(Y)
        best, errors = np.inf, np.empty((len(gammas), len(penalties)))
        for a, gamma in enumerate(gammas):
            width = np.sqrt(0.5 / gamma)
            path = ridge_path(Y, width) if centres is None else nystroem_path(Y, centres, width)
            for b, penalty in enumerate(penalties):
                residuals = path.left_out_residuals(Z, penalty, self.fit_intercept)
                errors[a, b] = np.mean(np.sum(residuals**2, axis=1))
                if errors[a, b] < best:
                    best, chosen, left_out = errors[a, b], (gamma, penalty, path), Z - residuals
        self.gamma_, self.penalty_, path = float(chosen[0]), float(chosen[1]), chosen[2]
        self.score_curve_ = ScoreCurve(gammas, penalties, errors)
        self.left_out_, self.left_out_error_ = self._shaped(left_out), float(best)
        self.network_ = path.fit(Z, self.penalty_, self.fit_intercept)
        return self

    def _centres(self, Y):
        """Some of the points, or None for all."""
        if isinstance(self.n_centres, str):
            if self.n_centres != "auto":
                raise ValueError(
                    f'n_centres must be "auto" or a whole number; got {shown(self.n_centres)}.'
                )
            count = len(Y) if len(Y) <= DENSE else CENTRES
        else:
            count = _arguments.whole_number("n_centres", self.n_centres, least=1)
        everywhere = count >= len(Y)
        memory.demand(
            f"kernel ridge regression of {len(Y)} points with {min(count, len(Y))} centres",
            ARRAYS * len(Y) * min(count, len(Y)),
            'Use fewer centres, or n_centres="auto".',
        )
        if everywhere:
            return None
        return Y[check_random_state(self.random_state or 0).permutation(len(Y))[:count]]

    def _predicted(self, Y):
        return self.network_(Y)


class GRNNMap(_Map):
    """A general regression neural network from data to latent coordinates: a weighted mean.

    Y here is what scikit-learn calls X; the targets, scikit-learn's y, are latent coordinates.

    f(y) = Σ_n z_n K_n / Σ_n K_n with K_n = exp(-|y - y_n|² / 2σ²), also known as Nadaraya-Watson
    regression: `UKR`'s map with data and latent space exchanged. Its values stay in the convex hull
    of the targets. A point far from all data goes to the target of the nearest training point.

    Parameters
    ----------
    width : "loo", float or list of floats
        σ. "loo" tries 16 values from 1/32 of the root mean squared distance of the data up to
        the whole; all values of a list are tried.

    Attributes
    ----------
    width_ : float
        The chosen value.
    score_curve_ : ScoreCurve
        All widths tried (as `gammas`), and the mean squared error of the left out points at each.
        At most 5000 evenly chosen points are left out in turn.
    left_out_ : array of shape (N, q) or (N,)
        The prediction for each training point from all others.
    left_out_error_ : float
        The mean squared distance of `left_out_` to the targets.
    n_features_in_ : int

    Examples
    --------
    >>> from ukrlearn.estimators.maps import GRNNMap
    >>> f = GRNNMap(width=0.1).fit([[0.0], [1.0]], [[5.0, 0.0], [7.0, 1.0]])
    >>> f.predict([[0.5], [1e9]])
    array([[6. , 0.5],
           [7. , 1. ]])
    """

    def __init__(self, width="loo"):
        self.width = width

    def _fit(self, Y, Z):
        size = np.sqrt(mean_squared_distance(Y)) or 1.0
        widths = _tried("width", self.width, np.array(WIDTHS) * size, LEAST)
        judges = np.arange(0, len(Y), -(-len(Y) // JUDGED))
        errors = [
            np.mean(np.sum((grnn_left_out(Y, Z, width, judges) - Z[judges]) ** 2, axis=1))
            for width in widths
        ]
        self.width_ = float(widths[int(np.argmin(errors))])
        self.score_curve_ = ScoreCurve(widths, np.zeros(1), np.array(errors)[:, None])
        left_out = grnn_left_out(Y, Z, self.width_)
        self.left_out_ = self._shaped(left_out)
        self.left_out_error_ = float(np.mean(np.sum((left_out - Z) ** 2, axis=1)))
        self._rows, self._targets = Y, Z
        return self

    def _predicted(self, Y):
        return grnn(Y, self._rows, self._targets, self.width_)


def _tried(name, value, default, above, or_equal=False):
    """The values to be tried: the default, one number, or a list of numbers."""
    if isinstance(value, str):
        if value != "loo":
            raise ValueError(f'{name} must be "loo", a number or a list; got {shown(value)}.')
        return default
    if np.ndim(value) > 1 or (np.ndim(value) and not len(value)):
        raise ValueError(
            f'{name} must be "loo", a number or a list of numbers; got {shown(value)}.'
        )
    values = value if np.ndim(value) else [value]
    return np.array(
        [_arguments.number(name, v, above=above, below=GREATEST, or_equal=or_equal) for v in values]
    )
