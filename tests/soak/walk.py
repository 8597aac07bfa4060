"""A random walk through the app, made of its seed alone: the same seed gives the same steps, whatever is on the screen.

It consists of trips. A trip goes to a place with the keys of everywhere, then does there what people do there, with
slips of the fingers in between. So every screen is reached again and again, and not only the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Literal, NamedTuple

from tests.soak import texts
from tutor import keys

Kind = Literal["key", "type", "paste", "size", "click", "wheel", "wait", "bytes", "stop", "clock"]


class Step(NamedTuple):
    """One thing that a person, a terminal or a shell does.

    Attributes:
        kind: a ``key`` by Textual's name; letters to ``type``; a text to ``paste``; a window ``size`` (x, y); a
            ``click`` or a turn of the ``wheel`` at (x, y) in thousandths of the window; ``wait`` x thousandths of a
            second; raw ``bytes`` as latin-1 (real terminal only); ``stop`` and go on (real terminal only); the
            ``clock`` jumps by x hours (without a terminal only).
    """

    kind: Kind
    text: str = ""
    x: int = 0
    y: int = 0


SIZES = (
    (80, 24), (80, 24), (60, 20), (120, 40), (300, 100), (1, 1), (39, 11), (40, 12), (2, 50), (200, 3), (100, 30),
)  # fmt: skip
HOURS = (1, 5, 24, 24, 24 * 9, 24 * 400, -30, 24 * 3)
NOT_PRESSED = {"quit", "aside"}
"""Commands of which the walk has its own steps; ``q`` is no key for leaving here, see ``SETTINGS``."""
EVERYWHERE = [key for one in keys.of("app") if one.id not in NOT_PRESSED for key in one.keys if key != "q"]
FINGERS = [
    "enter", "enter", "enter", "escape", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pageup",
    "pagedown", "backspace", "delete", "space", "plus", "minus", "ctrl+u", "ctrl+w", "ctrl+a", "ctrl+c", "f2", "f5",
]  # fmt: skip
TORN = (
    "\x1b", "\x1b[", "\x1b[<0;1", "\x1b[200~ torn", "\x1b[201~", "\x1bO", "\xff\xfe", "\xe0\xa4", "\x1b[1;", "\x00",
    "\x1b[<0;9999;9999M", "\x1b[<64;5;5M", "\x1b[<0;0;0m", "\x1b[99;99;99u", "\x1b[?2026;2$y", "\x1b[I", "\x1b[O",
    "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1b[24;80R", "\x1b[48;24;80;480;640t", "\x1b[M   ",
)  # fmt: skip
SETTINGS = '[keys]\nquit = "ctrl+q"\n'
"""Settings that a soak starts with: a letter never leaves the app, so that one life is long."""


def walk(seed: int) -> Iterator[Step]:
    """The steps of a seed, without end."""
    random = Random(seed)
    trips: list[Callable[[Random], Iterator[Step]]] = [trip for trip, weight in TRIPS for _ in range(weight)]
    while True:
        for step in random.choice(trips)(random):
            yield from _slips(random)
            yield step


def go_home() -> Iterator[Step]:
    """From wherever one is to the home screen: the resting place between two windows of measuring."""
    yield Step("size", x=80, y=24)
    for _ in range(6):
        yield Step("key", "escape")
    yield Step("key", "alt+m")


def _slips(random: Random) -> Iterator[Step]:
    """What happens between two meant keys, now and then."""
    luck = random.random()
    if luck < 0.05:
        yield Step("key", "f2")
    elif luck < 0.08:
        yield Step("size", "", *random.choice(SIZES))
    elif luck < 0.10:
        yield Step("size", "", random.randint(1, 300), random.randint(1, 100))
    elif luck < 0.14:
        yield Step(random.choice(("click", "wheel")), random.choice(("up", "down")), *_spot(random))
    elif luck < 0.17:
        yield Step("bytes", random.choice(TORN))
    elif luck < 0.20:
        yield Step("key", random.choice(EVERYWHERE + FINGERS))
    elif luck < 0.205:
        yield Step("stop", random.choice(("tstp", "key", "halt")))
    elif luck < 0.21:
        yield Step("clock", x=random.choice(HOURS))
    elif luck < 0.25:
        yield Step("wait", x=random.choice((1, 30, 120, 600)))
    elif luck < 0.26:
        yield Step("type", "".join(random.choice(texts.PROSE) for _ in range(random.randint(1, 30))))
    elif luck < 0.265:
        yield Step("paste", random.choice(texts.PASTES))


def _spot(random: Random) -> tuple[int, int]:
    return random.randint(0, 999), random.randint(0, 999)


def _keys(random: Random, names: list[str], most: int) -> Iterator[Step]:
    for _ in range(random.randint(1, most)):
        yield Step("key", random.choice(names))


def _of(scope: keys.Scope) -> list[str]:
    return [key for command in keys.of(scope) for key in command.keys]


def _jump(random: Random, where: str) -> Iterator[Step]:
    yield Step("size", "", *random.choice(SIZES[:5]))
    yield Step("key", "alt+l")
    yield Step("type", where.partition("/")[2])
    yield Step("key", "enter")


def _lesson(random: Random) -> Iterator[Step]:
    yield from _jump(random, random.choice(texts.LESSONS))
    for _ in range(random.randint(1, 8)):
        yield from _keys(random, _of("lesson"), 4)
        if random.random() < 0.5:  # in its figure
            yield Step("key", "tab")
            yield from _keys(random, [*FINGERS, *"abcdfghijklmnoprstuvwxyz0123456789"], 12)


def _exercise(random: Random) -> Iterator[Step]:
    where = random.choice(texts.EXERCISES)
    yield from _jump(random, where if random.random() < 0.6 else f"{where}@{random.randint(1, 9)}")
    for _ in range(random.randint(1, 10)):
        yield from _answer(random)
        yield from _keys(random, [*_of("exercise"), "space"], 3)


def _answer(random: Random) -> Iterator[Step]:
    if random.random() < 0.7:
        yield Step("key", "ctrl+u")
    yield Step(random.choice(("type", "type", "paste")), random.choice(texts.ANSWERS))
    yield Step("key", "enter")


def _quiz(random: Random) -> Iterator[Step]:
    yield from go_home()
    yield Step("key", "r")
    yield from _keys(random, ["down", "up", "tab"], 8)
    yield Step("key", "enter")
    for _ in range(random.randint(2, 25)):
        yield from _answer(random)
        yield from _keys(random, [*_of("quiz"), "f8", "f8", "enter", "space", "right"], 3)
    if random.random() < 0.5:
        yield from _keys(random, [*_of("sheet"), "escape", "down", "enter"], 6)


def _cards(random: Random) -> Iterator[Step]:
    yield from _jump(random, random.choice(texts.LESSONS))
    yield from (Step("key", "n") for _ in range(6))
    yield from _keys(random, [*_of("cards"), "down", "enter"], 12)


def _diagnose(random: Random) -> Iterator[Step]:
    yield from go_home()
    yield Step("key", "d")
    if random.random() < 0.6:
        yield Step("key", "alt+o")
        yield Step("paste", random.choice(texts.PASTES))
        yield from _keys(random, [*_of("evidence"), "up", "down", "enter"], 8)
    for _ in range(random.randint(1, 10)):
        yield Step("type", random.choice(texts.VALUES))
        yield from _keys(random, [*_of("diagnose"), "down", "enter"], 4)


def _presets(random: Random) -> Iterator[Step]:
    yield from go_home()
    yield from (Step("key", key) for key in ("d", "f3"))
    yield from _keys(random, ["down"], 8)
    yield from (Step("key", key) for key in ("enter", "tab"))
    yield from _keys(random, [*_of("diagnose"), "up", "down", "enter", "escape"], 20)


def _plan(random: Random) -> Iterator[Step]:
    yield Step("key", "alt+p")
    for _ in range(random.randint(1, 8)):
        yield Step("type", random.choice(texts.VALUES))
        yield from _keys(random, ["down", "up", "enter", "tab", "pagedown", "ctrl+u"], 3)


def _probe(random: Random) -> Iterator[Step]:
    yield Step("key", "alt+k")
    yield from _keys(random, [*_of("probe"), "escape", "up", "down"], 6)
    yield Step("wait", x=random.choice((50, 1500)))
    yield from _keys(random, [*_of("probe"), "escape", "up", "down"], 8)


def _watch(random: Random) -> Iterator[Step]:
    yield Step("key", "alt+z")
    yield Step("type", random.choice(("{server}", "{server}", "127.0.0.1:1", "http://[", "token=hf_abc@x")))
    yield Step("key", "enter")
    yield Step("wait", x=400)
    yield from _keys(random, [*_of("watch"), "up", "down", "pagedown"], 12)
    yield Step("key", "escape")


def _playground(random: Random) -> Iterator[Step]:
    yield from go_home()
    yield Step("key", "ctrl+g")
    for _ in range(random.randint(1, 8)):
        yield from _keys(random, [*_of("playground"), *FINGERS], 8)
        yield Step("type", random.choice(texts.VALUES))
        yield from _keys(random, ["f8", "f8", "enter", "tab", "alt+y", "alt+r"], 2)


def _panel(random: Random) -> Iterator[Step]:
    """Those that are a list with a line to type in, and help."""
    yield Step("key", random.choice(("f1", "f7", "f6", "ctrl+p", "alt+i", "alt+g")))
    if random.random() < 0.7:
        yield Step("type", random.choice(texts.SEARCHED))
    yield from _keys(random, ["up", "down", "enter", "pagedown", "pageup", "tab", "backspace"], 6)


def _settings(random: Random) -> Iterator[Step]:
    yield Step("key", "alt+s")
    yield from _keys(random, ["up", "down", "left", "right", "enter", "down"], 20)
    yield Step("type", random.choice(("0.9", "2027-01-15", "Asha", "20", "[b]", "/no/python")))
    yield from _keys(random, ["enter", "escape", "down"], 4)


def _mash(random: Random) -> Iterator[Step]:
    """Anything, as fast as it goes."""
    yield from _keys(random, [*EVERYWHERE, *FINGERS, *FINGERS, *"abcdefghijklmnoprstuvwxyz0123456789"], 60)


def _leave(random: Random) -> Iterator[Step]:
    """Quit and come back, seldom: what grows shows in a long life. Without a terminal the same app goes on."""
    if random.random() < 0.1:
        yield Step("key", "ctrl+q")


TRIPS: tuple[tuple[Callable[[Random], Iterator[Step]], int], ...] = (
    (_lesson, 14), (_exercise, 16), (_quiz, 14), (_cards, 5), (_diagnose, 12), (_presets, 6), (_plan, 5), (_probe, 3),
    (_watch, 4), (_playground, 12), (_panel, 10), (_settings, 4), (_mash, 4), (_leave, 1),
)  # fmt: skip
"""Each trip and how often it is drawn among them all."""
