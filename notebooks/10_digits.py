# %% [markdown]
# # Digits: a surface through images, and what a compact kernel buys
#
# Each image is a point with one coordinate per pixel. Here you fit a surface through such points,
# walk on it, and see how a kernel that vanishes beyond a distance saves time.
#
# **Afterwards you can**
#
# - choose among many starts by their leave-one-out error, as figure 3 of the paper does;
# - read a sampled manifold (figure 4), and tell where you can trust it and where you cannot;
# - explain which terms a compact kernel skips, and predict when that saves time.
#
# **You need** [unit 04](04_leave_one_out.ipynb) (leave-one-out) and [unit
# 08](08_starts_and_scales.ipynb) (starts and scales). **Time** 26 minutes.
#
# **Contents** The images · The starts · The fit, and the sampled manifold · A walk · What a compact
# kernel buys · Key points

# %%
from timeit import repeat

import numpy as np
from scipy.spatial import cKDTree

from ukrlearn import UKR, datasets, explicit, figures
from ukrlearn.blocks import kernel_regression
from ukrlearn.blocks.density_kernels import gaussian, quartic
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.ukr.reconstruction import reconstruction_error

predict = predictions("10_digits")
Y, _ = datasets.digits(2)  # images of the digit 2

# %%
review("10_digits")  # questions from earlier lessons

# %% [markdown]
# ## The images (2 minutes)
#
# Some people write a 2 with a loop, others with a corner, slim or broad. Can one picture show all
# ways of writing it, in order, and even ways that nobody has written yet? The paper uses the 731
# handwritten twos of the USPS set, 16 x 16 pixels each. We may not distribute them, so this unit
# uses the 177 twos of 8 x 8 pixels that come with scikit-learn. Pixel values range from -1 (white)
# to 1 (ink), as in the paper.

# %%
variance = np.mean(np.sum((Y - Y.mean(axis=0)) ** 2, axis=1))
print(f"{len(Y)} images of {Y.shape[1]} pixels; total variance {variance:.2f}")

# %% tags=["aside"]
figure, axes = figures.blank(2, 9, size=(8.4, 2.1))
for ax, image in zip(axes, Y, strict=False):
    ax.imshow(image.reshape(8, 8), cmap="gray_r")
    ax.set_axis_off()
figures.show(
    figure,
    "The first 18 of the 177 twos: slim and broad ones, with a loop or a "
    "corner.",
)

# %% [markdown]
# ## The starts (5 minutes)
#
# Each image gets two latent coordinates, so the manifold is a surface in a space of 64 dimensions.
# We compare two kernels: the Gaussian kernel, and the quartic kernel, which is zero beyond distance
# 1:
#
# $$K_G(x - x') \propto \exp\left(-\tfrac12 |x - x'|^2\right) \tag{33}$$
#
# $$K_Q(x - x') \propto \left[1 - |x - x'|^2\right]_+^2 \tag{20, 34}$$
#
# The sign $\propto$ leaves out constant factors, which cancel in the weights. The subscript +
# replaces a negative bracket by zero. The candidate starts are PCA and locally linear embeddings
# (LLE) with several numbers $K$ of neighbours. As in unit 08, each start is brought to the scale
# with the lowest leave-one-out error $R_{cv}$, (10). No descent step follows yet.

# %% tags=["nbval-ignore-output"]
predict(
    "kernel-and-start",
    "The two kernels have different shapes and widths. We rank the starts by "
    "R_cv with each. How much will the two rankings differ?",
    options=[
        "hardly at all",
        "they agree on the best start, and on little else",
        "they prefer different starts",
    ],
    answer="hardly at all",
    because=(
        "The scales differ, because a kernel that ends at distance 1 needs "
        "points that are closer together; the ranking of the starts hardly "
        "does."
    ),
    tempts=[
        "Kernels of different shapes might rank neighbours differently, but "
        "each start gets its best scale anew for each kernel.",
        "The best scales do differ between the kernels, but another scale is "
        "not another ranking.",
    ],
    hides=3,
)

# %% tags=["nbval-ignore-output"]
scaled = {
    kernel: (
        UKR(
            kernel=kernel, init=["pca", "lle"], max_iter=0, random_state=0
        ).fit(Y)
    )
    for kernel in ("gaussian", "quartic")
}
for kernel, model in scaled.items():
    chosen = next(candidate for candidate in model.starts_ if candidate.chosen)
    print(f"{kernel:9} {chosen.name}, R_cv {chosen.cv_error:.2f}")

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 2)
for ax, (kernel, model) in zip(axes, scaled.items(), strict=True):
    figures.candidate_table(
        ax, model.starts_, title=f"{kernel.capitalize()} kernel"
    )
figures.show(
    figure,
    "R_cv of the scaled starts against the number of neighbours K, for both "
    "kernels. The curves have the same shape: LLE with nine neighbours is "
    "best, just ahead of PCA; most are worse.",
)

# %%
table = {
    kernel: {c.name: c.cv_error for c in m.starts_}
    for kernel, m in scaled.items()
}
both = [
    (table["gaussian"][name], table["quartic"][name])
    for name in table["gaussian"]
]
differ = [abs(g - q) / g for g, q in both if np.isfinite(g)]
print(
    "the kernels differ by less than 3 % for each start:",
    bool(max(differ) < 0.03),
)
first = {min(errors, key=errors.get) for errors in table.values()}
print("they prefer the same start:", len(first) == 1)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The curves of the two pictures nearly coincide, as in the paper's figure 3. In the paper LLE with
# 12 neighbours wins with either kernel. Here LLE with nine neighbours wins by a small margin: for
# 177 small images, linear PCA is nearly as good a start.
#
# </details>

# %% [markdown]
# ## The fit, and the sampled manifold (4 minutes)
#
# From the best start we take 500 RPROP steps on $R_{cv}$, as the paper does.

# %% tags=["nbval-ignore-output"]
models = {
    kernel: (
        UKR(kernel=kernel, init=start.embedding_, max_iter=500, tol=0).fit(Y)
    )
    for kernel, start in scaled.items()
}
for kernel, model in models.items():
    before, after = scaled[kernel].cv_error_, model.cv_error_
    print(f"{kernel:9} R_cv {before:.2f} -> {after:.2f}", end=", ")
    print(f"of the variance {before / variance:.2f} -> {after / variance:.2f}")

# %%
for kernel, model in models.items():
    assert model.cv_error_ < 0.65 * scaled[kernel].cv_error_ < 0.35 * variance

# %% [markdown]
# The paper's twos have four times as many pixels and a total variance of 114.96. Their $R_{cv}$
# falls from 83.53 to 50.90 with the Gaussian kernel and from 83.62 to 51.52 with the quartic
# kernel, which is from .73 to .44 of the variance. Our images are smaller and coarser, and our
# shares are lower. Two things are the same: the descent removes about two fifths of the error or
# more, and the kernel hardly matters.
#
# Treat this number with caution. The descent minimised $R_{cv}$ over 2 x 177 coordinates, so
# $R_{cv}$ flatters the surface (unit 09). To learn how well the surface rebuilds *new* twos, keep
# some of them aside.
#
# The paper's figure 4 shows the latent points with their density on one side, and the surface
# itself on the other. The surface appears as *decoded* images $f(x)$ (2) on a grid of positions
# $x$. The ink of each image is multiplied by the density $p(x)$ (3), so the images fade where no
# data are near.

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(2, 2, size=(8.4, 8.4))
for (density, grid), (name, model) in zip(
    axes.reshape(2, 2), models.items(), strict=True
):
    kernel, X = (
        {"gaussian": gaussian, "quartic": quartic}[name],
        model.embedding_,
    )
    figures.latent_density(
        density, X, kernel, title=f"Latent density, {name} kernel"
    )
    figures.sampled_manifold(
        grid, X, Y, (8, 8), kernel, title=f"Sampled manifold, {name} kernel"
    )
figures.show(
    figure,
    "Latent points with density, and 12 x 12 decoded images, for both "
    "kernels. Neighbouring images differ little; the foot of the two changes "
    "gradually from one end to the other.",
)

# %% [markdown]
# Neighbours on the grid look alike, because the leave-one-out error rewards that. The two axes have
# no meaning of their own, because a rotated or mirrored $X$ has the same error. But *along* a path
# some property changes gradually, and you may name it after looking. The unit of the axes is the
# kernel width. The Gaussian kernel reaches far beyond its width, while the quartic kernel ends
# there, so the Gaussian's latent points spread about three times as wide.
#
# ## A walk (6 minutes)
#
# At each position the panel computes a weighted mean of all images, and the weights fall with
# latent distance. First we do this in loops, for one position:

# %%
X = models["gaussian"].embedding_
x = X.mean(axis=0)
(image,) = explicit.predict([x.tolist()], X.tolist(), Y.tolist())  # (2), loops
B = kernel_regression.weights(x[None], X)  # (1, 177): one row of weights
print("loops = matrices:", np.allclose(image, B @ Y))
print(
    "weights sum to one:",
    np.isclose(B.sum(), 1),
    "- none is negative:",
    B.min() >= 0,
)

# %% tags=["nbval-ignore-output"]
predict(
    "empty-corner",
    "What will the decoded image look like in an empty corner of the map?",
    options=[
        "blurred, like the mean of all twos",
        "like a new kind of two",
        "like one sharp training image",
    ],
    answer="like one sharp training image",
    because="In the corner the nearest latent point has most of the weight.",
    tempts=[
        "Far from the data one expects the mean, but in a corner the weights "
        "are far from equal.",
        "A map that decodes every position seems to invent images, but each "
        "one is a weighted mean of those that were seen.",
    ],
    hides=0,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import LatentExplorer

surface = UKR(init=["pca", "lle"], max_iter=500, tol=0, random_state=0).fit(Y)
panel = LatentExplorer(surface.embedding_, Y, (8, 8))
panel

# %% [markdown]
# The ring is the position, and it follows your pointer; a click holds it, and so do the arrow keys.
# Drag to draw a path, and the digit walks along it. Green lines lead to the nearest training points,
# whose images and weights are on the right. The shade is the density. It ends at the threshold η of
# (7), below which the manifold does not exist. Behind *More controls*, the panel takes images of
# your own.

# %%
middle = panel.state()  # the panel starts where the density is greatest
corner = dict(zip(("x1", "x2"), surface.embedding_.min(axis=0), strict=True))
_, density_here, _, b_here = panel.look(**middle)
_, density_there, _, b_there = panel.look(**corner)
said = panel.copy().set(**corner).summary()
print("the corner is outside the domain:", "outside the domain" in said)
print(
    "the largest single weight is greater there:",
    bool(b_there.max() > b_here.max()),
)

# %% tags=["nbval-ignore-output"]
# how many images contribute; N if all do so equally
sharing = lambda b: 1 / np.sum(b**2)
print(
    f"dense region: density {density_here:.4f}, {sharing(b_here):.1f} images "
    "contribute"
)
print(
    f"empty corner: density {density_there:.4f}, {sharing(b_there):.1f} "
    "images contribute"
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# In the corner the image is nearly a copy of the training image whose latent point is nearest. It
# looks sharp, but the surface makes nothing new there. In the dense region a few similar images
# contribute, and their mean is a little blurred. The density tells the two cases apart. This is why
# figure 4 fades the corners and why (7) cuts them off.
#
# </details>

# %% [markdown]
# ## What a compact kernel buys (9 minutes)
#
# Every evaluation of $R_{cv}$ sums over all pairs of points. With the quartic kernel most terms are
# exactly zero: the terms of all pairs further apart than 1. So it should be enough to visit
# *neighbours*, the points within distance 1. The loops below take the first 30 images and visit
# first all pairs, then only neighbours:

# %%
X = models["quartic"].embedding_
# at half the scale, because 30 points are sparse
X_few, Y_few = X[:30] / 2, Y[:30]
X_list, Y_list = X_few.tolist(), Y_few.tolist()
B = explicit.weight_matrix(X_list, explicit.quartic)  # (23), leave-one-out
# (10)
R_cv = explicit.reconstruction_error(X_list, Y_list, explicit.quartic)[0]

# %% tags=["nbval-ignore-output"]
visited = sum(weight > 0 for row in B for weight in row)
print(f"{visited} of the 30 x 30 weights are not zero")


# %%
def over_neighbors(n):
    """|y_n - f_{-n}(x_n)|² from the points within distance 1 only."""
    t = {
        m: explicit.squared_distance(X_list[n], X_list[m])
        for m in range(30)
        if m != n
    }
    # (34), where the bracket is positive
    K = {m: (1 - t[m]) ** 2 for m in t if t[m] < 1}
    if not K:  # without neighbours: the mean of the others
        K = dict.fromkeys(t, 1.0)
    f = sum(K[m] * Y_few[m] for m in K) / sum(K.values())  # (2)
    return np.sum((Y_few[n] - f) ** 2)


print(
    "same error from neighbours only:",
    np.isclose(R_cv, np.mean([over_neighbors(n) for n in range(30)])),
)


# %%
def neighbors_per_point(X):
    """How many other points are within distance 1 of a point, on average."""
    tree = cKDTree(X)
    return tree.count_neighbors(tree, quartic.radius) / len(X) - 1


# %% [markdown]
# The gradient (32) has the same zeros (36). So with $d$ pixels, the number of operations for one
# evaluation falls from $d N^2$ to $d$ times the number of neighbouring pairs. (Appendix B of the
# paper says so. How the library does it, by *tiles*, is in [the appendix](appendix_ukr.ipynb) to
# units 00 to 13.)
#
# Take all ten digits, $N = 1797$, and scatter their latent points at random over a square. (How
# good the latent points are does not affect the time of one evaluation.) Let the square grow, so
# that each point has fewer and fewer neighbours.

# %% tags=["nbval-ignore-output"]
predict(
    "growing-square",
    "Which times will fall as the square grows?",
    options=[
        "only the quartic kernel's",
        "both: distant points count less",
        "neither: the number of points is the same",
    ],
    answer="only the quartic kernel's",
    because=(
        "The Gaussian kernel reaches across all of these squares: its values "
        "vanish in rounding only beyond 8.6 widths."
    ),
    tempts=[
        "Distant points count less with both kernels, but leaving out a term "
        "is exact only if the term is zero.",
        "The number of points is the same, but not the number of pairs that "
        "have a weight.",
    ],
    hides=5,
)

# %%
Y_all, _ = datasets.digits(None)
N = len(Y_all)
square = np.random.default_rng(0).uniform(size=(N, 2))
sizes = [np.sqrt(N * np.pi / about) for about in (400, 200, 100, 50, 25, 12)]


# %%
def milliseconds(X, kernel):
    """The shortest of three evaluations of the error and its gradient."""
    evaluate = lambda: reconstruction_error(X, Y_all, kernel)
    return 1000 * min(repeat(evaluate, number=1, repeat=3))


# %% tags=["nbval-ignore-output"]
neighbors = [neighbors_per_point(size * square) for size in sizes]
taken = {"quartic": [milliseconds(size * square, quartic) for size in sizes]}
taken["gaussian"] = [milliseconds(size * square, gaussian) for size in sizes]
print("neighbours ", "  ".join(f"{count:5.0f}" for count in neighbors))
for name, values in taken.items():
    print(f"{name:11}", "  ".join(f"{value:5.0f}" for value in values), "ms")

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(6.4, 3.8))
labels = {"across": "neighbours per point", "up": "ms per evaluation"}
figures.lines(
    ax, neighbors, taken, title="N = 1797", log="xy", markers=True, **labels
)
slow, fast = taken["gaussian"][-1], taken["quartic"][-1]
figures.show(
    figure,
    f"With few neighbours: quartic {fast:.0f} ms, Gaussian {slow:.0f} ms.",
)

# %% tags=["aside"]
assert neighbors[0] > 200 > 20 > neighbors[-1]

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The Gaussian kernel takes about the same time on all of these squares. The quartic kernel's time
# falls with the number of neighbours, to a small fraction. It stops falling where the library's boxes,
# with up to 128 points each, have become wider than the kernel. (On squares much wider than 8.6
# widths, the library skips distant pairs with the Gaussian too.)
#
# </details>

# %% [markdown]
# **Table 2 of the paper** measures 500 RPROP steps on the 731 twos: 753 s with the Gaussian and 30
# s with the quartic kernel, in 2005. On as many twos of as many pixels we measured 3.7 s and 2.0 s
# (`make bench`). The compact kernel is faster, but it gains less, because today's machines multiply
# full matrices so fast. The gain grows with $N$: for a hundred thousand points, $N^2$ numbers do
# not fit into memory, but the pairs of neighbours do. ([The appendix](appendix_ukr.ipynb) has the
# whole table.)
#
# ## Key points
#
# - Choose a start by its leave-one-out error, which UKR then minimises. The kernel hardly changes
#   the choice.
# - A decoded image is a weighted mean of training images. Where the density is low, it is a copy of
#   one of them: look at the density before you believe an image.
# - A compact kernel needs only the points within its radius, and saves time when points have few
#   neighbours. A point without neighbours is rebuilt as the mean of the others, a case that the
#   paper does not discuss.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "predict", "K", "B", "latent_density", "density_threshold"),
    *("M", "P", "G", "cv_error", "scale"),
)

# %% [markdown]
# **Covered** (2), (3), (7), (10), (20), (33), (34), (36) and the last part of appendix B; figures 3
# and 4; table 2.
#
# **Further**
#
# - To do: [exercise 14: the quartic kernel, its slope and P](../exercises/14_quartic.ipynb).
# - Before: [projecting new data](09_projection.ipynb). Next: [feature
#   space](11_feature_space.ipynb).
# - In the library: `figures.sampled_manifold`, `figures.candidate_table`, `ukrlearn.blocks.tiles`,
#   `UKR(kernel="quartic")`. In loops: `explicit.weight_matrix`, `explicit.quartic`.
