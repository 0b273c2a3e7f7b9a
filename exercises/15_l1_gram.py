# %% [markdown]
# # Exercise 15: the L1 kernel, and its features
#
# You turn a distance into inner products, and inner products into coordinates. Then any method for
# Euclidean geometry can use the distance of your choice.
#
# **Afterwards you can** compute a Gram matrix from L1 distances, and points with these inner
# products.
#
# **You need** [lesson 11](../notebooks/11_feature_space.ipynb) up to equation (18) of [UKR], and what
# eigenvalues and eigenvectors of a symmetric matrix are.
#
# **Time** 20 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import figures
from ukrlearn.blocks import starts
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
# With $|y|_1$, the sum of the absolute values of the coordinates, the L1 kernel is
#
# $$k(y, y') = \tfrac12 \left( |y|_1 + |y'|_1 - |y - y'|_1 \right). \tag{17}$$
#
# *First* compute its Gram matrix G for all pairs of points. *Then* find points with these inner
# products: a matrix F whose rows $\Phi_n$ have $\langle \Phi_n, \Phi_m \rangle = g_{nm}$, that is
# $F F^T = G$. There are many, since F may be rotated. Take the symmetric one: with the eigenvalues
# $\lambda$ and the eigenvectors $V$ of G,
#
# $$G = V \operatorname{diag}(\lambda)\, V^T, \qquad F = V \operatorname{diag}(\sqrt\lambda)\, V^T.$$
#
# Rounding can make a zero $\lambda$ slightly negative; count it as zero. You can test F by (18):
# the squared distances of its rows are the L1 distances of the data.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `G`, the Gram matrix | (N, N) |
# | | | `F`, one row of features for each point | (N, N) |
#
# By hand: the points (1, -2) and (2, 1). Their sizes are 3 and 3, their L1 distance is $1 + 3 = 4$,
# so $k = (3 + 3 - 4)/2 = 1$, and G has 3 on the diagonal and 1 off it. The eigenvalues are 4 and 2,
# with the vectors (1, 1) and (1, -1) divided by $\sqrt2$. So F has $(2 + 1.414)/2 = 1.707$ on the
# diagonal and $(2 - 1.414)/2 = 0.293$ off it.


# %%
def l1_features(Y):
    """G of (17) and its symmetric root F, two arrays of shape (N, N)."""
    # The sizes of all points, and the L1 distances of all pairs. From them the
    # Gram matrix. Its eigenvalues and eigenvectors. Zeros for negative
    # eigenvalues, then their roots. Finally F, put together from the
    # eigenvectors and the roots.
    ### BEGIN SOLUTION
    size = np.abs(Y).sum(axis=1)
    distance = np.abs(Y[:, None] - Y).sum(axis=2)
    G = (size[:, None] + size - distance) / 2
    eigenvalues, V = np.linalg.eigh(G)
    roots = np.sqrt(eigenvalues.clip(0))
    F = V * roots @ V.T
    return G, F
    ### END SOLUTION


# %%
report = check("l1_gram", l1_features)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("l1_gram")` and `reveal("l1_gram")` in
# a new cell do the same.
#
# ## What you have built
#
# Take the simplest possible data: the numbers 1, 2, ..., 200, evenly spaced on a straight line.
# Your function gives each of them a place in feature space.
#
# **Predict** Do they lie on a straight line again? At which angle does the step from 2 to 3 meet
# the step from 1 to 2?

# %%
numbers = np.arange(1.0, 201.0)[:, None]
if report.passed:
    G, F = (np.asarray(part, dtype=float) for part in l1_features(numbers))
    steps = np.diff(F, axis=0)
    lengths = np.linalg.norm(steps, axis=1)
    cosines = (steps @ steps.T)[np.triu_indices(199, 1)]
    print(
        f"the 199 steps have lengths from {lengths.min():.4f} to "
        f"{lengths.max():.4f}"
    )
    print(
        "every two of them meet at right angles:",
        bool(np.abs(cosines).max() < 1e-6),
    )
    print(
        "from 1 to 101, one hundred steps: distance "
        f"{np.linalg.norm(F[100] - F[0]):.4f}"
    )

# %% tags=["aside"]
if report.passed:
    seen = starts.pca(F, 3)  # the three directions in which they spread most
    share = (seen**2).sum() / ((F - F.mean(axis=0)) ** 2).sum()
    figure, (left, right) = figures.blank(
        1, 2, size=(9.5, 4.2), projection=["3d", None]
    )
    figures.data(
        left,
        seen,
        numbers[:, 0],
        title="The numbers 1 to 200 in feature space",
    )
    names = {"across": "number", "up": "principal component"}
    waves = {f"component {k + 1}": seen[:, k] for k in range(3)}
    figures.lines(
        right,
        numbers[:, 0],
        waves,
        title="The same, over the number",
        **names,
    )
    text = (
        "200 evenly spaced numbers in feature space: a bent, twisted curve. "
        "Its three principal components are half a wave, one wave and one "
        f"and a half, {share:.0%} of the variance."
    )
    display(figures.show(figure, text))

# %% [markdown]
# A straight line has become a curve that turns by a right angle at every step, each time into a new
# dimension. It cannot be otherwise: by (18) the *squared* distance grows with the number of steps,
# so the distance itself grows with the root of that number. One hundred steps of length 1 lead only
# 10 away, as in a random walk, and for the same reason. Along its principal directions the curve
# consists of waves: half a wave, one wave, one and a half, and so on. In this space an outlier is
# never far away, which is why L1 geometry tolerates outliers.
#
# **To think about**: each number has one coordinate, but the features vary in 199 coordinates. Why
# does UKR with this kernel never have to compute any of the 199?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 16](16_homotopy_stage.ipynb), or back to
# [lesson 11](../notebooks/11_feature_space.ipynb).
