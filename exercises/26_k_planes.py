# %% [markdown]
# # Exercise 26: k-planes
#
# k-means describes groups by points. You describe them by lines and planes, and cut a flower
# out of a photograph.
#
# **Afterwards you can** write one round of k-planes, and say how its groups differ from those of
# k-means.
#
# **You need** [lesson 22](../notebooks/22_one_functional.ipynb), the section "Lines for things",
# and [exercise 24](24_project_adapt.ipynb). The paper [RPM] describes the method after (10).
#
# **Time** 25 minutes.

# %%
import numpy as np
from IPython.display import display
from sklearn.datasets import load_sample_image

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
# Plane $k$ goes through its centre $c_k$ along $q$ orthonormal directions, the rows of $V_k$. (With
# $q = 1$ it is a line.) The part of $y - c_k$ within the plane is $V_k^T V_k (y - c_k)$, and the
# rest is the residual. One round has two half steps:
#
# $$z_n = \operatorname*{argmin}_k\; \bigl| y_n - c_k - V_k^T V_k (y_n - c_k) \bigr|^2,$$
#
# with the first of several $k$ that are equally good, and then, for each plane, PCA of the points
# that have taken it: $c_k$ becomes their mean, and $V_k$ the $q$ directions of greatest variance
# around it. A plane that nobody has taken stays as it is. (No plane gets so few points that these
# directions are undetermined.)
#
# Directions have no sign, and a plane has many sets of directions. So return the matrix $P_k =
# V_k^T V_k$, the projection onto the plane, in place of the new $V_k$.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `Z`, the labels, from 0 | (N,) |
# | `centres`, $c_k$ | (k, d) | `new_centres` | (k, d) |
# | `V`, directions | (k, q, d) | `P`, the new projections | (k, d, d) |
#
# By hand: a line along the first axis through (0, 0), and one along the second through (0, 4). The
# points are (2, 0), (4, -1), (6, -2) and (0, 5), (1, 7), (-1, 3). The distances from the first line
# are the second coordinates, and those from the second line the first: so three points take the
# first line, and three the second. The first three lie on a line through (4, -1) along (2, -1), the
# others on one through (0, 5) along (1, 2):
#
# $$P_1 = \tfrac15 \begin{pmatrix} 4 & -2 \\ -2 & 1 \end{pmatrix}, \qquad
# P_2 = \tfrac15 \begin{pmatrix} 1 & 2 \\ 2 & 4 \end{pmatrix}.$$


# %%
def k_planes_round(Y, centres, V):
    """Labels; for each label the mean and the projection onto its plane."""
    # The squared residual of every point for every plane, and the smallest.
    # Then, plane by plane, the mean of its points, and PCA around it. Others
    # stay. Return Z, new_centres, P.
    ### BEGIN SOLUTION
    new_centres, P = centres.copy(), np.array([v.T @ v for v in V])
    across = [Y - c - (Y - c) @ p for c, p in zip(centres, P, strict=True)]
    Z = np.argmin(np.sum(np.square(across), axis=2), axis=0)
    for k in np.unique(Z):
        own = Y[Z == k]
        new_centres[k] = own.mean(axis=0)
        found = np.linalg.svd(own - new_centres[k], full_matrices=False)[2][
            : V.shape[1]
        ]
        P[k] = found.T @ found
    return Z, new_centres, P
    ### END SOLUTION


# %%
report = check("k_planes", k_planes_round)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("k_planes")` and `reveal("k_planes")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built scissors. The data are the colours of the photograph's pixels, nothing else: your
# function does not know where a pixel is. It gets two lines ($q = 1$), and beside it k-means gets
# two points ($q = 0$: a point is a plane without directions, and your function handles that too).
#
# **Predict** The flower has dark shadows between its petals. Into which group do they fall with two
# points, into which with two lines?

# %%
photo = load_sample_image("flower.jpg")[::5, ::5] / 255
Y = photo.reshape(-1, 3)
RED, GREEN = Y[Y[:, 0].argmax()], Y[(Y[:, 1] - Y[:, 0]).argmax()]
BEGUN = np.array([RED, GREEN])


# %%
def directions_of(P, q):
    """V from its projection."""
    return np.array([np.linalg.eigh(p)[1][:, len(p) - q :].T for p in P])


def cut(q, rounds=25):
    """The labels of all pixels after your rounds; each line begins black."""
    centres, V = (
        BEGUN,
        (BEGUN / np.linalg.norm(BEGUN, axis=1, keepdims=True))[:, None][:, :q],
    )
    for _ in range(rounds):
        Z, centres, P = k_planes_round(Y, centres, V)
        V = directions_of(P, q)
    return Z


# %% tags=["nbval-ignore-output"]
if report.passed:
    groups = {"two points": cut(0), "two lines": cut(1)}
    # dark, but red
    shadows = (Y[:, 0] > 2 * Y[:, 1]) & (Y[:, 0] > 0.1) & (Y[:, 0] < 0.55)
    with_petals = {
        name: np.mean(Z[shadows] == 0) for name, Z in groups.items()
    }
    print(
        f"{shadows.sum()} pixels are dark red. With the petals are:", end=" "
    )
    print(
        ", ".join(
            f"{part:.0%} by {name}" for name, part in with_petals.items()
        )
    )

# %% tags=["aside"]
if report.passed:
    assert with_petals["two lines"] > with_petals["two points"] + 0.1
    figure, axes = figures.blank(1, 3, size=(8.4, 2.6))
    images = {"photograph": Y} | {
        name: Y * (Z == 0)[:, None] for name, Z in groups.items()
    }
    for ax, (name, image) in zip(axes, images.items(), strict=True):
        with figures.style():
            ax.imshow(image.reshape(photo.shape))
            ax.set(
                title=name if image is Y else f"cut out by {name}",
                xticks=[],
                yticks=[],
            )
    text = (
        "Left: the photograph. Middle and right: only pixels with the "
        "petals' label, the others black. Of the dark red pixels two points "
        f"keep {with_petals['two points']:.0%}, two lines "
        f"{with_petals['two lines']:.0%}."
    )
    display(figures.show(figure, text))

# %% [markdown]
# A point stands for a *brightness* and a tint, so k-means parts light from dark. A line from black
# stands for one tint in any light, so k-planes parts one thing from another.
#
# **To think about**: both lines began at black. Which pixels are labelled almost by chance in the end,
# the dark ones? And would a third line help?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Back to [lesson
# 22](../notebooks/22_one_functional.ipynb), or on to [lesson
# 23](../notebooks/23_principal_manifolds.ipynb) and [exercise 27](27_adapt_manifold.ipynb).
