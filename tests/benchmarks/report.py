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

import numpy as np
from measuring import HEADINGS, LEVEL, table

HERE = Path(__file__).resolve().parent
RESULTS, REPORT = HERE / "RESULTS.md", HERE / "REPORT.md"
NOTEBOOKS = HERE.parent.parent / "notebooks"
CSV = HERE.parent.parent / "ukrlearn" / "course" / "claims.csv"

VERDICTS = "holds", "the opposite", "no effect", "open", "not comparable"
DATA = "redrawn", "simulated", "other", "any"
# Measured twice on the same draws: what differs between two rows that are one claim.
TWICE = re.compile(r",? ?noise \d+,? ?|: (5-NN|SVM|RBF|perceptrons)$|, (KDC|1-NN)( \(.*\))?$")

PREAMBLE = """\
# Report card

Every claim of the five papers that was measured: what the paper says, on which data, what this
code gives, and the lesson that shows it. `make bench` writes this page from
[RESULTS.md](RESULTS.md), which says how each figure was measured, and has many more. To measure a
row again, run `python tests/benchmarks/run.py --only` with the name in the last column.

**Data.** No row was measured on a paper's own file. *Redrawn*: the paper's synthetic data, drawn
anew; sizes, noise and formulas that it does not print are ours. *Simulated*: made by a model of the
measurement (oil flow), in place of real data. *Other*: different data. *Any*: the claim is about
cost or mathematics, and data do not matter.

**Draws.** Each draw is new data and a new start. "18 of 20" counts the draws in which the claim is
true; their seeds are 0 to 19 unless the column says otherwise. Our figures are medians, in brackets
the quantiles 10 and 90 % of the draws. Rows that end in "least–greatest" were not measured again
since these brackets were the extremes of fewer draws. A row without a count rests on what stands
in its place; there the rule in the claim decides, not a test.

**Verdicts.** *Holds* and *the opposite*: a two-sided sign test (over data sets: Wilcoxon's signed
ranks) rejects that chance did it. *No effect*: an equivalence test finds the median change within
a margin that stands in the code of the row (5 % of an error, half a point of error, .005 of R²,
one point of accuracy); such rows make two tests, so their p is doubled. *Open*: neither.
*Not comparable*: seconds on a machine of that time. That something happens at all is settled by one
instance; that it *always* happens is refuted by one data set in which the opposite is certain.

**Many tests.** All p are adjusted by Holm's method at {level:.0%}. A family is all tests of the
paper's own claims in one paper; rows marked "(ours)", which go beyond the paper and count nowhere
else, are a family of their own. The same claim on the same draws at two noises, for two networks or
by two classifiers is one claim: its p is the greatest, and its other rows say "as above". What Holm
does not keep is open. Thresholds and margins are ours. They were chosen after ten draws had been
seen, seeds 0 to 9, which are among the twenty and more: that favours *holds*. So does that we drew
some claims again while these p were known. Rows of [DRUR] that still rest on ten draws are kept
narrowly, at an adjusted p of .049.

"""


class Claim(NamedTuple):
    where: str
    says: str
    ours: str
    favour: str  # "9 of 10"; or what the row rests on
    p: float | None  # None where a rule decides; adjusted once `adjust` has been called
    verdict: str
    command: str  # a section of run.py
    single: str = ""  # the verdict of its own test
    again: bool = False  # a further row of the claim above

    @property
    def of_paper(self):
        return not self.where.startswith("(ours)")

    @property
    def one(self):
        """What rows of one claim have in common."""
        return TWICE.sub("", self.where) + ": " + TWICE.sub("", self.says)

    @property
    def seeds(self):
        counted = re.fullmatch(r"\d+ of (\d+)(?:, (\d+) ties)?", self.favour)
        return f"0–{int(counted[1]) + int(counted[2] or 0) - 1}" if counted else ""

    @property
    def share(self):
        """ "9 of 10", of draws or data sets; nothing where none were counted."""
        counted = re.match(r"[\d.]+ of \d+", self.favour)
        return counted[0] if counted else ""

    @property
    def adjusted(self):
        return "as above" if self.again else "" if self.p is None else f"{self.p:.2g}"


class Paper(NamedTuple):
    title: str
    sentence: str  # what holds and what does not, after the counts
    sections: dict  # titles in RESULTS.md, whose first table is one of claims -> section of run.py
    shown_in: tuple  # (pattern, number of a lesson): the first that "where: says" contains
    data: tuple  # (pattern, one of DATA and what it is)

    def first(self, table, claim):
        """The entry of a table of patterns that suits a claim."""
        subject = f"{claim.where}: {claim.says}"
        return next(found for pattern, found in table if re.search(pattern, subject))


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
    if headings != HEADINGS:
        raise ValueError(f"the first table of {command} must have {HEADINGS}; got {headings}")
    claims, where = [], ""
    for cells in rows:
        where, says, ours, favour, p, verdict = cells[0] or where, *cells[1:]
        p = float(p) if p else None
        claims.append(Claim(where, says, ours, favour, p, verdict, command, verdict))
    return claims


def adjust(claims):
    """The verdicts that stand once all tests are taken together; see PREAMBLE."""
    groups = {}
    for claim in claims:
        groups.setdefault(claim.one, []).append(claim)
    for of_paper in (True, False):
        tested = [g for g in groups.values() if g[0].of_paper == of_paper and g[0].p is not None]
        of_groups = holm([max(claim.p for claim in group) for group in tested])
        for group, p in zip(tested, of_groups, strict=True):
            groups[group[0].one] = [claim._replace(p=p) for claim in group]
    found = []
    for claim in claims:
        group = groups[claim.one]
        verdicts = {one.single for one in group}
        stands = len(verdicts) == 1 and (group[0].p is None or group[0].p < LEVEL)
        verdict = claim.single if stands else "open"
        again = claim.says != group[0].says or claim.where != group[0].where
        found.append(claim._replace(p=group[0].p, verdict=verdict, again=again))
    return found


def holm(p):
    """Adjusted p, by the method of Holm (1979)."""
    order = np.argsort(p)
    rising = np.maximum.accumulate(np.arange(len(p), 0, -1) * np.asarray(p, dtype=float)[order])
    return np.minimum(1, rising)[np.argsort(order)]


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
    row = (claim.where, claim.says, claim.ours, claim.favour, claim.verdict)
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
    number = paper.first(paper.shown_in, claim)
    about = [name for name in lessons() if name.startswith(f"{number}_")]
    return quoting(claim, text) or about


PAPERS = {
    "UKR": Paper(
        "Meinicke, Klanke, Memisevic, Ritter: *Principal Surfaces from Unsupervised Kernel "
        "Regression*, 2005",
        "The scheme works: leaving out costs nothing, starts from LLE and homotopy lead to lower "
        "errors, and latent coordinates sort the oil flow far better than principal components.",
        {
            "The scheme of section 2.3: claims of [UKR]": "ukr",
            "Noisy spiral: table 1 of [UKR]": "spiral",
            "Images of digits: table 2 and section 4.2 of [UKR]": "digits",
            "Oil flow: table 3 of [UKR]": "oil_flow",
            "Error and gradient, quartic kernel": "compact",
        },
        (
            (r"^2\.2", "04"),
            (r"fig\. 2", "07"),
            (r"^2\.3", "08"),
            (r"4\.1|table 1", "09"),
            (r"^4\.2|^B", "10"),
            (r"^4\.3", "11"),
        ),
        (
            (r"4\.3", "simulated: oil flow"),
            (r"4\.2", "other: twos of 8 x 8, magnified and distorted (the paper's: USPS)"),
            (r"^2\.2|^B", "any"),
            (r"", "redrawn: noisy spiral"),
        ),
    ),
    "SGD": Paper(
        "Memisevic, Hinton: *Improving Dimensionality Reduction with Spectral Gradient Descent*, "
        "2005",
        "On curves guidance finds the order, and ends lower than plain descent. On the s-curve, "
        "where plain descent does well, differences of the final error may be chance.",
        {"Spectral gradient descent: claims of [SGD]": "guidance"},
        ((r"6\.2|^5|^7|s-curve", "17"), (r"", "16")),
        (
            (r"6\.2|s-curve", "redrawn: s-curve"),
            (r"^3\.", "redrawn: three arcs"),
            (r"^5\.1", "redrawn: arcs, helix and s-curve"),
            (r"", "redrawn: helix"),
        ),
    ),
    "DRUR": Paper(
        "Carreira-Perpiñán, Lu: *Parametric Dimensionality Reduction by Unsupervised Regression*, "
        "2010",
        "Two maps repair noisy coordinates, at a cost that is linear in the number of points. But "
        "GPLVM does not fail at noise 10, single moves suffice for fewer points than said, and a "
        "large λ distorts nothing that counts.",
        {"Parametric DRUR": "drur"},
        ((r"^2\.", "19"), (r"UKR|GPLVM|autoencoder|time of|and in d|minutes", "21"), (r"", "20")),
        (
            (r"fig\. 9", "other: sevens of 8 x 8, magnified (the paper's: MNIST, 28 x 28)"),
            (r"fig\. 3", "other: three arcs"),
            (r"fig\. 2", "redrawn: spiral"),
            (r"fig\. 8|the same with λ", "redrawn: Swiss roll with a hole"),
            (r"", "redrawn: Swiss roll"),
        ),
    ),
    "RPM": Paper(
        "Smola, Mika, Schölkopf, Williamson: *Regularized Principal Manifolds*, 2001",
        "The algorithm does what the figures show if λ is counted as a sum, and hardly depends on "
        "its settings. The factor in (40) and the exponent of A.3 are not what is printed.",
        {"Regularized principal manifolds": "rpm"},
        (
            (r"Huber", "22"),
            (r"held-out|^8|6\.1, 9|GTM's regulariser|3\.3", "24"),
            (r"\b6\.", "25"),
            (r"7\.4|proposition|A\.3", "26"),
            (r"^figure [34]", "24"),
            (r"figure|^5", "23"),
        ),
        (
            (r"figure [34]|oil flow", "simulated: oil flow"),
            (r"Huber", "other: arc with outliers"),
            (r"soft assignment", "other: spiral of [UKR]"),
            (r"posterior", "other: spiral of [UKR]"),
            (r"surface", "redrawn: sphere"),
            (r"A\.3|7\.4|^5", "any"),
            (r"", "redrawn: arc"),
        ),
    ),
    "SI": Paper(
        "Orsenigo, Vercellis: *Kernel Ridge Regression for Out-of-Sample Mapping in Supervised "
        "Manifold Learning*, 2012",
        "**What it means to a user: do not use the embedding as a classifier on data like these "
        "digits. 5 neighbours in the columns themselves do as well or better, and kernel ridge "
        "regression of the labels needs no embedding.** Labels help the embedding. That kernel "
        "ridge regression (KRR) *consistently* dominates GRNN is refuted by 400 digits, also where "
        "dimension, h and alpha are chosen for each. Only the paper's first pages are public, so "
        "its data sets are not known.",
        {"Supervised agglomerative Isomap: every claim of [SI]": "si"},
        (
            (r"agglomeration|residual variances", "28"),
            (r"labels improve|alpha \(", "29"),
            (r"", "30"),
        ),
        (
            (r"400 digits", "other: 400 digits of 8 x 8, drawn from 1797"),
            (r"2000 columns", "simulated: few rows of many columns"),
            (r"agglomeration|variances", "other: roll, helix, cube"),
            (r"^1: (the cost|GRNN)", "any"),
            (r"", "other: ten data sets, four real and six generated"),
        ),
    ),
}


# Writing


def claims_of(paper, found):
    """All claims of a paper, from the sections of RESULTS.md, with the verdicts that stand."""
    named = paper.sections.items()
    return adjust([claim for title, name in named for claim in claims_in(found[title], name)])


def counts(claims):
    """Of the paper's own claims, how many there are of each verdict; rows of one claim are one."""
    own = [claim for claim in claims if claim.of_paper and not claim.again]
    found = {verdict: sum(claim.verdict == verdict for claim in own) for verdict in VERDICTS}
    if sum(found.values()) != len(own):
        raise ValueError(f"verdicts must be one of {VERDICTS}; got {[c.verdict for c in own]}")
    return {"claims": len(own), **found}


def tests_of(claims):
    """How many of the paper's own claims are tested, rejected one by one, and kept by Holm."""
    tested = [c for c in claims if c.of_paper and not c.again and c.p is not None]
    single = sum(claim.single != "open" for claim in tested)
    return {
        "tested": len(tested),
        "at 5 %": single,
        "kept by Holm": sum(c.p < LEVEL for c in tested),
    }


def in_words(paper, claims):
    """The counts and what they mean, in front of a table."""
    counted, tests = counts(claims), tests_of(claims)
    parts = "; ".join(f"{verdict}: {counted[verdict]}" for verdict in VERDICTS if counted[verdict])
    return (
        f"Of {counted['claims']} claims, {parts}. Of {tests['tested']} that are tested, "
        f"{tests['at 5 %']} have a verdict one by one, and Holm's method keeps "
        f"{tests['kept by Holm']}. {paper.sentence}"
    )


def rows_of(paper, claims, text, folder):
    """The columns that the report and the appendices share."""
    return [
        [
            *(claim.where, claim.says, paper.first(paper.data, claim), claim.ours, claim.favour),
            *(claim.seeds, claim.adjusted, claim.verdict),
            ", ".join(link(name, folder) for name in showing(paper, claim, text)),
        ]
        for claim in claims
    ]


COLUMNS = [*("where", "the paper says", "data", "ours", "in favour", "seeds", "p, Holm", "verdict")]


def card(results):
    """REPORT.md, from RESULTS.md and the lessons."""
    found = sections(results)
    claims = {short: claims_of(paper, found) for short, paper in PAPERS.items()}
    overview = [{**counts(of_paper), **tests_of(of_paper)} for of_paper in claims.values()]
    overview.append({key: sum(row[key] for row in overview) for key in overview[0]})
    named = zip([*(f"[{short}]" for short in PAPERS), "all"], overview, strict=True)
    parts = [
        PREAMBLE.format(level=LEVEL)
        + table(["paper", *overview[0]], [[name, *row.values()] for name, row in named])
        + "\nWhat holds, of all that was claimed, by the data that it was measured on:\n\n"
        + table(["paper", *DATA], [[f"[{s}]", *by_data(PAPERS[s], claims[s])] for s in PAPERS])
    ]
    for short, paper in PAPERS.items():
        text = text_of(paper, found)
        rows = rows_of(paper, claims[short], text, "../../notebooks/")
        rows = [
            [*row, f"`{claim.command}`"] for row, claim in zip(rows, claims[short], strict=True)
        ]
        words = in_words(paper, claims[short])
        parts.append(
            f"## [{short}]\n\n{paper.title}.\n\n{words}\n\n"
            + table([*COLUMNS, "lesson", "command"], rows)
        )
    return "\n".join(parts)


def by_data(paper, claims):
    """For each kind of data, how many claims hold."""
    own = [claim for claim in claims if claim.of_paper and not claim.again]
    of = {kind: [c for c in own if paper.first(paper.data, c).startswith(kind)] for kind in DATA}
    return [f"{sum(c.verdict == 'holds' for c in cs)} of {len(cs)}" for cs in of.values()]


def text_of(paper, found):
    return "\n".join(found[title] for title in paper.sections)


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
    rows = [[n, *row] for n, row in enumerate(rows_of(paper, claims, text_of(paper, found), ""), 1)]
    headings = ["#", *COLUMNS, "unit"]
    lines = "\n".join(" | ".join(map(str, r)) for r in [headings, ["---"] * len(headings), *rows])
    return f"{in_words(paper, claims)}\n\n" + re.sub(r"^(.*)$", r"| \1 |", lines, flags=re.M)


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
            writer.writerow([short, claim.where, claim.says, claim.share, claim.verdict])
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
