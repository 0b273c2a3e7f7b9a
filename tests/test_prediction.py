"""Predictions without a browser: what is asked, judged, kept, and shown without a kernel."""

import json
from pathlib import Path

import pytest
from helpers import each

from ukrlearn.checks import _forms, _prediction, _work, predictions

predict = predictions("03_reconstruction_error")


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


def test_its_key_names_the_lesson_and_its_class_is_no_selector_of_another():
    assert choice().key == "03_reconstruction_error/memorise"
    assert choice().slug == "03_reconstruction_error-memorise"


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


def test_a_work_file_from_before_the_predictions_is_understood(capsys):
    old = {"format": 1, "exercises": {"nadaraya_watson": {"tries": 2}}}
    Path(_work.FILE).write_text(json.dumps(old))
    assert _work.read() == old["exercises"] and _work.read_predictions() == {}
    assert capsys.readouterr().out == ""


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


def test_without_a_kernel_the_answer_stands_in_a_disclosure_element():
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


def test_elsewhere_the_text_is_printed(capsys):
    choice()._ipython_display_()
    assert capsys.readouterr().out.startswith("Predict: Which of")


@each(
    "value, written",
    [
        (3, "3"),
        (3.0, "3"),
        (0.12345, "0.1235"),
        (1e-7, "1.000e-07"),
        (12345.6, "1.235e+04"),
        ("x", "x"),
    ],
)
def test_numbers_are_written_with_four_digits(value, written):
    assert _prediction._written(value) == written
