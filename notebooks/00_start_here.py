# %% [markdown]
# # Start here
#
# Five minutes with unsupervised kernel regression. After it you can fit a curve through noisy
# points without knowing where on the curve each of them belongs.

# %%
import numpy as np

import ukrlearn

print("ukrlearn", ukrlearn.__version__)

# %%
angle = np.linspace(0, 2 * np.pi, 5)
print(np.round(np.cos(angle), 3))

# %% [markdown]
# The first number equals the last one: the cosine has period $2\pi$.

# %%
bool(np.isclose(np.cos(angle[0]), np.cos(angle[-1])))
