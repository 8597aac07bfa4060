"""Operators in words ("into", "divided by", "ki power") become signs, and mixed numbers ("6 1/2") one number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.reader import words
from engine.reader.names import Names
from engine.reader.operands import is_operand, is_unit, says
from engine.reader.parse import FUNCTIONS_READ
from engine.reader.tokens import Token

_LONGEST_PHRASE = 5
_OPENING = frozenset(phrase[0] for table in (words.OPERATORS, words.AFTER, words.BEFORE) for phrase in table) | {"of"}
"""First words of the phrases that are operators."""


def with_operators(found: Sequence[Token], names: Names) -> list[Token]:
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
    behind = bool(out) and (is_operand(out[-1], names) or out[-1].is_sign(")", "%") or is_unit(out[-1], names))
    if says(found[at], names) == "of" and behind and is_operand(found[at + 1], names) and _is_share(out[-1]):
        return [("sign", "of", nothing)], 1
    if names.parts and says(found[at], names) == "of" and out and _is_part(out[-1], found[at + 1]):  # "8 of 128"
        return [("sign", "/", nothing)], 1
    for length in range(min(_LONGEST_PHRASE, len(found) - 1 - at), 0, -1):
        phrase = tuple(says(token, names) for token in found[at : at + length])
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


def mixed(found: Sequence[Token]) -> list[Token]:
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
