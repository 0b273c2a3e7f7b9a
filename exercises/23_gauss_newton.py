# %% [markdown]
# # Exercise 23: the Gauss-Newton step of every point
#
# With both maps held fixed, every latent point has its own small problem. You take one step for all
# points at once.
#
# **Afterwards you can** write the step that moves all latent points, say where each of its parts
# pulls a point, and show from which starts the steps reach the right place.
#
# **You need** [unit 18](../notebooks/18_two_maps.ipynb), equations (7) to (12) of [DRUR], and
# [exercise 21](21_rbf_jacobian.ipynb) for the matrix $J$.
#
# **Time** 20 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
from ukrlearn.blocks.networks import best_width, cluster_centres, fit_rbf
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
# Point $n$ wants a latent position $x$ that is near $F(y)$ and whose image $f(x)$ is near its data:
#
# $$\min_x\; E(x) = |y - f(x)|^2 + |x - F(y)|^2. \tag{7}$$
#
# Replace $f$ by its tangent, $f(x + p) \approx f(x) + Jp$. Then $E(x + p)$ is a parabola in $p$
# with the curvature $2\,(I + J^T J)$, (11), and its minimum is at
#
# $$p = (I + J^T J)^{-1} \bigl(J^T (y - f(x)) - x + F(y)\bigr). \tag{12}$$
#
# Every point has its own $J$, hence its own system of $q$ equations.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `f`, values $f(x_n)$ | (N, d) | `step`, one row $p_n$ for each point | (N, q) |
# | `J`, Jacobians at $x_n$ | (N, d, q) | | |
# | `X`, latent points | (N, q) | | |
# | `Y`, data | (N, d) | | |
# | `F_Y`, values $F(y_n)$ | (N, q) | | |
#
# By hand: $J$ is the column (1, 2), $y - f(x) = (2, 2)$, $x = 0$ and $F(y) = 6$. Then
# $1 + J^T J = 6$ and the bracket is $2 + 4 - 0 + 6 = 12$, so $p = 2$. The data alone would ask for
# a step of 6/5, and $F$ alone for a step of 6.


# %%
def gauss_newton(f, J, X, Y, F_Y):
    """p_n of (12) for every point, an array of shape (N, q)."""
    # For one point: the q x q matrix, the bracket, and the system that they
    # make. A loop over the points is fine; NumPy can also solve a stack of
    # systems in one call.
    ### BEGIN SOLUTION
    Jt = J.transpose(0, 2, 1)
    left = np.eye(X.shape[1]) + Jt @ J
    right = (Jt @ (Y - f)[:, :, None])[:, :, 0] - X + F_Y
    return np.linalg.solve(left, right[:, :, None])[:, :, 0]
    ### END SOLUTION


# %%
report = check("gauss_newton", gauss_newton)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("gauss_newton")` and `reveal("gauss_newton")` in
# a new cell do the same.
# If the check says *under the
# microscope*, it has split (12) into its terms, and says which pull is missing in yours.
#
# ## What you have built
#
# You have built a way to see valleys. The data are a Swiss roll, and we ask for the place of *one*
# of its points, which lies near the inner end. 3200 walkers start from everywhere on the sheet, and
# each takes 40 of your steps.
#
# In unit 18 the *unit* of latent space was a hidden parameter: $|x - F(y)|^2$ is measured in it.
# So we do everything twice. The second time we double all latent lengths, and adapt the two maps.
#
# **Predict** How many different places do the walkers find? And can the unit change that number?

# %%
roll, t = datasets.swiss_roll(300, length=90.0, height=50.0, random_state=0)
Y = (roll - roll.mean(axis=0)) / np.sqrt(roll.var(axis=0).sum())
X = (t - t.mean(axis=0)) / np.sqrt(t.var(axis=0).sum())
POINT = 7
SIDES = [
    np.linspace(X[:, l].min(), X[:, l].max(), number)
    for l, number in ((0, 80), (1, 40))
]
START = np.stack(np.meshgrid(*SIDES), axis=-1).reshape(-1, 2)


def fitted(inputs, outputs):
    centres = cluster_centres(inputs, 40)
    width = best_width(inputs, outputs, centres, 1e-4)
    return fit_rbf(inputs, outputs, centres, width, 1e-4)


# %%
def walked(unit):
    """Where your steps lead from START, and f there, with X in this unit."""
    f, F = fitted(unit * X, Y), fitted(Y, unit * X)
    y = np.repeat(Y[[POINT]], len(START), axis=0)
    F_y = F(y)
    x = unit * START
    for _ in range(40):
        f_x, J = f.with_jacobian(x)
        x = x + gauss_newton(f_x, J, x, y, F_y)
    return x / unit, f(x)


# %% tags=["nbval-ignore-output"]
right = {}
if report.passed:
    found = {unit: walked(unit) for unit in (0.5, 1.0)}
    for unit, (x, _) in found.items():
        right[unit] = np.mean(np.linalg.norm(x - X[POINT], axis=1) < 0.2)
        places = len(np.unique(x.round(1)[:, 0]))
        print(
            f"unit {unit}: places found: {places}; at the right one "
            f"{right[unit]:.0%} of all"
        )


# %%
def coloured(ax, unit):
    """The start of each walker, coloured by where it arrives."""
    image = found[unit][0][:, 0].reshape(40, 80)
    with figures.style():
        ax.pcolormesh(
            *SIDES,
            image,
            vmin=X[:, 0].min(),
            vmax=X[:, 0].max(),
            cmap="viridis",
        )
        ax.plot(*X[POINT], "w*", markersize=14, markeredgecolor="k")
        ax.set(
            title=f"Unit {unit}",
            xlabel="$x_1$",
            ylabel="$x_2$",
            aspect="equal",
        )


# %% tags=["aside"]
if report.passed:
    assert 0.3 < right[0.5] < 0.6 and right[1.0] > 0.95
    figure, axes = figures.blank(1, 3, size=(13, 3.8))
    figures.data(
        axes[0], Y[:, [0, 2]], X[:, 0], title="The roll, from the side"
    )
    axes[0].set_ylabel("$y_3$")
    axes[0].plot(*found[0.5][1][:, [0, 2]].T, "ks", markersize=7)
    axes[0].plot(*Y[POINT, [0, 2]], "w*", markersize=14, markeredgecolor="k")
    coloured(axes[1], 0.5)
    coloured(axes[2], 1.0)
    text = (
        "Left: the roll from the side, with the point (star) near its inner "
        "end. Squares show where walkers end: one at the star, one on the "
        "next turn. Middle and right: the sheet, with each start coloured "
        f"by where it leads. In the small unit {right[0.5]:.0%} of the "
        f"starts lead to the star; in the large one {right[1.0]:.0%}."
    )
    display(figures.show(figure, text))

# %% [markdown]
# In the small unit there are two valleys, with a nearly straight border between them. Walkers in
# the second valley end on the next turn of the roll. There $f(x)$ is nearer to $y$ than at all
# places around, and the pull of $F(y)$ is too weak to take them over the border. In the large unit the same pull
# is four times as strong, and there is a single valley. Your function is the same; the problem
# has changed.
#
# Such a strong pull also has its price: where $F$ is wrong, $x$ must follow it. That is why the
# library takes the smaller unit, and starts each point at the better of two places.
#
# **To think about**: no walker was asked to halve a step that leads uphill, and yet all of them
# arrive. Which property of $I + J^T J$ helps, and where would you look for a walker that doesn't?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next: [exercise
# 24](24_project_adapt.ipynb), or on to [unit 19](../notebooks/19_alternation.ipynb).
