"""Under an answer that cannot be read: the answer, and a caret where the trouble is. Scripts get the place."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from tests.tutor.command import KV, Tutor, process
from tutor.commands import caret

FORMULA = "core/L1.2/formula"


@pytest.mark.parametrize(
    ("part", "typed", "marked"),
    [
        (KV, "2*1.07 kg", "kg"),
        (KV, "1.07 GB nahi", "nahi"),
        (KV, "1.07 or 2 GB", "or"),
        (KV, "  2*(3+4", "("),
        (KV, "7 + ☃", "☃"),
        (FORMULA, "2*B*S*L*hidden_size*q", "q"),
        (FORMULA, "2*B*S*L*d_model*q", "q"),
        (FORMULA, "2*B*S*L*(d_model*p", "("),
    ],
)
def test_the_caret_stands_under_what_cannot_be_read(tutor: Tutor, part: str, typed: str, marked: str) -> None:
    ran = tutor("check", part, typed)
    message, shown, marks = ran.out.rstrip("\n").split("\n")
    assert ran.status == 1 and message
    assert shown == f"  {typed}"
    start = marks.index("^")
    assert marks.strip() == "^" * len(marked)
    assert shown[start : start + len(marked)] == marked
    said = tutor.json("check", part, typed, status=1)
    assert typed[slice(*said["span"])] == marked


@pytest.mark.parametrize("typed", ["1.07 GB", "0.537", "1", "-1.07 GB"])
def test_what_can_be_read_has_no_caret(tutor: Tutor, typed: str) -> None:
    assert "^" not in tutor("check", KV, typed).out
    assert tutor.json("check", KV, typed, status=0 if typed == "1.07 GB" else 1)["span"] is None


def test_a_calculation_that_stops_is_marked_behind_its_end(tutor: Tutor) -> None:
    _, shown, marks = tutor("check", KV, "2*1*").out.rstrip("\n").split("\n")
    assert len(marks) >= len(shown)


@pytest.mark.parametrize("typed", ["", "   ", "\t"])
def test_an_empty_answer_shows_nothing_to_point_at(tutor: Tutor, typed: str) -> None:
    assert tutor("check", KV, typed).out.count("\n") == 1
    assert tutor.json("check", KV, typed, status=1)["span"] is None


@pytest.mark.parametrize(
    "typed",
    [
        "9" * 10_000, "1" * 200 + " kg " + "1" * 90, "x" * 290, "1.07\x1b[31m GB", "\u202e1.07 GB", "1.07 \u0000 GB",
        "一" * 60 + " kg", "e\u0301" * 50 + " kg", "1.07\tkg", "1.07\nkg", "\ud800", "[/b] 1", "🙂 1.07 GB",
        r"\frac{1}{2} kg",
    ],
)  # fmt: skip
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252", "no-such-codec"])
def test_the_two_lines_are_printable_bounded_and_under_each_other(typed: str, encoding: str) -> None:
    for start in (0, 1, len(typed) // 2, max(len(typed) - 2, 0), len(typed)):
        for length in (0, 1, 2, 10, len(typed)):
            lines = caret.lines(typed, (start, start + length), encoding)
            assert len(lines) in (0, 2)
            for line in lines:
                assert line.isprintable()
                assert sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line) <= 120
            if lines:
                assert set(lines[1]) <= {" ", "^"}
                assert "^" in lines[1]


def test_a_place_far_behind_is_shown_with_what_stands_before_it() -> None:
    typed = "1 + " * 60 + "kg" + " + 1" * 10
    shown, marks = caret.lines(typed, (240, 242), "utf-8")
    assert shown[marks.index("^") :].startswith("kg")
    assert shown.startswith("  ...") and shown.endswith("...")
    assert len(shown) <= caret.WIDTH + 2


def test_wide_and_combining_signs_move_the_caret() -> None:
    _, marks = caret.lines("一二 kg", (3, 5), "utf-8")
    assert marks.index("^") == 2 + 5
    _, marks = caret.lines("e\u0301 kg", (3, 5), "utf-8")
    assert marks.index("^") == 2 + 2


def test_a_place_in_rewritten_latex_is_not_claimed(tutor: Tutor) -> None:
    said = tutor.json("check", FORMULA, r"2 \cdot B \cdot q", status=1)
    assert said["verdict"] == "invalid"
    if said["span"] is not None:
        assert r"2 \cdot B \cdot q"[slice(*said["span"])] == "q"


def test_a_batch_carries_the_place(tutor: Tutor, tmp_path: Path) -> None:
    lines = b'{"expect": {"kind": "formula", "formula": "a*b"}, "answer": "a*c"}\n{"id": "L2.1/kv", "answer": "1 kg"}\n'
    done = process(["check", "--batch", "-"], tmp_path, lines)
    assert done.stdout.count(b'"span": [2, 3]') == 1
    assert done.stdout.count(b'"span": [2, 4]') == 1


def test_an_ascii_terminal_gets_a_caret_in_the_right_column(tmp_path: Path) -> None:
    done = process(["check", KV, "2×3 kg"], tmp_path, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    _, shown, marks = done.stdout.decode("ascii").rstrip("\n").split("\n")
    assert shown[marks.index("^") :].startswith("kg")
