# %% [markdown]
# # Appendix: what [SI] claims, and what we measured
#
# Every claim in the public pages of *Kernel Ridge Regression for Out-of-Sample Mapping in Supervised
# Manifold Learning* (Orsenigo and Vercellis, 2012) that can be measured, beside our measurement.
#
# **Afterwards you can**
#
# - say which claims of the paper held on our data sets, which are open, and which turned out the other
#   way;
# - find the unit that shows a claim.
#
# **You need** units [27](27_graphs_and_geodesics.ipynb) to [30](30_where_new_points_go.ipynb).
# **Time** 8 minutes. **Contents** What is public · What was measured · Key points

# %%
from ukrlearn import notation

# %% [markdown]
# ## What is public
#
# Only the first pages of the paper can be read without paying: the introduction, the dissimilarity
# (1), and the steps of procedure A-Isomap. The formulas of the two maps for new points, the data sets
# and the tables are not among them. So the maps of unit 30 are the standard ones of these names, our
# ten data sets are those that scikit-learn ships or generates, and a claim such as "on most data
# sets" is judged on ours. Where the paper says "the mean distance" for β, unit 29 shows what follows
# from it, and why the library takes the mean *square*.
#
# ## What was measured
#
# <!-- claims [SI] -->
# <!-- end of claims -->
#
# ## Key points
#
# - Labels improve the embedding. Whether they make a better classifier than the data themselves is
#   open, and a regression of the labels without a manifold does as well.
# - Joining components by a tree recovers rings and pieces, and is no safer than more neighbours on a
#   roll with a gap.

# %%
notation.table("Y", "X", "labels", "label_distance", "alpha", "beta", paper="si")

# %% [markdown]
# **Covered** the claims of sections 1 to 3.
#
# **Further** Back to [labels inside the embedding](29_labels_inside.ipynb) and [where do new points
# go?](30_where_new_points_go.ipynb)
