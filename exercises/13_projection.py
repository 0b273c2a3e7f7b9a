# %% [markdown]
# # Exercise 13: the place of a new point
#
# A fitted curve becomes useful when new data find their place on it. You look for that place, and
# forbid places that do not belong to the manifold.
#
# **Afterwards you can** project any new point onto a fitted curve or surface, with the density
# constraint, and say where this map must tear.
#
# **You need** [lesson 09](../notebooks/09_projection.ipynb) up to equation (19) of [UKR], and
# exercises [1](01_nadaraya_watson.ipynb) and [2](02_latent_density.ipynb).
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
# The latent coordinate of a new point $y$ is the position whose image is nearest, among the
# positions with enough latent points around them:
#
# $$\hat x = \arg\min_x |y - f(x; X)|^2 \quad\text{subject to}\quad p(x) \ge \eta\, K(0), \tag{19}$$
#
# $$f(x; X) = \frac{\sum_n K(x - x_n)\, y_n}{\sum_n K(x - x_n)}, \qquad
# p(x) = \frac1N \sum_n K(x - x_n), \qquad K(v) = e^{-|v|^2/2}. \tag{2, 3}$$
#
# The library goes downhill from a good start. Here the positions $x$ are given, as the rows of
# `grid`, and you try them all, which is slower but never ends in the wrong valley. $K(0)$ is 1.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y_new`, new points | (M, d) | `x`, a row of `grid` for each | (M, q) |
# | `grid`, positions | (L, q) | | |
# | `X`, latent points | (N, q) | | |
# | `Y`, data | (N, d) | | |
# | `threshold`, η | a number | | |
#
# By hand: latent points 0, 1, 4 with data (0, 0), (2, 0), (2, 4), positions 0, 1, 2, 3, 4. There
# p = .536, .539, .292, .251, .337, and f = (.76, 0), (1.25, .03), (1.69, .62), (1.97, 3.22),
# (1.99, 3.96). The new point (2, 3) is nearest to f(3), but with η = .3 position 3 is forbidden, as is
# 2. So $\hat x = 4$.


# %%
def places(Y_new, grid, X, Y, threshold):
    """The allowed position (19) of each new point, an array (M, q)."""
    # f(x) and p(x) for every position of the grid. Which positions are
    # allowed? For each new point the squared distances to f of these; the
    # position of the smallest. Return one row for each.
    ### BEGIN SOLUTION
    K = np.exp(-np.sum((grid[:, None] - X) ** 2, axis=2) / 2)
    f, p = K @ Y / K.sum(axis=1, keepdims=True), K.mean(axis=1)
    grid, f = grid[p >= threshold], f[p >= threshold]
    squares = np.sum((Y_new[:, None] - f) ** 2, axis=2)
    return grid[squares.argmin(axis=1)]
    ### END SOLUTION


# %%
report = check("projection", places)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("projection")` and `reveal("projection")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a map of the whole plane. Each small square of the picture is a new point, and its
# colour is the place that your function finds for it on a spiral of 150 points.
#
# **Predict** Where in the plane do two neighbouring squares get very different colours? And what
# does a threshold do to this map?

# %%
Y, t = datasets.noisy_spiral(150, noise=0.03, random_state=0)
X, grid = 40 * t[:, None], np.linspace(0, 40, 201)[:, None]
side = np.linspace(-1.5, 1.5, 60)
plane = np.array([[a, b] for b in side for a in side])


def coloured(ax, threshold, title):
    """The plane by place; where the manifold exists, f in black."""
    x = places(plane, grid, X, Y, threshold)
    figures.manifold(ax, X, Y, density_threshold=threshold, color="black")
    with figures.style():
        ax.pcolormesh(
            side, side, x.reshape(60, 60), cmap="viridis", vmin=0, vmax=40
        )
        ax.set(aspect="equal")
        ax.set_title(title)


# %%
text = (
    "Two pictures of the plane, coloured by place from 0 (dark) to 40 "
    "(bright), with the curve in black. Without a threshold colours run "
    "along both turns of the spiral and break off between them. With 0.045 "
    "the curve falls into pieces, and the colours into five plain areas."
)
if report.passed:
    figure, axes = figures.blank(1, 2, size=(9.5, 4.4))
    coloured(axes[0], 0.0, "No threshold")
    coloured(axes[1], 0.045, "η = 0.045")
    x = places(plane, grid, X, Y, 0.0).reshape(60, 60)
    jump = max(np.abs(np.diff(x, axis=axis)).max() for axis in (0, 1))
    print(
        "the greatest jump between neighbours is over half of the curve:",
        bool(jump > 20),
    )
    display(figures.show(figure, text))

# %% [markdown]
# Along the curve the map is as smooth as one could wish. Between two turns it tears: some points
# have two nearest places, and a hair's breadth decides between them. No method that projects onto a
# curve with turns can avoid that. At both ends many points share the last place, since the curve
# ends there.
#
# With a threshold the curve has five pieces. New points next to a gap go to its border, so their
# coordinates pile up there: each gap tears one more seam into the map.
#
# **To think about**: you tried 201 positions for each point. A descent from one start costs far
# less. Which of the seams would move if the start were the nearest *data point*?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 14](14_quartic.ipynb), or back to [lesson 09](../notebooks/09_projection.ipynb).
