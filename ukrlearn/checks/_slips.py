"""Slips: one small change in one part of a right answer, made by rule and said in words.

Nobody writes them down for an exercise. Each comes from the source of a part: another operator,
another axis, a name in the place of another, something left out.
"""

import ast
import copy
import inspect
import linecache
import textwrap
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property, wraps

import numpy as np

OPERATORS = {
    ast.Add: ("a sum", [ast.Sub]),
    ast.Sub: ("a difference", [ast.Add]),
    ast.Mult: ("a product", [ast.Div, ast.MatMult]),
    ast.Div: ("a quotient", [ast.Mult]),
    ast.MatMult: ("a matrix product", [ast.Mult]),
    ast.Pow: ("a power", [ast.Mult]),
}
COMPARED = {
    ast.Lt: ("<", [ast.LtE, ast.Gt, ast.GtE]),
    ast.LtE: ("<=", [ast.Lt, ast.GtE, ast.Gt]),
    ast.Gt: (">", [ast.GtE, ast.Lt, ast.LtE]),
    ast.GtE: (">=", [ast.Gt, ast.LtE, ast.Lt]),
    ast.Eq: ("==", [ast.NotEq]),
    ast.NotEq: ("!=", [ast.Eq]),
}
FUNCTIONS = {
    "sum": ["mean", "max"],
    "mean": ["sum", "median"],
    "median": ["mean"],
    "min": ["max"],
    "max": ["min"],
    "argmin": ["argmax"],
    "argmax": ["argmin"],
    "minimum": ["maximum"],
    "maximum": ["minimum"],
    "all": ["any"],
    "any": ["all"],
    "zeros": ["ones"],
    "sin": ["cos"],
    "cos": ["sin"],
    "log": ["log2", "log10"],
}
LEFT_OUT = {"exp", "log", "sqrt", "abs", "clip", "maximum", "minimum", "sign", "where", "diag"}
WITHOUT = {
    ast.Add: "the second term of a sum is left out",
    ast.Sub: "the second term of a difference is left out",
    ast.Mult: "the second factor is left out",
    ast.MatMult: "the second factor is left out",
    ast.Div: "a divisor is left out",
    ast.Pow: "an exponent is left out",
}
LEAVE_ALONE = ("annotation", "returns", "decorator_list")


@dataclass(frozen=True)
class Slip:
    """A small change in one part of an answer."""

    part: str  # the name of the part
    where: str  # what it computes, in words
    says: str  # "a quotient stands where a product belongs"
    mistaken: object  # an answer, as `stages` makes them


@cache
def slips(made):
    """All slips of the answers that `made` makes, in the order of the parts."""
    found = []
    for name, part in made.parts.items():
        for says, changed in (*_changed(part), *_spoiled(part)):
            found.append(Slip(name, _words(made, name), says, made(**{name: changed})))
    return tuple(found)


class Named:
    """The answer that makes a slip of a part, known by the words for it; looked up when asked."""

    def __init__(self, made, part, says):
        self.made, self._part, self._says = made, part, says

    @cached_property
    def _answer(self):
        found = [slip for slip in slips(self.made) if slip.part == self._part]
        named = [slip.mistaken for slip in found if slip.says == self._says]
        if len(named) != 1:
            raise ValueError(
                f"A slip must be one of its stage; got `{self._part}`: {self._says}, which is "
                f"{len(named)} of: {'; '.join(slip.says for slip in found)}."
            )
        return named[0]

    def __call__(self, *given):
        return self._answer(*given)

    def __getattr__(self, name):  # exchanged, values, before_it_stops
        return getattr(self._answer, name)


# Changes of what a part gives


def _zero(*where):
    def change(value):
        value = np.array(value, dtype=float)
        value[where] = 0
        return value

    return change


def _diagonal(number):
    def change(value):
        value = np.array(value, dtype=float)
        if value.ndim != 2 or value.shape[0] != value.shape[1]:
            raise ValueError("Only square tables have a diagonal here.")
        np.fill_diagonal(value, number)
        return value

    return change


def _as_many_columns_as_rows(value):
    value = np.array(value, dtype=float)
    value[:, len(value) :] = 0
    return value


def _half(take):
    def change(value):
        if np.ndim(value) != 2:
            raise ValueError("Only tables have halves.")
        return take(value)

    return change


OF_VALUES = (
    ("the first row is left out, as if a loop began at 1", _zero(0)),
    ("the last row is left out, as if a loop ended too early", _zero(-1)),
    ("the first column is left out, as if a loop began at 1", _zero(slice(None), 0)),
    ("the last column is left out, as if a loop ended too early", _zero(slice(None), -1)),
    ("only as many columns as rows are used", _as_many_columns_as_rows),
    ("the diagonal counts as zero", _diagonal(0)),
    ("the diagonal counts as one", _diagonal(1)),
    ("only the lower half of the table is used", _half(np.tril)),
    ("only the upper half of the table is used", _half(np.triu)),
    ("the transpose is used", lambda value: np.swapaxes(value, -1, -2)),
    ("squares are used", np.square),
    ("roots are used", np.sqrt),
    ("absolute values are used", np.abs),
    ("the sign is turned", np.negative),
    ("negative values count as zero", lambda value: np.maximum(value, 0)),
    ("twice the value is used", lambda value: 2 * np.asarray(value)),
    ("half of the value is used", lambda value: np.asarray(value) / 2),
    ("every entry counts as one", lambda value: np.ones(np.shape(value))),
    ("every entry counts as zero", lambda value: np.zeros(np.shape(value))),
    ("sums run on from row to row", lambda value: np.cumsum(value, axis=0)),
    ("sums run on from column to column", lambda value: np.cumsum(value, axis=1)),
)


def _spoiled(part):
    """(words, the part with this change of what it gives)."""
    for says, change in OF_VALUES:
        yield says, _then(part, change)


def _then(part, change):
    @wraps(part)
    def changed(*given):
        return change(part(*given))

    return changed


# Changes in the source of a part


def _words(made, name):
    return (made.words.get(name) or name).strip().rstrip(".")


def _changed(part):
    """(words, the part with this change), for each place in its source."""
    tree = _source(part)
    if tree is None or part.__closure__:
        return
    if any(isinstance(node, ast.While) for node in ast.walk(tree)):
        return  # a change could make it endless
    names = [argument.arg for argument in tree.body[0].args.args]
    seen = {ast.dump(tree)}
    often = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    for parent, field, index, node in list(places(tree)):
        for says, other in replacements(node, parent, field, names, often):
            put(parent, field, index, other)
            if ast.dump(tree) not in seen:
                seen.add(ast.dump(tree))
                yield says, _compiled(tree, part)
            put(parent, field, index, node)


def _source(part):
    """The definition of a part, alone in a module; None if it can't be found, or isn't simple."""
    try:
        if part.__name__ != "<lambda>":
            tree = ast.parse(textwrap.dedent(inspect.getsource(part)))
            return tree if isinstance(tree.body[0], ast.FunctionDef) else None
        written = _parsed(inspect.getsourcefile(part))
    except (OSError, TypeError, SyntaxError, AttributeError):  # typed in, or a function of C
        return None
    code = part.__code__
    for node in ast.walk(written):
        if isinstance(node, ast.Lambda) and node.lineno == code.co_firstlineno:
            if [a.arg for a in node.args.args] == [*code.co_varnames[: code.co_argcount]]:
                body = [ast.Return(copy.deepcopy(node.body))]
                return ast.Module([ast.FunctionDef("formula", node.args, body, [])], [])
    return None


@cache
def _parsed(path):
    return ast.parse("".join(linecache.getlines(path)))


def _compiled(tree, part):
    scope = dict(part.__globals__)
    exec(compile(ast.fix_missing_locations(copy.deepcopy(tree)), "<slip>", "exec"), scope)
    return scope[tree.body[0].name]


def replacements(node, parent, field, names, often):
    """What may stand in a node's place: (words, the other node)."""
    if isinstance(node, ast.BinOp):
        yield from _of_operator(node)
    if isinstance(node, ast.Compare):
        old, others = COMPARED.get(type(node.ops[0]), ("", []))
        for other in others:
            new = COMPARED[other][0]
            yield f"`{new}` stands where `{old}` belongs", with_fields(node, ops=[other()])
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "a minus sign is left out", node.operand
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
        yield "a condition is turned round", node.operand
    if isinstance(node, ast.Constant):
        yield from _of_constant(node, _kind_of_number(parent, field))
    if isinstance(node, ast.Attribute) and node.attr == "T":
        yield "a transpose is left out", node.value
    if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load):
        where = f" in one of its {often[node.id]} places" if often[node.id] > 1 else ""
        for other in names:
            if other != node.id:
                yield f"{other} stands where {node.id} belongs{where}", with_fields(node, id=other)
        turned = ast.Attribute(value=copy.copy(node), attr="T", ctx=ast.Load())
        yield f"{node.id} is transposed{where}", turned
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    if isinstance(node, ast.Subscript) and _adds_an_axis(node.slice):
        yield "an axis of length one is missing, as `[:, None]` makes it", node.value


def _adds_an_axis(index):
    return any(isinstance(n, ast.Constant) and n.value is None for n in ast.walk(index))


def _of_operator(node):
    old, others = OPERATORS.get(type(node.op), ("", []))
    for other in others:
        new = OPERATORS[other][0]
        yield f"{new} stands where {old} belongs", with_fields(node, op=other())
    if not old:
        return
    left_out = WITHOUT[type(node.op)]
    yield left_out, node.left
    if isinstance(node.op, (ast.Add, ast.Mult, ast.MatMult)):
        yield left_out.replace("second", "first"), node.right
    if isinstance(node.op, ast.Sub):
        yield "the first term of a difference is left out", ast.UnaryOp(ast.USub(), node.right)
    if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult)):
        swapped = with_fields(node, left=node.right, right=node.left)
        yield f"the two sides of {old} are swapped", swapped


def _kind_of_number(parent, field):
    """What a number is there for, in words that go before it: "axis " or "the exponent "."""
    if isinstance(parent, ast.keyword) and parent.arg == "axis":
        return "axis "
    is_exponent = isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow)
    return "the exponent " if is_exponent and field == "right" else ""


def _of_constant(node, kind):
    value = node.value
    if isinstance(value, bool):
        yield f"{not value} stands where {value} belongs", with_fields(node, value=not value)
    elif isinstance(value, (int, float)):
        others = {0: [1, 2], 1: [0, 2], -1: [0, 1], 0.5: [1, 2, 0.25]}.get(
            value, [value / 2, value * 2, value + 1]
        )
        for other in others:
            other = type(value)(other) if float(other).is_integer() else float(other)
            says = f"{kind}{other:g} stands where {kind}{value:g} belongs"
            yield says, with_fields(node, value=other)


def _of_call(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if isinstance(node.func, ast.Attribute):
        for other in FUNCTIONS.get(name, []):
            says = f"`{other}` stands where `{name}` belongs"
            yield says, with_fields(node, func=with_fields(node.func, attr=other))
    if name in LEFT_OUT and node.args:
        for argument in node.args:
            yield f"`{name}` is left out", argument
    for keyword in node.keywords:
        kept = [other for other in node.keywords if other is not keyword]
        if keyword.arg in ("axis", "keepdims"):
            yield f"`{keyword.arg}` is left out", with_fields(node, keywords=kept)
    if name == "len":
        yield "one less is counted", ast.BinOp(node, ast.Sub(), ast.Constant(1))
        yield "all entries are counted", ast.Attribute(node.args[0], "size", ast.Load())
    if name == "sum" and node.args and _owner(node.func) == "np":
        yield from _of_sum(node, node.args[0])


def _owner(function):
    return getattr(getattr(function, "value", None), "id", "")


def _of_sum(node, summed):
    """Of sums along an axis, and of sums of squares."""
    said_of = {keyword.arg: keyword.value for keyword in node.keywords}
    if "axis" in said_of:
        first = ast.Constant(0)
        first = ast.List([first], ast.Load()) if "keepdims" in said_of else first
        axis = [keyword for keyword in node.keywords if keyword.arg == "axis"]
        taken = with_fields(
            node, func=with_fields(node.func, attr="take"), args=[summed, first], keywords=axis
        )
        yield "only the first term of a sum counts", taken
    if isinstance(summed, ast.BinOp) and isinstance(summed.op, ast.Pow):
        sizes = ast.Call(with_fields(node.func, attr="abs"), [summed.left], [])
        added, sum_of_sizes = with_fields(node, args=[summed.left]), with_fields(node, args=[sizes])
        yield "a sum is squared, not each of its terms", with_fields(summed, left=added)
        yield "absolute values stand where squares belong", sum_of_sizes
        yield "a sum of absolute values is squared", with_fields(summed, left=sum_of_sizes)


def with_fields(node, **fields):
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def places(node):
    for field, value in ast.iter_fields(node):
        if field in LEAVE_ALONE:
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield node, field, index, child
                yield from places(child)


def put(parent, field, index, node):
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node
