# %% [markdown]
# # Exercise 25: Huber's weights
#
# A robust centre is a weighted mean. You find the weights, and take one step towards the centre.
#
# **Afterwards you can** minimise Huber's cost by weighted squares, and say why no step goes uphill.
#
# **You need** [lesson 22](../notebooks/22_one_functional.ipynb), equation (8) of [RPM].
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
# With $s_n = |y_n - f|$, the distance of a point from the present centre $f$, Huber's cost is
#
# $$c(s) = \begin{cases} \frac{s^2}{2\sigma} & \text{for } s \le \sigma, \\
# s - \frac{\sigma}{2} & \text{otherwise.} \end{cases} \tag{8}$$
#
# Its best centre has no formula. But each cost can be replaced by a square $w_n s^2 + \text{const}$
# that touches it at the present distance: same value, same slope. The weight follows from the
# slopes,
#
# $$2 w_n s_n = c'(s_n).$$
#
# Near points, $s_n \le \sigma$, have the weight that the square in (8) shows. This holds at
# $s_n = 0$ too, where the slopes do not tell. The square lies above the cost everywhere else, so a centre that lowers the squares
# lowers the cost. The best centre for the squares is the weighted mean of the points.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `cost`, $c(s_n)$ of every point at `f` | (N,) |
# | `f`, the present centre | (d,) | `w`, the weights | (N,) |
# | `sigma`, σ | a number | `centre`, the weighted mean | (d,) |
#
# By hand: the points (3, 4), (1, 0), (0, 2), (-6, 8), with $f = (0, 0)$ and $\sigma = 2$. The
# distances are 5, 1, 2, 10, and the costs 4, 1/4, 1, 9. The slopes are 1, 1/2, 1, 1, so the weights
# are 1/10, 1/4, 1/4, 1/20. They sum to 0.65. The weighted mean is (0.25, 1.3) / 0.65 = (0.38, 2),
# where the plain mean is (-0.5, 3.5).


# %%
def huber_step(Y, f, sigma):
    """c(s_n) of (8), the weights w_n, and the weighted mean."""
    # The distance of every point from f. The cost by (8). The weights from
    # equal slopes. The mean with these weights. Return cost, w, centre.
    ### BEGIN SOLUTION
    s = np.linalg.norm(Y - f, axis=1)
    cost = np.where(s <= sigma, s**2 / (2 * sigma), s - sigma / 2)
    w = 1 / (2 * np.maximum(s, sigma))
    return cost, w, (w[:, None] * Y).sum(axis=0) / w.sum()
    ### END SOLUTION


# %%
report = check("huber_reweighting", huber_step)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("huber_reweighting")` and `reveal("huber_reweighting")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a way to find yourself in a city. A phone has taken 60 readings of its place, with
# an error of 5 metres. For 18 of them the signal came by way of a tall building, and they are about
# 100 metres off, all to the same side. The true place is (0, 0).
#
# We repeat your step until nothing moves, for every σ from .1 to 1000 metres.
#
# **Predict** Which σ is best? And to which known centres does yours come for a very large and a
# very small σ?

# %%
random = np.random.RandomState(0)
readings = 5 * random.normal(size=(60, 2))
readings[:18] = np.array([80.0, 60.0]) + 15 * random.normal(size=(18, 2))
SIGMAS = np.geomspace(0.1, 1000, 25)


# %%
def settled(sigma):
    """Your centre, once nothing moves, and the mean cost on the way."""
    f, falls = readings.mean(axis=0), []
    for _ in range(300):
        cost, _, f = huber_step(readings, f, sigma)
        falls.append(np.mean(cost))
    return f, falls


# %% tags=["nbval-ignore-output"]
if report.passed:
    centres = np.array([settled(sigma)[0] for sigma in SIGMAS])
    off = np.linalg.norm(centres, axis=1)
    medians = np.median(readings, axis=0)
    print(
        f"metres off: the mean {np.linalg.norm(readings.mean(axis=0)):.1f}",
        end=", ",
    )
    print(
        f"yours {off[0]:.1f} (σ = 0.1), {off[10]:.1f} (σ = {SIGMAS[10]:.1f})",
        end=", ",
    )
    print(
        f"{off[-1]:.1f} (σ = 1000); the medians of the columns "
        f"{np.linalg.norm(medians):.1f}"
    )
    rises = sum(
        (np.diff(settled(sigma)[1]) > 1e-9).sum() for sigma in SIGMAS[::6]
    )
    print("steps uphill:", rises)


# %%
def draw_centres(ax):
    """The readings, the truth, the mean, and your centres for all σ."""
    figures.data(ax, readings, title="Readings, and your centres")
    figures.curve(ax, centres, label="your centre, all σ")
    with figures.style():
        ax.plot(
            *readings.mean(axis=0),
            "s",
            color=figures.COLORS[1],
            ms=8,
            label="mean",
        )
        ax.plot(0, 0, "*", color="#222222", ms=13, label="truth")
        ax.legend(loc="upper left")


# %% tags=["aside"]
if report.passed:
    assert off[10] < 0.25 * off[-1] and rises == 0
    figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.4))
    draw_centres(left)
    curves = {
        "yours": off,
        "column medians": np.full(25, np.linalg.norm(medians)),
    }
    figures.lines(
        right,
        SIGMAS,
        curves,
        title="How far off",
        across="σ",
        up="metres",
        log="xy",
    )
    text = (
        "Left: a dense cloud around the true place, a second one 100 metres "
        "off, and your centres on a line from the mean towards the truth. "
        f"Right: the distance from the truth falls from {off[-1]:.0f} to "
        f"{off[0]:.1f} metres as σ falls, most of it between 100 and 5 metres."
    )
    display(figures.show(figure, text))

# %% [markdown]
# With a large σ all points are near, and your centre is the mean. With a small one all are far, and
# it minimises the sum of the distances themselves. That is the *spatial median*, which is not the
# median of each column: it would be the same place on a map turned by any angle. It costs a little
# precision when no reading is broken, so a σ of the size of the ordinary error is a good choice.
#
# Even the best centre here is pulled a little to one side: the 18 readings pull with force one
# each, all in the same direction.
#
# **To think about**: how many of the 60 readings would have to be wrong, all alike, before no σ
# helps?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next: [exercise
# 26](26_k_planes.ipynb), or back to [lesson 22](../notebooks/22_one_functional.ipynb).
