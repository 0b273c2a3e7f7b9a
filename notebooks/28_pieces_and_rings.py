# %% [markdown]
# # Pieces and rings
#
# A graph of neighbours may fall into pieces, or close to a ring. This lesson says what Isomap can
# do then, and at what price.
#
# **Afterwards you can**
#
# - find the components of a graph, and join them by the arcs of a spanning tree;
# - say what two ways of joining components do to a ring;
# - read off eigenvalues whether there are points with given distances;
# - choose the number of coordinates by the residual variance.
#
# **You need** [lesson 27](27_graphs_and_geodesics.ipynb). **Time** 16 minutes. **Contents** A watch
# loses its signal · Arcs · Four points on a ring · How many coordinates? · Key points

# %%
import numpy as np

from ukrlearn import AgglomerativeIsomap, datasets, figures
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit import si as loops
from ukrlearn.si import geodesics

predict = predictions("28_pieces_and_rings")
Y, t = datasets.partitioned_circle(150, gap=0.3, random_state=2)

# %%
review("28_pieces_and_rings")  # questions from earlier lessons

# %% [markdown]
# ## A watch loses its signal (3 minutes)
#
# A runner's watch has recorded 150 noisy positions on a circular track. It lost its signal three
# times per lap, always in the same places, and the times were not stored. In what order does a lap
# pass the points? We join each point to its four nearest neighbours, as in lesson 27, and count the
# pieces.

# %%
joined = AgglomerativeIsomap(1, n_neighbors=4).fit(Y).graph_
print(
    "components:",
    joined.components.max() + 1,
    "- of",
    np.bincount(joined.components),
    "points",
)

# %% tags=["aside"]
figure, ax = figures.blank(size=(5.4, 3.6))
figures.data(ax, Y, labels=joined.components, title="Four neighbours each")
ax.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), title="component")
figures.show(
    figure,
    "Points on three stretches of a circle. With four neighbours each they "
    "fall into six components, two on each stretch.",
)

# %% [markdown]
# A *component* is a set of points with paths between all of them. There are more components than
# stretches between two losses of the signal, since each stretch falls into two components. No path
# leads from one component to another. Its length counts as infinite, and Isomap stops. More
# neighbours would help, but lesson 27 showed what they do: on the spiral, shortcuts appear long
# before all pieces are connected.
#
# ## Arcs (6 minutes)
#
# Step 2 of the procedure in [SI], the paper of lesson 27, joins the two closest components by an
# *arc* between their closest points, and repeats this until one component is left. In graph theory
# this is Kruskal's method. The arcs form the *minimum spanning tree* of the components: one arc
# fewer than components, no closed loop, the least total length.
#
# scikit-learn's Isomap joins **every** two components by their closest points. Here are six
# components around the track, so there are six gaps between them.

# %% tags=["nbval-ignore-output"]
predict(
    "number-of-arcs",
    "How many arcs does joining every two components add? (The tree adds 5.)",
    number=True,
    answer=15,
    within=0.5,
    because="There are 6 · 5 / 2 pairs of components.",
    hides=2,
)

# %% tags=["nbval-ignore-output"]
predict(
    "closed-ring",
    "Which way closes the ring?",
    options=[
        "both",
        "joining every two components",
        "the tree",
    ],
    answer="joining every two components",
    because="A tree has no closed loop, so the longest gap stays open.",
    tempts=[
        "Both connect all pieces, but compare the number of arcs that each of "
        "them adds with the number of gaps.",
        "The tree joins all pieces by the shortest arcs, but compare the "
        "number of its arcs with the number of gaps.",
    ],
    hides=2,
)

# %%
models = {
    arcs: AgglomerativeIsomap(2, n_neighbors=4, arcs=arcs).fit(Y)
    for arcs in ("tree", "all-pairs")
}
D = loops.euclidean_distances(Y.tolist())
in_loops = loops.agglomerate(D, loops.neighbor_graph(D, 4))
as_sets = lambda arcs: {frozenset(map(int, arc)) for arc in arcs}
print(
    "the tree is that of the loops:",
    as_sets(in_loops) == as_sets(models["tree"].graph_.arcs),
)
for name, model in models.items():
    print(f"{name}: {len(model.graph_.arcs)} arcs")

# %% tags=["aside"]
figure, axes = figures.blank(2, 2, size=(8.2, 6.6))
for column, (name, model) in enumerate(models.items()):
    above, below = axes[column], axes[2 + column]
    figures.data(above, Y, t, title=f"{name}: {len(model.graph_.arcs)} arcs")
    for arc in model.graph_.arcs:
        above.plot(*Y[arc].T, color=figures.COLORS[1], lw=2)
    figures.latent(
        below,
        model.embedding_,
        t,
        title="Isomap's coordinates, coloured by the lap",
    )
figures.show(
    figure,
    "The colour is the position on the track; orange lines are arcs. Left: "
    "five arcs leave the ring open at one gap, and the coordinates form "
    "nearly a straight line. Right: fifteen arcs close the ring and cross "
    "it, and the coordinates form a dented ring.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# A tree adds 5 arcs; joining all pairs adds 15. A tree has no closed loop, so it never closes a
# ring. The longest gap stays open, and the lap becomes a line that begins on one side of this gap
# and ends on the other. The first coordinate grows along it, which is perfect for the order of the
# lap. Joining every pair closes the ring, so the first coordinate goes there and back. But it also
# adds arcs straight across the track, and each one is a shortcut.
#
# </details>

# %% [markdown]
# The slider changes the number of neighbours $h$; the arcs are those of the tree. With how many
# neighbours do you need no arc? And is the ring closed then?

# %% tags=["nbval-ignore-output", "aside"]
from ukrlearn.panels import OwnPicture, Slider


def track(figure, h):
    model = AgglomerativeIsomap(2, n_neighbors=h).fit(Y)
    graph, (left, right) = model.graph_, figure.subplots(1, 2)
    edges = Y[np.argwhere(np.triu(graph.lengths.toarray()))]
    ends = np.insert(edges, 2, np.nan, axis=1).reshape(-1, 2)
    left.plot(*ends.T, color="#bbbbbb", lw=0.8, zorder=0)
    for arc in graph.arcs:
        left.plot(*Y[arc].T, color=figures.COLORS[1], lw=2.5)
    figures.data(left, Y, t, title=f"{h} neighbours each")
    figures.latent(right, model.embedding_, t)
    pieces = graph.components.max() + 1
    return f"{h} neighbours: components {pieces}, arcs {len(graph.arcs)}."


label = notation.label("n_neighbors")
panel = OwnPicture(track, Slider(label, 2, 30, 4, whole=True))
panel

# %% [markdown]
# Neither way is right in general. An arc joins the closest points, and these may belong to
# different turns of a spiral. Lesson 27's spirals with four neighbours are mostly in pieces, and
# with the tree nearly all of them have the right order. But on a roll with a gap, few neighbours
# and a tree are hardly better than a larger number of neighbours $h$.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# The track had 3 to 7 components in 40 other draws. In 20 draws (seeds 0 to 19) the tree made a
# line 20 times: its first coordinate had a rank correlation above .998 with the position on the
# track, counted from one of the gaps. Lesson 27's spirals with four neighbours were in pieces in 99
# of 100 draws; with the tree 94 of the 100 had the right order. On a roll with a gap, few
# neighbours and a tree beat a larger $h$ in 11 of 20 draws.
#
# </details>

# %% [markdown]
# ## Four points on a ring (4 minutes)
#
# Take four points on a ring. Along the ring, neighbours are 1 apart and opposite points are 2
# apart. Try to draw four points whose straight distances are exactly these. Below, the matrix $S$
# comes from the squared distances by double centring (lesson 27); the negative share is explained
# after it.

# %% tags=["nbval-ignore-output"]
predict(
    "four-points",
    "How many dimensions do you need for four points with exactly these "
    "distances?",
    options=[
        "two: a square",
        "three",
        "no number of dimensions is enough",
    ],
    answer="no number of dimensions is enough",
    because=(
        "Two opposite points would both be the midpoint of the other two, so "
        "their distance would be 0."
    ),
    tempts=[
        "Four points with four equal sides look like a square, but compute "
        "its diagonals.",
        "A third dimension lets the square bend, but ask which points are at "
        "distance 1 from both of two opposite points.",
    ],
    hides=1,
)

# %%
ring = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])
S = loops.double_centred(ring.tolist())
print("eigenvalues of S:", np.linalg.eigvalsh(S).round(6) + 0.0)
print("negative share:", round(geodesics.negative_share(ring), 3))

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# It is impossible. A point at distance 1 from two points that are 2 apart is their midpoint. So two
# opposite points would both be the midpoint of the other two, but then their distance is 0, and it
# must be 2. The eigenvalue −1 says so, too.
#
# </details>

# %% [markdown]
# If there are points $z_i$ with these distances and with mean zero, $S$ holds their inner products,
# and $v^T S v = |\sum_i v_i z_i|^2 \ge 0$ for every $v$. So a negative eigenvalue says that **no
# points have these distances**. Isomap counts it as zero. The *negative share* divides the sum of
# the magnitudes of the negative eigenvalues by that of all: here it is 1/5. It measures how far the
# lengths of paths are from distances between points. We compare the track with the tree (*open*),
# with all arcs (*closed*), and a Swiss roll.

# %%
roll, _ = datasets.swiss_roll(300, random_state=0)
cases = {"open track": models["tree"], "closed track": models["all-pairs"]}
cases["roll"] = AgglomerativeIsomap(2, n_neighbors=6).fit(roll)
for name, model in cases.items():
    print(f"{name:12} negative share {model.negative_share():.2f}")

# %% [markdown]
# The open track is nearly a line, and its share nearly 0. The closed track, .15, comes close to the
# .2 of the four points. The roll is a flat sheet, so its true geodesics would have share 0, but
# paths along edges zigzag.
#
# ## How many coordinates? (3 minutes)
#
# Let $r$ be the correlation of the path lengths with the distances of the embedded points. The
# *residual variance* $1 - r^2$ falls with each useful coordinate and then stays level. The paper
# suggests this *elbow* as the dimension. The rows below begin with no coordinate at all (1.0), then
# one, two, up to five.

# %%
for name, model in cases.items():
    left = model.residual_variances(5)
    print(f"{name:12} elbow at {geodesics.elbow(left)}:", *left.round(3))

# %% [markdown]
# The open track needs one coordinate. The closed track needs two, although it is a curve: the elbow
# counts the dimensions of the space that holds the embedding, not those of the curve. The paper
# says only "flattens". The library takes logarithms, draws a straight line from the first to the
# last, and chooses the value farthest below it. On a helix, a roll and a cube of four dimensions
# this rule finds the right number.
#
# ## Key points
#
# - Components have no path between them. Arcs join components; the paper's arcs form a spanning
#   tree.
# - A tree leaves a ring open at its longest gap. Arcs between all pairs close it, and cut across
#   it.
# - Negative eigenvalues say that path lengths are the distances of no points.
# - Where the residual variance becomes level, further coordinates add nothing.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "N", "q", "n_neighbors", "geodesics", "double_centred"),
    *("scaling_eigenvalues", "negative_share", "residual_variance"),
    paper="si",
)

# %% [markdown]
# The [appendix](appendix_si.ipynb) lists all claims of the paper with our measurements.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over twenty draws, the elbow finds the dimension of a helix (*measured: elbow 1 (1–1), 20 of 20*),
# a roll of 1,000 points (*measured: elbow 2 (2–3), 19 of 20*) and a cube of four dimensions
# (*measured: elbow 4 (4–4), 20 of 20*). Whether joining components (*agglomeration*) recovers a
# roll with a gap better than a larger $h$ does is open (*measured: R² 0.653 (0.511–0.741), 11 of
# 20, open*).
#
# </details>

# %% [markdown]
# **Covered** [SI] section 2: step 2 of procedure A-Isomap, negative eigenvalues in step 4, residual
# variance.
#
# **Further**
#
# - To do: [exercise 35: arcs that join components](../exercises/35_join_components.ipynb).
# - Before: [graphs and geodesics](27_graphs_and_geodesics.ipynb). Next: [labels inside the
#   embedding](29_labels_inside.ipynb), where arcs join classes.
# - In the library: `AgglomerativeIsomap(arcs=...)`, its `graph_`, `negative_share()` and
#   `residual_variances()`; `geodesics.agglomerate`, `spanning_tree`, `all_pairs`, `elbow`. In
#   loops: `explicit.si`.
