# %% [markdown]
# # Kernel regression and the bandwidth
#
# A curve through noisy points is a weighted mean of the points nearby; how far "nearby" reaches is
# the one thing to choose, and the data can choose it.
#
# **Afterwards you can**
#
# - predict an output as a weighted mean of its neighbours, in loops and in one matrix product;
# - say what the bandwidth does at both of its ends, and read it off the weights;
# - let the data choose the bandwidth, by leaving out each point once;
# - recognise the weights as a softmax, and kernel regression as attention.
#
# **You need** Python, NumPy, and what a mean is. Nothing here is about unknown coordinates yet:
# that begins in the next lesson. **Time** 20 minutes. **Contents** A weighted mean · The same with
# matrices · The bandwidth · Leaving each point out once · Softmax and attention · Where there are
# data at all · Key points

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
# Here are 30 measurements: an input $x_n$ and an output $y_n$ each. They were made from a sine wave
# and noise of standard deviation 0.2, but let us pretend not to know that. What output do you
# expect at $x = 0.5$, where nothing was measured?

# %%
random = np.random.RandomState(0)
x = np.sort(random.uniform(size=30))
y = np.sin(2 * np.pi * x) + 0.2 * random.normal(size=30)
near = (x > 0.4) & (x < 0.6)
print(f"{near.sum()} of {len(x)} inputs lie between 0.4 and 0.6.")
print("Their outputs:", y[near].round(2), "with mean", y[near].mean().round(2))

# %% [markdown]
# The mean of the outputs nearby is a fair answer. It has a flaw: a point counts fully at one place
# and not at all a little further. So let its weight fade with the distance. A *kernel* $K$ says how
# much a point counts whose squared distance is $t$; ours is the Gaussian,
#
# $$K(t) = e^{-t/2}. \tag{33}$$
#
# Distances are measured in units of a length $h$, the *bandwidth*: $t_n = (x - x_n)^2 / h^2$. The
# weights are divided by their sum, so that they are shares of one whole:
#
# $$f(x) = \sum_{n=1}^{N} b_n(x)\, y_n, \qquad
#   b_n(x) = \frac{K(t_n)}{\sum_{m=1}^{N} K(t_m)}. \tag{2}$$
#
# This is the kernel regression of Nadaraya and Watson (1964). Equation numbers are those of the
# paper that this course follows (Meinicke and others, 2005), which we call [UKR]. Word for word in
# loops, from `ukrlearn.explicit`, where every formula of the course stands once like this:

# %%
print(inspect.getsource(explicit.weights))
print(inspect.getsource(explicit.predict))

# %% [markdown]
# (`kernel` is a pair: $K$, and its slope, which is not needed here.) There is no bandwidth in these
# lines. They measure distances as they come, so the bandwidth enters by dividing all inputs by it.
# Keep this in mind: in the next lesson it becomes the main idea.

# %%
h = 0.05
X, Y = x[:, None], y[:, None]  # one row a point, one column a coordinate: always, even for one
f_loops = explicit.predict([[0.5 / h]], (X / h).tolist(), Y.tolist())
print(f"f(0.5) = {f_loops[0][0]:.3f} with a bandwidth of {h}")

# %% [markdown]
# ## The same with matrices (3 minutes)
#
# Loops are for reading. For computing, all weights at once are a matrix $B$: row $m$ belongs to a
# position where we want to know the curve, column $n$ to a data point. Then (2) is a matrix
# product. (The paper stores points as columns and has $\mathbf{Y}\mathbf{b}$; here points are rows,
# as everywhere in NumPy, so every matrix of the course is the transpose of the paper's.)

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
figures.show(figure, "30 points and f(x): it follows the sine, too flat at the ends and the top.")

# %% [markdown]
# Between 0.15 and 0.38 nothing was measured. There the curve can only mix what lies on both sides,
# and misses the top of the sine.
#
# ## The bandwidth (5 minutes)
#
# The panel below shows the data with the curve; at the bottom, for one chosen point, what every
# point counts in the mean there (the scores in the middle are for later); and on the right, over
# all bandwidths, how far the curve misses the data in the mean square. There are two such errors.
# For $R$ the curve is used as it is. For $R_{cv}$, each point is compared with the curve that the
# *other* points give.
#
# **Predict** Write down your answers before you move anything.
#
# 1. What does the curve look like when the bandwidth is nearly 0? And when it is much larger than
#    the whole range of $x$?
# 2. One of the two errors goes to 0 at one of the ends. Which error, which end?
# 3. How many points share the weight of the mean at one place, at each end?

# %% tags=["nbval-ignore-output"]
panel = Bandwidth(x, y)
panel

# %% [markdown]
# **Check** The same panel, moved by code instead of by hand:

# %%
low, high = panel.state() | {"bandwidth": 0.0035}, panel.state() | {"bandwidth": 1.9}
for values in (low, high):
    print(panel.set(**values).summary(), "\n")

# %% [markdown]
# 1. Nearly 0: the curve is a staircase. Everywhere the nearest point has all the weight, and $f$ is
#    its output. Very large: all points count the same everywhere, and the curve is a flat line at
#    the mean of all outputs.
# 2. $R$ goes to 0 as the bandwidth does: at the place of a measurement, the nearest point is that
#    measurement itself. A perfect score for a staircase! It has copied the noise. $R_{cv}$ does not
#    fall for it.
# 3. One point at the lower end, all 30 at the upper one. The panel's "from about ... points" is
#    $\exp(-\sum_n b_n \log b_n)$: for $k$ equal shares it is $k$.
#
# Choose another point now, tick "leave the chosen point out", and watch what its own reconstruction
# loses: at a small bandwidth nearly everything.

# %%
own = panel.weights(bandwidth=0.0035, point=12)[11]
print(f"At bandwidth 0.0035 point 12 has {own:.1%} of the weight in its own reconstruction,")
panel.set(bandwidth=0.0035, point=12, left_out=True)
print(f"and without itself the largest share is {panel.weights(0.0035, 12, True).max():.1%}.")

# %% [markdown]
# ## Leaving each point out once (4 minutes)
#
# Which bandwidth is best? The error $R$ says 0, which is absurd: a point must not be its own
# witness. Leave it out, predict its output from all others, and do so for each point in turn. Taken
# literally, this needs 30 data sets of 29 points:

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
# There is no need for 30 data sets. In the square matrix of the points' kernels among themselves,
# the diagonal is what a point contributes to its own mean. Setting it to zero leaves each point out
# of its own *reconstruction*, the mean that should come close to it, and of no other:

# %%
K = np.exp(-cdist(X / h, X / h, "sqeuclidean") / 2)  # (33)
np.fill_diagonal(K, 0)  # nobody is their own witness
B = K / K.sum(axis=1, keepdims=True)  # (2), with point n left out of row n
print("the same:", np.allclose(np.mean((Y - B @ Y) ** 2), deleted))

# %% [markdown]
# So leave-one-out costs no more than the plain error. Try many bandwidths and take the best. Since
# these data are made up, we can compare with what nobody knows in real life, the error against the
# sine itself.

# %%
bandwidths = np.geomspace(0.005, 1, 100)
cv_errors = [panel.errors(h)[1] for h in bandwidths]
sine = np.sin(2 * np.pi * positions)
curves = [kernel_regression.predict(positions / h, X / h, Y) for h in bandwidths]
true_errors = [np.mean((curve - sine) ** 2) for curve in curves]
chosen, ideal = np.argmin(cv_errors), np.argmin(true_errors)
print(f"leave-one-out chooses {bandwidths[chosen]:.3f}, R_cv = {cv_errors[chosen]:.4f}")
print(f"ideal would have been {bandwidths[ideal]:.3f}")
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
# The numbers belong together. No curve can predict the noise, whose mean square is 0.050 in this
# draw. Leave-one-out sees the noise *plus* the error of the curve, about $0.050 + 0.025$, and the
# two have their minima in nearly the same place. Not always as nearly: of 100 draws like this one,
# leave-one-out chose within a factor of two of the ideal in 81, and in the median it lost a tenth
# in error. Thirty noisy points do not say more. **Try it**: change the seed in the second code cell
# and run all.
#
# ## Softmax and attention (2 minutes)
#
# Look at the row of weights once more: $b_n = e^{-t_n/2} / \sum_m e^{-t_m/2}$. This is the
# *softmax* of the scores $-t_n/2$, the middle picture of the panel: near points have high scores,
# and the softmax turns scores into shares.

# %%
T = cdist(positions / h, X / h, "sqeuclidean")
B = kernel_regression.weights(positions / h, X / h)
print("the weights are a softmax:", np.allclose(B, softmax(-T / 2, axis=1)))

# %% [markdown]
# A position asks a question, each point answers with its $y_n$, and the answers are mixed in the
# shares of a softmax. If you know transformers: this is attention, with the position as the query,
# the inputs $x_n$ as keys, the outputs $y_n$ as values, and $h^2$ as the temperature. Attention
# scores by inner products; here it is minus half the squared distance, which adds only a term for
# the length of each key (the query's own length adds the same to all scores, and the softmax does
# not feel that).
#
# That last remark is more than a curiosity. Far from all data every kernel value is too small to be
# represented, and the weights are 0/0. Adding the same number to all scores, so that the greatest
# is 0, changes no weight and keeps one kernel value at 1. The nearest point then has all the
# weight:

# %%
far = np.array([[50.0]])
K = np.exp(-cdist(far / h, X / h, "sqeuclidean") / 2)
B = kernel_regression.weights(far / h, X / h)
print("sum of the kernel values:", K.sum())
print("the library's weight of the last point:", B[0, -1])

# %% [markdown]
# ## Where there are data at all (2 minutes)
#
# The curve has an opinion at $x = 50$ too, but a worthless one. How much data stand behind $f(x)$?
# The denominator of (2) knows. Divided by $N$ it is the *density* of the inputs,
#
# $$p(x) = \frac1N \sum_{n=1}^{N} K(t_n), \tag{3}$$
#
# between $K(0) = 1$, where all inputs lie in one place, and 0, where none is near. (A density in
# the strict sense would be divided by a constant, so that its integral is 1. We never need it.) In
# fact (2) was first derived from densities: estimate the joint density of inputs and outputs by
# kernels, divide it by (3), and the mean of the output for a given input is $f(x)$.

# %%
p = kernel_regression.latent_density(positions / h, X / h)
in_matrix_form = np.exp(-T / 2).mean(axis=1)  # (3)
p_loops = explicit.latent_density((positions / h).tolist(), (X / h).tolist())
print("three times the same:", np.allclose(p, in_matrix_form), np.allclose(p, p_loops))

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
# In lesson 04 this density will decide where a curve exists at all.
#
# ## Key points
#
# - Kernel regression is a weighted mean of the outputs; nothing is trained.
# - The bandwidth is the one choice. Too small copies the noise, too large gives the mean.
# - An error in which points are their own witnesses prefers bandwidth 0. Leaving each point out of
#   its own reconstruction, a zero on the diagonal, chooses well.
# - Dividing the inputs by the bandwidth is all that the bandwidth does.
# - The Gaussian weights are the softmax of $-t/2$.
#
# **Notation** (columns of the paper are rows of the code). The table is that of the whole course,
# where inputs are called latent points: $N$ of them with $q$ numbers each, outputs with $d$
# numbers, and $M$ positions. Here $q = d = 1$.

# %%
notation.table("Y", "X", "x", "N", "predict", "K", "B", "latent_density", "cv_error")

# %% [markdown]
# **Covered** (2) and (3) with known inputs; (33). Touched: (8) and (10), which lessons 03 and 05
# are about.
#
# **Further**
#
# - To do: [exercise 1: the weighted mean f(x)](../exercises/01_nadaraya_watson.ipynb), [exercise
#   2: the density of the latent points](../exercises/02_latent_density.ipynb).
# - Before: [start here](00_start_here.ipynb). Next: [from supervised to
#   unsupervised](02_unsupervised.ipynb): what if nobody has measured the inputs?
# - In the library: `kernel_regression.weights`, `predict`, `latent_density`; other kernels in
#   `density_kernels`.
# - In loops: `explicit.weights`, `predict`, `latent_density`.
