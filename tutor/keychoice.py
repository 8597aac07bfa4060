"""Which keys a reader may give a command: ones that exist, that typing does not need, and never so that quitting goes.

Pure data and text, as `tutor.keys`; a key is spelled as Textual spells it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tutor import keys

_MODIFIERS = frozenset("ctrl alt shift super hyper meta".split())
_NAMED = frozenset("up down left right home end pageup pagedown insert delete backspace tab space enter escape".split())
_FUNCTION = frozenset(f"f{number}" for number in range(1, 25))
_EDITING = frozenset("left right home end delete backspace space".split())
"""Keys without a letter on them that a line of text needs."""
_RENAMED = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
RESERVED = frozenset("enter escape ctrl+c ctrl+m ctrl+j ctrl+i ctrl+h ctrl+left_square_bracket".split())
"""Keys whose meaning is fixed, and those that a terminal cannot tell from them."""


def _sign_name(letter: str) -> str:
    name = unicodedata.name(letter, "").lower().replace(" ", "_").replace("-", "_")
    return _RENAMED.get(name, name)


_SIGNS = {letter: _sign_name(letter) for letter in map(chr, range(33, 127)) if not letter.isalnum()}


class Trouble(NamedTuple):
    """Why a choice cannot be: ``unknown``, ``reserved``, ``typed``, ``figure`` or ``no_quit``; and the key."""

    reason: str
    key: str


class Taken(NamedTuple):
    """A choice that cannot be, for the key is that of another command of the same screen."""

    action: str
    key: str
    other: str


def spelled(text: str) -> str:
    """Keys as Textual spells them: ` F2 , ?` becomes `f2,question_mark`."""
    return ",".join(_spelled(key.strip()) for key in text.split(","))


def _spelled(key: str) -> str:
    *modifiers, last = key.split("+") if key != "+" else ["+"]
    if last in _SIGNS:
        last = _SIGNS[last]
    elif len(last) > 1:
        last = last.lower()
    return "+".join([*(modifier.lower() for modifier in modifiers), last])


def trouble(action: str, wanted: str) -> Trouble | None:
    """What is wrong with the keys (`a,b`) wanted for a command, if anything."""
    command = keys.BY_ID[action]
    chosen = wanted.split(",")
    for key in chosen:
        if not _exists(key):
            return Trouble("unknown", key)
        if key in RESERVED and key not in command.keys:
            return Trouble("reserved", key)
        if command.scope == "playground" and key in _of_figures() - _own(command):
            return Trouble("figure", key)
    typed = [key for key in chosen if is_typed(key)]
    if typed and (command.scope == "exercise" or (command.scope == "app" and len(typed) == len(chosen))):
        return Trouble("typed", typed[0])
    return None


def _of_figures() -> frozenset[str]:
    """Keys that a figure takes before the screen does; in the playground it mostly has the keys."""
    from tutor.figures.base import KEYS, OWN_KEYS

    return frozenset(key for group in (*KEYS.values(), *OWN_KEYS.values()) for key in group)


def _own(command: keys.Command) -> frozenset[str]:
    """Keys that may stand on a figure too: they do the same there, or the command has another one besides."""
    from tutor.figures.base import OWN_KEYS

    return frozenset(command.keys) | frozenset(OWN_KEYS.get(command.id.removesuffix("-figure"), ()))


def _exists(key: str) -> bool:
    *modifiers, last = key.split("+")
    if len(modifiers) != len(set(modifiers)) or not _MODIFIERS.issuperset(modifiers):
        return False
    if len(last) == 1:
        return last.isascii() and last.isalnum()
    return last in _NAMED or last in _FUNCTION or last in _SIGNS.values()


def is_typed(key: str) -> bool:
    """Whether a key writes or edits in a line of text, so that no command can have it there."""
    *modifiers, last = key.split("+")
    if set(modifiers) - {"shift"}:
        return False
    return len(last) == 1 or last in _EDITING or last in _SIGNS.values()


def leaves_quit(chosen: Mapping[str, str]) -> bool:
    """Whether one key still quits on every screen, also while something is typed."""
    taken = {key for command in keys.TABLE if command.id != "quit" for key in keys.keys_of(command, chosen)}
    return any(key not in taken and not is_typed(key) for key in keys.keys_of(keys.BY_ID["quit"], chosen))


class Usable(NamedTuple):
    """The entries of a file that can be used, and why others cannot."""

    keys: dict[str, str]
    odd: tuple[str, ...]
    """Names whose value is no key that the command can have."""
    taken: tuple[Taken, ...]
    """Those whose key another command has."""


def usable(chosen: Mapping[str, object]) -> Usable:
    """Which entries of a file can be used. A name that no command has may be a later version's, and is kept."""
    good = {name: value for name, value in chosen.items() if isinstance(value, str)}
    for name, value in list(good.items()):
        if name in keys.BY_ID and value and trouble(name, spelled(value)) is not None:
            del good[name]
    if not leaves_quit(good):
        own = keys.BY_ID["quit"].keys
        for name, value in list(good.items()):
            if name == "quit" or set(spelled(value).split(",")) & set(own):
                del good[name]
    taken = tuple(_freed(good))
    lost = {one.action for one in taken}
    return Usable(good, tuple(name for name in chosen if name not in good and name not in lost), taken)


def _freed(good: dict[str, str]) -> Iterator[Taken]:
    """Take out choices until no two commands of a screen want one key: of two choices the later one goes.

    Else one of the two commands would be without its key. What goes takes its own keys back, which may be wanted too.
    """
    while clashes := list(keys.clashes(good)):
        last = next((name for name in reversed(good) if any(name in both for _, *both in clashes)), None)
        if last is None:
            return
        key, first, second = next(clash for clash in clashes if last in clash[1:])
        del good[last]
        yield Taken(last, key, second if last == first else first)
