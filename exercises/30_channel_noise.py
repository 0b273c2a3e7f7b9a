# %% [markdown]
# # Exercise 30: what noise in the code costs
#
# A code is shaken on its way. How much larger does the error get? You work out the factor about
# which the paper and its readers disagree.
#
# **Afterwards you can** compute the expected error after a noisy channel from slope and bend of a
# curve, and say for which points noise costs nothing.
#
# **You need** [lesson 25](../notebooks/25_noisy_codes.ipynb), the section "What noise adds".
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
# Point $y_i$ has the code $\zeta_i$, and the receiver gets $\zeta_i + \xi$. The noise ξ has mean 0
# and variance $\sigma^2$. Up to second order the curve is
#
# $$f(\zeta_i + \xi) \approx f_i + \xi f'_i + \tfrac12 \xi^2 f''_i.$$
#
# Insert this into $\frac1N \sum_i |y_i - f(\zeta_i + \xi)|^2$, keep what has at most $\xi^2$, and take
# the mean over ξ. This is (39) of [RPM] for the $N$ points, but don't trust its factors: derive them.
#
# | goes in | shape | comes out |
# |---|---|---|
# | `Y`, data | (N, d) | `error`, a number: the mean over points *and* noise |
# | `f`, the values $f_i$ | (N, d) | |
# | `slopes`, $f'_i$ | (N, d) | |
# | `bends`, $f''_i$ | (N, d) | |
# | `sigma`, σ | a number | |
#
# By hand: one point at 1 on a line, $f = 0$, $f' = 2$, $f'' = -1$, and a noise of plus or minus
# $\frac12$. The two terms from above give $1 - 2\xi + \frac12 \xi^2$ for $y - f(\zeta + \xi)$, and its
# square is $1 - 4\xi + (4 + 1)\,\xi^2$ up to second order. The mean of ξ is 0, that of $\xi^2$ is
# $\frac14$: the error is $1 + \frac54 = 2\frac14$. Of the 5, the slope has given 4 and the bend 1.


# %%
def expected_error(Y, f, slopes, bends, sigma):
    """The mean squared distance after the channel, to second order."""
    # For each point: the squared distance; the squared slope; the inner
    # product of a residual and the bend, with the right sign. Which factors do
    # the last two have? The mean over the points.
    ### BEGIN SOLUTION
    distance = np.sum((Y - f) ** 2, axis=1)
    slope = np.sum(slopes**2, axis=1)
    bend = np.sum((f - Y) * bends, axis=1)
    error = np.mean(distance + sigma**2 * (slope + bend))
    ### END SOLUTION
    return error


# %%
report = check("channel_noise", expected_error)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("channel_noise")` and `reveal("channel_noise")` in
# a new cell do the same.
#
# ## What you have built
#
# A prediction, so we measure. The curve is the unit circle, run through at speed 1. Four points lie on
# one ray from its centre, at the distances 0, ½, 1 and 1½. All four have the same code, and there the
# curve has the same slope. We shake the code a hundred thousand times, with σ = 0.1.
#
# **Predict** (40) has only the slope term, so it gives all four the same rise, $\sigma^2$. For which of
# the points is the true rise larger, and for which smaller?


# %%
def circle(z):
    return np.column_stack([np.cos(z), np.sin(z)])


rays = np.array([0.0, 0.5, 1.0, 1.5])
SIGMA = 0.1
xi = SIGMA * np.random.RandomState(0).normal(size=100_000)
xi *= SIGMA / np.sqrt(np.mean(xi**2))
f, slope, bend = (
    circle(np.zeros(1)),
    np.array([[0.0, 1.0]]),
    np.array([[-1.0, 0.0]]),
)


# %%
def rise(distance):
    """What noise adds at this distance: by simulation, by your function."""
    y = np.array([[distance, 0.0]])
    quiet = np.sum((y - f) ** 2)
    measured = np.mean(np.sum((y - circle(xi)) ** 2, axis=1)) - quiet
    return measured, expected_error(y, f, slope, bend, SIGMA) - quiet


# %%
if report.passed:
    for distance in rays:
        measured, predicted = rise(distance)
        print(
            f"distance {distance}: noise adds {abs(measured) / SIGMA**2:.2f} "
            f"σ², you say {abs(predicted) / SIGMA**2:.2f} σ²"
        )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.8))
    figures.data(left, circle(xi[:40]), title="A shaken code, and four points")
    figures.curve(left, circle(np.linspace(0, 2 * np.pi, 200)))
    left.plot(rays, 0 * rays, "D", color=figures.COLORS[1], ms=8)
    at = np.linspace(0, 1.6, 17)
    both = np.array([rise(distance) for distance in at]).T / SIGMA**2
    curves = {
        "simulated": both[0],
        "your formula": both[1],
        "slope term alone, (40)": 1 + 0 * at,
    }
    labels = {
        "across": "distance from the centre",
        "up": "what noise adds, in σ²",
    }
    figures.lines(
        right, at, curves, title="What noise costs", markers=True, **labels
    )
    text = (
        "Left: a circle, places where a shaken code lands, four points on a "
        "ray. Right: what noise adds rises from 0 at the centre to 1.6; the "
        "slope term alone is constant, 1."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The point in the centre does not feel the noise at all: every place of the circle is equally far
# from it. Its residual is one radius long, and the bend term cancels the slope term. Outside the
# circle noise costs more than the slope says, because the curve bends away. The rise is $\sigma^2$
# times the distance: half of the second derivative of the squared distance $|y - f(z)|^2$. At the
# *best* code of a point this derivative is never negative, so noise never helps.
#
# **To think about**: if the points lie symmetrically on both sides of the curve, the mean of the bend
# terms is zero. Why does this justify (40) for a fitted principal curve, and why not for points that
# lie near an end of it?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 31](31_gtm_responsibilities.ipynb), or back to
# [lesson 25](../notebooks/25_noisy_codes.ipynb).
