"""Names as people write them, and the entries they mean: exact first, then with less and less of the name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.catalog.entries import AmbiguousName, UnknownName

_VENDORS = ("nvidia", "geforce", "amd", "radeon", "instinct", "intel", "apple", "tesla")
_QUANTIZATIONS = ("awq", "gptq", "fp8", "int4", "int8", "w4a16", "w8a8", "gguf", "q4-k-m", "bnb")
MAX_LENGTH = 200
"""Longer texts name nothing; they are not even compared."""

_SEPARATORS = re.compile(r"[\s_\-:/]+")
_SPACED_SIZE = re.compile(r"(?<![a-z\d.])(\d+)-gi?b\b")
_SIZE = re.compile(r"-(\d+)gi?b$")


class Found(NamedTuple):
    """A full name, and the quantization that the asked name ended in ("awq"), if any."""

    name: str
    quantization: str | None


class Names:
    """The names of one kind of entry.

    Args:
        entries: full name -> its aliases.
        ambiguous: short name -> the full names it may mean.
        gigabytes: the memory on the box, by full name; empty for entries that have none (models).
    """

    def __init__(
        self, entries: Mapping[str, Iterable[str]], ambiguous: Mapping[str, Sequence[str]], gigabytes: Mapping[str, int]
    ) -> None:
        self._gigabytes = gigabytes
        self._known: dict[str, tuple[str, ...]] = {}
        for name, aliases in entries.items():
            for alias in (name, *aliases):
                self._known[normal(alias)] = (name,)
        shared = {normal(short): tuple(names) for short, names in ambiguous.items()}
        self._ambiguous = {short: names for short, names in shared.items() if short not in self._known}

    def find(self, text: str) -> Found:
        """The entry that a text names.

        Raises:
            AmbiguousName: the text is short for several entries.
            UnknownName: no entry, with the closest ones.
        """
        for form, gigabytes, quantization in _forms(text, bool(self._gigabytes)) if len(text) <= MAX_LENGTH else ():
            options = self._known.get(form) or self._ambiguous.get(form)
            if options is None:
                continue
            fitting = tuple(name for name in options if gigabytes in (None, self._gigabytes.get(name)))
            if len(fitting) == 1 and (form in self._known or len(options) > 1):
                return Found(fitting[0], quantization or _quantization(form, fitting[0]))
            if fitting:  # one option may stand alone here: the name is short for products that we do not list, too
                raise AmbiguousName(text, fitting)
            break  # another memory size is another card
        raise UnknownName(text, self._close)

    def _close(self, text: str) -> tuple[str, ...]:
        from difflib import get_close_matches

        if len(text) > MAX_LENGTH:
            return ()
        known = {**self._ambiguous, **self._known}
        near = get_close_matches(normal(text), known, n=6, cutoff=0.6)
        return tuple(dict.fromkeys(name for form in near for name in known[form]))[:3]


def normal(text: str) -> str:
    """A name for comparison: lower case, one "-" between words, "80 gb" as "80gb"."""
    joined = _SEPARATORS.sub("-", text.strip().lower()).strip("-")
    return _SPACED_SIZE.sub(r"\1gb", joined)


_Form = tuple[str, int | None, str | None]


def _forms(text: str, has_memory: bool) -> Iterator[_Form]:
    """The forms in which to look a name up, most of it first: whole, after the last "/", without a vendor, without
    a memory size or a quantization behind it. Each cut is also tried on what the cuts before it left."""
    forms: dict[_Form, None] = {(normal(text), None, None): None}
    if "/" in text:
        forms[normal(text.rpartition("/")[2]), None, None] = None
    for cut in (_without_vendor, _without_size if has_memory else _without_quantization):
        for form in tuple(forms):
            shorter = cut(form)
            while shorter is not None and shorter not in forms:
                forms[shorter] = None
                shorter = cut(shorter)
    yield from forms


def _quantization(form: str, name: str) -> str | None:
    """The quantization that a form ends in although the entry's own name does not: a fine-tune listed as an alias."""
    tags = (tag for tag in _QUANTIZATIONS if form.endswith("-" + tag))
    return next((tag for tag in tags if not normal(name).endswith("-" + tag)), None)


def _without_vendor(form: _Form) -> _Form | None:
    head, dash, rest = form[0].partition("-")
    return (rest, form[1], form[2]) if dash and head in _VENDORS else None


def _without_size(form: _Form) -> _Form | None:
    size = _SIZE.search(form[0])
    return (form[0][: size.start()], int(size[1]), form[2]) if size and form[1] is None else None


def _without_quantization(form: _Form) -> _Form | None:
    for tag in _QUANTIZATIONS:
        if form[0].endswith("-" + tag):
            return form[0][: -len(tag) - 1], form[1], form[2] or tag
    return None
