"""FI-1, the token train: a typed sentence as carriages with ids, read left to right, the cached ones marked kv.

The splits and the ids are an illustration (:mod:`tutor.figures.pieces`), told as such under the drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tutor.figures.base import Figure, FigureKey
from tutor.figures.parameters import Parameter
from tutor.figures.pen import DIM, KV, STRONG, Part, Pen, beside
from tutor.figures.pieces import is_word, pieces, token_id, words
from tutor.figures.rows import Row
from tutor.figures.state import State, between, hidden, put, whole, word
from tutor.figures.train_counts import columns, cuts, in_a_row

SENTENCES = (
    "The unbelievable train is late",
    "Serving moves bytes",
    "One more token, please",
    "Aaj train late hai, kal bhi train late thi",
)
MAX_TEXT = 200
"""Characters of a sentence at most."""
_WIDE = 100
_BESIDE = 30
"""Columns of the counts where they stand beside the train."""
_STRETCH = 4
"""Columns that a carriage gains at most where the line has room to spare."""
_NOTE = 8
"""Rank of the remark that all is made up: it leaves before the sentence on what to notice."""


@dataclass(frozen=True, slots=True)
class Car:
    """A carriage: its text in the signs of the terminal, its inner width in columns, whether it is cached, its id."""

    text: str
    width: int
    cached: bool
    ident: str


def _centred(text: str, width: int, fill: str = " ") -> str:
    space = max(0, width - columns(text))
    return fill * (space // 2) + text + fill * (space - space // 2)


def cars(state: State, pen: Pen) -> list[Car]:
    """The carriages of the sentence."""
    found = []
    for place, piece in enumerate(pieces(word(state, "text"))):
        ident, text = str(token_id(piece)), pen.fold(piece)
        found.append(Car(text, max(columns(text) + 2, len(ident) + 2, 6), place < whole(state, "cached"), ident))
    return found


def _trains(train: Sequence[Car], width: int) -> list[list[Car]]:
    """The carriages over as many lines as the width asks for; a single line uses what room is left.

    Of several lines each keeps a column at its end or its start for what couples it to the next.
    """
    used = sum(car.width + 3 for car in train)
    if used <= width and train:
        more = between((width - used) // len(train), 0, _STRETCH)
        return [[replace(car, width=car.width + more) for car in train]]
    lines: list[list[Car]] = [[]]
    used = 0
    for car in train:
        if used and used + car.width + 3 > width - 1:
            lines, used = [*lines, []], 0
        lines[-1].append(car)
        used += car.width + 3
    return lines


def _train(lines: Sequence[Sequence[Car]], place: int, pen: Pen, *, marks: str) -> list[Row]:
    """One line of carriages: roof, text, floor with the id. ``marks``: where kv stands, "below", "roof" or nowhere.

    A line that goes on is open at its end, and the next one at its start.
    """
    first, last = place == 0, place == len(lines) - 1
    edge = "" if len(lines) == 1 else " "
    roof, body, floor, mark = [edge], list[Part]([edge if first else "─"]), [edge], list[Part]([edge])
    for number, car in enumerate(lines[place]):
        link = " " if number else ""
        word = pen.say(f"token-train.mark.{'cached' if car.cached else 'new'}")
        style = KV if car.cached and marks else ""
        top = f" {word} " if marks == "roof" else ""
        roof.append(f"{link}┌{top.center(car.width, '─')}┐")
        body += ["─" if number else "", "│", (_centred(car.text, car.width), style), "│"]
        floor.append(f"{link}└{car.ident.center(car.width, '─')}┘")
        mark += [link, (word.center(car.width + 2), STRONG if car.cached else DIM)]
    body.append("" if last else "─")
    drawn = [pen.art("".join(roof)), pen.art(*body), pen.art("".join(floor))]
    return [*drawn, pen.art(*mark)] if marks == "below" else drawn


def _whole(lines: Sequence[Sequence[Car]], pen: Pen, *, marks: str) -> list[Row]:
    """All lines of the train."""
    return [row for place in range(len(lines)) for row in _train(lines, place, pen, marks=marks)]


def _compact(train: Sequence[Car], width: int, room: int, pen: Pen) -> list[Row]:
    """The same without frames and ids, for few lines: [text], with kv behind a cached one."""
    lines: list[list[Part]] = [[]]
    used = at = 0
    for car in train:
        text = f"[{car.text}]" + ("kv" if car.cached else "  ")
        if used and used + columns(text) > width:
            lines, used = [*lines, []], 0
        lines[-1].append((text, STRONG if car.cached else DIM))
        used += columns(text)
        at = len(lines) - 1 if car.cached else at
    return _around([pen.art(*line) for line in lines], at, room, pen)


def _around(rows: list[Row], place: int, room: int, pen: Pen) -> list[Row]:
    """The rows around one of them, where all are too many; how many lines are left out is told."""
    if len(rows) <= room:
        return rows
    start = between(place - room // 2, 0, len(rows) - (room - 1))
    left_out = pen.say("token-train.more", n=len(rows) - (room - 1))
    return [*rows[start : start + room - 1], pen.art((left_out, DIM))]


def _drawn(state: State, train: Sequence[Car], width: int, room: int, best: int, pen: Pen) -> list[Row]:
    """The train as large as it goes: at its best in ``best`` lines, else in ``room`` lines."""
    marked = not hidden(state, "cache")
    lines = _trains(train, width)
    if len(lines) * (4 if marked else 3) <= best:
        return _whole(lines, pen, marks="below" if marked else "")
    if len(lines) * 3 <= room:
        return _whole(lines, pen, marks="roof" if marked else "")
    return _compact(train, width, room, pen)


def _counted(state: State, train: Sequence[Car], pen: Pen) -> list[tuple[int, str, str]]:
    """Words and tokens, and where the cache is shown how many of them lie in it: rank, name and count."""
    cached = sum(car.cached for car in train)
    text_words = sum(is_word(parts[0]) for parts in words(word(state, "text")))
    counts = [(5, "words", text_words), (0, "tokens", len(train))]
    if not hidden(state, "cache"):
        counts += [(0, "cached", cached), (0, "new", len(train) - cached)]
    return [(rank, pen.say(f"token-train.{name}"), str(count)) for rank, name, count in counts]


def paint(state: State, pen: Pen) -> list[Row]:
    """The train, then how many carriages are cached and how many are new; in a tall window how each word was cut."""
    train = cars(state, pen)
    wide = pen.width >= _WIDE
    told = 0 if hidden(state, "note") else len(pen.caption(notice(state, pen)))
    counts = _counted(state, train, pen)
    listed, below = pen.ranked(counts, _BESIDE if wide else pen.width), 0 if wide else len(counts)
    at = pen.width - _BESIDE
    width = at - 3 if wide else pen.width
    lines = len(_trains(train, width)) * (3 if hidden(state, "cache") else 4)
    if not wide and lines + below + 1 + told > pen.height and (short := in_a_row(counts, pen)):
        listed, below = short, 1
    least = 0 if wide else sum(not row.rank for row in listed)
    rows = _drawn(state, train, width, pen.height - least, pen.height - below - 1 - told, pen)
    spoken = ", ".join(f"{car.text} {car.ident}" + (" kv" if car.cached else "") for car in train)
    rows[0] = Row(rows[0].content, 0, spoken)
    made_up = pen.wrapped(pen.say("token-train.made-up"), DIM, _NOTE)
    body = beside(rows, listed, at, pen) if wide else [*rows, pen.gap(), *listed]
    spare = pen.height - told - len(body) - len(made_up) - 1
    return [*body, *([] if hidden(state, "cache") else cuts(word(state, "text"), spare, pen)), pen.gap(), *made_up]


def notice(state: State, pen: Pen) -> str:
    """How words become carriages; where the cache is shown, what still has to go through the model."""
    text = word(state, "text")
    parts = pieces(text)
    count, cached = len(parts), whole(state, "cached")
    if not parts:
        return pen.say("token-train.notice.empty")
    if not hidden(state, "cache"):
        kind = "none" if cached == 0 else "all" if cached == count else "decode" if cached == count - 1 else "some"
        return pen.say(
            f"token-train.notice.{kind}", tokens=pen.count("tokens", count), cached=cached, new=count - cached
        )
    split = next((cut for cut in words(text) if 2 <= len(cut) <= 4), ())
    if split:
        return pen.say("token-train.notice.split", word="".join(split), n=len(split), parts=", ".join(split))
    twice = next((part for part in parts if is_word(part) and parts.count(part) > 1), "")
    if twice:
        return pen.say("token-train.notice.twice", part=twice, n=parts.count(twice))
    return pen.say("token-train.notice.each")


def _cached(by: int, state: State) -> State:
    return put(state, cached=between(whole(state, "cached") + by, 0, len(pieces(word(state, "text")))))


def _sentence(by: int, state: State) -> State:
    """The next example; a sentence of the author's own stands before the first one."""
    text = word(state, "text")
    here = SENTENCES.index(text) if text in SENTENCES else -1
    there = between(here + by, min(here, 0), len(SENTENCES) - 1)
    return state if there == here else _cached(0, put(state, text=SENTENCES[there]))


def clean(state: State, given: Mapping[str, object]) -> State:
    """A sentence of :data:`MAX_TEXT` characters at most, as many cached as there are carriages at most."""
    short = put(state, text=word(state, "text")[:MAX_TEXT])
    return _cached(0, put(short, cached=0) if hidden(state, "cache") else short)


FIGURE = Figure(
    "token-train",
    {"text": SENTENCES[0], "cached": 3, "hide": ()},
    (
        FigureKey("right", lambda state: _cached(1, state), "token-train.key.cache", "cache"),
        FigureKey("left", lambda state: _cached(-1, state), "token-train.key.uncache", "cache"),
        FigureKey("down", lambda state: _sentence(1, state), "token-train.key.next"),
        FigureKey("up", lambda state: _sentence(-1, state), "token-train.key.previous"),
    ),
    paint,
    clean,
    notice=notice,
    parameters=(
        Parameter("text", "text", least=0, most=MAX_TEXT),
        Parameter("cached", "count", least=0, most=MAX_TEXT, part="cache"),
    ),
)
