"""Words and signs that say what a value is not, or that it is not one value: each is refused, with its place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.names import Names
from engine.reader.operands import Values, is_operand, is_unit, says
from engine.reader.parse import FUNCTIONS_READ
from engine.reader.tokens import Token

_LOOKALIKE = str.maketrans("OoIlSs", "001155")


def refuse_code(found: Sequence[Token], names: Names) -> None:
    """Refuse what looks like a program: nothing of it is ever run."""
    for token in found:
        lower = token.text.lower()
        if token.is_sign("<<", ">>"):
            raise ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)
        if token.kind == "word" and not names.symbol(token.text) and (lower in words.CODE or "__" in lower):
            raise ReadError("code", token.start, token.end, word=token.text)


def without_question(found: Sequence[Token], names: Names) -> tuple[list[Token], bool]:
    """The tokens without a question mark at the end, which makes a value a guess; a real question is refused."""
    end = len(found) - 1
    while end and found[end - 1].is_sign("?"):
        end -= 1
    asked = end < len(found) - 1
    for token in found[:end]:
        if token.is_sign("?"):
            raise ReadError("bad-characters", token.start, char="?", position=str(token.start + 1))
        if says(token, names) in words.QUESTIONS:
            raise ReadError("question", token.start, token.end, word=token.text)
    if asked and end and says(found[0], names) in words.ASKING:
        raise ReadError("question", found[0].start, found[0].end, word=found[0].text)
    if not end:
        raise ReadError("not-a-number", 0, found[-1].end)
    return [*found[:end], found[-1]], asked


def refuse_turning(found: Sequence[Token], names: Names) -> None:
    """Refuse a text in which some word or sign says what the value is not, or that it is not one value."""
    said = [says(token, names) for token in found]
    values = Values.of(found, names)
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
        measured = is_operand(before, names) or is_unit(before, names)
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


def _turns(reason: str, found: Sequence[Token], place: int, values: Values, names: Names) -> bool:
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
            said = [says(t, names) for t in label if t.kind == "word"]
            own = any(w not in words.BOUNDS and w not in words.FILLERS and w not in words.RANGES for w in said)
            return own or any(w in words.NAMING_BOUNDS for w in said)
    return False


def refuse_lookalikes(found: Sequence[Token]) -> None:
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


def refuse_asked_pair(side: Sequence[Token]) -> None:
    """ "1/2?" may ask about one or the other."""
    values = [token for token in side[:-1] if token.kind != "word" and not token.is_sign("%")]
    if [token.kind for token in values] == ["number", "sign", "number"] and values[1].is_sign("/"):
        raise ReadError("two-values", values[0].start, values[2].end, word="/")


def refuse_bad_label(part: Sequence[Token]) -> None:
    """A side without a value must be a name of some words."""
    if part and not any(token.kind == "word" for token in part):
        token = part[0]
        raise ReadError("syntax", token.start, token.end, position=str(token.start + 1), found=token.text)


def refuse_two_numbers(side: Sequence[Token]) -> None:
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
