"""Figures in people's sentences: what is taken, what is doubtful, and what a scenario makes of them."""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.diagnosis import scenario
from engine.diagnosis.model import Scenario
from engine.diagnosis.symptoms import measured


def read(text: str) -> dict[str, float]:
    return {name: float(one.value) for name, one in measured.read(text).items()}


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("4.6 tok/s", {"throughput": 4.6}),
        ("we get about 37.8 tokens per second", {"throughput": 37.8}),
        ("only ~32 t/s on two cards", {"throughput": 32}),
        ("1,234.5 tok/s in total", {"throughput": 1234.5}),
        ("5 tok/s per user", {"tpot": 0.2}),
        ("about 120 s for 200 tokens", {"tpot": 0.6}),
        ("200 tokens in 2 minutes", {"tpot": 0.6}),
        ("22 ms per token", {"tpot": 0.022}),
        ("0.6 s/token", {"tpot": 0.6}),
        ("TTFT is 300 milliseconds", {"ttft": 0.3}),
        ("first token takes 2 mins", {"ttft": 120}),
        ("TPOT is around 20 ms", {"tpot": 0.02}),
        ("TTFT ~15 s", {"ttft": 15}),
        ("mean time to first token: 410 ms", {"ttft": 0.41}),
        ("pehla token 15 second me aata hai", {"ttft": 15}),
        ("eval me 12 tok/s aata hai", {"throughput": 12}),
        ("Running: 8 reqs, Waiting: 0 reqs", {"running": 8, "waiting": 0}),
        ("running 92, queue 990, token usage 0.92", {"running": 92, "waiting": 990, "kv_usage": 0.92}),
        ("#running-req: 12, token usage: 0.92, #queue-req: 4", {"running": 12, "waiting": 4, "kv_usage": 0.92}),
        ("KV cache usage 96%", {"kv_usage": 0.96}),
        ("GPU KV cache usage: 50.1%, CPU KV cache usage: 3.0%", {"kv_usage": 0.501}),
        ("GPU KV cache size: 39,024 tokens", {"kv_pool_tokens": 39024}),
        ("max seq len (8192) is larger than what fits in KV cache (6048)", {"kv_pool_tokens": 6048}),
        ("max seq len (163840) > 13360 tokens of KV", {"kv_pool_tokens": 13360}),
    ],
)
def test_a_plain_figure_is_taken(text: str, figures: dict[str, float]) -> None:
    assert read(text) == pytest.approx(figures)


@pytest.mark.parametrize(
    "text",
    [
        "15 tok/s instead of 40",
        "fp16: 80 tok/s, awq: 45 tok/s",
        "logprobs=100: 37.8 tok/s, 10000: 9.6, full vocab: 1.0",
        "with lora 6.5 tokens/s, without 17.6",
        "it went from 60 tok/s to 28 tok/s",
        "I want 50 tok/s",
        "expected 4000 tok/s",
        "50 tok/s chahiye",
        "the docs promise 3000 tok/s",
        "up to 900 tok/s",
        "59 tokens per second of prompt processing",
        "prompt eval time = 236000 ms / 14000 tokens (59 tokens per second)",
        "8.4 requests/s",
        "200 tokens",
        "mean TTFT 18 s with request rate inf",
        "TTFT p99 20 s",
        "TPOT around 20 ms on one card, the other 22 ms",
        "KV usage 99.7 to 100%",
        "KV cache usage never goes over 3%",
        "running on 4 GPUs",
        "running 3 models",
        "waiting 5 minutes",
        "1.34 GiB is larger than the available KV cache memory (0.3 GiB)",
        "is 20 tok/s normal?",
        "version 0.9.1",
    ],
)
def test_a_doubtful_figure_is_left(text: str) -> None:
    assert read(text) == {}


def test_a_line_that_a_program_printed_says_so() -> None:
    line = "INFO 07-28 06:40:59 [loggers.py:118] Engine 000: Avg prompt throughput: 10.0 tokens/s, Avg generation "
    line += "throughput: 239.2 tokens/s, Running: 8 reqs, Waiting: 0 reqs, GPU KV cache usage: 91.2%"
    found = measured.read(line)
    assert {name: float(one.value) for name, one in found.items()} == {
        "throughput": 239.2, "running": 8, "waiting": 0, "kv_usage": 0.912,
    }  # fmt: skip
    assert {one.origin for one in found.values()} == {"log"}
    assert measured.read("4.6 tok/s")["throughput"] == (Fraction("4.6"), "4.6 tok/s", "given")


def test_two_values_of_a_kind_are_none() -> None:
    assert set(measured.said(["4.6 tok/s", "TTFT 3 s", "later 20 tok/s"])) == {"ttft"}
    assert set(measured.said(["4.6 tok/s", "still 4.6 tok/s"])) == {"throughput"}


# --- in a scenario ----------------------------------------------------------------------------------------------------


def test_a_scenario_takes_them_from_its_sentences() -> None:
    built = scenario.build({"symptoms": ["TTFT ~15 s", "Running: 8 reqs, Waiting: 0 reqs"]})
    assert built.ttft == 15 and built.running == 8 and built.waiting == 0
    assert built.said["ttft"] == ("given", "TTFT ~15 s")
    assert built.said["running"].origin == "log"


def test_a_value_that_is_given_wins_without_a_conflict() -> None:
    built = scenario.build({"ttft": 2, "symptoms": ["TTFT ~15 s"]})
    assert built.ttft == 2 and not built.conflicts
    base = scenario.build({"ttft": 3}, "log")
    weaker = scenario.build({"symptoms": ["TTFT ~15 s"]}, "given", base)
    assert weaker.ttft == 3 and not weaker.conflicts


def test_a_saved_scenario_keeps_them() -> None:
    built = scenario.build({"symptoms": ["4.6 tok/s", "KV cache usage 96%"]})
    again = scenario.build(scenario.export(built), "scenario.json")
    assert (again.throughput, again.kv_usage) == (Fraction("4.6"), Fraction("0.96"))


def test_what_is_impossible_is_left() -> None:
    assert scenario.build({"symptoms": ["KV cache usage 300%", "0 tok/s", "running 0"]}).throughput is None


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert all(name in Scenario.__dataclass_fields__ and one.value >= 0 for name, one in measured.read(text).items())


@pytest.mark.parametrize("text", ["1" * 10**6, "1 " * 300_000, "ttft " * 200_000, "1 tok/s " * 99_000, "1,1" * 200_000])
def test_hostile_text_ends_soon(text: str) -> None:
    start = time.process_time()
    measured.read(text)
    assert time.process_time() - start < 1
