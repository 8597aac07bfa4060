"""The app's screen after a command line and some keys: as text for the README, and as the picture in it."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from tests.readme import running
from tests.tutor import frames
from tutor import cli
from tutor.app import TutorApp

_KEYS = re.compile(r'"([^"]*)"|(\S+)')
_FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


class Shot(NamedTuple):
    """What a marker asks for: a command line, a size, a language, and keys; a text in quotes is typed at once."""

    line: str
    size: tuple[int, int]
    lang: str
    keys: tuple[tuple[str, str], ...]


def shot(argument: str) -> Shot:
    """Read a marker: ``llm-tutor study core/L2.1; 100x24; en; keys: "0.5 GB" enter``."""
    line, size, lang, *rest = (piece.strip() for piece in argument.split(";"))
    columns, rows = map(int, size.split("x"))
    pressed = rest[0].removeprefix("keys:") if rest else ""
    return Shot(line, (columns, rows), lang, tuple((found[1], found[2]) for found in _KEYS.finditer(pressed)))


def text(wanted: Shot) -> str:
    """The screen as text, blanks at the ends of its lines left out."""
    return _seen(wanted, lambda app: frames.frame(app).rstrip("\n"))


def picture(wanted: Shot) -> str:
    """The screen as SVG. Fonts from elsewhere are left out: whoever looks at it has one of equal widths."""
    drawn = _seen(wanted, lambda app: app.export_screenshot(title="llm-tutor", simplify=True))
    return _FONTS.sub("", drawn) + "\n"


def words(svg: str) -> list[str]:
    """The words of a picture, line by line, without the blanks between them."""
    rows: dict[float, str] = {}
    for y, said in re.findall(r'<text [^>]*?y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        rows[float(y)] = rows.get(float(y), "") + unescape(said)
    return ["".join(row.split()) for row in rows.values() if row.split()]


def _seen(wanted: Shot, look: Callable[[TutorApp], str]) -> str:
    """Open the app as the command line does, in a home of its own, press the keys and look."""
    seen: list[str] = []

    def run(app: TutorApp) -> None:
        seen.append(asyncio.run(_pressed(app, wanted, look)))

    words = [*running.read(wanted.line, {}).words, "--lang", wanted.lang]
    with tempfile.TemporaryDirectory() as folder, running.home(Path(folder)):
        drawable = mock.patch("tutor.commands.study.drawable", return_value=True)
        signs = mock.patch("tutor.commands.study.shows_signs", return_value=True)
        running.run(running.Line(["config", "probe", "off"], ""))  # a card at hand would be measured and shown
        with drawable, signs, mock.patch.object(TutorApp, "run", run):
            cli.run(words)
    return seen[0]


async def _pressed(app: TutorApp, wanted: Shot, look: Callable[[TutorApp], str]) -> str:
    async with app.run_test(size=wanted.size) as pilot:
        await frames.settle(pilot)
        for typed, key in wanted.keys:
            await (frames.paste(pilot, typed) if typed else pilot.press(key))
            await frames.settle(pilot)
        return look(app)
