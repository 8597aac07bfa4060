"""Units: exact factors, one table, and the printing of exact values.

GB is 10^9 bytes and GiB is 2^30 bytes, always (SI and IEC 80000-13). A value inside the engine is a
``Fraction`` in the base unit of its dimension: bytes, tokens, seconds, FLOP/s and so on; shares are plain
ratios (94 % is 47/50). Units appear only where a value enters or leaves.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

Digits = int | Literal["all"] | None
"""How many significant digits to print; ``"all"`` prints every digit, ``None`` a readable default of four."""


class Unit(NamedTuple):
    """One unit: its printed symbol, what it measures, and how many base units one of it holds."""

    symbol: str
    dimension: str
    factor: Fraction


def _scaled(symbols: str, dimension: str, step: int, first: int = 1) -> dict[str, Unit]:
    """Units whose factors are successive powers of ``step``, smallest first."""
    factors = enumerate(symbols.split(), start=first)
    return {symbol: Unit(symbol, dimension, Fraction(step) ** power) for power, symbol in factors}


UNITS: Mapping[str, Unit] = {
    "bytes": Unit("bytes", "bytes", Fraction(1)),
    "B": Unit("B", "bytes", Fraction(1)),
    **_scaled("KB MB GB TB PB", "bytes", 1000),
    **_scaled("KiB MiB GiB TiB PiB", "bytes", 1024),
    "bits": Unit("bits", "bytes", Fraction(1, 8)),
    **{u.symbol: u._replace(factor=u.factor / 8) for u in _scaled("Kbit Mbit Gbit Tbit", "bytes", 1000).values()},
    "bytes/s": Unit("bytes/s", "bytes/s", Fraction(1)),
    **_scaled("KB/s MB/s GB/s TB/s", "bytes/s", 1000),
    "FLOP": Unit("FLOP", "flop", Fraction(1)),
    **_scaled("GFLOP TFLOP", "flop", 1000, first=3),
    "FLOP/s": Unit("FLOP/s", "flop/s", Fraction(1)),
    **_scaled("GFLOP/s TFLOP/s PFLOP/s", "flop/s", 1000, first=3),
    "FLOP/byte": Unit("FLOP/byte", "flop/byte", Fraction(1)),
    "s": Unit("s", "seconds", Fraction(1)),
    "ms": Unit("ms", "seconds", Fraction(1, 1000)),
    "us": Unit("us", "seconds", Fraction(1, 10**6)),
    "ns": Unit("ns", "seconds", Fraction(1, 10**9)),
    "h": Unit("h", "seconds", Fraction(3600)),
    "tokens/s": Unit("tokens/s", "tokens/s", Fraction(1)),
    "%": Unit("%", "share", Fraction(1, 100)),
    "x": Unit("x", "factor", Fraction(1)),
    "bit": Unit("bit", "width", Fraction(1)),
    "none": Unit("", "number", Fraction(1)),
    **{
        word: Unit(word, word, Fraction(1))
        for word in "tokens requests blocks slots layers heads numbers codes steps cards users sessions weights".split()
    },
}
"""Every unit by its canonical name. ``"none"`` is a plain number, ``"bit"`` the width of a number format."""

COUNTS = frozenset(
    name for name, unit in UNITS.items() if unit.dimension == name and name not in ("bytes", "tokens/s", "bytes/s")
)
"""Dimensions of whole things: one word for the unit and what it measures."""

_ALIKE = (frozenset(("requests", "sessions", "users")), frozenset(("slots", "tokens")))
"""Words under which the same things are counted: one slot holds one token."""


def counts_alike(one: str, other: str) -> bool:
    """Whether two units count the same things."""
    return one == other or any({one, other} <= group for group in _ALIKE)


_SPELLINGS: Mapping[str, str] = {
    "byte": "bytes", "bit": "bits", "kib": "KiB", "mib": "MiB", "gib": "GiB", "tib": "TiB", "pib": "PiB",
    "kb": "KB", "mb": "MB", "gb": "GB", "tb": "TB", "pb": "PB",
    "kbyte": "KB", "mbyte": "MB", "gbyte": "GB", "tbyte": "TB", "gig": "GB", "giga": "GB", "meg": "MB",
    "kilobyte": "KB", "megabyte": "MB", "gigabyte": "GB", "terabyte": "TB", "petabyte": "PB",
    "kilobit": "Kbit", "megabit": "Mbit", "gigabit": "Gbit",
    "kbit": "Kbit", "mbit": "Mbit", "gbit": "Gbit", "tbit": "Tbit",
    "kibibyte": "KiB", "mebibyte": "MiB", "gibibyte": "GiB", "tebibyte": "TiB",
    "token": "tokens", "request": "requests", "req": "requests", "block": "blocks", "slot": "slots", "layer": "layers",
    "head": "heads", "number": "numbers", "code": "codes", "step": "steps", "card": "cards", "user": "users",
    "session": "sessions", "weight": "weights",
    "parameter": "weights", "param": "weights",
    "sequence": "requests", "chat": "requests", "query": "requests", "queries": "requests", "prompt": "requests",
    "conversation": "sessions", "gpu": "cards", "page": "blocks",
    "%": "%", "percent": "%", "per cent": "%", "pct": "%", "pratishat": "%", "prati shat": "%", "feesadi": "%",
    "percentage": "%", "fisadi": "%", "fee sadi": "%", "feesad": "%", "fisad": "%",
    "x": "x", "time": "x", "guna": "x", "gunaa": "x", "gune": "x", "guni": "x", "gunna": "x",
    "fold": "x",
    "s": "s", "sec": "s", "second": "s", "ms": "ms", "millisecond": "ms", "us": "us", "microsecond": "us",
    "tok/s": "tokens/s", "token/s": "tokens/s", "tps": "tokens/s", "tok/sec": "tokens/s", "token/sec": "tokens/s",
    "token/second": "tokens/s", "kb/sec": "KB/s", "mb/sec": "MB/s", "gb/sec": "GB/s", "tb/sec": "TB/s",
    "gb/second": "GB/s", "mb/second": "MB/s", "tb/second": "TB/s", "byte/sec": "bytes/s", "byte/second": "bytes/s",

    "kb/s": "KB/s", "mb/s": "MB/s", "gb/s": "GB/s", "tb/s": "TB/s", "byte/s": "bytes/s",
    "flop": "FLOP", "gflop": "GFLOP", "tflop": "TFLOP", "flop/s": "FLOP/s", "gflop/s": "GFLOP/s", "tflop/s": "TFLOP/s",
    "pflop/s": "PFLOP/s", "flop/byte": "FLOP/byte", "flop/b": "FLOP/byte",
    "flop/sec": "FLOP/s", "tflop/sec": "TFLOP/s", "gflop/sec": "GFLOP/s", "flop/second": "FLOP/s",
    "tflop/second": "TFLOP/s", "op/byte": "FLOP/byte",
}  # fmt: skip


def find(text: str) -> Unit | None:
    """The unit that a word names, any case and number ("gb", "GiBs", "giga bytes"), or ``None``.

    ``B`` alone is bytes, ``b`` alone bits. ``Gb`` and its like are left unread: half the writers mean bits and
    half mean bytes, so the caller asks (see :func:`is_unclear`).
    """
    text = " ".join(text.split())
    if text in UNITS:
        return UNITS[text]
    if text == "b":
        return UNITS["bits"]
    if is_unclear(text):
        return None
    lower = text.lower()
    for key in (
        lower,
        lower.removesuffix("s"),
        lower.replace(" ", ""),
        lower.replace(" ", "").removesuffix("s"),
        lower.replace("s/", "/"),
    ):
        if key in _SPELLINGS:
            return UNITS[_SPELLINGS[key]]
    return None


def is_unclear(text: str) -> bool:
    """Whether a unit may mean bits or bytes: a capital prefix before a small b, as in "Gb"."""
    return len(text) == 2 and text[0] in "KMGTP" and text[1] == "b"


def get(name: str) -> Unit:
    """The unit of a canonical name. Raises ``KeyError`` for any other text."""
    return UNITS[name]


# --- printing -----------------------------------------------------------------------------------------------------


GROUPED_FROM = 10**4
"""From here on digits stand in groups of three. Shorter numbers stand bare, as configurations and flags have them: a
reader meets 4096 and 8192 in one form everywhere."""


def grouped(value: int | float, places: int = 0) -> str:
    """A number as every text and figure writes it, long ones in groups of three: 8192, 16,384, 1,073,741,824.

    ``places`` is for a value that is no whole number: the digits behind its point.
    """
    value = round(value, places) if places else round(value)
    comma = "," if abs(value) >= GROUPED_FROM else ""
    return f"{value:{comma}.{places}f}" if places else f"{value:{comma}}"


def _apart(decimal: str) -> str:
    """A decimal text with the digits of a long whole part in groups of three."""
    sign, digits = ("-", decimal[1:]) if decimal.startswith("-") else ("", decimal)
    whole, point, places = digits.partition(".")
    return sign + grouped(int(whole)) + point + places


def round_significant(value: Fraction, digits: int) -> Fraction:
    """``value`` rounded half away from zero to ``digits`` significant digits, exactly."""
    if value == 0:
        return value
    places = digits - 1 - exponent(value)
    nearest = _nearest(value, places)
    return Fraction(nearest, 10**places) if places >= 0 else Fraction(nearest * 10**-places)


def round_half_up(value: Fraction) -> int:
    """The nearest whole number, halves away from zero (as people round, not as IEEE does)."""
    return _nearest(value, 0)


def _nearest(value: Fraction, places: int) -> int:
    """The same of ``value`` times a power of ten."""
    top, bottom = value.as_integer_ratio()
    size, bottom = (abs(top) * 10**places, bottom) if places >= 0 else (abs(top), bottom * 10**-places)
    nearest = (2 * size + bottom) // (2 * bottom)
    return -nearest if top < 0 else nearest


def exponent(value: Fraction) -> int:
    """The power of ten of the first significant digit: 2 for 345, -3 for 0.0058. ``value`` must not be zero."""
    top, bottom = abs(value.numerator), value.denominator
    guess = len(str(top)) - len(str(bottom))
    reached = top >= bottom * 10**guess if guess >= 0 else top * 10**-guess >= bottom
    return guess if reached else guess - 1


def decimal_text(value: Fraction, max_digits: int = 40) -> str | None:
    """``value`` as a finite decimal, or ``None`` when it has none within ``max_digits`` digits after the point."""
    rest = value.denominator
    twos = fives = 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > max_digits:
        return None
    return _placed(value.numerator * 10**places // value.denominator, places)


def _placed(scaled: int, places: int) -> str:
    """A whole number of units of the last place as a decimal."""
    text = str(abs(scaled)).rjust(places + 1, "0")
    text = text if not places else f"{text[:-places]}.{text[-places:]}"
    return f"-{text}" if scaled < 0 else text


def number(value: Fraction, digits: Digits = None) -> str:
    """``value`` as people write it: exact when that is no longer than ``digits`` allows, else rounded to them.

    Whole parts are never cut: 1234.5 at 3 digits prints 1234 rather than 1230, and long ones are grouped. Very large
    and very small values print with a power of ten.
    """
    if digits == "all":
        exact = decimal_text(value)
        if exact is None or abs(value) >= 10**18:
            return number(value, 12)
        return _apart(exact)
    digits = 4 if digits is None else digits
    if value == 0:
        return "0"
    power = exponent(value)
    if power >= 15 or power < -6:
        shown = round_significant(value / Fraction(10) ** power, digits)
        return f"{decimal_text(shown)} × 10^{power}"
    places = max(digits - 1 - power, 0)
    text = _placed(_nearest(value, places), places)
    return _apart(text.rstrip("0").rstrip(".") if places else text)


@lru_cache(maxsize=4096)  # of what a figure shows, a key changes a few numbers and leaves the rest
def quantity(value: Fraction, unit: str, digits: Digits = None) -> str:
    """A value in base units, printed in ``unit``: ``quantity(Fraction(1073741824), "GB", 3)`` is "1.07 GB"."""
    target = UNITS[unit]
    text = number(value / target.factor, digits)
    if target.symbol in ("", "x"):
        return text + target.symbol
    symbol = "bits" if target.dimension == "width" and text != "1" else target.symbol
    if text == "1" and (symbol in COUNTS or symbol in ("bytes", "bits")):
        symbol = symbol.removesuffix("s")
    return f"{text} {symbol}"
