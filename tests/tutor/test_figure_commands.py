"""The command lines of the figures: each `calc` gives a number that the drawing shows, each `diagnose` runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import units
from engine.units import grouped
from tutor import cli
from tutor.figures.base import Figure
from tutor.figures.plain import plain
from tutor.figures.registry import get, names
from tutor.figures.roofline import diagnosis
from tutor.figures.shell import Shell, calc, exact
from tutor.figures.state import State
from tutor.playing.values import Unreadable, offered, stepped, typed

WITH_COMMANDS = [name for name in names() if get(name).commands(get(name).defaults())]
SIZES = ((60, 40), (120, 60), (160, 60))
LIKE = {"share": ("%",), "number": ("none", "%", "x"), "factor": ("x", "none", "%")}
"""Units that a number without one may be drawn in."""
DIAGNOSES = 4
"""So many different lines of `diagnose` are run of each figure: a run takes a moment."""
TYPED = (
    ("model", "llama-3.1-8b"), ("gpu", "H100 SXM 80GB"), ("B", "37"), ("S", "3000"), ("N", "34B"), ("used", "777"),
    ("r_min", "-0.7"), ("lengths", "7, 11, 13, 17"), ("p", "fp8"), ("p_w", "awq"), ("tokens", "23"),
    ("d_model", "7168"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("LLM_TUTOR_LANG", raising=False)


def states(figure: Figure) -> Iterator[State]:
    """States that keys, steps and typed values lead to, each from where the one before left off, and from the start."""
    start = figure.defaults()
    yield start
    walked = start
    for key in figure.keys:
        walked = figure.press(walked, key.action)
        yield walked
        yield figure.press(start, key.action)
    for parameter in offered(figure, start):
        yield stepped(figure, parameter, start, 1)
        walked = stepped(figure, parameter, walked, -1)
        yield walked
        for name, text in TYPED:
            if name == parameter.name:
                try:
                    yield typed(figure, parameter, start, text)
                except Unreadable:
                    continue


class Commanded(NamedTuple):
    state: State
    shells: tuple[Shell, ...]


@cache
def commanded(name: str) -> tuple[Commanded, ...]:
    figure = get(name)
    found: list[Commanded] = []
    for state in states(figure):
        shells = tuple(figure.commands(state))
        if not any(shells == one.shells for one in found):
            found.append(Commanded(state, shells))
    return tuple(found)


def drawn(name: str, state: State) -> str:
    """All that the figure shows of a state, at several widths and in words."""
    figure = get(name)
    pictures = [figure.draw(state, width, height, "en").plain for width, height in SIZES]
    return "\n".join([*pictures, plain(name, state, 160, "en")])


_ran: dict[tuple[str, ...], Any] = {}


def run(shell: Shell, capsys: pytest.CaptureFixture[str]) -> Any:
    """What a command prints; of the states of a figure many offer the same one, which is run once."""
    if shell.words not in _ran:
        _ran[shell.words] = _run(shell, capsys)
    return _ran[shell.words]


def _run(shell: Shell, capsys: pytest.CaptureFixture[str]) -> Any:
    assert cli.run((*shell.words, "--json")) == 0, (shell.line, capsys.readouterr())
    return json.loads(capsys.readouterr().out)


def printed(value: Fraction, unit: str) -> Iterator[str]:
    """How a value may stand in a drawing: in every unit of its kind, in the digits that figures use."""
    own = units.get(unit)
    if own.dimension in units.COUNTS or own.dimension == "number":
        yield grouped(int(value))
        yield str(int(value))
    alike = [one for one, row in units.UNITS.items() if row.dimension == own.dimension]
    for other in (*alike, *LIKE.get(own.dimension, ())):
        for digits in (2, 3, 4, 12, "all"):
            yield units.quantity(value, other, digits)


def shows(text: str, value: Fraction, unit: str) -> bool:
    """Whether a text has a value in it, as a number of its own. What does not fit is drawn without its minus."""
    return any(re.search(rf"(?<![\d.,]){re.escape(one)}(?![\d]|[.,]\d)", text) for one in {*printed(abs(value), unit)})


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_each_calc_gives_a_number_of_the_drawing(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    count = 0
    for state, shells in commanded(name):
        text = drawn(name, state)
        for shell in shells:
            if shell.words[0] == "calc":
                result = run(shell, capsys)
                value = Fraction(str(result["base_value"]))
                assert shows(text, value, result["unit"]), (shell.line, result["display"], text)
                count += 1
    assert count, f"{name} offers no calc"


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_each_diagnosis_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = dict.fromkeys(shell for _, shells in commanded(name) for shell in shells if shell.words[0] == "diagnose")
    for shell in list(lines)[:DIAGNOSES]:
        result = run(shell, capsys)
        assert result["ledger"], shell.line
        assert not result["assumed"] or all(one for one in result["assumed"]), shell.line


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_every_command_is_one_of_ours(name: str) -> None:
    for _, shells in commanded(name):
        for shell in shells:
            assert shell.words[0] in ("calc", "diagnose", "plan"), shell.line
            cli.parser(shell.words[0]).split(shell.words[1:])


def test_commands_follow_the_state() -> None:
    for name in WITH_COMMANDS:
        assert len(commanded(name)) > 1, f"{name} gives the same commands whatever it shows"


def test_a_number_that_is_not_there_is_not_found() -> None:
    text = drawn("two-buckets", get("two-buckets").defaults())
    assert shows(text, Fraction(14 * 10**9), "GB")
    assert not shows(text, Fraction(141 * 10**9), "GB")
    assert not shows(text, Fraction(1234567), "requests")
    assert not shows("14.5 GB", Fraction(14 * 10**9), "GB")
    assert not shows("114 GB", Fraction(14 * 10**9), "GB")


@pytest.mark.parametrize(
    "value", [Fraction(1, 3), Fraction(1, 2), Fraction(133, 256), Fraction(10**15 + 1), Fraction(7)]
)
def test_a_command_carries_values_exactly(value: Fraction, capsys: pytest.CaptureFixture[str]) -> None:
    assert Fraction(exact(value)) == value
    assert Fraction(exact(-value)) == -value
    result = run(calc("ratio", {"part": value, "whole": 1}), capsys)
    assert float(result["base_value"]) == pytest.approx(float(value))


def test_a_command_line_is_read_by_a_shell_as_its_words() -> None:
    import shlex

    shell = Shell(("diagnose", "--gpu", "A100 SXM 80GB", "--symptom", "it's slow; $(x)"))
    assert tuple(shlex.split(shell.line)) == ("llm-tutor", *shell.words)


@pytest.mark.parametrize(("context", "prompt"), [(512, 512), (1024, 512), (512, 2000), (1, 1), (4096, 1)])
def test_a_diagnosis_decodes_over_the_tokens_of_the_drawing(
    context: int, prompt: int, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = diagnosis(get("roofline").defaults({"model": "llama-2-7b", "B": 2, "S": context, "P": prompt}))
    assert run(shell, capsys)["steps"]["decode"]["tokens"] == context
    assert shell.words[shell.words.index("--prompt") + 1] == str(min(prompt, context)), "the reader's own number"
