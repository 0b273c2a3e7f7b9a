# %% [markdown]
# # An error without a minimum
#
# The obvious error to minimise can be made as small as you like with latent points that mean
# nothing. Understanding why is half of the cure.
#
# **Afterwards you can**
#
# - compute the reconstruction error in loops and with one matrix;
# - break it: bring it down to zero with a random order of the data, and say what happens to the
#   weights;
# - tell memorising from learning by the length of the curve and by the leave-one-out error;
# - say what the leave-one-out error does not protect you from.
#
# **You need** [from supervised to unsupervised](02_unsupervised.ipynb). **Time** 28 minutes.
# **Contents** Thirty reports · The reconstruction error · Break it · What has been learnt? · From a
# good start, too · No point is its own witness · Break the other one, too · Key points

# %%
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import datasets, explicit, figures, metrics
from ukrlearn.blocks import descent, kernel_regression
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.ukr.extent import manifold_extent
from ukrlearn.ukr.reconstruction import (
    reconstruction_error,
    squared_residuals,
    weight_matrix,
)

predict = predictions("03_reconstruction_error")
Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)
# 1 to 30 in a random order
shuffled = np.random.RandomState(0).permutation(30)[:, None] + 1.0

# %%
review("03_reconstruction_error")  # questions from earlier lessons

# %% [markdown]
# ## Thirty reports (2 minutes)
#
# This time the robot of unit 02 saves its battery and reports its position only thirty times, with an
# error of 30 cm, and again without a clock. The order of so few reports is easily guessed wrong. How
# would you notice? In a good order, the curve should come close to the reports. Is that enough?

# %%
from ukrlearn.blocks import scales, starts

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.6))
for ax, x, name in (
    (left, t, "their true order"),
    (right, shuffled[:, 0], "a random order"),
):
    figures.data(ax, Y, title=f"30 reports, joined in {name}")
    ax.plot(*Y[np.argsort(x)].T, color="#8c9aa8", linewidth=0.8, zorder=0)
figures.show(
    figure,
    "Joined in their true order, the reports form a spiral; otherwise, a "
    "tangle.",
)

# %% [markdown]
# ## The reconstruction error (3 minutes)
#
# In unit 02 each data point $y_i$ got a latent point $x_i$, and the curve $f(x; X)$ is a weighted
# mean of the data. Supervised regression minimises the mean squared error of its outputs. Here the
# outputs are the data themselves, so each point should be *reconstructed* from its latent point:
#
# $$R(X) = \frac1N \sum_{i=1}^{N} |y_i - f(x_i; X)|^2
#        = \frac1N \|Y - B(X)\, Y\|_F^2. \tag{8}$$
#
# Row $i$ of the matrix $B$ holds the weights at $x_i$, and $\|\cdot\|_F^2$ is the sum of all
# squared entries. The latent points in the next cell are the true positions $t$, which run from 0 to
# 1, times 30. So neighbours are about 1 apart, one width of the kernel:

# %%
X = 30 * t[:, None]
terms = []
for i in range(len(Y)):
    f_i = explicit.predict([X[i]], X.tolist(), Y.tolist())[0]  # (2)
    terms.append(explicit.squared_distance(Y[i], f_i))
in_loops = sum(terms) / len(Y)  # (8), left
print(
    f"R = {in_loops:.5f}; with the mean for every point: "
    f"{Y.var(axis=0).sum():.5f}"
)

# %%
K = np.exp(-cdist(X, X, "sqeuclidean") / 2)  # (33)
B = K / K.sum(axis=1, keepdims=True)  # the weights of (2); (23) in the paper
R = np.sum((Y - B @ Y) ** 2) / len(Y)  # (8), right
print("matrix and loops:   ", np.isclose(R, in_loops))
print(
    "library and loops:  ",
    np.isclose(squared_residuals(X, Y, leave_one_out=False).mean(), R),
)

# %% [markdown]
# ## Break it (7 minutes)
#
# Now use the random order: the latent points are the numbers 1 to 30, shuffled.

# %%
R_shuffled = squared_residuals(shuffled, Y, leave_one_out=False).mean()
print(f"R = {R_shuffled:.3f}, against {R:.3f} for the true order")

# %% [markdown]
# As one would hope, $R$ is much larger. **The challenge**: bring $R$ of this random order below
# 0.000001. You may only multiply all latent points by one number, the *factor*.

# %% tags=["nbval-ignore-output"]
predict(
    "factor",
    "Which factor brings $R$ of the random order below 0.000001?",
    options=[
        "A small one, such as 0.1",
        "A large one, such as 10",
        "1, since the order matters and not the scale",
        "None: a random order cannot reconstruct the data",
    ],
    answer="A large one, such as 10",
    because=(
        "Then each point is so far from all others that it is reconstructed "
        "from itself."
    ),
    tempts=[
        "A small factor suggests a small error, but points that are drawn "
        "together are all rebuilt as the same mean.",
        "For the leave-one-out error the order does matter, but R has another "
        "way to become small.",
        "A random order cannot rebuild a point from its neighbours, but in R "
        "each point also helps to rebuild itself.",
    ],
)

# %% [markdown]
# Try some factors in the next cell, and then the panel. Its slider *divides* the latent points by
# the bandwidth $h$, so a factor of 10 is a bandwidth of 0.1.

# %%
factor = 2.0
squares = squared_residuals(factor * shuffled, Y, leave_one_out=False)
print(f"R = {squares.mean():.6f}")

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import LatentScale

panel = LatentScale(shuffled, Y)
panel

# %%
for factor in (0.03, 0.3, 1, 3, 10):
    plain = squared_residuals(factor * shuffled, Y, leave_one_out=False).mean()
    print(f"times {factor:<4}: R = {plain:.6f}")

# %% tags=["aside"]
assert plain < 1e-20

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# With the factor 10 the error is zero in all digits of the computer. At the other extreme all
# latent points are close together, every point is reconstructed as the mean, and the error is the
# variance of the data. The order did not matter: *any* latent points will do, if no two of them are
# equal.
#
# </details>

# %% [markdown]
# What happens to the weights? A row of $B$ says how much each point contributes to the
# reconstruction of one point. The entry on the diagonal is the contribution of the point itself.

# %%
figure, axes = figures.blank(1, 3, size=(8.4, 2.9))
for ax, factor in zip(axes, (0.3, 1, 3), strict=True):
    B = weight_matrix(factor * shuffled, leave_one_out=False)
    image = ax.imshow(B, vmin=0, vmax=1, cmap="cividis")
    ax.set(xlabel="point that contributes", ylabel="reconstructed point")
    ax.set_title(f"B, factor {factor}", fontsize=10, fontweight="bold")
    print(
        f"times {factor}: the weight of a point itself is at least "
        f"{B.diagonal().min():.3f}"
    )
figure.colorbar(image, ax=axes, shrink=0.85, label="weight")
figures.show(
    figure,
    "Three matrices of weights: at 0.3 the weights are spread over many "
    "columns, at 3 nearly all weight is on the diagonal.",
)

# %% [markdown]
# As the latent points move apart, the kernels of two different points no longer overlap. Only
# $K(0)$ is left in each row, so for a factor $s$
#
# $$R(sX) = \frac1N \|Y - B(sX)\,Y\|_F^2 \;\to\; \frac1N \|Y - I\,Y\|_F^2 = 0
#   \qquad (s \to \infty).$$
#
# So (8) has no minimum: as long as no two latent points coincide, a large enough multiple of $X$ is
# better than $X$, and the error never quite reaches zero. (Points that coincide must be moved apart
# first.)
#
# ## What has been learnt? (2 minutes)
#
# Each point has become its own and only neighbour: the model has *memorised* the data. Between two
# latent points, the curve jumps from one data point to the next.

# %% tags=["nbval-ignore-output"]
predict(
    "length",
    "The spiral is 8.87 long. How long is the curve of the random order at "
    "factor 10?",
    options=["about 1", "about 9", "about 30", "infinitely long"],
    answer="about 30",
    because="It is the sum of 29 jumps between random points.",
    tempts=[
        "At a small factor the curve is short and stays near the mean, but at "
        "factor 10 it reaches the points.",
        "The points are those of the spiral, but the curve visits them in "
        "another order.",
        "The curve is rough, but there are only 30 points, with a finite jump "
        "between any two.",
    ],
    hides=1,
)

# %%
# the path without noise
clean = datasets.spiral_curve(np.linspace(0, 1, 5000))
true_length = np.linalg.norm(np.diff(clean, axis=0), axis=1).sum()
jumps = np.linalg.norm(
    np.diff(Y[np.argsort(shuffled[:, 0])], axis=0), axis=1
).sum()
print(
    f"the spiral: {true_length:.2f}; all jumps of the random order: "
    f"{jumps:.2f}"
)
for factor in (0.3, 1, 3, 10):
    # of f(x), from lowest to highest x
    length = manifold_extent(factor * shuffled, Y).measured
    print(f"times {factor:<3}: length of the curve {length:.2f}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# About 31, while at factor 1 it is only 8.3. A memorising curve is *long*. If its length were
# bounded, it could not reach all the data in a bad order. Unit 05 derives such a bound from the
# density of the latent points.
#
# </details>

# %% [markdown]
# ## From a good start, too (7 minutes)
#
# Does the error fail only for a bad order? Take the 300 reports of unit 02, and a start in the right
# order, from Isomap at its best scale. Go downhill in $R$ from this start, and from the same start
# downhill in the leave-one-out error $R_{cv}$. (Both descents use RPROP, a gradient descent with a
# step size for each coordinate; see unit 07.) The table below shows two more columns: the *spread*,
# which is the standard deviation of the latent points, and the mean squared distance from the curve
# to the *clean spiral*, the robot's path.

# %% tags=["nbval-ignore-output"]
predict(
    "descent",
    "Which curve is nearer to the clean spiral after 1000 steps than at the "
    "start?",
    options=[
        "That of the descent in $R$",
        "That of the descent in $R_{cv}$",
        "Both",
        "Neither",
    ],
    answer="Neither",
    because=(
        "Both errors can be lowered by bending the curve towards single "
        "points."
    ),
    tempts=[
        "R falls and keeps falling, but it also falls when the curve merely "
        "follows single points.",
        "Leaving a point out keeps the model from memorising it, but not from "
        "arranging its neighbours to suit it.",
        "A lower error sounds nearer to the truth, but this start has the "
        "right order already, and the data are noisy.",
    ],
    hides=5,
)


# %%
def descended(X, Y, leave_one_out):
    objective = partial(reconstruction_error, Y=Y, leave_one_out=leave_one_out)
    return list(descent.at_most(descent.rprop(objective, X), 1000))


def described(X, Y):
    grid = np.linspace(X.min(), X.max(), 2000)[:, None]
    curve = kernel_regression.predict(grid, X, Y)
    plain, cv = (
        squared_residuals(X, Y, leave_one_out=k).mean() for k in (False, True)
    )
    return (
        plain,
        cv,
        X.std(),
        metrics.distance_to_curve(curve, clean, squared=True),
    )


# %% tags=["nbval-ignore-output"]
Y_300, _ = datasets.noisy_spiral(300, noise=0.05, random_state=0)
X_0 = scales.normalised(starts.isomap(Y_300, n_components=1, n_neighbors=10))
X_0 *= scales.best_scale(
    X_0, lambda X: squared_residuals(X, Y_300).mean()
).scale
downhill = {
    name: descended(X_0, Y_300, name == "R_cv") for name in ("R", "R_cv")
}
print(
    "minimised  step       R    R_cv  spread  curve to clean spiral, squared"
)
for name, steps in downhill.items():
    for k in (0, 100, 300, 1000):
        plain, cv, spread, from_clean = described(steps[k].X, Y_300)
        print(
            f"{name:9} {k:5} {plain:.5f} {cv:.5f} {spread:7.1f}  "
            f"{from_clean:.5f}"
        )

# %%
ends = {
    name: described(steps[-1].X, Y_300) for name, steps in downhill.items()
}
start = described(X_0, Y_300)

# %% tags=["aside"]
assert ends["R"][0] < 0.45 * start[0]
assert ends["R"][2] > 1.15 * start[2] > ends["R_cv"][2]
assert ends["R"][3] > ends["R_cv"][3] > start[3]

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.4))
named = {"$R$": downhill["R"], "$R_{cv}$": downhill["R_cv"]}
errors = {
    name: [step.error for step in steps] for name, steps in named.items()
}
spread = {
    name: [step.X.std() for step in steps] for name, steps in named.items()
}
figures.error_curve(left, errors, title="What is minimised", label="error")
names = dict(
    title="Spread of the latent points",
    across="step",
    up="standard deviation",
)
figures.lines(right, range(1001), spread, **names)
figures.show(
    figure,
    "Left: R keeps falling; R_cv is soon nearly flat. Right: the spread of "
    "the latent points grows steadily during the descent in R, and little "
    "during the descent in R_cv.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# In both halves of the table, the curve is further from the clean spiral with each line. After 1000
# steps $R$ is a third of its first value and still falling, and the latent points drift apart.
# $R_{cv}$, in its own half, hardly improves after step 100. "Minimise $R$" is not a problem with a
# solution, and so `UKR` refuses to minimise $R$ without a bound.
#
# </details>

# %% [markdown]
# This was one draw, and a lucky one: Isomap found the order. Often it takes a short cut from one turn
# of the spiral to the next, and the start is in a *wrong* order.

# %% tags=["nbval-ignore-output"]
predict(
    "wrong",
    "From a start in a wrong order, where does the descent in $R_{cv}$ lead "
    "the curve?",
    options=[
        "Away from the clean spiral, as before",
        "Nearer to the clean spiral",
        "Nowhere: a wrong order is a minimum of $R_{cv}$",
    ],
    answer="Nearer to the clean spiral",
    because=(
        "A descent from a bad start has more to gain than it loses by "
        "following the noise."
    ),
    tempts=[
        "The descent did so from the right order, but this start is far from "
        "the truth to begin with.",
        "Points on a line cannot easily pass each other, but a wrong order "
        "still leaves the descent much to improve.",
    ],
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# In more than half of other draws Isomap with ten neighbours merged some turns of the spiral.
# $R_{cv}$ tells right and wrong starts apart without the truth. From a right start the descent
# leads away from the clean spiral, further if $R$ is minimised than if $R_{cv}$ is. From a wrong
# start both descents come *nearer* to it. A good start loses by overfitting; a bad start has more
# to gain from the descent.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 84 of 200 other draws (seeds 1000 to 1199) Isomap put the points in the right order. On the
# draws 200 to 239, $R_{cv}$ was at most .0040 for a start in the right order, and at least .025 for
# a start in a wrong one. From the 15 right starts, 1000 steps led away from the clean spiral in 15
# of 15 draws. From the 25 wrong starts both descents came nearer to it, in 25 of 25.
#
# </details>

# %% [markdown]
# ## No point is its own witness (4 minutes)
#
# One cure is a bound on the length (unit 05). The other cure chose the bandwidth in unit 01, and
# unit 04 derives its properties: reconstruct each point without its own help,
#
# $$R_{cv}(X) = \frac1N \sum_i |y_i - f_{-i}(x_i; X)|^2, \tag{10}$$
#
# where $f_{-i}$ is the curve without point $i$. In the matrix $B$, the diagonal becomes zero and
# each row is divided by its new sum. The identity matrix is then out of reach.

# %% tags=["nbval-ignore-output"]
predict(
    "limit",
    "What does $R_{cv}(sX)$ tend to as $s \\to \\infty$?",
    options=[
        "to 0, as R does",
        "to infinity",
        "to the variance of the data",
        "to the error of copying the nearest neighbour in latent space",
    ],
    answer="to the error of copying the nearest neighbour in latent space",
    because=(
        "When all others are far away, the nearest one gets all the weight, "
        "as in unit 01."
    ),
    tempts=[
        "R goes to 0 because each point becomes its own witness, but R_cv "
        "does not allow that.",
        "The kernel values vanish, but they are divided by their sum.",
        "The variance is about the error at the other end, as s goes to 0, "
        "where each point is rebuilt as the mean of the others.",
    ],
    hides=3,
)

# %%
factors = np.geomspace(0.03, 30, 60)
errors = {}
for order, latent in (("true order", X), ("random order", shuffled)):
    for name, left_out in (("R_{cv}", True), ("R", False)):
        values = [
            squared_residuals(s * latent, Y, leave_one_out=left_out).mean()
            for s in factors
        ]
        errors[f"${name}$, {order}"] = np.maximum(values, 1e-5)

# %% tags=["aside"]
figure, ax = figures.blank(size=(8.4, 3.8))
names = dict(
    title="Errors over scale",
    across="factor",
    up="error (cut off at 0.00001)",
)
figures.lines(ax, factors, errors, log="xy", **names)
figures.show(
    figure,
    "Both curves of R fall to the floor as the factor grows. R_cv of the true "
    "order has a minimum near factor 1; R_cv of the random order stays "
    "between 0.68 and 1.",
)

# %%
distances = cdist(X, X)
np.fill_diagonal(distances, np.inf)
nearest = Y[distances.argmin(axis=1)]
print(
    "copying the nearest neighbour:       "
    f"{np.mean(np.sum((Y - nearest) ** 2, axis=1)):.5f}"
)
print(
    "R_cv of the true order, times 10000: "
    f"{squared_residuals(1e4 * X, Y).mean():.5f}"
)
best = np.argmin(errors["$R_{cv}$, true order"])
print(
    f"it is least at times {factors[best]:.1f}: "
    f"{errors['$R_{cv}$, true order'][best]:.5f}"
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# In the true order, copying the nearest neighbour is tolerable, 0.045; in the random order the
# error is 0.97. So $R_{cv}$ does three things that $R$ does not. First, for the true order it is
# least at a finite scale. Second, it prefers the true order at every scale in the picture. Third,
# for the random order it finds nothing much better than the mean for every point.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 40 other draws of thirty points, the first statement held in 40. The second held in 38, and in
# 40 from factor 0.3 on. The third held in 40, with a best error between 0.93 and 1.08 times the
# variance.
#
# </details>

# %% [markdown]
# ## Break the other one, too (3 minutes)
#
# Is $R_{cv}$ unbreakable? No. Record every point twice:

# %%
Y_twice, X_twice = np.repeat(Y, 2, axis=0), np.repeat(X, 2, axis=0)
for factor in (1, 10, 100, 1000):
    print(
        f"times {factor:<4}: R_cv = "
        f"{squared_residuals(factor * X_twice, Y_twice).mean():.7f}"
    )

# %% tags=["aside"]
assert squared_residuals(1e4 * X_twice, Y_twice).mean() < 1e-20

# %% [markdown]
# Each point is reconstructed from its copy, and $R_{cv}$ has no minimum either. (Unit 04 has the
# cure: leave out copies together.)
#
# $R_{cv}$ can be broken without copies, too. In the last line of the table of the two descents,
# $R_{cv}$ is near 0.0017. That is below $0.05^2 = 0.0025$, the variance of the noise across the
# curve, which no choice of a position on the true curve can remove. Each point is reconstructed
# from others, but the fit has moved the others to suit it.

# %%
print(
    "R_cv is below the noise variance:", ends["R_cv"][1] < 0.05**2 < start[1]
)

# %% [markdown]
# $R_{cv}$ is what UKR minimises, so it is no neutral judge of the result. It misleads little as
# long as it has chosen little: one scale, or one start among a few. After 300 latent points have
# been fitted to it, it is too low. Unit 04 shows pictures of this failure, and unit 09 asks whether
# new points reveal it.
#
# ## Key points
#
# - The reconstruction error (8) compares each point with its place on the curve. It has no minimum:
#   multiplying the latent points, no two of them equal, by a large number sends it to zero, and the
#   curve is a long tangle.
# - Even from a good start the descent leads away from the truth. From a bad start it may come
#   nearer.
# - The leave-one-out error tells a good order from a bad one, and for our spirals a finite scale is
#   best. If points come in pairs of copies, it goes to zero like the plain error.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "N", "B", "K", "predict", "reconstruction_error", "cv_error"
)

# %% [markdown]
# **Covered** (8) and why it needs a bound; (23) as a matrix of weights. Used: (2), (10), (33).
#
# **Further**
#
# - To do: [exercise 4: the reconstruction error R](../exercises/04_reconstruction_error.ipynb),
#   [exercise 5: break it](../exercises/05_break_it.ipynb).
# - Before: [from supervised to unsupervised](02_unsupervised.ipynb). Next: [leave-one-out for
#   free](04_leave_one_out.ipynb), the one cure; then [the density
#   constraint](05_density_constraint.ipynb), the other.
# - In the library: `reconstruction.squared_residuals`, `reconstruction_error`, `weight_matrix`;
#   `UKR(leave_out=0, density_threshold=...)`. In loops: `explicit.squared_residuals`,
#   `explicit.reconstruction_error`.
