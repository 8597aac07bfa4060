"""The terminal of the tests itself: what a program writes last is seen, however soon it ends."""

from __future__ import annotations

import sys

from tests.terminal import Terminal


def test_the_last_words_of_a_program_that_has_ended_are_read() -> None:
    rows = "\\n".join(f"row {number}" for number in range(28))
    with Terminal([sys.executable, "-c", f'print("{rows}"); print("the end")']) as there:
        there.process.wait(30)  # nobody has read anything yet
        assert there.finish() == 0
        assert "row 0" in there.text and "the end" in there.text
