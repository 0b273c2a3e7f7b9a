# %% [markdown]
# # Exercise 19: affinity and guided gradient
#
# Points with similar data should move together. One matrix says which points are similar, and its
# powers say how far the similarity reaches.
#
# **Afterwards you can** build the affinity of data, raise it to any power, guide a gradient by it,
# and say which points take part when a single one is pushed.
#
# **You need** [lesson 16](../notebooks/16_moving_together.ipynb) up to equation (17) of [SGD].
#
# **Time** 25 minutes.

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
# ## The affinity
#
# $$M = D^{-1/2} K D^{-1/2}, \qquad K_{ij} = \exp(-|y_i - y_j|^2 / h), \qquad
# D_{ii} = \sum_j K_{ij} \tag{12}$$
#
# $D$ is diagonal, so each $K_{ij}$ is divided by two numbers: the root of the sum of row $i$ and the
# root of the sum of row $j$. The ones on the diagonal of $K$ stay.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `M` | (N, N) |
# | `h`, bandwidth in squared units | a number | | |
#
# By hand: two data points at 0 and 1, $h = 1$. The entries of $K$ are 1 and $e^{-1} = 0.368$, both
# row sums are 1.368, and $M$ has 1/1.368 = 0.731 on the diagonal and 0.368/1.368 = 0.269 off it.


# %%
def affinity(Y, h):
    """M of (12), an array of shape (N, N)."""
    # The kernel values of all pairs. The root of the sum of each row. Every
    # kernel value divided by the root of its row and by the root of its
    # column.
    ### BEGIN SOLUTION
    K = np.exp(-np.sum((Y[:, None] - Y) ** 2, axis=2) / h)
    root = np.sqrt(K.sum(axis=1))
    M = K / root[:, None] / root
    ### END SOLUTION
    return M


# %% [markdown]
# ## The guided gradient
#
# A gradient $G$ has one row for each latent point. It is multiplied by a power of the affinity:
#
# $$\hat G = \frac{M^\nu}{\operatorname{tr} M^\nu}\; G \tag{16, 17}$$
#
# The trace is the sum of the diagonal. With $M = V \operatorname{diag}(\lambda) V^T$, eigenvectors
# in the columns of $V$, the guided gradient becomes a weighted sum over directions, for any
# $\nu \ge 0$:
#
# $$\hat G = V \operatorname{diag}(p)\, V^T G, \qquad p_i = \frac{\lambda_i^\nu}{\sum_k \lambda_k^\nu}.$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, `h`, as above | (N, d), a number | `M`, the affinity | (N, N) |
# | `G`, gradient | (N, q) | `guided` | (N, q) |
# | `nu`, 0 or more, not only whole | a number | | |
#
# No eigenvalue of $M$ is negative, but rounding may leave one at -0.00000000000000001, and its
# power 2.5 is not a number. Lift such values to zero.
#
# By hand: the two points from above, $\nu = 1$, the gradient 1 for the first point and 0 for the
# second. $M G$ is 0.731 and 0.269, the trace is 1.462, and $\hat G$ is 0.5 and 0.184. The second
# point moves along.


# %%
def guided_gradient(Y, h, G, nu):
    """M of (12), and the guided gradient (16), (17), an array (N, q)."""
    M = affinity(Y, h)
    # The eigenvalues and eigenvectors of M; none of the values below zero.
    # Their powers, divided by the sum of the powers. The gradient in the basis
    # of the eigenvectors, each row times its weight, and back.
    ### BEGIN SOLUTION
    values, V = np.linalg.eigh(M)
    weights = np.maximum(values, 0) ** nu
    weights = weights / weights.sum()
    guided = V @ (weights[:, None] * (V.T @ G))
    ### END SOLUTION
    return M, guided


# %%
report = check("affinity", guided_gradient)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("affinity")` and `reveal("affinity")` in
# a new cell do the same.
#
# ## What you have built
#
# Two spirals wind around each other, 150 points each. Suppose a gradient wants to move *one* point,
# marked by a cross, and no other. The next cells ask *your* function which points move along.
#
# **Predict** The nearest point of the other spiral is six times closer to the cross than the outer
# end of its own spiral. As $\nu$ grows, which of the two begins to move first?

# %%
radius = np.linspace(0.1, 1, 150)[:, None] ** 0.5
angle = 3.5 * np.pi * radius
spiral = radius * np.column_stack([np.cos(angle), np.sin(angle)])
Y, one = np.concatenate([spiral, -spiral]), 75
push = np.zeros((300, 1))
push[one] = 1
distance = np.linalg.norm(Y - Y[one], axis=1)
stranger = 150 + int(np.argmin(distance[150:]))
print(
    f"nearest stranger {distance[stranger]:.2f}, own end {distance[149]:.2f} "
    "away"
)

# %%
if report.passed:
    moved = {
        nu: guided_gradient(Y, 0.004, push, nu)[1][:, 0]
        for nu in (1, 30, 300, 10_000)
    }
    print("movement, in units of the greatest")
    for nu, by in moved.items():
        share = np.abs(by / by.max())
        print(
            f"nu = {nu:5}: above 0.1 for {np.sum(share > 0.1):3} points",
            end=", ",
        )
        print(f"own end {share[149]:.3f}, stranger {share[stranger]:.3f}")

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 4, size=(13, 3.7))
    for ax, (nu, by) in zip(axes, moved.items(), strict=True):
        figures.data(ax, Y, by / by.max(), title=f"ν = {nu}")
        ax.plot(
            *Y[one], "x", color="#cc3311", markersize=10, markeredgewidth=2.5
        )
    text = (
        "Two spirals, bright where points move along with the cross: a few "
        "neighbours, then a longer and longer stretch of one spiral, at last "
        "all of it. The other one stays dark."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The push spreads along the spiral like heat along a wire, and hardly leaps to the other one. No
# entry of $M$ knows the spiral; each knows only near neighbours. The power lets them pass the push
# on: $(M^\nu)_{ij}$ adds up all paths of $\nu$ steps from $i$ to $j$, and almost none cross the
# gap. So a guided gradient averages over the *curve*, not over a ball in space. On the noisy spiral
# (`datasets.noisy_spiral`) UKR with the default guidance found the order from a random start in 16
# of 22 draws, and without guidance in none.
#
# **To think about**: let $\nu$ grow without end. Some movement does cross the gap, very slowly.
# What will the final picture be, and which eigenvector is it?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 20](20_effective_directions.ipynb), which counts how free the points still are, or back
# to [lesson 16](../notebooks/16_moving_together.ipynb).
