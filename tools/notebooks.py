"""Make the notebooks from their sources, and check that they are what the sources say.

    python tools/notebooks.py build [NAME ...]    make and execute (all, if no name is given)
    python tools/notebooks.py words [NAME ...]    the same where code has changed; keep the outputs
                                                  of a notebook of which only the words have changed
    python tools/notebooks.py check [NAME ...]    compare without executing

A lesson is written as `notebooks/NAME.py` in percent format (`# %%`, `# %% [markdown]`, and
`# %% tags=["nbval-ignore-output"]`); the committed `notebooks/NAME.ipynb` is made from it, with its
outputs. Building twice gives the same bytes: cell ids come from the cells' sources, streams are
joined, and nothing random or timed (widget models, time stamps, this machine's kernel) is kept. The
code of a prediction is folded, because it holds the answer; and so is that of a cell with the tag
`aside`, which only draws a picture or checks what the text says.

An exercise is written as `exercises/NAME.py` with its solution in place, between the marks of
nbgrader. Two notebooks are made from it: `exercises/solutions/NAME.ipynb`, executed, and
`exercises/NAME.ipynb` for learners, with dots in place of the solution and nothing executed.

Below the title of each notebook that has code the tool inserts a line that says how to start, with
a button. Sources do not contain it.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("notebooks", "exercises")
SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?^ *### END SOLUTION$", re.M | re.S)
MOST_LINES = 20  # of 79 characters; a longer cell means that the library lacks a function
PREDICTION = re.compile(r"^predict\(", re.M)  # a cell that asks, and whose code tells the answer
CELL_METADATA = ("tags", "nbgrader")  # what a source says about a cell; the rest is an editor's
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}
# Shows a model that exists only in the kernel that made it. The text beside it stays.
WIDGET = "application/vnd.jupyter.widget-view+json"

# What the button does, as commands of JupyterLab. Running all cells selects the last one and
# scrolls to it; when all have run, the other commands bring the reader back to the title. (Marking
# the cells up to the first one is the only command that selects the first cell of any notebook.)
ON_START = ("notebook:run-all-cells", "notebook:extend-marked-cells-top", "notebook:deselect-all")
# JupyterLab lets a button in Markdown carry a command. Other front ends show its text or drop its
# attributes, and the sentence around it still holds.
BUTTON = (
    '<button data-commandlinker-command="apputils:run-all-enabled" data-commandlinker-args='
    f"'{json.dumps({'commands': ON_START})}'>Run all cells</button>"
)
TO_RUN = f"press {BUTTON} or choose **Run > Run All Cells** in the menu."
TO_START = f"**To start**, {TO_RUN}"
TO_READ = f"You can read this page without running it. To run it yourself, {TO_RUN}"
START_LINE = re.compile(r"^.*<button data-commandlinker-command=.*\n\n?", re.M)


class OnlyThisPython(KernelSpecManager):
    """Knows one kernel, the Python that runs this tool, whatever kernels a user has installed."""

    def get_kernel_spec(self, kernel_name):
        return KernelSpec(**get_kernel_dict())


class ThisPython(AsyncKernelManager):
    """Starts that kernel. Encrypted where it can be: recent kernels warn if it is not."""

    def __init__(self, **options):
        super().__init__(kernel_spec_manager=OnlyThisPython(), **options)
        if self.has_trait("transport_encryption"):
            self.transport_encryption = "auto"


def sources(names=()):
    """The named sources, or all of them."""
    found = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.py"))
    unknown = set(names) - {path.stem for path in found}
    if unknown:
        sys.exit(f"No source named {', '.join(sorted(unknown))} in {', '.join(FOLDERS)}.")
    return [path for path in found if not names or path.stem in names]


def read_source(path):
    """The notebook that a source describes, without outputs."""
    notebook = jupytext.read(path, fmt="py:percent")
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5  # the first with cell ids
    _insert_start_line(notebook, is_exercise=path.parent.name == "exercises")
    seen = Counter()
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key] for key in CELL_METADATA if key in cell.metadata}
        )
        if cell.cell_type == "code" and (PREDICTION.search(cell.source) or is_aside(cell)):
            cell.metadata["jupyter"] = nbformat.from_dict({"source_hidden": True})
        cell.id = _cell_id(cell, seen)
    return notebook


def is_aside(cell):
    """Whether the code only draws or checks: folded in notebooks and on the site, but run."""
    return "aside" in cell.metadata.get("tags", ())


def _insert_start_line(notebook, is_exercise):
    """Say below the title how to start, if there is a title and something to run."""
    if not code_cells(notebook) or notebook.cells[0].cell_type != "markdown":
        return
    first = notebook.cells[0]
    title, _, rest = first.source.partition("\n")
    if title.startswith("# "):
        line = _how_to_start(notebook, is_exercise)
        first.source = "\n\n".join(filter(None, (title, line, rest.strip("\n"))))


def _how_to_start(notebook, is_exercise):
    """How to run all cells, and what the reader has when they have run."""
    code = "\n".join(cell.source for cell in code_cells(notebook))
    if is_exercise:
        then = "Then write your code in place of the dots. Shift + Enter runs the cell you are in."
        return f"{TO_START} {then}"
    gains = []
    if re.search(r"\bpredictions\(", code):
        gains.append("the questions take your answers")
    if re.search(r"\bukrlearn\.panels\b|\bimport .*\bpanels\b", code):
        gains.append("the pictures get sliders")
    return f"{TO_START} Then {' and '.join(gains)}." if gains else TO_READ


def without_start_line(text):
    """The text of a cell as its source has it, for readers who cannot run anything."""
    return START_LINE.sub("", text)


def _cell_id(cell, seen):
    """A digest of the cell: inserting or moving cells changes no other cell's id."""
    digest = hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def execute(notebook, folder):
    """Run the notebook in a fresh kernel of this Python, in `folder`, and keep what is stable."""
    NotebookClient(
        notebook,
        kernel_manager_class=ThisPython,
        resources={"metadata": {"path": str(folder)}},
        timeout=None,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
    ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in code_cells(notebook):
        cell.outputs = [output for output in cell.outputs if keep_stable_part(output)]


def take_outputs(notebook, target):
    """Copy the outputs of an older notebook with the same code, and return whether it has it."""
    if not target.exists():
        return False
    older = code_cells(nbformat.v4.reads(target.read_text(encoding="utf-8")))
    cells = code_cells(notebook)
    if [(c.source, c.metadata) for c in cells] != [(c.source, c.metadata) for c in older]:
        return False
    for cell, old in zip(cells, older, strict=True):
        cell.outputs, cell.execution_count = old.outputs, old.execution_count
    return True


def keep_stable_part(output):
    """Drop the widget view from an output; whether anything is left to show."""
    if "data" not in output:
        return True
    output.data.pop(WIDGET, None)
    return bool(output.data)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def products(source):
    """What is made from a source: (path, notebook without outputs, whether it is executed)."""
    notebook = read_source(source)
    if source.parent.name != "exercises":
        return [(source.with_suffix(".ipynb"), notebook, True)]
    solution = source.parent / "solutions" / f"{source.stem}.ipynb"
    return [
        (source.with_suffix(".ipynb"), for_learners(notebook), False),
        (solution, one_folder_deeper(notebook), True),
    ]


def for_learners(notebook):
    """The notebook with dots where its solution stands."""
    return _rewritten(notebook, lambda cell: SOLUTION.sub(r"\1...", cell.source))


def one_folder_deeper(notebook):
    """The notebook with its relative links mended."""

    def mended(cell):
        deeper = re.sub(r"\]\((?=\.\./)", "](../", cell.source)
        return re.sub(r"\]\((?=\d\d[a-z]?_\w+\.ipynb)", "](../", deeper)

    return _rewritten(notebook, lambda c: mended(c) if c.cell_type == "markdown" else c.source)


def _rewritten(notebook, source_of):
    changed = nbformat.from_dict(notebook)
    changed.cells = [
        nbformat.from_dict({**cell, "source": source_of(cell)}) for cell in changed.cells
    ]
    seen = Counter()
    for cell in changed.cells:
        cell.id = _cell_id(cell, seen)
    return changed


def build(source, keep_outputs=False):
    """Make, execute and write the notebooks of one source; the paths of what was written.

    With keep_outputs, a notebook whose code has not changed keeps the outputs that it has.
    """
    written = []
    for target, notebook, executed in products(source):
        target.parent.mkdir(exist_ok=True)
        if executed and not (keep_outputs and take_outputs(notebook, target)):
            execute(notebook, target.parent)
        target.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")
        written.append(target)
    return written


def problems(source):
    """What is wrong with the committed notebooks of one source, in sentences."""
    return [problem for product in products(source) for problem in _problems_of(*product)]


def _problems_of(target, wanted, executed):
    if not target.exists():
        return [f"{target.relative_to(ROOT)} is missing; run: make notebooks"]
    # Not nbformat.read, which repairs in passing what must be found here.
    notebook = nbformat.v4.reads(target.read_text(encoding="utf-8"))
    return [
        *_invalid(notebook),
        *_differences(wanted, notebook),
        *(_unstable(notebook) if executed else _executed(notebook)),
        *_long_cells(notebook),
    ]


def _invalid(notebook):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # missing or doubled cell ids only warn
        try:
            nbformat.validate(notebook)
        except (nbformat.ValidationError, Warning) as error:
            yield f"is not a valid notebook: {error}"


def _differences(wanted, present):
    """Where sources, types, tags, ids or metadata are not those of the source."""
    if present.metadata != wanted.metadata:
        yield f"its metadata must be {wanted.metadata}, not {present.metadata}"
    if len(present.cells) != len(wanted.cells):
        yield f"it has {len(present.cells)} cells, its source {len(wanted.cells)}"
    for number, (want, have) in enumerate(zip(wanted.cells, present.cells, strict=False), 1):
        for key in ("cell_type", "source", "metadata", "id"):
            if want[key] != have.get(key):
                yield f"cell {number}: {key} differs from the source; run: make notebooks"
                break


def _unstable(notebook):
    """What a complete run in order would not have left behind."""
    run = [cell for cell in code_cells(notebook) if cell.source.strip()]
    counts = [cell.execution_count for cell in run]
    if counts != list(range(1, len(run) + 1)):
        yield f"its code cells must be counted 1 to {len(run)}, not {counts}; run: make notebooks"
    for cell in run:
        expected = "raises-exception" in cell.metadata.get("tags", [])
        for output in cell.outputs:
            if output.output_type == "error" and not expected:
                yield f"a cell shows an error: {output.ename}: {output.evalue}"
            if WIDGET in output.get("data", {}):
                yield "it shows a widget by a model id that no other kernel knows"


def _executed(notebook):
    """What a notebook for learners must not hold: outputs and counts."""
    if any(cell.outputs or cell.execution_count for cell in code_cells(notebook)):
        yield "it holds outputs, which are for the learner to make; run: make notebooks"


def _long_cells(notebook):
    for number, cell in enumerate(notebook.cells, 1):
        if is_aside(cell) or re.match(r"(from|import) ", cell.source):
            continue  # folded; or the imports of a lesson, which may need many
        lines = len(cell.source.splitlines())
        if cell.cell_type == "code" and lines > MOST_LINES and not PREDICTION.search(cell.source):
            yield f"cell {number} has {lines} lines of code; {MOST_LINES} are the most"


def orphans():
    """Notebooks that no source makes."""
    made = {target for source in sources() for target, *_ in products(source)}
    folders = [ROOT / folder for folder in (*FOLDERS, "exercises/solutions")]
    return sorted(path for folder in folders for path in folder.glob("*.ipynb") if path not in made)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("build", "words", "check"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="a lesson, e.g. 00_start_here")
    options = parser.parse_args(arguments)
    chosen = sources([Path(name).stem for name in options.names])
    if options.action != "check":
        with tempfile.TemporaryDirectory() as elsewhere:
            os.environ.setdefault("UKRLEARN_WORK", elsewhere)  # progress made here is nobody's
            for source in chosen:
                for path in build(source, options.action == "words"):
                    print(path.relative_to(ROOT), flush=True)
        return 0
    found = [f"{source.stem}: {problem}" for source in chosen for problem in problems(source)]
    found += [f"{path.name} has no source {path.stem}.py" for path in orphans()]
    print("\n".join(found) or f"{len(chosen)} notebooks are what their sources say.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
