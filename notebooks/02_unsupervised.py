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
# - turn any guess at the order of the data into a curve through them, and compare guesses by an
#   honest error;
# - show that the scale of the latent points is the bandwidth;
# - name what no unsupervised method can find out from the data.
#
# **You need** [kernel regression and the bandwidth](01_kernel_regression.ipynb). **Time** 25
# minutes. **Contents** Data without inputs · Two ways to be flexible · Three guesses · Scale is
# bandwidth · The manifold · What the data cannot tell · Letting the data decide · Key points

# %%
import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import special_ortho_group

from ukrlearn import UKR, datasets, explicit, figures, metrics, notation
from ukrlearn.blocks.kernel_regression import predict, weights
from ukrlearn.blocks.starts import normalised, pca
from ukrlearn.panels import LatentScale
from ukrlearn.ukr.reconstruction import squared_residuals

# %% [markdown]
# ## Data without inputs (2 minutes)
#
# The data are 300 points $y_n$ near a spiral, with two numbers each. In the last lesson each output
# came with an input $x_n$, and $f(x)$ was a weighted mean of the outputs near $x$. Here there are
# only outputs. The data set does know the position $t_n$ along the spiral at which each point was
# made. We use these positions to judge a model, not to fit one.

# %%
Y, t = datasets.noisy_spiral(300, noise=0.05, random_state=0)
print("data:", Y.shape, "- mean squared distance from their mean:", Y.var(axis=0).sum().round(3))

# %%
figure, ax = figures.blank()
figures.data(ax, Y, title="What was measured")
figures.show(
    figure, "300 grey points around a spiral of two turns. Nothing shows where each one belongs."
)

# %% [markdown]
# ## Two ways to be flexible (5 minutes)
#
# Most models of a curve, supervised or not, have the form
#
# $$f(x; W) = W\, b(x), \tag{1}$$
#
# with $M$ *basis functions* $b_1(x), \dots, b_M(x)$ that are chosen beforehand, and a matrix $W$ of
# coefficients that is learnt. $W$ has one column, a point in data space, for each basis function.
# Splines, radial-basis networks with fixed centres, and most methods for principal curves are of
# this kind.
#
# Suppose for a moment that somebody tells us $t$. Then finding $W$ is a least-squares problem. Take
# 15 bumps of width 0.06, evenly spaced, and let them share the weight as in kernel regression:

# %%
known = t[:, None]
centres = np.linspace(0, 1, 15)[:, None]
Phi = weights(known / 0.06, centres / 0.06)  # row n: b(x_n) of (1), fixed beforehand
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
# are not learnt: they *are* the data, one point for each basis function. Only the basis functions
# are flexible, and only through their centres $x_n$.

# %%
f_kernels = predict(known / 0.01, known / 0.01, Y)  # (2), with a bandwidth of 0.01
print(
    "learnt by (2), if the positions were unknown:", known.size, "numbers, X of shape", known.shape
)

# %%
figure, axes = figures.blank(1, 2)
order = np.argsort(t)
curves = {"(1): W learnt": f_bumps, "(2): W is the data": f_kernels}
for ax, (name, f) in zip(axes, curves.items(), strict=True):
    figures.data(ax, Y, title=name)
    ax.plot(*f[order].T, color=figures.COLORS[1])
figures.show(figure, "With known positions, both models follow the spiral from end to end.")

# %% [markdown]
# Both models work. Model (1) is smoother here, because it mixes 15 broad bumps while model (2)
# mixes 300 narrow ones.
#
# Now take $t$ away. Model (1) then needs $W$, the number and width of the bumps, *and* the
# positions of the data. Model (2) needs the positions and nothing else. This idea is unsupervised
# kernel regression, UKR: **keep the formula of the supervised method, and treat the missing inputs
# as parameters.** The positions $x_n$ are called *latent points*. Together they form the matrix
# $X$, with $N$ rows and one column for each dimension of the curve or surface. The number of
# columns is called $q$.
#
# ## Three guesses (6 minutes)
#
# Any $N$ numbers make a model, and with 300 numbers to choose we need an honest error all the more.
# Try three guesses: numbers from a random generator; the first principal component, which is the
# coordinate along the longest axis of the data; and the truth $t$.
#
# How good is a guess? Reconstruct each point as the weighted mean of all the others, and take the
# mean squared distance: this is the leave-one-out error $R_{cv}$ of the last lesson. To be fair, we
# let each guess choose its scale: it is normalised to mean 0 and variance 1, then multiplied by
# whichever of 60 factors gives the least $R_{cv}$. The next cell computes the error in loops, for
# 30 of the points and the factor 15 (`squared_residuals` leaves each point out of its own
# reconstruction):

# %%
some = slice(0, 30)
X_some, Y_some = (15 * normalised(known[some])).tolist(), Y[some].tolist()
error_loops = np.mean(explicit.squared_residuals(X_some, Y_some))
error = squared_residuals(np.array(X_some), np.array(Y_some)).mean()
print(
    f"R_cv of 30 points: {error_loops:.5f} in loops; the library agrees:",
    np.isclose(error, error_loops),
)


# %%
def at_best_scale(X):
    X = normalised(X)
    factors = np.geomspace(1, 300, 60)
    errors = [squared_residuals(factor * X, Y).mean() for factor in factors]
    return factors[np.argmin(errors)] * X


# %% [markdown]
# **Predict** Rank the three guesses. Can a good scale rescue the random guess, and what would its
# curve look like? The principal component knows which points are on the left of the spiral and
# which on the right. What will it do with points that lie above each other?

# %%
random = np.random.RandomState(1).uniform(size=(300, 1))
guesses = {"random": random, "principal component": pca(Y, 1), "truth": known}
models = {name: at_best_scale(X) for name, X in guesses.items()}
for name, X in models.items():
    print(f"{name:20} R_cv = {squared_residuals(X, Y).mean():.4f}")

# %%
figure, axes = figures.blank(1, 3, size=(10, 3.4))
for ax, (name, X) in zip(axes, models.items(), strict=True):
    figures.data(ax, Y, title=name)
    figures.manifold(ax, X, Y)
figures.show(
    figure,
    "Random: nearly a dot at the mean. Principal component: a zigzag between the turns of the "
    "spiral. Truth: a spiral.",
)

# %% [markdown]
# **Check** The random order is hopeless. Each point's neighbours in $x$ lie anywhere in the plane,
# so the best possible reconstruction is the mean of all points, and the error is the variance of
# the data, 0.72. The principal component gives nearly the same position to points above and below
# each other. The curve visits its points in the order of $x$, so it zigzags between them. With the
# truth, $R_{cv}$ is 0.0057. Most of that error is noise, which has a variance of $0.05^2$ in each
# of the two columns, 0.005 together. A model that is told $t$ cannot expect a smaller error.
#
# So the error can tell a good order from a bad one without knowing the truth. It remains to search
# for the $X$ with the least error. The next lessons prepare this search.
#
# ## Scale is bandwidth (6 minutes)
#
# Where did the bandwidth go? Formula (2) does not contain it: $K$ depends on $x - x_n$ as it is. In
# the last lesson we applied the bandwidth by dividing all inputs by $h$. If we may choose the
# inputs, that division is just another choice of inputs, and the bandwidth is not a separate
# parameter:

# %%
X, h = models["truth"], 2.5
grid = np.linspace(X.min(), X.max(), 200)[:, None]
T = cdist(grid, X, "sqeuclidean")
K = np.exp(-T / h**2 / 2)  # wider kernels, latent points as they are
wider = K / K.sum(axis=1, keepdims=True) @ Y  # (2)
print("the same as closer latent points:", np.allclose(wider, predict(grid / h, X / h, Y)))

# %% [markdown]
# A model that may choose its latent points chooses its bandwidth with them. (With more than one
# latent dimension it chooses one bandwidth for each direction.) The slider in the next panel
# divides all latent points by the bandwidth $h$; at $h = 1$ they are the truth at its best scale.
# As in lesson 01, the panel shows $R_{cv}$, and $R$, which leaves nothing out.
#
# **Predict** Consider three positions of the slider: $h = 1/32$, 1 and 32. At which is $R$
# smallest? At which is $R_{cv}$ smallest? Where do the two errors agree?

# %% tags=["nbval-ignore-output"]
panel = LatentScale(models["truth"], Y)
panel

# %%
for bandwidth in (1 / 32, 1, 32):
    print(panel.set(bandwidth=bandwidth).summary())

# %% [markdown]
# **Check** At $h = 1/32$ the latent points are far apart compared with the width of the kernel.
# Each point is reconstructed from itself, $R$ is nearly 0, and the curve jumps from point to point.
# At $h = 32$ the kernels of all points overlap. The curve shrinks towards the mean, and $R$ and
# $R_{cv}$ agree, because leaving out one of many equal weights changes little. In between, $R_{cv}$
# has its minimum. $R$ has none: it falls all the way to the left. This failure of $R$ is the
# subject of the next lesson.
#
# ## The manifold (2 minutes)
#
# The points that the model can produce are
#
# $$\mathcal{M} = \{\, y \in \mathbb{R}^d \mid y = f(x; X),\ x \in \mathcal{X} \,\}, \tag{4}$$
#
# a curve if $q = 1$, a surface if $q = 2$; $d$ is the number of coordinates of a data point. Lesson
# 05 discusses which $x$ belong to the latent domain $\mathcal{X}$. Until then we take all $x$
# between the smallest and the largest latent coordinate. We know one property of (4) without any
# learning. The weights are not negative and sum to one, so every point of the manifold lies in the
# *convex hull* of the data. In no direction does the curve extend further than the data:

# %%
curve = predict(np.linspace(-500, 500, 2000)[:, None], X, Y)
angles = np.linspace(0, 2 * np.pi, 360)
directions = np.stack([np.cos(angles), np.sin(angles)])
reach_of_curve, reach_of_data = (curve @ directions).max(axis=0), (Y @ directions).max(axis=0)
print("inside in all 360 directions:", bool((reach_of_curve <= reach_of_data + 1e-9).all()))

# %% [markdown]
# The convex hull is also a weakness. A mean of neighbours cuts corners: on a bend the curve lies a
# little to the inside, and at its ends it stops short of the outermost points. The wider the
# kernel, the stronger the effect.
#
# ## What the data cannot tell (2 minutes)
#
# The error depends on the latent points only through their distances. Any change that keeps all
# distances keeps the error: adding a constant to all latent points, mirroring them, and, for
# $q \ge 2$, rotating them.

# %%
error = lambda X: squared_residuals(X, Y).mean()  # R_cv
plane = np.column_stack([X, 3 * Y[:, 1]])  # some model with two latent dimensions
turn = special_ortho_group.rvs(2, random_state=0)
print("shifted: ", np.isclose(error(X + 7), error(X)))
print("mirrored:", np.isclose(error(-X), error(X)))
print("turned:  ", np.isclose(error(plane @ turn), error(plane)))
print("scaled:  ", np.isclose(error(2 * X), error(X)))

# %% [markdown]
# So two good models of the same data may run in opposite directions, and both are right. Allow for
# this freedom whenever you compare embeddings: `metrics.order_recovered` is the absolute rank
# correlation, and `metrics.procrustes_r2` first aligns one embedding with the other. The scale is
# not free: it is the bandwidth, and the data determine it.
#
# ## Letting the data decide (2 minutes)
#
# Start from an order that needs no truth (Isomap finds one from the distances along a graph of
# neighbours). Choose its scale by $R_{cv}$, then move all 300 latent points downhill in $R_{cv}$.
# These three steps are what `UKR` does.

# %% tags=["nbval-ignore-output"]
model = UKR(n_components=1, init="isomap", max_iter=100).fit(Y)
x = model.embedding_[:, 0]
print(f"R_cv = {model.cv_error_:.4f}; order recovered: {metrics.order_recovered(x, t):.4f}")

# %%
assert model.cv_error_ < 0.003 and metrics.order_recovered(x, t) > 0.99

# %%
figure, (left, right) = figures.blank(1, 2)
figures.data(left, Y, t, title="Fitted without knowing the order")
figures.manifold(left, model.embedding_, Y)
figures.order(right, x, t)
figures.show(
    figure,
    "Left: the fitted curve runs along the spiral, a little nervously. Right: latent against true "
    "coordinate, a nearly straight line.",
)

# %% [markdown]
# The $R_{cv}$ of the model is about 0.0017, less than the 0.0057 of the truth. That does not make
# it a better model than the truth. A model that is told $t$ cannot expect an error below 0.005. A
# model that *chooses* its coordinates can go lower, by putting each point where the curve comes
# nearest to it, and by bending the curve towards single points. The price is the nervous waves in
# the picture. Lesson 04 returns to this point with numbers.
#
# ## Key points
#
# - Models with fixed basis functions learn coefficients (1). In UKR the coefficients are the data,
#   and the centres of the basis functions are learnt (2).
# - The latent points are the only parameters; their scale is the bandwidth.
# - The leave-one-out error compares guesses without knowing the truth.
# - The manifold (4) lies in the convex hull of the data.
# - The position, direction and orientation of an embedding mean nothing; its order and scale do.
#
# **Notation**

# %%
notation.table("Y", "X", "x", "N", "d", "q", "predict", "K", "B", "scale", "cv_error")

# %% [markdown]
# **Covered** (1), (2), (4).
#
# **Further**
#
# - To do: [exercise 3: the weights as a matrix](../exercises/03_basis_weights.ipynb).
# - Before: [kernel regression and the bandwidth](01_kernel_regression.ipynb). Next: [an error
#   without a minimum](03_reconstruction_error.ipynb). Isomap is explained in [graphs and
#   geodesics](27_graphs_and_geodesics.ipynb).
# - In the library: `UKR`, `kernel_regression.predict`, `reconstruction.squared_residuals`,
#   `starts.best_scale`, `metrics.order_recovered`.
# - In loops: `explicit.predict`, `explicit.squared_residuals`.
