# %% [markdown]
# # Exercise 40: leave-one-out without refitting
#
# Kernel ridge regression sends new points into an embedding. What would it have said of each
# training point, had it never seen that point? You answer for all N points with a single fit.
#
# **Afterwards you can** compute leave-one-out residuals of kernel ridge regression with a constant in
# closed form, and find a point whose place is wrong.
#
# **You need** [lesson 30](../notebooks/30_where_new_points_go.ipynb), the section "Leave-one-out
# without refitting".
#
# **Time** 25 minutes.

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
# Data $y_n$ (rows of `Y`) have places $x_n$ (rows of `X`). The regression is
#
# $$f(y) = c + \sum_n w_n \exp(-\gamma\, |y - y_n|^2).$$
#
# The penalty λ keeps the weights small and leaves the constant $c$ (a row of q numbers) free. Let
# $K_{nm} = \exp(-\gamma |y_n - y_m|^2)$ and $A = (K + \lambda I)^{-1}$, and let 1 be a column of ones.
# Then
#
# $$c = \frac{1^T A X}{1^T A\, 1}, \qquad W = A\,(X - 1c), \qquad X - f(Y) = \lambda W.$$
#
# Note that $c$ is *not* the mean of the places, and that it depends on all $x_n$. So $f(Y) = H X$ with
# a matrix $H$ that contains the constant. Return the residuals of every point without itself,
#
# $$x_n - f_{-n}(y_n) = \frac{x_n - f(y_n)}{1 - H_{nn}},$$
#
# where $f_{-n}$ is fitted to all other points, *with a constant of its own*.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `residuals`, $x_n - f_{-n}(y_n)$ | (N, q) |
# | `X`, places of the data | (N, q) | | |
# | `gamma`, γ | a number | | |
# | `penalty`, λ | a number | | |
#
# By hand: three points so far from each other that $K = I$, with places 0, 3 and 9, and $\lambda = 1$.
# Then $A = I/2$ and $c = 4$. The weights are -2, -1/2 and 5/2, which are also the plain residuals. Each
# $1 - H_{nn}$ is 1/3, so the residuals without the point are -6, -3/2 and 15/2. Check the first: the
# others have the mean 6, far from both of them f is 6, and 0 - 6 = -6.


# %%
def left_out_residuals(Y, X, gamma, penalty):
    """x_n - f_-n(y_n) for every n, an array of shape (N, q)."""
    # The kernel matrix of all pairs, and A. Write I - H as a matrix in terms
    # of A and its row sums: X - f(Y) = λ W, and W is a matrix times X. Then
    # each row of (I - H) X divided by its own diagonal entry.
    ### BEGIN SOLUTION
    squared_distances = np.sum((Y[:, None] - Y) ** 2, axis=2)
    A = np.linalg.inv(
        np.exp(-gamma * squared_distances) + penalty * np.eye(len(Y))
    )
    row_sums = A.sum(axis=1)
    B = A - np.outer(row_sums, row_sums) / row_sums.sum()
    return B @ X / np.diag(B)[:, None]  # I - H is λ B, and λ cancels
    ### END SOLUTION


# %%
report = check("ridge_leave_one_out", left_out_residuals)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("ridge_leave_one_out")` and `reveal("ridge_leave_one_out")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a detector of lies. Here are 150 points of an S-shaped sheet with their true places,
# except that the place of point 17 has been moved by 2. The fit to all points runs close to every place
# that it is given.
#
# **Predict** By how much does the fit miss the false place? How long is your residual there?

# %%
Y, X = datasets.s_curve(150, noise=0.02, random_state=0)
X[17] += [2.0, 0.0]
GAMMA, PENALTY, LIAR = 1.0, 0.01, 17


def plain_residuals(Y, X, gamma, penalty):
    """x_n - f(y_n) of the fit to all points."""
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    A = np.linalg.inv(K + penalty * np.eye(len(Y)))
    c = A.sum(axis=0) @ X / A.sum()
    return X - c - K @ A @ (X - c)


# %%
if report.passed:
    lengths = {
        name: np.linalg.norm(residuals(Y, X, GAMMA, PENALTY), axis=1)
        for name, residuals in (
            ("plain", plain_residuals),
            ("yours", left_out_residuals),
        )
    }
    for name, length in lengths.items():
        rest = np.delete(length, LIAR)
        print(
            f"{name}: point {LIAR} is off by {length[LIAR]:.2f}, the median "
            f"of all others by {np.median(rest):.2f}"
        )

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 2, size=(9, 3.8))
    titles = ("Residuals of the fit", "Your residuals without the point")
    for ax, title, length in zip(axes, titles, lengths.values(), strict=True):
        words = {"title": title, "across": "point", "up": "length"}
        figures.lines(ax, np.arange(150), {"": length}, **words)
        ax.set_ylim(0, 2.2)
        ax.plot(LIAR, length[LIAR], "o", mfc="none", mec="black", ms=12)
    text = (
        f"Left: the fit misses point 17 by {lengths['plain'][LIAR]:.2f}. "
        "Right: without it, by "
        f"{lengths['yours'][LIAR]:.2f}, more than any other point."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The fit has swallowed more than half of the lie, because point 17 is its own witness. Your residual
# shows nearly all of it. In 20 other draws (seeds 1 to 20) the plain residual of this point was .37 to
# 1.68, and yours 1.95 to 2.10; yours was the longest of all in 19. The other long ones belong to its
# neighbours, to which the liar still speaks, and to points at the edges of the sheet.
#
# **To think about**: what would you do with the neighbours' residuals after you have found the liar?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. This was
# the last exercise. Back to [lesson 30](../notebooks/30_where_new_points_go.ipynb).
