# %% [markdown]
# # How stiff should it be?
#
# A regulariser decides which curves are cheap. This lesson shows which curves several regularisers
# call rough, and what happens to a curve if the penalty is too large.
#
# **Afterwards you can**
#
# - read off a kernel what a wave of each frequency costs;
# - say why a large penalty λ leaves a point with one kernel and a line with another;
# - choose a kernel for closed curves, and a regulariser that uses few basis functions;
# - explain why the number of basis functions does not matter here, but does with another regulariser;
# - compare three ways of saying "not too wild" on one spiral.
#
# **You need** [lesson 23](23_principal_manifolds.ipynb); lessons [04](04_leave_one_out.ipynb) and
# [05](05_density_constraint.ipynb) help. **Time** 28 minutes. **Contents** A pipe with twelve
# gauges · The price of a wave · As stiff as can be · Closed curves · Fair, or with few bumps · How
# many bumps? · Three ways to be tame · The pipe again · Key points

# %%
import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from ukrlearn import PrincipalManifold, datasets, figures, metrics
from ukrlearn.blocks import descent, kernel_regression, starts
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.rpm import adaptation, kernels
from ukrlearn.rpm.index_sets import Box, Torus
from ukrlearn.rpm.maps import Basis
from ukrlearn.rpm.principal_manifold import principal_manifold, start_from

predict = predictions("24_stiffness")
arc, _ = datasets.noisy_arc(150, random_state=0)

# %%
review("24_stiffness")  # questions from earlier lessons

# %% [markdown]
# ## A pipe with twelve gauges (2 minutes)
#
# Oil, water and gas flow through a pipe in one of three ways. Twelve gauges measure the flow, and
# we want a map in the plane that separates the three ways. (We simulate the data of figure 3 of
# [RPM], the paper of lesson 23.) The best *flat* map is PCA.

# %%
flow, labels = datasets.simulated_oil_flow(300, random_state=0)
ways = ("homogeneous", "annular", "stratified")


# how often five neighbours on the map name the class of a left-out point
def accuracy(X):
    return cross_val_score(KNeighborsClassifier(5), X, labels, cv=5).mean()


flat = starts.pca(flow, 2)

# %% tags=["nbval-ignore-output", "aside"]
figure, ax = figures.blank(size=(5, 4))
figures.latent(
    ax,
    flat,
    labels=labels,
    names=ways,
    title=f"PCA: {accuracy(flat):.0%} correct",
)
figures.show(
    figure,
    "PCA of the oil flow: the three classes overlap in the middle of the map.",
)

# %% [markdown]
# A bent surface can do better, if it is stiff enough to have a shape and limp enough to follow the
# data. What makes it stiff? We look at curves first.
#
# ## The price of a wave (4 minutes)
#
# Lesson 23 has added $\frac\lambda2 \|Pf\|^2$ to the error. The operator $P$ and the kernel $k$
# must belong together:
#
# $$\langle P k(z_i, \cdot),\, P k(z_j, \cdot) \rangle = k(z_i, z_j) \tag{15}$$
#
# Take the slope for $P$. Its kernel on $[-1, 1]$ is $1 + \min(z, z')$, since the slope of
# $k(z_i, \cdot)$ is 1 up to $z_i$ and then 0: the integral of two such slopes is as long as they
# overlap. A curve then pays for the square of its speed. At constant speed this is the square of
# its length.

# %%
z = np.linspace(-1, 1, 20001)
slope = lambda node: (z < node).astype(float)
right = kernels.Length()(np.array([[0.3]]), np.array([[-0.4]]))[0, 0]
print(
    "left and right side of (15):",
    round(np.mean(slope(0.3) * slope(-0.4)) * 2, 3),
    right,
)

# %% [markdown]
# Both are 0.6: the slopes overlap from -1 to -0.4.
#
# The Gaussian kernel of lesson 23 belongs to an operator that feels *all* derivatives $D^n$:
#
# $$\|Pf\|^2 = \int \sum_{n=0}^\infty \frac{\sigma^{2n}}{n!\, 2^n}\, (D^n f(z))^2\, dz \tag{19}$$
#
# For a wave of frequency ω each derivative contributes a factor ω², and the sum is
# $e^{\sigma^2\omega^2/2}$. Every kernel has such a price list: up to a factor, one over its Fourier
# transform. Two more are below: the *B-spline*, a bump of cubic pieces, and the *thin plate*, whose
# $P$ is the second derivative.

# %% tags=["nbval-ignore-output"]
predict(
    "free-waves",
    "For which of the four kernels is a very slow wave (frequency near 0) "
    "free?",
    options=[
        "all four",
        "length and thin plate",
        "Gaussian and B-spline",
        "the thin plate only",
    ],
    answer="length and thin plate",
    because=(
        "Only derivatives count there. The sum (19) of the Gaussian begins "
        "with the function itself."
    ),
    tempts=[
        "A very slow wave hardly changes, but some kernels charge for the "
        "values of a curve as well.",
        "The smoothest kernels seem the most lenient, but look at the first "
        "term of the sum (19).",
        "The thin plate charges for bends only, but ask how large any "
        "derivative of a very slow wave is.",
    ],
    hides=2,
)

# %%
frequency = np.linspace(0.05, 10, 200)
prices = {
    "Gaussian, σ = 0.5": np.exp(0.5**2 * frequency**2 / 2),
    # knots at distance 0.5
    "B-spline": (frequency / 4 / np.sin(frequency / 4)) ** 4,
    "length (slope)": frequency**2,
    "thin plate (bend)": frequency**4,
}

# %% tags=["aside"]
figure, ax = figures.blank(size=(6.4, 3.6))
words = {"title": "What a wave costs", "across": "frequency ω", "up": "price"}
figures.lines(ax, frequency, prices, log="y", **words)
ax.set_ylim(1e-3, 1e6)
figures.show(
    figure,
    "Length and thin plate begin at price zero, Gaussian and B-spline at 1; "
    "the Gaussian ends highest.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# For length and thin plate. Only derivatives count there. The Gaussian's sum (19) begins with
# $n = 0$, the function itself, so there even a slow wave costs something.
#
# </details>

# %% [markdown]
# ## As stiff as can be (3 minutes)
#
# We fit the arc of lesson 23 with three kernels, and print the curve's length at λ = .001, 10 and
# 1000, a huge penalty. (The constant $f_0$ of (16) is free.)

# %% tags=["nbval-ignore-output"]
predict(
    "huge-penalty",
    "What is left of the curve with the Gaussian kernel?",
    options=[
        "a straight line, the stiffest curve",
        "a point",
        "an arc of the same length with less bend",
    ],
    answer="a point",
    because=(
        "A line pays for its slope and, in (19), for its values too. Only the "
        "constant is free."
    ),
    tempts=[
        "A line is the stiffest curve when only bending costs, but (19) "
        "charges for more than bending.",
        "A penalty on bends alone would not shorten a line, but (19) charges "
        "for slopes, too.",
    ],
    hides=2,
)

# %%
line = np.linspace(-1, 1, 401)[:, None]


def fitted(
    Y, kernel, penalty, M, fit_of=adaptation.quadratic, codes=None, X=None
):
    """The map after 40 half steps, from (35) or from coordinates X."""
    codes = codes or Box(1)
    nodes = codes.lattice(M)
    fit = fit_of(Basis(kernel, nodes), penalty)
    start = None if X is None else start_from(X, Y, codes, fit)
    steps = principal_manifold(Y, codes, fit, nodes, start=start)
    return descent.last(descent.at_most(steps, 40)).f


length = lambda f: np.linalg.norm(np.diff(f(line), axis=0), axis=1).sum()

# %% tags=["nbval-ignore-output"]
for kernel in (kernels.Gaussian(1.0), kernels.Length(), kernels.ThinPlate()):
    lengths = [
        length(fitted(arc, kernel, penalty, 20))
        for penalty in (1e-3, 10, 1000)
    ]
    print(
        f"{type(kernel).__name__:10}", *(f"{value:.1f}" for value in lengths)
    )

# %% tags=["aside"]
assert (
    lengths[-1] > 2.5
    and length(fitted(arc, kernels.Gaussian(1.0), 1000, 20)) < 0.01
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# A *point*, not a line, with the Gaussian and with length: a line pays for its slope, and in (19)
# for its values too. Only a constant is free. With the thin plate lines are free, and the curve
# becomes the principal line, 3.0 long. With a Gaussian, "stiffer" means "shorter", not
# "straighter".
#
# </details>

# %% [markdown]
# ## Closed curves (2 minutes)
#
# If the ends should meet, take waves that fit into the period τ,
#
# $$k(z, z') = \sum_{j \ge 1} c_j \cos\tfrac{2\pi j}\tau z \cos\tfrac{2\pi j}\tau z'
# + s_j \sin\tfrac{2\pi j}\tau z \sin\tfrac{2\pi j}\tau z' \tag{20}$$
#
# with coefficients $c_j, s_j \ge 0$, or lay any kernel $\tilde k$ around the circle:
#
# $$k(z, z') = \sum_{j=-\infty}^\infty \tilde k(z - z' - j\tau) \tag{21}$$
#
# With a Gaussian $\tilde k$ both are the same, up to a constant. Codes then live on a circle too
# (`Torus`): a code that leaves at one end comes back at the other, while in an interval (`Box`) it
# stops.

# %%
j = np.arange(1, 30)
# τ = 2, σ = 0.5; s = c
c = np.sqrt(2 * np.pi) * 0.5 * np.exp(-((np.pi * j * 0.5) ** 2) / 2)
# cos cos + sin sin
waves = np.cos(np.pi * np.subtract.outer(z[::400], 0.3)[:, None] * j) @ c
wrapped = kernels.Periodic(0.5)(z[::400, None], np.array([[0.3]]))[:, 0]
print(
    "(21) minus (20) is a constant:", np.allclose(np.ptp(wrapped - waves), 0)
)

# %% tags=["nbval-ignore-output"]
ring, _ = datasets.partitioned_circle(
    150, n_arcs=1, gap=0.01, noise=0.1, random_state=0
)
for codes, kernel in (
    (Box(1), kernels.Gaussian(0.5)),
    (Torus(1), kernels.Periodic(0.5)),
):
    first, last = fitted(ring, kernel, 1e-4, 20, codes=codes)(line[[0, -1]])
    gap = np.linalg.norm(last - first)
    print(f"{type(codes).__name__:5}: distance between the ends {gap:.1f}")

# %% tags=["aside"]
assert gap < 1e-9

# %% [markdown]
# ## Fair, or with few bumps (4 minutes)
#
# Why $\|Pf\|^2$? Ask for three things: $Q$ is never negative, grows with the square, and does not
# change if a rotation $\rho(g)$ turns the data.
#
# $$Q[f] \ge 0 \tag{23}$$
#
# $$Q[af] = a^2 Q[f] \tag{24}$$
#
# $$Q[\rho(g) f] = Q[f] \tag{25}$$
#
# From (23) and (24) the paper concludes that $Q$ is a quadratic form, $\langle Pf, Pf \rangle$.
# (This must be assumed: the square of (22) satisfies both, and is not a quadratic form.) So (25)
# reads
#
# $$\langle Pf, Pf \rangle = \langle P\rho(g)f, P\rho(g)f \rangle, \tag{26}$$
#
# the same for two functions, by $f + f'$ and $f - f'$,
#
# $$\langle Pf, Pf' \rangle = \langle P\rho(g)f, P\rho(g)f' \rangle, \tag{27}$$
#
# and so $P^*P$, with the adjoint $P^*$, commutes with every rotation:
#
# $$P^*P\, \rho(g) = \rho(g)\, P^*P. \tag{28}$$
#
# The remaining operators act on each coordinate of $f$ separately and in the same way, as ours do.
# Another regulariser aims at *sparsity*, that is, few nonzero coefficients:
#
# $$Q[f] = \sum_{j=1}^M |\alpha_j|_1 \tag{22}$$
#
# Its adaptation minimises a quadratic function of $\alpha = \alpha^+ - \alpha^-$, two nonnegative
# parts:
#
# $$\frac1m \sum_n \Bigl|y_n - \sum_j (\alpha^+_j - \alpha^-_j)\, k(z_j, \zeta_n)\Bigr|^2
# + \lambda \sum_j \langle \alpha^+_j + \alpha^-_j, \vec 1 \rangle \tag{34}$$
#
# We turn the data by 35 degrees and fit again with both regularisers, (13) of lesson 23 and (22).

# %% tags=["nbval-ignore-output"]
predict(
    "turned-data",
    "Which of the two curves turns with the data?",
    options=[
        "both",
        "the one with (13) only",
        "the one with (22) only",
        "neither",
    ],
    answer="the one with (13) only",
    because=(
        "(22) adds up the absolute values of single coordinates, and a "
        "rotation mixes coordinates."
    ),
    tempts=[
        "A curve should not depend on the axes, but ask what each regulariser "
        "adds up.",
        "Absolute values sound like lengths, which a rotation keeps, but (22) "
        "takes them of single coordinates.",
        "A rotation changes all coordinates, but it keeps lengths and angles, "
        "and one regulariser uses nothing else.",
    ],
    hides=1,
)

# %%
turn = np.array([[np.cos(0.6), -np.sin(0.6)], [np.sin(0.6), np.cos(0.6)]])
for name, fit_of in (
    ("(13)", adaptation.quadratic),
    ("(22)", adaptation.linear),
):
    f, turned = (
        fitted(Y, kernels.Gaussian(0.5), 1e-3, 40, fit_of)
        for Y in (arc, arc @ turn)
    )
    same = np.allclose(f(line) @ turn, turned(line), atol=1e-6)
    bumps = np.any(f.alpha, axis=1).sum()
    print(
        f"{name}: turns with the data: {same!s:5}  at most 12 bumps: "
        f"{bumps <= 12}"
    )

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The curve with (13) turns with the data, and the curve with (22) does not: (22) violates (24) and
# (25). In exchange it uses few of the 40 bumps.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# The curve with (22) did not turn with the data on 20 other draws either. It used 5 to 9 of 40
# bumps on ten draws of 300 points.
#
# </details>

# %% [markdown]
# ## How many bumps? (4 minutes)
#
# GTM (generative topographic mapping), a relative of this method, charges $\frac12 \sum_j |\alpha_j|^2$
# instead of (17) of lesson 23: a *ridge* on the coefficients, as if bumps that overlap had nothing
# to do with each other. The panel fits the arc with both.
#
# Predict first; then move the number of bumps.

# %% tags=["nbval-ignore-output"]
predict(
    "more-bumps",
    "You raise the number of bumps from 10 to 80. Which of the two curves "
    "changes?",
    options=[
        "the ridge's curve",
        "the curve with (17)",
        "both: more bumps follow the noise",
        "neither",
    ],
    answer="the ridge's curve",
    because=(
        "Each new bump makes the same curve cheaper to write for the ridge, "
        "so the number of bumps acts as a second knob on λ."
    ),
    tempts=[
        "A sum over all pairs of bumps seems to grow with their number, but "
        "(17) depends on the curve and not on how it is written.",
        "More bumps can follow the noise where nothing holds them back, but "
        "both curves pay a penalty.",
        "The number λ stays the same, but ask what each penalty adds up.",
    ],
    hides=0,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import NodeCount

panel = NodeCount(arc, datasets.arc_curve(np.linspace(0, 1, 300)))
panel

# %% tags=["nbval-ignore-output"]
for M in (10, 20, 40, 80):
    values = np.linalg.eigvalsh(
        kernels.Gaussian(1.0)(*[Box(1).lattice(M)] * 2)
    )
    print(
        f"M = {M}: numerical rank of K_z",
        rank := np.sum(values > 1e-12 * values[-1]),
    )
    assert 9 <= rank <= 11

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The ridge's curve. Every new bump makes the same curve cheaper to write, so $M$ acts as a second
# knob on λ. With (17) the curve stands still. The rank of $K_z$ says why: to twelve digits there
# are only about ten different functions at width 1, however many bumps you use to write them.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Length with 80 bumps over length with 10, on ten draws of 300 points: 1.00 (every time) with (17),
# and 1.35 (1.35 to 1.37) with the ridge.
#
# </details>

# %% [markdown]
# ## Three ways to be tame (5 minutes)
#
# You now know three knobs. UKR has the bandwidth $h$, which the leave-one-out error $R_{cv}$
# chooses (lesson 04), or the density threshold η, which forbids latent points to be alone (lesson
# 05); this method has λ. We put the points of one spiral in their true order and turn one knob at a
# time. For η only the scale of the coordinates follows: the largest at which no density is below η.
# Distances are in units of the noise.

# %%
spiral, t = datasets.noisy_spiral(200, noise=0.05, random_state=0)
clean, X = datasets.spiral_curve(np.linspace(0, 1, 600)), 2 * t[:, None] - 1
grid = np.linspace(-1, 1, 601)[:, None]


def by_threshold(eta):
    scales = np.geomspace(1, 1000, 300)
    lowest = [
        np.exp(-((s * (X - X.T)) ** 2) / 2).mean(axis=1).min() for s in scales
    ]
    return scales[np.sum(np.array(lowest) >= eta) - 1]


# %%
smooth = lambda s: kernel_regression.predict(grid * s, X * s, spiral)
stiff = lambda p: fitted(spiral, kernels.Gaussian(0.1), p, 60, X=X)(grid)
knobs = {
    "bandwidth h": {h: smooth(1 / h) for h in (0.005, 0.02, 0.1)},
    "threshold η": {
        eta: smooth(by_threshold(eta)) for eta in (0.0055, 0.01, 0.1)
    },
    "penalty λ": {p: stiff(p) for p in (1e-7, 1e-3, 0.1)},
}

# %%
near = metrics.distance_to_curve

# %% tags=["nbval-ignore-output"]
figure, axes = figures.blank(1, 3, size=(8.4, 4.0))
for ax, (name, curves) in zip(axes, knobs.items(), strict=True):
    figures.data(ax, spiral, title=name)
    for k, (value, curve) in enumerate(curves.items()):
        style, color = ("-", "--", ":")[k], figures.COLORS[k]
        ax.plot(*curve.T, style, color=color, lw=1.8, label=f"{value:g}")
    below = dict(loc="upper center", bbox_to_anchor=(0.5, -0.16))
    ax.legend(**below, ncols=3, frameon=False)
    both_ways = [near(clean, f) + near(f, clean) for f in curves.values()]
    off = [f"{both / 2 / 0.05:.1f}" for both in both_ways]
    print(f"{name}: distance from the truth, in noises:", *off)
figures.show(
    figure,
    "The spiral three times: one curve follows the noise, one follows the "
    "spiral, one shrinks inwards.",
)

# %% [markdown]
# All three knobs have the same two extremes: the noise on one side, the mean of the data on the
# other. Their best values come equally near to the truth. The knobs differ in who chooses their
# value. $R_{cv}$ costs nothing extra and chooses $h$ nearly as well as possible; λ needs refits on
# part of the data; nothing in the data chooses η.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# On 20 other draws the best values of all three come within 0.2 to 0.4 noises of the truth. The
# choice of $R_{cv}$ was never more than 0.06 noises worse than the best $h$.
#
# </details>

# %% [markdown]
# ## The pipe again (4 minutes)
#
# The paper's figure 3: 49 nodes, width 1, λ = 0.01. Both conventions of lesson 23:

# %%
options = {"width": 1.0, "n_basis": 49, "penalty": 0.01, "max_iter": 20}

# %% tags=["nbval-ignore-output"]
figure, axes = figures.blank(1, 2, size=(8.4, 4.1))
for ax, convention in zip(axes, ("mean", "sum"), strict=True):
    surface = PrincipalManifold(
        2, penalty_convention=convention, **options
    ).fit(flow)
    X, share = surface.embedding_, surface.boundary_share_
    title = (
        f"λ beside the {convention}: {accuracy(X):.0%}, {share:.0%} at the "
        "border"
    )
    figures.latent(ax, X, labels=labels, names=ways, title=title)
figures.show(
    figure,
    "Left many points crowd on the border and classes overlap; right the "
    "classes are in patches.",
)

# %% [markdown]
# This is one draw. Here are ten draws of 500 points, with five neighbours on the map:
#
# | map | correct, median | least to most |
# |---|---|---|
# | PCA | 86.5 % | 76.6 to 89.8 |
# | λ beside the mean | 72.0 % | 64.6 to 88.2 |
# | λ beside the sum | 91.7 % | 88.2 to 97.2 |
# | λ beside the sum, three dimensions (figure 4) | 97.6 % | 95.4 to 98.4 |
# | UKR from Isomap, 300 points | 96.5 % | 92.7 to 98.0 |
#
# The paper says that the surface shows the classes much better than PCA, and three dimensions
# better still. With the sum both statements hold. With the mean, (33) as printed, the surface is
# too stiff, as its crowded border shows, and *worse* than PCA. UKR is often better than the surface
# with the sum, but it had a better start.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# With the sum, the surface beat PCA on ten of ten draws, and three dimensions beat two on nine.
# With the mean, the surface was worse than PCA on ten of ten draws of 300 points. UKR was better
# than the surface with the sum on seven of these ten.
#
# </details>

# %% [markdown]
# ## Key points
#
# - A kernel is a price list for waves. With the Gaussian, $\lambda \to \infty$ leaves a point.
# - Quadratic regularisers of the form $\|Pf\|^2$ turn with the data; the sparse one does not.
# - With $\|Pf\|^2$ the number of bumps costs only time. With a ridge it changes the result.
# - Bandwidth, threshold and penalty all limit how wild a curve can be. What matters is who chooses
#   the value.
#
# **Notation**

# %%
notation.table(
    *(
        "latent_kernel",
        "width",
        "roughness",
        "coefficients",
        "K_z",
        "n_basis",
    ),
    *("penalty",),
    paper="rpm",
)

# %% [markdown]
# The [appendix](appendix_rpm.ipynb) lists all claims of the paper with our measurements.

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In twenty draws, nearly all settings come nearer to the truth than the noise (*measured: share of
# 18 settings: 1.00 (0.98–1.00), 18 of 20*). With 80 nodes in place of 10 the length is the same
# (*measured: 1.00 (1.00–1.00), 20 of 20*), but not with GTM's regulariser (*measured: 1.36
# (1.35–1.37), 20 of 20*). Of 40 nodes the linear regulariser uses few (*measured: 7 (6–8), 20 of
# 20*).
#
# </details>

# %% [markdown]
# **Covered** (15), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (34); figures 3 and 4.
#
# **Further**
#
# - Before: [principal manifolds](23_principal_manifolds.ipynb), with exercises 27 and 28.
# - In the library: `PrincipalManifold(kernel=..., topology="periodic", regularizer="linear")`;
#   kernels in `rpm.kernels`; GTM in `rpm.gtm`.
# - In loops: `explicit.rpm.periodic_kernel`, `sparse_error`.
