"""What the papers claim, and whether it held when it was measured: the data of the appendices.

The table claims.csv is made from the measurements in the repository, tests/benchmarks/RESULTS.md.

>>> of("UKR")[2].says
'a start from LLE has a lower R_cv than the principal component'
>>> of("UKR")[2].share, of("UKR")[2].verdict
(0.975, 'holds')
"""

import csv
from pathlib import Path
from typing import NamedTuple

PAPERS = ("UKR", "SGD", "DRUR", "RPM", "SI")
TABLE = Path(__file__).with_name("claims.csv")


class Claim(NamedTuple):
    """One claim of a paper, or one of ours if `where` begins with "(ours)"."""

    where: str  # section, figure or table of the paper
    says: str
    share: float | None  # of the draws, in favour; None where no draws were counted
    verdict: str  # "holds", "the opposite", "no effect", "open" or "not comparable"


def of(paper) -> list[Claim]:
    """The claims of a paper, in the order of its table.

    Parameters
    ----------
    paper : {"UKR", "SGD", "DRUR", "RPM", "SI"}
    """
    if paper not in PAPERS:
        raise ValueError(f"paper must be one of {', '.join(PAPERS)}; got {paper!r}.")
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["paper"] == paper]
    return [Claim(r["where"], r["says"], _share(r["favour"]), r["verdict"]) for r in rows]


def _share(favour):
    held, _, draws = favour.partition(" of ")
    return float(held) / float(draws) if draws else None
