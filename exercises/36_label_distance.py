# %% [markdown]
# # Exercise 36: a distance that knows the labels
#
# A formula with two cases brings points of one class together and drives classes apart. You write
# it so that no exponential overflows.
#
# **Afterwards you can** compute supervised distances for data in any unit, and rewrite a formula
# whose intermediate result is too large for a computer.
#
# **You need** [lesson 29](../notebooks/29_labels_inside.ipynb), equation (1) of [SI].
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
from ukrlearn.si.isomap import agglomerative_isomap

# %% [markdown]
# ## The task
#
# Let $e_{ij}$ be the Euclidean distance of two points. Their new distance is
#
# $$\tilde e_{ij} = \begin{cases} \sqrt{1 - \exp(-e_{ij}^2/\beta)} & \text{same label,} \\[4pt]
#   \sqrt{\exp(e_{ij}^2/\beta) - \alpha} & \text{different labels.} \end{cases} \tag{1}$$
#
# The unit β is `times` the **mean of the squared distances** of all pairs $i \neq j$. So `times` is
# a pure number, and the result does not depend on the unit of the data.
#
# Where $e^2/\beta$ is above 709, $\exp(e^2/\beta)$ is infinite for a computer. The root of it is
# not, so your result must be finite there: the check goes up to $e^2/\beta = 1200$.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `Q`, new distances | (N, N) |
# | `labels`, any whole numbers | (N,) | | |
# | `alpha`, α, from 0 to below 1 | a number | | |
# | `times`, β over the mean square | a number | | |
#
# By hand: the points 0, 1 and 2 on a line have the squared distances 1, 1 and 4, with mean 2. With
# `times` = ½, β is 1. Let the labels be A, A, B, and α = ½. Then $\tilde e_{01} = \sqrt{1 - e^{-1}} = .80$,
# $\tilde e_{12} = \sqrt{e - \frac12} = 1.49$ and $\tilde e_{02} = \sqrt{e^4 - \frac12} = 7.36$. The middle point
# was as near to its left neighbour as to its right one. Now it is nearer to its own class.


# %%
def label_distances(Y, labels, alpha, times):
    """Q of (1), an array of shape (N, N)."""
    # All squared distances, their mean over pairs, and s = e² / β. Then the
    # two cases; rewrite the second one so that it contains exp(s / 2) instead
    # of exp(s). Put them together by whether labels agree.
    ### BEGIN SOLUTION
    N = len(Y)
    squares = np.sum((Y[:, None] - Y) ** 2, axis=2)
    beta = times * squares.sum() / (N * (N - 1))
    s = squares / beta
    within = np.sqrt(1 - np.exp(-s))
    between = np.exp(s / 2) * np.sqrt(1 - alpha * np.exp(-s))
    return np.where(labels[:, None] == labels, within, between)
    ### END SOLUTION


# %%
report = check("label_distance", label_distances)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("label_distance")` and `reveal("label_distance")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a machine that finds classes in noise. Here are 120 points from a single round
# cloud in the plane. A die gives each point one of three labels. The cloud contains nothing
# that the labels could be about. Agglomerative Isomap embeds it by your distances.
#
# **Predict** What does the embedding look like for α = 0? And for α = 0.99?

# %%
random = np.random.RandomState(0)
cloud, thrown = (
    random.normal(size=(120, 2)),
    random.permutation(np.arange(120) % 3),
)


def agreement(X):
    """The share of points whose nearest other point has the same label."""
    apart = np.sum((X[:, None] - X) ** 2, axis=2) + np.diag(
        np.full(len(X), np.inf)
    )
    return np.mean(thrown[apart.argmin(axis=1)] == thrown)


# %%
if report.passed:
    pictures = {"The cloud": cloud}
    for alpha in (0.0, 0.99):
        Q = label_distances(cloud, thrown, alpha, 1.0)
        pictures[f"Your distances, α = {alpha}"] = agglomerative_isomap(
            Q, 2, 10
        ).X
    for name, X in pictures.items():
        print(
            f"{name}: the nearest point has the same label for "
            f"{agreement(X):.0%}"
        )

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 3, size=(8.4, 3.4))
    for ax, (name, X) in zip(axes, pictures.items(), strict=True):
        figures.latent(
            ax, X, labels=thrown, names=["one", "two", "three"], title=name
        )
    text = (
        "Left: a cloud in which three kinds of markers are mixed. Middle: for "
        "α = 0 the three kinds are three separate groups. Right: for α = "
        "0.99 they are mixed again."
    )
    display(figures.show(figure, text))

# %% [markdown]
# With α = 0 every point is nearer to all of its class than to any other point, and three clear
# classes appear that a die has made. With α near 1 near points of different classes become
# neighbours again, and the data contradict the die.
#
# **To think about**: a figure in a report shows three clear groups, "embedded with supervision".
# Which picture or number would you ask for?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 37](37_one_hot_control.ipynb), or back to
# [lesson 29](../notebooks/29_labels_inside.ipynb).
