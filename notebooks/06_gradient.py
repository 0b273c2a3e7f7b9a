# %% [markdown]
# # The gradient in matrix form
#
# We go from one weight and one point to ten lines of matrix algebra, and check these lines in three
# ways.
#
# **Afterwards you can**
#
# - follow the chain rule from the error to the weights, and from the weights to the latent points;
# - write the gradient in loops and in matrices, and say which equation of the paper each line is;
# - read the gradient as pulls and pushes between pairs of points;
# - test any gradient with finite differences and, better, by the order of the Taylor remainder.
#
# **You need** [leave-one-out for free](04_leave_one_out.ipynb); the chain rule. **Time** 28
# minutes. **Contents** Sixty coordinates · From the error to the weights · From the weights to the
# points · Loops become matrices · Pulls and pushes · Finite differences · The Taylor remainder ·
# Key points

# %%
import inspect
import time

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import datasets, figures
from ukrlearn.blocks import density_kernels, scales, starts
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit import ukr as loops
from ukrlearn.explicit.matrices import ukr as matrices
from ukrlearn.panels import Gradient
from ukrlearn.ukr.reconstruction import (
    pair_forces,
    reconstruction_error,
    squared_residuals,
)

predict = predictions("06_gradient")

# %%
review("06_gradient")  # questions from earlier lessons

# %% [markdown]
# ## Sixty coordinates (4 minutes)
#
# Here are 30 handwritten twos, each of 64 pixels, on a map with two axes: their principal
# components, at the scale that leave-one-out chooses. The map is not good. Some twos lie among
# others that look different, and the leave-one-out error, which UKR minimises, is high. It would
# fall if some twos moved. Which twos should move, and where? There are $N q = 60$ coordinates. One
# could try each coordinate: move it a little, compute the error again, and divide. Each step of a
# descent would then compute two errors per coordinate. A formula gives all slopes for about the
# price of two errors.

# %%
Y, _ = datasets.digits(2, n_samples=30, random_state=0)
components = scales.normalised(starts.pca(Y, 2))
X = (
    components
    * scales.best_scale(
        components, lambda X: squared_residuals(X, Y).mean()
    ).scale
)
N, q = X.shape

# %% tags=["aside"]
figure, ax = figures.blank(size=(7.4, 4.8))
figures.latent(ax, X, title="Thirty twos, where they are now")
half = 0.032 * np.ptp(X)
for (x_1, x_2), two in zip(X, Y, strict=True):
    frame = (x_1 - half, x_1 + half, x_2 - half, x_2 + half)
    ax.imshow(-two.reshape(8, 8), extent=frame, cmap="gray")
low, high = X.min(axis=0) - 2 * half, X.max(axis=0) + 2 * half
ax.set(adjustable="box", xlim=(low[0], high[0]), ylim=(low[1], high[1]))
figures.show(
    figure, "Thirty small images of twos at their two principal components."
)

# %%
print(
    f"R_cv = {squared_residuals(X, Y).mean():.3f}; with the mean: "
    f"{Y.var(axis=0).sum():.3f}"
)

# %% [markdown]
# ## From the error to the weights (3 minutes)
#
# The latent points affect the error only through the weights $B$. So the chain rule has two links:
#
# $$\frac{\partial R}{\partial x_{jk}} = \frac2N \sum_{n,m} M_{nm}\,
# \frac{\partial B_{nm}}{\partial x_{jk}}, \qquad M = (B - I)\, Y Y^T \tag{24}$$
#
# Here $x_{jk}$ is coordinate $k$ of latent point $j$, and $R$ stands for either error: it is
# $R_{cv}$ if the diagonal of $B$ is zero, as in all cells of this unit. The point that is
# reconstructed (a row) is now called $n$, and a point that contributes (a column) is called $m$;
# units 03 to 05 wrote $i$ and $j$. (The paper exchanges the two, because it has points in columns.)
#
# The first link is the matrix $M$ (in units 01 and 02, the letter was a number). Row $n$ of $(B -
# I)Y$ is the residual of point $n$, so $M_{nm}$ is the inner product of that residual with the data
# point $y_m$. If (24) is right, $2 M_{nm} / N$ is the slope of the error with respect to the weight
# $B_{nm}$ alone. A loop can check all of them:

# %%
# (25), (33), nothing of itself
K = np.exp(-cdist(X, X, "sqeuclidean") / 2) * (1 - np.eye(N))
B = K / K.sum(axis=1, keepdims=True)  # (23)
error_of_weights = lambda B: np.sum((B @ Y - Y) ** 2) / N  # (10)
slopes = np.empty((N, N))
for n in range(N):
    for m in range(N):
        change = np.zeros((N, N))
        change[n, m] = 1e-6
        rise = error_of_weights(B + change) - error_of_weights(B - change)
        slopes[n, m] = rise / 2e-6
M = (B - np.eye(N)) @ Y @ Y.T  # below (24)
print("the first link is right:", np.allclose(slopes, 2 / N * M))

# %% [markdown]
# ## From the weights to the points (3 minutes)
#
# The second link needs the kernel. We require only that it depends on the squared distance
# $t = |x - x'|^2$ alone, (25). One number then determines its slope, $K'(t) = dK/dt$ (the paper's
# $f'$):
#
# $$\frac{\partial K(x_n - x_m)}{\partial x_j} =
# 2 K'(|x_n - x_m|^2)\, (x_n - x_m)\, (\delta_{nj} - \delta_{mj}) \tag{26}$$
#
# where $\delta_{nj}$ is 1 if $n = j$ and 0 otherwise. Only the two points of the pair affect this
# kernel value, and their slopes are opposite. The weight $B_{nm} = K(x_n - x_m) / T_n$ has the row
# sum $T_n = \sum_l K(x_n - x_l)$ in its denominator, so *every* point of the row affects it. Divide
# the slopes by the same sum. Kernels fall with the distance, so a minus sign makes the result
# positive:
#
# $$P_{nm} = \frac{-2 K'(|x_n - x_m|^2)}{T_n} \tag{27}$$
#
# The quotient rule gives the slope of any weight with respect to any point:
#
# $$\frac{\partial B_{nm}}{\partial x_j} = P_{nm}\,(x_m - x_n)(\delta_{nj} - \delta_{mj})
# - B_{nm} \Bigl[\delta_{nj} \sum_l P_{nl} (x_l - x_n) - P_{nj} (x_j - x_n)\Bigr] \tag{28}$$
#
# The first part comes from the numerator, the bracket from the row sum. (Leave-one-out replaces
# $K(0)$ and $K'(0)$ by zeros, here and in all that follows.)

# %%
kernel = density_kernels.gaussian
T = K.sum(axis=1, keepdims=True)
P = -2 * (1 - np.eye(N)) * kernel.slope(cdist(X, X, "sqeuclidean")) / T  # (27)


def weight_slope(n, m, j):
    """The slope of B[n, m] in the q coordinates of point j, (28)."""
    numerator = P[n, m] * (X[m] - X[n]) * (int(n == j) - int(m == j))
    row_sum = int(n == j) * (P[n] @ (X - X[n])) - P[n, j] * (X[j] - X[n])
    return numerator - B[n, m] * row_sum


# %% tags=["nbval-ignore-output"]
predict(
    "calls",
    "How many calls of `weight_slope` does the gradient of all 30 points "
    "need, if it is written as (24) says?",
    number=True,
    answer=27000,
    within=0,
    because=(
        "For each of N points, all N² weights. 300 points need 27 million "
        "calls."
    ),
    hides=1,
)

# %%
calls, gradient = 0, np.zeros_like(X)
for j in range(N):
    for n in range(N):
        for m in range(N):
            gradient[j] += 2 / N * M[n, m] * weight_slope(n, m, j)  # (24)
            calls += 1

error, expected = reconstruction_error(X, Y)
print(
    f"{calls} calls;", "the library agrees:", np.allclose(gradient, expected)
)

# %% [markdown]
# ## Loops become matrices (6 minutes)
#
# Put (28) into (24) and group the terms by *pair*. Terms with $\delta_{nj}$ belong to pairs $(j,
# m)$, in which $j$ is reconstructed; all others to pairs $(m, j)$, in which $j$ contributes. The
# sums over $l$ can be computed once per row, and each pair is left with one number:
#
# $$Q_{nm} = P_{nm} M_{nm} - P_{nm} \sum_l M_{nl} B_{nl} \tag{30}$$
#
# $$\frac{\partial R}{\partial x_j} = \frac2N \sum_m (x_m - x_j)\,(Q_{jm} + Q_{mj}) \tag{29}$$
#
# These are $N^2$ terms instead of $N^3$. With $*$ for the entrywise product and $\mathbf 1$ for a
# vector of ones, the same in matrices is
#
# $$Q = P * [M - (M * B)\,\mathbf 1 \mathbf 1^T] \tag{31}$$
#
# $$\nabla_X R = \frac2N \bigl\{Q + Q^T - \mathrm{diag}([Q + Q^T]\,\mathbf 1)\bigr\}\, X \tag{32}$$
#
# First (29) and (30) as loops, with `G` for the inner products $Y Y^T$; then one line of code for
# each equation of the matrix form:

# %%
print(inspect.getsource(loops._gradient))

# %%
for part in (
    "weights_and_slopes",
    "forces",
    "gradient",
    "reconstruction_error",
):
    print(inspect.getsource(getattr(matrices, part)))

# %%
error, gradient = matrices.reconstruction_error(X, Y, kernel)
_, of_loops = loops.reconstruction_error(X.tolist(), Y.tolist())
print("equal to the triple sum:", np.allclose(gradient, expected))
print("equal to the loops:     ", np.allclose(gradient, of_loops))

# %% [markdown]
# Only $P$ depends on the kernel. The paper works it out for the Gaussian $K = e^{-t/2}$, (33), and
# for the quartic $K = (1 - t)_+^2$, (34), which is zero beyond distance 1, as is its $P$:
#
# $$P_{nm} = B_{nm}\ \text{(Gaussian)} \tag{35}$$
#
# $$P_{nm} = 4\, \frac{\sqrt{K(x_n - x_m)}}{\sum_l K(x_n - x_l)}\ \text{(quartic)} \tag{36}$$
#
# (The [appendix](appendix_ukr.ipynb) checks both.) The library computes the same matrices in
# blocks of rows that fit into the processor's cache.

# %% tags=["nbval-ignore-output"]
predict(
    "speed",
    "Three runs: (a) the loops for 30 points, (b) the matrices for 300, (c) "
    "the library for 300. 300 points are 100 times as many pairs. What do "
    "you expect?",
    options=[
        "(c) is quickest, and even (b) takes no longer than (a)",
        "(a) is quickest by far, because 30 points are few",
        "(b) and (c) take about 100 times as long as (a)",
    ],
    answer="(c) is quickest, and even (b) takes no longer than (a)",
    because=(
        "For each pair, loops in Python cost more than a hundred times as "
        "much."
    ),
    tempts=[
        "Thirty points are little work, but a loop in Python spends far more "
        "time on each pair than a matrix product does.",
        "Counting the pairs would be right if a pair cost the same in a loop "
        "and in a matrix product.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
Y_300, t_300 = datasets.s_curve(300, random_state=0)
runs = {
    "loops, 30 points": (
        lambda: loops.reconstruction_error(X.tolist(), Y.tolist()),
        1,
    ),
    "matrices, 300 points": (
        lambda: matrices.reconstruction_error(t_300, Y_300, kernel),
        20,
    ),
    "library, 300 points": (lambda: reconstruction_error(t_300, Y_300), 20),
}
for name, (run, times) in runs.items():
    start = time.perf_counter()
    for _ in range(times):
        run()
    print(
        f"{name:21} took "
        f"{(time.perf_counter() - start) / times * 1000:7.2f} ms"
    )

# %% [markdown]
# ## Pulls and pushes (5 minutes)
#
# Read (29) as forces. Downhill is minus the gradient, so each other point $m$ exerts a force on
# point $n$ along the line between the two. It pulls point $n$ towards $m$ where
# $Q_{nm} + Q_{mn} < 0$, and pushes it away where the sum is positive.
#
# The panel shows 70 points of a sheet. The arrows on all points show the downhill direction. Drag
# points, and try to lower the error by hand; then press RPROP. Click on a point to see its forces
# (blue pulls, orange pushes) and, on the right, the same forces head to tail. The black line is minus the gradient. The green cross is the same vector, but measured by
# *finite differences*, from the errors at two places a short step apart; the sentence below ends
# with its deviation.

# %% tags=["nbval-ignore-output"]
predict(
    "half",
    'Show only the forces of "its own reconstruction, Q". Does the chain'
    " still end where the gradient does?",
    options=[
        "yes, because each point minimises its own residual",
        "no, because a point also moves for the sake of others",
        "yes, but only half as far",
    ],
    answer="no, because a point also moves for the sake of others",
    because=(
        "The transposed half is where it contributes to the reconstructions "
        "of its neighbours."
    ),
    tempts=[
        "Each point has its own residual, but the error is a sum over all "
        "residuals, and a point takes part in many of them.",
        "Q and its transpose are two parts of one sum, but the two parts need "
        "not point in the same direction.",
    ],
)

# %% tags=["nbval-ignore-output"]
predict(
    "step",
    "Make the step of the finite differences ten thousand times smaller. What "
    "happens to the deviation from the gradient?",
    options=["it gets smaller", "it stays the same", "it gets larger"],
    answer="it gets larger",
    because=(
        "The two errors then agree in nearly all their digits. The next "
        "section explains."
    ),
    tempts=[
        "In mathematics a smaller step gives a better slope, but a computer "
        "has to subtract two nearly equal numbers.",
        "The formula stays the same, but the number of correct digits after "
        "the subtraction does not.",
    ],
)

# %% tags=["nbval-ignore-output"]
Y_70, t_70 = datasets.s_curve(70, height=6, random_state=0)
X_70 = 0.8 * t_70 + 0.2 * np.random.RandomState(0).normal(size=t_70.shape)
panel = Gradient(X_70, Y_70)
panel

# %%
# of a second panel, whose points nobody has moved
addends = Gradient(X_70, Y_70).addends(30)
distance = np.linalg.norm(X_70 - X_70[30], axis=1)
size = np.linalg.norm(addends, axis=1)
_, all_gradients = reconstruction_error(X_70, Y_70)
print(
    "share of the force from points within 3 units: "
    f"{size[distance < 3].sum() / size.sum():.2f}"
)
print(
    "all addends sum to the gradient:",
    np.allclose(addends.sum(axis=0), all_gradients[30]),
)
own = Gradient(X_70, Y_70).addends(30, "its own reconstruction, Q").sum(axis=0)
print("one half does too:              ", np.allclose(own, all_gradients[30]))
print(
    "the forces on all points sum to zero:",
    np.allclose(all_gradients.sum(axis=0), 0),
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Near points matter most, because $P$ falls with the distance like the kernel. One half of the
# forces is not the gradient: $Q_{nm}$ serves the reconstruction of point $n$ itself, and $Q_{mn}$
# serves the reconstruction of point $m$, to which point $n$ contributes. With the shorter step the
# deviation grows from $2 \cdot 10^{-10}$ to $3 \cdot 10^{-6}$, for the point that the panel shows
# first. The force of point $m$ on $n$ is the opposite of the force of $n$ on $m$. So the cloud as a
# whole does not drift: moving all of $X$ does not change the error.
#
# </details>

# %% [markdown]
# ## Finite differences (3 minutes)
#
# How do we know that a gradient is right? Choose any direction $V$, and compare the slope of the
# error along it with a slope that is measured on the error alone:
#
# $$\langle \nabla R, V\rangle \approx \frac{R(X + hV) - R(X - hV)}{2h}$$
#
# Here $\langle \nabla R, V\rangle$ is the sum of all products of entries. A random direction tests
# all entries at once. We still have to choose the step $h$ (not a bandwidth here).

# %%
error_of = lambda X: squared_residuals(X, Y).mean()
V = np.random.RandomState(0).normal(size=X.shape)
steps = 10.0 ** np.arange(-12, 0.5, 0.5)
measured = [
    (error_of(X + h * V) - error_of(X - h * V)) / (2 * h) for h in steps
]
off = np.abs(measured - np.sum(gradient * V)) / np.abs(np.sum(gradient * V))

# %% tags=["aside"]
figure, ax = figures.blank(size=(7, 3.3))
words = {"across": "step of the differences", "up": "relative deviation"}
figures.lines(
    ax,
    steps,
    {"": off},
    title="Too long, too short",
    **words,
    log="xy",
    markers=True,
)
figures.show(
    figure,
    "The deviation falls with the square of the step down to steps near "
    "0.00001, and rises again for shorter steps.",
)

# %%
print(
    "from step 0.1 to 0.01 the deviation falls by a factor of "
    f"{off[-3] / off[-5]:.0f}"
)
print("best step between 1e-7 and 1e-4:", 1e-7 < steps[off.argmin()] < 1e-4)

# %% [markdown]
# On the right the step is too long: the error curves within it, and the deviation falls with $h^2$.
# On the left it is too short: the two errors agree in nearly all of their sixteen digits, and the
# few others are divided by a tiny number. The best step is near $10^{-5}$, about the cube root of
# the rounding error.
#
# ## The Taylor remainder (4 minutes)
#
# Is a deviation of $10^{-6}$ a small mistake or rounding? The following test needs no threshold.
# Look at what remains along $V$ after subtracting the linear part:
#
# $$\bigl|R(X + hV) - R(X) - h\,\langle \nabla R, V\rangle\bigr|$$
#
# If the gradient is right, the remainder falls like $h^2$: on a log-log plot its slope is 2.

# %% tags=["nbval-ignore-output"]
predict(
    "order",
    "A learner forgets the transposed half, and uses $2Q$ instead of $Q + "
    "Q^T$. Which slope does the plot show for short $h$? And if all entries "
    "of the gradient are replaced by zeros?",
    options=["2, and 1", "between 1 and 2, and 1", "1, and 1", "1, and 0"],
    answer="1, and 1",
    because="By this test, half a gradient is no better than none.",
    tempts=[
        "One of the two halves is right, so the remainder might keep its "
        "slope, but ask which power of h is left over.",
        "A slope in between looks like a compromise for half a gradient, but "
        "the powers of h in a remainder are whole numbers.",
        "A gradient of zeros looks worse than one that is half right, but ask "
        "which power of h each remainder has.",
    ],
    hides=3,
)

# %%
S = 2 * pair_forces(X, Y)
# (32), with a mistake
forgetful = 2 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)
lengths = np.geomspace(1e-5, 1e-1, 17)
remainder = lambda h, slope: abs(
    error_of(X + h * V) - error - h * np.sum(slope * V)
)
remainders = {
    "with the gradient (32)": [remainder(h, gradient) for h in lengths],
    "transposed half forgotten": [remainder(h, forgetful) for h in lengths],
    "no gradient at all": [remainder(h, 0 * gradient) for h in lengths],
}

# %% tags=["aside"]
figure, ax = figures.blank(size=(7, 3.6))
words = {
    "across": "length h",
    "up": "remainder",
    "title": "What is left after the linear part",
}
figures.lines(ax, lengths, remainders, **words, log="xy", markers=True)
figures.show(
    figure,
    "Three straight lines: per decade of h, the remainder falls by two "
    "decades with the right gradient, and by one decade with a wrong "
    "gradient or none.",
)

# %%
for name, values in remainders.items():
    order = np.polyfit(np.log(lengths[:9]), np.log(values[:9]), 1)[0]
    print(f"{name:26} slope {order:.1f}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# A gradient that is wrong in any digit leaves a part that falls only like $h$. In many other tests
# a gradient that is nearly right looks good, and a descent that uses it may still go down. For this
# reason the library tests its own gradient by the slope of the remainder, for every kernel.
#
# </details>

# %% [markdown]
# ## Key points
#
# - The chain rule has two links: from the error to the weights, matrix $M$; from the weights to the
#   latent points, matrix $P$.
# - Grouped by pairs, the $N^3$ terms become $N^2$: one number $Q_{nm}$ for each ordered pair.
# - The gradient is a sum of mutual forces between pairs, along the line between them. Half of them
#   serve the point itself, half the others.
# - Leave-one-out changes nothing but two diagonals.
# - Test a gradient by the order of its remainder: the slope is 2, or the gradient is wrong.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "K", "slope", "B", "M", "P", "Q", "gradient", "cv_error"
)

# %% [markdown]
# **Covered** (23), (24), (25), (26), (27), (28), (29), (30), (31), (32), (33), (34), (35), (36);
# used: (8), (10).
#
# **Further**
#
# - To do: [exercise 9: the gradient, pair by pair](../exercises/09_gradient_by_points.ipynb),
#   [exercise 10: the gradient as a matrix product](../exercises/10_gradient_matrix.ipynb).
# - Before: [the density constraint](05_density_constraint.ipynb). Next: [going
#   down](07_going_down.ipynb), along this gradient.
# - In the library: `reconstruction.reconstruction_error` (error and gradient together),
#   `reconstruction.pair_forces` (the matrix $Q$), `density_kernels.check_kernel`, which tests the
#   slope of a kernel of your own.
# - In loops: `explicit.ukr.reconstruction_error`; in matrices: `explicit.matrices.ukr`. The
#   feature-space form of (24) is in [feature spaces](11_feature_space.ipynb).
