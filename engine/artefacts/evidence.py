"""Several texts together: what each of them said, and what a person corrected of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.artefacts import registry
from engine.artefacts.model import Observations, Value


@dataclass(frozen=True)
class Artefact:
    """One text.

    Attributes:
        name: as sentences and sources call it: a file's name, "standard input", a server's address.
        found: what was read in it.
    """

    name: str
    found: Observations


@dataclass(frozen=True)
class Evidence:
    """What people had at hand.

    Attributes:
        artefacts: in the order they were given; the later one wins where two say different facts.
        corrected: by name: the value, in the name's own unit, that a person put in the place of what was read;
            ``None`` where it is not to be used at all.
    """

    artefacts: tuple[Artefact, ...] = ()
    corrected: Mapping[str, Value | None] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.artefacts)

    def correcting(self, name: str, value: Value | None) -> Evidence:
        """The same with one name corrected."""
        return replace(self, corrected={**self.corrected, name: value})

    def restoring(self, name: str) -> Evidence:
        """The same with one name as it was read."""
        return replace(self, corrected={one: value for one, value in self.corrected.items() if one != name})


def read(name: str, chunks: Iterable[bytes]) -> Artefact:
    """A text that comes in pieces. Raises only what the pieces raise."""
    return Artefact(name, registry.read(chunks))
