"""Pieces of a diagnosis in words: an amount, a lever, a weak finding, a conflict, an experiment."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from content import diagnosis, words
from content.diagnosing import blocks
from content.diagnosing import words as pieces
from content.lang import LANGS, Lang
from engine.diagnosis import fields, scenario
from engine.diagnosis.acting import preconditions
from engine.diagnosis.model import (
    Amount,
    Conflict,
    Effect,
    Experiment,
    Finding,
    Key,
    LeverResult,
    Report,
    Timings,
    Unread,
    WallShare,
)
from tests.content.reports import of


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


def test_fields_that_flags_name_keep_their_spelling() -> None:
    assert diagnosis.field("flags.max-num-seqs", "en") == "max-num-seqs"
    assert diagnosis.field("utilization", "en") == diagnosis.field("gpu_memory_utilization", "en")
    assert diagnosis.field("no.such.field", "hi-Latn") == "no.such.field"
    assert fields.nearest("max_model_length") == "max_model_len"


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
