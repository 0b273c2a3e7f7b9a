# %% [markdown]
# # Exercise 34: coordinates from distances
#
# Somebody gives you a table of distances and no coordinates. Eight lines draw the map, and say how
# much of the table fits no map at all.
#
# **Afterwards you can** turn squared distances into coordinates by double centring and
# eigenvectors, and read off what negative eigenvalues cost.
#
# **You need** [lesson 27](../notebooks/27_graphs_and_geodesics.ipynb), step 4 of procedure A-Isomap
# of [SI]; [lesson 28](../notebooks/28_pieces_and_rings.ipynb) for the share.
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
# Given squared distances $K_{ij} = g_{ij}^2$, form
#
# $$S = -\tfrac12\, B K B, \qquad B_{ij} = \delta_{ij} - 1/N .$$
#
# Let $\lambda_1 \ge \lambda_2 \ge \dots$ be the eigenvalues of $S$, with eigenvectors $v_p$ of
# length one. The coordinates are
#
# $$x_{ip} = \sqrt{\max(\lambda_p, 0)}\; v_{ip}, \qquad p = 1, \dots, q .$$
#
# A negative eigenvalue counts as zero. The *negative share* of all $N$ eigenvalues says how much
# was lost:
#
# $$\text{share} = \sum_{\lambda_p < 0} |\lambda_p| \Big/ \sum_p |\lambda_p|,$$
#
# and 0 if all eigenvalues are zero. The sign of each column of $X$ is free; the check ignores it.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `squared`, $K$ | (N, N) | `X`, coordinates | (N, q) |
# | `q`, number of coordinates | a number | `share` | a number |
#
# By hand: points 0, 1 and 5 on a line have squared distances 1, 16 and 25. Their mean is 2, and
# centred they are at -2, -1 and 3. Indeed
#
# $$S = \begin{pmatrix} 4 & 2 & -6 \\ 2 & 1 & -3 \\ -6 & -3 & 9 \end{pmatrix},$$
#
# whose only eigenvalue besides 0 is 14, with $v = (-2, -1, 3) / \sqrt{14}$. So $x = (-2, -1, 3)$,
# or $(2, 1, -3)$, and the share is 0.


# %%
def coordinates(squared, q):
    """Coordinates (N, q) for the given distances, and the negative share."""
    # Centre rows and columns, find the eigenvalues and eigenvectors of S, and
    # keep the greatest q. Return X, share.
    ### BEGIN SOLUTION
    S = squared - squared.mean(axis=0)
    S = -0.5 * (S - S.mean(axis=1, keepdims=True))
    values, V = np.linalg.eigh(S)  # ascending
    kept = np.maximum(values[::-1][:q], 0)
    total = np.abs(values).sum()
    share = -values[values < 0].sum() / total if total > 0 else 0.0
    return V[:, ::-1][:, :q] * np.sqrt(kept), share
    ### END SOLUTION


# %%
report = check("double_centring", coordinates)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("double_centring")` and `reveal("double_centring")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a cartographer. Eight cities, and the great-circle distances between them in
# kilometres, are all that it gets: no latitudes, no north.
#
# **Predict** Your function is asked for three coordinates; the picture shows the first two, and the
# third as the colour of the dots. Is the negative share zero?

# %%
cities = {
    "Lisbon": (39, -9),
    "Nairobi": (-1, 37),
    "Tokyo": (36, 140),
    "Sydney": (-34, 151),
    "Lima": (-12, -77),
    "Chicago": (42, -88),
    "Moscow": (56, 38),
    "Honolulu": (21, -158),
}
north, east = np.deg2rad(np.array(list(cities.values())).T)
globe = np.stack(
    [
        np.cos(north) * np.cos(east),
        np.cos(north) * np.sin(east),
        np.sin(north),
    ],
    1,
)
flights = 6371 * np.arccos(np.clip(globe @ globe.T, -1, 1))

# %%
if report.passed:
    X, share = coordinates(flights**2, 3)
    through_earth, _ = coordinates(
        (2 * 6371 * np.sin(flights / 6371 / 2)) ** 2, 3
    )
    distance = np.linalg.norm(through_earth - through_earth[0], axis=1)
    straight = 6371 * np.linalg.norm(globe - globe[0], axis=1)
    print(f"negative share of the flights: {share:.2f}")
    print(
        "of tunnels through the Earth, all distances kept:",
        np.allclose(distance, straight),
    )

# %% tags=["aside"]
if report.passed:
    figure, ax = figures.blank(size=(5.6, 4.6))
    figures.latent(
        ax, X[:, :2], X[:, 2], title="Cities, from lengths of flights alone"
    ).set_sizes([70])
    for name, x in zip(cities, X, strict=True):
        below = -14 if name == "Chicago" else 5
        ax.annotate(
            name,
            x[:2],
            xytext=(7, below),
            textcoords="offset points",
            fontsize=9,
        )
    ax.margins(0.2)
    text = (
        "Eight cities spread over the picture, as on a globe of glass. Lima "
        "is in front of or "
        "behind Chicago: their colours, the third coordinate, differ."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Flights follow the surface, so their lengths are no straight distances, and a part of $S$ is
# negative. Tunnels *are* straight: with their lengths, three coordinates give back every distance
# exactly. Your function has rebuilt the places of eight cities on the globe from a price list of
# tunnels.
#
# **To think about**: which direction is north? Why can no function of the distances know?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 35](35_join_components.ipynb), or back to
# [lesson 27](../notebooks/27_graphs_and_geodesics.ipynb).
