"""One source's words, read into typed values: options of a command, or the keys of a scenario file.

Nothing is decided here but what each value says by itself. What sources say together, and what follows from a name, is
:mod:`engine.diagnosis.reading.building`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import get_args

from engine.diagnosis import fields
from engine.diagnosis.fields import BY_ATTRIBUTE, BY_NAME, Field, ScenarioProblem
from engine.diagnosis.model import Engine, Origin, Said, Signal, Unread
from engine.diagnosis.reading import commands, formats, kinds, values
from engine.diagnosis.reading.cleaning import MOST_KEYS, clean
from engine.diagnosis.reading.kinds import shown
from engine.diagnosis.settings import engines, flag_names, flags
from engine.diagnosis.symptoms import measured, signals
from engine.diagnosis.written import NotRead
from engine.precision import Format

MOST_SENTENCES = 200
MOST_SENTENCE = 20_000
_ORIGINS: tuple[str, ...] = get_args(Origin)


@dataclass
class Inputs:
    """What one source says.

    Attributes:
        values: typed, by the scenario's attribute.
        parts: what other values are made from: "model" and "gpu" as written, ``fields.ARCHITECTURE``, "gpu_memory",
            "bandwidth", "tflops".
        said: where each of them comes from, by attribute or part.
        weak: attributes that hold only where nothing else says them.
        kept: the table "read" of a saved scenario.
        unread, signals, tried, flags: as in a scenario.
    """

    values: dict[str, object] = field(default_factory=dict)
    parts: dict[str, object] = field(default_factory=dict)
    said: dict[str, Said] = field(default_factory=dict)
    weak: set[str] = field(default_factory=set)
    kept: Mapping[str, object] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    signals: list[Signal] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    flags: dict[str, str] = field(default_factory=dict)
    conflicts: list[tuple[str, object, str, object, str]] = field(default_factory=list)


def read(given: Mapping[str, object], source: str) -> Inputs:
    """Read public names with values as people write them.

    Args:
        given: names and values; ``None`` and "" are "not said".
        source: "given" for options, an origin ("log", "config") for what an artefact says, else a file's name.

    Raises:
        ScenarioProblem: a value that is impossible, or more keys than a scenario has.
    """
    if not isinstance(given, Mapping):
        raise ScenarioProblem("not-a-table", "file")
    if len(given) > MOST_KEYS:
        raise ScenarioProblem("too-many-keys", "file", {"most": MOST_KEYS})
    reading = _Reading(source)
    plain: dict[str, object] = {}
    for name, value in given.items():
        if value is None or value == "":
            continue
        key = _key(name)
        if key in plain and value != plain[key]:
            reading.twice(key, value)
        plain.setdefault(key, value)
    plain, line = _started(plain)
    for one in fields.FIELDS:
        if one.name in plain:
            reading.field(one, plain[one.name])
    reading.tables(plain)
    if line:
        reading.flags_given({"command": line})
    for name, value in plain.items():
        if name not in BY_NAME and name not in _TABLES:
            reading.unknown(name, value)
    reading.figures()
    return reading.out


_TABLES = frozenset((*fields.TABLES, "flag", "symptom"))


def _started(plain: dict[str, object]) -> tuple[dict[str, object], str]:
    """The values with those of a start command among them, and its flags; what is said beside it comes before it.

    It stands under "command", or where the engine's name is asked for.
    """
    for key in (fields.COMMAND, "engine"):
        value = plain.get(key)
        text = " ".join(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else value
        found = commands.read(text) if isinstance(text, str) else None
        if found is not None:
            said = {"engine": found.engine} | ({"model": found.model} if found.model else {})
            return said | {name: one for name, one in plain.items() if name != key}, found.flags
    return plain, ""


def _key(name: object) -> str:
    return shown(name).strip().lower().lstrip("-").replace("-", "_") if isinstance(name, str) else shown(name)


class _Reading:
    """Collects what the values say, one after the other."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.out = Inputs()
        self.sentences: list[str] = []

    # --- one value -----------------------------------------------------------------------------------------------

    def _said(self, option: str) -> Said:
        if self.source == "given":
            return Said("given", option)
        if self.source in _ORIGINS:
            return Said(self.source)  # type: ignore[arg-type]  # it is one of them
        return Said("given", shown(self.source))

    def field(self, one: Field, value: object) -> None:
        """Read the value of a field."""
        try:
            if one.name == "concurrency":
                self._load(one, value)
                return
            found = kinds.read(one, value)
        except NotRead as problem:
            self._unread(one.name, value, problem.reason)
            return
        except formats.NotAFormat as problem:
            self._unread(one.name, value, problem.reason)
            return
        if isinstance(found, formats.Written):
            self._format(one, found, value)
        else:
            self.set(one, found, value)

    def _unread(self, name: str, value: object, reason: str) -> None:
        self.out.unread.append(Unread(name, kinds.typed(value), reason))

    def twice(self, name: str, value: object) -> None:
        """A key that the source has once more, perhaps in other letters: the first one holds."""
        self._unread(name, value, "said-twice")

    def set(self, one: Field, found: object, value: object, said: Said | None = None) -> None:
        """Keep a value that is possible."""
        problem = kinds.impossible(one, found)
        if problem is not None:
            problem.params["value"] = kinds.typed(value)
            if problem.reason == "over-one" and isinstance(found, int | Fraction) and 2 <= found <= 100:
                problem.params["meant"] = f"{kinds.shown(found)} %"  # a percentage without its sign
            at_rest = problem.reason == "zero" and one.group == "measured" and self.source != "options"
            if at_rest or (self.source in _ORIGINS and self.source != "given"):
                self._unread(one.name, value, problem.reason)  # a gauge at rest, or a damaged log: no figure
                return
            raise problem
        said = said or self._said(one.option)
        if one.attribute in ("model_name", "gpu_name") or not one.attribute:
            self.out.parts[one.name], self.out.said[one.name] = found, said
            return
        if one.name == "engine":
            assert isinstance(found, str)
            engine, version = engines.identify(found)
            if engine == "other":
                self._unread(one.name, value, "unknown-engine")
            self._keep("engine", engine, said)
            self._keep("engine_name", found, said)
            if version is not None:
                self._keep("version", version, said)
            return
        self._keep(one.attribute, found, said)

    def _keep(self, attribute: str, found: object, said: Said) -> None:
        self.out.values[attribute], self.out.said[attribute] = found, said

    def _format(self, one: Field, found: formats.Written, value: object) -> None:
        self._keep(
            one.attribute, found.form, Said("assumed", shown(value)) if found.assumed else self._said(one.option)
        )
        if found.act_order:
            self._keep("act_order", True, self._said(one.option))

    def _load(self, one: Field, value: object) -> None:
        """Requests at once, arriving or in all, or tokens of a step's batch: whichever the text says."""
        told = values.load(value)
        said = self._said(one.option)
        for name, found in (
            ("concurrency", told.concurrency), ("request_rate", told.rate), ("requests", told.requests),
            ("max_num_batched_tokens", told.batch_tokens),
        ):  # fmt: skip
            if found is not None and name not in self.out.values:
                assumed = Said("assumed", shown(value)) if name == "max_num_batched_tokens" else said
                self.set(BY_NAME[name], found, value, assumed)

    # --- tables --------------------------------------------------------------------------------------------------

    def tables(self, plain: Mapping[str, object]) -> None:
        """Read flags, sentences and what an earlier reading kept."""
        for name in ("flags", "flag"):
            if name in plain:
                self._flags(plain[name])
        for name in ("symptoms", "symptom"):
            if name in plain:
                self._sentences(plain[name])
        kept = plain.get("read")
        if isinstance(kept, Mapping):
            self.out.kept = kept

    def _flags(self, value: object) -> None:
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list | tuple):
            pairs = [one.partition("=") for one in value[:MOST_KEYS] if isinstance(one, str)]
            value = {name.strip(): text.strip() if mark else True for name, mark, text in pairs}
        if not isinstance(value, Mapping):
            self._unread("flags", value, "not-a-table")
            return
        twice: list[tuple[str, object]] = []
        self.flags_given(clean(value, 0, twice))
        for name, again in twice:
            self.twice(f"flags.{name}", again)

    def flags_given(self, given: Mapping[str, object]) -> None:
        """Read flags that were given as flags; a name that is none, or was only guessed at, is told."""
        found = flags.read(given, self._engine())
        self._flags_read(found)
        engine = self._engine()
        told = {one.field for one in found.unread}
        for name in found.rest:
            if f"flags.{name}" not in told and flag_names.is_unknown(name, engine):
                self._unread(f"flags.{name}", "", "unknown-flag")
        for name in dict.fromkeys(said.source.partition(":")[0] for said in found.said.values()):
            if meant := flag_names.guessed(name, engine):
                self._unread(f"flags.{shown(name)}", meant, "read-as")

    def _engine(self) -> Engine | None:
        return self.out.values.get("engine")  # type: ignore[return-value]  # only ``set`` puts it there

    def _flags_read(self, found: flags.FlagsRead) -> None:
        own = dict(self.out.values)
        another = "engine" in own and found.fields.get("engine", own["engine"]) != own["engine"]
        for attribute, value in found.fields.items():
            said = found.said.get(attribute, Said("given"))
            said = Said(said.origin, shown(said.source)) if self.source == "given" else said
            one = BY_ATTRIBUTE.get(attribute)
            if attribute == "engine":
                if "engine" not in own:
                    self._keep("engine", value, said)
                continue
            if one is None or not kinds.fits(one, value) or (attribute == "version" and another):
                continue
            if attribute in own:
                if attribute == "engine_name" and found.fields.get("engine") == own.get("engine"):
                    continue  # "vllm" and "vllm 0.6" are one
                self._conflict(one, own[attribute], self.out.said[attribute], value, said)
                continue
            before = len(self.out.unread)
            if attribute in ("engine_name", "version"):
                self._keep(attribute, value, said)
            else:
                self.set(one, value, value, said)
            if attribute in found.weak and len(self.out.unread) == before:
                self.out.weak.add(attribute)
        self.out.unread += [
            Unread(one.field, "", "no-value") if (one.text, one.reason) in _NO_VALUE else one for one in found.unread
        ]
        self.out.signals += [one for one in found.signals if one not in self.out.signals]
        rest = {name: text for name, text in found.rest.items() if not flag_names.is_secret(name)}
        self.out.flags |= {shown(name): shown(text) for name, text in rest.items()}

    def _conflict(self, one: Field, kept: object, by: Said, dropped: object, dropped_by: Said) -> None:
        both = isinstance(kept, Format) and isinstance(dropped, Format)
        alike = kept.linear_bits == dropped.linear_bits if both else kept == dropped  # type: ignore[attr-defined]
        if not alike:
            self.out.conflicts.append((one.name, kept, by.source, dropped, dropped_by.source))

    def _sentences(self, value: object) -> None:
        for one in list(value)[:MOST_SENTENCES] if isinstance(value, list | tuple) else [value]:
            if not isinstance(one, str):
                self._unread("symptoms", one, "not-a-text")
                continue
            text = one[:MOST_SENTENCE]
            self.sentences.append(text)
            heard, tried = signals.read(text), signals.tried(text)
            self.out.signals += [new for new in heard if new not in self.out.signals]
            self.out.tried |= tried
            if text.strip() and not heard and not tried and not measured.read(text):
                self._unread("symptoms", text, "not-understood")

    def figures(self) -> None:
        """Keep the figures that the sentences name, where nothing else says them."""
        for name, found in measured.said(self.sentences).items():
            if name not in self.out.values and kinds.impossible(BY_ATTRIBUTE[name], found.value) is None:
                self._keep(name, found.value, Said(found.origin, shown(found.text)))
                self.out.weak.add(name)
        self._card_by_its_size()

    def _card_by_its_size(self) -> None:
        """The memory of a card of which a sentence says no more, where nothing else names one."""
        found = measured.card_memory(self.sentences)
        if found is None or self.out.parts.keys() & {"gpu", "gpu_memory"}:
            return
        value = kinds.read(BY_NAME["gpu_memory"], found[0])
        self.out.parts["gpu_memory"], self.out.said["gpu_memory"] = value, Said("given", shown(found[1]))
        self.out.weak.add("gpu_memory")

    def unknown(self, name: str, value: object) -> None:
        """A key that is none of ours: perhaps a flag of an engine, else told with the nearest one."""
        is_open = name == fields.COMMAND and isinstance(value, str) and commands.is_open(value)
        if is_open:  # and perhaps some flags of it can be read all the same
            self._unread(name, value, "open-quote")
        if isinstance(value, str | int | float):
            found = flags.read(clean({name: value}, 0), self._engine())
            if found.fields:
                self._flags_read(found)
                return
        if name == fields.COMMAND:
            if not is_open:
                self._unread(name, value, "not-a-command")
            return
        self.out.unread.append(Unread(name, fields.nearest(name), "unknown-key"))


_NO_VALUE = frozenset((text, reason) for text in ("on", "true") for reason in ("not-a-number", "not-a-whole-number"))
"""What a flag says that wants a number and stands alone."""
