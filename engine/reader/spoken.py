"""Numbers in words, in both languages, among the tokens of an answer: each run of them becomes one number.

"thirty seven", "ek sau bees", "one point zero seven", "dedh lakh", "saadhe teen", "three quarters", "6 and a half",
"1 crore 7 lakh". Digits may stand for any of the small numbers. A plain number, with or without words that multiply
it ("107.4 crore"), is left as it is: its typed digits count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from engine.reader import words
from engine.reader.tokens import Token

HALF = Fraction(1, 2)


def with_numbers(found: Sequence[Token], is_symbol: Callable[[str], object]) -> list[Token]:
    """The tokens with every number in words as a number token. Words that are symbols here stay words."""
    out: list[Token] = []
    at = 0
    while at < len(found):
        shared = found[at].key in words.SHARED and any(token.kind == "number" for token in out)
        if shared or found[at].kind not in ("number", "word"):
            out.append(found[at])
            at += 1
            continue
        run = _Run(found, at, is_symbol)
        token = run.read()
        if token is None:
            out.append(found[at])
            at += 1
        else:
            out.append(token)
            at = run.at
    return out


class _Run:
    """One attempt to read a number in words from a place on."""

    def __init__(self, found: Sequence[Token], at: int, is_symbol: Callable[[str], object]) -> None:
        self.found = found
        self.start = self.at = at
        self.is_symbol = is_symbol
        self.worded = False  # whether a word other than a multiplier was used
        self.scaled = self.parts = 0

    def read(self) -> Token | None:
        """The number that begins here, or ``None`` when none does or it is better left to the parser."""
        value = self._value()
        if value is None or self.at == self.start or (not self.worded and self.scaled <= 1 and self.parts == 1):
            return None
        first, last = self.found[self.start], self.found[self.at - 1]
        return Token("number", _written(value, bool(self.scaled)), first.start, last.end, value)

    # --- one token ---

    def _key(self, ahead: int = 0) -> str:
        place = self.at + ahead
        token = self.found[place] if place < len(self.found) else self.found[-1]
        return "" if token.kind != "word" or self.is_symbol(token.text) else token.key

    def _take(self) -> None:
        self.at += 1

    def _word(self, table: dict[str, Fraction]) -> Fraction | None:
        value = table.get(self._key())
        if value is not None:
            self.worded = True
            self._take()
        return value

    # --- the grammar ---

    def _value(self) -> Fraction | None:
        if self._key() in words.POINT and self._key(1) in words.SMALL:
            return self._decimals(Fraction(0))
        fraction = self._word(words.FRACTIONS)
        if fraction is not None:  # "aadha", and "half of" is left to the operators
            return self._times(fraction)
        own = self._word(words.SPOKEN)
        if own is not None:
            return self._times(own)
        shifted = self._shifted()
        if shifted is not None:
            return shifted
        return self._sum()

    def _times(self, value: Fraction) -> Fraction:
        """A value with the multipliers behind it: dedh lakh, 2 lakh crore."""
        while times := words.MULTIPLIERS.get(self._key()):
            self.scaled += 1
            value *= times
            self._take()
        return value

    def _shifted(self) -> Fraction | None:
        """ "sava do", "saadhe teen lakh", "paune do crore", "sava lakh"."""
        if self._key() not in words.MORE_THAN_ONE:
            return None
        add, alone = words.MORE_THAN_ONE[self._key()]
        self.worded = True
        self._take()
        small = self._small()
        if small is not None:
            return self._times(small + add)
        return self._times(1 + add) if alone else None

    def _small(self) -> Fraction | None:
        """A number below a hundred: in words, or a plain whole number in digits."""
        token = self.found[self.at]
        if token.kind == "number" and token.text.isdigit():
            self._take()
            return token.value
        small = words.SMALL.get(self._key())
        if small is None:
            return None
        self.worded = True
        self._take()
        if small >= 20 and small % 10 == 0:
            return Fraction(small + self._ones())
        return Fraction(small)

    def _ones(self) -> int:
        """The ones behind a ten: "thirty seven", "thirty-seven"."""
        hyphen = self.found[self.at].is_sign("-")
        ones = words.SMALL.get(self._key(int(hyphen)), 0)
        if not 1 <= ones <= 9:
            return 0
        self.at += 1 + hyphen
        return ones

    def _sum(self) -> Fraction | None:
        """Groups of falling size: "one lakh twenty thousand five hundred and six"; then a point or a fraction."""
        total, last = Fraction(0), Fraction(10**30)
        group: Fraction | None = None
        while True:
            before, decimals = self.at, group is None and self._decimal()
            part = decimals if decimals else self._small() if group is None or self._joins(group) else None
            if part is None and group is None and self._bare_multiplier():
                part = Fraction(1)
            if part is None:
                break
            if part >= last:  # no rest of what stands before it
                self.at = before
                break
            self.parts += 1
            group = part if group is None else group + part
            if self._key() in words.MULTIPLIERS:
                size = words.MULTIPLIERS[self._key()]
                if size == 100 and group < 100 and group.denominator == 1:
                    group *= size
                    self.scaled += 1
                    self._take()
                    if self._key() not in words.MULTIPLIERS:
                        self._skip_and()
                        continue
                scale = self._times(Fraction(1))
                if last == 1000 and scale > last and group < last:  # "2 thousand 600 crore"
                    total, last, group = (total + group) * scale, scale, None
                    continue
                if scale >= last:
                    self.at = before
                    group = None
                    break
                total, last, group = total + group * scale, scale, None
                self._skip_and()
                continue
            break
        if group is None and not self.parts:
            return None
        return self._with_parts(total + (group or 0), group)

    def _joins(self, group: Fraction) -> bool:
        """Whether a small number may follow: only behind whole hundreds."""
        return group >= 100 and group % 100 == 0 and self.found[self.at - 1].kind == "word"

    def _bare_multiplier(self) -> bool:
        """ "sau", "a hundred", "hazaar" for one of them; only long words, and only at the beginning."""
        before = self.found[self.start - 1] if self.start else self.found[-1]
        opens = self.at == self.start and len(self._key()) > 2 and self._key() in words.MULTIPLIERS
        opens = opens and before.kind != "number" and before.key not in words.MULTIPLIERS
        self.worded |= opens
        return opens

    def _decimal(self) -> Fraction | None:
        """A number typed with a point or an exponent, which a multiplier must follow to be read here."""
        token = self.found[self.at]
        if token.kind != "number" or token.text.isdigit() or self._key(1) not in words.MULTIPLIERS:
            return None
        self._take()
        return token.value

    def _skip_and(self) -> None:
        """An "and" or "aur" before the smaller rest."""
        token = self.found[min(self.at + 1, len(self.found) - 1)]
        small = words.SMALL.get(self._key(1)) is not None or (token.kind == "number" and token.text.isdigit())
        if self._key() in ("and", "aur") and small:
            self._take()

    def _with_parts(self, value: Fraction, group: Fraction | None) -> Fraction:
        if self._key() in words.POINT:
            return self._decimals(value)
        if value.denominator != 1:
            return value
        joined = self._key() in ("and", "aur")
        ahead = 1 + (self._key(1) == "a") if joined else 0
        hyphen = self.worded and not joined and self.found[self.at].is_sign("-")  # "three-quarters"
        ahead += hyphen
        share = words.FRACTIONS.get(self._key(ahead))
        if share is None or (not joined and group is None):
            return value
        self.at += ahead + 1
        self.worded = True
        return value + share if joined else value * share

    def _decimals(self, value: Fraction) -> Fraction:
        """The digits behind "point": words and digits, one after another."""
        start, digits = self.at, ""
        self._take()
        while True:
            token = self.found[self.at]
            if token.kind == "number" and token.text.isdigit():
                digits += token.text
            elif self._key() in words.SMALL:
                digits += str(words.SMALL[self._key()])
            else:
                break
            self._take()
        if not digits or len(digits) > 30:
            self.at = start
            return value
        self.worded = True
        return self._times(value + Fraction(int(digits), 10 ** len(digits)))


def _written(value: Fraction, scaled: bool) -> str:
    """A value as digits, so that a spoken number is as exact as the same number typed; a fraction stays one."""
    rest, places = value, 0
    while rest.denominator != 1 and places <= 30:
        rest, places = rest * 10, places + 1
    if rest.denominator != 1:
        return str(value)
    digits = str(rest.numerator)
    if places:
        return f"{digits[:-places] or '0'}.{digits[-places:].rjust(places, '0')}"
    zeros = len(digits) - len(digits.rstrip("0")) if scaled and value else 0
    return f"{digits[: len(digits) - zeros]}e{zeros}" if zeros else digits
