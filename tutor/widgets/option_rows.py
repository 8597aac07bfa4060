"""Options to choose from by their letters, where a word that is typed or pasted is a word and no row of letters."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from textual import events

from tutor.widgets.rows import Rows

PAUSE = 0.5
"""Seconds after which a letter begins anew: letters of one word follow each other faster."""


class Word:
    """Letters that follow one another as those of a word do: none of them stands for an option by itself.

    It can be told from the first letter that no option has. What came before it could be options, one after the other
    (an order is typed so), and was taken for that.
    """

    def __init__(self) -> None:
        self._last = 0.0
        self._strange = False
        self.begun = True
        """Whether the last letter began anew."""

    def goes_on(self, event: events.Key, letters: Collection[str]) -> bool:
        """Whether a key belongs to a word, and is neither an option nor a command."""
        char = (event.character or "").lower()
        if not char.isalpha():
            self._last = 0.0  # any other key ends it
            return False
        self.begun = event.time - self._last > PAUSE
        self._last = event.time
        strange = char not in letters
        self._strange = strange if self.begun else self._strange or strange
        return self._strange and not self.begun


class OptionRows(Rows):
    """Rows with letters, of which a whole word moves none; the cursor then stands where it stood before it."""

    words: Mapping[str, str] = {}
    """Words that name a row, with its id: typed letter by letter, each beginning of a word names the row too."""
    returns = True
    """Whether a letter only moves the cursor, so that it can go back."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._word = Word()
        self._before = ""
        self._typed = ""

    def take(self, event: events.Key) -> bool:
        """A word, an option's letter, or neither."""
        if self.words:
            return self._take_word(event)
        letters = {row.letter.lower() for row in self.rows if row.id and row.letter}
        before = self.current
        word = self._word.goes_on(event, letters)
        if self._word.begun:
            self._before = before
        if not word:
            return super().take(event)
        if self.returns:
            self.go(self._before)
        return True

    def _take_word(self, event: events.Key) -> bool:
        char = (event.character or "").lower()
        if not char.isalpha():
            self._typed = ""
            return False
        for typed in (self._typed + char, char):  # what begins no word begins anew
            found = next((id for word, id in self.words.items() if word.startswith(typed)), "")
            if found:
                self._typed = typed
                self.go(found)
                self.letter_pressed(found)
                return True
        self._typed = ""
        return False

    def on_paste(self, event: events.Paste) -> None:
        """What was pasted names a row by one of its words or by its letter, or does nothing."""
        event.stop()
        text = event.text.strip().casefold()
        letters = {row.letter.lower(): row.id for row in self.rows if row.id and row.letter}
        found = (self.words or letters).get(text, "")
        if found:
            self.go(found)
            self.letter_pressed(found)
