# %% [markdown]
# # Glossary
#
# This page lists the symbols of the five papers, their names in the code, and the lessons that
# explain them.
#
# **Contents** Letters that change their meaning · All symbols
#
# The same letter has different meanings in different papers, and the same thing has different
# letters. The lessons keep the letters of the paper that they follow, so that you can read both side
# by side; [the course](course.ipynb) says which paper that is.

# %%
from ukrlearn.course import glossary

# %% [markdown]
# ## Letters that change their meaning
#
# In lessons 00 to 13 the bandwidth $h$ is a length: the weights fade over this distance. From
# lesson 14 on, [SGD] divides *squared* distances by $h$. The last column names the first lesson
# whose table of notation has the symbol.

# %%
glossary.letters("h", "P", "Q", "M", "K")

# %% [markdown]
# ## All symbols
#
# The code has one name for each meaning. The columns between give the letter that each paper uses;
# an empty field means that the paper has no letter for it.

# %%
glossary.symbols()
