"""A report as it is read: the order for a bad day, its length, its columns, what its percentages are of."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Literal

import pytest

from content import diagnosis, words
from content.diagnosing import advice, layout
from content.diagnosing.levers import lever, need
from content.lang import LANGS, Lang
from engine.diagnosis import judge, scenario
from engine.diagnosis.acting import levers
from engine.diagnosis.model import Amount, Effect, LeverResult, Report, WallShare

_LLAMA = {"model": "llama-3.1-8b", "gpu": "A100 SXM 80GB", "engine": "vllm 0.10", "prompt": 1000, "output": 200}
WORKLOADS: dict[str, dict[str, object]] = {
    "plain": {**_LLAMA, "concurrency": 32},
    "measured": {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "prompt": 2048, "output": 256, "concurrency": 64,
                 "tpot": "22 ms"},
    "slow": {**_LLAMA, "concurrency": 32, "tpot": "45 ms"},
    "too-large": {"model": "llama-3.1-70b", "gpu": "A100 SXM 80GB", "engine": "vllm"},
    "reserved": {"model": "llama-2-7b", "gpu": "A100 SXM 80GB", "reserve": 2048, "prompt": 40, "output": 20,
                 "concurrency": 64},
    "small-card": {"model": "qwen2.5-7b", "gpu": "L4", "engine": "vllm", "prompt": 1500, "output": 300,
                   "concurrency": 16},
    "window": {"model": "llama-3.1-8b", "gpu": "L4", "engine": "vllm 0.10",
               "symptoms": ["max seq len (131072) is larger than the maximum number of tokens in KV cache"]},
    "documents": {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB", "engine": "vllm 0.10", "prompt": 60000,
                  "output": 300, "concurrency": 8, "ttft": "25 s"},
    "split": {"model": "llama-3.1-8b", "gpu": "RTX 4090", "gpus": 2, "link": "pcie", "prompt": 500, "output": 200,
              "concurrency": 4, "symptoms": ["2 gpu lagaye to ek se bhi slow ho gaya"]},
    "cells": {"model": "llama-3.1-8b", "gpu": "RTX 3090", "engine": "llama.cpp", "weights": "q4_k_m",
              "concurrency": 4, "prompt": 500, "output": 200},
    "awq": {**_LLAMA, "weights": "awq", "concurrency": 64, "symptoms": ["the 4-bit model is slower than fp16"]},
    "full": {"model": "qwen2.5-32b", "gpu": "A100 SXM 80GB", "engine": "vllm", "prompt": 2000, "output": 500,
             "concurrency": 64, "symptoms": ["requests are preempted"]},
    "words": {"symptoms": ["JSON mode is ten times slower than plain text"], "concurrency": "several"},
    "unclear": {"gpu": "A100", "model": "llama-3.1-8b", "engine": "vllm", "concurrency": 8, "prompt": 1000},
}  # fmt: skip
LONGEST = 72
"""Lines of the longest report; usual ones stay well below it."""
USUAL = 67


@cache
def of(name: str) -> Report:
    return judge.diagnose(scenario.build(WORKLOADS[name]))


def heads(name: str, lang: Lang = "en") -> list[str]:
    return [block.name for block in diagnosis.text(of(name), lang) if block.kind == "heading"]


# --- order and length ------------------------------------------------------------------------------------------------

ORDER = ["verdict", "unread", "questions", "levers", "memory", "times", "more_levers", "useless", "more_questions",
         "assumed", "experiment", "also"]  # fmt: skip


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_report_is_in_the_order_of_a_bad_day(name: str) -> None:
    found = heads(name)
    assert found == [head for head in ORDER if head in found] and found[0] == "verdict"


def test_what_could_not_be_used_stands_right_under_the_verdict() -> None:
    assert heads("words")[:2] == ["verdict", "unread"]
    lines = diagnosis.lines(of("words"), "en")
    assert next(n for n, line in enumerate(lines) if "several" in line) < 12


def test_an_ambiguous_card_is_told_with_the_names_to_choose_from() -> None:
    top = " ".join(" ".join(diagnosis.lines(of("unclear"), "en")[:14]).split())
    assert "A100 SXM 40GB" in top and "A100 SXM 80GB" in top


@pytest.mark.parametrize("lang", LANGS)
def test_reports_are_short(lang: Lang) -> None:
    counts = sorted(len(diagnosis.lines(of(name), lang)) for name in WORKLOADS)
    assert counts[-1] <= LONGEST
    assert counts[len(counts) * 2 // 3] <= USUAL


def test_the_first_lever_stands_on_the_first_screen() -> None:
    helped = [name for name in WORKLOADS if "levers" in heads(name)]
    assert helped
    for name in helped:
        lines = diagnosis.lines(of(name), "en")
        assert next(n for n, line in enumerate(lines) if line.startswith("1. ")) < 20, name


def test_at_most_three_levers_are_told_whole_each_with_its_flag() -> None:
    all_told = {
        name: [block for block in diagnosis.text(of(name), "en") if block.kind == "lever" and block.more]
        for name in WORKLOADS
    }
    assert any(all_told.values())
    for told in all_told.values():
        assert len(told) <= advice.MOST_NOW
        for block in told:
            assert f"--what-if {block.name}" in block.more[0]
            assert not block.origin or block.more[0].startswith(f"flag: {block.origin}")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("state", ["met", "unknown"])
def test_the_sentences_of_a_lever_take_three_lines_at_most(lang: Lang, state: Literal["met", "unknown"]) -> None:
    for id, one in levers.LEVERS.items():
        warning = id if words.has(f"diagnosis.lever.{id}.warning") else ""
        result = LeverResult(id, True, (), None, state, "", {}, warning, "")
        said = lever(result, lang)
        text = advice._sentences(result, said, lang)
        assert text and len(layout.wrapped(text, layout.WIDTH, layout.INDENT, layout.INDENT)) <= 3, one.id
        caution = said.need if state == "unknown" else said.warning
        assert not caution or caution in text, "the one caution is never left out"


@pytest.mark.parametrize("lang", LANGS)
def test_conditions_read_as_facts_or_as_checks(lang: Lang) -> None:
    lead = {"en": ("Applies here: ", "Check first: "), "hi-Latn": ("Yahan lagu hai: ", "Pehle check karo ki ")}[lang]
    for id in levers.LEVERS:
        both = [need(LeverResult(id, True, (), None, state, "", {}, "", ""), lang) for state in ("met", "unknown")]
        assert both[0].startswith(lead[0]) and both[1].startswith(lead[1])


def test_only_what_one_would_try_is_refused_by_name() -> None:
    for name in WORKLOADS:
        refused = [one for one in of(name).levers if not one.helps]
        told = [block for block in diagnosis.text(of(name), "en") if block.kind == "lever" and not block.helps]
        reasons = {one.id: one.why for one in refused}
        assert len(told) <= advice.MOST_USELESS
        assert all(reasons[block.name] not in ("already-on", "not-on", "no-experts") for block in told)


# --- columns and width -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 60, 78, 100])
@pytest.mark.parametrize("lang", LANGS)
def test_no_line_is_wider_than_the_terminal(lang: Lang, width: int) -> None:
    for name in WORKLOADS:
        for line in diagnosis.lines(of(name), lang, width):
            assert len(line) <= width, (name, line)
            assert line == line.rstrip()


def test_words_of_other_people_do_not_break_the_width() -> None:
    long = judge.diagnose(scenario.build({"gpu": "x" * 300, "symptoms": ["slow " + "y" * 400]}))
    assert all(len(line) <= 60 for line in diagnosis.lines(long, "en", 60))


def section(name: str, heading: str, lang: Lang) -> list[str]:
    lines = diagnosis.lines(of(name), lang)
    start = lines.index(words.say(f"diagnosis.heading.{heading}", lang)) + 1
    return lines[start : lines.index("", start)]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ["plain", "reserved", "too-large", "cells"])
def test_labels_and_values_stand_in_columns(name: str, lang: Lang) -> None:
    rows = [line for line in section(name, "memory", lang) if line[len(layout.INDENT)] != " "]
    units = [re.match(r"   (\S.*?) {2,}([\d,.]+ \S+)", line) for line in rows]
    assert all(units) and len(rows) > 3
    assert len({found.end(2) for found in units if found}) == 1, "values end in one column"
    starts = {len(line) - len(line[found.end(2) :].lstrip()) for line, found in zip(rows, units, strict=True)
              if found and line[found.end(2) :].strip()}  # fmt: skip
    assert len(starts) == 1, "and notes begin in one"


def test_a_value_keeps_its_unit_on_its_line() -> None:
    for width in range(40, 80):
        assert not any(
            line.strip().startswith(("GB", "tokens/s", "% ")) for line in diagnosis.lines(of("full"), "en", width)
        )


def test_plain_lines_hold_every_block() -> None:
    for name in WORKLOADS:
        joined = " ".join(" ".join(diagnosis.lines(of(name), "en")).split())
        for block in diagnosis.text(of(name), "en"):
            wanted = (
                (block.label.strip(), block.value) if block.kind == "row" and "." not in block.name else (block.text,)
            )
            if "." not in block.name and not (block.kind == "lever" and not block.helps):
                assert all(" ".join(part.split()) in joined for part in wanted), (name, block)


# --- percentages and numbers -----------------------------------------------------------------------------------------


def walls(*shares: tuple[str, Fraction | None], phase: str = "decode") -> str:
    one = replace(of("plain"), phase=phase, walls=tuple(WallShare(id, share) for id, share in shares))  # type: ignore[arg-type]
    return diagnosis.wall_text(one, "en")


def test_a_percentage_says_of_what() -> None:
    assert walls(("memory-bandwidth", Fraction(7, 10)), ("cpu-overhead", Fraction(2, 10))) == (
        "memory bandwidth 70 % of a step, CPU overhead 20 %"
    )
    assert walls(("compute", Fraction(8, 10)), phase="prefill") == "compute 80 % of the prefill"
    assert walls(("compute", Fraction(1, 2)), phase="both") == "compute 50 % of the card's time"
    both = walls(("memory-bandwidth", Fraction(9, 10)), ("kv-memory", Fraction(62, 100)))
    assert both == "memory bandwidth 90 % of a step, memory for the KV cache 62 % of the card"


def test_a_wall_of_nothing_shows_no_percentage() -> None:
    assert walls(("interconnect", Fraction(0)), ("memory-bandwidth", Fraction(97, 100))) == (
        "interconnect, memory bandwidth 97 % of a step"
    )
    assert walls(("idle-scheduling", None)) == "idle card (scheduling)"


def test_the_larger_share_of_one_time_stands_first() -> None:
    assert walls(("memory-bandwidth", Fraction(43, 100)), ("cpu-overhead", Fraction(48, 100))) == (
        "CPU overhead 48 % of a step, memory bandwidth 43 %"
    )


def test_walls_never_seem_to_be_more_than_everything() -> None:
    assert walls(("cpu-overhead", Fraction(34, 100)), ("memory-bandwidth", Fraction(92, 100))) == (
        "CPU overhead 34 % of a step, memory bandwidth"
    )
    for name in WORKLOADS:
        text = diagnosis.wall_text(of(name), "en")
        for base in ("of a step", "of the prefill", "of the card's time"):
            if base in text and "of the card," not in text and not text.endswith("of the card"):
                assert sum(float(part) for part in re.findall(r"([\d.]+) %", text)) <= 100.6, text


def test_what_was_measured_is_compared_with_the_band_that_is_printed() -> None:
    for name in ("measured", "slow"):
        report = of(name)
        timing = report.timings.decode
        assert timing is not None and timing.own is not None
        said = next(b.text for b in diagnosis.text(report, "en") if b.kind == "note" and b.text.startswith("measured"))
        inside = timing.step.time.low <= timing.own <= timing.step.time.high
        assert ("inside the band" in said) is inside
        assert ("the step's own" in said) is (timing.shared != 1)


def test_no_step_is_timed_for_weights_that_do_not_fit() -> None:
    assert "times" not in heads("too-large") and "times" in heads("plain")


@pytest.mark.parametrize("lang", LANGS)
def test_only_a_log_is_called_one(lang: Lang) -> None:
    seen = [
        block.origin for block in diagnosis.text(of("plain"), lang) if block.name in ("card", "graphs", "activation")
    ]
    assert set(seen) == {words.say("diagnosis.origin.seen", lang)}
    assert not any(re.search(r"\blog\b", line) for line in diagnosis.lines(of("plain"), lang))


def effect(measure: str, unit: str, better: Literal[-1, 1], before: int, after: int) -> Effect:
    return Effect(measure, Amount(Fraction(before), unit), Amount(Fraction(after), unit), better)


def test_what_is_left_over_is_told_as_missing_or_to_spare() -> None:
    def spare(before: int, after: int) -> str:
        return diagnosis.effect_text(effect("free", "bytes", 1, before * 10**9, after * 10**9), "en")

    assert spare(-66, 35) == "66 GB missing → 35 GB to spare, with one request"
    assert spare(5, 3) == "5 GB to spare → 3 GB to spare, with one request"


def test_worse_is_said_in_the_word_of_its_measure() -> None:
    def said(measure: str, unit: str, better: Literal[-1, 1], after: int) -> str:
        return diagnosis.effect_text(effect(measure, unit, better, 100, after), "en")

    assert said("decode-step", "s", -1, 150).endswith("(1.5x slower)")
    assert said("output-rate", "tokens/s", 1, 50).endswith("(2x less)")
    assert said("weights", "bytes", -1, 300).endswith("(3x more)")


def test_a_flag_that_says_the_value_needs_no_sentence_for_it() -> None:
    more = effect("requests", "requests", 1, 5, 9)
    params = {"to": Amount(Fraction(64), "requests")}
    one = LeverResult("cap-concurrency", True, (more,), Fraction(2), "met", "", params, "", "--max-num-seqs 64")
    assert lever(one, "en").chosen == ()
    assert lever(one._replace(flag="--max-num-seqs"), "en").chosen == ("Worked out for 64 requests.",)


def test_no_arrow_of_two_signs() -> None:
    for name in WORKLOADS:
        assert "->" not in "\n".join(diagnosis.lines(of(name), "en"))


@pytest.mark.parametrize("width", [-3, 0, 1, 3, 4])
def test_a_width_that_no_text_fits_ends_all_the_same(width: int) -> None:
    found = layout.wrapped("weights 16.1 GB", width, "   ", "      ")
    assert "".join("".join(line.split()) for line in found) == "weights16.1GB"
