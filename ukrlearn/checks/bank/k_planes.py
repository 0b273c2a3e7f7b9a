"""One round of k-planes: every point takes its nearest plane, every plane its points' PCA."""

import numpy as np

from ukrlearn.checks.exercise import Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
from ukrlearn.checks.texts import exercise
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
    made += [Trial("eight points, three lines", _small()), Trial("five points, a plane", FIVE)]
    whole = dict(
        Y=six[[0, 1, 3, 5]], centres=begun[1:], V=np.eye(2)[None]
    )  # of two, each is nearest
    made.append(Trial("four points, a plane as large as the space", whole))
    two = dict(Y=six[[0, 1, 3, 5]], centres=begun, V=np.zeros((2, 0, 2)))
    made.append(Trial("four points, two points in place of lines, q = 0", two))
    for N, d, q, k in SIZES:
        Y, centres, V = _around_planes(random, N, d, q, k)
        made.append(Trial(f"N = {N}, d = {d}, q = {q}, k = {k}", dict(Y=Y, centres=centres, V=V)))
    Y, centres, V = _around_planes(random, 17, 3, 0, 3)
    points = dict(Y=Y, centres=centres, V=V)
    made.append(Trial("points in place of planes, q = 0", points))
    Y, centres, V = _around_planes(random, 29, 3, 1, 3)
    lonely = np.vstack([centres, np.full(3, 1e3)])
    wider = np.concatenate([V, np.array([[[0.6, 0.0, 0.8]]])])
    made.append(Trial("a plane that nobody takes", dict(Y=Y, centres=lonely, V=wider)))
    made.append(Trial("two planes alike", dict(Y=Y, centres=centres[[0, 0, 1]], V=V[[0, 0, 1]])))
    zero = np.vstack([Y - Y.mean(axis=0), np.zeros(3), (Y - Y.mean(axis=0))[:2]])
    around = dict(Y=zero, centres=centres - Y.mean(axis=0), V=V)
    made.append(Trial("around the origin, with a row of zeros and equal rows", around))
    made.append(Trial("far from the origin", dict(Y=Y + 40, centres=centres + 40, V=V)))
    made.append(Trial("a thousand times larger", dict(Y=1e3 * Y, centres=1e3 * centres, V=V)))
    return made


FIVE = dict(
    Y=np.array([[2.0, 1, 0], [0, 3, 1], [-4, 1, 0], [1, -3, 2], [1, 0, 5]]),
    centres=np.array([[1.0, 0.0, 0.0]]),
    V=np.array([[[1.0, 0, 0], [0, 1, 0]]]),
)


def _small():
    """Two lines alike, so that nobody takes the second, and an oblique one."""
    V = np.array([[[1.0, 0.0]], [[1.0, 0.0]], [[0.6, 0.8]]])
    centres = np.array([[1.0, 1.0], [1.0, 1.0], [-2.0, 3.0]])
    Y = np.array([[6.0, 2], [-3, -1], [5, -1], [-1, 2], [0, 6], [-4, -1], [2, 8], [4, 4]])
    return dict(Y=Y, centres=centres, V=V)


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


PLANES = pipeline(
    "Y centres V",
    returns="Z new_centres P",
    offsets=lambda Y, centres: Y - centres[:, None],
    within=lambda offsets, V: offsets @ np.swapaxes(V, 1, 2) @ V,
    residuals=lambda offsets, within: offsets - within,
    squares=lambda residuals: np.sum(residuals**2, axis=2),
    taken=lambda squares: np.argmin(squares, axis=0),
    own=lambda Y, taken, centres: [Y[taken == k] for k in range(len(centres))],
    unused_centres=lambda centres: centres,
    unused_planes=lambda V: np.swapaxes(V, 1, 2) @ V,
    means=lambda own, unused_centres: np.array(
        [y.mean(axis=0) if len(y) else c for y, c in zip(own, unused_centres, strict=True)]
    ),
    deviations=lambda own, means: [y - mean for y, mean in zip(own, means, strict=True)],
    axes=lambda deviations: [np.linalg.svd(deviation)[2] for deviation in deviations],
    directions=lambda axes, V: [axis[: V.shape[1]] for axis in axes],
    projections=lambda directions: [direction.T @ direction for direction in directions],
    new_centres=lambda means: means,
    P=lambda own, projections, unused_planes: np.array(
        [p if len(y) else u for y, p, u in zip(own, projections, unused_planes, strict=True)]
    ),
    Z=lambda taken: taken,
)


# Mistakes in a stage


def _each(of):
    """What one plane's deviations give, for all planes."""
    return lambda deviations: [of(deviation) for deviation in deviations]


def _last_of_several(squares):
    return len(squares) - 1 - np.argmin(squares[::-1], axis=0)


def _of_new_planes(Y, new_centres, P):
    off = Y - new_centres[:, None]
    return np.argmin(np.sum((off - off @ P) ** 2, axis=2), axis=0)


def _foot_of_old_centre(means, centres, V):
    """The mean, moved within the plane to be nearest to the old centre."""
    return means + ((centres - means)[:, None] @ PLANES.unused_planes(V))[:, 0]


def _means_of_nobody(own):
    return np.array([y.sum(axis=0) / len(y) for y in own])


def _nobody_by_eigh(divided):
    """A round that does PCA of no points, by the eigenvectors of their covariance."""

    def matrices(deviations, V):
        found = []
        for deviation in deviations:
            covariance = deviation.T @ deviation / (len(deviation) if divided else 1)
            vectors = np.linalg.eigh(covariance)[1][:, V.shape[2] - V.shape[1] :]
            found.append(vectors @ vectors.T)
        return np.array(found)

    return PLANES(means=_means_of_nobody, axes=lambda V: V, P=matrices)


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
    off = PLANES().values(Y, centres, V)["squares"]
    chosen = off[Z, np.arange(len(Y))]
    return bool((chosen <= off.min(axis=0) + LOOSE * off.max()).all())


MISTAKES = (
    PLANES.mistake("axes_not_turned", within=lambda offsets, V: offsets @ V @ np.swapaxes(V, 1, 2)),
    PLANES.mistake("data_as_columns", within=lambda offsets, V: PLANES.unused_planes(V) @ offsets),
    Misconception("nobody_by_eigh", mistaken=_nobody_by_eigh(divided=True)),
    Misconception("nobody_by_eigh_of_sums", mistaken=_nobody_by_eigh(divided=False)),
    PLANES.mistake(
        "nobody_by_svd", means=_means_of_nobody, P=lambda projections: np.array(projections)
    ),
    PLANES.mistake("nobody_means", means=_means_of_nobody),
    PLANES.mistake(
        "nobody_dropped",
        new_centres=lambda own, means: means[[len(y) > 0 for y in own]],
        P=lambda own, projections: np.array(
            [p for y, p in zip(own, projections, strict=True) if len(y)]
        ),
    ),
    PLANES.mistake("within_the_plane", residuals=lambda within: within),
    PLANES.mistake(
        "through_the_origin", offsets=lambda Y, centres: np.tile(Y, (len(centres), 1, 1))
    ),
    PLANES.mistake("centre_not_projected", residuals=lambda Y, within: Y - within),
    PLANES.mistake("point_not_centred", within=lambda Y, V: Y @ PLANES.unused_planes(V)),
    PLANES.mistake(
        "first_direction_only",
        within=lambda offsets, V: offsets @ np.swapaxes(V[:, :1], 1, 2) @ V[:, :1],
    ),
    PLANES.mistake("sum_not_squared", squares=lambda residuals: np.abs(residuals.sum(axis=2))),
    PLANES.mistake("last_of_several", taken=_last_of_several),
    PLANES.mistake("labels_from_one", Z=lambda taken: taken + 1),
    PLANES.mistake("labels_of_the_new", Z=_of_new_planes),
    PLANES.mistake(
        "least_variance", axes=_each(lambda deviation: np.linalg.svd(deviation)[2][::-1])
    ),
    *PLANES.mistakes(
        "projections",
        across_the_plane=lambda directions, V: [np.eye(V.shape[2]) - x.T @ x for x in directions],
        scatter_returned=lambda deviations: [x.T @ x for x in deviations],
        covariance_returned=lambda deviations: [x.T @ x / len(x) for x in deviations],
    ),
    PLANES.mistake(
        "minus_q", directions=lambda axes, V: [axis[: V.shape[1] or None] for axis in axes]
    ),
    PLANES.mistake(
        "old_centre_in_pca",
        deviations=lambda own, centres: [y - c for y, c in zip(own, centres, strict=True)],
    ),
    PLANES.mistake("mean_of_all", deviations=lambda own, Y: [y - Y.mean(axis=0) for y in own]),
    PLANES.mistake("pca_of_all", deviations=lambda own, Y: [Y - Y.mean(axis=0) for y in own]),
    PLANES.mistake(
        "one_dimension_more", directions=lambda axes, V: [axis[: V.shape[1] + 1] for axis in axes]
    ),
    PLANES.mistake("always_a_line", directions=lambda axes: [axis[:1] for axis in axes]),
    PLANES.mistake("centres_stay", new_centres=lambda centres: centres),
    PLANES.mistake("centres_stay_in_both", means=lambda centres: centres),
    PLANES.mistake("projected_centre", new_centres=_foot_of_old_centre),
    PLANES.mistake(
        "empty_to_zero",
        unused_centres=lambda centres: 0 * centres,
        unused_planes=lambda V: 0 * PLANES.unused_planes(V),
    ),
)


EXERCISE = exercise(
    "k_planes",
    lesson="22_one_functional",
    equations="[RPM] section 2, after (10)",
    minutes=25,
    shapes={"Y": "N d", "centres": "k d", "V": "k q d"},
    returns={"Z": "N", "new_centres": "k d", "P": "k d d"},
    trials=trials,
    reference=reference,
    stages=PLANES,
    properties=(
        Property("not_nearest", holds=_nearest_taken),
        Property("no_projectors", holds=_are_projectors),
        Property("other_dimension", holds=_keep_dimension),
    ),
    misconceptions=MISTAKES,
)
