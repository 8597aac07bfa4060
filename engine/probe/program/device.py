"""The thin layer under the stages: all that they ask of a device, so that they run on an invented one as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from .model import Facts, Plan, Snapshot

Step = Callable[[], None]
"""Work that a device can do again and again. To the stages it is opaque: they hand it back to be timed."""


class Device(Protocol):
    """A card, a processor, or a test's invention of one.

    Steps work on memory that :meth:`reserve` took, in the plan's dtype and shape where no other is named. All makers
    raise :class:`Refused` for what the device cannot do and :class:`NoMemory` for what does not fit.
    """

    graphs: bool
    """Whether steps can be recorded and replayed."""
    ahead: bool
    """Whether it is given all its work ahead, and would run dry if the host looked at the clock in between."""
    block: float
    """Shortest time, in seconds, that its clock resolves well."""
    dtypes: Sequence[str]
    """What its stack may be made of, the usual one first."""

    def facts(self) -> Facts:
        """What is known of it before anything was measured."""

    def trial(self, dtype: str, n: int) -> float:
        """Seconds of one small product. Raises ``Refused``."""

    def reserve(self, plan: Plan) -> None:
        """Take weights, cache and scratch, once, filled with random normal numbers. Raises ``NoMemory``."""

    def copy(self, size: int) -> Step:
        """Copy ``size`` bytes: so many read, as many written."""

    def read(self, size: int) -> Step:
        """Read ``size`` bytes, write next to nothing."""

    def product(self, dtype: str, n: int, zeros: bool = False) -> Step:
        """One product of two square matrices, random normal or all zeros."""

    def stack(self, batch: int, empty: bool = False) -> Step:
        """The plan's matrices for ``batch`` tokens; ``empty``: as many kernels with next to nothing to read."""

    def attention(self, batch: int, context: int, layers: int) -> Step:
        """Attention of one new token a sequence, over ``layers`` distinct caches."""

    def decode(self, batch: int, context: int, layers: int) -> Step:
        """Matrices and attention of ``layers`` layers for one new token a sequence."""

    def prefill(self, tokens: int) -> Step:
        """Matrices and causal attention of the plan's layers for one prompt."""

    def record(self, step: Step) -> Step:
        """The step as a graph. Raises ``NoGraph``."""

    def time(self, step: Step, repeats: int, blocks: int) -> list[float]:
        """Seconds of one step in each of ``blocks`` blocks of ``repeats``."""

    def now(self) -> float:
        """Seconds on the host's clock."""

    def sleep(self, seconds: float) -> None:
        """Wait."""

    def busy(self) -> float | None:
        """Seconds of processor time that the process has used, over its threads; ``None``: it does not tell here."""

    def watch(self) -> Snapshot:
        """What the witness saw since the last call."""

    def peak(self) -> int | None:
        """Most bytes held at once since :meth:`reserve` began."""

    def release(self) -> None:
        """Give the memory back."""
