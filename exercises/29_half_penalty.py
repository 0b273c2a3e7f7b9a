# %% [markdown]
# # Exercise 29: a start with the right penalty
#
# A principal manifold begins near the principal plane. You compute its first coefficients, and find
# a misprint on the way.
#
# **Afterwards you can** set the slope of a penalised mean to zero without losing a factor, and test
# a printed formula by the objective that it claims to minimise.
#
# **You need** [lesson 23](../notebooks/23_principal_manifolds.ipynb), equations (13), (17) and (35)
# of [RPM].
#
# **Time** 20 minutes.

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
# The manifold is $f(z) = \sum_j \alpha_j\, k(z_j, z)$ with $M$ nodes $z_j$ in latent space, for
# data with mean zero. It should begin near the plane of the first $q$ principal components. The
# columns of $V$ are their directions, each times twice the standard deviation along it. With the mean $z_0$
# of the nodes, node $i$ *aims* at the point $V(z_i - z_0)$ of the plane. With squared cost the
# start minimises
#
# $$\frac1M \sum_{i=1}^M |V(z_i - z_0) - f(z_i)|^2 + \lambda Q[f], \tag{35}$$
#
# where
#
# $$Q[f] = \tfrac12 \|Pf\|^2 \tag{13}$$
#
# $$\|Pf\|^2 = \sum_{i,j} \langle \alpha_i, \alpha_j \rangle\, k(z_i, z_j). \tag{17}$$
#
# The paper says that $\alpha$ solves $(\tfrac\lambda2 \mathbf{1} + K_z)\, \alpha = V(Z - Z_0)$,
# with the identity matrix $\mathbf{1}$, the matrix $(K_z)_{ij} = k(z_i, z_j)$, and the aims as rows
# of the right-hand side. Is that so? Derive the system from (35), and return its solution.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `nodes`, $z_i$ | (M, q) | `alpha`, the coefficients | (M, d) |
# | `V`, the plane | (d, q) | | |
# | `K`, $k(z_i, z_j)$ | (M, M) | | |
# | `penalty`, λ | a number | | |
#
# By hand: the nodes 0 and 4, $V = (3, 1)^T$, $\lambda = 2$ and $K = \begin{pmatrix} 3 & 1 \\ 1 & 3
# \end{pmatrix}$. The aims are (-6, -2) and (6, 2). The two nodes are mirror images, so $\alpha$ is
# $s$ times the aims, and $f(z_i)$ is $2s$ times the aims. Each aim has the square 40, and (35) is
# $40\,(1 - 2s)^2 + 160\, s^2$. The printed system gives $s = 1/3$ and the value $22.2$. Which $s$
# is best?


# %%
def start_coefficients(nodes, V, K, penalty):
    """α that minimises (35), an array of shape (M, d)."""
    # The aims, one row for each node. The matrix that multiplies α once the
    # slope of (35) is zero, with every factor. Solve.
    ### BEGIN SOLUTION
    M = len(nodes)
    aims = (nodes - nodes.mean(axis=0)) @ V.T
    return np.linalg.solve(K + penalty * M / 2 * np.eye(M), aims)
    ### END SOLUTION


# %%
report = check("half_penalty", start_coefficients)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("half_penalty")` and `reveal("half_penalty")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a start that does not care how many nodes there are. The data are 300 points near
# an arc, and the start is a curve along its first principal component, with 5 to 80 nodes on $[-1,
# 1]$, kernel width .5 and λ = 1. Beside it is the start that the paper has printed.
#
# **Predict** How does the length of the start grow with the number of nodes, with your factor and
# with the printed one?

# %%
Y = datasets.noisy_arc(300, random_state=0)[0]
Y = Y - Y.mean(axis=0)
values, axes = np.linalg.eigh(Y.T @ Y / len(Y))
V = 2 * np.sqrt(values[-1]) * axes[:, -1:]
NUMBERS = (5, 10, 20, 40, 80)
POSITIONS = np.linspace(-1, 1, 200)[:, None]


# %%
def kernel(z, nodes):
    return np.exp(-((z - nodes.T) ** 2) / (2 * 0.5**2))


def printed(nodes, V, K, penalty):
    """The system as it is printed."""
    return np.linalg.solve(
        K + penalty / 2 * np.eye(len(K)), (nodes - nodes.mean()) @ V.T
    )


# %%
def curve_of(M, coefficients):
    """The start with M nodes, at 200 positions, for λ = 1."""
    nodes = np.linspace(-1, 1, M)[:, None]
    return kernel(POSITIONS, nodes) @ coefficients(
        nodes, V, kernel(nodes, nodes), 1.0
    )


def length(curve):
    return np.sum(np.linalg.norm(np.diff(curve, axis=0), axis=1))


# %%
if report.passed:
    kinds = {"your factor": start_coefficients, "as printed": printed}
    lengths = {
        name: [length(curve_of(M, kind)) for M in NUMBERS]
        for name, kind in kinds.items()
    }
    for name, found in lengths.items():
        print(
            f"{name}: length",
            ", ".join(f"{x:.2f}" for x in found),
            "with",
            NUMBERS,
            "nodes",
        )
    plane = 2 * np.linalg.norm(V)
    print(f"the piece of the plane that the nodes aim at: {plane:.2f}")


# %%
def draw_starts(ax):
    """Starts with 5 and 80 nodes, with your factor and as printed."""
    figures.data(ax, Y, title="Starts, left to right as listed")
    starts = [(M, name) for name in kinds for M in (5, 80)]
    with figures.style():
        for place, (M, name) in enumerate(starts):
            curve = curve_of(M, kinds[name])
            label, color = f"{name}, M = {M}", figures.COLORS[place + 1]
            ax.plot(
                *(curve + [0.25 * place - 0.4, 0]).T, color=color, label=label
            )
        ax.legend(loc="upper right", fontsize=7)


# %% tags=["aside"]
if report.passed:
    assert lengths["as printed"][-1] > 1.2 * lengths["as printed"][0]
    figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.2))
    draw_starts(left)
    look = dict(
        title="Length of the start",
        across="nodes M",
        up="length",
        log="x",
        markers=True,
    )
    figures.lines(right, NUMBERS, lengths, **look)
    text = (
        "Left: an arc of points, and straight starts through its middle. "
        "Right: the length of the start over the number of nodes: with your "
        "factor it settles, as printed it grows."
    )
    display(figures.show(figure, text))

# %% [markdown]
# <details><summary><b>Check</b>: open this after you have predicted</summary>
#
# With your factor the length settles: (35) is a *mean* over nodes, and a mean does not grow with
# their number. The printed system weighs the same penalty against a sum, so each new node makes it
# weaker, and the start creeps towards the full length of the plane. Such misprints survive because
# every version looks plausible: one picture does not show that λ was 80 times too small.
#
# </details>
#
# **To think about**: (33) for the adaptation has $\lambda m / 2$, with the number of *data* $m$.
# Why is that right?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 30](30_channel_noise.ipynb), or back to
# [lesson 23](../notebooks/23_principal_manifolds.ipynb).
