# %% [markdown]
# # Exercise 1: the weighted mean f(x)
#
# Unsupervised kernel regression, the first method of this course, rebuilds data as weighted means.
# You write such a mean with two loops.
#
# **Afterwards you can** compute the kernel regression f(x) for any positions x, and say what the
# bandwidth h and the sum of the weights do.
#
# **You need** [lesson 01](../notebooks/01_kernel_regression.ipynb) up to equation (2).
#
# **Time** 15 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
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
# $N$ data points $y_m$ (rows of `Y`) have latent positions $x_m$ (rows of `X`). At a new position
# $x$ the model says
#
# $$f(x) = \sum_{m=1}^N \frac{K(x, x_m)}{\sum_j K(x, x_j)}\; y_m, \qquad
# K(x, x_m) = \exp\!\left(-\frac{|x - x_m|^2}{2h^2}\right). \tag{2}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `x`, positions | (M, q) | `f`, one point for each position | (M, d) |
# | `X`, latent points | (N, q) | | |
# | `Y`, data | (N, d) | | |
# | `h`, bandwidth | a number | | |
#
# An example by hand: the latent points are 0 and 2, with the data 10 and 20. At the position 1 both
# distances are 1, so both weights are equal for any h, and $f(1) = 15$.


# %%
def weighted_mean(x, X, Y, h):
    """f(x) of (2), an array of shape (M, d)."""
    f = np.zeros((len(x), Y.shape[1]))
    # For each position x[i]: visit all latent points X[m], compute the weight
    # of each from its squared distance, add up weight times Y[m], add up the
    # weights, and divide.
    ### BEGIN SOLUTION
    for i in range(len(x)):
        total = 0.0
        for m in range(len(X)):
            weight = np.exp(-np.sum((x[i] - X[m]) ** 2) / (2 * h**2))
            f[i] += weight * Y[m]
            total += weight
        f[i] /= total
    ### END SOLUTION
    return f


# %%
report = check("nadaraya_watson", weighted_mean)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution**
# asks twice and then shows one. Without buttons, `hint("nadaraya_watson")` and
# `reveal("nadaraya_watson")` in a new cell do the same.
#
# ## What you have built
#
# When the check has passed, run the next cell. It draws a noisy spiral whose points have known
# places along it, and *your* f(x) for three bandwidths.

# %%
Y, t = datasets.noisy_spiral(100, random_state=0)
x = np.linspace(t.min(), t.max(), 200)[:, None]
if report.passed:
    figure, axes = figures.blank(1, 3)
    for ax, h in zip(axes.flat, (0.003, 0.03, 0.3), strict=True):
        figures.data(ax, Y, title=f"h = {h}")
        figures.curve(ax, weighted_mean(x, t, Y, h), label="your f(x)")
    display(
        figures.show(
            figure, "Your f(x) on a noisy spiral, for h = 0.003, 0.03 and 0.3"
        )
    )

# %% [markdown]
# With a small h the curve visits single points. With a large one every position sees all of the
# data, and the curve shrinks towards their mean. The sum of the weights turns them into shares of
# one whole; without this division f(x) would be no mean. Nothing here says which h is right: lesson
# 01 answers that question after equation (2).
#
# **To think about**: why can f(x) never leave the smallest box around the data, whatever h is?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one
# file, and `restore_work()` brings it back on another machine. Next: [exercise
# 2](02_latent_density.ipynb), or back to [lesson 01](../notebooks/01_kernel_regression.ipynb).
