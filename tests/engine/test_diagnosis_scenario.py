"""What values become together: flags, sentences and keys; what cannot be; which of two sources wins."""

from __future__ import annotations

import pytest

from engine import catalog
from engine.diagnosis import fields
from engine.diagnosis.model import Said, Span
from engine.diagnosis.scenario import build
from engine.precision import FORMATS
from tests.engine.scenarios import problem, unread


def test_flags_and_sentences_are_read() -> None:
    s = build(
        {
            "flags": {"engine": "vllm 0.6", "tensor_parallel_size": 2, "foo": "bar"},
            "symptoms": ["OOM while loading the model"],
        }
    )
    assert (s.engine, s.version, s.tp, s.gpus, s.flags["foo"]) == ("vllm", "0.6", 2, 2, "bar")
    assert s.said["gpus"].origin == "computed"
    assert s.has("oom-loading") and s.signals[0].source == "symptom"
    assert build({"flags": ["tp=4"]}).tp == build({"flags": "tp=4"}).tp == build({"flag": {"tp": 4}}).tp == 4


def test_a_key_wins_over_a_flag_and_the_conflict_is_told() -> None:
    s = build({"tp": 2, "gpus": 4, "flags": {"tensor_parallel_size": 4}})
    assert s.tp == 2
    assert [(one.field, one.kept, one.dropped) for one in s.conflicts] == [("tp", "2", "4")]


def test_one_engine_named_twice_is_one() -> None:
    s = build({"engine": "vllm", "flags": {"engine": "vllm 0.6.1"}})
    assert (s.engine, s.engine_name, s.version, s.conflicts) == ("vllm", "vllm", "0.6.1", ())
    s = build({"engine": "sglang", "flags": {"engine": "vllm 0.6.1"}})
    assert (s.engine, s.version) == ("sglang", None)
    assert [(one.field, one.dropped) for one in s.conflicts] == [("engine", "vllm 0.6.1")]
    log = build({"engine": "vllm 0.6.1"}, "log")
    s = build({"engine": "vllm"}, "given", log)
    assert (s.engine, s.version, s.conflicts) == ("vllm", "0.6.1", ())
    s = build({"engine": "sglang"}, "given", log)
    assert (s.engine, s.version, [one.field for one in s.conflicts]) == ("sglang", None, ["engine"])


def test_a_number_of_cards_said_twice_is_told() -> None:
    s = build({"gpu": "4x L40S", "gpus": 2})
    assert (s.gpus, [(one.field, one.dropped) for one in s.conflicts]) == (2, [("gpus", "4")])


def test_an_unknown_key_is_told_with_the_nearest_one() -> None:
    s = build({"concurency": 3, "gpu_memory_utilizaton": 0.9, "zzz": 1, 5: 6})  # type: ignore[dict-item]
    told = {one.field: one.text for one in s.unread}
    near = "gpu_memory_utilization"
    assert told == {"concurency": "concurrency", "gpu_memory_utilizaton": near, "zzz": "", "5": ""}
    assert unread(s)["zzz"] == "unknown-key" and fields.nearest("batch size") == "concurrency"
    assert fields.nearest("gpu-memory-utilisation") == "gpu_memory_utilization"
    assert build({"--max-model-len": 5, "Max_Num_Seqs": 6}).max_num_seqs == 6


def test_a_flag_among_the_keys_is_read_as_one() -> None:
    assert build({"enforce_eager": True}).eager is True


@pytest.mark.parametrize(
    ("given_", "reason", "field"),
    [
        ({"gpus": 0}, "zero", "gpus"), ({"gpus": -1}, "negative", "gpus"), ({"prompt": "-5"}, "negative", "prompt"),
        ({"prompt": 0}, "zero", "prompt"), ({"concurrency": [0, 4]}, "zero", "concurrency"),
        ({"tpot": -1}, "negative", "tpot"),
        ({"gpu_memory_utilization": 1.2}, "over-one", "gpu_memory_utilization"),
        ({"gpu_memory_utilization": "120%"}, "over-one", "gpu_memory_utilization"),
        ({"gpu_memory_utilization": 0}, "zero", "gpu_memory_utilization"),
        ({"gpu_memory": "-80"}, "negative", "gpu_memory"),
        ({"max_model_len": "99999 crore"}, "too-large", "max_model_len"), ({"params_b": -7}, "negative", "params_b"),
        ({"params_b": "0.0000001"}, "too-small", "params_b"), ({"tp": 4, "gpus": 2}, "more-ranks-than-cards", "gpus"),
        ({"gpu": "2x L40S", "flags": {"tp": 2, "pp": 2}}, "more-ranks-than-cards", "gpus"),
        ({"model": "Qwen3-8B", "pp": 99}, "more-stages-than-layers", "pp"),
        ({"output": 9000, "max_model_len": 8192}, "longer-than-window", "output"),
        ({"prompt": "9k-10k", "flags": {"max_model_len": 8192}}, "longer-than-window", "prompt"),
        ({"gpu": "0x A100 80GB"}, "zero", "gpus"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_field(given_: dict[str, object], reason: str, field: str) -> None:
    assert problem(**given_) == (reason, field)


def test_ranks_of_data_parallel_attention_share_cards() -> None:
    assert build({"engine": "sglang", "tp": 8, "dp": 8, "gpus": 8}).gpus == 8


def test_a_gauge_at_rest_and_a_damaged_log_end_nothing() -> None:
    assert unread(build({"throughput": 0})) == {"throughput": "zero"}
    assert unread(build({"gpus": -3, "kv_usage": 7}, "log")) == {"gpus": "negative", "kv_usage": "over-one"}


def test_the_stronger_source_wins_and_the_conflict_is_told() -> None:
    log = build({"gpus": 4, "max_model_len": 4096, "model": "Qwen3-8B", "weights": "fp8"}, "log")
    s = build({"gpus": 2, "gpu": "L40S", "max_model_len": 4096}, "given", log)
    assert (s.gpus, s.gpu, s.model, s.weights) == (2, catalog.gpu("L40S"), log.model, FORMATS["fp8"])
    assert s.said["gpus"] == Said("given", "--gpus") and s.said["weights"].origin == "log"
    assert [(one.field, one.kept, one.kept_source, one.dropped) for one in s.conflicts] == [
        ("gpus", "2", "--gpus", "4")
    ]


def test_another_model_takes_what_followed_from_the_first_with_it() -> None:
    first = build({"model": "Foo-70B", "prompt": 100}, "scenario.toml")
    s = build({"model": "Qwen3-8B"}, "given", first)
    assert (s.model, s.stand_in, s.params, s.weights) == (catalog.model("Qwen3-8B"), False, None, FORMATS["bf16"])
    assert s.prompt == Span(100, 100)
    assert [(one.field, one.kept, one.dropped) for one in s.conflicts] == [("model", "Qwen3-8B", "Foo-70B")]


def test_what_follows_from_a_model_that_stays_stays() -> None:
    first = build({"model": "Qwen3-8B", "tp": 2}, "scenario.toml")
    s = build({"gpu": "L40S", "tp": 4}, "given", first)
    assert (s.weights, s.said["weights"].origin, s.gpus) == (FORMATS["bf16"], "catalogue", 4)
    assert [one.field for one in s.conflicts] == ["tp"]


def test_a_size_is_no_other_model() -> None:
    s = build({"params_b": 8}, "given", build({"model": "Qwen3-8B"}, "a.toml"))
    assert (s.model, s.stand_in, s.params, s.conflicts) == (catalog.model("Qwen3-8B"), False, None, ())
    s = build({"model": "Qwen3-8B"}, "given", build({"params_b": 8}, "a.toml"))
    assert (s.model, s.stand_in, s.params, s.conflicts) == (catalog.model("Qwen3-8B"), False, None, ())


def test_a_dtype_flag_does_not_undo_a_quantized_checkpoint() -> None:
    assert build({"model": "Qwen3-8B-AWQ", "flags": {"dtype": "float16"}}).weights == FORMATS["awq"]
    assert build({"model": "DeepSeek-R1", "flags": {"dtype": "bfloat16"}}).weights == FORMATS["fp8-tile"]
    assert build({"model": "Qwen3-8B", "flags": {"dtype": "float16"}}).weights == FORMATS["fp16"]


def test_a_catalogue_default_gives_way_to_a_log() -> None:
    log = build({"weights": "awq"}, "log")
    assert build({"model": "Qwen3-8B"}, "given", log).weights == FORMATS["awq"]


def test_a_weaker_source_that_cannot_be_true_beside_the_stronger_is_dropped() -> None:
    log = build({"tp": 8, "max_model_len": 100}, "log")
    s = build({"gpus": 2, "prompt": 500}, "given", log)
    assert (s.gpus, s.tp, s.prompt, s.max_model_len) == (2, None, Span(500, 500), None)
    assert {one.field for one in s.conflicts} == {"tp", "max_model_len", "gpus"} - {"gpus"}
