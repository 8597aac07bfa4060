"""The file of the settings: read with what is wrong in it, and written.

It is TOML, written whole and atomically. A value that cannot be used falls back to its default and is told; a file that
is no TOML at all is set aside, and one that cannot be read is never written over. What another program has chosen
meanwhile stays.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor import locking
from tutor.settings import BY_NAME, SETTINGS, Setting, Settings, SettingsProblem, day, shown

if TYPE_CHECKING:
    from tutor.keychoice import Taken

MAX_SIZE = 2**20
"""Bytes of the largest file that is read."""


class Spared(OSError):
    """A settings file that cannot be read is not written over: what it holds would be lost."""


class _Unusable(Exception):
    """A settings file that has no table: ``kind`` and ``detail`` as of :class:`SettingsProblem`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


def load(path: Path) -> tuple[Settings, SettingsProblem | None]:
    """The settings of a file (defaults when there is none) and what was wrong with it, if anything."""
    try:
        return _read(_table(path), path)
    except FileNotFoundError:
        return Settings(), None
    except _Unusable as found:
        aside = _set_aside(path) if found.kind == "damaged" else None
        return Settings(), SettingsProblem(found.kind, path, found.detail, aside)


_UNREAD = {errno.ENOTDIR: "no_home", errno.EACCES: "denied", errno.EPERM: "denied"}
"""What is said of a refusal; of another one what it is, by its number."""


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
        raise _Unusable("unreadable", _UNREAD.get(error.errno or 0, str(error.errno or 0))) from error
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
    if setting.parse is day:
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


def save(path: Path, settings: Settings, before: Settings | None = None) -> None:
    """Write the settings whole: to a file beside, synced, then renamed over.

    Args:
        path: the file.
        settings: what is wanted.
        before: what they were when they were read or written last. Only what differs from that is put into what the
            file holds by now: another program may have written it. Without it the file is as ``settings`` says.

    Raises:
        Spared: there is a file that cannot be read; it stays as it is.
        OSError: the disk refuses.
    """
    _there(path)  # a file that is spared needs no lock
    path.parent.mkdir(parents=True, exist_ok=True)
    with locking.alone(path):
        there = _there(path)
        _write(path, settings if there is None or before is None else _together(before, settings, there))


def _there(path: Path) -> Settings | None:
    """What the file holds now; ``None`` where there is none. Raises ``Spared``."""
    try:
        return _read(_table(path), path)[0]
    except FileNotFoundError:
        return None
    except _Unusable as found:
        raise Spared(found.detail) from found


def _together(before: Settings, wanted: Settings, there: Settings) -> Settings:
    """What a file holds by now, with what somebody has changed who knew it as it was before."""
    chosen = {name: value for name, value in wanted._asdict().items() if value != getattr(before, name)}
    keys, extra = (_merged(*(getattr(one, name) for one in (before, wanted, there))) for name in ("keys", "extra"))
    return there._replace(**chosen | {"keys": keys, "extra": extra})


def _merged(before: Mapping[str, Any], wanted: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """The same of the names of a table."""
    gone = {name for name in before if name not in wanted}
    put = {name: value for name, value in wanted.items() if name not in before or before[name] != value}
    return {name: value for name, value in there.items() if name not in gone} | put


def _write(path: Path, settings: Settings) -> None:
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
