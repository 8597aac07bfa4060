"""The words and signs around a value: what parts two sides, and what says nothing and is dropped.

A text comes out as its sides: the members of an equation chain, the last of which is the answer. Labels ("KV = ",
"jawab: ", "Ans - ") are no sides. What turns a value's meaning is refused (:mod:`.refusals`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine import units
from engine.reader import words
from engine.reader.echoes import without_echoes
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.operands import Values, is_operand, is_unit, says
from engine.reader.operators import mixed, with_operators
from engine.reader.parse import FUNCTIONS_READ
from engine.reader.postfix import with_floors, with_multiples, with_verbs
from engine.reader.refusals import (
    refuse_asked_pair,
    refuse_bad_label,
    refuse_code,
    refuse_lookalikes,
    refuse_turning,
    refuse_two_numbers,
    without_question,
)
from engine.reader.spoken import with_numbers
from engine.reader.symbolized import without_symbols
from engine.reader.tokens import Token

_BYTES = ("byte", "bytes")
"""The unit of a formula's value, even where it is also a name for one of its symbols: "2*p (bytes)"."""
_EQUALS = ("=", "≈", "→", "=>")


class Sides(NamedTuple):
    """The members of an equation chain, each closed by an ``end``; a unit from the label; whether it was a guess."""

    sides: list[list[Token]]
    unit: str | None
    hedged: bool


def sides(found: Sequence[Token], names: Names) -> Sides:
    """The sides of a text.

    Raises:
        ReadError: code, question, negated, two-values, bound, range, not-a-number or syntax, with the place.
    """
    refuse_code(found, names)
    found = without_symbols(found, names) if names.known else found
    kept, asked = without_question(_without_idle(found, names), names)
    kept = with_multiples(without_echoes(kept, names))
    kept = mixed(with_numbers(kept, names.symbol))
    refuse_lookalikes(kept)
    kept = with_operators(with_floors(with_verbs(kept, names.parts)), names)
    refuse_turning(kept, names)
    kept = _without_idle_brackets(kept, names)
    hedged = asked or any(token.is_sign("~", "≈") or token.key in words.HEDGES for token in kept)
    parts, unit = _parts(kept, names)
    if asked:
        refuse_asked_pair(parts[-1])
    return Sides(parts, unit, hedged)


# --- brackets that hold no factor -------------------------------------------------------------------------------------


def _without_idle_brackets(found: list[Token], names: Names) -> list[Token]:
    """Brackets around words only, as in "1.07 (GB)" and "37 (approx)", say no more than the words."""
    idle: set[int] = set()
    open_at: list[tuple[int, int]] = []
    operands = 0
    for place, token in enumerate(found):
        operands += is_operand(token, names)
        if token.is_sign("("):
            open_at.append((place, operands))
        elif token.is_sign(")") and open_at:
            start, before = open_at.pop()
            called = start > 0 and found[start - 1].key in FUNCTIONS_READ
            alone = place == start + 2 and start > 0 and not found[start - 1].is_sign(*"+-*/^")
            unit = alone and found[start + 1].key in _BYTES
            if place > start + 1 and not called and (operands == before or unit):
                idle |= {start, place}
    return [token for place, token in enumerate(found) if place not in idle]


def _restated(part: list[Token], names: Names) -> list[list[Token]]:
    """The part, and before it the same value in brackets behind it: "1.07 GB (1073741824 bytes)"."""
    if not part or not part[-1].is_sign(")"):
        return [part]
    depth, start = 0, len(part)
    for start in range(len(part) - 1, -1, -1):
        depth += part[start].is_sign(")") - part[start].is_sign("(")
        if not depth:
            break
    main, inside = part[:start], part[start + 1 : -1]
    if not main or not any(is_operand(token, names) for token in main) or names.symbols:
        return [part]
    if main[-1].is_sign("%") or (is_unit(main[-1], names) and main[-1].end < part[start].start):
        return [inside, main]
    return [part]


def _said_twice(part: list[Token]) -> list[Token]:
    """A part without a number in brackets that repeats the number before it: "thirty seven (37) requests".

    Another number there is a second value; without a gap ("2(3)") it is a factor.
    """
    for place in range(len(part) - 3):
        number, bracket, again, closed = part[place : place + 4]
        if not (number.kind == again.kind == "number" and bracket.is_sign("(") and closed.is_sign(")")):
            continue
        if number.end < bracket.start and (place == 0 or part[place - 1].kind != "sign"):
            if number.value != again.value:
                raise ReadError("two-values", number.start, closed.end, word="(")
            return [*part[: place + 1], *part[place + 4 :]]
    return part


# --- sides ------------------------------------------------------------------------------------------------------------


def _parts(found: Sequence[Token], names: Names) -> tuple[list[list[Token]], str | None]:
    """The members of the chain, and the unit that a label names."""
    end = found[-1]
    parts: list[list[Token]] = []
    unit: str | None = None
    split = list(_split(found[:-1], names))
    for n, part in enumerate(split):
        if not any(is_operand(token, names) for token in part) and n < len(split) - 1:
            refuse_bad_label(part)
            unit = _unit_of_label(part, names) or unit
            continue
        plain = _without_fillers(part, names)
        if not plain and part and parts:  # "37 = answer"
            continue
        if not plain and any(token.kind == "word" for token in part):
            raise ReadError("not-a-number", 0, end.end)
        if not plain:
            raise ReadError("syntax", max(end.start - 1, 0), end.end, position=str(end.start), found="=")
        parts.extend([*one, end] for one in _restated(_said_twice(plain), names))
    for part in parts:
        refuse_two_numbers(part)
    return parts, unit


def _split(found: Sequence[Token], names: Names) -> Iterator[list[Token]]:
    """The stretches between equals signs, and what is as good as one."""
    part: list[Token] = []
    valued, depth = False, 0
    last = Values.of(found, names)
    for place, token in enumerate(found):
        if not depth and _is_joint(found, place, part, valued, last.after(place), names):
            if part or not token.is_sign("→", "≈"):
                yield part
            part, valued = [], False
        elif not token.is_sign("~"):
            part.append(token)
            valued = valued or is_operand(token, names)
            depth += token.is_sign("(") - token.is_sign(")")
    yield part


def _is_joint(
    found: Sequence[Token], place: int, part: Sequence[Token], valued: bool, more: bool, names: Names
) -> bool:
    """Whether a token parts two sides, or a label from its value.

    ``valued``: an operand stands before it in this part. ``more``: one stands behind it.
    """
    token = found[place]
    if token.is_sign(*_EQUALS):
        return True
    following = found[place + 1] if place + 1 < len(found) else token
    if token.is_sign("~"):
        if place and found[place - 1].kind == following.kind == "number":
            raise ReadError("range", token.start, token.end, word="~")
        return valued and following is not token
    if token.is_sign(":"):
        return not valued and any(t.kind == "word" for t in part)
    if token.is_sign("-", "+"):
        named = bool(part) and not valued and part[-1].kind == "word" and part[-1].key not in FUNCTIONS_READ
        gap = place > 0 and found[place - 1].end < token.start
        signed = gap and token.end == following.start  # "answer -37"
        if not named or following is token or signed or token.end - token.start > 1:
            return False
        if following.kind != "number" or part[-1].key in words.ANSWERS | words.HEDGES:
            return token.is_sign("-")
        # a label with a dash, or a subtraction of something unsaid: "total - 37" may be either
        raise ReadError("needs-number", part[-1].start, part[-1].end, word=part[-1].text)
    return valued and more and says(token, names) in words.SAYING


def _unit_of_label(part: Sequence[Token], names: Names) -> str | None:
    """The one unit in a label, as in "KV (MB) = 1073": of sizes, times and rates. A share may be typed as a
    fraction under a "%" too, and things that are counted need no unit."""
    if not names.units:
        return None
    found = [unit for token in part if (unit := units.find(token.text)) and len(token.text) > 1]
    measured = [unit for unit in found if unit.dimension not in (*units.COUNTS, "factor", "share")]
    return measured[0].symbol if len(measured) == 1 else None


def _without_fillers(part: Sequence[Token], names: Names) -> list[Token]:
    """A part without the words that say nothing, and without commas that part no two values."""
    kept = _without_shared([token for token in part if not _is_filler(token, names)], names)
    values = Values.of(kept, names)
    out: list[Token] = []
    depth = 0
    called = False
    for place, token in enumerate(kept):
        depth += token.is_sign("(") - token.is_sign(")")
        called = called or token.key in FUNCTIONS_READ
        if not token.is_sign(",", ";") or (depth > 0 and called):
            out.append(token)
        elif values.before(place) and values.after(place):
            raise ReadError("two-values", token.start, token.end, word=token.text)
    if len(out) > 1 and out[-1].is_sign("-") and part[-1].kind == "word":  # "1.07 GB - approx"
        out.pop()
    if names.symbols and len(out) > 1 and out[-1].key in _BYTES and not out[-2].is_sign(*"+-*/^"):
        out.pop()
    return out


def _without_shared(part: list[Token], names: Names) -> list[Token]:
    """A part without the things of which a share is taken: "94 % of the slots"."""
    out: list[Token] = []
    for token in part:
        share = bool(out) and (out[-1].is_sign("%") or out[-1].key == "percent")
        unit = units.find(token.text) if share and token.kind == "word" and names.units else None
        if unit is None or unit.dimension not in units.COUNTS:
            out.append(token)
    return out


def _without_idle(found: Sequence[Token], names: Names) -> list[Token]:
    """The tokens without the phrases that say nothing, whose words alone would."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        said = tuple(says(token, names) for token in found[at : at + 4]) if found[at].kind == "word" else ()
        length = next((n for n in range(len(said), 1, -1) if said[:n] in words.IDLE), 0)
        if not length:
            out.append(found[at])
        at += max(length, 1)
    return out


def _is_filler(token: Token, names: Names) -> bool:
    word = says(token, names)
    return bool(word) and (word in words.FILLERS or word in words.HEDGES or word in words.SAYING or word in _IDLE_RANGE)


_IDLE_RANGE = frozenset(("to", "se"))
"""Words of ranges that say nothing before the only value: "comes to 37", "mere hisaab se 37"."""
