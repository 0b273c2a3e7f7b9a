# %% [markdown]
# # Exercise 21: the Jacobian of a network
#
# How far, and in which direction, does the sheet move when you take a small step in latent space? A
# small matrix at every position tells you.
#
# **Afterwards you can** write the Jacobian of a network of radial basis functions, test it with
# finite differences, and read from it how a method has stretched its latent space.
#
# **You need** [unit 18](../notebooks/18_two_maps.ipynb), equations (13) and (17) of [DRUR].
#
# **Time** 20 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
from ukrlearn.blocks import starts
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
# The network is $f(x) = \sum_m w_m\, \varphi_m(x) + w$, with hills on $M$ centres $\mu_m$:
#
# $$\varphi_m(x) = \exp\!\left(-\frac{|x - \mu_m|^2}{2\sigma^2}\right). \tag{13}$$
#
# Its Jacobian $J_{kl} = \partial f_k / \partial x_l$ has one row for each of the $d$ coordinates of the
# data, and one column for each of the $q$ latent coordinates:
#
# $$J(x) = \frac{1}{\sigma^2} \sum_{m=1}^M w_m\, \varphi_m(x)\, (\mu_m - x)^T. \tag{17}$$
#
# Each term is a column times a row, a matrix of $d$ rows and $q$ columns. The constant $w$ has no
# slope.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `x`, positions | (N, q) | `J`, one matrix for each position | (N, d, q) |
# | `centres`, $\mu_m$ | (M, q) | | |
# | `width`, σ | a number | | |
# | `W`, weights $w_m$ | (M, d) | | |
#
# By hand: position 1 lies between two centres, 0 and 2, the width is 1, the weights are (4, 0) and
# (0, 2). Both hills have the height $e^{-1/2} = .607$ there. One bracket is -1, the other is 1, so
# $J$ is the column .607 · (-4, 2) = (-2.43, 1.21): to the right we leave the first hill and climb
# the second.


# %%
def jacobian(x, centres, width, W):
    """J of (17) at every position, an array of shape (N, d, q)."""
    J = np.zeros((len(x), W.shape[1], x.shape[1]))
    # For each position x[n], go through all centres. Take the vector from x[n]
    # to centre m: its length gives the height of the hill. Add the weight (a
    # column) times this vector (a row), times the height. Finally the width.
    ### BEGIN SOLUTION
    for n in range(len(x)):
        for m in range(len(centres)):
            toward = centres[m] - x[n]
            height = np.exp(-np.sum(toward**2) / (2 * width**2))
            J[n] += height * np.outer(W[m], toward)
    J /= width**2
    ### END SOLUTION
    return J


# %%
report = check("rbf_jacobian", jacobian)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("rbf_jacobian")` and `reveal("rbf_jacobian")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a measuring device for embeddings. The data are a sheet bent into an S. Three
# methods say where its points lie in the plane: the truth, Isomap, and locally linear embedding
# (LLE). For each method we fit a network back to the data. Then $Jp$ is the step on the sheet for a
# small latent step $p$, so the places one step of length ε away form an ellipse, $|Jp| = ε$. On an
# honest map all ellipses are circles of the same size.
#
# **Predict** Where on a dishonest map do they grow?

# %%
Y, t = datasets.s_curve(300, noise=0.02, height=3.0, random_state=0)
maps = {
    "The true sheet": t,
    "Isomap": starts.isomap(Y, 2, 10),
    "LLE": starts.lle(Y, 2, 12),
}
angle = np.linspace(0, 2 * np.pi, 60)
circle = np.stack([np.cos(angle), np.sin(angle)])


def of_size_one(X):
    X = X - X.mean(axis=0)
    return X / np.sqrt(np.sum(X.var(axis=0)))


# %%
def slopes(X):
    """Your J at every latent point, for a network from X to Y."""
    centres = cluster_centres(X, 30)
    width = best_width(X, Y, centres, 1e-3)
    f = fit_rbf(X, Y, centres, width, 1e-3)
    return jacobian(X, centres, width, f.W)


def ellipses(ax, X, J, step=0.25):
    """The places one step away on the sheet, around every eighth point."""
    for x, J_x in zip(X[::8], J[::8], strict=True):
        _, size, axes = np.linalg.svd(J_x, full_matrices=False)
        with figures.style():
            ax.plot(
                *(x[:, None] + step * axes.T @ (circle / size[:, None])),
                color="k",
                lw=0.8,
            )


# %% tags=["nbval-ignore-output"]
found = {}
if report.passed:
    for name, X in maps.items():
        X = of_size_one(X)
        found[name] = X, slopes(X)
    stretch = {
        name: np.linalg.svd(J, compute_uv=False)
        for name, (_, J) in found.items()
    }
    longer = {
        name: np.median(size[:, 0] / size[:, 1])
        for name, size in stretch.items()
    }
    for name, times in longer.items():
        print(
            f"{name:14} half of the ellipses are more than {times:.1f} times "
            "as long as wide"
        )

# %% tags=["aside"]
if report.passed:
    assert (
        longer["The true sheet"] < 1.1 < longer["Isomap"] < 1.6
        and longer["LLE"] > 2.5
    )
    figure, panels = figures.blank(1, 3, size=(12, 4))
    for ax, (name, (X, J)) in zip(panels, found.items(), strict=True):
        figures.latent(ax, X, t[:, 0], title=name)
        ellipses(ax, X, J)
    text = (
        "Three maps of one sheet, with ellipses that mean one small step on "
        "the sheet. On the true sheet they are circles of one size; for "
        "Isomap nearly, except at its ends. For LLE they are long, and in "
        "the dense arm on the left some are mere slivers."
    )
    display(figures.show(figure, text))

# %% [markdown]
# An ellipse is long where the method gives much room to a short distance on the sheet, and thin
# where it has squeezed the sheet: LLE has pressed one end of the S into a line. Nobody told your
# function the truth, as the ellipses use only data and positions. Maps of the world are judged in
# the same way, by circles drawn on the globe.
#
# **To think about**: $\sqrt{\det J^T J}$ is one number for each position. What does it say about the
# area of the sheet, and what would its sum over a fine grid of positions be?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 22](22_centred_solve.ipynb), or back to
# [unit 18](../notebooks/18_two_maps.ipynb).
