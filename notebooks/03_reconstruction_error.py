# %% [markdown]
# # An error without a minimum
#
# The obvious error to minimise can be made as small as you like with latent points that mean
# nothing. Understanding why is half of the cure.
#
# **Afterwards you can**
#
# - compute the reconstruction error in loops and with one matrix;
# - break it: bring it down to zero with a random order of the data;
# - explain what happens to the matrix of weights when you do;
# - tell memorising from learning by the length of the curve and by the leave-one-out error;
# - say how the leave-one-out error behaves at the scales where the plain error fails, and what it
#   does not protect you from.
#
# **You need** [from supervised to unsupervised](02_unsupervised.ipynb). **Time** 28 minutes.
# **Contents** The reconstruction error · Break it · What has been learnt? · From a good start, too
# · No point is its own witness · Break the other one, too · Key points

# %%
from functools import partial
from textwrap import fill

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import UKR, datasets, descent, explicit, figures, metrics, notation, starts
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.panels import LatentScale
from ukrlearn.ukr.extent import manifold_extent
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals, weight_matrix

# %% [markdown]
# ## The reconstruction error (4 minutes)
#
# In lesson 02 the inputs became parameters: each data point $y_i$ got a latent point $x_i$, and the
# model $f(x; X)$ is a weighted mean of the data. How should we choose the latent points? Supervised
# regression minimises the mean squared error of its outputs. Here the outputs are the data
# themselves, so each point should be *reconstructed* from its latent point:
#
# $$R(X) = \frac1N \sum_{i=1}^{N} |y_i - f(x_i; X)|^2
#        = \frac1N \|Y - B(X)\, Y\|_F^2. \tag{8}$$
#
# Row $i$ of the matrix $B$ holds the weights at $x_i$, and $\|\cdot\|_F^2$ is the sum of all
# squared entries. (The paper has points as columns, and writes
# $\mathbf{Y} - \mathbf{Y}\mathbf{B}$.) The next cell writes the sum out for thirty points on a
# spiral. Their latent points are the true positions, times 30 so that neighbours are about a
# bandwidth apart:

# %%
Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)
X = 30 * t[:, None]
terms = []
for i in range(len(Y)):
    f_i = explicit.predict([X[i]], X.tolist(), Y.tolist())[0]  # (2)
    terms.append(explicit.squared_distance(Y[i], f_i))
in_loops = sum(terms) / len(Y)  # (8), left
print(f"R = {in_loops:.5f}; with the mean for every point: {Y.var(axis=0).sum():.5f}")

# %%
K = np.exp(-cdist(X, X, "sqeuclidean") / 2)  # (33)
B = K / K.sum(axis=1, keepdims=True)  # (23)
R = np.sum((Y - B @ Y) ** 2) / len(Y)  # (8), right
print("matrix and loops:   ", np.isclose(R, in_loops))
print("library and loops:  ", np.isclose(squared_residuals(X, Y, leave_one_out=False).mean(), R))

# %% [markdown]
# ## Break it (7 minutes)
#
# Now spoil the latent points on purpose. Number the data from 1 to 30 in a *random* order, so that
# no trace of the spiral is left in the latent points.

# %%
shuffled = np.random.RandomState(0).permutation(30)[:, None] + 1.0
print("the first latent points:", shuffled[:6, 0])
R_shuffled = squared_residuals(shuffled, Y, leave_one_out=False).mean()
print(f"R = {R_shuffled:.3f}, against {R:.3f} for the true order")

# %% [markdown]
# As one would hope, $R$ is much worse. **The challenge**: bring $R$ of this random order below
# 0.000001. You may only multiply all latent points by one number. Try some numbers in the next
# cell.
#
# **Predict** Should the number be large or small? What does the error tend to at the other extreme?

# %%
your_number = 2.0
print(f"R = {squared_residuals(your_number * shuffled, Y, leave_one_out=False).mean():.6f}")

# %% tags=["nbval-ignore-output"]
panel = LatentScale(shuffled, Y)
panel

# %% [markdown]
# The panel shows the random order. Its slider *divides* the latent points by the bandwidth $h$, so
# a factor of 10 is a bandwidth of 0.1. Move the slider to the left, then to the right, and watch
# the curve.

# %%
for factor in (0.03125, 0.3, 1, 3, 10):
    plain, _ = panel.set(bandwidth=1 / factor).errors(1 / factor)
    print(f"times {factor:<7}: R = {plain:.6f}")

# %%
assert squared_residuals(10 * shuffled, Y, leave_one_out=False).mean() < 1e-20

# %% [markdown]
# **Check** The number should be large: at 10 the error is zero to all digits that a computer has.
# At the other extreme all latent points are close together, every point is reconstructed as the
# mean, and the error is the variance of the data.
#
# The order did not matter: *any* latent points will do, as long as no two of them are equal. The
# pictures show the weights, from 0 (dark blue) to 1 (yellow). A row of $B$ says how much each point
# contributes to the reconstruction of one point. The entry on the diagonal is the contribution of
# the point itself.

# %%
figure, axes = figures.blank(1, 3, size=(10, 3.3))
for ax, factor in zip(axes, (0.3, 1, 3), strict=True):
    B = weight_matrix(factor * shuffled, leave_one_out=False)
    ax.imshow(B, vmin=0, vmax=1, cmap="cividis")
    ax.set_title(f"B, latent points times {factor}", fontsize=10, fontweight="bold")
    ax.set(xlabel="point that contributes", ylabel="reconstructed point")
    print(f"times {factor}: the weight of a point itself is at least {B.diagonal().min():.3f}")
figures.show(
    figure,
    "Three matrices of weights: at 0.3 the weights are spread over many columns, at 3 nearly all "
    "weight is on the diagonal.",
)

# %% [markdown]
# As the latent points move apart, the kernels of two different points no longer overlap. Only
# $K(0)$ is left in each row, and
#
# $$R(sX) = \frac1N \|Y - B(sX)\,Y\|_F^2 \;\to\; \frac1N \|Y - I\,Y\|_F^2 = 0
#   \qquad (s \to \infty).$$
#
# So (8) has no minimum: as long as no two latent points coincide, a large enough multiple of $X$ is
# better, and the error never quite reaches zero. (Points that coincide stay together under any
# factor, and each is reconstructed as the mean of their data. Move them apart first.)
#
# ## What has been learnt? (3 minutes)
#
# Each point has become its own and only neighbour. A model that has stored the data and can only
# repeat them has *memorised* them. Between the points, where new data would lie, the curve jumps
# from one point to the next in the order of the latent coordinates, which is random here. The
# length of the curve shows the jumps:

# %%
clean = datasets.spiral_curve(np.linspace(0, 1, 5000))
true_length = np.linalg.norm(np.diff(clean, axis=0), axis=1).sum()
in_order = Y[np.argsort(shuffled[:, 0])]
jumps = np.linalg.norm(np.diff(in_order, axis=0), axis=1).sum()
print(f"the spiral: {true_length:.2f}; all jumps of the random order: {jumps:.2f}")
for factor in (0.3, 1, 3, 10):
    length = manifold_extent(factor * shuffled, Y).measured
    print(f"times {factor:<3}: length of the curve {length:.2f}")

# %%
figure, (left, right) = figures.blank(1, 2)
for ax, latent, name in ((left, X, "true order"), (right, 10 * shuffled, "random order, times 10")):
    figures.data(ax, Y, title=name)
    figures.manifold(ax, latent, Y)
figures.show(
    figure,
    "Left: the curve of the true order follows the spiral, R = 0.006. Right: the curve of the "
    "random order is a tangle of straight jumps between the data points, and R = 0.",
)

# %% [markdown]
# Remember for the next lesson that a memorising curve is *long*. If its length were bounded, it
# could not reach all the data in a bad order. Lesson 05 derives such a bound from the density of
# the latent points.
#
# ## From a good start, too (6 minutes)
#
# Does the error fail only for a bad order? Take 300 noisy points, as many as on the paper's spiral,
# and a start in the right order (Isomap, at its best scale). Go downhill in $R$ from this start,
# and from the same start downhill in the leave-one-out error $R_{cv}$. The last column of the table
# shows how far the *curve* is from the clean spiral: it is the mean squared distance of $f(x)$ at
# 2000 evenly spaced latent positions.
#
# **Predict** Where does the descent in $R$ end up, and how does the spread of the latent points
# change on the way?


# %%
def spiral_and_start(random_state):
    Y = datasets.noisy_spiral(300, noise=0.05, random_state=random_state)[0]
    X = starts.normalised(starts.isomap(Y, n_components=1, n_neighbors=10))
    return Y, X * starts.best_scale(X, lambda X: squared_residuals(X, Y).mean()).scale


def descended(X, Y, leave_one_out, moves):
    objective = partial(reconstruction_error, Y=Y, leave_one_out=leave_one_out)
    return list(descent.at_most(descent.rprop(objective, X), moves))  # RPROP: see lesson 07


# %%
def described(X, Y):
    grid = np.linspace(X.min(), X.max(), 2000)[:, None]
    from_clean = metrics.distance_to_curve(predict(grid, X, Y), clean, squared=True)
    plain, cv = (squared_residuals(X, Y, leave_one_out=k).mean() for k in (False, True))
    return plain, cv, X.std(), from_clean


# %% tags=["nbval-ignore-output"]
Y_300, X_0 = spiral_and_start(random_state=0)
downhill = {"R": descended(X_0, Y_300, False, 1000), "R_cv": descended(X_0, Y_300, True, 1000)}
print("minimised  step       R    R_cv  spread  curve to clean spiral, squared")
for name, steps in downhill.items():
    for k in (0, 100, 300, 1000):
        plain, cv, spread, from_clean = described(steps[k].X, Y_300)
        print(f"{name:9} {k:5} {plain:.5f} {cv:.5f} {spread:7.1f}  {from_clean:.5f}")

# %%
ends = {name: described(steps[-1].X, Y_300) for name, steps in downhill.items()}
start = described(X_0, Y_300)
assert ends["R"][0] < 0.45 * start[0]  # R has fallen to less than half,
assert ends["R"][2] > 1.15 * start[2] > ends["R_cv"][2]  # and the latent points drift apart
assert ends["R"][3] > ends["R_cv"][3] > start[3]  # both curves move away from the truth

# %%
figure, (left, right) = figures.blank(1, 2, size=(9, 3.4))
errors = {name: [step.error for step in steps] for name, steps in downhill.items()}
spread = {name: [step.X.std() for step in steps] for name, steps in downhill.items()}
figures.error_curve(left, errors, title="What is minimised", label="error")
names = dict(title="Spread of the latent points", across="step", up="standard deviation")
figures.lines(right, range(1001), spread, **names)
figures.show(
    figure,
    "Left: R keeps falling; R_cv is soon nearly flat. Right: the spread of the latent points grows "
    "steadily during the descent in R, and little during the descent in R_cv.",
)

# %% [markdown]
# **Check** The descent does not end. After 1000 steps $R$ is a third of its first value and still
# falling, and the latent points drift apart as long as we let them. $R_{cv}$ along its own path
# hardly improves after step 100. In both halves of the table, the curve is further from the clean
# spiral with each line. "Minimise $R$" is not a problem with a solution; how good the result looks
# depends on when you stop. For this reason the library refuses to minimise $R$ without a bound:

# %%
try:
    UKR(n_components=1, leave_out=0).fit(Y_300)
except ValueError as refusal:
    print(fill(str(refusal), 94))

# %% [markdown]
# This was one draw, and a lucky one: Isomap found the order. Draw again.
#
# **Predict** From a start in a *wrong* order, will the descent in $R_{cv}$ also lead away from the
# clean spiral?

# %% tags=["nbval-ignore-output"]
draws = []
for seed in (200, 201, 203, 207):  # change these numbers as you like
    Y_new, X_new = spiral_and_start(seed)
    X_end = descended(X_new, Y_new, leave_one_out=True, moves=300)[-1].X
    (_, cv, _, before), (_, _, _, after) = described(X_new, Y_new), described(X_end, Y_new)
    draws.append((cv, before, after))
    print(f"draw {seed}: R_cv of the start {cv:.4f}, curve to spiral {before:.5f} -> {after:.5f}")

# %%
assert all((cv < 0.005) == (after > before) for cv, before, after in draws)

# %% [markdown]
# **Check** No. In 84 of 200 other draws (seeds 1000 to 1199) Isomap with ten neighbours put the
# points in the right order; in the others it merged some turns of the spiral. You can tell the two
# cases apart without knowing the truth: on the draws 200 to 239, $R_{cv}$ was at most .0040 for a
# start in the right order, and at least .025 for a start in a wrong one. From the 15 right starts,
# 1000 steps led away from the clean spiral in 15 of 15 draws, further in $R$ than in $R_{cv}$. From
# the 25 wrong starts both descents came *nearer* to it, in 25 of 25. A good start loses by
# overfitting; a bad start has more to gain from the descent.
#
# ## No point is its own witness (5 minutes)
#
# There are two cures. The next lesson bounds the density of the latent points, and with it the
# length of the curve. The other cure is the one that lesson 01 used for the bandwidth. Reconstruct
# each point without its own help:
#
# $$R_{cv}(X) = \frac1N \sum_i |y_i - f_{-i}(x_i; X)|^2, \tag{10}$$
#
# where $f_{-i}$ is the curve without point $i$. In the matrix $B$, the diagonal becomes zero and
# each row is divided by its new sum. The identity matrix is then out of reach.
#
# **Predict** What does $R_{cv}(sX)$ tend to as $s \to \infty$? From which points is a point
# reconstructed if it may not use itself and all others are far away?

# %%
factors = np.geomspace(0.03, 30, 60)
errors = {}
for order, latent in (("true order", X), ("random order", shuffled)):
    for name, left_out in (("R_{cv}", True), ("R", False)):
        values = [squared_residuals(s * latent, Y, leave_one_out=left_out).mean() for s in factors]
        errors[f"${name}$, {order}"] = np.maximum(values, 1e-5)
figure, ax = figures.blank(size=(6.5, 3.8))
names = dict(title="Errors over scale", across="factor", up="error (cut off at 0.00001)")
figures.lines(ax, factors, errors, log="xy", **names)
figures.show(
    figure,
    "Both curves of R fall to the floor as the factor grows. R_cv of the true order has a minimum "
    "near factor 1; R_cv of the random order stays between 0.68 and 1.",
)

# %%
distances = cdist(1.0 * X, X)
np.fill_diagonal(distances, np.inf)
nearest = Y[distances.argmin(axis=1)]
limit = np.mean(np.sum((Y - nearest) ** 2, axis=1))
print(f"copying the nearest latent neighbour:    {limit:.5f}")
print(f"R_cv of the true order, times 10000:     {squared_residuals(1e4 * X, Y).mean():.5f}")
true_order = errors["$R_{cv}$, true order"]
best = np.argmin(true_order)
print(f"R_cv of the true order is least at times {factors[best]:.1f}: {true_order[best]:.5f}")

# %% [markdown]
# **Check** It tends to the error of copying the *nearest neighbour* in latent space: as in lesson
# 01, the nearest point gets all the weight when all points are far away. In the true order this
# error is tolerable, 0.045; in the random order it is large, 0.97. So $R_{cv}$ does three things
# that $R$ does not. First, for the true order it is least at a finite scale. Second, it prefers the
# true order at every scale in the picture. Third, for the random order it finds nothing much better
# than reconstructing every point as the mean. (We tried 40 other draws of thirty points. The first
# property held in 40 of them. The second held in 38, and in 40 from factor 0.3 on. The third held
# in 40, with a best error between 0.93 and 1.08 times the variance.)
#
# ## Break the other one, too (3 minutes)
#
# Is $R_{cv}$ unbreakable? No. Record every point twice:

# %%
Y_twice, X_twice = np.repeat(Y, 2, axis=0), np.repeat(X, 2, axis=0)
for factor in (1, 10, 100, 1000):
    print(f"times {factor:<4}: R_cv = {squared_residuals(factor * X_twice, Y_twice).mean():.7f}")
assert squared_residuals(1e4 * X_twice, Y_twice).mean() < 1e-20

# %% [markdown]
# Each point is reconstructed from its copy, and $R_{cv}$ has no minimum either. A finite scale is
# best only if several neighbours together are better witnesses than the nearest neighbour alone.
# (Lesson 04 has the cure: leave out copies together.)
#
# $R_{cv}$ can be broken without copies, too. Look at the last line of the table of the two
# descents. $R_{cv}$ ends near 0.0017. That value is below $0.05^2 = 0.0025$, the variance of the
# noise across the curve, which no choice of a position on the true curve can remove. And while
# $R_{cv}$ fell, the distance from the curve to the clean spiral *rose*. Each point is reconstructed
# from others, but the fit has moved the others to suit it.

# %%
print("R_cv is below the noise variance:               ", ends["R_cv"][1] < 0.05**2 < start[1])
print("the curve is further from the truth than before:", ends["R_cv"][3] > start[3])

# %% [markdown]
# So $R_{cv}$ is an honest judge as long as it has chosen little: one scale, or one start among a
# few. After 300 latent points have been fitted to it, it is too low. The paper argues that its
# spiral is not overfitted, since the projection error of new points falls as well. We find that the
# projection error falls even while the curve moves away from the truth. Lesson 04 shows the
# pictures, lesson 09 the projection.
#
# ## Key points
#
# - The reconstruction error (8) compares each point with its image on the curve.
# - Multiplying the latent points, no two of them equal, by a large number sends the error to zero:
#   $B \to I$, each point is its own neighbour, and the curve is a long tangle. The error alone has
#   no minimum.
# - From a good start, too, the descent leads away from the truth. From a bad start it may come
#   nearer.
# - Without its own help, a point that is far from all others is reconstructed from the nearest of
#   them. So the leave-one-out error tells a good order from a bad one, and for our spirals a finite
#   scale is best. If points come in pairs of copies, it goes to zero like the plain error.
#
# **Notation**

# %%
notation.table("Y", "X", "N", "B", "K", "predict", "reconstruction_error", "cv_error")

# %% [markdown]
# **Covered** (8) and why it needs a bound; (23) as a matrix of weights. Used: (2), (10), (33).
#
# **Further**
#
# - To do: [exercise 4: the reconstruction error R](../exercises/04_reconstruction_error.ipynb),
#   [exercise 5: break it](../exercises/05_break_it.ipynb).
# - Before: [from supervised to unsupervised](02_unsupervised.ipynb). Next: [the density
#   constraint](05_density_constraint.ipynb), the first cure; then [leave-one-out for
#   free](04_leave_one_out.ipynb), the second cure.
# - In the library: `reconstruction.squared_residuals`, `reconstruction_error`, `weight_matrix`;
#   `UKR(leave_out=0, density_threshold=...)`.
# - In loops: `explicit.squared_residuals`, `explicit.reconstruction_error`.
