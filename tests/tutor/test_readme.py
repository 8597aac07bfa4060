"""The README is true: its screens and outputs are the program's, its commands run, and what it names exists.

`python -m tests.readme --write` brings screens, outputs, tables and the picture up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from content import course
from content.checking import expectation
from content.lang import Text
from content.validate import hinglish, validate
from content.validate.source import Source
from content.validate.texts import Pair
from engine.answers.check import check
from tests.readme import blocks, running, screens, truth
from tests.readme.blocks import README, ROOT
from tutor import cli, keys

TEXT = README.read_text(encoding="utf-8")
BLOCKS = blocks.blocks(TEXT)
LINES = tuple(dict.fromkeys(blocks.command_lines(TEXT)))
SHOWN = truth.files(TEXT)
WIDEST = 100
KEY = re.compile(r"(ctrl|alt)\+\w|F\d+")
PATH = re.compile(r"(tutor|engine|content|tests|\.ci|\.readme)(/[\w./-]*)?")


def named(block: blocks.Block) -> str:
    return f"{block.kind} {block.argument}"[:60]


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.kind in truth.MADE], ids=named)
def test_what_is_shown_is_what_the_program_shows(block: blocks.Block) -> None:
    assert block.text == truth.MADE[block.kind](block, SHOWN)


def test_the_three_uses_have_a_screen_that_fits() -> None:
    shown = [block for block in BLOCKS if block.kind == "frame"]
    assert [re.findall(r"\w+", block.argument)[2] for block in shown] == ["study", "quiz", "diagnose"]
    assert max(len(line) for block in shown for line in block.lines) <= WIDEST


def test_the_picture_is_of_the_screen_as_it_is() -> None:
    ((path, asked),) = truth.pictures(TEXT).items()
    drawn = (ROOT / path).read_text(encoding="utf-8")
    rows = ["".join(row.split()) for row in screens.text(asked).split("\n")]
    assert screens.words(drawn)[1:] == [row for row in rows if row]  # above them the title of the window
    assert len(drawn) < 150_000
    assert "url(" not in drawn.replace("url(#", "")  # nothing is fetched to show it


def test_every_command_line_works(tmp_path: Path) -> None:
    """One after the other as a reader would, in one folder and home."""
    read = {line: running.read(line, SHOWN) for line in LINES}
    with running.place(tmp_path, SHOWN):
        ran = {line: running.run(words) for line, words in read.items() if not words.only_parsed}
    assert len(ran) > 30
    assert {line: one for line, one in ran.items() if one.status != running.expected(line) or not one.out} == {}


def test_what_is_only_parsed_is_a_short_list() -> None:
    left = [line for line in LINES if running.read(line, SHOWN).only_parsed]
    for line in left:
        running.parse(running.read(line, SHOWN))
    assert len(left) < len(LINES) / 4
    assert all(any(word in line.split() for line in left) for word in running.PARSED_ONLY)


def test_commands_in_the_prose_exist() -> None:
    said = [code for code in blocks.codes(TEXT) if code.startswith("llm-tutor ")]
    assert len(said) > 10
    for code in said:
        words = cli.split(code.split()[1:]).rest
        if words and words[0] != "COMMAND":
            cli.parser(words[0]).split(words[1:])


def test_keys_in_the_prose_exist() -> None:
    known = {keys.shown(key) for command in keys.TABLE for key in command.keys} | {"ctrl+c"}
    said = {code for code in blocks.codes(TEXT) if KEY.fullmatch(code)}
    assert {"F1", "F2", "F3", "ctrl+g", "alt+o"} <= said
    assert said <= known


@pytest.mark.parametrize(
    ("key", "command"),
    [("p", "placement"), ("r", "revise"), ("d", "diagnose"), ("m", "probe"), ("F10", "grade"), ("F3", "presets"),
     ("alt+o", "files"), ("ctrl+g", "playground")],
)  # fmt: skip
def test_keys_in_the_prose_mean_what_it_says(key: str, command: str) -> None:
    assert key in blocks.codes(TEXT)
    assert key in map(keys.shown, keys.BY_ID[command].keys)


def test_what_the_program_is_said_to_say_it_says() -> None:
    table = TEXT.partition("\n## Troubleshooting\n")[2].partition("\n## ")[0]
    said = [sentence for row in re.findall(r"(?m)^\| (.*?) \|", table) for sentence in re.findall(r'"(.+?)"', row)]
    words = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "content/words").glob("*.toml"))
    assert len(said) > 5
    assert [sentence for sentence in said if sentence not in words] == []


def test_the_course_is_as_large_as_it_says() -> None:
    (track,) = course.index().tracks
    numbers = "Zero One Two Three Four Five Six Seven Eight Nine Ten".split()
    assert f"{numbers[len(track.lessons)]} lessons" in TEXT
    assert f"{numbers[len(track.levels)]} levels" in TEXT


def test_links_and_files_exist() -> None:
    assert {link for link in blocks.links(TEXT) if link.startswith("#")} <= {f"#{one}" for one in blocks.anchors(TEXT)}
    files = {link for link in blocks.links(TEXT) if not link.startswith("#")}
    files |= {code for code in blocks.codes(TEXT) if PATH.fullmatch(code) and "NAME" not in code}
    assert len(files) > 30
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_modules_that_are_named_can_be_run() -> None:
    said = re.findall(r"`(tests(?:\.\w+)+)[^`]*`", TEXT)
    places = [ROOT / name.replace(".", "/") for name in said]
    assert len(places) > 5
    assert [p for p in places if not (p.with_suffix(".py").is_file() or (p / "__main__.py").is_file())] == []


def test_the_map_names_every_room() -> None:
    rooms = {
        f"{path.parent.relative_to(ROOT)}/"
        for house in ("engine", "content", "tutor")
        for path in (ROOT / house).glob("*/__init__.py")
    }
    assert len(rooms) > 20
    assert rooms - set(blocks.codes(TEXT)) == set()


def test_the_example_track_is_whole() -> None:
    example = ROOT / "tests/content/example"
    shown = {name for name in SHOWN if name.startswith("tests/content/example/")}
    assert validate(example) == ()
    assert shown == {str(file.relative_to(ROOT)) for file in example.rglob("*.toml")}


def test_the_example_track_can_be_studied() -> None:
    made = course.Course(ROOT / "tests/content/example", ("laptop",))
    exercise, part = made.part("laptop/L1.1/weights")
    assert check(expectation(exercise, part), "1.5 GB").verdict == "correct"
    assert "weights-still-fp16" in check(expectation(exercise, part), "6 GB").slips
    assert made.exercise("laptop/L1.1@1").given != exercise.given
    assert len(made.lesson("laptop/A1").sections) == 1


def test_a_track_alone_is_checked_like_any_other(tmp_path: Path) -> None:
    broken = {name: text.replace('p_w = [1, "1/2"]', "p_w = [0]") for name, text in SHOWN.items()}
    with running.place(tmp_path, broken):
        told = running.run(running.Line(["course", "validate", "tests/content/example"], ""))
    assert told.status == 1
    assert "course/laptop/L1.toml:6" in told.out


def test_the_hinglish_reads_as_hinglish() -> None:
    (block,) = (block for block in BLOCKS if block.kind == "hinglish")
    problems: list[object] = []
    said = " ".join(line.removeprefix("> ") for line in block.lines)
    assert len(block.lines) in range(4, 7)
    hinglish.lint(Source("README.md", TEXT, {}, problems), Pair((), Text(said, said)))  # type: ignore[arg-type]
    assert problems == []


def test_the_two_commands_for_scripts_stand_behind_their_markers() -> None:
    found = {block.kind: block.lines for block in BLOCKS if block.kind in ("start", "tests")}
    assert {kind: len(lines) for kind, lines in found.items()} == {"start": 1, "tests": 1}
    assert all(line.startswith("    python3 -m venv .venv && ") for (line,) in found.values())
