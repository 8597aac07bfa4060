"""The probe in words: every id of the program, the logic and the parent has them; numbers are right."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content import probing
from content import words as say
from content.files import ROOT, shipped
from content.lang import LANGS, Lang
from content.probing import report, words
from content.validate.source import Folder
from content.validate.wording import _file
from engine import catalog
from engine.precision import FORMATS
from engine.probe.classify import FACTORS
from engine.probe.gather import gathered
from engine.probe.model import LABELS, Change, LeverId, Reason, Result, Workload
from engine.probe.readings import STAGES, Ended, Note, Run
from engine.probe.result import judge
from engine.steps import Setup

HOUSE = Path(ROOT).parent
RECORDS = HOUSE / "tests" / "engine" / "data" / "probe"
NAMES = sorted(file.stem for file in RECORDS.glob("*.jsonl"))
CHILD = ("killed", "crashed", "torch-broken", "timeout", "hung", "unreadable", "silent")
WITHOUT = ("no-model", "cannot-size", "moe", "mla", "hybrid", "uneven", "sliding-window", "shared-kv")


def events(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


@lru_cache(maxsize=32)
def result(name: str) -> Result:
    return judge(gathered(events(name)))


@lru_cache(maxsize=4)
def own(name: str = "fake-card") -> Result:
    """A run with a workload of a model."""
    setup = Setup(catalog.model("llama-3.1-8b"), catalog.gpu("H200 SXM"), FORMATS["bf16"])
    return judge(gathered(events(name)), None, Workload(setup, 8, 4096, 512))


def calls(folder: Path, *names: str) -> Iterator[ast.Call]:
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
                yield node


def constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def notes() -> set[str]:
    """Ids of notes: the program's, and the logic's."""
    program, logic = HOUSE / "engine" / "probe" / "program", HOUSE / "engine" / "probe"
    found = {text for call in calls(program, "note") for text in constants(call.args[0])}
    for call in calls(program, "event"):
        if call.args and "note" in constants(call.args[0]):
            found |= {text for word in call.keywords if word.arg == "id" for text in constants(word.value)}
    return found | {text for call in calls(logic, "Note") if call.args for text in constants(call.args[0])}


# --- ids -------------------------------------------------------------------------------------------------------------


def test_every_stage_has_words() -> None:
    for stage in STAGES:
        for lang in LANGS:
            assert words.stage(stage, lang) != stage


def test_every_note_has_a_sentence_that_needs_no_value() -> None:
    found = notes() - {""}
    assert len(found) > 15
    for id in found:
        for lang in LANGS:
            text = words.note(Note(id, {}), lang)
            assert text.endswith("."), id
            assert "{" not in text
            assert text != words.note(Note("no-such-note", {}), lang).replace("no-such-note", id), id


def test_the_program_gives_what_a_note_asks_for() -> None:
    given_names: dict[str, set[str]] = {}
    for call in calls(HOUSE / "engine" / "probe" / "program", "note"):
        for id in constants(call.args[0]):
            given_names.setdefault(id, set()).update(word.arg or "" for word in call.keywords)
    assert len(given_names) > 10
    for id, names in given_names.items():
        asked = set(say.placeholders(say.text(f"probe.note.{id}.text")["en"]))
        assert asked <= names, (id, asked - names)


def test_every_failure_has_words() -> None:
    program = HOUSE / "engine" / "probe" / "program"
    ids = {text for call in calls(program, "Failure", "_failed") for arg in call.args for text in constants(arg)}
    ids = {text for text in ids if re.fullmatch(r"[a-z-]+", text)} | set(CHILD)
    assert len(ids) > 8
    for id in ids:
        for lang in LANGS:
            assert say.has(f"probe.failed.{id}.text"), id
            for detail in ("", "SIGSEGV"):
                assert words.failed(id, detail, lang).endswith((".", "?")), id


def test_labels_reasons_and_levers_have_words() -> None:
    for lang in LANGS:
        assert len({words.label(label, lang) for label in LABELS}) == len(LABELS)
        assert all(words.label_text(label, lang).endswith(".") for label in LABELS)
        for id in (*FACTORS, "drift"):
            text = words.reason(Reason(id, 0.5, {"share": 0.12, "times": 1.2, "format": "awq"}), lang)
            assert text not in ("", id)
            assert "{" not in text
        assert all(words.lever(lever, lang) not in (lever, "") for lever in get_args(LeverId))


def test_what_forbids_a_verdict_or_a_knee_has_words() -> None:
    other = {lang: words.no_knee("no-such", lang) for lang in LANGS}
    for lang in LANGS:
        assert all(words.no_knee(id, lang) != other[lang] for id in ("no-flat", "few-points", "disagree"))
        for id in ("slow-memory", "busy", "failed", "few-points"):
            assert say.has(f"probe.blocked.{id}")
        assert words.blocked("no-such", lang).endswith(".")
        assert all(words.without(id, lang).endswith(".") for id in WITHOUT)
        assert words.without("", lang) == ""


def test_changes_have_names() -> None:
    for name in ("bandwidth", "bf16", "fp8", "int8", "knee", "kv", "prefill", "floor"):
        for lang in LANGS:
            label, value, sign = words.change(Change(name, 100.0, 110.0), lang)
            assert label != name or name in ("knee", "prefill")
            assert "→" in value
            assert sign == "+10.0 %"


def test_every_reason_why_a_python_is_no_use_has_words() -> None:
    from tutor.probing.pythons import Why

    assert all(words.python(why, lang) for why in get_args(Why) for lang in LANGS)


def test_the_words_are_as_this_house_writes() -> None:
    folder = Folder(ROOT)
    source = folder.source("words/probe.toml")
    assert source is not None
    _file(source)
    assert [(one.line, one.reason, one.params) for one in folder.problems] == []


def test_both_languages_are_there_and_differ_where_they_are_sentences() -> None:
    def leaves(table: Any) -> Iterator[dict[str, str]]:
        if isinstance(table.get("en"), str):
            yield table
        else:
            for one in table.values():
                yield from leaves(one)

    pairs = list(leaves(shipped("words/probe.toml")))
    assert len(pairs) > 120
    for one in pairs:
        assert one.keys() == {"en", "hi-Latn"}
        if one["en"].endswith("."):
            assert one["en"] != one["hi-Latn"], one


# --- what another process wrote --------------------------------------------------------------------------------------

odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
NAMED = "share free what stage pids reasons noise k of detail dtype clock max batch context version".split()
PARAMS = st.dictionaries(st.sampled_from(NAMED), odd, max_size=6)


@given(st.deferred(lambda: st.sampled_from(sorted(notes()))), PARAMS, st.sampled_from(LANGS))
def test_a_note_with_any_values_is_one_printable_sentence(id: str, params: dict[str, Any], lang: Lang) -> None:
    for note in words.together((Note(id, params), Note(id, params))):
        text = words.note(note, lang)
        assert text.isprintable()
        assert len(text) < 2500


ANY = st.text(max_size=40) | st.sampled_from(["other", "text", "en", "no-gpu.text", "."])


@given(ANY, st.text(max_size=300), st.sampled_from(LANGS))
def test_any_failure_is_one_printable_sentence(id: str, detail: str, lang: Lang) -> None:
    assert words.failed(id, detail, lang).isprintable()
    assert words.note(Note(id, {}), lang).isprintable()
    assert words.reason(Reason(id, 0.5, {}), lang).isprintable()
    assert words.blocked(id, lang) and words.no_knee(id, lang)
    assert words.ended(Ended(id, 1.0, {}), lang).isprintable()


def test_notes_of_one_kind_are_one_sentence() -> None:
    made = words.together((
        Note("noisy", {"what": "copy", "noise": 0.12}), Note("no-gpu", {}), Note("noisy", {"what": "kv", "noise": 0.5}),
        Note("noisy", {"what": "kv", "noise": 0.2}),
    ))  # fmt: skip
    assert [words.note(one, "en") for one in made] == [
        "copying, KV cache: readings scatter by up to 50 %, measured twice.",
        "No GPU found. These are the same steps on the processor, to show the shape.",
    ]


# --- the report ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("lang", LANGS)
def test_a_report_keeps_to_its_width(name: str, lang: Lang) -> None:
    for width in (40, 60, 78, 100, 140):
        made = probing.lines(result(name), lang, width)
        assert max(map(len, made)) <= width
        assert all(line.isprintable() and line == line.rstrip() for line in made)
        assert not re.search(r"\{\w+\}", "\n".join(made))


def test_the_numbers_of_a_report_are_those_of_the_result() -> None:
    found, text = result("fake-card"), "\n".join(probing.lines(result("fake-card"), "en", 140))
    of = found.ceilings
    assert of.bandwidth is not None
    assert f"{of.bandwidth.rate / 1e12:.2f} TB/s  copying; 87 % of 4.8 TB/s on the data sheet" in text
    assert f"{of.products['bf16'].rate / 1e12:.0f} TFLOP/s" in text
    assert found.knee is not None
    assert f"{found.knee.batch:.0f} tokens  {found.knee.low:.0f} to {found.knee.high:.0f}" in text
    assert found.case is not None
    ratio = found.case.decode.measured / found.case.decode.ceilings
    assert f"ratio {ratio:.2f}." in text
    for spot in found.curve:
        assert re.search(rf"b={spot.batch} .*{words.label(spot.label, 'en')}$", text, re.MULTILINE)


def test_the_curve_is_flat_then_rises_and_shows_its_knee() -> None:
    found = result("fake-card")
    (curve,) = (one for one in probing.sections(found, "en") if one.name == "curve")
    bars = [line.count("#") for line in curve.drawn if line.startswith("b=")]
    assert bars == sorted(bars)
    assert bars[0] == bars[4] < bars[-1]
    assert found.knee is not None
    place = next(place for place, line in enumerate(curve.drawn) if "^" in line)
    before, after = (int(curve.drawn[at].split()[0].removeprefix("b=")) for at in (place - 1, place + 1))
    assert before <= found.knee.batch < after
    assert all(line.isascii() for line in curve.drawn)
    (without,) = (one for one in probing.sections(found, "en", drawn=False) if one.name == "curve")
    assert (without.drawn, without.texts[-1]) == ((), curve.texts[-1])


def test_the_workload_of_a_model_is_told_with_levers_and_both_witnesses() -> None:
    text = "\n".join(probing.lines(own(), "en", 140))
    assert "of 32 layers ran" in text
    assert "Memory-bound, confidence" in text
    assert "Both checks agree." in text
    assert "of 32 layers ran; the whole step is scaled from them." in text
    assert "4-bit weights (W4A16)" in text
    assert "step = fixed time + max(" in text


def test_layers_that_stood_in_for_the_models_are_no_case_of_the_readers() -> None:
    found = own()
    assert found.run.plan is not None
    made = replace(found, run=replace(found.run, plan=found.run.plan._replace(origin="case")))
    assert "Your case: batch 8" in "\n".join(probing.lines(made, "en", 140))
    text = " ".join("\n".join(probing.lines(found, "en", 140)).split())
    assert "A step of the probe's own stack: batch 8" in text
    assert "smaller layers stood in for the model's." in text


def test_a_step_that_stands_for_no_model_is_not_called_whole() -> None:
    text = "\n".join(probing.lines(result("fake-card"), "en", 140))
    assert "A step of the 4 layers that ran takes about" in text
    assert "whole step" not in text


def test_a_demonstration_says_that_it_is_one() -> None:
    name = next(one for one in NAMES if result(one).run.demonstration)
    for lang, sentence in (("en", "does not apply to a GPU"), ("hi-Latn", "GPU par lagu nahi")):
        text = " ".join(" ".join(probing.lines(result(name), lang, 100)).split())  # type: ignore[arg-type]
        assert sentence in text
    assert probing.document(result(name))["demonstration"] is True
    assert probing.document(result("fake-card"))["demonstration"] is False


def test_changes_beside_an_earlier_run() -> None:
    changes = (Change("bandwidth", 4e12, 3e12), Change("knee", 200, 201), Change("int8", 1e15, 1.2e15))
    text = "\n".join(probing.lines(result("fake-card"), "en", 100, changes, "2026-01-02T03:04:05Z"))
    assert "Beside the run of 2026-01-02 03:04 UTC" in text
    assert re.search(r"memory +4 TB/s → 3 TB/s +-25\.0 %", text)
    assert "1000 TOP/s → 1200 TOP/s" in text
    assert "201" not in text, "half a percent is no change"
    text = "\n".join(probing.lines(result("fake-card"), "en", 100, changes[1:2], "2026-01-02T03:04:05Z"))
    assert "no change over 2 %" in text


def test_a_run_that_was_cut_says_what_it_has() -> None:
    told = events("fake-card")
    for count in range(0, len(told), 3):
        found = judge(gathered(told[:count]))
        for lang in LANGS:
            assert probing.lines(found, lang, 80)
            json.dumps(probing.document(found), allow_nan=False)


def test_nothing_at_all_is_a_sentence() -> None:
    assert "Nothing was measured." not in probing.lines(result("fake-card"), "en")
    empty = judge(Run())
    made = [line for line in probing.lines(empty, "en") if line]
    assert len(made) <= 4
    assert any("too little was measured" in line for line in made)


def test_a_failure_stands_in_the_report_and_a_blocked_run_gets_no_verdict() -> None:
    failed = judge(gathered([*events("fake-card")[:3], {"event": "failed", "id": "crashed", "detail": "SIGSEGV"}]))
    assert "The measuring process crashed (SIGSEGV)" in "\n".join(probing.lines(failed, "en", 140))
    slow = replace(result("fake-card"), blocked="slow-memory")
    text = "\n".join(probing.lines(slow, "en", 140))
    assert "No verdict" in text
    assert "confidence" not in text


@pytest.mark.parametrize("name", NAMES)
def test_the_document_is_json_with_everything(name: str) -> None:
    made = probing.document(result(name), at="2026-01-02T03:04:05Z", asked={"device": "auto"})
    again = json.loads(json.dumps(made, allow_nan=False))
    assert again == made
    for key in (
        "device",
        "software",
        "ceilings",
        "curve",
        "knee",
        "verdict",
        "case",
        "notes",
        "changes",
        "demonstration",
    ):
        assert key in made
    assert made["text"].keys() == {"en", "hi-Latn"}
    assert made["text"]["en"] == "\n".join(probing.lines(result(name), "en"))


def test_the_documents_levers_have_the_diagnosers_ids() -> None:
    from engine.diagnosis.acting.levers import LEVERS

    case = probing.document(own())["case"]
    assert case["model"] == catalog.model("llama-3.1-8b").id
    assert {one["id"] for one in case["levers"]} <= LEVERS.keys()
    assert {one["per"] for one in case["levers"] if one["id"] != "raise-concurrency"} == {"step"}


def test_text_of_a_device_is_never_obeyed() -> None:
    told = [
        {**event, "name": "H200\x1b[31m{free}[bold]"} if event["event"] == "device" else event
        for event in events("fake-card")
    ]
    head = probing.lines(judge(gathered(told)), "en", 140)[0]
    assert head.startswith("H200[31m{free}[bold] - ")


# --- honest about itself ---------------------------------------------------------------------------------------------


def noted(name: str, **params: Any) -> Result:
    told = events("h200")
    return judge(gathered([*told[:3], {"event": "note", "id": name, **params}, *told[3:]]))


@pytest.mark.parametrize("lang", LANGS)
def test_a_starved_processors_numbers_are_not_shown(lang: Lang) -> None:
    found = {one.name for one in report.sections(noted("cpu-contention", share=0.3), lang)}
    assert found == {"head", "notes"}


@pytest.mark.parametrize("lang", LANGS)
def test_the_short_form_says_what_makes_its_numbers_too_low(lang: Lang) -> None:
    told = probing.brief(noted("others-on-card", pids=[4242]), lang)
    assert any("4242" in text for text in told.texts)
    assert not any("4242" in text for text in probing.brief(result("h200"), lang).texts)


def test_the_short_form_gives_the_whole_step() -> None:
    of = own()
    assert of.case is not None and of.case.workload.setup is not None
    (row,) = (row for row in probing.brief(of, "en").rows if row.label == "your decode step")
    assert row.value == words.seconds(of.case.step_seconds, "en")
    assert f"of {of.case.workload.setup.model.layers}, scaled" in row.note


def test_all_rates_lower_by_as_much_are_one_cause() -> None:
    def lower(*shares: float) -> tuple[Change, ...]:
        names = ("bandwidth", "bf16", "kv", "prefill")
        return tuple(Change(name, 100.0, 100.0 * share) for name, share in zip(names, shares, strict=True))

    said = say.say("probe.report.changes_alike", "en")
    for changed, alike in ((lower(0.77, 0.78, 0.76, 0.77), True), (lower(0.77, 0.99, 0.98, 0.97), False),
                           (lower(1.3, 1.3, 1.3, 1.3), False)):  # fmt: skip
        (section,) = (one for one in report.sections(result("h200"), "en", changed, "2026-01-02T03:04:05Z")
                      if one.name == "changes")  # fmt: skip
        assert (said in section.texts) is alike


def test_without_anything_to_set_beside_the_earlier_run_that_is_said() -> None:
    (section,) = (one for one in report.sections(result("h200"), "en", (), "2026-01-02T03:04:05Z")
                  if one.name == "changes")  # fmt: skip
    assert "2026-01-02 03:04" in section.texts[0] and not section.rows


def test_what_is_fixed_in_attention_stands_beside_what_is_fixed_in_the_matrices() -> None:
    of = result("h200")
    assert of.ceilings.kv_fixed
    (row,) = (row for section in report.sections(of, "en") for row in section.rows if row.label == "fixed time")
    assert words.seconds(of.ceilings.kv_fixed, "en") in row.note


def test_the_last_line_is_the_verdict() -> None:
    assert probing.lines(result("h200"), "en")[-1] == "In short: memory-bound, confidence 97 %."
    assert "In short" not in "\n".join(probing.lines(result("zen4"), "en")), "no verdict from a processor"
