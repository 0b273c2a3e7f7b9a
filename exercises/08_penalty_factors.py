# %% [markdown]
# # Exercise 8: what isolation costs
#
# Leaving a point out of its own reconstruction multiplies its squared residual by a factor. The
# factor depends on the latent points alone. You compute it, and catch a point that hides.
#
# **Afterwards you can** get the leave-one-out error from the plain residuals without leaving
# anything out, and say what a large factor means for a point.
#
# **You need** [lesson 04](../notebooks/04_leave_one_out.ipynb), equations (11) and (12) of [UKR], and
# [exercise 7](07_leave_one_out.ipynb).
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
# Let $T_i = \sum_{j \ne i} K(x_i - x_j)$ be what the others give to point $i$, with
# $K(x - x') = \exp(-\frac12 |x - x'|^2)$. Then $K(0) = 1$ and
#
# $$S_i = \Bigl(1 + \frac{K(0)}{T_i}\Bigr)^2, \tag{12}$$
#
# $$R_{cv}(X) = \frac1N \sum_i S_i\, |y_i - f(x_i)|^2. \tag{11}$$
#
# (11) contains the *plain* reconstructions $f(x_i)$, in which every point helps to rebuild itself.
# Your function returns two things: the factors, and the terms of (11) before their mean is taken.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `S`, the factors | (N,) |
# | `Y`, data | (N, d) | `terms`, $S_i\,\lvert y_i - f(x_i)\rvert^2$ | (N,) |
#
# By hand: three points at the same latent place, with data 0, 3 and 6. Each sees two others at
# distance 0, so $T = 2$ and $S = (1 + \frac12)^2 = 2.25$, three times. All are rebuilt as 3, the
# squared residuals are 9, 0, 9, and the terms 20.25, 0, 20.25. Their mean is 13.5, as in exercise 7.


# %%
def penalties(X, Y):
    """S of (12) and the terms of (11): two arrays of shape (N,)."""
    # Make the matrix K of all pairs. From it, what the others give to each
    # point, and S. Rebuild all points with nothing left out, and multiply
    # their squared residuals by S. Return both.
    ### BEGIN SOLUTION
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2) / 2)
    total = K.sum(axis=1)
    S = (1 + 1 / (total - 1)) ** 2
    f = K @ Y / total[:, None]
    return S, S * np.sum((Y - f) ** 2, axis=1)
    ### END SOLUTION


# %%
report = check("penalty_factors", penalties)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("penalty_factors")` and `reveal("penalty_factors")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a detective. Here are 61 points on an arc, crowded except for one place in the
# middle, where a single point stands. That point was measured wrongly: it lies 1.4 times as far out
# as it should. **Predict** Does the curve show it? Is its residual among the large ones?

# %%
random = np.random.RandomState(3)
crowds = [
    np.sort(random.uniform(*ends, 30)) for ends in ((0, 7.5), (12.5, 20))
]
x = np.concatenate([crowds[0], [10.0], crowds[1]])
Y = 3 * np.stack(
    [np.cos(x / 4), np.sin(x / 4)], axis=1
) + 0.15 * random.normal(size=(61, 2))
liar = 30
Y[liar] *= 1.4
X = x[:, None]


def rank(values):
    """The rank of the liar when the points are sorted, largest first."""
    return 1 + int(np.sum(values > values[liar]))


# %%
if report.passed:
    S, terms = penalties(X, Y)
    print(f"by its residual, the liar is number {rank(terms / S)} of {len(X)}")
    print(
        f"by your terms, it is number {rank(terms)}; its factor is "
        f"{S[liar]:.0f}"
    )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2)
    figures.data(left, Y, title="Data, and the plain curve")
    figures.manifold(left, X, Y)
    curves = {"plain squared residual": terms / S, "your terms": terms}
    words = {
        "title": "Before and after",
        "across": "coordinate $x$",
        "up": "squared residual",
    }
    for line in figures.lines(
        right, x, curves, **words, log="y", markers=True
    ):
        line.set_linestyle("none")
    right.legend(loc="lower center", frameon=False, fontsize="small")
    text = (
        "Left: the curve bends out to a lonely point. Right: its plain "
        f"squared residual is number {rank(terms / S)} of 61, "
        f"{terms[liar] / S[liar]:.3f}; its term is the largest, "
        f"{terms[liar]:.1f}."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The curve goes almost through the wrong point: nobody else is near enough to object. So its
# residual is one of the smallest, and nobody who looks at residuals notices it. Its factor says
# that this small number is worthless, because the point was its own witness. Where points are
# crowded, the two marks on the right nearly coincide.
#
# You could have printed the factors before a single data point was measured: they are a price list of
# places. In linear regression the same quantity is known as leverage.
#
# **To think about**: $B_{ii} = K(0) / (T_i + K(0))$ is the weight of a point in its own reconstruction.
# Write $S_i$ in terms of $B_{ii}$ alone. What happens as $B_{ii}$ goes to 1?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 9](09_gradient_by_points.ipynb), or back to
# [lesson 04](../notebooks/04_leave_one_out.ipynb).
