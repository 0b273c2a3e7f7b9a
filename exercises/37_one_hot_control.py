# %% [markdown]
# # Exercise 37: the control without a manifold
#
# A supervised embedding, a map for new points, a classifier: does one need all that? You write the
# control that leaves the embedding out and regresses the labels themselves.
#
# **Afterwards you can** turn a regression into a classifier, and say what a more complicated method
# has to beat.
#
# **You need** [lesson 29](../notebooks/29_labels_inside.ipynb), its last section; a control for the
# claims of [SI].
#
# **Time** 20 minutes.

# %%
import numpy as np
from IPython.display import display
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from ukrlearn import AgglomerativeIsomap, EmbeddedClassifier, figures
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
# *One-hot* labels are a matrix $Z$ with one column per class: $Z_{nc}$ is 1 if point $n$ is of
# class $c$, and 0 otherwise. The columns are in the order of the sorted labels. Let $\bar z$ be the
# mean of each column, the *shares* of the classes. Kernel ridge regression of $Z$ is
#
# $$W = (K + \lambda I)^{-1} (Z - 1 \bar z^T), \qquad
#   f(y) = \bar z + \sum_n w_n\, e^{-\gamma |y - y_n|^2},$$
#
# with $K_{nm} = e^{-\gamma |y_n - y_m|^2}$. Entry $c$ of $f(y)$ is the score of class $c$. The
# predicted class is the one with the greatest score; return its *label*. Far from all data $f$ is
# $\bar z$, so the answer there is the most frequent class.
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `Y`, training points | (N, d) | `scores`, $f$ of new points | (M, C) |
# | `labels`, whole numbers | (N,) | `classes`, labels of new points | (M,) |
# | `new`, new points | (M, d) | | |
# | `gamma`, γ | a number | | |
# | `penalty`, λ | a number | | |
#
# By hand: two points of class 7 and one of class 3, so far from each other that $K$ is the identity
# matrix. Sorted, the classes are 3 and 7, with shares 1/3 and 2/3. Let λ = ½, so $W$ is $Z - 1\bar
# z^T$ divided by 1.5. The point of class 3 has the row (1, 0) - (1/3, 2/3) = (2/3, -2/3), which
# becomes (4/9, -4/9). At this point the scores are (7/9, 2/9), and the class is 3. Far away they are
# (1/3, 2/3), and the class is 7.


# %%
def one_hot_control(Y, labels, new, gamma, penalty):
    """Scores (M, C) and classes (M,) of new points."""

    # Kernel values of training points and of new points, the one-hot labels
    # and the means of their columns, the system, the scores. Return scores,
    # classes.
    ### BEGIN SOLUTION
    def kernel(A, B):
        return np.exp(-gamma * np.sum((A[:, None] - B) ** 2, axis=2))

    names = np.unique(labels)
    Z = (labels[:, None] == names).astype(float)
    W = np.linalg.solve(
        kernel(Y, Y) + penalty * np.eye(len(Y)), Z - Z.mean(axis=0)
    )
    scores = Z.mean(axis=0) + kernel(new, Y) @ W
    return scores, names[scores.argmax(axis=1)]
    ### END SOLUTION


# %%
report = check("one_hot_control", one_hot_control)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("one_hot_control")` and `reveal("one_hot_control")` in
# a new cell do the same.
#
# ## What you have built
#
# You have built a rival. Ten times we hide 60 of the 178 bottles of lesson 29. Your function gets
# the other 118, standardised by their own means and deviations, with γ = 1/26, which is one over
# the mean squared distance, and λ = 0.01. The supervised embedding of the lesson, with its own
# choice of γ and λ, gets the same.
#
# **Predict** Which one finds more of the hidden bottles?

# %%
wine = load_wine()


def one_split(seed):
    """Shares of hidden bottles found: your control, supervised embedding."""
    Y, new, labels, truth = train_test_split(
        wine.data,
        wine.target,
        test_size=60,
        stratify=wine.target,
        random_state=seed,
    )
    centre, spread = Y.mean(axis=0), Y.std(axis=0)
    Y, new = (Y - centre) / spread, (new - centre) / spread
    yours = one_hot_control(Y, labels, new, 1 / 26, 0.01)[1]
    model = EmbeddedClassifier(AgglomerativeIsomap(2)).fit(Y, labels)
    return np.mean(yours == truth), np.mean(model.predict(new) == truth)


# %% tags=["nbval-ignore-output"]
if report.passed:
    found = np.array([one_split(seed) for seed in range(10)])
    print(f"your control:         {found[:, 0].mean():.1%} on average")
    print(f"supervised embedding: {found[:, 1].mean():.1%} on average")
    ahead = np.sign(found[:, 0] - found[:, 1])
    print(
        f"you are ahead in {np.sum(ahead > 0)}, level in {np.sum(ahead == 0)} "
        "of 10 splits"
    )

# %% tags=["aside", "nbval-ignore-output"]
if report.passed:
    figure, ax = figures.blank(size=(6.4, 3.4))
    at = np.arange(1, 11)
    with figures.style():
        ax.plot(
            at,
            found[:, 0],
            "o",
            color=figures.COLORS[0],
            ms=8,
            label="your control",
        )
        ax.plot(
            at,
            found[:, 1],
            "^",
            color=figures.COLORS[1],
            ms=5,
            label="supervised embedding",
        )
        ax.set(
            xlabel="split",
            ylabel="share of hidden bottles found",
            ylim=(0.89, 1.01),
            xticks=at,
        )
        ax.set_title("Ten splits")
        ax.legend(loc="lower right")
    text = (
        "The shares of both methods in ten splits, all of them between 0.9 "
        f"and 1. Your control has {found[:, 0].mean():.3f} on average, the "
        f"embedding {found[:, 1].mean():.3f}."
    )
    display(figures.show(figure, text))

# %% [markdown]
# One linear system with three right-hand sides does as well as graph, arcs, shortest paths,
# eigenvectors and a map. On ten data sets of our benchmark the control is better than the embedding
# on eight (median 0.4 points, p = 0.08: it may be chance). What the embedding offers beyond that is
# a picture.
#
# **To think about**: in your function, leave out the means $\bar z$. Which class does it name far
# from all data, and why?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next: [exercise
# 38](38_find_the_leak.ipynb), or back to [lesson 29](../notebooks/29_labels_inside.ipynb).
