"""One round of k-planes: every point takes its nearest plane, every plane its points' PCA."""

import numpy as np

from ukrlearn.checks.exercise import Exercise, Misconception, Property, Trial
from ukrlearn.checks.stages import pipeline
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


def offsets(Y, centres):
    """the differences y_n - c_k"""
    return Y - centres[:, None]


def within(offsets, V):
    """their parts within the planes"""
    return offsets @ np.swapaxes(V, 1, 2) @ V


def residuals(offsets, within):
    """the residuals"""
    return offsets - within


def squares(residuals):
    """the squared distances from the planes"""
    return np.sum(residuals**2, axis=2)


def taken(squares):
    """the planes that are taken"""
    return np.argmin(squares, axis=0)


def own(Y, taken, centres):
    """the points of each plane"""
    return [Y[taken == k] for k in range(len(centres))]


def unused_centres(centres):
    """the centres of planes that nobody takes"""
    return centres


def unused_planes(V):
    """the P of planes that nobody takes"""
    return np.swapaxes(V, 1, 2) @ V


def means(own, unused_centres):
    """the means of the points of each plane"""
    return np.array(
        [y.mean(axis=0) if len(y) else c for y, c in zip(own, unused_centres, strict=True)]
    )


def deviations(own, means):
    """the deviations of the points from the means"""
    return [y - mean for y, mean in zip(own, means, strict=True)]


def axes(deviations):
    """the directions of PCA, by falling variance"""
    return [np.linalg.svd(deviation)[2] for deviation in deviations]


def directions(axes, V):
    """the q directions that are kept"""
    return [axis[: V.shape[1]] for axis in axes]


def projections(directions):
    """the projections VᵀV"""
    return [direction.T @ direction for direction in directions]


def new_centres(means):
    """the new centres"""
    return means


def P(own, projections, unused_planes):
    """the matrices P that are returned"""
    return np.array(
        [p if len(y) else u for y, p, u in zip(own, projections, unused_planes, strict=True)]
    )


def Z(taken):
    """the labels that are returned"""
    return taken


PLANES = pipeline(
    "Y centres V",
    *(offsets, within, residuals, squares, taken, own, unused_centres, unused_planes),
    *(means, deviations, axes, directions, projections, new_centres, P, Z),
    returns="Z new_centres P",
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
    return means + ((centres - means)[:, None] @ unused_planes(V))[:, 0]


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


NOBODY = (
    "Your round does not expect a plane that nobody has taken: the mean and the PCA of no points are "
    "no numbers. Such a plane stays as it was: skip it, and begin with copies of the centres and with "
    "P = VᵀV of all planes."
)


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
    stages=PLANES,
    properties=(
        Property(
            "not_nearest",
            "Every point takes the plane that is nearest.",
            "Some of your points do not take the nearest plane.",
            _nearest_taken,
            suspects=(
                (
                    "residuals",
                    "Is your distance the length of y - c less its part within the plane, Vᵀ V (y - c)?",
                ),
                ("squares", "Do you add up the squares of the d entries of a residual?"),
            ),
        ),
        Property(
            "no_projectors",
            "Each P is a projection: symmetric, and P P = P.",
            "Your P are not projections: P P is not P, or P is not symmetric. P is VᵀV for a V with orthonormal rows.",
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
            "data_as_columns",
            "You multiply the projection VᵀV from the left with points that stand in rows. For rows it belongs on the right: (Y - c) @ V.T @ V.",
            PLANES(within=lambda offsets, V: unused_planes(V) @ offsets),
        ),
        Misconception(
            "axes_not_turned",
            "You multiply the rows y - c with V, where its transpose comes first: (Y - c) @ V.T are the q coordinates within the plane, and @ V turns them into points again.",
            PLANES(within=lambda offsets, V: offsets @ V @ np.swapaxes(V, 1, 2)),
        ),
        Misconception("nobody_by_eigh", NOBODY, _nobody_by_eigh(divided=True)),
        Misconception("nobody_by_eigh_of_sums", NOBODY, _nobody_by_eigh(divided=False)),
        Misconception(
            "nobody_by_svd",
            NOBODY,
            PLANES(means=_means_of_nobody, P=lambda projections: np.array(projections)),
        ),
        Misconception("nobody_means", NOBODY, PLANES(means=_means_of_nobody)),
        Misconception(
            "nobody_dropped",
            "Planes that nobody has taken are missing in what you return: you make a list of those that were taken. Such a plane stays as it was, in its row: begin with copies of the centres and with P = VᵀV of all planes.",
            PLANES(
                new_centres=lambda own, means: means[[len(y) > 0 for y in own]],
                P=lambda own, projections: np.array(
                    [p for y, p in zip(own, projections, strict=True) if len(y)]
                ),
            ),
        ),
        Misconception(
            "nearest_centre",
            "Your labels are those of k-means: the nearest centre. A plane goes on for ever, so a point "
            "can be far from c and still lie on the plane. Only the part of y - c across it counts.",
            PLANES(residuals=lambda offsets: offsets),
        ),
        Misconception(
            "within_the_plane",
            "Your distance is the part of y - c *within* the plane. Subtract it from y - c; what is left counts.",
            PLANES(residuals=lambda within: within),
        ),
        Misconception(
            "farthest",
            "Your points take the plane that is *farthest*.",
            PLANES(taken=lambda squares: np.argmax(squares, axis=0)),
        ),
        Misconception(
            "through_the_origin",
            "You compute distances as if all planes went through the origin. Subtract the centre of the plane first.",
            PLANES(offsets=lambda Y, centres: np.tile(Y, (len(centres), 1, 1))),
        ),
        Misconception(
            "centre_not_projected",
            "You take y - VᵀV(y - c) for the residual. The centre must be subtracted from both: "
            "y - c - VᵀV(y - c).",
            PLANES(residuals=lambda Y, within: Y - within),
        ),
        Misconception(
            "point_not_centred",
            "You take y - c - VᵀVy for the residual. The centre must be subtracted in both places: "
            "y - c - VᵀV(y - c).",
            PLANES(within=lambda Y, V: Y @ unused_planes(V)),
        ),
        Misconception(
            "first_direction_only",
            "You subtract the part along the first direction alone. A plane has q directions, the rows of V_k, and all of them count.",
            PLANES(within=lambda offsets, V: offsets @ np.swapaxes(V[:, :1], 1, 2) @ V[:, :1]),
        ),
        Misconception(
            "added_to_the_part",
            "You add y - c and its part within the plane. The residual is their difference.",
            PLANES(residuals=lambda offsets, within: offsets + within),
        ),
        Misconception(
            "sum_not_squared",
            "You add up the entries of the residual without squaring them, so positive and negative ones cancel.",
            PLANES(squares=lambda residuals: np.abs(residuals.sum(axis=2))),
        ),
        Misconception(
            "absolute_residuals",
            "You add up the absolute entries of the residual. The cost is the sum of their squares.",
            PLANES(squares=lambda residuals: np.abs(residuals).sum(axis=2)),
        ),
        Misconception(
            "last_of_several",
            "Where two planes are equally near you take the later one. The task asks for the first.",
            PLANES(taken=_last_of_several),
        ),
        Misconception(
            "labels_from_one",
            "Your labels begin at 1. Here codes are row numbers, from 0 on.",
            PLANES(Z=lambda taken: taken + 1),
        ),
        Misconception(
            "labels_of_the_new",
            "You return the labels for the *new* planes. Return those that the new planes were fitted to.",
            PLANES(Z=_of_new_planes),
        ),
        Misconception(
            "nothing_refitted",
            "You return the planes that you were given. After the labels comes the second half step: the mean and PCA "
            "of each plane's own points.",
            PLANES(new_centres=lambda centres: centres, P=lambda unused_planes: unused_planes),
        ),
        Misconception(
            "least_variance",
            "Your P projects onto the q directions of *least* variance. These are eliminated; the plane "
            "runs along those of greatest variance.",
            PLANES(axes=_each(lambda deviation: np.linalg.svd(deviation)[2][::-1])),
        ),
        Misconception(
            "across_the_plane",
            "Your P is I - VᵀV, the projection across the plane. P = VᵀV is asked for.",
            PLANES(
                projections=lambda directions, V: [np.eye(V.shape[2]) - x.T @ x for x in directions]
            ),
        ),
        Misconception(
            "minus_q",
            "You slice with -q, which for q = 0 takes *all* directions, because -0 is 0. Planes of dimension 0 are points, and their P is zero. Slice from d - q on, or turn the order first.",
            PLANES(directions=lambda axes, V: [axis[: V.shape[1] or None] for axis in axes]),
        ),
        Misconception(
            "sorted_rows",
            "You take rows of the matrix that np.linalg.eigh returns. Its eigenvectors are the *columns*.",
            PLANES(
                directions=lambda deviations, V: [
                    np.linalg.eigh(x.T @ x)[1][V.shape[2] - V.shape[1] :] for x in deviations
                ]
            ),
        ),
        Misconception(
            "not_centred",
            "You do PCA without subtracting the mean. Then the leading direction points from the origin to the data.",
            PLANES(deviations=lambda own: own),
        ),
        Misconception(
            "old_centre_in_pca",
            "You subtract the *old* centre before PCA. The directions are those around the new one, the mean of the "
            "plane's own points.",
            PLANES(
                deviations=lambda own, centres: [y - c for y, c in zip(own, centres, strict=True)]
            ),
        ),
        Misconception(
            "mean_of_all",
            "You subtract the mean of *all* data before PCA. Each plane has the mean of its own points.",
            PLANES(deviations=lambda own, Y: [y - Y.mean(axis=0) for y in own]),
        ),
        Misconception(
            "pca_of_all",
            "All your planes have the same directions, those of PCA on all data. Take the points of each label by "
            "themselves.",
            PLANES(deviations=lambda own, Y: [Y - Y.mean(axis=0) for y in own]),
        ),
        Misconception(
            "columns_for_rows",
            "You take columns of the third factor of np.linalg.svd. It returns V transposed: directions "
            "are its rows.",
            PLANES(axes=_each(lambda deviation: np.linalg.svd(deviation)[2].T)),
        ),
        Misconception(
            "one_dimension_more",
            "Your planes have one dimension too many: q is the number of rows of V.",
            PLANES(directions=lambda axes, V: [axis[: V.shape[1] + 1] for axis in axes]),
        ),
        Misconception(
            "always_a_line",
            "Your planes are always lines: you keep one direction. Keep q of them, as many as V has.",
            PLANES(directions=lambda axes: [axis[:1] for axis in axes]),
        ),
        Misconception(
            "scatter_returned",
            "Your P is the sum of the outer products of the deviations. Of its eigenvectors only those of the q greatest eigenvalues are kept, and P = VᵀV has no eigenvalues in it.",
            PLANES(projections=lambda deviations: [x.T @ x for x in deviations]),
        ),
        Misconception(
            "planes_stay",
            "Your P are those of the planes that were given. After the labels comes PCA of each plane's own points.",
            PLANES(P=lambda unused_planes: unused_planes),
        ),
        Misconception(
            "scaled_directions",
            "Your directions keep the length that the singular values or the variances give them. P = VᵀV needs directions of length one.",
            PLANES(
                axes=_each(
                    lambda deviation: (
                        np.linalg.svd(deviation, full_matrices=False)[1][:, None]
                        * np.linalg.svd(deviation, full_matrices=False)[2]
                    )
                )
            ),
        ),
        Misconception(
            "covariance_returned",
            "Your P is the covariance of the plane's points. Of its eigenvectors only those of the q greatest eigenvalues "
            "are kept, and P = VᵀV has no eigenvalues in it.",
            PLANES(projections=lambda deviations: [x.T @ x / len(x) for x in deviations]),
        ),
        Misconception(
            "centres_stay",
            "Your centres stay where they were. The new centre is the mean of the plane's own points.",
            PLANES(new_centres=lambda centres: centres),
        ),
        Misconception(
            "centres_stay_in_both",
            "Your centres stay where they were, and you do PCA around them. The new centre is the mean of the plane's own points, and the directions are those around it.",
            PLANES(means=lambda centres: centres),
        ),
        Misconception(
            "mean_of_all_for_centre",
            "Your new centres are all the mean of *all* data. Each plane has the mean of its own points.",
            PLANES(means=lambda Y, centres: np.tile(Y.mean(axis=0), (len(centres), 1))),
        ),
        Misconception(
            "medians_returned",
            "You return medians for the centres. With the squared cost they are means.",
            PLANES(
                new_centres=lambda own, centres: np.array(
                    [
                        np.median(y, axis=0) if len(y) else c
                        for y, c in zip(own, centres, strict=True)
                    ]
                )
            ),
        ),
        Misconception(
            "sums_for_means",
            "Your centres are sums of the plane's points, not their means.",
            PLANES(
                means=lambda own, centres: np.array(
                    [y.sum(axis=0) if len(y) else c for y, c in zip(own, centres, strict=True)]
                )
            ),
        ),
        Misconception(
            "medians",
            "Your centres are medians. With the squared cost they are means.",
            PLANES(
                means=lambda own, centres: np.array(
                    [
                        np.median(y, axis=0) if len(y) else c
                        for y, c in zip(own, centres, strict=True)
                    ]
                )
            ),
        ),
        Misconception(
            "projected_centre",
            "Your new centres lie on the right planes, but beside the mean: you moved the old centre across "
            "the plane only. The task asks for the mean.",
            PLANES(new_centres=_foot_of_old_centre),
        ),
        Misconception(
            "empty_to_zero",
            "A plane that nobody takes becomes zero. It must stay as it was: begin with copies of what was given.",
            PLANES(
                unused_centres=lambda centres: 0 * centres,
                unused_planes=lambda V: 0 * unused_planes(V),
            ),
        ),
        Misconception(
            "empty_projection_zero",
            "The P of a plane that nobody takes is zero: your loop skips it. It must stay VᵀV: begin with the P of "
            "all planes that were given.",
            PLANES(unused_planes=lambda V: 0 * unused_planes(V)),
        ),
        Misconception(
            "empty_to_mean",
            "A plane that nobody takes moves to the mean of all data. It must stay as it was.",
            PLANES(unused_centres=lambda Y, centres: np.tile(Y.mean(axis=0), (len(centres), 1))),
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
