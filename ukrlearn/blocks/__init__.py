"""Building blocks that several papers share: kernels, regression, descents, starts, networks."""
