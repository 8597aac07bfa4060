"""What people write about a plan, as the engine's own things: models, cards, formats, loads, prices.

What cannot be read is a ``Refusal``; the command ends with its sentence, the screen shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine import catalog, memory, precision
from engine.catalog import Gpu, Model
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.reading import checkpoint, values
from engine.diagnosis.written import NotRead
from engine.planning.plan import MAX_CARDS, USUAL, Load
from engine.precision import Format
from engine.units import grouped
from tutor.commands.context import Refusal, quoted, quoted_path, unknown

PROMPT, OUTPUT = 2048, 256
"""Tokens of a request where nobody says: a question with some text, and a short answer."""
CARDS = (1, 2, 4, 8)
MOST_TOKENS, MOST_REQUESTS = 2**24, 2**20
_LONGEST, _DEAREST = 10**5, 10**9
"""Seconds of the longest time, and the highest price; more is a slip of the finger."""
_BARE = 20
"""A time without a unit that is larger than this many seconds was meant in milliseconds, most likely."""
_MOST_ENTRIES = 64


class Served(NamedTuple):
    """A model, and the format that it is published in with what its checkpoint leaves at 16 bits."""

    model: Model
    published: Format


def listed(texts: Iterable[str] | None) -> list[str]:
    """The entries of options that were repeated, or written with commas."""
    found = [piece.strip() for text in texts or () for piece in text.split(",")]
    return [piece for piece in found if piece][:_MOST_ENTRIES]


def named(option: str, texts: Iterable[str] | None) -> list[str]:
    """The entries of an option as :func:`listed`. Raises ``Refusal`` for an empty one: a name may have got lost."""
    given = list(texts or ())
    for text in given:
        if not all(piece.strip() for piece in text.split(",")):
            raise Refusal("cli.plan.empty_entry", option=option, text=quoted(text))
    return listed(given)


def priced(texts: Iterable[str] | None) -> list[str]:
    """The entries of prices; what stands behind the comma of "h100=2,5" is the rest of its number."""
    found: list[str] = []
    for piece in listed(texts):
        if found and piece.isdecimal() and found[-1][-1:].isdecimal():
            found[-1] += f",{piece}"
        else:
            found.append(piece)
    return found


# --- the model -------------------------------------------------------------------------------------------------------


def model(text: str) -> Served:
    """The model of a name of the catalogue, of a config.json, or of a folder that has one. Raises ``Refusal``."""
    if text.lower().endswith(".json") or checkpoint.is_path(text):
        return _from_file(text)
    try:
        found = catalog.model(text)
    except catalog.AmbiguousName as error:
        raise Refusal("cli.calc.ambiguous", text=quoted(text), options=", ".join(error.options)) from error
    except catalog.UnknownName as error:
        if checkpoint.is_there(text):
            return _from_file(text)
        raise _no_name("model", error) from error
    return Served(found, _format_or(found.dtype, "bf16"))


def _from_file(path: str) -> Served:
    try:
        found = checkpoint.read(path)
    except catalog.NoValues as error:
        raise no_values(error, checkpoint.file_of(path)) from error
    except ScenarioProblem as error:
        if error.reason in ("not-readable", "not-json", "too-large", "too-deep"):
            from tutor.diagnoser.reading import Impossible

            raise Impossible(error) from error
        raise Refusal("cli.plan.not_config", path=quoted_path(path)) from error
    return Served(found.model, found.weights or precision.find("bf16"))


def no_values(error: catalog.NoValues, path: str = "") -> Refusal:
    """Why a model cannot be planned with, in one sentence; of a file with its name as it was written."""
    known = {"cannot-size": "cannot_size", "missing-key": "missing_key", "bad-key": "bad_key"}
    if error.reason not in known:
        return Refusal("cli.plan.unknown_active", name=quoted(error.name))
    return Refusal(f"cli.plan.{known[error.reason]}", name=quoted(path or error.name), field=quoted(error.held, 200))


def matching(text: str, most: int) -> list[str]:
    """Models of the catalogue whose name has every word that is typed, those that begin with it first."""
    words = text.lower().replace("-", " ").replace("_", " ").split()[:8]
    found: list[tuple[bool, int, str]] = []
    for one in catalog.models():
        plain = one.id.lower().replace("-", " ").replace("_", " ")
        if all(word in plain for word in words):
            short = one.id.rpartition("/")[2].lower()
            found.append((not short.startswith(text.lower().strip()), len(found), one.id))
    return [name for _, _, name in sorted(found)[:most]]


# --- cards and formats -----------------------------------------------------------------------------------------------


def gpus(texts: Sequence[str], vendor: str = "") -> tuple[Gpu, ...]:
    """The cards of names; "all" is the whole catalogue, a short name every card that it fits. Raises ``Refusal``.

    Without names and vendor, those that clouds rent out.
    """
    found: list[Gpu] = []
    for text in texts:
        found += catalog.gpus() if text.lower() == "all" else _cards_of(text)
    if not texts:
        found += catalog.gpus() if vendor else [catalog.gpu(name) for name in USUAL]
    if vendor:
        makers = {one.vendor.lower(): one.vendor for one in catalog.gpus()}
        if vendor.lower() not in makers:
            raise unknown("value", quoted(vendor), sorted(makers.values()), name="--vendor")
        wanted = [one for one in found if one.vendor == makers[vendor.lower()]]
        if found and not wanted:
            cards = ", ".join(one.name for one in found[:3])
            raise Refusal("cli.plan.other_vendor", cards=cards, vendor=quoted(vendor))
        found = wanted
    return tuple(dict.fromkeys(found))


def _cards_of(text: str) -> list[Gpu]:
    try:
        return [catalog.gpu(text)]
    except catalog.AmbiguousName as error:
        return [catalog.gpu(name) for name in error.options]
    except catalog.UnknownName as error:
        raise _no_name("gpu", error) from error


def _no_name(kind: str, error: catalog.UnknownName) -> Refusal:
    key = "cli.calc.unknown_name_close" if error.close else "cli.calc.unknown_name"
    return Refusal(key, kind=kind, text=quoted(error.text), close=", ".join(error.close))


def numbers_of_cards(texts: Sequence[str]) -> tuple[int, ...]:
    """How many cards share the model. Raises ``Refusal``."""
    found = [count("--gpus", text, MAX_CARDS) for text in texts]
    return tuple(sorted(set(found))) or CARDS


def formats(texts: Sequence[str], served: Served) -> tuple[Format, ...]:
    """The formats of names; without any, the published one and what servers quantize it to. Raises ``Refusal``."""
    if texts:
        found = [_format(text) for text in texts]
        return tuple(dict.fromkeys(served.published if one.name == served.published.name else one for one in found))
    bits = served.published.linear_bits
    smaller = ("fp8", "awq") if bits >= 16 else ("awq",) if bits >= 8 else ()
    return (served.published, *(precision.find(name) for name in smaller))


def _format(text: str) -> Format:
    try:
        return precision.find(text)
    except precision.UnknownFormat as error:
        raise _no_format(error) from error


def _format_or(text: str, other: str) -> Format:
    try:
        return precision.find(text)
    except precision.UnknownFormat:
        return precision.find(other)


def _no_format(error: precision.UnknownFormat) -> Refusal:
    key = "cli.plan.format_close" if error.close else "cli.plan.format"
    return Refusal(key, text=quoted(error.text), close=", ".join(error.close))


def caches(texts: Sequence[str], served: Served) -> tuple[str, ...]:
    """The formats of the KV cache, by name. Raises ``Refusal``."""
    for text in texts:
        try:
            memory.number_bytes(served.model, text)
        except precision.UnknownFormat as error:
            raise _no_format(error) from error
    return tuple(dict.fromkeys(text.lower() for text in texts)) or ("auto",)


# --- the load --------------------------------------------------------------------------------------------------------


def count(name: str, text: str, most: int) -> int:
    """A whole number from 1 to ``most``: "8", "32k". Raises ``Refusal``."""
    try:
        value = values.count(text)
    except NotRead:
        value = 0
    if not 1 <= value <= most:
        raise Refusal("cli.plan.count", name=name, text=quoted(text), most=grouped(most))
    return value


def seconds(name: str, text: str) -> Fraction:
    """A time above zero: "50ms", "2 s"; a bare number is seconds. Raises ``Refusal``."""
    try:
        found = values.seconds(text, _BARE)
    except NotRead:
        found = Fraction(0)
    if not 0 < found <= _LONGEST:
        raise Refusal("cli.plan.time", name=name, text=quoted(text))
    return found


class Asked(NamedTuple):
    """A load, and the names of its fields that nobody gave."""

    load: Load
    assumed: tuple[str, ...]


def load(texts: Mapping[str, str | None]) -> Asked:
    """The load of the options prompt, output, concurrency, max_model_len, tpot and ttft. Raises ``Refusal``."""

    def whole(name: str, most: int, otherwise: int | None) -> int | None:
        text = texts.get(name)
        return count(f"--{name.replace('_', '-')}", text, most) if text else otherwise

    def time(name: str) -> Fraction | None:
        text = texts.get(name)
        return seconds(f"--{name}", text) if text else None

    made = Load(
        whole("prompt", MOST_TOKENS, PROMPT) or PROMPT, whole("output", MOST_TOKENS, OUTPUT) or OUTPUT,
        whole("concurrency", MOST_REQUESTS, None), whole("max_model_len", MOST_TOKENS, None),
        time("tpot"), time("ttft"),
    )  # fmt: skip
    if made.max_len is not None and made.max_len < made.tokens:
        raise Refusal("cli.plan.too_long", tokens=grouped(made.tokens), max_len=grouped(made.max_len))
    wanted = ("prompt", "output", "concurrency", "max_model_len")
    return Asked(made, tuple(name for name in wanted if not texts.get(name)))


class Prices(NamedTuple):
    """What cards cost.

    Attributes:
        by: the price of one card for an hour, by its name.
        money: the currency; "" where none is written.
        alike: prices of a short name as written, with the names of all the cards that it stands for.
        unused: prices as written of cards that are not planned with.
    """

    by: Mapping[str, Fraction]
    money: str = ""
    alike: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unused: tuple[str, ...] = ()


def prices(texts: Sequence[str], chosen: Sequence[Gpu], named: int = 0) -> Prices:
    """The prices of options. Raises ``Refusal``.

    A short name stands for every card that it fits, and gives way to a full one. A bare number is the price of the only
    card, or of every card of the only name.

    Args:
        texts: as written: "h100=2.5", "l40s=80rs", "2.50".
        chosen: the cards that are planned with.
        named: names that were given for them.
    """
    found: dict[str, Fraction] = {}
    full: dict[str, Fraction] = {}
    alike: list[tuple[str, tuple[str, ...]]] = []
    unused: list[str] = []
    written: dict[tuple[str, ...], str] = {}
    money = ""
    for text in texts:
        name, equals, value = text.rpartition("=")
        price, currency = _price(text, value)
        if not equals and len(chosen) != 1 and named != 1:
            raise Refusal("cli.plan.price", text=quoted(text))
        fitting = _cards_of(name.strip()) if equals else list(chosen)
        names = tuple(one.name for one in fitting)
        if names in written:
            raise Refusal("cli.plan.price_twice", one=quoted(written[names]), other=quoted(text))
        written[names] = text
        if money and currency and money != currency:
            raise Refusal("cli.plan.currencies", one=money, other=currency)
        money = money or currency
        if not set(fitting) & set(chosen):
            unused.append(text)
        elif len(fitting) > 1:
            alike.append((text, names))
        (full if len(fitting) == 1 else found).update({one.name: price for one in fitting})
    return Prices(found | full, money, tuple(alike), tuple(unused))


_CURRENCIES = {
    "$": "$", "usd": "$", "us$": "$", "dollar": "$", "dollars": "$", "\u20ac": "EUR", "eur": "EUR", "euro": "EUR",
    "euros": "EUR", "\u00a3": "GBP", "gbp": "GBP", "\u20b9": "INR", "inr": "INR", "rs": "INR", "rupee": "INR",
    "rupees": "INR", "rupaye": "INR", "rupay": "INR", "jpy": "JPY", "\u00a5": "JPY", "cny": "CNY", "rmb": "CNY",
    "aud": "AUD", "cad": "CAD", "sgd": "SGD", "chf": "CHF", "aed": "AED", "brl": "BRL", "krw": "KRW",
}  # fmt: skip
"""How currencies are written, and how they are shown. What is none of them is no price: better than a wrong one."""
_PRICE = re.compile(r"([^\d\s.,/-]{0,8})\.?\s*(\d[\d.,]{0,20}k?)\s*([^\d\s.,/-]{0,8})\.?")
_HOURLY = re.compile(r"\s*(?:/|per)\s*(?:gpu|card)?[/ -]*(?:h|hr|hrs|hour|ghanta|ghante)\.?$|\s*ph$")


def _price(text: str, value: str) -> tuple[Fraction, str]:
    """A price and its currency, "" where none is written. Raises ``Refusal``."""
    matched = _PRICE.fullmatch(_HOURLY.sub("", value.strip().lower()[:60]))
    words = [word for word in (matched[1], matched[3]) if word] if matched else []
    try:
        price = values.money(matched[2]) if matched else Fraction(0)
    except NotRead:
        price = Fraction(0)
    if not 0 < price < _DEAREST or len(words) > 1 or not all(word in _CURRENCIES for word in words):
        raise Refusal("cli.plan.price", text=quoted(text))
    return price, _CURRENCIES[words[0]] if words else ""
