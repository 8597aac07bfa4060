"""Whatever a text holds, reading it ends, soon, in bounded memory, without an exception, and with numbers that are."""

from __future__ import annotations

import json
import math
import random
import tracemalloc
from contextlib import suppress
from itertools import islice, repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.artefacts import derived, feed, observed, registry
from engine.artefacts import lines as splitting
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import MOST_ENTRIES, Observations
from engine.artefacts.text import Line
from engine.artefacts.vocabulary import term
from engine.diagnosis import judge
from engine.diagnosis.fields import ScenarioProblem
from tests.benchmarks.artefacts import KINDS

PIECES = (
    "INFO 07-01 10:00:00 [loggers.py:118] Engine 000: Avg prompt throughput: ",
    "GPU KV cache usage: ",
    "%",
    " tokens/s",
    "Avg generation throughput: ",
    "Running: ",
    " reqs, ",
    "Waiting: ",
    "Pending: ",
    "# GPU blocks: ",
    ", # CPU blocks: ",
    "Available KV cache memory: ",
    " GiB",
    " MiB",
    "GPU KV cache size: ",
    " tokens",
    "Maximum concurrency for ",
    "total_gpu_memory (",
    "GiB) x gpu_memory_utilization (",
    "CUDA out of memory. Tried to allocate ",
    "GPU 0 has a total ",
    "capacity of ",
    " of which ",
    " is free.",
    "preempted by PreemptionMode.",
    "total_num_cumulative_preemption=",
    "[2026-07-01 10:00:00 TP0] ",
    "Decode batch. #running-req: ",
    "#token: ",
    "token usage: ",
    "gen throughput (token/s): ",
    "llama_kv_cache_init: ",
    "KV buffer size = ",
    "llm_load_tensors: ",
    "buffer size = ",
    "eval time = ",
    " ms / ",
    "[TensorRT-LLM][INFO] ",
    "[MemUsageChange] ",
    "Not enough memory to handle ",
    " prefill tokens",
    "vllm:",
    "_bucket{le=",
    "num_requests_running",
    "time_to_first_token_seconds",
    "{",
    "}",
    '"',
    "=",
    "\\n",
    "\n",
    "\r",
    "\x1b[31m",
    "\x00",
    "\u202e",
    "| model | size | params | backend | test | t/s |\n",
    "| ",
    " | ",
    "|---|",
    "============ Serving Benchmark Result ============\n",
    "Successful requests: ",
    "Mean TTFT (ms): ",
    "Namespace(",
    "args: ",
    "vllm serve ",
    "--max-model-len ",
    "docker run ",
    "+----",
    "NVIDIA-SMI ",
    "MiB / ",
    "W / ",
    '{"num_hidden_layers": ',
    '"quantization_config": {',
    "num_attention_heads",
    "null",
    "nan",
    "inf",
    "-",
    "1e400",
    "9" * 30,
    "0",
    "1",
    "12.5",
    "1,234",
    "99.9",
    ",",
    ".",
    "...",
    "# TYPE ",
    "# HELP ",
)
SOUP = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=60).map("".join)


def whole(found: Observations) -> None:
    """Everything that is done with what was read, and that its numbers are numbers."""
    evidence = Evidence((Artefact("a file", found),))
    for name, one in observed.document(evidence).items():
        assert one["unit"] == term(name).unit
        values = one["value"] if isinstance(one["value"], list) else [one["value"]]
        assert all(math.isfinite(value) for value in values if isinstance(value, float))
    for follows in derived.derive(evidence):
        assert math.isfinite(follows.value)
    with suppress(ScenarioProblem):
        judge.diagnose(feed.scenario(evidence))


@settings(max_examples=120)
@given(SOUP)
def test_pieces_of_every_format_in_any_order(text: str) -> None:
    whole(registry.read_text(text))


@settings(max_examples=60)
@given(st.binary(max_size=2000))
def test_random_bytes(data: bytes) -> None:
    whole(registry.read([data]))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                (
                    "num_hidden_layers",
                    "hidden_size",
                    "text_config",
                    "quantization_config",
                    "bits",
                    "layer_types",
                    "torch_dtype",
                    "request_throughput",
                    "completed",
                    "num_prompts",
                    "avg_latency",
                    "percentiles",
                    "mean_ttft_ms",
                    "model_id",
                    "elapsed_time",
                    "requests_per_second",
                    "sliding_window",
                    "weight_map",
                    "log",
                    "n_prompt",
                    "avg_ts",
                    "model_type",
                    "num_attention_heads",
                    "num_key_value_heads",
                    "vocab_size",
                    "metadata",
                    "request_rate",
                    "max_concurrency",
                ),
            ),
            inner,
            max_size=8,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=120)
@given(JSON)
def test_any_json(document: object) -> None:
    whole(registry.read_text(json.dumps(document)))


@settings(max_examples=30)
@given(st.sampled_from(sorted(KINDS)), st.integers(0, 3000))
def test_a_log_that_ends_anywhere(kind: str, length: int) -> None:
    text = "".join(islice(KINDS[kind](), 40))[:length]
    whole(registry.read_text(text))


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"a":' * 50_000, b"{" * 10**6, b'{"n": ' + b"9" * 10**6 + b"}", b"\x00" * 10**6]
)
def test_documents_made_to_hurt_end(data: bytes) -> None:
    whole(registry.read([data]))


_METRIC = "vllm:a{" + 'l="x",' * 160_000
HURTS = (
    "Avg prompt throughput: " * 40_000,
    "1," * 500_000,
    "(" * 10**6,
    "a=" * 500_000,
    " " * 10**6,
    "|" * 10**6,
    "-" * 10**6,
    "Namespace(" + "a=b, " * 200_000,
    "vllm serve " + "--x " * 250_000,
    "#token: " * 120_000,
    "9" * 10**6,
    _METRIC,
    "llama_kv_cache_init: " * 50_000,
    "\x1b[" * 500_000,
    "\x1b]" + "x" * 10**6,
    "2026-01-01T00:00:00Z " * 50_000,
    "[pod/" * 200_000,
)


@pytest.mark.parametrize("number", range(len(HURTS)))
def test_lines_of_a_million_characters_end(number: int) -> None:
    """A pattern that backtracks would not end on one of them."""
    text = HURTS[number]
    whole(registry.read_text(f"{text}\n{text}"))


def peak(text: bytes, times: int) -> int:
    tracemalloc.start()
    registry.read(repeat(text, times))
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return held


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a text of a test is many of what is held at once."""
    monkeypatch.setattr(splitting, "_MERGED", 2**15)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("kind", ["requests", "endless", "noise"])
def test_memory_does_not_grow_with_the_text(kind: str) -> None:
    text = "".join(islice(KINDS[kind](), 600)).encode()[:60_000]
    peak(text, 1)
    assert peak(text, 40) - peak(text, 20) < 400_000  # of 1.2 MB more; lines of statistics among them are kept


@pytest.mark.usefixtures("small_pieces")
def test_entries_take_less_than_their_lines() -> None:
    text = "".join(islice(KINDS["statistics"](), 600)).encode()
    peak(text, 1)
    assert peak(text, 20) - peak(text, 10) < 10 * len(text)


def test_of_more_entries_than_are_kept_the_middle_is_left_out() -> None:
    found = Observations()
    for number in range(MOST_ENTRIES + 10):
        found.put("running_requests", number, Line(number + 1, "", lambda _: None))
    series = found.series["running_requests"]
    assert len(series) <= MOST_ENTRIES
    assert [series.first, series.last] == [0, MOST_ENTRIES + 9]
    assert series.dropped == MOST_ENTRIES + 10 - len(series)
    assert [one.id for one in found.traps] == ["many-entries"]


def test_the_same_text_always_reads_the_same() -> None:
    order = random.Random(7)
    text = "".join(order.choice(PIECES) for _ in range(2000))
    one, other = (observed.document(Evidence((Artefact("a", registry.read_text(text)),))) for _ in range(2))
    assert one == other
