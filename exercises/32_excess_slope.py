# %% [markdown]
# # Exercise 32: the slope of the excess error
#
# A rate is the slope of a line through noisy numbers. Four small decisions make the difference
# between a rate and nonsense; you make them.
#
# **Afterwards you can** turn a table of repeated measurements into a rate, and say what goes wrong if
# you average too late or subtract the wrong number.
#
# **You need** [lesson 26](../notebooks/26_how_many_points.ipynb), the section "Measure it".
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
# Proposition 6 of [RPM] is about $R[f_{\text{emp}}] - R[f^*]$, the expected error of a curve fitted to
# $m$ points minus the least error of all curves. If it falls like $c\, m^{a}$, then
#
# $$\log\bigl(\text{mean error} - R[f^*]\bigr) = \log c + a \log m,$$
#
# a line over $\log m$. Its slope $a$ is the rate. Fit it by least squares.
#
# | goes in | shape | comes out |
# |---|---|---|
# | `sizes`, the numbers of points $m$ | (S,) | `slope`, a number |
# | `errors`, one row for each size, one column for each repeat | (S, n) | |
# | `floor`, $R[f^*]$ | a number | |
#
# A trap: the floor is often estimated, or measured on another sample. Then single repeats may lie
# *below* it. Their mean does not.
#
# By hand: 10 points give the errors 10, 4 and 7, 100 points give 2.5, 3.5 and 1.5, and the floor is
# 2. The means are 7 and 2.5, the excesses 5 and 0.5. Ten times the points, a tenth of the excess: the
# slope is -1. (The last repeat is below the floor, and does no harm.)


# %%
def excess_slope(sizes, errors, floor):
    """The slope of log excess over log m: a number."""
    # The mean over the repeats, one number for each size. The excess.
    # Logarithms of both. A line.
    ### BEGIN SOLUTION
    excess = errors.mean(axis=1) - floor
    slope = np.polyfit(np.log(sizes), np.log(excess), 1)[0]
    ### END SOLUTION
    return slope


# %%
report = check("excess_slope", excess_slope)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("excess_slope")` and `reveal("excess_slope")` in
# a new cell do the same.
#
# ## What you have built
#
# A measuring instrument, so test it where you know the truth: the mean. Estimate the mean of $m$
# numbers; its excess error is its squared distance from the true mean, and falls exactly like
# $m^{-1}$. We add a floor of 1, and hand your function a floor that is slightly wrong.
#
# **Predict** The excess at the largest size is 0.001. How much too high may the floor be, until the slope is
# off by a quarter: 0.1, 0.01, or less than 0.001?

# %%
sizes = np.array([10, 30, 100, 300, 1000])
random = np.random.RandomState(0)


def measured(repeats=400):
    """1 + (mean of m normal numbers)²: the errors, with R[f*] = 1."""
    means = random.normal(size=(len(sizes), repeats)) / np.sqrt(sizes)[:, None]
    return 1 + means**2


errors = measured()

# %%
if report.passed:
    for wrong in (0.0, 0.0004, 0.0008, -0.01):
        slope = excess_slope(sizes, errors, 1 + wrong)
        print(f"floor off by {wrong:+.4f}: slope {slope:.2f}")
    few = [excess_slope(sizes, measured(1), 1.0) for _ in range(200)]
    low, high = np.percentile(few, [5, 95])
    print(
        "the right floor, but one repeat for each size: slopes from "
        f"{low:.2f} to {high:.2f}"
    )

# %% tags=["aside"]
if report.passed:
    figure, ax = figures.blank(size=(6.4, 3.8))
    floors = {
        "right floor": 1.0,
        "floor .0008 too high": 1.0008,
        "floor .01 too low": 0.99,
    }
    curves = {
        name: errors.mean(axis=1) - floor for name, floor in floors.items()
    }
    labels = {"across": "number of points m", "up": "excess error"}
    title = "One table, three floors"
    figures.lines(
        ax, sizes, curves, title=title, log="xy", markers=True, **labels
    )
    text = (
        "Excess error over m, both logarithmic, for three floors. With the "
        "right floor it is a line of slope -1. With a floor too high the "
        "line bends down at its end, and with one too low it levels off at "
        "0.01."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Less than a thousandth: a floor that is too high is felt as soon as it is off by a good part of the
# *smallest* excess. One that is too low flattens the slope: by .01, to half of it. And with one repeat for each size the slope may be almost anything, even with the right floor. Both
# happened in the benchmark of this course: its floor is estimated, it has one draw for each size, and
# its slopes range from -2.7 to +.3. So our verdict on the paper's rate is "open". Lesson 26 repairs it
# with a small world in which the floor is known.
#
# **To think about**: a colleague leaves out repeats with a negative excess, "because the theory says
# that there are none". Does his slope get too steep or too flat?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 33](33_floyd_warshall.ipynb), or back to
# [lesson 26](../notebooks/26_how_many_points.ipynb).
