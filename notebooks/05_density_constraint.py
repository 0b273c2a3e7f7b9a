# %% [markdown]
# # The density constraint
#
# A curve that may exist only where the latent points are dense cannot be long, and a curve that is
# not long cannot memorise.
#
# **Afterwards you can**
#
# - compute the density of latent points, and use it to decide where a manifold exists;
# - predict how a manifold is perforated, torn and lost as the threshold rises;
# - say why a threshold on the density limits the length of a curve, and what it does not limit;
# - fit models under the constraint, and compare it with leave-one-out.
#
# **You need** [leave-one-out for free](04_leave_one_out.ipynb). **Time** 22 minutes. **Contents**
# No flowers in between · Where a curve exists · Raise the threshold · Why a threshold limits the
# length · Learning under the constraint · Key points

# %%
from functools import partial
from textwrap import fill

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import datasets, explicit, figures, metrics
from ukrlearn.blocks import descent, kernel_regression, scales, starts
from ukrlearn.blocks.density_kernels import gaussian
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.panels import DensityConstraint
from ukrlearn.ukr import density_constraint, extent, homotopy
from ukrlearn.ukr.reconstruction import (
    penalty_factors,
    reconstruction_error,
    squared_residuals,
)

predict = predictions("05_density_constraint")

# %%
review("05_density_constraint")  # questions from earlier lessons

# %% [markdown]
# ## No flowers in between (3 minutes)
#
# Petals of 150 irises of three species were measured: length and width, in centimetres. A curve
# through the points orders the flowers by size; its latent points are the first principal component
# at the scale that $R_{cv}$ chooses (unit 04). But no flower of the collection has a petal
# between 2 and 3 cm. Should a model that claims to know where irises are draw its curve there?

# %%
from sklearn.datasets import load_iris

iris = load_iris()
petals = iris.data[:, 2:]
component = scales.normalised(starts.pca(petals, 1))
cv_error = lambda X: squared_residuals(X, petals).mean()
X_iris = component * scales.best_scale(component, cv_error).scale

# %% tags=["aside"]
figure, ax = figures.blank(size=(6.4, 3.9))
figures.data(
    ax,
    petals,
    labels=iris.target,
    names=list(iris.target_names),
    title="150 irises",
)
figures.manifold(ax, X_iris, petals)
ax.set(xlabel="petal length, cm", ylabel="petal width, cm")
figures.show(
    figure,
    "Setosa flowers are small and apart from the others; versicolor and "
    "virginica touch. The curve goes through all of them, and straight "
    "through the gap between 2 and 3 cm.",
)

# %% [markdown]
# ## Where a curve exists (5 minutes)
#
# The map $f(x)$ has a value everywhere. In the gap no latent point is near, and the value is a
# weighted mean of distant points. So let us say where the curve *exists*: at those $x$ where the
# *latent density*
#
# $$p(x) = \frac1N \sum_{i=1}^{N} K(x - x_i) \tag{3}$$
#
# is high enough. Here it is in loops and as a matrix, at five positions:

# %%
positions = np.linspace(X_iris.min(), X_iris.max(), 5)[:, None]
in_loops = explicit.latent_density(positions.tolist(), X_iris.tolist())
# (3) with (33)
p = np.exp(-cdist(positions, X_iris, "sqeuclidean") / 2).mean(axis=1)
print("loops:  ", np.allclose(p, in_loops))
print(
    "library:",
    np.allclose(p, kernel_regression.latent_density(positions, X_iris)),
)

# %% [markdown]
# What is "high enough"? We need a unit that does not depend on $N$ or the kernel. If all latent
# points coincided, the density there would be $K(0)$; it cannot be higher anywhere. At a latent
# point far from all others it is $K(0)/N$. So take a fraction $\eta$ (eta) of $K(0)$ as the
# *density threshold*. The *latent domain* is
#
# $$\mathcal{X}_\eta = \{ x \in \mathbb{R}^q \mid p(x) \ge \eta K(0) \}, \qquad 0 < \eta < 1,
#   \tag{7}$$
#
# and the manifold (4), which in unit 02 was the image of everything between the outermost latent
# points, is now the image of this domain. After a fit, `UKR` takes the least density at a latent
# point, relative to $K(0)$: $\eta = \min_i p(x_i) / K(0)$. Then every latent point is inside, and
# the loneliest point lies on the border of the domain (this is the last step of the paper's scheme,
# unit 08).

# %% tags=["nbval-ignore-output"]
predict(
    "pieces",
    "With this threshold, how many pieces does the curve through the irises "
    "have?",
    number=True,
    answer=2,
    within=0,
    because=(
        "The density is below that of the loneliest flower in the gap only."
    ),
    hides=2,
)

# %%
# the least p(x_i) / K(0)
eta = density_constraint.relative_density(X_iris).min()

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.44, 3.8))
figures.data(left, petals, title="Where the curve exists")
figures.manifold(left, X_iris, petals, density_threshold=eta)
figures.latent_density(right, X_iris, density_threshold=eta)
figures.show(
    figure,
    "Left: the curve in two pieces, with none in the gap. Right: the latent "
    "density over K(0), two mountains with a deep valley between them, and "
    f"the threshold, {eta:.3f}.",
)

# %% [markdown]
# Unit 04 charged for low density; its penalty factor has a second reading. $S_i$ is proportional
# to $\{p(x_i) / p_{-i}(x_i)\}^2$, the density at the point over the density that the others alone
# have there:

# %%
p = kernel_regression.latent_density(X_iris, X_iris)
p_without = (150 * p - 1) / 149  # K(0) = 1 less, and one point fewer
ratio = (p / p_without) ** 2
S = penalty_factors(X_iris)
print(
    "S over the ratio is (N/(N-1))²:",
    np.allclose(S / ratio, (150 / 149) ** 2),
)

# %% [markdown]
# ## Raise the threshold (4 minutes)
#
# The panel has one slider, for the threshold, which is also the level of a sea that you can drag.
# Its data are 300 points of a spiral at their true positions. The left picture shows the data, the
# part of the curve that exists and, as a cross, the mean. The upper right picture shows the density
# and the threshold. The lower right picture shows the length of the curve, and two bounds of it
# that you may ignore.

# %% tags=["nbval-ignore-output"]
predict(
    "first-break",
    "As the threshold rises, a curve either breaks somewhere inside first, or "
    "is first shortened at an end. We drew 80 such spirals. How many broke "
    "inside first?",
    number=True,
    answer=58,
    within=12,
    because=(
        "It breaks where the density is least. At an end there are points on "
        "one side only, but 300 random positions nearly always leave some "
        "wide gap."
    ),
)

# %% tags=["nbval-ignore-output"]
predict(
    "towards-one",
    'You may also choose to "draw all points together" until each of them has'
    " the required density. What becomes of the curve then, as the threshold "
    "approaches 1?",
    options=[
        "a straight line, like the principal component",
        "a single place, the mean of the data",
        "the clean spiral",
    ],
    answer="a single place, the mean of the data",
    because=(
        "If all latent points coincide, each point is reconstructed as the "
        "mean of all."
    ),
    tempts=[
        "Many simplifications end in a straight line, but here all latent "
        "points come ever closer together.",
        "Averaging removes noise and might leave the clean spiral, but a "
        "threshold near 1 averages over far more than the noise.",
    ],
)

# %% tags=["nbval-ignore-output"]
Y, t = datasets.noisy_spiral(300, noise=0.05, random_state=0)
X = 100 * t[:, None]  # the true positions, near their best scale
panel = DensityConstraint(X, Y)
panel

# %%
probe = panel.copy()
for threshold in (0.01, 0.016):
    print(fill(probe.set(threshold=threshold).summary(), 94), "\n")
print(
    fill(
        probe.set(threshold=0.9, points="draw all points together").summary(),
        94,
    )
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Chance decides where a curve breaks first. On this draw the curve is first shortened at one end,
# and a gap inside follows at 0.0113. Most other draws break inside first; at half the scale,
# $X = 50\,t$, more kernels fill the gaps, and fewer draws do. Perforated manifolds are not an
# accident: the manifold should be where the data are. A threshold above the greatest density leaves
# nothing of the curve.
#
# If the points are drawn together, a larger threshold acts like a larger bandwidth. The kernels
# overlap more and more, and the curve becomes smoother and shrinks to the mean of the data.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Of 80 other draws, 58 broke inside first. At half the scale, $X = 50\,t$, only 18 of the same 80
# draws did.
#
# </details>

# %% [markdown]
# ## Why a threshold limits the length (2 minutes)
#
# A memorising curve is long (unit 03). The length of a curve is the integral of its speed, and in
# $f(x) = \sum_i b_i(x)\, y_i$ the data are fixed, so the speed comes from the weights
# $b_i = K(x - x_i) / (N p(x))$. The density is in the denominator: **the weights can change fast
# only where the density is low.** A threshold keeps the speed low, and it bounds the size of the
# domain, because the density of $N$ points cannot be high everywhere. Both together bound the
# length of a curve, or the area of a surface. The bounds are loose, by a factor of about thirty on
# our spiral; what matters is that they exist. The slopes of the weights (6), (22), the bounds (5),
# (21), their proofs and a panel with a surface are in the [appendix](appendix_ukr.ipynb), to read
# if you like.
#
# ## Learning under the constraint (8 minutes)
#
# So far the threshold said only which part of a given curve to trust. To keep a *fit* from
# memorising, the latent points themselves must satisfy the constraint:
#
# $$\text{minimise } R(X) \quad \text{subject to} \quad x_i \in \mathcal{X}_\eta
#   \text{ for all } i. \tag{9}$$
#
# Does the constraint give $R$ a minimum? Take four data values 0, 0, 1, 1, let the latent points of
# equal data coincide, and move the two pairs apart:

# %% tags=["nbval-ignore-output"]
predict(
    "minimum",
    "Under the constraint with threshold 0.5, does $R$ of these four points "
    "have a minimum?",
    options=[
        "yes, at a finite distance of the pairs",
        "yes, where the constraint stops the pairs",
        "no, it falls as long as the pairs move apart",
    ],
    answer="no, it falls as long as the pairs move apart",
    because=(
        "Each pair by itself has the density $K(0)/2$, all that the threshold "
        "asks for."
    ),
    tempts=[
        "A constraint usually stops a descent somewhere, but compute the "
        "density at a pair that has moved away.",
        "The constraint would stop a single point, but here each point takes "
        "its partner along.",
    ],
    hides=1,
)

# %%
pairs = np.array([[0.0], [0.0], [1.0], [1.0]])
for distance in (2, 4, 6, 8):
    apart = distance * pairs
    R = squared_residuals(apart, pairs, leave_one_out=False).mean()
    least = density_constraint.relative_density(apart).min()
    print(f"distance {distance}: least p / K(0) {least:.2f}, R = {R:.0e}")

# %% [markdown]
# So (9) bounds the length of the curve, because no curve exists between the pairs. But with the
# Gaussian kernel (9) does not keep groups of at least $\eta N$ points together.
#
# The library minimises $R$ plus a *barrier*, a term that grows without limit as the latent points
# approach the border of the *feasible set*, where the constraint holds. It shortens each move that
# would cross the border. We start from Isomap's order of the spiral, drawn together until it
# satisfies the constraint. On this draw the order is right. The clean spiral has the length 8.87.

# %% tags=["nbval-ignore-output"]
predict(
    "best-threshold",
    "Which of these thresholds leads to the curve nearest to the clean "
    "spiral?",
    options=["0.9", "0.1", "0.02", "0.005"],
    answer="0.02",
    because="Higher thresholds cut corners, lower ones follow the noise.",
    tempts=[
        "The strictest threshold looks safest, but latent points so close "
        "together leave only a curve near the mean.",
        "A strict threshold seems safer than a loose one, but it holds the "
        "points too close together for the bends.",
        "The loosest threshold keeps every detail, and the noise is among the "
        "details.",
    ],
    hides=4,
)


# %%
def constrained_fit(X, Y, threshold):
    # (8): nothing left out
    R_of = partial(reconstruction_error, Y=Y, leave_one_out=False)
    best = descent.Best()
    # (9), 100 steps
    steps = homotopy.constrained(R_of, X, gaussian, threshold, 100)
    # runs all steps; `best` remembers the best one
    descent.last(best.of(steps))
    return best.step.X


X_start = 50 * scales.normalised(
    starts.isomap(Y, n_components=1, n_neighbors=10)
)
fits = {
    eta: constrained_fit(X_start, Y, eta) for eta in (0.9, 0.1, 0.02, 0.005)
}
clean = datasets.spiral_curve(np.linspace(0, 1, 5000))

# %% tags=["nbval-ignore-output"]
print("threshold        R     R_cv   length  curve to clean spiral, squared")
table = []
for threshold, X_fit in fits.items():
    R, R_cv = (
        squared_residuals(X_fit, Y, leave_one_out=k).mean()
        for k in (False, True)
    )
    curve = kernel_regression.predict(
        extent.latent_grid(X_fit, 2000)[0], X_fit, Y
    )
    away = metrics.distance_to_curve(curve, clean, squared=True)
    table.append((R, R_cv, extent.manifold_extent(X_fit, Y).measured, away))
    print(
        f"{threshold:9} {R:8.5f} {R_cv:8.5f} {table[-1][2]:8.2f}  {away:.5f}"
    )

# %% tags=["aside"]
R, R_cv, length, away = np.transpose(table)
assert all(
    density_constraint.relative_density(fits[eta]).min() >= eta for eta in fits
)
# R falls, the length grows
assert np.all(np.diff(R) < 0) and np.all(np.diff(length) > 0)
assert R[0] > 0.95 * Y.var(axis=0).sum()  # at 0.9 hardly better than the mean
assert away.argmin() == 2  # at 0.02

# %% tags=["aside"]
figure, axes = figures.blank(2, 2, size=(8.44, 7.4))
for ax, (threshold, X_fit) in zip(axes, fits.items(), strict=True):
    figures.data(ax, Y, title=f"threshold {threshold}")
    figures.curve(ax, clean)
    figures.manifold(ax, X_fit, Y)
axes[2].legend(
    loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, frameon=False
)
figures.show(
    figure,
    "At threshold 0.9 the curve is a dot at the mean. At 0.1 it is a spiral "
    "that cuts its corners, at 0.02 it follows the dashed clean spiral, at "
    "0.005 it chases single points.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# At 0.9 the constraint allows hardly more than the mean. At 0.1 the curve cuts its corners. At 0.02
# it is nearly as long as the clean spiral and follows it. At 0.005 it follows the noise.
#
# Nobody tells us that 0.02 is best. $R$ falls with every lower threshold. $R_{cv}$ would choose too
# low a threshold. At 0.02 the curve is closer to the clean spiral than after 1000 steps in $R$ or
# in $R_{cv}$. But the start, before any optimisation, is about as close.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# On 15 draws with the right order $R_{cv}$ chose 0.005 in 12 and 0.01 in 3, while the distance was
# least at 0.01 in 9 and at 0.02 in 6. In 15 of 15 the curve at 0.02 was closer to the clean spiral
# than after 1000 steps in $R$ or in $R_{cv}$: the median was .0004, against .0011 for $R_{cv}$. The
# start had .0005, and .0004 at its best scale. From 25 starts in a wrong order, no threshold from
# 0.05 to 0.005 came closer than .0018.
#
# </details>

# %% [markdown]
# The constraint protects a good start from a nervous curve, *if* somebody knows the threshold. The
# paper finds $\eta$ difficult to fix in advance, and prefers leave-one-out: low density is allowed
# there, at the price $S_i$, and nothing is left to choose.
#
# ## Key points
#
# - The latent density $p(x)$, relative to $K(0)$, says where data support the manifold. The
#   manifold exists where it is at least $\eta$; it may have holes and pieces.
# - The weights can change fast only where the density is low. So a threshold bounds the length of
#   a curve and the area of a surface.
# - The constraint (9) does not bound how far groups of at least $\eta N$ points may drift apart.
#   $\eta \to 1$ gives the mean of the data; a falling threshold lets the manifold unfold.
# - Leave-one-out is a softer density constraint, with nothing to choose.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "x", "K", "latent_density", "density_threshold", "penalties"
)

# %% [markdown]
# **Covered** (3), (7), (9); used: (4), (8), (12), (33). In the [appendix](appendix_ukr.ipynb): (5),
# (6), (21), (22).
#
# **Further**
#
# - To do: [exercise 6: the density constraint, for every
#   point](../exercises/06_density_constraint.ipynb).
# - Before: [leave-one-out for free](04_leave_one_out.ipynb). Next: [the gradient in matrix
#   form](06_gradient.ipynb).
# - In the library: `density_constraint.relative_density`, `is_feasible`, `log_barrier`,
#   `back_into_feasible_set`; `extent.manifold_extent`; `homotopy.constrained`;
#   `UKR(leave_out=0, density_threshold=...)`. In loops: `explicit.latent_density`, `barrier`.
