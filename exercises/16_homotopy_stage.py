# %% [markdown]
# # Exercise 16: one stage of the homotopy
#
# A sequence of easier problems leads to a hard one. You write one stage of that sequence: the error
# goes down, and no point may leave the domain.
#
# **Afterwards you can** minimise under a constraint that holds exactly, for every point and at every
# step, and let a model unfold from almost nothing.
#
# **You need** [lesson 08](../notebooks/08_starts_and_scales.ipynb), the section *Unfolding*
# (section 2.3, step 4 of [UKR]), and [exercise 6](06_density_constraint.ipynb) for the constraint.
#
# **Time** 25 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import figures, metrics
from ukrlearn.blocks import scales, starts
from ukrlearn.checks import (
    check,
    hint,
    progress,
    restore_work,
    reveal,
    save_work,
)
from ukrlearn.ukr.homotopy import PAPER_THRESHOLDS
from ukrlearn.ukr.reconstruction import reconstruction_error

# %% [markdown]
# ## The task
#
# A stage has a density threshold η. From latent points `X` that obey it, move to points that also
# obey it and have a smaller leave-one-out error:
#
# $$\text{make } R_{cv}(X) \text{ smaller} \quad\text{subject to}\quad
# p(x_n) = \frac1N \sum_m e^{-|x_n - x_m|^2/2} \ge \eta \quad\text{for every } n. \tag{9, 10}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points that obey | (N, q) | `X_new`, lower and obeying | (N, q) |
# | `Y`, data | (N, d) | | |
# | `threshold`, η | a number | | |
#
# `reconstruction_error(X, Y)` of the library returns $R_{cv}$ and its gradient; you have written
# both in earlier exercises. There is no single right answer: the checker looks at your result.
# $R_{cv}$ must have fallen by at least a fifth, and no point may be outside.
#
# By hand: four points at 0, 1, 2, 3 rebuild the data 0, 1, 9, 10, with η = .4. The outermost density
# is $(1 + .607 + .135 + .011)/4 = .438$: allowed, with little to spare. The data are two pairs, so
# the points should move together in pairs: then each sees its partner, and all densities are near
# $(1 + 1)/4 = .5$.
#
# A way that works: look downhill, along `-gradient / np.abs(gradient).max()`. Try a move of length
# 1 in that direction; if it leads out of the domain, or up, try 1/2, 1/4, ... Accept the first move
# that does neither, and look again from there.


# %%
def stage(X, Y, threshold):
    """Latent points with a smaller R_cv, all inside, an array (N, q)."""
    # Some tens of moves. For each: error and gradient here, then lengths that
    # are halved until the candidate is inside (every point!) and lower. The
    # caller's X must stay as it is.
    ### BEGIN SOLUTION
    for _ in range(40):
        error, gradient = reconstruction_error(X, Y)
        for length in 0.5 ** np.arange(20):
            candidate = X - length * gradient / np.abs(gradient).max()
            t = np.sum((candidate[:, None] - candidate) ** 2, axis=2)
            inside = np.exp(-t / 2).mean(axis=1).min() >= threshold
            if inside and reconstruction_error(candidate, Y)[0] < error:
                X = candidate
                break
    return X
    ### END SOLUTION


# %%
report = check("homotopy_stage", stage)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("homotopy_stage")` and `reveal("homotopy_stage")` in
# a new cell do the same.
#
# ## What you have built
#
# The whole homotopy is your stage, called seven times with the paper's thresholds. The data are two
# waves of sixty points, one of height 0.7 and one of height 1; the start is their first principal
# component, shrunk almost to a point.
#
# **Predict** At η = .5 the curve must be short. How many bends will it have there, and how many
# in the end? Will both waves be found?


# %%
def unfolded(height):
    """Data of a wave, the true places t, the latent points of each stage."""
    random = np.random.default_rng(0)
    t = np.sort(random.uniform(size=60))
    Y = np.stack([3 * t, height * np.sin(3 * np.pi * t)], axis=1)
    Y += 0.05 * random.normal(size=(60, 2))
    ends, X = {}, 0.1 * scales.normalised(starts.pca(Y, 1))
    for threshold in PAPER_THRESHOLDS:
        X = ends[threshold] = stage(X, Y, threshold)
    return Y, t, ends


# %%
if report.passed:
    waves = {height: unfolded(height) for height in (0.7, 1.0)}
    for height, (Y, t, ends) in waves.items():
        errors = [reconstruction_error(X, Y)[0] for X in ends.values()]
        order = metrics.order_recovered(ends[0.005], t)
        lower, found = bool((np.diff(errors) < 0).all()), bool(order > 0.99)
        print(
            f"height {height}: each stage lower: {lower}, order of the points "
            f"found: {found}"
        )

# %%
text = (
    "Two rows, the waves of height 0.7 and 1. At a threshold of 0.5 a short, "
    "almost straight curve; at 0.25 it has one bend; at 0.1 it reaches the "
    "outer arcs. In the end the lower wave is followed from end to end, the "
    "higher one has both of its ends laid down the wrong way round."
)
if report.passed:
    figure, axes = figures.blank(2, 4, size=(12, 5.2))
    for row, (height, (Y, t, ends)) in zip(
        axes.reshape(2, 4), waves.items(), strict=True
    ):
        for ax, threshold in zip(row, (0.5, 0.25, 0.1, 0.005), strict=True):
            figures.data(ax, Y, t, title=f"height {height}, η = {threshold}")
            figures.manifold(ax, ends[threshold], Y)
    display(figures.show(figure, text))

# %% [markdown]
# The curve grows like a plant: first its length, then its bends, one after the other. The threshold
# decides how many bends it can afford. And it never looks back. In the higher wave the ends of the
# curve reach the outer arcs at η = .1, and put their slopes in the wrong order. From then on every
# stage lowers the error, but none repairs the order, because latent points would have to pass each
# other on a line. We tried four different stages (yours may be a fifth), halving or RPROP, with and
# without a barrier: they all found the lower wave and lost the ends of the higher one.
#
# **To think about**: which step of the paper's scheme, before the homotopy, could have saved the
# higher wave?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 17](17_pca_wins.ipynb), or back to [lesson 08](../notebooks/08_starts_and_scales.ipynb).
