# %% [markdown]
# # Exercise 18: the gradient of SNE
#
# Springs between all pairs of points, stiff where the data and the latent points disagree.
#
# **Afterwards you can** write the gradient of stochastic neighbour embedding as matrices, and say
# what pulls, what pushes, and what a descent does in its very first moves.
#
# **You need** [lesson 14](../notebooks/14_neighbour_embedding.ipynb) up to equation (4) of [SGD].
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
from ukrlearn.sgd import neighbor_embedding

# %% [markdown]
# ## The task
#
# The data have chosen: $P_{ij}$ is the probability that point $i$ chooses point $j$ as its
# neighbour (1). Latent points choose in the same way, with bandwidth one, and $E$ measures the
# mismatch:
#
# $$Q_{ij} = \frac{\exp(-|x_i - x_j|^2)}{\sum_k \exp(-|x_i - x_k|^2)}, \qquad
# E = \frac1N \sum_i \sum_j P_{ij} \log \frac{P_{ij}}{Q_{ij}}. \tag{2, 3}$$
#
# The sum includes $k = i$: a point may choose itself. Compute the gradient of $E$, one row for each
# point:
#
# $$\frac{\partial E}{\partial x_l} =
# \frac2N \sum_i (P_{il} + P_{li} - Q_{li} - Q_{il})\,(x_l - x_i). \tag{4}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `gradient` | (N, q) |
# | `P`, the data's choices, rows sum to one | (N, N) | | |
#
# By hand: latent points 0 and 1, and all four numbers in $P$ are 1/2. The kernel values are 1 and
# $e^{-1} = 0.368$, so $Q_{12} = Q_{21} = 0.368 / 1.368 = 0.269$. The bracket is
# $0.5 + 0.5 - 0.269 - 0.269 = 0.462$, and the gradient is $0.462\,(0 - 1) = -0.462$ for the first
# point, $+0.462$ for the second. Downhill, against the gradient, the points move towards each
# other.


# %%
def sne_gradient(X, P):
    """The gradient of E by (4), an array of shape (N, q)."""
    # Q of (2): the kernel values of all pairs, each row divided by its sum.
    # The brackets of (4) for all pairs (l, i), as one matrix. Then the sum
    # over i: the part with x_l, minus the part with the x_i. Two loops over l
    # and i will do too.
    ### BEGIN SOLUTION
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=2))
    W = P - K / K.sum(axis=1, keepdims=True)
    W = W + W.T
    gradient = 2 / len(X) * (W.sum(axis=1, keepdims=True) * X - W @ X)
    ### END SOLUTION
    return gradient


# %%
report = check("sne_gradient", sne_gradient)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("sne_gradient")` and `reveal("sne_gradient")` in
# a new cell do the same.
#
# ## What you have built
#
# Here is a trefoil knot, 48 points on a closed string in space. Your function learns only $P$:
# which points are neighbours. It moves 48 latent points in the plane, 250 times, by minus 7 times
# *your* gradient. They start as a random cloud, once of size .01, as in SNE, and once ten million
# times smaller.
#
# **Predict** Can a knot be drawn in the plane from a table of neighbours? And is the result of a
# smaller start the same, slower, better or worse?


# %%
def trefoil(N):
    """N points on the knot, equally far apart along the string."""
    s = np.linspace(0, 2 * np.pi, 4001)
    x, y = np.sin(s) + 2 * np.sin(2 * s), np.cos(s) - 2 * np.cos(2 * s)
    string = np.column_stack([x, y, -1.5 * np.sin(3 * s)])
    length = np.append(
        0, np.cumsum(np.linalg.norm(np.diff(string, axis=0), axis=1))
    )
    places = np.arange(N) / N * length[-1]
    return np.column_stack(
        [np.interp(places, length, column) for column in string.T]
    )


Y, t = trefoil(48), np.arange(48) / 48
P = neighbor_embedding.neighbor_probabilities(Y, h=2.0)  # (1)


# %%
def descent(size, seed=0):
    """All latent points of 250 moves, from a random cloud of that size."""
    path = [size * np.random.RandomState(seed).normal(size=(48, 2))]
    for _ in range(250):
        path.append(path[-1] - 7 * sne_gradient(path[-1], P))
    return np.array(path)


def mismatch(X):
    return neighbor_embedding.neighbor_embedding_error(X, P)[0]  # (3)


# %%
def drawn(ax, path):
    """Where the points went, and the string through them at the end."""
    for of_point in path.transpose(1, 2, 0):
        ax.plot(*of_point, color="#dde2e8", linewidth=0.7, zorder=0)
    figures.curve(ax, path[-1][np.arange(49) % 48])
    title = f"Start of size {path[0].std():.0e}: E = {mismatch(path[-1]):.2f}"
    figures.latent(ax, path[-1], t, title=title)


if report.passed:
    small, tiny = descent(1e-2), descent(1e-9)
    print(
        f"E from .01: {mismatch(small[-1]):.2f}, from a billionth: "
        f"{mismatch(tiny[-1]):.2f}"
    )

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 2, size=(9.5, 4.6))
    drawn(axes[0], small)
    drawn(axes[1], tiny)
    text = (
        "48 latent points in the plane, joined to a closed string. From .01 "
        "two of the crossings have run into one, E = 0.18. From a billionth: "
        "a trefoil, three loops, three crossings."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The picture on the right is how books draw this knot: three loops, three crossings. Nobody told
# the points about crossings. The crossings are the price of the plane: where two strands cross,
# strangers are as near as neighbours, and $E$ stays above zero.
#
# And the tiny start is *better*. Why? While all latent points are close together, every $Q_{ij}$ is
# $1/N$. The brackets of (4) are then constant, and so is the matrix that your function multiplies
# $X$ by. A descent multiplies by it again and again, which turns any cloud towards the leading
# eigenvectors: [lesson 15](../notebooks/15_springs.ipynb) makes more of it. Look at how much of the
# latent points lies in the two eigenvectors along which the cloud grows fastest:

# %%
if report.passed:
    W = P + P.T - 2 / 48
    _, vectors = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    for name, path in {"size .01": small, "billionth": tiny}.items():
        seen = path[:51:10] - path[:51:10].mean(axis=1, keepdims=True)
        share = [
            np.sum((vectors[:, :2].T @ X) ** 2) / np.sum(X**2) for X in seen
        ]
        print(
            f"{name:9}: share after 0, 10, ..., 50 moves",
            *(f"{value:.2f}" for value in share),
        )

# %% [markdown]
# The tiny cloud has time to become an eigenvector picture before it is large enough for $Q$ to
# notice. The larger cloud has only some ten moves. Of 20 random clouds each, 8 ended at $E = 0.12$
# from size .01, and 17 from a billionth. So an iterative method begins like a decomposition; its
# start decides for how long.
#
# **To think about**: what would the gradient be if all latent points lay at exactly one place, and
# what would a descent do there?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 19](19_affinity.ipynb), where eigenvectors guide a gradient on purpose, or back to
# [lesson 14](../notebooks/14_neighbour_embedding.ipynb).
