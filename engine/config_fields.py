"""Typed access to a config.json: what stands under a key, or the refusal that names the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.catalog import NoValues

Config = Mapping[str, Any]

_LARGEST = 10**9
"""No size in a config.json is larger; a larger one is a damaged file."""

_LONGEST = 40
"""Letters of a value that are told."""


class Fields:
    """Typed access to a config.json: a value of the wrong kind is refused by its key, never guessed around."""

    def __init__(self, config: Config, name: str) -> None:
        self.config, self.name = config, name

    def get(self, *keys: str) -> int | None:
        """The first of these keys that holds a whole number; ``None`` where none of them is set."""
        for key in keys:
            value = self.config.get(key)
            if value is None:
                continue
            if type(value) is not int or not 0 <= value <= _LARGEST:
                raise self.bad(key)
            return value
        return None

    def must(self, *keys: str) -> int:
        """As :meth:`get`, and refused where nothing or 0 is set."""
        value = self.get(*keys)
        if value == 0:
            raise self.bad(next(key for key in keys if self.config.get(key) is not None))
        if value is None:
            raise NoValues("missing-key", self.name, keys[0])
        return value

    def bad(self, key: str) -> NoValues:
        """The refusal of what stands under a key."""
        value = self.config.get(key)
        held = "" if value is None else f"{key} = {_written(value)}"
        return NoValues("bad-key", self.name, key, held)

    def part(self, key: str) -> Fields | None:
        """The table under a key."""
        value = self.config.get(key)
        return Fields(value, self.name) if isinstance(value, Mapping) else None

    def words(self, key: str) -> tuple[str, ...]:
        """The list of texts under a key."""
        value = self.config.get(key)
        listed = isinstance(value, Sequence) and not isinstance(value, str)
        return tuple(str(one) for one in value or ()) if listed else ()

    def flag(self, *keys: str) -> bool | None:
        """The first of these keys that is yes or no."""
        return next((self.config[key] for key in keys if isinstance(self.config.get(key), bool)), None)

    @property
    def kind(self) -> str:
        """``model_type``."""
        return str(self.config.get("model_type") or "")


def _written(value: object) -> str:
    """A value as it stands in the file, a long one cut."""
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
