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
# - explain the weights as a conditional mean, as probabilities, and as a softmax.
#
# **You need** Python, NumPy, and the notions of a mean and a probability density. **Time** 24
# minutes. **Contents** The data · A weighted mean · The bandwidth · Leaving out each point in turn ·
# Why this mean? · Softmax and attention · Key points

# %%
import inspect

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import softmax

from ukrlearn import explicit, figures
from ukrlearn.blocks import kernel_regression
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation

predict = predictions("01_kernel_regression")
random = np.random.RandomState(0)
x = np.sort(random.uniform(size=30))
y = np.sin(2 * np.pi * x) + 0.2 * random.normal(size=30)

# %%
review("01_kernel_regression")  # questions from earlier lessons

# %% [markdown]
# ## The data (2 minutes)
#
# A pipe of one metre is heated in one half and cooled in the other. Thirty thermometers sit at
# positions $x_n$ along it, wherever there was room. Each has measured a temperature $y_n$, in
# degrees above room temperature, with an error of 0.2 degrees. How warm is the pipe at $x = 0.5$,
# where no thermometer sits?

# %% tags=["aside"]
figure, ax = figures.blank(size=(8.4, 3.2))
ax.plot(x, y, "o", color="#8c9aa8", markersize=5)
with figures.style():
    ax.set(
        title="30 thermometers",
        xlabel="input x: position (m)",
        ylabel="output y: degrees",
    )
figures.show(
    figure,
    "30 readings: warm up to x = 0.5, cold beyond; none between 0.15 and "
    "0.38.",
)

# %% [markdown]
# We have made these readings from a sine wave plus noise.
#
# ## A weighted mean (5 minutes)
#
# A fair answer at $x = 0.5$ is the mean of the readings nearby. Instead of a sharp border between
# near and far, let the weight of a reading fade with its distance. A *kernel* $K$ says how much a
# reading at squared distance $t$ counts ($t$ was a position in unit 00). Ours is the Gaussian bell,
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
# paper that units 00 to 13 follow (Meinicke and others, 2005), called [UKR]. The module
# `ukrlearn.explicit` has every formula as plain loops:

# %%
print(inspect.getsource(explicit.weights))
print(inspect.getsource(explicit.predict))

# %% [markdown]
# (`kernel` is a pair: $K$ and its slope.) These lines contain no bandwidth. To apply one, we divide
# all inputs and positions by it. The next unit is built on this division.
#
# For computing, we collect all weights in a matrix $B$, with a row for each position at which we
# want to know the curve, and a column for each reading. Then (2) is a matrix product. (In this
# course points are rows. In the paper they are columns, so all its matrices are transposed.)

# %%
h = 0.05
# a row per point, a column per coordinate; here there is one
X, Y = x[:, None], y[:, None]
positions = np.linspace(0, 1, 401)[:, None]
T = cdist(positions / h, X / h, "sqeuclidean")  # t of each pair
K = np.exp(-T / 2)  # (33)
B = K / K.sum(axis=1, keepdims=True)  # (2), weights
f = B @ Y  # (2), weighted means
print(f"B: {B.shape[0]} rows, {B.shape[1]} columns; f(0.5) = {f[200, 0]:.3f}")

# %%
in_loops = explicit.predict(
    (positions / h).tolist(), (X / h).tolist(), Y.tolist()
)
in_library = kernel_regression.predict(positions / h, X / h, Y)
print("equal to the loops:  ", np.allclose(f, in_loops))
print("equal to the library:", np.allclose(f, in_library))

# %% tags=["aside"]
figure, ax = figures.blank(size=(8.4, 3.4))
ax.plot(x, y, "o", color="#8c9aa8", markersize=5, label="readings")
both = {
    "curve f(x)": f[:, 0],
    "sine it came from": np.sin(2 * np.pi * positions[:, 0]),
}
figures.lines(
    ax,
    positions[:, 0],
    both,
    title="Bandwidth 0.05",
    across="input x",
    up="output y",
)
figures.show(
    figure,
    "30 points and f(x), which follows the sine but is flatter at ends and "
    "top.",
)

# %% [markdown]
# So our answer for $x = 0.5$ is 0.08 degrees below room temperature; the sine has 0. Between 0.15 and
# 0.38 nothing was measured. There the curve can only mix the points on both sides, and so it misses
# the top of the sine.
#
# ## The bandwidth (5 minutes)
#
# The next panel shows the curve and, below it, the weight of every reading in the mean at the place
# under your pointer. Thin lines lead from each reading to its mean without itself. On the right are
# two mean squared errors of the bandwidths that you try. $R$ compares each reading with the curve.
# $R_{cv}$, the *leave-one-out error*, compares each reading with the curve through the *other*
# readings. You compute it in the next section, and unit 04 derives its properties.

# %% tags=["nbval-ignore-output"]
predict(
    "small",
    "What does the curve look like when the bandwidth is nearly 0?",
    options=[
        "The straight line that fits all readings best",
        "A smooth curve through all readings",
        "A staircase: the output of the nearest reading",
        "A flat line at the mean of all readings",
    ],
    answer="A staircase: the output of the nearest reading",
    because=(
        "The nearest reading has all the weight. The flat line comes at the "
        "other extreme."
    ),
    tempts=[
        "A straight line is the usual simplest fit, but nothing in a kernel "
        "regression prefers lines.",
        "The curve does run through the readings, but a smooth curve needs "
        "more than one reading with weight at each place.",
        "All kernel values shrink, so no reading seems to be preferred, but "
        "each weight is a share of their sum.",
    ],
)

# %% tags=["nbval-ignore-output"]
predict(
    "zero",
    "Which error goes to 0 at one end of the slider?",
    options=[
        "R, at small bandwidths",
        "R_cv, at small bandwidths",
        "both, at small bandwidths",
        "both, at large bandwidths",
    ],
    answer="R, at small bandwidths",
    because=(
        "The reading nearest to each thermometer is its own. R_cv does not "
        "have it."
    ),
    tempts=[
        "R_cv looks like the same sum, but ask which reading it may not use.",
        "Both errors reward a curve near the readings, but they do not let "
        "the same readings take part in each mean.",
        "A smooth curve looks right, but at large bandwidths the curve is "
        "flat, and the readings are not.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Bandwidth

panel = Bandwidth(x, y)
panel

# %% [markdown]
# Choose a small bandwidth, click on another point, and see how much of the weight in its mean is
# its own. Drag readings, or draw your own: can you beat the score? The next cell visits both
# extremes:

# %%
probe = Bandwidth(x, y)
for bandwidth in (0.0035, 1.9):
    print(probe.set(bandwidth=bandwidth).summary(), "\n")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# When the bandwidth is nearly 0, one reading has all the weight at each position, and the curve is a
# staircase. When it is very large, all 30 readings have the same weight everywhere, and the curve is
# a flat line at their mean. The summary's "from about ... points" counts the readings that share the
# weight: it is $\exp(-\sum_n b_n \log b_n)$, which is $k$ for $k$ equal weights.
#
# $R$ goes to 0 together with the bandwidth: a staircase that has copied the noise gets a perfect
# score! $R_{cv}$ does not reward the copying.
#
# </details>

# %% [markdown]
# ## Leaving out each point in turn (5 minutes)
#
# Which bandwidth is best? $R$ says 0, which is absurd: a point must not be its own witness. So
# leave one point out and predict its output from all the others. Do the same for each point in
# turn. Taken literally, this requires 30 data sets of 29 points:

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
# We do not need 30 data sets. In the square matrix of kernel values between the inputs, the
# diagonal entry of a row is the contribution of that reading to its own mean. Set the diagonal to
# zero. Then each point is left out of its own *reconstruction*, the mean that should come close to
# it, and of no other mean:

# %%
K = np.exp(-cdist(X / h, X / h, "sqeuclidean") / 2)  # (33)
np.fill_diagonal(K, 0)  # no point is its own witness
B = K / K.sum(axis=1, keepdims=True)  # (2), with point n left out of row n
print("the same:", np.allclose(np.mean((Y - B @ Y) ** 2), deleted))

# %% [markdown]
# So leave-one-out costs no more than the plain error. Try many bandwidths, and take the best.
# Because these data are made up, we can compare with an error that nobody knows in real life: the
# error against the sine itself.

# %%
bandwidths = np.geomspace(0.005, 1, 100)
cv_errors = [probe.errors(h)[1] for h in bandwidths]  # (R, R_cv)
sine = np.sin(2 * np.pi * positions)
curves = [
    kernel_regression.predict(positions / h, X / h, Y) for h in bandwidths
]
true_errors = [np.mean((curve - sine) ** 2) for curve in curves]
chosen, ideal = np.argmin(cv_errors), np.argmin(true_errors)
print(
    f"leave-one-out chooses {bandwidths[chosen]:.3f},",
    f"R_cv = {cv_errors[chosen]:.4f}",
)
print(f"the ideal bandwidth is {bandwidths[ideal]:.3f}")
print(
    f"error against the sine: {true_errors[chosen]:.4f}; at the ideal "
    f"{true_errors[ideal]:.4f}"
)
noise = y - np.sin(2 * np.pi * x)
print(f"mean square of the noise: {np.mean(noise**2):.3f}")

# %% tags=["aside"]
figure, ax = figures.blank(size=(8.4, 3.4))
both = {"$R_{cv}$": cv_errors, "error against the sine": true_errors}
names = dict(
    title="Choosing the bandwidth",
    across="bandwidth h",
    up="mean squared error",
)
figures.lines(ax, bandwidths, both, log="xy", **names)
figures.show(
    figure,
    "Both errors fall, then rise. R_cv is least at bandwidth "
    f"{bandwidths[chosen]:.3f}, the error against the sine at "
    f"{bandwidths[ideal]:.3f}.",
)

# %% [markdown]
# No curve can predict the noise. So leave-one-out sees the mean square of the noise *plus* the
# error of the curve, about $0.050 + 0.025$, and the two errors have their minima in nearly the same
# place. In other draws they are not always as close.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 81 of 100 draws like this one, leave-one-out chose a bandwidth within a factor of two of the
# ideal one. In the median the error against the sine was a tenth higher than at the ideal
# bandwidth.
#
# </details>

# %% [markdown]
# ## Why this mean? (4 minutes)
#
# The denominator of (2), divided by $N$, is the *density* of the inputs,
#
# $$p(x) = \frac1N \sum_{n=1}^{N} K(t_n). \tag{3}$$
#
# It is near 0 where no thermometer is near. (To integrate to 1 it would need a constant factor,
# which we never need.) Estimate the joint density of inputs and outputs in the same way, with a
# second kernel $L$ around each $y_n$ that has mean 0 and integral 1. The mean output for a given
# input is then exactly $f(x)$, because the integral of $y\, L(y - y_n)$ is $y_n$:
#
# $$p(x, y) = \frac1N \sum_n K(t_n)\, L(y - y_n), \qquad
#   \operatorname{E}[y \mid x] = \frac{\int y\, p(x, y)\, dy}{p(x)}
#   = \frac{\sum_n K(t_n)\, y_n}{\sum_n K(t_n)} = f(x).$$
#
# So kernel regression estimates a *conditional mean*. The width of a Gaussian $L$ does not matter:

# %%
outputs = np.linspace(-6, 6, 2001)
# K(t_n) at x = 0.5
at_half = np.exp(-cdist([[0.5 / h]], X / h, "sqeuclidean") / 2)[0]
for width in (0.1, 0.5):
    # p(0.5, y), up to a factor
    joint = at_half @ np.exp(-((outputs - Y) ** 2) / (2 * width**2))
    print(f"width {width}: E[y | 0.5] = {joint @ outputs / joint.sum():.3f}")

# %% [markdown]
# The weights have a meaning, too. Generate each position $x$ in two steps: choose one of the $N$
# points at random, then add Gaussian noise of standard deviation $h$ to its $x_n$. Positions then
# have the density $p(x)$, up to a constant. If you see only $x$, how probable is it that point $n$
# has generated it? By Bayes' rule, $\frac1N K(t_n) / p(x) = b_n(x)$: **the weights are posterior
# probabilities.** The next cell generates a million positions, and counts which points generated
# those near 0.5:

# %%
random = np.random.RandomState(1)
n = random.randint(30, size=1_000_000)
generated = x[n] + h * random.normal(size=len(n))
share = np.bincount(n[np.abs(generated - 0.5) < 0.005], minlength=30)
share = share / share.sum()
for k in np.argsort(at_half)[:-4:-1]:
    print(
        f"point {k + 1}: share {share[k]:.2f}, weight "
        f"{at_half[k] / at_half.sum():.2f}"
    )

# %% [markdown]
# ## Softmax and attention (3 minutes)
#
# For the Gaussian kernel, $b_n = e^{-t_n/2} / \sum_m e^{-t_m/2}$: exponentials of scores, here
# $-t_n/2$, divided by their sum. This is called the *softmax* of the scores. If you know
# transformers, you will recognise attention: the position is the query, the inputs $x_n$ are the
# keys, the outputs $y_n$ are the values, and $h^2$ is the temperature.

# %%
B = kernel_regression.weights(positions / h, X / h)
print("the weights are a softmax:", np.allclose(B, softmax(-T / 2, axis=1)))

# %% tags=["nbval-ignore-output"]
predict(
    "far",
    "What is f(50), 49 metres beyond the end of the pipe?",
    options=[
        "0",
        "The mean of all readings",
        "The last reading",
        "Wherever the last slope of the curve leads",
    ],
    answer="The last reading",
    because=(
        "Its thermometer is the nearest. So far out, the squared distances of "
        "any two thermometers differ by many squared bandwidths, so the "
        "nearest has all the weight."
    ),
    tempts=[
        "Each kernel value is nearly 0 so far out, but it is divided by the "
        "sum of all kernel values.",
        "From so far away all readings seem equally distant, but the kernel "
        "measures squared distances in squared bandwidths.",
        "A polynomial would go on along its slope, but a weighted mean stays "
        "between its readings.",
    ],
    hides=1,
)

# %%
far = np.array([[50.0]])
K = np.exp(-cdist(far / h, X / h, "sqeuclidean") / 2)
B = kernel_regression.weights(far / h, X / h)
print("sum of the kernel values:", K.sum())
print("the library's weight of the last reading:", B[0, -1])

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Every kernel value is too small for the computer, and (2) would be 0/0. But adding the same number
# to all scores changes no weight, so the library makes the greatest score 0. The nearest reading
# then has all the weight. This answer is worthless: the density $p(50)$ is practically 0. In unit 05
# this density decides where a curve exists at all.
#
# </details>

# %% [markdown]
# ## Key points
#
# - Kernel regression is a weighted mean of the outputs; nothing is trained.
# - The bandwidth is the only choice. Too small a bandwidth copies the noise, too large a bandwidth
#   gives the mean. Applying a bandwidth is the same as dividing the inputs by it.
# - An error in which points are their own witnesses prefers bandwidth 0. Leaving each point out
#   of its own reconstruction, by a zero on the diagonal, mends that.
# - The curve is a conditional mean, the weights are posterior probabilities, and for the Gaussian
#   they are the softmax of $-t/2$.
#
# **Notation** The table uses the words of the whole course. It calls the inputs latent points: $N$
# points with $q$ numbers each. The outputs have $d$ numbers, and there are $M$ positions. Here
# $q = d = 1$.

# %%
notation.table(
    *("Y", "X", "x", "N", "bandwidth", "predict", "K", "B", "latent_density"),
    *("cv_error",),
)

# %% [markdown]
# **Covered** (2) and (3) with known inputs, and their derivation from a conditional mean; (33).
# Touched on: (8) and (10), the subjects of units 03 and 04.
#
# **Further**
#
# - To do: [exercise 1: the weighted mean f(x)](../exercises/01_nadaraya_watson.ipynb), [exercise 2:
#   the density of the latent points](../exercises/02_latent_density.ipynb).
# - Before: [start here](00_start_here.ipynb). Next: [from supervised to
#   unsupervised](02_unsupervised.ipynb): what if nobody has measured the inputs?
# - In the library: `kernel_regression.weights`, `predict`, `latent_density`; other kernels in
#   `density_kernels`. In loops: the same names in `explicit`.
