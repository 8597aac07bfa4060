"""Which of several slips was it? Asked in lines after a verdict that cannot tell; a letter answers."""

from __future__ import annotations

from collections.abc import Callable

from content.markup import plain
from content.schema import COMPUTED, Part
from tutor import letters
from tutor.checked import Checked
from tutor.plain.reader import Reader


class Which:
    """The question that stands open at one part, if one does; ``settle`` records the slip that was picked."""

    def __init__(self, reader: Reader, part: Part, settle: Callable[[str], None]) -> None:
        self._reader, self._part, self._settle = reader, part, settle
        self._open: Checked | None = None

    def of(self, checked: Checked) -> None:
        """What a verdict asks, in place of what stood open; what could not be read leaves that open."""
        if checked.verdict.verdict != "invalid":
            self._open = checked if self._part.kind in COMPUTED else None  # elsewhere a letter is an answer
        self.ask()

    def _choices(self) -> tuple[letters.Lettered, ...]:
        return letters.choices(self._part.id, self._open.verdict) if self._open is not None else ()

    def ask(self) -> None:
        """The choices with their letters; nothing when none stand open."""
        choices = self._choices()
        if not choices:
            return
        say = self._reader.out.say
        for choice in choices:
            say(f"  {choice.letter}) {plain(choice.text[self._reader.lang])}")
        say(letters.how([choice.letter for choice in choices], self._reader.lang))

    def picked(self, typed: str) -> bool:
        """Whether a typed line means one of the choices; what there is to say to that is said then."""
        choices = self._choices()
        wanted = letters.of(typed, choices)
        choice = next((choice for choice in choices if choice.letter == wanted), None)
        if choice is None or self._open is None:
            return False
        self._settle(choice.id)
        settled = letters.settled(self._reader.session, self._open, choice.id)
        self._open = None
        self._reader.out.say(plain(settled.message(self._reader.lang)))
        return True
