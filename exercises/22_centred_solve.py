# %% [markdown]
# # Exercise 22: the weights of a network
#
# Once centres and width are chosen, one linear system gives a network of radial basis functions.
# You set up the system so that it stays accurate and solves the right problem.
#
# **Afterwards you can** fit a network with a penalty and a constant, for any number of outputs at
# once, and say what a misprint in the paper would have changed.
#
# **You need** [unit 19](../notebooks/19_alternation.ipynb), equations (13) to (16) of [DRUR].
#
# **Time** 25 minutes.

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
# The network is $f(x) = W^T \varphi(x) + w$, with the basis functions
# $\varphi_m(x) = \exp(-|x - \mu_m|^2 / (2\sigma^2))$, (13). Let $\Phi_{nm} = \varphi_m(x_n)$ for
# all data, and $K_{mm'} = \varphi_m(\mu_{m'})$ for all pairs of centres. Find the weights $W$ and
# the constant $w$ that minimise
#
# $$|Y - \Phi W - 1 w^T|^2 + \lambda \operatorname{tr}(W^T K W). \tag{14}$$
#
# For any $W$, the best constant makes the mean residual zero,
#
# $$w = \frac1N \sum_n \bigl(y_n - W^T \varphi(x_n)\bigr), \tag{15}$$
#
# and with this constant only the *deviations* from the mean are left in (14). With $\Phi_c$, which
# is $\Phi$ minus the mean of each column, and $Y_c$ likewise, (16) becomes
#
# $$(\Phi_c^T \Phi_c + \lambda K)\, W = \Phi_c^T Y_c. \tag{16}$$
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `W`, weights | (M, d) |
# | `Y`, data | (N, d) | `w`, the constant | (d,) |
# | `centres`, $\mu_m$ | (M, q) | | |
# | `width`, σ | a number | | |
# | `penalty`, λ | a number | | |
#
# By hand: one centre and two points, one on the centre, one far away. Then $\Phi = (1, 0)^T$,
# $\Phi_c = (\frac12, -\frac12)^T$ and $K = 1$. Let the data be 4 and 0, so $Y_c = (2, -2)^T$, and
# $\lambda = \frac12$. (16) says $(\frac12 + \frac12)\, W = 2$, and (15) $w = 2 - \frac12 \cdot 2 = 1$. So
# $f$ is 3 at the first point and 1 at the second: halfway between the data and their mean.


# %%
def weights(X, Y, centres, width, penalty):
    """W and w of (15) and (16), arrays of shape (M, d) and (d,)."""

    # A function that gives the basis functions for any positions serves twice,
    # for Phi and K. Then the means over the points, the system (16), and the
    # constant (15). Return W, w.
    ### BEGIN SOLUTION
    def basis(x):
        return np.exp(
            -np.sum((x[:, None] - centres) ** 2, axis=2) / (2 * width**2)
        )

    Phi, K = basis(X), basis(centres)
    mean_phi, mean_y = Phi.mean(axis=0), Y.mean(axis=0)
    P = Phi - mean_phi
    W = np.linalg.solve(P.T @ P + penalty * K, P.T @ (Y - mean_y))
    return W, mean_y - mean_phi @ W
    ### END SOLUTION


# %%
report = check("centred_solve", weights)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("centred_solve")` and `reveal("centred_solve")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a camera that is better than its photographs. A handwritten seven is turned in
# steps of 4 degrees and photographed 90 times in very bad light: 16 x 16 pixels, so $d = 256$. Your
# function gets these photographs, and for each one its latent point, a place on a circle. Then its
# network draws the seven at 90 angles *between* those of the photographs. Only we know the true
# images at these angles.
#
# **Predict** Can the drawings be nearer to the truth than the photographs that the network was
# fitted to?

# %%
clean, degrees = datasets.rotated_digits(
    1, 180, label=7, n_pixels=16, random_state=0
)
X = np.stack(
    [np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))], axis=1
)
given, between = np.arange(0, 180, 2), np.arange(1, 180, 2)
photos = clean[given] + np.random.RandomState(0).normal(size=(90, 256))
CENTRES, WIDTH, PENALTY = X[::12], 0.4, 3.0


def drawn(x):
    """f at positions x: your W and w, from the photographs."""
    W, w = weights(X[given], photos, CENTRES, WIDTH, PENALTY)
    t = np.sum((x[:, None] - CENTRES) ** 2, axis=2)
    return np.exp(-t / (2 * WIDTH**2)) @ W + w


# %%
if report.passed:
    f = drawn(X[between])
    of_photos = np.mean((photos - clean[given]) ** 2) / clean.var()
    of_f = np.mean((f - clean[between]) ** 2) / clean.var()
    print(
        "mean squared error of a photograph, by the variance of pixels: "
        f"{of_photos:.1f}"
    )
    print(
        "of what your network draws at angles without a photograph:     "
        f"{of_f:.1f}"
    )

# %% tags=["aside"]
if report.passed:
    figure, axes = figures.blank(3, 1, size=(10, 4.2))
    rows = {"photograph": photos, "your f": f, "truth": clean[between]}
    for ax, (name, images) in zip(axes, rows.items(), strict=True):
        strip = np.hstack(images[:60:6].reshape(-1, 16, 16))
        with figures.style():
            ax.imshow(strip, cmap="gray_r", vmin=-1, vmax=1)
            ax.set(xticks=[], yticks=[], ylabel=name)
    text = (
        "Three rows of ten sevens, each turned further by 24 degrees. Above "
        "photographs, so speckled that one can hardly read them; in the "
        "middle what f draws between them, a soft but legible seven on a "
        "pale ground; below the truth. The mean squared error falls from "
        f"{of_photos:.1f} to {of_f:.1f} of the variance."
    )
    display(figures.show(figure, text))

# %% [markdown]
# You solved one 15 x 15 system with 256 right-hand sides. It knows nothing about strokes or
# rotation: it asks only that near latent points have similar images. That is enough to spread the
# light of 90 bad photographs over all angles. The noise has to fit through 15 basis functions, and
# most of it does not.
#
# **To think about**: replace $K$ by the identity matrix in your function, the misprint of the
# paper, and draw again (the check now names the misprint, so call `drawn` yourself). How much worse
# are the images? What does that say about judging a solver by how good its fit looks?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 23](23_gauss_newton.ipynb), or back to
# [unit 19](../notebooks/19_alternation.ipynb).
