"""One round of k-planes: every point takes its nearest plane, every plane its points' PCA."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import staged
from ukrlearn.rpm import adaptation, costs
from ukrlearn.rpm.index_sets import Labels
from ukrlearn.rpm.maps import Planes

LOOSE = 2e-3  # of the largest value: single precision is no mistake
SIZES = ((23, 3, 1, 2), (41, 4, 2, 3), (25, 5, 3, 2), (14, 2, 1, 1))  # N, d, q, k


def reference(Y, centres, V):
    Z, _ = Labels(len(centres)).project(Planes(centres, V), Y)
    f = adaptation.fit_planes(Z, Y, costs.squared, Planes(centres, V))
    return Z, f.centres, _projectors(f.directions)


def trials(seed):
    random = np.random.default_rng(seed)
    six = np.array([[2.0, 0], [4, -1], [6, -2], [0, 5], [1, 7], [-1, 3]])
    axes = np.eye(2)[:, None]  # one line along each axis
    begun = np.array([[0.0, 0.0], [0.0, 4.0]])
    made = [Trial("six points, two lines", dict(Y=six, centres=begun, V=axes))]
    for N, d, q, k in SIZES:
        Y, centres, V = _around_planes(random, N, d, q, k)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}, k = {k}", dict(Y=Y, centres=centres, V=V)))
    Y, centres, V = _around_planes(random, 29, 3, 1, 3)
    lonely = np.vstack([centres, np.full(3, 1e3)])
    wider = np.concatenate([V, np.array([[[0.6, 0.0, 0.8]]])])
    made.append(Trial("a plane that nobody takes", dict(Y=Y, centres=lonely, V=wider)))
    made.append(Trial("two planes alike", dict(Y=Y, centres=centres[[0, 0, 1]], V=V[[0, 0, 1]])))
    zero = np.vstack([Y - Y.mean(axis=0), np.zeros(3)])
    around = dict(Y=zero, centres=centres - Y.mean(axis=0), V=V)
    made.append(Trial("data around the origin, with a zero row", around))
    made.append(Trial("far from the origin", dict(Y=Y + 40, centres=centres + 40, V=V)))
    made.append(Trial("a thousand times larger", dict(Y=1e3 * Y, centres=1e3 * centres, V=V)))
    return made


def _around_planes(random, N, d, q, k):
    """Points around k planes, and planes to begin with: each is taken by more than q + 1 points."""
    while True:
        true = random.normal(size=(k, q, d)) * 2
        offsets = 3 * random.normal(size=(k, d)) + 1
        owner = np.arange(N) % k
        place = random.normal(size=(N, q)) * np.linspace(1.5, 1.0, q) + 0.5
        Y = offsets[owner] + np.einsum("nq,nqd->nd", place, true[owner])
        Y += 0.3 * random.normal(size=(N, d))
        centres = offsets + random.normal(size=(k, d))
        V = _orthonormal(true + 0.6 * random.normal(size=true.shape))
        Z, _ = Labels(k).project(Planes(centres, V), Y)
        if np.bincount(Z, minlength=k).min() > q + 1:
            return Y, centres, V


def _orthonormal(V):
    return np.array([np.linalg.qr(v.T)[0].T for v in V])


def _projectors(V):
    """(k, d, d) from directions (k, q, d)."""
    return np.einsum("kqd,kqe->kde", V, V)


# Parts: right ones, and wrong ones to exchange for them


def _residuals(Y, centres, V):
    """What is left of Y - c off each plane, (k, N, d)."""
    from_centre = Y - centres[:, None]
    return from_centre - np.einsum("kne,kde->knd", from_centre, _projectors(V))


def _squares(Y, centres, V):
    return np.sum(_residuals(Y, centres, V) ** 2, axis=2)


def _nearest(Y, centres, V):
    return np.argmin(_squares(Y, centres, V), axis=0)


def _mean(own, centre, v):
    return own.mean(axis=0)


def _leading(own, new, old, v, Y):
    """P of the q directions of greatest variance."""
    V = np.linalg.svd(own - new)[2][: len(v)]
    return V.T @ V


def _stays(centre, p, Y):
    """What becomes of a plane that nobody takes."""
    return centre, p


@staged
def _made(label=_nearest, centre=_mean, plane=_leading, empty=_stays):
    """A right round with parts exchanged."""

    def k_planes_round(Y, centres, V):
        Z = label(Y, centres, V)
        found, P = centres.copy(), _projectors(V)
        for k in range(len(centres)):
            own = Y[Z == k]
            if len(own) == 0:
                found[k], P[k] = empty(centres[k], P[k], Y)
                continue
            found[k] = centre(own, centres[k], V[k])
            P[k] = plane(own, found[k], centres[k], V[k], Y)
        return Z, found, P

    return k_planes_round


def _assigned(squares):
    """Labels by another distance."""
    return _made(label=lambda Y, centres, V: np.argmin(squares(Y, centres, V), axis=0))


def _by_svd(of):
    return lambda own, new, old, v, Y: _outer(of(own, new, old, v, Y))


def _outer(V):
    return V.T @ V


def _trailing(own, new, old, v, Y):
    V = np.linalg.svd(own - new)[2]
    return V[len(V) - len(v) :]


def _no_plane(own, new, old, v, Y):
    return np.eye(len(new)) - _leading(own, new, old, v, Y)


def _one_more(own, new, old, v, Y):
    return np.linalg.svd(own - new)[2][: len(v) + 1]


def _one_only(own, new, old, v, Y):
    return np.linalg.svd(own - new)[2][:1]


def _columns_of_v(own, new, old, v, Y):
    """The columns of the third factor, where its rows are the directions."""
    return np.linalg.svd(own - new)[2][:, : len(v)].T


def _labels_from_one(Y, centres, V):
    Z, found, P = reference(Y, centres, V)
    return Z + 1, found, P


def _nothing_refitted(Y, centres, V):
    return _nearest(Y, centres, V), centres, _projectors(V)


def _labels_of_new(Y, centres, V):
    _, found, P = reference(Y, centres, V)
    off = Y - found[:, None]
    left = off - np.einsum("kne,kde->knd", off, P)
    return np.argmin(np.sum(left**2, axis=2), axis=0), found, P


def _last_of_several(Y, centres, V):
    squares = _squares(Y, centres, V)
    return len(squares) - 1 - np.argmin(squares[::-1], axis=0)


def _foot_of_old_centre(own, centre, v):
    """The mean, moved within the plane to be nearest to the old centre."""
    mean = own.mean(axis=0)
    return mean + (centre - mean) @ v.T @ v


def _are_projectors(result, Y, centres, V):
    P = result[2]
    twice = np.einsum("kde,kef->kdf", P, P)
    return bool(np.abs(twice - P).max() < 0.01 and np.abs(P - P.swapaxes(1, 2)).max() < 0.01)


def _keep_dimension(result, Y, centres, V):
    trace = np.einsum("kdd->k", result[2])
    return bool(np.abs(trace - V.shape[1]).max() < 0.01)


def _nearest_taken(result, Y, centres, V):
    Z = result[0].astype(int)
    if Z.min() < 0 or Z.max() >= len(centres):
        return False
    squares = _squares(Y, centres, V)
    taken = squares[Z, np.arange(len(Y))]
    return bool((taken <= squares.min(axis=0) + LOOSE * squares.max()).all())


EXERCISE = Exercise(
    name="k_planes",
    title="k-planes",
    lesson="22_one_functional",
    equations="[RPM] section 2, after (10)",
    minutes=25,
    shapes={"Y": "N d", "centres": "k d", "V": "k q d"},
    returns={"Z": "N", "new_centres": "k d", "P": "k d d"},
    trials=trials,
    reference=reference,
    properties=(
        Property(
            "not_nearest",
            "Every point takes the plane that is nearest.",
            "Some of your points do not take the nearest plane. Subtract from y - c its part within the "
            "plane, Vᵀ V (y - c); the distance is the length of the rest.",
            _nearest_taken,
        ),
        Property(
            "no_projectors",
            "Each P is a projection: symmetric, and P P = P.",
            "Your P are not projections: P P is not P. P is VᵀV for a V with orthonormal rows, as np.linalg.svd "
            "and np.linalg.eigh return them (rows of the one, columns of the other).",
            _are_projectors,
        ),
        Property(
            "other_dimension",
            "The planes keep their dimension: the trace of each P is q.",
            "The trace of your P is not q, so your planes have another dimension than they had.",
            _keep_dimension,
        ),
    ),
    misconceptions=(
        Misconception(
            "nearest_centre",
            "Your labels are those of k-means: the nearest centre. A plane goes on for ever, so a point "
            "can be far from c and still lie on the plane. Only the part of y - c across it counts.",
            _assigned(lambda Y, centres, V: np.sum((Y - centres[:, None]) ** 2, axis=2)),
        ),
        Misconception(
            "within_the_plane",
            "Your distance is the part of y - c *within* the plane. Subtract it from y - c; what is left counts.",
            _assigned(
                lambda Y, centres, V: (
                    np.sum((Y - centres[:, None]) ** 2, axis=2) - _squares(Y, centres, V)
                )
            ),
        ),
        Misconception(
            "farthest",
            "Your points take the plane that is *farthest*.",
            _assigned(lambda Y, centres, V: -_squares(Y, centres, V)),
        ),
        Misconception(
            "through_the_origin",
            "You compute distances as if all planes went through the origin. Subtract the centre of the plane first.",
            _assigned(lambda Y, centres, V: _squares(Y, 0 * centres, V)),
        ),
        Misconception(
            "centre_not_projected",
            "You take y - VᵀV(y - c) for the residual. The centre must be subtracted from both: "
            "y - c - VᵀV(y - c).",
            _assigned(
                lambda Y, centres, V: np.sum(
                    (_residuals(Y, centres, V) + centres[:, None]) ** 2, axis=2
                )
            ),
        ),
        Misconception(
            "point_not_centred",
            "You take y - c - VᵀVy for the residual. The centre must be subtracted in both places: "
            "y - c - VᵀV(y - c).",
            _assigned(
                lambda Y, centres, V: np.sum(
                    (
                        _residuals(Y, centres, V)
                        - np.einsum("ke,kde->kd", centres, _projectors(V))[:, None]
                    )
                    ** 2,
                    axis=2,
                )
            ),
        ),
        Misconception(
            "sum_not_squared",
            "You add up the entries of the residual without squaring them, so positive and negative ones cancel.",
            _assigned(lambda Y, centres, V: np.abs(_residuals(Y, centres, V).sum(axis=2))),
        ),
        Misconception(
            "absolute_residuals",
            "You add up the absolute entries of the residual. The cost is the sum of their squares.",
            _assigned(lambda Y, centres, V: np.abs(_residuals(Y, centres, V)).sum(axis=2)),
        ),
        Misconception(
            "last_of_several",
            "Where two planes are equally near you take the later one. The task asks for the first.",
            _made(label=_last_of_several),
        ),
        Misconception(
            "labels_from_one",
            "Your labels begin at 1. Here codes are row numbers, from 0 on.",
            _labels_from_one,
        ),
        Misconception(
            "labels_of_the_new",
            "You return the labels for the *new* planes. Return those that the new planes were fitted to.",
            _labels_of_new,
        ),
        Misconception(
            "nothing_refitted",
            "You return the planes that you were given. After the labels comes the second half step: the mean and PCA "
            "of each plane's own points.",
            _nothing_refitted,
        ),
        Misconception(
            "least_variance",
            "Your P projects onto the q directions of *least* variance. These are eliminated; the plane "
            "runs along those of greatest variance.",
            _made(plane=_by_svd(_trailing)),
        ),
        Misconception(
            "across_the_plane",
            "Your P is I - VᵀV, the projection across the plane. P = VᵀV is asked for.",
            _made(plane=_no_plane),
        ),
        Misconception(
            "not_centred",
            "You do PCA without subtracting the mean. Then the leading direction points from the origin to the data.",
            _made(plane=_by_svd(lambda own, new, old, v, Y: np.linalg.svd(own)[2][: len(v)])),
        ),
        Misconception(
            "old_centre_in_pca",
            "You subtract the *old* centre before PCA. The directions are those around the new one, the mean of the "
            "plane's own points.",
            _made(plane=_by_svd(lambda own, new, old, v, Y: np.linalg.svd(own - old)[2][: len(v)])),
        ),
        Misconception(
            "mean_of_all",
            "You subtract the mean of *all* data before PCA. Each plane has the mean of its own points.",
            _made(
                plane=_by_svd(
                    lambda own, new, old, v, Y: np.linalg.svd(own - Y.mean(axis=0))[2][: len(v)]
                )
            ),
        ),
        Misconception(
            "pca_of_all",
            "All your planes have the same directions, those of PCA on all data. Take the points of each label by "
            "themselves.",
            _made(
                plane=_by_svd(
                    lambda own, new, old, v, Y: np.linalg.svd(Y - Y.mean(axis=0))[2][: len(v)]
                )
            ),
        ),
        Misconception(
            "columns_for_rows",
            "You take columns of the third factor of np.linalg.svd. It returns V transposed: directions "
            "are its rows.",
            _made(plane=_by_svd(_columns_of_v)),
        ),
        Misconception(
            "one_dimension_more",
            "Your planes have one dimension too many: q is the number of rows of V.",
            _made(plane=_by_svd(_one_more)),
        ),
        Misconception(
            "always_a_line",
            "Your planes are always lines: you keep one direction. Keep q of them, as many as V has.",
            _made(plane=_by_svd(_one_only)),
        ),
        Misconception(
            "covariance_returned",
            "Your P is the covariance of the plane's points. Of its eigenvectors only those of the q greatest eigenvalues "
            "are kept, and P = VᵀV has no eigenvalues in it.",
            _made(plane=lambda own, new, old, v, Y: (own - new).T @ (own - new) / len(own)),
        ),
        Misconception(
            "centres_stay",
            "Your centres stay where they were. The new centre is the mean of the plane's own points.",
            _made(centre=lambda own, centre, v: centre),
        ),
        Misconception(
            "medians",
            "Your centres are medians. With the squared cost they are means.",
            _made(centre=lambda own, centre, v: np.median(own, axis=0)),
        ),
        Misconception(
            "projected_centre",
            "Your new centres lie on the right planes, but beside the mean: you moved the old centre across "
            "the plane only. The task asks for the mean.",
            _made(
                centre=_foot_of_old_centre,
                plane=lambda own, new, old, v, Y: _leading(own, own.mean(axis=0), old, v, Y),
            ),
        ),
        Misconception(
            "empty_to_zero",
            "A plane that nobody takes becomes zero. It must stay as it was: begin with copies of what was given.",
            _made(empty=lambda centre, p, Y: (0 * centre, 0 * p)),
        ),
        Misconception(
            "empty_projection_zero",
            "The P of a plane that nobody takes is zero: your loop skips it. It must stay VᵀV: begin with the P of "
            "all planes that were given.",
            _made(empty=lambda centre, p, Y: (centre, 0 * p)),
        ),
        Misconception(
            "empty_to_mean",
            "A plane that nobody takes moves to the mean of all data. It must stay as it was.",
            _made(empty=lambda centre, p, Y: (Y.mean(axis=0), p)),
        ),
    ),
    hints=(
        "Draw a line and a point off it. Which part of the arrow from c to the point is the cost, the part along the "
        "line or the part across it?",
        "The part within plane k is VᵀV(y - c), with V = V[k]. The label is the k with the smallest "
        "|y - c - VᵀV(y - c)|². Then own = Y[Z == k]: its mean is the new centre, and the first q rows of the third "
        "factor of np.linalg.svd(own - mean) are the new V. Return VᵀV.",
        "Loop over k to fill an array (k, N) of squares; np.argmin(squares, axis=0) are the labels, the first of several. Start "
        "with centres.copy() and with P[k] = V[k].T @ V[k]. Then loop over k again, skip planes without points, and "
        "write the mean and V_new.T @ V_new into row k. With many points np.linalg.svd needs full_matrices=False.",
    ),
)
