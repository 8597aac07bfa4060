"""What stands in the form: texts by the name of a field, and the steps that can be undone. Nothing is judged here."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from engine.artefacts.evidence import Artefact, Evidence

MAIN = (
    "model", "weights", "gpu", "gpus", "link", "prompt", "output", "concurrency", "engine", "max_model_len", "kv",
    "gpu_memory_utilization", "reserve", "tpot", "ttft", "throughput",
)  # fmt: skip
"""Fields that are always shown; the others when they are set, or when all are asked for."""
FREE = ("symptoms", "flags")
"""Lines of text after the fields: what is observed in plain words, and the server's flags as typed."""
GROUPS = ("model", "card", "load", "server", "measured", "settings")
READ = "read"
"""What an exported scenario tells of how it was read."""
LONGEST_UNDO = 50


class Before(NamedTuple):
    """What a step back returns to."""

    values: dict[str, str]
    rest: dict[str, object]
    evidence: Evidence | None


@dataclass
class FormState:
    """The texts, by field; an empty text is a field that nothing is said about."""

    values: dict[str, str] = field(default_factory=dict)
    rest: dict[str, object] = field(default_factory=dict)
    """What a scenario file or a lever said that no line of the form shows."""
    current: str = "model"
    """The field being typed in."""
    every: bool = False
    """Whether all fields are shown."""
    undone: list[Before] = field(default_factory=list)
    evidence: Evidence | None = None
    """What logs and files say: a weaker source than the fields."""
    pasted: int = 0
    """Texts that were pasted so far."""
    paths: dict[str, Path] = field(default_factory=dict)
    """Where the files of the evidence lie, by their name in it."""
    kept: frozenset[str] = frozenset()
    """Fields that hold what an earlier run or an example left there, and nobody has typed in since."""
    of_example: bool = False
    """Whether those are of an example."""

    def set(self, name: str, text: str) -> bool:
        """Take a text; whether it is another one than before."""
        if self.values.get(name, "") == text:
            return False
        self.kept = self.kept - {name}
        if text:
            self.values[name] = text
        else:
            self.values.pop(name, None)
        return True

    def remember(self) -> None:
        """Make what stands there now the thing that undo returns to."""
        self.undone = [*self.undone, Before(dict(self.values), dict(self.rest), self.evidence)][-LONGEST_UNDO:]

    def replace(self, values: Mapping[str, str], rest: Mapping[str, object] | None = None) -> None:
        """Fill in another scenario; undo brings the old one back."""
        self.remember()
        self.values = {name: text for name, text in ((name, line(text)) for name, text in values.items()) if text}
        self.rest, self.kept = dict(rest or {}), frozenset()

    def illustrate(self, values: Mapping[str, str]) -> None:
        """Fill in an example: what it says is of no server that a log is of."""
        self.replace(values)
        self.kept, self.of_example = frozenset(self.values), True

    def empty(self) -> bool:
        """Leave out all that is typed; where nothing is, the logs and files too. Whether there was anything."""
        if self.values or self.rest:
            self.replace({})
        elif self.evidence:
            self.rely(None)
        else:
            return False
        return True

    @property
    def looked_at(self) -> bool:
        """Whether all that stands there is an example, as it was: nobody's server."""
        return self.of_example and bool(self.values) and self.kept >= self.values.keys()

    @property
    def left(self) -> tuple[str, ...]:
        """Fields beside logs and files that nobody filled in for them."""
        return tuple(name for name in self.values if name in self.kept) if self.evidence else ()

    def rely(self, evidence: Evidence | None) -> bool:
        """Take other evidence; undo brings the old one back. With the first of it an example goes: logs and files are
        of a server, and it is of none. Whether one went."""
        if evidence is self.evidence:
            return False
        gone = bool(evidence) and not self.evidence and self.looked_at
        self.remember()
        self.evidence = evidence or None
        if gone:
            self.values = {}
        return gone

    def yielding(self, names: Collection[str]) -> list[str]:
        """Leave out what an earlier run left in these fields, for a log says otherwise; which they were."""
        gone = [name for name in self.values if name in names and name in self.kept]
        if gone:
            self.remember()
            self.values = {name: text for name, text in self.values.items() if name not in gone}
            self.kept = self.kept - {*gone}
        return gone

    def with_text(self, evidence: Evidence, one: Artefact, path: Path | None) -> Evidence:
        """The evidence with one text more; a file that is there already is read anew, in its place."""
        name = one.name
        if path is not None:
            if self.paths.get(name, path) != path:
                name = f"{path.parent.name}/{path.name}"
            self.paths[name] = path
        fresh = replace(one, name=name)
        if any(held.name == name for held in evidence.artefacts):
            return replace(evidence, artefacts=tuple(fresh if h.name == name else h for h in evidence.artefacts))
        return replace(evidence, artefacts=(*evidence.artefacts, fresh))

    def undo(self) -> bool:
        """One step back; whether there was one."""
        if not self.undone:
            return False
        before = self.values
        self.values, self.rest, self.evidence = self.undone[-1]
        self.kept = frozenset(one for one in self.kept if not before or self.values.get(one) == before.get(one))
        self.undone = self.undone[:-1]
        return True

    def given(self) -> dict[str, object]:
        """What the engine is asked with: public names, values as they were typed."""
        said: dict[str, object] = {**self.rest}
        for name, text in self.values.items():
            if not text.strip():
                continue
            if name == "symptoms":
                said[name] = [text.strip()]
            elif name == "flags":
                told = said.get("flags")
                said[name] = {**(told if isinstance(told, dict) else {}), **flags_of(text)}
            else:
                said[name] = text.strip()
        return said

    def take(self, known: Mapping[str, object], names: Sequence[str]) -> None:
        """Fill in what a scenario file holds; ``names`` are the fields that the form has a line for."""
        values, rest = split(known, names)
        self.replace(values, rest)

    def change(self, before: Mapping[str, object], after: Mapping[str, object], names: Sequence[str]) -> None:
        """Take over what differs between two exported scenarios, and leave everything else as it was typed."""
        values, rest = dict(self.values), dict(self.rest)
        for name in differing(before, after):
            if name in names or name in FREE:
                values[name] = shown(after[name]) if name in after else ""
            elif name in after:
                rest[name] = after[name]
            else:
                rest.pop(name, None)
        rest.pop(READ, None)  # it is about the values before
        self.replace(values, rest)


def differing(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """Names of what one exported scenario says otherwise than another."""
    return [name for name in {**before, **after} if name != READ and before.get(name) != after.get(name)]


def split(known: Mapping[str, object], names: Sequence[str]) -> tuple[dict[str, str], dict[str, object]]:
    """What the form can show of a scenario, as text, and the rest as it is."""
    values: dict[str, str] = {}
    rest: dict[str, object] = {}
    for name, value in known.items():
        if name in names or name in FREE:
            values[name] = shown(value)
        else:
            rest[name] = value
    return values, rest


def shown(value: object) -> str:
    """A value of a scenario file as one would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Mapping):
        return shlex.join(_typed(str(name), held) for name, held in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(shown(one) for one in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return line(str(value))


def line(text: str) -> str:
    """A text from a file as a line of the form takes it when it is pasted: no sign that a terminal would obey."""
    flat = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
    return flat if flat.isprintable() else "".join(char for char in flat.replace("\t", " ") if char.isprintable())


def _typed(name: str, held: object) -> str:
    flag = name if name.startswith("-") else f"--{name}"
    return flag if held is True else f"{flag}={shown(held)}"


def flags_of(text: str) -> dict[str, object]:
    """The flags in a line such as "--enforce-eager --max-num-seqs 64", "max_num_seqs=64" or a whole serve command."""
    from engine.diagnosis.reading.commands import unbroken

    text = unbroken(text)
    try:
        words = shlex.split(text)
    except ValueError:  # an open quote
        words = text.split()
    found: dict[str, object] = {}
    waiting = ""
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name:
            found[name], waiting = value, ""
        elif word.startswith("-") and not word.lstrip("-")[:1].isdigit() and word.strip("-"):
            found[word], waiting = True, word
        elif waiting:
            found[waiting], waiting = word, ""
    return found
