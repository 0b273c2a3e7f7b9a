# %% [markdown]
# # The course
#
# This page lists the lessons of each paper, the exercises, the appendices, and tracks of 45 minutes
# to half a semester.
#
# Most lessons (also called units) take about twenty-five minutes. A lesson begins with a problem, asks
# for your prediction, and shows what happens, often in a picture that you can move. At its top,
# **Afterwards you can** says what you will be able to do, and **You need** names the lessons that
# come before. If you are new here, begin with [lesson 00](00_start_here.ipynb). All symbols of the
# papers and of the code are in the [glossary](glossary.ipynb). Each paper's whole method stands on
# one page of plain NumPy, in the folder `ukrlearn/explicit/whole`.
#
# <!-- badge -->
# <!-- end of badge -->
#
# **Contents** The lessons · Appendices · Exercises · Your own file · Tracks
#
# ## The lessons
#
# ### [UKR]: a curve or surface through noisy points
#
# The first paper is Meinicke, Klanke, Memisevic, Ritter, *Principal Surfaces from Unsupervised
# Kernel Regression*, 2005. These lessons and the appendix cover each of its equations.
#
# | lesson | minutes | equations and results of [UKR] |
# |---|---|---|
# | [00 Start here: a curve through noisy points](00_start_here.ipynb) | 10 | a first look |
# | [01 Kernel regression and the bandwidth](01_kernel_regression.ipynb) | 24 | (2), (3) with known inputs |
# | [02 From supervised to unsupervised](02_unsupervised.ipynb) | 25 | (1), (2), (4) |
# | [03 An error without a minimum](03_reconstruction_error.ipynb) | 28 | (8) |
# | [04 Leave-one-out for free](04_leave_one_out.ipynb) | 25 | (10), (11), (12) |
# | [05 The density constraint](05_density_constraint.ipynb) | 22 | (3), (7), (9) |
# | [06 The gradient in matrix form](06_gradient.ipynb) | 28 | (23) to (36), appendix B |
# | [07 Going down: from a start to a model](07_going_down.ipynb) | 21 | section 2.3, step 5: the descents |
# | [08 Starts and their scales](08_starts_and_scales.ipynb) | 29 | section 2.3, steps 1 to 4 and 6, figure 1, likelihood cross-validation |
# | [09 Projecting new data](09_projection.ipynb) | 30 | (19), table 1, figure 2 |
# | [10 Digits: a surface through images, and what a compact kernel buys](10_digits.ipynb) | 26 | (20), figures 3 and 4, table 2 |
# | [11 Feature space: fitting a surface from inner products alone](11_feature_space.ipynb) | 28 | (13) to (18), (37), appendix C, figure 5 |
# | [12 A referee and a companion for other embeddings](12_referee.ipynb) | 29 | beyond the paper: judging t-SNE and others |
# | [13 Your own data](13_your_own_data.ipynb) | 23 | your file, from reading it to exporting the embedding |
#
# ### [SGD]: how a descent finds a good minimum from a random start
#
# The second paper is Memisevic, Hinton, *Improving Dimensionality Reduction with Spectral Gradient
# Descent*, 2005.
#
# | lesson | minutes | equations and results of [SGD] |
# |---|---|---|
# | [14 Choosing neighbours: stochastic neighbour embedding](14_neighbour_embedding.ipynb) | 24 | (1) to (9) |
# | [15 Springs: what moves the points, and what eigenvectors know](15_springs.ipynb) | 27 | (10) to (12), figure 1 a to c |
# | [16 Moving together: spectral gradient descent](16_moving_together.ipynb) | 28 | (13) to (17), figures 1 d, 2 and 3 |
# | [17 Rivals and noise: does guidance earn its place?](17_rivals_and_noise.ipynb) | 25 | (18) to (21), figures 3 to 6 |
#
# ### [DRUR]: two maps, one to latent space and one back
#
# The third paper is Carreira-Perpiñán, Lu, *Parametric Dimensionality Reduction by Unsupervised
# Regression*, 2010. Its two maps repair coordinates that another method has computed.
#
# | lesson | minutes | equations and results of [DRUR] |
# |---|---|---|
# | [18 Two maps and the points between](18_two_maps.ipynb) | 28 | (1) to (13), (17) |
# | [19 The alternation: two regressions, and a step for each point](19_alternation.ipynb) | 24 | (14) to (16), figure 1 |
# | [20 Rescue the roll: what two maps repair](20_rescue_the_roll.ipynb) | 19 | (18), (20), figure 6 |
# | [21 Who does it better?](21_who_does_it_better.ipynb) | 21 | (19), figures 2 to 4 and 6 |
#
# ### [RPM]: k-means, PCA and principal curves from one functional
#
# The fourth paper is Smola, Mika, Schölkopf, Williamson, *Regularized Principal Manifolds*, 2001. It
# keeps curves and surfaces smooth by a kernel.
#
# | lesson | minutes | equations and results of [RPM] |
# |---|---|---|
# | [22 One functional, many methods](22_one_functional.ipynb) | 27 | (1) to (11), examples 1 to 6 |
# | [23 Principal manifolds](23_principal_manifolds.ipynb) | 24 | (12), (13), (14), (16), (17), (18), (29) to (33), (35), figures 1 and 2 |
# | [24 How stiff should it be?](24_stiffness.ipynb) | 28 | (15), (19) to (28), (34), figures 3 and 4 |
# | [25 Noise in the code](25_noisy_codes.ipynb) | 21 | (36) to (40), section 6.1 |
# | [26 How many points?](26_how_many_points.ipynb) | 25 | (41) to (57), (93) of appendix B |
#
# ### [SI]: class labels inside an embedding, and places for new points
#
# The fifth paper is Orsenigo, Vercellis, *Kernel Ridge Regression for Out-of-Sample Mapping in
# Supervised Manifold Learning*, 2012. Only its first pages are public.
#
# | lesson | minutes | equations and results of [SI] |
# |---|---|---|
# | [27 Graphs and geodesics](27_graphs_and_geodesics.ipynb) | 26 | section 2: steps 1, 3 and 4 of procedure A-Isomap |
# | [28 Pieces and rings](28_pieces_and_rings.ipynb) | 16 | section 2: step 2, negative eigenvalues, residual variance |
# | [29 Labels inside the embedding](29_labels_inside.ipynb) | 25 | (1), sections 1 and 3 |
# | [30 Where do new points go?](30_where_new_points_go.ipynb) | 25 | section 1: maps for new points |
#
# ## Appendices
#
# An appendix holds what a lesson has no room for: optional proofs, and each claim of the paper
# beside our measurement.
#
# | appendix | equations and results |
# |---|---|
# | [Appendix: [UKR], proofs and claims](appendix_ukr.ipynb) | [UKR] (5), (6), (21), (22), appendix A, table 3; claims |
# | [Appendix to lessons 14 to 17: spectral gradient descent](appendix_sgd.ipynb) | [SGD] side information, k-means on eigenvectors, when deflation stops; claims |
# | [Appendix: [DRUR], convergence, costs, defects, and claims](appendix_drur.ipynb) | [DRUR] sections 2.1 and 4, figures 2, 4, 5 and 8 to 10; claims |
# | [Appendix: what [RPM] claims, and what we measured](appendix_rpm.ipynb) | [RPM] (58) to (96), misprints; claims |
# | [Appendix: what [SI] claims, and what we measured](appendix_si.ipynb) | [SI] what is public; claims |
#
# ## Exercises
#
# Each exercise has hints, and a checker that shows an example where your answer is wrong, quotes
# the line and names the mistake. Your progress is saved in the folder `exercises`; `progress()`
# shows it. `review()` asks about what you have learnt, when it is due.
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
# | [11 One step of RPROP](../exercises/11_rprop.ipynb) | 20 | 07 | [UKR] section 2.3 |
# | [12 The likelihood of a bandwidth](../exercises/12_scale_by_likelihood.ipynb) | 20 | 08 | [UKR] section 4 |
# | [13 The place of a new point](../exercises/13_projection.ipynb) | 20 | 09 | [UKR] (19) |
# | [14 The quartic kernel, its slope and P](../exercises/14_quartic.ipynb) | 15 | 10 | [UKR] (27), (34), (36) |
# | [15 The L1 kernel, and its features](../exercises/15_l1_gram.ipynb) | 20 | 11 | [UKR] (17), (18) |
# | [16 One stage of the homotopy](../exercises/16_homotopy_stage.ipynb) | 25 | 08 | [UKR] section 2.3, step 4; (9), (10) |
# | [17 Data for the underdog](../exercises/17_pca_wins.ipynb) | 25 | 08 | [UKR] section 2.3, step 4; (10) |
# | [18 The gradient of SNE](../exercises/18_sne_gradient.ipynb) | 20 | 14 | [SGD] (1)-(4) |
# | [19 Affinity and guided gradient](../exercises/19_affinity.ipynb) | 25 | 16 | [SGD] (12), (16), (17) |
# | [20 The effective number of directions](../exercises/20_effective_directions.ipynb) | 15 | 16 | [SGD] (17), and the number of lesson 16 |
# | [21 The Jacobian of a network](../exercises/21_rbf_jacobian.ipynb) | 20 | 18 | [DRUR] (17) |
# | [22 The weights of a network](../exercises/22_centred_solve.ipynb) | 25 | 19 | [DRUR] (14) to (16) |
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
# ## Your own file
#
# The course ends with a file that is yours. Run this in a notebook of the folder `exercises`:
#
# ```python
# from ukrlearn.checks import check, collect
# collect()
# check("my_ukr")
# ```
#
# `collect()` writes `my_ukr.py` from your answers to exercises 1, 2, 7 and 10 to 13, joined by a start,
# a descent and a driver. Pieces that are still missing name their exercise. The check fits a spiral, a
# roll and digits with it, and races it against the library.
#
# When the race is over, take your own CSV: `X, f, F = my_ukr.fit(table, 2)`, or in a terminal
# `python my_ukr.py my.csv`.
#
# ## Tracks
#
# A track is a choice of lessons in which each lesson comes after those that it needs. The
# minutes are those of its lessons and exercises, rounded, without pauses.
#
# | minutes | track | lessons and exercises | afterwards you can |
# |---|---|---|---|
# | 45 | a first look | [00](00_start_here.ipynb), [01](01_kernel_regression.ipynb), [exercise 1](../exercises/01_nadaraya_watson.ipynb) | say what the bandwidth does, let the data choose it, and write kernel regression yourself |
# | 60 | a first look at the unsupervised method, too | [00](00_start_here.ipynb) to [02](02_unsupervised.ipynb) | say what the bandwidth does, turn a guess at the order of data into a curve, and say why the scale of the latent points replaces the bandwidth |
# | 90 | a session | [00](00_start_here.ipynb) to [03](03_reconstruction_error.ipynb) | also say why the reconstruction error has no minimum, and what leaving points out changes |
# | 180 | half a day | [00](00_start_here.ipynb) to [07](07_going_down.ipynb) | also write the gradient of the error, and follow a fit from a start to a model |
# | 300 | your own data | [00](00_start_here.ipynb) to [09](09_projection.ipynb), [12](12_referee.ipynb), [13](13_your_own_data.ipynb) | place new points, judge embeddings of other methods, and fit, judge and export a model of your own data |
# | 265 | spectral gradient descent, [SGD] | [00](00_start_here.ipynb) to [04](04_leave_one_out.ipynb), [06](06_gradient.ipynb), [07](07_going_down.ipynb), [14](14_neighbour_embedding.ipynb) to [17](17_rivals_and_noise.ipynb) | write the gradient of SNE, say what eigenvectors reveal that a descent cannot see, and use them to guide the descent |
# | 340 | two maps, [DRUR] | [00](00_start_here.ipynb) to [09](09_projection.ipynb), [18](18_two_maps.ipynb) to [21](21_who_does_it_better.ipynb) | say what a second map is for, move all latent points at once by Gauss-Newton, and judge which bad starts can be repaired |
# | 140 | principal manifolds, [RPM] | [00](00_start_here.ipynb) to [02](02_unsupervised.ipynb), [22](22_one_functional.ipynb) to [24](24_stiffness.ipynb) | write k-means, PCA and a principal curve as one alternation, and choose how stiff a curve should be |
# | 125 | labels in an embedding, [SI] | [00](00_start_here.ipynb) to [02](02_unsupervised.ipynb), [27](27_graphs_and_geodesics.ipynb) to [29](29_labels_inside.ipynb) | build Isomap, put labels into it, and test fairly whether they help |
# | 780 | half a semester with one session of 90 minutes a week | [00](00_start_here.ipynb) to [30](30_where_new_points_go.ipynb) | do all of the above; the exercises are for the time between the sessions |
