"""The tool that keeps index and README true: what it reads, what it writes, what it objects to."""

from pathlib import Path

import pytest
from helpers import each

from tools import index
from tools.index import Page, Track, binder_address, needed, page_of, track_problems

INDEX = """\
# %% [markdown]
# # The course
#
# <!-- badge -->
# <!-- end of badge -->
#
# | lesson | minutes | equations and results of [UKR] |
# |---|---|---|
# | [00 Old title](00_start.ipynb) | 99 | (1) |
# | [01 Old title](01_next.ipynb) | 20 | (2) to (4) |
#
# | lesson | minutes | equations and results of [SGD] |
# |---|---|---|
# | [02 Other](02_other.ipynb) | 20 | (1) |
#
# | appendix | paper |
# |---|---|
# | [Old](appendix_ukr.ipynb) | [UKR] |
#
# | exercise | minutes | after lesson | equations |
# |---|---|---|---|
# | [1 Old](../exercises/01_mean.ipynb) | 5 | 00 | [UKR] (2) |
#
# | minutes | track | lessons and exercises | afterwards you can |
# |---|---|---|---|
# | 40 | all | [00](00_start.ipynb) to [02](02_other.ipynb) | do all |
# | 20 | one | [00](00_start.ipynb), [exercise 1](../exercises/01_mean.ipynb) | do it |
"""
SOURCES = {
    "notebooks/00_start.py": "# # Start: now\n#\n# **You need** nothing. **Time** 5\n# minutes.",
    "notebooks/01_next.py": "# # Next\n#\n# **You need** [a start](00_start.ipynb). "
    "**Time** 15 minutes.",
    "notebooks/02_other.py": "# # Other\n#\n# **You need** lesson 00.\n#\n# **Time** 20 minutes.",
    "notebooks/appendix_ukr.py": "# # Appendix\n#\n# **You need** lessons 00 and 01.",
    "exercises/01_mean.py": "# # Exercise 1: a mean\n#\n# **You need** "
    "[lesson 00](../notebooks/00_start.ipynb).\n#\n# **Time** 15 minutes.",
}
README = """\
# Name

<!-- badge -->
<!-- end of badge -->

<!-- lessons -->
<!-- end of lessons -->
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of three lessons; the tool works on it."""
    monkeypatch.setattr(index, "ROOT", tmp_path)
    for folder in ("notebooks", "exercises"):
        (tmp_path / folder).mkdir()
    for name, text in SOURCES.items():
        (tmp_path / name).write_text(f"# %% [markdown]\n{text}\n\n# %%\nx = 1\n")
    (tmp_path / "notebooks/course.py").write_text(INDEX)
    (tmp_path / "README.md").write_text(README)
    (tmp_path / "pyproject.toml").write_text('[tool.ukrlearn]\nrepository = ""\n')
    return tmp_path


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_titles_and_minutes_come_from_the_lessons(course, capsys):
    assert index.main(["check"]) == 1
    assert index.main(["write"]) == 0
    written = (course / "notebooks/course.py").read_text()
    for row in (
        "\n# | [00 Start: now](00_start.ipynb) | 5 | (1) |\n",
        "\n# | [01 Next](01_next.ipynb) | 15 | (2) to (4) |\n",
        "\n# | [Appendix](appendix_ukr.ipynb) | [UKR] |\n",
        "\n# | [1 A mean](../exercises/01_mean.ipynb) | 15 | 00 | [UKR] (2) |\n",
    ):
        assert row in written
    changed = [line for line in written.splitlines() if line not in INDEX]
    assert len(changed) == 4
    capsys.readouterr()
    assert index.main(["check"]) == 0
    assert capsys.readouterr().out == "The index says what the lessons say.\n"


def test_the_readme_lists_lessons_by_paper(course):
    index.main(["write"])
    assert (
        "<!-- lessons -->\n- **[UKR]** [00 Start](notebooks/00_start.ipynb),\n"
        "  [01 Next](notebooks/01_next.ipynb)\n- **[SGD]** [02 Other](notebooks/02_other.ipynb)\n"
        "<!-- end of lessons -->"
    ) in (course / "README.md").read_text()


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (
            lambda c: (c / "notebooks/03_new.py").write_text("# %% [markdown]\n# # New\n"),
            "the index does not list 03_new",
        ),
        (
            lambda c: (c / "notebooks/02_other.py").unlink(),
            "the index lists 02_other, which does not exist",
        ),
        (
            lambda c: (c / "notebooks/appendix_ukr.py").unlink(),
            "the index lists appendix_ukr, which does not exist",
        ),
        (
            lambda c: (c / "exercises/01_mean.py").unlink(),
            "the index lists 01_mean, which does not exist",
        ),
        (
            lambda c: change(c / "notebooks/01_next.py", "(00_start", "(02_other"),
            "01_next needs lesson 02, which does not come before it",
        ),
        (
            lambda c: change(c / "notebooks/02_other.py", "20 min", "30 min"),
            "the track of 40 minutes, all: its lessons and exercises take 50 minutes",
        ),
        (
            lambda c: change(
                c / "exercises/01_mean.py",
                "lesson 00](../notebooks/00_start",
                "lesson 01](../notebooks/01_next",
            ),
            "the track of 20 minutes, one, takes 01_mean without 01",
        ),
    ],
)
def test_what_cannot_be_written_is_said(course, capsys, spoil, problem):
    assert list(index.problems()) == []
    spoil(course)
    assert index.main(["write"]) == 1
    assert problem in capsys.readouterr().out.splitlines()


# ---- what a lesson needs ------------------------------------------------------------------------


@each(
    "text, numbers",
    [
        ("Python and NumPy.", ()),
        (
            "[the first lesson](00_start_here.ipynb) and [the referee](12_referee.ipynb).",
            ("00", "12"),
        ),
        ("lesson 04 (leave-one-out) and lesson 07 (optimisation).", ("04", "07")),
        ("units [06](06_gradient.ipynb) (the gradient), [08](08_x.ipynb) (more).", ("06", "08")),
        ("units [22](22_a.ipynb) to [24](24_b.ipynb).", ("22", "23", "24")),
        ("lessons 04, 06 and 07 (descents); logarithms.", ("04", "06", "07")),
        ("lesson 09. Lesson 05 and lesson 14 (neighbours) help.", ("09",)),
        ("[unit 04](../notebooks/04_a.ipynb) up to (10), and [exercise 4](04_r.ipynb).", ("04",)),
        ("12 points, 30 minutes, equation (10), 2005.", ()),
    ],
)
def test_needs_are_read_from_the_words(text, numbers):
    assert needed(text) == numbers


def test_a_page_says_its_title_minutes_and_needs():
    text = "# A title: more\n\nWords.\n\n**You need** lesson 02.\n**Time** 7\nminutes."
    assert page_of(text) == Page("A title: more", 7, ("02",))
    assert page_of("# A title") == Page("A title", 0, ())


# ---- tracks -------------------------------------------------------------------------------------

KNOWN = {
    "00_a": Page("A", 10, ()),
    "01_b": Page("B", 10, ("00",)),
    "02_c": Page("C", 10, ("00", "01")),
}


def test_tracks_are_read_with_all_lessons_between():
    assert index.tracks(INDEX) == [
        Track(40, "all", ("00_start", "01_next", "02_other")),
        Track(20, "one", ("00_start", "01_mean")),
    ]


@each(
    "minutes, stops, problems",
    [
        (30, ("00_a", "01_b", "02_c"), []),
        (33, ("00_a", "01_b", "02_c"), []),
        (34, ("00_a", "01_b", "02_c"), [": its lessons and exercises take 30 minutes"]),
        (27, ("00_a", "01_b", "02_c"), [": its lessons and exercises take 30 minutes"]),
        (20, ("00_a", "02_c"), [", takes 02_c without 01"]),
        (30, ("01_b", "00_a", "02_c"), [", takes 01_b without 00"]),
        (10, ("02_c",), [", takes 02_c without 00, 01"]),
        (10, ("00_a", "09_z"), [", takes 09_z, which does not exist"]),
    ],
)
def test_a_track_must_keep_order_and_time(minutes, stops, problems):
    said = list(track_problems(Track(minutes, "r", stops), KNOWN))
    assert said == [f"the track of {minutes} minutes, r{problem}" for problem in problems]


# ---- the badge ----------------------------------------------------------------------------------

LESSON = "HEAD?urlpath=lab/tree/notebooks/00_start_here.ipynb"


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("https://github.com/me/course", "gh/me/course"),
        ("https://github.com/me/course.git", "gh/me/course"),
        ("https://github.com/me/course/", "gh/me/course"),
        ("https://gitlab.com/us/all/course", "gl/us%2Fall%2Fcourse"),
        ("https://git.example.org/me/course", "git/https%3A%2F%2Fgit.example.org%2Fme%2Fcourse"),
    ],
)
def test_binder_is_told_where_the_repository_is(repository, address):
    assert binder_address(repository) == f"https://mybinder.org/v2/{address}/{LESSON}"


@pytest.mark.parametrize(
    "repository",
    ["me/course", "https://github.com/me", "http://a.b/c/d", "https:///a/b", "git@a:b/c"],
)
def test_an_address_that_binder_could_not_use_is_refused(repository):
    with pytest.raises(ValueError, match="must be an address such as https://.*; got '"):
        binder_address(repository)


def test_the_badge_comes_and_goes_with_the_setting(course):
    files = [course / "README.md", course / "notebooks/course.py"]
    index.main(["write"])
    without = [path.read_text() for path in files]
    assert not any("mybinder" in text for text in without)
    change(course / "pyproject.toml", '""', '"https://github.com/me/course"')
    index.main(["write"])
    for path, prefix in zip(files, ("", "# "), strict=True):
        badge = (
            f"\n{prefix}[![Open the first lesson in Binder](https://mybinder.org/badge_logo.svg)]("
        )
        assert (
            path.read_text().count(f"{badge}https://mybinder.org/v2/gh/me/course/{LESSON})\n") == 1
        )
    change(course / "pyproject.toml", "https://github.com/me/course", "")
    index.main(["write"])
    assert [path.read_text() for path in files] == without


def test_a_file_without_the_place_for_the_list_is_an_error(course):
    change(course / "README.md", "<!-- end of lessons -->", "")
    with pytest.raises(ValueError, match="must hold the lines '<!-- lessons -->'"):
        index.main(["write"])


def test_nothing_shows_a_badge_that_leads_nowhere():
    root = Path(__file__).resolve().parent.parent
    shown = [root / "README.md", *root.glob("notebooks/*.py"), *root.glob("exercises/*.py")]
    address = index.repository_of(root)
    for path in shown:
        text = path.read_text(encoding="utf-8")
        assert "OWNER" not in text
        assert ("mybinder.org" in text) <= bool(address), path.name
