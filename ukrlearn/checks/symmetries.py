"""What the gradient of an error has that sees distances only: it moves and turns nothing."""

import numpy as np

SMALL = 1e-4  # of the whole gradient: honest answers in single precision stay below


def moves_nothing(gradient):
    """Whether its rows sum to zero: moving all points together changes no distance."""
    whole = np.abs(gradient).sum() + 1e-300
    return bool((np.abs(gradient.sum(axis=0)) <= SMALL * whole).all())


def turns_nothing(gradient, X):
    """Whether it is free of torque: turning all points together changes no distance."""
    arms = X - X.mean(axis=0)
    torque = arms.T @ gradient
    size = np.linalg.norm(arms) * np.linalg.norm(gradient)
    return bool((np.abs(torque - torque.T) <= SMALL * size).all())
