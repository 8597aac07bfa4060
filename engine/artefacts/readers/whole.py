"""What is printed whole: a text may stop in the middle of a number, a table in the middle of a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.artefacts.model import Observations
from engine.artefacts.readers.base import Patterned
from engine.artefacts.text import Line
from engine.diagnosis.settings.flag_names import is_secret

_STOP = "\x00"
"""Put after a text that stops without a line end, so that no pattern takes what touches its end: lines have none."""
_LEFT_OUT = re.compile(r"(?<=[\s:=(])(\d[\d.,]{0,20}?)(?:\.{3,}|…)")
_CELL = re.compile(r"[|│]")
_OPENING, _CLOSING = "([{<", ")]}>"
MOST_ITEMS = 2000


def text_of(line: Line) -> str:
    """A line's text, with a mark where it may end in the middle of something, and where a number's rest is left out."""
    text = line.text if line.ended and not line.cut else line.text + _STOP
    return _LEFT_OUT.sub(rf"\1{_STOP}", text) if "..." in text or "…" in text else text


class Whole(Patterned):
    """A reader made of rules that take nothing from the open end of a text; ``$`` is the end of an ended line."""

    def line(self, line: Line, out: Observations) -> None:
        """Read what the rules find."""
        self.read(text_of(line), line, out)


def cells(line: Line) -> list[str]:
    """The cells of a table's row that are whole, those with a bar after them; of a row without an outer bar the last
    one too, where the line is ended. Empty for a line that is no row."""
    text = text_of(line).strip()
    if not _CELL.search(text):
        return []
    found = [cell.strip() for cell in _CELL.split(text)]
    outer = text[0] in "|│"
    last = found.pop()  # after the last bar
    if not outer and last and not last.endswith(_STOP):
        found.append(last)
    return found[1:] if outer else found


def arguments(text: str, start: int, joint: str) -> Iterator[tuple[str, str]]:
    """Names and values of ``name=value, name=value)`` as Python prints an object (``joint`` "="), or of
    ``name: value, name: value }`` as Rust does (": "), from ``start``, after the bracket that opens it, to the one that
    closes it. What is not followed by a comma or that bracket is cut off, and not given. Linear in the text."""
    depth, quote, begin, at, found = 0, "", start, start, 0
    while at < len(text) and found < MOST_ITEMS:
        one = text[at]
        if quote:
            if one == "\\":
                at += 1
            elif one == quote:
                quote = ""
        elif one in "'\"":
            quote = one
        elif one in _OPENING:
            depth += 1
        elif not depth and (one == "," or one in _CLOSING):
            name, found_joint, value = text[begin:at].partition(joint)
            name = name.strip(" \t\n'\"")
            if found_joint and name.isidentifier():
                yield name, value.strip()
                found += 1
            if one != ",":
                return
            begin = at + 1
        elif one in _CLOSING:
            depth -= 1
        at += 1


def flag(name: str, text: str, line: Line, out: Observations) -> None:
    """Keep a setting as it is written, and as an observation where it is one value: a number as a number, a switch as
    one; nothing of ``None``, of a list or an object, or of a secret."""
    if text in ("None", "null", "", "...") or is_secret(name):
        return
    plain = text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
    out.flags[name] = plain
    if text[0] in "[({<" or text.endswith((")", "}", "]")):
        return
    out.put(name, value_of(plain), line)


def value_of(text: str) -> str | int | float | bool:
    """A setting's value: a switch, a number, or the text itself."""
    if text.lower() in ("true", "on", "false", "off"):
        return text.lower() in ("true", "on")
    try:
        return int(text) if re.fullmatch(r"-?\d{1,18}", text) else float(text) if _PLAIN.fullmatch(text) else text
    except ValueError:
        return text


_PLAIN = re.compile(r"-?\d{1,18}\.\d{0,18}(?:[eE][+-]?\d{1,3})?")
