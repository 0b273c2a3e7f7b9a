"""What lessons 13 to 16 say of [SGD] and [DRUR], on draws that no lesson shows."""

from functools import partial

import numpy as np
import pytest

from ukrlearn import (
    UKR,
    ParametricDRUR,
    SpectralGuidance,
    datasets,
    descent,
    metrics,
    spectral,
    starts,
)
from ukrlearn.estimators.baselines import AutoencoderBaseline
from ukrlearn.reconstruction import reconstruction_error

RIGHT = 0.95  # rank correlation above which an order is right
DRAWS = range(700, 706)
