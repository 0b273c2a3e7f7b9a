# %% [markdown]
# # Exercise 28: project onto a curve
#
# Every point looks for the nearest place on a curve, quickly and never for the worse. You write the
# search that keeps an alternation from ever going uphill.
#
# **Afterwards you can** combine a coarse grid, the old place and one Gauss-Newton step into a
# projection that raises no point's distance.
#
# **You need** [lesson 23](../notebooks/23_principal_manifolds.ipynb) up to equation (30) of [RPM];
# lesson 18 explains the Gauss-Newton step.
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
# A curve $f(z) = \sum_j \alpha_j\, e^{-(z - z_j)^2 / 2\sigma^2}$ lives on $-1 \le z \le 1$. Each point
# $y_n$ wants the code
#
# $$\zeta_n = \arg\min_z |y_n - f(z)|^2. \tag{30}$$
#
# Find it approximately, in three moves:
#
# 1. Among the places of a coarse grid *and* the point's old code $\text{before}_n$, take the nearest.
# 2. From there take one step of Gauss-Newton, $\zeta + J^T r / J^T J$, with the residual
#    $r = y_n - f(\zeta)$ and the slope $J = f'(\zeta)$. If it leads out of $[-1, 1]$, stop at the end.
# 3. Keep the step only if it makes the distance smaller. Each point decides for itself.
#
# The function `kernel` below gives the bumps. The slope of a bump is $\frac{z_j - z}{\sigma^2}\, e^{-(z - z_j)^2 / 2\sigma^2}$.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `zeta`, codes ζ | (N,) |
# | `alpha`, coefficients | (M, d) | | |
# | `nodes`, $z_j$ | (M,) | | |
# | `width`, σ | a number | | |
# | `grid`, places | (L,) | | |
# | `before`, old codes | (N,) | | |
#
# By hand: one bump at 0 with α = 2 and σ = 1, so $f(z) = 2 e^{-z^2/2}$ and $f'(z) = -z f(z)$. The grid
# is -1, -0.5, 0.9, where $f$ is 1.21, 1.76, 1.33. The point 1.5 was at 0.7, where $f$ is 1.57: nearer
# than any place of the grid. There $J = -1.10$ and $r = -0.065$, so the step is 0.06 and leads to
# 0.76, where $f$ is 1.498. The point 1 was at 0.2, where $f$ is 1.96; the place -1 is nearer. There
# $J = 1.21$ and $r = -0.21$; the step would lead to -1.18, so the point stops at -1.


# %%
def kernel(z, nodes, width):
    """The bumps at places z, an array of shape (len(z), M)."""
    return np.exp(-((z[:, None] - nodes) ** 2) / (2 * width**2))


# %%
def codes(Y, alpha, nodes, width, grid, before):
    """The code of each point after the three moves, an array of shape (N,)."""
    # The cost of each point on the grid and at its old code; the best of
    # these; the step, clipped; and the cost after it. kernel(...) @ alpha
    # gives f at any places. Return the codes.
    ### BEGIN SOLUTION
    cost = lambda z: np.sum((Y - kernel(z, nodes, width) @ alpha) ** 2, axis=1)
    curve = kernel(grid, nodes, width) @ alpha
    on_grid = np.sum((Y[:, None] - curve) ** 2, axis=2)
    best = grid[on_grid.argmin(axis=1)]
    zeta = np.where(cost(before) < on_grid.min(axis=1), before, best)
    K = kernel(zeta, nodes, width)
    J = (K * (nodes - zeta[:, None]) / width**2) @ alpha
    step = np.sum(J * (Y - K @ alpha), axis=1) / np.sum(J**2, axis=1)
    moved = np.clip(zeta + step, -1, 1)
    return np.where(cost(moved) < cost(zeta), moved, zeta)
    ### END SOLUTION


# %%
report = check("project_onto_curve", codes)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("project_onto_curve")` and `reveal("project_onto_curve")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built half of a method, and here is the other half: `refit` solves (33) of exercise 27.
# Your projection and this refit alternate 40 times on the arc of lesson 23. Your grid has only *five*
# places.
#
# **Predict** How much worse will the curve be than with a grid of 401 places?

# %%
Y, _ = datasets.noisy_arc(200, random_state=0)
Y = Y - Y.mean(axis=0)
nodes, line = np.linspace(-1, 1, 10), np.linspace(-1, 1, 300)


def bumps(z):
    return kernel(z, nodes, 1.0)


def refit(zeta, penalty=1e-3):
    A = penalty * len(Y) / 2 * bumps(nodes) + bumps(zeta).T @ bumps(zeta)
    return np.linalg.lstsq(A, bumps(zeta).T @ Y, rcond=1e-14)[0]


# %%
def alternate(places, rounds=40):
    """The curve, and R_reg after each projection."""
    zeta, errors = (
        np.sort(Y[:, 1] / 1.2).clip(-1, 1)[np.argsort(np.argsort(Y[:, 1]))],
        [],
    )
    for _ in range(rounds):
        alpha = refit(zeta)
        zeta = codes(Y, alpha, nodes, 1.0, np.linspace(-1, 1, places), zeta)
        rough = 1e-3 / 2 * np.vdot(alpha, bumps(nodes) @ alpha)
        errors.append(
            np.mean(np.sum((Y - bumps(zeta) @ alpha) ** 2, axis=1)) + rough
        )
    return bumps(line) @ alpha, np.array(errors)


# %%
if report.passed:
    (coarse, few), (fine, many) = alternate(5), alternate(401)
    print(
        "R_reg never rises:",
        bool(max(np.diff(few).max(), np.diff(many).max()) < 1e-12),
    )
    print(
        f"R_reg in the end: {few[-1]:.3f} with 5 places, {many[-1]:.3f} "
        "with 401"
    )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(9.5, 4))
    figures.data(left, Y, title="Curves after 40 rounds")
    for k, (name, curve) in enumerate(
        {"5 places": coarse, "401 places": fine}.items()
    ):
        left.plot(
            *curve.T,
            "-" if k else "--",
            color=figures.COLORS[k],
            lw=2.2,
            label=name,
        )
    left.legend(loc="center", frameon=False)
    words = {
        "title": "R_reg never rises",
        "across": "round",
        "up": "$R_{reg}$",
    }
    figures.lines(
        right,
        np.arange(1, 41),
        {"5 places": few, "401 places": many},
        log="y",
        **words,
    )
    text = (
        "Left an open C of points with two curves through it, almost the "
        "same. Right two falling lines that end close to each other."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Not at all, on this draw and on 20 others. The grid only has to put a point into the right
# valley; the old code and one step a round do the rest, since the curve moves little from round to
# round. And because no point ever gets
# farther from the curve, the sum cannot rise.
#
# **To think about**: for which curves are five places too few? Draw one.
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 29](29_half_penalty.ipynb), or back to
# [lesson 23](../notebooks/23_principal_manifolds.ipynb).
