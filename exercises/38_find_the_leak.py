# %% [markdown]
# # Exercise 38: find the leak
#
# A test is fair if nothing about the test points is known before they are judged. You write one
# fold of a fair test, and then watch what a leak can do.
#
# **Afterwards you can** write a nested evaluation, and name the steps at which test points leak
# into the training.
#
# **You need** [lesson 29](../notebooks/29_labels_inside.ipynb), its last section; the test for the
# claims of [SI].
#
# **Time** 25 minutes.

# %%
import numpy as np
from IPython.display import display

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
# A simple classifier lets all training points vote: a training point at distance $e$ has
# $\exp(-\gamma e^2)$ votes for its class. These two functions are given. The second one asks the
# training points about each other, and none about itself.


# %%
def vote(Y, labels, new, gamma):
    """The class of each new point (M,), by a vote of the points Y."""
    K = np.exp(-gamma * np.sum((new[:, None] - Y) ** 2, axis=2))
    classes = np.unique(labels)
    return classes[(K @ (labels[:, None] == classes)).argmax(axis=1)]


def left_out_share(Y, labels, gamma):
    """The share of points whose class the votes of all other points find."""
    K = np.exp(-gamma * np.sum((Y[:, None] - Y) ** 2, axis=2))
    np.fill_diagonal(K, 0)
    classes = np.unique(labels)
    return np.mean(
        classes[(K @ (labels[:, None] == classes)).argmax(axis=1)] == labels
    )


# %% [markdown]
# One fold of the test consists of four steps:
#
# 1. standardise every column: subtract its mean, divide by its standard deviation (`np.std`);
# 2. compute the unit, the mean squared distance of all pairs $i \neq j$;
# 3. among γ = multiple / unit, choose the one with the greatest left-out share, the first of them
#    if several are equally good;
# 4. let the points vote with this γ, and report which share of the test points is found.
#
# For each step, decide which rows may take part. There may be rows that belong to neither part:
# they take part in no step.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, all data | (N, d) | `share` of test points found | a number |
# | `labels` | (N,) | `gamma`, γ that was chosen | a number |
# | `train`, row numbers of the training part | (T,) | | |
# | `test`, row numbers of the test part | (M,) | | |
# | `multiples` | (K,) | | |
#
# By hand: the training points 0, 2 (class A) and 4, 6 (class B) have mean 3 and standard deviation
# $\sqrt5$. Their squared distances are 4, 4, 4, 16, 16 and 36, with mean 80/6, and after
# standardising 80/30 = 8/3. So the multiple 1 means γ = 3/8. A test point at 100 changes none of
# these numbers.


# %%
def fair_fold(Y, labels, train, test, multiples):
    """The share of test points found, and the γ chosen without them."""
    # The four steps. Before each line ask whether Y[test] or labels[test] had
    # a part in it. Return share, gamma.
    ### BEGIN SOLUTION
    Z = (Y - Y[train].mean(axis=0)) / Y[train].std(axis=0)
    known, classes = Z[train], labels[train]
    T = len(train)
    unit = np.sum((known[:, None] - known) ** 2) / (T * (T - 1))
    gammas = multiples / unit
    shares = [left_out_share(known, classes, gamma) for gamma in gammas]
    gamma = gammas[np.argmax(shares)]
    share = np.mean(vote(known, classes, Z[test], gamma) == labels[test])
    return share, gamma
    ### END SOLUTION


# %%
report = check("find_the_leak", fair_fold)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("find_the_leak")` and `reveal("find_the_leak")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a lie detector. A study has 60 patients, 2000 measurements each, and a coin instead
# of a diagnosis: *there is nothing to find*. It keeps the 20 measurements that differ most between
# the two groups, and then evaluates by five folds of your fair test. Nothing is wrong inside your
# function. In the second version, the 20 measurements are chosen again in every fold, from the
# training part.
#
# **Predict** Which share of the patients does each version find? Guessing finds one half.

# %%
MULTIPLES = np.array([0.5, 2.0, 8.0])


def most_different(Y, labels, count=20):
    """The columns whose means differ most between two classes."""
    apart = np.abs(Y[labels == 0].mean(axis=0) - Y[labels == 1].mean(axis=0))
    return np.argsort(-apart)[:count]


# %%
def study(seed, inside):
    """The mean share of five folds; measurements chosen inside, or before."""
    random = np.random.RandomState(seed)
    Y, coins = (
        random.normal(size=(60, 2000)),
        random.permutation(np.arange(60) % 2),
    )
    shares = []
    for k in range(5):
        test, train = (
            np.arange(k, 60, 5),
            np.flatnonzero(np.arange(60) % 5 != k),
        )
        known = train if inside else np.arange(60)
        columns = most_different(Y[known], coins[known])
        shares.append(
            fair_fold(Y[:, columns], coins, train, test, MULTIPLES)[0]
        )
    return np.mean(shares)


# %% tags=["nbval-ignore-output"]
if report.passed:
    leaky = np.array([study(seed, inside=False) for seed in range(20)])
    fair = np.array([study(seed, inside=True) for seed in range(20)])
    for name, found in (
        ("before the split", leaky),
        ("inside each fold", fair),
    ):
        print(
            f"chosen {name}: {found.mean():.0%} found, {found.min():.0%} to "
            f"{found.max():.0%}"
        )

# %% tags=["aside", "nbval-ignore-output"]
if report.passed:
    figure, ax = figures.blank(size=(6.4, 3.2))
    bins = np.linspace(0.2, 1, 25)
    with figures.style():
        ax.hist(
            fair,
            bins,
            color=figures.COLORS[0],
            label="chosen inside each fold",
        )
        ax.hist(
            leaky,
            bins,
            color=figures.COLORS[1],
            hatch="//",
            label="chosen before the split",
        )
        ax.axvline(0.5, color="#222222", lw=1, ls="--", label="guessing")
        ax.set(
            xlabel="share of patients found",
            ylabel="studies",
            title="Twenty studies of coins",
        )
        ax.legend(loc="upper center")
    text = (
        "Twenty studies. With measurements chosen inside each fold the "
        f"shares lie around one half, {fair.mean():.2f} on average; chosen "
        f"before the split, {leaky.mean():.2f}."
    )
    display(figures.show(figure, text))

# %% [markdown]
# Your function is fair, but what it was given was not. The labels of all patients had chosen the
# columns, and a test point cannot become unknown again. The embedding of lesson 29 is a stronger
# choice of columns: fitted to all points before the split, it finds every one of them.
#
# **To think about**: the standardisation over all rows is a leak too. How much does it change here?
# Why is it still worth a rule?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next: [exercise
# 39](39_grnn.ipynb), or back to [lesson 29](../notebooks/29_labels_inside.ipynb).
