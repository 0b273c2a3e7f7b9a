# %% [markdown]
# # The gradient in matrix form
#
# We go from one weight and one point to ten lines of matrix algebra, and check them in three ways.
#
# **Afterwards you can**
#
# - follow the chain rule from the error to the weights, and from the weights to the latent points;
# - write the gradient in loops and in matrices, and say which equation of the paper each line is;
# - read the gradient as pulls and pushes between pairs of points;
# - test any gradient with finite differences, and say which step to take and why;
# - test it better, by the order of the Taylor remainder.
#
# **You need** lesson 04 (the leave-one-out error); the chain rule. **Time** 30 minutes.
# **Contents** Why a formula · From the error to the weights · From the weights to the points ·
# Loops become matrices · Pulls and pushes · Two kernels · Finite differences · The Taylor remainder
# · Key points

# %%
import inspect
import time

import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import datasets, density_kernels, figures, notation
from ukrlearn.explicit import ukr as loops
from ukrlearn.explicit.matrices import ukr as matrices
from ukrlearn.ukr.reconstruction import reconstruction_error, squared_residuals, weight_matrix

# %% [markdown]
# ## Why a formula (2 minutes)
#
# To make the error smaller we must know, for each of the $N q$ latent coordinates, which way is
# down. One could find out by trial: move one coordinate a little, compute the error again, and
# divide. This method needs two errors per coordinate, and one error costs $N^2$ kernel values. With
# 300 points and $q = 2$ these are 1200 errors for one step of a descent, and a fit takes hundreds
# of steps. A formula gives all slopes for about the price of two errors.
#
# Here are 30 points on an S-shaped sheet. Their latent coordinates are not quite right, so that
# there is something to improve.

# %%
Y, t = datasets.s_curve(30, height=4, random_state=0)
random = np.random.RandomState(0)
X = 0.6 * t + 0.3 * random.normal(size=t.shape)
N, q = X.shape
print(f"N = {N} points, d = {Y.shape[1]} numbers each, q = {q} latent coordinates")
print(f"R_cv = {squared_residuals(X, Y).mean():.6f}")

# %% [markdown]
# ## From the error to the weights (3 minutes)
#
# The latent points affect the error only through the weights $B$. So the chain rule has two links,
# (24):
#
# $$\frac{\partial R}{\partial x_{jk}} = \frac2N \sum_{n,m} M_{nm}\,
# \frac{\partial B_{nm}}{\partial x_{jk}}, \qquad M = (B - I)\, Y Y^T \tag{24}$$
#
# The whole course uses indices in the same way: $n$ is the point that is reconstructed (a row), and
# $m$ is a point that contributes to the reconstruction (a column). The paper exchanges the two,
# because it has points in columns.
#
# The first link is the matrix $M$. Row $n$ of $(B - I)Y$ is the residual of point $n$, so $M_{nm}$
# is the inner product of that residual with the data point $y_m$: it says how much the error grows
# if $y_m$ gets more weight in the reconstruction of $y_n$. If (24) is right, $2 M_{nm} / N$ is the
# slope of the error with respect to the weight $B_{nm}$ alone. A loop can check this slope for all
# weights:

# %%
B = weight_matrix(X, leave_one_out=True)  # (23)
error_of_weights = lambda B: np.sum((B @ Y - Y) ** 2) / N  # (8)
h, slopes = 1e-6, np.empty((N, N))
for n in range(N):
    for m in range(N):
        change = np.zeros((N, N))
        change[n, m] = h
        rise = error_of_weights(B + change) - error_of_weights(B - change)
        slopes[n, m] = rise / (2 * h)

M = (B - np.eye(N)) @ Y @ Y.T  # below (24)
print("the first link is right:", np.allclose(slopes, 2 / N * M))

# %% [markdown]
# ## From the weights to the points (6 minutes)
#
# The second link needs the kernel. We require only that the kernel depends on the squared distance
# $t = |x - x'|^2$ alone, (25). One number then determines its slope, $K'(t) = dK/dt$ (the paper's
# $f'$):
#
# $$\frac{\partial K(x_n - x_m)}{\partial x_j} =
# 2 K'(|x_n - x_m|^2)\, (x_n - x_m)\, (\delta_{nj} - \delta_{mj}) \tag{26}$$
#
# where $\delta_{nj}$ is 1 if $n = j$ and 0 otherwise. Only the two points of the pair affect this
# kernel value, and their slopes are opposite. The weight $B_{nm} = K(x_n - x_m) / T_n$ has the row
# sum $T_n = \sum_l K(x_n - x_l)$ in its denominator, (23), so *every* point of the row affects it.
# Divide the slopes by the same sum. Kernels fall with the distance, so a minus sign makes the
# result positive:
#
# $$P_{nm} = \frac{-2 K'(|x_n - x_m|^2)}{T_n} \tag{27}$$
#
# Then the quotient rule gives the slope of any weight with respect to any point:
#
# $$\frac{\partial B_{nm}}{\partial x_j} = P_{nm}\,(x_m - x_n)(\delta_{nj} - \delta_{mj})
# - B_{nm} \Bigl[\delta_{nj} \sum_l P_{nl} (x_l - x_n) - P_{nj} (x_j - x_n)\Bigr] \tag{28}$$
#
# The first part comes from the numerator, the bracket from the row sum. In code, for one weight and
# one point:

# %%
K, slope = density_kernels.gaussian, density_kernels.gaussian.slope
t = cdist(X, X, "sqeuclidean")  # from here on t holds squared distances, not true coordinates
others = 1 - np.eye(N)  # leave-one-out: K(0) and K'(0) become 0
T = (others * K(t)).sum(axis=1, keepdims=True)
P = -2 * others * slope(t) / T  # (27)


def weight_slope(n, m, j):
    """The slope of B[n, m] with respect to the q coordinates of point j, (28)."""
    numerator = P[n, m] * (X[m] - X[n]) * (int(n == j) - int(m == j))
    row_sum = int(n == j) * (P[n] @ (X - X[n])) - P[n, j] * (X[j] - X[n])
    return numerator - B[n, m] * row_sum


# %% [markdown]
# **Predict** How many calls of `weight_slope` does the gradient of all 30 points need?

# %%
calls, gradient = 0, np.zeros_like(X)
for j in range(N):
    for n in range(N):
        for m in range(N):
            gradient[j] += 2 / N * M[n, m] * weight_slope(n, m, j)  # (24)
            calls += 1

error, expected = reconstruction_error(X, Y)
print(f"{calls} calls;", "the library agrees:", np.allclose(gradient, expected))

# %% [markdown]
# **Check** $N^3 = 27000$. The formula is right, but useless: 300 points need 27 million calls.
#
# ## Loops become matrices (6 minutes)
#
# Put (28) into (24) and group the terms by *pair*. The terms with $\delta_{nj}$ belong to pairs
# $(j, m)$, in which $j$ is reconstructed. All other terms belong to pairs $(m, j)$, in which $j$
# contributes. The sums over $l$ can be computed once per row, and each pair is left with one
# number:
#
# $$Q_{nm} = P_{nm} M_{nm} - P_{nm} \sum_l M_{nl} B_{nl} \tag{30}$$
#
# $$\frac{\partial R}{\partial x_j} = \frac2N \sum_m (x_m - x_j)\,(Q_{jm} + Q_{mj}) \tag{29}$$
#
# There are now $N^2$ terms instead of $N^3$. Here are the two equations as loops:

# %%
print(inspect.getsource(loops._gradient))

# %% [markdown]
# Finally we use only matrices. With $*$ for the entrywise product and $\mathbf 1$ for a vector of
# ones, (30) and (29) are
#
# $$Q = P * [M - (M * B)\,\mathbf 1 \mathbf 1^T] \tag{31}$$
#
# $$\nabla_X R = \frac2N \bigl\{Q + Q^T - \mathrm{diag}([Q + Q^T]\,\mathbf 1)\bigr\}\, X \tag{32}$$
#
# One line of code for each numbered equation:

# %%
print(inspect.getsource(matrices.weights_and_slopes))
print(inspect.getsource(matrices.forces))
print(inspect.getsource(matrices.gradient))
print(inspect.getsource(matrices.reconstruction_error))

# %%
error, gradient = matrices.reconstruction_error(X, Y, density_kernels.gaussian)
_, of_loops = loops.reconstruction_error(X.tolist(), Y.tolist())
print(f"R_cv = {error:.6f}")
print("equal to the triple sum:", np.allclose(gradient, expected))
print("equal to the loops:     ", np.allclose(gradient, of_loops))

# %% [markdown]
# The diagonal in (32) subtracts the row sums of $S = Q + Q^T$. Up to the sign, graph theory calls
# such a matrix a Laplacian. The next section shows what it means.
#
# The library uses the same algebra, but computes the $N \times N$ arrays in blocks of rows that fit
# into the processor's cache. **Predict** Compare the loops for 30 points, the matrices for 300 and
# the library for 300: which is fastest, and which slowest?

# %% tags=["nbval-ignore-output"]
Y_300, t_300 = datasets.s_curve(300, random_state=0)
runs = {
    "loops, 30 points": (lambda: loops.reconstruction_error(X.tolist(), Y.tolist()), 1),
    "matrices, 300 points": (lambda: matrices.reconstruction_error(t_300, Y_300, K), 20),
    "library, 300 points": (lambda: reconstruction_error(t_300, Y_300), 20),
}
for name, (run, times) in runs.items():
    start = time.perf_counter()
    for _ in range(times):
        run()
    print(f"{name:21} took {(time.perf_counter() - start) / times * 1000:7.2f} ms")

# %% [markdown]
# **Check** The library is fastest. The matrices take about as long for 300 points as the loops for
# 30, a few milliseconds, although they handle a hundred times as many pairs. For 300 points the
# loops need almost two seconds (we ran them once): the number of pairs grows with $N^2$, and the work
# for the matrix product in $M$ even grows with $N^3$.
#
# ## Pulls and pushes (5 minutes)
#
# Read (29) as forces. Downhill is minus the gradient, so each other point $m$ exerts a force on
# point $n$ along the line between the two. It pulls point $n$ towards $m$ where
# $Q_{nm} + Q_{mn} < 0$, and pushes it away where the sum is positive. The first half, $Q_{nm}$,
# serves the reconstruction of point $n$ itself. The second half, $Q_{mn}$, serves the
# reconstruction of point $m$, to which point $n$ contributes.
#
# In the panel, the arrows on all points show the downhill direction. For one point you see its
# forces (blue pulls, orange pushes) and, on the right, the same forces head to tail. The black line
# is minus the gradient. The green cross is the same vector, but measured by *finite differences*,
# from the errors at two places a short step apart. The sentence below the picture ends with its
# deviation.
#
# **Predict** (a) Which points influence where a point goes: near ones, far ones, all? (b) With "its
# own reconstruction, Q" only, does the chain still end where the gradient does? (c) You make the
# step of the finite differences ten thousand times smaller. Does the deviation get smaller?

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Gradient

Y_70, t_70 = datasets.s_curve(70, height=6, random_state=0)
X_70 = 0.8 * t_70 + 0.2 * np.random.RandomState(0).normal(size=t_70.shape)
panel = Gradient(X_70, Y_70)
panel

# %% [markdown]
# **Check** (a) Near ones: $P$ falls with the distance like the kernel. Beyond three or four units
# the forces are hardly noticeable. (b) No. A point also moves for the sake of its neighbours. (c)
# No: it grows, from $2 \cdot 10^{-10}$ to $3 \cdot 10^{-6}$ for the point that the panel shows
# first. The section "Finite differences" explains why.

# %%
addends = panel.addends(30)
distance = np.linalg.norm(X_70 - X_70[30], axis=1)
size = np.linalg.norm(addends, axis=1)
_, all_gradients = reconstruction_error(X_70, Y_70)
print(f"share of the force from points within 3 units: {size[distance < 3].sum() / size.sum():.2f}")
print("all addends sum to the gradient:", np.allclose(addends.sum(axis=0), all_gradients[30]))
half = panel.addends(30, "its own reconstruction, Q").sum(axis=0)
print("one half does too:              ", np.allclose(half, all_gradients[30]))

# %% [markdown]
# The force of point $m$ on $n$ is the opposite of the force of $n$ on $m$, because $S$ is
# symmetric. So the forces on all points sum to zero, and the cloud as a whole neither drifts nor
# turns. The result is no surprise, because translating or rotating $X$ does not change the error.

# %%
print("no drift:", np.allclose(all_gradients.sum(axis=0), 0))
turn = X_70[:, 0] * all_gradients[:, 1] - X_70[:, 1] * all_gradients[:, 0]
print("no turn: ", np.isclose(turn.sum(), 0))

# %% [markdown]
# ## Two kernels (2 minutes)
#
# The paper works out $P$ for two kernels, the Gaussian $K = e^{-t/2}$, (33), and the quartic
# $K = (1 - t)_+^2$, (34):
#
# $$P_{nm} = B_{nm}\ \text{for the Gaussian} \tag{35}$$
#
# $$P_{nm} = 4\, \frac{\sqrt{K(x_n - x_m)}}{\sum_l K(x_n - x_l)}\ \text{for the quartic} \tag{36}$$
#
# The Gaussian's slope is $-\frac12$ times its value, so one matrix serves as $B$ and as $P$. The
# quartic's entries are zero beyond distance 1, in $B$ and in $P$, so the code can skip all pairs
# further apart than that. (The next cell moves the points together by a factor of three, so that
# each has a neighbour within distance 1. The diagonal alone accounts for 3% of zeros.)

# %%
t_near = t / 9
for kernel in (density_kernels.gaussian, density_kernels.quartic):
    K_values = others * kernel(t_near)
    total = K_values.sum(axis=1, keepdims=True)
    P = -2 * others * kernel.slope(t_near) / total  # (27)
    stated = {"gaussian": K_values / total, "quartic": 4 * np.sqrt(K_values) / total}  # (35), (36)
    agree = np.allclose(P, stated[kernel.name])
    print(f"{kernel.name:9} as stated: {agree}, zeros: {np.mean(P == 0):.0%}")

# %% [markdown]
# ## Finite differences (3 minutes)
#
# How do we know that a gradient is right? Compare it with slopes measured on the error alone:
#
# $$\frac{\partial R}{\partial x_{jk}} \approx \frac{R(X + h E_{jk}) - R(X - h E_{jk})}{2h}$$
#
# with $E_{jk}$ zero except for a one in position $(j, k)$. It remains to choose the step $h$.


# %%
def differences(error_of, X, h):
    """Central differences of a function of X, one coordinate at a time."""
    slopes = np.empty_like(X)
    for place in np.ndindex(X.shape):
        E = np.zeros_like(X)
        E[place] = h
        slopes[place] = (error_of(X + E) - error_of(X - E)) / (2 * h)
    return slopes


error_of = lambda X: squared_residuals(X, Y).mean()
error, gradient = reconstruction_error(X, Y)
deviation = np.abs(differences(error_of, X, 1e-5) - gradient).max()
print("agree to seven digits:", deviation < 1e-7 * np.abs(gradient).max())

# %%
steps = 10.0 ** np.arange(-12, 0.5, 0.5)
off = [np.linalg.norm(differences(error_of, X, h) - gradient) for h in steps]
off = np.array(off) / np.linalg.norm(gradient)

# %%
figure, ax = figures.blank(size=(6, 3.2))
words = {"across": "step of the differences", "up": "relative deviation"}
figures.lines(ax, steps, {"": off}, title="Too long, too short", **words, log="xy", markers=True)
figures.show(
    figure,
    "The deviation falls with the square of the step from 0.2 at step 1 to below one billionth "
    "near step 0.00001, and rises again for shorter steps.",
)

# %%
print(f"from step 0.1 to 0.01 the deviation falls by a factor of {off[-3] / off[-5]:.0f}")
print("best step between 1e-7 and 1e-4:", 1e-7 < steps[off.argmin()] < 1e-4)

# %% [markdown]
# On the right of the picture, the step is too long: the error curves within it, and the deviation
# falls with $h^2$. On the left, the step is too short: the two errors agree in nearly all of their
# sixteen digits. Their difference consists of the few remaining digits, divided by a tiny number.
# The best step is near $10^{-5}$, about the cube root of the rounding error. This is why "smaller
# is better" is the wrong answer to question (c) above.
#
# ## The Taylor remainder (3 minutes)
#
# Finite differences leave a doubt: is a deviation of $10^{-6}$ a small mistake or rounding? The
# following test needs no threshold. Choose any direction $V$ and look at what remains after
# subtracting the linear part:
#
# $$\bigl|R(X + hV) - R(X) - h\,\langle \nabla R, V\rangle\bigr|$$
#
# If the gradient is right, the remainder falls like $h^2$; on a log-log plot its slope is 2. If the
# gradient is wrong in any digit, a part that falls like $h$ remains.
#
# **Predict** A learner forgets the transposed half, and uses $S = 2Q$ instead of $Q + Q^T$. Which
# slope does the plot show for short $h$? And which slope if all entries of the gradient are
# replaced by zeros?

# %%
from ukrlearn.ukr.reconstruction import pair_forces

S = 2 * pair_forces(X, Y)
forgetful = 2 / N * (S @ X - S.sum(axis=1, keepdims=True) * X)  # (32), with a mistake
V = random.normal(size=X.shape)
lengths = np.geomspace(1e-5, 1e-1, 17)
remainder = lambda h, slope: abs(error_of(X + h * V) - error - h * np.sum(slope * V))
remainders = {
    "with the gradient (32)": [remainder(h, gradient) for h in lengths],
    "transposed half forgotten": [remainder(h, forgetful) for h in lengths],
    "no gradient at all": [remainder(h, 0 * gradient) for h in lengths],
}

# %%
figure, ax = figures.blank(size=(6, 3.4))
words = {"across": "length h", "up": "remainder", "title": "What is left after the linear part"}
figures.lines(ax, lengths, remainders, **words, log="xy", markers=True)
figures.show(
    figure,
    "Three straight lines: per decade of h, the remainder falls by two decades with the right "
    "gradient, and by one decade with a wrong gradient or none.",
)

# %%
for name, values in remainders.items():
    order = np.polyfit(np.log(lengths[:9]), np.log(values[:9]), 1)[0]
    print(f"{name:26} slope {order:.1f}")

# %% [markdown]
# **Check** Slope 1, and slope 1 as well: by this test, half a gradient is no better than none. In
# many other tests a gradient that is nearly right looks good, and a descent that uses it may still
# go down. For this reason the library tests its own gradient by the slope of the remainder, for
# every kernel.
#
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
notation.table("Y", "X", "K", "slope", "B", "M", "P", "Q", "gradient", "cv_error")

# %% [markdown]
# **Covered** (23), (24), (25), (26), (27), (28), (29), (30), (31), (32), (33), (34), (35), (36);
# used: (8), (10).
#
# **Further**
#
# - To do: [exercise 9: the gradient, pair by pair](../exercises/09_gradient_by_points.ipynb),
#   [exercise 10: the gradient as a matrix product](../exercises/10_gradient_matrix.ipynb).
# - Before: [leave-one-out for free](04_leave_one_out.ipynb). Next:
#   [optimisation](07_going_down.ipynb), which goes down along this gradient.
# - In the library: `reconstruction.reconstruction_error` (error and gradient together),
#   `reconstruction.pair_forces` (the matrix $Q$), `density_kernels.check_kernel`, which tests the
#   slope of a kernel of your own.
# - In loops: `explicit.ukr.reconstruction_error`; in matrices: `explicit.matrices.ukr`. The
#   feature-space form of (24) is in [feature spaces](11_feature_space.ipynb).
