"""The causes that a verdict can name, each with what speaks for it, what helps and what does not."""

from engine.diagnosis.causes import (
    base,
    cache,
    cells,
    formats,
    host,
    idle,
    links,
    load,
    misread,
    prompts,
    queue,
    window,
)
from engine.diagnosis.causes.row import Cause, Witness

CAUSES: tuple[Cause, ...] = (
    *load.CAUSES, *cells.CAUSES, *formats.CAUSES, *window.CAUSES, *misread.CAUSES, *cache.CAUSES, *links.CAUSES,
    *queue.CAUSES, *host.CAUSES, *idle.CAUSES, *prompts.CAUSES, *base.CAUSES,
)  # fmt: skip
"""Every cause, in the order in which a person would look; it settles ties."""

BY_ID = {one.id: one for one in CAUSES}
"""The same by id."""

__all__ = ["BY_ID", "CAUSES", "Cause", "Witness"]
