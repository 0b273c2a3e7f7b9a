"""`collect()`: the answers that have passed, put into one file that runs without the library.

The file begins as `my_ukr.py` beside this module, in which each piece of the learner's is a
function that raises NotImplementedError and names its exercise.
"""

import ast
import hashlib
import inspect
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType

from ukrlearn.checks import _work
from ukrlearn.course.writing import make_folder, read_file, write_whole

NAME = "my_ukr"
BARE = Path(__file__).with_name(f"{NAME}.py")
STUB = re.compile(
    r'^def (\w+)\(.*\):\n    raise NotImplementedError\("(.*: pass exercise \w+, (\w+)\.)"\)', re.M
)


def missing(text):
    """{the name of a piece that is missing: what its function says}"""
    return {stub[1]: stub[2] for stub in STUB.finditer(text)}


def pieces():
    """{the name of a piece: its exercise}"""
    return {stub[1]: stub[3] for stub in STUB.finditer(BARE.read_text(encoding="utf-8"))}


def piece(answer) -> str:
    """An answer as code of its own, below what it reads of its notebook; "" if it has none."""
    try:
        scope, source = answer.__globals__, textwrap.dedent(inspect.getsource(answer))
        waiting, found = _names(source), {}
        while waiting:
            name = waiting.pop()
            if name in scope and name not in found and scope[name] is not answer:
                found[name] = _code_of(name, scope[name], scope["__name__"])
                waiting |= _names(found[name])
    except Exception:  # an object, a lambda in a call, or whatever a global of theirs raises
        return ""
    return "\n\n\n".join([*sorted(filter(None, found.values())), source])


def _names(code):
    """The names that code reads and does not give itself."""
    nodes = [*ast.walk(ast.parse(code))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return {node.id for node in names} - own


def _code_of(name, value, notebook):
    """What makes a global of that name and value; "" if nothing short does."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__}" + f" as {name}" * (name != value.__name__)
    if type(value) in (bool, int, float, complex, str, tuple):
        return f"{name} = {value!r}"
    home, own = getattr(value, "__module__", None) or "numpy", getattr(value, "__name__", "")
    if home == notebook:
        return textwrap.dedent(inspect.getsource(value))
    parts = home.split(".")
    modules = [".".join(parts[:number]) for number in range(1, len(parts) + 1)]
    for module in [*modules, "scipy.special"]:  # whose ufuncs do not know where they live
        if own and getattr(sys.modules.get(module), own, None) is value:
            return f"from {module} import {own}" + f" as {name}" * (name != own)
    return ""


def _named(code):
    """[(name, statement)]: what imports has no name, and what gives no name is left out."""
    named = []
    for node in ast.parse(code).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else node
        name = getattr(target, "name", getattr(target, "id", ""))
        if name or isinstance(node, ast.Import | ast.ImportFrom):
            named.append((name, ast.get_source_segment(code, node)))
    return named


def assembled(known) -> str:
    """The file, from what is known of the exercises. What has not passed stays a stub."""
    text = BARE.read_text(encoding="utf-8")
    taken, imports = dict(_named(text)), []
    for stub in [*STUB.finditer(text)]:
        function, exercise = stub[1], stub[3]
        try:
            named = _named(known.get(exercise, {}).get("piece", ""))
            *helpers, (answer, code) = (pair for pair in named if pair[0])
        except (SyntaxError, ValueError):  # there is none, or a lambda in a call
            continue
        imports += [line for name, line in named if not name]
        helpers = [(name, helper) for name, helper in helpers if taken.get(name) != helper]
        new = {name: f"{name}_of_{function}" for name, _ in helpers if name in taken}
        code = "\n\n\n".join([*(helper for _, helper in helpers), code])
        for old, better in {**new, answer: function}.items():
            code = re.sub(rf"(?<![\w.]){old}(?!\w)", better, code)
        taken |= dict(_named(code))
        head = stub[2].partition("pass ")[2].rstrip(".").capitalize()
        text = text.replace(stub[0], f"# {head}\n{code}")
    last = "from sklearn.manifold import Isomap\n"
    imports = sorted({f"{code}\n" for code in imports if f"\n{code}\n" not in text})
    return text.replace(last, last + "".join(imports))


def path() -> Path:
    """Where the file lies: beside the progress."""
    return _work.folder() / BARE.name


def collected(text):
    """Write the file; where the older one is kept, if the learner had edited it, or None."""
    content, there = text.encode(), read_file(path()) or b""
    known = _work.read().get(NAME, {}).get("collected")
    make_folder(path().parent)
    edited = there not in (b"", content) and hashlib.sha256(there).hexdigest() != known
    kept = write_whole(path(), content, "before" if edited else "")
    _work.note(NAME, collected=hashlib.sha256(content).hexdigest())
    return kept
