# %% [markdown]
# # Exercise 9: the gradient, pair by pair
#
# Which way must a latent point go? Every other point has a say. You compute what the two points of
# each pair do to each other, and add it up.
#
# **Afterwards you can** write the gradient of the reconstruction error as a sum over pairs, and read
# it as springs that pull and push.
#
# **You need** [lesson 06](../notebooks/06_gradient.ipynb) up to equations (29) and (30) of [UKR].
#
# **Time** 25 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import figures
from ukrlearn.checks import (
    check,
    hint,
    progress,
    restore_work,
    reveal,
    save_work,
)
from ukrlearn.ukr.reconstruction import weight_matrix

# %% [markdown]
# ## The task
#
# The weights are given this time: $B_{nm}$ is the weight of point $m$ in the reconstruction of
# point $n$, and its rows sum to one. With $f_n = \sum_m B_{nm}\, y_m$, three things follow in turn:
#
# $$M_{nm} = (f_n - y_n) \cdot y_m \tag{24}$$
#
# $$Q_{nm} = P_{nm} \Bigl(M_{nm} - \sum_l M_{nl} B_{nl}\Bigr) \tag{30}$$
#
# $$\frac{\partial R}{\partial x_j} = \frac2N \sum_m (x_m - x_j)\,(Q_{jm} + Q_{mj}) \tag{29}$$
#
# The kernel is the Gaussian, so $P = B$, (35). $B$ already takes care of points that are left
# out: its diagonal is zero for (10), and it is not for (8).
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `X`, latent points | (N, q) | `gradient`, a row for each point | (N, q) |
# | `Y`, data | (N, d) | `Q`, a number for each pair | (N, N) |
# | `B`, weights | (N, N) | | |
#
# By hand: three latent points in an equilateral triangle, data 0, 0 and 6, weights 1/2 for both
# others. Then $f = 3, 3, 0$, the residuals are $3, 3, -6$, and the first row of $M$ is $0, 0, 18$.
# Its weighted mean is 9, so the first row of $Q$ is $0, -4.5, 4.5$. The second is $-4.5, 0, 4.5$,
# the third is 0. Point 1 gets $\frac23$ of $-9\,(x_2 - x_1) + 4.5\,(x_3 - x_1)$. Downhill, against
# the gradient, point 1 goes towards point 2, which has the same data, and away from point 3.
#
# First $Q$. Loops are welcome.


# %%
def pair_numbers(Y, B):
    """Q of (30), an array of shape (N, N)."""
    Q = np.zeros(B.shape)
    # For each point n: its residual; the products of that with all data
    # points; their mean, weighted by row n of B; then Q[n, m] for every m.
    ### BEGIN SOLUTION
    for n in range(len(Y)):
        residual = B[n] @ Y - Y[n]
        products = [residual @ y for y in Y]
        mean = sum(
            b * product for b, product in zip(B[n], products, strict=True)
        )
        for m in range(len(Y)):
            Q[n, m] = B[n, m] * (products[m] - mean)
    ### END SOLUTION
    return Q


# %% [markdown]
# Then the gradient, which uses your $Q$. You hand in both.


# %%
def gradient_by_points(X, Y, B):
    """The gradient (29), an array of shape (N, q), and Q."""
    Q = pair_numbers(Y, B)
    gradient = np.zeros(X.shape)
    # For each point j: go through all points m, and add up the difference from
    # j to m times what the pair says in both directions. Mind the factor
    # before the sum.
    ### BEGIN SOLUTION
    for j in range(len(X)):
        for m in range(len(X)):
            gradient[j] += 2 / len(X) * (X[m] - X[j]) * (Q[j, m] + Q[m, j])
    ### END SOLUTION
    return gradient, Q


# %%
report = check("gradient_by_points", gradient_by_points)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("gradient_by_points")` and `reveal("gradient_by_points")` in
# a new cell do the same.
#
# ## What you have built
#
# When the check has passed, *your* $Q$ becomes a system of springs. Twenty points form a lattice,
# and so do their latent points, except one: it was put near a corner where it does not belong. The
# springs know only $Q$. **Predict** Where will the lost point be pulled: to its nearest neighbours,
# to the middle, or home?

# %%
cells = np.array([[i, k] for i in range(5) for k in range(4)], dtype=float)
Y, home = cells, 1.3 * cells  # two coordinates are rebuilt from two
lost = 5
X = home.copy()
X[lost] = 1.3 * np.array([3.5, 2.5])


def walk(moves=20):
    """Where the lost point goes if it alone follows minus your gradient."""
    here, places = X.copy(), [X[lost]]
    for _ in range(moves):
        gradient, _ = gradient_by_points(here, Y, weight_matrix(here))
        here[lost] -= 5 * gradient[lost]
        places.append(here[lost].copy())
    return np.array(places)


# %%
if report.passed:
    gradient, Q = gradient_by_points(X, Y, weight_matrix(X))
    way, places = home[lost] - X[lost], walk()
    cosine = (
        -gradient[lost]
        @ way
        / np.linalg.norm(gradient[lost])
        / np.linalg.norm(way)
    )
    away = np.linalg.norm(places - home[lost], axis=1)
    degrees = np.degrees(np.arccos(cosine))
    print(
        f"the force on the lost point deviates {degrees:.0f} degrees from home"
    )
    print(f"it stands {away[0]:.1f} from home; after 20 moves, {away[-1]:.1f}")

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(9, 4))
    figures.springs(left, X, -(Q + Q.T), title="Your springs")
    figures.latent(right, X, title="Twenty moves of one point")
    right.plot(*places.T, "o-", color=figures.COLORS[1], ms=4)
    right.plot(*home[lost], "*", color=figures.COLORS[2], ms=16)
    text = (
        "Left: long springs pull the lost point across the lattice, the "
        "corner beside it pushes; together, straight home. Right: it walks "
        f"from {away[0]:.1f} to {away[-1]:.1f} away from home."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Nobody told the point where it belongs. The corner, whose reconstruction it spoils, pushes it
# away; its own reconstruction asks for the company of points with similar data. Pair by pair, these
# wishes add up to a direction. And each spring acts equally on both of its ends, so the lattice as
# a whole neither drifts nor turns.
#
# **To think about**: every row of $Q$ sums to zero for the Gaussian kernel. Which part of (30)
# makes it so, and what does it mean for a point that has a single neighbour?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 10](10_gradient_matrix.ipynb), the same without loops, or back to
# [lesson 06](../notebooks/06_gradient.ipynb).
