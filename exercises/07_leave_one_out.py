# %% [markdown]
# # Exercise 7: the leave-one-out error
#
# The plain error lets every point help to rebuild itself. You forbid that, for all points at once,
# and get an error that can choose a bandwidth.
#
# **Afterwards you can** compute $R_{cv}$ without deleting a single point, and say what goes wrong if
# the zeros come too late.
#
# **You need** [lesson 04](../notebooks/04_leave_one_out.ipynb) up to equation (10) of [UKR], and
# [exercise 4](04_reconstruction_error.ipynb), the plain error.
#
# **Time** 15 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures, metrics
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.checks import (
    check,
    hint,
    progress,
    restore_work,
    reveal,
    save_work,
)
from ukrlearn.ukr.reconstruction import squared_residuals

# %% [markdown]
# ## The task
#
# Each point is rebuilt by all *others*, and the mean of the squared distances is the error:
#
# $$R_{cv}(X) = \frac1N \sum_i |y_i - f_{-i}(x_i)|^2, \qquad
# f_{-i}(x_i) = \frac{\sum_{j \ne i} K(x_i - x_j)\, y_j}{\sum_{j \ne i} K(x_i - x_j)}
# \tag{10}$$
#
# with the Gaussian kernel $K(x - x') = \exp(-\tfrac12 |x - x'|^2)$; the bandwidth is 1.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `error`, $R_{cv}$ | a number |
# | `Y`, data | (N, d) | | |
#
# By hand: three points at the same latent place, with data 0, 3 and 6. All weights are equal, so each
# point is rebuilt by the mean of the two others: 4.5, 3 and 1.5. The squared differences are 20.25, 0
# and 20.25, and $R_{cv} = 40.5 / 3 = 13.5$. (The plain error is 6: all three are rebuilt as 3.)


# %%
def leave_one_out_error(X, Y):
    """R_cv of (10), a number."""
    # Make the matrix K of all pairs from their squared distances. Make sure
    # that no point counts for itself. Divide every row by its own sum. Rebuild
    # all points, and take the mean over the points of the squared lengths of
    # what is left.
    ### BEGIN SOLUTION
    squared_distances = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-squared_distances / 2)
    np.fill_diagonal(K, 0)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((B @ Y - Y) ** 2) / len(Y)
    ### END SOLUTION


# %%
report = check("leave_one_out", leave_one_out_error)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("leave_one_out")` and `reveal("leave_one_out")` in
# a new cell do the same.
#
# ## What you have built
#
# When the check has passed, *your* error chooses a bandwidth. 80 noisy points have known places t
# along a spiral. For 25 bandwidths h, the latent points are t/h, and the figure shows three
# numbers: the plain error R, your $R_{cv}$, and the distance of the curve from the clean spiral,
# which nobody could know in practice.

# %%
Y, t = datasets.noisy_spiral(80, noise=0.06, random_state=3)
bandwidths = np.geomspace(0.004, 0.08, 25)
clean = datasets.spiral_curve(np.linspace(0, 1, 2000))
places = np.linspace(t.min(), t.max(), 400)[:, None]


def error_curves():
    """For each bandwidth: R, R_cv, squared distance to the clean spiral."""
    curves = {"R": [], "your R_cv": [], "distance to the truth": []}
    for h in bandwidths:
        X, f = t[:, None] / h, predict(places / h, t[:, None] / h, Y)
        curves["R"].append(squared_residuals(X, Y, leave_one_out=False).mean())
        curves["your R_cv"].append(leave_one_out_error(X, Y))
        curves["distance to the truth"].append(
            metrics.distance_to_curve(f, clean, squared=True)
        )
    return curves


# %%
if report.passed:
    curves = error_curves()
    best = {
        name: bandwidths[np.argmin(values)] for name, values in curves.items()
    }
    for name, h in best.items():
        print(f"{name:22} is least at h = {h:.4f}")

# %% tags=["aside"]
if report.passed:
    h = best["your R_cv"]
    figure, (left, right) = figures.blank(1, 2)
    words = {"title": "Three judges", "across": "bandwidth h", "up": "error"}
    figures.lines(left, bandwidths, curves, **words, log="xy")
    figures.data(right, Y, title=f"Your choice: h = {h:.4f}")
    figures.curve(right, clean)
    figures.manifold(right, t[:, None] / h, Y)
    least = min(curves["your R_cv"])
    text = (
        f"R only falls with h. R_cv has a valley at h = {h:.4f}, {least:.4f}. "
        "There the distance to the clean spiral is also least, and the "
        "curve runs close along it."
    )
    display(figures.show(figure, text))

# %% [markdown]
# R would always choose the smallest bandwidth, where each point copies itself. Your $R_{cv}$ turns
# back, and its valley lies where the curve is nearest to a spiral that it has never seen. The whole
# difference is N zeros, placed *before* the rows are divided.
#
# **To think about**: take every data point twice, so that N becomes 160. Which bandwidth does your
# $R_{cv}$ choose then, and what would have to be zero besides the diagonal?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 8](08_penalty_factors.ipynb), or back to
# [lesson 04](../notebooks/04_leave_one_out.ipynb).
