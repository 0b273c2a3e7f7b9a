"""Shared by all generators: noise."""


def blur(Y, noise, random):
    """Y plus Gaussian noise of the given standard deviation."""
    return Y + noise * random.standard_normal(Y.shape) if noise else Y
