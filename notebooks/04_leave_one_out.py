# %% [markdown]
# # Leave-one-out for free
#
# Set $N$ numbers to zero, and an error without a minimum becomes an error that can choose the
# bandwidth.
#
# **Afterwards you can**
#
# - compute the leave-one-out error without deleting anything;
# - derive the penalty factors $S_i$ from it, and say what they charge for;
# - leave out groups of points where single points are not independent;
# - say what a leave-one-out error no longer tells you once it has been minimised.
#
# **You need** [an error without a minimum](03_reconstruction_error.ipynb). **Time** 25 minutes.
# **Contents** Twelve sensors on a pipe · Leaving a point out · A penalty on isolation · Drag a
# point · Points that come in groups · What it does not see · Key points

# %%
from functools import partial

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import datasets, figures, metrics
from ukrlearn.blocks import descent, scales, starts
from ukrlearn.blocks.kernel_regression import predict as curve_at
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit import ukr as loops
from ukrlearn.panels import Penalties
from ukrlearn.ukr.extent import latent_grid
from ukrlearn.ukr.reconstruction import (
    penalty_factors,
    reconstruction_error,
    squared_residuals,
)

predict = predictions("04_leave_one_out")

# %%
review("04_leave_one_out")  # questions from earlier lessons

# %% [markdown]
# ## Twelve sensors on a pipe (3 minutes)
#
# Oil, water and gas flow through a pipe: mixed (homogeneous), in rings (annular), or in layers
# (stratified). Twelve sensors measure how much liquid lies in the way of six beams, and somebody
# wants to see 150 such measurements on a map with two axes. The principal components say which
# measurements are neighbours. They do not say how near two measurements must be for one to help
# reconstruct the other: that is the *scale* of the map, in units of the kernel's bandwidth (unit
# 02). Who chooses the scale?

# %%
# mean 0, mean variance 1
map_of = lambda Y: scales.normalised(starts.pca(Y, 2), per_axis=False)
Y_600, flow = datasets.simulated_oil_flow(600, random_state=0)
Y = Y_600[:150]
kinds = ("homogeneous", "annular", "stratified")

# %% tags=["aside"]
figure, ax = figures.blank(size=(6.4, 3.9))
figures.latent(
    ax,
    map_of(Y),
    labels=flow[:150],
    names=kinds,
    title="150 measurements of the pipe",
)
figures.show(
    figure,
    "Two principal components of 150 measurements. Homogeneous and annular "
    "flow overlap; most measurements of stratified flow lie apart from them.",
)

# %% [markdown]
# ## Leaving a point out (7 minutes)
#
# The reconstruction error of unit 03,
#
# $$R(X) = \frac1N \sum_i |y_i - f(x_i; X)|^2, \tag{8}$$
#
# cannot choose: each point copies itself if the scale is large enough. Unit 01 chose a bandwidth by
# forbidding the copying. Reconstruct each point from all *others*:
#
# $$R_{cv}(X) = \frac1N \sum_i |y_i - f_{-i}(x_i; X)|^2, \tag{10}$$
#
# where $f_{-i}$ is the model without point $i$. Read literally, the formula asks for $N$ models,
# each with one point deleted. Here they are, for the first 40 measurements at a scale of 8:

# %%
X_40, Y_40 = 8 * map_of(Y)[:40], Y[:40]
terms = []
for i in range(40):
    others = [n for n in range(40) if n != i]
    f_without = loops.predict(
        [X_40[i]], X_40[others].tolist(), Y_40[others].tolist()
    )[0]
    # one term of (10)
    terms.append(loops.squared_distance(Y_40[i], f_without))
print(f"{len(terms)} models, R_cv = {np.mean(terms):.6f}")

# %% [markdown]
# None of these models had to be fitted, because a model *is* its latent points and data points. So
# little work remains: in
#
# $$f_{-i}(x_i) = \frac{\sum_{j \ne i} K(x_i - x_j)\, y_j}{\sum_{j \ne i} K(x_i - x_j)}$$
#
# only the term $j = i$ is missing, in the numerator and in the denominator. Its kernel value
# $K(x_i - x_i) = K(0)$ lies on the diagonal of the matrix of kernel values. Put zeros there, and
# all $N$ models are made at once:

# %%
K = np.exp(-cdist(X_40, X_40, "sqeuclidean") / 2)  # (25), (33)
np.fill_diagonal(K, 0)  # K(0) becomes 0, see below (10)
B = K / K.sum(axis=1, keepdims=True)  # (23)
error = np.sum((B @ Y_40 - Y_40) ** 2) / len(Y_40)  # (10)
print(f"one matrix, R_cv = {error:.6f}")
print(
    "the library agrees:",
    np.isclose(error, reconstruction_error(X_40, Y_40)[0]),
)

# %% [markdown]
# The zeros cost next to nothing. Now multiply the map by a factor, as in unit 03, and take the
# factor at which $R_{cv}$ is least. Then do the same with 600 measurements of the same pipe.

# %% tags=["nbval-ignore-output"]
predict(
    "more-points",
    "Is the best factor for 600 measurements smaller or larger than that for "
    "150?",
    options=[
        "the same: it is the same pipe with the same noise",
        "smaller: more points, so more of them should be averaged",
        "larger: neighbours are nearer, so a narrower kernel is enough",
    ],
    answer="larger: neighbours are nearer, so a narrower kernel is enough",
    because=(
        "A narrow kernel blurs less, and with more points it still averages "
        "over enough."
    ),
    tempts=[
        "Pipe and noise are the same, but the distance from one measurement "
        "to the next is not.",
        "Averaging over more points sounds better, but a wider kernel also "
        "blurs the differences between measurements.",
    ],
    hides=2,
)

# %%
factors, errors = np.geomspace(0.1, 1000, 41), {}
for name, Y_some, left_out in (
    ("$R$, 150 points", Y, False),
    ("$R_{cv}$, 150 points", Y, True),
    ("$R_{cv}$, 600 points", Y_600, True),
):
    terms = [
        squared_residuals(s * map_of(Y_some), Y_some, leave_one_out=left_out)
        for s in factors
    ]
    errors[name] = np.mean(terms, axis=1)
    best = errors[name].argmin()
    print(
        f"{name:20} is least at a factor of {factors[best]:6.1f}: "
        f"{errors[name][best]:.3f}"
    )

# %% tags=["aside"]
figure, ax = figures.blank(size=(7.4, 3.6))
words = dict(
    title="Which scale?", across="factor", up="error (cut off at 0.001)"
)
shown = {name: np.maximum(terms, 1e-3) for name, terms in errors.items()}
figures.lines(ax, factors, shown, log="xy", **words)
figures.show(
    figure,
    "R falls to zero. R_cv has a minimum of 0.42 at a factor of 8 for 150 "
    "points, and of 0.32 at a factor of 13 for 600 points. Then both rise to "
    "the error of copying the nearest neighbour.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Larger. The minimum lies inside the range of factors that we tried. Far to the right each point is
# a copy of its nearest neighbour.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Error and gradient took 1.03 times as long with the zeros as without them (the median; our runs
# lie between 0.96 and 1.08).
#
# In 40 other draws the best of our factors was larger for 600 measurements 35 times, and the same 5
# times. In 80 of 80 draws of 150 measurements the minimum lay inside, at factors from 5 to 16.
#
# </details>

# %% [markdown]
# The paper calls this cross-validation without additional cost. UKR is not alone: ridge
# regression, smoothing splines and Gaussian processes with fixed parameters have closed forms too,
# because their predictions are linear in the outputs. A neural network has none; it would have to
# be trained $N$ times.
#
# ## A penalty on isolation (3 minutes)
#
# What does leaving out do to a single point? Write $T_i = \sum_{j \ne i} K(x_i - x_j)$ for the
# contribution of the others. With the point itself, the weighted mean is
#
# $$f(x_i) = \frac{T_i\, f_{-i}(x_i) + K(0)\, y_i}{T_i + K(0)},
# \qquad\text{so}\qquad
# y_i - f(x_i) = \frac{T_i}{T_i + K(0)} \bigl(y_i - f_{-i}(x_i)\bigr).$$
#
# The point pulls its reconstruction towards itself, by a factor that depends on the latent points
# alone. Solve for the residual of the point that is left out, and square it:
#
# $$R_{cv}(X) = \frac1N \sum_i S_i\, |y_i - f(x_i)|^2 \tag{11}$$
#
# $$S_i = \Bigl(1 + \frac{K(0)}{\sum_{j \ne i} K(x_i - x_j)}\Bigr)^2 \tag{12}$$
#
# The leave-one-out error is the plain error with a *penalty factor* $S_i$ on each term. Where many
# other points are near, $S_i$ is close to 1. Where a point is alone, $S_i$ grows without limit.
# Here is (12) in loops (with $n$ and $m$ for $i$ and $j$; `kernel` holds the kernel and its slope):

# %%
import inspect

print(inspect.getsource(loops.penalty_factors))

# %%
S = (1 + 1 / K.sum(axis=1)) ** 2  # (12): the diagonal of K is zero, K(0) = 1
plain = squared_residuals(X_40, Y_40, leave_one_out=False)
print(
    "equal to the loops:  ",
    np.allclose(S, loops.penalty_factors(X_40.tolist())),
)
print("equal to the library:", np.allclose(S, penalty_factors(X_40)))
print("(11) equals (10):    ", np.allclose(np.mean(S * plain), error))

# %% tags=["nbval-ignore-output"]
predict(
    "pair",
    "Two latent points coincide and move away from all others together. What "
    "does the penalty factor $S_i$ of each of them tend to?",
    number=True,
    answer=4,
    within=0.1,
    because=(
        "The other one is always there: $(1 + K(0) / K(0))^2 = 4$. A pair may "
        "leave at little cost."
    ),
    hides=1,
)

# %%
pair_apart = np.vstack([X_40, [[50.0, 0.0], [50.0, 0.0]]])
print("S of the last two points:", penalty_factors(pair_apart)[-2:].round(3))

# %% [markdown]
# A kernel that reaches only to distance 1, such as the quartic of unit 10, makes $S_i$ infinite
# and $f_{-i}(x_i)$ 0/0 for a point that has no neighbour so near. The paper is silent here; the
# library takes the mean of the others and warns ([appendix](appendix_ukr.ipynb)).
#
# ## Drag a point (3 minutes)
#
# The panel shows 60 points of a spiral. Their latent points stand in a row, numbered from 0; choose
# one and drag it. The upper right picture shows the factors $S$. In the lower right
# picture each point has a bar, from its term in $R$ (11, without $S_i$) up to its term in $R_{cv}$;
# grey bars show the terms before you dragged.

# %% tags=["nbval-ignore-output"]
predict(
    "drag",
    "You drag point 30 beyond the last point of the row, away from all "
    "others. How do its own terms in the two errors change?",
    options=[
        "Both rise",
        "Both fall",
        "Its term in $R$ falls, its term in $R_{cv}$ rises",
        "Its term in $R$ rises, its term in $R_{cv}$ falls",
    ],
    answer="Its term in $R$ falls, its term in $R_{cv}$ rises",
    because=(
        "Alone, it reconstructs itself perfectly if it may, and very badly if "
        "it may not."
    ),
    tempts=[
        "A point far off looks badly placed for any error, but in one of the "
        "two it may help to rebuild itself.",
        "A point on its own disturbs no others, but ask what rebuilds it when "
        "it may not help itself.",
        "A point on its own sounds hard to fit and easy to leave out, but ask "
        "in which of the errors it may help to rebuild itself.",
    ],
)

# %% tags=["nbval-ignore-output"]
Y_60, t_60 = datasets.noisy_spiral(60, noise=0.03, random_state=0)
panel = Penalties(30 * t_60[:, None], Y_60)
panel

# %%
probe = panel.copy()
for place in (33, 25):  # beyond the row; among other points
    print(probe.set(point=30, x=place).summary(), "\n")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Beyond the row, its term in $R$ falls from .006 to nearly nothing. Its term in $R_{cv}$ rises
# above 4: without its own help, the point is reconstructed from the last point of the row, at the
# outer end of the spiral. Its $S$ is in the tens of thousands. Among other points $S$ stays below
# 2, but the residual is large, because the point is reconstructed from points that lie elsewhere on
# the spiral, and it spoils their reconstructions too. $R$ rewards leaving; $R_{cv}$ does not.
#
# </details>

# %% [markdown]
# ## Points that come in groups (3 minutes)
#
# Leaving out one point is an honest test if the other points share nothing with it except the
# manifold. Suppose that each of 60 points of a spiral was measured three times, with tiny
# differences. (The coordinates are the true positions, divided by a bandwidth $h$.)

# %% tags=["nbval-ignore-output"]
predict(
    "groups",
    "We choose $h$ by the leave-one-out error. What will come out?",
    options=[
        "a bandwidth that is too small",
        "about the right one",
        "one that is too large",
    ],
    answer="a bandwidth that is too small",
    because="The two near copies of a point reconstruct it almost perfectly.",
    tempts=[
        "Leaving one point out worked on the earlier data, but here two near "
        "copies of the point stay.",
        "Three points in one place look like a reason to average more, but "
        "the error asks only how well each point is rebuilt.",
    ],
    hides=3,
)

# %%
spots, t_spots = datasets.noisy_spiral(60, noise=0.05, random_state=1)
group = np.repeat(np.arange(60), 3)
random = np.random.RandomState(0)
Y_three = spots[group] + 0.005 * random.normal(size=(180, 2))
t_three = t_spots[group] + 0.0005 * random.normal(size=180)
bandwidths = np.geomspace(0.0005, 0.3, 40)
X_three = [t_three[:, None] / h for h in bandwidths]
single = [squared_residuals(X, Y_three).mean() for X in X_three]
whole = [squared_residuals(X, Y_three, groups=group).mean() for X in X_three]

# %% tags=["aside"]
figure, ax = figures.blank(size=(7, 3.2))
curves = {"one left out": single, "its group left out": whole}
words = {
    "title": "Repeated measurements",
    "across": "bandwidth h",
    "up": "$R_{cv}$",
}
figures.lines(ax, bandwidths, curves, **words, log="xy")
figures.show(
    figure,
    "One point left out: the error falls with the bandwidth. Groups left out: "
    "it has a minimum.",
)

# %%
print(
    f"one left out:       best h = {bandwidths[np.argmin(single)]:.4f}, the "
    "smallest tried"
)
print(f"its group left out: best h = {bandwidths[np.argmin(whole)]:.4f}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Too small: here it is the smallest bandwidth that we tried. The remedy costs nothing either: put
# zeros wherever two points belong to the same group. This is `groups=` here, and
# `UKR(leave_out=group)` in a fit. For a series whose neighbours in time are near copies,
# `UKR(leave_out=k)` leaves out blocks of $k$ rows.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# The chosen bandwidth was the smallest in 12 of 20 other draws, and one of the three smallest in
# 19.
#
# </details>

# %% [markdown]
# ## What it does not see (6 minutes)
#
# So far the latent points were given, up to their scale. UKR moves all of them, $N q$ numbers,
# until $R_{cv}$ is least. Unit 03 measured what happens from a good start: $R_{cv}$ falls, and the
# curve moves away from the truth. Here are pictures, for 300 points with noise of
# variance $2 \cdot 0.05^2 = 0.005$, half of which, 0.0025, lies across the curve. (Units 06 and 07
# explain the descent.)

# %%
Y_300, _ = datasets.noisy_spiral(300, random_state=0)
isomap = scales.normalised(starts.isomap(Y_300, 1, 10))
error_of = lambda X: squared_residuals(X, Y_300).mean()
X_start = isomap * scales.best_scale(isomap, error_of).scale
objective = partial(reconstruction_error, Y=Y_300)
steps = list(descent.at_most(descent.rprop(objective, X_start), 500))
clean = datasets.spiral_curve(np.linspace(0, 1, 2000))


# %% tags=["nbval-ignore-output"]
def to_clean_spiral(X):
    # at 2000 evenly spaced positions
    curve = curve_at(latent_grid(X, 2000)[0], X, Y_300)
    return metrics.distance_to_curve(curve, clean, squared=True)


away = {k: to_clean_spiral(steps[k].X) for k in (0, 50, 500)}
for k in away:
    print(
        f"step {k:3}: R_cv = {steps[k].error:.5f}, curve to spiral, squared: "
        f"{away[k]:.5f}"
    )

# %% tags=["aside"]
# below the noise across the curve
assert steps[500].error < 0.0020 < 0.0025 < steps[0].error
assert away[500] > 1.3 * away[0]  # and further from the truth

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.44, 4))
for ax, k, name in (
    (left, 0, "Isomap, scaled"),
    (right, 500, "after 500 steps"),
):
    figures.data(ax, Y_300, title=name)
    figures.curve(ax, clean)
    figures.manifold(ax, steps[k].X, Y_300)
left.legend(
    loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2, frameon=False
)
figures.show(
    figure,
    "Left: the curve follows the dashed clean spiral in small waves. Right: "
    "the waves have become spikes towards single points.",
)

# %% [markdown]
# The mean squared distance from the curve to the clean spiral grows by half, from .0008 to .0012.
# $R_{cv}$ falls from .0031 to .0017, below the noise variance of .0025 across the curve. No test on
# new data could find an error smaller than the noise. $R_{cv}$ estimates the error of a model that
# was *not chosen by it*. Here each point is left out of its own reconstruction, but not out of the
# fit. In draws whose start merges turns of the spiral, minimising brings the curve nearer, but not
# as near as the right starts are.
#
# So use $R_{cv}$ to compare starts and scales, and to rule out memorising and a collapse of the
# curve to the mean. It is what UKR minimises: once it has been minimised over all coordinates, it
# is an objective and no longer a test. (The paper argues that its spiral is not overfitted, because
# new points project onto it with a smaller error, too. Unit 09 shows why this argument is weak.)
# What $R_{cv}$ says about another method's settings is measured in the
# [appendix](appendix_ukr.ipynb).

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# On 40 draws (seeds 200 to 239) the start was in the right order 15 times. From these starts 500
# steps made the distance larger in 15 of 15 draws, by a factor between 1.8 and 3.3. In the other 25
# draws the start merged turns of the spiral. There minimising brought the curve nearer in 25 of 25
# draws, but never as near as the right starts are.
#
# </details>

# %% [markdown]
# ## Key points
#
# - Leaving a point out of its own reconstruction is a zero on the diagonal of the kernel matrix.
#   All $N$ left-out models together cost as much as the plain error.
# - Leaving out multiplies each term of the plain error by a factor $S_i$, (12). The factor depends
#   on the latent points alone and grows without limit as a point becomes isolated. Two copies of
#   one point may leave together, with $S_i$ near 4.
# - Points that are near copies of each other must be left out together.
# - UKR minimises $R_{cv}$ over all coordinates. After that it is no longer an honest estimate of
#   the error. From a start in the right order the descent leads away from the truth; from a start
#   in a wrong order it leads towards the truth.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "K", "B", "reconstruction_error", "cv_error", "penalties"
)

# %% [markdown]
# **Covered** (10), (11), (12); used: (8), (23), (33), and (25), which says that the kernel
# depends on the squared distance alone.
#
# **Further**
#
# - To do: [exercise 7: the leave-one-out error](../exercises/07_leave_one_out.ipynb), [exercise 8:
#   what isolation costs](../exercises/08_penalty_factors.ipynb).
# - Before: [an error without a minimum](03_reconstruction_error.ipynb). Next: [the density
#   constraint](05_density_constraint.ipynb), which forbids the isolation that $S_i$ charges for.
# - In the library: `reconstruction.reconstruction_error`, `squared_residuals`, `penalty_factors`;
#   `UKR.penalties()` of a fitted model, and its parameter `leave_out`. In loops:
#   `explicit.ukr.squared_residuals`, `penalty_factors`.
