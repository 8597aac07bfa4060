"""`llm-tutor playground`: the app at a figure, or the figure in lines or as JSON; what cannot be read is told."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from content.lang import LANGS
from content.words import say
from tests.terminal import Terminal
from tests.tutor.command import Tutor
from tutor import cli
from tutor.commands import study
from tutor.figures.registry import get, names
from tutor.playing import opening, values
from tutor.playing.played import Played
from tutor.travel import PLAYGROUND


@pytest.fixture
def tutor(tutor: Tutor, capsys: pytest.CaptureFixture[str]) -> Tutor:
    """All that is run here is the playground, at the same home."""
    return Tutor(capsys, "playground")


# --- in lines --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_without_a_figure_all_are_listed(tutor: Tutor, lang: str) -> None:
    ran = tutor("--lang", lang)
    assert (ran.status, ran.err) == (0, "")
    for name in names():
        assert f"{name} " in ran.out
        assert say(f"figures.title.{name}", lang) in ran.out  # type: ignore[arg-type]
    assert [row["figure"] for row in tutor.json()["figures"]] == list(names())


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("lang", LANGS)
def test_each_figure_is_said_with_what_can_be_set_and_its_commands(tutor: Tutor, name: str, lang: str) -> None:
    ran = tutor(name, "--plain", "--lang", lang)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.split("\n")
    assert lines[0] == say(f"figures.title.{name}", lang)  # type: ignore[arg-type]
    assert not set(ran.out) & set("│┌└█▒░▲▼\x1b")
    for parameter in values.offered(get(name), get(name).defaults()):
        assert any(line.startswith(f"  {parameter.name}=") for line in lines), parameter.name
    for shell in get(name).commands(get(name).defaults()):
        assert f"  {shell.line}" in lines


def test_a_load_of_ones_own(tutor: Tutor) -> None:
    ran = tutor("two-buckets", "model=llama-2-13b", "gpu=A100 SXM 80GB", "B=16", "S=4k", "reserve_slots=0", "--plain")
    lines = ran.out.split("\n")
    for line in ("W weights: 26.03 GB", "K KV in use: 52.43 GB", "free: 1.539 GB"):
        assert line in lines
    assert "  model=Llama-2-13b-hf  model" in lines
    assert "  llm-tutor calc weights N=13015864320 p_w=2 unit=GB" in lines


def test_a_card_keeps_the_name_that_was_typed(tutor: Tutor) -> None:
    assert "  gpu=RTX 4090 " in tutor("two-buckets", "gpu=4090", "--plain").out


def test_what_is_not_set_is_said(tutor: Tutor) -> None:
    lines = tutor("kv-factors", "n_head=7", "n_kv_heads=7", "--plain").out.split("\n")
    assert "  budget=VALUE  memory for caches (not set)" in lines
    assert "  model=NAME    model (own values)" in lines
    assert "  budget=80 GB" in tutor("kv-factors", "budget=80", "--plain").out


def test_the_map_says_what_was_read(tutor: Tutor) -> None:
    from tutor.progress import Progress
    from tutor.session import Session

    assert "(C0): new" in tutor("map", "--plain").out
    session = Session.start("en")
    assert isinstance(session.progress, Progress)
    session.progress.hint("core/C0/token", 1)
    session.close()
    assert "(C0): new" not in tutor("map", "--plain").out


# --- as JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_json_is_one_document_with_the_state_in_base_units(tutor: Tutor, name: str) -> None:
    record = tutor.json(name)
    assert list(record) == ["figure", "state", "title", "said", "values", "commands"]
    assert record["figure"] == name
    assert set(record["state"]) >= set(get(name).base)
    assert record["said"] and all(isinstance(line, str) and line for line in record["said"])
    for line in record["commands"]:
        assert shlex.split(line)[0] == "llm-tutor"
    assert [row["name"] for row in record["values"]] == [
        one.name for one in values.offered(get(name), get(name).defaults())
    ]


def test_json_has_exact_numbers(tutor: Tutor) -> None:
    state = tutor.json("two-buckets", "capacity=80 GiB", "p_w=int4", "N=6.74B", "paging=on")["state"]
    assert (state["capacity"], state["p_w"], state["N"]) == (80 * 2**30, 0.5, 6_740_000_000)
    assert state["paging"] == "on"
    assert tutor.json("ruler", "r_min=-0.6")["state"]["r_min"] == -0.6
    assert tutor.json("batching-timeline", "lengths=5, 7")["state"]["lengths"] == [5, 7]


def test_json_speaks_the_language_of_the_run(tutor: Tutor) -> None:
    assert tutor.json("heads", "--lang", "hi-Latn")["title"] == say("figures.title.heads", "hi-Latn")


# --- what cannot be read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rulr"], "There is no figure rulr. Did you mean ruler?"),
        (["qqq"], "There is no figure qqq. The figures are: two-buckets,"),
        (["ruler", "3"], "3 is no NAME=VALUE, like B=16."),
        (["ruler", "=3"], "=3 is no NAME=VALUE, like B=16."),
        (["ruler", "zz=3"], "ruler has no value zz. It has: b, "),
        (["ruler", "b=3", "b=4"], "b is given twice."),
        (["ruler", "b=99"], "99 is outside."),
        (["ruler", "b="], "nothing is typed."),
        (["two-buckets", "model=llama 3"], "llama 3 can be several. Choose one: meta-llama/Meta-Llama-3-8B,"),
        (["two-buckets", "gpu=A100"], "A100 can be several. Choose one: A100 SXM 40GB,"),
        (["two-buckets", "capacity=80 tokens"], "80 tokens measures something else."),
        (["two-buckets", "N=1e999999"], "1e999999 cannot be read."),
        (["ruler", "r_max=-5"], "largest value: -5 does not go with smallest value -0.3."),
        (["ruler", "--plian"], "There is no option --plian here. Did you mean --plain?"),
    ],
)
def test_one_sentence_and_status_2(tutor: Tutor, words: Sequence[str], sentence: str) -> None:
    for lang in LANGS:
        ran = tutor(*words, "--plain", "--lang", lang)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("llm-tutor: ") and ran.err.count("\n") == 1
        assert not set(ran.err) & set("{}")
    assert sentence in tutor(*words, "--plain").err
    ran = tutor(*words, "--json")
    assert ran.status == 2
    assert sentence in json.loads(ran.out)["error"]["en"]


def test_words_of_any_order_and_case(tutor: Tutor) -> None:
    state = tutor.json("Two Buckets", "N_KV_HEADS=4", "n_head=16", "S=2*1024")["state"]
    assert (state["n_head"], state["n_kv_heads"], state["S"]) == (16, 4, 2048)
    turned = tutor.json("two_buckets", "S=2048", "n_head=16", "n_kv_heads=4")["state"]
    assert turned == state
    own = tutor.json("two-buckets", "L=5", "model=llama-2-7b")["state"]
    assert own["L"] == 5, "what was typed outranks the model, wherever it stands"
    assert own["n_head"] == 32


# --- in the app ------------------------------------------------------------------------------------------------------


def test_in_a_terminal_the_app_opens_at_the_figure(tutor: Tutor, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[str, Played | None]] = []

    def open_app(_: object, target: str, playing: Played | None = None) -> int:
        opened.append((target, playing))
        return 0

    monkeypatch.setattr(study, "open_app", open_app)
    monkeypatch.setattr(study, "drawable", lambda: True)
    assert tutor("ruler", "b=3") == (0, "", "")
    assert tutor() == (0, "", "")
    ruler = opening.read(("ruler", "b=3")).state
    assert opened == [(PLAYGROUND, Played("ruler", ruler, ruler, given=("b",))), (PLAYGROUND, None)]
    assert tutor("ruler", "--plain").out.startswith("A ruler")
    assert tutor("rulr").status == 2, "refused before any screen opens"
    assert len(opened) == 2


def test_the_app_in_a_real_terminal(tmp_path: Path) -> None:
    import sys
    import time

    command = [sys.executable, "-m", "tutor", "playground", "ruler", "b=3", "--lang", "en"]
    with Terminal(command, {"LLM_TUTOR_HOME": str(tmp_path)}, (80, 24)) as terminal:
        end = time.monotonic() + 30
        while time.monotonic() < end and not any("codes" in line for line in terminal.screen.display):
            terminal.read(0.2)
        lines = terminal.screen.display
        assert any("A ruler with few marks" in line for line in lines), lines
        assert any("Playground" in line for line in lines[:2])
        assert any(line.split()[1:3] == ["bits", "3"] for line in lines), lines


def test_completion_knows_the_figures(tutor: Tutor, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(("completion", "bash")) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in names())
