"""FI-1, the token train: a sentence as carriages with ids, read left to right, the cached ones marked kv.

The splits and the ids are an illustration, told as such under the drawing: no tokenizer is loaded.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tutor.figures.base import Figure, FigureKey
from tutor.figures.pen import DIM, KV, STRONG, Part, Pen
from tutor.figures.rows import Row
from tutor.figures.state import State, between, hidden, put, whole, word

SENTENCES = ("The unbelievable train is late", "Serving moves bytes", "One more token, please")
_ENDINGS = ("able", "ing", "tion", "ness", "ed", "er", "s")
_STARTS = ("un", "re", "pre", "dis")
MAX_TOKENS = 24


def pieces(text: str) -> list[str]:
    """The carriages of a sentence: words, cut at a few known starts and endings, and punctuation."""
    found: list[str] = []
    for part in re.findall(r"\w+|[^\w\s]", text):
        found += _cut(part)
    return found[:MAX_TOKENS] or ["?"]


def _cut(part: str) -> list[str]:
    start = next((s for s in _STARTS if part.lower().startswith(s) and len(part) > len(s) + 5), "")
    end = next((e for e in _ENDINGS if part.lower().endswith(e) and len(part) > len(start) + len(e) + 2), "")
    middle = part[len(start) : len(part) - len(end)]
    cut = [middle[i : i + 8] for i in range(0, len(middle), 8)]
    return [piece for piece in (part[: len(start)], *cut, end and part[-len(end) :]) if piece]


def token_id(piece: str) -> int:
    """A made-up but stable id."""
    return zlib.crc32(piece.encode()) % 32000


@dataclass(frozen=True, slots=True)
class _Car:
    text: str
    width: int
    cached: bool
    ident: str


def _cars(state: State) -> list[_Car]:
    cars = []
    for place, piece in enumerate(pieces(word(state, "text"))):
        ident = str(token_id(piece))
        cars.append(_Car(piece, max(len(piece) + 2, len(ident) + 2, 6), place < whole(state, "cached"), ident))
    return cars


def _trains(cars: Sequence[_Car], width: int) -> list[list[_Car]]:
    """The carriages over as many lines as the width asks for."""
    trains: list[list[_Car]] = [[]]
    used = 0
    for car in cars:
        if used and used + car.width + 3 > width:
            trains, used = [*trains, []], 0
        trains[-1].append(car)
        used += car.width + 3
    return trains


def _train(cars: Sequence[_Car], pen: Pen, *, marked: bool) -> list[Row]:
    """One line of carriages: roof, text, floor with the id, and kv below the cached ones where they are marked."""
    roof, body, floor, mark = [""], list[Part](), [""], list[Part]()
    for place, car in enumerate(cars):
        link = " " if place else ""
        style = KV if car.cached else ""
        roof.append(f"{link}┌{'─' * car.width}┐")
        body += ["─" if place else "", "│", (car.text.center(car.width), style), "│"]
        floor.append(f"{link}└{car.ident.center(car.width, '─')}┘")
        mark += [link, (("kv" if car.cached else "new").center(car.width + 2), STRONG if car.cached else DIM)]
    drawn = [pen.art("".join(roof)), pen.art(*body), pen.art("".join(floor))]
    return [*drawn, pen.art(*mark, rank=2)] if marked else drawn


def _compact(cars: Sequence[_Car], pen: Pen) -> list[Row]:
    """The same without frames, for few lines: [text] with a star after a cached one."""
    line, rows = list[Part](), []
    used = 0
    for car in cars:
        text = f"[{car.text}]" + ("kv" if car.cached else "  ")
        if used and used + len(text) > pen.width:
            rows.append(pen.art(*line))
            line, used = [], 0
        line.append((text, STRONG if car.cached else DIM))
        used += len(text)
    return _around([*rows, pen.art(*line)], sum(car.cached for car in cars) * (len(rows) + 1) // max(1, len(cars)), pen)


def _around(rows: list[Row], place: int, pen: Pen) -> list[Row]:
    """The rows around one of them, where all are too many; how many lines are left out is told."""
    room = pen.height - 3
    if len(rows) <= room:
        return rows
    start = between(place - room // 2, 0, len(rows) - (room - 1))
    left_out = pen.say("token-train.more", n=len(rows) - (room - 1))
    return [*rows[start : start + room - 1], pen.art((left_out, DIM))]


def paint(state: State, pen: Pen) -> list[Row]:
    """The train, then how many carriages are cached and how many are new."""
    cars = _cars(state)
    trains = _trains(cars, pen.width)
    tail = 4
    marked = not hidden(state, "cache")
    if marked and len(trains) * 4 + tail <= pen.height:
        rows = [row for train in trains for row in _train(train, pen, marked=True)]
    elif len(trains) * 3 + tail <= pen.height:
        rows = [row for train in trains for row in _train(train, pen, marked=False)]
    else:
        rows = _compact(cars, pen)
    cached = sum(car.cached for car in cars)
    spoken = ", ".join(f"{car.text} {car.ident}" + (" kv" if car.cached else "") for car in cars)
    counts = [(pen.say("token-train.tokens"), str(len(cars)))]
    if marked:
        counts += [
            (pen.say("token-train.cached"), str(cached)),
            (pen.say("token-train.new"), str(len(cars) - cached)),
        ]
    rows[0] = Row(rows[0].content, rows[0].rank, spoken)
    return [*rows, pen.gap(), *pen.pairs(counts), *pen.caption(pen.say("token-train.caption"))]


def _cached(by: int, state: State) -> State:
    return put(state, cached=between(whole(state, "cached") + by, 0, len(pieces(word(state, "text")))))


def _sentence(by: int, state: State) -> State:
    """The next example; a sentence of the author's own stands before the first one."""
    text = word(state, "text")
    here = SENTENCES.index(text) if text in SENTENCES else -1
    there = between(here + by, min(here, 0), len(SENTENCES) - 1)
    return state if there == here else _cached(0, put(state, text=SENTENCES[there]))


def clean(state: State, given: Mapping[str, object]) -> State:
    """As many cached as there are carriages at most."""
    return _cached(0, put(state, cached=0) if hidden(state, "cache") else state)


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
)
