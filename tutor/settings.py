"""Settings: one table that the `config` command, the settings screen and the file all read.

How they are kept is in `settingsfile`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from tutor.language import Lang, UnknownLanguage
from tutor.language import parse as parse_language

if TYPE_CHECKING:
    from tutor.keychoice import Taken

LEAST_RETENTION, MOST_RETENTION = 0.7, 0.97
"""Bounds of the wanted recall. Below, most would be learnt anew each time; above, the day has not hours enough."""
LEVELS = ("L1", "L2", "L3", "L4", "L5")
"""Names of the levels of the core course, so that no course need be read for the settings."""
NOWHERE = "off"
"""No placement was taken."""
_NO_KEYS: Mapping[str, str] = MappingProxyType({})


class Settings(NamedTuple):
    """What the learner has chosen. ``extra`` keeps names of the file that this version does not know."""

    language: Lang | None = None
    theme: str = "textual-dark"
    motion: str = "auto"
    name: str = ""
    ascii: bool = False
    keys: Mapping[str, str] = _NO_KEYS
    extra: Mapping[str, Any] = _NO_KEYS
    keep_unexplained: bool = True
    probe: bool = True
    probe_python: str = ""
    target_retention: float = 0.9
    exam_date: str = ""
    quiz_count: int = 20
    quiz_new: int = 10
    placement: str = NOWHERE


class Setting(NamedTuple):
    """One setting: how a typed text becomes its value, and which values it has (none listed: any text).

    ``parse`` raises ``ValueError`` for a text that is no value. Its meaning in words is ``settings.<name>``.
    """

    name: str
    default: object
    parse: Callable[[str], object]
    options: Callable[[], tuple[str, ...]]


class SettingsProblem(NamedTuple):
    """What was wrong with the file: ``kind`` is ``damaged``, ``value``, ``unreadable``, ``unwritable`` or ``spared``.

    ``detail`` names the values that cannot be used, or why the file could not be read: ``denied``, ``large``,
    ``no_file``, ``no_home``, ``not_text``, ``deep``, ``number``, ``end``, or the line at which it breaks; of what could
    not be written the number of the system's error. ``aside`` is the kept copy. ``spared``: a change was not written,
    for the file there could not be read. Beside values that cannot be used, or alone: keys that another command has,
    and names that are none of ours.
    """

    kind: str
    path: Path
    detail: str
    aside: Path | None = None
    taken: tuple[Taken, ...] = ()
    unknown: tuple[str, ...] = ()


def _language(text: str) -> Lang | None:
    if text in ("", "ask"):
        return None
    try:
        return parse_language(text, "language")
    except UnknownLanguage as error:
        raise ValueError(text) from error


def _switch(text: str) -> bool:
    word = text.lower()
    if word not in ("on", "true", "yes", "haan", "off", "false", "no", "nahi"):
        raise ValueError(text)
    return word in ("on", "true", "yes", "haan")


def _one_of(*options: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text.lower() not in options:
            raise ValueError(text)
        return text.lower()

    return parse


def _line(text: str) -> str:
    """One short printable line: a name must not carry terminal control sequences into every screen."""
    if len(text) > 60 or not text.isprintable():
        raise ValueError(text)
    return text.strip()


def _path(text: str) -> str:
    """A file's or folder's name as typed; it may be long, and need not be there yet."""
    if len(text) > 1000 or not text.isprintable():
        raise ValueError(text)
    return text.strip()


FREE = (_line, _path)
"""Parsers that take any text of one line."""


def _theme(text: str) -> str:
    name = text.lower()
    if name not in THEMES and (not name.replace("-", "").isalnum() or name not in _themes()):
        raise ValueError(text)
    return name


def _share(text: str) -> float:
    """A chance of recall, "0.9" or "90 %", kept within what a schedule can hold."""
    number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not LEAST_RETENTION <= number <= MOST_RETENTION:
        raise ValueError(text)
    return round(number, 3)


def day(text: str) -> str:
    """A date as 2027-01-31; "" for none, and "off" too."""
    if text.lower() in ("", "off"):
        return ""
    from datetime import date  # every command loads the settings, and few of them have a date

    return date.fromisoformat(text.strip()).isoformat()


def _count(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise ValueError(text)
        return int(text)

    return parse


def _level(text: str) -> str:
    """The name of a level of the course, "L3", or off."""
    if text.strip().lower() in ("", NOWHERE):
        return NOWHERE
    name = text.strip().upper()
    if name not in LEVELS:
        raise ValueError(text)
    return name


THEMES = (
    "ansi-dark", "ansi-light", "atom-one-dark", "atom-one-light", "catppuccin-frappe", "catppuccin-latte",
    "catppuccin-macchiato", "catppuccin-mocha", "dracula", "flexoki", "gruvbox", "monokai", "nord", "rose-pine",
    "rose-pine-dawn", "rose-pine-moon", "solarized-dark", "solarized-light", "textual-dark", "textual-light",
    "tokyo-night",
)  # fmt: skip
"""Themes that are there, so that Textual need not be imported to read the settings; it may have further ones."""


def _themes() -> tuple[str, ...]:
    from textual.theme import BUILTIN_THEMES  # costs 100 ms: only when somebody asks

    return tuple(sorted(BUILTIN_THEMES))


SETTINGS: tuple[Setting, ...] = (
    Setting("language", None, _language, lambda: ("ask", "en", "hi-Latn")),
    Setting("theme", Settings().theme, _theme, _themes),
    Setting("motion", "auto", _one_of("auto", "on", "off"), lambda: ("auto", "on", "off")),
    Setting("name", "", _line, tuple),
    Setting("ascii", False, _switch, lambda: ("on", "off")),
    Setting("keep_unexplained", True, _switch, lambda: ("on", "off")),
    Setting("probe", True, _switch, lambda: ("on", "off")),
    Setting("probe_python", "", _path, tuple),
    Setting("target_retention", 0.9, _share, tuple),
    Setting("exam_date", "", day, tuple),
    Setting("quiz_count", 20, _count(1, 200), tuple),
    Setting("quiz_new", 10, _count(0, 100), tuple),
    Setting("placement", NOWHERE, _level, lambda: (NOWHERE, *LEVELS)),
)
"""Every setting but the remapped keys, which are a table of their own (``keys.<action id>``)."""

BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


def changed(settings: Settings, values: Mapping[str, object]) -> Settings:
    """The settings with some values changed. Raises ``ValueError`` for a name that is none."""
    # a value of the file that could not be used was kept there until now
    kept = {name: value for name, value in settings.extra.items() if name not in values}
    return settings._replace(**values, extra=kept)  # type: ignore[arg-type]  # values come parsed, by name


def with_key(settings: Settings, action: str, wanted: str) -> Settings:
    """The settings with other keys for a command of the app; "" are its own."""
    mapped = {name: key for name, key in settings.keys.items() if name != action}
    bad = settings.extra.get("keys")
    rest = {name: key for name, key in bad.items() if name != action} if isinstance(bad, dict) else {}
    kept = {name: value for name, value in settings.extra.items() if name != "keys"} | ({"keys": rest} if rest else {})
    return settings._replace(keys=mapped | ({action: wanted} if wanted else {}), extra=kept)


def shown(value: object) -> str:
    """A value as it is typed and printed: on, off, ask, or the text itself."""
    if value is None:
        return "ask"
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def told(setting: Setting, value: object, typed: str) -> str:
    """What is said of a value that was set: as typed, but for switches and what is set to nothing."""
    if isinstance(value, bool):  # "nahi" is typed, "off" is kept
        return shown(value)
    if not typed:
        typed = shown(value)
    return "off" if setting.parse is day and not value else typed
