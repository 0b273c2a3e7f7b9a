# %% [markdown]
# # One functional, many methods
#
# The mean, k-means, k-medians, PCA and k-planes minimise one functional, and ten lines of code fit
# them all.
#
# **Afterwards you can**
#
# - name the index set, the class of maps and the cost of five methods;
# - write the alternation that fits them, and say why its error never rises;
# - say what a robust cost repairs and what it doesn't;
# - measure how often an alternation ends in a poor minimum.
#
# **You need** [lesson 02](02_unsupervised.ipynb) (data as a function of latent points). **Time** 27
# minutes. **Contents** A photograph and its colours · One functional · Ten lines of code · PCA from
# the same ten lines · Lines for things · Broken readings · Where it ends · From lines to curves ·
# Key points

# %%
import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans
from sklearn.datasets import load_sample_image
from sklearn.decomposition import PCA

from ukrlearn import figures
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation

predict = predictions("22_one_functional")

# %%
review("22_one_functional")  # questions from earlier lessons

# %% [markdown]
# ## A photograph and its colours (2 minutes)
#
# Each pixel of a photograph is a point $y_n$ in space: its red, green and blue readings, between 0
# and 1. Can a few colours, or a few *lines* of colours, stand for all 17,120 pixels?

# %%
photo = load_sample_image("flower.jpg")[::4, ::4] / 255
pixels = photo.reshape(-1, 3)


def sample(seed, N=1000):
    """Some pixels, drawn at random."""
    return pixels[np.random.RandomState(seed).permutation(len(pixels))[:N]]


Y = sample(0)

# %% tags=["aside"]
figure, (left, right) = figures.blank(
    1, 2, size=(8.4, 3.2), projection=[None, "3d"]
)
with figures.style():
    left.imshow(photo)
    left.set(
        title="The photograph",
        xticks=[],
        yticks=[],
        xlabel="107 x 160 pixels",
    )
    right.scatter(*Y.T, c=Y, s=6, depthshade=False)
    right.set(
        title="1000 of its pixels",
        xlabel="red",
        ylabel="green",
        zlabel="blue",
    )
    right.view_init(20, -50)
figures.show(
    figure,
    "Left: an orange flower before dark green leaves. Right: its pixels as "
    "points in colour space. They lie along two bands that meet near black: "
    "leaves along one, petals along the other.",
)

# %% [markdown]
# ## One functional (3 minutes)
#
# We want a *code* $z$ for each pixel, and a map $f$ that turns codes back into colours. The code
# comes from an *index set* $\mathcal{Z}$, and the map from a *class* $\mathcal{F}$. A *cost* $c$
# says how bad it is to replace $y$ by $f(z)$. The *quantization error* is the mean cost of the best
# codes over the distribution $\mu$ of all pixels. It gives a number to each map, so it is a
# *functional*:
#
# $$R[f] = \int \min_{z \in \mathcal{Z}} c(y, f(z))\, d\mu(y). \tag{1}$$
#
# Usually $\mu$ is unknown, and $N$ points stand for it, each a point mass $\delta$ with the weight
# $1/N$:
#
# $$\mu_N(y) = \frac1N \sum_n \delta(y - y_n) \tag{2}$$
#
# $$R_{\mathrm{emp}}[f] = \frac1N \sum_n \min_{z \in \mathcal{Z}} c(y_n, f(z)) \tag{3}$$
#
# Equation numbers are those of [RPM]: Smola, Mika, Schölkopf and Williamson, *Regularized Principal
# Manifolds*, 2001. Three choices name a method. (The numbers in brackets are equations, most of
# them further down.)
#
# | method | index set | class of maps | cost |
# |---|---|---|---|
# | mean, example 1 | one code | constants | squared (4), (5) |
# | k-means, example 2 | $k$ labels | one constant per label | squared (6) |
# | k-medians, example 3 | $k$ labels | one constant per label | L1 (7) or Huber (8) |
# | PCA, example 4 | the real line | lines | squared (9) |
# | generalised PCA, example 5 | the real line | lines | another metric (10) |
# | k-planes | $k$ labels | one plane (or line) per label | squared distance to the plane |
# | principal curves, example 6 | an interval | smooth curves | squared (11) |
#
# ## Ten lines of code (5 minutes)
#
# Codes and map are unknown. For a fixed map, every point finds its best code: a *projection*. For
# fixed codes, the map is refitted: an *adaptation*. Each half step minimises the same error (3), so
# neither can raise it.


# %%
def alternate(Y, f, project, adapt, cost, rounds=100):
    """Project and adapt in turn, until the error stands still."""
    errors = []
    for _ in range(rounds):
        Z, rebuilt = project(Y, f)  # every point takes its best code
        errors.append(np.mean(cost(Y - rebuilt)))  # (3)
        if len(errors) > 1 and errors[-2] - errors[-1] <= 1e-12 * errors[-2]:
            break
        f = adapt(Y, Z, f)  # the map is refitted to these codes
    return f, Z, errors


# %% [markdown]
# For k-means the map is a table of $k$ colours $f_z$, and a code is a row number $z$. (For short,
# the colour $f_z$ itself is called a code, too.) The error is
#
# $$R[f] = \int \min_{z \in \{1, \dots, k\}} |y - f_z|^2\, d\mu(y). \tag{6}$$


# %%
def squared(residuals):
    return np.sum(residuals**2, axis=1)


def nearest(Y, C):
    Z = cdist(Y, C).argmin(axis=1)
    return Z, C[Z]


def means(Y, Z, C):
    return np.array(
        [
            Y[Z == k].mean(axis=0) if (Z == k).any() else C[k]
            for k in range(len(C))
        ]
    )


# %% [markdown]
# With one code, (6) is $\int |y - f|^2 d\mu$ (4), and the best $f$ is the mean (5). With eight
# codes we start our loop and scikit-learn's k-means at the same eight pixels, and compare where
# both end.

# %% tags=["nbval-ignore-output"]
predict(
    "one-code",
    "What is the error (3) of the best map with a single code?",
    options=[
        "the variance, summed over the three readings",
        "zero",
        "the largest eigenvalue of the covariance",
    ],
    answer="the variance, summed over the three readings",
    because=(
        "The best single code is the mean, and the mean squared distance from "
        "the mean is the variance."
    ),
    tempts=[
        "The best map sounds like one without an error, but that would take a "
        "code for each different colour.",
        "The largest eigenvalue is the variance that a line explains, but a "
        "single code explains no direction.",
    ],
    hides=1,
)

# %%
mean, _, errors = alternate(Y, Y[:1], nearest, means, squared)
print("one code: the mean", np.allclose(mean, Y.mean(axis=0)), end=", ")  # (5)
print("the error is the variance", np.isclose(errors[-1], Y.var(axis=0).sum()))
palette, Z, errors = alternate(Y, Y[:8], nearest, means, squared)
theirs = KMeans(8, init=Y[:8], n_init=1, tol=0, max_iter=1000).fit(Y)
print(
    "eight codes: scikit-learn's",
    np.allclose(palette, theirs.cluster_centers_),
)
print("the error never rises:", (np.diff(errors) <= 1e-15).all())

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The variance, summed over the three readings. With eight codes the ten lines are Lloyd's
# algorithm, and so is scikit-learn's k-means.
#
# </details>

# %% [markdown]
# ## PCA from the same ten lines (4 minutes)
#
# Now a code is a real number, and $f(z) = f_0 + z f_1$ is a line in colour space:
#
# $$R[f] = \int \min_z |y - f_0 - z f_1|^2\, d\mu(y). \tag{9}$$
#
# (The paper prints $z \in [0, 1]$ and $|f_1| = 1$, a segment; PCA needs all real $z$.) The best
# code of a point is the foot of its perpendicular. The best line for given codes is a linear
# regression of the colours on the codes.


# %%
def foot(Y, f):
    offset, slope = f
    Z = (Y - offset) @ np.linalg.pinv(slope)
    return Z, offset + Z @ slope


def regression(Y, Z, f):
    inputs = np.column_stack([np.ones(len(Z)), Z])
    W = np.linalg.lstsq(inputs, Y, rcond=None)[0]
    return W[0], W[1:]


# %% [markdown]
# The line starts at black, in a random direction.

# %% tags=["nbval-ignore-output"]
predict(
    "which-line",
    "Where does the alternation of two regressions leave the line?",
    options=[
        "exactly at the first principal component",
        "near it, since regression only looks along one axis",
        "in a local minimum that depends on the first direction",
    ],
    answer="exactly at the first principal component",
    because=(
        "Two regressions in turn are a power iteration for the first "
        "eigenvector of the covariance."
    ),
    tempts=[
        "Each regression does look along one axis, but the other one corrects "
        "it in turn.",
        "Many alternations end in local minima, but this one multiplies by "
        "the same matrix again and again.",
    ],
    hides=1,
)

# %%
begun = np.zeros(3), np.random.RandomState(0).normal(size=(1, 3))
line, _, errors = alternate(Y, begun, foot, regression, squared)
direction = line[1][0] / np.linalg.norm(line[1])
first = PCA(1).fit(Y).components_[0]
print("the first principal component:", np.isclose(abs(direction @ first), 1))
off_line = np.linalg.eigvalsh(np.cov(Y.T, bias=True))[:2].sum()
print(
    "the error is the variance off the line:",
    np.isclose(errors[-1], off_line),
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# At the principal component. `alternate` has not changed; only its parts have. Two regressions in
# turn find an eigenvector of the covariance.
#
# </details>

# %% [markdown]
# Brightness to the eye is about .30 red + .59 green + .11 blue, so let errors count with these
# weights:
#
# $$c(y, f(z)) = (y - f(z))^T D^{-1} (y - f(z)), \tag{10}$$
#
# with the weights on the diagonal of $D^{-1}$. This is the squared cost of $D^{-1/2} y$: rescale
# the data, run the same code, and scale the map back. The direction solves an eigenvalue problem
# with two matrices, the covariance and $D$.

# %%
weights = np.array([0.30, 0.59, 0.11])
root = np.sqrt(weights)  # D^(-1/2)
stretched, *_ = alternate(Y * root, begun, foot, regression, squared)
ours = stretched[1][0] / root
# by D
theirs = (
    np.diag(1 / weights) @ eigh(np.cov(Y.T), np.diag(1 / weights))[1][:, -1]
)
cosine = abs(ours @ theirs) / np.linalg.norm(ours) / np.linalg.norm(theirs)
print("generalised PCA by two matrices:", np.isclose(cosine, 1))

# %% [markdown]
# ## Lines for things (4 minutes)
#
# A thing in light and shade has colours along a line, from dark to bright. So take $k$ lines: a
# label for each point, and PCA for each label's points. This is *k-planes*, here with lines in
# place of planes.


# %%
def nearest_line(Y, lines):
    feet = np.array([foot(Y, line)[1] for line in lines])  # (k, N, 3)
    Z = np.sum((Y - feet) ** 2, axis=2).argmin(axis=0)
    return Z, feet[Z, np.arange(len(Y))]


def principal_lines(Y, Z, lines):
    own = [Y[Z == k] for k in range(len(lines))]
    return [
        principal_line(y) if len(y) > 1 else old
        for y, old in zip(own, lines, strict=True)
    ]


def principal_line(Y):
    return (
        Y.mean(axis=0),
        np.linalg.svd(Y - Y.mean(axis=0), full_matrices=False)[2][:1],
    )


# %% [markdown]
# Five maps are fitted to the 1000 pixels: one colour, two colours, eight colours, one line and two
# lines. Each then rebuilds *all* pixels.

# %% tags=["nbval-ignore-output"]
predict(
    "best-map",
    "Which map has the smallest error on all pixels?",
    options=[
        "eight colours",
        "two lines",
        "one line",
        "two colours",
    ],
    answer="two lines",
    because=(
        "Two things, leaves and petals, make two bands of colours; eight "
        "colours cut each band into steps."
    ),
    tempts=[
        "Eight is more than two, but each of the eight is a single point.",
        "One line has all the shades between its ends, but the photograph "
        "shows more than one thing in light and shade.",
        "There are two things to show, leaves and petals, but each has many "
        "shades.",
    ],
    hides=3,
)

# %% tags=["nbval-ignore-output"]
random = np.random.RandomState(1)
begun_lines = [(y, random.normal(size=(1, 3))) for y in Y[:2]]
lines, *_ = alternate(Y, begun_lines, nearest_line, principal_lines, squared)
pair, *_ = alternate(Y, Y[:2], nearest, means, squared)
colours = {"one colour": mean, "two colours": pair, "eight colours": palette}
rebuilt = {name: nearest(pixels, codes)[1] for name, codes in colours.items()}
rebuilt |= {
    "one line": foot(pixels, line)[1],
    "two lines": nearest_line(pixels, lines)[1],
}
share = {
    k: np.mean(squared(pixels - f)) / pixels.var(axis=0).sum()
    for k, f in rebuilt.items()
}
print(", ".join(f"{name} {part:.3f}" for name, part in share.items()))

# %% tags=["aside"]
assert (
    share["two lines"]
    < share["eight colours"]
    < share["one line"]
    < share["two colours"]
)

# %% tags=["aside"]
figure, axes = figures.blank(1, 4, size=(8.4, 2.0))
for ax, name in zip(
    axes,
    ("two colours", "eight colours", "one line", "two lines"),
    strict=True,
):
    with figures.style():
        ax.imshow(np.clip(rebuilt[name], 0, 1).reshape(photo.shape))
        ax.set(
            title=name,
            xticks=[],
            yticks=[],
            xlabel=f"error {share[name]:.3f}",
        )
figures.show(
    figure,
    "The photograph rebuilt. Two colours: flat shapes. Eight: stepped shades. "
    "One line: shades from dark green to orange; the red heart of the flower "
    "is grey. Two lines: hardly different from the photograph.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# About 1, .19, .055, .14 and .03 of the variance are lost: two lines beat eight colours. (But a
# place on a line takes more memory than a label.) The maps were fitted to 1000 pixels and judged on
# all 17,120: here we know $\mu$ and can compute (1).
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# On 20 other samples the order of the five maps was the same in 16, and in all 20 with the best of
# three starts for the lines.
#
# </details>

# %% [markdown]
# ## Broken readings (5 minutes)
#
# The panel shows the blue and red readings of 200 pixels of another photograph. In 20 of them the
# blue sensor is broken and reads 2, where white is 1. With squared cost, a pixel pulls at its code
# with a force that grows with the distance. Two *robust* costs bound the force: L1, the sum of
# absolute errors,
#
# $$R[f] = \int \min_z |y - f_z|_1\, d\mu(y), \tag{7}$$
#
# and Huber's, a square up to the distance σ (.1 in the panel) and straight from there:
#
# $$c(y, f(z)) = \begin{cases}
# \frac{1}{2\sigma} |y - f(z)|^2 & \text{for } |y - f(z)| \le \sigma, \\
# |y - f(z)| - \frac{\sigma}{2} & \text{otherwise.} \end{cases} \tag{8}$$
#
# Rings in the panel mark the broken pixels, and colours the codes; the chart on the right is the
# error (3). Predict first; then press Step. To begin elsewhere, drag a code.

# %% tags=["nbval-ignore-output"]
predict(
    "wasted-code",
    "Three codes, and 20 of 200 readings are broken: does a robust cost keep "
    "a code from being spent on the broken readings?",
    options=[
        "yes, with Huber's cost and with L1",
        "only with L1",
        "no, a code goes there with any cost",
    ],
    answer="no, a code goes there with any cost",
    because=(
        "A code among the broken readings removes nearly all their cost, "
        "whatever the cost is. A bounded force protects the place of a code, "
        "not the number of codes."
    ),
    tempts=[
        "A robust cost bounds the pull of the broken readings, but ask what "
        "they cost if no code is near them.",
        "Huber's cost is a square near zero, and L1 is not, but ask what "
        "distant readings cost under each of them.",
    ],
    hides=0,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Quantizer

panel = Quantizer.example()
panel

# %% tags=["nbval-ignore-output"]
predict(
    "turned-line",
    "One line: by how many degrees do the broken readings turn it with "
    "squared cost? With Huber's cost it is 4.",
    number=True,
    answer=18,
    within=6,
    because=(
        "The tilt falls from 40 to 22 degrees with squared cost, and to 36 "
        "with Huber's."
    ),
    hides=1,
)

# %%
other = Quantizer.example()
for cost, reading in (("squared", 0.5), ("squared", 2.0), ("Huber", 2.0)):
    said = other.set(
        codes="one line", cost=cost, reading=reading, frame=24
    ).summary()
    tilted = said[said.index("tilted") : said.index("°")]
    print(f"{cost} cost, broken readings at {reading}: a line {tilted}°")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Three codes: no. A code among the broken readings removes nearly all their cost, whatever the cost
# is. (If the broken sensor reads 1.25, this hardly ever happens.) A bounded force protects the
# *place* of a code, not the number of codes that are left for the data.
#
# One line: with the readings at an ordinary .5 it is tilted by 40°. At 2 it is tilted by 22° with
# squared cost, and by 36° with Huber's.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# On 20 other draws the best of ten starts wasted a code every time, with each of the three costs.
# On 20 other draws the line turned by 15 to 21 degrees with squared cost, and by 3 to 4 with
# Huber's.
#
# </details>

# %% [markdown]
# ## Where it ends (2 minutes)
#
# No half step goes uphill, so the alternation stops in the first valley (local minimum) it reaches.
# How often is that a poor one? We draw 20 fresh samples of 500 pixels, and fit four colours to each
# from ten random starts.

# %% tags=["nbval-ignore-output"]
poor = []
for seed in range(100, 120):
    some, random = sample(seed, 500), np.random.RandomState(seed)
    starts = [some[random.permutation(500)[:4]] for _ in range(10)]
    ends = [alternate(some, C, nearest, means, squared)[2][-1] for C in starts]
    poor.append(np.mean(np.array(ends) > 1.05 * min(ends)))
print(
    f"more than 5 % above the best: {np.mean(poor):.0%}, {min(poor):.0%} to "
    f"{max(poor):.0%}"
)

# %% tags=["aside"]
assert 0.1 < np.mean(poor) < 0.7

# %% [markdown]
# Nearly half of the fits end more than 5 % above the best of their ten; in some samples none, in
# others eight. So keep the best of several starts. PCA needs no second start: every random line
# ends at the principal component.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# PCA: on 20 fresh samples each random line ended at the principal component.
#
# </details>

# %% [markdown]
# ## From lines to curves (2 minutes)
#
# Why not let $f$ be any continuous curve over an interval ($q=1$), or surface over a square
# ($q=2$)?
#
# $$R[f] = \int \min_{z \in [0, 1]^q} |y - f(z)|^2\, d\mu(y) \tag{11}$$
#
# A curve through all 1000 pixels, in any order, has $R_{\mathrm{emp}} = 0$. Such a curve has learnt
# nothing, and (3) cannot choose between such curves. The class must be small. In k-means the number
# of codes keeps it small; [lesson 23](23_principal_manifolds.ipynb) keeps the ten lines of code and
# penalises rough curves.
#
# Codes are the latent points of earlier lessons. UKR ([lesson 02](02_unsupervised.ipynb)) computes
# $f$ from them. DRUR ([lesson 18](18_two_maps.ipynb)) has a second map, for the codes, and
# alternates, too.
#
# ## Key points
#
# - One functional, (1) or (3): index set, class of maps and cost name the method.
# - One alternation fits it: project, adapt. The error never rises; it may end in a poor valley.
# - Another metric (10) amounts to rescaling the data.
# - Robust costs (7), (8) bound the pull of a point, but outliers can still win a code.
# - With too large a class of maps, a small error means nothing.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "N", "q", "predict", "cost", "distortion", "huber_sigma"),
    paper="rpm",
)

# %% [markdown]
# The [appendix](appendix_rpm.ipynb) lists all claims of the paper with our measurements.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# With 10 % outliers, the distance from the truth under Huber's cost is about an eighth of that
# under squared cost (*measured: 0.13 (0.07–0.33), 18 of 20*).
#
# </details>

# %% [markdown]
# **Covered** (1) to (11), examples 1 to 6.
#
# **Further**
#
# - To do: [exercise 24: project and adapt](../exercises/24_project_adapt.ipynb), [exercise 25:
#   Huber's weights](../exercises/25_huber_reweighting.ipynb), [exercise 26:
#   k-planes](../exercises/26_k_planes.ipynb).
# - Next: [lesson 23](23_principal_manifolds.ipynb).
# - In the library: `rpm.instances` has all methods of the table but the last;
#   `rpm.quantization.quantize` is the alternation.
# - In loops: `explicit.quantization_error`, `best_codes`, `refit_means`, `refit_medians`.
