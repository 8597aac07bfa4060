"""Flags of a server as people give them: which fields of a scenario they set.

Any engine's names, old and new, in any spelling ("--tensor-parallel-size", "tensor_parallel_size", "tp", "-ngl",
"NCCL_P2P_DISABLE", nested tables), with values as people write them. The table of names is
:mod:`engine.diagnosis.settings.flag_table`, the readers of values are :mod:`engine.diagnosis.settings.flag_values` and
:mod:`engine.diagnosis.settings.flag_meanings`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from engine.diagnosis.model import Engine, Said, Signal, Unread
from engine.diagnosis.settings import engines, flag_values
from engine.diagnosis.settings import foreign as foreigns
from engine.diagnosis.settings.flag_names import MAX_FLAGS, MAX_NAME, canonical, find, flat, nearest, rows
from engine.diagnosis.settings.flag_table import ENGINE_NAMES, VERSION_NAMES, Flag
from engine.diagnosis.settings.flag_values import NotRead, text

_BLOCK = 16
"""Tokens of a block where a pool is told in blocks and nothing says their size (vLLM's default)."""

_FOREIGN = -1
"""Rank of a flag that the engine does not have: its own flags win."""


class FlagsRead(NamedTuple):
    """What flags say.

    Attributes:
        fields: typed values by the name of the scenario's field; ``engine``, ``engine_name`` and ``version`` too.
        said: the flag behind each field, with what was written where that is more than the value.
        unread: values not understood (field "flags.<name>"), and names that are nearly one of ours (reason
            "unknown-flag"; the text is the name that was meant).
        signals: settings-overwritten, engines-compared.
        rest: flags that set no field, as text by name.
        weak: fields that hold only where no other source says them (``--dtype`` beside a quantized checkpoint).
    """

    fields: Mapping[str, object]
    said: Mapping[str, Said]
    unread: tuple[Unread, ...]
    signals: tuple[Signal, ...]
    rest: Mapping[str, str]
    weak: frozenset[str] = frozenset()


def read(flags: Mapping[str, object], engine: Engine | None = None) -> FlagsRead:
    """Read flags; ``engine`` is the one that another source names, a flag "engine" comes before it."""
    reading = _Reading(engine)
    ours = reading.subject(dict(islice(flags.items(), MAX_FLAGS + 1)))
    for number, (name, value) in enumerate(flat(ours)):
        if number >= MAX_FLAGS:
            reading.unread.append(Unread("flags", str(MAX_FLAGS), "too-many"))
            break
        reading.take(name, value)
    return reading.result()


class _Reading:
    """Collects what the flags say, one after the other."""

    def __init__(self, engine: Engine | None) -> None:
        self.engine = engine
        self.fields: dict[str, object] = {}
        self.said: dict[str, Said] = {}
        self.unread: list[Unread] = []
        self.signals: list[Signal] = []
        self.rest: dict[str, str] = {}
        self.ranks: dict[str, int] = {}
        self.taken: set[str] = set()

    # --- the engine

    def subject(self, flags: Mapping[str, object]) -> Mapping[str, object]:
        """The flags of the server that this is about, its engine noted: of several engines' tables the first."""
        tables = [name for name, value in flags.items() if isinstance(value, Mapping) and _engine(name)]
        self._name_engine(flags)
        if not tables:
            return flags
        chosen, *others = tables
        if "engine" not in self.fields:
            self._engine_named(str(chosen), str(chosen))
        if others:
            self.signals.append(Signal("engines-compared", text(f"{chosen}, {', '.join(map(str, others))}"), "flags"))
            for other in others:
                theirs = islice(flat({"": flags[other]}), MAX_FLAGS)
                self.rest |= {f"{other}.{name}"[:MAX_NAME]: text(value) for name, value in theirs}
        inner = flags[chosen]
        assert isinstance(inner, Mapping)
        self._name_engine({name: inner[name] for name in inner if canonical(name) in VERSION_NAMES})
        return {**{name: value for name, value in flags.items() if name not in tables}, **inner}

    def _name_engine(self, flags: Mapping[str, object]) -> None:
        """Note the engine and its version before any flag is read: names depend on it."""
        named = {canonical(name): (name, value) for name, value in flags.items() if isinstance(name, str)}
        for key in ENGINE_NAMES:
            name, value = named.get(key, ("", None))
            line = "" if isinstance(value, Mapping) else text(value)
            if line and (_engine(line) or (key == "engine" and self.engine is None)):
                self._engine_named(name, line)
                break
        for key in VERSION_NAMES:
            if key in named and isinstance(named[key][1], str | int | float):
                self._version(str(named[key][0]), text(named[key][1]))
        if "vllm_use_v1" in named:
            self._generation(*named["vllm_use_v1"])

    def _engine_named(self, name: str, value: str) -> None:
        engine, version = engines.identify(value)
        if engine == "other":
            self.unread.append(Unread(f"flags.{name}"[:MAX_NAME], text(value), "unknown-engine"))
        self.engine = engine
        self.taken.add(name)
        self._set(name, value, {"engine": engine, "engine_name": text(value)}, 1)
        if version is not None:
            self._set(name, value, {"version": version}, 1)
        if engines.compared(value):
            self.signals.append(Signal("engines-compared", text(value), "flags"))

    def _version(self, name: str, value: str) -> None:
        engine = self.engine or next((one for one in engines.TITLES if name.startswith(one[:4])), None)
        found = engines.identify(f"{engine} {value}")[1] if engine else engines.identify(value)[1]
        if found is not None:
            self.taken.add(name)
            self._set(name, value, {"version": found}, 2)

    def _generation(self, name: str, value: object) -> None:
        try:
            on = flag_values.switch(value)
        except NotRead as problem:
            self.unread.append(Unread(f"flags.{name}", text(value), problem.reason))
            return
        if on is not None and self.engine is None:
            self._engine_named(name, "vllm")
        if on is not None and self.engine == "vllm":
            version = str(self.fields.get("version") or ("" if on else "0.7")).split(" ")[0]
            if version:
                self.fields["version"] = f"{version} V{int(on)}"
                self.said["version"] = Said("given", text(name))

    # --- one flag

    def take(self, name: str, value: object) -> None:
        """Read one flag."""
        key = canonical(name)
        if name in self.taken or key == "vllm_use_v1" or (key in ENGINE_NAMES and _engine(text(value))):
            return
        flag, turned = find(name, self.engine)
        shown = name[:MAX_NAME]
        if flag is None:
            self._unknown(shown, key, value)
            return
        foreign = self.engine is not None and foreigns.is_foreign(key, self.engine)
        if foreign and not self._translated(shown, flag, self.engine):
            return
        try:
            fields = self._values(flag, value, turned, key)
        except NotRead as problem:
            self.unread.append(Unread(f"flags.{shown}", text(value), problem.reason))
            return
        if flag_values.is_forced(value):
            self.signals.append(Signal("settings-overwritten", text(f"{shown}: {text(value)}"), "flags"))
        if fields:
            self._set(shown, value, fields, _FOREIGN if foreign else flag.rank)
        else:
            self.rest[shown] = text(value)

    def _translated(self, name: str, flag: Flag, engine: Engine | None) -> bool:
        """Tell of a flag that only other engines have; whether it says something here all the same."""
        assert engine is not None
        own = foreigns.meant(flag.field, engine)
        self.unread.append(
            Unread(f"flags.{name}", own, "meant-here") if own
            else Unread(f"flags.{name}", engines.TITLES[engine], "not-here")
        )  # fmt: skip
        return bool(own)

    def _values(self, flag: Flag, value: object, turned: bool, key: str) -> dict[str, object]:
        if value is None and key != "cuda_graph_config":  # a null in a file says nothing
            return {}
        found = flag.read("null" if value is None else value)
        if isinstance(found, dict):
            return found
        if found is None:
            return {}
        return {flag.field: not found if turned else found}

    def _set(self, name: str, value: object, fields: Mapping[str, object], rank: int) -> None:
        written = text(value)
        plain = isinstance(value, bool | int | float) or re.fullmatch(r"[\w.+:%/-]*", written) is not None
        for field, found in fields.items():
            if field in self.fields and self.fields[field] != found and rank <= self.ranks[field]:
                if rank == self.ranks[field]:
                    self.unread.append(Unread(f"flags.{name}", written, "said-twice"))
                continue
            self.fields[field], self.ranks[field] = found, rank
            self.said[field] = Said("given", text(name if plain else f"{name}: {written}"))

    def _unknown(self, name: str, key: str, value: object) -> None:
        several = len(rows().get(key, ())) > 1 and self.engine is None
        near = None if several else nearest(key)
        if several:
            self.unread.append(Unread(f"flags.{name}", text(value), "which-engine"))
        elif near:
            self.unread.append(Unread(f"flags.{name}", near, "unknown-flag"))
        else:
            self.rest[name] = text(value)

    def result(self) -> FlagsRead:
        """What was read."""
        blocks = self.fields.pop("blocks", None)
        source = self.said.pop("blocks", Said("given"))
        if isinstance(blocks, int) and "kv_pool_tokens" not in self.fields:
            size = self.fields.get("block_size")
            self.fields["kv_pool_tokens"] = blocks * (size if isinstance(size, int) else _BLOCK)
            self.said["kv_pool_tokens"] = source
        weak = frozenset(field for field in self.fields if self.ranks.get(field) == 0)
        return FlagsRead(
            self.fields, self.said, tuple(self.unread), tuple(dict.fromkeys(self.signals)), self.rest, weak
        )


def _engine(name: object) -> bool:
    """Whether a text names an engine."""
    return isinstance(name, str) and engines.identify(name)[0] != "other"
