"""What stands in the form although nobody filled it in for this log, and what is taken out of the answer by a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.lang import LANGS, Lang
from engine.artefacts.evidence import Evidence, read
from engine.diagnosis.acting import typed
from engine.diagnosis.fields import BY_NAME
from tests.tutor.frames import flat, paste
from tests.tutor.resting import rest
from tests.tutor.test_diagnose_evidence import answered, diagnoser, given, state
from tutor.diagnoser import doors, keeping, rows
from tutor.diagnoser.form import FormState
from tutor.diagnoser.presets import values
from tutor.diagnoser.speech import Speech
from tutor.screens import diagnose_kept

LOG = (
    "INFO api_server.py:1839] vLLM API server version 0.11.0\n"
    "INFO utils.py:233] non-default args: {'model': 'Qwen/Qwen2.5-32B-Instruct', 'max_model_len': 4096}\n"
    "INFO metrics.py:455] Avg prompt throughput: 61.0 tokens/s, Avg generation throughput: 9.4 tokens/s, "
    "Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 14.4%, Prefix cache hit rate: 0.0%\n"
)


def relied(state: FormState) -> FormState:
    state.rely(Evidence((read("server.log", [LOG.encode()]),)))
    return state


# --- what is of another server ---------------------------------------------------------------------------------------


def test_what_an_earlier_run_or_an_example_left_beside_a_log_is_known(tmp_path: Path) -> None:
    keeping.remember(tmp_path / "form.json", FormState({"gpu": "H100 SXM 80GB", "weights": "awq"}))
    again = keeping.recalled(tmp_path / "form.json")
    assert again.left == () and set(relied(again).left) == {"gpu", "weights"} and not again.of_example
    again.set("gpu", "L4")
    assert again.left == ("weights",), "what is typed since is meant for this log"
    shown = relied(FormState())
    shown.illustrate(values("awq-slower", "en"))
    assert "weights" in shown.left and shown.of_example


def test_an_example_that_was_only_looked_at_is_nobody_s_server(tmp_path: Path) -> None:
    shown = FormState()
    shown.illustrate(values("awq-slower", "en"))
    keeping.remember(tmp_path / "form.json", shown)
    assert keeping.recalled(tmp_path / "form.json").values == {}
    assert not relied(shown).values, "a log is of another server"
    assert shown.undo() and shown.values == values("awq-slower", "en") and not shown.evidence
    shown.set("gpu", "L4")
    keeping.remember(tmp_path / "form.json", shown)
    assert keeping.recalled(tmp_path / "form.json").values["gpu"] == "L4", "what was changed is the reader's own"
    assert relied(shown).values["gpu"] == "L4"


def test_what_was_typed_before_an_example_is_no_example_after_undo() -> None:
    state = FormState({"gpu": "L4", "weights": "awq"})
    state.illustrate({"gpu": "H100 SXM 80GB", "weights": "awq"})
    assert state.undo() and state.values["gpu"] == "L4"
    assert not state.looked_at and relied(state).values["gpu"] == "L4"


def test_the_form_is_emptied_first_and_then_the_logs_and_both_come_back() -> None:
    state = relied(FormState({"gpu": "L4"}))
    assert state.empty() and not state.values and state.evidence
    assert state.empty() and not state.evidence and not state.empty()
    assert state.undo() and state.undo() and state.values == {"gpu": "L4"}


@pytest.mark.parametrize("lang", LANGS)
async def test_a_log_takes_the_place_of_an_example_that_is_shown(tmp_path: Path, lang: Lang) -> None:
    log = tmp_path / "server.log"
    log.write_text(LOG)
    async with diagnoser(tmp_path, lang, (80, 24)) as (app, pilot):
        app.screen.state.illustrate(values("awq-slower", lang))
        app.screen.take(app.screen.state.values)
        await answered(pilot)
        await paste(pilot, str(log))
        await answered(pilot)
        await pilot.press("escape")
        await answered(pilot)
        assert not app.screen.state.values and app.screen.state.evidence
        assert app.screen.load_of()["model"] == "Qwen/Qwen2.5-32B"
        told = app.screen.tell("diagnose.files.example_gone", shortcut=app.screen.pressed("undo"))
        assert [one.message for one in app._notifications] == [told]


@pytest.mark.parametrize("lang", LANGS)
async def test_a_log_beside_an_old_form_is_told_in_one_line_with_the_key_that_empties_it(
    tmp_path: Path, lang: Lang
) -> None:
    log = tmp_path / "server.log"
    log.write_text(LOG)
    async with diagnoser(tmp_path, lang, (80, 24)) as (app, pilot):
        await paste(pilot, str(log))
        await answered(pilot)
        await pilot.press("escape")
        await answered(pilot)
        app.screen.state.illustrate({"gpu": "H100 SXM 80GB", "prompt": "3000"})
        app.screen.take(app.screen.state.values)
        await answered(pilot)
        card = Speech(lang).field("gpu")
        told = app.screen.tell("diagnose.files.left_example", names="", shortcut="alt+n").partition(":")[0]
        assert told in flat(app) and card in flat(app).partition(told)[2] and "alt+n" in flat(app)
        await pilot.press("tab")
        assert told in flat(app), "over the answer too"
        await pilot.press("tab", "alt+n")
        await answered(pilot)
        assert told not in flat(app) and not app.screen.state.values and app.screen.state.evidence
        assert app.screen.load_of()["model"] == "Qwen/Qwen2.5-32B", "the plan begins with the log's model"


# --- an empty field is no value --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_what_one_may_type_is_told_as_an_example_beside_what_counts(lang: Lang) -> None:
    begin = {"en": "e.g. ", "hi-Latn": "jaise "}[lang]
    report = doors.diagnose(1, {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB"})
    for outcome in (doors.Outcome(0), report):
        for name in ("model", "gpu", "gpus", "concurrency", "prompt"):
            state = FormState(current=name)
            row = next(
                one for one in rows.rows(BY_NAME, [name], state, outcome, doors.Outcome(0), Speech(lang)) if one.name
            )
            assert row.hint.startswith((begin, "(")) and begin in row.hint and not row.value


# --- what can be pasted ----------------------------------------------------------------------------------------------


async def test_the_flag_of_a_lever_is_copied_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        for name, text in {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB", "engine": "vllm"}.items():
            app.screen.state.set(name, text)
        app.screen.take()
        await answered(pilot)
        copied: list[str] = []
        monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
        best = next(one for one in app.screen.report.levers if one.helps)
        await pilot.press("alt+v")
        await pilot.pause()
        assert copied == [typed.paste(best.flag)]
        assert any(copied[0] in one.message for one in app._notifications)
        other = next(one for one in app.screen.report.levers if one.helps and one.flag and one is not best)
        app.screen.show_pane("answer")
        app.screen.answer.go(f"lever:{other.id}")
        await pilot.press("p")
        assert copied[1:] == [typed.paste(other.flag)]


def test_what_is_pasted_has_no_engine_in_front_and_nothing_to_remove() -> None:
    assert typed.paste("vLLM --max-num-seqs 64") == "--max-num-seqs 64"
    assert typed.paste("--max-num-seqs 64, remove --enforce-eager") == "--max-num-seqs 64"
    assert typed.paste("remove --enforce-eager") == "" == typed.paste("")


async def test_the_first_lever_is_told_once(tmp_path: Path) -> None:
    async with diagnoser(tmp_path, size=(120, 60)) as (app, pilot):
        for name, text in {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB", "engine": "vllm"}.items():
            app.screen.state.set(name, text)
        app.screen.take()
        await answered(pilot)
        best, second = [one for one in app.screen.report.levers if one.helps][:2]
        ids = [row.id for row in app.screen.answer.rows]
        assert f"first:{best.id}" in ids and f"lever:{best.id}" not in ids and f"lever:{second.id}" in ids


async def test_the_form_is_kept_as_it_is_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnose_kept, "KEEPING", 0.01)
    file = tmp_path / "form.json"
    async with diagnoser(tmp_path) as (app, pilot):
        await answered(pilot)
        assert not file.exists()  # nothing was typed yet
        await paste(pilot, "llama-3.1-8b")
        await answered(pilot)
        await rest(0.2)
        assert keeping.recalled(file).values == {"model": "llama-3.1-8b"}  # what a killed app would find again
        file.unlink()
        await pilot.press("f2")
        await answered(pilot)
        await rest(0.2)
        assert not file.exists()  # the same is not written again
        await given(pilot, LOG)
        await answered(pilot)
        await rest(0.2)
        assert state(app).evidence is not None
        assert not file.exists() or "61.0" not in file.read_text()
