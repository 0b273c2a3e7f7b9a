# %% [markdown]
# # Choosing neighbours: stochastic neighbour embedding
#
# Every point chooses a neighbour, once in the data and once in a map, and the two choices should
# agree.
#
# **Afterwards you can**
#
# - write stochastic neighbour embedding (SNE) as loops and as matrices, and test its gradient;
# - write UKR's error as a mismatch of two matrices, and compare it with SNE's error;
# - say what a descent from a random start gets right, and what it gets wrong.
#
# **You need** [lesson 03](03_reconstruction_error.ipynb) (UKR's error),
# [lesson 06](06_gradient.ipynb) (gradients and finite differences), and principal components.
# **Time** 24 minutes. **Contents** A seven that turns · One recipe · Choosing neighbours · UKR by
# the same recipe · Going down, from where? · Key points

# %%
import inspect

import numpy as np

from ukrlearn import SNE, datasets, figures
from ukrlearn.blocks.starts import pca
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit import sgd as loops
from ukrlearn.explicit.matrices import sgd as matrices
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.ukr.reconstruction import reconstruction_error

predict = predictions("14_neighbour_embedding")
sevens, angle = datasets.rotated_digits(1, 90, random_state=0)
print(f"{sevens.shape[0]} images of {sevens.shape[1]} pixels")

# %%
review("14_neighbour_embedding")  # questions from earlier lessons

# %% [markdown]
# ## A seven that turns (5 minutes)
#
# A camera is turned once around a handwritten seven and takes a picture every four degrees. Nobody
# writes down the angles. Only one thing changes from image to image, and after a full turn the
# first image returns. So the 90 images lie on a closed curve in a space of 256 pixels. We want a
# map of them, one point of the plane for each image, in which this curve is closed, too, and does
# not cross itself.

# %% tags=["aside"]
figure, axes = figures.blank(1, 8, size=(8.44, 1.5))
for ax, k in zip(axes, range(0, 90, 12), strict=False):
    ax.imshow(-sevens[k].reshape(16, 16), cmap="gray")
    ax.set(xticks=[], yticks=[], title=f"{angle[k]:.0f}°")
figures.show(
    figure, "Eight of the images: the seven at 0, 48, 96, ..., 336 degrees."
)

# %% [markdown]
# First we try linear PCA. Each image is drawn at its first two principal components, and a grey
# line joins the images in the order of their angles.

# %% tags=["nbval-ignore-output"]
predict(
    "pca",
    "What does the line form in the plane of the first two principal "
    "components?",
    options=[
        "a ring that it passes once in a full turn",
        "a ring that it passes twice, so that opposite angles meet",
        "a spiral from 0 to 356 degrees",
    ],
    answer="a ring that it passes twice, so that opposite angles meet",
    because=(
        "Turned by half a turn, the stem of the seven covers nearly the same "
        "pixels."
    ),
    tempts=[
        "A full turn is a closed ring, but ask what a seven looks like after "
        "half a turn.",
        "The angles run from 0 to 356 in order, but 356 and 0 look nearly the "
        "same.",
    ],
    hides=2,
)


# %%
def draw_maps(maps, alt):
    """Draw maps of the sevens, with a grey line from angle to angle."""
    figure, axes = figures.blank(1, len(maps), size=(8.44, 3.4))
    axes = np.atleast_1d(axes)
    for ax, (title, X) in zip(axes, maps.items(), strict=True):
        ax.plot(*np.append(X, X[:1], axis=0).T, color="#999999", lw=1)
        points = figures.latent(ax, X, angle, title=title)
    bar = figure.colorbar(
        points, ax=list(axes), ticks=[0, 90, 180, 270], shrink=0.8
    )
    bar.set_label("angle in degrees")
    return figures.show(figure, alt)


# %%
X = pca(sevens, 2)
away = np.linalg.norm(X - np.roll(X, 45, axis=0), axis=1).max()
print(
    f"an image and its opposite are at most {away:.1f} apart; the plane is "
    f"{np.ptp(X):.1f} wide"
)
draw_maps(
    {"Principal components": X},
    "A circle that is passed twice: the images from 180 degrees on cover the "
    "others.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# PCA keeps the directions with the largest variance, and here the largest variation repeats after
# half a turn. So 60 % of the five nearest neighbours in this plane are turned by more than 90
# degrees against the image. Most other sevens show the same.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Of 25 other sevens, 21 had more than half of the five nearest neighbours turned by more than 90
# degrees.
#
# </details>

# %% [markdown]
# ## One recipe (3 minutes)
#
# PCA keeps large distances, and its plane got small distances wrong. The methods of this lesson
# keep neighbours. They all look for latent points $x_1, \dots, x_N$ in three steps:
#
# 1. A matrix $P$ says how similar the data points are, pair by pair.
# 2. A matrix $Q(X)$ says the same about the latent points.
# 3. A number $E(X)$ says how badly the two match. Find the $X$ that makes it small.
#
# The paper is [SGD]: Memisevic, Hinton, *Improving Dimensionality Reduction with Spectral Gradient
# Descent*, 2005. **Four letters change their meaning** in lessons 14 to 17, where formulas and
# their numbers are those of this paper. The bandwidth $h$ was a length; now it divides *squared*
# distances. $P$, $Q$ and $M$ are not the matrices of lesson 06, and $K$ is a matrix of kernel
# values. $G$ is a gradient, not the Gram matrix of lesson 11. As always, our points are in rows;
# the paper's are in columns.
#
# Formulas are easier to read for few points: here are nine, on three arcs of a circle, and nine
# latent points at random places.

# %%
Y, t = datasets.partitioned_circle(9, noise=0.03, random_state=0)
arc = np.floor(3 * t).astype(int)  # 0, 1 or 2
X = 0.7 * np.random.RandomState(1).normal(size=(9, 2))
N, h, names = len(Y), 0.3, ["first arc", "second arc", "third arc"]

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.44, 3.6))
figures.data(left, Y, labels=arc, names=names, title="Nine data points")
figures.latent(right, X, labels=arc, names=names, title="A random start")
figures.show(
    figure,
    "Left: three groups of three points on a circle. Right: nine random "
    "places.",
)

# %% [markdown]
# ## Choosing neighbours (7 minutes)
#
# In SNE every point chooses a neighbour at random, and prefers near points:
#
# $$P_{ij} = \frac{\exp(-|y_i - y_j|^2 / h)}{\sum_k \exp(-|y_i - y_k|^2 / h)} \tag{1}$$
#
# is the probability that point $i$ chooses point $j$. (The sum includes $k = i$: a point may choose
# itself.) Take three points on a line, at 0, 1 and 3, with $h = 2$.

# %% tags=["nbval-ignore-output"]
predict(
    "symmetric",
    "The second and the third point choose each other. Who does it with the "
    "higher probability?",
    options=[
        "the second point",
        "the third point",
        "both have the same: it is one distance",
    ],
    answer="the third point",
    because=(
        "The second point has another point nearby, which takes a share of "
        "its choices."
    ),
    tempts=[
        "The second point has a neighbour on each side, which sounds like "
        "more to give, but its probabilities sum to one.",
        "Both points share one distance, but each divides its kernel value by "
        "a sum of its own.",
    ],
    hides=1,
)

# %%
P_3 = neighbor_embedding.neighbor_probabilities(
    np.array([[0.0], [1.0], [3.0]]), h=2.0
)
print(P_3.round(2))

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Row $i$ holds the choices of point $i$ and sums to one. The matrix is not symmetric: the third
# point chooses the second with probability .12, and the second chooses the third with .08.
#
# </details>

# %% [markdown]
# Latent points choose in the same way. Their bandwidth is one, because they are free to move as
# close together as they like:
#
# $$Q_{ij}(X) = \frac{\exp(-|x_i - x_j|^2)}{\sum_k \exp(-|x_i - x_k|^2)} \tag{2}$$
#
# The mismatch is the Kullback-Leibler divergence between the two distributions of choices: the mean
# of $\log(P_{ij} / Q_{ij})$ over the choices of the data. It is zero if $Q = P$ and positive
# otherwise:
#
# $$E(X) = \frac1N \sum_i \sum_j P_{ij} \log \frac{P_{ij}}{Q_{ij}(X)} \tag{3}$$
#
# Its gradient with respect to one latent point, which we test below, is
#
# $$\frac{\partial E}{\partial x_l} =
# \frac2N \sum_i (P_{il} + P_{li} - Q_{li} - Q_{il})\,(x_l - x_i) \tag{4}$$
#
# In loops:

# %%
print(inspect.getsource(loops.neighbor_embedding_error))

# %% [markdown]
# In matrices, the sum $W = P - Q + (P - Q)^T$ holds the bracket of (4) for all pairs:

# %%
probabilities = matrices.neighbor_probabilities
error_and_gradient = matrices.neighbor_embedding_error
print(inspect.getsource(probabilities))
print(inspect.getsource(error_and_gradient))

# %% [markdown]
# Do loops, matrices and library agree, and is (4) right? As in lesson 06, we measure the slopes
# from the error alone.

# %%
P, Q = probabilities(Y, h), probabilities(X)
error, gradient = error_and_gradient(X, P)
in_loops = loops.neighbor_embedding_error(X.tolist(), P.tolist())
in_library = neighbor_embedding.neighbor_embedding_error(X, P)
for name, (E, G) in {"loops": in_loops, "library": in_library}.items():
    print(f"as the {name}:", np.isclose(error, E) and np.allclose(gradient, G))
slopes, step = np.empty_like(X), 1e-5
for place in np.ndindex(X.shape):
    shift = np.zeros_like(X)
    shift[place] = step
    rise = (
        error_and_gradient(X + shift, P)[0]
        - error_and_gradient(X - shift, P)[0]
    )
    slopes[place] = rise / (2 * step)
print("as finite differences:", np.allclose(slopes, gradient, atol=1e-8))

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.44, 3.5))
figures.matrix(left, P, title="P, the choices of the data")
figures.matrix(right, Q, title="Q, the choices of the random start")
figures.show(
    figure,
    "Two matrices of nine by nine. P has three bright blocks along the "
    "diagonal, one for each arc, with entries from 0.07 to 0.69, and is dark "
    "elsewhere. Q has spots everywhere, up to 0.3.",
)

# %% [markdown]
# The data points choose from their own arc; the random start knows nothing of arcs. Two questions
# about $E$, before any descent. Here latent space has as many dimensions as the data.

# %% tags=["nbval-ignore-output"]
predict(
    "zero",
    "Can E reach zero here?",
    options=[
        "yes, at X = Y / √h",
        "yes, at X = Y",
        "no, the data have another bandwidth than the latent points",
    ],
    answer="yes, at X = Y / √h",
    because="Then |x_i - x_j|² is |y_i - y_j|² / h, and Q equals P.",
    tempts=[
        "The same points give the same distances, but the two kernels have "
        "different bandwidths.",
        "The bandwidths differ, but the latent points may lie anywhere.",
    ],
    hides=1,
)

# %%
E, G = error_and_gradient(Y / np.sqrt(h), P)
print(
    f"at the data over √h: E = {abs(E):.4f}, gradient zero: "
    f"{np.allclose(G, 0)}"
)

# %% tags=["nbval-ignore-output"]
predict(
    "one-place",
    "Put all latent points in one place. Where does the gradient send them?",
    options=[
        "apart, as fast as possible",
        "each towards its neighbours",
        "nowhere: it is zero",
    ],
    answer="nowhere: it is zero",
    because="All differences of latent points in (4) are zero.",
    tempts=[
        "A crowd suggests a strong push apart, but look at the factor $x_l - "
        "x_i$ in (4).",
        "The data say which points are neighbours, but from a common place no "
        "direction leads to them.",
    ],
    hides=1,
)

# %%
E, G = error_and_gradient(np.zeros_like(X), P)
print(f"at one place: E = {E:.4f}, gradient zero: {np.allclose(G, 0)}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# At $X = Y / \sqrt h$ we know the lowest error, and can see how close a descent comes to it. At one
# place every point chooses all points with equal probability, and the descent stands still, but the
# slightest disorder leads away. So SNE starts with small random numbers, not with zeros.
#
# </details>

# %% [markdown]
# Equation (3) shows what SNE cares about. Since $\log Q_{ij}$ is $-|x_i - x_j|^2$ up to a term that
# is the same for the whole row, neighbours in the data that are torn apart cost their *squared*
# distance. Far points that come together cost much less.
#
# ## UKR by the same recipe (3 minutes)
#
# UKR rebuilds the data as the weighted mean of their latent neighbours:
#
# $$f(x) = \sum_j \frac{\exp(-|x - x_j|^2)}{\sum_k \exp(-|x - x_k|^2)}\, y_j \tag{5}$$
#
# Its error, the $R(X)$ of lesson 03, is a mismatch of two matrices as well:
#
# $$E(X) = \frac1N\, \mathrm{tr}\bigl(P\, Q(X)\bigr) \tag{6}$$
#
# Here $P$ holds inner products of the data, and $Q$ is made from the weights $B$ of (5):
#
# $$P = Y Y^T \tag{7}$$
#
# $$Q(X) = (I - B)^T (I - B) \tag{8}$$
#
# $$B_{ij} = \frac{\exp(-|x_i - x_j|^2)}{\sum_k \exp(-|x_i - x_k|^2)} \tag{9}$$
#
# Compare (9) with (2): the weights of UKR are the choices of SNE.


# %%
def ukr_error(X, Y):
    V = np.eye(len(X)) - probabilities(X)  # I - B, (9)
    return np.trace(Y @ Y.T @ V.T @ V) / len(X)  # (6), (7), (8)


f = probabilities(X) @ Y  # (5) at the latent points
print(
    "tr(P Q) is the squared error:",
    np.isclose(ukr_error(X, Y), np.sum((f - Y) ** 2) / N),
)
of_library, _ = reconstruction_error(np.sqrt(2) * X, Y, leave_one_out=False)
print("as the library:", np.isclose(ukr_error(X, Y), of_library))

# %% [markdown]
# (The library's kernel is $\exp(-t/2)$, so its latent points are $\sqrt2$ times as large. No point
# is left out here.) Now shift all data by the vector $(5, 5)$. For UKR, $P = Y Y^T$ becomes an
# entirely different matrix.

# %% tags=["nbval-ignore-output"]
predict(
    "shift",
    "Which errors change when all data are shifted?",
    options=["UKR's only", "SNE's only", "both", "neither"],
    answer="neither",
    because=(
        "SNE sees distances only; in UKR the rows of I - B sum to zero, so a "
        "shift drops out."
    ),
    tempts=[
        "UKR rebuilds the data themselves, so it seems to depend on where "
        "they are, but its weights sum to one.",
        "SNE has no reconstruction that could follow the shift, but ask what "
        "it takes from the data.",
        "A shift changes every number in the data, but ask what each error "
        "takes from these numbers.",
    ],
    hides=1,
)

# %%
print("UKR: same E:", np.isclose(ukr_error(X, Y + 5), ukr_error(X, Y)))
print("SNE: same P:", np.allclose(probabilities(Y + 5, h), P))

# %% [markdown]
# So both errors are sums over pairs: a similarity $P_{ij}$ of the data times a number that depends
# on the latent points alone.
#
# | | data: $P$ | latent points |
# |---|---|---|
# | SNE | probabilities (1) | $-\log Q(X)$, with (2) |
# | UKR | inner products (7) | $(I - B)^T (I - B)$, (8) |
#
# ## Going down, from where? (6 minutes)
#
# Back to the sevens, with $h = 10$: the squared distance between two images is 2.5 if the angles
# differ by 4 degrees, and 110 if they are opposite. The estimator `SNE` starts from normal random
# numbers with standard deviation .01 and takes 200 steps of gradient descent. We take twelve
# starts, and count how often the closed curve crosses itself in the map.

# %% tags=["nbval-ignore-output"]
predict(
    "starts",
    "How many of twelve random starts end in a closed curve without a "
    "crossing?",
    number=True,
    answer=2,
    within=1,
    because=(
        "Each stretch of the curve is in order, but a crossing cannot be "
        "undone step by step."
    ),
    hides=3,
)


# %%
def crossings(X):
    """How often the closed polygon through the points crosses itself."""
    z = X[:, 0] + 1j * X[:, 1]  # as complex numbers
    a, b = z[:, None], np.roll(z, -1)[:, None]  # the ends of each edge
    # of each point, for each edge
    side = np.sign(((b - a).conj() * (z - a)).imag)
    # its two ends lie on different sides
    parted = side * np.roll(side, -1, axis=1) < 0
    return np.sum(parted & parted.T) // 2


runs = [
    SNE(n_components=2, h=10, random_state=seed).fit(sevens)
    for seed in range(12)
]
runs.sort(key=lambda run: run.error_)
crossed = [crossings(run.embedding_) for run in runs]

# %% tags=["aside"]
assert 1 <= crossed.count(0) <= 5 and crossed[0] == 0

# %% tags=["nbval-ignore-output"]
print("E:        ", "  ".join(f"{run.error_:.3f}" for run in runs))
print("crossings:", "  ".join(f"{number:5}" for number in crossed))
draw_maps(
    {f"E = {runs[k].error_:.3f}": runs[k].embedding_ for k in (0, 5, 11)},
    "Three of the twelve maps. The best is a closed curve without a crossing. "
    "In the others each stretch is in order, but the curve crosses itself, "
    "once in one map, four times in the other.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Two starts succeed. All others get the details right: neighbouring images are neighbours in the
# map. They get the large structure wrong. To undo a crossing, thirty points would have to move
# *together*, but each point is where its neighbours want it. Other sevens fare no better.
#
# </details>

# %% [markdown]
# Here is one start, step by step. When does the curve cross itself, and which crossings go away?

# %% tags=["nbval-ignore-output", "aside"]
from ukrlearn.panels import OwnPicture, Slider

run = SNE(2, h=10, record=True, random_state=0).fit(sevens)


def after(figure, step):
    X, ax = run.history_[step].X, figure.subplots()
    ax.plot(*np.append(X, X[:1], axis=0).T, color="#999999", lw=1)
    figures.latent(ax, X, angle, title=f"After {step} steps")
    return f"After {step} steps: E = {run.history_[step].error:.3f}."


last = len(run.history_) - 1
panel = OwnPicture(after, Slider("step", 0, last, 0, whole=True))
panel

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Of 300 maps (25 other sevens with twelve other starts each) 31 have no crossing.
#
# </details>

# %% [markdown]
# UKR has the same weakness; lessons 07 and 08 were about starts. SNE has another: it has no
# `transform`, because its error concerns all points together and says nothing about a new image.
# The [appendix](appendix_sgd.ipynb#A-map-for-new-points) places new points with the help of UKR.
# Which start would always give a ring? [The next lesson](15_springs.ipynb) finds one.
#
# ## Key points
#
# - Three choices make a method: a similarity of the data, a similarity of the latent points, and a
#   measure of their mismatch.
# - SNE matches probabilities of choosing neighbours, UKR rebuilds the data; both errors are sums
#   over pairs.
# - From a random start, a descent often ends with well-formed pieces in wrong places.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "neighbor_probabilities", "latent_probabilities"),
    *("neighbor_embedding_error", "gradient", "h", "B"),
    paper="sgd",
)

# %% [markdown]
# **Covered** [SGD] (1) to (9).
#
# **Further**
#
# - To do: [exercise 18: the gradient of SNE](../exercises/18_sne_gradient.ipynb).
# - Before: [your own data](13_your_own_data.ipynb). Next: [springs](15_springs.ipynb).
# - In the library: `neighbor_embedding` (error and gradient), `SNE`. In loops:
#   `explicit.sgd.neighbor_probabilities`, `neighbor_embedding_error`; in matrices:
#   `explicit.matrices.sgd`.
