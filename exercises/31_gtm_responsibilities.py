# %% [markdown]
# # Exercise 31: who is responsible?
#
# Each code takes a share of each point. You compute the shares, also where all of them seem to be
# zero.
#
# **Afterwards you can** write the E-step of GTM (and of any mixture of Gaussians) without overflow,
# and say what happens to a clustering when it is heated.
#
# **You need** [lesson 25](../notebooks/25_noisy_codes.ipynb), the section "Soft codes".
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
# The receiver has $K$ codes; $f_k = f(z_k)$ is the value of code $k$. The *responsibility* of code
# $k$ for the point $y_i$ is
#
# $$R_{ik} = \frac{\exp(-|y_i - f_k|^2 / T)}{\sum_l \exp(-|y_i - f_l|^2 / T)}.$$
#
# At temperature $T \to 0$ the nearest value takes all, which is (36) of [RPM]. At higher
# temperatures several codes are responsible.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `R` | (N, K) |
# | `values`, $f_k$ | (K, d) | | |
# | `temperature`, $T > 0$ | a number | | |
#
# A trap: the exponential of -3600 is zero in floating point. A point that is far from *all* values
# must still be shared among them.
#
# By hand: values 0 and 1, and a temperature at which $\exp(-1/T) = \frac12$. The point 0 has the
# squared distances 0 and 1, the exponentials $1$ and $\frac12$, and so the shares $\frac23$ and
# $\frac13$. The point 3 has the squared distances 9 and 4, and the shares $\frac1{33}$ and
# $\frac{32}{33}$.


# %%
def responsibilities(Y, values, temperature):
    """R, an array of shape (N, K): each row sums to one."""
    # The squared distances of all points and values, (N, K). From each row
    # subtract its smallest one: what does this do to the fraction? The
    # exponentials. Divide each row by its sum.
    ### BEGIN SOLUTION
    squared = np.sum((Y[:, None] - values) ** 2, axis=2)
    nearest = squared.min(axis=1, keepdims=True)
    weights = np.exp((nearest - squared) / temperature)
    R = weights / weights.sum(axis=1, keepdims=True)
    ### END SOLUTION
    return R


# %%
report = check("gtm_responsibilities", responsibilities)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("gtm_responsibilities")` and `reveal("gtm_responsibilities")` in
# a new cell do the same.
#
# ## What you have built
#
# Half of k-means, with a thermostat. Four clouds of points stand at the corners of a long rectangle,
# and each of four centres moves to the mean of the points, weighted by its responsibilities *from
# your function*. We begin hot and cool slowly.
#
# **Predict** Where are the four centres while it is hot? How do they part when it gets cooler: all
# at once?

# %%
random = np.random.RandomState(0)
corners = np.array([[-3.0, -1.0], [-3.0, 1.0], [3.0, -1.0], [3.0, 1.0]])
Y = np.repeat(corners, 40, axis=0) + 0.3 * random.normal(size=(160, 2))
critical = 2 * np.linalg.eigvalsh(np.cov(Y.T, bias=True))[-1]


# %%
def cooled(temperatures, rounds=25):
    """The centres at each temperature, (len(temperatures), 4, 2)."""
    centres, path = np.tile(Y.mean(axis=0), (4, 1)), []
    for T in temperatures:
        centres = centres + 1e-3 * random.normal(size=(4, 2))  # a tiny push
        for _ in range(rounds):
            R = responsibilities(Y, centres, T)
            centres = R.T @ Y / R.sum(axis=0)[:, None]
        path.append(centres)
    return np.array(path)


# %%
if report.passed:
    temperatures = np.geomspace(60, 0.5, 80)
    path = cooled(temperatures)
    width = np.ptp(path[:, :, 0], axis=1)
    first = temperatures[np.argmax(width > 0.5)]
    print(f"the first split is seen near T = {first:.0f}")
    print(f"twice the greatest variance is {critical:.0f}")

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 2, size=(8.4, 3.6))
    for ax, j in zip(axes, (0, 1), strict=True):
        paths = {f"centre {k + 1}": path[:, k, j] for k in range(4)}
        title = f"Coordinate {j + 1} of the centres"
        labels = {"across": "temperature T", "up": f"$y_{j + 1}$"}
        figures.lines(ax, temperatures, paths, title=title, **labels)
        ax.set_xscale("log")
        ax.axvline(critical, color="#444444", lw=1, ls=":")
    text = (
        "Coordinates of four centres over the temperature. Hot, all are at "
        f"the mean. The first forks near T = {first:.0f}, just below the "
        "dotted line; the second one near 2."
    )
    display(figures.show(figure, text))

# %% [markdown]
# While it is hot there is only *one* centre, four times: the mean. Then, at a definite temperature,
# it breaks into a left and a right pair, like a substance that changes its phase; much later each
# pair breaks into an upper and a lower one. The first temperature is known: it is twice the variance of the
# data along their longest axis (the dotted line). So the number of clusters need not be chosen in
# advance: it is a question of temperature. GTM chooses $T$ by itself, from the noise that it finds.
#
# **To think about**: at which temperature does the second split happen? Look at one of the two
# halves alone, and use the same rule.
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 32](32_excess_slope.ipynb), or back to
# [lesson 25](../notebooks/25_noisy_codes.ipynb).
