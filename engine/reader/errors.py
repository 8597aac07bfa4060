"""What a reader says when it cannot read."""

from __future__ import annotations


class ReadError(Exception):
    """A text could not be read.

    Attributes:
        reason: an id whose words are content's ("unknown-unit", "two-values" ...).
        start, end: the offending stretch of the text as it was typed.
        params: values for the placeholders of the sentence.
    """

    def __init__(self, reason: str, start: int = 0, end: int | None = None, **params: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.start = start
        self.end = start + 1 if end is None else end
        self.params = params
