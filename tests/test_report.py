"""The report card says what RESULTS.md says, and the lessons quote what was measured."""

import re
import sys
from pathlib import Path

import pytest

from ukrlearn.course import claims as of_package

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))

import report  # noqa: E402
import run  # noqa: E402

del sys.path[0]

RESULTS = report.RESULTS.read_text(encoding="utf-8")
REPORT = report.REPORT.read_text(encoding="utf-8")
FOUND = report.sections(RESULTS)
CLAIMS = {short: report.claims_of(paper, FOUND) for short, paper in report.PAPERS.items()}

# Lessons from here on quote single figures.
QUOTING = [name for name in report.lessons() if name >= "22"]
LAST_OF_RPM = "26"
VERDICTS = "holds", "open", "the opposite"


def test_the_report_is_made_of_the_results_and_the_lessons():
    assert report.card(RESULTS) == REPORT, "run python tests/benchmarks/report.py"


def test_another_figure_or_verdict_makes_another_report():
    for old, new in (("0 rises in", "1 rises in"), ("| open    |", "| holds   |")):
        assert old in RESULTS
        assert report.card(RESULTS.replace(old, new, 1)) != REPORT


def test_no_claim_of_a_paper_is_lost():
    for short, paper in report.PAPERS.items():
        of_section = [line for line in FOUND[paper.section].split("\n\n") if "| verdict" in line]
        rows = of_section[0].strip().splitlines()[2:]
        section = REPORT.split(f"\n## [{short}]\n")[1].split("\n## ")[0]
        for row in rows:
            says, ours = (cell.strip() for cell in row.split("|")[2:4])
            assert says in section and ours in section
        assert len(CLAIMS[short]) >= len(rows)


def test_counts_are_those_of_the_rows():
    for short, claims in CLAIMS.items():
        section = REPORT.split(f"\n## [{short}]\n")[1].split("\n## ")[0]
        table = report.tables(section)[0][1:]
        own = [row[4] for row in table if not row[0].startswith("(ours)")]
        counted = report.counts(claims)
        assert counted["all"] == len(own) > 0
        assert counted["holds"] == own.count("holds")
        assert counted["opposite"] == own.count("the opposite")
        line = [f"[{short}]", *map(str, counted.values())]
        assert line in report.tables(REPORT)[0]
        assert f"Of {len(own)} claims, {own.count('holds')} hold;" in section


def test_an_unknown_verdict_is_an_error():
    claim = CLAIMS["SI"][0]._replace(verdict="perhaps")
    with pytest.raises(ValueError, match="perhaps"):
        report.counts([claim])


def test_every_claim_has_a_section_that_measures_it():
    assert {claim.command for claims in CLAIMS.values() for claim in claims} <= set(run.SECTIONS)


def test_every_lesson_that_the_report_names_exists():
    named = re.findall(r"\(\.\./\.\./notebooks/(\w+)\.ipynb\)", REPORT)
    assert named
    for name in set(named):
        assert (ROOT / "notebooks" / f"{name}.ipynb").exists(), name


@pytest.mark.parametrize("short", report.PAPERS)
def test_a_paper_that_has_lessons_has_one_for_every_claim(short):
    paper = report.PAPERS[short]
    shown = {claim: report.showing(paper, claim, FOUND[paper.section]) for claim in CLAIMS[short]}
    without = [claim.says for claim, lessons in shown.items() if not lessons]
    assert len(without) in (0, len(shown)), without


# ------------------------------------------------------------------------------------ appendices

APPENDICES = [short for short in report.PAPERS if report.appendix(short).exists()]
WITHOUT = "# before\n# <!-- claims [RPM] -->\n# stale words\n# <!-- end of claims -->\n# after\n"


@pytest.mark.parametrize("short", APPENDICES)
def test_an_appendix_has_the_claims_of_its_paper(short):
    source = report.appendix(short).read_text(encoding="utf-8")
    expected = report.filled(source, short, RESULTS)
    assert source == expected, "run python tests/benchmarks/report.py"


def test_a_table_of_claims_says_what_the_report_says_and_links_existing_units():
    source = report.filled(WITHOUT, "RPM", RESULTS)
    assert source.startswith("# before\n# <!-- claims [RPM] -->\n#\n# Of 17 claims, 14 hold;")
    assert source.endswith("|\n#\n# <!-- end of claims -->\n# after\n") and "stale" not in source
    assert report.filled(source, "RPM", RESULTS) == source
    _, *rows = report.tables(re.sub(r"^# ?", "", source, flags=re.M))[0]
    assert [row[0] for row in rows] == [str(k) for k in range(1, len(CLAIMS["RPM"]) + 1)]
    assert [tuple(row[1:6]) for row in rows] == [tuple(claim[:5]) for claim in CLAIMS["RPM"]]
    linked = re.findall(r"\]\((\w+)\.ipynb\)", source)
    assert len(linked) >= len(rows) and set(linked) <= set(report.lessons())


@pytest.mark.parametrize("source", ["# no marks\n", WITHOUT + WITHOUT])
def test_an_appendix_without_marks_is_an_error(source):
    with pytest.raises(ValueError, match="appendix_rpm.py must have the marks"):
        report.filled(source, "RPM", RESULTS)


def test_the_package_has_the_same_claims():
    assert report.CSV.read_text(encoding="utf-8") == report.as_csv(RESULTS)
    for short, expected in CLAIMS.items():
        found = of_package.of(short)
        assert [(c.where, c.says, c.verdict) for c in found] == [
            (c.where, c.says, c.verdict) for c in expected
        ]
        for ours, theirs in zip(found, expected, strict=True):
            held, _, draws = theirs.favour.partition(" of ")
            share = float(held) / float(draws) if draws else None
            assert ours.share == share and (share is None or 0 <= share <= 1)


def test_an_unknown_paper_is_an_error():
    with pytest.raises(ValueError, match="UKR, SGD, DRUR, RPM, SI; got 'XYZ'"):
        of_package.of("XYZ")


def test_rules_for_verdicts():
    assert report.apart("0.4 (0.1–0.5)", "11 (10–12)") == "holds"
    assert report.apart("11 (10–12)", "0.4 (0.1–0.5)") == "the opposite"
    assert report.apart("11.4 (10.4–12.8)", "14.0 (12.8–14.4)") == "open"
    assert report.numbers("0.4 (0.1–.5)") == [0.4, 0.1, 0.5]
    assert report.numbers("28.57 → 13.35") == [28.57, 13.35]


# ------------------------------------------------------------------ quotations in lessons


def section_for(lesson):
    paper = report.PAPERS["RPM" if lesson[:2] <= LAST_OF_RPM else "SI"]
    return FOUND[paper.section]


def not_measured(words, text):
    """The quotations of a lesson that stand in no line of RESULTS.md."""
    quoted = report.quotations(words)
    return [pieces for pieces in quoted if not report.lines_with(pieces, text)]


def tables_of_verdicts(words):
    """Rows (what, ours, in favour, verdict) of the tables of claims that a lesson has."""
    for headings, *rows in report.tables(words):
        if headings[-1] == "verdict":
            yield from rows


def agrees(row, line):
    """Whether a row of a lesson says, rounded perhaps, what a line of RESULTS.md says."""
    *_, ours, favour, verdict = row
    there = report.numbers(line)
    near = lambda number, digits: any(abs(x - number) <= 0.5001 * 10**-digits for x in there)
    shown = re.findall(r"\d*\.?\d+", ours)
    rounded = all(near(float(number), len(number.partition(".")[2])) for number in shown)
    counted = favour in line or f" {favour.split()[0]} better" in line
    last = line.strip("| ").rpartition("|")[2].strip()
    return rounded and counted and last in (verdict, *([] if last in VERDICTS else [last]))


def faults_of(name):
    words, _ = report.lessons()[name]
    text = section_for(name)
    faults = [f"not measured: {pieces}" for pieces in not_measured(words, text)]
    source = (ROOT / "notebooks" / f"{name}.py").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    for row in tables_of_verdicts(re.sub(r"^# ?", "", source, flags=re.M)):
        if not any(agrees(row, line) for line in lines):
            faults.append(f"not measured: {row}")
    if not report.quotations(words):
        faults.append("no quotation *measured: ...*")
    appendix = "appendix_rpm.ipynb" if name[:2] <= LAST_OF_RPM else "appendix_si.ipynb"
    if f"]({appendix})" not in words:
        faults.append(f"does not link {appendix}, which has the claims")
    return faults


def test_a_lesson_quotes_what_was_measured():
    faults = {name: faults_of(name) for name in QUOTING}
    assert {name: found for name, found in faults.items() if found} == {}


def test_a_row_with_another_figure_is_found_out():
    lines = [line for line in section_for("29_labels_inside").splitlines() if line[:1] == "|"]
    right = ["labels improve the embedding", "0.958 against 0.834, p = 0.004", "9.5 of 10", "holds"]
    control = ["against the control", "median loss 0.4 points, p = 0.08", "2 of 10", "open"]
    for row in (right, control, [*right[:1], "0.96 against 0.83", *right[2:]]):
        assert any(agrees(row, line) for line in lines), row
    for column, wrong in ((1, "0.958 against 0.835"), (2, "9 of 10"), (3, "open")):
        row = [*right[:column], wrong, *right[column + 1 :]]
        assert not any(agrees(row, line) for line in lines), row


def test_a_quotation_with_another_figure_is_found_out():
    right = "It is robust (*measured: 0.10 (0.06–0.29), 10 of 10*). Few (*measured: 7 (5–9)*)."
    assert not_measured(right, section_for("22_one_functional")) == []
    for wrong in (
        right.replace("0.06", "0.07"),
        right.replace("10 of 10", "9 of 10"),
        right.replace("10 of 10", "7 (5–9)"),  # of another row
    ):
        assert len(not_measured(wrong, section_for("22_one_functional"))) == 1


def test_a_claim_is_shown_where_it_is_quoted(monkeypatch):
    text = section_for("25_noisy_codes")
    claim = next(claim for claim in CLAIMS["RPM"] if claim.says.startswith("Huber"))
    lessons = {
        "22_a": ("*measured: 0.10 (0.06–0.29), 10 of 10*", set()),
        "25_b": ("*measured: 10 of 10*", set()),  # of many rows, so of none
        "26_c": ("", {(claim.where, *claim[1:5])}),
    }
    monkeypatch.setattr(report, "lessons", lambda: lessons)
    assert report.quoting(claim, text) == ["22_a", "26_c"]
    other = next(claim for claim in CLAIMS["RPM"] if claim.where == "6.2, (40)")
    assert report.quoting(other, text) == []
    assert report.showing(report.PAPERS["RPM"], other, text) == ["25_b"]
