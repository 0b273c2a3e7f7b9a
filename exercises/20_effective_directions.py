# %% [markdown]
# # Exercise 20: the effective number of directions
#
# How many directions are free when none is forbidden but their weights differ? One number answers,
# and you will meet it again where you do not expect it.
#
# **Afterwards you can** count unequal weights, compare powers of the affinity at different
# bandwidths, and say what t-SNE's "perplexity" is.
#
# **You need** [lesson 16](../notebooks/16_moving_together.ipynb), the section "Weights instead of a
# cut", with equation (17) of [SGD].
#
# **Time** 15 minutes.

# %%
import numpy as np
from IPython.display import display
from matplotlib.patches import Circle

from ukrlearn import datasets, figures, sgd
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
# A guided gradient weights direction $i$ by the power $\lambda_i^\nu$ of its eigenvalue. Only the
# ratios count, so turn the powers into shares that sum to one (17), and take the exponential of
# their entropy:
#
# $$p_i = \frac{\lambda_i^\nu}{\sum_k \lambda_k^\nu}, \qquad
# n = \exp\Bigl(-\sum_i p_i \log p_i\Bigr).$$
#
# | goes in | shape | comes out |
# |---|---|---|
# | `values`, eigenvalues in any order: none is negative, at least one is positive | (N,) | `n`, a number |
# | `nu`, 0 or more | a number | |
#
# There are two traps for a computer. First, $0 \log 0$ stands for its limit 0, so leave such shares
# out. Second, $0.0001^{200}$ is zero in floating point, so all powers may vanish if the eigenvalues
# are small. Divide them by the greatest one before you raise them; this changes no share. At
# $\nu = 0$ each eigenvalue counts the same, also one that is zero: leave out what is zero after the
# power, not before.
#
# By hand: eigenvalues 2 and 1, $\nu = 1$. The shares are 2/3 and 1/3, the entropy is
# $\frac23 \log \frac32 + \frac13 \log 3 = 0.637$, and $n = e^{0.637} = 1.89$: nearly two directions.
# With $\nu = 3$ the shares are 8/9 and 1/9, and $n = 1.42$.


# %%
def effective_number(values, nu):
    """exp(entropy) of the shares of values**nu, a number."""
    # The eigenvalues in units of the greatest, raised to nu. Their shares of
    # the sum. Those that are not zero. The exponential of minus the sum of p
    # log p.
    ### BEGIN SOLUTION
    weights = (values / values.max()) ** nu
    p = weights / weights.sum()
    p = p[p > 0]
    n = np.exp(-np.sum(p * np.log(p)))
    ### END SOLUTION
    return n


# %%
report = check("effective_directions", effective_number)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("effective_directions")` and `reveal("effective_directions")` in
# a new cell do the same.
#
# ## What you have built
#
# First, the purpose. The next cell shows the affinity of 150 points on a noisy helix at four
# bandwidths, and *your* number for powers from 0 to 100.
#
# **Predict** "Let $\nu$ begin at 10." How many directions does this power leave free at $h = 1$,
# and how many at $h = 0.05$?

# %%
helix, _ = datasets.noisy_helix(150, random_state=2)
spectra = {}
for h in (0.05, 0.2, 1.0, 5.0):
    values = np.linalg.eigvalsh(sgd.clustering_affinity(helix, h))
    spectra[f"h = {h}"] = np.maximum(values, 0)
if report.passed:
    for name, values in spectra.items():
        free = [effective_number(values, nu) for nu in (0, 1, 5, 10, 100)]
        print(
            f"{name:9} nu = 0, 1, 5, 10, 100:",
            ", ".join(f"{n:.0f}" for n in free),
        )

# %% [markdown]
# A power of 10 leaves 3 directions free, or 20. That is why the library asks for a number of
# directions and finds the power itself.
#
# Now something else. SNE lets point $i$ choose its neighbour with the probabilities (1), which are
# shares of $\exp(-|y_i - y_j|^2)^{1/h}$: shares of powers, with $\nu = 1/h$! So for these
# numbers *your* function says how many neighbours a point effectively has at the bandwidth $h$. t-SNE
# calls that the perplexity, asks you for one number (30, mostly), and gives each point the
# bandwidth that leads to it. Here the perplexity is 8, for a flower whose seeds are denser towards
# the centre:


# %%
def bandwidth(squared_distances, neighbors):
    """The h that gives a point so many effective neighbours, by bisection."""
    low, high = 0.001, 10.0
    for _ in range(30):
        h = np.sqrt(low * high)
        enough = (
            effective_number(np.exp(-squared_distances), 1 / h) > neighbors
        )
        low, high = (low, h) if enough else (h, high)
    return h


k = np.arange(1, 161)[:, None]
golden = np.pi * (3 - np.sqrt(5)) * k
# a sunflower
Y = 3 * k / 160 * np.column_stack([np.cos(golden), np.sin(golden)])
# the nearest 40
others = np.sort(np.sum((Y[:, None] - Y) ** 2, axis=2), axis=1)[:, 1:41]

# %%
if report.passed:
    h = np.array([bandwidth(row, neighbors=8) for row in others])
    print(f"8 neighbours for everyone: h from {h.min():.3f} to {h.max():.3f}")
    middle = np.median(h)
    seen = [effective_number(np.exp(-row), 1 / middle) for row in others]
    print(
        f"h = {middle:.3f} for everyone: from {min(seen):.1f} to "
        f"{max(seen):.1f} neighbours"
    )

# %% tags=["aside"]
if report.passed:
    figure, (left, right) = figures.blank(1, 2, size=(11, 4.2))
    nu = np.geomspace(0.1, 100, 40)
    curves = {
        name: [effective_number(v, power) for power in nu]
        for name, v in spectra.items()
    }
    labels = {"across": "power ν", "up": "effective number of directions"}
    figures.lines(
        left, nu, curves, title="Your n for the helix", log="xy", **labels
    )
    figures.data(right, Y, np.sqrt(h), title="Everyone has 8 neighbours")
    for center, radius in zip(Y[::3], np.sqrt(h[::3]), strict=True):
        right.add_patch(
            Circle(center, radius, fill=False, color="#55606c", lw=0.8)
        )
    right.autoscale_view()
    text = (
        "Left: n falls from 150 to 8, 4, 1 and 1 at ν = 100, the later the "
        "smaller h is. Right: a flower of 160 points with circles of radius "
        "√h, small in the middle and large outside."
    )
    display(figures.show(figure, text))

# %% [markdown]
# The circles have the radius $\sqrt h$. Every point sees as many neighbours as every other one,
# both in the crowded middle and at the rim. A single bandwidth would isolate some points and blur
# others. SNE with one h for all points, as in (1), has that problem, and so has the affinity (12),
# which divides by row sums to reduce it.
#
# So the number of free directions and the number of neighbours are one function of different
# numbers. Ecologists use it too, to say how many species a forest effectively has when most of its
# trees are oaks. Each time it is the exponential of an entropy, and it counts unequal things.
#
# **To think about**: 16 directions have equal eigenvalues, and then each direction splits into a
# strong and a weak one, with nine tenths and one tenth of the share. By which factor does $n$ grow?
# Does it matter that there were 16?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 21](21_rbf_jacobian.ipynb), or back to
# [lesson 16](../notebooks/16_moving_together.ipynb).
