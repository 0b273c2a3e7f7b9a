# %% [markdown]
# # Springs: what moves the points, and what eigenvectors know
#
# The gradients of SNE and UKR are springs. If the springs never change, eigenvectors replace the
# descent, and they show where a descent should begin.
#
# **Afterwards you can**
#
# - read both gradients as springs, and say which pairs of points pull together and which push apart;
# - check that eigenvectors solve the spectral problem, and say why it needs its constraints;
# - read clusters from the eigenvectors of an affinity matrix, and say what its bandwidth does;
# - explain why t-SNE and UMAP exaggerate the attraction or start from eigenvectors.
#
# **You need** [lesson 14](14_neighbour_embedding.ipynb) (SNE); eigenvectors of symmetric matrices.
# **Time** 27 minutes. **Contents** Ten maps that cross · Springs · Springs that never change ·
# Spectral clustering · The first moves of SNE · From SNE to t-SNE and UMAP · Key points

# %%
import inspect

import numpy as np
from matplotlib.offsetbox import AnnotationBbox, OffsetImage
from scipy.spatial.distance import cdist

from ukrlearn import SNE, UKR, datasets, figures, sgd
from ukrlearn.blocks import descent, starts
from ukrlearn.blocks.springs import Springs
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation
from ukrlearn.explicit.matrices import sgd as matrices
from ukrlearn.sgd import neighbor_embedding
from ukrlearn.ukr.reconstruction import pair_forces, reconstruction_error

predict = predictions("15_springs")
Y, t = datasets.partitioned_circle(150, random_state=0)
arc, h = np.floor(3 * t).astype(int), 0.3  # arc 0, 1 or 2; the bandwidth

# %%
review("15_springs")  # questions from earlier lessons

# %% [markdown]
# ## Ten maps that cross (3 minutes)
#
# In [lesson 14](14_neighbour_embedding.ipynb) a camera was turned around a seven, and SNE had to
# put the 90 images in order. Two of twelve random starts gave a closed curve without a crossing.
# Here is one of the other ten.

# %%
sevens, angle = datasets.rotated_digits(1, 90, random_state=0)


def draw_images(ax, X, title, every=6):
    """A map of the sevens, with some of the images at their places."""
    ax.plot(*np.append(X, X[:1], axis=0).T, color="#999999", lw=1)
    figures.latent(ax, X, angle, title=title)
    for k in range(0, 90, every):
        small = OffsetImage(-sevens[k].reshape(16, 16), cmap="gray", zoom=1.8)
        ax.add_artist(AnnotationBbox(small, X[k], frameon=False))


# %% tags=["nbval-ignore-output"]
figure, ax = figures.blank(size=(6, 4.4))
draw_images(
    ax,
    SNE(h=10, random_state=2).fit_transform(sevens),
    "SNE from a random start",
)
figures.show(
    figure,
    "A map of images of a turned seven: a closed curve that crosses itself "
    "once.",
)

# %% [markdown]
# Is there a start without this risk? We first ask what moves the points.
#
# ## Springs (5 minutes)
#
# Read the gradient (4) of SNE once more. Each term lies along the line between two points.
# Downhill, point $l$ is drawn towards point $i$ by
#
# $$\frac2N\, W_{il}\,(x_i - x_l), \qquad W_{il} = P_{il} + P_{li} - Q_{il} - Q_{li}.$$
#
# This is the force of a spring of rest length zero with stiffness $W_{il}$. A negative stiffness
# pushes. UKR's gradient has the same form, (29) of [UKR], with another stiffness (lesson 06). So
# one class of the library serves both. We take the nine points of lesson 14.

# %%
Y_9, t_9 = datasets.partitioned_circle(9, noise=0.03, random_state=0)
arc_9 = np.floor(3 * t_9).astype(int)
X_9 = 0.7 * np.random.RandomState(1).normal(size=(9, 2))
P_9, Q_9 = (
    matrices.neighbor_probabilities(Y_9, h),
    matrices.neighbor_probabilities(X_9),
)


# %%
def gradient_of_pairs(one_sided, X):
    springs = Springs.between(X)
    springs.add(slice(0, len(X)), one_sided)  # this adds the transpose, too
    return 2 / len(X) * springs.forces()


of_sne, of_ukr = (
    matrices.neighbor_embedding_error(X_9, P_9),
    reconstruction_error(X_9, Y_9),
)
S = pair_forces(X_9, Y_9)  # of UKR; S + Sᵀ is minus its stiffness
print("SNE:", np.allclose(gradient_of_pairs(Q_9 - P_9, X_9), of_sne[1]))
print("UKR:", np.allclose(gradient_of_pairs(S, X_9), of_ukr[1]))

# %% tags=["nbval-ignore-output"]
predict(
    "pull",
    "Nine points on three arcs, at random places in the map. Which pairs pull "
    "together in SNE?",
    options=[
        "pairs from the same arc",
        "pairs that are close together in the map",
        "all pairs pull; nothing pushes",
    ],
    answer="pairs from the same arc",
    because=(
        "At random places they choose each other less often than the data do, "
        "so W > 0."
    ),
    tempts=[
        "Closeness on the map looks like a bond, but the pull comes from the "
        "choices of the data, less those of the map.",
        "Springs usually pull, but a stiffness in SNE is a difference of "
        "probabilities and may be negative.",
    ],
    hides=3,
)

# %%
W = (P_9 - Q_9) + (P_9 - Q_9).T

# %% tags=["aside"]
figure, (left, right) = figures.blank(1, 2, size=(8.44, 4.2))
figures.springs(left, X_9, W, labels=arc_9, title="SNE (4)")
figures.springs(right, X_9, -(S + S.T), labels=arc_9, title="UKR, [UKR] (29)")
figures.show(
    figure,
    "Nine points and the springs between all pairs. SNE: blue lines within "
    "the three arcs, orange lines between them. UKR: the same within the "
    "arcs, and a mixture between them.",
)

# %%
pair, same_arc = (
    np.triu(np.ones((9, 9), dtype=bool), 1),
    arc_9[:, None] == arc_9,
)
for name, pulls in {"SNE": W > 0, "UKR": -(S + S.T) > 0}.items():
    within, between = pulls[pair & same_arc], pulls[pair & ~same_arc]
    print(
        f"{name}: {within.sum()} of {within.size} pairs within an arc pull,",
        end=" ",
    )
    print(f"{between.sum()} of {between.size} between arcs")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Solid blue lines pull, dashed orange lines push, and thicker lines are stronger. The markers show
# the arcs; each arrow is the sum of the forces on its point. In SNE pairs from the same arc pull;
# the one exception is closer together than it should be. UKR has no simple rule for a pair: whether
# $y_j$ helps to rebuild $y_i$ depends on what is still missing, so some pairs from different arcs
# pull.
#
# </details>

# %% [markdown]
# In both methods the stiffness changes while the points move, so both errors have many minima.
#
# ## Springs that never change (5 minutes)
#
# Now let the stiffness be *constant*: $K_{ij} = \exp(-|y_i - y_j|^2 / h)$ depends on the data
# alone. The energy of these springs is quadratic in $X$,
#
# $$\tfrac12 \sum_{ij} K_{ij} |x_i - x_j|^2 = \mathrm{tr}(X^T L X), \qquad L = D - K,$$
#
# with the row sums of $K$ on the diagonal of $D$; the matrix $L$ is called a graph Laplacian. With
# $P = L$ this is the paper's
#
# $$E(X) = \mathrm{tr}(X^T P X) \tag{10}$$

# %% tags=["nbval-ignore-output"]
predict(
    "collapse",
    "All these springs pull. Where do the points end if nothing else holds "
    "them?",
    options=[
        "in clusters, far apart",
        "in one place",
        "at the principal components",
    ],
    answer="in one place",
    because="There every spring has length zero, and so has the energy.",
    tempts=[
        "Springs within an arc are stiffer, so clusters might form, but "
        "weaker springs also tie the clusters to each other.",
        "Springs like these do lead to eigenvectors, as PCA does, but only "
        "under a condition on the size of the map.",
    ],
)

# %% [markdown]
# A map needs conditions on the size and the place of $X$:
#
# $$\frac1N X^T X = I_q, \qquad X^T \mathbf 1 = 0 \tag{11}$$
#
# Each coordinate has mean zero ($\mathbf 1$ is a column of ones) and variance one, and the
# coordinates are uncorrelated. By the theorem of Rayleigh and Ritz, which also gives principal
# components, the best such $X$ consists of eigenvectors of $L$ times $\sqrt N$, those with the
# lowest eigenvalues above zero. There is no start, no step and no other minimum. We try to beat it
# with a thousand random $X$ that satisfy (11):

# %%
K = np.exp(-cdist(sevens, sevens, "sqeuclidean") / 10)
L = np.diag(K.sum(axis=1)) - K
# in ascending order; the first is the constant vector
values, vectors = np.linalg.eigh(L)
X_best = np.sqrt(90) * vectors[:, 1:3]
energy = lambda X: np.trace(X.T @ L @ X)  # (10)
random = np.random.RandomState(0)
draws = [random.normal(size=(90, 2)) for _ in range(1000)]
others = [
    np.sqrt(90) * np.linalg.qr(draw - draw.mean(axis=0))[0] for draw in draws
]
print("(11) holds:", np.allclose(X_best.T @ X_best / 90, np.eye(2)))
print(
    "its energy is N times the eigenvalues:",
    np.isclose(energy(X_best), 90 * values[1:3].sum()),
)
print(
    "none of 1000 random X is lower:",
    min(map(energy, others)) > energy(X_best),
)

# %% tags=["nbval-ignore-output"]
predict(
    "ring",
    "What do the turned sevens form at these two eigenvectors?",
    options=[
        "a ring, passed twice, as in PCA",
        "a ring, passed once",
        "a curve with crossings",
    ],
    answer="a ring, passed once",
    because=(
        "Stiff springs join images that differ by few degrees, and only those."
    ),
    tempts=[
        "In PCA opposite angles meet, but these springs join only images that "
        "differ by few degrees.",
        "Most random starts end in crossings, but eigenvectors need no start.",
    ],
    hides=1,
)

# %% tags=["aside"]
figure, ax = figures.blank(size=(6, 4.4))
draw_images(ax, X_best, "Eigenvectors of L")
figures.show(
    figure,
    "A ring that is passed once, with images of the seven in the right order.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The springs find the ring at once. PCA saw all distances; these springs see the short ones. But
# their bandwidth matters: [the appendix](appendix_sgd.ipynb#Eigenvectors-and-the-bandwidth) shows
# kernel PCA, which takes the leading eigenvectors of $K$ itself, and says why the paper minimises
# (10) but names the *leading* eigenvectors. And eigenvectors give no map for new points, and no
# error.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Of 25 other sevens, 24 give a curve without a crossing.
#
# </details>

# %% [markdown]
# ## Spectral clustering (5 minutes)
#
# Eigenvectors also show clusters. Spectral clustering divides each entry of the kernel matrix by
# the square roots of its row and column sums, so that crowded and sparse regions count alike:
#
# $$M = D^{-1/2} K D^{-1/2}, \qquad K_{ij} = \exp(-|y_i - y_j|^2 / h), \qquad D_{ii} = \sum_j K_{ij}
# \tag{12}$$
#
# This *affinity* $M$ is the identity minus $D^{-1/2} L D^{-1/2}$, so its *leading* eigenvectors
# belong to the *lowest* energies. The largest eigenvalue is one; its eigenvector is nearly constant
# and of no use. The next eigenvectors are useful. The panel shows 150 points on three arcs, and
# opens at the first eigenvector; move on to the others.

# %%
print(inspect.getsource(matrices.clustering_affinity))
print(
    "as the library:",
    np.allclose(
        matrices.clustering_affinity(Y, h), sgd.clustering_affinity(Y, h)
    ),
)

# %% tags=["nbval-ignore-output"]
predict(
    "levels",
    "How do the entries of the second and the third eigenvector run along the "
    "arcs?",
    options=[
        "a straight line along each arc",
        "at random around zero",
        "one level for each arc",
    ],
    answer="one level for each arc",
    because=(
        "Within an arc springs are stiff; between arcs there are nearly none."
    ),
    tempts=[
        "Within an arc one expects an order, but stiff springs hold the "
        "points of an arc together.",
        "Nobody tells the eigenvectors on which arc a point lies, but the "
        "springs within an arc do.",
    ],
)

# %% tags=["nbval-ignore-output"]
predict(
    "bandwidth",
    "Make the bandwidth ten times smaller. How many eigenvalues are near one?",
    options=["three, as before", "one", "more than three"],
    answer="more than three",
    because=(
        "Smaller and smaller groups become clusters of their own, in the end "
        "every point."
    ),
    tempts=[
        "There are three arcs at any bandwidth, but ask what holds the points "
        "of one arc together at a smaller one.",
        "A smaller bandwidth suggests a smaller number, but each group that "
        "keeps to itself has an eigenvalue near one.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import Eigenvectors

panel = Eigenvectors(Y, arc, order=t, h=h).set(vector=1)
panel

# %%
for width in (h / 10, h, 10 * h):
    _, values, V = panel.spectrum(width)
    shares = ", ".join(
        f"{panel.share_between(V[:, number]):.2f}" for number in (1, 2)
    )
    near_one = np.sum(values > 0.95)
    print(
        f"h = {width:4.2f}: {near_one} eigenvalues above .95; share of the "
        "variance between arcs"
    )
    print(f"          for the second and the third eigenvector: {shares}")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# The entries are nearly constant on each arc: 98 % of their variance lies between arcs. Three
# eigenvalues are near one, and then there is a gap. With a small $h$ the gap closes; with a large
# $h$ all points look alike, and only one eigenvalue stays near one.
#
# </details>

# %% [markdown]
# So eigenvectors know the large structure before any descent: *which points belong together*. To
# get clusters, spectral clustering runs k-means on them; the
# [appendix](appendix_sgd.ipynb#k-means-on-eigenvectors) does it.
#
# ## The first moves of SNE (3 minutes)
#
# SNE starts near $X = 0$. There all $Q_{ij}$ are $1/N$. Insert this value into (4), with the mean
# of $X$ at zero, and write $A = P + P^T$:
#
# $$\frac{\partial E}{\partial x_l} \approx \frac2N \sum_i \Bigl(A_{il} - \frac2N\Bigr)(x_l - x_i)
# = \frac2N \Bigl(\sum_i A_{il} - 2\Bigr) x_l - \frac2N \sum_i A_{il}\, x_i.$$
#
# The sums $\sum_i A_{il}$ are near 2, because the rows of $P$ sum to one and its columns nearly do.
# The approximate gradient is therefore
#
# $$\frac{\partial E}{\partial X} \approx -\frac2N A X, \qquad
# X - s\,\frac{\partial E}{\partial X} \approx \Bigl(I + \frac{2s}{N} A\Bigr) X.$$
#
# A step of size $s$ multiplies $X$ by a matrix, which hardly changes from step to step.

# %% tags=["nbval-ignore-output"]
predict(
    "share",
    "On the arcs, 3 % of a random X lie, on average, in the four leading "
    "eigenvectors. And after three moves?",
    options=["about 3 %", "about 30 %", "about 95 %"],
    answer="about 95 %",
    because="Each step multiplies the leading eigenvectors most.",
    tempts=[
        "Three per cent is what chance gives, but each move multiplies X by "
        "nearly the same matrix.",
        "Ten times the share looks bold already, but the factors of the moves "
        "multiply.",
    ],
    hides=1,
)

# %%
P = neighbor_embedding.neighbor_probabilities(Y, h)
centred = np.eye(150) - 1 / 150
leading = np.linalg.eigh(centred @ (P + P.T) @ centred)[1][:, -4:]
X_0 = starts.random((150, 2), 0.01, random_state=0)
steps = descent.gradient_descent(neighbor_embedding.objective_of(P), X_0)
for move, step in enumerate(descent.at_most(steps, 3)):
    X = step.X - step.X.mean(axis=0)
    share = np.sum((leading.T @ X) ** 2) / np.sum(X**2)
    print(f"after {move} moves: {share:.2f} of X in four eigenvectors")

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# To multiply again and again by one matrix is the *power method*: its leading eigenvectors remain.
# (The constant one is excluded, because the mean is zero.) On other data the share is smaller. The
# [appendix](appendix_sgd.ipynb#Where-the-first-moves-lead) measures it.
#
# </details>

# %% [markdown]
# So the first moves of SNE find the eigenvectors, more or less, and then points stay in the
# clusters and the order that these moves gave them. There are two ways to help. *Early
# exaggeration* multiplies $P$ by a number in the first moves, so that the pulls outweigh the pushes
# for longer. Or the *start* consists of eigenvectors. Exaggeration gives more maps of the sevens
# without a crossing, and a start from eigenvectors gives nearly no others. (A smaller random start
# helps, too: exercise 18.)

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over 25 other draws, the share in the first $2q$ eigenvectors after three moves is 95 % on the
# arcs in the median (83 to 98), 78 % on the s-curve (55 to 90), 69 % for 300 digits (45 to 85), 53
# % on a helix with $q = 1$ (4 to 86), and 47 % on the sevens (1 to 69). Of SNE's maps of the
# sevens, in 25 other draws, 31 of 300 had no crossing from a random start, 40 of 150 with a
# fourfold attraction in the first 30 moves, and 24 of 25 from two eigenvectors of $P + P^T$.
#
# </details>

# %% [markdown]
# ## From SNE to t-SNE and UMAP (6 minutes)
#
# Two changes turn SNE into t-SNE. One distribution over all *pairs* of points replaces a
# distribution for each point. And in latent space the similarity falls slowly, $w_{nm} = 1 / (1 +
# |x_n - x_m|^2)$, so that points that are not neighbours find room far apart. With
# $q_{nm} = w_{nm} / \sum w$ and probabilities $p_{nm}$ from the data,
#
# $$E(X) = \sum_{n \ne m} p_{nm} \log \frac{p_{nm}}{q_{nm}}, \qquad
# \frac{\partial E}{\partial x_n} = 4 \sum_m (p_{nm} - q_{nm})\, w_{nm}\, (x_n - x_m).$$
#
# The springs are the same, times $w$; near zero $w$ is 1, and the first moves are the same. t-SNE
# exaggerates early, and often starts from principal components. UMAP takes springs along a graph of
# nearest neighbours, pushes against a few random points at each step, and starts from eigenvectors
# of the graph. The library uses such a graph and t-SNE's springs to find a start for UKR,
# `init="neighbors"` ([appendix](appendix_sgd.ipynb#The-gradient-of-t-SNE)). Take 600 images of the
# ten digits.

# %% tags=["nbval-ignore-output"]
predict(
    "digits",
    "For how many images, in percent, does the nearest image in the plane of "
    "two principal components show the same digit?",
    number=True,
    answer=51,
    within=7,
    because=(
        "Two components keep much less than half of the variance of these "
        "images."
    ),
    hides=4,
)

# %%
images, labels = datasets.digits(None, n_samples=600, random_state=0)
maps = {
    "PCA": starts.pca(images, 2),
    "neighbours": starts.neighbor_embedding(images, 2),
}
maps["UKR from there"] = (
    UKR(init=[maps["neighbours"]], max_iter=60).fit(images).embedding_
)
shares = {}
for name, X in maps.items():
    distances = cdist(X, X) + np.diag(np.full(600, np.inf))
    shares[name] = np.mean(labels[distances.argmin(axis=1)] == labels)

# %% tags=["aside"]
assert shares["neighbours"] > 0.9 > 0.7 > shares["PCA"]

# %% tags=["nbval-ignore-output"]
print(
    "same digit nearby: "
    + ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
)

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 3, size=(8.44, 3.8))
for ax, (name, X) in zip(axes, maps.items(), strict=True):
    figures.latent(ax, X, labels=labels, title=name)
handles, digits = axes[0].get_legend_handles_labels()
for ax in axes:
    ax.get_legend().remove()
legend = figure.legend(
    handles, digits, loc="outside lower center", ncols=10, frameon=False
)
for handle in legend.legend_handles:
    handle.set_sizes([40])
figures.show(
    figure,
    "600 digits: PCA mixes them; neighbour embedding and UKR separate ten "
    "groups.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Neighbour embedding puts nearly every image next to an image of the same digit. But how far apart
# the islands lie, and in which direction, says little. UKR starts from this map, rescales it, and
# moves the points until their neighbours rebuild them best. The result has a map for new points and
# a way back to images, which t-SNE lacks.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# In 20 other draws of 600 images, the share was 52 to 62 percent with principal components and 96
# to 99 percent with neighbour embedding.
#
# </details>

# %% [markdown]
# Here are the two families side by side:
#
# | | methods that iterate: SNE, UKR | methods that decompose |
# |---|---|---|
# | springs | stiffness changes with $X$ | stiffness is constant |
# | solution | a minimum that depends on the start | the best one, at once |
# | effort for $N$ points | $N^2$ for each step | $N^3$, once |
# | what the error measures | matching choices; rebuilt data | little about the data |
#
# The paper does not start from eigenvectors. It keeps the random start, and uses the eigenvectors
# to move points together that belong together. That is [the next lesson](16_moving_together.ipynb).
#
# ## Key points
#
# - SNE's gradient is a set of springs between all pairs. A spring pulls if the data points choose
#   each other more often than the latent points do; otherwise it pushes. UKR's gradient consists of
#   springs, too.
# - Constant springs and a fixed size give eigenvectors: one best solution, without a start.
# - The leading eigenvectors of the affinity $M$ are nearly constant on clusters, if the bandwidth
#   fits.
# - Near zero, SNE's descent is a power iteration on $P + P^T$. Exaggeration prolongs it, and a start
#   from eigenvectors replaces it.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "neighbor_probabilities", "latent_probabilities", "h", "G"),
    *("affinity", "eigenvalues", "eigenvectors"),
    paper="sgd",
)

# %% [markdown]
# **Covered** [SGD] (10) to (12), figure 1 a to c.
#
# **Further**
#
# - To do: [exercise 18: the gradient of SNE](../exercises/18_sne_gradient.ipynb), if you have not
#   done it yet.
# - Before: [choosing neighbours](14_neighbour_embedding.ipynb). Next:
#   [moving together](16_moving_together.ipynb).
# - In the library: `springs.Springs`, `sgd.clustering_affinity`, `starts.families` (Laplacian
#   eigenmaps and others as starts), `UKR(init="neighbors")`, `SNE(init="spectral")`.
