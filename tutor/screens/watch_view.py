"""The page of a watched server: gauges with their courses, the verdict, and what is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual.content import Content

from content.lang import Lang
from content.words import say
from tutor.diagnoser.speech import Speech
from tutor.live import saying
from tutor.live.sampling import Reading
from tutor.live.watching import Watched
from tutor.widgets.ink import ACCENT, QUIET, STRONG, bar, cells, plainer
from tutor.widgets.lines import Line, sentence
from tutor.widgets.spark import spark

GAP = 2
LONGEST_COURSE = 48
"""Cells of a course, at most: beyond that a bar is hard to measure with the eye."""
LEAST_COURSE = 12
"""And at least, or the notes at its right are left out."""
TALL = 26
"""Lines of a page from which the sentences of the verdict are there too."""
LEVERS = 3
"""Levers that a tall page shows."""


class Gauge(NamedTuple):
    """One row: its name, its figure, its course, and a note at the right end."""

    label: str
    value: str
    course: Sequence[float | None] = ()
    note: str = ""
    top: float | None = None
    fills: bool = False
    """Whether its figure is how full something is, which a bar shows."""


@dataclass(frozen=True)
class Look:
    """How a page is drawn: language, signs, and the lines that there are."""

    lang: Lang
    ascii: bool
    height: int

    def tell(self, key: str, **params: object) -> str:
        """Words of this screen."""
        return self.plain(say(f"live.watch.{key}", self.lang, **params))

    def plain(self, text: str) -> str:
        """In the characters that this terminal has."""
        return Speech(self.lang, self.ascii).plain(text)


def page(watched: Watched, look: Look, asking: bool, until: float) -> list[Line]:
    """Everything, from top to bottom. ``asking``: a request goes on; ``until``: seconds to the next one."""
    last = watched.last
    lines = [*_trouble(watched, look, asking, until)]
    if last is None:
        if watched.trouble is None:
            lines.append(Line(draw=sentence(look.tell("connecting", place=watched.address.place), QUIET)))
        return lines
    rows = gauges(watched, last, look)
    labels = max(cells(one.label) for one in (*rows, *(Gauge(word, "") for word in _words(look))))
    served = _served(last)
    if served and not lines:
        lines += [Line(draw=sentence(served, QUIET)), Line()]
    lines += [Line(draw=lambda width: _table(rows, labels, look, width)), Line()]
    return [*lines, *_verdict(watched, look, labels)]


# --- what is in the way ----------------------------------------------------------------------------------------------


def _trouble(watched: Watched, look: Look, asking: bool, until: float) -> list[Line]:
    """What went wrong, how old the figures are, and when the next try is."""
    if watched.trouble is None:
        return []
    told = []
    if watched.last is not None:
        told.append(look.tell("old", time=saying.span(watched.age, look.lang)))
    if watched.paused:
        told.append(look.tell("old_paused" if watched.last is not None else "paused_empty"))
    else:
        wait = saying.span(max(1.0, until), look.lang)
        told.append(look.tell("trying") if asking else look.tell("next_try", time=wait))
    return [
        Line(draw=sentence(look.plain(watched.trouble.text(look.lang)), STRONG)),
        Line(draw=sentence(" ".join(told), QUIET)),
        Line(),
    ]


def _served(last: Reading) -> str:
    """The model and the server, as the page names them."""
    from content.diagnosing import words

    model, found = last.found.one("model"), last.found
    parts = (words.clean(model, 60) if model else "", f"{found.engine} {found.version}".strip())
    return "   ".join(part for part in parts if part)


# --- gauges ----------------------------------------------------------------------------------------------------------


def gauges(watched: Watched, last: Reading, look: Look) -> list[Gauge]:
    """The rows that the page has figures for; the pool's own stands first."""
    made: list[Gauge] = []
    figures, history = last.figures, watched.readings
    if last.usage is not None:
        made.append(
            Gauge(
                look.tell("kv"),
                saying.share(last.usage),
                [one.usage for one in history],
                _full(watched, look),
                1.0,
                fills=True,
            )
        )
    for name, key in (("running_requests", "running"), ("waiting_requests", "waiting")):
        if name in figures:
            made.append(Gauge(look.tell(key), saying.whole(figures[name]), course(history, name)))
    for name, key in (("generation_throughput", "output"), ("prompt_throughput", "prompt")):
        if name in figures:
            made.append(Gauge(look.tell(key), saying.rate(figures[name], look.lang), course(history, name)))
    made += [one for name in ("ttft", "tpot") if (one := _time(history, last, name, look)) is not None]
    if "preemptions_total" in last.found.series:
        made.append(Gauge(look.tell("preempted"), saying.whole(last.preempted), note=look.tell("since")))
    if (hits := figures.get("prefix_cache_hit_rate")) is not None:
        made.append(Gauge(look.tell("hits"), saying.share(hits), course(history, "prefix_cache_hit_rate"), top=1.0))
    return made


def course(history: Sequence[Reading], name: str) -> list[float | None]:
    """A figure from sample to sample."""
    return [one.figures.get(name) for one in history]


def _full(watched: Watched, look: Look) -> str:
    last, left = watched.last, watched.to_full
    if last is not None and last.usage is not None and last.usage >= _FULL:
        return look.tell("full")
    if left is None or left > saying.SOON or watched.trouble is not None:
        return ""
    return look.tell("full_in", time=saying.span(max(1.0, left), look.lang))


_FULL = 0.9995
"""What is printed as 100.0 %."""


def _time(history: Sequence[Reading], last: Reading, name: str, look: Look) -> Gauge | None:
    """A latency: its middle and its slow end; of a first sample that of the server's whole life."""
    found = saying.centre(last, name)
    if found is None:
        return None
    part, value = found
    slow = last.figures.get(f"{name}.p99")
    note = look.tell("slow", value=saying.milliseconds(slow, look.lang)) if slow is not None else ""
    if not last.rated:
        note = look.tell("over_all")
    rated = [one if one.rated else None for one in history]
    middle = [None if one is None else (saying.centre(one, name) or ("", None))[1] for one in rated]
    shown = look.tell(part, value=saying.milliseconds(value, look.lang))
    return Gauge(look.tell(name), shown, middle, note)


# --- drawing ---------------------------------------------------------------------------------------------------------


def _table(rows: Sequence[Gauge], labels: int, look: Look, width: int) -> list[Content]:
    """All rows, the courses and the notes each in a column; a note that no column has room for is left out."""
    values = max(cells(one.value) for one in rows)
    room = width - (labels + GAP + values + GAP + 1)
    fitting = [cells(one.note) for one in rows if one.note and room - GAP - cells(one.note) >= LEAST_COURSE]
    most = max(fitting, default=0)
    wide = max(1, min(LONGEST_COURSE, room - (most + GAP if most else 0)))
    return [line for one in rows for line in _drawn(one, labels, values, most, wide, look, bar_too=one.fills)]


def _drawn(
    row: Gauge, labels: int, values: int, most: int, wide: int, look: Look, *, bar_too: bool
) -> list[Content]:  # fmt: skip
    head = Content.assemble((row.label.ljust(labels + GAP), QUIET), (row.value.rjust(values), STRONG), " " * (GAP + 1))
    note = row.note if cells(row.note) <= most else ""
    line, gap = spark(row.course, wide, row.top, look.ascii), " " * GAP
    if not bar_too:
        tail = f"{line.ljust(wide)}{gap}{note}" if note else line
        return [(head + Content.styled(tail, QUIET)).rstrip()]
    blank = Content(" " * head.cell_length)
    told = Content.styled(f"{gap}{note}", ACCENT) if note else Content("")
    made = [(head + _bar(row.course[-1] or 0.0, wide, look) + told).rstrip()]
    if row.note and not note:
        made.append(blank + Content.styled(row.note, ACCENT))
    if look.height >= _ROOMY:
        made.append((blank + Content.styled(line, QUIET)).rstrip())
    return made


def _bar(share: float, wide: int, look: Look) -> Content:
    """How full, with the rest of the pool behind it."""
    whole = bar(round(1000 * min(1.0, max(0.0, share))), 1000, wide)
    full = whole.rstrip("─")
    return Content.assemble(
        (plainer(full, look.ascii), ACCENT), (plainer(whole[len(full) :], look.ascii), QUIET)
    )  # fmt: skip


_ROOMY = 19
"""Lines of a page from which the pool has its course below its bar."""


# --- the verdict -----------------------------------------------------------------------------------------------------


def _words(look: Look) -> list[str]:
    return [look.tell(key) for key in ("wall", "lever", "ask", "why")]


def _verdict(watched: Watched, look: Look, labels: int) -> list[Line]:
    """The wall and what to do; of a server that does nothing only that."""
    last, verdict = watched.last, watched.verdict
    if watched.phase == "idle":
        return [Line(draw=sentence(look.tell("idle"), QUIET))]
    lines: list[Line] = []
    if verdict is not None:
        told = saying.told(verdict, look.lang)
        if told.problem:
            lines.append(Line(draw=sentence(look.plain(told.problem))))
        lines += _told(told, look, labels)
        if verdict.report is not None and look.height >= TALL:
            speech = Speech(look.lang, look.ascii)
            why = "" if told.ask else " ".join(speech.verdict(verdict.report))
            lines[1:1] = _row(look.tell("why"), why, look, labels, "") if lines else []
    if last is not None and not last.rated and watched.trouble is None:
        key = "restarted" if len(watched.readings) > 1 else "once"
        lines += [Line(), Line(draw=sentence(look.tell(key), QUIET))]
    return lines


def _told(told: saying.Told, look: Look, labels: int) -> list[Line]:
    rows = [("wall", told.wall, STRONG), ("lever", told.lever, ""), ("ask", told.ask, "")]
    if told.wall and not told.lever and not told.ask:
        rows[1] = ("lever", look.tell("no_lever"), QUIET)
    return [line for key, text, style in rows for line in _row(look.tell(key), text, look, labels, style)]


def _row(label: str, text: str, look: Look, labels: int, style: str) -> list[Line]:
    """A name at the left and its text, which goes on below itself."""
    if not text:
        return []
    from tutor.widgets.lines import written

    lead = Content.styled(label.ljust(labels + GAP), QUIET)
    return [Line(draw=written(Content.styled(look.plain(text), style) if style else Content(look.plain(text)), lead))]
