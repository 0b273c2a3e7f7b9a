# %% [markdown]
# # Exercise 27: adapt a manifold
#
# When every point knows its place on the curve, the curve itself is the solution of one linear
# system. You find the system by setting a slope to zero.
#
# **Afterwards you can** derive and solve (33), and say what the number of points does in it.
#
# **You need** [lesson 23](../notebooks/23_principal_manifolds.ipynb), equations (31) to (33) of
# [RPM].
#
# **Time** 20 minutes.

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
# The curve or surface is a sum of bumps, $f(z) = \sum_j \alpha_j\, k(z_j, z)$ (31), with the kernel
# $k(z, z') = e^{-|z - z'|^2 / 2\sigma^2}$ (18). The codes $\zeta_n$ are given. Find the coefficients
# α that minimise
#
# $$\frac1N \sum_{n=1}^N \Bigl|y_n - \sum_j \alpha_j\, k(z_j, \zeta_n)\Bigr|^2
# + \frac\lambda2 \sum_{i,j} \langle \alpha_i, \alpha_j \rangle\, k(z_i, z_j). \tag{32}$$
#
# With $K_\zeta$, which holds $k(\zeta_n, z_j)$, and $K_z$, which holds $k(z_i, z_j)$, the slope of (32)
# is $-\frac2N K_\zeta^T (Y - K_\zeta \alpha) + \lambda K_z \alpha$. Set it to zero and solve for α.
# The error in (32) is a *mean*; for the sum of the errors the same λ would count $N$ times less.
# There is no constant $f_0$: take the data as they are.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `zeta`, codes ζ | (N, q) | `alpha`, coefficients α | (M, d) |
# | `Y`, data | (N, d) | | |
# | `nodes`, $z_j$ | (M, q) | | |
# | `width`, σ | a number | | |
# | `penalty`, λ | a number | | |
#
# By hand: one node and two points, the first at the node, the second far away. Then
# $K_\zeta = (1, 0)^T$ and $K_z = 1$. Let the data be (4, 2) and (0, 6), and λ = 1. The slope of (32)
# is $-(4, 2) + \alpha + \alpha$, so $\alpha = (2, 1)$: the curve goes half of the way to the first point.
# The second is too far away to matter.


# %%
def coefficients(zeta, Y, nodes, width, penalty):
    """The coefficients α that minimise (32), an array of shape (M, d)."""

    # The kernel between codes and nodes, and between nodes and nodes. Then the
    # system that is left when the slope of (32) is zero: which factor belongs
    # to which matrix? Return its solution.
    ### BEGIN SOLUTION
    def kernel(a, b):
        return np.exp(-np.sum((a[:, None] - b) ** 2, axis=2) / (2 * width**2))

    K_zeta, K_z = kernel(zeta, nodes), kernel(nodes, nodes)
    A = penalty * len(Y) / 2 * K_z + K_zeta.T @ K_zeta
    return np.linalg.solve(A, K_zeta.T @ Y)
    ### END SOLUTION


# %%
report = check("adapt_manifold", coefficients)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("adapt_manifold")` and `reveal("adapt_manifold")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a pen that draws through a shaky hand. A heart was drawn in 80 shaky dots, and each
# dot knows when it was drawn: its code runs from -1 to 1. Your function makes a smooth line of them,
# once with 16 bumps and once with 32.
#
# **Predict** Which of the two lines is smoother?

# %%
t = np.linspace(-1, 1, 400)[:, None]


def heart(t):
    a = np.pi * t
    down = (
        13 * np.cos(a) - 5 * np.cos(2 * a) - 2 * np.cos(3 * a) - np.cos(4 * a)
    ) / 16
    return np.hstack([np.sin(a) ** 3, down])


# %%
codes = np.sort(np.random.RandomState(0).uniform(-1, 1, (80, 1)), axis=0)
dots = heart(codes) + 0.08 * np.random.RandomState(1).normal(size=(80, 2))


def drawn(M, width=0.16, penalty=2e-3):
    """Your curve with M bumps."""
    nodes = np.linspace(-1, 1, M)[:, None]
    alpha = coefficients(codes, dots, nodes, width, penalty)
    K = np.exp(-((t - nodes.T) ** 2) / (2 * width**2))
    return K @ alpha


# %%
if report.passed:
    few, many = drawn(16), drawn(32)
    apart = np.linalg.norm(few - many, axis=1).max()
    print(
        "the two lines are nowhere farther apart than 2 % of the heart:",
        bool(apart < 0.04),
    )
    shaky = np.linalg.norm(dots - heart(codes), axis=1).mean()
    yours = np.linalg.norm(many - heart(t), axis=1).mean()
    print(
        f"mean distance from the true heart: dots {shaky:.2f}, your line "
        f"{yours:.2f}"
    )

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 2, size=(9, 4.2))
    for ax, M, line in zip(axes, (16, 32), (few, many), strict=True):
        figures.data(ax, dots, title=f"{M} bumps")
        figures.curve(ax, heart(t), label="true heart")
        ax.plot(*line.T, color=figures.COLORS[1], lw=2.2, label="your line")
        ax.legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.16),
            ncols=2,
            frameon=False,
        )
    text = (
        "Two hearts of shaky dots, each with a smooth line through the "
        "middle; the lines with 16 and with 32 bumps cannot be told apart."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The two lines are the same, although the second has twice as many coefficients. (17) charges the
# *curve*, and not the way in which it is written, so further bumps buy nothing. The true heart is
# nearer to your line than to the dots.
#
# **To think about**: replace $K_z$ by the identity matrix and draw again (call `drawn` yourself; the
# check would name the mistake). What happens now from 16 to 32 bumps?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 28](28_project_onto_curve.ipynb), or back to
# [lesson 23](../notebooks/23_principal_manifolds.ipynb).
