"""The cards that a text names: "A100 40GB", "2x RTX 3090", "8-GPU NVLink node", "RTX 4060 Ti 16GB + RTX 3060 12GB"."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from engine import catalog
from engine.catalog import AmbiguousName, Gpu, UnknownName
from engine.diagnosis.model import Unread
from engine.links import Kind as LinkKind

CUSTOM = "custom"
"""The name of a card made from numbers that was given none."""

ALIKE = Fraction(6, 100)
"""Two cards whose rates differ by no more are one for a step's time: the spread of an efficiency is wider."""

_COUNT = re.compile(
    r"^(?P<first>\d{1,5})\s?[x×*]\s?(?=\S)"
    r"|(?<![\w.])(?P<named>\d{1,5})(?:\s?-?(?:gpus?|cards?|way)\b)"
    r"|(?:(?<![A-Za-z])x|[×*])\s?(?P<last>\d{1,5})$",
    re.IGNORECASE,
)
_WORDS = {"single": 1, "one": 1, "ek": 1, "dual": 2, "two": 2, "twin": 2, "do": 2, "quad": 4, "four": 4, "eight": 8}
_LINK: dict[str, LinkKind] = {
    "nvlink": "nvlink",
    "nvswitch": "nvlink",
    "pcie": "pcie",
    "pci-e": "pcie",
    "xgmi": "fabric",
    "fabric": "fabric",
}
_DROPPED = frozenset(
    """
    gpu gpus card cards node nodes server machine box cluster with via bridge bridged and over only each of x a an the
    """.split()
)
_FORM = re.compile(r"sxm|pcie|pci-e|nvl|hbm|hgx|dgx", re.IGNORECASE)
_NO_NVLINK = re.compile(r"\b(?:no|without|bina|non)[ -]nv(?:link|switch)\b", re.IGNORECASE)
_LEADING = re.compile(r"(\d{1,4})\s+(?=[A-Za-z])")
_SHORT_SIZE = re.compile(r"(?<=[\s\-(])(\d{2,3})\s?g(?![a-z\d])", re.IGNORECASE)
_EITHER = re.compile(r"\s(?:or|vs\.?|ya)\s|\s?/\s?", re.IGNORECASE)
_PLURAL = re.compile(r"(?<=\d)s$")
_NOTE = re.compile(r"\([^()]*\)")


MOST_NEAR = 3


def near(text: str) -> tuple[str, ...]:
    """The cards of the catalogue whose names come closest to one that it has not."""
    try:
        return (catalog.gpu(text).name,)
    except AmbiguousName as error:
        return error.options[:MOST_NEAR]
    except UnknownName as error:
        return tuple(error.close[:MOST_NEAR])


def is_known(text: str) -> bool:
    """Whether a text is a card's name and nothing else, or short for several."""
    return _resolve(" ".join(_PLURAL.sub("", word) for word in text.split()), None, None) is not None


class Cards(NamedTuple):
    """What a text says of cards.

    Attributes:
        gpu: the card, ``None`` where no one card is named.
        options: full names that a short one may mean; where ``gpu`` is set too, those that it was taken from, alike in
            everything that matters.
        number: how many, ``None`` where not said.
        link: between them, ``None`` where not said.
        unread: why there is no card: "two-cards", "unknown-gpu", "ambiguous-gpu"; "" where there is one.
    """

    gpu: Gpu | None = None
    options: tuple[str, ...] = ()
    number: int | None = None
    link: LinkKind | None = None
    unread: str = ""


@lru_cache(maxsize=256)
def read(text: str, capacity: int | None = None) -> Cards:
    """The cards of a text. ``capacity``: the memory that was given beside it, in bytes, decides between options."""
    whole = (_either(text, capacity) if "/" in text else None) or _resolve(text, capacity, None)
    if whole is not None:
        return whole
    first = _SHORT_SIZE.sub(r"\1GB", text.split(";")[0])
    notes = " ".join(_NOTE.findall(first)).translate(_BRACKETS)
    tried = [
        _parted(one, capacity) for one in (first.translate(_BRACKETS), _NOTE.sub(" ", first), notes) if one.strip()
    ]
    if not tried:
        return Cards(unread="unknown-gpu")
    plain = tried[min(1, len(tried) - 1)]  # without the notes, where nothing names a card
    found = next((one for one in tried if one.gpu), None) or next((one for one in tried if one.options), plain)
    return found if found.link else found._replace(link=_linked(notes)[1])


_BRACKETS = {ord("("): " ", ord(")"): " "}


def _either(text: str, capacity: int | None) -> Cards | None:
    """One of several cards: "H100 or H200"."""
    found = [_one(part, capacity) for part in _EITHER.split(text) if part.strip()]
    if len(found) < 2 or not all(one.gpu or one.options for one in found):
        return None
    names = (name for one in found for name in one.options or ((one.gpu.name,) if one.gpu else ()))
    return Cards(None, tuple(dict.fromkeys(names)), unread="ambiguous-gpu")


def _parted(plain: str, capacity: int | None) -> Cards:
    either = _either(plain, capacity) if _EITHER.search(plain) else None
    if either is not None:
        return either
    parts = [part.strip() for part in re.split(r"\s\+\s|\+(?=\s|[A-Za-z]{2})|\s&\s|\sand\s|,\s", plain) if part.strip()]
    if len(parts) > 1:
        return _several(parts, capacity)
    return _one(parts[0], capacity) if parts else Cards(unread="unknown-gpu")


def _several(parts: list[str], capacity: int | None) -> Cards:
    """Cards of one kind add up; of two kinds no one figure is right."""
    found = [_one(part, capacity) for part in parts]
    named = [one for one in found if one.gpu is not None or one.options]
    link = next((one.link for one in found if one.link), None)
    if len(named) == 1:  # "A100 80GB, NVLink"
        count = next((one.number for one in found if one.number), None)
        return named[0]._replace(number=count, link=link)
    if not named:
        return Cards(link=link, unread="unknown-gpu")
    count = sum(one.number or 1 for one in named)
    if len({(one.gpu, one.options) for one in named}) == 1:
        return named[0]._replace(number=count, link=link)
    return Cards(number=count, link=link, unread="two-cards")


def _one(text: str, capacity: int | None) -> Cards:
    name, count = _counted(text.strip())
    tried = _resolve(name, capacity, None)  # "A100 PCIe" is a card; "RTX 4090 PCIe" is one and its link
    if tried is not None:
        return tried._replace(number=count)
    name, link = _linked(name)
    rest = " ".join(_PLURAL.sub("", word) for word in name.split() if word.lower() not in _DROPPED)
    island = link == "nvlink" and count is not None and count > 2
    found = _resolve(rest, capacity, island) if rest else None
    leading = _LEADING.match(rest)
    if found is None and leading and count is None:  # "4 A100s"
        count = int(leading[1])
        found = _resolve(rest[leading.end() :], capacity, island)
    return (found or Cards(unread="unknown-gpu"))._replace(number=count, link=link)


def _counted(text: str) -> tuple[str, int | None]:
    """The text without a number of cards, and that number."""
    found = _COUNT.search(text)
    if found:
        count = int(found[found.lastgroup or 0])
        return f"{text[: found.start()]} {text[found.end() :]}".strip(" -"), count
    head, _, rest = text.partition(" ")
    count_word = _WORDS.get(head.lower())
    return (rest, count_word) if count_word and rest else (text, None)


def link(text: str) -> LinkKind | None:
    """The link that a text names: "PCIe, no NVLink", "NVSwitch", "PCIe 4.0 x16"; ``None`` for none."""
    return _linked(text.replace(",", " ").replace("Infinity Fabric", "xgmi"))[1]


def _linked(text: str) -> tuple[str, LinkKind | None]:
    none = _NO_NVLINK.search(text)
    if none:
        return f"{text[: none.start()]} {text[none.end() :]}", "pcie"
    link: LinkKind | None = None
    kept = []
    for word in text.split():
        kind = _LINK.get(word.lower().strip(".,"))
        link = kind or link
        if kind is None:
            kept.append(word)
    return " ".join(kept), link


def _resolve(name: str, capacity: int | None, island: bool | None) -> Cards | None:
    """The card of a name alone; ``None`` where none is called so.

    ``island``: more than two share an NVLink, which cards that a bridge joins cannot.
    """
    try:
        options = _siblings(catalog.gpu(name)) if not _FORM.search(name) else (catalog.gpu(name),)
    except AmbiguousName as error:
        options = tuple(catalog.gpu(one) for one in error.options)
    except UnknownName:
        return None
    if capacity is not None and len(options) > 1:
        fitting = tuple(one for one in options if abs(one.capacity - capacity) * 10 < one.capacity)
        options = fitting or options
    if island:
        options = tuple(one for one in options if "bridge" not in (one.link or "")) or options
    names = tuple(one.name for one in options)
    if len(options) == 1:
        return Cards(options[0])
    if all(alike(one, other) for one, other in combinations(options, 2)):
        return Cards(options[0], names)
    return Cards(None, names, unread="ambiguous-gpu")


@lru_cache(maxsize=256)
def _siblings(gpu: Gpu) -> tuple[Gpu, ...]:
    """The card, and those of its name and memory in another form: of "A100 40GB" SXM and PCIe."""
    key = _bare(gpu.name)
    return (gpu, *(one for one in catalog.gpus() if one.name != gpu.name and _bare(one.name) == key))


def _bare(name: str) -> str:
    return " ".join(re.sub(r"\b(?:SXM\d?|PCIe|NVL)\b", "", name).split())


def alike(one: Gpu, other: Gpu) -> bool:
    """Whether two cards are one in memory, and within :data:`ALIKE` in every rate, with the same units."""
    pairs = [(getattr(one, rate), getattr(other, rate)) for rate in _RATES]
    return one.capacity == other.capacity and all(_near(first, second) for first, second in pairs)


_RATES = ("bandwidth", "peak_flops", "flops8", "ops8", "flops4")


def _near(one: int | None, other: int | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= ALIKE * max(one, other)


def made(name: str, capacity: int, bandwidth: int, peak_flops: int | None) -> Gpu:
    """A card outside the catalogue, from its data sheet's numbers."""
    return Gpu(
        name or CUSTOM, "", "", None, capacity, None, bandwidth, peak_flops, None, None, None, None, None, None, None,
        "given", "given", None, "", (),
    )  # fmt: skip


def changed(gpu: Gpu, capacity: int | None, bandwidth: int | None, peak_flops: int | None) -> Gpu:
    """A card of the catalogue with numbers that were given: those win."""
    if capacity is not None and capacity != gpu.capacity:
        gpu = gpu._replace(capacity=capacity, visible=None)
    if bandwidth is not None:
        gpu = gpu._replace(bandwidth=bandwidth)
    return gpu if peak_flops is None else gpu._replace(peak_flops=peak_flops)


def unread(text: str, found: Cards) -> Unread:
    """Why a text gave no card."""
    return Unread("gpu", text, found.unread)
