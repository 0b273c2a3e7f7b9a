# %% [markdown]
# # Glossary
#
# This page lists the symbols of the five papers and their names in the code.
#
# **Contents** [UKR] · [SGD] · [DRUR] · [RPM] · [SI]
#
# Notations differ between the papers. Each table begins with a meaning, and gives the letter of one
# paper, the name in the code, and the equation where the paper introduces the symbol.
#
# ## [UKR]

# %%
from ukrlearn import notation

notation.table()

# %% [markdown]
# ## [SGD]

# %%
notation.table(paper="sgd")

# %% [markdown]
# ## [DRUR]

# %%
notation.table(paper="drur")

# %% [markdown]
# ## [RPM]

# %%
notation.table(paper="rpm")

# %% [markdown]
# ## [SI]

# %%
notation.table(paper="si")
