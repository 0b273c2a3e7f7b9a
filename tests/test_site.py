"""The web site: each page complete in itself, explorables with their data, search, reference."""

import ast
import base64
import inspect
import io
import json
import os
import re

import nbformat
import pytest
import yaml
from bs4 import BeautifulSoup
from PIL import Image

import ukrlearn
from tools import animate, live, pages, reference, search, site
from tools.notebooks import read_source
from ukrlearn.checks import bank
from ukrlearn.panels import Untangle

BUILT = ("03_reconstruction_error", "exercise_01_nadaraya_watson", "report", "course")
SECONDS = 20  # of a processor, for four pages, the front page and search
LARGEST = 1_500_000  # bytes of a page before its pictures


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Four pages with the front page and search: their folder, problems and processor time."""
    target = tmp_path_factory.mktemp("site")
    before = sum(os.times()[:4])
    written, problems = site.build(BUILT, target)
    seconds = sum(os.times()[:4]) - before
    assert set(written) == {"index", "search", *BUILT}
    return target, problems, seconds


def soup_of(built, name):
    return BeautifulSoup((built[0] / f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def every(test):
    return pytest.mark.parametrize("name", ["index", "search", *BUILT])(test)


def test_four_pages_are_made_in_twenty_seconds_of_a_processor_without_problems(built):
    _, problems, seconds = built
    assert problems == []
    assert seconds < SECONDS


@every
def test_a_page_is_small_has_a_language_a_title_one_heading_and_landmarks(built, name):
    soup = soup_of(built, name)
    assert soup.html["lang"] == "en" and soup.title.string.endswith(" - ukrlearn")
    assert len(soup.find_all("h1")) == len(soup.find_all("main")) == 1
    assert soup.find("a", class_="skip")["href"] == f"#{soup.main['id']}"
    places = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(places) == len(set(places))
    for image in soup.find_all("img"):
        image.decompose()
    assert len(str(soup).encode()) < LARGEST


@every
def test_a_page_lets_its_own_scripts_run_and_nothing_else(built, name):
    soup = soup_of(built, name)
    first = soup.head.find(True)
    assert first["http-equiv"] == "Content-Security-Policy"
    rules = dict(rule.split(maxsplit=1) for rule in first["content"].split("; "))
    assert rules.pop("default-src") == "'none'"
    assert rules.pop("style-src") == "'unsafe-inline'"
    running = [s for s in soup.find_all("script") if s.get("type") != "application/json"]
    assert rules.pop("script-src").split() == [pages.fingerprint(s.string) for s in running]
    assert set(rules.values()) == {"data:", "'none'"}
    assert not soup.find_all(src=re.compile("^(?!data:)")) + soup.find_all("iframe")
    assert not [tag for tag in soup.find_all(True) for key in tag.attrs if key.startswith("on")]


@every
def test_links_lead_to_pages_that_a_whole_site_has(built, name):
    whole = {"index", "search", "api", *site.Site().names()}
    for link in soup_of(built, name).find_all("a", href=True):
        target = link["href"].partition("#")[0]
        if target and not target.startswith("http"):
            assert target.removesuffix(".html") in whole, link


def test_the_front_page_opens_with_untangle_then_three_ways_in_then_all_lessons(built):
    main = soup_of(built, "index").main
    headline, first, _, ways = main.find_all(True, recursive=False)[:4]
    assert headline.name == "h1" and first["data-script"] == "untangle.js"
    assert first.find("img")["alt"].startswith("Leave-one-out error")
    assert len(ways.find_all("a")) == 3 and len(main.select(".papers .shown img")) == 5
    links = [link["href"].removesuffix(".html") for link in main.select(".papers li a")]
    assert links == [name for name in site.Site().lessons if re.match(r"\d\d_", name)]
    assert re.fullmatch(r"\d+ min", main.select_one(".papers li span").get_text())


def test_an_explorable_has_its_data_and_its_script_and_keeps_its_picture(built):
    soup = soup_of(built, "index")
    told = json.loads(soup.select_one(".live > script").string)
    panel = Untangle.example()
    given = panel.given() | {"play": True}
    assert told == json.loads(json.dumps({"given": given, "values": panel.state()}))
    module = soup.select_one("body > script[type=module]").string
    assert "export function show" in module and "data-script='untangle.js'" in module
    assert soup.select_one(".live > .picture img")


def cell(source, **output):
    outputs = [nbformat.v4.new_output("display_data", output)] if output else []
    return nbformat.v4.new_code_cell(source, outputs=outputs)


def test_a_panels_data_come_from_the_first_cell_and_its_own(tmp_path):
    book = nbformat.v4.new_notebook(
        cells=[
            cell(
                "from ukrlearn import datasets\nfrom ukrlearn.panels import Untangle\n\n"
                "Y, t = datasets.noisy_spiral(30, random_state=0)"
            ),
            cell("raise SystemExit('other cells are not run')"),
            cell("from ukrlearn.panels import Slider\nraise SystemExit('no explorable')"),
            cell(
                "panel = Untangle(Y, t)\npanel",
                **{"text/html": '<img alt="frozen" src="data:image/png;base64,AAAA">'},
            ),
            cell("Untangle(Y, t).summary()"),
            cell("probe = panel.copy()\nprobe"),
            cell("other = Untangle(*of_another_cell)\nother"),
        ]
    )
    (told,) = live.lives(book)
    assert len(told["given"]["Y"]) == 30 and told["values"]["auto"] is True
    soup, _ = pages.article(book, tmp_path, {})
    site.enliven(soup, [told])
    shown = soup.select_one(".live[data-script='untangle.js']")
    assert shown.select_one(".picture img")["alt"] == "frozen"
    assert json.loads(shown.script.string)["given"] == told["given"]
    assert "Untangle(Y" in soup.select_one("details.code").get_text()
    note = '<img alt="x" src="data:image/png;base64,AAAA"><p class="ukrlearn-frozen">Run.</p>'
    book.cells[3] = cell("display(Untangle(Y, t))\nt", **{"text/html": note})
    book.cells[0].source += "\ndisplay = print"
    with pytest.raises(ValueError, match="must end with it"):
        live.lives(book)


def test_a_panel_for_kernels_becomes_controls_over_a_small_picture_of_all_its_frames(built):
    shown = soup_of(built, "03_reconstruction_error").select_one(".frames")
    words, slider = json.loads(shown.script.string), shown.select_one("input[type=range]")
    at = int(slider["value"])
    assert json.loads(slider["data-values"])[at] == shown.output.string == "1"  # the panel's own
    assert shown.img["alt"] == shown.select_one(".words").string == words[at]
    assert shown["style"] == f"--at: {100 * at / int(slider['max'])}%"
    assert len(shown.img["src"]) <= 400_000
    found = Image.open(io.BytesIO(base64.b64decode(shown.img["src"].partition(",")[2])))
    assert found.format == "WEBP" and found.size == (844, 370 * len(words))


def test_every_lesson_has_a_panel_that_lives_on_the_site():
    for path in (site.ROOT / "notebooks").glob("[0-9]*.py"):
        code = [cell for cell in read_source(path).cells if cell.cell_type == "code"]
        assert any(map(live.may_show, code)), path.stem


def test_a_panel_in_a_notebook_that_was_not_run_gets_the_picture_of_the_panel(tmp_path):
    source = "from ukrlearn.panels import Untangle\n\nUntangle.example()"
    book = nbformat.v4.new_notebook(cells=[cell(source)])
    soup, _ = pages.article(book, tmp_path, {})
    site.enliven(soup, live.lives(book))
    assert soup.select_one(".live .picture img")["alt"].startswith("Leave-one-out")


def test_an_exercise_shows_its_task_and_how_to_open_it_but_not_its_solution(built):
    soup = soup_of(built, "exercise_01_nadaraya_watson")
    words = soup.main.get_text()
    assert "/lab/tree/exercises/01_nadaraya_watson.ipynb" in words
    assert "def weighted_mean(x, X, Y, h):" in words and "total += weight" not in words
    assert [term.get_text() for term in soup.select(".facts dt")][-2:] == ["You need", "Time"]
    assert soup.select_one('nav.ways [rel="next"]')["href"] == "exercise_02_latent_density.html"
    hints = bank.find("nadaraya_watson").hints
    assert [d.p.get_text() for d in soup.select(".hints details")] == list(hints)
    assert len(soup.select(".hints > details")) == 1 and "Next hint" not in words
    assert "mybinder" not in str(soup)
    path = site.Site().exercises["exercise_01_nadaraya_watson"]
    soup, problems = site.exercise(path, {}, "https://github.com/me/course")
    (link,) = soup.select(".open a")
    assert link["href"].endswith(
        "/me/course/HEAD?urlpath=lab/tree/exercises/01_nadaraya_watson.ipynb"
    )


def test_no_page_of_an_exercise_holds_a_line_of_its_solution():
    for path in site.Site().exercises.values():
        (_, learner, _), (_, solved, _) = site.notebooks.products(path)
        secret = {
            line.strip()
            for have, want in zip(learner.cells, solved.cells, strict=True)
            if have.cell_type == "code" and have.source != want.source
            for line in set(want.source.splitlines()) - set(have.source.splitlines())
        }
        shown = {line.strip() for c in learner.cells for line in c.source.splitlines()}
        assert secret and not secret - {""} <= shown


def test_the_contents_and_the_needs_of_a_lesson_are_links(built):
    soup = soup_of(built, "03_reconstruction_error")
    facts = dict(zip(soup.select(".facts dt"), soup.select(".facts dd"), strict=True))
    facts = {term.get_text(): told for term, told in facts.items()}
    assert list(facts) == ["You need", "Time", "Contents"]
    linked = [link["href"][1:] for link in facts["Contents"].find_all("a")]
    assert linked == [
        h["id"] for h in soup.select("h2[id]") if pages.bare(h) in facts["Contents"].text
    ]
    assert len(linked) == len(facts["Contents"].get_text().split("·"))
    assert soup.select_one(".equation")["id"].startswith("eq-")
    assert len(soup.select("[data-key^='03_reconstruction_error/']")) == 5
    assert len(soup.select("details.sure")) == 2 and "ukrlearn math" in soup.style.string


def test_a_paragraph_that_only_mentions_a_fact_stays_a_paragraph():
    html = "<h1>T</h1><p>Here, <strong>Time</strong> is minutes.</p><p><strong>Time</strong> 6</p>"
    soup = BeautifulSoup(html, "html.parser")
    site.arrange(soup)
    assert soup.p.get_text() == "Here, Time is minutes."
    assert soup.select_one(".facts").get_text() == "Time6"


def test_the_report_shows_each_verdict_and_leads_to_the_lessons(built):
    soup = soup_of(built, "report")
    verdicts = [mark.get_text() for mark in soup.select("td.verdict")]
    assert verdicts.count("holds") > 90 and set(verdicts) == set(site.VERDICTS)
    assert soup.find("a", href="04_leave_one_out.html") and soup.find("a", href="results.html")


def test_an_equation_is_that_of_the_lesson_that_covers_it():
    covered = site.equations_of_the_course()
    assert covered["04_leave_one_out"] == {"10", "11", "12"}
    assert {"23", "30", "36"} <= covered["06_gradient"]
    html = '<div class="equation"><math></math><span class="tag">(10)</span></div>'
    lessons = [
        site.Page(name, name, BeautifulSoup(html, "html.parser"))
        for name in ("03_reconstruction_error", "04_leave_one_out", "12_referee", "course")
    ]
    papers = {name: "UKR" for name in covered}
    ((key, (address, shown)),) = site.equations_of(lessons, papers, covered).items()
    assert key == ("UKR", "10") and address == "04_leave_one_out.html#eq-10"
    assert lessons[1].soup.div["id"] == "eq-10" and "id=" not in shown


def test_the_site_is_published_by_hand_only():
    text = (site.ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8")
    flow = yaml.safe_load(text)
    assert flow[True] == {"workflow_dispatch": None}  # YAML takes "on" for a truth value
    assert {"run": "make site"} in flow["jobs"]["build"]["steps"]
    assert "http" not in text


def test_the_film_in_the_readme_is_small_moves_and_has_words():
    film = site.ROOT / "tools/untangle.webp"
    assert film.stat().st_size <= animate.LARGEST == 600_000
    with Image.open(film) as moving:
        assert moving.n_frames == 1 + len(animate.MOVES) + animate.PULL
    readme = (site.ROOT / "README.md").read_text(encoding="utf-8")
    (words,) = re.findall(r"!\[([^\]]{80,})\]\(tools/untangle\.webp\)", readme)
    assert "curve" in words


# ---- search -------------------------------------------------------------------------------------


def test_sections_and_words_that_can_be_found():
    soup = BeautifulSoup(
        "<h1>Title</h1><p>Über <b>ki</b>nds</p><h2 id='a'>Head</h2><script>no</script><p>x y</p>",
        "html.parser",
    )
    top, below = search.sections_of("p.html", "Title", soup)
    assert (top.place, top.text) == ("", "Über kinds")
    assert (below.place, below.heading, below.text) == ("a", "Head", "x y")
    index = search.index_of([top, below])
    assert index["index"]["uber"] == [0, 1] and index["index"]["head"] == [1, search.HEADING]
    assert index["index"]["title"] == [0, search.TITLE] and "no" not in index["index"]


def test_search_knows_the_words_of_all_pages(built):
    told = json.loads(soup_of(built, "search").select_one("#search-index").string)
    found = {told["sections"][n]["page"] for n in told["index"]["bandwidth"][::2]}
    assert {"03_reconstruction_error.html", "exercise_01_nadaraya_watson.html"} <= found
    for section in told["sections"]:
        assert section["page"].removesuffix(".html") in BUILT
        if section["place"]:
            assert soup_of(built, section["page"].removesuffix(".html")).find(id=section["place"])


# ---- the reference ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def entries():
    html = '<div class="equation"><math></math></div>'
    known = {("UKR", "10"): reference.Equation(html, "04_leave_one_out.html#eq-10")}
    return {entry.name: entry for entry in reference.entries(known)}


def test_the_reference_has_all_that_the_library_offers(entries):
    assert {f"api_{name}" for name in ukrlearn.__all__} - set(entries) == {"api___version__"}
    for name in reference.estimators():
        html = BeautifulSoup(entries[f"api_{name}"].html, "html.parser")
        listed = {code.get_text() for code in html.select("dt code")}
        assert set(inspect.signature(getattr(ukrlearn, name)).parameters) <= listed
        assert bool(html.find(id="fit")) == hasattr(getattr(ukrlearn, name), "fit")


def test_each_entry_is_what_a_page_may_hold_and_names_no_machine(entries):
    for entry in entries.values():
        soup = BeautifulSoup(entry.html, "html.parser")
        assert list(pages.loaded(soup)) == []
        assert not re.search(r"0x[0-9a-f]{6}|<function|/tmp/|/home/", entry.html), entry.name
        places = [tag["id"] for tag in soup.find_all(id=True)]
        assert len(places) == len(set(places)), entry.name


def test_members_of_modules_are_those_that_users_import(entries):
    html = BeautifulSoup(entries["api_ukr.reconstruction"].html, "html.parser")
    assert html.find(id="weight_matrix") and not html.find(id="cdist")
    assert BeautifulSoup(entries["api_rpm.gtm"].html, "html.parser").find(id="responsibilities")


def test_a_cited_equation_is_shown_and_leads_to_its_lesson(entries):
    html = BeautifulSoup(entries["api_ukr.reconstruction"].html, "html.parser")
    entry = html.find(id="reconstruction_error").find_parent("section")
    assert entry.find("a", string="(10)")["href"] == "04_leave_one_out.html#eq-10"
    assert entry.select_one(".cited math") and "lesson 04" in entry.select_one(".from").get_text()


def test_docstrings_become_words_code_letters_lists_and_sessions():
    writer = reference.Writer({})
    assert writer.inline("R_cv of `n_jobs`, x_i < n_jobs") == (
        "<i>R</i><sub>cv</sub> of <code>n_jobs</code>, <i>x</i><sub>i</sub> &lt; n_jobs"
    )
    html = writer.docstring(
        "First.\n\n- a\n- b\n\n    x = y_n\n\nParameters\n----------\nX : array\n    Points.\n\n"
        "    More.\n\nExamples\n--------\n>>> 1 + 1\n2\n"
    )
    soup = BeautifulSoup(html, "html.parser")
    assert [item.get_text() for item in soup.find_all("li")] == ["a", "b"]
    assert soup.pre.get_text() == "x = yn"
    assert soup.dt.get_text() == "X array" and len(soup.dd.find_all("p")) == 2
    assert soup.select_one(".highlight .gp") and soup.select_one(".highlight").get_text().endswith(
        "2\n"
    )


def test_long_signatures_are_python(entries):
    code = BeautifulSoup(entries["api_UKR"].html, "html.parser").pre.get_text()
    assert len(code.splitlines()) > 10
    call = ast.parse(code.replace("    *,\n", "")).body[0].value
    assert [keyword.arg for keyword in call.keywords][0] == "n_components"


def test_an_unknown_page_is_refused():
    with pytest.raises(SystemExit, match="No page named 99_nothing"):
        site.main(["99_nothing"])
