"""A text that is pasted arrives as one text, whatever is in it.

Textual takes an escape inside a paste for a key: the rest of a coloured log is then typed, letter by letter, into
whatever has the focus. Some terminals leave escapes out of what they paste, tmux does not. So they are left out here,
before Textual reads it (`mends`). Of a paste it reads the beginning and the end alone, and is handed the text: letter
by letter, as it takes what is typed, a long log would be seconds on its way.
"""

from __future__ import annotations

import re
from collections import deque

START, END, ESC = "\x1b[200~", "\x1b[201~", "\x1b"
LONGEST = 4096
"""Characters of an escape sequence at most; a longer one is none that is still to end."""
_WHOLE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # colours, movements
    r"|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # titles, links: up to their end
    r"|[ -/]+[0-~]"
    r"|[0-OQ-WYZ\\`-~])"
)


class Pastes:
    """What comes from a terminal, piece by piece; of what is pasted the text alone."""

    def __init__(self) -> None:
        self._inside = False
        self._kept = ""
        """Outside a paste the last signs that went on, in case that they begin one; inside it those held back."""
        self._held: list[str] = []
        self._whole: deque[str] = deque()

    def take(self) -> str:
        """The text of a paste that has ended, the oldest first."""
        return self._whole.popleft()

    def clean(self, data: str) -> str:
        """The next piece as it may go on, of a paste only where it begins and ends."""
        made: list[str] = []
        while data:
            made.append(self._text(data) if self._inside else self._keys(data))
            data, self._rest = self._rest, ""
        return "".join(made)

    _rest = ""

    def _keys(self, data: str) -> str:
        seen = self._kept + data
        start = seen.find(START)
        if start < 0:
            self._kept = seen[1 - len(START) :]
            return data
        cut = start + len(START) - len(self._kept)
        self._inside, self._kept, self._rest = True, "", data[cut:]
        return data[:cut]

    def _text(self, data: str) -> str:
        """Hold a piece of a paste; what may be the beginning of a sequence waits for the rest."""
        data = self._kept + data
        end = data.find(END)
        if end >= 0:
            self._inside, self._kept, self._rest = False, "", data[end + len(END) :]
            self._held.append(_plain(data[:end]))
            self._whole.append("".join(self._held))
            self._held.clear()
            return END
        begun = _open(data)
        self._kept = data[begun:]
        self._held.append(_plain(data[:begun]))
        return ""


def _plain(text: str) -> str:
    return (_WHOLE.sub("", text).replace(ESC, "") if ESC in text else text).replace("\x00", "")


def _open(text: str) -> int:
    """Where a sequence begins that may still go on behind the text; its length where there is none."""
    last = text.rfind(ESC)
    if last > 0 and text[last:] in (ESC, ESC + "\\"):  # perhaps the end of a longer one
        last = next((one.start() for one in re.finditer(r"\x1b[\]PX^_][^\x07\x1b]*\Z", text[:last])), last)
    open_ = last >= 0 and len(text) - last <= LONGEST and not _WHOLE.match(text, last)
    return last if open_ else len(text)
