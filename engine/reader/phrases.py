"""The words and signs around a value: what turns its meaning is refused, what says nothing is dropped.

A text comes out as its sides: the members of an equation chain, the last of which is the answer. Labels ("KV = ",
"jawab: ", "Ans - ") are no sides. Operators in words ("into", "divided by", "ki power") become signs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from engine import units
from engine.reader import words
from engine.reader.echoes import without_echoes
from engine.reader.errors import ReadError
from engine.reader.parse import FUNCTIONS_READ, Names
from engine.reader.postfix import with_floors, with_multiples, with_verbs
from engine.reader.spoken import with_numbers
from engine.reader.symbolized import without_symbols
from engine.reader.tokens import Token

_LOOKALIKE = str.maketrans("OoIlSs", "001155")
_LONGEST_PHRASE = 5
_OPENING = frozenset(phrase[0] for table in (words.OPERATORS, words.AFTER, words.BEFORE) for phrase in table) | {"of"}
"""First words of the phrases that are operators."""
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
    _refuse_code(found, names)
    found = without_symbols(found, names) if names.known else found
    kept, asked = _without_question(_without_idle(found, names), names)
    kept = with_multiples(without_echoes(kept, names))
    kept = _mixed(with_numbers(kept, names.symbol))
    _refuse_lookalikes(kept)
    kept = _with_operators(with_floors(with_verbs(kept, names.parts)), names)
    _refuse_turning(kept, names)
    kept = _without_idle_brackets(kept, names)
    hedged = asked or any(token.is_sign("~", "≈") or token.key in words.HEDGES for token in kept)
    parts, unit = _parts(kept, names)
    if asked:
        _refuse_asked_pair(parts[-1])
    return Sides(parts, unit, hedged)


def is_operand(token: Token, names: Names) -> bool:
    """Whether a token is part of a value: a number, or a symbol of the formula asked for."""
    if token.kind == "number":
        return True
    symbolic = bool(names.symbols) and token.kind == "word"
    return symbolic and bool(names.symbol(token.text) or names.split(token.text))


class _Values(NamedTuple):
    """Where the operands of some tokens stand: asked once, since every word asks what stands before and behind it."""

    first: int
    last: int

    @classmethod
    def of(cls, found: Sequence[Token], names: Names) -> _Values:
        """The places of the first and the last operand; both -1 when there is none."""
        places = [place for place, token in enumerate(found) if is_operand(token, names)]
        return cls(places[0], places[-1]) if places else cls(-1, -1)

    def before(self, place: int) -> bool:
        """Whether an operand stands before a place."""
        return 0 <= self.first < place

    def after(self, place: int) -> bool:
        """Whether an operand stands behind a place."""
        return self.last > place


def _says(token: Token, names: Names) -> str:
    """The key of a word that is no symbol; empty for anything else."""
    return "" if token.kind != "word" or names.symbol(token.text) else token.key


# --- refusals ---------------------------------------------------------------------------------------------------------


def _without_idle(found: Sequence[Token], names: Names) -> list[Token]:
    """The tokens without the phrases that say nothing, whose words alone would."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        said = tuple(_says(token, names) for token in found[at : at + 4]) if found[at].kind == "word" else ()
        length = next((n for n in range(len(said), 1, -1) if said[:n] in words.IDLE), 0)
        if not length:
            out.append(found[at])
        at += max(length, 1)
    return out


def _refuse_code(found: Sequence[Token], names: Names) -> None:
    for token in found:
        lower = token.text.lower()
        if token.is_sign("<<", ">>"):
            raise ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)
        if token.kind == "word" and not names.symbol(token.text) and (lower in words.CODE or "__" in lower):
            raise ReadError("code", token.start, token.end, word=token.text)


def _without_question(found: Sequence[Token], names: Names) -> tuple[list[Token], bool]:
    """The tokens without a question mark at the end, which makes a value a guess; a real question is refused."""
    end = len(found) - 1
    while end and found[end - 1].is_sign("?"):
        end -= 1
    asked = end < len(found) - 1
    for token in found[:end]:
        if token.is_sign("?"):
            raise ReadError("bad-characters", token.start, char="?", position=str(token.start + 1))
        if _says(token, names) in words.QUESTIONS:
            raise ReadError("question", token.start, token.end, word=token.text)
    if asked and end and _says(found[0], names) in words.ASKING:
        raise ReadError("question", found[0].start, found[0].end, word=found[0].text)
    if not end:
        raise ReadError("not-a-number", 0, found[-1].end)
    return [*found[:end], found[-1]], asked


def _refuse_turning(found: Sequence[Token], names: Names) -> None:
    """Refuse a text in which some word or sign says what the value is not, or that it is not one value."""
    said = [_says(token, names) for token in found]
    values = _Values.of(found, names)
    for reason, vocabulary, signs in (
        ("negated", words.NEGATIONS, ("≠",)),
        ("range", words.RANGES, ("±",)),
        ("two-values", words.ALTERNATIVES, ("&", "|", "||")),
        ("bound", words.BOUNDS, ("<", ">")),
    ):
        for place, (token, word) in enumerate(zip(found, said, strict=True)):
            compared = reason == "bound" and word in words.COMPARED and _behind_factor(found, said, place)
            turns = word in vocabulary and _turns(reason, found, place, values, names)
            if compared or turns or (not word and token.text in signs):
                more = {"more": "factor"} if compared else {}
                raise ReadError(reason, token.start, token.end, word=token.text, **more)
    for place in range(1, len(found)):  # "38 se" alone compares with something left out; "mere hisaab se" does not
        before = found[place - 2 if place > 1 and said[place - 1] == "mein" else place - 1]  # "37 mein se"
        measured = is_operand(before, names) or _is_unit(before, names)
        if said[place] == "se" and (measured or before.is_sign("%")):
            raise ReadError("bound", found[place].start, found[place].end, word=found[place].text)
    last = found[-2] if len(found) > 1 else found[-1]  # words that repeat the question may be all there was
    if last.is_sign("+"):
        raise ReadError("bound", last.start, last.end, word=last.text)
    if found[0].is_sign("=>"):
        raise ReadError("bound", found[0].start, found[0].end, word=found[0].text)


def _behind_factor(found: Sequence[Token], said: Sequence[str], place: int) -> bool:
    """Whether a comparing word stands behind a factor, as in "4x smaller". ("37 more" gives no direction.)"""
    return place > 0 and (said[place - 1] in words.FACTORS or found[place - 1].is_sign("×"))


def _turns(reason: str, found: Sequence[Token], place: int, values: _Values, names: Names) -> bool:
    """Whether a word of a list turns the meaning where it stands."""
    word = found[place].key
    if reason == "range":
        return word in ("between", "bich") or (values.before(place) and values.after(place))
    if reason == "bound":
        if found[place + 1].is_sign("(") and word in FUNCTIONS_READ:
            return False
        named = values.after(place) and not values.before(place) and _in_label(found, place, names)
        return not named
    return True


def _in_label(found: Sequence[Token], place: int, names: Names) -> bool:
    """Whether a word belongs to a name before an equals sign, as in "max requests = 37"."""
    for token in found[place:]:
        if token.is_sign("=", "≈", ":"):
            label = found[: found.index(token)]
            said = [_says(t, names) for t in label if t.kind == "word"]
            own = any(w not in words.BOUNDS and w not in words.FILLERS and w not in words.RANGES for w in said)
            return own or any(w in words.NAMING_BOUNDS for w in said)
    return False


def _refuse_lookalikes(found: Sequence[Token]) -> None:
    """A letter among digits, as in "1.O7", is asked about."""
    for one, two in pairwise(found):
        if {one.kind, two.kind} != {"number", "word"} or one.end != two.start:
            continue
        written = one.text + two.text
        word = one.text if one.kind == "word" else two.text
        mended = written.translate(_LOOKALIKE)
        digits = mended.replace(".", "", 1).isdigit()
        if digits and (any(char.isdigit() for char in word) or one.kind == "word") and word not in ("s", "S"):
            raise ReadError("not-a-number", one.start, two.end, word=written, suggest=mended, more="letter")


def _refuse_asked_pair(side: Sequence[Token]) -> None:
    """ "1/2?" may ask about one or the other."""
    values = [token for token in side[:-1] if token.kind != "word" and not token.is_sign("%")]
    if [token.kind for token in values] == ["number", "sign", "number"] and values[1].is_sign("/"):
        raise ReadError("two-values", values[0].start, values[2].end, word="/")


# --- operators in words -----------------------------------------------------------------------------------------------


def _with_operators(found: Sequence[Token], names: Names) -> list[Token]:
    """Words between, before and behind operands as the signs that they are."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        signs, length = _operator(found, at, out, names) if found[at].key in _OPENING else ([], 0)
        if length:
            start, end = found[at].start, found[at + length - 1].end
            out.extend(Token(kind, text, start, end, value) for kind, text, value in signs)
            at += length
        else:
            out.append(found[at])
            at += 1
    return out


def _operator(
    found: Sequence[Token], at: int, out: Sequence[Token], names: Names
) -> tuple[list[tuple[str, str, Fraction]], int]:
    """The tokens that a phrase stands for, and how many tokens it is; a length of 0 when none begins here."""
    nothing = Fraction(0)
    behind = bool(out) and (is_operand(out[-1], names) or out[-1].is_sign(")", "%") or _is_unit(out[-1], names))
    if _says(found[at], names) == "of" and behind and is_operand(found[at + 1], names) and _is_share(out[-1]):
        return [("sign", "of", nothing)], 1
    if names.parts and _says(found[at], names) == "of" and out and _is_part(out[-1], found[at + 1]):  # "8 of 128"
        return [("sign", "/", nothing)], 1
    for length in range(min(_LONGEST_PHRASE, len(found) - 1 - at), 0, -1):
        phrase = tuple(_says(token, names) for token in found[at : at + length])
        if not all(phrase):
            continue
        following = found[at + length]
        ahead = is_operand(following, names) or following.is_sign("(", "-") or following.key in FUNCTIONS_READ
        if behind and ahead and phrase in words.OPERATORS:
            return [("sign", words.OPERATORS[phrase], nothing)], length
        if behind and not ahead and phrase in words.AFTER:
            power = words.AFTER[phrase]
            return [("sign", "^", nothing), ("number", power, Fraction(int(power)))], length
        if not behind and ahead and phrase in words.BEFORE:
            sign = words.BEFORE[phrase]
            return [("word" if sign.isalpha() else "sign", sign, nothing)], length
    return [], 0


def _is_share(token: Token) -> bool:
    return token.is_sign("%") or token.key == "percent" or (token.kind == "number" and 0 < token.value < 1)


def _is_part(token: Token, whole: Token) -> bool:
    return token.kind == whole.kind == "number" and 1 <= token.value < whole.value


def _is_unit(token: Token, names: Names) -> bool:
    return token.kind == "word" and names.units and units.find(token.text) is not None


def _mixed(found: Sequence[Token]) -> list[Token]:
    """The tokens with mixed numbers joined: "6 1/2", "6 and 1/2"."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        joint = 1 + (at + 1 < len(found) and found[at + 1].key in ("and", "aur"))
        five = found[at : at + joint + 4]
        if len(five) == joint + 4 and _is_mixed([five[0], *five[joint:]]):
            whole, above, below = five[0], five[joint], five[joint + 2]
            value = whole.value + above.value / below.value
            written = f"{whole.text} {above.text}/{below.text}"
            out.append(Token("number", written, whole.start, below.end, value))
            at += joint + 3
        else:
            out.append(found[at])
            at += 1
    return out


def _is_mixed(five: Sequence[Token]) -> bool:
    whole, above, slash, below, after = five
    digits = all(token.kind == "number" and token.text.isdigit() for token in (whole, above, below))
    apart = digits and slash.is_sign("/") and whole.end < above.start
    return apart and 0 < above.value < below.value <= 1000 and not after.is_sign("^", "/", "(")


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
    if main[-1].is_sign("%") or (_is_unit(main[-1], names) and main[-1].end < part[start].start):
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
            _refuse_bad_label(part)
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
        _refuse_two_numbers(part)
    return parts, unit


def _split(found: Sequence[Token], names: Names) -> Iterator[list[Token]]:
    """The stretches between equals signs, and what is as good as one."""
    part: list[Token] = []
    valued, depth = False, 0
    last = _Values.of(found, names)
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
    return valued and more and _says(token, names) in words.SAYING


def _refuse_bad_label(part: Sequence[Token]) -> None:
    """A side without a value must be a name of some words."""
    if part and not any(token.kind == "word" for token in part):
        token = part[0]
        raise ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)


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
    values = _Values.of(kept, names)
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


def _is_filler(token: Token, names: Names) -> bool:
    word = _says(token, names)
    return bool(word) and (word in words.FILLERS or word in words.HEDGES or word in words.SAYING or word in _IDLE_RANGE)


_IDLE_RANGE = frozenset(("to", "se"))
"""Words of ranges that say nothing before the only value: "comes to 37", "mere hisaab se 37"."""


def _refuse_two_numbers(side: Sequence[Token]) -> None:
    """Two numbers side by side, or parted by a dash drawn as "--"; and a dash that is minus sign or bullet."""
    bullet = side[0].is_sign("-") and side[0].end - side[0].start == 1 and side[0].end < side[1].start
    if bullet and side[1].kind == "number":
        raise ReadError("syntax", side[0].start, side[0].end, position=str(side[0].start + 1), found="-")
    for one, two in pairwise(side[1:]):
        if one.is_sign("-") and two.is_sign("-") and one.end == two.start and side[0].kind == "number":
            raise ReadError("range", one.start, two.end, word="--")
    for first, second in pairwise(side):
        if first.kind == second.kind == "number":
            raise ReadError("two-values", first.start, second.end, word=second.text)
