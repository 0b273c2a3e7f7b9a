# %% [markdown]
# # Kernel regression and the bandwidth
#
# Kernel regression draws a curve through noisy points by taking weighted means of nearby points.
# The only choice to make is how far "nearby" reaches, and the data can make that choice.
#
# **Afterwards you can**
#
# - predict an output as a weighted mean of its neighbours, in loops and in one matrix product;
# - say what the bandwidth does at both extremes, and see it in the weights;
# - let the data choose the bandwidth, by leaving each point out in turn;
# - recognise the weights as a softmax, and kernel regression as attention.
#
# **You need** Python, NumPy, and the notion of a mean. All coordinates are known in this lesson;
# unknown coordinates begin in the next one. **Time** 20 minutes. **Contents** A weighted mean · The
# same with matrices · The bandwidth · Leaving out each point in turn · Softmax and attention ·
# Where the data are · Key points

# %%
import inspect
from timeit import timeit

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax

from ukrlearn import explicit, figures, kernel_regression, notation
from ukrlearn.panels import Bandwidth

# %% [markdown]
# ## A weighted mean (4 minutes)
#
# Here are 30 measurements, each with an input $x_n$ and an output $y_n$. They come from a sine wave
# plus noise of standard deviation 0.2, but let us pretend not to know that. What output do you
# expect at $x = 0.5$, where nothing was measured?

# %%
random = np.random.RandomState(0)
x = np.sort(random.uniform(size=30))
y = np.sin(2 * np.pi * x) + 0.2 * random.normal(size=30)
near = (x > 0.4) & (x < 0.6)
print(f"{near.sum()} of {len(x)} inputs lie between 0.4 and 0.6.")
print("Their outputs:", y[near].round(2), "with mean", y[near].mean().round(2))

# %% [markdown]
# The mean of the nearby outputs is a fair answer, but it has a flaw: a point counts fully at one
# position, and not at all a little further away. So let its weight fade with the distance. A
# *kernel* $K$ says how much a point at squared distance $t$ counts. Ours is the Gaussian,
#
# $$K(t) = e^{-t/2}. \tag{33}$$
#
# Distances are measured in units of a length $h$, the *bandwidth*: $t_n = (x - x_n)^2 / h^2$. The
# weights are divided by their sum, so that they add up to one:
#
# $$f(x) = \sum_{n=1}^{N} b_n(x)\, y_n, \qquad
#   b_n(x) = \frac{K(t_n)}{\sum_{m=1}^{N} K(t_m)}. \tag{2}$$
#
# This is the kernel regression of Nadaraya and Watson (1964). Equation numbers are those of the
# paper that this course follows (Meinicke and others, 2005), which we call [UKR]. Here are the
# formulas as literal loops. They come from `ukrlearn.explicit`, which has every formula of the
# course in this form:

# %%
print(inspect.getsource(explicit.weights))
print(inspect.getsource(explicit.predict))

# %% [markdown]
# (`kernel` is a pair: $K$, and its slope, which is not needed here.) These lines contain no
# bandwidth. They use distances in the units of the inputs, so to apply a bandwidth we divide all
# inputs by it. Keep this in mind: in the next lesson it becomes the main idea.

# %%
h = 0.05
X, Y = x[:, None], y[:, None]  # a row per point and a column per coordinate, even if q = d = 1
f_loops = explicit.predict([[0.5 / h]], (X / h).tolist(), Y.tolist())
print(f"f(0.5) = {f_loops[0][0]:.3f} with a bandwidth of {h}")

# %% [markdown]
# ## The same with matrices (3 minutes)
#
# Loops are for reading. For computing, we collect all weights in a matrix $B$: row $m$ belongs to a
# position at which we want to know the curve, and column $n$ to a data point. Then (2) is a matrix
# product. (The paper stores points as columns and writes $\mathbf{Y}\mathbf{b}$. Here points are
# rows, as is usual in NumPy, so every matrix of the course is the transpose of the paper's.)

# %%
positions = np.linspace(0, 1, 400)[:, None]
T = cdist(positions / h, X / h, "sqeuclidean")  # t of each pair
K = np.exp(-T / 2)  # (33)
B = K / K.sum(axis=1, keepdims=True)  # (2), weights
f = B @ Y  # (2), weighted means
print("B has", B.shape[0], "rows and", B.shape[1], "columns.")
print("Each row sums to one:", np.allclose(B.sum(axis=1), 1))

# %%
in_loops = explicit.predict((positions / h).tolist(), (X / h).tolist(), Y.tolist())
in_library = kernel_regression.predict(positions / h, X / h, Y)
print("equal to the loops:  ", np.allclose(f, in_loops))
print("equal to the library:", np.allclose(f, in_library))

# %% tags=["nbval-ignore-output"]
arrays = positions / h, X / h, Y
lists = [array.tolist() for array in arrays]
seconds_loops = timeit(lambda: explicit.predict(*lists), number=5) / 5
seconds_library = timeit(lambda: kernel_regression.predict(*arrays), number=50) / 50
print(f"loops {1e3 * seconds_loops:.1f} ms, library {1e3 * seconds_library:.2f} ms")

# %%
figure, ax = figures.blank(size=(6, 3.4))
ax.plot(x, y, "o", color="#8c9aa8", label="data")
clean = {"curve f(x)": f[:, 0], "sine it came from": np.sin(2 * np.pi * positions[:, 0])}
figures.lines(ax, positions[:, 0], clean, title="Bandwidth 0.05", across="input x", up="output y")
figures.show(figure, "30 points and f(x), which follows the sine but is flatter at ends and top.")

# %% [markdown]
# Between 0.15 and 0.38 nothing was measured. There the curve can only mix the points on both sides,
# and so it misses the top of the sine.
#
# ## The bandwidth (5 minutes)
#
# The panel below shows the data with the curve. At the bottom you see the weight of every point in
# the mean at one chosen point. (The scores in the middle are explained later.) On the right you see
# the mean squared error of the curve for all bandwidths. There are two such errors. $R$ compares
# each point with the curve itself. $R_{cv}$ compares each point with the curve through the *other*
# points.
#
# **Predict** Write down your answers before you move anything.
#
# 1. What does the curve look like when the bandwidth is nearly 0? And when it is much larger than
#    the whole range of $x$?
# 2. One of the two errors goes to 0 at one of the extremes. Which error is it, and at which
#    extreme?
# 3. At each extreme, how many points share the weight of the mean at one position?

# %% tags=["nbval-ignore-output"]
panel = Bandwidth(x, y)
panel

# %% [markdown]
# **Check** The next cell moves the same panel by code instead of by hand:

# %%
low, high = panel.state() | {"bandwidth": 0.0035}, panel.state() | {"bandwidth": 1.9}
for values in (low, high):
    print(panel.set(**values).summary(), "\n")

# %% [markdown]
# 1. When the bandwidth is nearly 0, the curve is a staircase: at every position the nearest point
#    has all the weight, and $f$ is its output. When the bandwidth is very large, all points have
#    the same weight everywhere, and the curve is a flat line at the mean of all outputs.
# 2. $R$ goes to 0 together with the bandwidth: where a measurement was made, the nearest point is
#    that measurement itself. A perfect score for a staircase! It has copied the noise. $R_{cv}$
#    does not fall for it.
# 3. One point at the lower extreme, all 30 at the upper one. The panel's "from about ... points" is
#    $\exp(-\sum_n b_n \log b_n)$: if $k$ points have equal weights, it is $k$.
#
# Now choose another point, tick "leave the chosen point out", and see how much of the weight in its
# reconstruction was its own. At a small bandwidth it is nearly all.

# %%
own = panel.weights(bandwidth=0.0035, point=12)[11]
print(f"At bandwidth 0.0035 point 12 has {own:.1%} of the weight in its own reconstruction,")
panel.set(bandwidth=0.0035, point=12, left_out=True)
print(f"and if it is left out, the largest share is {panel.weights(0.0035, 12, True).max():.1%}.")

# %% [markdown]
# ## Leaving out each point in turn (4 minutes)
#
# Which bandwidth is best? The error $R$ says 0, which is absurd: a point must not be its own
# witness. So we leave a point out, predict its output from all the others, and do the same for each
# point in turn. Taken literally, this requires 30 data sets of 29 points:

# %%
errors = []
for n in range(len(x)):
    others = np.delete(np.arange(len(x)), n)
    lists = (X[others] / h).tolist(), Y[others].tolist()
    predicted = explicit.predict([[x[n] / h]], *lists)[0][0]
    errors.append((y[n] - predicted) ** 2)
deleted = np.mean(errors)
print(f"leave-one-out error at bandwidth {h}: {deleted:.5f}")

# %% [markdown]
# We do not need 30 data sets. In the square matrix of kernel values between the measured points,
# the diagonal entry of a row is the contribution of that point to its own mean. Setting the
# diagonal to zero leaves each point out of its own *reconstruction*, the mean that should come
# close to the point, and out of no other mean:

# %%
K = np.exp(-cdist(X / h, X / h, "sqeuclidean") / 2)  # (33)
np.fill_diagonal(K, 0)  # no point is its own witness
B = K / K.sum(axis=1, keepdims=True)  # (2), with point n left out of row n
print("the same:", np.allclose(np.mean((Y - B @ Y) ** 2), deleted))

# %% [markdown]
# So leave-one-out costs no more than the plain error. Try many bandwidths and take the best one.
# Because these data are made up, we can also compute an error that nobody knows in real life: the
# error against the sine itself.

# %%
bandwidths = np.geomspace(0.005, 1, 100)
cv_errors = [panel.errors(h)[1] for h in bandwidths]
sine = np.sin(2 * np.pi * positions)
curves = [kernel_regression.predict(positions / h, X / h, Y) for h in bandwidths]
true_errors = [np.mean((curve - sine) ** 2) for curve in curves]
chosen, ideal = np.argmin(cv_errors), np.argmin(true_errors)
print(f"leave-one-out chooses {bandwidths[chosen]:.3f}, R_cv = {cv_errors[chosen]:.4f}")
print(f"the ideal bandwidth is {bandwidths[ideal]:.3f}")
print(f"error against the sine: {true_errors[chosen]:.4f}; at the ideal {true_errors[ideal]:.4f}")

# %%
figure, ax = figures.blank(size=(6, 3.4))
both = {"$R_{cv}$": cv_errors, "error against the sine": true_errors}
names = dict(title="Choosing the bandwidth", across="bandwidth h", up="mean squared error")
figures.lines(ax, bandwidths, both, log="xy", **names)
figures.show(
    figure,
    f"Both errors fall, then rise. R_cv is least at bandwidth {bandwidths[chosen]:.3f}, the error "
    f"against the sine at {bandwidths[ideal]:.3f}.",
)

# %%
noise = y - np.sin(2 * np.pi * x)
print(f"mean square of the noise in these 30 points: {np.mean(noise**2):.3f}")

# %% [markdown]
# The numbers fit together. No curve can predict the noise, whose mean square is 0.050 in this draw.
# Leave-one-out sees the noise *plus* the error of the curve, about $0.050 + 0.025$, and the two
# errors have their minima in nearly the same place. The minima are not always as close: in 81 of
# 100 draws like this one, leave-one-out chose a bandwidth within a factor of two of the ideal one,
# and the median increase in error over the ideal bandwidth was a tenth. Thirty noisy points cannot
# tell us more. **Try it**: change the seed in the second code cell and run all cells.
#
# ## Softmax and attention (2 minutes)
#
# Look at a row of weights once more: $b_n = e^{-t_n/2} / \sum_m e^{-t_m/2}$. This is the *softmax*
# of the scores $-t_n/2$, which the middle picture of the panel shows. Near points have high scores,
# and the softmax turns scores into weights that add up to one.

# %%
T = cdist(positions / h, X / h, "sqeuclidean")
B = kernel_regression.weights(positions / h, X / h)
print("the weights are a softmax:", np.allclose(B, softmax(-T / 2, axis=1)))

# %% [markdown]
# A position asks a question, each point answers with its $y_n$, and the softmax says how much each
# answer counts. If you know transformers, you will recognise attention: the position is the query,
# the inputs $x_n$ are the keys, the outputs $y_n$ are the values, and $h^2$ is the temperature.
# Attention uses inner products as scores. Here the score is minus half the squared distance, which
# differs from an inner product only by a term for the length of each key. (The length of the query
# adds the same number to all scores, and that number does not change the softmax.)
#
# The last remark has a practical use. Far from all data, every kernel value is too small to be
# represented, and the weights are 0/0. If we add the same number to all scores, so that the
# greatest score is 0, no weight changes and one kernel value is 1. The nearest point then has all
# the weight:

# %%
far = np.array([[50.0]])
K = np.exp(-cdist(far / h, X / h, "sqeuclidean") / 2)
B = kernel_regression.weights(far / h, X / h)
print("sum of the kernel values:", K.sum())
print("the library's weight of the last point:", B[0, -1])

# %% [markdown]
# ## Where the data are (2 minutes)
#
# The curve has an opinion at $x = 50$ too, but a worthless one. How much data supports $f(x)$? The
# denominator of (2) tells us. Divided by $N$ it is the *density* of the inputs,
#
# $$p(x) = \frac1N \sum_{n=1}^{N} K(t_n). \tag{3}$$
#
# It lies between $K(0) = 1$, where all inputs coincide, and 0, where no input is near. (A density
# in the strict sense would be divided by a constant, so that its integral is 1. We never need that
# constant.) In fact (2) was first derived from densities: estimate the joint density of inputs and
# outputs by kernels, divide it by (3), and the mean output for a given input is $f(x)$.

# %%
p = kernel_regression.latent_density(positions / h, X / h)
in_matrix_form = np.exp(-T / 2).mean(axis=1)  # (3)
p_loops = explicit.latent_density((positions / h).tolist(), (X / h).tolist())
print("all three equal:", np.allclose(p, in_matrix_form), np.allclose(p, p_loops))

# %%
figure, ax = figures.blank(size=(6, 2.8))
figures.lines(
    ax, positions[:, 0], {"p(x)": p}, title="Density of the inputs", across="input x", up="p(x)"
)
ax.plot(x, np.zeros(len(x)), "|", color="#8c9aa8", markersize=10)
ax.set_ylim(bottom=-0.005)
figures.show(
    figure,
    f"The density is greatest, {p.max():.2f}, near x = {positions[p.argmax(), 0]:.2f} and lowest, "
    f"{p.min():.4f}, at x = {positions[p.argmin(), 0]:.2f}; strokes mark the inputs.",
)

# %% [markdown]
# In lesson 05 this density will decide where a curve exists at all.
#
# ## Key points
#
# - Kernel regression is a weighted mean of the outputs; nothing is trained.
# - The bandwidth is the only choice. Too small a bandwidth copies the noise, too large a bandwidth
#   gives the mean.
# - An error in which points are their own witnesses prefers bandwidth 0. Leaving each point out
#   of its own reconstruction, by a zero on the diagonal, leads to a good choice.
# - Applying a bandwidth is the same as dividing the inputs by it.
# - The Gaussian weights are the softmax of $-t/2$.
#
# **Notation** (The paper's columns are rows in the code.) The table uses the words of the whole
# course. It calls the inputs latent points: there are $N$ of them, with $q$ numbers each. The
# outputs have $d$ numbers, and there are $M$ positions. Here $q = d = 1$.

# %%
notation.table("Y", "X", "x", "N", "predict", "K", "B", "latent_density", "cv_error")

# %% [markdown]
# **Covered** (2) and (3) with known inputs; (33). Touched on: (8) and (10), the subjects of lessons
# 03 and 04.
#
# **Further**
#
# - To do: [exercise 1: the weighted mean f(x)](../exercises/01_nadaraya_watson.ipynb), [exercise 2:
#   the density of the latent points](../exercises/02_latent_density.ipynb).
# - Before: [start here](00_start_here.ipynb). Next: [from supervised to
#   unsupervised](02_unsupervised.ipynb): what if nobody has measured the inputs?
# - In the library: `kernel_regression.weights`, `predict`, `latent_density`; other kernels in
#   `density_kernels`.
# - In loops: `explicit.weights`, `predict`, `latent_density`.
