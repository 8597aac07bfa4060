"""Values of a scenario as people write them: lengths, loads, times; a text that is none has a reason."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.diagnosis.model import Span
from engine.diagnosis.reading import values
from engine.diagnosis.scenario import build
from engine.diagnosis.written import NotRead
from tests.engine.scenarios import unread

SPANS = [
    (1000, 1000, 1000), ("16k", 16000, 16000), ("32 K", 32000, 32000), ("16-64", 16, 64), ("16–64", 16, 64),
    ("16/32/64", 16, 64), ("1 vs 4", 1, 4), ("256 to 512", 256, 512), ("2-4k", 2000, 4000), ("2K-4K", 2000, 4000),
    ("1..4", 1, 4), ("about 120", 120, 120), ("~1000", 1000, 1000), ("lagbhag 500", 500, 500), ("1,024", 1024, 1024),
    ("1,07,374 tokens", 107374, 107374), ("4 lakh", 400000, 400000), ("dedh lakh", 150000, 150000),
    ("8192 (profiling pass)", 8192, 8192), ("500-900 shared", 500, 900), ("1.5k tokens", 1500, 1500),
    ("average 500, max 4000", 500, 500), ("32Ki", 32768, 32768), ("5 images + 700 tokens", 700, 700),
    ("16 then 64", 16, 64), ("1,2,4,8", 1, 8), ([8, 32], 8, 32), ("10k/2k", 2000, 10000),
    ("100 se 200", 100, 200), ("up to 64", 64, 64), ("1e4", 10000, 10000), (2048.0, 2048, 2048),
]  # fmt: skip


@pytest.mark.parametrize(("written", "low", "high"), SPANS)
def test_a_length_is_one_number_or_a_range(written: object, low: int, high: int) -> None:
    found = values.span(written)
    assert (found.low, found.high) == (low, high)
    assert found.text == (written if isinstance(written, str) else "")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("several", "not-a-number"), ("a dataset", "not-a-number"), ("2.5", "not-whole"), ("22 ms", "wrong-unit"),
        ("300 words", "wrong-unit"), ("1,5k", "comma-unclear"), (True, "not-a-number"), (float("nan"), "not-a-number"),
        (None, "not-a-number"), ({}, "not-a-number"), (10**400, "not-a-number"), ("9" * 300, "too-long"),
        ("2 GB", "wrong-unit"), ("2^12", "no-one-number"), ([], "not-a-number"), (["a"], "not-a-number"),
    ],
)  # fmt: skip
def test_what_is_no_length_has_a_reason(written: object, reason: str) -> None:
    with pytest.raises(NotRead) as caught:
        values.span(written)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("700 requests, 20 concurrent", {"requests": 700, "concurrency": Span(20, 20, "700 requests, 20 concurrent")}),
        ("request rate 4", {"rate": Fraction(4)}), ("sequential", {"concurrency": Span(1, 1, "sequential")}),
        (8, {"concurrency": Span(8, 8)}), ("16-64", {"concurrency": Span(16, 64, "16-64")}),
        ("40 prompts offline", {"requests": 40}), ("500 prompts", {"requests": 500}),
        ("300 prompts x3", {"requests": 300}),
        ("2-4 req/s, 80 prompts", {"rate": Fraction(3), "requests": 80}), ("90 req/min", {"rate": Fraction(3, 2)}),
        ("3 rps", {"rate": Fraction(3)}), ("256-token batch", {"batch_tokens": 256}),
        ("batch of 256 tokens", {"batch_tokens": 256}),
        ("24 concurrent users", {"concurrency": Span(24, 24, "24 concurrent users")}),
        ("12 prompts at once", {"concurrency": Span(12, 12, "12 prompts at once")}),
        ("1, 8, 32", {"concurrency": Span(1, 32, "1, 8, 32")}),
        ("60 prompts at 6 concurrent", {"requests": 60, "concurrency": Span(6, 6, "60 prompts at 6 concurrent")}),
    ],
)  # fmt: skip
def test_requests_in_flight_arriving_and_in_all_are_told_apart(written: object, expected: dict[str, object]) -> None:
    assert values.load(written) == values.Load(**expected)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_", "field", "expected"),
    [
        ({"tpot": "22 ms"}, "tpot", Fraction(22, 1000)), ({"tpot": 0.02}, "tpot", Fraction(1, 50)),
        ({"ttft": "~15 s"}, "ttft", Fraction(15)), ({"ttft": "2 min"}, "ttft", Fraction(120)),
        ({"tpot": "22ms/token"}, "tpot", Fraction(22, 1000)),
        ({"throughput": "240 tokens per second"}, "throughput", Fraction(240)),
        ({"throughput": "1.2k tok/s"}, "throughput", Fraction(1200)),
        ({"request_rate": "30 req/min"}, "request_rate", Fraction(1, 2)),
        ({"gpu_memory_utilization": "90%"}, "utilization", Fraction(9, 10)),
        ({"gpu_memory_utilization": 0.95}, "utilization", Fraction(19, 20)),
        ({"price_per_hour": "$2.50"}, "price_per_hour", Fraction(5, 2)),
        ({"kv_pool": "16 GiB"}, "kv_pool", Fraction(16 * 2**30)),
        ({"max_model_len": "32k"}, "max_model_len", 32000), ({"eager": "on"}, "eager", True),
        ({"eager": False}, "eager", False),
        ({"kv": "fp8_e4m3"}, "kv", "fp8"), ({"link": "PCIe, no NVLink"}, "link", "pcie"), ({"gpus": "four"}, "gpus", 4),
    ],
)  # fmt: skip
def test_a_value_is_read_in_its_unit(given_: dict[str, object], field: str, expected: object) -> None:
    s = build(given_)
    assert getattr(s, field) == expected
    assert not s.unread
    assert s.said[field].origin == "given"


def test_a_bare_time_too_long_for_seconds_is_asked_about() -> None:
    assert unread(build({"tpot": 22})) == {"tpot": "unit-missing"}
    assert unread(build({"throughput": "3 req/s"})) == {"throughput": "wrong-unit"}


def test_words_are_kept_with_the_reason() -> None:
    s = build({"concurrency": "sweep", "prompt": "ShareGPT", "gpus": "several", "weights": "fast", "link": "cable"})
    assert unread(s) == {
        "concurrency": "not-a-number", "prompt": "not-a-number", "gpus": "not-a-number", "weights": "unknown-format",
        "link": "unknown-link",
    }  # fmt: skip
    assert s.concurrency is s.prompt is s.gpus is s.weights is s.link is None


def test_prompt_and_output_in_one_text_are_told_apart() -> None:
    text = "700 in / 100 out"
    s = build({"prompt": text, "output": text})
    assert (s.prompt, s.output) == (Span(700, 700, text), Span(100, 100, text))
