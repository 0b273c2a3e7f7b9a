"""What a fit and a projection cost, in units of what they are made of."""

from collections import deque
from functools import partial
from itertools import islice

import numpy as np
from measuring import at_most, quartiles, side_by_side, table

from ukrlearn import UKR, datasets
from ukrlearn.blocks import descent
from ukrlearn.blocks.kernel_regression import predict
from ukrlearn.ukr.projection import project
from ukrlearn.ukr.reconstruction import reconstruction_error

TITLE = "A fit and a projection"


def measured(quick):
    N_new = 300 if quick else 3000
    Y, _ = datasets.noisy_spiral(300, random_state=0)
    new, _ = datasets.noisy_spiral(N_new, random_state=1000)
    fit = partial(UKR(n_components=1, max_iter=500, tol=0, random_state=0).fit, Y)
    model = fit()
    X = model.embedding_
    objective = partial(reconstruction_error, Y=Y)
    descended = lambda: deque(islice(descent.rprop(objective, X), 501), maxlen=1)
    evaluated = lambda: [objective(X) for _ in range(500)]
    projected = partial(project, new, X, Y, threshold=model.density_threshold_)

    seconds = side_by_side(
        1 if quick else 5,
        fit=fit,
        transform=partial(model.transform, new),
        project=projected,
        maps=partial(predict, projected().x, X, Y),
        descent=descended,
        evaluations=evaluated,
    )
    evaluation = seconds["evaluations"] / 500
    ratio = lambda name, to: quartiles(seconds[name] / to)
    steps = ratio("descent", seconds["evaluations"])
    maps = ratio("project", seconds["maps"])
    rows = [
        [
            f"fit: {len(model.starts_)} starts, race, 500 steps",
            f"{ratio('fit', evaluation):.0f} evaluations",
            "",
        ],
        [
            "of these, 500 RPROP steps",
            f"{steps:.2f} x 500 evaluations",
            at_most(1.3, steps),
        ],
        [
            f"`transform` of {N_new} new points",
            f"{ratio('transform', evaluation):.0f} evaluations",
            "",
        ],
        [
            f"projection of {N_new} points",
            f"{maps:.0f} forward maps of them",
            at_most(150, maps),
        ],
    ]
    return (
        "The noisy spiral, N = 300, n_components=1. One evaluation (error and gradient) takes "
        f"{1e3 * np.median(evaluation):.2f} ms.\n\n{table(['', 'costs', 'asked'], rows)}"
    )
