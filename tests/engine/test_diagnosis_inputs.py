"""What a scenario is given wrongly: half-read numbers, limits, keys that come twice, files that lie, settings that
contradict each other."""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from content.diagnosing import words
from content.lang import LANGS
from engine import config
from engine.catalog import NoValues
from engine.diagnosis import fields, judge, scenario
from engine.diagnosis.model import Scenario
from engine.diagnosis.reading import values
from engine.diagnosis.scenario import ScenarioProblem, build, export, kind_of, load
from engine.diagnosis.symptoms import signals
from engine.diagnosis.written import NotRead
from engine.planning import options

LLAMA = {"model": "llama-3.1-8b", "gpu": "H100 SXM 80GB"}
SHAPE: dict[str, Any] = {
    "model_type": "llama", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16", "tie_word_embeddings": False,
}  # fmt: skip
EIGHT_B = 16_060_522_496


def unread(s: Scenario) -> set[tuple[str, str]]:
    return {(one.field, one.reason) for one in s.unread}


def problem(**given: object) -> ScenarioProblem:
    with pytest.raises(ScenarioProblem) as caught:
        build(given)
    assert caught.value.reason in fields.PROBLEMS
    return caught.value


# --- numbers that are half read --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written", "reason"),
    [
        ("prompt", "5 furlongs", "unknown-unit"), ("prompt", "1-2-3", "no-one-number"),
        ("prompt", "64-16", "no-one-number"), ("prompt", "4096 tokens or so, maybe 9000", "no-one-number"),
        ("prompt", "1.000", "point-unclear"), ("output", "2.048 tokens", "point-unclear"),
        ("max_num_seqs", "8 furlongs", "unknown-unit"), ("max_model_len", "8.192", "point-unclear"),
        ("kv_usage", "1e", "unknown-unit"), ("gpu_memory_utilization", "0.9GB", "wrong-unit"),
        ("kv_usage", "2 GB", "wrong-unit"), ("params_b", "1.5 GB", "wrong-unit"), ("link", "pigeon", "unknown-link"),
        ("eager", "perhaps", "not-on-or-off"),
    ],
)  # fmt: skip
def test_what_is_left_over_behind_a_number_makes_it_unreadable(name: str, written: str, reason: str) -> None:
    assert (name, reason) in unread(build({name: written}))


@pytest.mark.parametrize(
    "written",
    ["16-64", "1.5k", "2-4k", "about 120 tokens", "4096 (warm-up prefill)", "1024-2096 shared", "100 in / 20 out"],
)
def test_what_people_write_beside_a_number_is_still_read(written: str) -> None:
    assert build({"prompt": written}).prompt is not None


def test_times_have_units_down_to_nanoseconds() -> None:
    assert values.seconds("500 ns", 10) * 10**9 == 500
    assert values.seconds("5 µs", 10) * 10**6 == 5


@pytest.mark.parametrize("written", [1_000_000, "1000000", 999_999, "1000000B"])
def test_a_million_of_billions_is_no_model(written: object) -> None:
    told = problem(params_b=written, gpu="T4")
    assert (told.reason, told.field, told.params["most"]) == ("too-large", "params_b", "100,000")


def test_a_bare_count_of_parameters_is_itself_where_a_model_may_have_so_many() -> None:
    for written, params in ((8_030_261_248, 8_030_261_248), ("350M", 350 * 10**6), (7, 7 * 10**9), (0.5, 5 * 10**8)):
        assert build({"params_b": written}).params == params


# --- limits, as typed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "shown", "limit"),
    [
        ({"gpu_memory": 1_000_000}, "1000000", "100,000 GB"), ({"bandwidth": "0.1"}, "0.1", "1 GB/s"),
        ({"prompt": "1e999"}, "1e999", "1,000,000,000"), ({"gpu_memory": "1e308"}, "1e308", "100,000 GB"),
        ({"params_b": 0.0005}, "0.0005", "0.001"),
    ],
)  # fmt: skip
def test_an_impossible_value_is_shown_as_typed_with_its_limit(given: dict[str, object], shown: str, limit: str) -> None:
    told = problem(**given)
    for lang in LANGS:
        said = words.problem(told.reason, told.field, told.params, lang)
        assert shown in said and limit in said and "..." not in said


# --- keys and values -------------------------------------------------------------------------------------------------


def test_a_key_that_comes_again_is_told_and_the_first_holds() -> None:
    text = '{"prompt": 5, "prompt": 7, "Prompt": 9, "output": 3, "flags": {"max-num-seqs": 4, "max-num-seqs": 8}}'
    s = build(load(text, "x.json"), "x.json")
    assert s.prompt is not None and s.prompt.low == 5 and s.max_num_seqs == 4
    again = [(one.field, one.text) for one in s.unread if one.reason == "said-twice"]
    assert again == [("prompt", "7"), ("prompt", "9"), ("flags.max-num-seqs", "8")]


def test_a_key_repeated_ten_thousand_times_costs_nothing() -> None:
    text = "{" + ",".join(['"prompt": 5'] * 10_000) + "}"
    assert build(load(text, "x.json"), "x.json").prompt is not None


def test_values_of_a_wrong_type_are_told_as_they_stand() -> None:
    s = build({"prompt": {"a": 1}, "output": True, "concurrency": [[1]], "max_num_seqs": {"x": {}}}, "x.toml")
    told = {one.field: one.text for one in s.unread}
    assert told == {"prompt": "{a: 1}", "output": "true", "concurrency": "[...]", "max_num_seqs": "{x: ...}"}


def test_a_flag_alone_that_wants_a_number_says_so() -> None:
    s = build({**LLAMA, "flags": {"max-num-seqs": "on"}})
    assert ("flags.max-num-seqs", "no-value") in unread(s) and s.max_num_seqs is None


@pytest.mark.parametrize(
    ("name", "text", "kind", "reason"),
    [
        ("a.toml", 'model = "llama', "scenario", "not-toml"), ("a.toml", "", "scenario", "empty"),
        ("a.toml", "# nothing\n", "scenario", "empty"), ("a.json", "{", "scenario", "not-json"),
        ("a.json", "[1, 2, 3]", "scenario", "not-a-table"), ("a.json", "null", "scenario", "not-a-table"),
        ("a.json", "{}", "scenario", "empty"), ("a.toml", "#" * 200_000, "scenario", "too-large"),
        ("a.json", '{"prompt": ' + "1" * 5000 + "}", "scenario", "long-number"),
    ],
)  # fmt: skip
def test_a_file_named_as_a_scenario_is_one_with_what_is_wrong(name: str, text: str, kind: str, reason: str) -> None:
    assert kind_of(name, text) == kind
    with pytest.raises(ScenarioProblem) as caught:
        load(text, name)
    assert caught.value.reason == reason
    for lang in LANGS:
        assert name in words.problem(reason, "file", caught.value.params, lang)


def test_one_good_key_among_many_wrong_ones_is_enough() -> None:
    text = 'model = "llama-3.1-8b"\n' + "".join(f'zz{n} = "x"\n' for n in range(30))
    for name, written in (("a.toml", text), ("a.json", json.dumps({"model": "llama-3.1-8b", "gpu_name": 1, "q": 2}))):
        assert kind_of(name, written) == "scenario"
        s = build(load(written, name), name)
        assert s.model is not None and any(one.reason == "unknown-key" for one in s.unread)
    assert kind_of("bench.json", '{"p99_ms": 4, "dataset": "sharegpt"}') == "words"
    assert kind_of("log.json", '{"a": 1}\n{"a": 2}\n') == "words"


# --- together --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "field", "reason"),
    [
        ({"running": 1000, "max_num_seqs": 4}, "running", "over-cap"),
        ({"watermark": 1}, "watermark", "nothing-admitted"),
        ({"kv_pool": 10_000}, "kv_pool", "over-card"), ({"kv_pool_tokens": 10**10}, "kv_pool_tokens", "over-card"),
        ({"kv_usage": 0, "running": 64}, "kv_usage", "zero-while-running"),
        ({"running": 0, "waiting": 100}, "running", "waits-while-idle"),
        ({"requests": 1, "concurrency": 64}, "requests", "fewer-than-at-once"),
        ({"prompt": "200k", "output": 256}, "prompt", "beyond-window"),
        ({"model": "gpt2", "prompt": 5000, "output": 10}, "prompt", "beyond-window"),
        ({"max_model_len": 4096, "prompt": 4000, "output": 200}, "prompt", "beyond-longest"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_true_together_are_told(given: dict[str, object], field: str, reason: str) -> None:
    s = build({**LLAMA, **given})
    assert (field, reason) in unread(s)
    assert build(export(s)) == s
    for lang in LANGS:
        assert all("{" not in words.unread(*one, lang) for one in s.unread)


def test_what_agrees_is_not_told_and_a_new_value_takes_it_back() -> None:
    fine = {**LLAMA, "running": 4, "max_num_seqs": 4, "kv_usage": 0.2, "prompt": "2k", "output": 200, "kv_pool": 40}
    assert build(fine).unread == ()
    wrong = build({**LLAMA, "prompt": "200k"}, "a.toml")
    assert unread(wrong) == {("prompt", "beyond-window")}
    assert build({"prompt": "2k"}, "options", wrong).unread == ()


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"tp": 5, "gpus": 5}, "heads-do-not-split"), ({"tp": 1000}, "heads-do-not-split"),
        ({"nodes": 5, "gpus": 2}, "more-nodes-than-cards"), ({"tp": 4, "gpus": 2}, "more-ranks-than-cards"),
    ],
)  # fmt: skip
def test_splits_that_a_model_cannot_have_are_refused_as_a_plan_does(given: dict[str, object], reason: str) -> None:
    assert problem(**LLAMA, **given).reason == reason


def test_one_rule_says_which_cards_share_the_heads() -> None:
    from engine import catalog, precision

    model, gpu = catalog.model("llama-3.1-8b"), catalog.gpu("H100 SXM 80GB")
    for cards in range(1, 17):
        barred = options.barred(model, options.Option(gpu, cards, precision.find("bf16"), "auto"))
        refused = any(one[0] == "heads" for one in barred)
        if refused:
            assert problem(**LLAMA, tp=cards, gpus=cards).reason == "heads-do-not-split"
        else:
            assert build({**LLAMA, "tp": cards, "gpus": cards}).tp == cards


def test_what_was_told_twice_has_units_and_the_right_source() -> None:
    s = build({"model": "llama-3.1-8b", "params_b": 70, "gpu": "H100 SXM 80GB", "gpu_memory": 1}, "a.toml")
    told = {one.field: one for one in s.conflicts}
    assert (told["params_b"].kept, told["params_b"].dropped_source) == ("70", "meta-llama/Llama-3.1-8B")
    assert (told["gpu_memory"].kept, told["gpu_memory"].dropped) == ("1 GB", "80 GB")
    both = build({"gpu": "H100 SXM 80GB", "gpu_memory": 60}, "options", build({"gpu": "H100 SXM 80GB"}, "a.toml"))
    assert all(one.kept != one.dropped for one in both.conflicts)


# --- models on disk --------------------------------------------------------------------------------------------------


def shard(path: Path, header: bytes, size: int = 0) -> None:
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + size)  # a sparse file: nothing is written


@pytest.mark.parametrize(
    ("header", "size", "reason"),
    [
        (b'{"a": {"dtype": "BF16", "shape": [1, 1], "data_offsets": [0, 2]}}', 32 * 10**6, "weights-short"),
        (b"[1, 2]", EIGHT_B, "weights-unread"), (b"\xff\xfe123", 0, "weights-unread"),
        (b'{"a":' + b"[" * 10**5, EIGHT_B, "weights-unread"), (b"", 0, "weights-unread"),
    ],
)  # fmt: skip
def test_weights_that_lie_are_told_and_the_computed_size_is_used(
    tmp_path: Path, header: bytes, size: int, reason: str
) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SHAPE))
    shard(tmp_path / "model.safetensors", header, size)
    s = build({"model": str(tmp_path)})
    assert s.exact_weights is None and ("model", reason) in unread(s)
    assert build(export(s)) == s


def test_whole_weights_are_taken(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SHAPE))
    shard(tmp_path / "model.safetensors", b'{"a": {"dtype": "BF16"}}', EIGHT_B)
    s = build({"model": str(tmp_path)})
    assert (s.exact_weights, s.unread) == (EIGHT_B, ())


@pytest.mark.parametrize(
    ("changed", "reason", "key"),
    [
        ({"model_type": "bert"}, "cannot-size", "model_type"), ({"model_type": "t5"}, "cannot-size", "model_type"),
        ({"model_type": "whisper"}, "cannot-size", "model_type"),
        ({"is_encoder_decoder": True}, "cannot-size", "is_encoder_decoder"),
        ({"architectures": ["BertForMaskedLM"]}, "cannot-size", "architectures"),
        ({"architectures": ["T5ForConditionalGeneration"]}, "cannot-size", "architectures"),
        ({"num_key_value_heads": 64}, "bad-key", "num_key_value_heads"),
        ({"num_key_value_heads": 5}, "bad-key", "num_key_value_heads"),
        ({"layer_types": "x"}, "bad-key", "layer_types"),
        ({"layer_types": ["full_attention"]}, "bad-key", "layer_types"),
        ({"quantization_config": "awq"}, "bad-key", "quantization_config"),
        ({"quantization_config": [1]}, "bad-key", "quantization_config"),
        ({"num_local_experts": 8, "num_experts_per_tok": 200}, "bad-key", "num_experts_per_tok"),
    ],
)  # fmt: skip
def test_a_shape_that_cannot_be_is_refused_by_its_key_and_file(
    tmp_path: Path, changed: dict[str, object], reason: str, key: str
) -> None:
    with pytest.raises(NoValues) as caught:
        config.read(SHAPE | changed)
    assert (caught.value.reason, caught.value.detail) == (reason, key)
    file = tmp_path / "odd.json"
    file.write_text(json.dumps(SHAPE | changed))
    told = problem(model=str(file))
    for lang in LANGS:
        said = words.problem(told.reason, told.field, {**told.params, "file": "odd.json"}, lang)
        assert key in said and "odd.json" in said
    assert str(file) == told.params["file"]


def test_a_decoder_whose_name_is_near_an_encoders_is_sized() -> None:
    for classes in (["LlamaForCausalLM"], ["Qwen2ForCausalLM"], ["Gemma3ForConditionalGeneration"], "x", None):
        assert config.read(SHAPE | {"architectures": classes}).layers == 32


def test_a_place_without_a_config_is_said_so_and_a_model_is_named_by_its_file(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    assert problem(model=str(tmp_path / "m")).params["path"] == str(tmp_path / "m" / "config.json")
    assert problem(model="/dev/null").reason == "no-config"
    plain = tmp_path / "plain"
    plain.write_text(json.dumps(SHAPE))
    named = scenario.build({"model": str(plain)}).model
    assert named is not None and named.layers == SHAPE["num_hidden_layers"], "a file of any name"
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    assert problem(model=str(broken)).params["name"] == str(broken)
    named = tmp_path / "my.json"
    named.write_text(json.dumps(SHAPE))
    model = scenario.build({"model": str(named)}).model
    assert model is not None and model.id == "my.json"


def test_what_may_not_be_read_is_not_called_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SHAPE))

    def denied(self: Path, *args: object) -> bytes:
        raise PermissionError(13, "no", str(self))

    monkeypatch.setattr(Path, "read_bytes", denied)
    told = problem(model=str(tmp_path))
    assert told.reason == "not-readable" and "config.json" in str(told.params["path"])


def test_a_word_beside_a_count_is_only_refused_where_it_is_a_unit() -> None:
    with pytest.raises(NotRead):
        values.count("8 furlongs")
    assert values.count("8 requests") == values.count("8 each") == 8


# --- counters at nothing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "num_preemptions_total 0.0", "WARNING 0 requests were preempted", "Waiting: 0 reqs, preempted: 0",
        "0 preemptions",
        "preemptions: none", "no requests were preempted", "zero preemptions", "0 OOM errors", "0 retractions",
        "none of the requests were preempted",
    ],
)  # fmt: skip
def test_a_counter_at_nothing_is_no_event(text: str) -> None:
    for source in ("symptom", "server.log"):
        assert not {one.id for one in signals.read(text, source)} & {"preempts", "oom", "cache-full"}


@pytest.mark.parametrize(
    "text", ["num_preemptions_total 12.0", "WARNING 3 requests were preempted", "0 waiting, 4 preempted"]
)
def test_a_counter_above_nothing_is_one(text: str) -> None:
    assert "preempts" in {one.id for one in signals.read(text)}


def test_a_hit_rate_of_nothing_in_a_log_is_no_complaint() -> None:
    line = "Prefix cache hit rate: 0.0%"
    logged = replace(build({**LLAMA, "prompt": "2k"}), signals=signals.read(line, "server.log"))
    assert judge.diagnose(logged).findings[0].cause != "cache-cannot-hit"
    shared = build({"symptoms": ["our prompts share a long system prompt"]}, "options", logged)
    complained = build({**LLAMA, "prompt": "2k", "symptoms": ["the prefix cache hit rate stays at 0"]})
    for s in (shared, complained):
        assert "prefix" in " ".join(one.cause + str(one.detail) for one in judge.diagnose(s).findings[:2])
