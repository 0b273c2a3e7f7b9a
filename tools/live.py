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
import re
import sys
import tempfile
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ukrlearn import panels  # noqa: E402
from ukrlearn.panels._explorable import Explorable  # noqa: E402

IMPORTS = re.compile(r"^from ukrlearn\.panels import \(?([\w, \n]+)", re.M)


def shows_explorable(cell):
    """Whether a cell imports an explorable."""
    if cell.cell_type != "code":
        return False
    names = " ".join(IMPORTS.findall(cell.source)).replace(",", " ").split()
    kinds = (getattr(panels, name, None) for name in names)
    return any(isinstance(kind, type) and issubclass(kind, Explorable) for kind in kinds)


def description(panel, cell=None):
    """All that a page needs to bring a panel to life."""
    return {
        "cell": cell,
        "script": panel.script,
        "given": panel.given(),
        "values": panel.state(),
        "picture": panel._repr_mimebundle_()[0]["text/html"],
    }


def explorables(notebook):
    """The description of each explorable that a cell of the notebook ends with."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = []
    for cell in filter(shows_explorable, code):
        names = {"__name__": "__main__"}
        if cell is not code[0]:
            exec(code[0].source, names)
        *statements, last = ast.parse(cell.source).body
        exec(compile(ast.Module(statements, []), "<panel>", "exec"), names)
        shown = eval(compile(ast.Expression(last.value), "<panel>", "eval"), names)
        if not isinstance(shown, Explorable):
            raise ValueError(f"the cell of an explorable must end with it; got {cell.source!r}")
        found.append(description(shown, cell.id))
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
