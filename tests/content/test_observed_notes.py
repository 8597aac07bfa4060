"""Notes on what was read: once where several values share them; counters of one page, and of two."""

from __future__ import annotations

import pytest

from content.diagnosing import observed
from content.lang import LANGS, Lang
from engine.artefacts import rates, registry
from engine.artefacts.derived import derive
from engine.artefacts.evidence import Artefact, Evidence
from engine.artefacts.model import Observations


def page(preempted: float, tokens: float, stopped: float = 40.0, cut: float = 2.0) -> Observations:
    return registry.read_text(
        f'vllm:num_requests_running{{engine="0",model_name="m"}} 5.0\n'
        f'vllm:num_preemptions_total{{engine="0",model_name="m"}} {preempted!r}\n'
        f'vllm:generation_tokens_total{{engine="0",model_name="m"}} {tokens!r}\n'
        f'vllm:request_success_total{{engine="0",finished_reason="stop",model_name="m"}} {stopped!r}\n'
        f'vllm:request_success_total{{engine="0",finished_reason="length",model_name="m"}} {cut!r}\n'
        f'vllm:time_to_first_token_seconds_bucket{{engine="0",le="0.5"}} 3.0\n'
        f'vllm:time_to_first_token_seconds_count{{engine="0"}} 3.0\n'
        f'vllm:time_to_first_token_seconds_sum{{engine="0"}} 0.9\n'
    )


def said(lang: Lang, **found: Observations) -> list[str]:
    return observed.lines(Evidence(tuple(Artefact(name, one) for name, one in found.items())), lang)


@pytest.mark.parametrize("lang", LANGS)
def test_a_note_that_several_counters_share_is_told_once(lang: Lang) -> None:
    whole = " ".join(" ".join(said(lang, a=page(3.0, 900.0))).split())
    assert whole.count("--url") == 1
    assert whole.index("--url") < whole.index("900 tokens"), "above the values"


def test_every_row_keeps_its_note_for_the_detail() -> None:
    rows = observed.rows(Evidence((Artefact("a", page(3.0, 900.0)),)), "en")
    assert sum(any("--url" in note for note in row.notes) for row in rows) == 3


def test_buckets_are_no_rows() -> None:
    names = {row.name for row in observed.rows(Evidence((Artefact("a", page(3.0, 900.0)),)), "en")}
    assert {"ttft.mean", "ttft.count"} <= names and not {one for one in names if "bucket" in one}


def test_a_counter_of_one_page_is_the_sum_of_its_outcomes() -> None:
    rows = {row.name: row.value for row in observed.rows(Evidence((Artefact("a", page(3.0, 900.0)),)), "en")}
    assert rows["requests_finished_total"] == "42 requests"


@pytest.mark.parametrize("lang", LANGS)
def test_two_files_tell_what_grew_and_that_only_their_time_is_missing(lang: Lang) -> None:
    both = Evidence((Artefact("first.txt", page(3.0, 900.0)), Artefact("second.txt", page(11.0, 1500.0, 49.0))))
    rows = {(row.name, row.place): row for row in observed.rows(both, lang)}
    assert any("first.txt" in note and "8" in note for note in rows["preemptions_total", 1].notes)
    assert any("9 requests" in note for note in rows["requests_finished_total", 1].notes)
    assert not any("first.txt" in note for note in rows["preemptions_total", 0].notes)
    assert observed.trap(both.artefacts[0].found.traps[-1], lang) not in " ".join(
        said(lang, a=both.artefacts[0].found, b=both.artefacts[1].found)
    )


def test_two_samples_of_one_server_show_both() -> None:
    found = rates.between(page(3.0, 900.0), page(11.0, 1500.0, 49.0), 5)
    rows = {row.name: row.value for row in observed.rows(Evidence((Artefact("gpu-1:8000", found),)), "en")}
    assert rows["preemptions_total"] == "3 → 11"
    assert rows["generation_tokens_total"] == "900 → 1500 tokens"
    assert rows["requests_finished_total"] == "42 → 51 requests"


@pytest.mark.parametrize("lang", LANGS)
def test_two_samples_tell_their_interval_once(lang: Lang) -> None:
    found = rates.between(page(3.0, 900.0), page(11.0, 1500.0), 7.5)
    assert " ".join(said(lang, a=found)).count("7.5 s") == 1


def test_a_server_that_runs_is_no_benchmark() -> None:
    found = rates.between(page(3.0, 900.0), page(11.0, 1500.0, 49.0), 5)
    groups = {row.name: row.group for row in observed.rows(Evidence((Artefact("a", found),)), "en")}
    assert groups["request_throughput"] == "statistics" and groups["model"] == "config"
    result = registry.read_text(
        '{"model_id": "m", "request_throughput": 2.5, "total_input_tokens": 900, "num_prompts": 9, '
        '"completed": 9, "duration": 3.6, "total_output_tokens": 90, "output_throughput": 25.0}\n'
    )
    groups = {row.name: row.group for row in observed.rows(Evidence((Artefact("a", result),)), "en")}
    assert groups["request_throughput"] == "benchmarks"


def test_bytes_of_a_token_say_what_they_are_from() -> None:
    config = (
        '{"model_type": "llama", "num_hidden_layers": 20, "hidden_size": 2048, "num_attention_heads": 16, '
        '"num_key_value_heads": 4, "intermediate_size": 5504, "vocab_size": 32000}\n'
    )
    for text, word in (
        (config, "config"),
        ("INFO: GPU KV cache size: 40,000 tokens\nINFO: Available KV cache memory: 4.0 GiB\n", "pool"),
    ):
        (one,) = [
            one
            for one in derive(Evidence((Artefact("a", registry.read_text(text)),)))
            if one.id == "kv_bytes_per_token"
        ]
        assert word in observed.derived(one, "en")
