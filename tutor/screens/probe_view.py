"""What the probe's page shows at a moment, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from engine.probe.readings import Run

if TYPE_CHECKING:
    from tutor.probing.running import NotReady, Ready
    from tutor.screens.probe_doors import Finished

Phase = Literal["looking", "ready", "running", "stopping", "over"]


@dataclass(frozen=True)
class View:
    """What there is to show.

    Attributes:
        phase: looking for a Python and a card, ready to start, running, stopping, over.
        ready: what a run would have, or why there is none; ``None`` before that is known.
        cpu: whether the reader asked for the processor.
        own: whether the reader named what he runs.
        run: what came so far.
        elapsed: seconds of measuring.
        failed: why nothing could be started: the system's own words.
        height: lines that the page has.
    """

    phase: Phase = "looking"
    ready: Ready | NotReady | None = None
    cpu: bool = False
    own: bool = False
    run: Run = field(default_factory=Run)
    elapsed: float = 0.0
    finished: Finished | None = None
    failed: str = ""
    height: int = 24

    def but(self, **changes: object) -> View:
        """The same with some values changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def found(self) -> Ready | None:
        """What a run would have."""
        return None if self.ready is None or hasattr(self.ready, "why") else self.ready

    @property
    def can_start(self) -> Ready | None:
        """What a run would have, where one may begin now."""
        return self.found if self.phase in ("ready", "over") else None

    @property
    def can_choose(self) -> bool:
        """Whether there is a choice between card and processor."""
        ready = self.can_start
        return ready is not None and (self.cpu or (ready.card is not None and ready.python.build != "cpu"))
