"""Every command of the app, once: its keys, where it works, and where its words are.

The bindings, the line of keys at the bottom, the help screen, the palette and `llm-tutor keys` are all made from
`TABLE`, so they cannot disagree. Pure data: importing this loads neither Textual nor the course.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tutor.served import CLOSED, served

PANELS = ("jump", "glossary", "playground", "plan", "probe", "watch", "progress", "settings", "help", "palette")
"""Commands that lay a panel over the screen."""

Scope = Literal[
    "app", "home", "lesson", "exercise", "results", "cards", "quiz", "sheet", "diagnose", "evidence", "probe", "watch",
    "playground", "placement", "plan",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """One thing the reader can do."""

    id: str
    """Name in the settings (`keys.language = "f12"`), unique."""
    keys: tuple[str, ...]
    """Keys as Textual spells them, the one to show first; a function key always has a ctrl or alt twin."""
    scope: Scope
    """The screen that knows it; `app` means everywhere."""
    rank: int = 0
    """Place in the line of keys, 1 first; 0 keeps it out of the line (help and palette still list it)."""
    palette: bool = True
    """Whether the command palette offers it."""

    @property
    def action(self) -> str:
        """The Textual action that runs it."""
        name = self.id.replace("-", "_")
        if self.id in PANELS:
            return f"app.panel('{name}')"
        return f"app.{name}" if self.scope == "app" else f"screen.{name}"

    @property
    def label(self) -> str:
        """Key of its short name in the words files."""
        return f"app.keys.{self.id}.label"

    @property
    def help(self) -> str:
        """Key of its one-sentence explanation in the words files."""
        return f"app.keys.{self.id}.help"


TABLE: tuple[Command, ...] = (
    Command("check", ("enter",), "exercise", rank=1, palette=False),
    Command("hint", ("f3", "ctrl+t", "alt+a"), "exercise", rank=2),
    Command("solution", ("f4", "ctrl+r"), "exercise", rank=3),
    Command("turn-figure", ("tab", "alt+t"), "exercise", rank=6, palette=False),
    Command("variant", ("ctrl+n", "alt+v"), "exercise", rank=6),
    Command("as-written", ("alt+w",), "exercise"),
    Command("skip", ("f8", "alt+n"), "exercise", rank=8),
    Command("next-part", ("down", "alt+down"), "exercise", rank=7),
    Command("previous-part", ("up", "alt+up"), "exercise"),
    Command("lesson", ("f9", "alt+o"), "exercise"),
    Command("results", ("f10", "alt+r"), "exercise"),
    Command("next", ("n", "right", "enter"), "lesson", rank=1),
    Command("previous", ("p", "left"), "lesson", rank=2),
    Command("nuance", ("i",), "lesson", rank=3),
    Command("exercises", ("e",), "lesson", rank=6),
    Command("play", ("tab", "t"), "lesson", rank=2, palette=False),
    Command("leave-figure", ("shift+tab",), "lesson", rank=6, palette=False),
    Command("turn-card", ("enter", "space"), "cards", rank=1, palette=False),
    Command("next-card", ("n", "right"), "cards", rank=2, palette=False),
    Command("previous-card", ("p", "left"), "cards", rank=3, palette=False),
    Command("open", ("enter",), "home", rank=1, palette=False),
    Command("resume", ("c",), "home", rank=2),
    Command("diagnose", ("d",), "home", rank=3),
    Command("revise", ("r",), "home", rank=3),
    Command("placement", ("p",), "home", rank=3),
    Command("again", ("a",), "results", rank=2),
    Command("answer", ("enter",), "quiz", rank=1, palette=False),
    Command("quiz-hint", ("f3", "ctrl+t", "alt+a"), "quiz", rank=2),
    Command("dont-know", ("f4", "ctrl+r"), "quiz", rank=3),
    Command("next-question", ("f8", "alt+n"), "quiz", rank=6),
    Command("grade", ("f10", "alt+r"), "quiz", rank=7),
    Command("reread", ("f9", "alt+o"), "quiz", rank=8),
    Command("below", ("down", "alt+down"), "quiz", rank=10),
    Command("above", ("up", "alt+up"), "quiz"),
    Command("more-questions", ("r",), "sheet", rank=2),
    Command("next-field", ("down", "alt+down"), "diagnose", palette=False),
    Command("previous-field", ("up", "alt+up"), "diagnose", palette=False),
    Command("take", ("enter",), "diagnose", palette=False),
    Command("pane", ("tab", "alt+t"), "diagnose", rank=1),
    Command("explain", ("f4", "alt+e", "e"), "diagnose", rank=2),
    Command("presets", ("f3", "alt+x", "x"), "diagnose", rank=3),
    Command("files", ("alt+o", "o"), "diagnose", rank=3),
    Command("undo", ("alt+u", "u"), "diagnose", rank=6),
    Command("empty", ("alt+n", "n"), "diagnose"),
    Command("fields", ("f8", "alt+a", "f"), "diagnose", rank=7),
    Command("copy-flag", ("alt+v", "p"), "diagnose", rank=8),
    Command("command", ("f9", "alt+c", "c"), "diagnose", rank=8),
    Command("save", ("f10", "alt+w", "w"), "diagnose", rank=8),
    Command("correct", ("enter",), "evidence", rank=1, palette=False),
    Command("verdict", ("tab", "v"), "evidence", rank=2),
    Command("restore", ("r",), "evidence", rank=3),
    Command("add-file", ("a", "o", "alt+o"), "evidence", rank=6),
    Command("remove-file", ("x", "delete"), "evidence", rank=7),
    Command("measure", ("enter", "r"), "probe", rank=1, palette=False),
    Command("processor", ("c",), "probe", rank=2),
    Command("meaning", ("f4", "alt+e", "e"), "probe", rank=3),
    Command("save-run", ("f10", "alt+w", "w"), "probe", rank=6),
    Command("full-report", ("enter", "r"), "watch", rank=1),
    Command("pause", ("space", "p"), "watch", rank=2),
    Command("faster", ("plus", "f"), "watch", rank=3),
    Command("slower", ("minus", "d"), "watch", rank=3),
    Command("halt", ("alt+y", "y"), "diagnose", rank=6),
    Command("values", ("tab", "alt+t"), "playground", rank=1, palette=False),
    Command("next-value", ("down", "alt+down"), "playground", palette=False),
    Command("previous-value", ("up", "alt+up"), "playground", palette=False),
    Command("value-up", ("plus", "right"), "playground", rank=2, palette=False),
    Command("value-down", ("minus", "left"), "playground", rank=2, palette=False),
    Command("take-value", ("enter",), "playground", rank=3, palette=False),
    Command("figures", ("f3", "alt+x", "x"), "playground", rank=3),
    Command("next-figure", ("f8", "alt+n", "n"), "playground", rank=6),
    Command("previous-figure", ("alt+u", "p"), "playground"),
    Command("make-exercise", ("f4", "alt+e", "e"), "playground", rank=3),
    Command("figure-command", ("f9", "alt+c"), "playground", rank=3),
    Command("copy-figure", ("alt+y", "y"), "playground"),
    Command("reset-figure", ("alt+r", "r"), "playground", rank=7),
    Command("columns", ("f4", "alt+e"), "plan", rank=2),
    Command("place-answer", ("enter",), "placement", rank=1, palette=False),
    Command("place-unknown", ("f4", "ctrl+r"), "placement", rank=2),
    Command("language", ("f2", "ctrl+l"), "app", rank=4),
    Command("back", ("escape",), "app", rank=9, palette=False),
    Command("jump", ("f6", "alt+l", "l"), "app", rank=10),
    Command("peek", ("f5", "ctrl+y"), "app", rank=11),
    Command("glossary", ("f7", "alt+g", "g"), "app", rank=13),
    Command("playground", ("ctrl+g", "alt+j"), "app", rank=13),
    Command("plan", ("alt+p",), "app"),
    Command("probe", ("m", "alt+k"), "app"),
    Command("watch", ("alt+z",), "app"),
    Command("progress", ("alt+i",), "app"),
    Command("settings", ("s", "alt+s"), "app", rank=14),
    Command("help", ("f1", "alt+h", "question_mark"), "app", rank=5),
    Command("palette", ("ctrl+p",), "app", rank=15, palette=False),
    Command("home", ("alt+m",), "app"),
    Command("aside", ("ctrl+z",), "app", palette=False),
    Command("quit", ("q", "ctrl+q"), "app", rank=12, palette=False),
)
"""All commands. The order is that of the help screen."""

OF_FIGURES: Mapping[str, str] = {"copy-figure": "figure.copy", "reset-figure": "figure.reset"}
"""Commands that every figure has keys of its own for: the binding's id."""
BY_ID: Mapping[str, Command] = {command.id: command for command in TABLE}

_SHORT = {
    "escape": "esc",
    "question_mark": "?",
    "right": "→",
    "left": "←",
    "up": "↑",
    "down": "↓",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "plus": "+",
    "minus": "-",
}
"""Keys whose Textual name is not what is printed on them."""


def of(scope: Scope) -> tuple[Command, ...]:
    """The commands of one screen, without those that work everywhere."""
    return tuple(command for command in TABLE if command.scope == scope)


def offered(scope: Scope) -> tuple[Command, ...]:
    """Those of one screen that are shown: in a browser not what is closed there."""
    return tuple(command for command in of(scope) if command.id not in CLOSED) if served() else of(scope)


def keys_of(command: Command, chosen: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of a command after the reader's own choice (`a,b` gives two); in a browser its own keys come last."""
    own = chosen.get(command.id, "")
    found = tuple(key.strip() for key in own.split(",") if key.strip()) or command.keys
    return tuple(sorted(found, key=of_browsers)) if served() else found


def of_browsers(key: str) -> bool:
    """Whether a browser may keep a key for itself: a function key, or what opens and closes its windows."""
    return key in ("ctrl+t", "ctrl+n", "ctrl+w") or (key[:1] == "f" and key[1:].isdigit())


def keymap(chosen: Mapping[str, str]) -> dict[str, str]:
    """The reader's own choice by the ids of bindings: a figure's own keys go with the commands that do the same."""
    also = {binding: chosen[id] for id, binding in OF_FIGURES.items() if chosen.get(id)}
    return {**chosen, **also}


def shown(key: str) -> str:
    """A key as people write it: `f2` -> `F2`, `escape` -> `esc`, `question_mark` -> `?`."""
    *modifiers, last = key.split("+")
    name = _SHORT.get(last, last.upper() if last[:1] == "f" and last[1:].isdigit() else last)
    return "+".join([*modifiers, name])


def clashes(chosen: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    """Pairs of commands of one screen that want the same key, as (key, id, id); an own choice may cause that."""
    wanted = [(command, frozenset(keys_of(command, chosen))) for command in TABLE]
    for place, (first, own) in enumerate(wanted):
        for second, others in wanted[place + 1 :]:
            if first.scope != second.scope and "app" not in (first.scope, second.scope):
                continue
            for key in sorted(own & others):
                yield key, first.id, second.id
