# %% [markdown]
# # Where do new points go?
#
# Many methods draw a map of the data and have no place for data that come later. A regression from
# the data to the map finds one, and leaving points out shows how good it is.
#
# **Afterwards you can**
#
# - map new points by two regressions, called GRNN and KRR, and predict where each sends far points;
# - compute the leave-one-out error of both without refitting, and choose widths and penalties;
# - give t-SNE, or any other embedding, a `transform` in one line, and compare it with its rivals;
# - say when to repair coordinates before mapping to them.
#
# **You need** lessons [01](01_kernel_regression.ipynb) (kernel regression),
# [04](04_leave_one_out.ipynb) (leave-one-out), [09](09_projection.ipynb) (projection),
# [12](12_referee.ipynb) (judging embeddings) and [18](18_two_maps.ipynb) (two maps). **Time** 25
# minutes.
#
# **Contents** A map without an entrance · Lesson 01 turned round · Weights that are fitted · Far
# from the data · Leave-one-out without refitting · The rivals · Is the map worth it? · Key points

# %%
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.kernel_ridge import KernelRidge
from sklearn.manifold import TSNE, Isomap
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import UKR, ParametricDRUR, datasets, explicit, figures, metrics
from ukrlearn.blocks import kernel_regression
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.estimators.isomap import OutOfSample
from ukrlearn.estimators.maps import GRNNMap, KernelRidgeMap

predict = predictions("30_where_new_points_go")

# %%
review("30_where_new_points_go")  # questions from earlier lessons

# %% [markdown]
# ## A map without an entrance (2 minutes)
#
# A post office has a map of 200 handwritten digits from 0 to 6, and the next letter arrives. The
# map was drawn by *t-SNE*, which gives each image a place near those of similar images, but has no
# formula for another image.

# %%
images, classes = load_digits(n_class=7, return_X_y=True)
Y, Y_new, labels, labels_new = train_test_split(
    images,
    classes,
    train_size=200,
    test_size=200,
    stratify=classes,
    random_state=0,
)
tsne = TSNE(perplexity=20, max_iter=500, random_state=0)
X = tsne.fit_transform(Y)
print(
    f"a map of {len(Y)} images of {Y.shape[1]} pixels; {len(Y_new)} new images"
)

# %% tags=["nbval-ignore-output", "aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.4, 4))
figures.latent(left, X, labels=labels, title="The map by t-SNE")
with figures.style():
    right.imshow(Y_new[0].reshape(8, 8), cmap="gray_r")
    right.set(title="A new image: where does it go?", xticks=[], yticks=[])
figures.show(
    figure,
    "Left: 200 points in islands, about one for each digit. Right: a new "
    f"image of a digit, a {labels_new[0]}.",
)

# %% [markdown]
# ## Lesson 01 turned round (2 minutes)
#
# In lesson 01 a weighted mean led from latent points to data. Here both are known, so we can turn
# it round: the new image $y$ goes to a weighted mean of the places $x_n$, with large weights for
# similar images $y_n$ (lesson 18 calls this direction $F$),
#
# $$f(y) = \frac{\sum_n K_n\, x_n}{\sum_n K_n}, \qquad
# K_n = \exp\left(-\frac{|y - y_n|^2}{2\sigma^2}\right).$$
#
# The *width* σ says how similar an image must be to count. This is called a *general regression
# neural network* (GRNN), though nothing is trained:

# %%
sigma = 15.0
turned_round = kernel_regression.predict(Y_new / sigma, Y / sigma, X)
grnn = GRNNMap(width=sigma).fit(Y, X)
print(
    "GRNN is the regression of lesson 01:",
    np.allclose(turned_round, grnn.predict(Y_new)),
)

# %% [markdown]
# ## Weights that are fitted (3 minutes)
#
# [SI], the paper of lessons 27 to 29 (only its first pages are public), proposes *kernel ridge
# regression* (KRR). It does not divide by a sum, but fits a weight vector $w_n$ for each training
# point:
#
# $$f(y) = \sum_n w_n \exp(-\gamma\, |y - y_n|^2), \qquad W = (K + \lambda I)^{-1} X.$$
#
# The rows of W are the $w_n$, those of X the $x_n$, and $K_{mn} = \exp(-\gamma\, |y_m - y_n|^2)$.
# The number $\gamma = 1/(2\sigma^2)$ is the width in another form, and the *penalty* λ keeps the
# weights small. Without it, $f(y_n)$ would be $x_n$. We compare the formula with loops and with
# scikit-learn:

# %%
gamma, penalty = 5e-4, 0.1


def kernel(y, z):
    return np.exp(-gamma * cdist(y, z, "sqeuclidean"))


def krr(y, Y, X):
    return kernel(y, Y) @ np.linalg.solve(
        kernel(Y, Y) + penalty * np.eye(len(Y)), X
    )


# %%
few, at = Y[:12].tolist(), X[:12].tolist()
W = explicit.ridge_weights(few, at, gamma, penalty)
loops = [explicit.ridge_predict(y, few, W, gamma) for y in Y_new[:5].tolist()]
print("as the loops:     ", np.allclose(krr(Y_new[:5], Y[:12], X[:12]), loops))
theirs = (
    KernelRidge(kernel="rbf", gamma=gamma, alpha=penalty)
    .fit(Y, X)
    .predict(Y_new)
)
print("as scikit-learn's:", np.allclose(krr(Y_new, Y, X), theirs, atol=1e-3))

# %% [markdown]
# ## Far from the data (5 minutes)
#
# A stained letter gives an image unlike all others. Where does it go? The panel has simpler data,
# an arch of three classes in the plane (left), which Isomap has unrolled (middle). Move the new
# point, the black cross, far down to the left of the arch. Then tick the box: it colours the plane
# by the class that each position lands next to.

# %% tags=["nbval-ignore-output"]
predict(
    "far-krr",
    "The point is far from all data. Where does KRR send it?",
    options=[
        "to the place of its nearest training point",
        "to the middle of the map",
        "far away from all other places",
    ],
    answer="to the middle of the map",
    because="Far away all kernels vanish, and so does their weighted sum.",
    tempts=[
        "The nearest point should decide, but ask how large its kernel value "
        "is so far away.",
        "A linear map would carry the point far away, but all kernels fade "
        "with the distance.",
    ],
    hides=0,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import NewPoint
from ukrlearn.panels.new_point import GRNN, KRR

panel = NewPoint.example()
panel

# %% tags=["nbval-ignore-output"]
predict(
    "far-grnn",
    "And where does GRNN send it?",
    options=[
        "to the place of its nearest training point",
        "to the middle of the map",
        "far away from all other places",
    ],
    answer="to the place of its nearest training point",
    because=(
        "The sum of the weights is one, and far away the nearest point has "
        "nearly all of it."
    ),
    tempts=[
        "KRR sends the point there, but ask what the division by the sum "
        "changes.",
        "A linear map would carry the point far away, but a weighted mean "
        "stays between its points.",
    ],
    hides=1,
)

# %%
far = np.array([[-20.0, -20.0]])
for name in (KRR, GRNN):
    place = panel.place(far, name, width=0.4, penalty=1e-4)
    print(f"{name}: next to class {panel.class_at(place)[0]}")
print(
    "KRR is at the origin:",
    bool(np.allclose(panel.place(far, KRR, 0.4, 1e-4), 0)),
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Far away all $K_n$ vanish. KRR is a weighted sum of them, so the point goes to the **origin**.
# Embeddings are usually centred, so this is the middle of the map, here of class *top*. The
# strangest image gets an ordinary place. (A fitted constant leads to the middle, too.) GRNN divides
# by the sum. Far away the largest $K_n$ dominates this ratio, so the point goes to the place of its
# **nearest** training point. In both cases, going further soon changes nothing.
#
# Neither method says "I don't know"; the distance to the nearest training point does.
#
# </details>

# %% [markdown]
# ## Leave-one-out without refitting (4 minutes)
#
# Which width, which penalty? Let each training point play the new point: predict $f_{-n}(y_n)$ from
# all others. For GRNN, a zero on the diagonal of K leaves each point out, as in lesson 04. KRR
# seems to need N fits. But its predictions at the training points are a matrix times the places,
# $HX$ with $H = K (K + \lambda I)^{-1}$, and then
#
# $$x_n - f_{-n}(y_n) = \frac{x_n - f(y_n)}{1 - H_{nn}}.$$
#
# Why? Give point n the place $f_{-n}(y_n)$ instead of its own. Then $f_{-n}$ has no error there, so
# it is the best fit to all N points. Predictions are linear in the places, so prediction n changes
# by $H_{nn}$ times the change of place: $f_{-n}(y_n) = f(y_n) + H_{nn}\,(f_{-n}(y_n) - x_n)$. Solve
# this for the difference. A fitted constant only changes H (exercise 40).

# %%
K = kernel(Y, Y)
H = K @ np.linalg.inv(K + penalty * np.eye(len(Y)))
closed = (X - H @ X) / (1 - np.diag(H))[:, None]
refitted = [
    x - krr(y[None], np.delete(Y, n, 0), np.delete(X, n, 0))[0]
    for n, (y, x) in enumerate(zip(Y[:20], X[:20], strict=True))
]
print(
    "KRR, as 20 fits without a point:",
    np.allclose(closed[:20], refitted, atol=1e-3),
)

# %% [markdown]
# The library tries five γ and eight penalties. One eigendecomposition of K for each γ serves all
# penalties and points.

# %%
maps = {
    "KRR": KernelRidgeMap(fit_intercept=True).fit(Y, X),
    "GRNN": GRNNMap().fit(Y, X),
}
curve = maps["KRR"].score_curve_
errors = {
    f"KRR, γ = {g:.1g}": e
    for g, e in zip(curve.gammas, curve.errors, strict=True)
}
errors["GRNN, best σ"] = np.full(
    len(curve.penalties), maps["GRNN"].left_out_error_
)

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(7, 3.8))
words = {
    "title": "Leave-one-out error on the map",
    "across": "penalty λ",
    "up": "mean square",
}
figures.lines(ax, curve.penalties, errors, **words, log="xy", markers=True)
ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
figures.show(
    figure,
    "Each γ has its best penalty. KRR is best at γ = "
    f"{maps['KRR'].gamma_:.1g} and λ = {maps['KRR'].penalty_:g}, with an "
    f"error of {maps['KRR'].left_out_error_:.0f}; GRNN, the flat line, has "
    f"{maps['GRNN'].left_out_error_:.1f} at σ = {maps['GRNN'].width_:.0f}.",
)

# %% tags=["aside"]
assert maps["GRNN"].left_out_error_ < maps["KRR"].left_out_error_ / 4

# %% [markdown]
# GRNN's error is a small part of KRR's. But both errors are too low: a point is left out of the
# *regression*, not of the *map*, where t-SNE has put it among its neighbours (lesson 09).
#
# ## The rivals (5 minutes)
#
# `OutOfSample(tsne, GRNNMap()).fit(Y)` is t-SNE with a `transform`, in a single line. Its rivals
# start from the same X (except UMAP, which runs only if it is installed). UKR (lesson 09) projects
# a new image to the place whose reconstruction is nearest. DRUR (lesson 18) places it by its
# network F, alone or with the network f back to the data. We judge by *trustworthiness* (lesson 12:
# are neighbours on the map neighbours in the data?) and by the classes of the five nearest places.
# [SI] reports that KRR consistently dominates GRNN, for embeddings with labels.

# %% tags=["nbval-ignore-output"]
predict(
    "islands",
    "Which is better for the islands of t-SNE, KRR or GRNN?",
    options=[
        "KRR, on both counts",
        "KRR by trust, GRNN by classes",
        "GRNN, on both counts",
    ],
    answer="GRNN, on both counts",
    because=(
        "On a map with islands, places jump where the data change a little; "
        "KRR is smooth and cuts across the sea."
    ),
    tempts=[
        "KRR is smooth, which helps on a smooth map, but this map has "
        "islands.",
        "A smooth map keeps neighbours together, which trust rewards, but "
        "here neighbours can lie on different islands.",
    ],
    hides=5,
)


# %%
class Given:
    """An embedding that is already there."""

    def fit_transform(self, Y, y=None):
        return X


# %%
from importlib.util import find_spec

rivals = {
    "KRR": OutOfSample(Given(), KernelRidgeMap(fit_intercept=True)),
    "GRNN": OutOfSample(Given(), GRNNMap()),
    "UKR, projection": UKR(init=X, max_iter=0),
    "DRUR, F alone": ParametricDRUR(init=X, max_iter=5, refine=False),
    "DRUR, F and f": ParametricDRUR(init=X, max_iter=5),
}
if find_spec("umap"):  # not needed; a rival with a map of its own
    from umap import UMAP

    rivals["UMAP, its own map"] = UMAP(random_state=0)

# %% tags=["nbval-ignore-output"]
trust, right = {}, {}
for name, rival in rivals.items():
    judge = KNeighborsClassifier(5).fit(rival.fit(Y).transform(Y), labels)
    places = rival.transform(Y_new)
    trust[name] = metrics.trustworthiness(places, Y_new)
    right[name] = judge.score(places, labels_new)
    print(
        f"{name:18} trustworthiness {trust[name]:.3f}, class found "
        f"{right[name]:.0%}"
    )

# %% tags=["aside"]
assert min(trust["UKR, projection"], trust["GRNN"]) > trust["KRR"] + 0.02
assert right["GRNN"] > right["KRR"] + 0.02

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 3, size=(8.4, 3.4))
for ax, name in zip(axes, ("KRR", "GRNN", "UKR, projection"), strict=True):
    figures.latent(
        ax, rivals[name].transform(Y_new), labels=labels_new, title=name
    )
    ax.set(xlim=(-27, 27), ylim=(-27, 27), aspect="auto")
figures.show(
    figure,
    "200 new images on the map, marked by digit. KRR leaves many in the empty "
    "sea between the islands and in the middle; GRNN and UKR keep nearly all "
    "on the islands.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Here are the medians of 20 other divisions of the digits:
#
# | median of 20 | KRR | GRNN | UKR | DRUR, F alone | DRUR, F and f |
# |---|---|---|---|---|---|
# | trustworthiness of new points | .912 | .968 | .975 | .880 | .962 |
# | class found by 5 neighbours | 92 % | 97 % | 98 % | 82 % | 94 % |
#
# GRNN is better than KRR on both counts, and leave-one-out says so in advance. On a map with
# islands, places *jump* where the data change a little. KRR is smooth and cuts across the sea. GRNN
# stays between its nearest neighbours, and UKR looks for the place whose image fits.
#
# The paper studies embeddings with labels. There KRR is ahead on more data sets than GRNN, by
# little, and on digits GRNN wins, too. So KRR does not dominate consistently: a regression has to
# suit the map.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 20 other divisions of the digits GRNN was better than KRR in 20 on both counts, and
# leave-one-out said so in advance each time. UKR was more trustworthy than GRNN in 19, but found
# more classes in 8 only, with 5 ties. With labels in the embedding, KRR was ahead on 6 of 10 data
# sets, and on 9 if the classifier is trained on left-out places (those of training points mapped as
# if new), by .2 points (5 neighbours) or .6 points (SVM) in the median.
#
# </details>

# %% [markdown]
# ## Is the map worth it? (4 minutes)
#
# [DRUR], the paper of lesson 18, argues *against* all this: do not map new points to the raw
# coordinates of a spectral method (one that uses eigenvectors, as Isomap). A few rounds of DRUR
# give better coordinates. We test it on an S-shaped sheet whose true coordinates we know. The raw
# coordinates are those of Isomap, or the true ones plus much noise. We ask which brings new points
# nearer to the truth (R² nearer to 1, after the best shift, turn and scale): five rounds of DRUR,
# or KRR to the raw coordinates.

# %% tags=["nbval-ignore-output"]
predict(
    "drur-or-krr",
    "For which raw coordinates is DRUR clearly better than KRR?",
    options=[
        "for both",
        "for the noisy ones only",
        "for Isomap's only",
        "for neither",
    ],
    answer="for the noisy ones only",
    because=(
        "A regression in both directions averages noise; neither method can "
        "know that a neighbourhood is bent."
    ),
    tempts=[
        "Two maps know more than one, but ask which errors they can average "
        "out.",
        "Isomap's coordinates have errors to repair, too, but these do not "
        "average out.",
        "KRR averages noise, too, but it fits the coordinates as they are.",
    ],
    hides=2,
)

# %% tags=["nbval-ignore-output"]
S, t = datasets.s_curve(200, noise=0.1, height=3.0, random_state=0)
S_new, t_new = datasets.s_curve(200, noise=0.1, height=3.0, random_state=1000)
noise = 0.8 * t.std(axis=0) * np.random.RandomState(0).normal(size=t.shape)
r2 = {}
for name, raw in (
    ("Isomap", Isomap(n_neighbors=8).fit_transform(S)),
    ("noisy", t + noise),
):
    by_krr = KernelRidgeMap(fit_intercept=True).fit(S, raw).predict(S_new)
    by_drur = ParametricDRUR(init=raw, max_iter=5).fit(S).transform(S_new)
    r2[name] = [metrics.procrustes_r2(x, t_new) for x in (by_krr, by_drur)]
    print(
        f"{name:6} raw coordinates R² {metrics.procrustes_r2(raw, t):.3f}; "
        f"new points: KRR {r2[name][0]:.3f}, DRUR {r2[name][1]:.3f}"
    )

# %% tags=["aside"]
assert r2["noisy"][1] > r2["noisy"][0]

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# For the coordinates of Isomap neither method is better in general. (The draw above is an unlucky
# one for Isomap.) For the noisy coordinates DRUR is always nearer to the truth.
#
# So the argument holds where the damage is noise, and even there KRR does much of the work, because
# it averages noise, too. Neither method can know that a whole neighbourhood is bent or stretched.
# (In the paper's own case, lesson 20, DRUR helps a little.)
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# n = 25 other draws (seeds 100 to 124). From Isomap's coordinates DRUR was nearer to the truth in
# 12; the medians of R² are .981 and, for KRR, .982. From the noisy ones DRUR won in 25 of 25, .977
# against .940; KRR raised the median R² from .61 to .94. With LLE, which warps this sheet badly,
# DRUR won in 15 of 25, with a lower median: .577 against .593.
#
# </details>

# %% [markdown]
# ## Key points
#
# - GRNN is a weighted mean of places. KRR is a sum with fitted weights and a penalty.
# - Far points go to the place of the nearest training point (GRNN), or to the origin (KRR).
# - Leave-one-out is exact and nearly free: a zero diagonal for GRNN, a division by $1 - H_{nn}$ for
#   KRR.
# - KRR suits a smooth map; GRNN and UKR's projection suit islands.
# - A regression averages the noise of coordinates, but inherits every bend.
# - On one page: `ukrlearn/explicit/whole/si.py`.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "gamma", "width", "penalty", "left_out_error", "F", paper="si"
)

# %% [markdown]
# The [appendix](appendix_si.ipynb) lists all claims of the paper with our measurements.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over ten data sets, judged by 5 neighbours, KRR is not clearly better than GRNN (*measured: 0.951
# against 0.939, p = 0.477, 6 of 10*), and the embedding is not clearly better than the data
# themselves (*measured: 0.951 against 0.920, p = 0.275, 8 of 10*). A penalty helps (*measured:
# 0.958 against 0.943, p = 0.039*).
#
# </details>

# %% [markdown]
# **Covered** [SI] section 1: out-of-sample mapping by GRNN and KRR (formulas not public); [DRUR]
# section 5, its argument against mapping to raw spectral coordinates.
#
# **Further**
#
# - To do: [exercise 39: GRNN](../exercises/39_grnn.ipynb), [exercise 40: leave-one-out of
#   KRR](../exercises/40_ridge_leave_one_out.ipynb).
# - In the library: `KernelRidgeMap`, `GRNNMap`, `OutOfSample`; `left_out_embedding_` is where a
#   classifier for new points should be trained. In loops: `explicit.ridge_weights`,
#   `ridge_left_out`, `grnn`, `grnn_left_out`.
