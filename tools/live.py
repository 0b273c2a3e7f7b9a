"""What a page without a kernel needs to bring panels to life, asked of the panels themselves.

    python tools/live.py [NOTEBOOK ...] [--panel NAME]

prints a JSON object: for the stem of each notebook, the panels of its cells, and for each NAME, the
example of the explorable of that name, each in a list.

An explorable tells its data and the values of its controls. Any other panel goes through its main
control, and all pictures become one image, in which pixels that pictures share cost next to
nothing. The first code cell and the cell of a panel suffice to make the panel
(tests/test_units.py); besides, only cells with the tag "before-panels" are run. What the cells
print goes to standard error.
"""

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

import nbformat
import numpy as np
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ukrlearn import panels  # noqa: E402
from ukrlearn.figures.house import RARE, VISIBLE, cuts  # noqa: E402
from ukrlearn.panels._explorable import Explorable  # noqa: E402

FROZEN = "ukrlearn-frozen"  # stands below the picture of a panel in a notebook
BEFORE = "before-panels"  # the tag of a cell that writes a file for a panel
LARGEST = 240_000  # bytes of all frames on a page, which as text are a third larger
MOST = 32  # frames of a panel, one below the other; a WebP has at most 16,383 rows


def names_in(code):
    """All names that the code mentions."""
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def may_show(cell):
    """Whether a code cell makes a panel and ends with an expression."""
    body = ast.parse(cell.source).body
    ends = bool(body) and isinstance(body[-1], ast.Expr)
    return ends and not names_in(cell.source).isdisjoint(panels._MODULES)


def description(panel, cell=None, room=LARGEST):
    """All that a page needs to bring a panel to life; `room` is for its frames."""
    if not isinstance(panel, Explorable):
        return {"cell": cell, **frames_of(panel, room)}
    return {
        "cell": cell,
        "script": panel.script,
        "given": panel.given(),
        "values": panel.state(),
        "picture": panel._repr_mimebundle_()[0]["text/html"],
    }


def frames_of(panel, room):
    """The frames of a panel, as many as there is room for; fewer than two are refused."""
    n = MOST
    while True:
        frames = panel.frames(n=n)
        image = webp(frames.pictures)
        if len(image) <= room:
            break
        n = int(0.95 * n * room / len(image))
    swept = [axis["label"] for axis in frames.axes]
    labels = [control.label for control in panel._controls.values()]
    return {
        "axes": frames.axes,
        "at": frames.at,
        "summaries": frames.summaries,
        "others": [label for label in labels if label not in swept],
        "size": frames.pictures.shape[2:0:-1],
        "cuts": cuts(panel.figure().figure),
        "image": f"data:image/webp;base64,{base64.b64encode(image).decode()}",
    }


def webp(pictures):
    """Pictures, one below the other, as the bytes of a lossless WebP with few colours."""
    tall = np.concatenate(pictures)
    for colours in (64, 128, 256, 0):
        image = Image.fromarray(tall)
        if colours:
            image = image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        image = image.convert("RGB")
        apart = np.abs(np.asarray(image).astype(np.int16) - tall).max(axis=-1)
        if np.mean(apart > VISIBLE) < RARE:
            break
    image.save(file := io.BytesIO(), "webp", lossless=True, method=4, quality=80)
    return file.getvalue()


def value_of(code, names):
    """What the last line of a cell shows, after the others have run."""
    *statements, last = ast.parse(code).body
    exec(compile(ast.Module(statements, []), "<panel>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<panel>", "eval"), names)


def lives(notebook):
    """The description of each panel that a cell of the notebook ends with."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    needed = [cell for cell in code if cell is code[0] or BEFORE in cell.metadata.get("tags", ())]
    shown = {}
    for cell in filter(may_show, code):
        names = {"__name__": "__main__"}
        for other in needed:
            if other is not cell:
                exec(other.source, names)
        try:
            value = value_of(cell.source, names)
        except NameError:
            continue  # it needs other cells, as an appendix may: the picture stays
        if isinstance(value, panels.Panel):
            shown[cell.id] = value
        elif FROZEN in str(cell.get("outputs", "")):
            raise ValueError(f"the cell of a panel must end with it; got {cell.source!r}")
    framed = [panel for panel in shown.values() if not isinstance(panel, Explorable)]
    room = LARGEST // max(len(framed), 1)
    return [description(panel, cell, room) for cell, panel in shown.items()]


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
                found[path.stem] = lives(nbformat.read(path.name, as_version=4))
    print(json.dumps(found, allow_nan=False))


if __name__ == "__main__":
    main()
