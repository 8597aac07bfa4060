"""Options to choose from by their letters, where a word that is typed or pasted is a word and no row of letters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from textual import events
from textual.message import Message

from tutor.widgets.rows import Rows

PAUSE = 0.5
"""Seconds after which a letter begins anew: letters of one word follow each other faster."""
TELLING = 3
"""Letters from which the beginning of an option's text stands for it."""


class Word:
    """Letters that follow one another as those of a word do: none of them stands for an option by itself.

    It can be told from the first letter that no option has, and holds to the end of the sentence. What came before it
    could be options, one after the other (an order is typed so), and was taken for that until then.
    """

    def __init__(self) -> None:
        self._last = 0.0
        self.text = ""
        """What was typed since it began."""
        self.strange = False
        """Whether one of its letters stands for no option."""
        self.begun = True
        """Whether the last letter began anew."""
        self.turned = False
        """Whether the last letter was the first strange one."""

    def take(self, event: events.Key, known: Collection[str]) -> bool:
        """Take a key along; whether it is one of a text at all, and not one that ends it."""
        char = (event.character or "").casefold()
        self.begun = event.time - self._last > PAUSE
        if not char.isprintable() or not char or (self.begun and not char.isalpha()):
            self._last, self.strange, self.turned = 0.0, False, False
            return False
        self._last = event.time
        self.text = char if self.begun else self.text + char
        before = self.strange and not self.begun
        self.strange = before or not (char in known or char.isspace())
        self.turned = self.strange and not before
        return True

    def named(self, names: Mapping[str, str]) -> str:
        """Id of the one option whose own text it begins; letters that may all be options are no text."""
        typed = _folded(self.text)
        if not self.strange or len(typed) < TELLING:
            return ""
        begun = {id for id, name in names.items() if _folded(name).startswith(typed)}
        found = begun if len(begun) == 1 else {id for id in begun if _folded(names[id]) == typed}
        return found.pop() if len(found) == 1 else ""


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())


class OptionRows(Rows):
    """Rows with letters, of which a whole word moves none; the cursor then stands where it stood before it.

    A word that is an option's own text goes to that option.
    """

    words: Mapping[str, str] = {}
    """Words that name a row, with its id: typed letter by letter, each beginning of a word names the row too."""
    named = True
    """Whether a row may be typed by its own text."""

    @dataclass
    class Begun(Message):
        """A first letter: what it does, and what follows it at once, may have to be taken back."""

    @dataclass
    class TakenBack(Message):
        """It was a word: what its letters did is to be undone."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._word = Word()
        self._before = -1
        self._typed = ""

    def take(self, event: events.Key) -> bool:
        """A word, an option's letter, or neither; a first letter that is no option's is left to the screen."""
        letters = {row.letter.casefold() for row in self.rows if row.id and row.letter}
        if self.words:
            letters = {char for word in self.words for char in word if self._goes(char)}
        if not self._word.take(event, letters):
            self._typed = ""
            return False
        if self._word.begun:
            self._typed, self._meant, self._before = "", "", self.cursor
            self.post_message(self.Begun())
        if self._word.turned:
            self._take_back()
        if not self._word.strange:
            if self.words:
                self._follow((event.character or "").casefold())
            else:
                super().take(event)
        self._go_to_named()
        return not (self._word.begun and self._word.strange)

    _meant = ""
    """The option that the text typed so far stands for."""

    def _go_to_named(self) -> None:
        """Go to the option whose text is being typed, and back from it where the text goes on otherwise."""
        named = self._word.named({row.id: row.text.plain for row in self.rows if row.id}) if self.named else ""
        if named == self._meant:
            return
        if self._meant:
            self._take_back()
        if named:
            self.go(named)
            self.letter_pressed(named)
        self._meant = named

    def _goes(self, char: str) -> bool:
        return any(word.startswith(typed) for word in self.words for typed in (self._typed + char, char))

    def _follow(self, char: str) -> None:
        """Go to what the letters begin; what begins no word with those before it begins anew."""
        for typed in (self._typed + char, char):
            found = next((id for word, id in self.words.items() if word.startswith(typed)), "")
            if found:
                self._typed = typed
                self.go(found)
                self.letter_pressed(found)
                return

    def _take_back(self) -> None:
        """The cursor goes back; so does the form."""
        if self.cursor != self._before:
            self.cursor = self._before
            if not self.current:
                self.post_message(self.Moved(self, ""))
        self.post_message(self.TakenBack())

    def action_choose(self) -> None:
        """Choose the row under the cursor; on none, tell so."""
        self.post_message(self.Chosen(self, self.current))

    def on_paste(self, event: events.Paste) -> None:
        """What was pasted names a row by one of its words, its letter or its text, or does nothing."""
        event.stop()
        text = event.text.strip().casefold()
        letters = {row.letter.casefold(): row.id for row in self.rows if row.id and row.letter}
        names = {row.text.plain.strip().casefold(): row.id for row in self.rows if row.id and self.named}
        found = ({**names, **(self.words or letters)}).get(text, "")
        if found:
            self.go(found)
            self.letter_pressed(found)
