"""Settings: one table that the `config` command, the settings screen and the file all read.

The file is TOML, written whole and atomically. A value that cannot be used falls back to its default and is told;
a file that is no TOML at all is set aside, and one that cannot be read is never written over.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from tutor.language import Lang, UnknownLanguage
from tutor.language import parse as parse_language

if TYPE_CHECKING:
    from tutor.keychoice import Taken

MAX_SIZE = 2**20
"""Bytes of the largest file that is read."""
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


class Spared(OSError):
    """A settings file that cannot be read is not written over: what it holds would be lost."""


class _Unusable(Exception):
    """A settings file that has no table: ``kind`` and ``detail`` as of :class:`SettingsProblem`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


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


def _day(text: str) -> str:
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
    Setting("exam_date", "", _day, tuple),
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
    return "off" if setting.parse is _day and not value else typed


def load(path: Path) -> tuple[Settings, SettingsProblem | None]:
    """The settings of a file (defaults when there is none) and what was wrong with it, if anything."""
    try:
        return _read(_table(path), path)
    except FileNotFoundError:
        return Settings(), None
    except _Unusable as found:
        aside = _set_aside(path) if found.kind == "damaged" else None
        return Settings(), SettingsProblem(found.kind, path, found.detail, aside)


def _table(path: Path) -> dict[str, Any]:
    """What a settings file holds. Raises ``FileNotFoundError`` where there is none, and ``_Unusable``."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _Unusable("unreadable", "no_file")
        if status.st_size > MAX_SIZE:
            raise _Unusable("unreadable", "large")
        data = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise _Unusable("unreadable", "no_home" if isinstance(error, NotADirectoryError) else "denied") from error
    from content.files import ContentError, parsed

    try:
        return parsed(path.name, data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _Unusable("damaged", "not_text") from error
    except ContentError as error:
        line = str(error.line) if error.line else "end"
        bare = {"number-too-large": "number", "nested-too-deeply": "deep"}.get(error.reason, line)
        raise _Unusable("damaged", bare) from error


def glance(path: Path) -> Settings:
    """The settings as far as they can be read, for who must not tell of trouble: a damaged file stays for `load`."""
    from content.files import ContentError, parsed

    try:
        if not path.is_file() or path.stat().st_size > MAX_SIZE:
            return Settings()
        return _read(parsed(path.name, path.read_text("utf-8-sig")), path)[0]
    except (OSError, UnicodeDecodeError, ContentError):
        return Settings()


def _read(table: dict[str, Any], path: Path) -> tuple[Settings, SettingsProblem | None]:
    values: dict[str, Any] = {}
    bad: list[str] = []
    unknown = [name for name in table if name not in BY_NAME and name != "keys"]
    taken: tuple[Taken, ...] = ()
    for setting in SETTINGS:
        if setting.name not in table:
            continue
        raw = table[setting.name]
        try:
            values[setting.name] = setting.parse(_written(setting, raw))
            del table[setting.name]
        except ValueError:
            bad.append(setting.name)  # and it stays in the file until another one is chosen
    keys = table.pop("keys", {})
    if isinstance(keys, dict):
        if keys:
            from tutor import keychoice
            from tutor.keys import BY_ID

            values["keys"], odd, taken = keychoice.usable(keys)
            bad += [f"keys.{name}" for name in odd]
            unknown += [f"keys.{name}" for name in values["keys"] if name not in BY_ID]
            unused = {name: value for name, value in keys.items() if name not in values["keys"]}
            table |= {"keys": unused} if unused else {}
    else:
        bad.append("keys")
        table["keys"] = keys
    told = SettingsProblem("value", path, ", ".join(bad), taken=taken, unknown=tuple(unknown))
    return Settings(**values, extra=table), told if bad or taken or unknown else None


def _written(setting: Setting, raw: object) -> str:
    """A value of the file as one would type it; numbers and dates only where the setting is one."""
    if setting.parse is _day:
        from datetime import date

        if type(raw) is date:  # a date with a time is another type, and no day
            return raw.isoformat()
    number = isinstance(raw, int | float) and isinstance(setting.default, int | float)
    return shown(raw) if isinstance(raw, str | bool) or number else "\0"


def _set_aside(path: Path) -> Path | None:
    name = f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    aside = path.with_name(f"{name}{path.suffix}")
    try:
        if aside.exists():  # of the same second: neither copy may go
            aside = path.with_name(f"{name}-{os.urandom(3).hex()}{path.suffix}")
        path.replace(aside)
    except OSError:
        return None
    return aside


def save(path: Path, settings: Settings) -> None:
    """Write the settings whole: to a file beside, synced, then renamed over.

    Raises:
        Spared: there is a file that cannot be read; it stays as it is.
        OSError: the disk refuses.
    """
    try:
        _table(path)
    except FileNotFoundError:
        pass
    except _Unusable as found:
        raise Spared(found.detail) from found
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(_toml(settings))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _toml(settings: Settings) -> str:
    values = {setting.name: getattr(settings, setting.name) for setting in SETTINGS}
    chosen = {name: value for name, value in values.items() if value != BY_NAME[name].default}
    tables = {name: value for name, value in settings.extra.items() if isinstance(value, dict)}
    plain = {name: value for name, value in settings.extra.items() if name not in tables}
    keys = {**settings.keys, **tables.pop("keys", {})}  # of two that want one key, the later one has lost
    if keys:
        plain.pop("keys", None)
    lines = [f"{_key(name)} = {_value(value)}" for name, value in (plain | chosen).items()]
    for name, table in ({"keys": keys} | tables).items():
        if table:
            lines += ["", f"[{_key(name)}]", *(f"{_key(key)} = {_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("-", "").replace("_", "").isalnum() else _value(name)


def _value(value: object) -> str:
    """A TOML value. Basic strings of TOML are those of JSON, but for the delete character."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)  # dates and times print as TOML writes them
