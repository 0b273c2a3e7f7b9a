# %% [markdown]
# # Exercise 14: the quartic kernel, its slope and P
#
# A kernel that ends makes most entries of every matrix zero. You write the two matrices that its
# gradient needs.
#
# **Afterwards you can** put any kernel into the gradient of UKR: differentiate it with respect to
# the squared distance, and compute the matrix P from it.
#
# **You need** [lesson 10](../notebooks/10_digits.ipynb) up to equation (36) of [UKR], and [exercise
# 10](10_gradient_matrix.ipynb) for the use of P.
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
from ukrlearn.ukr.reconstruction import pair_forces

# %% [markdown]
# ## The task
#
# With the squared latent distance $t = |x_n - x_m|^2$ the quartic kernel is
#
# $$K(t) = [1 - t]_+^2, \tag{34}$$
#
# where $[a]_+$ is $a$ if $a$ is positive and 0 otherwise. From its *slope* $K'(t) = dK/dt$ the
# gradient takes the matrix
#
# $$p_{nm} = \frac{-2 K'(|x_n - x_m|^2)}{\sum_k K(|x_n - x_k|^2)}. \tag{27}$$
#
# For this kernel it is $4\sqrt{K}$ divided by the same sum (36), which lets you check your result.
# Nothing is left out; a point is a neighbour of itself, in the matrices and in the sum. (The rows
# of our P are the columns of the paper's.)
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `slope`, $K'$ of all pairs | (N, N) |
# | | | `P` | (N, N) |
#
# By hand: latent points 0 and 0.5. Then $t = 0.25$, $[1 - t]_+ = 0.75$ and $K = 0.5625$; between the
# two, $K' = -1.5$, and on the diagonal $-2$. Each row of K sums to 1.5625, so the first row of P is
# $4/1.5625 = 2.56$ and $3/1.5625 = 1.92$.


# %%
def slope_and_P(X):
    """K'(t) for all pairs, and P of (27): two arrays of shape (N, N)."""
    # The squared distances t of all pairs, and the bracket of (34): zero where
    # 1 - t is negative. The derivative of K with respect to t, for all pairs.
    # The kernel values K. Finally P: each row of -2 times the slope, divided
    # by the sum of that row of K.
    ### BEGIN SOLUTION
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    bracket = np.maximum(1 - t, 0)
    slope = -2 * bracket
    K = bracket**2
    P = -2 * slope / K.sum(axis=1, keepdims=True)
    return slope, P
    ### END SOLUTION


# %%
report = check("quartic", slope_and_P)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("quartic")` and `reveal("quartic")` in
# a new cell do the same.
#
# ## What you have built
#
# The gradient is a net of springs between latent points: $Q + Q^T$ says how strongly each pair
# pulls together (or pushes apart), and Q contains P as a factor. Where P is zero there is no
# spring. Here are 100 points of a Swiss roll, spread over their true sheet. The springs on the left
# belong to the Gaussian kernel, those on the right to *your* P.
#
# **Predict** How many of the 4950 pairs does a spring join on the left, and how many on the right?

# %%
Y, X = datasets.swiss_roll(100, noise=0.3, random_state=1)
X = 1.7 * (X - X.mean(axis=0)) / X.std(axis=0)
if report.passed:
    slope, P = slope_and_P(X)
    K = slope**2 / 4  # of this kernel, the slope knows everything
    B = K / K.sum(axis=1, keepdims=True)
    M = (B @ Y - Y) @ Y.T
    Q = P * (M - np.sum(M * B, axis=1, keepdims=True))  # (31)
    pairs = np.triu_indices(100, 1)
    print(
        "springs, Gaussian:",
        np.count_nonzero(np.exp(-np.sum((X[:, None] - X) ** 2, 2))[pairs]),
    )
    print("springs, quartic: ", np.count_nonzero(P[pairs]))

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 2, size=(10, 4.4))
    gaussian = pair_forces(X, Y, leave_one_out=False)
    for ax, S, name in zip(
        axes, (gaussian, Q), ("Gaussian", "quartic"), strict=True
    ):
        figures.springs(ax, X, S + S.T, title=f"Springs of the {name} kernel")
    text = (
        "100 latent points. Left: springs between all pairs, each point sees "
        "every other. Right: a loose net between near neighbours only."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Both nets pull the same points, and both are gradients of an error. On the right one pair in
# thirteen has a spring, so a step of the descent needs to look only at these; with ten times as
# many points on a sheet ten times as large, it looks at one pair in 130. That is how the quartic
# kernel makes large data affordable. The price: two points that have lost sight of each other exert
# no force on each other, however wrong that is.
#
# **To think about**: $K' = -2\sqrt{K}$ here, and $K' = -K/2$ for the Gaussian. Which kernel has a
# slope that is $-K^2$, and does it end?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 15](15_l1_gram.ipynb), or back to [lesson 10](../notebooks/10_digits.ipynb).
