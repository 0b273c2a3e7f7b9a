"""Small changes of a learner's source that may put it right: the inverses of slips, as a table.

Each is a step of one kind: another operator, axis, name or function, something that is missing or
too much, statements in another order.
"""

import ast
import contextlib
import copy
from collections import Counter
from functools import cache, partial
from typing import NamedTuple

from ukrlearn.checks._slips import places, put, replacements, with_fields

# What may be missing around an expression E, the likeliest first
AROUND = """-E; E / 2; 2 * E; E.copy(); E**2; E.T; np.sqrt(E); np.exp(E); np.abs(E); 1 - E; E - 1;
    E + 1; E[:, None]; E[None]; np.log(E); E[::-1]; E[:, ::-1]; np.sign(E); E**3; 4 * E;
    np.maximum(E, 0)"""
SELDOM = "E - E.mean(axis=0); E / E.sum(); E + np.eye(len(E))"
SCALES, COMMON = 3, 6  # of the first of these, so many
# What may be missing around what is assigned or returned; S is a number, or a size of an argument
SCALED = "E * S; E / S; E * S**2; E / S**2; E + S"
REDUCING = (
    "sum mean max min argmin argmax any all median std var prod cumsum argsort sort norm".split()
)
KINDS = {  # of changes: what a line needs, as it can be told before the repair
    "operator": "another operator, or one less",
    "comparison": "another comparison, or none",
    "number": "another number",
    "name": "another name",
    "transpose": "its rows and columns interchanged somewhere",
    "function": "another function, or one less",
    "axis": "another look at its axes",
    "order": "another order",
    "less": "something less",
    "missing": "something more: a factor, a power, a sign, a function, a copy",
    "range": "another beginning or end",
    "statement": "to go elsewhere, or to go",
    "diagonal": "a look at the diagonal after it",
    "parameters": "its parameters in the order of the task",
}
SIZES_AND_TESTS = {"len", "range", "isinf", "isnan", "isfinite"}
VALUE = "value"  # kind of a repair that is only known by what it should give
SCALE, EXOTIC = 2.9, 3.5  # the cost of a factor or a sign, and of functions that seldom miss
FAR = 4  # the cost of changes that could be made in several lines alike


class Edit(NamedTuple):
    """A change of a tree: what stands in the place of what."""

    cost: int  # the smallest are tried first
    kind: str
    line: int
    place: tuple  # parent, field, index
    old: object
    new: object  # called, it gives what stands there then: most changes are never tried
    of: object  # the statement that becomes another
    says: str = ""  # the repair in words, where it is no other statement


@contextlib.contextmanager
def applied(edit):
    put(*edit.place, edit.new())
    try:
        yield
    finally:
        put(*edit.place, edit.old)


@contextlib.contextmanager
def all_applied(made):
    with contextlib.ExitStack() as stack:
        for edit in made:
            stack.enter_context(applied(edit))
        yield


def gives_a_value(node):
    """Whether it is a statement that gives one value to a name, or to the caller."""
    if isinstance(node, ast.Return):
        return node.value is not None and not isinstance(node.value, ast.Tuple)
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)


def seen(assignment, number):
    """The edit that lets `_see(number, value)` decide what is assigned."""
    old = assignment.value
    call = ast.Call(ast.Name("_see", ast.Load()), [ast.Constant(number), old], [])
    place = assignment, "value", None
    new = partial(_placed, call, old)
    return Edit(9, VALUE, old.lineno, place, old, new, assignment)


def count_turns(tree, name):
    """Let each turn of a loop call this name, which no change takes away."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.While)):
            call = ast.Expr(ast.Call(ast.Name(name, ast.Load()), [], []))
            call.counts_turns = True
            node.body.insert(0, _placed(call, node))


def is_formula(statement):
    """Whether it gives a name to a function of one line."""
    return isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda)


def numbers_of(exercise):
    """Those in the source of the right answer."""
    parts = getattr(exercise.stages, "parts", {}).values()
    codes = [getattr(f, "__code__", None) for f in (exercise.reference, *parts)]
    constants = {c for code in codes if code for c in code.co_consts}
    return sorted(c for c in constants if type(c) in (int, float))


def edits(tree, wanted, numbers=()):
    """All small changes of a function, as far as they are made by rule.

    `wanted` are the parameters of the exercise, in order, and `numbers` those of the right answer.
    """
    first = tree.body[0]
    function = first.value if is_formula(first) else first
    arguments = [argument.arg for argument in function.args.args]
    stored = [n.id for n in ast.walk(function) if isinstance(n, ast.Name) and is_stored(n)]
    names = [name for name in dict.fromkeys([*arguments, *stored]) if name != "_"]
    often = Counter(n.id for n in ast.walk(function) if isinstance(n, ast.Name))
    sizes = [*names, *(f"len({a})" for a in arguments), *(f"{a}.shape[1]" for a in arguments)]
    scaled = [_template(t.replace("S", size)) for size in sizes for t in SCALED.split("; ")]
    statement = {}  # the innermost one of each node: outer ones come first
    for one in ast.walk(function):
        if isinstance(one, ast.stmt):
            statement |= {id(node): one for node in ast.walk(one)}
    if sorted(arguments) == sorted(wanted) != arguments != wanted:
        turned = [next(a for a in function.args.args if a.arg == name) for name in wanted]
        place = function.args, "args", None
        old, new = function.args.args, partial(list, turned)
        yield Edit(0, "parameters", first.lineno, place, old, new, first)
    for parent, field, index, node in list(places(function)):
        # Python has one node for each operator, wherever it stands: its parent tells the line.
        whose = node if hasattr(node, "lineno") else parent
        of, place = statement.get(id(whose), first), (parent, field, index)
        in_a_target = field == "value" and isinstance(getattr(parent, "ctx", None), ast.Store)
        if isinstance(node, ast.stmt) or hasattr(of, "counts_turns") or in_a_target:
            continue
        line, same = getattr(whose, "lineno", of.lineno), ast.dump(node)
        for cost, kind, new in _in_its_place(node, parent, field, names, often, numbers):
            if ast.dump(new) != same and not _puts_into_itself(parent, new):
                left_out = isinstance(node, ast.BinOp) and new is node.left
                at = node.right.lineno if left_out else line
                yield Edit(cost, kind, at, place, node, partial(_placed, new, node), of)
        for cost, template in _around(node, parent, field, names, scaled):
            new = partial(_filled, template, node)
            kind = "transpose" if getattr(template, "attr", "") == "T" else "missing"
            yield Edit(cost, kind, line, place, node, new, of)
    for block, field in _blocks(function):
        yield from _of_block(block, field)


def _puts_into_itself(parent, new):
    """Whether a list would hold itself: NumPy looks into it for ever, and takes all memory."""
    into = getattr(parent, "func", None) or getattr(parent, "targets", [None])[0]
    fills = isinstance(into, ast.Subscript) or getattr(into, "attr", "") in ("append", "insert")
    return fills and ast.dump(into.value) == ast.dump(new)


def is_stored(name):
    """Whether something is assigned to it here."""
    return isinstance(name.ctx, ast.Store)


def _placed(new, old):
    """A new node with the place of the old one in the source."""
    if not hasattr(new, "lineno") and hasattr(old, "lineno"):
        ast.copy_location(new, old)
    return ast.fix_missing_locations(new)


def _in_its_place(node, parent, field, names, often, numbers):
    """(cost, kind, what may belong in the place of an expression or an operator)."""
    for says, new in replacements(node, parent, field, names, often):
        yield *_sort_of(node, says), new
    if isinstance(node, (ast.And, ast.Or)):
        yield 1, "comparison", ast.Or() if isinstance(node, ast.And) else ast.And()
    if isinstance(parent, ast.AugAssign) and field == "op":
        for other in (ast.Add(), ast.Sub(), ast.Mult(), ast.Div()):
            yield 1, "operator", other
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        less = [] if node.value == 0 else [node.value - 1, 1]  # a sum begins with zero
        for other in dict.fromkeys([*less, *numbers]):
            yield 2, "number", ast.Constant(other)
    if isinstance(node, ast.List) and len(node.elts) > 1:
        for n in range(len(node.elts)):
            yield 2, "less", with_fields(node, elts=[*node.elts[:n], *node.elts[n + 1 :]])
    if isinstance(node, ast.Tuple) and isinstance(parent, ast.Subscript) and len(node.elts) == 2:
        yield 0, "order", with_fields(node, elts=node.elts[::-1])
    if isinstance(node, ast.Call):
        yield from _of_call(node)
    if isinstance(node, ast.Slice):
        for bound in ("lower", "upper", "step"):
            yield 2, "range", with_fields(node, **{bound: None})


def _around(node, parent, field, names, scaled):
    """(cost, template of what may be missing around an expression)."""
    if _is_value(node, parent, field, names):
        yield from ((FAR, template) for template in RARE)
        for number, template in enumerate(WRAPPED):
            cost = SCALE if number < SCALES else 3 if number < COMMON else EXOTIC
            yield cost, template
        if field == "value" and isinstance(parent, (ast.Assign, ast.AugAssign, ast.Return)):
            yield from ((FAR, template) for template in scaled)


def _sort_of(node, says):
    """(cost, kind) of a change that a slip makes, too."""
    if isinstance(node, ast.Name):
        return (1, "transpose") if "transposed" in says else (2, "name")
    if "counted" in says:
        return 1, "number"
    if "axis" in says or "keepdims" in says:
        return 1, "axis"
    kinds = {ast.BinOp: "operator", ast.Compare: "comparison", ast.Constant: "number"}
    kinds |= {ast.Call: "function", ast.Attribute: "transpose", ast.UnaryOp: "operator"}
    return 1, kinds.get(type(node), "missing")


def _of_call(node):
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    given = [keyword.arg for keyword in node.keywords]
    if name in REDUCING and node.args:
        yield 2, "function", node.args[0]
    if name in REDUCING:
        axes = [] if "axis" in given else [("axis", 1), ("axis", 0), ("axis", -1)]
        kept = [] if "keepdims" in given else [("keepdims", True)]
        for added in (*([a, *kept] for a in axes), *([a] for a in axes), *([k] for k in kept)):
            more = [ast.keyword(word, ast.Constant(value)) for word, value in added]
            yield 1, "axis", with_fields(node, keywords=[*node.keywords, *more])
    for n in range(len(node.args) - 1 if name != "range" else 0):  # that would end the loop
        swapped = [*node.args]
        swapped[n : n + 2] = swapped[n : n + 2][::-1]
        yield 2, "order", with_fields(node, args=swapped)
    if name == "range":
        for end in ("E + 1", "E - 1"):
            last = _filled(_template(end), node.args[-1])
            yield 2, "range", with_fields(node, args=[*node.args[:-1], last])
        if len(node.args) == 1:
            yield 2, "range", with_fields(node, args=[ast.Constant(1), *node.args])
    for keyword in node.keywords:
        kept = [other for other in node.keywords if other is not keyword]
        yield 2, "function", with_fields(node, keywords=kept)


def _is_value(node, parent, field, names):
    """Whether it is an expression around which something can be missing."""
    called = [getattr(n, "func", None) for n in (node, parent)]
    if {getattr(f, "id", getattr(f, "attr", "")) for f in called} & SIZES_AND_TESTS:
        return False  # these have no signs, powers or axes
    if isinstance(node, ast.Name):
        return node.id in names and not is_stored(node)
    kinds = ast.BinOp, ast.Call, ast.Subscript, ast.UnaryOp, ast.Compare, ast.Attribute
    if not isinstance(node, kinds) or field == "func" or isinstance(parent, ast.keyword):
        return False
    return not isinstance(getattr(node, "ctx", None), ast.Store)


@cache
def _template(text):
    return ast.parse(text, mode="eval").body


WRAPPED, RARE = ([_template(text.strip()) for text in some.split(";")] for some in (AROUND, SELDOM))


def _filled(template, node):
    """The template with a node in the places of E, and where that stands in the source."""
    if isinstance(template, ast.Name) and template.id == "E":
        return node
    filled = ast.copy_location(copy.copy(template), node)
    for field, value in ast.iter_fields(template):
        if isinstance(value, ast.AST):
            setattr(filled, field, _filled(value, node))
        elif isinstance(value, list):
            setattr(filled, field, [_filled(v, node) for v in value])
    return filled


def _blocks(function):
    for node in ast.walk(function):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield node, field


def _of_block(parent, field):
    """Changes of the statements of a block: their order, and which of them there are."""
    block = getattr(parent, field)
    for n, one in enumerate(block):
        if n == 0 and isinstance(parent, (ast.For, ast.While)):
            continue  # which counts its turns
        rest, place = [*block[:n], *block[n + 1 :]], (parent, field, None)

        def edit(cost, kind, new, says, one=one, place=place):
            return Edit(cost, kind, one.lineno, place, block, partial(list, new), one, says)

        if rest:
            yield edit(3, "statement", rest, "Leave it out.")
        if n + 1 < len(block):
            swapped = [*block[:n], block[n + 1], one, *block[n + 2 :]]
            yield edit(3, "order", swapped, "The next line belongs before it.")
        if isinstance(one, ast.If) and not one.orelse:
            new = [*block[:n], *one.body, *block[n + 1 :]]
            yield edit(1, "comparison", new, "Leave out the condition.")
        if isinstance(one, (ast.For, ast.While)) and len(one.body) > 2:
            last = one.body[-1]
            out = with_fields(one, body=one.body[:-1])
            new = [*block[:n], out, last, *block[n + 1 :]]
            yield edit(2, "statement", new, "It belongs after the loop.")._replace(line=last.lineno)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name):
            table = with_fields(one.targets[0], ctx=ast.Load())
            zeroed = ast.Expr(_filled(_template("np.fill_diagonal(E, 0)"), table))
            new = [*block[: n + 1], _placed(zeroed, one), *block[n + 1 :]]
            yield edit(3, "diagonal", new, f"After it, `{ast.unparse(zeroed)}`.")
