# %% [markdown]
# # Exercise 4: the reconstruction error R
#
# One number says how well latent points fit their data. All learning in this course begins with it.
#
# **Afterwards you can** compute R for any latent points and data, and use it to put unnumbered
# things in order.
#
# **You need** [lesson 03](../notebooks/03_reconstruction_error.ipynb) up to equation (8) of [UKR],
# and [exercise 3](03_basis_weights.ipynb) for the matrix B.
#
# **Time** 15 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
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
# Rebuild each point $y_n$ (row of `Y`) at its own latent point $x_n$ (row of `X`), and take the mean
# over the points of the squared distances:
#
# $$R(X) = \frac1N \sum_{n=1}^N |y_n - f(x_n)|^2 = \frac1N \|Y - B\,Y\|_F^2. \tag{8}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `R` | a number |
# | `Y`, data | (N, d) | | |
#
# $\|\cdot\|_F^2$ is the sum of all squared entries; $B$ is the matrix of exercise 3, with the
# kernel $\exp(-|x_n - x_m|^2/2)$. Nothing is left out.
#
# By hand: latent points 0 and 2 with the data 10 and 20. The rows of B are (0.881, 0.119) and
# (0.119, 0.881), so the points are rebuilt as 11.19 and 18.81, both differ by 1.19, and
# $R = (1.19^2 + 1.19^2)/2 = 1.42$.


# %%
def error(X, Y):
    """R of (8), a number."""
    # The weights B of all points in all reconstructions, as in exercise 3. The
    # reconstructions of all points. The squares of all entries of the
    # residuals: return their sum over the number of points.
    ### BEGIN SOLUTION
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    B = K / K.sum(axis=1, keepdims=True)
    return np.sum((Y - B @ Y) ** 2) / len(Y)
    ### END SOLUTION


# %%
report = check("reconstruction_error", error)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("reconstruction_error")` and `reveal("reconstruction_error")` in
# a new cell do the same.
#
# ## What you have built
#
# Here are 16 pictures of one handwritten seven that is being turned, 256 pixels each, shuffled like
# a deck of cards. Give them the latent points 1, 2, ..., 16 in the shuffled order. Then reverse a
# stretch of the deck wherever that makes *your* R smaller, until no reversal helps any more. (If
# your function loops over every pixel, this may take half a minute.)
#
# **Predict** R compares pictures pixel by pixel and knows nothing about angles. Will the deck end
# up in the order of rotation?


# %%
def sort_by(error, deck, Y):
    """The decks on the way, as reversals of stretches lower the error."""
    places, decks = np.arange(1.0, len(deck) + 1)[:, None], [deck]
    errors = [error(places, Y[deck])]
    stretches = [
        (i, j) for i in range(len(deck)) for j in range(i + 2, len(deck) + 1)
    ]
    better = True
    while better:
        better = False
        for i, j in stretches:
            other = np.concatenate(
                [decks[-1][:i], decks[-1][i:j][::-1], decks[-1][j:]]
            )
            if (e := error(places, Y[other])) < errors[-1] * (1 - 1e-9):
                decks, errors, better = [*decks, other], [*errors, e], True
    return decks, errors


# %%
Y, angle = datasets.rotated_digits(1, 16, random_state=0)
shuffled = np.random.RandomState(1).permutation(16)
if report.passed:
    decks, errors = sort_by(error, shuffled, Y)
    print("angles at first:", *angle[decks[0]].astype(int))
    print("angles at last: ", *angle[decks[-1]].astype(int))
    print(
        f"R fell from {errors[0]:.2f} to {errors[-1]:.2f} in {len(decks) - 1} "
        "reversals."
    )

# %% tags=["aside"]
if report.passed:
    shown = [0, (len(decks) - 1) // 2, len(decks) - 1]
    figure, axes = figures.blank(3, 1, size=(9.5, 3.0))
    for ax, k in zip(axes, shown, strict=True):
        ax.imshow(np.hstack(Y[decks[k]].reshape(-1, 16, 16)), cmap="gray_r")
        ax.set_axis_off()
        ax.set_title(f"after {k} reversals: R = {errors[k]:.2f}", fontsize=10)
    text = (
        "Three rows of 16 sevens. Shuffled: R = %.1f. Half sorted: %.1f. "
        "Turning steadily: %.1f."
    )
    display(figures.show(figure, text % tuple(errors[k] for k in shown)))

# %% [markdown]
# In the last row the seven turns by 22.5 degrees from picture to picture (the printed angles are
# rounded down to whole degrees). Nobody compared angles: with wrong neighbours a picture is rebuilt
# as a blur, and R notices. Chance decides where the row begins and in which direction it runs,
# since R hardly depends on either. We tried 20 shuffles of four different sevens each, and 79 of
# the 80 decks ended in the order of rotation.
#
# This search is slow, and it may get stuck in an order that no single reversal improves, as
# happened once. With 300 points it would be hopeless. Gradients do better, and you will write them
# from exercise 9 on.
#
# **To think about**: the pictures lie on a closed ring, the places 1 to 16 on a line. Which two
# pictures are true neighbours, but not neighbours here? And what would happen to R if the places
# were 10, 20, ..., 160? The next exercise makes use of that.
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 5](05_break_it.ipynb), or back to
# [lesson 03](../notebooks/03_reconstruction_error.ipynb).
