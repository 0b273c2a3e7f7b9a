# %% [markdown]
# # Your own data
#
# Start with a file of numbers, and end with a map of its rows, an honest opinion of that map, and a
# file to take home.
#
# **Afterwards you can**
#
# - read a CSV file as it is, and know what was left out of it;
# - see which columns dominate the distances, and decide whether to standardise them;
# - fit a model and judge it by neighbours, by unseen rows, and by comparing starts;
# - write the embedding to a file without losing an older file.
#
# **You need** [the first lesson](00_start_here.ipynb), [unit 08](08_starts_and_scales.ipynb)
# (starts) and, for the judging, [the referee](12_referee.ipynb). **Time** 23 minutes.
#
# **Contents** A file as it comes · Reading · Looking · Fitting · Judging · Taking it home · The
# same with the mouse

# %%
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA

from ukrlearn import UKR, figures, metrics
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.course.tables import read_table, write_embedding

predict = predictions("13_your_own_data")
folder = Path(tempfile.mkdtemp())

# %%
review("13_your_own_data")  # questions from earlier lessons

# %% [markdown]
# ## A file as it comes (3 minutes)
#
# We make a file, so that everybody has one. It holds 178 Italian wines of one region, with thirteen
# measurements of each wine and its cultivar, the variety of grape that it was made from. (Barolo is
# the name of the wine; its grape is the Nebbiolo.) The file looks as a spreadsheet in much of
# Europe would write it: semicolons between the columns, decimal commas, and here and there a
# missing number.

# %% tags=["before-panels"]
wine = load_wine()
names = [name.replace("/", " per ") for name in wine.feature_names]
cultivars = np.array(["Barolo", "Grignolino", "Barbera"])[wine.target]
rows = [[f"{number:g}" for number in row] for row in wine.data]
rows[16][3], rows[89][0] = "n/a", ""
lines = [";".join([*names, "cultivar"])]
for row, cultivar in zip(rows, cultivars, strict=True):
    lines.append(";".join([*row, cultivar]).replace(".", ","))
(folder / "wine.csv").write_text("\n".join(lines), encoding="utf-8")
print(lines[0][:60], "...", lines[1][:60], "...", sep="\n")

# %% [markdown]
# ## Reading (3 minutes)
#
# By hand, you would split each line and turn each field into a number. Here are the first thirty
# rows, one of which lacks a number:

# %%
by_hand = []
for line in lines[1:31]:
    fields = line.replace(",", ".").split(";")[:13]
    if "n/a" not in fields:
        by_hand.append([float(field) for field in fields])
print(len(by_hand), "of 30 rows are complete")

# %% [markdown]
# `read_table` reads the whole file without being told how it was written, and reports what it did.
# From here on our data are its matrix $\mathbf{Y}$, with one wine in each row.

# %% tags=["nbval-ignore-output"]
predict(
    "rows-left",
    "The file has 178 wines. Two of them lack a number: one field is empty, "
    "another holds n/a. How many rows will the matrix have?",
    options=[
        "178: a gap is filled with the mean of its column",
        "177: an empty field is read as zero",
        "176: both rows are left out",
    ],
    answer="176: both rows are left out",
    because="A point that lacks a coordinate has no place in space.",
    tempts=[
        "Some programs fill a gap with a mean, but `read_table` does not "
        "invent a number.",
        "Some programs read an empty field as zero, but nobody measured a "
        "zero there.",
    ],
    hides=1,
)

# %%
table = read_table(folder / "wine.csv")
Y = table.Y
assert np.allclose(Y[:29], by_hand)
print(table)

# %% [markdown]
# The column of text holds no numbers, but `table.texts` keeps it. Look at what else is left
# out. If many numbers are missing, leave out the column with the most gaps, or fill the gaps with a
# method made for this purpose (scikit-learn's `SimpleImputer`, for instance).
#
# To read your own file, put its path in place of ours. `read_table` refuses a file that it can't
# read, and gives the reason: a spreadsheet that was not exported, a file without numbers, a file of
# several gigabytes.
#
# ## Looking (3 minutes)
#
# Every method in this course measures distances between rows, $\sum_k (y_{nk} - y_{mk})^2$. So the
# weight of a column is its variance, which depends on the unit of the column.

# %% tags=["nbval-ignore-output"]
predict(
    "largest-share",
    "There are thirteen columns. Which share of the total variance will the "
    "largest of them have, in per cent?",
    number=True,
    answer=99,
    within=3,
    because=(
        "Proline is given in milligrams per litre and runs into the thousands."
    ),
    hides=1,
)

# %%
share = Y.var(axis=0) / np.sum(Y.var(axis=0))
for k in np.argsort(share)[::-1][:3]:
    print(f"{table.names[k]:22} {share[k]:8.3%}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# With these units a map of the wines is a map of their proline, whatever the other
# twelve columns say.
#
# </details>

# %% [markdown]
# *Standardising* gives each column mean 0 and variance 1:


# %%
def standardised(Y, like):
    return (Y - like.mean(axis=0)) / like.std(axis=0)


Z = standardised(Y, like=Y)

# %% tags=["aside"]
assert np.allclose(Z.mean(axis=0), 0) and np.allclose(Z.var(axis=0), 1)

# %% [markdown]
# Standardise when the units differ and nothing says that one column matters more. Leave the units
# alone when they are the same and mean something, as for the pixels of an image or the six beams of
# the oil pipe (unit 11). The choice is a decision about the data; no score can make it for you.
#
# The principal components tell you how many directions the data fill:

# %%
explained = np.cumsum(PCA().fit(Z).explained_variance_ratio_)
print("explained by 1, 2, 5, 10 directions:", explained[[0, 1, 4, 9]].round(2))

# %%
flat = PCA(n_components=2).fit_transform(Z)

# %% tags=["aside"]
figure, ax = figures.blank(size=(5.6, 4.2))
figures.latent(
    ax, flat, labels=table.texts["cultivar"], title="The first two components"
)
figures.show(
    figure,
    "The wines on two principal components: a horseshoe of the three "
    "cultivars.",
)

# %% [markdown]
# Two straight directions hold 55 percent of the variance, so a curved map has room to do better.
# The components did not use the cultivars, so the groups of cultivars are a finding.
#
# ## Fitting (2 minutes)
#
# The error has many minima, so a fit tries several starts. The two names in `init` stand for
# seven starts: principal components, and Isomap with six sizes of neighbourhood. Each start is
# brought to its best scale and refined by a few steps (the race of unit 08), and the fit continues
# from the best one. To save time, we use no homotopy (unit 08) and only fifty steps.
# A fit of your own data may take minutes. JupyterLab's stop button ends it early: the
# model keeps the best result so far, and a warning says so.

# %%
settings = dict(init=["pca", "isomap"], homotopy=False, max_iter=50)
model = UKR(n_components=2, **settings).fit(Z)
X = model.embedding_

# %% tags=["nbval-ignore-output"]
for start in model.starts_:
    print(
        f"{start.name:14} R_cv scaled {start.cv_error:.2f}, refined "
        f"{start.refined:.2f}"
    )

# %% tags=["nbval-ignore-output", "aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.6))
figures.latent(left, X, labels=table.texts["cultivar"], title="The fitted map")
figures.candidate_table(right, model.starts_)
figures.show(
    figure,
    "Left: the wines on the fitted map, three groups side by side. Right: the "
    "leave-one-out error of the seven starts, between 5 and 6 when scaled "
    "and from 2.7 to 4 when they left the race.",
)

# %% tags=["aside"]
refined = sorted(start.refined for start in model.starts_)
assert len(refined) == 7 and refined[1] < 1.1 * refined[0] < refined[-1]

# %% [markdown]
# $R_{cv}$ is the leave-one-out error, a mean squared distance; the total variance of the
# standardised data is 13. On the right each line leads from the scaled start to where it left the
# race: the worse half drops out after each round. The best of Isomap and PCA end at nearly the same
# error. This is reassuring about the error; below we ask the same question about the *map*.
#
# ## Judging (7 minutes)
#
# First we ask the judges of the last lesson: trustworthiness, continuity, and the leave-one-out
# error that UKR minimises. The principal components serve for comparison.

# %% tags=["nbval-ignore-output"]
for name, coordinates in (("PCA", flat), ("UKR", X)):
    trust, contin = (
        judge(coordinates, Z)
        for judge in (metrics.trustworthiness, metrics.continuity)
    )
    lost = metrics.loo_reconstruction(coordinates, Z)
    print(
        f"{name}: trustworthiness {trust:.3f}, continuity {contin:.3f}, not "
        f"rebuilt {lost:.2f}"
    )

# %% tags=["aside"]
assert metrics.trustworthiness(X, Z) > metrics.trustworthiness(flat, Z) + 0.05
assert metrics.continuity(X, Z) < metrics.continuity(flat, Z)
assert metrics.loo_reconstruction(X, Z) < 0.6 * metrics.loo_reconstruction(
    flat, Z
)

# %% [markdown]
# The map has fewer false neighbours than the principal components and slightly more missing ones,
# and its neighbours predict the data far better. But UKR minimises the last number: it chose the
# coordinates by it. A fair number comes from rows that the model has not seen. We set a fifth of
# the wines aside.

# %% tags=["nbval-ignore-output"]
predict(
    "unseen-rows",
    "How much of the variance of the unseen wines will each method lose?",
    options=[
        "UKR about a quarter, PCA nearly half",
        "both about a quarter",
        "UKR more than half, PCA a quarter: UKR overfits",
    ],
    answer="UKR about a quarter, PCA nearly half",
    because=(
        "UKR loses more than on the rows that it saw; the difference is what "
        "it has memorised."
    ),
    tempts=[
        "With so few wines both might do equally well, but only one of the "
        "two methods can bend with the data.",
        "Flexible methods do overfit, and UKR loses more on unseen rows than "
        "on seen ones, but it can also bend where PCA cannot.",
    ],
    hides=3,
)

# %%
order = np.random.RandomState(0).permutation(len(Y))
Y_unseen, Y_seen = Y[order[:36]], Y[order[36:]]
unseen, seen = (
    standardised(Y_unseen, like=Y_seen),
    standardised(Y_seen, like=Y_seen),
)
fitted = UKR(n_components=2, **settings).fit(seen)
linear = PCA(n_components=2).fit(seen)
there_and_back = linear.inverse_transform(linear.transform(unseen))
variance = np.sum(unseen.var(axis=0))
losses = {
    "UKR, seen rows, left out": fitted.cv_error_ / np.sum(seen.var(axis=0)),
    "UKR, unseen rows": -fitted.score(unseen) / variance,
    "PCA, unseen rows": (
        metrics.projection_error(unseen, there_and_back) / variance
    ),
}

# %% tags=["nbval-ignore-output"]
for name, loss in losses.items():
    print(f"{name:32} {loss:.2f} of the variance lost")

# %% tags=["aside"]
of_seen, of_unseen, of_linear = losses.values()
assert of_seen < of_unseen < 0.75 * of_linear

# %% [markdown]
# The model loses about a fifth of the variance of the rows that it saw. (The
# means and spreads for standardising come from the seen rows only; the unseen rows must not take
# part in anything.)
#
# One question remains that no score answers: *does another start give the same map?* Procrustes'
# $R^2$ is 1 for two maps that differ only by place, rotation, reflection and scale.

# %% tags=["nbval-ignore-output"]
predict(
    "three-starts",
    "Three starts end at nearly the same error. How similar will their "
    "maps be?",
    options=[
        "nearly equal: R² above .95",
        "not very: R² between .15 and .9",
        "not at all: R² near 0",
    ],
    answer="not very: R² between .15 and .9",
    because=(
        "In data with more dimensions than the map has, many maps are nearly "
        "as good as the best one."
    ),
    tempts=[
        "The same error suggests the same map, but thirteen columns can be "
        "flattened in many ways that lose equally little.",
        "Different minima suggest unrelated maps, but maps of the same data "
        "still share what is strongest in them.",
    ],
    hides=3,
)

# %% tags=["nbval-ignore-output"]
inits = ("pca", "isomap", "lle")
fits = [UKR(2, **{**settings, "init": init}).fit(Z) for init in inits]
maps = [fit.embedding_ for fit in fits]
for init, fit in zip(inits, fits, strict=True):
    agree = [metrics.procrustes_r2(fit.embedding_, other) for other in maps]
    print(
        f"{init:7} R_cv {fit.cv_error_:.2f}; R² with each map:",
        np.round(agree, 2),
    )

# %% tags=["aside"]
agree = [
    metrics.procrustes_r2(maps[i], maps[j])
    for i, j in ((0, 1), (0, 2), (1, 2))
]
assert all(0.15 < value < 0.9 for value in agree)

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 3, size=(8.4, 3.4))
for ax, init, coordinates in zip(axes, inits, maps, strict=True):
    figures.latent(
        ax, coordinates, labels=table.texts["cultivar"], title=f"from {init}"
    )
figures.show(
    figure,
    "Three maps of the wines, from principal components, Isomap and LLE. In "
    "each the three cultivars keep together and Grignolino borders on both "
    "others; whether Barolo and Barbera also border on each other differs "
    "from map to map.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The errors differ by little more than a tenth, but the maps differ much more.
#
# </details>

# %% [markdown]
# Rely only on what all maps show: three groups, and Grignolino next to both others. Whether Barolo
# and Barbera touch already depends on the start, and so do outlines, gaps, and the arrangement of
# the points within a group.
#
# ## Taking it home (1 minute)
#
# `write_embedding` writes the coordinates, the row number of each point in the file, and any
# columns that you add. If a file of that name exists, it is renamed, never overwritten.

# %%
columns = {"cultivar": table.texts["cultivar"]}
for _ in range(2):
    written = write_embedding(
        folder / "map.csv", X, rows=table.rows, columns=columns
    )
    print(
        written.path.name,
        "written; older file:",
        written.backup and written.backup.name,
    )

# %% tags=["aside"]
assert np.array_equal(read_table(folder / "map.csv").Y[:, 1:], X)

# %% [markdown]
# ## The same with the mouse (4 minutes)
#
# The panel does all of this for a file of yours. Type its path, or choose it with the button (in
# Binder, or in JupyterLab on another machine, this uploads the file). Leave out columns,
# standardise or not, press Fit, read the line below, press Export. The panel fits at most 500 rows,
# so that you don't wait, and places the others by projection.

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import OwnData

file = folder / "wine.csv"
panel = OwnData(file) if file.exists() else OwnData()
panel

# %% tags=["nbval-ignore-output"]
predict(
    "judges-warn",
    "If you switch standardising off, what will the three judges say about "
    "the principal components?",
    options=[
        "they are full of praise",
        "they warn: all three scores fall",
        "only continuity falls",
    ],
    answer="they are full of praise",
    because=(
        "In these units the data are nearly one-dimensional, and the judges "
        "only compare a map with the distances."
    ),
    tempts=[
        "One column alone is a bad map of wines, but the judges know only the "
        "distances that they are given.",
        "A map that ignores twelve columns should lose neighbours, but the "
        "judges measure distances in the same units.",
    ],
    hides=1,
)

# %%
said = panel.copy().set(standardise=False).summary()
print(said.partition("Column")[0])

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# All scores are almost perfect. The map of the proline is a faithful map of the distances; whether
# the distances mean anything is for you to decide. The warning comes from the bars on the left of
# the panel.
#
# </details>

# %% [markdown]
# If a file can't be used, the panel says why and keeps the last picture:

# %%
(folder / "words.csv").write_text("first;second\nno;numbers\nin;here\n")
try:
    panel.copy().load(folder / "words.csv")
except ValueError as answer:
    print(answer)
print("still shown:", panel.summary()[:8])

# %% [markdown]
# ## Key points
#
# - Check what was left out of the file.
# - Look at the variances before you look at anything else: standardising the columns can matter
#   more than the choice of method.
# - Judge by several numbers, by rows that were not fitted, and by what different starts agree on.

# %%
notation.table("Y", "X", "N", "d", "q", "cv_error", "scale")

# %% [markdown]
# **Covered** (10), the leave-one-out error, and (19), the projection of unseen rows, on data of
# your own; the scheme of section 2.3 with fewer starts.
#
# **Further** Before this: [the referee](12_referee.ipynb). After it, the second paper:
# [two families](14_neighbour_embedding.ipynb). From the beginning:
# [start here](00_start_here.ipynb). In the library: `ukrlearn.course.tables`, `help(UKR)`, whose
# `kernel="quartic"` is for many rows and whose `data_kernel="l1"` gives outliers less weight. In
# loops: `explicit.squared_distance_to_image`.
