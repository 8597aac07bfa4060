"""Values of inputs as a person reads them: each with its unit, whatever a scenario file has."""

from __future__ import annotations

import pytest

from content.diagnosing import setting, words
from content.lang import LANGS, Lang
from engine.diagnosis.fields import FIELDS, Field


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("kv_pool", 9.123456789, "9.12 GB"),
        ("gpu_memory_utilization", 0.935, "93.5 %"),
        ("kv_pool_tokens", 56000, "56,000 tokens"),
        ("concurrency", 24, "24 requests"),
        ("concurrency", "24", "24 requests"),
        ("tpot", 0.0415, "41.5 ms"),
        ("gpus", 1, "1 card"),
        ("graph_max_batch", 512, "512"),
        ("eager", True, "on"),
        ("weights", "awq", "awq"),
        ("prompt", "100-900", "100-900"),
        ("engine", "vllm 0.9", "vllm 0.9"),
        ("gpu_layers", None, "all"),
    ],
)
def test_a_value_has_the_unit_of_its_input(name: str, given: object, told: str) -> None:
    assert setting.value(name, given, "en") == told


@pytest.mark.parametrize("lang", LANGS)
def test_a_pool_that_is_no_longer_given_is_not_called_none(lang: Lang) -> None:
    said = {setting.value(name, None, lang) for name in setting.POOL}
    assert len(said) == 1 and said != {setting.value("gpu_layers", None, lang)}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("field", [one for one in FIELDS if one.kind != "text"], ids=lambda one: one.name)
def test_no_number_of_any_input_is_raw(field: Field, lang: Lang) -> None:
    told = setting.value(field.name, 0.123456789 if field.kind != "count" else 123456, lang)
    assert "0.123456789" not in told and "123456" not in told.replace(",", "#")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("--model <an AWQ checkpoint>", "--model <AWQ checkpoint>"),
        ("-m <a Q5_K_S file> -c 4096", "-m <Q5_K_S file> -c 4096"),
        ("-md <a small model>", "-md <chhota model>"),
        ("--max-num-seqs 12", "--max-num-seqs 12"),
    ],
)
def test_what_is_to_be_filled_into_a_flag_is_said_in_the_language(text: str, told: str) -> None:
    assert words.flag(text, "en") == text and words.flag(text, "hi-Latn") == told
