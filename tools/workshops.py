"""Plans of workshops, made from the tracks of the index: exercises/WORKSHOPS.md, between its marks.

    python tools/workshops.py write            bring the plans up to date
    python tools/workshops.py check            say what is out of date
    python tools/workshops.py play MINUTES ... run the lessons of these plans with a clock, and note
                                               the seconds that the machine takes

Lessons and their order come from the tracks of notebooks/course.py, minutes from the lessons, and
what can be skipped from the teaching guide. A plan has a pause of ten minutes after eighty minutes
of work, if enough remains for another unit. Half a semester is divided into sessions.
"""

import argparse
import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import guide, index, notebooks  # noqa: E402

PLANS = "exercises/WORKSHOPS.md"
PAUSE, WORK = 10, 80  # minutes
SESSION = 90
_MARKED = re.compile(r"^<!-- (plan|played) (\d+) -->\n(.*?)^<!-- end of \1 -->$", re.M | re.S)


def tracks():
    """The tracks of the index by their minutes; of several with as many, the first."""
    text = (ROOT / "notebooks/course.py").read_text(encoding="utf-8")
    found = {}
    for track in index.tracks(text):
        found.setdefault(track.minutes, track)
    return found


def clock(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def link(name, page):
    folder = "../notebooks/" if (ROOT / f"notebooks/{name}.py").exists() else ""
    title = page.title.partition(":")[0] if folder else page.title
    return f"[{f'{name[:2]} ' if folder else ''}{title}]({folder}{name}.ipynb)"


def skipped(name, text):
    """(words, minutes saved) of what a plan can do without in a unit."""
    path = ROOT / f"notebooks/{name}.py"
    if not path.exists():
        return "leave it for later", index.pages(ROOT)[name].minutes
    minutes, words, saved = dict(guide.sections(path)), [], 0
    for title in guide.late(text, name):
        if title not in minutes:
            raise ValueError(f"{guide.GUIDE} skips {title!r}, which is no section of {name}")
        words.append(f"{title} ({minutes[title]})" if minutes[title] else title)
        saved += minutes[title] or 0
    return ", ".join(words) or "nothing", saved


def steps(track, known):
    """(start, end, name or None for a pause) of a plan, in minutes."""
    now = since = 0
    left = sum(known[stop].minutes for stop in track.stops)
    for stop in track.stops:
        if since >= WORK and left >= 15:
            yield now, now + PAUSE, None
            now, since = now + PAUSE, 0
        minutes = known[stop].minutes
        yield now, now + minutes, stop
        now, since, left = now + minutes, since + minutes, left - minutes


def plan(track, known, text):
    """The table of a workshop."""
    rows, saved = ["| minutes | what | if late, skip |", "|---|---|---|"], 0
    for start, end, stop in steps(track, known):
        span = f"{clock(start)}–{clock(end)}"
        if stop is None:
            rows.append(f"| {span} | *pause* | |")
            continue
        words, minutes = skipped(stop, text)
        saved += minutes
        rows.append(f"| {span} | {link(stop, known[stop])} | {words} |")
    work = sum(known[stop].minutes for stop in track.stops)
    return "\n".join(
        [
            f"{work} minutes of work, {clock(end)} on the clock. All that can be skipped is worth "
            f"{saved} minutes.",
            "",
            *rows,
        ]
    )


def sessions(stops, known, longest):
    """The stops in as few sessions as possible, none above `longest` minutes."""
    made = [[]]
    for stop in stops:
        taken = sum(known[name].minutes for name in made[-1])
        if made[-1] and taken + known[stop].minutes > longest:
            made.append([])
        made[-1].append(stop)
    return made


def semester(track, known):
    """The table of sessions, as even as can be, and the exercises for the time after each."""
    number = len(sessions(track.stops, known, SESSION))
    divided = next(
        made
        for longest in range(1, SESSION + 1)
        if len(made := sessions(track.stops, known, longest)) == number
    )
    rows = ["| session | units | minutes | exercises until the next one | minutes |"]
    rows.append("|---|---|---|---|---|")
    for number, stops in enumerate(divided, start=1):
        links = ", ".join(f"[{stop[:2]}](../notebooks/{stop}.ipynb)" for stop in stops)
        after = [
            name
            for name, page in known.items()
            if (ROOT / f"exercises/{name}.py").exists()
            and page.needs[0] in {stop[:2] for stop in stops}
        ]
        minutes, home = (sum(known[name].minutes for name in names) for names in (stops, after))
        names = ", ".join(str(int(name[:2])) for name in after) or "none"
        rows.append(f"| {number} | {links} | {minutes} | {names} | {home} |")
    return "\n".join(rows)


def refreshed(text):
    """The plans written anew; what was played stays."""
    known, found = index.pages(ROOT), tracks()
    guide_text = (ROOT / guide.GUIDE).read_text(encoding="utf-8")

    def block(mark):
        kind, minutes = mark[1], int(mark[2])
        if kind == "played":
            return mark[0]
        if minutes not in found:
            raise ValueError(
                f"{PLANS} has a plan of {minutes} minutes, the index has no such track"
            )
        track = found[minutes]
        whole = minutes == max(found)
        table = semester(track, known) if whole else plan(track, known, guide_text)
        return f"<!-- plan {minutes} -->\n{table}\n<!-- end of plan -->"

    return _MARKED.sub(block, text)


def play(minutes):
    """Run the lessons of a track one after the other; (name, seconds) of each."""
    known = index.pages(ROOT)
    for _, _, stop in steps(tracks()[minutes], known):
        folder = "notebooks" if (ROOT / f"notebooks/{stop}.py").exists() else "exercises"
        if stop is not None:
            notebook = notebooks.read_source(ROOT / folder / f"{stop}.py")
            begun = time.perf_counter()
            notebooks.NotebookClient(
                notebook, timeout=None, kernel_manager_class=notebooks.ThisPython
            ).execute()
            yield stop, time.perf_counter() - begun


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("action", choices=("write", "check", "play"))
    parser.add_argument("minutes", nargs="*", type=int)
    chosen = parser.parse_args(arguments)
    path = ROOT / PLANS
    before = after = path.read_text(encoding="utf-8")
    if chosen.action == "play":
        for minutes in chosen.minutes:
            took = list(play(minutes))
            said = ", ".join(f"{name[:2]} {seconds:.0f}" for name, seconds in took)
            said = f"{sum(seconds for _, seconds in took):.0f} seconds: {said}."
            mark = re.compile(rf"(<!-- played {minutes} -->\n).*?(<!-- end of played -->)", re.S)
            after = mark.sub(rf"\g<1>{said}\n\g<2>", after)
    else:
        after = refreshed(before)
    if chosen.action == "check" and after != before:
        print(f"{PLANS} is out of date; run: python tools/workshops.py write")
        return 1
    if chosen.action != "check":
        path.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
