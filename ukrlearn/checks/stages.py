"""Answers made in stages, so that a mistake can be put into one stage, or into two at once.

A formula is a `pipeline` of steps, each a small function: its parameters are arguments of the
exercise and names of earlier steps. What it computes is said in a few words, by the texts of the
exercise or by its docstring. A procedure with loops is `staged`: its parts are the default values
of a function's parameters. Both give a function that makes answers: without arguments the right
one, and with other parts a wrong one.
"""

from functools import lru_cache, partial, wraps
from inspect import signature
from itertools import combinations

from ukrlearn.checks.exercise import Misconception


def pipeline(arguments, *steps, returns=None, **formulas):
    """A maker of answers that take the `arguments`, "x X Y h", and compute the steps in order.

    An answer returns the last value, or those that `returns` names. Each step is an attribute of
    the maker: `MEAN.kernels(squares)`.
    """
    parts = {step.__name__: step for step in steps} | formulas
    words = {name: step.__doc__ for name, step in parts.items()}
    names, wanted = arguments.split(), (returns or list(parts)[-1]).split()
    if missing := set(wanted) - {*parts, *names}:
        raise ValueError(f"returns must name steps; got {', '.join(sorted(missing))}.")

    def made(**exchanged):
        _must_be_parts(exchanged, parts)
        chosen, known_before = [], {*names}
        for name, step in {**parts, **exchanged}.items():
            parameters = _parameters(step)
            if later := [p for p in parameters if p not in known_before]:
                raise ValueError(f"{name} must use arguments or earlier steps; got {later[0]}.")
            chosen.append((name, step, parameters))
            known_before.add(name)

        def values(*given):
            known = dict(zip(names, given, strict=True))
            for name, step, parameters in chosen:
                known[name] = step(*(known[parameter] for parameter in parameters))
            return known

        def answer(*given):
            known = values(*given)
            results = tuple(known[name] for name in wanted)
            return results if len(results) > 1 else results[0]

        def before_it_stops(*given):
            """What the step that raises is made of, {name: value}; empty if none does."""
            known = dict(zip(names, given, strict=True))
            for name, step, parameters in chosen:
                try:
                    known[name] = step(*(known[parameter] for parameter in parameters))
                except Exception:
                    return {parameter: known[parameter] for parameter in parameters}
            return {}

        answer.made, answer.exchanged, answer.values = made, exchanged, values
        answer.before_it_stops = before_it_stops
        return answer

    vars(made).update(parts)
    made.parts, made.words, made.wanted = parts, words, wanted
    made.mistake, made.mistakes = partial(_mistake, made), partial(_mistakes, made)
    return made


def staged(build):
    """Remember on what `build` makes which parts were exchanged; by name or in order."""
    order = signature(build)
    parts = {name: p.default for name, p in order.parameters.items()}

    @wraps(build)
    def made(*given, **named):
        answer = build(*given, **named)
        answer.made, answer.exchanged = made, order.bind(*given, **named).arguments
        return answer

    made.parts = parts
    made.words = {name: getattr(part, "__doc__", None) for name, part in parts.items()}
    made.mistake, made.mistakes = partial(_mistake, made), partial(_mistakes, made)
    return made


def _mistake(made, id_, *given, **exchanged):
    """A misconception that exchanges these parts; what is said of it stands beside the module."""
    return Misconception(id_, mistaken=made(*given, **exchanged))


def _mistakes(made, part, /, **wrong):
    """Misconceptions that exchange the same part, by their ids."""
    return [_mistake(made, id_, **{part: other}) for id_, other in wrong.items()]


def pairs(mistaken):
    """((earlier, later), an answer with both): all pairs of answers that differ in other parts.

    `mistaken` are answers, or things that have one as `mistaken`.
    """
    answers = [(one, getattr(one, "mistaken", one)) for one in mistaken]
    staged = [(one, a) for one, a in answers if getattr(a, "exchanged", None)]
    for (one, a), (other, b) in combinations(staged, 2):
        if (both := joined(a, b)) is not None:
            yield (one, other) if first_part(a) <= first_part(b) else (other, one), both


def joined(a, b):
    """An answer with the mistakes of both; None where they exchange the same part."""
    if a.made is not b.made or a.exchanged.keys() & b.exchanged.keys():
        return None
    return a.made(**a.exchanged, **b.exchanged)


def is_of(made, answer):
    """Whether `made` has made this answer, and with a mistake."""
    return made is not None and getattr(answer, "made", None) is made and bool(answer.exchanged)


def right_parts(answer):
    """The parts that an answer with mistakes has right: those that its results need.

    In a procedure with loops, all parts are needed.
    """
    made, exchanged = answer.made, answer.exchanged
    parts, needed = {**made.parts, **exchanged}, set()
    open_ = list(getattr(made, "wanted", parts))
    while open_:
        name = open_.pop()
        if name in parts and name not in needed:
            needed.add(name)
            open_ += _parameters(parts[name]) if hasattr(made, "wanted") else ()
    return needed - exchanged.keys()


def first_part(answer):
    """The place in the order of the parts of the first one that was exchanged."""
    order = list(answer.made.parts)
    return min(order.index(name) for name in answer.exchanged)


@lru_cache(maxsize=4096)
def _parameters(step):
    return tuple(signature(step).parameters)


def _must_be_parts(exchanged, parts):
    if unknown := set(exchanged) - set(parts):
        raise ValueError(
            f"Only {', '.join(parts)} can be exchanged; got {', '.join(sorted(unknown))}."
        )
