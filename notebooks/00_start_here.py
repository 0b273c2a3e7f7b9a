# %% [markdown]
# # Start here: a curve through noisy points
#
# In five minutes you fit a curve to points without anyone having said where on the curve each of
# them belongs.
#
# **Afterwards you can**
#
# - fit an unsupervised kernel regression (UKR) model to data, and read what it learnt;
# - place a new point on the fitted curve;
# - say what the bandwidth does, and how a model finds it without being told.
#
# **You need** Python and NumPy; no theory. **Time** 5 minutes.
# **Contents** The data · The fit · What was learnt · A new point · The bandwidth · Where to go on

# %%
import numpy as np

from ukrlearn import UKR, datasets, figures, metrics

# %% [markdown]
# ## The data (1 minute)
#
# Three hundred points on a spiral of two turns, with a little noise. Each point $y_n$ has two
# numbers. Where it lies *along* the spiral, $t_n$, is known here because the data are made up; the
# model never sees it.

# %%
Y, t = datasets.noisy_spiral(n_samples=300, noise=0.02, random_state=0)
print(f"{len(Y)} points of {Y.shape[1]} numbers; the first three:")
print(Y[:3].round(3))

# %%
figure, ax = figures.blank()
figures.data(ax, Y, title="The data")
figures.show(figure, "300 points scattered closely around a spiral of two turns.")

# %% [markdown]
# ## The fit (2 minutes)
#
# UKR gives each point $y_n$ one number $x_n$, its *latent coordinate*, such that the points with
# similar coordinates rebuild $y_n$ well: their weighted mean
#
# $$f(x) = \sum_n \frac{K(x - x_n)}{\sum_m K(x - x_m)}\, y_n \tag{2}$$
#
# should be close to $y_n$ at $x = x_n$, *even if point $n$ itself is left out of the sum*. That is
# all. (Equation numbers are those of the paper, Meinicke and others, 2005.)

# %% tags=["nbval-ignore-output"]
model = UKR(n_components=1).fit(Y)
start = next(candidate for candidate in model.starts_ if candidate.chosen)
print(f"{len(model.starts_)} starts were tried; {start.name} led to the best model.")
print(f"Its leave-one-out error fell from {start.cv_error:.5f} to {model.cv_error_:.5f}.")

# %%
assert model.cv_error_ < 0.001

# %% [markdown]
# The noise across the curve has a mean square of $0.02^2 = 0.0004$, and the error has come down to
# about that: what is left is noise. It can even fall below, because the coordinates $x_n$ are chosen
# to make it small; with more noise you would see the curve run after it.
#
# ## What was learnt (1 minute)
#
# The curve is $f(x)$ for all $x$ between the smallest and the largest latent coordinate. Colours in
# both pictures are the true position $t$ along the spiral: if they change evenly on the right, the
# model has found the order of the points by itself.

# %%
x = model.embedding_[:, 0]
figure, (left, right) = figures.blank(1, 2)
figures.data(left, Y, t, title="Data and fitted curve")
figures.manifold(left, model.embedding_, Y)
figures.order(right, x, t)
figures.show(
    figure,
    "Left: the fitted curve follows the spiral from end to end. Right: latent coordinate against "
    "true position, a nearly straight line.",
)

# %%
print("order recovered:", bool(metrics.order_recovered(x, t) > 0.99))

# %% [markdown]
# Which end gets the small numbers is up to chance: from the data alone nobody could tell.
#
# ## A new point (½ minute)
#
# Where does a point belong that the model has not seen? At the $x$ whose $f(x)$ is nearest: this is
# `transform`, and `inverse_transform` is $f$.

# %%
y_new = np.array([[0.9, 0.9]])
x_new = model.transform(y_new)
on_curve = model.inverse_transform(x_new)
distance = np.linalg.norm(on_curve - y_new)
print(f"{y_new[0]} is about {distance:.1f} away from the curve")

# %%
figure, ax = figures.blank()
figures.data(ax, Y, title="A new point and its place")
figures.manifold(ax, model.embedding_, Y)
ax.plot(*np.vstack([y_new, on_curve]).T, "s--", color="black", markersize=6)
figures.show(figure, "A dashed line joins the new point, upper right, to its place on the curve.")

# %% [markdown]
# ## The bandwidth (1 minute)
#
# How far the weights reach is the *bandwidth* h. In UKR it is nothing but the scale of the latent
# coordinates, so it is learnt with them. Here you may spoil it: the slider divides all coordinates
# by h.
#
# **Predict** What will the curve look like for a very small bandwidth, and for a very large one?
# One of the two errors goes to zero on one side. Which one, and why is that no good news?

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import LatentScale

panel = LatentScale(model.embedding_, Y)
panel

# %% [markdown]
# **Check** Small bandwidth: each point is rebuilt by itself alone, the curve jumps from point to
# point, and the error $R$ vanishes: nothing has been learnt. Large bandwidth: all points have the
# same weight everywhere, and the curve shrinks to the mean of the data. The leave-one-out error
# $R_{cv}$ is not fooled by either; the fit has put its minimum near h = 1.

# %%
cv_errors = {h: panel.errors(h)[1] for h in (0.05, 1, 20)}
print("h = 1 is better than 0.05:", cv_errors[1] < cv_errors[0.05])
print("h = 1 is better than 20:  ", cv_errors[1] < cv_errors[20])

# %% [markdown]
# ## Where to go on
#
# - **Key points** A UKR model *is* its latent points. Their scale is the bandwidth. Leaving each
#   point out of its own reconstruction is what keeps the model honest, and it costs nothing.
# - **Covered** (2), the map from latent space to data; (10), the leave-one-out error; (19), the
#   projection of new points.
# - **Further** `help(UKR)` lists what else it can do: surfaces instead of curves, other kernels,
#   other data than vectors, and a companion for t-SNE or any other embedding. Every formula stands
#   once more as plain loops in `ukrlearn.explicit`.
