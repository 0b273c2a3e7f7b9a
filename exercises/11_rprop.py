# %% [markdown]
# # Exercise 11: one step of RPROP
#
# The descent that fits all models of this course looks at signs and nothing else. You write its
# core, in four lines.
#
# **Afterwards you can** say which way each coordinate moves and how far, why one of them stands
# still after it has overrun a minimum, and what the length of the gradient has to do with it.
#
# **You need** [lesson 07](../notebooks/07_going_down.ipynb), the section *Going down* (step 5 of
# section 2.3 in [UKR]).
#
# **Time** 20 minutes.

# %%
import numpy as np
from IPython.display import display

from ukrlearn import datasets, figures
from ukrlearn.blocks import descent
from ukrlearn.checks import (
    check,
    hint,
    progress,
    restore_work,
    reveal,
    save_work,
)
from ukrlearn.ukr.reconstruction import reconstruction_error

# %% [markdown]
# ## The task
#
# Each coordinate of each latent point has a step size $s > 0$ of its own. Let $g$ be its current
# gradient and $g'$ its previous gradient. There are three cases:
#
# | | new step size | move |
# |---|---|---|
# | $g\,g' > 0$, the sign has stayed | $1.2\, s$ | $-\operatorname{sign}(g)$ times the new step size |
# | $g\,g' < 0$, the sign has turned | $0.5\, s$ | 0: stand still once |
# | $g\,g' = 0$, one of them is zero | $s$ | $-\operatorname{sign}(g)$ times the new step size |
#
# New step sizes below $10^{-9}$ are set to $10^{-9}$, and those above 10 to 10. This variant is
# called iRprop-. (The caller puts a zero into `previous` where the last move was zero. So the third
# case follows each change of sign. Compare signs: the product of two tiny gradients may vanish.)
#
# | goes in | shape | comes out | shape |
# |---|---|---|---|
# | `gradient`, of now | (N, q) | `move`, to be added to X | (N, q) |
# | `previous`, the gradient before | (N, q) | `new_step`, the new step sizes | (N, q) |
# | `step`, step sizes | (N, q) | | |
#
# Return both, the move first. By hand, one coordinate each:
#
# | g | g' | s | new step size | move |
# |---|---|---|---|---|
# | 4 | 1 | 1 | 1.2 | -1.2 |
# | -2 | 5 | 4 | 2 | 0 |
# | 3 | 0 | 2 | 2 | -2 |


# %%
def rprop_step(gradient, previous, step):
    """The move and the new step sizes, two arrays of shape (N, q)."""
    # The three cases, for all coordinates at once or one after the other.
    # First the new step sizes (not into `step`, which belongs to the caller),
    # then their limits, then the move. Return both.
    ### BEGIN SOLUTION
    product = np.sign(gradient) * np.sign(previous)
    longer_or_shorter = np.where(
        product > 0, 1.2, np.where(product < 0, 0.5, 1.0)
    )
    new_step = np.clip(longer_or_shorter * step, 1e-9, 10)
    return np.where(product < 0, 0, -np.sign(gradient) * new_step), new_step
    ### END SOLUTION


# %%
report = check("rprop", rprop_step)

# %% [markdown]
# Stuck? Below the check, the button **Next hint** gives the next hint, and **Solution** asks
# twice and then shows one. Without buttons, `hint("rprop")` and `reveal("rprop")` in
# a new cell do the same.
#
# ## What you have built
#
# A whole descent is your function in a loop. First on two landscapes over a plane: an oblique bowl,
# and a hole in a plain, which has the same contour lines but is almost flat away from the hole. We
# start far out.
#
# **Predict** How far does plain gradient descent, $x - 0.3\, g$, come on the plain in 60 moves? How
# far does RPROP come? And how do the two paths of RPROP differ, in the bowl and on the plain?


# %%
def descend(gradient_at, X, moves):
    """All places that your function passes through from X on."""
    path, step, previous = [X], np.full(X.shape, 0.1), np.zeros(X.shape)
    for _ in range(moves):
        gradient = gradient_at(path[-1])
        move, step = rprop_step(gradient, previous, step)
        previous = np.where(move == 0, 0, gradient)
        path.append(path[-1] + move)
    return np.array(path)


# %%
tilted = np.array([[2.5, -1.5], [-1.5, 2.5]])
bowl = lambda X: np.sum(X @ tilted * X, axis=-1)
slope_of_bowl = lambda X: 2 * X @ tilted
hole = lambda X: 1 - np.exp(-bowl(X) / 2)
slope_of_hole = lambda X: np.exp(-bowl(X) / 2)[:, None] * slope_of_bowl(X) / 2
begin = np.array([[-2.8, 0.6]])

# %%
if report.passed:
    in_bowl, on_plain = (
        descend(slope, begin, 60) for slope in (slope_of_bowl, slope_of_hole)
    )
    plain = [begin]
    for _ in range(60):
        plain.append(plain[-1] - 0.3 * slope_of_hole(plain[-1]))
    print(
        f"plain descent has moved by {np.linalg.norm(plain[-1] - begin):.4f}"
    )
    print(f"RPROP ends {np.linalg.norm(on_plain[-1]):.3f} from the bottom")
    print(
        "RPROP in the bowl and on the plain, the same path:",
        np.array_equal(in_bowl, on_plain),
    )

# %% [markdown]
# RPROP takes the same path to the last digit: your function cannot see how steep a slope is, only
# which way it falls. So a latent point far from all others, where the gradient is tiny, does not
# stay behind. Now the leave-one-out error of a spiral, whose latent points start in a rough order:

# %%
Y, t = datasets.noisy_spiral(80, noise=0.03, random_state=0)
X_start = 14 * t[:, None] + np.random.default_rng(0).normal(size=(80, 1))
if report.passed:
    fit = descend(lambda X: reconstruction_error(X, Y)[1], X_start, 150)
    errors = [reconstruction_error(X, Y)[0] for X in fit]
    best = fit[int(np.argmin(errors))]
    steps = descent.rprop(
        lambda X: reconstruction_error(X, Y), X_start, backtrack=False
    )
    last = descent.last(descent.at_most(steps, 30)).X
    print("the library goes the same path:", np.allclose(last, fit[30]))
    print(
        f"R_cv falls from {errors[0]:.2f} to below 0.01:", min(errors) < 0.01
    )


# %%
def drawn_hole(ax):
    """The hole, and both paths from the same start."""
    a, b = np.meshgrid(np.linspace(-3.2, 1.2, 90), np.linspace(-1.6, 1.6, 90))
    ax.contour(
        a,
        b,
        hole(np.stack([a, b], axis=-1)),
        12,
        colors="#c8d0d8",
        linewidths=0.8,
    )
    ways = {
        "your RPROP": on_plain[:, 0],
        "plain descent": np.array(plain)[:, 0],
    }
    for (name, way), look in zip(ways.items(), ("o-", "s"), strict=True):
        ax.plot(*way.T, look, markersize=4, linewidth=1.2, label=name)
    ax.set(title="A hole in a plain", xlabel="$x_1$", ylabel="$x_2$")
    ax.legend()


# %%
text = (
    "Left: RPROP walks from (-2.8, 0.6) to the bottom of the hole at (0, 0), "
    "plain descent stays where it began. Middle: the curve of the start cuts "
    "through the inner turn of the spiral. Right: after your steps it "
    "follows both turns."
)
if report.passed:
    figure, axes = figures.blank(1, 3, size=(10.5, 3.4))
    with figures.style():
        drawn_hole(axes[0])
    places = {"The start": X_start, "After your steps": best}
    for ax, (name, X) in zip(axes[1:], places.items(), strict=True):
        figures.data(ax, Y, t, title=name)
        figures.manifold(ax, X, Y)
    display(figures.show(figure, text))

# %% [markdown]
# RPROP's blindness is a strength and a weakness. The signs do not change when the error is measured
# in other units, or squared; so one setting of its constants serves every data set of this course.
# But signs do not say how much there is to gain: the error may rise from one move to the next. That
# is why the loop kept the best place, and not the last one.
#
# **To think about**: the floor of the bowl lies along a diagonal. Turn it by 45 degrees, so that it
# lies along an axis. The path of plain descent turns with it. Does the path of RPROP?
#
# `progress()` shows how far you are and what comes next; `save_work()` packs your work into one file,
# and `restore_work()` brings it back on another machine. Next:
# [exercise 12](12_scale_by_likelihood.ipynb), or back to
# [lesson 07](../notebooks/07_going_down.ipynb).
