"""Two mistakes at once: answers made in stages, so that mistakes of two stages can be joined."""

from functools import wraps
from inspect import signature
from itertools import combinations


def staged(build):
    """Remember on what `build` makes which stages were exchanged."""
    order = signature(build)

    @wraps(build)
    def made(*given, **named):
        answer = build(*given, **named)
        answer.build, answer.exchanged = build, order.bind(*given, **named).arguments
        return answer

    return made


def pairs(misconceptions):
    """((earlier, later), a function that makes both mistakes): all pairs in different stages."""
    made = [m for m in misconceptions if getattr(m.mistaken, "exchanged", None)]
    for one, other in combinations(made, 2):
        a, b = one.mistaken, other.mistaken
        if a.build is b.build and not set(a.exchanged) & set(b.exchanged):
            stages = list(signature(a.build).parameters)
            both = sorted(
                (one, other), key=lambda m: min(stages.index(s) for s in m.mistaken.exchanged)
            )
            yield both, a.build(**a.exchanged, **b.exchanged)
