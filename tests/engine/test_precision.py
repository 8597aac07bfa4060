"""Formats: bits with their metadata, names as people write them, and the unit that a GPU has for them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import gpu, gpus, models
from engine.precision import FORMATS, LAYOUTS, UnknownFormat, find, kv_bytes_per_number, kv_layout, matmul

F = Fraction


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("bf16", 16), ("fp8", 8), ("awq", F("4.15625")), ("int4-g64", F("4.3125")), ("int4-g32", F("4.625")),
        ("w4a16", F("4.125")), ("q4_0", F("4.5")), ("q8_0", F("8.5")), ("mxfp4", F("4.25")), ("nvfp4", F("4.5")),
        ("nf4", F("4.5")), ("q6_k", F("6.5625")), ("iq4_xs", F("4.25")), ("q2_k", F("2.625")), ("q3_k_m", F("3.4375")),
    ],
)  # fmt: skip
def test_bits_of_a_weight_with_its_metadata(name: str, bits: Fraction) -> None:
    assert find(name).linear_bits == bits


def test_qlora_takes_about_an_eighth_of_a_bit_for_its_scales() -> None:
    assert float(find("qlora").linear_bits - 4) == pytest.approx(0.127, abs=0.0005)  # arXiv 2305.14314, section 3


def test_a_row_scale_costs_less_the_longer_the_row() -> None:
    row = LAYOUTS["int8-row"]
    assert row.effective_bits(1024) > row.effective_bits(8192) > 8
    assert row.bytes(8192, 1024) == 8192 * 1024 + 4 * 8192


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("BF16", "bf16"), ("torch.bfloat16", "bf16"), ("float16", "fp16"), ("half", "fp16"), ("FP-8", "fp8"),
        ("fp8_e4m3", "fp8"), ("AWQ", "awq"), ("awq_marlin", "awq"), ("gptq-int4", "gptq"), ("W8A8", "w8a8"),
        ("W4A16", "w4a16"), ("4-bit", "int4"), ("8bit", "int8"), ("w8a8_fp8", "fp8-row"), ("bitsandbytes", "nf4"),
        ("Q4_K_M", "q4_k_m"), ("Q8_0", "q8_0"), ("gguf", "q4_k_m"), ("fp8 (block scales)", "fp8-tile"),
        ("mxfp4 experts + bf16", "mxfp4"), ("NVFP4", "nvfp4"), ("float32 checkpoint", "bf16"),
    ],
)  # fmt: skip
def test_names_as_people_write_them(text: str, name: str) -> None:
    assert find(text).name == name


@pytest.mark.parametrize("text", ["", "fp7", "x" * 500, "[/b]", "several", "bf16 or fp8"])
def test_other_names_are_refused(text: str) -> None:
    with pytest.raises(UnknownFormat):
        find(text)


def test_a_refusal_names_what_is_close() -> None:
    with pytest.raises(UnknownFormat) as caught:
        find("q4_k_n")
    assert "q4_k_m" in caught.value.close


def test_every_format_finds_itself_and_every_dtype_of_the_catalogue_is_one() -> None:
    for name in FORMATS:
        assert find(name).name == find(name.upper()).name == name
    for entry in models():
        assert find(entry.dtype)


@given(st.text(max_size=80))
def test_any_text_is_found_or_refused(text: str) -> None:
    try:
        assert find(text).name in FORMATS
    except UnknownFormat as error:
        assert len(error.close) <= 3


@pytest.mark.parametrize(
    ("name", "number"), [("auto", 2), ("fp8", 1), ("fp8_e5m2", 1), ("fp8_ds_mla", 1), ("q8_0", F(17, 16)),
                         ("q4_0", F(9, 16)), ("int8", F(33, 32)), ("int4", F(17, 32))],
)  # fmt: skip
def test_bytes_of_a_number_of_the_cache(name: str, number: Fraction) -> None:
    assert kv_bytes_per_number(name, 128) == number


@pytest.mark.parametrize("name", ["awq", "q4_k_m", "nf4"])
def test_no_cache_is_kept_in_weight_formats(name: str) -> None:
    with pytest.raises(UnknownFormat):
        kv_layout(name)


@pytest.mark.parametrize(
    ("card", "form", "unit", "native"),
    [
        ("A100 SXM 80GB", "fp8", "16-bit", False), ("H100 SXM 80GB", "fp8", "fp8", True),
        ("RTX 4090", "fp8", "fp8", True), ("L4", "w8a8", "int8", True), ("V100 SXM2 16GB", "w8a8", "16-bit", False),
        ("T4", "w8a8", "int8", True), ("MI300X", "fp8", "fp8", True), ("MI250X", "fp8", "16-bit", False),
        ("B200 SXM", "nvfp4", "fp4", True), ("H100 SXM 80GB", "nvfp4", "16-bit", False),
        ("H100 SXM 80GB", "awq", "16-bit", True), ("A100 SXM 80GB", "bf16", "16-bit", True),
    ],
)  # fmt: skip
def test_the_unit_that_a_card_has(card: str, form: str, unit: str, native: bool) -> None:
    found = matmul(find(form), gpu(card))
    assert (found.unit, found.native) == (unit, native)


def test_int8_is_no_gain_where_the_vendor_has_nearly_removed_it() -> None:
    for name in ("B300 SXM", "GB300 (per GPU)"):
        gains = matmul(find("w8a8"), gpu(name)).gains
        assert gains is not None and gains < F(1, 10)


def test_weight_only_formats_gain_no_flops_on_any_card() -> None:
    for card in gpus():
        for form in FORMATS.values():
            if form.weight_only:
                assert matmul(form, card).rate == card.peak_flops
