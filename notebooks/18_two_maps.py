# %% [markdown]
# # Two maps and the points between
#
# One map rebuilds the data from latent points, and another map finds the latent points of data. Fit
# both maps, move the points, fit again: each step is an easy one.
#
# **Afterwards you can**
#
# - compare PCA, UKR, autoencoders and this lesson's method by what they leave free;
# - say what the second map repairs, what it costs, and why a lower objective does not mean a better
#   embedding;
# - derive the Gauss-Newton step from a quadratic model, and say why its matrix is never singular;
# - compare Gauss-Newton, Newton, gradient descent and a fixed-point iteration on the same contours;
# - fit a network of radial basis functions, and test its weights by the slope of the objective;
# - write the whole method in ten lines, and place new points in two ways.
#
# **You need** lesson 02 (data as a function of latent points), lesson 06 (gradients), lesson 09
# (new points). **Time** 45 minutes. **Contents** What is free? · What the second map is for · An
# objective that shrinks · One point at a time · From a quadratic model to Gauss-Newton · Two
# regressions · The whole method · New points · Key points

# %%
import inspect
import time

import numpy as np

from ukrlearn import ParametricDRUR, datasets, drur, figures, metrics, notation
from ukrlearn.blocks.networks import basis, best_width, cluster_centres, fit_rbf
from ukrlearn.explicit import drur as loops
from ukrlearn.explicit.matrices import drur as matrices

# %% [markdown]
# ## What is free? (4 minutes)
#
# *Unsupervised regression* means that you fit a map $f$ from latent points to data although nobody
# has given you the latent points. Up to three things are unknown: the map $f$ from latent space to
# data, the map $F$ from data to latent space, and the latent points $x_1, \dots, x_N$ themselves.
# Dimensionality reduction by unsupervised regression (DRUR) looks for all three, and asks them to
# agree:
#
# $$E(X, f, F) = E_f(X, f) + E_F(X, F) \tag{1}$$
#
# $$E_f = \sum_{n=1}^N |y_n - f(x_n)|^2 + \lambda_f R_f(f) \tag{2}$$
#
# $$E_F = \sum_{n=1}^N |x_n - F(y_n)|^2 + \lambda_F R_F(F) \tag{3}$$
#
# The regularisers $R_f$, $R_F$ keep the maps smooth. Each has a weight λ, the *penalty*. Other
# methods belong to the same family; in each of them some unknowns follow from the others:
#
# | method | map $f$ to the data | map $F$ to latent space | latent points $X$ |
# |---|---|---|---|
# | principal components | linear | linear | $X = F(Y)$ |
# | principal curves | smooth curve | nearest place on the curve | $X = F(Y)$ |
# | UKR, lessons 02 to 09 | kernel regression, follows from $X$ | nearest place, afterwards | free |
# | GPLVM (Gaussian process latent variables) | Gaussian process, follows from $X$ | none | free |
# | autoencoder | free network | free network | $X = F(Y)$ |
# | DRUR | free | free | free |
#
# The paper is [DRUR]: Carreira-Perpiñán and Lu, *Parametric Dimensionality Reduction by
# Unsupervised Regression*, 2010. From here on, equation numbers are those of this paper. Its
# matrices hold points in columns, ours in rows.
#
# ## What the second map is for (6 minutes)
#
# Here are 80 noisy points on a half circle, and two sets of latent points for them. The *tidy* set
# is the true coordinate. For the *torn* set each point tosses a coin: heads moves its coordinate up
# by 1.5, tails moves it down by 1.5. Neighbours in the data may then be three units apart.
#
# **Predict** We fit a map $f$ to each set. (a) With which set does $f$ rebuild the data better? (b)
# We also fit a map $F$. With which set does $F$ predict the latent points better?

# %%
arc, t = datasets.disconnected_curves(80, n_curves=1, random_state=0)
tidy = 2 * t[:, None] - 1
coins = np.random.RandomState(1).rand(80, 1) < 0.5
torn = np.where(coins, tidy - 1.5, tidy + 1.5)


# %%
def fitted(inputs, outputs, penalty=1e-3, M=20):
    """A map from inputs to outputs: a network of radial basis functions, explained below."""
    centres = cluster_centres(inputs, M)
    width = best_width(inputs, outputs, centres, penalty)
    return fit_rbf(inputs, outputs, centres, width, penalty)


def both_parts(X, Y, f, F):
    """The two sums of (2) and (3), without the penalties."""
    return np.sum((Y - f(X)) ** 2), np.sum((X - F(Y)) ** 2)


# %% tags=["nbval-ignore-output"]
parts = {}
for name, X in (("tidy", tidy), ("torn", torn)):
    parts[name] = both_parts(X, arc, fitted(X, arc), fitted(arc, X))
    explained = 1 - parts[name][1] / np.sum((X - X.mean()) ** 2)
    print(f"{name}: sum of |y - f(x)|² {parts[name][0]:.3f}, of |x - F(y)|² {parts[name][1]:.2f}")
    print(f"      F explains {explained:.1%} of the variance of the latent points")

# %%
assert abs(parts["torn"][0] / parts["tidy"][0] - 1) < 0.4
assert parts["torn"][1] > 500 * parts["tidy"][1]

# %% tags=["nbval-ignore-output"]
figure, axes = figures.blank(1, 3, size=(10, 3.4))
figures.data(axes[0], arc, t, title="Data")
along = np.argsort(t)
for ax, name, X in ((axes[1], "tidy", tidy), (axes[2], "torn", torn)):
    figures.order(ax, X, t, title=f"{name}: F is off by {parts[name][1]:.2g} in total")
    figures.curve(ax, np.column_stack([t, fitted(arc, X)(arc)])[along], label="F")
    ax.set_ylim(-2.8, 2.8)
figures.show(
    figure,
    "Left: the half circle. Middle: the tidy latent coordinate rises with the true one, and F "
    "(dashed) follows. Right: the torn coordinate is on two lines, three apart; F runs between.",
)

# %% [markdown]
# **Check** (a) There is hardly a difference. For the tidy set $f$ draws the half circle once, and
# for the torn set twice, the second time over the first. *Two distant latent points may map to the
# same place in the data, and $f$ does not mind.* (b) With the tidy set. $F$ is a smooth map, so
# near data must get near latent points. It cannot follow the coins and runs through the middle
# (with wiggles, because the data have noise). The sum in (3) is two thousand times as large, so (1)
# prefers the tidy set. Both maps together ask for a one-to-one correspondence: $f$ sends near
# latent points to near data, and $F$ sends near data to near latent points.
#
# There is a second reason for $F$. Suppose that $f$ has one basis function at each latent point, as
# in nonparametric methods, and that nothing else constrains the points. Then the best solution
# pushes all points apart until none affects another:
#
# **Predict** The latent points are now shuffled, so they are in *no* order. We multiply them by 1,
# 4, 16 and 64, while the width of the basis functions stays the same. What do the two sums do?

# %% tags=["nbval-ignore-output"]
shuffled = np.random.RandomState(2).permutation(tidy)
table = {}
for s in (1, 4, 16, 64):
    X = s * shuffled
    table[s] = both_parts(X, arc, fit_rbf(X, arc, X, 0.1, 1e-3), fitted(arc, X))
    print(f"times {s:2}: sum of |y - f(x)|² {table[s][0]:9.4f}, of |x - F(y)|² {table[s][1]:9.0f}")

# %%
assert table[64][0] < 1e-3 < table[1][0] and table[64][1] > 1000 * table[1][1]

# %% [markdown]
# **Check** The first sum falls to nothing: $f$ has learnt each point by heart, and the order is
# still a shuffle. (UKR has the same problem, the error without a minimum of lesson 03, and solves
# it by leaving points out.) The second sum grows with the square of the factor: $F$ holds the
# points together.
#
# What is the price of $F$? It is a regression too, and a regression stops short at the ends of its
# data. Every $x_n$ is pulled towards $F(y_n)$, so the outermost points are pulled slightly inwards.
# The last section measures this.
#
# ## An objective that shrinks (4 minutes)
#
# Multiply the latent points, the centres and widths of $f$, and the values of $F$ by one number
# $e$. The two maps are as good as before; only their scale has changed.
#
# **Predict** What happens to the two sums for $e = 1/2$ and for $e = 1/100$? Where is the minimum
# of (1)?

# %%
f, F = fitted(tidy, arc), fitted(arc, tidy)
f_part, F_part = both_parts(tidy, arc, f, F)
for e in (1, 0.5, 0.01):
    smaller_f = fit_rbf(e * tidy, arc, e * f.centres, e * f.width, 1e-3)
    smaller_F = lambda Y, e=e: e * F(Y)
    of_f, of_F = both_parts(e * tidy, arc, smaller_f, smaller_F)
    print(f"e = {e}: sum of f times {of_f / f_part:.4f}, sum of F times {of_F / F_part:.4f}")

# %% [markdown]
# **Check** The sum of $f$ does not change at all, and the sum of $F$ falls with $e^2$. So shrinking
# can always lower (1): **it has no minimum**, and a lower value does not mean a better $X$. The
# alternation below does shrink its points, but slowly: by two per cent from its first round to its
# tenth. This does no harm in ten to thirty rounds. But don't compare values of (1) between runs,
# and don't wait for (1) to come to rest. The paper does not discuss this.
#
# Shrinking also shows that the *unit* of $X$ is a hidden parameter: it weighs the two halves of (1)
# against each other. This library first scales data and latent points, the latent points to half
# the size of the data, and scales everything back at the end.
#
# ## One point at a time (6 minutes)
#
# From here on the data are 200 points on a sheet in space that is bent into an S, with two latent
# coordinates. The coordinates have equal variance, as the coordinates of spectral methods do, so
# the sheet is stretched more along one of them than along the other.


# %%
def scaled(Z, size):
    """Z, centred and scaled to this rms distance from the mean."""
    Z = Z - Z.mean(axis=0)
    return Z * size / np.sqrt(np.sum(Z.var(axis=0)))


Y, t = datasets.s_curve(200, height=3.0, random_state=0)
Y, X = scaled(Y, 1.0), scaled(t / t.std(axis=0), 0.5)
f, F = fitted(X, Y, M=30), fitted(Y, X, M=30)
N, q = X.shape

# %% [markdown]
# Hold both maps fixed, and look for better latent points:
#
# $$\min_X\; \sum_n |y_n - f(x_n)|^2 + \lambda_f R_f(f) \tag{4}$$
#
# $$\qquad + \sum_n |x_n - F(y_n)|^2 + \lambda_F R_F(F) \tag{5}$$
#
# $$= \sum_n E_n(x_n) + \lambda_f R_f(f) + \lambda_F R_F(F) \tag{6}$$
#
# The penalties do not depend on $X$, and each term contains *one* latent point. So one problem with
# $N q$ unknowns falls apart into $N$ problems with $q$ unknowns each:
#
# $$\min_x\; E(x) = |y - f(x)|^2 + |x - F(y)|^2 \tag{7}$$
#
# (In UKR the problem does not fall apart: there every latent point is a centre of $f$, and moving
# one point moves the curve for all.) With the Jacobian $J_{kl} = \partial f_k / \partial x_l$, the
# derivatives of (7) are
#
# $$\nabla E = 2\,\bigl(-J^T (y - f(x)) + x - F(y)\bigr) \tag{8}$$
#
# $$\nabla^2 E = 2\,\bigl(I + J^T J - H^T (y - f(x))\bigr) \tag{9}$$
#
# $$H^T (y - f(x)) = \sum_k (y_k - f_k(x))\, \nabla^2 f_k(x) \tag{10}$$
#
# We make three checks: $E$ against loops, and (8) and (9) against finite differences.

# %%
F_Y = F(Y)
n, x = 120, X[120] + 0.1


def E(x):
    return np.sum((Y[n] - f(x[None])) ** 2) + np.sum((x - F_Y[n]) ** 2)  # (7)


# %%
print(inspect.getsource(matrices.projection_gradient))


# %%
def gradient(x):
    f_x, J = f.with_jacobian(x[None])
    return matrices.projection_gradient(f_x[0], J[0], x, Y[n], F_Y[n])


def hessian(x):
    f_x, J = f.with_jacobian(x[None])
    bent = f.second_derivatives(x[None], Y[[n]] - f_x)[0]  # (10)
    return 2 * (np.eye(q) + J[0].T @ J[0] - bent)  # (9)


# %%
def differences(function, x, h=1e-5):
    return np.array([(function(x + h * e) - function(x - h * e)) / (2 * h) for e in np.eye(q)])


in_loops = loops.projection_objective(*(v.tolist() for v in (f(x[None])[0], x, Y[n], F_Y[n])))
print("E agrees with the loops:    ", np.isclose(E(x), in_loops))
print("(8) is the slope of E:      ", np.allclose(gradient(x), differences(E, x), atol=1e-6))
print(
    "(9) is the slope of the slope:", np.allclose(hessian(x), differences(gradient, x), rtol=1e-5)
)

# %% [markdown]
# Setting (8) to zero shows what characterises a good place: $J^T(y - f(x)) = x - F(y)$. Where $F$
# is right, $x = F(y)$, the residual $y - f(x)$ is perpendicular to the sheet, as in principal
# curves.
#
# ## From a quadratic model to Gauss-Newton (11 minutes)
#
# How can we go downhill on $E$? Near $x$, replace $E$ by a parabola with the same value and slope:
#
# $$E(x + p) \approx E(x) + \nabla E^T p + \tfrac12\, p^T A\, p,$$
#
# with a symmetric matrix $A$. If $A$ has positive eigenvalues, the parabola is lowest at
# $p = -A^{-1} \nabla E$. This is the step. It remains to choose $A$:
#
# | method | the matrix $A$ | |
# |---|---|---|
# | Newton | the true Hessian (9) | needs second derivatives of $f$; may have negative eigenvalues |
# | Gauss-Newton | $2\,(I + J^T J)$ | leaves out (10); needs first derivatives only |
# | fixed point | $2 I$ | leaves out $J^T J$ as well |
#
# The paper chooses the second:
#
# $$\nabla^2 E \approx 2\,(I + J^T J) \tag{11}$$
#
# $$p = (I + J^T J)^{-1} \bigl(J^T (y - f(x)) - x + F(y)\bigr) \tag{12}$$
#
# The third follows if you solve $\nabla E = 0$ for the $x$ that stands alone,
# $x \leftarrow F(y) + J^T (y - f(x))$, again and again.
#
# The matrix (11) leaves out the product of the residual $y - f(x)$ and the curvature of $f$. This
# product is small where the data lie close to the sheet, or where the sheet is nearly flat. The
# step can still be too long; then halve it until $E$ does not rise. That is all.
#
# **Predict** $J^T J$ alone, the usual Gauss-Newton matrix, is singular where $f$ is flat. The
# latent position (3, 3) is far from all centres. What are the condition numbers (largest over
# smallest eigenvalue) of $J^T J$ and of $I + J^T J$ there?

# %% tags=["nbval-ignore-output"]
_, J = f.with_jacobian(np.array([[3.0, 3.0]]))
plain, ours = J[0].T @ J[0], np.eye(q) + J[0].T @ J[0]
print(
    f"far away:  JᵀJ has condition {np.linalg.cond(plain):.0e}, I + JᵀJ {np.linalg.cond(ours):.3f}"
)
_, J = f.with_jacobian(X)
values = np.linalg.eigvalsh(np.einsum("nkl,nkm->nlm", J, J))
print(f"at the latent points: eigenvalues of JᵀJ from {values.min():.2f} to {values.max():.1f},")
print(f"{np.mean(values > 1):.1%} of them above one")

# %%
assert np.linalg.cond(plain) > 1e3 and np.isclose(np.linalg.cond(ours), 1)
assert values.min() > 0 and (1 + values).min() > 1

# %% [markdown]
# **Check** $J^T J$ never has negative eigenvalues, because $v^T J^T J v = |J v|^2$. Adding $I$
# raises all of them by one. So $I + J^T J$ has eigenvalues of at least 1 everywhere and is never
# singular, and $p$ always leads downhill:
# $\nabla E^T p = -\tfrac12 \nabla E^T (I + J^T J)^{-1} \nabla E < 0$. The $I$ comes from the second
# half of (7). Without $F$ you would have to add it by hand and choose its weight (the
# Levenberg-Marquardt method). Here the question does not arise.
#
# We compute one point in loops and in matrices, and then all points at once. There are $N$ systems
# of size only $q \times q$, and NumPy solves a stack of systems in one call.

# %%
f_X, J = f.with_jacobian(X)
p = matrices.gauss_newton_step(f_X[n], J[n], X[n], Y[n], F_Y[n])
print(inspect.getsource(matrices.gauss_newton_step))
one_by_one = loops.gauss_newton_steps(*(part[:30].tolist() for part in (f_X, J, X, Y, F_Y)))
all_at_once = drur.gauss_newton_steps(f_X, J, X, Y, F_Y)
print("loops and matrices:", np.allclose(one_by_one, all_at_once[:30]))
print("one and all:       ", np.allclose(p, all_at_once[n]))

# %% tags=["nbval-ignore-output"]
begin = time.perf_counter()
loops.gauss_newton_steps(*(part[:30].tolist() for part in (f_X, J, X, Y, F_Y)))
middle = time.perf_counter()
drur.gauss_newton_steps(f_X, J, X, Y, F_Y)
end = time.perf_counter()
print(f"a point takes {(middle - begin) / 30 * 1e6:.0f} µs in loops")
print(f"and {(end - middle) / N * 1e6:.1f} µs among {N} at once")

# %% [markdown]
# Now watch one point. On the right, the panel shows the contours of $E(x)$ over the latent plane
# for data point 120, with the start (square) and $F(y)$ (triangle). The dashed ellipse is a contour
# of the parabola; the next step leads to its centre. On the left is the sheet in space. Below it
# you see, for four methods, how far $E$ lies above its lowest value. *Moved off the sheet* shifts
# the data point along the normal of the sheet.
#
# **Predict** (1) At the start, $E$ curves downwards in one direction. Where will Newton's first
# step lead? (2) How many steps does Gauss-Newton need to come within $10^{-6}$ of the minimum, and
# how many does gradient descent need? (3) The eigenvalues of $J^T J$ at the latent points are
# greater than one nearly everywhere. Can the fixed-point iteration work? (4) We move the data point
# off the sheet by .4, to a place where the curvature of the sheet matters. Which method suffers?

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import GaussNewton

panel = GaussNewton(f, F, X, Y, point=120, start=(0.0, -0.28))
panel.set(frame=2)

# %% tags=["nbval-ignore-output"]
print(panel.set(method="Newton", frame=0).summary())


# %%
def steps_needed(offset, start):
    """Steps until E is within 1e-6 of its lowest value; None if 30 are not enough."""
    low, ways = panel.lowest(120, offset) + 1e-6, panel.paths(120, offset, *start)
    first = lambda E: next((k for k, e in enumerate(E) if e < low), None)
    return {name: first(way.E) for name, way in ways.items()}


# %% tags=["nbval-ignore-output"]
from_start = steps_needed(0.0, (0.0, -0.28))
on_the_sheet, off_the_sheet = (steps_needed(offset, (0.3, -0.3)) for offset in (0.0, -0.4))
print("from                       ", "  ".join(from_start))
for name, steps in (("the start", from_start), ("(.3, -.3), on the sheet", on_the_sheet),
                    ("(.3, -.3), off the sheet", off_the_sheet)):  # fmt: skip
    print(f"{name:24}", "".join(f"{str(steps[k]):>{len(k) + 2}}" for k in steps))

# %%
ways = panel.paths(120, 0.0, 0.0, -0.28)
assert ways["Newton"].E[1] > 2 * ways["Newton"].E[0]
assert from_start["Gauss-Newton"] < 12 < from_start["gradient descent"]
assert min(ways["Gauss-Newton"].taken[:6]) < 1
assert max(ways["fixed point"].E[-10:]) > 1
assert on_the_sheet["Gauss-Newton"] <= on_the_sheet["Newton"] < 6
assert off_the_sheet["Newton"] < 6 and off_the_sheet["Gauss-Newton"] > 10
panel = panel.set(method="Gauss-Newton", frame=2)

# %% [markdown]
# **Check**
#
# 1. Uphill, far across the plane, from $E = 1.7$ to $4.3$. Where the Hessian has a negative
#    eigenvalue, the parabola has no lowest place, and Newton's step leads to its saddle. Newton
#    still arrives, by luck: from another start it may settle on a saddle or in another valley.
# 2. Seven and twenty. In its second step Gauss-Newton was too bold, and the step was halved; from
#    then on all its steps are full ones. (A step of gradient descent with its line search also
#    costs several evaluations of $f$.)
# 3. No. The fixed-point iteration is a gradient step of fixed length, and it overshoots where
#    $J^T J$ has eigenvalues above one. It leaves the sheet and comes back, forever.
# 4. Gauss-Newton. It takes 19 steps instead of 3 on the sheet, and its error shrinks by the same
#    factor in each step. Newton needs 4 steps in either case. This is the price of leaving out
#    (10); for data near the sheet there is nothing to pay.
#
# Also choose a start near the other end of the S: every method ends in some valley. Gauss-Newton
# finds *a* minimum, not the lowest one. In the method below each point starts from its old place or
# from $F(y)$, whichever has the lower $E$. Both are near, so nearly all steps are full ones.
#
# ## Two regressions (5 minutes)
#
# Now comes the other half: we hold the points fixed and fit the maps. This is supervised
# regression, twice. Each map is a network of $M$ *radial basis functions*,
#
# $$f(x) = \sum_{m=1}^M w_m\, \varphi_m(x) + w, \qquad
# \varphi_m(x) = \exp\Bigl(-\frac{|x - \mu_m|^2}{2 \sigma^2}\Bigr) \tag{13}$$
#
# The centres $\mu_m$ come from k-means. The width σ, a multiple of the distance between centres,
# comes from hold-out: five times, a fifth of the points is left out, and we take the width that
# predicts these points best. The weights $W$ and the constant $w$ remain, and finding them is a
# linear problem. With $\Phi_{nm} = \varphi_m(x_n)$ and $K_{mm'} = \varphi_m(\mu_{m'})$,
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
# The library first subtracts the mean from each column of $\Phi$, and then the last term vanishes.
# On paper the two forms are equal. In the computer, the difference of two large and nearly equal
# matrices loses digits, and the centred form does not.
#
# **A misprint.** The paper defines the elements of its $G_{xx}$, our $K$, as $\varphi_m(\mu_m)$,
# with the same index twice. Taken literally, this is $\exp(0) = 1$ on the diagonal. The system is
# then plain ridge regression, which does not minimise (14).
#
# **Predict** How could you notice the misprint, if the fit looks reasonable either way?


# %%
from sklearn.linear_model import Ridge

Phi, K = basis(X, f.centres, f.width), basis(f.centres, f.centres, f.width)


def slope_and_error(W, penalty=1e-3):
    """The largest slope of (14) with respect to W at these weights, and the mean squared error."""
    residual = Y - Phi @ W
    residual = residual - residual.mean(axis=0)  # (15)
    slope = 2 * (penalty * K @ W - Phi.T @ residual)
    return np.abs(slope).max(), np.mean(np.sum(residual**2, axis=1))


# %% tags=["nbval-ignore-output"]
readings = {"kernel matrix": f.W, "ones on the diagonal": Ridge(alpha=1e-3).fit(Phi, Y).coef_.T}
found = {name: slope_and_error(W) for name, W in readings.items()}
for name, (slope, error) in found.items():
    print(f"{name:21} steepest slope {slope:.0e}, mean |y - f(x)|² {error:.4f}")

# %%
assert found["kernel matrix"][0] < 1e-8 and found["ones on the diagonal"][0] > 1e-3

# %% [markdown]
# **Check** Test what defines the solution: at a minimum the objective has no slope. The kernel
# matrix passes the test; the literal reading does not. (Its error is four times as large here.
# Without the other error for comparison, this looks like a coarse but honest fit.)
#
# For the projection step we also need the Jacobian of the network,
#
# $$J(x) = \frac{1}{\sigma^2} \sum_m w_m\, \varphi_m(x)\, (\mu_m - x)^T \tag{17}$$
#
# Mind the sign: $\varphi_m$ rises *towards* its centre. You cannot see a wrong sign by looking,
# only by finite differences:

# %%
_, J = f.with_jacobian(x[None])
slopes = differences(lambda x: f(x[None])[0], x).T
print("(17) is the slope of f:", np.allclose(J[0], slopes, atol=1e-7))

# %% [markdown]
# One matrix product gives both $f$ and $J$. It multiplies the basis functions by the weights $W$,
# and by the weights times the coordinates of their centres.
#
# ## The whole method (5 minutes)
#
# This is figure 1 of the paper. Take latent points from anywhere; *adapt*, by two regressions;
# *project*, by $N$ small problems; repeat. We already have all the functions. The data are a Swiss
# roll of 300 points. The sheet measures 90 by 50. The start is the true coordinates with noise of
# standard deviation 10.

# %%
roll, truth = datasets.swiss_roll(300, length=90.0, height=50.0, random_state=0)
start = truth + 10 * np.random.RandomState(1).normal(size=truth.shape)
Y, X0 = scaled(roll, 1.0), scaled(start, 0.5)


def alternated(X, rounds):
    """[DRUR] figure 1: the latent points of each round."""
    history = [X]
    for _ in range(rounds):
        f, F = fitted(X, Y, 1e-5, 30), fitted(Y, X, 1e-5, 30)  # adapt: (13)-(16)
        X = drur.project(f, X, Y, F(Y)).X  # project: (7), (12)
        history.append(X)
    return history


# %% [markdown]
# **Predict** $R^2$ is the share of the variance of the true coordinates that $X$ explains, up to
# scale and rotation. The start has .82. How many rounds does it take to rise above .97?

# %% tags=["nbval-ignore-output"]
as_printed = alternated(X0, 8)
better_begun = alternated(fitted(Y, X0, 1e-5, 30)(Y), 8)
for name, history in (("figure 1", as_printed), ("from F(Y)", better_begun)):
    scores = [metrics.procrustes_r2(X, truth) for X in history]
    print(f"{name:10} R²", "  ".join(f"{score:.4f}" for score in scores))

# %%
r2 = [metrics.procrustes_r2(X, truth) for X in (X0, as_printed[1], as_printed[8], better_begun[8])]
assert r2[0] < 0.83 and r2[1] > 0.97 and r2[2] > 0.975 and r2[3] > r2[2]

# %% [markdown]
# **Check** One. After that hardly anything happens. In the second row we have changed one thing:
# the first $f$ is fitted to $F(Y)$ and not to the noisy start. The noise of the start has nothing
# to do with the data, so $F$ cannot follow it, and $F(Y)$ has lost most of it. An $f$ that is
# fitted to noisy *positions* is too flat, and the points are then stretched to make up for it. Over
# forty other rolls the second way is better in 36 after one round (.992 against .984 in the median)
# and in 31 after eight (.993 against .989): usually better, not always. The estimator uses the
# second way:

# %% tags=["nbval-ignore-output"]
model = ParametricDRUR(init=start, max_iter=10, record=True).fit(roll)
print("round    E of (1)    full steps   spread of X     R²")
for k, step in enumerate(model.history_):
    score = metrics.procrustes_r2(step.X, truth)
    print(
        f"{k:4}   {step.error:8.3f}   {step.full_steps:10.1%}   {step.spread:10.3f}   {score:.4f}"
    )

# %%
first, last = model.history_[1], model.history_[-1]
assert metrics.procrustes_r2(model.embedding_, truth) > 0.985
assert last.error < 0.6 * first.error and last.spread < first.spread < model.history_[0].spread
assert min(step.full_steps for step in model.history_[1:]) > 0.96

# %% tags=["nbval-ignore-output"]
figure, axes = figures.blank(1, 3, size=(10.5, 3.6), projection=[None, None, "3d"])
figures.latent(axes[0], start, truth[:, 0], title="The start")
figures.latent(axes[1], model.embedding_, truth[:, 0], title="After ten rounds")
figures.data(axes[2], roll, truth[:, 0], title="The sheet f in space")
figures.manifold_of(axes[2], model.inverse_transform, model.embedding_)
axes[2].view_init(18, -72)
axes[2].set_box_aspect(np.ptp(roll, axis=0), zoom=1.25)
figures.show(
    figure,
    "Left: the start, a blurred cloud. Middle: the latent points after ten rounds, a rectangle "
    "about twice as long as wide, evenly coloured from left to right. Right: the Swiss roll, and "
    "the net of f that follows it for one and a half turns.",
)

# %% [markdown]
# The table shows the trap of the third section once more: from the first round to the last, $E$
# falls by two thirds and $X$ shrinks, but $R^2$ hardly changes. Nearly all Gauss-Newton steps are
# full ones.
#
# What if both maps are *linear*? Then one Gauss-Newton step is exact, and the alternation becomes a
# method that is a hundred years older:

# %%
Z = scaled(np.random.RandomState(0).normal(size=(300, 3)) @ np.diag([3.0, 1.5, 0.5]), 1.0)
x = np.random.RandomState(1).normal(size=(300, 1))
for _ in range(40):
    A = np.linalg.lstsq(x, Z, rcond=None)[0]  # f(x) = x A
    B = np.linalg.lstsq(Z, x, rcond=None)[0]  # F(y) = y B
    x = np.linalg.solve(np.eye(1) + A @ A.T, A @ Z.T + (Z @ B).T).T  # (12), exact
component = Z @ np.linalg.svd(Z)[2][0]
print(
    f"correlation with the first principal component: {abs(np.corrcoef(x.T, component)[0, 1]):.6f}"
)

# %% [markdown]
# ## New points (4 minutes)
#
# A new point $y$ has two possible places: $F(y)$, which costs one evaluation, and the minimum of
# (7), which Gauss-Newton finds from there. `transform` gives the second place, or the first with
# `refine=False`. Here are 1000 points to learn from and 2000 new points, whose true coordinates we
# know.
#
# **Predict** (a) Which place is nearer to the truth? (b) Which stops shorter at the two ends of the
# roll?

# %%
from sklearn.linear_model import LinearRegression

roll, truth = datasets.swiss_roll(1000, length=90.0, height=50.0, random_state=0)
start = truth + 10 * np.random.RandomState(1).normal(size=truth.shape)
model = ParametricDRUR(init=start, max_iter=10).fit(roll)
to_sheet = LinearRegression().fit(model.embedding_, truth).predict


# %%
def short_at_ends(x, true):
    """How far positions within 3 units of the ends of the roll stop short of the truth."""
    inwards = np.sign(true[:, 0] - 45) * (true - to_sheet(x))[:, 0]
    return inwards[np.abs(true[:, 0] - 45) > 42].mean()


# %% tags=["nbval-ignore-output"]
new, where = datasets.swiss_roll(2000, length=90.0, height=50.0, random_state=9)
judged = {}
for name, refine in (("F(y)", False), ("refined", True)):
    x = model.set_params(refine=refine).transform(new)
    missed = np.sum((new - model.inverse_transform(x)) ** 2, axis=1).mean()
    off = np.sqrt(np.mean(np.sum((to_sheet(x) - where) ** 2, axis=1)))
    judged[name] = missed, off, short_at_ends(x, where)
    print(f"{name:8} mean |y - f(x)|² {missed:5.2f}, off the truth by {off:.2f},", end=" ")
    print(f"short by {judged[name][2]:.2f} at the ends")
print(f"the fitted points are short by {short_at_ends(model.embedding_, truth):.2f}")

# %%
alone, refined = judged["F(y)"], judged["refined"]
assert alone[0] > 20 * refined[0] and alone[1] > 2 * refined[1] and alone[2] > refined[2] > 0

# %% [markdown]
# **Check** (a) The refined place, by a factor of three. The squared distance from its image $f(x)$
# to $y$ is seventy times smaller. Over twenty other draws the factors are 2.2 to 4.7 and 33 to 76.
# (b) $F(y)$, by 2 units of 90. In this draw half of that remains after refinement. Over the twenty
# other draws refinement helps at the ends in 17; the part that remains is .46 in the median, with
# quartiles .28 and .87. The fitted points themselves are short by about as much as the refined
# ones. They were pulled inwards in each round, and the model cannot know better than they do. This
# is the price of $F$.
#
# Which place should you take? Take the refined place for data like those that the model was fitted
# to. Take $F(y)$ alone where speed counts, or where you need a continuous map: the minimum of (7)
# can jump from one turn of the roll to the next, as in lesson 09, and $F$ cannot.
#
# ## Key points
#
# - DRUR leaves both maps and the points free, (1). A map $f$ alone does not mind torn or scattered
#   latent points; $F$ ties near data to near latent points. The price of $F$ is that the ends are
#   pulled inwards.
# - Shrinking can always lower the objective. A lower value does not mean a better embedding.
# - With the maps held fixed, the points do not affect each other: there are $N$ problems of $q$
#   unknowns (7).
# - Gauss-Newton (12) leaves out the second derivatives of $f$. Thanks to $F$, its matrix
#   $I + J^T J$ has eigenvalues of at least one. It is as fast as Newton near the sheet, and always
#   leads downhill.
# - With the points held fixed, the weights of radial basis functions solve one linear system (16).
#   Test solutions by the slope of what they minimise.
# - A few rounds are enough. The first one does nearly all of the work.
#
# **Notation**

# %%
notation.table(
    *("Y", "X", "N", "d", "q", "f", "F", "penalty", "error", "J", "second_derivatives", "step"),
    *("n_basis", "centres", "width", "Phi", "W", "bias"),
    paper="drur",
)

# %% [markdown]
# **Covered** (1) to (17), figure 1.
#
# **Further**
#
# - To do: [exercise 21: the Jacobian of a network](../exercises/21_rbf_jacobian.ipynb), [exercise
#   22: the weights of a network](../exercises/22_centred_solve.ipynb), [exercise 23: the
#   Gauss-Newton step of every point](../exercises/23_gauss_newton.ipynb).
# - Before: [moving together](16_moving_together.ipynb). After: [rescue the
#   roll](20_rescue_the_roll.ipynb), on what two maps repair and what they don't, with perceptrons
#   (18), (20), autoencoders (19), and the paper's experiments.
# - [Lesson 03](03_reconstruction_error.ipynb) treats the error without a minimum in UKR. [Lesson
#   09](09_projection.ipynb) finds a place for new points in UKR.
# - In the library: `ParametricDRUR`; `drur.alternation`, `drur.project`, `drur.gauss_newton_steps`;
#   `networks.fit_rbf`, `cluster_centres`, `best_width`.
# - In loops: `explicit.rbf_network`, `rbf_objective`, `gauss_newton_steps`; in matrices:
#   `explicit.matrices.drur`.
