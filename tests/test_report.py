"""The report card says what RESULTS.md says, and the lessons quote what was measured."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from ukrlearn.course import claims as of_package

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "benchmarks"))

import measuring  # noqa: E402
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


def test_the_report_is_made_of_the_results_and_the_lessons():
    assert report.card(RESULTS) == REPORT, "run python tests/benchmarks/report.py"


def test_another_figure_makes_another_report():
    for old, new in (("0 rises in", "1 rises in"), ("20 of 20", "11 of 20")):
        assert old in RESULTS
        assert report.card(RESULTS.replace(old, new, 1)) != REPORT


def test_no_claim_of_a_paper_is_lost():
    for short, paper in report.PAPERS.items():
        tables = [report.tables(FOUND[title])[0][1:] for title in paper.sections]
        rows = [row for table in tables for row in table]
        section = REPORT.split(f"\n## [{short}]\n")[1].split("\n## ")[0]
        assert len(rows) == len(CLAIMS[short]) > 15
        for _, says, ours, *_ in rows:
            assert says in section and ours in section


def test_counts_are_those_of_the_rows():
    for short, claims in CLAIMS.items():
        section = REPORT.split(f"\n## [{short}]\n")[1].split("\n## ")[0]
        head, *table = report.tables(section)[0]
        rows = [dict(zip(head, row, strict=True)) for row in table]
        own = [row for row in rows if row["where"][:6] != "(ours)" and row["p, Holm"] != "as above"]
        verdicts = [row["verdict"] for row in own]
        counted = report.counts(claims)
        assert counted["claims"] == len(own) > 0
        assert all(counted[verdict] == verdicts.count(verdict) for verdict in report.VERDICTS)
        tests = [float(row["p, Holm"]) for row in own if row["p, Holm"]]
        kept = sum(p < 0.05 for p in tests)
        assert report.tests_of(claims)["kept by Holm"] == kept
        line = [f"[{short}]", *map(str, {**counted, **report.tests_of(claims)}.values())]
        assert line in report.tables(REPORT)[0]
        assert f"Of {len(own)} claims, holds: {counted['holds']};" in section
        assert {row["data"].partition(":")[0] for row in rows} <= set(report.DATA)


def test_an_unknown_verdict_is_an_error():
    claim = CLAIMS["SI"][0]._replace(verdict="perhaps")
    with pytest.raises(ValueError, match="perhaps"):
        report.counts([claim])


def test_a_table_with_other_columns_is_an_error():
    with pytest.raises(ValueError, match="first table of ukr must have"):
        report.claims_in("| where | verdict |\n|---|---|\n| 2.3 | holds |\n", "ukr")


@pytest.mark.parametrize(
    ("true", "change", "margin", "ends"),
    [
        ([1] * 20, None, None, ["20 of 20", "1.9e-06", "holds"]),
        ([0] * 19 + [1], None, None, ["1 of 20", "4e-05", "the opposite"]),
        ([1] * 14 + [0] * 6, None, None, ["14 of 20", "0.12", "open"]),
        # A change that is sure, and too small to count; one that is beyond the margin; a noisy one.
        ([1] * 20, np.linspace(0.001, 0.004, 20), 0.005, ["20 of 20", "1.9e-06", "no effect"]),
        ([1] * 20, np.linspace(0.004, 0.009, 20), 0.005, ["20 of 20", "3.8e-06", "holds"]),
        ([1, 0] * 10, np.array([1, -1] * 10), 0.005, ["10 of 20", "1", "open"]),
    ],
)
def test_a_claim_ends_with_its_draws_its_p_and_a_verdict(true, change, margin, ends):
    assert measuring.judged(np.array(true, dtype=bool), change, margin) == ends


def claim(says, p, verdict="holds", where="1"):
    return report.Claim(where, says, "", "", p, verdict, "ukr", verdict)


def test_holm_multiplies_the_least_p_by_all_and_the_next_by_one_less():
    assert report.holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert report.holm([0.6, 0.7]) == pytest.approx([1, 1]) and len(report.holm([])) == 0


def test_tests_are_adjusted_together_and_ours_apart():
    rows = [claim("a", 0.001), claim("b", 0.04), claim("c", None), claim("d", 0.04, where="(ours)")]
    found = report.adjust(rows)
    assert [one.verdict for one in found] == ["holds", "holds", "holds", "holds"]
    found = report.adjust([*rows, claim("e", 0.045)])  # the third test of this family
    assert [one.verdict for one in found] == ["holds", "open", "holds", "holds", "open"]
    assert [one.p for one in found] == [0.003, 0.08, None, 0.04, 0.08]


def test_one_claim_on_the_same_draws_counts_once_with_its_greatest_p():
    rows = [claim("beats: 5-NN", 0.001), claim("beats: SVM", 0.03), claim("noise 10", 1e-9)]
    first, second, other = report.adjust(rows)
    assert (first.p, second.p, other.p) == (0.03, 0.03, 2e-9)
    assert (first.again, second.again, other.again) == (False, True, False)
    assert report.counts([first, second, other])["holds"] == 2
    unsure = report.adjust([claim("beats: 5-NN", 0.001), claim("beats: SVM", 0.3, "open")])
    assert [one.verdict for one in unsure] == ["open", "open"]
    noisy = report.adjust([claim("falls", 0.01, where=f"2.1, noise {n}") for n in (10, 20)])
    assert [one.again for one in noisy] == [False, True]


def test_what_was_replaced_is_said():
    kinds = {c.says: p.first(p.data, c) for s, p in report.PAPERS.items() for c in CLAIMS[s]}
    assert kinds["UKR has fewer errors with L1, KDC (.6 % against .9 %)"].startswith("simulated")
    assert "8 x 8" in next(kind for says, kind in kinds.items() if "turned sevens" in says)
    assert "magnified" in kinds["and takes a 25th of its time (a tenth or less)"]


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
    text = report.text_of(paper, FOUND)
    shown = {claim: report.showing(paper, claim, text) for claim in CLAIMS[short]}
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
    assert source.startswith("# before\n# <!-- claims [RPM] -->\n#\n# Of 17 claims, holds: ")
    assert source.endswith("|\n#\n# <!-- end of claims -->\n# after\n") and "stale" not in source
    assert report.filled(source, "RPM", RESULTS) == source
    _, *rows = report.tables(re.sub(r"^# ?", "", source, flags=re.M))[0]
    assert [row[0] for row in rows] == [str(k) for k in range(1, len(CLAIMS["RPM"]) + 1)]
    assert [row[1:3] for row in rows] == [[c.where, c.says] for c in CLAIMS["RPM"]]
    assert [row[8] for row in rows] == [claim.verdict for claim in CLAIMS["RPM"]]
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
            held, _, draws = theirs.share.partition(" of ")
            share = float(held) / float(draws) if draws else None
            assert ours.share == share and (share is None or 0 <= share <= 1)


def test_an_unknown_paper_is_an_error():
    with pytest.raises(ValueError, match="UKR, SGD, DRUR, RPM, SI; got 'XYZ'"):
        of_package.of("XYZ")


# ------------------------------------------------------------------ quotations in lessons


def section_for(lesson):
    paper = report.PAPERS["RPM" if lesson[:2] <= LAST_OF_RPM else "SI"]
    return report.text_of(paper, FOUND)


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
    there = [float(number) for number in re.findall(r"(?<![\d.])\d*\.?\d+", line)]
    near = lambda number, digits: any(abs(x - number) <= 0.5001 * 10**-digits for x in there)
    shown = re.findall(r"\d*\.?\d+", ours)
    rounded = all(near(float(number), len(number.partition(".")[2])) for number in shown)
    counted = favour in line or f" {favour.split()[0]} better" in line
    last = line.strip("| ").rpartition("|")[2].strip()
    return rounded and counted and last in (verdict, *([] if last in report.VERDICTS else [last]))


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
    right = "It is robust (*measured: 0.13 (0.07–0.33), 18 of 20*). Few (*measured: 7 (6–8)*)."
    assert not_measured(right, section_for("22_one_functional")) == []
    for wrong in (
        right.replace("0.07", "0.08"),
        right.replace("18 of 20", "17 of 20"),
        right.replace("18 of 20", "7 (6–8)"),  # of another row
    ):
        assert len(not_measured(wrong, section_for("22_one_functional"))) == 1


def test_a_claim_is_shown_where_it_is_quoted(monkeypatch):
    text = section_for("25_noisy_codes")
    claim = next(claim for claim in CLAIMS["RPM"] if claim.says.startswith("Huber"))
    lessons = {
        "22_a": ("*measured: 0.13 (0.07–0.33), 18 of 20*", set()),
        "25_b": ("*measured: 20 of 20*", set()),  # of many rows, so of none
        "26_c": ("", {(claim.where, claim.says, claim.ours, claim.favour, claim.verdict)}),
    }
    monkeypatch.setattr(report, "lessons", lambda: lessons)
    assert report.quoting(claim, text) == ["22_a", "26_c"]
    other = next(claim for claim in CLAIMS["RPM"] if claim.where == "6.2, (40)")
    assert report.quoting(other, text) == []
    assert report.showing(report.PAPERS["RPM"], other, text) == ["25_b"]
