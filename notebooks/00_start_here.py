# %% [markdown]
# # Start here: a curve through noisy points
#
# In ten minutes you put 300 measurements, which have lost their time stamps, back in order.
#
# **Afterwards you can**
#
# - say what unsupervised kernel regression (UKR) looks for in data;
# - predict what a small and a large bandwidth do to its curve;
# - see whether a model has found the right order.
#
# **You need** principal component analysis (PCA), and enough Python to run a cell. **Time** 10
# minutes. **Contents** The data · Watch it find the order · A curve with one slider · What the
# model has found · Key points
#
# ## The data (2 minutes)
#
# A robot searches a lawn along a spiral, from the inside out, at constant speed. A receiver reports
# its position 300 times, with an error of about 20 cm. But the clock has failed, and the reports
# arrive in no order. Which report belongs where on the path?

# %%
from ukrlearn import UKR, datasets, figures, metrics
from ukrlearn.checks import predictions

predict = predictions("00_start_here")
Y, t = datasets.noisy_spiral(n_samples=300, noise=0.02, random_state=0)

# %% tags=["aside"]
figure, ax = figures.blank(size=(6, 4.2))
figures.data(ax, Y, title="300 reports of a position (unit: 10 m)")
figures.show(
    figure,
    "300 points close to a spiral of two turns; nothing shows their order.",
)

# %% [markdown]
# PCA cannot answer. It gives each report one number, its position along a straight line, and
# reports from different turns of the spiral can get the same number.
#
# ## Watch it find the order (2 minutes)
#
# UKR also gives each report one number, its *latent coordinate*: its place along a curve that may
# bend. At each place, the curve is the weighted mean of the reports whose latent coordinates are
# near. Here all coordinates begin at random, so the curve is a knot in the middle.

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Untangle

untangle = Untangle(Y, t)
untangle

# %% [markdown]
# Press **Untangle**. Then drag a report on the left, or a point on the right, and let the panel go
# on. The right picture shows the latent coordinate of each report and its true place on the path:
# in the right order, the points form a line. To try another start, press **Shuffle**.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# The curve found the order of these reports from 40 of 40 other random starts (rank correlation
# above .99), and that of 19 of 20 other spirals (above .95; 13 above .99).
#
# </details>

# %% [markdown]
# ## A curve with one slider (4 minutes)
#
# The *bandwidth* $h$ says how far "near" reaches in the weighted mean. The next cell fits such a
# curve at a bandwidth of 1. The slider then changes the bandwidth and leaves the latent coordinates
# as they are. Watch the curve on the left.

# %% tags=["nbval-ignore-output"]
predict(
    "wide",
    "You make the bandwidth larger and larger. What becomes of the curve?",
    options=[
        "It straightens into the line that PCA would find",
        "It shrinks towards the mean of all reports",
        "It stays a spiral of the same size, only smoother",
        "It bends until it runs through every report",
    ],
    answer="It shrinks towards the mean of all reports",
    because=(
        "At a very large bandwidth all reports are near, so every weighted "
        "mean is the same."
    ),
    tempts=[
        "Many smoothers end in a straight line, but ask which weight each "
        "report has when all of them are near.",
        "More smoothing sounds like a cleaner spiral of the same size, but a "
        "mean of many reports lies inside their crowd.",
        "The curve does so at the other end of the slider, where each "
        "weighted mean consists of a single report.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import LatentScale

model = UKR(n_components=1).fit(Y)  # takes a few seconds
panel = LatentScale(model.embedding_, Y)
panel

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Far to the right, all reports have nearly the same weight, and the curve shrinks to their mean.
# Far to the left, only the nearest report counts, and the curve jumps from report to report.
#
# </details>

# %% [markdown]
# Which bandwidth is right? The two errors on the right are mean squared distances between each
# report and the curve at its latent coordinate. For the *reconstruction error* $R$, the report
# itself takes part in the weighted mean. For the *leave-one-out error* $R_{cv}$, it does not. $R$
# is least at the far left. $R_{cv}$ is least near a bandwidth of 1.
#
# ## What the model has found (2 minutes)
#
# We have made the data, so we know something that the model has not seen: the fraction $t$ of the
# path at which each report was made. Colour shows $t$, from dark (start) to bright (end).

# %%
x = model.embedding_[:, 0]

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.4, 3.6))
figures.data(left, Y, t, title="Reports and fitted curve")
figures.manifold(left, model.embedding_, Y)
figures.order(right, x, t, title="Found coordinate, true position")
figures.show(
    figure,
    "Left: the fitted curve follows the spiral from end to end. Right: the "
    "latent coordinate against the true position is a nearly straight line.",
)

# %%
print("rank correlation above 0.99:", metrics.order_recovered(x, t) > 0.99)

# %% [markdown]
# On the right, the points form a nearly straight line: the model has put the reports in order
# without a clock. (This rank correlation is 1 if two orders agree or are opposite.) Whether the
# line rises or falls is a matter of chance, because positions alone do not tell which end of the
# path came first.
#
# ## Key points
#
# - UKR finds latent coordinates for which weighted means of neighbours form a curve near the data.
#   It minimises the leave-one-out error.
# - A small bandwidth repeats the data, a large one gives their mean. The leave-one-out error is
#   least in between.
#
# **Covered** No equations yet; unit 01 begins with the weighted mean.
#
# **Further** [The course](course.ipynb): all units, exercises and tracks. [Glossary](glossary.ipynb):
# all symbols. Next: [kernel regression and the bandwidth](01_kernel_regression.ipynb).
