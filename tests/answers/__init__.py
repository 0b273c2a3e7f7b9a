"""Answers to the exercises: honest rewrites, and wrong ones as learners write them.

One module for each exercise, with RIGHT, a list of functions, and WRONG, a list of (the diagnosis
that must come first, function). Answers that give the numbers of a known mistake in all trials say
nothing that the mistake itself does not say when it is handed in: of them there is only the
diagnosis, in EQUAL.
"""


def diagnoses(answers):
    """Of all wrong answers to an exercise that were collected, given the module with them."""
    return [*(found for found, _ in answers.WRONG), *getattr(answers, "EQUAL", ())]
