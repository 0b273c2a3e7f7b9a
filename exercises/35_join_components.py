# %% [markdown]
# # Exercise 35: arcs that join components
#
# A graph of neighbours lies in pieces. Join the two closest pieces, and again, until one is left.
#
# **Afterwards you can** write the agglomeration of [SI], and say why its arcs form a spanning tree.
#
# **You need** [lesson 28](../notebooks/28_pieces_and_rings.ipynb), step 2 of procedure A-Isomap of
# [SI].
#
# **Time** 20 minutes.

# %%
import numpy as np
from IPython.display import display
from scipy.spatial.distance import cdist

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
# `D` holds the distances of all points, and `component[n]` is the number of the component of point
# $n$; any integers may be such numbers. Find the two closest points that belong to different
# components, and join them by an *arc*. (No two pairs are equally close.) Their components are one
# from now on. Repeat this until one component is left.
#
# Return the arcs in the order in which they were found, a row of two indices of points each. Which
# of the two comes first does not matter. If there is only one component, return an array of shape
# (0, 2).
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `D`, distances | (N, N) | `arcs` | (C - 1, 2) for C components |
# | `component` | (N,) | | |
#
# By hand: points at 0, 1, 4 and 9 on a line, in the components 0, 0, 1, 2. The closest two points in
# different components are those at 1 and 4, so the first arc is (1, 2). Now the first three points
# belong together, and the second arc joins 4 and 9: (2, 3).


# %%
def joined(D, component):
    """The arcs that join all components, an array of shape (C - 1, 2)."""
    # All pairs of points in the order of their distances. A pair within one
    # component is no arc; after an arc two components are one.
    ### BEGIN SOLUTION
    label, arcs = component.copy(), []
    i, j = np.triu_indices(len(D), 1)
    for n in np.argsort(D[i, j]):
        if label[i[n]] != label[j[n]]:
            arcs.append((i[n], j[n]))
            label[label == label[j[n]]] = label[i[n]]
    return np.array(arcs, dtype=int).reshape(-1, 2)
    ### END SOLUTION


# %%
report = check("join_components", joined)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("join_components")` and `reveal("join_components")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built the planner of the cheapest bridges. Twelve islands lie around a lagoon. Your
# function says where to build, and no other set of bridges that connects them all is shorter.
#
# **Predict** The bridges are as cheap as possible. Who will complain?

# %%
random = np.random.RandomState(4)
around = np.linspace(0, 2 * np.pi, 12, endpoint=False) + 0.06 * random.normal(
    size=12
)
islands = 10 * np.stack([np.cos(around), np.sin(around)], axis=1)
component = np.repeat(np.arange(12), 15)
villages = islands[component] + 0.7 * random.normal(size=(180, 2))
D = cdist(villages, villages)

# %%
if report.passed:
    arcs = joined(D, component)
    lengths = D[arcs[:, 0], arcs[:, 1]]
    print(
        f"{len(arcs)} bridges of {lengths.sum():.1f} km together, the longest "
        f"{lengths[-1]:.1f} km"
    )
    ends = [c for c in range(12) if np.sum(component[arcs] == c) == 1]
    a, b = (villages[component == c] for c in ends)
    print(
        f"islands with one bridge: {ends}, and {cdist(a, b).min():.1f} km of "
        "water between them"
    )

# %% tags=["aside"]
if report.passed:
    figure, ax = figures.blank(size=(5, 4.6))
    figures.data(ax, villages, title="Twelve islands and their bridges")
    for arc in arcs:
        ax.plot(*villages[arc].T, color=figures.COLORS[1], lw=3)
    text = (
        "Twelve groups of villages in a circle, joined in a row by eleven "
        "short bridges; one gap stays open."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The two islands at the open gap complain: they see each other across the water, and the way leads
# around the whole lagoon. A tree has exactly one way between any two points, and no ring. This is
# what the agglomeration of [SI] does to closed curves: it cuts them open at the widest gap.
#
# **To think about**: the total length of the bridges is the least possible. Why does it not help to
# look ahead, instead of taking the closest pair each time?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 36](36_label_distance.ipynb), or back to
# [lesson 28](../notebooks/28_pieces_and_rings.ipynb).
