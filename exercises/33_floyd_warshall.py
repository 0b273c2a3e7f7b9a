# %% [markdown]
# # Exercise 33: all shortest paths
#
# Three loops and one comparison give the lengths of the shortest paths between all pairs of points.
# Only one order of the three loops is right.
#
# **Afterwards you can** write the method of Floyd and Warshall, and say why its loop over the way
# points is the outermost.
#
# **You need** [lesson 27](../notebooks/27_graphs_and_geodesics.ipynb), step 3 of procedure A-Isomap
# of [SI].
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
# `edges[i, j]` is the length of the edge *from* i *to* j, and `inf` if there is none. Streets may be
# one-way, so `edges` need not be symmetric, and an edge may have length 0. The diagonal is `inf`:
# no edge leads from a point to itself.
#
# Return $G$, where $G_{ij}$ is the length of the shortest path from $i$ to $j$: 0 if $i = j$, and
# `inf` if there is no path. Ask for every point $k$ whether the way through $k$ is shorter than the
# best so far:
#
# $$G_{ij} \leftarrow \min(G_{ij},\; G_{ik} + G_{kj}).$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `edges` | (N, N) | `G` | (N, N) |
#
# By hand: three towns, and streets from 0 to 1 (4 km), from 1 to 2 (1 km) and from 0 to 2 (7 km).
# The way from 0 to 2 through 1 has 5 km. Nothing leads back.
#
# $$\text{edges} = \begin{pmatrix} \infty & 4 & 7 \\ \infty & \infty & 1 \\ \infty & \infty &
# \infty \end{pmatrix}, \qquad G = \begin{pmatrix} 0 & 4 & 5 \\ \infty & 0 & 1 \\ \infty & \infty &
# 0 \end{pmatrix}$$


# %%
def path_lengths(edges):
    """The lengths of all shortest paths, an array of shape (N, N)."""
    # Begin with a copy of edges, zeros on its diagonal. Then three loops;
    # think about their order.
    ### BEGIN SOLUTION
    G = np.array(edges, dtype=float)
    np.fill_diagonal(G, 0)
    for k in range(len(G)):
        for i in range(len(G)):
            for j in range(len(G)):
                G[i, j] = min(G[i, j], G[i, k] + G[k, j])
    return G
    ### END SOLUTION


# %%
report = check("floyd_warshall", path_lengths)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("floyd_warshall")` and `reveal("floyd_warshall")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a meter for labyrinths. This one is a single corridor of 49 cells, wound up from
# the middle to the rim. Then **one** wall comes down.
#
# **Predict** For what share of all pairs of cells does the way get shorter? And by how much does
# the mean way shrink?

# %%
cells = np.array([(x, y) for x in range(-3, 4) for y in range(-3, 4)])
ring, angle = np.abs(cells).max(axis=1), np.arctan2(cells[:, 1], cells[:, 0])
# ring after ring, from the middle to the rim
cells = cells[np.lexsort((angle, ring))]
closed = np.full((49, 49), np.inf)
for n in range(48):
    closed[n, n + 1] = closed[n + 1, n] = np.linalg.norm(
        cells[n + 1] - cells[n]
    )
a, b = (cells.tolist().index(cell) for cell in ([2, 0], [3, 0]))
opened = closed.copy()
opened[a, b] = opened[b, a] = 1

# %%
if report.passed:
    before, after = path_lengths(closed), path_lengths(opened)
    print(f"pairs with a shorter way: {np.mean(after < before - 1e-9):.0%}")
    print(f"mean way: {before.mean():.1f} before, {after.mean():.1f} after")

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(1, 2, size=(8.4, 3.8))
    for ax, G, name in zip(
        axes, (before, after), ("closed", "one wall down"), strict=True
    ):
        with figures.style():
            ax.plot(*cells.T, color="#8c9aa8", lw=1, zorder=1)
            shown = ax.scatter(
                *cells.T, c=G[0], s=90, vmin=0, vmax=before[0].max()
            )
            ax.set(
                title=f"Way from the middle, {name}",
                xticks=[],
                yticks=[],
                aspect="equal",
            )
            figure.colorbar(shown, ax=ax, shrink=0.8)
    axes[1].plot(*cells[[a, b]].T, color=figures.COLORS[1], lw=4)
    text = (
        "Two labyrinths of 49 cells along a corridor that winds outwards, "
        "coloured by the length of the way from the middle. With one wall "
        "down every cell beyond it is nearer."
    )
    display(figures.show(figure, text))

# %% [markdown]
# One new edge of length 1, out of 49, changes the ways of so many pairs because a shortest path is
# a *minimum*: whoever gains by the edge, takes it. This is why one shortcut between two turns of a
# roll is enough to spoil Isomap.
#
# **To think about**: for $N$ points your loops take $N^3$ steps. Isomap joins each point to $h$
# others only. Why is Dijkstra's method then faster, and when is it not?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 34](34_double_centring.ipynb), or back to
# [lesson 27](../notebooks/27_graphs_and_geodesics.ipynb).
