"""The teaching guide and the workshops say what the sources say, and learners do not get them."""

import inspect
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from helpers import each

from tools import guide, index, workshops
from ukrlearn.course import copying

ROOT = Path(__file__).resolve().parent.parent
KNOWN = index.pages(ROOT)
UNITS = sorted(path.stem for path in (ROOT / "notebooks").glob("[0-9][0-9]_*.py"))
EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("[0-9]*_*.py"))
TEXT = (ROOT / guide.GUIDE).read_text(encoding="utf-8")
PLANS = (ROOT / workshops.PLANS).read_text(encoding="utf-8")
HEADS = ("Purpose", "Say before", "Stuck", "In a room")
SHORTEST_ANSWER, LONGEST_ANSWER = 25, 150  # words


def heads(text):
    """{head: text} of what is written by hand, with bold heads such as **Purpose**."""
    found = re.split(r"^\*\*([A-Z][^*]*)\*\* ", text, flags=re.M)[1:]
    return {
        head: " ".join(words.split()) for head, words in zip(found[::2], found[1::2], strict=True)
    }


# ---- the guide ----------------------------------------------------------------------------------


def test_the_guide_has_every_unit_and_every_exercise_once_and_in_order():
    expected = [("unit", name) for name in UNITS] + [("exercise", name) for name in EXERCISES]
    assert guide.marks(TEXT) == expected


def test_what_stands_between_the_marks_is_what_the_sources_say():
    assert guide.refreshed(TEXT) == TEXT, "run: python tools/guide.py write"


@each("name", UNITS)
def test_a_unit_has_all_that_an_instructor_needs(name):
    path, written = ROOT / f"notebooks/{name}.py", heads(guide.part(TEXT, "unit", name))
    assert set(HEADS) <= set(written)
    heading = re.search(rf"^### {name[:2]} (.+)\n\n<!-- unit {name} -->", TEXT, re.M)
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
    assert [int(m) for m in minutes] == [KNOWN[name].minutes for name in UNITS + EXERCISES]
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


def table(minutes):
    found = PLANS.partition(f"<!-- plan {minutes} -->\n")[2].partition("<!-- end of plan -->")
    return [line for line in found[0].splitlines() if re.match(r"\| \d", line)]


def at(clock):
    hours, minutes = clock.split(":")
    return 60 * int(hours) + int(minutes)


def test_the_plans_are_what_the_tracks_say():
    assert workshops.refreshed(PLANS) == PLANS, "run: python tools/workshops.py write"


@pytest.mark.parametrize("minutes", [45, 90, 180, 300])
def test_a_plan_takes_its_track_minute_by_minute(minutes):
    track, now, stops = workshops.tracks()[minutes], 0, []
    for row in table(minutes):
        begin, end = map(at, re.match(r"\| (\S+?)–(\S+) \|", row).groups())
        assert begin == now
        now = end
        if "*pause*" in row:
            assert end - begin == workshops.PAUSE
            continue
        stops.append(re.search(r"\((?:\.\./notebooks/)?(\w+)\.ipynb\)", row)[1])
        assert end - begin == KNOWN[stops[-1]].minutes
    assert tuple(stops) == track.stops
    assert list(index.track_problems(track, KNOWN)) == []  # each unit after those it needs


def test_nobody_works_for_two_hours_without_a_pause():
    for minutes in (45, 90, 180, 300):
        since = 0
        for begin, end, stop in workshops.steps(workshops.tracks()[minutes], KNOWN):
            since = 0 if stop is None else since + end - begin
            assert since <= 120


def test_half_a_semester_has_every_unit_in_a_session_and_every_exercise_after_its_unit():
    longest = max(workshops.tracks())
    units, exercises = [], []
    for row in table(longest):
        _, _, links, minutes, names, home, _ = row.split("|")
        these = re.findall(r"notebooks/(\w+)\.ipynb", links)
        assert int(minutes) == sum(KNOWN[name].minutes for name in these) <= workshops.SESSION
        units += these
        after = [
            name for name in EXERCISES if str(int(name[:2])) in names.replace(" ", "").split(",")
        ]
        assert int(home) == sum(KNOWN[name].minutes for name in after)
        assert all(any(unit[:2] == KNOWN[name].needs[0] for unit in these) for name in after)
        exercises += after
    assert units == UNITS and sorted(exercises) == EXERCISES


def test_sessions_are_no_longer_than_they_may_be():
    minutes = {"a": 50, "b": 40, "c": 20, "d": 80}
    known = {name: index.Page(name, taken, ()) for name, taken in minutes.items()}
    assert workshops.sessions("abcd", known, 90) == [["a", "b"], ["c"], ["d"]]
    assert workshops.sessions("abcd", known, 50) == [["a"], ["b"], ["c"], ["d"]]


@pytest.mark.parametrize("minutes", [90, 300])
def test_two_workshops_were_played_through_with_a_clock(minutes):
    played = PLANS.partition(f"<!-- played {minutes} -->\n")[2].partition("<!-- end")[0]
    total, each = re.match(r"(\d+) seconds: (.+)\.\n", played).groups()
    seconds = dict(one.split(" ") for one in each.split(", "))
    assert list(seconds) == [stop[:2] for stop in workshops.tracks()[minutes].stops]
    assert abs(sum(map(int, seconds.values())) - int(total)) <= len(seconds)
    assert "No people were taught" in " ".join(PLANS.split())


# ---- hubs and grades ----------------------------------------------------------------------------

INSTRUCTORS = (ROOT / "exercises/INSTRUCTORS.md").read_text(encoding="utf-8")


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


FOR_INSTRUCTORS = ("GUIDE.md", "WORKSHOPS.md", "INSTRUCTORS.md")


def test_learners_do_not_get_the_guide(tmp_path):
    copying.copy_course(ROOT, tmp_path)
    copied = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert "01_nadaraya_watson.ipynb" in copied and not set(FOR_INSTRUCTORS) & set(copied)


def test_the_wheel_does_not_hold_the_guide(tmp_path):
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, tmp_path], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = [Path(name).name for name in zipfile.ZipFile(wheel).namelist()]
    assert "copying.py" in names and not set(FOR_INSTRUCTORS) & set(names)
