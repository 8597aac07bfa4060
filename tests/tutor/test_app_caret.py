"""What was understood of a typed answer, and the mark under the piece that was not: in cells, not in characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from content import verdicts
from content.lang import LANGS
from tests.tutor.frames import answer, flat, frame, make_app, paste, settle
from tests.tutor.quizzes import drawn, quiz_app
from tutor.app import TutorApp
from tutor.progress import Place
from tutor.widgets.answer_input import AnswerInput

KV = "core/L2.1/kv"
AT = Place("exercise", "core/L2.1", part=KV)

PIECES = {
    "2*1*2048*#*2": "#",
    "१.०७ # GB": "#",
    "1.07 कि.बा.": ".",
    "कि#": "#",
    "１．０７ ＧＢ＃１": "＃",
    "キロ 1.07": "キ",
    "1.07 キロ": "キ",
    "1.07 🎉 GB": "🎉",
    "e\u0301 1.07": "e",
    "2*(3+4": "(",
    "2*)3": ")",
    "1.07 GB GB": "GB",
    "  1.07 foo": "foo",
    "1.07 GB =": "=",
    "1/0": "1/0",
    "1.07 m": "m",
}
"""An answer that cannot be read, and the piece that is pointed at."""
LONG = "2*1*2048*32*4096*2*" * 6


def lines(app: TutorApp) -> tuple[str, str]:
    """The line of the answer and the one under it."""
    shown = frame(app).splitlines()
    value = app.screen.query_one(AnswerInput).region.y
    below = shown[value + 1] if value + 1 < len(shown) else ""
    return shown[value], below.rstrip(" ▁▂▃▄▅▆▇█")  # the page's scrollbar ends the line


def under(line: str, marks: str) -> str:
    """What stands in a line above the carets of the next one, cell by cell."""
    first = len(marks) - len(marks.lstrip())
    last = first + len(marks.strip())
    found, cell = "", 0
    for char in line:
        if first <= cell < last if cell_len(char) else first < cell <= last:
            found += char
        cell += cell_len(char)
    return found


@pytest.mark.parametrize(
    ("size", "mode"), [((60, 20), {"theme": "textual-light"}), ((80, 24), {"ascii": True})], ids=["light", "ascii"]
)
async def test_the_mark_stands_under_the_piece(tmp_path: Path, size: tuple[int, int], mode: dict[str, object]) -> None:
    app = make_app(tmp_path, place=AT, **mode)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        for typed, piece in PIECES.items():
            await answer(pilot, typed)
            told = app.screen.told[KV]
            assert told.verdict.verdict == "invalid" and told.verdict.span is not None
            line, marks = lines(app)
            assert set(marks.strip()) == {"^"}
            assert under(line, marks).rstrip("\u0301") == piece.rstrip("\u0301"), typed
            assert " ".join(told.message("en").split()) in flat(app)
        assert app.session.state(KV).attempts == 0


@pytest.mark.parametrize("place", ["start", "middle", "end"])
@pytest.mark.parametrize("wide", ["", "日本語"])
async def test_a_long_answer_moves_so_that_the_piece_is_seen(tmp_path: Path, place: str, wide: str) -> None:
    typed = {"start": f"#*{LONG}2", "middle": f"{LONG}#*{LONG}2", "end": f"{LONG}2*#"}[place]
    piece = wide[:1] or "#"
    typed = typed.replace("#", wide or "#")
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(60, 20)) as pilot:
        await answer(pilot, typed)
        line, marks = lines(app)
        assert under(line, marks) == piece
        await pilot.press("home")
        await settle(pilot)
        _, marks = lines(app)
        assert set(marks.strip()) <= {"^"}, "out of sight there is no mark, and none under something else"
        if marks.strip():
            assert under(lines(app)[0], marks) == piece
        await pilot.press("end", "backspace")
        await settle(pilot)
        assert "^" not in lines(app)[1], "what is typed anew is not marked"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(
    "typed",
    ["1.07", "1.07 GB", "1 GiB", "2*1*2048*32*4096*2", "2*1*2048*32*4096*2/1e9",
     "2*1*2048*32*4096*2 = 1073741824 bytes = 1.07 GB", "KV = 1.07 GB", "2*(3"],
)  # fmt: skip
async def test_the_echo_says_how_it_reads(tmp_path: Path, lang: str, typed: str) -> None:
    app = make_app(tmp_path, lang, AT)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert "GB" in app.screen.query_one(AnswerInput).placeholder, "the unit that is asked for"
        await paste(pilot, typed)
        await settle(pilot)
        assert " ".join(verdicts.echo(KV, typed, app.session.language).split()) in flat(app)


async def test_a_bare_number_is_echoed_with_the_unit_and_its_bytes(tmp_path: Path) -> None:
    app = make_app(tmp_path, place=AT)
    async with app.run_test(size=(60, 20)) as pilot:
        await paste(pilot, "1.07")
        await settle(pilot)
        assert "read as 1.07 GB = 1,070,000,000 bytes" in flat(app)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("core/L2.1/kv/find-d_model", "a whole number"),
        ("core/L2.1/kv/find-S", "a number (tokens), or a calculation"),
        ("core/L2.2/batch", "a number (requests), or a calculation"),
        ("core/L2.1/kv", "a number and its unit (GB), or a calculation"),
    ],
)
async def test_the_empty_field_asks_for_a_unit_only_where_there_is_one(item: str, words: str) -> None:
    app = quiz_app([item])
    async with app.run_test(size=(80, 30)) as pilot:
        await drawn(pilot)
        assert app.screen.query_one(AnswerInput).placeholder == words
