# %% [markdown]
# # Rivals and noise: does guidance earn its place?
#
# Compare a method with the simplest method that could do the same, over many draws, and by more
# than its error.
#
# **Afterwards you can**
#
# - test a claim such as "a better minimum" over many seeds and against simple rivals;
# - tell a lower error from a better curve;
# - explain where a large power $\nu$ leads the coordinates, and what deflation changes.
#
# **You need** [lesson 16](16_moving_together.ipynb) (guided gradients) and
# [lesson 07](07_going_down.ipynb) (L-BFGS). **Time** 25 minutes. **Contents** Is the simplest way
# enough? · Below the noise · The power method · The s-curve · What remains · Key points

# %%
import inspect
from functools import partial

import numpy as np

from ukrlearn import SNE, SpectralGuidance, datasets, figures, metrics, sgd
from ukrlearn.blocks import descent, kernel_regression, scales, starts
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit.matrices import sgd as matrices
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.ukr.reconstruction import reconstruction_error

predict = predictions("17_rivals_and_noise")
Y, t = datasets.noisy_helix(300, random_state=2)
clean = datasets.helix_curve(np.linspace(0, 1, 4000))

# %%
review("17_rivals_and_noise")  # questions from earlier lessons

# %% [markdown]
# ## Is the simplest way enough? (9 minutes)
#
# In [lesson 16](16_moving_together.ipynb) a drone measured 300 positions on a helix, and the guided
# descent put them in order from a random start. Would you use it? You could also begin where the
# order is right already, or take a stronger descent. Here are the positions again, with the clean
# helix, which we know because we made the data.

# %% tags=["aside"]
figure, ax = figures.blank(size=(6, 5), projection="3d")
points = figures.data(ax, Y, t, title="Positions and the clean helix")
figures.curve(ax, clean, label="clean helix")
ax.legend(loc="upper left", frameon=False)
ax.set_box_aspect(np.ptp(Y, axis=0), zoom=1)
figure.colorbar(points, ax=ax, shrink=0.7).set_label(
    "time, as a share of the flight"
)
figures.show(
    figure,
    "300 points around a helix with two turns, and the dashed clean helix.",
)

# %% [markdown]
# Guidance has two rivals at the start: the leading eigenvector of $M$ itself, and the first
# principal component of the data, each at its best scale (lesson 08), with a plain descent. And
# L-BFGS may replace the gradient descent of the paper, at once or after twenty guided moves. We
# measure three numbers for each: $R_{cv}$, which all of them minimise; the mean squared distance of
# the curve from the clean helix; and the order.


# %%
def judged(X, Y, t):
    """R_cv, mean squared distance to the clean helix, order."""
    curve = kernel_regression.predict(X, X, Y)
    near = metrics.distance_to_curve(curve, clean, squared=True)
    return reconstruction_error(X, Y)[0], near, metrics.order_recovered(X, t)


def scaled(X, objective):
    """One coordinate, at the scale with the lowest R_cv."""
    X = scales.normalised(X)
    return X * scales.best_scale(X, lambda X: objective(X)[0]).scale


# %%
def rivals(objective, Y, X_0):
    """Each rival's descent and its start, by name."""
    of_data = SpectralGuidance(h=1.0).spectrum(Y)
    few_to_all = sgd.spreading(of_data, 1, 20)  # the schedule "directions"
    gradient, lbfgs = descent.gradient_descent, descent.lbfgs
    then_lbfgs = sgd.guided(gradient, few_to_all, lbfgs)
    eigenvector = scaled(of_data.vectors[:, :1], objective)
    component = scaled(starts.pca(Y, 1), objective)
    return {
        "L-BFGS, random start": (lbfgs, X_0),
        "guided gradient": (sgd.guided(gradient, few_to_all), X_0),
        "eigenvector, then gradient": (gradient, eigenvector),
        "linear PCA, then gradient": (gradient, component),
        "20 guided moves, then L-BFGS": (then_lbfgs, X_0),
    }


# %% tags=["nbval-ignore-output"]
predict(
    "lowest",
    "Which of these ends with the lowest leave-one-out error R_cv?",
    options=[
        "L-BFGS, random start",
        "guided gradient",
        "eigenvector, then gradient",
        "linear PCA, then gradient",
    ],
    answer="L-BFGS, random start",
    because=(
        "It is the strongest descent, and nothing holds it back from "
        "following single points."
    ),
    tempts=[
        "The guided gradient finds the order, but the lowest error is another "
        "question.",
        "The eigenvector is a start in the right order, but the gradient "
        "descent that follows it is slow.",
        "A linear start is simple and may seem safe, but the gradient descent "
        "that follows it is slow.",
    ],
)

# %% tags=["nbval-ignore-output"]
predict(
    "pca-order",
    "On which of these starts does the plain descent end in the right order?",
    options=[
        "on the eigenvector only",
        "on the eigenvector and on the first principal component",
        "on neither: only guidance finds the order",
    ],
    answer="on the eigenvector and on the first principal component",
    because=(
        "The helix is taller than wide, so even its longest axis has the "
        "order."
    ),
    tempts=[
        "The eigenvector knows which points are neighbours, and PCA does not, "
        "but look at the shape of this helix.",
        "Guidance did find the order in lesson 16, but there every descent "
        "began at random.",
    ],
    hides=3,
)

# %%
results = {}
for seed in range(3):
    Y_seed, t_seed = datasets.noisy_helix(300, random_state=seed)
    objective = partial(reconstruction_error, Y=Y_seed)
    X_0 = starts.random((300, 1), 0.1, 100 + seed)
    for name, (method, start) in rivals(objective, Y_seed, X_0).items():
        X = descent.last(descent.at_most(method(objective, start), 200)).X
        results.setdefault(name, []).append(judged(X, Y_seed, t_seed))
medians = {name: np.median(found, axis=0) for name, found in results.items()}
error, near, _ = (
    {name: row[k] for name, row in medians.items()} for k in range(3)
)

# %% tags=["aside"]
assert (
    min(error, key=error.get)
    == "L-BFGS, random start"
    == max(near, key=near.get)
)

# %% tags=["nbval-ignore-output"]
for name, found in results.items():
    right = sum(order > 0.95 for *_, order in found)
    print(
        f"{name:29} R_cv {error[name]:.4f}, distance² {near[name]:.4f}, order "
        f"{right} of 3"
    )

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# L-BFGS from the random start ends lowest. It also ends furthest from the helix, and in some draws
# its order is wrong. So a wrong curve can have the smallest leave-one-out error of all.
#
# The three gradient descents, which soon have the right order, end nearest. With guidance $R_{cv}$
# is lower than from the eigenvector or the principal component, but the curve is not nearer to the
# helix.
#
# </details>

# %% [markdown]
# **A start in the right order does what guidance does.** And plain gradient descent from a random
# start, which the paper improves upon, is a weak rival: RPROP (lesson 07) without guidance finds
# the order in most draws.
#
# Does guidance find any curve that its rivals miss? Linear PCA is easy to defeat: on a figure eight
# whose strands cross at a distance, the order is never right from linear PCA or from a random
# start, and mostly right with guidance. But a start from the eigenvector of the guiding matrix is
# right as often, and Laplacian eigenmaps are right more often, without any descent. We tried 62
# curves. **We found none on which guidance succeeds and all rivals fail**
# ([appendix](appendix_sgd.ipynb#Sixty-two-curves)).

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Helix, forty draws: L-BFGS from a random start had a wrong order in 16; each of the three gradient
# descents found the order in all. The medians of $R_{cv}$ are .0197 with guidance by directions,
# .0255 from the eigenvector and .0225 from the principal component; the squared distances to the
# helix are .0037, .0028 and .0035. With the schedule $\nu = 10, 9, \dots, 0$ instead, guidance has
# the lower $R_{cv}$ in 33 of 40 draws against the principal component. In twenty further draws it is
# lower in 18, and the principal component ends nearer to the helix in 15. RPROP without guidance
# finds the order in 27 of 40 draws.
#
# Figure eight, twenty draws: the order is right in none from linear PCA or from a random start, in
# 14 with guidance, in 15 from the eigenvector of the guiding matrix, and in 19 with Laplacian
# eigenmaps of twelve neighbours.
#
# </details>

# %% [markdown]
# ## Below the noise (4 minutes)
#
# How small should the error of the *true* curve be? The noise has a mean square of
# $3 \times .1^2 = .03$. One of its three directions runs along the helix, and the latent coordinate
# can follow the noise in this direction. So the error of the true curve is about two thirds of
# the noise. We measure it at the nearest places on the clean helix:

# %%
floor = metrics.distance_to_curve(Y, clean, squared=True)
print(f"mean squared distance of the data from the clean helix: {floor:.4f}")

# %% [markdown]
# We make twenty guided moves and continue with L-BFGS. $R_{cv}$ falls with every move.

# %% tags=["nbval-ignore-output"]
predict(
    "distance",
    "What happens to the distance between the curve and the clean helix?",
    options=[
        "it falls with R_cv, to the end",
        "it falls, and then stays level",
        "it falls, turns round and rises",
    ],
    answer="it falls, turns round and rises",
    because=(
        "Once the noise is reached, a lower error comes from bending towards "
        "single points."
    ),
    tempts=[
        "A lower error usually means a nearer curve, but R_cv compares the "
        "curve with noisy points.",
        "Once the noise is reached, nothing is left to learn, but the descent "
        "does not stop there.",
    ],
    hides=4,
)

# %%
objective, of_helix = (
    partial(reconstruction_error, Y=Y),
    SpectralGuidance(h=1.0).spectrum(Y),
)
lead = sgd.spreading(of_helix, 1, 20)
method = sgd.guided(descent.gradient_descent, lead, finish=descent.lbfgs)
steps = list(
    descent.at_most(method(objective, starts.random((300, 1), 0.1, 1)), 500)
)
moves = np.unique(np.geomspace(5, 500, 30).astype(int))
errors, distances, _ = np.array([judged(steps[k].X, Y, t) for k in moves]).T

# %% tags=["aside"]
assert moves[np.argmin(distances)] < 60
assert errors[-1] < 0.02 and distances[-1] > 2 * distances.min()

# %% tags=["nbval-ignore-output"]
print(
    f"nearest after {moves[np.argmin(distances)]} moves: distance² "
    f"{distances.min():.4f}"
)
print(f"after 500 moves: R_cv {errors[-1]:.4f}, distance² {distances[-1]:.4f}")

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(6.5, 3.8))
curves = {
    "$R_{cv}$": errors,
    "squared distance to the clean helix": distances,
    "error of the clean helix": np.full(len(moves), floor),
}
title = "One descent, judged at each move"
figures.lines(
    ax, moves, curves, title=title, across="move", up="mean square", log="xy"
)
figures.show(
    figure,
    "R_cv falls to the end. The distance to the clean helix falls with it for "
    "about ten moves, until R_cv is near the error of the clean helix, and "
    "rises from then on.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The distance turns round even before $R_{cv}$ has come down to the error of the clean helix. This
# is overfitting in spite of leaving points out, because the descent chose the coordinates by that
# very error (lessons 04 and 07). When $\nu$ is held at 1, the descent ends with the *higher* error
# but *nearer* to the helix: if guidance stays, the curve stays smooth.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# With $\nu$ held at 1 the squared distance to the helix is .0029 in the median of forty draws, and
# .0040 without.
#
# </details>

# %% [markdown]
# So "a final error close to zero" does not recommend a method on noisy data.
#
# ## The power method (5 minutes)
#
# There is another way to look at $M^\nu G$. To multiply by $M$ many times is the power method of
# [lesson 15](15_springs.ipynb). Each latent coordinate has its column in $G$, so a guided step with
# a large $\nu$ moves each coordinate along leading eigenvectors, towards a spectral embedding. As
# $\nu$ falls, the objective takes over. Take *two* latent dimensions. We measure the direction of
# each column by its cosines with the first and the second eigenvector; 1 is the same direction.

# %% tags=["nbval-ignore-output"]
predict(
    "columns",
    "Which eigenvectors do the two columns approach when ν grows?",
    options=[
        "the first and the second",
        "both the first",
        "it depends on the start",
    ],
    answer="both the first",
    because=(
        "Each column is multiplied by the same matrix, and knows nothing of "
        "the other."
    ),
    tempts=[
        "There are two columns and two leading eigenvectors, but nothing "
        "keeps the second column from the first eigenvector.",
        "Starts differ, but at a large ν the largest eigenvalue outweighs "
        "what the start has put in.",
    ],
    hides=1,
)

# %%
_, G = neighbor_embedding.objective(Y, 0.5)(starts.random((300, 2), 0.01, 0))


def alignment(G_hat):
    """|cosine| of each column with the first and second eigenvector."""
    return np.abs(
        of_helix.vectors[:, :2].T @ (G_hat / np.linalg.norm(G_hat, axis=0))
    ).T


for nu in (0, 1, 5, 20, 100):
    first, second = alignment(sgd.powers(of_helix, nu)(G)).round(2)
    print(f"ν = {nu:3}: first column {first}, second column {second}")

# %% [markdown]
# The paper gives this as the reason why guidance should work best for $q = 1$. It proposes a
# remedy, called deflation: after column $g^j$ of the gradient has been multiplied, take its
# direction out of $M$ before you multiply the next column.
#
# $$g^j \leftarrow M^\nu g^j \tag{18}$$
#
# $$M \leftarrow M - \lambda_j \frac{g^j\, {g^j}^T}{{g^j}^T g^j} \tag{19}$$
#
# $$\lambda_j = \frac{{g^j}^T M\, g^j}{{g^j}^T g^j} \tag{20}$$
#
# **Equation (19) differs from the printed one.** In the paper $g^j$ is a row, so its
# $\lambda_j\, g^j {g^j}^T$ is a *number*, and subtracting a number from each entry of a matrix
# removes no eigenvector. The paper means the outer product, which has to be divided by the squared
# length of $g^j$.

# %%
print(inspect.getsource(matrices.deflation))
for nu in (1, 5, 20, 100):
    first, second = alignment(sgd.Deflation(of_helix, nu)(G)).round(2)
    print(f"ν = {nu:3}: first column {first}, second column {second}")

# %% [markdown]
# Now, at large $\nu$, the second column approaches the second eigenvector. When to stop deflating,
# as $\nu$ falls, is in the [appendix](appendix_sgd.ipynb#When-deflation-stops). Raise $\nu$ and watch
# the entries of both columns, over the time of the flight.

# %% tags=["nbval-ignore-output", "aside"]
from ukrlearn.panels import OwnPicture, Slider

spectrum, start = SpectralGuidance(h=1.0).spectrum(Y), starts.random
_, plain = neighbor_embedding.objective(Y, 0.5)(start((300, 2), 0.01, 0))
ways = {"powers": sgd.powers, "deflation": sgd.Deflation}


def columns(figure, nu):
    words = f"ν = {nu}."
    for ax, name in zip(figure.subplots(1, 2), ways, strict=True):
        moved = ways[name](spectrum, nu)(plain)
        moved = moved / np.linalg.norm(moved, axis=0)
        ax.plot(t, moved, ".", ms=4, label=["first", "second"])
        ax.set(title=name, xlabel="time", ylim=(-0.25, 0.25))
        cosine = moved[:, 0] @ moved[:, 1]
        words += f" Cosine of the two columns with {name}: {cosine:.2f}."
    ax.legend(loc="upper right")
    return words


panel = OwnPicture(columns, Slider(notation.label("nu"), 0, 60, 0, whole=True))
panel

# %% [markdown]
# ## The s-curve (5 minutes)
#
# Does deflation help? The paper tries it on a noisy sheet, bent like an S: 200 points, two latent
# dimensions, SNE with $h = 1/2$, and $\nu$ falling from 20 to 0. It compares two matrices, each
# with and without deflation: (12), and the matrix of kernel PCA, which is $K$ without the means of
# its rows and columns. All entries of $e$ are $N^{-1/2}$:
#
# $$M = (I - e e^T)\, K\, (I - e e^T) \tag{21}$$

# %%
S, s = datasets.s_curve(200, random_state=0)
print(
    "(21):",
    np.allclose(
        matrices.kernel_pca_affinity(S, 0.5), sgd.kernel_pca_affinity(S, 0.5)
    ),
)

# %% tags=["aside"]
figure, ax = figures.blank(size=(6, 4.4), projection="3d")
points = figures.data(ax, S, s[:, 0], title="The noisy s-curve")
ax.view_init(elev=12, azim=-75)
ax.set_box_aspect(np.ptp(S, axis=0), zoom=1)
figure.colorbar(points, ax=ax, shrink=0.7).set_label("place along the S")
figures.show(figure, "200 points on a sheet that is bent like the letter S.")

# %% tags=["nbval-ignore-output"]
predict(
    "gain",
    "On the helix, guidance divided the final error by more than four, in "
    "the median of forty draws. By how much will it divide the error on the "
    "s-curve?",
    options=["by about four again", "by about two", "by about one: no gain"],
    answer="by about one: no gain",
    because="A plain descent never goes far wrong on this sheet.",
    tempts=[
        "What helps on one set should help on another, but ask what the plain "
        "descent does wrong on this one.",
        "Half of the gain looks like a prudent guess, but ask what the plain "
        "descent does wrong on this sheet.",
    ],
    hides=3,
)

# %%
ways = {"plain": None}
for matrix in ("clustering", "kpca"):
    for schedule in ("nu", "deflation"):
        way = SpectralGuidance(h=0.5, nu=20, schedule=schedule, matrix=matrix)
        ways[f"{matrix}, {schedule}"] = way
courses = {name: [] for name in ways}
for seed in range(3):
    S, _ = datasets.s_curve(200, random_state=seed)
    for name, way in ways.items():
        model = SNE(
            2, h=0.5, guidance=way, tol=0, random_state=100 + seed
        ).fit(S)
        courses[name].append(
            [model.history_[move].error for move in (10, 200)]
        )
final = {
    name: np.median(errors, axis=0)[1] for name, errors in courses.items()
}

# %% tags=["aside"]
assert max(final.values()) < 1.25 * min(final.values())

# %% tags=["nbval-ignore-output"]
for name, errors in courses.items():
    early, last = np.transpose(errors)
    print(
        f"{name:21} E after 10 moves {np.round(early, 2)}, after 200 "
        f"{np.round(last, 3)}"
    )

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# After 200 moves the five ways differ less than the seeds do. With the matrix (21) at the same $h$
# the first moves are slower, as the paper says; with (12) they are faster in little more than half
# of the draws. None of the better minima of the paper's figure 5 can be told from chance, and deflation changes nothing. The
# paper shows one run of each.
#
# Why? The plain descent already finds the sheet, as often as the guided one.
#
# </details>

# %% [markdown]
# Is (12) the better matrix? With $h = .5$ for both, (12) usually ends lower. If each matrix gets
# the bandwidth that suits it, (12) has no advantage
# ([appendix](appendix_sgd.ipynb#Two-matrices-at-their-own-bandwidths)).

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# After ten moves, the descent with (12) is ahead of the plain one in 23 of 40 draws, and that with
# (21) behind it in 36. With $h = .5$ for both matrices, (12) ends lower in 29 of 40 draws; with the
# best bandwidth for each, in 13. On
# forty other draws of the sheet, the rank correlation between a latent coordinate and the place
# along the S is above .9 in 31 for the plain descent, and in 30 for the guided one. It is above .85
# in all.
#
# </details>

# %% [markdown]
# ## What remains (2 minutes)
#
# From a random start, guidance often finds the order of a curve that plain gradient descent misses.
# It costs next to nothing: a guided move takes a few per cent more time than a plain one, and the
# eigendecomposition takes less time than ten moves. For the large effects there are simple rivals.
# Of the small effects of figures 5 and 6 we could reproduce only the slow first moves with (21).
# All claims of the paper, each over twenty draws or forty, are in the
# [appendix](appendix_sgd.ipynb#What-was-measured).

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# From a random start, guidance finds the order of the helix in 39 of 40 draws, and of the figure
# eight in 14 of 20.
#
# </details>

# %% [markdown]
# ## Key points
#
# - A start at the eigenvector is a strong rival of guidance; on the helix even a start at the first
#   principal component is.
# - Below the noise a lower error does not mean a better curve, not even a lower $R_{cv}$.
# - A large power leads all coordinates to one eigenvector; deflation gives each its own.
# - The helix and the circle gain much from guidance, the s-curve next to nothing.
# - Report medians and win rates over seeds, never one run.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "q", "gradient", "h", "affinity", "eigenvectors"),
    *("eigenvalues", "nu"),
    paper="sgd",
)

# %% [markdown]
# **Covered** [SGD] (18) to (21), figures 3 to 6.
#
# **Further**
#
# - To do: [exercise 20: the effective number of
#   directions](../exercises/20_effective_directions.ipynb), if you have not done it yet.
# - Before: [moving together](16_moving_together.ipynb). Next: [two maps](18_two_maps.ipynb). All
#   claims of the paper: [appendix](appendix_sgd.ipynb).
# - Descents and starts: [lesson 07](07_going_down.ipynb). Why $R_{cv}$ can deceive:
#   [lesson 04](04_leave_one_out.ipynb).
# - In loops: `explicit.sgd.deflation`; in matrices: `explicit.matrices.sgd`; in the library:
#   `sgd.Deflation`, `SpectralGuidance(schedule="deflation")`.
