"""Plans of workshops, from minutes and questions of the units: exercises/WORKSHOPS.md.

`python tools/workshops.py` brings the tables between the marks up to date.

`<!-- plan 90: 00 01 02 pause-5 01_nadaraya_watson -->` names the units, pauses and exercises of a
plan of 90 minutes. A unit takes its stated minutes and two for each question that the teaching
guide puts to the room. What remains at the end is for the key points. What can be skipped comes
from the guide, too.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import guide, index  # noqa: E402

PLANS = "exercises/WORKSHOPS.md"
DISCUSSION = 2  # minutes for each question that a room votes on
CLOSE = 2  # minutes, at least
_MARKED = re.compile(r"^<!-- plan (\d+): (.+?) -->\n(.*?)^<!-- end of plan -->$", re.M | re.S)


def clock(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def link(name, page):
    folder = "../notebooks/" if (ROOT / f"notebooks/{name}.py").exists() else ""
    title = page.title.partition(":")[0] if folder else page.title
    return f"[{f'{name[:2]} ' if folder else ''}{title}]({folder}{name}.ipynb)"


def in_class(name, known, text):
    """The minutes of a unit with its discussions, or of an exercise."""
    asked = guide.for_a_room(text, name) if (ROOT / f"notebooks/{name}.py").exists() else ()
    return known[name].minutes + DISCUSSION * len(asked)


def skipped(name, text):
    """What a plan can do without in a unit, in words."""
    path = ROOT / f"notebooks/{name}.py"
    if not path.exists():
        return "leave it for later"
    minutes, words = dict(guide.sections(path)), []
    for title in guide.late(text, name):
        if title not in minutes:
            raise ValueError(f"{guide.GUIDE} skips {title!r}, which is no section of {name}")
        words.append(f"{title} ({minutes[title]})" if minutes[title] else title)
    return ", ".join(words) or "nothing"


def plan(minutes, stops, known, text):
    """The table of a workshop, whose last row ends on time."""
    rows, now = ["| minutes | what | if late, skip |", "|---|---|---|"], 0
    for stop in stops.split():
        pause = re.fullmatch(r"pause-(\d+)", stop)
        name = next((path.stem for path in (ROOT / "notebooks").glob(f"{stop}_*.py")), stop)
        if not pause and name not in known:
            raise ValueError(f"{PLANS} has a plan with {stop}, which is no unit and no exercise")
        end = now + (int(pause[1]) if pause else in_class(name, known, text))
        what = "*pause* | " if pause else f"{link(name, known[name])} | {skipped(name, text)} "
        rows.append(f"| {clock(now)}–{clock(end)} | {what}|")
        now = end
    if now > minutes - CLOSE:
        raise ValueError(f"{PLANS}: the plan of {clock(minutes)} takes {clock(now)}; shorten it")
    return "\n".join([*rows, f"| {clock(now)}–{clock(minutes)} | the key points | |"])


def refreshed(text):
    """The plans written anew."""
    known, guided = index.pages(ROOT), "\n".join(guide.written().values())

    def block(mark):
        table = plan(int(mark[1]), mark[2], known, guided)
        return f"<!-- plan {mark[1]}: {mark[2]} -->\n{table}\n<!-- end of plan -->"

    return _MARKED.sub(block, text)


if __name__ == "__main__":
    path = ROOT / PLANS
    path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
