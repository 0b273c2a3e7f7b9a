# %% [markdown]
# # Exercise 3: the weights as a matrix
#
# In unsupervised kernel regression the positions are the latent points themselves, and all weights
# together are one square matrix.
#
# **Afterwards you can** compute the matrix B of basis weights in three lines, say what its rows and
# columns mean, and rebuild all points with one product.
#
# **You need** [lesson 02](../notebooks/02_unsupervised.ipynb) (latent points that are not given),
# and [exercise 2](02_latent_density.ipynb) for the density. Equation (23), from the appendix of
# [UKR], is given below.
#
# **Time** 15 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
from ukrlearn.blocks.kernel_regression import latent_density
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
# Row $n$ of $B$ holds the weights with which point $n$ is rebuilt, one for each point $m$:
#
# $$B_{nm} = \frac{K(x_n - x_m)}{\sum_{l=1}^N K(x_n - x_l)}, \qquad
# K(x_n - x_m) = \exp\!\left(-\frac{|x_n - x_m|^2}{2}\right). \tag{23}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `B`, weights | (N, N) |
#
# There is no bandwidth: the scale of X is the bandwidth (lesson 02). Nothing is left out: point $n$
# helps to rebuild itself, with $K(0) = 1$.
#
# An example by hand: the latent points are 0 and 2. The kernel values are 1 and $e^{-2} = 0.135$,
# so both rows of K sum to 1.135, and
#
# $$K = \begin{pmatrix} 1 & 0.135 \\ 0.135 & 1 \end{pmatrix}, \qquad
# B = \begin{pmatrix} 0.881 & 0.119 \\ 0.119 & 0.881 \end{pmatrix}.$$
#
# With two points B is symmetric. With three it is not, and then it matters what you divide by. (The
# paper has points in columns: its B is the transpose of ours.)


# %%
def weight_matrix(X):
    """B of (23), an array of shape (N, N)."""
    # Compute the squared distances of all pairs, and turn them into kernel
    # values. Return these, each row divided by its own sum: look at the shape
    # of the sums before you divide.
    ### BEGIN SOLUTION
    t = np.sum((X[:, None] - X) ** 2, axis=2)
    K = np.exp(-t / 2)
    return K / K.sum(axis=1, keepdims=True)
    ### END SOLUTION


# %%
report = check("basis_weights", weight_matrix)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution**
# asks twice and then shows one. Without buttons, `hint("basis_weights")` and
# `reveal("basis_weights")` in a new cell do the same.
#
# ## What you have built
#
# `B @ Y` rebuilds all points at once. What if you rebuild the result again, and again? Rows of B
# are shares of one whole, so they can be read as *chances*: a wanderer stands at point n and jumps
# to point m with the chance $B_{nm}$. Then $B^k$ holds the chances after k jumps.
#
# **Predict** Where is the wanderer after very many jumps? Does it matter where the walk began?

# %%
Y, t = datasets.noisy_spiral(30, noise=0.03, random_state=17)
Y, X = Y[np.argsort(t)], 20 * np.sort(t)[:, None]
if report.passed:
    B = weight_matrix(X)
    after = {k: np.linalg.matrix_power(B, k) for k in (1, 10, 100, 100_000)}
    p = latent_density(X, X)  # exercise 2, at the points themselves
    for k, chances in after.items():
        print(
            f"after {k:6} jumps from the first point: {chances[0].max():.3f} "
            "at most"
        )
    print(
        "the same from every start:    ",
        np.allclose(after[100_000], after[100_000][0]),
    )
    print(
        "in proportion to the density: ",
        np.allclose(after[100_000][0], p / p.sum()),
    )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(9.5, 3.8))
    figures.data(left, Y, title="Rebuilt again and again")
    looks = zip(after.items(), figures.COLORS, figures.MARKERS, strict=False)
    for (k, chances), color, marker in looks:
        left.plot(
            *(chances @ Y).T,
            marker,
            linestyle="-",
            markersize=3,
            color=color,
            label=f"{k}",
        )
    left.legend(title="times", fontsize=8)
    curves = {f"{k}": chances[0] for k, chances in after.items() if k > 1}
    names = dict(
        title="Where is the wanderer?",
        across="latent coordinate x",
        up="chance",
    )
    figures.lines(right, X[:, 0], curves, **names)
    right.plot(
        X[:, 0],
        p / p.sum(),
        "o",
        markersize=4,
        color="black",
        label="density p",
    )
    right.legend(title="jumps", fontsize=8)
    text = (
        "Left: 1, 10, 100 times: the spiral shrinks to a dot. Right: the "
        "chances, 0.15 near the "
        "start at first, end as the density over its sum."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The curve shrinks every time, until all points coincide. And after very many jumps the walk has
# forgotten where it began: the chance to be at a point is its *density* (3), divided by the sum of
# all densities. The wanderer is often where the points are dense. So the limit of $B^k Y$ is a
# weighted mean of the data, with the densities for weights.
#
# **To think about**: $p_n B_{nm} = p_m B_{mn}$, whatever the latent points are. Why does that
# determine the long run? And which of the four matrices $K$, $B$, $B^T$, $B - I$ has rows that sum
# to zero?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one
# file, and `restore_work()` brings it back on another machine. Next: [exercise
# 4](04_reconstruction_error.ipynb), or back to [lesson 02](../notebooks/02_unsupervised.ipynb).
