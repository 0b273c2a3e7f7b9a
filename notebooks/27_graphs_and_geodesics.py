# %% [markdown]
# # Graphs and geodesics
#
# How far apart are two points if you may only walk along the data? Isomap, the start of several
# earlier lessons, answers this question; LLE avoids it. Here you build both step by step, and see
# why they fail so often.
#
# **Afterwards you can**
#
# - build a graph of neighbours, and find shortest paths along it;
# - turn distances into coordinates by double centring;
# - write Isomap and LLE in a dozen lines each, and check them against scikit-learn;
# - explain why one edge can ruin an embedding, and choose the number of neighbours accordingly.
#
# **You need** [lesson 02](02_unsupervised.ipynb) and eigenvectors; lessons
# [04](04_leave_one_out.ipynb) (the leave-one-out error) and [08](08_starts_and_scales.ipynb)
# (starts and their scale) help. **Time** 26 minutes. **Contents** Photographs out of order · A
# graph of neighbours · Shortest paths · From distances to coordinates · One edge too many · Why ten
# neighbours fail half the time · LLE · Key points

# %%
import inspect

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.manifold import Isomap, LocallyLinearEmbedding

from ukrlearn import AgglomerativeIsomap, datasets, figures, metrics
from ukrlearn.blocks import scales, starts
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit import si as loops
from ukrlearn.ukr.reconstruction import squared_residuals

predict = predictions("27_graphs_and_geodesics")

# %%
review("27_graphs_and_geodesics")  # questions from earlier lessons

# %% [markdown]
# ## Photographs out of order (3 minutes)
#
# A handwritten seven tips over, from 0 to 178 degrees. We have 90 photographs in poor light, 256
# pixels each, and somebody has shuffled them. Can you put them in order? The obvious measure is the
# distance between two photographs, as points in a space of 256 dimensions.

# %%
random = np.random.RandomState(0)
images, degrees = datasets.rotated_digits(1, 180, label=7, random_state=0)
shuffle = random.permutation(90)
photos = (images[:90] + 0.5 * random.normal(size=(90, 256)))[shuffle]
t = degrees[:90][shuffle]
D, apart = cdist(photos, photos), np.abs(t[:, None] - t)

# %% tags=["aside"]
figure, (strip, ax) = figures.blank(2, 1, size=(8.2, 4.6))
with figures.style():
    strip.imshow(np.hstack(photos[:8].reshape(-1, 16, 16)), cmap="gray_r")
    strip.set(xticks=[], yticks=[], title="Eight of the photographs")
    ax.plot(apart.ravel(), D.ravel(), ".", ms=2)
    ax.set(
        title="All pairs of photographs",
        xlabel="true difference of their angles, degrees",
    )
    ax.set(ylabel="distance", ylim=(0, None))
figures.show(
    figure,
    "Above eight noisy sevens, turned by different angles. Below, the "
    "distance of two photographs over the difference of their angles: it "
    "rises up to 50 degrees, stays level, and falls.",
)

# %% [markdown]
# The distance of two photographs tells you whether they are neighbours, and little more: at 50
# degrees it is as long as at 150. So trust the short distances only, and add them up along the way.
# A *geodesic* is a shortest path along the data. Equations here are from [SI]: Orsenigo and
# Vercellis, *Kernel ridge regression for out-of-sample mapping in supervised manifold learning*,
# 2012, section 2.
#
# ## A graph of neighbours (2 minutes)
#
# Two points are joined by an *edge* if **one of them** is among the $h$ nearest neighbours of the
# other. The length of the edge is their distance. So a lonely point, which is nobody's neighbour,
# also gets edges, and a popular point can have more than $h$ edges. (In this paper $h$ is a number
# of neighbours, the $K$ of lesson 08, and not the bandwidth.)


# %%
def edge_lengths(D, h):
    """Lengths of the edges (N, N), infinite where there is no edge."""
    edges = np.full(D.shape, np.inf)
    for n, row in enumerate(D):
        nearest = np.argsort(row)[1 : h + 1]  # the first is the point itself
        edges[n, nearest] = edges[nearest, n] = row[nearest]
    np.fill_diagonal(edges, 0)
    return edges


edges = edge_lengths(D, 4)
print(
    "4 neighbours each; edges of a point: up to",
    np.isfinite(edges).sum(axis=1).max() - 1,
)

# %% [markdown]
# ## Shortest paths (3 minutes)
#
# *Dijkstra's* method finds the shortest paths from one point to all others. The lengths found so
# far are upper bounds. The unsettled point with the smallest bound is settled next: every other way
# to it would begin with a longer one. Then each of its edges may shorten a neighbour's bound.

# %%
print(inspect.getsource(loops.dijkstra))

# %% [markdown]
# Another method, by Floyd and Warshall, asks for all pairs and every point $k$ whether the way
# through $k$ is shorter. With NumPy it takes two lines.

# %% tags=["nbval-ignore-output"]
predict(
    "path-and-angle",
    "How does the length of the shortest path between two photographs depend "
    "on the difference of their angles?",
    options=[
        "as the distance does: it levels off at 50 degrees",
        "it is nearly proportional to it",
        "it grows with the square of it",
    ],
    answer="it is nearly proportional to it",
    because="Steps between neighbours add up along the turn.",
    tempts=[
        "The distance does level off, but a path is made of short steps.",
        "Many formulas here use squared distances, but a path adds up "
        "lengths.",
    ],
    hides=2,
)


# %%
def path_lengths(edges):
    """G (N, N): the lengths of all shortest paths."""
    G = edges.copy()
    for k in range(len(G)):
        G = np.minimum(G, G[:, [k]] + G[[k]])
    return G


# %%
G = path_lengths(edges)
as_lists = loops.neighbor_graph(D.tolist(), 4)
print("as Dijkstra in loops:", np.allclose(G[7], loops.dijkstra(as_lists, 7)))
r = [np.corrcoef(lengths.ravel(), apart.ravel())[0, 1] for lengths in (D, G)]
print(
    f"correlation with the difference of angles: distances {r[0]:.2f}, paths "
    f"{r[1]:.2f}"
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Both methods give the same lengths, and the length of the path is nearly proportional to the
# difference of the angles.
#
# </details>

# %% [markdown]
# ## From distances to coordinates (3 minutes)
#
# Let $g_{ij}$ be the length of the path between points $i$ and $j$. Suppose that these lengths were
# distances $|z_i - z_j|$ of unknown points whose mean is zero. Then
#
# $$g_{ij}^2 = |z_i|^2 + |z_j|^2 - 2\, z_i^T z_j.$$
#
# The first two terms are constant in a row and in a column. *Double centring* subtracts the means
# of rows and columns, and only the inner products remain:
#
# $$S = -\tfrac12\, B K B, \qquad K_{ij} = g_{ij}^2, \qquad B_{ij} = \delta_{ij} - 1/N$$
#
# with $S_{ij} = z_i^T z_j$. (Here $K$ is no kernel, and $B$ holds no weights.) Eigenvectors $v_p$ of
# $S$ with eigenvalues $\lambda_p$ give $S =
# \sum_p \lambda_p v_p v_p^T$, so these coordinates have exactly these inner products:
#
# $$z_{ip} = \sqrt{\lambda_p}\, v_{ip}.$$
#
# Keep the $q$ largest. This is *classical multidimensional scaling*, and together with the graph
# and its paths it is *Isomap*.


# %%
def isomap(Y, q, h):
    G = path_lengths(edge_lengths(cdist(Y, Y), h))
    B = np.eye(len(G)) - 1 / len(G)
    values, V = np.linalg.eigh(-B @ G**2 @ B / 2)  # of S, in ascending order
    values, V = values[::-1][:q], V[:, ::-1][:, :q]
    return V * np.sqrt(np.maximum(values, 0))


# %%
X = isomap(photos, 1, 4)
theirs = Isomap(n_neighbors=4, n_components=1).fit_transform(photos)
print(
    "as scikit-learn, up to sign:",
    np.allclose(X * np.sign(X.T @ theirs), theirs),
)
for name, Z in (
    ("first principal component", starts.pca(photos, 1)),
    ("Isomap", X),
):
    print(
        f"{name}: order of the angles recovered "
        f"{metrics.order_recovered(Z, t):.2f}"
    )

# %% [markdown]
# Isomap has sorted the photographs. Its rank correlation with the angle is nearly 1.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# n = 40 draws (seeds 100 to 139): rank correlation with the angle .9985 in the median (10 to 90 %:
# .9980–.9989, least .9967; .9961 in one other draw); of the first principal component .82, at most .89.
#
# </details>

# %% [markdown]
# ## One edge too many (7 minutes)
#
# Take the spiral of lesson 02, and the same spiral with **one** point more, halfway between two
# turns. We compare how well Isomap finds the order of the 300 points, and the leave-one-out error
# $R_{cv}$ at the best scale. (`AgglomerativeIsomap` is the library's Isomap; lesson 28 explains the
# name.)

# %% tags=["nbval-ignore-output"]
predict(
    "one-more-point",
    "What does the one new point do to the leave-one-out error of the other "
    "300?",
    options=[
        "hardly anything: it is one point of 301",
        "it rises by about a third",
        "it rises by a factor of about 20 or more",
    ],
    answer="it rises by a factor of about 20 or more",
    because=(
        "Every path may change turns at the new point, so the order of a "
        "whole turn is lost."
    ),
    tempts=[
        "It is one point of 301, but ask to how many paths it offers a "
        "shorter way.",
        "A third sounds like much for one point, but ask to how many paths it "
        "offers a shorter way.",
    ],
    hides=2,
)

# %%
Y, t = datasets.noisy_spiral(300, random_state=0)
more = np.vstack([Y, [[0.0, 0.575]]])


def judged(X):
    """Order recovered, and R_cv at the best scale, of the 300 points."""
    X = scales.normalised(X[:300])
    scaled = scales.best_scale(X, lambda X: squared_residuals(X, Y).mean())
    return metrics.order_recovered(X, t), scaled.error


models = [
    AgglomerativeIsomap(1, n_neighbors=10).fit(data) for data in (Y, more)
]
found = [judged(model.embedding_) for model in models]
for name, (order, error) in zip(
    ("300 points", "301 points"), found, strict=True
):
    print(f"{name}: order {order:.2f}, R_cv {error:.3f}")

# %% tags=["aside"]
figure, axes = figures.blank(1, 2, size=(8.2, 4))
for ax, model, data in zip(axes, models, (Y, more), strict=True):
    figures.data(
        ax, data, title=f"{len(data)} points: the way from end to end"
    )
    path = model.shortest_path(np.argmin(t), np.argmax(t))
    ax.plot(*data[path].T, "o-", ms=4, color=figures.COLORS[1])
axes[1].plot(*more[-1], "*", ms=14, color="#222222")
figures.show(
    figure,
    "Left: the shortest path follows the spiral through both turns. Right: a "
    "star between the turns; the path jumps over it and leaves out a whole "
    "turn.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The new point has neighbours on both turns, so every path may change turns there. The order falls
# from 1.00 to .91, and $R_{cv}$ rises from .003 to .077. One bad point spoils a mean a little; it
# spoils a *minimum* over paths everywhere.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 50 other draws (seeds 3000 to 3049) 22 had the right order with 300 points. The same point
# spoilt all 22: the order fell to .86 to .94, and $R_{cv}$ rose by a factor of 18 to 29.
#
# </details>

# %% [markdown]
# The panel shows the edges and the shortest path from end to end on the Swiss roll: on the left in
# space, at the upper right on the unrolled sheet. Below is Isomap's map. An edge between two turns,
# drawn thick, is a *shortcut*: its ends are more than half a turn apart along the roll. Predict,
# then move the sliders and watch the path. At last drag one point towards the next turn.

# %% tags=["nbval-ignore-output"]
predict(
    "shortcuts",
    "Which sliders make shortcuts?",
    options=[
        "more neighbours only",
        "more neighbours and noise",
        "more neighbours, noise, and a hole",
    ],
    answer="more neighbours, noise, and a hole",
    because=(
        "More neighbours reach further, noise brings turns closer, and points "
        "at the rim of a hole lack near neighbours."
    ),
    tempts=[
        "More neighbours do reach further, but they are not the only way for "
        "an edge to leave its turn.",
        "A hole only takes points away, which sounds harmless, but ask where "
        "a point at its rim finds its neighbours.",
    ],
    hides=0,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Geodesics

panel = Geodesics()
panel

# %%
for h, noise, hole in (
    (6, 0.2, 0.0),
    (8, 0.2, 0.0),
    (6, 1.0, 0.0),
    (6, 0.2, 0.5),
):
    walk = panel.walk(h, noise, hole)
    found = (
        f"shortcuts: {walk.is_short.sum():2}, length of the path: "
        f"{walk.length:.0f}"
    )
    print(f"h = {h}, noise {noise}, hole {hole}; {found}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# All three, and one dragged point is enough. More neighbours reach further. Noise brings turns
# closer. At the rim of a hole a point
# lacks near neighbours, so its six nearest are further away. Also compare the hole on the sheet and
# in the map: paths must go around it, so Isomap enlarges it.
#
# </details>

# %% [markdown]
# ## Why ten neighbours fail half the time (4 minutes)
#
# Lesson 07 says that Isomap with ten neighbours orders the noisy spiral in less than half of the
# draws. Now you can find out why: count the shortcuts.


# %%
def shortcuts(graph, t):
    angle = (
        4 * np.pi * (np.linalg.norm(datasets.spiral_curve(t), axis=1) - 0.2)
    )
    i, j = graph.lengths.nonzero()  # both directions of every edge
    return np.sum(np.abs(angle[i] - angle[j]) > np.pi) // 2


# %% tags=["nbval-ignore-output"]
seen = []
for seed in range(3000, 3020):  # change these numbers as you like
    Y_new, t_new = datasets.noisy_spiral(300, random_state=seed)
    model = AgglomerativeIsomap(1, n_neighbors=10, mapping="nystroem").fit(
        Y_new
    )
    seen.append(
        (
            shortcuts(model.graph_, t_new),
            metrics.order_recovered(model.embedding_, t_new),
        )
    )
print(
    "without a shortcut:",
    sum(count == 0 for count, _ in seen),
    "of",
    len(seen),
)
print("with the right order:", sum(order > 0.995 for _, order in seen))

# %% tags=["aside"]
assert all((count == 0) == (order > 0.995) for count, order in seen)

# %% [markdown]
# The order is right in the draws without a shortcut, and wrong in the others. The same holds for
# all seven values of $h$ that we tried:
#
# | neighbours $h$ | 4 | 5 | 6 | 8 | 10 | 12 | 15 |
# |---|---|---|---|---|---|---|---|
# | draws with the right order, of 100 | 94 | 92 | 90 | 67 | 46 | 20 | 2 |
#
# With four neighbours nearly all of these graphs fall into pieces; lesson 28 says how the library
# joins the pieces.
#
# Why does a shortcut appear so often? The turns are 0.5 apart, and 34 points lie on each unit of
# length. Ten neighbours usually lie within 0.2. But points fall on the spiral at random. Where they
# are sparse, and noise pushes a point towards the next turn, the tenth neighbour is on that turn.
# With 300 points there is such a place in about every second draw, and one is enough.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 100 draws (seeds 3000 to 3099) with ten neighbours the order was right in 46, the 46 without a
# shortcut. The two agreed in 379 of 380 draws in all.
#
# </details>

# %% [markdown]
# ## LLE (4 minutes)
#
# *Locally linear embedding* (LLE) uses no paths. First, rebuild each point from its neighbours,
# with weights that sum to one. (The best weights solve $C w = 1$ up to a factor, where $C$ holds
# the inner products of the differences to the neighbours.) Then look for coordinates that the
# **same weights** rebuild: minimise $|X - W X|^2$ over orthonormal columns. (Otherwise $X = 0$
# would be the best.) The solution consists of the eigenvectors of $(I - W)^T (I - W)$ with the
# smallest eigenvalues. The first one is constant and is left out.


# %%
def lle(Y, q, h):
    W = np.zeros((len(Y), len(Y)))
    for n, row in enumerate(cdist(Y, Y)):
        nearest = np.argsort(row)[1 : h + 1]
        Z = Y[nearest] - Y[n]
        C = Z @ Z.T
        C += 1e-3 * np.trace(C) * np.eye(h)  # otherwise singular if h > d
        w = np.linalg.solve(C, np.ones(h))
        W[n, nearest] = w / w.sum()
    A = np.eye(len(Y)) - W
    return np.linalg.eigh(A.T @ A)[1][:, 1 : q + 1]


# %%
X = lle(Y, 1, 10)
theirs = LocallyLinearEmbedding(
    n_neighbors=10, n_components=1, eigen_solver="dense"
)
theirs = theirs.fit_transform(Y)
print(
    "as scikit-learn, up to sign:",
    np.allclose(X * np.sign(X.T @ theirs), theirs, atol=1e-6),
)

# %% [markdown]
# LLE uses the same neighbours, so shortcuts spoil it too. It does not keep lengths: in lesson 12 it
# turns a sheet into a wedge.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# With ten neighbours LLE had the right order in 0 of 24 draws with a shortcut, and in 11 of 16
# without (seeds 3000 to 3039).
#
# </details>

# %% [markdown]
# ## Key points
#
# - Trust short distances only, and add them up along a graph of neighbours.
# - Double centring turns squared distances into inner products, and eigenvectors turn these into
#   coordinates.
# - One shortcut changes most paths. Prefer few neighbours, and check the scaled map with $R_{cv}$,
#   which UKR minimises and which needs no truth.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "N", "q", "n_neighbors", "graph", "dissimilarity"),
    *("geodesics", "squared_geodesics", "centring", "double_centred"),
    *("scaling_eigenvalues", "scaling_vectors"),
    paper="si",
)

# %% [markdown]
# On 2000 points the library's Isomap takes as long as scikit-learn's (*measured: 0.91
# (0.90–0.93)*). All claims of the paper stand in the [appendix](appendix_si.ipynb).
#
# **Covered** [SI] section 2: steps 1, 3 and 4 of procedure A-Isomap.
#
# **Further**
#
# - To do: [exercise 33: all shortest paths](../exercises/33_floyd_warshall.ipynb), [exercise 34:
#   coordinates from distances](../exercises/34_double_centring.ipynb).
# - Next: [pieces and rings](28_pieces_and_rings.ipynb), on step 2 of the procedure.
# - Before: [optimisation](07_going_down.ipynb), which uses these starts, and [a referee and a
#   companion](12_referee.ipynb), which judges them.
# - In the library: `AgglomerativeIsomap`; `geodesics.neighbor_graph`, `agglomerate`,
#   `geodesic_distances`, `classical_mds`. In loops: `explicit.si`.
