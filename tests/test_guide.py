"""The teaching guide and the workshops say what the sources say, and learners do not get them."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import each

from tools import guide, index, workshops
from ukrlearn.course import copying

ROOT = Path(__file__).resolve().parent.parent
KNOWN = index.pages(ROOT)
UNITS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.py"))
EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("[0-9]*_*.py"))
WRITTEN = guide.written()
TEXT = "\n".join(WRITTEN.values())
PLANS = (ROOT / workshops.PLANS).read_text(encoding="utf-8")
INSTRUCTORS = (ROOT / "exercises/INSTRUCTORS.md").read_text(encoding="utf-8")
HEADS = ("Purpose", "Say before", "Stuck", "In a room")
SHORTEST_ANSWER, LONGEST_ANSWER = 25, 150  # words


def heads(text):
    """{head: text} of what is written by hand, with bold heads such as **Purpose**."""
    found = re.split(r"^\*\*([A-Z][^*]*)\*\* ", text, flags=re.M)[1:]
    return {
        head: " ".join(words.split()) for head, words in zip(found[::2], found[1::2], strict=True)
    }


# ---- the guide ----------------------------------------------------------------------------------


def test_each_unit_has_a_page_with_its_exercises_and_all_is_as_the_sources_say():
    for path, text in WRITTEN.items():
        own = [name for name in EXERCISES if KNOWN[name].needs[0] == path.stem[:2]]
        expected = [("unit", path.stem), *(("exercise", name) for name in own)]
        assert guide.marks(text) == expected and guide.refreshed(text) == text, "run: make guide"
    assert [path.stem for path in WRITTEN] == UNITS


@each("name", UNITS)
def test_a_unit_has_all_that_an_instructor_needs(name):
    path, written = ROOT / f"notebooks/{name}.py", heads(guide.part(TEXT, "unit", name))
    assert set(HEADS) <= set(written)
    heading = re.search(rf"^# {name[:2]} (.+)\n\n<!-- unit {name} -->", TEXT, re.M)
    assert KNOWN[name].title.startswith(heading[1])
    assert all(written.values()) and set(written) <= {*HEADS, "When late"}
    assert len(re.findall(r"[.!?](?: |$)", written["Purpose"])) == 1  # one sentence
    sections, minutes = section_of_each_question(path), dict(guide.sections(path))
    room, late = guide.for_a_room(TEXT, name), guide.late(TEXT, name)
    assert room and set(room) <= set(sections) and set(late) <= set(minutes)
    assert not {sections[question] for question in room} & set(late)


def section_of_each_question(path):
    """{name of a question: title of the section that asks it}."""
    found, title = {}, None
    for kind, text in guide.cells_of(path):
        if kind == "code" and (question := guide.question_of(text)):
            found[question.name] = title
        for head in re.findall(r"^## (.+?)(?: \(\d+ minutes?\))?$", text, re.M):
            title = head if kind == "markdown" else title
    return found


@each("name", EXERCISES)
def test_an_exercise_has_an_answer_and_a_way_on(name):
    written = heads(guide.part(TEXT, "exercise", name))
    assert set(written) == {"Answer", "Stuck?"}
    assert SHORTEST_ANSWER <= len(written["Answer"].split()) <= LONGEST_ANSWER
    assert len(written["Stuck?"].split()) >= 5


def test_minutes_and_counts_are_those_of_the_sources():
    """Read back from the guide, not by the tool that wrote it."""
    minutes = re.findall(r"^\*\*(\d+) minutes\*\*", TEXT, re.M)
    assert [int(m) for m in minutes] == [KNOWN[name].minutes for _, name in guide.marks(TEXT)]
    for name in EXERCISES:
        block = TEXT.partition(f"<!-- exercise {name} -->")[2].partition("<!-- end")[0]
        module = name.partition("_")[2]
        wrong = guide.diagnoses(guide.importlib.import_module(f"answers.{module}"))
        assert f"{len(wrong)} wrong answers were collected" in block
        rows = re.findall(r"^\| (\d+) \| `(.+?)` \| .+ \|$", block, re.M)
        times = [int(count) for count, _ in rows]
        assert times == sorted(times, reverse=True) and len(rows) == guide.MOST_MISTAKES
        assert times == [wrong.count(mistake) for _, mistake in rows]
        others = set(wrong) - {mistake for _, mistake in rows}
        assert all(wrong.count(other) <= times[-1] for other in others)


def test_a_change_in_a_source_is_noticed(monkeypatch):
    name = UNITS[0]
    other = {**KNOWN, name: KNOWN[name]._replace(minutes=KNOWN[name].minutes + 1)}
    assert guide.refreshed(TEXT, other) != TEXT
    with pytest.raises(ValueError, match="99_nothing"):
        guide.refreshed("<!-- unit 99_nothing -->\n<!-- end of unit 99_nothing -->\n")
    with pytest.raises(ValueError, match="part for unit"):
        guide.part("", "unit", name)


def test_a_question_is_read_from_its_cell():
    asked = guide.question_of('predict("a", "Which?", options=["x", "y"], answer="y", hides=1)')
    assert (asked.name, asked.question, asked.options) == ("a", "Which?", ("x", "y"))
    assert guide.question_of("figure = 1") is None


# ---- workshops ----------------------------------------------------------------------------------


def plans():
    """(minutes, units and exercises, all that is said of it) of each plan."""
    for part in re.split(r"^## ", PLANS, flags=re.M)[1:]:
        stops = re.findall(r"\((?:\.\./notebooks/)?(\w+)\.ipynb\)", part)
        yield int(part.partition(" ")[0]), stops, part


def voted(name):
    return guide.for_a_room(TEXT, name) if name in UNITS else []


def in_order(stops):
    minutes = sum(KNOWN[stop].minutes for stop in stops)
    return not list(index.track_problems(index.Track(minutes, "", tuple(stops)), KNOWN))


def test_a_plan_ends_on_time_with_all_discussions_and_pauses():
    """Read back from the tables and added up anew."""
    assert workshops.refreshed(PLANS) == PLANS, "run: make guide"
    assert {45, 90, 180, 240} <= {minutes for minutes, *_ in plans()}
    for minutes, stops, text in plans():
        now = since = 0
        left = list(stops)
        for begin, end, what in re.findall(r"^\| (\d:\d\d)–(\d:\d\d) \| (.+)$", text, re.M):
            begin, end = (60 * int(t[0]) + int(t[2:]) for t in (begin, end))
            assert begin == now and end >= begin + 2
            if ".ipynb" in what:
                stop = left.pop(0)
                assert end - begin == KNOWN[stop].minutes + 2 * len(voted(stop))
            since = 0 if "*pause*" in what else since + end - begin
            assert since <= 100  # nobody works for longer without a pause
            now = end
        assert (now, left) == (minutes, []) and in_order(stops)
        asked = [q.name for u in stops if u in UNITS for q in guide.questions(unit(u))]
        assert set(re.findall(r"`([a-z-]+)`", text)) <= {*asked}, "asks what it does not contain"


def unit(name):
    return ROOT / f"notebooks/{name}.py"


def test_a_plan_that_is_too_long_or_unknown_is_refused():
    with pytest.raises(ValueError, match="0:45 takes 1:11; shorten"):
        workshops.plan(45, "00 01 02", KNOWN, TEXT)
    with pytest.raises(ValueError, match="with 99, which is no unit"):
        workshops.plan(45, "99", KNOWN, TEXT)


@pytest.mark.parametrize("taken", [range(1, 5), (*range(1, 8), 13), range(1, 15)], ids=len)
def test_a_syllabus_fits_its_sessions_in_order_and_each_exercise_follows_its_unit(taken):
    rows = re.findall(r"^\| (\d+) \| ([\d, ]+) \| .+ \| (.+) \|$", INSTRUCTORS, re.M)
    assert [int(row[0]) for row in rows] == [*range(1, 15)]
    numbered = {name[:2]: name for name in UNITS}
    homework, seen = {str(int(name[:2])): name for name in EXERCISES}, []
    for number in taken:
        units = [numbered[n] for n in rows[number - 1][1].split(", ")]
        home = [homework[n] for n in re.findall(r"\d+", rows[number - 1][2])]
        assert sum(KNOWN[name].minutes + 2 * len(voted(name)) for name in units) <= 90
        assert sum(KNOWN[name].minutes for name in home) <= 90
        seen += units
        assert all(KNOWN[name].needs[0] in {u[:2] for u in seen} for name in home)
    assert in_order(seen) and (len(taken) < 14 or sorted(seen) == UNITS)


# ---- hubs and grades ----------------------------------------------------------------------------


def programs():
    return re.findall(r"^```python\n(.*?)^```$", INSTRUCTORS, re.M | re.S)


def test_the_columns_of_grades_are_those_that_nbgrader_writes():
    plugins = pytest.importorskip("nbgrader.plugins")
    written = re.findall(r'^ +"(\w+)",?$', inspect.getsource(plugins.CsvExportPlugin), re.M)
    section = INSTRUCTORS.partition("## Grades for")[2].partition("\n## ")[0]
    firsts = re.findall(r"^\| (`[^|]+) \|", section, re.M)
    told = re.findall(r"`(\w+)`", " ".join(firsts)) + ["late_submission_penalty"]
    assert "late_submission_penalty" in section and sorted(told) == sorted(written)


def test_the_script_for_grades_makes_one_row_for_each_student():
    (script,) = [program for program in programs() if "csv" in program]
    grades = (
        "assignment,student_id,email,score,max_score\n"
        "01_a,ada,a@x,3.0,4.0\n02_b,ada,a@x,1.0,1.0\n01_a,bob,b@x,0.0,4.0\n"
    )
    made = subprocess.run(
        [sys.executable, "-c", script], input=grades, capture_output=True, text=True, check=True
    )
    rows = ["username,email,01_a,02_b", "ada,a@x,75,100", "bob,b@x,0,"]
    assert made.stdout.split() == rows


def test_the_limits_of_a_hub_hold_what_was_measured():
    (settings,) = [program for program in programs() if "Spawner" in program]
    limit, guarantee = map(int, re.findall(r'mem_\w+ = "(\d+)M"', settings))
    peaks = map(int, re.findall(r"^\| \[\w+\]\(\S+\) +\| (\d+) ", INSTRUCTORS, re.M))
    server, largest = (
        int(re.search(r"another (\d+) MB", " ".join(INSTRUCTORS.split()))[1]),
        max(peaks),
    )
    assert server + 4 * largest <= limit < server + 5 * largest
    assert server + largest <= guarantee < server + 2 * largest


# ---- who gets them ------------------------------------------------------------------------------


FOR_INSTRUCTORS = ("README.md", "00_start_here.md", "WORKSHOPS.md", "INSTRUCTORS.md")


def test_learners_do_not_get_the_guide(tmp_path):
    copying.copy_course(ROOT, tmp_path)
    copied = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert "01_nadaraya_watson.ipynb" in copied and not set(FOR_INSTRUCTORS) & set(copied)
