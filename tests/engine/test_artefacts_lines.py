"""Lines as people paste them: in pieces, coloured, prefixed, wrapped, endless."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts.lines import MOST_LINE, clock, lines
from engine.artefacts.marks import Marks
from engine.artefacts.model import Observations
from engine.artefacts.text import Line

RECORD = (
    "INFO 03-14 09:26:53 [loggers.py:118] Engine 000: Avg prompt throughput: 12.5 tokens/s, Avg generation throughput: "
    "340.1 tokens/s, Running: 9 reqs, Waiting: 0 reqs, GPU KV cache usage: 41.7%, Prefix cache hit rate: 3.0%"
)
OTHER = RECORD.replace("09:26:53", "09:27:03").replace("340.1", "351.9")


def texts(data: bytes | str) -> list[str]:
    return [line.text for line in lines([data.encode() if isinstance(data, str) else data])]


@given(st.binary(max_size=400), st.integers(1, 40))
def test_pieces_make_no_difference(data: bytes, size: int) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [(line.number, line.text) for line in lines(pieces)] == [(line.number, line.text) for line in lines([data])]


@given(st.lists(st.text("abc xyz", max_size=30), max_size=12))
def test_numbers_are_those_of_the_text(rows: list[str]) -> None:
    numbered = {line.number: line.text for line in lines(["\n".join(rows).encode()])}
    assert all(rows[number - 1].rstrip().startswith(text.split(" ")[0]) for number, text in numbered.items() if text)


def test_a_line_without_end_is_kept_in_part_and_the_next_one_is_whole() -> None:
    pieces = [b"x" * 10_000 for _ in range(100)] + [b"\nnext\n"]
    found = list(lines(pieces))
    assert [len(found[0].text), found[0].cut] == [MOST_LINE, True]
    assert [found[1].number, found[1].text, found[1].cut] == [2, "next", False]


def test_a_progress_bar_redrawn_on_one_line_is_several_texts_of_that_line() -> None:
    found = list(lines([b"Loading:  10%\rLoading: 100%\rdone\nafter\n"]))
    assert [(line.number, line.text) for line in found] == [
        (1, "Loading:  10%"), (1, "Loading: 100%"), (1, "done"), (2, "after"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "written",
    [
        "\x1b[32mINFO\x1b[0m 03-14 09:26:53 ready",
        "[32mINFO[0m 03-14 09:26:53 ready",
        "\x1b]0;title\x07INFO 03-14 09:26:53 ready",
        "vllm-1     | INFO 03-14 09:26:53 ready",
        "[pod/vllm-7c9d/server] INFO 03-14 09:26:53 ready",
        "2026-03-14T09:26:53.123456789Z INFO 03-14 09:26:53 ready",
        "2026-03-14T09:26:53.123456789Z stderr F INFO 03-14 09:26:53 ready",
        "Mar 14 09:26:53 host-7 vllm[4711]: INFO 03-14 09:26:53 ready",
        "> > INFO 03-14 09:26:53 ready",
        '{"log":"INFO 03-14 09:26:53 ready\\n","stream":"stderr","time":"x"}',
        '{"level":"info","message":"INFO 03-14 09:26:53 ready"}',
        "\ufeffINFO 03-14 09:26:53 ready",
        "INFO 03-14 09:26:53 ready\r",
    ],
)
def test_what_stands_around_a_record_is_taken_off(written: str) -> None:
    assert texts(written) == ["INFO 03-14 09:26:53 ready"]


def test_the_stamp_of_a_collector_is_a_time_where_the_record_has_none() -> None:
    first, second = lines([b"2026-03-14T09:26:53Z slot released\n2026-03-14T09:27:03.5Z slot released\n"])
    assert first.at is not None and second.at is not None
    assert second.at - first.at == 10.5


@pytest.mark.parametrize("width", [60, 80, 100, 120])
@pytest.mark.parametrize("hard", [True, False])
def test_records_that_a_terminal_or_a_mail_broke_are_whole_again(width: int, hard: bool) -> None:
    def broken(text: str) -> list[str]:
        return [text[at : at + width] for at in range(0, len(text), width)] if hard else textwrap.wrap(text, width)

    found = list(lines(["\n".join([*broken(RECORD), *broken(OTHER)]).encode()]))
    assert [line.text for line in found] == [RECORD, OTHER]
    assert [line.number for line in found] == [1, 1 + len(broken(RECORD))]


@pytest.mark.parametrize("width", range(40, 110))
def test_a_number_that_was_broken_is_one_again(width: int) -> None:
    record = "INFO 06-28 06:12:05 executor.py:76] rest (1.47 GiB) --gpu-memory-utilization 0.9 = 7, # CPU blocks: 20481"
    text = "\n".join(record[at : at + width] for at in range(0, len(record), width))
    assert texts(f"{text}\n{OTHER[:width]}") == [record, OTHER[:width].rstrip()]


def test_lines_that_stand_for_themselves_are_not_joined() -> None:
    table = "\n".join(["| model | test |", "| ----- | ---- |", "| llama | tg128 |"])
    config = '{\n  "num_hidden_layers": 28,\n  "hidden_size": 1024\n}'
    trace = 'Traceback (most recent call last):\n  File "x.py", line 3, in <module>\nValueError: no'
    for text in (table, config, trace, f"{RECORD}\n{table}"):
        assert texts(text) == [line.rstrip() for line in text.split("\n")]


@pytest.mark.parametrize(
    ("before", "after", "seconds"),
    [
        ("INFO 03-14 09:26:53 x", "INFO 03-14 09:27:03 x", 10),
        ("INFO 03-14 23:59:58 x", "INFO 03-15 00:00:03 x", 5),
        ("[2026-03-14 09:26:53 TP0] x", "[2026-03-14 09:26:54 TP0] x", 1),
        ("2026-03-14 09:26:53,250 x", "2026-03-14 09:26:54,000 x", 0.75),
        ("[03/14/2026-09:26:53] [TRT-LLM]", "[03/14/2026-09:28:53] [TRT-LLM]", 120),
        ("09:26:53 x", "09:26:54.5 x", 1.5),
    ],
)
def test_time_stamps_of_every_program(before: str, after: str, seconds: float) -> None:
    one, other = clock(before), clock(after)
    assert one is not None and other is not None
    assert other - one == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "no time", "02-30 99:99:99", "2026-13-45 10:00:00", "ratio 1:2:3"])
def test_what_is_no_time_has_none(text: str) -> None:
    assert clock(text) is None


class Knows:
    """A reader of fragments alone."""

    open = False

    def __init__(self, *marks: str) -> None:
        self.marks = marks

    def line(self, line: Line, out: Observations) -> None:
        """Nothing is read."""

    def end(self, out: Observations) -> None:
        """Nothing is held."""


FRAGMENTS = st.lists(st.lists(st.text("ab0 1:", min_size=1, max_size=3), max_size=3), max_size=4)


@given(FRAGMENTS, st.lists(st.text("ab01 :9", max_size=12), max_size=8))
def test_a_line_is_shown_to_those_that_know_a_fragment_of_it(known: list[list[str]], rows: list[str]) -> None:
    shown_to = Marks([Knows(*marks) for marks in known]).of
    for text in (*rows, *rows[::-1]):
        wanted = [number for number, marks in enumerate(known) if any(mark in text for mark in marks)]
        assert list(shown_to(text)) == wanted
