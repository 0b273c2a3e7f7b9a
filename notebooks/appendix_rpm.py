# %% [markdown]
# # Appendix: what [RPM] claims, and what we measured
#
# Every claim of *Regularized Principal Manifolds* (Smola, Mika, Schölkopf and Williamson, 2001) that
# can be measured, beside our measurement.
#
# **Afterwards you can**
#
# - say which claims of the paper held on our draws, which are open, and which turned out the other
#   way;
# - find the unit that shows a claim, and the misprints that cost us time.
#
# **You need** units [22](22_one_functional.ipynb) to [26](26_how_many_points.ipynb). **Time** 10
# minutes. **Contents** Misprints · What was measured · Key points

# %%
from ukrlearn import notation

# %% [markdown]
# ## Misprints
#
# | where | printed | what we use, and why |
# |---|---|---|
# | (9) | codes in $[0, 1]$ and $\vert f_1\vert = 1$ | all real codes; otherwise (9) describes a segment, not PCA |
# | (16) | $k(x_i, x)$ | $k(z_i, z)$: the nodes lie in the space of codes |
# | (29) | a minimum over $M$ places | over $m$ places, one for each point |
# | (33), figure 1 | λ beside the mean of the errors | with the printed values of λ the curves collapse; beside the *sum* they look like the figure (unit 23) |
# | (35) | $\frac\lambda2 I$ | $\frac{\lambda M}2 I$, which follows from setting the slope to zero |
# | (39), (40) | $2\sigma^2$ | $\sigma^2$; simulation agrees to a thousandth (unit 25) |
# | (46), (47), (49) | $e_c$ in the exponent | $e_c^2$, as in Hoeffding's inequality |
# | (53) | $\alpha/2$ | $2/\alpha$, as in the paper's own appendix; only then does (57) follow |
#
# ## What was measured
#
# <!-- claims [RPM] -->
# <!-- end of claims -->
#
# ## Key points
#
# - Curves and surfaces are as smooth as the paper says, and the number of nodes does not matter, if λ
#   stands beside the sum of the errors.
# - The rates are bounds. Our slopes do not contradict them, and vary too much to confirm them.

# %%
notation.table("Y", "X", "N", "q", "penalty", "roughness", "latent_kernel", paper="rpm")

# %% [markdown]
# **Covered** misprints in (9), (16), (29), (33), (35), (39), (40), (46), (47), (49) and (53).
#
# **Further** Back to [one functional, many methods](22_one_functional.ipynb), or on to
# [graphs and geodesics](27_graphs_and_geodesics.ipynb).
