"""Where a number of a report comes from: each is worked and told, in both languages."""

from __future__ import annotations

from fractions import Fraction

import pytest

from content import course, diagnosis
from content.diagnosing.working import work
from content.lang import LANGS
from engine.diagnosis import judge, scenario
from engine.diagnosis.model import (
    Report,
)
from tests.content.reports import GIVEN, of


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
