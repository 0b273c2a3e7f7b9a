# %% [markdown]
# # Exercise 24: project and adapt
#
# You write one function that knows neither k-means nor PCA, and fits both.
#
# **Afterwards you can** write the alternation of projection and adaptation for any parts, and say
# what each of its errors measures.
#
# **You need** [lesson 22](../notebooks/22_one_functional.ipynb), equations (3), (6) and (9) of
# [RPM].
#
# **Time** 15 minutes.

# %%
import numpy as np
from IPython.display import display
from scipy.spatial import cKDTree
from sklearn.datasets import load_sample_image

from ukrlearn import figures
from ukrlearn.checks import (
    check,
    hint,
    progress,
    restore_work,
    reveal,
    save_work,
)

# %% [markdown]
# ## The task
#
# A map $f$ turns codes $z$ into points of the data space. Its empirical quantization error with the
# squared cost is
#
# $$R_{\mathrm{emp}}[f] = \frac1N \sum_n \min_z |y_n - f(z)|^2. \tag{3}$$
#
# Each round has two half steps. The *projection* gives every point its best code on the present
# map. The *adaptation* refits the map to these codes. You get three functions that know what a map
# is:
#
# - `project(Y, f)` returns the codes `Z`;
# - `adapt(Y, Z, f)` returns a new map, and needs the old one for codes that nobody takes;
# - `rebuild(f, Z)` returns $f(z_n)$ for all points, shape (N, d).
#
# After *each half step* measure the mean squared distance between the points and what their present
# codes stand for on the present map.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, data | (N, d) | `f`, the last map | (k, d) |
# | `f`, the map to begin with | (k, d) | `Z`, the codes that it was fitted to: the last projection comes before the last adaptation | (N,) |
# | `project`, `adapt`, `rebuild` | functions | `errors`, two for each round | (2·rounds,) |
# | `rounds` | a number | | |
#
# By hand: the points 0, 2, 4, 12, and k-means with the codes 0 and 2. Round one: 0 keeps to the
# first code, the others to the second. The squares are 0, 0, 4, 100, and the error is 26. The codes
# become the means 0 and 6, with the squares 0, 16, 4, 36 and the error 14. Round two: now the 2 is
# nearer to the first code, and the error is 11; the means become 1 and 8, and the error 8.5. So
# `errors` is 26, 14, 11, 8.5.


# %%
def alternate(Y, f, project, adapt, rebuild, rounds):
    """The last map, its codes, and the error after each half step."""
    # In every round: find the codes, measure; refit the map, measure again
    # with the same codes. Return f, Z, errors.
    ### BEGIN SOLUTION
    errors = []
    for _ in range(rounds):
        Z = project(Y, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
        f = adapt(Y, Z, f)
        errors.append(np.mean(np.sum((Y - rebuild(f, Z)) ** 2, axis=1)))
    return f, Z, errors
    ### END SOLUTION


# %%
report = check("project_adapt", alternate)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("project_adapt")` and `reveal("project_adapt")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a draughtsman. We throw 20,000 grains of sand onto a photograph, more where it is
# bright, and let 900 dots be the codes of k-means on the grains' *positions*. Then your function
# gets other parts, without a change: the same grains, and a line.
#
# **Predict** Where does k-means put its dots in the bright parts of the photograph: at random, as
# the grains are, or evenly?

# %%
photo = load_sample_image("flower.jpg")[::2, ::2].mean(axis=2) / 255
random = np.random.RandomState(0)
light = (photo**1.5 / np.sum(photo**1.5)).ravel()
rows, columns = np.divmod(
    random.choice(light.size, 20_000, p=light), photo.shape[1]
)
grains = np.column_stack([columns, -rows]) + random.uniform(
    -0.5, 0.5, (20_000, 2)
)


# %%
def nearest(Y, f):
    return cKDTree(f).query(Y)[1]


def means(Y, Z, f):
    count = np.bincount(Z, minlength=len(f))
    sums = np.column_stack([np.bincount(Z, y, len(f)) for y in Y.T])
    return np.where(
        count[:, None] > 0, sums / np.maximum(count, 1)[:, None], f
    )


# %%
def foot(Y, f):
    return (Y - f[0]) @ f[1] / (f[1] @ f[1])


def regression(Y, Z, f):
    z = Z - Z.mean()
    slope = z @ Y / (z @ z)
    return np.array([Y.mean(axis=0) - Z.mean() * slope, slope])


# %% tags=["nbval-ignore-output"]
if report.passed:
    dots, _, falls = alternate(
        grains, grains[:900], nearest, means, lambda f, Z: f[Z], 20
    )
    on_line = lambda f, z: f[0] + z[:, None] * f[1]
    tilted = np.array([grains[0], [1.0, 3.0]])
    line, *_ = alternate(grains, tilted, foot, regression, on_line, 30)
    gaps = [cKDTree(p).query(p, 2)[0][:, 1] for p in (grains[:900], dots)]
    uneven = [np.std(gap) / np.mean(gap) for gap in gaps]
    print(
        f"error of the dots: {falls[0]:.1f} at first, {falls[-1]:.1f} at last"
    )
    print(
        f"spread of the gaps over their mean: grains {uneven[0]:.2f}, dots "
        f"{uneven[1]:.2f}"
    )

# %% tags=["aside"]
if report.passed:
    assert falls[-1] < 0.7 * falls[0] and uneven[1] < 0.7 * uneven[0]
    figure, axes = figures.blank(1, 2, size=(8.4, 3.2))
    titles = ("900 of the grains", "900 dots of k-means, and the line")
    for ax, points, title in zip(
        axes, (grains[:900], dots), titles, strict=True
    ):
        with figures.style():
            ax.scatter(*points.T, s=3, color="#222222")
            ax.set(title=title, xticks=[], yticks=[], aspect="equal")
    ends = grains.mean(axis=0) + np.outer(
        [-90, 90], line[1] / np.linalg.norm(line[1])
    )
    with figures.style():
        axes[1].plot(*ends.T, color=figures.COLORS[1])
    text = (
        "Left: 900 grains at random, with clumps and holes. Right: the 900 "
        "dots draw the round flower, evenly spaced and dense where it is "
        "bright; a line runs along its long axis."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Evenly. A dot sits at the mean of its grains, so dots keep a distance that depends on the light
# only. Engravers called it stippling. And the line, from the same function, is the long axis of the
# light: PCA of the grains.
#
# **To think about**: after each round the error is lower, and yet the dots drew a flower although
# nobody asked for one. What did the functional ask for?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next: [exercise
# 25](25_huber_reweighting.ipynb), or back to [lesson 22](../notebooks/22_one_functional.ipynb).
