"""Concept tests: what is asked and kept, what is handed in, and what a class is told."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from ukrlearn import checks
from ukrlearn.__main__ import main
from ukrlearn.checks import _concepts, _forms, _work, concept_test
from ukrlearn.checks._prediction import written_in

ITEMS = written_in("concepts.md")
KEPT = "<p>Your answer is kept.</p>"


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.delenv("UKRLEARN_WORK")
    monkeypatch.chdir(tmp_path)


def answer(form, wrong=()):
    """Take the SGD test; the outcomes."""
    forms = [_forms.PredictionForm(*one) for one in concept_test("sgd", form).asked]
    for number, shown in enumerate(forms):
        item = shown.prediction
        guess = (item.options.index(item.answer) + (number in wrong)) % len(item.options)
        shown._handle_custom_msg({"do": "commit", "guess": guess}, [])
    return [shown.outcome for shown in forms]


@pytest.mark.parametrize("paper", _concepts.PAPERS)
def test_two_forms_ask_for_the_same_and_no_place_or_length_gives_an_answer_away(paper):
    first, second = (_concepts.items(paper, form) for form in _concepts.FORMS)
    assert [key[:-1] for key in first] == [key[:-1] for key in second] and len(first) == 12
    asked = [*first.values(), *second.values()]
    assert all(len(one.tempts) in (2, 3) and one.because[-1] == "." for one in asked)
    places = np.bincount([one.options.index(one.answer) for one in asked])
    ranks = [sorted(map(len, one.options)).index(len(one.answer)) for one in asked]
    assert max(places) <= 14 and 1 <= ranks.count(0) <= 12 and 1 <= ranks.count(2) <= 12


def test_nothing_tells_right_from_wrong_before_both_forms_are_complete():
    assert all(one.because not in repr(concept_test("sgd", "A")) for one in ITEMS.values())
    first = answer("A", wrong=(0, 3))
    assert first == [*[KEPT] * 11, KEPT + "<p>10 of 12 are right. </p>"]
    assert answer("A") == first  # the first answers stay
    assert set(answer("B")[:-1]) == {KEPT}
    asked = concept_test("sgd", "A").asked[0]
    told = _forms.PredictionForm(*asked).outcome
    assert "✗ Not so." in told and asked[0].answer in told and asked[0].because in told
    assert not _work.begun(_work.read_predictions())  # no unit has begun by this
    with pytest.raises(ValueError, match="form must be one of A, B; got 'C'"):
        concept_test("ukr", "C")


def test_only_after_consent_a_file_is_written_that_holds_no_name(capsys):
    answer("A", wrong=(1,))
    checks.export_concept_test()
    checks.contribute_attempts()
    assert [path.name for path in Path().iterdir()] == [_work.FILE]
    assert " ".join(capsys.readouterr().out.split()).count("Nothing is sent") == 2
    for forms in (1, 2):
        checks.export_concept_test(consent=True)
        (path,) = Path().glob("concepts-" + 16 * "[0-9a-f]" + ".json")  # the same code
        told = json.loads(path.read_text())
        assert set(told) == {"code", "answers"} and len(told["answers"]) == 12 * forms
        for key, chose, day in told["answers"]:
            assert chose in ITEMS[key].options and re.fullmatch(r"\d{4}-\d\d-\d\d", day)
        answer("B")
    assert len(list(Path().glob("concepts-*.before.json"))) == 1


SECRET = '''def ada(x, Y):  # Ada's
    """By Ada."""
    "/home/ada", f"Ada {x}", b"Ada"
    return np.einsum("ij,jk->ik", cdist(x, Y, "sqeuclidean"), Y)
'''


def test_attempts_hold_no_texts_and_can_be_run():
    left_out = ["[1, 2]", "def f():\n    import ada", "def f(:"]
    for text in (SECRET, SECRET, *left_out):
        _work.note_check("grnn", False, [], text)
    assert _work.read()["grnn"]["wrong"] == left_out  # the last three
    _work.note_check("sne_gradient", False, [], SECRET)
    checks.contribute_attempts("mine.jsonl", consent=True)
    line = json.loads(Path("mine.jsonl").read_text())
    assert (line["exercise"], line["answer"]) == ("sne_gradient", "ada") and line["mistakes"]
    assert not re.search("Ada|home|#", line["source"])
    exec(line["source"], scope := {})
    assert np.array_equal(scope["ada"](np.eye(2), np.eye(2)), [[0, 2], [2, 0]])


def simulated(seed, count=30):
    """Who is right before (40 % of all such learners) and after (65 %): a gain of 5/12."""
    draw = np.random.RandomState(seed)
    ease = draw.uniform(-0.2, 0.2, (count, 1)) + np.linspace(-0.15, 0.15, 12)
    return [draw.uniform(size=(count, 12)) < share + ease for share in (0.4, 0.65)]


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    shares = ([one.mean(axis=1) for one in simulated(seed)] for seed in range(20))
    ends = np.array([_concepts.interval(*both) for both in shares])
    assert 17 <= np.sum((ends[:, 0] <= 5 / 12) & (5 / 12 <= ends[:, 1]))
    assert np.ptp(ends, axis=1).max() < 0.4


def test_the_analysis_of_a_class(capsys):
    """Of 30 learners, those with an even number take form B first."""
    rights = simulated(1)
    for number, right in enumerate(np.hstack(rights)):
        forms = [_concepts.items("ukr", form) for form in ("BA", "AB")[number % 2]]
        asked = zip({**forms[0], **forms[1]}.items(), right, strict=True)
        said = [(key, [*one.tempts, one.answer][good - 2], "") for (key, one), good in asked]
        Path(f"{number}.json").write_text(json.dumps({"code": number, "answers": said}))
    Path("deep.json").write_text("[" * 100_000)
    assert main(["concepts", "."]) == 0
    out = capsys.readouterr().out
    before, after = (one.mean() for one in rights)
    assert "Left out: deep" in out and "30 before, 30 after, 30 of them both" in out
    assert f"right {before:.0%} before, {after:.0%} after; normalised gain" in out
    assert f"gain {(after - before) / (1 - before):.2f} (" in out and "[SGD]" not in out
    whole = rights[0][1::2]
    link = np.corrcoef(whole[:, 0], whole[:, 1:].sum(axis=1))[0, 1]
    assert _concepts.discrimination([whole])[0] == pytest.approx(link)
    first, second = whole[:, 0], rights[1][::2, 0]
    told = rf"bandwidth-A +{first.mean():.0%} +{second.mean():.0%} +\S+\n"
    told += rf" +{sum(~first)} +{sum(~second)}   " + [*ITEMS["ukr/bandwidth-A"].tempts][-1]
    assert re.search(told, out)
    assert main(["concepts", "nowhere"]) == 1 and "holds no file" in capsys.readouterr().out
