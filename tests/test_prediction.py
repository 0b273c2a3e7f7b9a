"""Predictions without a browser: what is asked, judged, kept, and shown without a kernel."""

import datetime
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from helpers import each

from ukrlearn import checks
from ukrlearn.checks import _forms, _prediction, _review, _work, predictions

predict = predictions("03_reconstruction_error")
LESSONS = Path(__file__).resolve().parent.parent / "notebooks"
UNITS = [path.stem for path in sorted(LESSONS.glob("[0-9][0-9]_*.py"))]
KEYS = [key for key, own in _review.questions().items() if own]
AGAIN = [key for key, own in _review.questions().items() if not own]
FIRST, SECOND = KEYS[:2]


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    monkeypatch.delenv("UKRLEARN_WORK")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def choice(**other):
    options = ["$R$, at small $h$", "both & all", "neither"]
    given = {"options": options, "answer": options[0], "because": "Of `itself`.", **other}
    return predict("memorise", "Which of $R$ and `R_cv` is < 1?", **given)


def count(**other):
    return predict("count", "How many?", **{"number": True, "answer": 30, "within": 2, **other})


def words():
    return predict("why", "Why?", words=True, answer="Because.", because="See (4).")


def did(form, what, guess=None):
    """What the page sends; the outcome, or the message."""
    form._handle_custom_msg({"do": what, "guess": guess}, [])
    return form.outcome if form.phase == "done" else form.message


def kept():
    return json.loads(Path(_work.FILE).read_text(encoding="utf-8"))["predictions"]


# ---- what authors write -------------------------------------------------------------------------

WRONG = {
    "no kind": ({}, "Exactly one of options, number and words"),
    "two kinds": ({"options": ["a"], "words": True}, "Exactly one of options, number and words"),
    "no option": ({"options": ["b", "c"]}, "must be one of the options"),
    "an option twice": ({"options": ["a", "a"]}, "which must differ"),
    "no number": ({"number": True}, "must be a number; got 'a'"),
    "not finite": ({"number": True, "answer": float("nan")}, "must be a number; got nan"),
    "within of words": ({"words": True, "within": 1}, "within must be"),
    "within below 0": ({"number": True, "answer": 1, "within": -1}, "within must be"),
    "tempts of the answer": ({"options": "ab", "tempts": ["A", "B"]}, r"each of \['b'\]; got"),
    "hides no number": ({"words": True, "hides": True}, "hides must be"),
    "hides below 0": ({"words": True, "hides": -1}, "hides must be"),
}


@each("given, says", WRONG.values(), ids=WRONG)
def test_an_author_is_told_what_must_hold(given, says):
    with pytest.raises(ValueError, match=says):
        predict("name", "?", **{"answer": "a", **given})


# ---- judging ------------------------------------------------------------------------------------


def test_a_choice_is_judged_and_the_truth_stands_beside_the_guess():
    form = _forms.PredictionForm(choice())
    wrong = did(form, "commit", 1)
    assert "✗ Not so." in wrong and "ukrlearn-wrong" in wrong
    assert "You said <strong>both &amp; all</strong>; the answer is <strong>$R$, at" in wrong
    assert "<p>Of <code>itself</code>.</p>" in wrong
    did(form, "again")
    right = did(form, "commit", 0)
    assert "✓ Right." in right and "ukrlearn-right" in right and "the answer is" not in right


@each(
    "typed, says",
    [
        ("30", "✓ Right.</span> You said <strong>30</strong>.</p>"),
        ("28", "✓ Right.</span> You said <strong>28</strong>; the answer is <strong>30</strong>, "
         "and whatever is within 2 of it counts as right.</p>"),
        ("32,0", "✓ Right."),
        ("27.9", "✗ Not so.</span> You said <strong>27.9</strong>; the answer is "
         "<strong>30</strong>: your number is too small.</p>"),
        ("33", "your number is too large"),
        ("3", "<strong>30</strong>, 10 times as much"),
        ("3e3", "your number is 100 times too large"),
        ("−4", "your number is too small"),
        ("0", "your number is too small"),
    ],
)  # fmt: skip
def test_a_number_is_right_within_what_is_allowed_and_else_compared(typed, says):
    assert says in did(_forms.PredictionForm(count()), "commit", typed)


def test_without_a_tolerance_only_the_number_itself_is_right():
    exact = count(within=None)
    assert exact.is_right(30) and not exact.is_right(30.001)


def test_words_stand_beside_words_and_nobody_judges_them():
    shown = did(_forms.PredictionForm(words()), "commit", " I think <so> ")
    assert "<dd>I think &lt;so&gt;</dd>" in shown and "<dd>Because.</dd>" in shown
    assert "✓" not in shown and "✗" not in shown and "See (4)." in shown
    assert kept()["03_reconstruction_error/why"]["right"] is None


@pytest.mark.parametrize(
    ("prediction", "guess", "says"),
    [
        (choice, None, "Choose one of the options first"),
        (count, "", "Type a number first"),
        (count, "some", "It must be a number such as 0.25 or 1e-3; got 'some'."),
        (count, "inf", "It must be a number"),
        (words, "  ", "Type a few words first"),
    ],
)
def test_what_is_no_guess_is_answered_and_nothing_kept(work, prediction, guess, says):
    form = _forms.PredictionForm(prediction())
    assert says in did(form, "commit", guess)
    assert form.phase == "open" and form.outcome == "" and not list(work.iterdir())


@pytest.mark.parametrize("prediction", [choice, count, words])
def test_whoever_skips_sees_the_answer(prediction):
    asked = prediction()
    shown = did(_forms.PredictionForm(asked), "skip")
    assert "kipped" in shown and str(asked.answer) in shown
    assert "✓" not in shown and "✗" not in shown
    assert kept()[asked.key]["skipped"] is True


# ---- keeping ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("prediction", "guess"), [(choice, 2), (count, "28.5"), (words, "so")])
def test_on_the_next_run_the_same_is_shown_at_once(prediction, guess):
    shown = did(_forms.PredictionForm(prediction()), "commit", guess)
    again = _forms.PredictionForm(prediction())
    assert again.phase == "done" and again.outcome == shown
    did(again, "again")
    assert again.phase == "open"
    assert _forms.PredictionForm(prediction()).phase == "done"  # until another guess is made


def test_the_answer_is_not_in_the_page_before_the_commit():
    form = _forms.PredictionForm(count(answer=1234, because="Secret."))
    assert "1234" not in json.dumps(form.get_state(), default=str)
    assert "Secret" not in json.dumps(form.get_state(), default=str)


def test_a_guess_at_what_the_question_was_once_is_forgotten():
    did(_forms.PredictionForm(choice()), "commit", 2)
    other = choice(options=["yes", "no"], answer="no")
    assert _forms.PredictionForm(other).phase == "open"
    did(_forms.PredictionForm(words()), "commit", "so")
    assert _forms.PredictionForm(predict("why", "?", number=True, answer=1)).phase == "open"


def test_predictions_and_exercises_keep_each_other():
    _work.note_check("nadaraya_watson", True, [], "an answer")
    did(_forms.PredictionForm(count()), "commit", "29")
    _work.note("nadaraya_watson", revealed=True)
    entry = kept()["03_reconstruction_error/count"]
    assert (entry["guess"], entry["right"]) == ("29", True) and len(entry["date"]) == 16
    assert _work.read()["nadaraya_watson"]["revealed"]


ODD = {"guess": 3, "right": "yes", "skipped": 1, "date": None, "more": 1}


@pytest.mark.parametrize("key", ODD)
def test_an_odd_value_is_put_aside_and_all_else_kept(capsys, key):
    good = {"guess": "30", "right": True, "skipped": False, "date": "2026-01-01T00:00"}
    tables = {"exercises": {}, "predictions": {"a/b": {**good, key: ODD[key]}}}
    Path(_work.FILE).write_text(json.dumps({"format": 1, **tables}))
    good.pop(key, None)
    assert _work.read_predictions() == {"a/b": good}
    assert f"an odd value for {key} of a/b. All else is kept." in " ".join(
        capsys.readouterr().out.split()
    )


def test_no_table_of_predictions_is_said_and_exercises_kept(capsys):
    tables = {"exercises": {"a": {"tries": 1}}, "predictions": [1]}
    Path(_work.FILE).write_text(json.dumps({"format": 1, **tables}))
    assert _work.read() == {"a": {"tries": 1}}
    assert "no table of predictions. All else is kept." in " ".join(capsys.readouterr().out.split())


def test_what_cannot_be_kept_is_said_in_the_form(work):
    (work / _work.FILE).mkdir()
    form = _forms.PredictionForm(count())
    shown = did(form, "commit", "30")
    assert "✓ Right." in shown and "Your progress is not kept" in shown


# ---- without a kernel ---------------------------------------------------------------------------


def test_without_a_kernel_the_answer_stands_in_a_disclosure_element(capsys):
    choice()._ipython_display_()
    assert capsys.readouterr().out.startswith("Predict: Which of")
    assert choice().key == "03_reconstruction_error/memorise"
    assert choice().slug == "03_reconstruction_error-memorise"
    text = choice(tempts=["R_cv has no 0.", "At large $h$, yes."])._repr_html_()
    assert "<strong>Predict</strong> Which of $R$ and <code>R_cv</code> is &lt; 1?" in text
    assert "<li>both &amp; all</li>" in text
    assert "<span>$R$, at small $h$</span>. <span>Of <code>itself</code>.</span></p>" in text
    assert "<em>neither</em>? <span>At large $h$, yes.</span></p></details>" in text
    assert 'data-kind="options"' in text and 'data-answer="0"' in text
    assert "<ul>" not in count()._repr_html_()
    assert repr(choice()).splitlines()[:2] == [
        "Predict: Which of $R$ and `R_cv` is < 1?",
        "  - $R$, at small $h$",
    ]
    assert repr(count(because="So.")).endswith("Answer: 30. So.")


def test_in_a_notebook_the_form_stands_beside_the_text(monkeypatch):
    shown = []
    monkeypatch.setattr(_prediction._report, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    monkeypatch.setattr(_forms, "display", lambda data, raw: shown.append(data))
    choice()._ipython_display_()
    text, form = shown
    assert set(text) == {"text/html", "text/plain"} and set(form) == {_forms.VIEW}


def test_numbers_are_written_with_four_digits():
    values = 3, 3.0, 0.12345, 1e-7, 12345.6, "x"
    told = "3", "3", "0.1235", "1.000e-07", "1.235e+04", "x"
    assert tuple(map(_prediction._written, values)) == told


# ---- coming back --------------------------------------------------------------------------------


def say(key, day, right=True, where=None):
    _work.note_prediction(key, where, f"2026-01-{day:02}", guess="so", right=right)


def due(day, lesson="", most=5):
    return _review.chosen(_work.read_predictions(), f"2026-01-{day:02}", lesson, most)[1]


def test_a_unit_has_two_key_questions_and_opens_with_those_of_others():
    assert Counter(key.partition("/")[0] for key in KEYS) == dict.fromkeys(UNITS, 2)
    for asked in map(_review.question, _review.questions()):  # from its lesson, or review.md
        assert asked.tempts.keys() == {*asked.options} - {asked.answer} != set() and not asked.hides
        assert all(text[-1] in ".?" for text in (asked.question, *asked.tempts.values())), asked
    for unit in UNITS[1:]:
        cells = (LESSONS / f"{unit}.py").read_text(encoding="utf-8").split("\n# %%")
        assert cells[2].startswith(f'\nreview("{unit}")'), unit


def test_a_right_answer_rests_for_three_units_or_days_and_another_for_one():
    assert due(1) == [] and list(_review.standing({})) == []
    say("00_start_here/other", 1)
    assert due(1) == due(1, UNITS[1]) == [FIRST, SECOND] and due(1, UNITS[0]) == []
    say(FIRST, 1)
    say(SECOND, 1, right=False)
    assert due(1) == [] and due(2) == due(3) == [SECOND] and due(4) == [SECOND, FIRST]
    for number in (1, 2, 3):
        say(f"{UNITS[number]}/other", 2)
        assert (FIRST in due(2, UNITS[4], most=99)) == (number >= 2)  # 04 is the third since
    _work.note_prediction(SECOND, "", "2026-01-02", skipped=True)
    say(SECOND, 2)  # too late: the answer was shown
    assert SECOND not in due(2, most=99) and due(3, most=1) == [SECOND]
    say(AGAIN[0], 2, right=False)  # a prediction has one place at an opening
    assert due(9, UNITS[4], 3)[2:] == AGAIN[:1] and AGAIN[0] not in due(9, most=7)


@pytest.mark.parametrize("share", [1, 0.7])
def test_who_does_five_units_a_week_meets_each_key_question_three_times(share):
    """Six weeks with five questions of review() on each of five days, and a week of these alone."""
    draw, met, day = random.Random(0), Counter(), datetime.date(2026, 1, 5)

    def answer(key, where=None):
        met[key, day] += 1
        _work.note_prediction(key, where, str(day), guess="so", right=draw.random() < share)

    for number in range(35):
        for unit in UNITS[:2] if number == 0 else UNITS[number + 1 : number + 2]:
            for asked, *_ in checks.review(unit, today=str(day)).asked:
                answer(asked.key, unit)
            for key in [f"{unit}/other", *(key for key in AGAIN if key.startswith(unit))]:
                answer(key)
        for asked, *_ in checks.review(today=str(day)).asked:
            answer(asked.key, "")
        day += datetime.timedelta(3 if day.weekday() == 4 else 1)
    days = Counter(key for key, _ in met)
    assert min(days[key] for key in KEYS) >= 3 and max(met.values()) == 1


def test_progress_says_what_is_strong_and_what_fades(capsys):
    say(FIRST, 1)
    say(KEYS[2], 1, right=False)
    (told,) = _review.standing(_work.read_predictions(), "2026-01-03")
    assert "is strong in lessons 00, and fades in lessons 01." in told[1]
    checks.progress()
    assert "in none, and fades in lessons 00, 01." in " ".join(capsys.readouterr().out.split())


def test_the_saved_text_is_always_the_same_and_a_second_run_asks_the_same(monkeypatch):
    shown = []
    monkeypatch.setattr(_prediction._report, "in_notebook", lambda: True)
    monkeypatch.setattr(_forms, "display", lambda data, raw: shown.append(data))
    checks.review(UNITS[1])._ipython_display_()
    say("00_start_here/other", 1)
    before = checks.review(UNITS[1], today="2026-01-02")
    before._ipython_display_()
    assert shown[0] == shown[1] and set(shown[2]) == {_forms.VIEW} and len(shown) == 3
    form, asked = _forms.PredictionForm(*before.asked[0]), before.asked[0][0]
    form._handle_custom_msg({"do": "commit", "guess": asked.options.index(asked.answer)}, [])
    again = checks.review(UNITS[1], today="2026-01-02")
    assert [(one[0].key, one[3]) for one in again.asked] == [(FIRST, False), (SECOND, True)]
    assert [_forms.PredictionForm(*one).phase for one in again.asked] == ["done", "open"]


@pytest.mark.parametrize("wrong", [{"lesson": 3}, {"lesson": "first"}, {"today": "tomorrow"}])
def test_review_says_what_a_lesson_and_a_day_are(wrong):
    ((name, given),) = wrong.items()
    with pytest.raises(ValueError, match=f"{name} must be .* such as .*; got {given!r}"):
        checks.review(**wrong)
