# %% [markdown]
# # The alternation: two regressions, and a step for each point
#
# Fit both maps, move the points, and fit again. Each part is easy, and together the parts repair
# what nobody could repair by hand.
#
# **Afterwards you can**
#
# - fit a network of radial basis functions, and test whether its weights are the best ones;
# - write the whole method in ten lines;
# - say why the first map is fitted to $F(Y)$ and not to the start;
# - place new points in two ways, and choose between them.
#
# **You need** [unit 18](18_two_maps.ipynb) (two maps, Gauss-Newton) and [lesson
# 09](09_projection.ipynb) (new points). **Time** 24 minutes. **Contents** A slipping odometer · Two
# regressions · The whole method · New points · What it costs · Key points

# %%
import numpy as np

from ukrlearn import ParametricDRUR, datasets, drur, figures, metrics
from ukrlearn.blocks.networks import (
    basis,
    best_width,
    cluster_centres,
    fit_rbf,
)
from ukrlearn.blocks.units import Units
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation

predict = predictions("19_alternation")
pictures, rail = datasets.camera_on_a_rail(200, random_state=0)
log = (rail + 0.1 * np.random.RandomState(1).normal(size=200))[:, None]

# %%
review("19_alternation")  # questions from earlier lessons

# %% [markdown]
# ## A slipping odometer (3 minutes)
#
# The camera of unit 18 comes back with 200 pictures and a log of its positions. But its wheels have
# slipped: each entry is off by about a tenth of the rail, up or down. Nobody can repair the log by
# looking at it. The pictures help, because near positions give nearly the same picture. Principal
# components do not help: the first two wind the rail into a ring, twice around.

# %%
from sklearn.decomposition import PCA

# %% tags=["nbval-ignore-output"]
figure, axes = figures.blank(1, 2, size=(8.4, 3.6))
figures.order(axes[0], log, rail, title="The log")
axes[0].set(xlabel="true position", ylabel="position in the log")
figures.data(
    axes[1],
    PCA(2).fit_transform(pictures),
    rail,
    title="Two components of the pictures",
)
axes[1].set(xlabel="first component", ylabel="second component")
figures.show(
    figure,
    "Left: logged against true positions, a broad band along the diagonal. "
    "Right: the first two principal components of the pictures, coloured by "
    "true position: a ring that is run through nearly twice, so that most "
    "places on it hold two positions.",
)

# %% [markdown]
# ## Two regressions (7 minutes)
#
# Unit 18 held the maps fixed and moved the points. Now hold the points fixed, and fit the maps:
# this is supervised regression, twice. Each map is a sum of $M$ hills,
# $f(x) = \sum_m w_m \varphi_m(x) + w$, (13). The centres $\mu_m$ come from k-means on the inputs.
# Their width $\sigma$ comes from cross-validation in five folds: we take the width that best
# predicts the fifth of the points that is left out. The weights $W$ and the constant $w$ remain.
# They are the solution of a linear problem. Let $\Phi_{nm} = \varphi_m(x_n)$ and
# $K_{mm'} = \varphi_m(\mu_{m'})$. ($\Phi$ is not the features of unit 11, and $K$ does not compare
# data points as in lessons 14 to 17.) The regulariser is $R_f = \operatorname{tr} (W^T K W)$.
# Setting the derivative to zero gives the system on the right:
#
# $$\min_{W, w}\; |Y - \Phi W - 1 w^T|^2 + \lambda \operatorname{tr} (W^T K W), \qquad
# (\Phi^T \Phi + \lambda K)\, W = \Phi^T (Y - 1 w^T) \tag{14}$$
#
# $$w = \text{mean over } n \text{ of } \bigl(y_n - W^T \varphi(x_n)\bigr) \tag{15}$$
#
# and, with (15) inserted into (14),
#
# $$\Bigl(\Phi^T \Phi + \lambda K - \tfrac1N (\Phi^T 1)(\Phi^T 1)^T\Bigr) W =
# \Phi^T \bigl(I - \tfrac1N 1 1^T\bigr) Y \tag{16}$$
#
# The library first subtracts the mean from each column of $\Phi$, and then the last term on the
# left vanishes. On paper the two forms are equal. In the computer, the difference of two large and
# nearly equal matrices loses digits.
#
# **A misprint.** The paper defines the elements of its $G_{xx}$, our $K$, as $\varphi_m(\mu_m)$,
# with the same index twice. Taken literally, this is $\exp(0) = 1$ on the diagonal and nothing
# beside it: plain ridge regression, which does not minimise (14).


# %%
def fitted(inputs, outputs, penalty=1e-3, M=20):
    """A network of M radial basis functions, (13) to (16)."""
    centres = cluster_centres(inputs, M)
    return fit_rbf(
        inputs,
        outputs,
        centres,
        best_width(inputs, outputs, centres, penalty),
        penalty,
    )


Y = Units.by_distance(pictures).into(pictures)  # centred, with size one
X0 = Units.by_distance(log).into(log) / 2  # with size one half
f = fitted(X0, Y)
Phi, K = basis(X0, f.centres, f.width), basis(f.centres, f.centres, f.width)


# %%
def slope_and_error(W, penalty=1e-3):
    """The steepest slope of (14) in W, and the mean squared error."""
    residual = Y - Phi @ W
    residual = residual - residual.mean(axis=0)  # (15)
    slope = 2 * (penalty * K @ W - Phi.T @ residual)
    return np.abs(slope).max(), np.mean(np.sum(residual**2, axis=1))


# %% tags=["nbval-ignore-output"]
predict(
    "misprint",
    "You have solved the system for $W$ with one of the two readings of $K$. "
    "What reveals that it was the wrong one?",
    options=[
        "the error of the fit: it is several times as large",
        "the slope of (14) at $W$: it is not zero",
        "a plot of $f$: it does not follow the data",
        "nothing: with a small penalty the solutions are the same",
    ],
    answer="the slope of (14) at $W$: it is not zero",
    because=(
        "At a minimum the objective has no slope; the error of a wrong fit "
        "can look fine."
    ),
    tempts=[
        "A wrong system suggests a large error, but its solution fits the "
        "data nearly as well.",
        "A wrong curve should be visible, but both solutions are smooth and "
        "run near the data.",
        "At a small penalty the two solutions are close, but only one of them "
        "is a minimum.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
from sklearn.linear_model import Ridge

readings = {
    "kernel matrix": f.W,
    "ones on the diagonal": Ridge(alpha=1e-3).fit(Phi, Y).coef_.T,
}
found = {name: slope_and_error(W) for name, W in readings.items()}
for name, (slope, error) in found.items():
    print(
        f"{name:21} steepest slope {slope:.0e}, mean |y - f(x)|² {error:.4f}"
    )

# %% tags=["aside"]
assert (
    found["kernel matrix"][0] < 1e-5
    and found["ones on the diagonal"][0] > 1e-3
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# With the kernel matrix the slope is zero up to rounding; with the literal reading it is not,
# although the error is only 1 % larger. You would not see the difference in a plot.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over forty other draws the error of the literal reading was 1 to 10 % larger.
#
# </details>

# %% [markdown]
# ## The whole method (5 minutes)
#
# This is figure 1 of the paper. Take latent points from anywhere, here from the log; *adapt*, by
# two regressions; *project*, by $N$ small problems; repeat.


# %%
def alternated(X, rounds):
    """[DRUR] figure 1: the latent points of each round."""
    history = [X]
    for _ in range(rounds):
        f, F = fitted(X, Y), fitted(Y, X)  # adapt: (13) to (16)
        X = drur.project(f, X, Y, F(Y)).X  # project: (7), (12)
        history.append(X)
    return history


# %% [markdown]
# $R^2$ is the share of the variance of the true positions that the latent points explain, up to
# scale and direction. The log has .91. We run figure 1 as printed, and once more from $F(Y)$: we fit
# $F$ to the log, and replace the log by the values of $F$.

# %% tags=["nbval-ignore-output"]
predict(
    "rounds",
    "How many rounds from $F(Y)$ does it take until $R^2$ is above .99?",
    options=[
        "1",
        "about 5",
        "more than 8",
        "it stays below: the log's errors are in the fit",
    ],
    answer="1",
    because=(
        "The errors of the log have nothing to do with the pictures, so F "
        "averages them out."
    ),
    tempts=[
        "An alternation usually needs several rounds, but ask what is left to "
        "do once the first F has been fitted.",
        "Alternations are known for slow progress, but ask which errors of "
        "the log are still in $F(Y)$.",
        "The errors of the log do enter the fit, but a smooth map cannot "
        "follow errors that differ between like pictures.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
as_printed = alternated(X0, 5)
better_begun = alternated(fitted(Y, X0)(Y), 5)
for name, history in (("figure 1", as_printed), ("from F(Y)", better_begun)):
    scores = [metrics.procrustes_r2(X, rail) for X in history]
    print(f"{name:10} R²", "  ".join(f"{score:.4f}" for score in scores))

# %%
r2 = [
    metrics.procrustes_r2(X, rail)
    for X in (X0, as_printed[1], *better_begun[:2])
]

# %% tags=["aside"]
assert r2[0] < 0.93 and r2[0] < r2[1] < r2[3] and r2[3] > 0.99

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# One. $F(Y)$ alone has .98. An $f$ that is fitted to noisy *positions*, as in the first row, is too
# flat, and the method then stretches the points to make up for it. The second way is usually
# better, but not always.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over forty other draws the second way was better in 36 after one round (.996 against .983 in the
# median) and in 34 after five. On forty Swiss rolls of 300 points, it was better in 36 after one
# round and in 31 after eight.
#
# </details>

# %% [markdown]
# `ParametricDRUR` uses the second way. It also scales the data, and undoes the scaling at the end.
# *Full steps* is the share of Gauss-Newton steps that did not have to be halved.

# %% tags=["nbval-ignore-output"]
model = ParametricDRUR(
    1, init=log, n_basis=20, penalty=1e-3, max_iter=10, record=True
)
model.fit(pictures)
print("round   E of (1)   full steps     R²")
for k, step in enumerate(model.history_):
    r2 = metrics.procrustes_r2(step.X, rail)
    print(f"{k:4} {step.error:11.2f} {step.full_steps:11.0%} {r2:10.4f}")

# %% tags=["aside"]
assert metrics.procrustes_r2(model.embedding_, rail) > 0.995
assert model.history_[-1].error < 0.7 * model.history_[1].error

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 2, size=(8.4, 3.6))
for ax, x, title in (
    (axes[0], log, "The log"),
    (axes[1], model.embedding_, "After ten rounds"),
):
    figures.order(ax, x, rail, title=title)
    ax.set(
        xlabel="true position", ylabel="latent coordinate", ylim=(-0.3, 1.3)
    )
figures.show(
    figure,
    "Left: the log, a broad band. Right: the latent points after ten rounds, "
    "on a narrow line that is bent slightly inwards at both ends.",
)

# %% [markdown]
# The log is repaired. From the first round to the last, $E$ falls by two thirds and $R^2$ hardly
# changes: once more, a lower objective is not a better result. Nearly all Gauss-Newton steps are
# full ones.
#
# ## New points (6 minutes)
#
# A new picture $y$ has two possible places: $F(y)$, which costs one evaluation, and the minimum of
# (7), which Gauss-Newton finds from there. `transform` gives the second place, or the first with
# `refine=False`. We take 1000 new pictures, whose true positions we know.

# %% tags=["nbval-ignore-output"]
predict(
    "new-points",
    "Which place is nearer to the truth?",
    options=[
        "$F(y)$, at least twice as near",
        "the refined place, at least twice as near",
        "they hardly differ, because the maps agree",
    ],
    answer="the refined place, at least twice as near",
    because=(
        "F is one smooth average; (7) also asks that f rebuild this very "
        "picture."
    ),
    tempts=[
        "$F$ leads straight from a picture to its place, but it is one smooth "
        "average for all pictures.",
        "The maps do agree on average, but they can still differ for a single "
        "picture.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
from sklearn.linear_model import LinearRegression

new, where = datasets.camera_on_a_rail(1000, random_state=9)
# in units of the rail
to_rail = LinearRegression().fit(model.embedding_, rail).predict
ends, judged, misses = np.abs(where - 0.5) > 0.47, {}, {}
for name, refine in (("F(y)", False), ("refined", True)):
    off = to_rail(model.set_params(refine=refine).transform(new)) - where
    misses[name] = off
    judged[name] = (
        np.sqrt(np.mean(off**2)),
        np.mean(-np.sign(where - 0.5)[ends] * off[ends]),
    )
    print(f"{name:8} off by {judged[name][0]:.1%} of the rail", end=", ")
    print(f"at its ends {judged[name][1]:.1%} too far inside")

# %% tags=["aside"]
assert (
    judged["F(y)"][0] > 2 * judged["refined"][0]
    and judged["F(y)"][1] > judged["refined"][1]
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The refined place is several times as near. $F(y)$ stops short of the ends of the rail. The
# refined place does so, too, but by less. This is the price of $F$.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over forty other draws the refined place was 2.4 to 7.7 times as near, and over twenty rolls of
# 1000 points 2.2 to 4.7 times. $F(y)$ stopped short of the ends of the rail in all forty draws. The
# refined place stopped short in 38 of them, and by less in all.
#
# </details>

# %% [markdown]
# Take the refined place for data like those of the fit. Take $F(y)$ alone where speed counts, or
# where you need a continuous map: the minimum of (7) can jump, as the nearest place of UKR does in
# [lesson 09](09_projection.ipynb). $F$ cannot jump.
#
# Here are the errors of all pictures.

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(8.4, 3.4))
for color, (name, off) in zip(
    figures.COLORS[1:], misses.items(), strict=False
):
    ax.plot(where, off, ".", color=color, label=name)
ax.axhline(0, color="black", lw=1)
ax.set(
    xlabel="true position",
    ylabel="place minus truth",
    title="Where new pictures are put",
)
ax.legend(loc="upper right")
figures.show(
    figure,
    "Errors of 1000 new pictures over their true positions. F(y) scatters by "
    "about .03, and at the ends it lies too far inside, by up to .15. The "
    "refined places form a thin line near zero, and leave it by .02 at the "
    "ends.",
)

# %% [markdown]
# Both places belong to one scale. Give the halves of (7) the weights $s$ and $1 - s$,
#
# $$s\,|y - f(x)|^2 + (1 - s)\,|x - F(y)|^2.$$
#
# With $s = 0$ the point is at $F(y)$, with equal weights it is the place of DRUR, and with $s = 1$
# its image is the nearest place on the curve, as in UKR. The panel shows both methods on one data
# set, an arc in the plane, and 14 new points that lie farther from it than the data. The slider is
# $s$.

# %% tags=["nbval-ignore-output"]
predict(
    "between",
    "The squared distance from a new point to its place on the curve falls as "
    "$s$ rises from 0 to 1. Where does it fall most?",
    options=[
        "evenly all the way",
        "in the first half, up to equal weights",
        "just before $s = 1$",
    ],
    answer="in the first half, up to equal weights",
    because=(
        "Here most of the fall comes before s = .2: a small move from F(y) is "
        "enough to come near the best place."
    ),
    tempts=[
        "The weights change evenly with $s$, but the distance need not follow "
        "evenly.",
        "The place is the nearest one only at $s = 1$, but ask how much of "
        "the distance is left to gain by then.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import BetweenMaps

panel = BetweenMaps.example()
panel

# %% [markdown]
# ## What it costs, and whether it converges (3 minutes)
#
# With $M$ basis functions and $N$ points in $d$ dimensions, a fit takes time proportional to
# $N M (M + d)$, and a Gauss-Newton step for all points to $N q^2 d$ plus the slopes of $f$. So time
# is linear in $N$, whereas UKR and the GPLVM compare all pairs of points. With the centres and the
# width held fixed, neither half of a round can raise (1). The method chooses them again in each
# round, so (1) may rise; the paper accepts that. The [appendix](appendix_drur.ipynb) has run times
# and the theorem on convergence.
#
# What if both maps are *linear*? Then one step (12) is exact, and the alternation becomes a method
# that is a hundred years older:

# %%
Z = np.random.RandomState(0).normal(size=(300, 3)) * [3.0, 1.5, 0.5]
Z = Z - Z.mean(axis=0)
x = np.random.RandomState(1).normal(size=(300, 1))
for _ in range(40):
    A = np.linalg.lstsq(x, Z, rcond=None)[0]  # f(x) = x A
    B = np.linalg.lstsq(Z, x, rcond=None)[0]  # F(y) = y B
    # (12), exact
    x = np.linalg.solve(np.eye(1) + A @ A.T, A @ Z.T + (Z @ B).T).T
agreement = abs(np.corrcoef(x.T, PCA(1).fit_transform(Z).T)[0, 1])
print(f"correlation with the first principal component: {agreement:.4f}")

# %% [markdown]
# ## Key points
#
# - With the points held fixed, the weights of radial basis functions solve one linear system (16).
#   Test a solution by the slope of what it minimises.
# - Alternate: adapt both maps, project all points. Begin with $f$ on $F(Y)$, because $F$ has
#   averaged out errors that have nothing to do with the data.
# - The first round does nearly all of the work. Ten are enough.
# - A new point goes to $F(y)$, fast and continuous, or to the minimum of (7), nearer to the truth.
# - On one page: `ukrlearn/explicit/whole/drur.py`.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "N", "d", "f", "F", "penalty", "n_basis", "centres", "width"),
    *("Phi", "W", "bias"),
    paper="drur",
)

# %% [markdown]
# **Covered** (14) to (16), figure 1; used: (1), (7), (12), (13).
#
# **Further**
#
# - To do: [exercise 22: the weights of a network](../exercises/22_centred_solve.ipynb).
# - Before: [two maps and the points between](18_two_maps.ipynb). After: [rescue the
#   roll](20_rescue_the_roll.ipynb), on starts that are much worse than this log.
# - In the library: `ParametricDRUR`; `drur.alternation`, `drur.project`; `networks.fit_rbf`,
#   `cluster_centres`, `best_width`. In loops: `explicit.rbf_network`, `rbf_objective`.
