"""Calculations in the order of a Hindi sentence, where the verb stands last, and functions named behind their value.

"1.5 ko 255 se divide karo", "128 mein se 8", "15 ka aadha", "twice 0.537 GB", "37.25, floor 37".
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine import units
from engine.reader import words
from engine.reader.errors import ReadError
from engine.reader.tokens import Token
from engine.tree import FUNCTIONS

_ASKED = (words.DIVIDING | words.MULTIPLYING | words.SUBTRACTING | words.ADDING) - words.FACTORS
_GENITIVE = frozenset(("ka", "ke", "ki"))
_IN = frozenset(("mein", "me", "min", "main"))
_OPERATORS = "+-*/^×:"
_NAMED = {"floor": "floor", "floored": "floor", "ceil": "ceil", "ceiling": "ceil", "ceiled": "ceil", "round": "round"}
_BETWEEN = frozenset(map(words.key, "karke kiya karo kar ke lo to toh so down up off hua is le lene it".split()))


def _sign(text: str, like: Token) -> Token:
    return Token("sign", text, like.start, like.end)


# --- "15 ka aadha", "twice 0.537" -------------------------------------------------------------------------------------


def with_multiples(found: Sequence[Token]) -> list[Token]:
    """The tokens with a sign between a value and the multiple or fraction that is taken of it."""
    out: list[Token] = []
    for place, token in enumerate(found):
        if token.key == "do" and place and found[place - 1].key in _ASKED and found[place + 1].text in ("", ")"):
            continue  # "bhaag do" asks, it is no 2
        if token.key in _GENITIVE and out and _ends_value(out[-1]) and _is_multiple(found, place + 1):
            out.append(_sign("*", token))
            continue
        out.append(token)
        following = found[min(place + 1, len(found) - 1)]
        if token.key in words.SPOKEN and words.SPOKEN[token.key].denominator == 1 and following.kind == "number":
            out.append(_sign("*", token))
    return out


def _ends_value(token: Token) -> bool:
    numeral = token.key in words.SMALL or token.key in words.MULTIPLIERS
    return token.kind == "number" or token.is_sign("%", ")") or numeral or _is_unit(token)


def _is_multiple(found: Sequence[Token], at: int) -> bool:
    """Whether a multiple begins here: "aadha", "dugna", "teen chauthai"; "ek chauthai"."""
    if found[at].key in words.FRACTIONS or found[at].key in words.SPOKEN:
        return True
    return at + 1 < len(found) and found[at].key in words.SMALL and found[at + 1].key in words.FRACTIONS


def _is_unit(token: Token) -> bool:
    return token.kind == "word" and units.find(token.text) is not None


# --- "1.5 ko 255 se divide karo", "128 mein se 8" ---------------------------------------------------------------------


def with_verbs(found: Sequence[Token], parts: bool) -> list[Token]:
    """The tokens with a verb behind two values as the sign between them.

    ``parts``: whether "128 mein se 8" alone is a share.
    """
    out: list[Token] = []
    at = 0
    while at < len(found):
        read = _calculation(found, at, parts)
        if read is None:
            out.append(found[at])
            at += 1
        else:
            tokens, at = read
            out.extend(tokens)
    return out


def _calculation(found: Sequence[Token], at: int, parts: bool) -> tuple[list[Token], int] | None:
    """The calculation that begins at a place, in the order of signs, and the place behind it."""
    if found[at].kind != "number" or (at and found[at - 1].kind == "sign" and found[at - 1].text in "*/^"):
        return None
    first_end = _value_end(found, at)
    second, case = _case(found, first_end)
    if not case or found[second].kind != "number":
        return None
    second_end = _value_end(found, second)
    first, other = list(found[at:first_end]), list(found[second:second_end])
    marked = found[second_end].key == "se"
    verb = second_end + marked
    said = found[verb].key
    middle = found[first_end]
    if case == "ko" and marked:
        if said in words.DIVIDING:
            return [*first, _sign("/", middle), *other], verb + 1
        if said in words.MULTIPLYING:
            return [*first, _sign("*", middle), *other], verb + 1
        if said in words.SUBTRACTING:
            return [*other, _sign("-", middle), *first], verb + 1
    if case in ("in-from", "from") and not marked and said in words.SUBTRACTING:
        return [*first, _sign("-", middle), *other], verb + 1
    if case == "in" and not marked and said in words.ADDING:
        return [*first, _sign("+", middle), *other], verb + 1
    if case == "in-from" and parts and not marked:
        return [*_bare(other), _sign("/", middle), *_bare(first)], second_end
    return None


def _value_end(found: Sequence[Token], at: int) -> int:
    """The place behind a number and its unit."""
    return at + 1 + (_is_unit(found[at + 1]) or found[at + 1].is_sign("%"))


def _case(found: Sequence[Token], at: int) -> tuple[int, str]:
    """The place behind the words between two values, and what they say: ko, in, in-from, from, or nothing."""
    said = found[at].key
    if said == "ko":
        return at + 1, "ko"
    if said in _IN:
        return (at + 2, "in-from") if found[at + 1].key == "se" else (at + 1, "in")
    return (at + 1, "from") if said == "se" else (at, "")


def _bare(value: list[Token]) -> list[Token]:
    """A value without the name of what is counted: of things and things there is only a share."""
    counted = len(value) == 2 and value[1].kind == "word" and units.find(value[1].text)
    return value[:1] if counted and counted.dimension in units.COUNTS else value


# --- "37.25, floor 37", "37.25 (floor)" -------------------------------------------------------------------------------


def with_floors(found: Sequence[Token]) -> list[Token]:
    """The tokens with a rounding that is named behind its value carried out.

    Raises:
        ReadError: two-values, when the number that follows is not what the rounding gives.
    """
    for place, token in enumerate(found):
        if place and token.text.lower() in _NAMED and not found[place + 1].is_sign("("):
            return _rounded(found, place) or list(found)
    return list(found)


def _rounded(found: Sequence[Token], place: int) -> list[Token] | None:
    before, after = _value_before(found, place), place + 1
    while found[after].key in _BETWEEN or found[after].is_sign("=", "→", "≈", ",", ")"):
        after += 1
    rest = found[after]
    if before is None or rest.kind not in ("number", "end"):
        return None
    name = _NAMED[found[place].text.lower()]
    if name == "round":  # to how many places is not said: the chain has to agree
        joint = [_sign("→", found[place])] if rest.kind == "number" else []
        return [*_closed(found[:place]), *joint, *found[after:]]
    if before and found[before - 1].is_sign(*_OPERATORS):
        return _called(found, place, name, rest) if rest.kind == "end" else None
    whole = Fraction(FUNCTIONS[name](found[before].value))
    if rest.kind == "number":
        if rest.value != whole:
            raise ReadError("two-values", found[before].start, rest.end, word=found[place].text)
        return list(found[after:])
    result = Token("number", str(whole), found[before].start, found[before].end, whole)
    return [*found[:before], result, *_closed(found[before + 1 : place]), rest]


def _value_before(found: Sequence[Token], place: int) -> int | None:
    """The place of the number that is rounded: what is rounded has no unit, or is counted."""
    at = place - 1
    while at >= 0 and _parts_off(found[at]):
        at -= 1
    unit = units.find(found[at].text) if at > 0 and found[at].kind == "word" else None
    if unit is not None and unit.dimension in units.COUNTS:
        at -= 1
    return at if at >= 0 and found[at].kind == "number" else None


def _parts_off(token: Token) -> bool:
    """Whether a token only stands between a value and the function behind it."""
    return token.is_sign(",", ";", "(") or token.key in _GENITIVE or token.key in _BETWEEN


def _closed(found: Sequence[Token]) -> list[Token]:
    """Tokens without the comma or the bracket that opened before the function's name."""
    out = list(found)
    while out and _parts_off(out[-1]):
        out.pop()
    return out


def _called(found: Sequence[Token], place: int, name: str, end: Token) -> list[Token]:
    """The last side of a chain with the function around it."""
    inside = _closed(found[:place])
    start = max((n + 1 for n, token in enumerate(inside) if token.is_sign("=", "→", "≈")), default=0)
    call = Token("word", name, inside[start].start, inside[start].end)
    return [*inside[:start], call, _sign("(", call), *inside[start:], _sign(")", inside[-1]), end]
