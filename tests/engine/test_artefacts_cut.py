"""Texts that break off anywhere, lines of any numbers, mixtures of anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artefacts.model import Observations
from engine.artefacts.registry import read, read_text
from tests.engine.test_artefacts_oom import OOM_1, OOM_2
from tests.engine.test_artefacts_vllm import BLOCK, NEWER, NEWEST, OLD, V1_CONFIG
from tests.engine.test_artefacts_vllm_running import REFUSED, V0, V1, WARNED

WHOLE = (
    OLD, BLOCK, NEWER, NEWEST, V1_CONFIG, REFUSED, OOM_1, OOM_2,
    V0.format(10, "101.5", "820.4", 31, 0, 12, "97.2", "0.0")
    + "INFO 06-01 12:00:10 metrics.py:471] Prefix cache hit rate: GPU: 45.25%, CPU: 0.00%\n"
    + V1.format(20, "003", "17.5", "240.8", 18, 32, "Deferred: 12 reqs, ", "93.9", "53.7", ""),
    WARNED.format("14", "PreemptionMode.", "RECOMPUTE", "total_num_cumulative_preemption", 51)
    + "INFO 02-11 14:50:38 metrics.py:477] Speculative metrics: Draft acceptance rate: 0.550, System "
      "efficiency: 0.133, "
    "Number of speculative tokens: 18, Number of accepted tokens: 44, Number of draft tokens: 80, Number of emitted "
    "tokens: 112.\n(APIServer pid=1) INFO 08-24 16:22:46 [metrics.py:120] SpecDecoding metrics: Mean "
    "acceptance length: "
    "12.77, Accepted: 55 tokens, Per-position acceptance rate: 0.903, 0.871, Avg Draft acceptance rate: 88.7%\n"
    "INFO 01-01 00:00:00 [x.py:1] Using max model len 40960\n"
    "INFO 01-01 00:00:00 [x.py:1]   █▄█▀ █     █     █     █   model   acme/eight\n"
    "INFO 01-01 00:00:00 [x.py:1] Chunked prefill is enabled with max_num_batched_tokens=2048.\n",
)  # fmt: skip


def all_whole(whole: Observations, text: str, stop: int) -> None:
    """Every entry that a beginning of a text gives, the whole one gives too."""
    cut = read_text(text[:stop])
    for name in cut.series:
        assert set(map(str, cut.all(name))) <= set(map(str, whole.all(name))), (name, text[max(0, stop - 60) : stop])


@pytest.mark.parametrize("text", WHOLE, ids=range(len(WHOLE)))
def test_a_text_cut_anywhere_gives_nothing_that_the_whole_one_does_not_print(text: str) -> None:
    whole = read_text(text)
    for stop in range(0, len(text), 3):
        all_whole(whole, text, stop)


NUMBERS = st.decimals(0, 99_999, places=2).map(str)
COUNTS = st.integers(0, 10**9)


@given(st.lists(NUMBERS, min_size=5, max_size=5), st.lists(COUNTS, min_size=5, max_size=5), st.data())
def test_a_line_of_any_numbers_is_read_whole_and_in_part(
    sizes: list[str], counts: list[int], data: st.DataObject
) -> None:
    first, second, third, fourth, fifth = counts
    text = (
        V1.format(10, "000", sizes[0], sizes[1], first, second, "", sizes[2], sizes[3], "")
        + f"INFO 01-01 00:00:00 [k.py:1] GPU KV cache size: {third:,} tokens\n"
        + f"INFO 01-01 00:00:00 [k.py:1] Available KV cache memory: {sizes[4]} GiB\n"
        + f"INFO 01-01 00:00:00 x.py:1] # GPU blocks: {fourth}, # CPU blocks: {fifth}\n"
        + f"Tokens. {WARNED.format('1', '', 'SWAP', 'total_num_cumulative_preemption', fifth)}"
    )
    found = read_text(text)
    assert [found.one(name) for name in ("prompt_throughput", "generation_throughput", "kv_cache_memory")] == [
        float(sizes[at]) for at in (0, 1, 4)
    ]
    assert [
        found.one(name)
        for name in ("running_requests", "waiting_requests", "kv_cache_tokens", "num_gpu_blocks", "preemptions_total")
    ] == counts
    all_whole(found, text, data.draw(st.integers(0, len(text))))


FRAGMENTS = (
    "CUDA out of memory", "Tried to allocate ", "GPU 0 has a total capacity of ", "Avg prompt throughput: ",
    "Running: ",
    "args: Namespace(", "non-default args: {", "LLM engine with config: ", "# GPU blocks: ", "max seq len (", "GiB",
    "(",
    "model='", "{'", "tokens/s, ", "is preempted by ", "=", ", ", "\n", "9" * 30, "1.5", "-", "%", "\x00", "é", "█▄█▀ ",
    "Profiling CUDA graph memory: PIECEWISE=", "Graph capturing finished in ", "Speculative metrics: ",
)  # fmt: skip


@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=5)), max_size=60))
def test_no_mixture_of_fragments_raises(parts: list[str]) -> None:
    read_text("".join(parts))


@given(st.binary(max_size=600))
def test_no_bytes_raise(data: bytes) -> None:
    read([b"CUDA out of memory. " + data, b"\nAvg prompt throughput: ", data])


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_a_line_of_one_fragment_without_end_is_read_through(fragment: str) -> None:
    assert isinstance(read_text(fragment * (100_000 // len(fragment))), Observations)
