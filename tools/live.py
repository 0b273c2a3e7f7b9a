"""What explorables show before anybody has moved them, asked of themselves.

    python tools/live.py [NOTEBOOK ...] [--panel NAME]

prints a JSON object: for the stem of each notebook, the explorables of its cells, and for each
NAME, the example of the panel of that name, each in a list.

A page without a kernel needs the data of each explorable, and the values of its controls. The first
code cell and the cell of a panel suffice to make the panel (tests/test_units.py), and nothing else
is run. What the cells print goes to standard error.
"""

import argparse
import ast
import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ukrlearn import panels  # noqa: E402
from ukrlearn.panels._explorable import Explorable  # noqa: E402

FROZEN = "ukrlearn-frozen"  # stands below the picture of a panel in a notebook


def names_in(code):
    """All names that the code mentions."""
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def is_explorable(name):
    kind = getattr(panels, name, None)
    return isinstance(kind, type) and issubclass(kind, Explorable)


def may_show(cell):
    """Whether a code cell makes an explorable and ends with an expression."""
    body = ast.parse(cell.source).body
    ends = bool(body) and isinstance(body[-1], ast.Expr)
    return ends and any(map(is_explorable, names_in(cell.source)))


def description(panel, cell=None):
    """All that a page needs to bring a panel to life."""
    return {
        "cell": cell,
        "script": panel.script,
        "given": panel.given(),
        "values": panel.state(),
        "picture": panel._repr_mimebundle_()[0]["text/html"],
    }


def value_of(code, names):
    """What the last line of a cell shows, after the others have run."""
    *statements, last = ast.parse(code).body
    exec(compile(ast.Module(statements, []), "<panel>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<panel>", "eval"), names)


def explorables(notebook):
    """The description of each explorable that a cell of the notebook ends with."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = []
    for cell in filter(may_show, code):
        names = {"__name__": "__main__"}
        if cell is not code[0]:
            exec(code[0].source, names)
        try:
            shown = value_of(cell.source, names)
        except NameError:
            continue  # it needs other cells, as an appendix may: the picture stays
        if isinstance(shown, Explorable):
            found.append(description(shown, cell.id))
        elif FROZEN in str(cell.get("outputs", "")):
            raise ValueError(f"the cell of an explorable must end with it; got {cell.source!r}")
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--panel", action="append", default=[], metavar="NAME")
    options = parser.parse_args(arguments)
    found = {}
    with contextlib.redirect_stdout(sys.stderr), tempfile.TemporaryDirectory() as elsewhere:
        os.environ["UKRLEARN_WORK"] = elsewhere  # progress made here is nobody's
        for name in options.panel:
            found[name] = [description(getattr(panels, name).example())]
        for path in options.notebooks:
            with contextlib.chdir(path.parent):
                found[path.stem] = explorables(nbformat.read(path.name, as_version=4))
    print(json.dumps(found, allow_nan=False))


if __name__ == "__main__":
    main()
