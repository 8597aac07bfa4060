"""What was wanted of a soak, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.soak import measure
from tests.soak.measure import Growth, Window
from tests.soak.walk import Step

IDLE_CPU = 0.02
"""Share of a core that an app at rest may use."""


def silent(_ran: Ran) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Wanted:
    """A soak.

    Attributes:
        seed: of the walk.
        seconds: for which it lasts at most.
        first, last: steps of the walk that are taken, as of a slice; without a last one as many as there is time for.
        window: keys between two measurements.
        idle: seconds for which it is watched at rest, at the end.
        latest: steps that are told when something fails.
        tell: called after each measurement.
    """

    seed: int
    seconds: float
    first: int = 0
    last: int | None = None
    window: int = 1000
    idle: float = 5.0
    latest: int = 60
    tell: Callable[[Ran], None] = silent


@dataclass
class Ran:
    """What one form of the soak did and found.

    Attributes:
        form: ``headless`` or ``terminal``.
        seed, steps, keys: how far it came; pasted texts and clicks count as one key.
        lives: how often the program was started; left: how often it was left by its key.
        screens: how many steps ended on each of them.
        windows: measurements, one list for each life that was long enough to be judged.
        failures: crashes, hangs and silent errors, each with the steps before it.
        broken: what is wrong with the files at the end.
        idle_cpu: share of a core that it used at rest; idle_wrote: whether, or how much, it wrote then.
    """

    form: str
    seed: int
    steps: int = 0
    keys: int = 0
    lives: int = 1
    left: int = 0
    screens: Counter[str] = field(default_factory=Counter)
    windows: list[Window] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    idle_cpu: float = 0.0
    idle_wrote: int = 0

    def fail(self, steps: Iterable[Step], what: str) -> None:
        """Note a failure, with the steps that led to it."""
        shown = "\n".join(f"    {step.kind} {step.text!r} {step.x} {step.y}" for step in steps)
        self.failures.append(f"seed {self.seed}, step {self.steps}, the last steps:\n{shown}\n{what}")

    @property
    def growth(self) -> list[Growth]:
        """How each figure went once it had settled."""
        return measure.growth(self.windows)

    @property
    def problems(self) -> list[str]:
        """All that must not be; nothing after a good run."""
        found = [*self.failures, *self.broken]
        found += [f"{one.name} grows by {one.per_thousand:.2f} in 1,000 keys" for one in self.growth if one.grew]
        found += [f"at rest it uses {self.idle_cpu:.1%} of a core"] if self.idle_cpu > IDLE_CPU else []
        return found + ([f"at rest it writes ({self.idle_wrote})"] if self.idle_wrote else [])
