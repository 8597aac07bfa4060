"""What the marked blocks of the README must say, from the program as it is."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

from content.words import say
from tests.readme import blocks, running, screens
from tests.readme.blocks import ROOT, Block
from tutor import cli, keys

GAP = "..."
"""Stands for lines of an output that are left out."""


def wrong(text: str) -> Iterator[tuple[Block, str]]:
    """Every marked block that does not say what it must, with what it must say; the last one first."""
    shown = files(text)
    for block in reversed(blocks.blocks(text)):
        made = MADE.get(block.kind)
        if made is not None and (wanted := made(block, shown)) != block.text:
            yield block, wanted


def files(text: str) -> Mapping[str, str]:
    """The files that the README shows, by name."""
    return {block.argument: block.text + "\n" for block in blocks.blocks(text) if block.kind == "file"}


def _frame(block: Block, shown: Mapping[str, str]) -> str:
    return screens.text(screens.shot(block.argument))


def _output(block: Block, shown: Mapping[str, str]) -> str:
    """The command as it stands there, and of what it prints the lines that the marker names, all without any."""
    asked = [block.lines[0]]
    while asked[-1].endswith("\\"):
        asked.append(block.lines[len(asked)])
    printed = _printed("\n".join(asked), tuple(shown.items()))
    return "\n".join([*asked, *_chosen(printed, block.argument)])


@cache
def _printed(asked: str, shown: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as folder, running.place(Path(folder), dict(shown)):
        (line,) = blocks.command_lines(f"```console\n{asked}\n```")
        ran = running.run(running.read(line, dict(shown)))
    return tuple(row.rstrip() for row in (ran.out or ran.err).rstrip("\n").split("\n"))


def _chosen(printed: tuple[str, ...], argument: str) -> list[str]:
    """Lines of an output, such as ``1-12 20-25``, with a gap where some are left out."""
    chosen: list[str] = []
    end = 0
    for first, last in re.findall(r"(\d+)-(\d+)", argument) or [("1", str(len(printed)))]:
        chosen += [GAP] * (int(first) > end + 1)
        end = int(last)
        chosen += printed[int(first) - 1 : end]
    return chosen + [GAP] * (end < len(printed))


def _file(block: Block, shown: Mapping[str, str]) -> str:
    """A file of the repository as it is; another one is what the README says."""
    path = ROOT / block.argument
    return path.read_text(encoding="utf-8").rstrip("\n") if path.is_file() else block.text


def _commands(block: Block, shown: Mapping[str, str]) -> str:
    rows = [f"| `llm-tutor {name}` | {say(f'cli.{name}.summary', 'en')} |" for name in cli.COMMANDS]
    return "\n".join(["| command | what it is for |", "| --- | --- |", *rows])


def _keys(block: Block, shown: Mapping[str, str]) -> str:
    """The commands of the app that the marker names, with their keys."""
    named = [keys.BY_ID[id] for id in block.argument.split()]
    rows = [
        f"| {', '.join(f'`{keys.shown(key)}`' for key in one.keys)} | {say(one.help, 'en').rstrip('.')} |"
        for one in named
    ]
    return "\n".join(["| key | what it does |", "| --- | --- |", *rows])


MADE: Mapping[str, Callable[[Block, Mapping[str, str]], str]] = {
    "frame": _frame,
    "output": _output,
    "file": _file,
    "commands": _commands,
    "keys": _keys,
}
"""How the words of each kind of block are made."""


def pictures(text: str) -> Mapping[str, screens.Shot]:
    """The pictures that the README shows, by path, with the screens that they show."""
    return {
        blocks.links(block.text)[0]: screens.shot(block.argument)
        for block in blocks.blocks(text)
        if block.kind == "picture"
    }
