# %% [markdown]
# # Exercise 12: the likelihood of a bandwidth
#
# Coordinates without a scale are worth little. A judge that never sees the data proposes a scale:
# it asks, for each latent point, whether the others would have expected it there.
#
# **Afterwards you can** compute the leave-one-out log likelihood of a bandwidth, use it to find the
# scale of any coordinates, and say how this judge can be bribed.
#
# **You need** [lesson 08](../notebooks/08_starts_and_scales.ipynb), the section *The scale*
# (section 4 of [UKR]), and [exercise 2](02_latent_density.ipynb) for the density.
#
# **Time** 20 minutes.

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
# How likely is latent point $x_n$, if the density is made of all the *other* points with bandwidth
# $h$? Take the logarithm of that density, and then the mean over all points:
#
# $$L(h) = \frac1N \sum_{n=1}^N \log p_{-n}(x_n), \qquad p_{-n}(x_n) = \frac{1}{(N-1)\,h^q}
# \sum_{m \ne n} K\!\left(\frac{|x_n - x_m|^2}{h^2}\right), \qquad K(t) = e^{-t/2}.$$
#
# $q$ is the number of columns of `X`. (A density has one more factor, $(2\pi)^{-q/2}$. It is the same
# for every $h$, and is left out here as in the lesson.)
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `log_likelihood`, L(h) | a number |
# | `h`, bandwidth | a number | | |
#
# By hand: points 0, 1 and 3, $h = 1$. The kernels of the three distances 1, 2, 3 are .607, .135 and
# .011. So $p_{-1} = (.607 + .011)/2 = .309$, $p_{-2} = (.607 + .135)/2 = .371$ and
# $p_{-3} = (.135 + .011)/2 = .073$. Their logarithms are $-1.175$, $-0.992$ and $-2.614$, with the
# mean $L(1) = -1.594$.


# %%
def log_likelihood(X, h):
    """L(h), a number."""
    # Kernels of all pairs; no point may help itself. For each point the sum
    # over the others, divided by their number and by h to the power q. The
    # logarithm of each; their mean. Return it.
    ### BEGIN SOLUTION
    N, q = X.shape
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / (2 * h**2))
    np.fill_diagonal(K, 0)
    densities = K.sum(axis=1) / ((N - 1) * h**q)
    return np.mean(np.log(densities))
    ### END SOLUTION


# %%
report = check("scale_by_likelihood", log_likelihood)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("scale_by_likelihood")` and `reveal("scale_by_likelihood")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a judge of bandwidths. Here are 150 points along a spiral, for once as latent
# points in a plane, and your $L(h)$ for sixty bandwidths between .01 and 1.
#
# Then the same points are recorded twice: 300 rows, without any new information.
#
# **Predict** Where is the maximum for the 300 rows: at the same $h$, a smaller one or a larger one?

# %%
X, _ = datasets.noisy_spiral(150, random_state=0)
widths = np.geomspace(0.01, 1, 61)
if report.passed:
    once = [log_likelihood(X, h) for h in widths]
    twice = [log_likelihood(np.repeat(X, 2, axis=0), h) for h in widths]
    best = widths[int(np.argmax(once))]
    print(f"once:  the best of all h is {best:.3f}")
    print(
        f"twice: the best of all h is {widths[int(np.argmax(twice))]:.3f}, "
        "the least one tried"
    )

# %%
if report.passed:
    figure, axes = figures.blank(1, 4, size=(12.5, 3.2))
    curves = {"each point once": once, "each point twice": twice}
    look = dict(
        title="Your L(h)", across="bandwidth h", up="log likelihood", log="x"
    )
    figures.lines(axes[0], widths, curves, **look)
    axes[0].axvline(best, color="#8c9aa8", linewidth=1)
    axes[0].set_ylim(-4, 4)
    for ax, h in zip(axes[1:], (best / 3, best, 3 * best), strict=True):
        figures.latent_density(ax, X / h, title=f"h = {h:.3f}")

# %%
text = (
    "Likelihood over h: with each point once a hill with its top at h = "
    "0.063; with each point twice it rises without end as h falls. Then the "
    "density for h = 0.021, single spots; for h = 0.063, both turns of the "
    "spiral; for h = 0.189, one blur."
)
if report.passed:
    display(figures.show(figure, text))

# %% [markdown]
# To the left of the hill the points are too isolated to expect each other; to the right the density
# is smeared over empty places. At its top you can see both turns of the spiral. Divide `X` by this
# $h$, and the kernel of width 1 fits: that is the scale.
#
# Now the bribe: leaving a point out excludes its own testimony, but not that of its twin. When
# every point occurs twice, a bandwidth near zero explains each point by its copy, and $L$ rises
# without end. Real data contain such twins more often than one expects: rounded numbers, records
# that were merged, the same patient measured twice. (`UKR(leave_out=labels)` is for them: rows with
# the same label are left out together.)
#
# **To think about**: add one point without a twin to the 300 rows. Does $L(h)$ still rise without
# end?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 13](13_projection.ipynb), or back to
# [lesson 08](../notebooks/08_starts_and_scales.ipynb).
