"""A number and its unit: what no end of a line may part."""

from __future__ import annotations

import re

UNITS = frozenset(
    "% GB MB KB TB GiB MiB KiB bytes bits ms s us h W °C tokens token tokens/s requests request requests/s cards card "
    "layers TFLOP/s GFLOP/s GB/s TB/s blocks GPU GPUs slots".split()
)
GLUE = "\ue000"
"""A sign that nobody writes, in the place of a blank where a line may not end."""
_BETWEEN = re.compile(
    rf"(?<=\d) (?=(?:{'|'.join(map(re.escape, sorted(UNITS, key=len, reverse=True)))})(?:[.,;:)]|\s|$))| (?=\*$)"
)
"""Between the two; and before the sign of a note at the end."""


def glued(text: str) -> str:
    """A text of the same length whose numbers and units a wrapping leaves together."""
    return _BETWEEN.sub(GLUE, text)


def words(line: str) -> list[str]:
    """The words of a line; a number's unit is no word of its own."""
    return [word.replace(GLUE, " ") for word in glued(line).split()]
