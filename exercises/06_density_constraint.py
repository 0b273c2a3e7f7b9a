# %% [markdown]
# # Exercise 6: the density constraint, for every point
#
# A bound on the density of the latent points stops what you did in exercise 5, as long as no point
# may hide behind the others.
#
# **Afterwards you can** say for each latent point how far inside the allowed domain it is, or how
# far outside, for any kernel.
#
# **You need** [lesson 05](../notebooks/05_density_constraint.ipynb) up to equation (7) of [UKR], and
# [exercise 2](02_latent_density.ipynb) for the density.
#
# **Time** 15 minutes.

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
# Latent points may only lie where the density is at least the share $\eta$ of the greatest possible
# value. That value is $K(0)$, the density where all points lie in one place:
#
# $$p(x_i) \ge \eta\, K(0), \qquad p(x_i) = \frac1N \sum_{j=1}^N K(|x_i - x_j|^2). \tag{3, 7}$$
#
# Compute the *slack* $s_i = p(x_i) - \eta K(0)$ of each point: the surplus, or, if negative, the
# deficit.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `slack` | (N,) |
# | `eta`, the threshold | a number, 0 to 1 | | |
# | `kernel`, a function of squared distances | K of numbers or arrays | | |
#
# Call `kernel(t)` with one squared distance or a whole array of them. $K(0)$ is `kernel(0)`; it is 1
# for $e^{-t/2}$, but not for every kernel.
#
# By hand: latent points 0 and 2, $\eta = 0.5$, $K(t) = 6 e^{-t/2}$. Then $K(0) = 6$, the other
# kernel value is $6 e^{-2} = 0.812$, and both densities are $(6 + 0.812)/2 = 3.406$. Both slacks are
# $3.406 - 3 = 0.406$: allowed. In (7) a point sees itself.


# %%
def density_slack(X, eta, kernel):
    """p(x_i) - eta K(0) for every latent point, an array of shape (N,)."""
    # The squared distances of all pairs. The density at each point: the mean
    # of the kernel values to all N points, itself included. Return it minus
    # the threshold, the same for all.
    ### BEGIN SOLUTION
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    p = kernel(t).mean(axis=1)
    return p - eta * kernel(0)
    ### END SOLUTION


# %%
report = check("density_constraint", density_slack)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("density_constraint")` and `reveal("density_constraint")` in
# a new cell do the same.
#
# ## What you have built
#
# Read the density as the height of the land, and $\eta K(0)$ as the sea level. Your function says
# which points are under water. The sea rises over 150 latent points:
#
# **Predict** Which points drown first? And how many points are gone when the *mean* slack turns
# negative?

# %%
random = np.random.RandomState(4)
clumps = ((0, 0, 70), (4, 1, 40), (1, 4.5, 30), (5, 5, 10))
X = np.vstack([random.normal((a, b), 0.9, size=(n, 2)) for a, b, n in clumps])
gaussian = lambda t: np.exp(-t / 2)
levels = (0.02, 0.07, 0.13)
if report.passed:
    slacks = {eta: density_slack(X, eta, gaussian) for eta in (*levels, 0.14)}
    for eta, slack in slacks.items():
        drowned, mean = int((slack < 0).sum()), slack.mean()
        print(
            f"sea level {eta:4}: {drowned:3} of 150 points drowned, mean "
            f"slack {mean:+.3f}"
        )

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 3, size=(10.5, 3.6))
    for ax, eta in zip(axes, levels, strict=True):
        drowned = X[slacks[eta] < 0]
        title = f"η = {eta}: {len(drowned)} drowned"
        figures.latent_density(ax, X, density_threshold=eta, title=title)
        ax.plot(*drowned.T, "x", color="white", markersize=5)
    text = (
        "Land above three sea levels: one island, two, one with a thin "
        "isthmus. The points that "
        "drowned (2, 25, 76), crosses, lie off the coasts."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The library draws the coastlines from (7) at 14,400 places; the crosses are the points with *your*
# negative slack. They agree. The isolated points at the rims drown first, then whole clumps; at
# 0.13 the last island hangs together by a thread. The sea level is one number, but the land breaks
# apart where the data do: a manifold under (7) may have several pieces.
#
# Now look at the mean. At 0.13 half of the points have drowned, and the mean slack is still
# positive: a crowded island pays for all the others. That is why (9) asks *every* point. A point
# that runs away costs the mean next to nothing, and R vanishes because points run away.
#
# **To think about**: if all points are drawn together towards their mean, by a factor below 1, can
# any slack fall? What does that say about finding a way back for points that broke the constraint?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 7](07_leave_one_out.ipynb), the other cure, or back to
# [lesson 05](../notebooks/05_density_constraint.ipynb).
