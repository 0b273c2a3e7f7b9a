"""Draw who imports whom in the package, folder by folder, from the code.

python tools/import_graph.py            prints the graph
python tools/import_graph.py --write    puts it into ARCHITECTURE.md, between its marks
"""

import argparse
import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ukrlearn"
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- import graph -->\n```text\n", "```\n<!-- end of import graph -->\n"


def files():
    """Every module but the package's own `__init__`, which only names the others."""
    return sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path):
    """The folder, or single module, of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path):
    """Dotted names below ukrlearn that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import: write the whole name"
            targets = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for target in targets:
            package, _, name = target.partition(".")
            if package == "ukrlearn" and name != "__version__":
                yield name


def graph():
    """Each part of the package with the set of the other parts that it imports."""
    parts = {part_of(path): set() for path in files()}
    for path in files():
        parts[part_of(path)] |= {name.split(".")[0] for name in imports_of(path)}
    return {part: imported - {part} for part, imported in parts.items()}


def text():
    """The graph in lines. A part stands above everything that it imports."""
    parts = graph()
    rows = []
    sorter = TopologicalSorter(parts)
    sorter.prepare()  # CycleError names the circle
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        rows = [*ready, *rows]
        sorter.done(*ready)
    width = max(map(len, rows))
    arrow = lambda part: f"{part:{width}}  ->  {' '.join(sorted(parts[part])) or '(nothing)'}\n"
    return "".join(map(arrow, rows))


def redrawn(page):
    """A page with the graph of today between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"the page must hold the marks {BEGIN!r} and {END!r}.")
    return before + BEGIN + text() + END + after


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="put it into ARCHITECTURE.md")
    if parser.parse_args(arguments).write:
        PAGE.write_text(redrawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(text(), end="")


if __name__ == "__main__":
    main()
