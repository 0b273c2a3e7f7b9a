"""How well are the mistakes of strangers recognised? Runs the checkers on answers written by them.

    python tools/fresh.py                          count what was judged, for each set
    python tools/fresh.py third                    what the checkers say of each answer of a set
    python tools/fresh.py third projection --whole whole reports on the answers to one exercise

tests/answers/fresh/SET.jsonl holds three right answers to each exercise and six wrong ones, two of
them with two mistakes, written from the learners' notebooks alone. A line is one answer: its source
as it was written, the name in it that is handed in, and what is wrong with it. Whether a diagnosis
names the mistake was judged by reading: verdicts.json has the verdict on each wrong answer, and the
first findings that it was given for. Where those are others today, the verdict is out of date. The
fifth and the sixth set have odd answers, too, and each answer has what judges said: see FRESH.md.
"""

import argparse
import functools
import json
import linecache
import time
import zlib
from pathlib import Path
from types import SimpleNamespace

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "answers" / "fresh"
SETS = ("first", "second", "third", "fourth")
VERDICTS = ("well", "helps", "vague", "misleads")
JUDGED = 2  # findings that a verdict is about


@functools.cache
def lines(which):
    """The answers of a set, as its file has them."""
    text = (FOLDER / f"{which}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def answers(which, name):
    """The answers of a set to an exercise: RIGHT, and WRONG with their mistakes."""
    found = [(line, made(which, line)) for line in lines(which) if line["exercise"] == name]
    return SimpleNamespace(
        RIGHT=[answer for line, answer in found if not line["mistakes"]],
        WRONG=[(answer, line["mistakes"]) for line, answer in found if line["mistakes"]],
    )


def made(which, line):
    """The function or the data. As in a kernel, inspect finds the source."""
    source, scope = line["source"], {"__name__": f"fresh_{which}"}
    filename = f"<{which} {line['exercise']} {zlib.crc32(source.encode())}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), scope)
    return scope[line["answer"]]


def names(which):
    return sorted({line["exercise"] for line in lines(which)})


def findings(name, answer):
    """What the checker of an exercise finds in an answer, without a word on the screen."""
    from ukrlearn.checks import bank
    from ukrlearn.checks._apart import here
    from ukrlearn.checks._diagnosing import examine

    return examine(bank.find(name), answer, 0, here)


def first_ids(found):
    return [problem.id for problem in found.problems[:JUDGED]]


def verdicts():
    """{set: {exercise: [{"verdict": ..., "first": [ids]}, ...]}}"""
    path = FOLDER / "verdicts.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def counts(which):
    """How often each verdict was given, {"one": {...}, "two": {...}}, by the number of mistakes."""
    table = {"one": dict.fromkeys(VERDICTS, 0), "two": dict.fromkeys(VERDICTS, 0)}
    for name, judged in verdicts().get(which, {}).items():
        for (_, mistakes), given in zip(answers(which, name).WRONG, judged, strict=True):
            table["two" if len(mistakes) > 1 else "one"][given["verdict"]] += 1
    return table


def show(which, chosen, whole):
    """Print what is said of each answer; the numbers of those judged rightly."""
    from ukrlearn.checks import bank
    from ukrlearn.checks._report import Report

    judged = verdicts().get(which, {})
    total = {"right": 0, "rejected": 0, "wrong": 0, "accepted": 0, "out of date": 0}
    for name in chosen or names(which):
        module = answers(which, name)
        for answer in module.RIGHT:
            found = findings(name, answer)
            total["right"] += 1
            total["rejected"] += not found.passed
            if not found.passed:
                print(f"{name}: REJECTED {_name(answer)}: {found.problems[0].says}")
        for number, (answer, mistakes) in enumerate(module.WRONG):
            start = time.process_time()
            found = findings(name, answer)
            took = time.process_time() - start
            total["wrong"] += 1
            total["accepted"] += found.passed
            given = judged[name][number] if name in judged else {"verdict": "not judged"}
            stale = given.get("first", first_ids(found)) != first_ids(found)
            total["out of date"] += stale
            print(f"\n{name} {number}, {_name(answer)} ({took:.1f} s): {' + '.join(mistakes)}")
            print(f"  {given['verdict']}{' (OUT OF DATE)' * stale}{' ACCEPTED' * found.passed}")
            if whole:
                print(Report(bank.find(name), found).text)
            else:
                for problem in found.problems[:JUDGED]:
                    print(f"  {problem.id}: {problem.says}")
    print("\n" + ", ".join(f"{count} {what}" for what, count in total.items()))


def _name(answer):
    return getattr(answer, "__name__", "data")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", nargs="?", choices=(*SETS, "fifth", "sixth"))
    parser.add_argument("names", nargs="*", help="of exercises")
    parser.add_argument("--whole", action="store_true", help="whole reports")
    given = parser.parse_args()
    if given.which:
        show(given.which, given.names, given.whole)
        return
    print("| set | mistakes | answers | " + " | ".join(VERDICTS) + " |")
    print("|---|---|---|" + "---|" * len(VERDICTS))
    for which in SETS:
        for mistakes, count in counts(which).items():
            number = sum(count.values())
            shares = (f"{n} ({n / max(number, 1):.0%})" for n in count.values())
            print(f"| {which} | {mistakes} | {number} | " + " | ".join(shares) + " |")


if __name__ == "__main__":
    main()
