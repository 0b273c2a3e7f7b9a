# %% [markdown]
# # Two maps and the points between
#
# One map rebuilds the data from latent points, a second map finds the latent points of data, and
# each point takes the place that suits both.
#
# **Afterwards you can**
#
# - compare PCA, UKR, autoencoders and this method by what they leave free;
# - say what the second map repairs and what it costs;
# - show that a lower objective does not mean better latent points;
# - derive the Gauss-Newton step, and say why its matrix is never singular.
#
# **You need** [lesson 02](02_unsupervised.ipynb) (data as a function of latent points) and [lesson
# 06](06_gradient.ipynb) (gradients). **Time** 28 minutes. **Contents** A camera on a rail · What is
# free? · What the second map is for · An objective that shrinks · One point at a time ·
# Gauss-Newton · Key points

# %%
import numpy as np

from ukrlearn import datasets, drur, figures
from ukrlearn.blocks.networks import best_width, cluster_centres, fit_rbf
from ukrlearn.blocks.units import Units
from ukrlearn.checks import predictions, review
from ukrlearn.course import notation

predict = predictions("18_two_maps")


def fitted(inputs, outputs, penalty=1e-3, M=20):
    """A smooth map: a network of M radial basis functions."""
    centres = cluster_centres(inputs, M)
    return fit_rbf(
        inputs,
        outputs,
        centres,
        best_width(inputs, outputs, centres, penalty),
        penalty,
    )


# %%
review("18_two_maps")  # questions from earlier lessons

# %% [markdown]
# ## A camera on a rail (2 minutes)
#
# A camera slides along a rail and takes pictures of a wall. Somebody has lost the list of its
# positions; 80 pictures of 12 x 12 pixels are left. What would the camera see from a position
# between two pictures? And where was it when it took a given picture? The first question asks for a
# map $f$ from positions to pictures, the second for a map $F$ back.

# %%
pictures, rail = datasets.camera_on_a_rail(80, random_state=0)

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 5, size=(8.4, 1.9))
for ax, k in zip(axes, np.argsort(rail)[[0, 20, 40, 60, 79]], strict=True):
    ax.imshow(pictures[k].reshape(12, 12), cmap="gray_r", vmin=-1, vmax=1)
    ax.set(title=f"at {rail[k]:.2f}", xticks=[], yticks=[])
figures.show(
    figure,
    "Five pictures: the digits 3, 1 and 4 pass by as the camera moves right.",
)

# %% [markdown]
# ## What is free? (3 minutes)
#
# *Unsupervised regression* fits a map although nobody has given you its inputs. Up to three things
# are unknown: the map $f$ from latent space to data, the map $F$ from data to latent space, and the
# latent points $x_1, \dots, x_N$ (here, positions on the rail). *Dimensionality reduction by
# unsupervised regression* (DRUR) looks for all three, and asks them to agree:
#
# $$E(X, f, F) = E_f(X, f) + E_F(X, F) \tag{1}$$
#
# $$E_f = \sum_{n=1}^N |y_n - f(x_n)|^2 + \lambda_f R_f(f) \tag{2}$$
#
# $$E_F = \sum_{n=1}^N |x_n - F(y_n)|^2 + \lambda_F R_F(F) \tag{3}$$
#
# The regularisers $R_f$ and $R_F$ keep the maps smooth, and the *penalties* $\lambda$ weigh them.
# Other methods leave less free (GPLVM and autoencoder come in unit 21):
#
# | method | map $f$ to the data | map $F$ to latent space | points $X$ |
# |---|---|---|---|
# | PCA | linear | linear | $F(Y)$ |
# | UKR | follows from $X$ | nearest place, afterwards | free |
# | GPLVM (Gaussian process) | follows from $X$ | none | free |
# | autoencoder | free network | free network | $F(Y)$ |
# | DRUR | free | free | free |
#
# The paper is [DRUR]: Carreira-Perpiñán and Lu, *Parametric Dimensionality Reduction by
# Unsupervised Regression*, 2010. Equation numbers from here to unit 21 are the paper's. Its
# matrices hold points in columns, ours in rows. $M$ counts basis functions in these units.
#
# ## What the second map is for (6 minutes)
#
# Take two sets of latent points for the pictures. The *tidy* set is the true position, known
# because the camera is simulated, from -1 to 1. For the *torn* set each picture tosses a coin:
# heads moves its position up by 1.5, tails moves it down by 1.5. We fit both maps to each set; each
# is a sum of 20 smooth hills, the *basis functions*, at chosen centres (formula (13) below).

# %%
tidy = 2 * rail[:, None] - 1
coins = np.random.RandomState(1).rand(80, 1) < 0.5
torn = np.where(coins, tidy - 1.5, tidy + 1.5)


def both_parts(X, Y, f, F):
    """The two sums of (2) and (3), without the penalties."""
    return np.sum((Y - f(X)) ** 2), np.sum((X - F(Y)) ** 2)


# %% tags=["nbval-ignore-output"]
predict(
    "torn",
    "Which map fits the torn set at least twice as badly as the tidy set?",
    options=["only $f$", "only $F$", "both", "neither"],
    answer="only $F$",
    because=(
        "$f$ may send two distant latent points to the same picture; $F$ "
        "would have to send nearly the same picture to two distant latent "
        "points, and a smooth map cannot."
    ),
    tempts=[
        "The tear is in latent space, and $f$ starts there, but it may send "
        "two distant places to one picture.",
        "Both maps have to cross the tear, but they cross it in opposite "
        "directions.",
        "Each piece fits as before, but ask what a smooth map must do with "
        "nearly equal pictures on both sides of the tear.",
    ],
    hides=3,
)

# %% tags=["nbval-ignore-output"]
parts = {}
for name, X_of in (("tidy", tidy), ("torn", torn)):
    F_of = fitted(pictures, X_of)
    parts[name] = both_parts(X_of, pictures, fitted(X_of, pictures), F_of)
    print(
        f"{name}: sum of |y - f(x)|² {parts[name][0]:.1f}, of |x - F(y)|² "
        f"{parts[name][1]:.2f}"
    )

# %% tags=["aside"]
assert 0.5 < parts["torn"][0] / parts["tidy"][0] < 2
assert parts["torn"][1] > 200 * parts["tidy"][1]

# %% tags=["nbval-ignore-output", "aside"]
figure, axes = figures.blank(1, 2, size=(8.4, 3.6))
along = np.argsort(rail)
for ax, name, X_of in zip(axes, ("tidy", "torn"), (tidy, torn), strict=True):
    figures.order(
        ax, X_of, rail, title=f"The {name} set, and what F makes of it"
    )
    F_of = fitted(pictures, X_of)
    figures.curve(
        ax,
        np.column_stack([rail, F_of(pictures)])[along],
        label="F of the picture",
    )
    ax.set(
        ylim=(-2.8, 2.8),
        xlabel="true position",
        ylabel="latent coordinate $x$",
    )
    ax.legend(loc="upper left")
figures.show(
    figure,
    "Left: the tidy latent coordinate rises with the true position, and F "
    "(dashed) follows. Right: the torn coordinate lies on two lines, three "
    "apart; F zigzags between them.",
)

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# For the torn set $f$ draws the curve of pictures twice, the second time over the first, and
# rebuilds the pictures about as well. The sum of $F$ is hundreds of times as large. Both maps
# together ask for a one-to-one correspondence: $f$ sends near latent points to near data, and $F$
# sends near data to near latent points.
#
# </details>

# %% [markdown]
# <details><summary><b>How sure are we?</b></summary>
#
# Over 42 draws the sum of $f$ for the torn set was .86 to 1.31 times that of the tidy set. The sum
# of $F$ was 150 to 1400 times as large.
#
# </details>

# %% [markdown]
# There is a second reason for $F$. Shuffle the tidy set, so that it is in *no* order, and give $f$
# one narrow hill at each latent point. Then multiply the latent points by 1, 4, 16 and 64, while
# the width of the hills stays the same.

# %% tags=["nbval-ignore-output"]
predict(
    "scatter",
    "What do the two sums do as the points move apart?",
    options=[
        "the sum of $f$ stays large, the sum of $F$ grows",
        "the sum of $f$ falls to nearly nothing, the sum of $F$ grows",
        "both grow",
        "both fall to nearly nothing",
    ],
    answer="the sum of $f$ falls to nearly nothing, the sum of $F$ grows",
    because=(
        "Each point ends up alone under its own basis function, so f "
        "memorises it."
    ),
    tempts=[
        "Points in no order look hard to fit, but each of them ends up alone "
        "under a basis function of its own.",
        "Disorder seems to hurt both maps, but $f$ has a narrow hill at every "
        "latent point.",
        "A hill at every point helps $f$, but $F$ has to send similar "
        "pictures to distant places.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
shuffled = np.random.RandomState(2).permutation(tidy)
table = {}
for s in (1, 4, 16, 64):
    f_of, F_of = (
        fit_rbf(s * shuffled, pictures, s * shuffled, 0.1, 1e-3),
        fitted(pictures, s * shuffled),
    )
    table[s] = both_parts(s * shuffled, pictures, f_of, F_of)
    print(
        f"times {s:2}: sum of |y - f(x)|² {table[s][0]:6.1f}, of |x - F(y)|² "
        f"{table[s][1]:7.0f}"
    )

# %% tags=["aside"]
assert table[64][0] < 0.1 * table[1][0] and table[64][1] > 1000 * table[1][1]

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# $f$ has memorised each picture, and the order is still a shuffle. (UKR has the same problem, the
# error without a minimum of [lesson 03](03_reconstruction_error.ipynb), and solves it by leaving
# points out.) The sum of $F$ grows with the square of the factor: $F$ holds the points together.
#
# </details>

# %% [markdown]
# $F$ has a price. It is a regression, and regressions stop short at the ends of their data, so $F$
# pulls the outermost points slightly inwards. [Unit 19](19_alternation.ipynb) measures how far.
#
# ## An objective that shrinks (3 minutes)
#
# Take the tidy set with its two maps, and make everything in latent space smaller by one factor
# $e$: the points, the centres and the width of the hills of $f$, and the values of $F$.

# %% tags=["nbval-ignore-output"]
predict(
    "shrink",
    "What do the two sums become for $e = 1/2$?",
    options=[
        "both fall to a quarter",
        "the sum of $f$ stays the same, the sum of $F$ falls to a quarter",
        "the sum of $f$ rises, the sum of $F$ falls to a quarter",
        "both stay the same",
    ],
    answer="the sum of $f$ stays the same, the sum of $F$ falls to a quarter",
    because=(
        "f sees the same picture in smaller units; distances in latent space "
        "are halved."
    ),
    tempts=[
        "Half the distance has a quarter of the square, but one of the two "
        "sums measures distances between data.",
        "Points closer together look harder for $f$ to tell apart, but its "
        "centres and its width shrink with them.",
        "Units should not matter, but one of the two sums measures distances "
        "in latent space.",
    ],
    hides=1,
)

# %%
f_of, F_of = fitted(tidy, pictures), fitted(pictures, tidy)
f_part, F_part = both_parts(tidy, pictures, f_of, F_of)
for e in (1, 0.5, 0.01):
    smaller = fit_rbf(
        e * tidy, pictures, e * f_of.centres, e * f_of.width, 1e-3
    )
    of_f, of_F = both_parts(
        e * tidy, pictures, smaller, lambda Y, e=e: e * F_of(Y)
    )
    print(
        f"e = {e}: sum of f times {of_f / f_part:.4f}, sum of F times "
        f"{of_F / F_part:.4f}"
    )

# %% [markdown]
# So shrinking always lowers (1): **it has no minimum**, and a lower value does not mean a better
# $X$. Don't compare values of (1) between runs, and don't wait for (1) to come to rest. The paper
# does not discuss this. The *unit* of $X$ is a hidden parameter too, because it weighs the two
# halves of (1). This library first scales the data to a root mean square distance of one from
# their mean, and the latent points to half of that.
#
# ## One point at a time (5 minutes)
#
# From here on the data are 200 points on a sheet in space that is bent into an S. Its maps $f$ and
# $F$ have $M = 30$ basis functions,
#
# $$f(x) = \sum_{m=1}^M w_m\, \varphi_m(x) + w, \qquad
# \varphi_m(x) = \exp\Bigl(-\frac{|x - \mu_m|^2}{2 \sigma^2}\Bigr), \tag{13}$$
#
# hills with the centres $\mu_m$; their width $\sigma$ plays the part of the bandwidth $h$ of UKR.
# Hold both maps fixed, and look for better latent points:
#
# $$\min_X\; \sum_n |y_n - f(x_n)|^2 + \lambda_f R_f(f) \tag{4}$$
#
# $$\qquad + \sum_n |x_n - F(y_n)|^2 + \lambda_F R_F(F) \tag{5}$$
#
# $$= \sum_n E_n(x_n) + \lambda_f R_f(f) + \lambda_F R_F(F) \tag{6}$$
#
# The penalties do not depend on $X$, and each other term contains *one* latent point. One problem
# with $N q$ unknowns falls apart into $N$ problems with $q$ unknowns each:
#
# $$\min_x\; E(x) = |y - f(x)|^2 + |x - F(y)|^2 \tag{7}$$
#
# (UKR's problem does not fall apart: each latent point is a centre of $f$.) Let the
# *Jacobian* $J_{kl} = \partial f_k / \partial x_l$ hold the slopes of $f$. For (13) it is
#
# $$J(x) = \frac{1}{\sigma^2} \sum_m w_m\, \varphi_m(x)\, (\mu_m - x)^T, \tag{17}$$
#
# because each hill rises *towards* its centre. The derivatives of (7) are
#
# $$\nabla E = 2\,\bigl(-J^T (y - f(x)) + x - F(y)\bigr) \tag{8}$$
#
# $$\nabla^2 E = 2\,\bigl(I + J^T J - H^T (y - f(x))\bigr) \tag{9}$$
#
# $$H^T (y - f(x)) = \sum_k (y_k - f_k(x))\, \nabla^2 f_k(x) \tag{10}$$
#
# We test (17), (8) and (9) at one point, by finite differences.

# %%
Y, t = datasets.s_curve(200, height=3.0, random_state=0)
Y = Units.by_distance(Y).into(Y)  # centred, with size one
# centred, with size one half
X = (t - t.mean(axis=0)) / t.std(axis=0) / np.sqrt(8)
f, F = fitted(X, Y, M=30), fitted(Y, X, M=30)
n, x = 120, X[120] + 0.1


# %%
def gradient(x):
    f_x, J = f.with_jacobian(x[None])  # (13), (17)
    return 2 * (-J[0].T @ (Y[n] - f_x[0]) + x - F(Y[[n]])[0])  # (8)


def hessian(x):
    f_x, J = f.with_jacobian(x[None])
    bent = f.second_derivatives(x[None], Y[[n]] - f_x)[0]  # (10)
    return 2 * (np.eye(2) + J[0].T @ J[0] - bent)  # (9)


def differences(function, x, h=1e-5):
    return np.array(
        [
            (function(x + h * e) - function(x - h * e)) / (2 * h)
            for e in np.eye(2)
        ]
    )


# %%
# (7)
E = lambda x: np.sum((Y[n] - f(x[None])) ** 2) + np.sum((x - F(Y[[n]])) ** 2)
J = f.with_jacobian(x[None])[1][0]
print(
    "(17) is the slope of f:",
    np.allclose(J, differences(lambda x: f(x[None])[0], x).T),
)
print("(8) is the slope of E: ", np.allclose(gradient(x), differences(E, x)))
print(
    "(9) is the slope of (8):",
    np.allclose(hessian(x), differences(gradient, x), rtol=1e-5),
)

# %% [markdown]
# ## Gauss-Newton (9 minutes)
#
# To go downhill on $E$, replace it near $x$ by a parabola with the same value and slope, $E(x + p)
# \approx E(x) + \nabla E^T p + \tfrac12\, p^T A\, p$. If $A$ has positive eigenvalues, the parabola
# is lowest at the step $p = -A^{-1} \nabla E$. Three methods choose $A$ differently:
#
# | method | the matrix $A$ | |
# |---|---|---|
# | Newton | the true Hessian (9) | may have negative eigenvalues |
# | Gauss-Newton | $2\,(I + J^T J)$ | leaves out (10): no second derivatives |
# | fixed point | $2 I$ | leaves out $J^T J$ as well |
#
# The fixed point repeats $x \leftarrow F(y) + J^T (y - f(x))$, which comes from setting (8) to
# zero. The paper chooses Gauss-Newton:
#
# $$\nabla^2 E \approx 2\,(I + J^T J) \tag{11}$$
#
# $$p = (I + J^T J)^{-1} \bigl(J^T (y - f(x)) - x + F(y)\bigr) \tag{12}$$
#
# A step can be too long; then halve it until $E$ does not rise.

# %% tags=["nbval-ignore-output"]
predict(
    "condition",
    "Far from all centres $f$ is flat, and $J^T J$ is nearly singular. What "
    "is the ratio of the largest to the smallest eigenvalue of $I + J^T J$ "
    "there?",
    options=["nearly 1", "nearly 2", "several thousand", "infinite"],
    answer="nearly 1",
    because="Where J is nearly zero, I + JᵀJ is nearly I.",
    tempts=[
        "Two matrices are added, which sounds like twice the size, but ask "
        "how large JᵀJ is where $f$ is flat.",
        "JᵀJ by itself is nearly singular, but the identity is added to it.",
        "JᵀJ by itself may have an eigenvalue 0, but the identity is added to "
        "it.",
    ],
    hides=1,
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.explicit import drur as loops

J = f.with_jacobian(np.array([[3.0, 3.0]]))[1][0]
for name, A in (("JᵀJ    ", J.T @ J), ("I + JᵀJ", np.eye(2) + J.T @ J)):
    print(
        f"far from all centres: {name} has condition {np.linalg.cond(A):.3g}"
    )
f_X, J = f.with_jacobian(X)
some = [part[:30].tolist() for part in (f_X, J, X, Y, F(Y))]
p = drur.gauss_newton_steps(f_X, J, X, Y, F(Y))  # (12) for all points at once
print(
    "loops and all at once:",
    np.allclose(loops.gauss_newton_steps(*some), p[:30]),
)

# %% [markdown]
# $J^T J$ has no negative eigenvalues, because $v^T J^T J v = |J v|^2$, and $I$ adds one to each. So
# $I + J^T J$ is never singular, and $p$ always leads downhill. The $I$ comes from the second half
# of (7); without $F$ you would have to add it by hand (the Levenberg-Marquardt method).
#
# The panel follows one point, by these methods and by gradient descent. It shows the contours of
# $E(x)$ over the latent plane for one data point, and $F(y)$ (triangle). Drag the rings: the start, and
# the data point. The dashed ellipse is a contour of the parabola; the next step leads to its centre.
# The chart shows $E$ above its lowest value.

# %% tags=["nbval-ignore-output"]
predict(
    "newton",
    "Where does Newton's first step lead?",
    options=[
        "close to the minimum",
        "a short way downhill",
        "uphill",
        "it cannot be computed",
    ],
    answer="uphill",
    because=(
        "Where the Hessian has a negative eigenvalue, the parabola is a "
        "saddle, and the step leads to the saddle, wherever it is."
    ),
    tempts=[
        "Newton's method is known for such steps, but only near a minimum.",
        "A careful method takes a short step from a bad start, but this one "
        "goes to where its parabola has no slope.",
        "A singular Hessian would have no inverse, but eigenvalues of either "
        "sign are no obstacle to solving the system.",
    ],
)

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import GaussNewton

panel = GaussNewton.example()
panel

# %% [markdown]
# Step through the methods, then move the data point off the sheet (*More controls*).

# %% tags=["nbval-ignore-output"]
predict(
    "off-the-sheet",
    "The data point moves .4 off the sheet. Which method now needs many more "
    "steps than before?",
    options=["Newton", "Gauss-Newton", "gradient descent", "all three"],
    answer="Gauss-Newton",
    because=(
        "It leaves out (10), the residual times the curvature; Newton does "
        "not, and gradient descent never knew the curvature."
    ),
    tempts=[
        "Newton's method was unreliable before, but it uses the second "
        "derivatives that matter here.",
        "Gradient descent is the slowest, but it is as slow as before.",
        "A distant data point seems harder for every method, but ask which of "
        "them leaves out a term that has just grown.",
    ],
    hides=1,
)


# %% tags=["nbval-ignore-output"]
def steps_needed(offset, start):
    """Steps until E is within 1e-6 of its lowest value; None if over 30."""
    low, ways = (
        panel.lowest(120, offset) + 1e-6,
        panel.paths(120, offset, *start),
    )
    return {
        name: next((k for k, E in enumerate(w.E) if E < low), None)
        for name, w in ways.items()
    }


first = panel.paths(120, 0.0, 0.0, -0.28)["Newton"].E
print(f"Newton's first step: E from {first[0]:.1f} to {first[1]:.1f}")
runs = {"from the start": (0, (0, -0.28)), "on the sheet": (0, (0.3, -0.3))}
for name, run in {**runs, "off the sheet": (-0.4, (0.3, -0.3))}.items():
    print(f"{name:15}", steps_needed(*run))

# %% tags=["aside"]
assert first[1] > 2 * first[0]
assert steps_needed(0, (0, -0.28))["Gauss-Newton"] < 10
assert steps_needed(-0.4, (0.3, -0.3))["Gauss-Newton"] > 10

# %% [markdown]
# <details><summary><b>Check</b></summary>
#
# Newton's first step leads uphill; the method still reaches the minimum, by luck. Gauss-Newton
# needs 7 steps from this start, and halves one of them. The fixed point never reaches it: its
# gradient steps of fixed length overshoot where $J^T J$ has eigenvalues above one, here nearly
# everywhere. On the sheet Gauss-Newton needs 3 steps and Newton 4; off the sheet 20 and 4. This is
# the price of leaving out (10), which is small only near the sheet. All methods find *a* minimum,
# not the lowest: try a start near the other end of the S.
#
# </details>

# %% [markdown]
# The [appendix](appendix_drur.ipynb) has the convergence theorem, and counts steps over ten rolls.
#
# ## Key points
#
# - DRUR leaves both maps and the points free, (1). A map $f$ alone does not mind torn or scattered
#   latent points; $F$ ties near data to near latent points, and pulls the ends inwards.
# - Shrinking always lowers the objective, so a lower value does not mean a better embedding.
# - With the maps held fixed there are $N$ problems of $q$ unknowns, (7).
# - Gauss-Newton (12) leaves out the second derivatives of $f$. Thanks to $F$, the eigenvalues of
#   its matrix are at least one, and its steps lead downhill.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "N", "d", "q", "f", "F", "penalty", "error", "J", "step"),
    paper="drur",
)

# %% [markdown]
# **Covered** (1) to (13), (17).
#
# **Further**
#
# - To do: [exercise 21: the Jacobian of a network](../exercises/21_rbf_jacobian.ipynb) and
#   [exercise 23: the Gauss-Newton step of every point](../exercises/23_gauss_newton.ipynb).
# - Before: [rivals and noise](17_rivals_and_noise.ipynb). After: [the
#   alternation](19_alternation.ipynb), which fits the maps and puts both steps together.
# - In the library: `drur.gauss_newton_steps`, `drur.project`; in loops: `explicit.drur`; in
#   matrices: `explicit.matrices.drur`.
