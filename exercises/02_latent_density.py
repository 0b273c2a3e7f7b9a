# %% [markdown]
# # Exercise 2: the density of the latent points
#
# Put a hill over each latent point. The mean height of all hills says where there are data.
#
# **Afterwards you can** compute the latent density p(x) at any positions at once, without a loop,
# and say what the bandwidth h does to its peaks.
#
# **You need** [lesson 01](../notebooks/01_kernel_regression.ipynb) up to equation (3), and
# [exercise 1](01_nadaraya_watson.ipynb) for the kernel.
#
# **Time** 10 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import figures
from ukrlearn.checks import (
    check,
    hint,
    progress,
    restore_work,
    reveal,
    save_work,
)

# %% [markdown]
# ## The task
#
# At a position $x$, each of the $N$ latent points $x_n$ (rows of `X`) contributes its kernel value;
# the density is their mean:
#
# $$p(x) = \frac1N \sum_{n=1}^N K(x, x_n), \qquad
# K(x, x_n) = \exp\!\left(-\frac{|x - x_n|^2}{2h^2}\right). \tag{3}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `x`, positions | (M, q) | `p`, one number for each position | (M,) |
# | `X`, latent points | (N, q) | | |
# | `h`, bandwidth | a number | | |
#
# $K$ is 1 at distance 0: there is no factor in front. (Textbooks divide by $(2\pi h^2)^{q/2}$, so
# that the integral of p is 1. The course only ever needs p as a share of the greatest possible
# value, and there such a constant cancels.)
#
# An example by hand: the latent points are 0 and 2, and h = 1. At $x = 0$ the distances are 0 and
# 2, and $p = (1 + e^{-2})/2 = 0.568$. At $x = 1$ both distances are 1, and $p = e^{-1/2} = 0.607$:
# more than at either point!


# %%
def density(x, X, h):
    """p(x) of (3), an array of shape (M,)."""
    # Compute the squared distance of each position (row) and each latent point
    # (column); x[:, None] - X has the shape (M, N, q). Turn them into kernel
    # values. Return the mean of each row.
    ### BEGIN SOLUTION
    t = np.sum((x[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / (2 * h**2))
    return np.mean(K, axis=1)
    ### END SOLUTION


# %%
report = check("latent_density", density)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution**
# asks twice and then shows one. Without buttons, `hint("latent_density")` and
# `reveal("latent_density")` in a new cell do the same.
#
# ## What you have built
#
# When the check has passed, answer the question below and run the next cells. They take 16 latent
# points on a line, and draw *your* density for three bandwidths and the places of its peaks for 60
# bandwidths.
#
# **Predict** How many peaks are there for a tiny h, and how many for a huge one? And can a *larger*
# h ever have more peaks?


# %%
def peaks(x, X, h):
    """The positions where p is higher than on both sides."""
    p = density(x, X, h)
    return x[1:-1, 0][(p[1:-1] > p[:-2]) & (p[1:-1] > p[2:])]


random = np.random.RandomState(1)
X = np.concatenate(
    [
        random.normal(*clump)
        for clump in ((0, 0.5, 6), (3, 0.7, 6), (7, 0.4, 4))
    ]
)
x, X = np.linspace(-2.5, 9.5, 300)[:, None], X[:, None]
if report.passed:
    bandwidths = np.geomspace(0.06, 4, 60)
    found = [peaks(x, X, h) for h in bandwidths]
    print("peaks:", [len(places) for places in found][::4])

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(9.5, 3.8))
    curves = {f"h = {h}": density(x, X, h) for h in (0.1, 0.6, 3.0)}
    figures.lines(
        left, x[:, 0], curves, title="Your p(x)", across="x", up="p(x)"
    )
    left.plot(X, np.full(16, -0.02), "|", color="#555555")
    for h, places in zip(bandwidths, found, strict=True):
        right.plot(
            places,
            np.full(len(places), h),
            "o",
            markersize=2.5,
            color=figures.COLORS[0],
        )
    right.set(yscale="log", xlabel="x", ylabel="bandwidth h")
    right.set_title("Where the peaks are", fontsize=10, fontweight="bold")
    text = (
        f"Left: p for h = 0.1, 0.6 and 3. Right: {len(found[0])} branches of "
        "peaks. As h grows they end one by one, until a single one is left."
    )
    display(figures.show(figure, text))

# %% [markdown]
# A tiny h gives nearly every point its own peak; a huge h gives a single hill. In between, the
# branches of this tree only *end*: as h grows, peaks are swallowed by the slopes of others, and no
# new one ever appears. For one latent dimension that is a theorem (Silverman, 1981), and it holds
# for the Gaussian kernel, not for kernels in general. The three branches that reach up to h = 1 are
# the three clumps from which the points were drawn. Nobody told p how many there are.
#
# **To think about**: p lies between 0 and 1. Where must the points lie so that p(x) = 1? And how
# low can p be at a latent point itself?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one
# file, and `restore_work()` brings it back on another machine. Next: [exercise
# 3](03_basis_weights.ipynb), where p comes back as a surprise, or back to [lesson
# 01](../notebooks/01_kernel_regression.ipynb).
