"""What the playground lets the reader type into a figure: which values it has, and between what they may lie.

Data only. How a value is read, shown and stepped is :mod:`tutor.playing.values`, which brings the engine along.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tutor.figures.state import Ladder

Kind = Literal[
    "count", "params", "bytes", "format", "number", "bits", "speed", "model", "gpu", "choice", "text", "list"
]
"""How a value is read and printed:

| kind | the state holds | typed and shown |
| --- | --- | --- |
| count | int | 4096, 32k, 2 * 1024 |
| params | int | 13B, 6.74 billion |
| bytes | Fraction of bytes | 80 GB, 24 GiB |
| format | Fraction, bytes of one number | FP16, int4, 1 byte |
| number | Fraction | 0.17, -3/10 |
| bits | int | 4, "4-bit" |
| speed | Fraction of bytes a second | 2 TB/s, 2039 GB/s |
| model, gpu | a name of the catalogue where the state has that key; else nothing, and `fills` says what it stands for |
| choice | str, one of ``choices`` | the choice |
| text | str | as it is |
| list | tuple of int | 10, 20, 30 |
"""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One value of a figure that can be typed."""

    name: str
    """The key of the state that it sets; "model" and "gpu" may be no key of the state."""
    kind: Kind
    least: Fraction | int = 1
    most: Fraction | int = 10**15
    """The least and the most that the figure can draw, in what the state holds; of a text its longest length."""
    ladder: Ladder = ()
    """What plus and minus walk; without one a count goes by one, a choice to the next, a number by a tenth of the
    span."""
    choices: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    """Of a model or gpu: the keys of the state that its entry fills, under the names of the formulas' symbols."""
    part: str = ""
    """The part of the drawing that it belongs to: not offered where a state hides that."""
    only: bool = False
    """Whether the figure draws the ladder's values and nothing between them."""
    unset: bool = False
    """Whether 0 stands for no value at all: an empty text is 0, and its line says that it is not set."""
    called: str = ""
    """Its short name where ``name`` means something else in another figure."""

    @property
    def label(self) -> str:
        """Key of its short name in ``content/words/figures.toml``, without the file's name."""
        return f"parameter.{self.called or self.name}"
