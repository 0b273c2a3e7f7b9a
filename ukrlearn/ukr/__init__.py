"""Unsupervised kernel regression, [UKR]: errors, density constraint, homotopy and projection."""
