"""The report card: every claim of the five papers on one page, made from RESULTS.md.

`make bench` writes REPORT.md after its runs; `python tests/benchmarks/report.py` writes it from the
results that are kept. So are the tables in the appendices of the course, between the marks
`<!-- claims [UKR] -->` and `<!-- end of claims -->`, and claims.csv in the package, from which
`figures.verdicts` draws them. No figure is typed here, only the words around the figures.
"""

import csv
import io
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from measuring import table

HERE = Path(__file__).resolve().parent
RESULTS, REPORT = HERE / "RESULTS.md", HERE / "REPORT.md"
NOTEBOOKS = HERE.parent.parent / "notebooks"
CSV = HERE.parent.parent / "ukrlearn" / "course" / "claims.csv"

PREAMBLE = """\
# Report card

Every claim of the five papers that was measured: what the paper says, what this code gives, and
the lesson that shows it. `make bench` writes this page from [RESULTS.md](RESULTS.md), which says
how each figure was measured, and has many more. Where a paper prints a figure, it stands in the
claim; most claims are words or pictures. Our figures are medians, with the least and greatest of
all draws in brackets. *Holds* and *the opposite*: a test at 5 %, or the rule that the row states,
says that it is not chance. *Open*: it may be chance. Rows marked "(ours)" go beyond the paper and
do not count. To measure a row again, run `python tests/benchmarks/run.py --only` with the name in
the last column.

"""

COUNTED = "Of {all} claims, {holds} hold; open: {open}; the opposite was measured: {opposite}. "


class Claim(NamedTuple):
    where: str
    says: str
    ours: str
    favour: str  # "9 of 10"; nothing where no draws were counted
    verdict: str
    command: str  # a section of run.py

    @property
    def of_paper(self):
        return not self.where.startswith("(ours)")


class Paper(NamedTuple):
    title: str
    sentence: str  # what holds and what does not, after the counts
    section: str  # of RESULTS.md, whose first table is that of the claims
    command: str  # the section of run.py
    shown_in: tuple  # (pattern, number of a lesson): the first that "where: says" contains
    further: object = None  # claims from other sections: sections -> claims


# Reading


def sections(results):
    """Heading -> text of each section of RESULTS.md."""
    parts = re.split(r"^## ", results, flags=re.M)[1:]
    return dict(part.split("\n", 1) for part in parts)


def tables(text):
    """The tables of a section: lists of rows of cells, the headings first."""
    found = []
    for block in re.findall(r"^\|.*\n\|[-|: ]+\n(?:\|.*\n)*", text, re.M):
        headings, _, *rows = block.splitlines()
        found.append(
            [[cell.strip() for cell in row.strip()[1:-1].split("|")] for row in [headings, *rows]]
        )
    return found


def claims_in(text, command):
    """The rows of the first table, which is one of claims."""
    headings, *rows = tables(text)[0]
    if headings[0] != "where" or headings[-1] != "verdict":
        raise ValueError(f"the first table of {command} must be that of its claims; got {headings}")
    claims, where = [], ""
    for cells in rows:
        where = cells[0] or where
        claims.append(Claim(where, *cells[1:], command))
    return claims


def cell(text, table, row, column):
    """One cell, by the names of its row and column; `table` counts from 0."""
    headings, *rows = tables(text)[table]
    return next(cells for cells in rows if cells[0] == row)[headings.index(column)]


def numbers(text):
    """The numbers in a cell: median, least and greatest of a spread."""
    return [float(number) for number in re.findall(r"(?<![\d.])\d*\.?\d+", text)]


# Lessons


@cache
def lessons():
    """Name -> (its Markdown and code in one line, rows of its tables)."""
    found = {}
    for path in sorted(NOTEBOOKS.glob("[0-9][0-9]*_*.py")):
        source = path.read_text(encoding="utf-8")
        rows = tables(re.sub(r"^# ?", "", source, flags=re.M))
        found[path.stem] = (
            " ".join(re.sub(r"^# ?", "", source, flags=re.M).split()),
            {tuple(cells) for table in rows for cells in table},
        )
    return found


def quotations(words):
    """What a lesson quotes as measured: lists of the pieces that must stand in one line."""
    quoted = re.findall(r"\*measured: ([^*]+)\*", words)
    return [[piece.strip() for piece in re.split(r"[,;] ", text)] for text in quoted]


def lines_with(pieces, text):
    """The lines of RESULTS.md that hold all pieces of a quotation."""
    return [line for line in text.splitlines() if all(piece in line for piece in pieces)]


def quoting(claim, text):
    """The lessons that quote this claim and no other: as a row of a table, or as measured."""
    row = (claim.where, *claim[1:5])
    found = []
    for name, (words, rows) in lessons().items():
        quoted = [lines_with(pieces, text) for pieces in quotations(words)]
        alone = [lines[0] for lines in quoted if len(lines) == 1]
        if row in rows or any(claim.says in line and claim.ours in line for line in alone):
            found.append(name)
    return found


def showing(paper, claim, text):
    """The lessons that quote a claim; if none does, the one that deals with its subject.

    Nothing if there is no such lesson yet.
    """
    subject = f"{claim.where}: {claim.says}"
    number = next(number for pattern, number in paper.shown_in if re.search(pattern, subject))
    about = [name for name in lessons() if name.startswith(f"{number}_")]
    return quoting(claim, text) or about


# [UKR]: tables 1 to 3 stand in sections of their own


def claims_of_tables(found):
    return [
        *on_the_spiral(found["Noisy spiral: table 1 of [UKR]"]),
        *on_digits(found["Images of digits: table 2 and section 4.2 of [UKR]"]),
        *on_oil_flow(found["Oil flow: table 3 of [UKR]"]),
        *on_growth(found["Error and gradient, quartic kernel"]),
    ]


def on_the_spiral(text):
    order = cell(text, 0, "order right: Spearman > .95", "median (least–greatest)")
    right, draws = map(int, order.split(" of "))
    rows = [
        Claim(
            "4.1, fig. 2",
            "the curve follows the spiral (order right, in 90 % of the draws)",
            "all starts and the race",
            order,
            "holds" if right >= 0.9 * draws else "the opposite",
            "spiral",
        )
    ]
    for row, paper, says in (
        ("R_cv", "[UKR], R_cv", "R_cv of {} at the end"),
        (
            "projection error of 3000 new points",
            "[UKR], new points",
            "an error of {} for 3000 new points",
        ),
    ):
        ours = cell(text, 0, row, "median (least–greatest)")
        theirs = cell(text, 1, paper, "1000 steps later")
        _, low, high = numbers(ours)
        verdict = "holds" if low <= float(theirs) <= high else "the opposite"
        says = says.format(theirs) + " (within our least and greatest)"
        rows.append(Claim("4.1, table 1", says, ours, "", verdict, "spiral"))
    return rows


def on_digits(text):
    seconds = {
        (kernel, form): numbers(cell(text, 0, kernel, column))[0]
        for kernel in ("gaussian", "quartic")
        for form, column in (("data", "500 steps, data space"), ("gram", "Gram form"))
    }
    ends = [numbers(cell(text, 0, kernel, "R_cv"))[1] for kernel in ("gaussian", "quartic")]
    between = lambda a, b: f"{seconds[a]:.1f} s against {seconds[b]:.1f} s"
    ratio = lambda a, b: seconds[a] / seconds[b]
    verdict = lambda true: "holds" if true else "the opposite"
    faster = float(re.search(r"the Gaussian takes ([\d.]+) times", text)[1])  # of unrounded times
    rows = [
        (
            "4.2",
            "both kernels end with similar R_cv (50.90 and 51.52; within 5 %)",
            f"{ends[0]} and {ends[1]}",
            abs(ends[1] / ends[0] - 1) <= 0.05,
        ),
        (
            "4.2, table 2",
            "the quartic kernel is quicker than the Gaussian one (30 s against 753 s)",
            between(("quartic", "data"), ("gaussian", "data")),
            faster > 1,
        ),
        (
            "4.2, table 2",
            "and takes a 25th of its time (a tenth or less)",
            f"{faster:.1f} times as quick",
            faster >= 10,
        ),
        (
            "4.2, table 2",
            "with the Gaussian kernel the Gram form takes longer (1085 s against 753 s)",
            between(("gaussian", "gram"), ("gaussian", "data")),
            ratio(("gaussian", "gram"), ("gaussian", "data")) > 1,
        ),
        (
            "4.2, table 2, B",
            "with the quartic kernel the Gram form is quicker (25 s against 30 s)",
            between(("quartic", "gram"), ("quartic", "data")),
            ratio(("quartic", "gram"), ("quartic", "data")) < 1,
        ),
    ]
    return [Claim(*row, "", verdict(true), "digits") for *row, true in rows]


def on_oil_flow(text):
    rows = []
    for metric, components in (("Euclidean", "PCA"), ("L1", "kernel PCA")):
        for judge in ("KDC", "1-NN"):
            says = f"fewer errors in the latent space of UKR than in that of {components}, {judge}"
            pair = (metric, f"UKR + {judge}"), (metric, f"(K)PCA + {judge}")
            rows.append((f"{metric}: {says}", *pair))
    rows += [
        ("UKR has fewer errors with L1, KDC", ("L1", "UKR + KDC"), ("Euclidean", "UKR + KDC")),
        (
            "kernel PCA has more errors with L1, KDC",
            ("Euclidean", "(K)PCA + KDC"),
            ("L1", "(K)PCA + KDC"),
        ),
    ]
    claims = []
    for says, *pair in rows:
        ours = [cell(text, 0, metric, method) for metric, method in pair]
        theirs = [cell(text, 0, f"[UKR], {metric}", method) for metric, method in pair]
        claims.append(
            Claim(
                "4.3, table 3",
                f"{says} ({theirs[0]} % against {theirs[1]} %)",
                f"{ours[0]} % against {ours[1]} %",
                "",
                apart(*ours),
                "oil_flow",
            )
        )
    return claims


def apart(lower, higher):
    """Holds if every draw of the first is below every draw of the second."""
    (_, least, most), (_, least_other, most_other) = numbers(lower), numbers(higher)
    if most < least_other:
        return "holds"
    return "the opposite" if least > most_other else "open"


def on_growth(text):
    grows = re.search(r"a step costs (.*?) times as much: (.*?)\.", text)
    return [
        Claim(
            "B",
            "with finite support time grows with the pairs that see each other, not with N²",
            f"ten times the points: {grows[1]} times as long",
            "",
            "holds" if grows[2].endswith(" met") else "the opposite",
            "compact",
        )
    ]


# [RPM]: the cost stands in a table of times


def claims_of_times(found):
    text = found["Regularized principal manifolds"]
    at = len(tables(text)) - 1
    slope = cell(text, at, "growth in N, exponent", "processor time")
    asked = cell(text, at, "growth in N, exponent", "asked")
    return [
        Claim(
            "5.1, 5.2",
            f"the cost grows linearly in the number of points (exponent {asked.rsplit(' ', 1)[0]})",
            f"exponent {slope}",
            "",
            "holds" if asked.endswith(" met") else "the opposite",
            "rpm",
        )
    ]


PAPERS = {
    "UKR": Paper(
        "Meinicke, Klanke, Memisevic, Ritter: *Principal Surfaces from Unsupervised Kernel "
        "Regression*, 2005",
        "The scheme works: leaving out costs nothing, starts from LLE and homotopy lead to lower "
        "errors, and latent coordinates sort the oil flow far better than principal components. "
        "What does not hold are factors of time: our dense matrices are quicker than theirs were.",
        "The scheme of section 2.3: claims of [UKR]",
        "ukr",
        (
            (r"^2\.2", "04"),
            (r"fig\. 2", "07"),
            (r"^2\.3", "08"),
            (r"^4\.1", "09"),
            (r"^4\.2|^B", "10"),
            (r"^4\.3", "11"),
        ),
        claims_of_tables,
    ),
    "SGD": Paper(
        "Memisevic, Hinton: *Improving Dimensionality Reduction with Spectral Gradient Descent*, "
        "2005",
        "On curves guidance finds the order, and ends lower than plain descent. On the s-curve, "
        "where plain descent does well, differences of the final error may be chance.",
        "Spectral gradient descent: claims of [SGD]",
        "guidance",
        ((r"6\.2|^5|^7|s-curve", "17"), (r"", "16")),
    ),
    "DRUR": Paper(
        "Carreira-Perpiñán, Lu: *Parametric Dimensionality Reduction by Unsupervised Regression*, "
        "2010",
        "Two maps repair noisy coordinates, at a cost that is linear in the number of points. But "
        "UKR and GPLVM do not fail at noise 10, single moves suffice for fewer points than said, "
        "and on a roll with a hole the gains may be chance.",
        "Parametric DRUR",
        "drur",
        ((r"^2\.", "19"), (r"UKR|GPLVM|autoencoder|time of|and in d|minutes", "21"), (r"", "20")),
    ),
    "RPM": Paper(
        "Smola, Mika, Schölkopf, Williamson: *Regularized Principal Manifolds*, 2001",
        "The algorithm does what the figures show if λ is counted as a sum, and hardly depends on "
        "its settings. The factor in (40) and the exponent of A.3 are not what is printed. Rates "
        "are upper bounds, which an experiment of this size does not settle.",
        "Regularized principal manifolds",
        "rpm",
        (
            (r"Huber", "22"),
            (r"held-out|^8|6\.1, 9|GTM's regulariser|3\.3", "24"),
            (r"\b6\.", "25"),
            (r"^7\.4|proposition|A\.3", "26"),
            (r"^figure [34]", "24"),
            (r"^figure|^5", "23"),
        ),
        claims_of_times,
    ),
    "SI": Paper(
        "Orsenigo, Vercellis: *Kernel Ridge Regression for Out-of-Sample Mapping in Supervised "
        "Manifold Learning*, 2012",
        "Labels and a penalty help. Kernel ridge regression is better than GRNN on most data sets "
        "but not on all, and significantly so only for an SVM that is trained on left out points. "
        "The embedding is no better than a direct SVM. Only the paper's first pages are public.",
        "Supervised agglomerative Isomap: every claim of [SI]",
        "si",
        (
            (r"agglomeration|residual variances", "28"),
            (r"labels improve|alpha", "29"),
            (r"", "30"),
        ),
    ),
}


# Writing


def claims_of(paper, found):
    """All claims of a paper, from the sections of RESULTS.md."""
    further = paper.further(found) if paper.further else []
    return [*claims_in(found[paper.section], paper.command), *further]


def counts(claims):
    """How many of the paper's own claims hold, are open, are wrong; and how many there are."""
    verdicts = [claim.verdict for claim in claims if claim.of_paper]
    hold, unsure, opposite = (verdicts.count(v) for v in ("holds", "open", "the opposite"))
    if hold + unsure + opposite != len(verdicts):
        raise ValueError(f"verdicts must be holds, open or the opposite; got {set(verdicts)}")
    return {"holds": hold, "open": unsure, "opposite": opposite, "all": len(verdicts)}


def card(results):
    """REPORT.md, from RESULTS.md and the lessons."""
    found = sections(results)
    claims = {short: claims_of(paper, found) for short, paper in PAPERS.items()}
    overview = [[f"[{short}]", *counts(of_paper).values()] for short, of_paper in claims.items()]
    overview.append(["all", *(sum(column) for column in list(zip(*overview, strict=True))[1:])])
    parts = [PREAMBLE + table(["paper", "holds", "open", "the opposite", "claims"], overview)]
    for short, paper in PAPERS.items():
        rows = [
            [
                claim.where,
                claim.says,
                claim.ours,
                claim.favour,
                claim.verdict,
                ", ".join(link(name) for name in showing(paper, claim, found[paper.section])),
                f"`{claim.command}`",
            ]
            for claim in claims[short]
        ]
        headings = ["where", "the paper says", "ours", "in favour", "verdict", "lesson", "command"]
        sentence = COUNTED.format(**counts(claims[short])) + paper.sentence
        parts.append(f"## [{short}]\n\n{paper.title}.\n\n{sentence}\n\n{table(headings, rows)}")
    return "\n".join(parts)


def link(name, folder="../../notebooks/"):
    return f"[{name[:2]}]({folder}{name}.ipynb)"


# Appendices of the course

MARKS = "<!-- claims [{}] -->", "<!-- end of claims -->"


def appendix(short):
    return NOTEBOOKS / f"appendix_{short.lower()}.py"


def claims_table(short, results):
    """The counts and the claims of a paper in Markdown, for its appendix."""
    paper, found = PAPERS[short], sections(results)
    claims = claims_of(paper, found)
    rows = [
        [
            number,
            *claim[:5],
            ", ".join(link(name, "") for name in showing(paper, claim, found[paper.section])),
        ]
        for number, claim in enumerate(claims, 1)
    ]
    headings = ["#", "where", "the paper says", "ours", "in favour", "verdict", "unit"]
    sentence = COUNTED.format(**counts(claims)) + paper.sentence
    lines = "\n".join(" | ".join(map(str, row)) for row in [headings, ["---"] * 7, *rows])
    return f"{sentence}\n\n" + re.sub(r"^(.*)$", r"| \1 |", lines, flags=re.M)


def filled(source, short, results):
    """The source of an appendix with the table of claims between its marks."""
    first, last = (mark.format(short) for mark in MARKS)
    if not (source.count(first) == source.count(last) == 1):
        raise ValueError(f"{appendix(short).name} must have the marks {first} and {last} once.")
    text = f"{first}\n\n{claims_table(short, results)}\n\n{last}"
    commented = re.sub(r"^(.*)$", r"# \1", text, flags=re.M).replace("# \n", "#\n")
    return re.sub(
        rf"^# {re.escape(first)}\n.*?^# {re.escape(last)}$",
        lambda _: commented,
        source,
        flags=re.M | re.S,
    )


def as_csv(results):
    """What the package knows of the claims: one line for each."""
    found, file = sections(results), io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["paper", "where", "says", "favour", "verdict"])
    for short, paper in PAPERS.items():
        for claim in claims_of(paper, found):
            writer.writerow([short, claim.where, claim.says, claim.favour, claim.verdict])
    return file.getvalue()


def write():
    results = RESULTS.read_text(encoding="utf-8")
    REPORT.write_text(card(results), encoding="utf-8")
    CSV.write_text(as_csv(results), encoding="utf-8")
    for short in PAPERS:
        if appendix(short).exists():
            source = appendix(short).read_text(encoding="utf-8")
            appendix(short).write_text(filled(source, short, results), encoding="utf-8")


if __name__ == "__main__":
    write()
