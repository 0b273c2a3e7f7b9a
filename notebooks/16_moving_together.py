# %% [markdown]
# # Moving together: spectral gradient descent
#
# Points that belong together add up their movements, and eigenvectors guide the descent.
#
# **Afterwards you can**
#
# - build a guided gradient from $l$ eigenvectors or from a power of the affinity matrix;
# - say how many directions it leaves free, and why a power $\nu$ means nothing without a bandwidth;
# - decide whether a guided step leads downhill before you take it;
# - let the guidance fade, so that the descent ends at a minimum.
#
# **You need** [lesson 15](15_springs.ipynb) (the affinity of the data), [lesson
# 04](04_leave_one_out.ipynb) (the leave-one-out error) and [lesson 07](07_going_down.ipynb)
# (descents). **Time** 28 minutes. **Contents** A flight without an order · Adding up movements ·
# Weights instead of a cut · Is it still downhill? · Few directions, then all · The noisy helix ·
# Key points

# %%
import inspect

import numpy as np

from ukrlearn import SNE, UKR, SpectralGuidance, datasets, figures, metrics
from ukrlearn.checks import predictions, review
from ukrlearn.explicit import sgd as loops
from ukrlearn.explicit.matrices import sgd as matrices
from ukrlearn.sgd import neighbor_embedding

predict = predictions("16_moving_together")
Y, t = datasets.noisy_helix(300, random_state=2)
Y_36, t_36 = datasets.partitioned_circle(36, random_state=0)

# %%
review("16_moving_together")  # questions from earlier lessons

# %%
from ukrlearn import sgd
from ukrlearn.blocks import starts
from ukrlearn.course import notation

# %% [markdown]
# ## A flight without an order (6 minutes)
#
# A drone has circled twice around a tower while it climbed. It has measured 300 of its positions,
# each with an error, but the times are lost. Can we put the positions in order? Unsupervised kernel
# regression (UKR) finds one number for each point. So far its descent began with coordinates
# from another method. Now it begins with random numbers, and makes 200 moves of gradient descent.

# %% tags=["aside"]
figure, ax = figures.blank(size=(6, 5), projection="3d")
points = figures.data(ax, Y, t, title="Positions; the colour is the lost time")
ax.set_box_aspect(np.ptp(Y, axis=0), zoom=1)
figure.colorbar(points, ax=ax, shrink=0.7).set_label(
    "time, as a share of the flight"
)
figures.show(
    figure,
    "300 points on a noisy helix with two turns, dark at its foot, bright "
    "above.",
)

# %% tags=["nbval-ignore-output"]
predict(
    "order",
    "What does gradient descent do from a random start?",
    options=[
        "the error falls, and the curve becomes the helix",
        "the error falls, but the curve jumps between pieces of the helix",
        "the error stays where it is",
    ],
    answer="the error falls, but the curve jumps between pieces of the helix",
    because=(
        "To swap places, two pieces would have to pass through each other, "
        "against the slope."
    ),
    tempts=[
        "A falling error suggests that the order comes right, but pieces of a "
        "curve cannot easily pass through each other.",
        "A descent from a random start might be stuck at once, but many small "
        "moves lower the error.",
    ],
    hides=3,
)


# %%
def descended(seed, guidance=None):
    """UKR from a random start: 200 moves of gradient descent."""
    model = UKR(
        1,
        init="random",
        descent="gradient",
        guidance=guidance,
        random_state=seed,
    )
    return model.set_params(max_iter=200, tol=0).fit(Y)


models = {
    "plain": descended(1),
    "guided": descended(1, SpectralGuidance(h=1.0)),
}
order = {
    name: metrics.order_recovered(model.embedding_, t)
    for name, model in models.items()
}

# %% tags=["aside"]
assert models["guided"].cv_error_ < models["plain"].cv_error_ / 2
assert order["guided"] > 0.99

# %% tags=["nbval-ignore-output"]
figure, axes = figures.blank(1, 2, size=(8.44, 5), projection="3d")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    print(
        f"{name}: R_cv = {model.cv_error_:.4f}, order recovered: "
        f"{order[name]:.2f}"
    )
    figures.data(ax, Y, title=name)
    figures.manifold(ax, model.embedding_, Y)
    ax.set_box_aspect(np.ptp(Y, axis=0), zoom=1)
figures.show(
    figure,
    "The same data and the same start. Plain descent: pieces of the helix, "
    "joined by chords. Guided: one smooth curve along the helix.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The plain curve follows the helix in pieces and jumps between them. ("Order recovered" is the rank
# correlation between latent coordinate and time; 1 is perfect.) With 1500 moves the error is half
# as large, and the order is as wrong as before.
#
# </details>

# %% [markdown]
# The descent on the right had the same start, the same error $R_{cv}$ and the same line search.
# Only its first twenty moves followed another direction. This lesson is about that direction.
# Equation numbers are those of [SGD]; letters are those of lessons 14 and 15.
#
# ## Adding up movements (8 minutes)
#
# The gradient $G$ has one row for each point, which says how this point should move:
#
# $$g_n = \frac{\partial E}{\partial x_n} \tag{13}$$
#
# At a random start these rows contradict each other: two neighbours in the data have different
# latent neighbours, which pull them in different directions. But the eigenvectors $v_1, v_2, \dots$
# of the affinity $M$ (12) know which points belong together. So we take their entries as weights
# and add up the movements, once for each of the $l$ leading eigenvectors. ($l$ is now a number of
# directions, not the index of a point as in (4); $v_{ij}$ is the entry of $v_i$ for point $j$.)
#
# $$a_i = \sum_{j=1}^N v_{ij}\, g_j, \quad i = 1, \dots, l \tag{14}$$
#
# Then every point takes part in these movements, with the weights with which it contributed:
#
# $$\hat g_n = \sum_{i=1}^{l} v_{in}\, a_i \tag{15}$$
#
# Points with equal entries get equal movements. Here are loops and matrices; the columns of $V_l$
# are the $l$ leading eigenvectors. We try them on the error of SNE, for 36 points on three arcs.

# %%
print(inspect.getsource(loops.leading_directions))
print(inspect.getsource(matrices.leading_directions))

# %%
M = sgd.clustering_affinity(Y_36, h=0.3)  # (12)
spectrum = sgd.decompose(M)
_, G = neighbor_embedding.objective(Y_36, 0.3)(
    starts.random((36, 2), 0.5, random_state=0)
)
l, V = 3, spectrum.vectors
G_hat = matrices.leading_directions(G, V[:, :l])
print(
    "loops and matrices:  ",
    np.allclose(loops.leading_directions(G, V[:, :l].T), G_hat),
)
print(
    "and the library:     ",
    np.allclose(sgd.leading_directions(spectrum, l)(G), G_hat),
)
print("l = N is the identity:", np.allclose(V @ (V.T @ G), G))

# %% [markdown]
# $V_l V_l^T$ is a projection: of all $N$ directions in which the points can move, it keeps the $l$
# in which neighbours move most alike. With $l = N$ the guided gradient is the plain one. From now
# on we leave out the nearly constant eigenvector, which can only shift all points alike; "the
# first" direction below is the paper's second.
#
# In the panel, the arrows on the left are $-G$ at a random start, and the arrows on the right are
# $-\hat G$. The strip below shows the movements $a_i$, one arrow for each eigenvector. Drag points,
# or press *Shake*; *Move* follows the arrows on the right. The number $l$ of directions is behind
# *More controls*. Moving it makes the guidance *hard*; the next section explains *soft*.

# %% tags=["nbval-ignore-output"]
predict(
    "arrows",
    "With l = 2 directions, how many clearly different arrows will you count "
    "on the right?",
    options=["two", "three", "thirty-six"],
    answer="three",
    because=(
        "The two eigenvectors are nearly constant on each of the three arcs."
    ),
    tempts=[
        "Two directions sound like two arrows, but the arrow of each point "
        "mixes both directions.",
        "Thirty-six points have thirty-six arrows, but compare the arrows of "
        "points on one arc.",
    ],
)

# %% tags=["nbval-ignore-output"]
predict(
    "twelve",
    "With l = 12, a third of all directions, do the arrows of one arc still "
    "agree?",
    options=[
        "yes, as with l = 2",
        "partly",
        "no more than in the plain gradient",
    ],
    answer="partly",
    because="The later eigenvectors separate the points within an arc.",
    tempts=[
        "With two directions the arrows did agree, but ten more directions "
        "allow more than one movement on each arc.",
        "Twelve directions give much freedom, but they are still far from all "
        "thirty-six.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Aggregation

aggregation = Aggregation(Y_36, np.floor(3 * t_36))
aggregation

# %% tags=["nbval-ignore-output"]
probe = Aggregation(Y_36, np.floor(3 * t_36))
said = {l: probe.set(l=l).summary() for l in (2, 12, 36)}
print("\n\n".join(said.values()))

# %% tags=["aside"]
assert "2.0 of 36 directions" in said[2] and "guided 0.98" in said[2]
assert "36.0 of 36 directions" in said[36]

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# With two directions the arrows of an arc agree, as far as the eye can tell, so you count three.
# With twelve they agree only partly, and with 36 each point is free again. The guidance does not
# know the right movement. It only makes the points of an arc agree on one movement. Their
# disagreements, which are noise of the start, cancel.
#
# </details>

# %% [markdown]
# ## Weights instead of a cut (4 minutes)
#
# Why cut after $l$ terms? The eigenvalues $\lambda_1 \ge \lambda_2 \ge \dots$ say how closely
# neighbours agree along a direction, so they are natural weights. With the eigenvalues on the
# diagonal of $\Lambda$ (the paper's $D$; its points are in columns, so it has $G M$),
#
# $$\hat G = V \Lambda V^T G = M G. \tag{16}$$
#
# A power makes the weights steeper or flatter:
#
# $$M \leftarrow \frac{M^\nu}{\operatorname{tr} M^\nu} \tag{17}$$
#
# The power $\nu = 0$ gives the plain gradient, $\nu = 1$ gives (16), and a large $\nu$ leaves only
# the leading directions. The line search undoes the division by the trace.

# %%
by_loops = loops.powers(G.tolist(), M.tolist(), 3)  # (16), three times over
print(
    "loops and eigenvectors:",
    np.allclose(by_loops, V @ (spectrum.values[:, None] ** 3 * (V.T @ G))),
)
print(
    "and the library:       ",
    np.allclose(by_loops, sgd.powers(spectrum, 3)(G)),
)

# %% [markdown]
# How free are the points at a given $\nu$? If $n$ weights are equal and the others are zero, $n$
# directions are free. For unequal weights, let $p_i = \lambda_i^\nu / \sum_k \lambda_k^\nu$ and
# define
#
# $$\text{effective number of directions} = \exp\Bigl(-\sum_i p_i \log p_i\Bigr),$$
#
# the exponential of an entropy. (This number is ours, not the paper's.) Take the 300 positions of
# the drone, $\nu = 10$, and two bandwidths of the affinity, $h = 1$ and $h = .05$.

# %% tags=["nbval-ignore-output"]
predict(
    "free",
    "At which bandwidth are more directions free?",
    options=["at h = 1", "at h = .05", "at neither: the power alone decides"],
    answer="at h = .05",
    because=(
        "Only close neighbours are alike then, and there are many ways to "
        "move them together."
    ),
    tempts=[
        "A wide kernel connects more points, which sounds like more freedom, "
        "but connected points move together.",
        "The power filters the eigenvalues, but these depend on the "
        "bandwidth.",
    ],
    hides=1,
)

# %%
print("      h   " + "".join(f"ν = {nu:<6}" for nu in (0, 1, 5, 10)))
for h in (0.05, 0.2, 1.0, 5.0):
    of_helix = SpectralGuidance(h=h).spectrum(Y)
    free = [sgd.powers(of_helix, nu).directions for nu in (0, 1, 5, 10)]
    print(f"{h:7}   " + "".join(f"{number:<10.0f}" for number in free))

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# At $\nu = 10$ three directions are free with $h = 1$, and 18 with $h = .05$.
#
# </details>

# %% [markdown]
# **A power means nothing without a bandwidth.** "Let $\nu$ fall from 10 to 0" is one schedule at
# $h = 1$ and quite another at $h = .05$. The default of this library, `schedule="directions"`, says
# instead how many directions are free: from 1.2 for a curve (8.4 for a sheet) to all $N$ in twenty
# moves. The library finds the $\nu$ of each move.
#
# ## Is it still downhill? (1 minute)
#
# A guided step follows $-M G$ instead of $-G$. To first order, the error falls by the inner product
#
# $$\langle G, M G\rangle = \sum_i \lambda_i\, |a_i|^2.$$
#
# If no eigenvalue is negative, a small enough step lowers the error of any objective. $M$ of (12)
# is positive semidefinite if the diagonal of $K$ holds ones. The paper on spectral clustering that
# introduced (12) sets this diagonal to zero, and then the descent stands still
# ([appendix](appendix_sgd.ipynb#Uphill-with-a-zero-diagonal)).
#
# ## Few directions, then all (4 minutes)
#
# Should the guidance last? We compare three descents of SNE on the three arcs, from the same random
# starts: a plain one, one with two directions forever, and one with $l = 1, 2, 3, \dots$

# %% tags=["nbval-ignore-output"]
predict(
    "lowest",
    "Two directions forever, against a plain descent: which has the lower "
    "error?",
    options=[
        "two directions, after 10 moves and after 200",
        "two directions after 10 moves, the plain descent after 200",
        "the plain descent, after 10 moves and after 200",
    ],
    answer="two directions after 10 moves, the plain descent after 200",
    because=(
        "At first they agree where to go; later the details need all "
        "directions."
    ),
    tempts=[
        "Two directions do make the points of an arc move as one, but ask "
        "what they can never adjust.",
        "A plain descent may use all directions, but from a random start its "
        "points disagree about where to go.",
    ],
    hides=4,
)

# %%
schedules = {
    "plain": None,
    "l = 2 forever": SpectralGuidance(h=1.0, schedule="constant", l=2),
    "l grows by one": SpectralGuidance(h=1.0, schedule="l"),
}
courses = {name: [] for name in schedules}
for seed in range(5):
    arcs, _ = datasets.partitioned_circle(150, random_state=seed)
    for name, guidance in schedules.items():
        model = SNE(
            2, h=0.05, guidance=guidance, tol=0, random_state=100 + seed
        ).fit(arcs)
        courses[name].append([frame.error for frame in model.history_])
medians = {
    name: np.median(errors, axis=0)[1:] for name, errors in courses.items()
}
final = {name: errors[-1] for name, errors in medians.items()}

# %% tags=["aside"]
assert final["l grows by one"] < final["plain"] < final["l = 2 forever"]

# %% tags=["nbval-ignore-output"]
for name, errors in medians.items():
    print(
        f"{name:15} median of E after 10 moves {errors[9]:.4f}, after 200 "
        f"{errors[-1]:.5f}"
    )

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(6.5, 3.8))
look = dict(title="Medians of five seeds", across="move", up="E", log="xy")
figures.lines(ax, np.arange(1, 201), medians, **look)
figures.show(
    figure,
    "E over moves, both axes logarithmic. With two directions forever E soon "
    "stays level; plain descent passes below it; with growing l, E falls "
    "furthest.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# This is figure 1 d of the paper, with medians. A descent along two directions ends where *these
# directions* can do no more, which is no minimum of the error, as the paper says (3.3). So the
# guidance has to fade: with growing $l$, E falls as quickly and ends lowest. But the picture
# depends on two bandwidths, and the paper prints neither: with $h = .1$ for both, the *plain*
# descent usually ends lower ([appendix](appendix_sgd.ipynb#Bandwidths-of-figure-1-d)).
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# With $h = .1$ for both bandwidths, the plain descent ends lower in 30 of 40 seeds.
#
# </details>

# %% [markdown]
# ## The noisy helix (5 minutes)
#
# Now the main experiment of the paper: UKR on the noisy helix, with $h = 1$ and $\nu$ falling by
# one with each move. In the panel, the plain descent is blue and dashed, the guided one orange.
# Press *Play*, then *Another seed* a few times; earlier runs stay as faint lines.

# %% tags=["nbval-ignore-output"]
predict(
    "six",
    "From six random starts, how many guided ones find the order, at h = 1 "
    "and ν = 10, 9, ...?",
    number=True,
    answer=6,
    within=0,
    because=(
        "The first moves follow hardly more than the leading eigenvector, "
        "which has the order."
    ),
)

# %% tags=["nbval-ignore-output"]
predict(
    "narrow",
    "And at h = .2: with the same ν, or with the schedule that counts "
    "directions?",
    options=[
        "both find it as often",
        "more often with the same ν",
        "more often by directions",
    ],
    answer="more often by directions",
    because=(
        "At h = .2 the power 10 leaves eight directions free from the first "
        "move on."
    ),
    tempts=[
        "The same power sounds like the same guidance, but at another "
        "bandwidth it acts on other eigenvalues.",
        "This ν worked at h = 1, but count the directions that it leaves free "
        "at h = .2.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Guidance

guidance = Guidance(Y, t)
guidance

# %% tags=["nbval-ignore-output"]
settings = {
    "h = 1, nu": dict(h=1.0, schedule="nu"),
    "h = .2, nu": dict(h=0.2, schedule="nu"),
    "h = .2, directions": dict(h=0.2, schedule="directions"),
}
right, probe = {name: 0 for name in ("plain", *settings)}, Guidance(Y, t)
for seed in range(6):
    for name, setting in settings.items():
        found = probe.set(frame=100, seed=seed, **setting).latent_points()
        right[name] += metrics.order_recovered(found["guided"], t) > 0.95
    right["plain"] += metrics.order_recovered(found["plain"], t) > 0.95
for name, number in right.items():
    print(f"{name:20} order right in {number} of 6")

# %% tags=["aside"]
assert (
    min(right["h = 1, nu"], right["h = .2, directions"])
    >= 5
    > 3
    >= right["plain"]
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# One of six without guidance, and six of six with it. A lucky start finds the order without any
# guidance, so a single run shows nothing. At $h = .2$ the same $\nu$ helps less, and the schedule
# by directions helps nearly as much as before.
#
# </details>

# %% [markdown]
# In this experiment the paper holds $\nu$ at 1 in the end, and the descent never becomes the plain
# one (choose the schedule "nu-hold" in the panel). $R_{cv}$ ends a little higher. Is this worse?
# And could you simply start from the eigenvector? [The next lesson](17_rivals_and_noise.ipynb) asks
# both.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over forty draws, the order is right in 6 without guidance, in 39 with it, in 17 with the same
# $\nu$ at $h = .2$, and in 38 by directions at $h = .2$. With $\nu$ held at 1, $R_{cv}$ ends at
# .0227 against .0200 in the median.
#
# </details>

# %% [markdown]
# ## Key points
#
# - When movements are added up over points that belong together, the noise of the start cancels:
#   (14), (15) with $l$ eigenvectors, (16), (17) with a power $\nu$ of the affinity.
# - With $l = N$ or $\nu = 0$ the guided gradient is the plain one. Guidance has to fade, or the
#   descent ends at a place that is no minimum.
# - A power means nothing without a bandwidth; the effective number of directions has a meaning of
#   its own.
# - Guided steps lead downhill for any objective if the matrix has no negative eigenvalue.
# - On one page: `ukrlearn/explicit/whole/sgd.py`.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "q", "gradient", "h", "affinity", "eigenvectors"),
    *("eigenvalues", "l", "nu", "directions"),
    paper="sgd",
)

# %% [markdown]
# **Covered** [SGD] (13) to (17), figures 1 d, 2 and 3; used: (3), (4), (12).
#
# **Further**
#
# - To do: [exercise 19: affinity and guided gradient](../exercises/19_affinity.ipynb), [exercise
#   20: the effective number of directions](../exercises/20_effective_directions.ipynb).
# - Before: [springs](15_springs.ipynb). Next: [rivals and noise](17_rivals_and_noise.ipynb). All
#   claims of the paper: [appendix](appendix_sgd.ipynb).
# - In the library: `UKR(guidance=SpectralGuidance(...), init="random")`, `SNE(guidance=...)`; `sgd`
#   (matrices, filters, schedules, and `guided`, which wraps any descent).
# - In loops: `explicit.sgd.leading_directions`, `powers`, `perplexity`; in matrices:
#   `explicit.matrices.sgd`.
