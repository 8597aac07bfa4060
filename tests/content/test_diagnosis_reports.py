"""Whole reports in words: lines, Markdown and JSON; what was read stays text, never markup."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content import diagnosis, words
from content.diagnosing import words as pieces
from content.diagnosing.markdown import escaped
from content.lang import LANGS, Lang
from engine.artefacts import evidence
from engine.artefacts.evidence import Evidence
from engine.diagnosis import scenario
from engine.diagnosis.acting import levers, measures
from engine.diagnosis.fields import ScenarioProblem
from engine.diagnosis.model import (
    Report,
)
from tests.content.reports import of


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


def test_words_are_ready_before_a_person_notices() -> None:
    one = of("healthy")
    diagnosis.text(one, "en")
    start = time.process_time()
    diagnosis.text(one, "hi-Latn")
    assert time.process_time() - start < 1, "a blow-up, not a slow machine"
