# %% [markdown]
# # From supervised to unsupervised
#
# Kernel regression needs to know where on the curve each point belongs. If nobody knows, the
# positions themselves become the parameters, and an idea of 1964 turns into a method for
# dimensionality reduction.
#
# **Afterwards you can**
#
# - say which parameters a model with fixed basis functions has, and which ones UKR has;
# - turn any guess at the order of the data into a curve, and compare guesses by the error that UKR
#   minimises;
# - show that the scale of the latent points is the bandwidth;
# - name what no unsupervised method can find out from the data.
#
# **You need** [kernel regression and the bandwidth](01_kernel_regression.ipynb). **Time** 25
# minutes. **Contents** Data without inputs · Two ways to be flexible · Three guesses · Scale is
# bandwidth · The manifold · What the data cannot tell · Letting the data decide · Key points

# %%
import numpy as np
from scipy.spatial.distance import cdist

from ukrlearn import UKR, datasets, explicit, figures, metrics
from ukrlearn.blocks import kernel_regression
from ukrlearn.blocks.scales import normalised
from ukrlearn.blocks.starts import pca
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.ukr.reconstruction import squared_residuals

predict = predictions("02_unsupervised")
Y, t = datasets.noisy_spiral(300, noise=0.05, random_state=0)
known = t[:, None]  # a row per point, as all latent points

# %%
review("02_unsupervised")  # questions from earlier lessons

# %% [markdown]
# ## Data without inputs (3 minutes)
#
# The robot of [unit 00](00_start_here.ipynb) searches the lawn again, with a cheaper receiver: its
# reports are wrong by about half a metre. The clock is still broken. In unit 01 each output $y_n$
# came with an input $x_n$, the position of a thermometer. Here there are only outputs, and nobody
# knows how far along the path each report belongs. (We know: we have made the data. We use these
# positions $t_n$ to judge a model, and to ask what would be possible if they were known.)

# %% tags=["aside"]
figure, ax = figures.blank(size=(6, 4.2))
figures.data(ax, Y, title="300 reports of a position (unit: 10 m)")
figures.show(
    figure,
    "300 grey points around a spiral of two turns, more blurred than in "
    "unit 00.",
)

# %%
print(
    "mean squared distance of the reports from their mean:",
    Y.var(axis=0).sum().round(3),
)

# %% [markdown]
# ## Two ways to be flexible (5 minutes)
#
# Most models of a curve or surface have the form
#
# $$f(x; W) = W\, b(x), \tag{1}$$
#
# with $M$ *basis functions* $b_1(x), \dots, b_M(x)$ that are chosen beforehand ($M$ was the number of
# positions in unit 01), and a matrix $W$ of coefficients that is learnt. $W$ has one column, a point
# in data space, for each basis function. This family is large:
#
# | method | basis functions | learnt in $W$ | chosen beforehand |
# |---|---|---|---|
# | PCA | 1, and the coordinates of $x$ | the mean and the axes | the number of axes |
# | self-organizing map (SOM) | constant on each cell of a grid | the nodes of the map | the grid |
# | polygonal principal curve | linear between two nodes | the vertices of the curve | their number |
# | generative topographic map (GTM) | Gaussian bumps, and 1 | their coefficients | grid and width of the bumps, a penalty on large coefficients |
# | regularized principal manifold (unit 23) | kernels, and 1 | their coefficients | as for GTM |
#
# Suppose for a moment that somebody tells us $t$. Then finding $W$ is a least-squares problem. Take
# 15 bumps of width 0.06, evenly spaced, and let them share the weight as in kernel regression:

# %%
centres = np.linspace(0, 1, 15)[:, None]
# row n: b(x_n) of (1)
Phi = kernel_regression.weights(known / 0.06, centres / 0.06)
W = np.linalg.lstsq(Phi, Y)[0]  # rows: the paper's columns
f_bumps = Phi @ W  # (1)
print("learnt by (1):", W.size, "numbers, the matrix W of shape", W.shape)

# %% [markdown]
# Kernel regression has the same form, with the roles exchanged:
#
# $$f(x; X) = \sum_n b_n(x; X)\, y_n, \qquad
#   b_n(x; X) = \frac{K(x - x_n)}{\sum_m K(x - x_m)}. \tag{2}$$
#
# ($K(x - x_n)$ is the paper's notation for the kernel of the squared distance.) The coefficients
# are not learnt: they *are* the data. Only the basis functions are flexible, through their centres
# $x_n$, which form the matrix $X$.

# %%
# (2), bandwidth 0.01
f_kernels = kernel_regression.predict(known / 0.01, known / 0.01, Y)
print(
    "learnt by (2), were the positions unknown:",
    known.size,
    "numbers, the matrix X",
)

# %% tags=["aside"]
figure, axes = figures.blank(1, 2, size=(8.4, 3.6))
order = np.argsort(t)
curves = {
    "(1): 15 bumps, W learnt": f_bumps,
    "(2): 300 kernels, W is the data": f_kernels,
}
for ax, (name, f) in zip(axes, curves.items(), strict=True):
    figures.data(ax, Y, title=name)
    ax.plot(*f[order].T, color=figures.COLORS[1])
figures.show(
    figure,
    "With known positions, both curves follow the spiral from end to end.",
)

# %% [markdown]
# Both models work. Now take $t$ away. Model (1) then needs $W$, the number and width of the bumps,
# *and* the positions of the data. Model (2) needs the positions and nothing else. This idea is
# unsupervised kernel regression, UKR: **keep the formula of the supervised method, and treat the
# missing inputs as parameters.** These inputs are called *latent points*. $X$ has a row for each of
# the $N$ points, and a column for each dimension of the curve or surface, $q$ columns in all.
#
# ## Three guesses (5 minutes)
#
# Any $N$ numbers make a model. Try three guesses: numbers from a random generator; the first
# principal component, which is the coordinate along the longest axis of the data; and the truth
# $t$. We compare them by the leave-one-out error $R_{cv}$ of unit 01, which UKR minimises:
# reconstruct each point as the weighted mean of all the *others*, and take the mean squared
# distance (unit 04 derives this error). The function `squared_residuals` leaves each point out.
# First a check with loops, for 30 points:

# %%
X_some, Y_some = (15 * normalised(known[:30])).tolist(), Y[:30].tolist()
error_loops = np.mean(explicit.squared_residuals(X_some, Y_some))
error = squared_residuals(np.array(X_some), np.array(Y_some)).mean()
print(
    f"R_cv = {error_loops:.5f} in loops; the library agrees:",
    np.isclose(error, error_loops),
)

# %% [markdown]
# To be fair, each guess may choose its scale: it is normalised to mean 0 and variance 1, then
# multiplied by whichever of 60 factors gives the least $R_{cv}$.


# %%
def at_best_scale(X):
    X = normalised(X)
    factors = np.geomspace(1, 300, 60)
    errors = [squared_residuals(factor * X, Y).mean() for factor in factors]
    return factors[np.argmin(errors)] * X


# %% tags=["nbval-ignore-output"]
predict(
    "random",
    "Which $R_{cv}$ do you expect of the random guess, at its best scale?",
    number=True,
    answer=0.72,
    within=0.05,
    because=(
        "Neighbours in $x$ lie anywhere, so the best reconstruction is the "
        "mean of all points."
    ),
    hides=1,
)

# %%
random = np.random.RandomState(1).uniform(size=(300, 1))
guesses = {"random": random, "principal component": pca(Y, 1), "truth": known}
models = {name: at_best_scale(X) for name, X in guesses.items()}
for name, X in models.items():
    print(f"{name:20} R_cv = {squared_residuals(X, Y).mean():.4f}")

# %% tags=["nbval-ignore-output"]
predict(
    "component",
    "What does the curve of the principal component look like?",
    options=[
        "A straight line along the longest axis",
        "A zigzag between the turns of the spiral",
        "A smooth arc that follows half of the spiral",
        "Nearly a dot at the mean",
    ],
    answer="A zigzag between the turns of the spiral",
    because=(
        "It visits the points in the order of the component, and those that "
        "lie above each other nearly at once."
    ),
    tempts=[
        "The component itself is a straight line, but the curve consists of "
        "means of the data along it.",
        "The curve would be an arc if points next to each other along the "
        "component came from one side and one turn of the spiral.",
        "A random order does give a dot, but the component still says "
        "something about where a point lies.",
    ],
    hides=1,
)

# %% tags=["aside"]
figure, axes = figures.blank(1, 3, size=(8.4, 3))
for ax, (name, X) in zip(axes, models.items(), strict=True):
    figures.data(ax, Y, title=name)
    figures.manifold(ax, X, Y)
figures.show(
    figure,
    "Random: nearly a dot at the mean. Principal component: a zigzag between "
    "the turns of the spiral. Truth: a spiral.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The error of the random order is that of reconstructing every point as the mean: the variance of
# the data, 0.72. PCA itself draws a straight line, but its *order* makes a zigzag. With the truth,
# $R_{cv}$ is 0.0057. Most of it is noise, which has a variance of $0.05^2$ in each of the two
# columns, 0.005 together.
#
# So the error can tell a good order from a bad one without knowing the truth. UKR searches for the
# $X$ with the least error. The next units prepare this search.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# On 30 other draws the $R_{cv}$ of the truth was between .0055 and .0069, and that of the principal
# component between .27 and .34. Random orders had 1.00 to 1.01 times the variance.
#
# </details>

# %% [markdown]
# ## Scale is bandwidth (5 minutes)
#
# Where did the bandwidth go? In unit 01 we divided all inputs by it. Formula (2) does not contain
# it: $K$ depends on $x - x_n$ as it is.

# %% tags=["nbval-ignore-output"]
predict(
    "scale",
    "You double all latent points. To which change of the bandwidth does this "
    "amount?",
    options=[
        "To doubling it",
        "To halving it",
        "To none: only the labels of the axis change",
        "To none: the bandwidth is a parameter of its own",
    ],
    answer="To halving it",
    because=(
        "The distances double, in units of a kernel that is as wide as before."
    ),
    tempts=[
        "Twice as large sounds like twice as wide, but ask what happens to a "
        "distance in units of the bandwidth.",
        "Latent coordinates have no unit of their own, but the kernel, whose "
        "width is one, measures their distances.",
        "In unit 01 the inputs and the bandwidth were two different things, "
        "but the weights depend only on their quotient.",
    ],
    hides=1,
)

# %%
X = models["truth"]
grid = np.linspace(X.min(), X.max(), 200)[:, None]
# a kernel half as wide
K = np.exp(-cdist(grid, X, "sqeuclidean") / 0.5**2 / 2)
narrower = K / K.sum(axis=1, keepdims=True) @ Y  # (2)
doubled = kernel_regression.predict(2 * grid, 2 * X, Y)
print(
    "half the bandwidth = twice the latent points:",
    np.allclose(narrower, doubled),
)

# %% [markdown]
# So a model that chooses its latent points chooses its bandwidth with them. (With more than one
# latent dimension it chooses one for each direction.) The slider of the next panel divides all
# latent points by $h$; at $h = 1$ they are the truth at its best scale. The panel shows $R_{cv}$
# and the error $R$, for which no point is left out.

# %% tags=["nbval-ignore-output"]
predict(
    "agree",
    "Where do the two errors agree?",
    options=[
        "At small h",
        "At h = 1, where both have their minimum",
        "At large h",
        "Nowhere: leaving out always costs the same",
    ],
    answer="At large h",
    because="Leaving out one of many equal weights changes little.",
    tempts=[
        "At small h both errors use few points, but the point that one of "
        "them leaves out is then the one that counts.",
        "At h = 1 the curve fits the data well, but a good fit does not make "
        "the two errors equal.",
        "One of N points is left out at every h, but the weight of that point "
        "depends on h.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import LatentScale

panel = LatentScale(29.5 * normalised(known), Y)
panel

# %%
# a second one, so that yours stays as it is
probe = LatentScale(29.5 * normalised(known), Y)
for bandwidth in (1 / 32, 1, 32):
    print(probe.set(bandwidth=bandwidth).summary())

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# At $h = 1/32$ the latent points are far apart compared with the width of the kernel. Each point is
# reconstructed from itself, $R$ is nearly 0, and the curve jumps from point to point. At $h = 32$
# the kernels of all points overlap, the curve shrinks towards the mean, and the errors agree. In
# between, $R_{cv}$ has its minimum. $R$ has none: it falls all the way to the left. This failure is
# the subject of the next unit.
#
# </details>

# %% [markdown]
# ## The manifold (3 minutes)
#
# The points that the model can produce are
#
# $$\mathcal{M} = \{\, y \in \mathbb{R}^d \mid y = f(x; X),\ x \in \mathcal{X} \,\}, \tag{4}$$
#
# a curve if $q = 1$, a surface if $q = 2$; $d$ is the number of coordinates of a data point. Unit
# 05 says which $x$ belong to the latent domain $\mathcal{X}$. Until then we take all between the
# smallest and the largest latent coordinate. The weights are not negative and sum to one, so every
# point of the manifold lies in the *convex hull* of the data: it extends no further than the data
# in any direction. (The next cell takes positions far beyond the latent points, too.)

# %%
curve = kernel_regression.predict(np.linspace(-500, 500, 2000)[:, None], X, Y)
angles = np.linspace(0, 2 * np.pi, 360)
directions = np.stack([np.cos(angles), np.sin(angles)])
reach_of_curve, reach_of_data = (
    (curve @ directions).max(axis=0),
    (Y @ directions).max(axis=0),
)
print(
    "inside in all 360 directions:",
    bool((reach_of_curve <= reach_of_data + 1e-9).all()),
)

# %% [markdown]
# This safety has a price. A mean of neighbours cuts corners: on a bend the curve lies a
# little to the inside, and at its ends it stops short of the outermost points. The wider the
# kernel, the stronger the effect.
#
# ## What the data cannot tell (2 minutes)
#
# Some changes of the latent points leave the error as it is.

# %% tags=["nbval-ignore-output"]
predict(
    "free",
    "Which of these changes of all latent points changes $R_{cv}$?",
    options=[
        "adding 7",
        "changing all signs",
        "rotating them, if q = 2",
        "doubling",
    ],
    answer="doubling",
    because=(
        "The error depends on the latent points only through their distances. "
        "The other three changes keep them."
    ),
    tempts=[
        "Adding 7 changes every coordinate, but the kernel is given only "
        "differences of coordinates.",
        "Changing all signs reverses the order along each axis, but the "
        "kernel is given only squared distances.",
        "A rotation mixes the two coordinates, but the kernel is given only "
        "squared distances.",
    ],
    hides=1,
)

# %%
error = lambda X: squared_residuals(X, Y).mean()  # R_cv
# some model with two latent dimensions
plane = np.column_stack([X, 3 * Y[:, 1]])
turn = np.array([[1, -1], [1, 1]]) / np.sqrt(2)
print("shifted: ", np.isclose(error(X + 7), error(X)))
print("mirrored:", np.isclose(error(-X), error(X)))
print("turned:  ", np.isclose(error(plane @ turn), error(plane)))
print("doubled: ", np.isclose(error(2 * X), error(X)))

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Doubling halves the bandwidth. The other changes keep all distances, so two good models of the same
# data may run in opposite directions, and both are right. Allow for this freedom when you compare
# embeddings: `metrics.order_recovered` is the absolute rank correlation, which is 1 if two orders
# agree or are opposite; `metrics.procrustes_r2` first turns and shifts one embedding onto the other.
#
# </details>

# %% [markdown]
# ## Letting the data decide (2 minutes)
#
# Here `UKR` takes three steps. It starts from an order that needs no truth, here from Isomap, which
# measures distances along a graph of neighbours (unit 27). It chooses the scale by $R_{cv}$. Then
# it moves all 300 latent points downhill in $R_{cv}$, by gradient descent (units 06 and 07).

# %% tags=["nbval-ignore-output"]
model = UKR(n_components=1, init="isomap", max_iter=100).fit(Y)
x = model.embedding_[:, 0]
print(
    f"R_cv = {model.cv_error_:.4f}; order recovered: "
    f"{metrics.order_recovered(x, t):.4f}"
)

# %% tags=["aside"]
assert model.cv_error_ < 0.003 and metrics.order_recovered(x, t) > 0.99

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.6))
figures.data(left, Y, t, title="Fitted without knowing the order")
figures.manifold(left, model.embedding_, Y)
figures.order(right, x, t)
figures.show(
    figure,
    "Left: the fitted curve runs along the spiral, a little nervously. Right: "
    "latent against true coordinate, a nearly straight line. Colours show "
    "the true coordinate.",
)

# %% [markdown]
# The $R_{cv}$ of the model is about 0.0017, less than the 0.0057 of the truth. That does not make
# it a better model than the truth. A model that *chooses* its coordinates can put each point where
# the curve comes nearest to it, and bend the curve towards single points. The price is the nervous
# waves in the picture.
#
# ## Key points
#
# - Models with fixed basis functions learn coefficients (1). In UKR the coefficients are the data,
#   and the centres of the basis functions, the latent points, are learnt (2).
# - The latent points are the only parameters; their scale is the bandwidth.
# - UKR minimises the leave-one-out error. It compares guesses without knowing the truth.
# - The manifold (4) lies in the convex hull of the data.
# - The position, direction and orientation of an embedding mean nothing. Its order and its scale
#   have a meaning.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "x", "N", "d", "q", "predict", "K", "B", "scale", "cv_error"
)

# %% [markdown]
# **Covered** (1) with the family of methods in the introduction of [UKR], (2), (4).
#
# **Further**
#
# - To do: [exercise 3: the weights as a matrix](../exercises/03_basis_weights.ipynb).
# - Before: [kernel regression and the bandwidth](01_kernel_regression.ipynb). Next: [an error
#   without a minimum](03_reconstruction_error.ipynb).
# - In the library: `UKR`, `kernel_regression.predict`, `reconstruction.squared_residuals`,
#   `scales.best_scale`, `metrics.order_recovered`. In loops: `explicit.predict`,
#   `explicit.squared_residuals`. Isomap: [graphs and geodesics](27_graphs_and_geodesics.ipynb).
