"""The catalogue: names as people write them, exact figures, and honest refusals."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.catalog
from engine.catalog import AmbiguousName, NoValues, UnknownName, formula_values, gpu, gpus, model, models
from engine.catalog.names import MAX_LENGTH, normal
from engine.formulas.registry import result
from engine.formulas.symbols import SYMBOLS

F = Fraction


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("T4", "T4"), ("Tesla T4", "T4"), ("nvidia-tesla-t4", "T4"), ("t4 16gb", "T4"), ("A10", "A10"),
        ("a10g", "A10G"), ("L4", "L4"), ("nvidia l40s", "L40S"),
        ("nvidia a100 sxm 80 gb", "A100 SXM 80GB"), ("NVIDIA A100-SXM4-80GB", "A100 SXM 80GB"),
        ("A100_SXM:80GB", "A100 SXM 80GB"),
        ("4090", "RTX 4090"), ("NVIDIA GeForce RTX 4090", "RTX 4090"), ("rtx4090 24 GB", "RTX 4090"),
        ("RTX 3090", "RTX 3090"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM 80GB"), ("B200", "B200 SXM"), ("AMD Instinct MI300X", "MI300X"),
        ("GH200 96 GB", "GH200 96GB"),
    ],
)  # fmt: skip
def test_gpus_by_many_names(text: str, name: str) -> None:
    assert gpu(text).name == name


@pytest.mark.parametrize(
    ("text", "name", "dtype"),
    [
        ("llama-2-7b", "meta-llama/Llama-2-7b-hf", "float16"), ("Llama 2 7B", "meta-llama/Llama-2-7b-hf", "float16"),
        ("meta-llama/Llama-2-7b-hf", "meta-llama/Llama-2-7b-hf", "float16"),
        ("TheBloke/Llama-2-7B-GPTQ", "meta-llama/Llama-2-7b-hf", "gptq"),
        ("Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "Qwen/Qwen2.5-7B", "int4"), ("qwen3_8b", "Qwen/Qwen3-8B", "bfloat16"),
        ("llama-2-7b-chat-gptq", "meta-llama/Llama-2-7b-hf", "gptq"), ("someone/Qwen3-8B-AWQ", "Qwen/Qwen3-8B", "awq"),
    ],
)  # fmt: skip
def test_models_by_many_names(text: str, name: str, dtype: str) -> None:
    assert (model(text).id, model(text).dtype) == (name, dtype)


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("A100", "A100 PCIe 40GB"), ("h100", "H100 NVL 94GB"), ("H100 80GB", "H100 PCIe 80GB"),
        ("V100 16GB", "V100 PCIe 16GB"), ("3080", "RTX 3080 12GB"),
        ("A800", "A800 SXM 80GB"),  # one option listed, another exists
    ],
)  # fmt: skip
def test_short_names_of_several_gpus_are_asked_about(text: str, some: str) -> None:
    with pytest.raises(AmbiguousName) as caught:
        gpu(text)
    assert some in caught.value.options


def test_a_memory_size_decides_between_cards() -> None:
    assert gpu("h100 94gb").name == "H100 NVL 94GB"
    assert gpu("rtx 3080 12 GB").name == "RTX 3080 12GB"
    assert gpu("4060 ti 16gb").name == "RTX 4060 Ti 16GB"


UNKNOWN = ["T4 32GB", "RTX 4090 80GB", "MI308X", "TITAN V", "", "   ", "gpu", "x" * (MAX_LENGTH + 1), "[/b]"]


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown_gpus_are_refused(text: str) -> None:
    with pytest.raises(UnknownName):
        gpu(text)


def test_unknown_names_come_with_the_close_ones() -> None:
    with pytest.raises(UnknownName) as no_gpu:
        gpu("rtx 4091")
    assert "RTX 4090" in no_gpu.value.close
    with pytest.raises(UnknownName) as no_model:
        model("qwen3-9b")
    assert "Qwen/Qwen3-8B" in no_model.value.close
    assert len(no_model.value.close) <= 3


@pytest.mark.parametrize("text", ["llama-3", "mistral", "qwen3", "gpt-oss", "deepseek", "gemma-3"])
def test_family_names_are_asked_about(text: str) -> None:
    with pytest.raises(AmbiguousName) as caught:
        model(text)
    assert all(model(name).id == name for name in caught.value.options)


def test_every_name_and_alias_finds_its_entry() -> None:
    for entry in gpus():
        for name in (entry.name, *entry.aliases):
            assert gpu(name) == entry
    for known in models():
        for name in (known.id, *known.aliases):
            assert model(name).id == known.id


def test_no_name_means_two_entries() -> None:
    for names in ([(e.name, *e.aliases) for e in gpus()], [(e.id, *e.aliases) for e in models()]):
        normals = [normal(name) for group in names for name in set(map(normal, group))]
        assert len(normals) == len(set(normals))


@pytest.mark.parametrize(
    ("name", "capacity", "bandwidth", "peak"),
    [
        ("T4", 16, 320, 65), ("V100 SXM2 16GB", 16, 900, 125), ("A10", 24, 600, 125), ("L4", 24, 300, 121),
        ("A100 SXM 80GB", 80, 2039, 312),
        ("H100 SXM 80GB", 80, 3350, 989), ("H200 SXM 141GB", 141, 4800, 989), ("RTX 3090", 24, 936, 71),
        ("RTX 4090", 24, 1008, F(1652, 10)),
        ("L40S", 48, 864, F(36205, 100)), ("MI300X", 192, 5300, F(13074, 10)), ("B200 SXM", 180, 7700, 2250),
        ("Apple M2 Max (38-core GPU)", 96, 400, F(136, 10)),
    ],
)  # fmt: skip
def test_figures_of_cards_are_exact(name: str, capacity: int, bandwidth: int, peak: Fraction) -> None:
    entry = gpu(name)
    assert (entry.capacity, entry.bandwidth) == (capacity * 10**9, bandwidth * 10**9)
    assert entry.peak_flops == int(peak * 10**12)


def test_every_gpu_is_whole_and_says_where_it_comes_from() -> None:
    for entry in gpus():
        assert entry.capacity > 0 and entry.bandwidth > 0
        assert entry.source and entry.evidence in ("seen", "derived", "secondary", "recalled", "unverified")
        if entry.evidence not in ("seen", "derived"):
            assert entry.confirmed, entry.name
        if entry.visible:  # what software sees: a little less than the box says, or a box counted in GiB
            assert F(9, 10) < F(entry.visible, entry.capacity) < F(2**30, 10**9) * F(101, 100)
        rates = [rate for rate in (entry.peak_flops, entry.flops8, entry.flops4) if rate is not None]
        assert rates == sorted(rates)


def test_every_model_is_whole_and_says_where_it_comes_from() -> None:
    for entry in models():
        assert entry.params > 0 and entry.layers > 0 and entry.d_model > 0
        assert entry.source and entry.evidence.startswith("computed")
        assert entry.active is None or entry.active <= entry.params
        assert entry.full_layers + entry.sliding_layers <= entry.layers
        assert (entry.window is not None) == (entry.sliding_layers > 0)
        if entry.attention == "MHA":
            assert entry.kv_heads == entry.heads
        if entry.attention == "GQA":
            assert 1 < entry.kv_heads < entry.heads and entry.heads % entry.kv_heads == 0
        if entry.not_plain is None:
            assert entry.full_layers == entry.layers


def test_values_are_symbols_of_the_formulas() -> None:
    t4 = {"capacity": F(16 * 10**9), "bandwidth": F(320 * 10**9), "peak_flops": F(65 * 10**12)}
    assert formula_values(gpu("T4")) == t4
    values = formula_values(model("llama-2-7b"))
    assert values == {
        "L": F(32), "d_model": F(4096), "n_head": F(32), "n_kv_heads": F(32), "d_head": F(128), "N": F(6738415616),
        "p": F(2), "p_w": F(2),
    }  # fmt: skip
    assert set(values) | set(formula_values(gpu("T4"))) <= set(SYMBOLS)
    assert result("kv_per_token", values) == 524288


def test_only_what_is_wanted_is_given() -> None:
    assert formula_values(gpu("T4"), ("bandwidth",)) == {"bandwidth": F(320 * 10**9)}
    assert formula_values(model("deepseek-v3"), ("N",)) == {"N": F(671026419200)}


def test_the_width_of_unlike_weights_is_not_guessed() -> None:
    assert "p_w" not in formula_values(model("deepseek-v3"), ("N", "p_w"))
    assert "p_w" not in formula_values(model("Qwen3-8B-AWQ"))
    assert formula_values(model("Qwen3-8B"))["p_w"] == 2
    assert "peak_flops" not in formula_values(gpu("P40"))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("deepseek-v3", "mla"), ("gemma-2-9b", "sliding-window"), ("gpt-oss-20b", "sliding-window"),
        ("Qwen/Qwen3-Next-80B-A3B-Instruct", "hybrid"),
        ("google/gemma-4-31B-it", "cannot-size"), ("google/gemma-3n-E4B-it", "shared-kv"),
        ("moonshotai/Kimi-Linear-48B-A3B-Instruct", "hybrid"),
    ],
)  # fmt: skip
def test_a_cache_that_is_not_the_plain_one_is_refused_with_the_reason(name: str, reason: str) -> None:
    assert model(name).not_plain == reason
    for wanted in (None, ("L",), ("n_kv_heads", "d_head")):
        with pytest.raises(NoValues) as caught:
            formula_values(model(name), wanted)
        assert caught.value.reason == reason
        assert (caught.value.detail != "") == (reason == "cannot-size")


def test_the_files_hold_each_entry_on_a_line_of_its_own() -> None:
    folder = Path(engine.catalog.__file__).parent
    for kind in ("gpus", "models"):
        text = (folder / f"{kind}.json").read_text(encoding="utf-8")
        data = json.loads(text)
        assert len(data[kind]) > 100
        assert len(text.splitlines()) == len(data[kind]) + len(data["ambiguous"]) + 7


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_is_refused(text: str) -> None:
    for find in (gpu, model):
        try:
            find(text)
        except (UnknownName, AmbiguousName) as error:
            assert error.text == text
