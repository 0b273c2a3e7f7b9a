# %% [markdown]
# # Exercise 5: break it
#
# An error without a minimum can be cheated. You cheat it: the error vanishes, and nothing is
# learnt.
#
# **Afterwards you can** say of a model with R = 0 whether it has learnt something, and which number
# tells.
#
# **You need** [lesson 03](../notebooks/03_reconstruction_error.ipynb) up to equation (10) of [UKR],
# and [exercise 4](04_reconstruction_error.ipynb) for R.
#
# **Time** 10 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
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
# Here are thirty points on a noisy spiral. Hand in latent points for them such that
#
# $$R(X) = \frac1N \sum_{n=1}^N |y_n - f(x_n; X)|^2 < 0.000001, \tag{8}$$
#
# and such that X has learnt *nothing*. That means: let each point be rebuilt by the others alone
# (10), and multiply all of X by the number that suits it best; even then $R_{cv}$ is at least 0.8
# times the variance of the data. (Points in a random order reach .85 and more.)
#
# | you hand in | shape |
# |---|---|
# | `X`, latent points | (30, q), with as many columns q as you like |
#
# Any X that does both counts. There is nothing to look up in the data: we show them for you to play
# with.
#
# By hand: two latent points at a distance of 2 and the data 10 and 20. The other point has the
# weight $e^{-2} = 0.135$ beside $K(0) = 1$, so the first is rebuilt as
# $(10 + 0.135 \cdot 20)/1.135 = 11.19$. At a distance of 6 the weight is $e^{-18}$, and the first is
# rebuilt as 10.00000015.

# %%
Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)
X = None
# Put latent points into X: an array of 30 rows.
### BEGIN SOLUTION
shuffled = np.random.RandomState(0).permutation(30)
X = 10.0 * shuffled[:, None]
### END SOLUTION

# %%
report = check("break_it", X)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("break_it")` and `reveal("break_it")` in
# a new cell do the same.
#
# ## What you have built
#
# When the check has passed, the next cells draw your model. Left: the path from latent point to
# latent point, in the order of your first column, as the model draws it in data space. Right: the
# two errors as your X and the true order of the points are scaled.
#
# **Predict** There are four curves: R and $R_{cv}$, for your X and for the true order. Which of the
# four go to zero?


# %%
def walk(X):
    """f along straight lines between latent points, by the first column."""
    X = np.asarray(X, dtype=float)
    X = X[np.argsort(X[:, 0])]
    s = np.linspace(0, 1, 40, endpoint=False)[None, :, None]
    return (X[:-1, None] * (1 - s) + X[1:, None] * s).reshape(-1, X.shape[1])


def errors_over(factors, X, leave_one_out):
    scaled = [
        squared_residuals(s * X, Y, leave_one_out=leave_one_out).mean()
        for s in factors
    ]
    return np.maximum(scaled, 1e-7)


# %%
if report.passed:
    curve = predict(walk(X), np.asarray(X, dtype=float), Y)
    length = np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()
    print(
        f"length of your curve: {length:.0f}; of the spiral it should "
        "follow: 9"
    )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(9.5, 3.8))
    figures.data(left, Y, title="Your model: R = 0")
    left.plot(*curve.T, color=figures.COLORS[1], lw=0.8, zorder=0)
    factors, errors = np.geomspace(0.003, 100, 60), {}
    for name, latent in (
        ("yours", np.asarray(X, dtype=float)),
        ("true order", 300 * t[:, None]),
    ):
        latent = latent / latent.std()
        for error, left_out in (("$R$", False), ("$R_{cv}$", True)):
            errors[f"{error}, {name}"] = errors_over(
                30 * factors, latent, left_out
            )
    labels = {"across": "factor", "up": "error (cut off at 0.0000001)"}
    figures.lines(
        right, factors, errors, title="Errors over scale", log="xy", **labels
    )
    text = (
        "Left: a tangle of straight jumps through all 30 points, a model with "
        "R = 0. Right: both R fall to the floor; R_cv of the true order dips "
        "to 0.03, yours stays high."
    )
    display(figures.show(figure, text))

# %% [markdown]
# R goes to zero for both, so it can't tell a model from a list of the data. $R_{cv}$ goes to zero
# for neither. For the true order its minimum is at a finite scale, and far below the variance. For
# your X it stays near the variance or above it: no point knows anything about another. The length
# of the curve is the second witness. A model that has memorised the data must run to each point,
# wherever the point lies.
#
# **To think about**: you needed the freedom to put latent points far apart. Which condition on X
# would have stopped you, and which order of the points would still have been allowed to reach a
# small R? The next exercise is about that condition.
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 6](06_density_constraint.ipynb), or back to
# [lesson 03](../notebooks/03_reconstruction_error.ipynb).
