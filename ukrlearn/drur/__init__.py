"""Dimensionality reduction by unsupervised regression, [DRUR]: latent points and two maps."""

from ukrlearn.blocks.gauss_newton import Projected, gauss_newton_steps, project
from ukrlearn.drur.nonparametric import Kernels, coupled_descent, coupled_objective, kernel_maps
from ukrlearn.drur.rounds import (
    Maps,
    Round,
    alternation,
    by_name,
    perceptron_maps,
    rbf_maps,
)

__all__ = [
    "Kernels",
    "Maps",
    "Projected",
    "Round",
    "alternation",
    "by_name",
    "coupled_descent",
    "coupled_objective",
    "gauss_newton_steps",
    "kernel_maps",
    "perceptron_maps",
    "project",
    "rbf_maps",
]
