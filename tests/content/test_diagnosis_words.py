"""The diagnoser in words: every id of the engine has them, numbers are right, and what was read stays text."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content import course, diagnosis, words
from content.diagnosing import blocks
from content.diagnosing import words as pieces
from content.diagnosing.markdown import escaped
from content.diagnosing.working import work
from content.files import ROOT, shipped
from content.lang import LANGS, Lang
from content.validate.source import Folder
from content.validate.texts import pairs
from content.validate.wording import _file
from engine.artefacts import evidence
from engine.artefacts.evidence import Evidence
from engine.diagnosis import fields, judge, questions, scenario
from engine.diagnosis.acting import levers, measures, preconditions
from engine.diagnosis.causes import CAUSES
from engine.diagnosis.fields import BY_NAME, FIELDS, PROBLEMS, TABLES, ScenarioProblem
from engine.diagnosis.model import (
    DETAILS,
    PHASES,
    WALLS,
    Amount,
    Assumed,
    Conflict,
    Effect,
    Experiment,
    Finding,
    Key,
    LeverResult,
    Origin,
    Question,
    Report,
    Timings,
    Unread,
    WallShare,
)
from engine.diagnosis.written import NOT_READ
from engine.roofline import PARTS

ENGINE = Path(ROOT).parent / "engine"
DIAGNOSIS = ENGINE / "diagnosis"


CASE = ("case.py", "placement.py", "space.py", "told.py")
"""Files that take things for granted."""


def has(key: str) -> bool:
    return words.has(f"diagnosis.{key}")


def spoken(base: str) -> bool:
    """Whether an id has a sentence that needs no value, so that something can always be said."""
    keys = [f"diagnosis.{base}{tail}" for tail in ("", ".bare", ".less", ".text")]
    always = {"field"}
    return any(words.has(key) and set(words.placeholders(words.text(key)["en"])) <= always for key in keys)


# --- ids -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every node of the diagnoser's engine with its file."""
    files = sorted(DIAGNOSIS.rglob("*.py"))
    return tuple(
        (str(file.relative_to(DIAGNOSIS)), node)
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call | ast.Dict | ast.Assign)
    )


def calls(*names: str) -> Iterator[ast.Call]:
    """Every call of these names."""
    for _, node in nodes():
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
            yield node


def constants(node: ast.expr) -> Iterator[str]:
    """The texts that an argument can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def argument(names: tuple[str, ...], place: int) -> set[str]:
    found = (call.args[place] for call in calls(*names) if len(call.args) > place)
    return {text for node in found for text in constants(node)}


def test_the_verdict_has_words() -> None:
    assert [phase for phase in PHASES if not (has(f"phase.{phase}.name") and has(f"phase.{phase}.text"))] == []
    for wall in WALLS:
        assert all(has(f"wall.{wall}.{piece}") for piece in ("name", "short", "text")), wall
    assert [one for one in DETAILS if not (has(f"detail.{one}.name") and has(f"detail.{one}.text"))] == []
    assert [one for one in get_args(Origin) if not has(f"origin.{one}")] == []


def test_every_cause_can_be_said_without_any_value() -> None:
    assert len(CAUSES) > 30
    assert [cause.id for cause in CAUSES if not spoken(f"cause.{cause.id}")] == []


def test_causes_ask_only_for_values_that_the_engine_gives() -> None:
    given_names = {keyword.arg for call in calls("numbers", "dict") for keyword in call.keywords}
    tables = (node for file, node in nodes() if file.startswith("causes") and isinstance(node, ast.Dict))
    given_names |= {key.value for table in tables for key in table.keys if isinstance(key, ast.Constant)}
    for cause in CAUSES:
        for variant in ("text", "less"):
            key = f"diagnosis.cause.{cause.id}.{variant}"
            asked = set(words.placeholders(words.text(key)["en"])) if words.has(key) else set()
            assert asked <= given_names, (key, asked - given_names)


def test_no_cause_has_words_that_the_engine_lacks() -> None:
    spare = {"at-the-knee"}  # batch-math says it until the two are told apart
    assert set(shipped("words/diagnosis.toml")["cause"]) - {cause.id for cause in CAUSES} <= spare


def test_every_experiment_has_words() -> None:
    wanted = {cause.experiment[0] for cause in CAUSES if cause.experiment[0]}
    assert [name for name in sorted(wanted) if not spoken(f"experiment.{name}")] == []


def test_every_lever_has_words() -> None:
    assert len(levers.LEVERS) > 35
    for name in levers.LEVERS:
        assert all(has(f"lever.{name}.{piece}") for piece in ("name", "text", "need")), name
        clause = words.text(f"diagnosis.lever.{name}.need")
        assert not any(clause[lang].endswith(".") for lang in LANGS), name


def test_short_names_are_short() -> None:
    for group in ("wall", "ledger", "part", "measure"):
        for name in shipped("words/diagnosis.toml")[group]:
            assert all(len(words.say(f"diagnosis.{group}.{name}.short", lang)) <= 13 for lang in LANGS), (group, name)


def test_names_of_levers_fit_a_narrow_screen() -> None:
    for name in levers.LEVERS:
        assert all(len(words.say(f"diagnosis.lever.{name}.name", lang)) <= 42 for lang in LANGS), name


def test_every_lever_that_causes_name_is_one() -> None:
    named = {lever for cause in CAUSES for lever in (*cause.levers, *cause.useless)}
    assert named <= levers.LEVERS.keys()


def test_every_warning_and_reason_has_words() -> None:
    lacking = [one for one in levers.WARNINGS if not (has(f"lever.{one}.warning") or spoken(f"warning.{one}"))]
    assert lacking == []
    assert [why for why in preconditions.REASONS if not spoken(f"why.{why}")] == []


def test_every_measure_and_part_has_a_name() -> None:
    assert [name for name in measures.MEASURES if not has(f"measure.{name}.name")] == []
    assert [part for part in PARTS if not has(f"part.{part}.name")] == []


def test_every_question_says_what_and_why() -> None:
    for rule in questions.RULES:
        for lang in LANGS:
            ask, why = blocks.question_words(Question(rule.input, rule.why), lang)
            assert ask.rstrip(" .)").endswith("?") or "?" in ask
            assert why.endswith(".") and why != words.say("diagnosis.question.other.why", lang), rule.input


def test_every_input_has_a_label_and_its_group_too() -> None:
    names = [one.name for one in FIELDS]
    for name in (*names, *TABLES):
        assert has(f"field.{name}.name") and has(f"field.{name}.short") and has(f"field.{name}.about"), name
        assert all(len(words.say(f"diagnosis.field.{name}.short", lang)) <= 12 for lang in LANGS), name
        assert all(len(words.say(f"diagnosis.field.{name}.name", lang)) <= 30 for lang in LANGS), name
    assert [group for group in {one.group for one in FIELDS} if not has(f"group.{group}")] == []
    assert [name for name in names if BY_NAME[name].group != "settings" and not has(f"field.{name}.example")] == []


def test_every_problem_and_everything_unread_has_words() -> None:
    assert [reason for reason in PROBLEMS if not spoken(f"problem.{reason}")] == []
    reasons = set(NOT_READ) | argument(("Unread",), 2) | argument(("NotRead",), 0)
    reasons |= {text for call in calls("Cards", "Named") for k in call.keywords if k.arg == "unread"
                for text in constants(k.value)}  # fmt: skip
    lacking = [one for one in sorted(reasons) if one and not (has(f"unread.{one}") or has(f"unread.{one}.text"))]
    assert lacking == []


def test_every_assumption_has_a_reason_in_words() -> None:
    reasons = argument(("_assume", "Assumed"), 2)
    for file, node in nodes():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "why" and file in CASE:
            reasons |= set(constants(node.value))
    assert len(reasons) > 10
    assert [one for one in sorted(reasons) if not has(f"assumed.{one}")] == []


def test_names_of_what_is_assumed_are_known() -> None:
    for name in argument(("_assume", "Assumed"), 0):
        for lang in LANGS:
            title = blocks.assumed_words(Assumed(name, 1, "other"), lang)[0]
            assert title != name or name in ("prompt", "output", "link"), name


def test_the_words_are_as_this_house_writes() -> None:
    folder = Folder(ROOT)
    source = folder.source("words/diagnosis.toml")
    assert source is not None
    _file(source)
    assert [(one.line, one.reason, one.params) for one in folder.problems] == []


def test_sentences_are_of_like_length_in_both_languages() -> None:
    for pair in pairs(shipped("words/diagnosis.toml")):
        if len(pair.text.en) > 40:
            assert 0.6 <= len(pair.text.hi) / len(pair.text.en) <= 1.8, pair.path


def test_lead_ins_end_and_clauses_do_not() -> None:
    table = shipped("words/diagnosis.toml")
    for group in ("cause", "experiment", "problem"):
        for name, entry in table[group].items():
            for variant, text in entry.items():
                assert all(text[lang].endswith((".", "?")) for lang in LANGS), (group, name, variant)
    for group in ("unread", "assumed"):
        assert all(not text[lang].endswith(".") for text in table[group].values() if "en" in text for lang in LANGS)


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (16060522496, "bytes", "16.1 GB"),
        (131072, "bytes", "131 KB"),
        (500, "bytes", "500 bytes"),
        (Fraction(3, 2) * 10**12, "bytes", "1.5 TB"),
        (2 * 2**30, "GiB", "2 GiB"),
        (Fraction(127, 10**4), "s", "12.7 ms"),
        (Fraction(146, 10), "s", "14.6 s"),
        (Fraction(992, 10**6), "s", "0.992 ms"),
        (Fraction(8, 10**6), "s", "8 us"),
        (Fraction(9707, 10**4), "%", "97.1 %"),
        (64, "requests", "64 requests"),
        (1, "requests", "1 request"),
        (448320, "tokens", "448,320 tokens"),
        (0, "bytes", "0 bytes"),
        (-3 * 10**9, "bytes", "-3 GB"),
    ],
)
def test_amounts_are_shown_in_a_unit_that_fits(value: Any, unit: str, shown: str) -> None:
    assert diagnosis.quantity(Fraction(value), unit, "en") == shown


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("batch", 16, "16 requests"),
        ("max_len", 32768, "32,768 tokens"),
        ("max_len", Amount(Fraction(4096), "tokens"), "4096 tokens"),
        ("cards", 1, "1 card"),
        ("left", 3, "3"),
        ("knee", Amount(Fraction(295), "none"), "295 requests"),
        ("link", "PCIe 4.0 x16", "PCIe 4.0 x16"),
        ("wall", Key("wall.compute"), "compute"),
        ("eager", True, "on"),
        ("chunked_prefill", "false", "off"),
        ("x", None, "not known"),
    ],
)
def test_parameters_get_the_noun_of_what_they_count(name: str, value: Any, shown: str) -> None:
    assert pieces.shown(value, "en", name) == shown


def test_the_ledger_reads_in_columns() -> None:
    assert [pieces.gb(Fraction(size)) for size in (85029615042, 2 * 10**9, 268435456, 0)] == [
        "85.0 GB", "2.00 GB", "0.27 GB", "0.00 GB",
    ]  # fmt: skip


def test_the_most_exact_sentence_whose_values_are_known_is_said() -> None:
    known = {"max_len": "32,768 tokens", "pool": "24,577 tokens", "longest": "24,576 tokens"}
    full = pieces.sentence("cause.window-exceeds-cache", known, "en")
    less = pieces.sentence("cause.window-exceeds-cache", {"max_len": "32,768 tokens"}, "en")
    bare = pieces.sentence("cause.window-exceeds-cache", {"max_len": ""}, "en")
    assert "24,576 tokens" in full and "32,768 tokens" in less and "32,768" not in bare
    assert len({full, less, bare}) == 3
    assert pieces.sentence("cause.no-such-cause", {}, "en") == ""


# --- reports ---------------------------------------------------------------------------------------------------------

GIVEN: dict[str, dict[str, object]] = {
    "healthy": {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "prompt": 2048, "output": 256, "concurrency": 64,
                "engine": "vllm 0.21", "max_model_len": 8192, "tpot": "22 ms"},
    "reserved": {"model": "llama-2-7b", "gpu": "A100 SXM 80GB", "reserve": 2048, "prompt": 40, "output": 20,
                 "concurrency": 64},
    "large": {"model": "llama-3.1-70b", "gpu": "H100 SXM 80GB", "engine": "vllm", "symptoms": ["CUDA out of memory"]},
    "split": {"model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "gpus": 4, "link": "pcie", "weights": "bf16",
              "prompt": 16000, "output": 200, "concurrency": 8, "engine": "vllm 0.10"},
    "mla": {"model": "deepseek-v3", "gpu": "H200", "gpus": 8, "concurrency": 128, "prompt": 4000, "output": 500},
    "cells": {"model": "llama-3.1-8b", "gpu": "RTX 3090", "engine": "llama.cpp", "weights": "q4_k_m", "concurrency": 4,
              "prompt": 500, "output": 200},
    "nothing": {},
    "words": {"symptoms": ["JSON mode is ten times slower than plain text"], "concurrency": "several"},
    "conflict": {"gpu": "A100", "model": "[bold]mystery[/] {0} `rm`", "flags": {"max_num_seq": 64}},
}  # fmt: skip


@pytest.fixture(scope="module", params=GIVEN)
def report(request: pytest.FixtureRequest) -> Report:
    return judge.diagnose(scenario.build(GIVEN[request.param]))


def of(name: str) -> Report:
    return judge.diagnose(scenario.build(GIVEN[name]))


@pytest.mark.parametrize("lang", LANGS)
def test_a_report_is_words_all_through(report: Report, lang: Lang) -> None:
    found = diagnosis.text(report, lang)
    assert found[0].kind == "heading" and any(block.kind == "wall" for block in found)
    for block in found:
        assert block.text.strip(), block
        for line in (block.text, *block.more):
            assert "diagnosis." not in line and "None" not in line, line
        if block.kind == "lever":
            assert block.name in levers.LEVERS and block.label and (block.value or block.helps)
        if block.kind == "row":
            assert block.label and block.value
    placeholders = {"{" + name + "}" for block in found for name in words.placeholders(block.text)}
    assert not placeholders & {"{share}", "{batch}", "{text}", "{flag}", "{wall}"}


def test_levers_that_help_come_first_and_the_others_say_why() -> None:
    found = [block for block in diagnosis.text(of("healthy"), "en") if block.kind == "lever"]
    assert [block.helps for block in found] == sorted((block.helps for block in found), reverse=True)
    idle = [block for block in found if not block.helps]
    assert idle and all(block.value for block in idle)


def test_what_was_written_is_text_never_markup() -> None:
    one = of("conflict")
    text = "\n".join(diagnosis.lines(one, "en"))
    assert "[bold]mystery[/] {0} `rm`" in text
    assert r"\[bold\]mystery\[/\] \{0\} \`rm\`" in diagnosis.markdown(one, "en")


def test_signs_that_a_terminal_obeys_are_gone() -> None:
    assert diagnosis.unread("gpu", "A\x1b[31m100\x00\u202e\nx", "unknown-gpu", "en").isprintable()
    assert len(diagnosis.unread("gpu", "x" * 10**6, "unknown-gpu", "en")) < 250


@given(st.text(max_size=400))
def test_clean_text_is_one_printable_line(text: str) -> None:
    found = pieces.clean(text)
    assert found == "" or found.isprintable()
    assert len(found) <= pieces.LONGEST


@given(st.text(alphabet="ab\\`*_{}[]()<>#|~&!-+=1. ", max_size=30))
def test_escaped_text_holds_no_bare_sign(text: str) -> None:
    line = escaped(text)
    rest = line.replace("\\\\", "")
    assert all(rest[place - 1 : place] == "\\" for place, char in enumerate(rest) if char in "`*_{}[]<>#|~&")
    assert not line.lstrip().startswith(("- ", "+ ", "="))
    assert escaped("1. x") == "1\\. x" and escaped("1.5 x") == "1.5 x"


@pytest.mark.parametrize("lang", LANGS)
def test_markdown_is_a_document(report: Report, lang: Lang) -> None:
    text = diagnosis.markdown(report, lang)
    assert text.startswith("# ") and text.endswith("\n") and "\n\n\n" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.replace("\\|", "").count("|") == 5 for line in rows)


def test_a_document_is_json_with_its_keys(report: Report) -> None:
    found = diagnosis.document(report)
    keys = "phase wall detail walls levers ledger steps observed assumed questions experiment probe text".split()
    assert set(keys) <= found.keys()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found["text"]) == set(LANGS)
    for one in found["levers"]:
        assert {"id", "helps", "effect", "precondition", "warning", "flag"} <= one.keys()
        assert one["warning"] is None or set(one["warning"]) == set(LANGS)
        assert one["helps"] or set(one["why"]) == set(LANGS)
        for effect in one["effect"]:
            assert isinstance(effect["before"]["value"], int | float) and effect["measure"] in measures.MEASURES
    for one in found["questions"]:
        assert one["input"] and set(one["why"]) == set(LANGS)


def test_a_document_has_shares_and_steps_as_plain_numbers() -> None:
    found = diagnosis.document(of("healthy"))
    step = found["steps"]["decode"]
    assert abs(sum(step["parts"].values()) - step["usual"]) < 1e-12
    assert abs(sum(step["shares"].values()) - 1) < 1e-9 and step["measured"] == 0.022
    assert 0 < found["walls"][0]["share"] < 1
    assert sum(one["bytes"] for one in found["ledger"][:-1]) == pytest.approx(found["ledger"][-1]["bytes"])


def test_what_was_read_and_probed_stands_in_the_document() -> None:
    text = evidence.read("v.log", [b"\n" * 11 + b"INFO 06-28 06:11:45 x.py:1] GPU KV cache size: 91,056 tokens\n"])
    found = diagnosis.document(of("nothing"), Evidence((text,)), {"mbu": 0.8})
    assert found["observed"] == {"kv_cache_tokens": {"value": 91056, "unit": "tokens", "line": 12, "source": "v.log"}}
    assert found["read"][0]["kinds"] == [{"kind": "vllm-start", "line": 12, "times": 1}]
    assert [found["notes"], found["derived"], found["probe"]] == [[], [], {"mbu": 0.8}]


def test_a_problem_names_the_input_and_the_value() -> None:
    with pytest.raises(ScenarioProblem) as caught:
        scenario.build({"gpus": -2})
    one = caught.value
    for lang in LANGS:
        said = diagnosis.problem(one.reason, one.field, one.params, lang)
        assert words.say("diagnosis.field.gpus.name", lang) in said and "-2" in said
    assert "line 3" in diagnosis.problem("not-toml", "file", {"line": 3}, "en")
    assert "sliding_window_pattern" in diagnosis.problem(
        "cannot-size", "model", {"key": "sliding_window_pattern"}, "en"
    )
    assert diagnosis.problem("not-a-reason", "gpus", {}, "en").startswith("number of cards")


def test_a_file_that_is_too_large_is_no_value_that_is() -> None:
    assert "scenario" in diagnosis.problem("too-large", "file", {"name": "big.toml", "most": 10}, "en")
    assert "9e99" in diagnosis.problem("too-large", "gpus", {"value": "9e99", "most": 10}, "en")


# --- pieces built by hand --------------------------------------------------------------------------------------------


def finding(cause: str, **more: Any) -> Finding:
    base: dict[str, Any] = {
        "wall": "compute", "detail": None, "phase": "decode", "strength": Fraction(1, 2), "share": None, "by": "words",
        "params": {}, "because": (),
    }  # fmt: skip
    return Finding(cause, **(base | more))


def made(**more: Any) -> Report:
    base = Report(
        scenario.build({}), "decode", (WallShare("compute", Fraction(6, 10)), WallShare("interconnect", None)),
        (finding("batch-math", by="words", because=("it [red]crawls[/]",)),), None, Timings(None, None, None, None),
        (), (), (), None,
    )  # fmt: skip
    return replace(base, **more)


def lever(name: str, **more: Any) -> LeverResult:
    base: dict[str, Any] = {
        "helps": True, "effects": (), "gain": None, "precondition": "met", "why": "", "params": {}, "warning": name,
        "flag": "",
    }  # fmt: skip
    return LeverResult(name, **(base | more))


def test_words_alone_are_told_as_such_with_what_was_said() -> None:
    text = " ".join(" ".join(diagnosis.lines(made(), "en")).split())
    assert "it [red]crawls[/]" in text and words.say("diagnosis.label.by_words", "en") in text
    assert "compute 60 % of a step, interconnect" in text


def test_too_little_known_is_not_nothing_wrong() -> None:
    none = made(
        phase="none", walls=(WallShare("none", None),), findings=(finding("unknown", wall="none", phase="none"),)
    )
    for lang in LANGS:
        found = diagnosis.text(none, lang)
        assert found[1].value == words.say("diagnosis.label.undecided", lang)
        assert not any(block.name == "phase" for block in found)
    fine = replace(none, findings=(finding("figure-misread", wall="none", phase="none"),))
    assert "no wall" in diagnosis.text(fine, "en")[1].text


def test_weak_findings_are_not_told_beside_the_verdict() -> None:
    weak = finding("reads-cache", wall="memory-bandwidth", strength=Fraction(1, 20), by="numbers")
    sure = finding("reads-weights", wall="memory-bandwidth", strength=Fraction(2, 5), by="numbers")
    heads = [block.name for block in diagnosis.text(made(findings=(*made().findings, sure, weak)), "en")]
    assert "reads-weights" in heads and "reads-cache" not in heads


def test_a_lever_says_effect_condition_and_warning() -> None:
    effect = Effect("decode-step", Amount(Fraction(117, 10**4), "s"), Amount(Fraction(8, 1000), "s"), -1)
    one = lever("w4a16", effects=(effect,), gain=Fraction(117, 80), precondition="unknown", warning="w4a16-knee",
                flag="--quantization awq_marlin")  # fmt: skip
    said = diagnosis.lever(one, "en")
    assert said.effects == ("decode step: 11.7 ms → 8 ms (1.46x)",)
    assert said.need.startswith("Check first: ") and "knee" in said.warning
    assert said.flag == "flag: --quantization awq_marlin"
    document = diagnosis.document(made(levers=(one,)))["levers"][0]
    assert document["effect"][0] == {
        "measure": "decode-step", "before": {"value": 11.7, "unit": "ms"}, "after": {"value": 8, "unit": "ms"},
        "factor": 1.4625, "batches": None,
    }  # fmt: skip
    assert document["met"] is None and document["warning"]["hi-Latn"]


def test_a_lever_without_arithmetic_says_so_or_what_others_saw() -> None:
    assert "cannot be computed" in diagnosis.lever(lever("upgrade-engine"), "en").effect
    seen = diagnosis.lever(lever("merge-lora", gain=Fraction(3, 2), published=True), "en")
    assert seen.effect == "others measured 1.5x"


def test_a_measure_that_crosses_zero_has_no_factor() -> None:
    effect = Effect("free", Amount(Fraction(-4 * 10**9), "bytes"), Amount(Fraction(12 * 10**9), "bytes"), 1)
    assert diagnosis.effect_text(effect, "en") == "4 GB missing → 12 GB to spare, with one request"


@pytest.mark.parametrize("why", [*preconditions.REASONS, "something-new"])
def test_a_lever_that_does_not_help_says_why(why: str) -> None:
    values = {
        "card": "V100",
        "short": Amount(Fraction(10**9), "bytes"),
        "fits": 7,
        "asked": 9,
        "batch": 300,
        "knee": 295,
    }
    for params in ({}, values):
        for lang in LANGS:
            said = diagnosis.lever(lever("w4a16", helps=False, why=why, params=params), lang).why
            assert said.endswith(".") and "{" not in said


@pytest.mark.parametrize("lang", LANGS)
def test_a_card_that_is_not_the_log_s_is_told_with_both_sizes(lang: Lang) -> None:
    one = Conflict("gpu", "H100 SXM 80GB, 85 GB", "options", "23.7 GB", "server.log:8", "card")
    told = pieces.conflict(one, lang)
    assert all(part in told for part in ("H100 SXM 80GB, 85 GB", "23.7 GB", "server.log:8"))


def test_conflicts_and_unread_values_are_told() -> None:
    told = replace(
        scenario.build({}),
        unread=(
            Unread("concurrency", "several", "no-one-number"),
            Unread("flags.max_num_seq", "max_num_seqs", "unknown-flag"),
        ),
        conflicts=(Conflict("gpus", "2", "--gpus", "4", "run.toml"),),
    )  # fmt: skip
    text = "\n".join(diagnosis.lines(made(scenario=told), "en"))
    assert "requests at once: several gives no one figure" in text
    assert "max_num_seq: there is no flag of this name; perhaps max_num_seqs" in text
    assert "number of cards: 2 (--gpus) holds, not 4 (run.toml)." in text


def test_an_experiment_names_its_flag_or_does_without() -> None:
    one = made(experiment=Experiment("smaller-window", "--max-model-len", {}))
    assert "--max-model-len 2048" in blocks.experiment_text(one, "en")
    assert "()" not in blocks.experiment_text(replace(one, experiment=Experiment("smaller-window", "", {})), "en")
    assert blocks.experiment_text(made(), "en") == ""


def test_a_missing_rest_is_shown_as_missing() -> None:
    rows = {block.name: block for block in diagnosis.text(of("large"), "en") if block.kind == "row"}
    assert rows["free"].label == "missing" and not rows["free"].value.startswith("-")


# --- where a number comes from ---------------------------------------------------------------------------------------


def test_every_number_that_can_be_explained_is_in_both_languages(report: Report) -> None:
    for name in diagnosis.names(report):
        for lang in LANGS:
            found = diagnosis.explain(report, lang, name)
            assert found is not None and found.title and found.value
            assert found.lines or found.notes
            assert not any("{" in line for line in (*found.notes, *found.lines))
            if found.lesson:
                assert course.shipped().lesson_entry(found.lesson).title[lang] == found.lesson_title


def test_every_line_of_the_ledger_and_both_steps_are_explained() -> None:
    one = of("healthy")
    assert one.ledger is not None
    wanted = {entry.name for entry in one.ledger.entries} | {"card", "decode", "prefill", "kv-per-token", "knee"}
    assert wanted | {"requests", "pool-tokens"} <= set(diagnosis.names(one))
    assert diagnosis.explain(one, "en", "no-such-number") is None


def explained(name: str, of_report: str = "healthy") -> diagnosis.Explanation:
    found = diagnosis.explain(of(of_report), "en", name)
    assert found is not None
    return found


def test_the_working_ends_in_the_number_that_is_shown() -> None:
    step = explained("decode")
    assert step.lines[-1] == f"  = {step.value}" and step.lesson == "core/C1"
    assert "max(" in step.lines[-3]
    pool = explained("kv-pool")
    assert pool.lines[-3] == "kv_pool = usable_memory − reserve − weights"
    assert float(pool.lines[-1].split()[1]) == pytest.approx(float(pool.value.split()[0]), abs=0.05)


def test_kv_per_token_of_grouped_queries_is_the_course_s_formula() -> None:
    found = explained("kv-per-token")
    assert found.lines == ("kv_per_token = 2 · L · n_kv_heads · d_head · p", "  = 2 · 32 · 8 · 128 · 2", "  = 131.1 KB")
    assert found.lesson == "core/C2"


def test_the_waste_of_l5_1_is_worked_out() -> None:
    found = explained("waste", "reserved")
    assert "  = (2048 − 60) / 2048" in found.lines and "  = 97.07 %" in found.lines and "  = 6.25 %" in found.lines
    assert found.lesson == "core/C3"


def test_a_knee_is_ridge_times_bytes_over_two() -> None:
    assert explained("knee").lines[-1] == "  = 295 tokens" or explained("knee").lines[-1].startswith("  = 295")


def test_a_latent_cache_is_explained_as_one() -> None:
    one = judge.diagnose(scenario.build({**GIVEN["mla"], "gpu": "H200 SXM"}))
    found = diagnosis.explain(one, "en", "kv-per-token")
    assert found is not None and found.lines[0].startswith("mla_cache = ") and "latent" in found.notes[0]


def served(**asked: object) -> Report:
    return judge.diagnose(scenario.build({"gpu": "H200 SXM", "engine": "vllm", "prompt": 4000, "output": 96, **asked}))


def test_index_keys_are_worked_and_told_where_a_model_has_them() -> None:
    one = served(model="deepseek-v3.2", gpus=8, concurrency=10)
    found = diagnosis.explain(one, "en", "kv-per-token")
    assert found is not None and found.value == "78.3 KB" and found.lines[-3:] == (
        "sparse_mla_cache = mla_cache + index_cache", "  = 70,272 + 8052", "  = 78.32 KB",
    )  # fmt: skip
    for lang in LANGS:
        told = diagnosis.explain(one, lang, "kv-per-token")
        assert told is not None and any("index key" in note and "8.05 KB" in note for note in told.notes)
    asked = diagnosis.explain(one, "en", "kv-asked")
    assert asked is not None and asked.lines[-1] == "  = 3.208 GB" and asked.value == "3.21 GB"
    assert [why.why for why in one.assumed if why.name == "kv"] == ["kv-sparse"]
    narrow = diagnosis.explain(served(model="deepseek-v3.2", gpus=8, kv="fp8"), "en", "kv-per-token")
    assert narrow is not None and narrow.lines[-1] == "  = 48.07 KB"
    assert any("656 bytes" in note and "576 bytes" in note for note in narrow.notes)
    plain = diagnosis.explain(served(model="deepseek-v3", gpus=8), "en", "kv-per-token")
    assert plain is not None and not any("index" in text for text in (*plain.lines, *plain.notes))


def test_what_sparse_attention_reads_of_a_long_context_is_told() -> None:
    for name, prompt, told in (
        ("deepseek-v3.2", 4000, True),
        ("deepseek-v3.2", 1000, False),
        ("deepseek-v3", 4000, False),
    ):
        for lang in LANGS:
            found = diagnosis.explain(served(model=name, gpus=8, prompt=prompt), lang, "decode")
            assert found is not None and any("2048 tokens" in note for note in found.notes) is told


def test_the_fullest_stage_of_a_pipeline_is_worked_and_told() -> None:
    for name, layers in (("llama-3.1-70b", "40"), ("deepseek-v3", "31"), ("glm-5.3", "39")):
        flags = {"pipeline-parallel-size": 2, "tensor-parallel-size": 8}
        found = diagnosis.explain(served(model=name, gpus=16, flags=flags), "en", "kv-per-token")
        assert found is not None and f" {layers} · " in found.lines[1], name
        assert float(found.lines[-1].split()[1]) == pytest.approx(float(found.value.split()[0]), rel=0.01)
        assert found.notes[-1].endswith(f"with {layers} layers.")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gemma-3-27b-it", ("10 layers keep every", "52 layers keep the last 1024 tokens")),
        ("llama-4-scout-17b-16e-instruct", ("12 layers keep every", "36 layers keep the current chunk of 8192")),
        ("mistralai/Mistral-7B-v0.1", ("32 layers keep the last 4096 tokens",)),
        ("google/gemma-3n-E4B-it", ("4 layers keep every", "16 layers keep the last 512", "15 layers keep nothing")),
        ("nvidia/Llama-3_3-Nemotron-Super-49B-v1", ("49 layers keep every", "31 layers keep nothing")),
        ("qwen3-next-80b-a3b-instruct", ("12 layers keep every", "Beside the cache")),
    ],
)  # fmt: skip
def test_what_each_kind_of_layers_keeps_is_told(name: str, told: tuple[str, ...]) -> None:
    one = served(model=name, gpus=4)
    for lang in LANGS:
        found = diagnosis.explain(one, lang, "kv-per-token")
        assert found is not None and len(found.notes) == 1 + len(told)
    english = diagnosis.explain(one, "en", "kv-per-token")
    assert english is not None and not english.lines
    assert all(note.startswith(begins) for note, begins in zip(english.notes[1:], told, strict=True))


def test_a_fixed_state_is_told_and_counted_in_a_request() -> None:
    one = served(model="qwen3-next-80b-a3b-instruct", gpus=2, concurrency=10)
    for name, words_of_it in (
        ("kv-per-token", "Beside the cache"),
        ("kv-asked", "It includes"),
        ("requests", "It includes"),
    ):
        found = diagnosis.explain(one, "en", name)
        assert found is not None and any(note.startswith(words_of_it) for note in found.notes), name
    token = diagnosis.explain(one, "en", "kv-per-token")
    assert token is not None and "16 bits a number" in token.notes[-1]
    assert one.ledger is not None and one.ledger.asked is not None
    assert one.ledger.asked.bytes == 10 * (4096 * 24576 // 2 + (36 * 32 * 128 * 128 * 2 + 884736 * 2) // 2)


def test_weights_in_host_memory_are_counted_and_told() -> None:
    asked = {"model": "llama-3.1-8b", "gpu": "RTX 3090", "engine": "vllm", "cpu_offload": "4 GB", "weights": "bf16"}
    found = diagnosis.explain(judge.diagnose(scenario.build(asked)), "en", "weights")
    assert found is not None and found.lines[-1] == "  = 16.09 GB"
    assert any("4.00 GB lie in host memory" in note for note in found.notes)


def test_parts_of_a_split_step_name_their_link() -> None:
    lines = explained("decode", "split").lines
    assert "link between cards:" in lines and any("link_time = " in line for line in lines)
    assert not any(".md" in note for note in explained("decode", "split").notes)


def test_what_the_requests_ask_for_is_the_course_s_formula() -> None:
    found = explained("kv-asked")
    assert found.lines[1] == "  = 2 · 64 · 2304 · 32 · 8 · 128 · 2" and found.value == "19.3 GB"
    assert any(block.name == "kv-asked" for block in diagnosis.text(of("healthy"), "en"))


def test_chunks_of_a_prompt_are_told() -> None:
    told = [sentence for sentence in explained("prefill", "split").notes if "pieces" in sentence]
    assert len(told) == 1


def test_formulas_behind_a_known_value_are_not_worked_again() -> None:
    lines = work("max_requests", {"budget": 10**9}, "en", {"kv_per_request": Fraction(10**8)})
    assert [line.name for line in lines] == ["max_requests"] and lines[-1].value == "10 requests"


def test_words_are_ready_before_a_person_notices() -> None:
    one = of("healthy")
    diagnosis.text(one, "en")
    start = time.process_time()
    diagnosis.text(one, "hi-Latn")
    assert time.process_time() - start < 1, "a blow-up, not a slow machine"


def test_fields_that_flags_name_keep_their_spelling() -> None:
    assert diagnosis.field("flags.max-num-seqs", "en") == "max-num-seqs"
    assert diagnosis.field("utilization", "en") == diagnosis.field("gpu_memory_utilization", "en")
    assert diagnosis.field("no.such.field", "hi-Latn") == "no.such.field"
    assert fields.nearest("max_model_length") == "max_model_len"
