"""`llm-tutor calc`: one formula, worked with values as people write them or as the catalogue has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.lang import LANGS
from tests.tutor.command import Tutor, batch


def test_calc_works_a_formula(tutor: Tutor) -> None:
    worked = tutor.json("calc", "kv_cache", "B=16", "S=4096", "L=40", "n_kv_heads=40", "d_head=128", "p=2")
    assert worked["value"] == 53_687_091_200
    assert worked["unit"] == "bytes"
    assert worked["given"]["B"] == 16
    assert worked["steps"][-1]["numbers"] == "2 · 16 · 4096 · 40 · 40 · 128 · 2"
    assert {"formula", "expression", "display"} <= set(worked)


def test_calc_reads_values_as_people_write_them(tutor: Tutor) -> None:
    argv = "headroom capacity=80GB N=13e9 p_w=int4 B=16 S=4096 L=40 d_model=5120 p=fp16 unit=gb".split()
    assert tutor.json("calc", *argv)["value"] == pytest.approx(19.8129088)
    assert "19.81 GB" in tutor("calc", *argv).out


def test_calc_rounds_no_count_in_silence(tutor: Tutor) -> None:
    assert "1365.333 numbers" in tutor("calc", "head_dim", "d_model=4096", "n_head=3").out
    assert "128 numbers" in tutor("calc", "head_dim", "d_model=4096", "n_head=32").out


def test_the_ends_of_a_range_may_be_negative(tutor: Tutor) -> None:
    assert tutor.json("calc", "quant_step", "r_min=-1", "r_max=2", "b=2")["value"] == 1


def test_calc_lists_every_formula(tutor: Tutor) -> None:
    from engine.formulas.registry import names

    assert [row["formula"] for row in tutor.json("calc")["formulas"]] == list(names())
    assert tutor("calc").out.count("\n") == len(names())


def test_calc_batch(tutor: Tutor, tmp_path: Path) -> None:
    given = {"B": 1, "S": 2048, "L": 32, "d_model": 4096, "p": 2}
    whole = {"id": 1, "formula": "kv_cache", "given": given, "unit": "GiB"}
    codes = {"formula": "codes", "given": {"b": 4}}
    good, bad, last = batch(tutor, tmp_path, whole, {"formula": "kv"}, codes, command="calc")
    assert (good["id"], good["value"], good["unit"]) == (1, 1, "GiB")
    assert set(bad["error"]) == set(LANGS)
    assert last["value"] == 16


def test_calc_asks_the_catalogue(tutor: Tutor) -> None:
    worked = tutor.json("calc", "kv_cache", "model=llama-2-7b", "B=1", "S=2048", "unit=GiB")
    assert worked["value"] == 1
    assert worked["catalogue"]["entries"] == ["meta-llama/Llama-2-7b-hf"]
    typed = tutor.json("calc", "kv_cache", "model=llama-2-7b", "B=1", "S=2048", "L=16", "unit=GiB")
    assert typed["value"] == 0.5, "what is typed outranks the catalogue"
    assert "A100 SXM 80GB" in tutor.refused("calc", "ridge", "gpu=A100")
    assert "The closest are: meta-llama/Llama-2-7b-hf" in tutor.refused("calc", "weights", "model=lama-2-7b")
    assert "formula does not hold" in tutor.refused("calc", "kv_cache", "model=gemma-3-27b-it", "B=1", "S=1")


def test_calc_fills_the_cache_of_a_model_with_latent_attention(tutor: Tutor) -> None:
    one = tutor.json("calc", "mla_cache", "model=deepseek-v3", "B=1", "S=1")
    assert one["value"] == 61 * 576 * 2 and "more" not in one["catalogue"]
    sparse = tutor.json("calc", "sparse_mla_cache", "model=glm-5.3", "B=2", "S=100")
    assert sparse["value"] == 200 * (78 * 1152 + 21 * 132)
    assert tutor.json("calc", "index_cache", "model=glm-5.3-flash", "B=1", "S=4")["value"] == 11 * 132
    part = ("calc", "mla_cache", "model=deepseek-v3.2", "B=1", "S=1")
    assert tutor.json(*part)["catalogue"]["more"] == {"deepseek-ai/DeepSeek-V3.2": "sparse_mla_cache"}
    for lang in LANGS:
        assert "sparse_mla_cache" in tutor(*part, "--lang", lang).out.splitlines()[-1]
    assert "more" not in tutor.json("calc", "sparse_mla_cache", *part[2:])["catalogue"]


def test_calc_names_the_formula_of_a_cache_that_it_is_not(tutor: Tutor) -> None:
    for name, own in (("deepseek-v3", "mla_cache"), ("deepseek-v3.2", "sparse_mla_cache")):
        told = tutor.refused("calc", "kv_cache", f"model={name}", "B=1", "S=1")
        _, _, after = told.partition("llm-tutor calc ")
        assert tutor.json("calc", *after.rstrip("`.").split())["formula"] == own
