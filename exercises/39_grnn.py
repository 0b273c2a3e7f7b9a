# %% [markdown]
# # Exercise 39: a place for a new point
#
# An embedding gives places to the data that it has seen. You turn the regression of lesson 01 round
# and give a place to any other point, even to one that is very far away, and you predict each
# training point from all the others.
#
# **Afterwards you can** write a general regression neural network (GRNN) that never divides zero by
# zero, with its leave-one-out predictions at no extra cost.
#
# **You need** [lesson 30](../notebooks/30_where_new_points_go.ipynb), the section "Lesson 01 turned
# round".
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
# Data points $y_n$ (rows of `Y`) have places $x_n$ (rows of `X`) in latent space. A new point $y$
# goes to the weighted mean of the places,
#
# $$f(y) = \frac{\sum_n K_n\, x_n}{\sum_n K_n}, \qquad
# K_n = \exp\left(-\frac{|y - y_n|^2}{2\sigma^2}\right).$$
#
# Return two results: $f$ at all new points, and for each training point the same mean over all
# *other* training points, $f_{-n}(y_n)$.
#
# If a point is far from all others, every $K_n$ is zero in the computer, and 0/0 is not a number. But
# the ratio has a value: you may multiply all weights of a point by the same number. Choose it so that
# the largest weight is 1. For $f_{-n}$ the largest weight is that of the nearest *other* point.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `y`, new points | (M, d) | `f`, their places | (M, q) |
# | `Y`, data | (N, d) | `left_out`, $f_{-n}(y_n)$ | (N, q) |
# | `X`, places of the data | (N, q) | | |
# | `width`, σ | a number | | |
#
# By hand: data 0, 2 and 1000 have the places 10, 20 and 60, the width is 1. The new point 1 is
# equally far from 0 and 2, and the third weight vanishes: its place is 15. The new point 5000 goes to
# the place of the nearest point, 60. Left out, point 0 gets the place 20 of point 2, point 2 gets 10,
# and point 1000 gets 20, since 2 is nearer to it than 0.


# %%
def grnn(y, Y, X, width):
    """f at new points, (M, q); places of training points left out, (N, q)."""

    # A function that gives the weighted means at any points serves twice. It
    # computes the exponents -|y - y_n|²/2σ² (one row for each point) and
    # subtracts the largest of each row before exp. For the second call, think
    # of the exponent that makes a weight zero. Return f, left_out.
    ### BEGIN SOLUTION
    def mean(points, away):
        exponent = (
            -np.sum((points[:, None] - Y) ** 2, axis=2) / (2 * width**2) - away
        )
        K = np.exp(exponent - exponent.max(axis=1, keepdims=True))
        return K @ X / K.sum(axis=1, keepdims=True)

    return mean(y, 0), mean(Y, np.diag(np.full(len(Y), np.inf)))
    ### END SOLUTION


# %%
report = check("grnn", grnn)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("grnn")` and `reveal("grnn")` in
# a new cell do the same.
#
# ## What you have built
#
# A Swiss roll of 300 points has been unrolled; here the true coordinates of the sheet play the
# embedding. Your function gets 300 new points of the roll. It chooses its own width: the one with the
# least leave-one-out error. Only we know where the new points belong.
#
# **Predict** The width is chosen by training points alone. How far is it from the best width for the
# new points?

# %%
roll, sheet = datasets.swiss_roll(300, random_state=0)
new, truth = datasets.swiss_roll(300, random_state=1)
widths = np.geomspace(0.03, 10, 25)


def mean_square(difference):
    return np.mean(np.sum(difference**2, axis=1))


# %%
if report.passed:
    both = [grnn(new, roll, sheet, width) for width in widths]
    curves = {
        "your left_out": [
            mean_square(left_out - sheet) for _, left_out in both
        ],
        "new points": [mean_square(f - truth) for f, _ in both],
    }
    chosen, best = (int(np.argmin(curve)) for curve in curves.values())
    print(
        f"chosen by leaving out: width {widths[chosen]:.2f}; best for new "
        f"points {widths[best]:.2f}"
    )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(9, 3.8))
    words = {"title": "Two errors", "across": "width σ", "up": "mean square"}
    figures.lines(left, widths, curves, **words, log="xy")
    figures.latent(
        right, both[chosen][0], truth[:, 0], title="Places of the new points"
    )
    text = (
        f"Left: both errors have a valley, at widths {widths[chosen]:.2f} and "
        f"{widths[best]:.2f}. Right: the new points on the sheet, coloured "
        "by their true first coordinate, which changes evenly from left to "
        "right."
    )
    display(figures.show(figure, text))

# %% [markdown]
# 300 terms are enough to unroll new points. In 20 other pairs of draws the chosen width was the best
# for new points 17 times, and the next one of these 25 widths 3 times. Without your shift of the
# exponents, 159 of the 300 new points would have been 0/0 at the smallest width.
#
# **To think about**: every training point once more, with the same place. What does `left_out` say
# then, and which width does it choose?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 40](40_ridge_leave_one_out.ipynb), or back to
# [lesson 30](../notebooks/30_where_new_points_go.ipynb).
