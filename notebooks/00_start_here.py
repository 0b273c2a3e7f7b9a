# %% [markdown]
# # Start here: a curve through noisy points
#
# In five minutes you fit a curve to points, although nobody has told the model where on the curve
# each point belongs.
#
# **Afterwards you can**
#
# - fit an unsupervised kernel regression (UKR) model to data, and read what it learnt;
# - place a new point on the fitted curve;
# - say what the bandwidth does, and how a model finds it by itself.
#
# **You need** Python and NumPy; no theory. **Time** 5 minutes. **Contents** The data · The fit ·
# What was learnt · A new point · The bandwidth · Key points · The course · Exercises

# %%
import numpy as np

from ukrlearn import UKR, datasets, figures, metrics

# %% [markdown]
# ## The data (½ minute)
#
# The data are three hundred points on a spiral of two turns, with a little noise. Each point $y_n$
# consists of two numbers. We generated the data ourselves, so we know the position $t_n$ of each
# point *along* the spiral; the model never sees it.

# %%
Y, t = datasets.noisy_spiral(n_samples=300, noise=0.02, random_state=0)
print(f"{len(Y)} points of {Y.shape[1]} numbers; the first three:")
print(Y[:3].round(3))

# %%
figure, ax = figures.blank()
figures.data(ax, Y, title="The data")
figures.show(figure, "300 points scattered closely around a spiral of two turns.")

# %% [markdown]
# ## The fit (1 minute)
#
# UKR gives each point $y_n$ one number $x_n$, its *latent coordinate*, so that points with similar
# coordinates reconstruct $y_n$ well: the weighted mean
#
# $$f(x) = \sum_n \frac{K(x - x_n)}{\sum_m K(x - x_m)}\, y_n \tag{2}$$
#
# should be close to $y_n$ at $x = x_n$, *even if point $n$ itself is left out of the sum*. The
# kernel $K$ is a bell-shaped function: a point has the most weight at its own coordinate, and less
# weight further away. The mean squared distance between the points and these reconstructions is the
# *leave-one-out error* $R_{cv}$. The model tries several starts, which are orders of the points
# proposed by other methods, and improves the most promising one. (Equation numbers are those of the
# paper, Meinicke and others, 2005.)

# %% tags=["nbval-ignore-output"]
model = UKR(n_components=1).fit(Y)
start = next(candidate for candidate in model.starts_ if candidate.chosen)
print(f"The model tried {len(model.starts_)} starts; {start.name} led to the best result.")
print(f"Its leave-one-out error fell from {start.cv_error:.5f} to {model.cv_error_:.5f}.")

# %%
assert model.cv_error_ < 0.001

# %% [markdown]
# The noise across the curve has a mean square of $0.02^2 = 0.0004$, and the error has come down to
# about that value: what remains is noise. The error can even fall below it, because the fit chooses
# the coordinates $x_n$ to make the error small. With more noise you would see the curve chase
# single points.
#
# ## What was learnt (1 minute)
#
# The curve is $f(x)$ for all $x$ between the smallest and the largest latent coordinate. In both
# pictures the colour shows the true position $t$ along the spiral. If the colours change evenly on
# the right, the model has found the order of the points by itself.

# %%
x = model.embedding_[:, 0]
figure, (left, right) = figures.blank(1, 2)
figures.data(left, Y, t, title="Data and fitted curve")
figures.manifold(left, model.embedding_, Y)
figures.order(right, x, t)
figures.show(
    figure,
    "Left: the fitted curve follows the spiral from end to end. Right: latent coordinate against "
    "true position, which is a nearly straight line.",
)

# %%
print("order recovered:", bool(metrics.order_recovered(x, t) > 0.99))

# %% [markdown]
# Which end of the curve gets the small numbers is a matter of chance: the data cannot tell the two
# ends apart.
#
# ## A new point (½ minute)
#
# Where does a point belong that the model has never seen? It belongs at the $x$ whose $f(x)$ is
# nearest. The method `transform` finds this $x$, and `inverse_transform` computes $f$. In the
# picture, a dashed line joins the new point to its place on the curve.

# %%
y_new = np.array([[0.9, 0.9]])
x_new = model.transform(y_new)
on_curve = model.inverse_transform(x_new)
distance = np.linalg.norm(on_curve - y_new)
print(f"{y_new[0]} is about {distance:.1f} away from the curve")

# %%
figure, ax = figures.blank()
figures.data(ax, Y, title="A new point and its place")
figures.manifold(ax, model.embedding_, Y)
ax.plot(*np.vstack([y_new, on_curve]).T, "s--", color="black", markersize=6)
figures.show(figure, "A dashed line joins the new point, upper right, to its place on the curve.")

# %% [markdown]
# ## The bandwidth (2 minutes)
#
# The *bandwidth* $h$ is the distance over which the weights fade. In UKR it is simply the scale of
# the latent coordinates, so the model learns it together with them. Here you can spoil the scale:
# the slider divides all coordinates by $h$. The panel shows two errors: $R_{cv}$, and $R$, for
# which each point helps to reconstruct itself.
#
# **Predict** What will the curve look like with a very small bandwidth, and with a very large one?
# One of the two errors goes to zero at one end of the slider. Which error is it, and why is that
# bad news?

# %% tags=["nbval-ignore-output"]
from ukrlearn.panels import LatentScale

panel = LatentScale(model.embedding_, Y)
panel

# %% [markdown]
# **Check** With a small bandwidth each point is reconstructed from itself alone. The curve jumps
# from point to point and the error $R$ vanishes, but the model has learnt nothing. With a large
# bandwidth all points have the same weight everywhere, and the curve shrinks to the mean of the
# data. Neither extreme fools the leave-one-out error $R_{cv}$; the fit has put its minimum near
# $h = 1$.

# %%
cv_errors = {h: panel.errors(h)[1] for h in (0.05, 1, 20)}
print("h = 1 is better than 0.05:", cv_errors[1] < cv_errors[0.05])
print("h = 1 is better than 20:  ", cv_errors[1] < cv_errors[20])

# %% [markdown]
# ## Key points
#
# - A UKR model *is* its latent points. Their scale is the bandwidth.
# - Leaving each point out of its own reconstruction keeps the model honest, and costs nothing.
# - **Covered** (2), the map from latent space to data; (10), the leave-one-out error; (19), the
#   projection of new points.
#
# ## The course
#
# The first paper is [UKR]: Meinicke, Klanke, Memisevic, Ritter, *Principal Surfaces from
# Unsupervised Kernel Regression*, 2005. These lessons cover each of its equations.
#
# | lesson | minutes | equations and results of [UKR] |
# |---|---|---|
# | [00 Start here](00_start_here.ipynb) | 5 | a first look |
# | [01 Kernel regression and the bandwidth](01_kernel_regression.ipynb) | 20 | (2), (3) with known inputs |
# | [02 From supervised to unsupervised](02_unsupervised.ipynb) | 25 | (1), (2), (4) |
# | [03 An error without a minimum](03_reconstruction_error.ipynb) | 28 | (8) |
# | [05 The density constraint](05_density_constraint.ipynb) | 38 | (3), (5), (6), (7), (9), (21), (22), appendix A |
# | [04 Leave-one-out for free](04_leave_one_out.ipynb) | 27 | (10), (11), (12) |
# | [06 The gradient in matrix form](06_gradient.ipynb) | 30 | (23) to (36), appendix B |
# | [07 Optimisation](07_going_down.ipynb) | 44 | section 2.3, likelihood cross-validation |
# | [09 Projecting new data](09_projection.ipynb) | 27 | (19), table 1, figure 2 |
# | [10 Digits](10_digits.ipynb) | 25 | (20), figures 3 and 4, table 2 |
# | [11 Feature space](11_feature_space.ipynb) | 30 | (13) to (18), (37), appendix C, figure 5, table 3 |
# | [12 A referee and a companion](12_referee.ipynb) | 24 | beyond the paper: judging t-SNE and others |
# | [13 Your own data](13_your_own_data.ipynb) | 16 | your file, from reading it to exporting the embedding |
#
# The second paper is [SGD]: Memisevic, Hinton, *Improving Dimensionality Reduction with Spectral
# Gradient Descent*, 2005. It asks how a descent can find a good minimum from a random start.
#
# | lesson | minutes | equations and results of [SGD] |
# |---|---|---|
# | [14 Two families: methods that iterate and methods that decompose](14_neighbour_embedding.ipynb) | 46 | (1) to (12), figure 1 a to c |
# | [16 Moving together](16_moving_together.ipynb) | 50 | (13) to (21), figures 1 to 6 |
#
# The third paper is [DRUR]: Carreira-Perpiñán, Lu, *Parametric Dimensionality Reduction by
# Unsupervised Regression*, 2010. It fits two maps, one to latent space and one back, and so repairs
# coordinates that another method has computed.
#
# | lesson | minutes | equations and results of [DRUR] |
# |---|---|---|
# | [18 Two maps and the points between](18_two_maps.ipynb) | 45 | (1) to (17), figure 1 |
# | [20 Rescue the roll](20_rescue_the_roll.ipynb) | 50 | (18) to (20), figures 2 to 6 and 8 to 10 |
#
# The fourth paper is [RPM]: Smola, Mika, Schölkopf, Williamson, *Regularized Principal Manifolds*,
# 2001. It derives k-means, PCA and principal curves from one functional, and keeps curves and
# surfaces smooth by a kernel.
#
# | lesson | minutes | equations and results of [RPM] |
# |---|---|---|
# | [22 One functional, many methods](22_one_functional.ipynb) | 23 | (1) to (11), examples 1 to 6 |
# | [23 Principal manifolds](23_principal_manifolds.ipynb) | 20 | (12), (13), (14), (16), (17), (18), (29) to (33), (35), figures 1 and 2 |
# | [24 How stiff should it be?](24_stiffness.ipynb) | 21 | (15), (19) to (28), (34), figures 3 and 4 |
# | [25 Noise in the code](25_noisy_codes.ipynb) | 22 | (36) to (40), section 6.1 |
# | [26 How many points?](26_how_many_points.ipynb) | 22 | (41) to (57), appendix A |
#
# The fifth paper is [SI]: Orsenigo, Vercellis, *Kernel Ridge Regression for Out-of-Sample Mapping in
# Supervised Manifold Learning*, 2012. It puts class labels into an embedding, and asks where new
# points go. Only its first pages are public.
#
# | lesson | minutes | equations and results of [SI] |
# |---|---|---|
# | [27 Graphs and geodesics](27_graphs_and_geodesics.ipynb) | 21 | section 2: steps 1, 3 and 4 of procedure A-Isomap |
# | [28 Pieces and rings](28_pieces_and_rings.ipynb) | 14 | section 2: step 2, negative eigenvalues, residual variance |
# | [29 Labels inside the embedding](29_labels_inside.ipynb) | 25 | (1), sections 1 and 3 |
# | [30 Where do new points go?](30_where_new_points_go.ipynb) | 25 | section 1: maps for new points |
#
# ## Exercises
#
# Each exercise has hints, and a checker that tells you which mistake you made. Your progress is
# saved in the folder `exercises`; `progress()` shows it.
#
# | exercise | minutes | after lesson | equations |
# |---|---|---|---|
# | [1 The weighted mean f(x)](../exercises/01_nadaraya_watson.ipynb) | 15 | 01 | [UKR] (2) |
# | [2 The density of the latent points](../exercises/02_latent_density.ipynb) | 10 | 01 | [UKR] (3) |
# | [3 The weights as a matrix](../exercises/03_basis_weights.ipynb) | 15 | 02 | [UKR] (2), (23) |
# | [4 The reconstruction error R](../exercises/04_reconstruction_error.ipynb) | 15 | 03 | [UKR] (8) |
# | [5 Break it](../exercises/05_break_it.ipynb) | 10 | 03 | [UKR] (8), (10) |
# | [6 The density constraint, for every point](../exercises/06_density_constraint.ipynb) | 15 | 05 | [UKR] (3), (7), (9) |
# | [7 The leave-one-out error](../exercises/07_leave_one_out.ipynb) | 15 | 04 | [UKR] (10) |
# | [8 What isolation costs](../exercises/08_penalty_factors.ipynb) | 20 | 04 | [UKR] (11), (12) |
# | [9 The gradient, pair by pair](../exercises/09_gradient_by_points.ipynb) | 25 | 06 | [UKR] (29), (30) |
# | [10 The gradient as a matrix product](../exercises/10_gradient_matrix.ipynb) | 25 | 06 | [UKR] (31), (32) |
# | [11 One step of RPROP](../exercises/11_rprop.ipynb) | 20 | 07 | [UKR] 2.3 |
# | [12 The likelihood of a bandwidth](../exercises/12_scale_by_likelihood.ipynb) | 20 | 07 | [UKR] section 4 |
# | [13 The place of a new point](../exercises/13_projection.ipynb) | 20 | 09 | [UKR] (19) |
# | [14 The quartic kernel, its slope and P](../exercises/14_quartic.ipynb) | 15 | 10 | [UKR] (27), (34), (36) |
# | [15 The L1 kernel, and its features](../exercises/15_l1_gram.ipynb) | 20 | 11 | [UKR] (17), (18) |
# | [16 One stage of the homotopy](../exercises/16_homotopy_stage.ipynb) | 25 | 07 | [UKR] 2.3 step 4, (9), (10) |
# | [17 Data for the underdog](../exercises/17_pca_wins.ipynb) | 25 | 07 | [UKR] 2.3 step 4, (10) |
# | [18 The gradient of SNE](../exercises/18_sne_gradient.ipynb) | 20 | 14 | [SGD] (1)-(4) |
# | [19 Affinity and guided gradient](../exercises/19_affinity.ipynb) | 25 | 16 | [SGD] (12), (16), (17) |
# | [20 The effective number of directions](../exercises/20_effective_directions.ipynb) | 15 | 16 | [SGD] (17), and the number of lesson 16 |
# | [21 The Jacobian of a network](../exercises/21_rbf_jacobian.ipynb) | 20 | 18 | [DRUR] (17) |
# | [22 The weights of a network](../exercises/22_centred_solve.ipynb) | 25 | 18 | [DRUR] (14) to (16) |
# | [23 The Gauss-Newton step of every point](../exercises/23_gauss_newton.ipynb) | 20 | 18 | [DRUR] (11), (12) |
# | [24 Project and adapt](../exercises/24_project_adapt.ipynb) | 15 | 22 | [RPM] (3), (6), (9) |
# | [25 Huber's weights](../exercises/25_huber_reweighting.ipynb) | 20 | 22 | [RPM] (8) |
# | [26 K-planes](../exercises/26_k_planes.ipynb) | 25 | 22 | [RPM] after (10) |
# | [27 Adapt a manifold](../exercises/27_adapt_manifold.ipynb) | 20 | 23 | [RPM] (32), (33) |
# | [28 Project onto a curve](../exercises/28_project_onto_curve.ipynb) | 25 | 23 | [RPM] (30) |
# | [29 A start with the right penalty](../exercises/29_half_penalty.ipynb) | 20 | 23 | [RPM] (13), (17), (35) |
# | [30 What noise in the code costs](../exercises/30_channel_noise.ipynb) | 20 | 25 | [RPM] (38), (39) |
# | [31 Who is responsible?](../exercises/31_gtm_responsibilities.ipynb) | 15 | 25 | [RPM] section 6.1 |
# | [32 The slope of the excess error](../exercises/32_excess_slope.ipynb) | 15 | 26 | [RPM] proposition 6 |
# | [33 All shortest paths](../exercises/33_floyd_warshall.ipynb) | 15 | 27 | [SI] section 2, step 3 |
# | [34 Coordinates from distances](../exercises/34_double_centring.ipynb) | 20 | 27 | [SI] section 2, step 4 |
# | [35 Arcs that join components](../exercises/35_join_components.ipynb) | 20 | 28 | [SI] section 2, step 2 |
# | [36 A distance that knows the labels](../exercises/36_label_distance.ipynb) | 20 | 29 | [SI] (1) |
# | [37 The control without a manifold](../exercises/37_one_hot_control.ipynb) | 20 | 29 | a control for [SI] |
# | [38 Find the leak](../exercises/38_find_the_leak.ipynb) | 25 | 29 | the test for [SI] |
# | [39 A place for a new point](../exercises/39_grnn.ipynb) | 20 | 30 | [SI] section 1 |
# | [40 Leave-one-out without refitting](../exercises/40_ridge_leave_one_out.ipynb) | 25 | 30 | [SI] section 1 |
#
# There are seven routes through the course:
#
# - **45 minutes**: 00, 01, 12. Afterwards you can say what the bandwidth does, and fit and judge a
#   model of your own data.
# - **90 minutes**: 00, 01, 02, 05, 12. Afterwards you can also derive UKR from kernel regression,
#   and explain why leaving points out keeps it honest.
# - **180 minutes**: 00 to 05, then 07. Afterwards you can also say why the error needs a bound,
#   what a density constraint does to a manifold, and how a fit proceeds from a start to a model.
# - **240 minutes**, towards the second paper: 00, 01, 02, 05, 06, 07, 13, 14. Afterwards you can
#   also write the gradients of UKR and SNE, say what eigenvectors reveal that a descent cannot see,
#   and use them to guide the descent.
# - **225 minutes**, towards the third paper: 00, 01, 02, 05, 06, 08, 15, 16. Afterwards you can
#   also say what a second map is for, move all latent points at once by Gauss-Newton, and judge
#   which bad starts can be repaired.
# - **180 minutes**, towards the fourth paper: 00, 01, 02, 08, 17 to 21. Afterwards you can also write
#   k-means, PCA and a principal curve as one alternation, choose how stiff a curve should be, and say
#   what noise in the code and the number of points have to do with it.
# - **230 minutes**, towards the fifth paper: 00, 01, 02, 08, 11, 15, 22 to 25. Afterwards you can also
#   build Isomap, put labels into it, place new points in any embedding, and test all of it fairly.
#
# **Further** `help(UKR)` lists what the estimator can and cannot do. The module `ukrlearn.explicit`
# has every formula as plain loops. The next five cells list all symbols, first in the notation of
# [UKR], then of [SGD], [DRUR], [RPM] and [SI]:

# %%
from ukrlearn import notation

notation.table()

# %%
notation.table(paper="sgd")

# %%
notation.table(paper="drur")

# %%
notation.table(paper="rpm")

# %%
notation.table(paper="si")
