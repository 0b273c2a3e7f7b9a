"""How long `import ukrlearn` takes."""

import subprocess
import sys
from pathlib import Path

from measuring import quartiles, side_by_side, table, time_of_children

import ukrlearn

TITLE = "Import"

STATEMENTS = ("import ukrlearn", "from ukrlearn import UKR")


def measured(quick):
    seconds = side_by_side(
        rounds=1 if quick else 7,
        clock=time_of_children,
        nothing=python("pass"),
        sklearn=python("import sklearn.base"),
        **{statement: python(statement) for statement in STATEMENTS},
    )
    unit = seconds["sklearn"] - seconds["nothing"]
    ratios = {s: quartiles((seconds[s] - seconds["nothing"]) / unit) for s in STATEMENTS}
    rows = [[f"`{statement}`", f"{ratio:.3f}"] for statement, ratio in ratios.items()]
    return (
        f"A fresh Python's own start is subtracted. `import sklearn.base` takes "
        f"{quartiles(unit):.2f} s.\n\n{table(['', 'times `import sklearn.base`'], rows)}"
    )


def python(statement):
    """A function that runs the statement in a fresh Python."""
    folder = str(Path(ukrlearn.__file__).parent.parent)
    code = f"import sys; sys.path.insert(0, {folder!r}); {statement}"
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)
