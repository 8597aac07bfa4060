"""The diagnoser's keys: what Enter takes, where a page leads, what is kept, and what happens when the engine fails."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path

import pytest
from textual.widgets import Input

from content.lang import Lang
from engine.diagnosis.fields import BY_NAME
from tests.tutor import diagnosis_report as built
from tests.tutor.frames import column, flat, frame, make_app, paste, settle
from tests.tutor.test_diagnose_screen import answered, diagnoser, fill, on
from tutor.diagnoser import doors, keeping, result_steps, rows, search
from tutor.diagnoser.form import FormState
from tutor.diagnoser.presets import values
from tutor.diagnoser.speech import Speech
from tutor.figures import roof as roofline
from tutor.progress import memory_progress
from tutor.screens.diagnose import DiagnoseScreen
from tutor.screens.plan import PlanPanel
from tutor.widgets import ledger_bar
from tutor.widgets.lines import Lines


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Answers made by hand, unless a test wants the engine."""
    if "engine" not in request.fixturenames:
        monkeypatch.setattr(doors, "diagnose", built.diagnose)
        monkeypatch.setattr(doors, "apply", built.apply)


@pytest.fixture
def engine() -> None:
    """For a test that wants the engine's own answers."""


# --- typing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "typed", "taken"),
    [
        ("gpu", "4090", "RTX 4090"), ("gpu", "l40s", "L40S"), ("gpu", "h100", ""), ("model", "70b", ""),
        ("format", "aw", "awq"), ("model", "qwen2.5-7b", "Qwen2.5-7B"), ("model", "my own model", ""), ("gpu", "", ""),
    ],
)  # fmt: skip
def test_one_name_is_meant_or_none(kind: str, typed: str, taken: str) -> None:
    assert search.meant(kind, (), typed) == taken


async def test_enter_takes_the_only_name_and_escape_leaves_what_is_typed(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        screen = app.screen
        screen.to_field("link")
        await paste(pilot, "nvl")
        await pilot.press("enter")
        assert screen.state.values["link"] == "nvlink" and screen.state.current != "link"
        screen.to_field("weights")
        await paste(pilot, "aw")
        await settle(pilot)
        await pilot.press("escape", "enter")
        assert screen.state.values["weights"] == "aw"


async def test_undo_to_an_empty_form_gives_it_the_keys(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await pilot.press("f3")
        await settle(pilot)
        await pilot.press("enter")
        await answered(pilot)
        assert app.screen.form.line.cursor_position == len(app.screen.form.line.value)
        await pilot.press("tab")
        assert app.screen.in_answer
        await pilot.press("u")
        await answered(pilot)
        assert isinstance(app.focused, Input)
        await pilot.press("q")
        await answered(pilot)
        assert app.screen.state.values == {"model": "q"}


async def test_a_page_key_takes_the_cursor_along(tmp_path: Path) -> None:
    async with diagnoser(tmp_path, size=(80, 24)) as (app, pilot):
        await fill(pilot)
        await pilot.press("tab", "pagedown")
        await settle(pilot)
        lines = app.screen.query_one("#result", Lines)
        assert lines.cursor > 3 and "▸" in frame(app)
        for _ in range(8):
            await pilot.press("pagedown")
        await settle(pilot)
        assert lines.current == lines.rows[max(n for n, row in enumerate(lines.rows) if row.id)].id
        for _ in range(10):
            await pilot.press("pageup")
        assert lines.current == "wall"


async def test_a_file_that_is_not_there_is_named_as_such_and_lines_pasted_stay_apart(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await paste(pilot, "out of memory.\rTried to\r\nallocate")
        assert app.screen.form.line.value == "out of memory. Tried to allocate"
        await pilot.press("f3")
        await settle(pilot)
        assert "enter fill the form" in frame(app)
        await paste(pilot, "no/such.json")
        await settle(pilot)
        assert "There is no such file" in flat(app) and "fill the form" not in frame(app)


# --- what is kept ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("engine")
def test_what_a_lever_was_tried_with_is_kept() -> None:
    state = FormState(dict(values("too-large", "en")))
    before = doors.diagnose(1, state.given()).report
    assert before is not None
    flags = {one.id: one.flag for one in before.levers}
    assert "--max-model-len" in flags["w4a16"]
    for lever in ("w4a16", "raise-memory-utilization"):
        tried = doors.apply(lever, before)
        kept = FormState(dict(state.values))
        kept.change(tried.said_before, tried.said_after, [*BY_NAME])
        after = doors.diagnose(2, kept.given()).report
        assert after is not None and tried.after is not None
        assert (after.walls, after.ledger, after.timings) == (
            tried.after.walls,
            tried.after.ledger,
            tried.after.timings,
        )
        line = " ".join(doors.command(after.scenario))
        assert all(word in line for word in flags[lever].split() if word[0].isdigit()), line


async def test_a_name_typed_takes_the_place_of_the_one_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "text", lambda *_: "report\n")
    monkeypatch.chdir(tmp_path)
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        await pilot.press("f10")
        await settle(pilot)
        await pilot.press("backspace", "enter")
        await settle(pilot)
        assert "Type a name" in flat(app)
        await pilot.press("a", ".", "m", "enter")
        await settle(pilot)
        assert (tmp_path / "a.m").exists()
        assert str(tmp_path / "a.m") in [one.message for one in app._notifications][-1]


def test_a_form_waits_for_the_next_start(tmp_path: Path) -> None:
    file = tmp_path / "form.json"
    keeping.remember(file, FormState())
    assert not file.exists(), "an empty form leaves no file"
    keeping.remember(file, FormState({"model": "mine"}, {"read": {"a": 1}}))
    found = keeping.recalled(file)
    assert (found.values, found.rest) == ({"model": "mine"}, {"read": {"a": 1}})
    for text in ("", "[", "[]", '{"values": 1, "rest": {}}', '{"values": {"model": 1}, "rest": {}}'):
        file.write_text(text, encoding="utf-8")
        assert keeping.recalled(file).values == {}
    keeping.remember(Path("/dev/null/form.json"), FormState({"model": "mine"}))


async def test_quitting_keeps_the_form(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot, "mine")
        await pilot.press("tab", "q")
    file = memory_progress(tmp_path / "none.sqlite3").path.with_name("form.json")
    assert json.loads(file.read_text(encoding="utf-8"))["values"] == {"model": "mine"}
    async with diagnoser(tmp_path) as (app, _):
        assert app.screen.form.line.value == "mine"


# --- mistakes of ours ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("engine")
async def test_a_mistake_of_the_engine_is_a_sentence_and_the_form_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.diagnosis import judge

    monkeypatch.setenv("LLM_TUTOR_HOME", str(tmp_path))
    judged = judge.diagnose

    def broken(*_: object) -> None:
        raise NameError("usual_phase")

    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        app.screen.to_field("gpu")
        await fill(pilot, "H100 SXM 80GB")
        monkeypatch.setattr(judge, "diagnose", broken)
        assert doors.apply("w4a16", app.screen.report).problem is not None
        app.screen.to_field("prompt")
        await fill(pilot, "2k")
        said = column(app, "#told")
        assert "(NameError, tutor/" in said and "the values before" in said and (tmp_path / "crash.txt").exists()
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "NameError" in column(app, "#strip"), "under the form too"
        monkeypatch.setattr("content.diagnosing.explain.explain", broken)
        on(app, "ledger:weights")
        await pilot.press("e")
        await settle(pilot)
        assert "NameError" in flat(app), "in an explanation too"
        await pilot.press("escape")
        await settle(pilot)
        app.screen.show_pane("form")
        monkeypatch.setattr(judge, "diagnose", judged)
        await fill(pilot, "3k")
        assert "NameError" not in flat(app)
        assert app.screen.state.values == {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "prompt": "3k"}


# --- panels over panels ----------------------------------------------------------------------------------------------


async def test_panels_wait_below_help_and_the_plan_starts_from_the_form(tmp_path: Path) -> None:
    async with diagnoser(tmp_path) as (app, pilot):
        await fill(pilot)
        await pilot.press("alt+p")
        await settle(pilot)
        plan = app.screen
        assert isinstance(plan, PlanPanel)
        assert [plan._text(name) for name in ("model", "prompt", "output", "concurrency")] == [
            "llama-3.1-8b", "2048", "256", "64",
        ]  # fmt: skip
        await pilot.press("f1")
        await settle(pilot)
        said = flat(app)
        assert "the next line, the line before" in said and "In the diagnoser" not in said
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen is plan
        await pilot.press("escape", "f10", "x", "f1")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "Save" in frame(app).splitlines()[0] and app.focused is not None
        await pilot.press("escape")
        await settle(pilot)
        assert isinstance(app.screen, DiagnoseScreen)


async def test_the_plan_keeps_its_lines_while_the_app_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that were typed just before it was closed, and never came to be read."""
    monkeypatch.setattr("tutor.screens.plan.PAUSE", 3600.0)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("alt+p")
        await settle(pilot)
        await paste(pilot, "llama-3.1-8b")
        await settle(pilot)
        await pilot.press("escape", "alt+p")
        await settle(pilot)
        assert app.screen._text("model") == "llama-3.1-8b"


# --- what is shown ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("engine")
def test_a_models_own_numbers_stand_in_its_fields_and_no_log_is_invented() -> None:
    state = FormState({"model": "Llama-3.1-70B", "gpu": "H100 SXM 80GB"}, every=True)
    outcome, speech = doors.diagnose(1, state.given()), Speech("en")
    shown = {row.name: row.hint for row in rows.rows(BY_NAME, rows.shown(BY_NAME, state), state, outcome,
                                                     doors.Outcome(0), speech)}  # fmt: skip
    assert shown["context"] == "(131,072)" and shown["layers"] == "(80)" and shown["weights"] == "(bf16)"
    assert outcome.report is not None and outcome.report.ledger is not None
    ledger = outcome.report.ledger
    told = {speech.origin(one, outcome.report) for one in (*ledger.entries, ledger.card)}
    assert ledger.card.origin == "log" and "your log" not in told


def test_bars_that_are_compared_have_one_scale() -> None:
    parts = [[ledger_bar.Share("weights", F(size))] for size in (141, 72)]
    whole = max(ledger_bar.extent(one, F(85)) for one in parts)
    drawn = [ledger_bar.bar(one, F(85), 80, whole=whole).plain for one in parts]
    assert len(drawn[0]) == 80 and drawn[0].rindex("│") == drawn[1].rindex("│"), "the card is as long in both"
    assert drawn[0].count("W") > 1.8 * drawn[1].count("W")


@pytest.mark.parametrize("width", [24, 40, 64])
@pytest.mark.parametrize("peak", [165, 312, 989])
def test_no_point_stands_in_a_label(width: int, peak: int) -> None:
    for x in (F(1), F(60), F(900), F(5000)):
        points = (roofline.Point("D", x, F(peak * 10**12, 3)), roofline.Point("P", F(2000), F(peak * 10**12 * 6, 7)))
        roof = roofline.Roof(F(10**12), F(peak * 10**12), points)
        words = (f"{peak} TFLOP/s", "1.01 TB/s", "ridge")
        text = "\n".join(line.plain for line in roofline.draw(roof, width, roofline.Words(*words)).all)
        for label in words:
            place = text.find(label)
            assert place >= 0, (label, text)
            assert text[place - 1] in " \n└│┤" and not text[place - 1].isalpha(), text


@pytest.mark.parametrize(("lang", "one"), [("en", "of one of the 4 cards"), ("hi-Latn", "4 mein se ek card ki")])
def test_under_the_roofline_stands_what_each_point_is(lang: Lang, one: str) -> None:
    def told(cards: int, width: int) -> list[str]:
        made = built.report()
        assert made.timings.setup is not None
        timings = made.timings._replace(setup=made.timings.setup._replace(tp=cards))
        made = replace(made, timings=timings)
        lines = result_steps.roof(doors.Outcome(1, made, doors.roof(timings)), Speech(lang))
        assert [line.id for line in lines if line.id] == [
            "roofline", "roof:decode", "roof:measured_point", "roof:prefill",
        ]  # fmt: skip
        return [row.plain for line in lines for row in (line.draw(width) if line.draw else ())]

    text = told(1, 76)
    assert next(row for row in text if row.startswith("   D ")).split()[2:6] == ["31.1", "FLOP/byte", "81.6", "TFLOP/s"]
    assert any(row.startswith("   P ") and "1941 FLOP/byte" in row for row in text)
    assert one not in "".join(text) and one in "".join(told(4, 76))
    assert all(len(row) <= width for width in (40, 76) for row in told(4, width))


def test_a_number_keeps_its_unit_however_narrow_it_is() -> None:
    one = ledger_bar.Entered("non-torch", "PyTorch ke bahar, aur kuch", "268 MB", "", "")
    made = [line.plain for line in ledger_bar.entry(one, (26, 7, 0), 30)]
    assert len(made) == 2 and made[1].endswith("268 MB") and all(len(line) <= 30 for line in made)


def test_neither_a_folder_nor_a_device_is_written_over(tmp_path: Path) -> None:
    for target in (str(tmp_path), "/dev/null"):
        for over in (False, True):
            with pytest.raises(OSError, match=r"directory|Invalid"):
                keeping.write(target, "x", over=over)
