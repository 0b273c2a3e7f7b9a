"""Predict, commit, reveal: a question that takes an answer before the result appears."""

import html
from dataclasses import dataclass


@dataclass(frozen=True)
class Prediction:
    """A question with its answer, shown if it is the last line of a cell."""

    key: str
    question: str
    answer: object
    because: str
    options: tuple[str, ...] = ()
    within: float | None = None
    hides: int = 0

    def _repr_mimebundle_(self, **_):
        """Without a kernel: the question, and the answer behind a disclosure element."""
        options = "".join(f"<li>{html.escape(option)}</li>" for option in self.options)
        text = (
            f"<p><strong>Predict</strong> {html.escape(self.question)}</p><ul>{options}</ul>"
            f"<details><summary>Answer</summary><p>{html.escape(str(self.answer))}. "
            f"{html.escape(self.because)}</p></details>"
        )
        plain = f"Predict: {self.question}\nAnswer: {self.answer}. {self.because}"
        return {"text/html": text, "text/plain": plain}, {}


def predictions(lesson):
    """A function that asks for predictions in this lesson."""

    def predict(
        name,
        question,
        *,
        answer,
        because="",
        options=(),
        number=False,
        words=False,
        within=None,
        hides=0,
    ):
        if bool(options) + bool(number) + bool(words) != 1:
            raise ValueError("Exactly one of options, number and words must be given.")
        if options and answer not in options:
            raise ValueError(f"answer must be one of the options; got {answer!r}.")
        key = f"{lesson}/{name}"
        return Prediction(key, question, answer, because, tuple(options), within, hides)

    return predict
