"""Cards, models and formats by name, and checkpoints in a folder: what a scenario makes of them."""

from __future__ import annotations

import json
import struct
from fractions import Fraction
from pathlib import Path

import pytest

from engine import catalog, weights
from engine.diagnosis.model import Said
from engine.diagnosis.reading import cards, checkpoint, formats, named, standin
from engine.diagnosis.scenario import ScenarioProblem, build, export
from engine.precision import FORMATS
from tests.engine.scenarios import CONFIG, problem, unread


@pytest.mark.parametrize(
    ("written", "name", "number", "link"),
    [
        ("RTX 3090", "RTX 3090", None, None), ("2x RTX 3090", "RTX 3090", 2, None), ("2x3090", "RTX 3090", 2, None),
        ("L40S x 4", "L40S", 4, None), ("4×H100 SXM", "H100 SXM 80GB", 4, None), ("dual 4090", "RTX 4090", 2, None),
        ("RTX 3090 + RTX 3090", "RTX 3090", 2, None), ("RTX 4090 PCIe", "RTX 4090", None, "pcie"),
        ("RTX 3090, no NVLink", "RTX 3090", None, "pcie"), ("2 x RTX 3090 (NVLink)", "RTX 3090", 2, "nvlink"),
        ("8x H100 80GB NVLink", "H100 SXM 80GB", 8, "nvlink"), ("two RTX 4090s", "RTX 4090", 2, None),
        ("A100 PCIe 80GB", "A100 PCIe 80GB", None, None), ("A100-SXM4-80GB*4", "A100 SXM 80GB", 4, None),
        ("3 L4s", "L4", 3, None), ("A100-40G", "A100 SXM 40GB", None, None),
        ("A100 (80 GB)", "A100 SXM 80GB", None, None),
        ("some.large (8x A100 40GB)", "A100 SXM 40GB", 8, None), ("L4 24GB, 8 cards", "L4", 8, None),
        ("4x RTX 3090 with NVLink bridge", "RTX 3090", 4, "nvlink"),
    ],
)  # fmt: skip
def test_a_text_names_cards_their_number_and_link(
    written: str, name: str, number: int | None, link: str | None
) -> None:
    found = cards.read(written)
    assert (found.gpu and found.gpu.name, found.number, found.link) == (name, number, link)


def test_forms_of_a_card_that_do_not_matter_are_assumed_and_listed() -> None:
    for memory in (40, 80):
        s = build({"gpu": f"A100 {memory}GB"})
        assert s.gpu is not None and s.gpu.capacity == memory * 10**9
        assert s.said["gpu"] == Said("assumed", f"A100 SXM {memory}GB, A100 PCIe {memory}GB")
        assert not s.gpu_options


def test_a_short_name_that_means_different_cards_is_asked_about() -> None:
    for name in ("A100", "H100 80GB", "V100", "RTX PRO 6000", "L4 or T4", "H100/H200"):
        s = build({"gpu": name})
        assert s.gpu is None and len(s.gpu_options) > 1
    assert build({"gpu": "A100", "gpu_memory": 80}).gpu == catalog.gpu("A100 SXM 80GB")


def test_two_kinds_of_card_are_none() -> None:
    s = build({"gpu": "RTX 4070 12GB + RTX 4080 16GB"})
    assert (s.gpu, s.gpus, unread(s)) == (None, 2, {"gpu": "two-cards"})
    s = build({"gpu": "8-GPU NVLink node"})
    assert (s.gpu, s.gpus, s.link, unread(s)) == (None, 8, "nvlink", {"gpu": "unknown-gpu"})


def test_a_card_outside_the_catalogue_comes_from_its_numbers() -> None:
    s = build({"gpu_memory": "48 GB", "bandwidth": "900 GB/s", "tflops": 200, "gpu": "Foo X1"})
    assert s.gpu is not None
    assert (s.gpu.name, s.gpu.capacity, s.gpu.bandwidth, s.gpu.peak_flops) == (
        "Foo X1",
        48 * 10**9,
        900 * 10**9,
        200 * 10**12,
    )
    assert build({"gpu_memory": 48, "bandwidth": 900}).gpu == cards.made("", 48 * 10**9, 900 * 10**9, None)
    assert unread(build({"gpu_memory": 48})) == {"gpu_memory": "memory-alone"}
    modded = build({"gpu": "RTX 4090", "gpu_memory": 48})
    assert modded.gpu is not None and modded.gpu.capacity == 48 * 10**9
    assert [one.field for one in modded.conflicts] == ["gpu_memory"]


@pytest.mark.parametrize(
    ("written", "model", "form", "by"),
    [
        ("Qwen3-8B", "Qwen/Qwen3-8B", "bf16", "catalogue"), ("Qwen3-14B AWQ", "Qwen/Qwen3-14B", "awq", "name"),
        ("Qwen3-14B-FP8-Dynamic", "Qwen/Qwen3-14B", "fp8-row", "name"),
        ("Qwen3-8B-Q4_K_M.gguf", "Qwen/Qwen3-8B", "q4_k_m", "name"),
        ("Qwen3-14B (AWQ INT4)", "Qwen/Qwen3-14B", "awq", "name"),
        ("Qwen3-14B-quantized.w8a8", "Qwen/Qwen3-14B", "w8a8", "name"),
        ("llama-70b w4a16", "meta-llama/Llama-3.3-70B-Instruct", "w4a16", "name"),
        ("Qwen3-8B-bnb-4bit", "Qwen/Qwen3-8B", "nf4", "name"),
        ("Qwen3-32B-exl2-4.0bpw", "Qwen/Qwen3-32B", "4bpw", "name"),
        ("llama-70b", "meta-llama/Llama-3.3-70B-Instruct", "bf16", "catalogue"),
        ("Some-Llama-3-8B-Instruct-tuned", "meta-llama/Meta-Llama-3-8B", "bf16", "catalogue"),
        ("40 layers (Qwen3-14B class)", "Qwen/Qwen3-14B", "bf16", "catalogue"),
    ],
)  # fmt: skip
def test_a_name_gives_the_model_and_the_format(written: str, model: str, form: str, by: str) -> None:
    found = named.read(written)
    assert found.model is not None and found.form is not None
    assert (found.model.id, found.form.name, found.form_by, found.stand_in) == (model, form, by, False)


@pytest.mark.parametrize(
    ("written", "params", "active"),
    [("Foo-70B", 70, 70), ("Foo-Math-13B-AWQ", 13, 13), ("Foo-235B-A22B", 235, 22), ("foo/bar-6.7b", 6.7, 6.7),
    ("34B", 34, 34)],
)  # fmt: skip
def test_a_size_in_an_unknown_name_gives_a_stand_in(written: str, params: float, active: float) -> None:
    s = build({"model": written})
    assert s.model is not None and s.stand_in
    assert s.said["model"] == Said("assumed", "stand-in")
    assert s.params == s.model.params == params * 10**9
    assert s.model.active == active * 10**9
    assert (s.model.moe is None) == (params == active)


def test_a_size_alone_gives_a_stand_in_and_a_size_beside_a_known_model_nothing() -> None:
    assert build({"params_b": 13}).model == standin.model(13 * 10**9, "13B")
    s = build({"model": "Qwen3-8B", "params_b": 8})
    assert (s.stand_in, s.params, s.conflicts) == (False, None, ())
    assert [one.field for one in build({"model": "Qwen3-8B", "params_b": 80}).conflicts] == ["params_b"]


def test_two_models_or_none_are_told() -> None:
    for name, reason in (
        ("Foo-7B/40B", "two-models"), ("Qwen3-8B, Qwen3-14B", "two-models"), ("my model", "unknown-model"),
        ("mistral-7b", "ambiguous-model"), ("no/such/config.json", "no-file"),
    ):  # fmt: skip
        s = build({"model": name})
        assert (s.model, s.model_name, unread(s)) == (None, name, {"model": reason})


def test_a_draft_beside_the_model_is_speculation() -> None:
    for name in ("Qwen3-32B + Qwen3-0.6B draft", "Qwen3-32B with Qwen3-0.6B-AWQ draft"):
        s = build({"model": name})
        assert s.model == catalog.model("Qwen3-32B") and s.speculation is True and s.weights == FORMATS["bf16"]


@pytest.mark.parametrize("size", [10**8, 10**9, 7 * 10**9, 13 * 10**9, 33 * 10**9, 70 * 10**9, 405 * 10**9, 10**12])
def test_a_stand_in_has_its_size_and_a_usual_shape(size: int) -> None:
    made = standin.model(size)
    counted = weights.by_class(made, "fp16")
    assert counted.params == size
    assert counted.of("other").params * 100 < size
    assert made.heads % made.kv_heads == 0 and made.heads * made.head_dim == made.d_model
    if size >= 7 * 10**9:
        near = [m for m in catalog.models() if m.attention == "GQA" and not m.moe and abs(m.params - size) * 5 < size]
        assert not near or min(m.layers for m in near) * 0.7 <= made.layers <= max(m.layers for m in near) * 1.3
    assert made not in catalog.models()


def test_an_architecture_in_numbers_is_a_dense_model() -> None:
    shape = {"layers": 32, "d_model": 4096, "n_head": 32, "n_kv_heads": 8, "d_head": 128, "ffn": 14336, "vocab": 128256}
    s = build(shape)
    assert s.model is not None and s.model.params == catalog.model("llama-3.1-8b").params
    assert build(export(s)) == s
    assert unread(build({"layers": 32, "d_model": 4096})) == {"layers": "shape-incomplete"}
    assert problem(**{**shape, "n_kv_heads": 7}) == ("heads-do-not-divide", "n_kv_heads")


@pytest.mark.parametrize(
    ("written", "name", "assumed"),
    [
        ("nf4 double-quant", "nf4-double", False), ("gptq-int4", "gptq", False), ("awq-int4", "awq", False),
        ("16-bit", "bf16", False), ("fp4 experts", "fp4-experts", False), ("AWQ 4-bit (Marlin)", "awq", False),
        ("8-bit GPTQ", "int8", False), ("INT8 weights", "int8", False), ("w8a8 int8", "w8a8", False),
        ("exl2 4.65bpw", "4.65bpw", True), ("UD-Q4_K_XL", "q4_k_m", True), ("IQ3_M", "3.66bpw", True),
    ],
)  # fmt: skip
def test_formats_as_people_write_them(written: str, name: str, assumed: bool) -> None:
    found = formats.read(written)
    assert (found.form.name, found.assumed) == (name, assumed)
    s = build({"weights": written})
    assert s.weights == found.form and s.said["weights"].origin == ("assumed" if assumed else "given")


def test_bits_a_weight_are_what_they_say() -> None:
    assert formats.of_bits(Fraction("4.65")).linear_bits == Fraction("4.65")
    assert unread(build({"weights": "fp16 vs int4"})) == {"weights": "two-formats"}
    s = build({"weights": "gptq int4 act-order"})
    assert s.act_order is True and s.weights == FORMATS["gptq"]


def test_weights_follow_from_the_model_unless_told() -> None:
    s = build({"model": "Qwen3-8B"})
    assert s.weights == FORMATS["bf16"] and s.said["weights"] == Said("catalogue", "Qwen/Qwen3-8B")
    assert build({"model": "Qwen3-8B", "engine": "llama.cpp"}).weights is None
    told = build({"model": "Qwen3-8B-AWQ", "weights": "fp16"})
    assert told.weights == FORMATS["fp16"] and [one.dropped for one in told.conflicts] == ["awq"]


def shard(path: Path, size: int) -> None:
    header = b'{"a":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (size, size)
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(size))


def test_a_folder_gives_the_model_and_exact_bytes(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    shard(tmp_path / "model-00001-of-00002.safetensors", 150_000)
    shard(tmp_path / "model-00002-of-00002.safetensors", 22_000)
    shard(tmp_path / "consolidated.safetensors", 999)
    for place in (tmp_path, tmp_path / "config.json"):
        s = build({"model": str(place)})
        assert s.model is not None and s.model.layers == 2
        assert (s.exact_weights, s.weights, s.stand_in) == (172_000, FORMATS["bf16"], False)
        assert s.said["weights"].origin == s.said["model"].origin == s.said["exact_weights"].origin == "config"
        assert build(export(s)) == s


def test_an_index_tells_the_bytes_of_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    index = {"metadata": {"total_size": 172_777}, "weight_map": {"a": "model-1.safetensors", "b": "../../etc/passwd"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    assert checkpoint.read(str(tmp_path)).bytes == 172_777
    (tmp_path / "model-1.safetensors").write_bytes(b"\xff" * 20)
    assert checkpoint.read(str(tmp_path)).bytes == 172_777


def test_what_cannot_be_sized_is_refused_by_its_key(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    for config, reason, key in (
        ({**CONFIG, "state_size": 16}, "cannot-size", "state_size"),
        ({"model_type": "x"}, "missing-key", "num_hidden_layers"),
        ({**CONFIG, "hidden_size": "wide"}, "bad-key", "hidden_size"),
    ):  # fmt: skip
        file.write_text(json.dumps(config))
        with pytest.raises(ScenarioProblem) as caught:
            build({"model": str(file)})
        assert (caught.value.reason, caught.value.params["key"]) == (reason, key)
    for text, reason in (
        ("[1]", "no-config"),
        ("{", "not-json"),
        ("[" * 10**5, "too-deep"),
        (" " * (3 * 2**20), "too-large"),
    ):
        file.write_text(text)
        with pytest.raises(ScenarioProblem) as caught:
            build({"model": str(file)})
        assert caught.value.reason == reason
    assert not checkpoint.is_path("/dev/zero.json") and not checkpoint.is_path("\0")
