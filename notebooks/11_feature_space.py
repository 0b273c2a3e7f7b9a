# %% [markdown]
# # Feature space: fitting a surface from inner products alone
#
# To compute the error of a model you need no coordinates of the data, only their inner products.
# Here you replace these by other inner products, measure data by L1 distances, and draw a map of the
# flow in an oil pipe.
#
# **Afterwards you can**
#
# - write the reconstruction error and its gradient with a Gram matrix, and say when that is
#   cheaper;
# - test whether a function of two points is an inner product, and turn a distance into one;
# - fit a model to data with any such kernel, and project new data;
# - judge latent coordinates by how well they separate classes (figure 5, table 3).
#
# **You need** units [06](06_gradient.ipynb) (the gradient), [08](08_starts_and_scales.ipynb) (the
# homotopy) and [09](09_projection.ipynb) (projection). **Time** 28 minutes.
#
# **Contents** A pipe that nobody can see into · Inner products are enough · Working without
# coordinates · The L1 kernel · Oil flow · How the classes come apart · Key points

# %%
import numpy as np
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA, KernelPCA

from ukrlearn import UKR, KernelDensityClassifier, datasets, explicit, figures
from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.blocks.kernel_regression import similarities, weights
from ukrlearn.blocks.mercer_kernels import l1, linear
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit.matrices import ukr as in_matrices
from ukrlearn.ukr.reconstruction import (
    reconstruction_error,
    reconstruction_error_gram,
)

predict = predictions("11_feature_space")
pipe, kinds_of_flow = datasets.simulated_oil_flow(200, random_state=0)

# %%
review("11_feature_space")  # questions from earlier lessons

# %% [markdown]
# ## A pipe that nobody can see into (3 minutes)
#
# Water, oil and gas flow through a steel pipe. Six gamma beams go through it, and each measures the
# length of its path in water and in oil: twelve numbers. The three fluids may be mixed
# (*homogeneous*), flow in rings (*annular*) or in layers (*stratified*). Can a map of the
# measurements show the three kinds of flow, although nobody tells it which is which? Here is the
# map that two principal components draw of 200 measurements.

# %%
kinds = ["homogeneous", "annular", "stratified"]

# %%
figure, ax = figures.blank(size=(5.6, 4.2))
figures.latent(
    ax,
    PCA(2).fit_transform(pipe),
    labels=kinds_of_flow,
    names=kinds,
    title="PCA",
)
figures.show(
    figure,
    "On two principal components the three kinds of flow overlap in the "
    "middle.",
)

# %% [markdown]
# (`datasets.simulated_oil_flow` simulates the physics, because we may not distribute the published
# data; `datasets.load_oil_flow` loads your copy.)
#
# ## Inner products are enough (6 minutes)
#
# Each point is rebuilt as a weighted mean of the others, $f(x_n) = \sum_m b_{nm} y_m$. The weights
# $b_{nm}$ depend on the latent points alone. The squared distance between $f(x_n)$ and the data
# point consists of inner products and nothing else:
#
# $$|y_n - f(x_n)|^2 = \langle y_n, y_n\rangle - 2 \sum_m b_{nm} \langle y_n, y_m\rangle
# + \sum_{m, k} b_{nm} b_{nk} \langle y_m, y_k\rangle$$
#
# Let the *Gram matrix* $G$ hold all inner products $g_{nm} = \langle y_n, y_m\rangle$, and let
# $V = B - I$. With row $v_n$ of $V$ this distance is $v_n G v_n^T$, so its mean over all points is
#
# $$R(X) = \tfrac1N \operatorname{tr}(V G V^T) \tag{13}$$
#
# (Our points are in rows, the paper's in columns, with $\bar B = I - B$.) Here it is in loops, for
# 30 measurements at random latent points. (The formula holds for any latent points.)

# %%
Y, X = pipe[:30], np.random.default_rng(0).normal(size=(30, 2))
# (23), each row leaves its own point out
B = explicit.weight_matrix(X.tolist())
G = explicit.gram_matrix(explicit.linear, Y.tolist())
R = 0.0
for n in range(30):
    v = [B[n][m] - (n == m) for m in range(30)]  # row n of V
    # (13)
    R += sum(v[m] * v[k] * G[m][k] for m in range(30) for k in range(30)) / 30
print("Gram form = data space:", np.isclose(R, reconstruction_error(X, Y)[0]))

# %% [markdown]
# The gradient (14) follows. Of all the matrices of lesson 06 only $M = (B - I)\, Y Y^T$ contained
# the data. Now $M = V G$. The rest of the matrix form is that of lesson 06:

# %%
import inspect

print(inspect.getsource(in_matrices.reconstruction_error_gram))

# %%
ours = in_matrices.reconstruction_error_gram(X, linear(Y), gaussian)
in_data_space = reconstruction_error(X, Y)
library = reconstruction_error_gram(X, linear(Y))
print("matrices = data space:", all(map(np.allclose, ours, in_data_space)))
print("library  = data space:", all(map(np.allclose, library, in_data_space)))

# %% [markdown]
# This is the *kernel trick*: wherever an algorithm uses data only through inner products, you may
# replace these by other inner products. Its first use is speed. Multiplying an
# $N \times N$ matrix by an $N \times d$ matrix costs $d N^2$ multiplications. In data space a step
# needs two such products, $BY$ and $(BY - Y)\,Y^T$. In Gram form a step needs one product of
# $N \times N$ matrices, $VG$.

# %% tags=["nbval-ignore-output"]
predict(
    "gram-form",
    "For 300 points, from how many dimensions of the data on is the Gram form "
    "faster?",
    number=True,
    answer=150,
    within=15,
    because="2 d N² is greater than N³ from d = N / 2 on.",
    hides=1,
)

# %% tags=["nbval-ignore-output"]
from timeit import repeat

random = np.random.default_rng(0)
X_large = random.normal(size=(300, 2))
for d in (12, 100, 200, 1000, 5000):
    Y_large = random.normal(size=(300, d))
    G = linear(Y_large)
    calls = (
        "reconstruction_error(X_large, Y_large)",
        "reconstruction_error_gram(X_large, G)",
    )
    times = [
        1000 * min(repeat(call, number=1, repeat=5, globals=globals()))
        for call in calls
    ]
    print(
        "d = {:4}: data space {:5.1f} ms, Gram form {:5.1f} ms".format(
            d, *times
        )
    )

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# $2 d N^2 > N^3$ holds from $d = N / 2 = 150$ on, as the paper says (appendix B), and the clock
# agrees. The time of the Gram form does not depend on $d$. `UKR(data_kernel="linear")` fits in
# this form.
#
# </details>

# %% [markdown]
# ## Working without coordinates (4 minutes)
#
# The second use matters more. Replace the inner product by another function $k(y, y')$ that is an
# inner product in some *feature space*: $k(y, y') = \langle \Phi(y), \Phi(y')\rangle$. Then the
# surface is a weighted mean of features,
#
# $$f(x; X) = \sum_m \Phi(y_m)\, b_m(x; X), \tag{15}$$
#
# and we fit the model without ever computing a feature. (Two different things are called a kernel
# here. $K$ turns latent distances into weights; $k$ gives inner products of data.)
#
# The price is that a point of the surface is a mean of features, and there may be no $y$ with this
# mean as its feature, that is, no *preimage*. We can still compute the inner product of the surface
# point with any data point,
#
# $$\langle \Phi(y), f(x; X)\rangle = \sum_m k(y, y_m)\, b_m(x; X) \tag{16}$$
#
# Here is an example with features that can be written down: $k(y, y') = \langle y, y'\rangle^2$.
# Its features are all 144 products $y_i y_j$ of two coordinates. We compute (16) at two latent
# places both ways.

# %%
features = np.array([np.outer(y, y).ravel() for y in Y])  # (30, 144)
k = linear(Y) ** 2
print("inner products of features = k:", np.allclose(features @ features.T, k))

# %%
x = np.array([[0.0, 0.0], [0.5, -0.5]])
f = weights(x, X) @ features  # (15)
matrices = k @ weights(x, X).T  # (16), no feature is needed
print("without = with features:", np.allclose(matrices, features @ f.T))
loops = explicit.similarities(k.tolist(), x.tolist(), X.tolist())
print(
    "loops = matrices = library:",
    np.allclose(loops, matrices),
    np.allclose(matrices, similarities(k, x, X)),
)

# %% [markdown]
# That is enough to project new data. The projection (19) looks for the $x$ at which $f(x)$ is
# closest to $\Phi(y)$. The squared distance is
# $k(y, y) - 2 \langle\Phi(y), f(x)\rangle + |f(x)|^2$. The first term is given, the second is (16),
# and the third is a sum of terms $b_m b_n\, k(y_m, y_n)$. So `transform` works in feature space
# as in data space.
#
# ## The L1 kernel (2 minutes)
#
# This is the paper's example. Measure the distance of two points by $|y - y'|_1$, the sum of
# absolute differences. In this sum a single number that is far off is not squared. Which $k$ has
# features with this distance? The paper proposes:
#
# $$k(y, y') = \tfrac12 \left( |y|_1 + |y'|_1 - |y - y'|_1 \right) \tag{17}$$

# %%
G = np.array(explicit.gram_matrix(explicit.l1, Y.tolist()))  # loops
size = np.abs(Y).sum(axis=1)
matrices = (size[:, None] + size - cdist(Y, Y, "cityblock")) / 2  # (17)
print(
    "loops = matrices = library:",
    np.allclose(G, matrices),
    np.allclose(G, l1(Y)),
)

# %% [markdown]
# If it is an inner product, then the squared distance of two features is
#
# $$|\Phi(y) - \Phi(y')|^2 = k(y, y) - 2 k(y, y') + k(y', y') = |y - y'|_1 \tag{18}$$

# %%
own = np.diag(G)
of_features = own[:, None] - 2 * G + own  # (18)
print(
    "squared feature distance = L1 distance:",
    np.allclose(of_features, cdist(Y, Y, "cityblock")),
)

# %% [markdown]
# So the L1 distance of the data is the *squared* distance of the features.
#
# ## Why it is an inner product (2 minutes)
#
# In one dimension we can draw the features. Let $\Phi(y)$ be a bar from 0 to $y$ (as a function: 1
# on the bar, 0 elsewhere). The inner product of two bars is the length of their overlap. Their
# squared distance is the length of the part that only one of them covers, $|y - y'|$. And (17) *is*
# the overlap:

# %%
a, b = np.array([[3.0], [5.0], [-2.0]]), np.array([[4.0]])
print(
    "k(3, 4), k(5, 4), k(-2, 4) =",
    l1(a, b).ravel(),
    "= the overlap of the bars",
)

# %% tags=["aside"]
figure, ax = figures.blank(size=(6.4, 2.4))
with figures.style():
    for row, (value, color) in enumerate(
        zip((3, 5, -2, 4), figures.COLORS, strict=False)
    ):
        ax.barh(row, value, color=color, height=0.6)
    ax.axvline(0, color="#444444", lw=0.8)
    ax.set(
        yticks=range(4),
        yticklabels=["Φ(3)", "Φ(5)", "Φ(-2)", "Φ(4)"],
        title="Features as bars",
    )
    ax.set_xlabel("y")
figures.show(
    figure,
    "Bars from 0 to 3, 5, -2 and 4. The bar of 4 overlaps the bar of 3 by 3, "
    "the bar of 5 by 4, and the bar of -2 not at all.",
)

# %% [markdown]
# In $d$ dimensions we add the kernels of the columns, and a sum of inner products is an inner
# product. To test any other function, compute the eigenvalues of its matrices: it is an inner
# product if all matrices are *positive semidefinite*, that is, without a negative eigenvalue. The
# paper's appendix C takes a different route, which also gives other kernels (37); [our
# appendix](appendix_ukr.ipynb) follows it, and shows a function that fails the test.
#
# ## Three kinds of flow (5 minutes)
#
# Back to the pipe. The paper uses 1000 measurements for training and 1000 for testing. This unit
# uses 200 and 1000. The data lie in clusters, so the neighbourhood graphs of LLE and Isomap fall to
# pieces. We therefore start from PCA, and with the L1 kernel from kernel PCA, which is PCA in
# feature space. From there we follow the homotopy (unit 08): the model unfolds from a point while
# the density threshold η falls from .5 to .005, and then takes 300 steps without a threshold.

# %% tags=["nbval-ignore-output"]
predict(
    "three-classes",
    "Nobody tells UKR the kinds of flow. How will its map show them?",
    options=[
        "mixed, as on the principal components",
        "as nearly separate regions",
        "at random: only labels could separate them",
    ],
    answer="as nearly separate regions",
    because=(
        "Each point must be rebuilt by its latent neighbours, and neighbours "
        "with another kind of flow rebuild it badly."
    ),
    tempts=[
        "The kinds are mixed on the principal components, but these draw only "
        "flat maps, and the surface of UKR can bend.",
        "Labels would help, but even without them the map has to rebuild each "
        "point from its latent neighbours.",
    ],
    hides=4,
)


# %%
Y, labels = pipe, kinds_of_flow
Y_test, labels_test = datasets.simulated_oil_flow(1000, random_state=1000)


def latent_coordinates(data_kernel):
    """The model; latent training and test points of UKR and (kernel) PCA."""
    model = UKR(
        data_kernel=data_kernel, init="pca", homotopy=True, max_iter=300
    ).fit(Y)
    k = l1 if data_kernel == "l1" else linear
    # with the linear kernel, this is PCA
    pca = KernelPCA(2, kernel="precomputed").fit(k(Y))
    of_pca = pca.transform(k(Y)), pca.transform(k(Y_test, Y))
    return model, (model.embedding_, model.transform(Y_test)), of_pca


# %% tags=["nbval-ignore-output"]
fits = {"Euclidean": latent_coordinates(None), "L1": latent_coordinates("l1")}
for name, (model, *_) in fits.items():
    start, end = model.history_[0].error, model.cv_error_
    print(f"{name:9} R_cv: scaled PCA {start:.3f} -> {end:.3f}", end=", ")
    print(f"η of step 6: {model.density_threshold_:.4f}")

# %%
for model, (_, X_test), _ in fits.values():
    assert model.cv_error_ < 0.7 * model.history_[0].error
    assert model.density(X_test).min() > 0.999 * model.density_threshold_

# %% [markdown]
# (You cannot compare the two errors: one is a mean of squared Euclidean distances, the other of
# squared distances in feature space, which are L1 distances. The η of step 6 (unit 08) is the lowest
# density of a fitted point.)

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(2, 3, size=(8.4, 6.4))
for (left, middle, right), (name, fit) in zip(
    axes.reshape(2, 3), fits.items(), strict=True
):
    model, (X, X_test), (of_pca, _) = fit
    figures.latent(
        left, of_pca, labels=labels, names=kinds, title=f"PCA ({name})"
    )
    figures.latent(
        middle, X, labels=labels, names=kinds, title=f"UKR ({name})"
    )
    classifier = KernelDensityClassifier().fit(X, labels)
    figures.latent_map(
        right,
        X_test,
        labels_test,
        classifier,
        trained_on=X,
        names=kinds,
        density_threshold=model.density_threshold_,
        title=f"Test data ({name})",
    )
text = (
    "Three classes overlap on two principal components; in the latent spaces "
    "of UKR they fill separate regions, and most test points fall into the "
    "right one."
)
figures.show(figure, text)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# On two principal components the kinds of flow overlap, because a plane can't follow the
# surface in twelve dimensions. UKR bends the surface. On the right each position has the
# colour of the class with the greatest density there. The points are the projected test data.
# The dashed line is $p(x) = \eta K(0)$, and no test point lies outside it.
#
# At full size (1000 and 1000 points, Euclidean) a classifier on UKR's map errs on .3 % of the test
# points, and on the principal components on 11.4 %; the paper has .9 and 12.0. [The
# appendix](appendix_ukr.ipynb) has the whole of table 3, and says what the L1 kernel does not
# change.
#
# </details>

# %% [markdown]
# ## How the classes come apart (6 minutes)
#
# The panel of unit 08 takes data, not a Gram matrix. But any matrix $F$ with
# $F F^T = G$ can serve as data, and the eigenvectors of $G$ give such an $F$, because $G$ has no
# negative eigenvalue.

# %% [markdown]
# The start is the kernel principal components, scaled down. There a quarter of the points have a
# nearest neighbour with another kind of flow. $R_{cv}$ falls in each of the eight stages.

# %% tags=["nbval-ignore-output"]
predict(
    "share-mixed",
    "Does the share of points beside another kind of flow also fall in each "
    "stage?",
    options=[
        "yes, in each stage",
        "no, at first it rises",
        "no, it stays at a quarter: no labels are used",
    ],
    answer="no, at first it rises",
    because=(
        "In the first stages nearly all points help to rebuild each point, so "
        "it hardly matters which one is right beside it."
    ),
    tempts=[
        "The error falls in each stage, but this share does not measure the "
        "error.",
        "No label is used, but neighbours of another kind rebuild a point "
        "badly, and in the end that counts.",
    ],
    hides=0,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Homotopy

values, vectors = np.linalg.eigh(l1(pipe))
# a row of 200 coordinates for each point
F = vectors * np.sqrt(values.clip(0))
panel = Homotopy(F, kinds_of_flow)
panel

# %%
print("inner products of the rows = G:", np.allclose(F @ F.T, l1(pipe)))

# %% [markdown]
# The radius of the open circle is the width of the kernel. Go through the stages before you read on.


# %%
def mixed(X):
    """Share of points whose nearest latent neighbour is of another kind."""
    distance = cdist(X, X) + np.diag(np.full(len(X), np.inf))
    return np.mean(labels[distance.argmin(axis=1)] != labels)


# %% tags=["nbval-ignore-output"]
share = [mixed(panel.points(stage)) for stage in range(9)]  # 0 is the start
thresholds = ["start", *(eta or "none" for eta, *_ in panel.ends())]
print("η      beside another kind")
for eta, value in zip(thresholds, share, strict=True):
    print(f"{eta!s:6} {value:4.0%}")

# %% tags=["aside"]
assert share[2] > 0.2 > 0.1 > share[8]

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# At first the share rises, to about a third at η = .25. In this stage the points lie within a few
# kernel widths. From η = .1 on the share falls, and at .01 it is small. Nothing in $R_{cv}$ asks for
# classes. They come apart when the neighbourhoods have become so small that a neighbour of another
# kind does harm.
#
# </details>

# %% [markdown]
# ## Key points
#
# - R, its gradient and the projection need inner products only. With the data's own inner products
#   you get the same model, and at lower cost from $2d > N$ on.
# - A function of two points is an inner product if none of its matrices has a negative eigenvalue.
# - The L1 kernel turns L1 distances into squared feature distances. In one dimension its features
#   are bars, and its values are the overlaps of the bars.
# - On the oil flow data UKR separates classes that PCA mixes, without having seen a label.

# %%
notation.table(
    *("Y", "X", "x", "predict", "B", "M", "Q", "gradient", "G"),
    *(
        "mercer_kernel",
        "labels",
        "density_threshold",
        "threshold",
        "cv_error",
    ),
)

# %% [markdown]
# **Covered** (13), (14), (15), (16), (17), (18), (37); the oil flow experiment, figure 5.
#
# **To do** [exercise 15: the L1 kernel, and its features](../exercises/15_l1_gram.ipynb).
#
# **Further** Before this lesson: [10, digits](10_digits.ipynb); after it:
# [12, referee and companion](12_referee.ipynb). In the library: `ukrlearn.blocks.mercer_kernels`,
# `reconstruction.reconstruction_error_gram`, `projection.FeatureManifold`,
# `KernelDensityClassifier`, `UKR(data_kernel="l1")`, also "precomputed" or a callable of your own;
# in loops
# `explicit.gram_matrix`, `explicit.l1`, `explicit.similarities`.
