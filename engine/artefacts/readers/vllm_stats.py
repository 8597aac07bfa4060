"""vLLM's periodic statistics, of its older engine (V0: Pending, Swapped, CPU usage) and its newer one (V1: Waiting)."""

from __future__ import annotations

from engine.artefacts.model import Line, Observations
from engine.artefacts.readers.base import Patterned, Rule

_RULES = (
    Rule("Avg prompt throughput", r"Avg prompt throughput: (?P<prompt_throughput>{N}) tok"),
    Rule(
        "Avg generation throughput", r"Avg generation throughput: (?P<generation_throughput>{N}) tok", kind="vllm-stats"
    ),
)


class Statistics(Patterned):
    """Placeholder of the example: one line a few seconds, with what ran and what waited at its end."""

    def __init__(self) -> None:
        super().__init__(_RULES, "vllm")

    def line(self, line: Line, out: Observations) -> None:
        """Read a line of statistics."""
        super().line(line, out)


READERS = (Statistics,)
