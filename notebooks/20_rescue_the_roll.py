# %% [markdown]
# # Rescue the roll: what two maps repair
#
# The latent points of a Swiss roll are lost in noise. How much comes back, how fast, and which map
# brings it back?
#
# **Afterwards you can**
#
# - improve coordinates that you do not trust, and judge whether they improved;
# - say which of the two maps does the rescue, and why;
# - say when a rescue fails, and why one draw tells little;
# - write a perceptron with its Jacobian, and find a wrong sign by finite differences.
#
# **You need** [unit 19](19_alternation.ipynb) (the alternation). **Time** 19 minutes. **Contents**
# A useless log · Rescue the roll · Which map does it? · When it fails · Perceptrons · Key points

# %%
import numpy as np

from ukrlearn import ParametricDRUR, datasets, figures, metrics
from ukrlearn.blocks import networks
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation

predict = predictions("20_rescue_the_roll")


def roll(noise, seed=0, N=1000):
    """Data, true coordinates, and true coordinates with noise."""
    Y, t = datasets.swiss_roll(N, length=90.0, height=50.0, random_state=seed)
    return (
        Y,
        t,
        t + noise * np.random.RandomState(seed + 1).normal(size=t.shape),
    )


# %%
review("20_rescue_the_roll")  # questions from earlier lessons

# %% [markdown]
# ## A useless log (4 minutes)
#
# The wheels of the camera slip more and more. This time there are 500 pictures, and a log that is
# off by four tenths of the rail. Would you throw it away?

# %%
pictures, rail = datasets.camera_on_a_rail(500, random_state=0)
log = (rail + 0.4 * np.random.RandomState(1).normal(size=500))[:, None]
camera = ParametricDRUR(
    1, init=log, n_basis=20, penalty=1e-3, max_iter=10
).fit(pictures)

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(8.4, 3.2))
figures.order(ax, log, rail, title="The log of 500 pictures")
ax.set(xlabel="true position", ylabel="position in the log")
figures.show(
    figure,
    "Logged over true positions: a cloud that hardly rises from left to "
    "right.",
)

# %% tags=["nbval-ignore-output"]
predict(
    "log",
    "$R^2$ is the share of the variance of the true positions that the latent "
    "points explain. The log has .39. What will ten rounds of DRUR reach?",
    options=[
        "less than the log",
        "about the same as the log",
        "about .6",
        "above .9",
    ],
    answer="above .9",
    because=(
        "The errors of the log have nothing to do with the pictures, so they "
        "average out."
    ),
    tempts=[
        "A fit to bad positions might make them worse, but ask whether their "
        "errors have anything to do with the pictures.",
        "A bad start usually gives a bad result, but a smooth map cannot "
        "follow errors that differ between like pictures.",
        "Some repair sounds plausible, but count the pictures over which the "
        "errors average.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
before, after = (
    metrics.procrustes_r2(x, rail) for x in (log, camera.embedding_)
)
print(f"R²: log {before:.2f}, after ten rounds {after:.3f}")

# %% tags=["aside"]
assert before < 0.45 and after > 0.9

# %% [markdown]
# To see why, we take data that can be drawn: the *Swiss roll*, a sheet 90 long and 50 high, rolled
# up one and a half times. There are 1000 points with three numbers each. We know their true
# coordinates $t$ on the sheet, because we made the data. The start is $t$ plus Gaussian noise with
# a given standard deviation. The paper's 10 is a fifth of the shorter side; 60 is more than that
# side.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over twice twenty other draws the medians of $R^2$ were .99 and .98. In 36 of these forty the
# order of the pictures was right (a rank correlation above .95).
#
# </details>

# %% [markdown]
# ## Rescue the roll (5 minutes)
#
# Two numbers judge a result $X$. $R^2$ does not change with a rotation, a reflection or the scale
# of $X$. The *order* is the rank correlation of a coordinate with the true one, for the worse of
# the two coordinates. It allows stretching, but not swapped points.
#
# The panel stands at the start, with noise 20. On the left are the latent points, coloured in
# stripes by their true place along the roll. On the right are the data. *Play* the rounds.

# %% tags=["nbval-ignore-output"]
predict(
    "noise-20",
    "How many rounds does it take until the stripes are back (R² above .99)?",
    options=["1", "about 5", "more than 10", "they do not come back"],
    answer="1",
    because=(
        "F averages the noise out, because noise has nothing to do with the "
        "data."
    ),
    tempts=[
        "A few rounds sound right for an alternation, but ask what the first "
        "F does to noise.",
        "So much noise seems to need many rounds, but ask what the first F "
        "does to it.",
        "The start shows hardly any stripes, but on average it still holds "
        "the truth.",
    ],
)

# %% tags=["nbval-ignore-output"]
predict(
    "noise-60",
    "And with noise 60, where the start looks like one cloud: what is left "
    "after ten rounds?",
    options=[
        "both orders above .95",
        "only the order along the roll, the longer side",
        "a cloud, as in the start",
        "the roll, still rolled up",
    ],
    answer="both orders above .95",
    because=(
        "The truth is still in the start, since the noise has mean zero "
        "everywhere on the roll."
    ),
    tempts=[
        "The longer side stands out more against the noise, but F averages "
        "over as many points for both sides.",
        "The start looks like a cloud, but at each place of the roll the mean "
        "over many points is near the truth.",
        "The data are rolled up, but the start, noisy as it is, comes from "
        "the unrolled sheet.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import RescueTheRoll

panel = RescueTheRoll(*roll(0)[:2])
panel

# %% tags=["nbval-ignore-output"]
probe, t = panel.copy(), roll(0)[1]
rescued = {}
for noise in (10, 20, 60, 80):
    for k in (0, 1, 10):
        X = probe.set(noise=noise, frame=k).latent_points()
        rescued[noise, k] = (
            metrics.procrustes_r2(X, t),
            metrics.orders_recovered(X, t).min(),
        )
    shown = ", ".join(f"{rescued[noise, k][0]:.4f}" for k in (0, 1, 10))
    print(f"noise {noise}: R² {shown} (start, rounds 1 and 10)", end="; ")
    print(f"order {rescued[noise, 0][1]:.2f} to {rescued[noise, 10][1]:.3f}")

# %% tags=["aside"]
assert rescued[20, 0][0] < 0.6 < 0.99 < rescued[20, 1][0]
assert rescued[60, 0][1] < 0.5 and rescued[60, 10][1] > 0.95

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# One round. At noise 60 both orders come back, with a bent outline, and in this draw even at 80.
# The latent points come close to the size of the *true* sheet, because the noise is gone.
#
# The dashed rectangle in the panel is the true sheet, turned and scaled to fit. Thin lines lead
# from *defects*, points far from their true place, to that place. The net on the right is the image
# of the true sheet under $f$, and you can turn it. The curve below shows how far $R^2$ is below
# one, up to the present round. Point at a point to read its error.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# At noise 60, both orders came back in 9 of ten draws of 1000 points.
#
# </details>

# %% [markdown]
# ## Which map does it? (3 minutes)
#
# Without any round, `max_iter=0`, the library only fits the maps to the start. So we can look at
# $F(Y)$ alone. With noise 60 the start has an $R^2$ of .12, and after ten rounds it is .97.

# %% tags=["nbval-ignore-output"]
predict(
    "second-map-alone",
    "Which $R^2$ does $F(Y)$ have, with $F$ fitted to the start and nothing "
    "moved?",
    number=True,
    answer=0.94,
    within=0.1,
    because=(
        "F has 30 basis functions for 1000 points, and a width larger than "
        "the roll: it cannot follow the noise of single points, so it "
        "averages over many."
    ),
    hides=1,
)

# %% tags=["nbval-ignore-output"]
Y, t, X_60 = roll(60)
size = np.sqrt(Y.var(axis=0).sum())
only_F = ParametricDRUR(init=X_60, max_iter=0).fit(Y).F_
# networks are fitted to data of size one
F_of_Y = only_F((Y - Y.mean(axis=0)) / size)
for name, X in (("start", X_60), ("F(Y)", F_of_Y)):
    print(f"{name:5} R² {metrics.procrustes_r2(X, t):.3f}")
print(
    f"width of the basis functions of F: {only_F.width * size:.0f}, of the "
    "roll: 25"
)

# %% tags=["aside"]
assert metrics.procrustes_r2(F_of_Y, t) > 0.9 and only_F.width * size > 50

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The basis functions of $F$ are much wider than the roll, which is 25 across, so $F$ averages over
# many points. Most of the rescue is due to $F$; the rounds raise $R^2$ from .94 to .97. With good
# starts they matter more: at noise 20 $F$ alone reaches .983, and one round .997.
#
# </details>

# %% [markdown]
# The rescue is easy because the start contains the truth: everywhere on the roll the noise has mean
# zero. Where neighbours are wrong in the *same* way, nothing averages out. [Unit
# 21](21_who_does_it_better.ipynb) shows such starts.
#
# ## When it fails (1 minute)
#
# An average needs many points. Here is the same noise 60 with fewer of them.

# %% tags=["nbval-ignore-output"]
predict(
    "fewer-points",
    "With 1000 points 18 of 20 rolls come back into order (both orders above "
    ".95). How many of 20 come back with 300 points?",
    number=True,
    answer=6,
    within=3,
    because=(
        "An average over fewer points keeps more of the noise. One draw of "
        "300 points says little."
    ),
)

# %% [markdown]
# The library can also begin with a stiff $f$, one of very wide basis functions, for ten rounds
# (`coarse=10`). This is meant for poor starts. It made no difference with 1000 points, and did harm
# with fewer; leave it off ([appendix](appendix_drur.ipynb)).

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over twenty draws both orders came back in 18 rolls of 1000 points, in 14 of 400 and in 6 of 300.
# The medians of $R^2$ were .97, .95 and .87. With 300 points $R^2$ ranged from .48 to .99. The
# stiff start was compared over twenty draws as well.
#
# </details>

# %% [markdown]
# ## Perceptrons (6 minutes)
#
# The maps need not be radial basis functions. A *perceptron* with one hidden layer of $M$ units is
# a sum of $M$ smooth steps, each along one direction of its input:
#
# $$f(x) = W_2\, \sigma(W_1 x + b_1) + b_2 \tag{18}$$
#
# Here $\sigma$ is not a width but a smooth step, $\sigma(a) = 1 / (1 + e^{-a})$, for each hidden
# unit. (In the code points are rows, and $W_1 x$ is `x @ W1`.) **The paper prints $\sigma$ without
# the minus.** As a step, $1/(1 + e^a)$ is just as good; it only falls instead of rising. But
# Gauss-Newton needs the slopes,
#
# $$J(x) = W_2\, \mathrm{diag}\bigl(\sigma'(W_1 x + b_1)\bigr)\, W_1, \tag{20}$$
#
# and everybody computes them with $\sigma' = \sigma (1 - \sigma)$.

# %%
random = np.random.RandomState(0)
W1, b1 = random.normal(size=(2, 5)), random.normal(size=5)
W2, b2 = random.normal(size=(5, 3)), random.normal(size=3)
x = random.normal(size=(30, 2))


def by_matrices(x, sign=-1):
    """(18) and (20) for all rows; sign=+1 is the misprint."""
    s = 1 / (1 + np.exp(sign * (x @ W1 + b1)))
    f = s @ W2 + b2  # (18)
    J = np.einsum("nh,hd,qh->ndq", s * (1 - s), W2, W1)  # (20)
    return f, J


# %%
from ukrlearn.explicit import drur as loops

f, J = by_matrices(x)
layers = [part.tolist() for part in (W1, b1, W2, b2)]
in_loops = [
    loops.perceptron_with_jacobian(row, *layers)[1] for row in x.tolist()
]
library = networks.Perceptron(W1, b1, W2, b2).with_jacobian(x)[1]
print(
    "loops, matrices and library:",
    np.allclose(in_loops, J) and np.allclose(library, J),
)

# %% tags=["nbval-ignore-output"]
predict(
    "sigmoid",
    "If you type in the misprint as it stands, how is the Jacobian wrong?",
    options=[
        "it is not wrong: $\\sigma (1 - \\sigma)$ is the same for both signs",
        "its sign is wrong everywhere",
        "its sign is wrong where $W_1 x + b_1$ is negative",
        "it is too small by a constant factor",
    ],
    answer="its sign is wrong everywhere",
    because="σ(1 - σ) is the same for both signs, but the step now falls.",
    tempts=[
        "The product σ(1 - σ) is the same for both signs, but the step that "
        "it belongs to is not.",
        "The misprint changes a sign in the exponent, but compare the slopes "
        "of the two steps on both sides of zero.",
        "A missing factor is a usual mistake in a Jacobian, but compare the "
        "directions in which the two steps run.",
    ],
    hides=1,
)

# %%
for name, sign in (("as meant", -1), ("as printed", 1)):
    f, J = by_matrices(x, sign)
    h = 1e-6 * np.array([1.0, 0.0])  # a small step along the first input
    slope = (by_matrices(x + h, sign)[0] - by_matrices(x - h, sign)[0]) / 2e-6
    print(
        f"{name:11} J is the slope:",
        np.allclose(J[..., 0], slope, atol=1e-6),
        end=", ",
    )
    print(f"minus the slope: {np.allclose(-J[..., 0], slope, atol=1e-6)}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# With the misprint each Gauss-Newton step would go the wrong way. Finite differences reveal such
# a mistake.
#
# </details>

# %% [markdown]
# Unlike (16), the fit of a perceptron has no closed form. It is a descent (here L-BFGS, [lesson
# 07](07_going_down.ipynb)) on the squared error. The chain rule, applied to (18) from back to
# front, gives the gradient; this is *backpropagation*. The fit has local minima. After each
# projection the library continues from the previous weights, and `ParametricDRUR(model="mlp")` does
# it all.
#
# ## Key points
#
# - Two maps repair errors of a start that are *independent of the data*, mostly by $F$ alone, and
#   mostly in the first round.
# - A rescue needs many points; a stiff map at the beginning does not help.
# - Judge a result by $R^2$ and by the order, over several draws, not by the objective.
# - Perceptrons (18) can replace radial basis functions. Check their Jacobian (20), and the sign of
#   the sigmoid, by finite differences.
#
# **Notation**

# %%
notation.table(
    "Y", "X", "N", "f", "F", "J", "penalty", "n_basis", paper="drur"
)

# %% [markdown]
# **Covered** (18), (20), figure 6; used: (16).
#
# **Further**
#
# - Before: [the alternation](19_alternation.ipynb). After: [who does it
#   better?](21_who_does_it_better.ipynb), on autoencoders (19), folds, and the penalty.
# - In the [appendix](appendix_drur.ipynb): clumps and holes, rotated sevens, the claims of the
#   paper.
# - In the library: `ParametricDRUR`; `drur.alternation`, which yields round after round;
#   `networks.Perceptron`. In loops: `explicit.drur.perceptron`, `perceptron_with_jacobian`.
